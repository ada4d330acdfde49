// Floats from the symbols that an index stores: a block of threads for each row of a head. Rounded as
// the codecs of cache/ round, so that both give the same bits.
#ifndef LCTOOL_KERNELS_CUDA_STORED_CUH
#define LCTOOL_KERNELS_CUDA_STORED_CUH

#include "kernels/cuda_kernel.cuh"

enum { CUDA_STORED_THREADS = 64 };

struct cuda_stored { // see struct stored
    float *out;       // [n_heads][stride][head_dim]
    const uint8_t *q; // [n_heads][n][head_dim]
    const float *m, *s;
    int is_half, per_token, rotate, n, stride, head_dim;
};

// log2 of head_dim stages between loading and storing.
CUDA_FN int cuda_stored_steps(const struct cuda_stored *p, struct cuda_place at)
{
    (void)at;
    return p->rotate ? 2 + cuda_tree_steps(p->head_dim) : 1;
}

CUDA_FN float cuda_stored_element(const struct cuda_stored *p, int head, int token, int c)
{
    int64_t i = ((int64_t)head * p->n + token) * p->head_dim + c;
    if (p->is_half)
        return cuda_half_to_float((uint16_t)(p->q[2 * i] | p->q[2 * i + 1] << 8));
    int64_t g = p->per_token ? (int64_t)head * p->n + token : (int64_t)head * p->head_dim + c;
    return cuda_mul_add(p->s[g], (float)p->q[i], p->m[g]);
}

// shared: [head_dim] with ROTATE
CUDA_FN void cuda_stored_step(const struct cuda_stored *p, int step, struct cuda_place at,
                              float *shared, struct cuda_none *own)
{
    (void)own;
    int head = at.bx / p->n, token = at.bx % p->n;
    float *out = p->out + ((int64_t)head * p->stride + token) * p->head_dim;
    if (step == 0) {
        for (int c = at.thread; c < p->head_dim; c += at.n_threads)
            (p->rotate ? shared : out)[c] = cuda_stored_element(p, head, token, c);
    } else if (step <= cuda_tree_steps(p->head_dim)) {
        int len = 1 << (step - 1);
        for (int k = at.thread; k < p->head_dim / 2; k += at.n_threads) {
            int i = k / len * 2 * len + k % len;
            float a = shared[i], b = shared[i + len];
            shared[i] = a + b;
            shared[i + len] = a - b;
        }
    } else {
        for (int c = at.thread; c < p->head_dim; c += at.n_threads)
            out[c] = shared[c];
    }
}

#endif
