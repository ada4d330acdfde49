// Products with few rows of x on packed weights, at the speed of memory: x is rounded as kernels.h
// says. Each row gets the bits that it gets alone.
#ifndef LCTOOL_KERNELS_VNNI_FEW_H
#define LCTOOL_KERNELS_VNNI_FEW_H

#include "kernels/cpu/simd_rows.h"
#include "kernels/cpu/vnni_panels.h"

enum {
    FEW_AT_ONCE = 8,       // rows of x whose sums the registers hold
    FEW_WORDS = FOURS + 2, // of a block of a row of x: its fours, e, and e * sum(q)
};

struct few_job {
    size_t n, blocks;
    const float *from, *norm; // x [n][cols] before it is rounded, and NULL or its rmsnorm's weights
    float eps;
    float *normed; // with norm: [n][cols]
    int32_t *x;    // [n / FEW_AT_ONCE][blocks][FEW_WORDS][FEW_AT_ONCE], the last group narrower
    const struct projection *to; // [n_to]
    int n_to;
    // The gated pair: to[0] and to[1] are gate and up, and act(gate) * up goes to to[0].out.
    int gated;
    enum act act;
    size_t n_panels, n_threads; // pairs of panels, where gated
};

// A panel of weights W by M rows of x, TYPE and M constants after inlining. Few rows have two sums
// each, whose additions need not wait for one another.
INLINE void few_panel(uint32_t type, int m, size_t blocks, const int32_t *x, const uint8_t *w,
                      vf *total)
{
    const int two = m <= FEW_AT_ONCE / 2;
    size_t bytes = panel_block_bytes(type);
    vf all[FEW_AT_ONCE];
#pragma GCC unroll 8
    for (int i = 0; i < m; i++)
        all[i] = v_set1(0);
    for (size_t b = 0; b < blocks; b++, w += bytes, x += FEW_WORDS * m) {
        struct panel_block k = panel_block(type, w);
        panel_ask(w, bytes);
        const float *scale = (const float *)(const void *)(x + FOURS * m), *sum = scale + m;
        __m512i s[FEW_AT_ONCE][2];
#pragma GCC unroll 8
        for (int i = 0; i < m; i++)
            s[i][0] = s[i][1] = _mm512_setzero_si512();
#pragma GCC unroll 8
        for (int g = 0; g < FOURS; g++) {
            __m512i u = panel_codes(type, k.codes, g);
#pragma GCC unroll 8
            for (int i = 0; i < m; i++)
                add_products_of(&s[i][two ? g & 1 : 0], u, x + g * m + i);
        }
#pragma GCC unroll 8
        for (int i = 0; i < m; i++) {
            vf products = _mm512_cvtepi32_ps(two ? _mm512_add_epi32(s[i][0], s[i][1]) : s[i][0]);
            all[i] = v_fma(products, k.d * v_set1(scale[i]), v_fma(k.m, v_set1(sum[i]), all[i]));
        }
    }
#pragma GCC unroll 8
    for (int i = 0; i < m; i++)
        total[i] = all[i];
}

INLINE void few_panel_m(uint32_t type, int m, size_t blocks, const int32_t *x, const uint8_t *w,
                        vf *total)
{
    switch (m) {
#define CASE(M)                                                                                    \
    case M:                                                                                        \
        few_panel(type, M, blocks, x, w, total);                                                   \
        break;
        CASE(1) CASE(2) CASE(3) CASE(4) CASE(5) CASE(6) CASE(7) CASE(8)
#undef CASE
    }
}

// The rows of x from AT on, FEW_AT_ONCE at most: returns how many, and their products with a panel.
static int few_panel_of(const struct few_job *f, const struct mat *w, size_t panel, size_t at,
                        vf *y)
{
    const uint8_t *src =
        (const uint8_t *)w->packed + panel * f->blocks * panel_block_bytes(w->type);
    const int32_t *x = f->x + at * f->blocks * FEW_WORDS;
    int m = f->n - at < FEW_AT_ONCE ? (int)(f->n - at) : FEW_AT_ONCE;
    if (w->type == QUANT_Q4_1)
        few_panel_m(QUANT_Q4_1, m, f->blocks, x, src, y);
    else if (w->type == QUANT_Q4_0)
        few_panel_m(QUANT_Q4_0, m, f->blocks, x, src, y);
    else
        few_panel_m(QUANT_Q8_0, m, f->blocks, x, src, y);
    return m;
}

static void few_gated_panel(const struct few_job *f, size_t panel, size_t at)
{
    vf gate[FEW_AT_ONCE], up[FEW_AT_ONCE];
    size_t rows = (size_t)f->to[0].w->rows, row = panel * PANEL_ROWS;
    int width = rows - row < PANEL_ROWS ? (int)(rows - row) : PANEL_ROWS;
    few_panel_of(f, f->to[0].w, panel, at, gate);
    int m = few_panel_of(f, f->to[1].w, panel, at, up);
    for (int i = 0; i < m; i++) {
        vf y = f->act == ACT_SILU ? silu(gate[i]) : gelu_tanh(gate[i]);
        store_upto(f->to[0].out + (at + (size_t)i) * rows + row, y * up[i], width);
    }
}

static void few_plain_panel(const struct few_job *f, size_t panel, size_t at)
{
    const struct projection *to = f->to;
    for (size_t n; panel >= (n = ((size_t)to->w->rows + PANEL_ROWS - 1) / PANEL_ROWS); to++)
        panel -= n;
    vf y[FEW_AT_ONCE];
    size_t rows = (size_t)to->w->rows, row = panel * PANEL_ROWS;
    int width = rows - row < PANEL_ROWS ? (int)(rows - row) : PANEL_ROWS,
        m = few_panel_of(f, to->w, panel, at, y);
    for (int i = 0; i < m; i++) {
        size_t out = (at + (size_t)i) * rows + row;
        if (to->bias)
            y[i] = y[i] + load_upto(to->bias + row, width);
        if (to->add)
            y[i] = y[i] + load_upto(to->add + out, width);
        store_upto(to->out + out, y[i], width);
    }
}

// The first panel of a task. A round of one task a thread takes half of what the rounds before have
// left: long pieces of memory first, and in the end single panels, so that no thread has long to
// wait for another.
static size_t few_first(const struct few_job *f, size_t task)
{
    size_t n = f->n_panels, round = task / f->n_threads;
    size_t begin = n - (n >> round), end = n - (n >> (round + 1));
    return begin + (end - begin) * (task % f->n_threads) / f->n_threads;
}

static void few_task_panels(void *ctx, int task, int thread)
{
    (void)thread;
    const struct few_job *f = ctx;
    size_t first = few_first(f, (size_t)task), end = few_first(f, (size_t)task + 1);
    for (size_t panel = first; panel < end; panel++)
        for (size_t at = 0; at < f->n; at += FEW_AT_ONCE) {
            if (f->gated)
                few_gated_panel(f, panel, at);
            else
                few_plain_panel(f, panel, at);
        }
}

// Floats of working memory for N rows of COLS.
static size_t few_room(size_t n, size_t cols)
{
    return (n * cols / BLOCK * FEW_WORDS + 15) & ~(size_t)15;
}

// Row I of x, or its norm, rounded.
static void few_round_row(void *ctx, int i, int thread)
{
    (void)thread;
    const struct few_job *f = ctx;
    size_t row = (size_t)i, cols = f->blocks * BLOCK, group = row / FEW_AT_ONCE * FEW_AT_ONCE;
    size_t m = f->n - group < FEW_AT_ONCE ? f->n - group : FEW_AT_ONCE;
    const float *from = f->from + row * cols;
    if (f->norm) {
        struct norm_job job = {f->normed + row * cols, from, f->norm, NULL, 1, (int)cols, f->eps};
        norm_task(&job, 0, 0);
        from = job.out;
    }
    int32_t *to = f->x + group * f->blocks * FEW_WORDS + row % FEW_AT_ONCE;
    for (size_t b = 0; b < f->blocks; b++, to += FEW_WORDS * m) {
        int32_t q[FOURS];
        float *scale = (float *)(void *)(to + FOURS * m);
        round_block(from + b * BLOCK, (int8_t *)q, scale, scale + m);
        for (size_t g = 0; g < FOURS; g++)
            to[g * m] = q[g];
    }
}

// One row is sooner rounded than given to another thread.
static void few_round(struct cpu *c, struct few_job *f)
{
    enum { ALONE = 2 };
    if (f->n > ALONE)
        pool_run(c->pool, (int)f->n, few_round_row, f);
    else
        for (int i = 0; i < (int)f->n; i++)
            few_round_row(f, i, 0);
}

static void few_run(struct cpu *c, struct few_job *f)
{
    f->n_panels = 0;
    for (int i = 0; i < f->n_to; i++)
        f->n_panels += ((size_t)f->to[i].w->rows + PANEL_ROWS - 1) / PANEL_ROWS;
    if (f->gated)
        f->n_panels /= 2;
    f->n_threads = (size_t)pool_threads(c->pool);
    int n_rounds = 0;
    while (f->n_panels >> n_rounds)
        n_rounds++;
    pool_run(c->pool, n_rounds * (int)f->n_threads, few_task_panels, f);
}

// 0 where the weights are not packed.
static int few_project(struct cpu *c, const struct project *p)
{
    size_t cols = (size_t)p->to[0].w->cols, n = (size_t)p->n;
    for (int i = 0; i < p->n_to; i++)
        if (!p->to[i].w->packed)
            return 0;
    float *at = cpu_scratch(c, (few_room(n, cols) + n * cols) * sizeof *at);
    if (!at)
        return 1;
    struct few_job f = {.n = n,
                        .blocks = cols / BLOCK,
                        .from = p->x,
                        .norm = p->norm,
                        .eps = p->eps,
                        .normed = at + few_room(n, cols),
                        .x = (int32_t *)(void *)at,
                        .to = p->to,
                        .n_to = p->n_to};
    few_round(c, &f);
    few_run(c, &f);
    return 1;
}

// Likewise.
static int few_ffn(struct cpu *c, const struct ffn *f)
{
    size_t cols = (size_t)f->gate->cols, ff = (size_t)f->gate->rows, n = (size_t)f->n;
    if (!f->gate->packed || !f->up->packed || !f->down->packed)
        return 0;
    size_t most = few_room(n, cols) > few_room(n, ff) ? few_room(n, cols) : few_room(n, ff);
    float *at = cpu_scratch(c, (most + n * cols) * sizeof *at);
    if (!at)
        return 1;
    const struct projection pair[2] = {{.out = f->g, .w = f->gate}, {.w = f->up}};
    const struct projection down = {f->out, f->down, NULL, f->add, NULL};
    struct few_job a = {.n = n,
                        .blocks = cols / BLOCK,
                        .from = f->x,
                        .norm = f->norm,
                        .eps = f->eps,
                        .normed = at + most,
                        .x = (int32_t *)(void *)at,
                        .to = pair,
                        .n_to = 2,
                        .gated = 1,
                        .act = f->act};
    struct few_job b = {
        .n = n, .blocks = ff / BLOCK, .from = f->g, .x = a.x, .to = &down, .n_to = 1};
    few_round(c, &a);
    few_run(c, &a);
    few_round(c, &b);
    few_run(c, &b);
    return 1;
}

#endif
