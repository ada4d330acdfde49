// Sixteen neighbouring weights of a row at a time, of every type of kernels/quant.h: the same bits
// as dequantize gives.
#ifndef LCTOOL_KERNELS_CUDA_CUDA_QUANT_CUH
#define LCTOOL_KERNELS_CUDA_CUDA_QUANT_CUH

#include "kernels/blocks.h"
#include "kernels/cuda/cuda_kernel.cuh"
#include "kernels/quant.h"

enum { CUDA_GROUP = 16 };

struct cuda_codes {
    int q[CUDA_GROUP];
    float scale, min; // weight = scale * q - min
};

CUDA_FN float cuda_half_at(const uint8_t b[2])
{
    return cuda_half_to_float((uint16_t)(b[0] | b[1] << 8));
}

// Sixteen bytes in as few loads as their address allows: Q4_K's are one, Q4_0's half words.
CUDA_FN void cuda_load16(const uint8_t *p, uint8_t b[16])
{
    uintptr_t at = (uintptr_t)p;
    if (at % 16 == 0) {
        uint32_t w[4];
        cuda_load_words(p, w);
        for (int i = 0; i < 16; i++)
            b[i] = (uint8_t)(w[i / 4] >> 8 * (i % 4));
    } else if (at % 4 == 0) {
        for (int i = 0; i < 4; i++) {
            uint32_t v = ((const uint32_t *)(const void *)p)[i];
            for (int k = 0; k < 4; k++)
                b[4 * i + k] = (uint8_t)(v >> 8 * k);
        }
    } else if (at % 2 == 0) {
        for (int i = 0; i < 8; i++) {
            uint32_t v = ((const uint16_t *)(const void *)p)[i];
            b[2 * i] = (uint8_t)v;
            b[2 * i + 1] = (uint8_t)(v >> 8);
        }
    } else {
        for (int i = 0; i < 16; i++)
            b[i] = p[i];
    }
}

// HALF 0: the low nibbles of 16 bytes, 1: the high ones.
CUDA_FN void cuda_nibbles(const uint8_t *qs, int half, int offset, int q[CUDA_GROUP])
{
    uint8_t b[16];
    cuda_load16(qs, b);
    for (int j = 0; j < CUDA_GROUP; j++)
        q[j] = (b[j] >> 4 * half & 15) - offset;
}

CUDA_FN void cuda_fives(const uint8_t *qs, const uint8_t *qh, int half, int offset,
                        int q[CUDA_GROUP])
{
    cuda_nibbles(qs, half, offset, q);
    uint32_t bits = (uint32_t)(qh[2 * half] | qh[2 * half + 1] << 8);
    for (int j = 0; j < CUDA_GROUP; j++)
        q[j] += (int)(bits >> j & 1) << 4;
}

// Nibbles that stand for the values of a table of signed bytes, the first lowest in LOW.
CUDA_FN void cuda_lookup(const uint8_t *qs, int half, uint64_t low, uint64_t high,
                         int q[CUDA_GROUP])
{
    cuda_nibbles(qs, half, 0, q);
    for (int j = 0; j < CUDA_GROUP; j++)
        q[j] = (int8_t)(uint8_t)((q[j] < 8 ? low : high) >> 8 * (q[j] & 7));
}

// Two bits of each of 16 bytes.
CUDA_FN void cuda_pairs(const uint8_t *p, int shift, int q[CUDA_GROUP])
{
    uint8_t b[16];
    cuda_load16(p, b);
    for (int j = 0; j < CUDA_GROUP; j++)
        q[j] = b[j] >> shift & 3;
}

CUDA_FN void cuda_codes_q3_k(const struct block_q3_k *b, int g, struct cuda_codes *c)
{
    int run = g / 2, from = g % 2 * 16;
    cuda_pairs(b->qs + run / 4 * 32 + from, run % 4 * 2, c->q);
    for (int j = 0; j < CUDA_GROUP; j++) // where the mask's bit is not set, 4 is taken
        c->q[j] += (b->hmask[from + j] >> run & 1) * 4 - 4;
    int low = b->scales[g % 8] >> g / 8 * 4 & 15, high = b->scales[8 + g % 4] >> g / 4 * 2 & 3;
    c->scale = cuda_half_at(b->d) * (float)((low | high << 4) - 32);
}

CUDA_FN void cuda_codes_q6_k(const struct block_q6_k *b, int g, struct cuda_codes *c)
{
    int run = g / 2, from = g % 2 * 16, high[CUDA_GROUP];
    cuda_nibbles(b->ql + run / 4 * 64 + run % 2 * 32 + from, run / 2 % 2, 32, c->q);
    cuda_pairs(b->qh + run / 4 * 32 + from, run % 4 * 2, high);
    for (int j = 0; j < CUDA_GROUP; j++)
        c->q[j] += high[j] << 4;
    c->scale = cuda_half_at(b->d) * (float)b->scales[g];
}

// Scale and minimum of Q4_K and Q5_K.
CUDA_FN void cuda_k_scale(const uint8_t d[2], const uint8_t dmin[2], const uint8_t s[12], int run,
                          struct cuda_codes *c)
{
    int scale = run < 4 ? s[run] & 63 : (s[run + 4] & 15) | (s[run - 4] >> 6) << 4;
    int min = run < 4 ? s[run + 4] & 63 : s[run + 4] >> 4 | (s[run] >> 6) << 4;
    c->scale = cuda_half_at(d) * (float)scale;
    c->min = cuda_half_at(dmin) * (float)min;
}

CUDA_FN void cuda_codes_q5_k(const struct block_q5_k *b, int g, struct cuda_codes *c)
{
    int run = g / 2, from = g % 2 * 16;
    cuda_nibbles(b->qs + run / 2 * 32 + from, run % 2, 0, c->q);
    for (int j = 0; j < CUDA_GROUP; j++)
        c->q[j] += (b->qh[from + j] >> run & 1) << 4;
    cuda_k_scale(b->d, b->dmin, b->scales, run, c);
}

CUDA_FN void cuda_codes_iq4_xs(const struct block_iq4_xs *b, int g, struct cuda_codes *c)
{
    int run = g / 2, low = b->scales_l[run / 2] >> run % 2 * 4 & 15;
    int high = (b->scales_h[0] | b->scales_h[1] << 8) >> 2 * run & 3;
    cuda_lookup(b->qs + run * 16, g % 2, 0xf6eaddcfbfad9881u, 0x7159453526190d01u, c->q);
    c->scale = cuda_half_at(b->d) * (float)((low | high << 4) - 32);
}

CUDA_FN float cuda_mxfp4_scale(uint8_t e)
{
    return cuda_float_of(e < 2 ? 0x00200000u << e : (uint32_t)(e - 1) << 23);
}

// The G-th sixteen of a row whose blocks are of 32 weights.
CUDA_FN void cuda_codes_32(uint32_t type, const uint8_t *row, int g, struct cuda_codes *c)
{
    int i = g / 2, half = g % 2;
    c->min = 0;
    switch (type) {
    case QUANT_Q4_0: {
        const struct block_q4_0 *b = (const struct block_q4_0 *)(const void *)row + i;
        cuda_nibbles(b->qs, half, 8, c->q);
        c->scale = cuda_half_at(b->d);
        break;
    }
    case QUANT_Q4_1: {
        const struct block_q4_1 *b = (const struct block_q4_1 *)(const void *)row + i;
        cuda_nibbles(b->qs, half, 0, c->q);
        c->scale = cuda_half_at(b->d);
        c->min = -cuda_half_at(b->m);
        break;
    }
    case QUANT_Q5_0: {
        const struct block_q5_0 *b = (const struct block_q5_0 *)(const void *)row + i;
        cuda_fives(b->qs, b->qh, half, 16, c->q);
        c->scale = cuda_half_at(b->d);
        break;
    }
    case QUANT_Q5_1: {
        const struct block_q5_1 *b = (const struct block_q5_1 *)(const void *)row + i;
        cuda_fives(b->qs, b->qh, half, 0, c->q);
        c->scale = cuda_half_at(b->d);
        c->min = -cuda_half_at(b->m);
        break;
    }
    case QUANT_Q8_0: {
        const struct block_q8_0 *b = (const struct block_q8_0 *)(const void *)row + i;
        uint8_t q[16];
        cuda_load16((const uint8_t *)b->qs + 16 * half, q);
        for (int j = 0; j < CUDA_GROUP; j++)
            c->q[j] = (int8_t)q[j];
        c->scale = cuda_half_at(b->d);
        break;
    }
    case QUANT_IQ4_NL: {
        const struct block_iq4_nl *b = (const struct block_iq4_nl *)(const void *)row + i;
        cuda_lookup(b->qs, half, 0xf6eaddcfbfad9881u, 0x7159453526190d01u, c->q);
        c->scale = cuda_half_at(b->d);
        break;
    }
    default: { // QUANT_MXFP4; doubled, so that they are whole
        const struct block_mxfp4 *b = (const struct block_mxfp4 *)(const void *)row + i;
        cuda_lookup(b->qs, half, 0x0c08060403020100u, 0xf4f8fafcfdfeff00u, c->q);
        c->scale = cuda_mxfp4_scale(b->e);
    }
    }
}

// The G-th sixteen of a row whose blocks are of 256 weights.
CUDA_FN void cuda_codes_256(uint32_t type, const uint8_t *row, int g, struct cuda_codes *c)
{
    int i = g / 16, run = g % 16 / 2, from = g % 2 * 16;
    g %= 16;
    c->min = 0;
    switch (type) {
    case QUANT_Q2_K: {
        const struct block_q2_k *b = (const struct block_q2_k *)(const void *)row + i;
        cuda_pairs(b->qs + run / 4 * 32 + from, run % 4 * 2, c->q);
        c->scale = cuda_half_at(b->d) * (float)(b->scales[g] & 15);
        c->min = cuda_half_at(b->dmin) * (float)(b->scales[g] >> 4);
        break;
    }
    case QUANT_Q3_K:
        cuda_codes_q3_k((const struct block_q3_k *)(const void *)row + i, g, c);
        break;
    case QUANT_Q4_K: {
        const struct block_q4_k *b = (const struct block_q4_k *)(const void *)row + i;
        cuda_nibbles(b->qs + run / 2 * 32 + from, run % 2, 0, c->q);
        cuda_k_scale(b->d, b->dmin, b->scales, run, c);
        break;
    }
    case QUANT_Q5_K:
        cuda_codes_q5_k((const struct block_q5_k *)(const void *)row + i, g, c);
        break;
    case QUANT_Q6_K:
        cuda_codes_q6_k((const struct block_q6_k *)(const void *)row + i, g, c);
        break;
    default: // QUANT_IQ4_XS
        cuda_codes_iq4_xs((const struct block_iq4_xs *)(const void *)row + i, g, c);
    }
}

CUDA_FN float cuda_plain_weight(uint32_t type, const uint8_t *row, int k)
{
    if (type == QUANT_F32)
        return ((const float *)(const void *)row)[k];
    uint16_t v = ((const uint16_t *)(const void *)row)[k];
    return type == QUANT_F16 ? cuda_half_to_float(v) : cuda_float_of((uint32_t)v << 16);
}

// Weights 16 G .. 16 G + 15 of a row of COLS, zeros past its end. ROW lies as the file has it, at a
// multiple of 4 bytes if it is F32, of 2 if it is F16 or BF16.
CUDA_FN void cuda_weights(uint32_t type, const uint8_t *row, int cols, int g, float w[CUDA_GROUP])
{
    struct cuda_codes c;
    switch (type) {
    case QUANT_F32:
    case QUANT_F16:
    case QUANT_BF16:
        for (int j = 0; j < CUDA_GROUP; j++) {
            int k = g * CUDA_GROUP + j;
            w[j] = k < cols ? cuda_plain_weight(type, row, k) : 0;
        }
        return;
    case QUANT_Q2_K:
    case QUANT_Q3_K:
    case QUANT_Q4_K:
    case QUANT_Q5_K:
    case QUANT_Q6_K:
    case QUANT_IQ4_XS:
        cuda_codes_256(type, row, g, &c);
        break;
    default:
        cuda_codes_32(type, row, g, &c);
    }
    for (int j = 0; j < CUDA_GROUP; j++)
        w[j] = cuda_mul_sub(c.scale, (float)c.q[j], c.min);
}

#endif
