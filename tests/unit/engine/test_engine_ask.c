// What must always hold of questions, on small random models.
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

#include "engine/answer/reading.h"
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
        {.read = READ_SENTENCES},    {.read = READ_CACHED_SENTENCES, .sharpen = 2},
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
        // What commands a terminal, and where a line ends, is no part of a question.
        ask_text(k, "\033[1mWho\tcarried the\r\n\001 boat?\n", ways[w], again, sizeof again);
        assert_string_equal(first[0], again);
        kvz_close(k);
    }
}

// Which answers of a random model fall into a circle differs with how products are rounded: about
// one of ten does.
enum { CIRCLES = 2, CIRCLES_TRIED = 200 };

// Greedy writing of a random model falls into a circle; the answer ends there, not at its limit.
static void test_circles_end(void **state)
{
    (void)state;
    const char *in[] = {in_dir("b.txt")};
    encode_ok(small(in, 1, in_dir("circle.kvz")), NULL);
    struct kvz *k[] = {open_ok(in_dir("circle.kvz"))};
    int circles = 0;
    for (int i = 0; circles < CIRCLES && i < CIRCLES_TRIED; i++) {
        char question[32];
        struct answer a;
        snprintf(question, sizeof question, "rain %d", i);
        OK(ask(F.m, k, 1, &(struct ask_options){.question = question, .max_tokens = 1000}, &a, e));
        if (!strcmp(a.finish, "repeat")) {
            circles++;
            assert_in_range(a.answer_tokens, 18, 999);
        }
        answer_done(&a);
        OK(ask(F.m, k, 1, &(struct ask_options){.question = question, .max_tokens = 3}, &a, e));
        assert_in_range(a.answer_tokens, 0, 3);
        assert_string_equal(a.finish, a.answer_tokens < 3 ? "end" : "length");
        answer_done(&a);
    }
    assert_int_equal(circles, CIRCLES);
    kvz_close(k[0]);
}

// Where a sentence may be quoted, it stands for an answer that goes in circles, whatever that
// costs.
static void test_circles_give_way(void **state)
{
    (void)state;
    const char *in[] = {in_dir("b.txt")};
    encode_ok(small(in, 1, in_dir("circle.kvz")), NULL);
    struct kvz *k[] = {open_ok(in_dir("circle.kvz"))};
    int circles = 0;
    for (int i = 0; circles < CIRCLES && i < CIRCLES_TRIED; i++) {
        char question[32];
        snprintf(question, sizeof question, "rain %d", i);
        struct ask_options o = {.question = question,
                                .read = READ_SENTENCES,
                                .sentences = 1,
                                .max_tokens = 1000,
                                .quote = -1};
        struct answer own, quoted;
        OK(ask(F.m, k, 1, &o, &own, e));
        o.quote = 1000;
        OK(ask(F.m, k, 1, &o, &quoted, e));
        if (!strcmp(own.finish, "repeat")) {
            circles++;
            assert_string_equal(quoted.finish, "quoted");
        }
        answer_done(&own);
        answer_done(&quoted);
    }
    assert_int_equal(circles, CIRCLES);
    kvz_close(k[0]);
}

// What has been said | what comes next, and whether a sentence ends there.
static void test_where_a_sentence_ends(void **state)
{
    (void)state;
    static const struct {
        const char *text, *next;
        int ends;
    } cases[] = {
        {"It is Hanna.", " The", 1},
        {"It is Hanna.", " the", 0},
        {"It is Hanna.", "5", 0},
        {"It is Hanna. ", "The", 1},
        {"It is Hanna.", " ", 0},
        {"It is Mr.", " Oduya", 0},
        {"In der Bahnhofstr.", " 12", 0},
        {"Er kam am 1.", " April", 0},
        {"Er kam am 1.", " M", 0}, // "März" is to come
        {"Er kam um 12.", " Hier", 1},
        {"Signed J.", " Smith", 0},
        {"Is it, e.g.", " This", 0},
        {"1.", " Milk", 0},
        {"Two:\n2.", " Eggs", 0},
        {"It was 1996.", " Then", 1},
        {"\"Go!\"", " He", 1},
        {"Why?", "\nBecause", 1},
        {"", " The", 0},
        {".", "The", 0},
        {"the roof", "\n\nIt", 1},
        {"the roof\n", "\n", 1},
        {"the roof\n\n", "It", 0},
        {"as follows:", "\n\n", 0},
        {"- milk", "\n-", 0},
        {"", "", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (write_sentence_ends(cases[i].text, strlen(cases[i].text), cases[i].next,
                                strlen(cases[i].next)) != cases[i].ends)
            fail_msg("'%s' | '%s'", cases[i].text, cases[i].next);
}

// An answer of one sentence is the beginning of the whole one; all of it where no sentence ends in
// it.
static void test_sentences_of_an_answer(void **state)
{
    (void)state;
    const char *in[] = {in_dir("b.txt")};
    encode_ok(small(in, 1, in_dir("sentences.kvz")), NULL);
    struct kvz *k[] = {open_ok(in_dir("sentences.kvz"))};
    for (uint64_t seed = 0; seed < 10; seed++) {
        struct ask_options o = {.question = "boat",
                                .max_tokens = 100,
                                .temp = 1.5f,
                                .top_p = 1,
                                .seed = seed,
                                .sentences = -1};
        struct answer all, a;
        OK(ask(F.m, k, 1, &o, &all, e));
        o.sentences = 1;
        OK(ask(F.m, k, 1, &o, &a, e));
        assert_memory_equal(a.text, all.text, a.text_bytes);
        assert_int_equal(!strcmp(a.finish, "sentences"), a.text_bytes < all.text_bytes);
        answer_done(&a);
        answer_done(&all);
    }
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

// Below the least score nothing is read or written; at it the answer is the usual one. Where
// nothing was judged the score is of votes alone, between 0 and 1.
static void test_min_score(void **state)
{
    (void)state;
    const char *in[] = {in_dir("b.txt")};
    encode_ok(small(in, 1, in_dir("score.kvz")), NULL);
    struct kvz *k = open_ok(in_dir("score.kvz"));
    struct ask_options o = {.question = "boat", .budget = 64, .max_tokens = 4};
    struct answer a, b;
    OK(ask(F.m, &k, 1, &o, &a, e));
    assert_true(a.evidence[0].score > 0 && a.score > 0 && a.score < 1 && !a.unsure);
    assert_true(fabs(a.score - a.evidence[0].score / (a.evidence[0].score + 4)) < 1e-12);
    o.min_score = a.score * 1.01;
    OK(ask(F.m, &k, 1, &o, &b, e));
    assert_string_equal(b.finish, "unanswered");
    assert_string_equal(b.text, "");
    assert_int_equal(b.n_choices + b.read_tokens + b.answer_tokens, 0);
    assert_true(b.score == a.score && b.n_evidence == a.n_evidence);
    answer_done(&b);
    static const double never[] = {0, -1}; // a model of no profile refuses nothing by itself
    for (int i = 0; i < 3; i++) {
        o.min_score = i < 2 ? never[i] : a.score;
        OK(ask(F.m, &k, 1, &o, &b, e));
        assert_string_equal(b.text, a.text);
        answer_done(&b);
    }
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
    // The index has the vectors of all heads, because no retrieval heads were known.
    const struct head v[] = {{1, 2, 1}};
    const struct heads heads = {.n = 1, .v = v}, *own = F.m->heads;
    struct method parts, asked;
    OK(method_of_index(&parts, kvz_meta(k), F.m, e));
    parts.kept = VOTERS_PROFILE;
    asked = parts;
    OK(method_for_question(&asked, "kt", F.m, "max.kvz", e));
    F.m->heads = &heads;
    assert_int_equal(method_for_question(&parts, "kt", F.m, "max.kvz", &err), ERR_MISMATCH);
    F.m->heads = own;
    assert_non_null(strstr(err.msg, "for the retrieval heads only; method 'kt' wants all heads"));
    kvz_close(k);
    o.method = "streaming"; // keeps what infllm does
    encode_ok(o, NULL);
    k = open_ok(in_dir("max.kvz"));
    OK(ask(F.m, &k, 1,
           &(struct ask_options){.question = "boat", .method = "infllm", .max_tokens = 1}, &a, e));
    assert_true(a.n_choices > 0 && a.n_evidence > 0);
    answer_done(&a);
    kvz_close(k);
}

// What an index says of itself and is not known is no mistake of the command line.
static void test_index_may_say_what_is_not_known(void **state)
{
    (void)state;
    const char *in[] = {in_dir("b.txt")};
    encode_ok(small(in, 1, in_dir("odd.kvz")), NULL);
    struct kvz *k = open_ok(in_dir("odd.kvz"));
    struct kvz_meta *t = (struct kvz_meta *)(uintptr_t)kvz_meta(k);
    const struct kvz_meta was = *t;
    const struct ask_options o = {.question = "boat", .max_tokens = 1};
    struct summarize_options words = {.words = 10};
    struct answer a;
    struct summary s;
    struct err err = {0};
    strcpy(t->positions, "a\033");
    assert_int_equal(ask(F.m, &k, 1, &o, &a, &err), ERR_FORMAT);
    assert_non_null(strstr(err.msg, "odd.kvz: made at positions 'a?', which are not known here"));
    assert_int_equal(summarize(F.m, k, &words, &s, &err), ERR_FORMAT);
    *t = was;
    strcpy(t->template_name, "b\377");
    assert_int_equal(ask(F.m, &k, 1, &o, &a, &err), ERR_FORMAT);
    assert_non_null(strstr(err.msg, "odd.kvz: made with template 'b?', which is not known here"));
    assert_int_equal(summarize(F.m, k, &words, &s, &err), ERR_FORMAT);
    *t = was;
    OK(ask(F.m, &k, 1, &o, &a, e));
    answer_done(&a);
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
                     ERR_MISMATCH);
    assert_non_null(strstr(err.msg, "infllm"));
    kvz_close(k);
    const char *more[] = {in_dir("more.txt")};
    struct encode_options add = {
        .inputs = more, .n_inputs = 1, .out = in_dir("mean.kvz"), .append = 1};
    struct encode_result r;
    add.represent = "spans";
    assert_int_equal(encode_documents(F.m, &add, &r, &err), ERR_MISMATCH);
    add.represent = NULL;
    assert_int_equal(encode_documents(F.m, &add, &r, &err), 0);
    assert_int_equal(r.added_documents, 1);
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

// Every second layer chooses, and the one after it reads the same: as if there were no other
// choosers.
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
        assert_int_equal(r.art_blocks,
                         (uint64_t)(r.answer_tokens - 1) * 3 * 4 * (uint64_t)r.n_choices);
        assert_int_equal(r.art_read * (uint64_t)r.n_choices,
                         r.art_blocks * (uint64_t)o.art_patience);
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
    assert_non_null(strstr(why.msg, "without --art-scale"));
    kvz_close(k[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_answers_do_not_depend_on_order),
        cmocka_unit_test(test_circles_end),
        cmocka_unit_test(test_circles_give_way),
        cmocka_unit_test(test_where_a_sentence_ends),
        cmocka_unit_test(test_sentences_of_an_answer),
        cmocka_unit_test(test_every_part),
        cmocka_unit_test(test_every_method),
        cmocka_unit_test(test_min_score),
        cmocka_unit_test(test_method_needs_its_vectors),
        cmocka_unit_test(test_index_may_say_what_is_not_known),
        cmocka_unit_test(test_similarity_needs_every_head),
        cmocka_unit_test(test_indexes_together),
        cmocka_unit_test(test_budget_and_all_blocks),
        cmocka_unit_test(test_layer_step),
        cmocka_unit_test(test_traverse_and_art),
    };
    return cmocka_run_group_tests(tests, engine_set_up, engine_tear_down);
}
