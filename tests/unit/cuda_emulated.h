// What kernels/cuda*.cu need of the CUDA runtime, made of the processor: device memory is plain
// memory, kernels are loops (see kernels/cuda_kernel.cuh), copies happen at once. Included before
// them by the one test that runs the whole backend without a GPU.
#ifndef LCTOOL_TESTS_CUDA_EMULATED_H
#define LCTOOL_TESTS_CUDA_EMULATED_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum { cudaSuccess = 0, cudaErrorMemoryAllocation = 2, cudaErrorUnknown = 999 } cudaError_t;
typedef struct emulated_stream *cudaStream_t;

enum cudaMemcpyKind { cudaMemcpyHostToDevice = 1, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice };
enum { cudaStreamNonBlocking = 1, cudaFuncAttributeMaxDynamicSharedMemorySize = 8 };

struct cudaDeviceProp {
    char name[256];
    int major, minor, multiProcessorCount;
};

// What a test sets: the device's size, and the call that is to fail.
static struct emulated {
    int n_sms;
    size_t free_bytes; // that cudaMemGetInfo tells of twice as much
    int fail_in;       // the FAIL_IN-th allocation from now fails; 0: none
    int fail_sync;     // the next wait reports an error
    int n_allocations; // not yet released
} emulated = {.n_sms = 1, .free_bytes = 1u << 30};

static inline const char *cudaGetErrorString(cudaError_t rc)
{
    return rc == cudaSuccess ? "no error" : rc == cudaErrorMemoryAllocation ? "out of memory" : "unknown error";
}

static inline cudaError_t cudaGetLastError(void)
{
    return cudaSuccess;
}

static inline cudaError_t cudaMalloc(void **p, size_t n)
{
    *p = NULL;
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
    (void)s;
    memcpy(dst, src, n); // overlap is undefined there, and an error under the sanitizers here
    return cudaSuccess;
}

static inline cudaError_t cudaMemcpy2DAsync(void *dst, size_t dst_pitch, const void *src,
                                            size_t src_pitch, size_t width, size_t height,
                                            enum cudaMemcpyKind kind, cudaStream_t s)
{
    for (size_t i = 0; i < height; i++)
        cudaMemcpyAsync((char *)dst + i * dst_pitch, (const char *)src + i * src_pitch, width, kind, s);
    return cudaSuccess;
}

static inline cudaError_t cudaMemsetAsync(void *p, int value, size_t n, cudaStream_t s)
{
    (void)s;
    memset(p, value, n);
    return cudaSuccess;
}

static inline cudaError_t cudaStreamSynchronize(cudaStream_t s)
{
    (void)s;
    int fails = emulated.fail_sync;
    emulated.fail_sync = 0;
    return fails ? cudaErrorUnknown : cudaSuccess;
}

static inline cudaError_t cudaStreamCreateWithFlags(cudaStream_t *s, unsigned flags)
{
    (void)flags;
    *s = NULL;
    return cudaSuccess;
}

static inline cudaError_t cudaStreamDestroy(cudaStream_t s)
{
    (void)s;
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
    *p = (struct cudaDeviceProp){"emulated", 8, 0, emulated.n_sms};
    return cudaSuccess;
}

static inline cudaError_t cudaFuncSetAttribute(const void *kernel, int attribute, int value)
{
    (void)kernel;
    (void)attribute;
    (void)value;
    return cudaSuccess;
}

// A block's shared memory, exactly as much as it asked for, all NaN.
static inline float *emulated_shared(size_t floats)
{
    float *p = malloc(floats * sizeof *p + 1);
    if (!p)
        abort();
    memset(p, 0xff, floats * sizeof *p);
    return p;
}

static inline void emulated_release(float *shared)
{
    free(shared);
}

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
