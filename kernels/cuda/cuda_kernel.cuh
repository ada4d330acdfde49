// How a kernel is written here, so that every line of it also runs on the processor.
//
// A kernel NAME is a struct of its parameters and two functions over them:
//
//     int NAME_steps(const struct NAME *p, struct cuda_place at)        uniform over a block
//     void NAME_step(const struct NAME *p, int step, struct cuda_place at, float *shared,
//                    STATE *own)
//
// A block runs its steps in order with a barrier behind each; within a step no thread reads what
// another one writes. SHARED is the block's shared memory, whose contents are not defined at first,
// and OWN what one thread keeps from step to step (its registers). nvcc makes a kernel of them; a
// C compiler makes loops over blocks, steps and threads, and tests/unit/kernels/cuda_host.h runs
// those.
#ifndef LCTOOL_KERNELS_CUDA_CUDA_KERNEL_CUH
#define LCTOOL_KERNELS_CUDA_CUDA_KERNEL_CUH

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct cuda_place {
    int bx, by, thread, n_threads;
    int n_bx; // blocks in x
};

struct cuda_none { // of a thread that keeps nothing
    char nothing;
};

#ifdef __CUDACC__

#include <cuda_fp16.h>
#include <cuda_runtime.h>

#define CUDA_FN           static __device__ __forceinline__
#define emulated_align(p) ((void)(p)) // a device sees for itself

#define CUDA_KERNEL(name, threads, state)                                                          \
    enum { name##_threads = threads };                                                             \
    static __device__ __forceinline__ void name##_body(const struct name *__restrict__ p)          \
    {                                                                                              \
        extern __shared__ __align__(16) float shared[];                                            \
        state own;                                                                                 \
        struct cuda_place at = {(int)blockIdx.x, (int)blockIdx.y, (int)threadIdx.x, threads,       \
                                (int)gridDim.x};                                                   \
        for (int step = 0, n = name##_steps(p, at); step < n; step++) {                            \
            name##_step(p, step, at, shared, &own);                                                \
            __syncthreads();                                                                       \
        }                                                                                          \
    }                                                                                              \
    static __global__ void __launch_bounds__(threads)                                              \
        name##_kernel(const __grid_constant__ struct name p)                                       \
    {                                                                                              \
        name##_body(&p);                                                                           \
    }

// A kernel that may be part of a step (kernels/cuda/cuda_step.cu): also with its parameters in
// device memory.
#define CUDA_KERNEL_STEP(name, threads, state)                                                     \
    CUDA_KERNEL(name, threads, state)                                                              \
    static __global__ void __launch_bounds__(threads) name##_kernel_at(const void *p)              \
    {                                                                                              \
        name##_body((const struct name *)p);                                                       \
    }

// Puts a kernel on the stream of C; FLOATS of shared memory, at most CUDA_SHARED_FLOATS.
#define CUDA_LAUNCH(c, name, grid_x, grid_y, floats, params)                                       \
    do {                                                                                           \
        if (cuda_may_launch(c, (const void *)name##_kernel, #name, grid_x, grid_y, floats)) {      \
            name##_kernel<<<dim3((unsigned)(grid_x), (unsigned)(grid_y)), name##_threads,          \
                            (floats) * sizeof(float), (c)->main>>>(params);                        \
            cuda_launched(c, #name);                                                               \
        }                                                                                          \
    } while (0)

#else // the includer, a test, has declared emulated_* and what is used of the CUDA runtime

#define CUDA_FN static inline

#define CUDA_KERNEL(name, threads, state)                                                          \
    enum { name##_threads = threads };                                                             \
    static void name##_body(int grid_x, int grid_y, size_t floats, const struct name *p)           \
    {                                                                                              \
        state own[threads];                                                                        \
        float *shared = emulated_shared(floats);                                                   \
        for (int block = 0; block < grid_x * grid_y; block++) {                                    \
            struct cuda_place at = {block % grid_x, block / grid_x, 0, threads, grid_x};           \
            int n = name##_steps(p, at);                                                           \
            if (n) {                                                                               \
                emulated_poison(shared, floats * sizeof *shared);                                  \
                emulated_poison(own, sizeof own);                                                  \
            }                                                                                      \
            for (int step = 0; step < n; step++)                                                   \
                for (int i = 0; i < threads; i++) {                                                \
                    at.thread = emulated_order(i, step, threads);                                  \
                    name##_step(p, step, at, shared, &own[at.thread]);                             \
                }                                                                                  \
        }                                                                                          \
        emulated_release(shared);                                                                  \
    }                                                                                              \
    static void name##_kernel(int grid_x, int grid_y, size_t floats, struct name p)                \
    {                                                                                              \
        name##_body(grid_x, grid_y, floats, &p);                                                   \
    }

#define CUDA_KERNEL_STEP(name, threads, state)                                                     \
    CUDA_KERNEL(name, threads, state)                                                              \
    static void name##_kernel_at(int grid_x, int grid_y, size_t floats, const void *p)             \
    {                                                                                              \
        name##_body(grid_x, grid_y, floats, (const struct name *)p);                               \
    }

#define CUDA_LAUNCH(c, name, grid_x, grid_y, floats, params)                                       \
    do {                                                                                           \
        const void *kernel_ = (const void *)name##_kernel;                                         \
        if (cuda_may_launch(c, kernel_, #name, grid_x, grid_y, floats)) {                          \
            if (!emulated_may_share(kernel_, (floats) * sizeof(float)))                            \
                abort();                                                                           \
            name##_kernel((int)(grid_x), (int)(grid_y), floats, params);                           \
            cuda_launched(c, #name);                                                               \
        }                                                                                          \
    } while (0)

#endif

// The same for a CUDA_KERNEL_STEP: within a step it is listed.
#define CUDA_LAUNCH_STEP(c, name, gx, gy, shared_floats, params)                                   \
    do {                                                                                           \
        const struct cuda_launch launch_ = {(const void *)name##_kernel_at,                        \
                                            #name,                                                 \
                                            (int)(gx),                                             \
                                            (int)(gy),                                             \
                                            name##_threads,                                        \
                                            shared_floats,                                         \
                                            0};                                                    \
        if (!cuda_listed(c, (int64_t)(gx), (int64_t)(gy), &launch_, &(params), sizeof(params)))    \
            CUDA_LAUNCH(c, name, gx, gy, shared_floats, params);                                   \
    } while (0)

// A kernel of one step that shares nothing: NAME_run(p, at) is what each thread does.
#define CUDA_ONE_STEP(name)                                                                        \
    CUDA_FN int name##_steps(const struct name *p, struct cuda_place at)                           \
    {                                                                                              \
        (void)p;                                                                                   \
        (void)at;                                                                                  \
        return 1;                                                                                  \
    }                                                                                              \
    CUDA_FN void name##_step(const struct name *p, int step, struct cuda_place at, float *shared,  \
                             struct cuda_none *own)                                                \
    {                                                                                              \
        (void)step;                                                                                \
        (void)shared;                                                                              \
        (void)own;                                                                                 \
        name##_run(p, at);                                                                         \
    }

// What every device of compute capability 8.0 and up can give one block.
enum { CUDA_SHARED_FLOATS = 99 * 1024 / 4, CUDA_MAX_GRID_Y = 65535 };

// The number of the thread in the grid's x direction, and how many there are.
CUDA_FN int64_t cuda_index(struct cuda_place at)
{
    return (int64_t)at.bx * at.n_threads + at.thread;
}

CUDA_FN int64_t cuda_stride(struct cuda_place at)
{
    return (int64_t)at.n_bx * at.n_threads;
}

CUDA_FN int cuda_min(int a, int b)
{
    return a < b ? a : b;
}

CUDA_FN int cuda_max(int a, int b)
{
    return a > b ? a : b;
}

// a * b + c, rounded twice as the processor does it.
CUDA_FN float cuda_mul_add(float a, float b, float c)
{
#ifdef __CUDA_ARCH__
    return __fadd_rn(__fmul_rn(a, b), c);
#else
    return a * b + c;
#endif
}

CUDA_FN float cuda_mul_sub(float a, float b, float c)
{
    return cuda_mul_add(a, b, -c);
}

CUDA_FN double cuda_mul_add_double(double a, double b, double c)
{
#ifdef __CUDA_ARCH__
    return __dadd_rn(__dmul_rn(a, b), c);
#else
    return a * b + c;
#endif
}

CUDA_FN float cuda_float_of(uint32_t bits)
{
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

CUDA_FN uint32_t cuda_bits_of(float f)
{
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}

// Sixteen bytes at a multiple of 16, in one load.
CUDA_FN void cuda_load_words(const void *p, uint32_t w[4])
{
#ifdef __CUDA_ARCH__
    uint4 v = *(const uint4 *)p;
    w[0] = v.x;
    w[1] = v.y;
    w[2] = v.z;
    w[3] = v.w;
#else
    emulated_align(p);
    memcpy(w, p, 16);
#endif
}

CUDA_FN void cuda_load4(const float *p, float x[4])
{
    uint32_t w[4];
    cuda_load_words(p, w);
    for (int i = 0; i < 4; i++)
        x[i] = cuda_float_of(w[i]);
}

CUDA_FN void cuda_store4(float *p, const float x[4])
{
#ifdef __CUDA_ARCH__
    *(float4 *)p = make_float4(x[0], x[1], x[2], x[3]);
#else
    emulated_align(p);
    memcpy(p, x, 16);
#endif
}

CUDA_FN float cuda_half_to_float(uint16_t h)
{
#ifdef __CUDA_ARCH__
    return __half2float(__ushort_as_half(h));
#else
    uint32_t sign = (uint32_t)(h & 0x8000) << 16, rest = h & 0x7fff;
    if (rest >= 0x7c00)
        return cuda_float_of(sign | 0x7f800000 | (rest & 1023) << 13);
    if (rest >= 0x0400)
        return cuda_float_of(sign | ((rest << 13) + (112u << 23)));
    float f = (float)rest * 0x1p-24f;
    return sign ? -f : f;
#endif
}

// Round to nearest even; past the largest becomes infinity.
CUDA_FN uint16_t cuda_float_to_half(float f)
{
#ifdef __CUDA_ARCH__
    return __half_as_ushort(__float2half_rn(f));
#else
    uint32_t bits = cuda_bits_of(f), rest = bits & 0x7fffffff;
    uint16_t sign = (uint16_t)(bits >> 16 & 0x8000);
    if (rest > 0x7f800000)
        return sign | 0x7e00;
    if (rest >= 0x477ff000)
        return sign | 0x7c00;
    if (rest < 0x38800000)
        return sign | (uint16_t)(cuda_bits_of(cuda_float_of(rest) + 0.5f) - cuda_bits_of(0.5f));
    return sign | (uint16_t)((rest + 0xfff + (rest >> 13 & 1) - (112u << 23)) >> 13);
#endif
}

// Sums, or maxima that let a NaN through, of the block's threads in steps: SHARED[thread] holds the
// parts, STEP counts from 0 to cuda_tree_steps - 1, and SHARED[0] is the result. n_threads is a
// power of two.
CUDA_FN int cuda_tree_steps(int n_threads)
{
    int n = 0;
    while (n_threads >>= 1)
        n++;
    return n;
}

CUDA_FN void cuda_tree_sum(float *shared, int step, struct cuda_place at)
{
    int half = at.n_threads >> (step + 1);
    if (at.thread < half)
        shared[at.thread] += shared[at.thread + half];
}

CUDA_FN float cuda_larger(float a, float b)
{
    return a != a || a > b ? a : b;
}

CUDA_FN void cuda_tree_max(float *shared, int step, struct cuda_place at)
{
    int half = at.n_threads >> (step + 1);
    if (at.thread < half)
        shared[at.thread] = cuda_larger(shared[at.thread], shared[at.thread + half]);
}

#endif
