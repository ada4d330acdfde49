// Manuals in Info: the text of their nodes, without what leads from one to another.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "io/doc/doc.h"
#include "tests/unit/io/doc/doc_fixture.h"
#include "tests/unit/own_dir.h"

#define NODE(name) "\x1f\nFile: oven.info,  Node: " name ",  Next: Cleaning,  Up: Top\n"

static void leaves_out_what_leads_to_nodes(void **state)
{
    (void)state;
    static const char info[] = "This is oven.info, produced by makeinfo.\n\n" NODE(
        "Top") "\nThe Oven\n********\n\n"
               "* Menu:\n\n* Heating::\n* Cleaning::    Once a week.\n               Not when "
               "hot.\n"
               "* Indices::\n             All words.\n\n" NODE(
                   "Heating") "\n1 Heating\n*********\n\n"
                              "* Menu: is a word.\nHeat it slowly.\n\n* a list:: \n   goes "
                              "on\n\n" NODE(
                                  "Index") "\nIndex\n*****\n\n\0\b[index\0\b]\n* Menu:\n\n* heat:  "
                                           "    Heating.  (line 3)\n"
                                           "* ash:\n                 Cleaning.  (line 9)\n\n" NODE(
                                               "Last") "\nThe end.\n"
                                                       "\x1f\nTag Table:\nNode: Top\x7f"
                                                       "255\n\x1f\nEnd Tag Table\n";
    static const char text[] =
        "oven|info|This is oven.info, produced by makeinfo.\n\n\nThe Oven\n********\n\n\n"
        "* Cleaning::    Once a week.\n               Not when hot.\n\n"
        "\n1 Heating\n*********\n\n* Menu: is a word.\nHeat it slowly.\n\n* a list:: \n"
        "   goes on\n\n\nIndex\n*****\n\n\n\n\nThe end.\n;";
    put_bytes("oven", info, sizeof info - 1);
    expect("oven", text);
}

// A line may be longer than those that are looked at together.
static void keeps_long_lines(void **state)
{
    (void)state;
    enum { LONG = 9000 };
    static char info[LONG + 200], text[LONG + 200];
    size_t n = (size_t)snprintf(info, sizeof info, "%s\n", NODE("Top"));
    memset(info + n, 'x', LONG);
    snprintf(info + n + LONG, sizeof info - n - LONG, "\n%s", NODE("End"));
    n = (size_t)snprintf(text, sizeof text, "long|info|\n");
    memset(text + n, 'x', LONG);
    snprintf(text + n + LONG, sizeof text - n - LONG, "\n;");
    put_text("long", info);
    expect("long", text);
}

static void leaves_what_is_none(void **state)
{
    (void)state;
    put_text("a", "A text.\n\x1f\nFile: a of the Node.\n");
    expect("a", "a|text|A text.\n\x1f\nFile: a of the Node.\n;");
    put_text("a", "A text. \x1f\nFile: a, Node: b\n");
    expect("a", "a|text|A text. \x1f\nFile: a, Node: b\n;");
    put_text("a", NODE("Top") "Hot.\n");
    expect_as("a", "text", "a|text|" NODE("Top") "Hot.\n;");
    put_text("a", "\x1f");
    expect("a", "a|text|\x1f;");
}

static void reads_what_a_mail_brings(void **state)
{
    (void)state;
    put_text("m.eml", "From: Ann <a@x.example>\nDate: Mon, 6 May 2024\nMIME-Version: 1.0\n"
                      "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: "
                      "application/octet-stream; name=oven.info\n\n" NODE("Top") "Hot.\n--b--\n");
    expect("m.eml", "m.eml|mail|From: Ann <a@x.example>\nDate: Mon, 6 May 2024\n\n"
                    "[application/octet-stream: oven.info]\nHot.\n;");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(leaves_out_what_leads_to_nodes),
        cmocka_unit_test(keeps_long_lines),
        cmocka_unit_test(leaves_what_is_none),
        cmocka_unit_test(reads_what_a_mail_brings),
    };
    return cmocka_run_group_tests(tests, own_dir_enter, own_dir_leave);
}
