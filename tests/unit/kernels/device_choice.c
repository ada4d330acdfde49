// Rows that resemble a query, and spans, on a device: see device_tests.h.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/method/span.h"
#include "tests/unit/kernels/device_tests.h"
#include "tests/unit/kernels/kernel_cases.h"
#include "tests/unit/ok.h"

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
