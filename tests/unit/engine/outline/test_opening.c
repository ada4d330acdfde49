// When something is open, by lines of opening hours.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/unit/engine_fixture.h"
#include "tests/unit/survey_fixture.h"

// The line of the day, which may be within a range, whatever it is called.
static void test_days(void **state)
{
    (void)state;
    struct kvz *k = index_text("pool.txt", "Swimming Pool Lindbach\n\nOpening hours\n"
                                           "Mon            closed\nTue - Fri      6:30 - 21:00\n"
                                           "Sat, Sun       8:00 - 19:00\n\nThe sauna is warm.\n");
    asked(&k, 1, "When does the pool open on Saturday?", "\"Sat, Sun       8:00 - 19:00\"");
    asked(&k, 1, "When does the pool close on Friday?", "\"Tue - Fri      6:30 - 21:00\"");
    asked(&k, 1, "What time does it close on Wednesdays?", "\"Tue - Fri      6:30 - 21:00\"");
    asked(&k, 1, "Is it open on Monday?", "\"Mon            closed\"");
    asked(&k, 1, "What are the opening hours on Sun?", "\"Sat, Sun       8:00 - 19:00\"");
    asked(&k, 1, "When does the museum open on Saturday?", NULL);
    asked(&k, 1, "Is it open on Saturday and Sunday?", NULL); // of two
    asked(&k, 1, "When does the course begin on Saturday?", NULL);
    asked(&k, 1, "When does the pool open before Saturday?", NULL);
    kvz_close(k);
    k = index_text("shop.md",
                   "# Cycle shop\n\nHours of the shop\n\n- Monday to Thursday: 9-17\n"
                   "- Friday \u2013 Sunday: 10.30\u201316 (in winter 15)\n\n"
                   "Hours of the caf\u00e9\n\n- Weekdays: 8 am to 4 pm\n- Sunday: closed\n");
    asked(&k, 1, "When does the shop close on Tuesday?", "\"- Monday to Thursday: 9-17\"");
    asked(&k, 1, "When is the shop open on Saturday?",
          "\"- Friday \u2013 Sunday: 10.30\u201316 (in winter 15)\"");
    asked(&k, 1, "When does it close on Sunday?", NULL); // the shop or the cafe
    kvz_close(k);
    // Days of other things.
    k = index_text("week.txt",
                   "The week of the school, which is open all day\n\nLessons\n"
                   "Mon 8:00 - 9:00 Latin\nTue 8:00 - 9:00\n\nDiary\nWed 3 May, rain\n");
    asked(&k, 1, "When does the school open on Monday?", NULL);
    asked(&k, 1, "When does the school open on Tuesday?", NULL);
    asked(&k, 1, "Is the school open on Wednesday?", NULL);
    kvz_close(k);
}

// All days on one line, whether the day is among them or not.
static void test_line(void **state)
{
    (void)state;
    static const char hours[] = "\"Opening hours: Mon-Fri 9-17, Sat 10-14\"";
    struct kvz *k = index_text("library.txt", "Library of Fernhill\n\n"
                                              "Opening hours: Mon-Fri 9-17, Sat 10-14\n\n"
                                              "It lends books for three weeks.\n");
    asked(&k, 1, "When is it open on Saturday?", hours);
    asked(&k, 1, "Is the library open on Sundays?", hours);
    asked(&k, 1, "When does the library close on Wednesday?", hours);
    asked(&k, 1, "When does the museum open on Saturday?", NULL);
    kvz_close(k);
    k = index_text("club.txt", "The club\n\nMeetings: Mon 19-21, Sat 10-14\n"
                               "Open in the week of Mon 3 May, Sat 8 May\n"
                               "We open on Saturday.\n");
    asked(&k, 1, "When is it open on Saturday?", NULL);
    kvz_close(k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_days), cmocka_unit_test(test_line)};
    return cmocka_run_group_tests(tests, engine_set_up, engine_tear_down);
}
