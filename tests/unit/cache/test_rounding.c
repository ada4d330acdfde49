// How the writer of an index rounds coefficients to levels.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "cache/rounding.h"

enum { MOST = 4 };

static void levels_that_are_as_likely_are_the_nearest(void **state)
{
    (void)state;
    static const double p[2 * MOST + 1] = {5, 5, 5, 5, 5, 5, 5, 5, 5};
    const struct rounding r = rounding_of(p, MOST, 0);
    assert_true(r.nought == 0.5f && r.offset == 0.5f);
}

// A level that costs more than the one before it begins further out, and most where that is
// nought.
static void rarer_levels_begin_further_out(void **state)
{
    (void)state;
    double p[2 * MOST + 1];
    struct rounding before = {0.5f, 0.5f};
    for (double bits = 1; bits < 12; bits++) {
        for (int i = 0; i <= 2 * MOST; i++)
            p[i] = exp2(-bits * abs(i - MOST));
        const struct rounding r = rounding_of(p, MOST, 0);
        assert_true(r.nought > before.nought && r.offset < before.offset);
        assert_true(r.nought < 1 && r.offset >= 0 && r.nought - 0.5f > 0.5f - r.offset);
        before = r;
    }
}

// Where a level is several steps, nought is one of them.
static void nought_is_no_level_of_its_own_where_levels_are_wide(void **state)
{
    (void)state;
    static const double p[2 * MOST + 1] = {1, 2, 4, 8, 16, 8, 4, 2, 1};
    const struct rounding narrow = rounding_of(p, MOST, 0), wide = rounding_of(p, MOST, 3);
    assert_true(narrow.nought > 0.5f && wide.nought == 0);
    assert_true(wide.offset > narrow.offset && wide.offset < 0.5f);
}

static void levels_that_never_come_up_are_left_alone(void **state)
{
    (void)state;
    static const double p[2 * MOST + 1] = {0, 0, 0, 0, 1, 0, 0, 0, 0};
    const struct rounding r = rounding_of(p, MOST, 0);
    assert_true(r.nought == 0.5f && r.offset == 0.5f);
}

// What a distribution is taken to be is what it is once it is so rounded, and the wider it is the
// nearer to rounding as usual.
static void distributions_agree_with_their_levels(void **state)
{
    (void)state;
    struct rounding before = {2, 0};
    for (double deviation = 0.2; deviation < 4; deviation *= 1.5) {
        enum { WIDE = 22 };
        const struct rounding r = rounding_of_logistic(deviation, WIDE, 0);
        double p[2 * WIDE + 1];
        for (int i = 0; i <= WIDE; i++) {
            const double from = fmax(i - (double)r.offset, (double)r.nought),
                         to = fmax(i + 1 - (double)r.offset, (double)r.nought);
            p[WIDE + i] = p[WIDE - i] =
                i ? rounding_logistic(from, to, deviation) : rounding_logistic(-to, to, deviation);
        }
        const struct rounding again = rounding_of(p, WIDE, 0);
        assert_true(fabsf(again.nought - r.nought) < 0.01f);
        assert_true(fabsf(again.offset - r.offset) < 0.01f);
        assert_true(r.nought < before.nought && r.offset >= before.offset);
        before = r;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(levels_that_are_as_likely_are_the_nearest),
        cmocka_unit_test(rarer_levels_begin_further_out),
        cmocka_unit_test(nought_is_no_level_of_its_own_where_levels_are_wide),
        cmocka_unit_test(levels_that_never_come_up_are_left_alone),
        cmocka_unit_test(distributions_agree_with_their_levels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
