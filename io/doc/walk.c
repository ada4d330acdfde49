#define _GNU_SOURCE
#include "io/doc/walk.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "io/file.h"
#include "io/mem.h"
#include "io/show.h"

// One directory on the way down; its names are read at once, so that no descriptor stays open.
struct level {
    char **names;
    size_t n, cap, at;
    size_t path_len; // of the directory itself, within walk->path
};

struct doc_walk {
    char *path; // of the current file
    size_t cap_path;
    struct level *levels;
    size_t n_levels, cap_levels;
    int started, has_found;
    const char *out; // what is written meanwhile
    int replaces;    // whether that was there before: file INO of device DEV
    dev_t dev;
    ino_t ino;
    doc_note_fn *note;
    void *note_arg;
};

static void note(struct doc_walk *w, const char *why)
{
    char msg[1024];
    char *name = w->note ? show_name(w->path, NULL) : NULL;
    if (!name)
        return;
    snprintf(msg, sizeof msg, "%s: %s", name, why);
    w->note(w->note_arg, msg);
    free(name);
}

static int set_tail(struct doc_walk *w, size_t at, const char *name, struct err *e)
{
    size_t n = strlen(name) + 1;
    if (MEM_GROW(w->path, w->cap_path, at + 1 + n, e))
        return ERR_NOMEM;
    if (at && w->path[at - 1] != '/')
        w->path[at++] = '/';
    memcpy(w->path + at, name, n);
    return 0;
}

static int by_bytes(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void free_level(struct level *l)
{
    for (size_t i = 0; i < l->n; i++)
        free(l->names[i]);
    free(l->names);
}

static int read_names(struct level *l, const char *path, struct err *e)
{
    int rc = 0;
    DIR *dir = opendir(path);
    if (!dir)
        return err_io(e, "%s", path);
    for (;;) {
        errno = 0;
        struct dirent *d = readdir(dir);
        if (!d) {
            if (errno)
                rc = err_io(e, "%s: cannot read the directory", path);
            break;
        }
        if (!strcmp(d->d_name, ".") || !strcmp(d->d_name, ".."))
            continue;
        if ((rc = MEM_GROW(l->names, l->cap, l->n + 1, e)))
            break;
        if (!(l->names[l->n] = mem_strdup(d->d_name, e))) {
            rc = ERR_NOMEM;
            break;
        }
        l->n++;
    }
    closedir(dir);
    if (!rc && l->n)
        qsort(l->names, l->n, sizeof *l->names, by_bytes);
    return rc;
}

static int enter(struct doc_walk *w, struct err *e)
{
    if (MEM_GROW(w->levels, w->cap_levels, w->n_levels + 1, e))
        return ERR_NOMEM;
    struct level *l = &w->levels[w->n_levels];
    *l = (struct level){.path_len = strlen(w->path)};
    int rc = read_names(l, w->path, e);
    if (rc)
        free_level(l);
    else
        w->n_levels++;
    return rc;
}

// Whether a directory is, by its name, one in which an index grows.
static int is_part(const char *name)
{
    static const char tail[] = ".kvz" FILE_PART;
    size_t n = strlen(name), m = sizeof tail - 1;
    return n > m && !strcmp(name + n - m, tail);
}

// What was found in a directory and cannot be read, for E, costs only itself: 0.
static int note_error(struct doc_walk *w, const struct err *e)
{
    char why[sizeof e->msg + 16];
    const size_t n = strlen(w->path);
    const int named = !strncmp(e->msg, w->path, n) && !strncmp(e->msg + n, ": ", 2);
    snprintf(why, sizeof why, "%s; passed over", named ? e->msg + n + 2 : e->msg);
    note(w, why);
    return 0;
}

// Whether ST, found in a directory, is the index that is made of it, which stays what it is until
// the end, or the directory where that grows, which may have been begun only now.
static int is_output(const struct doc_walk *w, const struct stat *st)
{
    char path[PATH_MAX];
    struct stat part;
    if (!S_ISDIR(st->st_mode))
        return w->replaces && st->st_dev == w->dev && st->st_ino == w->ino;
    return w->out && (size_t)snprintf(path, sizeof path, "%s" FILE_PART, w->out) < sizeof path &&
           !stat(path, &part) && part.st_dev == st->st_dev && part.st_ino == st->st_ino;
}

// Looks at w->path, found in a directory: 1 when it is a file to read, 0 to go on, or an error.
static int consider(struct doc_walk *w, const char *name, struct doc_file *f, struct err *e)
{
    struct stat st;
    if (name[0] == '.') {
        note(w, "is hidden; passed over");
        return 0;
    }
    if (lstat(w->path, &st)) {
        err_io(e, "%s", w->path);
        return note_error(w, e);
    }
    if (S_ISLNK(st.st_mode)) {
        if (stat(w->path, &st)) {
            note(w, "is a link that leads nowhere; passed over");
            return 0;
        }
        if (S_ISDIR(st.st_mode)) {
            note(w, "is a link to a directory; passed over");
            return 0;
        }
    }
    if (is_output(w, &st))
        return 0;
    if (S_ISDIR(st.st_mode) && is_part(name)) {
        note(w, "is an index that is not finished; passed over");
        return 0;
    }
    if (S_ISDIR(st.st_mode)) {
        int rc = enter(w, e);
        return rc == ERR_IO ? note_error(w, e) : rc;
    }
    if (!S_ISREG(st.st_mode)) {
        note(w, "is not a regular file; passed over");
        return 0;
    }
    *f = (struct doc_file){w->path,     (uint64_t)st.st_size, .is_regular = 1,
                           .in_dir = 1, .dev = st.st_dev,     .ino = st.st_ino};
    return 1;
}

int walk_open(struct doc_walk **walk, const char *path, const char *out, doc_note_fn *note_fn,
              void *arg, struct err *e)
{
    *walk = NULL;
    struct doc_walk *w = mem_new(1, sizeof *w, e);
    if (!w)
        return ERR_NOMEM;
    struct stat was;
    w->out = out;
    w->replaces = out && !stat(out, &was);
    w->dev = w->replaces ? was.st_dev : 0;
    w->ino = w->replaces ? was.st_ino : 0;
    w->note = note_fn;
    w->note_arg = arg;
    if (set_tail(w, 0, path, e)) {
        walk_close(w);
        return ERR_NOMEM;
    }
    *walk = w;
    return 0;
}

void walk_close(struct doc_walk *w)
{
    if (!w)
        return;
    for (size_t i = 0; i < w->n_levels; i++)
        free_level(&w->levels[i]);
    free(w->levels);
    free(w->path);
    free(w);
}

void walk_found(struct doc_walk *w)
{
    if (w)
        w->has_found = 1;
}

int walk_next(struct doc_walk *w, struct doc_file *f, struct err *e)
{
    int rc;
    if (!w->started) {
        struct stat st;
        w->started = 1;
        if (stat(w->path, &st))
            return err_io(e, "%s", w->path);
        if (!S_ISDIR(st.st_mode)) {
            int is_regular = S_ISREG(st.st_mode) != 0;
            uint64_t size = is_regular ? (uint64_t)st.st_size : 0;
            *f = (struct doc_file){w->path, size, is_regular, .dev = st.st_dev, .ino = st.st_ino};
            return 1;
        }
        if ((rc = enter(w, e)))
            return rc;
    }
    while (w->n_levels) {
        struct level *l = &w->levels[w->n_levels - 1];
        if (l->at == l->n) {
            w->path[l->path_len] = '\0';
            if (w->n_levels == 1 && !w->has_found)
                note(w, WALK_NO_TEXT);
            free_level(l);
            w->n_levels--;
            continue;
        }
        const char *name = l->names[l->at++];
        if ((rc = set_tail(w, l->path_len, name, e)) || (rc = consider(w, name, f, e)))
            return rc;
    }
    return 0;
}
