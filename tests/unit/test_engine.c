// What must always hold of encode and ask, on small random models.
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
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "engine/ask.h"
#include "io/file.h"
#include "tests/unit/tiny_model.h"

struct fixture {
    char dir[64];
    struct device *d;
    struct model *m;
};

static struct fixture F;

#define OK(call)                                                                                   \
    do {                                                                                           \
        struct err e_ = {0}, *e = &e_;                                                             \
        if ((call) < 0)                                                                            \
            fail_msg("%s: %s", #call, e_.msg);                                                     \
    } while (0)

static char *in_dir(const char *name)
{
    static char paths[8][128];
    static int next;
    char *p = paths[next++ % 8];
    snprintf(p, sizeof paths[0], "%s/%s", F.dir, name);
    return p;
}

// Text without end, different in every sentence, the same in every run.
static void write_text(const char *name, int sentences, uint32_t seed)
{
    static const char *const words[] = {"the",  "river", "carried", "a",     "small",   "wooden",
                                        "boat", "under", "seven",   "stone", "bridges", "while",
                                        "rain", "fell",  "on",      "every", "roof",    "of",
                                        "town", "and",   "nobody",  "spoke", "before",  "noon"};
    FILE *f = fopen(in_dir(name), "w");
    assert_non_null(f);
    for (int i = 0; i < sentences; i++) {
        for (int w = 0; w < 9; w++) {
            seed = seed * 1664525u + 1013904223u;
            fprintf(f, "%s ", words[seed >> 16 & 15 ? (seed >> 20) % 24 : (uint32_t)w]);
        }
        fprintf(f, "%d.\n", i);
    }
    assert_int_equal(fclose(f), 0);
}

static int setup(void **state)
{
    (void)state;
    snprintf(F.dir, sizeof F.dir, "/tmp/lctool-test-XXXXXX");
    assert_non_null(mkdtemp(F.dir));
    OK(device_open(&F.d, &(struct device_options){.name = "cpu", .threads = 2}, NULL, 0, e));
    OK(tiny_model_write(in_dir("tiny.gguf"), &(struct tiny_options){.n_layers = 3}, e));
    OK(model_open(&F.m, in_dir("tiny.gguf"), F.d, e));
    write_text("a.txt", 120, 1);
    write_text("b.txt", 40, 2);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    char command[128];
    model_close(F.m);
    device_close(F.d);
    snprintf(command, sizeof command, "rm -rf %s", F.dir);
    return system(command);
}

static struct encode_options small(const char *const *inputs, int n, const char *out)
{
    return (struct encode_options){.inputs = inputs,
                                   .n_inputs = n,
                                   .out = out,
                                   .window = 128,
                                   .sinks = 32,
                                   .block = 16,
                                   .chunk = 64};
}

static void encode_ok(struct encode_options o, struct encode_result *r)
{
    struct encode_result unused;
    o.force = !o.append;
    OK(encode(F.m, &o, r ? r : &unused, e));
}

static void same_file(const char *a, const char *b)
{
    char *x, *y;
    size_t nx, ny;
    OK(file_slurp(a, 1u << 30, &x, &nx, e));
    OK(file_slurp(b, 1u << 30, &y, &ny, e));
    assert_int_equal(nx, ny);
    assert_memory_equal(x, y, nx);
    free(x);
    free(y);
}

static struct kvz *open_ok(const char *path)
{
    struct kvz *k;
    OK(kvz_open(&k, path, e));
    return k;
}

// ------------------------------------------------------------------- encode then ask = full
// context

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
    OK(run_tokens(s, p.ids, p.n, logits, e));
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
        at[places.n++] = (struct place){k, i};
        far += (int)b.n_tokens;
    }
    OK(read_open(&s, F.m, k, POSITIONS_ORIGINAL, tail_tokens, far, n_tail, e));
    OK(read_far(s, -1, &places, e));
    OK(run_tokens(s, tail, n_tail, logits, e));
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
static struct fixture exact_begin(const char *path)
{
    struct fixture was = F;
    OK(device_open(&F.d, &(struct device_options){.name = "cpu", .threads = 2, .exact = 1}, NULL, 0,
                   e));
    OK(model_open(&F.m, path, F.d, e));
    return was;
}

static void exact_end(const struct fixture *was)
{
    model_close(F.m);
    device_close(F.d);
    F = *was;
}

static void test_16_bit_equals_full_context(void **state)
{
    (void)state;
    struct kvz_recipe recipe = {0, 16, 16, 1};
    struct fixture was = exact_begin(in_dir("tiny.gguf"));
    compare_to_full_context("16 bits", recipe, 2e-3);
    exact_end(&was);
    compare_to_full_context("16 bits, products as fast as they come", recipe, 2e-2);
}

// The same with the real model, where it has been fetched (tests/get-model.sh) and one run of it
// does not take minutes (the sanitizers).
static void test_real_model_equals_full_context(void **state)
{
    (void)state;
    char path[512];
    const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
    snprintf(path, sizeof path, "%s%s/lctool/models/SmolLM2-135M-Instruct.Q4_1.gguf",
             data   ? data
             : home ? home
                    : "",
             data ? "" : "/.local/share");
    clock_t began = clock();
    if (access(path, R_OK))
        skip();
    struct fixture was = exact_begin(path);
    uint32_t ids[64] = {1};
    float *logits = calloc((size_t)model_info(F.m)->n_vocab, sizeof *logits);
    struct stream *s;
    OK(stream_new(&s, F.m, &(struct stream_options){.window = 64, .chunk = 64}, e));
    OK(run_tokens(s, ids, 64, logits, e));
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

// --------------------------------------------------------------------------------- resume, append

struct stopper {
    volatile sig_atomic_t stop;
    uint64_t at;
};

static void stop_at(void *arg, const struct encode_progress *p)
{
    struct stopper *s = arg;
    s->stop = p->tokens >= s->at;
}

static void interrupted_equals_unbroken(struct encode_options o)
{
    struct encode_result whole, part;
    o.out = in_dir("whole.kvz");
    encode_ok(o, &whole);
    o.out = in_dir("parts.kvz");
    o.progress = stop_at;
    for (int parts = 1; parts <= 3; parts++) {
        unlink(o.out);
        struct stopper s = {0, 0};
        o.stop = &s.stop;
        o.arg = &s;
        int stopped = 0, rc;
        do {
            struct err e = {0};
            s.at += whole.tokens / (uint64_t)(parts + 1) + 1;
            s.stop = 0;
            rc = encode(F.m, &o, &part, &e);
            if (rc && rc != ERR_INTERRUPTED)
                fail_msg("%s", e.msg);
            stopped += rc != 0;
        } while (rc);
        assert_true(stopped >= parts);
        assert_true(part.resumed_tokens > 0);
        assert_int_equal(part.tokens, whole.tokens);
        assert_int_equal(part.text_bytes, whole.text_bytes);
        same_file(in_dir("whole.kvz"), o.out);
        assert_false(kvz_part_exists(o.out));
    }
}

static void test_resume(void **state)
{
    (void)state;
    const char *in[] = {in_dir("a.txt"), in_dir("b.txt")};
    interrupted_equals_unbroken(small(in, 2, NULL));
}

// A signal before the first chunk: what was piped in may have ended with it.
static void test_resume_from_nothing(void **state)
{
    (void)state;
    const char *in[] = {in_dir("b.txt")};
    struct encode_options o = small(in, 1, in_dir("whole.kvz"));
    encode_ok(o, NULL);
    volatile sig_atomic_t stop = 1;
    o.out = in_dir("nothing.kvz");
    o.stop = &stop;
    struct encode_result r;
    struct err e = {0};
    for (int i = 0; i < 2; i++)
        assert_int_equal(encode(F.m, &o, &r, &e), ERR_INTERRUPTED);
    stop = 0;
    assert_int_equal(encode(F.m, &o, &r, &e), 0);
    same_file(in_dir("whole.kvz"), o.out);
}

static void test_resume_with_retrieval(void **state)
{
    (void)state;
    const char *in[] = {in_dir("a.txt"), in_dir("b.txt")};
    struct encode_options o = small(in, 2, NULL);
    o.topk = 3;
    interrupted_equals_unbroken(o);
}

static void test_resume_with_spans(void **state)
{
    (void)state;
    const char *in[] = {in_dir("a.txt"), in_dir("b.txt")};
    struct encode_options o = small(in, 2, NULL);
    o.represent = "spans";
    o.sinks = 40; // the first chunk ends within a block
    interrupted_equals_unbroken(o);
}

static void test_resume_refuses_other_input(void **state)
{
    (void)state;
    write_text("c.txt", 120, 1);
    const char *in[] = {in_dir("c.txt")};
    struct stopper s = {0, 400};
    struct encode_options o = small(in, 1, in_dir("c.kvz"));
    o.progress = stop_at;
    o.stop = &s.stop;
    o.arg = &s;
    struct encode_result r;
    struct err e = {0};
    assert_int_equal(encode(F.m, &o, &r, &e), ERR_INTERRUPTED);
    write_text("c.txt", 120, 7);
    s = (struct stopper){0, 1u << 30};
    assert_int_equal(encode(F.m, &o, &r, &e), ERR_MISMATCH);
    assert_non_null(strstr(e.msg, "--force"));
    write_text("c.txt", 5, 1);
    assert_int_equal(encode(F.m, &o, &r, &e), ERR_MISMATCH);
    o.window = 256; // and other parameters
    assert_int_equal(encode(F.m, &o, &r, &e), ERR_MISMATCH);
    o.force = 1;
    assert_int_equal(encode(F.m, &o, &r, &e), 0);
}

static void test_append(void **state)
{
    (void)state;
    const char *both[] = {in_dir("a.txt"), in_dir("b.txt")};
    struct encode_result all, grown;
    struct encode_options o = small(both, 2, in_dir("all.kvz"));
    encode_ok(o, &all);
    encode_ok(small(both, 1, in_dir("grown.kvz")), NULL);
    struct encode_options add = {
        .inputs = both + 1, .n_inputs = 1, .out = in_dir("grown.kvz"), .append = 1};
    encode_ok(add, &grown);
    assert_int_equal(grown.tokens, all.tokens);
    assert_int_equal(grown.blocks, all.blocks);
    struct kvz *x = open_ok(in_dir("all.kvz")), *y = open_ok(in_dir("grown.kvz"));
    assert_int_equal(kvz_n_documents(y), 2);
    for (uint64_t i = 0; i < kvz_n_blocks(x); i++) {
        struct kvz_block a, b;
        uint32_t ids[2][256], bytes[2][256];
        OK(kvz_block(x, i, &a, e));
        OK(kvz_block(y, i, &b, e));
        assert_int_equal(a.start, b.start);
        assert_int_equal(a.end, b.end);
        assert_int_equal(a.document, b.document);
        assert_int_equal(a.n_tokens, b.n_tokens);
        OK(kvz_read_tokens(x, i, ids[0], bytes[0], e));
        OK(kvz_read_tokens(y, i, ids[1], bytes[1], e));
        assert_memory_equal(ids[0], ids[1], a.n_tokens * 4);
        assert_memory_equal(bytes[0], bytes[1], a.n_tokens * 4);
        // The window was rebuilt from 8-bit blocks: the second document's keys differ by no more.
        float k[2][2 * 16 * 16], v[2][2 * 16 * 16];
        OK(kvz_read_kv(x, i, 0, k[0], v[0], 16, e));
        OK(kvz_read_kv(y, i, 0, k[1], v[1], 16, e));
        for (uint32_t j = 0; j < 2 * 16 * 16; j++)
            if (j % 256 / 16 < a.n_tokens)
                assert_true(fabsf(k[0][j] - k[1][j]) < 0.2f);
    }
    kvz_close(x);
    kvz_close(y);
    struct err e = {0};
    add.window = 512;
    assert_int_equal(encode(F.m, &add, &grown, &e), ERR_MISMATCH);
}

static void test_retrieval_changes_what_is_encoded(void **state)
{
    (void)state;
    const char *in[] = {in_dir("a.txt")};
    struct encode_options o = small(in, 1, in_dir("k0.kvz"));
    encode_ok(o, NULL);
    o.out = in_dir("k4.kvz");
    o.topk = 4;
    encode_ok(o, NULL);
    struct kvz *x = open_ok(in_dir("k0.kvz")), *y = open_ok(in_dir("k4.kvz"));
    float a[2][512], b[2][512];
    uint64_t last = kvz_n_blocks(x) - 2;
    OK(kvz_read_kv(x, last, 2, a[0], a[1], 16, e));
    OK(kvz_read_kv(y, last, 2, b[0], b[1], 16, e));
    assert_memory_not_equal(a[1], b[1], sizeof a[1]);
    kvz_close(x);
    kvz_close(y);
}

// ----------------------------------------------------------------------------------------- asking

static void ask_text(struct kvz *k, const char *question, struct ask_options o, char *out,
                     size_t cap)
{
    struct answer a;
    o.question = question;
    o.max_tokens = 12;
    OK(ask(F.m, &k, 1, &o, &a, e));
    int at = snprintf(out, cap, "%s|%d|", a.text, a.read_tokens);
    for (int i = 0; i < a.n_evidence; i++)
        at += snprintf(out + at, cap - (size_t)at, "%llu-%llu %.17g|",
                       (unsigned long long)a.evidence[i].start,
                       (unsigned long long)a.evidence[i].end, a.evidence[i].score);
    answer_done(&a);
}

static void test_answers_do_not_depend_on_order(void **state)
{
    (void)state;
    static const char *const questions[] = {"Who carried the boat?", "What fell on every roof?",
                                            "How many bridges?"};
    static const struct ask_options ways[] = {
        {.read = READ_CACHED},       {.read = READ_FRESH},
        {.read = READ_BOTH},         {.positions = "original"},
        {.positions = "contiguous"}, {.temp = 0.8f, .top_p = 0.9f, .seed = 5},
    };
    const char *in[] = {in_dir("a.txt"), in_dir("b.txt")};
    encode_ok(small(in, 2, in_dir("order.kvz")), NULL);
    for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
        char first[3][1024], again[1024];
        struct kvz *k = open_ok(in_dir("order.kvz"));
        for (int i = 0; i < 3; i++)
            ask_text(k, questions[i], ways[w], first[i], sizeof first[i]);
        for (int i = 2; i >= 0; i--) {
            ask_text(k, questions[i], ways[w], again, sizeof again);
            assert_string_equal(first[i], again);
        }
        kvz_close(k);
        k = open_ok(in_dir("order.kvz"));
        ask_text(k, questions[1], ways[w], again, sizeof again);
        assert_string_equal(first[1], again);
        kvz_close(k);
    }
}

// Greedy writing of a random model falls into a circle; the answer ends there, not at its limit.
static void test_circles_end(void **state)
{
    (void)state;
    const char *in[] = {in_dir("b.txt")};
    encode_ok(small(in, 1, in_dir("circle.kvz")), NULL);
    struct kvz *k[] = {open_ok(in_dir("circle.kvz"))};
    struct answer a;
    OK(ask(F.m, k, 1, &(struct ask_options){.question = "boat", .max_tokens = 1000}, &a, e));
    assert_string_equal(a.finish, "repeat");
    assert_in_range(a.answer_tokens, 18, 999);
    answer_done(&a);
    OK(ask(F.m, k, 1, &(struct ask_options){.question = "boat", .max_tokens = 17}, &a, e));
    assert_string_equal(a.finish, "length");
    answer_done(&a);
    kvz_close(k[0]);
}

static void chosen(struct kvz *k, const char *question, struct ask_options o, char *out, size_t cap)
{
    struct answer a;
    o.question = question;
    OK(ask_choose(F.m, &k, 1, &o, &a, e));
    int at = 0;
    for (int i = 0; i < a.n_choices; i++)
        at += snprintf(out + at, cap - (size_t)at, "%llu %.17g|",
                       (unsigned long long)a.choices[i].block, a.choices[i].score);
    answer_done(&a);
}

// Whatever stands for blocks and whoever chooses: the same choice in any order. Words choose the
// same blocks whatever stands for them.
static void test_every_part(void **state)
{
    (void)state;
    static const char *const represents[] = {"keys", "top",   "spans", "mean",
                                             "max",  "quest", "fixed"};
    static const struct ask_options ways[] = {
        {.select = "vote", .budget = 64},
        {.select = "exact", .reduce = "max", .budget = 64},
        {.select = "bm25", .budget = 64},
        {.select = "hybrid", .probe = "mean", .budget = 64},
        {.select = "vote", .reduce = "sum", .probe = "bias", .rerank = 5, .budget = 64},
    };
    const char *in[] = {in_dir("b.txt")}, *out = in_dir("parts.kvz");
    char words[1024] = "";
    for (size_t r = 0; r < sizeof represents / sizeof *represents; r++) {
        struct encode_options o = small(in, 1, out);
        o.represent = represents[r];
        encode_ok(o, NULL);
        struct kvz *k = open_ok(out);
        for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
            char first[2][1024], again[1024];
            chosen(k, "Who carried the boat?", ways[w], first[0], sizeof first[0]);
            chosen(k, "How many bridges?", ways[w], first[1], sizeof first[1]);
            chosen(k, "Who carried the boat?", ways[w], again, sizeof again);
            assert_string_equal(first[0], again);
            assert_string_not_equal(first[0], first[1]);
            if (w == 2 && r == 0)
                snprintf(words, sizeof words, "%s", again);
            if (w == 2)
                assert_string_equal(words, again);
        }
        kvz_close(k);
    }
}

// Every method, on an index of its own and, where it asks any index, on another's: the same answer
// in any order, a choice for each layer where the method makes one, and no block beyond what it may
// read.
static void test_every_method(void **state)
{
    (void)state;
    static const char *const names[] = {"infllm", "actqkv",    "quest", "kt",
                                        "snapkv", "streaming", "full"};
    const char *in[] = {in_dir("b.txt")}, *out = in_dir("method.kvz");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct encode_options o = small(in, 1, out);
        o.method = i == 4 ? "quest" : names[i];
        encode_ok(o, NULL);
        struct kvz *k = open_ok(out);
        struct ask_options ask_it = {.method = names[i], .budget = 64, .max_tokens = 4};
        char first[2][1024], again[1024];
        ask_text(k, "Who carried the boat?", ask_it, first[0], sizeof first[0]);
        ask_text(k, "How many bridges?", ask_it, first[1], sizeof first[1]);
        ask_text(k, "Who carried the boat?", ask_it, again, sizeof again);
        assert_string_equal(first[0], again);

        struct answer a;
        ask_it.question = "Who carried the boat?";
        OK(ask(F.m, &k, 1, &ask_it, &a, e));
        int full = !strcmp(names[i], "full"), none = !strcmp(names[i], "streaming");
        int dense = !strcmp(names[i], "kt"), uneven = !strcmp(names[i], "actqkv");
        assert_int_equal(a.n_choices == (int)kvz_n_blocks(k), full);
        assert_int_equal(a.n_choices == 0, none);
        assert_int_equal(a.n_evidence == 0, none);
        int far = a.read_tokens;
        answer_done(&a);
        ask_it.method = "streaming";
        OK(ask(F.m, &k, 1, &ask_it, &a, e));
        far -= a.read_tokens;
        if (!full && !dense && !uneven)
            assert_in_range(far, none ? 0 : 49, none ? 0 : 64);
        if (dense || uneven)
            assert_in_range(far, dense ? 65 : 49, kvz_n_tokens(k)); // the layer that reads most
        answer_done(&a);
        kvz_close(k);
    }
}

// Below the least score nothing is read or written; at it the answer is the usual one.
static void test_min_score(void **state)
{
    (void)state;
    const char *in[] = {in_dir("b.txt")};
    encode_ok(small(in, 1, in_dir("score.kvz")), NULL);
    struct kvz *k = open_ok(in_dir("score.kvz"));
    struct ask_options o = {.question = "boat", .budget = 64, .max_tokens = 4};
    struct answer a, b;
    OK(ask(F.m, &k, 1, &o, &a, e));
    assert_true(a.score > 0 && a.score == a.evidence[0].score);
    o.min_score = a.score * 1.01;
    OK(ask(F.m, &k, 1, &o, &b, e));
    assert_string_equal(b.finish, "unanswered");
    assert_string_equal(b.text, "");
    assert_int_equal(b.n_choices + b.read_tokens + b.answer_tokens, 0);
    assert_true(b.score == a.score && b.n_evidence == a.n_evidence);
    answer_done(&b);
    o.min_score = a.score;
    OK(ask(F.m, &k, 1, &o, &b, e));
    assert_string_equal(b.text, a.text);
    answer_done(&b);
    answer_done(&a);
    kvz_close(k);
}

// An index of other vectors is refused, with the command that makes the right one.
static void test_method_needs_its_vectors(void **state)
{
    (void)state;
    const char *in[] = {in_dir("b.txt")};
    struct encode_options o = small(in, 1, in_dir("max.kvz"));
    o.method = "kt";
    encode_ok(o, NULL);
    struct kvz *k = open_ok(in_dir("max.kvz"));
    struct answer a;
    struct err err = {0};
    assert_int_equal(
        ask(F.m, &k, 1, &(struct ask_options){.question = "boat", .method = "quest"}, &a, &err),
        ERR_MISMATCH);
    assert_non_null(strstr(err.msg, "encode --method quest"));
    assert_int_equal(
        ask(F.m, &k, 1, &(struct ask_options){.question = "boat", .reduce = "pool"}, &a, &err),
        ERR_USAGE);
    kvz_close(k);
}

static void test_similarity_needs_every_head(void **state)
{
    (void)state;
    const char *in[] = {in_dir("b.txt")};
    struct encode_options o = small(in, 1, in_dir("mean.kvz"));
    o.represent = "mean";
    encode_ok(o, NULL);
    struct kvz *k = open_ok(in_dir("mean.kvz"));
    struct answer a;
    struct err err = {0};
    assert_int_equal(ask(F.m, &k, 1,
                         &(struct ask_options){.question = "boat", .select = "similarity"}, &a,
                         &err),
                     ERR_USAGE);
    assert_non_null(strstr(err.msg, "infllm"));
    kvz_close(k);
    struct encode_options add = {
        .inputs = in, .n_inputs = 1, .out = in_dir("mean.kvz"), .append = 1};
    struct encode_result r;
    add.represent = "spans";
    assert_int_equal(encode(F.m, &add, &r, &err), ERR_MISMATCH);
    add.represent = NULL;
    assert_int_equal(encode(F.m, &add, &r, &err), 0);
}

static void test_evidence_is_the_document(void **state)
{
    (void)state;
    const char *in[] = {in_dir("a.txt"), in_dir("b.txt")};
    encode_ok(small(in, 2, in_dir("evidence.kvz")), NULL);
    struct kvz *k[] = {open_ok(in_dir("evidence.kvz"))};
    struct answer a;
    OK(ask(F.m, k, 1, &(struct ask_options){.question = "boat", .n_evidence = 8, .max_tokens = 1},
           &a, e));
    assert_int_equal(a.n_evidence, 8);
    for (int i = 0; i < a.n_evidence; i++) {
        char *text;
        size_t bytes;
        OK(file_slurp(a.evidence[i].document, 1u << 20, &text, &bytes, e));
        assert_in_range(a.evidence[i].end, a.evidence[i].start + 1, bytes);
        assert_int_equal(a.evidence[i].text_bytes, a.evidence[i].end - a.evidence[i].start);
        assert_memory_equal(a.evidence[i].text, text + a.evidence[i].start,
                            a.evidence[i].text_bytes);
        free(text);
    }
    answer_done(&a);
    kvz_close(k[0]);
}

// Whatever token the votes fall on: the focus holds it, and is one sentence of the passage.
static void test_focus_is_a_sentence(void **state)
{
    (void)state;
    const char *in[] = {in_dir("a.txt")};
    encode_ok(small(in, 1, in_dir("focus.kvz")), NULL);
    struct kvz *k = open_ok(in_dir("focus.kvz"));
    for (uint64_t b = 0; b < 8; b++) {
        struct kvz_block info;
        uint32_t ids[64], bytes[64];
        OK(kvz_block(k, b, &info, e));
        OK(kvz_read_tokens(k, b, ids, bytes, e));
        uint64_t at = info.start;
        for (uint32_t t = 0; t < info.n_tokens && info.end > info.start; at += bytes[t++]) {
            struct evidence v;
            OK(evidence_of(&v, k, 0, b, 0, e));
            OK(evidence_focus(&v, k, t, e));
            assert_in_range(v.focus_start, v.start, v.end - 1);
            assert_in_range(v.focus_end, v.focus_start + 1, v.end);
            if (bytes[t] > 1)
                assert_true(v.focus_start < at + bytes[t] && v.focus_end > at);
            const char *s = v.text + (v.focus_start - v.start);
            const char *stop = strstr(s, ". ");
            assert_true(!stop || stop + 1 >= s + (v.focus_end - v.focus_start));
            free(v.text);
        }
    }
    kvz_close(k);
}

static void test_indexes_together(void **state)
{
    (void)state;
    const char *a[] = {in_dir("a.txt")}, *b[] = {in_dir("b.txt")};
    encode_ok(small(a, 1, in_dir("one.kvz")), NULL);
    encode_ok(small(b, 1, in_dir("two.kvz")), NULL);
    struct kvz *k[] = {open_ok(in_dir("one.kvz")), open_ok(in_dir("two.kvz"))};
    struct answer r;
    OK(ask(F.m, k, 2,
           &(struct ask_options){
               .question = "boat", .n_evidence = 60, .budget = 4096, .max_tokens = 4},
           &r, e));
    int seen[2] = {0, 0};
    for (int i = 0; i < r.n_evidence; i++)
        seen[r.evidence[i].index]++;
    assert_true(seen[0] > 0 && seen[1] > 0);
    assert_int_equal(r.document_tokens, kvz_n_tokens(k[0]) + kvz_n_tokens(k[1]));
    answer_done(&r);
    kvz_close(k[0]);
    kvz_close(k[1]);
}

static void test_budget_and_all_blocks(void **state)
{
    (void)state;
    const char *in[] = {in_dir("a.txt")};
    encode_ok(small(in, 1, in_dir("budget.kvz")), NULL);
    struct kvz *k[] = {open_ok(in_dir("budget.kvz"))};
    struct answer r;
    for (int budget = 16; budget <= 256; budget *= 2) {
        OK(ask(F.m, k, 1,
               &(struct ask_options){.question = "boat",
                                     .budget = budget,
                                     .scope = "question",
                                     .window = -1,
                                     .max_tokens = 1},
               &r, e));
        int tokens = 0;
        for (int i = 0; i < r.n_choices; i++) {
            struct kvz_block b;
            OK(kvz_block(k[0], r.choices[i].block, &b, e));
            tokens += b.flags & KVZ_SINK ? 0 : (int)b.n_tokens;
            assert_int_equal(r.choices[i].n_votes, 3); // no profile: one opinion a layer
        }
        assert_in_range(tokens, budget > 16 ? budget - 15 : 1, budget);
        answer_done(&r);
    }
    OK(ask(F.m, k, 1, &(struct ask_options){.question = "boat", .allot = "all", .max_tokens = 1},
           &r, e));
    assert_int_equal(r.n_choices, kvz_n_blocks(k[0]));
    assert_int_equal(r.read_tokens, kvz_n_tokens(k[0]));
    answer_done(&r);
    kvz_close(k[0]);
}

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
        const char *says;
    } others[] = {
        {{.n_layers = 3, .seed = 9}, "another model file"},
        {{.n_layers = 2}, "another model"},
        {{.n_layers = 3, .rope_base = 500000}, "another model file"},
    };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        struct model *m;
        struct err err = {0};
        OK(tiny_model_write(in_dir("other.gguf"), &others[i].o, e));
        OK(model_open(&m, in_dir("other.gguf"), F.d, e));
        assert_int_equal(ask_check(m, k, &err), ERR_MISMATCH);
        assert_non_null(strstr(err.msg, others[i].says));
        model_close(m);
    }
    kvz_close(k);
}

static void keep_note(void *arg, const char *msg)
{
    char *all = arg;
    strncat(all, msg, 1000 - strlen(all));
}

// A template that is not known is said to be, and no other put in its place.
static void test_unknown_template(void **state)
{
    (void)state;
    const char *in[] = {in_dir("b.txt")};
    for (int i = 0; i < 2; i++) {
        struct model *m;
        char notes[1001] = "";
        struct tiny_options o = {.template_text = "{{ bos }}<|speaker|>{{ messages[0].content }}"};
        struct encode_options eo = small(in, 1, in_dir("odd.kvz"));
        eo.template_name = i ? "chatml" : NULL;
        eo.note = keep_note;
        eo.arg = notes;
        eo.force = 1;
        OK(tiny_model_write(in_dir("odd.gguf"), &o, e));
        OK(model_open(&m, in_dir("odd.gguf"), F.d, e));
        assert_null(model_info(m)->template_name);
        struct encode_result r;
        OK(encode(m, &eo, &r, e));
        assert_int_equal(!strstr(notes, "template is not one that is known"), i);
        struct kvz *k = open_ok(in_dir("odd.kvz"));
        assert_string_equal(kvz_meta(k)->template_name, i ? "chatml" : "raw");
        kvz_close(k);
        model_close(m);
    }
}

static void test_summary_cites_every_section(void **state)
{
    (void)state;
    const char *in[] = {in_dir("a.txt"), in_dir("b.txt")};
    encode_ok(small(in, 2, in_dir("sum.kvz")), NULL);
    struct kvz *k = open_ok(in_dir("sum.kvz"));
    struct summary s;
    OK(summarize(F.m, k, &(struct summarize_options){.sections = 1, .words = 4}, &s, e));
    assert_in_range(s.n_sections, 2, 4);
    for (int i = 0; i < s.n_sections; i++) {
        int b = i == s.n_sections - 1; // the shorter document is one section
        assert_string_equal(s.sections[i].document, b ? in_dir("b.txt") : in_dir("a.txt"));
        assert_true(s.sections[i].n_evidence > 0);
        for (int j = 0; j < s.sections[i].n_evidence; j++)
            assert_string_equal(s.sections[i].evidence[j].document, s.sections[i].document);
    }
    summary_done(&s);
    OK(summarize(F.m, k, &(struct summarize_options){.words = 4}, &s, e));
    assert_int_equal(s.n_sections, 1);
    summary_done(&s);
    kvz_close(k);
}

// ---------------------------------------------------------------------------------- unusual inputs

static void write_bytes(const char *name, const char *p, size_t n)
{
    FILE *f = fopen(in_dir(name), "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(p, 1, n, f), n);
    assert_int_equal(fclose(f), 0);
}

static void test_unusual_documents(void **state)
{
    (void)state;
    char *line = malloc(20000);
    assert_non_null(line);
    memset(line, 'x', 20000);
    static const struct {
        const char *name, *text;
        size_t n;
    } docs[] = {
        {"short.txt", "Hi.", 3},
        {"invalid.txt", "caf\xe9 \xff\xfe\x80 end \xc3", 15},
        {"nul.txt", "a\0b\0\0c", 6},
    };
    for (size_t i = 0; i <= sizeof docs / sizeof *docs; i++) {
        int last = i == sizeof docs / sizeof *docs;
        const char *name = last ? "line.txt" : docs[i].name, *text = last ? line : docs[i].text;
        size_t n = last ? 20000 : docs[i].n;
        write_bytes(name, text, n);
        const char *in[] = {in_dir(name)};
        struct encode_result r;
        encode_ok(small(in, 1, in_dir("unusual.kvz")), &r);
        assert_int_equal(r.text_bytes, n);
        struct kvz *k = open_ok(in_dir("unusual.kvz"));
        char *back = malloc(n + 1);
        size_t at = 0;
        for (uint64_t b = 0; b < kvz_n_blocks(k); b++) {
            struct kvz_block info;
            OK(kvz_block(k, b, &info, e));
            assert_int_equal(info.start, at);
            OK(kvz_read_text(k, b, back + at, e));
            at = info.end;
        }
        assert_int_equal(at, n);
        assert_memory_equal(back, text, n);
        char out[1024];
        ask_text(k, "What?", (struct ask_options){0}, out, sizeof out);
        free(back);
        kvz_close(k);
    }
    free(line);
    write_bytes("empty.txt", "", 0);
    const char *empty[] = {in_dir("empty.txt")}, *mixed[] = {in_dir("empty.txt"), in_dir("b.txt")};
    struct encode_options o = small(empty, 1, in_dir("empty.kvz"));
    struct encode_result r;
    struct err e = {0};
    assert_int_equal(encode(F.m, &o, &r, &e), ERR_FORMAT);
    assert_non_null(strstr(e.msg, "no text"));
    assert_int_equal(access(in_dir("empty.kvz"), F_OK), -1);
    assert_int_equal(access(in_dir("empty.kvz.part"), F_OK), -1);
    encode_ok(small(mixed, 2, in_dir("mixed.kvz")), &r);
    assert_int_equal(r.documents, 2);
}

static void test_options_that_contradict(void **state)
{
    (void)state;
    const char *in[] = {in_dir("b.txt")};
    struct encode_options bad[] = {small(in, 1, NULL), small(in, 1, NULL), small(in, 1, NULL),
                                   small(in, 1, NULL), small(in, 1, NULL)};
    bad[0].chunk = 50;
    bad[1].sinks = 4000;
    bad[2].positions = "sideways";
    bad[3].method = "magic";
    bad[4].template_name = "klingon";
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct encode_result r;
        struct err e = {0};
        bad[i].out = in_dir("bad.kvz");
        assert_int_equal(encode(F.m, &bad[i], &r, &e), ERR_USAGE);
        assert_int_equal(access(bad[i].out, F_OK), -1);
    }
    struct encode_result r;
    struct err e = {0};
    struct encode_options o = small(in, 1, in_dir("twice.kvz"));
    encode_ok(o, NULL);
    assert_int_equal(encode(F.m, &o, &r, &e), ERR_USAGE);
    assert_non_null(strstr(e.msg, "--force"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_16_bit_equals_full_context),
        cmocka_unit_test(test_8_bit_is_close_to_full_context),
        cmocka_unit_test(test_real_model_equals_full_context),
        cmocka_unit_test(test_resume),
        cmocka_unit_test(test_resume_from_nothing),
        cmocka_unit_test(test_resume_with_retrieval),
        cmocka_unit_test(test_resume_with_spans),
        cmocka_unit_test(test_resume_refuses_other_input),
        cmocka_unit_test(test_append),
        cmocka_unit_test(test_retrieval_changes_what_is_encoded),
        cmocka_unit_test(test_answers_do_not_depend_on_order),
        cmocka_unit_test(test_circles_end),
        cmocka_unit_test(test_every_part),
        cmocka_unit_test(test_every_method),
        cmocka_unit_test(test_min_score),
        cmocka_unit_test(test_method_needs_its_vectors),
        cmocka_unit_test(test_similarity_needs_every_head),
        cmocka_unit_test(test_evidence_is_the_document),
        cmocka_unit_test(test_focus_is_a_sentence),
        cmocka_unit_test(test_indexes_together),
        cmocka_unit_test(test_budget_and_all_blocks),
        cmocka_unit_test(test_threads_do_not_matter),
        cmocka_unit_test(test_wrong_model_is_refused),
        cmocka_unit_test(test_unknown_template),
        cmocka_unit_test(test_summary_cites_every_section),
        cmocka_unit_test(test_unusual_documents),
        cmocka_unit_test(test_options_that_contradict),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
