// Indexes whose codec learns from a sample of the document: which blocks it stores, and from when
// on.
#include "tests/unit/cache/kvz_make.h"

// Adds a block of one token, whose keys and values are both X [HEADS * DIM] of each layer.
static void add_token(struct kvz_writer *w, float x[LAYERS][HEADS * DIM], uint32_t flags)
{
    const float *rows[LAYERS], *masses[LAYERS], mass = 1;
    for (uint32_t l = 0; l < LAYERS; l++) {
        rows[l] = x[l];
        masses[l] = &mass;
    }
    const uint32_t id = 1, none[CHANNELS] = {0};
    const float *vectors[CHANNELS] = {x[0], x[0]};
    const struct kvz_block_in in = {.n_tokens = 1,
                                    .flags = flags,
                                    .tokens = &id,
                                    .token_bytes = &id,
                                    .text = "a",
                                    .k = rows,
                                    .v = rows,
                                    .kv_stride = 1,
                                    .mass = masses,
                                    .vectors = vectors,
                                    .n_vectors = none};
    OK(kvz_add_block(w, &in, e));
}

// A block that is unlike all others by far is stored nevertheless.
static void another_codec_helps_out(void **state)
{
    (void)state;
    char path[128];
    struct kvz_writer *w;
    struct kvz *k;
    struct kvz_meta m = make_meta(4);
    float far[LAYERS][HEADS * DIM], x[HEADS * DIM], y[HEADS * DIM];
    for (uint32_t l = 0; l < LAYERS; l++)
        for (uint32_t i = 0; i < HEADS * DIM; i++)
            far[l][i] = l == 1 ? 1e9f * make_noise(i) : make_noise(i);
    OK(kvz_create(&w, make_path(path, "far.kvz"), &m, make_channels, e));
    OK(kvz_begin_document(w, "a", "text", e));
    OK(make_sample(w, e));
    add_token(w, far, 0);
    OK(kvz_end_document(w, 1, 0, e));
    OK(kvz_finish(w, NULL, e));
    kvz_writer_close(w);
    assert_int_equal(kvz_verify(path, NULL, NULL, NULL), 0);
    OK(kvz_open(&k, path, e));
    for (uint32_t l = 0; l < LAYERS; l++) {
        OK(kvz_read_kv(k, 0, l, x, y, 1, e));
        for (uint32_t i = 0; i < HEADS * DIM; i++)
            assert_true(fabsf(y[i] - far[l][i]) < (l == 1 ? 2e7f : 0.5f));
        float again[HEADS * DIM];
        kvz_rest(k);
        OK(kvz_read_kv(k, 0, l, x, again, 1, e));
        assert_memory_equal(again, y, sizeof y);
    }
    // Read while a thread makes what that takes, and closed without waiting for it.
    float first[HEADS * DIM], same[HEADS * DIM];
    OK(kvz_read_kv(k, 0, 0, x, first, 1, e));
    kvz_close(k);
    for (int waits = 0; waits < 2; waits++) {
        OK(kvz_open_beside(&k, path, e));
        if (waits)
            OK(kvz_opened(k, e));
        OK(kvz_read_kv(k, 0, 0, x, same, 1, e));
        assert_memory_equal(same, first, sizeof same);
        kvz_close(k);
    }
    OK(kvz_open_beside(&k, path, e));
    kvz_close(k);
}

// Sinks behind the first 64 tokens are stored like all other blocks, but in layers with a head that
// has nothing else.
static void the_first_sinks_are_exact(void **state)
{
    (void)state;
    for (int is_near = 0; is_near < 2; is_near++) {
        const uint8_t near[LAYERS][HEADS] = {[1] = {(uint8_t)is_near}};
        char path[128];
        struct kvz_writer *w;
        struct kvz *k;
        struct kvz_meta m = make_meta(4);
        float x[LAYERS][HEADS * DIM], got[4][HEADS * DIM], v[HEADS * DIM];
        m.sinks = 96;
        m.block = 32;
        m.recipe.k_bits = m.recipe.v_bits = 150;
        for (uint32_t i = 0; i < LAYERS * HEADS * DIM; i++)
            x[i / (HEADS * DIM)][i % (HEADS * DIM)] = make_noise(i);
        OK(kvz_create(&w, make_path(path, is_near ? "near.kvz" : "sinks.kvz"), &m, make_channels,
                      e));
        OK(kvz_begin_document(w, "a", "text", e));
        OK(make_sample_for(w, &(struct kvz_fit){.near = near[0]}, e));
        for (int b = 0; b < 4; b++)
            add_token(w, x, b < 3 ? KVZ_SINK : 0);
        OK(kvz_end_document(w, 4, 0, e));
        OK(kvz_finish(w, NULL, e));
        kvz_writer_close(w);
        OK(kvz_open(&k, path, e));
        for (uint32_t l = 0; l < LAYERS; l++) {
            float exact = 0, coded = 0;
            for (uint64_t b = 0; b < 4; b++)
                OK(kvz_read_kv(k, b, l, got[b], v, 1, e));
            assert_memory_equal(got[1], got[0], sizeof *got);
            assert_memory_equal(got[2], got[l == 1 && is_near ? 0 : 3], sizeof *got);
            for (uint32_t i = 0; i < HEADS * DIM; i++) {
                exact = fmaxf(exact, fabsf(got[0][i] - x[l][i]));
                coded = fmaxf(coded, fabsf(got[3][i] - x[l][i]));
            }
            assert_true(exact < 0.02f && coded > 0.1f);
        }
        kvz_close(k);
    }
}

static void blocks_wait_for_the_sample(void **state)
{
    (void)state;
    char path[128];
    struct kvz_writer *w;
    struct kvz_meta m = make_meta(3);
    const float *none = NULL;
    OK(kvz_create(&w, make_path(path, "wait.kvz"), &m, make_channels, e));
    OK(kvz_begin_document(w, "a", "text", e));
    assert_true(kvz_wants_sample(w));
    REFUSED(ERR_USAGE, "no sample",
            kvz_add_block(w, &(struct kvz_block_in){.n_tokens = 1, .kv_stride = 1}, e));
    REFUSED(ERR_USAGE, "not wanted", kvz_sample(w, &none, &none, 0, 0, 0, NULL, e));
    OK(kvz_end_document(w, 0, 0, e));
    REFUSED(ERR_USAGE, "no sample", kvz_finish(w, NULL, e));
    OK(make_sample(w, e));
    assert_false(kvz_wants_sample(w));
    kvz_writer_close(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(another_codec_helps_out),
        cmocka_unit_test(the_first_sinks_are_exact),
        cmocka_unit_test(blocks_wait_for_the_sample),
    };
    return cmocka_run_group_tests(tests, own_dir_make_quick, own_dir_remove);
}
