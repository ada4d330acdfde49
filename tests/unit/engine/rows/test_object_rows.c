// Questions about lists of objects as rows.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/unit/engine_fixture.h"
#include "tests/unit/survey_fixture.h"

// Objects on one line, on a line each, as JSON Lines.
static void test_users(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "{\"users\": [{\"name\": \"anne\", \"role\": \"admin\", \"active\": true}, {\"name\": "
        "\"bert\", \"role\": \"editor\", \"active\": false}, {\"name\": \"carla\", \"role\": "
        "\"viewer\", \"active\": true}]}",
        "{\"users\": [\n  {\"name\": \"anne\", \"role\": \"admin\", \"active\": true},\n  "
        "{\"name\": \"bert\", \"role\": \"editor\", \"active\": false},\n  {\"name\": \"carla\", "
        "\"role\": \"viewer\", \"active\": true}\n]}\n",
        "{\"name\":\"anne\",\"role\":\"admin\",\"active\":true}\n"
        "{\"name\":\"bert\",\"role\":\"editor\",\"active\":false}\n"
        "{\"active\":true,\"name\":\"carla\",\"role\":\"viewer\"}\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct kvz *k = index_text("users.json", texts[i]);
        const int called = i < 2; // something says that they are users
        asked(&k, 1, "Which users are inactive?", called ? "bert" : NULL);
        asked(&k, 1, "Which users are active?", called ? "anne\ncarla" : NULL);
        asked(&k, 1, "Which users are not active?", called ? "bert" : NULL);
        asked(&k, 1, "Which people are inactive?", "bert");
        asked(&k, 1, "Who is the admin?", "anne");
        asked(&k, 1, "Which users are unpaid?", NULL);
        asked(&k, 1, "Which users are interactive?", NULL);
        kvz_close(k);
    }
}

// A value that is null or left out is an empty cell; lists in an object are no rows of it.
static void test_products(void **state)
{
    (void)state;
    struct kvz *k = index_text(
        "shop.json", "{\n  \"shop\": \"Marlow\",\n  \"products\": [\n"
                     "    {\n      \"sku\": \"A1\",\n      \"name\": \"Oak Lamp\",\n"
                     "      \"price\": 20.5,\n      \"paid\": \"2024-03-01\",\n"
                     "      \"parts\": [{\"name\": \"shade\", \"price\": 200.0}]\n    },\n"
                     "    {\n      \"sku\": \"B2\",\n      \"name\": \"Ash Lamp\",\n"
                     "      \"price\": 12.25,\n      \"paid\": null\n    },\n"
                     "    {\n      \"sku\": \"C3\",\n      \"name\": \"Elm Chair\",\n"
                     "      \"price\": 99.0\n    }\n  ]\n}\n");
    asked(&k, 1, "What is the most expensive product?", "price: 99.0 (C3, Elm Chair)");
    asked(&k, 1, "What is the sum of the prices?", "price: 131.75 in all (3 rows)");
    asked(&k, 1, "Which products are unpaid?", "B2, Ash Lamp\nC3, Elm Chair");
    asked(&k, 1, "What is the price of the Ash Lamp?", "price: 12.25 (Ash Lamp)");
    asked(&k, 1, "Which products are unsold?", NULL);
    kvz_close(k);
    // A list that breaks off has more.
    k = index_text("part.json",
                   "[{\"name\": \"oak\", \"price\": 3}, {\"name\": \"ash\", \"price\": "
                   "5}, {\"name\": \"elm\", \"price\": 4}, {\"name\": \"fir\", ");
    asked(&k, 1, "What is the most expensive product?", NULL);
    kvz_close(k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_users),
        cmocka_unit_test(test_products),
    };
    return cmocka_run_group_tests(tests, engine_set_up, engine_tear_down);
}
