// What is told above a sentence: its heading, the head of its mail, commit or table.
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "engine/passage/sentence.h"
#include "tests/unit/engine_fixture.h"
#include "tests/unit/ok.h"

// What is read of the sentence that begins with FIRST for QUESTION.
static void reads(const struct kvz *k, const char *first, const char *question, const char *text)
{
    uint64_t block;
    uint32_t token;
    struct sentence v;
    find_sentence(k, first, &block, &token);
    OK(sentence_around(&v, k, block, &token, e));
    OK(sentence_headed(&v, k, block, question, e));
    assert_string_equal(v.text, text);
    sentence_done(&v);
}

// What is said of the item that begins with FIRST.
static void says_turned(const struct kvz *k, const char *first, const char *text, int turned)
{
    uint64_t block;
    uint32_t token;
    struct sentence v;
    find_sentence(k, first, &block, &token);
    OK(sentence_around(&v, k, block, &token, e));
    OK(sentence_turned(&v, k, block, e));
    assert_string_equal(v.text, text);
    assert_int_equal(v.turned, turned);
    sentence_done(&v);
}

static void test_a_heading_turns_items(void **state)
{
    (void)state;
    struct kvz *k = index_text(
        "log.md", "# Log of Quill\n\n## 3.1 - 2 May\n### Added\n- Tables stand in all "
                  "of the notes\n### Removed\n- Import of all the notes from Evernote\n");
    says_turned(k, "- Import",
                "## 3.1 - 2 May\n### Removed\n\n- Import of all the notes from Evernote", 1);
    says_turned(k, "- Tables", "- Tables stand in all of the notes", 0);
    kvz_close(k);
}

static void test_a_heading_tells_of_what(void **state)
{
    (void)state;
    struct kvz *k = index_text(
        "cook.md",
        "Cooking in Brunntal\n\nIt is easy.\n\n# Pancakes\n\nThey are thin.\n\n## Ingredients\n\n"
        "They need flour.\n\n## Method\n\nWhisk it to a smooth batter. Then let it rest for an "
        "hour.\n\n"
        "# Dumplings\n\nThey are round and not at all thin. Poach them in hot water for a "
        "while.\n");
    reads(k, "Then let it", "How long do pancakes rest?",
          "# Pancakes\n\nThen let it rest for an hour.");
    reads(k, "Then let it", "What is the method?", "## Method\n\nThen let it rest for an hour.");
    reads(k, "Then let it", "Which ingredients?",
          "Then let it rest for an hour."); // of another section
    reads(k, "Then let it", "How long is the rest of an hour?", "Then let it rest for an hour.");
    reads(k, "Poach", "Are pancakes poached?", "Poach them in hot water for a while.");
    reads(k, "Poach", "Does Brunntal poach?",
          "Cooking in Brunntal\n\nPoach them in hot water for a while.");
    kvz_close(k);
    k = index_text(
        "years.txt",
        "Minutes of 2018 to 2022\n\nMeeting of 3 May 2018\n\nThe chair was elected by all "
        "members.\n");
    reads(k, "The chair", "Who became chair in 2022?", "The chair was elected by all members.");
    reads(k, "The chair", "Who became chair in 2018?",
          "Meeting of 3 May 2018\n\nThe chair was elected by all members.");
    kvz_close(k);
    k = index_text("timers.txt", "   Name        Default     Maximum\n   ------------------------\n"
                                 "   T_HOLD      10 s        60 s\n   N_RETRY     3           7\n\n"
                                 "   It is kept for some time.\n");
    reads(k, "N_RETRY", "What is the default of it?",
          "Name        Default     Maximum\n\nN_RETRY     3           7"); // a row is none
    kvz_close(k);
    // What it is indented under, if only by others between.
    k = index_text("matches.txt", "EXTENSIONS\n\n   cgroup\n       [!] --path path\n"
                                  "              It matches a group.\n\n       It is in Linux "
                                  "since version 3.14 or so.\n\n   cluster\n       [!] --total "
                                  "num\n              It sets a total.\n");
    reads(k, "It is in", "Since when has Linux the cgroup match?",
          "cgroup\n\nIt is in Linux since version 3.14 or so.");
    reads(k, "It is in", "Since when has Linux the cluster match?",
          "It is in Linux since version 3.14 or so.");
    kvz_close(k);
    // Which one it is, the lower heading tells.
    k = index_text("recipes.md", "## Recipes\n\n### Leek soup\n\nIt serves a table of four.\n\n"
                                 "### Plum crumble\n\nIt serves a table of six.\n");
    reads(k, "It serves a table of six", "Which recipe serves six?",
          "## Recipes\n\n### Plum crumble\n\nIt serves a table of six.");
    reads(k, "It serves a table of six", "Do recipes serve six?",
          "## Recipes\n\nIt serves a table of six.");
    kvz_close(k);
    // Not the last line of what was said before, nor code that a comment is below.
    k = index_text("book.txt", "   He told the captain of it, and then\nthe captain went (home.)\n"
                               "   Nobody saw him in the town again.\n");
    reads(k, "Nobody saw", "Who saw the captain?", "Nobody saw him in the town again.");
    kvz_close(k);
    k = index_text("code.c", "int captain_open(void)\n{\n    go();\n}\n\n/*\n * Nobody sees this "
                             "in the town at all.\n */\nint town(void);\n");
    reads(k, "* Nobody", "Who sees the captain?", "* Nobody sees this in the town at all.");
    kvz_close(k);
    // One heading is not put above another.
    k = index_text("meetings.txt", "Notes of the club\n\nMeeting of 3 May 2018\n\nIt rained on all "
                                   "who were there.\n\nMeeting of 4 June 2018\n\nThe chair was "
                                   "elected by all members.\n");
    reads(k, "Meeting of 4", "What was done on 3 May?",
          "Meeting of 4 June 2018\n\nThe chair was elected by all members.");
    reads(k, "Meeting of 4", "What did the club do?",
          "Notes of the club\n\nMeeting of 4 June 2018\n\nThe chair was elected by all members.");
    kvz_close(k);
}

// Where it is asked when something was, the last heading with a date tells it of what has none.
static void test_a_heading_tells_when(void **state)
{
    (void)state;
    struct kvz *k = index_text(
        "minutes.txt",
        "Minutes of 2023\n\nMeeting of 3 May 2023\n\nMoths\n\nThey are found in all carpets of "
        "the house.\n\n====\n14.06.2023\n====\n\nWater\n\nA pipe of flat 12 is leaking a "
        "lot. On 2 June it was mended for a while.\n");
    reads(k, "They are", "When were moths found?",
          "Meeting of 3 May 2023\n\nThey are found in all carpets of the house.");
    reads(k, "They are", "Where were the moths found?",
          "Moths\n\nThey are found in all carpets of the house.");
    reads(k, "They are", "When are moths found?",
          "Moths\n\nThey are found in all carpets of the house.");
    reads(k, "A pipe", "On which day was a leak talked about?",
          "14.06.2023\n\nA pipe of flat 12 is leaking a lot.");
    reads(k, "On 2", "When was the pipe mended?", "On 2 June it was mended for a while.");
    kvz_close(k);
}

// Where a version is asked for, the last heading with one tells it, or the head of an entry.
static void test_a_heading_tells_which_version(void **state)
{
    (void)state;
    struct kvz *k = index_text(
        "news.txt",
        "News of it\n\nMajor changes between versions 416 and 418\n\n* Colours\n\n* The licence "
        "is another one now.\n\nshell (1:6.9p1-1) unstable; urgency=medium\n\n  * Names are not "
        "looked up by itself.\n\n -- Ada Weil\n");
    reads(k, "* The licence", "Which version changed the licence?",
          "Major changes between versions 416 and 418\n\n* The licence is another one now.");
    reads(k, "* The licence", "Why is the licence another one?",
          "* The licence is another one now.");
    reads(k, "* Names", "In which release are names not looked up?",
          "shell (1:6.9p1-1) unstable; urgency=medium\n\n* Names are not looked up by itself.");
    kvz_close(k);
    // A head may be underlined, and a sentence is none.
    k = index_text("kettle.txt",
                   "1.2 -- 4 May 2024, by Ulla Berg\n-------------------------------\n\n"
                   "WARNING: Do not boil, see 1.3.\n\n* A whistle.\n\n"
                   "1.1 -- 3 May 2023, by Ulla Berg\n-------------------------------\n\n"
                   "* The lid shuts.\n");
    reads(k, "* The lid", "Which version made the lid shut?",
          "1.1 -- 3 May 2023, by Ulla Berg\n\n* The lid shuts.");
    reads(k, "* A whistle", "Which version has a whistle?",
          "1.2 -- 4 May 2024, by Ulla Berg\n\n* A whistle.");
    kvz_close(k);
    k = index_text("mail.txt", "Hello\n\nI make kettle 1.2. The plan:\n\n- a lid\n\n"
                               "It is asked whether a whistle is wanted.\n");
    reads(k, "It is asked", "In which release is the whistle?",
          "It is asked whether a whistle is wanted.");
    kvz_close(k);
    k = index_text("kettle.md",
                   "## 2.0\n\n### 1.1 (2024-11-11)\n\n- Steam came out.\n\n### Notes\n\nUlla "
                   "asked for biscuits.\n\n## Plans\n\nThere will be tea for all of us.\n");
    reads(k, "- Steam", "Which version let steam out?",
          "### 1.1 (2024-11-11)\n\n- Steam came out.");
    reads(k, "Ulla", "Which version has biscuits?", "## 2.0\n\nUlla asked for biscuits.");
    reads(k, "Ulla", "When did Ulla ask for biscuits?", "Ulla asked for biscuits.");
    reads(k, "There will", "Which version has tea?", "There will be tea for all of us.");
    kvz_close(k);
}

// An answer below the question that heads it is told from its beginning, if that is near.
static void test_an_answer_is_whole(void **state)
{
    (void)state;
    struct kvz *k = index_text(
        "faq.txt", "Questions\n\n12. Can it handle old files?\n\n    No, sorry.  You have to start "
                   "another program for\n    files of that kind.  The new ones are handled by "
                   "something else, too.\n\n"
                   "13. Who wrote it?\n\n    Two people wrote all of it.\n");
    reads(k, "The new", "Can I handle files of old?",
          "12. Can it handle old files?\n\nNo, sorry. You have to start another program for files "
          "of that kind. The new ones are handled by something else, too.");
    kvz_close(k);
}

// Who wrote it and when is told of what a mail says where that is asked for, but not whom it went
// to, nor of another mail.
static void test_a_mail_is_headed(void **state)
{
    (void)state;
    struct kvz *k = index_text(
        "box.mbox",
        "From ann Mon May  6 10:00:00 2024\nFrom: Ann Reed <ann@x.example>\nTo: Bo "
        "Lund <bo@x.example>\nSubject: Wasps in the barn\nDate: Mon, 6 May 2024 10:00:00\n\n"
        "There is a nest as large as a ball.\n\nFrom bo Tue May  7 10:00:00 2024\nFrom: Bo Lund "
        "<bo@x.example>\nTo: Ann Reed <ann@x.example>\nSubject: Tiles\n\nThe roof has lost "
        "eleven of them.\n\n");
    static const char first[] =
        "From: Ann Reed <ann@x.example>\nDate: Mon, 6 May 2024 10:00:00\nSubject: "
        "Wasps in the barn\n\nThere is a nest as large as a ball.";
    reads(k, "There is", "How large was the nest that Ann saw?", first);
    reads(k, "There is", "Who wrote about the nest?", first);
    reads(k, "There is", "How large is the wasps' nest?", first);
    reads(k, "There is", "Whose nest is it?", "There is a nest as large as a ball.");
    reads(k, "There is", "What did Lund see?", "There is a nest as large as a ball.");
    reads(k, "The roof", "What did Ann say of tiles?",
          "From: Bo Lund <bo@x.example>\nSubject: Tiles\n\nThe roof has lost eleven of them.");
    reads(k, "The roof", "Are there wasps in the roof?", "The roof has lost eleven of them.");
    kvz_close(k);
}

// A head does not say who wrote what the mail only quotes.
static void test_quoted_in_a_mail(void **state)
{
    (void)state;
    struct kvz *k = index_text(
        "box.mbox",
        "From ann Mon May  6 10:00:00 2024\nFrom: Ann Reed <ann@x.example>\nSubject: Wasps\n"
        "Date: Mon, 6 May 2024 10:00:00\n\nOn 5 May 2024, Bo Lund wrote:\n> I want the nest to be "
        "left where it is.\n\nLast year there was one in the barn, and it was larger than a ball "
        "when it fell down on my boat.\n\n");
    reads(k, "On 5 May", "Who wants the wasps to stay?",
          "On 5 May 2024, Bo Lund wrote: I want the nest to be left where it is.");
    kvz_close(k);
}

// When a paper was received is not when something in it was.
static void test_front(void **state)
{
    (void)state;
    struct kvz *k = index_text("paper.txt",
                               "Wasps of the barn\n\nAnn Reed\n\nReceived 3 May 2020\n\nSummary\n\n"
                               "We counted wasps in a barn. All of them were marked with paint.\n");
    reads(k, "All of", "When were they marked?", "All of them were marked with paint.");
    reads(k, "All of", "When was it received?",
          "Received 3 May 2020\n\nAll of them were marked with paint.");
    kvz_close(k);
    k = index_text("diary.txt", "Diary of Ann\n\n3 May 2020\n\nIn the barn\n\n"
                                "I counted wasps there. All of them were marked with paint.\n");
    reads(k, "All of", "When were they marked?",
          "3 May 2020\n\nAll of them were marked with paint.");
    kvz_close(k);
}

static const char COMMITS[] =
    "commit 858e8ab6b719212db6a6ab8a7132f32d19804f4c (tag: v2.8.0)\nAuthor: Tomek Zielonka "
    "<t@x.example>\nDate:   Mon Nov 18 11:24:47 2024 +0100\n\n    Drop Python 3.8\n\n    Its "
    "support ended in October, after years of warnings.\n\n"
    "commit c9d98c765a5205416e55bdb5df0b3f74da511423\nAuthor: Roswitha Engel <r@x.example>\n"
    "Date:   Thu Nov 7 12:22:54 2024 +0100\n\n    encoder: use 12 threads at most\n\n    More "
    "than that makes it slower.\n";

// Of a commit it is told who made it, when, and which one it is, whatever was done in it, and of
// the head no more than that; of a body also the subject.
static void test_a_commit_is_headed(void **state)
{
    (void)state;
    FILE *f = begin_file("x.log");
    fputs(COMMITS, f);
    end_file(f);
    struct kvz *k = index_file("x.log", 64);
    reads(k, "More than", "Who limited the encoder?",
          "Author: Roswitha Engel <r@x.example>\n\nencoder: use 12 threads at most\n\nMore than "
          "that makes it slower.");
    reads(k, "More than", "When were threads limited?",
          "Date:   Thu Nov 7 12:22:54 2024 +0100\n\nencoder: use 12 threads at most\n\nMore than "
          "that makes it slower.");
    reads(k, "More than", "Since when are threads limited?",
          "Date:   Thu Nov 7 12:22:54 2024 +0100\n\nencoder: use 12 threads at most\n\nMore than "
          "that makes it slower.");
    reads(k, "More than", "Who is slower?", "More than that makes it slower.");
    reads(k, "Its support", "Which commit dropped Python 3.8?",
          "commit 858e8ab6b719212db6a6ab8a7132f32d19804f4c (tag: v2.8.0)\n\nDrop Python "
          "3.8\n\nIts support ended in October, after years of warnings.");
    reads(k, "Its support", "What did Tomek do?",
          "Author: Tomek Zielonka <t@x.example>\n\nDrop Python 3.8\n\nIts support ended in "
          "October, after years of warnings.");
    reads(k, "Its support", "Why is Python not there?",
          "Drop Python 3.8\n\nIts support ended in October, after years of warnings.");
    reads(k, "Its support", "What ended in October?",
          "Its support ended in October, after years of warnings.");
    reads(k, "Its support", "What was slower?",
          "Its support ended in October, after years of warnings.");
    reads(k, "commit c9d9", "When was it?", "Date:   Thu Nov 7 12:22:54 2024 +0100");
    struct ask_options o = {.question = "Who did it?",
                            .select = "vote",
                            .read = READ_SENTENCES,
                            .quote = 1e6f,
                            .sentences = 1,
                            .max_tokens = 128};
    struct answer a;
    OK(ask(F.m, &k, 1, &o, &a, e));
    assert_string_equal(a.finish, "quoted"); // however sure a model is
    assert_memory_equal(a.text, "Author: ", 8);
    answer_done(&a);
    kvz_close(k);
}

// Where a sentence goes on with "it", it is known where it begins behind what it goes on from, and
// under a heading.
static void test_what_goes_on_is_known(void **state)
{
    (void)state;
    struct kvz *k =
        index_text("poster.md", "# Posters\n\nOne hangs at the printer's. They print 4,000 "
                                "copies.\n\nNobody reads any of these.\n");
    int seen = 0;
    for (struct sentence_walk x = {.k = k}; next_sentence(&x);) {
        int it = strstr(x.v.text, "They print") != NULL;
        if (it && x.v.own) {
            assert_string_equal(x.v.text + x.v.own, "They print 4,000 copies.");
            OK(sentence_headed(&x.v, k, x.block, "How many posters?", e));
            assert_string_equal(x.v.text, "# Posters\n\nOne hangs at the printer's. They print "
                                          "4,000 copies.");
            assert_string_equal(x.v.text + x.v.own, "They print 4,000 copies.");
            seen++;
        } else {
            assert_int_equal(x.v.own, 0);
        }
    }
    assert_true(seen > 0);
    kvz_close(k);
}

// The rows of a table have its head, wherever it stands.
static void test_rows_have_their_head(void **state)
{
    (void)state;
    struct kvz *k = index_text(
        "parts.txt",
        "Prices of 2024\n\nThey are in euros.\n\nPart number\tBore (mm)\tHbA1c\nHP-1\t18\t5\n"
        "HP-2\t16\t7\n\nPart number\tLength\tFitting\nHA-1\t700\tBSP\nHA-2\t300\tJIC\n\nThat is "
        "all.\n");
    reads(k, "Part number\tBore (mm)\tHbA1c\nHP-2", "What is it?",
          "Part number\tBore (mm)\tHbA1c\nHP-2\t16\t7");
    reads(k, "Part number\tLength\tFitting\nHA-2", "What is it?",
          "Part number\tLength\tFitting\nHA-2\t300\tJIC");
    kvz_close(k);
    k = index_text("stops.txt", "Bus 64\n\nStop            Bus A    Bus B\n"
                                "--------------------------------\n"
                                "Market Cross    07:52    10:02\n"
                                "Hospital        07:58    10:08\n"
                                "Castle Hill     08:16    10:26\n\nIt runs on weekdays.\n");
    reads(k, "Stop            Bus A    Bus B\nHospital", "What is it?",
          "Stop            Bus A    Bus B\nHospital        07:58    10:08");
    kvz_close(k);
    k = index_text("picks.txt", "Piers of the lake\n\n    Pier           Dues     Depth\n"
                                "    North pier      7.50       12\n"
                                "    South pier      8.20       14\n\nThat is all of it.\n");
    reads(k, "Pier           Dues     Depth\nSouth", "What is it?",
          "Pier           Dues     Depth\nSouth pier      8.20       14");
    kvz_close(k);
    // Cells of the row go on in the next line.
    k = index_text("leaks.txt", "What leaks\n\n   Sign          Cause             Cure\n"
                                "   -----------   ---------------   -----------\n"
                                "   Fuel leaks    Nut is loose      Tighten\n"
                                "   Oil leaks     Seal worn,        Renew; suck\n"
                                "                 or cut            it out\n"
                                "\nThat is all.\n");
    reads(k, "Sign          Cause             Cure\nOil", "What is it?",
          "Sign          Cause             Cure\n"
          "Oil leaks     Seal worn,        Renew; suck\n"
          "              or cut            it out");
    kvz_close(k);
    // A rule does not end the rows, with marks around it or without.
    k = index_text("work.txt", "What there is to do\n\nInterval     | Task no.     | Who\n"
                               "-------------|--------------|------\n"
                               "Every week   | Look at it   | Owner\n"
                               "Every month  | Clean it     | Engineer\n\nThat is all of it.\n");
    reads(k, "Interval     | Task no.     | Who\nEvery month", "What is it?",
          "Interval     | Task no.     | Who\nEvery month  | Clean it     | Engineer");
    kvz_close(k);
}

// A line of a record has the record's first one, and a turn of a conversation has none.
static void test_records_have_their_name(void **state)
{
    (void)state;
    struct kvz *k = index_text(
        "team.txt",
        "Event: Audit\nWhen: Monday\nWhere: Room Ada\nDescription: All are asked to come.\nThe "
        "large hall is closed because its roof leaks, and nobody knows when it opens.\nWe hope to "
        "see many of you there, and that all bring what they need.\n\nNobody comes to "
        "this.\n\nAnn: "
        "Where are you all?\nBo: I am here now.\nCid: So am I, and I wait.\nAnn: The large garden "
        "is open.\nIt rains on everybody who waits there.\n\n1. Storage of goods: 3 pounds.\n2. "
        "Handling: "
        "6 pounds for each of them.\n3. Picking of crates and of cases: 31 pence.\n\n"
        "Kind: ash\nAge: 300\nOwner: Ode\n---\nThe tall one was felled by three people of the "
        "mill.\n");
    reads(k, "The tall", "What is it?", "The tall one was felled by three people of the mill.");
    reads(k, "3. Picking", "What is it?", "3. Picking of crates and of cases: 31 pence.");
    reads(k, "Event: Audit\nWe hope", "What is it?",
          "Event: Audit\nWe hope to see many of you there, and that all bring what they need.");
    reads(k, "Nobody comes", "What is it?", "Nobody comes to this.");
    reads(k, "Ann: The large garden", "What is it?", "Ann: The large garden is open.");
    kvz_close(k);
}

// What names the columns of a table is known as such, with the heading above it and without; a row
// is not.
static void test_heads_are_known(void **state)
{
    (void)state;
    FILE *f = begin_file("heads.md");
    fputs("Sizes and lengths are in mm.\n\n## Parts of it\n\n| Part | Bore | Cost |\n"
          "|---|---|---|\n",
          f);
    for (int i = 100; i < 140; i++) // more than are read together
        fprintf(f, "| HP-%d | 18 | 5 |\n", i);
    fputs("\nTicket\t2021\t2022\n", f);
    for (int i = 100; i < 140; i++)
        fprintf(f, "Adult %d\t5.00\t5.20\n", i);
    fputs("\nStation      Dues      Depth\n----------------------------\n", f);
    for (int i = 100; i < 140; i++)
        fprintf(f, "Pier %d     50.00     3\n", i);
    fputs("\nThat is all.\n", f);
    end_file(f);
    struct kvz *k = index_file("heads.md", 64);
    int heads = 0, rows = 0;
    for (struct sentence_walk x = {.k = k}; next_sentence(&x);) {
        const char *last = strrchr(x.v.text, '\n');
        last = last ? last + 1 : x.v.text;
        const int head = strstr(x.v.text, "Cost") || strstr(x.v.text, "2021") ||
                         strstr(x.v.text, "Dues"),
                  row = strstr(last, "HP-1") || strstr(last, "5.00") || strstr(last, "Pier");
        assert_int_equal(x.v.names_columns, head && !row);
        heads += head && !row;
        rows += row != 0;
    }
    assert_true(heads > 1 && rows > 2);
    // So nothing is answered by it, whatever a random model finds likely.
    static const char *const questions[] = {"Which part?",      "What ticket?",
                                            "Bore and cost?",   "Part, bore, cost",
                                            "Ticket 2021 2022", "Why?"};
    for (size_t i = 0; i < sizeof questions / sizeof *questions; i++) {
        struct ask_options o = {.question = questions[i], .select = "vote", .likelihood = 12};
        struct answer a;
        OK(ask_choose(F.m, &k, 1, &o, &a, e));
        const struct evidence *v = &a.evidence[0];
        assert_true(v->focus_end > v->focus_start);
        const char *from = v->text + (v->focus_start - v->start);
        const size_t n = (size_t)(v->focus_end - v->focus_start);
        assert_null(memmem(from, n, "Bore", 4));
        assert_null(memmem(from, n, "Ticket", 6));
        answer_done(&a);
    }
    kvz_close(k);
}

// A table that is short is read whole, from its heading to its last row, wherever blocks end; the
// line between names and rows is not read.
static void test_short_tables_are_whole(void **state)
{
    (void)state;
    FILE *f = begin_file("effects.md");
    for (int i = 0; i < 8; i++) // blocks end in another row each time
        fprintf(f,
                "## Effects of powder %d\n\n| How often | What |\n|---|---|\n"
                "| Often | a headache |\n| Rarely | a rash, and sleep |\n"
                "| Hardly ever | a number of %d |\n\nThat is all of them.\n\n",
                i, i);
    end_file(f);
    struct kvz *k = index_file("effects.md", 64);
    int whole = 0;
    for (struct sentence_walk x = {.k = k}; next_sentence(&x);) {
        const char *head = strstr(x.v.text, "| How often | What |\n");
        if (head && head > x.v.text && head[-1] == '\n') { // from its heading on
            const char *rows = head + strlen("| How often | What |\n");
            static const char *const all = "| Often | a headache |\n"
                                           "| Rarely | a rash, and sleep |\n"
                                           "| Hardly ever | a number of ";
            assert_memory_equal(rows, all, strlen(all));
            assert_false(x.v.names_columns);
            whole++;
        }
    }
    assert_true(whole >= 8);
    kvz_close(k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_heading_tells_of_what),
        cmocka_unit_test(test_a_heading_turns_items),
        cmocka_unit_test(test_a_heading_tells_when),
        cmocka_unit_test(test_a_heading_tells_which_version),
        cmocka_unit_test(test_an_answer_is_whole),
        cmocka_unit_test(test_a_mail_is_headed),
        cmocka_unit_test(test_a_commit_is_headed),
        cmocka_unit_test(test_what_goes_on_is_known),
        cmocka_unit_test(test_rows_have_their_head),
        cmocka_unit_test(test_records_have_their_name),
        cmocka_unit_test(test_heads_are_known),
        cmocka_unit_test(test_quoted_in_a_mail),
        cmocka_unit_test(test_front),
        cmocka_unit_test(test_short_tables_are_whole),
    };
    return cmocka_run_group_tests(tests, engine_set_up, engine_tear_down);
}
