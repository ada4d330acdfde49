// Corrections as they are signed into minutes, printed on slips and made by endorsements.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "tests/unit/engine/changed/changed_fixture.h"

// Behind FIRST, whose sentence with SAID answers QUESTION, the sentence LATER changes that, or, if
// not DOES, does not.
static void changes(const char *first, const char *said, const char *question, const char *later,
                    int does)
{
    char text[800];
    snprintf(text, sizeof text, "%s\n\n%s", first, later);
    finds(text, said, question, does ? later : NULL);
}

#define WALK                                                                                       \
    "5. The roof of the Rope Walk. Mr Fox showed photographs. The shed is 312 metres long, and "   \
    "its slates have slipped."

// What is corrected stands behind "the correction that", and what a sentence calls long has a
// length.
static void test_signed(void **state)
{
    (void)state;
    static const char asked[] = "How long is the shed?";
    changes(WALK, "The shed", asked,
            "Signed, with the correction that the length of the Rope Walk should read 321 metres.",
            1);
    changes(WALK, "The shed", asked,
            "Signed, with the correction that the length of the shed should have read 321 metres.",
            1);
    changes(WALK, "The shed", asked,
            "Signed, with the correction that the length of the pier should read 321 metres.", 0);
    changes(WALK, "The shed", asked,
            "Signed, with the correction that the height of the Rope Walk should read 321 metres.",
            0);
}

// "Y instead of X", where the days X are those of the sentence.
static void test_days(void **state)
{
    (void)state;
    static const char hours[] = "7. RESOLVED that the museum open Tuesday to Sunday in summer, and "
                                "in winter Thursday to Sunday.",
                      asked[] = "Which days is the museum open in winter after the change?";
    changes(hours, "RESOLVED", asked,
            "RESOLVED that winter days be Friday to Sunday instead of Thursday to Sunday.", 1);
    changes(hours, "RESOLVED", asked,
            "RESOLVED that winter talks be on Friday instead of Thursday at six.", 0);
    changes(hours, "RESOLVED", asked,
            "RESOLVED that choir days be Friday to Sunday instead of Thursday to Sunday.", 0);
}

// "Case 41, not 14", where case 14 was said of the same thing.
static void test_called(void **state)
{
    (void)state;
    static const char theft[] = "9. Theft. A brass fid was missed from case 14 on 25 June.",
                      asked[] = "Which display case was the stolen fid in?";
    changes(theft, "A brass", asked, "Under item 9, the fid was in case 41, not 14.", 1);
    changes(theft, "A brass", asked, "Under item 9, the spoon was in case 41, not 14.", 0);
    changes(theft, "A brass", asked, "Under item 9, the fid was in room 41, not 14.", 0);
    changes(theft, "A brass", asked, "Under item 9, the fid was in case 41, not 13.", 0);
}

// "Six months and not nine", where nine months were said of the same thing.
static void test_denied_of_unit(void **state)
{
    (void)state;
    static const char keep[] = "Sachets were to be kept cold and used within nine months.",
                      asked[] = "How long do the sachets keep?";
    changes(keep, "Sachets", asked, "(e) The sachets were stable for six months and not nine.", 1);
    changes(keep, "Sachets", asked, "(e) The sachets were stable for six weeks and not nine.", 1);
    changes(keep, "Sachets", asked, "(e) The study went on for six months and not nine.", 0);
    changes(keep, "Sachets", asked, "(e) The sachets were sold to six people and not nine.", 0);
    changes(keep, "Sachets", asked, "(e) The sachets were stable for six months and not ten.", 0);
}

// The number of a cell, where a sentence below has the row's name and the column that is asked for.
static void test_cell(void **state)
{
    (void)state;
    static const char limits[] = "| What | Warning | Page somebody |\n|---|---|---|\n"
                                 "| Queue in `post` | 3,000 messages | 12,000 messages |",
                      asked[] = "At what queue length in post does somebody get paged?";
    static const char *const later[] = {
        "17 June. The page threshold for the queue in `post` is 8,000 messages.",
        "17 June. The page threshold for the queue in `post` is now 8,000 messages.",
        "17 June. The page threshold for the queue in `fax` is 8,000 messages.",
        "17 June. The hard limit for the queue in `post` is 8,000 messages.",
        "17 June. The page threshold for the queue in `post` is 8 minutes.",
        "17 June. The page threshold for the queue in `post` is 12,000 messages.",
        "17 June. Somebody is paged for the queue in `post` by 8,000 messages."};
    for (size_t i = 0; i < sizeof later / sizeof *later; i++) {
        char text[500];
        snprintf(text, sizeof text, "%s\n\n%s", limits, later[i]);
        finds_of(text, "| Queue", asked, "Page somebody: 12,000 messages (Queue in `post`)",
                 i < 2 ? later[i] : NULL);
    }
    static const char prices[] =
        "| Part | Price (\u20ac) |\n|---|---|\n| Walking foot | 38.00 |\n\n"
        "The walking foot costs \u20ac 34.00.";
    finds_of(prices, "| Walking", "How much is the walking foot?",
             "Price (\u20ac): 38.00 (Walking foot)", "The walking foot costs");
    finds_of(prices, "| Walking", "How much is the walking foot?", "Price: 38.00 (Walking foot)",
             NULL);
    changes("19. The sound limiter is set to 92 decibels.", "The sound",
            "How many decibels is the sound limiter set to?",
            "(iv) that the sound limiter be reset to 88 decibels.", 1);
}

// What something no longer does, where it is asked whether it does.
static void test_stops(void **state)
{
    (void)state;
    static const char desk[] = "Service desk: 5551, Monday to Friday, and in summer on Saturdays.",
                      asked[] = "Can I ring the help desk on a Saturday?";
    changes(desk, "Service", asked, "3. The service desk no longer answers on Saturdays.", 1);
    changes(desk, "Service", asked, "3. The shop no longer opens on Saturdays.", 0);
    changes(desk, "Service", asked, "3. The service desk no longer answers on Sundays.", 0);
    changes(desk, "Service", "What is the number of the service desk?",
            "3. The service desk no longer answers on Saturdays.", 0);
}

// What an endorsement brings to another length in a clause that it names by its number, of an
// answer that may be wrong, too.
static void test_lengthened(void **state)
{
    (void)state;
    static const char claims[] = "14.1 Tell us within 31 days of coming home.";
    static const char *const later[] = {
        "E4. In 14.1 the time for telling us is lengthened to 60 days.",
        "E4. In 14.1 the time for telling us is shortened to 14 days.",
        "E4. In 14.2 the time for telling us is lengthened to 60 days.",
        "E4. In 14.1 the time for repairs is lengthened to 60 days."};
    for (int i = 0; i < 4; i++) {
        char text[300];
        snprintf(text, sizeof text, "%s\n\n%s", claims, later[i]);
        const struct changed_said s = {.text = text,
                                       .n = strlen(text),
                                       .said = {0, sizeof claims - 1},
                                       .question = "How soon must a loss be reported?",
                                       .answer = claims,
                                       .unsure = 1};
        finds_that(&s, i < 2 ? later[i] : NULL);
    }
}

// The case right behind what was said that is asked for.
static void test_case(void **state)
{
    (void)state;
    static const char update[] =
        "Settings survive an update from any 3.x version. From 2.x they do not, and are lost.";
    finds(update, "Settings", "What becomes of settings if I update from version 2?", "From 2.x");
    finds(update, "Settings", "What becomes of settings if I update from version 3?", NULL);
    finds("Dogs may come in. On Mondays they may not.", "Dogs", "May dogs come in on Mondays?",
          "On Mondays");
    finds("Dogs may come in. On Mondays they may not.", "Dogs", "May dogs come in?", NULL);
    // What changes it later tells more.
    finds(
        "Dogs may come in for 2 pounds. On Mondays they may not.\n\nThe charge for dogs is raised "
        "from 2 to 3 pounds.",
        "Dogs", "For how much may dogs come in on Mondays?", "The charge");
    finds("Dogs may come in.\n\nOn Mondays they may not.", "Dogs", "May dogs come in on Mondays?",
          NULL);
}

// A firm that has ceased, with the one in its place.
static void test_place_taken(void **state)
{
    (void)state;
    static const char help[] = "4.1 We use a company called Orlane Assist, on +33 55.",
                      asked[] = "What number do I ring for help abroad?";
    changes(help, "We use", asked,
            "Orlane Assist ceased to act for us. Their place is taken by Brevik Line, on +47 55.",
            1);
    changes(help, "We use", asked,
            "Ostrava Assist ceased to fly. Their boat is taken by Brevik Line, on +47 55.", 0);
}

// The rent of a boat is not that of a garage.
static void test_owners(void **state)
{
    (void)state;
    static const char rent[] = "1. The rent of the garage is 80 pounds a month.";
    changes(rent, "The rent", "What is the rent?", "The rent of the boat is now 92 pounds.", 0);
    changes(rent, "The rent", "What is the rent?", "The rent of the garage is now 92 pounds.", 1);
    changes(rent, "The rent", "What is the rent?",
            "The rent of the boat is raised from 80 pounds to 92 pounds.", 0);
    changes(rent, "The rent", "What is the rent?",
            "The rent of the garage is raised from 80 pounds to 92 pounds.", 1);
}

// What the sentence itself gives as the old number is none that is taken back.
static void test_old_itself(void **state)
{
    (void)state;
    static const char hens[] = "(Meeting, May.) Hens on a plot are reduced from six to four.";
    changes(hens, "Hens", "How many hens may a plot have?",
            "(Meeting, May.) The trial of a plot is extended from six months to twelve.", 0);
    changes(hens, "Hens", "How many hens may a plot have?",
            "(June.) The hens on a plot are reduced from four to two.", 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_signed),      cmocka_unit_test(test_days),
        cmocka_unit_test(test_cell),        cmocka_unit_test(test_denied_of_unit),
        cmocka_unit_test(test_called),      cmocka_unit_test(test_stops),
        cmocka_unit_test(test_lengthened),  cmocka_unit_test(test_case),
        cmocka_unit_test(test_place_taken), cmocka_unit_test(test_owners),
        cmocka_unit_test(test_old_itself)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
