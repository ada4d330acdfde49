// Reads the record of a block, part by part.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cache/record.h"
#include "io/cursor.h"
#include "io/hash.h"
#include "io/mem.h"
#include "kernels/half.h"

static uint64_t mass_end(const struct record *r)
{
    const struct disk_record *h = &r->head;
    return r->mass_off + disk_mass_bytes(h->form, h->n_layers, h->n_tokens);
}

// The entry of LAYER. In a short record its chunk follows AT, the end of the part before it.
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

// R14. Lengths are compared with the record's before they are added, so that nothing overflows.
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

// R17: the codec number CODEC, if a chunk in an index with RECIPE may be stored with it, else NULL.
static const struct codec *codec_of(const struct kvz_recipe *recipe, uint32_t codec)
{
    int sink = codec == CODEC_FLOAT16 || (codec == CODEC_ROTATED && codec_is_fitted(recipe->codec));
    return codec == recipe->codec || sink ? codec_find(codec) : NULL;
}

int record_find_layer(const struct record *r, const struct kvz_meta *m, const struct basis *basis,
                      uint32_t layer, struct record_layer *out, struct err *e)
{
    uint32_t id = record_chunk(r, layer).codec;
    if (!(out->codec = codec_of(&m->recipe, id)))
        return err_set(e, ERR_FORMAT, "it is stored with codec %u", id);
    out->shape = (struct codec_shape){.n_tokens = r->head.n_tokens,
                                      .n_kv_heads = m->n_kv_heads,
                                      .head_dim = m->head_dim,
                                      .layer = layer,
                                      .basis = basis};
    return record_chunk_data(r, layer, &out->data, &out->bytes, e);
}

int record_check_layer(const struct record *r, const struct kvz_meta *m, const struct basis *basis,
                       uint32_t layer, struct record_layer *out, struct err *e)
{
    int rc = record_find_layer(r, m, basis, layer, out, e);
    if (rc || (!basis && codec_is_fitted(out->codec->id)))
        return rc;
    return out->codec->check(&out->shape, out->data, out->bytes, e);
}

int record_kv(const struct record *r, const struct kvz_meta *m, const struct basis *basis,
              uint32_t layer, float *k, float *v, uint32_t stride, struct err *e)
{
    struct record_layer y;
    if (stride < r->head.n_tokens)
        return err_set(e, ERR_USAGE, "%u tokens do not fit a stride of %u", r->head.n_tokens,
                       stride);
    int rc = record_find_layer(r, m, basis, layer, &y, e);
    return rc ? rc : y.codec->decode(&y.shape, y.data, y.bytes, k, v, stride, e);
}

static float mass_value(uint8_t code)
{
    static const float eighth[8] = {1,           1.09050773f, 1.18920712f, 1.29683955f,
                                    1.41421356f, 1.54221083f, 1.68179283f, 1.83400809f};
    return code ? ldexpf(eighth[code % 8], code / 8 - 16) : 0;
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

static uint32_t get_varint(struct cursor *c)
{
    uint64_t v = 0;
    for (int i = 0; i < RECORD_VARINT_MAX; i++) {
        uint8_t b = cursor_u8(c);
        v |= (uint64_t)(b & 0x7f) << (7 * i);
        if (b < 0x80 && v <= UINT32_MAX)
            return (uint32_t)v;
    }
    c->bad = 1;
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
    int rc = pack_unpack(stored, h->tokens_bytes, raw, h->tokens_raw, e);
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
