// What a survey of a text finds and counts, what a statement defines, what a term of a manual
// means.
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
#include "engine/survey/survey.h"
#include "engine/words/names.h"
#include "tests/unit/engine_fixture.h"
#include "tests/unit/ok.h"
#include "tests/unit/survey_fixture.h"

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
        {"Does the text mention the wheel?", "Yes: \"wheel\" stands in the text 3 times."},
        {"Is a beacon mentioned anywhere?", "No: \"beacon\" does not stand in the text."},
        {"Are wheels mentioned at all?",
         "Yes: \"wheels\" or \"wheel\" stands in the text 3 times."},
        {"Is the mill wheel mentioned in the text?", NULL}, // it may be called otherwise
        {"Does the text contain the word \"mill wheel\"?",
         "No: \"mill wheel\" does not stand in the text."},
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
    asked(&k, 1, "What is the default of -n?", "\"The default is 7.\" (-n)");
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
          "\"By default, the mill will assume 10.\" (--wait-for)");
    asked(&k, 1, "What does --slow do?", "\"\u2018--slow\u2019\nIt turns slowly.\"");
    asked(&k, 1, "What value does --wait-for have by default?",
          "\"By default, the mill will assume 10.\" (--wait-for)");
    // "set" is not looked for in the entry: it is what that is set in under.
    struct lookup_answer all;
    struct err e;
    assert_int_equal(survey(&all, &k, 1, "What does set --each do?", 9, &e), 1);
    assert_ptr_equal(strstr(all.text, "\"--each\nIt stands at each turn. The lamp"), all.text);
    lookup_answer_done(&all);
    asked(&k, 1, "What is $DefaultLamp at first?",
          "\"$DefaultLamp\nThe lamp that is lit. It is the first at first.\"");
    kvz_close(k);
}

// Terms of settings, of codes and of lists that something leads in.
static void test_terms_of_places(void **state)
{
    (void)state;
    // sections of settings, whose names are words of prose
    struct kvz *k =
        index_text("mill.txt",
                   "[lamp]\n\nlevel              word\n    How bright it is.  Default: dim.\n\n"
                   "[wheel]\n\nspeed              number\n    The level is set by lift, of which 3 "
                   "is default.\n\nlevel              number\n    How high it hangs.  "
                   "Default: 4.\n\ncolour             word\n    Any colour.\n");
    asked(&k, 1, "What is the default of level in the lamp section?", "\"Default: dim.\" (level)");
    asked(&k, 1, "What is the default of the level in the wheel section?",
          "\"Default: 4.\" (level)");
    asked(&k, 1, "What is the default of colour?", NULL);
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

// Passages do not overlap: one that goes on behind its block leaves less to the next, and two rows
// of a passage are in one.
static void test_apart(void **state)
{
    (void)state;
    enum { BLOCK = 8, MOST = 4 };
    FILE *f = begin_file("apart.csv");
    fputs("sku,name,price\n", f);
    for (int i = 1; i < 30; i++)
        fprintf(f, "SK-%03d,Copper valve,%d.50\n", 100 + i, 3 * i);
    end_file(f);
    struct kvz *k = index_file("apart.csv", BLOCK);
    static const char *const questions[] = {"What is the average price?",
                                            "What are the prices of SK-107 and SK-108?"};
    for (size_t q = 0; q < sizeof questions / sizeof *questions; q++) {
        struct lookup_answer s;
        struct err e;
        assert_int_equal(survey(&s, &k, 1, questions[q], MOST, &e), 1);
        assert_non_null(s.text);
        assert_true(s.n > 1 || q);
        for (int i = 0; i < s.n; i++) {
            assert_in_range(s.places[i].start, s.places[i].from, s.places[i].end - 1);
            assert_in_range(s.places[i].end, s.places[i].start, s.places[i].to);
            assert_true(!i || s.places[i].from >= s.places[i - 1].to);
        }
        lookup_answer_done(&s);
    }
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
    struct lookup_answer s;
    struct err e;
    assert_int_equal(survey(&s, k, 1, "How often is the word 'rare' used?", 3, &e), 1);
    assert_string_equal(s.text, "\"rare\" stands in the text 10 times.");
    assert_int_equal(s.n, 3);
    for (int i = 0; i < s.n; i++) {
        assert_in_range(s.places[i].start, s.places[i].from, s.places[i].to - 1);
        assert_non_null(memmem(s.places[i].text + (s.places[i].start - s.places[i].from),
                               (size_t)(s.places[i].end - s.places[i].start), "rare", 4));
    }
    lookup_answer_done(&s);
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

// Sections that are headed by an option, and what only looks so.
static void test_headed_terms(void **state)
{
    (void)state;
    struct kvz *k = index_text(
        "mill.md",
        "# Mill\n\n- max_sacks\n- idle_time\n\n## Settings\n\n### `max_sacks` (number)\n\nHow many "
        "sacks are ground at once. The default is 40.\n\n3.2. idle_time\n\nType: number\n"
        "Default: 300\n\nSeconds until the wheel\nstops.\n\nlimit\n-----\nStops flour.\n\n"
        "## Notes\n\nrest\n\nAll is well.\n\nidle_time\nis short; max_sacks is "
        "not.\n\nlast_sack\n");
    asked(&k, 1, "What does max_sacks do?",
          "\"### `max_sacks` (number)\n\nHow many sacks are ground at once. The default is 40.\"");
    asked(&k, 1, "What is the default of max_sacks?", "\"The default is 40.\" (max_sacks)");
    asked(&k, 1, "What is $idle_time?",
          "\"3.2. idle_time\n\nType: number\nDefault: 300\n\nSeconds until the wheel stops.\"");
    asked(&k, 1, "What is the default value of $idle_time?", "\"Default: 300\" (idle_time)");
    asked(&k, 1, "What does the limit command do?", "\"limit\nStops flour.\"");
    asked(&k, 1, "What does the rest do?", NULL);
    asked(&k, 1, "What does last_sack do?", NULL);
    kvz_close(k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),           cmocka_unit_test(test_definitions),
        cmocka_unit_test(test_surveys),         cmocka_unit_test(test_switched_off),
        cmocka_unit_test(test_words),           cmocka_unit_test(test_terms),
        cmocka_unit_test(test_terms_of_places), cmocka_unit_test(test_many_words),
        cmocka_unit_test(test_apart),           cmocka_unit_test(test_asked),
        cmocka_unit_test(test_headed_terms),
    };
    return cmocka_run_group_tests(tests, engine_set_up, engine_tear_down);
}
