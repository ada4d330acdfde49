// Votes of heads for blocks, counted on a device: see device_tests.h.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/method/score.h"
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
