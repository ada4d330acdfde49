// Every operation of every instruction set this machine has, against kernels/ref.c, with 1, 2 and 3
// threads, whose results must be the same bits.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/kernels.h"
#include "tests/unit/kernel_cases.h"

enum { N_THREADS = 3, MAX_RUNS = 16, FEW_ROWS = 4 };

// One device for each instruction set and number of threads; the first is the judge.
static struct device *exact[MAX_RUNS], *rounding[MAX_RUNS];
static struct device **devices = exact;
static int n_devices, n_exact;
static int in_bfloat16; // the devices but the judge multiply many rows of x in bfloat16
static double attend_tolerance = 4e-6;

static float *random_floats(size_t n)
{
    float *p = new(n, sizeof *p);
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
        for (o.threads = 1; o.threads <= N_THREADS && (!only || !strcmp(o.isa, only)); o.threads++) {
            assert_true(n < MAX_RUNS);
            assert_int_equal(device_open(&all[n++], &o, NULL, 0, &e), 0);
        }
    return n;
}

// What a device may leave in OUT; compared with the judge's, and among threads bit for bit.
struct verdict {
    const char *what;
    size_t n;
    float *want, *first;
};

static struct verdict verdict_new(const char *what, size_t n)
{
    return (struct verdict){what, n, new(n, sizeof(float)), new(n, sizeof(float))};
}

static void verdict_free(struct verdict *v)
{
    free(v->want);
    free(v->first);
}

static void verdict_check(struct verdict *v, int device, const float *got, double tolerance)
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
    struct mat rounded = {.data = weights, .type = QUANT_F32, .rows = w->rows, .cols = w->cols};
    exact[0]->ops->matmul(exact[0], out, &rounded, xs, bias, add, n);
    free(weights);
    free(xs);
}

static void check_product(const struct quant *q, struct product_shape s)
{
    size_t cols = (size_t)(s.cols * q->block), rows = (size_t)s.rows, n = (size_t)s.n;
    uint8_t *data = new(rows * (size_t)quant_bytes(q->type, cols) + 1, 1);
    random_weights(q, data + 1, rows * cols / (size_t)q->block);
    struct mat w = {.data = data + 1, .type = q->type, .rows = s.rows, .cols = (int)cols};
    float *x = random_floats(n * cols), *bias = random_floats(rows), *add = random_floats(n * rows);
    float *out = new(n * rows, sizeof *out), *row = new(cols, sizeof *row);
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
        if (i == 0 && in_bfloat16 && s.n > FEW_ROWS)
            product_in_bfloat16(out, &w, x, s.bias ? bias : NULL, to_add, s.n);
        else
            d->ops->matmul(d, out, &w, x, s.bias ? bias : NULL, to_add, s.n);
        verdict_check(&v, i, out, 1e-6 * fmax(1, scale));
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
        for (int n = 1; n <= 5; n++)
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
    devices = rounding;
    n_devices = open_devices(rounding, 0, isa);
    matmul(state);
    for (int i = 0; i < n_devices; i++)
        device_close(rounding[i]);
    devices = exact;
    n_devices = n_exact;
}

static void matmul_in_bytes(void **state)
{
    rounded_products(state, "avx512vnni");
}

static void matmul_in_bfloat16(void **state)
{
    in_bfloat16 = 1;
    rounded_products(state, "amx");
    in_bfloat16 = 0;
}

// A row of a product is the same, bit for bit, whatever rows stand beside it.
static void check_rows_alone(struct device *d)
{
    enum { ROWS = 70, COLS = 640, N = 71 };
    const struct quant *q = quant_find(QUANT_Q4_1);
    uint8_t *data = new(ROWS * (size_t)quant_bytes(q->type, COLS), 1);
    random_weights(q, data, ROWS * COLS / (size_t)q->block);
    struct mat w = {.data = data, .type = q->type, .rows = ROWS, .cols = COLS};
    float *x = random_floats(N * COLS), *add = random_floats(N * ROWS), *all = new(N * ROWS, sizeof *all);
    float *some = new(N * ROWS, sizeof *some);
    struct err e;
    assert_int_equal(d->ops->mat_init(d, &w, &e), 0);
    d->ops->matmul(d, all, &w, x, NULL, add, N);
    for (int n = 5; n < N; n += 11) {
        size_t skip = (size_t)(N - n), size = (size_t)n * ROWS * sizeof *some;
        d->ops->matmul(d, some, &w, x, NULL, add, n);
        if (memcmp(some, all, size))
            fail_msg("%s: the first %d rows of %d are others than alone", d->label, n, N);
        d->ops->matmul(d, some, &w, x + skip * COLS, NULL, add + skip * ROWS, n);
        if (memcmp(some, all + skip * ROWS, size))
            fail_msg("%s: the last %d rows of %d are others than alone", d->label, n, N);
    }
    d->ops->mat_done(d, &w);
    free(some);
    free(all);
    free(add);
    free(x);
    free(data);
}

static void rows_alone(void **state)
{
    (void)state;
    n_devices = open_devices(rounding, 0, NULL);
    for (int i = 0; i < n_devices; i++) {
        check_rows_alone(rounding[i]);
        device_close(rounding[i]);
    }
    n_devices = n_exact;
    for (int i = 0; i < n_devices; i++)
        check_rows_alone(exact[i]);
}

// ---- Log probabilities

// Of the tokens IDS by logits of the device's own, each row by itself.
static void log_probs_by_hand(struct device *d, float *out, const struct mat *w, const float *x, const uint32_t *ids,
                              int n)
{
    size_t rows = (size_t)w->rows;
    float *logits = new((size_t)n * rows, sizeof *logits);
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
    uint8_t *data = new((size_t)rows * (size_t)quant_bytes(type, (uint64_t)cols), 1);
    random_weights(q, data, (size_t)rows * (size_t)cols / (size_t)q->block);
    struct mat w = {.data = data, .type = type, .rows = rows, .cols = cols};
    float *x = random_floats((size_t)n * (size_t)cols), *want = new((size_t)n, sizeof *want);
    float *out = new((size_t)n, sizeof *out);
    double *got = new((size_t)n, sizeof *got);
    uint32_t *ids = new((size_t)n, sizeof *ids);
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
            compare(d, own ? "log_probs" : "log_probs by way of logits", want, out, (size_t)n, 1e-5);
        }
        verdict_check(&v, i, out, 1); // rounded products differ: the bits are to be those of other threads
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
    devices = rounding;
    n_devices = open_devices(rounding, 0, NULL);
    log_probs_of_all();
    for (int i = 0; i < n_devices; i++)
        device_close(rounding[i]);
    devices = exact;
    n_devices = n_exact;
}

static void embed(void **state)
{
    (void)state;
    for (size_t i = 0; quant_at(i); i++) {
        const struct quant *q = quant_at(i);
        int cols = q->block == 1 ? 39 : q->block * 3;
        enum { ROWS = 5, IDS = 4 };
        uint8_t *data = new(ROWS * (size_t)quant_bytes(q->type, (uint64_t)cols) + 1, 1);
        random_weights(q, data + 1, (size_t)(ROWS * cols / q->block));
        struct mat w = {.data = data + 1, .type = q->type, .rows = ROWS, .cols = cols};
        const uint32_t ids[IDS] = {4, 0, 2, 2};
        float *out = new((size_t)(IDS * cols), sizeof *out);
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

// ---- Rows

static void rmsnorm(void **state)
{
    (void)state;
    static const int dims[] = {1, 7, 64, 576, 601};
    for (size_t k = 0; k < sizeof dims / sizeof *dims; k++) {
        int dim = dims[k], n = 19;
        size_t all = (size_t)(n * dim);
        float *x = random_floats(all), *w = random_floats((size_t)dim), *out = new(all, sizeof *out);
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
    float *x = random_floats(N), *up = random_floats(N), *out = new(N, sizeof *out);
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

// ---- Attention

static float *random_rope(int n, int rope_dim)
{
    float *rope = new((size_t)(n * rope_dim), sizeof *rope);
    random_turns(rope, n, rope_dim);
    return rope;
}

static void check_attend(const struct attend_shape *s)
{
    struct attend_piece pieces[4] = {{0}};
    size_t heads = (size_t)s->n_heads, n_q = (size_t)s->n_q, d = (size_t)s->head_dim, n_mass = 0;
    float *owned[16], *q = random_floats(n_q * heads * d);
    int n_owned = 0, n_pieces = 0;
    for (; n_pieces < 4 && (s->pieces[n_pieces].n || s->pieces[n_pieces].extra); n_pieces++) {
        const struct piece_shape *ps = &s->pieces[n_pieces];
        struct attend_piece *p = &pieces[n_pieces];
        *p = (struct attend_piece){.n = ps->n, .stride = ps->n + ps->extra, .causal = ps->causal,
                                   .max_distance = ps->max_distance, .gap = ps->gap, .q_rope_step = ps->q_rope == 2};
        size_t all = (size_t)s->n_kv_heads * (size_t)p->stride * d;
        p->k = owned[n_owned++] = random_floats(all);
        p->v = owned[n_owned++] = random_floats(all);
        if (ps->k_rope)
            p->k_rope = owned[n_owned++] = random_rope(ps->n, s->rope_dim);
        if (ps->q_rope)
            p->q_rope = owned[n_owned++] = random_rope(ps->q_rope == 2 ? s->n_q : 1, s->rope_dim);
        n_mass += ps->mass ? heads * (size_t)p->stride : 0;
    }
    int sb = s->self_block;
    size_t n_self = sb ? n_q / (size_t)sb * (size_t)sb * (size_t)sb : 0, n_out = n_q * heads * d;
    float *out = new(n_out + n_self + n_mass, sizeof *out);
    struct attend a = {.q = q, .out = out, .n_q = s->n_q, .n_heads = s->n_heads,
                       .n_kv_heads = s->n_kv_heads, .head_dim = s->head_dim, .rope_dim = s->rope_dim,
                       .rope_style = s->style, .scale = s->scale, .softcap = s->softcap,
                       .pieces = pieces, .n_pieces = n_pieces, .self_block = sb,
                       .self_mass = sb ? out + n_out : NULL};
    float *mass = out + n_out + n_self;
    for (int i = 0; i < n_pieces; i++)
        if (s->pieces[i].mass) {
            pieces[i].mass = mass;
            mass += heads * (size_t)pieces[i].stride;
        }
    struct verdict v = verdict_new(s->what, n_out + n_self + n_mass);
    float *turned[4] = {NULL}, *before = new(v.n, sizeof *before);
    int n_turned[4];
    for (int i = 0; i < 3 * n_devices; i++) { // without memory for turned keys, with it, and again
        for (size_t k = 0; k < v.n; k++)
            out[k] = k < n_out ? 77 : 0.25f; // out is overwritten, the masses are added to
        for (int j = 0; j < n_pieces; j++) {
            size_t all = (size_t)s->n_kv_heads * (size_t)pieces[j].stride * d;
            turned[j] = turned[j] ? turned[j] : new(all, sizeof(float));
            n_turned[j] = i % 3 == 2 ? n_turned[j] : 0;
            for (size_t k = 0; i % 3 == 1 && k < all; k++)
                turned[j][k] = NAN;
            pieces[j].turned = i % 3 ? turned[j] : NULL;
            pieces[j].n_turned = &n_turned[j];
        }
        devices[i / 3]->ops->attend(devices[i / 3], &a);
        verdict_check(&v, i / 3, out, attend_tolerance);
        if (i % 3 && memcmp(before, out, v.n * sizeof *out))
            fail_msg("%s: %s: bits depend on the turned keys", devices[i / 3]->label, s->what);
        memcpy(before, out, v.n * sizeof *out);
    }
    for (int j = 0; j < n_pieces; j++)
        free(turned[j]);
    free(before);
    verdict_free(&v);
    free(out);
    free(q);
    while (n_owned)
        free(owned[--n_owned]);
}

// Beside those of kernel_cases.h.
static const struct attend_shape own_shapes[] = {
    {"long", 6, 2, 1, 64, 64, ROPE_NORM, 0.125f, 0, 0, {{9000, 0, 1, 2, 1, 0, 1, 0}}},
};

static void attend(void **state)
{
    (void)state;
    for (size_t i = 0; i < n_attend_shapes; i++)
        check_attend(&attend_shapes[i]);
    for (size_t i = 0; i < sizeof own_shapes / sizeof *own_shapes; i++)
        check_attend(&own_shapes[i]);
}

// ---- ART: a token's attention that ends early

enum { ART_SINKS = 5, ART_KEYS = 300, ART_LOCAL = 9, ART_BLOCK = 16 };
enum { ART_BLOCKS = (ART_KEYS + ART_BLOCK - 1) / ART_BLOCK };

struct art_shape {
    int n_heads, n_kv_heads, head_dim, rope_dim;
};

static const struct art_shape art_shapes[] = {
    {2, 2, 8, 8}, {9, 3, 64, 64}, {8, 8, 40, 32}, {6, 2, 128, 128}, {12, 1, 33, 16}};

// Sinks, blocks that ART may leave, and a local part; X: queries, keys and values of the three, rotations.
static void art_attend(struct device *d, const struct art_shape *s, float *const *x, const struct art *how,
                       float *out)
{
    struct attend_piece pieces[] = {
        {.k = x[1], .v = x[2], .n = ART_SINKS, .stride = ART_SINKS, .q_rope = x[7]},
        {.k = x[3], .v = x[4], .n = ART_KEYS, .stride = ART_KEYS + 3, .q_rope = x[7], .art = 1},
        {.k = x[5], .v = x[6], .n = ART_LOCAL, .stride = ART_LOCAL, .causal = 1, .k_rope = x[8],
         .q_rope = x[8] + (ART_LOCAL - 1) * s->rope_dim, .q_rope_step = 1},
    };
    struct attend a = {.q = x[0], .out = out, .n_q = 1, .n_heads = s->n_heads, .n_kv_heads = s->n_kv_heads,
                       .head_dim = s->head_dim, .rope_dim = s->rope_dim, .rope_style = ROPE_NEOX,
                       .scale = 0.125f, .pieces = pieces, .n_pieces = 3, .art = how};
    struct err e;
    for (int i = 0; i < s->n_heads * s->head_dim; i++)
        out[i] = 77;
    d->ops->attend(d, &a);
    assert_int_equal(d->ops->sync(d, &e), 0);
}

// Every device reads as many blocks as the judge, and makes the same of them. Returns how many; of all that there are the
// output is that of an attention without ART, WHOLE.
static uint64_t art_read(const struct art_shape *s, float *const *x, struct art how, const float *whole)
{
    size_t n = (size_t)(s->n_heads * s->head_dim);
    float *out = new(n, sizeof *out);
    uint64_t first = 0;
    struct verdict v = verdict_new("art", n);
    for (int i = 0; i < n_devices; i++) {
        uint64_t read[2] = {0};
        how.read = read;
        art_attend(devices[i], s, x, &how, out);
        verdict_check(&v, i, out, attend_tolerance);
        assert_int_equal(read[1], s->n_heads * ART_BLOCKS);
        first = i ? first : read[0];
        assert_int_equal(read[0], first);
        if (read[0] == read[1])
            compare(devices[i], "art that reads everything", whole, out, n, attend_tolerance);
    }
    verdict_free(&v);
    free(out);
    return first;
}

static void check_art(const struct art_shape *s)
{
    size_t kv = (size_t)(s->n_kv_heads * s->head_dim), n = (size_t)(s->n_heads * s->head_dim);
    float *x[] = {random_floats(n),
                  random_floats(kv * ART_SINKS), random_floats(kv * ART_SINKS),
                  random_floats(kv * (ART_KEYS + 3)), random_floats(kv * (ART_KEYS + 3)),
                  random_floats(kv * ART_LOCAL), random_floats(kv * ART_LOCAL),
                  random_rope(1, s->rope_dim), random_rope(ART_LOCAL, s->rope_dim)};
    float *whole = new(n, sizeof *whole);
    uint64_t there = (uint64_t)(s->n_heads * ART_BLOCKS);
    for (size_t i = 0; i < kv * (ART_KEYS + 3); i++)
        x[4][i] += 1; // the mean of such values settles
    art_attend(devices[0], s, x, NULL, whole);
    // Nothing changes by less than nothing; everything by less than ten times: as many blocks as patience asks for.
    assert_int_equal(art_read(s, x, (struct art){0, 1, 1, ART_BLOCK, NULL}, whole), there);
    assert_int_equal(art_read(s, x, (struct art){10, 10, 2, ART_BLOCK, NULL}, whole), 2 * s->n_heads);
    uint64_t soon = art_read(s, x, (struct art){0.05f, 0.01f, 1, ART_BLOCK, NULL}, whole);
    uint64_t late = art_read(s, x, (struct art){0.05f, 0.01f, 3, ART_BLOCK, NULL}, whole);
    assert_true((uint64_t)s->n_heads < soon && soon < late && late < there);
    for (size_t i = 0; i < sizeof x / sizeof *x; i++)
        free(x[i]);
    free(whole);
}

static void art(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof art_shapes / sizeof *art_shapes; i++)
        check_art(&art_shapes[i]);
}

// By hand: one head of two dimensions, keys 0, so that every value weighs the same. A sink (0, 8), then blocks of
// one value: (0, 4), (0, 6), (0, 6), (0, 60). The output is (0, 8), (0, 6), (0, 6), (0, 6), (0, 16.8): it changes by a
// quarter, by nothing, by nothing. The last is read only by who waits for a third block that changes nothing.
static void art_by_hand(void **state)
{
    (void)state;
    float q[2] = {1, 1}, zero[8] = {0}, sink[2] = {0, 8}, v[] = {0, 4, 0, 6, 0, 6, 0, 60}, out[2];
    struct attend_piece pieces[] = {{.k = zero, .v = v, .n = 4, .stride = 4, .art = 1},
                                    {.k = zero, .v = sink, .n = 1, .stride = 1}};
    for (int i = 0; i < n_devices; i++)
        for (int patience = 1; patience <= 3; patience++) {
            uint64_t read[2] = {0};
            struct art how = {.scale = 0.2f, .direction = 0.1f, .patience = patience, .block = 1, .read = read};
            struct attend a = {.q = q, .out = out, .n_q = 1, .n_heads = 1, .n_kv_heads = 1, .head_dim = 2,
                               .rope_dim = 2, .scale = 1, .pieces = pieces, .n_pieces = 2, .art = &how};
            struct err e;
            devices[i]->ops->attend(devices[i], &a);
            assert_int_equal(devices[i]->ops->sync(devices[i], &e), 0);
            assert_int_equal(read[0], patience + 1);
            assert_int_equal(read[1], 4);
            float want = patience == 3 ? 16.8f : 6;
            assert_true(fabsf(out[0]) < 1e-6f && fabsf(out[1] - want) < 1e-4f);
        }
}

// What multiplies in bfloat16 differs from the exact judge by that much: 2^-9 of each score, weight and value.
static void attend_in_bfloat16(void **state)
{
    (void)state;
    static const struct {
        struct attend_shape shape;
        double tolerance;
    } cases[] = {
        {{"flat", 70, 9, 3, 64, 64, ROPE_NORM, 0.01f, 0, 16,
         {{40, 5, 1, 1, 0, 0, 1, 0}, {130, 0, 1, 2, 1, 0, 1, 0}}}, 2e-3},
        {{"flat neox", 50, 4, 2, 80, 80, ROPE_NEOX, 0.01f, 0, 0,
         {{33, 0, 1, 2, 0, 0, 0, 0}, {0, 9, 1, 1, 0, 0, 1, 0}, {50, 3, 1, 2, 1, 0, 0, 0}}}, 2e-3},
        {{"flat odd", 23, 5, 5, 21, 14, ROPE_NEOX, 0.01f, 0, 4, {{29, 1, 1, 2, 1, 0, 1, 0}}}, 3e-3},
        {{"flat, many heads", 7, 40, 2, 112, 112, ROPE_NORM, 0.01f, 0, 7, {{19, 0, 1, 2, 1, 0, 1, 0}}}, 3e-3},
        {{"flat, max distance", 60, 4, 2, 64, 64, ROPE_NORM, 0.01f, 0, 20,
         {{90, 2, 1, 2, 1, 17, 1, 0}, {7, 0, 1, 1, 0, 0, 1, 0}}}, 3e-3},
        {{"flat, max distance, far", 40, 4, 2, 64, 64, ROPE_NORM, 0.01f, 0, 20,
         {{90, 2, 1, 2, 0, 75, 1, 60}, {33, 0, 1, 1, 0, 20, 1, 7}, {47, 0, 1, 2, 1, 30, 1, 0}}}, 3e-3},
        {{"flat, sees nothing", 19, 3, 3, 32, 32, ROPE_NORM, 0.01f, 0, 3, {{4, 1, 1, 2, 1, 0, 1, 0}}}, 3e-3},
        {{"flat, no pieces", 24, 3, 3, 32, 32, ROPE_NORM, 0.2f, 0, 2, {{0}}}, 0},
        {{"flat, long", 33, 2, 1, 128, 128, ROPE_NORM, 0.002f, 0, 0, {{9000, 0, 1, 2, 1, 0, 1, 0}}}, 5e-4},
        {{"softcap", 19, 4, 2, 64, 64, ROPE_NEOX, 4, 20, 0,
         {{30, 0, 1, 2, 0, 0, 1, 0}, {19, 0, 1, 2, 1, 0, 1, 0}}}, 0.1},
        {{"steep", 30, 2, 1, 64, 64, ROPE_NORM, 2, 0, 8, {{50, 0, 1, 2, 1, 0, 1, 0}}}, 0.1},
        {{"usual", 130, 9, 3, 64, 64, ROPE_NORM, 0.125f, 0, 64, {{300, 0, 1, 2, 1, 0, 1, 0}}}, 0.01},
    };
    devices = rounding;
    n_devices = open_devices(rounding, 0, "amx");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        attend_tolerance = cases[i].tolerance;
        check_attend(&cases[i].shape);
    }
    attend_tolerance = 4e-6;
    for (int i = 0; i < n_devices; i++)
        device_close(rounding[i]);
    devices = exact;
    n_devices = n_exact;
}

// A NaN must be seen, not lost in a maximum.
static void attend_nan(void **state)
{
    (void)state;
    enum { N = 40, D = 16 };
    float *k = random_floats(N * D), q[D] = {1}, out[D];
    struct attend_piece p = {.k = k, .v = k, .n = N, .stride = N};
    struct attend a = {.q = q, .out = out, .n_q = 1, .n_heads = 1, .n_kv_heads = 1, .head_dim = D,
                       .scale = 1, .pieces = &p, .n_pieces = 1};
    for (int at = 0; at < N; at += 13) {
        float was = k[at * D];
        k[at * D] = NAN;
        for (int i = 0; i < n_devices; i++) {
            devices[i]->ops->attend(devices[i], &a);
            assert_true(isnan(out[0]));
        }
        k[at * D] = was;
    }
    free(k);
}

// ---- Scan

static void check_scan(int n_q, int head_dim, const uint64_t *start, int64_t n_blocks, float scale)
{
    uint64_t n = start[n_blocks];
    float *q = random_floats((size_t)(n_q * head_dim)), *key_scale = random_floats((size_t)n);
    int8_t *keys = new((size_t)n * (size_t)head_dim, 1);
    for (uint64_t i = 0; i < n * (uint64_t)head_dim; i++)
        keys[i] = (int8_t)next_random();
    size_t all = (size_t)n_q * (size_t)n_blocks;
    float *out = new(2 * all, sizeof *out);
    struct scan s = {.q = q, .n_q = n_q, .head_dim = head_dim, .scale = scale, .keys = keys,
                     .key_scale = key_scale, .start = start, .n_blocks = n_blocks, .max = out,
                     .lse = out + all};
    struct verdict v = verdict_new("scan", 2 * all);
    for (int i = 0; i < n_devices; i++) {
        devices[i]->ops->scan(devices[i], &s);
        verdict_check(&v, i, out, 3e-6);
    }
    struct scan part = s; // either result alone
    part.max = NULL;
    devices[0]->ops->scan(devices[0], &part);
    part = s;
    part.lse = NULL;
    devices[n_devices - 1]->ops->scan(devices[n_devices - 1], &part);
    verdict_free(&v);
    free(out);
    free(keys);
    free(key_scale);
    free(q);
}

static void scan(void **state)
{
    (void)state;
    static const uint64_t odd[] = {0, 64, 64, 65, 100, 403, 1200, 1216};
    check_scan(3, 64, odd, 7, 0.01f);
    check_scan(1, 64, odd, 7, 1);
    check_scan(2, 21, odd, 7, 0.01f);
    check_scan(1, 128, odd, 1, 0.01f);
    check_scan(5, 16, odd, 2, 0.01f);
    check_scan(1, 16, odd, 0, 0.01f);
    uint64_t even[101];
    for (uint64_t i = 0; i < 101; i++)
        even[i] = i * 64;
    check_scan(2, 64, even, 100, 0.01f);
}

// ---- Devices

static void names(void **state)
{
    (void)state;
    struct err e;
    struct device *d;
    char note[200];
    assert_int_equal(device_open(&d, &(struct device_options){.threads = 1}, note, sizeof note, &e), 0);
    int auto_is_cpu = !strcmp(d->ops->name, "cpu"), fell_back = *note != 0;
    device_close(d);
    // A fallback says so where a GPU could be expected; a build without CUDA falls back from nothing.
    struct err why;
    int absent = device_open(&d, &(struct device_options){.name = "cuda"}, NULL, 0, &why);
    assert_int_equal(auto_is_cpu, absent != 0);
    assert_true(!fell_back || absent == ERR_DEVICE);
    if (!absent)
        device_close(d);
    assert_int_equal(device_open(&d, &(struct device_options){.name = "cpu"}, note, sizeof note, &e), 0);
    assert_string_equal(note, "");
    assert_non_null(strstr(d->label, device_cpu_isa(0)));
    device_close(d);
    device_close(NULL);
    static const char *const wrong[] = {"gpu", "", "cuda:", "cuda:x", "cuda:1x", "cuda:-1", "cpu:0"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(device_open(&d, &(struct device_options){.name = wrong[i]}, NULL, 0, &e), ERR_USAGE);
    assert_int_equal(device_open(&d, &(struct device_options){.name = "cuda:999"}, NULL, 0, &e),
                     absent == ERR_UNSUPPORTED ? ERR_UNSUPPORTED : ERR_DEVICE);
    assert_int_equal(device_open(&d, &(struct device_options){.name = "cpu", .isa = "mmx"}, NULL, 0, &e),
                     ERR_USAGE);
    assert_int_equal(device_open(&d, &(struct device_options){.name = "cpu", .threads = -1}, NULL, 0, &e),
                     ERR_USAGE);
}

static void unusable_matrices(void **state)
{
    (void)state;
    struct err e;
    struct mat unknown = {.type = 4, .rows = 1, .cols = 32}, ragged = {.type = QUANT_Q4_1, .rows = 1, .cols = 33};
    assert_int_equal(devices[0]->ops->mat_init(devices[0], &unknown, &e), ERR_UNSUPPORTED);
    assert_int_equal(devices[0]->ops->mat_init(devices[0], &ragged, &e), ERR_FORMAT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matmul),
        cmocka_unit_test(matmul_in_bytes),
        cmocka_unit_test(matmul_in_bfloat16),
        cmocka_unit_test(embed),
        cmocka_unit_test(rmsnorm),
        cmocka_unit_test(gate),
        cmocka_unit_test(cache),
        cmocka_unit_test(attend),
        cmocka_unit_test(art),
        cmocka_unit_test(art_by_hand),
        cmocka_unit_test(attend_in_bfloat16),
        cmocka_unit_test(attend_nan),
        cmocka_unit_test(scan),
        cmocka_unit_test(rows_alone),
        cmocka_unit_test(log_probs),
        cmocka_unit_test(names),
        cmocka_unit_test(unusable_matrices),
    };
    n_devices = n_exact = open_devices(exact, 1, NULL);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    for (int i = 0; i < n_devices; i++)
        device_close(devices[i]);
    return failed;
}
