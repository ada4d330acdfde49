// Decisions of later minutes about what was said.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "engine/changed/changed.h"

#define RENT  "- Rent: 12,000 a year, paid on 25 March and 29 September.\n\n"
#define ASKED "2. *Rent.* Mrs Moor asked for four parts. "

// Behind the first line of TEXT, which answers QUESTION, what is found is WHAT; NULL: nothing is.
static void finds(const char *text, const char *question, const char *what)
{
    char said[200] = "";
    memcpy(said, text, strcspn(text, "\n"));
    const struct changed_said s = {.text = text,
                                   .n = strlen(text),
                                   .said = {0, strlen(said)},
                                   .question = question,
                                   .answer = said};
    struct span_of_text at = {0, 0};
    assert_int_equal(changed_find(&s, &at), what != NULL);
    if (!what)
        return;
    assert_int_equal(span_bytes(at), strlen(what));
    assert_memory_equal(text + at.from, what, strlen(what));
}

static void test_decided(void **state)
{
    (void)state;
    static const char when[] = "When is the rent paid?";
    finds(RENT ASKED "Agreed: in May, June and July.\n", when,
          ASKED "Agreed: in May, June and July.");
    finds(RENT "2. Rent. Agreed: in May.\n3. Rent. From now on it is paid in June.\n", when,
          "3. Rent. From now on it is paid in June.");
    // Of something else, undecided, without what is asked for, or where what was is asked for.
    finds(RENT "2. *Fence.* Agreed: in May, June and July.\n", when, NULL);
    finds(RENT "2. *Fence and rent.* Agreed: in May, June and July.\n", when, NULL);
    finds(RENT ASKED "She thought of May, June and July.\n", when, NULL);
    finds(RENT ASKED "Agreed: in four parts.\n", "Who pays the rent?", NULL);
    finds(RENT ASKED "Agreed: in May, June and July.\n", "When was the rent paid originally?",
          NULL);
    finds(RENT ASKED "Agreed: in May, June and July.\n", "How is the rent paid?", NULL);
    finds(RENT "C.2 Fence. Agreed: in May, June and July.\n", when, NULL);
    finds(RENT "C.2 Rent. Agreed: in May, June and July.\n", when,
          "C.2 Rent. Agreed: in May, June and July.");
    finds("Not in it: the water, the gas, the sand and the rent, till 5 May.\n\n" ASKED
          "Agreed: in May, June and July.\n",
          "When is it paid?", NULL);
    // A long item only from the decision on.
    finds(RENT ASKED "She has no money in March, when the sheep are still on the hill and the wool "
                     "of the year before has long been sold, nor in September, when everybody who "
                     "might buy a lamb has one, and the bank in town has been shut for years. "
                     "Decided: it is paid in May.\n",
          when, "Decided: it is paid in May.");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_decided)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
