// embed, rmsnorm, gate and cache_put.
#include "kernels/cuda_state.cuh"

#include "kernels/cuda_rows.cuh"

CUDA_KERNEL(cuda_embed, 128, struct cuda_none)
CUDA_KERNEL(cuda_rmsnorm, 128, struct cuda_none)
CUDA_KERNEL(cuda_gate, 256, struct cuda_none)
CUDA_KERNEL(cuda_put, 256, struct cuda_none)

void cuda_embed(struct device *d, float *out, const struct mat *table, const uint32_t *ids, int n,
                float scale)
{
    struct cuda *c = (struct cuda *)d->self;
    const struct cuda_mat *m = (const struct cuda_mat *)table->packed;
    size_t bytes = (size_t)n * sizeof *ids;
    uint32_t *there = (uint32_t *)cuda_scratch(c, bytes, "embed");
    // From pageable memory, which is read before the call returns: IDS may go away behind it.
    if (!there || cuda_failed(c, cudaMemcpyAsync(there, ids, bytes, cudaMemcpyHostToDevice, c->stream),
                              "embed"))
        return;
    struct cuda_embed p = {.out = out,
                           .rows = m->bytes,
                           .ids = there,
                           .row_bytes = m->row_bytes,
                           .type = table->type,
                           .n = n,
                           .cols = table->cols,
                           .scale = scale};
    int64_t groups = (table->cols + CUDA_GROUP - 1) / CUDA_GROUP;
    CUDA_LAUNCH(c, cuda_embed, cuda_blocks(n * groups, cuda_embed_threads), 1, 0, p);
}

void cuda_rmsnorm(struct device *d, float *out, const float *x, const float *w, const float *add,
                  int n, int dim, float eps)
{
    struct cuda *c = (struct cuda *)d->self;
    struct cuda_rmsnorm p = {.out = out, .x = x, .w = w, .add = add, .dim = dim, .eps = eps};
    CUDA_LAUNCH(c, cuda_rmsnorm, n, 1, cuda_rmsnorm_threads, p);
}

void cuda_gate(struct device *d, float *gate, const float *up, size_t n, enum act act)
{
    struct cuda *c = (struct cuda *)d->self;
    struct cuda_gate p = {.gate = gate, .up = up, .n = (int64_t)n, .gelu = act == ACT_GELU_TANH};
    CUDA_LAUNCH(c, cuda_gate, cuda_blocks((int64_t)n, cuda_gate_threads), 1, 0, p);
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
    CUDA_LAUNCH(c, cuda_put, cuda_blocks(all, cuda_put_threads), 1, 0, p);
}
