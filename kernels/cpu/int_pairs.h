// Products of bytes, and of 16 bits, without VNNI: pairs are multiplied and added up by one
// instruction, their sums by another, those of bytes in 16 bits. Included behind a
// kernels/cpu/vi_*.h.
//
// Not the intrinsics: gcc 12 moves all multiplications to the front, and has no registers left for
// their results.
#ifndef LCTOOL_KERNELS_CPU_INT_PAIRS_H
#define LCTOOL_KERNELS_CPU_INT_PAIRS_H

#include "kernels/cpu/simd_matmul.h"
#include "kernels/quant.h"

INLINE void add_products(vi *sums, vi u, vi q)
{
    vi pairs;
    __asm__("vpmaddubsw %3, %2, %1\n\tvpaddw %1, %0, %0"
            : "+v"(*sums), "=&v"(pairs)
            : "v"(u), "v"(q));
}

INLINE void first_products(vi *sums, vi u, vi q)
{
    __asm__("vpmaddubsw %2, %1, %0" : "=v"(*sums) : "v"(u), "v"(q));
}

// Pairs of 16 bits.
INLINE void fix_add(vi *sums, vi a, vi b)
{
    vi pairs;
    __asm__("vpmaddwd %3, %2, %1\n\tvpaddd %1, %0, %0"
            : "+v"(*sums), "=&v"(pairs)
            : "v"(a), "v"(b));
}

INLINE void fix_first(vi *sums, vi a, vi b)
{
    __asm__("vpmaddwd %2, %1, %0" : "=v"(*sums) : "v"(a), "v"(b));
}

// Codes of four bits alone are multiplied as bytes: a block has pairs of 8 * 2 * 15 * 127 at most.
static int codes_offset(uint32_t type)
{
    return type == QUANT_Q4_0 ? 8 : 0;
}

#endif
