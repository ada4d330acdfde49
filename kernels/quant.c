// Dequantisation of every weight type in plain C: exact, and the judge of the vector versions.
#include "kernels/quant.h"

#include <string.h>

#include "kernels/codes.h"

static void from_f32(const void *src, float *dst, size_t n)
{
    memcpy(dst, src, n * sizeof *dst);
}

static void from_f16(const void *src, float *dst, size_t n)
{
    const uint8_t *s = src;
    for (size_t i = 0; i < n; i++)
        dst[i] = codes_half(s + 2 * i);
}

static void from_bf16(const void *src, float *dst, size_t n)
{
    const uint8_t *s = src;
    for (size_t i = 0; i < n; i++)
        dst[i] = float_of_bits((uint32_t)block_u16(s + 2 * i) << 16);
}

// N weights in blocks of BLOCK weights and BYTES bytes.
static void from_codes(uint32_t type, int block, size_t bytes, const uint8_t *src, float *dst,
                       size_t n)
{
    for (size_t i = 0; i < n / (size_t)block; i++, src += bytes, dst += block) {
        struct codes c;
        codes_of(type, src, &c);
        for (int j = 0; j < block; j++)
            dst[j] = c.scale[j / 16] * (float)c.q[j] - c.min[j / 16];
    }
}

#define FROM(name, type, block)                                                                    \
    static void from_##name(const void *src, float *dst, size_t n)                                 \
    {                                                                                              \
        from_codes(type, block, sizeof(struct block_##name), src, dst, n);                         \
    }
FROM(q4_0, QUANT_Q4_0, 32)
FROM(q4_1, QUANT_Q4_1, 32)
FROM(q5_0, QUANT_Q5_0, 32)
FROM(q5_1, QUANT_Q5_1, 32)
FROM(q8_0, QUANT_Q8_0, 32)
FROM(q2_k, QUANT_Q2_K, BLOCK_SUPER)
FROM(q3_k, QUANT_Q3_K, BLOCK_SUPER)
FROM(q4_k, QUANT_Q4_K, BLOCK_SUPER)
FROM(q5_k, QUANT_Q5_K, BLOCK_SUPER)
FROM(q6_k, QUANT_Q6_K, BLOCK_SUPER)
FROM(iq4_nl, QUANT_IQ4_NL, 32)
FROM(iq4_xs, QUANT_IQ4_XS, BLOCK_SUPER)
FROM(mxfp4, QUANT_MXFP4, 32)

static const struct quant quants[] = {
    {QUANT_F32, "F32", 1, 4, from_f32},
    {QUANT_F16, "F16", 1, 2, from_f16},
    {QUANT_BF16, "BF16", 1, 2, from_bf16},
    {QUANT_Q8_0, "Q8_0", 32, sizeof(struct block_q8_0), from_q8_0},
    {QUANT_Q4_0, "Q4_0", 32, sizeof(struct block_q4_0), from_q4_0},
    {QUANT_Q4_1, "Q4_1", 32, sizeof(struct block_q4_1), from_q4_1},
    {QUANT_Q5_0, "Q5_0", 32, sizeof(struct block_q5_0), from_q5_0},
    {QUANT_Q5_1, "Q5_1", 32, sizeof(struct block_q5_1), from_q5_1},
    {QUANT_Q2_K, "Q2_K", BLOCK_SUPER, sizeof(struct block_q2_k), from_q2_k},
    {QUANT_Q3_K, "Q3_K", BLOCK_SUPER, sizeof(struct block_q3_k), from_q3_k},
    {QUANT_Q4_K, "Q4_K", BLOCK_SUPER, sizeof(struct block_q4_k), from_q4_k},
    {QUANT_Q5_K, "Q5_K", BLOCK_SUPER, sizeof(struct block_q5_k), from_q5_k},
    {QUANT_Q6_K, "Q6_K", BLOCK_SUPER, sizeof(struct block_q6_k), from_q6_k},
    {QUANT_IQ4_NL, "IQ4_NL", 32, sizeof(struct block_iq4_nl), from_iq4_nl},
    {QUANT_IQ4_XS, "IQ4_XS", BLOCK_SUPER, sizeof(struct block_iq4_xs), from_iq4_xs},
    {QUANT_MXFP4, "MXFP4", 32, sizeof(struct block_mxfp4), from_mxfp4},
};

const struct quant *quant_at(size_t i)
{
    return i < sizeof quants / sizeof *quants ? &quants[i] : NULL;
}

const struct quant *quant_find(uint32_t type)
{
    for (size_t i = 0; i < sizeof quants / sizeof *quants; i++)
        if (quants[i].type == type)
            return &quants[i];
    return NULL;
}

uint64_t quant_bytes(uint32_t type, uint64_t n)
{
    const struct quant *q = quant_find(type);
    if (!q || n % (uint64_t)q->block || n / (uint64_t)q->block > UINT64_MAX / (uint64_t)q->bytes)
        return 0;
    return n / (uint64_t)q->block * (uint64_t)q->bytes;
}
