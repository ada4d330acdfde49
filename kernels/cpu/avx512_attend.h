// Masks of a panel's scores by AVX-512.
#ifndef LCTOOL_KERNELS_CPU_AVX512_ATTEND_H
#define LCTOOL_KERNELS_CPU_AVX512_ATTEND_H

#include "kernels/cpu/simd_attend_panels.h"
#include "kernels/cpu/vec_avx512.h"

// Scores of a panel lie as _mm512_packus_epi32 brings them to the order of the keys: of each 8 the
// first 4 in LOW, the last 4 in HIGH. Those of keys that are not SEEN become NONE.
INLINE void hide_unseen(uint32_t seen, vf none, vf *low, vf *high)
{
    const __m512i first =
        _mm512_set_epi32(1 << 27, 1 << 26, 1 << 25, 1 << 24, 1 << 19, 1 << 18, 1 << 17, 1 << 16,
                         1 << 11, 1 << 10, 1 << 9, 1 << 8, 1 << 3, 1 << 2, 1 << 1, 1 << 0);
    __m512i bits = _mm512_set1_epi32((int)seen);
    *low = _mm512_mask_mov_ps(none, _mm512_test_epi32_mask(bits, first), *low);
    *high =
        _mm512_mask_mov_ps(none, _mm512_test_epi32_mask(_mm512_srli_epi32(bits, 4), first), *high);
}

#endif
