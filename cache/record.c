#include "cache/record.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/cursor.h"
#include "io/hash.h"
#include "io/mem.h"
#include "kernels/half.h"
#include "kernels/pool.h"

enum { VARINT_MAX = 5 };

uint8_t *bytes_add(struct bytes *b, size_t more, struct err *e)
{
    void *p = b->p;
    if (more > SIZE_MAX - b->n) {
        err_set(e, ERR_NOMEM, "out of memory (%zu bytes)", more);
        return NULL;
    }
    if (mem_grow(&p, &b->cap, b->n + more, 1, e))
        return NULL;
    b->p = p;
    uint8_t *at = b->p + b->n;
    memset(at, 0, more);
    b->n += more;
    return at;
}

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

static uint32_t get_varint(struct cursor *c)
{
    uint64_t v = 0;
    for (int i = 0; i < VARINT_MAX; i++) {
        uint8_t b = cursor_u8(c);
        v |= (uint64_t)(b & 0x7f) << (7 * i);
        if (b < 0x80 && v <= UINT32_MAX)
            return (uint32_t)v;
    }
    c->bad = 1;
    return 0;
}

static int add_tokens(struct bytes *out, struct disk_record *h, struct packer *p,
                      const struct kvz_block_in *b, struct err *e)
{
    size_t most = 2 * (size_t)VARINT_MAX * b->n_tokens + h->text_bytes;
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
        // What deflate left behind the packed bytes is given back, to be zeroed when used again.
        out->n = at + h->tokens_bytes;
    }
    free(raw);
    return to ? 0 : ERR_NOMEM;
}

// A number above nought in steps of a twelfth, 2^-16 to 2^16: code c is 2^((c - 128) / 8).
static uint8_t mass_code(double x)
{
    if (!(x >= 0x1p-16))
        return 0;
    long c = lround(8 * log2(x)) + 128;
    return (uint8_t)(c > 255 ? 255 : c);
}

static float mass_value(uint8_t code)
{
    static const float eighth[8] = {1,           1.09050773f, 1.18920712f, 1.29683955f,
                                    1.41421356f, 1.54221083f, 1.68179283f, 1.83400809f};
    return code ? ldexpf(eighth[code % 8], code / 8 - 16) : 0;
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

// A layer's keys and values on their way into a record.
struct layer_job {
    struct bytes data;
    struct disk_chunk chunk; // its place in the record is not known yet
    int rc;
    struct err e;
};

struct record_maker {
    struct pool *pool;
    struct packer **packers; // [pool_threads]
    uint32_t n_layers;
    struct layer_job *layers; // [n_layers]
    // The block at hand:
    const struct kvz_meta *m;
    const struct basis *basis;
    const struct kvz_block_in *b;
};

int record_maker_new(struct record_maker **out, const struct kvz_meta *m, int threads, struct err *e)
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
        free(r->layers[l].data.p);
    pool_free(r->pool);
    free(r->packers);
    free(r->layers);
    free(r);
}

// With the codec of the layer's chunk.
static int encode_layer(struct layer_job *y, struct packer *p, const struct codec_shape *shape,
                        const struct kvz_block_in *b, struct err *e)
{
    struct disk_chunk *c = &y->chunk;
    const struct codec *codec = codec_find(c->codec);
    if (!codec)
        return err_set(e, ERR_UNSUPPORTED, "codec %u is unknown", c->codec);
    y->data.n = 0;
    uint8_t *to = bytes_add(&y->data, codec->bound(shape), e);
    if (!to)
        return ERR_NOMEM;
    int rc = codec->encode(shape, p, b->k[shape->layer], b->v[shape->layer], b->kv_stride, to,
                           &c->bytes, e);
    c->check = rc ? 0 : hash64(to, c->bytes);
    return rc;
}

static void layer_task(void *ctx, int task, int thread)
{
    const struct record_maker *r = ctx;
    const struct kvz_meta *m = r->m;
    struct layer_job *y = &r->layers[task];
    struct codec_shape shape = {r->b->n_tokens, m->n_kv_heads, m->head_dim, m->recipe.k_bits,
                                m->recipe.v_bits, (uint32_t)task, r->basis};
    int coded = codec_is_fitted(m->recipe.codec), sink = r->b->flags & KVZ_SINK;
    y->rc = ERR_FORMAT;
    y->chunk = (struct disk_chunk){.codec = m->recipe.codec};
    if (!sink)
        y->rc = encode_layer(y, r->packers[thread], &shape, r->b, &y->e);
    // Every question attends to the sinks, and there are few; and what is far from all that a
    // codec has been fitted to is rare.
    if (sink || (coded && y->rc == ERR_FORMAT)) {
        y->chunk.codec = y->chunk.codec >= CODEC_ROTATED ? CODEC_ROTATED : CODEC_FLOAT16;
        shape.k_bits = shape.v_bits = 8;
        y->rc = encode_layer(y, r->packers[thread], &shape, r->b, &y->e);
    }
}

// The encoded layer at the end of OUT.
static int add_layer(struct bytes *out, struct layer_job *y, struct err *e)
{
    y->chunk.off = out->n;
    uint8_t *to = bytes_add(out, y->chunk.bytes, e);
    if (!to)
        return ERR_NOMEM;
    memcpy(to, y->data.p, y->chunk.bytes);
    return align_part(out, e);
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
    if (h.text_bytes > PACK_MAX - 2 * VARINT_MAX * DISK_BLOCK_MAX)
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

static uint64_t mass_end(const struct record *r)
{
    const struct disk_record *h = &r->head;
    return r->mass_off + disk_mass_bytes(h->form, h->n_layers, h->n_tokens);
}

// The entry of LAYER; AT, where the part before its chunk ends, is used where the entry is short.
static struct disk_chunk chunk_after(const struct record *r, uint32_t layer, uint64_t at)
{
    const uint8_t *p = r->p + disk_head_bytes(r->head.form, layer);
    struct disk_chunk c;
    struct disk_short_chunk s;
    if (r->head.form == FORM_LONG) {
        memcpy(&c, p, sizeof c);
        return c;
    }
    memcpy(&s, p, sizeof s);
    return (struct disk_chunk){disk_align(at, DISK_PART_ALIGN), s.bytes, s.check, s.codec, 0};
}

struct disk_chunk record_chunk(const struct record *r, uint32_t layer)
{
    uint64_t at = mass_end(r);
    struct disk_chunk c = {0};
    for (uint32_t l = r->head.form == FORM_LONG ? layer : 0; l <= layer; l++) {
        c = chunk_after(r, l, at);
        at = c.off + c.bytes;
    }
    return c;
}

// R14. Lengths are at most the record's before they are added up, so that nothing overflows.
static int layout_ok(struct record *r)
{
    const struct disk_record *h = &r->head;
    r->tokens_off = disk_head_bytes(h->form, h->n_layers);
    uint64_t left = r->bytes - r->tokens_off;
    if (h->tokens_bytes > left)
        return 0;
    r->mass_off = disk_align(r->tokens_off + h->tokens_bytes, DISK_PART_ALIGN);
    uint64_t end = mass_end(r);
    for (uint32_t l = 0; l < h->n_layers; l++) {
        struct disk_chunk c = chunk_after(r, l, end);
        if (end > r->bytes || c.off != disk_align(end, DISK_PART_ALIGN) || c.off > r->bytes ||
            c.bytes > r->bytes - c.off || c.zero)
            return 0;
        end = c.off + c.bytes;
    }
    return end == r->bytes;
}

int record_open(struct record *r, const uint8_t *p, const struct disk_block *dir, uint64_t number,
                uint32_t n_layers, struct err *e)
{
    *r = (struct record){.p = p, .bytes = dir->bytes};
    struct disk_record *h = &r->head;
    if (dir->bytes < sizeof *h)
        return err_set(e, ERR_FORMAT, "its record is too short");
    memcpy(h, p, sizeof *h);
    uint64_t head_bytes = disk_head_bytes(h->form, n_layers);
    if (dir->bytes < head_bytes)
        return err_set(e, ERR_FORMAT, "its record is too short");
    if (h->check != hash64(p + 8, head_bytes - 8))
        return err_set(e, ERR_FORMAT, "its head is damaged");
    if (h->tag != TAG_RECORD || h->block != number || h->n_tokens != dir->n_tokens ||
        h->flags != dir->flags || h->text_bytes != dir->end - dir->start ||
        h->n_layers != n_layers || h->form > FORM_SHORT)
        return err_set(e, ERR_FORMAT, "its head is that of another block");
    if (!layout_ok(r) || !pack_plausible(h->tokens_bytes, h->tokens_raw) ||
        h->tokens_raw < h->text_bytes || h->tokens_raw < h->tokens_bytes)
        return err_set(e, ERR_FORMAT, "its parts are not where they should be");
    return 0;
}

int record_chunk_data(const struct record *r, uint32_t layer, const uint8_t **data, uint64_t *bytes,
                      struct err *e)
{
    struct disk_chunk c = record_chunk(r, layer);
    if (c.check != hash64(r->p + c.off, c.bytes))
        return err_set(e, ERR_FORMAT, "its keys and values are damaged");
    *data = r->p + c.off;
    *bytes = c.bytes;
    return 0;
}

const struct codec *record_codec(const struct kvz_recipe *recipe, uint32_t codec)
{
    int sink = codec == CODEC_FLOAT16 || (codec == CODEC_ROTATED && codec_is_fitted(recipe->codec));
    return codec == recipe->codec || sink ? codec_find(codec) : NULL;
}

// How a layer is stored, and its bytes.
static int find_chunk(const struct record *r, const struct kvz_meta *m, const struct basis *basis,
                      uint32_t layer, const struct codec **codec, struct codec_shape *shape,
                      const uint8_t **data, uint64_t *bytes, struct err *e)
{
    uint32_t id = record_chunk(r, layer).codec;
    if (!(*codec = record_codec(&m->recipe, id)))
        return err_set(e, ERR_FORMAT, "it is stored with codec %u", id);
    *shape = (struct codec_shape){.n_tokens = r->head.n_tokens, .n_kv_heads = m->n_kv_heads,
                                  .head_dim = m->head_dim, .layer = layer, .basis = basis};
    return record_chunk_data(r, layer, data, bytes, e);
}

int record_kv(const struct record *r, const struct kvz_meta *m, const struct basis *basis,
              uint32_t layer, float *k, float *v, uint32_t stride, struct err *e)
{
    const struct codec *codec;
    struct codec_shape shape;
    const uint8_t *data;
    uint64_t bytes;
    if (stride < r->head.n_tokens)
        return err_set(e, ERR_USAGE, "%u tokens do not fit a stride of %u", r->head.n_tokens,
                       stride);
    int rc = find_chunk(r, m, basis, layer, &codec, &shape, &data, &bytes, e);
    return rc ? rc : codec->decode(&shape, data, bytes, k, v, stride, e);
}

int record_stored(const struct record *r, const struct kvz_meta *m, const struct basis *basis,
                  uint32_t layer, struct kvz_stored *out, struct err *e)
{
    const struct codec *codec;
    struct codec_shape shape;
    const uint8_t *data;
    uint64_t bytes;
    int rc = find_chunk(r, m, basis, layer, &codec, &shape, &data, &bytes, e);
    return rc ? rc : !codec->stored ? 1 : codec->stored(&shape, data, bytes, out, e);
}

int record_mass(const struct record *r, float *mass, struct err *e)
{
    const struct disk_record *h = &r->head;
    const uint8_t *p = r->p + r->mass_off;
    if (h->mass_check != hash64(p, disk_mass_bytes(h->form, h->n_layers, h->n_tokens)))
        return err_set(e, ERR_FORMAT, "its attention scores are damaged");
    for (uint32_t t = 0; mass && t < h->n_tokens; t++) {
        double sum = 0;
        for (uint32_t l = 0; h->form == FORM_LONG && l < h->n_layers; l++) {
            uint16_t u;
            memcpy(&u, p + ((size_t)l * h->n_tokens + t) * 2, 2);
            sum += half_to_float(u);
        }
        mass[t] = h->form == FORM_LONG ? (float)(sum / h->n_layers) : mass_value(p[t]);
    }
    return 0;
}

static int parse_tokens(const struct record *r, const uint8_t *raw, uint32_t *ids,
                        uint32_t *token_bytes, char *text, struct err *e)
{
    struct cursor c = {raw, r->head.tokens_raw, 0};
    for (uint32_t i = 0; i < r->head.n_tokens; i++) {
        uint32_t id = get_varint(&c);
        if (ids)
            ids[i] = id;
    }
    uint64_t sum = 0;
    for (uint32_t i = 0; i < r->head.n_tokens; i++) {
        uint32_t n = get_varint(&c);
        sum += n;
        if (token_bytes)
            token_bytes[i] = n;
    }
    if (c.bad || sum != r->head.text_bytes || c.left != sum)
        return err_set(e, ERR_FORMAT, "its tokens and its text do not belong together");
    if (text && sum)
        memcpy(text, c.p, sum);
    return 0;
}

int record_tokens(const struct record *r, uint32_t *ids, uint32_t *token_bytes, char *text,
                  struct err *e)
{
    const struct disk_record *h = &r->head;
    const uint8_t *stored = r->p + r->tokens_off;
    if (h->tokens_check != hash64(stored, h->tokens_bytes))
        return err_set(e, ERR_FORMAT, "its tokens and text are damaged");
    if (h->tokens_bytes == h->tokens_raw)
        return parse_tokens(r, stored, ids, token_bytes, text, e);
    uint8_t *raw = mem_new(h->tokens_raw, 1, e);
    if (!raw)
        return ERR_NOMEM;
    int rc = unpack(stored, h->tokens_bytes, raw, h->tokens_raw, e);
    if (!rc)
        rc = parse_tokens(r, raw, ids, token_bytes, text, e);
    free(raw);
    return rc;
}

int record_zeros(const uint8_t *p, uint64_t bytes)
{
    return !bytes || (!p[0] && !memcmp(p, p + 1, bytes - 1));
}

int record_padding(const struct record *r, uint64_t end, struct err *e)
{
    const struct disk_record *h = &r->head;
    uint64_t at = mass_end(r);
    int ok = record_zeros(r->p + r->tokens_off + h->tokens_bytes,
                          r->mass_off - r->tokens_off - h->tokens_bytes);
    for (uint32_t l = 0; l < h->n_layers; l++) {
        struct disk_chunk c = record_chunk(r, l);
        ok &= record_zeros(r->p + at, c.off - at);
        at = c.off + c.bytes;
    }
    ok &= record_zeros(r->p + at, end - at);
    return ok ? 0 : err_set(e, ERR_FORMAT, "its padding is not zero");
}
