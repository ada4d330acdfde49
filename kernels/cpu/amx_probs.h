// Exponentials of scores as bfloat16, 32 at a time, without arithmetic in float32 behind the first
// product.
//
// What stands for 2^x in bfloat16 is the whole number 128 (127 + x), were the curve between two
// powers of two a straight line; a table of 64 places says how far it lies below. That is 2^x
// to 2.3e-3 in the mean square, of which rounding to bfloat16 alone is 1.7e-3. The rounded numbers
// are what is summed, so that they come to 1 together.
#ifndef LCTOOL_KERNELS_CPU_AMX_PROBS_H
#define LCTOOL_KERNELS_CPU_AMX_PROBS_H

#include "kernels/cpu/amx_tiles.h"
#include "kernels/cpu/avx512_attend.h"

enum { AMX_INFINITE = 255 << 7 }; // in bfloat16, and beyond that no number

// What amx_exponentials wants as FROM for e^score / 2^top.
static inline float amx_from(float top)
{
    return 128 * (128 + top);
}

// d[j] = 1 + y - 128 * 2^(y / 128), y from the last 7 bits of 0 - 2 j and of -1 - 2 j: the nearest
// to both.
static inline __m512i amx_below(void)
{
    static const uint8_t d[64] = {0,  1,  2,  2,  3,  4,  4,  5,  5,  6,  6,  7,  7,  8,  8,  8,
                                  9,  9,  9,  10, 10, 10, 10, 10, 11, 11, 11, 11, 11, 11, 11, 11,
                                  11, 11, 11, 11, 11, 10, 10, 10, 10, 10, 10, 9,  9,  9,  8,  8,
                                  8,  7,  7,  7,  6,  6,  5,  5,  4,  4,  3,  3,  2,  2,  1,  0};
    return _mm512_loadu_si512(d);
}

// e^score / 2^top of the scores A and B: in each fourth of the result four of A, then four of B.
// Too small is 0; too large, and what is no number, infinite or no number, and so is what is too
// small by a factor of more than e^(10^7), unless SAFE.
static inline __attribute__((always_inline)) __m512i amx_exponentials(int safe, vf a, vf b, vf from,
                                                                      __m512i below)
{
    vf down = v_set1(-128 * LOG2_E), most = v_set1(1 << 16);
    vf x = v_fma(a, down, from), y = v_fma(b, down, from); // below AMX_INFINITE
    if (safe) {
        x = v_min(most, x); // a NaN comes through
        y = v_min(most, y);
    }
    __m512i under =
        _mm512_packus_epi32(_mm512_cvtps_epi32(x), _mm512_cvtps_epi32(y)); // what is none: 0
    __m512i more =
        _mm512_maskz_permutexvar_epi8(0x5555555555555555, _mm512_srli_epi16(under, 1), below);
    return _mm512_subs_epu16(_mm512_set1_epi16(AMX_INFINITE), _mm512_adds_epu16(under, more));
}

#endif
