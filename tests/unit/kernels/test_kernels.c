// The small operations of every instruction set of this machine (see cpu_devices.h), and how a
// device is opened.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "tests/unit/kernels/cpu_devices.h"
#include "tests/unit/kernels/kernel_cases.h"

// ---- Rows

static void rmsnorm(void **state)
{
    (void)state;
    static const int dims[] = {1, 7, 64, 576, 601};
    for (size_t k = 0; k < sizeof dims / sizeof *dims; k++) {
        int dim = dims[k], n = 19;
        size_t all = (size_t)(n * dim);
        float *x = random_floats(all), *w = random_floats((size_t)dim),
              *out = new (all, sizeof *out);
        float *base = random_floats(all);
        memset(x, 0, (size_t)dim * sizeof *x);
        struct verdict v = verdict_new("rmsnorm", all);
        for (int d = 0; d < n_devices; d++) {
            memcpy(out, x, all * sizeof *x); // in place
            devices[d]->ops->rmsnorm(devices[d], out, out, w, NULL, n, dim, 1e-5f);
            verdict_check(&v, d, out, 1e-6);
        }
        verdict_free(&v);
        v = verdict_new("rmsnorm, added", all);
        for (int d = 0; d < n_devices; d++) {
            memcpy(out, base, all * sizeof *base);
            devices[d]->ops->rmsnorm(devices[d], out, x, w, out, n, dim, 1e-5f);
            verdict_check(&v, d, out, 1e-6);
        }
        verdict_free(&v);
        free(base);
        free(out);
        free(w);
        free(x);
    }
}

static void gate(void **state)
{
    (void)state;
    enum { N = 40001 };
    float *x = random_floats(N), *up = random_floats(N), *out = new (N, sizeof *out);
    hard_to_gate(x, up, N);
    for (int act = ACT_SILU; act <= ACT_GELU_TANH; act++) {
        struct verdict v = verdict_new(act == ACT_SILU ? "silu" : "gelu", N);
        for (int d = 0; d < n_devices; d++) {
            memcpy(out, x, N * sizeof *x);
            devices[d]->ops->gate(devices[d], out, up, N, (enum act)act);
            verdict_check(&v, d, out, 1e-6);
        }
        verdict_free(&v);
    }
    free(out);
    free(up);
    free(x);
}

static void cache(void **state)
{
    (void)state;
    enum { N = 3, HEADS = 2, DIM = 5, STRIDE = 7, AT = 3 };
    for (int k = 0; k < n_devices; k++) {
        struct device *d = devices[k];
        struct err e;
        float rows[N][HEADS][DIM], got[HEADS][STRIDE][DIM];
        for (int i = 0; i < N * HEADS * DIM; i++)
            (&rows[0][0][0])[i] = uniform();
        float *cache = d->ops->alloc(d, sizeof got, &e), *in = d->ops->alloc(d, sizeof rows, &e);
        assert_true(cache && in && (uintptr_t)cache % 64 == 0);
        assert_int_equal(d->ops->upload(d, in, rows, sizeof rows, &e), 0);
        d->ops->clear_rows(d, cache, &(struct rows){HEADS, STRIDE, DIM, STRIDE, 0});
        d->ops->cache_put(d, cache, in, N, HEADS, DIM, STRIDE, AT);
        d->ops->copy(d, cache, cache + DIM, (STRIDE - 1) * DIM * sizeof *cache); // overlapping
        assert_int_equal(d->ops->download(d, got, cache, sizeof got, &e), 0);
        for (int h = 0; h < HEADS; h++)
            for (int t = 0; t < STRIDE; t++)
                for (int c = 0; c < DIM; c++) {
                    int from = h == 0 && t < STRIDE - 1 ? t + 1 : t;
                    float want = from >= AT && from < AT + N ? rows[from - AT][h][c] : 0;
                    assert_true(got[h][t][c] == want);
                }
        d->ops->free(d, cache);
        d->ops->free(d, in);
        d->ops->free(d, NULL);
    }
}

static void embed(void **state)
{
    (void)state;
    for (size_t i = 0; quant_at(i); i++) {
        const struct quant *q = quant_at(i);
        int cols = q->block == 1 ? 39 : q->block * 3;
        enum { ROWS = 5, IDS = 4 };
        uint8_t *data = new (ROWS * (size_t)quant_bytes(q->type, (uint64_t)cols) + 1, 1);
        random_weights(q, data + 1, (size_t)(ROWS * cols / q->block));
        struct mat w = {.data = data + 1, .type = q->type, .rows = ROWS, .cols = cols};
        const uint32_t ids[IDS] = {4, 0, 2, 2};
        float *out = new ((size_t)(IDS * cols), sizeof *out);
        struct verdict v = verdict_new(q->name, (size_t)(IDS * cols));
        for (int d = 0; d < n_devices; d++) {
            devices[d]->ops->embed(devices[d], out, &w, ids, IDS, i % 2 ? 1 : 4.9f);
            verdict_check(&v, d, out, 0);
        }
        verdict_free(&v);
        free(out);
        free(data);
    }
}

// ---- Scan

static void scan_all(int n_q, int head_dim, const uint64_t *start, int64_t n_blocks, float scale,
                     double tolerance)
{
    uint64_t n = start[n_blocks];
    float *q = random_floats((size_t)(n_q * head_dim)), *key_scale = random_floats((size_t)n);
    int8_t *keys = new ((size_t)n * (size_t)head_dim, 1);
    for (uint64_t i = 0; i < n * (uint64_t)head_dim; i++)
        keys[i] = (int8_t)next_random();
    size_t all = (size_t)n_q * (size_t)n_blocks;
    float *out = new (2 * all, sizeof *out);
    for (int wanted = 0; wanted < 3; wanted++) { // both results, each alone
        struct scan s = {.q = q,
                         .n_q = n_q,
                         .head_dim = head_dim,
                         .scale = scale,
                         .keys = keys,
                         .key_scale = key_scale,
                         .start = start,
                         .n_blocks = n_blocks,
                         .max = wanted == 2 ? NULL : out,
                         .lse = wanted == 1 ? NULL : out + all};
        struct verdict v = verdict_new("scan", 2 * all);
        for (int i = 0; i < n_devices; i++) {
            memset(out, 0, 2 * all * sizeof *out);
            devices[i]->ops->scan(devices[i], &s);
            verdict_check(&v, i, out, tolerance);
        }
        verdict_free(&v);
    }
    free(out);
    free(keys);
    free(key_scale);
    free(q);
}

static void check_scan(int n_q, int head_dim, const uint64_t *start, int64_t n_blocks, float scale)
{
    scan_all(n_q, head_dim, start, n_blocks, scale, 1e-5);
    cpu_devices_round(NULL); // queries to 16 bits, where there are products of bytes
    scan_all(n_q, head_dim, start, n_blocks, scale, 2e-4);
    cpu_devices_exact();
}

static void scan(void **state)
{
    (void)state;
    static const uint64_t odd[] = {0, 64, 64, 65, 100, 403, 1200, 1216};
    check_scan(3, 64, odd, 7, 0.01f);
    check_scan(1, 64, odd, 7, 0.1f);
    check_scan(2, 21, odd, 7, 0.01f);
    check_scan(1, 128, odd, 1, 0.01f);
    check_scan(5, 16, odd, 2, 0.01f);
    check_scan(1, 16, odd, 0, 0.01f);
    check_scan(4, 80, odd, 7, 0.01f);
    check_scan(6, 100, odd, 7, 0.004f);
    check_scan(8, 256, odd, 7, 1e-3f);
    uint64_t even[101];
    for (uint64_t i = 0; i < 101; i++)
        even[i] = i * 64;
    check_scan(2, 64, even, 100, 0.01f);
    uint64_t small[701] = {
        0}; // several blocks in what is multiplied at once, empty ones among them, the last, too
    for (uint64_t i = 0; i < 700; i++)
        small[i + 1] = small[i] + (i % 7 && i < 690 ? i % 13 : 0);
    check_scan(7, 64, small, 700, 0.01f);
    check_scan(15, 37, small, 700, 0.02f);
}

// ---- Devices

static void names(void **state)
{
    (void)state;
    struct err e;
    struct device *d;
    char note[200];
    assert_int_equal(device_open(&d, &(struct device_options){.threads = 1}, note, sizeof note, &e),
                     0);
    int auto_is_cpu = !strcmp(d->ops->name, "cpu"), fell_back = *note != 0;
    device_close(d);
    // A fallback says so where a GPU could be expected; a build without CUDA falls back from
    // nothing.
    struct err why;
    int absent = device_open(&d, &(struct device_options){.name = "cuda"}, NULL, 0, &why);
    assert_int_equal(auto_is_cpu, absent != 0);
    assert_true(!fell_back || absent == ERR_DEVICE);
    if (!absent)
        device_close(d);
    assert_int_equal(
        device_open(&d, &(struct device_options){.name = "cpu"}, note, sizeof note, &e), 0);
    assert_string_equal(note, "");
    assert_non_null(strstr(d->label, device_cpu_isa(0)));
    device_close(d);
    device_close(NULL);
    static const char *const wrong[] = {"gpu",     "",        "cuda:", "cuda:x",
                                        "cuda:1x", "cuda:-1", "cpu:0"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(device_open(&d, &(struct device_options){.name = wrong[i]}, NULL, 0, &e),
                         ERR_USAGE);
    assert_int_equal(device_open(&d, &(struct device_options){.name = "cuda:999"}, NULL, 0, &e),
                     absent == ERR_UNSUPPORTED ? ERR_UNSUPPORTED : ERR_DEVICE);
    assert_int_equal(
        device_open(&d, &(struct device_options){.name = "cpu", .isa = "mmx"}, NULL, 0, &e),
        ERR_USAGE);
    assert_int_equal(
        device_open(&d, &(struct device_options){.name = "cpu", .threads = -1}, NULL, 0, &e),
        ERR_USAGE);
}

static void unusable_matrices(void **state)
{
    (void)state;
    struct err e;
    struct mat unknown = {.type = 4, .rows = 1, .cols = 32},
               ragged = {.type = QUANT_Q4_1, .rows = 1, .cols = 33};
    assert_int_equal(devices[0]->ops->mat_init(devices[0], &unknown, &e), ERR_UNSUPPORTED);
    assert_int_equal(devices[0]->ops->mat_init(devices[0], &ragged, &e), ERR_FORMAT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(embed),
        cmocka_unit_test(rmsnorm),
        cmocka_unit_test(gate),
        cmocka_unit_test(cache),
        cmocka_unit_test(scan),
        cmocka_unit_test(names),
        cmocka_unit_test(unusable_matrices),
    };
    cpu_devices_open();
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    cpu_devices_close();
    return failed;
}
