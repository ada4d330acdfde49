// What dots lead to, or the blanks of a form and of a statement.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/unit/engine_fixture.h"
#include "tests/unit/survey_fixture.h"

static void test_schedule(void **state)
{
    (void)state;
    struct kvz *k = index_text(
        "mill.txt", "Stones .............. 9\nHours ............... 12\n\n9  STONES\n\n"
                    "The tenant may keep a cart up to the limit in the schedule. The deposit for "
                    "boats is set yearly.\n\n12  HOURS\n\nFrom six to noon.\n\n"
                    "S C H E D U L E\n\nTenant .............. Ulla Rook\n"
                    "Number of wheels .... 3\n\n"
                    "LIMITS\n  Each cart .........   70\n  Boats .............   12\n"
                    "  Sack (rye) ........   40\n  Sack (oats) .......   50\n\n"
                    "DEPOSITS\n                      Sum    Tax\n"
                    "  Boats .............   none\n  Sheds .............   5    1\n"
                    "  Carts .............   9\t2\n");
    asked(&k, 1, "Who is the tenant?", "Tenant: Ulla Rook");
    asked(&k, 1, "How many wheels are there?", "Number of wheels: 3");
    asked(&k, 1, "What is the limit for a cart?", "Each cart: 70");
    asked(&k, 1, "What is the deposit for boats?", "Boats: none");
    asked(&k, 1, "What is the limit for a sack of rye?", "Sack (rye): 40");
    asked(&k, 1, "What is the limit for a sack?", NULL); // which one?
    asked(&k, 1, "What is the limit for carts of hay?", NULL);
    asked(&k, 1, "What is the limit for sheds?", NULL);
    asked(&k, 1, "What is the deposit for carts?", NULL);
    asked(&k, 1, "When did the tenant die?", NULL);
    asked(&k, 1, "What are the stones?", NULL); // a page
    kvz_close(k);
}

// So do the labels of a form, whose values stand below one another.
static void test_form(void **state)
{
    (void)state;
    struct kvz *k =
        index_text("form.txt", "PARTICULARS\n\nTenant:            Ulla Rook of the\n"
                               "                   lower mill\n\n"
                               "First Payment\nDate:              24 June 2022\n\n"
                               "Deposit:           400 crowns\n\n"
                               "Cart:              two wheels\nCart:              four wheels\n\n"
                               "The first payment is due on the First Payment Date.\n"
                               "Mill:     it is old, and nobody has looked after it for long.\n");
    asked(&k, 1, "What is the first payment date?", "First Payment Date: 24 June 2022");
    asked(&k, 1, "How much is the deposit?", "Deposit: 400 crowns");
    asked(&k, 1, "How much is the deposit for boats?", NULL);
    asked(&k, 1, "What is the cart?", NULL);  // which one?
    asked(&k, 1, "What is the mill?", NULL);  // a sentence
    asked(&k, 1, "What is a deposit?", NULL); // the word
    kvz_close(k);
}

// The longest label of a form leaves one blank before its value.
static void test_long_labels(void **state)
{
    (void)state;
    struct kvz *k = index_text("long.txt", "Cart:            two wheels\n"
                                           "Deposit of oats: up to 40 sacks\n"
                                           "Boats:           none\n\n"
                                           "Deposit of rye: it is as large as that of oats.\n"
                                           "Wheels: three\n");
    asked(&k, 1, "What is the deposit of oats?", "Deposit of oats: up to 40 sacks");
    asked(&k, 1, "What is the cart?", "Cart: two wheels");
    asked(&k, 1, "What is the deposit of rye?", NULL);
    asked(&k, 1, "How many wheels are there?", NULL);
    kvz_close(k);
}

// So do the blanks of a statement, whose sums end below one another.
static void test_sums(void **state)
{
    (void)state;
    struct kvz *k = index_text("sums.txt", "Accounts of the mill, from its clerk:\n\n  in\n"
                                           "  balance 31 Dec 1930          88.00\n"
                                           "    flour sold              1,212.00\n"
                                           "    rent of the sheds          60.50\n"
                                           "  out\n"
                                           "    stones                    310.00\n"
                                           "    tax, two years             12.25\n"
                                           "    rope                        9.00\n"
                                           "  balance 30 June 1931        941.25\n\n"
                                           "The rope was the cheapest of all that we bought.\n\n"
                                           "  rope, new                 3 to 4\n"
                                           "  rope, old                 4.00    5.00\n");
    asked(&k, 1, "What was the balance on 30 June 1931?", "balance 30 June 1931: 941.25");
    asked(&k, 1, "What was the balance on 31 December 1930?", "balance 31 Dec 1930: 88.00");
    asked(&k, 1, "What was the balance on 31 November 1930?", NULL);
    asked(&k, 1, "How much was the rent of the sheds?", "rent of the sheds: 60.50");
    asked(&k, 1, "What was the balance on 30 June 1932?", NULL);
    asked(&k, 1, "What was the balance of the sheds?", NULL);
    asked(&k, 1, "How much is the tax?", NULL); // of two years
    asked(&k, 1, "What are the stones?", NULL); // no sum
    asked(&k, 1, "How many stones are there?", NULL);
    asked(&k, 1, "How much is the new rope?", NULL);
    asked(&k, 1, "How much is the old rope?", NULL);
    kvz_close(k);
}

// So do the blanks before values that begin in one column, whatever is above them.
static void test_aligned(void **state)
{
    (void)state;
    struct kvz *k = index_text("hire.txt", "Part B. Prices of carts\n\n"
                                           "    Hand cart          £40\n"
                                           "    Mule cart          £65, with the mule\n"
                                           "    Dog cart           none\n\n"
                                           "Part C. Day rates\n\n"
                                           "    Grade              Pay\n"
                                           "    Groom              £7\n"
                                           "    Head groom         £9\n\n"
                                           "Nothing here is owed by the smith      or by us.\n\n"
                                           "    int hire;          /* of a day */\n"
                                           "    int rate;          /* of a week */\n");
    asked(&k, 1, "What is the price of a mule cart?", "Mule cart: £65, with the mule");
    asked(&k, 1, "What is the day rate of a head groom?", "Head groom: £9");
    asked(&k, 1, "What is the pay of a groom?", "Groom: £7"); // the name of the column
    asked(&k, 1, "What does a hand cart cost?", "Hand cart: £40");
    asked(&k, 1, "What is the price of a cart?", NULL); // which one?
    asked(&k, 1, "What is the price of a head smith?", NULL);
    asked(&k, 1, "What is owed by the smith?", NULL);
    asked(&k, 1, "What is the rate?", NULL);
    kvz_close(k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_schedule), cmocka_unit_test(test_form),
                                       cmocka_unit_test(test_long_labels),
                                       cmocka_unit_test(test_sums), cmocka_unit_test(test_aligned)};
    return cmocka_run_group_tests(tests, engine_set_up, engine_tear_down);
}
