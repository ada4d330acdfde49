// Far tokens: how much of the attention they get, and which of them stay in sight.
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

#include "engine/stream/stream.h"
#include "tests/unit/ok.h"

enum { CHUNK = 64, FAR = 48, ASKED = 16, WORDS = 100 };

static struct device *device;
static struct model *model;
static uint32_t text[CHUNK + ASKED];

static size_t kv_floats(int n)
{
    return (size_t)model->info.n_kv_heads * (size_t)n * (size_t)model->info.head_dim;
}

// A stream with far tokens FROM .. FROM + N - 1 of TEXT in sight, their keys BY times as large.
static struct stream *with_far(const struct stream_options *o, int from, int n, float by)
{
    struct stream *read, *s;
    struct stream_options plain = {.window = CHUNK, .chunk = CHUNK};
    OK(stream_new(&read, model, &plain, e));
    OK(forward(read, &(struct forward){.tokens = text, .n = CHUNK}, e));
    OK(stream_new(&s, model, o, e));
    float *k = calloc(2 * kv_floats(n), sizeof *k), *v = k + kv_floats(n);
    int64_t pos[CHUNK];
    for (int i = 0; i < n; i++)
        pos[i] = from + i;
    for (int l = 0; l < model->info.n_layers; l++) {
        OK(stream_get(read, l, from, n, k, v, e));
        for (size_t i = 0; i < kv_floats(n); i++)
            k[i] *= by;
        OK(stream_put(s, STREAM_FAR, l, 0, n, n, k, v, e));
        stream_set_far(s, l, n, pos);
    }
    s->n_seen = CHUNK;
    free(k);
    stream_free(read);
    return s;
}

// The logits of the last of ASKED tokens; [n_vocab], the caller's.
static float *asked(struct stream *s)
{
    float *logits = calloc((size_t)model->info.n_vocab, sizeof *logits);
    const struct forward f = {.tokens = text + CHUNK, .n = ASKED, .logits = logits, .n_logits = 1};
    OK(forward(s, &f, e));
    stream_free(s);
    return logits;
}

// The largest difference, as a share of the largest logit; frees both.
static double apart(float *a, float *b)
{
    double most = 0, largest = 0;
    for (int i = 0; i < model->info.n_vocab; i++) {
        most = fmax(most, fabs((double)a[i] - (double)b[i]));
        largest = fmax(largest, fabs((double)a[i]));
    }
    free(a);
    free(b);
    return most / largest;
}

static struct stream_options options(enum positions p, float sharpen)
{
    return (struct stream_options){.window = CHUNK,
                                   .chunk = CHUNK,
                                   .far = FAR,
                                   .distance = CHUNK,
                                   .positions = p,
                                   .sharpen = sharpen};
}

// As if the stored keys were so much larger, wherever they stand.
static void test_sharpened(void **state)
{
    (void)state;
    for (enum positions p = POSITIONS_WINDOW; p <= POSITIONS_CONTIGUOUS; p++) {
        const struct stream_options plain = options(p, 0), one = options(p, 1),
                                    twice = options(p, 2);
        assert_true(apart(asked(with_far(&plain, 0, FAR, 1)), asked(with_far(&one, 0, FAR, 1))) ==
                    0);
        double same = apart(asked(with_far(&plain, 0, FAR, 2)), asked(with_far(&twice, 0, FAR, 1)));
        double other =
            apart(asked(with_far(&plain, 0, FAR, 1)), asked(with_far(&twice, 0, FAR, 1)));
        print_message("%d: %.2g apart, from the unsharpened %.2g\n", (int)p, same, other);
        assert_true(same < 1e-5);
        assert_true(other > 1e-3);
    }
}

// What stays is what would be there had nothing else been put there.
static void test_narrowed(void **state)
{
    (void)state;
    enum { FIRST = 11, N = 20 };
    unsigned char keep[FAR] = {0};
    memset(keep + FIRST, 1, N);
    for (enum positions p = POSITIONS_WINDOW; p <= POSITIONS_CONTIGUOUS; p++) {
        const struct stream_options o = options(p, 1.5f);
        struct stream *s = with_far(&o, 0, FAR, 1);
        stream_narrow(s, keep);
        for (int l = 0; l < model->info.n_layers; l++) {
            assert_int_equal(s->layers[l].n_far, N);
            assert_int_equal(s->layers[l].far_pos[0], FIRST);
            assert_int_equal(s->layers[l].far_pos[N - 1], FIRST + N - 1);
        }
        assert_true(apart(asked(s), asked(with_far(&o, FIRST, N, 1))) == 0);
    }
}

// In several runs, the first of which stays where it is; and nothing.
static void test_runs(void **state)
{
    (void)state;
    static const int stay[] = {0, 1, 7, 30, 31, 32, 47};
    enum { N = sizeof stay / sizeof *stay };
    const struct stream_options o = options(POSITIONS_WINDOW, 0);
    unsigned char keep[FAR] = {0};
    struct stream *s = with_far(&o, 0, FAR, 1), *all = with_far(&o, 0, FAR, 1);
    const size_t dim = (size_t)model->info.head_dim;
    for (int i = 0; i < N; i++)
        keep[stay[i]] = 1;
    stream_narrow(s, keep);
    for (int l = 0; l < model->info.n_layers; l++)
        for (int h = 0; h < model->info.n_kv_heads; h++)
            for (int i = 0; i < N; i++) {
                const struct stream_layer *x = &s->layers[l], *y = &all->layers[l];
                const size_t to = ((size_t)h * FAR + (size_t)i) * dim,
                             from = ((size_t)h * FAR + (size_t)stay[i]) * dim;
                assert_int_equal(x->far_pos[i], stay[i]);
                assert_memory_equal(x->far_k + to, y->far_k + from, dim * sizeof(float));
                assert_memory_equal(x->far_v + to, y->far_v + from, dim * sizeof(float));
            }
    memset(keep, 0, sizeof keep);
    stream_narrow(s, keep);
    assert_int_equal(s->layers[0].n_far, 0);
    stream_free(s);
    stream_free(all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sharpened),
        cmocka_unit_test(test_narrowed),
        cmocka_unit_test(test_runs),
    };
    struct device_options o = {.name = "cpu", .threads = 2, .exact = 1};
    OK(device_open(&device, &o, NULL, 0, e));
    OK(model_open(&model, "tests/golden/tiny/llama.gguf", device, e));
    for (int i = 0; i < CHUNK + ASKED; i++)
        text[i] = (uint32_t)(i * 37 % WORDS + 3);
    int rc = cmocka_run_group_tests(tests, NULL, NULL);
    model_close(model);
    device_close(device);
    return rc;
}
