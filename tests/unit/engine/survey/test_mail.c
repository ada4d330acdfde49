// Mails by who wrote them, when and about what.
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "engine/survey/survey.h"
#include "tests/unit/engine_fixture.h"
#include "tests/unit/ok.h"

static struct kvz *K;

static void asked(const char *question, const char *answer)
{
    struct survey s;
    struct err e;
    int rc = survey(&s, &K, 1, question, 9, &e);
    if (rc != (answer != NULL) || (answer && strcmp(s.text, answer) != 0))
        fail_msg("%s: %d %s", question, rc, rc > 0 ? s.text : "");
    survey_done(&s);
}

#define ADA "From: Ada Pell <ada@x.example>\nDate: Sat, 08 Jul 2023 10:00:00 +0000\nSubject: Slugs"
#define BO  "From: Bo Lind <bo@x.example>\nDate: Sun, 09 Jul 2023 10:00\nSubject: Re: Slugs"
#define TEA "From: Ada Pell <ada@x.example>\nDate: Mon, 10 Jul 2023 10:00:00 +0000\nSubject: Tea"

static void test_mails(void **state)
{
    (void)state;
    FILE *f = begin_file("box.mbox");
    fputs("From a@x Sat Jul  8 10:00:00 2023\n" ADA
          "\n\nDear all,\n\nthey eat all I have.\n\nAda\n\n"
          "From b@x Sun Jul  9 10:00:00 2023\n" BO "\n\n> they eat all I have.\n\nKeep ducks.\n\n"
          "From a@x Mon Jul 10 10:00:00 2023\n" TEA "\n\nBring biscuits for Bo.\n",
          f);
    end_file(f);
    K = index_file("box.mbox", 0);
    asked("What did Bo say about slugs?", BO "\n\n\"Keep ducks.\"");
    asked("What does Bo Lind recommend against the slugs?", BO "\n\n\"Keep ducks.\"");
    asked("What did Ada write on 8 July 2023?", ADA "\n\n\"they eat all I have.\n\nAda\"");
    asked("What did ada say about biscuits?", TEA "\n\n\"Bring biscuits for Bo.\"");
    asked("Who wrote the mail of 9 July?", BO);
    asked("Who sent a message about slugs?", ADA "\n\n" BO);
    asked("Who wrote about ducks?", BO);
    // Of nothing, by nobody, on another day; who is written about; what only is quoted.
    asked("What did Bo say?", NULL);
    asked("What did Bo say about tea?", NULL);
    asked("What did Cy say about slugs?", NULL);
    asked("What did Ada write on 8 July 2022?", NULL);
    asked("What did Bo say about eating?", NULL);
    asked("Who wrote the mail of July?", NULL);
    asked("Who wrote the book of slugs?", NULL);
    kvz_close(K);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_mails)};
    return cmocka_run_group_tests(tests, engine_set_up, engine_tear_down);
}
