// The products of kernels/cpu/bytes_few.h for AVX2, without VNNI.
#ifndef LCTOOL_KERNELS_AVX2_FEW_H
#define LCTOOL_KERNELS_AVX2_FEW_H

#include "kernels/cpu/bytes_few.h"

// Weights are asked for so many bytes before their turn: see kernels/cpu/vnni_panels.h.
enum { AHEAD = 4096 };

static void round_block(const float *x, int8_t q[32], float *scale, float *sum)
{
    const __m256i order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
    vf v[4], max = v_set1(0), all = v_set1(0);
    __m256i i[4];
    for (int k = 0; k < 4; k++) {
        v[k] = v_load(x + k * VW);
        max = v_max(max, _mm256_andnot_ps(v_set1(-0.0f), v[k]));
        all = all + v[k];
    }
    float most = v_hmax(max);
    vf back = v_set1(most == 0 ? 0 : 127 / most);
    for (int k = 0; k < 4; k++)
        i[k] = _mm256_cvtps_epi32(v[k] * back);
    __m256i total = _mm256_add_epi32(_mm256_add_epi32(i[0], i[1]), _mm256_add_epi32(i[2], i[3]));
    __m256i bytes =
        _mm256_packs_epi16(_mm256_packs_epi32(i[0], i[1]), _mm256_packs_epi32(i[2], i[3]));
    _mm256_storeu_si256((__m256i *)(void *)q, _mm256_permutevar8x32_epi32(bytes, order));
    *scale = most / 127 + 0 * v_sum(all); // a NaN must be seen
    *sum = *scale * v_sum(_mm256_cvtepi32_ps(total));
}

// The products of a block's 32 weights, W, by 32 numbers of x, Q, in eight sums. TYPE a constant
// after inlining.
INLINE vf bytes_dots(uint32_t type, __m256i w, __m256i q)
{
    __m256i pairs = type == QUANT_Q8_0
                        ? _mm256_maddubs_epi16(_mm256_abs_epi8(w), _mm256_sign_epi8(q, w))
                        : _mm256_maddubs_epi16(w, q);
    return _mm256_cvtepi32_ps(_mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
}

INLINE void bytes_row(uint32_t type, int n, const struct bytes_x *x, size_t first, const uint8_t *w,
                      float *y)
{
    const size_t head = type == QUANT_Q4_1 ? 4 : 2, step = head + (type == QUANT_Q8_0 ? 32 : 16);
    vf sum[FEW_AT_ONCE];
    __m128 rest[FEW_AT_ONCE]; // what m gives, in the lowest place
#pragma GCC unroll 4
    for (int i = 0; i < n; i++) {
        sum[i] = v_set1(0);
        rest[i] = _mm_setzero_ps();
    }
    for (size_t b = 0; b < x->blocks; b++, w += step) {
        uint32_t scales = 0;
        memcpy(&scales, w, head);
        _mm_prefetch((const char *)w + AHEAD, _MM_HINT_T0);
        __m128 d = _mm_cvtph_ps(_mm_cvtsi32_si128((int)scales));
        __m128 m = type == QUANT_Q4_1 ? _mm_movehdup_ps(d) : _mm_mul_ss(d, _mm_set_ss(-8));
        __m256i u;
        if (type == QUANT_Q8_0) {
            u = _mm256_loadu_si256((const __m256i *)(const void *)(w + head));
        } else {
            __m128i c = _mm_loadu_si128((const __m128i *)(const void *)(w + head));
            u = _mm256_and_si256(_mm256_set_m128i(_mm_srli_epi16(c, 4), c), _mm256_set1_epi8(15));
        }
#pragma GCC unroll 4
        for (int i = 0; i < n; i++) {
            size_t at = (first + (size_t)i) * x->blocks + b;
            __m256i q = _mm256_loadu_si256((const __m256i *)(const void *)(x->x + at * BLOCK));
            vf scale = _mm256_broadcastss_ps(_mm_mul_ss(d, _mm_load_ss(&x->scale[at])));
            sum[i] = v_fma(bytes_dots(type, u, q), scale, sum[i]);
            if (type != QUANT_Q8_0)
                rest[i] = _mm_fmadd_ss(m, _mm_load_ss(&x->sum[at]), rest[i]);
        }
    }
#pragma GCC unroll 4
    for (int i = 0; i < n; i++)
        y[i] = v_sum(sum[i]) + _mm_cvtss_f32(rest[i]);
}

#endif
