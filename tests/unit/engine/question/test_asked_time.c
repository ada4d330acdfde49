// When something is: what kind of time a question wants, and which texts have it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "engine/question/asked.h"
#include "engine/words/dates.h"
#include "engine/words/day.h"

static void test_times(void **state)
{
    (void)state;
    static const char elected[] = "On what date was she elected?", due[] = "When is the rent due?",
                      froze[] = "In which year did it freeze?";
    assert_true(asked_left_out(elected, "With five votes.", "15 March 2023\n\nWith five votes."));
    assert_true(asked_left_out(elected, "In March.", "8 May 2023\n\nShe goes in March."));
    assert_false(asked_left_out(elected, "On 15 March.", "On 15 March, with five votes."));
    assert_true(asked_left_out(froze, "From the 3rd of May on.", "1563. From the 3rd of May on."));
    assert_false(asked_left_out(froze, "In 1563.", "1563. From the 3rd of May on."));
    assert_true(asked_no_time(froze, "From the 3rd of May on."));
    assert_false(asked_no_time(froze, "In the year of the plague."));
    assert_true(asked_no_time(elected, "She was elected with five votes."));
    assert_false(asked_no_time(elected, "She was elected in May."));
    assert_true(asked_no_time(elected, "She was elected for \u00a3 3,000 at the head of 12."));
    static const char *const times[] = {
        "In 1899.",  "On the 5th.", "It was 9:30.", "At 9 p.m.", "She was elected at 56.",
        "2024-03-04"};
    for (size_t i = 0; i < sizeof times / sizeof *times; i++)
        assert_false(asked_no_time(elected, times[i]));
    assert_false(asked_no_time(elected, "She was elected before the war."));
    assert_false(asked_no_time("When is dinner?", "At seven."));
    assert_true(asked_no_time("When is dinner?", "In the hall."));
    assert_false(asked_no_time("When is dinner?", "On Thursdays."));
    assert_false(asked_no_time("When is dinner cold?", "Only if the cook is away."));
    assert_false(asked_no_time("Who cooks dinner?", "In the hall."));
    assert_true(asked_fit("When is May's rent due?", "On the third day of each month.") == 0);
    assert_true(asked_fit(due, "Payable on the third day of each month.") > 0);
    assert_true(asked_fit(due, "It is paid by the 1st of the month.") > 0);
    assert_true(asked_fit(due, "On the last working day of a quarter.") > 0);
    assert_true(asked_fit(due, "Interest is paid from seven days after it was due.") == 0);
    assert_true(asked_fit(due, "The third part of this is about rent.") == 0);
    assert_true(asked_fit(elected, "On the first day of each month.") == 0);
}

static void test_values_of_time(void **state)
{
    (void)state;
    static const char *const may[] = {
        "02:30",           "3 May",      "2021",    "10.11.2023", "8.35",        "7\u20139",
        "weekly",          "on request", "Mon-Fri", "12",         "if it leaks", "\u2013",
        "by cron at 2:45", "9 pm",       "28 Nov"};
    static const char *const other[] = {"200 GB", "75 %",     "80 % (muted)", "Ann Lee",
                                        "AB-90",  "\u00a314", "rejected",     "15 \u00b0C"};
    for (size_t i = 0; i < sizeof may / sizeof *may; i++)
        if (!asked_may_be_time(may[i]))
            fail_msg("%s", may[i]);
    for (size_t i = 0; i < sizeof other / sizeof *other; i++)
        if (asked_may_be_time(other[i]))
            fail_msg("%s", other[i]);
}

static void test_date_lines(void **state)
{
    (void)state;
    assert_true(dates_fix("on 4 May", 8) && dates_fix("the 3rd of June", 15));
    assert_true(dates_fix("in 1931", 7) && dates_fix("June 8th", 8) && dates_fix("4.5.2023", 8));
    static const char *const days[] = {"Sat, 08 Jul 2023 10:00", "8 July 2023", "2023-07-08T10:00",
                                       "the 8th of July 2023", "On July 8, 2023, at 5"};
    struct day d;
    for (size_t i = 0; i < sizeof days / sizeof *days; i++) {
        assert_true(day_of(days[i], strlen(days[i]), &d));
        assert_true(d.day == 8 && d.month == 7 && d.year == 2023);
    }
    assert_true(day_of("on 2 Sept", 9, &d) && d.day == 2 && d.month == 9 && !d.year);
    assert_false(day_of("in July 2023", 12, &d) || day_of("8 men", 5, &d));
    assert_false(dates_fix("in March", 8) || dates_fix("in May", 6) || dates_fix("7", 1));
}

static void test_defaults(void **state)
{
    (void)state;
    static const char question[] = "What is the default size?";
    assert_true(asked_default_left_out(question, "Sets the default size."));
    assert_false(asked_default_left_out(question, "Sets the size. The default is 7."));
    assert_false(asked_default_left_out(question, "Size: by default 7"));
    assert_false(asked_default_left_out("What is the size?", "Sets the default size."));
}

// When something is open is not told by any time.
static void test_hours(void **state)
{
    (void)state;
    static const char *const asks[] = {"When is the mill open?", "When is the mill closed?",
                                       "What are the opening hours of the mill?"};
    for (size_t i = 0; i < sizeof asks / sizeof *asks; i++) {
        assert_true(asked_hours_left_out(asks[i], "Tickets on the hour; 9 pounds."));
        assert_false(asked_hours_left_out(asks[i], "Open from May, 9-5; closed on Mondays."));
        assert_false(asked_hours_left_out(asks[i], "The mill, from 9 till 5."));
        assert_true(asked_hours_left_out(asks[i], "The mill, whose gate is open."));
    }
    assert_false(asked_hours_left_out("Who opened the mill?", "The mill has a gate."));
    assert_true(asked_fit("When was Ada born?", "The life of Ada Pell, told in 1994") < 0);
    assert_true(asked_lacking(asks[0], "The mill has a three-legged stool."));
    assert_false(asked_lacking(asks[0], "The mill has a ten-minute rule."));
}

static void test_rates(void **state)
{
    (void)state;
    static const char asked[] = "How much was he to get a year?";
    assert_true(asked_rate_left_out(asked, "He had two rooms."));
    assert_true(asked_rate_left_out("What is the rent per week?", "The rent is 2 pounds a month."));
    assert_false(asked_rate_left_out(asked, "He was to get 20 pounds a year."));
    assert_false(asked_rate_left_out(asked, "Annual pay: 20 pounds."));
    assert_false(asked_rate_left_out("How much was he to get that year?", "He had two rooms."));
    assert_false(asked_rate_left_out("Who saw it once a year?", "He had two rooms."));
}

// When something was is asked for, or of which version it is.
static void test_dates_and_versions(void **state)
{
    (void)state;
    assert_true(asked_for_date("When did the pipe burst?"));
    assert_true(asked_for_date("On which date was it discussed?"));
    assert_true(asked_for_date("Seit welchem Jahr hat er es?"));
    assert_false(asked_for_date("When does it close?"));
    assert_false(asked_for_date("What was done when it burst?"));
    assert_false(asked_for_date("Which room was it?"));
    assert_false(asked_for_date(""));
    assert_true(asked_for_version("In which release was it added?"));
    assert_true(asked_for_version("Since what version is it there?"));
    assert_false(asked_for_version("Which colour has version 3?"));
    assert_false(asked_for_version("When was version 3 released?"));
}

// When something begins or ends, and for how long it holds, in whatever words that is told.
static void test_term(void **state)
{
    (void)state;
    static const char ends[] = "When does the lease end?", begins[] = "When does the lease start?",
                      term[] = "The term is five years from 1 April 2021.";
    assert_true(asked_fit(ends, "It ends on 31 March 2026 unless it is renewed.") > 0);
    assert_true(asked_fit(ends, "It ends on the ferry.") <= 0);
    assert_true(asked_fit(ends, "It begins on 31 March 2026.") == 0);
    assert_true(asked_fit(ends, "It is renewed six months before the end of the term.") < 0);
    assert_true(asked_fit(ends, "Each may end the lease by 60 days' notice.") < 0);
    assert_true(asked_fit(ends, "On the last Monday before the end of the summer.") >= 0);
    assert_true(asked_lacking(ends, "It is renewed six months before the end of the term."));
    assert_false(asked_lacking(ends, "It ends two weeks before the end of the term."));
    assert_true(asked_fit("When is the tour?", "Tours must be booked two weeks ahead.") < 0);
    assert_true(asked_fit("When is the tour?", "On Sundays; book two weeks ahead.") >= 0);
    assert_true(asked_fit("When must I book?", "Tours must be booked two weeks ahead.") >= 0);
    assert_true(asked_fit(begins, term) > 0);
    assert_true(asked_fit(begins, "It is paid on the first working day of each month.") <= 0);
    assert_true(asked_fit("When is it paid?", "It is paid on the first day of each month.") > 0);
    assert_true(asked_fit("How long is the lease?", term) > 0);
    assert_true(asked_fit("How long is the ferry?", term) <= 0);
    assert_true(asked_fit("How long is the lease?", "The term is in clause 2.") <= 0);
    assert_true(asked_defines("What is the rent?", "3. Rent. The rent is 90 pounds."));
    assert_false(asked_defines("What is the rent?", "3. Rent. The tenant pays the rent."));
    assert_false(asked_defines("What is the rent?", "If the rent is late, more is due."));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_times),
                                       cmocka_unit_test(test_values_of_time),
                                       cmocka_unit_test(test_date_lines),
                                       cmocka_unit_test(test_defaults),
                                       cmocka_unit_test(test_hours),
                                       cmocka_unit_test(test_rates),
                                       cmocka_unit_test(test_dates_and_versions),
                                       cmocka_unit_test(test_term)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
