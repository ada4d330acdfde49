// Whole paths of the engine on a device: see device_tests.h.
#define _GNU_SOURCE
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/engine.h"
#include "engine/stream.h"
#include "tests/unit/device_tests.h"
#include "tests/unit/golden.h"
#include "tests/unit/ok.h"
#include "tests/unit/tiny_model.h"

// Of logits that reach 60; products in half precision round their factors to 11 bits.
#define EXACT_TOLERANCE 1e-3
#define HALF_TOLERANCE  0.25
enum { TOKENS = 96, CHUNK = 64, SINGLE = 9 }; // the last ones come one by one

static void model_logits(const char *name)
{
    struct model *m;
    struct stream *s;
    struct golden g;
    struct golden_sum sum = {0};
    char path[256];
    snprintf(path, sizeof path, "tests/golden/tiny/%s-logits.bin", name);
    OK(golden_open(&g, path, e));
    snprintf(path, sizeof path, "tests/golden/tiny/%s.gguf", name);
    OK(model_open(&m, path, tested, e));
    OK(stream_new(&s, m, &(struct stream_options){.window = (int)g.n_tokens, .chunk = CHUNK}, e));
    float *logits = malloc((size_t)CHUNK * g.n_vocab * sizeof *logits);
    assert_non_null(logits);
    uint32_t end = g.n_tokens < TOKENS ? g.n_tokens : TOKENS;
    for (uint32_t at = 0, n; at < end; at += n) {
        uint32_t left = end - at;
        n = left <= SINGLE ? 1 : left - SINGLE < CHUNK ? left - SINGLE : CHUNK;
        struct forward f = {
            .tokens = g.tokens + at, .n = (int)n, .logits = logits, .n_logits = (int)n};
        OK(forward(s, &f, e));
        for (uint32_t i = 0; i < n; i++)
            golden_compare(&g, at + i, logits + (size_t)i * g.n_vocab, &sum);
    }
    int half = product_tolerance > 1e-5;
    print_message("%s: %s: %d tokens, largest difference %.2g\n", tested->label, name, sum.n,
                  sum.max_diff);
    if (!(sum.max_diff <= (half ? HALF_TOLERANCE : EXACT_TOLERANCE)) ||
        (!half && sum.same_clear_top != sum.clear_tops))
        fail_msg("%s: %.3g from transformers", name, sum.max_diff);
    free(logits);
    stream_free(s);
    model_close(m);
    golden_close(&g);
}

void device_models(void **state)
{
    (void)state;
    static const char *const names[] = {"llama", "llama3", "mistral", "internlm2",
                                        "qwen2", "qwen3",  "phi3",    "gemma3"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        model_logits(names[i]);
}

// What a model on D makes of a text, blocks stood for by REPRESENT (NULL: by all keys): which blocks, which answer. With RERANK as
// many are voted on twice.
static void read_and_ask(struct device *d, const char *dir, const char *out, const char *represent, int rerank,
                         char *found, size_t cap)
{
    struct model *m;
    struct kvz *k;
    struct answer a;
    char model[128], text[128], index[128];
    snprintf(model, sizeof model, "%s/tiny.gguf", dir);
    snprintf(text, sizeof text, "%s/text.txt", dir);
    snprintf(index, sizeof index, "%s/%s.kvz", dir, out);
    const char *const inputs[] = {text};
    struct encode_result r;
    OK(model_open(&m, model, d, e));
    OK(encode(m,
              &(struct encode_options){.inputs = inputs,
                                       .n_inputs = 1,
                                       .out = index,
                                       .window = 128,
                                       .sinks = 32,
                                       .block = 16,
                                       .chunk = 64,
                                       .represent = represent,
                                       .recipe = {1, 8, 8, 1}}, // a learnt basis follows roundings
              &r, e));
    OK(kvz_open(&k, index, e));
    OK(ask(m, &k, 1, &(struct ask_options){.question = "Who carried the boat?", .max_tokens = 12, .rerank = rerank},
           &a, e));
    int at = snprintf(found, cap, "%s|", a.text);
    for (int i = 0; i < a.n_evidence && at < (int)cap; i++)
        at += snprintf(found + at, cap - (size_t)at, "%llu-%llu|",
                       (unsigned long long)a.evidence[i].start,
                       (unsigned long long)a.evidence[i].end);
    answer_done(&a);
    kvz_close(k);
    model_close(m);
}

// Here and there, and there again with what it has kept.
static void ask_both(const char *represent, int rerank)
{
    char dir[] = "/tmp/lctool-test-XXXXXX", path[128], here[4096], there[4096], again[4096];
    assert_non_null(mkdtemp(dir));
    snprintf(path, sizeof path, "%s/tiny.gguf", dir);
    OK(tiny_model_write(path, &(struct tiny_options){.n_layers = 2}, e));
    snprintf(path, sizeof path, "%s/text.txt", dir);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    for (int i = 0; i < 60; i++)
        fprintf(f, "The river carried %d small boats under bridge %d.\n", i * 7 % 31, i);
    assert_int_equal(fclose(f), 0);
    struct device *cpu;
    OK(device_open(&cpu, &(struct device_options){.name = "cpu", .threads = 1, .exact = 1}, NULL, 0,
                   e));
    read_and_ask(cpu, dir, "cpu", represent, rerank, here, sizeof here);
    read_and_ask(tested, dir, "tested", represent, rerank, there, sizeof there);
    read_and_ask(tested, dir, "again", represent, rerank, again, sizeof again);
    device_close(cpu);
    static const char *const names[] = {"tiny.gguf", "text.txt", "cpu.kvz", "tested.kvz", "again.kvz"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(path, sizeof path, "%s/%s", dir, names[i]);
        unlink(path);
    }
    rmdir(dir);
    assert_string_equal(there, here);
    assert_string_equal(again, here);
}

void device_ask(void **state)
{
    (void)state;
    ask_both(NULL, 0);
}

void device_ask_spans(void **state)
{
    (void)state;
    ask_both("spans", 6);
}
