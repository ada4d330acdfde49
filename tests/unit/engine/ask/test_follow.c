// Sentences that go on in the one behind them.
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
#include "engine/ask/evidence.h"
#include "engine/ask/focus.h"
#include "engine/ask/follow.h"
#include "engine/ask/judge.h"
#include "engine/passage/sentence.h"
#include "tests/unit/asking_fixture.h"
#include "tests/unit/engine_fixture.h"
#include "tests/unit/ok.h"

static const char FIRST[] = "The net fouled the propeller of the boat.", NEXT[] = "Two hauled.",
                  THEN[] = "Noor dived with a knife and cut it loose.",
                  LAST[] = "All hands were given a double rum.";

static struct kvz *boat(void)
{
    FILE *f = begin_file("boat.txt");
    fprintf(f, "%s %s %s\n%s\n\f", FIRST, NEXT, THEN, LAST);
    end_file(f);
    return index_file("boat.txt", 64);
}

static void test_next(void **state)
{
    (void)state;
    struct kvz *k = boat();
    struct sentence v;
    uint64_t block;
    uint32_t token;
    char both[256];
    find_sentence(k, FIRST, &block, &token);
    OK(sentence_and_next(&v, k, block, token, 1, e));
    snprintf(both, sizeof both, "%s %s %s", FIRST, NEXT,
             THEN); // a few words take another one with them
    assert_string_equal(v.text, both);
    sentence_done(&v);
    find_sentence(k, THEN, &block, &token);
    OK(sentence_and_next(&v, k, block, token, 1, e));
    assert_string_equal(v.text + strlen(v.text) - strlen(LAST), LAST);
    sentence_done(&v);
    find_sentence(k, LAST, &block, &token);
    struct sentence alone;
    OK(sentence_around(&alone, k, block, &token, e));
    OK(sentence_and_next(&v, k, block, token, 1, e)); // nothing is behind it
    assert_string_equal(v.text, alone.text);
    assert_int_equal(v.end, alone.end);
    sentence_done(&alone);
    sentence_done(&v);
    kvz_close(k);
}

// A letter ends with its writer's name, a section with the next heading.
static void test_next_is_of_the_same(void **state)
{
    (void)state;
    FILE *f = begin_file("letters.txt");
    fputs("He has a violin and plays it all night.\n\nYour Halvard\n\nBergholm, 2 May\n\nDear "
          "Inga,\n\nIt is summer here by now.\n",
          f);
    end_file(f);
    struct kvz *k = index_file("letters.txt", 64);
    struct sentence v;
    uint64_t block;
    uint32_t token;
    find_sentence(k, "He has", &block, &token);
    OK(sentence_and_next(&v, k, block, token, 1, e));
    assert_string_equal(v.text, "He has a violin and plays it all night.");
    sentence_done(&v);
    find_sentence(k, "Bergholm", &block, &token); // a heading by itself says nothing
    OK(sentence_and_next(&v, k, block, token, 1, e));
    assert_non_null(strstr(v.text, "It is summer"));
    sentence_done(&v);
    kvz_close(k);
}

// What goes on is read whole, and shown so as the focus.
static void test_goes_on(void **state)
{
    (void)state;
    struct kvz *k = boat();
    const struct ask_options o = {.question = "How was the net cut loose?"};
    struct answer a = {0};
    struct asking q = {.m = F.m,
                       .k = &k,
                       .n_k = 1,
                       .o = &o,
                       .a = &a,
                       .how.window = 32,
                       .how.mode = READ_SENTENCES};
    struct sentence v;
    struct evidence one, two;
    uint64_t block;
    uint32_t token;
    asking_begin(&q);
    OK(ballot_new(&q.votes.ballot, F.m, &k, 1, &q.how.parts, o.question, e));
    find_sentence(k, FIRST, &block, &token);
    OK(focus_at(&q, (int64_t)block, token, e));
    assert_false(focus_goes_on(&q, (int64_t)block));
    OK(chosen_sentence(&v, &q, (int64_t)block, e));
    assert_null(strstr(v.text, THEN));
    sentence_done(&v);
    focus_go_on(&q, (int64_t)block, 1);
    focus_go_on(&q, (int64_t)block + 1, 1); // nobody has looked there
    assert_true(focus_goes_on(&q, (int64_t)block));
    assert_false(focus_goes_on(&q, (int64_t)block + 1));
    OK(chosen_sentence(&v, &q, (int64_t)block, e));
    assert_non_null(strstr(v.text, THEN));
    sentence_done(&v);
    OK(evidence_of(&one, k, 0, block, 0, e));
    OK(evidence_of(&two, k, 0, block, 0, e));
    OK(evidence_focus(&one, k, token, 0, e));
    OK(evidence_focus(&two, k, token, 1, e));
    assert_int_equal(two.focus_start, one.focus_start);
    assert_true(two.focus_end > one.focus_end);
    assert_in_range(two.focus_end, two.focus_start + 1, two.end);
    free(one.text);
    free(two.text);
    asking_done(&q);
    kvz_close(k);
}

static void test_better(void **state)
{
    (void)state;
    static const char how[] = "How was it removed?", many[] = "How many were removed?",
                      two[] = "It was cut. Two men dived.";
    assert_true(follow_better((const double[]){-5, -4.7}, how, "It was cut.", two, 0));
    assert_false(
        follow_better((const double[]){-5, -4.9}, how, "It was cut.", two, 0)); // hardly likelier
    assert_false(follow_better((const double[]){-2, -1.5}, how, "It was cut.", two,
                               0)); // the first says it all
    assert_true(
        follow_better((const double[]){-5, -5.1}, many, "It was cut.", two, 0)); // it has no number
    assert_false(follow_better((const double[]){-5, -5.1}, many, "It was 1 net.", two, 0));
    // Even where the first one is likely by itself.
    assert_true(follow_better((const double[]){-2, -2.1}, many, "It was cut.", two, 0));
    assert_false(follow_better((const double[]){-2, -2.5}, many, "It was cut.", two, 0));
    // What gives no reason, or only denies, is no answer: it goes on, though not in another
    // paragraph, nor in what makes the question much less likely.
    static const char why[] = "Why did the boat stop?", stop[] = "The boat stopped.",
                      net[] = "The boat stopped. A net fouled it.",
                      other[] = "The boat stopped.\n\nA net fouled it.",
                      none[] = "There was no gold in it.", what[] = "What was in it?",
                      key[] = "There was no gold in it. There was a key.";
    assert_true(follow_better((const double[]){-2, -2.2}, why, stop, net, 0));
    assert_false(follow_better((const double[]){-2, -2.2}, why, stop, other, 0));
    assert_false(follow_better((const double[]){-2, -2.4}, why, stop, net, 0));
    // Another paragraph is about something else, unless it has a word that is looked for.
    static const char gone[] = "It was cut.\n\nTwo men dived.";
    assert_false(follow_better((const double[]){-5, -4.7}, how, "It was cut.", gone, 0));
    assert_true(follow_better((const double[]){-5, -4.7}, how, "It was cut.", gone, 1));
    // Nor is another entry of a log.
    assert_true(follow_better((const double[]){-2, -2.2}, why, stop,
                              "The boat stopped.\nA net fouled it.", 0));
    assert_false(follow_better((const double[]){-2, -2.2}, why, stop,
                               "The boat stopped.\n0950  A net fouled it.", 0));
    assert_false(follow_better((const double[]){-2, -2.2}, why, stop,
                               "The boat stopped.\n09:50 A net fouled it.", 0));
    // Nor another item of a list, unless what is behind the first sentence is one.
    assert_false(follow_better((const double[]){-2, -2.2}, why, "- The boat stopped.",
                               "- The boat stopped.\n- A net fouled it.", 0));
    assert_true(follow_better((const double[]){-2, -2.2}, why, "1. The boat stopped.",
                              "1. The boat stopped.\n2. A net fouled it.", 0));
    assert_true(follow_better((const double[]){-2, -2.2}, why, stop,
                              "The boat stopped.\n- A net fouled it.", 0));
    assert_true(follow_better((const double[]){-2, -2.2}, what, none, key, 0));
    assert_false(follow_better((const double[]){-2, -2.2}, "Was gold in it?", none, key, 0));
}

// Up to the word that the first sentence lacks, which is likely enough then.
static void test_reach(void **state)
{
    (void)state;
    struct kvz *k = boat();
    static const struct {
        const char *question, *ends;
        int on, lacked;
    } cases[] = {
        {"How was the net of the boat cut?", THEN, 1, 0}, // "cut" is too short to tell
        {"How was the net cut loose?", THEN, 1, 1},
        {"When the net fouled the propeller, what was double?", LAST, 2, 1},
        {"Where is the net of the captain?", THEN, 1, 0}, // no captain far and wide
    };
    uint64_t block;
    uint32_t token;
    find_sentence(k, FIRST, &block, &token);
    struct sentence first;
    OK(sentence_around(&first, k, block, &token, e));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct reach r;
        OK(follow_reach(&r, cases[i].question, &first, k, block, token, e));
        if (r.on != cases[i].on || r.lacked != cases[i].lacked)
            fail_msg("%s: %d on, lacked %d", cases[i].question, r.on, r.lacked);
        assert_string_equal(r.both.text + strlen(r.both.text) - strlen(cases[i].ends),
                            cases[i].ends);
        sentence_done(&r.both);
    }
    static const char how[] = "How was it removed?", two[] = "It was cut. Two men dived.";
    assert_true(follow_better((const double[]){-2, -1.5}, how, "It was cut.", two, 1));
    assert_true(follow_better((const double[]){-2, -1.9}, how, "It was cut.", two, 1));
    assert_false(follow_better((const double[]){-2, -1.96}, how, "It was cut.", two, 1));
    sentence_done(&first);
    kvz_close(k);
}

// What QUESTION reaches from the sentence FIRST_OF of a document that goes on with BEHIND; R->both
// is the caller's to release.
static void reach_in(struct reach *r, const char *first_of, const char *behind,
                     const char *question)
{
    FILE *f = begin_file("reach.txt");
    fprintf(f, "%s %s\n\f", first_of, behind);
    end_file(f);
    struct kvz *k = index_file("reach.txt", 64);
    uint64_t block;
    uint32_t token;
    struct sentence first;
    find_sentence(k, first_of, &block, &token);
    OK(sentence_around(&first, k, block, &token, e));
    OK(follow_reach(r, question, &first, k, block, token, e));
    sentence_done(&first);
    kvz_close(k);
}

static void ends_with(const struct reach *r, const char *end)
{
    assert_string_equal(r->both.text + strlen(r->both.text) - strlen(end), end);
}

// Behind what is so with others.
static void test_reach_itself(void **state)
{
    (void)state;
    struct reach r;
    static const char first[] = "With three rowers take six oars and stow the others.",
                      asked[] = "With two rowers, how many oars are taken?";
    reach_in(&r, first,
             "All of the oars are of ash. With two, take only four of them on board. All of them "
             "have to be stowed well in the evening.",
             asked);
    assert_true(r.lacked);
    ends_with(&r, "With two, take only four of them on board.");
    sentence_done(&r.both);
    reach_in(&r, first, "All of the oars are of ash. Stow them well in the evening.", asked);
    assert_false(r.lacked);
    sentence_done(&r.both);
}

// When something is open is told behind another time.
static void test_reach_hours(void **state)
{
    (void)state;
    struct reach r;
    reach_in(&r, "The mill of Hale stands on the brook, as it has for long.",
             "Tickets are sold on the hour, for two at a time. "
             "Open from Monday to Friday, ten till five.",
             "What are the opening hours of the mill?");
    assert_int_equal(r.on, 2);
    assert_true(r.lacked);
    ends_with(&r, "Open from Monday to Friday, ten till five.");
    sentence_done(&r.both);
}

// What somebody gets in a year is told behind another number.
static void test_reach_rate(void **state)
{
    (void)state;
    struct reach r;
    reach_in(&r, "The sisters met me at the pier, as they had said.",
             "There are two of them in the house. My room looks on the yard. "
             "I am to get thirty-five pounds a year from them.",
             "How much do I get a year from the sisters?");
    assert_true(r.lacked);
    ends_with(&r, "I am to get thirty-five pounds a year from them.");
    sentence_done(&r.both);
}

// A reason is told in the same paragraph, be it two sentences on.
static void test_reach_reason(void **state)
{
    (void)state;
    static const char reason[] = "Reason: the pier at Hale has sunk.";
    for (int apart = 0; apart < 2; apart++) {
        struct reach r;
        char behind[128];
        snprintf(behind, sizeof behind,
                 "Twelve people a day came at last. Nobody lives on the pier.%s%s",
                 apart ? "\n\n" : " ", reason);
        reach_in(&r, "The ferry to Hale is given up from May on, as we hear.", behind,
                 "Why is the ferry to Hale given up?");
        assert_int_equal(r.lacked, !apart);
        assert_int_equal(r.on, apart ? 1 : 3);
        assert_int_equal(strstr(r.both.text, reason) != NULL, !apart);
        sentence_done(&r.both);
    }
}

// What is in something is told behind the sentence that names it.
static void test_reach_contents(void **state)
{
    (void)state;
    struct reach r;
    reach_in(
        &r, "When the mill was sold, the miller gave me an old tin box.",
        "He had long been ill. For years it stood on the shelf. There were forty letters in it.",
        "What was in the box?");
    assert_true(r.lacked);
    ends_with(&r, "There were forty letters in it.");
    sentence_done(&r.both);
}

// With a second place nothing else is read, nor where several things are asked for or nothing is
// quoted.
static void test_may_follow(void **state)
{
    (void)state;
    struct kvz *k = boat();
    static const char *const questions[] = {"How was the net cut loose?",
                                            "What are all the knives for?"};
    uint64_t block;
    uint32_t token;
    find_sentence(k, FIRST, &block, &token);
    for (int lead = 0; lead < 2; lead++)
        for (int i = 0; i < 4; i++) { // of the last two, nothing is quoted
            const struct ask_options o = {.question = questions[i % 2]};
            struct answer a = {0};
            struct asking q = {.m = F.m,
                               .k = &k,
                               .n_k = 1,
                               .o = &o,
                               .a = &a,
                               .how.window = 32,
                               .how.max_tokens = 64,
                               .how.mode = READ_SENTENCES,
                               .chosen.lead.found = lead,
                               .how.doubt = i < 2 ? 1 : 0,
                               .how.chat = chat_find("raw")};
            asking_begin(&q);
            q.how.parts.likelihood = 4;
            asking_vote(&q);
            OK(follow_on(&q, e));
            assert_int_equal(q.votes.foci.n, !lead && !i); // whether it was looked for at all
            asking_done(&q);
        }
    kvz_close(k);
}

// What was judged as the best sentence is not judged anew: what it goes on in cannot be likelier
// than certain, and is likelier than what has no chance.
static void test_follows_what_was_judged(void **state)
{
    (void)state;
    struct kvz *k = boat();
    uint64_t block;
    uint32_t token;
    find_sentence(k, FIRST, &block, &token);
    for (int certain = 0; certain < 2; certain++) {
        const struct ask_options o = {.question = "How was the net cut loose?"};
        struct answer a = {0};
        struct asking q = {.m = F.m,
                           .k = &k,
                           .n_k = 1,
                           .o = &o,
                           .a = &a,
                           .how.window = 32,
                           .how.max_tokens = 64,
                           .how.mode = READ_SENTENCES,
                           .how.doubt = 1,
                           .how.chat = chat_find("raw")};
        asking_begin(&q);
        q.how.parts.likelihood = 4;
        asking_vote(&q);
        asking_judge(&q, block, token, certain ? 0 : -100);
        OK(follow_on(&q, e));
        assert_int_equal(focus_goes_on(&q, (int64_t)block) > 0, !certain);
        asking_done(&q);
    }
    kvz_close(k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_next),         cmocka_unit_test(test_next_is_of_the_same),
        cmocka_unit_test(test_reach),        cmocka_unit_test(test_reach_itself),
        cmocka_unit_test(test_reach_hours),  cmocka_unit_test(test_reach_rate),
        cmocka_unit_test(test_reach_reason), cmocka_unit_test(test_reach_contents),
        cmocka_unit_test(test_goes_on),      cmocka_unit_test(test_better),
        cmocka_unit_test(test_may_follow),   cmocka_unit_test(test_follows_what_was_judged)};
    return cmocka_run_group_tests(tests, engine_set_up, engine_tear_down);
}
