// As NEON, and products in bytes by the instruction that multiplies 16 bytes and adds them up in
// fours (FEAT_DotProd): ARM's cores since 2018.
#include "kernels/cpu/vec_neon.h"

#include "kernels/cpu/neon_few.h"
#include "kernels/cpu/simd_attend_few.h"
#include "kernels/cpu/simd_matmul.h"
#include "kernels/cpu/simd_rows.h"

#define INT_M 8 // rows of x in a register tile

typedef int32x4_t vi;

// One four of the four that a vector holds.
typedef struct {
    int8x16_t fours;
    int lane;
} vq;

INLINE vi vi_load(const void *p)
{
    return vreinterpretq_s32_s8(vld1q_s8(p));
}

// What stands behind the last x is read, not used.
INLINE vq vq_at(const int32_t *x, int i)
{
    return (vq){vreinterpretq_s8_s32(vld1q_s32(x + (i & ~3))), i & 3};
}

// The lane has to be written down.
INLINE void add_products(vi *sums, vi u, vq q)
{
    int8x16_t bytes = vreinterpretq_s8_s32(u);
    switch (q.lane) {
    case 0:
        *sums = vdotq_laneq_s32(*sums, bytes, q.fours, 0);
        break;
    case 1:
        *sums = vdotq_laneq_s32(*sums, bytes, q.fours, 1);
        break;
    case 2:
        *sums = vdotq_laneq_s32(*sums, bytes, q.fours, 2);
        break;
    default:
        *sums = vdotq_laneq_s32(*sums, bytes, q.fours, 3);
        break;
    }
}

INLINE void first_products(vi *sums, vi u, vq q)
{
    *sums = vdupq_n_s32(0);
    add_products(sums, u, q);
}

INLINE vf vi_floats(vi sums)
{
    return vcvtq_f32_s32(sums);
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
    .scan = simd_scan,
};
