// Span division of attention maps: a block of threads for each block of tokens. Every sum is made
// in the order of engine/method/span.c by one thread, so that the spans have the same bits; what
// can be done side by side (rows, columns, midpoints) is.
#ifndef LCTOOL_KERNELS_CUDA_CUDA_DIVIDE_CUH
#define LCTOOL_KERNELS_CUDA_CUDA_DIVIDE_CUH

#include "kernels/cuda/cuda_kernel.cuh"
#include "kernels/kernels.h"

enum {
    CUDA_DIVIDE_THREADS = 128,
    CUDA_DIVIDE_BITS = 32,                    // of the key of a quantile
    CUDA_DIVIDE_BOXES = 2 * SPANS_TOKENS - 1, // a candidate for each midpoint
};

struct cuda_divide {
    const float *a;    // [n_blocks][n][n]
    struct spans *out; // [n_blocks]
    // [n_blocks][n (n + 1) / 2] scratch: the lower triangle, in the order of numbers.
    uint32_t *keys;
    double *sum; // [n_blocks][n][n] scratch: S(x, y) at [y][x]
    int n;
    int low; // the threshold: entry LOW of the sorted triangle and PART of the way to the next one
    double part, iou;
    int most; // spans
};

struct cuda_divide_box {
    int from, to; // end exclusive; to 0: no candidate
    double score;
};

struct cuda_divide_shared {
    struct cuda_divide_box box[CUDA_DIVIDE_BOXES], sorted[CUDA_DIVIDE_BOXES], kept[SPANS_MOST];
    double votes[SPANS_TOKENS], inside[SPANS_TOKENS], before[SPANS_TOKENS];
    uint32_t count[CUDA_DIVIDE_THREADS], next[CUDA_DIVIDE_THREADS];
    struct spans_one span[SPANS_MOST];
    int n_spans, at, n_boxes;
    uint8_t owner[SPANS_TOKENS]; // 0 free, else 1 + span
    uint8_t out_of_it[CUDA_DIVIDE_BOXES];
};

static inline size_t cuda_divide_floats(void)
{
    return (sizeof(struct cuda_divide_shared) + sizeof(float) - 1) / sizeof(float);
}

struct cuda_divide_own {
    uint32_t key; // what is known of that of entry LOW
    double theta;
};

// The steps behind those that look for the quantile.
enum cuda_divide_step {
    CUDA_DIVIDE_NEXT, // the entry after LOW
    CUDA_DIVIDE_ROWS,
    CUDA_DIVIDE_COLUMNS,
    CUDA_DIVIDE_CANDIDATES,
    CUDA_DIVIDE_SORT,
    CUDA_DIVIDE_SURVIVORS, // two steps for each span: what overlaps the last one, the next one
    CUDA_DIVIDE_FIRST = 1 + 2 * CUDA_DIVIDE_BITS,
};

CUDA_FN int cuda_divide_steps(const struct cuda_divide *p, struct cuda_place at)
{
    (void)at;
    return CUDA_DIVIDE_FIRST + CUDA_DIVIDE_SURVIVORS + 2 * p->most + 3;
}

CUDA_FN uint32_t cuda_divide_key(float x)
{
    uint32_t bits = cuda_bits_of(x);
    return bits >> 31 ? ~bits : bits | 0x80000000;
}

CUDA_FN float cuda_divide_number(uint32_t key)
{
    return cuda_float_of(key >> 31 ? key & 0x7fffffff : ~key);
}

CUDA_FN void cuda_divide_begin(const struct cuda_divide *p, struct cuda_place at, const float *a,
                               uint32_t *keys, struct cuda_divide_shared *s)
{
    for (int k = at.thread; k < p->n * p->n; k += at.n_threads) {
        int i = k / p->n, j = k % p->n;
        if (j <= i)
            keys[i * (i + 1) / 2 + j] = cuda_divide_key(a[k]);
    }
    for (int j = at.thread; j < p->n; j += at.n_threads) {
        s->votes[j] = 0;
        for (int i = j; i < p->n; i++)
            s->votes[j] += (double)a[i * p->n + j];
        s->owner[j] = 0;
    }
    for (int i = at.thread; i < 2 * p->n - 1; i += at.n_threads)
        s->out_of_it[i] = 0;
    if (at.thread == 0)
        s->n_spans = s->at = 0;
}

CUDA_FN uint32_t cuda_divide_total(const uint32_t *count, struct cuda_place at)
{
    uint32_t sum = 0;
    for (int i = 0; i < at.n_threads; i++)
        sum += count[i];
    return sum;
}

// One bit of the key of entry LOW: how many entries are below the key with it set, then whether it
// is.
CUDA_FN void cuda_divide_bit(const struct cuda_divide *p, int step, struct cuda_place at,
                             const uint32_t *keys, struct cuda_divide_shared *s,
                             struct cuda_divide_own *own)
{
    int all = p->n * (p->n + 1) / 2;
    uint32_t with = (step < 2 ? 0 : own->key) | (uint32_t)1 << (CUDA_DIVIDE_BITS - 1 - step / 2);
    if (step % 2 == 0) {
        own->key = step ? own->key : 0;
        s->count[at.thread] = 0;
        for (int k = at.thread; k < all; k += at.n_threads)
            s->count[at.thread] += keys[k] < with;
    } else if (cuda_divide_total(s->count, at) <= (uint32_t)p->low) {
        own->key = with;
    }
}

// How many entries are not above entry LOW, and the smallest above it.
CUDA_FN void cuda_divide_next(const struct cuda_divide *p, struct cuda_place at,
                              const uint32_t *keys, struct cuda_divide_shared *s,
                              const struct cuda_divide_own *own)
{
    int all = p->n * (p->n + 1) / 2;
    s->count[at.thread] = 0;
    s->next[at.thread] = UINT32_MAX;
    for (int k = at.thread; k < all; k += at.n_threads) {
        s->count[at.thread] += keys[k] <= own->key;
        if (keys[k] > own->key && keys[k] < s->next[at.thread])
            s->next[at.thread] = keys[k];
    }
}

CUDA_FN double cuda_divide_theta(const struct cuda_divide *p, struct cuda_place at,
                                 const struct cuda_divide_shared *s,
                                 const struct cuda_divide_own *own)
{
    uint32_t next = UINT32_MAX;
    double x = (double)cuda_divide_number(own->key), y = x;
    if (p->low + 1 >= p->n * (p->n + 1) / 2)
        return x;
    for (int i = 0; i < at.n_threads; i++)
        next = s->next[i] < next ? s->next[i] : next;
    if (cuda_divide_total(s->count, at) == (uint32_t)p->low + 1)
        y = (double)cuda_divide_number(next);
    return cuda_mul_add_double(p->part, y - x, x);
}

CUDA_FN void cuda_divide_candidates(const struct cuda_divide *p, struct cuda_place at,
                                    const double *sum, struct cuda_divide_shared *s)
{
    for (int mid = at.thread; mid <= 2 * p->n - 2; mid += at.n_threads) {
        struct cuda_divide_box best = {0, 0, 0};
        for (int x = mid / 2; x >= 0 && mid - x < p->n; x--) {
            double score = sum[(mid - x) * p->n + x];
            if (score > best.score) {
                best.from = x;
                best.to = mid - x + 1;
                best.score = score;
            }
        }
        s->box[mid] = best;
    }
}

CUDA_FN int cuda_divide_before(const struct cuda_divide_box *x, const struct cuda_divide_box *y)
{
    if (!x->to || !y->to)
        return x->to > 0;
    if (x->score != y->score)
        return x->score > y->score;
    return x->from != y->from ? x->from < y->from : x->to < y->to;
}

// Each candidate goes where so many come before it.
CUDA_FN void cuda_divide_sort(const struct cuda_divide *p, struct cuda_place at,
                              struct cuda_divide_shared *s)
{
    int n = 2 * p->n - 1;
    for (int i = at.thread; i < n; i += at.n_threads) {
        int to = 0;
        for (int j = 0; j < n && s->box[i].to; j++)
            to += j != i && cuda_divide_before(&s->box[j], &s->box[i]);
        if (s->box[i].to)
            s->sorted[to] = s->box[i];
    }
    if (at.thread == 0) {
        s->n_boxes = 0;
        for (int i = 0; i < n; i++)
            s->n_boxes += s->box[i].to > 0;
    }
}

// All its numbers are whole and small: exact.
CUDA_FN double cuda_divide_overlap(const struct cuda_divide_box *a, const struct cuda_divide_box *b)
{
    int from = cuda_max(a->from, b->from), to = cuda_min(a->to, b->to);
    if (to <= from)
        return 0;
    double o = (double)(to - from), x = (double)(a->to - a->from), y = (double)(b->to - b->from);
    return o * o / (x * x + y * y - o * o);
}

CUDA_FN void cuda_divide_suppress(const struct cuda_divide *p, struct cuda_place at,
                                  struct cuda_divide_shared *s)
{
    for (int i = at.thread; i < s->n_boxes && s->n_spans; i += at.n_threads)
        if (cuda_divide_overlap(&s->kept[s->n_spans - 1], &s->sorted[i]) > p->iou)
            s->out_of_it[i] = 1;
}

// The best candidate that is left and owns a token, narrowed to its longest run of those that
// nobody owns. One thread.
CUDA_FN void cuda_divide_take(struct cuda_divide_shared *s)
{
    for (; s->at < s->n_boxes; s->at++) {
        struct cuda_divide_box b = s->sorted[s->at];
        int best = 0, from = 0;
        if (s->out_of_it[s->at])
            continue;
        for (int i = b.from, run = 0; i < b.to; i++) {
            run = s->owner[i] ? 0 : run + 1;
            if (run > best) {
                best = run;
                from = i + 1 - run;
            }
        }
        if (!best)
            continue;
        for (int i = from; i < from + best; i++)
            s->owner[i] = (uint8_t)(s->n_spans + 1);
        struct spans_one one = {from, from + best, b.score, 0};
        s->kept[s->n_spans] = b;
        s->span[s->n_spans++] = one;
        s->at++;
        return;
    }
}

// What no span covers is one where there is room for more, else joins a neighbour; then all by
// place. One thread.
CUDA_FN void cuda_divide_fill(const struct cuda_divide *p, struct cuda_divide_shared *s)
{
    for (int from = 0; from < p->n;) {
        int to = from + 1, span;
        if (s->owner[from]) {
            from = to;
            continue;
        }
        while (to < p->n && !s->owner[to])
            to++;
        span = from ? s->owner[from - 1] - 1 : to < p->n ? s->owner[to] - 1 : -1;
        if (s->n_spans < p->most || span < 0) {
            struct spans_one gap = {from, to, 0, 0};
            span = s->n_spans++;
            s->span[span] = gap;
        } else if (from) {
            s->span[span].to = to;
        } else {
            s->span[span].from = from;
        }
        for (int i = from; i < to; i++)
            s->owner[i] = (uint8_t)(span + 1);
        from = to;
    }
    for (int i = 1; i < s->n_spans; i++)
        for (int j = i; j > 0 && s->span[j - 1].from > s->span[j].from; j--) {
            struct spans_one one = s->span[j];
            s->span[j] = s->span[j - 1];
            s->span[j - 1] = one;
        }
}

// Of each row, what its span and what the columns before that received; and the ranks of the
// tokens.
CUDA_FN void cuda_divide_rows(const struct cuda_divide *p, struct cuda_place at, const float *a,
                              struct cuda_divide_shared *s, struct spans *out)
{
    for (int i = at.thread; i < p->n; i += at.n_threads) {
        int span = 0, rank = 0;
        while (s->span[span].to <= i)
            span++;
        s->inside[i] = s->before[i] = 0;
        for (int j = 0; j <= i; j++)
            *(j < s->span[span].from ? &s->before[i] : &s->inside[i]) += (double)a[i * p->n + j];
        for (int j = 0; j < p->n; j++)
            rank += s->votes[j] > s->votes[i] || (j < i && s->votes[j] == s->votes[i]);
        out->rank[i] = (uint8_t)rank;
    }
}

CUDA_FN void cuda_divide_end(struct cuda_place at, const struct cuda_divide_shared *s,
                             struct spans *out)
{
    for (int i = at.thread; i < s->n_spans; i += at.n_threads) {
        struct spans_one one = s->span[i];
        double inside = 0, before = 0;
        for (int row = one.from; row < one.to; row++) {
            inside += s->inside[row];
            before += s->before[row];
        }
        one.ratio = inside + before > 0 ? inside / (inside + before) : 1;
        out->v[i] = one;
    }
    if (at.thread == 0)
        out->n = s->n_spans;
}

CUDA_FN void cuda_divide_step(const struct cuda_divide *p, int step, struct cuda_place at,
                              float *shared, struct cuda_divide_own *own)
{
    struct cuda_divide_shared *s = (struct cuda_divide_shared *)(void *)shared;
    const float *a = p->a + (int64_t)at.bx * p->n * p->n;
    uint32_t *keys = p->keys + (int64_t)at.bx * (p->n * (p->n + 1) / 2);
    double *sum = p->sum + (int64_t)at.bx * p->n * p->n;
    int last = cuda_divide_steps(p, at) - 1, phase = step - CUDA_DIVIDE_FIRST;
    if (step == 0)
        cuda_divide_begin(p, at, a, keys, s);
    else if (phase < 0)
        cuda_divide_bit(p, step - 1, at, keys, s, own);
    else if (phase == CUDA_DIVIDE_NEXT)
        cuda_divide_next(p, at, keys, s, own);
    else if (phase == CUDA_DIVIDE_ROWS) {
        own->theta = cuda_divide_theta(p, at, s, own);
        for (int y = at.thread; y < p->n; y += at.n_threads) {
            double row = 0;
            for (int x = y; x >= 0; x--) {
                row += (double)a[y * p->n + x] - own->theta;
                sum[y * p->n + x] = row;
            }
        }
    } else if (phase == CUDA_DIVIDE_COLUMNS) {
        for (int x = at.thread; x < p->n; x += at.n_threads)
            for (int y = x + 1; y < p->n; y++)
                sum[y * p->n + x] += sum[(y - 1) * p->n + x];
    } else if (phase == CUDA_DIVIDE_CANDIDATES)
        cuda_divide_candidates(p, at, sum, s);
    else if (phase == CUDA_DIVIDE_SORT)
        cuda_divide_sort(p, at, s);
    else if (step < last - 2 && (phase - CUDA_DIVIDE_SURVIVORS) % 2 == 0)
        cuda_divide_suppress(p, at, s);
    else if (step < last - 2 && at.thread == 0)
        cuda_divide_take(s);
    else if (step == last - 2 && at.thread == 0)
        cuda_divide_fill(p, s);
    else if (step == last - 1)
        cuda_divide_rows(p, at, a, s, p->out + at.bx);
    else if (step == last)
        cuda_divide_end(at, s, p->out + at.bx);
}

#endif
