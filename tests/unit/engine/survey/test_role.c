// Who is called something.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/unit/engine_fixture.h"
#include "tests/unit/survey_fixture.h"

// A name right beside the words that are asked about, and none that only stands near them.
static void test_roles(void **state)
{
    (void)state;
    struct kvz *k = index_text(
        "roles.txt",
        "Repairs are a matter of the managing agent. Only the managing agent decides.\n"
        "Notices go to the managing agent, Messrs Tarrant\nand Bligh, in Langport. The managing "
        "agent, if he is away, answers later.\n\nPresent: Ada Ottaway (chair), Colm Dacey "
        "(treasurer).\n\nThe Vellum Foundation is the steward. Nobody is the judge.\n\n"
        "Caretaker: Oda Lind\n\nThe warden, at present Mr Ivo Stamp, is elected.\n\nLater our "
        "cashier Petra Vogt left. Bea Lumley was the chair that "
        "day. Ada Ottaway, the chair, closed it.\n\nHausmeister ist Herr Wollny. Dem Hausmeister "
        "Bescheid geben. I appoint my niece Ida Hartwell to be the executors with her son.\n");
    asked(&k, 1, "Who is the managing agent?",
          "\"Notices go to the managing agent, Messrs Tarrant and Bligh, in Langport.\"");
    asked(&k, 1, "Who is the treasurer?",
          "\"Present: Ada Ottaway (chair), Colm Dacey (treasurer).\"");
    asked(&k, 1, "Who is the chair?",
          "\"Present: Ada Ottaway (chair), Colm Dacey (treasurer).\"\n\"Bea Lumley was the chair "
          "that day.\"");
    asked(&k, 1, "Who chaired the meeting?",
          "\"Present: Ada Ottaway (chair), Colm Dacey (treasurer).\"\n\"Bea Lumley was the chair "
          "that day.\"");
    asked(&k, 1, "Who chaired the inquiry?", NULL);
    asked(&k, 1, "Who is the steward?", "\"The Vellum Foundation is the steward.\"");
    asked(&k, 1, "Who is the caretaker?", "\"Caretaker: Oda Lind\"");
    asked(&k, 1, "Who is the warden?", "\"The warden, at present Mr Ivo Stamp, is elected.\"");
    asked(&k, 1, "Who was the cashier?", "\"Later our cashier Petra Vogt left.\"");
    asked(&k, 1, "Wer ist der Hausmeister?", "\"Hausmeister ist Herr Wollny.\"");
    asked(&k, 1, "Who are the executors?",
          "\"I appoint my niece Ida Hartwell to be the executors with her son.\"");
    asked(&k, 1, "Who is the judge?", NULL);
    kvz_close(k);
    // all who are listed below what they are called
    k = index_text("play.txt", "A Play\n\nCHARACTERS\n \n  ADA PELL, who keeps an inn\n  BO PELL, "
                               "her brother, a clerk\n  A VOICE\n\nSETTING: The kitchen.\n");
    asked(&k, 1, "Who are the characters?",
          "\"CHARACTERS\n \n  ADA PELL, who keeps an inn\n  BO PELL, her brother, a clerk\n  A "
          "VOICE\"");
    asked(&k, 1, "How many characters are there?",
          "3 characters: ADA PELL, who keeps an inn; BO PELL, her brother, a clerk; A VOICE");
    kvz_close(k);
}

// Of several in turn the one comes first who was given it last.
static void test_elected(void **state)
{
    (void)state;
    struct kvz *k = index_text(
        "minutes.txt",
        "Present: Dan Achter (treasurer), Joan Whit (clerk).\n\n"
        "Present: Dan Achter (treasurer), Joan Whit (clerk).\n\n"
        "Priya Nair was elected treasurer with five votes.\n\n"
        "Art Pen has been unanimously re-elected as the warden\nin succession to Mo Bro. The "
        "board appointed Ida Lund keeper. Cy Wren was not elected scribe. Bea Orr was elected "
        "deputy scribe.\n\nLeo Cast was elected clerk in May.\n\nPresent: Joan Whit (clerk).\n");
    asked(&k, 1, "Who is the treasurer?",
          "\"Priya Nair was elected treasurer with five votes.\"\n"
          "\"Present: Dan Achter (treasurer), Joan Whit (clerk).\"");
    asked(&k, 1, "Who is the warden?",
          "\"Art Pen has been unanimously re-elected as the warden in succession to Mo Bro.\"");
    asked(&k, 1, "Who is the keeper?", "\"The board appointed Ida Lund keeper.\"");
    asked(&k, 1, "Who is the clerk?",
          "\"Present: Dan Achter (treasurer), Joan Whit (clerk).\"\n"
          "\"Leo Cast was elected clerk in May.\"");
    asked(&k, 1, "Who is the scribe?", NULL);
    kvz_close(k);
}

// What somebody is called so of may be said in the sentence before.
static void test_below(void **state)
{
    (void)state;
    struct kvz *k = index_text(
        "mill.txt",
        "The mill needs a keeper whose name is not Ada.\n\nIt is decided:\n\n- the wheel "
        "goes. Cy is the clerk.\n- tea comes with\n  the mill all the same. Bo is "
        "the keeper.\n\nThe barn is old. Di is the keeper of goats.\n\nThe inn is "
        "new. Ed is the cook. The inn has gone. Flo is the cook.\n");
    asked(&k, 1, "Who is the keeper of the mill?",
          "\"- tea comes with the mill all the same. Bo is the keeper.\"");
    asked(&k, 1, "Who is the keeper of the wheel?", NULL);
    asked(&k, 1, "Who is the keeper of the barn?", NULL);
    asked(&k, 1, "Who is the cook of the inn?", NULL); // two
    kvz_close(k);
}

// One that has it no more, or not quite, is not the one who is asked for.
static void test_other_roles(void **state)
{
    (void)state;
    struct kvz *k = index_text(
        "former.txt",
        "The former treasurer is Hans Weber. The treasurer of the club reports.\n"
        "The deputy warden, Ada Moss, rang Tom Hale, the acting warden, and Bea Orr, formerly the "
        "warden. The warden is Cy Wren.\nThe ex-clerk, Di Fenn, wrote to the clerk-elect, Ed Gill. "
        "Flo Hay was the clerk until 2019. The keeper, \u00f6ffentlich so genannt, is "
        "\u00d6zge.\n\nDie stellvertretende Kassiererin ist Frau Voss.\n");
    asked(&k, 1, "Who is the treasurer?", NULL);
    asked(&k, 1, "Who was the former treasurer?", "\"The former treasurer is Hans Weber.\"");
    asked(&k, 1, "Who is the warden?", "\"The warden is Cy Wren.\"");
    asked(&k, 1, "Who is the deputy warden?",
          "\"The deputy warden, Ada Moss, rang Tom Hale, the acting warden, and Bea Orr, formerly "
          "the warden.\"");
    asked(&k, 1, "Who is the clerk?", NULL);
    asked(&k, 1, "Who is the keeper?", NULL);
    asked(&k, 1, "Wer ist die Kassiererin?", NULL);
    kvz_close(k);
}

// A role that is a heading is said with the name below it; one at the end of a row has no name
// there.
static void test_headed_roles(void **state)
{
    (void)state;
    struct kvz *k = index_text("leaflet.txt", "Manufacturer\nQuintanar Labs S.A., Calle 15.\n\n"
                                              "C. Maybury     treasurer\n"
                                              "P. Anand       secretary\n");
    asked(&k, 1, "Who is the manufacturer?", "\"Manufacturer\nQuintanar Labs S.A., Calle 15.\"");
    asked(&k, 1, "Who is the treasurer?", NULL);
    kvz_close(k);
}

// A role on its own line within a block is that of the name above it, and heads no block below.
static void test_blocks(void **state)
{
    (void)state;
    struct kvz *k = index_text(
        "names.txt", "Names\n\nMartin Oakley\nTel. 555 112\nTreasurer\n\nSusan Park\nSecretary\n"
                     "Tel. 555 908\n\nDeepa Nair\n12 Mill Lane\nTel. 555 760\nCoach\n\n"
                     "The Roles\nClerk\nWarden\n\nIvo Stamp\nTel. 555 31\n");
    asked(&k, 1, "Who is the treasurer?", "\"Martin Oakley\nTel. 555 112\nTreasurer\"");
    asked(&k, 1, "Who is the secretary?", "\"Susan Park\nSecretary\"");
    asked(&k, 1, "Who is the coach?", "\"Deepa Nair\n12 Mill Lane\nTel. 555 760\nCoach\"");
    asked(&k, 1, "Who is the warden?", NULL);
    asked(&k, 1, "What is the treasurer's phone number?",
          "\"Martin Oakley\nTel. 555 112\nTreasurer\"");
    asked(&k, 1, "What is the treasurer's email address?", NULL);
    asked(&k, 1, "What is the warden's phone number?", NULL);
    kvz_close(k);
    k = index_text("roles.txt", "# Roles\n## Warden\n\nIvo Stamp\n\nKeeper\n\nBea Orr\n\n"
                                "Ada Moss\nCy Wren\nTel. 555 31\nClerk\n\nDi Fenn\n");
    asked(&k, 1, "Who is the warden?", "\"## Warden\n\nIvo Stamp\"");
    asked(&k, 1, "Who is the keeper?", "\"Keeper\n\nBea Orr\"");
    asked(&k, 1, "Who is the clerk?", NULL); // of two
    kvz_close(k);
}

static void test_reached(void **state)
{
    (void)state;
    struct kvz *k =
        index_text("phones.md", "# Phone numbers\n\n- Doctor: Portcullis, 01584 496 0170\n"
                                "- Vet: Teme Vets, 01584 496 0159\n"
                                "- Mr Lacey, 07700 900233 or lacey@x.example\n\n"
                                "The vet comes on 3 May. The baker is at 01584 49 and "
                                "0155 22 11 33.\n\nAsk the baker at 01888 44 55 66.\n");
    asked(&k, 1, "What is the vet's phone number?", "\"- Vet: Teme Vets, 01584 496 0159\"");
    asked(&k, 1, "What's the vet's phone number?", "\"- Vet: Teme Vets, 01584 496 0159\"");
    asked(&k, 1, "What is the telephone number of the doctor?",
          "\"- Doctor: Portcullis, 01584 496 0170\"");
    asked(&k, 1, "What is Mr Lacey's email address?",
          "\"- Mr Lacey, 07700 900233 or lacey@x.example\"");
    asked(&k, 1, "What is the vet's email address?", NULL);
    asked(&k, 1, "What is the baker's phone number?", NULL); // there are two
    asked(&k, 1, "What is the smith's phone number?", NULL);
    asked(&k, 1, "What is the vet's house number?", NULL);
    kvz_close(k);
}

// In mails: dates and times are no numbers, and what mails give as their sender's own is theirs.
static void test_reached_by_mail(void **state)
{
    (void)state;
    struct kvz *k = index_text(
        "box.txt",
        "From: Ada Pell <ada@x.example>\nDate: Sat, 08 Jul 2023 10:00:00 +0000\nSubject: Slugs\n\n"
        "I have told Cy about slugs.\n\nThe vet is at 01632 960 333.\n\nAda\n-- \nAda Pell\n"
        "01632 960 417\n\n"
        "From: Bo Lind <bo@x.example>\nDate: Sun, 09 Jul 2023 10:00\nSubject: Re: Slugs\n\n"
        "On Sat, 8 Jul 2023 10:18, Ada Pell wrote:\n> I have told Cy about slugs.\n\n"
        "Ring the shop: 01632 960 111\n\n"
        "From: Cy Oake <cy@x.example>\nDate: Mon, 10 Jul 2023 10:00\nSubject: Re: Slugs\n\n"
        "Please ring me first, they are slow.\nTel. 07700 900 382\n\nCy\n\n"
        "From: Ada Pell <ada@x.example>\nDate: Tue, 11 Jul 2023 10:00\nSubject: Tea\n\n"
        "Come for tea.\n\n-- \nAda Pell\n01632 960 417\n\n"
        "From: Bo Yew <yew@x.example>\nDate: Tue, 11 Jul 2023 10:00\nSubject: Tea\n\n"
        "My number is 01632 960 555.\n");
    asked(&k, 1, "What is Cy's phone number?",
          "\"Please ring me first, they are slow.\nTel. 07700 900 382\"");
    asked(&k, 1, "What is the phone number of Ada Pell?", "\"Ada Pell\n01632 960 417\"");
    asked(&k, 1, "What is Bo Yew's phone number?", "\"My number is 01632 960 555.\"");
    asked(&k, 1, "What is Bo Lind's phone number?", NULL); // it is the shop's
    asked(&k, 1, "What is Bo's phone number?", NULL);
    asked(&k, 1, "What is Ada Oake's phone number?", NULL);
    asked(&k, 1, "What is Cy's email address?", "cy@x.example");
    asked(&k, 1, "What is the e-mail address of Ada Pell?", "ada@x.example");
    asked(&k, 1, "What is Bo's email address?", NULL); // there are two of them
    asked(&k, 1, "What is Ada Oake's email address?", NULL);
    kvz_close(k);
    // An address without a name is not of the next one.
    k = index_text("to.txt", "From: Ada Pell <ada@x.example>\n"
                             "To: cy@x.example, \"Lind, Bo\" <bo@x.example>\n"
                             "Date: Mon, 10 Jul 2023 10:00\nSubject: Slugs\n\nThey are slow.\n");
    asked(&k, 1, "What is Cy's email address?", NULL);
    asked(&k, 1, "What is Bo Lind's email address?", "bo@x.example");
    kvz_close(k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_headed_roles),    cmocka_unit_test(test_reached),
        cmocka_unit_test(test_reached_by_mail), cmocka_unit_test(test_roles),
        cmocka_unit_test(test_elected),         cmocka_unit_test(test_below),
        cmocka_unit_test(test_other_roles),     cmocka_unit_test(test_blocks),
    };
    return cmocka_run_group_tests(tests, engine_set_up, engine_tear_down);
}
