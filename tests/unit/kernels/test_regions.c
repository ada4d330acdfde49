// Large memory that is given back and taken again.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "kernels/cpu/regions.h"

enum { MIB = 1 << 20 };

static char *take(struct regions *r, size_t bytes)
{
    struct err e;
    char *p = regions_take(r, bytes, &e);
    assert_non_null(p);
    assert_int_equal((uintptr_t)p % 64, 0);
    p[0] = p[bytes - 1] = 1;
    return p;
}

static void taken_again(void **state)
{
    (void)state;
    struct regions r = {0};
    char own = 0, *small = take(&r, 2 * MIB), *large = take(&r, 9 * MIB);
    assert_ptr_not_equal(small, large);
    assert_false(regions_give(&r, &own));
    assert_true(regions_give(&r, large) && regions_give(&r, small));
    assert_false(regions_give(&r, small));
    assert_ptr_equal(take(&r, 2 * MIB - 5), small); // the smallest that is large enough
    assert_ptr_equal(take(&r, 2 * MIB), large);
    char *more = take(&r, 2 * MIB);
    assert_true(more != small && more != large);
    assert_true(regions_give(&r, more) && regions_give(&r, large) && regions_give(&r, small));
    regions_done(&r);
    assert_int_equal(r.spare_bytes, 0);
}

// What comes back serves what is a little larger, and of several the one that came back last.
static void larger(void **state)
{
    (void)state;
    struct regions r = {0};
    char *first = take(&r, (size_t)14 * MIB), *second = take(&r, (size_t)25 * MIB);
    assert_true(regions_give(&r, second) && regions_give(&r, first));
    assert_ptr_equal(take(&r, (size_t)20 * MIB), first);
    assert_true(regions_give(&r, first));
    assert_int_equal(r.spare_bytes, 45 * MIB); // what may have been touched
    regions_done(&r);
}

static void not_all_is_kept(void **state)
{
    (void)state;
    struct regions r = {0};
    char *p[3];
    for (int i = 0; i < 3; i++)
        p[i] = take(&r, (size_t)30 * MIB);
    for (int i = 0; i < 3; i++)
        assert_true(regions_give(&r, p[i]));
    assert_int_equal(r.spare_bytes, 60 * MIB);
    struct err e;
    assert_null(regions_take(&r, PTRDIFF_MAX, &e));
    assert_int_equal(e.code, ERR_NOMEM);
    regions_done(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(taken_again), cmocka_unit_test(larger),
                                       cmocka_unit_test(not_all_is_kept)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
