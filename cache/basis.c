#include "cache/basis.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cache/codec.h"
#include "cache/pack.h"
#include "io/cursor.h"
#include "io/hash.h"
#include "io/mem.h"
#include "kernels/codec/mix_bytes.h"

// ------------------------------------------------------------------------------------------ tables

// Fills in the symbols of N_JOINT levels, and what they stand for, from the frequencies of single
// levels.
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
    // The rounding error goes to the symbol where it matters least.
    int left = (1 << BASIS_BITS) - (int)sum;
    if (t->freq[best] + left < 1)
        return -1;
    t->freq[best] = (uint16_t)(t->freq[best] + left);
    unsigned at = 0;
    for (unsigned s = 0; s < t->n; s++) {
        t->start[s] = (uint16_t)at;
        for (unsigned i = 0; i < t->freq[s]; i++)
            t->slots[at++] = rans_slot(s, t->freq[s], i);
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
    if (cursor_u8(c) || !t->most || t->most > BASIS_MOST_MAX || t->shift > BASIS_SHIFT_MAX ||
        (t->most + 1) << t->shift > BASIS_Q_MAX ||
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

// Whether no element can get too large; MEAN: the largest magnitude of the part's mean.
static int in_range(const struct basis_part *p, double mean, uint32_t n_live, int mixed)
{
    double sum = mixed ? 127. * n_live * BASIS_Q_MAX : BASIS_Q_MAX;
    return p->step > 0 && p->unit > 0 && (double)p->step * p->unit >= 0x1p-120 &&
           mean + (double)p->step * p->unit * sum < 0x1p127;
}

// Reads which of WIDTH channels a group stores, and with which tables.
static int get_channels(struct cursor *c, const struct basis *b, size_t width,
                        struct basis_group *g, struct basis_room *r)
{
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
    return 0;
}

// Reads a part; R: the room that is not taken yet. KEYS: the part before it, if it has the same
// channels; else NULL.
static int get_part(struct cursor *c, const struct basis *b, struct basis_part *part, int mixed,
                    const struct basis_part *keys, struct basis_room *r)
{
    const size_t wide = (size_t)b->n_kv_heads * b->head_dim, width = wide / b->n_groups;
    double most = 0;
    uint32_t n_live = 0;
    part->step = cursor_f32(c);
    part->unit = cursor_f32(c);
    float *mean = r->means;
    r->means += wide;
    for (size_t i = 0; i < wide; i++) {
        mean[i] = cursor_half(c);
        if (!(fabsf(mean[i]) < 0x1p126f))
            return -1;
        most = fabs((double)mean[i]) > most ? fabs((double)mean[i]) : most;
    }
    part->mean = mean;
    part->groups = r->groups;
    for (uint32_t i = 0; i < b->n_groups; i++) {
        struct basis_group *g = r->groups++;
        if (keys)
            *g = keys->groups[i];
        else if (get_channels(c, b, b->paired ? 2 * width : width, g, r))
            return -1;
        n_live = g->n_live > n_live ? g->n_live : n_live;
    }
    for (uint32_t i = 0; i < b->n_groups && mixed; i++)
        part->groups[i].rows = (const int8_t *)cursor_bytes(c, part->groups[i].n_live * width);
    return c->bad || !in_range(part, most, n_live, mixed) || (!mixed && part->unit != 1) ? -1 : 0;
}

// The most bytes that the section can have for this shape.
static uint64_t most_bytes(const struct basis *b, size_t wide, size_t parts)
{
    uint64_t width = (uint64_t)b->group * b->head_dim;
    return BASIS_TABLES_MAX * (4 + 2 * BASIS_SYMBOLS_MAX) +
           parts * (8 + 3 * wide + (b->paired ? 2 : 1) * wide * width);
}

static int wrong(struct err *e)
{
    return err_set(e, ERR_FORMAT, "section BASE is wrong");
}

// Reads the head of the section and unpacks what follows; *MIXED: whether it has matrices.
static int open_section(struct basis *b, struct cursor *c, int *mixed, struct err *e)
{
    const size_t wide = (size_t)b->n_kv_heads * b->head_dim, parts = 2 * (size_t)b->n_layers;
    b->group = cursor_u32(c);
    b->n_tables = cursor_u32(c);
    uint32_t flags = cursor_u32(c), raw = cursor_u32(c);
    int packed = flags & BASIS_PACKED;
    *mixed = flags & BASIS_MIXED;
    b->paired = *mixed && b->codec == CODEC_CODED_PAIRED;
    if (c->bad || !b->group || b->group > b->n_kv_heads || b->n_kv_heads % b->group ||
        !b->n_tables || b->n_tables > BASIS_TABLES_MAX ||
        flags & ~(uint32_t)(BASIS_MIXED | BASIS_PACKED) || (!packed && raw) ||
        (size_t)b->group * b->head_dim > (*mixed ? BASIS_WIDTH_MAX : UINT16_MAX))
        return wrong(e);
    if (packed) {
        if (raw > most_bytes(b, wide, parts) || !pack_plausible(c->left, raw))
            return wrong(e);
        if (!(b->own.unpacked = mem_new(raw, 1, e)))
            return ERR_NOMEM;
        if (pack_unpack(c->p, c->left, b->own.unpacked, raw, e))
            return err_set(e, ERR_FORMAT, "section BASE is damaged");
        *c = (struct cursor){b->own.unpacked, raw, 0};
    }
    // Checked before memory is allocated: every part has two numbers, means, and tables.
    return c->left / (8 + 3 * wide) < parts ? wrong(e) : 0;
}

static int room_new(struct basis *b, struct err *e)
{
    const size_t wide = (size_t)b->n_kv_heads * b->head_dim, parts = 2 * (size_t)b->n_layers;
    struct basis_room *r = &b->own;
    return (r->means = mem_new(parts * wide, sizeof *r->means, e)) &&
                   (r->tables = mem_new(parts * wide, 1, e)) &&
                   (r->channels = mem_new(parts * wide, sizeof *r->channels, e)) &&
                   (r->groups = mem_new(parts * b->n_groups, sizeof *r->groups, e)) &&
                   (b->tables = mem_new(b->n_tables, sizeof *b->tables, e)) &&
                   (b->parts = mem_new(parts, sizeof *b->parts, e))
               ? 0
               : ERR_NOMEM;
}

static int parse(struct basis *b, struct cursor *c, struct err *e)
{
    int mixed, rc = open_section(b, c, &mixed, e);
    if (rc)
        return rc;
    b->n_groups = b->n_kv_heads / b->group;
    const size_t width = (size_t)b->group * b->head_dim;
    b->panel_width = (uint32_t)((width + MIX_WIDTH - 1) / MIX_WIDTH * MIX_WIDTH);
    if ((rc = room_new(b, e)))
        return rc;
    struct basis_room left = b->own;
    int bad = 0;
    for (uint32_t i = 0; i < b->n_tables && !bad; i++)
        bad = get_table(c, &b->tables[i]);
    for (size_t i = 0; i < 2 * (size_t)b->n_layers && !bad; i++)
        bad = get_part(c, b, &b->parts[i], mixed, b->paired && i % 2 ? &b->parts[i - 1] : NULL,
                       &left);
    return bad || c->bad || c->left ? wrong(e) : 0;
}

// ----------------------------------------------------------------------- what is made of the rows

// Lays four rows side by side, with 128 added to each element.
static void lay_rows(const int8_t *const row[4], size_t width, uint8_t *to)
{
    for (size_t d = 0; d < width; d++) {
        uint32_t x = (uint32_t)(uint8_t)row[0][d] | (uint32_t)(uint8_t)row[1][d] << 8 |
                     (uint32_t)(uint8_t)row[2][d] << 16 | (uint32_t)(uint8_t)row[3][d] << 24;
        x ^= 0x80808080;
        memcpy(to + 4 * d, &x, sizeof x);
    }
}

static int make_panel(const struct basis *b, struct basis_group *g, struct err *e)
{
    static const int8_t none[BASIS_WIDTH_MAX];
    const size_t width = (size_t)b->group * b->head_dim, fours = (g->n_live + 3u) / 4;
    g->panel = mem_new_aligned(fours * 4, b->panel_width, e);
    if (!g->panel)
        return ERR_NOMEM;
    for (size_t c = 0; c < fours; c++) {
        const int8_t *row[4];
        uint8_t *to = g->panel + c * 4 * b->panel_width;
        for (size_t i = 0; i < 4; i++)
            row[i] = 4 * c + i < g->n_live ? g->rows + (4 * c + i) * width : none;
        lay_rows(row, width, to);
        memset(to + 4 * width, 128, 4 * (b->panel_width - width));
    }
    return 0;
}

// The cost of a level is what it costs in a symbol whose other levels are 0.
static struct rounding rounding_of_table(const struct basis_table *t)
{
    double p[2 * BASIS_MOST_MAX + 1];
    size_t first = 0;
    for (size_t i = 1, times = 2 * t->most + 2; i < t->n_joint; i++, times *= 2 * t->most + 2)
        first += t->most * times;
    for (size_t i = 0; i < 2 * t->most + 1; i++)
        p[i] = t->freq[first + i];
    return rounding_of(p, t->most, t->shift);
}

static int make_codes(struct basis *b, struct err *e)
{
    if (!(b->codes = mem_new(b->n_tables, BASIS_SYMBOLS_MAX * sizeof *b->codes, e)))
        return ERR_NOMEM;
    for (uint32_t i = 0; i < b->n_tables; i++)
        b->tables[i].rounding = rounding_of_table(&b->tables[i]);
    for (uint32_t i = 0; i < b->n_tables; i++)
        for (unsigned s = 0; s < b->tables[i].n; s++)
            b->codes[i * BASIS_SYMBOLS_MAX + s] =
                rans_code_of(b->tables[i].freq[s], b->tables[i].start[s]);
    return 0;
}

static int make_panels(struct basis *b, struct err *e)
{
    int rc = 0;
    for (size_t i = 0; i < 2 * (size_t)b->n_layers * b->n_groups && !rc; i++)
        if (b->own.groups[i].rows)
            rc = make_panel(b, &b->own.groups[i], e);
    return rc;
}

struct inverting {
    struct basis *b;
    int *rc;       // [2 n_layers n_groups]
    struct err *e; // [2 n_layers n_groups]
};

static void invert_task(void *ctx, int task, int thread)
{
    (void)thread;
    const struct inverting *y = ctx;
    const struct basis *b = y->b;
    const uint32_t part = (uint32_t)task / b->n_groups;
    struct basis_group *g = &b->own.groups[task];
    const struct basis_part *p = &b->parts[part];
    if (!g->rows || (b->paired && part % 2))
        return;
    struct basis_rows rows = {.n = g->n_live,
                              .heads = b->group,
                              .dim = b->head_dim,
                              .n_sides = 1,
                              .side = {{g->rows, p->unit, 1}}};
    if (b->paired) {
        rows.n_sides = 2;
        rows.side[0].step = p->step;
        rows.side[1] = (struct basis_side){g[b->n_groups].rows, p[1].unit, p[1].step};
    }
    y->rc[task] = basis_inverse(&g->inverse, &rows, &y->e[task]);
}

static int make_inverses(struct basis *b, struct pool *pool, struct err *e)
{
    const size_t n = 2 * (size_t)b->n_layers * b->n_groups;
    struct inverting y = {b, mem_new(n, sizeof *y.rc, e), mem_new(n, sizeof *y.e, e)};
    int rc = y.rc && y.e ? 0 : ERR_NOMEM;
    if (!rc)
        pool_run(pool, (int)n, invert_task, &y);
    for (size_t i = 0; i < n && !rc; i++)
        if ((rc = y.rc[i]))
            err_set(e, rc, "%s", y.e[i].msg);
    free(y.rc);
    free(y.e);
    return rc;
}

static int prepare(struct basis *b, struct pool *writer, struct err *e)
{
    int rc = b->codec != CODEC_CODED ? make_panels(b, e) : 0;
    if (!rc && writer && !(rc = make_codes(b, e)))
        rc = make_inverses(b, writer, e);
    return rc;
}

int basis_open(struct basis **out, const uint8_t *data, uint64_t bytes, const struct kvz_meta *m,
               struct pool *writer, struct err *e)
{
    struct basis *b = mem_new(1, sizeof *b, e);
    if (!b)
        return ERR_NOMEM;
    b->codec = m->recipe.codec;
    b->n_layers = m->n_layers;
    b->n_kv_heads = m->n_kv_heads;
    b->head_dim = m->head_dim;
    struct cursor c = {data, bytes, 0};
    int rc = parse(b, &c, e);
    if (!rc)
        rc = prepare(b, writer, e);
    if (!rc)
        rc = basis_for_device(b, hash64(data, bytes), e);
    if (rc)
        basis_close(b);
    else
        *out = b;
    return rc;
}

int basis_is_near(const struct basis *b, uint32_t layer, uint32_t head)
{
    const size_t dim = b->head_dim, width = b->group * dim, from = head % b->group * dim;
    for (uint32_t is_v = 0; is_v < 2; is_v++) {
        const struct basis_group *g = &b->parts[2 * layer + is_v].groups[head / b->group];
        for (size_t c = 0; c < g->n_live; c++) {
            if (!g->rows && g->channel[c] / dim == head % b->group)
                return 0;
            for (size_t d = from; g->rows && d < from + dim; d++)
                if (g->rows[c * width + d])
                    return 0;
        }
    }
    return 1;
}

void basis_close(struct basis *b)
{
    if (!b)
        return;
    for (size_t i = 0; b->parts && i < 2 * (size_t)b->n_layers; i++)
        for (uint32_t j = 0; b->parts[i].groups && j < b->n_groups; j++) {
            free(b->parts[i].groups[j].panel);
            free(b->parts[i].groups[j].inverse);
        }
    struct basis_room *r = &b->own;
    void *all[] = {r->means,    r->tables,        r->channels,      r->groups,
                   r->unpacked, r->device_tables, r->device_layers, r->device_groups};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
    free(b->tables);
    free(b->codes);
    free(b->parts);
    free(b);
}
