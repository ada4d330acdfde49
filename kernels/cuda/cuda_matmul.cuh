// Products: few rows of x from the quantised bytes, many rows in tiles from them, and what stands
// before and after cuBLAS: rows of x and weights in half precision, bias and scale behind it.
#ifndef LCTOOL_KERNELS_CUDA_CUDA_MATMUL_CUH
#define LCTOOL_KERNELS_CUDA_CUDA_MATMUL_CUH

#include "kernels/cuda/cuda_kernel.cuh"
#include "kernels/cuda/cuda_quant.cuh"

// out[n][rows] = x[n][cols] W^T (+ bias[rows]) (+ add[n][rows])
struct cuda_matvec {
    float *out;
    const uint8_t *w;
    const float *x, *bias, *add;
    size_t row_bytes;
    uint32_t type;
    int n, rows, cols;
};

enum {
    CUDA_FEW = 8,        // rows of x that one matrix-vector product takes at once
    CUDA_LANES = 32,     // threads that share one row of W
    CUDA_TILE = 64,      // rows of x and of W in a block of the tiled product
    CUDA_TILE_COLS = 32, // and columns in one of its steps
    CUDA_MICRO = 4,      // a thread's share of the tile, each way
    CUDA_TILE_FLOATS = 2 * CUDA_TILE_COLS * (CUDA_TILE + 1),
};

CUDA_FN int cuda_matvec_steps(const struct cuda_matvec *p, struct cuda_place at)
{
    (void)p;
    (void)at;
    return 2;
}

// Sums of one lane over the groups of 16 columns that fall to it.
CUDA_FN void cuda_matvec_lane(const struct cuda_matvec *p, int row, int lane, float sum[CUDA_FEW])
{
    int groups = (p->cols + CUDA_GROUP - 1) / CUDA_GROUP;
    for (int i = 0; i < CUDA_FEW; i++)
        sum[i] = 0;
    for (int g = lane; g < groups && row < p->rows; g += CUDA_LANES) {
        float w[CUDA_GROUP];
        cuda_weights(p->type, p->w + (size_t)row * p->row_bytes, p->cols, g, w);
        int from = g * CUDA_GROUP, n = cuda_min(CUDA_GROUP, p->cols - from);
        for (int i = 0; i < CUDA_FEW; i++) {
            const float *x = p->x + (int64_t)i * p->cols + from;
            for (int j = 0; j < CUDA_GROUP && i < p->n; j++)
                sum[i] += j < n ? w[j] * x[j] : 0;
        }
    }
}

// A row of W for each CUDA_LANES threads. shared: [n_threads][CUDA_FEW + 1]
CUDA_FN void cuda_matvec_step(const struct cuda_matvec *p, int step, struct cuda_place at,
                              float *shared, struct cuda_none *own)
{
    (void)own;
    int per_block = at.n_threads / CUDA_LANES, first = at.bx * per_block;
    if (step == 0) {
        float sum[CUDA_FEW];
        cuda_matvec_lane(p, first + at.thread / CUDA_LANES, at.thread % CUDA_LANES, sum);
        for (int i = 0; i < CUDA_FEW; i++)
            shared[at.thread * (CUDA_FEW + 1) + i] = sum[i];
        return;
    }
    int i = at.thread / per_block, row = first + at.thread % per_block;
    if (i >= p->n || row >= p->rows)
        return;
    float sum = 0;
    for (int lane = 0; lane < CUDA_LANES; lane++)
        sum += shared[(at.thread % per_block * CUDA_LANES + lane) * (CUDA_FEW + 1) + i];
    int64_t to = (int64_t)i * p->rows + row;
    if (p->bias)
        sum += p->bias[row];
    if (p->add)
        sum += p->add[to];
    p->out[to] = sum;
}

// One row of x: all of it in shared memory, where the 16 numbers of a group begin at every 20th, so
// that the lanes of a warp read different banks; a warp takes PER_WARP rows of W, one after
// another. The sums are those of cuda_matvec, to the bit.
struct cuda_vector {
    struct cuda_matvec m;
    int per_warp;
};

enum {
    CUDA_VECTOR_THREADS = 256,
    CUDA_VECTOR_WARPS = CUDA_VECTOR_THREADS / CUDA_LANES,
    CUDA_VECTOR_PITCH = 20
};

static inline size_t cuda_vector_floats(int cols, int per_warp)
{
    size_t groups = ((size_t)cols + CUDA_GROUP - 1) / CUDA_GROUP;
    return groups * CUDA_VECTOR_PITCH + (size_t)per_warp * CUDA_VECTOR_WARPS * (CUDA_LANES + 1);
}

CUDA_FN int cuda_vector_steps(const struct cuda_vector *p, struct cuda_place at)
{
    (void)p;
    (void)at;
    return 3;
}

CUDA_FN float cuda_vector_lane(const struct cuda_matvec *p, int row, int lane, const float *x)
{
    int groups = (p->cols + CUDA_GROUP - 1) / CUDA_GROUP;
    float sum = 0;
    for (int g = lane; g < groups; g += CUDA_LANES) {
        float w[CUDA_GROUP], v[4];
        cuda_weights(p->type, p->w + (size_t)row * p->row_bytes, p->cols, g, w);
        for (int j = 0; j < CUDA_GROUP; j += 4) {
            cuda_load4(x + g * CUDA_VECTOR_PITCH + j, v);
            for (int i = 0; i < 4; i++)
                sum += w[j + i] * v[i];
        }
    }
    return sum;
}

// shared: x, then [CUDA_VECTOR_WARPS * per_warp][CUDA_LANES + 1] parts of sums
CUDA_FN void cuda_vector_step(const struct cuda_vector *p, int step, struct cuda_place at,
                              float *shared, struct cuda_none *own)
{
    (void)own;
    const struct cuda_matvec *m = &p->m;
    int groups = (m->cols + CUDA_GROUP - 1) / CUDA_GROUP,
        per_block = CUDA_VECTOR_WARPS * p->per_warp;
    float *parts = shared + groups * CUDA_VECTOR_PITCH;
    if (step == 0) {
        for (int k = at.thread; k < groups * CUDA_GROUP; k += at.n_threads)
            shared[k / CUDA_GROUP * CUDA_VECTOR_PITCH + k % CUDA_GROUP] = k < m->cols ? m->x[k] : 0;
    } else if (step == 1) {
        int lane = at.thread % CUDA_LANES;
        for (int r = 0; r < p->per_warp; r++) {
            int i = at.thread / CUDA_LANES * p->per_warp + r;
            int64_t row = (int64_t)at.bx * per_block + i;
            if (row < m->rows)
                parts[i * (CUDA_LANES + 1) + lane] = cuda_vector_lane(m, (int)row, lane, shared);
        }
    } else {
        int64_t row = (int64_t)at.bx * per_block + at.thread;
        if (at.thread >= per_block || row >= m->rows)
            return;
        float sum = 0;
        for (int lane = 0; lane < CUDA_LANES; lane++)
            sum += parts[at.thread * (CUDA_LANES + 1) + lane];
        if (m->bias)
            sum += m->bias[row];
        if (m->add)
            sum += m->add[row];
        m->out[row] = sum;
    }
}

struct cuda_sums { // what a thread of the tiled product keeps
    float v[CUDA_MICRO][CUDA_MICRO];
};

// The same product in tiles, bx over rows of W and by over rows of x.
struct cuda_tiled {
    struct cuda_matvec m;
};

CUDA_FN int cuda_tiled_steps(const struct cuda_tiled *p, struct cuda_place at)
{
    (void)at;
    return 2 + 2 * ((p->m.cols + CUDA_TILE_COLS - 1) / CUDA_TILE_COLS);
}

// CUDA_TILE_COLS columns of both, columns first so that neighbouring threads read neighbours.
CUDA_FN void cuda_tiled_load(const struct cuda_matvec *p, int col, struct cuda_place at,
                             float *x_tile, float *w_tile)
{
    for (int k = at.thread; k < CUDA_TILE * CUDA_TILE_COLS; k += at.n_threads) {
        int64_t i = (int64_t)at.by * CUDA_TILE + k / CUDA_TILE_COLS;
        int c = col + k % CUDA_TILE_COLS;
        x_tile[k % CUDA_TILE_COLS * (CUDA_TILE + 1) + k / CUDA_TILE_COLS] =
            i < p->n && c < p->cols ? p->x[i * p->cols + c] : 0;
    }
    for (int k = at.thread; k < CUDA_TILE * CUDA_TILE_COLS / CUDA_GROUP; k += at.n_threads) {
        int r = k % CUDA_TILE, g = k / CUDA_TILE;
        int64_t row = (int64_t)at.bx * CUDA_TILE + r;
        float w[CUDA_GROUP];
        for (int j = 0; j < CUDA_GROUP; j++)
            w[j] = 0;
        if (row < p->rows && col + g * CUDA_GROUP < p->cols)
            cuda_weights(p->type, p->w + (size_t)row * p->row_bytes, p->cols, col / CUDA_GROUP + g,
                         w);
        for (int j = 0; j < CUDA_GROUP; j++)
            w_tile[(g * CUDA_GROUP + j) * (CUDA_TILE + 1) + r] = w[j];
    }
}

CUDA_FN void cuda_tiled_write(const struct cuda_matvec *p, struct cuda_place at, int ti, int tr,
                              const struct cuda_sums *own)
{
    for (int a = 0; a < CUDA_MICRO; a++)
        for (int b = 0; b < CUDA_MICRO; b++) {
            int64_t i = (int64_t)at.by * CUDA_TILE + ti + a * (CUDA_TILE / CUDA_MICRO);
            int64_t row = (int64_t)at.bx * CUDA_TILE + tr + b * (CUDA_TILE / CUDA_MICRO);
            if (i >= p->n || row >= p->rows)
                continue;
            float sum = own->v[a][b];
            if (p->bias)
                sum += p->bias[row];
            if (p->add)
                sum += p->add[i * p->rows + row];
            p->out[i * p->rows + row] = sum;
        }
}

// A thread's 4 x 4 results lie 16 apart, so that the threads of a warp read different banks.
CUDA_FN void cuda_tiled_step(const struct cuda_tiled *p, int step, struct cuda_place at,
                             float *shared, struct cuda_sums *own)
{
    enum { ACROSS = CUDA_TILE / CUDA_MICRO };
    float *x_tile = shared, *w_tile = shared + CUDA_TILE_COLS * (CUDA_TILE + 1);
    int ti = at.thread / ACROSS, tr = at.thread % ACROSS;
    if (step == 0) {
        for (int a = 0; a < CUDA_MICRO; a++)
            for (int b = 0; b < CUDA_MICRO; b++)
                own->v[a][b] = 0;
    } else if (step == cuda_tiled_steps(p, at) - 1) {
        cuda_tiled_write(&p->m, at, ti, tr, own);
    } else if (step % 2) {
        cuda_tiled_load(&p->m, step / 2 * CUDA_TILE_COLS, at, x_tile, w_tile);
    } else {
        for (int c = 0; c < CUDA_TILE_COLS; c++) {
            float x[CUDA_MICRO], w[CUDA_MICRO];
            for (int a = 0; a < CUDA_MICRO; a++) {
                x[a] = x_tile[c * (CUDA_TILE + 1) + ti + a * ACROSS];
                w[a] = w_tile[c * (CUDA_TILE + 1) + tr + a * ACROSS];
            }
            for (int a = 0; a < CUDA_MICRO; a++)
                for (int b = 0; b < CUDA_MICRO; b++)
                    own->v[a][b] += x[a] * w[b];
        }
    }
}

// Weights in half precision: [rows][cols]. Sets *TOO_LARGE where one became infinite.
struct cuda_half_weights {
    uint16_t *out;
    const uint8_t *w;
    size_t row_bytes;
    uint32_t type;
    int rows, cols;
    int *too_large;
};

CUDA_FN int cuda_half_weights_steps(const struct cuda_half_weights *p, struct cuda_place at)
{
    (void)p;
    (void)at;
    return 1;
}

CUDA_FN void cuda_half_weights_step(const struct cuda_half_weights *p, int step,
                                    struct cuda_place at, float *shared, struct cuda_none *own)
{
    (void)step;
    (void)shared;
    (void)own;
    int groups = (p->cols + CUDA_GROUP - 1) / CUDA_GROUP;
    int64_t all = (int64_t)p->rows * groups;
    for (int64_t k = cuda_index(at); k < all; k += cuda_stride(at)) {
        int64_t row = k / groups;
        int g = (int)(k % groups);
        float w[CUDA_GROUP];
        cuda_weights(p->type, p->w + (size_t)row * p->row_bytes, p->cols, g, w);
        for (int j = 0; j < CUDA_GROUP && g * CUDA_GROUP + j < p->cols; j++) {
            uint16_t h = cuda_float_to_half(w[j]);
            if ((h & 0x7c00) == 0x7c00)
                *p->too_large = 1; // whoever writes, writes the same
            p->out[row * p->cols + g * CUDA_GROUP + j] = h;
        }
    }
}

// Rows of x in half precision, each divided by a power of two SCALE[i] where its numbers would be
// too large or too small for it; sums of their products are taken in float32.
struct cuda_half_rows {
    uint16_t *out;    // [n][cols]
    float *scale;     // [n]
    const float *x;   // [n][cols]
    const float *add; // [n][rows] or NULL: what the product is added to, moved to OUT first
    float *sums;      // [n][rows]
    int cols, rows;
};

CUDA_FN int cuda_half_rows_steps(const struct cuda_half_rows *p, struct cuda_place at)
{
    (void)p;
    return 2 + cuda_tree_steps(at.n_threads);
}

// The power of two by which a row is divided: 1 while its largest is between 2^-6 and 2^11, never
// below 2^-40, so that what is added to the product stays finite too.
CUDA_FN float cuda_half_scale(float max)
{
    uint32_t exponent = cuda_bits_of(max) >> 23 & 255;
    if (max == 0 || exponent == 255 || (exponent >= 127 - 6 && exponent < 127 + 11))
        return 1;
    return cuda_float_of((uint32_t)cuda_max((int)exponent - 11, 127 - 40) << 23);
}

// A block per row.
CUDA_FN void cuda_half_rows_step(const struct cuda_half_rows *p, int step, struct cuda_place at,
                                 float *shared, struct cuda_none *own)
{
    (void)own;
    const float *x = p->x + (int64_t)at.bx * p->cols;
    if (step == 0) {
        float max = 0;
        for (int k = at.thread; k < p->cols; k += at.n_threads)
            max = cuda_larger(fabsf(x[k]), max);
        shared[at.thread] = max;
    } else if (step <= cuda_tree_steps(at.n_threads)) {
        cuda_tree_max(shared, step - 1, at);
    } else {
        float scale = cuda_half_scale(shared[0]);
        for (int k = at.thread; k < p->cols; k += at.n_threads)
            p->out[(int64_t)at.bx * p->cols + k] = cuda_float_to_half(x[k] / scale);
        if (at.thread == 0)
            p->scale[at.bx] = scale;
        int64_t row = (int64_t)at.bx * p->rows;
        if (p->add && (scale != 1 || p->add != p->sums))
            for (int k = at.thread; k < p->rows; k += at.n_threads)
                p->sums[row + k] = p->add[row + k] / scale;
    }
}

// sums[n][rows] = sums * scale[n] (+ bias[rows]); a block per row.
struct cuda_settle {
    float *sums;
    const float *scale, *bias;
    int rows;
};

CUDA_FN int cuda_settle_steps(const struct cuda_settle *p, struct cuda_place at)
{
    return p->bias || p->scale[at.bx] != 1;
}

CUDA_FN void cuda_settle_step(const struct cuda_settle *p, int step, struct cuda_place at,
                              float *shared, struct cuda_none *own)
{
    (void)step;
    (void)shared;
    (void)own;
    float *sums = p->sums + (int64_t)at.bx * p->rows;
    for (int k = at.thread; k < p->rows; k += at.n_threads)
        sums[k] = sums[k] * p->scale[at.bx] + (p->bias ? p->bias[k] : 0);
}

#endif
