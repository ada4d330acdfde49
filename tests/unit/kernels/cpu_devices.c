#include "tests/unit/kernels/cpu_devices.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "tests/unit/kernels/kernel_cases.h"

enum { N_THREADS = 3, MAX_RUNS = 16 };

// One device for each instruction set and number of threads; the first is the judge.
static struct device *exact[MAX_RUNS], *rounding[MAX_RUNS];
struct device **devices = exact;
int n_devices;
static int n_exact;

float *random_floats(size_t n)
{
    float *p = new (n, sizeof *p);
    for (size_t i = 0; i < n; i++)
        p[i] = uniform();
    return p;
}

static int open_devices(struct device **all, int is_exact, const char *only)
{
    struct err e;
    struct device_options o = {.name = "cpu", .isa = "ref", .threads = 1, .exact = is_exact};
    int n = 0;
    assert_int_equal(device_open(&all[n++], &o, NULL, 0, &e), 0);
    for (size_t i = 0; (o.isa = device_cpu_isa(i)) && strcmp(o.isa, "ref"); i++)
        for (o.threads = 1; o.threads <= N_THREADS && (!only || !strcmp(o.isa, only));
             o.threads++) {
            assert_true(n < MAX_RUNS);
            assert_int_equal(device_open(&all[n++], &o, NULL, 0, &e), 0);
        }
    return n;
}

void cpu_devices_open(void)
{
    n_devices = n_exact = open_devices(exact, 1, NULL);
}

void cpu_devices_close(void)
{
    for (int i = 0; i < n_exact; i++)
        device_close(exact[i]);
}

void cpu_devices_round(const char *only)
{
    devices = rounding;
    n_devices = open_devices(rounding, 0, only);
}

void cpu_devices_exact(void)
{
    for (int i = 0; devices == rounding && i < n_devices; i++)
        device_close(rounding[i]);
    devices = exact;
    n_devices = n_exact;
}

struct device *cpu_devices_judge(void)
{
    return exact[0];
}

struct verdict verdict_new(const char *what, size_t n)
{
    return (struct verdict){what, n, new (n, sizeof(float)), new (n, sizeof(float))};
}

void verdict_free(struct verdict *v)
{
    free(v->want);
    free(v->first);
}

void verdict_check(struct verdict *v, int device, const float *got, double tolerance)
{
    struct err e;
    assert_int_equal(devices[device]->ops->sync(devices[device], &e), 0);
    if (device == 0) {
        memcpy(v->want, got, v->n * sizeof *got);
        return;
    }
    compare(devices[device], v->what, v->want, got, v->n, tolerance);
    if (device % N_THREADS == 1)
        memcpy(v->first, got, v->n * sizeof *got);
    else if (memcmp(v->first, got, v->n * sizeof *got))
        fail_msg("%s: %s: bits depend on the threads", devices[device]->label, v->what);
}
