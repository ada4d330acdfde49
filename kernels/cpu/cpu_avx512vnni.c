// As AVX-512, and matrix products with activations rounded to 8 bits (kernels.h says when), by the
// instruction that multiplies 64 bytes and adds them up in fours.
#include "kernels/cpu/vec_avx512.h"

#include "kernels/cpu/fix_avx512.h"
#include "kernels/cpu/simd_matmul.h"
#include "kernels/cpu/vnni_few.h"

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

// fill_half from a packed panel, TYPE a constant after inlining.
INLINE void widen_half(uint32_t type, const struct panel *panel, const struct mat *w, size_t row,
                       size_t at)
{
    size_t bytes = panel_block_bytes(type), blocks = (size_t)w->cols / BLOCK;
    const uint8_t *src = (const uint8_t *)w->packed + row / PANEL_ROWS * blocks * bytes;
    for (size_t b = 0; b < blocks; b++, src += bytes) {
        struct panel_block k = panel_block(type, src);
        v_store(panel->d + b * TILE_N + at, k.d);
        v_store(panel->m + b * TILE_N + at, k.m);
        for (int g = 0; g < FOURS; g++)
            _mm512_storeu_si512(panel->u + ((b * FOURS + (size_t)g) * TILE_N + at) * 4,
                                panel_codes(type, k.codes, g));
    }
}

static const uint8_t *weights_at(const struct mat *w, size_t row, size_t n, size_t *bytes)
{
    if (!w->packed)
        return rows_at(w, row, n, bytes);
    *bytes = panel_bytes(w);
    return panels_at(w, (int)row);
}

static void fill_half(const struct panel *panel, const struct mat *w, size_t row, size_t at)
{
    if (!w->packed)
        unpack_half(panel, w, row, at);
    else if (w->type == QUANT_Q4_1)
        widen_half(QUANT_Q4_1, panel, w, row, at);
    else if (w->type == QUANT_Q4_0)
        widen_half(QUANT_Q4_0, panel, w, row, at);
    else
        widen_half(QUANT_Q8_0, panel, w, row, at);
}

static int vnni_project(struct cpu *c, const struct project *p)
{
    return p->n <= CPU_FEW ? few_project(c, p) : int_project(c, p);
}

static int vnni_ffn(struct cpu *c, const struct ffn *f)
{
    return f->n <= CPU_FEW ? few_ffn(c, f) : int_ffn(c, f);
}

static void vnni_matmul(struct cpu *c, float *out, const struct mat *w, const float *x,
                        const float *bias, const float *add, int n)
{
    const struct project p = {.x = x, .n = n, .n_to = 1, .to = {{out, w, bias, add, NULL}}};
    if (c->exact || !vnni_project(c, &p))
        simd_matmul(c, out, w, x, bias, add, n);
}

const struct cpu_isa cpu_avx512vnni = {
    .name = "avx512vnni",
    .panel_bytes = panel_bytes,
    .pack_panels = pack_panels,
    .packed_at = panels_at,
    .embed = simd_embed,
    .matmul = vnni_matmul,
    .project = vnni_project,
    .ffn = vnni_ffn,
    .rmsnorm = simd_rmsnorm,
    .gate = simd_gate,
    .log_sums = simd_log_sums,
    .attend = fix_attend,
    .scan = bytes_scan,
};
