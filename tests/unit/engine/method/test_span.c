// Spans of blocks small enough to check by hand, and what must hold of any block.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "engine/method/span.h"

static struct span_set divide(const float *a, int n, struct span_options o)
{
    struct span_set s;
    struct err e = {0};
    if (span_divide(&s, a, n, n, &o, &e))
        fail_msg("%s", e.msg);
    return s;
}

// Two triangles: tokens 0..2 attend to each other, 3..5 to each other, and across by little. Six
// rows, 21 entries, 9 of them 0.1, 12 of them 1: the quantile 0.425 lies halfway between the last
// of the small ones (entry 8 of 0..20) and the first of the large ones, so the threshold is 0.55.
static const float TWO[6 * 6] = {
    1,   9,   9,   9, 9, 9, 1,   1,   9,   9, 9, 9, 1,   1,   1,   9, 9, 9,
    .1f, .1f, .1f, 1, 9, 9, .1f, .1f, .1f, 1, 1, 9, .1f, .1f, .1f, 1, 1, 1,
};

static void two_triangles(void **state)
{
    (void)state;
    struct span_set s = divide(TWO, 6, (struct span_options){.theta = 0.425, .lambda = 3});
    assert_int_equal(s.n, 2);
    assert_int_equal(s.v[0].from, 0);
    assert_int_equal(s.v[0].to, 3);
    assert_int_equal(s.v[1].from, 3);
    assert_int_equal(s.v[1].to, 6);
    // The first: 6 entries of 1 less 0.55; nothing stands before it, so r_a = 1 and all 3 are kept.
    assert_true(s.v[0].score > 2.69 && s.v[0].score < 2.71);
    assert_true(s.v[0].ratio == 1);
    assert_int_equal(s.v[0].n_vectors, 3);
    // The second: 6 inside, 0.9 before: r_a = 0.8696, 3 exp(-3 0.1304) = 2.03: 3 vectors.
    assert_true(s.v[1].ratio > 0.869 && s.v[1].ratio < 0.870);
    assert_int_equal(s.v[1].n_vectors, 3);
    static const uint8_t tokens[] = {3, 4, 5, 0, 1, 2};
    assert_int_equal(s.n_tokens, 6);
    assert_memory_equal(s.token, tokens, 6);
}

static void lambda_and_limits_lower_the_vectors(void **state)
{
    (void)state;
    // 3 exp(-20 0.1304) = 0.22: one vector, the token with most votes: column 3 with 1 + 1 + 1.
    struct span_set s = divide(TWO, 6, (struct span_options){.theta = 0.425, .lambda = 20});
    assert_int_equal(s.v[1].n_vectors, 1);
    static const uint8_t steep[] = {3, 0, 1, 2};
    assert_int_equal(s.n_tokens, 4);
    assert_memory_equal(s.token, steep, 4);
    // Four of six: the later of two equal spans gives up first. Votes fall from left to right.
    s = divide(TWO, 6, (struct span_options){.theta = 0.425, .vectors = 4});
    static const uint8_t four[] = {3, 4, 0, 1};
    assert_int_equal(s.n_tokens, 4);
    assert_memory_equal(s.token, four, 4);
}

// Only tokens 2 and 3 attend to each other; the threshold is 0.2 (entry 17.2 of 18 zeros, then
// ones). With room for it each gap is a span, without it the gaps join that span.
static void gaps(void **state)
{
    (void)state;
    float a[36] = {0};
    a[2 * 6 + 2] = a[3 * 6 + 2] = a[3 * 6 + 3] = 1;
    struct span_set s = divide(a, 6, (struct span_options){.theta = 0.86});
    assert_int_equal(s.n, 3);
    assert_int_equal(s.v[1].from, 2);
    assert_int_equal(s.v[1].to, 4);
    assert_true(s.v[0].score == 0 && s.v[0].to == 2 && s.v[2].from == 4);
    s = divide(a, 6, (struct span_options){.theta = 0.86, .spans = 1});
    assert_int_equal(s.n, 1);
    assert_int_equal(s.v[0].from, 0);
    assert_int_equal(s.v[0].to, 6);
    s = divide(a, 6, (struct span_options){.theta = 0.86, .spans = 2});
    assert_int_equal(s.n, 2);
    assert_int_equal(s.v[0].to, 2); // the first gap is a span, the second joins what stands before
    assert_int_equal(s.v[1].to, 6);
}

static void no_attention(void **state)
{
    (void)state;
    struct span_set s = divide(NULL, 7, (struct span_options){.vectors = 4});
    static const uint8_t tokens[] = {0, 1, 3, 5};
    assert_int_equal(s.n, 1);
    assert_int_equal(s.n_tokens, 4);
    assert_memory_equal(s.token, tokens, 4);
    float zero[64] = {0}; // nothing above the threshold: one gap
    s = divide(zero, 8, (struct span_options){0});
    assert_int_equal(s.n, 1);
    assert_int_equal(s.v[0].to, 8);
    s = divide(zero, 1, (struct span_options){0});
    assert_int_equal(s.n_tokens, 1);
}

static void any_block(void **state)
{
    (void)state;
    static float a[255 * 255];
    uint32_t seed = 1;
    for (int n = 1; n <= 255; n += n < 20 ? 1 : 47) {
        for (int i = 0; i < n * n; i++) {
            seed = seed * 1664525u + 1013904223u;
            float u = (float)(seed >> 8) / 16777216.0f;
            a[i] = u * u * u * u;
        }
        struct span_options o = {
            .spans = 1 + n % SPAN_MAX, .vectors = SPAN_MAX + n % 40, .iou = 0.01 * n};
        struct span_set s = divide(a, n, o);
        int at = 0, vectors = 0, span = s.n - 1, begins = 0;
        assert_in_range(s.n, 1, o.spans);
        for (int i = 0; i < s.n; i++) {
            assert_int_equal(s.v[i].from, at);
            assert_true(s.v[i].to > at);
            assert_in_range(s.v[i].n_vectors, 1, s.v[i].to - s.v[i].from);
            at = s.v[i].to;
            vectors += s.v[i].n_vectors;
        }
        assert_int_equal(at, n);
        assert_int_equal(vectors, s.n_tokens);
        assert_true(vectors <= o.vectors);
        for (int i = 0; i < s.n_tokens; i++) { // a smaller token begins the span before
            if (i && s.token[i] < s.token[i - 1]) {
                assert_int_equal(i - begins, s.v[span].n_vectors);
                span--;
                begins = i;
            }
            assert_in_range(s.token[i], s.v[span].from, s.v[span].to - 1);
        }
        assert_int_equal(span, 0);
    }
}

static void refuses(void **state)
{
    (void)state;
    static const struct span_options bad[] = {
        {.spans = SPAN_MAX + 1}, {.vectors = 3}, {.vectors = SPAN_TOKENS_MAX + 1}, {.theta = 1.5}};
    struct span_set s;
    struct err e;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(span_divide(&s, TWO, 6, 6, &bad[i], &e), ERR_USAGE);
    assert_int_equal(span_divide(&s, TWO, 0, 6, &(struct span_options){0}, &e), ERR_USAGE);
    assert_int_equal(span_divide(&s, TWO, 256, 256, &(struct span_options){0}, &e), ERR_USAGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_triangles), cmocka_unit_test(lambda_and_limits_lower_the_vectors),
        cmocka_unit_test(gaps),          cmocka_unit_test(no_attention),
        cmocka_unit_test(any_block),     cmocka_unit_test(refuses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
