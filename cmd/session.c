#define _GNU_SOURCE
#include "cmd/session.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/models.h"
#include "cmd/profiles.h"
#include "cmd/ui.h"
#include "io/mem.h"

// An index remembers the path of its model and is asked from other directories. Links are left as
// they are: their names say more than what they point to.
static int make_absolute(char *path, size_t cap, struct err *e)
{
    char copy[PATH_MAX];
    if (*path == '/')
        return 0;
    if (!getcwd(copy, sizeof copy))
        return err_io(e, "the current directory");
    size_t n = strlen(copy), bytes = strlen(path) + 1;
    if (n + 1 + bytes > cap)
        return err_set(e, ERR_USAGE, "%s: the path is too long", path);
    memmove(path + n + 1, path, bytes);
    memcpy(path, copy, n);
    path[n] = '/';
    return 0;
}

static int open_model(struct session *s, const struct common *c, struct err *e)
{
    char path[PATH_MAX], note[512] = "";
    int rc;
    if (s->n_indexes && !c->model_given)
        rc = models_find_for_index(path, sizeof path, kvz_meta(s->indexes[0])->model_path, c->model, e);
    else
        rc = models_find(path, sizeof path, c->model, e);
    if (rc)
        return rc;
    struct device_options o = {
        .name = c->device, .threads = c->threads, .vram = c->vram, .exact = c->only_look};
    if ((rc = device_open(&s->device, &o, note, sizeof note, e)))
        return rc;
    if (*note)
        ui_note("%s", note);
    if ((rc = make_absolute(path, sizeof path, e)))
        return rc;
    rc = model_open(&s->model, path, s->device, e);
    return rc || c->no_profile ? rc : profiles_use(s->model, c->profile, e);
}

int session_open(struct session *s, const struct common *c, char *const *paths, int n_paths,
                 struct err *e)
{
    double began = ui_now();
    memset(s, 0, sizeof *s);
    if (!(s->indexes = mem_new((size_t)n_paths, sizeof *s->indexes, e)))
        return ERR_NOMEM;
    int rc = 0;
    for (int i = 0; i < n_paths && !rc; i++)
        if (!(rc = kvz_open(&s->indexes[i], paths[i], e)))
            s->n_indexes++;
    if (!rc)
        rc = open_model(s, c, e);
    for (int i = 0; i < s->n_indexes && !rc; i++)
        rc = ask_check(s->model, s->indexes[i], e);
    s->open_seconds = ui_now() - began;
    return rc;
}

void session_close(struct session *s)
{
    for (int i = 0; i < s->n_indexes; i++)
        kvz_close(s->indexes[i]);
    free(s->indexes);
    model_close(s->model);
    device_close(s->device);
}
