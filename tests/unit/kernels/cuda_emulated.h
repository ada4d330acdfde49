// What kernels/cuda/*.cu need of the CUDA runtime, made of the processor: device memory is plain
// memory, kernels are loops (see kernels/cuda/cuda_kernel.cuh), copies happen at once. Included
// before them by the one test that runs the whole backend without a GPU.
#ifndef LCTOOL_TESTS_UNIT_KERNELS_CUDA_EMULATED_H
#define LCTOOL_TESTS_UNIT_KERNELS_CUDA_EMULATED_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum {
    cudaSuccess = 0,
    cudaErrorInvalidValue = 1,
    cudaErrorMemoryAllocation = 2,
    cudaErrorInvalidPitchValue = 12,
    cudaErrorStreamCaptureUnsupported = 900,
    cudaErrorUnknown = 999
} cudaError_t;
typedef struct emulated_stream *cudaStream_t;
typedef struct emulated_event *cudaEvent_t;

typedef struct emulated_graph *cudaGraph_t, *cudaGraphExec_t;
typedef struct {
    unsigned x, y, z;
} dim3;
enum { cudaStreamCaptureModeThreadLocal = 1 };

// Launches that were captured.
struct emulated_graph {
    struct emulated_launch {
        const void *kernel, *parameters;
        dim3 grid;
        size_t floats;
    } launches[512];
    int n; // -1: too many
};

enum cudaMemcpyKind {
    cudaMemcpyHostToDevice = 1,
    cudaMemcpyDeviceToHost,
    cudaMemcpyDeviceToDevice
};
enum {
    cudaHostAllocDefault = 0,
    cudaEventDisableTiming = 2,
    cudaStreamNonBlocking = 1,
    cudaFuncAttributeMaxDynamicSharedMemorySize = 8
};

struct cudaDeviceProp {
    char name[256];
    int major, minor, multiProcessorCount;
    size_t totalGlobalMem;
};

// What a test sets: the device's size, and the call that is to fail.
static struct emulated {
    int n_sms;
    size_t free_bytes;       // that cudaMemGetInfo tells of twice as much
    int fail_in;             // the FAIL_IN-th allocation from now fails; 0: none
    int fail_sync;           // the FAIL_SYNC-th wait from now reports an error; 0: none
    int n_allocations;       // not yet released
    int fail_graphs;         // 1: nothing can be captured, 2: no graph can be made of what was
    int n_graphs, n_replays; // made and launched so far
    struct emulated_graph *capturing;
    struct emulated_opt_in {
        const void *kernel;
        int bytes; // of shared memory that it may have, above what all may
    } opt_ins[64];
    int n_streams; // the first one works at once, the others as late as they may
    struct emulated_stream {
        struct emulated_copy {
            void *dst;
            const void *src;
            size_t n;
        } copies[16];
        int n; // waiting
    } streams[4];
} emulated = {.n_sms = 1, .free_bytes = 1u << 30};

struct emulated_event {
    struct emulated_stream *after; // what it had been given so far; NULL: it is over
};

// What a stream was given is done.
static inline void emulated_run(struct emulated_stream *s)
{
    for (int i = 0; s && i < s->n; i++)
        memcpy(s->copies[i].dst, s->copies[i].src, s->copies[i].n);
    if (s)
        s->n = 0;
}

static inline const char *cudaGetErrorString(cudaError_t rc)
{
    return rc == cudaSuccess                 ? "no error"
           : rc == cudaErrorMemoryAllocation ? "out of memory"
                                             : "unknown error";
}

static inline cudaError_t cudaGetLastError(void)
{
    return cudaSuccess;
}

static inline cudaError_t cudaMalloc(void **p, size_t n)
{
    *p = NULL;
    if (emulated.capturing)
        return cudaErrorStreamCaptureUnsupported;
    if (emulated.fail_in && !--emulated.fail_in)
        return cudaErrorMemoryAllocation;
    *p = aligned_alloc(256, (n + 255) / 256 * 256);
    if (!*p)
        return cudaErrorMemoryAllocation;
    memset(*p, 0xff, n); // NaN until it is written
    emulated.n_allocations++;
    return cudaSuccess;
}

static inline cudaError_t cudaFree(void *p)
{
    emulated.n_allocations -= p != NULL;
    free(p);
    return cudaSuccess;
}

static inline cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total)
{
    *free_bytes = emulated.free_bytes;
    *total = 2 * emulated.free_bytes;
    return cudaSuccess;
}

static inline cudaError_t cudaMemcpyAsync(void *dst, const void *src, size_t n,
                                          enum cudaMemcpyKind kind, cudaStream_t s)
{
    (void)kind;
    if (emulated.capturing) // not of what a graph is to do
        return cudaErrorStreamCaptureUnsupported;
    if (s != &emulated.streams[0]) {
        if (s->n == sizeof s->copies / sizeof *s->copies)
            return cudaErrorUnknown;
        s->copies[s->n++] = (struct emulated_copy){dst, src, n};
        return cudaSuccess;
    }
    memcpy(dst, src, n); // overlap is undefined there, and an error under the sanitizers here
    return cudaSuccess;
}

static inline cudaError_t cudaMemcpy2DAsync(void *dst, size_t dst_pitch, const void *src,
                                            size_t src_pitch, size_t width, size_t height,
                                            enum cudaMemcpyKind kind, cudaStream_t s)
{
    cudaError_t rc =
        width > dst_pitch || width > src_pitch ? cudaErrorInvalidPitchValue : cudaSuccess;
    for (size_t i = 0; i < height && rc == cudaSuccess; i++)
        rc = cudaMemcpyAsync((char *)dst + i * dst_pitch, (const char *)src + i * src_pitch, width,
                             kind, s);
    return rc;
}

static inline cudaError_t cudaMemsetAsync(void *p, int value, size_t n, cudaStream_t s)
{
    (void)s;
    if (emulated.capturing)
        return cudaErrorStreamCaptureUnsupported;
    memset(p, value, n);
    return cudaSuccess;
}

static inline cudaError_t cudaMemset2DAsync(void *p, size_t pitch, int value, size_t width,
                                            size_t height, cudaStream_t s)
{
    cudaError_t rc = width > pitch ? cudaErrorInvalidValue : cudaSuccess;
    for (size_t i = 0; i < height && rc == cudaSuccess; i++)
        rc = cudaMemsetAsync((char *)p + i * pitch, value, width, s);
    return rc;
}

static inline cudaError_t cudaStreamSynchronize(cudaStream_t s)
{
    if (emulated.capturing)
        return cudaErrorStreamCaptureUnsupported;
    emulated_run(s);
    return emulated.fail_sync && !--emulated.fail_sync ? cudaErrorUnknown : cudaSuccess;
}

static inline cudaError_t cudaStreamCreateWithFlags(cudaStream_t *s, unsigned flags)
{
    (void)flags;
    *s = &emulated.streams[emulated.n_streams++];
    (*s)->n = 0;
    return cudaSuccess;
}

static inline cudaError_t cudaStreamDestroy(cudaStream_t s)
{
    (void)s;
    emulated.n_streams--;
    return cudaSuccess;
}

static inline cudaError_t cudaEventCreateWithFlags(cudaEvent_t *v, unsigned flags)
{
    (void)flags;
    *v = calloc(1, sizeof **v);
    return *v ? cudaSuccess : cudaErrorMemoryAllocation;
}

static inline cudaError_t cudaEventDestroy(cudaEvent_t v)
{
    free(v);
    return cudaSuccess;
}

static inline cudaError_t cudaEventRecord(cudaEvent_t v, cudaStream_t s)
{
    v->after = s;
    return cudaSuccess;
}

static inline cudaError_t cudaEventSynchronize(cudaEvent_t v)
{
    emulated_run(v->after);
    v->after = NULL;
    return cudaSuccess;
}

static inline cudaError_t cudaStreamWaitEvent(cudaStream_t s, cudaEvent_t v, unsigned flags)
{
    (void)s;
    (void)flags;
    return cudaEventSynchronize(v);
}

static inline cudaError_t cudaHostAlloc(void **p, size_t n, unsigned flags)
{
    (void)flags;
    return cudaMalloc(p, n);
}

static inline cudaError_t cudaFreeHost(void *p)
{
    return cudaFree(p);
}

// Whether blocks of a kernel may have so much shared memory.
static inline int emulated_may_share(const void *kernel, size_t bytes)
{
    if (bytes <= 48 * 1024)
        return 1;
    for (const struct emulated_opt_in *x = emulated.opt_ins; x->kernel; x++)
        if (x->kernel == kernel)
            return bytes <= (size_t)x->bytes;
    return 0;
}

typedef void emulated_kernel(int grid_x, int grid_y, size_t floats, const void *p);

static inline void emulated_launch(const struct emulated_launch *x)
{
    emulated_kernel *kernel;
    memcpy(&kernel, &x->kernel, sizeof kernel);
    kernel((int)x->grid.x, (int)x->grid.y, x->floats, x->parameters);
}

static inline cudaError_t cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **args,
                                           size_t shared, cudaStream_t s)
{
    (void)s;
    if (!emulated_may_share(kernel, shared) || block.x > 1024 || block.y != 1 || block.z != 1)
        return cudaErrorInvalidValue;
    const struct emulated_launch x = {kernel, *(const void **)args[0], grid,
                                      shared / sizeof(float)};
    struct emulated_graph *g = emulated.capturing;
    if (!g) {
        emulated_launch(&x);
        return cudaSuccess;
    }
    if (g->n < 0 || g->n == (int)(sizeof g->launches / sizeof *g->launches))
        g->n = -1;
    else
        g->launches[g->n++] = x;
    return cudaSuccess;
}

static inline cudaError_t cudaStreamBeginCapture(cudaStream_t s, int mode)
{
    (void)s;
    (void)mode;
    if (emulated.fail_graphs == 1)
        return cudaErrorUnknown;
    emulated.capturing = calloc(1, sizeof *emulated.capturing);
    return emulated.capturing ? cudaSuccess : cudaErrorMemoryAllocation;
}

static inline cudaError_t cudaStreamEndCapture(cudaStream_t s, cudaGraph_t *g)
{
    (void)s;
    *g = emulated.capturing;
    emulated.capturing = NULL;
    return *g && (*g)->n >= 0 ? cudaSuccess : cudaErrorUnknown;
}

static inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t *out, cudaGraph_t g,
                                               unsigned long long flags)
{
    (void)flags;
    *out = emulated.fail_graphs == 2 ? NULL : malloc(sizeof **out);
    if (!*out)
        return cudaErrorUnknown;
    **out = *g;
    emulated.n_graphs++;
    return cudaSuccess;
}

static inline cudaError_t cudaGraphLaunch(cudaGraphExec_t g, cudaStream_t s)
{
    (void)s;
    emulated.n_replays++;
    for (int i = 0; i < g->n; i++)
        emulated_launch(&g->launches[i]);
    return cudaSuccess;
}

static inline cudaError_t cudaGraphDestroy(cudaGraph_t g)
{
    free(g);
    return cudaSuccess;
}

static inline cudaError_t cudaGraphExecDestroy(cudaGraphExec_t g)
{
    free(g);
    return cudaSuccess;
}

static inline cudaError_t cudaGetDeviceCount(int *n)
{
    *n = 1;
    return cudaSuccess;
}

static inline cudaError_t cudaSetDevice(int i)
{
    (void)i;
    return cudaSuccess;
}

static inline cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *p, int i)
{
    (void)i;
    *p = (struct cudaDeviceProp){"emulated", 8, 0, emulated.n_sms, 2 * emulated.free_bytes};
    return cudaSuccess;
}

static inline cudaError_t cudaFuncSetAttribute(const void *kernel, int attribute, int value)
{
    struct emulated_opt_in *x = emulated.opt_ins;
    while (x->kernel && x->kernel != kernel)
        x++;
    if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize || value > 99 * 1024 ||
        x == emulated.opt_ins + sizeof emulated.opt_ins / sizeof *emulated.opt_ins - 1)
        return cudaErrorInvalidValue;
    *x = (struct emulated_opt_in){kernel, value};
    return cudaSuccess;
}

// What a load of 16 bytes asks of an address.
static inline void emulated_align(const void *p)
{
    if ((uintptr_t)p % 16)
        abort();
}

// C += A B, where lane L of a warp holds A[L] and B[L]: the layout of mma.m16n8k8 for .tf32 in the
// PTX manual. The results are those of one lane, which depend on the parts of A of the 4 lanes of
// its group, and on the parts of B of the two groups that hold its columns.
static inline int emulated_needs_a(int lane, int of)
{
    return of >> 2 == lane >> 2;
}

static inline int emulated_needs_b(int lane, int of)
{
    return of >> 3 == (lane & 3);
}

static inline void emulated_mma(uint32_t a[32][4], uint32_t b[32][2], int lane, float c[4])
{
    float left[16][8], right[8][8];
    for (int l = 0; l < 32; l++) {
        int group = l >> 2, in_group = l & 3;
        for (int i = 0; i < 4 && emulated_needs_a(lane, l); i++)
            memcpy(&left[i % 2 ? group + 8 : group][i < 2 ? in_group : in_group + 4], &a[l][i], 4);
        for (int i = 0; i < 2 && emulated_needs_b(lane, l); i++)
            memcpy(&right[i ? in_group + 4 : in_group][group], &b[l][i], 4);
    }
    for (int i = 0; i < 4; i++) {
        int row = i < 2 ? lane >> 2 : (lane >> 2) + 8, col = (lane & 3) * 2 + (i & 1);
        for (int k = 0; k < 8; k++)
            c[i] += left[row][k] * right[k][col];
    }
}

// The shared memory of a launch's blocks, one after the other, exactly as much as it asked for.
static inline float *emulated_shared(size_t floats)
{
    float *p = malloc(floats * sizeof *p + 1);
    if (!p)
        abort();
    return p;
}

static inline void emulated_release(float *shared)
{
    free(shared);
}

// All NaN.
static inline void emulated_poison(void *p, size_t n)
{
    memset(p, 0xff, n);
}

// The I-th thread to run of THREADS, a power of two: another order in each step, so that a step
// that reads what another thread of it writes gives another result.
static inline int emulated_order(int i, int step, int threads)
{
    return (i * (2 * step + 5) + 7 * step) & (threads - 1);
}

#endif
