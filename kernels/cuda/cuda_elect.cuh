// From the masses that heads give each block to the best blocks: z-scores, their weighted mean,
// what other numbers add to it, and the N_TOP largest of them in order, of equals the first. One
// block of threads chooses: it narrows the key of the last one that is chosen, two bits at a time,
// gathers what lies above, and sorts it.
#ifndef LCTOOL_KERNELS_CUDA_CUDA_ELECT_CUH
#define LCTOOL_KERNELS_CUDA_CUDA_ELECT_CUH

#include "kernels/cuda/cuda_kernel.cuh"
#include "kernels/kernels.h"

// ---- Mean and deviation of one head's masses

enum { CUDA_MOMENTS = 3 };

struct cuda_moments {
    const float *z; // [n]
    double *out;    // [CUDA_MOMENTS] mean, deviation, the lowest number
    int64_t n;
};

struct cuda_moments_own {
    double mean;
};

CUDA_FN int cuda_is_number(float x)
{
    return fabsf(x) < INFINITY;
}

CUDA_FN int cuda_moments_steps(const struct cuda_moments *p, struct cuda_place at)
{
    (void)p;
    return 3 + 2 * cuda_tree_steps(at.n_threads);
}

// shared: doubles [4][n_threads]: sums, counts, lowest, sums of squares
CUDA_FN void cuda_moments_step(const struct cuda_moments *p, int step, struct cuda_place at,
                               float *shared, struct cuda_moments_own *own)
{
    double *sum = (double *)(void *)shared, *count = sum + at.n_threads,
           *low = count + at.n_threads;
    double *square = low + at.n_threads;
    int tree = cuda_tree_steps(at.n_threads), t = at.thread;
    if (step == 0) {
        sum[t] = count[t] = 0;
        low[t] = (double)INFINITY;
        for (int64_t i = t; i < p->n; i += at.n_threads)
            if (cuda_is_number(p->z[i])) {
                sum[t] += (double)p->z[i];
                count[t] += 1;
                low[t] = fmin(low[t], (double)p->z[i]);
            }
    } else if (step <= tree) {
        int half = at.n_threads >> step;
        if (t < half) {
            sum[t] += sum[t + half];
            count[t] += count[t + half];
            low[t] = fmin(low[t], low[t + half]);
        }
    } else if (step == tree + 1) {
        own->mean = count[0] > 0 ? sum[0] / count[0] : 0;
        square[t] = 0;
        for (int64_t i = t; i < p->n; i += at.n_threads)
            if (cuda_is_number(p->z[i]))
                square[t] += ((double)p->z[i] - own->mean) * ((double)p->z[i] - own->mean);
    } else if (step <= 2 * tree + 1) {
        int half = at.n_threads >> (step - tree - 1);
        if (t < half)
            square[t] += square[t + half];
    } else if (t == 0) {
        p->out[0] = own->mean;
        p->out[1] = count[0] > 0 ? sqrt(square[0] / count[0]) : 0;
        p->out[2] = count[0] > 0 ? low[0] : 0;
    }
}

// ---- The weighted mean so far

struct cuda_vote {
    const float *z; // [n]
    const double *moments;
    double *score; // [n]
    int64_t n;
    float weight;
    double weights; // of all votes, with the last one of them; else 0
    int is_first;
};

// A mass as its distance from the mean in deviations, by what cuda_moments makes.
CUDA_FN float cuda_vote_z(float mass, const double *moments)
{
    double x = cuda_is_number(mass) ? (double)mass : moments[2];
    return moments[1] > 0 ? (float)((x - moments[0]) / moments[1]) : 0;
}

CUDA_FN void cuda_vote_run(const struct cuda_vote *p, struct cuda_place at)
{
    for (int64_t i = cuda_index(at); i < p->n; i += cuda_stride(at)) {
        double sum = (p->is_first ? 0 : p->score[i]) +
                     (double)(p->weight * cuda_vote_z(p->z[i], p->moments));
        p->score[i] = p->weights > 0 ? sum / p->weights : sum;
    }
}
CUDA_ONE_STEP(cuda_vote)

// ---- What is added: shares of the largest score

struct cuda_largest {
    const double *score; // [n]
    double *out;         // not below 0
    int64_t n;
};

CUDA_FN int cuda_largest_steps(const struct cuda_largest *p, struct cuda_place at)
{
    (void)p;
    return 2 + cuda_tree_steps(at.n_threads);
}

// shared: doubles [n_threads]
CUDA_FN void cuda_largest_step(const struct cuda_largest *p, int step, struct cuda_place at,
                               float *shared, struct cuda_none *own)
{
    (void)own;
    double *most = (double *)(void *)shared;
    int half = at.n_threads >> step;
    if (step == 0) {
        most[at.thread] = 0;
        for (int64_t i = at.thread; i < p->n; i += at.n_threads)
            most[at.thread] = fmax(most[at.thread], p->score[i]);
    } else if (step <= cuda_tree_steps(at.n_threads)) {
        if (at.thread < half)
            most[at.thread] = fmax(most[at.thread], most[at.thread + half]);
    } else if (at.thread == 0) {
        p->out[0] = most[0];
    }
}

struct cuda_gain {
    const double *gain, *largest; // [n]
    double *score;                // [n]
    double most;
    int64_t n;
};

CUDA_FN void cuda_gain_run(const struct cuda_gain *p, struct cuda_place at)
{
    for (int64_t i = cuda_index(at); i < p->n; i += cuda_stride(at))
        p->score[i] += p->largest[0] * p->gain[i] / p->most;
}
CUDA_ONE_STEP(cuda_gain)

// ---- The best

struct cuda_top {
    const double *score; // [n]
    int64_t *top;        // [n_top]
    double *top_score;   // [n_top]
    int64_t n;           // < 2^31
    int n_top;           // <= ELECT_MOST, <= n
};

enum { CUDA_TOP_DIGITS = 32 }; // of two bits

struct cuda_top_own {
    uint64_t key; // what is known of the key of the last one chosen, zeros below
};

// Smallest power of two that holds N_TOP.
CUDA_FN int cuda_top_room(const struct cuda_top *p)
{
    int m = 1;
    while (m < p->n_top)
        m *= 2;
    return m;
}

static inline size_t cuda_top_floats(int n_threads)
{
    return ELECT_MOST * 3 + 6 * (size_t)n_threads;
}

// Comparisons of a bitonic sort of ROOM elements that can be made at once.
CUDA_FN int cuda_top_sorts(int room)
{
    int n = cuda_tree_steps(room);
    return n * (n + 1) / 2;
}

CUDA_FN int cuda_top_steps(const struct cuda_top *p, struct cuda_place at)
{
    return CUDA_TOP_DIGITS * (1 + cuda_tree_steps(at.n_threads)) + 3 +
           cuda_top_sorts(cuda_top_room(p));
}

// In the order of numbers; both zeros are one.
CUDA_FN uint64_t cuda_top_key(double x)
{
    uint64_t bits;
    double y = x == 0 ? 0 : x;
    memcpy(&bits, &y, sizeof bits);
    return bits >> 63 ? ~bits : bits | (uint64_t)1 << 63;
}

CUDA_FN double cuda_top_number(uint64_t key)
{
    uint64_t bits = key >> 63 ? key & ~((uint64_t)1 << 63) : ~key;
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

// Shared memory: keys and numbers of what is chosen, then two areas of counts [3][n_threads] by
// turns.
struct cuda_top_area {
    uint64_t *key; // [ELECT_MOST]
    int32_t *id;   // likewise
    uint32_t *count;
};

CUDA_FN struct cuda_top_area cuda_top_at(float *shared, int digit, int n_threads)
{
    struct cuda_top_area r;
    r.key = (uint64_t *)(void *)shared;
    r.id = (int32_t *)(void *)(shared + 2 * ELECT_MOST);
    r.count = (uint32_t *)(void *)(shared + 3 * ELECT_MOST) + digit % 2 * 3 * n_threads;
    return r;
}

// The digit before DIGIT, from how many have it or a larger one.
CUDA_FN void cuda_top_narrow(const struct cuda_top *p, struct cuda_place at, float *shared,
                             int digit, struct cuda_top_own *own)
{
    if (digit == 0) {
        own->key = 0;
        return;
    }
    const uint32_t *count = cuda_top_at(shared, digit - 1, at.n_threads).count;
    uint64_t found = 0;
    for (int i = 0; i < 3; i++)
        if (count[i * at.n_threads] >= (uint32_t)p->n_top)
            found = (uint64_t)(i + 1);
    own->key |= found << 2 * (CUDA_TOP_DIGITS - digit);
}

CUDA_FN void cuda_top_count(const struct cuda_top *p, struct cuda_place at, float *shared,
                            int digit, struct cuda_top_own *own)
{
    uint32_t *count = cuda_top_at(shared, digit, at.n_threads).count, n[3] = {0, 0, 0};
    cuda_top_narrow(p, at, shared, digit, own);
    for (int64_t i = at.thread; i < p->n; i += at.n_threads) {
        uint64_t key = cuda_top_key(p->score[i]);
        for (int j = 0; j < 3; j++)
            n[j] += key >= (own->key | (uint64_t)(j + 1) << 2 * (CUDA_TOP_DIGITS - 1 - digit));
    }
    for (int j = 0; j < 3; j++)
        count[j * at.n_threads + at.thread] = n[j];
}

// How many of a thread's run of blocks are above the last one's key, and how many have it.
CUDA_FN void cuda_top_share(const struct cuda_top *p, struct cuda_place at, float *shared,
                            struct cuda_top_own *own)
{
    uint32_t *above = cuda_top_at(shared, CUDA_TOP_DIGITS, at.n_threads).count,
             *equal = above + at.n_threads;
    cuda_top_narrow(p, at, shared, CUDA_TOP_DIGITS, own);
    above[at.thread] = equal[at.thread] = 0;
    for (int64_t i = p->n * at.thread / at.n_threads; i < p->n * (at.thread + 1) / at.n_threads;
         i++) {
        uint64_t key = cuda_top_key(p->score[i]);
        above[at.thread] += key > own->key;
        equal[at.thread] += key == own->key;
    }
}

CUDA_FN void cuda_top_gather(const struct cuda_top *p, struct cuda_place at, float *shared,
                             const struct cuda_top_own *own)
{
    struct cuda_top_area r = cuda_top_at(shared, CUDA_TOP_DIGITS, at.n_threads);
    int above = 0, equal = 0;
    for (int t = 0; t < at.n_threads; t++) {
        above += t < at.thread ? (int)r.count[t] : 0;
        equal += (int)(t < at.thread ? r.count[at.n_threads + t] : 0) + (int)r.count[t];
    }
    for (int64_t i = p->n * at.thread / at.n_threads; i < p->n * (at.thread + 1) / at.n_threads;
         i++) {
        uint64_t key = cuda_top_key(p->score[i]);
        int to = key > own->key ? above++ : key == own->key ? equal++ : p->n_top;
        if (to < p->n_top) {
            r.key[to] = key;
            r.id[to] = (int32_t)i;
        }
    }
    for (int i = p->n_top + at.thread; i < cuda_top_room(p);
         i += at.n_threads) { // behind all others
        r.key[i] = 0;
        r.id[i] = INT32_MAX;
    }
}

// The STEP-th set of comparisons.
CUDA_FN void cuda_top_sort(const struct cuda_top *p, struct cuda_place at, float *shared, int step)
{
    struct cuda_top_area r = cuda_top_at(shared, 0, at.n_threads);
    int size = 2, apart;
    for (int in_size = 1; step >= in_size; in_size++) {
        step -= in_size;
        size *= 2;
    }
    apart = size >> (step + 1);
    for (int k = at.thread; k < cuda_top_room(p) / 2; k += at.n_threads) {
        int i = k / apart * 2 * apart + k % apart, j = i + apart, rising = (i & size) == 0;
        int before = r.key[i] > r.key[j] || (r.key[i] == r.key[j] && r.id[i] < r.id[j]);
        if (before == rising)
            continue;
        uint64_t key = r.key[i];
        int32_t id = r.id[i];
        r.key[i] = r.key[j];
        r.id[i] = r.id[j];
        r.key[j] = key;
        r.id[j] = id;
    }
}

CUDA_FN void cuda_top_step(const struct cuda_top *p, int step, struct cuda_place at, float *shared,
                           struct cuda_top_own *own)
{
    int tree = cuda_tree_steps(at.n_threads), digit = step / (1 + tree),
        last = cuda_top_steps(p, at) - 1;
    if (digit < CUDA_TOP_DIGITS) {
        uint32_t *count = cuda_top_at(shared, digit, at.n_threads).count;
        int half = at.n_threads >> step % (1 + tree);
        if (step % (1 + tree) == 0)
            cuda_top_count(p, at, shared, digit, own);
        else if (at.thread < half)
            for (int j = 0; j < 3; j++)
                count[j * at.n_threads + at.thread] += count[j * at.n_threads + at.thread + half];
    } else if (step == CUDA_TOP_DIGITS * (1 + tree)) {
        cuda_top_share(p, at, shared, own);
    } else if (step == CUDA_TOP_DIGITS * (1 + tree) + 1) {
        cuda_top_gather(p, at, shared, own);
    } else if (step < last) {
        cuda_top_sort(p, at, shared, step - CUDA_TOP_DIGITS * (1 + tree) - 2);
    } else {
        struct cuda_top_area r = cuda_top_at(shared, 0, at.n_threads);
        for (int i = at.thread; i < p->n_top; i += at.n_threads) {
            p->top[i] = r.id[i];
            p->top_score[i] = cuda_top_number(r.key[i]);
        }
    }
}

// ---- What each vote says of the best: a block of threads for each vote (y) and each of the best
// (x)

struct cuda_said {
    const float *mass;     // [n_votes][n]
    const double *moments; // [n_votes][CUDA_MOMENTS]
    const int64_t *top;    // [n_top]
    float *z;              // [n_votes][n_top]
    int *rank;             // likewise
    int64_t n;
    int n_top;
};

CUDA_FN int cuda_said_steps(const struct cuda_said *p, struct cuda_place at)
{
    (void)p;
    return 2 + cuda_tree_steps(at.n_threads);
}

// shared: [n_threads] blocks of which the vote says more
CUDA_FN void cuda_said_step(const struct cuda_said *p, int step, struct cuda_place at,
                            float *shared, struct cuda_none *own)
{
    (void)own;
    const float *mass = p->mass + at.by * p->n;
    const double *moments = p->moments + at.by * CUDA_MOMENTS;
    int *more = (int *)(void *)shared, half = at.n_threads >> step;
    float z = cuda_vote_z(mass[p->top[at.bx]], moments);
    if (step == 0) {
        more[at.thread] = 0;
        for (int64_t i = at.thread; i < p->n; i += at.n_threads)
            more[at.thread] += cuda_vote_z(mass[i], moments) > z;
    } else if (step <= cuda_tree_steps(at.n_threads)) {
        if (at.thread < half)
            more[at.thread] += more[at.thread + half];
    } else if (at.thread == 0) {
        p->z[at.by * (int64_t)p->n_top + at.bx] = z;
        p->rank[at.by * (int64_t)p->n_top + at.bx] = 1 + more[0];
    }
}

// ---- Products of rows with a query: a block of threads for each row

struct cuda_similar {
    const float *q, *rows; // [width], [n][stride]
    double *score;         // [n]
    int64_t stride;
    int width;
};

CUDA_FN int cuda_similar_steps(const struct cuda_similar *p, struct cuda_place at)
{
    (void)p;
    return 2 + cuda_tree_steps(at.n_threads);
}

// shared: [n_threads]
CUDA_FN void cuda_similar_step(const struct cuda_similar *p, int step, struct cuda_place at,
                               float *shared, struct cuda_none *own)
{
    (void)own;
    if (step == 0) {
        const float *row = p->rows + at.bx * p->stride;
        float sum = 0;
        for (int j = at.thread; j < p->width; j += at.n_threads)
            sum += p->q[j] * row[j];
        shared[at.thread] = sum;
    } else if (step <= cuda_tree_steps(at.n_threads)) {
        cuda_tree_sum(shared, step - 1, at);
    } else if (at.thread == 0) {
        p->score[at.bx] = (double)shared[0];
    }
}

#endif
