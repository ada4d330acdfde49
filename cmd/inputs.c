#define _GNU_SOURCE
#include "cmd/inputs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/mem.h"

int inputs_add(struct inputs *in, const char *name, struct err *e)
{
    void *v = in->v;
    if (!*name)
        return err_set(e, ERR_USAGE, "an input with an empty name");
    if (mem_grow(&v, &in->cap, in->n + 1, sizeof *in->v, e))
        return ERR_NOMEM;
    in->v = v;
    if (!(in->v[in->n] = mem_strdup(name, e)))
        return ERR_NOMEM;
    in->n++;
    return 0;
}

// One name of N bytes, without what ended it.
static int add_listed(struct inputs *in, const char *name, size_t n, const char *list, struct err *e)
{
    if (!n)
        return 0;
    if (strlen(name) != n)
        return err_set(e, ERR_USAGE, "%s: a name has a NUL byte; with --null names end in one", list);
    return inputs_add(in, strcmp(name, "-") ? name : "./-", e);
}

int inputs_read(struct inputs *in, const char *path, int nuls, struct err *e)
{
    const int end = nuls ? 0 : '\n';
    FILE *f = strcmp(path, "-") ? fopen(path, "re") : stdin;
    const char *list = f == stdin ? "standard input" : path;
    if (!f)
        return err_io(e, "%s", path);
    char *name = NULL;
    size_t cap = 0, before = in->n;
    ssize_t n;
    int rc = 0;
    while (!rc && (n = getdelim(&name, &cap, end, f)) > 0) {
        if (name[n - 1] == end)
            name[--n] = 0;
        rc = add_listed(in, name, (size_t)n, list, e);
    }
    if (!rc && ferror(f))
        rc = err_io(e, "%s", list);
    else if (!rc && in->n == before)
        rc = err_set(e, ERR_USAGE, "%s: names no file", list);
    free(name);
    if (f != stdin)
        fclose(f);
    return rc;
}

void inputs_done(struct inputs *in)
{
    for (size_t i = 0; i < in->n; i++)
        free(in->v[i]);
    free(in->v);
}
