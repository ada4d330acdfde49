// From the bytes of a GGUF file to its table of contents, each number checked before it is used.
#include "io/gguf.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/cursor.h"
#include "io/gguf_impl.h"
#include "io/mem.h"
#include "io/show.h"

enum {
    MAX_ITEMS = 1 << 24, // keys or tensors; far above any model, and fits an index slot
    MAX_PARTS = 99999,   // five digits in the name of a part
};

// A name from the file in a form that can be printed in a message.
struct shown {
    char s[96];
};
#define SHOW(str) show_bytes((str).s, (str).n, (struct shown){{0}}.s, sizeof(struct shown))

// Indexes N items; *TWICE is the position of one whose name was there before, or N.
static int build_index(struct index *ix, const void *items, size_t stride, size_t n, size_t *twice,
                       struct err *e)
{
    size_t size = 16;
    while (size < 2 * n)
        size *= 2;
    *ix = (struct index){.items = items, .stride = stride, .mask = size - 1};
    ix->slot = mem_new(size, sizeof *ix->slot, e);
    if (!ix->slot)
        return ERR_NOMEM;
    for (*twice = 0; *twice < n; ++*twice) {
        uint32_t *slot = gguf_slot(ix, *gguf_name_at(ix, *twice));
        if (*slot)
            break;
        *slot = (uint32_t)*twice + 1;
    }
    return 0;
}

// ---- parsing the table of contents

static struct gguf_str take_str(struct cursor *c)
{
    uint64_t n = cursor_u64(c);
    const uint8_t *p = cursor_bytes(c, n);
    return p ? (struct gguf_str){(const char *)p, n} : (struct gguf_str){"", 0};
}

// Only 0 and 1 are booleans; anything else means that the file is not what it seems.
static int are_bools(const uint8_t *p, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++)
        if (p[i] > 1)
            return 0;
    return 1;
}

static int take_array(struct cursor *c, struct key *k, const char *path, struct err *e)
{
    uint32_t kind = cursor_u32(c);
    uint64_t n = cursor_u64(c), bytes;
    if (c->bad)
        return 0;
    if (kind >= GGUF_N_KINDS)
        return err_set(e, ERR_FORMAT, "%s: key '%s' is an array of unknown kind %" PRIu32, path,
                       SHOW(k->name), kind);
    if (kind == GGUF_ARRAY)
        return err_set(e, ERR_UNSUPPORTED, "%s: key '%s' is an array of arrays", path,
                       SHOW(k->name));
    k->array = (struct gguf_array){.kind = (enum gguf_kind)kind, .n = n, .data = c->p};
    if (kind == GGUF_STR) {
        for (uint64_t i = 0; i < n && !c->bad; i++)
            take_str(c);
        return 0;
    }
    if (__builtin_mul_overflow(n, (uint64_t)gguf_kinds[kind].bytes, &bytes))
        c->bad = 1;
    else
        cursor_bytes(c, bytes);
    if (!c->bad && kind == GGUF_BOOL && !are_bools(k->array.data, n))
        return err_set(e, ERR_FORMAT, "%s: key '%s' holds a boolean that is neither 0 nor 1", path,
                       SHOW(k->name));
    return 0;
}

static int take_key(struct cursor *c, struct key *k, const char *path, struct err *e)
{
    k->name = take_str(c);
    uint32_t kind = cursor_u32(c);
    if (c->bad)
        return 0;
    if (!k->name.n)
        return err_set(e, ERR_FORMAT, "%s: a key has no name", path);
    if (kind >= GGUF_N_KINDS)
        return err_set(e, ERR_FORMAT, "%s: key '%s' is of unknown kind %" PRIu32, path,
                       SHOW(k->name), kind);
    k->kind = (enum gguf_kind)kind;
    if (kind == GGUF_ARRAY)
        return take_array(c, k, path, e);
    if (kind == GGUF_STR) {
        k->str = take_str(c);
        return 0;
    }
    k->value = cursor_bytes(c, (size_t)gguf_kinds[kind].bytes);
    if (kind == GGUF_BOOL && k->value && !are_bools(k->value, 1))
        return err_set(e, ERR_FORMAT, "%s: key '%s' is a boolean that is neither 0 nor 1", path,
                       SHOW(k->name));
    return 0;
}

static int take_keys(struct part *p, struct cursor *c, uint64_t n, struct err *e)
{
    for (uint64_t i = 0; i < n; i++) {
        if (MEM_GROW(p->keys, p->cap_keys, p->n_keys + 1, e))
            return ERR_NOMEM;
        struct key k = {0};
        int rc = take_key(c, &k, p->path, e);
        if (rc)
            return rc;
        if (c->bad)
            return err_set(e, ERR_FORMAT,
                           "%s: ends within its metadata (key %" PRIu64 " of %" PRIu64
                           "); is the download complete?",
                           p->path, i + 1, n);
        p->keys[p->n_keys++] = k;
    }
    size_t twice;
    if (build_index(&p->by_name, p->keys, sizeof *p->keys, p->n_keys, &twice, e))
        return ERR_NOMEM;
    if (twice < p->n_keys)
        return err_set(e, ERR_FORMAT, "%s: key '%s' appears twice", p->path,
                       SHOW(p->keys[twice].name));
    return 0;
}

// The size of a tensor whose name, type and shape have been read.
static int size_tensor(const struct gguf *g, const struct part *p, struct gguf_tensor *t,
                       struct err *e)
{
    uint64_t rows = 1, row_bytes;
    int too_big = 0;
    for (int i = 0; i < t->n_dims; i++) {
        if (!t->dim[i])
            return err_set(e, ERR_FORMAT, "%s: tensor '%s' has a dimension of 0", p->path,
                           SHOW(t->name));
        if (i && __builtin_mul_overflow(rows, t->dim[i], &rows))
            too_big = 1;
    }
    // 65536 is a multiple of every block size, so 0 can only mean that the type is unknown.
    if (!g->type_bytes(t->type, 65536))
        return err_set(e, ERR_UNSUPPORTED,
                       "%s: tensor '%s' is of type %" PRIu32 ", which this build does not know",
                       p->path, SHOW(t->name), t->type);
    // No type takes less than a bit for an element; the bound keeps type_bytes from overflowing.
    if (!too_big && t->dim[0] / 8 <= p->map.bytes) {
        row_bytes = g->type_bytes(t->type, t->dim[0]);
        if (!row_bytes)
            return err_set(e, ERR_FORMAT,
                           "%s: tensor '%s' has rows of %" PRIu64
                           " elements, which is not a whole number of blocks of type %" PRIu32,
                           p->path, SHOW(t->name), t->dim[0], t->type);
        too_big = __builtin_mul_overflow(row_bytes, rows, &t->bytes);
    } else {
        too_big = 1;
    }
    if (too_big)
        return err_set(e, ERR_FORMAT, "%s: tensor '%s' is larger than the file", p->path,
                       SHOW(t->name));
    return 0;
}

// One record of the tensor table; *OFF is relative to the data section, whose place is not known
// before the table ends.
static int take_tensor(const struct gguf *g, const struct part *p, struct cursor *c,
                       struct gguf_tensor *t, uint64_t *off, struct err *e)
{
    t->name = take_str(c);
    uint32_t n_dims = cursor_u32(c);
    if (c->bad)
        return 0;
    if (!t->name.n)
        return err_set(e, ERR_FORMAT, "%s: a tensor has no name", p->path);
    if (n_dims < 1 || n_dims > 4)
        return err_set(e, ERR_FORMAT, "%s: tensor '%s' has %" PRIu32 " dimensions, not 1 to 4",
                       p->path, SHOW(t->name), n_dims);
    t->n_dims = (int)n_dims;
    for (int i = 0; i < 4; i++)
        t->dim[i] = i < t->n_dims ? cursor_u64(c) : 1;
    t->type = cursor_u32(c);
    *off = cursor_u64(c);
    if (c->bad)
        return 0;
    if (*off % p->align)
        return err_set(e, ERR_FORMAT, "%s: tensor '%s' is not aligned to %" PRIu64 " bytes",
                       p->path, SHOW(t->name), p->align);
    return size_tensor(g, p, t, e);
}

static int by_place(const void *a, const void *b)
{
    const struct gguf_tensor *x = *(const struct gguf_tensor *const *)a;
    const struct gguf_tensor *y = *(const struct gguf_tensor *const *)b;
    return (x->data > y->data) - (x->data < y->data);
}

// Tensors from FIRST on belong to the part and lie inside of it.
static int check_overlap(const struct gguf *g, const struct part *p, size_t first, struct err *e)
{
    size_t n = g->n_tensors - first;
    int rc = 0;
    const struct gguf_tensor **sorted = mem_new(n, sizeof *sorted, e);
    if (!sorted)
        return ERR_NOMEM;
    for (size_t i = 0; i < n; i++)
        sorted[i] = &g->tensors[first + i];
    qsort(sorted, n, sizeof *sorted, by_place);
    for (size_t i = 1; i < n && !rc; i++)
        if (sorted[i]->data < sorted[i - 1]->data + sorted[i - 1]->bytes)
            rc = err_set(e, ERR_FORMAT, "%s: tensors '%s' and '%s' overlap", p->path,
                         SHOW(sorted[i - 1]->name), SHOW(sorted[i]->name));
    free(sorted);
    return rc;
}

// Turns offsets into pointers, now that the data section is known to begin at DATA.
static int place_tensors(struct gguf *g, const struct part *p, size_t first, const uint64_t *off,
                         uint64_t data, struct err *e)
{
    for (size_t i = first; i < g->n_tensors; i++) {
        struct gguf_tensor *t = &g->tensors[i];
        uint64_t begin, end;
        if (__builtin_add_overflow(data, off[i - first], &begin) ||
            __builtin_add_overflow(begin, t->bytes, &end) || end > p->map.bytes)
            return err_set(e, ERR_FORMAT,
                           "%s: tensor '%s' ends past the file; is the download complete?", p->path,
                           SHOW(t->name));
        t->data = p->map.data + begin;
    }
    return check_overlap(g, p, first, e);
}

static int take_tensors(struct gguf *g, const struct part *p, struct cursor *c, uint64_t n,
                        struct err *e)
{
    size_t first = g->n_tensors, cap_off = 0;
    uint64_t *off = NULL;
    int rc = 0;
    for (uint64_t i = 0; i < n && !rc; i++) {
        if ((rc = MEM_GROW(g->tensors, g->cap_tensors, g->n_tensors + 1, e)))
            break;
        if ((rc = MEM_GROW(off, cap_off, i + 1, e)))
            break;
        struct gguf_tensor t = {0};
        rc = take_tensor(g, p, c, &t, off + i, e);
        if (!rc && c->bad)
            rc = err_set(e, ERR_FORMAT,
                         "%s: ends within its list of tensors (%" PRIu64 " of %" PRIu64
                         "); is the download complete?",
                         p->path, i + 1, n);
        if (!rc)
            g->tensors[g->n_tensors++] = t;
    }
    if (!rc) {
        uint64_t data = (uint64_t)(c->p - p->map.data);
        data += (p->align - data % p->align) % p->align;
        rc = place_tensors(g, p, first, off, data, e);
    }
    free(off);
    return rc;
}

// ---- one file

static int check_version(uint32_t version, const char *path, struct err *e)
{
    if (version == 2 || version == 3)
        return 0;
    if (version && !(version & 0xffff))
        return err_set(e, ERR_UNSUPPORTED,
                       "%s: is a big-endian GGUF file; convert the model again "
                       "for a little-endian machine",
                       path);
    return err_set(e, ERR_UNSUPPORTED,
                   "%s: is GGUF version %" PRIu32 "; versions 2 and 3 can be "
                   "read",
                   path, version);
}

static int open_part(struct gguf *g, struct part *p, struct err *e)
{
    int rc = file_map(&p->map, p->path, e);
    if (rc)
        return rc;
    struct cursor c = {p->map.data, p->map.bytes, 0};
    const uint8_t *magic = cursor_bytes(&c, 4);
    if (!magic || memcmp(magic, "GGUF", 4))
        return err_set(e, ERR_FORMAT, "%s: is not a GGUF model", p->path);
    uint32_t version = cursor_u32(&c);
    if (c.bad)
        return err_set(e, ERR_FORMAT, "%s: ends within its header", p->path);
    if ((rc = check_version(version, p->path, e)))
        return rc;
    uint64_t n_tensors = cursor_u64(&c), n_keys = cursor_u64(&c);
    if (c.bad)
        return err_set(e, ERR_FORMAT, "%s: ends within its header", p->path);
    if (n_tensors > MAX_ITEMS || n_keys > MAX_ITEMS)
        return err_set(e, ERR_FORMAT, "%s: claims %" PRIu64 " keys and %" PRIu64 " tensors",
                       p->path, n_keys, n_tensors);
    if ((rc = take_keys(p, &c, n_keys, e)))
        return rc;
    p->align = 32;
    const struct key *align = gguf_find_key(p, "general.alignment");
    if (align && (gguf_key_uint(align, &p->align) || p->align < 8 || p->align > 1u << 30 ||
                  (p->align & (p->align - 1))))
        return err_set(e, ERR_FORMAT, "%s: key 'general.alignment' is not a power of two from 8 on",
                       p->path);
    return take_tensors(g, p, &c, n_tensors, e);
}

// ---- split files

static int part_uint(const struct part *p, const char *name, uint64_t *v, struct err *e)
{
    const struct key *k = gguf_find_key(p, name);
    if (!k || gguf_key_uint(k, v))
        return err_set(e, ERR_FORMAT, "%s: key '%s' is missing or no count", p->path, name);
    return 0;
}

// The path of part NO (from 0) of COUNT, beside the first.
static char *part_path(const char *first, uint64_t no, uint64_t count, struct err *e)
{
    char tail[64];
    int n = snprintf(tail, sizeof tail, "-00001-of-%05" PRIu64 ".gguf", count);
    size_t len = strlen(first);
    if (len < (size_t)n || strcmp(first + len - n, tail)) {
        err_set(e, ERR_FORMAT, "%s: is the first of %" PRIu64 " parts, but is not named *%s", first,
                count, tail);
        return NULL;
    }
    char *path = mem_strdup(first, e);
    if (path)
        snprintf(path + len - n, (size_t)n + 1, "-%05" PRIu64 "-of-%05" PRIu64 ".gguf", no + 1,
                 count);
    return path;
}

static int open_others(struct gguf *g, uint64_t count, struct err *e)
{
    struct part *parts = mem_new(count, sizeof *parts, e);
    if (!parts)
        return ERR_NOMEM;
    parts[0] = g->parts[0];
    free(g->parts);
    g->parts = parts;
    for (uint64_t no = 1; no < count; no++) {
        struct part *p = &g->parts[no];
        p->path = part_path(g->parts[0].path, no, count, e);
        if (!p->path)
            return e->code;
        g->n_parts = no + 1;
        uint64_t its_no, its_count;
        int rc = open_part(g, p, e);
        if (!rc)
            rc = part_uint(p, "split.no", &its_no, e);
        if (!rc)
            rc = part_uint(p, "split.count", &its_count, e);
        if (rc)
            return rc;
        if (its_no != no || its_count != count)
            return err_set(e, ERR_MISMATCH,
                           "%s: says that it is part %" PRIu64 " of %" PRIu64 ", not %" PRIu64
                           " of %" PRIu64,
                           p->path, its_no + 1, its_count, no + 1, count);
    }
    return 0;
}

static int open_all(struct gguf *g, struct err *e)
{
    struct part *first = &g->parts[0];
    uint64_t no, count = 1, n_tensors;
    int rc = open_part(g, first, e);
    if (rc)
        return rc;
    if (gguf_find_key(first, "split.count") && (rc = part_uint(first, "split.count", &count, e)))
        return rc;
    if (count > 1) {
        if ((rc = part_uint(first, "split.no", &no, e)))
            return rc;
        if (count > MAX_PARTS || no >= count)
            return err_set(e, ERR_FORMAT, "%s: claims to be part %" PRIu64 " of %" PRIu64,
                           first->path, no, count);
        if (no)
            return err_set(e, ERR_USAGE,
                           "%s: is part %" PRIu64 " of %" PRIu64
                           "; name the first part (-00001-of-%05" PRIu64 ".gguf)",
                           first->path, no + 1, count, count);
        if ((rc = open_others(g, count, e)))
            return rc;
        first = &g->parts[0];
        if (gguf_find_key(first, "split.tensors.count")) {
            if ((rc = part_uint(first, "split.tensors.count", &n_tensors, e)))
                return rc;
            if (n_tensors != g->n_tensors)
                return err_set(e, ERR_FORMAT,
                               "%s: its parts hold %zu tensors, not the %" PRIu64 " it names",
                               first->path, g->n_tensors, n_tensors);
        }
    }
    size_t twice;
    rc = build_index(&g->by_name, g->tensors, sizeof *g->tensors, g->n_tensors, &twice, e);
    if (!rc && twice < g->n_tensors)
        rc = err_set(e, ERR_FORMAT, "%s: tensor '%s' appears twice", first->path,
                     SHOW(g->tensors[twice].name));
    return rc;
}

int gguf_open(struct gguf **out, const char *path, gguf_type_bytes_fn *type_bytes, struct err *e)
{
    struct err unseen;
    e = e ? e : &unseen;
    *out = NULL;
    struct gguf *g = mem_new(1, sizeof *g, e);
    if (!g)
        return ERR_NOMEM;
    g->type_bytes = type_bytes;
    int rc = ERR_NOMEM;
    g->parts = mem_new(1, sizeof *g->parts, e);
    if (g->parts) {
        g->n_parts = 1;
        g->parts[0].path = mem_strdup(path, e);
        if (g->parts[0].path)
            rc = open_all(g, e);
    }
    if (rc) {
        gguf_close(g);
        return rc;
    }
    *out = g;
    return 0;
}
