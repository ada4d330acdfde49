// What an answer costs, and when it gives way to a quotation.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/answer/quote.h"

static void test_cost(void **state)
{
    (void)state;
    static const uint32_t read[] = {7, 8};
    const struct quote q = {.ids = read, .n = 2, .doubt = 1, .cost = 2.08};
    assert_true(quote_is_better(&q, "It is.", 6, 2) && !quote_is_better(&q, "It is.", 6, 3));
}

static void test_edges(void **state)
{
    (void)state;
    static const uint32_t read[] = {7};
    const struct quote none = {.doubt = 0.1f}, one = {.ids = read, .n = 1, .doubt = 5, .cost = 0.3};
    assert_true(!quote_is_better(&none, "Is it?", 6, 1) && !quote_is_better(&none, "", 0, 0));
    assert_true(quote_is_better(&one, "", 0, 0)); // no answer at all
    assert_false(quote_is_better(&one, "so", 2, 1));
    assert_true(quote_is_better(&one, "so?", 3, 1)); // the question again
    const struct quote day = {.ids = read, .n = 1, .doubt = 5, .asked = "Who came on 6 September?"};
    assert_true(quote_is_better(&day, "Sat 6 Sept.", 11, 4)); // the day that was asked about
    assert_false(quote_is_better(&day, "Sat 7 Sept.", 11, 4));
    assert_false(quote_is_better(
        &(struct quote){.ids = read, .n = 1, .doubt = 5, .asked = "What day was 6 September?"},
        "Sat 6 Sept.", 11, 4));
    assert_true(quote_is_better(&one, "\xef\xbc\x9f", 3, 1));
    assert_false(quote_is_better(&one, "so?", 2, 1));
    const struct quote any = {.ids = read, .n = 1, .doubt = 5, .cost = 0.3, .always = 1},
                       nothing = {.always = 1};
    assert_true(quote_is_better(&any, "so", 2, 1) && !quote_is_better(&nothing, "so", 2, 1));
}

// What has quotation marks at an end is put in others.
static void test_marks(void **state)
{
    (void)state;
    static const char *const marks[][3] = {{"It is \"so\" here.", "\"", "\""},
                                           {"\"So,\" he said.", "\u201c", "\u201d"},
                                           {"He said, \"So.\"", "\u201c", "\u201d"},
                                           {"", "\"", "\""}};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        char said[64];
        size_t n;
        assert_string_equal(quote_opens(marks[i][0]), marks[i][1]);
        assert_string_equal(quote_closes(marks[i][0]), marks[i][2]);
        snprintf(said, sizeof said, "%s%s%s", marks[i][1], marks[i][0], marks[i][2]);
        assert_memory_equal(quote_inside(said, &n), marks[i][0], strlen(marks[i][0]));
        assert_int_equal(n, strlen(marks[i][0]));
    }
    assert_string_equal(quote_opens("So.\" He left."), "\u201c\"");
    assert_string_equal(quote_closes("So.\" He left."), "\u201d");
    assert_string_equal(quote_opens("He said: \"So."), "\u201c");
    assert_string_equal(quote_closes("He said: \"So."), "\"\u201d");
    assert_string_equal(quote_opens("So.\" He said: \"So."), "\u201c\"");
    assert_string_equal(quote_closes("So.\" He said: \"So."), "\"\u201d");
    size_t n;
    assert_string_equal(quote_inside("so\"", &n), "so\"");
    assert_int_equal(n, 3);
}

// What has lost its other half is left out, of a quotation's own words.
static void test_behind(void **state)
{
    (void)state;
    struct err e;
    char *both;
    assert_true(quote_behind(&both, "In May.", "or: ", "(Rent\n\n(It is due.", &e) > 0);
    assert_string_equal(both, "In May.\nor: (Rent\n\n\"It is due.\"");
    free(both);
    // So is the end of what is bold, but not a mark that has no other half.
    assert_true(quote_behind(&both, "40.", "", "(9 May 2024.)** The fee is 45.", &e) > 0);
    assert_string_equal(both, "40.\n\"(9 May 2024.) The fee is 45.\"");
    free(both);
    assert_true(quote_behind(&both, "40.", "", "**Fee.** It is 2**8.", &e) > 0);
    assert_string_equal(both, "40.\n\"**Fee.** It is 2**8.\"");
    free(both);
}

// What a sentence is read under is not quoted with it.
static void drops(const char *text, const char *said, const char *rest)
{
    char own[120];
    const size_t n = strlen(text);
    memcpy(own, text, n + 1);
    assert_int_equal(quote_drop(own, said), n - strlen(rest));
    assert_string_equal(own, rest);
}

// A second quotation says only what the first answer does not.
// Places that do not stand together are two quotations.
static void test_apart(void **state)
{
    (void)state;
    static const char *const both[][3] = {
        {"It was built by Ina.\n\n", "She was born in Hull.",
         "\"It was built by Ina.\"\n\"She was born in Hull.\""},
        {"The mill\n\nIt was built by \"Ina\"\n\n", "Ina\n\nShe was born.",
         "The mill\n\n\u201cIt was built by \"Ina\"\u201d\nIna\n\n\"She was born.\""}};
    for (size_t i = 0; i < sizeof both / sizeof *both; i++) {
        struct err e;
        char text[128], *out;
        snprintf(text, sizeof text, "%s%s", both[i][0], both[i][1]);
        assert_int_equal(quote_apart(&out, text, strlen(both[i][0]), &e), strlen(both[i][2]));
        assert_string_equal(out, both[i][2]);
        free(out);
    }
}

static void test_drop(void **state)
{
    (void)state;
    drops("\"It leaks. It is old.\"", "\"It leaks.\"", "\"It is old.\"");
    drops("The roof\n\n\"It leaks. It is old.\"", "The roof\n\n\"It leaks.\"", "\"It is old.\"");
    drops("The roof\n\n\"It leaks. It is old.\"", "It leaks.", "\"It is old.\"");
    static const char *const whole[][2] = {{"\"It leaks. It is old.\"", "It is old."},
                                           {"\"It leaks by day.\"", "It leaks"},
                                           {"It leaks. It is old.", "It leaks."},
                                           {"\"It leaks.\"", "\"It leaks.\""},
                                           {"\"It leaks.\"", ""}};
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++)
        drops(whole[i][0], whole[i][1], whole[i][0]);
}

static void test_heading(void **state)
{
    (void)state;
    assert_int_equal(quote_heading("Rent\n\nIt is due."), 6);
    assert_int_equal(quote_heading("From: Ada\nSubject: x\n\nIt is due."), 22);
    assert_int_equal(quote_heading("```\nlist\n```\n\nIt is due."), 0);
    assert_int_equal(quote_heading("When is it due?\n\nIn May."), 17);
    assert_int_equal(quote_heading("It is due."), 0);
    assert_int_equal(quote_heading("It is due.\n\nIn May."), 0);
    assert_int_equal(quote_heading("These are due:\n\n- rent"), 0);
    assert_int_equal(quote_heading("- rent\n\n- tax"), 0);
    assert_int_equal(quote_heading("4. THE LAKE\n\nIt was cold."), 13);
    assert_int_equal(quote_heading("7.   THE LAKE\n\nIt was cold."), 15);
    assert_int_equal(quote_heading("1. Bread\n\n2. Salt"), 0);
    assert_int_equal(quote_heading("> Rent\n\nIt is due."), 0);
    assert_int_equal(quote_heading("Ada wrote:\n> the rent\n\nIt is due."), 0);
    assert_int_equal(quote_heading("Rent\n\n"), 0);
    assert_int_equal(quote_heading("Due in May.\n    A. Lind\n\n\n \n"), 0); // nothing behind it
    assert_int_equal(quote_heading("Find it with\n\n```\nlist\n```\n\nand stop it."), 0);
    assert_int_equal(quote_heading("Finding it\n\n```\nlist\n```\n\nStop it."), 12);
}

// What ends above an empty line and heads nothing is within the quotation: the function before, the
// last of the ingredients, the line of a log.
static void test_no_heading(void **state)
{
    (void)state;
    assert_int_equal(quote_heading("    return 0;\n}\n\nsize_t used(void)"), 0);
    assert_int_equal(quote_heading("def _fill(self):\n    self.n = 1\n\ndef take(self):"), 0);
    assert_int_equal(quote_heading("#define RATE 48000\n\nstruct ring {"), 0);
    assert_int_equal(quote_heading("2 tbsp honey\n50 g almonds\n\nMethod\n1. Stir."), 0);
    assert_int_equal(quote_heading("Mar 12 03:17:44 web01 cron[12]: failed\n\nit stopped"), 0);
    assert_int_equal(quote_heading("## Rent\n\nIt is due."), 9);
    assert_int_equal(quote_heading("5 Rent\n\nIt is due."), 8);
    assert_int_equal(quote_heading("# Notes\n\nIt is due."), 9);
    assert_int_equal(quote_heading("12 March 2024\n\nIt is due."), 15);
    assert_int_equal(quote_heading("cgroup\n\nIt is a group."), 8);
}

// Only the question, and what led to the sentence, said again is no answer; common words count for
// nothing.
static void test_news(void **state)
{
    (void)state;
    static const uint32_t read[] = {7};
    struct err e;
    char *news;
    assert_int_equal(news_new(&news, "She was born in Torsk Bay.", "It was built by Ina Pell.",
                              "Where was Pell born?", &e),
                     0);
    assert_string_equal(news, "Torsk Bay ");
    struct quote q = {.ids = read, .n = 1, .doubt = 5, .news = news};
    assert_true(quote_is_better(&q, "It was built by Ina Pell.", 25, 9));
    assert_false(quote_is_better(&q, "In torsk.", 9, 9));
    q.n = 0;
    assert_false(quote_is_better(&q, "It was built.", 13, 9)); // nothing to quote
    free(news);
    assert_int_equal(news_new(&news, "It is so.", "", "Is it so?", &e), 0);
    q = (struct quote){.ids = read, .n = 1, .doubt = 5, .news = news};
    assert_false(quote_is_better(&q, "Yes.", 4, 9)); // it has no news to tell
    q.asked = "Which colour has the tall gate?";
    assert_true(quote_is_better(&q, "The colour of a tall gate.", 26, 9));
    assert_false(quote_is_better(&q, "The gate is red.", 16, 9));
    free(news);
}

// What a mail quotes is said without its marks, but not beside words of its own.
static void drops_marks_of_mails(void **state)
{
    (void)state;
    static const struct {
        const char *text, *said;
        size_t heading;
    } cases[] = {
        {"> It runs.", "It runs.", 0},
        {">>> It runs\n>>> on gas.\n>>>\n>>> And well.", "It runs\non gas.\n\nAnd well.", 0},
        {"Ann wrote:\n> It runs.", "Ann wrote:\n> It runs.", 0},
        {"Gas\n\n> It runs.", "Gas\n\nIt runs.", 5},
        {"a > b", "a > b", 0},
        {"", "", 0},
        {">", "", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[64];
        strcpy(text, cases[i].text);
        quote_whole(text, cases[i].heading);
        assert_string_equal(text, cases[i].said);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(drops_marks_of_mails),
                                       cmocka_unit_test(test_cost),
                                       cmocka_unit_test(test_edges),
                                       cmocka_unit_test(test_marks),
                                       cmocka_unit_test(test_heading),
                                       cmocka_unit_test(test_no_heading),
                                       cmocka_unit_test(test_apart),
                                       cmocka_unit_test(test_drop),
                                       cmocka_unit_test(test_news),
                                       cmocka_unit_test(test_behind)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
