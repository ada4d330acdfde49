// Attention in tiles with an online softmax (Milakov and Gimelshein 2018; Dao et al. 2022): the
// rows of a tile are the queries of all heads that share one kv head, so that a key is read once
// for them. The tiles of keys are dealt to SPLITS; each leaves its largest score, its norm and its
// sum, and a merge makes one of them. Masses need the final norm, so they take the scores once
// more.
#ifndef LCTOOL_KERNELS_CUDA_CUDA_ATTEND_CUH
#define LCTOOL_KERNELS_CUDA_CUDA_ATTEND_CUH

#include "kernels/cuda/cuda_kernel.cuh"
#include "kernels/kernels.h"

enum { CUDA_PIECES = 16 };

struct cuda_piece { // see struct attend_piece
    const float *k, *v, *k_rope, *q_rope;
    int n, stride, q_rope_step, causal, max_distance, gap;
};

// What all kernels of one attention know.
struct cuda_attention {
    const float *q;
    int n_q, n_heads, n_kv_heads, head_dim, rope_dim, neox;
    float scale, softcap;
    int tile_rows, tile_keys; // both multiples of 4
    struct cuda_piece pieces[CUDA_PIECES];
    int n_pieces;
};

// A tile in shared memory. Rows of q and k are head_dim + 1 apart, so that the threads that take
// neighbouring rows read different banks.
struct cuda_tile {
    float *q, *kv, *score;    // score: [tile_rows][tile_keys + 1]
    float *sum;               // like q or like score, whichever is larger
    float *max, *norm, *fade; // [tile_rows]
};

// Its size, as cuda_tile_at lays it out.
static inline size_t cuda_tile_floats(const struct cuda_attention *a)
{
    size_t rows = (size_t)a->tile_rows, keys = (size_t)a->tile_keys,
           width = (size_t)a->head_dim + 1;
    return rows * (width + keys + 1 + (width > keys + 1 ? width : keys + 1) + 3) + keys * width;
}

CUDA_FN struct cuda_tile cuda_tile_at(const struct cuda_attention *a, float *shared)
{
    int width = a->head_dim + 1;
    struct cuda_tile t;
    t.q = shared;
    t.kv = t.q + a->tile_rows * width;
    t.score = t.kv + a->tile_keys * width;
    t.sum = t.score + a->tile_rows * (a->tile_keys + 1);
    t.max = t.sum + a->tile_rows * cuda_max(width, a->tile_keys + 1);
    t.norm = t.max + a->tile_rows;
    t.fade = t.norm + a->tile_rows;
    return t;
}

// Which queries a block has: row R of its tile is query (first + R) / group, of head
// head + (first + R) % group; rows from N_ROWS on do not exist.
struct cuda_rows_of {
    int first, n_rows, head, group;
};

CUDA_FN int cuda_query_of(struct cuda_rows_of r, int row)
{
    return (r.first + row) / r.group;
}

CUDA_FN int cuda_head_of(struct cuda_rows_of r, int row)
{
    return r.head + (r.first + row) % r.group;
}

// Element D of a head's vector after rotary embedding; ROPE NULL: as it is.
CUDA_FN float cuda_turned(const struct cuda_attention *a, const float *x, const float *rope, int d)
{
    int half = a->rope_dim / 2;
    if (!rope || d >= 2 * half)
        return x[d];
    int pair = a->neox ? d % half : d / 2, second = a->neox ? d >= half : d & 1;
    int other = a->neox ? (second ? d - half : d + half) : d ^ 1;
    float turn = x[other] * rope[half + pair];
    return x[d] * rope[pair] + (second ? turn : -turn);
}

CUDA_FN void cuda_load_q(const struct cuda_attention *a, const struct cuda_piece *p,
                         struct cuda_rows_of r, struct cuda_place at, float *q)
{
    int d = a->head_dim;
    for (int k = at.thread; k < a->tile_rows * d; k += at.n_threads) {
        int row = k / d, c = k % d;
        float v = 0;
        if (row < r.n_rows) {
            int64_t i = cuda_query_of(r, row);
            const float *rope =
                p->q_rope ? p->q_rope + (p->q_rope_step ? i : 0) * a->rope_dim : NULL;
            v = cuda_turned(a, a->q + (i * a->n_heads + cuda_head_of(r, row)) * d, rope, c);
        }
        q[row * (d + 1) + c] = v;
    }
}

// Keys (rotated) or values FROM .. FROM + tile_keys - 1 of one kv head; zeros past the last.
CUDA_FN void cuda_load_kv(const struct cuda_attention *a, const struct cuda_piece *p,
                          const float *all, int rotate, int kv, int from, struct cuda_place at,
                          float *out)
{
    int d = a->head_dim;
    const float *head = all + (int64_t)kv * p->stride * d;
    for (int k = at.thread; k < a->tile_keys * d; k += at.n_threads) {
        int64_t j = from + k / d;
        int c = k % d;
        float v = 0;
        if (j < p->n)
            v = cuda_turned(a, head + j * d,
                            rotate && p->k_rope ? p->k_rope + j * a->rope_dim : NULL, c);
        out[k / d * (d + 1) + c] = v;
    }
}

// The keys lo .. hi-1 of piece P that query I sees.
CUDA_FN void cuda_visible(const struct cuda_piece *p, int n_q, int i, int *lo, int *hi)
{
    *lo = 0;
    *hi = p->n;
    int own = p->causal ? p->n - n_q + i : p->n + p->gap + i; // index of the query's own position
    *hi = cuda_max(0, cuda_min(p->n, own + 1));
    if (p->max_distance > 0)
        *lo = cuda_min(p->n, cuda_max(0, own - p->max_distance + 1));
}

// Whether any row of the tile sees any of its keys: what the first one sees from and what the last
// one sees to are the bounds of all.
CUDA_FN int cuda_sees(const struct cuda_attention *a, const struct cuda_piece *p,
                      struct cuda_rows_of r, int from)
{
    int lo, hi, unused;
    cuda_visible(p, a->n_q, cuda_query_of(r, 0), &lo, &unused);
    cuda_visible(p, a->n_q, cuda_query_of(r, r.n_rows - 1), &unused, &hi);
    return from < hi && from + a->tile_keys > lo;
}

// Scores, MICRO x MICRO of them for a thread at a time; minus infinity where a row does not see a
// key.
CUDA_FN void cuda_score(const struct cuda_attention *a, const struct cuda_piece *p,
                        struct cuda_rows_of r, int from, struct cuda_place at,
                        const struct cuda_tile *t, const int micro)
{
    int across = a->tile_keys / micro, down = a->tile_rows / micro, width = a->head_dim + 1;
    for (int k = at.thread; k < across * down; k += at.n_threads) {
        int row = k / across, key = k % across;
        float sum[4][4];
        for (int x = 0; x < micro; x++)
            for (int y = 0; y < micro; y++)
                sum[x][y] = 0;
        for (int c = 0; c < a->head_dim && row < r.n_rows; c++)
            for (int x = 0; x < micro; x++)
                for (int y = 0; y < micro; y++)
                    sum[x][y] +=
                        t->q[(row + x * down) * width + c] * t->kv[(key + y * across) * width + c];
        for (int x = 0; x < micro; x++) {
            int i = row + x * down, lo = 0, hi = 0;
            if (i < r.n_rows)
                cuda_visible(p, a->n_q, cuda_query_of(r, i), &lo, &hi);
            for (int y = 0; y < micro; y++) {
                int j = key + y * across;
                float s = sum[x][y] * a->scale;
                if (a->softcap != 0)
                    s = a->softcap * tanhf(s / a->softcap);
                t->score[i * (a->tile_keys + 1) + j] =
                    from + j >= lo && from + j < hi ? s : -INFINITY;
            }
        }
    }
}

CUDA_FN void cuda_scores(const struct cuda_attention *a, const struct cuda_piece *p,
                         struct cuda_rows_of r, int from, struct cuda_place at,
                         const struct cuda_tile *t)
{
    if (a->tile_rows > 8)
        cuda_score(a, p, r, from, at, t, 4);
    else
        cuda_score(a, p, r, from, at, t, 1);
}

// ---- One split of the keys

struct cuda_split {
    struct cuda_attention a;
    float *sum;        // [splits][n_q * n_heads][head_dim]
    float *max, *norm; // [splits][n_q * n_heads]
    int splits, tiles; // tiles of keys in each split, in all pieces one after another
};

// bx: tile of rows; by: kv head + n_kv_heads * split
CUDA_FN struct cuda_rows_of cuda_split_rows(const struct cuda_attention *a, struct cuda_place at)
{
    struct cuda_rows_of r;
    r.group = a->n_heads / a->n_kv_heads;
    r.head = at.by % a->n_kv_heads * r.group;
    r.first = at.bx * a->tile_rows;
    r.n_rows = cuda_min(a->tile_rows, a->n_q * r.group - r.first);
    return r;
}

// The piece and first key of the TILE-th tile of keys; NULL past the last.
CUDA_FN const struct cuda_piece *cuda_tile_of(const struct cuda_attention *a, int tile, int *from)
{
    for (int i = 0; i < a->n_pieces; i++) {
        int tiles = (a->pieces[i].n + a->tile_keys - 1) / a->tile_keys;
        if (tile < tiles) {
            *from = tile * a->tile_keys;
            return &a->pieces[i];
        }
        tile -= tiles;
    }
    return NULL;
}

enum { CUDA_SPLIT_PHASES = 5 };

CUDA_FN int cuda_split_steps(const struct cuda_split *p, struct cuda_place at)
{
    (void)at;
    return 2 + CUDA_SPLIT_PHASES * p->tiles;
}

// A row's new maximum, and what the sums so far fade by.
CUDA_FN void cuda_row_max(const struct cuda_attention *a, struct cuda_place at,
                          const struct cuda_tile *t)
{
    for (int row = at.thread; row < a->tile_rows; row += at.n_threads) {
        float max = t->max[row];
        for (int j = 0; j < a->tile_keys; j++)
            max = fmaxf(max, t->score[row * (a->tile_keys + 1) + j]);
        t->fade[row] = t->max[row] == -INFINITY ? 0 : expf(t->max[row] - max);
        t->max[row] = max;
    }
}

CUDA_FN void cuda_row_exp(const struct cuda_attention *a, struct cuda_place at,
                          const struct cuda_tile *t)
{
    for (int k = at.thread; k < a->tile_rows * a->tile_keys; k += at.n_threads) {
        int row = k / a->tile_keys;
        float *s = &t->score[row * (a->tile_keys + 1) + k % a->tile_keys];
        *s = *s == -INFINITY ? 0 : expf(*s - t->max[row]);
    }
}

CUDA_FN void cuda_add_values(const struct cuda_attention *a, struct cuda_rows_of r,
                             struct cuda_place at, const struct cuda_tile *t, const int micro)
{
    int d = a->head_dim, down = a->tile_rows / micro;
    for (int k = at.thread; k < down * d; k += at.n_threads) {
        int row = k / d, c = k % d;
        float sum[4];
        for (int x = 0; x < micro; x++)
            sum[x] = t->sum[(row + x * down) * (d + 1) + c] * t->fade[row + x * down];
        for (int j = 0; j < a->tile_keys && row < r.n_rows; j++)
            for (int x = 0; x < micro; x++)
                sum[x] +=
                    t->score[(row + x * down) * (a->tile_keys + 1) + j] * t->kv[j * (d + 1) + c];
        for (int x = 0; x < micro; x++)
            t->sum[(row + x * down) * (d + 1) + c] = sum[x];
    }
    for (int row = at.thread; row < a->tile_rows; row += at.n_threads) {
        float norm = 0;
        for (int j = 0; j < a->tile_keys; j++)
            norm += t->score[row * (a->tile_keys + 1) + j];
        t->norm[row] = t->norm[row] * t->fade[row] + norm;
    }
}

CUDA_FN void cuda_split_begin(const struct cuda_attention *a, struct cuda_place at,
                              const struct cuda_tile *t)
{
    for (int k = at.thread; k < a->tile_rows * (a->head_dim + 1); k += at.n_threads)
        t->sum[k] = 0;
    for (int row = at.thread; row < a->tile_rows; row += at.n_threads) {
        t->max[row] = -INFINITY;
        t->norm[row] = 0;
    }
}

CUDA_FN void cuda_split_end(const struct cuda_split *p, struct cuda_rows_of r, int split,
                            struct cuda_place at, const struct cuda_tile *t)
{
    const struct cuda_attention *a = &p->a;
    int d = a->head_dim;
    int64_t all = (int64_t)a->n_q * a->n_heads;
    for (int k = at.thread; k < r.n_rows * d; k += at.n_threads) {
        int row = k / d, c = k % d;
        int64_t to =
            split * all + (int64_t)cuda_query_of(r, row) * a->n_heads + cuda_head_of(r, row);
        p->sum[to * d + c] = t->sum[row * (d + 1) + c];
        if (c == 0) {
            p->max[to] = t->max[row];
            p->norm[to] = t->norm[row];
        }
    }
}

CUDA_FN void cuda_split_step(const struct cuda_split *p, int step, struct cuda_place at,
                             float *shared, struct cuda_none *own)
{
    (void)own;
    const struct cuda_attention *a = &p->a;
    struct cuda_tile t = cuda_tile_at(a, shared);
    struct cuda_rows_of r = cuda_split_rows(a, at);
    int kv = at.by % a->n_kv_heads, split = at.by / a->n_kv_heads, from = 0;
    if (step == 0) {
        cuda_split_begin(a, at, &t);
        return;
    }
    if (step == cuda_split_steps(p, at) - 1) {
        cuda_split_end(p, r, split, at, &t);
        return;
    }
    int tile = split * p->tiles + (step - 1) / CUDA_SPLIT_PHASES;
    const struct cuda_piece *piece = cuda_tile_of(a, tile, &from);
    if (!piece || !cuda_sees(a, piece, r, from))
        return;
    switch ((step - 1) % CUDA_SPLIT_PHASES) {
    case 0:
        cuda_load_q(a, piece, r, at, t.q);
        cuda_load_kv(a, piece, piece->k, 1, kv, from, at, t.kv);
        break;
    case 1:
        cuda_scores(a, piece, r, from, at, &t);
        break;
    case 2:
        cuda_row_max(a, at, &t);
        cuda_load_kv(a, piece, piece->v, 0, kv, from, at, t.kv);
        break;
    case 3:
        cuda_row_exp(a, at, &t);
        break;
    default:
        if (a->tile_rows > 8)
            cuda_add_values(a, r, at, &t, 4);
        else
            cuda_add_values(a, r, at, &t, 1);
    }
}

// ---- The splits made one: a block per row

struct cuda_merge {
    const float *sum, *max, *norm; // of the splits
    float *out;                    // [rows][head_dim]
    float *row_max, *row_norm;     // [rows]: of all splits
    int64_t rows;
    int splits, head_dim;
};

CUDA_FN void cuda_merge_run(const struct cuda_merge *p, struct cuda_place at)
{
    float max = -INFINITY, norm = 0;
    for (int s = 0; s < p->splits; s++)
        max = fmaxf(max, p->max[s * p->rows + at.bx]);
    for (int s = 0; s < p->splits; s++) {
        int64_t i = s * p->rows + at.bx;
        norm += p->norm[i] * (p->max[i] == -INFINITY ? 0 : expf(p->max[i] - max));
    }
    for (int c = at.thread; c < p->head_dim; c += at.n_threads) {
        float sum = 0;
        for (int s = 0; s < p->splits; s++) {
            int64_t i = s * p->rows + at.bx;
            sum +=
                p->sum[i * p->head_dim + c] * (p->max[i] == -INFINITY ? 0 : expf(p->max[i] - max));
        }
        p->out[(int64_t)at.bx * p->head_dim + c] = norm == 0 ? 0 : sum / norm;
    }
    if (at.thread == 0) {
        p->row_max[at.bx] = max;
        p->row_norm[at.bx] = norm;
    }
}
CUDA_ONE_STEP(cuda_merge)

// ---- What each key received, summed over the queries: bx tile of keys, by head

struct cuda_mass {
    struct cuda_attention a; // pieces[0] is the one whose masses are wanted
    const float *row_max, *row_norm;
    float *mass; // [n_heads][stride]
};

// A row's probability of a key, from its score.
CUDA_FN float cuda_probability(const struct cuda_attention *a, const float *row_max,
                               const float *row_norm, struct cuda_rows_of r, int row, float score)
{
    if (row >= r.n_rows || score == -INFINITY)
        return 0;
    int64_t i = (int64_t)cuda_query_of(r, row) * a->n_heads + cuda_head_of(r, row);
    return expf(score - row_max[i]) / row_norm[i];
}

CUDA_FN int cuda_mass_steps(const struct cuda_mass *p, struct cuda_place at)
{
    (void)at;
    return 2 + 3 * ((p->a.n_q + p->a.tile_rows - 1) / p->a.tile_rows);
}

CUDA_FN void cuda_mass_step(const struct cuda_mass *p, int step, struct cuda_place at,
                            float *shared, struct cuda_none *own)
{
    (void)own;
    const struct cuda_attention *a = &p->a;
    const struct cuda_piece *piece = &a->pieces[0];
    struct cuda_tile t = cuda_tile_at(a, shared);
    float *sum = t.sum; // [tile_keys]
    int from = at.bx * a->tile_keys, kv = at.by / (a->n_heads / a->n_kv_heads);
    if (step == 0) {
        cuda_load_kv(a, piece, piece->k, 1, kv, from, at, t.kv);
        for (int j = at.thread; j < a->tile_keys; j += at.n_threads)
            sum[j] = 0;
        return;
    }
    if (step == cuda_mass_steps(p, at) - 1) {
        for (int j = at.thread; j < a->tile_keys && from + j < piece->n; j += at.n_threads)
            p->mass[(int64_t)at.by * piece->stride + from + j] += sum[j];
        return;
    }
    struct cuda_rows_of r = {(step - 1) / 3 * a->tile_rows, 0, at.by, 1};
    r.n_rows = cuda_min(a->tile_rows, a->n_q - r.first);
    if (!cuda_sees(a, piece, r, from))
        return;
    switch ((step - 1) % 3) {
    case 0:
        cuda_load_q(a, piece, r, at, t.q);
        break;
    case 1:
        cuda_scores(a, piece, r, from, at, &t);
        break;
    default:
        for (int j = at.thread; j < a->tile_keys; j += at.n_threads)
            for (int row = 0; row < r.n_rows; row++)
                sum[j] += cuda_probability(a, p->row_max, p->row_norm, r, row,
                                           t.score[row * (a->tile_keys + 1) + j]);
    }
}

// ---- What the chunk's own tokens gave each other inside groups, summed over heads

// bx: group; by: tile of columns + column tiles * tile of rows
struct cuda_self_mass {
    struct cuda_attention a; // pieces[0] is causal
    const float *row_max, *row_norm;
    float *mass; // [groups][block][block]
    int block;
};

CUDA_FN int cuda_self_mass_steps(const struct cuda_self_mass *p, struct cuda_place at)
{
    (void)at;
    return 2 + 3 * p->a.n_heads;
}

CUDA_FN void cuda_self_mass_step(const struct cuda_self_mass *p, int step, struct cuda_place at,
                                 float *shared, struct cuda_none *own)
{
    (void)own;
    const struct cuda_attention *a = &p->a;
    const struct cuda_piece *piece = &a->pieces[0];
    struct cuda_tile t = cuda_tile_at(a, shared);
    int col_tiles = (p->block + a->tile_keys - 1) / a->tile_keys;
    int row0 = at.by / col_tiles * a->tile_rows, col0 = at.by % col_tiles * a->tile_keys;
    int rows = cuda_min(a->tile_rows, p->block - row0),
        cols = cuda_min(a->tile_keys, p->block - col0);
    int before = piece->n - a->n_q + at.bx * p->block; // the key before which the group begins
    int first = cuda_max(0, before + col0), skip = first - (before + col0);
    int head = (step - 1) / 3;
    struct cuda_rows_of r = {at.bx * p->block + row0, rows, head, 1};
    float *sum = t.sum; // [tile_rows][tile_keys]
    if (step > 0 && step < cuda_self_mass_steps(p, at) - 1 && (step - 1) % 3 < 2) {
        if ((step - 1) % 3 == 0) {
            cuda_load_q(a, piece, r, at, t.q);
            cuda_load_kv(a, piece, piece->k, 1, head / (a->n_heads / a->n_kv_heads), first, at,
                         t.kv);
        } else {
            cuda_scores(a, piece, r, first, at, &t);
        }
        return;
    }
    for (int k = at.thread; k < rows * cols; k += at.n_threads) {
        int row = k / cols, col = k % cols;
        float *s = &sum[row * a->tile_keys + col];
        if (step == 0)
            *s = 0;
        else if (step == cuda_self_mass_steps(p, at) - 1)
            p->mass[((int64_t)at.bx * p->block + row0 + row) * p->block + col0 + col] += *s;
        else if (col >= skip)
            *s += cuda_probability(a, p->row_max, p->row_norm, r, row,
                                   t.score[row * (a->tile_keys + 1) + col - skip]);
    }
}

#endif
