#include "kernels/half.h"

#include <string.h>

static uint32_t bits_of(float f)
{
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}

float half_to_float(uint16_t h)
{
    uint32_t sign = (uint32_t)(h & 0x8000) << 16;
    uint32_t exponent = h >> 10 & 31;
    uint32_t fraction = h & 1023;
    if (exponent == 31)
        return float_of_bits(sign | 0x7f800000 | fraction << 13);
    if (exponent)
        return float_of_bits(sign | (exponent + 112) << 23 | fraction << 13);
    float f = (float)fraction * 0x1p-24f;
    return sign ? -f : f;
}

uint16_t half_of_float(float f)
{
    uint32_t bits = bits_of(f);
    uint16_t sign = (uint16_t)(bits >> 16 & 0x8000);
    uint32_t rest = bits & 0x7fffffff;
    if (rest > 0x7f800000)
        return sign | 0x7e00;
    if (rest >= 0x477ff000) // 65520: the half way to the number after the largest
        return sign | 0x7c00;
    if (rest < 0x38800000) { // below the smallest normal half: the addition rounds it
        float magic = float_of_bits(rest) + 0.5f;
        return sign | (uint16_t)(bits_of(magic) - bits_of(0.5f));
    }
    uint32_t odd = rest >> 13 & 1;
    return sign | (uint16_t)((rest + 0xfff + odd - (112u << 23)) >> 13);
}
