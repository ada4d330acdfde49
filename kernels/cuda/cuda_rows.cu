// embed, rmsnorm, gate, cache_put, favour, best and mean.
#include "kernels/cuda/cuda_state.cuh"

#include "kernels/cuda/cuda_rows.cuh"

CUDA_KERNEL_STEP(cuda_embed, 128, struct cuda_none)
CUDA_KERNEL_STEP(cuda_rmsnorm, 128, struct cuda_none)
CUDA_KERNEL_STEP(cuda_gate, 256, struct cuda_none)
CUDA_KERNEL_STEP(cuda_put, 256, struct cuda_none)
CUDA_KERNEL_STEP(cuda_favour, 256, struct cuda_none)
CUDA_KERNEL_STEP(cuda_best, 256, struct cuda_none)
CUDA_KERNEL(cuda_mean, 128, struct cuda_none)

void cuda_embed(struct device *d, float *out, const struct mat *table, const uint32_t *ids, int n,
                float scale)
{
    struct cuda *c = (struct cuda *)d->self;
    const struct cuda_mat *m = (const struct cuda_mat *)table->packed;
    size_t bytes = (size_t)n * sizeof *ids;
    uint32_t *there = n > 1 ? (uint32_t *)cuda_scratch(c, bytes, "embed") : NULL;
    // From pageable memory, which is read before the call returns: IDS may go away behind it.
    if (n > 1 &&
        (!there ||
         cuda_failed(c, cudaMemcpyAsync(there, ids, bytes, cudaMemcpyHostToDevice, cuda_stream(c)),
                     "embed")))
        return;
    struct cuda_embed p = {.out = out,
                           .rows = m->bytes,
                           .ids = there,
                           .row_bytes = m->row_bytes,
                           .type = table->type,
                           .id = n > 0 ? ids[0] : 0,
                           .n = n,
                           .cols = table->cols,
                           .scale = scale};
    int64_t groups = (table->cols + CUDA_GROUP - 1) / CUDA_GROUP;
    CUDA_LAUNCH_STEP(c, cuda_embed, cuda_blocks(n * groups, cuda_embed_threads), 1, 0, p);
}

void cuda_favour(struct device *d, float *x, const struct bonus *b, int n)
{
    struct cuda *c = (struct cuda *)d->self;
    struct cuda_favour p = {.x = x, .b = b, .n = n};
    CUDA_LAUNCH_STEP(c, cuda_favour, cuda_blocks(n, cuda_favour_threads), 1, 0, p);
}

void cuda_best(struct device *d, struct best *out, const float *x, int n)
{
    enum { MOST = 64, EACH = 8 * cuda_best_threads }; // blocks; numbers of one
    struct cuda *c = (struct cuda *)d->self;
    int blocks = (n + EACH - 1) / EACH < MOST ? (n + EACH - 1) / EACH : MOST;
    struct best *parts = (struct best *)cuda_scratch(c, MOST * sizeof *parts, "best");
    if (!parts || n < 1)
        return;
    struct cuda_best p = {.x = x, .parts = NULL, .out = parts, .n = n},
                     q = {.x = NULL, .parts = parts, .out = out, .n = blocks};
    CUDA_LAUNCH_STEP(c, cuda_best, blocks, 1, 2 * cuda_best_threads, p);
    CUDA_LAUNCH_STEP(c, cuda_best, 1, 1, 2 * cuda_best_threads, q);
}

void cuda_mean(struct device *d, float *out, const float *x, int n, int width)
{
    struct cuda *c = (struct cuda *)d->self;
    struct cuda_mean p = {.out = out, .x = x, .n = n, .width = width};
    CUDA_LAUNCH(c, cuda_mean, cuda_blocks(width, cuda_mean_threads), 1, 0, p);
}

void cuda_rmsnorm(struct device *d, float *out, const float *x, const float *w, const float *add,
                  int n, int dim, float eps)
{
    struct cuda *c = (struct cuda *)d->self;
    struct cuda_rmsnorm p = {.out = out, .x = x, .w = w, .add = add, .dim = dim, .eps = eps};
    CUDA_LAUNCH_STEP(c, cuda_rmsnorm, n, 1, cuda_rmsnorm_threads, p);
}

void cuda_gate(struct device *d, float *gate, const float *up, size_t n, enum act act)
{
    struct cuda *c = (struct cuda *)d->self;
    struct cuda_gate p = {.gate = gate, .up = up, .n = (int64_t)n, .gelu = act == ACT_GELU_TANH};
    CUDA_LAUNCH_STEP(c, cuda_gate, cuda_blocks((int64_t)n, cuda_gate_threads), 1, 0, p);
}

void cuda_cache_put(struct device *d, float *cache, const float *rows, int n, int n_kv_heads,
                    int head_dim, int stride, int at)
{
    struct cuda *c = (struct cuda *)d->self;
    struct cuda_put p = {.cache = cache,
                         .rows = rows,
                         .n = n,
                         .n_kv_heads = n_kv_heads,
                         .head_dim = head_dim,
                         .stride = stride,
                         .at = at};
    int64_t all = (int64_t)n * n_kv_heads * head_dim;
    CUDA_LAUNCH_STEP(c, cuda_put, cuda_blocks(all, cuda_put_threads), 1, 0, p);
}
