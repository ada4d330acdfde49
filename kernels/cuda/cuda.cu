// One NVIDIA GPU as a device: copies, errors, and the table of operations.
#include "kernels/cuda/cuda_state.cuh"

#include <stdio.h>
#include <stdlib.h>

static struct cuda *self(struct device *d)
{
    return (struct cuda *)d->self;
}

int cuda_failed(struct cuda *c, cudaError_t rc, const char *what)
{
    c->first_op = c->first_op ? c->first_op : what;
    c->last_op = what;
    if (rc == cudaSuccess)
        return 0;
    if (!c->err.code)
        err_set(&c->err, rc == cudaErrorMemoryAllocation ? ERR_NOMEM : ERR_DEVICE, "cuda: %s: %s",
                what, cudaGetErrorString(rc));
    return 1;
}

static int can_launch(struct cuda *c, const void *kernel, const char *name, int64_t grid_x,
                      int64_t grid_y, size_t floats)
{
    if (c->err.code || grid_x < 1 || grid_y < 1)
        return 0;
    if (grid_x > INT32_MAX || grid_y > CUDA_MAX_GRID_Y || floats > CUDA_SHARED_FLOATS) {
        err_set(&c->err, ERR_UNSUPPORTED,
                "%s: %lld x %lld blocks with %zu KiB: too large for a GPU", name, (long long)grid_x,
                (long long)grid_y, floats / 256);
        return 0;
    }
    size_t bytes = floats * sizeof(float);
    return bytes <= 48 * 1024 ||
           !cuda_failed(c,
                        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                             (int)bytes),
                        name);
}

int cuda_may_launch(struct cuda *c, const void *kernel, const char *name, int64_t grid_x,
                    int64_t grid_y, size_t floats)
{
    cuda_flush(c);
    return can_launch(c, kernel, name, grid_x, grid_y, floats);
}

int cuda_listed(struct cuda *c, int64_t grid_x, int64_t grid_y, const struct cuda_launch *x,
                const void *parameters, size_t bytes)
{
    if (!c->step.is_open)
        return 0;
    if (can_launch(c, x->kernel, x->name, grid_x, grid_y, x->floats))
        cuda_list(c, x, parameters, bytes);
    return 1;
}

int cuda_here(struct cuda *c, const char *what)
{
    return c->err.code || cuda_failed(c, cudaSetDevice(c->index), what) ? -1 : 0;
}

// Waits for all that is under way. Where something failed, the device does not say in which
// operation.
int cuda_wait(struct cuda *c)
{
    cuda_flush(c);
    const char *first = c->first_op ? c->first_op : "wait", *last = c->last_op;
    cuda_reads_fetch(c);
    cudaError_t rc = cudaStreamSynchronize(c->main);
    if (rc != cudaSuccess && !c->err.code)
        err_set(&c->err, ERR_DEVICE, "cuda: %s%s%s: %s", first, last && last != first ? " to " : "",
                last && last != first ? last : "", cudaGetErrorString(rc));
    cuda_reads_add(c);
    c->first_op = c->last_op = NULL;
    return c->err.code;
}

void cuda_launched(struct cuda *c, const char *name)
{
    cuda_failed(c, cudaGetLastError(), name);
}

static void op_close(struct device *d)
{
    struct cuda *c = self(d);
    cudaStreamSynchronize(c->copies);
    cudaStreamSynchronize(cuda_stream(c));
    cuda_step_done(c);
    cublas_close(c->blas);
    cuda_scan_done(c);
    cuda_blocks_drop(c);
    cuda_learnt_drop(c);
    cuda_reads_done(c);
    cuda_stages_done(c);
    cuda_memory_done(c);
    cudaStreamDestroy(c->copies);
    cudaStreamDestroy(c->main);
    free(c);
}

static void *op_alloc(struct device *d, size_t bytes, struct err *e)
{
    struct cuda *c = self(d);
    void *p = cuda_take(c, bytes, "the context",
                        "a smaller --window or --chunk (encode) or --budget (query) needs less", e);
    if (!p)
        return NULL;
    cudaError_t rc = cudaMemsetAsync(p, 0, bytes, cuda_stream(c));
    if (rc != cudaSuccess) {
        err_set(e, ERR_DEVICE, "cuda: clearing memory: %s", cudaGetErrorString(rc));
        cuda_give(c, p);
        return NULL;
    }
    return p;
}

static void op_free(struct device *d, void *p)
{
    cuda_give(self(d), p);
}

// Waits, and returns the first error there has been so far to the caller.
static int op_sync(struct device *d, struct err *e)
{
    struct cuda *c = self(d);
    int rc = cuda_wait(c);
    if (rc) { // who knows what is in there
        cuda_blocks_drop(c);
        cuda_learnt_drop(c);
    }
    if (rc && e)
        *e = c->err;
    c->err.code = 0;
    return rc;
}

static int transfer(struct device *d, void *dst, const void *src, size_t bytes,
                    enum cudaMemcpyKind kind, const char *what, struct err *e)
{
    struct cuda *c = self(d);
    if (c->err.code)
        return op_sync(d, e);
    cuda_failed(c, cudaMemcpyAsync(dst, src, bytes, kind, cuda_stream(c)), what);
    return op_sync(d, e);
}

static int op_upload(struct device *d, void *dst, const void *host, size_t bytes, struct err *e)
{
    return transfer(d, dst, host, bytes, cudaMemcpyHostToDevice, "upload", e);
}

static int op_download(struct device *d, void *host, const void *src, size_t bytes, struct err *e)
{
    return transfer(d, host, src, bytes, cudaMemcpyDeviceToHost, "download", e);
}

// Copies the same HEADS runs of N rows between both sides, each by itself or all in one copy.
static int transfer_rows(struct device *d, void *dst, int dst_stride, const void *src,
                         int src_stride, const struct rows *r, enum cudaMemcpyKind kind,
                         const char *what, struct err *e)
{
    struct cuda *c = self(d);
    size_t row = (size_t)r->width * sizeof(float), n = (size_t)r->n * row;
    size_t to = (size_t)dst_stride * row, from = (size_t)src_stride * row;
    if (!n || r->heads < 1 || cuda_here(c, what))
        return op_sync(d, e);
    if (to <= INT32_MAX && from <= INT32_MAX) // what a copy in two dimensions may skip
        cuda_failed(
            c, cudaMemcpy2DAsync(dst, to, src, from, n, (size_t)r->heads, kind, cuda_stream(c)),
            what);
    else
        for (size_t h = 0; h < (size_t)r->heads && !c->err.code; h++)
            cuda_failed(c,
                        cudaMemcpyAsync((char *)dst + h * to, (const char *)src + h * from, n, kind,
                                        cuda_stream(c)),
                        what);
    return op_sync(d, e);
}

static int op_put_rows(struct device *d, float *dst, const float *host, const struct rows *r,
                       struct err *e)
{
    struct cuda *c = self(d);
    if (r->n > 0 && r->heads > 0 && !c->err.code && cuda_stage_rows(c, dst, host, r))
        return c->err.code ? op_sync(d, e) : 0;
    return transfer_rows(d, dst, r->stride, host, r->host_stride, r, cudaMemcpyHostToDevice,
                         "upload of rows", e);
}

static int op_get_rows(struct device *d, const struct row_copy *x, int n, struct err *e)
{
    struct cuda *c = self(d);
    int rc = 0;
    if (!c->err.code && cuda_get_rows(c, x, n))
        return c->err.code ? op_sync(d, e) : 0;
    for (; n-- && !rc; x++)
        rc = transfer_rows(d, x->host, x->r.host_stride, x->src, x->r.stride, &x->r,
                           cudaMemcpyDeviceToHost, "download of rows", e);
    return rc;
}

static void op_clear_rows(struct device *d, float *dst, const struct rows *r)
{
    struct cuda *c = self(d);
    size_t row = (size_t)r->width * sizeof *dst, pitch = (size_t)r->stride * row,
           n = (size_t)r->n * row;
    if (c->err.code || !n || r->heads < 1)
        return;
    if (pitch <= INT32_MAX)
        cuda_failed(c, cudaMemset2DAsync(dst, pitch, 0, n, (size_t)r->heads, cuda_stream(c)),
                    "clear_rows");
    else
        for (size_t h = 0; h < (size_t)r->heads && !c->err.code; h++)
            cuda_failed(c, cudaMemsetAsync((char *)dst + h * pitch, 0, n, cuda_stream(c)),
                        "clear_rows");
}

static void op_copy(struct device *d, void *dst, const void *src, size_t bytes)
{
    struct cuda *c = self(d);
    uintptr_t to = (uintptr_t)dst, from = (uintptr_t)src;
    if (c->err.code || !bytes || to == from)
        return;
    if (to < from + bytes && from < to + bytes) { // the device's copy may not overlap
        void *between = cuda_scratch(c, bytes, "copy");
        if (!between ||
            cuda_failed(
                c, cudaMemcpyAsync(between, src, bytes, cudaMemcpyDeviceToDevice, cuda_stream(c)),
                "copy"))
            return;
        src = between;
    }
    cuda_failed(c, cudaMemcpyAsync(dst, src, bytes, cudaMemcpyDeviceToDevice, cuda_stream(c)),
                "copy");
}

static const struct device_ops cuda_ops = {
    .name = "cuda",
    .scans_mass = 1,
    .close = op_close,
    .alloc = op_alloc,
    .free = op_free,
    .upload = op_upload,
    .download = op_download,
    .put_rows = op_put_rows,
    .get_rows = op_get_rows,
    .clear_rows = op_clear_rows,
    .keep = cuda_keep,
    .recall = cuda_recall,
    .worth = cuda_worth,
    .copy = op_copy,
    .sync = op_sync,
    .mat_init = cuda_mat_init,
    .mat_done = cuda_mat_done,
    .embed = cuda_embed,
    .matmul = cuda_matmul,
    .rmsnorm = cuda_rmsnorm,
    .gate = cuda_gate,
    .cache_put = cuda_cache_put,
    .put_stored = cuda_put_stored,
    .attend = cuda_attend,
    .scan = cuda_scan,
    .elect = cuda_elect,
    .similar = cuda_similar,
    .mean = cuda_mean,
    .divide = cuda_divide,
    .put_coded = cuda_put_coded,
    .step = cuda_step,
    .best = cuda_best,
    .favour = cuda_favour,
    .cost = cuda_cost,
    .draw = cuda_draw,
};

// Whether the INDEX-th GPU is there and is one we can use.
static int check_device(int index, struct cudaDeviceProp *p, struct err *e)
{
    int n = 0;
    cudaError_t rc = cudaGetDeviceCount(&n);
    if (rc != cudaSuccess)
        return err_set(e, ERR_DEVICE, "cuda: %s; use --device cpu", cudaGetErrorString(rc));
    if (index >= n)
        return err_set(e, ERR_DEVICE, "cuda:%d: this machine has %d GPU%s", index, n,
                       n == 1 ? "" : "s");
    if ((rc = cudaGetDeviceProperties(p, index)) != cudaSuccess)
        return err_set(e, ERR_DEVICE, "cuda:%d: %s", index, cudaGetErrorString(rc));
    if (p->major < 8)
        return err_set(e, ERR_DEVICE,
                       "cuda:%d: %s has compute capability %d.%d, 8.0 is needed; use --device cpu",
                       index, p->name, p->major, p->minor);
    return 0;
}

// How many rows a pass has on a GPU with BYTES of memory: a large one is fast with thousands, and
// has room for them.
static int rows_for(size_t bytes)
{
    return bytes >= (size_t)32 << 30 ? 4096 : bytes >= (size_t)14 << 30 ? 2048 : 0;
}

int cuda_open(struct device *d, int index, const struct device_options *o, struct err *e)
{
    struct cudaDeviceProp p;
    int rc = check_device(index, &p, e);
    if (rc)
        return rc;
    struct cuda *c = (struct cuda *)mem_new(1, sizeof *c, e);
    if (!c)
        return ERR_NOMEM;
    cudaError_t status = cudaSetDevice(index);
    if (status == cudaSuccess)
        status = cudaStreamCreateWithFlags(&c->main, cudaStreamNonBlocking);
    if (status == cudaSuccess &&
        (status = cudaStreamCreateWithFlags(&c->copies, cudaStreamNonBlocking)) != cudaSuccess)
        cudaStreamDestroy(c->main);
    if (status != cudaSuccess) {
        free(c);
        return err_set(e, ERR_DEVICE, "cuda:%d: %s", index, cudaGetErrorString(status));
    }
    c->index = index;
    c->exact = o->exact;
    c->n_sms = p.multiProcessorCount;
    c->limit = (size_t)o->vram;
    c->total = p.totalGlobalMem;
    c->blas = o->exact ? NULL : cublas_open(NULL);
    d->ops = &cuda_ops;
    d->self = c;
    d->is_apart = 1;
    d->rows = rows_for(cuda_limit(c));
    snprintf(d->label, sizeof d->label, "cuda:%d %.60s%s", index, p.name,
             c->blas || o->exact ? "" : ", without cuBLAS");
    return 0;
}
