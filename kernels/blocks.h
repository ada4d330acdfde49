// The block layouts of GGUF's weight types, as they lie in the file. Half-precision numbers are
// byte pairs because a file's data may start at any address.
#ifndef LCTOOL_KERNELS_BLOCKS_H
#define LCTOOL_KERNELS_BLOCKS_H

#include <assert.h>
#include <stdint.h>
#include <string.h>

#define BLOCK_SUPER 256 // weights in a super-block of the K types

struct block_q4_0 {
    uint8_t d[2];
    uint8_t qs[16]; // low nibbles: weights 0..15, high nibbles: 16..31; likewise below
};

struct block_q4_1 {
    uint8_t d[2], m[2];
    uint8_t qs[16];
};

struct block_q5_0 {
    uint8_t d[2];
    uint8_t qh[4]; // bit i: the fifth bit of weight i
    uint8_t qs[16];
};

struct block_q5_1 {
    uint8_t d[2], m[2];
    uint8_t qh[4];
    uint8_t qs[16];
};

struct block_q8_0 {
    uint8_t d[2];
    int8_t qs[32];
};

struct block_q2_k {
    uint8_t scales[16]; // low nibble: scale, high nibble: minimum, per 16 weights
    uint8_t qs[64];
    uint8_t d[2], dmin[2];
};

struct block_q3_k {
    uint8_t hmask[32];
    uint8_t qs[64];
    uint8_t scales[12]; // 16 of 6 bits
    uint8_t d[2];
};

struct block_q4_k {
    uint8_t d[2], dmin[2];
    uint8_t scales[12]; // 8 scales and 8 minima of 6 bits
    uint8_t qs[128];
};

struct block_q5_k {
    uint8_t d[2], dmin[2];
    uint8_t scales[12];
    uint8_t qh[32];
    uint8_t qs[128];
};

struct block_q6_k {
    uint8_t ql[128];
    uint8_t qh[64];
    int8_t scales[16];
    uint8_t d[2];
};

struct block_iq4_nl {
    uint8_t d[2];
    uint8_t qs[16];
};

struct block_iq4_xs {
    uint8_t d[2];
    uint8_t scales_h[2];
    uint8_t scales_l[4];
    uint8_t qs[128];
};

struct block_mxfp4 {
    uint8_t e; // exponent of two, bias 128 against the doubled values it multiplies
    uint8_t qs[16];
};

static_assert(sizeof(struct block_q4_0) == 18, "Q4_0");
static_assert(sizeof(struct block_q4_1) == 20, "Q4_1");
static_assert(sizeof(struct block_q5_0) == 22, "Q5_0");
static_assert(sizeof(struct block_q5_1) == 24, "Q5_1");
static_assert(sizeof(struct block_q8_0) == 34, "Q8_0");
static_assert(sizeof(struct block_q2_k) == 84, "Q2_K");
static_assert(sizeof(struct block_q3_k) == 110, "Q3_K");
static_assert(sizeof(struct block_q4_k) == 144, "Q4_K");
static_assert(sizeof(struct block_q5_k) == 176, "Q5_K");
static_assert(sizeof(struct block_q6_k) == 210, "Q6_K");
static_assert(sizeof(struct block_iq4_nl) == 18, "IQ4_NL");
static_assert(sizeof(struct block_iq4_xs) == 136, "IQ4_XS");
static_assert(sizeof(struct block_mxfp4) == 17, "MXFP4");

static inline uint16_t block_u16(const uint8_t b[2])
{
    return (uint16_t)(b[0] | b[1] << 8);
}

// Scale and minimum of the J-th 32 weights of a Q4_K or Q5_K super-block.
static inline void block_k_scale(const uint8_t s[12], int j, int *scale, int *min)
{
    if (j < 4) {
        *scale = s[j] & 63;
        *min = s[j + 4] & 63;
    } else {
        *scale = (s[j + 4] & 15) | (s[j - 4] >> 6) << 4;
        *min = s[j + 4] >> 4 | (s[j] >> 6) << 4;
    }
}

#endif
