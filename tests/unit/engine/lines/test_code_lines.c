// Code is said line by line, with the signs of its comments; prose that looks a little like it is
// not.
#include "engine/lines/code.h"
#include "tests/unit/engine/sentences/cut_fixture.h"

static void stays(const char *text)
{
    mends_to(text, text);
}

static void test_programs(void **state)
{
    (void)state;
    stays("static int a(void)\n{\n\t// old: return 1;\n\treturn 2;\n}\n");
    stays("def total(items, vat=0.2):\n    # The discount is applied before VAT.\n    return 1\n");
    stays("    for item in items:\n        total += item\n    return total\n");
    stays("if (n > 9) {\n    stop();\n} else {\n    go_on(n);\n}\n");
    stays("/* The limit. */\nint n = 7;\n");
    stays("-- old: limit = 3\nlimit = 7\nreturn limit\n");
}

static void test_commands(void **state)
{
    (void)state;
    stays("#!/bin/sh\nset -e\n# rm -rf /data\ncp -r /data /backup\n# old: KEEP=3\nKEEP=7\n");
    stays("cd /srv/app\nmake all && make install\nrm -r build\n");
    stays("rsync -a build/ web:/srv/www/\nlog \"published\"\n");
    stays("if [ ! -d build ]; then\n    log \"no build directory\"\n    exit 3\nfi\n");
    stays("for f in a b; do\n    mv $f c\ndone\n");
    mends_to("if it rains, then\nwe stay\n", "if it rains, then we stay\n");
    falls_into("if [ ! -d build ]; then\n    |n=\"None. All is lost.\"\n    |exit 3\nfi\n");
    falls_into("# It is late. |All sleep.\n|if [ ! -d build ]; then\n    exit 3\nfi\n");
    stays("#!/bin/sh\n# rm -rf /data\n# cp -r /old /data\nls\n"); // two commands that are switched
                                                                  // off
}

static void test_settings(void **state)
{
    (void)state;
    stays("server {\n    location /api/ {\n        proxy_pass http://127.0.0.1:9000;\n"
          "        proxy_read_timeout 75s;\n    }\n}\n");
    stays("user www-data;\nworker_processes 4;\n");
    stays("CREATE TABLE orders (\n    id integer PRIMARY KEY,\n    -- total numeric,\n"
          "    cents integer DEFAULT 0\n);\n");
    stays("# Seconds until it gives up\n# port = 7\nwait = 25\n");
    stays("# how often it is tried\n  retries: 7\n");
    stays("    ports:\n      - \"8081:80\"\n    environment:\n      DEBUG: \"false\"\n");
}

static void test_diffs(void **state)
{
    (void)state;
    stays("@@ -1,3 +1,3 @@ queue\n the queue is\n-held for an hour\n+held for a day\n and then\n");
    mends_to("the queue is\nheld for an hour\n", "the queue is held for an hour\n");
}

// Lines of a comment that is prose are joined as other prose is, below the code too.
static void test_comments(void **state)
{
    (void)state;
    mends_to("# The discount is\n# applied before VAT.\nRATE = 7\n",
             "# The discount is applied before VAT.\nRATE = 7\n");
    mends_to("/* What is left of\n * the day. */\nint left(void);\n",
             "/* What is left of the day. */\nint left(void);\n");
    mends_to("// Ferries have\n// many seats.\nconst Seats int = 148\n",
             "// Ferries have many seats.\nconst Seats int = 148\n");
}

static void test_prose(void **state)
{
    (void)state;
    mends_to("The tenant(s);\nand whoever lives\nwith them;\n",
             "The tenant(s); and whoever lives with them;\n");
    mends_to("copy all of it with\ncp -r a b\nand wait until it\nis done\n",
             "copy all of it with cp -r a b and wait until it is done\n");
    mends_to("the rate (n = 5) is\nlow, and x\nis high\n",
             "the rate (n = 5) is low, and x is high\n");
    mends_to("1. Start it; it takes a minute,\n   or two.\n2. Copy it:\n   ```\n   cp -r a b\n   "
             "rm -r a\n   ```\n",
             "1. Start it; it takes a minute, or two.\n2. Copy it:\n   ```\n   cp -r a b\n   "
             "rm -r a\n   ```\n");
    mends_to("with these words:\nlet it be known,\nthat the house,\nand the garden;\n",
             "with these words: let it be known, that the house, and the garden;\n");
    mends_to("for example:\nas in this one\nhere and\nin others\n",
             "for example: as in this one here and in others\n");
}

// A text within a program is apart from the line above and from what is below; its own lines are
// joined.
static void test_docstrings(void **state)
{
    (void)state;
    stays("def fetch_reading(url, retries=3, backoff=0.5):\n    \"\"\"Return the reading of the "
          "meter, or None.\"\"\"\n");
    stays("class Meter:\n    '''A meter of the house.'''\n    limit = 3\n");
    mends_to(
        "class Meter:\n    \"\"\"A meter of the house, which is read every day and told to\n"
        "    the office each month, where it is written down, and where it is\n"
        "    kept by the clerk.\"\"\"\n    the_limit = 3\n",
        "class Meter:\n    \"\"\"A meter of the house, which is read every day and told to the "
        "office each month, where it is written down, and where it is kept by the "
        "clerk.\"\"\"\n    the_limit = 3\n");
    mends_to("the sign is\n'''open''' in bold\n", "the sign is '''open''' in bold\n");
}

// What was thrown, and where.
static void test_traces(void **state)
{
    (void)state;
    stays("Traceback (most recent call last):\n  File \"/srv/convert.py\", line 48, in convert\n"
          "    rate = rates[row.currency]\nKeyError: 'CHF'\n");
    stays("2026-05-12 10:00:09 the cart failed\njava.io.IOException: closed\n"
          "    at com.shop.Pool.take(Pool.java:9)\n    at com.shop.Cart.load(Cart.java:12)\n");
    stays("TypeError: no function\n    at run (/srv/run.js:3:14)\n    at /srv/all.js:7:1\n");
    mends_to("    they come back\n    at the times 10:15 and 11:30\n",
             "    they come back at the times 10:15 and 11:30\n");
    mends_to("the words \"Traceback\" are\nin the log\n",
             "the words \"Traceback\" are in the log\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_programs),   cmocka_unit_test(test_commands),
        cmocka_unit_test(test_settings),   cmocka_unit_test(test_diffs),
        cmocka_unit_test(test_comments),   cmocka_unit_test(test_prose),
        cmocka_unit_test(test_docstrings), cmocka_unit_test(test_traces)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
