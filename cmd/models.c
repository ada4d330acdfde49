#define _GNU_SOURCE
#include "cmd/models.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd/config.h"
#include "engine/embed/embedder.h"
#include "io/file.h"

static int is_file(const char *path)
{
    struct stat st;
    return !stat(path, &st) && S_ISREG(st.st_mode);
}

static int join(char *buf, size_t cap, const char *dir, const char *name, struct err *e)
{
    int n = snprintf(buf, cap, "%s/%s", dir, name);
    return (size_t)n < cap ? 0 : err_set(e, ERR_USAGE, "%s/%s: the path is too long", dir, name);
}

// 1 when NAME, of N bytes, ends as a part of a model that is split and not its first:
// -00002-of-00003.gguf.
static int is_later_part(const char *name, size_t n)
{
    static const char form[] = "-00000-of-00000.gguf"; // 0: any digit
    const size_t len = sizeof form - 1;
    if (n < len)
        return 0;
    const char *end = name + n - len;
    for (size_t i = 0; i < len; i++)
        if (form[i] == '0' ? end[i] < '0' || end[i] > '9' : end[i] != form[i])
            return 0;
    return strncmp(end, "-00001", 6) != 0;
}

static int is_gguf(const struct dirent *d)
{
    size_t n = strlen(d->d_name);
    if (n < 6 || strcmp(d->d_name + n - 5, ".gguf"))
        return 0;
    return !is_later_part(d->d_name, n); // the first one stands for all
}

// Names of the files in LIST that begin with NAME, as text; COUNT of them, the last one in *FOUND.
static void select_names(struct dirent **list, int n, const char *name, int *count,
                         const char **found, char *text, size_t cap)
{
    size_t at = 0;
    *count = 0;
    *text = 0;
    for (int i = 0; i < n; i++) {
        if (name && strncasecmp(list[i]->d_name, name, strlen(name)))
            continue;
        *found = list[i]->d_name;
        if (at < cap)
            at += (size_t)snprintf(text + at, cap - at, "%s%s", *count ? ", " : "", *found);
        (*count)++;
    }
}

// What is looked for.
struct kind {
    const char *what, *option;
    int (*dir)(char *buf, size_t cap, struct err *e);
};

static const struct kind models = {"model", "--model", config_models_dir},
                         embedders = {"embedder", "--embedder", config_embedders_dir};

static int find_in(char *buf, size_t cap, const struct kind *kind, const char *dir,
                   const char *name, struct err *e)
{
    struct dirent **list = NULL;
    int n = scandir(dir, &list, is_gguf, alphasort), count, rc = 0;
    const char *found = NULL;
    char text[600];
    if (n < 0 && errno == EACCES)
        return err_io(e, "%s: cannot look for a %s there", dir, kind->what);
    select_names(list, n < 0 ? 0 : n, name, &count, &found, text, sizeof text);
    if (count == 1)
        rc = join(buf, cap, dir, found, e);
    else if (!count && name)
        rc = err_set(e, ERR_IO, "%s: no such %s file, and none of that name in %s", name,
                     kind->what, dir);
    else if (!count)
        rc =
            err_set(e, ERR_IO, "no %s: none in %s; give one with %s FILE.gguf, or run 'make model'",
                    kind->what, dir, kind->option);
    else
        rc = err_set(e, ERR_USAGE, "several %ss in %s%s%s%s: %s; choose one with %s", kind->what,
                     dir, name ? " begin with '" : "", name ? name : "", name ? "'" : "", text,
                     kind->option);
    for (int i = 0; i < n; i++)
        free(list[i]);
    free(list);
    return rc;
}

// Says why PATH, which was given as a path, is no model.
static int explain_path(const struct kind *kind, const char *path, struct err *e)
{
    struct stat st;
    if (!stat(path, &st))
        return err_set(e, ERR_IO, "%s: is not a regular file, as a model must be", path);
    return errno == ENOENT ? err_set(e, ERR_IO, "%s: no such %s file", path, kind->what)
                           : err_io(e, "%s", path);
}

// The one of DIR that is called NAME or begins so; NULL: the only one.
static int find_named(char *buf, size_t cap, const struct kind *kind, const char *dir,
                      const char *name, struct err *e)
{
    if (!*dir)
        return err_set(e, ERR_IO, "no %s: there is no home directory to look in; give one with %s",
                       kind->what, kind->option);
    for (int i = 0; name && i < 2; i++) {
        char file[NAME_MAX + 8];
        snprintf(file, sizeof file, "%s%s", name, i ? ".gguf" : "");
        int rc = join(buf, cap, dir, file, e);
        if (rc)
            return rc;
        if (is_file(buf))
            return 0;
    }
    return find_in(buf, cap, kind, dir, name, e);
}

static int find(char *buf, size_t cap, const struct kind *kind, const char *name, struct err *e)
{
    char dir[PATH_MAX];
    int rc = kind->dir(dir, sizeof dir, e);
    if (rc)
        return rc;
    if (name && is_file(name)) {
        if (snprintf(buf, cap, "%s", name) >= (int)cap)
            return err_set(e, ERR_USAGE, "%s: the path is too long", name);
        return 0;
    }
    if (name && strchr(name, '/'))
        return explain_path(kind, name, e);
    return find_named(buf, cap, kind, dir, name, e);
}

int models_find(char *buf, size_t cap, const char *name, struct err *e)
{
    return find(buf, cap, &models, name, e);
}

int models_find_embedder(char *buf, size_t cap, const char *name, const char *made_by,
                         struct err *e)
{
    *buf = 0;
    if (name)
        return strcmp(name, "none") ? find(buf, cap, &embedders, name, e) : 0;
    // An index names no file to be opened, wherever it is: only one among the embedders.
    char dir[PATH_MAX];
    int rc = config_embedders_dir(dir, sizeof dir, e);
    if (!rc)
        rc = find_named(buf, cap, &embedders, dir, made_by ? file_name(made_by) : NULL, e);
    if (rc == ERR_IO && made_by) // the only one there may be it, whatever its file is called
        rc = find_named(buf, cap, &embedders, dir, NULL, e);
    if (rc != ERR_IO && (rc != ERR_USAGE || !made_by))
        return rc;
    *buf = 0;
    return 0;
}

int models_find_embedder_of(char *buf, size_t cap, uint64_t digest, struct err *e)
{
    char dir[PATH_MAX];
    struct dirent **list = NULL;
    int found = 0, rc = config_embedders_dir(dir, sizeof dir, e),
        n = rc || !*dir ? 0 : scandir(dir, &list, is_gguf, alphasort);
    for (int i = 0; !rc && !found && n > 1 && i < n; i++) {
        uint64_t own;
        struct err why; // it is not that one
        rc = join(buf, cap, dir, list[i]->d_name, e);
        found = !rc && !embedder_digest(buf, &own, &why) && own == digest;
    }
    if (!found)
        *buf = 0;
    for (int i = 0; i < n; i++)
        free(list[i]);
    free(list);
    return rc;
}

int models_find_for_index(char *buf, size_t cap, const char *path, const char *fallback,
                          struct err *e)
{
    char dir[PATH_MAX];
    if (*path && is_file(path) && !access(path, R_OK)) {
        if (snprintf(buf, cap, "%s", path) >= (int)cap)
            return err_set(e, ERR_USAGE, "%s: the path is too long", path);
        return 0;
    }
    // Where a directory may not be searched nobody knows what is in it.
    const int is_kept = *path && access(path, R_OK) && errno == EACCES;
    const char *base = file_name(path);
    int rc = config_models_dir(dir, sizeof dir, e);
    if (!rc && *dir && *base && !(rc = join(buf, cap, dir, base, e)) && is_file(buf))
        return 0;
    if (!rc)
        rc = models_find(buf, cap, fallback, e);
    if (!rc || !*base)
        return rc;
    const char *where = is_kept ? "may not be read (permission denied)" : "is not where it was";
    if (rc != ERR_USAGE)
        return err_set(e, rc, "the model of the index, %s, %s, %s in %s; give it with --model",
                       path, where, is_kept ? "and is not" : "nor", dir);
    char why[sizeof e->msg];
    snprintf(why, sizeof why, "%s", e->msg);
    return err_set(e, rc, "the model of the index, %s, %s; %s", path, where, why);
}
