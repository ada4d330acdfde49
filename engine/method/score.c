#include "engine/method/score.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/mem.h"

// ------------------------------------------------------------------------------- rows of one query

static float dot(const float *q, const int8_t *v, int dim)
{
    float sum = 0;
    for (int i = 0; i < dim; i++)
        sum += q[i] * (float)v[i];
    return sum;
}

// The best sum over the vectors of one span; spans begin where tokens do not ascend (span.h).
static float best_span(const struct score_keys *k, int64_t block, uint32_t skip, const float *q,
                       int dim)
{
    float best = -INFINITY, sum = 0;
    uint64_t end = k->start[block + 1];
    int count = 0;
    for (uint64_t i = k->start[block]; i < end; i++) {
        if (k->token[i] >= skip) {
            sum += k->scale[i] * dot(q, k->vectors + i * (uint64_t)dim, dim);
            count++;
        }
        if (i + 1 < end && k->token[i + 1] > k->token[i])
            continue;
        best = count && sum > best ? sum : best;
        sum = 0;
        count = 0;
    }
    return best;
}

// The largest product with any key between the minimum and the maximum (Quest, Algorithm 1).
static float bound(const struct score_keys *k, int64_t block, uint32_t skip, const float *q,
                   int dim)
{
    uint64_t at = k->start[block];
    if (k->start[block + 1] != at + 2 || k->token[at] < skip)
        return -INFINITY;
    const int8_t *low = k->vectors + at * (uint64_t)dim, *high = low + dim;
    float sum = 0;
    for (int i = 0; i < dim; i++) {
        float a = q[i] * (float)low[i] * k->scale[at], b = q[i] * (float)high[i] * k->scale[at + 1];
        sum += a > b ? a : b;
    }
    return sum;
}

// The largest cosine with a vector of the block.
static float best_cosine(const struct score_keys *k, int64_t block, uint32_t skip, const float *q,
                         int dim)
{
    float best = -INFINITY, norm = 0;
    for (int i = 0; i < dim; i++)
        norm += q[i] * q[i];
    for (uint64_t i = k->start[block]; i < k->start[block + 1]; i++) {
        const int8_t *v = k->vectors + i * (uint64_t)dim;
        int square = 0;
        for (int j = 0; j < dim; j++)
            square += v[j] * v[j];
        if (k->token[i] < skip || !square || norm <= 0)
            continue;
        float x = dot(q, v, dim) / sqrtf(norm * (float)square);
        best = x > best ? x : best;
    }
    return best;
}

static void rows_by_hand(const struct model *m, const struct score_keys *k, int quest,
                         enum reduce reduce, const float *q, int n_q, float *out, int64_t stride)
{
    int dim = m->info.head_dim;
    for (int i = 0; i < n_q; i++)
        for (int64_t b = 0; b < k->n_blocks; b++) {
            const float *x = q + (size_t)i * (size_t)dim;
            uint32_t skip = b ? 0 : k->skip;
            out[i * stride + b] = quest ? m->attn_scale * bound(k, b, skip, x, dim)
                                  : reduce == REDUCE_COSINE
                                      ? best_cosine(k, b, skip, x, dim)
                                      : m->attn_scale * best_span(k, b, skip, x, dim);
        }
}

// ------------------------------------------------------------------------- rows of all at once

// The score of the first block, whose N vectors were scored one by one in ROW.
static float fold(const float *row, uint64_t n, const struct score_keys *k, enum reduce reduce)
{
    float top = -INFINITY;
    double sum = 0;
    for (uint64_t i = 0; i < n; i++)
        if (k->token[i] >= k->skip && row[i] > top)
            top = row[i];
    for (uint64_t i = 0; i < n; i++)
        if (k->token[i] >= k->skip)
            sum += exp((double)row[i] - (double)top);
    return reduce == REDUCE_MAX || !isfinite(top) ? top : (float)((double)top + log(sum));
}

// The keys by blocks that begin at START [n_blocks + 1]; what is wanted of each is the caller's.
static struct scan scan_of(const struct model *m, const struct score_keys *k, const float *q,
                           int n_q, const uint64_t *start, int64_t n_blocks)
{
    return (struct scan){.q = q,
                         .n_q = n_q,
                         .head_dim = m->info.head_dim,
                         .scale = m->attn_scale,
                         .keys = k->vectors,
                         .key_scale = k->scale,
                         .start = start,
                         .n_blocks = n_blocks,
                         .name = k->name};
}

static int rows_by_scan(const struct model *m, const struct score_keys *k, enum reduce reduce,
                        const float *q, int n_q, float *out, int64_t stride, struct err *e)
{
    uint64_t first = k->start[1], n = first + (uint64_t)k->n_blocks - 1;
    uint64_t *start = mem_new(n + 1, sizeof *start, e);
    float *rows = mem_new(n * (uint64_t)n_q, sizeof *rows, e);
    int rc = start && rows ? 0 : ERR_NOMEM;
    for (uint64_t i = 0; !rc && i <= n; i++)
        start[i] = i < first ? i : k->start[i - first + 1];
    if (!rc) {
        struct device *d = m->device;
        struct scan of = scan_of(m, k, q, n_q, start, (int64_t)n);
        *(reduce == REDUCE_MAX ? &of.max : &of.lse) = rows;
        d->ops->scan(d, &of);
    }
    for (int i = 0; !rc && i < n_q; i++) {
        const float *row = rows + (uint64_t)i * n;
        float *to = out + i * stride;
        to[0] = fold(row, first, k, reduce);
        memcpy(to + 1, row + first, (size_t)(k->n_blocks - 1) * sizeof *to);
    }
    free(start);
    free(rows);
    return rc;
}

int score_blocks(const struct model *m, const struct score_keys *k, int quest, enum reduce reduce,
                 const float *q, int n_q, float *out, int64_t stride, struct err *e)
{
    if (!k->n_blocks)
        return 0;
    if (!quest && reduce != REDUCE_SUM && reduce != REDUCE_COSINE)
        return rows_by_scan(m, k, reduce, q, n_q, out, stride, e);
    rows_by_hand(m, k, quest, reduce, q, n_q, out, stride);
    return 0;
}

// ---------------------------------------------------------------------------- one number a block

// Softmax per query over the vectors of all blocks, summed over the block's vectors and the
// queries.
static void softmax_mass(float *rows, int n_q, int64_t n, float *z)
{
    for (int q = 0; q < n_q; q++) {
        float *row = rows + (int64_t)q * n, top = -INFINITY;
        double sum = 0;
        for (int64_t i = 0; i < n; i++)
            top = row[i] > top ? row[i] : top;
        if (!isfinite(top))
            continue;
        for (int64_t i = 0; i < n; i++)
            sum += (double)(row[i] = expf(row[i] - top));
        for (int64_t i = 0; i < n; i++)
            z[i] += (float)((double)row[i] / sum);
    }
    for (int64_t i = 0; i < n; i++)
        z[i] = logf(z[i]);
}

int score_scan(const struct model *m, const struct score_keys *k, const float *q, int n_q,
               uint64_t *start, struct scan *out)
{
    uint64_t first = 0;
    while (first < k->start[1] && k->token[first] < k->skip)
        first++;
    for (uint64_t i = first; i < k->start[1]; i++)
        if (k->token[i] < k->skip)
            return 0;
    memcpy(start, k->start, ((size_t)k->n_blocks + 1) * sizeof *start);
    start[0] = first;
    *out = scan_of(m, k, q, n_q, start, k->n_blocks);
    return 1;
}

int score_mass(const struct model *m, const struct score_keys *k, int quest, enum reduce reduce,
               const float *q, int n_q, float *z, struct err *e)
{
    struct device *d = m->device;
    struct scan of;
    if (!d->ops->scans_mass || quest || reduce != REDUCE_LSE || !k->n_blocks)
        return 0;
    uint64_t *start = mem_new((size_t)k->n_blocks + 1, sizeof *start, e);
    if (!start)
        return ERR_NOMEM;
    int rc = score_scan(m, k, q, n_q, start, &of);
    if (rc) {
        of.mass = z;
        d->ops->scan(d, &of);
        rc = d->ops->sync(d, e);
        rc = rc ? rc : 1;
    }
    free(start);
    return rc;
}

void score_reduce(enum reduce reduce, float *rows, int n_q, int64_t n, float *z)
{
    memset(z, 0, (size_t)n * sizeof *z);
    if (reduce == REDUCE_LSE) {
        softmax_mass(rows, n_q, n, z);
        return;
    }
    for (int q = 0; q < n_q; q++)
        for (int64_t i = 0; i < n; i++)
            z[i] += rows[(int64_t)q * n + i];
}

void score_bytes(const float *x, size_t dim, int8_t *out, float *scale)
{
    float top = 0;
    for (size_t i = 0; i < dim; i++)
        top = fabsf(x[i]) > top ? fabsf(x[i]) : top;
    *scale = top / 127;
    for (size_t i = 0; i < dim; i++)
        out[i] = (int8_t)(top > 0 ? lrintf(x[i] / *scale) : 0);
}

// ------------------------------------------------------------------------------ vector by vector

// Rows [n_q][n] of all n vectors, as if each was a block of its own.
static int rows_of_each(const struct model *m, const struct score_keys *k, enum reduce reduce,
                        const float *q, int n_q, float *rows, struct err *e)
{
    int64_t n = (int64_t)k->start[k->n_blocks];
    uint64_t *one = mem_new((size_t)n + 1, sizeof *one, e);
    if (!one)
        return ERR_NOMEM;
    for (int64_t i = 0; i <= n; i++)
        one[i] = (uint64_t)i;
    struct score_keys each = {k->vectors, k->scale, one, k->token, n, 0, k->name};
    int rc = score_blocks(m, &each, 0, reduce, q, n_q, rows, n, e);
    free(one);
    return rc;
}

int score_vectors(const struct model *m, const struct score_keys *k, const float *q, int n_q,
                  float *z, struct err *e)
{
    int64_t n = (int64_t)k->start[k->n_blocks];
    float *rows = mem_new((size_t)n * (size_t)n_q, sizeof *rows, e);
    int rc = rows ? rows_of_each(m, k, REDUCE_MAX, q, n_q, rows, e) : ERR_NOMEM;
    for (int64_t i = 0; !rc && i < n; i++) {
        z[i] = -INFINITY;
        for (int j = 0; j < n_q; j++)
            z[i] = rows[j * n + i] > z[i] ? rows[j * n + i] : z[i];
    }
    free(rows);
    return rc;
}

enum { POOL = 7 }; // vectors averaged, odd

// Of one vector the largest score and the log-sum-exp are the same.
int score_pool(const struct model *m, const struct score_keys *k, const float *q, int n_q, float *z,
               struct err *e)
{
    int64_t n = (int64_t)k->start[k->n_blocks];
    float *rows = mem_new((size_t)n * ((size_t)n_q + 1), sizeof *rows, e), *mass = rows;
    int rc = rows ? rows_of_each(m, k, REDUCE_MAX, q, n_q, rows + n, e) : ERR_NOMEM;
    if (!rc)
        score_reduce(REDUCE_LSE, rows + n, n_q, n, mass);
    for (int64_t b = 0; !rc && b < k->n_blocks; b++) {
        double best = 0;
        for (int64_t i = (int64_t)k->start[b]; i < (int64_t)k->start[b + 1]; i++) {
            double sum = 0;
            for (int64_t j = i - POOL / 2; j <= i + POOL / 2; j++)
                sum += j >= 0 && j < n ? exp((double)mass[j]) / POOL : 0;
            best = sum > best ? sum : best;
        }
        z[b] = best > 0 ? (float)log(best) : -INFINITY;
    }
    free(rows);
    return rc;
}

double score_entropy(const float *z, int64_t n)
{
    double top = -INFINITY, sum = 0, dot = 0;
    for (int64_t i = 0; i < n; i++)
        top = (double)z[i] > top ? (double)z[i] : top;
    for (int64_t i = 0; i < n && isfinite(top); i++) {
        double x = (double)z[i] - top, p = exp(x);
        sum += p;
        dot += p > 0 ? p * x : 0;
    }
    return sum > 0 ? log(sum) - dot / sum : 0;
}

void score_standardize(float *z, int64_t n)
{
    double sum = 0, sq = 0, low = 0;
    int64_t count = 0;
    for (int64_t i = 0; i < n; i++)
        if (isfinite(z[i])) {
            sum += (double)z[i];
            low = count++ && low < (double)z[i] ? low : (double)z[i];
        }
    double mean = count ? sum / (double)count : 0;
    for (int64_t i = 0; i < n; i++)
        if (isfinite(z[i]))
            sq += ((double)z[i] - mean) * ((double)z[i] - mean);
    double sd = count ? sqrt(sq / (double)count) : 0;
    for (int64_t i = 0; i < n; i++) {
        double x = isfinite(z[i]) ? (double)z[i] : low;
        z[i] = sd > 0 ? (float)((x - mean) / sd) : 0;
    }
}
