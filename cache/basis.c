#include "cache/basis.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/cursor.h"
#include "io/mem.h"

// ------------------------------------------------------------------------------------------ tables

// Symbols of N_JOINT levels and what they stand for, from the frequencies of single levels.
static int fill_table(struct basis_table *t, const uint16_t *single)
{
    unsigned base = 2 * t->most + 2, sum = 0, best = 0;
    for (unsigned s = 0; s < t->n; s++) {
        uint32_t f = 1u << BASIS_BITS;
        for (unsigned i = 0, rest = s; i < t->n_joint; i++, rest /= base)
            f = f * single[rest % base] >> BASIS_BITS;
        t->freq[s] = (uint16_t)(f ? f : 1);
        sum += t->freq[s];
        best = t->freq[s] > t->freq[best] ? s : best;
    }
    // Rounding is made up for where it is felt least.
    int left = (1 << BASIS_BITS) - (int)sum;
    if (t->freq[best] + left < 1)
        return -1;
    t->freq[best] = (uint16_t)(t->freq[best] + left);
    unsigned at = 0;
    for (unsigned s = 0; s < t->n; s++) {
        struct slot slot = {.freq = t->freq[s]};
        for (unsigned i = 0, rest = s; i < t->n_joint; i++, rest /= base) {
            int escape = rest % base == base - 1;
            slot.level[i] = (int8_t)(escape ? LEVEL_ESCAPE : (int)(rest % base) - (int)t->most);
            slot.bias |= escape ? SLOT_ESCAPE : 0;
        }
        t->start[s] = (uint16_t)at;
        for (unsigned i = 0; i < t->freq[s]; i++, at++) {
            t->slots[at] = slot;
            t->slots[at].bias = (uint16_t)(slot.bias | i);
        }
    }
    return 0;
}

static int get_table(struct cursor *c, struct basis_table *t)
{
    uint16_t single[256];
    uint32_t sum = 0;
    t->n_joint = cursor_u8(c);
    t->most = cursor_u8(c);
    t->shift = cursor_u8(c);
    if (cursor_u8(c) || !t->most || t->most > 127 || t->shift > BASIS_SHIFT_MAX ||
        (t->n_joint != 1 && t->n_joint != 2 && t->n_joint != BASIS_JOINT_MAX))
        return -1;
    unsigned base = 2 * t->most + 2;
    t->n = 1;
    for (unsigned i = 0; i < t->n_joint && t->n <= BASIS_SYMBOLS_MAX; i++)
        t->n *= base;
    if (t->n > BASIS_SYMBOLS_MAX)
        return -1;
    for (unsigned i = 0; i < base; i++) {
        single[i] = cursor_u16(c);
        sum += single[i];
        if (!single[i])
            return -1;
    }
    return sum == 1 << BASIS_BITS ? fill_table(t, single) : -1;
}

// ------------------------------------------------------------------------------------------- parts

// What the parts borrow from: one array of each type for all of them.
struct room {
    float *means;
    int8_t *columns;
    uint8_t *tables;
    uint16_t *channels;
    struct basis_group *groups;
};

static float get_float(struct cursor *c)
{
    uint32_t u = cursor_u32(c);
    float x;
    memcpy(&x, &u, 4);
    return x;
}

// The upper half of a float32.
static float get_half(struct cursor *c)
{
    uint32_t u = (uint32_t)cursor_u16(c) << 16;
    float x;
    memcpy(&x, &u, 4);
    return x;
}

// Largest magnitude of an element, of its mean at most MEAN.
static int in_range(const struct basis_part *p, double mean, uint32_t n_live, int mixed)
{
    double sum = mixed ? 127. * n_live * BASIS_Q_MAX : BASIS_Q_MAX;
    return p->step > 0 && p->unit > 0 && (double)p->step * p->unit >= 0x1p-120 &&
           mean + (double)p->step * p->unit * sum < 0x1p127;
}

static void get_rows(struct cursor *c, struct basis_group *g, size_t width, int encode,
                     struct room *r)
{
    size_t n = g->n_live * width;
    const int8_t *rows = (const int8_t *)cursor_bytes(c, n);
    g->rows = rows;
    if (!rows || !encode)
        return;
    for (size_t i = 0; i < n; i++)
        r->columns[i % width * g->n_live + i / width] = rows[i];
    g->columns = r->columns;
    r->columns += n;
}

static int get_part(struct cursor *c, const struct basis *b, struct basis_part *part, int mixed,
                    int encode, struct room *r)
{
    const size_t wide = (size_t)b->n_kv_heads * b->head_dim, width = wide / b->n_groups;
    double most = 0;
    uint32_t n_live = 0;
    part->step = get_float(c);
    part->unit = get_float(c);
    float *mean = r->means;
    r->means += wide;
    for (size_t i = 0; i < wide; i++) {
        mean[i] = get_half(c);
        if (!(fabsf(mean[i]) < 0x1p126f))
            return -1;
        most = fabs((double)mean[i]) > most ? fabs((double)mean[i]) : most;
    }
    part->mean = mean;
    part->groups = r->groups;
    for (uint32_t i = 0; i < b->n_groups; i++) {
        struct basis_group *g = r->groups++;
        g->table = r->tables;
        g->channel = r->channels;
        for (size_t j = 0; j < width; j++) {
            uint8_t t = cursor_u8(c);
            if (t > b->n_tables)
                return -1;
            if (!t)
                continue;
            *r->tables++ = (uint8_t)(t - 1);
            *r->channels++ = (uint16_t)j;
            g->n_live++;
        }
        n_live = g->n_live > n_live ? g->n_live : n_live;
    }
    for (uint32_t i = 0; i < b->n_groups && mixed; i++)
        get_rows(c, (struct basis_group *)&part->groups[i], width, encode, r);
    return c->bad || !in_range(part, most, n_live, mixed) || (!mixed && part->unit != 1) ? -1 : 0;
}

static int parse(struct basis *b, struct cursor *c, int encode, struct err *e)
{
    const size_t wide = (size_t)b->n_kv_heads * b->head_dim, parts = 2 * (size_t)b->n_layers;
    b->group = cursor_u32(c);
    b->n_tables = cursor_u32(c);
    uint32_t flags = cursor_u32(c), zero = cursor_u32(c);
    if (c->bad || !b->group || b->group > b->n_kv_heads || b->n_kv_heads % b->group ||
        !b->n_tables || b->n_tables > BASIS_TABLES_MAX || flags & ~(uint32_t)BASIS_MIXED || zero ||
        (size_t)b->group * b->head_dim > (flags & BASIS_MIXED ? BASIS_WIDTH_MAX : UINT16_MAX))
        return err_set(e, ERR_FORMAT, "section BASE is wrong");
    // Before memory is asked for: every part has two numbers, means, and tables.
    if (c->left / (8 + 3 * wide) < parts)
        return err_set(e, ERR_FORMAT, "section BASE is wrong");
    int mixed = flags & BASIS_MIXED;
    b->n_groups = b->n_kv_heads / b->group;
    // The matrices cannot be more than the bytes that are there.
    struct room r = {.means = mem_new(parts * wide, sizeof *r.means, e),
                     .columns = mem_new(encode && mixed ? c->left : 0, 1, e),
                     .tables = mem_new(parts * wide, 1, e),
                     .channels = mem_new(parts * wide, sizeof *r.channels, e),
                     .groups = mem_new(parts * b->n_groups, sizeof *r.groups, e)};
    b->tables = mem_new(b->n_tables, sizeof *b->tables, e);
    b->parts = mem_new(parts, sizeof *b->parts, e);
    b->room[0] = r.means;
    b->room[4] = r.columns;
    b->room[1] = r.tables;
    b->room[2] = r.channels;
    b->room[3] = r.groups;
    if (!r.means || !r.columns || !r.tables || !r.channels || !r.groups || !b->tables || !b->parts)
        return ERR_NOMEM;
    int bad = 0;
    for (uint32_t i = 0; i < b->n_tables && !bad; i++)
        bad = get_table(c, &b->tables[i]);
    for (size_t i = 0; i < parts && !bad; i++)
        bad = get_part(c, b, &b->parts[i], mixed, encode, &r);
    return bad || c->bad || c->left ? err_set(e, ERR_FORMAT, "section BASE is wrong") : 0;
}

int basis_open(struct basis **out, const uint8_t *data, uint64_t bytes, const struct kvz_meta *m,
               int encode, struct err *e)
{
    struct basis *b = mem_new(1, sizeof *b, e);
    if (!b)
        return ERR_NOMEM;
    b->n_layers = m->n_layers;
    b->n_kv_heads = m->n_kv_heads;
    b->head_dim = m->head_dim;
    struct cursor c = {data, bytes, 0};
    int rc = parse(b, &c, encode, e);
    if (rc)
        basis_close(b);
    else
        *out = b;
    return rc;
}

void basis_close(struct basis *b)
{
    if (!b)
        return;
    for (size_t i = 0; i < sizeof b->room / sizeof *b->room; i++)
        free(b->room[i]);
    free(b->tables);
    free(b->parts);
    free(b);
}
