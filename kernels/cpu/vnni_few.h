// Products with up to FEW rows of x on packed weights, at the speed of memory: x is rounded as
// kernels.h says.
#ifndef LCTOOL_KERNELS_VNNI_FEW_H
#define LCTOOL_KERNELS_VNNI_FEW_H

#include "kernels/cpu/simd_rows.h"
#include "kernels/cpu/vnni_panels.h"

struct few_job {
    size_t n, blocks;
    int32_t *x;                  // [n][blocks][FOURS]
    float *x_scale;              // [n][blocks]: e
    float *x_sum;                // likewise: e * sum(q)
    const struct projection *to; // [n_to]
    int n_to;
    // The gated pair: to[0] and to[1] are gate and up, and act(gate) * up goes to to[0].out.
    int gated;
    enum act act;
    size_t n_panels, n_threads; // pairs of panels, where gated
};

INLINE void few_panel(uint32_t type, int n, const struct few_job *f, const uint8_t *w, vf *total)
{
    size_t bytes = panel_block_bytes(type);
    vf sum[FEW];
#pragma GCC unroll 4
    for (int i = 0; i < n; i++)
        sum[i] = v_set1(0);
    for (size_t b = 0; b < f->blocks; b++, w += bytes) {
        struct panel_block k = panel_block(type, w);
        __m512i s[FEW][2];
#pragma GCC unroll 4
        for (int i = 0; i < n; i++)
            s[i][0] = s[i][1] = _mm512_setzero_si512();
#pragma GCC unroll 8
        for (int g = 0; g < FOURS; g++) {
            __m512i u = panel_codes(type, k.codes, g);
#pragma GCC unroll 4
            for (int i = 0; i < n; i++)
                add_products(
                    &s[i][g & 1], u,
                    _mm512_set1_epi32(f->x[((size_t)i * f->blocks + b) * FOURS + (size_t)g]));
        }
#pragma GCC unroll 4
        for (int i = 0; i < n; i++) {
            size_t at = (size_t)i * f->blocks + b;
            vf products = _mm512_cvtepi32_ps(_mm512_add_epi32(s[i][0], s[i][1]));
            sum[i] = v_fma(products, k.d * v_set1(f->x_scale[at]),
                           v_fma(k.m, v_set1(f->x_sum[at]), sum[i]));
        }
    }
#pragma GCC unroll 4
    for (int i = 0; i < n; i++)
        total[i] = sum[i];
}

INLINE void few_panel_n(uint32_t type, const struct few_job *f, const uint8_t *w, vf *total)
{
    switch (f->n) {
    case 1:
        few_panel(type, 1, f, w, total);
        break;
    case 2:
        few_panel(type, 2, f, w, total);
        break;
    case 3:
        few_panel(type, 3, f, w, total);
        break;
    default:
        few_panel(type, 4, f, w, total);
        break;
    }
}

static void few_panel_of(const struct few_job *f, const struct mat *w, size_t panel, vf *y)
{
    const uint8_t *src =
        (const uint8_t *)w->packed + panel * f->blocks * panel_block_bytes(w->type);
    if (w->type == QUANT_Q4_1)
        few_panel_n(QUANT_Q4_1, f, src, y);
    else if (w->type == QUANT_Q4_0)
        few_panel_n(QUANT_Q4_0, f, src, y);
    else
        few_panel_n(QUANT_Q8_0, f, src, y);
}

static void few_gated_panel(const struct few_job *f, size_t panel)
{
    vf gate[FEW], up[FEW];
    size_t rows = (size_t)f->to[0].w->rows, row = panel * PANEL_ROWS;
    int width = rows - row < PANEL_ROWS ? (int)(rows - row) : PANEL_ROWS;
    few_panel_of(f, f->to[0].w, panel, gate);
    few_panel_of(f, f->to[1].w, panel, up);
    for (size_t i = 0; i < f->n; i++) {
        vf y = f->act == ACT_SILU ? silu(gate[i]) : gelu_tanh(gate[i]);
        store_upto(f->to[0].out + i * rows + row, y * up[i], width);
    }
}

static void few_plain_panel(const struct few_job *f, size_t panel)
{
    const struct projection *to = f->to;
    for (size_t n; panel >= (n = ((size_t)to->w->rows + PANEL_ROWS - 1) / PANEL_ROWS); to++)
        panel -= n;
    vf y[FEW];
    size_t rows = (size_t)to->w->rows, row = panel * PANEL_ROWS;
    int width = rows - row < PANEL_ROWS ? (int)(rows - row) : PANEL_ROWS;
    few_panel_of(f, to->w, panel, y);
    for (size_t i = 0; i < f->n; i++) {
        if (to->bias)
            y[i] = y[i] + load_upto(to->bias + row, width);
        if (to->add)
            y[i] = y[i] + load_upto(to->add + i * rows + row, width);
        store_upto(to->out + i * rows + row, y[i], width);
    }
}

// The first panel of a task. A round of one task a thread takes half of what the rounds before have left: long pieces of
// memory first, and in the end single panels, so that no thread has long to wait for another.
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
    for (size_t panel = first; panel < end; panel++) {
        if (f->gated)
            few_gated_panel(f, panel);
        else
            few_plain_panel(f, panel);
    }
}

// Floats of working memory for N rows of COLS.
static size_t few_room(size_t n, size_t cols)
{
    size_t scales = (n * (cols / BLOCK) + 15) & ~(size_t)15;
    return 2 * scales + n * cols / BLOCK * FOURS;
}

// Rows of x [n][cols], rounded into the working memory AT.
static void few_round(struct few_job *f, const float *x, float *at)
{
    size_t n = f->n * f->blocks, scales = (n + 15) & ~(size_t)15;
    f->x_scale = at;
    f->x_sum = at + scales;
    f->x = (int32_t *)(void *)(at + 2 * scales);
    for (size_t b = 0; b < n; b++)
        round_block(x + b * BLOCK, (int8_t *)(f->x + b * FOURS), &f->x_scale[b], &f->x_sum[b]);
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

// X, or its norm: [n][cols] in the working memory AT.
static const float *few_norm(const float *x, const float *norm, float eps, int n, int cols,
                             float *at)
{
    struct norm_job job = {at, x, norm, NULL, n, cols, eps};
    if (!norm)
        return x;
    norm_task(&job, 0, 0); // the first task has more rows than FEW
    return at;
}

// 0 where the weights are not packed.
static int few_project(struct cpu *c, const struct project *p)
{
    size_t cols = (size_t)p->to[0].w->cols, n = (size_t)p->n;
    struct few_job f = {.n = n, .blocks = cols / BLOCK, .to = p->to, .n_to = p->n_to};
    for (int i = 0; i < p->n_to; i++)
        if (!p->to[i].w->packed)
            return 0;
    float *at = cpu_scratch(c, (few_room(n, cols) + n * cols) * sizeof *at);
    if (!at)
        return 1;
    few_round(&f, few_norm(p->x, p->norm, p->eps, p->n, (int)cols, at + few_room(n, cols)), at);
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
    struct few_job a = {
        .n = n, .blocks = cols / BLOCK, .to = pair, .n_to = 2, .gated = 1, .act = f->act};
    few_round(&a, few_norm(f->x, f->norm, f->eps, f->n, (int)cols, at + most), at);
    few_run(c, &a);
    const struct projection down = {f->out, f->down, NULL, f->add};
    struct few_job b = {.n = n, .blocks = ff / BLOCK, .to = &down, .n_to = 1};
    few_round(&b, f->g, at);
    few_run(c, &b);
    return 1;
}

#endif
