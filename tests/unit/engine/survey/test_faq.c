// Headings that ask the same, or tell how to do what is asked.
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

static void begin(const char *name, const char *text)
{
    FILE *f = begin_file(name);
    fputs(text, f);
    end_file(f);
    K = index_file(name, 0);
}

static void test_questions(void **state)
{
    (void)state;
    begin("faq.txt", "Contents\n\n1. Does the kiln need mains gas?\n2. How do I list all glazes\n\n"
                     "(1) Does the kiln need mains gas?\n\nNo. It burns wood. Oak is best.\n\n"
                     "(2) How do I list all glazes of the kiln\n\nPress LIST. They are shown.\n\n"
                     "(3) The door sticks.\n\nOil it.\n\n"
                     "Q4: Why does the kiln smoke?\n----------\n\nThe wood is wet.\n\n"
                     "Q5: Why does the kiln smoke at night?\n\nThe chimney is cold.\n");
    asked("Does my kiln need mains gas?",
          "(1) Does the kiln need mains gas?\n\n\"No. It burns wood. "
          "Oak is best.\"");
    asked("How can I list the glazes?",
          "(2) How do I list all glazes of the kiln\n\n\"Press LIST. They are shown.\"");
    asked("Why does my kiln smoke?", "Q4: Why does the kiln smoke?\n\n\"The wood is wet.\"");
    asked("Why do kilns smoke at night?",
          "Q5: Why does the kiln smoke at night?\n\n\"The chimney is cold.\"");
    // Another kind of question, more than the heading asks, too few words.
    asked("When does the kiln smoke?", NULL);
    asked("Why does the kiln smoke in winter?", NULL);
    asked("How do I mend the kiln?", NULL);
    asked("Why?", NULL);
    kvz_close(K);
}

static void test_steps(void **state)
{
    (void)state;
    begin("steps.txt",
          "Chapter 5  Care\n\n5.1 Replacing the lime cartridge\nPull it out. Push a new one in.\n\n"
          "5.2 Rinsing the boiler\nUnplug it. Pour water in.\n\n"
          "## Empty the tank\n\nTurn it over.\n\n## Emptying the tank\n\nShake it.\n\n"
          "Problem           Remedy\nIt leaks          Replace the seal\n\n"
          "Replace the battery cover.\n\nIt clicks.\n");
    asked("How do I replace the cartridge?", "5.1 Replacing the lime cartridge\n\n\"Pull it out. "
                                             "Push a new one in.\"");
    asked("how to rinse the boiler", "5.2 Rinsing the boiler\n\n\"Unplug it. Pour water in.\"");
    asked("How do I empty the tank?", NULL); // there are two
    asked("How do I replace the seal?", NULL);
    asked("How do I replace the battery cover?", NULL);
    asked("How do I rinse the cartridge?", NULL);
    asked("Why is the boiler rinsing?", NULL);
    kvz_close(K);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_questions),
                                       cmocka_unit_test(test_steps)};
    return cmocka_run_group_tests(tests, engine_set_up, engine_tear_down);
}
