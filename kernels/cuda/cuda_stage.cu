// From the processor's memory to the GPU's without waiting: a ring of page-locked buffers, each
// with its like on the device, filled by a copy stream of its own while the main stream computes.
//
//     struct cuda_stage *s = cuda_stage_take(c, bytes, "put_stored");  // waits for its last use
//     memcpy(s->host, ...);
//     cuda_stage_send(c, s, bytes, "put_stored");   // the main stream waits for the copy, not we
//     CUDA_LAUNCH(...);                             // reads s->there
//     cuda_stage_done(c, s, "put_stored");
#include "kernels/cuda/cuda_state.cuh"

#include "kernels/cuda/cuda_stored.cuh"

CUDA_KERNEL(cuda_stored, CUDA_STORED_THREADS, struct cuda_none)

static void unlock_pages(uint8_t *p)
{
    if (p && cudaFreeHost(p) != cudaSuccess)
        cudaGetLastError();
}

int cuda_lock_pages(struct cuda *c, uint8_t **p, size_t *n, size_t bytes, const char *what)
{
    unlock_pages(*p);
    *n = 0;
    cudaError_t rc = cudaHostAlloc((void **)p, bytes, cudaHostAllocDefault);
    if (rc == cudaSuccess) {
        *n = bytes;
        return 0;
    }
    *p = NULL;
    cudaGetLastError();
    return err_set(&c->err, ERR_NOMEM, "cuda: %s: %.1f MiB of page-locked memory: %s", what,
                   (double)bytes / 1048576, cudaGetErrorString(rc));
}

// Room for BYTES. What the main stream last did with the device's part is over: the copy stream
// does not know of it when that memory is used for something else.
static int grow(struct cuda *c, struct cuda_stage *s, size_t bytes, const char *what)
{
    size_t locked = 0;
    bytes = bytes < 1 << 18 ? 1 << 18 : bytes;
    cuda_give(c, s->there);
    s->there = NULL;
    s->bytes = 0;
    if (cuda_lock_pages(c, &s->host, &locked, bytes, what) ||
        !(s->there =
              (uint8_t *)cuda_take(c, bytes, what, "a smaller --chunk needs less", &c->err)) ||
        cuda_wait(c))
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
    // An event that was never recorded counts as over.
    if (cuda_failed(c, cudaEventSynchronize(s->used), what))
        return NULL;
    return bytes <= s->bytes || !grow(c, s, bytes, what) ? s : NULL;
}

int cuda_stage_send(struct cuda *c, struct cuda_stage *s, size_t bytes, const char *what)
{
    return cuda_failed(c,
                       cudaMemcpyAsync(s->there, s->host, bytes, cudaMemcpyHostToDevice, c->copies),
                       what) ||
           cuda_failed(c, cudaEventRecord(s->copied, c->copies), what) ||
           cuda_failed(c, cudaStreamWaitEvent(cuda_stream(c), s->copied, 0), what);
}

void cuda_stage_done(struct cuda *c, struct cuda_stage *s, const char *what)
{
    cuda_failed(c, cudaEventRecord(s->used, cuda_stream(c)), what);
}

void cuda_stages_done(struct cuda *c)
{
    unlock_pages(c->pinned);
    for (int i = 0; i < CUDA_STAGES; i++) {
        struct cuda_stage *s = &c->stages[i];
        unlock_pages(s->host);
        cuda_give(c, s->there);
        if (s->copied)
            cudaEventDestroy(s->copied);
        if (s->used)
            cudaEventDestroy(s->used);
    }
}

enum { STORED_MOST = 4096 }; // runs that are put at once, at most

static size_t elements_of(const struct stored *x)
{
    return (size_t)x->n_heads * (size_t)x->n * (size_t)x->head_dim;
}

static size_t group_bytes(const struct stored *x)
{
    return x->m ? (size_t)x->n_heads * (size_t)(x->per_token ? x->n : x->head_dim) * sizeof(float)
                : 0;
}

static size_t symbol_bytes(const struct stored *x)
{
    return elements_of(x) * (x->m ? 1 : 2);
}

static size_t run_bytes(const struct stored *x)
{
    return 2 * cuda_align(group_bytes(x)) + cuda_align(symbol_bytes(x));
}

// One run's parts behind *AT bytes of the stage S.
static struct cuda_stored_run fill_run(const struct cuda_stage *s, const struct stored_put *y,
                                       size_t *at)
{
    const struct stored *x = &y->x;
    struct cuda_stored_run r = {.out = y->dst,
                                .q = (int64_t)(*at + 2 * cuda_align(group_bytes(x))),
                                .m = (int64_t)*at,
                                .s = (int64_t)(*at + cuda_align(group_bytes(x))),
                                .is_half = !x->m,
                                .per_token = x->per_token,
                                .rotate = x->rotate,
                                .n_heads = x->n_heads,
                                .n = x->n,
                                .stride = y->stride,
                                .head_dim = x->head_dim};
    if (x->m) {
        memcpy(s->host + r.m, x->m, group_bytes(x));
        memcpy(s->host + r.s, x->s, group_bytes(x));
    }
    memcpy(s->host + r.q, x->q, symbol_bytes(x));
    *at += run_bytes(x);
    return r;
}

// Puts as many of the N runs as a stage takes, at least one; returns how many.
static int put_some(struct cuda *c, const struct stored_put *x, int n)
{
    int count = 0, rows = 0, floats = 0;
    size_t data = 0;
    for (; count < n && count < STORED_MOST &&
           (!count || data + run_bytes(&x[count].x) <= CUDA_STAGE_MOST);
         count++) {
        const struct stored *y = &x[count].x;
        data += run_bytes(y);
        rows = y->n_heads * y->n > rows ? y->n_heads * y->n : rows;
        floats = y->rotate && y->head_dim > floats ? y->head_dim : floats;
    }
    size_t at = cuda_align((size_t)count * sizeof(struct cuda_stored_run)), all = at + data;
    struct cuda_stage *s = cuda_stage_take(c, all, "put_stored");
    if (!s)
        return n;
    for (int i = 0; i < count; i++)
        ((struct cuda_stored_run *)(void *)s->host)[i] = fill_run(s, &x[i], &at);
    if (cuda_stage_send(c, s, all, "put_stored"))
        return n;
    struct cuda_stored p = {.runs = (const struct cuda_stored_run *)(const void *)s->there,
                            .data = s->there};
    CUDA_LAUNCH(c, cuda_stored, rows, count, (size_t)floats, p);
    cuda_stage_done(c, s, "put_stored");
    return count;
}

void cuda_put_stored(struct device *d, const struct stored_put *x, int n)
{
    for (int at = 0; at < n;)
        at += put_some((struct cuda *)d->self, x + at, n - at);
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
                cudaMemcpy2DAsync(dst, (size_t)r->stride * row, s->there, each, each,
                                  (size_t)r->heads, cudaMemcpyDeviceToDevice, cuda_stream(c)),
                "upload of rows");
    cuda_stage_done(c, s, "upload of rows");
    return 1;
}

static size_t row_bytes(const struct rows *r)
{
    return (size_t)r->width * sizeof(float);
}

// Bytes of one download; SIZE_MAX where it cannot be made in one copy.
static size_t copy_bytes(const struct rows *r)
{
    if ((size_t)r->stride * row_bytes(r) > INT32_MAX)
        return SIZE_MAX;
    return r->n > 0 && r->heads > 0 ? (size_t)r->heads * (size_t)r->n * row_bytes(r) : 0;
}

int cuda_get_rows(struct cuda *c, const struct row_copy *x, int n)
{
    size_t total = 0, at = 0;
    for (int i = 0; i < n && total <= CUDA_PINNED_MOST; i++) {
        size_t bytes = copy_bytes(&x[i].r);
        total = bytes > CUDA_PINNED_MOST ? bytes : total + bytes;
    }
    if (total > CUDA_PINNED_MOST)
        return 0;
    if (cuda_here(c, "download of rows") ||
        (total > c->pinned_bytes &&
         cuda_lock_pages(c, &c->pinned, &c->pinned_bytes, total, "download of rows")))
        return 1;
    for (int i = 0; i < n; at += copy_bytes(&x[i++].r)) {
        const struct rows *r = &x[i].r;
        size_t each = (size_t)r->n * row_bytes(r);
        if (copy_bytes(r))
            cuda_failed(c,
                        cudaMemcpy2DAsync(c->pinned + at, each, x[i].src,
                                          (size_t)r->stride * row_bytes(r), each, (size_t)r->heads,
                                          cudaMemcpyDeviceToHost, cuda_stream(c)),
                        "download of rows");
    }
    if (cuda_wait(c))
        return 1;
    at = 0;
    for (int i = 0; i < n; at += copy_bytes(&x[i++].r)) {
        const struct rows *r = &x[i].r;
        size_t each = (size_t)r->n * row_bytes(r);
        for (size_t h = 0; copy_bytes(r) && h < (size_t)r->heads; h++)
            memcpy((char *)x[i].host + h * (size_t)r->host_stride * row_bytes(r),
                   c->pinned + at + h * each, each);
    }
    return 1;
}
