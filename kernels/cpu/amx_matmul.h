// Matrix products on AMX tiles: activations and weights are rounded to bfloat16, sums are float32
// in the order of k. Rows of x become tiles A once. A task takes a run of panels, each 32 weight
// rows, and a part of the rows of x by each; while the tiles are multiplied, the vector units bring
// the next panel's weights to tiles B and put the last sums through the activation. Where rows are
// many each thread has a part of its own, from one operation to the next the same, which stays in
// its second-level cache.
#ifndef LCTOOL_KERNELS_AMX_MATMUL_H
#define LCTOOL_KERNELS_AMX_MATMUL_H

#include <stdatomic.h>

#include "kernels/cpu/amx_weights.h"
#include "kernels/cpu/simd_rows.h"

enum {
    PANEL = 2 * AMX_ROWS,
    SUMS = PANEL * PANEL,
    AMX_MOST_K = 18, // tiles of k of one pass: a panel's stay in the first-level cache
    AMX_PARTS = 64,  // of the rows of x, at most
    AMX_FEW = 16,    // rows of x up to which products of bytes are sooner done
};

struct amx_job {
    size_t n, cols;       // rows of x, and their length
    size_t steps, groups; // tiles of a row of x; groups of PANEL rows
    size_t k0, k_n;       // the present pass: its first tile of k, and how many
    uint16_t *x;          // [groups][2][steps] tiles A
    const float *from;    // [n][cols] what x is made from
    const float *norm;    // NULL, or its rmsnorm's weights
    float eps;
    const struct projection *to; // [n_to]
    int n_to;
    // The gated pair: to[0] and to[1] are gate and up, a panel has 16 rows of each, and
    // act(gate) * up becomes tiles A of the next product.
    int gated;
    enum act act;
    uint16_t *y; // [groups][2][y_steps] tiles A
    size_t y_steps;
    int n_panels, n_runs, n_parts; // a task is one run of panels by one part of the groups
    atomic_int next[AMX_PARTS];    // the run of each part that is to be taken
    void (*step)(const struct amx_job *j, int part, int run, int thread);
    int n_steps; // runs of a part
    uint8_t *scratch;              // per thread: [2][2][k_n] tiles B, then [2][SUMS] floats
    size_t scratch_bytes;
};

// ---- Activations

static vf x_at(const float *row, size_t k, size_t cols)
{
    return k + VW <= cols ? v_load(row + k) : load_upto(row + k, k < cols ? (int)(cols - k) : 0);
}

static float amx_norm_scale(const struct amx_job *j, const float *row)
{
    vf sum = v_set1(0);
    for (size_t k = 0; k < j->cols; k += VW) {
        vf v = x_at(row, k, j->cols);
        sum = v_fma(v, v, sum);
    }
    return (float)(1 / sqrt((double)v_sum(sum) / (double)j->cols + (double)j->eps));
}

// The 16 rows from 16 TILE on.
static void amx_pack_rows(const struct amx_job *j, size_t tile)
{
    size_t first = tile * AMX_ROWS, n = j->n - first < AMX_ROWS ? j->n - first : AMX_ROWS;
    const float *rows = j->from + first * j->cols;
    uint16_t *to = j->x + tile * j->steps * AMX_TILE;
    vf scale[AMX_ROWS];
    for (size_t i = 0; i < n; i++)
        scale[i] = v_set1(j->norm ? amx_norm_scale(j, rows + i * j->cols) : 1);
    for (size_t s = 0, k = 0; s < j->steps; s++, k += AMX_K, to += AMX_TILE) {
        for (size_t i = 0; i < n; i++) {
            vf a = x_at(rows + i * j->cols, k, j->cols), b = x_at(rows + i * j->cols, k + VW, j->cols);
            if (j->norm) {
                a = a * scale[i] * x_at(j->norm, k, j->cols);
                b = b * scale[i] * x_at(j->norm, k + VW, j->cols);
            }
            _mm512_storeu_si512(to + i * AMX_K, amx_narrow(a, b));
        }
        memset(to + n * AMX_K, 0, (AMX_ROWS - n) * AMX_K * sizeof *to);
    }
}

// The groups of a part.
static void amx_part(const struct amx_job *j, int part, size_t *first, size_t *end)
{
    *first = j->groups * (size_t)part / (size_t)j->n_parts;
    *end = j->groups * ((size_t)part + 1) / (size_t)j->n_parts;
}

static void amx_pack_step(const struct amx_job *j, int part, int run, int thread)
{
    (void)thread;
    size_t first, end, tiles = (j->n + AMX_ROWS - 1) / AMX_ROWS;
    amx_part(j, part, &first, &end);
    first *= 2;
    end = 2 * end < tiles ? 2 * end : tiles;
    size_t n = end - first, at = first + n * (size_t)run / (size_t)j->n_steps;
    for (end = first + n * ((size_t)run + 1) / (size_t)j->n_steps; at < end; at++)
        amx_pack_rows(j, at);
}

// e^x to a part in a million where it counts; below -87 it stays. The polynomial is 2^r to 8e-8.
INLINE vf amx_exp(vf x)
{
    vf t = _mm512_max_ps(v_set1(-126), x * v_set1(1.44269504f));           // a NaN comes through
    vf r = _mm512_reduce_ps(t, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC); // 0 <= r < 1
    vf y = v_set1(0.00187757646f);
    y = v_fma(y, r, v_set1(0.00898934063f));
    y = v_fma(y, r, v_set1(0.0558263175f));
    y = v_fma(y, r, v_set1(0.240153611f));
    y = v_fma(y, r, v_set1(0.693153083f));
    y = v_fma(y, r, v_set1(0.99999994f));
    return _mm512_scalef_ps(y, t); // y * 2^floor(t)
}

// The division's 2^-14 is little beside the rounding to bfloat16 that follows.
INLINE vf amx_silu(vf x)
{
    return x * _mm512_rcp14_ps(v_set1(1) + amx_exp(v_set1(0) - x));
}

// ---- A panel

struct amx_panel {
    const struct mat *w[2]; // of its two halves; [1] is NULL where there is none
    size_t row[2];          // their first weight rows
    const struct projection *to;
};

static struct amx_panel amx_panel_at(const struct amx_job *j, int index)
{
    size_t i = (size_t)index;
    const struct projection *to = j->to;
    if (j->gated)
        return (struct amx_panel){{to[0].w, to[1].w}, {i * AMX_ROWS, i * AMX_ROWS}, to};
    for (; i * PANEL >= (size_t)to->w->rows; to++)
        i -= ((size_t)to->w->rows + PANEL - 1) / PANEL;
    size_t row = i * PANEL;
    int both = row + AMX_ROWS < (size_t)to->w->rows;
    return (struct amx_panel){{to->w, both ? to->w : NULL}, {row, row + AMX_ROWS}, to};
}

// Weights on their way to tiles B, a quarter of a tile at a time.
struct amx_bringing {
    const uint8_t *src[2]; // packed panels of the halves
    uint16_t *tiles;       // [2][steps]
    size_t steps;
    int done, n; // quarters
};

INLINE void amx_bring(uint32_t type, struct amx_bringing *b)
{
    size_t quarters = b->steps * QUARTERS, half = (size_t)b->done >= quarters;
    size_t at = (size_t)b->done++ - (half ? quarters : 0);
    narrow_quarter(type, b->src[half], at / QUARTERS, (int)(at % QUARTERS),
                   b->tiles + (half ? b->steps * AMX_TILE : 0));
}

// Sums of a gated panel on their way to tiles A, a row at a time.
struct amx_gating {
    const float *sums; // [PANEL][PANEL]: gate, then up
    uint16_t *to;      // the first row's place; the second tile of rows is NEXT numbers on
    size_t next;
    int done, n; // rows
};

INLINE void amx_gate_row(struct amx_gating *g, enum act act)
{
    int i = g->done++;
    vf gate = v_load(g->sums + i * PANEL), up = v_load(g->sums + i * PANEL + VW);
    vf y = (act == ACT_SILU ? amx_silu(gate) : gelu_tanh(gate)) * up;
    uint16_t *to = g->to + (i >= AMX_ROWS ? g->next : 0) + i % AMX_ROWS * AMX_K;
    _mm256_storeu_si256((__m256i *)(void *)to, (__m256i)_mm512_cvtneps_pbh(y));
}

// What is added to row I, to the place of its sums.
static void amx_in(const struct amx_panel *p, float *sums, size_t i)
{
    size_t rows = (size_t)p->to->w->rows, row = p->row[0];
    int width = rows - row < PANEL ? (int)(rows - row) : PANEL;
    for (int v = 0; v < PANEL; v += VW)
        v_store(sums + v, v < width ? load_upto(p->to->add + i * rows + row + v, width - v) : v_set1(0));
}

// Row I of the tiles' sums to the output.
static void amx_out(const struct amx_panel *p, const float *sums, size_t i)
{
    size_t rows = (size_t)p->to->w->rows, row = p->row[0];
    int width = rows - row < PANEL ? (int)(rows - row) : PANEL;
    for (int v = 0; v < width; v += VW) {
        size_t at = i * rows + row + (size_t)v;
        vf y = v_load(sums + v);
        if (p->to->bias)
            y = y + load_upto(p->to->bias + row + v, width - v);
        store_upto(p->to->out + at, y, width - v);
    }
}

INLINE void amx_zero(void)
{
    _tile_zero(0);
    _tile_zero(1);
    _tile_zero(2);
    _tile_zero(3);
}

INLINE void amx_store(float *to, size_t row_bytes)
{
    float *low = (float *)(void *)((char *)to + AMX_ROWS * row_bytes);
    _tile_stored(0, to, row_bytes);
    _tile_stored(1, to + VW, row_bytes);
    _tile_stored(2, low, row_bytes);
    _tile_stored(3, low + VW, row_bytes);
}

// Whether the tiles of group G of a panel can be loaded and stored as they are.
static int amx_whole(const struct amx_job *j, const struct amx_panel *p, size_t g)
{
    return j->n - g * PANEL >= PANEL && (size_t)p->to->w->rows - p->row[0] >= PANEL && !p->to->bias;
}

INLINE void amx_load(const float *from, size_t row_bytes)
{
    const float *low = (const float *)(const void *)((const char *)from + AMX_ROWS * row_bytes);
    _tile_loadd(0, from, row_bytes);
    _tile_loadd(1, from + VW, row_bytes);
    _tile_loadd(2, low, row_bytes);
    _tile_loadd(3, low + VW, row_bytes);
}

// The tiles begin with what is to be added, whole or not, so that a row's sum does not depend on
// the others.
INLINE void amx_start(const struct amx_job *j, const struct amx_panel *p, size_t g, int whole, float *sums)
{
    size_t rows = (size_t)p->to->w->rows, at = g * PANEL, n = j->n - at < PANEL ? j->n - at : PANEL;
    if (!p->to->add) {
        amx_zero();
        return;
    }
    if (whole) {
        amx_load(p->to->add + at * rows + p->row[0], rows * sizeof *sums);
        return;
    }
    for (size_t i = 0; i < n; i++)
        amx_in(p, sums + i * PANEL, at + i);
    amx_load(sums, PANEL * sizeof *sums);
}

// The sums of group G of a panel that is not gated, which the tiles hold.
static void amx_finish(const struct amx_job *j, const struct amx_panel *p, size_t g, int whole,
                       float *sums)
{
    size_t rows = (size_t)p->to->w->rows, at = g * PANEL, n = j->n - at < PANEL ? j->n - at : PANEL;
    if (whole) {
        amx_store(p->to->out + at * rows + p->row[0], rows * sizeof *sums);
        return;
    }
    amx_store(sums, PANEL * sizeof *sums);
    for (size_t i = 0; i < n; i++)
        amx_out(p, sums + i * PANEL, at + i);
}

// The groups FIRST .. END - 1 by the tiles B of one panel. NEXT_TYPE, that of the weights NEXT
// brings, and GATED are constants after inlining; NEXT_TYPE QUANT_F32 stands for nothing to bring.
INLINE void amx_multiply(uint32_t next_type, int gated, const struct amx_job *j,
                         const struct amx_panel *p, const uint16_t *b, struct amx_bringing *next,
                         size_t first, size_t end, float *sums)
{
    enum { ONE = 1 << 16 };
    size_t steps = j->k_n, one = j->steps * AMX_TILE, b_one = steps * AMX_TILE;
    struct amx_gating gating = {0};
    size_t pace = next_type == QUANT_F32 ? 0
                                         : ((size_t)next->n * ONE + steps * (end - first) - 1) /
                                               (steps * (end - first));
    size_t gate_pace = (PANEL * ONE + steps - 1) / steps, due = 0;
    for (size_t g = first; g < end; g++) {
        const uint16_t *x = j->x + g * 2 * one + j->k0 * AMX_TILE;
        int one_a = j->n - g * PANEL <= AMX_ROWS;
        int whole = !gated && amx_whole(j, p, g);
        if (gated)
            amx_zero();
        else
            amx_start(j, p, g, whole, sums);
        if (one_a || !p->w[1]) {
            if (one_a && !p->w[1])
                amx_products(x, one, b, b_one, steps, 1, 1);
            else if (one_a)
                amx_products(x, one, b, b_one, steps, 1, 0);
            else
                amx_products(x, one, b, b_one, steps, 0, 1);
        } else {
            size_t gate_due = 0;
            for (size_t s = 0; s < steps; s++) {
                amx_products(x + s * AMX_TILE, one, b + s * AMX_TILE, b_one, 1, 0, 0);
                if (next_type != QUANT_F32)
                    for (due += pace; due >= ONE && next->done < next->n; due -= ONE)
                        amx_bring(next_type, next);
                if (gated)
                    for (gate_due += gate_pace; gate_due >= ONE && gating.done < gating.n;
                         gate_due -= ONE)
                        amx_gate_row(&gating, j->act);
            }
        }
        if (!gated) {
            amx_finish(j, p, g, whole, sums);
            continue;
        }
        while (gating.done < gating.n)
            amx_gate_row(&gating, j->act);
        float *to = sums + g % 2 * SUMS;
        amx_store(to, PANEL * sizeof *to);
        size_t col = p->row[0], y_one = j->y_steps * AMX_TILE;
        gating =
            (struct amx_gating){to, j->y + g * 2 * y_one + col / AMX_K * AMX_TILE + col % AMX_K,
                                y_one, 0, one_a ? AMX_ROWS : PANEL};
    }
    while (gating.done < gating.n)
        amx_gate_row(&gating, j->act);
    while (next_type != QUANT_F32 && next->done < next->n)
        amx_bring(next_type, next);
}

// The type of a panel's weights if they are packed, else QUANT_F32.
static uint32_t amx_panel_type(const struct amx_panel *p)
{
    const struct mat *a = p->w[0], *b = p->w[1];
    return a->packed && (!b || (b->packed && b->type == a->type)) ? a->type : QUANT_F32;
}

// Where the 16 rows from ROW on begin in the present pass.
static const uint8_t *amx_packed(const struct amx_job *j, const struct mat *w, size_t row)
{
    size_t block = panel_block_bytes(w->type), blocks = (size_t)w->cols / BLOCK;
    return (const uint8_t *)w->packed + (row / PANEL_ROWS * blocks + j->k0) * block;
}

static struct amx_bringing amx_bringing_of(const struct amx_job *j, const struct amx_panel *p,
                                           uint16_t *tiles)
{
    struct amx_bringing b = {.tiles = tiles, .steps = j->k_n};
    for (int h = 0; h < 2 && p->w[h]; h++) {
        b.src[h] = amx_packed(j, p->w[h], p->row[h]);
        b.n += (int)(j->k_n * QUARTERS);
    }
    return b;
}

// Brings a panel's weights to tiles B at once.
static void amx_bring_all(const struct amx_job *j, const struct amx_panel *p, uint16_t *tiles)
{
    for (size_t h = 0; h < 2 && p->w[h]; h++) {
        const struct mat *w = p->w[h];
        uint16_t *to = tiles + h * j->k_n * AMX_TILE;
        if (!w->packed) {
            narrow_weights(w, p->row[h], to);
            continue;
        }
        const uint8_t *src = amx_packed(j, w, p->row[h]);
        for (size_t s = 0; s < j->k_n; s++)
            for (int q = 0; q < QUARTERS; q++) {
                if (w->type == QUANT_Q4_1)
                    narrow_quarter(QUANT_Q4_1, src, s, q, to);
                else if (w->type == QUANT_Q4_0)
                    narrow_quarter(QUANT_Q4_0, src, s, q, to);
                else
                    narrow_quarter(QUANT_Q8_0, src, s, q, to);
            }
    }
}

#define MULTIPLY(TYPE)                                                                             \
    (j->gated ? amx_multiply(TYPE, 1, j, p, b, next, first, end, sums)                             \
              : amx_multiply(TYPE, 0, j, p, b, next, first, end, sums))

static void amx_by_type(uint32_t next_type, const struct amx_job *j, const struct amx_panel *p,
                        const uint16_t *b, struct amx_bringing *next, size_t first, size_t end,
                        float *sums)
{
    switch (next_type) {
    case QUANT_Q4_0:
        MULTIPLY(QUANT_Q4_0);
        break;
    case QUANT_Q4_1:
        MULTIPLY(QUANT_Q4_1);
        break;
    case QUANT_Q8_0:
        MULTIPLY(QUANT_Q8_0);
        break;
    default:
        MULTIPLY(QUANT_F32);
        break;
    }
}
#undef MULTIPLY

static void amx_step(const struct amx_job *j, int part, int run, int thread)
{
    size_t tiles_n = 2 * j->k_n * AMX_TILE, first, end;
    uint16_t *tiles = (uint16_t *)(void *)(j->scratch + (size_t)thread * j->scratch_bytes);
    float *sums = (float *)(void *)(tiles + 2 * tiles_n);
    int i = (int)((int64_t)j->n_panels * run / j->n_runs),
        last = (int)((int64_t)j->n_panels * (run + 1) / j->n_runs);
    struct amx_panel p = amx_panel_at(j, i);
    amx_part(j, part, &first, &end);
    amx_bring_all(j, &p, tiles);
    amx_begin();
    for (int flip = 0; i < last; i++, flip = !flip) {
        uint16_t *b = tiles + (flip ? tiles_n : 0), *other = tiles + (flip ? 0 : tiles_n);
        struct amx_panel after = p;
        struct amx_bringing next = {0};
        uint32_t type = QUANT_F32;
        if (i + 1 < last) {
            after = amx_panel_at(j, i + 1);
            type = amx_panel_type(&after);
            if (type == QUANT_F32)
                amx_bring_all(j, &after, other);
            else
                next = amx_bringing_of(j, &after, other);
        }
        amx_by_type(type, j, &p, b, &next, first, end, sums);
        p = after;
    }
    amx_end();
}

// ---- Products

static int amx_all_packed(const struct amx_job *j)
{
    for (int i = 0; i < j->n_to; i++)
        if (!j->to[i].w->packed)
            return 0;
    return 1;
}

// Panels, and how they are cut into tasks: runs long enough for the first panel's weights, which
// nothing hides, not to count; and parts of the groups, one for each thread, or where there are too
// few panels to go round.
static void amx_plan(struct amx_job *j, int threads)
{
    enum { RUN = 5, PER_THREAD = 4, OWN = 5 }; // OWN: groups that pay for weights of their own
    j->cols = (size_t)j->to->w->cols;
    j->steps = (j->cols + AMX_K - 1) / AMX_K;
    j->groups = (j->n + PANEL - 1) / PANEL;
    j->n_panels = 0;
    for (int i = 0; i < j->n_to; i++)
        j->n_panels += (j->to[i].w->rows + PANEL - 1) / PANEL;
    if (j->gated)
        j->n_panels = (j->to->w->rows + AMX_ROWS - 1) / AMX_ROWS;
    int own = threads <= AMX_PARTS && j->groups >= (size_t)(OWN * threads);
    int runs = j->n_panels / RUN, least = own ? 1 : threads, most = own ? PER_THREAD : PER_THREAD * threads;
    runs = runs < least ? least : runs > most ? most : runs;
    j->n_runs = runs < j->n_panels ? runs : j->n_panels;
    j->n_parts = own ? threads : (threads + j->n_runs - 1) / j->n_runs;
    j->n_parts = j->n_parts > AMX_PARTS ? AMX_PARTS : j->n_parts;
    if ((size_t)j->n_parts > j->groups)
        j->n_parts = (int)j->groups;
    j->k_n = j->steps;
    if (!j->gated &&
        amx_all_packed(
            j)) // the tiles of a panel, twice, and the part of x stay in the second-level cache
        j->k_n = (j->steps + j->steps / (AMX_MOST_K + 1)) / (1 + j->steps / (AMX_MOST_K + 1));
    j->scratch_bytes = 4 * j->k_n * AMX_TILE * sizeof *j->x + 2 * SUMS * sizeof(float);
}

static size_t amx_x_bytes(const struct amx_job *j)
{
    return j->groups * 2 * j->steps * AMX_TILE * sizeof *j->x;
}

// The runs of a thread's own part, then what is left of the others'.
static void amx_take_steps(void *ctx, int task, int thread)
{
    (void)task;
    struct amx_job *j = ctx;
    for (int k = 0, run; k < j->n_parts; k++) {
        int part = (thread + k) % j->n_parts;
        while ((run = atomic_fetch_add_explicit(&j->next[part], 1, memory_order_relaxed)) < j->n_steps)
            j->step(j, part, run, thread);
    }
}

static void amx_steps(struct cpu *c, struct amx_job *j, int n,
                      void (*step)(const struct amx_job *j, int part, int run, int thread))
{
    for (int i = 0; i < j->n_parts; i++)
        atomic_store_explicit(&j->next[i], 0, memory_order_relaxed);
    j->step = step;
    j->n_steps = n;
    pool_run(c->pool, pool_threads(c->pool), amx_take_steps, j);
}

static void amx_run(struct cpu *c, struct amx_job *j)
{
    int tiles = (int)((j->groups + (size_t)j->n_parts - 1) / (size_t)j->n_parts) * 2;
    if (j->from)
        amx_steps(c, j, tiles, amx_pack_step);
    const struct projection *all = j->to;
    struct projection more[PROJECT_MOST]; // passes after the first add to what is there
    size_t most = j->k_n;
    for (int i = 0; i < j->n_to; i++)
        more[i] = (struct projection){all[i].out, all[i].w, NULL, all[i].out};
    for (j->k0 = 0; j->k0 < j->steps; j->k0 += j->k_n) {
        j->k_n = j->steps - j->k0 < most ? j->steps - j->k0 : most;
        j->to = j->k0 ? more : all;
        amx_steps(c, j, j->n_runs, amx_step);
    }
}

static void amx_project_many(struct cpu *c, const struct project *p)
{
    int threads = pool_threads(c->pool);
    struct amx_job j = {.n = (size_t)p->n,
                        .from = p->x,
                        .norm = p->norm,
                        .eps = p->eps,
                        .to = p->to,
                        .n_to = p->n_to};
    amx_plan(&j, threads);
    uint8_t *at = cpu_scratch(c, amx_x_bytes(&j) + (size_t)threads * j.scratch_bytes);
    if (!at)
        return;
    j.x = (uint16_t *)(void *)at;
    j.scratch = at + amx_x_bytes(&j);
    amx_run(c, &j);
}

static int amx_project(struct cpu *c, const struct project *p)
{
    if (p->n <= AMX_FEW && few_project(c, p))
        return 1;
    if (p->n <= CPU_FEW)
        return 0;
    amx_project_many(c, p);
    return 1;
}

// As many rows of x as leave what is between the two products in the threads' second-level caches.
static void amx_ffn_rows(struct cpu *c, const struct ffn *f, int first, int n)
{
    int threads = pool_threads(c->pool);
    size_t cols = (size_t)f->gate->cols, out_at = (size_t)first * (size_t)f->down->rows;
    const struct projection pair[2] = {{.w = f->gate}, {.w = f->up}};
    const struct projection down = {f->out + out_at, f->down, NULL,
                                    f->add ? f->add + out_at : NULL};
    struct amx_job a = {.n = (size_t)n,
                        .from = f->x + (size_t)first * cols,
                        .norm = f->norm,
                        .eps = f->eps,
                        .to = pair,
                        .n_to = 2,
                        .gated = 1,
                        .act = f->act};
    struct amx_job b = {.n = (size_t)n, .to = &down, .n_to = 1};
    amx_plan(&a, threads);
    amx_plan(&b, threads);
    size_t x_bytes = amx_x_bytes(&a), y_bytes = amx_x_bytes(&b);
    a.scratch_bytes = b.scratch_bytes =
        a.scratch_bytes > b.scratch_bytes ? a.scratch_bytes : b.scratch_bytes;
    uint8_t *at = cpu_scratch(c, x_bytes + y_bytes + (size_t)threads * a.scratch_bytes);
    if (!at)
        return;
    a.x = (uint16_t *)(void *)at;
    a.y = b.x = (uint16_t *)(void *)(at + x_bytes);
    a.y_steps = b.steps;
    a.scratch = b.scratch = at + x_bytes + y_bytes;
    size_t last = (size_t)f->gate->rows % AMX_K;
    for (size_t i = 0; last && last <= AMX_ROWS && i < 2 * b.groups;
         i++) // no panel writes this half of the last tile
        memset(b.x + ((i + 1) * b.steps - 1) * AMX_TILE, 0, AMX_TILE * sizeof *b.x);
    amx_run(c, &a);
    amx_run(c, &b);
}

static int amx_ffn(struct cpu *c, const struct ffn *f)
{
    enum { BETWEEN = 1 << 21, LEAST = 128 }; // of a thread: bytes; rows
    if (f->n <= AMX_FEW && few_ffn(c, f))
        return 1;
    if (f->n <= CPU_FEW)
        return 0;
    int most = BETWEEN / 2 / f->gate->rows / PANEL * PANEL;
    most = (most < LEAST ? LEAST : most) * pool_threads(c->pool);
    int parts = (f->n + most - 1) / most, groups = (f->n + PANEL - 1) / PANEL;
    for (int i = 0; i < parts; i++) {
        int first = groups * i / parts * PANEL, end = groups * (i + 1) / parts * PANEL;
        amx_ffn_rows(c, f, first, (end < f->n ? end : f->n) - first);
    }
    return 1;
}

static void amx_matmul(struct cpu *c, float *out, const struct mat *w, const float *x,
                       const float *bias, const float *add, int n)
{
    struct project p = {.x = x, .n = n, .n_to = 1, .to = {{out, w, bias, add}}};
    if (c->exact || !amx_project(c, &p))
        simd_matmul(c, out, w, x, bias, add, n);
}

#endif
