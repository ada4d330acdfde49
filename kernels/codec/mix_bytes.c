#include "kernels/codec/mix_bytes.h"

#include <string.h>

#include "kernels/vectors.h"
#ifdef __x86_64__
#include <immintrin.h>
#endif

#include "kernels/tiles.h"
#include "kernels/codec/unroll.h"
#include "kernels/codec/ways.h"

static void mix_plain(const int8_t *q, size_t q_stride, size_t n, size_t n_fours,
                      const uint8_t *rows, size_t width, const int32_t *less, int32_t *out)
{
    for (size_t t = 0; t < n; t++)
        for (size_t d = 0; d < width; d++)
            out[t * width + d] = less[t];
    for (size_t c = 0; c < n_fours; c++, q += q_stride, rows += 4 * width)
        for (size_t t = 0; t < n; t++)
            for (size_t d = 0; d < width; d++)
                for (size_t i = 0; i < 4; i++)
                    out[t * width + d] += q[4 * t + i] * rows[4 * d + i];
}

enum { EIGHT = 8 }; // tokens whose sums are in registers at a time

// Four columns of eight tokens, in vectors that every machine has.
static void four_columns(const int8_t *q, size_t q_stride, size_t n_fours, const uint8_t *rows,
                         size_t width, const int32_t *less, int32_t *out)
{
    ints4 sum[EIGHT];
    for (size_t t = 0; t < EIGHT; t++)
        sum[t] = (ints4){less[t], less[t], less[t], less[t]};
    for (size_t c = 0; c < n_fours; c++) {
        const int8_t *x = q + c * q_stride;
        ints4 all, row[4];
        memcpy(&all, rows + 4 * c * width, sizeof all);
        for (int i = 0; i < 4; i++)
            row[i] = all >> (8 * i) & 255;
        for (size_t t = 0; t < EIGHT; t++)
            sum[t] += row[0] * x[4 * t] + row[1] * x[4 * t + 1] + row[2] * x[4 * t + 2] +
                      row[3] * x[4 * t + 3];
    }
    for (size_t t = 0; t < EIGHT; t++)
        memcpy(out + t * width, &sum[t], sizeof sum[t]);
}

static void mix_fours(const int8_t *q, size_t q_stride, size_t n, size_t n_fours,
                      const uint8_t *rows, size_t width, const int32_t *less, int32_t *out)
{
    for (size_t d = 0; d < width; d += 4)
        for (size_t t = 0; t < n; t += EIGHT)
            four_columns(q + 4 * t, q_stride, n_fours, rows + 4 * d, width, less + t,
                         out + t * width + d);
}

#ifdef __x86_64__
#define AVX2 __attribute__((target("avx2")))
#define VNNI __attribute__((target("avx512f,avx512vnni")))

// Loops over sums, and over rows that are turned.
#define UNROLL   UNROLL_TO(8)
#define UNROLL16 UNROLL_TO(16)

static inline int32_t four_of(const int8_t *q)
{
    int32_t x;
    memcpy(&x, q, sizeof x);
    return x;
}

// Eight columns of eight tokens. Products of a pair are added in 16 bits, which MIX_Q_MAX leaves
// room for.
AVX2 static void eight_columns(const int8_t *q, size_t q_stride, size_t n_fours,
                               const uint8_t *rows, size_t width, const int32_t *less, int32_t *out)
{
    const __m256i one = _mm256_set1_epi16(1);
    __m256i sum[EIGHT];
    UNROLL for (int t = 0; t < EIGHT; t++) sum[t] = _mm256_set1_epi32(less[t]);
    for (size_t c = 0; c < n_fours; c++, q += q_stride, rows += 4 * width) {
        __m256i row = _mm256_loadu_si256((const __m256i *)(const void *)rows);
        UNROLL for (int t = 0; t < EIGHT; t++)
        {
            __m256i two = _mm256_maddubs_epi16(row, _mm256_set1_epi32(four_of(q + 4 * t)));
            sum[t] = _mm256_add_epi32(sum[t], _mm256_madd_epi16(two, one));
        }
    }
    UNROLL for (int t = 0; t < EIGHT; t++)
        _mm256_storeu_si256((__m256i *)(void *)(out + (size_t)t * width), sum[t]);
}

AVX2 static void mix_avx2(const int8_t *q, size_t q_stride, size_t n, size_t n_fours,
                          const uint8_t *rows, size_t width, const int32_t *less, int32_t *out)
{
    for (size_t d = 0; d < width; d += 8)
        for (size_t t = 0; t < n; t += EIGHT)
            eight_columns(q + 4 * t, q_stride, n_fours, rows + 4 * d, width, less + t,
                          out + t * width + d);
}

#define COLUMNS(name, N)                                                                           \
    VNNI static void name(const int8_t *q, size_t q_stride, size_t n_fours, const uint8_t *rows,   \
                          size_t width, const int32_t *less, int32_t *out)                         \
    {                                                                                              \
        __m512i sum[EIGHT][N];                                                                     \
        UNROLL for (int t = 0; t < EIGHT; t++) UNROLL for (int i = 0; i < (N); i++) sum[t][i] =    \
            _mm512_set1_epi32(less[t]);                                                            \
        for (size_t c = 0; c < n_fours; c++, q += q_stride, rows += 4 * width) {                   \
            __m512i row[N];                                                                        \
            UNROLL for (int i = 0; i < (N); i++) row[i] = _mm512_loadu_si512(rows + 64 * i);       \
            UNROLL for (int t = 0; t < EIGHT; t++)                                                 \
            {                                                                                      \
                __m512i x = _mm512_set1_epi32(four_of(q + 4 * t));                                 \
                UNROLL for (int i = 0; i < (N); i++) sum[t][i] =                                   \
                    _mm512_dpbusd_epi32(sum[t][i], row[i], x);                                     \
            }                                                                                      \
        }                                                                                          \
        UNROLL for (int t = 0; t < EIGHT; t++) UNROLL for (int i = 0; i < (N); i++)                \
            _mm512_storeu_si512(out + (size_t)t * width + 16 * i, sum[t][i]);                      \
    }
COLUMNS(columns_16, 1)
COLUMNS(columns_48, 3)

// The outer loop is over columns: their part of the rows stays in the first-level cache while all
// tokens are read.
VNNI static void mix_vnni(const int8_t *q, size_t q_stride, size_t n, size_t n_fours,
                          const uint8_t *rows, size_t width, const int32_t *less, int32_t *out)
{
    size_t d = 0;
    for (; d + 48 <= width; d += 48)
        for (size_t t = 0; t < n; t += EIGHT)
            columns_48(q + 4 * t, q_stride, n_fours, rows + 4 * d, width, less + t,
                       out + t * width + d);
    for (; d < width; d += 16)
        for (size_t t = 0; t < n; t += EIGHT)
            columns_16(q + 4 * t, q_stride, n_fours, rows + 4 * d, width, less + t,
                       out + t * width + d);
}

// Tiles of AMX: C [16][16] sums of tokens, A [16][16][4] their coefficients, B [16][16][4] rows as
// they lie; of the last A and B only as many fours count as there are. Four Cs are made at a time,
// tiles 0 to 3, for a sum takes long before it can be added to again; 4 is A, 5 is B, 6 and 7 the
// last of them.
enum { FOURS = 16, STRIPS = 4 };

#define AMX __attribute__((target("avx512f,amx-tile,amx-int8")))

AMX static void begin_tiles(size_t n_last)
{
    struct tiles config = tiles_whole();
    if (n_last) {
        config.row_bytes[6] = (uint16_t)(4 * n_last);
        config.rows[7] = (uint8_t)n_last;
    }
    tiles_read_whole(&config);
    _tile_loadconfig(&config);
}

// OUT [16][16] from N rows of 16 fours: what is row becomes column, and what is not there zero.
AMX static void turn_tile(const int8_t *q, size_t q_stride, size_t n, int32_t *out)
{
    __m512i x[16], y[16];
    UNROLL16 for (size_t i = 0; i < 16; i++) x[i] =
        i < n ? _mm512_loadu_si512(q + i * q_stride) : _mm512_setzero_si512();
    UNROLL16 for (int i = 0; i < 16; i += 2)
    {
        y[i] = _mm512_unpacklo_epi32(x[i], x[i + 1]);
        y[i + 1] = _mm512_unpackhi_epi32(x[i], x[i + 1]);
    }
    UNROLL16 for (int i = 0; i < 16; i++) x[i] =
        i & 1 ? _mm512_unpackhi_epi64(y[(i & ~3) + (i >> 1 & 1)], y[(i & ~3) + (i >> 1 & 1) + 2])
              : _mm512_unpacklo_epi64(y[(i & ~3) + (i >> 1 & 1)], y[(i & ~3) + (i >> 1 & 1) + 2]);
    // x[4 g + i]: tokens i, i + 4, i + 8, i + 12 of rows 4 g .. 4 g + 3.
    UNROLL16 for (int i = 0; i < 4; i++)
    {
        y[i] = _mm512_shuffle_i32x4(x[i], x[i + 4], 0x88);
        y[i + 4] = _mm512_shuffle_i32x4(x[i], x[i + 4], 0xdd);
        y[i + 8] = _mm512_shuffle_i32x4(x[i + 8], x[i + 12], 0x88);
        y[i + 12] = _mm512_shuffle_i32x4(x[i + 8], x[i + 12], 0xdd);
    }
    UNROLL16 for (int i = 0; i < 4; i++)
    {
        _mm512_storeu_si512(out + 16 * i, _mm512_shuffle_i32x4(y[i], y[i + 8], 0x88));
        _mm512_storeu_si512(out + 16 * (i + 8), _mm512_shuffle_i32x4(y[i], y[i + 8], 0xdd));
        _mm512_storeu_si512(out + 16 * (i + 4), _mm512_shuffle_i32x4(y[i + 4], y[i + 12], 0x88));
        _mm512_storeu_si512(out + 16 * (i + 12), _mm512_shuffle_i32x4(y[i + 4], y[i + 12], 0xdd));
    }
}

#define ADD(c, a, b, rows)                                                                         \
    do {                                                                                           \
        _tile_loadd(b, rows, 4 * width);                                                           \
        _tile_dpbsud(c, a, b);                                                                     \
    } while (0)

// Columns of STRIPS tiles; A as turn_tile leaves it, FIRST what the sums begin with.
AMX static void mix_strips(const int32_t *a, size_t n_fours, const uint8_t *rows, size_t width,
                           const int32_t *first, int32_t *out)
{
    _tile_loadd(0, first, 64);
    _tile_loadd(1, first, 64);
    _tile_loadd(2, first, 64);
    _tile_loadd(3, first, 64);
    for (; n_fours >= FOURS; n_fours -= FOURS, a += 16 * FOURS, rows += 4 * FOURS * width) {
        _tile_loadd(4, a, 64);
        ADD(0, 4, 5, rows);
        ADD(1, 4, 5, rows + 64);
        ADD(2, 4, 5, rows + 128);
        ADD(3, 4, 5, rows + 192);
    }
    if (n_fours) {
        _tile_loadd(6, a, 64);
        ADD(0, 6, 7, rows);
        ADD(1, 6, 7, rows + 64);
        ADD(2, 6, 7, rows + 128);
        ADD(3, 6, 7, rows + 192);
    }
    _tile_stored(0, out, 4 * width);
    _tile_stored(1, out + 16, 4 * width);
    _tile_stored(2, out + 32, 4 * width);
    _tile_stored(3, out + 48, 4 * width);
}

AMX static void mix_strip(const int32_t *a, size_t n_fours, const uint8_t *rows, size_t width,
                          const int32_t *first, int32_t *out)
{
    _tile_loadd(0, first, 64);
    for (; n_fours >= FOURS; n_fours -= FOURS, a += 16 * FOURS, rows += 4 * FOURS * width) {
        _tile_loadd(4, a, 64);
        ADD(0, 4, 5, rows);
    }
    if (n_fours) {
        _tile_loadd(6, a, 64);
        ADD(0, 6, 7, rows);
    }
    _tile_stored(0, out, 4 * width);
}

// All coefficients are transposed before the first tile is loaded from them: loading bytes that
// were stored just before takes long.
AMX static void mix_amx(const int8_t *q, size_t q_stride, size_t n, size_t n_fours,
                        const uint8_t *rows, size_t width, const int32_t *less, int32_t *out)
{
    enum { A = MIX_FOURS_MAX * 16 };
    _Alignas(64) int32_t first[MIX_TOKENS * 16], a[MIX_TOKENS / 16 * A];
    size_t d = 0;
    for (size_t t = 0; t < n; t++)
        _mm512_storeu_si512(first + t * 16, _mm512_set1_epi32(less[t]));
    for (size_t t = 0; t < n; t += 16)
        for (size_t c = 0; c < n_fours; c += FOURS)
            turn_tile(q + c * q_stride + 4 * t, q_stride, n_fours - c < FOURS ? n_fours - c : FOURS,
                      a + t / 16 * A + c * 16);
    begin_tiles(n_fours % FOURS);
    for (; d + 16 * STRIPS <= width; d += 16 * STRIPS)
        for (size_t t = 0; t < n; t += 16)
            mix_strips(a + t / 16 * A, n_fours, rows + 4 * d, width, first + t * 16,
                       out + t * width + d);
    for (; d < width; d += 16)
        for (size_t t = 0; t < n; t += 16)
            mix_strip(a + t / 16 * A, n_fours, rows + 4 * d, width, first + t * 16,
                      out + t * width + d);
    _tile_release();
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
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vnni")) {
        ways[n++] = mix_vnni;
        if (tiles_usable(TILES_INT8))
            ways[n++] = mix_amx;
    }
#endif
    return n;
}

WAYS(mix_bytes, 5)

void mix_bytes(const int8_t *q, size_t q_stride, size_t n, size_t n_fours, const uint8_t *rows,
               size_t width, const int32_t *less, int32_t *out)
{
    best_way()(q, q_stride, n, n_fours, rows, width, less, out);
}
