#include "cache/narrow.h"

#include <math.h>
#include <string.h>

#include "kernels/vectors.h"

enum { LEVELS = 15, MOST = 127 }; // of a symbol; of an element

// The largest magnitude, or -1 if an element is infinite or not a number.
static float largest(const float *x, size_t n)
{
    float most = 0;
    int bad = 0;
    for (size_t i = 0; i < n; i++) {
        const float a = fabsf(x[i]);
        bad |= !(a <= 0x1p120f);
        most = a > most ? a : most;
    }
    return bad ? -1 : most;
}

int narrow_make(const float *x, uint32_t n, uint32_t dim, float *scale, uint8_t *bounds,
                uint8_t *symbols)
{
    const float most = largest(x, (size_t)n * dim);
    if (most < 0)
        return -1;
    *scale = most >= 0x1p-110f ? most / MOST : 0;
    const float inverse = *scale > 0 ? 1 / *scale : 0;
    memset(symbols, 0, (size_t)n * (dim / 2));
    for (uint32_t d = 0; d < dim; d++) {
        float low = n ? x[d] : 0, high = low;
        for (uint32_t i = 1; i < n; i++) {
            const float y = x[(size_t)i * dim + d];
            low = y < low ? y : low;
            high = y > high ? y : high;
        }
        const float least = roundf(low * inverse), range = roundf(high * inverse) - least;
        const float times = range > 0 ? LEVELS / range : 0;
        bounds[2 * d] = (uint8_t)(int8_t)least;
        bounds[2 * d + 1] = (uint8_t)range;
        for (uint32_t i = 0; i < n; i++) {
            const float s = (x[(size_t)i * dim + d] * inverse - least) * times + 0.5f;
            const unsigned symbol = s > LEVELS ? LEVELS : s > 0 ? (unsigned)s : 0;
            symbols[(size_t)i * (dim / 2) + d / 2] |= (uint8_t)(symbol << 4 * (d % 2));
        }
    }
    return 0;
}

// An element is least + range s / 15, rounded; halves do not occur.
static inline int8_t element(const uint8_t *bounds, unsigned symbol)
{
    return (int8_t)((int8_t)bounds[0] + (uint16_t)(bounds[1] * symbol + LEVELS / 2) / LEVELS);
}

// The same for sixteen dimensions at once. x / 15 is 17 x / 255, and y / 255, for an integer y
// below 2^16 - 1, is (y + 1 + y / 256) / 256.
static inline bytes16 sixteen(bytes16 least, const words8 range[2], bytes16 symbol)
{
    bytes16 half[2], both;
    zip_bytes16(symbol, (bytes16){0}, half);
    words8 x[2];
    for (int i = 0; i < 2; i++) {
        const words8 y = ((words8)half[i] * range[i] + LEVELS / 2) * 17;
        x[i] = (y + 1 + (y >> 8)) >> 8;
    }
    both = __builtin_shufflevector((bytes16)x[0], (bytes16)x[1], 0, 2, 4, 6, 8, 10, 12, 14, 16, 18,
                                   20, 22, 24, 26, 28, 30);
    return least + both;
}

// Expands dimensions FROM to FROM + 31 of all vectors.
static void expand_thirty_two(const uint8_t *bounds, const uint8_t *symbols, size_t n, uint32_t dim,
                              uint32_t from, int8_t *out)
{
    bytes16 least[2];
    words8 range[2][2];
    for (uint32_t d = 0; d < 32; d++) {
        least[d / 16][d % 16] = bounds[2 * (from + d)];
        range[d / 16][d / 8 % 2][d % 8] = bounds[2 * (from + d) + 1];
    }
    for (size_t i = 0; i < n; i++) {
        const bytes16 both = load_bytes16(symbols + i * (dim / 2) + from / 2);
        bytes16 one[2];
        zip_bytes16(both & 15, both >> 4, one);
        for (int j = 0; j < 2; j++) {
            const bytes16 x = sixteen(least[j], range[j], one[j]);
            memcpy(out + i * dim + from + 16 * j, &x, sizeof x);
        }
    }
}

void narrow_expand(const uint8_t *bounds, const uint8_t *symbols, size_t n, uint32_t dim,
                   int8_t *out)
{
    const uint32_t whole = dim / 32 * 32;
    for (uint32_t d = 0; d < whole; d += 32)
        expand_thirty_two(bounds, symbols, n, dim, d, out);
    for (size_t i = 0; i < n; i++)
        for (uint32_t d = whole; d < dim; d++)
            out[i * dim + d] =
                element(bounds + 2 * d, symbols[i * (dim / 2) + d / 2] >> 4 * (d % 2) & 15);
}

int narrow_ok(const uint8_t *bounds, uint32_t dim)
{
    int ok = 1;
    for (uint32_t d = 0; d < dim; d++) {
        const int least = (int8_t)bounds[2 * d];
        ok &= least >= -MOST && least + bounds[2 * d + 1] <= MOST;
    }
    return ok;
}
