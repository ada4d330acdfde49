// Few tokens run together, as many as device_ops.alike says, get the very bits that each gets
// alone: on every instruction set of this machine, exact and rounding.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/kernels/cpu_devices.h"
#include "tests/unit/kernels/kernel_cases.h"

enum { MOST = 8 };

static void same_bits(struct device *d, const char *what, int n, const float *together,
                      const float *alone, size_t size)
{
    struct err e;
    assert_int_equal(d->ops->sync(d, &e), 0);
    if (memcmp(together, alone, size * sizeof *alone))
        fail_msg("%s: %s: %d rows together do not give the bits of each alone", d->label, what, n);
}

static void on_all_devices(void (*check)(struct device *d))
{
    for (int i = 0; i < n_devices; i++) {
        assert_in_range(devices[i]->ops->alike, 2, MOST);
        check(devices[i]);
    }
    cpu_devices_round(NULL);
    for (int i = 0; i < n_devices; i++)
        check(devices[i]);
    cpu_devices_exact();
}

// ---- Products

struct weights {
    struct mat w;
    uint8_t *data;
};

static struct weights weights_new(struct device *d, const struct quant *q, int rows, int cols)
{
    struct err e;
    struct weights m = {.data = new ((size_t)rows * (size_t)quant_bytes(q->type, (size_t)cols), 1)};
    random_weights(q, m.data, (size_t)rows * (size_t)(cols / q->block));
    m.w = (struct mat){.data = m.data, .type = q->type, .rows = rows, .cols = cols};
    assert_int_equal(d->ops->mat_init(d, &m.w, &e), 0);
    return m;
}

static void weights_free(struct device *d, struct weights *m)
{
    d->ops->mat_done(d, &m->w);
    free(m->data);
}

// With the norm before them.
static void check_products(struct device *d, const struct quant *q)
{
    enum { ROWS = 37, COLS = 256 };
    struct weights m = weights_new(d, q, ROWS, COLS);
    float *x = random_floats(MOST * COLS), *h = new (MOST * COLS, sizeof *h),
          *norm = random_floats(COLS);
    float together[MOST * ROWS], alone[MOST * ROWS], bias[ROWS] = {1, 2, 3};
    struct project p = {.x = x,
                        .norm = norm,
                        .eps = 1e-5f,
                        .n_to = 1,
                        .to = {{together, &m.w, bias, NULL}},
                        .h = h};
    for (p.n = 2; p.n <= d->ops->alike; p.n++) {
        p.to[0].out = together;
        device_project(d, &p);
        for (int i = 0; i < p.n; i++) {
            struct project one = p;
            one.x = x + i * COLS;
            one.n = 1;
            one.to[0].out = alone + i * ROWS;
            device_project(d, &one);
        }
        same_bits(d, q->name, p.n, together, alone, (size_t)p.n * ROWS);
    }
    free(x);
    free(h);
    free(norm);
    weights_free(d, &m);
}

static void check_ffn(struct device *d, const struct quant *q)
{
    enum { FF = 256, COLS = 256 };
    struct weights m[3] = {weights_new(d, q, FF, COLS), weights_new(d, q, FF, COLS),
                           weights_new(d, q, COLS, FF)};
    float *x = random_floats(MOST * COLS), *norm = random_floats(COLS),
          *room = new (MOST * (COLS + 2 * FF), sizeof *room);
    float together[MOST * COLS], alone[MOST * COLS];
    struct ffn f = {.x = x,
                    .norm = norm,
                    .eps = 1e-5f,
                    .gate = &m[0].w,
                    .up = &m[1].w,
                    .down = &m[2].w,
                    .out = together,
                    .add = x,
                    .h = room,
                    .g = room + MOST * COLS,
                    .u = room + MOST * (COLS + FF),
                    .act = ACT_SILU};
    for (f.n = 2; f.n <= d->ops->alike; f.n++) {
        device_ffn(d, &f);
        for (int i = 0; i < f.n; i++) {
            struct ffn one = f;
            one.n = 1;
            one.add = one.x = x + i * COLS;
            one.out = alone + i * COLS;
            device_ffn(d, &one);
        }
        same_bits(d, q->name, f.n, together, alone, (size_t)f.n * COLS);
    }
    free(x);
    free(norm);
    free(room);
    for (int i = 0; i < 3; i++)
        weights_free(d, &m[i]);
}

static void check_types(struct device *d)
{
    for (size_t i = 0; quant_at(i); i++) {
        check_products(d, quant_at(i));
        check_ffn(d, quant_at(i));
    }
}

static void products(void **state)
{
    (void)state;
    on_all_devices(check_types);
}

// Rows from device.many on do not tell how many there are: not by how x is cut, nor by how a long
// row of weights is. Types that are packed, that are unpacked, and that are floats.
static void check_many(struct device *d)
{
    enum { MORE = 70, ROWS = 40, COLS = 1280 };
    static const enum quant_type types[] = {QUANT_Q8_0, QUANT_Q4_1, QUANT_Q6_K, QUANT_F32};
    const int many = d->many;
    float *x = random_floats((size_t)(many + MORE) * COLS),
          *all = new ((size_t)(many + MORE) * ROWS, sizeof *all),
          *some = new ((size_t)(many + MORE) * ROWS, sizeof *some), bias[ROWS] = {1, 2, 3};
    assert_true(many > d->ops->alike);
    for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
        const struct quant *q = quant_find(types[t]);
        struct weights m = weights_new(d, q, ROWS, COLS);
        d->ops->matmul(d, all, &m.w, x, bias, NULL, many + MORE);
        for (int n = many; n < many + MORE; n += n < many + 24 ? 1 : 15) {
            d->ops->matmul(d, some, &m.w, x, bias, NULL, n);
            same_bits(d, q->name, n, all, some, (size_t)n * ROWS);
        }
        weights_free(d, &m);
    }
    free(x);
    free(all);
    free(some);
}

static void many_products(void **state)
{
    (void)state;
    on_all_devices(check_many);
}

// ---- Attention

enum { SINKS = 5, LOCAL = 258, D = 64 };

struct shape {
    int n_heads, n_kv_heads, max_distance;
};

// The queries FROM .. FROM + N - 1 of MOST: what they get goes to OUT, what each gives to MASS
// [n][n_heads][LOCAL].
static void attend_some(struct device *d, const struct shape *s, float *const *x, int from, int n,
                        const struct kept_rows *kept, float *out, float *mass)
{
    size_t wide = (size_t)s->n_heads * D, masses = (size_t)s->n_heads * LOCAL;
    const struct attend_piece pieces[2] = {{.k = x[1],
                                            .v = x[2],
                                            .n = SINKS,
                                            .stride = SINKS,
                                            .q_rope = x[3],
                                            .max_distance = s->max_distance,
                                            .gap = LOCAL - MOST + from},
                                           {.k = x[1],
                                            .v = x[2],
                                            .n = LOCAL - MOST + from + n,
                                            .stride = LOCAL,
                                            .causal = 1,
                                            .k_rope = x[3],
                                            .q_rope = x[3] + (size_t)(LOCAL - MOST + from) * D,
                                            .q_rope_step = 1,
                                            .max_distance = s->max_distance,
                                            .kept = *kept,
                                            .mass = mass + (size_t)from * masses,
                                            .mass_step = n > 1 ? masses : 0}};
    const struct attend a = {.q = x[0] + (size_t)from * wide,
                             .out = out + (size_t)from * wide,
                             .n_q = n,
                             .n_heads = s->n_heads,
                             .n_kv_heads = s->n_kv_heads,
                             .head_dim = D,
                             .rope_dim = D,
                             .rope_style = ROPE_NEOX,
                             .scale = 0.125f,
                             .pieces = pieces,
                             .n_pieces = 2};
    d->ops->attend(d, &a);
}

// The last of the keys are the first of a new part of the few's attention: the first queries do not
// see it.
static void check_attention(struct device *d)
{
    static const struct shape shapes[] = {{9, 3, 0}, {8, 8, 0}, {32, 2, 0}, {6, 3, 200}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        const struct shape *s = &shapes[i];
        size_t wide = (size_t)s->n_heads * D, kv = (size_t)s->n_kv_heads * LOCAL * D,
               masses = (size_t)s->n_heads * LOCAL;
        float *x[4] = {random_floats(MOST * wide), random_floats(kv), random_floats(kv),
                       new (LOCAL * D, sizeof(float))};
        struct kept_room kept[2] = {{{0}, 0}, {{0}, 0}};
        float *out[2] = {new (MOST * wide, sizeof(float)), new (MOST * wide, sizeof(float))};
        float *mass[2] = {new (MOST * masses, sizeof(float)), new (MOST * masses, sizeof(float))};
        char what[80];
        random_turns(x[3], LOCAL, D);
        snprintf(what, sizeof what, "attention of %d heads on %d, nearer than %d", s->n_heads,
                 s->n_kv_heads, s->max_distance);
        for (int n = 2; n <= d->ops->alike; n++) {
            kept_forget(&kept[0], s->n_kv_heads, LOCAL, D);
            kept_forget(&kept[1], s->n_kv_heads, LOCAL, D);
            memset(mass[0], 0, MOST * masses * sizeof(float));
            memset(mass[1], 0, MOST * masses * sizeof(float));
            attend_some(d, s, x, 0, n, &kept[0].rows, out[0], mass[0]);
            for (int q = 0; q < n; q++)
                attend_some(d, s, x, q, 1, &kept[1].rows, out[1], mass[1]);
            same_bits(d, what, n, out[0], out[1], (size_t)n * wide);
            same_bits(d, what, n, mass[0], mass[1], (size_t)n * masses);
        }
        for (int k = 0; k < 4; k++)
            free(x[k]);
        for (int k = 0; k < 2; k++) {
            kept_free(&kept[k]);
            free(out[k]);
            free(mass[k]);
        }
    }
}

static void attention(void **state)
{
    (void)state;
    on_all_devices(check_attention);
}

// ---- Tasks of threads

enum { EACH_TASKS = 12, EACH_N = 20, EACH_ROWS = 64, EACH_COLS = 64, EACH_HEADS = 2 };

struct each_case {
    struct mat *w;
    const float *x; // [EACH_TASKS][EACH_N][EACH_COLS]
    float *y, *out; // [EACH_TASKS][EACH_N][EACH_ROWS] products, and what attention makes of them
    int ran[EACH_TASKS];
};

static void each_case_task(void *ctx, struct device *one, int task, int thread)
{
    struct each_case *c = ctx;
    const size_t at = (size_t)task * EACH_N * EACH_ROWS;
    float *y = c->y + at;
    (void)thread;
    one->ops->matmul(one, y, c->w, c->x + (size_t)task * EACH_N * EACH_COLS, NULL, NULL, EACH_N);
    const struct attend_piece piece = {.k = y, .v = y, .n = EACH_N / 2, .stride = EACH_N / 2};
    const struct attend a = {.q = y,
                             .out = c->out + at,
                             .n_q = EACH_N,
                             .n_heads = EACH_HEADS,
                             .n_kv_heads = EACH_HEADS,
                             .head_dim = EACH_ROWS / EACH_HEADS,
                             .rope_dim = EACH_ROWS / EACH_HEADS,
                             .scale = 0.125f,
                             .pieces = &piece,
                             .n_pieces = 1};
    device_attend_all(one, &a, 1);
    struct err e;
    c->ran[task] += one->ops->sync(one, &e) == 0;
}

// Tasks of one thread each, and a single one of all threads, have the bits of operations by turns.
static void check_each(struct device *d)
{
    const size_t n = EACH_TASKS * EACH_N * EACH_ROWS;
    struct weights m = weights_new(d, quant_find(QUANT_Q8_0), EACH_ROWS, EACH_COLS);
    float *x = random_floats(EACH_TASKS * EACH_N * EACH_COLS), *together = new (2 * n, sizeof *x),
          *alone = new (2 * n, sizeof *x);
    struct each_case a = {&m.w, x, together, together + n, {0}},
                     b = {&m.w, x, alone, alone + n, {0}};
    for (int i = 0; i < EACH_TASKS; i++)
        each_case_task(&b, d, i, 0);
    d->ops->each(d, EACH_TASKS, each_case_task, &a);
    for (int i = 0; i < EACH_TASKS; i++)
        assert_true(a.ran[i] == 1 && b.ran[i] == 1);
    same_bits(d, "each", EACH_TASKS, together, alone, 2 * n);
    memset(together, 0, 2 * n * sizeof *x);
    d->ops->each(d, 1, each_case_task, &a);
    assert_int_equal(a.ran[0], 2);
    same_bits(d, "each of one", 1, together, alone, EACH_N * EACH_ROWS);
    free(x);
    free(together);
    free(alone);
    weights_free(d, &m);
}

static void each(void **state)
{
    (void)state;
    on_all_devices(check_each);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products),
        cmocka_unit_test(many_products),
        cmocka_unit_test(attention),
        cmocka_unit_test(each),
    };
    cpu_devices_open();
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    cpu_devices_close();
    return failed;
}
