#include "cache/coded_panel.h"

#include <stdlib.h>
#include <string.h>

#include "io/mem.h"
#include "kernels/codec/mix_bytes.h"
#include "kernels/vectors.h"

enum { LANES = 16, DIGIT_BITS = 6, DIGIT = 1 << DIGIT_BITS };
_Static_assert(4 * MIX_FOURS_MAX >= BASIS_LIVE_MAX, "a group fits a call of mix_bytes");

// Lays four channels side by side, [np][4]; subtracts 128 times their sum from LESS.
static void lay_side_by_side(const int8_t *levels, size_t np, int8_t *panel, int32_t *less)
{
    for (size_t t = 0; t < np; t += LANES) {
        bytes16 pairs[4], all[4];
        zip_bytes16(load_bytes16(levels + t), load_bytes16(levels + np + t), pairs);
        zip_bytes16(load_bytes16(levels + 2 * np + t), load_bytes16(levels + 3 * np + t),
                    pairs + 2);
        zip_pairs16(pairs[0], pairs[2], all);
        zip_pairs16(pairs[1], pairs[3], all + 2);
        for (int i = 0; i < 4; i++) {
            ints4 x = (ints4)all[i], y;
            memcpy(&y, less + t + 4 * (size_t)i, sizeof y);
            y -= (((ints4)((words4)x << 24) >> 24) + ((ints4)((words4)x << 16) >> 24) +
                  ((ints4)((words4)x << 8) >> 24) + (x >> 24)) *
                 128;
            memcpy(less + t + 4 * (size_t)i, &y, sizeof y);
        }
        memcpy(panel + 4 * t, all, sizeof all);
    }
}

// The lowest bytes of 16 integers.
static inline bytes16 low_bytes(const ints4 x[4])
{
    words8 a = __builtin_shufflevector((words8)x[0], (words8)x[1], 0, 2, 4, 6, 8, 10, 12, 14);
    words8 b = __builtin_shufflevector((words8)x[2], (words8)x[3], 0, 2, 4, 6, 8, 10, 12, 14);
    return __builtin_shufflevector((bytes16)a, (bytes16)b, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20,
                                   22, 24, 26, 28, 30);
}

// Takes the bytes of a panel from Q [np]; returns whether anything is left, which is then in Q.
static int take_bytes(int32_t *q, size_t np, int8_t *out)
{
    ints4 beyond = {0};
    for (size_t t = 0; t < np; t += 4) {
        ints4 x;
        memcpy(&x, q + t, sizeof x);
        beyond |= (x > MIX_Q_MAX) | (x < -MIX_Q_MAX);
    }
    const int fits = !(beyond[0] | beyond[1] | beyond[2] | beyond[3]);
    for (size_t t = 0; t < np; t += LANES) {
        ints4 x[4], low[4];
        memcpy(x, q + t, sizeof x);
        for (int i = 0; i < 4; i++) {
            low[i] = fits ? x[i] : ((x[i] + DIGIT / 2) & (DIGIT - 1)) - DIGIT / 2;
            x[i] = (x[i] - low[i]) >> DIGIT_BITS;
        }
        bytes16 bytes = low_bytes(low);
        memcpy(out + t, &bytes, sizeof bytes);
        memcpy(q + t, x, sizeof x);
    }
    return !fits;
}

// Prefetches what will be needed when all channels are read, while the processor has time.
static void fetch(const uint8_t *p, size_t bytes)
{
    for (size_t i = 0; i < bytes; i += 64)
        __builtin_prefetch(p + i, 0, 2);
}

// Reads all channels of a group into the first panel, and what does not fit into W->q.
static void get_panel(struct coded_reader *r, const struct basis *b,
                      const struct basis_group *const *parts, size_t n_parts, struct coded_room *w)
{
    const struct basis_group *g = parts[0];
    struct coded_panel *p = &w->panels[0];
    w->n_wide = 0;
    for (size_t i = 0; i < n_parts; i++)
        p->rows[i] = parts[i]->panel;
    p->fours = (g->n_live + 3) / 4;
    memset(p->less, 0, w->all * sizeof *p->less);
    for (uint32_t c = 0; c < 4 * p->fours; c++) {
        int8_t *levels = w->levels + c % 4 * w->all;
        int32_t *q = w->q + w->n_wide * w->all;
        for (size_t i = 0; i < n_parts; i++)
            fetch(p->rows[i] + (size_t)c * b->panel_width, b->panel_width);
        if (c >= g->n_live)
            memset(levels, 0, w->all);
        else if (coded_channel(r, w->n_side, &b->tables[g->table[c]], w->n, w->np, w->symbols,
                               levels, q) &&
                 take_bytes(q, w->all, levels))
            w->wide[w->n_wide++] = c;
        if (c % 4 == 3)
            lay_side_by_side(w->levels, w->all, p->q + c / 4 * 4 * w->all, p->less);
    }
}

// Lays the rows of the remaining channels side by side.
static void pick_rows(const struct coded_room *w, const uint8_t *from, size_t width,
                      size_t panel_width, uint8_t *to)
{
    for (uint32_t i = 0; i < w->n_wide; i++)
        for (size_t d = 0; d < width; d++)
            to[(i / 4 * panel_width + d) * 4 + i % 4] =
                from[(w->wide[i] / 4 * panel_width + d) * 4 + w->wide[i] % 4];
}

// Makes the next panel from what the one before it could not hold: of few channels, or of all if
// most have something left.
static int get_rest_of_panel(struct coded_panel *p, const struct basis *b,
                             const struct basis_group *const *parts, size_t n_parts,
                             struct coded_room *w, struct err *e)
{
    const struct basis_group *g = parts[0];
    const size_t room = coded_live_most(b) + 3, panel_width = b->panel_width;
    const int all = 2 * w->n_wide > g->n_live;
    const uint32_t n_rows = all ? g->n_live : w->n_wide;
    uint32_t next = 0, n_wide = 0;
    p->fours = (n_rows + 3) / 4;
    if (!p->q &&
        (!(p->q = mem_new(room, w->all, e)) || !(p->own = mem_new(2 * room, panel_width, e)) ||
         !(p->less = mem_new(w->all, sizeof *p->less, e))))
        return ERR_NOMEM;
    for (size_t i = 0; i < n_parts; i++) {
        uint8_t *own = p->own + i * room * panel_width;
        p->rows[i] = all ? parts[i]->panel : own;
        if (!all)
            pick_rows(w, parts[i]->panel, coded_group_width(b), panel_width, own);
    }
    memset(p->less, 0, w->all * sizeof *p->less);
    for (uint32_t i = 0; i < 4 * p->fours; i++) {
        int8_t *levels = w->levels + i % 4 * w->all;
        if (next == w->n_wide || (all && w->wide[next] != i)) {
            memset(levels, 0, w->all);
        } else {
            int32_t *q = w->q + next * w->all;
            if (take_bytes(q, w->all, levels)) {
                memmove(w->q + n_wide * w->all, q, w->all * sizeof *w->q);
                w->wide[n_wide++] = w->wide[next];
            }
            next++;
        }
        if (i % 4 == 3)
            lay_side_by_side(w->levels, w->all, p->q + i / 4 * 4 * w->all, p->less);
    }
    w->n_wide = n_wide;
    return 0;
}

int coded_panels(struct coded_room *w, struct coded_reader *readers, const struct basis *b,
                 const struct basis_group *const *g, size_t n_parts, struct err *e)
{
    int rc = 0;
    get_panel(readers, b, g, n_parts, w);
    for (w->n_panels = 1; !rc && w->n_wide && w->n_panels < CODED_PANELS; w->n_panels++)
        rc = get_rest_of_panel(&w->panels[w->n_panels], b, g, n_parts, w, e);
    return rc;
}

void coded_sums(struct coded_room *w, const struct basis *b, size_t part, size_t t, size_t n)
{
    const size_t each = n * b->panel_width;
    for (int i = 0; i < w->n_panels; i++) {
        const struct coded_panel *p = &w->panels[i];
        mix_bytes(p->q + 4 * t, 4 * w->all, n, p->fours, p->rows[part], b->panel_width, p->less + t,
                  w->sum + (i ? each : 0));
        for (size_t j = 0; j < each && i; j += 4) {
            words4 x, y; // modulo 2^32
            memcpy(&x, w->sum + j, sizeof x);
            memcpy(&y, w->sum + each + j, sizeof y);
            x += y << DIGIT_BITS * i;
            memcpy(w->sum + j, &x, sizeof x);
        }
    }
}

int coded_room_new(struct coded_room *w, const struct basis *b, uint32_t n, size_t n_side,
                   struct err *e)
{
    const size_t wide = b->panel_width, live = coded_live_most(b);
    const size_t np = basis_padded(n), all = n_side * np;
    *w = (struct coded_room){.n = n,
                             .n_side = n_side,
                             .np = np,
                             .all = all,
                             .symbols = mem_new(all, 1, e),
                             .levels = mem_new(4 * all + 4 * LANES, 1, e),
                             .sum = mem_new_aligned(2 * MIX_TOKENS * wide, sizeof *w->sum, e),
                             .panels[0] = {.q = mem_new_aligned(live + 3, all, e),
                                           .less = malloc(all * sizeof(int32_t))},
                             .q = malloc(live * all * sizeof *w->q),
                             .wide = malloc(live * sizeof *w->wide)};
    if (w->symbols && w->levels && w->panels[0].q && w->panels[0].less && w->sum && w->q && w->wide)
        return 0;
    return err_set(e, ERR_NOMEM, "out of memory (block)");
}

void coded_room_done(struct coded_room *w)
{
    free(w->symbols);
    free(w->levels);
    for (int i = 0; i < CODED_PANELS; i++) {
        free(w->panels[i].q);
        free(w->panels[i].less);
        free(w->panels[i].own);
    }
    free(w->sum);
    free(w->q);
    free(w->wide);
}
