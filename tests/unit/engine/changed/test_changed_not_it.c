// What was said, or guessed, and turned out not to be it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "tests/unit/engine/changed/changed_fixture.h"

#define GUESS "There was water on the floor of the mill. I think the sluice by the wheel cracked."
#define ASKED "Why was there water on the floor?"

static void test_not_it(void **state)
{
    (void)state;
    static const char *const changes[] = {
        "It wasn't the sluice. A rat had dug a hole.",
        "It was not the sluice after all, it was a rat.",
        "It was not the cracked sluice but a drain.",
        "It isn\u2019t the sluice: the drain is blocked.",
        "It was never the sluice. The rain came in by the roof.",
        "It turned out not to be the sluice. A drain was blocked.",
        "So it wasn't the sluice. It was the drain.",
        "It turns out that it was the drain, not the sluice."};
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        char text[300] = GUESS "\n\nNews from the mill. ";
        finds(strcat(text, changes[i]), "I think", ASKED, changes[i]);
    }
    static const char *const others[] = {
        "It was not the sluice that I paid for.",
        "It was not the sluice gate money. Bo had it.",
        "It was not the weather. Bo likes rain.",
        "It was not the sluice-keeper. Ask Bo.",
        "It was not a good year. The sluice is old.",
        "> It wasn't the sluice. A rat.",
        "Bo says it was not the sluice. Ask Ada."}; // who may be wrong
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        char text[300] = GUESS "\n\n";
        finds(strcat(text, others[i]), "I think", ASKED, NULL);
    }
}

// Behind an answer that may be wrong only what was but a guess is denied.
static void test_unsure(void **state)
{
    (void)state;
    static const char guess[] = "I think the sluice cracked.\n\nIt was not the sluice. It rained.",
                      fact[] = "In May the sluice cracked.\n\nIt was not the sluice. It rained.";
    struct changed_said s = {guess, sizeof guess - 1, {0, 27}, ASKED, "the sluice cracked", 1};
    finds_that(&s, "It was not the sluice. It rained.");
    s.text = fact;
    s.n = sizeof fact - 1;
    s.said.to = 26;
    finds_that(&s, NULL);
    s.unsure = 0;
    finds_that(&s, "It was not the sluice. It rained.");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_not_it),
                                       cmocka_unit_test(test_unsure)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
