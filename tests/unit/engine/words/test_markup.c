// Texts without the commands of their markup.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "engine/words/markup.h"

static void strips(const char *text, const char *words)
{
    const size_t n = strlen(text);
    char *own = malloc(n + 1);
    assert_non_null(own);
    memcpy(own, text, n);
    own[markup_strip(own, n)] = 0;
    assert_string_equal(own, words);
    free(own);
}

static void test_commands(void **state)
{
    (void)state;
    strips("Give @samp{bzip2 -d} or @file{x.bz2}, @strong{not @code{a}}.",
           "Give bzip2 -d or x.bz2, not a.");
    strips("@node One, Two, , Top\n@section One\n\n@itemize\n@item @samp{a} is a letter.\n@end "
           "itemize\n",
           "One\n\na is a letter.\n");
    strips(
        "=head2 How?\n\nUse C<reverse()> in B<scalar I<context>>.\n\n=over 4\n=item * one\n=back\n",
        "How?\n\nUse reverse() in scalar context.\n\none\n");
    strips("@emph{that is,\na sign}", "that is,\na sign");
    strips("The swift (\\emph{Apus apus}) has \\textbf{two {or} three} eggs.",
           "The swift (Apus apus) has two {or} three eggs.");
}

static void test_directives(void **state)
{
    (void)state;
    strips(".. contents:: Table of contents\n   :depth: 2\n\nThe gate\n", "The gate\n");
    strips("These:\n\n.. list-table:: :header-rows: 1\n   :widths: 20 50\n\n   * - Gate\n",
           "These:\n\n   * - Gate\n");
    strips("These:\n\n.. table:: The gates\n   :widths: 20 50\n\n   * - Gate\n",
           "These:\n\nThe gates\n\n   * - Gate\n");
    strips(".. note::\n\n   It is shut.", "It is shut.");
    strips(".. note:: It is shut\n   at dusk.", "It is shut\n   at dusk.");
    strips(".. note:: :ref:`It` is shut.", ":ref:`It` is shut.");
    strips(".. note::", "");
    // what they say is for a reader, or they are none
    static const char *const texts[] = {
        ".. function:: shut(gate)\n   :param gate: which one\n",
        "..",
        ".. ",
        ".. note",
        ".. note: it is shut",
        ".. [1] The gate.",
        "   :depth: 2\n",
        ".. meta::\n   :author: Ada\n",
        "\n\nThe gate",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        strips(texts[i], texts[i]);
}

static void test_other_texts(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "",
        "@",
        "\\",
        "C<",
        "C",
        "@samp{",
        "@samp{never closed\n\nhere}",
        "a@samp{b}",
        "printf(\"\\n{%d}\");",
        "\\d{3}-[A-Z]<x",
        "if (B<=C && C>D) I<J;",
        "map<int> XB<int> x;",
        "@bob are you there?",
        "= head of the table",
        "{a} <b> }>",
        "#include <stdio.h>",
        "@book{winter1993,\n  title = {The {Salt} Roads},\n}",
        "@Book{winter1993, \r\n  title = {Roads}}",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        strips(texts[i], texts[i]);
    char deep[256] = "";
    for (int i = 0; i < 20; i++)
        strcat(deep, "@b{");
    for (int i = 0; i < 20; i++)
        strcat(deep, "}");
    strips(deep, "@b{@b{@b{@b{@b{@b{@b{@b{@b{@b{@b{@b{}}}}}}}}}}}}");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_commands),
                                       cmocka_unit_test(test_directives),
                                       cmocka_unit_test(test_other_texts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
