// Entries of change logs.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/engine_fixture.h"
#include "tests/unit/survey_fixture.h"

static void test_entries(void **state)
{
    (void)state;
    struct kvz *k = index_text(
        "entries.txt",
        "News of the mill\n\nRelease 1.10 - 2024-05-02\n\nThe sails turn faster.\n\n"
        "Release 1.9a - 2023-11-30\n\n* A brake was added, as 1.8 had none.\n* The door shuts.\n\n"
        "1.7 is no release.\n\nRelease 1.8\n\nThe first one that grinds. It has a hopper.\n");
    asked(&k, 1, "What changed in release 1.9a?",
          "\"Release 1.9a - 2023-11-30\n\n* A brake was added, as 1.8 had none.\n* The door "
          "shuts.\n\n1.7 is no release.\"");
    asked(&k, 1, "When was 1.10 released?", "\"Release 1.10 - 2024-05-02\"");
    asked(&k, 1, "When was 1.8 released?", NULL); // its head has no date
    asked(&k, 1, "When was 1.7 released?", NULL);
    asked(&k, 1, "When was 1.6 released?", "\"1.6\" does not stand in the text.");
    asked(&k, 1, "When was Loom 1.6 released?", NULL);
    asked(&k, 1, "What is the newest release?", "\"Release 1.10 - 2024-05-02\"");
    asked(&k, 1, "What is the first version?", "\"Release 1.8\"");
    asked(&k, 1, "Which releases came out in 2023?", "1.9a");
    asked(&k, 1, "Which releases came out in 2022?", NULL);
    asked(&k, 1, "Which releases are listed?", "1.10, 1.9a, 1.8");
    asked(&k, 1, "Which release added the brake?",
          "\"Release 1.9a - 2023-11-30\"\n\"* A brake was added, as 1.8 had none.\"");
    asked(&k, 1, "Which release added the clock?", NULL);
    kvz_close(k);
    // A head that says what lies between two is of the later one.
    k = index_text(
        "between.txt",
        "Millwork\n\n### Changes between Mill 1.10 and Mill 1.11 [2 May 2024]\n\n"
        "* A clock.\n\n### Changes between Mill 1.9b and Mill 1.10 [3 June 2023]\n\n"
        "* The sails turn.\n\n### Changes between Mill 1.9a and Mill 1.9b [1 May 2022]\n\n"
        "* A brake.\n");
    asked(&k, 1, "When was 1.10 released?",
          "\"### Changes between Mill 1.9b and Mill 1.10 [3 June 2023]\"");
    asked(&k, 1, "What changed in 1.9b?",
          "\"### Changes between Mill 1.9a and Mill 1.9b [1 May 2022]\n\n* A brake.\"");
    asked(&k, 1, "When was 1.9a released?", NULL);
    asked(&k, 1, "When was mill 1.9b released",
          "\"### Changes between Mill 1.9a and Mill 1.9b [1 May 2022]\"");
    asked(&k, 1, "When was Loom 1.9b released?", NULL);
    asked(&k, 1, "Which versions were released in 2024?", "1.11");
    kvz_close(k);
    k = index_text("to.txt", "From 1.0 to 1.1 (2023)\n\nA lock.\n\n"
                             "From 1.1 to 1.2 (2024)\n\nA key.\n");
    asked(&k, 1, "What is the newest version?", "\"From 1.1 to 1.2 (2024)\"");
    asked(&k, 1, "What changed in 1.1?", "\"From 1.0 to 1.1 (2023)\n\nA lock.\"");
    kvz_close(k);
}

// Sections with numbers are no releases.
static void test_no_entries(void **state)
{
    (void)state;
    struct kvz *k = index_text("lease.txt", "LEASE\n\n1.1 Rent\n\nIt is paid.\n\n1.2 Keys\n\nThere "
                                            "are two.\n\n2.1 Pets\n\nNone.\n");
    asked(&k, 1, "What is the newest version?", NULL);
    asked(&k, 1, "Which versions are there?", NULL);
    asked(&k, 1, "What is new in version 1.2?", NULL);
    asked(&k, 1, "When was version 1.3 released?", "\"1.3\" does not stand in the text.");
    kvz_close(k);
    k = index_text("mill.txt", "## [1.1]\n\nA clock.\n\n## [1.2]\n\nA brake.\n");
    asked(&k, 1, "What is the newest version?", "\"## [1.2]\"");
    kvz_close(k);
    k = index_text("mill.txt", "Mill 1.1\n\nA clock.\n\nMill 1.2\n\nA brake.\n");
    asked(&k, 1, "What is the newest version?", "\"Mill 1.2\"");
    kvz_close(k);
    k = index_text("tables.txt", "Table 1.1\n\nA clock.\n\nTable 1.2\n\nA brake.\n");
    asked(&k, 1, "What is the newest version?", NULL);
    kvz_close(k);
    k = index_text("NEWS", "Mill 1.1\n\nA clock.\n\nMill 1.2\n\nA brake.\n");
    asked(&k, 1, "What is the newest version?", "\"Mill 1.2\"");
    kvz_close(k);
}

// Of many entries not all are named, of too many nothing is said.
static void test_many_entries(void **state)
{
    (void)state;
    enum { SOME = 33, MANY = 2001, HEAD = 20 };
    char *text = calloc(MANY, HEAD);
    size_t at = 0;
    for (int i = 0; i < SOME; i++)
        at += (size_t)sprintf(text + at, "Release 1.%d\n\n", i);
    struct kvz *k = index_text("some.txt", text);
    asked(&k, 1, "Which releases are listed?",
          "1.0, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8, 1.9, 1.10, 1.11, 1.12, 1.13, 1.14, 1.15, "
          "1.16, 1.17, 1.18, 1.19, 1.20, 1.21, 1.22, 1.23, 1.24, 1.25, 1.26, 1.27, 1.28, 1.29 and "
          "3 more");
    asked(&k, 1, "What is the newest version?", "\"Release 1.32\"");
    kvz_close(k);
    for (int i = SOME; i < MANY; i++)
        at += (size_t)sprintf(text + at, "Release 1.%d\n\n", i);
    k = index_text("many.txt", text);
    asked(&k, 1, "What is the newest version?", NULL);
    kvz_close(k);
    // Heads are alike whatever their capitals.
    k = index_text("capitals.txt", "* VERSION 4.2\n\n- Bees.\n\n* Version 3.1\n\n- Bugs.\n\n"
                                   "* Version 3.0\n\n- Wasps.\n");
    asked(&k, 1, "What is the newest version?", "\"* VERSION 4.2\"");
    kvz_close(k);
    free(text);
}

// What was added is neither denied nor fixed, and a release candidate is before its release.
static void test_changes(void **state)
{
    (void)state;
    struct kvz *k = index_text(
        "changes.md",
        "# Changes\n\n## 1.2.0 (2024-05-01)\n\n- Added: dark theme for Windows, as dark theme 2\n"
        "- Removed the clock.\n\n## 1.1.0 (2024-03-01)\n\n### Bug fixes\n\n- the clock stops\n"
        "- added a shade of grey\n\n## 1.1.0-rc1 (2024-02-01)\n\n- Fixed: dark theme on Linux\n"
        "- New clock.\n\n## 1.0.0 (2024-01-01)\n\n- No dark theme yet.\n- A grey bell.\n"
        "- No shade.\n");
    asked(&k, 1, "Which version added the dark theme?",
          "\"## 1.2.0 (2024-05-01)\"\n\"- Added: dark theme for Windows, as dark theme 2\"");
    asked(&k, 1, "In which version was the dark theme fixed?",
          "\"## 1.1.0-rc1 (2024-02-01)\"\n\"- Fixed: dark theme on Linux\"");
    asked(&k, 1, "Which version added the clock?",
          "\"## 1.1.0-rc1 (2024-02-01)\"\n\"- New clock.\"");
    asked(&k, 1, "Which version fixed the clock?",
          "\"## 1.1.0 (2024-03-01)\"\n\"- the clock stops\"");
    asked(&k, 1, "Which version removed the clock?",
          "\"## 1.2.0 (2024-05-01)\"\n\"- Removed the clock.\"");
    asked(&k, 1, "Which version added the bell?", "\"## 1.0.0 (2024-01-01)\"\n\"- A grey bell.\"");
    asked(&k, 1, "Which version removed the bell?", NULL);
    asked(&k, 1, "Which version added the shade?", NULL);
    asked(&k, 1, "What is the oldest version?", "\"## 1.0.0 (2024-01-01)\"");
    asked(&k, 1, "What's the oldest version?", "\"## 1.0.0 (2024-01-01)\"");
    asked(&k, 1, "What was removed in 1.2.0?",
          "\"## 1.2.0 (2024-05-01)\"\n\"- Removed the clock.\"");
    asked(&k, 1, "Which bugs were fixed in version 1.1.0?",
          "\"## 1.1.0 (2024-03-01)\"\n\"- the clock stops\"\n\"- added a shade of grey\"");
    asked(&k, 1, "What was removed in 1.0.0?",
          "\"## 1.0.0 (2024-01-01)\n\n- No dark theme yet.\n- A grey bell.\n- No shade.\"");
    kvz_close(k);
    k = index_text("final.md", "## 1.1.0 (2024-03)\n\n- Done.\n\n## 1.1.0-rc1 (2024-02)\n\n"
                               "- Almost.\n\n## 1.1.0b2 (2024-01)\n\n- Begun.\n");
    asked(&k, 1, "What is the oldest version?", "\"## 1.1.0b2 (2024-01)\"");
    asked(&k, 1, "What is the newest version?", "\"## 1.1.0 (2024-03)\"");
    kvz_close(k);
}

// A head that its text follows on the line is said without a sentence that goes on below.
static void test_heads_in_prose(void **state)
{
    (void)state;
    struct kvz *k = index_text(
        "mill.md", "# Mill\n\n## Versions\n\n2.1 (4 May 2024). The wheel is quiet now. It has "
                   "a\n`brake`. A bell rings when the sacks are full and the miller is away.\n\n"
                   "2.0 (3 March 2023). Made anew, with two stones and\na door.\n");
    asked(&k, 1, "When was version 2.1 released?", "\"2.1 (4 May 2024). The wheel is quiet now.\"");
    asked(&k, 1, "When was version 2.0 released?", "\"2.0 (3 March 2023).\"");
    kvz_close(k);
}

// An entry ends where a section does that is not one of its own.
static void test_what_is_below_a_log(void **state)
{
    (void)state;
    struct kvz *k = index_text(
        "kettle.md", "# Kettle\n\n## Changelog\n\n### 1.2.0\n\n#### New\n\n- A whistle.\n\n"
                     "### 1.1.0\n\n```\n# boil\n```\n\n- Steam.\n\n## Contributing\n\nMail "
                     "Ulla.\n");
    asked(&k, 1, "What changed in 1.2.0?", "\"### 1.2.0\n\n#### New\n\n- A whistle.\"");
    asked(&k, 1, "What changed in 1.1.0?", "\"### 1.1.0\n\n```\n# boil\n```\n\n- Steam.\"");
    kvz_close(k);
    k = index_text("kettle.rst", "Kettle\n======\n\n1.2.0 (2024)\n------------\n\n* A "
                                 "whistle.\n\n1.1.0 (2023)\n------------\n\n"
                                 "Fixes\n~~~~~\n\n* Steam.\n\nPlans\n=====\n\nTea.\n");
    asked(&k, 1, "What changed in 1.1.0?", "\"1.1.0 (2023)\n\nFixes\n\n* Steam.\"");
    kvz_close(k);
}

// Each item is asked for by itself, and what heads it says more of it than its own words.
static void test_items_below_headings(void **state)
{
    (void)state;
    struct kvz *k = index_text(
        "loom.txt",
        "CHANGES IN LOOM\n\n1.3 -- 4 May 2024, released by Ulla Berg\n"
        "-------------------------------------\n\nNew features\n\n"
        "  * The shuttle no longer rattles\n    at night.\n  * A lamp.\n\nFixes\n\n"
        "  * The belt does not slip (LM-7).\n  * A support for the treadle was missing.\n\n"
        "Removed\n\n  * The pedal, which nobody supported.\n\nKnown problems\n\n"
        "  * It hums.\n\n1.2 -- 3 May 2023, released by Jo Falk\n"
        "-----------------------------------\n\nFixes\n\n  * The bell rings.\n\n"
        "Deprecated\n\n  * The crank.  Use the motor.\n\nChanged\n\n"
        "  * The warp has changed to linen.\n");
    asked(&k, 1, "What was fixed in 1.3?",
          "\"1.3 -- 4 May 2024, released by Ulla Berg\"\n\"* The belt does not slip (LM-7).\"\n"
          "\"* A support for the treadle was missing.\"");
    asked(&k, 1, "Which belt was fixed in 1.3?",
          "\"1.3 -- 4 May 2024, released by Ulla Berg\"\n\"* The belt does not slip (LM-7).\"");
    asked(&k, 1, "Which motor was fixed in 1.3?", NULL);
    asked(&k, 1, "What was removed in 1.3?",
          "\"1.3 -- 4 May 2024, released by Ulla Berg\"\n\"* The pedal, which nobody supported.\"");
    asked(&k, 1, "Which known problems does version 1.3 have?",
          "\"1.3 -- 4 May 2024, released by Ulla Berg\"\n\"* It hums.\"");
    asked(&k, 1, "Which features are in 1.3?",
          "\"1.3 -- 4 May 2024, released by Ulla Berg\"\n\"* The shuttle no longer rattles at "
          "night.\""
          "\n\"* A lamp.\"");
    asked(&k, 1, "What was deprecated in 1.2?",
          "\"1.2 -- 3 May 2023, released by Jo Falk\"\n\"* The crank. Use the motor.\"");
    asked(&k, 1, "Which known problems does 1.2 have?", NULL);
    asked(&k, 1, "In which version did the warp change?",
          "\"1.2 -- 3 May 2023, released by Jo Falk\"\n\"* The warp has changed to linen.\"");
    asked(&k, 1, "Which version introduced the shuttle?",
          "\"1.3 -- 4 May 2024, released by Ulla Berg\"\n\"* The shuttle no longer rattles at "
          "night.\"");
    asked(&k, 1, "Who released version 1.2?", "\"1.2 -- 3 May 2023, released by Jo Falk\"");
    kvz_close(k);
    k = index_text("mill.md",
                   "## Mill 1.1 (2024)\n\n- A clock.\n\n## Mill 1.2 (2025)\n\n- A brake.\n");
    asked(&k, 1, "Who released version 1.2?", NULL); // its head names nobody
    kvz_close(k);
}

// A long entry is printed whole.
static void test_long_entry(void **state)
{
    (void)state;
    enum { ITEMS = 30, ITEM = 40 };
    char text[ITEMS * ITEM + 200] = "## Mill 1.2 (2025)\n\n", said[sizeof text];
    for (int i = 0; i < ITEMS; i++)
        sprintf(text + strlen(text), "- Sail number %d turns in the wind.\n", i);
    sprintf(said, "\"%.*s\"", (int)strlen(text) - 1, text);
    strcat(text, "\n## Mill 1.1 (2024)\n\n- A clock.\n");
    struct kvz *k = index_text("mill.md", text);
    asked(&k, 1, "What changed in 1.2?", said);
    kvz_close(k);
}

// Heads in bold that run into what their entries say.
static void test_run_in(void **state)
{
    (void)state;
    struct kvz *k = index_text(
        "mill.md",
        "## Versions\n\n**2.4** (5 May 2021). A brake. The sails of\nthe mill turn faster.\n\n"
        "**2.3** (4 June 2020). A hopper was added in place of the sack.\n\n"
        "**2.2** (1 March 2019). The door shuts.\nIt opens, too.\n\n"
        "**Note** that 2.1 is older.\n");
    asked(&k, 1, "Which version added the hopper?",
          "\"**2.3** (4 June 2020)\"\n\"A hopper was added in place of the sack.\"");
    asked(&k, 1, "What changed in version 2.4?",
          "\"**2.4** (5 May 2021). A brake. The sails of the mill turn faster.\"");
    asked(&k, 1, "When was 2.2 released?", "\"**2.2** (1 March 2019)\"");
    asked(&k, 1, "What is the newest version?", "\"**2.4** (5 May 2021)\"");
    kvz_close(k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_entries),
        cmocka_unit_test(test_no_entries),
        cmocka_unit_test(test_many_entries),
        cmocka_unit_test(test_changes),
        cmocka_unit_test(test_heads_in_prose),
        cmocka_unit_test(test_what_is_below_a_log),
        cmocka_unit_test(test_items_below_headings),
        cmocka_unit_test(test_long_entry),
        cmocka_unit_test(test_run_in),
    };
    return cmocka_run_group_tests(tests, engine_set_up, engine_tear_down);
}
