// Products of small matrices in shared memory by a warp's tensor cores: 16 x 8 results from 8
// columns at a time, factors rounded to 11 bits (tf32), sums in float32.
//
// A lane holds parts of both factors and of the results where the PTX manual says (mma.m16n8k8,
// .tf32). A processor has no warps: there a lane gathers the parts of those it needs, by the same
// functions, and emulated_mma of the including test puts them together as the manual says.
#ifndef LCTOOL_KERNELS_CUDA_CUDA_MMA_CUH
#define LCTOOL_KERNELS_CUDA_CUDA_MMA_CUH

#include "kernels/cuda/cuda_kernel.cuh"

enum { CUDA_WARP = 32, CUDA_MMA_M = 16, CUDA_MMA_N = 8, CUDA_MMA_K = 8, CUDA_MMA_MOST = 4 };

// To 11 bits, ties away from zero.
CUDA_FN uint32_t cuda_tf32(float x)
{
#ifdef __CUDA_ARCH__
    uint32_t bits;
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(x));
    return bits;
#else
    uint32_t bits = cuda_bits_of(x);
    return (bits & 0x7f800000) == 0x7f800000 ? bits : (bits + 0x1000) & 0xffffe000;
#endif
}

// The left factor: element (row, k) is X[row * PITCH + k].
CUDA_FN void cuda_part_a(const float *x, int pitch, int lane, uint32_t a[4])
{
    int row = lane / 4, k = lane % 4;
    a[0] = cuda_tf32(x[row * pitch + k]);
    a[1] = cuda_tf32(x[(row + 8) * pitch + k]);
    a[2] = cuda_tf32(x[row * pitch + k + 4]);
    a[3] = cuda_tf32(x[(row + 8) * pitch + k + 4]);
}

// The right factor: element (k, col) is X[k * K_STEP + col * N_STEP].
CUDA_FN void cuda_part_b(const float *x, int k_step, int n_step, int lane, uint32_t b[2])
{
    int k = lane % 4, col = lane / 4;
    b[0] = cuda_tf32(x[k * k_step + col * n_step]);
    b[1] = cuda_tf32(x[(k + 4) * k_step + col * n_step]);
}

// Where the I-th of a lane's four results belongs.
CUDA_FN int cuda_result_row(int lane, int i)
{
    return lane / 4 + i / 2 * 8;
}

CUDA_FN int cuda_result_col(int lane, int i)
{
    return lane % 4 * 2 + i % 2;
}

// C[m][n] += the product of 16 rows of A from 16 m on and 8 columns of B from 8 n on, over 8
// columns of A: 4 by N_TILES such results. Every lane of the warp calls it.
CUDA_FN void cuda_mma(const float *a, int a_pitch, const float *b, int k_step, int n_step,
                      int n_tiles, int lane, float c[CUDA_MMA_MOST][CUDA_MMA_MOST][4])
{
#ifdef __CUDACC__
    uint32_t pa[CUDA_MMA_MOST][4];
    for (int m = 0; m < CUDA_MMA_MOST; m++)
        cuda_part_a(a + m * CUDA_MMA_M * a_pitch, a_pitch, lane, pa[m]);
    for (int n = 0; n < CUDA_MMA_MOST; n++) {
        uint32_t pb[2];
        if (n >= n_tiles)
            continue;
        cuda_part_b(b + n * CUDA_MMA_N * n_step, k_step, n_step, lane, pb);
        for (int m = 0; m < CUDA_MMA_MOST; m++)
            asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, "
                         "{%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                         : "+f"(c[m][n][0]), "+f"(c[m][n][1]), "+f"(c[m][n][2]), "+f"(c[m][n][3])
                         : "r"(pa[m][0]), "r"(pa[m][1]), "r"(pa[m][2]), "r"(pa[m][3]), "r"(pb[0]),
                           "r"(pb[1]));
    }
#else
    for (int n = 0; n < n_tiles; n++)
        for (int m = 0; m < CUDA_MMA_MOST; m++) {
            uint32_t pa[CUDA_WARP][4], pb[CUDA_WARP][2];
            for (int l = 0; l < CUDA_WARP; l++) {
                if (emulated_needs_a(lane, l))
                    cuda_part_a(a + m * CUDA_MMA_M * a_pitch, a_pitch, l, pa[l]);
                if (emulated_needs_b(lane, l))
                    cuda_part_b(b + n * CUDA_MMA_N * n_step, k_step, n_step, l, pb[l]);
            }
            emulated_mma(pa, pb, lane, c[m][n]);
        }
#endif
}

#endif
