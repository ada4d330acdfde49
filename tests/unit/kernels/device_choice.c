// Blocks chosen on a device: see device_tests.h.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/method/score.h"
#include "engine/method/span.h"
#include "engine/model/sample.h"
#include "tests/unit/kernels/device_tests.h"
#include "tests/unit/kernels/kernel_cases.h"
#include "tests/unit/ok.h"

// Votes of heads for blocks of index keys.
struct votes {
    int n, n_q, dim, n_blocks;
    const uint64_t *start;
    struct scan *scans;
    float *weight, *q, *scale;
    int8_t *keys;
    float *all;   // [n][n_blocks] what each says, and
    double *mean; // [n_blocks] their weighted mean, by mean_vote when first asked for
};

static void votes_new(struct votes *v)
{
    size_t keys = v->start[v->n_blocks], votes = (size_t)v->n, q = (size_t)(v->n_q * v->dim);
    v->scans = new (votes, sizeof *v->scans);
    v->weight = new (votes, sizeof *v->weight);
    v->q = new (votes * q, sizeof *v->q);
    v->scale = new (keys, sizeof *v->scale);
    v->keys = new (votes * keys * (size_t)v->dim, 1);
    for (size_t i = 0; i < votes * q; i++)
        v->q[i] = uniform();
    for (size_t i = 0; i < keys; i++)
        v->scale[i] = uniform();
    for (size_t i = 0; i < votes * keys * (size_t)v->dim; i++)
        v->keys[i] = (int8_t)next_random();
    for (size_t i = 0; i < votes; i++) {
        v->weight[i] = (float)(i + 1) / 4;
        v->scans[i] = (struct scan){.q = v->q + i * q,
                                    .n_q = v->n_q,
                                    .head_dim = v->dim,
                                    .scale = 0.01f,
                                    .keys = v->keys + i * keys * (size_t)v->dim,
                                    .key_scale = v->scale,
                                    .start = v->start,
                                    .n_blocks = v->n_blocks};
    }
}

static void votes_free(struct votes *v)
{
    free(v->scans);
    free(v->weight);
    free(v->q);
    free(v->scale);
    free(v->keys);
    free(v->all);
    free(v->mean);
}

// Their weighted mean as the engine makes it of the masses.
static void mean_vote(struct votes *v)
{
    size_t blocks = (size_t)v->n_blocks;
    double weights = 0;
    if (v->mean)
        return;
    v->all = new ((size_t)v->n * blocks, sizeof *v->all);
    double *score = v->mean = new (blocks, sizeof *score);
    memset(score, 0, blocks * sizeof *score);
    for (int i = 0; i < v->n; i++) {
        struct scan s = v->scans[i];
        float *z = s.mass = v->all + (size_t)i * blocks;
        tested->ops->scan(tested, &s);
        OK(tested->ops->sync(tested, e));
        score_standardize(z, v->n_blocks);
        weights += (double)v->weight[i];
        for (size_t b = 0; b < blocks; b++)
            score[b] += (double)(v->weight[i] * z[b]);
    }
    for (size_t b = 0; b < blocks; b++)
        score[b] /= weights;
}

// Every vote in three parts, the one in the middle empty.
static struct scan *in_parts(const struct votes *v)
{
    struct scan *parts = new (3 * (size_t)v->n, sizeof *parts);
    const int64_t from[] = {0, v->n_blocks / 3, v->n_blocks / 3, v->n_blocks};
    for (int i = 0; i < 3 * v->n; i++) {
        parts[i] = v->scans[i / 3];
        parts[i].start += from[i % 3];
        parts[i].n_blocks = from[i % 3 + 1] - from[i % 3];
    }
    return parts;
}

// What each vote says of block TOP, Z and RANK, as the engine has it in ALL, to rounding.
static void check_said(const float *all, int64_t n_blocks, int64_t top, float z, int rank)
{
    const float near = 1e-4f;
    int least = 1, most = 1;
    assert_true(fabsf(z - all[top]) <= near);
    for (int64_t b = 0; b < n_blocks; b++) {
        least += all[b] > z + near;
        most += all[b] > z - near;
    }
    assert_true(least <= rank && rank <= most);
}

static int falling(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? 1 : x > y ? -1 : 0;
}

// Scores as the engine has them, in falling order; of blocks with the same score the first ones, in
// order. HOW: 1 in parts, 2 with what words add, 4 with what each vote says.
static void check_elect(struct votes *v, int n_top, int how)
{
    const double near = 1e-6; // the mean is summed in another order
    const size_t blocks = (size_t)v->n_blocks, said = (size_t)v->n * (size_t)n_top;
    float *z = new (said, sizeof *z);
    double *want = new (blocks, sizeof *want), *sorted = new (blocks, sizeof *sorted),
           *gain = new (blocks, sizeof *gain);
    double *score = new ((size_t)n_top, sizeof *score), largest = 0;
    int64_t *top = new ((size_t)n_top, sizeof *top);
    int *rank = new (said, sizeof *rank);
    unsigned char *seen = new (blocks, 1);
    struct scan *parts = in_parts(v);
    memset(seen, 0, blocks);
    mean_vote(v);
    memcpy(want, v->mean, blocks * sizeof *want);
    for (size_t b = 0; b < blocks; b++) {
        largest = want[b] > largest ? want[b] : largest;
        gain[b] = b % 3 ? 0 : 0.5 + (double)(next_random() % 4) / 2;
    }
    for (size_t b = 0; b < blocks && how & 2; b++)
        want[b] += largest * gain[b] / 2;
    memcpy(sorted, want, blocks * sizeof *sorted);
    qsort(sorted, blocks, sizeof *sorted, falling);
    tested->ops->elect(tested, &(struct election){.votes = how & 1 ? parts : v->scans,
                                                  .weight = v->weight,
                                                  .n_votes = v->n,
                                                  .n_parts = how & 1 ? 3 : 1,
                                                  .n_top = n_top,
                                                  .gain = how & 2 ? gain : NULL,
                                                  .gain_most = 2,
                                                  .top = top,
                                                  .score = score,
                                                  .z = how & 4 ? z : NULL,
                                                  .rank = rank});
    OK(tested->ops->sync(tested, e));
    for (int i = 0; i < n_top; i++) {
        assert_true(top[i] >= 0 && top[i] < v->n_blocks && !seen[top[i]]);
        seen[top[i]] = 1;
        assert_true(fabs(score[i] - sorted[i]) <= near && fabs(want[top[i]] - score[i]) <= near);
        assert_true(!i || score[i - 1] > score[i] ||
                    (score[i - 1] == score[i] && top[i - 1] < top[i]));
        for (int x = 0; x < v->n && how & 4 && i % 8 == 0; x++)
            check_said(v->all + (size_t)x * blocks, v->n_blocks, top[i], z[x * n_top + i],
                       rank[x * n_top + i]);
    }
    for (int64_t b = 0; b < v->n_blocks;
         b++) // what is left out is not better, nor as good and earlier
        if (!seen[b])
            assert_true(want[b] <= score[n_top - 1] + near &&
                        (want[b] != want[top[n_top - 1]] || b > top[n_top - 1]));
    free(z);
    free(want);
    free(sorted);
    free(gain);
    free(score);
    free(top);
    free(rank);
    free(seen);
    free(parts);
}

void device_elect(void **state)
{
    (void)state;
    static const uint64_t odd[] = {5, 64, 64, 65, 100, 403, 1200, 1216}, none[] = {3, 3, 3};
    uint64_t even[301];
    for (uint64_t i = 0; i < 301; i++)
        even[i] = i * 3;
    struct votes cases[] = {
        {.n = 1, .n_q = 1, .dim = 64, .start = odd, .n_blocks = 7},
        {.n = 3, .n_q = 5, .dim = 21, .start = odd, .n_blocks = 7},
        {.n = 2, .n_q = 2, .dim = 16, .start = even, .n_blocks = 300},
        {.n = 2, .n_q = 1, .dim = 16, .start = odd, .n_blocks = 1},
        {.n = 2, .n_q = 1, .dim = 8, .start = none, .n_blocks = 2}, // nothing to score: all alike
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        votes_new(&cases[i]);
        for (int n_top = 1; n_top <= cases[i].n_blocks; n_top += n_top < 4 ? 1 : 37)
            check_elect(&cases[i], n_top, n_top & 7);
        for (int how = 0; how < 8; how++)
            check_elect(&cases[i], cases[i].n_blocks, how);
        votes_free(&cases[i]);
    }
    // Few different blocks, over and over: most scores are those of many.
    struct votes same = {.n = 3, .n_q = 2, .dim = 16, .start = even, .n_blocks = 300};
    votes_new(&same);
    for (size_t i = 0; i < 3 * 900 * 16; i++)
        same.keys[i] = (int8_t)(i / 48 % 5 * 7);
    for (size_t i = 0; i < 900; i++)
        same.scale[i] = 1;
    for (int n_top = 1; n_top <= 300; n_top += 23)
        check_elect(&same, n_top, n_top & 7);
    // A scale that is no number leaves no vote a number: every block counts the same, and that is
    // one.
    same.scale[17] = NAN;
    int64_t top[300];
    double score[300];
    tested->ops->elect(tested, &(struct election){.votes = same.scans,
                                                  .weight = same.weight,
                                                  .n_votes = 3,
                                                  .n_parts = 1,
                                                  .n_top = 300,
                                                  .top = top,
                                                  .score = score});
    OK(tested->ops->sync(tested, e));
    for (int i = 0; i < 300; i++)
        assert_true(top[i] == i && score[i] == 0);
    votes_free(&same);
}

// More blocks than 16 bits count, every third one empty; of fewer, as many chosen as can be, and
// more than that.
void device_elect_most(void **state)
{
    (void)state;
    enum { MANY = 66000, FEWER = 3000 };
    uint64_t *start = new (MANY + 1, sizeof *start);
    static int64_t top[ELECT_MOST + 1];
    static double score[ELECT_MOST + 1];
    struct err e;
    start[0] = 0;
    for (uint64_t i = 0; i < MANY; i++)
        start[i + 1] = start[i] + (i % 3 > 0);
    struct votes v = {.n = 2, .n_q = 1, .dim = 4, .start = start, .n_blocks = MANY};
    struct votes fewer = v;
    fewer.n_blocks = FEWER;
    votes_new(&fewer);
    check_elect(&fewer, ELECT_MOST, 3);
    votes_free(&fewer);
    votes_new(&v);
    check_elect(&v, 40, 7);
    struct election x = {.votes = v.scans,
                         .weight = v.weight,
                         .n_votes = 2,
                         .n_parts = 1,
                         .n_top = ELECT_MOST + 1,
                         .top = top,
                         .score = score};
    tested->ops->elect(tested, &x);
    assert_int_equal(tested->ops->sync(tested, &e), ERR_UNSUPPORTED);
    v.scans[0].n_blocks = v.scans[1].n_blocks = 5;
    x.n_top = 6;
    tested->ops->elect(tested, &x);
    assert_int_equal(tested->ops->sync(tested, &e), ERR_UNSUPPORTED);
    assert_non_null(strstr(e.msg, "6 of 5 blocks"));
    votes_free(&v);
    free(start);
}

// ---- Rows that resemble a query

static int near_float(float a, float b)
{
    return fabsf(a - b) <= 1e-4f;
}

// The largest products, in falling order, of equals the first row first.
static void check_similar(int n, int width, int stride, int n_top, int few)
{
    struct err failed;
    const size_t all = (size_t)n * (size_t)stride;
    float *rows = new (all, sizeof *rows), *q = new ((size_t)width, sizeof *q),
          *want = new ((size_t)n, sizeof *want);
    float *there = tested->ops->alloc(tested, all * sizeof *rows, &failed);
    int64_t *top = new ((size_t)n_top, sizeof *top);
    unsigned char *seen = new ((size_t)n, 1);
    assert_non_null(there);
    for (size_t i = 0; i < all; i++)
        rows[i] = few ? (float)(i / (size_t)stride % 3) : uniform();
    for (int j = 0; j < width; j++)
        q[j] = few ? 1 : uniform();
    for (int i = 0; i < n; i++) {
        want[i] = 0;
        seen[i] = 0;
        for (int j = 0; j < width; j++)
            want[i] += q[j] * rows[(size_t)i * (size_t)stride + (size_t)j];
    }
    OK(tested->ops->upload(tested, there, rows, all * sizeof *rows, e));
    tested->ops->similar(tested, &(struct similar){q, there, n, stride, width, n_top, top});
    OK(tested->ops->sync(tested, e));
    for (int i = 0; i < n_top; i++) {
        assert_true(top[i] >= 0 && top[i] < n && !seen[top[i]]);
        seen[top[i]] = 1;
        if (i && few && want[top[i]] == want[top[i - 1]])
            assert_true(top[i] > top[i - 1]);
        assert_true(!i || want[top[i]] <= want[top[i - 1]] ||
                    near_float(want[top[i]], want[top[i - 1]]));
    }
    for (int i = 0; i < n; i++)
        assert_true(seen[i] || want[i] <= want[top[n_top - 1]] ||
                    near_float(want[i], want[top[n_top - 1]]));
    tested->ops->free(tested, there);
    free(rows);
    free(q);
    free(want);
    free(top);
    free(seen);
}

void device_similar(void **state)
{
    (void)state;
    struct err failed;
    float x[7 * 129], want[129], got[129];
    check_similar(1, 1, 1, 1, 0);
    check_similar(40, 129, 300, 16, 0);
    check_similar(700, 64, 64, 700, 0);
    check_similar(700, 64, 65, 33, 1);
    tested->ops->similar(tested,
                         &(struct similar){.q = x, .n = 5, .width = 1, .stride = 1, .n_top = 6});
    assert_int_equal(tested->ops->sync(tested, &failed), ERR_UNSUPPORTED);
    assert_non_null(strstr(failed.msg, "similar"));
    float *there = tested->ops->alloc(tested, sizeof x, &failed),
          *mean = tested->ops->alloc(tested, sizeof want, &failed);
    assert_true(there && mean);
    for (int i = 0; i < 7 * 129; i++)
        x[i] = uniform();
    OK(tested->ops->upload(tested, there, x, sizeof x, e));
    for (int n = 1; n <= 7; n += 3) {
        for (int j = 0; j < 129; j++) {
            want[j] = 0;
            for (int i = 0; i < n; i++)
                want[j] += x[i * 129 + j] / (float)n;
        }
        tested->ops->mean(tested, mean, there, n, 129);
        OK(tested->ops->download(tested, got, mean, sizeof got, e));
        compare(tested, "mean of rows", want, got, 129, 0);
    }
    tested->ops->free(tested, there);
    tested->ops->free(tested, mean);
}

// ---- Span division

// Attention maps of several kinds: as it may be, with many equal entries, none at all.
static void random_map(float *a, int n, int kind)
{
    for (int i = 0; i < n * n; i++) {
        float u = (1 + uniform()) / 2;
        a[i] = kind == 0   ? u * u * u * u
               : kind == 1 ? (float)(next_random() % 3)
               : kind == 2 ? 0
                           : 1;
        if (kind == 4) // triangles of 9 tokens
            a[i] = i / n / 9 == i % n / 9 ? 1 + u : u / 8;
        if (i % n > i / n)
            a[i] = NAN; // above the diagonal: never read
    }
}

// The same bits as engine/method/span.c makes.
static void check_divide(int n, int n_blocks, struct span_cut cut)
{
    struct err failed;
    size_t all = (size_t)n_blocks * (size_t)n * (size_t)n, blocks = (size_t)n_blocks;
    float *a = new (all, sizeof *a), *there = tested->ops->alloc(tested, all * sizeof *a, &failed);
    struct spans *got = new (blocks, sizeof *got),
                 *out = tested->ops->alloc(tested, blocks * sizeof *out, &failed), want;
    assert_true(there && out);
    for (int b = 0; b < n_blocks; b++)
        random_map(a + (size_t)b * (size_t)(n * n), n, b % 5);
    OK(tested->ops->upload(tested, there, a, all * sizeof *a, e));
    tested->ops->divide(tested, &(struct divide){there, n_blocks, n, cut, out});
    OK(tested->ops->download(tested, got, out, blocks * sizeof *got, e));
    for (int b = 0; b < n_blocks; b++) {
        OK(span_find(&want, a + (size_t)b * (size_t)(n * n), n, n, &cut, e));
        assert_int_equal(got[b].n, want.n);
        assert_memory_equal(got[b].rank, want.rank, (size_t)n);
        for (int i = 0; i < want.n; i++) {
            assert_int_equal(got[b].v[i].from, want.v[i].from);
            assert_int_equal(got[b].v[i].to, want.v[i].to);
            assert_true(got[b].v[i].score == want.v[i].score &&
                        got[b].v[i].ratio == want.v[i].ratio);
        }
    }
    tested->ops->free(tested, there);
    tested->ops->free(tested, out);
    free(a);
    free(got);
}

void device_divide(void **state)
{
    (void)state;
    static const double thetas[] = {0.9, 0.425, 1, 0.0001}, ious[] = {0.1, 0.5, 0.02, 1};
    for (int n = 1; n <= SPANS_TOKENS; n += n < 12 ? 1 : n < 64 ? 26 : 62)
        for (int i = 0; i < 4; i++)
            check_divide(n, 5, (struct span_cut){thetas[i], ious[i], 1 + (n + 5 * i) % SPANS_MOST});
    check_divide(64, 40, (struct span_cut){0.91, 0.12, 4});
    struct err e;
    tested->ops->divide(
        tested, &(struct divide){.n_blocks = 1, .block = SPANS_TOKENS + 1, .cut = {0.9, 0.1, 4}});
    assert_int_equal(tested->ops->sync(tested, &e), ERR_UNSUPPORTED);
    assert_non_null(strstr(e.msg, "divide"));
}

// ---- The largest logit

// As engine/model/sample.c finds it.
static void check_best(float *x, int n)
{
    struct err failed;
    struct best got;
    struct sampler greedy = {.temp = 0};
    float *there = tested->ops->alloc(tested, (size_t)n * sizeof *x, &failed);
    struct best *out = tested->ops->alloc(tested, sizeof *out, &failed);
    uint32_t want, id;
    assert_true(there && out);
    OK(tested->ops->upload(tested, there, x, (size_t)n * sizeof *x, e));
    tested->ops->best(tested, out, there, n);
    OK(tested->ops->download(tested, &got, out, sizeof got, e));
    int rc = sample(&greedy, x, n, &want, &failed);
    assert_int_equal(sample_best(&got, &id, &failed), rc);
    assert_int_equal(id, want);
    assert_true(got.value == x[want] || (isnan(got.value) && isnan(x[want])));
    tested->ops->free(tested, there);
    tested->ops->free(tested, out);
}

void device_best(void **state)
{
    (void)state;
    static const int sizes[] = {1, 2, 255, 257, 2049, 49152, 200001};
    float *x = new (200001, sizeof *x);
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        const int n = sizes[k];
        for (int i = 0; i < n; i++)
            x[i] = uniform() - 2;
        check_best(x, n);
        x[n - 1] = x[n / 2] = -0.f; // the first of equals; zeros are equal
        x[n / 3] = 0;
        check_best(x, n);
        x[n / 4] = NAN; // which is passed over, unless it is the first
        check_best(x, n);
        x[n - 1] = INFINITY; // the model is damaged
        check_best(x, n);
        x[0] = NAN;
        check_best(x, n);
        for (int i = 0; i < n; i++)
            x[i] = -INFINITY;
        check_best(x, n);
    }
    free(x);
}

// What is added, against the same sums here.
void device_favour(void **state)
{
    (void)state;
    enum { VOCAB = 5000, MOST = 1000 };
    static const int counts[] = {0, 1, 257, MOST};
    struct err failed;
    struct bonus b[MOST];
    float want[VOCAB], got[VOCAB];
    float *x = tested->ops->alloc(tested, sizeof want, &failed);
    struct bonus *there = tested->ops->alloc(tested, sizeof b, &failed);
    assert_true(x && there);
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        for (int i = 0; i < VOCAB; i++)
            want[i] = uniform();
        OK(tested->ops->upload(tested, x, want, sizeof want, e));
        for (int i = 0; i < counts[k]; i++) {
            b[i] = (struct bonus){(uint32_t)(i * 4999 % VOCAB), i % 9 ? 3 * uniform() : -INFINITY};
            want[b[i].id] += b[i].by;
        }
        OK(tested->ops->upload(tested, there, b, (size_t)counts[k] * sizeof *b, e));
        tested->ops->favour(tested, x, there, counts[k]);
        OK(tested->ops->download(tested, got, x, sizeof got, e));
        assert_memory_equal(got, want, sizeof want);
    }
    tested->ops->free(tested, x);
    tested->ops->free(tested, there);
}

// ---- A token drawn

struct likely {
    float p;
    uint32_t id;
};

static int likelier(const void *a, const void *b)
{
    const struct likely *x = a, *y = b;
    return x->p != y->p ? (x->p < y->p ? 1 : -1) : x->id < y->id ? -1 : x->id > y->id;
}

// Whether token GOT could be drawn by HOW where exponentials round otherwise: it lies so near to
// where the draw falls.
static int could_be_drawn(const float *x, int n, const struct draw *how, uint32_t got)
{
    const double near = 1e-5;
    struct likely *c = new ((size_t)n, sizeof *c);
    float top = x[0];
    double sum = 0, mass = 0, before = 0, least = 0, most = 0;
    for (int i = 1; i < n; i++)
        top = x[i] > top ? x[i] : top;
    for (int i = 0; i < n; i++) {
        c[i] = (struct likely){expf((x[i] - top) / how->temp), (uint32_t)i};
        sum += (double)c[i].p;
    }
    qsort(c, (size_t)n, sizeof *c, likelier);
    const int has_nucleus = how->top_p > 0 && how->top_p < 1;
    for (int i = 0; i < n && (!has_nucleus || mass < sum * (double)how->top_p); i++)
        mass += (double)c[i].p;
    for (int i = 0; i < n; before += (double)c[i++].p)
        if (c[i].id == got) {
            least = before;
            most = before + (double)c[i].p;
        }
    free(c);
    const double at = how->uniform * mass;
    return at >= least - near * sum && at <= most + near * sum;
}

// As engine/model/sample.c draws it; how many draws are others.
// What token ID of X [n] costs.
static double cost_of(const float *x, int n, uint32_t id)
{
    double most = (double)x[0], sum = 0;
    for (int i = 1; i < n; i++)
        most = (double)x[i] > most ? (double)x[i] : most;
    for (int i = 0; i < n; i++)
        sum += exp((double)x[i] - most);
    return log(sum) - ((double)x[id] - most);
}

static int check_draw(float *x, int n, float temp, float top_p, int draws)
{
    struct err failed;
    struct sampler s = {.temp = temp, .top_p = top_p, .state = next_random()};
    float *there = tested->ops->alloc(tested, (size_t)n * sizeof *x, &failed);
    struct best *out = tested->ops->alloc(tested, sizeof *out, &failed), got;
    float *nats = tested->ops->alloc(tested, sizeof *nats, &failed);
    int others = 0;
    assert_true(there && out && nats);
    OK(tested->ops->upload(tested, there, x, (size_t)n * sizeof *x, e));
    for (int i = 0; i < draws; i++) {
        struct sampler same = s;
        const struct draw how = sample_draw(&same);
        uint32_t want = UINT32_MAX, id;
        float cost;
        tested->ops->draw(tested, out, there, n, &how);
        tested->ops->cost(tested, nats, out, there, n);
        OK(tested->ops->download(tested, &got, out, sizeof got, e));
        OK(tested->ops->download(tested, &cost, nats, sizeof cost, e));
        int rc = sample(&s, x, n, &want, &failed);
        assert_int_equal(sample_best(&got, &id, &failed), rc);
        if (!rc)
            assert_true(fabs((double)cost - cost_of(x, n, id)) < 1e-4);
        if (rc || id == want)
            continue;
        assert_true(id < (uint32_t)n && could_be_drawn(x, n, &how, id));
        others++;
    }
    tested->ops->free(tested, there);
    tested->ops->free(tested, out);
    tested->ops->free(tested, nats);
    return others;
}

void device_draw(void **state)
{
    (void)state;
    static const int sizes[] = {1, 2, 7, 1025, 49152};
    static const float top_ps[] = {1, 0.9f, 0, 0.3f, 1e-9f, 0.9999999f};
    float *x = new (49152, sizeof *x);
    int others = 0, draws = 0;
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        const int n = sizes[k], few = n > 2000 ? 2 : 20;
        for (int kind = 0; kind < 4;
             kind++) { // as it may be, few different ones, all alike, one far above the others
            for (int i = 0; i < n; i++)
                x[i] = kind == 0   ? 9 * uniform()
                       : kind == 1 ? (float)(next_random() % 5)
                       : kind == 2 ? 3
                                   : (float)-(i % 100);
            if (kind == 3)
                x[n / 2] = 40;
            if (kind == 0)
                x[n / 3] = -INFINITY;
            for (size_t i = 0; i < sizeof top_ps / sizeof *top_ps; i++, draws += few)
                others +=
                    n == 1 && kind == 0 ? 0 : check_draw(x, n, i % 2 ? 0.7f : 1.5f, top_ps[i], few);
        }
        x[n / 2] = NAN; // the model is damaged
        check_draw(x, n, 1, 0.9f, 2);
        x[n / 2] = INFINITY;
        check_draw(x, n, 1, 1, 2);
    }
    assert_true(others * 100 < draws);
    free(x);
}
