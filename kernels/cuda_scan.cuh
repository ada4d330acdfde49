// Scores of the keys of index blocks: a block of threads for each, and for each query.
#ifndef LCTOOL_KERNELS_CUDA_SCAN_CUH
#define LCTOOL_KERNELS_CUDA_SCAN_CUH

#include "kernels/cuda_kernel.cuh"

struct cuda_scan {
    const float *q; // [n_q][head_dim]
    const int8_t *keys;
    const float *key_scale;
    const uint64_t *start; // [n_blocks + 1]
    uint64_t first;        // the key that KEYS and KEY_SCALE begin with
    float *max, *lse;      // [n_q][n_blocks]
    float scale;
    int head_dim, n_blocks;
};

CUDA_FN int cuda_scan_steps(const struct cuda_scan *p, struct cuda_place at)
{
    (void)p;
    return 2 + cuda_tree_steps(at.n_threads);
}

// Largest score and, relative to it, the sum of exponentials of two sets of keys.
CUDA_FN void cuda_scan_join(float *max, float *sum, float max2, float sum2)
{
    float top = fmaxf(*max, max2);
    *sum = *sum * (*max == top ? 1 : expf(*max - top)) + sum2 * (max2 == top ? 1 : expf(max2 - top));
    *max = top;
}

// shared: [n_threads] maxima, then [n_threads] sums
CUDA_FN void cuda_scan_step(const struct cuda_scan *p, int step, struct cuda_place at,
                            float *shared, struct cuda_none *own)
{
    (void)own;
    float *maxima = shared, *sums = shared + at.n_threads;
    if (step == 0) {
        const float *q = p->q + (int64_t)at.by * p->head_dim;
        float max = -INFINITY, sum = 0;
        for (uint64_t k = p->start[at.bx] + (uint64_t)at.thread; k < p->start[at.bx + 1];
             k += (uint64_t)at.n_threads) {
            const int8_t *key = p->keys + (k - p->first) * (uint64_t)p->head_dim;
            float dot = 0;
            for (int t = 0; t < p->head_dim; t++)
                dot += q[t] * (float)key[t];
            cuda_scan_join(&max, &sum, dot * p->key_scale[k - p->first] * p->scale, 1);
        }
        maxima[at.thread] = max;
        sums[at.thread] = sum;
    } else if (step <= cuda_tree_steps(at.n_threads)) {
        int half = at.n_threads >> step;
        if (at.thread < half)
            cuda_scan_join(&maxima[at.thread], &sums[at.thread], maxima[at.thread + half],
                           sums[at.thread + half]);
    } else if (at.thread == 0) {
        int64_t to = (int64_t)at.by * p->n_blocks + at.bx;
        p->max[to] = maxima[0];
        p->lse[to] = sums[0] == 0 ? -INFINITY : maxima[0] + logf(sums[0]);
    }
}

#endif
