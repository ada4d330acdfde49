// Products of matrices, and what is made of them, on every instruction set of this machine: see
// cpu_devices.h.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/codes.h"
#include "tests/unit/kernels/cpu_devices.h"
#include "tests/unit/kernels/kernel_cases.h"

// Rows of x up to which the ways are others: of all, of packed weights by AMX, AVX-512 VNNI and
// AVX-512, of tiles.
enum { FEW_ROWS = 8, FEW_PACKED = 16, FEW_VNNI = 24, FEW_AVX512 = 32, FEW_TILES = 80 };

static int in_bfloat16; // the devices but the judge multiply many rows of x in bfloat16
static int in_words;    // or round x to 16 bits, and are held against exact products
static int requantised; // or multiply more rows of x than so many, which is not 0, by packed
                        // weights of four bits in eight

// Rows of x up to which they multiply weights of TYPE in bytes, or as they are.
static int most_in_bytes(uint32_t type)
{
    return type == QUANT_Q4_0 || type == QUANT_Q4_1 || type == QUANT_Q8_0 ? FEW_PACKED : FEW_ROWS;
}

// ---- Matrices

struct product_shape {
    int n, rows, cols; // cols in blocks of the type
    int bias, add;     // add: 2 in place
};

// To bfloat16 and back: to the nearest, ties to even.
static void round_to_bfloat16(float *x, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint32_t u;
        memcpy(&u, &x[i], 4);
        u = (u + 0x7fff + (u >> 16 & 1)) & 0xffff0000;
        memcpy(&x[i], &u, 4);
    }
}

// The exact product of XS by weights as floats, [w->rows][w->cols].
static void product_of_floats(float *out, const struct mat *w, float *weights, const float *xs,
                              const float *bias, const float *add, int n)
{
    struct mat floats = {.data = weights, .type = QUANT_F32, .rows = w->rows, .cols = w->cols};
    cpu_devices_judge()->ops->matmul(cpu_devices_judge(), out, &floats, xs, bias, add, n);
}

// The exact product of both sides in bfloat16.
static void product_in_bfloat16(float *out, const struct mat *w, const float *x, const float *bias,
                                const float *add, int n)
{
    const struct quant *q = quant_find(w->type);
    size_t cols = (size_t)w->cols, rows = (size_t)w->rows,
           bytes = (size_t)quant_bytes(w->type, cols);
    float *weights = new (rows * cols, sizeof *weights), *xs = new ((size_t)n * cols, sizeof *xs);
    for (size_t r = 0; r < rows; r++)
        q->dequantize((const uint8_t *)w->data + r * bytes, weights + r * cols, cols);
    memcpy(xs, x, (size_t)n * cols * sizeof *xs);
    round_to_bfloat16(weights, rows * cols);
    round_to_bfloat16(xs, (size_t)n * cols);
    product_of_floats(out, w, weights, xs, bias, add, n);
    free(weights);
    free(xs);
}

// Rows of x rounded to bytes, with a scale for 32, and back.
static void round_to_bytes(float *x, size_t n)
{
    for (size_t i = 0; i < n; i += 32, x += 32) {
        float most = 0;
        for (int k = 0; k < 32; k++)
            most = fmaxf(most, fabsf(x[k]));
        for (int k = 0; k < 32 && most > 0; k++)
            x[k] = most / 127 * rintf(x[k] * (127 / most));
    }
}

// N weights of one scale requantised as kernels/cpu/requant.h says, those of codes U, D and
// M of each 32.
static void requantise_group(float *w, size_t n, const int *u, const float *d, const float *m)
{
    float most = 0;
    for (size_t b = 0; b < n / 32; b++)
        most = fmaxf(most, fmaxf(fabsf(m[b]), fabsf(fmaf(d[b], 15, m[b]))));
    float by = most > 0 ? 127 / most : 0, scale = most * (1.f / 127);
    for (size_t k = 0; k < n; k++) {
        int step = (int)rintf(d[k / 32] * by * 256);
        int start = (int)rintf(fmaf(m[k / 32], by, 128.5f) * 256);
        int byte = ((u[k] * step + start) & 0xffff) >> 8;
        float exact = d[k / 32] * (float)u[k] + m[k / 32];
        w[k] = scale * (float)(byte - 128);
        if (fabsf(w[k] - exact) > 0.54f * scale + 1e-6f * fabsf(exact))
            fail_msg("requantised: %g for %g, scale %g", (double)w[k], (double)exact,
                     (double)scale);
    }
}

static void requantise_row(float *w, const uint8_t *src, const struct quant *q, size_t cols)
{
    const int offset = q->type == QUANT_Q4_0 ? 8 : 0;
    int *u = new (cols, sizeof *u);
    float *d = new (cols / 32, sizeof *d), *m = new (cols / 32, sizeof *m);
    for (size_t i = 0; i < cols; i += (size_t)q->block, src += q->bytes) {
        struct codes c;
        codes_of(q->type, src, &c);
        for (size_t k = 0; k < (size_t)q->block; k++) {
            u[i + k] = c.q[k] + offset;
            d[(i + k) / 32] = c.scale[k / 16];
            m[(i + k) / 32] = -c.min[k / 16] - (float)offset * c.scale[k / 16];
        }
    }
    for (size_t i = 0; i < cols; i += 128)
        requantise_group(w + i, cols - i < 128 ? cols - i : 128, u + i, d + i / 32, m + i / 32);
    free(m);
    free(d);
    free(u);
}

// The exact product of x rounded and weights requantised.
static void product_requantised(float *out, const struct mat *w, const float *x, const float *bias,
                                const float *add, int n)
{
    const struct quant *q = quant_find(w->type);
    size_t cols = (size_t)w->cols, rows = (size_t)w->rows,
           bytes = (size_t)quant_bytes(w->type, cols);
    float *weights = new (rows * cols, sizeof *weights), *xs = new ((size_t)n * cols, sizeof *xs);
    for (size_t r = 0; r < rows; r++)
        requantise_row(weights + r * cols, (const uint8_t *)w->data + r * bytes, q, cols);
    memcpy(xs, x, (size_t)n * cols * sizeof *xs);
    round_to_bytes(xs, (size_t)n * cols);
    product_of_floats(out, w, weights, xs, bias, add, n);
    free(weights);
    free(xs);
}

static int is_requantised(uint32_t type, int n)
{
    const int packed = type == QUANT_Q4_0 || type == QUANT_Q4_1;
    return requantised && ((packed && n > requantised) || (type == QUANT_Q4_K && n > FEW_ROWS));
}

static void check_product(const struct quant *q, struct product_shape s)
{
    size_t cols = (size_t)(s.cols * q->block), rows = (size_t)s.rows, n = (size_t)s.n;
    uint8_t *data = new (rows * (size_t)quant_bytes(q->type, cols) + 1, 1);
    random_weights(q, data + 1, rows * cols / (size_t)q->block);
    struct mat w = {.data = data + 1, .type = q->type, .rows = s.rows, .cols = (int)cols};
    float *x = random_floats(n * cols), *bias = random_floats(rows), *add = random_floats(n * rows);
    float *out = new (n * rows, sizeof *out), *row = new (cols, sizeof *row);
    double scale = 0; // of a sum's rounding error
    for (size_t r = 0; r < rows; r++) {
        double sum = 0;
        q->dequantize(data + 1 + r * quant_bytes(q->type, cols), row, cols);
        for (size_t k = 0; k < cols; k++)
            sum += fabs((double)row[k]);
        scale = fmax(scale, sum);
    }
    char what[80];
    snprintf(what, sizeof what, "%s %zu x %zu, n %zu", q->name, rows, cols, n);
    struct verdict v = verdict_new(what, n * rows);
    for (int i = 0; i < n_devices; i++) {
        struct device *d = devices[i];
        struct err e;
        assert_int_equal(d->ops->mat_init(d, &w, &e), 0);
        memcpy(out, add, n * rows * sizeof *out);
        const float *to_add = s.add == 2 ? out : s.add ? add : NULL;
        if (i == 0 && in_bfloat16 && s.n > most_in_bytes(q->type))
            product_in_bfloat16(out, &w, x, s.bias ? bias : NULL, to_add, s.n);
        else if (i == 0 && is_requantised(q->type, s.n))
            product_requantised(out, &w, x, s.bias ? bias : NULL, to_add, s.n);
        else if (i == 0 && in_words)
            cpu_devices_judge()->ops->matmul(cpu_devices_judge(), out, &w, x, s.bias ? bias : NULL,
                                             to_add, s.n);
        else
            d->ops->matmul(d, out, &w, x, s.bias ? bias : NULL, to_add, s.n);
        verdict_check(&v, i, out, (in_words ? 1.0 / 32767 : 1e-6) * fmax(1, scale));
        d->ops->mat_done(d, &w);
    }
    verdict_free(&v);
    free(row);
    free(out);
    free(add);
    free(bias);
    free(x);
    free(data);
}

static void matmul(void **state)
{
    (void)state;
    for (size_t i = 0; quant_at(i); i++) {
        const struct quant *q = quant_at(i);
        int small = q->block == 256 ? 1 : q->block == 32 ? 3 : 77; // columns of about 96 or 256
        for (int n = 1; n <= FEW_ROWS + 1; n++)
            check_product(q, (struct product_shape){n, 37, small, n & 1, n % 3});
        check_product(q, (struct product_shape){29, 70, small, 1, 2});
        check_product(q, (struct product_shape){12, 1, small, 0, 0});
    }
    const struct quant *q = quant_find(QUANT_Q4_1);
    check_product(q, (struct product_shape){13, 33, 67, 1, 1}); // more columns than a panel holds
    check_product(q, (struct product_shape){1, 133, 48, 1, 1});
    check_product(q, (struct product_shape){67, 133, 35, 1, 1});
    check_product(quant_find(QUANT_Q8_0), (struct product_shape){33, 65, 9, 1, 2});
    check_product(quant_find(QUANT_Q6_K), (struct product_shape){7, 40, 5, 0, 2});
    check_product(quant_find(QUANT_F32), (struct product_shape){9, 5, 1, 0, 0});
    check_product(quant_find(QUANT_F16), (struct product_shape){1, 3, 2049, 0, 0});
    for (int n = 6; n < 26; n++)
        check_product(q, (struct product_shape){n, 32, 1, 0, 0});
}

// What a device that need not be exact rounds, against a plain version of the same rounding.
static void rounded_products(void **state, const char *isa)
{
    cpu_devices_round(isa);
    matmul(state);
    cpu_devices_exact();
}

// Many rows of x by weights of four bits.
static void many_in_bytes(const char *isa)
{
    static const uint32_t types[] = {QUANT_Q4_0, QUANT_Q4_1, QUANT_Q4_K};
    cpu_devices_round(isa);
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        const struct quant *q = quant_find(types[i]);
        int cols = q->block == 256 ? 1 : 9;
        for (int n = FEW_ROWS + 1; n < FEW_AVX512 + 8; n++) {
            check_product(q, (struct product_shape){n, 37, cols, n & 1, n % 3});
            check_product(q, (struct product_shape){n, 1, cols, 0, 0});
        }
        check_product(q, (struct product_shape){67, 133, 5 * cols, 1, 1});
    }
    cpu_devices_exact();
}

static void matmul_in_bytes(void **state)
{
    requantised = FEW_VNNI;
    rounded_products(state, "avx512vnni");
    many_in_bytes("avx512vnni");
    requantised = FEW_ROWS;
    rounded_products(state, "avxvnni");
    many_in_bytes("avxvnni");
    requantised = 0;
    rounded_products(state, "neondot");
    rounded_products(state, "neoni8mm");
}

static void some_in_bytes(void **state)
{
    (void)state;
    many_in_bytes("avx2");
    many_in_bytes("avx512");
}

static const uint32_t types_in_words[] = {QUANT_Q5_0,  QUANT_Q5_1,  QUANT_Q8_0, QUANT_Q2_K,
                                          QUANT_Q3_K,  QUANT_Q5_K,  QUANT_Q6_K, QUANT_IQ4_NL,
                                          QUANT_MXFP4, QUANT_IQ4_XS};

static void many_in_words(void **state)
{
    (void)state;
    cpu_devices_round("avx2");
    in_words = 1;
    for (size_t i = 0; i < sizeof types_in_words / sizeof *types_in_words; i++) {
        const struct quant *q = quant_find(types_in_words[i]);
        int cols = q->block == 256 ? 1 : 9;
        for (int n = FEW_ROWS + 1; n < FEW_ROWS + 14; n++) {
            check_product(q, (struct product_shape){n, 37, cols, n & 1, n % 3});
            check_product(q, (struct product_shape){n, 1, cols, 0, 0});
        }
        check_product(q, (struct product_shape){67, 133, 5 * cols, 1, 1});
    }
    in_words = 0;
    cpu_devices_exact();
}

// Few rows of x by weights of the first N types.
static void few_in_bytes_of(const char *isa, size_t n_types)
{
    static const uint32_t types[] = {QUANT_Q4_0, QUANT_Q4_1, QUANT_Q8_0};
    cpu_devices_round(isa);
    for (size_t i = 0; i < n_types; i++)
        for (int n = 1; n <= FEW_ROWS; n++) {
            check_product(quant_find(types[i]), (struct product_shape){n, 37, 3, n & 1, n % 3});
            check_product(quant_find(types[i]), (struct product_shape){n, 1, 1, 0, 0});
            check_product(quant_find(types[i]), (struct product_shape){n, 133, 48, 1, 1});
        }
    cpu_devices_exact();
}

static void few_in_bytes(void **state)
{
    (void)state;
    few_in_bytes_of("avx2", 3);
    few_in_bytes_of("avx512", 2);
}

// The largest sums that codes of four bits can have: 16 bits hold them.
static void most_in_bytes_of_four_bits(void **state)
{
    (void)state;
    enum { ROWS = 16, COLS = 64, N = 9 };
    const struct quant *q = quant_find(QUANT_Q4_1);
    uint8_t data[ROWS * COLS / 32 * 20];
    float x[N * COLS];
    memset(data, 0xff, sizeof data);
    for (size_t i = 0; i < sizeof data; i += 20) { // d 1, m 2
        data[i] = data[i + 2] = 0;
        data[i + 1] = 0x3c;
        data[i + 3] = 0x40;
    }
    for (int i = 0; i < N * COLS; i++)
        x[i] = i / COLS % 2 ? -127 : 127;
    cpu_devices_round(NULL);
    for (int i = 0; i < n_devices; i++) {
        struct mat w = {.data = data, .type = q->type, .rows = ROWS, .cols = COLS};
        float out[N * ROWS];
        struct err e;
        assert_int_equal(devices[i]->ops->mat_init(devices[i], &w, &e), 0);
        for (int n = 1; n <= N; n++) {
            devices[i]->ops->matmul(devices[i], out, &w, x, NULL, NULL, n);
            for (int k = 0; k < n * ROWS; k++)
                assert_float_equal(out[k] / ((k / ROWS % 2 ? -1 : 1) * 17.0f * 127 * COLS), 1,
                                   1e-6f);
        }
        devices[i]->ops->mat_done(devices[i], &w);
    }
    cpu_devices_exact();
}

// The largest that codes of eight bits can have: 32 bits hold them.
static void most_in_words(void **state)
{
    (void)state;
    enum { ROWS = 16, COLS = 64, N = 9 };
    const struct quant *q = quant_find(QUANT_Q8_0);
    uint8_t data[ROWS * COLS / 32 * 34];
    float x[N * COLS];
    memset(data, 0x80, sizeof data);             // codes of -128
    for (size_t i = 0; i < sizeof data; i += 34) // d 1
        memcpy(data + i, "\0\x3c", 2);
    for (int i = 0; i < N * COLS; i++)
        x[i] = i / COLS % 2 ? -127 : 127;
    cpu_devices_round("avx2");
    for (int i = 1; i < n_devices; i++) {
        struct mat w = {.data = data, .type = q->type, .rows = ROWS, .cols = COLS};
        float out[N * ROWS];
        struct err e;
        assert_int_equal(devices[i]->ops->mat_init(devices[i], &w, &e), 0);
        for (int n = 1; n <= N; n++) {
            devices[i]->ops->matmul(devices[i], out, &w, x, NULL, NULL, n);
            for (int k = 0; k < n * ROWS; k++)
                assert_float_equal(out[k] / ((k / ROWS % 2 ? 1 : -1) * 128.0f * 127 * COLS), 1,
                                   1e-6f);
        }
        devices[i]->ops->mat_done(devices[i], &w);
    }
    cpu_devices_exact();
}

static void matmul_in_bfloat16(void **state)
{
    in_bfloat16 = 1;
    rounded_products(state, "amx");
    in_bfloat16 = 0;
}

// Weights of four bits, of eight, and of six with a scale for 16: each is multiplied in its own way
// on some instruction set.
enum { N_KINDS = 3 };
static const uint32_t kinds[N_KINDS] = {QUANT_Q4_1, QUANT_Q8_0, QUANT_Q6_K};

// A row of a product is the same, bit for bit, whatever rows stand beside it: LEAST, or more up to
// ALL of them.
static void check_rows_alone(struct device *d, uint32_t type, int least, int n_all)
{
    enum { ROWS = 70, COLS = 768 };
    const struct quant *q = quant_find(type);
    uint8_t *data = new (ROWS * (size_t)quant_bytes(q->type, COLS), 1);
    random_weights(q, data, ROWS * COLS / (size_t)q->block);
    struct mat w = {.data = data, .type = q->type, .rows = ROWS, .cols = COLS};
    float *x = random_floats((size_t)n_all * COLS), *add = random_floats((size_t)n_all * ROWS);
    float *all = new ((size_t)n_all * ROWS, sizeof *all),
          *some = new ((size_t)n_all * ROWS, sizeof *some);
    struct err e;
    assert_int_equal(d->ops->mat_init(d, &w, &e), 0);
    d->ops->matmul(d, all, &w, x, NULL, add, n_all);
    for (int n = least; n < n_all; n += 11) {
        size_t skip = (size_t)(n_all - n), size = (size_t)n * ROWS * sizeof *some;
        d->ops->matmul(d, some, &w, x, NULL, add, n);
        if (memcmp(some, all, size))
            fail_msg("%s: the first %d rows of %d are others than alone", d->label, n, n_all);
        d->ops->matmul(d, some, &w, x + skip * COLS, NULL, add + skip * ROWS, n);
        if (memcmp(some, all + skip * ROWS, size))
            fail_msg("%s: the last %d rows of %d are others than alone", d->label, n, n_all);
    }
    d->ops->mat_done(d, &w);
    free(some);
    free(all);
    free(add);
    free(x);
    free(data);
}

static void check_all_rows_alone(void)
{
    for (int i = 0; i < n_devices; i++)
        for (int k = 0; k < N_KINDS; k++) {
            check_rows_alone(devices[i], kinds[k], FEW_ROWS + 1, FEW_PACKED);
            check_rows_alone(devices[i], kinds[k], FEW_PACKED + 1, FEW_VNNI);
            check_rows_alone(devices[i], kinds[k], FEW_VNNI + 1, FEW_AVX512);
            check_rows_alone(devices[i], kinds[k], FEW_AVX512 + 1, FEW_TILES);
            check_rows_alone(devices[i], kinds[k], FEW_TILES + 1, 131);
        }
}

static void rows_alone(void **state)
{
    (void)state;
    check_all_rows_alone();
    cpu_devices_round(NULL);
    check_all_rows_alone();
    cpu_devices_exact();
}

// Where a row of x has what is infinite or no number, none of its products is a number to be
// trusted, and the rows beside it keep their bits.
static void check_not_finite(struct device *d, uint32_t type, int n)
{
    enum { ROWS = 70, COLS = 768 };
    const struct quant *q = quant_find(type);
    uint8_t *data = new (ROWS * (size_t)quant_bytes(q->type, COLS), 1);
    random_weights(q, data, ROWS * COLS / (size_t)q->block);
    struct mat w = {.data = data, .type = q->type, .rows = ROWS, .cols = COLS};
    float *x = random_floats((size_t)n * COLS);
    float *sound = new ((size_t)n * ROWS, sizeof *sound),
          *got = new ((size_t)n * ROWS, sizeof *got);
    struct err e;
    assert_int_equal(d->ops->mat_init(d, &w, &e), 0);
    d->ops->matmul(d, sound, &w, x, NULL, NULL, n);
    x[COLS + 33] = NAN;
    x[(n - 1) * COLS + 70] = -INFINITY;
    d->ops->matmul(d, got, &w, x, NULL, NULL, n);
    for (int i = 0; i < n; i++)
        for (int r = 0; r < ROWS; r++) {
            size_t at = (size_t)(i * ROWS + r);
            if (i == 1 || i == n - 1 ? isfinite(got[at]) != 0 : got[at] != sound[at])
                fail_msg("%s: row %d of %d, output %d: %g, and %g of sound rows", d->label, i, n, r,
                         (double)got[at], (double)sound[at]);
        }
    d->ops->mat_done(d, &w);
    free(got);
    free(sound);
    free(x);
    free(data);
}

static void not_finite(void **state)
{
    (void)state;
    const int n[] = {2, FEW_PACKED + 2, 6 * 8, 131};
    cpu_devices_round(NULL);
    for (int i = 0; i < n_devices; i++)
        for (size_t k = 0; k < sizeof n / sizeof *n; k++)
            for (int kind = 0; kind < N_KINDS; kind++)
                check_not_finite(devices[i], kinds[kind], n[k]);
    cpu_devices_exact();
}

// ---- Log probabilities

// Of the tokens IDS by logits of the device's own, each row by itself.
static void log_probs_by_hand(struct device *d, float *out, const struct mat *w, const float *x,
                              const uint32_t *ids, int n)
{
    size_t rows = (size_t)w->rows;
    float *logits = new ((size_t)n * rows, sizeof *logits);
    d->ops->matmul(d, logits, w, x, NULL, NULL, n);
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (size_t t = 0; t < rows; t++)
            sum += exp((double)logits[(size_t)i * rows + t]);
        out[i] = (float)((double)logits[(size_t)i * rows + ids[i]] - log(sum));
    }
    free(logits);
}

static void check_log_probs(uint32_t type, int rows, int cols, int n)
{
    const struct quant *q = quant_find(type);
    uint8_t *data = new ((size_t)rows * (size_t)quant_bytes(type, (uint64_t)cols), 1);
    random_weights(q, data, (size_t)rows * (size_t)cols / (size_t)q->block);
    struct mat w = {.data = data, .type = type, .rows = rows, .cols = cols};
    float *x = random_floats((size_t)n * (size_t)cols), *want = new ((size_t)n, sizeof *want);
    float *out = new ((size_t)n, sizeof *out);
    double *got = new ((size_t)n, sizeof *got);
    uint32_t *ids = new ((size_t)n, sizeof *ids);
    for (int i = 0; i < n; i++)
        ids[i] = i == 0 ? 0 : i == 1 ? (uint32_t)rows - 1 : next_random() % (uint32_t)rows;
    struct verdict v = verdict_new("log_probs", (size_t)n);
    for (int i = 0; i < n_devices; i++) {
        struct err e;
        struct device *d = devices[i];
        const struct device_ops *ops = d->ops;
        struct device_ops without = *ops;
        without.log_probs = NULL;
        assert_int_equal(d->ops->mat_init(d, &w, &e), 0);
        log_probs_by_hand(d, want, &w, x, ids, n);
        for (int own = 0; own < 2; own++) { // by way of logits, and as the device has it
            d->ops = own ? ops : &without;
            assert_int_equal(device_log_probs(d, got, &w, x, ids, n, &e), 0);
            for (int r = 0; r < n; r++)
                out[r] = (float)got[r];
            compare(d, own ? "log_probs" : "log_probs by way of logits", want, out, (size_t)n,
                    1e-5);
        }
        verdict_check(&v, i, out,
                      1); // rounded products differ: the bits are to be those of other threads
        d->ops->mat_done(d, &w);
    }
    verdict_free(&v);
    free(ids);
    free(got);
    free(out);
    free(want);
    free(x);
    free(data);
}

static void log_probs_of_all(void)
{
    check_log_probs(QUANT_Q4_1, 4500, 64, 7); // strips, the last one no whole number of panels
    check_log_probs(QUANT_Q8_0, 2065, 32, 370);
    check_log_probs(QUANT_F16, 33, 40, 3);
}

static void log_probs(void **state)
{
    (void)state;
    log_probs_of_all();
    cpu_devices_round(NULL);
    log_probs_of_all();
    cpu_devices_exact();
}

// What one token of N costs; WITHOUT of them are ruled out.
static void check_cost(int n, int without)
{
    float *x = random_floats((size_t)n), want, got;
    const struct best b = {.id = (uint32_t)n - 1};
    double sum = 0;
    for (int i = 0; i < n; i++)
        x[i] = i < without ? -INFINITY : 9 * x[i] + 900;
    for (int i = 0; i < n; i++)
        sum += exp((double)x[i] - 900);
    want = (float)(log(sum) - ((double)x[n - 1] - 900));
    struct verdict v = verdict_new("cost", 1);
    for (int i = 0; i < n_devices; i++) {
        devices[i]->ops->cost(devices[i], &got, &b, x, n);
        compare(devices[i], "cost", &want, &got, 1, 1e-5);
        verdict_check(&v, i, &got, 1e-5);
    }
    verdict_free(&v);
    free(x);
}

static void cost(void **state)
{
    (void)state;
    check_cost(1, 0);
    check_cost(45, 20);
    check_cost(50000, 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matmul),        cmocka_unit_test(matmul_in_bytes),
        cmocka_unit_test(some_in_bytes), cmocka_unit_test(many_in_words),
        cmocka_unit_test(few_in_bytes),  cmocka_unit_test(most_in_bytes_of_four_bits),
        cmocka_unit_test(most_in_words), cmocka_unit_test(matmul_in_bfloat16),
        cmocka_unit_test(rows_alone),    cmocka_unit_test(not_finite),
        cmocka_unit_test(log_probs),     cmocka_unit_test(cost),
    };
    cpu_devices_open();
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    cpu_devices_close();
    return failed;
}
