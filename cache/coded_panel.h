// Codecs 4 and 5, reading: coefficients of a group's channels laid as mix_bytes wants them, and
// their sums.
//
//     struct coded_room w;
//     if (coded_room_new(&w, b, n_tokens, n_side, &e)) ...      // chunks of one layer, decoded side by side
//     coded_panels(&w, readers, b, groups, 1, &e)               // reads all channels of a group
//     coded_sums(&w, b, 0, t, n)                                // n tokens from T on, to w.sum
//     coded_room_done(&w);
#ifndef LCTOOL_CACHE_CODED_PANEL_H
#define LCTOOL_CACHE_CODED_PANEL_H

#include "cache/coded_levels.h"

// Coefficients that fit bytes, laid side by side, and what mix_bytes needs with them.
struct coded_panel {
    int8_t *q;              // [fours][all][4]
    int32_t *less;          // [all]
    const uint8_t *rows[2]; // [fours][panel_width][4], of each group: those of the basis or,
    uint8_t *own;           // for the channels that have something left, these
    uint32_t fours;
};

// A coefficient is its byte in the first panel, plus 64 times that in the second, plus 64^2 times
// that in the third; most have only the first.
enum { CODED_PANELS = 3 };

struct coded_room {   // of a group
    uint32_t n;       // tokens of a chunk
    size_t n_side;    // chunks
    size_t np, all;   // tokens of a chunk, padded; tokens of all chunks together
    uint8_t *symbols; // [all] of a channel
    int8_t *levels;   // [4][all] of adjacent channels, or of the digits of one channel
    int32_t *sum;     // [2][MIX_TOKENS][panel_width]
    struct coded_panel panels[CODED_PANELS];
    int n_panels;   // of the current group
    int32_t *q;     // [live][all] what is left of the coefficients of the channels in WIDE
    uint32_t *wide; // [n_wide] channels with coefficients that a byte cannot hold
    uint32_t n_wide;
};

int coded_room_new(struct coded_room *w, const struct basis *b, uint32_t n, size_t n_side,
                   struct err *e);
void coded_room_done(struct coded_room *w);

// Reads a group with one panel of rows or, with N_PARTS 2, keys' and values' groups that share
// their channels. READERS [n_side] are at its beginning, and are moved to its end.
int coded_panels(struct coded_room *w, struct coded_reader *readers, const struct basis *b,
                 const struct basis_group *const *g, size_t n_parts, struct err *e);
// Sums for N tokens, 16 or 32, from T on, counted over all chunks, of one of these groups: W->sum
// [n][panel_width].
void coded_sums(struct coded_room *w, const struct basis *b, size_t part, size_t t, size_t n);

#endif
