// Brackets and quotation marks without their other half.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "engine/words/marks.h"

// TEXT without what has no other half is WANT.
static void leaves(const char *text, const char *want)
{
    size_t n = strlen(text);
    const char *whole = marks_whole(text, &n);
    assert_int_equal(n, strlen(want));
    assert_memory_equal(whole, want, n);
}

static void test_whole(void **state)
{
    (void)state;
    leaves("(In May it was shut.", "In May it was shut.");
    leaves("It was shut [in May].]", "It was shut [in May].");
    leaves("\n \n It was shut.", " It was shut."); // a table may begin with a space
    leaves("It was shut.\"", "It was shut.");
    leaves("\" she said.", " she said.");
    leaves("\"It was shut. And so on", "It was shut. And so on");
    leaves("\u201cIt was shut.", "It was shut.");
    leaves("It was shut.\u201d", "It was shut.");
}

// What is whole, or is no half, stays as it is.
static void test_others(void **state)
{
    (void)state;
    static const char *const texts[] = {"(a) It was (for once) shut.",
                                        "\"So,\" he said, \"be it.\"",
                                        "\u201cSo\u201d it is, \"so\".",
                                        "\u201eSo\u201c ist es.",
                                        "It is so :)",
                                        "A rack of 19\"",
                                        "a) It was shut, b) it was not.",
                                        "(",
                                        "\"",
                                        ""};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        leaves(texts[i], texts[i]);
}

static void test_lack_opening(void **state)
{
    (void)state;
    static const char *const lack[] = {"So be it.\" He left.", "So.\"\n\n\"Or not,\" he said.",
                                       "We take plan B.\" He left.", "We take plan b\", he said."},
                             *const others[] = {
                                 "if w > M:\n    raise E(f\"{w:.1f} s is long\")",
                                 "p = re.compile(rb\"\\d+\")",
                                 "{\"id\":\"a17\",\"of\":\"b\"}",
                                 "\"So be it.\" He left.",
                                 "He said \"so\".",
                                 "A rack of 19\" is here.",
                                 "Rack 19\";2;\"She said \"\"so\"\"\"\nHat;3;\"x\"",
                                 "def a(w):\n    \"\"\"The area.\"\"\"\n    return w",
                                 "\" he said.",
                                 "printf(\"so\\n\")",
                                 "It is of \" actions\" and goes on.",
                                 "\"query:unread = \\\"yes\\\"\"",
                                 ""};
    for (size_t i = 0; i < sizeof lack / sizeof *lack; i++)
        assert_true(marks_lack_opening(lack[i], strlen(lack[i])));
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_false(marks_lack_opening(others[i], strlen(others[i])));
}

static void test_lack_closing(void **state)
{
    (void)state;
    static const char *const lack[] = {"He said: \"So be it.", "So.\" He left. \"Or not,"},
                             *const others[] = {"{\"id\":\"a17\",\"of\":\"b\"}",
                                                "\"So be it.",
                                                "He said \"so\".",
                                                "A rack of 19\" is here.",
                                                "On \"p/9\" it is.",
                                                "It is of \" actions\" and goes on.",
                                                "Add: \"query:unread = \\\"yes\\\"\"",
                                                ""};
    for (size_t i = 0; i < sizeof lack / sizeof *lack; i++)
        assert_true(marks_lack_closing(lack[i], strlen(lack[i])));
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_false(marks_lack_closing(others[i], strlen(others[i])));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_whole), cmocka_unit_test(test_others),
                                       cmocka_unit_test(test_lack_opening),
                                       cmocka_unit_test(test_lack_closing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
