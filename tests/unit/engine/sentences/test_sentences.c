// What heads the sentences that a summary is made of; the same sentences of documents in pieces.
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/sentences/sentences.h"
#include "io/file.h"
#include "tests/unit/engine_fixture.h"
#include "tests/unit/ok.h"

static void write_prose(const char *name, const char *text)
{
    FILE *f = begin_file(name);
    fputs(text, f);
    end_file(f);
}

// The sentences of TEXT, a file NAME, are the N WANTED, each behind its heading.
static void headed(const char *name, const char *text, const char *const (*wanted)[2], int n)
{
    write_prose(name, text);
    const char *in[] = {in_dir(name)};
    encode_ok(small(in, 1, in_dir("box.kvz")), NULL);
    struct kvz *k = open_ok(in_dir("box.kvz"));
    struct sentences v;
    struct err why;
    int rc, at = 0;
    OK(sentences_begin(&v, k, 0, kvz_n_blocks(k), e));
    while ((rc = sentences_next(&v, &why)) > 0) {
        assert_true(at < n);
        assert_string_equal(v.heading, wanted[at][0]);
        assert_int_equal(v.last - v.first, strlen(wanted[at][1]));
        assert_memory_equal(v.text + v.first, wanted[at][1], v.last - v.first);
        at++;
    }
    assert_int_equal(rc, 0);
    assert_int_equal(at, n);
    sentences_done(&v);
    kvz_close(k);
}

// A mail is headed by its subject, not by who signed the one above; what its head and its signature
// say is no sentence of it.
static void test_mails_have_their_subject(void **state)
{
    (void)state;
    static const char box[] =
        "From ann Mon May  6 10:00:00 2024\nFrom: Ann Reed <ann@x.example>\nTo: Bo "
        "<bo@x.example>\nDate: Mon, 6 May 2024\nSubject: Wasps in the barn\n\nThere is a nest as "
        "large as a ball.\n\nAnn\n-- \nAnn Reed\n12 Mill Lane has a letter box.\n\nFrom bo Tue May "
        " 7 10:00:00 2024\nFrom: Bo <bo@x.example>\nDate: Tue, 7 May 2024\n\nThe roof has lost "
        "eleven of its tiles.\n\n> Who brings the ladder?\n\nKarl brings it on Friday.\n";
    static const char *const wanted[][2] = {
        {"Wasps in the barn", "There is a nest as large as a ball."},
        {"Wasps in the barn", "Ann"},
        {"", "The roof has lost eleven of its tiles."},
        {"Who brings the ladder?", "Karl brings it on Friday."}};
    headed("box.mbox", box, wanted, 4);
}

// What a mail quotes of another one is no sentence of it.
static void test_mails_say_their_own(void **state)
{
    (void)state;
    static const char box[] =
        "From ada Mon Mar  3 10:00:00 2025\nFrom: Ada Lind <ada@mill.example>\n"
        "Date: Mon, 3 Mar 2025\nSubject: The weir\n\nThe weir of the mill has a crack.\n\n"
        "From tom Tue Mar  4 10:00:00 2025\nFrom: Tom Hale <tom@mill.example>\n"
        "Date: Tue, 4 Mar 2025\nSubject: Re: The weir\n\n"
        "On Mon, 3 Mar 2025 at 10:00, Ada Lind wrote:\n> The weir of the mill has a crack.\n\n"
        "The council pays for it.\n";
    static const char *const wanted[][2] = {{"The weir", "The weir of the mill has a crack."},
                                            {"Re: The weir", "The council pays for it."}};
    headed("weir.mbox", box, wanted, 2);
}

// A commit is headed by the line below its head, which is no sentence of it.
static void test_commits_have_their_subject(void **state)
{
    (void)state;
    static const char log[] =
        "commit 858e8ab6b719212db6a6ab8a7132f32d19804f4c (tag: v2)\nAuthor: Ann <a@x.example>\n"
        "Date:   Mon Nov 18 11:24:47 2024\n\n    encoder: use zstd instead of gzip\n\n    It takes "
        "half of the time.\n\ncommit c9d98c765a5205416e55bdb5df0b3f74da511423\nAuthor: Bo Lund "
        "<b@x.example>\n\n    Release 2.7\n\n    There is no other change.\n";
    static const char *const wanted[][2] = {
        {"encoder: use zstd instead of gzip", "It takes half of the time."},
        {"Release 2.7", "There is no other change."}};
    headed("commits.log", log, wanted, 2);
}

// An entry that begins with its day is not of the day that heads another one, and a line that a
// sentence ends in is no heading.
static void test_days_are_apart(void **state)
{
    (void)state;
    static const char diary[] =
        "Thursday 12 June\n\nHome at last.\n\n17 September. Two urchins died.\n\nNobody came.\n\n"
        "What went well\n\nThe neighbour knew whom to call. The inventory was on paper\n"
        "as well as on the server of the station, so that sorting all of the samples went fast.\n";
    static const char *const wanted[][2] = {{"Thursday 12 June", "Home at last."},
                                            {"", "17 September. Two urchins died."},
                                            {"", "Nobody came."},
                                            {"What went well", "The neighbour knew whom to call."},
                                            {"What went well",
                                             "The inventory was on paper\nas well as on the server "
                                             "of the station, so that sorting all of "
                                             "the samples went fast."}};
    headed("diary.txt", diary, wanted, 5);
}

// A clause of several sentences on a line of its own heads nothing; a numbered title does.
static void test_clauses_head_nothing(void **state)
{
    (void)state;
    static const char lease[] = "1. Parties. The Owner is Ada Lind. The Tenant is Tom Hale.\n\n"
                                "The rent is paid on the first day.\n\n2. Ending The Lease.\n\n"
                                "It ends in March of the next year.\n";
    static const char *const wanted[][2] = {
        {"", "1. Parties. The Owner is Ada Lind."},
        {"", "The Tenant is Tom Hale."},
        {"", "The rent is paid on the first day."},
        {"2. Ending The Lease", "It ends in March of the next year."}};
    headed("lease.txt", lease, wanted, 4);
}

// Nor does one of a single sentence, even if most of its words have capitals.
static void test_short_clauses_head_nothing(void **state)
{
    (void)state;
    static const char lease[] =
        "4.   Ending The Lease\n\n4.1 Either side may end it in March.\n\n"
        "4.2 The Law of Wales and England is to be applied.\n\n"
        "4.3 Nobody else may enforce this lease.\n\n"
        "\u00a7 5  Shed\n\nIt is let, too.\n\n"
        "5.   Till 12 May 2031\n\nNobody mows it.\n\n6.   The Shed is Lost\n\nNobody mends it.\n";
    static const char *const wanted[][2] = {
        {"4. Ending The Lease", "4.1 Either side may end it in March."},
        {"4. Ending The Lease", "4.2 The Law of Wales and England is to be applied."},
        {"4. Ending The Lease", "4.3 Nobody else may enforce this lease."},
        {"\u00a7 5 Shed", "It is let, too."},
        {"5. Till 12 May 2031", "Nobody mows it."},
        {"6. The Shed is Lost", "Nobody mends it."}};
    headed("clauses.txt", lease, wanted, 6);
}

// Of an e-book the licence around the book says nothing of it; a chapter has its number and title.
static void test_books(void **state)
{
    (void)state;
    static const char book[] =
        "The Project Gutenberg eBook of The Weir\n\nYou may copy it under the terms of a "
        "licence.\n\n"
        "*** START OF THE PROJECT GUTENBERG EBOOK THE\nWEIR ***\n\n\nCHAPTER I\n\nMR. AND MRS. "
        "LUM\n\n"
        "A miller lived by the weir.\n\nCHAPTER II.\n\nA LETTER.\n\nHis daughter left.\n\n"
        "*** END OF THE PROJECT GUTENBERG EBOOK THE WEIR ***\n\nThe licence is long.\n";
    static const char *const wanted[][2] = {
        {"CHAPTER I. MR. AND MRS. LUM", "A miller lived by the weir."},
        {"CHAPTER II. A LETTER", "His daughter left."}};
    headed("book.txt", book, wanted, 2);
    static const char other[] =
        "THE DUMP\n\nThe miller saw all of it.\n\n*** END OF THE DUMP ***\n\n"
        "Then his daughter saw it.\n";
    static const char *const all[][2] = {{"THE DUMP", "The miller saw all of it."},
                                         {"END OF THE DUMP", "Then his daughter saw it."}};
    headed("dump.txt", other, all, 2);
}

// A line between two that rule heads what is below, and so do a day and a place on a line that is
// broken behind them; a paragraph that ends with a question does not.
static void test_rules_and_datelines(void **state)
{
    (void)state;
    static const char minutes[] =
        "THE MILL\n\nWe meet here.\n\n=========================\nMEETING 2       9 May 2024\n"
        "=========================\n\nThe roof is old.\n";
    static const char *const of_minutes[][2] = {{"THE MILL", "We meet here."},
                                                {"MEETING 2 9 May 2024", "The roof is old."}};
    headed("minutes.txt", minutes, of_minutes, 2);
    static const char diary[] =
        "THE JOURNEY\n\nFriday 7 May. Ham.\nWalked to the mill along the river and slept there "
        "on a sack.\n\n8 May. Two were ill.\n\nNobody came. Shall I go on?\n\nIt rained.\n";
    static const char *const of_diary[][2] = {
        {"Friday 7 May. Ham", "Walked to the mill along the river and slept there on a sack."},
        {"Friday 7 May. Ham", "8 May. Two were ill."},
        {"Friday 7 May. Ham", "Nobody came."},
        {"Friday 7 May. Ham", "Shall I go on?"},
        {"Friday 7 May. Ham", "It rained."}};
    headed("diary.txt", diary, of_diary, 5);
}

// ---- Documents in pieces

enum { PIECE = 4096, DOCUMENTS = 2 };

struct pieces {
    char *text[DOCUMENTS];
    size_t n[DOCUMENTS];
};

static int find_piece(void *arg, uint64_t i, struct kvz_block *b, struct err *e)
{
    const struct pieces *p = arg;
    uint32_t d = 0;
    (void)e;
    for (uint64_t n; i >= (n = (p->n[d] + PIECE - 1) / PIECE); d++)
        i -= n;
    const uint64_t end = (i + 1) * PIECE;
    *b =
        (struct kvz_block){.document = d, .start = i * PIECE, .end = end < p->n[d] ? end : p->n[d]};
    return 0;
}

static int read_piece(void *arg, uint64_t i, char *to, struct err *e)
{
    const struct pieces *p = arg;
    struct kvz_block b;
    int rc = find_piece(arg, i, &b, e);
    memcpy(to, p->text[b.document] + b.start, b.end - b.start);
    return rc;
}

// Prose that is broken into lines under headings, and some that is not, of several pieces.
static void write_long(const char *name, int paragraphs, int lines)
{
    FILE *f = begin_file(name);
    for (int i = 0; i < paragraphs; i++) {
        if (i % 5 == 0)
            fprintf(f, "## Part %d of the caf\u00e9\n\n", i);
        for (int s = 0; s < 6; s++)
            fprintf(f, "Boat %d went %d times under the old bridges%sbefore Mr. Ode saw it. ", i,
                    7 * s, lines ? ",\nwhile rain fell on every roof of the town, " : " ");
        fputs("\n\n", f);
    }
    end_file(f);
}

// They have the sentences, and the headings, that the finished index has.
static void test_pieces(void **state)
{
    (void)state;
    write_long("one.txt", 40, 1);
    write_long("two.txt", 40, 0);
    const char *in[] = {in_dir("one.txt"), in_dir("two.txt")};
    struct pieces p = {0};
    struct sentences_source of = {
        .path = "pieces", .piece = find_piece, .read = read_piece, .arg = &p};
    for (int d = 0; d < DOCUMENTS; d++) {
        OK(file_slurp(in[d], 1u << 30, &p.text[d], &p.n[d], e));
        of.n += (p.n[d] + PIECE - 1) / PIECE;
    }
    encode_ok(small(in, DOCUMENTS, in_dir("pieces.kvz")), NULL);
    struct kvz *k = open_ok(in_dir("pieces.kvz"));
    struct sentences a, b;
    int n = 0, more;
    OK(sentences_begin(&a, k, 0, kvz_n_blocks(k), e));
    sentences_begin_of(&b, &of, 0);
    while ((more = sentences_next(&a, NULL)) > 0) {
        assert_int_equal(sentences_next(&b, NULL), 1);
        assert_int_equal(a.document, b.document);
        assert_int_equal(a.start, b.start);
        assert_int_equal(a.end, b.end);
        assert_memory_equal(a.text + a.first, b.text + b.first, a.last - a.first);
        assert_string_equal(a.heading, b.heading);
        assert_int_equal(a.of_document, b.of_document);
        n++;
    }
    assert_int_equal(more, 0);
    assert_int_equal(sentences_next(&b, NULL), 0);
    assert_in_range(n, 400, 1000);
    sentences_done(&b);
    // From the last document on.
    sentences_begin_of(&b, &of, (p.n[0] + PIECE - 1) / PIECE);
    assert_int_equal(sentences_next(&b, NULL), 1);
    assert_int_equal(b.document, 1);
    sentences_done(&b);
    sentences_begin_of(&b, &of, of.n);
    assert_int_equal(sentences_next(&b, NULL), 0);
    sentences_done(&b);
    sentences_done(&a);
    kvz_close(k);
    for (int d = 0; d < DOCUMENTS; d++)
        free(p.text[d]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mails_have_their_subject),
        cmocka_unit_test(test_mails_say_their_own),
        cmocka_unit_test(test_commits_have_their_subject),
        cmocka_unit_test(test_days_are_apart),
        cmocka_unit_test(test_clauses_head_nothing),
        cmocka_unit_test(test_short_clauses_head_nothing),
        cmocka_unit_test(test_books),
        cmocka_unit_test(test_rules_and_datelines),
        cmocka_unit_test(test_pieces),
    };
    return cmocka_run_group_tests(tests, engine_set_up, engine_tear_down);
}
