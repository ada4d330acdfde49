// Headings.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "engine/sentences/heading.h"

// The last heading of TEXT is HEADING, or NULL.
static void heads(const char *text, const char *heading)
{
    struct lines c;
    size_t from = 0, to = 0;
    lines_of_text(&c, text, strlen(text));
    assert_int_equal(heading_before(&c, strlen(text) - 1, &from, &to), heading != NULL);
    if (heading) {
        assert_int_equal(to - from, strlen(heading));
        assert_memory_equal(text + from, heading, to - from);
    }
}

// The paragraph of the last byte of TEXT begins with TITLE, or with none, NULL.
static void runs_in(const char *text, const char *title)
{
    struct lines c;
    size_t from = 0, to = 0;
    lines_of_text(&c, text, strlen(text));
    assert_int_equal(heading_runs_in(&c, strlen(text) - 1, &from, &to), title != NULL);
    if (title) {
        assert_int_equal(to - from, strlen(title));
        assert_memory_equal(text + from, title, to - from);
    }
}

// The last byte of TEXT is of the record WANT of those that LABEL counts, or of none, NULL.
static void is_counted(const char *text, const char *label, const char *want)
{
    struct lines c;
    size_t from = 0, to = 0;
    lines_of_text(&c, text, strlen(text));
    assert_int_equal(heading_counted(&c, strlen(text) - 1, label, strlen(label), &from, &to),
                     want != NULL);
    if (want) {
        assert_int_equal(to - from, strlen(want));
        assert_memory_equal(text + from, want, to - from);
    }
}

static void test_counted(void **state)
{
    (void)state;
    is_counted("Log\n\nDay 1. It rained. Day 2. It was dry. The tank held 5.", "day", "Day 2");
    is_counted("Log\n\nDay 1. It rained on day 3. It was dry.", "day", "Day 1");
    is_counted("Item 7: a lamp.\nIt is old.", "item", "Item 7");
    is_counted("Day 1. It rained.\n\nThe tank held 5.", "day", NULL); // another paragraph
    is_counted("Day 1 was wet. The tank held 5.", "day", NULL);
    is_counted("Day 1. It rained. The tank held 5.", "chapter", NULL);
    is_counted("It rained until Day 1. The tank held 5.", "day", NULL);
    is_counted("Day one. It rained.", "day", NULL);
}

// Whether the first line of TEXT heads nothing.
static int never(const char *text)
{
    struct lines c;
    lines_of_text(&c, text, strlen(text));
    return heading_never(&c, 0);
}

static void test_never(void **state)
{
    (void)state;
    assert_true(never("self.last = now\n\ndef take(self):\n"));
    assert_true(never("#define RATE 48000\n\nstruct ring {\n"));
    assert_true(never("50 g flaked almonds\n\nMethod\n"));
    assert_true(never("2024-05-12T10:00:09Z web started\n\nMore\n"));
    assert_false(never("5 Rent\n\nIt is due.\n"));
    assert_false(never("12 March 2024\n\nIt is due.\n"));
    assert_false(never("# Rent\n\nIt is due.\n"));
    assert_false(never("2.1 Rent\n\nIt is due.\n"));
}

static void test_titles_on_the_line(void **state)
{
    (void)state;
    runs_in("**Field school.** Two weeks in May. Cost to the student 240.", "Field school");
    runs_in("- **Soup**: leeks. It is hot.", "Soup");
    runs_in("**Soup.** Leeks. It is\nhot.", "Soup");
    runs_in("**Soup.** Leeks.\n\nIt is hot.", NULL);
    runs_in("- **Soup.** Leeks.\n- It is hot.", NULL);
    runs_in("It is **hot.** So be it.", NULL);
    runs_in("4.2 Rent. The tenant pays it. It is due in May.", "4.2 Rent");
    runs_in("Section 3.1. Annual meeting. It is held in May. All\ncome.",
            "Section 3.1. Annual meeting");
    runs_in("7.1 Sweeping the flue. Hold it. It is out.", "7.1 Sweeping the flue");
    runs_in("7.1 Sweep the flue. Hold it. It is out.", NULL);
    runs_in("1. On the sender create a key. Send it.", NULL);
    runs_in("The rent. The tenant pays it. It is due in May.", NULL);
}

static void test_headings(void **state)
{
    (void)state;
    heads("Rye bread\n\nBake it.\n", "Rye bread");
    // What names the columns of a table heads nothing but its rows.
    heads("Rye bread\n\n| Flour | Salt |\n|---|---|\n| 1 kg | 9 g |\n\nBake it.\n", "Rye bread");
    // A sum below its column is none, nor is a line of a list of contents; a date may be one.
    heads("Rye of old         3.50\n-----------------------\nAll of it         13.50\n\nBake it.\n",
          NULL);
    heads("Rye bread          12\n\nOat bread         113\n\nBake it.\n", NULL);
    heads("Rye bread        2014\n\nBake it.\n", "Rye bread        2014");
    // Nor is the head of a table.
    heads("Rye bread\n\nLoaf     Old mill     New mill\n-----------------------------\n"
          "Rye      40 s         50 s\nOats     30 s         60 s\n\nBake it.\n",
          "Rye bread");
    heads("Rye bread\n(of my aunt)\n\nBake it.\n", "Rye bread");
    heads("He ate rye bread\n(of my aunt) now\n\nBake it.\n", NULL);
    heads("Rye bread\n(of my aunt)\nBake it.\n", NULL);
    heads("Rye bread\n=========\n\nBake it.\n", "Rye bread");
    heads("x\n\n## Monday, 13 June\nRain.\n", "## Monday, 13 June");
    heads("x\n\n## Monday, 13 June\n\nRain.\n", "## Monday, 13 June");
    heads("x\n\n## 2024-03-04\n\nRain.\n", "## 2024-03-04");
    heads("x\n\n2024-03-04\n\nRain.\n", "2024-03-04");
    // One between signs is one whatever is below it, but for what heads a mail.
    heads("x\n\n=== MON 2 OCT ===\n0610  Rain.\n", "MON 2 OCT");
    heads("x\n\n -- Rye bread --\nBake it.\n", "Rye bread");
    heads("x\n\n****  Rye bread **\nBake it.\n", "Rye bread");
    heads("x\n\n= Rye bread =\nBake it.\n", NULL);
    heads("x\n\n=== Rye bread\nBake it.\n", NULL);
    heads("x\n\n===Rye bread===\nBake it.\n", NULL);
    heads("x\n\n--- rye bread ---\nBake it.\n", NULL);
    heads("x\n\n--- Forwarded message ---\nFrom: Ann\nDate: today\n\nBake it.\n",
          "From: Ann\nDate: today");
    heads("x\n\n4.3.2024\n\nRain.\n", "4.3.2024");
    heads("x\n\n2024\n\nRain.\n", NULL);
    heads("x\n\n12-34\n\nRain.\n", NULL);
    heads("x\n\nIt rains. What now?\n\nWait.\n", "It rains. What now?");
    heads("A.\n\n13. Lights\n\n(1) A vessel shows a light.\n", "13. Lights");
    heads("Who taught you?\n\nOld Dietrich Halm.\n", "Who taught you?");
    heads("PEAKE: Who taught you?\n\nROUX: Old Dietrich Halm.\n", "PEAKE: Who taught you?");
    heads("PEAKE: Who taught you?\n\nROUX: Old Halm did.\n\nROUX: It rained.\n", NULL);
    heads("ODO. Who was it?\n\nUNA. Halm.\n", "ODO. Who was it?");
    heads("ODO. Who was it?\n\nUNA. Halm.\n\nODO. It rained.\n", NULL);
    heads("[00:01] MR ODO: Who was it?\n\n[00:02] UNA: Halm.\n\n[00:03] UNA: It rained.\n", NULL);
    heads("A sentence.\n\nIt ends.\n", NULL);
    heads("Barley\n120 g\n\nBoil it.\n", NULL);
    heads("Soup\n\n120 g pearl barley\n\nBoil it.\n", "Soup");
    heads("Soup\n\n- salt\n\nBoil it.\n", "Soup");
    heads("Soup\n\nPage 3\n\f\nBoil it.\n", "Soup");
    heads("Soup\n\nTake the leeks. They want cleaning\n\n\nA. Pell      Page 3\n\f\nBoil it.\n",
          "Soup");
    heads("Soup\n\n2. Leeks of St. Ives\n\nBoil it.\n", "2. Leeks of St. Ives");
    heads("Soup\n\nCHAPTER 2. LEEKS\n\nBoil it.\n", "CHAPTER 2. LEEKS");
    heads("Soup\n\nLeeks. Their cleaning\n---------------------\n\nBoil it.\n",
          "Leeks. Their cleaning");
    heads("Soup\n\nLeeks. Their cleaning\n---\n\nBoil it.\n", "Soup");
    heads("port=8080\n\nBoil it.\n", NULL);
    static const char *const dates[] = {
        "8 June 1931", "June 8, 1931",   "1931-06-08",   "Monday, 8 June",
        "08.06.1931",  "Bath, 8th June", "8. Juni 1931", "Porto Santo, 20 March 1831"};
    for (size_t i = 0; i < sizeof dates / sizeof *dates; i++) {
        char text[80];
        snprintf(text, sizeof text, "Diary\n\n%s\nRain.\n", dates[i]);
        heads(text, dates[i]);
    }
    heads("Diary\n\nMay 8 people came\nRain.\n", "Diary");
    heads("Diary\n\nRain.\n8 June 1931\nSun.\n", "Diary");
    heads("Soup\n\nLeeks of 15 March 2023\nthat are old\n", "Soup");
    assert_int_equal(heading_level("2.10.3 Rent", 11), 3);
    assert_int_equal(heading_level("12. Rent", 8), 1);
    assert_int_equal(heading_level("### Rent", 8), 3);
    assert_int_equal(heading_level("Rent", 4), 0);
}

// The head of a record with a date.
static void test_records_with_dates(void **state)
{
    (void)state;
    static const char head[] = "Meeting of 15 March 2023",
                      text[] = "====\nMeeting of 15 March 2023\nPlace: Hall\nChair: Ada\n\n"
                               "1. Roof\nIt leaks.\n",
                      prose[] = "Leeks of 15 March 2023\nthat are old\n\nIt leaks.\n";
    struct lines c;
    size_t from, to;
    lines_of_text(&c, text, sizeof text - 1);
    assert_true(heading_of_record(&c, 0, c.n - 1, &from, &to));
    assert_int_equal(to - from, strlen(head));
    assert_memory_equal(text + from, head, strlen(head));
    assert_false(heading_of_record(&c, to, c.n - 1, &from, &to));
    lines_of_text(&c, prose, sizeof prose - 1);
    assert_false(heading_of_record(&c, 0, c.n - 1, &from, &to));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_headings),
        cmocka_unit_test(test_never),
        cmocka_unit_test(test_counted),
        cmocka_unit_test(test_titles_on_the_line),
        cmocka_unit_test(test_records_with_dates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
