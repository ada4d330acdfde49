// Scores of the keys of index blocks: a block of threads for each block of the index and each few
// queries. The blocks of threads that take other queries for the same keys are neighbours, so that
// the keys come from memory once and from the cache afterwards.
#ifndef LCTOOL_KERNELS_CUDA_CUDA_SCAN_CUH
#define LCTOOL_KERNELS_CUDA_CUDA_SCAN_CUH

#include "kernels/cuda/cuda_kernel.cuh"

enum {
    CUDA_SCAN_KEYS = 64, // in shared memory at a time; threads that take one each
    CUDA_SCAN_EACH = 4,  // queries that one thread scores its key against
    CUDA_SCAN_QUERIES = 8,
    CUDA_SCAN_THREADS = CUDA_SCAN_KEYS * CUDA_SCAN_QUERIES / CUDA_SCAN_EACH,
    CUDA_SCAN_TREE = 6, // steps that make one of CUDA_SCAN_KEYS
};

struct cuda_scan {
    const float *q; // [n_q][head_dim]
    const int8_t *keys;
    const float *key_scale;
    const uint64_t *start; // [n_blocks + 1]
    uint64_t first;        // the key that KEYS and KEY_SCALE begin with
    float *max, *lse;      // [n_q][row]; max may be NULL
    float scale;
    int head_dim, n_q;
    int64_t row; // results from one query to the next
};

// Of the keys that one thread has seen, by query.
struct cuda_scan_own {
    float max[CUDA_SCAN_EACH], sum[CUDA_SCAN_EACH];
};

// Shared memory: queries [CUDA_SCAN_QUERIES][4 * words] and keys [CUDA_SCAN_KEYS][pitch] in words
// of four bytes, padded with zeros, then maxima and sums [CUDA_SCAN_QUERIES][CUDA_SCAN_KEYS]. The
// pitch is odd: threads with neighbouring keys read different banks.
static inline size_t cuda_scan_floats(int head_dim)
{
    size_t words = ((size_t)head_dim + 3) / 4;
    return CUDA_SCAN_QUERIES * 4 * words + CUDA_SCAN_KEYS * (words | 1) +
           2 * CUDA_SCAN_QUERIES * CUDA_SCAN_KEYS;
}

// Blocks of threads for each block of the index.
static inline int cuda_scan_tiles(int n_q)
{
    return (n_q + CUDA_SCAN_QUERIES - 1) / CUDA_SCAN_QUERIES;
}

CUDA_FN int cuda_scan_block(const struct cuda_scan *p, struct cuda_place at)
{
    return at.bx / ((p->n_q + CUDA_SCAN_QUERIES - 1) / CUDA_SCAN_QUERIES);
}

CUDA_FN int cuda_scan_query(const struct cuda_scan *p, struct cuda_place at)
{
    return at.bx % ((p->n_q + CUDA_SCAN_QUERIES - 1) / CUDA_SCAN_QUERIES) * CUDA_SCAN_QUERIES;
}

// Times that CUDA_SCAN_KEYS keys are brought to shared memory.
CUDA_FN int cuda_scan_rounds(const struct cuda_scan *p, struct cuda_place at)
{
    int block = cuda_scan_block(p, at);
    return (int)((p->start[block + 1] - p->start[block] + CUDA_SCAN_KEYS - 1) / CUDA_SCAN_KEYS);
}

CUDA_FN int cuda_scan_steps(const struct cuda_scan *p, struct cuda_place at)
{
    return 3 + 2 * cuda_scan_rounds(p, at) + CUDA_SCAN_TREE;
}

// Largest score and, relative to it, the sum of exponentials of two sets of keys.
CUDA_FN void cuda_scan_join(float *max, float *sum, float max2, float sum2)
{
    float top = fmaxf(*max, max2);
    *sum =
        *sum * (*max == top ? 1 : expf(*max - top)) + sum2 * (max2 == top ? 1 : expf(max2 - top));
    *max = top;
}

CUDA_FN void cuda_scan_load_q(const struct cuda_scan *p, struct cuda_place at, int words, float *q)
{
    int first = cuda_scan_query(p, at);
    for (int k = at.thread; k < CUDA_SCAN_QUERIES * 4 * words; k += at.n_threads) {
        int i = first + k / (4 * words), c = k % (4 * words);
        q[k] = i < p->n_q && c < p->head_dim ? p->q[(int64_t)i * p->head_dim + c] : 0;
    }
}

// N keys from FROM on, one after another in memory.
CUDA_FN void cuda_scan_load_keys(const struct cuda_scan *p, struct cuda_place at,
                                 const int8_t *from, int n, int words, uint32_t *keys)
{
    int pitch = words | 1;
    if (p->head_dim % 16 == 0) {
        int per = p->head_dim / 16;
        for (int k = at.thread; k < n * per; k += at.n_threads) {
            uint32_t w[4];
            cuda_load_words(from + (int64_t)k * 16, w);
            for (int i = 0; i < 4; i++)
                keys[k / per * pitch + k % per * 4 + i] = w[i];
        }
        return;
    }
    for (int k = at.thread; k < n * words; k += at.n_threads) {
        int row = k / words, c = k % words * 4;
        uint32_t w = 0;
        for (int i = 0; i < 4 && c + i < p->head_dim; i++)
            w |= (uint32_t)(uint8_t)from[(int64_t)row * p->head_dim + c + i] << 8 * i;
        keys[row * pitch + k % words] = w;
    }
}

// The scores of one key, QS [CUDA_SCAN_EACH][4 * words] queries.
CUDA_FN void cuda_scan_dots(const uint32_t *key, const float *qs, int words,
                            float dot[CUDA_SCAN_EACH])
{
    for (int j = 0; j < CUDA_SCAN_EACH; j++)
        dot[j] = 0;
    for (int w = 0; w < words; w++) {
        uint32_t v = key[w];
        float x[4];
        for (int i = 0; i < 4; i++)
            x[i] = (float)(int8_t)(uint8_t)(v >> 8 * i);
        for (int j = 0; j < CUDA_SCAN_EACH; j++) {
            float q[4];
            cuda_load4(qs + (j * words + w) * 4, q);
            for (int i = 0; i < 4; i++)
                dot[j] += q[i] * x[i];
        }
    }
}

CUDA_FN void cuda_scan_step(const struct cuda_scan *p, int step, struct cuda_place at,
                            float *shared, struct cuda_scan_own *own)
{
    int words = (p->head_dim + 3) / 4, rounds = cuda_scan_rounds(p, at),
        block = cuda_scan_block(p, at);
    int key = at.thread % CUDA_SCAN_KEYS, group = at.thread / CUDA_SCAN_KEYS * CUDA_SCAN_EACH;
    int wanted = p->n_q - cuda_scan_query(p, at); // of the tile's queries
    float *q = shared, *maxima, *sums;
    uint32_t *keys = (uint32_t *)(void *)(shared + CUDA_SCAN_QUERIES * 4 * words);
    maxima = shared + CUDA_SCAN_QUERIES * 4 * words + CUDA_SCAN_KEYS * (words | 1);
    sums = maxima + CUDA_SCAN_QUERIES * CUDA_SCAN_KEYS;
    if (step == 0) {
        cuda_scan_load_q(p, at, words, q);
        for (int j = 0; j < CUDA_SCAN_EACH; j++) {
            own->max[j] = -INFINITY;
            own->sum[j] = 0;
        }
    } else if (step <= 2 * rounds) {
        uint64_t at_key = p->start[block] + (uint64_t)((step - 1) / 2) * CUDA_SCAN_KEYS;
        uint64_t left = p->start[block + 1] - at_key, from = at_key - p->first;
        int n = left < CUDA_SCAN_KEYS ? (int)left : CUDA_SCAN_KEYS;
        if (step % 2) {
            cuda_scan_load_keys(p, at, p->keys + from * (uint64_t)p->head_dim, n, words, keys);
        } else if (key < n && group < wanted) {
            float dot[CUDA_SCAN_EACH], scale = p->key_scale[from + (uint64_t)key];
            cuda_scan_dots(keys + key * (words | 1), q + group * 4 * words, words, dot);
            for (int j = 0; j < CUDA_SCAN_EACH; j++)
                cuda_scan_join(&own->max[j], &own->sum[j], dot[j] * scale * p->scale, 1);
        }
    } else if (step == 2 * rounds + 1) {
        for (int j = 0; j < CUDA_SCAN_EACH; j++) {
            maxima[(group + j) * CUDA_SCAN_KEYS + key] = own->max[j];
            sums[(group + j) * CUDA_SCAN_KEYS + key] = own->sum[j];
        }
    } else if (step <= 2 * rounds + 1 + CUDA_SCAN_TREE) {
        int half = CUDA_SCAN_KEYS >> (step - 2 * rounds - 1);
        for (int k = at.thread; k < CUDA_SCAN_QUERIES * half; k += at.n_threads) {
            int to = k / half * CUDA_SCAN_KEYS + k % half;
            cuda_scan_join(&maxima[to], &sums[to], maxima[to + half], sums[to + half]);
        }
    } else if (at.thread < CUDA_SCAN_QUERIES && at.thread < wanted) {
        int64_t to = (cuda_scan_query(p, at) + at.thread) * p->row + block;
        float max = maxima[at.thread * CUDA_SCAN_KEYS], sum = sums[at.thread * CUDA_SCAN_KEYS];
        if (p->max)
            p->max[to] = max;
        p->lse[to] = sum == 0 ? -INFINITY : max + logf(sum);
    }
}

// ---- The blocks' shares of each query's softmax

// The norm of each query: the log of the exponentials' sum over all blocks. A block of threads
// each.
struct cuda_scan_norm {
    const float *lse; // [n_q][n]
    float *norm;      // [n_q]
    int64_t n;
};

CUDA_FN int cuda_scan_norm_steps(const struct cuda_scan_norm *p, struct cuda_place at)
{
    (void)p;
    return 2 + cuda_tree_steps(at.n_threads);
}

// shared: [n_threads] maxima, then [n_threads] sums
CUDA_FN void cuda_scan_norm_step(const struct cuda_scan_norm *p, int step, struct cuda_place at,
                                 float *shared, struct cuda_none *own)
{
    (void)own;
    float *maxima = shared, *sums = shared + at.n_threads;
    if (step == 0) {
        const float *row = p->lse + at.bx * p->n;
        float max = -INFINITY, sum = 0;
        for (int64_t i = at.thread; i < p->n; i += at.n_threads)
            if (row[i] != -INFINITY)
                cuda_scan_join(&max, &sum, row[i], 1);
        maxima[at.thread] = max;
        sums[at.thread] = sum;
    } else if (step <= cuda_tree_steps(at.n_threads)) {
        int half = at.n_threads >> step;
        if (at.thread < half)
            cuda_scan_join(&maxima[at.thread], &sums[at.thread], maxima[at.thread + half],
                           sums[at.thread + half]);
    } else if (at.thread == 0) {
        p->norm[at.bx] = sums[0] == 0 ? -INFINITY : maxima[0] + logf(sums[0]);
    }
}

struct cuda_scan_mass {
    const float *lse, *norm; // [n_q][n], [n_q]
    float *mass;             // [n]
    int64_t n;
    int n_q;
};

CUDA_FN void cuda_scan_mass_run(const struct cuda_scan_mass *p, struct cuda_place at)
{
    for (int64_t i = cuda_index(at); i < p->n; i += cuda_stride(at)) {
        float sum = 0;
        for (int q = 0; q < p->n_q; q++)
            if (p->norm[q] != -INFINITY)
                sum += expf(p->lse[q * p->n + i] - p->norm[q]);
        p->mass[i] = logf(sum);
    }
}
CUDA_ONE_STEP(cuda_scan_mass)

#endif
