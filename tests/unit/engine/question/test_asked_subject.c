// Whether a text tells of the thing that is asked for, or of another one, what was done to it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "engine/question/asked.h"

static void test_done_to(void **state)
{
    (void)state;
    static const struct {
        const char *question, *text;
        int want;
    } cases[] = {
        {"When was the weir repaired?", "The weir was repaired in May.", 1},
        {"When was the weir repaired?", "The old weir was finally repaired in May.", 1},
        {"When was the weir repaired?", "In May the boat was repaired below the weir.", -1},
        {"When was the weir repaired?", "The boat was repaired, and the weir was repaired too.", 1},
        {"When was the weir repaired?", "It was repaired in May, said the man at the weir.", 0},
        {"When was the weir repaired?", "The weir is of oak; which was repaired in May.", 0},
        {"When was the weir repaired?", "The boat was repaired in May.",
         0}, // lacks the weir anyway
        {"When was the weir repaired?", "The boat was painted beside the weir.", 0},
        {"Where are the keys kept?", "The lamps are kept in the shed with the keys.", -1},
        {"Who repaired the weir?", "The boat was repaired by the weir's men.", -1},
        {"Who chooses the secretary?", "It is chosen at random by the secretary.", 0},
        {"Who chooses the secretary?", "A day chosen by the old secretary.", -1},
        {"Who chooses the secretary?", "The secretary is chosen by the chair.", 0},
        {"Who was the secretary?", "The chair was the secretary's.", 0},
        {"What was repaired?", "The boat was repaired.", 0},
        {"When?", "It was repaired.", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        print_message("%s %s\n", cases[i].question, cases[i].text);
        assert_int_equal(asked_subject(cases[i].question, cases[i].text), cases[i].want);
    }
    assert_true(
        asked_of_another("When was the weir repaired?", "The boat was repaired at the weir."));
}

static void test_undone(void **state)
{
    (void)state;
    assert_true(asked_only_undone("How do I skip a file?", "-I  don't skip files that match"));
    assert_true(asked_only_undone("How can I open it?", "It is not opened by hand."));
    assert_false(asked_only_undone("How do I skip a file?", "-i  skip files, do not skip links"));
    assert_false(asked_only_undone("How do I skip a file?", "-I  ignore files"));
    assert_false(asked_only_undone("How do I not skip a file?", "don't skip files"));
    assert_false(asked_only_undone("When is a file skipped?", "It is not skipped."));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_done_to),
                                       cmocka_unit_test(test_undone)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
