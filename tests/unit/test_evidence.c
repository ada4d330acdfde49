// What must always hold of the places that an answer rests on: evidence, sentences, what leads to
// them.
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

#include "engine/ask/asking.h"
#include "engine/ask/bridge.h"
#include "engine/model/heads.h"
#include "engine/text/halves.h"
#include "io/file.h"
#include "tests/unit/engine_fixture.h"
#include "tests/unit/ok.h"

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
            OK(evidence_focus(&v, k, t, 0, e));
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

// A block may end in white space; the sentence where the votes fall is the next block's then, and
// the focus is no part of it.
static void test_focus_of_white_space(void **state)
{
    (void)state;
    FILE *f = fopen(in_dir("wide.txt"), "w");
    assert_non_null(f);
    for (int i = 0; i < 120; i++)
        fprintf(f, "The boat of %d is old.%*s", i, 1 + i % 7, "\n");
    assert_int_equal(fclose(f), 0);
    const char *in[] = {in_dir("wide.txt")};
    encode_ok(small(in, 1, in_dir("wide.kvz")), NULL);
    struct kvz *k = open_ok(in_dir("wide.kvz"));
    int whole = 0;
    for (uint64_t b = 0; b < kvz_n_blocks(k); b++) {
        struct kvz_block info;
        struct evidence v;
        OK(kvz_block(k, b, &info, e));
        for (uint32_t t = 0; t < info.n_tokens && info.end > info.start; t++) {
            OK(evidence_of(&v, k, 0, b, 1, e));
            OK(evidence_focus(&v, k, t, 0, e));
            assert_in_range(v.focus_start, v.start, v.end - 1);
            assert_in_range(v.focus_end, v.focus_start + 1, v.end);
            whole += v.focus_end - v.focus_start == v.end - v.start;
            free(v.text);
        }
    }
    assert_true(whole > 0); // there was such a block
    kvz_close(k);
}

// Whatever token it is asked for: a sentence holds it, is one sentence of the document, and ends
// where a block does only if it is longer than the blocks around it.
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
            for (uint64_t i = v.start; i < v.end; i++) // a line end within a sentence is mended
                assert_true(v.text[i - v.start] == text[i] ||
                            (v.text[i - v.start] == ' ' && text[i] == '\n'));
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

// Sentences are what is read: as many as fit the budget, the best one whatever it takes, and the
// same answer in any order.
static void test_sentences_are_read(void **state)
{
    (void)state;
    const char *in[] = {in_dir("a.txt")},
               *asked[] = {"Who carried the boat?", "How many bridges?", "Who carried the boat?"};
    encode_ok(small(in, 1, in_dir("read.kvz")), NULL);
    struct kvz *k = open_ok(in_dir("read.kvz"));
    struct answer one, a[3];
    struct ask_options o = {.question = asked[0],
                            .select = "vote",
                            .read = READ_SENTENCES,
                            .budget = 16,
                            .max_tokens = 8};
    OK(ask(F.m, &k, 1, &o, &one, e));
    o.budget = 150;
    for (int i = 0; i < 3; i++) {
        o.question = asked[i];
        OK(ask(F.m, &k, 1, &o, &a[i], e));
    }
    assert_int_equal(one.n_choices, 1);
    assert_in_range(one.read_tokens, 1, 150);
    assert_in_range(a[0].read_tokens, one.read_tokens + 1,
                    150 + 2 * a[0].n_choices); // empty lines between them
    assert_string_equal(a[0].text, a[2].text);
    assert_int_equal(a[0].read_tokens, a[2].read_tokens);
    answer_done(&one);
    for (int i = 0; i < 3; i++)
        answer_done(&a[i]);
    kvz_close(k);
}

// With copies favoured beyond measure an answer has the words of what was read and no others;
// hardly favoured, it is as it was, and where no text is read, as well.
static void test_copies(void **state)
{
    (void)state;
    const char *in[] = {in_dir("a.txt")};
    encode_ok(small(in, 1, in_dir("copy.kvz")), NULL);
    struct kvz *k = open_ok(in_dir("copy.kvz"));
    struct ask_options o = {
        .select = "vote", .max_tokens = 12, .question = "Who carried the boat?", .budget = 16};
    for (int mode = READ_CACHED; mode < N_READ_MODES; mode++) {
        static const float copies[] = {0, -1, 1e-6f, 1e4f};
        struct answer a[4];
        o.read = (enum read_mode)mode;
        for (int c = 0; c < 4; c++) {
            o.copy = copies[c];
            OK(ask(F.m, &k, 1, &o, &a[c], e));
        }
        assert_string_equal(a[1].text, a[0].text);
        assert_string_equal(a[2].text, a[0].text);
        if (mode == READ_CACHED)
            assert_string_equal(a[3].text, a[0].text);
        else
            assert_string_not_equal(a[3].text, a[0].text);
        if (mode == READ_SENTENCES) {
            char *text;
            size_t n;
            OK(file_slurp(in_dir("a.txt"), 1u << 20, &text, &n, e));
            for (const char *p = a[3].text; *p; p++)
                assert_non_null(strchr(text, *p));
            free(text);
        }
        for (int c = 0; c < 4; c++)
            answer_done(&a[c]);
    }
    kvz_close(k);
}

// What an answer says as it is written; a random model may well say a NUL.
struct said {
    char text[2048];
    size_t n;
};

static void append(void *arg, const char *s, size_t n)
{
    struct said *said = arg;
    assert_true(said->n + n <= sizeof said->text);
    memcpy(said->text + said->n, s, n);
    said->n += n;
}

static void assert_said(const struct said *said, const char *text, size_t n)
{
    assert_int_equal(said->n, n);
    assert_memory_equal(said->text, text, n);
}

// An answer that costs more than hardly anything gives way to the best sentence read, an answer
// whose first words were given or that has no end does not; what is said is said once.
static void test_quotes(void **state)
{
    (void)state;
    const char *in[] = {in_dir("a.txt")};
    encode_ok(small(in, 1, in_dir("quote.kvz")), NULL);
    struct kvz *k = open_ok(in_dir("quote.kvz"));
    static const struct ask_options cases[] = {
        {.quote = 1e-6f, .sentences = 1},
        {.quote = 10, .sentences = 1},
        {.quote = -1, .sentences = 1},
        {.quote = 1e-6f},
        {.quote = 1e-6f, .sentences = 1, .answer_prefix = "By"},
        {.quote = 1e-6f, .sentences = 1, .temp = 1}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct ask_options o = cases[c];
        struct said said = {0};
        char *text;
        struct answer a;
        size_t n;
        o.select = "vote", o.read = READ_SENTENCES, o.max_tokens = 64,
        o.question = "Who carried the boat?";
        o.text = append, o.arg = &said;
        OK(ask(F.m, &k, 1, &o, &a, e));
        assert_said(&said, a.text, a.text_bytes);
        assert_int_equal(!strcmp(a.finish, "quoted"), c == 0);
        if (c == 0) {
            assert_true(a.text_bytes > 2 && a.text[0] == '"' && a.text[a.text_bytes - 1] == '"');
            a.text[a.text_bytes - 1] = 0;
            OK(file_slurp(in_dir("a.txt"), 1u << 20, &text, &n, e));
            for (char *p = text; (p = strchr(p, '\n'));)
                *p = ' '; // a line that goes on
            assert_non_null(strstr(text, a.text + 1));
            free(text);
            assert_in_range(a.answer_tokens, 1, 64);
        }
        answer_done(&a);
    }
    struct ask_options o = {
        .quote = 1e-6f, .sentences = 1, .select = "vote", .read = READ_SENTENCES, .max_tokens = 3};
    struct answer a;
    o.question = "Who carried the boat?";
    OK(ask(F.m, &k, 1, &o, &a, e));
    assert_int_equal(a.answer_tokens, 3); // no longer than an answer may be
    answer_done(&a);
    kvz_close(k);
}

// The judged blocks come first, best first, under a score that the best vote had; with one block,
// or a sharp vote, nothing is judged. Words alone choose here, so that the way can be followed by
// hand: bridge -> Zorn -> Malta.
static void test_hops(void **state)
{
    (void)state;
    static const char *const places[] = {"The bridge over the Aune was built by Zorn.",
                                         "In his youth Zorn kept bees on Malta.",
                                         "On Malta it rains in winter only."};
    FILE *f = fopen(in_dir("hops.txt"), "w");
    assert_non_null(f);
    for (int i = 0; i < 90; i++)
        fprintf(f, "%s ",
                i % 30 == 15 ? places[i / 30] : "Nobody said anything before noon today.");
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

// A name of the best sentence leads on to the sentence that says more of it, which is read behind
// it then.
static void test_bridge(void **state)
{
    (void)state;
    enum { SENTENCES = 120 };
    static const char first[] = "The bridge over the Aune was built by Abel Zorn.",
                      second[] = "In his youth Abel Zorn kept bees.";
    FILE *f = fopen(in_dir("bridge.txt"), "w");
    assert_non_null(f);
    for (int i = 0; i < SENTENCES; i++)
        fprintf(f, "%s ",
                i == 30   ? first
                : i == 90 ? second
                          : "Nobody said anything before noon today.");
    assert_int_equal(fclose(f), 0);
    const char *in[] = {in_dir("bridge.txt")};
    struct encode_options eo = small(in, 1, in_dir("bridge.kvz"));
    eo.block = 64;
    encode_ok(eo, NULL);
    struct kvz *k = open_ok(in_dir("bridge.kvz"));
    static const struct {
        const char *question;
        int leads;
    } cases[] = {{"Which bees had who built the bridge over the Aune?", 1},
                 {"The bridge over the Aune was built by Zorn?", 0}, // nothing is left to be asked
                 {"Which parrots, goats, swans and ducks had who built it?", 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct ask_options o = {.question = cases[i].question};
        struct answer a = {0};
        struct asking q = {.m = F.m,
                           .k = &k,
                           .n_k = 1,
                           .o = &o,
                           .a = &a,
                           .window = 32,
                           .budget = 512,
                           .mode = READ_SENTENCES};
        struct bridge g = {.question = o.question};
        OK(method_of_index(&q.parts, kvz_meta(k), F.m, e));
        q.parts.select = SELECT_HYBRID;
        q.tail_first = calloc(1, sizeof *q.tail_first);
        assert_non_null(q.tail_first);
        OK(prompt_probe(&q.probe, F.m, o.question, 0, e));
        OK(ballot_new(&q.ballot, F.m, &k, 1, &q.parts, o.question, e));
        OK(cast_votes(&q, e));
        struct ballot *b = q.ballot;
        uint32_t tokens[8];
        int n = 0;
        for (int64_t block = 0; block < b->n_blocks && !g.first.text; block++) {
            OK(sentence_tokens(k, (uint64_t)block, tokens, 8, &n, e));
            for (int t = 0; t < n && !g.first.text; t++) {
                OK(sentence_around(&g.first, k, (uint64_t)block, &tokens[t], e));
                if (strcmp(g.first.text, first) != 0)
                    sentence_done(&g.first);
                else
                    OK(focus_at(&q, block, tokens[t], e));
            }
            for (int64_t at = 0; g.first.text && at < b->n_blocks;
                 at++) // the best one, whatever the votes said
                if (b->order[at] == block) {
                    b->order[at] = b->order[0];
                    b->order[0] = block;
                }
        }
        OK(bridge_find(&g, &q, e));
        assert_int_equal(g.n, cases[i].leads);
        if (g.n) {
            assert_string_equal(g.leads[0].v.text, second);
            assert_int_equal(bridge_choose(&g, (const double[]){-3, -2.8}), 0);
            assert_int_equal(bridge_choose(&g, (const double[]){-3, -2.99}), -1); // hardly likelier
            assert_int_equal(bridge_choose(&g, (const double[]){-4.5, -4.3}),
                             -1); // not by enough after such a first one
            assert_int_equal(bridge_choose(&g, (const double[]){-4.5, -3.5}), 0);
            assert_int_equal(bridge_choose(&g, (const double[]){-7, -2}),
                             -1); // the first is about something else
            OK(bridge_take(&q, &g.leads[0], e));
            OK(choose_blocks(&q, e));
            OK(sentences_new(&q.sentences, &q, e));
            assert_int_equal(b->order[1], g.leads[0].global);
            assert_true(b->score[b->order[1]] == b->score[b->order[0]]);
            assert_int_equal(a.n_choices, 2);
            assert_int_equal(q.shown.n, 2); // the second is read last
            assert_int_equal(q.shown.v[1].global, q.lead.global);
            assert_string_equal(
                q.news, "youth kept "); // neither bees, which are asked about, nor who led there
        }
        for (int c = 0; c < a.n_choices; c++)
            free(a.choices[c].votes);
        free(a.choices);
        bridge_done(&g);
        asking_done(&q);
    }
    kvz_close(k);
}

static void test_likelihood_orders(void **state)
{
    (void)state;
    const char *in[] = {in_dir("a.txt")};
    encode_ok(small(in, 1, in_dir("likely.kvz")), NULL);
    struct kvz *k = open_ok(in_dir("likely.kvz"));
    struct ask_options o = {
        .question = "Who carried the boat?", .select = "vote", .n_evidence = 16};
    struct answer votes, one, a;
    OK(ask_choose(F.m, &k, 1, &o, &votes, e));
    o.likelihood = 1;
    OK(ask_choose(F.m, &k, 1, &o, &one, e));
    o.likelihood = 6;
    OK(ask_choose(F.m, &k, 1, &o, &a, e));
    int moved = 0;
    for (int i = 0; i < 16; i++) {
        int among = 0;
        for (int j = 0; j < 9; j++) // a random model finds nothing that answers: three more
            among |= a.evidence[i].block == votes.evidence[j].block;
        assert_int_equal(among, i < 9);
        assert_int_equal(one.evidence[i].block, votes.evidence[i].block);
        moved |= a.evidence[i].block != votes.evidence[i].block;
        if (i)
            assert_true(a.evidence[i].score <= a.evidence[i - 1].score);
    }
    assert_true(votes.evidence[1].score >= votes.evidence[0].score / 2);
    assert_true(a.evidence[0].score == votes.evidence[0].score);
    assert_true(one.score == one.evidence[0].score); // nothing was judged
    assert_true(a.score != a.evidence[0].score && a.score >= 0);
    assert_true(moved);
    answer_done(&votes);
    answer_done(&one);
    answer_done(&a);
    kvz_close(k);
}

// Half as many blocks again are judged where none of the first ones' sentences makes the question
// clearly likelier.
static void test_likelihood_of_more(void **state)
{
    (void)state;
    assert_int_equal(likelihood_judged(12, 1000, 3), 12);
    assert_int_equal(likelihood_judged(12, 1000, 1.5), 12);
    assert_int_equal(likelihood_judged(12, 1000, 1.4), 18);
    assert_int_equal(likelihood_judged(12, 1000, -1), 18);
    assert_int_equal(likelihood_judged(12, 17, 0), 17);
    assert_int_equal(likelihood_judged(1, 17, 0), 1);
    assert_int_equal(likelihood_judged(12, 12, 0), 12);
}

// A question for several things is read about in several places, and answered at more length.
static void test_several_places(void **state)
{
    (void)state;
    assert_true(asks_for_several("What are all the numbers?"));
    assert_true(asks_for_several("List the rivers, please."));
    assert_true(asks_for_several("  Which, of both boats, sank?"));
    assert_false(asks_for_several("What is the price of each boat?"));
    assert_false(asks_for_several("Who called the tallest boat?"));
    assert_false(asks_for_several(""));
    const char *in[] = {in_dir("a.txt")};
    encode_ok(small(in, 1, in_dir("several.kvz")), NULL);
    struct kvz *k = open_ok(in_dir("several.kvz"));
    struct ask_options o = {.question = "Which boat under seven bridges? 1234567",
                            .select = "hybrid",
                            .likelihood = 1,
                            .read = READ_SENTENCES,
                            .max_tokens = 1};
    struct answer one, all;
    OK(ask(F.m, &k, 1, &o, &one, e));
    o.question = "All boats under seven bridges? 1234567";
    OK(ask(F.m, &k, 1, &o, &all, e));
    assert_in_range(all.n_choices, 4, 100);
    assert_true(one.n_choices < all.n_choices || one.n_choices >= 4);
    answer_done(&one);
    answer_done(&all);
    kvz_close(k);
}

// An only block has a score, though no votes can set it apart. A random model finds one of two
// questions likelier after it than after nothing; which one is chance.
static void test_an_only_block_has_a_score(void **state)
{
    (void)state;
    FILE *f = fopen(in_dir("only.txt"), "w");
    assert_non_null(f);
    fputs("Rain fell on it.", f);
    assert_int_equal(fclose(f), 0);
    const char *in[] = {in_dir("only.txt")},
               *asked[] = {"Rain fell on it.", "zqx qzx xzq qqz zzx qxx"};
    struct encode_options eo = small(in, 1, in_dir("only.kvz"));
    eo.block = eo.sinks = 64;
    encode_ok(eo, NULL);
    struct kvz *k = open_ok(in_dir("only.kvz"));
    assert_int_equal(kvz_n_blocks(k), 1);
    double score[2];
    for (int i = 0; i < 2; i++) {
        struct ask_options o = {.question = asked[i], .select = "vote", .likelihood = 12};
        struct answer a;
        OK(ask_choose(F.m, &k, 1, &o, &a, e));
        assert_true(a.score == a.evidence[0].score);
        score[i] = a.score;
        answer_done(&a);
    }
    assert_true(score[0] > 0 || score[1] > 0);
    kvz_close(k);
}

// A row is read under the names of its table's columns, wherever in the table it is.
static void test_rows_have_their_names(void **state)
{
    (void)state;
    enum { ROWS = 80 };
    static const char head[] = "id,name,town\n";
    FILE *f = fopen(in_dir("t.csv"), "w");
    assert_non_null(f);
    fputs(head, f);
    for (int i = 0; i < ROWS; i++)
        fprintf(f, "%d,A%c,B%c\n", 100 + i, 'a' + i % 26, 'z' - i % 26);
    fclose(f);
    const char *in[] = {in_dir("t.csv")};
    encode_ok(small(in, 1, in_dir("t.kvz")), NULL);
    struct kvz *k = open_ok(in_dir("t.kvz"));
    int rows = 0, blocks = 0;
    for (uint64_t b = 0; b < kvz_n_blocks(k); b++) {
        struct sentence v;
        struct kvz_block info;
        OK(kvz_block(k, b, &info, e));
        if (info.start < strlen(head) || info.n_tokens < 6)
            continue;
        blocks++;
        OK(sentence_around(&v, k, b, &(uint32_t){5}, e));
        assert_memory_equal(v.text, head, strlen(head));
        rows += v.text[strlen(head)] == '1' && !strchr(v.text + strlen(head), '\n');
        sentence_done(&v);
    }
    assert_in_range(blocks, 3, ROWS);
    assert_int_equal(rows, blocks);
    kvz_close(k);
}

// The votes of Q's question on Q's index; six blocks may be judged.
static void vote(struct asking *q)
{
    OK(method_of_index(&q->parts, kvz_meta(q->k[0]), F.m, e));
    q->parts.likelihood = 6;
    OK(prompt_question(&q->prompt, F.m, NULL, NULL, q->o->question, NULL, e));
    OK(prompt_probe(&q->probe, F.m, q->o->question, 0, e));
    OK(ballot_new(&q->ballot, F.m, q->k, 1, &q->parts, q->o->question, e));
    OK(cast_votes(q, e));
}

// Sharp votes keep their order and their scores; only where in the best block the answer is looked
// for may change.
static void test_likelihood_of_sharp_votes(void **state)
{
    (void)state;
    const char *in[] = {in_dir("a.txt")};
    encode_ok(small(in, 1, in_dir("sharp.kvz")), NULL);
    struct kvz *k = open_ok(in_dir("sharp.kvz"));
    const struct ask_options o = {.question = "Who carried the boat?"};
    struct answer a = {0};
    struct asking q = {.m = F.m, .k = &k, .n_k = 1, .o = &o, .a = &a, .window = 32};
    vote(&q);
    struct ballot *b = q.ballot;
    int64_t order[8];
    double score[8];
    b->score[b->order[0]] = 3 * b->score[b->order[1]];
    for (int i = 0; i < 8; i++) {
        order[i] = b->order[i];
        score[i] = b->score[order[i]];
    }
    OK(likelihood_rank(&q, e));
    assert_memory_equal(b->order, order, sizeof order);
    for (int i = 0; i < 8; i++)
        assert_true(b->score[order[i]] == score[i]);
    assert_int_equal(q.foci.n, 1);
    assert_int_equal(q.foci.v[0].global, order[0]);
    b->score[order[0]] = score[1]; // flat: the model has its say
    OK(likelihood_rank(&q, e));
    assert_memory_not_equal(b->order, order, sizeof order);
    asking_done(&q);
    kvz_close(k);
}

// A block whose sentence would have to make up for much is not judged, and comes behind those that
// are; unless each of several things may stand in another place.
static void test_likelihood_of_those_behind(void **state)
{
    (void)state;
    enum { JUDGED = 3, MOST = 6 };
    static const double scores[MOST] = {9, 8.5, 8, 7.9, 3, 2.9};
    static const char *const questions[] = {"Who carried the boat?",
                                            "List all boats that were carried."};
    const char *in[] = {in_dir("a.txt")};
    encode_ok(small(in, 1, in_dir("behind.kvz")), NULL);
    struct kvz *k = open_ok(in_dir("behind.kvz"));
    for (int several = 0; several < 2; several++) {
        const struct ask_options o = {.question = questions[several]};
        struct answer a = {0};
        struct asking q = {.m = F.m, .k = &k, .n_k = 1, .o = &o, .a = &a, .window = 32};
        vote(&q);
        struct ballot *b = q.ballot;
        int64_t behind[MOST - JUDGED] = {b->order[2], b->order[4], b->order[5]};
        if (!b->cover)
            assert_non_null(b->cover = calloc((size_t)b->n_blocks, sizeof *b->cover));
        for (int i = 0; i < MOST; i++) {
            b->score[b->order[i]] = scores[i];
            b->cover[b->order[i]] = i == 2 ? 0 : 1; // as much as 6.7 of the votes
        }
        for (int i = MOST; i < MOST + MOST / 2;
             i++) { // looked at since a random model finds nothing that answers
            b->score[b->order[i]] = 2.8;
            b->cover[b->order[i]] = 0;
        }
        OK(likelihood_rank(&q, e));
        assert_int_equal(q.foci.n, several ? MOST + MOST / 2 : JUDGED);
        for (int i = JUDGED; !several && i < MOST; i++) {
            assert_int_equal(b->order[i], behind[i - JUDGED]);
            assert_true(b->score[b->order[i]] <= 9 * exp(-3.5) + 1e-9);
            assert_true(b->score[b->order[i]] <= b->score[b->order[JUDGED - 1]]);
        }
        asking_done(&q);
    }
    kvz_close(k);
}

// A question of two halves is answered as both are, one after the other, from the passages of both.
static void test_two_halves(void **state)
{
    (void)state;
    const char *in[] = {in_dir("a.txt")};
    encode_ok(small(in, 1, in_dir("halves.kvz")), NULL);
    struct kvz *k = open_ok(in_dir("halves.kvz"));
    static const char *const asked[] = {"Who carried the boat?", "Which river has seven bridges?",
                                        "Who carried the boat and which river has seven bridges?"};
    struct answer a[3];
    struct said said;
    char both[2048];
    for (int i = 0; i < 3; i++) {
        struct ask_options o = {.question = asked[i],
                                .select = "bm25",
                                .read = READ_SENTENCES,
                                .max_tokens = 200,
                                .quote = 1e-6f,
                                .sentences = 1,
                                .n_evidence = 6,
                                .text = append,
                                .arg = &said};
        said.n = 0;
        OK(ask(F.m, &k, 1, &o, &a[i], e));
    }
    assert_string_not_equal(a[0].text, a[1].text);
    assert_int_equal(a[2].answer_tokens, a[0].answer_tokens + a[1].answer_tokens);
    snprintf(both, sizeof both, "%s %s", a[0].text, a[1].text);
    assert_string_equal(a[2].text, both);
    assert_said(&said, both, strlen(both));
    assert_int_equal(a[2].n_evidence, 6);
    assert_true(a[2].evidence[0].block == a[0].evidence[0].block);
    for (int half = 0; half < 2; half++)
        for (int i = 0; i < a[half].n_choices; i++) {
            int there = 0;
            for (int j = 0; j < a[2].n_choices; j++)
                there += a[2].choices[j].block == a[half].choices[i].block;
            assert_int_equal(there, 1);
        }
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < i; j++)
            assert_true(a[2].evidence[i].block != a[2].evidence[j].block);
    assert_true(a[2].score <= a[0].score && a[2].score <= a[1].score);
    for (int i = 0; i < 3; i++)
        answer_done(&a[i]);
    struct ask_options o = {.question = asked[2],
                            .select = "bm25",
                            .max_tokens = 1,
                            .read = READ_SENTENCES,
                            .n_evidence = -1};
    OK(ask(F.m, &k, 1, &o, &a[0], e)); // nothing is left for the second half
    assert_int_equal(a[0].answer_tokens, 1);
    answer_done(&a[0]);
    o = (struct ask_options){.question = "Who carried the boat and who carried the boat?",
                             .select = "bm25",
                             .quote = 1e-6f,
                             .sentences = 1,
                             .read = READ_SENTENCES,
                             .text = append,
                             .arg = &said};
    said.n = 0;
    OK(ask(F.m, &k, 1, &o, &a[0], e));
    assert_said(&said, a[0].text, a[0].text_bytes); // once
    assert_memory_equal(both, a[0].text, a[0].text_bytes);
    answer_done(&a[0]);
    kvz_close(k);
}

// Only what was read changes its place, and only with what was read.
static void test_evidence_by_mass(void **state)
{
    (void)state;
    struct shown_list l = {0};
    OK(shown_add(&l, 7, 0, 3, e));
    OK(shown_add(&l, 4, 5, 3, e));
    OK(shown_add(&l, 9, 9, 3, e));
    l.v[0].mass = 0.2;
    l.v[1].mass = 0.1;
    l.v[2].mass = 0.9;
    int64_t order[] = {4, 1, 7, 3, 9, 2};
    const int64_t want[] = {9, 1, 7, 3, 4, 2};
    evidence_by_mass(order, 6, &l);
    assert_memory_equal(order, want, sizeof want);
    free(l.v);
}

static void test_evidence_by_turns(void **state)
{
    (void)state;
    const int64_t votes[] = {3, 0, 4, 1, 2}, words[] = {3, 1, 2};
    const int64_t both[] = {3, 1, 0, 2, 4}, alone[] = {3, 0, 4, 1, 2};
    int64_t out[5];
    evidence_by_turns(votes, words, 3, 5, (unsigned char[5]){0}, out);
    assert_memory_equal(out, both, sizeof both);
    evidence_by_turns(votes, words, 0, 5, (unsigned char[5]){0}, out);
    assert_memory_equal(out, alone, sizeof alone);
}

// Every token that is run hands out one whole attention in each head; what was run before counts
// for nothing.
static void test_shown_is_what_heads_look_at(void **state)
{
    (void)state;
    enum { READ = 24, WRITTEN = 5 };
    const struct head v[] = {{0, 1, 0.75f}, {F.m->info.n_layers - 1, 0, 0.5f}};
    const struct heads heads = {.n = 2, .v = v}, *own = F.m->heads;
    struct shown_list l = {0};
    struct stream *s;
    uint32_t ids[READ + WRITTEN];
    for (int i = 0; i < READ + WRITTEN; i++)
        ids[i] = (uint32_t)(3 + i % 11);
    OK(stream_new(&s, F.m, &(struct stream_options){.window = READ + WRITTEN, .chunk = READ}, e));
    F.m->heads = &heads;
    OK(run_tokens(s, ids, READ, NULL, e));
    OK(shown_watch(s, e));
    OK(shown_add(&l, 1, 0, 8, e));
    OK(shown_add(&l, 0, 8, READ - 8 + WRITTEN, e));
    for (int i = 0; i < WRITTEN; i++)
        OK(run_tokens(s, ids + READ + i, 1, NULL, e));
    OK(shown_count(&l, s, 0, e));
    F.m->heads = own;
    assert_true(l.v[0].mass > 0 && l.v[1].mass > 0);
    assert_float_equal(l.v[0].mass + l.v[1].mass, WRITTEN * 1.25, 1e-4);
    stream_free(s);
    free(l.v);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_evidence_is_the_document),
        cmocka_unit_test(test_focus_is_a_sentence),
        cmocka_unit_test(test_focus_of_white_space),
        cmocka_unit_test(test_sentences_cross_blocks),
        cmocka_unit_test(test_sentences_are_read),
        cmocka_unit_test(test_copies),
        cmocka_unit_test(test_quotes),
        cmocka_unit_test(test_hops),
        cmocka_unit_test(test_bridge),
        cmocka_unit_test(test_two_halves),
        cmocka_unit_test(test_several_places),
        cmocka_unit_test(test_an_only_block_has_a_score),
        cmocka_unit_test(test_likelihood_orders),
        cmocka_unit_test(test_likelihood_of_more),
        cmocka_unit_test(test_rows_have_their_names),
        cmocka_unit_test(test_likelihood_of_sharp_votes),
        cmocka_unit_test(test_likelihood_of_those_behind),
        cmocka_unit_test(test_evidence_by_mass),
        cmocka_unit_test(test_evidence_by_turns),
        cmocka_unit_test(test_shown_is_what_heads_look_at),
    };
    return cmocka_run_group_tests(tests, engine_set_up, engine_tear_down);
}
