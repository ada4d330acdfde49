// The state file of OUT.part/, written in pieces, from which a killed run resumes.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cache/format.h"
#include "cache/kvz.h"
#include "cache/meta.h"
#include "cache/writer.h"
#include "io/file.h"
#include "io/hash.h"
#include "io/mem.h"

struct kvz_checkpoint {
    struct kvz_writer *w;
    struct state_head h;
    struct hash *hash; // of what h.check covers
    uint64_t bytes;    // of the file so far
    struct err why;    // it cannot be written; what follows is only counted
    struct file_new file;
};

// Appends to the file. That it cannot be written is told at the end, when it is known how much room
// it takes.
static void append(struct kvz_checkpoint *c, const void *data, size_t bytes)
{
    c->bytes += bytes;
    if (!c->why.code)
        file_write(c->file.fd, data, bytes, c->file.tmp, &c->why);
}

// Appends a piece, which the checksum covers.
static int put(struct kvz_checkpoint *c, const void *data, size_t bytes, struct err *e)
{
    if (bytes > STATE_MAX - c->bytes)
        return err_set(e, ERR_UNSUPPORTED, "%s: a state of more than %" PRIu64 " bytes",
                       c->w->state_path, STATE_MAX);
    hash_update(c->hash, data, bytes);
    append(c, data, bytes);
    return 0;
}

static int put_writer(struct kvz_checkpoint *c, struct err *e)
{
    const struct kvz_writer *w = c->w;
    struct disk_meta meta;
    meta_to_disk(&meta, &w->meta);
    const struct {
        const void *p;
        size_t n;
    } pieces[] = {
        {&c->h.at, sizeof c->h.at},
        {&meta, sizeof meta},
        {w->channels, w->meta.n_channels * sizeof *w->channels},
        {w->n_vectors, w->meta.n_channels * sizeof *w->n_vectors},
        {w->name, c->h.at.name_bytes},
        {w->format, c->h.at.format_bytes},
        {w->base.p, c->h.at.base_bytes},
    };
    int rc = 0;
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces && !rc; i++)
        rc = pieces[i].n ? put(c, pieces[i].p, pieces[i].n, e) : 0;
    return rc;
}

int kvz_checkpoint_begin(struct kvz_checkpoint **out, struct kvz_writer *w, struct err *e)
{
    struct kvz_checkpoint *c = *out = mem_new(1, sizeof *c, e);
    if (!c)
        return ERR_NOMEM;
    c->w = w;
    c->file.fd = -1;
    memcpy(c->h.magic, STATE_MAGIC, sizeof c->h.magic);
    c->h.at = w->at;
    c->h.at.name_bytes = w->at.in_document ? strlen(w->name) + 1 : 0;
    c->h.at.format_bytes = w->at.in_document ? strlen(w->format) + 1 : 0;
    c->h.at.base_bytes = w->basis ? w->base.n : 0;
    int rc = hash_new(&c->hash, e);
    if (!rc)
        rc = file_new_open(&c->file, w->state_path, e);
    if (!rc)
        file_keep_mode(c->file.fd, w->data_path);
    if (!rc) // room for the head
        append(c, &c->h, STATE_CHECKED);
    if (!rc)
        rc = put_writer(c, e);
    if (rc) {
        kvz_checkpoint_drop(c);
        *out = NULL;
    }
    return rc;
}

int kvz_checkpoint_put(struct kvz_checkpoint *c, const void *state, size_t bytes, struct err *e)
{
    c->h.caller_bytes += bytes;
    return bytes ? put(c, state, bytes, e) : 0;
}

static int end(struct kvz_checkpoint *c, struct err *e)
{
    const struct kvz_writer *w = c->w;
    if (c->why.code)
        return err_set(e, c->why.code, "%s; a checkpoint takes %.1f MB here", c->why.msg,
                       (double)c->bytes / 1e6);
    c->h.check = hash_value(c->hash);
    int rc = file_pwrite(c->file.fd, &c->h, STATE_CHECKED, 0, c->file.tmp, e);
    if (rc)
        return rc;
    if (fsync(w->data_fd))
        return err_io(e, "%s: cannot sync", w->data_path);
    if (fsync(w->spool_fd))
        return err_io(e, "%s: cannot sync", w->spool_path);
    return file_new_commit(&c->file, w->state_path, e);
}

int kvz_checkpoint_end(struct kvz_checkpoint *c, struct err *e)
{
    int rc = end(c, e);
    kvz_checkpoint_drop(c);
    return rc;
}

void kvz_checkpoint_drop(struct kvz_checkpoint *c)
{
    if (!c)
        return;
    file_new_drop(&c->file);
    hash_free(c->hash);
    free(c);
}
