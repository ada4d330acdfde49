// Attention, whole and ended early, on every instruction set of this machine: see cpu_devices.h.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/kernels/cpu_devices.h"
#include "tests/unit/kernels/kernel_cases.h"

static double attend_tolerance = 4e-6;

static float *random_rope(int n, int rope_dim)
{
    float *rope = new ((size_t)(n * rope_dim), sizeof *rope);
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
        *p = (struct attend_piece){.n = ps->n,
                                   .stride = ps->n + ps->extra,
                                   .causal = ps->causal,
                                   .max_distance = ps->max_distance,
                                   .gap = ps->gap,
                                   .q_rope_step = ps->q_rope == 2};
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
    float *out = new (n_out + n_self + n_mass, sizeof *out);
    struct attend a = {.q = q,
                       .out = out,
                       .n_q = s->n_q,
                       .n_heads = s->n_heads,
                       .n_kv_heads = s->n_kv_heads,
                       .head_dim = s->head_dim,
                       .rope_dim = s->rope_dim,
                       .rope_style = s->style,
                       .scale = s->scale,
                       .softcap = s->softcap,
                       .pieces = pieces,
                       .n_pieces = n_pieces,
                       .self_block = sb,
                       .self_mass = sb ? out + n_out : NULL};
    float *mass = out + n_out + n_self;
    for (int i = 0; i < n_pieces; i++)
        if (s->pieces[i].mass) {
            pieces[i].mass = mass;
            mass += heads * (size_t)pieces[i].stride;
        }
    struct verdict v = verdict_new(s->what, n_out + n_self + n_mass);
    float *before = new (v.n, sizeof *before);
    struct kept_room kept[4] = {{{0}, 0}};
    struct verdict of_kept = verdict_new(s->what, v.n);
    for (int i = 0; i < 3 * n_devices; i++) { // without room for kept rows, with it, and again
        for (size_t k = 0; k < v.n; k++)
            out[k] = k < n_out ? 77 : 0.25f; // out is overwritten, the masses are added to
        for (int j = 0; j < n_pieces; j++) {
            if (i % 3 < 2)
                kept_forget(&kept[j], s->n_kv_heads, pieces[j].stride, s->head_dim);
            pieces[j].kept = i % 3 ? kept[j].rows : (struct kept_rows){0};
        }
        devices[i / 3]->ops->attend(devices[i / 3], &a);
        if (i % 3 < 2)
            verdict_check(i % 3 ? &of_kept : &v, i / 3, out, attend_tolerance);
        if (i % 3 == 2 && memcmp(before, out, v.n * sizeof *out))
            fail_msg("%s: %s: bits depend on when rows were kept", devices[i / 3]->label, s->what);
        memcpy(before, out, v.n * sizeof *out);
    }
    for (int j = 0; j < n_pieces; j++)
        kept_free(&kept[j]);
    free(before);
    verdict_free(&of_kept);
    verdict_free(&v);
    free(out);
    free(q);
    while (n_owned)
        free(owned[--n_owned]);
}

// Numbers that 8 bits and a scale hold as they are: attention is the same whether they are kept.
static void check_kept(struct device *d, int *keeps)
{
    enum { HEADS = 6, KV = 2, D = 80, N = 300, Q = 3 };
    float *x[2], *q = random_floats(Q * HEADS * D), *out[2];
    for (int i = 0; i < 2; i++) {
        x[i] = new (KV * N * D, sizeof(float));
        out[i] = new (Q * HEADS * D, sizeof(float));
        for (size_t k = 0; k < KV * N * D; k++) // of each KEPT_BLOCK of a row the first is largest
            x[i][k] = (float)(k % D % KEPT_BLOCK ? (int)(next_random() % 255) - 127 : 127) / 64;
    }
    struct kept_room kept = {{0}, 0};
    kept_forget(&kept, KV, N, D);
    for (int i = 0; i < 2; i++) {
        const struct attend_piece p = {.k = x[0],
                                       .v = x[1],
                                       .n = N,
                                       .stride = N,
                                       .causal = 1,
                                       .kept = i ? kept.rows : (struct kept_rows){0}};
        const struct attend a = {.q = q,
                                 .out = out[i],
                                 .n_q = Q,
                                 .n_heads = HEADS,
                                 .n_kv_heads = KV,
                                 .head_dim = D,
                                 .scale = 0.03f,
                                 .pieces = &p,
                                 .n_pieces = 1};
        d->ops->attend(d, &a);
    }
    compare(d, "kept rows that are exact", out[0], out[1], Q * HEADS * D, 4e-6);
    *keeps |= kept.n == N;
    for (int i = 0; i < 2; i++) {
        free(x[i]);
        free(out[i]);
    }
    kept_free(&kept);
    free(q);
}

static void test_kept(void **state)
{
    (void)state;
    int keep = 0;
    for (int i = 0; i < n_devices; i++)
        check_kept(devices[i], &keep);
    assert_false(keep); // exact ones
    cpu_devices_round(NULL);
    for (int i = 1; i < n_devices; i++) {
        keep = 0;
        check_kept(devices[i], &keep);
        assert_true(keep);
    }
    cpu_devices_exact();
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

// Sinks, blocks that ART may leave, and a local part; X: queries, keys and values of the three,
// rotations.
static void art_attend(struct device *d, const struct art_shape *s, float *const *x,
                       const struct art *how, float *out)
{
    struct attend_piece pieces[] = {
        {.k = x[1], .v = x[2], .n = ART_SINKS, .stride = ART_SINKS, .q_rope = x[7]},
        {.k = x[3], .v = x[4], .n = ART_KEYS, .stride = ART_KEYS + 3, .q_rope = x[7], .art = 1},
        {.k = x[5],
         .v = x[6],
         .n = ART_LOCAL,
         .stride = ART_LOCAL,
         .causal = 1,
         .k_rope = x[8],
         .q_rope = x[8] + (ART_LOCAL - 1) * s->rope_dim,
         .q_rope_step = 1},
    };
    struct attend a = {.q = x[0],
                       .out = out,
                       .n_q = 1,
                       .n_heads = s->n_heads,
                       .n_kv_heads = s->n_kv_heads,
                       .head_dim = s->head_dim,
                       .rope_dim = s->rope_dim,
                       .rope_style = ROPE_NEOX,
                       .scale = 0.125f,
                       .pieces = pieces,
                       .n_pieces = 3,
                       .art = how};
    struct err e;
    for (int i = 0; i < s->n_heads * s->head_dim; i++)
        out[i] = 77;
    d->ops->attend(d, &a);
    assert_int_equal(d->ops->sync(d, &e), 0);
}

// Every device reads as many blocks as the judge, and makes the same of them. Returns how many; of
// all that there are the output is that of an attention without ART, WHOLE.
static uint64_t art_read(const struct art_shape *s, float *const *x, struct art how,
                         const float *whole)
{
    size_t n = (size_t)(s->n_heads * s->head_dim);
    float *out = new (n, sizeof *out);
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
                  random_floats(kv * ART_SINKS),
                  random_floats(kv * ART_SINKS),
                  random_floats(kv * (ART_KEYS + 3)),
                  random_floats(kv * (ART_KEYS + 3)),
                  random_floats(kv * ART_LOCAL),
                  random_floats(kv * ART_LOCAL),
                  random_rope(1, s->rope_dim),
                  random_rope(ART_LOCAL, s->rope_dim)};
    float *whole = new (n, sizeof *whole);
    uint64_t there = (uint64_t)(s->n_heads * ART_BLOCKS);
    for (size_t i = 0; i < kv * (ART_KEYS + 3); i++)
        x[4][i] += 1; // the mean of such values settles
    art_attend(devices[0], s, x, NULL, whole);
    // Nothing changes by less than nothing; everything by less than ten times: as many blocks as
    // patience asks for.
    assert_int_equal(art_read(s, x, (struct art){0, 1, 1, ART_BLOCK, NULL}, whole), there);
    assert_int_equal(art_read(s, x, (struct art){10, 10, 2, ART_BLOCK, NULL}, whole),
                     2 * s->n_heads);
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

// By hand: one head of two dimensions, keys 0, so that every value weighs the same. A sink (0, 8),
// then blocks of one value: (0, 4), (0, 6), (0, 6), (0, 60). The output is (0, 8), (0, 6), (0, 6),
// (0, 6), (0, 16.8): it changes by a quarter, by nothing, by nothing. The last is read only by who
// waits for a third block that changes nothing.
static void art_by_hand(void **state)
{
    (void)state;
    float q[2] = {1, 1}, zero[8] = {0}, sink[2] = {0, 8}, v[] = {0, 4, 0, 6, 0, 6, 0, 60}, out[2];
    struct attend_piece pieces[] = {{.k = zero, .v = v, .n = 4, .stride = 4, .art = 1},
                                    {.k = zero, .v = sink, .n = 1, .stride = 1}};
    for (int i = 0; i < n_devices; i++)
        for (int patience = 1; patience <= 3; patience++) {
            uint64_t read[2] = {0};
            struct art how = {
                .scale = 0.2f, .direction = 0.1f, .patience = patience, .block = 1, .read = read};
            struct attend a = {.q = q,
                               .out = out,
                               .n_q = 1,
                               .n_heads = 1,
                               .n_kv_heads = 1,
                               .head_dim = 2,
                               .rope_dim = 2,
                               .scale = 1,
                               .pieces = pieces,
                               .n_pieces = 2,
                               .art = &how};
            struct err e;
            devices[i]->ops->attend(devices[i], &a);
            assert_int_equal(devices[i]->ops->sync(devices[i], &e), 0);
            assert_int_equal(read[0], patience + 1);
            assert_int_equal(read[1], 4);
            float want = patience == 3 ? 16.8f : 6;
            assert_true(fabsf(out[0]) < 1e-6f && fabsf(out[1] - want) < 1e-4f);
        }
}

// clang-format off
static const struct {
    struct attend_shape shape;
    double tolerance;
} rounded_shapes[] = {
    {{"flat", 70, 9, 3, 64, 64, ROPE_NORM, 0.01f, 0, 16,
      {{40, 5, 1, 1, 0, 0, 1, 0}, {130, 0, 1, 2, 1, 0, 1, 0}}}, 2e-3},
    {{"flat neox", 50, 4, 2, 80, 80, ROPE_NEOX, 0.01f, 0, 0,
      {{33, 0, 1, 2, 0, 0, 0, 0}, {0, 9, 1, 1, 0, 0, 1, 0}, {50, 3, 1, 2, 1, 0, 0, 0}}}, 2e-3},
    {{"flat odd", 23, 5, 5, 21, 14, ROPE_NEOX, 0.01f, 0, 4, {{29, 1, 1, 2, 1, 0, 1, 0}}}, 3e-3},
    {{"flat, many heads", 7, 40, 2, 112, 112, ROPE_NORM, 0.01f, 0, 7,
      {{19, 0, 1, 2, 1, 0, 1, 0}}}, 3e-3},
    {{"flat, max distance", 60, 4, 2, 64, 64, ROPE_NORM, 0.01f, 0, 20,
      {{90, 2, 1, 2, 1, 17, 1, 0}, {7, 0, 1, 1, 0, 0, 1, 0}}}, 3e-3},
    {{"flat, max distance, far", 40, 4, 2, 64, 64, ROPE_NORM, 0.01f, 0, 20,
      {{90, 2, 1, 2, 0, 75, 1, 60}, {33, 0, 1, 1, 0, 20, 1, 7}, {47, 0, 1, 2, 1, 30, 1, 0}}}, 3e-3},
    {{"flat, sees nothing", 19, 3, 3, 32, 32, ROPE_NORM, 0.01f, 0, 3,
      {{4, 1, 1, 2, 1, 0, 1, 0}}}, 3e-3},
    {{"flat, no pieces", 24, 3, 3, 32, 32, ROPE_NORM, 0.2f, 0, 2, {{0}}}, 0},
    {{"flat, long", 33, 2, 1, 128, 128, ROPE_NORM, 0.002f, 0, 0,
      {{9000, 0, 1, 2, 1, 0, 1, 0}}}, 5e-4},
    {{"softcap", 19, 4, 2, 64, 64, ROPE_NEOX, 4, 20, 0,
      {{30, 0, 1, 2, 0, 0, 1, 0}, {19, 0, 1, 2, 1, 0, 1, 0}}}, 0.1},
    {{"steep", 30, 2, 1, 64, 64, ROPE_NORM, 2, 0, 8, {{50, 0, 1, 2, 1, 0, 1, 0}}}, 0.1},
    {{"kept", 1, 9, 3, 64, 64, ROPE_NEOX, 0.125f, 0, 0, {{700, 3, 1, 2, 1, 0, 1, 0}}}, 0.01},
    {{"kept, some, odd width", 5, 4, 2, 72, 40, ROPE_NORM, 0.12f, 0, 0,
      {{9, 0, 0, 1, 0, 0, 1, 0}, {300, 1, 1, 2, 1, 90, 1, 0}}}, 0.01},
    {{"usual", 130, 9, 3, 64, 64, ROPE_NORM, 0.125f, 0, 64, {{300, 0, 1, 2, 1, 0, 1, 0}}}, 0.01},
};
// clang-format on

// What multiplies in bfloat16, or in whole numbers of 16 bits, differs from the exact judge by that
// much: 2^-9 of each score, weight and value.
static void attend_rounded(void **state)
{
    (void)state;
    static const char *const rounding[] = {"amx", "avx512vnni", "avxvnni", "avx512", "avx2"};
    for (size_t r = 0; r < sizeof rounding / sizeof *rounding; r++) {
        cpu_devices_round(rounding[r]);
        for (size_t i = 0; i < sizeof rounded_shapes / sizeof *rounded_shapes; i++) {
            attend_tolerance = rounded_shapes[i].tolerance;
            check_attend(&rounded_shapes[i].shape);
        }
        attend_tolerance = 4e-6;
        cpu_devices_exact();
    }
}

// Groups of different lengths behind shared keys, one of which counts masses in one of the two
// runs: all of them at once give the bits that each gives alone.
static void check_all_at_once(struct device *d)
{
    enum { N = 37, SHARED = 25, MOST = 60, HEADS = 9, KV = 3, D = 64, WIDE = HEADS * D };
    float *q = random_floats((size_t)N * MOST * WIDE),
          *kv = random_floats(4 * KV * (size_t)(N * MOST) * D);
    size_t n_out = (size_t)N * MOST * WIDE, part = KV * (size_t)(N * MOST) * D;
    float *rope = random_rope(SHARED + MOST, D),
          *out[2] = {new (n_out, sizeof(float)), new (n_out, sizeof(float))};
    float mass[HEADS * SHARED] = {0};
    for (int run = 0; run < 4; run++) {
        struct attend a[N];
        struct attend_piece pieces[N][2];
        int together = run % 2;
        for (int i = 0; i < N; i++) {
            int n = 1 + i * 23 % MOST;
            size_t at = (size_t)i * MOST;
            pieces[i][0] = (struct attend_piece){.k = kv,
                                                 .v = kv + part,
                                                 .n = SHARED,
                                                 .stride = SHARED,
                                                 .k_rope = rope,
                                                 .q_rope = rope + SHARED * D,
                                                 .q_rope_step = 1};
            pieces[i][1] = (struct attend_piece){.k = kv + 2 * part + at * D,
                                                 .v = kv + 3 * part + at * D,
                                                 .n = n,
                                                 .stride = N * MOST,
                                                 .causal = 1,
                                                 .k_rope = rope + SHARED * D,
                                                 .q_rope = rope + SHARED * D,
                                                 .q_rope_step = 1};
            pieces[i][0].mass = run / 2 && i == 3 ? mass : NULL;
            a[i] = (struct attend){.q = q + at * WIDE,
                                   .out = out[together] + at * WIDE,
                                   .n_q = n,
                                   .n_heads = HEADS,
                                   .n_kv_heads = KV,
                                   .head_dim = D,
                                   .rope_dim = D,
                                   .rope_style = ROPE_NEOX,
                                   .scale = 0.125f,
                                   .pieces = pieces[i],
                                   .n_pieces = 2};
        }
        for (int i = 0; i < N && !together; i++)
            d->ops->attend(d, &a[i]);
        if (together)
            device_attend_all(d, a, N);
        struct err e;
        assert_int_equal(d->ops->sync(d, &e), 0);
        if (together && memcmp(out[0], out[1], n_out * sizeof(float)))
            fail_msg("%s: %d attentions at once are not those of each alone", d->label, N);
        memset(out[1], 0, n_out * sizeof(float));
    }
    free(out[0]);
    free(out[1]);
    free(rope);
    free(kv);
    free(q);
}

static void attend_all(void **state)
{
    (void)state;
    for (int i = 0; i < n_devices; i++)
        check_all_at_once(devices[i]);
    cpu_devices_round(NULL);
    for (int i = 0; i < n_devices; i++)
        check_all_at_once(devices[i]);
    cpu_devices_exact();
}

enum { FAR_KEYS = 70, FAR_D = 16, FAR_QUERIES = 24 };

// By hand: all queries are (1, 0, ...), key j is (SCORE[j], 0, ...), its value (j, 0, ...); query i
// sees the keys up to FAR_KEYS - FAR_QUERIES + i. OUT [FAR_QUERIES] and MASS [FAR_KEYS] are what
// each query and each key has of it.
static void far_attend(struct device *d, const float *score, float *out, float *mass)
{
    float q[FAR_QUERIES][FAR_D] = {{0}}, k[FAR_KEYS][FAR_D] = {{0}}, v[FAR_KEYS][FAR_D] = {{0}};
    float all[FAR_QUERIES][FAR_D];
    struct err e;
    for (int i = 0; i < FAR_QUERIES; i++)
        q[i][0] = 1;
    for (int j = 0; j < FAR_KEYS; j++) {
        k[j][0] = score[j];
        v[j][0] = (float)j;
        mass[j] = 0;
    }
    struct attend_piece p = {
        .k = k[0], .v = v[0], .n = FAR_KEYS, .stride = FAR_KEYS, .causal = 1, .mass = mass};
    struct attend a = {.q = q[0],
                       .out = all[0],
                       .n_q = FAR_QUERIES,
                       .n_heads = 1,
                       .n_kv_heads = 1,
                       .head_dim = FAR_D,
                       .scale = 1,
                       .pieces = &p,
                       .n_pieces = 1};
    d->ops->attend(d, &a);
    assert_int_equal(d->ops->sync(d, &e), 0);
    for (int i = 0; i < FAR_QUERIES; i++)
        out[i] = all[i][0];
}

// The largest scores are further from the first ones than exponentials reach, above and below, and
// for the last query alone, too; some are infinite. What is put out may be OFF by so much.
static void check_far(struct device *d, float off)
{
    float score[FAR_KEYS] = {0}, out[FAR_QUERIES], mass[FAR_KEYS];
    score[36] = score[44] = 256; // both are seen by all
    far_attend(d, score, out, mass);
    for (int i = 0; i < FAR_QUERIES; i++)
        assert_true(fabsf(out[i] - 40) <= off);
    assert_true(mass[36] == FAR_QUERIES / 2 && mass[44] == mass[36] && mass[0] < 1e-30f);
    score[3] = 1024;
    score[5] = -INFINITY;
    score[FAR_KEYS - 1] = 2048;
    far_attend(d, score, out, mass);
    for (int i = 0; i < FAR_QUERIES; i++)
        assert_true(fabsf(out[i] - (i == FAR_QUERIES - 1 ? FAR_KEYS - 1 : 3)) <= off);
    assert_true(mass[3] == FAR_QUERIES - 1 && mass[FAR_KEYS - 1] == 1 && mass[5] < 1e-30f);
}

static void attend_far(void **state)
{
    (void)state;
    for (int i = 0; i < n_devices; i++)
        check_far(devices[i], 0);
    cpu_devices_round(NULL);
    for (int i = 0; i < n_devices; i++) { // values to 11 bits
        int whole = strstr(devices[i]->label, "avx") != NULL;
        check_far(devices[i], whole ? FAR_KEYS / 2046.0f : 0);
    }
    cpu_devices_exact();
}

// Keys whose scores fall by a quarter each get what exponentials say, all the way down: OFF of it
// and of 2^-6 may be missing.
static void check_steps(struct device *d, double off)
{
    enum { STEPS = FAR_KEYS - FAR_QUERIES }; // the keys that all queries see
    float score[FAR_KEYS], out[FAR_QUERIES], mass[FAR_KEYS];
    double sum = 0;
    for (int j = 0; j < FAR_KEYS; j++) {
        score[j] = j < STEPS ? -0.25f * (float)j : -256;
        sum += exp((double)score[j]);
    }
    far_attend(d, score, out, mass);
    for (int j = 0; j < FAR_KEYS; j++) {
        double want = exp((double)score[j]) / sum, got = (double)mass[j] / FAR_QUERIES;
        if (!(fabs(got - want) <= off * (want + 0x1p-6)))
            fail_msg("%s: key %d has %g, not %g", d->label, j, got, want);
    }
}

static void attend_steps(void **state)
{
    (void)state;
    for (int i = 0; i < n_devices; i++)
        check_steps(devices[i], 1e-6);
    cpu_devices_round(NULL);
    for (int i = 0; i < n_devices; i++)
        check_steps(devices[i], strstr(devices[i]->label, "amx") ? 0x1p-7 : 0x1p-9);
    cpu_devices_exact();
}

// A NaN must be seen, not lost in a maximum.
static void check_nan(struct device *d, int n_q)
{
    enum { N = 40, D = 16, MOST = 20 };
    float *k = random_floats(N * D), q[MOST][D] = {{0}}, out[MOST][D];
    struct attend_piece p = {.k = k, .v = k, .n = N, .stride = N};
    struct attend a = {.q = q[0],
                       .out = out[0],
                       .n_q = n_q,
                       .n_heads = 1,
                       .n_kv_heads = 1,
                       .head_dim = D,
                       .scale = 1,
                       .pieces = &p,
                       .n_pieces = 1};
    struct err e;
    for (int at = 0; at < N; at += 13) {
        float was = k[at * D];
        k[at * D] = NAN;
        d->ops->attend(d, &a);
        assert_int_equal(d->ops->sync(d, &e), 0);
        for (int i = 0; i < n_q; i++)
            assert_true(isnan(out[i][0]));
        k[at * D] = was;
    }
    q[n_q - 1][D - 1] = NAN;
    d->ops->attend(d, &a);
    assert_int_equal(d->ops->sync(d, &e), 0);
    for (int i = 0; i < n_q; i++)
        assert_int_equal(isnan(out[i][0]) != 0, i == n_q - 1);
    free(k);
}

static void attend_nan(void **state)
{
    (void)state;
    for (int i = 0; i < n_devices; i++)
        check_nan(devices[i], 1);
    cpu_devices_round(NULL);
    for (int i = 0; i < n_devices; i++)
        check_nan(devices[i], 20);
    cpu_devices_exact();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kept),
        cmocka_unit_test(attend),
        cmocka_unit_test(art),
        cmocka_unit_test(art_by_hand),
        cmocka_unit_test(attend_rounded),
        cmocka_unit_test(attend_all),
        cmocka_unit_test(attend_far),
        cmocka_unit_test(attend_steps),
        cmocka_unit_test(attend_nan),
    };
    cpu_devices_open();
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    cpu_devices_close();
    return failed;
}
