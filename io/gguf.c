#include "io/gguf.h"

#include <stdlib.h>
#include <string.h>

#include "io/cursor.h"
#include "io/gguf_impl.h"
#include "io/hash.h"

const struct gguf_kind_row gguf_kinds[GGUF_N_KINDS] = {
    [GGUF_U8] = {"u8", 1},       [GGUF_I8] = {"i8", 1},     [GGUF_U16] = {"u16", 2},
    [GGUF_I16] = {"i16", 2},     [GGUF_U32] = {"u32", 4},   [GGUF_I32] = {"i32", 4},
    [GGUF_F32] = {"f32", 4},     [GGUF_BOOL] = {"bool", 1}, [GGUF_STR] = {"string", 0},
    [GGUF_ARRAY] = {"array", 0}, [GGUF_U64] = {"u64", 8},   [GGUF_I64] = {"i64", 8},
    [GGUF_F64] = {"f64", 8},
};

uint32_t *gguf_slot(const struct index *ix, struct gguf_str name)
{
    for (size_t h = hash64(name.s, name.n) & ix->mask;; h = (h + 1) & ix->mask) {
        uint32_t *slot = &ix->slot[h];
        if (!*slot)
            return slot;
        const struct gguf_str *other = gguf_name_at(ix, *slot - 1);
        if (other->n == name.n && !memcmp(other->s, name.s, name.n))
            return slot;
    }
}

static size_t find_name(const struct index *ix, const char *name, size_t none)
{
    uint32_t *slot = gguf_slot(ix, (struct gguf_str){name, strlen(name)});
    return *slot ? *slot - 1 : none;
}

const struct key *gguf_find_key(const struct part *p, const char *name)
{
    size_t i = find_name(&p->by_name, name, SIZE_MAX);
    return i == SIZE_MAX ? NULL : &p->keys[i];
}

void gguf_close(struct gguf *g)
{
    if (!g)
        return;
    for (size_t i = 0; i < g->n_parts; i++) {
        struct part *p = &g->parts[i];
        file_unmap(&p->map);
        free(p->by_name.slot);
        free(p->keys);
        free(p->path);
    }
    free(g->parts);
    free(g->tensors);
    free(g->by_name.slot);
    free(g);
}

void gguf_advise(const struct gguf *g, int scattered)
{
    for (size_t i = 0; i < g->n_parts; i++)
        file_map_advise(&g->parts[i].map, scattered);
}

void gguf_forget(const struct gguf *g)
{
    for (size_t i = 0; i < g->n_parts; i++)
        file_map_forget(&g->parts[i].map);
}

// ---- values

// A number of any integer kind, sign-extended to 64 bits.
static uint64_t int_at(enum gguf_kind kind, const uint8_t *p)
{
    size_t bytes = (size_t)gguf_kinds[kind].bytes;
    struct cursor c = {p, bytes, 0};
    uint64_t v = cursor_uint(&c, bytes);
    switch (kind) {
    case GGUF_I8:
        return (uint64_t)(int8_t)v;
    case GGUF_I16:
        return (uint64_t)(int16_t)v;
    case GGUF_I32:
        return (uint64_t)(int32_t)v;
    default:
        return v;
    }
}

static int is_int(enum gguf_kind kind)
{
    return kind <= GGUF_I32 || kind == GGUF_U64 || kind == GGUF_I64;
}

static int is_signed(enum gguf_kind kind)
{
    return kind == GGUF_I8 || kind == GGUF_I16 || kind == GGUF_I32 || kind == GGUF_I64;
}

static double f64_at(enum gguf_kind kind, const uint8_t *p)
{
    struct cursor c = {p, (size_t)gguf_kinds[kind].bytes, 0};
    if (kind == GGUF_F32)
        return cursor_f32(&c);
    if (kind == GGUF_F64)
        return cursor_f64(&c);
    uint64_t v = int_at(kind, p);
    return is_signed(kind) ? (double)(int64_t)v : (double)v;
}

int gguf_key_uint(const struct key *k, uint64_t *v)
{
    if (!is_int(k->kind))
        return -1;
    uint64_t x = int_at(k->kind, k->value);
    if (is_signed(k->kind) && (int64_t)x < 0)
        return -1;
    *v = x;
    return 0;
}

static const struct key *required(const struct gguf *g, const char *key, struct err *e)
{
    const struct key *k = gguf_find_key(&g->parts[0], key);
    if (!k)
        err_set(e, ERR_FORMAT, "%s: key '%s' is missing", gguf_path(g), key);
    return k;
}

static int other_kind(const struct gguf *g, const char *key, const struct key *k,
                      const char *wanted, struct err *e)
{
    return err_set(e, ERR_FORMAT, "%s: key '%s' is %s, not %s", gguf_path(g), key,
                   gguf_kinds[k->kind].name, wanted);
}

int gguf_uint(const struct gguf *g, const char *key, uint64_t *v, struct err *e)
{
    const struct key *k = required(g, key, e);
    if (!k)
        return ERR_FORMAT;
    if (gguf_key_uint(k, v))
        return err_set(e, ERR_FORMAT, "%s: key '%s' is %s, not an integer from 0 on", gguf_path(g),
                       key, is_int(k->kind) ? "negative" : gguf_kinds[k->kind].name);
    return 0;
}

static int is_number(enum gguf_kind kind)
{
    return is_int(kind) || kind == GGUF_F32 || kind == GGUF_F64;
}

int gguf_text(const struct gguf *g, const char *key, struct gguf_str *v, struct err *e)
{
    const struct key *k = required(g, key, e);
    if (!k)
        return ERR_FORMAT;
    if (k->kind != GGUF_STR)
        return other_kind(g, key, k, "a string", e);
    *v = k->str;
    return 0;
}

int gguf_array(const struct gguf *g, const char *key, enum gguf_kind kind, struct gguf_array *v,
               struct err *e)
{
    const struct key *k = required(g, key, e);
    if (!k)
        return ERR_FORMAT;
    if (k->kind != GGUF_ARRAY || k->array.kind != kind)
        return err_set(e, ERR_FORMAT, "%s: key '%s' is %s%s, not an array of %s", gguf_path(g), key,
                       k->kind == GGUF_ARRAY ? "an array of " : "",
                       gguf_kinds[k->kind == GGUF_ARRAY ? k->array.kind : k->kind].name,
                       gguf_kinds[kind].name);
    *v = k->array;
    return 0;
}

int gguf_opt_uint(const struct gguf *g, const char *key, uint64_t *v, struct err *e)
{
    return gguf_has(g, key) ? gguf_uint(g, key, v, e) : 0;
}

int gguf_opt_text(const struct gguf *g, const char *key, struct gguf_str *v, struct err *e)
{
    return gguf_has(g, key) ? gguf_text(g, key, v, e) : 0;
}

int gguf_opt_f64(const struct gguf *g, const char *key, double *v, struct err *e)
{
    const struct key *k = gguf_find_key(&g->parts[0], key);
    if (k && !is_number(k->kind))
        return other_kind(g, key, k, "a number", e);
    if (k)
        *v = f64_at(k->kind, k->value);
    return 0;
}

int gguf_opt_bool(const struct gguf *g, const char *key, int *v, struct err *e)
{
    const struct key *k = gguf_find_key(&g->parts[0], key);
    if (k && k->kind != GGUF_BOOL)
        return other_kind(g, key, k, "a boolean", e);
    if (k)
        *v = *k->value;
    return 0;
}

struct gguf_str gguf_next_str(const uint8_t **p, uint64_t *left)
{
    if (!*left)
        return (struct gguf_str){"", 0};
    struct cursor c = {*p, 8, 0};
    size_t n = cursor_u64(&c);
    struct gguf_str s = {(const char *)*p + 8, n};
    *p += 8 + n;
    --*left;
    return s;
}

double gguf_array_f64(const struct gguf_array *a, uint64_t i)
{
    return f64_at(a->kind, a->data + i * (uint64_t)gguf_kinds[a->kind].bytes);
}

int64_t gguf_array_i64(const struct gguf_array *a, uint64_t i)
{
    const uint8_t *p = a->data + i * (uint64_t)gguf_kinds[a->kind].bytes;
    if (a->kind != GGUF_F32 && a->kind != GGUF_F64)
        return (int64_t)int_at(a->kind, p);
    double v = f64_at(a->kind, p);
    return v >= -0x1p63 && v < 0x1p63 ? (int64_t)v : 0;
}

// ---- the table as a whole

const char *gguf_path(const struct gguf *g)
{
    return g->parts[0].path;
}

uint64_t gguf_file_bytes(const struct gguf *g)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < g->n_parts; i++)
        bytes += g->parts[i].map.bytes;
    return bytes;
}

int gguf_has(const struct gguf *g, const char *key)
{
    return gguf_find_key(&g->parts[0], key) != NULL;
}

size_t gguf_n_keys(const struct gguf *g)
{
    return g->parts[0].n_keys;
}

struct gguf_str gguf_key(const struct gguf *g, size_t i)
{
    return g->parts[0].keys[i].name;
}

size_t gguf_n_tensors(const struct gguf *g)
{
    return g->n_tensors;
}

const struct gguf_tensor *gguf_tensor_at(const struct gguf *g, size_t i)
{
    return &g->tensors[i];
}

const struct gguf_tensor *gguf_tensor(const struct gguf *g, const char *name)
{
    size_t i = find_name(&g->by_name, name, SIZE_MAX);
    return i == SIZE_MAX ? NULL : &g->tensors[i];
}

void gguf_hash_weights(const struct gguf *g, struct hash *h)
{
    enum { SAMPLES = 4, SAMPLE = 256 };
    for (size_t i = 0; i < g->n_tensors; i++) {
        const struct gguf_tensor *t = &g->tensors[i];
        const uint64_t n = t->bytes < SAMPLE ? t->bytes : SAMPLE;
        hash_update(h, t->name.s, t->name.n);
        hash_update(h, &t->type, sizeof t->type);
        hash_update(h, t->dim, sizeof t->dim);
        for (uint64_t s = 0; s < SAMPLES; s++)
            hash_update(h, t->data + (t->bytes - n) / (SAMPLES - 1) * s, n);
    }
}
