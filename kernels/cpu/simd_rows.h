// Exponential, norm, gate and scan over the vectors of kernels/cpu/vec_*.h.
#ifndef LCTOOL_KERNELS_SIMD_ROWS_H
#define LCTOOL_KERNELS_SIMD_ROWS_H

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

// ---- Scan

enum {
    SCAN_KEYS = 2048, // keys of one task, about
    SCAN_STRIP = 256, // scores held at once, of blocks one behind the other
    SCAN_QUERIES = 4, // multiplied at once
};

struct scan_job {
    const struct scan *s;
    // Per thread: [head_dim][VW] keys as floats, [n_q][SCAN_STRIP] scores, [n_q] sums.
    float *scratch;
    size_t scratch_n;
    int64_t blocks; // of one task
};

// M <= VW keys as floats, TO [d][VW]: those that are missing are 0.
static void scan_expand(float *to, const int8_t *keys, int m, int d)
{
    int t = 0;
    for (; t + VW <= d; t += VW) {
        vf r[VW];
#pragma GCC unroll 16
        for (int i = 0; i < VW; i++)
            r[i] = i < m ? v_from_i8(keys + i * d + t) : v_set1(0);
        v_transpose(r);
#pragma GCC unroll 16
        for (int i = 0; i < VW; i++)
            v_store(to + (t + i) * VW, r[i]);
    }
    for (; t < d; t++)
        for (int i = 0; i < VW; i++)
            to[t * VW + i] = i < m ? keys[i * d + t] : 0;
}

// VW keys [d][VW] by N <= SCAN_QUERIES queries, whose scores are SCAN_STRIP apart. N a constant
// after inlining.
INLINE void scan_products(int n, const float *keys, const float *q, int d, vf scale, float *to)
{
    vf even[SCAN_QUERIES], odd[SCAN_QUERIES];
#pragma GCC unroll 4
    for (int i = 0; i < n; i++)
        even[i] = odd[i] = v_set1(0);
    int t = 0;
    for (; t + 2 <= d; t += 2) {
        vf a = v_load(keys + t * VW), b = v_load(keys + (t + 1) * VW);
#pragma GCC unroll 4
        for (int i = 0; i < n; i++) {
            even[i] = v_fma(a, v_set1(q[i * d + t]), even[i]);
            odd[i] = v_fma(b, v_set1(q[i * d + t + 1]), odd[i]);
        }
    }
#pragma GCC unroll 4
    for (int i = 0; i < n; i++) {
        if (t < d)
            even[i] = v_fma(v_load(keys + t * VW), v_set1(q[i * d + t]), even[i]);
        v_store(to + i * SCAN_STRIP, (even[i] + odd[i]) * scale);
    }
}

static void scan_queries(const struct scan *s, const float *keys, vf scale, float *to)
{
    int q = 0, d = s->head_dim;
    for (; q + SCAN_QUERIES <= s->n_q; q += SCAN_QUERIES)
        scan_products(SCAN_QUERIES, keys, s->q + q * d, d, scale, to + q * SCAN_STRIP);
    for (; q < s->n_q; q++)
        scan_products(1, keys, s->q + q * d, d, scale, to + q * SCAN_STRIP);
}

// N < VW numbers, and beyond them what no maximum and no sum of exponentials notices.
static vf load_or_least(const float *p, int n)
{
    float t[VW];
    v_store(t, v_set1(-INFINITY));
    memcpy(t, p, (size_t)n * sizeof *t);
    return v_load(t);
}

static void log_sum_add(struct log_sum *r, const float *strip, int n)
{
    int whole = n / VW * VW, rest = n - whole;
    vf last = rest ? load_or_least(strip + whole, rest) : v_set1(-INFINITY), max = last,
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

// The scores of N <= SCAN_STRIP keys from key AT on.
static void scan_strip(const struct scan *s, uint64_t at, int n, float *keys, float *strips)
{
    for (int i = 0; i < n; i += VW) {
        int m = n - i < VW ? n - i : VW;
        scan_expand(keys, s->keys + (at + (uint64_t)i) * (uint64_t)s->head_dim, m, s->head_dim);
        scan_queries(s, keys, load_upto(s->key_scale + at + i, m) * v_set1(s->scale), strips + i);
    }
}

static void scan_task(void *ctx, int task, int thread)
{
    const struct scan_job *j = ctx;
    const struct scan *s = j->s;
    float *keys = j->scratch + (size_t)thread * j->scratch_n;
    float *strips = keys + (size_t)VW * (size_t)s->head_dim;
    struct log_sum *run = (struct log_sum *)(void *)(strips + (size_t)s->n_q * SCAN_STRIP);
    int64_t first = task * j->blocks;
    int64_t end = first + j->blocks < s->n_blocks ? first + j->blocks : s->n_blocks;
    uint64_t strip = s->start[first], strip_end = strip; // the keys whose scores are there
    for (int64_t b = first; b < end; b++) {
        for (int q = 0; q < s->n_q; q++)
            run[q] = (struct log_sum){-INFINITY, 0};
        for (uint64_t at = s->start[b], stop; at < s->start[b + 1]; at = stop) {
            if (at == strip_end) {
                strip = at;
                strip_end = s->start[end] - at < SCAN_STRIP ? s->start[end] : at + SCAN_STRIP;
                scan_strip(s, strip, (int)(strip_end - strip), keys, strips);
            }
            stop = s->start[b + 1] < strip_end ? s->start[b + 1] : strip_end;
            for (int q = 0; q < s->n_q; q++)
                log_sum_add(&run[q], strips + q * SCAN_STRIP + (at - strip), (int)(stop - at));
        }
        for (int q = 0; q < s->n_q; q++) {
            size_t at = (size_t)q * (size_t)s->n_blocks + (size_t)b;
            if (s->max)
                s->max[at] = run[q].max;
            if (s->lse)
                s->lse[at] = run[q].sum == 0 ? -INFINITY : run[q].max + logf(run[q].sum);
        }
    }
}

static void simd_scan(struct cpu *c, const struct scan *s)
{
    if (s->n_blocks <= 0 || s->n_q <= 0)
        return;
    struct scan_job j = {.s = s};
    int64_t n_keys = (int64_t)(s->start[s->n_blocks] - s->start[0]);
    j.blocks = s->n_blocks * SCAN_KEYS / (n_keys + 1) + 1;
    j.scratch_n = (size_t)VW * (size_t)s->head_dim + (size_t)s->n_q * (SCAN_STRIP + 2);
    j.scratch_n = (j.scratch_n + 15) & ~(size_t)15;
    j.scratch = cpu_scratch(c, j.scratch_n * (size_t)pool_threads(c->pool) * sizeof(float));
    if (j.scratch)
        pool_run(c->pool, (int)((s->n_blocks + j.blocks - 1) / j.blocks), scan_task, &j);
}

#endif
