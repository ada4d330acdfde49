// The operations for AVX2, FMA and F16C: processors since 2013.
#include "kernels/cpu/vec_avx2.h"

#include "kernels/cpu/simd_matmul.h"
#include "kernels/cpu/simd_rows.h"
#include "kernels/cpu/avx2_few.h"
#include "kernels/cpu/codes_nibbles.h"
#include "kernels/cpu/fix_avx2.h"
#include "kernels/cpu/vi_avx2.h"

// Not the intrinsics: gcc 12 moves all multiplications to the front, and has no registers left for
// their results.
INLINE void add_products(vi *sums, vi u, vi q)
{
    vi pairs;
    __asm__("vpmaddubsw %3, %2, %1\n\tvpaddw %1, %0, %0"
            : "+x"(*sums), "=&x"(pairs)
            : "x"(u), "x"(q));
}

// Likewise.
INLINE void first_products(vi *sums, vi u, vi q)
{
    __asm__("vpmaddubsw %2, %1, %0" : "=x"(*sums) : "x"(u), "x"(q));
}

// Likewise.
INLINE void fix_add(vi *sums, vi a, vi b)
{
    vi pairs;
    __asm__("vpmaddwd %3, %2, %1\n\tvpaddd %1, %0, %0"
            : "+x"(*sums), "=&x"(pairs)
            : "x"(a), "x"(b));
}

// Three of six rows: what ends a block is for the two ports that multiply, and goes beside the
// other rows' products, half of which are additions, for three ports.
enum { AT_ONCE = 3 };

INLINE vf vi_floats(vi sums)
{
    return _mm256_cvtepi32_ps(_mm256_madd_epi16(sums, _mm256_set1_epi16(1)));
}

#include "kernels/cpu/avx2_bytes.h"
#include "kernels/cpu/simd_attend_fix.h"

const struct cpu_isa cpu_avx2 = {
    .name = "avx2",
    .embed = simd_embed,
    .matmul = avx2_matmul,
    .project = int_project,
    .ffn = int_ffn,
    .rmsnorm = simd_rmsnorm,
    .gate = simd_gate,
    .log_sums = simd_log_sums,
    .attend = fix_attend,
    .scan = simd_scan,
};
