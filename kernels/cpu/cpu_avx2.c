// The operations for AVX2, FMA and F16C: processors since 2013.
#include "kernels/cpu/vec_avx2.h"

#include "kernels/cpu/fix_avx2.h"
#include "kernels/cpu/simd_matmul.h"
#include "kernels/cpu/simd_scan.h"
#include "kernels/cpu/vi_avx2.h"

#include "kernels/cpu/int_pairs.h"

// Three of six rows: what ends a block is for the two ports that multiply, and goes beside the
// other rows' products, half of which are additions, for three ports.
enum { AT_ONCE = 3 };

INLINE vf vi_floats(vi sums)
{
    return _mm256_cvtepi32_ps(_mm256_madd_epi16(sums, _mm256_set1_epi16(1)));
}

// What panels ask for: codes keep their signs.
enum { CODE_OFFSET = 0, FEW_AT_ONCE = 4, FEW_MOST = CPU_FEW };

// Four-bit codes' sums have 16 bits, as in kernels/cpu/int_pairs.h; those of eight bits are
// multiplied without their signs, by what takes them over, and have 32.
INLINE void few_add(uint32_t type, vi *s, vi u, const int32_t *four)
{
    vi q = vi_set1(*four);
    if (type != QUANT_Q8_0) {
        *s = _mm256_add_epi16(*s, _mm256_maddubs_epi16(u, q));
        return;
    }
    vi pairs = _mm256_maddubs_epi16(_mm256_abs_epi8(u), _mm256_sign_epi8(q, u));
    *s = _mm256_add_epi32(*s, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
}

INLINE vi few_both(uint32_t type, vi s, vi t)
{
    return type == QUANT_Q8_0 ? _mm256_add_epi32(s, t) : _mm256_add_epi16(s, t);
}

INLINE vf few_floats(uint32_t type, vi s)
{
    return type == QUANT_Q8_0 ? vi_whole(s) : vi_floats(s);
}

#include "kernels/cpu/avx2_words.h"
#include "kernels/cpu/simd_attend_fix.h"

const struct cpu_isa cpu_avx2 = {
    .name = "avx2",
    .panel_rows = PANEL_ROWS,
    .panel_bytes = panel_bytes,
    .pack_panels = pack_panels,
    .packed_at = panels_at,
    .embed = simd_embed,
    .matmul = bytes_matmul,
    .project = bytes_project,
    .ffn = bytes_ffn,
    .rmsnorm = simd_rmsnorm,
    .gate = simd_gate,
    .log_sums = simd_log_sums,
    .attend = fix_attend,
    .scan = simd_scan,
};
