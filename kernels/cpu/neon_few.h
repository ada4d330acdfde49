// The products of kernels/cpu/bytes_few.h for NEON with the instruction that multiplies 16 bytes
// and adds them up in fours.
#ifndef LCTOOL_KERNELS_CPU_NEON_FEW_H
#define LCTOOL_KERNELS_CPU_NEON_FEW_H

#include "kernels/cpu/bytes_few.h"

static void round_block(const float *x, int8_t q[32], float *scale, float *sum)
{
    vf v[BLOCK_VECS], max = v_set1(0);
    int32x4_t i[BLOCK_VECS];
    int16x8_t halves[BLOCK_VECS / 2];
    int total = 0;
    for (int k = 0; k < BLOCK_VECS; k++) {
        v[k] = v_load(x + k * VW);
        max = v_max(max, vabsq_f32(v[k]));
    }
    float most = v_hmax(max); // a NaN comes through
    vf back = v_set1(most == 0 ? 0 : 127 / most);
    for (int k = 0; k < BLOCK_VECS; k++)
        i[k] = vcvtnq_s32_f32(v[k] * back);
    for (int k = 0; k < BLOCK_VECS / 2; k++)
        halves[k] = vqmovn_high_s32(vqmovn_s32(i[2 * k]), i[2 * k + 1]);
    for (int k = 0; k < BLOCK_VECS / 4; k++) {
        int8x16_t bytes = vqmovn_high_s16(vqmovn_s16(halves[2 * k]), halves[2 * k + 1]);
        vst1q_s8(q + 16 * k, bytes);
        total += vaddlvq_s8(bytes);
    }
    *scale = most / 127;
    *sum = *scale * (float)total;
}

// TYPE a constant after inlining, here and below.
INLINE size_t head_bytes(uint32_t type) // of a block's scales
{
    return type == QUANT_Q4_1 ? 4 : 2;
}

INLINE uint32_t head_at(uint32_t type, const uint8_t *src)
{
    uint32_t halves = 0;
    memcpy(&halves, src, head_bytes(type));
    return halves;
}

static inline vf floats_of_halves(uint16x4_t halves)
{
    return vcvt_f32_f16(vreinterpret_f16_u16(halves));
}

// Scale and minimum of four blocks of codes that are no less than 0, or have a sign (Q8_0).
INLINE void four_scales(uint32_t type, const uint8_t *const src[4], vf *d, vf *m)
{
    uint32x4_t both = {head_at(type, src[0]), head_at(type, src[1]), head_at(type, src[2]),
                       head_at(type, src[3])};
    *d = floats_of_halves(vmovn_u32(both));
    *m = type == QUANT_Q4_1   ? floats_of_halves(vshrn_n_u32(both, 16))
         : type == QUANT_Q4_0 ? *d * v_set1(-8)
                              : v_set1(0);
}

// The codes of a block.
INLINE void block_codes(uint32_t type, const uint8_t *src, int8x16_t u[2])
{
    src += head_bytes(type);
    if (type == QUANT_Q8_0) {
        u[0] = vld1q_s8((const int8_t *)src);
        u[1] = vld1q_s8((const int8_t *)src + 16);
    } else {
        uint8x16_t c = vld1q_u8(src);
        u[0] = vreinterpretq_s8_u8(vandq_u8(c, vdupq_n_u8(15)));
        u[1] = vreinterpretq_s8_u8(vshrq_n_u8(c, 4));
    }
}

enum { LANES = 4 }; // blocks whose sums stand in one vector

// The first K of LANES numbers, and zeros.
INLINE vf load_lanes(int k, const float *p)
{
    return k == LANES ? v_load(p) : vsetq_lane_f32(*p, v_set1(0), 0);
}

// K blocks of a row of weights, LANES or 1, by N rows of x, AT the first one's first block. K and N
// constants after inlining.
INLINE void bytes_blocks(uint32_t type, int k, int n, const struct bytes_x *x, size_t at,
                         const uint8_t *w, vf *sum)
{
    const size_t step = head_bytes(type) + (type == QUANT_Q8_0 ? 32 : 16);
    const uint8_t *src[LANES];
    int8x16_t u[LANES][2];
    vf d, m;
#pragma GCC unroll 4
    for (int i = 0; i < LANES; i++) {
        src[i] = i < k ? w + (size_t)i * step : w;
        block_codes(type, src[i], u[i]);
    }
    four_scales(type, src, &d, &m);
#pragma GCC unroll 4
    for (int i = 0; i < n; i++, at += x->blocks) {
        const int8_t *q = x->x + at * BLOCK;
        int32x4_t s[LANES];
#pragma GCC unroll 4
        for (int b = 0; b < LANES; b++) {
            s[b] = vdupq_n_s32(0);
            if (b < k) {
                s[b] = vdotq_s32(s[b], u[b][0], vld1q_s8(q + b * BLOCK));
                s[b] = vdotq_s32(s[b], u[b][1], vld1q_s8(q + b * BLOCK + 16));
            }
        }
        int32x4_t all = vpaddq_s32(vpaddq_s32(s[0], s[1]), vpaddq_s32(s[2], s[3]));
        sum[i] = v_fma(vcvtq_f32_s32(all), d * load_lanes(k, x->scale + at), sum[i]);
        if (type != QUANT_Q8_0)
            sum[i] = v_fma(m, load_lanes(k, x->sum + at), sum[i]);
    }
}

INLINE void bytes_row(uint32_t type, int n, const struct bytes_x *x, size_t first, const uint8_t *w,
                      float *y)
{
    const size_t step = head_bytes(type) + (type == QUANT_Q8_0 ? 32 : 16);
    size_t at = first * x->blocks, b = 0;
    vf sum[FEW_AT_ONCE];
#pragma GCC unroll 4
    for (int i = 0; i < n; i++)
        sum[i] = v_set1(0);
    for (; b + LANES <= x->blocks; b += LANES, w += LANES * step)
        bytes_blocks(type, LANES, n, x, at + b, w, sum);
    for (; b < x->blocks; b++, w += step)
        bytes_blocks(type, 1, n, x, at + b, w, sum);
#pragma GCC unroll 4
    for (int i = 0; i < n; i++)
        y[i] = v_sum(sum[i]);
}

#endif
