// Products of many rows of x with weights whose codes have more than four bits, for AVX2 without
// VNNI: sums of such codes times bytes have no room in 16 bits, so x is rounded to 16 bits, the
// codes are widened to as many, and pairs are multiplied and added up. That takes as many
// instructions as float32, but half of them are additions, which have more ports.
//
// A weight is d * u + m, an activation e * q with q in -32767 .. 32767, as in
// kernels/cpu/int_matmul.h.
#ifndef LCTOOL_KERNELS_CPU_AVX2_WORDS_H
#define LCTOOL_KERNELS_CPU_AVX2_WORDS_H

#include "kernels/cpu/avx2_matmul.h"
#include "kernels/cpu/fix_avx2.h"

enum {
    WORD_MOST = 32767,
    HALF = BLOCK / 2,      // weights: what some types have a scale for
    HALF_PAIRS = HALF / 2, // pairs of a row in it, a vector of them
};

// ---- Activations

// N numbers of each of M rows, from AT on: pairs [n / 2][m] to X.
INLINE void round_words(size_t n, const float *const *row, size_t at, size_t m, int32_t *x,
                        float *e, float *sum)
{
    for (size_t i = 0; i < m; i++) {
        const float *from = row[i] + at;
        vi total = vi_zero();
        int32_t pairs[BLOCK / 2];
        float most = largest_size(from, n);
        vf back = v_set1(most == 0 ? 0 : WORD_MOST / most);
#pragma GCC unroll 4
        for (size_t k = 0; k < n; k += VW) {
            vi whole = _mm256_cvtps_epi32(v_load(from + k) * back);
            total = _mm256_add_epi32(total, whole);
            __m128i words =
                _mm_packs_epi32(_mm256_castsi256_si128(whole), _mm256_extracti128_si256(whole, 1));
            _mm_storeu_si128((__m128i *)(void *)(pairs + k / 2), words);
        }
        for (size_t g = 0; g < n / 2; g++)
            x[g * m + i] = pairs[g];
        e[i] = most / WORD_MOST;
        sum[i] = e[i] * (float)vi_sum(total);
    }
}

static void round_blocks(const float *const *row, size_t at, size_t m, int32_t *x, float *e,
                         float *sum)
{
    round_words(BLOCK, row, at, m, x, e, sum);
}

static void round_halves(const float *const *row, size_t at, size_t m, int32_t *x, float *e,
                         float *sum)
{
    round_words(HALF, row, at, m, x, e, sum);
}

// ---- Weights

// Half a block, the I-th of a panel, of VW rows: Q[i] the codes of row i.
INLINE void put_words(const struct panel *panel, size_t i, size_t at, const int8_t *const *q)
{
    vf r[VW];
#pragma GCC unroll 8
    for (int row = 0; row < VW; row++)
        r[row] = _mm256_castsi256_ps(
            _mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *)(const void *)q[row])));
    v_transpose(r);
#pragma GCC unroll 8
    for (size_t g = 0; g < HALF_PAIRS; g++)
        v_store((float *)(void *)(panel->u + ((i * HALF_PAIRS + g) * TILE_N + at) * 4), r[g]);
}

// The VW rows of W from ROW on to those of the panel from AT on, a scale for each STEP weights.
INLINE void fill_words(size_t step, const struct panel *panel, const struct mat *w, size_t row,
                       size_t at)
{
    const struct quant *type = quant_find(w->type);
    size_t rows = (size_t)w->rows, n = (size_t)type->block,
           row_bytes = (size_t)quant_bytes(w->type, (uint64_t)w->cols);
    const uint8_t *src[VW];
    struct codes c[VW];
    for (size_t i = 0; i < VW; i++)
        src[i] = (const uint8_t *)w->data + (row + i < rows ? row + i : rows - 1) * row_bytes;
    for (size_t k = 0; k < (size_t)w->cols; k += n) {
        for (size_t i = 0; i < VW; i++, src[i - 1] += type->bytes)
            codes_of(w->type, src[i], &c[i]);
        for (size_t j = 0; j < n; j += HALF) {
            const int8_t *q[VW];
            for (size_t i = 0; i < VW; i++)
                q[i] = c[i].q + j;
            put_words(panel, (k + j) / HALF, at, q);
        }
        for (size_t j = 0; j < n; j += step)
            for (size_t i = 0; i < VW; i++) {
                panel->d[(k + j) / step * TILE_N + at + i] = c[i].scale[j / HALF];
                panel->m[(k + j) / step * TILE_N + at + i] = -c[i].min[j / HALF];
            }
    }
}

// Of each four bytes with a sign the first two, or the last two, as 16 bits.
INLINE vi pair_of(vi fours, int last)
{
    vi two = last ? _mm256_srli_epi32(fours, 16) : fours;
    vi even = _mm256_srai_epi16(_mm256_slli_epi16(two, 8), 8);
    return fix_pairs(even, _mm256_srai_epi16(two, 8));
}

// Of packed weights of eight bits.
static void fill_packed(const struct panel *panel, const struct mat *w, size_t row, size_t at)
{
    size_t bytes = panel_block_bytes(QUANT_Q8_0), blocks = (size_t)w->cols / BLOCK;
    const uint8_t *src = panels_at(w, (int)row);
    uint8_t *to = panel->u + at * 4;
    for (size_t b = 0; b < blocks; b++, src += bytes) {
        struct panel_block k = panel_block(QUANT_Q8_0, src);
        v_store(panel->d + b * TILE_N + at, k.d);
        v_store(panel->m + b * TILE_N + at, v_set1(0));
        for (int g = 0; g < FOURS; g++, to += 8 * TILE_N) {
            vi fours = panel_codes(QUANT_Q8_0, k.codes, g);
            vi_store(to, pair_of(fours, 0));
            vi_store(to + 4 * TILE_N, pair_of(fours, 1));
        }
    }
}

static void fill_blocks(const struct panel *panel, const struct mat *w, size_t row, size_t at)
{
    if (w->packed)
        fill_packed(panel, w, row, at);
    else
        fill_words(BLOCK, panel, w, row, at);
}

static void fill_halves(const struct panel *panel, const struct mat *w, size_t row, size_t at)
{
    fill_words(HALF, panel, w, row, at);
}

// ---- Register tile

// acc[m][2] for M rows of x and TILE_N weight rows, a scale for each 2 * PAIRS weights; FLAT: all
// of MIN is 0. M, PAIRS and FLAT constants after inlining.
INLINE void words_tile(int m, int pairs, int flat, const struct int_product *p,
                       const struct panel *panel, size_t at, vf (*acc)[2])
{
    const int32_t *x = p->x + at * p->blocks * (size_t)pairs;
    const float *e = p->x_scale + at * p->blocks, *sum = p->x_sum + at * p->blocks;
    const float *d = panel->d, *min = panel->m;
    const uint8_t *u = panel->u;
    vf total[INT_M][2];
#pragma GCC unroll 8
    for (int i = 0; i < m; i++)
        total[i][0] = total[i][1] = v_set1(0);
    for (size_t b = 0; b < p->blocks; b++, e += m, sum += m, d += TILE_N, min += TILE_N) {
        vi s[INT_M][2];
#pragma GCC unroll 16
        for (int g = 0; g < pairs; g++, x += m, u += 4 * TILE_N) {
            vi u0 = vi_load(u), u1 = vi_load(u + 4 * VW);
#pragma GCC unroll 8
            for (int i = 0; i < m; i++) {
                vi q = vi_set1(x[i]);
                if (g) {
                    fix_add(&s[i][0], u0, q);
                    fix_add(&s[i][1], u1, q);
                } else {
                    fix_first(&s[i][0], u0, q);
                    fix_first(&s[i][1], u1, q);
                }
            }
        }
        vf d0 = v_load(d), d1 = v_load(d + VW);
#pragma GCC unroll 8
        for (int i = 0; i < m; i++) {
            vf ei = v_set1(e[i]), si = v_set1(sum[i]);
            vf rest0 = flat ? total[i][0] : v_fma(v_load(min), si, total[i][0]);
            vf rest1 = flat ? total[i][1] : v_fma(v_load(min + VW), si, total[i][1]);
            total[i][0] = v_fma(_mm256_cvtepi32_ps(s[i][0]), d0 * ei, rest0);
            total[i][1] = v_fma(_mm256_cvtepi32_ps(s[i][1]), d1 * ei, rest1);
        }
    }
#pragma GCC unroll 8
    for (int i = 0; i < m; i++) {
        acc[i][0] = total[i][0];
        acc[i][1] = total[i][1];
    }
}

INLINE void words_tile_m(int m, int pairs, int flat, const struct int_product *p,
                         const struct panel *panel, size_t at, vf (*acc)[2])
{
#define TILE(M) words_tile(M, pairs, flat, p, panel, at, acc)
    INT_SWITCH(m, TILE)
#undef TILE
}

static void tile_blocks(int m, const struct int_product *p, const struct panel *panel, size_t at,
                        vf (*acc)[2])
{
    words_tile_m(m, BLOCK / 2, 0, p, panel, at, acc);
}

static void tile_flat_blocks(int m, const struct int_product *p, const struct panel *panel,
                             size_t at, vf (*acc)[2])
{
    words_tile_m(m, BLOCK / 2, 1, p, panel, at, acc);
}

static void tile_halves(int m, const struct int_product *p, const struct panel *panel, size_t at,
                        vf (*acc)[2])
{
    words_tile_m(m, HALF / 2, 0, p, panel, at, acc);
}

static const struct int_form words_form = {BLOCK, BLOCK / 2, round_blocks, fill_blocks,
                                           tile_blocks},
                             words_flat_form = {BLOCK, BLOCK / 2, round_blocks, fill_blocks,
                                                tile_flat_blocks},
                             words_halves_form = {HALF, HALF / 2, round_halves, fill_halves,
                                                  tile_halves};

static const struct int_form *form_of(uint32_t type)
{
    if (of_four_bits(type))
        return &bytes_form;
    if (cpu_scales_32(type))
        return has_minimum(type) ? &words_form : &words_flat_form;
    switch (type) {
    case QUANT_Q2_K:
    case QUANT_Q3_K:
    case QUANT_Q6_K:
        return &words_halves_form;
    default: // F32, F16 and BF16 have no codes
        return NULL;
    }
}

#endif
