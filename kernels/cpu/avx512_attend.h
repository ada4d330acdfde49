// What the attentions share that round, on AMX tiles and by VNNI: a tile of queries, panel by panel
// of 32 keys.
#ifndef LCTOOL_KERNELS_AVX512_ATTEND_H
#define LCTOOL_KERNELS_AVX512_ATTEND_H

#include "kernels/cpu/simd_attend_cut.h"
#include "kernels/cpu/vec_avx512.h"

#define LOG2_E 1.44269504f

// Panels of one piece, side by side.
struct panel_run {
    int piece, panel, n; // of the piece; the first one
    size_t at;           // its place among all panels
};

// The next panels that a query of the tile sees, behind B (of none: the first ones), up to a
// multiple of MOST of the piece's units; 0: no more.
static int next_panels(const struct attention *t, const struct query_tile *q, int most,
                       struct panel_run *b)
{
    for (int from = b->panel + b->n; b->piece < t->a->n_pieces; b->piece++, from = 0) {
        int lo, hi;
        tile_keys(t, &t->a->pieces[b->piece], q->q0, q->n, &lo, &hi);
        int first = lo / TILE_N > from ? lo / TILE_N : from, end = (hi + TILE_N - 1) / TILE_N;
        int room = most - first % (int)t->unit;
        if (hi <= lo || first >= end)
            continue;
        b->panel = first;
        b->n = end - first < room ? end - first : room;
        b->at = t->first_panel[b->piece] + (size_t)first;
        return 1;
    }
    return 0;
}

// Which of the keys J .. J + 31 of piece P query I sees.
static uint32_t keys_seen(const struct attention *t, const struct attend_piece *p, int i, int j)
{
    int lo, hi;
    visible(p, t->a->n_q, i, &lo, &hi);
    lo = lo > j ? lo - j : 0;
    hi = hi - j < TILE_N ? hi - j : TILE_N;
    return lo < hi ? (uint32_t)(((uint64_t)1 << hi) - ((uint64_t)1 << lo)) : 0;
}

// Whether all queries of the tile see the whole panel J .. J + 31.
static int all_seen(const struct attention *t, const struct attend_piece *p,
                    const struct query_tile *q, int j)
{
    return keys_seen(t, p, q->q0, j) == UINT32_MAX &&
           keys_seen(t, p, q->q0 + q->n - 1, j) == UINT32_MAX;
}

// Scores of a panel lie as _mm512_packus_epi32 brings them to the order of the keys: of each 8 the
// first 4 in LOW, the last 4 in HIGH. Those of keys that are not SEEN become NONE.
INLINE void hide_unseen(uint32_t seen, vf none, vf *low, vf *high)
{
    const __m512i first =
        _mm512_set_epi32(1 << 27, 1 << 26, 1 << 25, 1 << 24, 1 << 19, 1 << 18, 1 << 17, 1 << 16,
                         1 << 11, 1 << 10, 1 << 9, 1 << 8, 1 << 3, 1 << 2, 1 << 1, 1 << 0);
    __m512i bits = _mm512_set1_epi32((int)seen);
    *low = _mm512_mask_mov_ps(none, _mm512_test_epi32_mask(bits, first), *low);
    *high =
        _mm512_mask_mov_ps(none, _mm512_test_epi32_mask(_mm512_srli_epi32(bits, 4), first), *high);
}

#endif
