// What the attentions share that round, on AMX tiles and by products of whole numbers: a tile of
// queries, panel by panel of TILE_N keys.
#ifndef LCTOOL_KERNELS_CPU_SIMD_ATTEND_PANELS_H
#define LCTOOL_KERNELS_CPU_SIMD_ATTEND_PANELS_H

#include "kernels/cpu/simd_attend_cut.h"

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

// Which of the TILE_N keys from J on, of piece P, query I sees.
static uint32_t keys_seen(const struct attention *t, const struct attend_piece *p, int i, int j)
{
    int lo, hi;
    visible(p, t->a->n_q, i, &lo, &hi);
    lo = lo > j ? lo - j : 0;
    hi = hi - j < TILE_N ? hi - j : TILE_N;
    return lo < hi ? (uint32_t)(((uint64_t)1 << hi) - ((uint64_t)1 << lo)) : 0;
}

// Whether all queries of the tile see the whole panel from key J on.
static int all_seen(const struct attention *t, const struct attend_piece *p,
                    const struct query_tile *q, int j)
{
    const uint32_t all = UINT32_MAX >> (32 - TILE_N);
    return keys_seen(t, p, q->q0, j) == all && keys_seen(t, p, q->q0 + q->n - 1, j) == all;
}

#endif
