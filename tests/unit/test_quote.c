// What an answer costs, and when it gives way to a quotation.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "engine/ask/quote.h"

static void test_cost(void **state)
{
    (void)state;
    static const uint32_t read[] = {7, 8};
    static const float even[] = {900, 900, 900, 900}, ruled_out[] = {2, -INFINITY, 2};
    struct quote q = {.ids = read, .n = 2, .doubt = 1};
    q.cost += quote_cost(even, 4, 3);
    assert_float_equal(q.cost, log(4), 1e-6);
    q.cost += quote_cost(ruled_out, 3, 0);
    assert_float_equal(q.cost, log(8), 1e-6);
    assert_true(quote_is_better(&q, "It is.", 6, 2) && !quote_is_better(&q, "It is.", 6, 3)); // 2.08 nats
}

static void test_edges(void **state)
{
    (void)state;
    static const uint32_t read[] = {7};
    static const float logits[] = {0, 1};
    struct quote none = {.doubt = 0.1f}, one = {.ids = read, .n = 1, .doubt = 5};
    assert_true(!quote_is_better(&none, "Is it?", 6, 1) && !quote_is_better(&none, "", 0, 0));
    assert_true(quote_is_better(&one, "", 0, 0)); // no answer at all
    one.cost += quote_cost(logits, 2, 1);
    assert_false(quote_is_better(&one, "so", 2, 1));
    assert_true(quote_is_better(&one, "so?", 3, 1)); // the question again
    assert_true(quote_is_better(&one, "\xef\xbc\x9f", 3, 1));
    assert_false(quote_is_better(&one, "so?", 2, 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_cost), cmocka_unit_test(test_edges)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
