// Addenda to a contract whose clauses are numbered sentences.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>

#include "tests/unit/engine/changed/changed_fixture.h"

#define LEASE                                                                                      \
    "1. The barn is let from May.\n2. The rent is 85 pounds a month.\n3. The tenant may not "      \
    "sublet.\n4. Either side gives six weeks' notice.\n\nAddendum\n"

// A clause that is deleted, with what is so instead.
static void test_deleted(void **state)
{
    (void)state;
    static const char sublet[] = "3. The", may[] = "May the tenant sublet?";
    finds(LEASE "A. Clause 3 is deleted. The tenant may sublet.\n", sublet, may,
          "A. Clause 3 is deleted. The tenant may sublet.");
    finds(LEASE "Paragraph 3 is replaced by: The tenant may sublet.\n", sublet, may, "Paragraph 3");
    finds(LEASE "Clause 2 is deleted.\n", sublet, may, NULL);
    finds(LEASE "Clause 13 is deleted.\n", sublet, may, NULL);
    finds(LEASE "Page 3 is deleted.\n", sublet, may, NULL);
    // Which of two lists is not said.
    finds("3. Wash the cups.\n\n" LEASE "A. Clause 3 is deleted.\n", sublet, may, NULL);
    finds(LEASE "A. Clause 3 is deleted. The key is blue.\n", sublet, may,
          "A. Clause 3 is deleted.");
}

// What is agreed, and a clause "of the lease".
static void test_agreed(void **state)
{
    (void)state;
    static const char sublet[] = "3. The", may[] = "May the tenant sublet?", rent[] = "2. The",
                      how_much[] = "How much is the rent?";
    finds(LEASE "The parties agree that clause 3 is deleted.\n", sublet, may, "The parties agree");
    finds(LEASE
          "It was agreed that in clause 2 \"85 pounds\" is replaced by \"92 pounds\", and that "
          "clause 3 is deleted.\n",
          sublet, may, "It was agreed");
    finds(LEASE "It was agreed that in clause 2 \"85 pounds\" is replaced by \"92 pounds\".\n",
          rent, how_much, "It was agreed");
    finds(LEASE "In clause 2 of the lease \"85 pounds\" is replaced by \"92 pounds\".\n", rent,
          how_much, "In clause 2 of the lease");
    finds(LEASE "In clause 2, for \"85 pounds\" substitute \"92 pounds\".\n", rent, how_much,
          "In clause 2, for");
    finds(LEASE "She knew that clause 3 is deleted.\n", sublet, may, NULL);
}

// What is so from a day on that the sentence begins with.
static void test_dated(void **state)
{
    (void)state;
    static const char rent[] = "2. The", how_much[] = "How much is the rent?";
    static const char *const from[] = {
        LEASE "A. With effect from 1 January 2024 the rent is 92 pounds a month.\n",
        LEASE "From January 2024 the rent is 92 pounds a month.\n",
        LEASE "From the first Monday in May the rent will be 92 pounds a month.\n"};
    static const char *const begins[] = {"A. With", "From January", "From the first"};
    for (int i = 0; i < 3; i++)
        finds(from[i], rent, how_much, begins[i]);
    finds(LEASE "From May 2024 the rent is 85 pounds a month.\n", rent, how_much, NULL);
    finds(LEASE "From May 2024 the lamp is 92 pounds.\n", rent, how_much, NULL);
    finds(LEASE "From the gate the rent is 92 pounds.\n", rent, how_much, NULL);
    finds(LEASE "From May 2024 the rent was 92 pounds.\n", rent, how_much, NULL);
}

// Words of a clause that are struck out, with what is put in their place.
static void test_struck_out(void **state)
{
    (void)state;
    static const char rent[] = "2. The", how_much[] = "How much is the rent?",
                      struck[] =
                          LEASE "1.2 In article 2, the rent of 85 pounds is struck out and 92 "
                                "pounds put in its place.\n";
    finds(struck, rent, how_much, "1.2 In article 2");
    finds(struck, rent, "May I pay the rent without asking first?", "1.2 In article 2");
    finds(struck, rent, "How much was the rent at first?", NULL);
    // What it is called by may be another word.
    static const char dogs[] = "21. Animals. One dog may be kept. No dog may weigh more than 40 "
                               "pounds.\n\n22. Lifts.\n\nAmendment\n\n";
    char text[300];
    snprintf(text, sizeof text, "%s1.2 In article 21, the limit of 40 pounds is raised to 65.\n",
             dogs);
    finds(text, "No dog", "How heavy may my dog be?", "1.2 In article 21");
    snprintf(text, sizeof text, "%s1.2 In article 22, the limit of 40 pounds is raised to 65.\n",
             dogs);
    finds(text, "No dog", "How heavy may my dog be?", NULL);
    finds(LEASE "1.2 In article 2, the line of 85 pounds is struck out and 92 read.\n", rent,
          how_much, NULL);
}

// A length of time may become one of another unit.
static void test_lengths(void **state)
{
    (void)state;
    static const char notice[] = "4. Either", how[] = "How long is the notice?";
    finds(LEASE "The notice is now three months.\n", notice, how, "The notice is now");
    finds(LEASE "The notice is now three pages.\n", notice, how, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_deleted), cmocka_unit_test(test_agreed), cmocka_unit_test(test_dated),
        cmocka_unit_test(test_struck_out), cmocka_unit_test(test_lengths)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
