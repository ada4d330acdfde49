// Calendars and address books: what is said of their dates and people; what is broken, and what is
// none.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "io/doc/doc.h"
#include "io/form/cards_value.h"
#include "tests/unit/io/doc/doc_fixture.h"
#include "tests/unit/own_dir.h"

// CARDS in a file, whose name does not say what it is, as FORMAT is TEXT.
static void becomes(const char *format, const char *cards, const char *text)
{
    char expected[4096];
    snprintf(expected, sizeof expected, "cards|%s|%s;", format, text);
    put_text("cards", cards);
    expect("cards", expected);
}

// No empty line divides what is said of one date.
static void joins_paragraphs(void **state)
{
    (void)state;
    char cards[1024], text[1024], agenda[300];
    memset(agenda, 'a', sizeof agenda);
    agenda[sizeof agenda - 1] = 0;
    snprintf(
        cards, sizeof cards,
        "BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:Audit\nDESCRIPTION:\\nHi all\\, \\n\\n%s\\n \\n"
        "\\nPasscode: 12\nEND:VEVENT\nEND:VCALENDAR\n",
        agenda);
    snprintf(text, sizeof text, "Event: Audit\nDescription: Hi all,\n%s\nPasscode: 12\n\n", agenda);
    becomes("calendar", cards, text);
}

static void reads_a_calendar(void **state)
{
    (void)state;
    becomes(
        "calendar",
        "BEGIN:VCALENDAR\r\nX-WR-CALNAME:Home\r\nBEGIN:VTIMEZONE\r\nBEGIN:STANDARD\r\n"
        "DTSTART:19701025T030000\r\nEND:STANDARD\r\nEND:VTIMEZONE\r\nBEGIN:VEVENT\r\nUID:1\r\n"
        "DTSTART;TZID=\"Europe/Vienna; old\":20240312T090000\r\nDTEND:20240312T093000\r\n"
        "DESCRIPTION:Bring the ca\r\n rd\\, ask about\\nthe tooth.\r\nSUMMARY:Dentist: "
        "check-up\r\nSTATUS:CONFIRMED\r\nATTENDEE;CN=\"Ann; Reed\";ROLE=X:mailto:ann@x.example\r\n"
        "ATTENDEE:mailto:bo@x.example\r\nBEGIN:VALARM\r\nDESCRIPTION:Reminder\r\nEND:VALARM\r\n"
        "LOCATION:Square 4\r\nEND:VEVENT\r\nBEGIN:VEVENT\r\nDTSTART;VALUE=DATE:20240229\r\n"
        "DTEND;VALUE=DATE:20240301\r\nSUMMARY:Leap day\r\nRRULE:FREQ=YEARLY;INTERVAL=4;UNTIL="
        "20400229\r\nEND:VEVENT\r\nBEGIN:VEVENT\r\nDTSTART;VALUE=DATE:20231231\r\nDTEND;VALUE=DATE:"
        "20240102\r\nRRULE:FREQ=MONTHLY;BYDAY=MO,-1FR,2WE;COUNT=10\r\nEND:VEVENT\r\nBEGIN:"
        "VTODO\r\nSUMMARY:Pay\r\nDUE:20240401T120000Z\r\nEND:VTODO\r\nEND:VCALENDAR\r\n",
        "Event: Dentist: check-up\nWhen: Tuesday, 12 March 2024, 9:00 to 9:30\nWhere: Square "
        "4\nAttendee: Ann; Reed <ann@x.example>, bo@x.example\nDescription: Bring the "
        "card, ask about the tooth.\n\nEvent: Leap day\nWhen: Thursday, 29 February 2024\n"
        "Repeats: every 4 years, until Wednesday, 29 February 2040\n\nWhen: Sunday, 31 December "
        "2023 to Monday, 1 January 2024\nRepeats: every month on Monday, last Friday, 2. "
        "Wednesday, 10 times\n\nEvent: Pay\nDue: Monday, 1 April 2024, 12:00 UTC\n\n");
}

static void reads_how_long_it_takes(void **state)
{
    (void)state;
    static const struct {
        const char *start, *duration, *when;
    } dates[] = {
        {"20240312T090000", "DURATION:PT1H30M", "Tuesday, 12 March 2024, 9:00 to 10:30"},
        {"20240312T230000Z", "DURATION:+P1DT2H0M5S",
         "Tuesday, 12 March 2024, 23:00 UTC to Thursday, 14 March 2024, 1:00 UTC"},
        {"20240228", "DURATION:P2D", "Wednesday, 28 February 2024 to Thursday, 29 February 2024"},
        {"20240312", "DURATION:P1D", "Tuesday, 12 March 2024"},
        {"20240312", "DURATION:P1W", "Tuesday, 12 March 2024 to Monday, 18 March 2024"},
        {"20240312T090000", "DURATION:PT1H\nDTEND:20240312T091500",
         "Tuesday, 12 March 2024, 9:00 to 9:15"},
        {"20240312T090000", "DURATION:-PT1H", "Tuesday, 12 March 2024, 9:00"},
        {"20240312T090000", "DURATION:P", "Tuesday, 12 March 2024, 9:00"},
        {"20240312T090000", "DURATION:PTH", "Tuesday, 12 March 2024, 9:00"},
        {"20240312T090000", "DURATION:PT1", "Tuesday, 12 March 2024, 9:00"},
        {"20240312T090000", "DURATION:P999999999999W", "Tuesday, 12 March 2024, 9:00"},
        {"20240312T090000", "DURATION:P99999999W", "Tuesday, 12 March 2024, 9:00"},
        {"20240312", "DURATION:PT1H", "Tuesday, 12 March 2024"},
        {"soon", "DURATION:PT1H", "soon"},
    };
    for (size_t i = 0; i < sizeof dates / sizeof *dates; i++) {
        char cards[300], text[200];
        snprintf(cards, sizeof cards,
                 "BEGIN:VCALENDAR\nBEGIN:VEVENT\n%s\nDTSTART:%s\nEND:VEVENT\nBEGIN:VEVENT\n"
                 "DTSTART:20240101\nEND:VEVENT\nEND:VCALENDAR\n",
                 dates[i].duration, dates[i].start);
        snprintf(text, sizeof text, "When: %s\n\nWhen: Monday, 1 January 2024\n\n", dates[i].when);
        becomes("calendar", cards, text);
    }
}

static void reads_addresses(void **state)
{
    (void)state;
    becomes(
        "vcard",
        "\xef\xbb\xbf"
        "BEGIN:VCARD\nVERSION:3.0\nN:Okafor;Grace\nFN:Grace Okafor\nORG:Hospital;;Heart\n"
        "item1.TEL;TYPE=CELL:+44 7700\nTEL;TYPE=\"work,fax\":01632\nTEL:1\nEMAIL:g@x.example\n"
        "ADR;TYPE=HOME:;;14 Quarry Road;Brin\\;dle;;BR4;UK\nBDAY:1979-11-03\nPHOTO;ENCODING=b:/9j"
        "\n "
        "AAA\nNOTE:\nEND:VCARD\nBEGIN:VCARD\nFN;CHARSET=ISO-8859-1;ENCODING=QUOTED-PRINTABLE:J=FC"
        "r=\ngen\nNOTE;ENCODING=QUOTED-PRINTABLE:one=0D=0A=0Atwo=0Athree=0D=0A\nTEL;HOME;FAX:"
        "030\nBDAY:--1103\nNOTE:\xe4\nEND:VCARD\n",
        "Name: Grace Okafor\nOrganization: Hospital, Heart\nTelephone (cell): +44 7700\nTelephone "
        "(work, fax): 01632\nTelephone: 1\nEmail: g@x.example\nAddress (home): 14 Quarry Road, "
        "Brin;dle, BR4, UK\nBirthday: Saturday, 3 November 1979\n\nName: J\u00fcrgen\nTelephone "
        "(home, fax): 030\nBirthday: --1103\nNote: one two three\nNote: \u00e4\n\n");
}

static void reads_utf16(void **state)
{
    (void)state;
    put_utf16("cards", "BEGIN:VCARD\nFN:Ann\nEND:VCARD\n", 0);
    expect("cards", "cards|vcard|Name: Ann\n\n;");
}

// What is cut, wrong or endless is read as far as it says something.
static void reads_what_is_broken(void **state)
{
    (void)state;
    becomes("calendar",
            "begin:vcalendar\nEND:VEVENT\nEND:X\nno "
            "property\n:\n;:\nBEGIN:VEVENT\nSUMMARY:A\nDTSTART:2024"
            "0230T250000\nDTEND:soon\nRRULE:FREQ=NEVER\nRRULE:FREQ=WEEKLY;BYDAY=,X,;COUNT=;UNTIL="
            "\nLOCATION",
            "Event: A\nWhen: 20240230T250000 to soon\nRepeats: FREQ=NEVER\nRepeats: every week, "
            "until\n\n");
    becomes("calendar", "BEGIN:VCALENDAR\n", "");
    becomes("text", "BEGIN:NOTHING\nSUMMARY:A\n", "BEGIN:NOTHING\nSUMMARY:A\n");
    enum { LONG = 300000 };
    char *big = malloc(LONG + 100);
    assert_non_null(big);
    int n = sprintf(big, "BEGIN:VCARD\nFN:Ann\nNOTE:");
    memset(big + n, 'x', LONG);
    sprintf(big + n + LONG, "\nTEL:1\nEND:VCARD\n");
    put_text("big.vcf", big);
    struct err e;
    const char *input = "big.vcf";
    char *got = read_all(&input, 1, NULL, 4096, &e);
    assert_non_null(got);
    assert_memory_equal(got, "big.vcf|vcard|Name: Ann\nTelephone: 1\nNote: xxx", 46);
    assert_true(strlen(got) < 70000);
    free(got);
    free(big);
}

static void reads_what_a_mail_brings(void **state)
{
    (void)state;
    put_text("m.eml",
             "From: Ann <a@x.example>\nDate: Mon, 6 May 2024\nMIME-Version: 1.0\n"
             "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain\n\n"
             "Come!\n--b\nContent-Type: text/calendar; charset=utf-8\n\nBEGIN:VCALENDAR\n"
             "BEGIN:VEVENT\nSUMMARY:Feast\nDTSTART:20240601\nEND:VEVENT\nEND:VCALENDAR\n--b\n"
             "Content-Type: application/octet-stream; name=a.vcf\n\nBEGIN:VCARD\nFN:Bo\n"
             "END:VCARD\n--b--\n");
    expect("m.eml",
           "m.eml|mail|From: Ann <a@x.example>\nDate: Mon, 6 May 2024\n\nCome!\n\nEvent: Feast\n"
           "When: Saturday, 1 June 2024\n\n\n[application/octet-stream: a.vcf]\nName: Bo\n\n;");
}

static void knows_days(void **state)
{
    (void)state;
    char day[8];
    cards_day_before("20240301", day);
    assert_memory_equal(day, "20240229", 8);
    cards_day_before("19000301", day);
    assert_memory_equal(day, "19000228", 8);
    cards_day_before("00010101", day);
    assert_memory_equal(day, "00010101", 8);
    assert_true(cards_is_day("20240301", 8) && !cards_is_day("20240301T120000", 15));
    assert_false(cards_is_day("20240431", 8) || cards_is_day("2024030", 7));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_a_calendar),
        cmocka_unit_test(joins_paragraphs),
        cmocka_unit_test(reads_how_long_it_takes),
        cmocka_unit_test(reads_addresses),
        cmocka_unit_test(reads_utf16),
        cmocka_unit_test(reads_what_is_broken),
        cmocka_unit_test(reads_what_a_mail_brings),
        cmocka_unit_test(knows_days),
    };
    return cmocka_run_group_tests(tests, own_dir_enter, own_dir_leave);
}
