// Lines of code and of settings are said with what leads them in as they stand to one another, and
// with dots for those between.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "engine/passage/verbatim.h"

// What stands in TEXT from FIRST to the end of LAST, led in by LEAD, if that is not NULL.
static struct extent extent_in(const char *text, const char *lead, const char *first,
                               const char *last)
{
    struct extent f = {.is_sentence = 1};
    lines_of_text(&f.c, text, strlen(text));
    f.from = f.own = (size_t)(strstr(text, first) - text);
    f.to = (size_t)(strstr(text + f.from, last) - text) + strlen(last);
    f.lead = f.lead_end = f.from;
    if (lead) {
        f.lead = (size_t)(strstr(text, lead) - text);
        f.lead_end = f.lead + strlen(lead);
    }
    return f;
}

static void is_said(struct extent f, const char *want)
{
    assert_true(verbatim_find(&f));
    char *out = malloc(verbatim_most(&f) + 1);
    assert_non_null(out);
    const size_t n = verbatim_put(&f, out);
    assert_in_range(n, 1, verbatim_most(&f));
    out[n] = 0;
    assert_string_equal(out, want);
    free(out);
}

static const char SERVER[] = "server {\n"
                             "    location /api/ {\n"
                             "        proxy_pass http://127.0.0.1:9000;\n"
                             "        # Old: 30s. Ada changed it.\n"
                             "        proxy_read_timeout 75s; # Long. Ada asked for it.\n"
                             "    }\n"
                             "}\n";
static const char SERVICES[] = "services:\n"
                               "  db:\n"
                               "    image: postgres\n"
                               "    port: 5432\n"
                               "  cache:\n"
                               "    port: 6379\n";

static void test_indentation(void **state)
{
    (void)state;
    is_said(extent_in(SERVICES, "services:", "db:", "5432"),
            "services:\n  db:\n    image: postgres\n    port: 5432");
    is_said(extent_in(SERVICES, NULL, "db:", "5432"), "db:\n  image: postgres\n  port: 5432");
    // The first line is set in more than the last ones.
    is_said(extent_in(SERVER, NULL, "proxy_read", "75s; # Long. Ada asked for it.\n    }"),
            "    proxy_read_timeout 75s; # Long. Ada asked for it.\n}");
    is_said(extent_in("if a:\n\tb(7)\n    c(8)\n", NULL, "b(7)", "c(8)"), "\tb(7)\n    c(8)");
    is_said(extent_in("a();\n\n    b(7);\r\n\n    c(8);\n", NULL, "b(7)", "c(8);"),
            "b(7);\n\nc(8);");
}

static void test_dots(void **state)
{
    (void)state;
    is_said(extent_in(SERVER, "location /api/ {", "proxy_read", "for it."),
            "location /api/ {\n    \u2026\n    proxy_read_timeout 75s; # Long. Ada asked for it.");
    is_said(extent_in(SERVER, "location /api/ {", "proxy_pass", "9000;"),
            "location /api/ {\n    proxy_pass http://127.0.0.1:9000;");
    is_said(extent_in(SERVICES, "services:", "cache:", "6379"),
            "services:\n  \u2026\n  cache:\n    port: 6379");
}

// What would be live without the sign of its comment is said from that on.
static void test_whole_lines(void **state)
{
    (void)state;
    is_said(extent_in(SERVER, NULL, "Ada changed it.", "75s;"),
            "# Old: 30s. Ada changed it.\nproxy_read_timeout 75s; # Long. Ada asked for it.");
    is_said(extent_in("# Changed in May. RATE = 3\nRATE = 4\n", NULL, "RATE = 3", "RATE = 3"),
            "# Changed in May. RATE = 3");
}

static void test_prose(void **state)
{
    (void)state;
    struct extent f = extent_in(SERVER, NULL, "Ada changed it.", "Ada changed it.");
    assert_false(verbatim_find(&f)); // what a comment says
    f = extent_in("The port is\n  closed.", NULL, "The", "closed.");
    assert_false(verbatim_find(&f));
    f = extent_in("port: 7\nroom: 9\n", NULL, "port", "9"); // fields that nothing is set in under
    assert_false(verbatim_find(&f));
    f = extent_in(SERVICES, "services:", "db:", "5432");
    f.is_sentence = 0;
    assert_false(verbatim_find(&f));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_indentation), cmocka_unit_test(test_dots),
        cmocka_unit_test(test_whole_lines), cmocka_unit_test(test_prose)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
