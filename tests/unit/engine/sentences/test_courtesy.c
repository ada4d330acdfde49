// How letters and mails begin and end.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "engine/company/company.h"
#include "engine/sentences/courtesy.h"
#include "engine/sentences/cut.h"

static int is(const char *text)
{
    struct lines c;
    lines_of_text(&c, text, strlen(text));
    return courtesy_is(&c, 0, c.n);
}

static void test_courtesies(void **state)
{
    (void)state;
    static const char *const yes[] = {"Dear all,",
                                      "My dear Agnes,",
                                      "Hello Tom!",
                                      "Sehr geehrte Frau Moser,",
                                      "With thanks,\nHarriet",
                                      "Your loving brother,\nEdmund",
                                      "Best wishes, Ada",
                                      "Yours sincerely,",
                                      "Kind regards",
                                      "Mit freundlichen Grüßen\nAda Pell",
                                      "ADA: So tell me about the mill."},
                             *const no[] = {
                                 "Dear all, the rent rises.",  "Dear me!\nIt rains.",
                                 "Thanks for the soup,\nAda",  "Love, Actually",
                                 "With thanks, it ends.",      "The best,\nAda",
                                 "So tell me about the mill.", "ADA: Tell me about the mill?",
                                 "ADA: Tell me when to come.", "Rent"};
    for (size_t i = 0; i < sizeof yes / sizeof *yes; i++)
        if (!is(yes[i]))
            fail_msg("%s", yes[i]);
    for (size_t i = 0; i < sizeof no / sizeof *no; i++)
        if (is(no[i]))
            fail_msg("%s", no[i]);
}

// They are read with nothing else, and nothing with them.
static void test_courtesies_are_apart(void **state)
{
    (void)state;
    static const char text[] = "I am well.\n\nYour loving brother,\nEdmund\n\nFrom the diary\n\n"
                               "4 April 1931\nIt rains.\n";
    struct lines c;
    size_t from, to, lead, lead_end;
    lines_of_text(&c, text, sizeof text - 1);
    cut_sentence(&c, (size_t)(strstr(text, "loving") - text), &from, &to);
    company_extend(&c, &from, &to, &lead, &lead_end);
    assert_int_equal(to - from, strlen("Your loving brother,\nEdmund"));
    assert_int_equal(lead, lead_end);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_courtesies),
                                       cmocka_unit_test(test_courtesies_are_apart)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
