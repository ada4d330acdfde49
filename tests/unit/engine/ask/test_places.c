// What must always hold of questions that need more than one place.
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/ask/asking.h"
#include "engine/ask/bridge.h"
#include "engine/text/halves.h"
#include "tests/unit/engine_fixture.h"
#include "tests/unit/ok.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hops),
        cmocka_unit_test(test_bridge),
        cmocka_unit_test(test_several_places),
    };
    return cmocka_run_group_tests(tests, engine_set_up, engine_tear_down);
}
