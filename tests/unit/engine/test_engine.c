// What must always hold of encode and ask together, on small random models: an index in sight is a
// full context, threads do not matter, no other model is taken.
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "engine/answer/reading.h"
#include "tests/unit/engine_fixture.h"
#include "tests/unit/ok.h"
#include "tests/unit/real_model.h"
#include "tests/unit/tiny_model.h"

// ------------------------------------------------------------------ encode then ask = full context

static void full_context_logits(const struct kvz *k, const uint32_t *tail, int n_tail,
                                float *logits)
{
    struct prompt p = {0};
    for (uint64_t b = 0; b < kvz_n_blocks(k); b++) {
        struct kvz_block info;
        uint32_t ids[256], bytes[256];
        OK(kvz_block(k, b, &info, e));
        OK(kvz_read_tokens(k, b, ids, bytes, e));
        OK(prompt_ids(&p, ids, (int)info.n_tokens, e));
    }
    OK(prompt_ids(&p, tail, n_tail, e));
    struct stream *s;
    OK(stream_new(&s, F.m, &(struct stream_options){.window = p.n, .chunk = 64}, e));
    OK(write_tokens(s, p.ids, p.n, logits, e));
    stream_free(s);
    prompt_done(&p);
}

// Every block in sight at its original position, the last TAIL tokens as the window.
static void indexed_logits(const struct kvz *k, int tail_tokens, const uint32_t *tail, int n_tail,
                           float *logits)
{
    struct stream *s;
    struct place at[1024];
    struct places places = {at, 0, 0};
    int far = 0, left = tail_tokens;
    uint64_t last = kvz_n_blocks(k);
    struct kvz_block b;
    while (last > 0 && left > 0) {
        OK(kvz_block(k, --last, &b, e));
        left -= (int)b.n_tokens;
    }
    assert_int_equal(left, 0);
    for (uint64_t i = 0; i < last; i++) {
        OK(kvz_block(k, i, &b, e));
        if (b.flags & KVZ_SINK)
            continue;
        at[places.n++] = (struct place){.k = k, .block = i};
        far += (int)b.n_tokens;
    }
    OK(read_open(
        &s, F.m, k,
        &(struct sight){
            .positions = POSITIONS_ORIGINAL, .window = tail_tokens, .far = far, .room = n_tail},
        e));
    OK(read_far(s, -1, &places, TRAVERSE_DOCUMENT, e));
    OK(write_tokens(s, tail, n_tail, logits, e));
    stream_free(s);
}

static void compare_to_full_context(const char *name, struct kvz_recipe recipe, double tolerance)
{
    const char *in[] = {in_dir("b.txt")};
    struct encode_options o = small(in, 1, in_dir("full.kvz"));
    o.window = 4096; // nothing leaves: every hidden state is that of a full-context run
    o.recipe = recipe;
    o.positions = "original";
    encode_ok(o, NULL);
    struct kvz *k = open_ok(in_dir("full.kvz"));
    int n_vocab = model_info(F.m)->n_vocab;
    float *a = calloc((size_t)n_vocab, sizeof *a), *b = calloc((size_t)n_vocab, sizeof *b);
    struct prompt q = {0};
    OK(prompt_question(&q, F.m, chat_find("chatml"), NULL, "Who carried the boat?", NULL, e));
    struct kvz_block last;
    OK(kvz_block(k, kvz_n_blocks(k) - 1, &last, e));
    full_context_logits(k, q.ids, q.n, a);
    indexed_logits(k, 32 + (int)last.n_tokens, q.ids, q.n, b);
    double worst = 0, top = 0;
    for (int i = 0; i < n_vocab; i++) {
        worst = fmax(worst, fabs((double)(a[i] - b[i])));
        top = fmax(top, fabs((double)a[i]));
    }
    print_message("%s: %llu tokens from the index, largest difference of logits %.2g of %.3g\n",
                  name, (unsigned long long)kvz_n_tokens(k), worst, top);
    assert_true(worst <= tolerance * top);
    assert_true(top > 0);
    prompt_done(&q);
    free(a);
    free(b);
    kvz_close(k);
}

// F on a device that rounds nothing, with the model at PATH; returns what F was, for exact_end.
static struct engine_fixture exact_begin(const char *path)
{
    struct engine_fixture was = F;
    OK(device_open(&F.d, &(struct device_options){.name = "cpu", .threads = 2, .exact = 1}, NULL, 0,
                   e));
    OK(model_open(&F.m, path, F.d, e));
    return was;
}

static void exact_end(const struct engine_fixture *was)
{
    model_close(F.m);
    device_close(F.d);
    F = *was;
}

static void test_16_bit_equals_full_context(void **state)
{
    (void)state;
    struct kvz_recipe recipe = {0, 16, 16, 1};
    struct engine_fixture was = exact_begin(in_dir("tiny.gguf"));
    compare_to_full_context("16 bits", recipe, 2e-3);
    exact_end(&was);
    compare_to_full_context("16 bits, products as fast as they come", recipe, 2e-2);
}

// The same with the real model, where it has been fetched (tests/get-model.sh) and one run of it
// does not take minutes (the sanitizers).
static void test_real_model_equals_full_context(void **state)
{
    (void)state;
    char path[REAL_MODEL_PATH];
    clock_t began = clock();
    if (!real_model_find(path))
        skip();
    struct engine_fixture was = exact_begin(path);
    uint32_t ids[64] = {1};
    float *logits = calloc((size_t)model_info(F.m)->n_vocab, sizeof *logits);
    struct stream *s;
    OK(stream_new(&s, F.m, &(struct stream_options){.window = 64, .chunk = 64}, e));
    OK(write_tokens(s, ids, 64, logits, e));
    stream_free(s);
    free(logits);
    int slow = (double)(clock() - began) / CLOCKS_PER_SEC > 3;
    if (!slow)
        compare_to_full_context("SmolLM2, 16 bits", (struct kvz_recipe){0, 16, 16, 1}, 5e-3);
    exact_end(&was);
    if (slow)
        skip();
}

static void test_8_bit_is_close_to_full_context(void **state)
{
    (void)state;
    compare_to_full_context("8 bits", (struct kvz_recipe){1, 8, 8, 1}, 3e-2);
    compare_to_full_context("coded in 7.3 bits", (struct kvz_recipe){3, 740, 720, 1}, 3e-2);
}

// --------------------------------------------------------------------------------- threads, models

static void test_threads_do_not_matter(void **state)
{
    (void)state;
    const char *in[] = {in_dir("b.txt")};
    encode_ok(small(in, 1, in_dir("threads2.kvz")), NULL);
    struct device *d2 = F.d;
    struct model *m2 = F.m;
    OK(device_open(&F.d, &(struct device_options){.name = "cpu", .threads = 1}, NULL, 0, e));
    OK(model_open(&F.m, in_dir("tiny.gguf"), F.d, e));
    encode_ok(small(in, 1, in_dir("threads1.kvz")), NULL);
    model_close(F.m);
    device_close(F.d);
    F.d = d2;
    F.m = m2;
    same_file(in_dir("threads1.kvz"), in_dir("threads2.kvz"));
}

static void test_wrong_model_is_refused(void **state)
{
    (void)state;
    const char *in[] = {in_dir("b.txt")};
    encode_ok(small(in, 1, in_dir("wrong.kvz")), NULL);
    struct kvz *k = open_ok(in_dir("wrong.kvz"));
    static const struct {
        struct tiny_options o;
        const char *says, *helps; // also who has given --model, and the wrong one
    } others[] = {
        {{.n_layers = 3, .seed = 9}, "another model file", "; name the first with --model"},
        {{.n_layers = 2}, "another model (tiny.gguf, ", "); name that one with --model"},
        {{.n_layers = 3, .rope_base = 500000}, "another model file", "; name the first with"},
    };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        struct model *m;
        struct err err = {0};
        OK(tiny_model_write(in_dir("other.gguf"), &others[i].o, e));
        OK(model_open(&m, in_dir("other.gguf"), F.d, e));
        assert_int_equal(ask_check(m, k, &err), ERR_MISMATCH);
        assert_non_null(strstr(err.msg, others[i].says));
        assert_non_null(strstr(err.msg, others[i].helps));
        model_close(m);
    }
    kvz_close(k);
}

// Groups of one pass do not see one another: their logits are those of passes of their own. What
// all of them see came in a pass before, or begins theirs.
static void test_groups_are_blind(void **state)
{
    (void)state;
    struct engine_fixture was = exact_begin(in_dir("tiny.gguf"));
    enum { BEFORE = 5, N = 9 };
    static const int groups[] = {0, 4, 5, N}, rows[] = {3, 4, 7, N - 1};
    uint32_t ids[BEFORE + N];
    for (int i = 0; i < BEFORE + N; i++)
        ids[i] = 40 + (uint32_t)(i * 7) % 50;
    size_t vocab = (size_t)model_info(F.m)->n_vocab;
    static const struct {
        int before, same_pass;
    } cases[] = {{0, 0}, {BEFORE, 0}, {BEFORE, 1}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        int before = cases[c].before, first = cases[c].same_pass ? before : 0, groups_at[4],
            rows_at[4];
        for (int i = 0; i < 4; i++) {
            groups_at[i] = first + groups[i];
            rows_at[i] = first + rows[i];
        }
        struct stream *s;
        float *together = calloc(4 * vocab, sizeof *together),
              *alone = calloc(vocab, sizeof *alone);
        OK(stream_new(&s, F.m, &(struct stream_options){.window = 32, .chunk = 32}, e));
        if (before && !first)
            OK(forward(s, &(struct forward){.tokens = ids, .n = before}, e));
        OK(forward(s,
                   &(struct forward){.tokens = ids + BEFORE - first,
                                     .n = first + N,
                                     .logits = together,
                                     .n_logits = 4,
                                     .rows = rows_at,
                                     .groups = groups_at,
                                     .n_groups = 3},
                   e));
        stream_rewind(s, N); // of no use to what follows; what all see is there
        OK(forward(s,
                   &(struct forward){
                       .tokens = ids + BEFORE, .n = rows[0] + 1, .logits = alone, .n_logits = 1},
                   e));
        for (size_t t = 0; t < vocab; t++)
            assert_true(fabsf(alone[t] - together[t]) < 1e-3f);
        stream_free(s);
        for (int r = 0; r < 4; r++) {
            int g = r < 1 ? 0 : r < 2 ? 1 : 2;
            OK(stream_new(&s, F.m, &(struct stream_options){.window = 32, .chunk = 32}, e));
            if (before)
                OK(forward(s, &(struct forward){.tokens = ids, .n = before}, e));
            OK(forward(s,
                       &(struct forward){.tokens = ids + BEFORE + groups[g],
                                         .n = rows[r] + 1 - groups[g],
                                         .logits = alone,
                                         .n_logits = 1},
                       e));
            stream_free(s);
            for (size_t t = 0; t < vocab; t++)
                assert_true(fabsf(alone[t] - together[(size_t)r * vocab + t]) < 1e-3f);
        }
        free(together);
        free(alone);
    }
    exact_end(&was);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_groups_are_blind),
        cmocka_unit_test(test_16_bit_equals_full_context),
        cmocka_unit_test(test_real_model_equals_full_context),
        cmocka_unit_test(test_8_bit_is_close_to_full_context),
        cmocka_unit_test(test_threads_do_not_matter),
        cmocka_unit_test(test_wrong_model_is_refused),
    };
    return cmocka_run_group_tests(tests, engine_set_up, engine_tear_down);
}
