// The largest size of a row of floats, by fix_most and fix_most_of, which are defined before this
// header is included.
#ifndef LCTOOL_KERNELS_CPU_LARGEST_H
#define LCTOOL_KERNELS_CPU_LARGEST_H

// The largest |x| of N numbers, a multiple of VW: infinite or no number where one of them is.
static inline float largest_size(const float *x, size_t n)
{
    vi most = vi_zero();
#pragma GCC unroll 4
    for (size_t i = 0; i < n; i += VW)
        most = fix_most(most, v_load(x + i));
    uint32_t bits = fix_most_of(most);
    float size;
    memcpy(&size, &bits, sizeof size);
    return size;
}

#endif
