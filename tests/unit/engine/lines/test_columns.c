// Tables that are divided by blanks.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "engine/lines/columns.h"

// How many rows the table has that TEXT begins with; its bytes end where memory does.
static int count_rows(const char *text)
{
    const size_t n = strlen(text);
    char *own = malloc(n);
    struct columns t;
    struct lines c;
    int rows = 0;
    assert_non_null(own);
    memcpy(own, text, n);
    lines_of_text(&c, own, n);
    if (columns_begin(&t, &c, 0))
        while (columns_next(&t, &c))
            rows++;
    free(own);
    return rows;
}

static void test_rows(void **state)
{
    (void)state;
    static const char ruled[] = "Club       Capacity\n------     --------\nTown       900\n"
                                "Rovers     2400";
    assert_int_equal(count_rows(ruled), 2);
    assert_int_equal(count_rows("Name    Price  Tax\nApple   12     3\nPear    15     -4"), 2);
}

// A row that names the columns again heads those of another thing; an amount may have a blank.
static void test_named_again(void **state)
{
    (void)state;
    assert_int_equal(count_rows("Hall         Mon-Thu     Friday      Sat-Sun\n"
                                "  Clubs      \u00a311.00      \u00a314.00      \u00a318.00\n"
                                "  Others     \u00a3 9.00      \u00a312.00      \u00a315.00\n\n"
                                "Room         Mon-Thu     Friday      Sat-Sun\n"
                                "  Clubs      \u00a3 6.00      \u00a3 6.00      \u00a3 8.00\n"),
                     2);
    assert_int_equal(count_rows("Room         Mon-Thu     Friday      Sat-Sun\n"
                                "  Clubs      \u00a3 6.00      \u00a3 6.00      \u00a3 8.00\n"
                                "  Others     \u00a3 5.00      \u00a3 6.00      \u00a3 8.00\n"),
                     2);
}

// Four rows whose cells begin right below the names need neither a rule nor numbers.
static void test_aligned(void **state)
{
    (void)state;
    static const char head[] = "Name    Kind    Use\n", rows[] = "hose    long    for water\n"
                                                                 "lamp    red     for light\n"
                                                                 "rope    thick   for boats\n";
    char text[200];
    strcat(strcpy(text, head), rows);
    assert_int_equal(count_rows(text), 0); // three may be by chance
    strcat(text, "sail    new     for wind\n");
    assert_int_equal(count_rows(text), 4);
    strcat(strcpy(text, head), rows);
    strcat(text, "sail    a rag   for wind\n");
    assert_int_equal(count_rows(text), 0);
    strcat(strcpy(text, head), rows);
    strcat(text, "sail   new    for wind\n");
    assert_int_equal(count_rows(text), 0);
}

// Three rows that begin with codes do as well, whatever their cells are and go on in.
static void test_coded(void **state)
{
    (void)state;
    static const char head[] = "Item   What it is             Part no.      Owner\n",
                      rows[] = "R1     lathe, old, 2 kW       L77-12        tenant\n"
                               "R2     drill, new, 30 kg      K20-31        leased from Hale\n"
                               "                                            Finance plc\n";
    char text[400];
    strcat(strcpy(text, head), rows);
    assert_int_equal(count_rows(text), 0);
    strcat(text, "F1     belt, 300 mm           -             tenant\n");
    assert_int_equal(count_rows(text), 3);
    strcat(strcpy(text, head), rows);
    strcat(text, "belt   of two straps          -             tenant\n");
    assert_int_equal(count_rows(text), 0);
    strcat(strcpy(text, head), rows);
    strcat(text, "F1     belt, 300 mm              -          tenant\n");
    assert_int_equal(count_rows(text), 0);
    strcat(strcpy(text, "Item   What it is             See it.       Owner\n"), rows);
    strcat(text, "F1     belt, 300 mm           -             tenant\n");
    assert_int_equal(count_rows(text), 0);
}

// Numbers below all names, beside a column that has no name, need no capitals.
static void test_measured(void **state)
{
    (void)state;
    static const char head[] = "           ratio   speed of it\n",
                      rows[] = "zip -1      3.1      612 kB\nzip -2      4.3      390 kB\n";
    char text[200];
    strcat(strcpy(text, head), rows);
    assert_int_equal(count_rows(text), 0); // two may be by chance
    strcat(text, "zip -3      5.4      271 kB\n");
    assert_int_equal(count_rows(text), 3);
    strcat(strcpy(text, head), rows);
    strcat(text, "zip -3      5.4      none\n");
    assert_int_equal(count_rows(text), 0);
    assert_int_equal(count_rows("             now      in June\n"
                                "Oats         $3.1     $6.12\n"
                                "Rye, late    \u00a34.3     \u00a33.90\n"
                                "Hay          -5.4     2.71\n"),
                     3);
}

// A sign may be all that the last cell has.
static void test_sign_at_the_end(void **state)
{
    (void)state;
    static const char *const signs[] = {"+", "-", "(", "$"};
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        char text[80] = "Name    Price  Tax\nApple   12     3\nPear    15     ";
        strcat(text, signs[i]);
        assert_int_equal(count_rows(text), 2);
    }
}

// A letter before the words of a row is no cell of its own, nor does it take the name of one.
static void test_letters(void **state)
{
    (void)state;
    static const char text[] = "Part               Basic      Full\n"
                               "----------------------------------\n"
                               "A  Own money       $300       $600\n"
                               "   - in coins      $20        $40\n"
                               "B  Late departure  $25        $50\n";
    struct span_of_text names[COLUMNS_MOST], cells[COLUMNS_MOST];
    struct columns t;
    struct lines c;
    lines_of_text(&c, text, strlen(text));
    assert_int_equal(count_rows(text), 3);
    assert_true(columns_begin(&t, &c, 0) && columns_next(&t, &c));
    assert_int_equal(columns_cells(text, t.head, t.row, names, cells), 3);
    assert_memory_equal(text + cells[0].from, "A  Own money", span_bytes(cells[0]));
    assert_memory_equal(text + cells[2].from, "$600", span_bytes(cells[2]));
    assert_false(columns_are_in("A  note", 7));
    assert_true(columns_are_in("A  2400", 7));
    assert_true(columns_are_in("AB  note", 8));
}

// A row goes on in the lines below it; a cell that does is empty where others stand between.
static void test_broken_rows(void **state)
{
    (void)state;
    static const char text[] = "Class   Damage           Reply    Repair\n"
                               "---------------------------------------\n"
                               "C1      Pump stands      5 min    by the\n"
                               "                                  crew\n"
                               "C2      Pump leaks       2 h      4 days\n"
                               "        at the seal\n"
                               "C3      Pump is loud     1 day    never\n";
    struct span_of_text names[COLUMNS_MOST], cells[COLUMNS_MOST];
    struct columns t;
    struct lines c;
    lines_of_text(&c, text, strlen(text));
    assert_int_equal(count_rows(text), 3);
    assert_true(columns_begin(&t, &c, 0) && columns_next(&t, &c));
    assert_int_equal(columns_cells(text, t.head, t.row, names, cells), 4);
    assert_memory_equal(text + cells[1].from, "Pump stands", span_bytes(cells[1]));
    assert_memory_equal(text + cells[3].to - 4, "crew", 4);
    assert_true(columns_next(&t, &c));
    assert_int_equal(columns_cells(text, t.head, t.row, names, cells), 4);
    assert_int_equal(span_bytes(cells[1]), 0);
    assert_memory_equal(text + cells[2].from, "2 h", span_bytes(cells[2]));
    assert_memory_equal(text + cells[3].from, "4 days", span_bytes(cells[3]));
}

// Amounts of money are numbers, and a year may begin within another one.
static void test_money(void **state)
{
    (void)state;
    static const char head[] = "            2021-22    2022-23\n";
    char text[200];
    strcat(strcpy(text, head), "Oars       \u00a31,200.50  \u00a31,350.00\nSails         "
                               "\u00a3800.00    -\u00a3900.00\n");
    assert_int_equal(count_rows(text), 2);
    strcat(strcpy(text, head), "Oars          many       few\nSails         none       all\n");
    assert_int_equal(count_rows(text), 0);
}

// Dots that lead to the next cell are none of a name's.
static void test_led_rows(void **state)
{
    (void)state;
    static const char text[] = "                 Sum    Share\nHouse .......    400    12.5\n"
                               "Boats .......     60     3.0\n";
    struct span_of_text names[COLUMNS_MOST], cells[COLUMNS_MOST];
    struct columns t;
    struct lines c;
    lines_of_text(&c, text, strlen(text));
    assert_true(columns_begin(&t, &c, 0) && columns_next(&t, &c));
    assert_int_equal(columns_cells(text, t.head, t.row, names, cells), 3);
    assert_int_equal(span_bytes(cells[0]), strlen("House"));
    assert_memory_equal(text + cells[0].from, "House", strlen("House"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_money),       cmocka_unit_test(test_led_rows),
        cmocka_unit_test(test_broken_rows), cmocka_unit_test(test_letters),
        cmocka_unit_test(test_rows),        cmocka_unit_test(test_named_again),
        cmocka_unit_test(test_aligned),     cmocka_unit_test(test_coded),
        cmocka_unit_test(test_measured),    cmocka_unit_test(test_sign_at_the_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
