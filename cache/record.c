#include "cache/record.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/hash.h"
#include "io/mem.h"
#include "kernels/pool.h"

static int align_part(struct bytes *b, struct err *e)
{
    return bytes_add(b, disk_align(b->n, DISK_PART_ALIGN) - b->n, e) ? 0 : ERR_NOMEM;
}

static size_t put_varint(uint8_t *p, uint32_t v)
{
    size_t n = 0;
    for (; v >= 0x80; v >>= 7)
        p[n++] = (uint8_t)(v | 0x80);
    p[n++] = (uint8_t)v;
    return n;
}

static int add_tokens(struct bytes *out, struct disk_record *h, struct packer *p,
                      const struct kvz_block_in *b, struct err *e)
{
    size_t most = 2 * (size_t)RECORD_VARINT_MAX * b->n_tokens + h->text_bytes;
    size_t at = out->n;
    uint8_t *raw = mem_new(most, 1, e);
    if (!raw)
        return ERR_NOMEM;
    size_t n = 0;
    for (uint32_t i = 0; i < b->n_tokens; i++)
        n += put_varint(raw + n, b->tokens[i]);
    for (uint32_t i = 0; i < b->n_tokens; i++)
        n += put_varint(raw + n, b->token_bytes[i]);
    if (h->text_bytes)
        memcpy(raw + n, b->text, h->text_bytes);
    n += h->text_bytes;
    uint8_t *to = bytes_add(out, n, e);
    if (to) {
        size_t packed = pack(p, raw, n, to);
        if (!packed)
            memcpy(to, raw, n);
        h->tokens_raw = n;
        h->tokens_bytes = packed ? packed : n;
        h->tokens_check = hash64(to, h->tokens_bytes);
        // What deflate wrote behind the packed bytes is released, to be zeroed before it is used
        // again.
        out->n = at + h->tokens_bytes;
    }
    free(raw);
    return to ? 0 : ERR_NOMEM;
}

// A mass on a logarithmic scale with eight steps for a factor of two: code c > 0 stands for 2^((c -
// 128) / 8), code 0 for less than 2^-16.
static uint8_t mass_code(double x)
{
    if (!(x >= 0x1p-16))
        return 0;
    long c = lround(8 * log2(x)) + 128;
    return (uint8_t)(c > 255 ? 255 : c);
}

static int add_mass(struct bytes *out, struct disk_record *h, const struct kvz_meta *m,
                    const struct kvz_block_in *b, struct err *e)
{
    uint8_t *to = bytes_add(out, b->n_tokens, e);
    if (!to)
        return ERR_NOMEM;
    for (uint32_t t = 0; t < b->n_tokens; t++) {
        double sum = 0;
        for (uint32_t l = 0; l < m->n_layers; l++) {
            float x = b->mass[l][t];
            if (!(x >= 0 && x <= 3.4e38f))
                return err_set(e, ERR_FORMAT, "layer %u: the attention of token %u is %g", l, t,
                               (double)x);
            sum += x;
        }
        to[t] = mass_code(sum / m->n_layers);
    }
    h->mass_check = hash64(to, b->n_tokens);
    return 0;
}

// A layer's keys and values, as they are encoded for a record.
struct layer_job {
    uint8_t *data; // [cap], reused from block to block
    size_t cap;
    struct disk_chunk chunk; // its place in the record is not known yet
    int rc;
    struct err e;
};

struct record_maker {
    struct pool *pool;
    struct packer **packers; // [pool_threads]
    uint32_t n_layers;
    struct layer_job *layers; // [n_layers]
    // The current block:
    const struct kvz_meta *m;
    const struct basis *basis;
    const struct kvz_block_in *b;
    uint64_t number; // of the block
};

int record_maker_new(struct record_maker **out, const struct kvz_meta *m, int threads,
                     struct err *e)
{
    struct record_maker *r = mem_new(1, sizeof *r, e);
    int rc = r ? pool_new(&r->pool, threads, e) : ERR_NOMEM;
    if (!rc && (!(r->packers = mem_new((size_t)threads, sizeof(struct packer *), e)) ||
                !(r->layers = mem_new(m->n_layers, sizeof *r->layers, e))))
        rc = ERR_NOMEM;
    if (!rc)
        r->n_layers = m->n_layers;
    for (int i = 0; !rc && i < threads; i++)
        rc = packer_new(&r->packers[i], (int)m->recipe.level, e);
    if (rc)
        record_maker_free(r);
    else
        *out = r;
    return rc;
}

struct pool *record_maker_pool(const struct record_maker *r)
{
    return r->pool;
}

void record_maker_free(struct record_maker *r)
{
    if (!r)
        return;
    for (int i = 0; r->packers && i < pool_threads(r->pool); i++)
        packer_free(r->packers[i]);
    for (uint32_t l = 0; l < r->n_layers; l++)
        free(r->layers[l].data);
    pool_free(r->pool);
    free(r->packers);
    free(r->layers);
    free(r);
}

// Encodes a layer with its chunk's codec.
static int encode_layer(struct layer_job *y, struct packer *p, const struct codec_shape *shape,
                        const struct kvz_block_in *b, struct err *e)
{
    struct disk_chunk *c = &y->chunk;
    const struct codec *codec = codec_find(c->codec);
    if (!codec)
        return err_set(e, ERR_UNSUPPORTED, "codec %u is unknown", c->codec);
    int rc = MEM_GROW(y->data, y->cap, codec->bound(shape), e);
    if (!rc)
        rc = codec->encode(shape, p, b->k[shape->layer], b->v[shape->layer], b->kv_stride, y->data,
                           &c->bytes, e);
    c->check = rc ? 0 : hash64(y->data, c->bytes);
    return rc;
}

// Every question attends to the sinks, but so much more to the very first tokens that the others
// can be stored like any block, unless a head of the layer has its keys and values only in sinks.
static int is_exact(const struct record_maker *r, uint32_t layer)
{
    enum { FIRST = 64 };
    if (!(r->b->flags & KVZ_SINK) || !codec_is_fitted(r->m->recipe.codec) ||
        r->number * r->m->block < FIRST)
        return r->b->flags & KVZ_SINK;
    for (uint32_t h = 0; h < r->m->n_kv_heads; h++)
        if (basis_is_near(r->basis, layer, h))
            return 1;
    return 0;
}

static void layer_task(void *ctx, int task, int thread)
{
    const struct record_maker *r = ctx;
    const struct kvz_meta *m = r->m;
    struct layer_job *y = &r->layers[task];
    struct codec_shape shape = {r->b->n_tokens,   m->n_kv_heads,  m->head_dim, m->recipe.k_bits,
                                m->recipe.v_bits, (uint32_t)task, r->basis};
    int coded = codec_is_fitted(m->recipe.codec), exact = is_exact(r, shape.layer);
    y->rc = ERR_FORMAT;
    y->chunk = (struct disk_chunk){.codec = m->recipe.codec};
    if (!exact)
        y->rc = encode_layer(y, r->packers[thread], &shape, r->b, &y->e);
    // A layer far from all that the codec was fitted to is rare.
    if (exact || (coded && y->rc == ERR_FORMAT)) {
        y->chunk.codec = y->chunk.codec >= CODEC_ROTATED ? CODEC_ROTATED : CODEC_FLOAT16;
        shape.k_bits = shape.v_bits = 8;
        y->rc = encode_layer(y, r->packers[thread], &shape, r->b, &y->e);
    }
}

// Appends the encoded layer to OUT.
static int add_layer(struct bytes *out, struct layer_job *y, struct err *e)
{
    y->chunk.off = out->n;
    int rc = bytes_put(out, y->data, y->chunk.bytes, e);
    return rc ? rc : align_part(out, e);
}

static int make(struct bytes *out, struct record_maker *r, const struct kvz_meta *m,
                const struct basis *basis, uint64_t number, const struct kvz_block_in *b,
                struct err *e)
{
    struct disk_record h = {.tag = TAG_RECORD,
                            .n_tokens = (uint16_t)b->n_tokens,
                            .flags = (uint16_t)b->flags,
                            .block = number,
                            .n_layers = m->n_layers,
                            .form = FORM_SHORT};
    for (uint32_t i = 0; i < b->n_tokens; i++)
        h.text_bytes += b->token_bytes[i];
    if (h.text_bytes > PACK_MAX - 2 * RECORD_VARINT_MAX * DISK_BLOCK_MAX)
        return err_set(e, ERR_UNSUPPORTED, "its tokens stand for %" PRIu64 " bytes of text",
                       h.text_bytes);
    size_t head_bytes = disk_head_bytes(FORM_SHORT, m->n_layers);
    if (!bytes_add(out, head_bytes, e))
        return ERR_NOMEM;
    int rc = add_tokens(out, &h, r->packers[0], b, e);
    if (!rc)
        rc = align_part(out, e);
    if (!rc)
        rc = add_mass(out, &h, m, b, e);
    if (!rc)
        rc = align_part(out, e);
    r->m = m;
    r->basis = basis;
    r->b = b;
    r->number = number;
    if (!rc)
        pool_run(r->pool, (int)m->n_layers, layer_task, r);
    uint64_t end = out->n;
    for (uint32_t l = 0; l < m->n_layers && !rc; l++) {
        struct layer_job *y = &r->layers[l];
        rc = y->rc ? err_set(e, y->rc, "layer %u: %s", l, y->e.msg) : add_layer(out, y, e);
        struct disk_short_chunk entry = {y->chunk.check, (uint32_t)y->chunk.bytes, y->chunk.codec};
        memcpy(out->p + disk_head_bytes(FORM_SHORT, l), &entry, sizeof entry);
        end = y->chunk.off + y->chunk.bytes;
    }
    if (rc)
        return rc;
    out->n = end;
    memcpy(out->p, &h, sizeof h);
    h.check = hash64(out->p + 8, head_bytes - 8);
    memcpy(out->p, &h, sizeof h);
    return 0;
}

int record_make(struct bytes *out, struct record_maker *r, const struct kvz_meta *m,
                const struct basis *basis, uint64_t number, const struct kvz_block_in *b,
                struct err *e)
{
    struct err why;
    int rc = make(out, r, m, basis, number, b, &why);
    return rc ? err_set(e, rc, "block %" PRIu64 " cannot be stored: %s", number, why.msg) : 0;
}
