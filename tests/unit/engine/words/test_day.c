// Dates of days, and their order; days of the week.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "engine/words/day.h"

static void test_days(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int64_t order;
        size_t bytes;
    } cases[] = {
        {"2 March 1931", 19310302, 12},
        {"Sun 6 Feb", 0, 9},
        {"May 11th, 2022: snow", 20220511, 14},
        {"2024-03-04T10:00", 20240304, 10},
        {"4.3.2024", 20240304, 8},
        {"Tuesday, 3 May 2023", 20230503, 19},
        {"31 plums", 0, 0},
        {"may be", 0, 0},
        {"may 5", 0, 0},
        {"31 may be", 0, 0},
        {"31 may", 0, 6},
        {"the 8th of July 2023", 20230708, 20},
        {"July the 8th", 0, 12},
        {"3.2", 0, 0},
        {"32 May 2022", 0, 0},
        {"", 0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct day day = {0};
        const size_t n = strlen(cases[i].text), bytes = day_begins(cases[i].text, n, &day);
        if (bytes != cases[i].bytes || (bytes && day_number(&day) != cases[i].order))
            fail_msg("%s: %zu %lld", cases[i].text, bytes, (long long)day_number(&day));
    }
    static const char *const earlier[] = {"Fri, 1 Mar 2024 09:05:00 +0000",
                                          "1 Mar 2024 09:06",
                                          "1 March 2024 19:00:01",
                                          "on 2 March 2024",
                                          "2024-03-02 00:00:10",
                                          "Sun, 3 Mar 2024 01:00:00 +0200",
                                          "Sat, 2 Mar 2024 23:30:00 +0000",
                                          "Mon, 4 Mar 2024 01:00:00 +0100",
                                          "Sun, 3 Mar 2024 17:00:00 -0800"};
    for (size_t i = 1; i < sizeof earlier / sizeof *earlier; i++)
        assert_true(day_order(earlier[i - 1], strlen(earlier[i - 1])) <
                    day_order(earlier[i], strlen(earlier[i])));
    assert_int_equal(day_order("in March", 8), 0);
    assert_true(day_order("[12/May/2026:10:00:09]", 22) == day_order("2026-05-12 10:00:09", 19));
    assert_int_equal(day_order("12/May", 6), 0);
    static const char *const unix_days[] = {"Mon Apr 15 09:12:44 2024 +0200",
                                            "Tue Apr 16 09:12:43 CEST 2024"};
    assert_true(day_order(unix_days[0], strlen(unix_days[0])) ==
                day_order("15 Apr 2024 07:12:44", 20));
    assert_true(day_order(unix_days[1], strlen(unix_days[1])) ==
                day_order("16 Apr 2024 09:12:43", 20));
    assert_int_equal(day_order("on Apr 16 09:12 44 men", 22), 0);
    assert_int_equal(day_order("12/May-2026", 11), 0);
    struct day a, b;
    assert_true(day_of("on Sat, 08 Jul 2023", 19, &a) && day_of("at 8.7.23,", 10, &b));
    assert_true(day_is_same(&a, &b));
    assert_true(day_of("July 8th, 22 days", 17, &b) && !b.year && day_is_same(&a, &b));
    assert_true(day_of("8 July 2022", 11, &b) && !day_is_same(&a, &b));
    assert_false(day_of("10.2.3.4 in July", 16, &a));
}

static void test_of_week(void **state)
{
    (void)state;
    static const struct {
        const char *word;
        int day, in_full;
    } cases[] = {
        {"Monday", 1, 1},  {"mondays", 1, 1}, {"Thur", 4, 0},  {"Sun", 7, 0},      {"Suns", 0, 0},
        {"SUNDAYS", 7, 7}, {"Satur", 0, 0},   {"today", 0, 0}, {"Fridayss", 0, 0}, {"", 0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const size_t n = strlen(cases[i].word);
        if (day_of_week(cases[i].word, n) != cases[i].day ||
            day_of_week_in_full(cases[i].word, n) != cases[i].in_full)
            fail_msg("%s", cases[i].word);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_days), cmocka_unit_test(test_of_week)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
