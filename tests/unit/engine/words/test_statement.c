// Which of several texts a sentence rests on.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "engine/words/statement.h"

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
        cmocka_unit_test(the_text_with_the_rare_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
