// What is asked of a diff: what was before, and what is now.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/unit/engine_fixture.h"
#include "tests/unit/survey_fixture.h"

#define GONE "-#define MAX_CLIENTS 64"
#define NEW  "+#define MAX_CLIENTS 256"
#define CONFIG                                                                                     \
    "--- a/config.h\n+++ b/config.h\n@@ -1,4 +1,4 @@\n #define NAME \"relay\"\n" GONE "\n" NEW     \
    "\n #define PORT 7000\n-#define VERBOSE 1\n+#define VERBOSE 0\n"

static void test_before_and_now(void **state)
{
    (void)state;
    struct kvz *k = index_text("config.diff", CONFIG);
    asked(&k, 1, "What was MAX_CLIENTS before?", GONE);
    asked(&k, 1, "What was the old value of MAX_CLIENTS in config.h?", GONE);
    asked(&k, 1, "What is MAX_CLIENTS now?", NEW);
    asked(&k, 1, "What is MAX_CLIENTS?", NEW);
    asked(&k, 1, "What was MAX_CLIENTS?", GONE "\n" NEW);
    asked(&k, 1, "How did MAX_CLIENTS change?", GONE "\n" NEW);
    asked(&k, 1, "What was VERBOSE changed from?", "-#define VERBOSE 1");
    asked(&k, 1, "What was VERBOSE changed to?", "+#define VERBOSE 0");
    asked(&k, 1, "What is the PORT now?", "#define PORT 7000");
    asked(&k, 1, "What was MAX_SERVERS before?", NULL);
    asked(&k, 1, "What was CLIENTS before?", NULL);
    asked(&k, 1, "What was PORT in server.h before?", NULL);
    kvz_close(k);
}

// Lines with signs that are no diff's, and what ends a hunk.
static void test_hunks(void **state)
{
    (void)state;
    struct kvz *k = index_text("list.txt", "Bring to the lake:\n- the old tent\n+ the new stove\n");
    asked(&k, 1, "What was the tent before?", NULL);
    kvz_close(k);
    k = index_text("two.diff",
                   "diff --git a/a.conf b/a.conf\n--- a/a.conf\n+++ b/a.conf\n@@ -1,2 +1,2 @@\n"
                   "-timeout = 30\n+timeout = 45\n workers = 4\n"
                   "diff --git a/README b/README\n--- a/README\n+++ b/README\n@@ -3,1 +3,2 @@\n"
                   " The server waits for its timeout.\n+It then stops.\n"
                   "Sent by the timeout team\n- timeout of mails = 2\n");
    asked(&k, 1, "What was the timeout before?", "-timeout = 30");
    asked(&k, 1, "What is the timeout in a.conf now?", "+timeout = 45");
    asked(&k, 1, "What are workers now?", "workers = 4");
    asked(&k, 1, "What were retries before?", NULL);
    kvz_close(k);
}

// A text beside the diff may say what is.
static void test_beside(void **state)
{
    (void)state;
    struct kvz *k[] = {index_text("beside.diff", CONFIG),
                       index_text("notes.txt", "We had some MAX_CLIENTS trouble in May.\n")};
    asked(k, 2, "What was MAX_CLIENTS before?", GONE);
    asked(k, 2, "What was MAX_CLIENTS?", NULL);
    asked(k, 2, "What is the PORT now?", NULL); // no line changes it
    kvz_close(k[0]);
    kvz_close(k[1]);
}

// A hunk has so many lines as its header says: a remark below it is no line of it.
static void test_remarks(void **state)
{
    (void)state;
    struct kvz *k =
        index_text("review.txt", "--- a/c.h\n+++ b/c.h\n@@ -7 +7 @@\n-PORT = 1\n+PORT = 2\n\n"
                                 "- PORT is what the tests use, please check.\n"
                                 "+ PORT 9 would be better, I think.\n");
    asked(&k, 1, "What was PORT before?", "-PORT = 1");
    asked(&k, 1, "What is PORT now?", "+PORT = 2");
    kvz_close(k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_before_and_now),
        cmocka_unit_test(test_hunks),
        cmocka_unit_test(test_beside),
        cmocka_unit_test(test_remarks),
    };
    return cmocka_run_group_tests(tests, engine_set_up, engine_tear_down);
}
