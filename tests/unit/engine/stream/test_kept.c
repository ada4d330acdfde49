// Keys and values that attention keeps in 8 bits are those of the tokens in sight, whatever became
// of these since: kernels.h, struct kept_rows.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "engine/stream/stream.h"
#include "tests/unit/ok.h"

enum { ROOM = 64, BEGIN = 40 };

static struct device *device;
static struct model *model;

static void run(struct stream *s, uint32_t first, int n, float *logits)
{
    uint32_t tokens[BEGIN];
    for (int i = 0; i < n; i++)
        tokens[i] = (first + (uint32_t)i * 7) % (uint32_t)model->info.n_vocab;
    OK(stream_reserve(s, n, e));
    OK(forward(s, &(struct forward){.tokens = tokens, .n = n, .logits = logits, .n_logits = 1}, e));
}

// TOKEN gets the same logits when all rows are kept anew.
static void check(struct stream *s, uint32_t token)
{
    const size_t n = (size_t)model->info.n_vocab;
    float *x = malloc(2 * n * sizeof *x);
    assert_non_null(x);
    run(s, token, 1, x);
    for (int i = 0; i < model->info.n_layers; i++)
        assert_int_equal(s->layers[i].n_kept, s->n_local);
    stream_rewind(s, 1);
    for (int i = 0; i < model->info.n_layers; i++)
        s->layers[i].n_kept = 0;
    run(s, token, 1, x + n);
    assert_memory_equal(x, x + n, n * sizeof *x);
    free(x);
}

static void test_kept(void **state)
{
    (void)state;
    struct stream *s;
    float *logits = malloc((size_t)model->info.n_vocab * sizeof *logits);
    assert_non_null(logits);
    OK(stream_new(
        &s, model,
        &(struct stream_options){.window = ROOM, .chunk = BEGIN, .room = ROOM, .sinks = 8}, e));
    run(s, 3, BEGIN, logits);
    assert_int_equal(s->layers[0].n_kept, 0); // that was many
    check(s, 5);
    run(s, 11, 3, logits);
    check(s, 17);
    stream_rewind(s, 4);
    run(s, 23, 2, logits); // other tokens at these places
    check(s, 29);
    OK(stream_evict(s, 8, 1, e));
    check(s, 31);
    const int off = s->off;
    run(s, 37, ROOM - s->n_local - 1, logits); // more than there is room for behind the others
    assert_true(off > 0 && s->off == 0);
    check(s, 41);
    const size_t n = (size_t)(model->info.n_kv_heads * model->info.head_dim);
    float *k = calloc(2 * n, sizeof *k);
    assert_non_null(k);
    for (size_t i = 0; i < 2 * n; i++)
        k[i] = (float)i / (float)n - 1;
    stream_rewind(s, 1);
    OK(stream_put(s, STREAM_LOCAL, 0, 20, 1, 1, k, k + n, e));
    check(s, 43);
    free(k);
    free(logits);
    stream_free(s);
}

// A stream that gets more room goes on as one that had it from the beginning.
static void test_widened(void **state)
{
    (void)state;
    const size_t n = (size_t)model->info.n_vocab;
    float *x = malloc(2 * n * sizeof *x);
    assert_non_null(x);
    for (int late = 0; late < 2; late++) {
        struct stream *s;
        float *logits = x + (size_t)late * n;
        OK(stream_new(
            &s, model,
            &(struct stream_options){.window = ROOM, .chunk = 8, .room = late ? BEGIN : ROOM}, e));
        for (int at = 0; at < BEGIN; at += 8)
            run(s, 3 + (uint32_t)at, 8, logits);
        if (late) {
            REFUSED(ERR_USAGE, "do not fit", stream_reserve(s, 1, e));
            OK(stream_widen(s, ROOM, e));
        }
        assert_int_equal(s->cap, ROOM);
        for (uint32_t i = 0; (int)i < ROOM - BEGIN; i++)
            run(s, 5 + i, 1, logits);
        stream_free(s);
    }
    assert_memory_equal(x, x + n, n * sizeof *x);
    free(x);
}

int main(void)
{
    struct err e = {0};
    if (device_open(&device, &(struct device_options){.name = "cpu", .threads = 2}, NULL, 0, &e) ||
        model_open(&model, "tests/golden/tiny/llama.gguf", device, &e))
        return 1;
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_kept), cmocka_unit_test(test_widened)};
    const int keeps = !strstr(device->label, "ref"); // plain C, where the processor has no vectors
    int rc = keeps ? cmocka_run_group_tests(tests, NULL, NULL) : 0;
    model_close(model);
    device_close(device);
    return rc;
}
