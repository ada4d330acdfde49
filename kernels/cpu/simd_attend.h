// Attention over the vectors of kernels/vec_*.h, in three steps for as many kv heads as fit into
// KEYS_BYTES of working memory:
//
//   1. keys are rotated once and laid out as panels [head_dim][TILE_N];
//   2. a task takes one kv head and a run of query tiles. The rows of a tile are (query, query
//   head)
//      pairs that share the kv head. Their scores lie in one strip [row][key], so the softmax is
//      exact and probabilities are at hand for the masses; the tile is made small enough to keep the
//      strip in cache;
//   3. the masses of the tasks are added up in a fixed order.
//
// How the work is cut depends on the sizes alone, so the bits do not depend on the threads.
#ifndef LCTOOL_KERNELS_SIMD_ATTEND_H
#define LCTOOL_KERNELS_SIMD_ATTEND_H

#include "kernels/cpu/simd_rows.h"

enum {
    KEYS_BYTES = 64 << 20,    // of rotated keys at a time, unless one kv head alone has more
    STRIP_FLOATS = 128 << 10, // of scores of one query tile
    TILE_ROWS = 48,           // rows of a query tile, if the strip allows
    RUNS = 16,                // tasks that share the query tiles of a kv head
    KEY_PANELS = 4,           // panels that one task rotates
    VALUE_KEYS = 128,         // keys whose values are used by all rows before the next ones
};

struct attention {
    const struct attend *a;
    size_t d, n_panels, ld; // ld: floats of a strip's row
    int group;              // query heads of a kv head
    int tile_q, n_tiles, n_runs;
    int kv0, n_kv;       // kv heads at work
    size_t *first_panel; // [n_pieces + 1]
    float *keys;         // [n_kv][n_panels][d][TILE_N]
    float *mass;         // [n_kv][n_runs][group][n_panels * TILE_N], or NULL
    float *self_mass;    // [n_kv][n_q][self_block], or NULL
    float *scratch;      // per thread
    size_t scratch_n;
};

// Working memory of one thread.
struct strip {
    float *score;  // [rows][ld]
    float *rows;   // [rows or TILE_N][d] rotated, before packing
    float *packed; // [rows / TILE_M][d][TILE_M]
    float *sum;    // [rows][d] of the output
    float *scale;  // [rows] one over the sum of the exponentials
};

INLINE void turn_halves(float *dst, const float *src, const float *cosine, const float *sine,
                        int half, int m, vf scale)
{
    vf a = load_upto(src, m) * scale, b = load_upto(src + half, m) * scale;
    vf c = load_upto(cosine, m), s = load_upto(sine, m);
    store_upto(dst, a * c - b * s, m);
    store_upto(dst + half, b * c + a * s, m);
}

static void rotate_neox(float *dst, const float *src, const float *rope, int half, float scale)
{
    vf by = v_set1(scale);
    int i = 0;
    for (; i + VW <= half; i += VW)
        turn_halves(dst + i, src + i, rope + i, rope + half + i, half, VW, by);
    if (i < half)
        turn_halves(dst + i, src + i, rope + i, rope + half + i, half, half - i, by);
}

// N pairs, at most VW.
INLINE void turn_pairs(float *dst, const float *src, const float *cosine, const float *sine, int n,
                       vf scale)
{
    static const float SIGNS[16] = {-1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1};
    vf c[2], s[2];
    v_double(load_upto(cosine, n), &c[0], &c[1]);
    v_double(load_upto(sine, n), &s[0], &s[1]);
    for (int h = 0; h < 2; h++) {
        vf a = load_upto(src + h * VW, 2 * n - h * VW) * scale;
        store_upto(dst + h * VW, a * c[h] + v_swap_pairs(a) * (s[h] * v_load(SIGNS)),
                   2 * n - h * VW);
    }
}

static void rotate_norm(float *dst, const float *src, const float *rope, int half, float scale)
{
    vf by = v_set1(scale);
    int i = 0;
    for (; i + VW <= half; i += VW)
        turn_pairs(dst + 2 * i, src + 2 * i, rope + i, rope + half + i, VW, by);
    if (i < half)
        turn_pairs(dst + 2 * i, src + 2 * i, rope + i, rope + half + i, half - i, by);
}

// dst = scale * (src turned by ROPE), kernels.h says how; ROPE may be NULL.
static void rotate(float *dst, const float *src, const float *rope, const struct attend *a,
                   float scale)
{
    int turned = rope ? a->rope_dim / 2 * 2 : 0;
    if (turned && a->rope_style == ROPE_NEOX)
        rotate_neox(dst, src, rope, turned / 2, scale);
    else if (turned)
        rotate_norm(dst, src, rope, turned / 2, scale);
    for (int i = turned; i < a->head_dim; i += VW)
        store_upto(dst + i, load_upto(src + i, a->head_dim - i) * v_set1(scale), a->head_dim - i);
}

// The keys *lo .. *hi - 1 of piece P that query I sees.
static void visible(const struct attend_piece *p, int n_q, int i, int *lo, int *hi)
{
    *lo = 0;
    *hi = p->n;
    int own = p->causal ? p->n - n_q + i : p->n + p->gap + i; // index of the query's own position
    if (own + 1 < *hi)
        *hi = own + 1 > 0 ? own + 1 : 0;
    if (p->max_distance > 0 && own - p->max_distance + 1 > 0)
        *lo = own - p->max_distance + 1 < p->n ? own - p->max_distance + 1 : p->n;
}

static struct strip strip_of(const struct attention *t, int thread)
{
    size_t rows = (size_t)(t->tile_q * t->group), tall = rows > TILE_N ? rows : TILE_N;
    struct strip s;
    s.score = t->scratch + (size_t)thread * t->scratch_n;
    s.rows = s.score + rows * t->ld;
    s.packed = s.rows + tall * t->d;
    s.sum = s.packed + rows * t->d;
    s.scale = s.sum + rows * t->d;
    return s;
}

// ---- 1. Keys

static void key_panel(const struct attention *t, int kv, size_t panel, float *rows)
{
    const struct attend *a = t->a;
    int piece = 0;
    while (panel >= t->first_panel[piece + 1])
        piece++;
    const struct attend_piece *p = &a->pieces[piece];
    size_t first = (panel - t->first_panel[piece]) * TILE_N;
    for (size_t i = 0; i < TILE_N; i++) {
        size_t j = first + i;
        if (j < (size_t)p->n)
            rotate(rows + i * t->d, p->k + ((size_t)(t->kv0 + kv) * (size_t)p->stride + j) * t->d,
                   p->k_rope ? p->k_rope + j * (size_t)a->rope_dim : NULL, a, 1);
        else
            memset(rows + i * t->d, 0, t->d * sizeof *rows);
    }
    float *dst = t->keys + ((size_t)kv * t->n_panels + panel) * t->d * TILE_N;
    for (int at = 0; at < TILE_N; at += VW)
        pack_panel(dst, at, rows + (size_t)at * t->d, t->d, t->d);
}

static void keys_task(void *ctx, int task, int thread)
{
    const struct attention *t = ctx;
    struct strip s = strip_of(t, thread);
    size_t per_head = (t->n_panels + KEY_PANELS - 1) / KEY_PANELS;
    size_t first = (size_t)task % per_head * KEY_PANELS;
    for (size_t p = first; p < first + KEY_PANELS && p < t->n_panels; p++)
        key_panel(t, (int)((size_t)task / per_head), p, s.rows);
}

// ---- 2. Scores, softmax, values

// The queries of a tile, turned for piece P, scaled and packed.
static void pack_queries(const struct attention *t, const struct strip *s,
                         const struct attend_piece *p, int q0, int n_q, int kv)
{
    const struct attend *a = t->a;
    int rows = n_q * t->group;
    for (int r = 0; r < rows; r++) {
        int i = q0 + r / t->group, head = (t->kv0 + kv) * t->group + r % t->group;
        const float *rope = p->q_rope;
        if (rope && p->q_rope_step)
            rope += (size_t)i * (size_t)a->rope_dim;
        rotate(s->rows + (size_t)r * t->d,
               a->q + ((size_t)i * (size_t)a->n_heads + (size_t)head) * t->d, rope, a, a->scale);
    }
    for (int r = 0; r < rows; r += TILE_M)
        pack_rows(s->packed + (size_t)r * t->d, s->rows + (size_t)r * t->d, t->d,
                  rows - r < TILE_M ? rows - r : TILE_M, t->d);
}

// Keys of piece P that some query of the tile sees, and the panels that hold them.
static void tile_keys(const struct attention *t, const struct attend_piece *p, int q0, int n_q,
                      int *lo, int *hi)
{
    int unused;
    visible(p, t->a->n_q, q0, lo, &unused);
    visible(p, t->a->n_q, q0 + n_q - 1, &unused, hi);
}

static void score_tile(const struct attention *t, const struct strip *s, int q0, int n_q, int kv)
{
    const struct attend *a = t->a;
    const struct attend_piece *turned = NULL; // whose rotation the packed queries have
    int rows = n_q * t->group;
    for (int piece = 0; piece < a->n_pieces; piece++) {
        const struct attend_piece *p = &a->pieces[piece];
        int lo, hi;
        tile_keys(t, p, q0, n_q, &lo, &hi);
        if (hi <= lo)
            continue;
        if (!turned || turned->q_rope != p->q_rope || turned->q_rope_step != p->q_rope_step)
            pack_queries(t, s, p, q0, n_q, kv);
        turned = p;
        for (int panel = lo / TILE_N; panel * TILE_N < hi; panel++) {
            size_t at = t->first_panel[piece] + (size_t)panel;
            const float *keys = t->keys + ((size_t)kv * t->n_panels + at) * t->d * TILE_N;
            for (int r = 0; r < rows; r += TILE_M) {
                vf acc[TILE_M][2];
                int m = rows - r < TILE_M ? rows - r : TILE_M;
                for (int i = 0; i < m; i++)
                    acc[i][0] = acc[i][1] = v_set1(0);
                tile_sum(m, t->d, s->packed + (size_t)r * t->d, keys, acc);
                for (int i = 0; i < m; i++) {
                    float *dst = s->score + (size_t)(r + i) * t->ld + at * TILE_N;
                    v_store(dst, acc[i][0]);
                    v_store(dst + VW, acc[i][1]);
                }
            }
        }
    }
}

static float row_max(float *score, int n, float softcap, float max)
{
    vf top = v_set1(max), other = top, cap = v_set1(softcap);
    int i = 0;
    for (; softcap == 0 && i + 2 * VW <= n; i += 2 * VW) {
        top = v_max(top, v_load(score + i));
        other = v_max(other, v_load(score + i + VW));
    }
    top = v_max(top, other);
    for (; i < n; i += VW) {
        int m = n - i;
        vf v = load_upto(score + i, m);
        if (softcap != 0) {
            v = cap * v_tanh(v / cap);
            store_upto(score + i, v, m);
        }
        if (m >= VW) {
            top = v_max(top, v);
        } else {
            float rest[VW];
            v_store(rest, v);
            for (int j = 0; j < m; j++)
                max = rest[j] > max ? rest[j] : max;
        }
    }
    float most = v_hmax(top);
    return most > max ? most : max;
}

// score = exp(score - max); returns their sum.
static float row_exp(float *score, int n, float max)
{
    vf sum = v_set1(0), top = v_set1(max);
    int i = 0;
    for (; i + VW <= n; i += VW) {
        vf v = v_exp(v_load(score + i) - top);
        v_store(score + i, v);
        sum = sum + v;
    }
    float total = v_sum(sum);
    if (i < n) {
        float rest[VW];
        v_store(rest, v_exp(v_load_part(score + i, n - i) - top));
        for (int j = 0; i < n; i++, j++) {
            score[i] = rest[j];
            total += rest[j];
        }
    }
    return total;
}

static void add_scaled(float *dst, const float *src, float scale, int n)
{
    int i = 0;
    for (; i + VW <= n; i += VW)
        v_store(dst + i, v_fma(v_load(src + i), v_set1(scale), v_load(dst + i)));
    if (i < n)
        store_upto(dst + i,
                   v_fma(load_upto(src + i, n - i), v_set1(scale), load_upto(dst + i, n - i)),
                   n - i);
}

// Row (query I, head HEAD of the group): its probabilities, up to the factor *scale.
static void softmax_row(const struct attention *t, float *score, int q0, int n_q, int i,
                        float *scale)
{
    const struct attend *a = t->a;
    float max = -INFINITY, sum = 0;
    int lo, hi;
    for (int piece = 0; piece < a->n_pieces; piece++) {
        visible(&a->pieces[piece], a->n_q, i, &lo, &hi);
        if (lo < hi)
            max = row_max(score + t->first_panel[piece] * TILE_N + lo, hi - lo, a->softcap, max);
    }
    for (int piece = 0; piece < a->n_pieces; piece++) {
        float *s = score + t->first_panel[piece] * TILE_N;
        int all_lo, all_hi;
        visible(&a->pieces[piece], a->n_q, i, &lo, &hi);
        tile_keys(t, &a->pieces[piece], q0, n_q, &all_lo, &all_hi);
        if (lo < hi)
            sum += row_exp(s + lo, hi - lo, max);
        else
            lo = hi = all_lo;
        for (int j = all_lo; j < lo; j++) // what the other rows of the tile see
            s[j] = 0;
        for (int j = hi; j < all_hi; j++)
            s[j] = 0;
    }
    *scale = sum == 0 ? 0 : 1 / sum;
}

static void row_masses(const struct attention *t, const float *score, float scale, int i, int head,
                       int kv, int run)
{
    const struct attend *a = t->a;
    for (int piece = 0; piece < a->n_pieces; piece++) {
        const struct attend_piece *p = &a->pieces[piece];
        size_t at = t->first_panel[piece] * TILE_N;
        int lo, hi;
        visible(p, a->n_q, i, &lo, &hi);
        if (lo >= hi)
            continue;
        if (p->mass)
            add_scaled(t->mass +
                           ((size_t)(kv * t->n_runs + run) * (size_t)t->group + (size_t)head) *
                               t->n_panels * TILE_N +
                           at + (size_t)lo,
                       score + at + lo, scale, hi - lo);
        int block = a->self_block, first = t->self_mass ? i / block * block : 0;
        if (!t->self_mass || !p->causal || first + block > a->n_q)
            continue;
        float *row = t->self_mass + ((size_t)kv * (size_t)a->n_q + (size_t)i) * (size_t)block;
        int key = p->n - a->n_q + first, from = key > lo ? key : lo,
            end = key + block < hi ? key + block : hi;
        if (from < end)
            add_scaled(row + from - key, score + at + from, scale, end - from);
    }
}

// sum[m][width] += prob[m][n] * v[n][width] for the columns AT .. of the values, WIDTH <= TILE_N.
INLINE void value_fma(int m, int full, const float *prob, size_t ld, const float *v, size_t d,
                      int n, float *sum, int width)
{
    vf acc[TILE_M][2];
#pragma GCC unroll 16
    for (int i = 0; i < m; i++) {
        acc[i][0] = full ? v_load(sum + (size_t)i * d) : load_upto(sum + (size_t)i * d, width);
        acc[i][1] = full ? v_load(sum + (size_t)i * d + VW)
                         : load_upto(sum + (size_t)i * d + VW, width - VW);
    }
    for (int j = 0; j < n; j++, v += d) {
        vf v0 = full ? v_load(v) : load_upto(v, width);
        vf v1 = full ? v_load(v + VW) : load_upto(v + VW, width - VW);
#pragma GCC unroll 16
        for (int i = 0; i < m; i++) {
            vf p = v_set1(prob[(size_t)i * ld + (size_t)j]);
            acc[i][0] = v_fma(p, v0, acc[i][0]);
            acc[i][1] = v_fma(p, v1, acc[i][1]);
        }
    }
#pragma GCC unroll 16
    for (int i = 0; i < m; i++) {
        if (full) {
            v_store(sum + (size_t)i * d, acc[i][0]);
            v_store(sum + (size_t)i * d + VW, acc[i][1]);
        } else {
            store_upto(sum + (size_t)i * d, acc[i][0], width);
            store_upto(sum + (size_t)i * d + VW, acc[i][1], width - VW);
        }
    }
}

static void value_tile(int m, const float *prob, size_t ld, const float *v, size_t d, int n,
                       float *sum)
{
    for (size_t at = 0; at < d; at += TILE_N) {
        int width = d - at < TILE_N ? (int)(d - at) : TILE_N, i = 0;
        for (; i + TILE_M <= m; i += TILE_M) {
            if (width == TILE_N)
                value_fma(TILE_M, 1, prob + (size_t)i * ld, ld, v + at, d, n,
                          sum + (size_t)i * d + at, width);
            else
                value_fma(TILE_M, 0, prob + (size_t)i * ld, ld, v + at, d, n,
                          sum + (size_t)i * d + at, width);
        }
        for (; i < m; i++)
            value_fma(1, 0, prob + (size_t)i * ld, ld, v + at, d, n, sum + (size_t)i * d + at,
                      width);
    }
}

static void values(const struct attention *t, const struct strip *s, int q0, int n_q, int kv)
{
    const struct attend *a = t->a;
    int rows = n_q * t->group;
    memset(s->sum, 0, (size_t)rows * t->d * sizeof *s->sum);
    for (int piece = 0; piece < a->n_pieces; piece++) {
        const struct attend_piece *p = &a->pieces[piece];
        int lo, hi;
        tile_keys(t, p, q0, n_q, &lo, &hi);
        for (int j = lo; j < hi; j += VALUE_KEYS)
            value_tile(rows, s->score + t->first_panel[piece] * TILE_N + j, t->ld,
                       p->v + ((size_t)(t->kv0 + kv) * (size_t)p->stride + (size_t)j) * t->d, t->d,
                       hi - j < VALUE_KEYS ? hi - j : VALUE_KEYS, s->sum);
    }
    for (int r = 0; r < rows; r++) {
        int i = q0 + r / t->group, head = (t->kv0 + kv) * t->group + r % t->group, d = (int)t->d;
        float *out = a->out + ((size_t)i * (size_t)a->n_heads + (size_t)head) * t->d;
        for (int k = 0; k < d; k += VW)
            store_upto(out + k,
                       load_upto(s->sum + (size_t)r * t->d + k, d - k) * v_set1(s->scale[r]),
                       d - k);
    }
}

static void run_task(void *ctx, int task, int thread)
{
    const struct attention *t = ctx;
    const struct attend *a = t->a;
    struct strip s = strip_of(t, thread);
    int kv = task / t->n_runs, run = task % t->n_runs;
    int first = (int)((int64_t)t->n_tiles * run / t->n_runs);
    int end = (int)((int64_t)t->n_tiles * (run + 1) / t->n_runs);
    size_t mass_n = (size_t)t->group * t->n_panels * TILE_N;
    if (t->mass)
        memset(t->mass + (size_t)task * mass_n, 0, mass_n * sizeof *t->mass);
    for (int tile = first; tile < end; tile++) {
        int q0 = tile * t->tile_q, n_q = a->n_q - q0 < t->tile_q ? a->n_q - q0 : t->tile_q;
        if (t->self_mass)
            memset(t->self_mass +
                       ((size_t)kv * (size_t)a->n_q + (size_t)q0) * (size_t)a->self_block,
                   0, (size_t)n_q * (size_t)a->self_block * sizeof *t->self_mass);
        score_tile(t, &s, q0, n_q, kv);
        for (int r = 0; r < n_q * t->group; r++) {
            float *score = s.score + (size_t)r * t->ld;
            int i = q0 + r / t->group;
            softmax_row(t, score, q0, n_q, i, &s.scale[r]);
            if (t->mass || t->self_mass)
                row_masses(t, score, s.scale[r], i, r % t->group, kv, run);
        }
        values(t, &s, q0, n_q, kv);
    }
}

// ---- 3. Masses

static void mass_task(void *ctx, int task, int thread)
{
    (void)thread;
    const struct attention *t = ctx;
    const struct attend *a = t->a;
    int kv = task / t->group, head = task % t->group;
    for (int piece = 0; piece < a->n_pieces; piece++) {
        const struct attend_piece *p = &a->pieces[piece];
        if (!p->mass)
            continue;
        float *dst = p->mass + (size_t)((t->kv0 + kv) * t->group + head) * (size_t)p->stride;
        for (int run = 0; run < t->n_runs; run++)
            add_scaled(dst,
                       t->mass +
                           ((size_t)(kv * t->n_runs + run) * (size_t)t->group + (size_t)head) *
                               t->n_panels * TILE_N +
                           t->first_panel[piece] * TILE_N,
                       1, p->n);
    }
}

static void add_self_mass(const struct attention *t)
{
    const struct attend *a = t->a;
    int n = a->n_q / a->self_block * a->self_block;
    for (int kv = 0; kv < t->n_kv; kv++)
        for (int i = 0; i < n; i++)
            add_scaled(a->self_mass + (size_t)i * (size_t)a->self_block,
                       t->self_mass +
                           ((size_t)kv * (size_t)a->n_q + (size_t)i) * (size_t)a->self_block,
                       1, a->self_block);
}

static size_t round_up(size_t n)
{
    return (n + 15) & ~(size_t)15;
}

// Whether the keys' share of the attention is wanted of any piece.
static int asks_for_masses(const struct attend *a)
{
    for (int i = 0; i < a->n_pieces; i++)
        if (a->pieces[i].mass)
            return 1;
    return 0;
}

// Lays the working memory out; 0 when there is none.
static int plan_memory(struct cpu *c, struct attention *t)
{
    const struct attend *a = t->a;
    size_t rows = (size_t)(t->tile_q * t->group), tall = rows > TILE_N ? rows : TILE_N;
    size_t kv_n = t->n_panels * t->d * TILE_N, n_kv = KEYS_BYTES / sizeof(float) / (kv_n + 1);
    int any_mass = asks_for_masses(a);
    t->n_kv = n_kv < 1 ? 1 : n_kv < (size_t)a->n_kv_heads ? (int)n_kv : a->n_kv_heads;
    size_t n = (size_t)t->n_kv, columns = t->n_panels * TILE_N;
    size_t pieces_n = round_up(((size_t)a->n_pieces + 1) * sizeof(size_t) / sizeof(float));
    size_t mass_n = any_mass ? round_up(n * (size_t)t->n_runs * (size_t)t->group * columns) : 0;
    size_t self_n = a->self_mass ? round_up(n * (size_t)a->n_q * (size_t)a->self_block) : 0;
    t->scratch_n = round_up(rows * t->ld + tall * t->d + 2 * rows * t->d + rows);
    size_t threads = (size_t)pool_threads(c->pool);
    float *at = cpu_scratch(c, (pieces_n + kv_n * n + mass_n + self_n + t->scratch_n * threads) *
                                   sizeof *at);
    if (!at)
        return 0;
    t->first_panel = (size_t *)(void *)at;
    t->keys = at + pieces_n;
    t->mass = any_mass ? t->keys + kv_n * n : NULL;
    t->self_mass = a->self_mass ? t->keys + kv_n * n + mass_n : NULL;
    t->scratch = t->keys + kv_n * n + mass_n + self_n;
    return 1;
}

// Of the kv heads from KV0 on.
static void simd_attend(struct cpu *c, const struct attend *a, int kv0)
{
    struct attention t = {.a = a, .d = (size_t)a->head_dim, .group = a->n_heads / a->n_kv_heads};
    if (a->n_q <= 0)
        return;
    for (int i = 0; i < a->n_pieces; i++)
        t.n_panels += ((size_t)a->pieces[i].n + TILE_N - 1) / TILE_N;
    t.ld = t.n_panels * TILE_N + 16; // rows must not all start in the same set of the cache
    size_t rows = STRIP_FLOATS / t.ld < TILE_ROWS ? STRIP_FLOATS / t.ld : TILE_ROWS;
    t.tile_q = rows / (size_t)t.group > 1 ? (int)(rows / (size_t)t.group) : 1;
    if (t.tile_q > a->n_q)
        t.tile_q = a->n_q;
    t.n_tiles = (a->n_q + t.tile_q - 1) / t.tile_q;
    t.n_runs = t.n_tiles < RUNS ? t.n_tiles : RUNS;
    if (!plan_memory(c, &t))
        return;
    t.first_panel[0] = 0;
    for (int i = 0; i < a->n_pieces; i++)
        t.first_panel[i + 1] = t.first_panel[i] + ((size_t)a->pieces[i].n + TILE_N - 1) / TILE_N;
    int step = t.n_kv, key_tasks = (int)((t.n_panels + KEY_PANELS - 1) / KEY_PANELS);
    for (t.kv0 = kv0; t.kv0 < a->n_kv_heads; t.kv0 += step) {
        t.n_kv = a->n_kv_heads - t.kv0 < step ? a->n_kv_heads - t.kv0 : step;
        pool_run(c->pool, t.n_kv * key_tasks, keys_task, &t);
        pool_run(c->pool, t.n_kv * t.n_runs, run_task, &t);
        if (t.mass)
            pool_run(c->pool, t.n_kv * t.group, mass_task, &t);
        if (t.self_mass)
            add_self_mass(&t);
    }
}

#endif
