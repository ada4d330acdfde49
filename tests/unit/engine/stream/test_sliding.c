// Layers with a sliding window inside the streaming frame: what they see of sinks and far blocks.
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/stream/stream_impl.h"
#include "tests/unit/golden.h"
#include "tests/unit/ok.h"
#include "tests/unit/own_dir.h"

#define TOLERANCE 1e-4 // of the largest logit of a position, as test_golden.c
enum { CHUNK = 64, SLIDING = 100 };

static struct device *device;

static struct model *open_tiny(const char *name)
{
    char path[256];
    struct model *m;
    snprintf(path, sizeof path, "tests/golden/tiny/%s.gguf", name);
    OK(model_open(&m, path, device, e));
    return m;
}

// Everything that leaves the window becomes a sink or, from the middle of the text on, a far block.
// At contiguous positions, their true ones, that is a plain run over everything.
static void test_contiguous(void **state)
{
    struct golden g;
    struct golden_sum sum = {0};
    struct stream *s;
    char path[256];
    snprintf(path, sizeof path, "tests/golden/tiny/%s-logits.bin", (const char *)*state);
    OK(golden_open(&g, path, e));
    struct model *m = open_tiny(*state);
    int half = (int)g.n_tokens / 2, kv = m->info.n_kv_heads, d = m->info.head_dim;
    OK(stream_new(&s, m,
                  &(struct stream_options){.sinks = half,
                                           .far = half,
                                           .window = CHUNK,
                                           .chunk = CHUNK,
                                           .positions = POSITIONS_CONTIGUOUS},
                  e));
    float *logits = calloc((size_t)(CHUNK * m->info.n_vocab), sizeof *logits);
    float *k = calloc((size_t)(2 * kv * CHUNK * d), sizeof *k), *v = k + kv * CHUNK * d;
    int64_t pos[512];
    int n_far = 0;
    for (int at = 0; at < (int)g.n_tokens; at += CHUNK) {
        int to_sinks = s->n_sinks + CHUNK <= half;
        for (int l = 0; s->n_local == 2 * CHUNK && !to_sinks && l < m->info.n_layers; l++) {
            OK(stream_get(s, l, 0, CHUNK, k, v, e));
            OK(stream_put(s, STREAM_FAR, l, n_far, CHUNK, CHUNK, k, v, e));
        }
        if (s->n_local == 2 * CHUNK) {
            for (int i = 0; i < CHUNK && !to_sinks; i++, n_far++)
                pos[n_far] = half + n_far;
            OK(stream_evict(s, CHUNK, to_sinks, e));
            for (int l = 0; l < m->info.n_layers; l++)
                stream_set_far(s, l, n_far, pos);
        }
        OK(forward(s,
                   &(struct forward){
                       .tokens = g.tokens + at, .n = CHUNK, .logits = logits, .n_logits = CHUNK},
                   e));
        for (int i = 0; i < CHUNK; i++)
            golden_compare(&g, (uint32_t)(at + i), logits + (size_t)i * g.n_vocab, &sum);
    }
    assert_int_equal(s->n_sinks, half);
    assert_true(n_far > 0);
    print_message("%s: largest difference %.2g of a logit\n", (const char *)*state,
                  sum.max_relative);
    assert_true(sum.max_relative <= TOLERANCE);
    free(logits);
    free(k);
    stream_free(s);
    model_close(m);
    golden_close(&g);
}

// At one fixed distance: far blocks are seen by the layers that reach so far.
static void test_fixed_distance(void **state)
{
    (void)state;
    struct model *m = open_tiny("gemma3");
    static const int distances[] = {SLIDING - 1, SLIDING};
    uint32_t tokens[CHUNK] = {0};
    for (int k = 0; k < 2; k++) {
        struct stream *s;
        struct attend_piece p[STREAM_PIECES];
        OK(stream_new(
            &s, m,
            &(struct stream_options){
                .sinks = CHUNK, .window = CHUNK, .chunk = CHUNK, .distance = distances[k]},
            e));
        OK(forward(s, &(struct forward){.tokens = tokens, .n = CHUNK}, e));
        OK(stream_evict(s, CHUNK, 1, e));
        OK(forward(s, &(struct forward){.tokens = tokens, .n = CHUNK}, e));
        for (int l = 0; l < m->info.n_layers; l++) {
            int global = l == 5;
            assert_int_equal(stream_pieces(s, l, CHUNK, p), global || !k ? 2 : 1);
            assert_int_equal(m->layers[l].sliding, global ? 0 : SLIDING);
        }
        stream_free(s);
    }
    model_close(m);
}

static void test_refused(void **state)
{
    (void)state;
    static const char *const names[] = {"gemma3", "mistral-sliding", "phi3-long",
                                        "internlm2-dynamic"};
    static const char *const why[] = {"sliding window", "sliding window", "depends", "depends"};
    for (int i = 0; i < 4; i++) {
        struct model *m = open_tiny(names[i]);
        struct stream *s;
        struct err err = {0};
        struct stream_options o = {
            .sinks = 8, .window = 64, .chunk = 64, .positions = POSITIONS_ORIGINAL};
        assert_int_equal(stream_new(&s, m, &o, &err), ERR_UNSUPPORTED);
        assert_non_null(strstr(err.msg, why[i]));
        o.sinks = 0; // a plain run is what it always was
        OK(stream_new(&s, m, &o, e));
        stream_free(s);
        model_close(m);
    }
}

// Where every layer slides, the window that blocks stand behind must leave them in sight.
static void test_window(void **state)
{
    (void)state;
    struct model *m = open_tiny("mistral-sliding");
    const char *text = in_dir("text"), *out = in_dir("text.kvz");
    FILE *f = fopen(text, "w");
    assert_non_null(f);
    for (int i = 0; i < 300; i++)
        fprintf(f, "%d ", i);
    fclose(f);
    const char *const inputs[] = {text};
    struct encode_options o = {.inputs = inputs,
                               .n_inputs = 1,
                               .out = out,
                               .window = SLIDING,
                               .sinks = 16,
                               .block = 16,
                               .chunk = 64};
    struct encode_result r;
    struct err err = {0};
    assert_int_equal(encode_documents(m, &o, &r, &err), ERR_USAGE);
    assert_non_null(strstr(err.msg, "use at most 99"));
    o.window = 0;
    OK(encode_documents(m, &o, &r, e));
    struct kvz *k;
    OK(kvz_open(&k, out, e));
    assert_int_equal(kvz_meta(k)->window, 64);
    kvz_close(k);
    model_close(m);
}

int main(void)
{
    struct err e = {0};
    const struct device_options o = {.name = "cpu", .threads = 2, .exact = 1};
    if (device_open(&device, &o, NULL, 0, &e))
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(test_contiguous, (void *)(uintptr_t) "llama"),
        cmocka_unit_test_prestate(test_contiguous, (void *)(uintptr_t) "mistral-sliding"),
        cmocka_unit_test_prestate(test_contiguous, (void *)(uintptr_t) "gemma3"),
        cmocka_unit_test(test_fixed_distance),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_window),
    };
    int rc = cmocka_run_group_tests(tests, own_dir_make, own_dir_remove);
    device_close(device);
    return rc;
}
