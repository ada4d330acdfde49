#define _GNU_SOURCE
#include "cmd/session.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd/config.h"
#include "cmd/models.h"
#include "cmd/profiles.h"
#include "cmd/ui.h"
#include "engine/embed/embedder.h"
#include "io/clock.h"
#include "io/file.h"
#include "io/mem.h"

// With up to FEW indexes, each may keep the tables that its blocks are decoded with before it is
// known which of them are read.
enum { FEW = 8 };

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
    char path[PATH_MAX], cache[PATH_MAX] = "", note[512] = "";
    int rc;
    if (c->keep_weights && (rc = config_cache_dir(cache, sizeof cache, e)))
        return rc;
    if (s->n_indexes && !c->model_given)
        rc = models_find_for_index(path, sizeof path, kvz_meta(s->indexes[0])->model_path, c->model,
                                   e);
    else
        rc = models_find(path, sizeof path, c->model, e);
    if (rc)
        return rc;
    struct device_options o = {.name = c->device,
                               .threads = c->threads,
                               .vram = c->vram,
                               .exact = c->only_look || c->exact,
                               .kept = *cache ? cache : NULL};
    if ((rc = device_open(&s->device, &o, note, sizeof note, e)))
        return rc;
    if (*note)
        ui_note("%s", note);
    if ((rc = make_absolute(path, sizeof path, e)))
        return rc;
    rc = model_open(&s->model, path, s->device, e);
    return rc || c->no_profile ? rc : profiles_use(s->model, c->profile, e);
}

// Whether PATH [n] is the directory of an index that is not finished: OUT.kvz.part.
static int is_unfinished(const char *path, int n)
{
    static const char end[] = FILE_PART;
    const int own = n - (int)(sizeof end - 1);
    char out[PATH_MAX];
    return own > 0 && own < (int)sizeof out && !strncmp(path + own, end, sizeof end - 1) &&
           snprintf(out, sizeof out, "%.*s", own, path) == own && kvz_part_exists(out);
}

void session_explain(const char *path, struct err *e)
{
    struct stat st;
    int rc = stat(path, &st), n = (int)strlen(path);
    n -= n > 0 && path[n - 1] == '/';
    if (!*path)
        err_set(e, ERR_IO, "the name of a file is empty");
    else if ((rc && kvz_part_exists(path)) || is_unfinished(path, n))
        err_set(e, ERR_IO, "%s: is not finished; the same 'lctool encode' again goes on with it",
                path);
    else if (!rc && S_ISDIR(st.st_mode))
        err_set(e, ERR_IO,
                "%s: is a directory; its indexes are named one by one, as %.*s/*.kvz does", path, n,
                path);
}

// The index of a file before the I-th that is the same one; -1: there is none.
static int seen_at(const struct stat *files, int i)
{
    for (int k = 0; k < i; k++)
        if (files[k].st_ino && files[k].st_ino == files[i].st_ino &&
            files[k].st_dev == files[i].st_dev)
            return k;
    return -1;
}

// An index that cannot be used fails the command when it is the only one; else it is left out.
static int leave_out(struct session *s, int n_paths, const struct err *e)
{
    if (n_paths == 1)
        return e->code;
    ui_fail(e);
    s->n_failed++;
    return 0;
}

static int open_indexes(struct session *s, char *const *paths, int n_paths, struct err *e)
{
    struct stat *files = mem_new((size_t)n_paths, sizeof *files, e);
    int rc = files ? 0 : ERR_NOMEM;
    for (int i = 0; i < n_paths && !rc; i++) {
        int before;
        if (!stat(paths[i], &files[i]) && (before = seen_at(files, i)) >= 0)
            ui_note("%s: is %s, which is there already; passed over", paths[i], paths[before]);
        else if (!(n_paths > FEW ? kvz_open : kvz_open_beside)(&s->indexes[s->n_indexes], paths[i],
                                                               e)) {
            if (n_paths > FEW)
                kvz_rest(s->indexes[s->n_indexes]);
            s->n_indexes++;
        } else {
            session_explain(paths[i], e);
            rc = leave_out(s, n_paths, e);
        }
    }
    free(files);
    return rc;
}

static int check_indexes(struct session *s, struct err *e)
{
    int rc = 0, n = s->n_indexes, kept = 0;
    for (int i = 0; i < n; i++) {
        struct kvz *k = s->indexes[i];
        if (!rc && !kvz_opened(k, e) && !ask_check(s->model, k, e)) {
            s->indexes[kept++] = k;
            continue;
        }
        rc = rc ? rc : leave_out(s, n + s->n_failed, e);
        kvz_close(k);
    }
    s->n_indexes = kept;
    return rc;
}

int session_open(struct session *s, const struct common *c, char *const *paths, int n_paths,
                 struct err *e)
{
    double began = clock_seconds();
    memset(s, 0, sizeof *s);
    s->n_named = n_paths;
    if (!(s->indexes = mem_new((size_t)n_paths, sizeof *s->indexes, e)))
        return ERR_NOMEM;
    int rc = open_indexes(s, paths, n_paths, e);
    if (!rc && (s->n_indexes || !n_paths))
        rc = open_model(s, c, e);
    if (!rc)
        rc = check_indexes(s, e);
    if (!rc && n_paths && !s->n_indexes)
        rc = err_set(e, ERR_FORMAT, "none of the %d indexes can be asked", n_paths);
    s->open_seconds = clock_seconds() - began;
    return rc;
}

// The vectors of sentences of the I-th index; n 0: it has none, or damaged ones, which is said, and
// so are damaged ones of their words.
static struct kvz_sentences vectors_of(const struct session *s, int i)
{
    struct kvz_sentences v = {0};
    struct kvz_words words;
    struct err why = {0};
    if (kvz_sentences(s->indexes[i], &v, &why)) {
        ui_note("%s: vectors of sentences are not used", why.msg);
        return (struct kvz_sentences){0};
    }
    if (kvz_words(s->indexes[i], &words, &why))
        ui_note("%s: vectors of words are not used", why.msg);
    return v;
}

// PATH [PATH_MAX]: of the embedder that made the vectors of the index GROWS; "": it is not known.
static int find_grown(const char *grows, char *path, struct err *e)
{
    struct kvz *k;
    struct kvz_sentences v;
    struct err why; // which is said where the index is opened to be written
    int rc = 0;
    if (kvz_open(&k, grows, &why))
        return 0;
    if (!kvz_sentences(k, &v, &why) && v.n)
        rc = models_find_embedder_of(path, PATH_MAX, v.digest, e);
    kvz_close(k);
    return rc;
}

// PATH [PATH_MAX]: of the embedder that C names, else of the one that made the vectors of the first
// index with vectors that has one which is there, or of the index GROWS, of a new index the only
// one; "": none. Files may be called anything: which one it is their digests say.
static int find_embedder(const struct session *s, const struct common *c, const char *grows,
                         const struct kvz_sentences *v, char *path, struct err *e)
{
    int rc = 0;
    *path = 0;
    if (grows && !c->embedder)
        rc = find_grown(grows, path, e);
    for (int i = 0; !rc && !*path && !c->embedder && i < s->n_indexes; i++)
        if (v[i].n)
            rc = models_find_embedder_of(path, PATH_MAX, v[i].digest, e);
    if (rc || *path)
        return rc;
    if (!s->n_indexes)
        return models_find_embedder(path, PATH_MAX, c->embedder, NULL, e);
    for (int i = 0; !rc && !*path && i < s->n_indexes; i++)
        if (v[i].n)
            rc = models_find_embedder(path, PATH_MAX, c->embedder, v[i].name, e);
    return rc;
}

// Says what keeps the vectors V of index K from being used.
static void explain_embedder(const struct session *s, const struct common *c, const struct kvz *k,
                             const struct kvz_sentences *v)
{
    if (!s->embedder && !c->embedder)
        ui_note("%s: its vectors of sentences are by the embedder %s, which is not there: they are "
                "not used",
                kvz_path(k), v->name);
    else if (s->embedder && embedder_info(s->embedder)->digest != v->digest)
        ui_note("%s: its vectors of sentences are not by %s: they are not used", kvz_path(k),
                embedder_info(s->embedder)->path);
}

// Opens the embedder at PATH. What is asked does without one that nobody named and that is damaged.
static int open_embedder(struct session *s, const struct common *c, const char *path, struct err *e)
{
    char note[512] = "";
    int rc = device_open(&s->embeds, &(struct device_options){.name = "cpu", .threads = c->threads},
                         note, sizeof note, e);
    if (rc || !(rc = embedder_open(&s->embedder, path, s->embeds, e)))
        return rc;
    if (c->embedder || !s->n_indexes || rc == ERR_NOMEM)
        return rc;
    ui_note("%s: it is not used", e->msg);
    return 0;
}

int session_embed(struct session *s, const struct common *c, const char *grows, struct err *e)
{
    const double began = clock_seconds();
    char path[PATH_MAX];
    if (c->embedder && !strcmp(c->embedder, "none"))
        return 0; // vectors are not even looked at
    struct kvz_sentences *v = mem_new((size_t)s->n_indexes + 1, sizeof *v, e);
    int rc = v ? 0 : ERR_NOMEM;
    for (int i = 0; !rc && i < s->n_indexes; i++)
        v[i] = vectors_of(s, i);
    if (!rc)
        rc = find_embedder(s, c, grows, v, path, e);
    if (!rc && *path)
        rc = open_embedder(s, c, path, e);
    for (int i = 0; !rc && i < s->n_indexes; i++)
        if (v[i].n && (s->embedder || !*path)) // of a damaged one that has been said
            explain_embedder(s, c, s->indexes[i], &v[i]);
    free(v);
    s->open_seconds += clock_seconds() - began;
    return rc;
}

void session_close(struct session *s)
{
    embedder_close(s->embedder);
    device_close(s->embeds);
    for (int i = 0; i < s->n_indexes; i++)
        kvz_close(s->indexes[i]);
    free(s->indexes);
    model_close(s->model);
    device_close(s->device);
}
