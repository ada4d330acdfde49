// Settings by the names of the groups that they are in.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/unit/engine_fixture.h"
#include "tests/unit/survey_fixture.h"

// The one of fewest other groups is meant, if each word of the question is in the names.
static void test_groups(void **state)
{
    (void)state;
    struct kvz *k = index_text("app.yaml", "service:\n  port: 8443\n  log_level: warn  # for now\n"
                                           "database:\n  host: pg-main\n  port: 5432\n"
                                           "  pool:\n    max: 40\n"
                                           "  replica:\n    host: pg-read\n    port: 5433\n"
                                           "queue:\n  retry:\n    backoff: 2s\n"
                                           "    max_backoff: 1m\n");
    asked(&k, 1, "What is the database port?", "port: 5432 (database)");
    asked(&k, 1, "What is the port of the database?", "port: 5432 (database)");
    asked(&k, 1, "What is the replica port?", "port: 5433 (database.replica)");
    asked(&k, 1, "What is the retry backoff?", "backoff: 2s (queue.retry)");
    asked(&k, 1, "What is the max backoff?", "max_backoff: 1m (queue.retry)");
    asked(&k, 1, "What is the log level of the service?", "log_level: warn (service)");
    asked(&k, 1, "What is the port?", NULL);
    asked(&k, 1, "What is the queue port?", NULL);
    asked(&k, 1, "What is the old database port?", NULL);
    asked(&k, 1, "What is the database service?", NULL);
    kvz_close(k);
    // Two of them are as near, and what is in no group is called by itself.
    k = index_text("two.yaml",
                   "north:\n  database:\n    port: 1\nsouth:\n  database:\n    port: 2\n");
    asked(&k, 1, "What is the database port?", NULL);
    asked(&k, 1, "What is the south database port?", "port: 2 (south.database)");
    kvz_close(k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_groups)};
    return cmocka_run_group_tests(tests, engine_set_up, engine_tear_down);
}
