// Groups of lines with labels.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "engine/lines/label.h"
#include "engine/sentences/cut.h"
#include "engine/sentences/label_group.h"

// What the line of WORD in TEXT is a part of: ALL; NULL: nothing.
static void groups(const char *text, const char *word, const char *all)
{
    struct lines c;
    size_t from, to;
    const char *at = strstr(text, word);
    assert_non_null(at);
    lines_of_text(&c, text, strlen(text));
    cut_sentence(&c, (size_t)(at - text), &from, &to);
    assert_int_equal(label_group(&c, &from, &to), all != NULL);
    if (!all)
        return;
    assert_int_equal(to - from, strlen(all));
    assert_memory_equal(text + from, all, to - from);
}

static void labels_of_settings(void **state)
{
    (void)state;
    // Blanks before the sign are none of the label's.
    groups("port    = 80\nhost    = ada\n\nuser    = bob\n", "host", "port    = 80\nhost    = ada");
    groups("int x = 3;\nint y = 4;\n", "int y", NULL);
    // Alone, however far it is set in.
    groups("    security: check the length\n\n    The rest.\n", "check", NULL);
    groups("Name: Ada\nAge: 36\n", "Age", "Name: Ada\nAge: 36");
}

static void entries_in_braces(void **state)
{
    (void)state;
    static const char two[] = "@book{knots,\n  author = {Olle},\n  year   = {2013},\n}\n\n"
                              "@book{salt,\n  author = {Helga},\n}\n",
                      first[] = "@book{knots,\n  author = {Olle},\n  year   = {2013},\n}";
    groups(two, "Olle", first);
    groups(two, "2013", first);
}

static void items_of_a_list(void **state)
{
    (void)state;
    static const char yaml[] = "- name: Ada\n  age: 36\n- name: Bob\n  age: 25\n  town: Graz\n";
    groups(yaml, "36", "- name: Ada\n  age: 36");
    groups(yaml, "Bob", "- name: Bob\n  age: 25\n  town: Graz");
    groups(yaml, "Graz", "- name: Bob\n  age: 25\n  town: Graz");
    // Items of one line each are fields.
    groups("- Name: Ada\n- Age: 36\n- Town: Graz\n", "36", "- Name: Ada\n- Age: 36\n- Town: Graz");
    // Numbered sentences are not.
    groups("1. Chilled goods: 3 pounds.\n2. Case picking: 31 pence.\n", "31", NULL);
    groups("1. Name: Ada\n2. Age: 36\n", "36", "1. Name: Ada\n2. Age: 36");
}

// A line of prose that happens to look labelled is a part of its sentence only.
static void prose(void **state)
{
    (void)state;
    groups("What was left of all that they had taken with them to the mill: nothing. One\n"
           "green lamp: lent to the miller, who has forgotten all about it by now. One bag\n"
           "of flour: given to Una.\n",
           "flour", NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(labels_of_settings),
        cmocka_unit_test(entries_in_braces),
        cmocka_unit_test(items_of_a_list),
        cmocka_unit_test(prose),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
