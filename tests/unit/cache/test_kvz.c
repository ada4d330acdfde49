// What goes into an index comes out of it.
#include "tests/unit/cache/kvz_make.h"

static void check_block(const struct kvz *k, uint64_t b, uint32_t codec)
{
    struct kvz_block info;
    OK(kvz_block(k, b, &info, e));
    assert_int_equal(info.n_tokens, make_n_tokens(b));
    assert_int_equal(info.flags, make_flags(b));

    uint32_t ids[BLOCK], token_bytes[BLOCK], sum = 0;
    OK(kvz_read_tokens(k, b, ids, token_bytes, e));
    for (uint32_t t = 0; t < info.n_tokens; t++) {
        assert_int_equal(ids[t], b * 1000000 + t * 300);
        assert_int_equal(token_bytes[t], make_token_bytes(b, t));
        sum += token_bytes[t];
    }
    assert_int_equal(info.end - info.start, sum);
    char text[BLOCK * 5];
    OK(kvz_read_text(k, b, text, e));
    for (uint32_t i = 0; i < sum; i++)
        assert_int_equal(text[i], make_text(b, i));

    double total = 0;
    double mean[BLOCK] = {0};
    double step = codec == MAKE_NARROW   ? 3
                  : codec >= 3           ? 0.3
                  : codec == 2           ? 0.1
                  : codec && !info.flags ? 0.51 / 255 * 8 + 5. / 4096
                                         : 5. / 2048;
    for (uint32_t l = 0; l < LAYERS; l++) {
        float kv[2][HEADS][BLOCK + 1][DIM];
        memset(kv, 0xff, sizeof kv);
        OK(kvz_read_kv(k, b, l, &kv[0][0][0][0], &kv[1][0][0][0], BLOCK + 1, e));
        for (int i = 0; i < 2; i++)
            for (uint32_t h = 0; h < HEADS; h++)
                for (uint32_t t = 0; t < info.n_tokens; t++)
                    for (uint32_t d = 0; d < DIM; d++) {
                        float x = make_kv(b, l, i, h, t, d);
                        assert_true(fabs((double)x - kv[i][h][t][d]) <= step);
                    }
        for (uint32_t t = 0; t < info.n_tokens; t++) {
            total += make_mass(b, l, t);
            mean[t] += make_mass(b, l, t) / LAYERS;
        }
    }
    float mass[BLOCK];
    OK(kvz_read_mass(k, b, mass, e));
    for (uint32_t t = 0; t < info.n_tokens; t++)
        assert_true(fabs(mass[t] - mean[t]) <= 0.045 * mean[t] + 0x1p-16);
    assert_true(fabs(info.mass - total / LAYERS / info.n_tokens) < 1e-6);
}

// Numbers between -3 and 3: bytes of a vector's own scale, or sixteen steps of what its dimension
// has in the block, rounded to bytes of the block's scale.
static void check_runs(const struct kvz *k, uint32_t codec)
{
    for (uint32_t c = 0; c < CHANNELS; c++) {
        struct kvz_run r;
        OK(kvz_run(k, c, &r, e));
        const float step = 3.f / 127,
                    most = codec == MAKE_NARROW && c == 0 ? 0.2f + step : step / 2;
        assert_memory_equal(&r.channel, &make_channels[c], sizeof r.channel);
        uint64_t at = 0;
        for (uint64_t b = 0; b < kvz_n_blocks(k); b++) {
            assert_int_equal(r.start[b], at);
            for (uint32_t i = 0; i < make_n_vectors(b, c); i++, at++) {
                assert_int_equal(r.token[at], c == 0 ? i : 0);
                for (uint32_t d = 0; d < r.channel.dim; d++) {
                    float x = r.scale[at] * r.vectors[at * r.channel.dim + d];
                    assert_true(fabsf(x - make_vector(b, c, i, d)) <= most * 1.01f);
                }
            }
        }
        assert_int_equal(r.n, at);
        assert_int_equal(r.start[kvz_n_blocks(k)], at);
    }
    REFUSED(ERR_USAGE, "channels", kvz_run(k, CHANNELS, &(struct kvz_run){0}, e));
}

static void round_trip(uint32_t codec)
{
    char path[128];
    make_path(path, "round.kvz");
    uint64_t bytes = make_index(path, codec, 5, 4);
    struct kvz *k;
    OK(kvz_open(&k, path, e));
    kvz_check_beside(k);
    kvz_close(k); // while its channels are looked at, or before
    OK(kvz_open(&k, path, e));
    kvz_check_beside(k);
    kvz_check_beside(k);
    assert_int_equal(kvz_file_bytes(k), bytes);
    struct kvz_meta m = make_meta(codec);
    assert_memory_equal(kvz_meta(k), &m, sizeof m);
    assert_int_equal(kvz_n_documents(k), 3);
    assert_int_equal(kvz_n_blocks(k), 9);
    const char *names[] = {"book.txt", "empty", "letters/b.txt"};
    uint64_t block = 0, tokens = 0;
    for (uint64_t i = 0; i < 3; i++) {
        struct kvz_document d;
        OK(kvz_document(k, i, &d, e));
        assert_string_equal(d.name, names[i]);
        assert_string_equal(d.format, "text");
        assert_int_equal(d.digest, d.bytes - 2 + 99);
        assert_int_equal(d.first_block, block);
        uint64_t start = 0;
        for (; block < d.first_block + d.n_blocks; block++) {
            struct kvz_block b;
            OK(kvz_block(k, block, &b, e));
            assert_int_equal(b.document, i);
            assert_int_equal(b.token, tokens);
            assert_int_equal(b.start, start);
            start = b.end;
            tokens += b.n_tokens;
            check_block(k, block, codec);
        }
        assert_int_equal(d.bytes, start + 2);
    }
    assert_int_equal(kvz_n_tokens(k), tokens);
    check_runs(k, codec);
    kvz_will_need(k, (uint64_t[]){3, 1, 99}, 3);
    float x[HEADS * BLOCK * DIM];
    REFUSED(ERR_USAGE, "blocks", kvz_read_kv(k, 9, 0, x, x, BLOCK, e));
    REFUSED(ERR_USAGE, "layers", kvz_read_kv(k, 1, LAYERS, x, x, BLOCK, e));
    REFUSED(ERR_USAGE, "stride", kvz_read_kv(k, 1, 0, x, x, BLOCK - 1, e));
    REFUSED(ERR_USAGE, "documents", kvz_document(k, 3, &(struct kvz_document){0}, e));
    assert_string_equal(kvz_section_at(k, 0).tag, "BLKS");
    kvz_close(k);
    assert_int_equal(kvz_verify(path, NULL, NULL, NULL), 0);
    assert_false(kvz_part_exists(path));
}

static void float16_comes_back(void **state)
{
    (void)state;
    round_trip(0);
}

static void int8_comes_back(void **state)
{
    (void)state;
    round_trip(1);
}

static void rotated_comes_back(void **state)
{
    (void)state;
    round_trip(2);
}

static void coded_comes_back(void **state)
{
    (void)state;
    round_trip(3);
    round_trip(4);
    round_trip(5);
    round_trip(MAKE_NARROW);
}

// The vectors that find blocks are the same bytes whatever keys and values are stored with, but
// where they are narrow.
static void recipes_choose_the_same_blocks(void **state)
{
    (void)state;
    char path[128];
    struct kvz *k[5];
    for (uint32_t i = 0; i < 5; i++) {
        make_index(make_path(path, "recipe.kvz"), i, 5, 4);
        OK(kvz_open(&k[i], path, e));
    }
    for (uint32_t c = 0; c < CHANNELS; c++) {
        struct kvz_run a, b;
        OK(kvz_run(k[0], c, &a, e));
        for (uint32_t i = 1; i < 5; i++) {
            OK(kvz_run(k[i], c, &b, e));
            assert_int_equal(a.n, b.n);
            assert_memory_equal(a.start, b.start, (kvz_n_blocks(k[0]) + 1) * sizeof *a.start);
            assert_memory_equal(a.scale, b.scale, a.n * sizeof *a.scale);
            assert_memory_equal(a.vectors, b.vectors, a.n * a.channel.dim);
        }
    }
    for (uint32_t i = 0; i < 5; i++)
        kvz_close(k[i]);
}

static void an_index_may_be_empty(void **state)
{
    (void)state;
    char path[128];
    struct kvz_writer *w;
    struct kvz *k;
    struct kvz_meta m = make_meta(1);
    m.n_channels = 0;
    make_path(path, "empty.kvz");
    OK(kvz_create(&w, path, &m, NULL, e));
    OK(kvz_finish(w, NULL, e));
    kvz_writer_close(w);
    OK(kvz_open(&k, path, e));
    assert_int_equal(kvz_n_blocks(k), 0);
    assert_int_equal(kvz_n_documents(k), 0);
    kvz_close(k);
    assert_int_equal(kvz_verify(path, NULL, NULL, NULL), 0);
}

static void what_cannot_be_stored_is_refused(void **state)
{
    (void)state;
    char path[128];
    struct kvz_writer *w;
    uint64_t bytes = 0;
    make_path(path, "refused.kvz");
    struct kvz_meta m = make_meta(1);
    m.recipe.codec = 9;
    REFUSED(ERR_UNSUPPORTED, "codec 9", kvz_create(&w, path, &m, make_channels, e));
    m = make_meta(1);
    m.recipe.k_bits = 5;
    REFUSED(ERR_UNSUPPORTED, "5 bits", kvz_create(&w, path, &m, make_channels, e));
    m = make_meta(1);
    m.block = 5000;
    REFUSED(ERR_USAGE, "block", kvz_create(&w, path, &m, make_channels, e));
    m = make_meta(1);
    memset(m.method, 'x', sizeof m.method);
    REFUSED(ERR_USAGE, "method", kvz_create(&w, path, &m, make_channels, e));
    m = make_meta(1);
    m.n_layers = 1;
    REFUSED(ERR_USAGE, "channel 1", kvz_create(&w, path, &m, make_channels, e));

    m = make_meta(1);
    OK(kvz_create(&w, path, &m, make_channels, e));
    REFUSED(ERR_USAGE, "outside", make_block(w, &bytes, e));
    REFUSED(ERR_USAGE, "did not begin", kvz_end_document(w, 0, 0, e));
    OK(kvz_begin_document(w, "a", "text", e));
    REFUSED(ERR_USAGE, "before 'a' ended", kvz_begin_document(w, "b", "text", e));
    OK(make_block(w, &bytes, e));
    REFUSED(ERR_USAGE, "cover", kvz_end_document(w, bytes - 1, 0, e));
    REFUSED(ERR_USAGE, "not ended", kvz_finish(w, NULL, e));
    kvz_writer_close(w);
    assert_true(access(path, F_OK));
    OK(kvz_part_remove(path, e));
}

// Codec 2 with 4 bits: within a step, which is a fifteenth of what is far more than the range of a
// group.
static void a_summary_state_comes_back(void **state)
{
    (void)state;
    char path[128];
    make_index_and(make_path(path, "summary.kvz"), 3, 3, 2, OWN_SUMMARY);
    struct kvz *k;
    struct kvz_summary s;
    OK(kvz_open(&k, path, e));
    OK(kvz_summary(k, &s, e));
    assert_int_equal(s.n_caches, 3);
    assert_int_equal(s.slots, SLOTS);
    assert_int_equal(s.n, HELD);
    assert_int_equal(s.seen, 20);
    uint32_t token[LAYERS * HEADS * HELD];
    float score[LAYERS * HEADS * HELD], kv[2][HEADS][HELD][DIM];
    OK(kvz_read_summary(k, token, score, e));
    for (uint32_t lane = 0; lane < LAYERS * HEADS; lane++)
        for (uint32_t i = 0; i < HELD; i++) {
            assert_int_equal(token[lane * HELD + i], make_held(lane, i));
            assert_true(score[lane * HELD + i] == make_held_score(lane, i));
        }
    for (uint32_t l = 0; l < LAYERS; l++) {
        double off = 0, all = 0;
        OK(kvz_read_summary_kv(k, l, &kv[0][0][0][0], &kv[1][0][0][0], e));
        for (int is_v = 0; is_v < 2; is_v++)
            for (uint32_t h = 0; h < HEADS; h++)
                for (uint32_t i = 0; i < HELD; i++)
                    for (uint32_t d = 0; d < DIM; d++) {
                        double x = (double)make_held_kv(l, is_v, h, i, d);
                        double y = (double)kv[is_v][h][i][d] - x;
                        off += y * y;
                        all += x * x;
                    }
        assert_true(off < 0.02 * all);
    }
    REFUSED(ERR_USAGE, "layer 2",
            kvz_read_summary_kv(k, LAYERS, &kv[0][0][0][0], &kv[1][0][0][0], e));
    kvz_close(k);
    assert_int_equal(kvz_verify(path, NULL, NULL, NULL), 0);
    // None: nothing to read, and no error.
    make_index(path, 1, 3, 2);
    OK(kvz_open(&k, path, e));
    OK(kvz_summary(k, &s, e));
    assert_int_equal(s.n, 0);
    REFUSED(ERR_USAGE, "no summary state",
            kvz_read_summary_kv(k, 0, &kv[0][0][0][0], &kv[1][0][0][0], e));
    kvz_close(k);
}

// Keys and values are those of the blocks, tokens are exact, scores upper halves.
static void a_short_summary_state_comes_back(void **state)
{
    (void)state;
    char path[128];
    struct kvz *k;
    struct kvz_summary s;
    make_index_and(make_path(path, "short.kvz"), 0, 3, 2, SHORT_SUMMARY);
    OK(kvz_open(&k, path, e));
    OK(kvz_summary(k, &s, e));
    assert_int_equal(s.n, HELD);
    assert_int_equal(s.seen, 20);
    assert_int_equal(s.own_kv, 0);
    uint32_t token[LAYERS * HEADS * HELD];
    float score[LAYERS * HEADS * HELD], kv[2][HEADS][HELD][DIM], block[2][HEADS][BLOCK][DIM];
    OK(kvz_read_summary(k, token, score, e));
    for (uint32_t l = 0; l < LAYERS; l++) {
        OK(kvz_read_summary_kv(k, l, &kv[0][0][0][0], &kv[1][0][0][0], e));
        for (uint32_t h = 0; h < HEADS; h++)
            for (uint32_t i = 0; i < HELD; i++) {
                const uint32_t lane = l * HEADS + h, t = token[lane * HELD + i];
                const float want = make_held_score(lane, i), got = score[lane * HELD + i];
                struct kvz_block b = {0};
                assert_int_equal(t, make_held(lane, i));
                assert_true(got <= want && got > want * 0.992f);
                uint64_t at = 0;
                while (t >= b.token + b.n_tokens)
                    OK(kvz_block(k, at++, &b, e));
                at--;
                OK(kvz_read_kv(k, at, l, &block[0][0][0][0], &block[1][0][0][0], BLOCK, e));
                for (int is_v = 0; is_v < 2; is_v++)
                    assert_memory_equal(kv[is_v][h][i], block[is_v][h][t - b.token],
                                        sizeof kv[0][0][0]);
            }
    }
    REFUSED(ERR_USAGE, "layer 2",
            kvz_read_summary_kv(k, LAYERS, &kv[0][0][0][0], &kv[1][0][0][0], e));
    kvz_close(k);
    assert_int_equal(kvz_verify(path, NULL, NULL, NULL), 0);
}

static void a_summary_state_must_make_sense(void **state)
{
    (void)state;
    char path[128];
    struct kvz_writer *w;
    struct kvz_meta m = make_meta(1);
    uint32_t token[LAYERS * HEADS * 2] = {0, 1, 0, 1, 0, 1, 1, 1};
    float score[LAYERS * HEADS * 2] = {0}, kv[HEADS * 2 * DIM] = {0};
    struct kvz_summary s = {.n_caches = 1, .slots = 4, .n = 2, .seen = 2, .own_kv = 1};
    OK(kvz_create(&w, make_path(path, "sense.kvz"), &m, make_channels, e));
    make_document(w, "book.txt", 2);
    REFUSED(ERR_USAGE, "too many", kvz_put_summary_kv(w, kv, kv, e));
    REFUSED(ERR_USAGE, "no sense", kvz_put_summary(w, &s, token, score, e)); // 1 twice
    token[6] = 0;
    OK(kvz_put_summary(w, &s, token, score, e));
    REFUSED(ERR_USAGE, "0 layers", kvz_finish(w, NULL, e));
    OK(kvz_put_summary_kv(w, kv, kv, e));
    OK(kvz_put_summary_kv(w, kv, kv, e));
    REFUSED(ERR_USAGE, "too many", kvz_put_summary_kv(w, kv, kv, e));
    s.own_kv = 0;
    OK(kvz_put_summary(w, &s, token, score, e));
    REFUSED(ERR_USAGE, "too many", kvz_put_summary_kv(w, kv, kv, e)); // none is wanted
    OK(kvz_finish(w, NULL, e));
    kvz_writer_close(w);
    assert_int_equal(kvz_verify(path, NULL, NULL, NULL), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(float16_comes_back),
        cmocka_unit_test(int8_comes_back),
        cmocka_unit_test(rotated_comes_back),
        cmocka_unit_test(coded_comes_back),
        cmocka_unit_test(recipes_choose_the_same_blocks),
        cmocka_unit_test(an_index_may_be_empty),
        cmocka_unit_test(what_cannot_be_stored_is_refused),
        cmocka_unit_test(a_summary_state_comes_back),
        cmocka_unit_test(a_short_summary_state_comes_back),
        cmocka_unit_test(a_summary_state_must_make_sense),
    };
    return cmocka_run_group_tests(tests, own_dir_make_quick, own_dir_remove);
}
