// The directory OUT.part/, which holds an index while it grows: created, locked, resumed from its
// last checkpoint.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cache/format.h"
#include "cache/kvz.h"
#include "cache/meta.h"
#include "cache/writer.h"
#include "io/cursor.h"
#include "io/file.h"
#include "io/hash.h"
#include "io/mem.h"

static const char *const part_files[] = {"data", "spool", "state", "state.tmp"};

static int remove_files(int dir_fd, const char *part, struct err *e)
{
    for (size_t i = 0; i < sizeof part_files / sizeof *part_files; i++)
        if (unlinkat(dir_fd, part_files[i], 0) && errno != ENOENT)
            return err_io(e, "%s/%s: cannot remove", part, part_files[i]);
    return 0;
}

static int lock_dir(int *fd, const char *part, struct err *e)
{
    // The target of a link belongs to somebody else: nothing is written or removed there.
    *fd = open(part, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (*fd < 0)
        return err_io(e, "%s: cannot open", part);
    // Some file systems have no locks; there the user has to avoid two writers.
    if (flock(*fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK)
        return err_set(e, ERR_IO, "%s: in use by another process", part);
    return 0;
}

// What is made of an index that is there, or takes its place, is read by those only who may read
// that.
static void keep_mode(const struct kvz_writer *w)
{
    struct stat st;
    if (stat(w->path, &st))
        return;
    const mode_t mode = st.st_mode & 0666;
    fchmod(w->dir_fd, 0700 | mode | (mode & 0444) >> 2);
    fchmod(w->data_fd, 0600 | mode);
    fchmod(w->spool_fd, 0600 | mode);
}

int kvz_writer_narrow(const struct kvz_writer *w, unsigned readers)
{
    const int fds[] = {w->dir_fd, w->data_fd, w->spool_fd};
    const unsigned others = readers & 044;
    struct stat st;
    if (!stat(w->path, &st))
        return (st.st_mode & 044 & ~readers) != 0;
    for (size_t i = 0; i < sizeof fds / sizeof *fds; i++)
        if (!fstat(fds[i], &st)) // who may not read may do nothing else either
            fchmod(fds[i], st.st_mode & (0700 | others | others >> 1 | others >> 2));
    return 0;
}

int part_open(struct kvz_writer *w, int wipe, struct err *e)
{
    struct stat st;
    // Nobody else comes in before the mode is set.
    const mode_t mode = stat(w->path, &st) ? 0777 : 0700;
    if (wipe && mkdir(w->part, mode) && errno != EEXIST)
        return err_io(e, "%s: cannot create", w->part);
    int rc = lock_dir(&w->dir_fd, w->part, e);
    if (!rc && wipe)
        rc = remove_files(w->dir_fd, w->part, e);
    if (rc)
        return rc;
    file_see(&w->was, w->path);
    w->wiped = wipe;
    int flags = O_RDWR | O_CLOEXEC | (wipe ? O_CREAT | O_TRUNC : 0);
    w->data_fd = open(w->data_path, flags, mode & 0666);
    if (w->data_fd < 0)
        return err_io(e, "%s: cannot open", w->data_path);
    w->spool_fd = open(w->spool_path, flags, mode & 0666);
    if (w->spool_fd < 0)
        return err_io(e, "%s: cannot open", w->spool_path);
    keep_mode(w);
    if (wipe && ftruncate(w->data_fd, DISK_PAGE))
        return err_io(e, "%s: cannot write", w->data_path);
    if (wipe)
        w->at.data_bytes = DISK_PAGE;
    return 0;
}

void part_give_up(struct kvz_writer *w)
{
    if (w && w->wiped && !remove_files(w->dir_fd, w->part, NULL))
        rmdir(w->part); // unless others have put something there
    kvz_writer_close(w);
}

int kvz_create(struct kvz_writer **out, const char *path, const struct kvz_meta *m,
               const struct kvz_channel *channels, struct err *e)
{
    struct kvz_writer *w;
    int rc = writer_new(&w, path, m, channels, e);
    if (rc)
        return rc;
    rc = part_open(w, 1, e);
    if (rc)
        part_give_up(w);
    else
        *out = w;
    return rc;
}

static int in_part(char *buf, const char *path, const char *file)
{
    return (size_t)snprintf(buf, PATH_MAX, "%s" FILE_PART "%s", path, file) < PATH_MAX;
}

int kvz_part_exists(const char *path)
{
    char state[PATH_MAX], data[PATH_MAX];
    return in_part(state, path, "/state") && in_part(data, path, "/data") &&
           access(state, F_OK) == 0 && access(data, F_OK) == 0;
}

int kvz_part_remove(const char *path, struct err *e)
{
    char part[PATH_MAX];
    if (!in_part(part, path, ""))
        return err_set(e, ERR_IO, "%s: path too long", path);
    if (access(part, F_OK) && errno == ENOENT)
        return 0;
    int fd = -1;
    int rc = lock_dir(&fd, part, e);
    if (!rc)
        rc = remove_files(fd, part, e);
    if (!rc && rmdir(part))
        rc = err_io(e, "%s: cannot remove", part);
    if (fd >= 0)
        close(fd);
    return rc;
}

static int damaged(const struct kvz_writer *w, const char *what, struct err *e)
{
    return err_set(e, ERR_FORMAT, "%s: %s", w->part, what);
}

static int take_text(const struct kvz_writer *w, char **out, struct cursor *c, uint64_t bytes,
                     struct err *e)
{
    const uint8_t *p = cursor_bytes(c, bytes);
    if (!p || !bytes || p[bytes - 1])
        return damaged(w, "its checkpoint is damaged", e);
    *out = mem_strdup((const char *)p, e);
    return *out ? 0 : ERR_NOMEM;
}

int part_take_base(struct kvz_writer *w, const uint8_t *data, uint64_t bytes, struct err *e)
{
    w->base.n = 0;
    uint8_t *p = data ? bytes_add(&w->base, bytes, e) : NULL;
    if (!p)
        return data ? ERR_NOMEM : damaged(w, "its checkpoint is too short", e);
    memcpy(p, data, bytes);
    return basis_open(&w->basis, w->base.p, w->base.n, &w->meta, record_maker_pool(w->maker), e);
}

// Reads the head and META of the state file: H and *FILE. Everything behind them stays in C.
static int take_head(const struct kvz_writer *w, struct cursor *c, struct state_head *h,
                     struct kvz_meta *file, struct err *e)
{
    struct disk_meta d;
    const uint8_t *p = cursor_bytes(c, sizeof *h), *q = cursor_bytes(c, sizeof d);
    if (!p || !q)
        return damaged(w, "its checkpoint is too short", e);
    memcpy(h, p, sizeof *h);
    memcpy(&d, q, sizeof d);
    if (memcmp(h->magic, STATE_MAGIC, sizeof h->magic))
        return damaged(w, "its checkpoint is that of another version", e);
    if (h->check != hash64(p + STATE_CHECKED, (size_t)(c->p - p) - STATE_CHECKED + c->left))
        return damaged(w, "its checkpoint is damaged", e);
    meta_from_disk(file, &d);
    return meta_check(file, ERR_FORMAT, e);
}

// Checks that the index FILE that was begun is the one the caller wants, and takes over the numbers
// of vectors of its channels.
static int take_meta(struct kvz_writer *w, struct cursor *c, const struct kvz_meta *file,
                     struct err *e)
{
    const uint8_t *channels = cursor_bytes(c, file->n_channels * sizeof *w->channels);
    const uint8_t *n_vectors = cursor_bytes(c, file->n_channels * sizeof *w->n_vectors);
    if (!channels || !n_vectors)
        return damaged(w, "its checkpoint is too short", e);
    struct kvz_channel *was = mem_new(file->n_channels, sizeof *was, e);
    if (!was)
        return ERR_NOMEM;
    memcpy(was, channels, file->n_channels * sizeof *was);
    int rc = meta_same(w->part, file, was, &w->meta, w->channels, e);
    free(was);
    if (rc)
        return rc;
    memcpy(w->n_vectors, n_vectors, file->n_channels * sizeof *w->n_vectors);
    w->meta = *file;
    return 0;
}

// Takes over what the state file holds, up to the caller's state.
static int restore(struct kvz_writer *w, struct cursor *c, struct err *e)
{
    struct state_head h;
    struct kvz_meta file;
    int rc = take_head(w, c, &h, &file, e);
    if (rc || (rc = take_meta(w, c, &file, e)))
        return rc;
    w->at = h.at;
    if (h.at.in_document && ((rc = take_text(w, &w->name, c, h.at.name_bytes, e)) ||
                             (rc = take_text(w, &w->format, c, h.at.format_bytes, e))))
        return rc;
    if (h.at.base_bytes &&
        (rc = part_take_base(w, cursor_bytes(c, h.at.base_bytes), h.at.base_bytes, e)))
        return rc;
    if (c->bad || c->left != h.caller_bytes)
        return damaged(w, "its checkpoint is damaged", e);
    return 0;
}

static int cut_file(struct kvz_writer *w, int fd, const char *path, uint64_t bytes, struct err *e)
{
    struct stat st;
    if (fstat(fd, &st))
        return err_io(e, "%s", path);
    if ((uint64_t)st.st_size < bytes)
        return damaged(w, "it holds less than its checkpoint says", e);
    if (ftruncate(fd, (off_t)bytes))
        return err_io(e, "%s: cannot cut", path);
    return 0;
}

int kvz_resume(struct kvz_writer **out, const char *path, const struct kvz_meta *m,
               const struct kvz_channel *channels, void **state, size_t *state_bytes, struct err *e)
{
    struct kvz_writer *w;
    char *saved = NULL;
    size_t bytes = 0;
    *state = NULL;
    *state_bytes = 0;
    int rc = writer_new(&w, path, m, channels, e);
    if (rc)
        return rc;
    rc = part_open(w, 0, e);
    if (!rc)
        rc = file_slurp(w->state_path, STATE_MAX, &saved, &bytes, e);
    if (!rc) {
        struct cursor c = {(const uint8_t *)saved, bytes, 0};
        if (!(rc = restore(w, &c, e)))
            memmove(saved, c.p, c.left); // the caller gets the one buffer
        *state = saved;
        *state_bytes = c.left;
    }
    if (!rc)
        rc = cut_file(w, w->data_fd, w->data_path, w->at.data_bytes, e);
    if (!rc)
        rc = cut_file(w, w->spool_fd, w->spool_path, w->at.spool_bytes, e);
    if (!rc)
        rc = part_check(w, e);
    if (rc) {
        free(saved);
        *state = NULL;
        kvz_writer_close(w);
    } else
        *out = w;
    return rc;
}
