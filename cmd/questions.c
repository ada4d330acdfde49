#define _GNU_SOURCE
#include "cmd/questions.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/textfile.h"

int questions_each(const char *path, const volatile sig_atomic_t *stop,
                   int (*each)(void *arg, const char *question), void *arg, struct err *e)
{
    struct textfile t;
    char *line = NULL;
    size_t cap = 0;
    ssize_t n;
    int rc = textfile_open(&t, path, e), ended = 0;
    if (rc)
        return rc;
    for (long number = 1; !ended && !*stop && (n = getline(&line, &cap, t.f)) >= 0; number++) {
        if (memchr(line, 0, (size_t)n)) {
            rc = err_set(e, ERR_FORMAT, "%s:%ld: a NUL byte; questions are text", t.name, number);
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
    int cut = textfile_close(&t, rc ? NULL : e);
    free(line);
    return rc || *stop ? rc : cut;
}
