// Sections, asked for by their numbers.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "engine/survey/survey.h"
#include "tests/unit/engine_fixture.h"
#include "tests/unit/survey_fixture.h"

#define FAR "So much is known of it, and nothing else. "

// A section is said up to the next one, not a line of the table of contents, nor an item of a list.
static void test_sections(void **state)
{
    (void)state;
    struct kvz *k = index_text(
        "lease.txt",
        "1. Rent ..... 2\n2. Pets ..... 3\n\n1. Rent\n\n1.1 The rent is due on the\nfirst of "
        "the month.\n\n1.2 It is paid:\n\n1. in cash\n2. by cheque\n\n1.10 Nobody "
        "pays\ntwice.\n\n2. Pets\n\nOne cat may stay. 3 dogs may not.\n\n\u00a7 7 Ruhe\n\n"
        "(1) Es ist still.\n");
    asked(&k, 1, "What does section 1.1 say?",
          "\"1.1 The rent is due on the first of the month.\"");
    asked(&k, 1, "What does clause 1.2 say?", "\"1.2 It is paid:\n\n1. in cash\n2. by cheque\"");
    asked(&k, 1, "What is section 2 about?", "\"2. Pets\n\nOne cat may stay. 3 dogs may not.\"");
    asked(&k, 1, "Was steht in \u00a7 7?", "\"\u00a7 7 Ruhe\n\n(1) Es ist still.\"");
    asked(&k, 1, "What does section 3 say?", "There is no section 3 in the text.");
    asked(&k, 1, "What does section x say?", NULL);
    asked(&k, 1, "What does the section on pets say?",
          "\"2. Pets\n\nOne cat may stay. 3 dogs may not.\"");
    asked(&k, 1, "What does section 1.1.1 say?", "There is no section 1.1.1 in the text.");
    asked(&k, 1, "What does chapter 1.1 say?",
          "\"1.1 The rent is due on the first of the month.\"");
    kvz_close(k);
    k = index_text("diary.txt", "2 March 1911\n\nRain.\n\n3 March 1911\n\nWind.\n");
    asked(&k, 1, "What is in chapter 3?", NULL);
    kvz_close(k);
}

// A line that only speaks of a clause is none, and those above end before what it belongs to.
static void test_spoken_of(void **state)
{
    (void)state;
    struct kvz *k = index_text("fees.txt", "3. Fees\n3.1 The hour is 95 euros.\n\n4. Damage\n"
                                           "4.2 We pay up to 500 euros.\n\nAmendment No. 1\n"
                                           "Clause 3.1 shall read: \"The hour is 105 euros.\"\n"
                                           "In clause 4.2 the figure of 500 is replaced by 800.\n");
    asked(&k, 1, "What does clause 3.1 say?", "\"3.1 The hour is 95 euros.\"");
    asked(&k, 1, "What does clause 4.2 say?", "\"4.2 We pay up to 500 euros.\"");
    kvz_close(k);
}

// A clause that an amendment inserts is quoted by it.
static void test_inserted_section(void **state)
{
    (void)state;
    struct kvz *k = index_text("boats.txt", "7. Boats\n\n7.1 One boat is lent.\n\n7.2 It leaks.\n\n"
                                            "First Change\n\n1. Clause 7.3 is inserted:\n   \"7.3 "
                                            "Oars are\n   lent, too.\"\n\n2. All else holds.\n");
    asked(&k, 1, "What does clause 7.3 say?", "\"7.3 Oars are lent, too.\"");
    asked(&k, 1, "What does clause 7.4 say?", "There is no clause 7.4 in the text.");
    kvz_close(k);
    k = index_text("curled.txt", "7. Boats\n\n7.1 One boat is lent.\n\n7.2 It leaks.\n\nFirst "
                                 "Change\n\n1. Clause 7.3 is inserted:\n   \u201c7.3 Oars are\n   "
                                 "lent, too\u201d.\n\n2. All else holds.\n");
    asked(&k, 1, "What does clause 7.3 say?", "\"7.3 Oars are lent, too\"");
    kvz_close(k);
}

// A section may be but a row of a table; and one that has its number alone may be asked for by a
// word that others have.
static void test_section_of_table(void **state)
{
    (void)state;
    struct kvz *k =
        index_text("limits.txt", "Section          Limit    Excess\nA  Boats         900      "
                                 "20\nB  Lost oars     300      10\nC  Sails         500      "
                                 "15\n\nSECTION A - BOATS\n\nOne is lent.\n\nSECTION C - "
                                 "SAILS\n\nTwo are.\n\nSECTION F - FEES\n\nNone.\n");
    asked(&k, 1, "What is section B?", "\"B  Lost oars     300      10\"");
    asked(&k, 1, "What is section E?", "There is no section E in the text.");
    kvz_close(k);
    k = index_text("laws.txt",
                   "ARTICLE 1. OARS\n\n1.1 Two of ash.\n\n1.2 None of oak.\n\nARTICLE 2. "
                   "SAILS\n\n2.1 One of flax.\n\n2.2 None of silk.\n");
    asked(&k, 1, "What does article 1.2 say?", "\"1.2 None of oak.\"");
    asked(&k, 1, "What does article 1.4 say?", "There is no article 1.4 in the text.");
    kvz_close(k);
}

// The last section of its kind ends before a heading in capitals, if those before it have none; and
// what has another name is no item of its list.
static void test_last_section(void **state)
{
    (void)state;
    struct kvz *k =
        index_text("cover.txt", "SECTION A - BOATS\n\nOne boat is lent.\n\nSECTION B - OARS\n\n"
                                "Two oars are.\n\nWHAT NOBODY PAYS\nNo sail is lent.\n");
    asked(&k, 1, "What does Section B say?", "\"SECTION B - OARS\n\nTwo oars are.\"");
    kvz_close(k);
    k = index_text("heads.txt", "SECTION A - BOATS\n\nONE ONLY\nOne boat is lent.\n\nSECTION B - "
                                "OARS\n\nTwo oars are.\n\nTHIRD OAR\nThere is none.\n");
    asked(&k, 1, "What does Section B say?",
          "\"SECTION B - OARS\n\nTwo oars are.\n\nTHIRD OAR\nThere is none.\"");
    kvz_close(k);
    k = index_text("terms.txt", "5. End\n\n5.1 It ends.\n\n5.2 So it does.\n\nSCHEDULE 1 - OARS\n\n"
                                "Two of ash.\n");
    asked(&k, 1, "What does clause 5.2 say?", "\"5.2 So it does.\"");
    kvz_close(k);
}

// What a section says in one of its parts, by its mark or its place.
static void test_parts_of_sections(void **state)
{
    (void)state;
    struct kvz *k = index_text(
        "rules.txt",
        "1. Rent\n\nThe rent is due in May.\n\nIt is paid in eggs,\nor in flour.\n\n"
        "2. Pets\n\n(1) One cat may stay.\n(2) No dog may, nor what is named in\nparagraph (1).\n"
        "(3) Fish may.\n\n3. Lamps\n\nThe tenant must not\n(a) light lamps;\n(b) sell them; or\n"
        "(c) hide them.\n\n4. Guests. (1) They knock. (2) They leave.\n\n5. End\n\nIt ends.\n");
    asked(&k, 1, "What does article 2(2) say?",
          "\"(2) No dog may, nor what is named in paragraph (1).\"");
    asked(&k, 1, "What does section 2(3) say?", "\"(3) Fish may.\"");
    asked(&k, 1, "What does section 3(b) say?", "\"(b) sell them; or\"");
    asked(&k, 1, "What does section 4(2) say?", "\"(2) They leave.\"");
    asked(&k, 1, "What does section 2(4) say?", NULL);
    asked(&k, 1, "What does the second paragraph of section 1 say?",
          "\"It is paid in eggs, or in flour.\"");
    asked(&k, 1, "What is the last paragraph of section 1?",
          "\"It is paid in eggs, or in flour.\"");
    asked(&k, 1, "What does the third paragraph of section 1 say?", NULL);
    asked(&k, 1, "What does the second schedule of section 1 say?", NULL);
    asked(&k, 1, "What does the third paragraph of section 2 say?", "\"(3) Fish may.\"");
    asked(&k, 1, "What does the last paragraph of section 2 say?", NULL);
    asked(&k, 1, "What does the second paragraph of section 3 say?", NULL);
    kvz_close(k);
}

// A word before the number tells what is meant where the text has it, and letters are numbers then.
static void test_named_sections(void **state)
{
    (void)state;
    struct kvz *k = index_text(
        "parts.txt", "1. Dogs\n2. Cats\n\nChapter 1: Mills\n\nOf mills.\n\n1.1: Wind\n\nIt "
                     "turns:\n\n  1. ) the sails\n  2. ) the stone\n\nChapter 2: Looms\n\nOf "
                     "looms.\n\nSchedule A: Keys\n\nOne key, as Schedule B says.\n\nSchedule B: "
                     "Locks\n\nTwo locks.\n");
    asked(&k, 1, "What is chapter 2 about?", "\"Chapter 2: Looms\n\nOf looms.\"");
    asked(&k, 1, "What does Schedule A say?",
          "\"Schedule A: Keys\n\nOne key, as Schedule B says.\"");
    asked(&k, 1, "schedule b", "\"Schedule B: Locks\n\nTwo locks.\"");
    asked(&k, 1, "What does chapter 3 say?", "There is no chapter 3 in the text.");
    asked(&k, 1, "What does Schedule 2 say?", NULL); // "II" may be
    asked(&k, 1, "What does Schedule C say?", "There is no Schedule C in the text.");
    asked(&k, 1, "What does Exhibit A say?", NULL);
    asked(&k, 1, "What does the chapter on looms say?", "\"Chapter 2: Looms\n\nOf looms.\"");
    asked(&k, 1, "What does the locks schedule say?", "\"Schedule B: Locks\n\nTwo locks.\"");
    asked(&k, 1, "What does the section on fire say?", NULL);
    kvz_close(k);
    // What a section says of something; and several of one number.
    k = index_text("many.txt",
                   "2. Roof\nIt leaks. " FAR FAR FAR FAR FAR FAR FAR FAR FAR FAR FAR FAR FAR FAR
                   "\n2.1 Slates\nTen fell.\n2.2 Gutter\nIt drips.\n\nThe second day\n\n"
                   "2. Heating\nIt is cold.\n");
    asked(&k, 1, "What does section 2.1 say?", "\"2.1 Slates\nTen fell.\"");
    asked(&k, 1, "What does section 2 say about the gutter?",
          "2 sections have this number:\n\"2.2 Gutter\nIt drips.\n\nThe second day\"\n"
          "\"2. Heating\nIt is cold.\"");
    kvz_close(k);
    // The heads of pages are no heads of sections.
    k = index_text("pages.txt", "2 Looms\n\nOf looms.\n\fChapter 2: Looms 7\n\nThey weave.\n\f"
                                "Chapter 2: Looms 8\n\nAnd rest.\n\fChapter 2: Looms 9\n\nAt "
                                "night.\n\fChapter 2: Looms 10\n\nAt noon.\n\f"
                                "Chapter 3: Mills 11\n\nOf mills.\n");
    struct lookup_answer all;
    struct err e;
    assert_int_equal(survey(&all, &k, 1, "What is chapter 2 about?", 9, &e), 1);
    assert_ptr_equal(strstr(all.text, "\"2 Looms\n\nOf looms."), all.text);
    lookup_answer_done(&all);
    kvz_close(k);
    // The entry of a table of contents is not the section.
    k = index_text("faq.txt", "1. May cats stay?\n2. May dogs stay?\n\n(1) May cats stay?\n\n"
                              "One may.\n\n(2) May dogs stay?\n\nThey may not.\n");
    asked(&k, 1, "What does question 2 say?", "\"(2) May dogs stay?\n\nThey may not.\"");
    kvz_close(k);
}

// Heads that are marked as such need no empty line below them, nor to be in order.
static void test_called_sections(void **state)
{
    (void)state;
    struct kvz *k = index_text(
        "called.txt",
        "Section 2\nThe rent is due, as in\nSection 9\nof the act.\nIt is set by\nSection 7.\n"
        "Section 5: Pets\nCats may stay\nSection 6\nNobody smokes, see\nSection 8, too.\n## "
        "12.\nNo fire.\n## 14.\nNo noise.\n");
    asked(&k, 1, "What does section 2 say?",
          "\"Section 2\nThe rent is due, as in Section 9 of the act.\nIt is set by Section 7.\"");
    asked(&k, 1, "What does section 5 say?", "\"Section 5: Pets\nCats may stay\"");
    asked(&k, 1, "What does section 6 say?", "\"Section 6\nNobody smokes, see\nSection 8, too.\"");
    kvz_close(k);
}

// Dots say that a section goes on.
static void test_long_sections(void **state)
{
    (void)state;
#define CHARGES                                                                                    \
    "The tenant pays for the water, the gas, the lamps, the lock and the key of every room "       \
    "that he has, and so do those who live with him in the house or in the yard behind it."
    struct kvz *k = index_text("long.txt", "1.1 Charges\n\n" CHARGES "\n" CHARGES "\n" CHARGES
                                           "\n" CHARGES "\n\n2. Pets\n\nOne cat may stay.\n");
    asked(&k, 1, "What does section 1.1 say?",
          "\"1.1 Charges\n\n" CHARGES "\n" CHARGES "\n" CHARGES "\n\u2026\"");
    kvz_close(k);
}

// Numbers in letters, and what a section is called.
static void test_letters(void **state)
{
    (void)state;
    struct kvz *k = index_text(
        "tale.txt",
        "The Tale\n\nCHAPTER ONE\nThe Man\n\nHe came home.\n\nCHAPTER TWO\nThe Lemon\n\nShe "
        "wrote.\n\nChapter III: The Bag\n\nIt was black.\n\nChapter IV\n\nChapter two of it "
        "is long. It ends.\n\nAppendix I\n\nNotes.\n\nAppendix C\n\nMore of them.\n");
    asked(&k, 1, "What does chapter 2 say?", "\"CHAPTER TWO\nThe Lemon\n\nShe wrote.\"");
    asked(&k, 1, "What does chapter two say?", "\"CHAPTER TWO\nThe Lemon\n\nShe wrote.\"");
    asked(&k, 1, "What does chapter iii say?", "\"Chapter III: The Bag\n\nIt was black.\"");
    asked(&k, 1, "What does chapter 4 say?",
          "\"Chapter IV\n\nChapter two of it is long. It ends.\"");
    asked(&k, 1, "What does appendix C say?", "\"Appendix C\n\nMore of them.\"");
    asked(&k, 1, "What does appendix 1 say?", NULL); // it is a letter
    asked(&k, 1, "What is the title of chapter one?", "\"CHAPTER ONE\nThe Man\"");
    asked(&k, 1, "What is chapter 3 called?", "\"Chapter III: The Bag\"");
    asked(&k, 1, "What is chapter 4 called?", NULL);
    asked(&k, 1, "How many chapters are there?",
          "4 chapters: CHAPTER ONE The Man; CHAPTER TWO The Lemon; Chapter III: The Bag; "
          "Chapter IV");
    kvz_close(k);
    // titles in capitals below an empty line, in a part of a book
    k = index_text("part.txt",
                   "CHAPTER IV.\n\nTHE LAMP\n\nHe lit it.\n\nCHAPTER V.\n\nTHE DOG\n\nIt "
                   "barked.\n\nCHAPTER VI.\n\nThey left\n\nand did not come back.\n");
    asked(&k, 1, "What is chapter 5 called?", "\"CHAPTER V.\n\nTHE DOG\"");
    asked(&k, 1, "What is chapter 6 called?", NULL);
    asked(&k, 1, "How many chapters are there?",
          "3 chapters: CHAPTER IV. THE LAMP; CHAPTER V. THE DOG; CHAPTER VI.");
    kvz_close(k);
    // one in small letters stands apart there
    k = index_text("novel.txt", "CHAPTER ONE\n\nIn the Boat\n\nHe rowed.\n\nCHAPTER TWO\n\nOn the "
                                "Quay\n\n\"Come,\" she said. He came.\n");
    asked(&k, 1, "What is the title of chapter one?", "\"CHAPTER ONE\n\nIn the Boat\"");
    asked(&k, 1, "What is chapter 2 called?", "\"CHAPTER TWO\n\nOn the Quay\"");
    asked(&k, 1, "What happens in chapter one?", "\"CHAPTER ONE\n\nIn the Boat\n\nHe rowed.\"");
    kvz_close(k);
    k = index_text("contract.txt", "1. DUTIES\n\n1.1 To work.\n\n2. PLACE\n\n2.1 At home.\n\n"
                                   "SCHEDULE 2: SHARES\n\nThere are none, nor will there be.\n");
    asked(&k, 1, "What is the title of section 2?", "\"2. PLACE\"");
    asked(&k, 1, "What is schedule 2 called?", "\"SCHEDULE 2: SHARES\"");
    asked(&k, 1, "What is clause 2.1 called?", NULL);
    kvz_close(k);
    k = index_text("long.txt", "Chapter CLXXXVIII\n\nHe slept.\n\nChapter CLXXXIX\n\nHe rose.\n");
    asked(&k, 1, "What does chapter 188 say?", "\"Chapter CLXXXVIII\n\nHe slept.\"");
    kvz_close(k);
}

// Clauses of another text that is quoted, set in.
static void test_quoted_clauses(void **state)
{
    (void)state;
    struct kvz *k = index_text(
        "judgment.txt", "1.  Ulla Rook keeps a mill. It stands below the weir and has\n"
                        "    two pairs of stones.\n\n"
                        "2.  The lease has these terms:\n\n"
                        "        \"3.  The Tenant will grind with care and keep the\n"
                        "             sluice shut.\n\n"
                        "         5.  The Rent is paid in four parts.\n\n"
                        "        11.  The Landlord mends the roof, whatever it may cost\n"
                        "             him.\"\n\n"
                        "3.  It rained in May, and the sluice was open. The meadow was flooded,\n"
                        "    and the hay was lost.\n\n"
                        "4.  I find for the landlord.\n");
    asked(&k, 1, "What does clause 3 say?",
          "\xe2\x80\x9c\"3. The Tenant will grind with care and keep the sluice shut.\xe2\x80\x9d");
    asked(&k, 1, "What does clause 5 say?", "\"5.  The Rent is paid in four parts.\"");
    asked(&k, 1, "What does clause 11 say?",
          "\xe2\x80\x9c"
          "11. The Landlord mends the roof, whatever it may cost him.\"\xe2\x80\x9d");
    asked(&k, 1, "What does paragraph 3 say?",
          "\"3. It rained in May, and the sluice was open. The meadow was flooded, and the hay was "
          "lost.\"");
    kvz_close(k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sections),          cmocka_unit_test(test_spoken_of),
        cmocka_unit_test(test_letters),           cmocka_unit_test(test_inserted_section),
        cmocka_unit_test(test_last_section),      cmocka_unit_test(test_section_of_table),
        cmocka_unit_test(test_parts_of_sections), cmocka_unit_test(test_named_sections),
        cmocka_unit_test(test_called_sections),   cmocka_unit_test(test_long_sections),
        cmocka_unit_test(test_quoted_clauses),
    };
    return cmocka_run_group_tests(tests, engine_set_up, engine_tear_down);
}
