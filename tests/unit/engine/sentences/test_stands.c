// Which sentences can be read by themselves.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "engine/sentences/stands.h"

static void test_kinds_of_sentences(void **state)
{
    static const struct {
        const char *text;
        double stands;
    } kinds[] = {
        {"The tenant pays the rent on the first day of every quarter.", 1},
        {"2.1 The term is ten years from 1 May 2024.", 1},
        {"This Agreement is made between the council and Mrs Abernathy.", 1},
        {"This document describes the layout of the file system.", 1},
        {"Over the river the council keeps a footbridge of oak.", 1},
        {"\xc3\x9c"
         "ber den Fluss f\xc3\xbchrt eine alte Br\xc3\xbc"
         "cke aus Eichenholz.",
         1},
        {"\u5e02\u8b70\u4f1a\u306f\u6a4b\u3092\u4fee\u7406\u3059\u308b\u3002", 1},
        {"3.  The council repairs the bridge\n      of the mill in May.", 1},
        {"`mill` grinds the corn of the whole village.", 1},
        {"The council (which met in May) repaired the bridge (at last.)", 1},
        {"For example, the tenant of the mill pays on the first of March.", STANDS_LEANING},
        {"In fact the tenant of the mill pays on the first of March.", STANDS_LEANING},
        {"The same applies to the roof of the mill.", STANDS_LEANING},
        {"See the conditions of the lease in appendix B.", STANDS_LEANING},
        {"For tenants of the mill the rent is due on the first of March.", 1},
        {"This is why the tenant keeps a book of the rent.", STANDS_LEANING},
        {"However, the council may renew the lease in writing.", STANDS_LEANING},
        {"They breed in holes under the roofs of old houses.", STANDS_LEANING},
        {"The council hereby repairs all of them.", STANDS_LEANING},
        {"In this case the council repairs the roof of the mill.", STANDS_LEANING},
        {"What does the tenant repair in the mill?", STANDS_LEANING},
        {"\"The council never mended that bridge,\" said the miller.", STANDS_LEANING},
        {"The council has met in May, and here is the outcome.", STANDS_IN_LINE},
        {"The rules of the council for tenants are as follows.", STANDS_IN_LINE},
        {"The council says that here is where the old footbridge of oak stood.", 1},
        {"The council minutes say that the rent is here and there.", 1},
        {"The council minutes say that the rent here is low.", 1},
        {"Council minutes of the meeting in September", STANDS_IN_LINE},
        {"[12/03/2025, 18:16:10] Mara: everyone must bring a beacon, a shovel and a probe",
         STANDS_IN_LINE},
        {"GET,items,200,ok then some words of prose.", STANDS_IN_LINE},
    };
    (void)state;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        print_message("%s\n", kinds[i].text);
        assert_true(stands_alone(kinds[i].text, strlen(kinds[i].text)) == kinds[i].stands);
    }
}

static void test_pieces_and_programs_are_less(void **state)
{
    static const char *const texts[] = {
        "So it is.",
        "[13/03/2025, 08:01:12] Tom: sent",
        "compilations and detecting when the same compilation is being done again.",
        "\u2192 See the page of the council on the bridge.",
        "[![Build Status](https://ci.example.org/badge.svg)](https://ci.example.org/status)",
        "if (v[i].start == first) return next[i];",
        "Adler, Berta        55      Mill Lane.",
        "| Name | Rent | Day | Place |",
    };
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        print_message("%s\n", texts[i]);
        assert_true(stands_alone(texts[i], strlen(texts[i])) < STANDS_IN_LINE);
    }
}

static void test_ends_of_sentences(void **state)
{
    (void)state;
    static const char *const ended[] = {"Rent is 5.50 a day.", "\"Who pays?\"\n",
                                        "It is due (on Monday.)", "He said \u201cno.\u201d"},
                             *const open[] = {"Rent is 5.50 a day", "12:01 GET /index 200", ""};
    for (size_t i = 0; i < sizeof ended / sizeof *ended; i++)
        assert_true(stands_ended(ended[i], strlen(ended[i])));
    for (size_t i = 0; i < sizeof open / sizeof *open; i++)
        assert_false(stands_ended(open[i], strlen(open[i])));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kinds_of_sentences),
        cmocka_unit_test(test_ends_of_sentences),
        cmocka_unit_test(test_pieces_and_programs_are_less),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
