// Questions about all rows of a table, and the numbers that these have.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "engine/survey/number.h"
#include "tests/unit/engine_fixture.h"
#include "tests/unit/survey_fixture.h"

static void test_rows(void **state)
{
    (void)state;
    struct kvz *k =
        index_text("stock.csv", "Article,Name,Category,Price EUR,Stock,Supplier,Warranty months\n"
                                "G-1,Garden hose 20 m,Garden,24.90,112,Hydro,24\n"
                                "G-2,Garden hose 50 m,Garden,49.50,38,Hydro,24\n"
                                "G-3,Hose reel,Garden,9.90,27,Hydro,36\n"
                                "T-1,Cordless drill 18 V,Tools,119.00,18,Nordkraft,36\n"
                                "T-2,Impact drill,Tools,74.50,0,Nordkraft,24\n"
                                "T-3,Hex key set,Tools,11.40,70,Wiking,120\n"
                                "Total,,,289.20,265,,\n");
    asked(&k, 1, "What is the most expensive article?",
          "Price EUR: 119.00 (T-1, Cordless drill 18 V)");
    asked(&k, 1, "Which is the cheapest article from Nordkraft?",
          "Price EUR: 74.50 (T-2, Impact drill)");
    asked(&k, 1, "What is the cheapest garden hose?", "Price EUR: 24.90 (G-1, Garden hose 20 m)");
    asked(&k, 1, "Which article has the longest warranty?",
          "Warranty months: 120 (T-3, Hex key set)");
    asked(&k, 1, "What is the lowest stock?", "Stock: 0 (T-2, Impact drill)");
    asked(&k, 1, "Which is cheaper, the cordless drill or the impact drill?",
          "Price EUR: 74.50 (T-2, Impact drill)\nPrice EUR: 119.00 (T-1, Cordless drill 18 V)");
    asked(&k, 1, "which drill costs more", "Price EUR: 119.00 (T-1, Cordless drill 18 V)");
    asked(&k, 1, "Which articles cost more than 70 euros?",
          "Price EUR: 119.00 (T-1, Cordless drill 18 V)\nPrice EUR: 74.50 (T-2, Impact drill)");
    asked(
        &k, 1, "Which tools have a warranty of at least 36 months?",
        "Warranty months: 36 (T-1, Cordless drill 18 V)\nWarranty months: 120 (T-3, Hex key set)");
    asked(&k, 1, "Which articles are out of stock?", "Stock: 0 (T-2, Impact drill)");
    asked(&k, 1, "List all articles from Nordkraft and Wiking.",
          "T-1, Cordless drill 18 V\nT-2, Impact drill\nT-3, Hex key set");
    asked(&k, 1, "How many articles does Hydro supply?",
          "3: G-1, Garden hose 20 m; G-2, Garden hose 50 m; G-3, Hose reel");
    asked(&k, 1, "What does Wiking supply?", "T-3, Hex key set");
    asked(&k, 1, "What are the articles from Wiking?", "T-3, Hex key set");
    // These ask for more than the rows tell, or are about others.
    asked(&k, 1, "Which supplier is the cheapest in winter?", NULL);
    asked(&k, 1, "Which supplier supplies the most articles?", NULL);
    asked(&k, 1, "Which articles from Felder are out of stock?", NULL);
    asked(&k, 1, "Which articles are not from Hydro?", NULL);
    asked(&k, 1, "Which is cheaper, the drill or the hose?", NULL);
    asked(&k, 1, "What is the heaviest article?", NULL);
    asked(&k, 1, "How many articles are in stock?", NULL);
    kvz_close(k);
}

// A column of other things than numbers of one unit has no most.
static void test_no_numbers(void **state)
{
    (void)state;
    struct kvz *k =
        index_text("trips.csv", "Trip;Price;Length;Date\nA Lindau;12 EUR;3 km;1.2.2023\n"
                                "B Bregenz;14 EUR;900 m;2.3.2024\nC Chur;n/a;2 km;4.5.2024\n"
                                "D Davos;1,210 EUR;-;1.1.2025\n");
    asked(&k, 1, "Which is the most expensive trip?", "Price: 1,210 EUR (D Davos)");
    asked(&k, 1, "Which is the longest trip?", NULL);
    kvz_close(k);
}

static void test_number(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t n;
        double value;
    } cases[] = {
        {"17", 2, 17},
        {"24.90", 5, 24.9},
        {"-3 C", 2, -3},
        {"0,99", 4, 0.99},
        {"1,285.50", 8, 1285.5},
        {"7,400", 5, 7400},
        {"$40 a", 3, 40},
        {"0.755", 5, 0.755},
        {"12.", 2, 12},
        {"1.285", 0, 0},
        {"10.11.2023", 0, 0},
        {"2024-09-19", 0, 0},
        {"8:30", 0, 0},
        {"x", 0, 0},
        {"", 0, 0},
        {"1,285,300", 9, 1285300},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double value = 0;
        const size_t n = number_of(cases[i].text, strlen(cases[i].text), &value);
        if (n != cases[i].n ||
            (n && (value > cases[i].value + 1e-9 || value < cases[i].value - 1e-9)))
            fail_msg("%s: %zu %g", cases[i].text, n, value);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_no_numbers),
        cmocka_unit_test(test_number),
    };
    return cmocka_run_group_tests(tests, engine_set_up, engine_tear_down);
}
