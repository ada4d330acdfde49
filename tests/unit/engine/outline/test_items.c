// The lists of a text: what leads one in, where it ends, and what is none.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/unit/engine_fixture.h"
#include "tests/unit/survey_fixture.h"

// What leads a list in may point at the things and say more of them; it is better than a heading
// with their name above clauses.
static void test_pointed_at(void **state)
{
    (void)state;
    struct kvz *k = index_text(
        "isle.txt",
        "ARTICLE 3. PARISHES\n\n3.1 Names. The isle is divided into the following parishes, as "
        "drawn on the chart that hangs in the tower and bears the year 1912:\n\n  (a) Nether\n  "
        "(b) Over\n  (c) Mid\n  (d) Far\n\n3.2 Bounds. A brook is a bound.\n");
    asked(&k, 1, "How many parishes are there?", "4 parishes: Nether; Over; Mid; Far");
    kvz_close(k);
}

static void test_led_in(void **state)
{
    (void)state;
    struct kvz *k = index_text(
        "house.txt",
        "The mill and its guests.\n\nWelcome to the mill, which has stood here for long.\n\n"
        "The house rules for guests are these:\n\n- No lamps after ten.\n- Shut the gate,\n"
        "  and bolt it.\n\n- Feed the cat.\n\nThe cat is called Oats.\n\n"
        "What you need to bring:\n(a) a towel\n(b) soap\n\n"
        "## Prices\n\nTicket\tPrice\nDay\t4.00\nNight\t9.50\n\n"
        "The miller has two rules:\nhe never sleeps, and never sings.\n");
    asked(&k, 1, "What are the house rules?",
          "\"The house rules for guests are these:\n\n- No lamps after ten.\n- Shut the gate, and "
          "bolt it.\n\n- Feed the cat.\"");
    asked(&k, 1, "List the rules for guests of the house, please.",
          "\"The house rules for guests are these:\n\n- No lamps after ten.\n- Shut the gate, and "
          "bolt it.\n\n- Feed the cat.\"");
    asked(&k, 1, "List all prices.", "\"## Prices\n\nTicket\tPrice\nDay\t4.00\nNight\t9.50\"");
    asked(&k, 1, "List the ticket prices.",
          "\"## Prices\n\nTicket\tPrice\nDay\t4.00\nNight\t9.50\"");
    asked(&k, 1, "List the tickets and prices.",
          "\"## Prices\n\nTicket\tPrice\nDay\t4.00\nNight\t9.50\"");
    asked(&k, 1, "What are the prices and who pays them?", NULL);
    asked(&k, 1, "What are the rules of the ferry?", NULL);
    asked(&k, 1, "Name the house rules.",
          "\"The house rules for guests are these:\n\n- No lamps after ten.\n- Shut the gate, and "
          "bolt it.\n\n- Feed the cat.\"");
    asked(&k, 1, "How many house rules are there?",
          "3 house rules: No lamps after ten; Shut the gate, and bolt it; Feed the cat");
    asked(&k, 1, "How many prices are there?", NULL); // of rows one may be the head
    asked(&k, 1, "How many rules does the miller have?", "2 rules: he never sleeps; never sings");
    asked(&k, 1, "Name the rule of the house.", NULL);
    asked(&k, 1, "What are the lamps?", NULL);
    asked(&k, 1, "Tell me what the rules cost.", NULL);
    asked(&k, 1, "List", NULL);
    asked(&k, 1, "What are the", NULL);
    kvz_close(k);
}

// What a heading says is not so is no list of what is.
static void test_denied(void **state)
{
    (void)state;
    struct kvz *k =
        index_text("shed.txt", "The shed\n\n4. REPAIRS\n\n4.1 Table\n\n"
                               "Broken    Mended with\n------    -----------\n"
                               "Rake      string\nPail      tin\n\n"
                               "4.2 What may NOT be repaired\n\n- Ladders.\n- Scythes.\n\n"
                               "4.3 The door\n\nIt is shut at night.\n");
    asked(&k, 1, "List the repairs", NULL);
    asked(&k, 1, "List what may not be repaired",
          "\"4.2 What may NOT be repaired\n\n- Ladders.\n- Scythes.\"");
    kvz_close(k);
}

// A list that another heading stands above is of that part, however many headings are between.
static void test_parts(void **state)
{
    (void)state;
    struct kvz *k =
        index_text("leaflet.txt", "1. WHAT IT IS\n\nA tablet.\n\n2. SIDE EFFECTS\n\nVery common\n- "
                                  "a bitter taste\n- cramps\n\n"
                                  "Rare\n- double vision\n- a blue nose\n\n3. HOW TO KEEP "
                                  "IT\n\nAway from\n- lamps\n- the cat\n");
    asked(&k, 1, "What are the side effects?",
          "\"Very common\n- a bitter taste\n- cramps\"\n\"Rare\n- double vision\n- a blue nose\"");
    asked(&k, 1, "List the very common side effects.",
          "\"Very common\n- a bitter taste\n- cramps\"");
    asked(&k, 1, "How many side effects are there?", NULL); // in two lists
    kvz_close(k);
    k = index_text("lease.txt",
                   "5. THE TENANT'S DUTIES\n\n5.1 To sweep the stairs.\n\n"
                   "5.2 To pay on time, whatever\nthe weather is.\n\n"
                   "6. THE LANDLORD'S DUTIES\n\n6.1 To mend the roof.\n\n6.2 To wait.\n");
    asked(&k, 1, "What are the duties of the landlord?",
          "\"6. THE LANDLORD'S DUTIES\n\n6.1 To mend the roof.\n\n6.2 To wait.\"");
    asked(
        &k, 1, "List the tenant's duties.",
        "\"5. THE TENANT'S DUTIES\n\n5.1 To sweep the stairs.\n\n5.2 To pay on time, whatever the "
        "weather is.\"");
    kvz_close(k);
    k = index_text("trips.txt", "# Trips\n\n## Travel by train\n\n### Rules\n\n- Second class.\n"
                                "- No lamps.\n\n## Travel by boat\n\n### Rules\n\n- Upper deck.\n"
                                "- Wear a hat.\n");
    asked(&k, 1, "What are the rules for travel by boat?",
          "\"### Rules\n\n- Upper deck.\n- Wear a hat.\"");
    kvz_close(k);
}

// Items that begin with what they are.
static void test_labelled(void **state)
{
    (void)state;
    struct kvz *k = index_text(
        "inquiry.txt", "The Office makes two recommendations to the railway.\n\n"
                       "Recommendation 1. Look at the slope,\neach spring.\n\n"
                       "Recommendation 2. Sweep it.\n\nThat is all.\n\nAppendix 1. A map.\n");
    asked(&k, 1, "What are the recommendations?",
          "\"Recommendation 1. Look at the slope, each spring.\n\nRecommendation 2. Sweep it.\"");
    asked(&k, 1, "List all appendices.", NULL); // there is but one
    kvz_close(k);
    // a text may end behind the number
    k = index_text("end.txt", "Recommendation 1. Look at the slope.\n\nRecommendation 2");
    asked(&k, 1, "What are the recommendations?", NULL);
    kvz_close(k);
}

// A table that blanks divide, whole, and no lines of a table of contents.
static void test_spaced(void **state)
{
    (void)state;
    struct kvz *k = index_text("codes.txt", "CONTENTS\n1  Setting up\n2  Parts\n3  Codes\n\n"
                                            "The mill\n\nError codes (large mills)\n\n"
                                            "Code   Meaning          What to do\n"
                                            "E1     Too hot          Unplug it\n"
                                            "E2     Wheel stuck      Call the miller\n"
                                            "E7     No water         Fill the pond\n\n"
                                            "It turns.\n");
    static const char codes[] =
        "\"Error codes (large mills)\n\nCode   Meaning          What to do\n"
        "E1     Too hot          Unplug it\n"
        "E2     Wheel stuck      Call the miller\nE7     No water         Fill the pond\"";
    asked(&k, 1, "List all error codes.", codes);
    asked(&k, 1, "What are the error codes?", codes);
    asked(&k, 1, "What are the parts?", NULL);
    kvz_close(k);
}

// How many there are, and which is the third, where that is sure.
static void test_counted(void **state)
{
    (void)state;
    struct kvz *k = index_text(
        "club.txt",
        "The club and its boats.\n\nThe boat house rules are these:\n\n1. No lamps.\n2. Shut the "
        "gate,"
        "\n   and bolt it.\n3. Feed the cat.\n\nMembers are asked to bring:\n\n- a towel\n- "
        "soap\n\n"
        "Fees may be paid in one of the following ways:\n\n(a) in cash;\n(b) by cheque; or\n"
        "(c) in eggs.\n\nReasons include:\n- rain\n- fog\n\n"
        "The prizes are:\n- a cup\n- a hat\n\nThe hat is new.\n\n- a bun\n\n"
        "There are four harbours:\n\n- Cray\n- Loe\n\nThese are the songs:\n1. Rain\n3. Fog\n");
    asked(&k, 1, "How many boat house rules are there?",
          "3 boat house rules: No lamps; Shut the gate, and bolt it; Feed the cat");
    asked(&k, 1, "What is the second rule of the boat house?",
          "\"2. Shut the gate, and bolt it.\"");
    asked(&k, 1, "What is the last boat house rule?", "\"3. Feed the cat.\"");
    asked(&k, 1, "What is the fourth boat house rule?", NULL);
    asked(&k, 1, "How many ways are there for fees?", "3 ways: in cash; by cheque; in eggs");
    asked(&k, 1, "How many members are there?", NULL);
    asked(&k, 1, "How many boats are there?", NULL);
    asked(&k, 1, "How many reasons are there?", NULL);
    asked(&k, 1, "How many prizes are there?", NULL);
    asked(&k, 1, "How many harbours are there?", NULL);
    asked(&k, 1, "How many songs are there?", NULL);
    kvz_close(k);
}

// What one sentence enumerates, if it is plain where each thing ends and that these are all.
static void test_enumerated(void **state)
{
    (void)state;
    struct kvz *k = index_text(
        "words.txt",
        "The methods are: walking, and cycling or driving.\n\nThe colours available are: red, "
        "green, and sea blue.\n\nThe sizes are: small, medium, large and others.\n\nThere are "
        "four seasons: spring, summer, autumn, and winter. There are two moons: one, two and "
        "three.\n\nThe rooms are: kitchen, hall, and bath, which has a tub.\n");
    asked(&k, 1, "How many colours are available?", "3 colours: red; green; sea blue");
    asked(&k, 1, "How many seasons are there?", "4 seasons: spring; summer; autumn; winter");
    asked(&k, 1, "How many methods are there?", NULL);
    asked(&k, 1, "How many sizes are there?", NULL);
    asked(&k, 1, "How many moons are there?", NULL);
    asked(&k, 1, "How many rooms are there?", NULL);
    kvz_close(k);
}

// Steps are told by what they lead to.
static void test_steps(void **state)
{
    (void)state;
    struct kvz *k = index_text(
        "mill.txt", "THE MILL\n\n2.1 Cleaning the filter\n\n1. Stop the wheel.\n2. Take it out.\n"
                    "3. Put it back:\n   - oil the rim\n   - turn it\n\n2.2 Changing the belt\n\n"
                    "1. Loosen the screw.\n2. Pull.\n\n2.3 Wishes\n\n- a lamp\n- a hat\n");
    asked(&k, 1, "What are the steps to clean the filter?",
          "\"2.1 Cleaning the filter\n\n1. Stop the wheel.\n2. Take it out.\n"
          "3. Put it back:\n   - oil the rim\n   - turn it\"");
    asked(&k, 1, "How many steps does changing the belt have?", "2 steps: Loosen the screw; Pull");
    asked(&k, 1, "what is the second step of cleaning the filter", "\"2. Take it out.\"");
    asked(&k, 1, "What is the last step of changing the belt?", "\"2. Pull.\"");
    asked(&k, 1, "List the steps for wishes.", NULL);
    asked(&k, 1, "List the steps.", NULL);
    kvz_close(k);
    // What is needed may stand right above them, in amounts that head nothing.
    k = index_text("soups.txt",
                   "HAY SOUP\n\nServes 2.\n\n  90 g hay\n  2 spoons of oil\n\n1. Cut the "
                   "hay.\n2. Boil it.\n\nMOSS PIE\n\nServes 4.\n\n  1 kg moss\n  2 "
                   "eggs\n\n1. Soak the moss.\n2. Bake it.\n3. Eat it.\n");
    asked(&k, 1, "What is the second step of the hay soup?", "\"2. Boil it.\"");
    asked(&k, 1, "How many steps does the moss pie have?",
          "3 steps: Soak the moss; Bake it; Eat it");
    kvz_close(k);
    // They may have boxes instead of numbers.
    k = index_text("lock.txt", "## 3. Opening the lock\n\nOnly the keeper does this, after ten.\n\n"
                               "- [ ] Lower the boom\n- [ ] Drain the basin\n- [x] Ring\n\n"
                               "## 4. Prizes\n\nThese went to the crew.\n\n- a lamp\n- a hat\n");
    asked(&k, 1, "What is the second step of opening the lock?", "\"- [ ] Drain the basin\"");
    asked(&k, 1, "What are the steps of the prizes?", NULL);
    kvz_close(k);
    // What stands above them is said from the beginning of its sentence on.
    k = index_text("ferry.txt", "2.1 Calling the ferry\n\nIt comes at six. The bell hangs on the "
                                "landing stage below the mill, and it is\nnot to be rung at night. "
                                "In an emergency:\n\n1. Ring the bell.\n2. Wait.\n");
    asked(
        &k, 1, "What are the steps to call the ferry?",
        "\"The bell hangs on the landing stage below the mill, and it is not to be rung at night. "
        "In an emergency:\n\n1. Ring the bell.\n2. Wait.\"");
    kvz_close(k);
}

// Terms of a manual, with what they mean beside or below them.
static void test_terms(void **state)
{
    (void)state;
    struct kvz *k = index_text(
        "mill.1.txt",
        "NAME\n     mill - grinds\n\nOPTIONS\n     The options are as follows:\n\n"
        "     -v      Say more.\n\n     -q, --quiet\n             Say less.\n\n"
        "     -n      Grind\n             nothing.\n\nEXIT STATUS\n\n     0       The flour is "
        "done.\n"
        "     1       No water.\n\nCOMMANDS\n     The following are understood:\n\n     start\n"
        "             Open the gate.\n\n     stop\n             Shut it.\n\nFILES\n     None.\n");
    static const char options[] =
        "\"     The options are as follows:\n\n     -v      Say more.\n\n     -q, --quiet\n"
        "             Say less.\n\n     -n      Grind nothing.\"";
    asked(&k, 1, "List the options.", options);
    asked(&k, 1, "What options are there?", options);
    asked(&k, 1, "Which switches does mill have?", options);
    asked(&k, 1, "How many options are there?", "3 options: -v; -q, --quiet; -n");
    asked(&k, 1, "How many exit codes are there?", "2 exit codes: 0; 1");
    kvz_close(k);
    k = index_text("mill.html.txt",
                   "mill(1)\n\nOPTIONS\n\n--quiet\n\nSay less.\n\nNothing at all.\n\n--wet\n\n"
                   "Grind under water.\n\nEXAMPLES\n\nmill --wet\n");
    asked(&k, 1, "How many options are in the OPTIONS section?", "2 options: --quiet; --wet");
    kvz_close(k);
    k = index_text("mill.doc.txt",
                   "The mill.\n\nThe command has these subcommands:\n\nmill start [--wet]\n"
                   "           [--dry]\nmill stop\nmill turn\n\nIt grinds.\n");
    asked(&k, 1, "How many subcommands are there?",
          "3 subcommands: mill start [--wet]; mill stop; mill turn");
    kvz_close(k);
}

// What stands below a heading, whatever it is.
static void test_below(void **state)
{
    (void)state;
    struct kvz *k = index_text("inventory.txt",
                               "INVENTORY\n\nThe study is on the first floor.\n\n"
                               "Study\n10. Desk: 540\n11. Microscope: 720\n\n"
                               "Drawing room\n\nIt is locked. There are:\n\n- a piano\n- a rug\n\n"
                               "Cellar\n\nWine is in the cellar.\n");
    static const char study[] = "\"Study\n10. Desk: 540\n11. Microscope: 720\"",
                      room[] = "\"It is locked. There are:\n\n- a piano\n- a rug\"";
    asked(&k, 1, "Which items are in the study?", study);
    asked(&k, 1, "What is in the study?", study);
    asked(&k, 1, "List all items in the study.", study);
    asked(&k, 1, "Which things are kept in the drawing room?", room);
    asked(&k, 1, "What is in the cellar?", NULL);
    asked(&k, 1, "What is in the room?", room);
    asked(&k, 1, "Which items are in the desk?", NULL);
    asked(&k, 1, "Which items are locked?", NULL);
    kvz_close(k);
}

// The heading of the section that is asked for says enough of what is listed there.
static void test_section(void **state)
{
    (void)state;
    struct kvz *k = index_text(
        "lease.txt", "The rent is due on the 1st. The tools are those listed in Annex C.\n\n"
                     "                 ANNEX B\n"
                     "      Keys handed over on the day of the lease\n\n"
                     "  1. Front door\n  2. Cellar\n  3. Shed\n\n\n"
                     "                 ANNEX C\n"
                     "      Tools within the meaning of 2\n\n"
                     "  1. Spade\n  2. Rake\n  3. Scythe\n");
    asked(&k, 1, "Which tools are listed in Annex C?",
          "\"Tools within the meaning of 2\n\n  1. Spade\n  2. Rake\n  3. Scythe\"");
    asked(&k, 1, "Which tools are listed in Annex D?", NULL);
    kvz_close(k);
}

// The gap behind the number of a clause makes no names of columns of it.
static void test_clauses(void **state)
{
    (void)state;
    struct kvz *k = index_text(
        "club.txt", "6.   STAFF\n\n"
                    "6.1  The club may dismiss none of the Senior Staff in the first year.\n\n"
                    "6.2  All others shall be paid by the hour.\n\n\n"
                    "7.   Senior Staff\n\n"
                    "     Name            Task           Since\n"
                    "     ------------------------------------\n"
                    "     Ada Moss        Head keeper    2021\n"
                    "     Bert Cole       Tool keeper    2022\n\n");
    asked(&k, 1, "List the Senior Staff.",
          "\"7.   Senior Staff\n\n"
          "     Name            Task           Since\n"
          "     Ada Moss        Head keeper    2021\n"
          "     Bert Cole       Tool keeper    2022\"");
    kvz_close(k);
}

// Parts with numbers are no steps, unless these are all that they say.
static void test_steps_in_parts(void **state)
{
    (void)state;
    struct kvz *k = index_text(
        "mill.txt", "1. GRINDING AND REPAIRS\n\n1.1 Grinding\nThe miller grinds at night.\n\n"
                    "1.2 Repairs\nThe steps are a look and a nail.\n\n"
                    "2. STARTING\n\n2.1 Open the sluice.\n2.2 Wait.\n2.3 Fill the hopper.\n");
    asked(&k, 1, "What are the steps of repairs?", NULL);
    asked(&k, 1, "What are the steps of starting?",
          "\"2. STARTING\n\n2.1 Open the sluice.\n2.2 Wait.\n2.3 Fill the hopper.\"");
    kvz_close(k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pointed_at), cmocka_unit_test(test_led_in),
        cmocka_unit_test(test_denied),     cmocka_unit_test(test_spaced),
        cmocka_unit_test(test_parts),      cmocka_unit_test(test_labelled),
        cmocka_unit_test(test_counted),    cmocka_unit_test(test_enumerated),
        cmocka_unit_test(test_steps),      cmocka_unit_test(test_terms),
        cmocka_unit_test(test_below),      cmocka_unit_test(test_section),
        cmocka_unit_test(test_clauses),    cmocka_unit_test(test_steps_in_parts),
    };
    return cmocka_run_group_tests(tests, engine_set_up, engine_tear_down);
}
