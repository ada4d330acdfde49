// Where the text of a section begins whose title was found, in its table of contents or above it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "engine/passage/contents.h"
#include "engine/sentences/refers.h"
#include "tests/unit/engine_fixture.h"
#include "tests/unit/ok.h"

static const char ONE[] =
    "The mill\n\nK1. How is the wheel oiled?\nK2. Where does the flour go?\n"
    "K3. The sails are torn.\n\n"
    "K1. How is the wheel oiled?\n\nWith oil of flax. By hand.\n\n"
    "K2. Where does the flour go?\n\nInto sacks.\n\n"
    "K3. The sails are torn.\n\nSew them.\n\nThe miller sleeps.\n\nHe snores.\n";
static const char PAGES[] =
    "The mill\n\n1.1. How is the wheel oiled?\n1.2. Where does the flour go?\n"
    "2.1. Who mends the sails?\n2.2. The cat\n";
static const char FIRST[] = "1. Work\n\n1.1. How is the wheel oiled?\n\nWith oil of flax.\n\n"
                            "1.2. Where does the flour go?\n\nInto sacks.\n";

// The text that is below what the sentence that begins with FROM, of the document TEXT, names; ""
// where that is nothing.
static const char *below(struct kvz *k, uint32_t document, const char *text, const char *from,
                         size_t n, const char *question)
{
    static char found[32];
    const char *own;
    uint64_t at, bytes;
    struct err why;
    const uint64_t start = (uint64_t)(strstr(text, from) - text);
    const int rc = contents_below(k, &document, start, start + n, question, &at, &why);
    assert_true(rc >= 0);
    *found = 0;
    if (!rc)
        return found;
    OK(kvz_document_text(k, document, &own, &bytes, e));
    const size_t line = strcspn(own + at, "\n");
    assert_true(at + line < bytes && line < sizeof found);
    memcpy(found, own + at, line);
    found[line] = 0;
    return found;
}

static void test_one_document(void **state)
{
    (void)state;
    struct kvz *k = index_text("one.txt", ONE);
    static const char last[] = "K3. The sails are torn.\n\nSew", sleeps[] = "The miller sleeps.";
    assert_string_equal(below(k, 0, ONE, "K1.", 20, "How is the wheel oiled?"),
                        "With oil of flax. By hand.");
    // Of two entries the one that is asked for.
    assert_string_equal(below(k, 0, ONE, "K1.", 50, "Where does flour go?"), "Into sacks.");
    // The title itself, and what is none.
    assert_string_equal(below(k, 0, ONE, "K2. Where does the flour go?\n\n", 28, "Flour?"),
                        "Into sacks.");
    assert_string_equal(below(k, 0, ONE, last, 23, "Why are the sails torn?"), "");
    assert_string_equal(below(k, 0, ONE, sleeps, 18, "Who sleeps?"), "");
    assert_string_equal(below(k, 0, ONE, "With oil", 17, "Why oil?"), "");
    kvz_close(k);
}

static const char REFERRING[] =
    "* 1. Oiling the wheel\n* 2. Mending the sails\n\n1. Oiling the wheel\n===================\n\n"
    "With oil of flax.\n\nSchedule B: The rent\n\nTen pounds.\n\n2. Mending the sails\n"
    "====================\n\n2.1. By hand. 2 days.\n\nSee Oiling the wheel.\n";

// The line where what the sentence TEXT names begins in REFERRING; "" where that is nothing.
static const char *referred(struct kvz *k, const char *text)
{
    static char found[32];
    struct reference r;
    uint64_t at;
    struct err why;
    assert_true(refers_only(text, strlen(text), &r));
    const int rc = contents_referred(k, 0, text, &r, &at, &why);
    assert_true(rc >= 0);
    snprintf(found, sizeof found, "%.*s", rc ? (int)strcspn(REFERRING + at, "\n") : 0,
             rc ? REFERRING + at : "");
    return found;
}

static void test_referred(void **state)
{
    (void)state;
    struct kvz *k = index_text("see.txt", REFERRING);
    assert_string_equal(referred(k, "See Oiling the wheel."), "With oil of flax.");
    assert_string_equal(referred(k, "See Oiling the."), "");
    assert_string_equal(referred(k, "For more, see schedule B."), "Ten pounds.");
    assert_string_equal(referred(k, "See section 2."), "2.1. By hand. 2 days.");
    assert_string_equal(referred(k, "See clause 2.1."), "2.1. By hand. 2 days.");
    assert_string_equal(referred(k, "See section 3."), "");
    kvz_close(k);
}

// A page of contents, and one for each chapter.
static void test_pages(void **state)
{
    (void)state;
    static const char *const names[] = {"pages.txt", "first.txt"}, *const texts[] = {PAGES, FIRST};
    char paths[2][4096];
    const char *const inputs[] = {paths[0], paths[1]};
    int entry;
    for (int i = 0; i < 2; i++) {
        FILE *f = begin_file(names[i]);
        fputs(texts[i], f);
        end_file(f);
        snprintf(paths[i], sizeof paths[i], "%s", in_dir(names[i]));
    }
    encode_ok(small(inputs, 2, in_dir("pages.kvz")), NULL);
    struct kvz *k = open_ok(in_dir("pages.kvz"));
    assert_string_equal(below(k, 0, PAGES, "1.1.", 30, "How is the wheel oiled?"),
                        "With oil of flax.");
    assert_string_equal(below(k, 1, FIRST, "1.1.", 30, "How is the wheel oiled?"),
                        "With oil of flax.");
    assert_string_equal(below(k, 0, PAGES, "2.1.", 24, "Who mends the sails?"), "");
    assert_string_equal(below(k, 0, PAGES, "The mill", 8, "The mill?"), "");
    const uint64_t at = (uint64_t)(strstr(PAGES, "1.1.") - PAGES);
    OK(contents_has(k, 0, at, at + 30, &entry, e));
    assert_true(entry);
    OK(contents_has(k, 1, 9, 39, &entry, e));
    assert_false(entry);
    kvz_close(k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_one_document),
                                       cmocka_unit_test(test_referred),
                                       cmocka_unit_test(test_pages)};
    return cmocka_run_group_tests(tests, engine_set_up, engine_tear_down);
}
