// Weights on the device, and products with them.
#include "kernels/cuda/cuda_state.cuh"

#include <stdlib.h>

#include "kernels/cuda/cuda_matmul.cuh"

// What is known of a matrix in half precision: does every weight fit, and is there memory for it?
enum half_state { HALF_UNKNOWN, HALF_FITS, HALF_TOO_LARGE };

CUDA_KERNEL_STEP(cuda_matvec, 128, struct cuda_none)
CUDA_KERNEL_STEP(cuda_vector, CUDA_VECTOR_THREADS, struct cuda_none)
CUDA_KERNEL(cuda_tiled, 256, struct cuda_sums)
CUDA_KERNEL(cuda_half_weights, 128, struct cuda_none)
CUDA_KERNEL(cuda_half_rows, 256, struct cuda_none)
CUDA_KERNEL(cuda_settle, 256, struct cuda_none)

int cuda_mat_init(struct device *d, struct mat *m, struct err *e)
{
    int rc = mat_check(m, e);
    m->packed = NULL;
    if (rc)
        return rc;
    struct cuda_mat *there = (struct cuda_mat *)mem_new(1, sizeof *there, e);
    if (!there)
        return ERR_NOMEM;
    there->row_bytes = (size_t)quant_bytes(m->type, (uint64_t)m->cols);
    size_t bytes = there->row_bytes * (size_t)m->rows;
    rc = ERR_NOMEM;
    there->bytes = (uint8_t *)cuda_take((struct cuda *)d->self, bytes, "the model's weights",
                                        "a model of fewer bits a weight needs less", e);
    if (there->bytes)
        rc = d->ops->upload(d, there->bytes, m->data, bytes, e);
    m->packed = there;
    if (rc)
        cuda_mat_done(d, m);
    return rc;
}

void cuda_mat_done(struct device *d, struct mat *m)
{
    struct cuda_mat *there = (struct cuda_mat *)m->packed;
    if (!there)
        return;
    d->ops->free(d, there->bytes);
    d->ops->free(d, there->half);
    free(there);
    m->packed = NULL;
}

// The parts of scratch memory of a product in half precision.
struct half_parts {
    uint16_t *x, *w; // w: where a matrix is brought that there is no room to keep
    float *scale;
    int *too_large;
};

// Keeps half precision as long as an eighth of the memory stays free for what is yet to come.
static void keep_half(struct cuda *c, struct cuda_mat *there, size_t bytes)
{
    if (cuda_room(c) >= bytes + cuda_limit(c) / 8)
        there->half = (uint16_t *)cuda_take(c, bytes, "matmul", "", NULL);
}

static int half_parts(struct cuda *c, const struct mat *m, int n, struct half_parts *out)
{
    struct cuda_mat *there = (struct cuda_mat *)m->packed;
    size_t cols = (size_t)m->cols, w_bytes = (size_t)m->rows * cols * sizeof *out->w;
    if (there->half_state == HALF_UNKNOWN && !there->half)
        keep_half(c, there, w_bytes);
    size_t x_bytes = cuda_align((size_t)n * cols * sizeof *out->x);
    size_t scale_bytes = cuda_align((size_t)n * sizeof *out->scale),
           flag_bytes = cuda_align(sizeof(int));
    uint8_t *p = (uint8_t *)cuda_scratch(
        c, x_bytes + scale_bytes + flag_bytes + (there->half ? 0 : w_bytes), "matmul");
    if (!p)
        return -1;
    out->x = (uint16_t *)(void *)p;
    out->scale = (float *)(void *)(p + x_bytes);
    out->too_large = (int *)(void *)(p + x_bytes + scale_bytes);
    out->w =
        there->half ? there->half : (uint16_t *)(void *)(p + x_bytes + scale_bytes + flag_bytes);
    return 0;
}

// Brings the weights to half precision where they are not yet. 0 when some do not fit it.
static int fill_half(struct cuda *c, const struct mat *m, const struct half_parts *h)
{
    struct cuda_mat *there = (struct cuda_mat *)m->packed;
    if (there->half_state == HALF_FITS && there->half)
        return 1;
    int too_large = 0;
    struct cuda_half_weights p = {.out = h->w,
                                  .w = there->bytes,
                                  .row_bytes = there->row_bytes,
                                  .type = m->type,
                                  .rows = m->rows,
                                  .cols = m->cols,
                                  .too_large = h->too_large};
    int64_t groups = (int64_t)m->rows * ((m->cols + CUDA_GROUP - 1) / CUDA_GROUP);
    cuda_failed(c, cudaMemsetAsync(h->too_large, 0, sizeof too_large, cuda_stream(c)), "matmul");
    CUDA_LAUNCH(c, cuda_half_weights, cuda_blocks(groups, cuda_half_weights_threads), 1, 0, p);
    if (there->half_state == HALF_FITS)
        return 1;
    cuda_failed(c,
                cudaMemcpyAsync(&too_large, h->too_large, sizeof too_large, cudaMemcpyDeviceToHost,
                                cuda_stream(c)),
                "matmul");
    if (cuda_wait(c))
        return 1; // and nothing is known yet
    if (!too_large) {
        there->half_state = HALF_FITS;
        return 1;
    }
    there->half_state = HALF_TOO_LARGE;
    cuda_give(c, there->half);
    there->half = NULL;
    return 0;
}

// cuBLAS is given rows of whole 16 bytes only, which every model has: what it makes of others is
// not worth finding out.
static int suits_cublas(const struct mat *w)
{
    return w->cols % 8 == 0 && w->rows % 4 == 0;
}

// 1 when the product is made, or an error recorded; 0 when it must be made another way.
static int half_product(struct cuda *c, const struct mat *w, const struct cuda_matvec *m)
{
    struct cuda_mat *there = (struct cuda_mat *)w->packed;
    struct half_parts h;
    if (!c->blas || there->half_state == HALF_TOO_LARGE || !suits_cublas(w))
        return 0;
    if (half_parts(c, w, m->n, &h))
        return 1;
    if (!fill_half(c, w, &h))
        return 0;
    struct cuda_half_rows rows = {.out = h.x,
                                  .scale = h.scale,
                                  .x = m->x,
                                  .add = m->add,
                                  .sums = m->out,
                                  .cols = m->cols,
                                  .rows = m->rows};
    CUDA_LAUNCH(c, cuda_half_rows, m->n, 1, cuda_half_rows_threads, rows);
    if (c->err.code)
        return 1;
    struct cublas_product p = {.out = m->out,
                               .w = h.w,
                               .x = h.x,
                               .n = m->n,
                               .rows = m->rows,
                               .cols = m->cols,
                               .add = m->add != NULL};
    if (cublas_product(c->blas, cuda_stream(c), &p, &c->err))
        return 1;
    struct cuda_settle settle = {
        .sums = m->out, .scale = h.scale, .bias = m->bias, .rows = m->rows};
    CUDA_LAUNCH(c, cuda_settle, m->n, 1, 0, settle);
    return 1;
}

// Whether the product with one row of x is made here: all of it must fit shared memory.
static int vector_product(struct cuda *c, const struct cuda_matvec *m)
{
    enum { MOST = 8, BLOCKS = 4 }; // rows of a warp; blocks that a multiprocessor should have
    int64_t per_warp = m->rows / ((int64_t)CUDA_VECTOR_WARPS * BLOCKS * c->n_sms);
    struct cuda_vector p = {.m = *m,
                            .per_warp = per_warp < 1      ? 1
                                        : per_warp > MOST ? MOST
                                                          : (int)per_warp};
    size_t floats = cuda_vector_floats(m->cols, p.per_warp);
    int per_block = CUDA_VECTOR_WARPS * p.per_warp;
    if (m->n != 1 || floats > CUDA_SHARED_FLOATS)
        return 0;
    CUDA_LAUNCH_STEP(c, cuda_vector, ((int64_t)m->rows + per_block - 1) / per_block, 1, floats, p);
    return 1;
}

void cuda_matmul(struct device *d, float *out, const struct mat *w, const float *x,
                 const float *bias, const float *add, int n)
{
    struct cuda *c = (struct cuda *)d->self;
    const struct cuda_mat *there = (const struct cuda_mat *)w->packed;
    struct cuda_tiled p = {.m = {.out = out,
                                 .w = there->bytes,
                                 .x = x,
                                 .bias = bias,
                                 .add = add,
                                 .row_bytes = there->row_bytes,
                                 .type = w->type,
                                 .n = n,
                                 .rows = w->rows,
                                 .cols = w->cols}};
    enum { PER_BLOCK = cuda_matvec_threads / CUDA_LANES };
    if (vector_product(c, &p.m))
        return;
    if (n <= CUDA_FEW)
        CUDA_LAUNCH_STEP(c, cuda_matvec, (w->rows + PER_BLOCK - 1) / PER_BLOCK, 1,
                         (size_t)cuda_matvec_threads * (CUDA_FEW + 1), p.m);
    else if (!half_product(c, w, &p.m))
        CUDA_LAUNCH(c, cuda_tiled, (w->rows + CUDA_TILE - 1) / CUDA_TILE,
                    (n + CUDA_TILE - 1) / CUDA_TILE, CUDA_TILE_FLOATS, p);
}
