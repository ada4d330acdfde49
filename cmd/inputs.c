#define _GNU_SOURCE
#include "cmd/inputs.h"

#include <stdlib.h>
#include <string.h>

#include "cmd/textfile.h"
#include "io/mem.h"

int inputs_add(struct inputs *in, const char *name, struct err *e)
{
    if (!*name)
        return err_set(e, ERR_USAGE, "an input with an empty name");
    if (MEM_GROW(in->v, in->cap, in->n + 1, e))
        return ERR_NOMEM;
    if (!(in->v[in->n] = mem_strdup(name, e)))
        return ERR_NOMEM;
    in->n++;
    return 0;
}

// One name of N bytes, without what ended it.
static int add_listed(struct inputs *in, const char *name, size_t n, const char *list,
                      struct err *e)
{
    if (!n)
        return 0;
    if (strlen(name) != n)
        return err_set(e, ERR_USAGE, "%s: a name has a NUL byte; with --null names end in one",
                       list);
    return inputs_add(in, strcmp(name, "-") ? name : "./-", e);
}

int inputs_read(struct inputs *in, const char *path, int nuls, struct err *e)
{
    const int end = nuls ? 0 : '\n';
    struct textfile list;
    char *name = NULL;
    size_t cap = 0, n, before = in->n;
    int rc = textfile_open(&list, path, e);
    if (rc)
        return rc;
    while (!rc && (rc = textfile_line(&list, end, &name, &cap, &n, e)) == 1) {
        if (name[n - 1] == end)
            name[--n] = 0;
        if (!nuls && n && name[n - 1] == '\r') // the other half of the line's end
            name[--n] = 0;
        const size_t mark = !nuls && list.n_lines == 1 && !strncmp(name, "\xef\xbb\xbf", 3) ? 3 : 0;
        rc = add_listed(in, name + mark, n - mark, list.name, e);
    }
    int cut = textfile_close(&list, rc ? NULL : e);
    free(name);
    if (!rc && !cut && in->n == before)
        return err_set(e, ERR_USAGE, "%s: names no file", list.name);
    return rc ? rc : cut;
}

void inputs_done(struct inputs *in)
{
    for (size_t i = 0; i < in->n; i++)
        free(in->v[i]);
    free(in->v);
}
