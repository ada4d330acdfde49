// Floats from the symbols that an index stores, of many layers of blocks at once: a block of
// threads for each row of a head of each. Rounded as the codecs of cache/ round, so that both give
// the same bits.
#ifndef LCTOOL_KERNELS_CUDA_CUDA_STORED_CUH
#define LCTOOL_KERNELS_CUDA_CUDA_STORED_CUH

#include "kernels/cuda/cuda_kernel.cuh"

enum { CUDA_STORED_THREADS = 64 };

struct cuda_stored_run { // see struct stored; Q, M and S are bytes from the beginning of the data
    float *out;          // [n_heads][stride][head_dim]
    int64_t q, m, s;
    int is_half, per_token, rotate, n_heads, n, stride, head_dim;
};

struct cuda_stored {
    const struct cuda_stored_run *runs; // one of each row of the grid
    const uint8_t *data;
};

CUDA_FN int cuda_stored_is_over(const struct cuda_stored_run *r, struct cuda_place at)
{
    return at.bx >= r->n_heads * r->n;
}

// log2 of head_dim stages between loading and storing.
CUDA_FN int cuda_stored_steps(const struct cuda_stored *p, struct cuda_place at)
{
    const struct cuda_stored_run *r = &p->runs[at.by];
    return cuda_stored_is_over(r, at) ? 0 : r->rotate ? 2 + cuda_tree_steps(r->head_dim) : 1;
}

CUDA_FN float cuda_stored_element(const struct cuda_stored *p, const struct cuda_stored_run *r,
                                  int head, int token, int c)
{
    const uint8_t *q = p->data + r->q;
    int64_t i = ((int64_t)head * r->n + token) * r->head_dim + c;
    if (r->is_half)
        return cuda_half_to_float((uint16_t)(q[2 * i] | q[2 * i + 1] << 8));
    int64_t g = r->per_token ? (int64_t)head * r->n + token : (int64_t)head * r->head_dim + c;
    return cuda_mul_add(((const float *)(const void *)(p->data + r->s))[g], (float)q[i],
                        ((const float *)(const void *)(p->data + r->m))[g]);
}

// shared: [head_dim] with ROTATE
CUDA_FN void cuda_stored_step(const struct cuda_stored *p, int step, struct cuda_place at,
                              float *shared, struct cuda_none *own)
{
    (void)own;
    const struct cuda_stored_run *r = &p->runs[at.by];
    int head = at.bx / r->n, token = at.bx % r->n;
    float *out = r->out + ((int64_t)head * r->stride + token) * r->head_dim;
    if (step == 0) {
        for (int c = at.thread; c < r->head_dim; c += at.n_threads)
            (r->rotate ? shared : out)[c] = cuda_stored_element(p, r, head, token, c);
    } else if (step <= cuda_tree_steps(r->head_dim)) {
        int len = 1 << (step - 1);
        for (int k = at.thread; k < r->head_dim / 2; k += at.n_threads) {
            int i = k / len * 2 * len + k % len;
            float a = shared[i], b = shared[i + len];
            shared[i] = a + b;
            shared[i + len] = a - b;
        }
    } else {
        for (int c = at.thread; c < r->head_dim; c += at.n_threads)
            out[c] = shared[c];
    }
}

#endif
