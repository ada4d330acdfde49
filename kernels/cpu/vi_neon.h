// Vectors of four groups of four bytes, for kernels/cpu/int_tile.h and bytes_scan.h, and the
// instruction that multiplies 16 bytes and adds them up in fours (FEAT_DotProd).
#ifndef LCTOOL_KERNELS_CPU_VI_NEON_H
#define LCTOOL_KERNELS_CPU_VI_NEON_H

#include "kernels/cpu/simd_matmul.h"

typedef int32x4_t vi;

// One four of the four that a vector holds.
typedef struct {
    int8x16_t fours;
    int lane;
} vq;

INLINE vi vi_load(const void *p)
{
    return vreinterpretq_s32_s8(vld1q_s8(p));
}

// What stands behind the last x is read, not used.
INLINE vq vq_at(const int32_t *x, int i)
{
    return (vq){vreinterpretq_s8_s32(vld1q_s32(x + (i & ~3))), i & 3};
}

// The lane has to be written down.
INLINE void add_products(vi *sums, vi u, vq q)
{
    int8x16_t bytes = vreinterpretq_s8_s32(u);
    switch (q.lane) {
    case 0:
        *sums = vdotq_laneq_s32(*sums, bytes, q.fours, 0);
        break;
    case 1:
        *sums = vdotq_laneq_s32(*sums, bytes, q.fours, 1);
        break;
    case 2:
        *sums = vdotq_laneq_s32(*sums, bytes, q.fours, 2);
        break;
    default:
        *sums = vdotq_laneq_s32(*sums, bytes, q.fours, 3);
        break;
    }
}

INLINE vi vi_set1(int32_t x)
{
    return vdupq_n_s32(x);
}

// VW floats.
INLINE vf vi_whole(vi sums)
{
    return vcvtq_f32_s32(sums);
}

enum { KEY_OFFSET = 0 }; // bytes with a sign are multiplied as they are

// VW groups of four bytes with a sign, as the first factor of add_products.
INLINE vf vi_key(const int8_t *p)
{
    return vreinterpretq_f32_s8(vld1q_s8(p));
}

#endif
