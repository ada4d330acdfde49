#define _GNU_SOURCE
#include "cmd/output.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cache/kvz.h"
#include "engine/engine.h"
#include "io/file.h"

static int ends_with(const char *s, size_t n, const char *tail)
{
    size_t m = strlen(tail);
    return n > m && !strncasecmp(s + n - m, tail, m);
}

// Length of NAME without what the name of the index replaces: ".gz" and the like, then one
// extension.
static size_t stem(const char *name)
{
    static const char *const packed[] = {".gz", ".xz", ".zst", ".bz2", ".lz4"};
    size_t n = strlen(name);
    for (size_t i = 0; i < sizeof packed / sizeof *packed; i++)
        if (ends_with(name, n, packed[i])) {
            n -= strlen(packed[i]);
            break;
        }
    for (size_t i = n; i-- > 1;)
        if (name[i] == '.')
            return i;
    return n;
}

int output_name(char *buf, size_t cap, const char *input, struct err *e)
{
    if (!strcmp(input, "-"))
        return err_set(e, ERR_USAGE,
                       "standard input has no name to make one from; give --output OUT.kvz");
    struct stat st;
    int directory = !stat(input, &st) && S_ISDIR(st.st_mode);
    char path[PATH_MAX];
    // "." and ".." have a name too, elsewhere.
    if (!directory || !realpath(input, path))
        snprintf(path, sizeof path, "%s", input);
    const char *name = file_name(path);
    if (!*name)
        return err_set(e, ERR_USAGE, "%s has no name to make one from; give --output OUT.kvz",
                       input);
    int n = (int)(directory ? strlen(name) : stem(name));
    if (snprintf(buf, cap, "%.*s.kvz", n, name) >= (int)cap)
        return err_set(e, ERR_USAGE, "%s: the name is too long", input);
    return 0;
}

const char *output_place(const char *out, char buf[PATH_MAX])
{
    struct stat st;
    return !lstat(out, &st) && S_ISLNK(st.st_mode) && realpath(out, buf) ? buf : out;
}

int output_writable(const char *out, struct err *e)
{
    char dir[PATH_MAX];
    struct stat st;
    size_t n = strlen(out);
    int exists = !stat(out, &st);
    if (!exists && !lstat(out, &st))
        return err_set(e, ERR_IO, "%s: is a link that leads to no file", out);
    if (exists && !S_ISREG(st.st_mode))
        return err_set(e, ERR_USAGE, "%s: is %s, not a file to write", out,
                       S_ISDIR(st.st_mode) ? "a directory" : "a device or a pipe");
    if (n && out[n - 1] == '/')
        return err_set(e, ERR_USAGE, "%s: names a directory, not a file", out);
    if (file_dir(dir, sizeof dir, out, e))
        return ERR_USAGE;
    if (stat(dir, &st))
        return err_io(e, "%s: cannot write to %s", out, dir);
    if (!S_ISDIR(st.st_mode))
        return err_set(e, ERR_IO, "%s: %s is not a directory", out, dir);
    if (access(dir, W_OK | X_OK))
        return err_io(e, "%s: cannot write to %s", out, dir);
    return 0;
}

int output_apart(const char *out, const struct output_read *r, size_t n, struct err *e)
{
    struct stat is, other;
    int exists = !stat(out, &is) && S_ISREG(is.st_mode);
    for (size_t i = 0; i < n && exists; i++)
        if (r[i].path && !stat(r[i].path, &other) && other.st_dev == is.st_dev &&
            other.st_ino == is.st_ino)
            return err_set(e, ERR_USAGE, "%s: is %s and the output", out, r[i].what);
    return 0;
}

int output_check(const char *out, enum output_use use, const struct inputs *in, struct err *e)
{
    struct stat is;
    int rc = 0, exists = !stat(out, &is);
    if (!strcmp(out, "-"))
        return err_set(e, ERR_USAGE, "an index is no stream: it cannot go to standard output");
    if (use == OUTPUT_APPEND && !exists)
        return err_set(e, ERR_IO, "%s: no index to append to; without --append one is made", out);
    for (size_t i = 0; i < in->n && !rc; i++)
        rc = output_apart(out, &(struct output_read){"an input", in->v[i]}, 1, e);
    if (rc || !exists || !S_ISREG(is.st_mode) || use == OUTPUT_APPEND)
        return rc ? rc : output_writable(out, e);
    if (use == OUTPUT_NEW && kvz_part_exists(out)) // begun with --force, it goes on without
        return output_writable(out, e);
    if (use == OUTPUT_NEW)
        kvz_part_remove(out, NULL); // what is left of a run that was killed behind its last step
    rc = encode_out_check(out, use == OUTPUT_FORCE, e);
    return rc ? rc : output_writable(out, e);
}
