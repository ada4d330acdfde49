// The next token: how often each is drawn, and which never is.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "engine/model/sample.h"

enum { N = 7, DRAWS = 20000 };

// Probabilities of the tokens 0 .. 6 at temperature 1: unordered, two of them equal.
static const double P[N] = {0.05, 0.3, 0.1, 0.25, 0.1, 0.16, 0.04};

static uint32_t next(struct sampler *s, double temp)
{
    struct err e;
    float logits[N];
    uint32_t token = N;
    for (int i = 0; i < N; i++)
        logits[i] = (float)(log(P[i]) * temp);
    assert_int_equal(sample(s, logits, N, &token, &e), 0);
    assert_in_range(token, 0, N - 1);
    return token;
}

// WANT [N], which need not sum to 1.
static void frequencies(float temp, float top_p, const double *want)
{
    struct sampler s = {.temp = temp, .top_p = top_p, .state = 7};
    double count[N] = {0}, sum = 0;
    for (int i = 0; i < DRAWS; i++)
        count[next(&s, (double)temp)]++;
    for (int i = 0; i < N; i++)
        sum += want[i];
    for (int i = 0; i < N; i++) {
        if (want[i] == 0)
            assert_true(count[i] == 0);
        else if (fabs(count[i] / DRAWS - want[i] / sum) > 0.015)
            fail_msg("token %d drawn in %.3f of the cases, not %.3f", i, count[i] / DRAWS,
                     want[i] / sum);
    }
}

static void all_tokens(void **state)
{
    (void)state;
    frequencies(1, 1, P);
    frequencies(0.5f, 0, P);
}

static void nucleus(void **state)
{
    (void)state;
    // 0.3 + 0.25 + 0.16 < 0.75 <= 0.3 + 0.25 + 0.16 + 0.1: of the two equal ones the first is in
    frequencies(1, 0.75f, (const double[N]){0, 0.3, 0.1, 0.25, 0, 0.16, 0});
    frequencies(2, 0.2f, (const double[N]){0, 1, 0, 0, 0, 0, 0});
}

static void greedy(void **state)
{
    (void)state;
    struct err e;
    struct sampler s = {.temp = 0};
    float logits[N] = {1, 3, 2, 3, -INFINITY, 0, 0}, bad[N] = {0, NAN, 1};
    uint32_t token;
    assert_int_equal(sample(&s, logits, N, &token, &e), 0);
    assert_int_equal(token, 1);
    bad[0] = INFINITY;
    assert_int_equal(sample(&s, bad, N, &token, &e), ERR_FORMAT);
}

// The likeliest token wherever it stands among how many, of equals the first, past what is no
// number.
static void greedy_among_many(void **state)
{
    (void)state;
    enum { MOST = 40 };
    struct sampler s = {.temp = 0};
    for (int n = 1; n <= MOST; n++)
        for (int at = 0; at < n; at++) {
            struct err e;
            float logits[MOST];
            uint32_t token;
            for (int i = 0; i < n; i++)
                logits[i] = i > 0 && i % 5 == 0 ? NAN : -1 - (float)(i * 7 % 11);
            logits[at] = logits[n - 1] = 2;
            assert_int_equal(sample(&s, logits, n, &token, &e), 0);
            assert_int_equal(token, at);
        }
}

static void seeds(void **state)
{
    (void)state;
    struct sampler a = {.temp = 1, .state = 3}, b = a, c = {.temp = 1, .state = 4};
    int differ = 0;
    for (int i = 0; i < 50; i++) {
        uint32_t token = next(&a, 1);
        assert_int_equal(token, next(&b, 1));
        differ += token != next(&c, 1);
    }
    assert_true(differ > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_tokens),        cmocka_unit_test(nucleus), cmocka_unit_test(greedy),
        cmocka_unit_test(greedy_among_many), cmocka_unit_test(seeds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
