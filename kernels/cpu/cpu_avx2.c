// The operations for AVX2, FMA and F16C: processors since 2013.
#include "kernels/cpu/vec_avx2.h"

#include "kernels/cpu/avx2_few.h"
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

#include "kernels/cpu/avx2_words.h"
#include "kernels/cpu/simd_attend_fix.h"

const struct cpu_isa cpu_avx2 = {
    .name = "avx2",
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
