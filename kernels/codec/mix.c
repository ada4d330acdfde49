#include "kernels/codec/mix.h"

#include "kernels/codec/unroll.h"
#include "kernels/vectors.h"

#include <stdint.h>
#include <string.h>
#ifdef __x86_64__
#include <immintrin.h>
#endif

enum {
    TOKENS = 4,       // that share the reading of a row
    WIDEST = 64,      // columns of a tile
    TALL_AVX2 = 6,    // tokens of a tile of 16 columns,
    TALL_AVX512 = 12, // and of 32: a multiple of all the others
};

// The columns from FROM on of some tokens, one token after the other.
static void columns(const float *q, size_t n, size_t q_stride, size_t n_rows, const int8_t *rows,
                    size_t width, size_t from, float *out, size_t out_stride)
{
    for (size_t t = 0; t < n; t++)
        for (size_t d = from; d < width; d++) {
            float sum = 0;
            for (size_t c = 0; c < n_rows; c++)
                sum += q[c * q_stride + t] * (float)rows[c * width + d];
            out[t * out_stride + d] = sum;
        }
}

void mix_rows_plain(const float *q, size_t n, size_t q_stride, size_t n_rows, const int8_t *rows,
                    size_t width, float *out, size_t out_stride)
{
    columns(q, n, q_stride, n_rows, rows, width, 0, out, out_stride);
}

// Whether a row adds nothing to any of four tokens. Most do not, at few bits.
static inline int all_zero(const float *q)
{
    uint64_t u[2];
    memcpy(u, q, sizeof u);
    return !(u[0] | u[1]);
}

// Loops over sums.
#define UNROLL UNROLL_TO(12)

// A tile of T tokens by N vectors V of LANES floats, sums kept in registers. SPARSE: four tokens
// that a row adds nothing to are passed over.
#define TILE(name, attr, V, LANES, T, N, SPARSE, ZERO, SET, LOAD, STORE, MUL_ADD)                  \
    attr static void name(const float *q, size_t q_stride, size_t n_rows, const float *rows,       \
                          size_t row_stride, float *out, size_t out_stride, size_t n)              \
    {                                                                                              \
        V sum[T][N];                                                                               \
        UNROLL for (int t = 0; t < (T); t++) UNROLL for (int i = 0; i < (N); i++) sum[t][i] =      \
            ZERO;                                                                                  \
        for (size_t c = 0; c < n_rows; c++, q += q_stride, rows += row_stride) {                   \
            if ((SPARSE) && all_zero(q))                                                           \
                continue;                                                                          \
            V row[N];                                                                              \
            UNROLL for (int i = 0; i < (N); i++) row[i] = LOAD(rows + (LANES)*i);                  \
            UNROLL for (int t = 0; t < (T); t++)                                                   \
            {                                                                                      \
                V x = SET(q[t]);                                                                   \
                UNROLL for (int i = 0; i < (N); i++) sum[t][i] = MUL_ADD(x, row[i], sum[t][i]);    \
            }                                                                                      \
        }                                                                                          \
        UNROLL for (size_t t = 0; t < (T) && t < n; t++) UNROLL for (int i = 0; i < (N); i++)      \
            STORE(out + t * out_stride + (LANES)*i, sum[t][i]);                                    \
    }

#define SET4(x)           ((floats4){(x), (x), (x), (x)})
#define MUL_ADD4(x, y, z) ((x) * (y) + (z))

TILE(tile_any, , floats4, 4, TOKENS, 2, 1, SET4(0), SET4, load_floats4, store_floats4, MUL_ADD4)

#ifdef __x86_64__
#define AVX2   __attribute__((target("avx2,fma")))
#define AVX512 __attribute__((target("avx512f")))

TILE(tile_avx2, AVX2, __m256, 8, TOKENS, 2, 1, _mm256_setzero_ps(), _mm256_set1_ps, _mm256_loadu_ps,
     _mm256_storeu_ps, _mm256_fmadd_ps)
TILE(tile_avx512, AVX512, __m512, 16, TOKENS, 4, 1, _mm512_setzero_ps(), _mm512_set1_ps,
     _mm512_loadu_ps, _mm512_storeu_ps, _mm512_fmadd_ps)
// These have fewer columns and more tokens, so that the part of the rows that they read stays in
// the first-level cache from one tile to the next.
TILE(tall_avx2, AVX2, __m256, 8, TALL_AVX2, 2, 0, _mm256_setzero_ps(), _mm256_set1_ps,
     _mm256_loadu_ps, _mm256_storeu_ps, _mm256_fmadd_ps)
TILE(tall_avx512, AVX512, __m512, 16, TALL_AVX512, 2, 0, _mm512_setzero_ps(), _mm512_set1_ps,
     _mm512_loadu_ps, _mm512_storeu_ps, _mm512_fmadd_ps)
TILE(short_avx512, AVX512, __m512, 16, TOKENS, 2, 0, _mm512_setzero_ps(), _mm512_set1_ps,
     _mm512_loadu_ps, _mm512_storeu_ps, _mm512_fmadd_ps)
#endif

typedef void tile_fn(const float *q, size_t q_stride, size_t n_rows, const float *rows,
                     size_t row_stride, float *out, size_t out_stride, size_t n);

// WIDE columns of the rows, as floats that lie together.
typedef void widen_fn(const int8_t *rows, size_t n_rows, size_t width, size_t wide, float *out);

static void widen_any(const int8_t *rows, size_t n_rows, size_t width, size_t wide, float *out)
{
    for (size_t c = 0; c < n_rows; c++)
        for (size_t d = 0; d < wide; d++)
            *out++ = rows[c * width + d];
}

#ifdef __x86_64__
AVX2 static void widen_avx2(const int8_t *rows, size_t n_rows, size_t width, size_t wide,
                            float *out)
{
    for (size_t c = 0; c < n_rows; c++, rows += width)
        for (size_t d = 0; d < wide; d += 8, out += 8) {
            __m128i b = _mm_loadl_epi64((const __m128i *)(const void *)(rows + d));
            _mm256_storeu_ps(out, _mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(b)));
        }
}
#endif

// All tiles that are WIDE columns, from column FROM on; returns where they end.
static size_t tiles(tile_fn *tile, widen_fn *widen, size_t wide, const float *q, size_t n,
                    size_t q_stride, size_t n_rows, const int8_t *rows, size_t width, size_t from,
                    float *out, size_t out_stride)
{
    _Alignas(64) float panel[MIX_ROWS_MAX * WIDEST];
    for (; from + wide <= width; from += wide) {
        widen(rows + from, n_rows, width, wide, panel);
        for (size_t t = 0; t < n; t += TOKENS)
            tile(q + t, q_stride, n_rows, panel, wide, out + t * out_stride + from, out_stride,
                 n - t);
    }
    return from;
}

void mix_rows(const float *q, size_t n, size_t q_stride, size_t n_rows, const int8_t *rows,
              size_t width, float *out, size_t out_stride)
{
    size_t done = 0;
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx512f"))
        done = tiles(tile_avx512, widen_avx2, WIDEST, q, n, q_stride, n_rows, rows, width, 0, out,
                     out_stride);
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        done = tiles(tile_avx2, widen_avx2, 16, q, n, q_stride, n_rows, rows, width, done, out,
                     out_stride);
#endif
    done =
        tiles(tile_any, widen_any, 8, q, n, q_stride, n_rows, rows, width, done, out, out_stride);
    columns(q, n, q_stride, n_rows, rows, width, done, out, out_stride);
}

// Tiles of WIDE columns: those of HIGH tokens, in twelves, and of TOKENS where fewer are left. So
// tokens that are read together never begin with one that is not a multiple of HIGH or of TOKENS.
struct shape {
    size_t wide, high;
    tile_fn *tall, *rest;
};

// All of them from column FROM on; returns where they end.
static size_t float_tiles(struct shape s, const float *q, size_t n, size_t q_stride, size_t n_rows,
                          const float *rows, size_t row_stride, size_t width, size_t from,
                          float *out, size_t out_stride)
{
    for (; from + s.wide <= width; from += s.wide) {
        size_t t = 0;
        for (size_t end = n / TALL_AVX512 * TALL_AVX512; t < end; t += s.high)
            s.tall(q + t, q_stride, n_rows, rows + from, row_stride, out + t * out_stride + from,
                   out_stride, s.high);
        for (; t < n; t += TOKENS)
            s.rest(q + t, q_stride, n_rows, rows + from, row_stride, out + t * out_stride + from,
                   out_stride, n - t);
    }
    return from;
}

void mix_floats(const float *q, size_t n, size_t q_stride, size_t n_rows, const float *rows,
                size_t row_stride, size_t width, float *out, size_t out_stride)
{
    size_t done = 0;
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx512f"))
        done = float_tiles((struct shape){32, TALL_AVX512, tall_avx512, short_avx512}, q, n,
                           q_stride, n_rows, rows, row_stride, width, 0, out, out_stride);
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        done = float_tiles((struct shape){16, TALL_AVX2, tall_avx2, tile_avx2}, q, n, q_stride,
                           n_rows, rows, row_stride, width, done, out, out_stride);
#endif
    float_tiles((struct shape){8, TOKENS, tile_any, tile_any}, q, n, q_stride, n_rows, rows,
                row_stride, width, done, out, out_stride);
}
