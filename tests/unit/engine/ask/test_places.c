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

#include "engine/ask/chosen.h"
#include "engine/ask/asking.h"
#include "engine/ask/bridge.h"
#include "engine/ask/choose.h"
#include "engine/ask/focus.h"
#include "engine/passage/sentence.h"
#include "engine/question/question.h"
#include "tests/unit/asking_fixture.h"
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
    FILE *f = begin_file("hops.txt");
    for (int i = 0; i < 90; i++)
        fprintf(f, "%s ",
                i % 30 == 15 ? places[i / 30] : "Nobody said anything before noon today.");
    end_file(f);
    struct kvz *k[] = {index_file("hops.txt", 64)}; // a sentence or two in a block
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

static const char DESIGNED[] = "The bridge over the Aune was built by Abel Zorn.",
                  KEPT[] = "In his youth Abel Zorn kept bees.";

// A question to *K that is answered from sentences.
static struct asking of_sentences(struct kvz **k, const struct ask_options *o, struct answer *a)
{
    return (struct asking){.m = F.m,
                           .k = k,
                           .n_k = 1,
                           .o = o,
                           .a = a,
                           .how.window = 32,
                           .how.budget = 512,
                           .how.mode = READ_SENTENCES};
}

// Q's question after its votes, its best sentence being the first of the two.
static void begin_bridge(struct asking *q, struct bridge *g)
{
    const struct kvz *k = q->k[0];
    uint64_t block;
    uint32_t token;
    asking_begin(q);
    q->how.parts.select = SELECT_HYBRID;
    asking_vote(q);
    find_sentence(k, DESIGNED, &block, &token);
    OK(sentence_around(&g->first, k, block, &token, e));
    assert_string_equal(g->first.text, DESIGNED);
    OK(focus_at(q, (int64_t)block, token, e));
    int64_t *order = q->votes.ballot->order, at = 0;
    while (order[at] != (int64_t)block)
        at++;
    order[at] = order[0];
    order[0] = (int64_t)block;
}

// What is chosen by how likely the sentences make the question, and read then.
static void check_lead(struct asking *q, const struct bridge *g)
{
    const struct ballot *b = q->votes.ballot;
    assert_string_equal(g->leads[0].v.text, KEPT);
    assert_int_equal(bridge_choose(g, (const double[]){-3, -2.8}), 0);
    assert_int_equal(bridge_choose(g, (const double[]){-3, -2.99}), -1); // hardly likelier
    // Not by enough after such a first one; the first is about something else.
    assert_int_equal(bridge_choose(g, (const double[]){-4.5, -4.3}), -1);
    assert_int_equal(bridge_choose(g, (const double[]){-4.5, -3.5}), 0);
    assert_int_equal(bridge_choose(g, (const double[]){-7, -2}), -1);
    OK(bridge_take(q, &g->leads[0], e));
    OK(choose_blocks(q, e));
    OK(chosen_read(&q->read.sentences, q, e));
    assert_int_equal(b->order[1], g->leads[0].global);
    assert_true(b->score[b->order[1]] == b->score[b->order[0]]);
    assert_int_equal(q->a->n_choices, 2);
    assert_int_equal(q->read.shown.n, 2); // the second is read last
    assert_int_equal(q->read.shown.v[1].global, q->chosen.lead.global);
    // Neither bees, which are asked about, nor who led there.
    assert_string_equal(q->said.news, "youth kept ");
}

// A name of the best sentence leads on to the sentence that says more of it, which is read behind
// it then.
static void test_bridge(void **state)
{
    (void)state;
    FILE *f = begin_file("bridge.txt");
    for (int i = 0; i < 120; i++)
        fprintf(f, "%s ",
                i == 30   ? DESIGNED
                : i == 90 ? KEPT
                          : "Nobody said anything before noon today.");
    end_file(f);
    struct kvz *k = index_file("bridge.txt", 64);
    static const struct {
        const char *question;
        int leads;
    } cases[] = {{"Which bees had who built the bridge over the Aune?", 1},
                 {"The bridge over the Aune was built by Zorn?", 0}, // nothing is left to be asked
                 {"How do I say who built the bridge?", 0}, // no word more that says something
                 {"Which parrots, goats, swans and ducks had who built it?", 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct ask_options o = {.question = cases[i].question};
        struct answer a = {0};
        struct asking q = of_sentences(&k, &o, &a);
        struct bridge g = {.question = o.question};
        begin_bridge(&q, &g);
        OK(bridge_find(&g, &q, e));
        assert_int_equal(g.n, cases[i].leads);
        if (g.n)
            check_lead(&q, &g);
        bridge_despair(&g, -3);
        assert_int_equal(g.n, cases[i].leads);
        bridge_despair(&g, -4.8); // what the lead would have to add is too much
        assert_int_equal(g.n, 0);
        for (int c = 0; c < a.n_choices; c++)
            free(a.choices[c].votes);
        free(a.choices);
        bridge_done(&g);
        asking_done(&q);
    }
    kvz_close(k);
}

// A best sentence that stands in front of the one it leads on to, because that says little without
// it, is read there alone.
static void test_read_once(void **state)
{
    (void)state;
    FILE *f = begin_file("once.txt");
    fprintf(f,
            "It rained.\n\n%s It is of stone, and very old by now.\n\nHe need not have done "
            "that for them.\n",
            DESIGNED);
    end_file(f);
    struct kvz *k = index_file("once.txt", 64);
    const struct ask_options o = {.question = "Who built the bridge over the Aune?"};
    struct answer a = {0};
    struct asking q = of_sentences(&k, &o, &a);
    struct bridge g = {.question = o.question};
    struct lead he = {0};
    uint64_t block;
    begin_bridge(&q, &g);
    char *both;
    assert_true(asprintf(&both, "%s\nHe need", DESIGNED) > 0);
    find_sentence(k, both, &block, &he.token);
    free(both);
    he.global = (int64_t)block;
    OK(bridge_take(&q, &he, e));
    OK(choose_blocks(&q, e));
    OK(chosen_read(&q.read.sentences, &q, e));
    assert_int_equal(q.read.shown.n, 1);
    assert_int_equal(q.read.shown.v[0].global, q.chosen.lead.global);
    for (int c = 0; c < a.n_choices; c++)
        free(a.choices[c].votes);
    free(a.choices);
    bridge_done(&g);
    asking_done(&q);
    kvz_close(k);
}

// Which questions are for several things: they are read about in several places.
static void test_for_several(void **state)
{
    (void)state;
    assert_true(question_for_several("What are all the numbers?"));
    assert_true(question_for_several("List the rivers, please."));
    assert_true(question_for_several("  Which, of both boats, sank?"));
    assert_false(question_for_several("What is the price of each boat?"));
    assert_false(question_for_several("Why is every boat of oak?"));
    assert_false(question_for_several("What does each boat cost?"));
    assert_true(question_for_several("What does each of the boats cost?"));
    assert_false(question_for_several("Where shall all boats for hire be kept?"));
    assert_true(question_for_several("Where are all the boats?"));
    assert_false(question_for_several(" Are all boats of oak?"));
    assert_true(question_for_several("Isles: name them all."));
    assert_false(question_for_several("Who called the tallest boat?"));
    assert_false(question_for_several(""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hops),
        cmocka_unit_test(test_bridge),
        cmocka_unit_test(test_read_once),
        cmocka_unit_test(test_for_several),
    };
    return cmocka_run_group_tests(tests, engine_set_up, engine_tear_down);
}
