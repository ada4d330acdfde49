// Amendments that name a clause by its code alone.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "tests/unit/engine/changed/changed_fixture.h"

#define KEYS  "E1. Hours\nSaws may be run until 14:00.\n\nE2. Keys\nA lost key costs 120 euros.\n\n"
#define LATER "1. Saws: the end of hours in E1 is moved to 13:00.\n"

// Behind SAID of TEXT, which answers QUESTION, what is found begins with BEGINS; NULL: nothing is.
static void corrected(const char *text, const char *said, const char *question, int unsure,
                      const char *begins)
{
    const size_t from = (size_t)(strstr(text, said) - text);
    const struct changed_said s = {.text = text,
                                   .n = strlen(text),
                                   .said = {from, from + strlen(said)},
                                   .question = question,
                                   .answer = said,
                                   .unsure = unsure};
    finds_that(&s, begins);
}

static void test_codes(void **state)
{
    (void)state;
    static const char lost[] = "A lost key costs 120 euros.", asked[] = "What does a key cost?",
                      saws[] = "Saws may be run until 14:00.", until[] = "Until when may I saw?";
    for (int unsure = 0; unsure < 2; unsure++) {
        corrected(KEYS LATER "2. Lost keys: the charge in E2 falls to 70.\n", lost, asked, unsure,
                  "2. Lost keys");
        corrected(KEYS "Lost keys: the charge in E2 is doubled.\n", lost, asked, unsure, NULL);
        // Of another clause, of another thing of it, and where it is only referred to.
        corrected(KEYS "Lost keys: the charge in E1 falls to 70.\n", lost, asked, unsure, NULL);
        corrected(KEYS "Lost keys: the charge in E20 falls to 70.\n", lost, asked, unsure, NULL);
        corrected(KEYS "Lost Barn keys: the charge in E2 falls to 70.\n", lost, asked, unsure,
                  NULL);
        corrected(KEYS "Lost keys: the charge, see E2, falls to 70.\n", lost, asked, unsure, NULL);
    }
    corrected(KEYS LATER, saws, until, 0, "1. Saws");
    // Unsure, it must have a word of the question.
    corrected(KEYS "Lost keys: the charge in E2 falls to 70.\n", lost, "Who pays?", 0, "Lost");
    corrected(KEYS "Lost keys: the charge in E2 falls to 70.\n", lost, "Who pays?", 1, NULL);
    // Not of a clause further above: what was said has a code of its own, or a heading.
    static const char laundry[] = "Income has fallen to 265 a month.",
                      how[] = "What is the income?";
#define ABOVE "13.2 The income is 410.\n\n"
#define BELOW " Income has fallen to 265 a month.\n\nThe income under 13.2 falls to 90.\n"
    corrected(ABOVE "D.2 Laundry." BELOW, laundry, how, 0, NULL);
    corrected(ABOVE "13.3 Laundry." BELOW, laundry, how, 0, NULL);
    corrected(ABOVE "LAUNDRY\n\n" BELOW, laundry, how, 0, NULL);
    corrected("13.2 Laundry." BELOW, laundry, how, 0, "The income under 13.2");
    corrected(
        "13.2 Laundry. Income has fallen to 265 a month.\n\nThe income under 13.2 falls on A-16.\n",
        laundry, how, 0, NULL);
    // Numbers with a point, which no number of an item is.
    corrected("6.1 The dairy takes whey, 25 l a day.\n\n5. The whey in 6.1 is lowered to 18 l.",
              "The dairy takes whey, 25 l a day.", "How much whey is taken?", 0, "5. The whey");
    corrected("6 The dairy takes whey, 25 l a day.\n\n5. The whey in 6 is lowered to many l.",
              "The dairy takes whey, 25 l a day.", "How much whey is taken?", 0, NULL);
}

// The amount that is asked for may be in the next sentence.
static void test_value_behind(void **state)
{
    (void)state;
    static const char text[] = "E4. Lift\nThe load of the lift is 800 kg.\n\n1. The lift load in "
                               "E4 is reduced. The plate says 650 kg. It is old.\n",
                      said[] = "The load of the lift is 800 kg.";
    const size_t from = sizeof "E4. Lift\n" - 1;
    const struct changed_said s = {.text = text,
                                   .n = sizeof text - 1,
                                   .said = {from, from + sizeof said - 1},
                                   .question = "How much load may the lift carry?",
                                   .answer = said};
    struct span_of_text at;
    assert_true(changed_find(&s, &at));
    static const char both[] = "1. The lift load in E4 is reduced. The plate says 650 kg.";
    assert_int_equal(span_bytes(at), sizeof both - 1);
    assert_memory_equal(text + at.from, both, sizeof both - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_codes),
                                       cmocka_unit_test(test_value_behind)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
