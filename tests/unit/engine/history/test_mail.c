// Mails by who wrote them, when and about what.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/unit/engine_fixture.h"
#include "tests/unit/survey_fixture.h"

static struct kvz *K;

static void says(const char *question, const char *answer)
{
    asked(&K, 1, question, answer);
}

#define ADA "From: Ada Pell <ada@x.example>\nDate: Sat, 08 Jul 2023 10:00:00 +0000\nSubject: Slugs"
#define BO  "From: Bo Lind <bo@x.example>\nDate: Sun, 09 Jul 2023 10:00\nSubject: Re: Slugs"
#define TEA "From: Ada Pell <ada@x.example>\nDate: Mon, 10 Jul 2023 10:00:00 +0000\nSubject: Tea"

static void test_mails(void **state)
{
    (void)state;
    K = index_text("box.mbox",
                   "From a@x Sat Jul  8 10:00:00 2023\n" ADA
                   "\n\nDear all,\n\nthey eat all I have.\n\nAda\n\n"
                   "From b@x Sun Jul  9 10:00:00 2023\n" BO
                   "\n\nAda Pell wrote:\n> they eat all I have.\n\nKeep ducks.\n\n"
                   "From a@x Mon Jul 10 10:00:00 2023\n" TEA "\n\nBring biscuits for Bo.\n\n"
                   "Ada\n\n-- \nMilk wanted, the best is from Hull\n");
    says("What did Bo say about slugs?", BO "\n\n\"Keep ducks.\"");
    says("What does Bo Lind recommend against the slugs?", BO "\n\n\"Keep ducks.\"");
    says("What did Ada write on 8 July 2023?", ADA "\n\n\"they eat all I have.\n\nAda\"");
    says("What did ada say about biscuits?", TEA "\n\n\"Bring biscuits for Bo.\n\nAda\"");
    says("What did Ada say about milk?", NULL); // who wrote it always says that
    says("Who wrote the mail of 9 July?", BO);
    says("Who wrote on 9 July?", BO);
    says("Who wrote on slugs?", NULL);
    says("Who sent a message about slugs?", ADA "\n\n" BO);
    says("Who wrote about ducks?", BO);
    // All that somebody wrote, where that is little.
    says("What did Bo say?", BO "\n\n\"Keep ducks.\"");
    says("What did Ada Pell write?",
         ADA "\n\n\"they eat all I have.\n\nAda\"\n\n" TEA "\n\n\"Bring biscuits for Bo.\n\nAda\"");
    says("What is the subject of the mail from Bo?", BO);
    says("What is the subject of the mail from Ada about biscuits?", TEA);
    // By nobody, on another day; who is written about; what only is quoted.
    says("What did Bo say about tea?", NULL);
    says("What did Cy say?", NULL);
    says("What did they say?", NULL);
    says("What is the subject of the mail from Cy?", NULL);
    says("What is the subject of the book from Bo?", NULL);
    says("What did Cy say about slugs?", NULL);
    says("What did Ada write on 8 July 2022?", NULL);
    says("What did Bo say about eating?", NULL);
    says("Who wrote the mail of July?", NULL);
    says("Who wrote the book of slugs?", NULL);
    kvz_close(K);
}

// Of a sender whose name is a word for somebody else in small letters, or in another's address.
static void test_initials(void **state)
{
    (void)state;
#define HEAD_IT                                                                                    \
    "From: IT Desk <desk@x.example>\nDate: Tue, 3 Mar 2026 10:00:00 +0000\nSubject: Outage"
#define HEAD_BO                                                                                    \
    "From: Bo Lind <bo@it.example>\nDate: Wed, 4 Mar 2026 10:00:00 +0000\nSubject: Boiler"
    K = index_text("it.mbox", HEAD_IT "\n\nThe net is down.\n\n" HEAD_BO "\n\nIt leaks.\n");
    says("What is the subject of the mail from IT?", HEAD_IT);
    says("What did IT write?", HEAD_IT "\n\n\"The net is down.\"");
    says("What did it say?", NULL);
    kvz_close(K);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_mails),
                                       cmocka_unit_test(test_initials)};
    return cmocka_run_group_tests(tests, engine_set_up, engine_tear_down);
}
