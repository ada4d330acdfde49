// Codec 2 of kvz.5: rows rotated by a Hadamard matrix, few bits, groups described in 16 bits.
// Shared by its reader and its writer.
//
// The rotation spreads outliers of a few dimensions over all of them, so that a group needs only a
// minimum and a step (QuaRot, arXiv 2404.00456). Keys are in groups per channel, values in groups
// per token (KIVI, arXiv 2402.02750).
#ifndef LCTOOL_CACHE_ROTATED_H
#define LCTOOL_CACHE_ROTATED_H

#include "cache/codec.h"

enum { ROTATED_PACKED = 1, ROTATED_HEAD = 16 };

// How the groups of the keys, or of the values, are stored: group i has the minimum least + spread
// * low[i] and the step largest * rotated_step_part(step[i]).
struct rotated_scale {
    float least, spread, largest;
};

struct rotated_part {   // keys or values
    size_t n_groups, n; // groups, elements
    unsigned bits;
    size_t code_off[2]; // of the codes for minima and steps, in the payload
    size_t symbol_off;
};

struct rotated_layout {
    struct rotated_part k, v;
    size_t codes, payload; // bytes
};

// Widths of the planes of a symbol: the high bits first, because deflate can compress these.
struct rotated_planes {
    uint8_t bits, n, width[3];
};

// NULL: no symbols have so many bits.
const struct rotated_planes *rotated_planes_of(unsigned bits);

static inline size_t rotated_plane_bytes(size_t n, unsigned width)
{
    return (n + 8 / width - 1) / (8 / width);
}

struct rotated_layout rotated_lay_out(const struct codec_shape *s, unsigned k_bits,
                                      unsigned v_bits);

// A step as a share of the largest: 0, or four bits of exponent and four of mantissa.
static inline float rotated_step_part(uint8_t code)
{
    return code ? (float)((16u + (code & 15)) << (code >> 4)) * 0x1p-20f : 0;
}

int rotated_encode(const struct codec_shape *s, struct packer *p, const float *k, const float *v,
                   uint32_t stride, uint8_t *out, uint64_t *bytes, struct err *e);

#endif
