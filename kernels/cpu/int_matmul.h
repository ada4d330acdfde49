// Products of many rows of x rounded to whole numbers (kernels.h says when and to how many bits),
// by instructions that multiply them and add them up. Included by the header with a register tile,
// kernels/cpu/int_tile.h or kernels/cpu/neon_mmla.h, behind INT_M and INT_STEP; what is declared
// here and not defined is defined by that header, by one that brings weights to bytes, or by the
// cpu_ISA.c.
//
// A weight is d * u + m, an activation e * q, of bytes with q in -127 .. 127, each with its scale
// for 32 neighbours (struct int_form has others). Of one such block the product is
// e * d * sum(u q) + m * e * sum(q).
#ifndef LCTOOL_KERNELS_CPU_INT_MATMUL_H
#define LCTOOL_KERNELS_CPU_INT_MATMUL_H

#include "kernels/cpu/simd_matmul.h"
#include "kernels/cpu/simd_rows.h"

enum { INT_FOURS = BLOCK / 4 };

struct int_form;

struct int_product {
    struct product p;
    const struct int_form *form;
    // The gated pair: p.w is gate, a panel has VW rows of each, and p.out = act(gate) * up.
    const struct mat *up; // NULL: no such pair
    enum act act;
    const float *norm; // NULL, or the weights of x's rmsnorm
    float eps;
    float *rows;   // with norm: per thread INT_M rows
    size_t blocks; // in a row
    // Tiles of INT_M rows of x, the last one narrower, with a multiple of INT_STEP; of each its
    // blocks as the tile wants them, and INT_STEP times their scales and sums.
    int32_t *x;      // [n / INT_M][blocks][form->fours * INT_M]: q
    float *x_scale;  // [n / INT_M][blocks][INT_M * INT_STEP]: e
    float *x_sum;    // likewise: e * sum(q)
    uint8_t *panels; // per thread: a struct panel's arrays
    size_t panel_bytes;
    size_t ahead; // tasks until the one whose weights are asked for
};

// TILE_N weight rows, likewise.
struct panel {
    uint8_t *u;   // [blocks][4 * form->fours * TILE_N]
    float *d, *m; // [blocks][TILE_N * INT_STEP]
};

// How x and weights are kept for products of a type of weights, and what makes them so.
struct int_form {
    size_t block; // neighbours with one scale
    size_t fours; // groups of four bytes of these: as many numbers of 8 bits, or half as many of 16
    // A block, from AT on, of each of M rows, at most INT_M: X [fours * m], E [m * INT_STEP], SUM
    // likewise.
    void (*round)(const float *const *row, size_t at, size_t m, int32_t *x, float *e, float *sum);
    // The VW rows of W from ROW on to those of the panel from AT on.
    void (*fill)(const struct panel *panel, const struct mat *w, size_t row, size_t at);
    // acc[m][2] for the M <= INT_M rows of x from AT on and the panel's TILE_N weight rows.
    void (*tile)(int m, const struct int_product *p, const struct panel *panel, size_t at,
                 vf (*acc)[2]);
};

// That of TYPE; NULL: products with such weights are none of whole numbers.
static const struct int_form *form_of(uint32_t type);

static size_t block_bytes_of(const struct int_product *p)
{
    return 4 * p->form->fours * TILE_N;
}

static struct panel panel_of(const struct int_product *p, int thread)
{
    uint8_t *at = p->panels + (size_t)thread * p->panel_bytes;
    float *scales = (float *)(void *)(at + (p->blocks + 1) * block_bytes_of(p));
    return (struct panel){at, scales, scales + (p->blocks + 1) * TILE_N * INT_STEP};
}

// CALL(m) with a constant, 1 <= m <= INT_M.
#define INT_CASE(M, CALL)                                                                          \
    case M:                                                                                        \
        CALL(M);                                                                                   \
        break;
#if INT_M > 6
#define INT_CASES_7_8(CALL) INT_CASE(7, CALL) INT_CASE(8, CALL)
#else
#define INT_CASES_7_8(CALL)
#endif
#define INT_SWITCH(m, CALL)                                                                        \
    switch (m) {                                                                                   \
        INT_CASE(1, CALL)                                                                          \
        INT_CASE(2, CALL)                                                                          \
        INT_CASE(3, CALL)                                                                          \
        INT_CASE(4, CALL)                                                                          \
        INT_CASE(5, CALL)                                                                          \
        INT_CASE(6, CALL)                                                                          \
        INT_CASES_7_8(CALL)                                                                        \
    }

// ---- Of bytes, each 32 neighbours with a scale

// Whether weights of TYPE have codes of four bits, 32 of them with one scale.
static inline int of_four_bits(uint32_t type)
{
    return type == QUANT_Q4_0 || type == QUANT_Q4_1 || type == QUANT_Q4_K;
}

// Whether weights of TYPE have a minimum beside their scale (kernels/codes.h).
static inline int has_minimum(uint32_t type)
{
    return type == QUANT_Q4_1 || type == QUANT_Q5_1 || type == QUANT_Q2_K || type == QUANT_Q4_K ||
           type == QUANT_Q5_K;
}

// Whether all m of weights of TYPE are 0.
static int is_flat(uint32_t type);

// Where N weight rows of W from ROW on lie, a multiple of VW, and their bytes.
static const uint8_t *weights_at(const struct mat *w, size_t row, size_t n, size_t *bytes);

// bytes_form's parts.
static void fill_half(const struct panel *panel, const struct mat *w, size_t row, size_t at);
static void round_rows(const float *const *row, size_t at, size_t m, int32_t *x, float *e,
                       float *sum);
static void int_tile_m(int m, const struct int_product *p, const struct panel *panel, size_t at,
                       vf (*acc)[2]);

static const struct int_form bytes_form = {BLOCK, INT_FOURS, round_rows, fill_half, int_tile_m};

static int all_flat(const struct int_product *p)
{
    return is_flat(p->p.w->type) && (!p->up || is_flat(p->up->type));
}

// ---- Activations

// Row I of x, or its norm at TO.
static const float *row_of(const struct int_product *p, size_t i, float *to)
{
    const float *x = p->p.x + i * p->p.cols;
    if (!p->norm)
        return x;
    struct norm_job job = {to, x, p->norm, NULL, 1, (int)p->p.cols, p->eps};
    norm_task(&job, 0, 0);
    return to;
}

static void round_task(void *ctx, int task, int thread)
{
    const struct int_product *p = ctx;
    size_t at = (size_t)task * INT_M;
    size_t m = p->p.n - at < INT_M ? p->p.n - at : INT_M;
    const float *row[INT_M];
    for (size_t i = 0; i < m; i++)
        row[i] = row_of(p, at + i, p->rows + ((size_t)thread * INT_M + i) * p->p.cols);
    for (; m % INT_STEP; m++) // a row without a partner is its own
        row[m] = row[m - 1];
    for (size_t b = 0; b < p->blocks; b++) {
        size_t s = at * p->blocks + b * m;
        p->form->round(row, b * p->form->block, m, p->x + s * p->form->fours,
                       p->x_scale + s * INT_STEP, p->x_sum + s * INT_STEP);
    }
}

// ---- Weights

// weights_at of weights as they lie in the file.
static const uint8_t *rows_at(const struct mat *w, size_t row, size_t n, size_t *bytes)
{
    size_t row_bytes = (size_t)quant_bytes(w->type, (uint64_t)w->cols);
    *bytes = n * row_bytes;
    return (const uint8_t *)w->data + row * row_bytes;
}

// ---- Results

static void plain_out(const struct int_product *p, vf (*acc)[2], int m, size_t at, size_t row)
{
    size_t rows = p->p.rows;
    int width = rows - row < TILE_N ? (int)(rows - row) : TILE_N;
    for (int i = 0; i < m; i++)
        for (int v = 0; v < 2; v++) {
            size_t to = (at + (size_t)i) * rows + row + (size_t)(v * VW);
            vf y = acc[i][v];
            if (p->p.bias)
                y = y + load_upto(p->p.bias + row + v * VW, width - v * VW);
            if (p->p.add)
                y = y + load_upto(p->p.add + to, width - v * VW);
            store_upto(p->p.out + to, y, width - v * VW);
        }
}

static void gated_out(const struct int_product *p, vf (*acc)[2], int m, size_t at, size_t row)
{
    size_t rows = p->p.rows;
    int width = rows - row < VW ? (int)(rows - row) : VW;
    for (int i = 0; i < m; i++) {
        vf y = p->act == ACT_SILU ? silu(acc[i][0]) : gelu_tanh(acc[i][0]);
        store_upto(p->p.out + (at + (size_t)i) * rows + row, y * acc[i][1], width);
    }
}

static void int_rows(const struct int_product *p, const struct panel *panel, size_t at, size_t row)
{
    vf acc[INT_M][2];
    int m = p->p.n - at < INT_M ? (int)(p->p.n - at) : INT_M;
    for (int i = 0; i < m; i++) // no cache near has the lines of the output
        __builtin_prefetch(p->p.out + (at + (size_t)i) * p->p.rows + row, 1, 2);
    p->form->tile(m, p, panel, at, acc);
    if (p->up)
        gated_out(p, acc, m, at, row);
    else
        plain_out(p, acc, m, at, row);
}

// VW weight rows of W from ROW on, of which part AT of N is asked for.
static void ask_rows(const struct mat *w, size_t row, size_t at, size_t n)
{
    enum { LINE = 64 };
    size_t left = (size_t)w->rows - row, bytes;
    const uint8_t *src = weights_at(w, row, left < VW ? left : VW, &bytes);
    for (size_t i = bytes * at / n / LINE * LINE; i < bytes * (at + 1) / n; i += LINE)
        __builtin_prefetch(src + i, 0, 2);
}

// Part AT of N of the weights that a thread's next task is likely to have.
static void ask_ahead(const struct int_product *p, size_t row, size_t at, size_t n)
{
    row += p->ahead * (p->up ? VW : TILE_N);
    if (row < p->p.rows)
        ask_rows(p->p.w, row, at, n);
    if (p->up && row < p->p.rows)
        ask_rows(p->up, row, at, n);
    else if (row + VW < p->p.rows)
        ask_rows(p->p.w, row + VW, at, n);
}

static void int_task(void *ctx, int task, int thread)
{
    const struct int_product *p = ctx;
    struct panel panel = panel_of(p, thread);
    size_t row = (size_t)(task % p->p.row_tiles) * (p->up ? VW : TILE_N);
    size_t tiles = (p->p.n + INT_M - 1) / INT_M, part = (size_t)(task / p->p.row_tiles);
    size_t first = tiles * part / (size_t)p->p.n_parts;
    size_t end = tiles * (part + 1) / (size_t)p->p.n_parts;
    p->form->fill(&panel, p->p.w, row, 0);
    if (p->up)
        p->form->fill(&panel, p->up, row, VW);
    else if (row + VW < p->p.rows)
        p->form->fill(&panel, p->p.w, row + VW, VW);
    for (size_t tile = first; tile < end; tile++) {
        ask_ahead(p, row, tile - first, end - first);
        int_rows(p, &panel, tile * INT_M, row);
    }
}

// Lays working memory out and rounds x into it; 0 where there is none.
static int round_x(struct cpu *c, struct int_product *p)
{
    size_t threads = (size_t)pool_threads(c->pool);
    size_t n = (p->p.n + INT_STEP - 1) / INT_STEP * INT_STEP;
    p->blocks = p->p.cols / p->form->block;
    p->panel_bytes = (p->blocks + 1) * (block_bytes_of(p) + 2 * TILE_N * INT_STEP * sizeof(float));
    size_t x_bytes = (n * p->blocks * 4 * p->form->fours + 63) & ~(size_t)63;
    size_t scale_bytes = (n * p->blocks * INT_STEP * sizeof(float) + 63) & ~(size_t)63;
    size_t rows_bytes = p->norm ? threads * INT_M * p->p.cols * sizeof(float) : 0;
    uint8_t *at = cpu_scratch(c, x_bytes + 2 * scale_bytes + threads * p->panel_bytes + rows_bytes);
    if (!at)
        return 0;
    p->x = (int32_t *)(void *)at;
    p->x_scale = (float *)(void *)(at + x_bytes);
    p->x_sum = (float *)(void *)(at + x_bytes + scale_bytes);
    p->panels = at + x_bytes + 2 * scale_bytes;
    p->rows = (float *)(void *)(p->panels + threads * p->panel_bytes);
    pool_run(c->pool, (int)((n + INT_M - 1) / INT_M), round_task, p);
    return 1;
}

static void int_run(struct cpu *c, struct int_product *p)
{
    plan_parts(&p->p, pool_threads(c->pool), INT_M);
    p->ahead = (size_t)pool_threads(c->pool);
    if (p->up)
        p->p.row_tiles = (int)((p->p.rows + VW - 1) / VW);
    pool_run(c->pool, p->p.row_tiles * p->p.n_parts, int_task, p);
}

// Of types that int_takes.
static void int_project_many(struct cpu *c, const struct project *q)
{
    struct int_product p = {.norm = q->norm, .eps = q->eps};
    const struct projection *to = q->to;
    for (int i = 0; i < q->n_to; i++, to++) {
        const struct int_form *form = form_of(to->w->type), *before = p.form;
        p.p = product_of(to->out, to->w, q->x, to->bias, to->add, q->n);
        p.form = form;
        if (form != before && !round_x(c, &p))
            return;
        int_run(c, &p);
    }
}

// Whether a product of N rows by weights of TYPE is one of whole numbers here.
static int int_takes(const struct cpu *c, uint32_t type, int n)
{
    return n > CPU_FEW && !c->exact && form_of(type);
}

// device_ops.project and ffn of many rows; 0 where they are none of whole numbers.
static int int_project(struct cpu *c, const struct project *p)
{
    for (int i = 0; i < p->n_to; i++)
        if (!int_takes(c, p->to[i].w->type, p->n))
            return 0;
    int_project_many(c, p);
    return 1;
}

static int int_ffn(struct cpu *c, const struct ffn *f)
{
    if (!int_takes(c, f->gate->type, f->n) || !int_takes(c, f->up->type, f->n) ||
        !int_takes(c, f->down->type, f->n) || form_of(f->gate->type) != form_of(f->up->type))
        return 0;
    struct int_product p = {.form = form_of(f->gate->type),
                            .p = product_of(f->g, f->gate, f->x, NULL, NULL, f->n),
                            .up = f->up,
                            .act = f->act,
                            .norm = f->norm,
                            .eps = f->eps};
    if (!round_x(c, &p))
        return 1;
    int_run(c, &p);
    const struct project down = {
        .x = f->g, .n = f->n, .n_to = 1, .to = {{f->out, f->down, NULL, f->add, NULL}}};
    int_project_many(c, &down);
    return 1;
}

#endif
