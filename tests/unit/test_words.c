// Words: which are the same, and which of a text are new.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "engine/text/words.h"

static void test_stems(void **state)
{
    (void)state;
    static const char text[] = "--The Designer, 4471\xc3\xa9 x";
    static const char *const stems[] = {"the", "desig", "4", "x"};
    size_t at = 0, bytes;
    char stem[WORD_STEM];
    for (int i = 0; i < 4; i++) {
        assert_true(word_next(text, strlen(text), &at, stem, &bytes));
        assert_memory_equal(stem, stems[i], strlen(stems[i]));
        assert_true(i != 0 || (stem[3] == 0 && bytes == 3));
        assert_true(i != 1 || (bytes == 8 && at == 14));
    }
    assert_false(word_next(text, strlen(text), &at, stem, NULL));
}

// Of a number and a name with one, more than the beginning counts.
static void test_numbers(void **state)
{
    (void)state;
    assert_true(words_any("A53677", "order a53677;") && words_any("2024", "in 2024"));
    assert_false(words_any("A53677", "A53671, A5367, A536770"));
    assert_false(words_any("100000", "10000 and 1000000"));
    assert_true(words_any("bridges", "bridge"));
}

static void test_new(void **state)
{
    (void)state;
    char out[64];
    words_new("The bridge: designed by Ina Pell, the same Ina.",
              "Who designs bridges, the old ones?", out);
    assert_string_equal(out, "by Ina Pell same ");
    words_new("Bridge.", "bridge", out);
    assert_string_equal(out, "");
    words_new("", "", out);
    assert_string_equal(out, "");
    words_shared("Sam Hartman led three villages.", "Hartmut Koptein village ", out);
    assert_string_equal(out, "villages ");
    words_shared("", "Hartmut", out);
    assert_string_equal(out, "");
    assert_true(words_any("Ina Pell ", "that pell was there"));
    assert_false(words_any("Ina Pell ", "Pel"));
    assert_false(words_any("", "Pell"));
    assert_true(words_known("The old gate.", "gates: old; gate", "the") && words_known("", "", ""));
    assert_false(words_known("The old gate.", "old gate", "a"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_stems), cmocka_unit_test(test_numbers),
                                       cmocka_unit_test(test_new)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
