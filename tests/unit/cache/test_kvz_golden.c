// Indexes of every recipe that ever was: they stay readable for ever, to the last bit.
#include "tests/unit/cache/kvz_make.h"

#include <inttypes.h>

#include "io/hash.h"

enum { MOST = 1 << 16 };

static const struct golden {
    const char *name;
    // Of ids, text, keys, and values as floats, and of the summary state; of index vectors.
    uint64_t digest, vectors;
} goldens[] = {
    {"float16", 0x89d089b4f461eb2f, 0x5befad18c50b5a1a},
    {"int8", 0xdf635cb7490b8509, 0x5befad18c50b5a1a},
    {"rotated-8-4", 0x227c9420dec3194b, 0x5befad18c50b5a1a},
    {"rotated-4-2", 0x481155abc3a3f407, 0x5befad18c50b5a1a},
    {"rotated-3-2", 0xbd36e8b685fe37dd, 0x5befad18c50b5a1a},
    {"rotated-2-3", 0xbc44d54ba9191f10, 0x5befad18c50b5a1a},
    {"coded-rows", 0x67d56e3b5d6218f3, 0x5e741c28b2fbaef3},
    {"coded-plain", 0x931a82d5e127d1bb, 0xc407bf1aeeff1c13},
    {"wide-rows", 0xf4b2a63640ab2db3, 0x5e741c28b2fbaef3},
    {"wide-plain", 0x931a82d5e127d1bb, 0xc407bf1aeeff1c13},
    {"wide-near", 0xb1273755f28b4989, 0x8bc861fe5356de0f},
    {"rotated-6-5", 0x7b5611e2c77ab264, 0x8bc861fe5356de0f},
    {"rotated-7-7", 0xa3af4ae6a1ffd500, 0x8bc861fe5356de0f},
    {"summary-long", 0x7f3d624511373910, 0x8bc861fe5356de0f},
    {"summary-short", 0x91778b77c3f8a7bf, 0x8bc861fe5356de0f},
    {"wide-few", 0x8d092ebf981131e0, 0x83b52dd1320644d7},
    {"narrow", 0x8d092ebf981131e0, 0xd741a633fa5243ef},
    {"paired", 0x9ae0f722985a8214, 0xd741a633fa5243ef},
};

// Tokens, scores, keys and values of the summary state, where the file has one.
static void summary(const struct kvz *k, struct hash *h)
{
    const struct kvz_meta *m = kvz_meta(k);
    static uint32_t token[MOST];
    static float score[MOST], kk[MOST], vv[MOST];
    struct kvz_summary s;
    OK(kvz_summary(k, &s, e));
    const size_t all = (size_t)m->n_layers * m->n_kv_heads * s.n,
                 each = (size_t)m->n_kv_heads * s.n * m->head_dim;
    if (!s.n)
        return;
    assert_true(all <= MOST && each <= MOST);
    OK(kvz_read_summary(k, token, score, e));
    hash_update(h, token, all * sizeof *token);
    hash_update(h, score, all * sizeof *score);
    for (uint32_t l = 0; l < m->n_layers; l++) {
        OK(kvz_read_summary_kv(k, l, kk, vv, e));
        hash_update(h, kk, each * sizeof *kk);
        hash_update(h, vv, each * sizeof *vv);
    }
}

static uint64_t digest(const struct kvz *k)
{
    const struct kvz_meta *m = kvz_meta(k);
    size_t row = (size_t)m->n_kv_heads * m->block * m->head_dim;
    static float kk[MOST], vv[MOST];
    static uint32_t ids[MOST], bytes[MOST];
    static char text[MOST];
    struct hash *h;
    OK(hash_new(&h, e));
    assert_true(row <= MOST && m->block <= MOST);
    for (uint64_t b = 0; b < kvz_n_blocks(k); b++) {
        struct kvz_block info;
        OK(kvz_block(k, b, &info, e));
        assert_true(info.end - info.start <= MOST);
        OK(kvz_read_tokens(k, b, ids, bytes, e));
        OK(kvz_read_text(k, b, text, e));
        hash_update(h, ids, info.n_tokens * sizeof *ids);
        hash_update(h, text, info.end - info.start);
        for (uint32_t l = 0; l < m->n_layers; l++) {
            size_t n = (size_t)m->n_kv_heads * info.n_tokens * m->head_dim;
            OK(kvz_read_kv(k, b, l, kk, vv, info.n_tokens, e));
            hash_update(h, kk, n * sizeof *kk);
            hash_update(h, vv, n * sizeof *vv);
        }
    }
    summary(k, h);
    uint64_t value = hash_value(h);
    hash_free(h);
    return value;
}

// Blocks read together are what they are alone, those of other lengths and codecs among them.
static void blocks_are_the_same_side_by_side(void **state)
{
    (void)state;
    enum { BLOCKS = 64 };
    for (size_t i = 0; i < sizeof goldens / sizeof *goldens; i++) {
        char path[128];
        struct kvz *k;
        struct kvz_kv to[BLOCKS];
        snprintf(path, sizeof path, "tests/golden/kvz/%s.kvz", goldens[i].name);
        OK(kvz_open(&k, path, e));
        const struct kvz_meta *m = kvz_meta(k);
        const size_t n = kvz_n_blocks(k), each = (size_t)m->n_kv_heads * m->block * m->head_dim;
        float *all = calloc(2 * n + 2, each * sizeof *all), *one = all + 2 * n * each;
        assert_true(all && n > 2 && n <= BLOCKS);
        for (uint32_t l = 0; l < m->n_layers; l++) {
            for (size_t b = 0; b < n; b++)
                to[b] = (struct kvz_kv){b, all + 2 * b * each, all + (2 * b + 1) * each, m->block};
            OK(kvz_read_kvs(k, l, to, n, e));
            for (size_t b = 0; b < n; b++) {
                memset(one, 0, 2 * each * sizeof *one);
                OK(kvz_read_kv(k, b, l, one, one + each, m->block, e));
                assert_memory_equal(to[b].k, one, 2 * each * sizeof *one);
            }
        }
        free(all);
        kvz_close(k);
    }
}

// What kv heads take adds up to what their layer does, but for the states of coded chunks; heads
// that are near take only what the sinks do.
static void heads_add_up_to_layers(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof goldens / sizeof *goldens; i++) {
        char path[128];
        uint64_t layers[4], heads[4 * 4 * 2];
        struct kvz *k;
        snprintf(path, sizeof path, "tests/golden/kvz/%s.kvz", goldens[i].name);
        OK(kvz_open(&k, path, e));
        const struct kvz_meta *m = kvz_meta(k);
        const uint32_t each = 2 * m->n_kv_heads / kvz_heads_together(k), codec = m->recipe.codec;
        const uint64_t states = codec >= 4 ? 68 : codec == 3 ? 20 : 0;
        assert_true(m->n_layers <= 4 && each <= 4 * 2);
        OK(kvz_layer_bytes(k, layers, e));
        OK(kvz_head_bytes(k, heads, e));
        assert_int_equal(kvz_heads_together(k), codec >= 3 ? 2 : 1);
        for (uint32_t l = 0; l < m->n_layers; l++) {
            uint64_t sum = (kvz_n_blocks(k) - 1) * states; // the first block is a sink
            for (uint32_t h = 0; h < each; h++)
                sum += heads[l * each + h];
            assert_int_equal(sum, layers[l]);
        }
        const int near = !strcmp(goldens[i].name, "wide-near");
        assert_true(kvz_head_is_near(k, 0, 1) == near && kvz_head_is_near(k, 1, 0) == near &&
                    !kvz_head_is_near(k, 0, 0));
        kvz_close(k);
    }
}

// Index vectors, with what belongs to them.
static uint64_t vectors(const struct kvz *k)
{
    struct hash *h;
    OK(hash_new(&h, e));
    for (uint32_t c = 0; c < kvz_meta(k)->n_channels; c++) {
        struct kvz_run r;
        OK(kvz_run(k, c, &r, e));
        hash_update(h, &r.channel, sizeof r.channel);
        hash_update(h, r.start, (kvz_n_blocks(k) + 1) * sizeof *r.start);
        hash_update(h, r.scale, r.n * sizeof *r.scale);
        hash_update(h, r.token, r.n);
        hash_update(h, r.vectors, r.n * r.channel.dim);
    }
    uint64_t value = hash_value(h);
    hash_free(h);
    return value;
}

static void every_recipe_stays_readable(void **state)
{
    (void)state;
    int wrong = 0;
    for (size_t i = 0; i < sizeof goldens / sizeof *goldens; i++) {
        char path[128];
        struct kvz *k;
        snprintf(path, sizeof path, "tests/golden/kvz/%s.kvz", goldens[i].name);
        assert_int_equal(kvz_verify(path, NULL, NULL, NULL), 0);
        OK(kvz_open(&k, path, e));
        uint64_t is = digest(k), found = vectors(k);
        if (is != goldens[i].digest || found != goldens[i].vectors) {
            print_error("%s: 0x%016" PRIx64 ", 0x%016" PRIx64 ", not 0x%016" PRIx64
                        ", 0x%016" PRIx64 "\n",
                        path, is, found, goldens[i].digest, goldens[i].vectors);
            wrong++;
        }
        kvz_close(k);
    }
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_recipe_stays_readable),
        cmocka_unit_test(blocks_are_the_same_side_by_side),
        cmocka_unit_test(heads_add_up_to_layers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
