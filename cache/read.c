// The reader of an index: struct kvz as kvz.h promises it. layout.c finds its parts, record_read.c
// reads records.
#define _GNU_SOURCE
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cache/codec.h"
#include "cache/format.h"
#include "cache/kvz.h"
#include "cache/reader.h"
#include "io/file.h"
#include "io/hash.h"
#include "io/mem.h"

int reader_map(struct kvz **out, const char *path, struct err *e)
{
    struct kvz *k = mem_new(1, sizeof *k, e);
    if (!k)
        return ERR_NOMEM;
    int rc = (k->fitted = mem_new(1, sizeof *k->fitted, e)) && (k->path = mem_strdup(path, e)) &&
                     (k->checked = mem_new(1, sizeof *k->checked, e))
                 ? file_map(&k->map, path, e)
                 : ERR_NOMEM;
    if (k->fitted)
        pthread_mutex_init(&k->fitted->lock, NULL);
    if (rc)
        kvz_close(k);
    else
        *out = k;
    return rc;
}

static void wait_for_maker(struct kvz *k)
{
    if (k->fitted->is_being_made)
        pthread_join(k->fitted->maker, NULL);
    k->fitted->is_being_made = 0;
}

void kvz_close(struct kvz *k)
{
    if (!k)
        return;
    if (k->fitted)
        wait_for_maker(k);
    runs_stop(k);
    file_unmap(&k->map);
    free(k->path);
    free(k->sections);
    free(k->text_at);
    free(k->by_digest);
    free(k->superseded);
    free(k->channels);
    runs_close(k);
    free(k->checked);
    if (k->fitted) {
        kvz_rest(k);
        pthread_mutex_destroy(&k->fitted->lock);
    }
    free(k->fitted);
    free(k);
}

void kvz_rest(struct kvz *k)
{
    wait_for_maker(k);
    basis_close(atomic_exchange(&k->fitted->basis, NULL));
}

// An error is not kept: whoever asks next looks again and gets it.
static void *make_basis(void *arg)
{
    const struct basis *basis;
    struct err why;
    reader_basis(arg, &basis, &why);
    return NULL;
}

// BESIDE: in a thread, if one can be made.
static int begin_basis(struct kvz *k, int beside, struct err *e)
{
    const struct basis *basis;
    struct fitted *f = k->fitted;
    if (beside && !pthread_create(&f->maker, NULL, make_basis, k))
        f->is_being_made = 1;
    return f->is_being_made ? 0 : reader_basis(k, &basis, e);
}

static int open_with(struct kvz **out, const char *path, int beside, struct err *e)
{
    struct kvz *k;
    int rc = reader_map(&k, path, e);
    if (rc)
        return rc;
    rc = reader_layout(k, e);
    if (!rc)
        rc = reader_meta(k, e);
    if (!rc)
        rc = begin_basis(k, beside, e);
    if (!rc)
        rc = reader_docs(k, e);
    if (!rc)
        rc = reader_channels(k, e);
    if (rc)
        kvz_close(k);
    else
        *out = k;
    return rc;
}

int kvz_begins(const char *path)
{
    uint8_t magic[sizeof disk_magic];
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    int rc = fd < 0 ? -1 : file_pread(fd, magic, sizeof magic, 0, path, NULL);
    if (fd >= 0)
        close(fd);
    return !rc && !memcmp(magic, disk_magic, sizeof magic);
}

int kvz_open(struct kvz **out, const char *path, struct err *e)
{
    return open_with(out, path, 0, e);
}

int kvz_open_beside(struct kvz **out, const char *path, struct err *e)
{
    return open_with(out, path, 1, e);
}

int kvz_opened(struct kvz *k, struct err *e)
{
    const struct basis *basis;
    const int was = k->fitted->is_being_made;
    wait_for_maker(k);
    return was ? reader_basis(k, &basis, e) : 0;
}

const char *kvz_path(const struct kvz *k)
{
    return k->path;
}

const struct kvz_meta *kvz_meta(const struct kvz *k)
{
    return &k->meta;
}

uint64_t kvz_file_bytes(const struct kvz *k)
{
    return k->map.bytes;
}

uint64_t kvz_n_documents(const struct kvz *k)
{
    return k->head.n_documents;
}

uint64_t kvz_n_blocks(const struct kvz *k)
{
    return k->head.n_blocks;
}

uint64_t kvz_n_tokens(const struct kvz *k)
{
    return k->head.n_tokens;
}

size_t kvz_n_sections(const struct kvz *k)
{
    return k->head.n_sections;
}

struct kvz_section kvz_section_at(const struct kvz *k, size_t i)
{
    struct kvz_section s = {.off = k->sections[i].off, .bytes = k->sections[i].bytes};
    memcpy(s.tag, &k->sections[i].tag, 4);
    return s;
}

int kvz_document(const struct kvz *k, uint64_t i, struct kvz_document *d, struct err *e)
{
    if (i >= k->head.n_documents)
        return err_set(e, ERR_USAGE, "%s: there are only %" PRIu64 " documents", k->path,
                       k->head.n_documents);
    struct disk_document on = reader_document(k, i);
    const char *names = (const char *)k->map.data + k->of[S_NAMES].off;
    *d = (struct kvz_document){.name = names + on.name_off,
                               .format = names + on.format_off,
                               .bytes = on.bytes,
                               .digest = on.digest,
                               .first_block = on.first_block,
                               .n_blocks = on.n_blocks,
                               .n_tokens = on.n_tokens};
    return 0;
}

// Adds the index, the block and its place in the document to the error.
static int block_err(const struct kvz *k, uint64_t block, int rc, const struct err *why,
                     struct err *e)
{
    char where[640];
    return err_set(e, rc, "%s: block %" PRIu64 " (%s): %s", k->path, block,
                   reader_where(k, block, where, sizeof where), why->msg);
}

int kvz_block(const struct kvz *k, uint64_t i, struct kvz_block *b, struct err *e)
{
    struct disk_block d;
    struct err why;
    int rc = reader_entry(k, i, &d, &why);
    if (rc)
        return block_err(k, i, rc, &why, e);
    *b = (struct kvz_block){.document = d.document,
                            .token = d.token,
                            .n_tokens = d.n_tokens,
                            .flags = d.flags,
                            .start = d.start,
                            .end = d.end,
                            .mass = d.mass};
    return 0;
}

int kvz_sinks(const struct kvz *k, uint64_t *n_blocks, uint64_t *n_tokens, struct err *e)
{
    *n_tokens = 0;
    for (*n_blocks = 0; *n_blocks < kvz_n_blocks(k); ++*n_blocks) {
        struct kvz_block b;
        int rc = kvz_block(k, *n_blocks, &b, e);
        if (rc)
            return rc;
        if (!(b.flags & KVZ_SINK))
            break;
        *n_tokens += b.n_tokens;
    }
    if (*n_tokens > k->meta.sinks)
        return err_set(e, ERR_FORMAT, "%s: has %" PRIu64 " sinks instead of %u at most", k->path,
                       *n_tokens, k->meta.sinks);
    return 0;
}

int kvz_run(const struct kvz *k, uint32_t channel, struct kvz_run *r, struct err *e)
{
    if (channel >= k->meta.n_channels)
        return err_set(e, ERR_USAGE, "%s: there are only %u index channels", k->path,
                       k->meta.n_channels);
    return reader_run(k, channel, r, e);
}

int kvz_read_tokens(const struct kvz *k, uint64_t block, uint32_t *ids, uint32_t *token_bytes,
                    struct err *e)
{
    struct record r;
    struct err why;
    int rc = reader_record(k, block, &r, &why);
    if (!rc)
        rc = record_tokens(&r, ids, token_bytes, NULL, &why);
    return rc ? block_err(k, block, rc, &why, e) : 0;
}

// Whether section TEXT has been checked and has the bytes of all documents.
static int is_text_checked(const struct kvz *k)
{
    return atomic_load(&k->text_ok) && k->docs_ok && k->text_bytes == k->of[S_TEXT].bytes;
}

int reader_text(const struct kvz *k, uint64_t block, char *text, struct err *e)
{
    struct record r;
    struct err why;
    int rc = reader_record(k, block, &r, &why);
    if (!rc)
        rc = record_tokens(&r, NULL, NULL, text, &why);
    return rc ? block_err(k, block, rc, &why, e) : 0;
}

int kvz_read_text(const struct kvz *k, uint64_t block, char *text, struct err *e)
{
    struct disk_block d;
    if (!is_text_checked(k) || reader_entry(k, block, &d, NULL))
        return reader_text(k, block, text, e);
    const char *documents = (const char *)k->map.data + k->of[S_TEXT].off;
    memcpy(text, documents + k->text_at[d.document] + d.start, d.end - d.start);
    return 0;
}

int kvz_text(struct kvz *k, const char **text, uint64_t *bytes, struct err *e)
{
    const struct disk_section *s = &k->of[S_TEXT];
    *text = s->tag ? (const char *)k->map.data + s->off : NULL;
    *bytes = s->bytes;
    int rc = s->tag && !atomic_load(&k->text_ok) ? reader_section(k, s, e) : 0;
    if (!rc)
        atomic_store(&k->text_ok, 1);
    return rc;
}

int kvz_document_text(struct kvz *k, uint64_t document, const char **text, uint64_t *bytes,
                      struct err *e)
{
    struct kvz_document d;
    const char *all;
    uint64_t n;
    *text = NULL;
    *bytes = 0;
    int rc = kvz_document(k, document, &d, e);
    if (rc || (rc = kvz_text(k, &all, &n, e)) || !all)
        return rc;
    const uint64_t at = k->text_at[document];
    if (at > n || d.bytes > n - at)
        return 0;
    *text = all + at;
    *bytes = d.bytes;
    return 0;
}

// Finds the record of a block, and what is needed to decode LAYER.
static int record_of_layer(const struct kvz *k, uint64_t block, uint32_t layer, struct record *r,
                           const struct basis **basis, struct err *e)
{
    if (layer >= k->meta.n_layers)
        return err_set(e, ERR_USAGE, "there are only %u layers", k->meta.n_layers);
    int rc = reader_record(k, block, r, e);
    return rc ? rc : reader_basis(k, basis, e);
}

static int find_layer(const struct kvz *k, uint64_t block, uint32_t layer, struct record_layer *out,
                      struct err *e)
{
    struct record r;
    const struct basis *basis;
    int rc = record_of_layer(k, block, layer, &r, &basis, e);
    return rc ? rc : record_find_layer(&r, &k->meta, basis, layer, out, e);
}

static int read_kv(const struct kvz *k, uint64_t block, uint32_t layer, float *kk, float *vv,
                   uint32_t stride, struct err *e)
{
    struct record r;
    const struct basis *basis;
    int rc = record_of_layer(k, block, layer, &r, &basis, e);
    return rc ? rc : record_kv(&r, &k->meta, basis, layer, kk, vv, stride, e);
}

// As block_err, with the layer.
static int layer_err(const struct kvz *k, uint64_t block, uint32_t layer, int rc,
                     const struct err *why, struct err *e)
{
    char where[640];
    return err_set(e, rc, "%s: block %" PRIu64 " layer %u (%s): %s", k->path, block, layer,
                   reader_where(k, block, where, sizeof where), why->msg);
}

int kvz_read_kv(const struct kvz *k, uint64_t block, uint32_t layer, float *kk, float *vv,
                uint32_t stride, struct err *e)
{
    struct err why;
    int rc = read_kv(k, block, layer, kk, vv, stride, &why);
    return rc ? layer_err(k, block, layer, rc, &why, e) : 0;
}

// Decodes the first of N blocks and, with it, those behind it that are stored alike: *DONE in all.
static int read_side(const struct kvz *k, uint32_t layer, const struct kvz_kv *v, size_t n,
                     size_t *done)
{
    struct codec_chunk c[CODEC_SIDE];
    struct record_layer first, y;
    *done = 1;
    int rc = find_layer(k, v->block, layer, &first, NULL);
    if (rc || v->stride < first.shape.n_tokens)
        return rc ? rc : ERR_USAGE;
    c[0] = (struct codec_chunk){first.data, first.bytes, v->k, v->v, v->stride};
    if (!first.codec->decode_side || n < 2)
        return first.codec->decode(&first.shape, c->data, c->bytes, c->k, c->v, c->stride, NULL);
    for (; *done < n && *done < CODEC_SIDE; ++*done) {
        const struct kvz_kv *to = &v[*done];
        if (find_layer(k, to->block, layer, &y, NULL) || y.codec != first.codec ||
            y.shape.n_tokens != first.shape.n_tokens || to->stride < y.shape.n_tokens)
            break;
        c[*done] = (struct codec_chunk){y.data, y.bytes, to->k, to->v, to->stride};
    }
    return first.codec->decode_side(&first.shape, c, *done, NULL);
}

int kvz_read_kvs(const struct kvz *k, uint32_t layer, const struct kvz_kv *v, size_t n,
                 struct err *e)
{
    int rc = 0;
    for (size_t i = 0, some; i < n && !rc; i += some)
        if (read_side(k, layer, v + i, n - i, &some))
            for (size_t j = i; j < i + some && !rc; j++) // finds which one failed, and why
                rc = kvz_read_kv(k, v[j].block, layer, v[j].k, v[j].v, v[j].stride, e);
    return rc;
}

int kvz_read_stored(const struct kvz *k, uint64_t block, uint32_t layer, struct kvz_stored *out,
                    struct err *e)
{
    struct record_layer r;
    struct err why;
    *out = (struct kvz_stored){0};
    int rc = find_layer(k, block, layer, &r, &why);
    if (!rc)
        rc = r.codec->stored ? r.codec->stored(&r.shape, r.data, r.bytes, out, &why) : 1;
    return rc < 0 ? layer_err(k, block, layer, rc, &why, e) : rc;
}

int kvz_kv_name(const struct kvz *k, uint64_t block, uint32_t layer, uint64_t *name, struct err *e)
{
    struct record r;
    struct err why;
    if (layer >= k->meta.n_layers)
        return err_set(e, ERR_USAGE, "%s: there are only %u layers", k->path, k->meta.n_layers);
    int rc = reader_record(k, block, &r, &why);
    if (rc)
        return layer_err(k, block, layer, rc, &why, e);
    // Everything that decoding depends on: the bytes, the shape, and what codecs 3 to 5 have
    // learnt.
    struct disk_chunk c = record_chunk(&r, layer);
    const uint64_t of[] = {c.check,
                           c.bytes,
                           c.codec,
                           r.head.n_tokens,
                           k->meta.n_kv_heads,
                           k->meta.head_dim,
                           codec_is_fitted(k->meta.recipe.codec) ? layer : 0,
                           k->of[S_BASE].check};
    *name = hash64(of, sizeof of);
    return 0;
}

int kvz_read_mass(const struct kvz *k, uint64_t block, float *mass, struct err *e)
{
    struct record r;
    struct err why;
    int rc = reader_record(k, block, &r, &why);
    if (!rc)
        rc = record_mass(&r, mass, &why);
    return rc ? block_err(k, block, rc, &why, e) : 0;
}

int kvz_layer_bytes(const struct kvz *k, uint64_t *bytes, struct err *e)
{
    memset(bytes, 0, k->meta.n_layers * sizeof *bytes);
    for (uint64_t i = 0; i < k->head.n_blocks; i++) {
        struct record r;
        struct err why;
        int rc = reader_record(k, i, &r, &why);
        if (rc)
            return block_err(k, i, rc, &why, e);
        for (uint32_t l = 0; l < k->meta.n_layers; l++)
            bytes[l] += record_chunk(&r, l).bytes;
    }
    return 0;
}

// Advice only: reading also works if the kernel refuses it.
static void will_need(const struct kvz *k, uint64_t off, uint64_t bytes)
{
    uint64_t from = off / DISK_PAGE * DISK_PAGE;
    madvise((void *)(uintptr_t)(k->map.data + from), off + bytes - from, MADV_WILLNEED);
}

void kvz_will_need(const struct kvz *k, const uint64_t *blocks, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct disk_block d;
        if (!reader_entry(k, blocks[i], &d, NULL))
            will_need(k, d.off, d.bytes);
    }
}

void kvz_will_search(const struct kvz *k)
{
    static const int all[] = {S_DIR, S_TEXT, S_VECTORS};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (k->of[all[i]].bytes)
            will_need(k, k->of[all[i]].off, k->of[all[i]].bytes);
}
