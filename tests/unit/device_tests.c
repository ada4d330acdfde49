#include "tests/unit/device_tests.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cache/codec.h"
#include "tests/unit/kernel_cases.h"

struct device *tested;
double product_tolerance = 1e-6;

// ---- The same array on the judge, where it is plain memory, and on the device

struct twin {
    size_t n;
    float *host, *there;
};

static struct device *judge;
static struct twin twins[64];
static int n_twins;

static void begin(void)
{
    struct err e;
    assert_int_equal(device_open(&judge, &(struct device_options){.name = "cpu", .isa = "ref", .threads = 1, .exact = 1},
                                 NULL, 0, &e), 0);
}

static void end(void)
{
    while (n_twins) {
        struct twin *t = &twins[--n_twins];
        tested->ops->free(tested, t->there);
        free(t->host);
    }
    device_close(judge);
}

static void send(const struct twin *t)
{
    struct err e;
    if (tested->ops->upload(tested, t->there, t->host, t->n * sizeof *t->host, &e))
        fail_msg("%s", e.msg);
}

static struct twin *twin_new(size_t n)
{
    struct err e;
    struct twin *t = &twins[n_twins++];
    assert_true((size_t)n_twins <= sizeof twins / sizeof *twins);
    t->n = n;
    t->host = new(n, sizeof *t->host);
    if (!(t->there = tested->ops->alloc(tested, n * sizeof *t->host, &e)))
        fail_msg("%s", e.msg);
    assert_true((uintptr_t)t->there % 64 == 0);
    return t;
}

static struct twin *random_twin(size_t n)
{
    struct twin *t = twin_new(n);
    for (size_t i = 0; i < n; i++)
        t->host[i] = uniform();
    send(t);
    return t;
}

static void same(const char *what, const struct twin *t, double tolerance)
{
    struct err e;
    float *got = new(t->n, sizeof *got);
    if (tested->ops->download(tested, got, t->there, t->n * sizeof *got, &e) ||
        tested->ops->sync(tested, &e))
        fail_msg("%s: %s", what, e.msg);
    compare(tested, what, t->host, got, t->n, tolerance);
    free(got);
}

// ---- Matrices

struct product_shape {
    int n, rows, cols; // cols in blocks of the type
    int bias, add;     // add: 2 in place
    float size;        // of one row of x and of what is added there; 0: like the others
};

static void check_product(const struct quant *q, struct product_shape s)
{
    size_t cols = (size_t)(s.cols * q->block), rows = (size_t)s.rows, n = (size_t)s.n;
    uint8_t *data = new(rows * (size_t)quant_bytes(q->type, cols), 1);
    random_weights(q, data, rows * cols / (size_t)q->block);
    struct mat w = {.data = data, .type = q->type, .rows = s.rows, .cols = (int)cols}, there = w;
    begin();
    struct twin *x = random_twin(n * cols), *bias = random_twin(rows), *add = random_twin(n * rows);
    struct twin *out = twin_new(n * rows);
    if (s.size != 0) {
        for (size_t k = 0; k < cols; k++)
            x->host[(n - 1) * cols + k] *= s.size;
        send(x);
    }
    memcpy(out->host, add->host, out->n * sizeof *out->host);
    send(out);
    float *row = new(cols, sizeof *row);
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
                           s.add == 2 ? out->host : s.add ? add->host : NULL, s.n);
        tested->ops->matmul(tested, out->there, &there, x->there, s.bias ? bias->there : NULL,
                            s.add == 2 ? out->there : s.add ? add->there : NULL, s.n);
    }
    char what[96];
    snprintf(what, sizeof what, "%s %zu x %zu, n %zu, size %g", q->name, rows, cols, n, (double)s.size);
    double tolerance = 2 * product_tolerance * scale * fmax(1, fmin((double)s.size, 1e30));
    same(what, out, tolerance);
    judge->ops->mat_done(judge, &w);
    tested->ops->mat_done(tested, &there);
    end();
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
    check_product(q, (struct product_shape){33, 68, 5, 1, 1, 0}); // of the shape that cuBLAS is given
    check_product(q, (struct product_shape){12, 20, 4, 1, 2, 1e6f});
    check_product(quant_find(QUANT_F16), (struct product_shape){1, 3, 2049, 0, 0, 0});
    check_product(q, (struct product_shape){1, 301, 5, 1, 2, 0});
    check_product(quant_find(QUANT_F32), (struct product_shape){1, 5, 25000, 0, 1, 0}); // more than shared memory
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
        uint8_t *data = new(ROWS * (size_t)quant_bytes(q->type, (uint64_t)cols), 1);
        random_weights(q, data, (size_t)(ROWS * cols / q->block));
        struct mat w = {.data = data, .type = q->type, .rows = ROWS, .cols = cols}, there = w;
        const uint32_t ids[IDS] = {4, 0, 2, 2};
        struct err e;
        begin();
        struct twin *out = twin_new((size_t)(IDS * cols));
        assert_int_equal(tested->ops->mat_init(tested, &there, &e), 0);
        judge->ops->embed(judge, out->host, &w, ids, IDS, i % 2 ? 1 : 4.9f);
        tested->ops->embed(tested, out->there, &there, ids, IDS, i % 2 ? 1 : 4.9f);
        same(q->name, out, 0);
        tested->ops->mat_done(tested, &there);
        end();
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
        begin();
        struct twin *x = random_twin((size_t)(n * dim)), *w = random_twin((size_t)dim);
        memset(x->host, 0, (size_t)dim * sizeof *x->host);
        send(x);
        struct twin *base = random_twin((size_t)(n * dim));
        judge->ops->rmsnorm(judge, base->host, x->host, w->host, base->host, n, dim, 1e-5f);
        tested->ops->rmsnorm(tested, base->there, x->there, w->there, base->there, n, dim, 1e-5f);
        same("rmsnorm, added", base, 1e-6);
        judge->ops->rmsnorm(judge, x->host, x->host, w->host, NULL, n, dim, 1e-5f); // in place
        tested->ops->rmsnorm(tested, x->there, x->there, w->there, NULL, n, dim, 1e-5f);
        same("rmsnorm", x, 1e-6);
        end();
    }
}

void device_gate(void **state)
{
    (void)state;
    enum { N = 40001 };
    for (int act = ACT_SILU; act <= ACT_GELU_TANH; act++) {
        begin();
        struct twin *x = random_twin(N), *up = random_twin(N);
        hard_to_gate(x->host, up->host, N);
        send(x);
        send(up);
        judge->ops->gate(judge, x->host, up->host, N, (enum act)act);
        tested->ops->gate(tested, x->there, up->there, N, (enum act)act);
        same(act == ACT_SILU ? "silu" : "gelu", x, 2e-6);
        end();
    }
}

void device_cache(void **state)
{
    (void)state;
    enum { N = 3, HEADS = 2, DIM = 5, STRIDE = 7, AT = 3, ALL = HEADS * STRIDE * DIM };
    begin();
    struct twin *rows = random_twin(N * HEADS * DIM), *cache = twin_new(ALL);
    same("new memory", cache, 0);
    judge->ops->cache_put(judge, cache->host, rows->host, N, HEADS, DIM, STRIDE, AT);
    tested->ops->cache_put(tested, cache->there, rows->there, N, HEADS, DIM, STRIDE, AT);
    same("cache_put", cache, 0);
    const int shifts[][2] = {{0, DIM}, {2, 0}, {0, 0}}; // to, from: overlapping
    for (size_t i = 0; i < sizeof shifts / sizeof *shifts; i++) {
        size_t bytes = (ALL - DIM - 2) * sizeof(float);
        judge->ops->copy(judge, cache->host + shifts[i][0], cache->host + shifts[i][1], bytes);
        tested->ops->copy(tested, cache->there + shifts[i][0], cache->there + shifts[i][1], bytes);
        same("copy", cache, 0);
    }
    tested->ops->copy(tested, cache->there, rows->there, 0);
    same("copy of nothing", cache, 0);
    tested->ops->free(tested, NULL);
    end();
}

void device_transfers(void **state)
{
    (void)state;
    enum { HEADS = 3, WIDTH = 5, STRIDE = 7, AT = 2, ALL = HEADS * STRIDE * WIDTH, HOST = HEADS * 4 * WIDTH };
    static const struct rows cases[] = {
        {HEADS, 4, WIDTH, STRIDE, 4}, {HEADS, 1, WIDTH, STRIDE, 4}, {1, 4, WIDTH, STRIDE, 4},
        {HEADS, 0, WIDTH, STRIDE, 4}, {0, 4, WIDTH, STRIDE, 4},
        {1, 4, WIDTH, 1 << 29, 4}, // too far apart for a copy in two dimensions
    };
    struct err e;
    float host[HOST], back[2 * HOST], want[2 * HOST];
    begin();
    struct twin *slab = random_twin(ALL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (int k = 0; k < 2 * HOST; k++)
            back[k] = want[k] = host[k % HOST] = uniform();
        assert_int_equal(judge->ops->put_rows(judge, slab->host + AT * WIDTH, host, &cases[i], &e), 0);
        assert_int_equal(tested->ops->put_rows(tested, slab->there + AT * WIDTH, host, &cases[i], &e), 0);
        same("rows put", slab, 0);
        judge->ops->clear_rows(judge, slab->host + 3 * WIDTH, &cases[i]);
        tested->ops->clear_rows(tested, slab->there + 3 * WIDTH, &cases[i]);
        same("rows cleared", slab, 0);
        struct row_copy here[] = {{want, slab->host + WIDTH, cases[i]}, {want + HOST, slab->host, cases[0]}};
        struct row_copy there[] = {{back, slab->there + WIDTH, cases[i]}, {back + HOST, slab->there, cases[0]}};
        for (int n = 0; n <= 2; n++) {
            assert_int_equal(judge->ops->get_rows(judge, here, n, &e), 0);
            assert_int_equal(tested->ops->get_rows(tested, there, n, &e), 0);
            compare(tested, "rows got", want, back, 2 * HOST, 0);
        }
    }
    end();
}

// What is kept is there again, whatever became of where it lay, and nothing else is.
void device_keep(void **state)
{
    (void)state;
    enum { HEADS = 2, WIDTH = 12, STRIDE = 9, ALL = HEADS * STRIDE * WIDTH };
    static const struct rows sizes[] = {{HEADS, 4, WIDTH, STRIDE, 0}, {HEADS, 1, WIDTH, STRIDE, 0}, {HEADS, 7, WIDTH, STRIDE, 0}};
    struct err e;
    begin();
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        const struct rows *r = &sizes[k];
        struct twin *from = random_twin(ALL), *to = random_twin(ALL);
        uint64_t name = 1000003 * (k + 1);
        assert_int_equal(tested->ops->recall(tested, name, to->there, r), 0);
        tested->ops->keep(tested, name, from->there + WIDTH, r);
        struct rows packed = *r;
        packed.host_stride = STRIDE;
        judge->ops->put_rows(judge, to->host + 2 * WIDTH, from->host + WIDTH, &packed, &e);
        memset(from->host, 0, ALL * sizeof(float));
        send(from);
        assert_int_equal(tested->ops->recall(tested, name, to->there + 2 * WIDTH, r), 1);
        same("what was kept", to, 0);
        assert_int_equal(tested->ops->recall(tested, name + 1, to->there, r), 0);
        tested->ops->worth(tested, &name, &(float){1}, 1);
        same("what was not kept", to, 0);
    }
    end();
}

// ---- Blocks as they are stored

// A block of codec ID, made floats by the codec and by the device: the same bits.
static void check_stored(uint32_t id, uint32_t bits, uint32_t n, uint32_t heads, uint32_t dim, float size)
{
    const struct codec *c = codec_find(id);
    struct codec_shape shape = {.n_tokens = n, .n_kv_heads = heads, .head_dim = dim, .k_bits = bits, .v_bits = bits};
    const size_t each = (size_t)heads * n * dim, stride = n + 3, all = heads * stride * dim;
    struct packer *p;
    struct err e;
    uint64_t bytes;
    float *kv = new(2 * each, sizeof *kv);
    uint8_t *data = new(c->bound(&shape), 1);
    for (size_t i = 0; i < 2 * each; i++)
        kv[i] = size * uniform();
    begin();
    struct twin *k = random_twin(all), *v = random_twin(all); // with room behind each head
    struct kvz_stored x = {.room = NULL};
    if (packer_new(&p, 1, &e) || c->encode(&shape, p, kv, kv + each, n, data, &bytes, &e) ||
        c->decode(&shape, data, bytes, k->host, v->host, (uint32_t)stride, &e) ||
        c->stored(&shape, data, bytes, &x, &e))
        fail_msg("%s: %s", c->name, e.msg);
    tested->ops->put_stored(tested, k->there, (int)stride, &x.k);
    tested->ops->put_stored(tested, v->there, (int)stride, &x.v);
    free(x.room); // it may go away behind the call
    memset(data, 0, bytes);
    same(c->name, k, 0);
    same(c->name, v, 0);
    packer_free(p);
    end();
    free(data);
    free(kv);
}

void device_stored(void **state)
{
    (void)state;
    static const uint32_t shapes[][3] = {{64, 3, 64}, {1, 1, 1}, {7, 2, 128}, {33, 3, 80}, {64, 1, 2}, {5, 2, 256}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        const uint32_t n = shapes[i][0], heads = shapes[i][1], dim = shapes[i][2];
        check_stored(CODEC_FLOAT16, 16, n, heads, dim, 1);
        check_stored(CODEC_FLOAT16, 16, n, heads, dim, 1e-6f);
        check_stored(CODEC_INT8, 8, n, heads, dim, 3);
        check_stored(CODEC_INT8, 8, n, heads, dim, 1e-30f); // tables of 32 bits
        for (uint32_t bits = 2; bits <= 8; bits += bits == 4 ? 4 : 1)
            check_stored(CODEC_ROTATED, bits, n, heads, dim, 40);
    }
}

// ---- Attention

static struct twin *random_rope(int n, int rope_dim)
{
    struct twin *rope = twin_new((size_t)(n * rope_dim));
    random_turns(rope->host, n, rope_dim);
    send(rope);
    return rope;
}

static void check_attend(const struct attend_shape *s)
{
    struct attend_piece host[4] = {{0}}, there[4];
    size_t heads = (size_t)s->n_heads, n_q = (size_t)s->n_q, d = (size_t)s->head_dim;
    struct twin *masses[5], *t;
    int n_masses = 0, n = 0;
    begin();
    struct twin *q = random_twin(n_q * heads * d), *out = random_twin(n_q * heads * d);
    for (; n < 4 && (s->pieces[n].n || s->pieces[n].extra); n++) {
        const struct piece_shape *ps = &s->pieces[n];
        struct attend_piece *h = &host[n], *p = &there[n];
        *h = *p = (struct attend_piece){.n = ps->n, .stride = ps->n + ps->extra, .causal = ps->causal,
                                        .max_distance = ps->max_distance, .gap = ps->gap,
                                        .q_rope_step = ps->q_rope == 2};
        size_t all = (size_t)s->n_kv_heads * (size_t)h->stride * d;
        t = random_twin(all), h->k = t->host, p->k = t->there;
        t = random_twin(all), h->v = t->host, p->v = t->there;
        if (ps->k_rope)
            t = random_rope(ps->n, s->rope_dim), h->k_rope = t->host, p->k_rope = t->there;
        if (ps->q_rope)
            t = random_rope(ps->q_rope == 2 ? s->n_q : 1, s->rope_dim), h->q_rope = t->host,
            p->q_rope = t->there;
        if (ps->mass)
            masses[n_masses++] = t = random_twin(heads * (size_t)h->stride), h->mass = t->host,
            p->mass = t->there;
    }
    struct attend a = {.q = q->host, .out = out->host, .n_q = s->n_q, .n_heads = s->n_heads,
                       .n_kv_heads = s->n_kv_heads, .head_dim = s->head_dim, .rope_dim = s->rope_dim,
                       .rope_style = s->style, .scale = s->scale, .softcap = s->softcap,
                       .pieces = host, .n_pieces = n, .self_block = s->self_block};
    struct attend b = a;
    b.q = q->there, b.out = out->there, b.pieces = there;
    if (s->self_block) {
        size_t block = (size_t)s->self_block;
        masses[n_masses++] = t = random_twin(n_q / block * block * block);
        a.self_mass = t->host, b.self_mass = t->there;
    }
    judge->ops->attend(judge, &a);
    tested->ops->attend(tested, &b);
    int is_exact = product_tolerance < 1e-5; // else factors may have 11 bits
    same(s->what, out, is_exact ? 6e-6 : 1e-2);
    while (n_masses)
        same(s->what, masses[--n_masses], is_exact ? 2e-5 : 1e-2);
    end();
}

// Beside those of kernel_cases.h.
static const struct attend_shape own_shapes[] = {
    {"long", 6, 2, 1, 64, 64, ROPE_NORM, 0.125f, 0, 0, {{5000, 0, 1, 2, 1, 0, 1, 0}}},
    {"large groups", 140, 2, 1, 32, 32, ROPE_NORM, 0.2f, 0, 70, {{200, 7, 1, 2, 1, 0, 1, 0}}},
    {"two causal pieces", 40, 2, 1, 32, 32, ROPE_NORM, 0.2f, 0, 20,
     {{60, 0, 1, 2, 1, 33, 1, 0}, {40, 0, 1, 2, 1, 0, 1, 0}}},
    {"tiny heads", 40, 4, 4, 2, 2, ROPE_NEOX, 0.7f, 0, 40, {{70, 0, 1, 2, 1, 0, 1, 0}}},
    {"large heads", 20, 2, 2, 256, 256, ROPE_NEOX, 0.06f, 0, 10, {{90, 0, 1, 2, 1, 0, 1, 0}}},
    {"heads of ten tiles", 70, 4, 2, 80, 80, ROPE_NEOX, 0.11f, 0, 35,
     {{20, 5, 0, 1, 0, 0, 1, 0}, {200, 3, 1, 2, 1, 0, 1, 0}}},
    {"heads of two parts", 90, 4, 2, 256, 128, ROPE_NORM, 0.06f, 30, 45,
     {{33, 0, 0, 1, 0, 0, 1, 0}, {230, 2, 1, 2, 1, 70, 1, 0}}},
    {"heads of a part and a bit", 40, 2, 1, 136, 136, ROPE_NEOX, 0.08f, 0, 0, {{90, 0, 1, 2, 1, 0, 1, 0}}},
    {"heads of a tile", 33, 2, 2, 8, 8, ROPE_NORM, 0.3f, 0, 0, {{70, 0, 1, 2, 1, 0, 1, 0}}},
    {"many tiles", 150, 6, 2, 64, 64, ROPE_NEOX, 0.125f, 0, 50,
     {{70, 3, 0, 1, 0, 0, 1, 0}, {130, 1, 0, 1, 0, 0, 1, 0}, {300, 20, 1, 2, 1, 0, 1, 0}}},
    {"small heads", 64, 2, 1, 32, 20, ROPE_NORM, 0.2f, 0, 0, {{64, 0, 1, 2, 1, 0, 1, 0}, {64, 64, 1, 2, 0, 100, 1, 40}}},
    {"sees the last tile alone", 33, 2, 2, 128, 128, ROPE_NORM, 0.09f, 0, 0, {{400, 0, 1, 2, 1, 5, 1, 0}}},
    {"queries as they are", 20, 3, 1, 96, 96, ROPE_NORM, 0.1f, 0, 0, {{65, 0, 0, 0, 0, 0, 1, 0}, {20, 1, 0, 0, 1, 0, 1, 0}}},
    {"largest heads", 11, 1, 1, 512, 512, ROPE_NORM, 0.04f, 0, 0, {{70, 0, 1, 2, 1, 0, 1, 0}}},
};

void device_attend(void **state)
{
    (void)state;
    for (size_t i = 0; i < n_attend_shapes; i++)
        check_attend(&attend_shapes[i]);
    for (size_t i = 0; i < sizeof own_shapes / sizeof *own_shapes; i++)
        check_attend(&own_shapes[i]);
}

// A NaN must be seen, not lost in a maximum.
void device_attend_nan(void **state)
{
    (void)state;
    enum { N = 140, D = 16 };
    begin();
    struct twin *k = random_twin(N * D), *q = random_twin(D), *out = twin_new(D);
    struct attend_piece p = {.k = k->there, .v = k->there, .n = N, .stride = N};
    struct attend a = {.q = q->there, .out = out->there, .n_q = 1, .n_heads = 1, .n_kv_heads = 1,
                       .head_dim = D, .scale = 1, .pieces = &p, .n_pieces = 1};
    for (int at = 0; at < N; at += 13) {
        float was = k->host[at * D], got[D];
        struct err e;
        k->host[at * D] = NAN;
        send(k);
        tested->ops->attend(tested, &a);
        assert_int_equal(tested->ops->download(tested, got, out->there, sizeof got, &e), 0);
        assert_true(isnan(got[0]));
        k->host[at * D] = was;
    }
    end();
}

// ---- Scan

static void check_scan(int n_q, int head_dim, const uint64_t *start, int64_t n_blocks, float scale)
{
    uint64_t n = start[n_blocks];
    float *q = new((size_t)(n_q * head_dim), sizeof *q), *key_scale = new((size_t)n, sizeof *q);
    int8_t *keys = new((size_t)n * (size_t)head_dim, 1);
    for (int i = 0; i < n_q * head_dim; i++)
        q[i] = uniform();
    for (uint64_t i = 0; i < n; i++)
        key_scale[i] = uniform();
    for (uint64_t i = 0; i < n * (uint64_t)head_dim; i++)
        keys[i] = (int8_t)next_random();
    size_t all = (size_t)n_q * (size_t)n_blocks;
    float *want = new(2 * all, sizeof *want), *got = new(2 * all, sizeof *got);
    struct scan s = {.q = q, .n_q = n_q, .head_dim = head_dim, .scale = scale, .keys = keys,
                     .key_scale = key_scale, .start = start, .n_blocks = n_blocks, .max = want,
                     .lse = want + all};
    struct err e;
    begin();
    judge->ops->scan(judge, &s);
    for (int part = 0; part < 3; part++) { // both results, then each alone
        s.max = part != 1 ? got : NULL;
        s.lse = part != 2 ? got + all : NULL;
        memset(got, 0, 2 * all * sizeof *got);
        tested->ops->scan(tested, &s);
        assert_int_equal(tested->ops->sync(tested, &e), 0);
        if (s.max)
            compare(tested, "maxima", want, got, all, 3e-6);
        if (s.lse)
            compare(tested, "log sums", want + all, got + all, all, 3e-6);
    }
    end();
    free(got);
    free(want);
    free(keys);
    free(key_scale);
    free(q);
}

void device_scan(void **state)
{
    (void)state;
    static const uint64_t odd[] = {0, 64, 64, 65, 100, 403, 1200, 1216}, late[] = {70, 134, 140, 204};
    check_scan(3, 64, odd, 7, 0.01f);
    check_scan(1, 64, odd, 7, 1);
    check_scan(2, 21, odd, 7, 0.01f);
    check_scan(1, 128, odd, 1, 0.01f);
    check_scan(5, 16, odd, 2, 0.01f);
    check_scan(1, 16, odd, 0, 0.01f);
    check_scan(2, 16, late, 3, 0.01f); // whose first keys belong to no block
    uint64_t even[101];
    for (uint64_t i = 0; i < 101; i++)
        even[i] = i * 64;
    check_scan(2, 64, even, 100, 0.01f);
    check_scan(19, 64, even, 100, 0.01f);
    check_scan(8, 21, odd, 7, 0.01f);
    check_scan(9, 256, odd, 7, 0.01f);
    check_scan(33, 80, odd, 5, 0.01f);
    for (uint64_t i = 0; i < 101; i++)
        even[i] = i; // every vector a block of its own
    check_scan(4, 128, even, 100, 0.01f);
    enum { MANY = 66000 };
    uint64_t *many = new(MANY + 1, sizeof *many); // more blocks than 16 bits count, every third empty
    for (uint64_t i = 0; i < MANY; i++)
        many[i + 1] = many[i] + (i % 3 > 0);
    check_scan(1, 4, many, MANY, 0.01f);
    free(many);
}

// The softmax of each query over all keys, by block: from the judge's log sums, in double precision.
static void check_scan_mass(int n_q, int dim, const uint64_t *start, int n_blocks, float scale, uint64_t name)
{
    uint64_t n = start[n_blocks];
    float *q = new((size_t)(n_q * dim), sizeof *q), *key_scale = new((size_t)n, sizeof *q);
    float *lse = new((size_t)(n_q * n_blocks), sizeof *lse), *got = new((size_t)n_blocks, sizeof *got);
    float *want = new((size_t)n_blocks, sizeof *want);
    int8_t *keys = new((size_t)n * (size_t)dim, 1);
    struct err e;
    for (int i = 0; i < n_q * dim; i++)
        q[i] = uniform();
    for (uint64_t i = 0; i < n; i++)
        key_scale[i] = uniform();
    for (uint64_t i = 0; i < n * (uint64_t)dim; i++)
        keys[i] = (int8_t)next_random();
    begin();
    struct scan s = {.q = q, .n_q = n_q, .head_dim = dim, .scale = scale, .keys = keys, .key_scale = key_scale,
                     .start = start, .n_blocks = n_blocks, .name = name, .lse = lse};
    judge->ops->scan(judge, &s);
    for (int b = 0; b < n_blocks; b++) {
        double sum = 0;
        for (int i = 0; i < n_q; i++) {
            double norm = 0;
            for (int k = 0; k < n_blocks; k++)
                norm += exp((double)lse[i * n_blocks + k]);
            sum += norm > 0 ? exp((double)lse[i * n_blocks + b]) / norm : 0;
        }
        want[b] = (float)log(sum);
    }
    s.lse = NULL;
    s.mass = got;
    tested->ops->scan(tested, &s);
    assert_int_equal(tested->ops->sync(tested, &e), 0);
    compare(tested, "masses of blocks", want, got, (size_t)n_blocks, 1e-4); // scores reach 200
    end();
    free(q);
    free(key_scale);
    free(lse);
    free(got);
    free(want);
    free(keys);
}

void device_scan_mass(void **state)
{
    (void)state;
    static const uint64_t odd[] = {5, 64, 64, 65, 100, 403, 1200, 1216}, none[] = {3, 3, 3};
    uint64_t even[301];
    for (uint64_t i = 0; i < 301; i++)
        even[i] = i * 3;
    check_scan_mass(1, 64, odd, 7, 0.01f, 0);
    check_scan_mass(3, 64, odd, 7, 0.1f, 0);
    check_scan_mass(19, 21, odd, 7, 0.01f, 11);
    check_scan_mass(9, 16, even, 300, 0.05f, 12);
    check_scan_mass(1, 16, odd, 1, 0.05f, 0);
    check_scan_mass(2, 16, none, 2, 0.05f, 0);
}

// Keys with a name may be kept: other bytes have another name.
void device_scan_names(void **state)
{
    (void)state;
    enum { N = 90, DIM = 32, BLOCKS = 3, Q = 2 };
    const uint64_t start[BLOCKS + 1] = {0, 20, 20, N};
    float q[Q * DIM], scale[N], want[Q * BLOCKS], got[Q * BLOCKS];
    int8_t keys[N * DIM];
    struct err e;
    begin();
    for (uint64_t name = 1; name <= 4; name++) {
        for (int i = 0; i < N; i++)
            scale[i] = uniform();
        for (int i = 0; i < N * DIM; i++)
            keys[i] = (int8_t)next_random();
        for (int again = 0; again < 3; again++) {
            for (int i = 0; i < Q * DIM; i++)
                q[i] = uniform();
            struct scan s = {.q = q, .n_q = Q, .head_dim = DIM, .scale = 0.01f, .keys = keys,
                             .key_scale = scale, .start = start, .n_blocks = BLOCKS, .name = name, .lse = want};
            judge->ops->scan(judge, &s);
            s.lse = got;
            tested->ops->scan(tested, &s);
            assert_int_equal(tested->ops->sync(tested, &e), 0);
            compare(tested, "log sums of keys with a name", want, got, Q * BLOCKS, 3e-6);
        }
    }
    end();
}

void device_unusable(void **state)
{
    (void)state;
    struct err e;
    struct mat unknown = {.type = 4, .rows = 1, .cols = 32}, ragged = {.type = QUANT_Q4_1, .rows = 1, .cols = 33};
    assert_int_equal(tested->ops->mat_init(tested, &unknown, &e), ERR_UNSUPPORTED);
    assert_int_equal(tested->ops->mat_init(tested, &ragged, &e), ERR_FORMAT);
}
