// What must always hold of questions and summaries, on small random models.
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/ask.h"
#include "io/file.h"
#include "tests/unit/engine_fixture.h"
#include "tests/unit/ok.h"

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
    static const char *const questions[] = {"boat", "What fell?", "Seven bridges", "noon", "rain"};
    int circles = 0; // which answers fall into one differs with how products are rounded
    for (size_t i = 0; i < sizeof questions / sizeof *questions; i++) {
        struct answer a;
        OK(ask(F.m, k, 1, &(struct ask_options){.question = questions[i], .max_tokens = 1000}, &a, e));
        if (!strcmp(a.finish, "repeat")) {
            circles++;
            assert_in_range(a.answer_tokens, 18, 999);
        }
        answer_done(&a);
        OK(ask(F.m, k, 1, &(struct ask_options){.question = questions[i], .max_tokens = 3}, &a, e));
        assert_in_range(a.answer_tokens, 0, 3);
        assert_string_equal(a.finish, a.answer_tokens < 3 ? "end" : "length");
        answer_done(&a);
    }
    assert_true(circles > 0);
    kvz_close(k[0]);
}

// Writing may be forbidden to say the same again, and be told to end where enough has been said.
static void test_summaries_do_not_repeat(void **state)
{
    (void)state;
    const char *in[] = {in_dir("b.txt")};
    encode_ok(small(in, 1, in_dir("again.kvz")), NULL);
    struct kvz *k = open_ok(in_dir("again.kvz"));
    static const char *const questions[] = {"boat", "What fell?", "Seven bridges", "noon"};
    int circles[2] = {0, 0}; // of answers that may repeat, and may not
    for (int i = 0; i < 8; i++) {
        int forbidden = i % 2;
        struct place places[8];
        struct prompt p = {0};
        for (uint64_t b = 0; b < 8; b++)
            places[b] = (struct place){.k = k, .block = 2 + b};
        OK(prompt_question(&p, F.m, chat_find("chatml"), NULL, questions[i / 2], NULL, e));
        struct reading r = {.m = F.m,
                            .chat = chat_find("chatml"),
                            .home = k,
                            .window = 128,
                            .far = {places, 8, 8 * 16},
                            .mode = READ_CACHED,
                            .question = &p,
                            .w = {.max_tokens = 500, .no_repeat = forbidden ? 4 : 0}};
        OK(read_and_write(&r, e));
        circles[forbidden] += !strcmp(r.w.finish, "repeat");
        free(r.w.out);
        prompt_done(&p);
    }
    assert_true(circles[0] > 0);
    assert_int_equal(circles[1], 0);
    kvz_close(k);
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
        {.select = "vote", .likelihood = 6, .read = READ_SENTENCES, .budget = 64},
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

// Whatever token it is asked for: a sentence holds it, is one sentence of the document, and ends where a block does
// only if it is longer than the blocks around it.
static void test_sentences_cross_blocks(void **state)
{
    (void)state;
    const char *in[] = {in_dir("a.txt")};
    encode_ok(small(in, 1, in_dir("sentence.kvz")), NULL);
    struct kvz *k = open_ok(in_dir("sentence.kvz"));
    char *text;
    size_t n;
    int crossed = 0;
    OK(file_slurp(in_dir("a.txt"), 1u << 20, &text, &n, e));
    for (uint64_t b = 0; b < kvz_n_blocks(k); b++) {
        struct kvz_block info;
        uint32_t ids[64], bytes[64];
        struct sentence v;
        OK(kvz_block(k, b, &info, e));
        OK(kvz_read_tokens(k, b, ids, bytes, e));
        uint64_t at = info.start;
        for (uint32_t t = 0; t < info.n_tokens && info.end > info.start; at += bytes[t++]) {
            OK(sentence_around(&v, k, b, &t, e));
            assert_in_range(v.end, v.start + 1, n);
            assert_int_equal(strlen(v.text), v.end - v.start);
            assert_memory_equal(v.text, text + v.start, v.end - v.start);
            if (bytes[t] > 1)
                assert_true(v.start < at + bytes[t] && v.end > at);
            const char *stop = strstr(v.text, ". ");
            assert_true(!stop || (stop[2] >= 'a' && stop[2] <= 'z'));
            assert_true(v.end == n || v.text[v.end - v.start - 1] == '.' || v.end > info.end);
            crossed += v.start < info.start || v.end > info.end;
            sentence_done(&v);
        }
        OK(sentence_around(&v, k, b, NULL, e));
        assert_int_equal(v.start, info.start);
        assert_int_equal(v.end, info.end);
        sentence_done(&v);
    }
    assert_true(crossed > 0);
    free(text);
    kvz_close(k);
}

// Sentences are what is read: as many as fit the budget, the best one whatever it takes, and the same answer in any
// order.
static void test_sentences_are_read(void **state)
{
    (void)state;
    const char *in[] = {in_dir("a.txt")}, *asked[] = {"Who carried the boat?", "How many bridges?", "Who carried the boat?"};
    encode_ok(small(in, 1, in_dir("read.kvz")), NULL);
    struct kvz *k = open_ok(in_dir("read.kvz"));
    struct answer one, a[3];
    struct ask_options o = {.question = asked[0], .select = "vote", .read = READ_SENTENCES, .budget = 16, .max_tokens = 8};
    OK(ask(F.m, &k, 1, &o, &one, e));
    o.budget = 150;
    for (int i = 0; i < 3; i++) {
        o.question = asked[i];
        OK(ask(F.m, &k, 1, &o, &a[i], e));
    }
    assert_int_equal(one.n_choices, 1);
    assert_in_range(one.read_tokens, 1, 150);
    assert_in_range(a[0].read_tokens, one.read_tokens + 1, 150 + 2 * a[0].n_choices); // empty lines between them
    assert_string_equal(a[0].text, a[2].text);
    assert_int_equal(a[0].read_tokens, a[2].read_tokens);
    answer_done(&one);
    for (int i = 0; i < 3; i++)
        answer_done(&a[i]);
    kvz_close(k);
}

// The judged blocks come first, best first, under a score that the best vote had; with one block, or a sharp vote,
// nothing is judged.
// Words alone choose here, so that the way can be followed by hand: bridge -> Zorn -> Malta.
static void test_hops(void **state)
{
    (void)state;
    static const char *const places[] = {"The bridge over the Aune was built by Zorn.",
                                         "In his youth Zorn kept bees on Malta.",
                                         "On Malta it rains in winter only."};
    FILE *f = fopen(in_dir("hops.txt"), "w");
    assert_non_null(f);
    for (int i = 0; i < 90; i++)
        fprintf(f, "%s ", i % 30 == 15 ? places[i / 30] : "Nobody said anything before noon today.");
    assert_int_equal(fclose(f), 0);
    const char *in[] = {in_dir("hops.txt")};
    struct encode_options eo = small(in, 1, in_dir("hops.kvz"));
    eo.block = 64; // a sentence or two
    encode_ok(eo, NULL);
    struct kvz *k[] = {open_ok(in_dir("hops.kvz"))};
    for (int hops = 1; hops <= 3; hops++) {
        struct ask_options o = {.question = "Which bridge over the Aune?",
                                .select = "bm25",
                                .hops = hops,
                                .n_evidence = 3};
        struct answer a;
        OK(ask_choose(F.m, k, 1, &o, &a, e));
        static const char *const words[] = {"built", "bees", "rains"};
        for (int i = 0; i < hops; i++)
            assert_non_null(strstr(a.evidence[i].text, words[i]));
        assert_true(hops > 2 || !strstr(a.evidence[hops].text, words[hops]));
        answer_done(&a);
    }
    kvz_close(k[0]);
}

static void test_likelihood_orders(void **state)
{
    (void)state;
    const char *in[] = {in_dir("a.txt")};
    encode_ok(small(in, 1, in_dir("likely.kvz")), NULL);
    struct kvz *k = open_ok(in_dir("likely.kvz"));
    struct ask_options o = {.question = "Who carried the boat?", .select = "vote", .n_evidence = 12};
    struct answer votes, one, a;
    OK(ask_choose(F.m, &k, 1, &o, &votes, e));
    o.likelihood = 1;
    OK(ask_choose(F.m, &k, 1, &o, &one, e));
    o.likelihood = 6;
    OK(ask_choose(F.m, &k, 1, &o, &a, e));
    int moved = 0;
    for (int i = 0; i < 12; i++) {
        int among = 0;
        for (int j = 0; j < 6; j++)
            among |= a.evidence[i].block == votes.evidence[j].block;
        assert_int_equal(among, i < 6);
        assert_int_equal(one.evidence[i].block, votes.evidence[i].block);
        moved |= a.evidence[i].block != votes.evidence[i].block;
        if (i)
            assert_true(a.evidence[i].score <= a.evidence[i - 1].score);
    }
    assert_true(votes.evidence[1].score >= votes.evidence[0].score / 2);
    assert_true(a.evidence[0].score == votes.evidence[0].score);
    assert_true(moved);
    answer_done(&votes);
    answer_done(&one);
    answer_done(&a);
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

// Every second layer chooses, and the one after it reads the same: as if there were no other choosers.
static void test_layer_step(void **state)
{
    (void)state;
    const char *in[] = {in_dir("a.txt")};
    encode_ok(small(in, 1, in_dir("step.kvz")), NULL);
    struct kvz *k[] = {open_ok(in_dir("step.kvz"))};
    int choices[5];
    for (int step = 1; step <= 4; step++) {
        struct answer r;
        struct kvz_block b;
        int far = 0;
        OK(ask(F.m, k, 1,
               &(struct ask_options){.question = "boat under seven stone bridges",
                                     .scope = "layer",
                                     .allot = "fixed",
                                     .budget = 32,
                                     .window = -1,
                                     .n_evidence = -1,
                                     .layer_step = step,
                                     .max_tokens = 1},
               &r, e));
        for (int i = 0; i < r.n_choices; i++) {
            OK(kvz_block(k[0], r.choices[i].block, &b, e));
            far += !(b.flags & KVZ_SINK);
        }
        choices[step] = far;
        answer_done(&r);
    }
    // Three layers of two blocks each: one chooser reads two blocks, two read up to four.
    assert_int_equal(choices[3], 2);
    assert_int_equal(choices[4], 2);
    assert_in_range(choices[2], 2, 4);
    assert_in_range(choices[1], choices[2], 6);
    assert_true(choices[1] > choices[3]);
    kvz_close(k[0]);
}

// Blocks in another order are the same blocks; ART reads as few of them as it is told.
static void test_traverse_and_art(void **state)
{
    (void)state;
    const char *in[] = {in_dir("a.txt")};
    const struct ask_options far = {.question = "boat",
                                    .budget = 128,
                                    .scope = "question",
                                    .allot = "fixed",
                                    .read = READ_CACHED,
                                    .window = -1,
                                    .max_tokens = 4};
    encode_ok(small(in, 1, in_dir("order.kvz")), NULL);
    struct kvz *k[] = {open_ok(in_dir("order.kvz"))};
    struct answer r;
    struct err why;
    static const char *const orders[] = {"document", "importance", "recency"};
    static const char *const positions[] = {"window", "contiguous", "original"};
    for (int p = 0; p < 3; p++) {
        char *first = NULL;
        for (int i = 0; i < 3; i++) {
            struct ask_options o = far;
            o.traverse = orders[i];
            o.positions = positions[p];
            OK(ask(F.m, k, 1, &o, &r, e));
            assert_int_equal(r.art_blocks, 0);
            if (first)
                assert_string_equal(r.text, first);
            else
                first = strdup(r.text);
            answer_done(&r);
        }
        free(first);
    }
    struct ask_options o = far;
    o.traverse = "importance";
    o.art_scale = 100; // everything is stable
    o.art_dir = 2.5;
    for (o.art_patience = 1; o.art_patience < 4; o.art_patience++) {
        OK(ask(F.m, k, 1, &o, &r, e));
        assert_int_equal(r.n_choices, 128 / 16);
        assert_true(r.answer_tokens > 1);
        assert_int_equal(r.art_blocks, (uint64_t)(r.answer_tokens - 1) * 3 * 4 * (uint64_t)r.n_choices);
        assert_int_equal(r.art_read * (uint64_t)r.n_choices, r.art_blocks * (uint64_t)o.art_patience);
        answer_done(&r);
    }
    o.art_scale = 1e-30; // nothing is
    OK(ask(F.m, k, 1, &o, &r, e));
    assert_true(r.art_blocks > 0 && r.art_read == r.art_blocks);
    answer_done(&r);
    o.traverse = "recency";
    assert_int_equal(ask(F.m, k, 1, &o, &r, &why), ERR_USAGE);
    assert_non_null(strstr(why.msg, "importance"));
    o.traverse = "importance";
    o.read = READ_FRESH;
    assert_int_equal(ask(F.m, k, 1, &o, &r, &why), ERR_USAGE);
    assert_non_null(strstr(why.msg, "cached"));
    o.read = READ_CACHED;
    o.art_scale = 0;
    assert_int_equal(ask(F.m, k, 1, &o, &r, &why), ERR_USAGE);
    assert_non_null(strstr(why.msg, "off"));
    kvz_close(k[0]);
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
    // The whole, each sentence of which cites a passage of the section that it names.
    assert_string_equal(s.from, "blocks");
    assert_non_null(s.text);
    assert_true(s.n_statements > 0);
    size_t end = 0;
    for (int i = 0; i < s.n_statements; i++) {
        const struct summary_statement *t = &s.statements[i];
        assert_true(t->start >= end && t->end > t->start && t->end <= strlen(s.text));
        end = t->end;
        assert_in_range(t->section, 0, s.n_sections - 1);
        assert_int_equal(t->n_evidence, 1);
        int found = 0;
        for (int j = 0; j < s.sections[t->section].n_evidence; j++)
            found |= s.sections[t->section].evidence[j].block == t->evidence->block;
        assert_true(found);
    }
    summary_done(&s);
    kvz_close(k);
}

static void test_summary_of_the_state(void **state)
{
    (void)state;
    const char *in[] = {in_dir("a.txt"), in_dir("b.txt")};
    encode_ok(small(in, 2, in_dir("sum.kvz")), NULL);
    struct kvz *k = open_ok(in_dir("sum.kvz"));
    struct kvz_summary is;
    struct summary s;
    struct err why;
    OK(kvz_summary(k, &is, e));
    OK(summarize(F.m, k, &(struct summarize_options){.words = 4, .from = "state"}, &s, e));
    assert_int_equal(s.n_sections, 1);
    assert_string_equal(s.from, "state");
    assert_null(s.text);
    assert_int_equal(s.read_tokens, 32 + is.n); // sinks and state: no block
    assert_in_range(s.sections[0].n_evidence, 2, 8);
    for (int i = 1; i < s.sections[0].n_evidence; i++) // in the order of the document
        assert_true(s.sections[0].evidence[i].block > s.sections[0].evidence[i - 1].block);
    summary_done(&s);
    OK(summarize(F.m, k, &(struct summarize_options){.words = 4, .from = "blocks"}, &s, e));
    assert_int_equal(s.n_sections, 1);
    assert_string_equal(s.from, "blocks");
    summary_done(&s);
    assert_int_equal(summarize(F.m, k, &(struct summarize_options){.from = "words"}, &s, &why),
                     ERR_USAGE);
    // A question of method cascade reads the same, and no block.
    const struct ask_options all = {.question = "boat", .method = "cascade", .max_tokens = 2};
    struct kvz *both[] = {k, k};
    struct answer r;
    OK(ask(F.m, both, 1, &all, &r, e));
    assert_int_equal(r.read_tokens, 32 + is.n);
    assert_int_equal(r.n_choices + r.n_evidence, 0);
    answer_done(&r);
    assert_int_equal(ask(F.m, both, 2, &all, &r, &why), ERR_USAGE);
    assert_int_equal(
        summarize(F.m, k, &(struct summarize_options){.from = "state", .sections = 1}, &s, &why),
        ERR_USAGE);
    kvz_close(k);
    // A text that ends among the sinks leaves none.
    struct encode_options o = small(in + 1, 1, in_dir("short.kvz"));
    o.window = o.sinks = 4096;
    encode_ok(o, NULL);
    k = open_ok(in_dir("short.kvz"));
    OK(kvz_summary(k, &is, e));
    assert_int_equal(is.n, 0);
    OK(summarize(F.m, k, &(struct summarize_options){.words = 4}, &s, e)); // blocks
    assert_string_equal(s.from, "blocks");
    summary_done(&s);
    assert_int_equal(summarize(F.m, k, &(struct summarize_options){.from = "state"}, &s, &why),
                     ERR_MISMATCH);
    assert_non_null(strstr(why.msg, "--from blocks"));
    assert_int_equal(ask(F.m, &k, 1, &all, &r, &why), ERR_MISMATCH);
    kvz_close(k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_answers_do_not_depend_on_order),
        cmocka_unit_test(test_circles_end),
        cmocka_unit_test(test_summaries_do_not_repeat),
        cmocka_unit_test(test_every_part),
        cmocka_unit_test(test_every_method),
        cmocka_unit_test(test_min_score),
        cmocka_unit_test(test_method_needs_its_vectors),
        cmocka_unit_test(test_similarity_needs_every_head),
        cmocka_unit_test(test_evidence_is_the_document),
        cmocka_unit_test(test_focus_is_a_sentence),
        cmocka_unit_test(test_sentences_cross_blocks),
        cmocka_unit_test(test_sentences_are_read),
        cmocka_unit_test(test_hops),
        cmocka_unit_test(test_likelihood_orders),
        cmocka_unit_test(test_indexes_together),
        cmocka_unit_test(test_budget_and_all_blocks),
        cmocka_unit_test(test_layer_step),
        cmocka_unit_test(test_traverse_and_art),
        cmocka_unit_test(test_summary_cites_every_section),
        cmocka_unit_test(test_summary_of_the_state),
    };
    return cmocka_run_group_tests(tests, engine_set_up, engine_tear_down);
}
