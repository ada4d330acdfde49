// Exponential, norm, gate and sums of exponentials over the vectors of kernels/cpu/vec_*.h.
#ifndef LCTOOL_KERNELS_CPU_SIMD_ROWS_H
#define LCTOOL_KERNELS_CPU_SIMD_ROWS_H

#include <math.h>

#include "kernels/cpu/cpu.h"
#include "kernels/cpu/simd_matmul.h"

// e^x to 2 units in the last place; below -87.3 and above 88.3 it stays at its value there.
INLINE vf v_exp(vf x)
{
    x = v_min(v_set1(88.3f), v_max(v_set1(-87.3f), x));
    vf n = v_round(x * v_set1(1.44269504f));
    vf r = v_fma(n, v_set1(-0.693359375f), x); // ln 2 in two parts, the first exact in n * ln 2
    r = v_fma(n, v_set1(2.12194440e-4f), r);
    vf y = v_set1(1.0f / 5040); // Taylor: |r| < 0.35 leaves 6e-9
    y = v_fma(y, r, v_set1(1.0f / 720));
    y = v_fma(y, r, v_set1(1.0f / 120));
    y = v_fma(y, r, v_set1(1.0f / 24));
    y = v_fma(y, r, v_set1(1.0f / 6));
    y = v_fma(y, r, v_set1(0.5f));
    y = v_fma(y, r, v_set1(1));
    y = v_fma(y, r, v_set1(1));
    return y * v_pow2(n);
}

INLINE vf v_tanh(vf x)
{
    return v_set1(1) - v_set1(2) / (v_exp(x + x) + v_set1(1));
}

INLINE vf silu(vf x)
{
    return x / (v_set1(1) + v_exp(v_set1(0) - x));
}

INLINE vf gelu_tanh(vf x)
{
    vf root = v_set1(0.797884561f); // sqrt(2 / pi)
    vf t = v_tanh(root * (x + v_set1(0.044715f) * x * x * x));
    return v_set1(0.5f) * x * (v_set1(1) + t);
}

enum { GATE_TASK = 1 << 14 };

struct gate_job {
    float *gate;
    const float *up;
    size_t n;
    enum act act;
};

static void gate_task(void *ctx, int task, int thread)
{
    (void)thread;
    const struct gate_job *g = ctx;
    size_t first = (size_t)task * GATE_TASK;
    size_t end = first + GATE_TASK < g->n ? first + GATE_TASK : g->n;
    for (size_t i = first; i < end; i += VW) {
        int m = end - i < VW ? (int)(end - i) : VW;
        vf x = load_upto(g->gate + i, m);
        vf y = g->act == ACT_SILU ? silu(x) : gelu_tanh(x);
        store_upto(g->gate + i, y * load_upto(g->up + i, m), m);
    }
}

static void simd_gate(struct cpu *c, float *gate, const float *up, size_t n, enum act act)
{
    struct gate_job g = {gate, up, n, act};
    pool_run(c->pool, (int)((n + GATE_TASK - 1) / GATE_TASK), gate_task, &g);
}

enum { NORM_ROWS = 8 };

struct norm_job {
    float *out;
    const float *x, *w, *add;
    int n, dim;
    float eps;
};

static void norm_task(void *ctx, int task, int thread)
{
    (void)thread;
    const struct norm_job *j = ctx;
    int end = (task + 1) * NORM_ROWS < j->n ? (task + 1) * NORM_ROWS : j->n;
    for (int i = task * NORM_ROWS; i < end; i++) {
        const float *x = j->x + (size_t)i * (size_t)j->dim;
        float *out = j->out + (size_t)i * (size_t)j->dim;
        vf sum = v_set1(0);
        for (int k = 0; k < j->dim; k += VW) {
            vf v = load_upto(x + k, j->dim - k);
            sum = v_fma(v, v, sum);
        }
        vf scale = v_set1((float)(1 / sqrt((double)v_sum(sum) / j->dim + (double)j->eps)));
        const float *add = j->add ? j->add + (size_t)i * (size_t)j->dim : NULL;
        for (int k = 0; k < j->dim; k += VW) {
            vf y = load_upto(x + k, j->dim - k) * scale * load_upto(j->w + k, j->dim - k);
            if (add)
                y = y + load_upto(add + k, j->dim - k);
            store_upto(out + k, y, j->dim - k);
        }
    }
}

static void simd_rmsnorm(struct cpu *c, float *out, const float *x, const float *w,
                         const float *add, int n, int dim, float eps)
{
    struct norm_job j = {out, x, w, add, n, dim, eps};
    pool_run(c->pool, (n + NORM_ROWS - 1) / NORM_ROWS, norm_task, &j);
}

// ---- Sums of exponentials

// N < VW numbers, and beyond them OTHER.
static vf load_or(const float *p, int n, float other)
{
    float t[VW];
    v_store(t, v_set1(other));
    memcpy(t, p, (size_t)n * sizeof *t);
    return v_load(t);
}

static void log_sum_add(struct log_sum *r, const float *strip, int n)
{
    int whole = n / VW * VW, rest = n - whole;
    // Behind the last one what no maximum and no sum of exponentials notices.
    vf last = rest ? load_or(strip + whole, rest, -INFINITY) : v_set1(-INFINITY), max = last,
       sum = v_set1(0);
    for (int i = 0; i < whole; i += VW)
        max = v_max(max, v_load(strip + i));
    float top = v_hmax(max);
    if (top < r->max)
        top = r->max;
    for (int i = 0; i < whole; i += VW)
        sum = sum + v_exp(v_load(strip + i) - v_set1(top));
    if (rest)
        sum = sum + v_exp(last - v_set1(top));
    r->sum = v_sum(sum) + (r->sum == 0 ? 0 : r->sum * expf(r->max - top));
    r->max = top;
}

enum { LOG_SUM_ROWS = 4 };

struct log_sum_job {
    struct log_sum *sums;
    const float *x;
    int n, width;
};

static void log_sums_task(void *ctx, int task, int thread)
{
    (void)thread;
    const struct log_sum_job *j = ctx;
    int first = task * LOG_SUM_ROWS,
        end = first + LOG_SUM_ROWS < j->n ? first + LOG_SUM_ROWS : j->n;
    for (int i = first; i < end; i++)
        log_sum_add(&j->sums[i], j->x + (size_t)i * (size_t)j->width, j->width);
}

static void simd_log_sums(struct cpu *c, struct log_sum *sums, const float *x, int n, int width)
{
    struct log_sum_job j = {sums, x, n, width};
    pool_run(c->pool, (n + LOG_SUM_ROWS - 1) / LOG_SUM_ROWS, log_sums_task, &j);
}

#endif
