// What a text says that its terms mean, and who it calls what.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/unit/engine_fixture.h"
#include "tests/unit/survey_fixture.h"

static void test_meanings(void **state)
{
    (void)state;
    struct kvz *k = index_text(
        "licence.txt",
        "1.1. \"Donor\"\n    means whoever gives a Covered Plant\n    to others.\n\n"
        "1.2. \"Donor Version\"\n    means the plants of a Donor.\n\n"
        "1.3. \"Covered Plants\" of a Donor\n    means:\n\n    (a) seeds of them; or\n\n"
        "    (b) their roots.\n\n"
        "Donor Version plants may be given away. A\nDonor, or who gives for a Donor, is free.\n\n"
        "In this licence, \xe2\x80\x9cRent\xe2\x80\x9d shall mean what is paid. The \"Fee\" is "
        "high; "
        "\"fee\" means little to me.\n\n"
        "**Bed** means a square of earth. He wrote \"mill\" and went.\n");
    asked(&k, 1, "What does \"Donor\" mean?",
          "\"1.1. \"Donor\" means whoever gives a Covered Plant to others.\"");
    asked(&k, 1, "what is a donor version",
          "\"1.2. \"Donor Version\" means the plants of a Donor.\"");
    asked(&k, 1, "Define covered plant",
          "\"1.3. \"Covered Plants\" of a Donor means:\n\n(a) seeds of them; or\n\n(b) their "
          "roots.\"");
    asked(&k, 1, "What is the meaning of Rent in this licence?",
          "\"In this licence, \xe2\x80\x9cRent\xe2\x80\x9d shall mean what is paid.\"");
    asked(&k, 1, "What is a bed?", "\"**Bed** means a square of earth.\"");
    asked(&k, 1, "What is a mill?", NULL);
    asked(&k, 1, "What is the fee?", NULL); // in the middle of a sentence
    asked(&k, 1, "Is a donor version free?", NULL);
    kvz_close(k);
}

// Definitions that semicolons divide end where the next one begins.
static void test_in_list(void **state)
{
    (void)state;
    struct kvz *k = index_text(
        "list.txt",
        "1. In this deed:\n\n\"Barn\" means the barn of oak;\n\n\"Beasts\" means:\n\n(a) cows;\n\n"
        "(b) goats;\n\n(c) \"Hen\" as Ann wrote it;\n\n(d) \"Mill\" means the mill.\n");
    asked(&k, 1, "What is the Barn?", "\u201c\"Barn\" means the barn of oak\u201d");
    asked(
        &k, 1, "What does Beasts mean?",
        "\u201c\"Beasts\" means:\n\n(a) cows;\n\n(b) goats;\n\n(c) \"Hen\" as Ann wrote it\u201d");
    kvz_close(k);
}

// Terms and what they mean beside each other.
static void test_beside(void **state)
{
    (void)state;
    struct kvz *k = index_text(
        "contract.txt", "1.1  In this Agreement:\n\n     \"Start Date\"     1 May 2023.\n\n"
                        "     \"Least Volume\"   2,600 pallets stored in any\n"
                        "                      calendar month.\n\n"
                        "     \"Depot\": the yard at Hull.\n\n     \"Crate\" - a box of wood.\n\n"
                        "2.1  It takes effect on the Start Date. The \"Yard\"  is not one.\n"
                        "\"Go on\", he said.\n");
    asked(&k, 1, "What is the Least Volume?",
          "\u201c\"Least Volume\" 2,600 pallets stored in any calendar month.\u201d");
    asked(&k, 1, "When is the Start Date?", "\u201c\"Start Date\"     1 May 2023.\u201d");
    asked(&k, 1, "When is the start date?", NULL); // may be another one
    asked(&k, 1, "What is the depot?", "\u201c\"Depot\": the yard at Hull.\u201d");
    asked(&k, 1, "What is a Crate?", "\u201c\"Crate\" - a box of wood.\u201d");
    asked(&k, 1, "What is the Yard?", NULL);
    asked(&k, 1, "What is go on?", NULL);
    kvz_close(k);
}

static void test_parties(void **state)
{
    (void)state;
    struct kvz *k = index_text(
        "deed.txt",
        "This deed is made between\n\nAda Lind, of 9 Orchard Rise, Bexford (\"the Landlord\"), "
        "and\n\nTom Hale (the \"Tenant\"), of Bexford.\n\nThe rooms are let by Fenwick "
        "(hereinafter referred to as the \xe2\x80\x9c"
        "Agent\xe2\x80\x9d).\n\n"
        "The flat at 44 Mill Lane (\"the Premises\") is let. The Landlord is to insure it. The "
        "Tenant is Careful at all times. Go (\"3\" or \"3s\"). See the notes (on \"Pets\") and "
        "(\"the dog\").\n\n"
        "Hugo Sand (each a \"Guarantor\") and Mia Orr (each a \"Guarantor\") sign.\n");
    asked(&k, 1, "Who is the landlord?",
          "\"Ada Lind, of 9 Orchard Rise, Bexford (\"the Landlord\")\"");
    asked(&k, 1, "What is the name of the tenant?", "\"Tom Hale (the \"Tenant\"), of Bexford.\"");
    asked(&k, 1, "Who is the agent?",
          "\"The rooms are let by Fenwick (hereinafter referred to as the \xe2\x80\x9c"
          "Agent"
          "\xe2\x80\x9d).\"");
    asked(&k, 1, "What are the premises?",
          "\"The flat at 44 Mill Lane (\"the Premises\") is let.\"");
    asked(&k, 1, "What are pets?", NULL);
    asked(&k, 1, "What is the dog?", NULL);
    asked(&k, 1, "What does code 3 mean?", NULL);
    kvz_close(k);
}

// A term in no quotation marks, with a colon and what it is behind it.
static void test_glossary(void **state)
{
    (void)state;
    struct kvz *k =
        index_text("terms.txt", "TERMS\n\n   Hopper:   The box that holds the grain.  It "
                                "shakes.\n\n   Shoe:     A tray below the hopper, which\n"
                                "             feeds the stones.\n\n   Owner:    Ulla\n\n"
                                "See the Hopper: The lid.\n");
    asked(&k, 1, "What is a hopper?", "\"Hopper:   The box that holds the grain.\"");
    asked(&k, 1, "What is the Shoe?",
          "\"Shoe:     A tray below the hopper, which feeds the stones.\"");
    asked(&k, 1, "What is an owner?", NULL);
    kvz_close(k);
}

// Terms on lines of their own, and what they mean set in below them.
static void test_below(void **state)
{
    (void)state;
    struct kvz *k =
        index_text("rules.txt",
                   "The words below mean what stands here.\n\n"
                   "Hopper\n    The box that holds the grain. If it is full, close the Sluice.\n\n"
                   "Idle\n    Not grinding for more than 9 days in a\n    row.\n\n"
                   "Miller, Master\n    Whoever owns the stones.\n\n"
                   "Your Crew\n    Whoever grinds for You.\n\n"
                   "3  A Hopper is cleaned each year. Tell us before the mill is left Idle.\n\n"
                   "Stones\n    Turned at noon.\n\nMore on them elsewhere.\n");
    asked(&k, 1, "What is a hopper?",
          "\"Hopper\nThe box that holds the grain. If it is full, close the Sluice.\"");
    asked(&k, 1, "How long may a mill stand still before it counts as Idle?",
          "\"Idle\nNot grinding for more than 9 days in a row.\"");
    asked(&k, 1, "Who is the Master?", "\"Miller, Master\nWhoever owns the stones.\"");
    asked(&k, 1, "Who is part of my crew?", "\"Your Crew\nWhoever grinds for You.\"");
    asked(&k, 1, "Who is part of the crew?", NULL);
    asked(&k, 1, "What are stones?", NULL); // in no list
    asked(&k, 1, "What is a sluice?", NULL);
    kvz_close(k);
}

// A term in italics or in bold, and what it is.
static void test_emphasised(void **state)
{
    (void)state;
    struct kvz *k = index_text(
        "mill.md", "# The mill\n\nA *hopper* is a box that holds the\ngrain. It shakes.\n\n"
                   "The **shoe** is where the grain goes. If the *sail* is torn, it stands.\n\n"
                   "* The trough is full.\n\n| Path | What it is |\n|---|---|\n"
                   "| `HOPPER.lock` | Shut while it turns. |\n");
    asked(&k, 1, "What is a hopper?", "\"A *hopper* is a box that holds the grain.\"");
    asked(&k, 1, "What is the shoe?", "\"The **shoe** is where the grain goes.\"");
    asked(&k, 1, "What is a sail?", NULL);
    asked(&k, 1, "What is the trough?", NULL);
    kvz_close(k);
}

// As dictionaries have them, with where a word comes from, and several senses.
static void test_dictionary(void **state)
{
    (void)state;
    struct kvz *k = index_text(
        "words.txt",
        "= B =\n\n   :boggle: /bog'l/, n.\n\n   [common; from bog] A wet place,\n   as "
        "{fen}.\n\n"
        "   It is said in the north.\n\n   :bogler: n.\n\n   [from boggle]\n\n   1. Who lives in "
        "a boggle.\n\n   2. A heron.\n\n   :Boyd rule: prov.\n\n   Never rule.\n\n"
        "HERON, n. A bird that boggles; see BOG.\n\nBOG (n.) A fen, or a\nbogler's home.\n\n"
        "mire tree::\n\tWhat grows there.\n\nfen::\n\tA mire.\n\n"
        "The moor, no. 3, is a bog: it has herons.\n");
    asked(&k, 1, "What is a boggle?",
          "\":boggle: /bog'l/, n.\n\n[common; from bog] A wet place, as {fen}.\"");
    asked(&k, 1, "What does \"bogler\" mean?",
          "\":bogler: n.\n\n[from boggle]\n\n1. Who lives in a boggle.\"");
    asked(&k, 1, "What does Boyd rule stand for?", "\":Boyd rule: prov.\n\nNever rule.\"");
    asked(&k, 1, "What is a heron?", "\"HERON, n. A bird that boggles; see BOG.\"");
    asked(&k, 1, "Define bog", "\"BOG (n.) A fen, or a bogler's home.\"");
    asked(&k, 1, "What are mire trees?", "\"mire tree:: What grows there.\"");
    asked(&k, 1, "What is a moor?", NULL);
    kvz_close(k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_meanings),   cmocka_unit_test(test_in_list),
        cmocka_unit_test(test_beside),     cmocka_unit_test(test_parties),
        cmocka_unit_test(test_glossary),   cmocka_unit_test(test_below),
        cmocka_unit_test(test_emphasised), cmocka_unit_test(test_dictionary),
    };
    return cmocka_run_group_tests(tests, engine_set_up, engine_tear_down);
}
