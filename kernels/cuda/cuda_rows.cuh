// The operations that take their rows one by one: embed, rmsnorm, gate, cache_put; what is added to
// one and its largest number, and the mean of several.
#ifndef LCTOOL_KERNELS_CUDA_CUDA_ROWS_CUH
#define LCTOOL_KERNELS_CUDA_CUDA_ROWS_CUH

#include "kernels/cuda/cuda_kernel.cuh"
#include "kernels/cuda/cuda_quant.cuh"
#include "kernels/kernels.h"

struct cuda_embed {
    float *out;          // [n][cols]
    const uint8_t *rows; // of the table
    const uint32_t *ids; // [n], or NULL for the one row ID
    size_t row_bytes;
    uint32_t type, id;
    int n, cols;
    float scale;
};

CUDA_FN void cuda_embed_run(const struct cuda_embed *p, struct cuda_place at)
{
    int groups = (p->cols + CUDA_GROUP - 1) / CUDA_GROUP;
    int64_t all = (int64_t)p->n * groups;
    for (int64_t k = cuda_index(at); k < all; k += cuda_stride(at)) {
        int64_t i = k / groups;
        int g = (int)(k % groups);
        float w[CUDA_GROUP];
        cuda_weights(p->type, p->rows + (p->ids ? p->ids[i] : p->id) * p->row_bytes, p->cols, g, w);
        for (int j = 0; j < CUDA_GROUP && g * CUDA_GROUP + j < p->cols; j++)
            p->out[i * p->cols + g * CUDA_GROUP + j] = p->scale * w[j];
    }
}
CUDA_ONE_STEP(cuda_embed)

struct cuda_rmsnorm {
    float *out; // [n][dim]
    const float *x, *w;
    const float *add; // [n][dim], or NULL
    int dim;
    float eps;
};

CUDA_FN int cuda_rmsnorm_steps(const struct cuda_rmsnorm *p, struct cuda_place at)
{
    (void)p;
    return 2 + cuda_tree_steps(at.n_threads);
}

// A block per row.
CUDA_FN void cuda_rmsnorm_step(const struct cuda_rmsnorm *p, int step, struct cuda_place at,
                               float *shared, struct cuda_none *own)
{
    (void)own;
    const float *x = p->x + (int64_t)at.bx * p->dim;
    float *out = p->out + (int64_t)at.bx * p->dim;
    if (step == 0) {
        float sum = 0;
        for (int k = at.thread; k < p->dim; k += at.n_threads)
            sum += x[k] * x[k];
        shared[at.thread] = sum;
    } else if (step <= cuda_tree_steps(at.n_threads)) {
        cuda_tree_sum(shared, step - 1, at);
    } else {
        float scale = 1 / sqrtf(shared[0] / (float)p->dim + p->eps);
        for (int k = at.thread; k < p->dim; k += at.n_threads)
            out[k] = x[k] * scale * p->w[k] + (p->add ? p->add[(int64_t)at.bx * p->dim + k] : 0);
    }
}

struct cuda_gate {
    float *gate;
    const float *up;
    int64_t n;
    int gelu;
};

CUDA_FN float cuda_gelu(float x)
{
    const float root = 0.79788456080286535588f; // sqrt(2 / pi)
    return 0.5f * x * (1 + tanhf(root * (x + 0.044715f * x * x * x)));
}

CUDA_FN void cuda_gate_run(const struct cuda_gate *p, struct cuda_place at)
{
    for (int64_t i = cuda_index(at); i < p->n; i += cuda_stride(at)) {
        float x = p->gate[i];
        p->gate[i] = (p->gelu ? cuda_gelu(x) : x / (1 + expf(-x))) * p->up[i];
    }
}
CUDA_ONE_STEP(cuda_gate)

struct cuda_put {
    float *cache;      // [n_kv_heads][stride][head_dim], from token position 0
    const float *rows; // [n][n_kv_heads][head_dim]
    int n, n_kv_heads, head_dim, stride, at;
};

CUDA_FN void cuda_put_run(const struct cuda_put *p, struct cuda_place at)
{
    int64_t all = (int64_t)p->n * p->n_kv_heads * p->head_dim;
    for (int64_t k = cuda_index(at); k < all; k += cuda_stride(at)) {
        int64_t row = k / p->head_dim, d = k % p->head_dim;
        int64_t token = p->at + row / p->n_kv_heads, head = row % p->n_kv_heads;
        p->cache[(head * p->stride + token) * p->head_dim + d] = p->rows[k];
    }
}
CUDA_ONE_STEP(cuda_put)

struct cuda_mean {
    float *out;     // [width]
    const float *x; // [n][width]
    int n, width;
};

CUDA_FN void cuda_mean_run(const struct cuda_mean *p, struct cuda_place at)
{
    for (int64_t j = cuda_index(at); j < p->width; j += cuda_stride(at)) {
        float sum = 0;
        for (int64_t i = 0; i < p->n; i++)
            sum += p->x[i * p->width + j] / (float)p->n;
        p->out[j] = sum;
    }
}
CUDA_ONE_STEP(cuda_mean)

struct cuda_favour {
    float *x;
    const struct bonus *b; // [n]
    int n;
};

CUDA_FN void cuda_favour_run(const struct cuda_favour *p, struct cuda_place at)
{
    for (int64_t i = cuda_index(at); i < p->n; i += cuda_stride(at))
        p->x[p->b[i].id] += p->b[i].by;
}
CUDA_ONE_STEP(cuda_favour)

// ---- The largest of N numbers, of equals the first. One that is none is passed over, but not the
// first of all: as engine/model/sample.c does. Blocks of threads leave theirs, another launch makes
// one of those.

struct cuda_best {
    const float *x;           // [n], or NULL:
    const struct best *parts; // [n]
    struct best *out;         // a block's
    int n;
};

CUDA_FN int cuda_best_steps(const struct cuda_best *p, struct cuda_place at)
{
    (void)p;
    return 2 + cuda_tree_steps(at.n_threads);
}

// Whether A comes before B; ids are different.
CUDA_FN int cuda_best_before(struct best a, struct best b)
{
    int a_is = a.value == a.value, b_is = b.value == b.value;
    if (!a_is || !b_is)
        return !a.id || (b.id && (a_is || (!b_is && a.id < b.id)));
    return a.value > b.value || (a.value == b.value && a.id < b.id);
}

// shared: [n_threads] of struct best
CUDA_FN void cuda_best_step(const struct cuda_best *p, int step, struct cuda_place at,
                            float *shared, struct cuda_none *own)
{
    (void)own;
    struct best *s = (struct best *)(void *)shared, none = {cuda_float_of(0x7fc00000), UINT32_MAX};
    int half = at.n_threads >> step;
    if (step == 0) {
        s[at.thread] = none;
        for (int64_t i = cuda_index(at); i < p->n; i += cuda_stride(at)) {
            struct best x = none;
            if (p->parts) {
                x = p->parts[i];
            } else {
                x.value = p->x[i];
                x.id = (uint32_t)i;
            }
            if (cuda_best_before(x, s[at.thread]))
                s[at.thread] = x;
        }
    } else if (step <= cuda_tree_steps(at.n_threads)) {
        if (at.thread < half && cuda_best_before(s[at.thread + half], s[at.thread]))
            s[at.thread] = s[at.thread + half];
    } else if (at.thread == 0) {
        p->out[at.bx] = s[0];
    }
}

#endif
