// Slips of the keyboard in a question.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/survey/spelling.h"
#include "tests/unit/engine_fixture.h"

static const char LEASE[] =
    "THE LANDLORD\n\nThe Landlord is Nesrin Aydin. Each landlord lets the kestrel house to "
    "tenants. "
    "A spirit level hangs beside the stove. Hanson and Hansen pay the rent in the marina.";

// CTX: words with a space before and behind each.
static int is_word(const void *ctx, const char *word, size_t n)
{
    char own[64];
    snprintf(own, sizeof own, " %.*s ", (int)n, word);
    return strstr(ctx, own) != NULL;
}

static struct kvz *indexes[2];

static int open_indexes(void **state)
{
    if (engine_set_up(state))
        return -1;
    indexes[0] = index_text("nothing.txt", "Nothing is here.");
    indexes[1] = index_text("lease.txt", LEASE);
    return 0;
}

static int close_indexes(void **state)
{
    kvz_close(indexes[0]);
    kvz_close(indexes[1]);
    return engine_tear_down(state);
}

static void becomes(const char *question, const char *wanted)
{
    char *out;
    struct err e;
    assert_int_equal(
        spelling_mended(&out, question, indexes, 2, is_word, " house horse marine ", &e), 0);
    if (wanted) {
        assert_non_null(out);
        assert_string_equal(out, wanted);
    } else {
        assert_null(out);
    }
    free(out);
}

static void test_slips(void **state)
{
    (void)state;
    becomes("Who is the lanlord?", "Who is the landlord?"); // a letter less
    becomes("when is the rennt due", "when is the rent due");
    becomes("who is the laandlord", "who is the landlord");             // one more
    becomes("Where is the sprit levle?", "Where is the spirit level?"); // two at once
    becomes("wich house", "which house");                               // how it is asked
    becomes("waht shoud the tenants pay", "what should the tenants pay");
    becomes("What is Nezrin's plot?", "What is Nesrin's plot?"); // another one
}

static void test_what_is_meant(void **state)
{
    (void)state;
    becomes("Who is the landlord?", NULL);
    becomes("Who flew to Lanlord?", NULL); // a name
    becomes("Tell me. Lanlord or tenant?", "Tell me. landlord or tenant?");
    becomes("WHO IS THE LANLORD?", "WHO IS THE landlord?");
    becomes("Who are the landlords?", NULL); // of the same stem
    becomes("Where is the stovery?", NULL);
    becomes("Who is the tenanty?", NULL); // made of "tenant"
    becomes("Where is the horse?", NULL); // a word of the language
    becomes("Where is the marine?", NULL);
    becomes("Does \"lanlord\" stand there?", NULL);
    becomes("Who is Hansan?", NULL);      // Hanson or Hansen?
    becomes("Who is the andlord?", NULL); // nothing begins like that
    becomes("Where is lan42lord?", NULL);
    becomes("", NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slips),
        cmocka_unit_test(test_what_is_meant),
    };
    return cmocka_run_group_tests(tests, open_indexes, close_indexes);
}
