#include "tests/unit/kernels/device_twins.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include "tests/unit/kernels/device_tests.h"
#include "tests/unit/kernels/kernel_cases.h"

struct device *judge;
static struct twin twins[64];
static int n_twins;

void twins_begin(void)
{
    struct err e;
    assert_int_equal(
        device_open(&judge,
                    &(struct device_options){.name = "cpu", .isa = "ref", .threads = 1, .exact = 1},
                    NULL, 0, &e),
        0);
}

void twins_end(void)
{
    while (n_twins) {
        struct twin *t = &twins[--n_twins];
        tested->ops->free(tested, t->there);
        free(t->host);
    }
    device_close(judge);
}

void twin_send(const struct twin *t)
{
    struct err e;
    if (tested->ops->upload(tested, t->there, t->host, t->n * sizeof *t->host, &e))
        fail_msg("%s", e.msg);
}

struct twin *twin_new(size_t n)
{
    struct err e;
    struct twin *t = &twins[n_twins++];
    assert_true((size_t)n_twins <= sizeof twins / sizeof *twins);
    t->n = n;
    t->host = new (n, sizeof *t->host);
    if (!(t->there = tested->ops->alloc(tested, n * sizeof *t->host, &e)))
        fail_msg("%s", e.msg);
    assert_true((uintptr_t)t->there % 64 == 0);
    return t;
}

struct twin *twin_random(size_t n)
{
    struct twin *t = twin_new(n);
    for (size_t i = 0; i < n; i++)
        t->host[i] = uniform();
    twin_send(t);
    return t;
}

void twin_same(const char *what, const struct twin *t, double tolerance)
{
    struct err e;
    float *got = new (t->n, sizeof *got);
    if (tested->ops->download(tested, got, t->there, t->n * sizeof *got, &e) ||
        tested->ops->sync(tested, &e))
        fail_msg("%s: %s", what, e.msg);
    compare(tested, what, t->host, got, t->n, tolerance);
    free(got);
}
