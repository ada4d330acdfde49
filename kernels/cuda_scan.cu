// Index keys lie in host memory, in the mapped file: they are brought over in parts of whole blocks.
#include "kernels/cuda_state.cuh"

#include "kernels/cuda_scan.cuh"

enum { PART_BYTES = 256 << 20 };

CUDA_KERNEL(cuda_scan, 128, struct cuda_none)

// The end of the part that begins with block FROM.
static int64_t part_end(const struct scan *s, int64_t from)
{
    uint64_t most = PART_BYTES / ((uint64_t)s->head_dim + sizeof *s->key_scale);
    int64_t to = from + 1;
    while (to < s->n_blocks && s->start[to + 1] - s->start[from] <= most && to - from < INT32_MAX)
        to++;
    return to;
}

static int bring(struct cuda *c, void *dst, const void *src, size_t bytes)
{
    return bytes &&
           cuda_failed(c, cudaMemcpyAsync(dst, src, bytes, cudaMemcpyHostToDevice, c->stream), "scan");
}

// Results [n_q][n] to columns FROM .. of the caller's [n_q][n_blocks], which may be NULL.
static void take(struct cuda *c, const struct scan *s, float *dst, const float *src, int64_t from,
                 size_t n)
{
    if (dst)
        cuda_failed(c,
                    cudaMemcpy2DAsync(dst + from, (size_t)s->n_blocks * sizeof *dst, src,
                                      n * sizeof *src, n * sizeof *src, (size_t)s->n_q,
                                      cudaMemcpyDeviceToHost, c->stream),
                    "scan");
}

static void scan_part(struct cuda *c, const struct scan *s, int64_t from, int64_t to)
{
    size_t n = (size_t)(to - from), keys = (size_t)(s->start[to] - s->start[from]);
    size_t q_bytes = (size_t)s->n_q * (size_t)s->head_dim * sizeof *s->q;
    size_t key_bytes = keys * (size_t)s->head_dim, scale_bytes = keys * sizeof *s->key_scale;
    size_t start_bytes = (n + 1) * sizeof *s->start, out_bytes = (size_t)s->n_q * n * sizeof(float);
    size_t sizes[] = {q_bytes, start_bytes, key_bytes, scale_bytes, out_bytes, out_bytes};
    uint8_t *parts[sizeof sizes / sizeof *sizes];
    size_t total = 0;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        total += cuda_align(sizes[i]);
    uint8_t *p = (uint8_t *)cuda_scratch(c, total, "scan");
    if (!p)
        return;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        parts[i] = p;
        p += cuda_align(sizes[i]);
    }
    if (bring(c, parts[0], s->q, q_bytes) || bring(c, parts[1], s->start + from, start_bytes) ||
        bring(c, parts[2], s->keys + s->start[from] * (uint64_t)s->head_dim, key_bytes) ||
        bring(c, parts[3], s->key_scale + s->start[from], scale_bytes))
        return;
    struct cuda_scan k = {.q = (const float *)(void *)parts[0],
                          .keys = (const int8_t *)parts[2],
                          .key_scale = (const float *)(void *)parts[3],
                          .start = (const uint64_t *)(void *)parts[1],
                          .first = s->start[from],
                          .max = (float *)(void *)parts[4],
                          .lse = (float *)(void *)parts[5],
                          .scale = s->scale,
                          .head_dim = s->head_dim,
                          .n_blocks = (int)n};
    CUDA_LAUNCH(c, cuda_scan, (int64_t)n, s->n_q, 2 * cuda_scan_threads, k);
    if (c->err.code)
        return;
    take(c, s, s->max, k.max, from, n);
    take(c, s, s->lse, k.lse, from, n);
}

// Waits: the caller reads the results, which are host memory, without another call.
void cuda_scan(struct device *d, const struct scan *s)
{
    struct cuda *c = (struct cuda *)d->self;
    for (int64_t from = 0; from < s->n_blocks && !c->err.code;) {
        int64_t to = part_end(s, from);
        scan_part(c, s, from, to);
        from = to;
    }
    cuda_wait(c);
}
