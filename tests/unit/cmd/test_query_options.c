// What --help of lctool query offers is what the engine knows by that name.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cmd/query_options.h"
#include "engine/method/method.h"
#include "engine/model/heads.h"
#include "io/file.h"

enum { LONGEST = 64 };

// The next of the choices at *AT, which moves behind it; 0 when there is none.
static int next_choice(const char **at, char name[LONGEST])
{
    const size_t n = strcspn(*at, "|");
    assert_true(n < LONGEST);
    snprintf(name, LONGEST, "%.*s", (int)n, *at);
    *at += n + ((*at)[n] == '|');
    return n > 0;
}

static const char *choices(const char *option)
{
    const struct opt *row = opt_find(query_options, option);
    assert_non_null(row);
    assert_non_null(row->choices);
    return row->choices;
}

static void test_ways_to_read(void **state)
{
    (void)state;
    char name[LONGEST];
    int n = 0;
    for (const char *at = choices("read"); next_choice(&at, name); n++) {
        const struct query_options o = {.read = name};
        const char *read = read_mode_name(query_ask_options(&o).read);
        assert_non_null(read);
        assert_string_equal(read, name);
    }
    assert_int_equal(n, N_READ_MODES - 1);
    assert_int_equal(query_ask_options(&(struct query_options){0}).read, READ_DEFAULT);
    assert_null(read_mode_name(READ_DEFAULT));
}

static void test_parts_of_a_method(void **state)
{
    (void)state;
    static const struct {
        const char *option;
        enum method_part part;
    } parts[] = {{"select", PART_SELECT},     {"probe", PART_PROBE},
                 {"reduce", PART_REDUCE},     {"voters", PART_VOTERS},
                 {"scope", PART_SCOPE},       {"allot", PART_ALLOT},
                 {"traverse", PART_TRAVERSE}, {"head-select-mode", PART_SHARE}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        char name[LONGEST];
        for (const char *at = choices(parts[i].option); next_choice(&at, name);) {
            struct method m = {0};
            struct err e;
            assert_int_equal(method_set(&m, parts[i].part, name, &e), 0);
            assert_string_equal(method_part(&m, parts[i].part), name);
        }
    }
}

// lctool-query(1) has a row for each method, which says what its parts are.
static void test_methods_in_the_manual(void **state)
{
    (void)state;
    static const enum method_part parts[] = {PART_REPRESENT, PART_PROBE, PART_REDUCE, PART_SELECT,
                                             PART_VOTERS,    PART_SCOPE, PART_ALLOT};
    const struct model model = {.heads = heads_at(0)};
    char name[LONGEST], *page;
    size_t bytes;
    struct err e;
    assert_int_equal(file_slurp("man/lctool-query.1", 1 << 20, &page, &bytes, &e), 0);
    for (const char *at = choices("method"); next_choice(&at, name);) {
        struct method m;
        char row[256];
        int n = snprintf(row, sizeof row, "\n.It Cm %s", name);
        assert_int_equal(method_find(&m, name, &model, &e), 0);
        for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
            n += snprintf(row + n, sizeof row - (size_t)n, " Ta %s",
                          m.any_index && parts[i] == PART_REPRESENT ? "any"
                                                                    : method_part(&m, parts[i]));
        strcat(row, "\n");
        if (!strstr(page, row))
            fail_msg("no row%s", row);
    }
    free(page);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ways_to_read),
        cmocka_unit_test(test_parts_of_a_method),
        cmocka_unit_test(test_methods_in_the_manual),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
