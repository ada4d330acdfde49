// The forward pass against transformers: tiny models of every family, and SmolLM2 on a real book.
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

#include "engine/stream/stream.h"
#include "kernels/kernels.h"
#include "tests/unit/golden.h"
#include "tests/unit/real_model.h"

// Of a tiny model: by the largest logit of the position. SmolLM2's reach 40 through 30 layers.
#define TINY_TOLERANCE    1e-4
#define SMOLLM2_TOLERANCE 5e-3
#define SMOLLM2_ROUNDED                                                                            \
    2.5 // of logits that reach 30; 1.3 seen with products of bytes. The perplexity is what counts

enum { CHUNK = 64, SMOLLM2_LEAST = 64, ANSWER_LEAST = 2, BUDGET_SECONDS = 12 };

static const char *const TINY[] = {
    "llama",           "llama3",     "llama-linear", "mistral",
    "mistral-sliding", "smollm3",    "internlm2",    "internlm2-dynamic",
    "qwen2",           "qwen2-yarn", "qwen3",        "phi3",
    "phi3-long",       "phi3-short", "gemma3",       "weights",
};

// Whether the test that began at START has had its processor time: the sanitizers make the same
// work twenty times as long, and a part of it is enough for them.
static int late(clock_t start)
{
    return (double)(clock() - start) / CLOCKS_PER_SEC > BUDGET_SECONDS;
}

// Runs the golden tokens through the model in chunks; LEAST of them always, the rest until it is
// late.
static void run(struct model *m, const struct golden *g, int chunk, uint32_t least, clock_t start,
                struct golden_sum *sum)
{
    struct err e = {0};
    struct stream *s = NULL;
    float *logits = malloc((size_t)chunk * g->n_vocab * sizeof *logits);
    assert_non_null(logits);
    assert_int_equal(model_info(m)->n_vocab, g->n_vocab);
    // The whole text stays in the local part, and nothing more fits: a plain run over everything.
    int rc = stream_new(
        &s, m, &(struct stream_options){.window = (int)g->n_tokens - chunk, .chunk = chunk}, &e);
    if (rc)
        fail_msg("%s", e.msg);
    for (uint32_t at = 0; at < g->n_tokens;) {
        int n = (int)(g->n_tokens - at) < chunk ? (int)(g->n_tokens - at) : chunk;
        struct forward f = {.tokens = g->tokens + at, .n = n, .logits = logits, .n_logits = n};
        if (forward(s, &f, &e))
            fail_msg("%s", e.msg);
        for (int i = 0; i < n; i++)
            golden_compare(g, at + (uint32_t)i, logits + (size_t)i * g->n_vocab, sum);
        at += (uint32_t)n;
        if (at >= least && late(start))
            break;
    }
    stream_free(s);
    free(logits);
}

static void show(const char *name, const struct golden_sum *s)
{
    print_message("%s: %d tokens, largest difference %.2g (%.2g of a logit), first place %d of %d "
                  "(%d of %d where it leads)\n",
                  name, s->n, s->max_diff, s->max_relative, s->same_top, s->n, s->same_clear_top,
                  s->clear_tops);
}

static void tiny_with(const char *name, const char *isa, int chunk)
{
    struct err e = {0};
    struct device *d = NULL;
    struct model *m = NULL;
    struct golden g;
    char path[256];
    snprintf(path, sizeof path, "tests/golden/tiny/%s-logits.bin", name);
    if (golden_open(&g, path, &e))
        fail_msg("%s", e.msg);
    snprintf(path, sizeof path, "tests/golden/tiny/%s.gguf", name);
    struct device_options o = {.name = "cpu", .threads = 2, .isa = isa, .exact = 1};
    if (device_open(&d, &o, NULL, 0, &e) || model_open(&m, path, d, &e))
        fail_msg("%s", e.msg);
    struct golden_sum sum = {0};
    run(m, &g, chunk, g.n_tokens, clock(), &sum);
    if (!isa && chunk > 7)
        show(name, &sum);
    if (!(sum.max_relative <= TINY_TOLERANCE) || sum.same_clear_top != sum.clear_tops)
        fail_msg("%s (%s, chunks of %d): %.3g of a logit from transformers", name,
                 isa ? isa : "best", chunk, sum.max_relative);
    model_close(m);
    device_close(d);
    golden_close(&g);
}

static void tiny(void **state)
{
    const char *name = *state;
    tiny_with(name, NULL, 64);
    tiny_with(name, NULL, 7);
    tiny_with(name, "ref", 512);
}

static void append(const struct tok *t, const char *text, int flags, struct tok_list *l)
{
    struct err e = {0};
    if (tok_encode(t, text, strlen(text), flags, l, &e))
        fail_msg("%s", e.msg);
}

static uint32_t largest(const float *v, uint32_t n)
{
    uint32_t top = 0;
    for (uint32_t i = 1; i < n; i++)
        if (v[i] > v[top])
            top = i;
    return top;
}

// The template's tokens, then a greedy answer token by token.
static void chat(struct model *m, const struct golden *g, const struct golden_chat *c,
                 clock_t start)
{
    struct err e = {0};
    struct stream *s = NULL;
    struct tok_list l = {0};
    char text[4096];
    assert_non_null(m->chat);
    chat_head(m->chat, m->system, text, sizeof text);
    append(m->tok, text, TOK_SPECIAL | TOK_START, &l);
    append(m->tok, c->question, TOK_PLAIN, &l);
    chat_tail(m->chat, text, sizeof text);
    append(m->tok, text, TOK_SPECIAL, &l);
    assert_int_equal(l.n, c->n_prompt);
    for (size_t i = 0; i < l.n; i++)
        assert_int_equal(l.v[i].id, c->prompt[i]);

    float *logits = malloc(g->n_vocab * sizeof *logits);
    assert_non_null(logits);
    if (stream_new(&s, m, &(struct stream_options){.window = CHUNK, .chunk = CHUNK}, &e))
        fail_msg("%s", e.msg);
    const uint32_t *feed = c->prompt;
    int n = (int)c->n_prompt;
    for (uint32_t i = 0; i < c->n_answer && (i < ANSWER_LEAST || !late(start)); i++) {
        struct forward f = {.tokens = feed, .n = n, .logits = logits, .n_logits = 1};
        if (forward(s, &f, &e))
            fail_msg("%s", e.msg);
        assert_int_equal(largest(logits, g->n_vocab), c->answer[i]);
        feed = &c->answer[i];
        n = 1;
    }
    stream_free(s);
    free(logits);
    tok_list_free(&l);
}

// SmolLM2 as transformers has it, product by product, or with products as fast as they come.
static void smollm2_with(int exact)
{
    char path[REAL_MODEL_PATH];
    if (!real_model_find(path))
        skip();
    struct err e = {0};
    struct device *d = NULL;
    struct model *m = NULL;
    struct golden g;
    if (golden_open(&g, "tests/golden/smollm2-logits.bin", &e) ||
        device_open(&d, &(struct device_options){.name = "cpu", .exact = exact}, NULL, 0, &e) ||
        model_open(&m, path, d, &e))
        fail_msg("%s", e.msg);
    struct golden_sum sum = {0};
    clock_t start = clock();
    run(m, &g, CHUNK, SMOLLM2_LEAST, start, &sum);
    show("SmolLM2", &sum);
    double perplexity = exp(sum.nll / sum.n_next), theirs = exp(sum.golden_nll / sum.n_next);
    print_message("perplexity %.4f, transformers %.4f\n", perplexity, theirs);
    // 1 % over all tokens; a run that its time cuts short sees fewer, and they scatter more.
    assert_true(fabs(perplexity / theirs - 1) < 0.01 * sqrt(2000 / (double)sum.n_next));
    assert_true(sum.max_diff < (exact ? SMOLLM2_TOLERANCE : SMOLLM2_ROUNDED));
    if (exact)
        assert_int_equal(sum.same_clear_top, sum.clear_tops);
    for (uint32_t i = 0; exact && i < g.n_chats; i++)
        chat(m, &g, &g.chats[i], start);
    model_close(m);
    device_close(d);
    golden_close(&g);
}

static void smollm2(void **state)
{
    (void)state;
    smollm2_with(1);
}

static void smollm2_rounded(void **state)
{
    (void)state;
    smollm2_with(0);
}

int main(void)
{
    enum { N = sizeof TINY / sizeof *TINY };
    struct CMUnitTest tests[N + 2];
    for (int i = 0; i < N; i++)
        tests[i] = (struct CMUnitTest){
            .name = TINY[i], .test_func = tiny, .initial_state = (void *)(uintptr_t)TINY[i]};
    tests[N] = (struct CMUnitTest)cmocka_unit_test(smollm2);
    tests[N + 1] = (struct CMUnitTest)cmocka_unit_test(smollm2_rounded);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
