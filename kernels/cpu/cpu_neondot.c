// As NEON, and products in bytes by the instruction that multiplies 16 bytes and adds them up in
// fours (FEAT_DotProd): ARM's cores since 2018.
#include "kernels/cpu/vec_neon.h"

#include "kernels/cpu/neon_few.h"
#include "kernels/cpu/simd_attend_few.h"
#include "kernels/cpu/simd_matmul.h"
#include "kernels/cpu/vi_neon.h"

#include "kernels/cpu/bytes_scan.h"

#define INT_M 8 // rows of x in a register tile

INLINE void first_products(vi *sums, vi u, vq q)
{
    *sums = vdupq_n_s32(0);
    add_products(sums, u, q);
}

INLINE vf vi_floats(vi sums)
{
    return vi_whole(sums);
}

enum { AT_ONCE = 4 };

#include "kernels/cpu/int_tile.h"
#include "kernels/cpu/neon_bytes.h"

INLINE void put_rows(const struct panel *panel, size_t b, size_t at, int8x16_t (*u)[2], vf d, vf m)
{
    v_store(panel->d + b * TILE_N + at, d);
    v_store(panel->m + b * TILE_N + at, m);
#pragma GCC unroll 2
    for (size_t half = 0; half < 2; half++) {
        vf r[VW];
#pragma GCC unroll 4
        for (int i = 0; i < VW; i++)
            r[i] = vreinterpretq_f32_s8(u[i][half]);
        v_transpose(r);
#pragma GCC unroll 4
        for (size_t i = 0; i < VW; i++)
            vst1q_s8((int8_t *)panel->u + ((b * INT_FOURS + half * VW + i) * TILE_N + at) * 4,
                     vreinterpretq_s8_f32(r[i]));
    }
}

static void round_rows(const float *const *row, size_t at, size_t m, int32_t *x, float *e,
                       float *sum)
{
    round_each(row, at, m, x, e, sum);
}

const struct cpu_isa cpu_neondot = {
    .name = "neondot",
    .embed = simd_embed,
    .matmul = bytes_matmul,
    .project = bytes_project,
    .ffn = bytes_ffn,
    .rmsnorm = simd_rmsnorm,
    .gate = simd_gate,
    .log_sums = simd_log_sums,
    .attend = simd_attend_any,
    .scan = bytes_scan,
};
