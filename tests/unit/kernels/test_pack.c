#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/kernels/kernel_cases.h"
#include "kernels/kernels.h"

// Weights of many matrices are packed at once, those of one page by one thread: sizes that begin
// and end within pages, and one of several pages.
static const struct {
    uint32_t type;
    int rows, cols;
} shapes[] = {
    {QUANT_Q4_1, 33, 64},    {QUANT_Q8_0, 4096, 1024}, {QUANT_Q4_0, 1, 32}, {QUANT_Q4_1, 2000, 640},
    {QUANT_Q4_0, 1555, 320}, {QUANT_Q8_0, 100, 96},    {QUANT_F32, 20, 32}, {QUANT_Q4_1, 5000, 576},
};
enum { N = sizeof shapes / sizeof *shapes, ROWS = 2 };

struct weights {
    struct mat w[N];
    float *out[N];
};

static void make(struct weights *t)
{
    random_from(5);
    for (int i = 0; i < N; i++) {
        const struct quant *q = quant_find(shapes[i].type);
        size_t row = (size_t)quant_bytes(q->type, (uint64_t)shapes[i].cols),
               rows = (size_t)shapes[i].rows;
        uint8_t *data = new (rows, row);
        random_weights(q, data, rows * (size_t)shapes[i].cols / (size_t)q->block);
        t->w[i] = (struct mat){
            .data = data, .type = q->type, .rows = shapes[i].rows, .cols = shapes[i].cols};
        t->out[i] = new (ROWS * rows, sizeof(float));
    }
}

static void done(struct weights *t)
{
    for (int i = 0; i < N; i++) {
        free((void *)(uintptr_t)t->w[i].data);
        free(t->out[i]);
    }
}

static void multiply(struct device *d, struct weights *t, int i, const float *x)
{
    d->ops->matmul(d, t->out[i], &t->w[i], x, NULL, NULL, ROWS);
}

static void check(const char *isa, int threads)
{
    struct device *d;
    struct err e;
    struct weights alone, together;
    float *x = new (ROWS * 1024, sizeof *x);
    for (size_t i = 0; i < ROWS * 1024; i++)
        x[i] = uniform();
    make(&alone);
    make(&together);
    const struct device_options o = {.name = "cpu", .threads = threads, .isa = isa};
    assert_int_equal(device_open(&d, &o, NULL, 0, &e), 0);
    for (int i = 0; i < N; i++) {
        assert_int_equal(d->ops->mat_init(d, &alone.w[i], &e), 0);
        multiply(d, &alone, i, x);
    }
    for (int i = 0; i < N; i++)
        assert_int_equal(d->ops->mat_init(d, &together.w[i], &e), 0);
    d->ops->mat_done(d, &together.w[0]); // gone before anything has been packed
    d->ops->mat_done(d, &together.w[3]);
    if (threads == 2)
        assert_int_equal(d->ops->sync(d, &e), 0);
    for (int i = N - 1; i >= 0; i--) {
        size_t n = ROWS * (size_t)shapes[i].rows;
        if (i == 0 || i == 3)
            continue;
        multiply(d, &together, i, x);
        if (memcmp(together.out[i], alone.out[i], n * sizeof(float)))
            fail_msg("%s: matrix %d is another than packed alone", d->label, i);
    }
    for (int i = 0; i < N; i++) {
        d->ops->mat_done(d, &alone.w[i]);
        if (i != 0 && i != 3)
            d->ops->mat_done(d, &together.w[i]);
    }
    assert_int_equal(d->ops->mat_init(d, &together.w[0], &e), 0); // nobody multiplies by it
    d->ops->mat_done(d, &together.w[0]);
    device_close(d);
    done(&alone);
    done(&together);
    free(x);
}

static void together_as_alone(void **state)
{
    (void)state;
    const char *isa;
    for (size_t i = 0; (isa = device_cpu_isa(i)); i++)
        for (int threads = 1; threads <= 3; threads++)
            check(isa, threads);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(together_as_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
