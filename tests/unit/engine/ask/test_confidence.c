// How sure it is that a question is answered: what the score is made of.
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "engine/ask/asking.h"
#include "engine/ask/confidence.h"
#include "engine/words/words.h"
#include "tests/unit/engine_fixture.h"
#include "tests/unit/ok.h"

// More of each sign is surer, what is nowhere less sure, and all of it a chance.
static void test_chance_is_monotone(void **state)
{
    (void)state;
    for (int i = 0; i < 243; i++) { // every sign at three values
        const struct signs s = {.explained = i % 3 / 3.0,
                                .apart = i / 3 % 3 - 1,
                                .said = i / 9 % 3 / 3.0,
                                .nowhere = i / 27 % 3 / 3.0,
                                .unknown = i / 81 > 1};
        struct signs more[4] = {s, s, s, s}, less[2] = {s, s};
        const double p = confidence_of(&s);
        assert_true(p > 0 && p < 1);
        more[0].explained += 0.1;
        more[1].apart += 0.1;
        more[2].said += 0.1;
        more[3].nowhere -= 0.1;
        less[0].nowhere += 0.1;
        less[1].unknown = 1;
        for (int j = 0; j < 4; j++)
            assert_true(confidence_of(&more[j]) > p);
        assert_true(confidence_of(&less[0]) < p);
        assert_true(s.unknown ? confidence_of(&less[1]) == p : confidence_of(&less[1]) < p);
    }
}

// A sentence in the question's words answers it, one that has nothing of it and is as good as any
// does not; one in other words that stands out may. A number that is nowhere outweighs words.
static void test_chance_of_what_is_known(void **state)
{
    (void)state;
    const struct signs own = {0.5, 1.5, 0.7, 0, 0, 0, 0, 0}, other = {0.25, 2, 0, 0.6, 0, 0, 0, 0},
                       nothing = {0.1, 0.5, 0, 0.8, 0, 0, 0, 0},
                       number = {0.4, 1.5, 0.4, 0.4, 1, 0, 0, 0},
                       lacking = {0.5, 1.5, 0.7, 0, 0, 1, 0, 0};
    assert_true(confidence_of(&own) > 0.9);
    assert_true(confidence_of(&other) > 0.1 && confidence_of(&other) < 0.5);
    assert_true(confidence_of(&nothing) < 0.07);
    assert_true(confidence_of(&number) < 0.07);
    assert_true(confidence_of(&lacking) < 0.5);
    assert_true(fabs(confidence_of(&lacking) - 0.4 * confidence_of(&own)) < 1e-9);
}

// Where it is known how near the words are, that counts: other words that all have a near one
// answer the question, the question's own without one of them do not. How plainly is as before.
static void test_chance_of_near_words(void **state)
{
    (void)state;
    const struct signs reworded = {.explained = 0.2,
                                   .apart = 1,
                                   .said = 0.1,
                                   .nowhere = 0.5,
                                   .near = 0.6,
                                   .least = 0.5},
                       near_miss = {
                           .explained = 0.5, .apart = 1.5, .said = 0.8, .near = 0.7, .least = 0.25};
    struct signs s = reworded;
    assert_true(confidence_of(&reworded) > 0.5 && confidence_plain(&reworded) < 0.3);
    assert_true(confidence_of(&near_miss) < 0.5 && confidence_plain(&near_miss) > 0.9);
    s.least += 0.1;
    assert_true(confidence_of(&s) > confidence_of(&reworded));
    s = reworded, s.near += 0.1;
    assert_true(confidence_of(&s) > confidence_of(&reworded));
    s = reworded, s.unknown = 1;
    assert_true(confidence_of(&s) < confidence_of(&reworded));
    s = reworded, s.lacking = 1;
    assert_true(fabs(confidence_of(&s) - 0.4 * confidence_of(&reworded)) < 1e-9);
    s = reworded, s.least = NOT_KNOWN;
    assert_true(confidence_of(&s) == confidence_plain(&s));
}

static void test_apart(void **state)
{
    (void)state;
    const double all[] = {-4, -6, -6, -8}, same[] = {-5, -5};
    assert_true(fabs(confidence_apart(-4, all, 4) - 2 / (sqrt(2) + 0.1)) < 1e-12);
    assert_true(confidence_apart(-8, all, 4) < 0 && confidence_apart(-5, same, 2) == 0);
    assert_true(confidence_apart(-5, same, 0) == 0);
}

static void test_explained_share(void **state)
{
    (void)state;
    const double before[] = {-4, -6, -2}, after[] = {-1, -6, -5}, none[] = {0, 0};
    assert_true(fabs(confidence_explained(before, after, 3) - 0.25) < 1e-12);
    assert_true(confidence_explained(before, before, 3) == 0);
    assert_true(confidence_explained(none, none, 2) == 0);
}

static size_t word_bytes(const char *p)
{
    size_t n = 0;
    while (word_has(p[n]))
        n++;
    return n;
}

// The words of QUESTION that are names, a space behind each.
static const char *names(const char *question)
{
    static char out[256];
    size_t to = 0;
    for (const char *p = question; *p;) {
        size_t n = word_bytes(p);
        if (n && confidence_is_name(question, (size_t)(p - question), n))
            to += (size_t)snprintf(out + to, sizeof out - to, "%.*s ", (int)n, p);
        p += n ? n : 1;
    }
    out[to] = 0;
    return out;
}

static void test_names(void **state)
{
    (void)state;
    static const struct {
        const char *question, *names;
    } known[] = {
        {"What does E77 mean?", "E77 "},
        {"Who paid Ida Nagel 40 pounds?", "Ida Nagel 40 "},
        {"Debian has how many packages?", ""},      // its first word has a capital anyway
        {"Where do CDs and the CEO go?", ""},       // short for something
        {"May I leave in March or on Monday?", ""}, // dates have other names
        {"Who Wrote The Book About Whales?", ""},   // every word has one
        {"Wie lange dauert die Mittagsruhe?", ""},  // every noun has one
        {"Wie hei\xc3\xbct Zimmer 12?", "12 "},     // but not a number
        {"What did I tell Maren?", "Maren "},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        assert_string_equal(names(known[i].question), known[i].names);
}

// Of a text: the share of the question's words that it has, and whether one is in no block.
static void test_signs_of_text(void **state)
{
    (void)state;
    FILE *f = begin_file("signs.txt");
    for (int i = 0; i < 40; i++)
        fprintf(f, "the river met P%d by the old boat\n", 100 + i);
    end_file(f);
    struct kvz *k = index_file("signs.txt", 0);
    static const struct {
        const char *question, *text;
        double least, most; // of what is said
        int nowhere, unknown;
    } known[] = {
        {"What did P117 river?", "the river met P117 by the boat", 1, 1, 0, 0},
        {"What did P117 river?", "the river met P118 by the boat", 0.001, 0.3, 0, 0},
        {"What did P917 river?", "the river met P118 by the boat", 0.001, 0.3, 1, 1},
        {"What did the mayor river?", "the river met P118", 0.001, 0.3, 1, 0},
        {"What did Maren say of P117?", "the river met P117", 0.2, 0.9, 1, 1},
        {"What is it?", "it is what it is", 0, 0, 0, 0}, // of words that say nothing
        // Terms of programs, whose stems others have.
        {"What is the riverSide by P117?", "the river met P117 by the boat", 0.5, 1, 0, 1},
        {"What is $old_boat by P117?", "the river met P117 by the boat", 0.2, 1, 0, 0},
        {"What is the oldBoat by P117?", "the river met P117 by the boat", 0.2, 1, 1, 0},
        {"What is old_river by P117?", "the river met P117 by the boat", 0.5, 1, 0, 1},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const struct ask_options o = {.question = known[i].question};
        struct ballot b = {.counted = NULL};
        const struct asking q = {.m = F.m, .k = &k, .n_k = 1, .o = &o, .votes.ballot = &b};
        struct signs s = {.explained = 0.25, .apart = 1};
        OK(confidence_words(&s, &q, known[i].text, e));
        assert_true(s.explained == 0.25 && s.apart == 1);
        if (s.said < known[i].least || s.said > known[i].most || s.unknown != known[i].unknown ||
            (s.nowhere > 0.1) != known[i].nowhere)
            fail_msg("%s: %g, %g, %d", known[i].question, s.said, s.nowhere, s.unknown);
    }
    kvz_close(k);
}

// A sentence near to the question is likelier to answer it than one of which that is not known, one
// far from it less likely, where nothing is known of its words.
static void test_near(void **state)
{
    (void)state;
    const struct signs known = {0.25, 1, 0.4, 0.2, 0, 0, 0, NOT_KNOWN},
                       near = {0.25, 1, 0.4, 0.2, 0, 0, 0.8, NOT_KNOWN},
                       far = {0.25, 1, 0.4, 0.2, 0, 0, 0.1, NOT_KNOWN};
    assert_true(confidence_of(&near) > 1.2 * confidence_of(&known));
    assert_true(confidence_of(&far) < 0.7 * confidence_of(&known));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chance_is_monotone),
        cmocka_unit_test(test_chance_of_what_is_known),
        cmocka_unit_test(test_chance_of_near_words),
        cmocka_unit_test(test_explained_share),
        cmocka_unit_test(test_apart),
        cmocka_unit_test(test_near),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_signs_of_text),
    };
    return cmocka_run_group_tests(tests, engine_set_up, engine_tear_down);
}
