#include "cmd/textfile.h"

#include <string.h>

#include "io/mem.h"

int textfile_open(struct textfile *t, const char *path, struct err *e)
{
    int is_stdin = !strcmp(path, "-");
    t->f = is_stdin ? stdin : fopen(path, "re");
    t->name = is_stdin ? "standard input" : path;
    t->n_lines = 0;
    return t->f ? 0 : err_io(e, "%s", path);
}

int textfile_line(struct textfile *t, int end, char **line, size_t *cap, size_t *n, struct err *e)
{
    int c = 0;
    *n = 0;
    t->n_lines++;
    do {
        if (*n == TEXTFILE_LINE)
            return err_set(e, ERR_FORMAT, "%s:%ld: a line of more than 1 MiB", t->name, t->n_lines);
        if (MEM_GROW(*line, *cap, *n + 2, e))
            return ERR_NOMEM;
        if ((c = getc(t->f)) != EOF)
            (*line)[(*n)++] = (char)c;
    } while (c != end && c != EOF);
    (*line)[*n] = 0;
    return *n > 0;
}

int textfile_close(struct textfile *t, struct err *e)
{
    int rc = ferror(t->f) ? err_io(e, "%s", t->name) : 0;
    if (t->f != stdin)
        fclose(t->f);
    return rc;
}
