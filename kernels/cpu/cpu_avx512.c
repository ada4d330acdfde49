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

#include "kernels/cpu/int_unpack.h"
#include "kernels/cpu/round_avx512.h"
#include "kernels/cpu/simd_attend_fix.h"

// Products of eight bits are not faster than float32's.
static const struct int_form *form_of(uint32_t type)
{
    return of_four_bits(type) ? &bytes_form : NULL;
}

static const uint8_t *weights_at(const struct mat *w, size_t row, size_t n, size_t *bytes)
{
    return rows_at(w, row, n, bytes);
}

static void fill_half(const struct panel *panel, const struct mat *w, size_t row, size_t at)
{
    unpack_half(panel, w, row, at);
}

static void avx512_matmul(struct cpu *c, float *out, const struct mat *w, const float *x,
                          const float *bias, const float *add, int n)
{
    const struct project p = {.x = x, .n = n, .n_to = 1, .to = {{out, w, bias, add, NULL}}};
    if (!int_project(c, &p))
        simd_matmul(c, out, w, x, bias, add, n);
}

const struct cpu_isa cpu_avx512 = {
    .name = "avx512",
    .embed = simd_embed,
    .matmul = avx512_matmul,
    .project = int_project,
    .ffn = int_ffn,
    .rmsnorm = simd_rmsnorm,
    .gate = simd_gate,
    .log_sums = simd_log_sums,
    .attend = fix_attend,
    .scan = simd_scan,
};
