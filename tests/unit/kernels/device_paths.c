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

#include "cache/codec.h"
#include "engine/engine.h"
#include "engine/stream/stream.h"
#include "tests/unit/kernels/device_place.h"
#include "tests/unit/kernels/device_tests.h"
#include "tests/unit/golden.h"
#include "tests/unit/ok.h"
#include "tests/unit/own_dir.h"

// Of logits that reach 60; products in half precision round their factors to 11 bits.
#define EXACT_TOLERANCE 1e-3
#define HALF_TOLERANCE  0.25
enum { STEPS_BEGIN = 50, STEPS_END = 90 };
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

// A stream of M that has read the first tokens of G, as many as a chunk.
static struct stream *begun(struct model *m, const struct golden *g, int room)
{
    struct stream *s;
    OK(stream_new(
        &s, m,
        &(struct stream_options){.window = room - STEPS_BEGIN, .chunk = STEPS_BEGIN, .room = room},
        e));
    OK(forward(s, &(struct forward){.tokens = g->tokens, .n = STEPS_BEGIN}, e));
    return s;
}

// Token after token on the device and on the processor: the same logits and the same greedy choice,
// whatever is sent off as one with what came before it: windows that grow, other memory, and a
// token of another stream in between.
void device_steps(void **state)
{
    (void)state;
    struct model *m, *here;
    struct device *cpu;
    struct golden g;
    const char *path = "tests/golden/tiny/llama.gguf";
    OK(golden_open(&g, "tests/golden/tiny/llama-logits.bin", e));
    OK(device_open(&cpu, &(struct device_options){.name = "cpu", .threads = 1, .exact = 1}, NULL, 0,
                   e));
    OK(model_open(&m, path, tested, e));
    OK(model_open(&here, path, cpu, e));
    float *want = malloc(g.n_vocab * sizeof *want), *got = malloc(g.n_vocab * sizeof *got);
    assert_non_null(want);
    assert_non_null(got);
    for (int again = 0; again < 2; again++) {
        struct stream *judge = begun(here, &g, 128), *s = begun(m, &g, again ? 128 : 160),
                      *other = begun(m, &g, 200);
        for (uint32_t at = STEPS_BEGIN; at < STEPS_END; at++) {
            const uint32_t *token = g.tokens + at;
            struct best best;
            OK(forward(judge,
                       &(struct forward){.tokens = token, .n = 1, .logits = want, .n_logits = 1},
                       e));
            if (!again &&
                at % 3 == 0) { // logits; and the same token once more, to look for the best alone
                OK(forward(s,
                           &(struct forward){.tokens = token, .n = 1, .logits = got, .n_logits = 1},
                           e));
                stream_rewind(s, 1);
                for (uint32_t i = 0; i < g.n_vocab; i++)
                    if (!(fabsf(got[i] - want[i]) <= EXACT_TOLERANCE))
                        fail_msg("token %u: logit %u: %g, %g here", at, i, (double)got[i],
                                 (double)want[i]);
            }
            OK(forward(s, &(struct forward){.tokens = token, .n = 1, .best = &best}, e));
            for (uint32_t i = 0; i < g.n_vocab; i++)
                assert_true(want[i] <= best.value + (float)EXACT_TOLERANCE);
            assert_true(fabsf(want[best.id] - best.value) <= EXACT_TOLERANCE);
            if (at == (STEPS_BEGIN + STEPS_END) / 2)
                OK(forward(other, &(struct forward){.tokens = token, .n = 1, .best = &best}, e));
        }
        stream_free(judge);
        stream_free(s);
        stream_free(other);
    }
    free(want);
    free(got);
    model_close(m);
    model_close(here);
    device_close(cpu);
    golden_close(&g);
}

static void count_pass(void *arg, const struct encode_progress *p)
{
    (void)p;
    ++*(int *)arg;
}

// Two documents, the first of which ends within a block, in passes of at most ROWS tokens, written
// BESIDE them or not; the number of passes.
static int encode_rows(const struct place *p, const char *index, const char *represent, int rows,
                       int beside)
{
    struct model *m;
    struct encode_result r;
    const char *const inputs[] = {p->text, p->text};
    const int own_rows = tested->rows, own_apart = tested->is_apart;
    int passes = 0;
    tested->rows = rows;
    tested->is_apart = beside;
    OK(model_open(&m, p->model, tested, e));
    struct encode_options o =
        place_options(inputs, 2, index, represent, (struct kvz_recipe){CODEC_FLOAT16, 16, 16, 1});
    o.progress = count_pass;
    o.arg = &passes;
    OK(encode_documents(m, &o, &r, e));
    model_close(m);
    tested->rows = own_rows;
    tested->is_apart = own_apart;
    return passes;
}

static void same_file(const char *a, const char *b)
{
    FILE *f = fopen(a, "rb"), *g = fopen(b, "rb");
    assert_true(f && g);
    for (int x = 0, y; x != EOF;) {
        x = getc(f);
        y = getc(g);
        assert_int_equal(x, y);
    }
    fclose(f);
    fclose(g);
}

// Keys, values and masses of all blocks, to rounding.
static void near_index(const char *a, const char *b)
{
    struct kvz *k[2];
    struct kvz_block at[2];
    OK(kvz_open(&k[0], a, e));
    OK(kvz_open(&k[1], b, e));
    const struct kvz_meta *t = kvz_meta(k[0]);
    assert_int_equal(kvz_n_blocks(k[0]), kvz_n_blocks(k[1]));
    const size_t n = (size_t)t->block * t->n_kv_heads * t->head_dim, masses = t->block;
    const double near = product_tolerance > 1e-5 ? 0.05 : 2e-3; // 16 bits round, too
    float *v = malloc((4 * n + 2 * masses) * sizeof *v), *mass = v + 4 * n;
    assert_non_null(v);
    for (uint64_t i = 0; i < kvz_n_blocks(k[0]); i++) {
        for (int x = 0; x < 2; x++) {
            OK(kvz_block(k[x], i, &at[x], e));
            OK(kvz_read_mass(k[x], i, mass + (size_t)x * masses, e));
        }
        assert_int_equal(at[0].n_tokens, at[1].n_tokens);
        assert_int_equal(at[0].flags, at[1].flags);
        for (size_t j = 0; j < at[0].n_tokens; j++)
            assert_true(fabs((double)mass[j] - (double)mass[masses + j]) <=
                        near * fmax(1, fabs((double)mass[j])));
        for (uint32_t l = 0; l < t->n_layers; l++) {
            for (size_t x = 0; x < 2; x++)
                OK(kvz_read_kv(k[x], i, l, v + 2 * x * n, v + (2 * x + 1) * n, t->block, e));
            for (size_t j = 0; j < 2 * n; j++)
                if (j % ((size_t)t->block * t->head_dim) / t->head_dim < at[0].n_tokens)
                    assert_true(fabs((double)v[j] - (double)v[2 * n + j]) <=
                                near * fmax(1, fabs((double)v[j])));
        }
    }
    free(v);
    kvz_close(k[0]);
    kvz_close(k[1]);
}

void device_rows(void **state)
{
    (void)state;
    struct place p;
    char one[64], many[64], apart[64];
    place_new(&p);
    place_text(&p, 23);
    strcpy(one, in_dir("one.kvz"));
    strcpy(many, in_dir("many.kvz"));
    strcpy(apart, in_dir("apart.kvz"));
    for (int i = 0; i < 2; i++) {
        const char *represent = i ? "spans" : NULL;
        int passes = encode_rows(&p, one, represent, 0, 0);
        assert_int_equal(encode_rows(&p, apart, represent, 0, 1), passes);
        same_file(one, apart);
        unlink(apart);
        assert_true(encode_rows(&p, many, represent, 4 * 64 + 63, 0) * 2 < passes);
        near_index(one, many);
        encode_rows(&p, apart, represent, 4 * 64 + 63, 1);
        same_file(many, apart);
        unlink(one);
        unlink(many);
        unlink(apart);
    }
    place_done();
}

static const struct device_ops *watched_of;
static int n_similar, n_kept, refuses;

static void count_similar(struct device *d, const struct similar *x)
{
    n_similar++;
    watched_of->similar(d, x);
}

static void mean_first(struct device *d, float *out, const float *x, int n, int width)
{
    refuses = refuses == 1 ? 2 : refuses;
    watched_of->mean(d, out, x, n, width);
}

static void *refuse_alloc(struct device *d, size_t bytes, struct err *why)
{
    return refuses == 2 ? NULL : watched_of->alloc(d, bytes, why);
}

enum { MOST_RECALLED = 2 * 2 * 3 }; // keys and values, of as many layers and blocks
static uint64_t recalled[MOST_RECALLED];
static int n_recalled, n_worths, n_worth_something;

static int count_recall(struct device *d, uint64_t name, float *dst, const struct rows *r)
{
    int there = watched_of->recall(d, name, dst, r);
    n_kept += there;
    assert_true(n_recalled < MOST_RECALLED);
    recalled[n_recalled++] = name;
    return there;
}

// What is told of is what was just read, keys and values of every block once.
static void check_worth(struct device *d, const uint64_t *names, const float *mass, int n)
{
    watched_of->worth(d, names, mass, n);
    n_worths++;
    for (int i = 0; i < n; i++) {
        int times = 0;
        for (int k = 0; k < n_recalled; k++)
            times += recalled[k] == names[i - i % 2];
        assert_int_equal(times, 1);
        assert_true(names[i] == names[i - i % 2] + (uint64_t)(i % 2) &&
                    mass[i] == mass[i - i % 2] && mass[i] >= 0);
        n_worth_something += mass[i] > 0;
    }
    n_recalled = 0;
}

static void attend_later(struct device *d, const struct attend *a)
{
    refuses = refuses == 2 ? 1 : refuses;
    watched_of->attend(d, a);
}

// Blocks retrieved while a document is read: chosen by the device, by the processor where there is
// no room for the representatives on it, and as on the processor alone.
void device_encode_topk(void **state)
{
    (void)state;
    struct place p;
    struct device *cpu;
    char paths[3][64];
    struct device_ops watched = *tested->ops;
    place_new(&p);
    place_text(&p, 40);
    place_cpu(&cpu);
    watched_of = tested->ops;
    watched.similar = count_similar;
    watched.mean = mean_first;
    watched.alloc = refuse_alloc;
    watched.attend = attend_later;
    watched.recall = count_recall;
    watched.worth = check_worth;
    for (int i = 0; i < 3; i++) {
        struct model *m;
        struct encode_result r;
        const char *const inputs[] = {p.text};
        snprintf(paths[i], sizeof paths[i], "%s/%d.kvz", own_dir(), i);
        struct encode_options o = place_options(inputs, 1, paths[i], "top",
                                                (struct kvz_recipe){CODEC_FLOAT16, 16, 16, 1});
        o.topk = 3;
        refuses = i == 2;
        n_similar = n_kept = n_recalled = n_worths = n_worth_something = 0;
        OK(model_open(&m, p.model, i ? tested : cpu, e));
        tested->ops = &watched;
        OK(encode_documents(m, &o, &r, e));
        tested->ops = watched_of;
        model_close(m);
        assert_true(i == 1 ? n_similar > 20 : n_similar == 0);
        assert_true(i ? n_kept > 20 && n_worths > 10 && n_worth_something > 100
                      : n_kept + n_worths == 0);
        if (i)
            near_index(paths[0], paths[i]);
    }
    for (int i = 0; i < 3; i++)
        unlink(paths[i]);
    device_close(cpu);
    place_done();
}
