// Sentences that go on over the end of a page. A bar marks each cut.
#include "engine/sentences/heading.h"
#include "tests/unit/engine/sentences/cut_fixture.h"

#define ABOVE  "It sinks. |A buoy may stay out of the reach of its own"
#define BELOW  "harbour for 40 minutes. |Then it is lost.\n"
#define FOOTER "\n\n\nBrekke & Marinescu            Standards Track       [Page 1]\n"
#define HEADER "RFC 10412            Relay Protocol             February 2023\n\n"

static void test_within_a_sentence(void **state)
{
    (void)state;
    falls_into(ABOVE FOOTER "\f\n" HEADER BELOW);
    falls_into(ABOVE "\n\f" BELOW);
    falls_into(ABOVE "\f" BELOW);
    falls_into(ABOVE "\n\n\f\n" HEADER BELOW);
    falls_into(ABOVE "\r\n\r\n\fHarbour Report\r\n\r\n" BELOW);
    falls_into(ABOVE FOOTER "\n\f" BELOW);
    falls_into(ABOVE "\n\n                          - 12 -\n\f" BELOW);
    falls_into(ABOVE "\n\nA draft. vi\n\nPage 2 of 9\n\n\fHarbour Report\n\nLindesvik\n\n" BELOW);
    falls_into(ABOVE "\n\n\fiv\n\n" BELOW);
    // a footer or a header that looks like a line of prose
    falls_into(ABOVE "\n\nThe report of the board of the harbour for this year\n\f" BELOW);
    falls_into("It sinks. |A buoy is there that stays out of reach for\n\n\fcron in use\n\n" BELOW);
    // what surely goes on needs no small letter; a number needs a small word behind it
    falls_into("It is the key of the\n\n\fHarbour Report\n\nOld Customs House. |It is lost.\n");
    falls_into("It is the key of the\n\fOld Customs House. |It is lost.\n");
    falls_into("The hooks of the crane at the eastern mole can lift\n\n\f40 tonnes. |So it is.\n");
    falls_into("Er hatte in dem Hafen von Lindesvik keine Erlaubnis\n\n\f\u00fcber Nacht. |Nie.\n");
}

static void test_between_sentences(void **state)
{
    (void)state;
    falls_into("A buoy may be out of the reach of its own harbour.\n\n\n|Brekke      [Page 1]\n"
               "\f\n|" HEADER "|stunnel is a program that is not needed here.\n");
    falls_into("He asks: \"may it stay out of reach of its harbour?\"\n\n\f|iv\n\n|stunnel may.\n");
    falls_into("It says so in the books \u201call of them are lost.\u201d\n\n\f|stunnel may.\n");
    falls_into("A buoy may be out of the reach of its own harbour\n\n\f|3.1.  Fixed Header\n\n"
               "|Every frame has it.\n");
    falls_into("The names of all of the harbours that are named below\n\n\f|a) Lindesvik\n");
    falls_into("1. Scope\n\n\f|stunnel is a program.\n");
    falls_into("30    the session is known to none that were asked\n\n\f|forward it at once\n");
    falls_into("#endif /* of what is there for the harbours only */\n\f\n|static int relays;\n");
    falls_into("A buoy may be out of the reach of its own harbour\n\n|stunnel is a program.\n");
    falls_into("It is one of the\n\n\f\n\n");
    falls_into("\f");
}

static void test_mended(void **state)
{
    (void)state;
    static const char want[] = "A buoy may be out of reach of its harbour for 40 minutes.";
    mends_to("A buoy may be out of reach of its" FOOTER "\f\n" HEADER "   harbour for\n   40 "
             "minutes.",
             want);
    mends_to("A buoy may be out of reach of its\n\n- 12 -\n\fharbour for 40 minutes.", want);
    mends_to("A buoy may be out of reach of its\fharbour for 40 minutes.", want);
    mends_to("A buoy may be out of reach of its har\u2010\n\n\fReport\n\nbour for 40 minutes.",
             want);
    mends_to("It is so.\n\n\fReport\n\nstunnel is not.",
             "It is so.\n\n\fReport\n\nstunnel is not.");
    // a piece that was cut within what divides the pages
    static const char text[] = "A buoy may be out of reach of its" FOOTER "\f\n" HEADER "harbour.";
    struct lines c;
    char out[sizeof text];
    lines_of_text(&c, text, strlen(text));
    for (size_t at = 33; at < strlen(text) - 8; at++) {
        assert_int_equal(cut_mend(&c, 0, at, out), 33);
        assert_int_equal(cut_mend(&c, at, strlen(text), out), 8);
        assert_memory_equal(out, "harbour.", 8);
    }
}

// Margins of pages are not read, where text stands around them or they are known as such: numbers,
// and what stands on another page, too.
static void test_margins(void **state)
{
    (void)state;
#define PAGES "The Mole\n\n1. Lift it.\n\n12\n\n\fThe Mole\n\n2. Drop it.\n\n- 13 -\n\f"
    static const char text[] = "\f" PAGES "The Mole\n\nThe Crane\n\nIt is old.\n";
    struct lines c;
    size_t from, to;
    lines_of_text(&c, text, strlen(text));
    mends_to("1. Lift it.\n\n12\n\n\fThe Mole\n\n2. Drop it.\n\n- 13 -\n\fThe Mole\n\n"
             "3. Wait.",
             "1. Lift it.\n\n2. Drop it.\n\n3. Wait.");
    mends_to("Lift it.\n\nPage 2 of 9\n\n\f", "Lift it.");
    mends_to("Lift it.\n\n2 tons\n\n\f\n\nNow.", "Lift it.\n\n2 tons\n\n\f\n\nNow.");
    assert_true(heading_before(&c, strlen(text) - 3, &from, &to));
    assert_memory_equal(text + from, "The Crane", to - from);
    assert_false(heading_before(&c, from, &from, &to));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_within_a_sentence), cmocka_unit_test(test_between_sentences),
        cmocka_unit_test(test_mended), cmocka_unit_test(test_margins)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
