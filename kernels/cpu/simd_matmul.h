// Matrix product and embedding over the vectors of kernels/cpu/vec_*.h; included once by each
// kernels/cpu/cpu_ISA.c, after its vec header.
//
// Many rows of x: a tile of TILE_N weight rows is dequantised once into a panel [k][TILE_N], and
// register tiles of TILE_M x TILE_N outputs are summed over k, each output in one chain of fused
// multiply-adds in the order of k. So the bits of an output depend on nothing but its own rows.
// Few rows of x: the weights are dequantised in registers and used at once.
#ifndef LCTOOL_KERNELS_CPU_SIMD_MATMUL_H
#define LCTOOL_KERNELS_CPU_SIMD_MATMUL_H

#include <string.h>

#include "kernels/codes.h"
#include "kernels/cpu/cpu.h"
#include "kernels/quant.h"

#define INLINE static inline __attribute__((always_inline))

// CALL with the constant M for N, and 4 for more than three, so that what is inlined in it knows
// how many rows it has.
#define WITH_ROWS(n, call)                                                                         \
    switch (n) {                                                                                   \
    case 1: {                                                                                      \
        enum { M = 1 };                                                                            \
        call;                                                                                      \
        break;                                                                                     \
    }                                                                                              \
    case 2: {                                                                                      \
        enum { M = 2 };                                                                            \
        call;                                                                                      \
        break;                                                                                     \
    }                                                                                              \
    case 3: {                                                                                      \
        enum { M = 3 };                                                                            \
        call;                                                                                      \
        break;                                                                                     \
    }                                                                                              \
    default: {                                                                                     \
        enum { M = 4 };                                                                            \
        call;                                                                                      \
        break;                                                                                     \
    }                                                                                              \
    }

enum {
    TILE_N = 2 * VW, // weight rows of a register tile
    TILE_K = 1024,   // weights of a row held at once: the panel stays in the second-level cache
    DEQUANT_K = 256, // and of these, dequantised before they are transposed
    FEW = 4, // rows of x that weights are multiplied by while they are in registers, up to CPU_FEW
             // in all
    FEW_ROWS = 32, // weight rows of one task then
    BLOCK = 32,    // weights of the common block types
    BLOCK_VECS = BLOCK / VW,
};

// ---- Dequantisation: 32 weights into registers. Equals kernels/quant.c bit for bit.

INLINE void load_q4_0(const void *src, vf w[BLOCK_VECS])
{
    const struct block_q4_0 *b = src;
    nibble_map map = nibble_affine(v_half(b->d), 8, v_set1(0));
    nibble_expand(b->qs, map, map, w, w + BLOCK_VECS / 2);
}

INLINE void load_q4_1(const void *src, vf w[BLOCK_VECS])
{
    const struct block_q4_1 *b = src;
    vf d, m;
    v_half_pair(b->d, &d, &m);
    nibble_map map = nibble_affine(d, 0, m);
    nibble_expand(b->qs, map, map, w, w + BLOCK_VECS / 2);
}

INLINE void load_q8_0(const void *src, vf w[BLOCK_VECS])
{
    const struct block_q8_0 *b = src;
    vf d = v_half(b->d);
    for (int v = 0; v < BLOCK_VECS; v++)
        w[v] = v_from_i8(b->qs + v * VW) * d;
}

INLINE void load_f32(const void *src, vf w[BLOCK_VECS])
{
    for (int v = 0; v < BLOCK_VECS; v++)
        w[v] = v_load((const float *)src + v * VW);
}

INLINE void load_f16(const void *src, vf w[BLOCK_VECS])
{
    for (int v = 0; v < BLOCK_VECS; v++)
        w[v] = v_from_f16((const uint16_t *)src + v * VW);
}

INLINE void load_bf16(const void *src, vf w[BLOCK_VECS])
{
    for (int v = 0; v < BLOCK_VECS; v++)
        w[v] = v_from_bf16((const uint16_t *)src + v * VW);
}

// Bytes of 32 weights of the types above; 0 for the others.
static size_t direct_bytes(uint32_t type)
{
    switch (type) {
    case QUANT_Q4_0:
        return sizeof(struct block_q4_0);
    case QUANT_Q4_1:
        return sizeof(struct block_q4_1);
    case QUANT_Q8_0:
        return sizeof(struct block_q8_0);
    case QUANT_F32:
        return BLOCK * 4;
    case QUANT_F16:
    case QUANT_BF16:
        return BLOCK * 2;
    default:
        return 0;
    }
}

INLINE void expand(void (*load)(const void *, vf *), size_t bytes, const uint8_t *src, float *dst,
                   size_t n)
{
    for (size_t i = 0; i < n; i += BLOCK, src += bytes) {
        vf w[BLOCK_VECS];
        load(src, w);
        for (int v = 0; v < BLOCK_VECS; v++)
            v_store(dst + i + (size_t)(v * VW), w[v]);
    }
}

static void expand_codes(const struct quant *q, const uint8_t *src, float *dst, size_t n)
{
    for (size_t i = 0; i < n; i += (size_t)q->block, src += q->bytes) {
        struct codes c;
        codes_of(q->type, src, &c);
        for (int j = 0; j < q->block; j += VW)
            v_store(dst + i + (size_t)j,
                    v_set1(c.scale[j / 16]) * v_from_i8(c.q + j) - v_set1(c.min[j / 16]));
    }
}

// N weights; N is a multiple of the type's block.
static void dequantize(uint32_t type, const uint8_t *src, float *dst, size_t n)
{
    size_t whole = n / BLOCK * BLOCK, bytes = direct_bytes(type);
    switch (type) {
    case QUANT_Q4_0:
        expand(load_q4_0, sizeof(struct block_q4_0), src, dst, whole);
        break;
    case QUANT_Q4_1:
        expand(load_q4_1, sizeof(struct block_q4_1), src, dst, whole);
        break;
    case QUANT_Q8_0:
        expand(load_q8_0, sizeof(struct block_q8_0), src, dst, whole);
        break;
    case QUANT_F32:
        expand(load_f32, BLOCK * 4, src, dst, whole);
        break;
    case QUANT_F16:
        expand(load_f16, BLOCK * 2, src, dst, whole);
        break;
    case QUANT_BF16:
        expand(load_bf16, BLOCK * 2, src, dst, whole);
        break;
    default:
        expand_codes(quant_find(type), src, dst, whole);
        break;
    }
    if (whole < n)
        quant_find(type)->dequantize(src + whole / BLOCK * bytes, dst + whole, n - whole);
}

// ---- Register tile

// acc[m][2] += x[k][m] * w[k][TILE_N], for M a constant after inlining.
INLINE void tile_fma(int m, size_t k, const float *x, const float *w, vf (*acc)[2])
{
    vf sum[TILE_M][2];
#pragma GCC unroll 16
    for (int i = 0; i < m; i++) {
        sum[i][0] = acc[i][0];
        sum[i][1] = acc[i][1];
    }
    for (size_t j = 0; j < k; j++, x += m, w += TILE_N) {
        vf w0 = v_load(w), w1 = v_load(w + VW);
#pragma GCC unroll 16
        for (int i = 0; i < m; i++) {
            vf xi = v_set1(x[i]);
            sum[i][0] = v_fma(xi, w0, sum[i][0]);
            sum[i][1] = v_fma(xi, w1, sum[i][1]);
        }
    }
#pragma GCC unroll 16
    for (int i = 0; i < m; i++) {
        acc[i][0] = sum[i][0];
        acc[i][1] = sum[i][1];
    }
}

static void tile_sum(int m, size_t k, const float *x, const float *w, vf (*acc)[2])
{
    switch (m) {
#define CASE(M)                                                                                    \
    case M:                                                                                        \
        tile_fma(M, k, x, w, acc);                                                                 \
        break
        CASE(1);
        CASE(2);
        CASE(3);
        CASE(4);
        CASE(5);
        CASE(6);
#if TILE_M > 6
        CASE(7);
        CASE(8);
#endif
#if TILE_M > 8
        CASE(9);
        CASE(10);
        CASE(11);
        CASE(12);
#endif
#undef CASE
    }
}

// dst[k][m] = src[m][k] whose rows are STRIDE apart.
static void pack_rows(float *dst, const float *src, size_t stride, int m, size_t k)
{
    for (size_t j = 0; j < k; j++)
        for (int i = 0; i < m; i++)
            dst[j * (size_t)m + (size_t)i] = src[(size_t)i * stride + j];
}

// dst[k][TILE_N], columns AT .. AT + VW - 1 = the VW rows src[][k], STRIDE apart.
static void pack_panel(float *dst, int at, const float *src, size_t stride, size_t k)
{
    size_t j = 0;
    for (; j + VW <= k; j += VW) {
        vf r[VW];
#pragma GCC unroll 16
        for (int i = 0; i < VW; i++)
            r[i] = v_load(src + (size_t)i * stride + j);
        v_transpose(r);
#pragma GCC unroll 16
        for (int i = 0; i < VW; i++)
            v_store(dst + (j + (size_t)i) * TILE_N + at, r[i]);
    }
    for (; j < k; j++)
        for (int i = 0; i < VW; i++)
            dst[j * TILE_N + (size_t)(at + i)] = src[(size_t)i * stride + j];
}

// ---- y = x W^T for many rows of x

struct product {
    float *out;
    const struct mat *w;
    const float *x, *bias, *add;
    size_t n, rows, cols;
    size_t row_bytes;
    float *packed;    // x as [n / TILE_M][cols][TILE_M], the last panel narrower
    float *scratch;   // per thread
    size_t scratch_n; // floats
    int row_tiles;
    int n_parts; // ranges of x that different tasks take
};

static struct product product_of(float *out, const struct mat *w, const float *x, const float *bias,
                                 const float *add, int n)
{
    return (struct product){.out = out,
                            .w = w,
                            .x = x,
                            .bias = bias,
                            .add = add,
                            .n = (size_t)n,
                            .rows = (size_t)w->rows,
                            .cols = (size_t)w->cols};
}

static void pack_x_task(void *ctx, int task, int thread)
{
    (void)thread;
    const struct product *p = ctx;
    size_t at = (size_t)task * TILE_M;
    int m = p->n - at < TILE_M ? (int)(p->n - at) : TILE_M;
    pack_rows(p->packed + at * p->cols, p->x + at * p->cols, p->cols, m, p->cols);
}

// Rows row .. row + TILE_N - 1, columns k0 .. k0 + k - 1 of W into the panel [k][TILE_N].
static void load_panel(float *panel, float *rows, const struct product *p, size_t row, size_t k0,
                       size_t k)
{
    for (size_t j = 0; j < k; j += DEQUANT_K) {
        size_t part = k - j < DEQUANT_K ? k - j : DEQUANT_K;
        size_t skip = (size_t)quant_bytes(p->w->type, k0 + j);
        for (int at = 0; at < TILE_N; at += VW) {
            for (int i = 0; i < VW; i++) {
                size_t r = row + (size_t)(at + i);
                float *dst = rows + (size_t)i * DEQUANT_K;
                if (r < p->rows)
                    dequantize(p->w->type, (const uint8_t *)p->w->data + r * p->row_bytes + skip,
                               dst, part);
                else
                    memset(dst, 0, part * sizeof *dst);
            }
            pack_panel(panel + j * TILE_N, at, rows, DEQUANT_K, part);
        }
    }
}

// BYTES from P on are in use: as many that come later are asked for. What brings memory by itself
// stops at the end of each of its pages.
INLINE void ask_later(const void *p, size_t bytes)
{
    enum { BEFORE = 2048, LINE = 64 };
    for (size_t at = 0; at < bytes; at += LINE)
        __builtin_prefetch((const char *)p + BEFORE + at);
}

INLINE vf load_upto(const float *p, int n)
{
    return n >= VW ? v_load(p) : n > 0 ? v_load_part(p, n) : v_set1(0);
}

INLINE void store_upto(float *p, vf v, int n)
{
    if (n >= VW)
        v_store(p, v);
    else if (n > 0)
        v_store_part(p, v, n);
}

// One register tile: rows AT .. of x, weight rows ROW .. , columns k0 .. k0 + k - 1.
static void product_tile(const struct product *p, const float *panel, size_t at, int m, size_t row,
                         size_t k0, size_t k)
{
    vf acc[TILE_M][2];
    int width = p->rows - row < TILE_N ? (int)(p->rows - row) : TILE_N;
    float *out = p->out + at * p->rows + row;
    const float *add = p->add ? p->add + at * p->rows + row : NULL;
    for (int i = 0; i < m; i++)
        for (int v = 0; v < 2; v++)
            acc[i][v] =
                k0 ? load_upto(out + (size_t)i * p->rows + v * VW, width - v * VW) : v_set1(0);
    tile_sum(m, k, p->packed + at * p->cols + k0 * (size_t)m, panel, acc);
    for (int i = 0; i < m; i++)
        for (int v = 0; v < 2; v++) {
            vf y = acc[i][v];
            if (!k0 && p->bias)
                y = y + load_upto(p->bias + row + v * VW, width - v * VW);
            if (!k0 && add) // now: OUT may be ADD
                y = y + load_upto(add + (size_t)i * p->rows + v * VW, width - v * VW);
            store_upto(out + (size_t)i * p->rows + v * VW, y, width - v * VW);
        }
}

static void product_task(void *ctx, int task, int thread)
{
    const struct product *p = ctx;
    float *panel = p->scratch + (size_t)thread * p->scratch_n;
    float *rows = panel + TILE_K * TILE_N;
    size_t row = (size_t)(task % p->row_tiles) * TILE_N;
    size_t tiles = (p->n + TILE_M - 1) / TILE_M, part = (size_t)(task / p->row_tiles);
    size_t first = tiles * part / (size_t)p->n_parts * TILE_M;
    size_t end = tiles * (part + 1) / (size_t)p->n_parts * TILE_M;
    for (size_t k0 = 0; k0 < p->cols; k0 += TILE_K) {
        size_t k = p->cols - k0 < TILE_K ? p->cols - k0 : TILE_K;
        load_panel(panel, rows, p, row, k0, k);
        for (size_t at = first; at < end && at < p->n; at += TILE_M)
            product_tile(p, panel, at, p->n - at < TILE_M ? (int)(p->n - at) : TILE_M, row, k0, k);
    }
}

// Into how many tasks the product is cut, for register tiles of TILE rows of x. Cutting x repeats
// the dequantisation, so only when there are too few row tiles to go round.
static void plan_parts(struct product *p, int threads, size_t tile)
{
    enum { TASKS_PER_THREAD = 4, MIN_TILES = 4 };
    int most = (int)(((p->n + tile - 1) / tile + MIN_TILES - 1) / MIN_TILES);
    p->row_tiles = (int)((p->rows + TILE_N - 1) / TILE_N);
    p->n_parts = threads > 1 ? (TASKS_PER_THREAD * threads + p->row_tiles - 1) / p->row_tiles : 1;
    if (p->n_parts > most)
        p->n_parts = most;
}

static void matmul_many(struct cpu *c, struct product *p)
{
    int threads = pool_threads(c->pool), x_tiles = (int)((p->n + TILE_M - 1) / TILE_M);
    plan_parts(p, threads, TILE_M);
    p->scratch_n = TILE_K * TILE_N + VW * DEQUANT_K;
    size_t packed_n = (p->n * p->cols + 15) & ~(size_t)15;
    p->packed = cpu_scratch(c, (packed_n + p->scratch_n * (size_t)threads) * sizeof(float));
    if (!p->packed)
        return;
    p->scratch = p->packed + packed_n;
    pool_run(c->pool, x_tiles, pack_x_task, p);
    pool_run(c->pool, p->row_tiles * p->n_parts, product_task, p);
}

// ---- y = x W^T for up to CPU_FEW rows of x

// y[i] += dot product of one weight row with row i of x, N and LOAD constants after inlining.
INLINE void row_dots(void (*load)(const void *, vf *), size_t bytes, int n, const uint8_t *w,
                     const float *x, size_t stride, size_t k, float *y)
{
    vf sum[FEW][2];
#pragma GCC unroll 4
    for (int i = 0; i < n; i++)
        sum[i][0] = sum[i][1] = v_set1(0);
    for (size_t j = 0; j < k; j += BLOCK, w += bytes) {
        vf v[BLOCK_VECS];
        load(w, v);
#pragma GCC unroll 4
        for (int i = 0; i < n; i++)
#pragma GCC unroll 8
            for (int u = 0; u < BLOCK_VECS; u++)
                sum[i][u & 1] = v_fma(v[u], v_load(x + (size_t)i * stride + j + (size_t)(u * VW)),
                                      sum[i][u & 1]);
    }
#pragma GCC unroll 4
    for (int i = 0; i < n; i++)
        y[i] += v_sum(sum[i][0] + sum[i][1]);
}

// The rows of x from AT on, FEW at most.
INLINE void row_dots_n(void (*load)(const void *, vf *), size_t bytes, const struct product *p,
                       size_t at, const uint8_t *w, size_t k0, size_t k, float *y)
{
    const float *x = p->x + at * p->cols + k0;
    WITH_ROWS(p->n - at, row_dots(load, bytes, M, w, x, p->cols, k, y));
}

// The types that have no register form: by way of a buffer.
static void row_dots_buffered(const struct product *p, size_t at, const uint8_t *w, size_t whole,
                              float *y)
{
    const struct quant *q = quant_find(p->w->type);
    size_t bytes = DEQUANT_K / (size_t)q->block * (size_t)q->bytes;
    for (size_t j = 0; j < whole; j += DEQUANT_K, w += bytes) {
        float buf[DEQUANT_K];
        size_t part = whole - j < DEQUANT_K ? whole - j : DEQUANT_K;
        expand_codes(q, w, buf, part);
        row_dots_n(load_f32, BLOCK * 4, p, at, (const uint8_t *)buf, j, part, y);
    }
}

static void row_dots_type(const struct product *p, size_t at, const uint8_t *w, size_t whole,
                          float *y)
{
    switch (p->w->type) {
    case QUANT_Q4_0:
        row_dots_n(load_q4_0, sizeof(struct block_q4_0), p, at, w, 0, whole, y);
        break;
    case QUANT_Q4_1:
        row_dots_n(load_q4_1, sizeof(struct block_q4_1), p, at, w, 0, whole, y);
        break;
    case QUANT_Q8_0:
        row_dots_n(load_q8_0, sizeof(struct block_q8_0), p, at, w, 0, whole, y);
        break;
    case QUANT_F32:
        row_dots_n(load_f32, BLOCK * 4, p, at, w, 0, whole, y);
        break;
    case QUANT_F16:
        row_dots_n(load_f16, BLOCK * 2, p, at, w, 0, whole, y);
        break;
    case QUANT_BF16:
        row_dots_n(load_bf16, BLOCK * 2, p, at, w, 0, whole, y);
        break;
    default:
        row_dots_buffered(p, at, w, whole, y);
        break;
    }
}

static void few_task(void *ctx, int task, int thread)
{
    (void)thread;
    const struct product *p = ctx;
    size_t whole = p->cols / BLOCK * BLOCK, first = (size_t)task * FEW_ROWS;
    size_t end = first + FEW_ROWS < p->rows ? first + FEW_ROWS : p->rows;
    for (size_t r = first; r < end; r++) {
        const uint8_t *w = (const uint8_t *)p->w->data + r * p->row_bytes;
        float y[CPU_FEW] = {0}, rest[BLOCK];
        for (size_t at = 0; at < p->n; at += FEW)
            row_dots_type(p, at, w, whole, y + at);
        if (whole < p->cols)
            quant_find(p->w->type)
                ->dequantize(w + quant_bytes(p->w->type, whole), rest, p->cols - whole);
        for (size_t i = 0; i < p->n; i++) {
            for (size_t k = whole; k < p->cols; k++)
                y[i] += rest[k - whole] * p->x[i * p->cols + k];
            if (p->bias)
                y[i] += p->bias[r];
            if (p->add)
                y[i] += p->add[i * p->rows + r];
            p->out[i * p->rows + r] = y[i];
        }
    }
}

static void simd_matmul(struct cpu *c, float *out, const struct mat *w, const float *x,
                        const float *bias, const float *add, int n)
{
    struct product p = product_of(out, w, x, bias, add, n);
    p.row_bytes = (size_t)quant_bytes(w->type, p.cols);
    if (n > CPU_FEW)
        matmul_many(c, &p);
    else if (n > 0)
        pool_run(c->pool, (int)((p.rows + FEW_ROWS - 1) / FEW_ROWS), few_task, &p);
}

static void simd_embed(struct cpu *c, float *out, const struct mat *table, const uint32_t *ids,
                       int n, float scale)
{
    (void)c;
    size_t cols = (size_t)table->cols, bytes = (size_t)quant_bytes(table->type, cols);
    for (int i = 0; i < n; i++)
        dequantize(table->type, (const uint8_t *)table->data + ids[i] * bytes,
                   out + (size_t)i * cols, cols);
    for (size_t i = 0; scale != 1 && i < (size_t)n * cols; i++)
        out[i] *= scale;
}

#endif
