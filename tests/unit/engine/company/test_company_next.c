// What a sentence goes on with below it.
#include "tests/unit/engine/sentences/cut_fixture.h"

// Behind what is set in below it, a sentence may go on.
static void test_rest(void **state)
{
    (void)state;
    says("The item adds numbers. For example:\n\n     ${add{2}{3}}\n\nyields 5. It has no name.\n",
         "example", NULL, "For example:\n\n     ${add{2}{3}}\n\nyields 5.");
    says("The item adds numbers. For example:\n\n     ${add{2}{3}}\n\nyields 5. It has no name.\n",
         "{2}", "For example:", "${add{2}{3}}\n\nyields 5. It has no name.");
    says("The item adds numbers. For example:\n\n     ${add{2}{3}}\n\nyields 5. It has no name.\n",
         "yields", NULL, "For example:\n\n     ${add{2}{3}}\n\nyields 5.");
    says("The item is old.\n\n     ${add{2}{3}}\n\nyields 5 in all versions of it.\n", "yields",
         NULL, "yields 5 in all versions of it.");
    says("The item adds numbers. For example:\n\n     ${add{2}{3}}\n\nIt yields what they make.\n",
         "example", NULL, "For example:\n\n     ${add{2}{3}}");
    says("You may say:\n\n     add 2 3\n\nname\n     What it is called.\n", "say", NULL,
         "You may say:\n\n     add 2 3");
}

// What a line announces above somebody else's words is the writer's own words below them.
static void test_below_quoted(void **state)
{
    (void)state;
    static const char mail[] =
        "I do not like it. The mill stops, but see what comes of it:\n\nOn 3 May Ada wrote:\n> +  "
        "shut the "
        "gate\n> +  "
        "shut the weir\n\nThen the mill has no water. The miller will mind.\n\nHe has a dog.\n",
                      bare[] = "On 3 May Ada wrote:\n> The gate is shut.\n> The weir is shut.\n\n"
                               "Then the mill has no water.\n";
    says(mail, "mill stops", NULL,
         "The mill stops, but see what comes of it:\n\nOn 3 May Ada wrote:\n> +  shut the gate\n> "
         "+  "
         "shut the weir\n\nThen the mill has no water. The miller will mind.");
    says(bare, "gate", NULL, "On 3 May Ada wrote:\n> The gate is shut.");
}

// "Day 2." is said with what stands behind it, not before it.
static void test_counted(void **state)
{
    (void)state;
    static const char days[] = "Log\n\nDay 1. Ann Moss painted the gate of the mill. The tank held "
                               "718 litres that day. Day 2. Bo Lind counted all the sheep. It was "
                               "dry. So it was.\n";
    says(days, "718", NULL, "The tank held 718 litres that day.");
    says(days, "Day 2", NULL, "Day 2. Bo Lind counted all the sheep. It was dry.");
    says("The rent is told in the appendix of it. Table 3.\n", "rent", NULL,
         "The rent is told in the appendix of it. Table 3.");
}

// The last row of what a line leads in heads nothing below it.
static void test_last_row(void **state)
{
    (void)state;
    static const char plan[] =
        "The plan:\n\n   6 May    tea is brewed\n  13 May    cups\n  20 May    "
        "guests\n\nOne question is left, which nobody asks.\n";
    says("DATES\n\nMon  9 Feb    Map quiz, in class\nTue 12 May    Feast at nine, in the "
         "hall\n\nLATE\n"
         "Papers that come late lose five points a day.\n",
         "Feast", NULL, "Tue 12 May    Feast at nine, in the hall");
    says(plan, "guests", NULL,
         "The plan:\n\n   6 May    tea is brewed\n  13 May    cups\n  20 May    guests");
    // Nor the list that stands below.
    says("Set it while it is cold.\n\n  Left     2 mm\n  Right    3 mm\n\n1. Take off the lid.\n"
         "2. Turn the screw.\n",
         "Right", NULL, "Right    3 mm");
}

// Nor does a row whose first cell goes on in the next line head the row below that.
static void test_broken_row(void **state)
{
    (void)state;
    says("  The lamp glows    Belt is wet      Dry it\n  faintly\n"
         "  A knock is heard  Bearing worn     Renew\n",
         "lamp", NULL, "The lamp glows    Belt is wet      Dry it\n  faintly");
}

// What goes on with a title does not head the text that begins further below.
static void test_title_page(void **state)
{
    (void)state;
    says("THE LAKE\n\ntold by Ada Lane\n\n\nIt rained for many days on the roof.\n", "Ada", NULL,
         "told by Ada Lane");
    says("THE LAKE\n\ntold by Ada Lane\n\nIt rained for many days on the roof.\n", "Ada", NULL,
         "told by Ada Lane\n\nIt rained for many days on the roof.");
    says("The lake\n\n\nIt rained for many days on the roof.\n", "lake", NULL,
         "The lake\n\n\nIt rained for many days on the roof.");
}

// The next section answers no question that a paragraph ends with, and goes on with no sentence
// that ends with emphasis.
static void test_next_section(void **state)
{
    (void)state;
    says("1. The sea\n\nThey sailed for a year. One thing is open: where did the old boat of Ham "
         "sink?\n\n\n"
         "2. The lake\n\nThe lake is deep.\n",
         "One", NULL, "One thing is open: where did the old boat of Ham sink?");
    says("Where did the boat sink?\n\n2. The lake\n\nThe lake is deep.\n", "Where", NULL,
         "Where did the boat sink?\n\n2. The lake\n\nThe lake is deep.");
    says("She wrote: *Wait until May. I may not come.*\n\n\n4. THE LAKE\n\nIt was cold there.\n",
         "I may", NULL, "She wrote: *Wait until May. I may not come.*");
}

// What says little without the items set in below it is read with them, each on its line.
static void test_open(void **state)
{
    (void)state;
    static const char text[] = "(a) the hull and the sails of the boat, but not\n      - rust,\n"
                               "      - holes that a worm made;\n\n(b) the oars.\n";
    says(text, "(a)", NULL,
         "(a) the hull and the sails of the boat, but not\n      - rust,\n      - holes that a "
         "worm made;");
    says(text, "(b)", NULL, "(b) the oars.");
}

// Who thinks otherwise now says so behind what was thought.
static void test_second_thought(void **state)
{
    (void)state;
    says("I was for the red boat in May. I have since changed my mind. The blue one is dear, "
         "which all of us in the club have known for some time, but it is dry. It is old.",
         "red", NULL, "I was for the red boat in May. I have since changed my mind.");
    says("We let the red boat to all who ask for it. But we no longer do so. It is dear.", "red",
         NULL, "We let the red boat to all who ask for it. But we no longer do so.");
    says("We let the red boat to all who ask for it. I was wrong about the tide in May.", "red",
         NULL, "We let the red boat to all who ask for it.");
    says("We let the red boat to all who ask for it. Those who no longer swim pay less.", "red",
         NULL, "We let the red boat to all who ask for it.");
}

// What who wrote it said before is said with what is right.
static void test_own_words(void **state)
{
    (void)state;
    says("1. The dog was not mine.\n\n2. I said I had rowed for ten years. I have counted them, "
         "and it comes to nine. It was rather cold on the river in that year.\n",
         "ten years", NULL,
         "2. I said I had rowed for ten years. I have counted them, and it comes to nine.");
    says("The boat is in the shed. We said last year that she would be afloat by May. That was "
         "optimistic. The aim is now July of next year. All of her ribs are new, and of oak from "
         "the mill.\n",
         "afloat", NULL,
         "We said last year that she would be afloat by May. That was optimistic. The aim is now "
         "July of next year.");
    says("I said I would row home. He went on in silence for an hour.\n", "row", NULL,
         "I said I would row home.");
    says("1. I said I had rowed for ten years.\n\n2. The dog was not mine at all.\n", "ten", NULL,
         "1. I said I had rowed for ten years.");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rest),           cmocka_unit_test(test_counted),
        cmocka_unit_test(test_below_quoted),   cmocka_unit_test(test_last_row),
        cmocka_unit_test(test_broken_row),     cmocka_unit_test(test_title_page),
        cmocka_unit_test(test_open),           cmocka_unit_test(test_next_section),
        cmocka_unit_test(test_second_thought), cmocka_unit_test(test_own_words)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
