// Sentences of a text, and which of several texts one rests on.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "engine/text/statement.h"

static void sentences(void **state)
{
    (void)state;
    const char *text = "  Rent is 5.50 a day. Who\npays?\n\nA heading\n\nThe tenant \n";
    const char *wanted[] = {"Rent is 5.50 a day.", "Who\npays?", "A heading", "The tenant"};
    size_t from = 0, start, end, n = 0;
    for (; (end = statement_next(text, from, &start)); from = end, n++) {
        assert_true(n < 4);
        assert_int_equal(end - start, strlen(wanted[n]));
        assert_memory_equal(text + start, wanted[n], end - start);
    }
    assert_int_equal(n, 4);
    assert_int_equal(statement_next("", 0, &start), 0);
    assert_int_equal(statement_next(" \n", 0, &start), 0);
}

static int best(const char *sentence, const char *const *texts, int n)
{
    return statement_best(sentence, strlen(sentence), texts, n);
}

static void the_text_with_the_rare_words(void **state)
{
    (void)state;
    const char *texts[] = {"The server reads mail.", "The server reads web pages and mail.",
                           "Backups run at night on the server."};
    // "reads" is worth 1/2 in the first two; "pages" 1 in the second; "nothing" and "of" nothing.
    assert_int_equal(best("It reads nothing of the PAGES.", texts, 3), 1);
    assert_int_equal(best("Mail is read.", texts, 3), 0); // the first of equals
    assert_int_equal(best("At night, at night.", texts, 3), 2);
    // "mail", said three times, counts once: 1/2 for the first two, and "backups" 1 for the third.
    assert_int_equal(best("Mail mail mail, backups.", texts, 3), 2);
    assert_int_equal(best("Unlike all of them.", texts, 3), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sentences),
        cmocka_unit_test(the_text_with_the_rare_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
