// The operations for AVX-512 F, BW, DQ and VL: Intel's servers since 2017.
#include "kernels/cpu/vec_avx512.h"

#include "kernels/cpu/fix_avx512.h"
#include "kernels/cpu/simd_matmul.h"
#include "kernels/cpu/simd_scan.h"

#include "kernels/cpu/int_pairs.h"

enum { AT_ONCE = 6 };

INLINE vf vi_floats(vi sums)
{
    return _mm512_cvtepi32_ps(_mm512_madd_epi16(sums, _mm512_set1_epi16(1)));
}

// What panels ask for: of codes of four bits alone, whose sums have 16 bits.
enum { CODE_OFFSET = 0, FEW_AT_ONCE = 8, FEW_MOST = 32 };

INLINE void few_add(uint32_t type, vi *s, vi u, const int32_t *four)
{
    (void)type;
    add_products(s, u, vi_set1(*four));
}

INLINE vi few_both(uint32_t type, vi s, vi t)
{
    (void)type;
    return _mm512_add_epi16(s, t);
}

INLINE vf few_floats(uint32_t type, vi s)
{
    (void)type;
    return vi_floats(s);
}

#include "kernels/cpu/avx512_panels.h"

#include "kernels/cpu/panels_matmul.h"
#include "kernels/cpu/round_avx512.h"
#include "kernels/cpu/simd_attend_fix.h"

// Products of eight bits are not faster than float32's.
static const struct int_form *form_of(uint32_t type)
{
    return of_four_bits(type) ? &bytes_form : NULL;
}

static size_t four_bits_panel_bytes(const struct mat *w)
{
    return of_four_bits(w->type) ? panel_bytes(w) : 0;
}

const struct cpu_isa cpu_avx512 = {
    .name = "avx512",
    .many = FEW_MOST + 1,
    .panel_rows = PANEL_ROWS,
    .panel_bytes = four_bits_panel_bytes,
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
