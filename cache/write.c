// The writer of an index: writes documents and blocks to the files of OUT.part/ (part.c), from
// which finish.c makes the index.
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cache/codec.h"
#include "cache/format.h"
#include "cache/kvz.h"
#include "cache/meta.h"
#include "cache/narrow.h"
#include "cache/record.h"
#include "cache/writer.h"
#include "io/file.h"
#include "io/hash.h"
#include "io/mem.h"

static char *join(const char *a, const char *b, struct err *e)
{
    size_t n = strlen(a), m = strlen(b) + 1;
    char *s = mem_new(n + m, 1, e);
    if (s) {
        memcpy(s, a, n);
        memcpy(s + n, b, m);
    }
    return s;
}

int writer_new(struct kvz_writer **out, const char *path, const struct kvz_meta *m,
               const struct kvz_channel *channels, struct err *e)
{
    struct kvz_writer *w = mem_new(1, sizeof *w, e);
    if (!w)
        return ERR_NOMEM;
    w->dir_fd = w->data_fd = w->spool_fd = -1;
    w->meta = *m;
    int rc = meta_check(m, ERR_USAGE, e);
    if (!rc)
        rc = meta_check_channels(m, channels, ERR_USAGE, e);
    if (!rc && (!(w->path = mem_strdup(path, e)) || !(w->part = join(path, FILE_PART, e)) ||
                !(w->data_path = join(w->part, "/data", e)) ||
                !(w->spool_path = join(w->part, "/spool", e)) ||
                !(w->state_path = join(w->part, "/state", e)) ||
                !(w->channels = mem_new(m->n_channels, sizeof *w->channels, e)) ||
                !(w->n_vectors = mem_new(m->n_channels, sizeof *w->n_vectors, e))))
        rc = ERR_NOMEM;
    if (!rc && m->n_channels)
        memcpy(w->channels, channels, m->n_channels * sizeof *channels);
    if (!rc)
        rc = packer_new(&w->packer, (int)m->recipe.level, e);
    if (!rc)
        rc = record_maker_new(&w->maker, m, 1, e);
    if (rc)
        kvz_writer_close(w);
    else
        *out = w;
    return rc;
}

void kvz_writer_close(struct kvz_writer *w)
{
    if (!w)
        return;
    if (w->data_fd >= 0)
        close(w->data_fd);
    if (w->spool_fd >= 0)
        close(w->spool_fd);
    if (w->dir_fd >= 0)
        close(w->dir_fd);
    packer_free(w->packer);
    record_maker_free(w->maker);
    free(w->path);
    free(w->part);
    free(w->data_path);
    free(w->spool_path);
    free(w->state_path);
    free(w->channels);
    free(w->n_vectors);
    free(w->name);
    free(w->format);
    free(w->record.p);
    free(w->base.p);
    free(w->summary.p);
    free(w->sentences.p);
    free(w->words.p);
    basis_close(w->basis);
    free(w->entry.p);
    free(w->placed);
    free(w->texts.v);
    free(w);
}

int kvz_writer_threads(struct kvz_writer *w, int threads, struct err *e)
{
    struct record_maker *r;
    int rc = record_maker_new(&r, &w->meta, threads, e);
    if (rc)
        return rc;
    record_maker_free(w->maker);
    w->maker = r;
    return 0;
}

struct pool *kvz_writer_pool(const struct kvz_writer *w)
{
    return record_maker_pool(w->maker);
}

int kvz_wants_sample(const struct kvz_writer *w)
{
    return codec_is_fitted(w->meta.recipe.codec) && !w->basis;
}

int kvz_sample(struct kvz_writer *w, const float *const *k, const float *const *v, uint32_t n,
               uint32_t stride, int is_all, const struct kvz_fit *fit, struct err *e)
{
    struct err why;
    if (!kvz_wants_sample(w) || !n || stride < n)
        return err_set(e, ERR_USAGE, "%s: a sample of %u tokens is not wanted", w->path, n);
    // The first tokens are unlike all others.
    const struct basis_sample sample = {.k = k,
                                        .v = v,
                                        .n = n,
                                        .stride = stride,
                                        .skip = w->meta.sinks < n / 4 ? w->meta.sinks : n / 4,
                                        .mix = !is_all,
                                        .fit = fit};
    w->base.n = 0;
    int rc = basis_make(&w->base, &w->meta, &sample, w->packer, record_maker_pool(w->maker), &why);
    if (!rc)
        rc = basis_open(&w->basis, w->base.p, w->base.n, &w->meta, record_maker_pool(w->maker),
                        &why);
    return rc ? err_set(e, rc, "%s: %s", w->path, why.msg) : 0;
}

uint64_t kvz_writer_n_documents(const struct kvz_writer *w)
{
    return w->at.n_documents;
}

uint64_t kvz_writer_n_blocks(const struct kvz_writer *w)
{
    return w->at.n_blocks;
}

uint64_t kvz_writer_n_tokens(const struct kvz_writer *w)
{
    return w->at.n_tokens;
}

int spool_begin(struct kvz_writer *w, const void *data, size_t bytes, struct err *e)
{
    w->entry.n = 0;
    uint8_t *p = bytes_add(&w->entry, sizeof(struct spool_head) + bytes, e);
    if (!p)
        return ERR_NOMEM;
    memcpy(p + sizeof(struct spool_head), data, bytes);
    return 0;
}

int spool_put(struct kvz_writer *w, enum spool_tag tag, struct err *e)
{
    struct spool_head h = {.tag = tag, .bytes = w->entry.n - sizeof h};
    h.check = hash64(w->entry.p + sizeof h, h.bytes);
    memcpy(w->entry.p, &h, sizeof h);
    int rc = file_pwrite(w->spool_fd, w->entry.p, w->entry.n, w->at.spool_bytes, w->spool_path, e);
    if (!rc)
        w->at.spool_bytes += w->entry.n;
    return rc;
}

int spool_next(struct kvz_writer *w, uint64_t *at, uint32_t *tag, struct err *e)
{
    struct spool_head h = {0};
    int rc = 0;
    w->entry.n = 0;
    if (w->at.spool_bytes - *at >= sizeof h)
        rc = file_pread(w->spool_fd, &h, sizeof h, *at, w->spool_path, e);
    if (rc)
        return rc;
    if (!h.tag || h.zero || h.bytes > w->at.spool_bytes - *at - sizeof h)
        return err_set(e, ERR_FORMAT, "%s: is damaged", w->spool_path);
    if (!bytes_add(&w->entry, h.bytes, e))
        return ERR_NOMEM;
    if ((rc = file_pread(w->spool_fd, w->entry.p, h.bytes, *at + sizeof h, w->spool_path, e)))
        return rc;
    if (hash64(w->entry.p, h.bytes) != h.check)
        return err_set(e, ERR_FORMAT, "%s: is damaged", w->spool_path);
    *at += sizeof h + h.bytes;
    *tag = h.tag;
    return 0;
}

int kvz_begin_document(struct kvz_writer *w, const char *name, const char *format, struct err *e)
{
    if (w->at.in_document)
        return err_set(e, ERR_USAGE, "%s: '%s' begins before '%s' ended", w->path, name, w->name);
    if (strlen(name) > UINT32_MAX || strlen(format) > UINT32_MAX)
        return err_set(e, ERR_USAGE, "%s: the name of a document is too long", w->path);
    char *n = mem_strdup(name, e), *f = mem_strdup(format, e);
    if (!n || !f) {
        free(n);
        free(f);
        return ERR_NOMEM;
    }
    free(w->name);
    free(w->format);
    w->name = n;
    w->format = f;
    w->at.in_document = 1;
    w->at.first_block = w->at.n_blocks;
    w->at.first_token = w->at.n_tokens;
    w->at.covered = 0;
    return 0;
}

int kvz_end_document(struct kvz_writer *w, uint64_t bytes, uint64_t digest, struct err *e)
{
    if (!w->at.in_document)
        return err_set(e, ERR_USAGE, "%s: a document ends that did not begin", w->path);
    if (w->at.covered > bytes)
        return err_set(e, ERR_USAGE, "%s: the blocks of '%s' cover %" PRIu64 " bytes of %" PRIu64,
                       w->path, w->name, w->at.covered, bytes);
    size_t n = strlen(w->name), f = strlen(w->format);
    struct disk_document d = {.name_off = w->at.names_bytes,
                              .format_off = w->at.names_bytes + n + 1,
                              .name_bytes = (uint32_t)n,
                              .format_bytes = (uint32_t)f,
                              .bytes = bytes,
                              .digest = digest,
                              .first_block = w->at.first_block,
                              .n_blocks = w->at.n_blocks - w->at.first_block,
                              .n_tokens = w->at.n_tokens - w->at.first_token};
    int rc = spool_begin(w, &d, sizeof d, e);
    if (rc)
        return rc;
    uint8_t *p = bytes_add(&w->entry, n + 1 + f + 1, e);
    if (!p)
        return ERR_NOMEM;
    memcpy(p, w->name, n + 1);
    memcpy(p + n + 1, w->format, f + 1);
    rc = spool_put(w, SPOOL_DOCUMENT, e);
    if (rc)
        return rc;
    w->at.names_bytes += n + 1 + f + 1;
    w->at.n_documents++;
    w->at.in_document = 0;
    return 0;
}

// Quantises vectors to int8, with one scale for each.
static int quantise_vectors(const float *x, uint32_t n, uint32_t dim, float *scale, int8_t *q)
{
    for (uint32_t i = 0; i < n; i++, x += dim, q += dim) {
        float most = 0;
        int bad = 0;
        for (uint32_t d = 0; d < dim; d++) {
            float a = fabsf(x[d]);
            bad |= !(a <= 0x1p120f);
            most = a > most ? a : most;
        }
        if (bad)
            return -1;
        scale[i] = most >= 0x1p-110f ? most / 127 : 0;
        float inv = scale[i] > 0 ? 1 / scale[i] : 0;
        for (uint32_t d = 0; d < dim; d++)
            q[d] = (int8_t)(x[d] * inv + (x[d] < 0 ? -0.5f : 0.5f));
    }
    return 0;
}

// With fewer hundredths of a bit for keys than this, index vectors are narrow. With eight bits they
// would be a tenth of such an index.
enum { NARROW_BELOW = 150 };

int writer_is_narrow(const struct kvz_writer *w, uint32_t channel)
{
    const struct kvz_channel *c = &w->channels[channel];
    const struct kvz_recipe *r = &w->meta.recipe;
    return codec_is_fitted(r->codec) && r->k_bits < NARROW_BELOW && c->kind == KVZ_KEYS &&
           c->dim % 2 == 0;
}

uint8_t *spool_vectors(struct kvz_writer *w, uint32_t channel, uint32_t n, struct disk_run *at,
                       struct err *e)
{
    disk_run_layout(at, 1, n, w->channels[channel].dim, writer_is_narrow(w, channel));
    uint8_t *p = bytes_add(&w->entry, 4 + at->scale_bytes + at->token_bytes + at->vector_bytes, e);
    if (!p)
        return NULL;
    memcpy(p, &n, 4);
    return p + 4;
}

static int add_vectors(struct kvz_writer *w, const struct kvz_block_in *b, uint32_t channel,
                       struct err *e)
{
    const uint32_t n = b->n_vectors[channel], dim = w->channels[channel].dim;
    const int narrow = writer_is_narrow(w, channel);
    float scale[255];
    struct disk_run at;
    if (n > 255)
        return err_set(e, ERR_USAGE, "block %" PRIu64 ": %u vectors in one channel", w->at.n_blocks,
                       n);
    const uint8_t *from = b->vector_token ? b->vector_token[channel] : NULL;
    for (uint32_t i = 0; i < n; i++)
        if ((from ? from[i] : i) >= b->n_tokens || (narrow && from && from[i] != i))
            return err_set(e, ERR_USAGE, "block %" PRIu64 ": vector %u of token %u of %u",
                           w->at.n_blocks, i, from ? from[i] : i, b->n_tokens);
    if (narrow && n != b->n_tokens)
        return err_set(e, ERR_USAGE, "block %" PRIu64 ": %u keys of %u tokens", w->at.n_blocks, n,
                       b->n_tokens);
    uint8_t *p = spool_vectors(w, channel, n, &at, e);
    if (!p)
        return ERR_NOMEM;
    uint8_t *token = p + at.scale_bytes, *vectors = token + at.token_bytes;
    for (uint32_t i = 0; i < n && !narrow; i++)
        token[i] = from ? from[i] : (uint8_t)i;
    if (narrow ? narrow_make(b->vectors[channel], n, dim, scale, token, vectors)
               : quantise_vectors(b->vectors[channel], n, dim, scale, (int8_t *)vectors))
        return err_set(e, ERR_FORMAT,
                       "block %" PRIu64 " layer %u: an index vector of kv head %u "
                       "is infinite, not a number, or too large",
                       w->at.n_blocks, w->channels[channel].layer, w->channels[channel].head);
    memcpy(p, scale, at.scale_bytes);
    return 0;
}

static float mean_mass(const struct kvz_meta *m, const struct kvz_block_in *b)
{
    double sum = 0;
    for (uint32_t l = 0; l < m->n_layers; l++)
        for (uint32_t t = 0; t < b->n_tokens; t++)
            sum += b->mass[l][t];
    return (float)(sum / m->n_layers / b->n_tokens);
}

int kvz_add_block(struct kvz_writer *w, const struct kvz_block_in *b, struct err *e)
{
    if (!w->at.in_document)
        return err_set(e, ERR_USAGE, "%s: a block outside of a document", w->path);
    if (b->n_tokens < 1 || b->n_tokens > w->meta.block || b->kv_stride < b->n_tokens ||
        b->flags & ~(uint32_t)KVZ_SINK)
        return err_set(e, ERR_USAGE, "%s: block %" PRIu64 ": %u tokens, stride %u, flags %u",
                       w->path, w->at.n_blocks, b->n_tokens, b->kv_stride, b->flags);
    if (kvz_wants_sample(w))
        return err_set(e, ERR_USAGE, "%s: block %" PRIu64 ": no sample has been seen", w->path,
                       w->at.n_blocks);
    w->record.n = 0;
    int rc = record_make(&w->record, w->maker, &w->meta, w->basis, w->at.n_blocks, b, e);
    if (rc)
        return rc;
    struct disk_block d = {.off = w->at.data_bytes,
                           .bytes = w->record.n,
                           .token = w->at.n_tokens,
                           .start = w->at.covered,
                           .end = w->at.covered,
                           .document = w->at.n_documents,
                           .n_tokens = (uint16_t)b->n_tokens,
                           .flags = (uint16_t)b->flags,
                           .mass = mean_mass(&w->meta, b)};
    for (uint32_t i = 0; i < b->n_tokens; i++)
        d.end += b->token_bytes[i];
    d.check = hash64(&d, sizeof d - sizeof d.check);
    rc = spool_begin(w, &d, sizeof d, e);
    for (uint32_t i = 0; i < w->meta.n_channels && !rc; i++)
        rc = add_vectors(w, b, i, e);
    uint8_t *text = rc ? NULL : bytes_add(&w->entry, d.end - d.start, e);
    if (!rc && !text)
        rc = ERR_NOMEM;
    if (!rc && d.end > d.start)
        memcpy(text, b->text, d.end - d.start);
    if (!rc && !bytes_add(&w->record, disk_align(w->record.n, DISK_ALIGN) - w->record.n, e))
        rc = ERR_NOMEM;
    if (!rc)
        rc = file_pwrite(w->data_fd, w->record.p, w->record.n, w->at.data_bytes, w->data_path, e);
    if (!rc)
        rc = spool_put(w, SPOOL_BLOCK, e);
    if (rc)
        return rc;
    // Last, so that a block that fails half way leaves nothing behind but bytes past the end.
    w->at.data_bytes += w->record.n;
    w->at.text_bytes += d.end - d.start;
    w->at.covered = d.end;
    w->at.n_tokens += b->n_tokens;
    w->at.n_blocks++;
    for (uint32_t i = 0; i < w->meta.n_channels; i++)
        w->n_vectors[i] += b->n_vectors[i];
    return 0;
}
