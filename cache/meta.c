#include "cache/meta.h"

#include <inttypes.h>
#include <stddef.h>
#include <string.h>

#include "cache/codec.h"
#include "cache/pack.h"

enum kind { TEXT, U64, U32 };

struct field {
    const char *name; // for people
    enum kind kind;
    int free; // 1: may differ between an index and what is added to it
    size_t at, disk_at, bytes;
    uint32_t min, max; // of a U32
};

#define AT(f, d)                                                                                   \
    offsetof(struct kvz_meta, f), offsetof(struct disk_meta, d), sizeof((struct kvz_meta *)0)->f
#define MAY_DIFFER 1
#define ANY        0, UINT32_MAX

static const struct field fields[] = {
    {"model name", TEXT, MAY_DIFFER, AT(model, model), 0, 0},
    {"model path", TEXT, MAY_DIFFER, AT(model_path, model_path), 0, 0},
    {"architecture", TEXT, 0, AT(arch, arch), 0, 0},
    {"model digest", U64, 0, AT(model_digest, model_digest), 0, 0},
    {"tokenizer digest", U64, 0, AT(tokenizer_digest, tokenizer_digest), 0, 0},
    {"layers", U32, 0, AT(n_layers, n_layers), 1, DISK_LAYERS_MAX},
    {"heads", U32, 0, AT(n_heads, n_heads), ANY},
    {"kv heads", U32, 0, AT(n_kv_heads, n_kv_heads), 1, DISK_HEADS_MAX},
    {"head dimensions", U32, 0, AT(head_dim, head_dim), 1, DISK_DIM_MAX},
    {"sinks", U32, 0, AT(sinks, sinks), 0, DISK_FRAME_MAX},
    {"block", U32, 0, AT(block, block), 1, DISK_BLOCK_MAX},
    {"window", U32, 0, AT(window, window), 0, DISK_FRAME_MAX},
    {"chunk", U32, 0, AT(chunk, chunk), 0, DISK_FRAME_MAX},
    {"topk", U32, 0, AT(topk, topk), 0, DISK_TOPK_MAX},
    {"positions", TEXT, 0, AT(positions, positions), 0, 0},
    {"method", TEXT, 0, AT(method, method), 0, 0},
    {"template", TEXT, 0, AT(template_name, template_name), 0, 0},
    {"method parameters", TEXT, 0, AT(params, params), 0, 0},
    {"codec", U32, 0, AT(recipe.codec, codec), ANY},
    {"key bits", U32, 0, AT(recipe.k_bits, k_bits), ANY},
    {"value bits", U32, 0, AT(recipe.v_bits, v_bits), ANY},
    {"deflate level", U32, 0, AT(recipe.level, level), ANY},
    {"index channels", U32, 0, AT(n_channels, n_channels), 0, DISK_CHANNELS_MAX},
};

enum { N_FIELDS = sizeof fields / sizeof *fields };

static const char *at(const struct kvz_meta *m, const struct field *f)
{
    return (const char *)m + f->at;
}

static uint64_t number(const struct kvz_meta *m, const struct field *f)
{
    uint64_t v64;
    uint32_t v32;
    if (f->kind == U64) {
        memcpy(&v64, at(m, f), 8);
        return v64;
    }
    memcpy(&v32, at(m, f), 4);
    return v32;
}

int meta_check(const struct kvz_meta *m, int code, struct err *e)
{
    for (const struct field *f = fields; f < fields + N_FIELDS; f++) {
        if (f->kind == TEXT && !memchr(at(m, f), 0, f->bytes))
            return err_set(e, code, "%s is longer than %zu bytes", f->name, f->bytes - 1);
        if (f->kind == U32 && (number(m, f) < f->min || number(m, f) > f->max))
            return err_set(e, code, "%s: %" PRIu64 " is not between %u and %u", f->name,
                           number(m, f), f->min, f->max);
    }
    if ((uint64_t)m->block * m->n_kv_heads * m->head_dim * 2 > PACK_MAX)
        return err_set(e, code, "a block of %u tokens is too large for this model", m->block);
    return codec_check(&m->recipe, e);
}

int meta_check_channels(const struct kvz_meta *m, const struct kvz_channel *channels, int code,
                        struct err *e)
{
    for (uint32_t i = 0; i < m->n_channels; i++) {
        const struct kvz_channel *c = &channels[i];
        uint32_t heads = c->kind == KVZ_REPRESENTATIVES ? m->n_heads : m->n_kv_heads;
        if (c->layer >= m->n_layers || c->head >= heads || c->dim < 1 || c->dim > DISK_DIM_MAX)
            return err_set(e, code,
                           "index channel %u (layer %u, head %u, %u dimensions) does not "
                           "fit the model",
                           i, c->layer, c->head, c->dim);
    }
    return 0;
}

void meta_to_disk(struct disk_meta *d, const struct kvz_meta *m)
{
    memset(d, 0, sizeof *d);
    for (const struct field *f = fields; f < fields + N_FIELDS; f++)
        memcpy((char *)d + f->disk_at, at(m, f), f->kind == TEXT ? strlen(at(m, f)) : f->bytes);
}

void meta_from_disk(struct kvz_meta *m, const struct disk_meta *d)
{
    memset(m, 0, sizeof *m);
    for (const struct field *f = fields; f < fields + N_FIELDS; f++)
        memcpy((char *)m + f->at, (const char *)d + f->disk_at, f->bytes);
}

// Whether both keep keys and values alike, as users tell them to (--kv, --kv-bits).
static int same_bits(const char *path, const struct kvz_recipe *file,
                     const struct kvz_recipe *asked, struct err *e)
{
    if (file->codec == asked->codec && file->k_bits == asked->k_bits &&
        file->v_bits == asked->v_bits)
        return 0;
    return err_set(e, ERR_MISMATCH,
                   "%s: keeps %g and %g bits of keys and values, not %g and %g (--kv, --kv-bits)",
                   path, kvz_bits(file, file->k_bits), kvz_bits(file, file->v_bits),
                   kvz_bits(asked, asked->k_bits), kvz_bits(asked, asked->v_bits));
}

int meta_same(const char *path, const struct kvz_meta *file,
              const struct kvz_channel *file_channels, const struct kvz_meta *asked,
              const struct kvz_channel *channels, struct err *e)
{
    for (const struct field *f = fields; f < fields + N_FIELDS; f++) {
        if (f->free)
            continue;
        if (f->kind == TEXT && strcmp(at(file, f), at(asked, f)))
            return err_set(e, ERR_MISMATCH, "%s: made with another %s ('%.200s', not '%.200s')",
                           path, f->name, at(file, f), at(asked, f));
        if (f->kind == U64 && number(file, f) != number(asked, f))
            return err_set(e, ERR_MISMATCH,
                           "%s: made with another %s (%016" PRIx64 ", not %016" PRIx64 ")", path,
                           f->name, number(file, f), number(asked, f));
        if (f->kind == U32 && number(file, f) != number(asked, f)) {
            const int rc = same_bits(path, &file->recipe, &asked->recipe, e);
            return rc ? rc
                      : err_set(e, ERR_MISMATCH, "%s: made with %s %" PRIu64 ", not %" PRIu64, path,
                                f->name, number(file, f), number(asked, f));
        }
    }
    for (uint32_t i = 0; i < asked->n_channels; i++) {
        const struct kvz_channel *a = &file_channels[i], *b = &channels[i];
        if (a->layer != b->layer || a->head != b->head || a->kind != b->kind || a->dim != b->dim)
            return err_set(e, ERR_MISMATCH,
                           "%s: made with another index channel %u (layer %u head "
                           "%u, not layer %u head %u)",
                           path, i, a->layer, a->head, b->layer, b->head);
    }
    return 0;
}
