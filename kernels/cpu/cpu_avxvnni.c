// As AVX2, and all products in bytes by the instruction that multiplies 32 bytes and adds them up
// in fours: Intel's processors without AVX-512 since 2021, AMD's since 2024.
#include "kernels/cpu/vec_avx2.h"

#include "kernels/cpu/fix_avx2.h"
#include "kernels/cpu/simd_matmul.h"
#include "kernels/cpu/vi_avx2.h"

// Not the intrinsic: with it gcc 12 copies every sum twice around a loop.
INLINE void add_products(vi *sums, vi u, vi q)
{
    __asm__("%{vex%} vpdpbusd %2, %1, %0" : "+x"(*sums) : "x"(u), "x"(q));
}

// Likewise.
INLINE void fix_add(vi *sums, vi a, vi b)
{
    __asm__("%{vex%} vpdpwssd %2, %1, %0" : "+x"(*sums) : "x"(a), "x"(b));
}

// Sums start at the bits of 1.5 * 2^23 and stay less than 2^22 away: read as a float they are that
// number and the sum. Taking it away needs no port that multiplies (Intel's); a conversion does.
enum { START = 0x4b400000, AT_ONCE = 6 };

INLINE void first_products(vi *sums, vi u, vi q)
{
    *sums = _mm256_set1_epi32(START);
    add_products(sums, u, q);
}

INLINE vf vi_floats(vi sums)
{
    return _mm256_castsi256_ps(sums) - v_set1(12582912);
}

// What panels ask for.
enum { CODE_OFFSET = 128, FEW_AT_ONCE = 4, FEW_MOST = CPU_FEW };

INLINE void few_add(uint32_t type, vi *s, vi u, const int32_t *q)
{
    (void)type;
    add_products(s, u, vi_set1(*q));
}

INLINE vi few_both(uint32_t type, vi s, vi t)
{
    (void)type;
    return _mm256_add_epi32(s, t);
}

INLINE vf few_floats(uint32_t type, vi s)
{
    (void)type;
    return vi_whole(s);
}

#include "kernels/cpu/avx2_matmul.h"
#include "kernels/cpu/bytes_scan.h"
#include "kernels/cpu/requant_avxvnni.h"
#include "kernels/cpu/simd_attend_fix.h"

const struct cpu_isa cpu_avxvnni = {
    .name = "avxvnni",
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
    .scan = bytes_scan,
};
