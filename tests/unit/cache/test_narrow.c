// Index vectors of four bits.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "cache/narrow.h"

enum { DIM = 70, MOST = 256 }; // two vectors of dimensions, and some that fill none

// A number in -1 .. 1 that depends on all of the seed.
static float noise(uint64_t seed)
{
    seed = (seed + 0x9e3779b97f4a7c15) * 0xbf58476d1ce4e5b9;
    seed = (seed ^ seed >> 27) * 0x94d049bb133111eb;
    return (float)((double)((seed ^ seed >> 31) >> 11) / (double)(UINT64_C(1) << 52) - 1);
}

static float x[MOST][DIM], scale;
static uint8_t bounds[DIM][2], symbols[MOST][DIM / 2];
static int8_t out[MOST][DIM];

static void make(uint32_t n)
{
    memset(symbols, 0xa5, sizeof symbols);
    assert_int_equal(narrow_make(&x[0][0], n, DIM, &scale, &bounds[0][0], &symbols[0][0]), 0);
    assert_true(scale >= 0 && narrow_ok(&bounds[0][0], DIM));
    memset(out, 0x5a, sizeof out);
    narrow_expand(&bounds[0][0], &symbols[0][0], n, DIM, &out[0][0]);
    for (uint32_t d = 0; d < DIM && n < MOST; d++)
        assert_int_equal(out[n][d], 0x5a);
}

// An element lies within half a step of sixteen, and a step of bytes, of what it was.
static void elements_lie_near(void **state)
{
    (void)state;
    static const struct {
        float offset, spread;
    } kinds[] = {{0, 1}, {40, 3}, {-1e4f, 1}, {0, 1e30f}, {1e-20f, 1e-20f}, {7, 0}};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (uint32_t n = 1; n <= MOST; n = n * 4) {
            for (uint32_t i = 0; i < n; i++)
                for (uint32_t d = 0; d < DIM; d++)
                    x[i][d] = kinds[k].offset * noise(d) +
                              kinds[k].spread * (float)(d + 1) * noise(i * DIM + d + 99);
            make(n);
            for (uint32_t d = 0; d < DIM; d++) {
                float least = x[0][d], most = x[0][d];
                for (uint32_t i = 0; i < n; i++) {
                    least = fminf(least, x[i][d]);
                    most = fmaxf(most, x[i][d]);
                }
                for (uint32_t i = 0; i < n; i++)
                    assert_true(fabsf(x[i][d] - scale * out[i][d]) <=
                                (most - least) / 30 + scale * 1.01f);
            }
        }
}

// The ends of a dimension are as exact as a byte is.
static void ends_are_kept(void **state)
{
    (void)state;
    memset(x, 0, sizeof x);
    for (uint32_t d = 0; d < DIM; d++) {
        x[0][d] = -127 + (float)d;
        x[1][d] = 127 - (float)d;
    }
    make(3);
    assert_true(scale == 1);
    for (uint32_t d = 0; d < DIM; d++) {
        assert_int_equal(out[0][d], x[0][d]);
        assert_int_equal(out[1][d], x[1][d]);
    }
    memset(x, 0, sizeof x);
    make(5);
    assert_true(scale == 0);
    for (uint32_t d = 0; d < DIM; d++)
        assert_int_equal(out[4][d], 0);
}

// Every symbol of every range, as kvz.5 says.
static void symbols_stand_for_what_is_written(void **state)
{
    (void)state;
    for (int range = 0; range <= 254; range++) {
        const int8_t least = (int8_t)(127 - range);
        const uint8_t b[4] = {(uint8_t)least, (uint8_t)range, (uint8_t)-127, (uint8_t)range};
        uint8_t all[DIM][2], in[DIM / 2];
        for (int d = 0; d < DIM; d++)
            memcpy(all[d], b + 2 * (d % 2), 2);
        for (int s = 0; s < 16; s++) {
            int8_t got[DIM];
            memset(in, s | (15 - s) << 4, sizeof in);
            narrow_expand(&all[0][0], in, 1, DIM, got);
            for (int d = 0; d < DIM; d += 2) {
                assert_int_equal(got[d], least + (range * s + 7) / 15);
                assert_int_equal(got[d + 1], -127 + (range * (15 - s) + 7) / 15);
            }
        }
        assert_true(narrow_ok(b, 2));
    }
    assert_false(narrow_ok((uint8_t[]){0x80, 0}, 1));
    assert_false(narrow_ok((uint8_t[]){0x81, 255}, 1));
    assert_false(narrow_ok((uint8_t[]){0, 0, 127, 1}, 2));
}

static void what_is_no_number_is_refused(void **state)
{
    (void)state;
    static const float bad[] = {NAN, INFINITY, -INFINITY, 0x1p121f};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        memset(x, 0, sizeof x);
        x[2][5] = bad[i];
        assert_int_equal(narrow_make(&x[0][0], 3, DIM, &scale, &bounds[0][0], &symbols[0][0]), -1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(elements_lie_near),
        cmocka_unit_test(ends_are_kept),
        cmocka_unit_test(symbols_stand_for_what_is_written),
        cmocka_unit_test(what_is_no_number_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
