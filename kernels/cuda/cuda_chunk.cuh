// Attention of a chunk with tensor cores: as in cuda_attend.cuh, but queries and keys are rotated
// once beforehand, a tile is 64 x 64, and the sums stay in registers. A row belongs to two threads,
// each for half of its keys. Heads of more than 128 numbers are brought to shared memory 128
// numbers at a time.
#ifndef LCTOOL_KERNELS_CUDA_CUDA_CHUNK_CUH
#define LCTOOL_KERNELS_CUDA_CUDA_CHUNK_CUH

#include "kernels/cuda/cuda_attend.cuh"
#include "kernels/cuda/cuda_mma.cuh"

enum {
    CUDA_CHUNK_ROWS = 64,
    CUDA_CHUNK_KEYS = 64,
    CUDA_CHUNK_THREADS = 128,
    CUDA_CHUNK_WARPS = CUDA_CHUNK_THREADS / CUDA_WARP,
    CUDA_CHUNK_PART = CUDA_MMA_MOST * CUDA_MMA_N * CUDA_CHUNK_WARPS, // numbers of a head at a time
    CUDA_CHUNK_PARTS = 2,                                            // at most
    CUDA_CHUNK_HALF = CUDA_CHUNK_KEYS / 2,
};

// ---- Rotation of rows [outer][inner], STRIDE inner rows apart

struct cuda_turn {
    struct cuda_attention a; // for the form of the rotation
    float *out;              // [outer][inner][head_dim]
    const float *x, *rope;   // [outer][stride][head_dim]
    int outer, inner, stride;
    int by_inner, by_outer; // which index counts the rows of ROPE; neither: there is one
};

CUDA_FN void cuda_turn_run(const struct cuda_turn *p, struct cuda_place at)
{
    int d = p->a.head_dim;
    int64_t all = (int64_t)p->outer * p->inner * d;
    for (int64_t k = cuda_index(at); k < all; k += cuda_stride(at)) {
        int64_t row = k / d, outer = row / p->inner, inner = row % p->inner;
        int64_t rope = (p->by_inner ? inner : p->by_outer ? outer : 0) * p->a.rope_dim;
        p->out[k] = cuda_turned(&p->a, p->x + (outer * p->stride + inner) * d, p->rope + rope,
                                (int)(k % d));
    }
}
CUDA_ONE_STEP(cuda_turn)

// ---- Tiles

// Parts of a head, and how wide the PART-th is.
CUDA_FN int cuda_chunk_parts(const struct cuda_attention *a)
{
    return (a->head_dim + CUDA_CHUNK_PART - 1) / CUDA_CHUNK_PART;
}

CUDA_FN int cuda_chunk_width(const struct cuda_attention *a, int part)
{
    return cuda_min(a->head_dim - part * CUDA_CHUNK_PART, CUDA_CHUNK_PART);
}

// Pitches that put a warp's parts of a factor into different banks.
CUDA_FN int cuda_chunk_pitch(const struct cuda_attention *a)
{
    return cuda_chunk_width(a, 0) + 4;
}

CUDA_FN int cuda_chunk_v_pitch(const struct cuda_attention *a)
{
    return cuda_chunk_width(a, 0) + 8;
}

enum { CUDA_CHUNK_SCORE_PITCH = CUDA_CHUNK_KEYS + 4 };

struct cuda_chunk_tile {
    float *q, *kv, *score;
    float *part; // [2][64]: of each thread of a row, or of a key
    float *fade; // [rows]
};

static inline size_t cuda_chunk_floats(int head_dim)
{
    size_t width = (size_t)(head_dim < CUDA_CHUNK_PART ? head_dim : CUDA_CHUNK_PART);
    return (size_t)CUDA_CHUNK_ROWS * (width + 4) + CUDA_CHUNK_KEYS * (width + 8) +
           CUDA_CHUNK_ROWS * CUDA_CHUNK_SCORE_PITCH + 3 * CUDA_CHUNK_ROWS;
}

CUDA_FN struct cuda_chunk_tile cuda_chunk_at(const struct cuda_attention *a, float *shared)
{
    struct cuda_chunk_tile t;
    t.q = shared;
    t.kv = t.q + CUDA_CHUNK_ROWS * cuda_chunk_pitch(a);
    t.score = t.kv + CUDA_CHUNK_KEYS * cuda_chunk_v_pitch(a);
    t.part = t.score + CUDA_CHUNK_ROWS * CUDA_CHUNK_SCORE_PITCH;
    t.fade = t.part + 2 * CUDA_CHUNK_ROWS;
    return t;
}

// A part of keys or values FROM .. FROM + 63 of one kv head, STRIDE tokens a head; zeros past the
// N-th.
CUDA_FN void cuda_chunk_load_kv(const struct cuda_attention *a, int part, const float *all, int n,
                                int stride, int kv, int from, struct cuda_place at, int pitch,
                                float *out)
{
    int fours = cuda_chunk_width(a, part) / 4;
    all += part * CUDA_CHUNK_PART;
    for (int k = at.thread; k < CUDA_CHUNK_KEYS * fours; k += at.n_threads) {
        int row = k / fours, c = k % fours * 4;
        float x[4] = {0, 0, 0, 0};
        if (from + row < n)
            cuda_load4(all + ((int64_t)kv * stride + from + row) * a->head_dim + c, x);
        cuda_store4(out + row * pitch + c, x);
    }
}

CUDA_FN void cuda_chunk_load_q(const struct cuda_attention *a, int part, const float *q,
                               struct cuda_rows_of r, struct cuda_place at, float *out)
{
    int fours = cuda_chunk_width(a, part) / 4;
    q += part * CUDA_CHUNK_PART;
    for (int k = at.thread; k < CUDA_CHUNK_ROWS * fours; k += at.n_threads) {
        int row = k / fours, c = k % fours * 4;
        float x[4] = {0, 0, 0, 0};
        if (row < r.n_rows)
            cuda_load4(q +
                           ((int64_t)cuda_query_of(r, row) * a->n_heads + cuda_head_of(r, row)) *
                               a->head_dim +
                           c,
                       x);
        cuda_store4(out + row * cuda_chunk_pitch(a) + c, x);
    }
}

// Of keys that a warp takes.
enum { CUDA_CHUNK_TILES = CUDA_CHUNK_KEYS / CUDA_CHUNK_WARPS / CUDA_MMA_N };

// What the PART-th part adds to the tile's products, of which a warp has 16 keys and all rows.
CUDA_FN void cuda_chunk_products(const struct cuda_attention *a, int part, struct cuda_place at,
                                 const struct cuda_chunk_tile *t,
                                 float c[CUDA_MMA_MOST][CUDA_MMA_MOST][4])
{
    int lane = at.thread % CUDA_WARP, pitch = cuda_chunk_pitch(a),
        width = cuda_chunk_width(a, part);
    int first = at.thread / CUDA_WARP * CUDA_CHUNK_TILES * CUDA_MMA_N;
    for (int m = 0; m < CUDA_MMA_MOST && !part; m++)
        for (int n = 0; n < CUDA_CHUNK_TILES; n++)
            for (int i = 0; i < 4; i++)
                c[m][n][i] = 0;
    for (int k = 0; k < width; k += CUDA_MMA_K)
        cuda_mma(t->q + k, pitch, t->kv + first * pitch + k, 1, pitch, CUDA_CHUNK_TILES, lane, c);
}

// Scores of the tile. Minus infinity where a row does not see a key.
CUDA_FN void cuda_chunk_scores(const struct cuda_attention *a, const struct cuda_piece *p,
                               struct cuda_rows_of r, int from, struct cuda_place at,
                               const struct cuda_chunk_tile *t,
                               float c[CUDA_MMA_MOST][CUDA_MMA_MOST][4])
{
    int lane = at.thread % CUDA_WARP, first = at.thread / CUDA_WARP * CUDA_CHUNK_TILES * CUDA_MMA_N;
    for (int m = 0; m < CUDA_MMA_MOST; m++)
        for (int h = 0; h < 2; h++) {
            int row = m * CUDA_MMA_M + cuda_result_row(lane, 2 * h), lo = 0, hi = 0;
            if (row < r.n_rows)
                cuda_visible(p, a->n_q, cuda_query_of(r, row), &lo, &hi);
            for (int n = 0; n < CUDA_CHUNK_TILES; n++)
                for (int i = 2 * h; i < 2 * h + 2; i++) {
                    int col = first + n * CUDA_MMA_N + cuda_result_col(lane, i);
                    float s = c[m][n][i] * a->scale;
                    if (a->softcap != 0)
                        s = a->softcap * tanhf(s / a->softcap);
                    t->score[row * CUDA_CHUNK_SCORE_PITCH + col] =
                        from + col >= lo && from + col < hi ? s : -INFINITY;
                }
        }
}

// ---- One split of the keys

struct cuda_chunk {
    struct cuda_attention a;     // pieces: keys are rotated, or as they are
    const float *q[CUDA_PIECES]; // rotated for each piece: [n_q][n_heads][head_dim]
    int k_stride[CUDA_PIECES];
    float *sum;        // [splits][n_q * n_heads][head_dim]
    float *max, *norm; // [splits][n_q * n_heads]
    int splits, tiles; // tiles of keys in each split, in all pieces one after another
};

// For the file of the whole attention; see kernels/cuda/cuda_chunk.cu.
struct cuda;
// Whether these shapes are ones for tensor cores, and products may be rounded.
int cuda_chunk_fits(const struct cuda *c, const struct cuda_attention *a);
size_t cuda_chunk_scratch(const struct cuda_attention *a);
// The splits of S, its keys and queries rotated in SCRATCH; leaves in P what the masses need.
void cuda_chunk_attend(struct cuda *c, const struct cuda_split *s, uint8_t *scratch,
                       struct cuda_chunk *p);
void cuda_chunk_masses(struct cuda *c, const struct cuda_chunk *p, int piece, float *mass,
                       const float *row_max, const float *row_norm);

struct cuda_chunk_own {
    float o[CUDA_CHUNK_PARTS][CUDA_MMA_MOST][CUDA_MMA_MOST]
           [4];                               // of all rows and the warp's share of each part
    float c[CUDA_MMA_MOST][CUDA_MMA_MOST][4]; // products of queries and keys
    float max, norm;                          // of the thread's row; norm: of its half of the keys
};

// A tile's: queries and keys, their products, part by part; maxima, exponentials; values, their
// products.
CUDA_FN int cuda_chunk_phases(int parts)
{
    return 1 + 4 * parts;
}

CUDA_FN int cuda_chunk_steps(const struct cuda_chunk *p, struct cuda_place at)
{
    (void)at;
    return 3 + cuda_chunk_phases(cuda_chunk_parts(&p->a)) * p->tiles;
}

// The largest score of half of a row. Neighbouring rows begin at different keys, and so read
// different banks.
CUDA_FN void cuda_chunk_max(struct cuda_place at, const struct cuda_chunk_tile *t)
{
    int row = at.thread % CUDA_CHUNK_ROWS, half = at.thread / CUDA_CHUNK_ROWS;
    const float *s = t->score + row * CUDA_CHUNK_SCORE_PITCH + half * CUDA_CHUNK_HALF;
    float max = -INFINITY;
    for (int j = 0; j < CUDA_CHUNK_HALF; j++)
        max = fmaxf(max, s[(j + row) % CUDA_CHUNK_HALF]);
    t->part[half * CUDA_CHUNK_ROWS + row] = max;
}

CUDA_FN void cuda_chunk_exp(struct cuda_place at, const struct cuda_chunk_tile *t,
                            struct cuda_chunk_own *own)
{
    int row = at.thread % CUDA_CHUNK_ROWS, half = at.thread / CUDA_CHUNK_ROWS;
    float *s = t->score + row * CUDA_CHUNK_SCORE_PITCH + half * CUDA_CHUNK_HALF;
    float max = fmaxf(own->max, fmaxf(t->part[row], t->part[CUDA_CHUNK_ROWS + row])), norm = 0;
    float fade = own->max == -INFINITY ? 0 : expf(own->max - max);
    for (int j = 0; j < CUDA_CHUNK_HALF; j++) {
        int k = (j + row) % CUDA_CHUNK_HALF;
        s[k] = s[k] == -INFINITY ? 0 : expf(s[k] - max);
        norm += s[k];
    }
    own->norm = own->norm * fade + norm;
    own->max = max;
    if (half == 0)
        t->fade[row] = fade;
}

// Which tiles of 8 columns of a part a warp has: N from FIRST on.
CUDA_FN void cuda_chunk_share(const struct cuda_attention *a, int part, struct cuda_place at,
                              int *first, int *n)
{
    int tiles = cuda_chunk_width(a, part) / CUDA_MMA_N, warp = at.thread / CUDA_WARP;
    int each = tiles / CUDA_CHUNK_WARPS, more = tiles % CUDA_CHUNK_WARPS;
    *first = warp * each + cuda_min(warp, more);
    *n = each + (warp < more);
}

CUDA_FN void cuda_chunk_values(const struct cuda_attention *a, int part, struct cuda_place at,
                               const struct cuda_chunk_tile *t,
                               float o[CUDA_MMA_MOST][CUDA_MMA_MOST][4])
{
    int lane = at.thread % CUDA_WARP, pitch = cuda_chunk_v_pitch(a), first, tiles;
    cuda_chunk_share(a, part, at, &first, &tiles);
    for (int m = 0; m < CUDA_MMA_MOST; m++)
        for (int n = 0; n < CUDA_MMA_MOST; n++)
            for (int i = 0; i < 4; i++)
                o[m][n][i] *= t->fade[m * CUDA_MMA_M + cuda_result_row(lane, i)];
    for (int k = 0; k < CUDA_CHUNK_KEYS; k += CUDA_MMA_K)
        cuda_mma(t->score + k, CUDA_CHUNK_SCORE_PITCH, t->kv + k * pitch + first * CUDA_MMA_N,
                 pitch, 1, tiles, lane, o);
}

CUDA_FN int64_t cuda_chunk_row(const struct cuda_chunk *p, struct cuda_rows_of r, int split,
                               int row)
{
    return (int64_t)split * p->a.n_q * p->a.n_heads +
           (int64_t)cuda_query_of(r, row) * p->a.n_heads + cuda_head_of(r, row);
}

CUDA_FN void cuda_chunk_sums(const struct cuda_chunk *p, int part, struct cuda_rows_of r, int split,
                             struct cuda_place at, float o[CUDA_MMA_MOST][CUDA_MMA_MOST][4])
{
    int lane = at.thread % CUDA_WARP, first, tiles;
    cuda_chunk_share(&p->a, part, at, &first, &tiles);
    for (int m = 0; m < CUDA_MMA_MOST; m++)
        for (int h = 0; h < 2; h++) {
            int row = m * CUDA_MMA_M + cuda_result_row(lane, 2 * h);
            if (row >= r.n_rows)
                continue;
            float *to = p->sum + cuda_chunk_row(p, r, split, row) * p->a.head_dim +
                        part * CUDA_CHUNK_PART + first * CUDA_MMA_N;
            for (int n = 0; n < CUDA_MMA_MOST; n++)
                for (int i = 2 * h; i < 2 * h + 2 && n < tiles; i++)
                    to[n * CUDA_MMA_N + cuda_result_col(lane, i)] = o[m][n][i];
        }
}

CUDA_FN void cuda_chunk_norms(const struct cuda_chunk *p, struct cuda_rows_of r, int split,
                              struct cuda_place at, const struct cuda_chunk_tile *t,
                              const struct cuda_chunk_own *own)
{
    if (at.thread < r.n_rows) { // the first half's threads
        int64_t to = cuda_chunk_row(p, r, split, at.thread);
        p->max[to] = own->max;
        p->norm[to] = t->part[at.thread] + t->part[CUDA_CHUNK_ROWS + at.thread];
    }
}

// Whether the tile before this one has brought the same queries.
CUDA_FN int cuda_chunk_has_q(const struct cuda_chunk *p, const struct cuda_piece *piece, int tile,
                             struct cuda_rows_of r)
{
    int from = 0;
    return tile % p->tiles > 0 && cuda_tile_of(&p->a, tile - 1, &from) == piece &&
           cuda_sees(&p->a, piece, r, from);
}

// One of a tile's steps. PARTS is a constant wherever this is called, so that sums stay in
// registers.
CUDA_FN void cuda_chunk_phase(const struct cuda_chunk *p, int parts, int phase, int tile, int kv,
                              struct cuda_rows_of r, struct cuda_place at,
                              const struct cuda_chunk_tile *t, struct cuda_chunk_own *own)
{
    const struct cuda_attention *a = &p->a;
    int from = 0, part = phase / 2, i;
    const struct cuda_piece *piece = cuda_tile_of(a, tile, &from);
    if (!piece || !cuda_sees(a, piece, r, from))
        return;
    i = (int)(piece - a->pieces);
    if (phase < 2 * parts && phase % 2 == 0) {
        if (parts > 1 || !cuda_chunk_has_q(p, piece, tile, r))
            cuda_chunk_load_q(a, part, p->q[i], r, at, t->q);
        cuda_chunk_load_kv(a, part, piece->k, piece->n, p->k_stride[i], kv, from, at,
                           cuda_chunk_pitch(a), t->kv);
    } else if (phase < 2 * parts) {
        cuda_chunk_products(a, part, at, t, own->c);
        if (part == parts - 1)
            cuda_chunk_scores(a, piece, r, from, at, t, own->c);
    } else if (phase == 2 * parts) {
        cuda_chunk_max(at, t);
        cuda_chunk_load_kv(a, 0, piece->v, piece->n, piece->stride, kv, from, at,
                           cuda_chunk_v_pitch(a), t->kv);
    } else if (phase == 2 * parts + 1) {
        cuda_chunk_exp(at, t, own);
    } else if (phase == 2 * parts + 2) {
        cuda_chunk_values(a, 0, at, t, own->o[0]);
    } else if (phase == 2 * parts + 3) {
        cuda_chunk_load_kv(a, 1, piece->v, piece->n, piece->stride, kv, from, at,
                           cuda_chunk_v_pitch(a), t->kv);
    } else if (parts > 1) {
        cuda_chunk_values(a, 1, at, t, own->o[1]);
    }
}

CUDA_FN void cuda_chunk_any_step(const struct cuda_chunk *p, int parts, int step,
                                 struct cuda_place at, float *shared, struct cuda_chunk_own *own)
{
    const struct cuda_attention *a = &p->a;
    struct cuda_chunk_tile t = cuda_chunk_at(a, shared);
    struct cuda_rows_of r = cuda_split_rows(a, at);
    int kv = at.by % a->n_kv_heads, split = at.by / a->n_kv_heads;
    int last = 2 + cuda_chunk_phases(parts) * p->tiles;
    if (step == 0) {
        for (int m = 0; m < CUDA_MMA_MOST; m++)
            for (int n = 0; n < CUDA_MMA_MOST; n++)
                for (int i = 0; i < 4; i++) {
                    own->o[0][m][n][i] = 0;
                    if (parts > 1)
                        own->o[1][m][n][i] = 0;
                }
        own->max = -INFINITY;
        own->norm = 0;
    } else if (step == last - 1) {
        t.part[at.thread] = own->norm;
    } else if (step == last) {
        cuda_chunk_sums(p, 0, r, split, at, own->o[0]);
        if (parts > 1)
            cuda_chunk_sums(p, 1, r, split, at, own->o[1]);
        cuda_chunk_norms(p, r, split, at, &t, own);
    } else {
        cuda_chunk_phase(p, parts, (step - 1) % cuda_chunk_phases(parts),
                         split * p->tiles + (step - 1) / cuda_chunk_phases(parts), kv, r, at, &t,
                         own);
    }
}

CUDA_FN void cuda_chunk_step(const struct cuda_chunk *p, int step, struct cuda_place at,
                             float *shared, struct cuda_chunk_own *own)
{
    cuda_chunk_any_step(p, 1, step, at, shared, own);
}

// The same for heads of two parts.
struct cuda_chunk_wide {
    struct cuda_chunk p;
};

CUDA_FN int cuda_chunk_wide_steps(const struct cuda_chunk_wide *p, struct cuda_place at)
{
    return cuda_chunk_steps(&p->p, at);
}

CUDA_FN void cuda_chunk_wide_step(const struct cuda_chunk_wide *p, int step, struct cuda_place at,
                                  float *shared, struct cuda_chunk_own *own)
{
    cuda_chunk_any_step(&p->p, 2, step, at, shared, own);
}

// ---- What each key received, summed over the queries: bx tile of keys, by head

struct cuda_chunk_mass {
    struct cuda_attention a; // pieces[0] is the one whose masses are wanted
    const float *q;          // rotated for it
    int k_stride;
    const float *row_max, *row_norm;
    float *mass; // [n_heads][stride]
};

struct cuda_chunk_mass_own {
    float sum; // of the thread's key and half of the rows
    float c[CUDA_MMA_MOST][CUDA_MMA_MOST][4];
};

// Of 64 rows: queries (and, where there are parts, keys) and products, part by part; the sum.
CUDA_FN int cuda_chunk_mass_steps(const struct cuda_chunk_mass *p, struct cuda_place at)
{
    (void)at;
    return 3 +
           (2 * cuda_chunk_parts(&p->a) + 1) * ((p->a.n_q + CUDA_CHUNK_ROWS - 1) / CUDA_CHUNK_ROWS);
}

CUDA_FN void cuda_chunk_mass_step(const struct cuda_chunk_mass *p, int step, struct cuda_place at,
                                  float *shared, struct cuda_chunk_mass_own *own)
{
    const struct cuda_attention *a = &p->a;
    const struct cuda_piece *piece = &a->pieces[0];
    struct cuda_chunk_tile t = cuda_chunk_at(a, shared);
    int from = at.bx * CUDA_CHUNK_KEYS, kv = at.by / (a->n_heads / a->n_kv_heads);
    int key = at.thread % CUDA_CHUNK_KEYS, half = at.thread / CUDA_CHUNK_KEYS;
    int last = cuda_chunk_mass_steps(p, at) - 1, parts = cuda_chunk_parts(a),
        phases = 2 * parts + 1;
    if (step == 0) {
        if (parts == 1)
            cuda_chunk_load_kv(a, 0, piece->k, piece->n, p->k_stride, kv, from, at,
                               cuda_chunk_pitch(a), t.kv);
        own->sum = 0;
        return;
    }
    if (step >= last - 1) {
        if (step < last)
            t.part[at.thread] = own->sum;
        else if (half == 0 && from + key < piece->n)
            p->mass[(int64_t)at.by * piece->stride + from + key] +=
                t.part[key] + t.part[CUDA_CHUNK_KEYS + key];
        return;
    }
    struct cuda_rows_of r = {(step - 1) / phases * CUDA_CHUNK_ROWS, 0, at.by, 1};
    int phase = (step - 1) % phases, part = phase / 2;
    r.n_rows = cuda_min(CUDA_CHUNK_ROWS, a->n_q - r.first);
    if (!cuda_sees(a, piece, r, from))
        return;
    if (phase == 2 * parts) {
        for (int j = 0; j < CUDA_CHUNK_ROWS / 2; j++) {
            int row = half * (CUDA_CHUNK_ROWS / 2) + j;
            own->sum += cuda_probability(a, p->row_max, p->row_norm, r, row,
                                         t.score[row * CUDA_CHUNK_SCORE_PITCH + key]);
        }
    } else if (phase % 2 == 0) {
        cuda_chunk_load_q(a, part, p->q, r, at, t.q);
        if (parts > 1)
            cuda_chunk_load_kv(a, part, piece->k, piece->n, p->k_stride, kv, from, at,
                               cuda_chunk_pitch(a), t.kv);
    } else {
        cuda_chunk_products(a, part, at, &t, own->c);
        if (part == parts - 1)
            cuda_chunk_scores(a, piece, r, from, at, &t, own->c);
    }
}

#endif
