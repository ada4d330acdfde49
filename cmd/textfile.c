#include "cmd/textfile.h"

#include <string.h>

int textfile_open(struct textfile *t, const char *path, struct err *e)
{
    int is_stdin = !strcmp(path, "-");
    t->f = is_stdin ? stdin : fopen(path, "re");
    t->name = is_stdin ? "standard input" : path;
    return t->f ? 0 : err_io(e, "%s", path);
}

int textfile_close(struct textfile *t, struct err *e)
{
    int rc = ferror(t->f) ? err_io(e, "%s", t->name) : 0;
    if (t->f != stdin)
        fclose(t->f);
    return rc;
}
