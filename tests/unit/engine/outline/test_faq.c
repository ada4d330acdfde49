// Headings that ask the same, or tell how to do what is asked.
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

static void test_questions(void **state)
{
    (void)state;
    K = index_text("faq.txt",
                   "Contents\n\n1. Does the kiln need mains gas?\n2. How do I list all glazes\n\n"
                   "(1) Does the kiln need mains gas?\n\nNo. It burns wood. Oak is best.\n\n"
                   "(2) How do I list all glazes of the kiln\n\nPress LIST. They are shown.\n\n"
                   "(3) The door sticks.\n\nOil it.\n\n"
                   "Q4: Why does the kiln smoke?\n----------\n\nThe wood is wet.\n\n"
                   "Q5: Why does the kiln smoke at night?\n\nThe chimney is cold.\n\n"
                   "Q6: Can I not touch hidden bricks?\n\nYes, by gloves.\n");
    says("Does my kiln need mains gas?",
         "(1) Does the kiln need mains gas?\n\n\"No. It burns wood. "
         "Oak is best.\"");
    says("How can I list the glazes?",
         "(2) How do I list all glazes of the kiln\n\n\"Press LIST. They are shown.\"");
    says("Why does my kiln smoke?", "Q4: Why does the kiln smoke?\n\n\"The wood is wet.\"");
    says("Why do kilns smoke at night?",
         "Q5: Why does the kiln smoke at night?\n\n\"The chimney is cold.\"");
    // Another kind of question, more than the heading asks, too few words.
    says("When does the kiln smoke?", NULL);
    says("Can't I touch hidden bricks?",
         "Q6: Can I not touch hidden bricks?\n\n\"Yes, by gloves.\"");
    says("Can I touch hidden bricks?", NULL); // it is the other way round
    says("Why does my kiln not smoke?", NULL);
    says("Why does the kiln smoke in winter?", NULL);
    says("How do I mend the kiln?", NULL);
    says("Why?", NULL);
    kvz_close(K);
}

// Numbers behind a letter.
static void test_letters(void **state)
{
    (void)state;
    K = index_text("letters.txt",
                   "K1. How can I use the kiln with gas?\nK2. How can I use the kiln "
                   "with oil?\n\nK1. How can I use the kiln with gas?\n\nOpen the "
                   "tap.\n\nK2. How can I use the kiln with oil?\n\nPour it in.\n\n"
                   "A4 paper for the kiln\n\nIt burns.\n");
    says("How do I use the kiln with gas?",
         "K1. How can I use the kiln with gas?\n\n\"Open the tap.\"");
    says("How do I use a kiln with oil?",
         "K2. How can I use the kiln with oil?\n\n\"Pour it in.\"");
    kvz_close(K);
}

// What divides sections is no part of the one above it.
static void test_rule(void **state)
{
    (void)state;
    K = index_text("rule.md", "**Who oils the mill wheel?**\nAnn. She has fat.\n\n---\n\n"
                              "## Other things\n\n**Who mends the mill door?**\n"
                              "Ed.\n\n* * *\n");
    says("Who oils the mill wheel?", "**Who oils the mill wheel?**\n\n\"Ann. She has fat.\"");
    says("Who mends the mill door?", "**Who mends the mill door?**\n\n\"Ed.\"");
    kvz_close(K);
}

// A line of code heads nothing.
static void test_code(void **state)
{
    (void)state;
    K = index_text("code.txt", "## Stop the mill\n\nType this:\n\n```\nmill stop: all\n```\n\n"
                               "## Oil the wheel\n\nUse fat.\n");
    says("How do I stop the mill?",
         "## Stop the mill\n\n\"Type this:\n\n```\nmill stop: all\n```\"");
    kvz_close(K);
}

// What is done in a case that a heading names, whose text is right below it.
static void test_cases(void **state)
{
    (void)state;
    K = index_text("cases.txt",
                   "WHAT YOU MUST KNOW BEFORE YOU LIGHT THE KILN\n\nIt is hot.\n\n"
                   "If you light the kiln too often\nLet it cool for two days at the least.\n\n"
                   "If you forget to light the kiln\nIf it is before ten, light it at once. Else "
                   "wait.\n\nWhere the kiln stands\nIt stands in the shed behind the mill.\n");
    says(
        "What should I do if I forget to light the kiln?",
        "If you forget to light the kiln\n\n\"If it is before ten, light it at once. Else wait.\"");
    says("What if I light the kiln too often?",
         "If you light the kiln too often\n\n\"Let it cool for two days at the least.\"");
    says("What happens if I break the kiln?", NULL);
    kvz_close(K);
}

// The first line of a paragraph is no heading of the others, whatever it begins with.
static void test_prose(void **state)
{
    (void)state;
    K = index_text("lease.txt",
                   "4.1 If the kiln cracks in the first year the potter shall\n"
                   "    Mend it for nothing, or pay for the loaf that it spoilt.\n\n"
                   "4.2 If the kiln smokes and somebody of the next house asks\n"
                   "    for it, the potter shall sweep the chimney in the night.\n\n"
                   "If the kiln falls\nThe potter shall leave the house by its back door.\n");
    says("What happens if the kiln cracks?", NULL);
    says("What happens if the kiln smokes?", NULL);
    says("What happens if the kiln falls?",
         "If the kiln falls\n\n\"The potter shall leave the house by its back door.\"");
    kvz_close(K);
}

static void test_steps(void **state)
{
    (void)state;
    K = index_text(
        "steps.txt",
        "Chapter 5  Care\n\n5.1 Replacing the lime cartridge\nPull it out. Push a new one in.\n\n"
        "5.2 Rinsing the boiler\nUnplug it. Pour water in.\n\n"
        "5.3 Drying the ash box\nLet it stand.\n\n"
        "## Empty the tank\n\nTurn it over.\n\n## Emptying the tank\n\nShake it.\n\n"
        "Problem           Remedy\nIt leaks          Replace the seal\n\n"
        "Replace the battery cover.\n\nIt clicks.\n");
    says("How do I replace the cartridge?", "5.1 Replacing the lime cartridge\n\n\"Pull it out. "
                                            "Push a new one in.\"");
    says("how to rinse the boiler", "5.2 Rinsing the boiler\n\n\"Unplug it. Pour water in.\"");
    says("How do I dry the ash box?", "5.3 Drying the ash box\n\n\"Let it stand.\"");
    says("How do I dry the bin?", NULL);
    says("How do I empty the tank?", NULL); // there are two
    says("How do I replace the seal?", NULL);
    says("How do I replace the battery cover?", NULL);
    says("How do I rinse the cartridge?", NULL);
    says("Why is the boiler rinsing?", NULL);
    kvz_close(K);
}

// Questions in bold, on the line where their answers begin.
static void test_bold(void **state)
{
    (void)state;
    K = index_text("bold.md", "## FAQ\n\n**Can two kilns share a chimney?** Yes. Smoke of both\n"
                              "goes up, **but** slowly.\n\nNot in winter.\n\n"
                              "**How do I change the bricks?** With gloves.\n\n"
                              "**Is the chimney swept?**\n\nIn May.\n");
    says("can kilns share one chimney",
         "Can two kilns share a chimney?\n\n\"Yes. Smoke of both goes up, **but** "
         "slowly.\n\nNot in winter.\"");
    says("How can I change bricks?", "How do I change the bricks?\n\n\"With gloves.\"");
    says("Is the chimney swept?", "**Is the chimney swept?**\n\n\"In May.\"");
    kvz_close(K);
}

// Numbered titles on the line where their paragraphs begin.
static void test_titles_on_the_line(void **state)
{
    (void)state;
    K = index_text("manual.txt",
                   "7 Care\n\n7.1 Sweeping the flue. The lamp ASH lights up after\n300 hours. Hold "
                   "both keys for four seconds.\n\n"
                   "7.2 Drying the door. Leave it open. The seal is of rope.\n\n"
                   "7.3 Ash. The box holds ten litres. Empty it at night.\n");
    says("How do I sweep the flue?",
         "7.1 Sweeping the flue\n\n\"The lamp ASH lights up after\n300 hours. Hold both keys for "
         "four seconds.\"");
    says("How can I dry the kiln's door?", NULL);
    says("How do I dry the door?",
         "7.2 Drying the door\n\n\"Leave it open. The seal is of rope.\"");
    says("How do I empty the ash box?", NULL);
    kvz_close(K);
}

// One word is enough where it is all of a heading.
static void test_one_word(void **state)
{
    (void)state;
    K = index_text("pot.txt", "# The pot\n\n## Descaling\n\nIt must be descaled each month.\n\n"
                              "1. Pour in vinegar.\n2. Boil it.\n\n## Cleaning the lid\n\n"
                              "Wipe it.\n\n## Storing\n\nKeep it dry.\n");
    static const char descaling[] = "## Descaling\n\n\"It must be descaled each month.\n\n"
                                    "1. Pour in vinegar.\n2. Boil it.\"";
    says("How do I descale it?", descaling);
    says("How do I descale the machine?", descaling);
    says("How do I clean it?", NULL); // only the lid
    says("How do I sell it?", NULL);
    says("When do I descale it?", NULL);
    kvz_close(K);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rule),      cmocka_unit_test(test_letters),
        cmocka_unit_test(test_code),      cmocka_unit_test(test_bold),
        cmocka_unit_test(test_questions), cmocka_unit_test(test_cases),
        cmocka_unit_test(test_prose),     cmocka_unit_test(test_steps),
        cmocka_unit_test(test_one_word),  cmocka_unit_test(test_titles_on_the_line)};
    return cmocka_run_group_tests(tests, engine_set_up, engine_tear_down);
}
