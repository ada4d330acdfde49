// Attention of many queries by products of whole numbers of 16 bits: as kernels/cpu/simd_attend.h,
// from which the cut into tasks, the masks and the masses come, but queries and keys are rounded to
// 12 bits, each with a scale of its own, probabilities to 15 and values to 11, with a scale for
// each column of 128 keys. Two such products are one of float32 to the processor. Scores are
// float32.
//
//   1. keys (turned) and values become blocks of 128 keys: once for each kv head;
//   2. a task takes a run of query tiles. The probabilities of 12 rows with a block are relative to
//      their own largest score there, and what they weigh is scaled to the largest so far.
//
// Keys or values that are infinite or no numbers are left to float32.
#ifndef LCTOOL_KERNELS_VNNI_ATTEND_H
#define LCTOOL_KERNELS_VNNI_ATTEND_H

#include "kernels/cpu/simd_attend_few.h"

enum {
    FIX_PANELS = 4,                 // of a block
    FIX_KEYS = FIX_PANELS * TILE_N, // their probabilities by values add up to 31 bits
    FIX_KEY = 2047,                 // the largest number of a key, and of a query
    FIX_VALUE = 1023,               // of a value; a probability has 1 << 14
    FIX_WIDEST = 256,               // numbers of a head: products of so many keep to 31 bits
    FIX_TILE_ROWS = 4 * TILE_M,     // rows of a query tile, if the strip allows
    FIX_STRIP = 512 << 10,          // bytes of probabilities that are kept for masses
    FIX_GAP = 32,                   // rows must not all start in the same set of the cache
};

#define FIX_LOG2_E 1.44269504f
#define FIX_NONE   -1e30f // the largest score of a row that sees no key

struct fix_attention {
    struct attention t; // keys and scratch are not used; pieces begin with a block
    size_t wide;        // a head's numbers, rounded up to whole panels
    size_t n_blocks;    // of all pieces
    size_t rows, kept;  // of a query tile, whole groups; panels whose probabilities are kept
    int masses;         // whether any are asked for
    int32_t *keys;      // [n_kv][n_panels][wide / 2][TILE_N] pairs of numbers of 16 bits
    int32_t *values;    // [n_kv][n_blocks][FIX_KEYS / 2][wide] the same of two keys
    float *key_scale;   // [n_kv][n_panels][TILE_N] in the order of KEYS
    float *value_scale; // [n_kv][n_blocks][wide]
    unsigned char *odd; // [n_kv][n_blocks] 1: some key or value is not finite
    uint8_t *scratch;   // per thread
    size_t scratch_bytes;
};

// Working memory of one thread. A group is TILE_M rows; each of its rows has one of VW places.
struct fix_strip {
    float *row;      // [max(TILE_N, rows)][wide] turned queries or keys
    float *score;    // [TILE_M][FIX_KEYS], in units of a factor of two; keys as fix_place has them
    float *sum;      // [rows][wide] of the output
    float *scale;    // [groups][VW] of the queries
    float *top;      // [groups][VW] the largest score so far
    float *total;    // [groups][VW] of the probabilities
    float *part_top; // [n_blocks][groups][VW] the largest score of a block
    int32_t *packed; // [groups][wide / 2][TILE_M] queries
    int16_t *prob;   // [rows][kept * TILE_N + FIX_GAP]
};

struct fix_block {
    int piece, panel, n; // the first panel of the piece, and how many are seen
    size_t at;           // number of the block among all
};

static size_t fix_groups(const struct fix_attention *x)
{
    return x->rows / TILE_M;
}

static size_t fix_ld(const struct fix_attention *x)
{
    return x->kept * TILE_N + FIX_GAP;
}

static size_t fix_tall(const struct fix_attention *x)
{
    return x->rows > TILE_N ? x->rows : TILE_N;
}

static size_t fix_strip_floats(const struct fix_attention *x)
{
    size_t per_group = fix_groups(x) * VW;
    return round_up(fix_tall(x) * x->wide + TILE_M * FIX_KEYS + x->rows * x->wide +
                    (3 + x->n_blocks) * per_group + x->rows * x->wide / 2);
}

static struct fix_strip fix_strip_of(const struct fix_attention *x, int thread)
{
    size_t per_group = fix_groups(x) * VW;
    struct fix_strip s;
    s.row = (float *)(void *)(x->scratch + (size_t)thread * x->scratch_bytes);
    s.score = s.row + fix_tall(x) * x->wide;
    s.sum = s.score + TILE_M * FIX_KEYS;
    s.scale = s.sum + x->rows * x->wide;
    s.top = s.scale + per_group;
    s.total = s.top + per_group;
    s.part_top = s.total + per_group;
    s.packed = (int32_t *)(void *)(s.part_top + x->n_blocks * per_group);
    s.prob = (int16_t *)(void *)(s.row + fix_strip_floats(x));
    return s;
}

// ---- 1. Keys and values

// Where key I of a panel lies in its two vectors: _mm512_packus_epi32 brings it back to place I.
static size_t fix_place(size_t i)
{
    return i % 8 / 4 * VW + i / 8 * 4 + i % 4;
}

// The larger of MOST and |V|, as bits: what is no number is larger than what is infinite.
INLINE __m512i fix_most(__m512i most, vf v)
{
    return _mm512_max_epu32(most, _mm512_castps_si512(_mm512_abs_ps(v)));
}

// N numbers of X, a multiple of 2 VW, as SCALE * TO, at most FIX_KEY; *SCALE is infinite or no
// number where one of X is.
INLINE void fix_round(int16_t *to, const float *x, size_t n, float *scale)
{
    __m512i most = _mm512_setzero_si512();
    for (size_t i = 0; i < n; i += VW)
        most = fix_most(most, v_load(x + i));
    uint32_t bits = _mm512_reduce_max_epu32(most);
    float max;
    memcpy(&max, &bits, sizeof max);
    vf back = v_set1(max == 0 ? 0 : FIX_KEY / max);
    for (size_t i = 0; i < n; i += VW)
        _mm256_storeu_si256((__m256i *)(void *)(to + i),
                            _mm512_cvtsepi32_epi16(_mm512_cvtps_epi32(v_load(x + i) * back)));
    *scale = max / FIX_KEY;
}

// The M keys from P on, turned by ROPE. Whether all of them are finite.
static int fix_key_panel(const struct fix_attention *x, const float *p, const float *rope, size_t m,
                         float *row, int32_t *to, float *scale)
{
    const struct attention *t = &x->t;
    int16_t whole[TILE_N][FIX_WIDEST];
    int sound = 1;
    memset(row, 0, TILE_N * x->wide * sizeof *row);
    for (size_t i = 0; i < TILE_N; i++) {
        if (i < m)
            rotate(row + i * x->wide, p + i * t->d, rope ? rope + i * (size_t)t->a->rope_dim : NULL,
                   t->a, 1);
        float *own = &scale[fix_place(i)];
        fix_round(whole[i], row + i * x->wide, x->wide, own);
        sound &= isfinite(*own) != 0;
    }
    for (size_t half = 0; half < 2; half++)
        for (size_t s = 0; s < x->wide / 2; s += VW) {
            vf r[VW];
            for (size_t i = 0; i < VW; i++)
                r[i] = _mm512_castsi512_ps(
                    _mm512_loadu_si512(&whole[i / 4 * 8 + half * 4 + i % 4][2 * s]));
            v_transpose(r);
            for (size_t i = 0; i < VW; i++)
                _mm512_storeu_si512(to + (s + i) * TILE_N + half * VW, _mm512_castps_si512(r[i]));
        }
    return sound;
}

// VW columns of M keys, at most FIX_KEYS, of which W count: rows V, DIM apart. Whether all of them
// are finite.
static int fix_value_columns(const float *v, size_t dim, size_t m, int w, int32_t *to, size_t wide,
                             float *scale)
{
    __m512i bits = _mm512_setzero_si512();
    for (size_t i = 0; i < m; i++)
        bits = fix_most(bits, load_upto(v + i * dim, w));
    vf most = _mm512_castsi512_ps(bits);
    vf back = _mm512_maskz_div_ps(_mm512_cmp_ps_mask(most, v_set1(0), _CMP_GT_OQ),
                                  v_set1(FIX_VALUE), most);
    v_store(scale, most / v_set1(FIX_VALUE));
    for (size_t i = 0; i < FIX_KEYS; i += 2, to += wide) {
        vf a = i < m ? load_upto(v + i * dim, w) : v_set1(0);
        vf b = i + 1 < m ? load_upto(v + (i + 1) * dim, w) : v_set1(0);
        __m512i low = _mm512_and_si512(_mm512_cvtps_epi32(a * back), _mm512_set1_epi32(0xffff));
        _mm512_storeu_si512(
            to, _mm512_or_si512(low, _mm512_slli_epi32(_mm512_cvtps_epi32(b * back), 16)));
    }
    return _mm512_reduce_max_epu32(bits) < 0x7f800000; // infinity
}

static void fix_keys_task(void *ctx, int task, int thread)
{
    const struct fix_attention *x = ctx;
    const struct attention *t = &x->t;
    struct fix_strip s = fix_strip_of(x, thread);
    size_t kv = (size_t)task / x->n_blocks, block = (size_t)task % x->n_blocks;
    int piece = 0, sound = 1;
    while (block * FIX_PANELS >= t->first_panel[piece + 1])
        piece++;
    const struct attend_piece *p = &t->a->pieces[piece];
    size_t first = (block * FIX_PANELS - t->first_panel[piece]) * TILE_N;
    size_t n = (size_t)p->n - first < FIX_KEYS ? (size_t)p->n - first : FIX_KEYS;
    size_t from = ((size_t)t->kv0 + kv) * (size_t)p->stride + first;
    size_t at = kv * t->n_panels + block * FIX_PANELS;
    for (size_t j = 0; j < n; j += TILE_N, at++)
        sound &= fix_key_panel(x, p->k + (from + j) * t->d,
                               p->k_rope ? p->k_rope + (first + j) * (size_t)t->a->rope_dim : NULL,
                               n - j < TILE_N ? n - j : TILE_N, s.row,
                               x->keys + at * x->wide / 2 * TILE_N, x->key_scale + at * TILE_N);
    block += kv * x->n_blocks;
    for (size_t k = 0; k < x->wide; k += VW) {
        int32_t *to = x->values + block * (FIX_KEYS / 2) * x->wide + k;
        sound &= fix_value_columns(p->v + from * t->d + (k < t->d ? k : 0), t->d, n,
                                   k < t->d ? (int)(t->d - k) : 0, to, x->wide,
                                   x->value_scale + block * x->wide + k);
    }
    x->odd[block] = !sound;
}

// ---- 2. Tiles of queries

// The query of row R of a tile of N queries from Q0 on; of those behind the last one, which nobody
// reads, the last.
static int fix_query(const struct attention *t, int q0, int n, size_t r)
{
    size_t i = r / (size_t)t->group;
    return q0 + (i < (size_t)n ? (int)i : n - 1);
}

static void fix_queries(const struct fix_attention *x, const struct fix_strip *s,
                        const struct attend_piece *p, int q0, int n_q, int kv)
{
    const struct attention *t = &x->t;
    const struct attend *a = t->a;
    size_t rows = (size_t)(n_q * t->group);
    memset(s->row, 0, x->rows * x->wide * sizeof *s->row);
    for (size_t r = 0; r < rows; r++) {
        size_t i = (size_t)q0 + r / (size_t)t->group;
        size_t head = (size_t)((t->kv0 + kv) * t->group) + r % (size_t)t->group;
        const float *rope = p->q_rope;
        if (rope && p->q_rope_step)
            rope += i * (size_t)a->rope_dim;
        rotate(s->row + r * x->wide, a->q + (i * (size_t)a->n_heads + head) * t->d, rope, a,
               a->scale);
    }
    for (size_t r = 0; r < x->rows; r++) {
        int16_t whole[FIX_WIDEST];
        int32_t *to = s->packed + r / TILE_M * (x->wide / 2) * TILE_M + r % TILE_M;
        float *scale = &s->scale[r / TILE_M * VW + r % TILE_M];
        fix_round(whole, s->row + r * x->wide, x->wide, scale);
        if (a->softcap == 0)
            *scale *= FIX_LOG2_E;
        for (size_t k = 0; k < x->wide; k += 2, to += TILE_M)
            memcpy(to, whole + k, sizeof *to);
    }
}

// The next block that a query of the tile sees, behind B (of none: the first); 0: no more.
static int fix_next(const struct fix_attention *x, int q0, int n_q, struct fix_block *b)
{
    const struct attention *t = &x->t;
    for (int from = b->panel + b->n; b->piece < t->a->n_pieces; b->piece++, from = 0) {
        int lo, hi;
        tile_keys(t, &t->a->pieces[b->piece], q0, n_q, &lo, &hi);
        int first = lo / TILE_N > from ? lo / TILE_N : from, end = (hi + TILE_N - 1) / TILE_N;
        int next = (first / FIX_PANELS + 1) * FIX_PANELS;
        if (hi <= lo || first >= end)
            continue;
        b->panel = first;
        b->n = (end < next ? end : next) - first;
        b->at = (t->first_panel[b->piece] + (size_t)first) / FIX_PANELS;
        return 1;
    }
    return 0;
}

// Which of the keys J .. J + 31 of piece P query I sees.
static uint32_t fix_seen(const struct attention *t, const struct attend_piece *p, int i, int j)
{
    int lo, hi;
    visible(p, t->a->n_q, i, &lo, &hi);
    lo = lo > j ? lo - j : 0;
    hi = hi - j < TILE_N ? hi - j : TILE_N;
    return lo < hi ? (uint32_t)(((uint64_t)1 << hi) - ((uint64_t)1 << lo)) : 0;
}

// Whether all N queries from Q0 on see the whole panel J .. J + 31.
static int fix_all_seen(const struct attention *t, const struct attend_piece *p, int q0, int n,
                        int j)
{
    return fix_seen(t, p, q0, j) == UINT32_MAX && fix_seen(t, p, q0 + n - 1, j) == UINT32_MAX;
}

// Not the intrinsic: gcc 12 copies sums from register to register between them.
INLINE void fix_add(__m512i *sum, __m512i a, __m512i b)
{
    __asm__("vpdpwssd %2, %1, %0" : "+v"(*sum) : "v"(a), "v"(b));
}

// acc += the products of TILE_M rows of pairs Q, and two vectors of pairs P, whose rows are LD
// apart.
INLINE void fix_products(const int32_t *q, size_t step, size_t row, const int32_t *p, size_t ld,
                         size_t n, __m512i (*acc)[2])
{
    for (size_t s = 0; s < n; s++, q += step, p += ld) {
        __m512i a = _mm512_loadu_si512(p), b = _mm512_loadu_si512(p + VW);
#pragma GCC unroll 12
        for (size_t i = 0; i < TILE_M; i++) {
            __m512i both = _mm512_set1_epi32(q[i * row]);
            fix_add(&acc[i][0], both, a);
            fix_add(&acc[i][1], both, b);
        }
    }
}

INLINE void fix_zero(__m512i (*acc)[2])
{
#pragma GCC unroll 12
    for (size_t i = 0; i < TILE_M; i++)
        acc[i][0] = acc[i][1] = _mm512_setzero_si512();
}

static vf fix_cap(vf x, float softcap)
{
    return v_set1(softcap * FIX_LOG2_E) * v_tanh(x / v_set1(softcap));
}

// Scores of group G with the keys of panel number I of a block, and what is larger than MOST of
// those that are seen.
static void fix_panel_scores(const struct fix_attention *x, const struct fix_strip *s, int q0,
                             int n_q, int kv, const struct fix_block *b, int i, size_t g, vf *most)
{
    const struct attention *t = &x->t;
    const struct attend_piece *p = &t->a->pieces[b->piece];
    size_t at = (size_t)kv * t->n_panels + t->first_panel[b->piece] + (size_t)(b->panel + i);
    const int32_t *q = s->packed + g * (x->wide / 2) * TILE_M;
    const float *scale = x->key_scale + at * TILE_N;
    const __m512i first =
        _mm512_set_epi32(1 << 27, 1 << 26, 1 << 25, 1 << 24, 1 << 19, 1 << 18, 1 << 17, 1 << 16,
                         1 << 11, 1 << 10, 1 << 9, 1 << 8, 1 << 3, 1 << 2, 1 << 1, 1 << 0);
    int key = (b->panel + i) * TILE_N;
    int whole = fix_all_seen(t, p, q0, n_q, key);
    __m512i acc[TILE_M][2];
    fix_zero(acc);
    fix_products(q, TILE_M, 1, x->keys + at * x->wide / 2 * TILE_N, TILE_N, x->wide / 2, acc);
#pragma GCC unroll 12
    for (size_t r = 0; r < TILE_M; r++) {
        float *to = s->score + r * FIX_KEYS + (size_t)i * TILE_N;
        vf by = v_set1(s->scale[g * VW + r]);
        vf low = _mm512_cvtepi32_ps(acc[r][0]) * v_load(scale) * by;
        vf high = _mm512_cvtepi32_ps(acc[r][1]) * v_load(scale + VW) * by;
        if (t->a->softcap != 0) {
            low = fix_cap(low, t->a->softcap);
            high = fix_cap(high, t->a->softcap);
        }
        v_store(to, low);
        v_store(to + VW, high);
        if (!whole) {
            __m512i seen =
                _mm512_set1_epi32((int)fix_seen(t, p, fix_query(t, q0, n_q, g * TILE_M + r), key));
            vf none = v_set1(FIX_NONE);
            low = _mm512_mask_mov_ps(none, _mm512_test_epi32_mask(seen, first), low);
            high = _mm512_mask_mov_ps(
                none, _mm512_test_epi32_mask(_mm512_srli_epi32(seen, 4), first), high);
        }
        most[r] = v_max(most[r], v_max(low, high));
    }
}

// 2^14 * 2^(SCORE - top) of 32 scores, rounded, from 1024 * top.
INLINE __m512i fix_exponentials(const float *score, vf top)
{
    vf by = v_set1(-1024), most = v_set1(65535);
    __m512i a = _mm512_cvtps_epi32(v_min(most, v_fma(v_load(score), by, top)));
    __m512i b = _mm512_cvtps_epi32(v_min(most, v_fma(v_load(score + VW), by, top)));
    __m512i below = _mm512_packus_epi32(a, b); // in 1024ths; what is above the top: 0
    __m512i f =
        _mm512_srli_epi16(_mm512_slli_epi16(below, 6), 1); // 2^15 of what is behind the point
    // 2^-f, to 1e-4
    __m512i y =
        _mm512_sub_epi16(_mm512_set1_epi16(7575), _mm512_mulhrs_epi16(f, _mm512_set1_epi16(1298)));
    y = _mm512_sub_epi16(_mm512_set1_epi16(22662), _mm512_mulhrs_epi16(f, y));
    y = _mm512_sub_epi16(_mm512_set1_epi16(32767), _mm512_mulhrs_epi16(f, y));
    y = _mm512_srlv_epi16(y, _mm512_srli_epi16(below, 10));
    return _mm512_avg_epu16(y, _mm512_setzero_si512());
}

// Places the largest scores of a block, MOST [TILE_M], to TOP [VW].
static void fix_tops(const vf *most, float *top)
{
    for (size_t r = 0; r < VW; r++)
        top[r] = r < TILE_M ? v_hmax(most[r]) : 0;
}

// The probabilities of group G with a block, and their sums to SUM [VW].
static void fix_probs(const struct fix_attention *x, const struct fix_strip *s, int q0, int n_q,
                      const struct fix_block *b, size_t g, const float *top, int16_t *prob,
                      float *sum)
{
    const struct attention *t = &x->t;
    const struct attend_piece *p = &t->a->pieces[b->piece];
    int whole[FIX_PANELS];
    for (int i = 0; i < b->n; i++)
        whole[i] = fix_all_seen(t, p, q0, n_q, (b->panel + i) * TILE_N);
    for (size_t r = 0; r < TILE_M; r++, prob += fix_ld(x)) {
        vf from = v_set1(1024 * top[r]);
        __m512i all = _mm512_setzero_si512();
        for (int i = 0; i < b->n; i++) {
            __m512i e = fix_exponentials(s->score + r * FIX_KEYS + (size_t)i * TILE_N, from);
            if (!whole[i])
                e = _mm512_maskz_mov_epi16(
                    fix_seen(t, p, fix_query(t, q0, n_q, g * TILE_M + r), (b->panel + i) * TILE_N),
                    e);
            all = _mm512_dpwssd_epi32(all, e, _mm512_set1_epi16(1));
            _mm512_storeu_si512(prob + i * TILE_N, e);
        }
        sum[r] = (float)_mm512_reduce_add_epi32(all);
    }
    for (size_t r = TILE_M; r < VW; r++)
        sum[r] = 0;
}

static vf fix_power(vf x)
{
    return v_exp(x * v_set1(0.693147181f));
}

// The sums of group G, OLD of what they were, and NEW of the block's values by PROB.
static void fix_values(const struct fix_attention *x, const struct fix_strip *s, int kv,
                       const struct fix_block *b, size_t g, const int16_t *prob, const float *old,
                       const float *new)
{
    size_t block = (size_t)kv * x->n_blocks + b->at;
    const int32_t *v =
        x->values +
        (block * (FIX_KEYS / 2) + (size_t)(b->panel % FIX_PANELS) * (TILE_N / 2)) * x->wide;
    const float *scale = x->value_scale + block * x->wide;
    for (size_t k = 0; k < x->wide; k += TILE_N) {
        __m512i acc[TILE_M][2];
        fix_zero(acc);
        fix_products((const int32_t *)(const void *)prob, 1, fix_ld(x) / 2, v + k, x->wide,
                     (size_t)b->n * TILE_N / 2, acc);
        float *sum = s->sum + g * TILE_M * x->wide + k;
#pragma GCC unroll 12
        for (size_t r = 0; r < TILE_M; r++, sum += x->wide)
            for (size_t h = 0; h < 2; h++) {
                vf own = _mm512_cvtepi32_ps(acc[r][h]) * v_load(scale + k + h * VW);
                v_store(sum + h * VW,
                        v_fma(own, v_set1(new[r]), v_load(sum + h * VW) * v_set1(old[r])));
            }
    }
}

static int16_t *fix_prob_at(const struct fix_attention *x, const struct fix_strip *s, size_t r,
                            size_t panel)
{
    return s->prob + r * fix_ld(x) + (x->masses ? panel : panel % FIX_PANELS) * TILE_N;
}

// One block for group G.
static void fix_group(const struct fix_attention *x, const struct fix_strip *s, int q0, int n_q,
                      int kv, const struct fix_block *b, size_t g)
{
    float sum[VW], old[VW], new[VW];
    float *part = s->part_top + (b->at * fix_groups(x) + g) * VW;
    float *top = s->top + g * VW, *total = s->total + g * VW;
    int16_t *prob = fix_prob_at(x, s, g * TILE_M, x->t.first_panel[b->piece] + (size_t)b->panel);
    vf most[TILE_M];
    for (size_t r = 0; r < TILE_M; r++)
        most[r] = v_set1(FIX_NONE);
    for (int i = 0; i < b->n; i++)
        fix_panel_scores(x, s, q0, n_q, kv, b, i, g, most);
    fix_tops(most, part);
    fix_probs(x, s, q0, n_q, b, g, part, prob, sum);
    vf was = v_load(top), is = v_max(was, v_load(part));
    vf before = fix_power(was - is), now = fix_power(v_load(part) - is);
    v_store(old, before);
    v_store(new, now);
    v_store(top, is);
    v_store(total, v_fma(v_load(sum), now, v_load(total) * before));
    fix_values(x, s, kv, b, g, prob, old, new);
}

static void fix_weigh(const struct fix_attention *x, const struct fix_strip *s, int q0, int n_q,
                      int kv)
{
    const struct attend_piece *turned = NULL; // whose rotation the packed queries have
    size_t rows = (size_t)(n_q * x->t.group);
    struct fix_block b = {0};
    memset(s->sum, 0, x->rows * x->wide * sizeof *s->sum);
    for (size_t i = 0; i < fix_groups(x) * VW; i++) {
        s->top[i] = FIX_NONE;
        s->total[i] = 0;
    }
    while (fix_next(x, q0, n_q, &b)) {
        const struct attend_piece *p = &x->t.a->pieces[b.piece];
        if (!turned || turned->q_rope != p->q_rope || turned->q_rope_step != p->q_rope_step)
            fix_queries(x, s, p, q0, n_q, kv);
        turned = p;
        for (size_t r = 0; r < rows; r += TILE_M)
            fix_group(x, s, q0, n_q, kv, &b, r / TILE_M);
    }
    for (size_t i = 0; i < fix_groups(x) * VW; i++)
        s->total[i] = s->total[i] == 0 ? 0 : 1 / s->total[i] + 0 * s->scale[i]; // NaN: a query's
}

// What the probabilities of all rows with block B are of what they sum up to: WEIGHT [groups][VW].
static void fix_weights(const struct fix_attention *x, const struct fix_strip *s, size_t block,
                        float *weight)
{
    for (size_t i = 0; i < fix_groups(x) * VW; i += VW) {
        vf part = v_load(s->part_top + block * fix_groups(x) * VW + i);
        v_store(weight + i, fix_power(part - v_load(s->top + i)) * v_load(s->total + i));
    }
}

static vf fix_floats(const int16_t *prob)
{
    return _mm512_cvtepi32_ps(
        _mm512_cvtepi16_epi32(_mm256_loadu_si256((const __m256i *)(const void *)prob)));
}

// Adds the probabilities of the rows of each query head to a task's masses of a panel: MASS
// [group][n_panels * TILE_N].
static void fix_panel_masses(const struct fix_attention *x, const struct fix_strip *s, size_t rows,
                             size_t panel, const float *weight, float *mass)
{
    size_t group = (size_t)x->t.group;
    mass += panel * TILE_N;
    for (size_t head = 0; head < group; head++, mass += x->t.n_panels * TILE_N) {
        vf low = v_load(mass), high = v_load(mass + VW);
        for (size_t r = head; r < rows; r += group) {
            const int16_t *prob = fix_prob_at(x, s, r, panel);
            vf by = v_set1(weight[r / TILE_M * VW + r % TILE_M]);
            low = v_fma(fix_floats(prob), by, low);
            high = v_fma(fix_floats(prob + VW), by, high);
        }
        v_store(mass, low);
        v_store(mass + VW, high);
    }
}

// Adds the probabilities of row R with the keys of its own group of queries, which begin at key KEY
// of piece PIECE, to TO [self_block], as far as they are in block B.
static void fix_row_self(const struct fix_attention *x, const struct fix_strip *s,
                         const struct fix_block *b, int i, size_t r, int key, float weight,
                         float *to)
{
    const struct attention *t = &x->t;
    int lo, hi, end = key + t->a->self_block, n, first = b->panel * TILE_N;
    visible(&t->a->pieces[b->piece], t->a->n_q, i, &lo, &hi);
    end = end < hi ? end : hi;
    end = end < first + b->n * TILE_N ? end : first + b->n * TILE_N;
    lo = lo > first ? lo : first;
    for (int k = key > lo ? key : lo; k < end; k += n) {
        n = VW - k % VW < end - k ? VW - k % VW : end - k;
        const int16_t *e =
            fix_prob_at(x, s, r, t->first_panel[b->piece] + (size_t)(k / TILE_N)) + k % TILE_N;
        vf p = _mm512_cvtepi32_ps(
            _mm512_cvtepi16_epi32(_mm256_maskz_loadu_epi16((__mmask16)((1u << n) - 1), e)));
        store_upto(to + k - key, v_fma(p, v_set1(weight), load_upto(to + k - key, n)), n);
    }
}

static void fix_masses(const struct fix_attention *x, const struct fix_strip *s, int q0, int n_q,
                       int kv, float *mass)
{
    const struct attention *t = &x->t;
    const struct attend *a = t->a;
    size_t rows = (size_t)(n_q * t->group);
    float *weight = s->scale; // not needed any more
    struct fix_block b = {0};
    while (fix_next(x, q0, n_q, &b)) {
        const struct attend_piece *p = &a->pieces[b.piece];
        fix_weights(x, s, b.at, weight);
        for (int i = 0; p->mass && i < b.n; i++)
            fix_panel_masses(x, s, rows, t->first_panel[b.piece] + (size_t)(b.panel + i), weight,
                             mass);
        for (size_t r = 0; t->self_mass && p->causal && r < rows; r++) {
            int i = fix_query(t, q0, n_q, r), first = i / a->self_block * a->self_block;
            if (first + a->self_block <= a->n_q)
                fix_row_self(x, s, &b, i, r, p->n - a->n_q + first,
                             weight[r / TILE_M * VW + r % TILE_M],
                             t->self_mass +
                                 ((size_t)kv * (size_t)a->n_q + (size_t)i) * (size_t)a->self_block);
        }
    }
}

static void fix_write(const struct fix_attention *x, const struct fix_strip *s, int q0, int n_q,
                      int kv)
{
    const struct attention *t = &x->t;
    for (size_t r = 0; r < (size_t)(n_q * t->group); r++) {
        size_t i = (size_t)q0 + r / (size_t)t->group;
        size_t head = (size_t)((t->kv0 + kv) * t->group) + r % (size_t)t->group;
        float *out = t->a->out + (i * (size_t)t->a->n_heads + head) * t->d;
        vf by = v_set1(s->total[r / TILE_M * VW + r % TILE_M]);
        for (size_t k = 0; k < t->d; k += VW)
            store_upto(out + k, v_load(s->sum + r * x->wide + k) * by, (int)(t->d - k));
    }
}

static void fix_run_task(void *ctx, int task, int thread)
{
    const struct fix_attention *x = ctx;
    const struct attention *t = &x->t;
    const struct attend *a = t->a;
    struct fix_strip s = fix_strip_of(x, thread);
    int kv = task / t->n_runs, run = task % t->n_runs;
    int first = (int)((int64_t)t->n_tiles * run / t->n_runs);
    int end = (int)((int64_t)t->n_tiles * (run + 1) / t->n_runs);
    size_t mass_n = (size_t)t->group * t->n_panels * TILE_N;
    float *mass = t->mass ? t->mass + (size_t)task * mass_n : NULL;
    if (mass)
        memset(mass, 0, mass_n * sizeof *mass);
    for (int tile = first; tile < end; tile++) {
        int q0 = tile * t->tile_q, n_q = a->n_q - q0 < t->tile_q ? a->n_q - q0 : t->tile_q;
        if (t->self_mass)
            memset(t->self_mass +
                       ((size_t)kv * (size_t)a->n_q + (size_t)q0) * (size_t)a->self_block,
                   0, (size_t)n_q * (size_t)a->self_block * sizeof *t->self_mass);
        fix_weigh(x, &s, q0, n_q, kv);
        if (x->masses)
            fix_masses(x, &s, q0, n_q, kv, mass);
        fix_write(x, &s, q0, n_q, kv);
    }
}

// ---- The cut into tiles of queries, tasks and memory, by the sizes alone

static size_t fix_piece_panels(const struct attend_piece *p)
{
    return ((size_t)p->n + FIX_KEYS - 1) / FIX_KEYS * FIX_PANELS;
}

static void fix_plan_tiles(struct fix_attention *x)
{
    struct attention *t = &x->t;
    const struct attend *a = t->a;
    for (int i = 0; i < a->n_pieces; i++)
        t->n_panels += fix_piece_panels(&a->pieces[i]);
    x->masses = asks_for_masses(a) || a->self_mass;
    x->wide = (t->d + TILE_N - 1) / TILE_N * TILE_N;
    x->n_blocks = t->n_panels / FIX_PANELS;
    x->kept = x->masses ? t->n_panels : FIX_PANELS;
    size_t most = FIX_STRIP / (x->kept * TILE_N * sizeof(int16_t) + 1),
           rows = most < FIX_TILE_ROWS ? most : FIX_TILE_ROWS;
    t->tile_q = rows / (size_t)t->group > 1 ? (int)(rows / (size_t)t->group) : 1;
    if (t->tile_q > a->n_q)
        t->tile_q = a->n_q;
    x->rows = ((size_t)(t->tile_q * t->group) + TILE_M - 1) / TILE_M * TILE_M;
    t->n_tiles = (a->n_q + t->tile_q - 1) / t->tile_q;
    t->n_runs = t->n_tiles < RUNS ? t->n_tiles : RUNS;
}

// Lays the working memory out; 0 when there is none.
static int fix_plan_memory(struct cpu *c, struct fix_attention *x)
{
    struct attention *t = &x->t;
    const struct attend *a = t->a;
    size_t key_n = t->n_panels * x->wide / 2 * TILE_N, per_kv = 2 * key_n;
    size_t n_kv = KEYS_BYTES / sizeof *x->keys / (per_kv + 1);
    t->n_kv = n_kv < 1 ? 1 : n_kv < (size_t)a->n_kv_heads ? (int)n_kv : a->n_kv_heads;
    size_t n = (size_t)t->n_kv, columns = t->n_panels * TILE_N;
    size_t pieces_n = round_up(((size_t)a->n_pieces + 1) * sizeof(size_t) / sizeof(float));
    size_t mass_n =
        asks_for_masses(a) ? round_up(n * (size_t)t->n_runs * (size_t)t->group * columns) : 0;
    size_t self_n = a->self_mass ? round_up(n * (size_t)a->n_q * (size_t)a->self_block) : 0;
    size_t scales_n = n * (columns + x->n_blocks * x->wide);
    size_t odd_n = round_up(n * x->n_blocks / sizeof(float) + 1);
    x->scratch_bytes = fix_strip_floats(x) * sizeof(float) +
                       round_up(x->rows * fix_ld(x)) * sizeof *((struct fix_strip *)0)->prob;
    float *at =
        cpu_scratch(c, (pieces_n + mass_n + self_n + scales_n + odd_n + per_kv * n) * sizeof *at +
                           x->scratch_bytes * (size_t)pool_threads(c->pool));
    if (!at)
        return 0;
    t->first_panel = (size_t *)(void *)at;
    at += pieces_n;
    t->mass = mass_n ? at : NULL;
    t->self_mass = self_n ? at + mass_n : NULL;
    x->key_scale = at + mass_n + self_n;
    x->value_scale = x->key_scale + n * columns;
    x->odd = (unsigned char *)(x->value_scale + n * x->n_blocks * x->wide);
    x->keys = (int32_t *)(void *)(x->key_scale + scales_n + odd_n);
    x->values = x->keys + n * key_n;
    x->scratch = (uint8_t *)(x->values + n * key_n);
    return 1;
}

static int fix_any_odd(const struct fix_attention *x)
{
    int any = 0;
    for (size_t i = 0; i < (size_t)x->t.n_kv * x->n_blocks; i++)
        any |= x->odd[i];
    return any;
}

static void vnni_attend(struct cpu *c, const struct attend *a)
{
    struct fix_attention x = {
        .t = {.a = a, .d = (size_t)a->head_dim, .group = a->n_heads / a->n_kv_heads}};
    struct attention *t = &x.t;
    if (c->exact || few_attends(a) || a->head_dim > FIX_WIDEST) {
        simd_attend_any(c, a);
        return;
    }
    fix_plan_tiles(&x);
    if (!fix_plan_memory(c, &x))
        return;
    t->first_panel[0] = 0;
    for (int i = 0; i < a->n_pieces; i++)
        t->first_panel[i + 1] = t->first_panel[i] + fix_piece_panels(&a->pieces[i]);
    int step = t->n_kv;
    for (t->kv0 = 0; t->kv0 < a->n_kv_heads; t->kv0 += step) {
        t->n_kv = a->n_kv_heads - t->kv0 < step ? a->n_kv_heads - t->kv0 : step;
        pool_run(c->pool, t->n_kv * (int)x.n_blocks, fix_keys_task, &x);
        if (fix_any_odd(&x)) {
            simd_attend(c, a, t->kv0);
            return;
        }
        pool_run(c->pool, t->n_kv * t->n_runs, fix_run_task, &x);
        if (t->mass)
            pool_run(c->pool, t->n_kv * t->group, mass_task, t);
        if (t->self_mass)
            add_self_mass(t);
    }
}

#endif
