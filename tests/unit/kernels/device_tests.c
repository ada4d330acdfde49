#include "tests/unit/kernels/device_tests.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/kernels/device_twins.h"
#include "tests/unit/kernels/kernel_cases.h"

struct device *tested;
double product_tolerance = 1e-6;

// ---- Matrices

struct product_shape {
    int n, rows, cols; // cols in blocks of the type
    int bias, add;     // add: 2 in place
    float size;        // of one row of x and of what is added there; 0: like the others
};

static void check_product(const struct quant *q, struct product_shape s)
{
    size_t cols = (size_t)(s.cols * q->block), rows = (size_t)s.rows, n = (size_t)s.n;
    uint8_t *data = new (rows * (size_t)quant_bytes(q->type, cols), 1);
    random_weights(q, data, rows * cols / (size_t)q->block);
    struct mat w = {.data = data, .type = q->type, .rows = s.rows, .cols = (int)cols}, there = w;
    twins_begin();
    struct twin *x = twin_random(n * cols), *bias = twin_random(rows), *add = twin_random(n * rows);
    struct twin *out = twin_new(n * rows);
    if (s.size != 0) {
        for (size_t k = 0; k < cols; k++)
            x->host[(n - 1) * cols + k] *= s.size;
        twin_send(x);
    }
    memcpy(out->host, add->host, out->n * sizeof *out->host);
    twin_send(out);
    float *row = new (cols, sizeof *row);
    double scale = 1; // of a sum's rounding error
    for (size_t r = 0; r < rows; r++) {
        double sum = 0;
        q->dequantize(data + r * quant_bytes(q->type, cols), row, cols);
        for (size_t k = 0; k < cols; k++)
            sum += fabs((double)row[k]);
        scale = fmax(scale, sum);
    }
    struct err e;
    if (judge->ops->mat_init(judge, &w, &e) || tested->ops->mat_init(tested, &there, &e))
        fail_msg("%s", e.msg);
    for (int again = 0; again < 2; again++) { // what the first one keeps, the second one uses
        judge->ops->matmul(judge, out->host, &w, x->host, s.bias ? bias->host : NULL,
                           s.add == 2 ? out->host
                           : s.add    ? add->host
                                      : NULL,
                           s.n);
        tested->ops->matmul(tested, out->there, &there, x->there, s.bias ? bias->there : NULL,
                            s.add == 2 ? out->there
                            : s.add    ? add->there
                                       : NULL,
                            s.n);
    }
    char what[96];
    snprintf(what, sizeof what, "%s %zu x %zu, n %zu, size %g", q->name, rows, cols, n,
             (double)s.size);
    double tolerance = 2 * product_tolerance * scale * fmax(1, fmin((double)s.size, 1e30));
    twin_same(what, out, tolerance);
    judge->ops->mat_done(judge, &w);
    tested->ops->mat_done(tested, &there);
    twins_end();
    free(row);
    free(data);
}

void device_matmul(void **state)
{
    (void)state;
    for (size_t i = 0; quant_at(i); i++) {
        const struct quant *q = quant_at(i);
        int small = q->block == 256 ? 1 : q->block == 32 ? 3 : 77; // columns of about 96 or 256
        for (int n = 1; n <= 9; n += n < 3 ? 1 : 3)
            check_product(q, (struct product_shape){n, 37, small, n & 1, n % 3, 0});
        check_product(q, (struct product_shape){29, 72, small, 1, 2, 0});
        check_product(q, (struct product_shape){12, 1, small, 0, 0, 0});
    }
    const struct quant *q = quant_find(QUANT_Q4_1);
    check_product(q, (struct product_shape){67, 133, 35, 1, 1, 0});
    check_product(q, (struct product_shape){8, 3, 65, 0, 2, 0});
    check_product(quant_find(QUANT_F32), (struct product_shape){9, 5, 1, 0, 0, 0});
    check_product(quant_find(QUANT_F32), (struct product_shape){64, 64, 32, 0, 0, 0});
    check_product(q,
                  (struct product_shape){33, 68, 5, 1, 1, 0}); // of the shape that cuBLAS is given
    check_product(q, (struct product_shape){12, 20, 4, 1, 2, 1e6f});
    check_product(quant_find(QUANT_F16), (struct product_shape){1, 3, 2049, 0, 0, 0});
    check_product(q, (struct product_shape){1, 301, 5, 1, 2, 0});
    check_product(quant_find(QUANT_F32),
                  (struct product_shape){1, 5, 25000, 0, 1, 0}); // more than shared memory
    check_product(quant_find(QUANT_F16), (struct product_shape){65, 65, 33, 0, 1, 0});
    // activations that half precision does not hold
    check_product(q, (struct product_shape){12, 20, 3, 1, 2, 1e6f});
    check_product(q, (struct product_shape){12, 20, 3, 1, 1, 3e4f});
    check_product(q, (struct product_shape){12, 20, 3, 0, 2, 1e-9f});
    check_product(q, (struct product_shape){12, 20, 3, 0, 0, 1e-30f});
}

void device_embed(void **state)
{
    (void)state;
    for (size_t i = 0; quant_at(i); i++) {
        const struct quant *q = quant_at(i);
        int cols = q->block == 1 ? 39 : q->block * 3;
        enum { ROWS = 5, IDS = 4 };
        uint8_t *data = new (ROWS * (size_t)quant_bytes(q->type, (uint64_t)cols), 1);
        random_weights(q, data, (size_t)(ROWS * cols / q->block));
        struct mat w = {.data = data, .type = q->type, .rows = ROWS, .cols = cols}, there = w;
        const uint32_t ids[IDS] = {4, 0, 2, 2};
        struct err e;
        twins_begin();
        struct twin *out = twin_new((size_t)(IDS * cols));
        assert_int_equal(tested->ops->mat_init(tested, &there, &e), 0);
        judge->ops->embed(judge, out->host, &w, ids, IDS, i % 2 ? 1 : 4.9f);
        tested->ops->embed(tested, out->there, &there, ids, IDS, i % 2 ? 1 : 4.9f);
        twin_same(q->name, out, 0);
        tested->ops->mat_done(tested, &there);
        twins_end();
        free(data);
    }
}

// ---- Rows

void device_rmsnorm(void **state)
{
    (void)state;
    static const int dims[] = {1, 7, 64, 127, 576, 601, 4096, 0};
    for (size_t k = 0; k < sizeof dims / sizeof *dims; k++) {
        int dim = dims[k], n = 19;
        twins_begin();
        struct twin *x = twin_random((size_t)(n * dim)), *w = twin_random((size_t)dim);
        memset(x->host, 0, (size_t)dim * sizeof *x->host);
        twin_send(x);
        struct twin *base = twin_random((size_t)(n * dim));
        judge->ops->rmsnorm(judge, base->host, x->host, w->host, base->host, n, dim, 1e-5f);
        tested->ops->rmsnorm(tested, base->there, x->there, w->there, base->there, n, dim, 1e-5f);
        twin_same("rmsnorm, added", base, 1e-6);
        judge->ops->rmsnorm(judge, x->host, x->host, w->host, NULL, n, dim, 1e-5f); // in place
        tested->ops->rmsnorm(tested, x->there, x->there, w->there, NULL, n, dim, 1e-5f);
        twin_same("rmsnorm", x, 1e-6);
        twins_end();
    }
}

void device_gate(void **state)
{
    (void)state;
    enum { N = 40001 };
    for (int act = ACT_SILU; act <= ACT_GELU_TANH; act++) {
        twins_begin();
        struct twin *x = twin_random(N), *up = twin_random(N);
        hard_to_gate(x->host, up->host, N);
        twin_send(x);
        twin_send(up);
        judge->ops->gate(judge, x->host, up->host, N, (enum act)act);
        tested->ops->gate(tested, x->there, up->there, N, (enum act)act);
        twin_same(act == ACT_SILU ? "silu" : "gelu", x, 2e-6);
        twins_end();
    }
}

void device_cache(void **state)
{
    (void)state;
    enum { N = 3, HEADS = 2, DIM = 5, STRIDE = 7, AT = 3, ALL = HEADS * STRIDE * DIM };
    twins_begin();
    struct twin *rows = twin_random(N * HEADS * DIM), *cache = twin_new(ALL);
    twin_same("new memory", cache, 0);
    judge->ops->cache_put(judge, cache->host, rows->host, N, HEADS, DIM, STRIDE, AT);
    tested->ops->cache_put(tested, cache->there, rows->there, N, HEADS, DIM, STRIDE, AT);
    twin_same("cache_put", cache, 0);
    const int shifts[][2] = {{0, DIM}, {2, 0}, {0, 0}}; // to, from: overlapping
    for (size_t i = 0; i < sizeof shifts / sizeof *shifts; i++) {
        size_t bytes = (ALL - DIM - 2) * sizeof(float);
        judge->ops->copy(judge, cache->host + shifts[i][0], cache->host + shifts[i][1], bytes);
        tested->ops->copy(tested, cache->there + shifts[i][0], cache->there + shifts[i][1], bytes);
        twin_same("copy", cache, 0);
    }
    tested->ops->copy(tested, cache->there, rows->there, 0);
    twin_same("copy of nothing", cache, 0);
    tested->ops->free(tested, NULL);
    twins_end();
}

void device_transfers(void **state)
{
    (void)state;
    enum {
        HEADS = 3,
        WIDTH = 5,
        STRIDE = 7,
        AT = 2,
        ALL = HEADS * STRIDE * WIDTH,
        HOST = HEADS * 4 * WIDTH
    };
    static const struct rows cases[] = {
        {HEADS, 4, WIDTH, STRIDE, 4},
        {HEADS, 1, WIDTH, STRIDE, 4},
        {1, 4, WIDTH, STRIDE, 4},
        {HEADS, 0, WIDTH, STRIDE, 4},
        {0, 4, WIDTH, STRIDE, 4},
        {1, 4, WIDTH, 1 << 29, 4}, // too far apart for a copy in two dimensions
    };
    struct err e;
    float host[HOST], back[2 * HOST], want[2 * HOST];
    twins_begin();
    struct twin *slab = twin_random(ALL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (int k = 0; k < 2 * HOST; k++)
            back[k] = want[k] = host[k % HOST] = uniform();
        assert_int_equal(judge->ops->put_rows(judge, slab->host + AT * WIDTH, host, &cases[i], &e),
                         0);
        assert_int_equal(
            tested->ops->put_rows(tested, slab->there + AT * WIDTH, host, &cases[i], &e), 0);
        twin_same("rows put", slab, 0);
        judge->ops->clear_rows(judge, slab->host + 3 * WIDTH, &cases[i]);
        tested->ops->clear_rows(tested, slab->there + 3 * WIDTH, &cases[i]);
        twin_same("rows cleared", slab, 0);
        struct row_copy here[] = {{want, slab->host + WIDTH, cases[i]},
                                  {want + HOST, slab->host, cases[0]}};
        struct row_copy there[] = {{back, slab->there + WIDTH, cases[i]},
                                   {back + HOST, slab->there, cases[0]}};
        for (int n = 0; n <= 2; n++) {
            assert_int_equal(judge->ops->get_rows(judge, here, n, &e), 0);
            assert_int_equal(tested->ops->get_rows(tested, there, n, &e), 0);
            compare(tested, "rows got", want, back, 2 * HOST, 0);
        }
    }
    twins_end();
}

// What is kept is there again, whatever became of where it lay, and nothing else is.
void device_keep(void **state)
{
    (void)state;
    enum { HEADS = 2, WIDTH = 12, STRIDE = 9, ALL = HEADS * STRIDE * WIDTH };
    static const struct rows sizes[] = {
        {HEADS, 4, WIDTH, STRIDE, 0}, {HEADS, 1, WIDTH, STRIDE, 0}, {HEADS, 7, WIDTH, STRIDE, 0}};
    struct err e;
    twins_begin();
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        const struct rows *r = &sizes[k];
        struct twin *from = twin_random(ALL), *to = twin_random(ALL);
        uint64_t name = 1000003 * (k + 1);
        assert_int_equal(tested->ops->recall(tested, name, to->there, r), 0);
        tested->ops->keep(tested, name, from->there + WIDTH, r);
        struct rows packed = *r;
        packed.host_stride = STRIDE;
        judge->ops->put_rows(judge, to->host + 2 * WIDTH, from->host + WIDTH, &packed, &e);
        memset(from->host, 0, ALL * sizeof(float));
        twin_send(from);
        assert_int_equal(tested->ops->recall(tested, name, to->there + 2 * WIDTH, r), 1);
        twin_same("what was kept", to, 0);
        assert_int_equal(tested->ops->recall(tested, name + 1, to->there, r), 0);
        tested->ops->worth(tested, &name, &(float){1}, 1);
        twin_same("what was not kept", to, 0);
    }
    twins_end();
}
