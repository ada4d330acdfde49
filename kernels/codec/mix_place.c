#include "kernels/codec/mix_place.h"

#ifdef __x86_64__
#include <immintrin.h>
#endif

#include "kernels/codec/ways.h"

static inline const int32_t *sums_of(const struct mix_place *p, size_t t, size_t h)
{
    return p->sum + t * p->sum_stride + h * p->dim;
}

static inline float *row_of(const struct mix_place *p, size_t t, size_t h)
{
    return p->x + (h * p->stride + t) * p->dim;
}

// A row from D on: what is left of it after the last whole vector, or all of it.
static inline void place_rest(const struct mix_place *p, size_t h, const int32_t *sum, size_t d,
                              float *row)
{
    for (; d < p->dim; d++)
        row[d] = p->mean[h * p->dim + d] + p->scale * (float)sum[d];
}

static void place_plain(const struct mix_place *p)
{
    for (size_t h = 0; h < p->heads; h++)
        for (size_t t = 0; t < p->n; t++)
            place_rest(p, h, sums_of(p, t, h), 0, row_of(p, t, h));
}

#ifdef __x86_64__
#define AVX2   __attribute__((target("avx2")))
#define AVX512 __attribute__((target("avx512f")))

AVX2 static void place_avx2(const struct mix_place *p)
{
    const __m256 scale = _mm256_set1_ps(p->scale);
    for (size_t h = 0; h < p->heads; h++)
        for (size_t t = 0; t < p->n; t++) {
            const int32_t *sum = sums_of(p, t, h);
            const float *mean = p->mean + h * p->dim;
            float *row = row_of(p, t, h);
            size_t d = 0;
            for (; d + 8 <= p->dim; d += 8) {
                __m256 y = _mm256_cvtepi32_ps(
                    _mm256_loadu_si256((const __m256i *)(const void *)(sum + d)));
                _mm256_storeu_ps(row + d,
                                 _mm256_add_ps(_mm256_loadu_ps(mean + d), _mm256_mul_ps(y, scale)));
            }
            place_rest(p, h, sum, d, row);
        }
}

AVX512 static void place_avx512(const struct mix_place *p)
{
    const __m512 scale = _mm512_set1_ps(p->scale);
    for (size_t h = 0; h < p->heads; h++)
        for (size_t t = 0; t < p->n; t++) {
            const int32_t *sum = sums_of(p, t, h);
            const float *mean = p->mean + h * p->dim;
            float *row = row_of(p, t, h);
            size_t d = 0;
            for (; d + 16 <= p->dim; d += 16) {
                __m512 y = _mm512_cvtepi32_ps(_mm512_loadu_si512(sum + d));
                _mm512_storeu_ps(row + d,
                                 _mm512_add_ps(_mm512_loadu_ps(mean + d), _mm512_mul_ps(y, scale)));
            }
            place_rest(p, h, sum, d, row);
        }
}
#endif

// Returns how many there are, the best one last.
static int find_ways(mix_place_fn **ways)
{
    int n = 0;
    ways[n++] = place_plain;
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx2"))
        ways[n++] = place_avx2;
    if (__builtin_cpu_supports("avx512f"))
        ways[n++] = place_avx512;
#endif
    return n;
}

WAYS(mix_place, 3)

void mix_place(const struct mix_place *p)
{
    best_way()(p);
}
