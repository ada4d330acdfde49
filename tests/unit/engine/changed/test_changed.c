#define _GNU_SOURCE
// What a text says later of what it said before.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/engine/changed/changed_fixture.h"

#define MOORING "The mooring fee is 20 pounds a night. Dogs are welcome.\n\n"

static void test_numbers(void **state)
{
    (void)state;
    static const char ASKED[] = "How much is the mooring fee?";
    static const char *const changes[] = {
        "The mooring fee is raised from 20 to 25 pounds in May.",
        "From May the mooring fee goes up from twenty to twenty-five pounds.",
        "The mooring fee goes up to 25 pounds from 20 in May.",
        "In what is said of the mooring fee, the figure 20 is replaced by 25.",
        "For the mooring fee \"20\" is to be read as \"25\".",
        "The mooring fee is 25 pounds instead of 20.",
        "For the mooring fee we ask 25 and not 20 pounds.",
        "The mooring fee is 25 pounds (previously 20).",
        "The mooring fee was 20 pounds and is now 25.",
        "The mooring fee is no longer 20 pounds.",
        "The mooring fee of 20 pounds is waived.",
        "The mooring fee of GBP 20 a night falls away in May.",
        "The mooring fee is raised from GBP 20 to GBP 25."};
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        char text[300] = MOORING;
        strcat(text, changes[i]);
        finds(text, "mooring", ASKED, changes[i]);
        // Not where the answer has the new number, or the sentence itself.
        strcat(text, " ");
        finds_of(text, "mooring", ASKED, text, NULL);
    }
    static const char *const others[] = {
        "The laundry fee is raised from 30 to 35 pounds.", // another number
        "The bus is cut from 20 to 25 trips.",             // about something else
        "The bus is cut from twenty to fifteen trips.",
        "The mooring fee is due from 20 to 25 May.", // no change
        "The mooring fee was 20 pounds.",
        "Mooring fee rules hold for 20 boats, and not for 30 cars."};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        char text[300] = MOORING;
        strcat(text, others[i]);
        finds(text, "mooring", ASKED, NULL);
    }
    // Not before what was said, not quoted, and not where it is asked what was before.
    finds("The mooring fee is raised from 20 to 25 pounds. " MOORING, "fee is 20", ASKED, NULL);
    finds(MOORING "> The mooring fee is raised from 20 to 25 pounds.\n", "mooring", ASKED, NULL);
    char text[200] = MOORING;
    strcat(text, changes[0]);
    finds(text, "mooring", "What was the mooring fee?", NULL);
    finds(text, "mooring", "What is the original mooring fee?", NULL);
    // A number of the question is none of the answer; nor is that of a heading.
    finds(text, "mooring", "For what is a fee of 20 pounds charged?", NULL);
    finds("20. Mooring and other fees\n\nThe mooring fee is raised from 20 to 25.", "20.", ASKED,
          NULL);
}

// Of rows with labels that are said together, only the one that is asked for.
static void test_rows(void **state)
{
    (void)state;
    static const char rows[] = "First Day:  5 May 2024\nLast Day:  5 May 2025\n",
                      text[] =
                          "First Day:  5 May 2024\nLast Day:  5 May 2025\n\nThe Last Day becomes "
                          "8 May 2025 in place of 5 May 2025.\n";
    struct changed_said s = {
        .text = text, .n = strlen(text), .said = {0, strlen(rows)}, .answer = rows};
    struct span_of_text at;
    s.question = "What is the Last Day?";
    assert_true(changed_find(&s, &at));
    s.question = "Which days are there?";
    assert_true(changed_find(&s, &at));
    s.question = "What is the First Day?";
    assert_false(changed_find(&s, &at));
}

// What was wrong is corrected for questions about what was, too.
static void test_wrong(void **state)
{
    (void)state;
    static const char said[] = "On Monday 70 barrels were washed ashore. It rained.\n\n";
    static const char *const wrong[] = {"Correction on the wreck: it was 90 barrels, not\n70.",
                                        "I have to correct this: there were 90 barrels, not 70.",
                                        "About the barrels: it was ninety, not seventy."};
    static const char *const others[] = {"The barrels are for 90 litres, not 70.",
                                         "Correction: we have 90 horses, not 70.",
                                         "Correction: not 70 barrels."};
    for (size_t i = 0; i < 3; i++) {
        char text[300];
        strcpy(text, said);
        strcat(text, wrong[i]);
        finds(text, "70 barrels", "How many barrels were washed ashore?", wrong[i]);
        strcpy(text + strlen(said), others[i]);
        finds(text, "70 barrels", "How many barrels were washed ashore?", NULL);
    }
}

// What is so and what is not, in one sentence about most of what was said, was not so either.
static void test_counts(void **state)
{
    (void)state;
#define TRADERS "The town has 1,306 traders who were paid twice in June.\n\n"
    static const char asked[] = "How many traders were paid twice?";
    finds(TRADERS "The count of traders paid twice is 1,291, not 1,306.", "The town", asked,
          "The count");
    finds(TRADERS "The count of traders is 1,291, no longer 1,306.", "The town", asked, NULL);
    finds(TRADERS "The count of tents is 1,291, not 1,306.", "The town", asked, NULL);
#undef TRADERS
}

// The same of what is called by its number, which the answer may have of other things, too.
static void test_wrongly_called(void **state)
{
    (void)state;
    static const char said[] = "Three taps had burst: no. 2 by the compost and no. 5.\n\n",
                      asked[] = "Which taps burst?";
    static const char *const wrong[] = {"One correction: the tap by the compost, no. 3, not no. 2.",
                                        "The tap by the compost is no. 3, not no. 2.",
                                        "The tap by the compost is on pipe 3, and not pipe 2."};
    static const char *const others[] = {"By the compost shut tap no. 3, not no. 2.",
                                         "The tap by the compost of plot 3 is not tap 2.",
                                         "The tap by the compost is for 3 pipes, not no. 2."};
    for (size_t i = 0; i < 3; i++) {
        char text[300];
        strcpy(text, said);
        strcat(text, wrong[i]);
        finds(text, "taps", asked, wrong[i]);
        strcpy(text + strlen(said), others[i]);
        finds(text, "taps", asked, NULL);
    }
}

// Where only the new number is said, all that is asked for has to be there, and the unit.
static void test_new(void **state)
{
    (void)state;
    static const char text[] =
        "Staff at sea have 25 days of leave. Dinner is \u00a320 a night.\n\nLeave for staff at sea "
        "goes up to 27 days from May. The cost of dinner becomes \u00a324.";
    finds(text, "25 days", "How much leave do staff at sea have?", "Leave for staff");
    finds(text, "25 days", "How many days of leave do staff ashore have?", "Leave for staff");
    finds(text, "Dinner", "What does dinner cost?", "The cost of dinner");
    finds("Dinner is $20.\n\nDinner becomes \u00a324.", "Dinner", "How much is dinner?", NULL);
    finds("Dinner is \u00a320.\n\nThe cost of \u00a320 for dinner has been lowered to \u00a318.",
          "Dinner", "How much is dinner?", "The cost of");
    finds("Dinner is \u00a320.\n\nFor dinner, \"\u00a320\" is replaced by \"\u00a318\".", "Dinner",
          "How much is dinner?", "For dinner");
    finds("Dinner is \u00a320.\n\nAppendix: the cost of dinner should read \u00a318.", "Dinner",
          "How much is dinner?", "Appendix");
    finds("Dinner is \u00a320.\n\nWho is at dinner should read 18 pages.", "Dinner",
          "How much is dinner?", NULL);
    finds("\"Fee\" means 30 pounds.\n\nAs it rained, the Fee is raised by 8 pounds to 38 pounds.",
          "Fee", "How much is the Fee?", "As it rained");
    finds("\"Fee\" means \u00a330.\n\nThe Fee is raised by \u00a38 to \u00a338.", "Fee",
          "How much is the Fee?", "The Fee is raised");
    // Who decides it may say so, in a mail whose subject has the rest.
    static const char mail[] =
        "From: ada@x.example\nDate: Mon, 05 Feb 2024 10:00:00 +0000\nSubject: The ferry\n\n"
        "Notice of the ferry is 30 hours.\n\n"
        "From: ada@x.example\nDate: Mon, 12 Feb 2024 10:00:00 +0000\nSubject: Ferry again\n\n"
        "We have decided to reduce notice to 20 hours.\n";
    finds(mail, "30 hours", "How long is the notice of the ferry?", "We have decided");
    finds(mail, "30 hours", "What is the notice of the coach?", NULL);
    finds("Notice is 30 hours.\n\nI wanted to reduce notice to 20 hours.", "30",
          "What is the notice?", NULL);
    finds("Notice is 30 hours.\n\nWe will not reduce notice to 20 hours.", "30",
          "What is the notice?", NULL);
    finds("Dinner is at 7 pm.\n\nDinner had been changed to 8 pm.", "Dinner", "When is dinner?",
          NULL);
}

static void test_days(void **state)
{
    (void)state;
    static const char text[] =
        "The lease may be ended on 31 March 2027.\n\nThe date 31 March 2028 is replaced by 1 May "
        "2028. The date 31 March 2027 is replaced by 30 September 2027.";
    finds(text, "ended", "On what date may the lease be ended?", "The date 31 March 2027");
    // What short words mean that sentences of all kinds have, a definition says.
    static const char terms[] =
        "\"Last Date\" means 3 May 2024.\n\"First Date\" means 1 May 2024.\n\n"
        "2. The Last Date is changed to 5 June 2024.";
    finds(terms, "\"Last", "What is the Last Date?", "2. The Last Date");
    finds(terms, "\"First", "What is the First Date?", NULL);
    finds("\u201cLast Date\u201d means 3 May 2024.\n\n2. The Last Date is changed to 5 June 2024.",
          "\u201cLast", "What is the Last Date?", "2. The Last Date");
    static const char regatta[] = "The regatta is on Friday, 3 May 2024. It is long.\n\nMoved: the "
                                  "regatta is now on Sunday, 12 May, at noon.";
    finds(regatta, "Friday", "When is the regatta?", "Moved");
}

// A day that moves, of what a later sentence has a shorter name for; whether it did may be asked.
// What something does now, which was told of it before; by its code alone, of what has this code.
static void test_now(void **state)
{
    (void)state;
    static const char fair[] = "The autumn fair ends on 3 May 2024. A ride costs 2 pounds.\n\nThe "
                               "autumn fair now ends on 12 May, and a ride now costs 3 pounds.",
                      permits[] =
                          "| No. | Of | Ends |\n|---|---|---|\n| AB-12 | Boat | 3 May 2024 "
                          "|\n| AB-13 | Van | 9 May 2024 |\n\nMuch was said. AB-12 now ends "
                          "12 May 2024.\n",
                      asked[] = "When does the permit for the boat end?";
    finds(fair, "3 May", "When does the autumn fair end?", "The autumn fair now");
    finds(fair, "3 May", "When does the market of the village end?", "The autumn fair now");
    finds_of(permits, "AB-12", asked, "Ends: 3 May 2024 (AB-12)", "AB-12 now ends");
    finds_of(permits, "AB-12", "When does the permit AB-12 end?", "3 May 2024", "AB-12 now ends");
    finds_of(permits, "AB-13", asked, "Ends: 9 May 2024 (AB-13)", NULL);
    finds_of(permits, "AB-12", "Since when is the boat allowed?", "3 May 2024", NULL);
    finds_of(permits, "AB-12", "When did the permit for the boat end?", "Ends: 3 May 2024", NULL);
}

// What is quoted of a clause, or called by what it is of, however short it is.
static void test_of_clause(void **state)
{
    (void)state;
#define RENT                                                                                       \
    "3.1 The rent is due on the 3rd of each month.\n\n3.2 The fee is 90.00, borne by the "         \
    "guest.\n\n"
    static const char due[] = "When is the rent due?", fee[] = "What is to be paid for a change?";
    finds(RENT "Due date. In clause 3.1 \"the 3rd\" becomes \"the 6th\", as agreed.", "3.1 The",
          due, "In clause 3.1");
    finds(RENT "In clause 3.1, for \"3rd\" read \"6th\".", "3.1 The", due, "In clause 3.1");
    finds(RENT "In clause 3.2 \"the 3rd\" becomes \"the 6th\".", "3.1 The", due, NULL);
    finds(RENT "In clause 3.1 \"the 5th\" becomes \"the 6th\".", "3.1 The", due, NULL);
    finds_of(RENT "In clause 3.1 \"the 3rd\" becomes \"the 6th\".", "3.1 The", due, "Each month.",
             NULL);
    finds(RENT "The fee under clause 3.2 is reduced to 45.00 for now.", "3.2 The", fee, "The fee");
    finds(RENT "One correction: the fee in clause 3.2 was misprinted. It should read GBP.",
          "3.2 The", fee, "One correction");
    finds(RENT "The fee in clause 3.2 was misprinted. It was hot.", "3.2 The", fee, NULL);
    finds(RENT "The fine under clause 3.2 is reduced to 45.00.", "3.2 The", fee, NULL);
    finds(RENT "The fee under clause 3.2 is reduced for a week to come.", "3.2 The", fee, NULL);
    finds_of(RENT "The fee under clause 3.2 is reduced to 45.00.", "3.2 The", fee,
             "90.00, now 45.00", NULL);
#undef RENT
}

// What is so now, in a sentence that says no more.
static void test_only_now(void **state)
{
    (void)state;
    static const char asked[] = "How many remote days are there?";
    finds("Remote days: before, there were two. Now three, but for clerks.", "Remote", asked,
          "Now");
    finds("There were two days for all of us. Now three days.", "There", asked, "Now three");
    finds("There were two remote days for all. Now three people meet.", "There", asked, NULL);
    finds("There were two remote days for all. Nowhere three, but.", "There", asked, NULL);
    finds("There were two remote days for all.\n\nNow three, two, one.", "There", asked, NULL);
    finds("There were two remote days. Now three.", "There", "How many remote days were there?",
          NULL);
    finds("Remote days, new in 2019. Now three, or so.", "Remote", asked, NULL);
    finds("There were no remote days. Now three, or so.", "There", asked, NULL);
}

// A table of what was printed and what is right.
static void test_errata(void **state)
{
    (void)state;
#define PIER                 "The pier is 12 m long. The boat is 12 m long.\n\n"
#define ERRATA(was, is, old) "| No. | " was " | " is " |\n|---|:---|---|\n" old " | 14 m |\n"
    static const char asked[] = "How long is the pier?";
    finds(PIER ERRATA("Text printed", "Correct", "| 1 | wall 12 m | 13 m |\n| 2 | pier 12 m"),
          "The pier", asked, "2 | pier 12 m | 14 m");
    finds(PIER ERRATA("Old value", "New", "| 2 | long pier: 12 m"), "The pier", asked, "2 | long");
    finds(PIER ERRATA("Was", "Should read", "| 2 | the pier is 12 m"), "The pier", asked,
          "2 | the");
    // Other columns, another number, something else, and what the answer has.
    finds(PIER ERRATA("Place", "Correct", "| 2 | pier 12 m"), "The pier", asked, NULL);
    finds(PIER ERRATA("Old crew", "New", "| 2 | pier 12 m"), "The pier", asked, NULL);
    finds(PIER ERRATA("Printed", "Correct", "| 2 | pier 120 m"), "The pier", asked, NULL);
    finds(PIER ERRATA("Printed", "Correct", "| 2 | boat 12 m"), "The pier", asked, NULL);
    finds(PIER ERRATA("Printed", "Correct", "| 2 | 12"), "The pier", asked, NULL);
    finds_of(PIER ERRATA("Printed", "Correct", "| 2 | pier 12 m"), "The pier", asked,
             "12 m, now 14 m", NULL);
    finds(PIER "| Printed | Correct |\n| pier 12 m | 14 m |\n", "The pier", asked, NULL);
#undef ERRATA
#undef PIER
}

static void test_moves(void **state)
{
    (void)state;
    static const char plan[] =
        "The plan:\n\n  6 May    village feast\n  13 May   fair\n\nThe feast "
        "also moves, by a week, to 13 May, as it rains.\n";
    finds_of(plan, "6 May", "When is the village feast?", "6 May    village feast\n  13 May   fair",
             "The feast also moves");
    finds(plan, "6 May", "Was the village feast moved?", "The feast also moves");
    finds(plan, "6 May", "When was the village feast?", NULL);
    finds(plan, "6 May", "When is the feast of the village?", NULL);
    finds("The village feast is on 6 May.\n\nA feast moves to 13 May.", "6 May",
          "When is the village feast?", NULL);
    finds("The village feast is on 6 May.\n\nThe feast moves to hall 13.", "6 May",
          "When is the village feast?", NULL);
}

static void test_people(void **state)
{
    (void)state;
    static const char ASKED[] = "Who is the data protection officer?";
    static const char SAID[] = "Losses are told to the data protection officer, Marek Stolarz.\n\n";
    static const char *const changes[] = {
        "Marek Stolarz left us, and Ifeoma Bright has taken on his data protection duties.",
        "Ifeoma Bright succeeds Marek Stolarz in data protection.",
        "Ifeoma Bright has taken over data protection from Marek Stolarz.",
        "In data protection Marek Stolarz has been replaced by Ifeoma Bright."};
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        char text[300];
        strcat(strcpy(text, SAID), changes[i]);
        finds(text, "Losses", ASKED, changes[i]);
        finds(text, "Losses", "Who was the data protection officer?", NULL);
    }
    static const char *const others[] = {
        "Marek Stolarz left the hall, and Ifeoma Bright took the bus.", // of no office
        "Marek Stolarz has succeeded Ifeoma Bright in data protection.",
        "Marek Stolarz has taken on data protection."};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        char text[300];
        strcat(strcpy(text, SAID), others[i]);
        finds(text, "Losses", ASKED, NULL);
    }
}

#define RULES                                                                                      \
    "Rule 6. Animals\n\nUp to six hens may be kept on a plot. Dogs have to be on a lead.\n\n"      \
    "Rule 7. Quiet\n\nNo hens after ten.\n\n12.1 Kilns may be fired at night.\n\n"

static void test_clauses(void **state)
{
    (void)state;
    static const char text[] =
        RULES "First, in Rule 6 the number of hens is lowered to four.\n\nB. Clause 12.1 is "
              "replaced as follows: Kilns may be fired by day.";
    finds(text, "Up to", "How many hens may I keep?", "First, in Rule 6");
    finds(text, "Dogs", "Must dogs be on a lead?", NULL);   // of the same rule
    finds(text, "No hens", "When are hens allowed?", NULL); // of another one
    finds(text, "12.1 Kilns", "When may kilns be fired?", "B. Clause 12.1");
    // One that is gone, which its own sentence says nothing else of.
    finds(RULES "1. Clause 12.1 is deleted.", "12.1 Kilns", "When may kilns be fired?",
          "1. Clause");
    finds(RULES "1. Clause 12.2 is deleted.", "12.1 Kilns", "When may kilns be fired?", NULL);
    // Named behind what is gone, over the end of a line, and where the new is told before it.
    finds(
        RULES
        "1.  Fire. All of us met in the hall. The burning of kilns in clause\n    12.1 is waived.",
        "12.1 Kilns", "When may kilns be fired?", "The burning");
    finds(RULES "The burning of kilns in clause 12.1 is waived if it rains.", "12.1 Kilns",
          "When may kilns be fired?", NULL);
    finds(RULES "The fee in clause 12.1 is waived.", "12.1 Kilns", "When may kilns be fired?",
          NULL);
    finds(RULES
          "You asked. Kilns may only be fired by day, and clause 12.1 is to be read that way.",
          "12.1 Kilns", "When may kilns be fired?", "Kilns may only");
    finds(RULES "Of kilns, clause 12.1 is to be read with Rule 6.", "12.1 Kilns",
          "When may kilns be fired?", NULL);
    // A clause of another text, one that is only referred to, and one that did not change.
    finds(RULES "Rule 6 of the City Code is amended for hens.", "Up to",
          "How many hens may I keep?", NULL);
    finds(RULES "Fees for hens are raised as Rule 6 says.", "Up to", "How many hens may I keep?",
          NULL);
    finds(RULES "What clause 12.1 says of kilns is unchanged.", "12.1 Kilns",
          "When may kilns be fired?", NULL);
}

// A clause that gives another number of the same unit, below a title that the first one has.
static void test_rates(void **state)
{
    (void)state;
#define ROYALTY "4.1 Royalty: 6.5% of all sales, paid on the 12th.\n4.2 Levy: 2 per sack.\n\n"
    static const char asked[] = "What royalty is paid?", said[] = "4.1 Royalty";
    finds(ROYALTY "1. Royalty. From 1 May the rate in clause 4.1 is 5.75%.", said, asked,
          "1. Royalty. From");
    finds(ROYALTY "1. Fence. From 1 May the rate in clause 4.1 is 5.75%.", said, asked, NULL);
    finds(ROYALTY "1. Royalty. From 1 May the rate in clause 4.2 is 5.75%.", said, asked, NULL);
    finds(ROYALTY "1. Royalty. From 1 May the rate in clause 4.1 is 5 pounds.", said, asked, NULL);
    finds(ROYALTY "1. Royalty. From 1 May the rate in clause 4.1 is 6.5%.", said, asked, NULL);
    finds(ROYALTY "1. Royalty. From 1 May the rate in clause 4.1 may change by 2%.", said, asked,
          NULL);
#define FENCE "33. Ada Brown must remove the fence, at her expense, within 56 days.\n\n"
    static const char how[] = "How long has Ada got to remove the fence?", ada[] = "33. Ada";
    finds(FENCE "The time for the fence in paragraph 33 should read 84 days.", ada, how,
          "The time");
    finds(FENCE "The time for the fence in paragraph 33 was meant to be that of the wall and ought "
                "to be 84 days.",
          ada, how, "The time");
    finds(FENCE "The time for the fence in paragraph 34 should read 84 days.", ada, how, NULL);
    finds(FENCE "The time for the fence in line 33 should read 84 days.", ada, how, NULL);
    finds(FENCE "The fence in paragraph 33 should be 84 feet long.", ada, how, NULL);
    finds(FENCE "The fence in paragraph 33 should please 84 days a year.", ada, how, NULL);
#undef FENCE
}

// Clauses that are called by a sign or a number alone, and corrections that say no more of them.
static void test_signs(void **state)
{
    (void)state;
#define KEYS                                                                                       \
    "33. The tenant brings the keys within 30 days.\n34. The fine is 1,306 "                       \
    "euro.\n\nCorrigenda\n\n"
    finds(KEYS "Paragraph 33 ought to read 84 days.", "33. The", "Within how many days?",
          "Paragraph 33");
    finds(KEYS "In paragraph 34 the figure is 1,291, not 1,306.", "34. The", "What is the fine?",
          "In paragraph 34");
    finds(KEYS "In paragraph 34 the figure is 1,291, not 1,307.", "34. The", "What is the fine?",
          NULL);
    finds(KEYS "Paragraph 34 ought to read 84 days.", "33. The", "Within how many days?", NULL);
#undef KEYS
#define LEASE                                                                                      \
    "\u00a7 2 Term. The lease ends on 30 June 2026.\n\n\u00a7 5 Notice. Notice is given 60 days "  \
    "before.\n\n\u00a7 6 Pets. Pets need consent.\n\nAMENDMENT\n\n"
    finds(LEASE "1. \u00a7 6 is deleted.\n", "Pets need", "May pets be kept?", "1. \u00a7 6");
    finds(LEASE "1. \u00a7 7 is deleted.\n", "Pets need", "May pets be kept?", NULL);
    finds(LEASE "1. \u00a7 2 is replaced by: The lease ends on 30 June 2029.\n", "The lease",
          "When does the lease end?", "1. \u00a7 2");
    finds(LEASE "2. \u00a7 5 ought to read 84 days instead of 60 days.\n", "Notice is",
          "How long before is notice given?", "2. \u00a7 5");
#undef LEASE
}

// What is another now is the definition of one term, not of those beside it.
static void test_definitions(void **state)
{
    (void)state;
    static const char text[] =
        "1. WORDS\n\n\"Keeper\" means Ada Pell.\n\"Keeper of Boats\" means Una Berg.\n\"Oar\" "
        "means one of ash.\n\n2. In clause 1, for the definition of \"Keeper\" there is "
        "substituted: \"Keeper\" means Ole Lund.\n";
    finds(text, "\"Keeper\"", "What does Keeper mean?", "2. In clause 1");
    finds(text, "\"Oar\"", "What does Oar mean?", NULL);
    finds(text, "\"Keeper of", "What is the Keeper of Boats?", NULL);
}

// From a day on, which is said without a word of change.
static void test_from_day(void **state)
{
    (void)state;
#define HOURS "\"Open Hours\" means six to ten on Mondays.\n\"Oar\" means one of ash.\n\n"
    static const char ASKED[] = "What is Open Hours?";
    finds(HOURS "2. Mill. From 1 May 2024 the Open Hours on Mondays last until eleven.", "\"Open",
          ASKED, "2. Mill. From 1 May");
    finds(HOURS "From six the Open Hours begin.", "\"Open", ASKED, NULL);
    finds(HOURS "From 1 May 2024 nobody may fish in the Open Hours.", "\"Open", ASKED, NULL);
    finds(HOURS "From 1 May 2024 the Oar is of ash.", "\"Open", ASKED, NULL);
#undef HOURS
}

// Words that are quoted and replaced by others.
static void test_wording(void **state)
{
    (void)state;
#define MILL "2. show 60 pupils the mill in the\nautumns of 2022 and 2024;\n\n"
    static const char ASKED[] = "When are pupils shown the mill?";
    finds(MILL
          "3. In Part B, \"the autumns of 2022\nand 2024\" is replaced by \"the autumns of 2026 "
          "and 2028\".",
          "2. show", ASKED, "3. In Part B");
    finds(MILL "In Part B, for \u201cshow 60 pupils\u201d there is substituted \u201cshow 80 "
               "pupils\u201d.",
          "2. show", ASKED, "In Part B");
    finds(MILL
          "In Part B, \"the autumns of 2020 and 2021\" is replaced by \"the autumns of 2026 and "
          "2028\".",
          "2. show", ASKED, NULL);
    finds(MILL
          "For the definition of \u201cshow 60 pupils\u201d there is substituted \u201cshow 80 "
          "pupils\u201d.",
          "2. show", ASKED, NULL);
    finds(MILL "Nobody could replace \"show 60 pupils\".", "2. show", ASKED, NULL);
#undef MILL
}

// What is given for something may be right, too: only another number of the unit corrects it.
static void test_stated(void **state)
{
    (void)state;
    static const char fee[] = "What is the mooring fee?";
    static const char *const stated[] = {
        "In section 6 the mooring fee is given as 20 pounds. The list of fees prevails: ",
        "Section 6 gives the mooring fee as twenty pounds. The list of fees prevails: "};
    static const char *const others[] = {"it is 4 months old.", "it is 20 pounds.",
                                         "nobody pays 25 pounds."};
    for (size_t i = 0; i < sizeof stated / sizeof *stated; i++) {
        char text[300];
        strcpy(text, stated[i]);
        strcat(text, "it is 25 pounds.");
        finds(text, "ection 6", fee, "The list of fees prevails: it is 25");
        finds(text, "ection 6", "What was the mooring fee?", "The list of fees prevails: it is 25");
        for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
            strcpy(text + strlen(stated[i]), others[k]);
            finds(text, "ection 6", fee, NULL);
        }
    }
    finds("The mooring fee is 20 pounds.\n\nIn section 6 the mooring fee is stated as 20 pounds. "
          "That is wrong: it is 25 pounds.\n",
          "The mooring", fee, "In section 6");
}

// Many places of a number, and no change: most are left at once.
static void test_many(void **state)
{
    (void)state;
    enum { N = 1 << 16 };
    char *text = malloc(16 * N + sizeof MOORING);
    strcpy(text, MOORING);
    char *p = text + strlen(text);
    for (int i = 0; i < N; i++, p += 16)
        memcpy(p, "Was 20, from 20.", 17);
    finds(text, "mooring", "How much is the mooring fee?", NULL);
    free(text);
}

// What is of an earlier day is no change, although it stands below: a change log may begin with the
// newest version.
static void test_newest_first(void **state)
{
    (void)state;
    static const char asked[] = "What is the default port?",
                      newer[] = "Version 2.1 (9 July 2023)\n",
                      older[] = "Version 2.0 (3 March 2023)\n", said[] = "- Port is back to 80\n\n",
                      changed[] = "- Port changed from 80 to 90\n\n";
    char text[300];
    snprintf(text, sizeof text, "%s%s%s%s", newer, said, older, changed);
    finds(text, "back", asked, NULL);
    snprintf(text, sizeof text, "%s%s%s%s", older, said, newer, changed);
    finds(text, "back", asked, "- Port changed from 80 to 90");
}

// Below such a heading a number may be without a unit.
static void test_bare_number(void **state)
{
    (void)state;
    static const char asked[] = "What is the default port?",
                      text[] = "The default port is 84.\n\n%s";
    static const char *const others[] = {"Errata\n\nThe default speed is 80.\n",
                                         "Remarks\n\nThe default port is 80.\n"};
    finds("The default port is 84.\n\nErrata\n\nThe default port is 80.\n", "84", asked,
          "The default port is 80.");
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        char own[200];
        snprintf(own, sizeof own, text, others[i]);
        finds(own, "84", asked, NULL);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_newest_first),   cmocka_unit_test(test_bare_number),
        cmocka_unit_test(test_numbers),        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_wrong),          cmocka_unit_test(test_counts),
        cmocka_unit_test(test_wrongly_called), cmocka_unit_test(test_new),
        cmocka_unit_test(test_days),           cmocka_unit_test(test_moves),
        cmocka_unit_test(test_people),         cmocka_unit_test(test_clauses),
        cmocka_unit_test(test_definitions),    cmocka_unit_test(test_from_day),
        cmocka_unit_test(test_wording),        cmocka_unit_test(test_many),
        cmocka_unit_test(test_stated),         cmocka_unit_test(test_now),
        cmocka_unit_test(test_errata),         cmocka_unit_test(test_of_clause),
        cmocka_unit_test(test_only_now),       cmocka_unit_test(test_rates),
        cmocka_unit_test(test_signs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
