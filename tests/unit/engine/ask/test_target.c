// Names of documents: which one of several is asked, and what it is asked then.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>

#include "engine/ask/asking.h"
#include "engine/ask/target.h"
#include "tests/unit/asking_fixture.h"
#include "tests/unit/engine_fixture.h"
#include "tests/unit/ok.h"

static struct kvz *indexes[2];

// Further on than what the beginning tells of.
static struct kvz *index_below(const char *name, const char *title, const char *text)
{
    char all[2048];
    snprintf(all, sizeof all, "%s\n\n%0900d\n\n%s\n", title, 0, text);
    return index_text(name, all);
}

static void index_both(void)
{
    indexes[0] = index_below("house.txt", "THE LARKSPUR HOTEL", "Lunch costs three euros.");
    indexes[1] = index_below("boat.txt", "THE HERON FERRY", "Lunch costs nine euros.");
}

static void close_both(void)
{
    kvz_close(indexes[0]);
    kvz_close(indexes[1]);
}

static struct asking ask_both(const struct ask_options *o, int n, struct answer *a)
{
    return (struct asking){.m = F.m, .k = indexes, .n_k = n, .o = o, .a = a, .how.window = 32};
}

static void test_target_of_one(void **state)
{
    (void)state;
    struct answer a = {0};
    index_both();
    const struct ask_options o = {.question = "How much does lunch in the Larkspur cost?"};
    struct asking q = ask_both(&o, 1, &a);
    OK(target_find(&q, e));
    assert_string_equal(q.target.unnamed, "How much does lunch cost?");
    assert_string_equal(asking_ranked(&q), q.target.unnamed);
    assert_int_equal(q.target.n, 0); // there is no other
    asking_done(&q);
    const struct ask_options none = {.question = "How much does lunch cost?"};
    q = ask_both(&none, 1, &a);
    OK(target_find(&q, e));
    assert_null(q.target.unnamed);
    assert_string_equal(asking_ranked(&q), none.question);
    asking_done(&q);
    close_both();
}

static void test_target_of_several(void **state)
{
    (void)state;
    struct answer a = {0};
    index_both();
    const struct ask_options o = {.question = "How much does lunch on the Heron cost?"};
    struct asking q = ask_both(&o, 2, &a);
    OK(target_find(&q, e));
    assert_string_equal(q.target.unnamed, "How much does lunch cost?");
    assert_int_equal(q.target.first, kvz_n_blocks(indexes[0]));
    assert_int_equal(q.target.n, kvz_n_blocks(indexes[1]));
    asking_begin(&q);
    asking_vote(&q);
    OK(target_first(&q, e));
    for (int64_t i = 0; i < q.votes.ballot->n_blocks; i++) {
        const int64_t global = q.votes.ballot->order[i];
        assert_int_equal(global >= q.target.first, i < q.target.n);
        assert_true(i < q.target.n || q.votes.ballot->score[global] <= 0);
        for (int64_t k = 0; k < i; k++)
            assert_int_not_equal(q.votes.ballot->order[k], global);
    }
    asking_done(&q);
    close_both();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_target_of_one),
        cmocka_unit_test(test_target_of_several),
    };
    return cmocka_run_group_tests(tests, engine_set_up, engine_tear_down);
}
