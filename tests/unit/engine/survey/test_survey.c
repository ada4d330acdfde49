// Questions that want all of a text: which are of that kind, what a statement defines, and what is
// found.
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/survey/definition.h"
#include "engine/survey/names.h"
#include "engine/survey/survey.h"
#include "engine/survey/wanted.h"
#include "tests/unit/engine_fixture.h"
#include "tests/unit/ok.h"
#include "tests/unit/survey_fixture.h"

static void test_wanted(void **state)
{
    (void)state;
    static const struct {
        const char *question;
        enum want want;
        const char *what, *kind;
        int n;
    } cases[] = {
        {"How often is the rent mentioned in the lease?", WANT_COUNT, "rent", "", 0},
        {"Be brief. How many times is Anna Petrovna mentioned?", WANT_COUNT, "Anna Petrovna", "",
         0},
        {"How often does \"net proceeds\" occur", WANT_COUNT, "net proceeds", "", 0},
        {"How often does the word \xe2\x80\x9crent\xe2\x80\x9d occur in this text?", WANT_COUNT,
         "rent", "", 0},
        {"How many times does ERROR occur?", WANT_COUNT, "ERROR", "", 0},
        {"how often does the rent occur in the whole text?", WANT_COUNT, "rent", "", 0},
        {"How many lines of the log mention sda1?", WANT_COUNT, "sda1", "", 0},
        {"How many WARN lines are there?", WANT_COUNT, "WARN", "", 0},
        {"How many \"net proceeds\" entries does the log have?", WANT_COUNT, "net proceeds", "", 0},
        {"How many errors are there in the log?", WANT_COUNT, "errors", "", 0},
        {"How many warnings does this log contain?", WANT_COUNT, "warnings", "", 0},
        {"count the errors", WANT_COUNT, "errors", "", 0},
        {"how many warning messages?", WANT_COUNT, "warning", "", 0},
        {"How many fatal errors were logged?", WANT_COUNT, "fatal", "", 0},
        {"How many lines contain ERROR?", WANT_COUNT, "ERROR", "", 0},
        {"How many lines have the word timeout?", WANT_COUNT, "timeout", "", 0},
        {"Which entries contain \"out of memory\"?", WANT_LINES, "out of memory", "", 0},
        {"List all lines that mention r-81c9.", WANT_LINES, "r-81c9", "", 0},
        {"Show me every line containing FATAL", WANT_LINES, "FATAL", "", 0},
        {"List all lines with ERROR", WANT_LINES, "ERROR", "", 0},
        {"Print every entry that has r-81c9.", WANT_LINES, "r-81c9", "", 0},
        {"Show me all FATAL lines", WANT_LINES, "FATAL", "", 0},
        {"list all error messages", WANT_LINES, "error", "", 0},
        {"Which warnings are there in the log?", WANT_LINES, "warnings", "", 0},
        {"Which 12 words are the most common ones in the list above?", WANT_COMMON, "", "", 12},
        {"What are the three most frequent words?", WANT_COMMON, "", "", 3},
        {"Which word is used most often?", WANT_COMMON, "", "", 1},
        {"Which variables have the value 12345, directly or by way of other variables?",
         WANT_HOLDERS, "12345", "", 0},
        {"Find all keys that are set to 'off'.", WANT_HOLDERS, "off", "", 0},
        {"What is the final value of depth?", WANT_VALUE, "depth", "", 0},
        {"On which other terms does \"Total Charge\" rest, directly or indirectly?", WANT_RESTS_ON,
         "Total Charge", "terms", 0},
        {"Which terms depend on the Index, directly or indirectly?", WANT_RESTING, "Index", "terms",
         0},
        {"Which user does request r-81c9 lead to?", WANT_LED_TO, "r-81c9", "user", 0},
        {"What does section 4.3 say?", WANT_SECTION, "4.3", "", 0},
        {"What is Article 7 about?", WANT_SECTION, "7", "", 0},
        {"Was steht in \u00a7 2?", WANT_SECTION, "2", "", 0},
        {"\u00a76.5", WANT_SECTION, "6.5", "", 0},
        {"Summarize chapter 3", WANT_SECTION, "3", "", 0},
        {"What does Exhibit A say?", WANT_SECTION, "A", "", 0},
        {"What does section 13 say about lights?", WANT_SECTION, "13", "", 0},
        {"What changed in release 2026e?", WANT_ENTRY, "2026e", "", 0},
        {"what is new in 4.1.2?", WANT_ENTRY, "4.1.2", "", 0},
        {"When was version 4.1.2 released?", WANT_DATED, "4.1.2", "", 0},
        {"When did 4.1.2 come out?", WANT_DATED, "4.1.2", "", 0},
        {"When did Mill 4.1.2 come out?", WANT_DATED, "4.1.2", "Mill", 0},
        {"What is the release date of Mill Works 4.1.2?", WANT_DATED, "4.1.2", "Mill", 0},
        {"What is new in Mill version 4.1.2?", WANT_ENTRY, "4.1.2", "Mill", 0},
        {"What is the latest version of Mill?", WANT_NEWEST, "", "Mill", 0},
        {"What is the latest Mill release?", WANT_NEWEST, "", "Mill", 0},
        {"Which releases came out in 2024?", WANT_ENTRIES, "2024", "", 0},
        {"What is the most recent version?", WANT_NEWEST, "", "", 0},
        {"Which is the oldest release?", WANT_OLDEST, "", "", 0},
        {"Which version added the dark theme?", WANT_ADDED, "dark theme", "", 0},
        {"Who is the managing agent?", WANT_ROLE, "managing agent", "", 0},
        {"Wer ist der Hausmeister?", WANT_ROLE, "Hausmeister", "", 0},
        {"How many chapters are there?", WANT_NUMBER, "", "chapters", 0},
        {"Which recipes need black rum?", WANT_LIST, "black rum", "recipes", 0},
        {"list all meetings", WANT_LIST, "", "meetings", 0},
        {"List all subjects", WANT_SUBJECTS, "", "", 0},
        {"Who are the senders?", WANT_SENDERS, "", "", 0},
        {"last error", WANT_PART, "error", "", -1},
        {"Show me the 3rd line of the log.", WANT_PART, "line", "", 3},
        {"When did the most recent restart happen?", WANT_PART_WHEN, "restart", "", -1},
        {"When was the last mail from Ann Mill?", WANT_PART_WHEN, "mail", "", -1},
        {"Who sent the first message about slugs?", WANT_PART_WHO, "message", "", 1},
        {"What is the subject of the last mail?", WANT_PART_SUBJECT, "mail", "", -1},
        {"What is the first chapter about?", WANT_PART_SAYS, "chapter", "", 1},
        // These ask for something else.
        {"What was the first thing that she saw?", WANT_NOTHING, "", "", 0},
        {"What is new in the house?", WANT_NOTHING, "", "", 0},
        {"Who is there?", WANT_NOTHING, "", "", 0},
        {"How often is the log rotated?", WANT_NOTHING, "", "", 0},
        {"What is in box 7?", WANT_NOTHING, "", "", 0},
        {"How often are updates pushed out to the mirrors worldwide?", WANT_NOTHING, "", "", 0},
        {"How often does the error occur?", WANT_NOTHING, "", "", 0},
        {"How often is it mentioned?", WANT_NOTHING, "", "", 0},
        {"How often is the man who opened the gate mentioned?", WANT_NOTHING, "", "", 0},
        {"How often is the rent mentioned in clause 3?", WANT_NOTHING, "", "", 0},
        {"How many lines has the railway?", WANT_NOTHING, "", "", 0},
        {"How many railway lines are there?", WANT_NOTHING, "", "", 0},
        {"Which places have a lighthouse?", WANT_NOTHING, "", "", 0},
        {"How many errors are allowed?", WANT_NOTHING, "", "", 0},
        {"How many error codes are there?", WANT_NOTHING, "", "", 0},
        {"How many errors are there in the first chapter?", WANT_NOTHING, "", "", 0},
        {"Which words are most common among sailors?", WANT_NOTHING, "", "", 0},
        {"What is the most common cause of failure?", WANT_NOTHING, "", "", 0},
        {"What is the value of K1?", WANT_NOTHING, "", "", 0},
        {"What is the default value of base_dir?", WANT_NOTHING, "", "", 0},
        {"Which packages depend on libc6?", WANT_NOTHING, "", "", 0},
        {"Which key opens the cellar?", WANT_NOTHING, "", "", 0},
        {"", WANT_NOTHING, "", "", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct wanted w;
        int asks = wanted_parse(&w, cases[i].question);
        if (asks != (cases[i].want != WANT_NOTHING) || w.want != cases[i].want ||
            strcmp(w.what, cases[i].what) != 0 ||
            (*cases[i].kind && strcmp(w.kind, cases[i].kind) != 0) ||
            (cases[i].n && w.n != cases[i].n))
            fail_msg("%s: %d '%s' '%s' %d", cases[i].question, (int)w.want, w.what, w.kind, w.n);
    }
}

// A question longer than any form, and a name longer than any name, ask for nothing of the kind.
static void test_wanted_has_bounds(void **state)
{
    (void)state;
    char question[1024] = "How often is ";
    struct wanted w;
    for (int i = 0; i < 80; i++)
        strcat(question, "very ");
    strcat(question, "rent mentioned?");
    assert_false(wanted_parse(&w, question));
    strcpy(question, "How often is ");
    memset(question + strlen(question), 'x', WANTED_BYTES);
    strcpy(question + strlen("How often is ") + WANTED_BYTES, " mentioned?");
    assert_false(wanted_parse(&w, question));
}

static void test_names(void **state)
{
    (void)state;
    static const struct {
        const char *what, *text;
        int n;
    } cases[] = {
        {"rent", "Rent, rents and the rent; re-rent, rent_a, RENT", 4},
        {"Will", "Will will; WILL Wills", 2},
        {"net proceeds", "Net\n  proceeds and net proceeds", 2},
        {"C-1", "C-1, C-11, C-1.", 2},
        {"\u6771\u4eac", "\u6771\u4eac\u90fd\u6771\u4eac", 2},
        {"\u00e4rger", "Der \u00c4rger, \u00e4rger; \u00c4RGER, Ver\u00e4rgerung", 3},
        {"\u00c4rger", "Der \u00c4rger, \u00e4rger; \u00c4RGER", 2},
        {"\u0436\u0443\u043a", "\u0416\u0443\u043a \u0416\u0423\u041a\u0438 \u0436\u0443\u043a", 2},
        {"rent", "\u201crent\u201d \u00abRent\u00bb _rent_ rent\u2026 rent_b \u00e9rent rent\u00e9",
         4},
        {"x", "", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t n = strlen(cases[i].text), bytes;
        int found = 0;
        for (size_t at = 0; name_next(cases[i].what, cases[i].text, n, &at, &bytes); at += bytes)
            found++;
        assert_int_equal(found, cases[i].n);
    }
    static const char text[] = "See /etc/x.conf, r-81c9: the Net Proceeds. The Mill";
    static const char *const phrases[] = {"See",          "/etc/x.conf", "r-81c9", "the",
                                          "Net Proceeds", "The",         "Mill"};
    size_t at = 0, n;
    for (size_t i = 0; i < sizeof phrases / sizeof *phrases; i++, at += n) {
        n = name_phrase(text, strlen(text), &at);
        assert_int_equal(n, strlen(phrases[i]));
        assert_memory_equal(text + at, phrases[i], n);
    }
    assert_int_equal(name_phrase(text, strlen(text), &at), 0);
}

static void test_definitions(void **state)
{
    (void)state;
    static const struct {
        const char *text, *name, *sole; // NULL: none
    } cases[] = {
        {"LET AB = CD", "AB", "CD"},
        {"VAR X2 = VAR X1", "X2", "X1"},
        {"export LIB=$(PREFIX)  # comment", "LIB", "PREFIX"},
        {"  \"port\": \"http_port\",", "port", "http_port"},
        {"www -> web1", "www", "web1"},
        {"The variable Beta takes the value of Alpha.", "Beta", "Alpha"},
        {"Net Costs are high. Net Rent equals Base Rent", "Net Rent", NULL},
        {"Copy Delta to Zeta.", "Zeta", "Delta"},
        {"Write to 5 Mill Lane.", NULL, NULL}, // what is written is not said
        {"Put to X2", NULL, NULL},
        {"Store in X2", NULL, NULL},
        {"Put X1 in X2", "X2", "X1"},
        {"The value of Delta is passed on to Kappa", "Kappa", "Delta"},
        {"\"Deposit\" means three times the Base Rent.", "Deposit", NULL},
        {"e = c + 1", "e", NULL},
        {"g = -c", "g", NULL},
        {"h = f(c)", "h", NULL},
        {"a = b, c", "a", NULL},
        {"if a == b", NULL, NULL},
        {"the hill is", NULL, NULL},
        {"no word of it", NULL, NULL},
        {"", NULL, NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct definition d;
        const char *sole = NULL;
        if (definition_parse(&d, cases[i].text, strlen(cases[i].text)) != (cases[i].name != NULL))
            fail_msg("%s", cases[i].text);
        if (!cases[i].name)
            continue;
        size_t n = definition_sole(&d, &sole);
        if (!definition_is_of(&d, cases[i].name) ||
            n != (cases[i].sole ? strlen(cases[i].sole) : 0) ||
            (n && memcmp(sole, cases[i].sole, n) != 0))
            fail_msg("%s: '%.*s' '%.*s'", cases[i].text, (int)d.n_name, d.name, (int)n,
                     n ? sole : "");
    }
}

static void test_surveys(void **state)
{
    (void)state;
    struct kvz *k[] = {
        index_text("chain.txt", "Notes on the mill.\nX2 = X1\nThe wheel turns. The wheel "
                                "stops.\nX1 = 71\nX3 = X2; Y1 = 8\n"
                                "X4 = X1 + 1\nY1 = X3\nX3 = 9\nZ1 = X3\nZ2 = Z2\n"
                                "\"Gain\" means Income less Cost.\n\"Income\" means what "
                                "comes in.\n\"Bonus\" means a tenth of the Gain.\n"),
        index_text("trail.txt", "10:00:01 session s-77 opened for user maren\n10:00:02 "
                                "link up\n10:00:05 request r-12 bound to session s-77\n"
                                "10:00:09 request r-12 failed, the wheel\n")};
    static const struct {
        const char *question, *answer; // NULL: the texts say nothing of it
    } cases[] = {
        {"How often is the wheel mentioned?", "\"wheel\" stands in the text 3 times."},
        {"How many lines mention the wheel?", "\"wheel\" stands in 2 lines."},
        {"How many sentences mention the wheel?", "\"wheel\" stands in 3 sentences."},
        {"How often is the beacon mentioned?", "\"beacon\" does not stand in the text."},
        {"How often are wheels mentioned?", "\"wheels\" or \"wheel\" stands in the text 3 times."},
        {"How often is \"wheels\" mentioned?", "\"wheels\" does not stand in the text."},
        {"How often does the word wheels occur?", "\"wheels\" does not stand in the text."},
        {"Which lines mention r-12?",
         "10:00:05 request r-12 bound to session s-77\n10:00:09 request r-12 failed, the wheel\n"},
        {"Which lines mention the beacon?", NULL},
        {"Which two words are the most common?", "the (5 times), x3 (4)"},
        {"Which number is most common?", "10 (4 times)"},
        {"Which variables have the value 71, directly or by way of others?", "X1, X2, Y1"},
        {"Which variables have the value 9?", "X3, Z1"},
        {"Which variables have the value 70?", NULL},
        {"What is the final value of Y1?", "71, by way of X3, X2, X1"},
        {"What is the final value of Z2?", NULL},
        {"What is the final value of X4?", "X1 + 1"},
        {"On which terms does the Bonus rest, directly or indirectly?", "Gain, Income"},
        {"Which terms rest on Income, directly or indirectly?", "Gain, Bonus"},
        {"Which user does request r-12 lead to?", "maren, by way of s-77"},
        {"Which ship does request r-12 lead to?", NULL},
        {"Who owns the mill?", NULL},
        {"What does section 3 say?", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        asked(k, 2, cases[i].question, cases[i].answer);
    kvz_close(k[0]);
    kvz_close(k[1]);
}

// What is switched off by a comment sets nothing.
static void test_switched_off(void **state)
{
    (void)state;
    struct kvz *k = index_text("off.conf", "log_level = info\n#log_level = debug\n# DB_HOST=test\n"
                                           "DB_HOST=prod\n  # DB_HOST=old\nserver:\n  port: 80\n"
                                           "  # port: 8080\nlimit_a = 3 # not limit_a = 4\n"
                                           "; limit_a = 5\n//limit_a = 6\nlimit_b = limit_a\n"
                                           "run ; limit_c = 7\n/* limit_c = 8\nlimit_c = 9 */\n"
                                           "#limit_d = 1\n");
    asked(&k, 1, "What is the final value of log_level?", "info");
    asked(&k, 1, "What is the final value of DB_HOST?", "prod");
    asked(&k, 1, "What is the final value of port?", "80");
    asked(&k, 1, "What is the final value of limit_b?", "3, by way of limit_a");
    asked(&k, 1, "What is the final value of limit_c?", "7");
    asked(&k, 1, "What is the final value of limit_d?", NULL);
    kvz_close(k);
}

// The same words are counted whatever their case, and whoever counts them.
static void test_words(void **state)
{
    (void)state;
    struct kvz *k =
        index_text("words.txt", "foo_bar foo_bar foo foo-bar _foo_.\n\u041c\u0438\u0440 "
                                "\u0438 \u043c\u0438\u0440, \u00ab\u041c\u0418\u0420\u00bb. "
                                "\u041c\u0438\u0440!\n");
    asked(&k, 1, "What are the four most common words?",
          "\u043c\u0438\u0440 (4 times), foo (3), foo_bar (2), bar (1)");
    asked(&k, 1, "How often does the word foo occur?", "\"foo\" stands in the text 3 times.");
    asked(&k, 1, "How often does \"foo_bar\" occur?", "\"foo_bar\" stands in the text 2 times.");
    asked(&k, 1, "How often does the word \u043c\u0438\u0440 occur?",
          "\"\u043c\u0438\u0440\" stands in the text 4 times.");
    kvz_close(k);
}

// What a term means that a line begins with, where it is set in below it or stands behind it.
static void test_terms(void **state)
{
    (void)state;
    struct kvz *k = index_text(
        "manual.txt",
        "FROB(1)\n\nOPTIONS\n       -q, --quiet\n              Say  nothing  at  all  but what was "
        "asked\n              for.\n       -n COUNT\n              Turn the wheel COUNT times.  "
        "The default is 7.\n\n              It turns to the left.\n       -u     Unlock the "
        "gate.\n       WHEEL  What is turned, with a stack, frob or\n              not.\n       -k "
        "or --keys\n              What opens.\n       -xdev  Stays here.\n\nCOMMANDS\n       lock "
        "[-u]\n       [gate]\n       "
        "       Locks the gate.\n              -u     Unlocks it, which\n                     "
        "takes a key.\n\nfrob prints -u. It stands still, WHEEL  or\nnot.\n\n- `KEY_FILE` - where "
        "the key is\n- COLOUR: red or green\nmill: It stands still.\n\n#define MAX_TRIES         "
        "6\n");
    asked(&k, 1, "What does --quiet do?",
          "\"-q, --quiet\nSay nothing at all but what was asked for.\"");
    asked(&k, 1, "What does frob -q do?",
          "\"-q, --quiet\nSay nothing at all but what was asked for.\"");
    asked(&k, 1, "What is the default of -n?", "\"The default is 7.\"");
    asked(&k, 1, "What is the default of --quiet?", NULL);
    asked(&k, 1, "What does -n mean?",
          "\"-n COUNT\nTurn the wheel COUNT times. The default is 7.\n\nIt turns to the left.\"");
    asked(&k, 1, "What does lock -u do?", "\"-u     Unlocks it, which takes a key.\"");
    asked(&k, 1, "What does -u do?",
          "\"-u     Unlock the gate.\"\n\"-u     Unlocks it, which takes a key.\"");
    asked(&k, 1, "What does shut -u do?", NULL);
    asked(&k, 1, "What is the value of MAX_TRIES?", "\"MAX_TRIES         6\"");
    asked(&k, 1, "What does WHEEL mean?", "\"WHEEL What is turned, with a stack, frob or not.\"");
    asked(&k, 1, "What does lock do?",
          NULL); // its name takes two lines, and below the first one nothing is set in
    asked(&k, 1, "What is KEY_FILE?", "\"KEY_FILE` - where the key is\"");
    asked(&k, 1, "What does --keys do?", "\"-k or --keys\nWhat opens.\"");
    asked(&k, 1, "What does COLOUR mean?", "\"COLOUR: red or green\"");
    asked(&k, 1, "What does -xdev do?", "\"-xdev  Stays here.\"");
    asked(&k, 1, "What does the mill do?", NULL); // somebody says so
    asked(&k, 1, "What does -x do?", NULL);
    asked(&k, 1, "What does the option do?", NULL);
    asked(&k, 1, "What does frob do?", NULL);
    asked(&k, 1, "What does", NULL);
    kvz_close(k);
    // Of a long entry the sentence that has what is asked, or none; a default that only its name
    // has is not asked for.
#define LONG "The lamp is lit by the wheel, and by nothing else that turns in the mill. "
    k = index_text(
        "long.txt",
        "   $DefaultLamp\n       The lamp that is lit. It is the first at first.\n\n"
        "   set [-e]\n       Sets how the mill stands.\n\n          --each\n"
        "             It stands at each turn. " LONG LONG LONG LONG LONG LONG LONG LONG "\n\n"
        "   \u2018--wait-for=SECONDS\u2019\n       It waits for the wheel.\n\n       By "
        "default, the mill will assume 10.\n\n   \u2018--slow\u2019\n       It turns slowly.\n\n"
        "   LAMPTIMER\n       " LONG LONG LONG LONG LONG LONG LONG LONG LONG "\n\n"
        "       The name of the lamp has 27 letters at most.\n");
    asked(&k, 1, "What is the length of the name for LAMPTIMER's lamp?", NULL);
    asked(&k, 1, "How many letters has LAMPTIMER?", NULL);
    asked(&k, 1, "What is the most letters of a name for LAMPTIMER?",
          "\"The name of the lamp has 27 letters at most.\"");
    asked(&k, 1, "What is the default of LAMPTIMER?", NULL);
    asked(&k, 1, "What value does the mill assume by default for --wait-for?",
          "\"By default, the mill will assume 10.\"");
    asked(&k, 1, "What does --slow do?", "\"\u2018--slow\u2019\nIt turns slowly.\"");
    asked(&k, 1, "What value does --wait-for have by default?",
          "\"By default, the mill will assume 10.\"");
    // "set" is not looked for in the entry: it is what that is set in under.
    struct survey all;
    struct err e;
    assert_int_equal(survey(&all, &k, 1, "What does set --each do?", 9, &e), 1);
    assert_ptr_equal(strstr(all.text, "\"--each\nIt stands at each turn. The lamp"), all.text);
    survey_done(&all);
    asked(&k, 1, "What is $DefaultLamp at first?",
          "\"$DefaultLamp\nThe lamp that is lit. It is the first at first.\"");
    kvz_close(k);
    // lines that are broken, and not set in
    k = index_text("codes.txt", "E30: Too much foam. Pour a spoonful of softener with water into\n"
                                "drawer II, and use less of it. Wait for\nan hour.\n\n"
                                "E41: The door is not shut.\nE57: The motor is hot.\n");
    asked(
        &k, 1, "What does E30 mean?",
        "\"E30: Too much foam. Pour a spoonful of softener with water into drawer II, and use less "
        "of it. Wait for an hour.\"");
    asked(&k, 1, "What does E41 mean?", "\"E41: The door is not shut.\"");
    asked(&k, 1, "What does e57 mean?", "\"E57: The motor is hot.\"");
    kvz_close(k);
// what leads in a list says what its entries belong to
#define FAR "So much is known of it, and nothing else. "
    k = index_text("leads.txt", FAR FAR FAR FAR FAR FAR FAR FAR FAR FAR
                   "\n\nThe line for mills is\n  mill [-tu] [wheel]\n\nThe options are:\n\n"
                   "-t\tturn it\n-u\tunlock it\n\nThe line for looms is\n"
                   "  loom [-t]\n\nOptions are the same, and:\n\n-t\tthrow the rest\n");
    asked(&k, 1, "What does the -t option of mill do?", "\"-t\tturn it\"");
    asked(&k, 1, "What does the -t option of loom do?", "\"-t\tthrow the rest\"");
    asked(&k, 1, "What does the -u option of oven do?", NULL);
    kvz_close(k);
}

// A section is said up to the next one, not a line of the table of contents, nor an item of a list.
static void test_sections(void **state)
{
    (void)state;
    struct kvz *k = index_text(
        "lease.txt",
        "1. Rent ..... 2\n2. Pets ..... 3\n\n1. Rent\n\n1.1 The rent is due on the\nfirst of "
        "the month.\n\n1.2 It is paid:\n\n1. in cash\n2. by cheque\n\n1.10 Nobody "
        "pays\ntwice.\n\n2. Pets\n\nOne cat may stay. 3 dogs may not.\n\n\u00a7 7 Ruhe\n\n"
        "(1) Es ist still.\n");
    asked(&k, 1, "What does section 1.1 say?",
          "\"1.1 The rent is due on the first of the month.\"");
    asked(&k, 1, "What does clause 1.2 say?", "\"1.2 It is paid:\n\n1. in cash\n2. by cheque\"");
    asked(&k, 1, "What is section 2 about?", "\"2. Pets\n\nOne cat may stay. 3 dogs may not.\"");
    asked(&k, 1, "Was steht in \u00a7 7?", "\"\u00a7 7 Ruhe\n\n(1) Es ist still.\"");
    asked(&k, 1, "What does section 3 say?", "There is no section 3 in the text.");
    asked(&k, 1, "What does section x say?", NULL);
    asked(&k, 1, "What does the section on pets say?",
          "\"2. Pets\n\nOne cat may stay. 3 dogs may not.\"");
    asked(&k, 1, "What does section 1.1.1 say?", "There is no section 1.1.1 in the text.");
    asked(&k, 1, "What does chapter 1.1 say?",
          "\"1.1 The rent is due on the first of the month.\"");
    kvz_close(k);
}

// What a section says in one of its parts, by its mark or its place.
static void test_parts_of_sections(void **state)
{
    (void)state;
    struct kvz *k = index_text(
        "rules.txt",
        "1. Rent\n\nThe rent is due in May.\n\nIt is paid in eggs,\nor in flour.\n\n"
        "2. Pets\n\n(1) One cat may stay.\n(2) No dog may, nor what is named in\nparagraph (1).\n"
        "(3) Fish may.\n\n3. Lamps\n\nThe tenant must not\n(a) light lamps;\n(b) sell them; or\n"
        "(c) hide them.\n\n4. Guests. (1) They knock. (2) They leave.\n\n5. End\n\nIt ends.\n");
    asked(&k, 1, "What does article 2(2) say?",
          "\"(2) No dog may, nor what is named in paragraph (1).\"");
    asked(&k, 1, "What does section 2(3) say?", "\"(3) Fish may.\"");
    asked(&k, 1, "What does section 3(b) say?", "\"(b) sell them; or\"");
    asked(&k, 1, "What does section 4(2) say?", "\"(2) They leave.\"");
    asked(&k, 1, "What does section 2(4) say?", NULL);
    asked(&k, 1, "What does the second paragraph of section 1 say?",
          "\"It is paid in eggs, or in flour.\"");
    asked(&k, 1, "What is the last paragraph of section 1?",
          "\"It is paid in eggs, or in flour.\"");
    asked(&k, 1, "What does the third paragraph of section 1 say?", NULL);
    asked(&k, 1, "What does the second schedule of section 1 say?", NULL);
    asked(&k, 1, "What does the third paragraph of section 2 say?", "\"(3) Fish may.\"");
    asked(&k, 1, "What does the last paragraph of section 2 say?", NULL);
    asked(&k, 1, "What does the second paragraph of section 3 say?", NULL);
    kvz_close(k);
}

// A word before the number tells what is meant where the text has it, and letters are numbers then.
static void test_named_sections(void **state)
{
    (void)state;
    struct kvz *k = index_text(
        "parts.txt", "1. Dogs\n2. Cats\n\nChapter 1: Mills\n\nOf mills.\n\n1.1: Wind\n\nIt "
                     "turns:\n\n  1. ) the sails\n  2. ) the stone\n\nChapter 2: Looms\n\nOf "
                     "looms.\n\nSchedule A: Keys\n\nOne key, as Schedule B says.\n\nSchedule B: "
                     "Locks\n\nTwo locks.\n");
    asked(&k, 1, "What is chapter 2 about?", "\"Chapter 2: Looms\n\nOf looms.\"");
    asked(&k, 1, "What does Schedule A say?",
          "\"Schedule A: Keys\n\nOne key, as Schedule B says.\"");
    asked(&k, 1, "schedule b", "\"Schedule B: Locks\n\nTwo locks.\"");
    asked(&k, 1, "What does chapter 3 say?", "There is no chapter 3 in the text.");
    asked(&k, 1, "What does Schedule 2 say?", NULL); // "II" may be
    asked(&k, 1, "What does Schedule C say?", "There is no Schedule C in the text.");
    asked(&k, 1, "What does Exhibit A say?", NULL);
    asked(&k, 1, "What does the chapter on looms say?", "\"Chapter 2: Looms\n\nOf looms.\"");
    asked(&k, 1, "What does the locks schedule say?", "\"Schedule B: Locks\n\nTwo locks.\"");
    asked(&k, 1, "What does the section on fire say?", NULL);
    kvz_close(k);
    // What a section says of something; and several of one number.
    k = index_text("many.txt",
                   "2. Roof\nIt leaks. " FAR FAR FAR FAR FAR FAR FAR FAR FAR FAR FAR FAR FAR FAR
                   "\n2.1 Slates\nTen fell.\n2.2 Gutter\nIt drips.\n\nThe second day\n\n"
                   "2. Heating\nIt is cold.\n");
    asked(&k, 1, "What does section 2.1 say?", "\"2.1 Slates\nTen fell.\"");
    asked(&k, 1, "What does section 2 say about the gutter?",
          "2 sections have this number:\n\"2.2 Gutter\nIt drips.\n\nThe second day\"\n"
          "\"2. Heating\nIt is cold.\"");
    kvz_close(k);
    // The heads of pages are no heads of sections.
    k = index_text("pages.txt", "2 Looms\n\nOf looms.\n\fChapter 2: Looms 7\n\nThey weave.\n\f"
                                "Chapter 2: Looms 8\n\nAnd rest.\n\fChapter 2: Looms 9\n\nAt "
                                "night.\n\fChapter 2: Looms 10\n\nAt noon.\n\f"
                                "Chapter 3: Mills 11\n\nOf mills.\n");
    struct survey all;
    struct err e;
    assert_int_equal(survey(&all, &k, 1, "What is chapter 2 about?", 9, &e), 1);
    assert_ptr_equal(strstr(all.text, "\"2 Looms\n\nOf looms."), all.text);
    survey_done(&all);
    kvz_close(k);
    // The entry of a table of contents is not the section.
    k = index_text("faq.txt", "1. May cats stay?\n2. May dogs stay?\n\n(1) May cats stay?\n\n"
                              "One may.\n\n(2) May dogs stay?\n\nThey may not.\n");
    asked(&k, 1, "What does question 2 say?", "\"(2) May dogs stay?\n\nThey may not.\"");
    kvz_close(k);
}

// Heads that are marked as such need no empty line below them, nor to be in order.
static void test_called_sections(void **state)
{
    (void)state;
    struct kvz *k = index_text(
        "called.txt",
        "Section 2\nThe rent is due, as in\nSection 9\nof the act.\nIt is set by\nSection 7.\n"
        "Section 5: Pets\nCats may stay\nSection 6\nNobody smokes, see\nSection 8, too.\n## "
        "12.\nNo fire.\n## 14.\nNo noise.\n");
    asked(&k, 1, "What does section 2 say?",
          "\"Section 2\nThe rent is due, as in Section 9 of the act.\nIt is set by Section 7.\"");
    asked(&k, 1, "What does section 5 say?", "\"Section 5: Pets\nCats may stay\"");
    asked(&k, 1, "What does section 6 say?", "\"Section 6\nNobody smokes, see\nSection 8, too.\"");
    kvz_close(k);
}

// Dots say that a section goes on.
static void test_long_sections(void **state)
{
    (void)state;
#define CHARGES                                                                                    \
    "The tenant pays for the water, the gas, the lamps, the lock and the key of every room "       \
    "that he has, and so do those who live with him in the house or in the yard behind it."
    struct kvz *k = index_text("long.txt", "1.1 Charges\n\n" CHARGES "\n" CHARGES "\n" CHARGES
                                           "\n" CHARGES "\n\n2. Pets\n\nOne cat may stay.\n");
    asked(&k, 1, "What does section 1.1 say?",
          "\"1.1 Charges\n\n" CHARGES "\n" CHARGES "\n" CHARGES "\n\u2026\"");
    kvz_close(k);
}

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
        "Caretaker: Oda Lind\n\nLater our cashier Petra Vogt left. Bea Lumley was the chair that "
        "day. Ada Ottaway, the chair, closed it.\n\nHausmeister ist Herr Wollny. Dem Hausmeister "
        "Bescheid geben. I appoint my niece Ida Hartwell to be the executors with her son.\n");
    asked(&k, 1, "Who is the managing agent?",
          "\"Notices go to the managing agent, Messrs Tarrant and Bligh, in Langport.\"");
    asked(&k, 1, "Who is the treasurer?",
          "\"Present: Ada Ottaway (chair), Colm Dacey (treasurer).\"");
    asked(&k, 1, "Who is the chair?",
          "\"Present: Ada Ottaway (chair), Colm Dacey (treasurer).\"\n\"Bea Lumley was the chair "
          "that day.\"");
    asked(&k, 1, "Who is the steward?", "\"The Vellum Foundation is the steward.\"");
    asked(&k, 1, "Who is the caretaker?", "\"Caretaker: Oda Lind\"");
    asked(&k, 1, "Who was the cashier?", "\"Later our cashier Petra Vogt left.\"");
    asked(&k, 1, "Wer ist der Hausmeister?", "\"Hausmeister ist Herr Wollny.\"");
    asked(&k, 1, "Who are the executors?",
          "\"I appoint my niece Ida Hartwell to be the executors with her son.\"");
    asked(&k, 1, "Who is the judge?", NULL);
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
    asked(&k, 1, "When was version 1.3 released?", NULL);
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
    kvz_close(k);
    k = index_text("final.md", "## 1.1.0 (2024-03)\n\n- Done.\n\n## 1.1.0-rc1 (2024-02)\n\n"
                               "- Almost.\n\n## 1.1.0b2 (2024-01)\n\n- Begun.\n");
    asked(&k, 1, "What is the oldest version?", "\"## 1.1.0b2 (2024-01)\"");
    asked(&k, 1, "What is the newest version?", "\"## 1.1.0 (2024-03)\"");
    kvz_close(k);
}

// More words than are counted at a time, and the places of what is counted, in blocks.
static void test_many_words(void **state)
{
    (void)state;
    enum { WORDS = 36000 };
    char *text = malloc(WORDS * 8 + 1), *p = text;
    assert_non_null(text);
    for (int i = 0; i < WORDS; i++)
        p += sprintf(p, "%s%05d ", i % 3600 ? "w" : "rare w", i);
    struct kvz *k[] = {index_text("many.txt", text)};
    asked(k, 1, "Which two words are the most common?", "rare (10 times), w00000 (1)");
    struct survey s;
    struct err e;
    assert_int_equal(survey(&s, k, 1, "How often is the word 'rare' used?", 3, &e), 1);
    assert_string_equal(s.text, "\"rare\" stands in the text 10 times.");
    assert_int_equal(s.n, 3);
    for (int i = 0; i < s.n; i++) {
        assert_in_range(s.places[i].start, s.places[i].from, s.places[i].to - 1);
        assert_non_null(memmem(s.places[i].text + (s.places[i].start - s.places[i].from),
                               (size_t)(s.places[i].end - s.places[i].start), "rare", 4));
    }
    survey_done(&s);
    kvz_close(k[0]);
    free(text);
}

// As an answer, and asked otherwise.
static void test_asked(void **state)
{
    (void)state;
    struct kvz *k =
        index_text("asked.txt", "The wheel turns.\nNobody looks at the wheel, nor at the mill.\n");
    struct answer a;
    struct ask_options o = {
        .question = "How often is the wheel mentioned?", .max_tokens = 2, .n_evidence = 1};
    OK(ask(F.m, &k, 1, &o, &a, e));
    assert_string_equal(a.text, "\"wheel\" stands in the text 2 times.");
    assert_string_equal(a.finish, "survey");
    assert_int_equal(a.n_evidence, 1);
    assert_int_equal(a.evidence[0].focus_start, 0);
    assert_int_equal(a.evidence[0].focus_end, 16);
    assert_true(a.evidence[0].was_read);
    answer_done(&a);
    o.question = "How often is the wheel mentioned and how often is the mill mentioned?";
    o.max_tokens = 0;
    OK(ask(F.m, &k, 1, &o, &a, e));
    assert_string_equal(
        a.text, "\"wheel\" stands in the text 2 times. \"mill\" stands in the text 1 time.");
    answer_done(&a);
    o.question = "How often is the wheel mentioned?";
    o.survey = -1;
    o.max_tokens = 2;
    OK(ask(F.m, &k, 1, &o, &a, e));
    assert_string_not_equal(a.finish, "survey");
    answer_done(&a);
    kvz_close(k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wanted),
        cmocka_unit_test(test_wanted_has_bounds),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_definitions),
        cmocka_unit_test(test_surveys),
        cmocka_unit_test(test_switched_off),
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_sections),
        cmocka_unit_test(test_parts_of_sections),
        cmocka_unit_test(test_long_sections),
        cmocka_unit_test(test_named_sections),
        cmocka_unit_test(test_terms),
        cmocka_unit_test(test_called_sections),
        cmocka_unit_test(test_roles),
        cmocka_unit_test(test_other_roles),
        cmocka_unit_test(test_entries),
        cmocka_unit_test(test_changes),
        cmocka_unit_test(test_many_words),
        cmocka_unit_test(test_asked),
        cmocka_unit_test(test_elected),
        cmocka_unit_test(test_many_entries),
        cmocka_unit_test(test_no_entries),
    };
    return cmocka_run_group_tests(tests, engine_set_up, engine_tear_down);
}
