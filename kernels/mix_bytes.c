#include "kernels/mix_bytes.h"

#include <string.h>
#ifdef __x86_64__
#include <immintrin.h>
#endif

static void mix_plain(const int8_t *q, size_t q_stride, size_t n_fours, const uint8_t *rows,
                      size_t width, const int32_t *less, int32_t *out)
{
    for (size_t t = 0; t < MIX_TOKENS; t++)
        for (size_t d = 0; d < width; d++)
            out[t * width + d] = less[t];
    for (size_t c = 0; c < n_fours; c++, q += q_stride, rows += 4 * width)
        for (size_t t = 0; t < MIX_TOKENS; t++)
            for (size_t d = 0; d < width; d++)
                for (size_t i = 0; i < 4; i++)
                    out[t * width + d] += q[4 * t + i] * rows[4 * d + i];
}

typedef int32_t four __attribute__((vector_size(16)));

// Four columns at a time, as every machine with vectors can.
static void mix_fours(const int8_t *q, size_t q_stride, size_t n_fours, const uint8_t *rows,
                      size_t width, const int32_t *less, int32_t *out)
{
    for (size_t d = 0; d < width; d += 4) {
        four sum[MIX_TOKENS];
        for (size_t t = 0; t < MIX_TOKENS; t++)
            sum[t] = (four){less[t], less[t], less[t], less[t]};
        for (size_t c = 0; c < n_fours; c++) {
            const int8_t *x = q + c * q_stride;
            four all, row[4];
            memcpy(&all, rows + (c * width + d) * 4, sizeof all);
            for (int i = 0; i < 4; i++)
                row[i] = all >> (8 * i) & 255;
            for (size_t t = 0; t < MIX_TOKENS; t++)
                sum[t] += row[0] * x[4 * t] + row[1] * x[4 * t + 1] + row[2] * x[4 * t + 2] +
                          row[3] * x[4 * t + 3];
        }
        for (size_t t = 0; t < MIX_TOKENS; t++)
            memcpy(out + t * width + d, &sum[t], sizeof sum[t]);
    }
}

#ifdef __x86_64__
#define AVX2 __attribute__((target("avx2")))
#define VNNI __attribute__((target("avx512f,avx512vnni")))

// The sums stay in registers only where the loops over them are gone.
#ifdef __clang__
#define UNROLL _Pragma("clang loop unroll(full)")
#else
#define UNROLL _Pragma("GCC unroll 8")
#endif

static inline int32_t four_of(const int8_t *q)
{
    int32_t x;
    memcpy(&x, q, sizeof x);
    return x;
}

// Eight columns. Products of a pair are added in 16 bits, which MIX_Q_MAX leaves room for.
AVX2 static void eight_columns(const int8_t *q, size_t q_stride, size_t n_fours,
                               const uint8_t *rows, size_t width, const int32_t *less, int32_t *out)
{
    const __m256i one = _mm256_set1_epi16(1);
    __m256i sum[MIX_TOKENS];
    UNROLL for (int t = 0; t < MIX_TOKENS; t++) sum[t] = _mm256_set1_epi32(less[t]);
    for (size_t c = 0; c < n_fours; c++, q += q_stride, rows += 4 * width) {
        __m256i row = _mm256_loadu_si256((const __m256i *)(const void *)rows);
        UNROLL for (int t = 0; t < MIX_TOKENS; t++)
        {
            __m256i two = _mm256_maddubs_epi16(row, _mm256_set1_epi32(four_of(q + 4 * t)));
            sum[t] = _mm256_add_epi32(sum[t], _mm256_madd_epi16(two, one));
        }
    }
    UNROLL for (int t = 0; t < MIX_TOKENS; t++)
        _mm256_storeu_si256((__m256i *)(void *)(out + (size_t)t * width), sum[t]);
}

AVX2 static void mix_avx2(const int8_t *q, size_t q_stride, size_t n_fours, const uint8_t *rows,
                          size_t width, const int32_t *less, int32_t *out)
{
    for (size_t d = 0; d < width; d += 8)
        eight_columns(q, q_stride, n_fours, rows + 4 * d, width, less, out + d);
}

#define COLUMNS(name, N)                                                                           \
    VNNI static void name(const int8_t *q, size_t q_stride, size_t n_fours, const uint8_t *rows,   \
                          size_t width, const int32_t *less, int32_t *out)                         \
    {                                                                                              \
        __m512i sum[MIX_TOKENS][N];                                                                \
        UNROLL for (int t = 0; t < MIX_TOKENS; t++) UNROLL for (int i = 0; i < (N); i++)           \
            sum[t][i] = _mm512_set1_epi32(less[t]);                                                \
        for (size_t c = 0; c < n_fours; c++, q += q_stride, rows += 4 * width) {                   \
            __m512i row[N];                                                                        \
            UNROLL for (int i = 0; i < (N); i++) row[i] = _mm512_loadu_si512(rows + 64 * i);       \
            UNROLL for (int t = 0; t < MIX_TOKENS; t++)                                            \
            {                                                                                      \
                __m512i x = _mm512_set1_epi32(four_of(q + 4 * t));                                 \
                UNROLL for (int i = 0; i < (N); i++) sum[t][i] =                                   \
                    _mm512_dpbusd_epi32(sum[t][i], row[i], x);                                     \
            }                                                                                      \
        }                                                                                          \
        UNROLL for (int t = 0; t < MIX_TOKENS; t++) UNROLL for (int i = 0; i < (N); i++)           \
            _mm512_storeu_si512(out + (size_t)t * width + 16 * i, sum[t][i]);                      \
    }
COLUMNS(columns_16, 1)
COLUMNS(columns_48, 3)

VNNI static void mix_vnni(const int8_t *q, size_t q_stride, size_t n_fours, const uint8_t *rows,
                          size_t width, const int32_t *less, int32_t *out)
{
    size_t d = 0;
    for (; d + 48 <= width; d += 48)
        columns_48(q, q_stride, n_fours, rows + 4 * d, width, less, out + d);
    for (; d < width; d += 16)
        columns_16(q, q_stride, n_fours, rows + 4 * d, width, less, out + d);
}
#endif

// Returns how many there are, the best one last.
static int find_ways(mix_bytes_fn **ways)
{
    int n = 0;
    ways[n++] = mix_plain;
    ways[n++] = mix_fours;
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx2"))
        ways[n++] = mix_avx2;
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vnni"))
        ways[n++] = mix_vnni;
#endif
    return n;
}

mix_bytes_fn *mix_bytes_way(int i)
{
    mix_bytes_fn *ways[4];
    return i < find_ways(ways) ? ways[i] : NULL;
}

void mix_bytes(const int8_t *q, size_t q_stride, size_t n_fours, const uint8_t *rows, size_t width,
               const int32_t *less, int32_t *out)
{
    mix_bytes_fn *ways[4];
    int n = find_ways(ways);
    ways[n - 1](q, q_stride, n_fours, rows, width, less, out);
}
