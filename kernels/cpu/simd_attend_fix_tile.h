// Attention of one tile of queries by products of whole numbers of 16 bits, for one kv head: the
// probabilities of TILE_M rows with a block of 128 keys are relative to their own largest score
// there, and what they weigh is scaled to the largest so far. Scores are float32.
#ifndef LCTOOL_KERNELS_CPU_SIMD_ATTEND_FIX_TILE_H
#define LCTOOL_KERNELS_CPU_SIMD_ATTEND_FIX_TILE_H

#include "kernels/cpu/simd_attend_panels.h"

enum {
    FIX_KEYS = 128,                 // of a block: their probabilities by values add up to 31 bits
    FIX_PANELS = FIX_KEYS / TILE_N, // the unit of the pieces
    FIX_KEY = 2047,                 // the largest number of a key, and of a query
    FIX_VALUE = 1023,               // of a value; a probability has 1 << 14
    FIX_WIDEST = 256,               // numbers of a head: products of so many keep to 31 bits
    FIX_TILE_ROWS = 48,             // rows of a query tile, if the strip allows: whole groups
    FIX_STRIP = 512 << 10,          // bytes of probabilities that are kept for masses
    FIX_GAP = 32, // rows must not all start in the same set of the cache; read with the last key
};

#define FIX_NONE -1e30f // the largest score of a row that sees no key

struct fix_attention {
    struct attention t; // keys and scratch are not used; pieces begin with a block
    size_t wide;        // a head's numbers, rounded up to whole panels
    size_t n_blocks;    // of all pieces
    size_t rows, kept;  // of a query tile, whole groups; panels whose probabilities are kept
    int masses;         // whether any are asked for
    int32_t *keys;      // [n_kv][n_panels][wide / 2][TILE_N] pairs of numbers of 16 bits
    int32_t *values;    // [n_kv][n_blocks][FIX_KEYS / 2][wide] the same of two keys
    float *key_scale;   // [n_kv][n_panels][TILE_N] in the order of KEYS
    float *value_scale; // [n_kv][n_blocks][wide]
    unsigned char *odd; // [n_kv][n_blocks] 1: some key or value is not finite
    uint8_t *scratch;   // per thread
    size_t scratch_bytes;
};

// Working memory of one thread. A group is TILE_M rows; each of its rows has one of VW places.
struct fix_strip {
    float *row;      // [max(TILE_N, rows)][wide] turned queries or keys
    float *score;    // [TILE_M][FIX_KEYS], not yet by the row's scale; keys as fix_place has them
    float *sum;      // [rows][wide] of the output
    float *scale;    // [groups][VW] of the queries' scores, in units of a factor of two
    float *top;      // [groups][VW] the largest score so far
    float *total;    // [groups][VW] of the probabilities
    float *part_top; // [n_blocks][groups][VW] the largest score of a block
    int32_t *packed; // [groups][wide / 2][TILE_M] queries
    int16_t *prob;   // [rows][kept * TILE_N + FIX_GAP]
};

static size_t fix_groups(const struct fix_attention *x)
{
    return x->rows / TILE_M;
}

static size_t fix_ld(const struct fix_attention *x)
{
    return x->kept * TILE_N + FIX_GAP;
}

static size_t fix_tall(const struct fix_attention *x)
{
    return x->rows > TILE_N ? x->rows : TILE_N;
}

static size_t fix_strip_floats(const struct fix_attention *x)
{
    size_t per_group = fix_groups(x) * VW;
    return round_up(fix_tall(x) * x->wide + TILE_M * FIX_KEYS + x->rows * x->wide +
                    (3 + x->n_blocks) * per_group + x->rows * x->wide / 2);
}

static struct fix_strip fix_strip_of(const struct fix_attention *x, int thread)
{
    size_t per_group = fix_groups(x) * VW;
    struct fix_strip s;
    s.row = (float *)(void *)(x->scratch + (size_t)thread * x->scratch_bytes);
    s.score = s.row + fix_tall(x) * x->wide;
    s.sum = s.score + TILE_M * FIX_KEYS;
    s.scale = s.sum + x->rows * x->wide;
    s.top = s.scale + per_group;
    s.total = s.top + per_group;
    s.part_top = s.total + per_group;
    s.packed = (int32_t *)(void *)(s.part_top + x->n_blocks * per_group);
    s.prob = (int16_t *)(void *)(s.row + fix_strip_floats(x));
    return s;
}

// N numbers of X, a multiple of 2 VW, as SCALE * TO, at most FIX_KEY; *SCALE is infinite or no
// number where one of X is.
INLINE void fix_round(int16_t *to, const float *x, size_t n, float *scale)
{
    float max = largest_size(x, n);
    vf back = v_set1(max == 0 ? 0 : FIX_KEY / max);
    for (size_t i = 0; i < n; i += VW)
        fix_store(to + i, fix_whole(v_load(x + i) * back));
    *scale = max / FIX_KEY;
}

// ---- Queries

// Pairs of numbers of TILE_M rows, WHOLE, from pair AT on: TO [pairs][TILE_M].
static void fix_turn_over(int16_t (*whole)[FIX_WIDEST], size_t at, int32_t *to)
{
    vf r[VW];
    for (size_t i = 0; i < VW; i++)
        r[i] = i < TILE_M ? v_load((const float *)(const void *)&whole[i][2 * at]) : v_set1(0);
    v_transpose(r);
    for (size_t k = 0; k < VW; k++) // the lanes from TILE_M on are overwritten by the next
        store_upto((float *)(void *)(to + (at + k) * TILE_M), r[k], k + 1 < VW ? VW : TILE_M);
}

static void fix_queries(const struct fix_attention *x, const struct fix_strip *s,
                        const struct attend_piece *p, const struct query_tile *q)
{
    memset(s->row, 0, x->rows * x->wide * sizeof *s->row);
    turn_queries(&x->t, q, p, s->row, x->wide);
    for (size_t g = 0; g < fix_groups(x); g++) {
        int16_t whole[TILE_M][FIX_WIDEST];
        for (size_t r = 0; r < TILE_M; r++) {
            float *scale = &s->scale[g * VW + r];
            fix_round(whole[r], s->row + (g * TILE_M + r) * x->wide, x->wide, scale);
            if (x->t.a->softcap == 0)
                *scale *= LOG2_E;
        }
        for (size_t k = 0; k < x->wide / 2; k += VW)
            fix_turn_over(whole, k, s->packed + g * (x->wide / 2) * TILE_M);
    }
}

// ---- Products

// acc += the products of TILE_M rows of pairs Q, and two vectors of pairs P, whose rows are LD
// apart.
INLINE void fix_products(const int32_t *q, size_t step, size_t row, const int32_t *p, size_t ld,
                         size_t n, vi (*acc)[2])
{
    for (size_t s = 0; s < n; s++, q += step, p += ld) {
        vi a = vi_load(p), b = vi_load(p + VW);
#pragma GCC unroll 12
        for (size_t i = 0; i < TILE_M; i++) {
            vi both = vi_set1(q[i * row]);
            fix_add(&acc[i][0], both, a);
            fix_add(&acc[i][1], both, b);
        }
    }
}

INLINE void fix_zero(vi (*acc)[2])
{
#pragma GCC unroll 12
    for (size_t i = 0; i < TILE_M; i++)
        acc[i][0] = acc[i][1] = vi_zero();
}

static vf fix_cap(vf x, float softcap)
{
    return v_set1(softcap * LOG2_E) * v_tanh(x / v_set1(softcap));
}

// A block of keys as a tile of queries sees it.
struct fix_block {
    struct panel_run run;
    int whole[FIX_PANELS]; // whether all queries see the whole panel
};

// What the scores of row R of group G are to be multiplied by.
static float fix_scale(const struct fix_attention *x, const struct fix_strip *s, size_t g, size_t r)
{
    return x->t.a->softcap == 0 ? s->scale[g * VW + r] : 1;
}

// Scores of group G with the keys of panel number I of a block, and what is larger than MOST of
// those that are seen: of all, if WHOLE. WHOLE and CAPPED constants after inlining.
INLINE void fix_panel_scores(int whole, int capped, const struct fix_attention *x,
                             const struct fix_strip *s, const struct query_tile *q,
                             const struct fix_block *b, int i, size_t g, vf *most)
{
    const struct attention *t = &x->t;
    size_t at = (size_t)q->kv * t->n_panels + b->run.at + (size_t)i;
    const int32_t *packed = s->packed + g * (x->wide / 2) * TILE_M;
    const float *scale = x->key_scale + at * TILE_N;
    vi acc[TILE_M][2];
    fix_zero(acc);
    fix_products(packed, TILE_M, 1, x->keys + at * x->wide / 2 * TILE_N, TILE_N, x->wide / 2, acc);
#pragma GCC unroll 12
    for (size_t r = 0; r < TILE_M; r++) {
        float *to = s->score + r * FIX_KEYS + (size_t)i * TILE_N;
        vf low = fix_floats(acc[r][0]) * v_load(scale);
        vf high = fix_floats(acc[r][1]) * v_load(scale + VW);
        if (capped) {
            vf by = v_set1(s->scale[g * VW + r]);
            low = fix_cap(low * by, t->a->softcap);
            high = fix_cap(high * by, t->a->softcap);
        }
        v_store(to, low);
        v_store(to + VW, high);
        if (!whole)
            hide_unseen(keys_seen(t, &t->a->pieces[b->run.piece], query_of(t, q, g * TILE_M + r),
                                  (b->run.panel + i) * TILE_N),
                        v_set1(FIX_NONE), &low, &high);
        most[r] = v_max(most[r], v_max(low, high));
    }
}

// Of all panels of a block.
static void fix_scores(const struct fix_attention *x, const struct fix_strip *s,
                       const struct query_tile *q, const struct fix_block *b, size_t g, vf *most)
{
    for (size_t r = 0; r < TILE_M; r++)
        most[r] = v_set1(FIX_NONE);
    for (int i = 0; i < b->run.n; i++) {
        if (x->t.a->softcap != 0)
            fix_panel_scores(0, 1, x, s, q, b, i, g, most);
        else if (b->whole[i])
            fix_panel_scores(1, 0, x, s, q, b, i, g, most);
        else
            fix_panel_scores(0, 0, x, s, q, b, i, g, most);
    }
}

// 2^14 * 2^(BY * SCORE - top) of TILE_N scores, rounded, from -1024 * BY and 1024 * top.
INLINE vi fix_exponentials(const float *score, vf by, vf top)
{
    vf most = v_set1(65535);
    vi a = fix_whole(v_min(most, v_fma(v_load(score), by, top)));
    vi b = fix_whole(v_min(most, v_fma(v_load(score + VW), by, top)));
    vi below = fix_pack(a, b); // in 1024ths; what is above the top: 0
    vi f = fix_fraction(below);
    // 2^-f, to 1e-4
    vi y = fix_sub(fix_set(7575), fix_times(f, fix_set(1298)));
    y = fix_sub(fix_set(22662), fix_times(f, y));
    y = fix_sub(fix_set(32767), fix_times(f, y));
    return fix_halve(y, below);
}

// The probabilities of group G with a block, and what each row's sum up to.
static vf fix_probs(const struct fix_attention *x, const struct fix_strip *s,
                    const struct query_tile *q, const struct fix_block *b, size_t g,
                    const float *top, int16_t *prob)
{
    vi sums[TILE_M];
    const struct attention *t = &x->t;
    const struct attend_piece *p = &t->a->pieces[b->run.piece];
    for (size_t r = 0; r < TILE_M; r++, prob += fix_ld(x)) {
        vf by = v_set1(-1024 * fix_scale(x, s, g, r)), from = v_set1(1024 * top[r]);
        vi all = vi_zero();
        for (int i = 0; i < b->run.n; i++) {
            vi e = fix_exponentials(s->score + r * FIX_KEYS + (size_t)i * TILE_N, by, from);
            if (!b->whole[i])
                e = fix_keep(
                    keys_seen(t, p, query_of(t, q, g * TILE_M + r), (b->run.panel + i) * TILE_N),
                    e);
            fix_add(&all, e, fix_set(1));
            vi_store(prob + i * TILE_N, e);
        }
        sums[r] = all;
    }
    return fix_floats(fix_totals(sums));
}

static vf fix_power(vf x)
{
    return v_exp(x * v_set1(0.693147181f));
}

// The sums of group G, OLD of what they were, and NEW of the block's values by PROB.
static void fix_values(const struct fix_attention *x, const struct fix_strip *s, int kv,
                       const struct panel_run *b, size_t g, const int16_t *prob, const float *old,
                       const float *new)
{
    size_t block = (size_t)kv * x->n_blocks + b->at / FIX_PANELS;
    const int32_t *v =
        x->values +
        (block * (FIX_KEYS / 2) + (size_t)(b->panel % FIX_PANELS) * (TILE_N / 2)) * x->wide;
    const float *scale = x->value_scale + block * x->wide;
    for (size_t k = 0; k < x->wide; k += TILE_N) {
        vi acc[TILE_M][2];
        fix_zero(acc);
        fix_products((const int32_t *)(const void *)prob, 1, fix_ld(x) / 2, v + k, x->wide,
                     (size_t)b->n * TILE_N / 2, acc);
        float *sum = s->sum + g * TILE_M * x->wide + k;
#pragma GCC unroll 12
        for (size_t r = 0; r < TILE_M; r++, sum += x->wide)
            for (size_t h = 0; h < 2; h++) {
                vf own = fix_floats(acc[r][h]) * v_load(scale + k + h * VW);
                v_store(sum + h * VW,
                        v_fma(own, v_set1(new[r]), v_load(sum + h * VW) * v_set1(old[r])));
            }
    }
}

static int16_t *fix_prob_at(const struct fix_attention *x, const struct fix_strip *s, size_t r,
                            size_t panel)
{
    return s->prob + r * fix_ld(x) + (x->masses ? panel : panel % FIX_PANELS) * TILE_N;
}

// One block for group G.
static void fix_group(const struct fix_attention *x, const struct fix_strip *s,
                      const struct query_tile *q, const struct fix_block *b, size_t g)
{
    float old[VW], new[VW];
    float *part = s->part_top + (b->run.at / FIX_PANELS * fix_groups(x) + g) * VW;
    float *top = s->top + g * VW, *total = s->total + g * VW;
    int16_t *prob = fix_prob_at(x, s, g * TILE_M, b->run.at);
    vf most[TILE_M];
    fix_scores(x, s, q, b, g, most);
    vf tops = fix_tops(most);
    if (x->t.a->softcap == 0)
        tops = tops * v_load(s->scale + g * VW);
    v_store(part, tops);
    vf sum = fix_probs(x, s, q, b, g, part, prob);
    vf was = v_load(top), is = v_max(was, v_load(part));
    vf before = fix_power(was - is), now = fix_power(v_load(part) - is);
    v_store(old, before);
    v_store(new, now);
    v_store(top, is);
    v_store(total, v_fma(sum, now, v_load(total) * before));
    fix_values(x, s, q->kv, &b->run, g, prob, old, new);
}

static void fix_weigh(const struct fix_attention *x, const struct fix_strip *s,
                      struct query_tile *q)
{
    struct fix_block b = {0};
    memset(s->sum, 0, x->rows * x->wide * sizeof *s->sum);
    for (size_t i = 0; i < fix_groups(x) * VW; i++) {
        s->top[i] = FIX_NONE;
        s->total[i] = 0;
    }
    while (next_panels(&x->t, q, FIX_PANELS, &b.run)) {
        const struct attend_piece *p = &x->t.a->pieces[b.run.piece];
        if (must_turn(q, p))
            fix_queries(x, s, p, q);
        for (int i = 0; i < b.run.n; i++)
            b.whole[i] = all_seen(&x->t, p, q, (b.run.panel + i) * TILE_N);
        for (size_t r = 0; r < q->rows; r += TILE_M)
            fix_group(x, s, q, &b, r / TILE_M);
    }
    for (size_t i = 0; i < fix_groups(x) * VW; i++)
        s->total[i] = s->total[i] == 0 ? 0 : 1 / s->total[i] + 0 * s->scale[i]; // NaN: a query's
}

// What the probabilities of all rows with block B are of what they sum up to: WEIGHT [groups][VW].
static void fix_weights(const struct fix_attention *x, const struct fix_strip *s, size_t block,
                        float *weight)
{
    for (size_t i = 0; i < fix_groups(x) * VW; i += VW) {
        vf part = v_load(s->part_top + block * fix_groups(x) * VW + i);
        v_store(weight + i, fix_power(part - v_load(s->top + i)) * v_load(s->total + i));
    }
}

// The weights of the rows of each query head in whole numbers, so small that products with
// probabilities add up to 31 bits: PAIR [group][(n + 1) / 2], of two rows each, and what one is,
// UNIT [group].
static void fix_whole_weights(const struct fix_attention *x, size_t rows, const float *weight,
                              int32_t *pair, float *unit)
{
    size_t group = (size_t)x->t.group, n = rows / group;
    int most = 1 << 14;
    while ((size_t)most * n >= 1 << 17)
        most /= 2;
    for (size_t head = 0; head < group; head++, pair += (n + 1) / 2) {
        float largest = 0, all = 0;
        for (size_t i = 0, r = head; i < n; i++, r += group) {
            float w = weight[r / TILE_M * VW + r % TILE_M];
            largest = w > largest ? w : largest;
            all += w;
        }
        float back = largest > 0 ? (float)most / largest : 0;
        for (size_t i = 0, r = head; i < n; i++, r += group) {
            float w = weight[r / TILE_M * VW + r % TILE_M] * back;
            int32_t whole = w > 0 ? (int32_t)(w + 0.5f) : 0;
            pair[i / 2] = i % 2 ? pair[i / 2] | whole << 16 : whole;
        }
        unit[head] = largest / (float)most + 0 * all; // a NaN must be seen
    }
}

// Adds the probabilities of the rows of each query head to a task's masses of a panel: MASS
// [group][n_panels * TILE_N].
static void fix_panel_masses(const struct fix_attention *x, const struct fix_strip *s, size_t rows,
                             size_t panel, const int32_t *pair, const float *unit, float *mass)
{
    size_t group = (size_t)x->t.group, n = rows / group, step = group * fix_ld(x);
    mass += panel * TILE_N;
    for (size_t head = 0; head < group; head++, mass += x->t.n_panels * TILE_N) {
        const int16_t *prob = fix_prob_at(x, s, head, panel);
        vi sums[2] = {vi_zero(), vi_zero()};
        for (size_t i = 0; i < n; i += 2, prob += 2 * step, pair++) {
            vi a = vi_load(prob), b = i + 1 < n ? vi_load(prob + step) : vi_zero();
            vi by = vi_set1(*pair);
            fix_add(&sums[0], fix_low_pairs(a, b), by);
            fix_add(&sums[1], fix_high_pairs(a, b), by);
        }
        vf low = fix_floats(sums[0]), high = fix_floats(sums[1]), one = v_set1(unit[head]);
        fix_in_order(&low, &high);
        v_store(mass, v_fma(low, one, v_load(mass)));
        v_store(mass + VW, v_fma(high, one, v_load(mass + VW)));
    }
}

// Adds the probabilities of query I with the keys of its own group of queries, as far as they are
// in block B, of all query heads, to TO [self_block].
static void fix_self(const struct fix_attention *x, const struct fix_strip *s,
                     const struct query_tile *q, const struct panel_run *b, int i,
                     const float *weight, float *to)
{
    const struct attention *t = &x->t;
    const struct attend_piece *p = &t->a->pieces[b->piece];
    int lo, hi, block = t->a->self_block, n, from = b->panel * TILE_N;
    int key = p->n - t->a->n_q + i / block * block, end = key + block;
    size_t row = (size_t)((i - q->q0) * t->group);
    visible(p, t->a->n_q, i, &lo, &hi);
    end = end < hi ? end : hi;
    end = end < from + b->n * TILE_N ? end : from + b->n * TILE_N;
    lo = lo > from ? lo : from;
    for (int k = key > lo ? key : lo; k < end; k += n) {
        n = VW - k % VW < end - k ? VW - k % VW : end - k;
        size_t panel = t->first_panel[b->piece] + (size_t)(k / TILE_N);
        vf sum = load_upto(to + k - key, n);
        for (size_t r = row; r < row + (size_t)t->group; r++)
            sum = v_fma(fix_load(fix_prob_at(x, s, r, panel) + k % TILE_N),
                        v_set1(weight[r / TILE_M * VW + r % TILE_M]), sum);
        store_upto(to + k - key, sum, n);
    }
}

static void fix_masses(const struct fix_attention *x, const struct fix_strip *s,
                       const struct query_tile *q, float *mass)
{
    const struct attention *t = &x->t;
    const struct attend *a = t->a;
    float *weight = s->scale, *unit = s->row; // not needed any more
    int32_t *pair = (int32_t *)(void *)(unit + t->group);
    struct panel_run b = {0};
    while (next_panels(t, q, FIX_PANELS, &b)) {
        const struct attend_piece *p = &a->pieces[b.piece];
        fix_weights(x, s, b.at / FIX_PANELS, weight);
        if (p->mass)
            fix_whole_weights(x, q->rows, weight, pair, unit);
        for (int i = 0; p->mass && i < b.n; i++)
            fix_panel_masses(x, s, q->rows, b.at + (size_t)i, pair, unit, mass);
        for (int i = q->q0; t->self_mass && p->causal && i < q->q0 + q->n; i++)
            if (i / a->self_block < a->n_q / a->self_block)
                fix_self(x, s, q, &b, i, weight,
                         t->self_mass +
                             ((size_t)q->kv * (size_t)a->n_q + (size_t)i) * (size_t)a->self_block);
    }
}

static void fix_attend_tile(const void *ctx, struct query_tile *q, int thread, float *mass)
{
    const struct fix_attention *x = ctx;
    struct fix_strip s = fix_strip_of(x, thread);
    fix_weigh(x, &s, q);
    if (x->masses)
        fix_masses(x, &s, q, mass);
    for (size_t r = 0; r < q->rows; r++)
        write_row(&x->t, q, r, s.sum + r * x->wide, s.total[r / TILE_M * VW + r % TILE_M]);
}

#endif
