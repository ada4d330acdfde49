// What a token costs, and one drawn from logits: as engine/model/sample.c draws it, but without
// putting the vocabulary in order. Blocks of threads make probabilities; one block finds the last
// token of the nucleus, and then the token in which the draw falls: both are the first that bring a
// sum over the likelier ones to some value, and their probability is found three bits at a time,
// from the sums over those that are larger.
#ifndef LCTOOL_KERNELS_CUDA_CUDA_DRAW_CUH
#define LCTOOL_KERNELS_CUDA_CUDA_DRAW_CUH

#include "kernels/cuda/cuda_kernel.cuh"
#include "kernels/kernels.h"

// ---- Probabilities, as shares of the largest

struct cuda_weigh {
    const float *x;          // [n]
    const struct best *best; // of them
    float *p;                // [n], or NULL
    double *parts;           // sums, one of each block of threads
    float temp;
    int n;
};

CUDA_FN int cuda_weigh_steps(const struct cuda_weigh *p, struct cuda_place at)
{
    (void)p;
    return 2 + cuda_tree_steps(at.n_threads);
}

// shared: doubles [n_threads]
CUDA_FN void cuda_weigh_step(const struct cuda_weigh *p, int step, struct cuda_place at,
                             float *shared, struct cuda_none *own)
{
    (void)own;
    double *sum = (double *)(void *)shared;
    int half = at.n_threads >> step;
    if (step == 0) {
        float top = p->best->value;
        sum[at.thread] = 0;
        for (int64_t i = cuda_index(at); i < p->n; i += cuda_stride(at)) {
            float share = expf((p->x[i] - top) / p->temp);
            if (p->p)
                p->p[i] = share;
            sum[at.thread] += (double)share;
        }
    } else if (step <= cuda_tree_steps(at.n_threads)) {
        if (at.thread < half)
            sum[at.thread] += sum[at.thread + half];
    } else if (at.thread == 0) {
        p->parts[at.bx] = sum[0];
    }
}

// ---- What a token costs

struct cuda_cost {
    const float *x;          // [n]
    const struct best *best; // their largest, and the token
    const double *parts;     // [n_parts] sums of shares of the largest
    float *out;
    int n_parts;
};

CUDA_FN void cuda_cost_run(const struct cuda_cost *p, struct cuda_place at)
{
    double sum = 0;
    if (at.thread)
        return;
    for (int i = 0; i < p->n_parts; i++)
        sum += p->parts[i];
    p->out[0] = (float)(log(sum) - (double)(p->x[p->best->id] - p->best->value));
}
CUDA_ONE_STEP(cuda_cost)

// ---- The token

struct cuda_draw {
    const float *p;      // [n], of which the largest is 1
    const double *parts; // [n_parts] whose sum is theirs
    struct best *out;    // in: the largest; out: what is drawn
    double uniform;
    float top_p;
    int n_parts, n;
};

enum {
    CUDA_DRAW_BITS = 3,
    CUDA_DRAW_BINS = 1 << CUDA_DRAW_BITS,
    CUDA_DRAW_DIGITS = 10, // of the bits of a float from 0 to 1
};

struct cuda_draw_own {
    double target, above;  // what a sum is to come to; the sum over what is larger than the key's
                           // largest number
    double sum;            // of all
    uint32_t key, last;    // what is known of the number, zeros below; the nucleus' last one
    int64_t nth, last_nth; // of those that have it
};

CUDA_FN int cuda_draw_has_nucleus(const struct cuda_draw *p)
{
    return p->top_p > 0 && p->top_p < 1;
}

// Steps of one digit: counting, sums over threads, narrowing.
CUDA_FN int cuda_draw_digit_steps(struct cuda_place at)
{
    return 2 + cuda_tree_steps(at.n_threads);
}

static inline size_t cuda_draw_floats(int n_threads)
{
    return 2 * CUDA_DRAW_BINS * (size_t)n_threads;
}

CUDA_FN int cuda_draw_steps(const struct cuda_draw *p, struct cuda_place at)
{
    return (1 + cuda_draw_has_nucleus(p)) * CUDA_DRAW_DIGITS * cuda_draw_digit_steps(at) + 2;
}

// BINS: doubles [CUDA_DRAW_BINS][n_threads]
CUDA_FN void cuda_draw_count(const struct cuda_draw *p, struct cuda_place at, int shift,
                             double *bins, const struct cuda_draw_own *own)
{
    for (int j = 0; j < CUDA_DRAW_BINS; j++)
        bins[j * at.n_threads + at.thread] = 0;
    for (int i = at.thread; i < p->n; i += at.n_threads) {
        uint32_t key = cuda_bits_of(p->p[i]);
        if (key >> (shift + CUDA_DRAW_BITS) == own->key >> (shift + CUDA_DRAW_BITS))
            bins[(int)(key >> shift & (CUDA_DRAW_BINS - 1)) * at.n_threads + at.thread] +=
                (double)p->p[i];
    }
}

// The digit with which the sum reaches the target: with IS_LAST so far as to be equal, else
// further. Rounding may have it reach nothing: then the last digit that there is.
CUDA_FN void cuda_draw_narrow(struct cuda_place at, int shift, const double *bins, int is_last,
                              struct cuda_draw_own *own)
{
    double above = own->above;
    uint32_t digit = 0;
    for (int j = CUDA_DRAW_BINS - 1; j >= 0; j--) {
        double bin = bins[j * at.n_threads];
        if (!(bin > 0))
            continue;
        own->above = above;
        digit = (uint32_t)j;
        above += bin;
        if (is_last ? above >= own->target : above > own->target)
            break;
    }
    own->key |= digit << shift;
}

// Of those that have the number that was found, the one with which the sum reaches the target.
CUDA_FN int64_t cuda_draw_nth(const struct cuda_draw *p, int is_last,
                              const struct cuda_draw_own *own)
{
    double one = (double)cuda_float_of(own->key),
           n = one > 0 ? floor((own->target - own->above) / one) : 0;
    n = n > 0 ? fmin(n, (double)p->n) : 0; // 0 where it is no number
    double sum = own->above + n * one;
    if (n < 1 || (is_last ? sum < own->target : sum <= own->target))
        n += 1;
    return (int64_t)n;
}

// What the nucleus is, and where the draw falls in it.
CUDA_FN void cuda_draw_aim(const struct cuda_draw *p, double mass, struct cuda_draw_own *own)
{
    own->target = p->uniform * mass;
    own->above = 0;
    own->key = 0;
}

CUDA_FN void cuda_draw_begin(const struct cuda_draw *p, struct cuda_draw_own *own)
{
    own->sum = 0;
    for (int i = 0; i < p->n_parts; i++)
        own->sum += p->parts[i];
    own->last = 0;
    own->last_nth = p->n;
    cuda_draw_aim(p, own->sum, own);
    if (cuda_draw_has_nucleus(p))
        own->target = own->sum * (double)p->top_p;
}

// What follows the last digit.
CUDA_FN void cuda_draw_found(const struct cuda_draw *p, int is_last, struct cuda_draw_own *own)
{
    own->nth = cuda_draw_nth(p, is_last, own);
    if (is_last) {
        own->last = own->key;
        own->last_nth = own->nth;
        cuda_draw_aim(p, own->above + (double)own->nth * (double)cuda_float_of(own->key), own);
    } else if (own->key < own->last || (own->key == own->last && own->nth > own->last_nth)) {
        own->key = own->last;
        own->nth = own->last_nth;
    }
}

// How many of a thread's run of tokens have the number; what is put out where none has, because
// some is no number.
CUDA_FN void cuda_draw_share(const struct cuda_draw *p, struct cuda_place at, uint32_t *count,
                             const struct cuda_draw_own *own)
{
    count[at.thread] = 0;
    for (int64_t i = (int64_t)p->n * at.thread / at.n_threads;
         i < (int64_t)p->n * (at.thread + 1) / at.n_threads; i++)
        count[at.thread] += cuda_bits_of(p->p[i]) == own->key;
    if (at.thread == 0 && !(own->sum < INFINITY))
        p->out->value = cuda_float_of(0x7fc00000);
}

CUDA_FN void cuda_draw_take(const struct cuda_draw *p, struct cuda_place at, const uint32_t *count,
                            const struct cuda_draw_own *own)
{
    int64_t before = 0, all = 0;
    if (!count[at.thread])
        return;
    for (int t = 0; t < at.n_threads; t++) {
        before += t < at.thread ? (int64_t)count[t] : 0;
        all += (int64_t)count[t];
    }
    int64_t left = (own->nth < all ? own->nth : all) - before;
    for (int64_t i = (int64_t)p->n * at.thread / at.n_threads;
         i < (int64_t)p->n * (at.thread + 1) / at.n_threads; i++)
        if (cuda_bits_of(p->p[i]) == own->key && --left == 0)
            p->out->id = (uint32_t)i;
}

CUDA_FN void cuda_draw_step(const struct cuda_draw *p, int step, struct cuda_place at,
                            float *shared, struct cuda_draw_own *own)
{
    double *bins = (double *)(void *)shared;
    int each = cuda_draw_digit_steps(at), digit = step / each, sub = step % each,
        all = cuda_draw_steps(p, at);
    int is_last = cuda_draw_has_nucleus(p) && digit < CUDA_DRAW_DIGITS;
    int shift = (CUDA_DRAW_DIGITS - 1 - digit % CUDA_DRAW_DIGITS) * CUDA_DRAW_BITS;
    if (step == 0)
        cuda_draw_begin(p, own);
    if (step == all - 2) {
        cuda_draw_share(p, at, (uint32_t *)(void *)shared, own);
    } else if (step == all - 1) {
        cuda_draw_take(p, at, (const uint32_t *)(const void *)shared, own);
    } else if (sub == 0) {
        cuda_draw_count(p, at, shift, bins, own);
    } else if (sub == each - 1) {
        cuda_draw_narrow(at, shift, bins, is_last, own);
        if (shift == 0)
            cuda_draw_found(p, is_last, own);
    } else if (at.thread < at.n_threads >> sub) {
        for (int j = 0; j < CUDA_DRAW_BINS; j++)
            bins[j * at.n_threads + at.thread] +=
                bins[j * at.n_threads + at.thread + (at.n_threads >> sub)];
    }
}

#endif
