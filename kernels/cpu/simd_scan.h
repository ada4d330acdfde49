// Index vectors scored by queries, in float32 over the vectors of kernels/cpu/vec_*.h.
#ifndef LCTOOL_KERNELS_CPU_SIMD_SCAN_H
#define LCTOOL_KERNELS_CPU_SIMD_SCAN_H

#include "kernels/cpu/simd_rows.h"

enum {
    SCAN_KEYS = 2048, // keys of one task, about
    SCAN_STRIP = 256, // scores held at once, of blocks one behind the other
    SCAN_QUERIES = 4, // multiplied at once
};

struct scan_job {
    const struct scan *s;
    // The scores of N <= SCAN_STRIP keys from key AT on, to STRIPS [n_q][SCAN_STRIP]; WORK is
    // [work_n]. What lies behind the N is not defined.
    void (*score)(const struct scan_job *j, uint64_t at, int n, float *work, float *strips);
    size_t work_n;
    const void *queries; // as SCORE wants them; NULL: s->q
    // Per thread: [work_n], [n_q][SCAN_STRIP] scores, [n_q] sums.
    float *scratch;
    size_t scratch_n;
    int64_t blocks; // of one task
    int apart;      // exponentials of each block are taken beside its own largest score
};

// ---- Scores

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

static void scan_score(const struct scan_job *j, uint64_t at, int n, float *work, float *strips)
{
    const struct scan *s = j->s;
    for (int i = 0; i < n; i += VW) {
        int m = n - i < VW ? n - i : VW;
        ask_later(s->keys + (at + (uint64_t)i) * (uint64_t)s->head_dim,
                  (uint64_t)VW * (uint64_t)s->head_dim);
        scan_expand(work, s->keys + (at + (uint64_t)i) * (uint64_t)s->head_dim, m, s->head_dim);
        scan_queries(s, work, load_upto(s->key_scale + at + i, m) * v_set1(s->scale), strips + i);
    }
}

// ---- Blocks

// The exponentials of N scores beside the largest of them, *TOP, in their places; up to whole
// vectors, what lies behind them is lost. 0: they are no numbers, or so far apart that some would
// have none; they stay as they are.
static int scan_exps(float *scores, int n, float *top)
{
    enum { APART = 80 };
    int whole = n / VW * VW;
    if (whole < n)
        v_store(scores + whole, load_or(scores + whole, n - whole, scores[0]));
    vf most = v_set1(-INFINITY), least = most;
    for (int i = 0; i < n; i += VW) {
        vf x = v_load(scores + i);
        most = v_max(most, x);
        least = v_max(least, v_set1(0) - x);
    }
    *top = v_hmax(most);
    if (!(*top + v_hmax(least) < APART))
        return 0;
    for (int i = 0; i < n; i += VW)
        v_store(scores + i, v_exp(v_load(scores + i) - v_set1(*top)));
    return 1;
}

// N exponentials of scores beside TOP.
static void exps_add(struct log_sum *r, const float *exps, int n, float top)
{
    vf sum = v_set1(0);
    for (int i = 0; i < n; i += VW)
        sum = sum + load_upto(exps + i, n - i);
    struct log_sum more = {top, v_sum(sum)};
    if (r->sum == 0) {
        *r = more;
        return;
    }
    float max = r->max > top ? r->max : top;
    r->sum = r->sum * expf(r->max - max) + more.sum * expf(top - max);
    r->max = max;
}

// N scores of which only the largest is wanted.
static void max_add(struct log_sum *r, const float *scores, int n)
{
    vf most = v_set1(r->max);
    int i = 0;
    for (; i + VW <= n; i += VW)
        most = v_max(most, v_load(scores + i));
    r->max = v_hmax(most);
    for (; i < n; i++)
        r->max = scores[i] > r->max ? scores[i] : r->max;
}

// One query's scores of N keys from key AT on, the first of which are block FIRST's: R is the sum
// so far of a block that begins before them, and in the end that of one that goes on behind them.
// Returns the first block before END that does not end with these keys.
static int64_t scan_blocks(const struct scan_job *j, int q, uint64_t at, int n, float *scores,
                           struct log_sum *r, int64_t first, int64_t end)
{
    const struct scan *s = j->s;
    float top = -INFINITY;
    int summed = !j->apart && s->lse && !s->max && n && scan_exps(scores, n, &top);
    uint64_t stop = at + (uint64_t)n;
    int64_t b = first;
    for (; b < end; b++) {
        uint64_t from = s->start[b] > at ? s->start[b] : at,
                 to = s->start[b + 1] < stop ? s->start[b + 1] : stop;
        if (from < to && summed)
            exps_add(r, scores + (from - at), (int)(to - from), top);
        else if (from < to && !s->lse)
            max_add(r, scores + (from - at), (int)(to - from));
        else if (from < to)
            log_sum_add(r, scores + (from - at), (int)(to - from));
        if (s->start[b + 1] > stop)
            break;
        size_t i = (size_t)q * (size_t)s->n_blocks + (size_t)b;
        if (s->max)
            s->max[i] = r->max;
        if (s->lse)
            s->lse[i] = r->sum == 0 ? -INFINITY : r->max + logf(r->sum);
        *r = (struct log_sum){-INFINITY, 0};
    }
    return b;
}

static void scan_task(void *ctx, int task, int thread)
{
    const struct scan_job *j = ctx;
    const struct scan *s = j->s;
    float *work = j->scratch + (size_t)thread * j->scratch_n, *strips = work + j->work_n;
    struct log_sum *run = (struct log_sum *)(void *)(strips + (size_t)s->n_q * SCAN_STRIP);
    int64_t b = task * j->blocks, end = b + j->blocks < s->n_blocks ? b + j->blocks : s->n_blocks;
    for (int q = 0; q < s->n_q; q++)
        run[q] = (struct log_sum){-INFINITY, 0};
    for (uint64_t at = s->start[b]; b < end;) {
        int n = s->start[end] - at < SCAN_STRIP ? (int)(s->start[end] - at) : SCAN_STRIP;
        int64_t next = b;
        j->score(j, at, n, work, strips);
        for (int q = 0; q < s->n_q; q++)
            next = scan_blocks(j, q, at, n, strips + q * SCAN_STRIP, &run[q], b, end);
        at += (uint64_t)n;
        b = next;
    }
}

// J's scratch, behind N_HEAD floats of its own which begin at *HEAD; 0: no memory.
static int scan_begin(struct cpu *c, struct scan_job *j, size_t n_head, float **head)
{
    const struct scan *s = j->s;
    int64_t n_keys = (int64_t)(s->start[s->n_blocks] - s->start[0]);
    j->blocks = s->n_blocks * SCAN_KEYS / (n_keys + 1) + 1;
    j->scratch_n = (j->work_n + (size_t)s->n_q * (SCAN_STRIP + 2) + 15) & ~(size_t)15;
    n_head = (n_head + 15) & ~(size_t)15;
    *head = cpu_scratch(c, (n_head + j->scratch_n * (size_t)pool_threads(c->pool)) * sizeof **head);
    j->scratch = *head + n_head;
    return *head != NULL;
}

static void scan_run(struct cpu *c, struct scan_job *j)
{
    pool_run(c->pool, (int)((j->s->n_blocks + j->blocks - 1) / j->blocks), scan_task, j);
}

static void simd_scan(struct cpu *c, const struct scan *s)
{
    float *none;
    if (s->n_blocks <= 0 || s->n_q <= 0)
        return;
    struct scan_job j = {
        .s = s, .score = scan_score, .work_n = (size_t)VW * (size_t)s->head_dim, .apart = c->exact};
    if (scan_begin(c, &j, 0, &none))
        scan_run(c, &j);
}

#endif
