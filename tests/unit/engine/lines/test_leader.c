#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "engine/lines/leader.h"

static void test_split(void **state)
{
    (void)state;
    static const struct {
        const char *row, *label, *value; // NULL: it is none
    } rows[] = {{"Rent ............ 1,200 a year", "Rent", "1,200 a year"},
                {"  Rent ............1,200", "  Rent", "1,200"},
                {"Rent.....$90", "Rent", "$90"},
                {"Rent .... 90", "Rent", "90"},
                {"Rent ....  90", "Rent", "90"},
                {"He waited .... Then he left.", NULL, NULL},
                {"Well.....then he left", NULL, NULL},
                {"Rent ............", NULL, NULL},
                {"........... 12", NULL, NULL},
                {"Rent", NULL, NULL},
                {"", NULL, NULL}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *text = rows[i].row;
        size_t label, value;
        assert_int_equal(leader_is_row(text, strlen(text)), rows[i].label != NULL);
        assert_int_equal(leader_split(text, strlen(text), &label, &value), rows[i].label != NULL);
        if (!rows[i].label)
            continue;
        assert_int_equal(label, strlen(rows[i].label));
        assert_memory_equal(text, rows[i].label, label);
        assert_string_equal(text + value, rows[i].value);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_split)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
