// Attention of one tile of queries on AMX tiles, for one kv head. Scores of 32 rows with 32 keys
// never leave the first-level cache: their exponentials are taken at once, relative to a power of
// two near the first ones, and the values of a few panels follow. Probabilities are kept where
// masses are asked for, which need the rows' sums first.
#ifndef LCTOOL_KERNELS_CPU_AMX_ATTEND_TILE_H
#define LCTOOL_KERNELS_CPU_AMX_ATTEND_TILE_H

#include "kernels/cpu/amx_probs.h"
#include "kernels/cpu/avx512_attend.h"

enum {
    AMX_BLOCK = 8,           // panels whose probabilities meet their values together
    AMX_PAIR = 2 * AMX_ROWS, // rows whose scores are made at once
};

struct amx_attention {
    struct attention t; // keys and scratch are not used; a panel is TILE_N = 32 keys
    size_t k_steps; // tiles of a head's numbers as rows of A; of its values there are twice as many
    uint16_t *keys; // [n_kv][n_panels][2][k_steps] tiles B: of each 8 keys the first 4, the last 4
    uint16_t *values; // [n_kv][2 * k_steps][n_panels] tiles B: 16 columns each
    uint8_t *scratch; // per thread
    size_t scratch_bytes;
    size_t rows; // of a query tile, whole pairs of tiles
    size_t kept; // panels whose probabilities are kept: all, or those of one block
    int masses;  // whether any are asked for
};

// Working memory of one thread.
struct amx_strip {
    float *score;     // [2][AMX_PAIR][TILE_N] of a panel and of the one before
    float *row;       // [max(TILE_N, rows)][d rounded up to whole tiles]: turned queries or keys
    float *sum;       // [rows][d, likewise] of the output
    float *total;     // [rows][16] of the probabilities, to be added up
    float *from;      // [rows] see amx_exponentials
    float *scale;     // [rows] one over the sum of the probabilities
    uint16_t *prob;   // [rows / 16][kept] tiles A
    uint16_t *packed; // [rows / 16][k_steps] tiles A: queries
};

static size_t amx_padded(const struct amx_attention *x)
{
    return x->k_steps * AMX_K;
}

static size_t amx_tall(const struct amx_attention *x)
{
    return x->rows > TILE_N ? x->rows : TILE_N;
}

static size_t amx_strip_floats(const struct amx_attention *x)
{
    return round_up(2 * AMX_PAIR * TILE_N + amx_tall(x) * amx_padded(x) +
                    x->rows * (amx_padded(x) + VW + 2));
}

static size_t amx_strip_halves(const struct amx_attention *x)
{
    return x->rows * (x->kept * TILE_N + amx_padded(x));
}

static struct amx_strip amx_strip_of(const struct amx_attention *x, int thread)
{
    struct amx_strip s;
    s.score = (float *)(void *)(x->scratch + (size_t)thread * x->scratch_bytes);
    s.row = s.score + 2 * AMX_PAIR * TILE_N;
    s.sum = s.row + amx_tall(x) * amx_padded(x);
    s.total = s.sum + x->rows * amx_padded(x);
    s.from = s.total + x->rows * VW;
    s.scale = s.from + x->rows;
    s.prob = (uint16_t *)(void *)(s.score + amx_strip_floats(x));
    s.packed = s.prob + x->rows * x->kept * TILE_N;
    return s;
}

static void amx_pack_queries(const struct amx_attention *x, const struct amx_strip *s,
                             const struct attend_piece *p, const struct query_tile *q)
{
    size_t wide = amx_padded(x);
    memset(s->row, 0, x->rows * wide * sizeof *s->row);
    turn_queries(&x->t, q, p, s->row, wide);
    for (size_t r = 0; r < x->rows; r++)
        for (size_t k = 0; k < x->k_steps; k++) {
            const float *src = s->row + r * wide + k * AMX_K;
            uint16_t *tile = s->packed + (r / AMX_ROWS * x->k_steps + k) * AMX_TILE;
            _mm512_storeu_si512(tile + r % AMX_ROWS * AMX_K,
                                amx_narrow(v_load(src), v_load(src + VW)));
        }
}

// The queries, packed as the block's keys want them.
static void amx_turn(const struct amx_attention *x, const struct amx_strip *s, struct query_tile *q,
                     const struct panel_run *b)
{
    const struct attend_piece *p = &x->t.a->pieces[b->piece];
    if (must_turn(q, p))
        amx_pack_queries(x, s, p, q);
}

static void amx_cap(float *score, float softcap)
{
    for (int i = 0; i < AMX_PAIR * TILE_N; i += VW)
        v_store(score + i, v_set1(softcap) * v_tanh(v_load(score + i) / v_set1(softcap)));
}

// Scores of the rows R .. R + 31 with the keys of a panel, in the order that amx_exponentials
// undoes.
static void amx_score(const struct amx_attention *x, const struct amx_strip *s, int kv,
                      size_t panel, size_t r, float *score)
{
    size_t one = x->k_steps * AMX_TILE;
    amx_zero();
    amx_products(s->packed + r / AMX_ROWS * one, one,
                 x->keys + ((size_t)kv * x->t.n_panels + panel) * 2 * one, one, x->k_steps);
    amx_store(score, TILE_N * sizeof *score);
    if (x->t.a->softcap != 0)
        amx_cap(score, x->t.a->softcap);
}

// The largest score of each row of the panel to MAX [AMX_PAIR], of the keys that are seen.
static void amx_maxima(const struct amx_attention *x, const struct query_tile *q,
                       const struct panel_run *b, size_t r, const float *score, float *max)
{
    const struct attend_piece *p = &x->t.a->pieces[b->piece];
    for (size_t i = 0; i < AMX_PAIR; i++, score += TILE_N) {
        uint32_t seen = keys_seen(&x->t, p, query_of(&x->t, q, r + i), b->panel * TILE_N);
        vf low = v_load(score), high = v_load(score + VW);
        hide_unseen(seen, v_set1(-INFINITY), &low, &high);
        max[i] = fmaxf(max[i], v_hmax(v_max(low, high)));
    }
}

// What the rows' exponentials are relative to: a whole power of two below their first panel's, or,
// with ALL, all panels' largest.
static void amx_tops(const struct amx_attention *x, const struct amx_strip *s, struct query_tile *q,
                     int all)
{
    float *max = s->scale; // not needed yet
    struct panel_run b = {0};
    for (size_t r = 0; r < x->rows; r++)
        max[r] = -INFINITY;
    for (int more = 1; more && next_panels(&x->t, q, 1, &b); more = all) {
        amx_turn(x, s, q, &b);
        for (size_t r = 0; r < q->rows; r += AMX_PAIR) {
            amx_score(x, s, q->kv, b.at, r, s->score);
            amx_maxima(x, q, &b, r, s->score, max + r);
        }
    }
    for (size_t r = 0; r < x->rows; r++) {
        float top = floorf(max[r] * LOG2_E);
        s->from[r] = amx_from(fabsf(top) < 1e6f ? top : 0);
    }
}

// The probabilities of a panel, up to a factor of each row, and their sums.
INLINE void amx_panel_probs(int whole, int safe, const struct amx_attention *x,
                            const struct amx_strip *s, const struct query_tile *q,
                            const struct panel_run *b, int panel, size_t r, const float *score,
                            uint16_t *prob)
{
    const __m512i below = amx_below(), one = _mm512_set1_epi16(0x3f80);
    const struct attend_piece *p = &x->t.a->pieces[b->piece];
    const float *from = s->from + r;
    float *total = s->total + r * VW;
    for (size_t half = 0; half < 2; half++, prob += x->kept * AMX_TILE)
#pragma GCC unroll 8
        for (size_t i = half * AMX_ROWS, end = i + AMX_ROWS; i < end; i++) {
            const float *row = score + i * TILE_N;
            __m512i e =
                amx_exponentials(safe, v_load(row), v_load(row + VW), v_set1(from[i]), below);
            if (!whole)
                e = _mm512_maskz_mov_epi16(
                    keys_seen(&x->t, p, query_of(&x->t, q, r + i), panel * TILE_N), e);
            v_store(total + i * VW,
                    _mm512_dpbf16_ps(v_load(total + i * VW), (__m512bh)e, (__m512bh)one));
            _mm512_storeu_si512(prob + i % AMX_ROWS * AMX_K, e);
        }
}

// The probabilities of the rows R .. R + 31 with a block's keys. The tiles make the next panel's
// scores while the vector units are at one's exponentials.
static void amx_block_probs(int safe, const struct amx_attention *x, const struct amx_strip *s,
                            const struct query_tile *q, const struct panel_run *b, size_t r,
                            uint16_t *prob)
{
    const struct attend_piece *p = &x->t.a->pieces[b->piece];
    amx_score(x, s, q->kv, b->at, r, s->score);
    for (int i = 0; i < b->n; i++, prob += AMX_TILE) {
        const float *score = s->score + i % 2 * AMX_PAIR * TILE_N;
        int panel = b->panel + i;
        if (i + 1 < b->n)
            amx_score(x, s, q->kv, b->at + (size_t)i + 1, r,
                      s->score + (i + 1) % 2 * AMX_PAIR * TILE_N);
        if (safe)
            amx_panel_probs(0, 1, x, s, q, b, panel, r, score, prob);
        else if (all_seen(&x->t, p, q, panel * TILE_N))
            amx_panel_probs(1, 0, x, s, q, b, panel, r, score, prob);
        else
            amx_panel_probs(0, 0, x, s, q, b, panel, r, score, prob);
    }
}

// Adds a block's values to the sums of the rows R .. R + 31.
static void amx_values(const struct amx_attention *x, const struct amx_strip *s, int kv,
                       const struct panel_run *b, size_t r, const uint16_t *prob)
{
    size_t wide = amx_padded(x), one = x->t.n_panels * AMX_TILE;
    const uint16_t *v =
        x->values + ((size_t)kv * 2 * x->k_steps * x->t.n_panels + b->at) * AMX_TILE;
    for (size_t k = 0; k < x->k_steps; k++, v += 2 * one) {
        float *sum = s->sum + r * wide + k * AMX_K;
        amx_load(sum, wide * sizeof *sum);
        amx_products(prob, x->kept * AMX_TILE, v, one, (size_t)b->n);
        amx_store(sum, wide * sizeof *sum);
    }
}

static uint16_t *amx_prob_at(const struct amx_attention *x, const struct amx_strip *s, size_t r,
                             size_t panel)
{
    return s->prob + (r / AMX_ROWS * x->kept + (x->masses ? panel : 0)) * AMX_TILE;
}

static void amx_weigh(int safe, const struct amx_attention *x, const struct amx_strip *s,
                      struct query_tile *q)
{
    struct panel_run b = {0};
    memset(s->sum, 0, x->rows * amx_padded(x) * sizeof *s->sum);
    memset(s->total, 0, x->rows * VW * sizeof *s->total);
    while (next_panels(&x->t, q, AMX_BLOCK, &b)) {
        amx_turn(x, s, q, &b);
        for (size_t r = 0; r < q->rows; r += AMX_PAIR) {
            uint16_t *prob = amx_prob_at(x, s, r, b.at);
            amx_block_probs(safe, x, s, q, &b, r, prob);
            amx_values(x, s, q->kv, &b, r, prob);
        }
    }
    for (size_t r = 0; r < x->rows; r++)
        s->scale[r] = v_sum(v_load(s->total + r * VW));
}

// Whether every row's sum is that of numbers large enough to be exact and small enough to be added:
// else what they are relative to was too far from their largest one.
static int amx_sound(const struct amx_strip *s, const struct query_tile *q)
{
    int all = 1;
    for (size_t r = 0; r < q->rows; r++)
        all &= s->scale[r] > 0x1p-60f &&
               s->scale[r] < 0x1p+90f; // 0: a row that sees nothing, and is as rare
    return all;
}

// The probabilities of row R with the keys from AT on, of all panels.
static const uint16_t *amx_prob_line(const struct amx_attention *x, const struct amx_strip *s,
                                     size_t r, size_t at)
{
    return amx_prob_at(x, s, r, at / TILE_N) + r % AMX_ROWS * AMX_K + at % TILE_N;
}

// Adds the probabilities of the rows of each query head to a task's masses of a panel: MASS
// [group][n_panels * TILE_N].
static void amx_panel_masses(const struct amx_attention *x, const struct amx_strip *s, size_t rows,
                             size_t panel, float *mass)
{
    const __m512i high = _mm512_set1_epi32((int)0xffff0000);
    const __m512i order = _mm512_set_epi32(23, 7, 22, 6, 21, 5, 20, 4, 19, 3, 18, 2, 17, 1, 16, 0);
    const __m512i after = _mm512_add_epi32(order, _mm512_set1_epi32(8));
    size_t group = (size_t)x->t.group;
    mass += panel * TILE_N;
    for (size_t head = 0; head < group; head++, mass += x->t.n_panels * TILE_N) {
        vf even = v_set1(0), odd = v_set1(0);
        for (size_t r = head; r < rows; r += group) {
            __m512i e = _mm512_loadu_si512(amx_prob_line(x, s, r, panel * TILE_N));
            vf scale = v_set1(s->scale[r]);
            even = v_fma(_mm512_castsi512_ps(_mm512_slli_epi32(e, 16)), scale, even);
            odd = v_fma(_mm512_castsi512_ps(_mm512_and_si512(e, high)), scale, odd);
        }
        v_store(mass, v_load(mass) + _mm512_permutex2var_ps(even, order, odd));
        v_store(mass + VW, v_load(mass + VW) + _mm512_permutex2var_ps(even, after, odd));
    }
}

// Adds the probabilities of row R with the keys of its own group of queries, which begin at key KEY
// of piece PIECE, to TO [self_block].
static void amx_row_self(const struct amx_attention *x, const struct amx_strip *s, int piece, int i,
                         size_t r, int key, float *to)
{
    int lo, hi, end = key + x->t.a->self_block, n;
    visible(&x->t.a->pieces[piece], x->t.a->n_q, i, &lo, &hi);
    end = end < hi ? end : hi;
    for (int k = key > lo ? key : lo; k < end; k += n) {
        n = VW - k % VW < end - k ? VW - k % VW : end - k;
        const uint16_t *e = amx_prob_line(x, s, r, x->t.first_panel[piece] * TILE_N + (size_t)k);
        __m256i narrow = _mm256_maskz_loadu_epi16((__mmask16)((1u << n) - 1), e);
        float *at = to + k - key;
        store_upto(at, v_fma(v_from_bf16(&narrow), v_set1(s->scale[r]), load_upto(at, n)), n);
    }
}

static void amx_self_masses(const struct amx_attention *x, const struct amx_strip *s,
                            const struct query_tile *q, int piece)
{
    const struct attention *t = &x->t;
    const struct attend *a = t->a;
    for (size_t r = 0; r < q->rows; r++) {
        int i = query_of(t, q, r), first = i / a->self_block * a->self_block;
        if (first + a->self_block <= a->n_q)
            amx_row_self(x, s, piece, i, r, a->pieces[piece].n - a->n_q + first,
                         t->self_mass +
                             ((size_t)q->kv * (size_t)a->n_q + (size_t)i) * (size_t)a->self_block);
    }
}

static void amx_masses(const struct amx_attention *x, const struct amx_strip *s,
                       const struct query_tile *q, float *mass)
{
    const struct attend_piece *pieces = x->t.a->pieces;
    struct panel_run b = {0};
    while (next_panels(&x->t, q, 1, &b))
        if (pieces[b.piece].mass)
            amx_panel_masses(x, s, q->rows, b.at, mass);
    for (int piece = 0; x->t.self_mass && piece < x->t.a->n_pieces; piece++)
        if (pieces[piece].causal)
            amx_self_masses(x, s, q, piece);
}

static void amx_attend_tile(const void *ctx, struct query_tile *q, int thread, float *mass)
{
    const struct amx_attention *x = ctx;
    const struct amx_strip strip = amx_strip_of(x, thread), *s = &strip;
    amx_tops(x, s, q, 0);
    amx_weigh(0, x, s, q);
    if (!amx_sound(s, q)) {
        amx_tops(x, s, q, 1);
        amx_weigh(1, x, s, q);
    }
    for (size_t r = 0; r < q->rows; r++)
        s->scale[r] = s->scale[r] == 0 ? 0 : 1 / s->scale[r];
    if (x->masses)
        amx_masses(x, s, q, mass);
    for (size_t r = 0; r < q->rows; r++)
        write_row(&x->t, q, r, s->sum + r * amx_padded(x), s->scale[r]);
}

#endif
