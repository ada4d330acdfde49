// What all attentions of many queries over the vectors of kernels/cpu/vec_*.h share: rotation,
// masks, masses, and the cut into kv heads, tiles of queries and tasks.
//
// How the work is cut depends on the sizes alone, so the bits do not depend on the threads.
#ifndef LCTOOL_KERNELS_CPU_SIMD_ATTEND_CUT_H
#define LCTOOL_KERNELS_CPU_SIMD_ATTEND_CUT_H

#include "kernels/cpu/simd_rows.h"

enum {
    KEYS_BYTES = 64 << 20, // of turned keys at a time, unless one kv head alone has more
    RUNS = 16,             // tasks that share the query tiles of a kv head
    KEY_PANELS = 4,        // panels that one task turns
};

struct attention {
    const struct attend *a;
    size_t d, n_panels, ld; // ld: floats of a strip's row
    int group;              // query heads of a kv head
    int tile_q, n_tiles, n_runs;
    int kv0, n_kv;       // kv heads at work
    size_t unit;         // panels, of which each piece has a multiple
    size_t *first_panel; // [n_pieces + 1]
    float *keys;         // [n_kv][n_panels][d][TILE_N]
    float *mass;         // [n_kv][n_runs][group][n_panels * TILE_N], or NULL
    float *self_mass;    // [n_kv][n_q][self_block], or NULL
    float *scratch;      // per thread
    size_t scratch_n;
};

// The queries of one tile, for one kv head.
struct query_tile {
    int q0, n, kv;
    size_t rows; // n * group
    // Whose rotation the packed queries have; NULL: none are packed.
    const struct attend_piece *turned;
};

// ---- Rotation

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

// ---- Masks

// Keys of piece P that some query of the tile sees, and the panels that hold them.
static void tile_keys(const struct attention *t, const struct attend_piece *p, int q0, int n_q,
                      int *lo, int *hi)
{
    int unused;
    visible(p, t->a->n_q, q0, lo, &unused);
    visible(p, t->a->n_q, q0 + n_q - 1, &unused, hi);
}

// The piece that has a panel.
static int piece_of(const struct attention *t, size_t panel)
{
    int piece = 0;
    while (panel >= t->first_panel[piece + 1])
        piece++;
    return piece;
}

// ---- Tiles of queries

// The query of row R of a tile; of those behind the last one, which nobody reads, the last.
static int query_of(const struct attention *t, const struct query_tile *q, size_t r)
{
    return q->q0 + (int)((r < q->rows ? r : q->rows - 1) / (size_t)t->group);
}

// Where row R of a tile has its query, of a.q, and its output, of a.out.
static size_t place_of_row(const struct attention *t, const struct query_tile *q, size_t r)
{
    size_t head = (size_t)((t->kv0 + q->kv) * t->group) + r % (size_t)t->group;
    return ((size_t)query_of(t, q, r) * (size_t)t->a->n_heads + head) * t->d;
}

// The queries of a tile, turned for piece P and scaled: ROWS [q->rows], WIDE floats apart.
static void turn_queries(const struct attention *t, const struct query_tile *q,
                         const struct attend_piece *p, float *rows, size_t wide)
{
    const struct attend *a = t->a;
    for (size_t r = 0; r < q->rows; r++) {
        const float *rope = p->q_rope;
        if (rope && p->q_rope_step)
            rope += (size_t)query_of(t, q, r) * (size_t)a->rope_dim;
        rotate(rows + r * wide, a->q + place_of_row(t, q, r), rope, a, a->scale);
    }
}

// Whether queries that are packed have another rotation than piece P wants; from now on they have
// its.
static int must_turn(struct query_tile *q, const struct attend_piece *p)
{
    int must =
        !q->turned || q->turned->q_rope != p->q_rope || q->turned->q_rope_step != p->q_rope_step;
    q->turned = p;
    return must;
}

// The output of row R: SCALE times SUM [d].
static void write_row(const struct attention *t, const struct query_tile *q, size_t r,
                      const float *sum, float scale)
{
    float *out = t->a->out + place_of_row(t, q, r);
    for (int k = 0, d = (int)t->d; k < d; k += VW)
        store_upto(out + k, load_upto(sum + k, d - k) * v_set1(scale), d - k);
}

// One tile, whose masses are added to MASS; NULL: none are asked for.
typedef void tile_fn(const void *ctx, struct query_tile *q, int thread, float *mass);

// The query tiles of a task, of the attention T that CTX is.
static void run_tiles(const struct attention *t, const void *ctx, tile_fn *do_tile, int task,
                      int thread)
{
    const struct attend *a = t->a;
    int kv = task / t->n_runs, run = task % t->n_runs;
    int first = (int)((int64_t)t->n_tiles * run / t->n_runs);
    int end = (int)((int64_t)t->n_tiles * (run + 1) / t->n_runs);
    size_t mass_n = (size_t)t->group * t->n_panels * TILE_N;
    float *mass = t->mass ? t->mass + (size_t)task * mass_n : NULL;
    if (mass)
        memset(mass, 0, mass_n * sizeof *mass);
    for (int tile = first; tile < end; tile++) {
        struct query_tile q = {.q0 = tile * t->tile_q, .kv = kv};
        q.n = a->n_q - q.q0 < t->tile_q ? a->n_q - q.q0 : t->tile_q;
        q.rows = (size_t)(q.n * t->group);
        if (t->self_mass)
            memset(t->self_mass +
                       ((size_t)kv * (size_t)a->n_q + (size_t)q.q0) * (size_t)a->self_block,
                   0, (size_t)q.n * (size_t)a->self_block * sizeof *t->self_mass);
        do_tile(ctx, &q, thread, mass);
    }
}

// ---- Masses

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

// ---- The cut into kv heads, tasks and memory

// Panels of piece P.
static size_t piece_panels(const struct attention *t, const struct attend_piece *p)
{
    size_t keys = t->unit * TILE_N;
    return ((size_t)p->n + keys - 1) / keys * t->unit;
}

static struct attention attention_of(const struct attend *a, size_t unit)
{
    struct attention t = {
        .a = a, .d = (size_t)a->head_dim, .group = a->n_heads / a->n_kv_heads, .unit = unit};
    for (int i = 0; i < a->n_pieces; i++)
        t.n_panels += piece_panels(&t, &a->pieces[i]);
    return t;
}

// Tiles of queries of ROWS rows at most, one query at least, and the tasks that share them.
static void cut_queries(struct attention *t, size_t rows)
{
    t->tile_q = rows / (size_t)t->group > 1 ? (int)(rows / (size_t)t->group) : 1;
    if (t->tile_q > t->a->n_q)
        t->tile_q = t->a->n_q;
    t->n_tiles = (t->a->n_q + t->tile_q - 1) / t->tile_q;
    t->n_runs = t->n_tiles < RUNS ? t->n_tiles : RUNS;
}

// As many kv heads at a time as have FLOATS each and fit KEYS_BYTES.
static void cut_heads(struct attention *t, size_t floats)
{
    size_t n = KEYS_BYTES / sizeof(float) / (floats + 1);
    t->n_kv = n < 1 ? 1 : n < (size_t)t->a->n_kv_heads ? (int)n : t->a->n_kv_heads;
}

// Floats of what all attentions keep of so many kv heads: first_panel, mass, self_mass.
static size_t panels_floats(const struct attention *t)
{
    return round_up(((size_t)t->a->n_pieces + 1) * sizeof(size_t) / sizeof(float));
}

static size_t mass_floats(const struct attention *t)
{
    size_t per_kv = (size_t)t->n_runs * (size_t)t->group * t->n_panels * TILE_N;
    return asks_for_masses(t->a) ? round_up((size_t)t->n_kv * per_kv) : 0;
}

static size_t self_floats(const struct attention *t)
{
    size_t per_kv = (size_t)t->a->n_q * (size_t)t->a->self_block;
    return t->a->self_mass ? round_up((size_t)t->n_kv * per_kv) : 0;
}

static size_t shared_floats(const struct attention *t)
{
    return panels_floats(t) + mass_floats(t) + self_floats(t);
}

// Lays these out from AT on; returns what is behind them.
static float *lay_shared(struct attention *t, float *at)
{
    float *mass = at + panels_floats(t), *self = mass + mass_floats(t);
    t->first_panel = (size_t *)(void *)at;
    t->mass = mass_floats(t) ? mass : NULL;
    t->self_mass = self_floats(t) ? self : NULL;
    t->first_panel[0] = 0;
    for (int i = 0; i < t->a->n_pieces; i++)
        t->first_panel[i + 1] = t->first_panel[i] + piece_panels(t, &t->a->pieces[i]);
    return self + self_floats(t);
}

// The steps of an attention, of CTX.
struct steps {
    void (*keys)(void *, int, int), (*run)(void *, int, int); // see pool_run
    int key_tasks;                                            // of a kv head
    int (*are_sound)(const void *); // whether RUN may go on with what KEYS has made; NULL: always
};

// The kv heads from t->kv0 on, t->n_kv at a time: those that are left from t->kv0 on have keys that
// are not sound.
static void attend_heads(struct cpu *c, struct attention *t, const struct steps *s, void *ctx)
{
    int step = t->n_kv;
    for (; t->kv0 < t->a->n_kv_heads; t->kv0 += step) {
        t->n_kv = t->a->n_kv_heads - t->kv0 < step ? t->a->n_kv_heads - t->kv0 : step;
        pool_run(c->pool, t->n_kv * s->key_tasks, s->keys, ctx);
        if (s->are_sound && !s->are_sound(ctx))
            return;
        pool_run(c->pool, t->n_kv * t->n_runs, s->run, ctx);
        if (t->mass)
            pool_run(c->pool, t->n_kv * t->group, mass_task, t);
        if (t->self_mass)
            add_self_mass(t);
    }
}

#endif
