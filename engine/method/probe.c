#include "engine/method/probe.h"

#include <string.h>

// How unusual each query is (ActQKV, arXiv:2502.07590): its squared distance from the mean of all,
// each dimension by its variance, as a share of the sum over the queries; in W [n].
static void unusual(const float *q, size_t n, size_t dim, float *w)
{
    double total = 0;
    memset(w, 0, n * sizeof *w);
    for (size_t j = 0; j < dim; j++) {
        double mean = 0, variance = 0;
        for (size_t i = 0; i < n; i++)
            mean += (double)q[i * dim + j] / (double)n;
        for (size_t i = 0; i < n; i++) {
            double x = (double)q[i * dim + j] - mean;
            variance += x * x / (double)n;
        }
        for (size_t i = 0; i < n && variance > 0; i++) {
            double x = (double)q[i * dim + j] - mean;
            w[i] += (float)(x * x / variance);
            total += x * x / variance;
        }
    }
    for (size_t i = 0; i < n; i++)
        w[i] = total > 0 ? (float)((double)w[i] / total) : 1 / (float)n;
}

int probe_vectors(enum probe probe, const float *queries, int n, int n_heads, int head_dim,
                  int head, float *out)
{
    size_t d = (size_t)head_dim, count = (size_t)n;
    for (size_t i = 0; i < count; i++)
        memcpy(out + i * d, queries + (i * (size_t)n_heads + (size_t)head) * d, d * sizeof *out);
    if (probe == PROBE_TOKENS)
        return n;
    float *w = out + count * d, *sum = w + count;
    if (probe == PROBE_BIAS)
        unusual(out, count, d, w);
    memset(sum, 0, d * sizeof *sum);
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < d; j++)
            sum[j] += out[i * d + j] * (probe == PROBE_BIAS ? w[i] : 1 / (float)n);
    memcpy(out, sum, d * sizeof *sum);
    return 1;
}
