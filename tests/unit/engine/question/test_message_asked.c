// What is asked of mails: who wrote them, and what somebody said.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "engine/lines/message.h"
#include "engine/question/message_asked.h"

// What the head TEXT tells whoever asks who wrote it.
static void tells(const char *text, const char *want)
{
    char told[MESSAGE_TOLD];
    const size_t n = message_told(text, strlen(text), "Who wrote that?", "It is so.", told);
    assert_int_equal(n, strlen(want));
    assert_memory_equal(told, want, n);
}

// A field that is too long loses no part of a letter, and one that is not loses nothing.
static void test_told(void **state)
{
    (void)state;
    enum { FIELD = (MESSAGE_TOLD - 1) / MESSAGE_OTHER - 1 };
    static const char subject[] = "Subject: ", date[] = "\nDate: 3 May";
    char line[FIELD + 64], want[2 * FIELD];
    tells("From: Ada\nSubject: Besuch im Caf\u00e9\n", "From: Ada\nSubject: Besuch im Caf\u00e9");
    tells("From: Andr\u00e9\nSubject: It\n", "From: Andr\u00e9\nSubject: It");
    for (int i = 0; i < 4; i++) { // bytes before the limit at which the letter begins
        memcpy(line, subject, sizeof subject);
        memset(line + strlen(subject), 'x', FIELD - i - strlen(subject));
        strcpy(line + FIELD - i, "\u00e9 and more");
        strcpy(want, line);
        want[i < 2 ? FIELD - i : FIELD] = 0;
        tells(line, want);
    }
    // Whichever field it is.
    strcpy(line, "From: ");
    memset(line + 6, 'x', FIELD - 7);
    strcpy(line + FIELD - 1, "\u00e9");
    strcpy(want, line);
    strcpy(want + FIELD - 1, date);
    strcat(line, date);
    tells(line, want);
}

// A commit is told in the order of its lines.
static void test_commit(void **state)
{
    (void)state;
    static const char text[] = "commit 0ac9e6d513\nAuthor: Rosa Diaz <r@x>\n"
                               "Date:   Mon Mar 2 10:00:00 2026 +0000\n\n    Add the parser",
                      want[] = "commit 0ac9e6d513\nAuthor: Rosa Diaz <r@x>\n\nAdd the parser",
                      tom[] = "commit 1bd0f7e624\nAuthor: Tom Berg <t@x>\n\nFix it";
    char told[MESSAGE_TOLD];
    const size_t n =
        message_told(text, strlen(text), "Who is the author of commit 0ac9e6d513?", "", told);
    assert_int_equal(n, strlen(want));
    assert_memory_equal(told, want, n);
    assert_true(message_of_another("What did Rosa say about it?", tom));
    assert_false(message_of_another("What did Tom say about it?", tom));
}

// Who is asked for what was said, and whether a mail is another one's.
static void test_what_is_said(void **state)
{
    (void)state;
    static const char ada[] = "What did Ada Pell say about slugs?",
                      bo[] = "From: Bo <b@x.example>\nSubject: Ada's slugs\n\nBuy ducks.",
                      own[] = "From: Ada <a@x.example>\nSubject: Slugs\n\nBuy ducks.";
    assert_true(message_asked_of_body(ada) && message_asked_of_body("Why is Ada angry?"));
    assert_true(message_asked_of_body("Which rule do we have to keep?"));
    assert_true(message_asked_of_body("How much is the roof?"));
    assert_false(message_asked_of_body("What is the address of Ada?"));
    assert_true(message_asked_of_body("When did the accident happen?"));
    assert_false(message_asked_of_body("When was the mail about the accident sent?"));
    assert_false(message_asked_of_body("Who wrote about slugs?"));
    assert_false(message_asked_of_body("What did the rules say about slugs?"));
    static const char una[] = "Una Ost, keeper of slugs";
    const size_t n = strlen(una);
    assert_false(message_may_sign("Which kind of slugs is it?", una, n));
    assert_false(message_may_sign("What did Una decide?", una, n));
    assert_true(message_may_sign("What is Una?", una, n));
    assert_true(message_may_sign("Who keeps slugs?", una, n));
    assert_true(message_may_sign("What is the phone number of the keeper?", una, n));
    assert_true(message_of_another(ada, bo));
    assert_false(message_of_another(ada, own) || message_of_another(ada, "Buy ducks."));
    assert_false(message_of_another("Who wrote about slugs?", bo));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_what_is_said),
                                       cmocka_unit_test(test_told), cmocka_unit_test(test_commit)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
