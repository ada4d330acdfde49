// Panels of 16 weight rows (kernels/cpu/panels.h) for the instruction that multiplies 64 bytes and
// adds them up in fours.
#ifndef LCTOOL_KERNELS_CPU_VNNI_PANELS_H
#define LCTOOL_KERNELS_CPU_VNNI_PANELS_H

#include "kernels/cpu/simd_matmul.h"
#include "kernels/cpu/vi_avx512.h"

enum { CODE_OFFSET = 128, FEW_AT_ONCE = 8, FEW_MOST = 24 };

// s += u q in fours. Not the intrinsic: with it gcc 12 copies every sum twice around the loop.
INLINE void add_products(__m512i *s, __m512i u, __m512i q)
{
    __asm__("vpdpbusd %2, %1, %0" : "+v"(*s) : "v"(u), "v"(q));
}

// The same with one four, Q, for all 16 rows.
INLINE void few_add(uint32_t type, vi *s, vi u, const int32_t *q)
{
    (void)type;
    __asm__("vpdpbusd %2%{1to16%}, %1, %0" : "+v"(*s) : "v"(u), "m"(*q));
}

INLINE vi few_both(uint32_t type, vi s, vi t)
{
    (void)type;
    return _mm512_add_epi32(s, t);
}

INLINE vf few_floats(uint32_t type, vi sums)
{
    (void)type;
    return vi_whole(sums);
}

#include "kernels/cpu/avx512_panels.h"

#endif
