// Words of a question that ask for another thing than its other words name.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "engine/question/turn.h"

static int left_over(const char *question, const char *said)
{
    return turn_left_over(question, said, strlen(said));
}

static int denies(const char *text)
{
    return turn_denies(text, strlen(text));
}

static void test_denials(void **state)
{
    (void)state;
    assert_true(denies("Can I not copy?"));
    assert_true(denies("It won't start"));
    assert_true(denies("It won\u2019t start"));
    assert_true(denies("Er startet nicht"));
    assert_false(denies("What is the invoice no?"));
    assert_false(denies("Tom's knot"));
    assert_true(left_over("Who does not supply it?", "Supplier: Castle"));
    assert_false(left_over("Who does not supply it?", "Castle never supplies it"));
    assert_false(left_over("Who supplies it?", "Castle does not"));
}

static void test_words(void **state)
{
    (void)state;
    assert_true(left_over("What is half the price?", "price: 4.50"));
    assert_true(left_over("What is the Old price?", "price: 4.50"));
    assert_false(left_over("What is the Old price?", "OLD PRICE: 5.00"));
    assert_true(left_over("What did it cost before May?", "8.50"));
    assert_true(left_over("What is the price per kg?", "price: 2.10"));
    assert_false(left_over("What is the price per kg?", "price/kg: 2.10"));
    assert_false(left_over("What is the price?", "8.50"));
    assert_false(left_over("", ""));
}

static void test_numbers(void **state)
{
    (void)state;
    assert_true(left_over("What do two filters cost?", "11.90 (filter)"));
    assert_true(left_over("What do 10 filters cost?", "11.90 (filter)"));
    assert_false(left_over("What does one filter cost?", "11.90 (filter)"));
    assert_false(left_over("What was it in 2022?", "2022: 9.00"));
    assert_false(left_over("Who came on 3 March?", "03 March: Ann"));
    assert_false(left_over("Who are the two chairs?", "2 chairs: Ann, Ed"));
    assert_true(left_over("How warm was it on 4 May?", "Heat: 4.7 (North)"));
    assert_true(left_over("How warm was it on 7 May?", "Heat: 4.7 (North)"));
    assert_false(left_over("When was it 4.7?", "Heat: 4.7"));
    assert_false(left_over("What costs 4 euros?", "4.00: a hinge"));
    assert_false(left_over("Who came on 4 May?", "4.5.2024: Ann"));
    assert_false(left_over("What is in 4.7.2?", "4.7.2: pumps"));
    assert_false(left_over("What is WB-13?", "WB-13: a basket"));
    assert_false(left_over("What is K60?", "a kiln"));
    assert_false(left_over("What is 123456789012345678901234567890?", "a number"));
}

static int told_apart(const char *question, const char *said, const char *text)
{
    return turn_tells_apart(question, said, strlen(said), text, strlen(text));
}

static void test_apart(void **state)
{
    (void)state;
    static const char text[] =
        "The new\n boiler has no. 7; the second pump, no. 9. New, the lamp is.";
    assert_true(told_apart("What no. has the new gas boiler?", "No.: 3 (Gas)", text));
    assert_true(told_apart("What no. has the New boiler?", "No.: 3 (Gas)", text));
    assert_true(told_apart("What no. have the second pumps?", "No.: 3 (Pump)", text));
    assert_false(told_apart("What no. has the gas boiler?", "No.: 3 (Gas)", text));
    assert_false(told_apart("What no. has the new boiler?", "No.: 3 (New boiler)", text));
    assert_false(told_apart("What no. has the new pump?", "No.: 3 (Pump)", text));
    assert_false(told_apart("What no. has the new lamp?", "No.: 3 (Lamp)", text));
    assert_false(told_apart("What is new of the boiler?", "No.: 3 (Gas)", text));
    assert_false(told_apart("", "", ""));
    // Whether a text need be looked at.
    assert_true(turn_calls_apart("The second pump?", "No.: 3", strlen("No.: 3")));
    assert_false(turn_calls_apart("The second pump?", "Second: 3", strlen("Second: 3")));
    assert_false(turn_calls_apart("The gas boiler?", "No.: 3", strlen("No.: 3")));
}

static int of_change(const char *question, const char *said)
{
    return turn_asks_of_change(question, said, strlen(said));
}

static void test_changes(void **state)
{
    (void)state;
    assert_true(of_change("Which version changed the default of keep?", "Default: 5 (keep)"));
    assert_true(of_change("When was the default of keep raised?", "Default: 5 (keep)"));
    assert_true(of_change("Who lowered the fee?", "Fee: 5"));
    assert_true(of_change("Why was it removed?", "Fee: 5"));
    assert_false(of_change("What is the default of keep?", "Default: 5 (keep)"));
    assert_false(of_change("What was added?", "Milk"));
    assert_false(of_change("When was keep added?", "Added: 3.1 (keep)"));
    assert_true(of_change("When was Ada added?", "Date: 2024-05-02 (Ada)"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_denials), cmocka_unit_test(test_words),
                                       cmocka_unit_test(test_numbers), cmocka_unit_test(test_apart),
                                       cmocka_unit_test(test_changes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
