// Whether yes and no are those of what was read.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "engine/answer/verdict.h"

static void says_what_was_read(void **state)
{
    (void)state;
    static const struct {
        const char *text, *read, *question;
        int other;
    } cases[] = {
        {"No, it has no blobs.", "You may store blobs in any column.", "Does it have blobs?", 1},
        {"It doesn't have blobs.", "You may store blobs in any column.", "Has it blobs?", 1},
        {"It doesn\u2019t store blobs.", "You may store blobs anywhere.", "Are blobs stored?", 1},
        {"No. \nSince 3.6 it supports keys.", "Since 3.6 it supports keys. But they are off.",
         "Does it support keys?", 1},
        {"No.", "Keys are supported.", "Does it support keys?", 1},
        {"Yes.", "Dogs may not be kept.", "May I keep dogs?", 1},
        {"Yes, dogs may not be kept.", "Dogs may not be kept.", "May I keep dogs?", 1},
        {"No, boats are not let in the bay.", "Boats are let only in the bay.", "Are boats let?",
         1},
        {"No, boats are let only in the bay.", "Boats are let only in the bay.",
         "Are boats let in the bay?", 1},
        {"No, boats are let except on race days.", "Boats are let except on race days.",
         "Are boats let on race days?", 0},
        {"No, boats are let except in May.", "Boats are let except in May.", "Are boats let?", 1},
        {"No, boats are let only in the bay.", "Boats are let only in the bay.",
         "Are boats let on the river?", 0},
        {"No, boats are not let on the river.", "Boats are let only in the bay.",
         "Are boats let on the river?", 0},
        // The same in other words, and what the question has wrong.
        {"No, dogs are not allowed.", "Dogs are forbidden.", "Are dogs allowed?", 0},
        {"No, dogs are forbidden.", "Dogs are forbidden.", "Are dogs allowed?", 0},
        {"No.", "Dogs may not be kept.", "May I keep dogs?", 0},
        {"Yes.", "Dogs may be kept.", "May I keep dogs?", 0},
        {"No, the rent is 1285.", "The rent is 1285.", "Is the rent 900?", 0},
        {"No, Ada came.", "Ada came.", "Did Paul Brown come?", 0},
        {"No dogs.", "Dogs are not allowed.", "What is not allowed?", 0},
        {"Yes, it is not counted.", "It is not counted.", "Is it true that it is not counted?", 0},
        {"The mill.", "The mill is old.", "What is old?", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (verdict_is_other(cases[i].text, strlen(cases[i].text), cases[i].read,
                             strlen(cases[i].read), cases[i].question) != cases[i].other)
            fail_msg("%s: not %d", cases[i].text, cases[i].other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(says_what_was_read)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
