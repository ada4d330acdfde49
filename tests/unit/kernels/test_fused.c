// The operations that stand for several, project and ffn, of every instruction set this machine
// has, exact and rounding, against the single ones of kernels/cpu/ref.c; with 1, 2 and 3 threads,
// whose results must be the same bits.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/mem.h"
#include "kernels/kernels.h"
#include "tests/unit/kernels/kernel_cases.h"

enum { N_THREADS = 3, MAX_RUNS = 32, MOST = 3 };

static struct run {
    struct device *d;
    double tolerance; // of the largest number
} runs[MAX_RUNS];     // the first is the judge; then N_THREADS of each kind
static int n_runs;

static void open_run(const char *isa, int threads, int exact)
{
    struct err e;
    struct device_options o = {.name = "cpu", .isa = isa, .threads = threads, .exact = exact};
    assert_true(n_runs < MAX_RUNS);
    assert_int_equal(device_open(&runs[n_runs].d, &o, NULL, 0, &e), 0);
    runs[n_runs++].tolerance = exact ? 1e-5 : 0.03;
}

static int open_runs(void **state)
{
    (void)state;
    const char *isa;
    open_run("ref", 1, 1);
    for (int exact = 0; exact < 2; exact++)
        for (size_t i = 0; (isa = device_cpu_isa(i)) && strcmp(isa, "ref"); i++)
            for (int threads = 1; threads <= N_THREADS; threads++)
                open_run(isa, threads, exact);
    return 0;
}

static int close_runs(void **state)
{
    (void)state;
    while (n_runs)
        device_close(runs[--n_runs].d);
    return 0;
}

static void *zeros(size_t n)
{
    struct err e;
    void *p = mem_new_aligned(n, sizeof(float), &e);
    assert_non_null(p);
    return p;
}

static float *random_floats(size_t n, float size)
{
    float *p = zeros(n);
    for (size_t i = 0; i < n; i++)
        p[i] = size * uniform();
    return p;
}

// The results OUT [n] of run R, in parts of the largest number of the judge's.
static void judge(int r, const char *what, float *out, float *want, float *first, size_t n)
{
    struct err e;
    double most = 0;
    assert_int_equal(runs[r].d->ops->sync(runs[r].d, &e), 0);
    if (r == 0)
        memcpy(want, out, n * sizeof *out);
    for (size_t i = 0; i < n; i++)
        most = fmax(most, fabs((double)want[i]));
    assert_true(most > 0);
    for (size_t i = 0; i < n; i++)
        if (!(fabs((double)out[i] - (double)want[i]) <= runs[r].tolerance * most))
            fail_msg("%s: %s: [%zu] is %.9g, not %.9g; the largest %g", runs[r].d->label, what, i,
                     (double)out[i], (double)want[i], most);
    if (r % N_THREADS == 1)
        memcpy(first, out, n * sizeof *out);
    else if (r && memcmp(first, out, n * sizeof *out))
        fail_msg("%s: %s: bits depend on the threads", runs[r].d->label, what);
}

static struct mat weights(uint32_t type, int rows, int cols)
{
    const struct quant *q = quant_find(type);
    size_t n = (size_t)rows * (size_t)cols / (size_t)q->block;
    uint8_t *data = calloc(n, (size_t)q->bytes);
    assert_non_null(data);
    random_weights(q, data, n);
    return (struct mat){.data = data, .type = type, .rows = rows, .cols = cols};
}

static void take(struct device *d, struct mat *w)
{
    struct err e;
    assert_int_equal(d->ops->mat_init(d, w, &e), 0);
}

static void check_project(int n, int cols, int normed, int n_to, const uint32_t *types,
                          const int *rows)
{
    struct mat w[MOST];
    float *bias[MOST], *add[MOST], *out[MOST], *want[MOST], *first[MOST];
    float *x = random_floats((size_t)(n * cols), 3), *norm = random_floats((size_t)cols, 1);
    float *h = zeros((size_t)(n * cols));
    for (int i = 0; i < n_to; i++) {
        size_t all = (size_t)(n * rows[i]);
        w[i] = weights(types[i], rows[i], cols);
        bias[i] = random_floats((size_t)rows[i], 1);
        add[i] = random_floats(all, 1);
        out[i] = zeros(all);
        want[i] = zeros(all);
        first[i] = zeros(all);
    }
    for (int r = 0; r < n_runs; r++) {
        struct project p = {
            .x = x, .norm = normed ? norm : NULL, .eps = 1e-5f, .n = n, .n_to = n_to, .h = h};
        for (int i = 0; i < n_to; i++) {
            take(runs[r].d, &w[i]);
            memcpy(out[i], add[i], (size_t)(n * rows[i]) * sizeof(float));
            p.to[i] = (struct projection){out[i], &w[i], i % 2 ? bias[i] : NULL,
                                          i == 1   ? add[i]
                                          : i == 2 ? out[i]
                                                   : NULL,
                                          NULL};
        }
        device_project(runs[r].d, &p);
        for (int i = 0; i < n_to; i++) {
            char what[96];
            snprintf(what, sizeof what, "project %d of %d: %s %d x %d, n %d", i, n_to,
                     quant_find(types[i])->name, rows[i], cols, n);
            judge(r, what, out[i], want[i], first[i], (size_t)(n * rows[i]));
            runs[r].d->ops->mat_done(runs[r].d, &w[i]);
        }
    }
    for (int i = 0; i < n_to; i++) {
        free((void *)(uintptr_t)w[i].data);
        free(bias[i]);
        free(add[i]);
        free(out[i]);
        free(want[i]);
        free(first[i]);
    }
    free(x);
    free(norm);
    free(h);
}

static void project(void **state)
{
    (void)state;
    static const uint32_t same[] = {QUANT_Q4_1, QUANT_Q4_1, QUANT_Q4_1},
                          mixed[] = {QUANT_Q4_0, QUANT_Q8_0, QUANT_Q4_1},
                          some[] = {QUANT_Q4_K, QUANT_Q6_K, QUANT_Q8_0},
                          none[] = {QUANT_F16, QUANT_F32, QUANT_BF16};
    static const int rows[] = {96, 33, 16}, odd[] = {7, 50, 81};
    static const int ns[] = {1, 3, 5, 16, 17, 32, 67};
    for (size_t i = 0; i < sizeof ns / sizeof *ns; i++) {
        check_project(ns[i], 96, 1, 3, same, rows);
        check_project(ns[i], 64, i % 2 == 0, 3, mixed, odd);
        check_project(ns[i], 256, 1, 3, some, odd);
        check_project(ns[i], 40, i % 2, 3, none, rows);
        check_project(ns[i], 32, 0, 1, mixed, odd);
    }
}

// Keys and values go to their heads' places in one or two caches: what the same product has as
// rows, and nothing beside it.
static void check_heads(uint32_t type, int n, int split, int head_dim, int cols)
{
    enum { HEADS = 3, MORE = 5 }; // MORE: tokens of a cache that are not these
    const int rows = HEADS * head_dim, stride[2] = {split + MORE, n - split + MORE};
    const size_t all = (size_t)(n * rows), dim = (size_t)head_dim;
    struct mat w = weights(type, rows, cols);
    float *x = random_floats((size_t)(n * cols), 3), *norm = random_floats((size_t)cols, 1),
          *bias = random_floats((size_t)rows, 1), *h = zeros((size_t)(n * cols));
    float *out = zeros(all), *want = zeros(all), *got = zeros(all), *cache[2];
    for (int r = 0; r < n_runs; r++) {
        struct heads_to heads = {
            .stride = {stride[0], stride[1]}, .split = split, .head_dim = head_dim};
        for (int i = 0; i < 2; i++)
            heads.cache[i] = cache[i] = zeros((size_t)(stride[i] * rows));
        take(runs[r].d, &w);
        for (int as_rows = 1; as_rows >= 0; as_rows--)
            device_project(runs[r].d, &(struct project){
                                          .x = x,
                                          .norm = norm,
                                          .eps = 1e-5f,
                                          .n = n,
                                          .n_to = 1,
                                          .to = {{as_rows ? want : out, &w, bias, NULL,
                                                  as_rows ? NULL : &heads}},
                                          .h = h,
                                      });
        runs[r].d->ops->mat_done(runs[r].d, &w);
        for (int i = 0; i < n * HEADS; i++) {
            int t = i / HEADS, second = t >= split, at = second ? t - split : t;
            float *from = cache[second] + (size_t)(i % HEADS * stride[second] + at) * dim;
            memcpy(got + (size_t)i * dim, from, dim * sizeof *got);
            memset(from, 0, dim * sizeof *from);
        }
        for (int i = 0; i < 2; i++) {
            for (int k = 0; k < stride[i] * rows; k++)
                assert_true(cache[i][k] == 0);
            free(cache[i]);
        }
        if (memcmp(got, want, all * sizeof *got))
            fail_msg("%s: %d rows of %s, %d columns, to heads of %d, %d of them to the first: "
                     "others than as rows",
                     runs[r].d->label, n, quant_find(type)->name, cols, head_dim, split);
    }
    free((void *)(uintptr_t)w.data);
    float *rest[] = {x, norm, bias, h, out, want, got};
    for (size_t i = 0; i < sizeof rest / sizeof *rest; i++)
        free(rest[i]);
}

static void project_to_heads(void **state)
{
    (void)state;
    static const int ns[] = {3, 16, 40, 67, 131};
    for (size_t i = 0; i < sizeof ns / sizeof *ns; i++) {
        int n = ns[i];
        check_heads(QUANT_Q4_1, n, n, 64, 96);
        check_heads(QUANT_Q4_1, n, 0, 64, 96);
        check_heads(QUANT_Q4_1, n, n / 2, 64, 96);
        check_heads(QUANT_Q8_0, n, n < 32 ? 1 : 32, 32, 1184); // passes over the columns
        check_heads(QUANT_Q8_0, n, n - 1, 32, 1184);
        check_heads(QUANT_Q4_1, n, n / 3, 48, 64); // a panel is of two heads
        check_heads(QUANT_Q4_K, n, n / 2, 64, 256);
    }
}

struct ffn_case {
    int n, cols, ff;
    uint32_t gate, up, down;
    enum act act;
    int add; // 2: in place
};

// The same F by the operations that it stands for, into OUT.
static void single_ffn(struct device *d, struct ffn f, float *out)
{
    const struct device_ops *ops = d->ops;
    struct device_ops single = *ops;
    single.ffn = NULL;
    d->ops = &single;
    f.out = out;
    device_ffn(d, &f);
    d->ops = ops;
}

static void check_ffn(const struct ffn_case *c)
{
    struct mat gate = weights(c->gate, c->ff, c->cols), up = weights(c->up, c->ff, c->cols);
    struct mat down = weights(c->down, c->cols, c->ff);
    size_t all = (size_t)(c->n * c->cols), wide = (size_t)(c->n * c->ff);
    float *x = random_floats(all, 2), *norm = random_floats((size_t)c->cols, 0.1f),
          *add = random_floats(all, 1);
    float *out = zeros(all), *h = zeros(all), *g = zeros(wide), *u = zeros(wide),
          *want = zeros(all), *first = zeros(all), *single = zeros(all);
    char what[96];
    snprintf(what, sizeof what, "ffn %s %d x %d, n %d", quant_find(c->gate)->name, c->cols, c->ff,
             c->n);
    for (int r = 0; r < n_runs; r++) {
        struct device *d = runs[r].d;
        take(d, &gate);
        take(d, &up);
        take(d, &down);
        memcpy(out, x, all * sizeof *out);
        struct ffn f = {.x = c->add == 2 ? out : x,
                        .norm = norm,
                        .eps = 1e-5f,
                        .n = c->n,
                        .gate = &gate,
                        .up = &up,
                        .down = &down,
                        .out = out,
                        .h = h,
                        .g = g,
                        .u = u,
                        .act = c->act,
                        .add = c->add == 2 ? out
                               : c->add    ? add
                                           : NULL};
        single_ffn(d, f, single);
        device_ffn(d, &f);
        if (strstr(d->label, "avx512vnni") && c->n > 4 && memcmp(single, out, all * sizeof *out))
            fail_msg("%s: %s: is not what its single operations give", d->label, what);
        judge(r, what, out, want, first, all);
        d->ops->mat_done(d, &gate);
        d->ops->mat_done(d, &up);
        d->ops->mat_done(d, &down);
    }
    void *own[] = {x, norm, add, out, h, g, u, want, first, single};
    const void *data[] = {gate.data, up.data, down.data};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        free(own[i]);
    for (size_t i = 0; i < sizeof data / sizeof *data; i++)
        free((void *)(uintptr_t)data[i]);
}

static void ffn(void **state)
{
    (void)state;
    static const struct ffn_case cases[] = {
        {1, 96, 160, QUANT_Q4_1, QUANT_Q4_1, QUANT_Q4_1, ACT_SILU, 2},
        {4, 64, 96, QUANT_Q4_0, QUANT_Q8_0, QUANT_Q4_1, ACT_GELU_TANH, 1},
        {5, 64, 96, QUANT_Q4_0, QUANT_Q8_0, QUANT_Q4_1, ACT_SILU, 0},
        {16, 96, 64, QUANT_Q8_0, QUANT_Q8_0, QUANT_Q8_0, ACT_GELU_TANH, 2},
        {33, 96, 160, QUANT_Q4_1, QUANT_Q4_1, QUANT_Q4_1, ACT_SILU, 2},
        {67, 32, 96, QUANT_Q4_0, QUANT_Q4_0, QUANT_Q8_0, ACT_SILU, 1},
        {40, 256, 256, QUANT_Q4_K, QUANT_Q4_K, QUANT_Q6_K, ACT_SILU, 2},
        {35, 39, 75, QUANT_F16, QUANT_F32, QUANT_F16, ACT_SILU, 2},
        {35, 40, 80, QUANT_F32, QUANT_F32, QUANT_BF16, ACT_GELU_TANH, 0},
        {270, 32, 4096, QUANT_Q4_1, QUANT_Q4_1, QUANT_Q4_1, ACT_SILU,
         2}, // more rows than are done at once
        {40, 32, 2144, QUANT_Q8_0, QUANT_Q8_0, QUANT_Q4_0, ACT_SILU, 1}, // more columns
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check_ffn(&cases[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(project),
        cmocka_unit_test(project_to_heads),
        cmocka_unit_test(ffn),
    };
    return cmocka_run_group_tests(tests, open_runs, close_runs);
}
