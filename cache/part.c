// The directory OUT.part/ that holds an index while it grows.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cache/codec.h"
#include "cache/format.h"
#include "cache/kvz.h"
#include "cache/meta.h"
#include "cache/reader.h"
#include "cache/writer.h"
#include "io/cursor.h"
#include "io/file.h"
#include "io/hash.h"
#include "io/mem.h"

// The state file: this head; META; the channels; vectors so far, u64 a channel; name and format of
// the document being written, each with its NUL; section BASE; the caller's state.
static const uint8_t state_magic[8] = {'k', 'v', 'z', 's', 't', 'a', 't', '3'};

struct state_head {
    uint8_t magic[8];
    uint64_t check; // of all that follows
    uint64_t caller_bytes;
    struct writer_counts at;
};

enum { STATE_MAX = 1 << 30 };

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
    *fd = open(part, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (*fd < 0)
        return err_io(e, "%s: cannot open", part);
    // Some file systems know no locks; two writers there are the user's to avoid.
    if (flock(*fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK)
        return err_set(e, ERR_IO, "%s: in use by another process", part);
    return 0;
}

// The directory, made if need be and locked; ERR_IO when another process writes there. WIPE: what
// an earlier run left is removed, and data begins with the room for the header.
static int open_part(struct kvz_writer *w, int wipe, struct err *e)
{
    if (wipe && mkdir(w->part, 0777) && errno != EEXIST)
        return err_io(e, "%s: cannot create", w->part);
    int rc = lock_dir(&w->dir_fd, w->part, e);
    if (!rc && wipe)
        rc = remove_files(w->dir_fd, w->part, e);
    if (rc)
        return rc;
    int flags = O_RDWR | O_CLOEXEC | (wipe ? O_CREAT | O_TRUNC : 0);
    w->data_fd = open(w->data_path, flags, 0666);
    if (w->data_fd < 0)
        return err_io(e, "%s: cannot open", w->data_path);
    w->spool_fd = open(w->spool_path, flags, 0666);
    if (w->spool_fd < 0)
        return err_io(e, "%s: cannot open", w->spool_path);
    if (wipe && ftruncate(w->data_fd, DISK_PAGE))
        return err_io(e, "%s: cannot write", w->data_path);
    if (wipe)
        w->at.data_bytes = DISK_PAGE;
    return 0;
}

int kvz_create(struct kvz_writer **out, const char *path, const struct kvz_meta *m,
               const struct kvz_channel *channels, struct err *e)
{
    struct kvz_writer *w;
    int rc = writer_new(&w, path, m, channels, e);
    if (rc)
        return rc;
    rc = open_part(w, 1, e);
    if (rc)
        kvz_writer_close(w);
    else
        *out = w;
    return rc;
}

static int in_part(char *buf, const char *path, const char *file)
{
    return (size_t)snprintf(buf, PATH_MAX, "%s.part%s", path, file) < PATH_MAX;
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

int kvz_checkpoint(struct kvz_writer *w, const void *state, size_t bytes, struct err *e)
{
    struct bytes out = {0};
    struct disk_meta meta;
    meta_to_disk(&meta, &w->meta);
    struct state_head h = {.caller_bytes = bytes, .at = w->at};
    memcpy(h.magic, state_magic, sizeof h.magic);
    h.at.name_bytes = w->at.in_document ? strlen(w->name) + 1 : 0;
    h.at.format_bytes = w->at.in_document ? strlen(w->format) + 1 : 0;
    h.at.base_bytes = w->basis ? w->base.n : 0;
    const struct {
        const void *p;
        size_t n;
    } pieces[] = {
        {&h, sizeof h},
        {&meta, sizeof meta},
        {w->channels, w->meta.n_channels * sizeof *w->channels},
        {w->n_vectors, w->meta.n_channels * sizeof *w->n_vectors},
        {w->name, h.at.name_bytes},
        {w->format, h.at.format_bytes},
        {w->base.p, h.at.base_bytes},
        {state, bytes},
    };
    int rc = 0;
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces && !rc; i++) {
        uint8_t *p = bytes_add(&out, pieces[i].n, e);
        if (!p)
            rc = ERR_NOMEM;
        else if (pieces[i].n)
            memcpy(p, pieces[i].p, pieces[i].n);
    }
    if (!rc && out.n > STATE_MAX)
        rc = err_set(e, ERR_UNSUPPORTED, "%s: a state of %zu bytes", w->state_path, out.n);
    if (!rc) {
        h.check = hash64(out.p + 16, out.n - 16);
        memcpy(out.p, &h, sizeof h);
        if (fsync(w->data_fd))
            rc = err_io(e, "%s: cannot sync", w->data_path);
        else if (fsync(w->spool_fd))
            rc = err_io(e, "%s: cannot sync", w->spool_path);
        else
            rc = file_replace(w->state_path, out.p, out.n, e);
    }
    free(out.p);
    return rc;
}

static int damaged(const struct kvz_writer *w, const char *what, struct err *e)
{
    return err_set(e, ERR_FORMAT, "%s: %s; start again with --force", w->part, what);
}

static int take_text(char **out, struct cursor *c, uint64_t bytes, struct err *e)
{
    const uint8_t *p = cursor_bytes(c, bytes);
    if (!p || !bytes || p[bytes - 1])
        return ERR_FORMAT;
    *out = mem_strdup((const char *)p, e);
    return *out ? 0 : ERR_NOMEM;
}

// Section BASE as an earlier run made it.
static int take_base(struct kvz_writer *w, const uint8_t *data, uint64_t bytes, struct err *e)
{
    w->base.n = 0;
    uint8_t *p = data ? bytes_add(&w->base, bytes, e) : NULL;
    if (!p)
        return data ? ERR_NOMEM : damaged(w, "its checkpoint is too short", e);
    memcpy(p, data, bytes);
    return basis_open(&w->basis, w->base.p, w->base.n, &w->meta, 1, e);
}

// What was begun goes on as it was begun, and is not silently begun again.
static int begun_otherwise(int rc, struct err *e)
{
    size_t n = e ? strlen(e->msg) : 0;
    if (e && rc == ERR_MISMATCH)
        snprintf(e->msg + n, sizeof e->msg - n, "; --force starts over");
    return rc;
}

// Takes over what the state file holds, after comparing META with what the caller wants.
static int restore(struct kvz_writer *w, struct cursor *c, void **state, size_t *state_bytes,
                   struct err *e)
{
    struct state_head h;
    struct disk_meta d;
    struct kvz_meta file;
    const uint8_t *p = cursor_bytes(c, sizeof h), *q = cursor_bytes(c, sizeof d);
    if (!p || !q)
        return damaged(w, "its checkpoint is too short", e);
    memcpy(&h, p, sizeof h);
    memcpy(&d, q, sizeof d);
    if (memcmp(h.magic, state_magic, sizeof h.magic))
        return damaged(w, "its checkpoint is that of another version", e);
    if (h.check != hash64(p + 16, (size_t)(c->p - p) - 16 + c->left))
        return damaged(w, "its checkpoint is damaged", e);
    meta_from_disk(&file, &d);
    int rc = meta_check(&file, ERR_FORMAT, e);
    if (rc)
        return rc;
    const uint8_t *channels = cursor_bytes(c, file.n_channels * sizeof *w->channels);
    const uint8_t *n_vectors = cursor_bytes(c, file.n_channels * sizeof *w->n_vectors);
    if (!channels || !n_vectors)
        return damaged(w, "its checkpoint is too short", e);
    struct kvz_channel *was = mem_new(file.n_channels, sizeof *was, e);
    if (!was)
        return ERR_NOMEM;
    memcpy(was, channels, file.n_channels * sizeof *was);
    rc = begun_otherwise(meta_same(w->part, &file, was, &w->meta, w->channels, e), e);
    free(was);
    if (rc)
        return rc;
    memcpy(w->n_vectors, n_vectors, file.n_channels * sizeof *w->n_vectors);
    w->meta = file;
    w->at = h.at;
    if (h.at.in_document && (take_text(&w->name, c, h.at.name_bytes, e) ||
                             take_text(&w->format, c, h.at.format_bytes, e)))
        return damaged(w, "its checkpoint is damaged", e);
    if (h.at.base_bytes && (rc = take_base(w, cursor_bytes(c, h.at.base_bytes), h.at.base_bytes, e)))
        return rc;
    if (c->bad || c->left != h.caller_bytes)
        return damaged(w, "its checkpoint is damaged", e);
    *state = mem_new(c->left + 1, 1, e);
    if (!*state)
        return ERR_NOMEM;
    memcpy(*state, c->p, c->left);
    *state_bytes = c->left;
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
    rc = open_part(w, 0, e);
    if (!rc)
        rc = file_slurp(w->state_path, STATE_MAX, &saved, &bytes, e);
    if (!rc) {
        struct cursor c = {(const uint8_t *)saved, bytes, 0};
        rc = restore(w, &c, state, state_bytes, e);
    }
    if (!rc)
        rc = cut_file(w, w->data_fd, w->data_path, w->at.data_bytes, e);
    if (!rc)
        rc = cut_file(w, w->spool_fd, w->spool_path, w->at.spool_bytes, e);
    free(saved);
    if (rc) {
        free(*state);
        *state = NULL;
        kvz_writer_close(w);
    } else
        *out = w;
    return rc;
}

// Copies BYTES of FROM at OFF to the same place in TO; the kernel shares them where it can.
static int copy_range(int from, const char *from_path, int to, const char *to_path, uint64_t off,
                      uint64_t bytes, struct err *e)
{
    enum { PIECE = 1 << 20 };
    off_t in = (off_t)off, at = (off_t)off;
    while (bytes) {
        ssize_t n =
            copy_file_range(from, &in, to, &at, bytes < PIECE << 10 ? bytes : PIECE << 10, 0);
        if (n <= 0)
            break;
        bytes -= (uint64_t)n;
    }
    char *buf = bytes ? mem_new(PIECE, 1, e) : NULL;
    int rc = bytes && !buf ? ERR_NOMEM : 0;
    while (bytes && !rc) {
        size_t n = bytes < PIECE ? bytes : PIECE;
        rc = file_pread(from, buf, n, (uint64_t)in, from_path, e);
        if (!rc)
            rc = file_pwrite(to, buf, n, (uint64_t)at, to_path, e);
        in += (off_t)n;
        at += (off_t)n;
        bytes -= n;
    }
    free(buf);
    return rc;
}

// The entry of a block as it was in the spool before the index was finished.
static int spool_block(struct kvz_writer *w, const struct kvz *k, uint64_t block, struct err *e)
{
    struct disk_block d;
    struct err why;
    int rc = reader_entry(k, block, &d, &why);
    if (rc)
        return err_set(e, rc, "%s: block %" PRIu64 ": %s", w->path, block, why.msg);
    rc = spool_begin(w, &d, sizeof d, e);
    for (uint32_t i = 0; i < w->meta.n_channels && !rc; i++) {
        struct kvz_run r;
        rc = kvz_run(k, i, &r, e);
        if (rc)
            break;
        uint64_t first = r.start[block], n64 = r.start[block + 1] - first;
        uint32_t n = (uint32_t)n64, dim = r.channel.dim;
        if (n64 > 255)
            return err_set(e, ERR_FORMAT, "%s: block %" PRIu64 " has too many index vectors",
                           w->path, block);
        uint8_t *p = bytes_add(&w->entry, 4 + (size_t)n * (4 + 1 + dim), e);
        if (!p)
            return ERR_NOMEM;
        memcpy(p, &n, 4);
        memcpy(p + 4, r.scale + first, (size_t)n * 4);
        memcpy(p + 4 + (size_t)n * 4, r.token + first, n);
        memcpy(p + 4 + (size_t)n * 5, r.vectors + first * dim, (size_t)n * dim);
        w->n_vectors[i] += n;
    }
    uint8_t *text = rc ? NULL : bytes_add(&w->entry, d.end - d.start, e);
    if (!rc)
        rc = text ? kvz_read_text(k, block, (char *)text, e) : ERR_NOMEM;
    if (!rc)
        rc = spool_put(w, SPOOL_BLOCK, e);
    w->at.text_bytes += d.end - d.start;
    w->at.n_blocks++;
    w->at.n_tokens += d.n_tokens;
    return rc;
}

static int spool_index(struct kvz_writer *w, const struct kvz *k, struct err *e)
{
    int rc = 0;
    for (uint64_t i = 0; i < kvz_n_documents(k) && !rc; i++) {
        struct kvz_document d;
        rc = kvz_document(k, i, &d, e);
        if (!rc)
            rc = kvz_begin_document(w, d.name, d.format, e);
        for (uint64_t b = 0; !rc && b < d.n_blocks; b++)
            rc = spool_block(w, k, d.first_block + b, e);
        if (!rc)
            rc = kvz_end_document(w, d.bytes, d.digest, e);
    }
    return rc;
}

static int append(struct kvz_writer *w, const struct kvz *k, const struct kvz_channel *channels,
                  struct err *e)
{
    const struct kvz_meta *m = kvz_meta(k);
    struct kvz_channel *was = mem_new(m->n_channels, sizeof *was, e);
    if (!was)
        return ERR_NOMEM;
    for (uint32_t i = 0; i < m->n_channels; i++)
        was[i] = (struct kvz_channel){k->channels[i].layer, k->channels[i].head,
                                      k->channels[i].kind, k->channels[i].dim};
    int rc = meta_same(w->path, m, was, &w->meta, channels, e);
    free(was);
    if (rc)
        return rc;
    w->meta = *m;
    rc = open_part(w, 1, e);
    if (rc)
        return rc;
    int from = open(w->path, O_RDONLY | O_CLOEXEC);
    if (from < 0)
        return err_io(e, "%s", w->path);
    const struct disk_section *blocks = &k->of[S_BLOCKS];
    rc = copy_range(from, w->path, w->data_fd, w->data_path, blocks->off, blocks->bytes, e);
    close(from);
    w->at.data_bytes = blocks->off + blocks->bytes;
    if (!rc && codec_is_fitted(k->meta.recipe.codec))
        rc = take_base(w, k->map.data + k->of[S_BASE].off, k->of[S_BASE].bytes, e);
    return rc ? rc : spool_index(w, k, e);
}

int kvz_append(struct kvz_writer **out, const char *path, const struct kvz_meta *m,
               const struct kvz_channel *channels, struct err *e)
{
    struct kvz_writer *w = NULL;
    struct kvz *k;
    int rc = kvz_open(&k, path, e);
    if (rc)
        return rc;
    rc = writer_new(&w, path, m, channels, e);
    if (!rc)
        rc = append(w, k, channels, e);
    kvz_close(k);
    if (rc)
        kvz_writer_close(w);
    else
        *out = w;
    return rc;
}
