#define _GNU_SOURCE
#include "cmd/questions.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cmd/textfile.h"
#include "engine/engine.h"

// The NUL bytes of UTF-16, which some editors and shells write, are the likely ones.
static int no_text(const struct textfile *t, const char *line, struct err *e)
{
    const int utf16 =
        !memcmp(line, "\xff\xfe", 2) || !memcmp(line, "\xfe\xff", 2) || !*line || !line[1];
    return err_set(e, ERR_FORMAT, "%s:%ld: a NUL byte; questions are UTF-8 text%s", t->name,
                   t->n_lines, utf16 ? ", which iconv -f utf-16 makes of UTF-16" : "");
}

// Calls EACH for each line in LINE, which has no newline but may have carriage returns, with which
// old files end lines. Non-zero when EACH wants no more.
static int each_line(char *line, int (*each)(void *arg, const char *question), void *arg)
{
    for (char *next; line; line = next) {
        if ((next = strchr(line, '\r')))
            *next++ = 0;
        size_t n = strlen(line);
        while (n && isspace((unsigned char)line[n - 1]))
            line[--n] = 0;
        line += strspn(line, " \t\v\f");
        if (!ask_is_blank(line) && each(arg, line))
            return 1;
    }
    return 0;
}

// The next line, which is text: 1, 0 behind the last, or an error.
static int next_line(struct textfile *t, char **line, size_t *cap, struct err *e)
{
    size_t n;
    int rc = textfile_line(t, '\n', line, cap, &n, e);
    return rc == 1 && memchr(*line, 0, n) ? no_text(t, *line, e) : rc;
}

// Looks at every line of a regular file before the first one is asked.
static int check_lines(struct textfile *t, char **line, size_t *cap, struct err *e)
{
    struct stat st;
    const off_t at = ftello(t->f);
    int rc;
    if (fstat(fileno(t->f), &st) || !S_ISREG(st.st_mode) || at < 0)
        return 0;
    while ((rc = next_line(t, line, cap, e)) == 1) {
    }
    t->n_lines = 0;
    if (!rc && !ferror(t->f) && fseeko(t->f, at, SEEK_SET))
        rc = err_io(e, "%s", t->name);
    return rc;
}

int questions_each(const char *path, const volatile sig_atomic_t *stop,
                   int (*each)(void *arg, const char *question), void *arg, struct err *e)
{
    struct textfile t;
    char *line = NULL;
    size_t cap = 0;
    int rc = textfile_open(&t, path, e), ended = 0;
    if (rc)
        return *stop ? 0 : rc; // of a FIFO that nobody writes to
    rc = check_lines(&t, &line, &cap, e);
    while (!rc && !ended && !*stop && (rc = next_line(&t, &line, &cap, e)) == 1) {
        rc = 0;
        // Some editors begin a file with a byte order mark; a pipe may have several files.
        if (!strncmp(line, "\xef\xbb\xbf", 3))
            memset(line, ' ', 3);
        ended = each_line(line, each, arg);
    }
    int cut = textfile_close(&t, rc ? NULL : e);
    free(line);
    return rc || *stop ? rc : cut;
}
