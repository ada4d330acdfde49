// Parts of a text: how many there are, which, and the first or last of them.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "tests/unit/engine_fixture.h"
#include "tests/unit/survey_fixture.h"

static void test_headed(void **state)
{
    (void)state;
    struct kvz *k = index_text("manual.txt", "THE MILL\n\nCONTENTS\n1  Wheel\n2  Gate\n\n"
                                             "Chapter 1  Wheel\n\nIt turns. See\nChapter 7 of the "
                                             "book.\n\nChapter 2  Gate\n\nIt stands still.\n");
    asked(&k, 1, "How many chapters are there?", "2 chapters: Chapter 1 Wheel; Chapter 2 Gate");
    asked(&k, 1, "List the chapters", "Chapter 1 Wheel\nChapter 2 Gate\n");
    asked(&k, 1, "What is the last chapter?", "\"Chapter 2  Gate\"");
    asked(&k, 1, "What is the third chapter?", NULL);
    asked(&k, 1, "What is the last chapter about?", "\"Chapter 2  Gate\"\n\"It stands still.\"");
    asked(&k, 1, "Which chapters mention wheels?", "Chapter 1 Wheel\n");
    asked(&k, 1, "How many chapters mention dogs?", "0 of the 2 chapters have \"dogs\".");
    asked(&k, 1, "How many wheels are there?", NULL);
    kvz_close(k);
    // The text ends with the number.
    k = index_text("end.txt", "Chapter 1\n\nIt turns.\n\nChapter 2");
    asked(&k, 1, "How many chapters are there?", "2 chapters: Chapter 1; Chapter 2");
    kvz_close(k);
    // One is missing, so that they may not be all.
    k = index_text("gap.txt", "Chapter 1\n\nIt turns.\n\nChapter 3\n\nIt stands still.\n");
    asked(&k, 1, "How many chapters are there?", NULL);
    kvz_close(k);
    k = index_text("lease.txt", "LEASE\n\n1. RENT\n\n1.1 It is paid.\n\n2. KEYS\n\n2.1 There are "
                                "two.\n\n3. PETS\n\n3.1 None.\n");
    asked(&k, 1, "List all sections", "1. RENT\n2. KEYS\n3. PETS\n");
    kvz_close(k);
}

// A chapter between two numbers is another one than that before it.
static void test_half(void **state)
{
    (void)state;
    struct kvz *k =
        index_text("tale.txt", "THE WEIR\n\nCHAPTER ONE\n\nEels\n\nThe eels came.\n\n"
                               "CHAPTER TWO\n\nNets\n\nThe nets went.\n\n"
                               "CHAPTER TWO AND A HALF\n\nIn the Loft\n\nIt was dark.\n\n"
                               "CHAPTER THREE\n\nRain\n\nIt rained.\n");
    asked(&k, 1, "How many chapters are there?",
          "4 chapters: CHAPTER ONE; CHAPTER TWO; CHAPTER TWO AND A HALF; CHAPTER THREE");
    asked(&k, 1, "What is the last chapter?", "\"CHAPTER THREE\"");
    asked(&k, 1, "What is the third chapter?", "\"CHAPTER THREE\"");
    kvz_close(k);
}

// Minutes of one meeting need not say which.
static void test_only_meeting(void **state)
{
    (void)state;
    struct kvz *k = index_text("minutes.txt", "PARISH COUNCIL\n\nPresent: Ann (Chair), Bob\n"
                                              "In attendance: Cy\nApologies: Dee (ill)\n\n"
                                              "1. The roof\nIt leaks.\n\n"
                                              "2. Next meeting\nTuesday 4 May, at the mill.\n");
    static const char there[] = "Present: Ann (Chair), Bob\nIn attendance: Cy\n";
    asked(&k, 1, "Who attended the meeting?", there);
    asked(&k, 1, "Who was present?", there);
    asked(&k, 1, "Who was absent?", "Apologies: Dee (ill)\n");
    asked(&k, 1, "Who was missing at the meeting?", "Apologies: Dee (ill)\n");
    asked(&k, 1, "How many people were absent?", "1: Apologies: Dee (ill)\n");
    asked(&k, 1, "How many people were present?", NULL); // of two lines
    asked(&k, 1, "How many people attended the fair?", NULL);
    asked(&k, 1, "Who was in the chair?", "\"Present: Ann (Chair), Bob\"");
    asked(&k, 1, "When do we meet again?", "\"2. Next meeting\nTuesday 4 May, at the mill.\"");
    asked(&k, 1, "Who attended the last meeting?", NULL);
    asked(&k, 1, "Who attended the May meeting?", NULL);
    kvz_close(k);
    k = index_text("minutes.txt",
                   "Committee meeting, 14 May 2024\n\nPresent: Ann Orth (chair, until 8), "
                   "Bob Lind; Cy de Wit and Dee\nAbsent: two guests\n\n1. Roof\nLast "
                   "year 240 visitors came.\n");
    asked(&k, 1, "How many people were present?",
          "4: Present: Ann Orth (chair, until 8), Bob Lind; Cy de Wit and Dee\n");
    asked(&k, 1, "How many members attended the meeting?",
          "4: Present: Ann Orth (chair, until 8), Bob Lind; Cy de Wit and Dee\n");
    asked(&k, 1, "How many people were absent?", NULL);
    asked(&k, 1, "How many visitors came?", NULL);
    kvz_close(k);
    k = index_text("letter.txt", "Dear Ann,\n\nThe next meeting is on 4 May.\n\nYours, Bob\n");
    asked(&k, 1, "When do we meet again?", NULL);
    kvz_close(k);
    k = index_text("play.txt", "Host: Come in.\n\nGuest: Thank you.\n\nHost: Sit down.\n");
    asked(&k, 1, "Who was there?", NULL);
    kvz_close(k);
}

// Dates tell which one is the last.
static void test_meetings(void **state)
{
    (void)state;
    struct kvz *k =
        index_text("minutes.txt",
                   "MINUTES\n\nMeeting of 15 March 2023\nPresent: Ann, Bob\n\n"
                   "1. Minutes of the last meeting\nApproved.\n\n"
                   "Meeting of 9 May 2022\n(in the barn)\n\nPresent: Cy\n\n1. Roof\nIt leaks.\n");
    asked(&k, 1, "When was the last meeting?", "\"Meeting of 15 March 2023\"");
    asked(&k, 1, "When was the first meeting held?", "\"Meeting of 9 May 2022\"");
    asked(&k, 1, "Who attended the last meeting?", "Present: Ann, Bob\n");
    asked(&k, 1, "Who was present at the meeting of 9 May 2022?", "Present: Cy\n");
    asked(&k, 1, "Which people attended the March meeting?", "Present: Ann, Bob\n");
    asked(&k, 1, "Who attended the April meeting?", NULL);
    asked(&k, 1, "Who was absent on 9 May 2022?", NULL);
    asked(&k, 1, "Who was at the meeting on March 15th?", "Present: Ann, Bob\n");
    asked(&k, 1, "Who was at the meeting on March 15th, 2022?", NULL);
    asked(&k, 1, "How many meetings mention the roof?",
          "1 of the 2 meetings has \"roof\": Meeting of 9 May 2022");
    kvz_close(k);
    k = index_text("notes.md", "# Notes\n\n## 2024-02-05\n\nAttending: Olek\n\n## "
                               "2024-02-19\n\nAttending: Priya, Olek\n\nNo news.\n\n"
                               "## 2024-03-04\n\nAttending: Priya, Hannah\n\nApologies: Olek\n");
    asked(&k, 1, "Who attended the meeting of 4 March?", "Attending: Priya, Hannah\n");
    asked(&k, 1, "Who attended the meeting on February 19th?", "Attending: Priya, Olek\n");
    asked(&k, 1, "Who was absent on 4 March 2024?", "Apologies: Olek\n");
    asked(&k, 1, "Who was absent from the last meeting?", "Apologies: Olek\n");
    asked(&k, 1, "Who attended the meeting of 5 March?", NULL);
    asked(&k, 1, "Who attended the meeting before 4 March?", NULL);
    asked(&k, 1, "How many meetings mention news?", NULL); // it does not say that they are some
    kvz_close(k);
    k = index_text("minutes.md", "# Minutes\n\n## 2024-02-05\n\nNews.\n\n## 2024-02-19\n\nNo "
                                 "news.\n\n## 2024-03-04\n\nThe roof.\n");
    asked(&k, 1, "How many meetings mention news?",
          "2 of the 3 meetings have \"news\": 2024-02-05; 2024-02-19");
    kvz_close(k);
    k = index_text("diary.txt",
                   "From the diary\n\n2 March 1931\nLeft.\n\n5 March 1931\nHeavy sea.\n\n"
                   "9 March 1931\nLisbon.\n");
    asked(&k, 1, "What is the last entry?", "\"9 March 1931\"\n\"Lisbon.\"");
    asked(&k, 1, "Who was at the meeting on 2 March?", NULL);
    asked(&k, 1, "How many entries does the text have?",
          "3 entries: 2 March 1931; 5 March 1931; 9 March 1931");
    kvz_close(k);
}

// The first minutes stand below a title, and say when the next meeting is.
static void test_next_meeting(void **state)
{
    (void)state;
    struct kvz *k = index_text(
        "minutes.txt",
        "The Mill Society\nMinutes of the meeting of 14 January 2024\n\nPresent: Ann, Bo\n"
        "Apologies: Cy\n\n1. Minutes of the last meeting\nRead.\n\nThe roof is left to the next "
        "meeting.\n\nDate of the next meeting: 11 February 2024, 7 pm.\n\n----------\n\n"
        "Minutes of the meeting of 11 February 2024\n\nPresent: Ann, Cy\nApologies: Bo\n\n"
        "1. Roof\nIt leaks.\n\n2. Next meeting\n10 March 2024, in the mill.\n");
    asked(&k, 1, "How many meetings are there?",
          "2 meetings: Minutes of the meeting of 14 January 2024; Minutes of the meeting of 11 "
          "February 2024");
    asked(&k, 1, "Who was absent at the last meeting?", "Apologies: Bo\n");
    asked(&k, 1, "Who was absent at the meeting of 14 January?", "Apologies: Cy\n");
    asked(&k, 1, "Who was absent at the January meeting?", "Apologies: Cy\n");
    asked(&k, 1, "When is the next meeting after 14 January?",
          "\"Date of the next meeting: 11 February 2024, 7 pm.\"");
    asked(&k, 1, "When was the meeting after the first one?",
          "\"Date of the next meeting: 11 February 2024, 7 pm.\"");
    asked(&k, 1, "What is the date of the next meeting after the meeting of 11 February 2024?",
          "\"2. Next meeting\n10 March 2024, in the mill.\"");
    asked(&k, 1, "When is the next meeting after 10 March?", NULL);
    asked(&k, 1, "When is the next meeting?", NULL);
    kvz_close(k);
    k = index_text(
        "minutes.txt",
        "Meeting of 5 April 2024\n\nThe next meeting is on 2 May.\n\n"
        "Meeting of 3 May 2024\n\nThe next meeting is on 9 June.\n\nNext meeting: 9 June.\n\n"
        "Meeting of 9 June 2024\n\nThe next meeting is on 1 July.\n\nNext meeting: 2 July.\n");
    asked(&k, 1, "When is the next meeting after 3 May?", "\"The next meeting is on 9 June.\"");
    asked(&k, 1, "When was the next meeting after 5 April?", NULL); // it was on another day
    asked(&k, 1, "When is the next meeting after 9 June?", NULL);   // of two days
    kvz_close(k);
}

// Minutes that begin in other ways each, between rules.
static void test_ruled(void **state)
{
    (void)state;
#define RULE "\n\n==========\n\n"
#define FIRST                                                                                      \
    "MINUTES of the meeting in the mill on\nTuesday 17 January 2023\n\nPresent: Ann, Bo\n\nRoof"
#define SECOND "Committee - 21.3.23\n\nIn the chair: Cy\nIn attendance: Ann\nNot here: Bo\n\nGate"
#define THIRD  "The Mill\n\nDate: 16 May 2023\n\nRoofs again.\n"
    struct kvz *k =
        index_text("mill.txt", "THE MILL\nMINUTES 2023" RULE FIRST RULE SECOND RULE THIRD);
    asked(&k, 1, "How many meetings mention the roof?",
          "2 of the 3 meetings have \"roof\": MINUTES of the meeting in the mill on Tuesday 17 "
          "January 2023; The Mill Date: 16 May 2023");
    asked(&k, 1, "Who attended on 21 March?", "In the chair: Cy\nIn attendance: Ann\n");
    asked(&k, 1, "Who was absent on 21 March?", "Not here: Bo\n");
    kvz_close(k);
    k = index_text("mill.txt",
                   "THE MILL\nMINUTES 2023" RULE FIRST RULE SECOND RULE "No date." RULE THIRD);
    asked(&k, 1, "How many meetings are there?", NULL);
    kvz_close(k);
    k = index_text("mill.txt", "==========\n\n" FIRST RULE SECOND RULE THIRD);
    asked(&k, 1, "How many meetings mention the gate?",
          "1 of the 3 meetings has \"gate\": Committee - 21.3.23");
    kvz_close(k);
    // A long title that tells a date besides is no meeting.
    k = index_text("mill.txt",
                   "THE MILL\nMINUTES 2023\n\nThe committee was elected at the general meeting of "
                   "2 February 2022, to which all who have a share in the mill had come: Ann, Bo,\n"
                   "Cy, Dee, Eve, Flo and Gus, who were there, and Hal, who was away." RULE FIRST
                       RULE SECOND RULE THIRD);
    asked(&k, 1, "How many meetings mention the gate?",
          "1 of the 3 meetings has \"gate\": Committee - 21.3.23");
    asked(&k, 1, "When was the first meeting?",
          "\"MINUTES of the meeting in the mill on Tuesday 17 January 2023\"");
    kvz_close(k);
}

// Letters with a place and a day above the greeting.
static void test_letters(void **state)
{
    (void)state;
    static const char letters[] =
        "THE VOYAGE\n\nVigo, 12 May 1911\n\nDear Bea,\n\nSpain.\n\nNora\n\n"
        "Log, 15 May. Sailed.\n\nFunchal, Madeira, 27 May 1911\n\n"
        "Dear Bea,\n\nNo hens.\n\nNora\n";
    struct kvz *k = index_text("letters.txt", letters);
    asked(&k, 1, "When was the last letter written?", "\"Funchal, Madeira, 27 May 1911\"");
    asked(&k, 1, "where was the last letter written", "\"Funchal, Madeira, 27 May 1911\"");
    asked(&k, 1, "how many letters are there",
          "2 letters: Vigo, 12 May 1911; Funchal, Madeira, 27 May 1911");
    kvz_close(k);
    char more[sizeof letters + 40];
    strcat(strcpy(more, letters), "\nHome\n\nDear Bea,\n\nI am here.\n");
    k = index_text("letters.txt", more);
    asked(&k, 1, "where was the last letter written", NULL);
    kvz_close(k);
}

static void test_conversations(void **state)
{
    (void)state;
    struct kvz *k = index_text("chat.txt", "12/03/2023, 10:02 - Ann Mill: so\n"
                                           "12/03/2023, 10:03 - Bo: why\nis that?\n"
                                           "12/03/2023, 10:05 - Ann Mill: tea\n");
    asked(&k, 1, "how many messages did Ann send?", "2 of the 3 messages are from Ann.");
    asked(&k, 1, "Who took part in the chat?", "Ann Mill\nBo\n");
    asked(&k, 1, "who wrote the last message?", "Ann Mill");
    asked(&k, 1, "What was Bo's first message?", "\"12/03/2023, 10:03 - Bo:\"\n\"why is that?\"");
    asked(&k, 1, "list all messages from Ann",
          "12/03/2023, 10:02 - Ann Mill: so\n12/03/2023, 10:05 - Ann Mill: tea\n");
    kvz_close(k);
    k = index_text("box.log", "10:00:01 [main] up\n10:00:02 [main] down\n10:00:03 [main] up\n");
    asked(&k, 1, "how many messages are there", NULL);
    kvz_close(k);
}

static void test_recipes(void **state)
{
    (void)state;
    struct kvz *k =
        index_text("cook.txt", "COOKING\n\nSOUP\nServes 4.\nIngredients: leek, rum.\nBoil it.\n\n"
                               "## Bread\n\n### Ingredients\n\n- flour\n\nBake it.\n");
    asked(&k, 1, "How many recipes are there?", "2 recipes: SOUP; Bread");
    asked(&k, 1, "Which recipes need rum?", "SOUP\n");
    asked(&k, 1, "What is the second recipe?", "\"Bread\"");
    asked(&k, 1, "Which recipes need beer?", NULL);
    kvz_close(k);
    // No line says that they are ingredients.
#define BREAD                                                                                      \
    "## Flatbread\n\nServes four.\n\n- 400 g flour\n- salt\n- \u00bd l water\n\n1. Mix it.\n"
#define SOUP "\n## Soup\n\n- 2 leeks\n- 1 l stock\n\nBoil it.\n"
#define TIPS "\n## Tips\n\n- Wash it.\n- Eat it.\n"
    k = index_text("cook.md", "# Recipes\n\n" BREAD SOUP TIPS);
    asked(&k, 1, "How many recipes are there?", "2 recipes: Flatbread; Soup");
    asked(&k, 1, "Which recipes need leeks?", "Soup\n");
    kvz_close(k);
    k = index_text("cook.txt",
                   "Family recipes\n\nFLATBREAD\n\n400 g flour\n7 g yeast\nsalt\n\nBake "
                   "it.\n\nLEEK SOUP\n\n2 leeks\n1 carrot\n1 l stock\n\nBoil it.\n");
    asked(&k, 1, "List all recipes", "FLATBREAD\nLEEK SOUP\n");
    kvz_close(k);
    // Something else may be one, too.
    k = index_text("cook.md", "# Recipes\n\n" BREAD SOUP "\n## Eggs\n\n1. Boil them.\n");
    asked(&k, 1, "How many recipes are there?", NULL);
    kvz_close(k);
    k = index_text("cook.md", "# Recipes\n\n" BREAD SOUP "\n## To buy\n\n- 2 leeks\n- 3 eggs\n");
    asked(&k, 1, "How many recipes are there?", NULL);
    kvz_close(k);
    k = index_text("cook.md",
                   "# Recipes\n\n" BREAD SOUP "\n### Topping\n\n- 2 eggs\n- 1 leek\n\nMix.\n");
    asked(&k, 1, "How many recipes are there?", NULL);
    kvz_close(k);
    k = index_text("kit.md", "# Furniture\n\n" BREAD SOUP);
    asked(&k, 1, "How many recipes are there?", NULL);
    kvz_close(k);
}

static void test_messages(void **state)
{
    (void)state;
    struct kvz *k =
        index_text("box.txt", "From: Ann Mill <ann@x.example>\nDate: Mon, 6 Mar 2023 10:00:00 "
                              "+0000\nSubject: Slugs\n\nThey eat all.\n\n\n"
                              "From: Bob <bob@x.example>\nDate: Sun, 5 Mar 2023 09:00:00 "
                              "+0000\nSubject: Re: Slugs\n\n> They eat all.\n\nNo.\n");
    asked(&k, 1, "How many messages are there?", "2 messages.");
    asked(&k, 1, "How many mails did Ann write?", "1 of the 2 mails is from Ann.");
    asked(&k, 1, "Who sent the last message?", "Ann Mill <ann@x.example>");
    asked(&k, 1, "What is the subject of the first mail?", "Re: Slugs");
    asked(&k, 1, "When was the last mail from Bob?", "Sun, 5 Mar 2023 09:00:00 +0000");
    asked(&k, 1, "What does the last mail say?",
          "\"From: Ann Mill <ann@x.example>\nDate: Mon, 6 Mar 2023 10:00:00 +0000\nSubject: "
          "Slugs\"\n\"They eat all.\"");
    asked(&k, 1, "the last mail from Cy", NULL);
    asked(&k, 1, "List all subjects", "Slugs\n");
    asked(&k, 1, "List all senders", "Ann Mill <ann@x.example>\nBob <bob@x.example>\n");
    asked(&k, 1, "how many emails are in the mailbox", "2 emails.");
    asked(&k, 1, "How many e-mails are there?", "2 e-mails.");
    asked(&k, 1, "Who wrote the mail?", NULL); // one of them
    asked(&k, 1, "Show me Bob's first mail",
          "\"From: Bob <bob@x.example>\nDate: Sun, 5 Mar 2023 09:00:00 +0000\nSubject: Re: "
          "Slugs\"\n\"> They eat all.\n\nNo.\"");
    asked(&k, 1, "When was Ann Mill's last mail sent?", "Mon, 6 Mar 2023 10:00:00 +0000");
    asked(&k, 1, "What was Cy's first mail about?", NULL);
    kvz_close(k);
}

// What a mail has below its own words of another one is none of its own, but where all mails are
// so.
static void test_forwarded(void **state)
{
    (void)state;
#define OF_ANN                                                                                     \
    "From: Ann Mill <ann@x.example>\nDate: Mon, 6 Mar 2023 10:00:00 +0000\nSubject: Slugs\n\n"     \
    "They eat all.\n\n"
#define OF_BOB                                                                                     \
    "From: Bob <bob@x.example>\nDate: Tue, 7 Mar 2023 09:00:00 +0000\nSubject: Re: "               \
    "Slugs\n\nNo.\n\n"
#define BELOW "From: Ann Mill\nSent: Monday\nThey eat all.\n\n"
    static const char *const marks[] = {
        "-----Original Message-----\n", "---------- Forwarded message ---------\n",
        "-----Urspr\u00fcngliche Nachricht-----\n", "Begin forwarded message:\n\n",
        "----- Forwarded message from Ann Mill <ann@x.example> "
        "-----\n\n"};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        char text[1024] = OF_ANN OF_BOB;
        strcat(strcat(text, marks[i]), BELOW);
        struct kvz *k = index_text("box.txt", text);
        asked(&k, 1, "How many mails are there?", "2 mails.");
        asked(&k, 1, "How many mails did Ann send?", "1 of the 2 mails is from Ann.");
        asked(&k, 1, "Who wrote the last mail?", "Bob <bob@x.example>");
        asked(&k, 1, "Who wrote the first mail?", "Ann Mill <ann@x.example>");
        asked(&k, 1, "List all senders", "Ann Mill <ann@x.example>\nBob <bob@x.example>\n");
        kvz_close(k);
    }
    // The mail behind it is one again.
    struct kvz *k = index_text("box.txt", OF_BOB "-----Original Message-----\n" BELOW OF_ANN);
    asked(&k, 1, "How many mails are there?", "2 mails.");
    asked(&k, 1, "Who wrote the last mail?", "Bob <bob@x.example>"); // by its date
    kvz_close(k);
    // A line that announces none.
    k = index_text("box.txt", OF_ANN "The message of May:\n\n" OF_BOB);
    asked(&k, 1, "How many mails are there?", "2 mails.");
    kvz_close(k);
    k = index_text("box.txt", OF_ANN "--------\n" OF_BOB);
    asked(&k, 1, "How many mails are there?", "2 mails.");
    kvz_close(k);
}

// Messages of one thread or of several, and who wrote them: who has an address under two names is
// one.
static void test_threads(void **state)
{
    (void)state;
    static const char slugs[] = "From: Ann Mill <ann@x.example>\nDate: Mon, 6 Mar 2023 10:00:00 "
                                "+0000\nSubject: Slugs\n\nThey eat all.\n\n"
                                "From: Bob <bob@x.example>\nDate: Tue, 7 Mar 2023 09:00:00 "
                                "+0000\nSubject: Re: Slugs\n\nNo.\n\n"
                                "From: Ann <ann@x.example>\nDate: Wed, 8 Mar 2023 09:00:00 "
                                "+0000\nSubject: AW: Slugs\n\nYes.\n\n",
                      tea[] = "From: Cy <cy@x.example>\nDate: Thu, 9 Mar 2023 09:00:00 "
                              "+0000\nSubject: Tea\n\nCome.\n",
                      two[] = "Ann Mill <ann@x.example>\nBob <bob@x.example>\n";
    char all[sizeof slugs + sizeof tea];
    struct kvz *k = index_text("thread.txt", slugs);
    asked(&k, 1, "Who took part in the thread?", two);
    asked(&k, 1, "how many emails are in this thread", "3 emails.");
    asked(&k, 1, "how many people wrote in the discussion",
          "2 wrote messages: Ann Mill <ann@x.example>; Bob <bob@x.example>");
    kvz_close(k);
    strcat(strcpy(all, slugs), tea);
    k = index_text("box.txt", all);
    asked(&k, 1, "Who took part in the thread?", NULL);
    asked(&k, 1, "how many emails are in the thread", NULL);
    asked(&k, 1, "Who took part in the thread about slugs?", two);
    asked(&k, 1, "how many emails are in the thread about tea", "1 of the 4 emails is about tea.");
    asked(&k, 1, "list everyone who sent mail",
          "Ann Mill <ann@x.example>\nBob <bob@x.example>\nCy <cy@x.example>\n");
    kvz_close(k);
}

static void test_logs(void **state)
{
    (void)state;
    struct kvz *k = index_text("mill.log", "2024-05-06 22:41:32 INFO  [main] orderd starting\n"
                                           "2024-05-06 22:42:02 ERROR [wheel] stuck\n"
                                           "2024-05-06 22:43:00 FATAL [main] error, stopping\n"
                                           "2024-05-06 22:44:00 INFO  [main] restarted, order 7\n");
    asked(&k, 1, "What was the last error in the log?", "2024-05-06 22:42:02 ERROR [wheel] stuck");
    asked(&k, 1, "first fatal error", "2024-05-06 22:43:00 FATAL [main] error, stopping");
    asked(&k, 1, "What is the last entry?", "2024-05-06 22:44:00 INFO [main] restarted, order 7");
    asked(&k, 1, "When did the last restart happen?",
          "2024-05-06 22:44:00 INFO [main] restarted, order 7");
    asked(&k, 1, "What was the first order?", "2024-05-06 22:44:00 INFO [main] restarted, order 7");
    asked(&k, 1, "Show me the third line", "2024-05-06 22:43:00 FATAL [main] error, stopping");
    asked(&k, 1, "When was the last warning?", NULL);
    kvz_close(k);
    // What is told of somebody.
    k = index_text("auth.log", "2024-05-02 08:00:01 INFO auth: login of maren\n"
                               "2024-05-02 08:05:00 INFO auth: login of ines\n"
                               "2024-05-02 08:06:40 INFO auth: logout of maren\n"
                               "2024-05-02 08:11:30 INFO auth: login of maren\n"
                               "2024-05-02 08:12:30 INFO auth: login of ines\n"
                               "2024-05-02 08:13:00 INFO auth: logout of ines\n"
                               "2024-05-02 08:15:00 ERROR mail: login of otto refused\n");
    static const char first[] = "2024-05-02 08:00:01 INFO auth: login of maren",
                      last[] = "2024-05-02 08:11:30 INFO auth: login of maren";
    asked(&k, 1, "What was the last login of maren?", last);
    asked(&k, 1, "When was the last login of Maren?", last);
    asked(&k, 1, "When was maren's last login?", last);
    asked(&k, 1, "What was the first login of maren?", first);
    asked(&k, 1, "What was the last login of auth?",
          "2024-05-02 08:12:30 INFO auth: login of ines");
    asked(&k, 1, "What was the third login of maren?", NULL);
    asked(&k, 1, "When was the last login of hugo?", NULL);
    // An error is from a program, and what says no more may be of anything.
    asked(&k, 1, "What was the last error of mail?",
          "2024-05-02 08:15:00 ERROR mail: login of otto refused");
    asked(&k, 1, "What was the last error of otto?", NULL);
    asked(&k, 1, "What was the last entry of otto?", NULL);
    kvz_close(k);
    // What somebody says is no event.
    k = index_text("chat.txt",
                   "10:00 <ann> the meeting is late\n10:01 <bob> why\n10:02 <ann> so\n");
    asked(&k, 1, "When was the last meeting?", NULL);
    asked(&k, 1, "What is the last message?", "10:02 <ann> so");
    kvz_close(k);
}

static void test_commits(void **state)
{
    (void)state;
    struct kvz *k = index_text(
        "git.log",
        "commit 0ac9e6d513\nAuthor: Rosa Diaz <r@x>\nDate:   Mon Mar 2 10:00:00 2026 +0000\n\n"
        "    Add the parser\n\n    It takes lines.\n\n"
        "commit 1bd0f7e624\nAuthor: Tom Berg <t@x>\nDate:   Tue Mar 3 11:00:00 2026 +0000\n\n"
        "    Fix the crash, as commit 0ac9e6d513 did not\n\n"
        "commit 2ce1a8f735\nAuthor: Rosa Diaz <r@x>\nDate:   Wed Mar 4 12:00:00 2026 +0000\n\n"
        "    Drop the parser\n");
    asked(&k, 1, "How many commits are there?", "3 commits.");
    asked(&k, 1, "How many commits did Rosa Diaz make?", "2 of the 3 commits are from Rosa Diaz.");
    asked(&k, 1, "How many commits were made by Tom?", "1 of the 3 commits is from Tom.");
    asked(&k, 1, "How many commits did Eva make?", NULL);
    asked(&k, 1, "How many cakes did Rosa Diaz make?", NULL);
    asked(&k, 1, "When was the last commit?", "Wed Mar 4 12:00:00 2026 +0000");
    asked(&k, 1, "When was the first commit?", "Mon Mar 2 10:00:00 2026 +0000");
    asked(&k, 1, "Which commits are about the parser?",
          "commit 0ac9e6d513, Mon Mar 2 10:00:00 2026 +0000, Rosa Diaz <r@x>, Add the parser\n"
          "commit 2ce1a8f735, Wed Mar 4 12:00:00 2026 +0000, Rosa Diaz <r@x>, Drop the parser\n");
    kvz_close(k);
    // A log tells the newest one first, whatever is known of its days.
    k = index_text(
        "git.log",
        "commit 2ce1a8f735\nAuthor: Rosa Diaz <r@x>\nDate:   Wed Mar 4 12:00:00 2026 +0000\n\n"
        "    Drop the parser\n\n"
        "commit 0ac9e6d513\nAuthor: Tom Berg <t@x>\nDate:   Mon Mar 2 10:00:00 2026 +0000\n\n"
        "    Add the parser\n");
    asked(&k, 1, "When was the latest commit?", "Wed Mar 4 12:00:00 2026 +0000");
    asked(&k, 1, "When was the oldest commit?", "Mon Mar 2 10:00:00 2026 +0000");
    kvz_close(k);
    k = index_text("git.log",
                   "commit 2ce1a8f735\nAuthor: Rosa Diaz <r@x>\n\n    Drop the parser\n\n"
                   "commit 0ac9e6d513\nAuthor: Tom Berg <t@x>\n\n    Add the parser\n");
    asked(&k, 1, "What is the last commit?",
          "\"commit 2ce1a8f735\nAuthor: Rosa Diaz <r@x>\"\n\"Drop the parser\"");
    asked(&k, 1, "What is the first commit?",
          "\"commit 0ac9e6d513\nAuthor: Tom Berg <t@x>\"\n\"Add the parser\"");
    kvz_close(k);
    k = index_text("box.mbox", "From: Ann <a@x>\nDate: Mon, 2 Mar 2026 10:00:00 +0000\n"
                               "Subject: Commits\n\nThe commits wait.\n");
    asked(&k, 1, "How many commits did Ann make?", NULL);
    kvz_close(k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_commits),       cmocka_unit_test(test_headed),
        cmocka_unit_test(test_half),          cmocka_unit_test(test_only_meeting),
        cmocka_unit_test(test_meetings),      cmocka_unit_test(test_next_meeting),
        cmocka_unit_test(test_recipes),       cmocka_unit_test(test_messages),
        cmocka_unit_test(test_forwarded),     cmocka_unit_test(test_threads),
        cmocka_unit_test(test_ruled),         cmocka_unit_test(test_letters),
        cmocka_unit_test(test_conversations), cmocka_unit_test(test_logs),
    };
    return cmocka_run_group_tests(tests, engine_set_up, engine_tear_down);
}
