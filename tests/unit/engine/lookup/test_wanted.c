// Which questions want all of a text, and what of it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "engine/lookup/wanted.h"

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
        {"List the keys set to 'off'.", WANT_HOLDERS, "off", "", 0},
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
        {"What happened in chapter seven?", WANT_SECTION, "seven", "", 0},
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
        {"Does the lease mention rent?", WANT_MENTION, "rent", "", 0},
        {"Does this contract refer to the Housing Act?", WANT_MENTION, "Housing Act", "", 0},
        {"Does the word rent occur anywhere?", WANT_MENTION, "rent", "", 0},
        {"Was Ada Pell ever mentioned in the text?", WANT_MENTION, "Ada Pell", "", 0},
        {"Is there any mention of rent in the document?", WANT_MENTION, "rent", "", 0},
        {"Does the tenant mention rent?", WANT_NOTHING, "", "", 0},
        {"Does the lease mention who pays the rent?", WANT_NOTHING, "", "", 0},
        {"Is it mentioned?", WANT_NOTHING, "", "", 0},
        {"Is the rent mentioned by the tenant?", WANT_NOTHING, "", "", 0},
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
        {"List the key dates.", WANT_NOTHING, "", "", 0},
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wanted),
        cmocka_unit_test(test_wanted_has_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
