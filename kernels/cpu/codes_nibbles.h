// Which codes are multiplied as bytes where products are added up in 16 bits: those of four bits,
// of which a block has pairs of 8 * 2 * 15 * 127 at most. Products of eight bits are not faster
// than float32's.
#ifndef LCTOOL_KERNELS_CODES_NIBBLES_H
#define LCTOOL_KERNELS_CODES_NIBBLES_H

#include "kernels/quant.h"

static int codes_offset(uint32_t type)
{
    switch (type) {
    case QUANT_Q4_0:
        return 8;
    case QUANT_Q4_1:
    case QUANT_Q4_K:
        return 0;
    default:
        return -1;
    }
}

#endif
