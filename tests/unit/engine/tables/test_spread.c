// Records of XML that is not set in, as programs write it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "engine/tables/spread.h"
#include "tests/unit/engine_fixture.h"
#include "tests/unit/survey_fixture.h"

// Fails unless TEXT is spread as LINES; NULL: it is not.
static void spreads(const char *text, const char *lines)
{
    const struct lines c = {.text = text, .n = strlen(text)};
    struct spread x;
    struct err e;
    const int rc = spread_init(&x, &c, &e);
    if (rc != (lines != NULL) || (lines && strcmp(x.text, lines) != 0))
        fail_msg("%s: %d %s", text, rc, rc > 0 ? x.text : "");
    spread_done(&x);
}

static void test_lines(void **state)
{
    (void)state;
    spreads("<a><b>1</b><c x=\"2\"/></a>", "<a>\n  <b>1</b>\n  <c x=\"2\"/>\n</a>\n");
    spreads("<?xml version=\"1.0\"?>\n<a>\n<!-- <z> -->\n<b>\nof two\n</b></a>\n",
            "<a>\n  <b> of two </b>\n</a>\n");
    spreads("<a>\n  <b>1</b>\n</a>\n", NULL);             // it is set in
    spreads("<p>Text with <b>more</b> of it.</p>", NULL); // it is prose
    spreads("<a><b>1</b>", NULL);
    spreads("</a><b>1</b>", NULL);
    spreads("<a><![CDATA[1]]></a>", NULL);
    spreads("<lena@x.example> wrote", NULL);
    spreads("<a", NULL);
    spreads("<!--", NULL);
    spreads("text", NULL);
    spreads("", NULL);
}

static void test_source(void **state)
{
    (void)state;
    static const char text[] = "<a><b>1</b><c>2</c></a>";
    const struct lines c = {.text = text, .n = strlen(text)};
    struct spread x;
    struct err e;
    assert_int_equal(spread_init(&x, &c, &e), 1);
    assert_int_equal(x.n, 4);
    const struct span_of_text s = spread_source(&x, x.lines[2].at);
    assert_int_equal(span_bytes(s), strlen("<c>2</c>"));
    assert_memory_equal(text + s.from, "<c>2</c>", span_bytes(s));
    assert_int_equal(spread_source(&x, 1).to, 0);
    spread_done(&x);
}

static void test_records(void **state)
{
    (void)state;
    static const char *const books[] = {
        "<books><book><title>Salt</title><author>P. Vance</author><year>2007</year></book><book>"
        "<title>The Ferry</title><author>K. Ito</author><year>2011</year></book></books>\n",
        "<books>\n<book>\n<title>Salt</title>\n<author>P. Vance</author>\n<year>2007</year>\n"
        "</book>\n<book>\n<title>The Ferry</title>\n<author>K. Ito</author>\n<year>2011</year>\n"
        "</book>\n</books>\n",
        "<?xml version=\"1.0\"?>\n<books>\n"
        "<book><title>Salt</title><author>P. Vance</author><year>2007</year></book>\n"
        "<book><title>The Ferry</title><author>K. Ito</author><year>2011</year></book>\n</books>\n",
    };
    for (size_t i = 0; i < sizeof books / sizeof *books; i++) {
        struct kvz *k = index_text("books.xml", books[i]);
        asked(&k, 1, "What is the author of Salt?", "author: P. Vance (Salt)");
        asked(&k, 1, "What is the year of The Ferry?", "year: 2011 (The Ferry)");
        asked(&k, 1, "Who is the author of The Ferry?", "author: K. Ito (The Ferry)");
        asked(&k, 1, "What is the publisher of Salt?", NULL);
        asked(&k, 1, "What is the year of The Canal?", NULL);
        kvz_close(k);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_source),
        cmocka_unit_test(test_records),
    };
    return cmocka_run_group_tests(tests, engine_set_up, engine_tear_down);
}
