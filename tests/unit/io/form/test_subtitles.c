// Subtitles: what is said, who says it, and when now and then.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "io/doc/doc.h"
#include "tests/unit/io/doc/doc_fixture.h"
#include "tests/unit/own_dir.h"

// SUBTITLES in a file, whose name does not say what it is, are TEXT.
static void become(const char *subtitles, const char *text)
{
    char expected[4096];
    snprintf(expected, sizeof expected, "said|subtitles|%s;", text);
    put_text("said", subtitles);
    expect("said", expected);
}

static void joins_what_goes_on(void **state)
{
    (void)state;
    become("\xef\xbb\xbf"
           "1\r\n00:00:04,200 --> 00:00:06,100\r\n<i>Is he\r\nhere?</i>\r\n\r\n"
           "2\r\n00:00:06,300 --> 00:00:07,000\r\n- No.\r\n- {\\an8}Where,\r\n\r\n"
           "3\r\n00:00:07,100 --> 00:00:08,000\r\nthen?\r\n\r\n"
           "4\r\n00:00:11,900 --> 00:00:12,000\r\nIn <Rome>, if 2 < 3.\r\n\r\n"
           "5\r\n01:02:00,000 --> 01:02:01,000\r\n14\r\n\r\nof them\r\n",
           "[0:00:04]\n\nIs he here?\n- No.\n- Where, then?\nIn , if 2 < 3.\n\n[1:02:00]\n\n14 of "
           "them\n");
}

static void names_who_speaks(void **state)
{
    (void)state;
    become(
        "WEBVTT - a meeting\nKind: captions\n\nSTYLE\n::cue { color: red }\n\nNOTE not said\n\n"
        "intro\n00:01.000 --> 00:02.000 align:start\n<v Ann Reed>Good\nevening.\n\n"
        "00:02.000 --> 00:03.000\n<v.loud Ann Reed>Sit <c.x>down</c>.</v>\n\n"
        "00:03.500 --> 00:04.000\n<v Bo>R&amp;D&nbsp;first\n\n00:59.000 --> 01:00.000\n"
        "<v Bo>Yes.\n\n01:01.000 --> 01:02.000\nAll: no.\n",
        "[0:00:01]\n\nAnn Reed: Good evening. Sit down.\nBo: R&D first\nBo: Yes.\n\n[0:01:01]\n\n"
        "All: no.\n");
}

static void says_once_what_rolls_up(void **state)
{
    (void)state;
    become("WEBVTT\n\n00:00.000 --> 00:01.990\n \nhello<00:00:00.400><c> and</c> welcome\n\n"
           "00:01.990 --> 00:02.000\nhello and welcome\n \n\n"
           "00:02.000 --> 00:05.000\nhello and welcome\nto the garden\n\n"
           "00:09.000 --> 00:09.500\nto the garden\n",
           "[0:00:00]\n\nhello and welcome to the garden\nto the garden\n");
}

static void reads_utf16(void **state)
{
    (void)state;
    static const char srt[] = "1\r\n00:00:04,200 --> 00:00:06,100\r\n<i>Is he</i>\r\n";
    for (int is_big = 0; is_big < 2; is_big++) {
        put_utf16("said", srt, is_big);
        expect("said", "said|subtitles|[0:00:04]\n\nIs he\n;");
        put_utf16("said", "WEBVTT\n\n00:01.000 --> 00:02.000\nHi\n", is_big);
        expect("said", "said|subtitles|[0:00:01]\n\nHi\n;");
        put_utf16("said", "4 to 6 --> Is he", is_big);
        expect("said", "said|utf-16|4 to 6 --> Is he;");
    }
}

// Captions without stops, and with some.
static void breaks_long_paragraphs(void **state)
{
    (void)state;
    char in[16384] = "WEBVTT\n\n", *out = NULL;
    size_t longest[2];
    for (int stops = 0; stops < 2; stops++) {
        size_t n = strlen("WEBVTT\n\n");
        for (int i = 0; i < 60; i++)
            n +=
                (size_t)snprintf(in + n, sizeof in - n,
                                 "00:%02d.000 --> 00:%02d.900\nabcdefghi abcdefghi abcdefghi%s\n\n",
                                 i, i, stops ? "." : "");
        struct err e = {0};
        const char *const name = "said";
        put_text(name, in);
        out = read_all(&name, 1, NULL, 64, &e);
        assert_non_null(out);
        longest[stops] = 0;
        for (const char *p = out, *end; (end = strchr(p, '\n')); p = end + 1)
            if ((size_t)(end - p) > longest[stops])
                longest[stops] = (size_t)(end - p);
        free(out);
    }
    assert_in_range(longest[0], 800, 840);
    assert_in_range(longest[1], 400, 440);
}

static void leaves_what_is_none(void **state)
{
    (void)state;
    put_text("a", "WEBVTTX\n\n00:01.000 --> 00:02.000\nHi\n");
    expect("a", "a|text|WEBVTTX\n\n00:01.000 --> 00:02.000\nHi\n;");
    put_text("a", "1\n2\n00:00:04,200 --> 00:00:06,100\nHi\n");
    expect("a", "a|text|1\n2\n00:00:04,200 --> 00:00:06,100\nHi\n;");
    put_text("a", "1\n00:00:04,200 -> 00:00:06,100\nHi\n");
    expect("a", "a|text|1\n00:00:04,200 -> 00:00:06,100\nHi\n;");
    put_text("a", "1\n00:00:04,200 --> 00:00:06,100\nHi\n");
    expect_as("a", "text", "a|text|1\n00:00:04,200 --> 00:00:06,100\nHi\n;");
    become("WEBVTT", "");
    become("WEBVTT\n\n99999999999999999999:99999:99999.1 --> x\nHi <b\n", "");
    become("1\n00:00:01,0 --> 00:00:02,0\nHi <b {\\an8 &am;\n2\nso\n",
           "[0:00:01]\n\nHi <b {\\an8 &am; 2 so\n");
}

static void reads_what_a_mail_brings(void **state)
{
    (void)state;
    put_text("m.eml", "From: Ann <a@x.example>\nDate: Mon, 6 May 2024\nMIME-Version: 1.0\n"
                      "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/vtt\n\n"
                      "WEBVTT\n\n00:01.000 --> 00:02.000\n<v Ann>Hi\n--b\nContent-Type: "
                      "application/x-subrip; name=a.srt\n\n1\n00:00:01,000 --> 00:00:02,000\nHo\n"
                      "--b--\n");
    expect("m.eml", "m.eml|mail|From: Ann <a@x.example>\nDate: Mon, 6 May 2024\n\n[0:00:01]\n\n"
                    "Ann: Hi\n\n[application/x-subrip: a.srt]\n[0:00:01]\n\nHo\n;");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(joins_what_goes_on),
        cmocka_unit_test(names_who_speaks),
        cmocka_unit_test(reads_utf16),
        cmocka_unit_test(says_once_what_rolls_up),
        cmocka_unit_test(breaks_long_paragraphs),
        cmocka_unit_test(leaves_what_is_none),
        cmocka_unit_test(reads_what_a_mail_brings),
    };
    return cmocka_run_group_tests(tests, own_dir_enter, own_dir_leave);
}
