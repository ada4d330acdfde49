// Which lines are of a table of contents.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "engine/passage/contents.h"
#include "tests/unit/ok.h"

static int is_entry(const char *text, const char *line)
{
    return contents_entry(text, strlen(text), (size_t)(strstr(text, line) - text));
}

static void test_leaders(void **state)
{
    (void)state;
    const char text[] =
        "Contents\n1.1 How is the wheel oiled? . . . . 3\n1.2 How is the wheel turned "
        "when\nthe water is low? . . . . . 4\nAdler, Berta ..... 55\n\n"
        "1.1\n\nHow is the wheel oiled?\nWith oil.\n\n1.2 How is the wheel turned when "
        "the\nwater is low?\nBy hand. How is the wheel oiled?\n";
    assert_true(is_entry(text, "1.1 How"));
    assert_true(is_entry(text, "How is the wheel oiled? ."));
    assert_true(is_entry(text, "1.2 How is the wheel turned when\n"));
    assert_false(is_entry(text, "Adler")); // stands nowhere else
    assert_false(is_entry(text, "How is the wheel oiled?\nWith"));
    assert_false(is_entry(text, "1.2 How is the wheel turned when the"));
    assert_false(is_entry(text, "By hand"));
}

static void test_lists(void **state)
{
    (void)state;
    const char text[] =
        "* Oil of the wheel\n* Rust\n* Sails\n\nOil of the wheel\n\nIt is green.\n\nRust\n\n"
        "It is red.\n\nSails\n\nOil of the wheel\nspoils them.\n";
    assert_true(is_entry(text, "* Oil"));
    assert_false(is_entry(text, "* Rust")); // too short to tell
    assert_false(is_entry(text, "Oil of the wheel\n\nIt"));
    assert_false(is_entry(text, "Oil of the wheel\nspoils"));
    assert_false(is_entry("Oil of the wheel", "Oil"));
    assert_false(is_entry("\n\n", "\n"));
}

// What a reply quotes is said again, and no section.
static void test_quoted(void **state)
{
    (void)state;
    const char text[] = "I should like to wait until it rains.\nThe wheel is dry and the sail is "
                        "torn.\n\n> I should like to wait until it rains.\n> The wheel is dry and "
                        "the sail is torn.\n\nSo should I.\n";
    assert_false(is_entry(text, "I should"));
}

// Numbers of parts may be Roman, there and here.
static void test_roman(void **state)
{
    (void)state;
    const char text[] = "   I. MR. LOW'S WHEEL        1\n\n  II. THE BIG SAIL        24\n\n"
                        "CHAPTER I\n\nMR. LOW'S WHEEL\n\nIt is oiled. I. THE BIG SAIL came.\n\n"
                        "II. THE BIG SAIL\n\nIt is torn.\n";
    assert_true(is_entry(text, "I. MR."));
    assert_true(is_entry(text, "LOW'S WHEEL   "));
    assert_false(is_entry(text, "MR. LOW'S WHEEL\n"));
    assert_false(is_entry(text, "II. THE BIG SAIL\n"));
}

// Titles in columns are those that stand below without them.
static void test_gaps(void **state)
{
    (void)state;
    const char text[] = "WHEEL:   How is it oiled?\nOIL:     Where is it?\nRUST:    Why?\n\n"
                        "WHEEL: How is it oiled?\nBy hand.\n\nOIL:   Where is it?\nHere.\n\n"
                        "RUST: Why not?\n";
    assert_true(is_entry(text, "WHEEL:   How"));
    assert_false(is_entry(text, "OIL:     Where")); // the next one stands nowhere
    assert_false(is_entry(text, "WHEEL: How"));
}

// A heading may be in capitals where it stands again.
static void test_capitals(void **state)
{
    (void)state;
    const char text[] = "What is in here\n1. What the wheel is for\n2. How to oil the wheel\n\n"
                        "1. WHAT THE WHEEL IS FOR\nIt turns.\n\n2. HOW TO OIL THE WHEEL\n"
                        "Slowly.\n";
    assert_true(is_entry(text, "1. What the"));
    assert_false(is_entry(text, "1. WHAT THE"));
    assert_false(is_entry(text, "What is in"));
}

static void test_keywords(void **state)
{
    (void)state;
    assert_true(contents_keywords("Key words: eels, weirs, oil", "What is an eel?"));
    assert_true(contents_keywords("**Keywords:** eels, weirs", "What is an eel?"));
    assert_false(contents_keywords("Key words: eels, weirs", "What are the keywords?"));
    assert_false(contents_keywords("Key words of the mill are said twice.", "What is an eel?"));
    assert_false(contents_keywords("Eels are fish.", "What is an eel?"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_leaders), cmocka_unit_test(test_lists),
        cmocka_unit_test(test_gaps),    cmocka_unit_test(test_quoted),
        cmocka_unit_test(test_roman),   cmocka_unit_test(test_capitals),
        cmocka_unit_test(test_keywords)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
