#define _GNU_SOURCE
#include "cmd/questions.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int questions_each(const char *path, const volatile sig_atomic_t *stop,
                   int (*each)(void *arg, const char *question), void *arg, struct err *e)
{
    FILE *f = strcmp(path, "-") ? fopen(path, "re") : stdin;
    const char *name = f == stdin ? "standard input" : path;
    if (!f)
        return err_io(e, "%s", path);
    char *line = NULL;
    size_t cap = 0;
    ssize_t n;
    int rc = 0, ended = 0;
    for (long number = 1; !ended && !*stop && (n = getline(&line, &cap, f)) >= 0; number++) {
        if (memchr(line, 0, (size_t)n)) {
            rc = err_set(e, ERR_FORMAT, "%s:%ld: a NUL byte; questions are text", name, number);
            break;
        }
        while (n && isspace((unsigned char)line[n - 1]))
            line[--n] = 0;
        // Some editors begin a file with a byte order mark.
        if (number == 1 && n >= 3 && !memcmp(line, "\xef\xbb\xbf", 3))
            memset(line, ' ', 3);
        const char *question = line + strspn(line, " \t\r\v\f");
        if (*question)
            ended = each(arg, question);
    }
    if (!rc && ferror(f) && !*stop)
        rc = err_io(e, "%s", name);
    free(line);
    if (f != stdin)
        fclose(f);
    return rc;
}
