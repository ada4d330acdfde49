// Mails and commits: their heads, and where their parts end.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "engine/lines/message.h"

static enum message_field field(const char *line)
{
    return message_field_of(line, strlen(line));
}

static void test_fields(void **state)
{
    (void)state;
    assert_int_equal(field("commit 858e8ab"), MESSAGE_COMMIT);
    assert_int_equal(field("commit c27e8810f5b9 (tag: v3.2.0, HEAD -> main)\r"), MESSAGE_COMMIT);
    assert_int_equal(field("Author:     Yuki Tanabe <yuki@x.example>"), MESSAGE_FROM);
    assert_int_equal(field("AuthorDate: Mon Jan 27 13:37:26 2025 +0100"), MESSAGE_DATE);
    assert_int_equal(field("CommitDate: Mon Jan 27 13:37:26 2025 +0100"), MESSAGE_OTHER);
    assert_int_equal(field("Merge: 7ab12cd 9ef34a0"), MESSAGE_OTHER);
    assert_int_equal(field("commit 858e8a"), MESSAGE_NONE); // too short
    assert_int_equal(field("commit 858e8ab6 broke it"), MESSAGE_NONE);
    assert_int_equal(field("commit messages"), MESSAGE_NONE);
    assert_int_equal(field("commit"), MESSAGE_NONE);
}

// The part of TEXT that WORD stands in is PART, IS.
static void part(const char *text, const char *word, enum message_part is, const char *want)
{
    struct lines c;
    size_t from, to;
    const char *at = strstr(text, word);
    assert_non_null(at);
    lines_of_text(&c, text, strlen(text));
    assert_int_equal(message_part_of(&c, (size_t)(at - text), &from, &to), is);
    assert_int_equal(to - from, strlen(want));
    assert_memory_equal(text + from, want, to - from);
}

#define HEAD1 "commit 858e8ab6b719\nAuthor: Tomek Z <t@x.example>\nDate:   Mon Nov 18 11:24 2024\n"
#define BODY1 "\n    Release 2.7.3\n\n"
#define HEAD2                                                                                      \
    "commit c9d98c765a52 (tag: v2)\nMerge: 7ab12cd 9ef34a0\nAuthor:     Kofi A <k@x.example>\n"    \
    "AuthorDate: Fri Feb 14 19:20 2025\nCommit:     Jun H <j@x.example>\n"                         \
    "CommitDate: Fri Feb 14 19:21 2025\n"
#define BODY2 "\n    Merge branch 'x'\n\n    It is done.\n"

static void test_commits(void **state)
{
    (void)state;
    static const char text[] = HEAD1 BODY1 HEAD2 BODY2;
    part(text, "Tomek", MESSAGE_HEAD, HEAD1);
    part(text, "Release", MESSAGE_BODY, BODY1);
    part(text, "c9d98", MESSAGE_HEAD, HEAD2);
    part(text, "CommitDate", MESSAGE_HEAD, HEAD2);
    part(text, "branch", MESSAGE_BODY, BODY2);
    part(text, "It is", MESSAGE_BODY, BODY2);
    // A head that is cut off, above and below.
    part("Author: Bo\nDate: 3 May\n\n    Use zstd\n", "zstd", MESSAGE_BODY, "\n    Use zstd\n");
    part(BODY1 "commit c9d98c7", "Release", MESSAGE_BODY, BODY1);
    part(BODY1 "commit c9d98c7", "c9d98c7", MESSAGE_HEAD, "commit c9d98c7");
}

// A mail that names a commit is one mail; without the name of a commit, authors are those of books
// and changelogs.
static void test_no_commits(void **state)
{
    (void)state;
    // one that a mail mentions
    static const char told[] =
        "From: Ada Lind <ada@x.example>\nDate: Mon, 6 May 2024\n\nThe first "
        "bad one is\n\n    commit 858e8ab6b719\n    Author: Tomek Z\n"
        "    Date:   Mon Nov 18 2024\n\n        wheel: turn it\n\nso it is.\n";
    part(told, "Tomek", MESSAGE_BODY, strstr(told, "\nThe first"));
    static const char body[] =
        "\nIt was this one:\n\ncommit 858e8ab6b719\n\nAuthor: see there.\nDate: unknown.\n";
    char mail[256] = "From: Ada <a@x.example>\nSubject: It\n";
    strcat(mail, body);
    part(mail, "It was", MESSAGE_BODY, body);
    part(mail, "858e8ab", MESSAGE_BODY, body);
    part(mail, "see", MESSAGE_BODY, body);
    static const char changes[] = "Changes\n\nVersion 2\nAuthor: Bo Lund\nDate: 3 May\n\nFaster.\n"
                                  "\nAuthor: Ann\nCommit: 858e8ab\nDate: 2 May\n\nSmaller.\n";
    part(changes, "Bo", MESSAGE_BODY, changes);
    part(changes, "Smaller", MESSAGE_BODY, changes);
    part("Author: Ann\n\nOf bees.\n", "bees", MESSAGE_BODY, "Author: Ann\n\nOf bees.\n");
}

// The fields that only programs read are parts of a head; the subject may be below them.
static void test_heads(void **state)
{
    (void)state;
    static const char head[] = "From: Ada <a@x.example>\nReply-To: b@x.example\nDate: 3 May\n"
                               "Message-ID: <b6@x.example>\nIn-Reply-To: <b5@x.example>\n"
                               "Subject: It\n";
    char mail[256];
    strcpy(mail, head);
    strcat(mail, "\nSo be it.\n");
    part(mail, "Ada", MESSAGE_HEAD, head);
    part(mail, "b6", MESSAGE_HEAD, head);
    part(mail, "It\n", MESSAGE_HEAD, head);
    part(mail, "be it", MESSAGE_BODY, "\nSo be it.\n");
    // What divides the mails of a mailbox belongs to the head below it.
    static const char box[] = "It is.\n\nFrom bo@x.example Tue May  7 10:00:00 2024\nFrom: Bo\n"
                              "Subject: It\n\nNo.\n";
    part(box, "It is", MESSAGE_BODY, "It is.\n\n");
    part(box, "Tue", MESSAGE_HEAD,
         "From bo@x.example Tue May  7 10:00:00 2024\nFrom: Bo\nSubject: It\n");
    assert_int_equal(field("From 10:30 on it was open, until May"), MESSAGE_NONE);
    assert_int_equal(field("From Ghent in 2024"), MESSAGE_NONE);
    assert_int_equal(field("From "), MESSAGE_NONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fields), cmocka_unit_test(test_commits),
        cmocka_unit_test(test_no_commits), cmocka_unit_test(test_heads)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
