// Numbers of 16 bits (IEEE 754 binary16) in plain C.
#ifndef LCTOOL_KERNELS_HALF_H
#define LCTOOL_KERNELS_HALF_H

#include <stdint.h>
#include <string.h>

static inline float float_of_bits(uint32_t bits)
{
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

float half_to_float(uint16_t h);
uint16_t half_of_float(float f); // round to nearest even; overflow becomes infinity

#endif
