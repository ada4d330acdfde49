// Text for people: numbers, passages on one line, questions from a file.
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "cmd/passage.h"
#include "cmd/questions.h"
#include "cmd/ui.h"

static void test_bytes(void **state)
{
    (void)state;
    char buf[UI_BUF];
    assert_string_equal(ui_bytes(buf, 0), "0 bytes");
    assert_string_equal(ui_bytes(buf, 999), "999 bytes");
    assert_string_equal(ui_bytes(buf, 1000), "1.0 kB");
    assert_string_equal(ui_bytes(buf, 12345678), "12.3 MB");
    assert_string_equal(ui_bytes(buf, 123456789), "123 MB");
    assert_string_equal(ui_bytes(buf, 999600), "1.0 MB");
    assert_string_equal(ui_bytes(buf, UINT64_MAX), "18.4 EB");
}

static void test_counts_and_times(void **state)
{
    (void)state;
    char buf[UI_BUF];
    assert_string_equal(ui_count(buf, 0), "0");
    assert_string_equal(ui_count(buf, 999), "999");
    assert_string_equal(ui_count(buf, 1000), "1,000");
    assert_string_equal(ui_count(buf, UINT64_MAX), "18,446,744,073,709,551,615");
    assert_string_equal(ui_duration(buf, 0.4), "0:00");
    assert_string_equal(ui_duration(buf, 59.6), "1:00");
    assert_string_equal(ui_duration(buf, 3723), "1:02:03");
    assert_string_equal(ui_duration(buf, -1), "0:00");
}

static void expect_words(const char *text, size_t n, int columns, const char *want)
{
    char *got = NULL;
    size_t bytes;
    FILE *f = open_memstream(&got, &bytes);
    passage_words(f, text, n, columns);
    fclose(f);
    assert_string_equal(got, want);
    free(got);
}

static void expect_answer(const char *text, const char *want)
{
    char *got = NULL;
    size_t bytes;
    FILE *f = open_memstream(&got, &bytes);
    passage_answer(f, text, strlen(text));
    fclose(f);
    assert_string_equal(got, want);
    free(got);
}

static void test_answers_are_not_deep(void **state)
{
    (void)state;
    expect_answer("", "");
    expect_answer("     one", "     one");
    expect_answer("-n\n\t      Do not.\n\n-e\n\t      Do.", "-n\n    Do not.\n\n-e\n    Do.");
    expect_answer("if x:\n    for y:\n        z\n", "if x:\n    for y:\n        z\n");
    expect_answer("use\n\n       a\n            b\n       c\n", "use\n\n    a\n        b\n    c\n");
    expect_answer("a\n  b\n      c\n          \n \033", "a\n  b\n      c\n          \n ?");
    expect_answer("a\r\n\r\n  b\rc\r", "a\n\n  b?c");
    // C1 as UTF-8 and as a bare byte, what is cut, turned round, Latin-1, and what stays.
    expect_answer(
        "\xc2\x9b"
        "2J \x9b"
        "2J \xe2\x82 \u202ex \xe9t\xe9 \u00e9 \u20ac \U0001f600 \xf0\x9f",
        "?2J \uFFFD2J \uFFFD\uFFFD ?x \uFFFDt\uFFFD \u00e9 \u20ac \U0001f600 \uFFFD\uFFFD");
    static const char table[] = "a\n         1\n        2\n       3\n      4\n     5\n    6\n  7\n";
    expect_answer(table, table);
    // The names of columns stay above these.
    expect_answer("Paid:\n\n                    2021     2022\n       Oars           30       40\n"
                  "         of oak       10       20\n\n       in May\n",
                  "Paid:\n\n                 2021     2022\n    Oars           30       40\n"
                  "      of oak       10       20\n\n    in May\n");
}

static void test_words(void **state)
{
    (void)state;
    expect_words("", 0, 10, "");
    expect_words("one", 3, 3, "one");
    expect_words("  one \n\t two  ", 14, 10, "one two");
    expect_words("one two", 7, 6, "one t…");
    expect_words("one two", 7, 4, "one…");
    expect_words("a\0b\033[31mc", 9, 20, "a b [31mc");
    expect_words("\xff\xc3", 2, 20, "\xef\xbf\xbd\xef\xbf\xbd");
    expect_words("漢字漢字", 12, 8, "漢字漢字");
    expect_words("漢字漢字", 12, 7, "漢字漢…");
    expect_words("漢字漢字", 12, 6, "漢字…");
    expect_words("\xc2\x9b"
                 "31m",
                 5, 20, "31m"); // the one-byte form of ESC [
    expect_words("a \u202eb\u202d", 9, 20, "a b");
    expect_words("\u202aa\u202bb\u202c \u2066c\u2067d\u2068e\u2069", 27, 20, "ab cde");
    expect_words("\u200e\u200f\u200c\u200d", 12, 20, "\u200e\u200f\u200c\u200d");
    char longest[10000];
    memset(longest, 'x', sizeof longest);
    char *got = NULL;
    size_t bytes;
    FILE *f = open_memstream(&got, &bytes);
    passage_words(f, longest, sizeof longest, 1 << 20);
    fclose(f);
    assert_true(bytes > 2000 && bytes < 2100);
    free(got);
}

static void passage_is(const struct evidence *ev, const char *expected)
{
    char *got = NULL;
    size_t bytes;
    FILE *f = tmpfile();
    passage_print(f, ev, 1, NULL, 0);
    rewind(f);
    assert_true(getline(&got, &bytes, f) > 0);
    assert_string_equal(got, expected);
    free(got);
    fclose(f);
}

// All of it, and from its focus on.
static void test_passages(void **state)
{
    (void)state;
    char text[] = "It rains. The tenant\npays.", name[] = "book.txt";
    struct evidence ev = {.document = name,
                          .start = 120,
                          .end = 120 + sizeof text - 1,
                          .score = 4.206,
                          .focus_start = 120,
                          .focus_end = 129,
                          .text = text,
                          .text_bytes = sizeof text - 1};
    passage_is(&ev, "[1] book.txt:120-146  4.21  It rains. The tenant pays.\n");
    ev.focus_start = 130;
    passage_is(&ev, "[1] book.txt:120-146  4.21  …The tenant pays.\n");
}

// As POSIX has it, the user's wish comes first.
static void test_columns(void **state)
{
    static const struct {
        const char *wanted;
        int got;
    } cases[] = {{"72", 72},  {"1", 1},    {"", 100},  {"0", 100},
                 {"-5", 100}, {"8O", 100}, {NULL, 100}};
    (void)state;
    FILE *none = fopen("/dev/null", "r");
    assert_non_null(none);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (cases[i].wanted)
            setenv("COLUMNS", cases[i].wanted, 1);
        else
            unsetenv("COLUMNS");
        assert_int_equal(ui_columns(none), cases[i].got);
    }
    fclose(none);
}

// What a model, a document or a file's name says commands no terminal.
static void test_text(void **state)
{
    (void)state;
    static const char text[] = "a\tb\n\033]0;x\a\r\0\177\xc2\x9b"
                               "31m \xc3\xa9 \u202eexe.\u202dtxt\u202c\u200e \xc2\xa7 \xff\xc2"
                               "\u202aa\u202bb\u2066c\u2067d\u2068e\u2069\u200f\u200c\u200d";
    char *got = NULL;
    size_t bytes;
    FILE *f = open_memstream(&got, &bytes);
    ui_text(f, text, sizeof text - 1);
    fclose(f);
    assert_string_equal(got, "a\tb\n?]0;x?????31m \xc3\xa9 ?exe.?txt\u200e \xc2\xa7 \uFFFD\uFFFD"
                             "abcde\u200f\u200c\u200d");
    free(got);
}

static char asked[256];

static int on_question(void *arg, const char *question)
{
    int *left = arg;
    snprintf(asked + strlen(asked), sizeof asked - strlen(asked), "<%s>", question);
    return --*left == 0;
}

static int ask_file(const char *text, size_t n, int left, struct err *e)
{
    char path[] = "/tmp/lctool-questions-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, n), n);
    close(fd);
    *asked = 0;
    const volatile sig_atomic_t stop = 0;
    int rc = questions_each(path, &stop, on_question, &left, e);
    unlink(path);
    return rc;
}

static void test_questions(void **state)
{
    (void)state;
    struct err e;
    assert_int_equal(ask_file("one?\n\n \t\r\n  two? \r\nthree", 24, 99, &e), 0);
    assert_string_equal(asked, "<one?><two?><three>");
    assert_int_equal(ask_file("one?\ntwo?\nthree", 15, 2, &e), 0);
    assert_string_equal(asked, "<one?><two?>");
    assert_int_equal(ask_file("", 0, 9, &e), 0);
    assert_string_equal(asked, "");
    assert_int_equal(ask_file("one\nt\0o\n", 8, 9, &e), ERR_FORMAT);
    assert_non_null(strstr(e.msg, ":2: a NUL byte"));
    assert_string_equal(asked, ""); // not even the first line
    const volatile sig_atomic_t stop = 0;
    assert_int_equal(questions_each("/nonexistent", &stop, on_question, NULL, &e), ERR_IO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bytes),
        cmocka_unit_test(test_counts_and_times),
        cmocka_unit_test(test_answers_are_not_deep),
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_passages),
        cmocka_unit_test(test_columns),
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_questions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
