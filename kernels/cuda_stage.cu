// From the processor's memory to the GPU's without waiting: a ring of page-locked buffers, each with
// its like on the device, filled by a copy stream of its own while the main stream computes.
//
//     struct cuda_stage *s = cuda_stage_take(c, bytes, "put_stored");  // waits for its last use
//     memcpy(s->host, ...);
//     cuda_stage_send(c, s, bytes, "put_stored");   // the main stream waits for the copy, not we
//     CUDA_LAUNCH(...);                             // reads s->there
//     cuda_stage_done(c, s, "put_stored");
#include "kernels/cuda_state.cuh"

#include "kernels/cuda_stored.cuh"

CUDA_KERNEL(cuda_stored, CUDA_STORED_THREADS, struct cuda_none)

// Room for BYTES. What the main stream last did with the device's part is over: the copy stream does
// not know of it when that memory is used for something else.
static int grow(struct cuda *c, struct cuda_stage *s, size_t bytes, const char *what)
{
    bytes = bytes < 1 << 18 ? 1 << 18 : bytes;
    cudaFreeHost(s->host);
    cuda_give(c, s->there);
    s->host = s->there = NULL;
    s->bytes = 0;
    cudaError_t rc = cudaHostAlloc((void **)&s->host, bytes, cudaHostAllocDefault);
    if (rc != cudaSuccess) {
        s->host = NULL;
        cudaGetLastError();
        err_set(&c->err, ERR_NOMEM, "cuda: %s: %.1f MiB of page-locked memory: %s", what,
                (double)bytes / 1048576, cudaGetErrorString(rc));
        return -1;
    }
    if (!(s->there = (uint8_t *)cuda_take(c, bytes, what, "a smaller --chunk needs less", &c->err)) || cuda_wait(c))
        return -1;
    s->bytes = bytes;
    return 0;
}

struct cuda_stage *cuda_stage_take(struct cuda *c, size_t bytes, const char *what)
{
    struct cuda_stage *s = &c->stages[c->next_stage++ % CUDA_STAGES];
    if (cuda_here(c, what))
        return NULL;
    if (!s->copied &&
        (cuda_failed(c, cudaEventCreateWithFlags(&s->copied, cudaEventDisableTiming), what) ||
         cuda_failed(c, cudaEventCreateWithFlags(&s->used, cudaEventDisableTiming), what)))
        return NULL;
    // An event that was never recorded is over.
    if (cuda_failed(c, cudaEventSynchronize(s->used), what))
        return NULL;
    return bytes <= s->bytes || !grow(c, s, bytes, what) ? s : NULL;
}

int cuda_stage_send(struct cuda *c, struct cuda_stage *s, size_t bytes, const char *what)
{
    return cuda_failed(c, cudaMemcpyAsync(s->there, s->host, bytes, cudaMemcpyHostToDevice, c->copies),
                       what) ||
           cuda_failed(c, cudaEventRecord(s->copied, c->copies), what) ||
           cuda_failed(c, cudaStreamWaitEvent(c->stream, s->copied, 0), what);
}

void cuda_stage_done(struct cuda *c, struct cuda_stage *s, const char *what)
{
    cuda_failed(c, cudaEventRecord(s->used, c->stream), what);
}

void cuda_stages_done(struct cuda *c)
{
    for (int i = 0; i < CUDA_STAGES; i++) {
        struct cuda_stage *s = &c->stages[i];
        cudaFreeHost(s->host);
        cuda_give(c, s->there);
        if (s->copied)
            cudaEventDestroy(s->copied);
        if (s->used)
            cudaEventDestroy(s->used);
    }
}

void cuda_put_stored(struct device *d, float *dst, int stride, const struct stored *x)
{
    struct cuda *c = (struct cuda *)d->self;
    size_t heads = (size_t)x->n_heads, elements = heads * (size_t)x->n * (size_t)x->head_dim;
    size_t groups = x->m ? heads * (size_t)(x->per_token ? x->n : x->head_dim) : 0;
    size_t table_bytes = cuda_align(groups * sizeof(float)), q_bytes = elements * (x->m ? 1 : 2);
    struct cuda_stage *s = cuda_stage_take(c, 2 * table_bytes + q_bytes, "put_stored");
    if (!s)
        return;
    if (x->m) {
        memcpy(s->host, x->m, groups * sizeof(float));
        memcpy(s->host + table_bytes, x->s, groups * sizeof(float));
    }
    memcpy(s->host + 2 * table_bytes, x->q, q_bytes);
    if (cuda_stage_send(c, s, 2 * table_bytes + q_bytes, "put_stored"))
        return;
    struct cuda_stored p = {.out = dst,
                            .q = s->there + 2 * table_bytes,
                            .m = (const float *)(const void *)s->there,
                            .s = (const float *)(const void *)(s->there + table_bytes),
                            .is_half = !x->m,
                            .per_token = x->per_token,
                            .rotate = x->rotate,
                            .n = x->n,
                            .stride = stride,
                            .head_dim = x->head_dim};
    CUDA_LAUNCH(c, cuda_stored, (int64_t)x->n_heads * x->n, 1, x->rotate ? (size_t)x->head_dim : 0, p);
    cuda_stage_done(c, s, "put_stored");
}

// One buffer's worth: more is copied as it lies.
int cuda_stage_rows(struct cuda *c, float *dst, const float *host, const struct rows *r)
{
    size_t row = (size_t)r->width * sizeof(float), each = (size_t)r->n * row;
    size_t bytes = each * (size_t)r->heads;
    if (bytes > CUDA_STAGE_MOST || (size_t)r->stride * row > INT32_MAX)
        return 0;
    struct cuda_stage *s = cuda_stage_take(c, bytes, "upload of rows");
    if (!s)
        return 1;
    for (size_t h = 0; h < (size_t)r->heads; h++)
        memcpy(s->host + h * each, (const char *)host + h * (size_t)r->host_stride * row, each);
    if (cuda_stage_send(c, s, bytes, "upload of rows"))
        return 1;
    cuda_failed(c,
                cudaMemcpy2DAsync(dst, (size_t)r->stride * row, s->there, each, each, (size_t)r->heads,
                                  cudaMemcpyDeviceToDevice, c->stream),
                "upload of rows");
    cuda_stage_done(c, s, "upload of rows");
    return 1;
}
