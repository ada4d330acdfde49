// Sentences that only name the part of the text that answers.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "engine/sentences/refers.h"

// What TEXT names: its title, or its kind and number, between bars; "" where it is no such
// sentence.
static const char *names(const char *text)
{
    static char said[64];
    struct reference r;
    *said = 0;
    if (refers_only(text, strlen(text), &r))
        snprintf(said, sizeof said, "%.*s|%.*s|%.*s", (int)span_bytes(r.title), text + r.title.from,
                 (int)span_bytes(r.kind), text + r.kind.from, (int)span_bytes(r.number),
                 text + r.number.from);
    return said;
}

static void test_titles(void **state)
{
    (void)state;
    assert_string_equal(names("See When the mill is shut."), "When the mill is shut||");
    assert_string_equal(names("(See also The Sails.)"), "The Sails||");
    assert_string_equal(names("Please refer to Oiling the wheel for more information on oil.\n"),
                        "Oiling the wheel||");
    assert_string_equal(names("For its care, see \"the oil, and how\" below."),
                        "the oil, and how||");
    assert_string_equal(names("For its care, please see \u201cOil\u201d."), "");
    assert_string_equal(names("See what the miller did."), "");
    assert_string_equal(names("The miller went to see The Sails."), "");
    assert_string_equal(names("See "), "");
    assert_string_equal(names(""), "");
}

static void test_numbers(void **state)
{
    (void)state;
    assert_string_equal(names("See section 4.2."), "|section|4.2");
    assert_string_equal(names("For the rent, see Schedule B below."), "|Schedule|B");
    assert_string_equal(names("Refer to the clause 7"), "|clause|7");
    assert_string_equal(names("See section four of it"), "");
    assert_string_equal(names("See section "), "");
    assert_string_equal(names("See section 4 for the rent."), "|section|4");
    assert_string_equal(names("See section 4: the rent is 40 pounds a month."), "");
    assert_string_equal(names("See section 4 or call Ada Moss on 0161 496 0000."), "");
    assert_string_equal(names("Refer to clause 7 where the deposit is set out."), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_titles),
        cmocka_unit_test(test_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
