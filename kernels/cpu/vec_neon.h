// Vectors of 4 floats for kernels/cpu/simd_*.h. Arithmetic is written with + - * / on vf.
#ifndef LCTOOL_KERNELS_CPU_VEC_NEON_H
#define LCTOOL_KERNELS_CPU_VEC_NEON_H

#include <arm_neon.h>
#include <stdint.h>
#include <string.h>

#define VW     4  // lanes
#define TILE_M 12 // rows of x in a register tile; TILE_M * 2 + 3 registers

typedef float32x4_t vf;

static inline vf v_set1(float x)
{
    return vdupq_n_f32(x);
}

// From any address: a file's data may start at any.
static inline vf v_load(const float *p)
{
    vf v;
    memcpy(&v, p, sizeof v);
    return v;
}

static inline void v_store(float *p, vf v)
{
    vst1q_f32(p, v);
}

// Of VW numbers of 8 bits.
static inline vf v_of_bytes(const int8_t *p)
{
    int8_t lanes[8] = {0};
    memcpy(lanes, p, VW);
    return vcvtq_f32_s32(vmovl_s16(vget_low_s16(vmovl_s8(vld1_s8(lanes)))));
}

// The first N < VW lanes; the others read as zero and are not written.
static inline vf v_load_part(const float *p, int n)
{
    float lanes[VW] = {0};
    memcpy(lanes, p, (size_t)n * sizeof *p);
    return vld1q_f32(lanes);
}

static inline void v_store_part(float *p, vf v, int n)
{
    float lanes[VW];
    vst1q_f32(lanes, v);
    memcpy(p, lanes, (size_t)n * sizeof *p);
}

static inline vf v_fma(vf a, vf b, vf c)
{
    return vfmaq_f32(c, a, b);
}

// A NaN comes through.
static inline vf v_max(vf a, vf b)
{
    return vmaxq_f32(a, b);
}

static inline vf v_min(vf a, vf b)
{
    return vminq_f32(a, b);
}

static inline vf v_round(vf a)
{
    return vrndnq_f32(a);
}

// 2^n for whole n of -126 .. 127.
static inline vf v_pow2(vf n)
{
    int32x4_t i = vaddq_s32(vcvtq_s32_f32(n), vdupq_n_s32(127));
    return vreinterpretq_f32_s32(vshlq_n_s32(i, 23));
}

static inline float v_sum(vf a)
{
    return vaddvq_f32(a);
}

static inline float v_hmax(vf a)
{
    return vmaxvq_f32(a);
}

static inline vf v_from_i8(const int8_t *p)
{
    int32_t four;
    memcpy(&four, p, sizeof four);
    int16x8_t wide = vmovl_s8(vreinterpret_s8_s32(vdup_n_s32(four)));
    return vcvtq_f32_s32(vmovl_s16(vget_low_s16(wide)));
}

static inline vf v_from_f16(const void *p)
{
    uint16_t h[VW];
    memcpy(h, p, sizeof h);
    return vcvt_f32_f16(vreinterpret_f16_u16(vld1_u16(h)));
}

static inline vf v_from_bf16(const void *p)
{
    uint16_t h[VW];
    memcpy(h, p, sizeof h);
    return vreinterpretq_f32_u32(vshll_n_u16(vld1_u16(h), 16));
}

// One half-precision number in all lanes, and two that follow each other.
static inline vf v_half(const uint8_t *b)
{
    uint16_t h;
    memcpy(&h, b, sizeof h);
    return vcvt_f32_f16(vreinterpret_f16_u16(vdup_n_u16(h)));
}

static inline void v_half_pair(const uint8_t *b, vf *first, vf *second)
{
    *first = v_half(b);
    *second = v_half(b + 2);
}

// What the 16 values of a nibble stand for: d * (q - offset) + m.
typedef struct {
    float32x4_t d, offset, m;
} nibble_map;

static inline nibble_map nibble_affine(vf d, float offset, vf m)
{
    return (nibble_map){d, v_set1(offset), m};
}

static inline void nibble_values(uint8x16_t nibbles, nibble_map map, vf *w)
{
    uint16x8_t half[2] = {vmovl_u8(vget_low_u8(nibbles)), vmovl_u8(vget_high_u8(nibbles))};
    for (int i = 0; i < 4; i++) {
        uint16x4_t four = i & 1 ? vget_high_u16(half[i / 2]) : vget_low_u16(half[i / 2]);
        w[i] = map.d * (vcvtq_f32_u32(vmovl_u16(four)) - map.offset) + map.m;
    }
}

// The low and the high nibbles of 16 bytes: 16 / VW vectors each.
static inline void nibble_expand(const uint8_t *qs, nibble_map low, nibble_map high, vf *wl, vf *wh)
{
    uint8x16_t bytes = vld1q_u8(qs);
    nibble_values(vandq_u8(bytes, vdupq_n_u8(15)), low, wl);
    nibble_values(vshrq_n_u8(bytes, 4), high, wh);
}

// (a0, a0, a1, a1, ...): the first and the second half of it.
static inline void v_double(vf a, vf *first, vf *second)
{
    *first = vzip1q_f32(a, a);
    *second = vzip2q_f32(a, a);
}

// (a1, a0, a3, a2)
static inline vf v_swap_pairs(vf a)
{
    return vrev64q_f32(a);
}

// Transposes the square r[VW].
static inline void v_transpose(vf *r)
{
    float32x4x2_t a = vtrnq_f32(r[0], r[1]), b = vtrnq_f32(r[2], r[3]);
    r[0] = vcombine_f32(vget_low_f32(a.val[0]), vget_low_f32(b.val[0]));
    r[1] = vcombine_f32(vget_low_f32(a.val[1]), vget_low_f32(b.val[1]));
    r[2] = vcombine_f32(vget_high_f32(a.val[0]), vget_high_f32(b.val[0]));
    r[3] = vcombine_f32(vget_high_f32(a.val[1]), vget_high_f32(b.val[1]));
}

#endif
