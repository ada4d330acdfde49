// Pages of manuals, which mandoc reads, where it is there.
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "io/doc/doc.h"
#include "tests/unit/io/doc/doc_fixture.h"
#include "tests/unit/own_dir.h"

static const char MAN[] =
    "'\\\" t\n.\\\" Made by hand.\n.TH MILL 1\n.SH NAME\nmill \\- grinds \\fBcorn\\fP\n"
    ".SH OPTIONS\n.TP\n\\fB\\-\\-fine\\fP\nTo caf\\['e] flour.\n";
static const char MDOC[] = ".Dd May 3, 2024\n.Dt KILN 8\n.Os\n.Sh NAME\n.Nm kiln\n.Nd burns lime\n";

// What is read of PATH, to be freed.
static char *text_of(const char *path)
{
    struct err e;
    char *got = read_all((const char *const[]){path}, 1, NULL, 7, &e);
    assert_non_null(got);
    return got;
}

static void has(const char *text, const char *const *parts)
{
    for (; *parts; parts++) {
        text = strstr(text, *parts);
        assert_non_null(text);
    }
}

static void reads_pages(void **state)
{
    (void)state;
    put_text("mill.1", MAN);
    put_packed("mill.1.gz", "gzip", MAN, sizeof MAN - 1);
    put_text("kiln", MDOC);
    char *plain = text_of("mill.1"), *packed = text_of("mill.1.gz"), *kiln = text_of("kiln");
    has(plain, (const char *const[]){"mill.1|man|", "NAME\n", "mill - grinds corn\n", "OPTIONS\n",
                                     "--fine", "To caf\xc3\xa9 flour.", NULL});
    assert_null(strchr(plain, '\b'));
    assert_null(strstr(plain, ".TH"));
    assert_string_equal(strchr(plain, '|'), strchr(packed, '|'));
    has(kiln, (const char *const[]){"kiln|man|", "NAME\n", "burns lime", NULL});
    free(plain);
    free(packed);
    free(kiln);
}

// A long comment before the page begins; its name tells.
static void reads_behind_comments(void **state)
{
    (void)state;
    static const char line[] = ".\\\" All rights of the miller are reserved, and his cat's.\n";
    char *all = calloc(100, sizeof line), *end = all;
    assert_non_null(all);
    for (int i = 0; i < 90; i++)
        end = stpcpy(end, line);
    strcpy(end, MDOC);
    put_text("kiln.8", all);
    put_text("kiln.txt", all);
    char *page = text_of("kiln.8"), *text = text_of("kiln.txt");
    has(page, (const char *const[]){"kiln.8|man|", "burns lime", NULL});
    assert_null(strstr(page, "reserved"));
    has(text, (const char *const[]){"kiln.txt|text|", "reserved", ".Dd May", NULL});
    free(all);
    free(page);
    free(text);
}

static void what_is_no_page(void **state)
{
    (void)state;
    put_text("a", ".TH");
    expect("a", "a|text|.TH;");
    put_text("a", "See\n.TH MILL 1\n");
    expect("a", "a|text|See\n.TH MILL 1\n;");
    put_text("a", ".profile is read first.\n");
    expect("a", "a|text|.profile is read first.\n;");
    put_text("mill.1", MAN);
    expect_as("mill.1", "text",
              "mill.1|text|"
              "'\\\" t\n.\\\" Made by hand.\n.TH MILL 1\n.SH NAME\nmill \\- "
              "grinds \\fBcorn\\fP\n.SH OPTIONS\n.TP\n\\fB\\-\\-fine\\fP\nTo caf\\['e] flour.\n;");
}

// Another file that it names is not read: it may come from a mail.
static void reads_no_other_file(void **state)
{
    (void)state;
    put_text("secret", "The key is under the mat.\n");
    put_text("kiln", ".TH KILN 8\n.SH NAME\nkiln\n.so secret\n.SH FILES\nnone\n");
    char *text = text_of("kiln");
    has(text, (const char *const[]){"kiln|man|", "NAME\n", "FILES\n", NULL});
    assert_null(strstr(text, "mat"));
    free(text);
}

// Without mandoc as it is written.
static void is_read_without_mandoc(void **state)
{
    (void)state;
    char *was = strdup(getenv("PATH"));
    setenv("PATH", "/nowhere", 1);
    put_text("kiln", MDOC);
    char *text = text_of("kiln");
    setenv("PATH", was, 1);
    has(text, (const char *const[]){"kiln|man|.Dd May 3, 2024\n", ".Nd burns lime\n", NULL});
    assert_non_null(strstr(notes, "kiln: is a page of a manual"));
    assert_non_null(strstr(notes, "package mandoc"));
    free(text);
    free(was);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_pages),
        cmocka_unit_test(reads_behind_comments),
        cmocka_unit_test(what_is_no_page),
        cmocka_unit_test(reads_no_other_file),
        cmocka_unit_test(is_read_without_mandoc),
    };
    return cmocka_run_group_tests(tests, own_dir_enter, own_dir_leave);
}
