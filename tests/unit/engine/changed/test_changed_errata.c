// Misprints of a text that it puts right itself, further down.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "tests/unit/engine/changed/changed_fixture.h"

// Behind the line of TEXT with SAID, which answers QUESTION by ANSWER, what is found begins with
// BEGINS; NULL: nothing is.
static void corrected(const char *text, const char *said, const char *question, const char *answer,
                      const char *begins)
{
    struct changed_said s = {
        .text = text, .n = strlen(text), .question = question, .answer = answer};
    s.said.from = (size_t)(strstr(text, said) - text);
    s.said.to = s.said.from + strcspn(text + s.said.from, "\n");
    finds_that(&s, begins);
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
        corrected(text, "Kitchen", asked, answer, errata[i]);
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        strcat(strcpy(text, ROOMS), others[i]);
        corrected(text, "Kitchen", asked, answer, NULL);
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
    corrected(once, "3.", question, answer, "In item 3");
    corrected(twice, "3.", question, answer, NULL);
    corrected(bare, "3.", question, answer, NULL);
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
        corrected(text, "| Fax", asked, answer, wrong[i]);
        corrected(text, "| Pager", "When will the Pager be removed?", "Removed in: 7.0", NULL);
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        strcat(strcpy(text, FEES), others[i]);
        corrected(text, "| Fax", asked, answer, NULL);
    }
    corrected(
        "  Fax line   6.4   6\n  Pager      7.0   8\n\nUnlike the table, the Fax line is removed "
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
        corrected(text, "Of the", asked, said, right);
        corrected(text, "Of the", "How much did the tombola take?", said, NULL);
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        strcat(strcat(strcpy(text, said), others[i]), right);
        corrected(text, "Of the", asked, said, NULL);
    }
    static const char years[] = "They are lent for *three* years.";
    strcat(strcat(strcpy(text, said), "## Errata\n\nOne slip. "), years);
    corrected(text, "Of the", "For how many years are they lent?", "They are lent for two years.",
              NULL);
    strcat(strcpy(text, "They are lent for two years.\n\n## Errata\n\nOne slip. "), years);
    corrected(text, "They", "For how many years are they lent?", "They are lent for two years.",
              years);
    corrected(text, "They", "How much are they lent for?", "They are lent for two years.", NULL);
    // The number of the clause is as good as a word.
    static const char clause[] = "**3.3 Agent.** Of three, the fee is so for two years.",
                      put_right[] = "Under 3.3 it is three years, not\ntwo.";
    strcat(strcat(strcpy(text, clause), "\n\n**5.2 Minutes: correction.** "), put_right);
    corrected(text, "**3.3", "For how many years is the fee so?", clause, put_right);
    text[2] = '4';
    corrected(text, "**4.3", "For how many years is the fee so?", clause, NULL);
    // In capitals, and far down in a list.
    static const char boat[] = "4.3 Launch. The third boat costs 3 pounds and the fourth costs 5.",
                      other[] =
                          "1.2: the bell is rung at dusk, which was left out of all prints.\n",
                      fourth[] = "4.3: the fourth boat costs 6 pounds, not 5.";
    char list[1600];
    strcat(strcpy(list, boat), "\n\n13. CORRECTIONS\n\n");
    for (int i = 0; i < 12; i++)
        strcat(list, other);
    strcat(list, fourth);
    corrected(list, "4.3 Launch", "How much does the last boat cost?", boat, fourth);
}

#define CLUB                                                                                       \
    "INC-17  2024-09-13  auth  41  clock\n\nThe choir rehearses on Mondays in the hall.\n\n"       \
    "The boat fund stood at \u00a39,500.\n\nA mooring costs \u00a338 a month.\n\n"

// The old number behind "not" and "at" or a comma, also of what was; a code is no number, but says
// what a correction is about.
static void test_denied(void **state)
{
    (void)state;
    static const char incident[] = "INC-17 lasted 52 minutes and not 41.",
                      fund[] = "The boat fund stood at \u00a38,950 and not at \u00a39,500.",
                      mooring[] = "A mooring costs \u00a344 a month, not \u00a338.";
    char text[600] = CLUB;
    strcat(strcat(strcat(text, incident), "\n\n"), fund);
    corrected(text, "INC-17", "How long did INC-17 last?", "Minutes: 41 (INC-17)", incident);
    corrected(text, "The boat", "How much was in the boat fund?", "\u00a39,500", fund);
    strcat(strcat(text, "\n\n"), mooring);
    corrected(text, "A mooring", "What does a mooring cost?", "\u00a338 a month", mooring);
    corrected(CLUB "INC-18 lasted 52 minutes and not 41.", "INC-17", "How long did INC-17 last?",
              "Minutes: 41 (INC-17)", NULL);
    corrected(CLUB "A mooring costs \u00a338 a month, not a day.", "A mooring",
              "What does a mooring cost?", "\u00a338 a month", NULL);
}

// Days of the week are changed as numbers are.
static void test_weekdays(void **state)
{
    (void)state;
    static const char asked[] = "When does the choir rehearse?", answer[] = "on Mondays";
    static const char *const changes[] = {
        "The choir rehearses on Wednesdays and no longer on Mondays.",
        "The choir rehearses on Wednesday instead of Monday.",
        "The choir's rehearsal has been moved from Monday to Wednesday.",
        "The choir rehearses on Wednesdays and not on Mondays."};
    static const char *const others[] = {
        "The choir rehearses on Mondays and not on Sundays.",
        "The choir of Mondays sings 12 songs and not 9.",
        "The shop is open on Wednesdays and no longer on Mondays.",
        "The choir's rehearsal on Monday, 4 May is from six to eight."};
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        char text[400] = CLUB;
        corrected(strcat(text, changes[i]), "The choir", asked, answer, changes[i]);
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        char text[400] = CLUB;
        corrected(strcat(text, others[i]), "The choir", asked, answer, NULL);
    }
}

// A clause that is longer now, what stands in the place of one that is deleted, and what words of
// one are to be read as, which holds for a doubtful answer, too.
static void test_amended(void **state)
{
    (void)state;
    static const char lease[] =
        "1.1 The house is let for three years from May.\n\n1.2 No dog may be kept.\n\n"
        "1.3 Refuse is put out on the evening of Monday.\n\nDEED\n\n"
        "(a) The three years of clause 1.1 are extended by two years.\n"
        "(b) Clause 1.2 is deleted. In its place stands: \"One dog may be kept.\" It costs more.\n"
        "(c) In clause 1.3 \"the evening of Monday\" is to be read as \"the morning of "
        "Tuesday\".\n";
    struct span_of_text at;
    corrected(lease, "1.1", "For how many years is the house let?", "three years",
              "(a) The three years");
    corrected(lease, "1.2 No", "May a dog be kept?", "No dog may be kept.",
              "(b) Clause 1.2 is deleted. In its place stands: \"One dog");
    corrected(lease, "1.3 Ref", "When is refuse put out?", "on the evening of Monday",
              "(c) In clause");
    // Named by what it is of, and before what only has its words.
    static const char moved[] =
        "2.2 The rent is 900 pounds.\n\n9.1 Break clause. Either party may end the term by two "
        "months' notice. Of the rent two weeks are free.\n\nADDENDUM\n\n"
        "A1. In clause 2.2, the rent shall be 950 pounds for two years.\n\n"
        "A2. The break clause at 9.1 is replaced. Only the tenant may break the term, by six "
        "weeks' notice.\n\nA3. The fee at 8.1 is replaced. It is due in two months.\n";
    corrected(moved, "9.1", "By what notice may the term be ended?", "two months' notice",
              "The break clause at 9.1 is replaced. Only the tenant");
    const char *said = strstr(lease, "1.3 Ref"), *other = strstr(lease, "1.2 No");
    struct changed_said s = {.text = lease,
                             .n = strlen(lease),
                             .said = {(size_t)(said - lease), (size_t)(said - lease) + 47},
                             .question = "When do the bins go out?",
                             .answer = "1.3 Refuse is put out on the evening of Monday.",
                             .unsure = 1};
    assert_true(changed_find(&s, &at));
    assert_memory_equal(lease + at.from, "(c) In clause", 13);
    s.said = (struct span_of_text){(size_t)(other - lease), (size_t)(other - lease) + 23};
    s.answer = "No dog may be kept.";
    assert_true(changed_find(&s, &at));
    // Nor where it is asked what was before that; "before" has other meanings.
    s.unsure = 0;
    s.question = "Was a dog allowed before?";
    assert_false(changed_find(&s, &at));
    s.question = "May a dog be kept before the change?";
    assert_false(changed_find(&s, &at));
    s.question = "May a dog be kept before the garden is fenced?";
    assert_true(changed_find(&s, &at));
}

#define SURVEY "7. The Tenant pays the 300 pounds for the survey.\n\n8. In May it rains.\n\n"

// What a correction that names the paragraph denies a word of.
static void test_denied_word(void **state)
{
    (void)state;
    static const char asked[] = "Who pays for the survey?", answer[] = "The Tenant pays.";
    static const char *const changes[] = {
        "In paragraph 7, the 300 pounds are payable by the Landlord and not by the Tenant.",
        "In paragraph 7 the survey is paid for by the Landlord instead of the Tenant.",
        "Paragraph 7: the survey is paid by the Landlord, not the Tenant.",
        "(c) In paragraph 7, it is the Landlord rather than the Tenant who pays."};
    static const char *const others[] = {
        "In paragraph 8, the hedge is cut by the Landlord and not by the Tenant.",
        "In paragraph 7, the survey is a full one and not a valuation.",
        "We agreed with paragraph 7, and not because the Tenant asked.",
        "In paragraph 7 the sum is due in May, not later."};
    char text[300];
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++)
        corrected(strcat(strcpy(text, SURVEY), changes[i]), "7. The", asked, answer, changes[i]);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        corrected(strcat(strcpy(text, SURVEY), others[i]), "7. The", asked, answer, NULL);
}

// An erratum of a number that is not met by chance holds for what was, and for what may be wrong.
static void test_erratum(void **state)
{
    (void)state;
    static const char slip[] = "5. Holiday pay: nine days, 1,204 pounds.\n\n6. Pay: 20 pounds.\n\n"
                               "For \"1,204\" read \"1,240\". For \"20\" read \"25\".\n";
    struct changed_said s = {slip, sizeof slip - 1, {0, 40}, "What is she paid?", "1,204 pounds",
                             1};
    finds_that(&s, "For \"1,204\" read");
    s.question = "What was her holiday pay?";
    finds_that(&s, "For \"1,204\" read");
    s.unsure = 0;
    finds_that(&s, "For \"1,204\" read");
    s.said = (struct span_of_text){42, 60};
    s.answer = "20 pounds";
    s.unsure = 1;
    finds_that(&s, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_denied),     cmocka_unit_test(test_weekdays),
        cmocka_unit_test(test_amended),    cmocka_unit_test(test_for_read),
        cmocka_unit_test(test_only_there), cmocka_unit_test(test_row),
        cmocka_unit_test(test_headed),     cmocka_unit_test(test_denied_word),
        cmocka_unit_test(test_erratum)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
