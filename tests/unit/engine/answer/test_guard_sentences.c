// Answers that are no sentences, or sentences that were not read.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/engine/answer/guard_fixture.h"

// An article makes no sentence of the rest of one.
static void begins_as_a_sentence(void **state)
{
    (void)state;
    static const struct garbled cases[] = {
        {"The clock made by Ada Falk in 1738.", "Here was a clock made by Ada Falk in 1738.",
         "Who made the clock?", 1},
        {"The name in the list to the new one only when it has been there for a month.",
         "Change this name in the list to the new one only when it has been there for a month.",
         "Which name is in the list?", 1},
        {"The pump: Out of oil, some five litres lost in the hall, all lamps red.",
         "2025-09-17 hall-b2 pump: Out of oil, some five litres lost in the hall, all lamps red.",
         "Which pump lost oil?", 1},
        {"The old pump, 6 pounds, and for a new boiler, 9.",
         "Ada had prices for an old pump, 6 pounds, and for a\n    new boiler, 9.",
         "What did the old pump cost?", 1},
        {"The bird would see the sea.", "He had thought that a bird would see the sea.",
         "What did the bird see?", 1},
        {"The bird would see the sea.", "He had said that the bird would see the sea.",
         "What did the bird see?", 0},
        {"The clock is by Ada Falk.", "Our clock is by Ada Falk.", "Who made the clock?", 0},
        {"The clock is by Ada Falk.", "clock is by Ada Falk.", "Who made the clock?", 0},
        {"The fire at Hull's old mill.", "Many fled when fire broke out at Hull's old mill.",
         "Where was the fire?", 1},
        {"The fire was at Hull's old mill.", "Many fled when fire broke out at Hull's old mill.",
         "Where was the fire?", 0},
        {"The mill, Hull's oldest one, burned.",
         "Which mill burned? The mill, Hull's oldest one, "
         "burned.",
         "What burned?", 0},
    };
    check_garbled(cases, sizeof cases / sizeof *cases);
}

// Words far apart are not joined to one sentence.
static void leaps_over_nothing(void **state)
{
    (void)state;
    static const char
        FORM[] = "The form is a sheet of paper which by custom is yellow, and that is "
                 "a thing which is kept in a box.",
        SHEDS[] = "Both sets of ladders in two sheds are made for all of the trees. One shed "
                  "stands by the gate. The other is the old chest in the hall.";
    static const struct garbled cases[] = {
        {"The form is kept in a box.", FORM, "Where is the form kept?", 1},
        {"The form is a sheet of paper.", FORM, "What is the form?", 0},
        {"It is kept in a box.", FORM, "Where is the form kept?", 0},
        {"The ladders in the old chest in the hall are for trees.", SHEDS, "Where are the ladders?",
         1},
        {"Both sets of ladders in two sheds are made for all of the trees.", SHEDS,
         "What are they for?", 0},
    };
    check_garbled(cases, sizeof cases / sizeof *cases);
}

// A number is of what stands beside it.
static void keeps_numbers_with_their_words(void **state)
{
    (void)state;
    static const char AGES[] =
        "You may be 79 for single trips, 75 for cruises and 70 for a whole year.",
                      FEES[] = "It costs \u00a379 for adults or \u00a340 for children; at noon 5.",
                      FAULTS[] =
                          "It has faults. First, the boat leaks. Second, its mast is too short.",
                      DATES[] = "Date of survey: 12 May 2018. Sold: 7 June 2019.";
    static const struct garbled cases[] = {
        {"For cruises you may be 79.", AGES, "How old may I be on cruises?", 1},
        {"For a whole year you may be 75.", AGES, "How old may I be?", 1},
        {"For cruises you may be 75.", AGES, "How old may I be on cruises?", 0},
        {"You may be 79, 75 or 70 for trips, cruises and a year.", AGES, "How old may I be?", 0},
        {"You may be 79.", AGES, "How old may I be?", 0},
        {"For children it costs \u00a379.", FEES, "What does it cost for children?", 1},
        {"For children it costs \u00a340.", FEES, "What does it cost for children?", 0},
        {"From 12 to 14 it is open.", "From 12 and 14 on it is open.", "When is it open?", 0},
        {"The first fault is that its mast is too short.", FAULTS, "What is the first fault?", 1},
        {"The second fault is that its mast is too short.", FAULTS, "What is the second fault?", 0},
        {"It was sold on 12 May 2018.", DATES, "When was it sold?", 1},
        {"It was sold on 7 June 2019.", DATES, "When was it sold?", 0},
        {"The survey was on 12 May 2018.", DATES, "When was the survey?", 0},
    };
    check_garbled(cases, sizeof cases / sizeof *cases);
}

// What is left of a question needs its verb, and its "who".
static void answers_with_the_verb(void **state)
{
    (void)state;
    static const char ROLL[] = "When it is baked, brush the roll with jam.",
                      MAN[] = "Here came in an old man, and his hat was red.";
    static const struct garbled cases[] = {
        {"The roll brushed with jam.", ROLL, "What is the roll brushed with?", 1},
        {"The roll is brushed with jam.", ROLL, "What is the roll brushed with?", 0},
        {"The roll brushed.", ROLL, "When is the roll brushed?", 1},
        {"The baked roll is brushed with jam.", ROLL, "Why is the baked roll brushed?", 0},
        {"The baked one is brushed with jam.", ROLL, "Why is the baked roll brushed?", 0},
        {"The hat of the old man came in was red.", MAN,
         "Was the hat of the old man who came in red?", 1},
        {"The hat of the old man who came in was red.", MAN,
         "Was the hat of the old man who came in red?", 0},
    };
    check_garbled(cases, sizeof cases / sizeof *cases);
}

// What stands behind a comma, or a first word, is not what something is.
static void says_what_is(void **state)
{
    (void)state;
    static const char BOAT[] =
        "Boat to Hull\nFrom the old steps, 10.30 and 2, in good weather only.",
                      KEY[] = "Turn the small key to the left, and the lamp will go out.";
    static const struct garbled cases[] = {
        {"The boat to Hull is 10.30 and 2, in good weather only.", BOAT, "How much is the boat?",
         1},
        {"The boat to Hull is from the old steps, 10.30 and 2, in good weather only.", BOAT,
         "Where is the boat?", 0},
        {"The meeting is in room 4 of the old mill.", "Meeting: May, in room 4 of the old mill.",
         "Where is the meeting?", 0},
        {"The lamp is the small key to the left, and the lamp will go out.", KEY,
         "How do I turn out the lamp?", 1},
        {"It is the small key that turns out the lamp.", KEY, "Which key is it?", 0},
        {"It is, they say, the small key of Ada's lamp.",
         "It is, of all keys, the small key of "
         "Ada's lamp.",
         "Which key is it?", 0},
    };
    check_garbled(cases, sizeof cases / sizeof *cases);
}

// What is said with a comma before it, or of a name, is said of nothing else.
static void says_it_of_the_same(void **state)
{
    (void)state;
    static const char SMITH[] = "It was Ada, the smith, who made it, with an old hammer.",
                      NAMES[] = "In this lease, as signed:\n\"Day\" means a day "
                                "but Sundays.\n\"Closing Date\" means 3 May "
                                "2024.\n\"Price\" means 40 pounds.";
    static const struct garbled cases[] = {
        {"The smith, who made it, with an old hammer.", SMITH, "Who is Ada?", 1},
        {"It was Ada, the smith, who made it.", SMITH, "Who is Ada?", 0},
        {"The mill burned that year.", "In May, the mill burned that year.", "What burned?", 0},
        {"The lease was signed on 3 May 2024.", NAMES, "When was the lease signed?", 1},
        {"The closing is on 3 May 2024.", NAMES, "When was it?", 0},
        {"It is 40 pounds.", NAMES, "What is the price?", 0},
        {"It costs 40 pounds.", "It costs 40 pounds.\n\"Price\" means 40 pounds.", "What?", 0},
    };
    check_garbled(cases, sizeof cases / sizeof *cases);
}

// A question is no answer where what answers it stands behind it.
static void keeps_what_answers(void **state)
{
    (void)state;
#define ASKED "*Is rule 8 still in force?*"
    static const char read[] = ASKED " No. It is replaced by rule 9.",
                      by_what[] = "By what is rule 8 replaced?",
                      only[] = "She asked: \"Is rule 8 still in force?\"";
    static const struct garbled cases[] = {
        {ASKED, read, by_what, 1},
        {"Is rule 8 still in force?", read, by_what, 1},
        {"It is replaced by rule 9.", read, by_what, 0},
        {read, read, by_what, 0},
        {"Is rule 8 still in force?", only, "What did she ask?", 0},
    };
    check_garbled(cases, sizeof cases / sizeof *cases);
#undef ASKED
}

static void keeps_what_limits(void **state)
{
    (void)state;
    static const struct garbled cases[] = {
        {"Boats are let in the bay.", "Boats are let only in the bay, at noon.",
         "Where are boats let?", 1},
        {"Boats are let only in the bay.", "Boats are let only in the bay, at noon.",
         "Where are boats let?", 0},
        {"Boats are let in the bay.", "Boats are let in the bay, and only for an hour.",
         "Where are boats let?", 0},
        {"Members of the club may vote.", "Only members of the club may vote.", "Who may vote?", 1},
        {"Members of the club meet.", "Only members of the club pay. Members of the club meet.",
         "Who meets?", 0},
        {"Members may vote.", "Only members may vote.", "Who may vote?", 1},
        {"Our count of gulls is too low.", "Our counts of gulls are likely too low by a third.",
         "Is the count of gulls too low?", 1},
    };
    check_garbled(cases, sizeof cases / sizeof *cases);
}

static void speaks_of_who_wrote(void **state)
{
    (void)state;
    static const struct garbled cases[] = {
        {"You lost your keys on the ferry.", "Lost my keys on the ferry.",
         "Where did Ada lose her keys?", 1},
        {"You lost your keys on the ferry.", "Lost my keys on the ferry.",
         "Where did I lose my keys?", 0},
        {"You may lend your keys to us.", "You may lend your keys to us.", "May keys be lent?", 0},
    };
    check_garbled(cases, sizeof cases / sizeof *cases);
}

static void is_not_of_itself(void **state)
{
    (void)state;
    static const struct garbled cases[] = {
        {"The number of the counts of number is too low.", "Our counts of number are too low.",
         "Is the number too low?", 1},
        {"The number of boats of the club is low.", "The number of boats of the club is low.",
         "Is the number of boats low?", 0},
    };
    check_garbled(cases, sizeof cases / sizeof *cases);
}

static void is_no_question(void **state)
{
    (void)state;
    static const struct garbled cases[] = {
        {"When should you ring if there is a leak.", "Ring us if there is a leak.",
         "When should I ring?", 1},
        {"You should ring if there is a leak.", "Ring us if there is a leak.",
         "When should I ring?", 0},
        {"What was left was the keel.", "What was left was the keel.", "What was left?", 0},
    };
    check_garbled(cases, sizeof cases / sizeof *cases);
}

static void names_both(void **state)
{
    (void)state;
    static const struct garbled cases[] = {
        {"The porter is Ada Falk.", "The porter is Ada Falk on odd days and Max Orr on even ones.",
         "Who is the porter?", 1},
        {"The porters are Ada Falk.", "The porters are Ada Falk and Max Orr.",
         "Who are the porters?", 1},
        {"The porter is Ada Falk.", "The porter is Ada Falk and Max Orr keeps the books.",
         "Who is the porter?", 0},
        {"The porter is Ada Falk.", "The porter is Ada Falk in Hull and York.",
         "Who is the porter?", 0},
        {"It is kept by Ada Falk.", "It is kept by Ada Falk and Max Orr.",
         "Who keeps it with Max Orr?", 0},
    };
    check_garbled(cases, sizeof cases / sizeof *cases);
}

static void names_the_row(void **state)
{
    (void)state;
    static const struct garbled cases[] = {
        {"The fare of 5 pounds is 3 days.",
         "| Town | Fare | Time |\n|---|---|---|\n| Hull | 5 pounds | 3 days |",
         "What is the fare to Hull?", 1},
        {"The fare to Hull is 5 pounds.",
         "| Town | Fare | Time |\n|---|---|---|\n| Hull | 5 pounds | 3 days |",
         "What is the fare to Hull?", 0},
        {"The time of the fare of 5 pounds is 3 days.",
         "| Town | Fare | Time |\n|---|---|---|\n| Hull | 5 pounds | 3 days |",
         "What is the time of the fare of 5 pounds?", 0},
    };
    check_garbled(cases, sizeof cases / sizeof *cases);
}

static void keeps_to_its_column(void **state)
{
    (void)state;
    static const char pumps[] = "                 P40       P40-L\nTop speed, rpm   1450      1400",
                      bolts[] = "Part       Thread   Torque, Nm\nEye bolt   M12      40";
    const struct garbled cases[] = {
        {"The top speed of the P40-L is 1450 rpm.", pumps, "What is the top speed of the P40-L?",
         1},
        {"The top speed of the P40-L is 1400 rpm.", pumps, "What is the top speed of the P40-L?",
         0},
        {"The top speed of the P40 is 1400 rpm.", pumps, "What is the top speed of the P40?", 1},
        {"The P40 has 1450 rpm, and the P40-L 1400 rpm.", pumps,
         "What is the top speed of the P40-L?", 0},
        {"The thread of the eye bolt is 40.", bolts, "What is the thread of the eye bolt?", 1},
        {"The eye bolt has an M12 thread.", bolts, "What is the thread of the eye bolt?", 0},
    };
    check_garbled(cases, sizeof cases / sizeof *cases);
}

static void keeps_to_its_clause(void **state)
{
    (void)state;
    static const struct garbled cases[] = {
        {"The lowest fee limit is no more than a year old.",
         "Boats worth more than the lowest fee limit must be put down in the book of the club, and "
         "we may ask for a paper that is no more than a year old.",
         "What is the lowest fee limit?", 1},
        {"The smith of the old mill and is now in Hull.",
         "Max Orr was the smith. He left the old mill and is now in Hull.", "Who was the smith?",
         1},
        {"The smith of the old mill is in Hull and is old.",
         "The smith of the old mill is in Hull and is old.", "Where is the smith?", 0},
        {"The stone weighs six pounds, and a purse.",
         "He lost a stone, which weighs six pounds, and a purse.", "What does the stone weigh?", 1},
        {"The stone weighs six pounds.", "He lost a stone, which weighs six pounds, and a purse.",
         "What does the stone weigh?", 0},
    };
    check_garbled(cases, sizeof cases / sizeof *cases);
}

// What two sentences say of two things is not said of one of them, and the one that is asked for is
// answered with.
static void keeps_numbers_behind_their_words(void **state)
{
    (void)state;
    static const char read[] =
        "The mill received 61,000 euro from the town and spent\n58,250 euro.",
                      asked[] = "How much did the mill spend?";
    static const struct garbled cases[] = {
        {"The mill spent 61,000 euro.", read, asked, 1},
        {"The mill received 61,000 euro.", read, asked, 0},
        {"It spent 3 and 4 euro.", "It spent 3 euro in May. It spent 4 euro in June.", asked, 0},
    };
    check_garbled(cases, sizeof cases / sizeof *cases);
}

static void keeps_to_its_thing(void **state)
{
    (void)state;
#define BERN "Anna lives in Bern. Ben lives in Oslo."
    static const struct garbled cases[] = {
        {"Anna lives in Oslo.", BERN, "Where does Anna live?", 1},
        {"Anna lives in Bern.", BERN, "Where does Anna live?", 0},
        {"Ben lives in Bern.", BERN, "Where does Ben live?", 1},
        {BERN, BERN, "Where do they live?", 0},
        {"Anna lives in Bern.", BERN, "Where does Ben live?", 1},
        {"Anna lives in Bern.", BERN, "Who is Ben?", 1},
        {"The cat is called Mimi.", "The cat is called Mimi. The dog is called Rex.",
         "What is the dog called?", 1},
        {"The cat is called Mimi.", "The cat is called Mimi. The dog is called Rex.",
         "What is the cat called?", 0},
        {"The annual fee is 30 April.", "The annual fee is 9 pounds. It is due on 30 April.",
         "When is the annual fee due?", 1},
        {"The feast is 30 April.", "The feast is 30 April. It rains.", "When is the feast?", 0},
        // Of one thing, which the second sentence tells more of.
        {"The mill of Ann opened in May.", "The mill opened in May. The mill is Ann's.",
         "When did the mill open?", 0},
        {"Ann lives in the mill.", "Ann has a mill. She lives in the mill.", "Where does she live?",
         0},
        // What one of them is, behind "is".
        {"Ann Hill is Ben Moor.", "Ann Hill is warden from May; her deputy is Ben Moor.",
         "Who is the warden?", 1},
        {"Ann Hill is warden.", "Ann Hill is warden from May; her deputy is Ben Moor.",
         "Who is the warden?", 0},
        {"Ann Hill is the smith.", "Ann Hill is old. She is the smith.", "Who is the smith?", 0},
        // How many there are.
        {"40 pounds by Jim's reckoning.",
         "What a day. 412 bottles filled, 40 pounds by Jim's "
         "reckoning.",
         "How many bottles were filled?", 1},
        {"412 bottles filled.", "What a day. 412 bottles filled, 40 pounds by Jim's reckoning.",
         "How many bottles were filled?", 0},
    };
    check_garbled(cases, sizeof cases / sizeof *cases);
}

static void keeps_what_bounds(void **state)
{
    (void)state;
    static const char club[] = "The club has up to 8 rowers, and should have at least 4 boats.",
                      option[] = "Set the no-strip-blanks option before you send it.";
    static const struct garbled cases[] = {
        {"The club has 8 rowers.", club, "How many rowers does the club have at most?", 1},
        {"The club has up to 8 rowers.", club, "How many rowers does the club have?", 0},
        {"The club should have at least 4 boats.", club, "How many boats has the club?", 0},
        {"It has 4 boats.", "It has 4 boats, but at least 4 oars.", "How many boats has it?", 0},
        // Who pays nothing.
        {"The fair is in May and is free.", "The fair is in May; adults 3 pounds, children free.",
         "When is the fair, and what does it cost?", 1},
        {"The fair is free for children.", "The fair is in May; adults 3 pounds, children free.",
         "What does the fair cost?", 0},
        {"The fair is free.", "The fair is free.", "What does the fair cost?", 0},
        // The end of a word.
        {"\"strip-blanks\" before you send it.", option, "What should be set?", 1},
        {"no-strip-blanks", option, "What should be set?", 0},
    };
    check_garbled(cases, sizeof cases / sizeof *cases);
}

static void keeps_to_its_speaker(void **state)
{
    (void)state;
#define TALK                                                                                       \
    "[00:01:05] Ben Hill: How many boats are there?\n\n[00:01:09] Ann Moor: Four since May. I "    \
    "counted them.\n"
    static const struct garbled cases[] = {
        {"Ann Hill: How many boats are there?", TALK, "How many boats are there?", 1},
        {"Ann Moor: Four since May.", TALK, "How many boats are there?", 1},
        {"Ben Hill: Four since May. I counted them.", TALK, "How many boats are there?", 1},
        {"Ann Moor: Four since May. I counted them.", TALK, "How many boats are there?", 0},
        {"Moor: Four since May. I counted them", TALK, "How many boats are there?", 0},
        {"I counted them.", TALK, "Who counted the boats?", 1},
        {"I counted them.", "Four since May. I counted them.", "Who counted the boats?", 0},
        {"Four since May.", TALK, "How many boats are there?", 0},
        {"Spent: rent.", "Spent: rent, food.", "What was spent?", 0}, // no one speaks
        // Of several lines.
        {"Ann: I took it\nto Hull.", "Ann: I took it\nto Hull.\nBen: And I to York.",
         "Where did Ann take it?", 0},
        {"Ann: I took it.", "Ann: I took it\nto Hull.\nBen: And I to York.",
         "Where did Ann take it?", 1},
    };
    check_garbled(cases, sizeof cases / sizeof *cases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(begins_as_a_sentence),
        cmocka_unit_test(leaps_over_nothing),
        cmocka_unit_test(keeps_numbers_with_their_words),
        cmocka_unit_test(answers_with_the_verb),
        cmocka_unit_test(says_what_is),
        cmocka_unit_test(says_it_of_the_same),
        cmocka_unit_test(keeps_what_limits),
        cmocka_unit_test(keeps_what_answers),
        cmocka_unit_test(speaks_of_who_wrote),
        cmocka_unit_test(is_not_of_itself),
        cmocka_unit_test(is_no_question),
        cmocka_unit_test(names_both),
        cmocka_unit_test(names_the_row),
        cmocka_unit_test(keeps_to_its_column),
        cmocka_unit_test(keeps_to_its_clause),
        cmocka_unit_test(keeps_to_its_thing),
        cmocka_unit_test(keeps_numbers_behind_their_words),
        cmocka_unit_test(keeps_what_bounds),
        cmocka_unit_test(keeps_to_its_speaker),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
