// The weight types that are not taken apart in registers, brought to one form: small whole numbers
// with a scale and a minimum for each 16. Plain C that a compiler turns into byte vectors.
//
//     struct codes c;
//     codes_of(QUANT_Q6_K, block, &c);
//     w = c.scale[j / 16] * (float)c.q[j] - c.min[j / 16];      // the j-th weight of the block
#ifndef LCTOOL_KERNELS_CODES_H
#define LCTOOL_KERNELS_CODES_H

#include <string.h>

#include "kernels/blocks.h"
#include "kernels/half.h"
#include "kernels/quant.h"

struct codes {
    int8_t q[BLOCK_SUPER];
    float scale[BLOCK_SUPER / 16], min[BLOCK_SUPER / 16];
};

static inline float codes_half(const uint8_t b[2])
{
    return half_to_float(block_u16(b));
}

// 32 weights from 16 bytes: low nibbles first.
static inline void codes_nibbles(int8_t q[32], const uint8_t qs[16])
{
    for (int j = 0; j < 16; j++) {
        q[j] = (int8_t)(qs[j] & 15);
        q[j + 16] = (int8_t)(qs[j] >> 4);
    }
}

static inline void codes_lookup(int8_t q[32], const uint8_t qs[16], const int8_t values[16])
{
    for (int j = 0; j < 16; j++) {
        q[j] = values[qs[j] & 15];
        q[j + 16] = values[qs[j] >> 4];
    }
}

static inline void codes_scale(struct codes *c, int first, int n, float scale, float min)
{
    for (int g = first; g < first + n; g++) {
        c->scale[g] = scale;
        c->min[g] = min;
    }
}

static inline void codes_q4_0(const struct block_q4_0 *b, struct codes *c)
{
    codes_nibbles(c->q, b->qs);
    for (int j = 0; j < 32; j++)
        c->q[j] = (int8_t)(c->q[j] - 8);
    codes_scale(c, 0, 2, codes_half(b->d), 0);
}

static inline void codes_q4_1(const struct block_q4_1 *b, struct codes *c)
{
    codes_nibbles(c->q, b->qs);
    codes_scale(c, 0, 2, codes_half(b->d), -codes_half(b->m));
}

static inline void codes_q5(int8_t q[32], const uint8_t qs[16], const uint8_t qh[4], int offset)
{
    codes_nibbles(q, qs);
    for (int j = 0; j < 32; j++)
        q[j] = (int8_t)((q[j] | (qh[j >> 3] >> (j & 7) & 1) << 4) - offset);
}

static inline void codes_q5_0(const struct block_q5_0 *b, struct codes *c)
{
    codes_q5(c->q, b->qs, b->qh, 16);
    codes_scale(c, 0, 2, codes_half(b->d), 0);
}

static inline void codes_q5_1(const struct block_q5_1 *b, struct codes *c)
{
    codes_q5(c->q, b->qs, b->qh, 0);
    codes_scale(c, 0, 2, codes_half(b->d), -codes_half(b->m));
}

static inline void codes_q8_0(const struct block_q8_0 *b, struct codes *c)
{
    memcpy(c->q, b->qs, sizeof b->qs);
    codes_scale(c, 0, 2, codes_half(b->d), 0);
}

// Two bits each: four runs of 32 weights lie in the same 32 bytes.
static inline void codes_two_bits(int8_t q[BLOCK_SUPER], const uint8_t qs[64])
{
    for (int run = 0; run < 8; run++)
        for (int j = 0; j < 32; j++)
            q[run * 32 + j] = (int8_t)(qs[run / 4 * 32 + j] >> run % 4 * 2 & 3);
}

static inline void codes_q2_k(const struct block_q2_k *b, struct codes *c)
{
    float d = codes_half(b->d), dmin = codes_half(b->dmin);
    codes_two_bits(c->q, b->qs);
    for (int g = 0; g < 16; g++)
        codes_scale(c, g, 1, d * (float)(b->scales[g] & 15), dmin * (float)(b->scales[g] >> 4));
}

static inline void codes_q3_k(const struct block_q3_k *b, struct codes *c)
{
    float d = codes_half(b->d);
    codes_two_bits(c->q, b->qs);
    for (int run = 0; run < 8; run++) // where the mask's bit is not set, 4 is taken
        for (int j = 0; j < 32; j++)
            c->q[run * 32 + j] = (int8_t)(c->q[run * 32 + j] - 4 + (b->hmask[j] >> run & 1) * 4);
    for (int g = 0; g < 16; g++) {
        int low = b->scales[g % 8] >> g / 8 * 4 & 15;
        int high = b->scales[8 + g % 4] >> g / 4 * 2 & 3;
        codes_scale(c, g, 1, d * (float)((low | high << 4) - 32), 0);
    }
}

// Low and high nibbles of 32 bytes are two runs of 32 weights.
static inline void codes_q4_k_nibbles(int8_t q[BLOCK_SUPER], const uint8_t qs[128])
{
    for (int pair = 0; pair < 4; pair++)
        for (int j = 0; j < 32; j++) {
            q[pair * 64 + j] = (int8_t)(qs[pair * 32 + j] & 15);
            q[pair * 64 + 32 + j] = (int8_t)(qs[pair * 32 + j] >> 4);
        }
}

static inline void codes_k_scales(struct codes *c, const uint8_t scales[12], float d, float dmin)
{
    for (int g = 0; g < 8; g++) {
        int scale, min;
        block_k_scale(scales, g, &scale, &min);
        codes_scale(c, 2 * g, 2, d * (float)scale, dmin * (float)min);
    }
}

static inline void codes_q4_k(const struct block_q4_k *b, struct codes *c)
{
    codes_q4_k_nibbles(c->q, b->qs);
    codes_k_scales(c, b->scales, codes_half(b->d), codes_half(b->dmin));
}

static inline void codes_q5_k(const struct block_q5_k *b, struct codes *c)
{
    codes_q4_k_nibbles(c->q, b->qs);
    for (int run = 0; run < 8; run++)
        for (int j = 0; j < 32; j++)
            c->q[run * 32 + j] = (int8_t)(c->q[run * 32 + j] | (b->qh[j] >> run & 1) << 4);
    codes_k_scales(c, b->scales, codes_half(b->d), codes_half(b->dmin));
}

static inline void codes_q6_k(const struct block_q6_k *b, struct codes *c)
{
    for (int run = 0; run < 8; run++) {
        const uint8_t *low = b->ql + run / 4 * 64 + run % 2 * 32, *high = b->qh + run / 4 * 32;
        int low_shift = run / 2 % 2 * 4, high_shift = run % 4 * 2;
        for (int j = 0; j < 32; j++)
            c->q[run * 32 + j] =
                (int8_t)(((low[j] >> low_shift & 15) | (high[j] >> high_shift & 3) << 4) - 32);
    }
    float d = codes_half(b->d);
    for (int g = 0; g < 16; g++)
        codes_scale(c, g, 1, d * (float)b->scales[g], 0);
}

static const int8_t codes_iq4_values[16] = {-127, -104, -83, -65, -49, -35, -22, -10,
                                            1,    13,   25,  38,  53,  69,  89,  113};

static inline void codes_iq4_nl(const struct block_iq4_nl *b, struct codes *c)
{
    codes_lookup(c->q, b->qs, codes_iq4_values);
    codes_scale(c, 0, 2, codes_half(b->d), 0);
}

static inline void codes_iq4_xs(const struct block_iq4_xs *b, struct codes *c)
{
    float d = codes_half(b->d);
    for (int g = 0; g < 8; g++) {
        codes_lookup(c->q + g * 32, b->qs + g * 16, codes_iq4_values);
        int low = b->scales_l[g / 2] >> g % 2 * 4 & 15, high = block_u16(b->scales_h) >> 2 * g & 3;
        codes_scale(c, 2 * g, 2, d * (float)((low | high << 4) - 32), 0);
    }
}

static inline void codes_mxfp4(const struct block_mxfp4 *b, struct codes *c)
{
    // doubled, so that they are whole; the scale is half of 2^(e - 127) for it
    static const int8_t values[16] = {0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12};
    uint32_t bits = b->e < 2 ? 0x00200000u << b->e : (uint32_t)(b->e - 1) << 23;
    float d;
    memcpy(&d, &bits, sizeof d);
    codes_lookup(c->q, b->qs, values);
    codes_scale(c, 0, 2, d, 0);
}

// One block of TYPE, which is none of F32, F16 and BF16.
static inline void codes_of(uint32_t type, const void *block, struct codes *c)
{
    switch (type) {
    case QUANT_Q4_0:
        codes_q4_0(block, c);
        break;
    case QUANT_Q4_1:
        codes_q4_1(block, c);
        break;
    case QUANT_Q5_0:
        codes_q5_0(block, c);
        break;
    case QUANT_Q5_1:
        codes_q5_1(block, c);
        break;
    case QUANT_Q8_0:
        codes_q8_0(block, c);
        break;
    case QUANT_Q2_K:
        codes_q2_k(block, c);
        break;
    case QUANT_Q3_K:
        codes_q3_k(block, c);
        break;
    case QUANT_Q4_K:
        codes_q4_k(block, c);
        break;
    case QUANT_Q5_K:
        codes_q5_k(block, c);
        break;
    case QUANT_Q6_K:
        codes_q6_k(block, c);
        break;
    case QUANT_IQ4_NL:
        codes_iq4_nl(block, c);
        break;
    case QUANT_IQ4_XS:
        codes_iq4_xs(block, c);
        break;
    case QUANT_MXFP4:
        codes_mxfp4(block, c);
        break;
    default:
        memset(c, 0, sizeof *c);
    }
}

#endif
