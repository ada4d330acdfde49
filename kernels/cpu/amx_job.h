// A product on tiles, as its parts see it. Rows of x are taken 32 at a time, a group, and so are
// rows of weights, a panel: a group by a panel is four tiles of sums.
#ifndef LCTOOL_KERNELS_CPU_AMX_JOB_H
#define LCTOOL_KERNELS_CPU_AMX_JOB_H

#include <stdatomic.h>

#include "kernels/cpu/amx_tiles.h"
#include "kernels/kernels.h"

enum {
    PANEL = 2 * AMX_ROWS,
    SUMS = PANEL * PANEL,
    AMX_MOST_K = 18, // tiles of k of one pass: a panel's stay in the first-level cache
    AMX_PARTS = 64,  // of the rows of x, at most
    AMX_FEW = 16,    // rows of x up to which products of bytes are sooner done
};

struct amx_job {
    size_t n, cols;       // rows of x, and their length
    size_t steps, groups; // tiles of a row of x; groups of PANEL rows
    size_t k0, k_n;       // the present pass: its first tile of k, and how many
    uint16_t *x;          // [groups][2][steps] tiles A
    const float *from;    // [n][cols] what x is made from
    const float *norm;    // NULL, or its rmsnorm's weights
    float eps;
    const struct projection *to; // [n_to]
    int n_to;
    int puts; // heads that are to have a product get it (struct projection), not out
    int cold; // the output is more than a thread's second-level cache keeps
    // The gated pair: to[0] and to[1] are gate and up, a panel has 16 rows of each, and
    // act(gate) * up becomes tiles A of the next product.
    int gated;
    enum act act;
    uint16_t *y; // [groups][2][y_steps] tiles A
    size_t y_steps;
    int n_panels, n_runs, n_parts; // a task is one run of panels by one part of the groups
    atomic_int next[AMX_PARTS];    // the run of each part that is to be taken
    void (*multiply)(const struct amx_job *j, int part, int run, int thread); // a run by a part
    void (*step)(const struct amx_job *j, int part, int run, int thread);
    int n_steps;      // runs of a part
    uint8_t *scratch; // per thread: [2][2][k_n] tiles B, then [SUMS] floats
    size_t scratch_bytes;
};

// The groups of a part.
static void amx_part(const struct amx_job *j, int part, size_t *first, size_t *end)
{
    *first = j->groups * (size_t)part / (size_t)j->n_parts;
    *end = j->groups * ((size_t)part + 1) / (size_t)j->n_parts;
}

struct amx_panel {
    const struct mat *w[2]; // of its two halves; [1] is NULL where there is none
    size_t row[2];          // their first weight rows
    const struct projection *to;
};

static struct amx_panel amx_panel_at(const struct amx_job *j, int index)
{
    size_t i = (size_t)index;
    const struct projection *to = j->to;
    if (j->gated)
        return (struct amx_panel){{to[0].w, to[1].w}, {i * AMX_ROWS, i * AMX_ROWS}, to};
    for (; i * PANEL >= (size_t)to->w->rows; to++)
        i -= ((size_t)to->w->rows + PANEL - 1) / PANEL;
    size_t row = i * PANEL;
    int both = row + AMX_ROWS < (size_t)to->w->rows;
    return (struct amx_panel){{to->w, both ? to->w : NULL}, {row, row + AMX_ROWS}, to};
}

#endif
