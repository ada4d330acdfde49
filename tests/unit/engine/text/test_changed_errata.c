// Misprints of a text that it puts right itself, further down.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "engine/text/changed.h"

// Behind the line of TEXT with SAID, which answers QUESTION by ANSWER, what is found begins with
// BEGINS; NULL: nothing is.
static void finds(const char *text, const char *said, const char *question, const char *answer,
                  const char *begins)
{
    struct changed_said s = {
        .text = text, .n = strlen(text), .question = question, .answer = answer};
    struct span_of_text at = {0, 0};
    s.said.from = (size_t)(strstr(text, said) - text);
    s.said.to = s.said.from + strcspn(text + s.said.from, "\n");
    assert_int_equal(changed_find(&s, &at), begins != NULL);
    if (begins)
        assert_memory_equal(text + at.from, begins, strlen(begins));
}

#define ROOMS                                                                                      \
    "  Hall     ground   60    88 m2\n  Kitchen  first    35    34 m2\n\n"                         \
    "The kitchen and the hall are warm. The kitchen is old.\n\n"

// What is to be read for something, and where, which may stand before it.
static void test_for_read(void **state)
{
    (void)state;
    static const char asked[] = "How many persons may be in the Kitchen?", answer[] = "Persons: 35";
    static const char *const errata[] = {
        "1. A.2 - Kitchen. For \"35\" read \"28\". It was measured.", "Kitchen: for 35 read 28.",
        "A.2, Kitchen: for \"35 persons\" read \"28 persons\".",
        "In A.2, Kitchen, \"35\" was a slip of the pen and is to be read as \"28\"."};
    static const char *const others[] = {
        "1. A.2 - Hall. For \"35\" read \"28\".", "Kitchen: for 35 minutes read 28 pages.",
        "Kitchen: for 35 read the list.", "Kitchen: for 36 read 28.",
        "In the Kitchen 35 people sat, and 4 of them had read as many as 28 books."};
    char text[600];
    for (size_t i = 0; i < sizeof errata / sizeof *errata; i++) {
        strcat(strcpy(text, ROOMS), errata[i]);
        finds(text, "Kitchen", asked, answer, errata[i]);
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        strcat(strcpy(text, ROOMS), others[i]);
        finds(text, "Kitchen", asked, answer, NULL);
    }
}

// A quotation that stands nowhere else needs no word of what was said.
static void test_only_there(void **state)
{
    (void)state;
    static const char question[] = "What is the closing force?",
                      answer[] = "3. Closing force not above 135 N.",
                      once[] = "3. Closing force not above 135 N.\n4. Noise not above 55 dB.\n\n"
                               "In item 3 \"135 N\" is a slip and is to be read as \"150 N\".\n",
                      twice[] = "3. Closing force not above 135 N.\n4. Lifting force 135 N.\n\n"
                                "In item 4 \"135 N\" is a slip and is to be read as \"150 N\".\n",
                      bare[] = "3. Closing force not above 135 N.\n4. Noise not above 55 dB.\n\n"
                               "In item 3 \"135\" is a slip and is to be read as \"150\".\n";
    finds(once, "3.", question, answer, "In item 3");
    finds(twice, "3.", question, answer, NULL);
    finds(bare, "3.", question, answer, NULL);
}

#define FEES                                                                                       \
    "| Feature  | Removed in | Fee |\n|---|---|---|\n| Fax line | 6.4        | 6   |\n"            \
    "| Pager    | 7.0        | 8   |\n\n"

// A row that a sentence below the table says is wrong.
static void test_row(void **state)
{
    (void)state;
    static const char asked[] = "When will the Fax line be removed?", answer[] = "Removed in: 6.4";
    static const char *const wrong[] = {
        "The Fax line stays longer than the table says: its removal was put off to 7.0.",
        "Contrary to the table the Fax line is removed in 7.0.",
        "The removal of the Fax line was given for 6.4, and the table above still shows it. We "
        "keep it to 7.0.\n\nPrices are"};
    static const char *const others[] = {
        "The Fax line is removed as the table says.",
        "The Pager stays longer than the table says: its removal was put off to 7.1.",
        "The Fax line is slower than the table, on which it stands.",
        "The Fax line costs more than the table says."};
    char text[600];
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        strcat(strcpy(text, FEES), wrong[i]);
        strcat(text, " listed below.");
        finds(text, "| Fax", asked, answer, wrong[i]);
        finds(text, "| Pager", "When will the Pager be removed?", "Removed in: 7.0", NULL);
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        strcat(strcpy(text, FEES), others[i]);
        finds(text, "| Fax", asked, answer, NULL);
    }
    finds("  Fax line   6.4   6\n  Pager      7.0   8\n\nUnlike the table, the Fax line is removed "
          "in 7.0.",
          "Fax", asked, answer, "Unlike");
}

// What only a heading calls a correction.
static void test_headed(void **state)
{
    (void)state;
    static const char said[] =
        "Of the buckets the card readers took \u00a31,655 for two years.\n\n",
                      asked[] = "How much did the card readers take?",
                      right[] =
                          "The card readers took \u00a31,565, I had turned the figures round.";
    static const char *const heads[] = {
        "From: Bo\nDate: 5 May 2024\nSubject: Correction\n\nHello. ", "## Errata\n\nOne slip. ",
        "Corrections to the report\n\n", "**5.2 Minutes of 22 March: correction.** "};
    static const char *const others[] = {
        "From: Bo\nDate: 5 May 2024\nSubject: Error correction\n\n", "## Takings of May\n\n",
        "Correction factors\n\n", "**Correction.** None.\n\n",
        "## Errata\n\nNone.\n\n## Takings of May\n\n"};
    char text[600];
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
        strcat(strcat(strcpy(text, said), heads[i]), right);
        finds(text, "Of the", asked, said, right);
        finds(text, "Of the", "How much did the tombola take?", said, NULL);
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        strcat(strcat(strcpy(text, said), others[i]), right);
        finds(text, "Of the", asked, said, NULL);
    }
    static const char years[] = "They are lent for *three* years.";
    strcat(strcat(strcpy(text, said), "## Errata\n\nOne slip. "), years);
    finds(text, "Of the", "For how many years are they lent?", "They are lent for two years.",
          NULL);
    strcat(strcpy(text, "They are lent for two years.\n\n## Errata\n\nOne slip. "), years);
    finds(text, "They", "For how many years are they lent?", "They are lent for two years.", years);
    finds(text, "They", "How much are they lent for?", "They are lent for two years.", NULL);
    // The number of the clause is as good as a word.
    static const char clause[] = "**3.3 Agent.** Of three, the fee is so for two years.",
                      put_right[] = "Under 3.3 it is three years, not\ntwo.";
    strcat(strcat(strcpy(text, clause), "\n\n**5.2 Minutes: correction.** "), put_right);
    finds(text, "**3.3", "For how many years is the fee so?", clause, put_right);
    text[2] = '4';
    finds(text, "**4.3", "For how many years is the fee so?", clause, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_for_read),
                                       cmocka_unit_test(test_only_there),
                                       cmocka_unit_test(test_row), cmocka_unit_test(test_headed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
