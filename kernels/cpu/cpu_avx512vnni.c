// As AVX-512, and matrix products with activations rounded to 8 bits (kernels.h says when), by the
// instruction that multiplies 64 bytes and adds them up in fours.
#include "kernels/cpu/vec_avx512.h"

#include "kernels/cpu/fix_avx512.h"
#include "kernels/cpu/simd_matmul.h"
#include "kernels/cpu/vnni_panels.h"

#include "kernels/cpu/bytes_scan.h"

// Not the intrinsic: gcc 12 copies sums from register to register between them.
INLINE void fix_add(vi *sums, vi a, vi b)
{
    __asm__("vpdpwssd %2, %1, %0" : "+v"(*sums) : "v"(a), "v"(b));
}

#include "kernels/cpu/simd_attend_fix.h"

INLINE void first_products(vi *sums, vi u, vi q)
{
    *sums = vi_zero();
    add_products(sums, u, q);
}

enum { AT_ONCE = 6 };

static inline vf vi_floats(vi sums)
{
    return vi_whole(sums);
}

#include "kernels/cpu/requant_avx512.h"

#include "kernels/cpu/panels_matmul.h"

const struct cpu_isa cpu_avx512vnni = {
    .name = "avx512vnni",
    .many = FEW_MOST + 1,
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
