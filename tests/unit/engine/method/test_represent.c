// What stands for a block, by hand: a block of eight tokens whose keys count up.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "engine/method/represent.h"
#include "tests/unit/engine_fixture.h"
#include "tests/unit/ok.h"

enum { LAYERS = 3, HEADS = 4, KV = 2, DIM = 16, N = 8 };

static float keys[KV * N * DIM];
static const float *k[LAYERS];
// Head 0 looks most at token 3, then 6, then 1, then 0; the others look at nothing but token 7.
static float mass[HEADS * N] = {1, 3, 0, 5, 0, 0, 4, 0};
static const float *masses[LAYERS];

static float key(int kv, float t, int i)
{
    return (float)(100 * kv + i) + (i % 2 ? -t : t); // odd elements count down
}

static int set_up(void **state)
{
    for (int h = 0; h < KV; h++)
        for (int t = 0; t < N; t++)
            for (int i = 0; i < DIM; i++)
                keys[(h * N + t) * DIM + i] = key(h, (float)t, i);
    for (int h = 1; h < HEADS; h++)
        mass[h * N + 7] = 1;
    for (int l = 0; l < LAYERS; l++) {
        k[l] = keys;
        masses[l] = mass;
    }
    return engine_set_up(state);
}

// The set of every head with TOKENS representatives, filled in.
static struct represent_set *represented(enum represent kind, int tokens)
{
    struct represent_set *r;
    const struct method parts = {.represent = kind, .kept = VOTERS_ALL, .representatives = tokens};
    OK(represent_new(&r, F.m, &parts, 16, 32, e));
    OK(represent_block(r, k, N, masses, N, NULL, 0, e));
    return r;
}

static void vector_is(const struct represent_set *r, uint32_t channel, uint32_t v, int kv, float t)
{
    for (int i = 0; i < DIM; i++)
        assert_float_equal(r->vectors[channel][v * DIM + (uint32_t)i], key(kv, t, i), 1e-4);
}

static void test_top(void **state)
{
    (void)state;
    static const struct {
        int tokens;
        float mean;
    } cases[] = {{1, 3}, {2, 4.5f}, {3, 10 / 3.f}, {0, 2.5f}, {4, 2.5f}, {8, 3.5f}, {32, 3.5f}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct represent_set *r = represented(REPRESENT_TOP, cases[i].tokens);
        assert_int_equal(r->n_channels, LAYERS * HEADS);
        for (uint32_t c = 0; c < r->n_channels; c += HEADS) {
            assert_int_equal(r->n_vectors[c], 1);
            vector_is(r, c, 0, 0, cases[i].mean);
            assert_int_equal(r->vector_token[c][0], 3);
        }
        if (cases[i].tokens == 1)
            vector_is(r, 2, 0, 1, 7); // head 2 is of kv head 1
        represent_free(r);
    }
}

static void test_fixed(void **state)
{
    (void)state;
    static const struct {
        int tokens;
        uint32_t n;
        uint8_t at[8];
    } cases[] = {
        {1, 1, {0}}, {3, 3, {0, 2, 5}}, {0, 4, {0, 2, 4, 6}}, {20, 8, {0, 1, 2, 3, 4, 5, 6, 7}}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct represent_set *r = represented(REPRESENT_FIXED, cases[i].tokens);
        assert_int_equal(r->n_channels, LAYERS * KV);
        assert_int_equal(r->n_vectors[1], cases[i].n);
        for (uint32_t v = 0; v < cases[i].n; v++) {
            assert_int_equal(r->vector_token[1][v], cases[i].at[v]);
            vector_is(r, 1, v, 1, cases[i].at[v]);
        }
        represent_free(r);
    }
}

static void test_pooled(void **state)
{
    (void)state;
    struct represent_set *r = represented(REPRESENT_MEAN, 0);
    vector_is(r, 0, 0, 0, 3.5f);
    represent_free(r);
    r = represented(REPRESENT_MAX, 0);
    for (int i = 0; i < DIM; i++)
        assert_float_equal(r->vectors[0][i], key(0, i % 2 ? 0 : 7, i), 1e-4);
    represent_free(r);
    r = represented(REPRESENT_QUEST, 0);
    assert_int_equal(r->n_vectors[0], 2);
    for (int i = 0; i < DIM; i++) {
        assert_float_equal(r->vectors[0][i], key(0, i % 2 ? 7 : 0, i), 1e-4);
        assert_float_equal(r->vectors[0][DIM + i], key(0, i % 2 ? 0 : 7, i), 1e-4);
    }
    represent_free(r);
}

// The number of tokens is the index's: it is recorded, it grows with no other, and it is for two of
// the ways alone.
static void test_recorded(void **state)
{
    (void)state;
    const char *in[] = {in_dir("b.txt")}, *out = in_dir("num.kvz");
    struct encode_options o = small(in, 1, out);
    struct encode_result r;
    struct err err = {0};
    o.represent = "dynamic";
    o.representatives = 2;
    encode_ok(o, NULL);
    struct kvz *x = open_ok(out);
    struct method parts;
    assert_non_null(strstr(kvz_meta(x)->params, "representatives=2\n"));
    OK(method_of_index(&parts, kvz_meta(x), F.m, e));
    assert_int_equal(parts.representatives, 2);
    assert_int_equal(parts.represent, REPRESENT_TOP);
    kvz_close(x);
    const char *more[] = {in_dir("more.txt"), in_dir("a.txt")};
    struct encode_options add = {
        .inputs = more, .n_inputs = 1, .out = out, .append = 1, .representatives = 4};
    assert_int_equal(encode_documents(F.m, &add, &r, &err), ERR_MISMATCH);
    assert_non_null(strstr(err.msg, "representatives=2"));
    add.representatives = 2;
    encode_ok(add, NULL);
    add.representatives = 0;
    add.inputs = more + 1;
    encode_ok(add, &r);
    assert_int_equal(r.added_documents, 1);
    o.represent = "max";
    assert_int_equal(encode_documents(F.m, &o, &r, &err), ERR_USAGE);
    assert_non_null(strstr(err.msg, "top and fixed"));
    struct kvz_meta meta = {.method = "infllm", .params = "representatives=33\n"};
    assert_int_equal(method_of_index(&parts, &meta, F.m, &err), ERR_FORMAT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_top),
        cmocka_unit_test(test_fixed),
        cmocka_unit_test(test_pooled),
        cmocka_unit_test(test_recorded),
    };
    return cmocka_run_group_tests(tests, set_up, engine_tear_down);
}
