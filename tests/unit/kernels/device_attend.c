// Attention and scores of index keys on a device: see device_tests.h.
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

// ---- Attention

static struct twin *random_rope(int n, int rope_dim)
{
    struct twin *rope = twin_new((size_t)(n * rope_dim));
    random_turns(rope->host, n, rope_dim);
    twin_send(rope);
    return rope;
}

static void check_attend(const struct attend_shape *s)
{
    struct attend_piece host[4] = {{0}}, there[4];
    size_t heads = (size_t)s->n_heads, n_q = (size_t)s->n_q, d = (size_t)s->head_dim;
    struct twin *masses[5], *t;
    int n_masses = 0, n = 0;
    twins_begin();
    struct twin *q = twin_random(n_q * heads * d), *out = twin_random(n_q * heads * d);
    for (; n < 4 && (s->pieces[n].n || s->pieces[n].extra); n++) {
        const struct piece_shape *ps = &s->pieces[n];
        struct attend_piece *h = &host[n], *p = &there[n];
        *h = *p = (struct attend_piece){.n = ps->n,
                                        .stride = ps->n + ps->extra,
                                        .causal = ps->causal,
                                        .max_distance = ps->max_distance,
                                        .gap = ps->gap,
                                        .q_rope_step = ps->q_rope == 2};
        size_t all = (size_t)s->n_kv_heads * (size_t)h->stride * d;
        t = twin_random(all), h->k = t->host, p->k = t->there;
        t = twin_random(all), h->v = t->host, p->v = t->there;
        if (ps->k_rope)
            t = random_rope(ps->n, s->rope_dim), h->k_rope = t->host, p->k_rope = t->there;
        if (ps->q_rope)
            t = random_rope(ps->q_rope == 2 ? s->n_q : 1, s->rope_dim), h->q_rope = t->host,
            p->q_rope = t->there;
        if (ps->mass)
            masses[n_masses++] = t = twin_random(heads * (size_t)h->stride), h->mass = t->host,
            p->mass = t->there;
    }
    struct attend a = {.q = q->host,
                       .out = out->host,
                       .n_q = s->n_q,
                       .n_heads = s->n_heads,
                       .n_kv_heads = s->n_kv_heads,
                       .head_dim = s->head_dim,
                       .rope_dim = s->rope_dim,
                       .rope_style = s->style,
                       .scale = s->scale,
                       .softcap = s->softcap,
                       .pieces = host,
                       .n_pieces = n,
                       .self_block = s->self_block};
    struct attend b = a;
    b.q = q->there, b.out = out->there, b.pieces = there;
    if (s->self_block) {
        size_t block = (size_t)s->self_block;
        masses[n_masses++] = t = twin_random(n_q / block * block * block);
        a.self_mass = t->host, b.self_mass = t->there;
    }
    judge->ops->attend(judge, &a);
    tested->ops->attend(tested, &b);
    int is_exact = product_tolerance < 1e-5; // else factors may have 11 bits
    twin_same(s->what, out, is_exact ? 6e-6 : 1e-2);
    while (n_masses)
        twin_same(s->what, masses[--n_masses], is_exact ? 2e-5 : 1e-2);
    twins_end();
}

// Beside those of kernel_cases.h.
// clang-format off
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
    {"heads of a part and a bit", 40, 2, 1, 136, 136, ROPE_NEOX, 0.08f, 0, 0,
     {{90, 0, 1, 2, 1, 0, 1, 0}}},
    {"heads of a tile", 33, 2, 2, 8, 8, ROPE_NORM, 0.3f, 0, 0, {{70, 0, 1, 2, 1, 0, 1, 0}}},
    {"many tiles", 150, 6, 2, 64, 64, ROPE_NEOX, 0.125f, 0, 50,
     {{70, 3, 0, 1, 0, 0, 1, 0}, {130, 1, 0, 1, 0, 0, 1, 0}, {300, 20, 1, 2, 1, 0, 1, 0}}},
    {"small heads", 64, 2, 1, 32, 20, ROPE_NORM, 0.2f, 0, 0,
     {{64, 0, 1, 2, 1, 0, 1, 0}, {64, 64, 1, 2, 0, 100, 1, 40}}},
    {"sees the last tile alone", 33, 2, 2, 128, 128, ROPE_NORM, 0.09f, 0, 0,
     {{400, 0, 1, 2, 1, 5, 1, 0}}},
    {"queries as they are", 20, 3, 1, 96, 96, ROPE_NORM, 0.1f, 0, 0,
     {{65, 0, 0, 0, 0, 0, 1, 0}, {20, 1, 0, 0, 1, 0, 1, 0}}},
    {"largest heads", 11, 1, 1, 512, 512, ROPE_NORM, 0.04f, 0, 0, {{70, 0, 1, 2, 1, 0, 1, 0}}},
};
// clang-format on

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
    twins_begin();
    struct twin *k = twin_random(N * D), *q = twin_random(D), *out = twin_new(D);
    struct attend_piece p = {.k = k->there, .v = k->there, .n = N, .stride = N};
    struct attend a = {.q = q->there,
                       .out = out->there,
                       .n_q = 1,
                       .n_heads = 1,
                       .n_kv_heads = 1,
                       .head_dim = D,
                       .scale = 1,
                       .pieces = &p,
                       .n_pieces = 1};
    for (int at = 0; at < N; at += 13) {
        float was = k->host[at * D], got[D];
        struct err e;
        k->host[at * D] = NAN;
        twin_send(k);
        tested->ops->attend(tested, &a);
        assert_int_equal(tested->ops->download(tested, got, out->there, sizeof got, &e), 0);
        assert_true(isnan(got[0]));
        k->host[at * D] = was;
    }
    twins_end();
}

// ---- Scan

// Both results; and with ALONE each of them alone.
static void check_scan_parts(int n_q, int head_dim, const uint64_t *start, int64_t n_blocks,
                             float scale, int alone)
{
    uint64_t n = start[n_blocks];
    float *q = new ((size_t)(n_q * head_dim), sizeof *q), *key_scale = new ((size_t)n, sizeof *q);
    int8_t *keys = new ((size_t)n * (size_t)head_dim, 1);
    for (int i = 0; i < n_q * head_dim; i++)
        q[i] = uniform();
    for (uint64_t i = 0; i < n; i++)
        key_scale[i] = uniform();
    for (uint64_t i = 0; i < n * (uint64_t)head_dim; i++)
        keys[i] = (int8_t)next_random();
    size_t all = (size_t)n_q * (size_t)n_blocks;
    float *want = new (2 * all, sizeof *want), *got = new (2 * all, sizeof *got);
    struct scan s = {.q = q,
                     .n_q = n_q,
                     .head_dim = head_dim,
                     .scale = scale,
                     .keys = keys,
                     .key_scale = key_scale,
                     .start = start,
                     .n_blocks = n_blocks,
                     .max = want,
                     .lse = want + all};
    struct err e;
    twins_begin();
    judge->ops->scan(judge, &s);
    for (int part = 0; part < (alone ? 3 : 1); part++) {
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
    twins_end();
    free(got);
    free(want);
    free(keys);
    free(key_scale);
    free(q);
}

static void check_scan(int n_q, int head_dim, const uint64_t *start, int64_t n_blocks, float scale)
{
    check_scan_parts(n_q, head_dim, start, n_blocks, scale, 1);
}

void device_scan(void **state)
{
    (void)state;
    static const uint64_t odd[] = {0, 64, 64, 65, 100, 403, 1200, 1216},
                          late[] = {70, 134, 140, 204};
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
    uint64_t *many =
        new (MANY + 1, sizeof *many); // more blocks than 16 bits count, every third empty
    for (uint64_t i = 0; i < MANY; i++)
        many[i + 1] = many[i] + (i % 3 > 0);
    check_scan_parts(1, 4, many, MANY, 0.01f, 0);
    free(many);
}

// The softmax of each query over all keys, by block: from the judge's log sums, in double
// precision.
static void check_scan_mass(int n_q, int dim, const uint64_t *start, int n_blocks, float scale,
                            uint64_t name)
{
    uint64_t n = start[n_blocks];
    float *q = new ((size_t)(n_q * dim), sizeof *q), *key_scale = new ((size_t)n, sizeof *q);
    float *lse = new ((size_t)(n_q * n_blocks), sizeof *lse),
          *got = new ((size_t)n_blocks, sizeof *got);
    float *want = new ((size_t)n_blocks, sizeof *want);
    int8_t *keys = new ((size_t)n * (size_t)dim, 1);
    struct err e;
    for (int i = 0; i < n_q * dim; i++)
        q[i] = uniform();
    for (uint64_t i = 0; i < n; i++)
        key_scale[i] = uniform();
    for (uint64_t i = 0; i < n * (uint64_t)dim; i++)
        keys[i] = (int8_t)next_random();
    twins_begin();
    struct scan s = {.q = q,
                     .n_q = n_q,
                     .head_dim = dim,
                     .scale = scale,
                     .keys = keys,
                     .key_scale = key_scale,
                     .start = start,
                     .n_blocks = n_blocks,
                     .name = name,
                     .lse = lse};
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
    twins_end();
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
    twins_begin();
    for (uint64_t name = 1; name <= 4; name++) {
        for (int i = 0; i < N; i++)
            scale[i] = uniform();
        for (int i = 0; i < N * DIM; i++)
            keys[i] = (int8_t)next_random();
        for (int again = 0; again < 3; again++) {
            for (int i = 0; i < Q * DIM; i++)
                q[i] = uniform();
            struct scan s = {.q = q,
                             .n_q = Q,
                             .head_dim = DIM,
                             .scale = 0.01f,
                             .keys = keys,
                             .key_scale = scale,
                             .start = start,
                             .n_blocks = BLOCKS,
                             .name = name,
                             .lse = want};
            judge->ops->scan(judge, &s);
            s.lse = got;
            tested->ops->scan(tested, &s);
            assert_int_equal(tested->ops->sync(tested, &e), 0);
            compare(tested, "log sums of keys with a name", want, got, Q * BLOCKS, 3e-6);
        }
    }
    twins_end();
}

void device_unusable(void **state)
{
    (void)state;
    struct err e;
    struct mat unknown = {.type = 4, .rows = 1, .cols = 32},
               ragged = {.type = QUANT_Q4_1, .rows = 1, .cols = 33};
    assert_int_equal(tested->ops->mat_init(tested, &unknown, &e), ERR_UNSUPPORTED);
    assert_int_equal(tested->ops->mat_init(tested, &ragged, &e), ERR_FORMAT);
}
