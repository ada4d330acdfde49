// Rows of tables, and the lines that head them.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "engine/lines/line_cells.h"
#include "engine/lines/lines.h"

static void test_rows(void **state)
{
    (void)state;
    static const char head[] = "id,name,city";
    const struct {
        const char *head, *row;
        int is;
    } cases[] = {
        {head, "17,Ada,Graz", 1},
        {head, "17,Ada", 0},
        {"17,Ada,Graz", "18,Bob,Oslo", 0}, // names no columns
        {head, "He came, saw, and won.", 0},
        {"Name\tAge\tTown", "Ada\t36\tGraz", 1},
        {"\t2021\t2022", "Adult\t5.00\t5.20", 1},
        {"\t      Take files  from  an archive.\t Members are", // prose of a manual
         "\t      given, they name some of  the\t files  of  the", 0},
        {"       Some files\tdiffer.\tIf", "       tar was\tgiven\tone", 0},
        {"a|b", "1|2", 0}, // a pair is no table
        {"Programme\tLoad\tTime", "Cotton Eco\t7 kg\t214 minutes", 1},
        {"name of it;pack;price", "anchor bolt M8;7 pcs;30.31", 1},
        {"Ticket;2021;2022", "Adult, day;5.00;5.20", 1},
        {"| Ticket | 2021 | 2022 |", "| Adult | 5.00 | 5.20 |", 1},
        {"Ada;1990;1992", "Bob;1991;1995", 0}, // years below years
        {"Sofa;1990;3", "Table;230;4", 0},     // one may be a price
        {"name,team,town", "Maria Lopez,Sales,New York", 1},
        {head, "The 1,234,567 of them went.", 0},
        {"name,\"price, EUR\",hall", "\"bolt, hex, M8\",0.12,Hall 3", 1},
        {head, "\"a \"\"b\"\", c\",1,2", 1},
        {head, "\"bolt,1,2", 1}, // a mark of inches, or of a quotation that goes on
        {"Ada;1990;1992;36", "Bob;3;5;25", 0},
        {"{\"name\":\"Ada\",\"city\":\"Graz\",\"age\":36}", // a record itself
         "{\"name\":\"Bob\",\"city\":\"Oslo\",\"age\":25}", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int is_prose = cases[i].row[strlen(cases[i].row) - 1] == '.'; // no head is looked for
        assert_int_equal(line_has_fields(cases[i].row, strlen(cases[i].row)), !is_prose);
        assert_int_equal(line_is_headed(cases[i].head, strlen(cases[i].head), cases[i].row,
                                        strlen(cases[i].row)),
                         cases[i].is);
    }
}

static void test_cells(void **state)
{
    (void)state;
    static const char row[] = "| a \\| b |\"c | d\"|";
    const size_t n = sizeof row - 1;
    assert_int_equal(line_cell_end(row, n, 0, '|'), 0);
    assert_int_equal(line_cell_end(row, n, 1, '|'), 9); // the bar behind the backslash is its own
    assert_int_equal(line_cell_end(row, n, 10, '|'), 13);
    assert_int_equal(line_cell_end(row, n, line_quotation(row, n, 10), '|'), n - 1);
    assert_int_equal(line_cell_end(row, n, n, '|'), n);
    assert_int_equal(line_cell_end(row, n, 1, ';'), n);
}

static void test_trimmed(void **state)
{
    (void)state;
    static const char text[] = " \t a b\r\n ";
    struct span_of_text v = span_trimmed(text, (struct span_of_text){0, sizeof text - 1});
    assert_int_equal(v.from, 3);
    assert_int_equal(v.to, 6);
    v = span_trimmed(text, (struct span_of_text){0, 2});
    assert_int_equal(v.from, 2);
    assert_int_equal(v.to, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_cells),
        cmocka_unit_test(test_trimmed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
