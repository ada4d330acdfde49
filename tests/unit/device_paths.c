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

#include "cache/reader.h"
#include "cache/record.h"
#include "engine/engine.h"
#include "engine/stream/stream.h"
#include "io/hash.h"
#include "tests/unit/device_tests.h"
#include "tests/unit/golden.h"
#include "tests/unit/ok.h"
#include "tests/unit/tiny_model.h"

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
    OK(stream_new(&s, m, &(struct stream_options){.window = room - STEPS_BEGIN, .chunk = STEPS_BEGIN, .room = room}, e));
    OK(forward(s, &(struct forward){.tokens = g->tokens, .n = STEPS_BEGIN}, e));
    return s;
}

// Token after token on the device and on the processor: the same logits and the same greedy choice, whatever is sent
// off as one with what came before it: windows that grow, other memory, and a token of another stream in between.
void device_steps(void **state)
{
    (void)state;
    struct model *m, *here;
    struct device *cpu;
    struct golden g;
    const char *path = "tests/golden/tiny/llama.gguf";
    OK(golden_open(&g, "tests/golden/tiny/llama-logits.bin", e));
    OK(device_open(&cpu, &(struct device_options){.name = "cpu", .threads = 1, .exact = 1}, NULL, 0, e));
    OK(model_open(&m, path, tested, e));
    OK(model_open(&here, path, cpu, e));
    float *want = malloc(g.n_vocab * sizeof *want), *got = malloc(g.n_vocab * sizeof *got);
    assert_non_null(want);
    assert_non_null(got);
    for (int again = 0; again < 2; again++) {
        struct stream *judge = begun(here, &g, 128), *s = begun(m, &g, again ? 128 : 160), *other = begun(m, &g, 200);
        for (uint32_t at = STEPS_BEGIN; at < STEPS_END; at++) {
            const uint32_t *token = g.tokens + at;
            struct best best;
            OK(forward(judge, &(struct forward){.tokens = token, .n = 1, .logits = want, .n_logits = 1}, e));
            if (!again && at % 3 == 0) { // logits; and the same token once more, to look for the best alone
                OK(forward(s, &(struct forward){.tokens = token, .n = 1, .logits = got, .n_logits = 1}, e));
                stream_rewind(s, 1);
                for (uint32_t i = 0; i < g.n_vocab; i++)
                    if (!(fabsf(got[i] - want[i]) <= EXACT_TOLERANCE))
                        fail_msg("token %u: logit %u: %g, %g here", at, i, (double)got[i], (double)want[i]);
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

// A directory with a tiny model and a text.
struct place {
    char dir[32], model[64], text[64];
};

static void make_place(struct place *p)
{
    snprintf(p->dir, sizeof p->dir, "/tmp/lctool-test-XXXXXX");
    assert_non_null(mkdtemp(p->dir));
    snprintf(p->model, sizeof p->model, "%s/tiny.gguf", p->dir);
    snprintf(p->text, sizeof p->text, "%s/text.txt", p->dir);
    OK(tiny_model_write(p->model, &(struct tiny_options){.n_layers = 2}, e));
    FILE *f = fopen(p->text, "w");
    assert_non_null(f);
    for (int i = 0; i < 60; i++)
        fprintf(f, "The river carried %d small boats under bridge %d.\n", i * 7 % 31, i);
    assert_int_equal(fclose(f), 0);
}

static void remove_place(const struct place *p)
{
    unlink(p->model);
    unlink(p->text);
    rmdir(p->dir);
}

// Blocks are stood for by REPRESENT; NULL: by all keys.
static struct encode_options encode_small(const char *const *inputs, int n, const char *index, const char *represent,
                                          struct kvz_recipe recipe)
{
    return (struct encode_options){.inputs = inputs,
                                   .n_inputs = n,
                                   .out = index,
                                   .window = 128,
                                   .sinks = 32,
                                   .block = 16,
                                   .chunk = 64,
                                   .represent = represent,
                                   .recipe = recipe};
}

static void encode_text(struct device *d, const struct place *p, const char *index, const char *represent,
                        struct kvz_recipe recipe)
{
    struct model *m;
    struct encode_result r;
    const char *const inputs[] = {p->text};
    OK(model_open(&m, p->model, d, e));
    const struct encode_options o = encode_small(inputs, 1, index, represent, recipe);
    OK(encode(m, &o, &r, e));
    model_close(m);
}

static int tells_votes;

// What a model on D makes of N indexes, asked with O: which blocks, and with TELLS_VOTES by whose votes, which answer;
// or the error.
static int ask_indexes(struct device *d, const struct place *p, const char *const *indexes, int n, struct ask_options o,
                       char *found, size_t cap)
{
    struct model *m;
    struct kvz *k[2];
    struct answer a;
    struct err why;
    int at, rc = model_open(&m, p->model, d, &why);
    if (rc) {
        snprintf(found, cap, "%s", why.msg);
        return rc;
    }
    for (int i = 0; i < n; i++)
        OK(kvz_open(&k[i], indexes[i], e));
    o.question = o.question ? o.question : "Who carried the boat?";
    o.max_tokens = 12;
    rc = ask(m, k, n, &o, &a, &why);
    if (rc) {
        snprintf(found, cap, "%s", why.msg);
    } else {
        at = snprintf(found, cap, "%s|%llu of %llu|", a.text, (unsigned long long)a.art_read,
                      (unsigned long long)a.art_blocks);
        for (int i = 0; i < a.n_evidence && at < (int)cap; i++)
            at += snprintf(found + at, cap - (size_t)at, "%llu-%llu|",
                           (unsigned long long)a.evidence[i].start, (unsigned long long)a.evidence[i].end);
        for (int i = 0; tells_votes && i < a.n_choices && at < (int)cap; i++) {
            const struct choice *c = &a.choices[i];
            at += snprintf(found + at, cap - (size_t)at, "%d.%llu", c->index, (unsigned long long)c->block);
            for (int v = 0; v < c->n_votes && at < (int)cap; v++)
                at += snprintf(found + at, cap - (size_t)at, " %d.%d:%d", c->votes[v].layer, c->votes[v].head, c->votes[v].rank);
        }
        answer_done(&a);
    }
    for (int i = 0; i < n; i++)
        kvz_close(k[i]);
    model_close(m);
    return rc;
}

static int ask_index(struct device *d, const struct place *p, const char *index, struct ask_options o, char *found,
                     size_t cap)
{
    return ask_indexes(d, p, &index, 1, o, found, cap);
}

static void open_cpu(struct device **cpu)
{
    OK(device_open(cpu, &(struct device_options){.name = "cpu", .threads = 1, .exact = 1}, NULL, 0, e));
}

// Here and there, and there again with what it has kept. Codec 1: a learnt basis follows roundings.
static void ask_both(const char *represent, int rerank)
{
    struct place p;
    struct device *cpu;
    char here[4096], there[4096];
    make_place(&p);
    open_cpu(&cpu);
    for (int i = 0; i < 3; i++) {
        char index[64];
        snprintf(index, sizeof index, "%s/%d.kvz", p.dir, i);
        encode_text(i ? tested : cpu, &p, index, represent, (struct kvz_recipe){1, 8, 8, 1});
        assert_int_equal(ask_index(i ? tested : cpu, &p, index, (struct ask_options){.rerank = rerank}, i ? there : here, sizeof here), 0);
        unlink(index);
        if (i)
            assert_string_equal(there, here);
    }
    device_close(cpu);
    remove_place(&p);
}

static void count_pass(void *arg, const struct encode_progress *p)
{
    (void)p;
    ++*(int *)arg;
}

// Two documents, the first of which ends within a block, in passes of at most ROWS tokens, written BESIDE them or not;
// the number of passes.
static int encode_rows(const struct place *p, const char *index, const char *represent, int rows, int beside)
{
    struct model *m;
    struct encode_result r;
    const char *const inputs[] = {p->text, p->text};
    const int own_rows = tested->rows, own_apart = tested->is_apart;
    int passes = 0;
    tested->rows = rows;
    tested->is_apart = beside;
    OK(model_open(&m, p->model, tested, e));
    struct encode_options o = encode_small(inputs, 2, index, represent, (struct kvz_recipe){CODEC_FLOAT16, 16, 16, 1});
    o.progress = count_pass;
    o.arg = &passes;
    OK(encode(m, &o, &r, e));
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
            assert_true(fabs((double)mass[j] - (double)mass[masses + j]) <= near * fmax(1, fabs((double)mass[j])));
        for (uint32_t l = 0; l < t->n_layers; l++) {
            for (size_t x = 0; x < 2; x++)
                OK(kvz_read_kv(k[x], i, l, v + 2 * x * n, v + (2 * x + 1) * n, t->block, e));
            for (size_t j = 0; j < 2 * n; j++)
                if (j % ((size_t)t->block * t->head_dim) / t->head_dim < at[0].n_tokens)
                    assert_true(fabs((double)v[j] - (double)v[2 * n + j]) <= near * fmax(1, fabs((double)v[j])));
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
    make_place(&p);
    snprintf(one, sizeof one, "%s/one.kvz", p.dir);
    snprintf(many, sizeof many, "%s/many.kvz", p.dir);
    snprintf(apart, sizeof apart, "%s/apart.kvz", p.dir);
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
    remove_place(&p);
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

static int count_recall(struct device *d, uint64_t name, float *dst, const struct rows *r)
{
    int there = watched_of->recall(d, name, dst, r);
    n_kept += there;
    return there;
}

static void attend_later(struct device *d, const struct attend *a)
{
    refuses = refuses == 2 ? 1 : refuses;
    watched_of->attend(d, a);
}

// Blocks retrieved while a document is read: chosen by the device, by the processor where there is no room for the
// representatives on it, and as on the processor alone.
void device_encode_topk(void **state)
{
    (void)state;
    struct place p;
    struct device *cpu;
    char paths[3][64];
    struct device_ops watched = *tested->ops;
    make_place(&p);
    open_cpu(&cpu);
    watched_of = tested->ops;
    watched.similar = count_similar;
    watched.mean = mean_first;
    watched.alloc = refuse_alloc;
    watched.attend = attend_later;
    watched.recall = count_recall;
    for (int i = 0; i < 3; i++) {
        struct model *m;
        struct encode_result r;
        const char *const inputs[] = {p.text};
        snprintf(paths[i], sizeof paths[i], "%s/%d.kvz", p.dir, i);
        struct encode_options o = encode_small(inputs, 1, paths[i], "top", (struct kvz_recipe){CODEC_FLOAT16, 16, 16, 1});
        o.topk = 3;
        refuses = i == 2;
        n_similar = n_kept = 0;
        OK(model_open(&m, p.model, i ? tested : cpu, e));
        tested->ops = &watched;
        OK(encode(m, &o, &r, e));
        tested->ops = watched_of;
        model_close(m);
        assert_true(i == 1 ? n_similar > 20 : n_similar == 0);
        assert_true(i ? n_kept > 20 : n_kept == 0);
        if (i)
            near_index(paths[0], paths[i]);
    }
    for (int i = 0; i < 3; i++)
        unlink(paths[i]);
    device_close(cpu);
    remove_place(&p);
}

void device_ask(void **state)
{
    (void)state;
    ask_both(NULL, 0);
}

static int n_elections;

static void count_elect(struct device *d, const struct election *x)
{
    assert_true(x->n_top < 48); // not the scores of all blocks
    n_elections++;
    watched_of->elect(d, x);
}

static void no_scan(struct device *d, const struct scan *s)
{
    assert_true(s->n_blocks <= 16); // the tokens of one block, to find the sentence
    watched_of->scan(d, s);
}

// Votes and words together, over one index and two: only what is read is named, and it is what the processor reads,
// with the same votes.
void device_ask_words(void **state)
{
    (void)state;
    struct place p;
    struct device *cpu;
    const struct device_ops *own = tested->ops;
    struct device_ops watched = *own;
    char here[4096], there[4096], paths[2][64];
    const char *const indexes[] = {paths[0], paths[1]}, *const selects[] = {"vote", "hybrid"};
    make_place(&p);
    open_cpu(&cpu);
    for (int i = 0; i < 2; i++) {
        snprintf(paths[i], sizeof paths[i], "%s/%d.kvz", p.dir, i);
        encode_text(cpu, &p, paths[i], i ? "top" : "keys", (struct kvz_recipe){1, 8, 8, 1});
    }
    watched_of = own;
    watched.elect = count_elect;
    watched.scan = no_scan;
    n_elections = 0;
    tells_votes = 1;
    for (int i = 0; i < 8; i++) {
        const int first = i & 1, n = i < 4 ? 1 : 2;
        const char *const same[] = {indexes[first], indexes[first]};
        struct ask_options o = {.select = selects[i >> 1 & 1], .reduce = "lse", .probe = "tokens", .scope = "question", .allot = "sharp", .budget = 64,
                                .question = "Which boats were carried under bridge 41?"};
        assert_int_equal(ask_indexes(cpu, &p, same, n, o, here, sizeof here), 0);
        tested->ops = &watched;
        assert_int_equal(ask_indexes(tested, &p, same, n, o, there, sizeof there), 0);
        tested->ops = own;
        assert_string_equal(there, here);
    }
    assert_int_equal(n_elections, 8);
    tells_votes = 0;
    struct ask_options hops = {.select = "hybrid", .scope = "question", .hops = 2}; // which asks for all there is to know
    assert_int_equal(ask_index(cpu, &p, indexes[0], hops, here, sizeof here), 0);
    assert_int_equal(ask_index(tested, &p, indexes[0], hops, there, sizeof there), 0);
    assert_string_equal(there, here);
    unlink(indexes[0]);
    unlink(indexes[1]);
    device_close(cpu);
    remove_place(&p);
}

void device_ask_spans(void **state)
{
    (void)state;
    ask_both("spans", 6);
}

// Changes a word of each coded layer, and makes the checksums right again.
static int damage(const char *path)
{
    struct kvz *k;
    int n = 0;
    OK(kvz_open(&k, path, e));
    FILE *f = fopen(path, "r+");
    assert_non_null(f);
    for (uint64_t i = 0; i < kvz_n_blocks(k); i++) {
        struct record r;
        OK(reader_record(k, i, &r, e));
        size_t at = (size_t)(r.p - k->map.data), head = disk_head_bytes(r.head.form, r.head.n_layers);
        uint8_t *p = malloc(r.bytes);
        assert_non_null(p);
        memcpy(p, r.p, r.bytes);
        for (uint32_t l = 0; l < r.head.n_layers; l++) {
            struct disk_chunk c = record_chunk(&r, l);
            if (c.codec != CODEC_CODED_WIDE)
                continue;
            p[c.off + 70] ^= 64;
            uint64_t check = hash64(p + c.off, c.bytes);
            memcpy(p + disk_head_bytes(r.head.form, l), &check, sizeof check);
            n++;
        }
        uint64_t check = hash64(p + 8, head - 8);
        memcpy(p, &check, sizeof check);
        fseek(f, (long)at, SEEK_SET);
        assert_int_equal(fwrite(p, 1, r.bytes, f), r.bytes);
        free(p);
    }
    assert_int_equal(fclose(f), 0);
    kvz_close(k);
    return n;
}

static int most_coded, most_stored;

static int count_coded(struct device *d, const struct coded_put *x, int n, int *bad, struct err *e)
{
    most_coded = n > most_coded ? n : most_coded;
    return watched_of->put_coded(d, x, n, bad, e);
}

static void count_stored(struct device *d, const struct stored_put *x, int n)
{
    most_stored = n > most_stored ? n : most_stored;
    watched_of->put_stored(d, x, n);
}

// All blocks that a question reads are decoded together, in both layers.
void device_ask_together(void **state)
{
    (void)state;
    static const struct kvz_recipe recipes[] = {{CODEC_CODED_WIDE, 300, 300, 1}, {1, 8, 8, 1}};
    struct place p;
    struct device *cpu;
    char here[4096], there[4096], index[64];
    struct device_ops watched = *tested->ops;
    const struct ask_options o = {.budget = 128, .scope = "question", .allot = "fixed", .read = READ_CACHED, .window = -1};
    make_place(&p);
    open_cpu(&cpu);
    watched_of = tested->ops;
    watched.put_coded = count_coded;
    watched.put_stored = count_stored;
    most_coded = most_stored = 0;
    snprintf(index, sizeof index, "%s/together.kvz", p.dir);
    for (int i = 0; i < 2; i++) {
        encode_text(cpu, &p, index, NULL, recipes[i]);
        assert_int_equal(ask_index(cpu, &p, index, o, here, sizeof here), 0);
        tested->ops = &watched;
        assert_int_equal(ask_index(tested, &p, index, o, there, sizeof there), 0);
        tested->ops = watched_of;
        assert_string_equal(there, here);
        unlink(index);
    }
    assert_true(most_coded > 2); // more than one block has, of those in that form
    assert_int_equal(most_stored, 2 * 2 * 128 / 16); // keys and values apart
    device_close(cpu);
    remove_place(&p);
}

// An index of codec 4, which the device decodes: what the processor answers, and where there is damage behind a
// checksum that is right, the processor's error.
void device_ask_coded(void **state)
{
    (void)state;
    struct place p;
    struct device *cpu;
    char here[4096], there[4096], index[64];
    make_place(&p);
    open_cpu(&cpu);
    snprintf(index, sizeof index, "%s/coded.kvz", p.dir);
    encode_text(cpu, &p, index, NULL, (struct kvz_recipe){CODEC_CODED_WIDE, 300, 300, 1});
    assert_int_equal(ask_index(cpu, &p, index, (struct ask_options){0}, here, sizeof here), 0);
    assert_int_equal(ask_index(tested, &p, index, (struct ask_options){0}, there, sizeof there), 0);
    assert_string_equal(there, here);
    assert_true(damage(index) > 10);
    assert_int_equal(ask_index(cpu, &p, index, (struct ask_options){0}, here, sizeof here), ERR_FORMAT);
    assert_int_equal(ask_index(tested, &p, index, (struct ask_options){0}, there, sizeof there), ERR_FORMAT);
    assert_string_equal(there, here);
    assert_non_null(strstr(there, "its symbols are damaged"));
    unlink(index);
    device_close(cpu);
    remove_place(&p);
}

// What changes the logits of an answer does so on a device that could choose the likeliest token by itself, too.
void device_ask_copies(void **state)
{
    (void)state;
    struct place p;
    struct device *cpu;
    char here[4096], there[4096], plain[4096], index[64];
    struct ask_options o = {.read = READ_FRESH, .copy = 10};
    make_place(&p);
    open_cpu(&cpu);
    snprintf(index, sizeof index, "%s/copies.kvz", p.dir);
    encode_text(cpu, &p, index, NULL, (struct kvz_recipe){1, 8, 8, 1});
    assert_int_equal(ask_index(cpu, &p, index, o, here, sizeof here), 0);
    assert_int_equal(ask_index(tested, &p, index, o, there, sizeof there), 0);
    assert_string_equal(there, here);
    o.copy = -1;
    assert_int_equal(ask_index(tested, &p, index, o, plain, sizeof plain), 0);
    assert_string_not_equal(plain, there);
    unlink(index);
    device_close(cpu);
    remove_place(&p);
}

void device_ask_failing(int waits, int (*make)(int waits, int n))
{
    struct place p;
    struct device *cpu;
    char here[4096], there[4096], index[64];
    const struct ask_options o = {.budget = 64, .scope = "question", .select = "hybrid", .read = READ_CACHED};
    int failed = 0, n = 0, came = 1;
    make_place(&p);
    open_cpu(&cpu);
    snprintf(index, sizeof index, "%s/failing.kvz", p.dir);
    encode_text(cpu, &p, index, "keys", (struct kvz_recipe){CODEC_CODED_WIDE, 300, 300, 1});
    assert_int_equal(ask_index(cpu, &p, index, o, here, sizeof here), 0);
    make(waits, ++n);
    while (came) {
        int rc = ask_index(tested, &p, index, o, there, sizeof there);
        if (!rc)
            assert_string_equal(there, here);
        else if (!waits && !strstr(there, "MiB of GPU memory needed") && !strstr(there, "MiB of page-locked memory"))
            fail_msg("allocation %d: %s", n, there);
        else if (!strstr(there, "cuda: ") || strstr(there, "cuda: : "))
            fail_msg("%s %d: %s", waits ? "wait" : "allocation", n, there);
        failed += rc != 0;
        came = make(waits, n += waits ? 3 : 1); // of the waits every third
    }
    assert_true(failed > 3 && n > 10);
    unlink(index);
    device_close(cpu);
    remove_place(&p);
}

static int n_draws;

static void count_draw(struct device *d, struct best *out, const float *x, int n, const struct draw *how)
{
    n_draws++;
    watched_of->draw(d, out, x, n, how);
}

// With a temperature: the same seed draws the same answer, and only tokens come back, but for the first one's logits.
void device_ask_drawn(void **state)
{
    (void)state;
    struct place p;
    struct device *cpu;
    char here[4096], there[4096], other[4096], index[64];
    struct ask_options o = {.read = READ_CACHED, .temp = 0.9f, .top_p = 0.95f, .seed = 7};
    struct device_ops watched = *tested->ops;
    make_place(&p);
    open_cpu(&cpu);
    snprintf(index, sizeof index, "%s/drawn.kvz", p.dir);
    encode_text(cpu, &p, index, NULL, (struct kvz_recipe){1, 8, 8, 1});
    watched_of = tested->ops;
    watched.draw = count_draw;
    n_draws = 0;
    for (int i = 0; i < 2; i++) {
        o.top_p = i ? 1 : 0.95f;
        assert_int_equal(ask_index(cpu, &p, index, o, here, sizeof here), 0);
        tested->ops = &watched;
        assert_int_equal(ask_index(tested, &p, index, o, there, sizeof there), 0);
        tested->ops = watched_of;
        assert_string_equal(there, here);
    }
    assert_true(n_draws > 12);
    o.seed = 8;
    assert_int_equal(ask_index(tested, &p, index, o, other, sizeof other), 0);
    assert_string_not_equal(other, there);
    unlink(index);
    device_close(cpu);
    remove_place(&p);
}

void device_ask_art(void **state)
{
    (void)state;
    struct place p;
    struct device *cpu;
    char here[4096], there[4096], index[64], all[4096];
    struct ask_options o = {.budget = 128, .scope = "question", .allot = "fixed", .read = READ_CACHED, .window = -1,
                            .traverse = "importance", .art_dir = 2.5, .art_patience = 2};
    make_place(&p);
    open_cpu(&cpu);
    snprintf(index, sizeof index, "%s/art.kvz", p.dir);
    encode_text(cpu, &p, index, NULL, (struct kvz_recipe){1, 8, 8, 1});
    static const double scales[] = {1e-30, 0.03, 100};
    for (size_t i = 0; i < 3; i++) {
        o.art_scale = scales[i];
        assert_int_equal(ask_index(cpu, &p, index, o, here, sizeof here), 0);
        assert_int_equal(ask_index(tested, &p, index, o, there, sizeof there), 0);
        assert_string_equal(there, here);
        if (i)
            assert_string_not_equal(there, all); // less was read
        else
            memcpy(all, there, sizeof all);
    }
    unlink(index);
    device_close(cpu);
    remove_place(&p);
}
