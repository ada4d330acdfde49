// Products with few rows of x, at the speed of memory: x is rounded as kernels.h says, once for all
// matrices that it is multiplied by. Each row gets the bits that it gets alone. Included by the
// header that has the products; what is declared here and not defined is defined there.
#ifndef LCTOOL_KERNELS_CPU_FEW_H
#define LCTOOL_KERNELS_CPU_FEW_H

#include "kernels/cpu/simd_matmul.h"
#include "kernels/cpu/simd_rows.h"

enum {
    FEW_PART = VW,             // weight rows multiplied at once
    FEW_WORDS = BLOCK / 4 + 2, // of a block of a row of x: its bytes, e, and e * sum(q)
};

struct few_job {
    size_t n, blocks;
    const float *from, *norm; // x [n][cols] before it is rounded, and NULL or its rmsnorm's weights
    float eps;
    float *normed;               // with norm: [n][cols]
    int32_t *x;                  // [n * blocks * FEW_WORDS], as few_round_to lays it out
    const struct projection *to; // [n_to]
    int n_to;
    // The gated pair: to[0] and to[1] are gate and up, and act(gate) * up goes to to[0].out.
    int gated;
    enum act act;
    size_t n_parts, n_threads; // pairs of parts, where gated
};

// Whether N rows of x are multiplied by W in this way.
static int few_takes(const struct cpu *c, const struct mat *w, int n);

// Row ROW of x, FROM [cols], rounded into f->x.
static void few_round_to(const struct few_job *f, size_t row, const float *from);

// The rows of x from AT on, FEW_AT_ONCE at most, by the FEW_PART rows PART of W: returns how many,
// and their products Y. Of rows that W does not have Y holds anything.
static int few_part_of(const struct few_job *f, const struct mat *w, size_t part, size_t at, vf *y);

static size_t few_parts(const struct mat *w)
{
    return ((size_t)w->rows + FEW_PART - 1) / FEW_PART;
}

static void few_gated_part(const struct few_job *f, size_t part, size_t at)
{
    vf gate[FEW_AT_ONCE], up[FEW_AT_ONCE];
    size_t rows = (size_t)f->to[0].w->rows, row = part * FEW_PART;
    int width = rows - row < FEW_PART ? (int)(rows - row) : FEW_PART;
    few_part_of(f, f->to[0].w, part, at, gate);
    int m = few_part_of(f, f->to[1].w, part, at, up);
    for (int i = 0; i < m; i++) {
        vf y = f->act == ACT_SILU ? silu(gate[i]) : gelu_tanh(gate[i]);
        store_upto(f->to[0].out + (at + (size_t)i) * rows + row, y * up[i], width);
    }
}

static void few_plain_part(const struct few_job *f, size_t part, size_t at)
{
    const struct projection *to = f->to;
    for (size_t n; part >= (n = few_parts(to->w)); to++)
        part -= n;
    vf y[FEW_AT_ONCE];
    size_t rows = (size_t)to->w->rows, row = part * FEW_PART;
    int width = rows - row < FEW_PART ? (int)(rows - row) : FEW_PART,
        m = few_part_of(f, to->w, part, at, y);
    for (int i = 0; i < m; i++) {
        size_t out = (at + (size_t)i) * rows + row;
        if (to->bias)
            y[i] = y[i] + load_upto(to->bias + row, width);
        if (to->add)
            y[i] = y[i] + load_upto(to->add + out, width);
        store_upto(to->out + out, y[i], width);
    }
}

// The first part of a task. A round of one task a thread takes half of what the rounds before have
// left: long pieces of memory first, and in the end single parts, so that no thread has long to
// wait for another.
static size_t few_first(const struct few_job *f, size_t task)
{
    size_t n = f->n_parts, round = task / f->n_threads;
    size_t begin = n - (n >> round), end = n - (n >> (round + 1));
    return begin + (end - begin) * (task % f->n_threads) / f->n_threads;
}

static void few_task_parts(void *ctx, int task, int thread)
{
    (void)thread;
    const struct few_job *f = ctx;
    size_t first = few_first(f, (size_t)task), end = few_first(f, (size_t)task + 1);
    for (size_t part = first; part < end; part++)
        for (size_t at = 0; at < f->n; at += FEW_AT_ONCE) {
            if (f->gated)
                few_gated_part(f, part, at);
            else
                few_plain_part(f, part, at);
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
    size_t row = (size_t)i, cols = f->blocks * BLOCK;
    const float *from = f->from + row * cols;
    if (f->norm) {
        struct norm_job job = {f->normed + row * cols, from, f->norm, NULL, 1, (int)cols, f->eps};
        norm_task(&job, 0, 0);
        from = job.out;
    }
    few_round_to(f, row, from);
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
    f->n_parts = 0;
    for (int i = 0; i < f->n_to; i++)
        f->n_parts += few_parts(f->to[i].w);
    if (f->gated)
        f->n_parts /= 2;
    f->n_threads = (size_t)pool_threads(c->pool);
    int n_rounds = 0;
    while (f->n_parts >> n_rounds)
        n_rounds++;
    pool_run(c->pool, n_rounds * (int)f->n_threads, few_task_parts, f);
}

// device_ops.project and ffn of few rows; 0 where they are none of these.
static int few_project(struct cpu *c, const struct project *p)
{
    size_t cols = (size_t)p->to[0].w->cols, n = (size_t)p->n;
    for (int i = 0; i < p->n_to; i++)
        if (!few_takes(c, p->to[i].w, p->n))
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

static int few_ffn(struct cpu *c, const struct ffn *f)
{
    size_t cols = (size_t)f->gate->cols, ff = (size_t)f->gate->rows, n = (size_t)f->n;
    if (!few_takes(c, f->gate, f->n) || !few_takes(c, f->up, f->n) || !few_takes(c, f->down, f->n))
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
