// How somebody is reached who signed a letter or a mail.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/unit/engine_fixture.h"
#include "tests/unit/survey_fixture.h"

// The number stands a few lines below the name, before another name; that of an account is none.
static void test_signed(void **state)
{
    (void)state;
    static const char eide[] =
        "\"Gunnar Eide\nHead of Logistics, FjordTech AS\nTel. +47 55 01 02 03\"";
    struct kvz *k =
        index_text("letter.txt", "Dear Leila,\n\nIt is late.\n\nKind regards\nGunnar Eide\n"
                                 "Head of Logistics, FjordTech AS\n"
                                 "Tel. +47 55 01 02 03\n\nOn 17 Sep Leila Haddad wrote:\n"
                                 "> Dear Gunnar,\n> when does it come?\n> Leila\n\n"
                                 "Copies to:\nSam Whitlock\nIda Moe\n0171 555 0142\n\n"
                                 "Payable to IBAN NO93 8601 1117 947\n");
    asked(&k, 1, "What is the phone number of Gunnar Eide?", eide);
    asked(&k, 1, "What is Gunnar's telephone number?", eide);
    asked(&k, 1, "What is the phone number of Ida Moe?", "\"Ida Moe\n0171 555 0142\"");
    asked(&k, 1, "What is the phone number of Sam Whitlock?", NULL);
    asked(&k, 1, "What is the phone number of Leila Haddad?", NULL);
    kvz_close(k);
}

// How somebody signs counts more than what is said beside the name.
static void test_signs_otherwise(void **state)
{
    (void)state;
    struct kvz *k =
        index_text("letter.txt", "Ida Moe has the meter 2012 3456.\n\nKind regards\n\nIda Moe\n"
                                 "0171 555 0142\n");
    asked(&k, 1, "What is the phone number of Ida Moe?", "\"Ida Moe\n0171 555 0142\"");
    kvz_close(k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_signed),
                                       cmocka_unit_test(test_signs_otherwise)};
    return cmocka_run_group_tests(tests, engine_set_up, engine_tear_down);
}
