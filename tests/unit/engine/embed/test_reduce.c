// Vectors in fewer dimensions: the directions in which a sample varies, and cosines that stay.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/embed/reduce.h"
#include "tests/unit/ok.h"

enum { WIDE = 30, DIM = 4, SAMPLE = 200 };

static double dot(const float *a, const float *b, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += (double)a[i] * (double)b[i];
    return sum;
}

static float noise(void)
{
    return (float)rand() / (float)RAND_MAX - 0.5f;
}

// X [n][WIDE]: mixtures of the DIM rows of DIRECTIONS, the first ones with the largest share, and
// some noise.
static void make_sample(float *x, int n, float directions[DIM][WIDE], float noises)
{
    srand(7);
    for (int d = 0; d < DIM; d++)
        for (int j = 0; j < WIDE; j++)
            directions[d][j] = noise();
    for (int i = 0; i < n; i++)
        for (int d = -1; d < DIM; d++) {
            const float share = noise() * (float)(DIM - d);
            for (int j = 0; j < WIDE; j++)
                x[i * WIDE + j] =
                    d < 0 ? noises * noise() : x[i * WIDE + j] + share * directions[d][j];
        }
}

// What varies in four directions loses nothing in four dimensions, and little where there is noise.
static void cosines_stay(void **state)
{
    (void)state;
    static float x[SAMPLE * WIDE], directions[DIM][WIDE];
    static int16_t basis[WIDE * WIDE];
    static const struct {
        int dim;
        float noises, most;
    } cases[] = {{DIM, 0, 1e-3f}, {WIDE, 0.5f, 1e-3f}, {DIM, 0.1f, 0.05f}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const int dim = cases[c].dim;
        make_sample(x, SAMPLE, directions, cases[c].noises);
        OK(reduce_fit(x, SAMPLE, WIDE, dim, basis, e));
        for (int i = 0; i + 1 < SAMPLE; i++) {
            const float *a = x + i * WIDE, *b = a + WIDE;
            float p[WIDE], q[WIDE];
            reduce_unit(basis, WIDE, dim, a, p);
            reduce_unit(basis, WIDE, dim, b, q);
            const double want = dot(a, b, WIDE) / sqrt(dot(a, a, WIDE) * dot(b, b, WIDE));
            assert_true(fabs(dot(p, p, dim) - 1) < 1e-5);
            assert_true(fabs(dot(p, q, dim) - want) < (double)cases[c].most);
        }
    }
}

// Orthogonal unit vectors, those first along which the sample is longest.
static void directions_in_order(void **state)
{
    (void)state;
    static float x[SAMPLE * WIDE], directions[DIM][WIDE];
    static float row[WIDE][WIDE]; // of the basis
    static int16_t basis[WIDE * WIDE];
    make_sample(x, SAMPLE, directions, 0.1f);
    OK(reduce_fit(x, SAMPLE, WIDE, WIDE, basis, e));
    for (int i = 0; i < WIDE * WIDE; i++)
        row[i / WIDE][i % WIDE] = basis[i];
    double last = INFINITY;
    for (int i = 0; i < WIDE; i++) {
        double squares = 0;
        for (int j = 0; j <= i; j++)
            assert_true(fabs(dot(row[i], row[j], WIDE) / ((double)INT16_MAX * INT16_MAX) -
                             (i == j)) < 1e-3);
        for (int k = 0; k < SAMPLE; k++)
            squares += pow(dot(row[i], x + k * WIDE, WIDE), 2);
        assert_true(squares <= last * 1.001);
        last = squares;
    }
}

// A sample of one vector, of nothing, and of what is no number.
static void odd_samples(void **state)
{
    (void)state;
    float x[WIDE] = {0}, out[2];
    int16_t basis[2 * WIDE];
    OK(reduce_fit(x, 1, WIDE, 2, basis, e));
    OK(reduce_fit(NULL, 0, WIDE, 2, basis, e));
    x[3] = -2;
    OK(reduce_fit(x, 1, WIDE, 2, basis, e));
    reduce_unit(basis, WIDE, 2, x, out);
    assert_true(fabsf(fabsf(out[0]) - 1) < 1e-3f && fabsf(out[1]) < 1e-3f);
    memset(x, 0, sizeof x);
    reduce_unit(basis, WIDE, 2, x, out);
    assert_true(out[0] == 0 && out[1] == 0);
    x[1] = NAN;
    REFUSED(ERR_FORMAT, "", reduce_fit(x, 1, WIDE, 2, basis, e));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cosines_stay),
        cmocka_unit_test(directions_in_order),
        cmocka_unit_test(odd_samples),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
