// What must always hold of the sentences that are read of the chosen blocks, and of an answer that
// copies or quotes them; a question's halves have each its own.
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/ask/evidence.h"
#include "engine/passage/extent.h"
#include "engine/passage/sentence.h"
#include "engine/words/chars.h"
#include "io/file.h"
#include "tests/unit/engine_fixture.h"
#include "tests/unit/ok.h"

// Whatever token it is asked for: a sentence holds it, is one sentence of the document, and ends
// where a block does only if it is longer than the blocks around it.
static void test_sentences_cross_blocks(void **state)
{
    (void)state;
    const char *in[] = {in_dir("a.txt")};
    encode_ok(small(in, 1, in_dir("sentence.kvz")), NULL);
    struct kvz *k = open_ok(in_dir("sentence.kvz"));
    char *text;
    size_t n;
    int crossed = 0;
    OK(file_slurp(in_dir("a.txt"), 1u << 20, &text, &n, e));
    for (uint64_t b = 0; b < kvz_n_blocks(k); b++) {
        struct kvz_block info;
        uint32_t ids[64], bytes[64];
        struct sentence v;
        OK(kvz_block(k, b, &info, e));
        OK(kvz_read_tokens(k, b, ids, bytes, e));
        uint64_t at = info.start;
        for (uint32_t t = 0; t < info.n_tokens && info.end > info.start; at += bytes[t++]) {
            OK(sentence_around(&v, k, b, &t, e));
            assert_in_range(v.end, v.start + 1, n);
            assert_int_equal(strlen(v.text), v.end - v.start);
            for (uint64_t i = v.start; i < v.end; i++) // a line end within a sentence is mended
                assert_true(v.text[i - v.start] == text[i] ||
                            (v.text[i - v.start] == ' ' && text[i] == '\n'));
            if (bytes[t] > 1)
                assert_true(v.start < at + bytes[t] && v.end > at);
            const char *stop = strstr(v.text, ". ");
            assert_true(!stop || (stop[2] >= 'a' && stop[2] <= 'z'));
            assert_true(v.end == n || v.text[v.end - v.start - 1] == '.' || v.end > info.end);
            crossed += v.start < info.start || v.end > info.end;
            sentence_done(&v);
        }
        OK(sentence_around(&v, k, b, NULL, e));
        assert_int_equal(v.start, info.start);
        assert_int_equal(v.end, info.end);
        sentence_done(&v);
    }
    assert_true(crossed > 0);
    free(text);
    kvz_close(k);
}

// Sentences are what is read: as many as fit the budget, the best one whatever it takes, and the
// same answer in any order.
// A stop says something where it is, a word behind its space.
static void test_tokens_say(void **state)
{
    (void)state;
    char text[] = "Pay. Now ";
    const struct vicinity v = {.s = {.text = text, .n = sizeof text - 1}, .own_n = sizeof text - 1};
    assert_int_equal(extent_says(&v, 0), 0);
    assert_int_equal(extent_says(&v, 3), 3);
    assert_int_equal(extent_says(&v, 4), 5);
    assert_int_equal(extent_says(&v, 8), 8);
}

static void test_sentences_are_read(void **state)
{
    (void)state;
    const char *in[] = {in_dir("a.txt")},
               *asked[] = {"Who carried the boat?", "How many bridges?", "Who carried the boat?"};
    encode_ok(small(in, 1, in_dir("read.kvz")), NULL);
    struct kvz *k = open_ok(in_dir("read.kvz"));
    struct answer one, a[3];
    struct ask_options o = {.question = asked[0],
                            .select = "vote",
                            .read = READ_SENTENCES,
                            .budget = 16,
                            .max_tokens = 8};
    OK(ask(F.m, &k, 1, &o, &one, e));
    o.budget = 150;
    for (int i = 0; i < 3; i++) {
        o.question = asked[i];
        OK(ask(F.m, &k, 1, &o, &a[i], e));
    }
    assert_int_equal(one.n_choices, 1);
    assert_in_range(one.read_tokens, 1, 150);
    assert_in_range(a[0].read_tokens, one.read_tokens + 1,
                    150 + 2 * a[0].n_choices); // empty lines between them
    assert_string_equal(a[0].text, a[2].text);
    assert_int_equal(a[0].read_tokens, a[2].read_tokens);
    answer_done(&one);
    for (int i = 0; i < 3; i++)
        answer_done(&a[i]);
    kvz_close(k);
}

// A row is read under the names of its table's columns, wherever in the table it is.
static void test_rows_have_their_names(void **state)
{
    (void)state;
    enum { ROWS = 80 };
    static const char head[] = "id,name,town\n";
    FILE *f = begin_file("t.csv");
    fputs(head, f);
    for (int i = 0; i < ROWS; i++)
        fprintf(f, "%d,A%c,B%c\n", 100 + i, 'a' + i % 26, 'z' - i % 26);
    end_file(f);
    struct kvz *k = index_file("t.csv", 0);
    int rows = 0, blocks = 0;
    for (uint64_t b = 0; b < kvz_n_blocks(k); b++) {
        struct sentence v;
        struct kvz_block info;
        OK(kvz_block(k, b, &info, e));
        if (info.start < strlen(head) || info.n_tokens < 6)
            continue;
        blocks++;
        OK(sentence_around(&v, k, b, &(uint32_t){5}, e));
        assert_memory_equal(v.text, head, strlen(head));
        rows += v.text[strlen(head)] == '1' && !strchr(v.text + strlen(head), '\n');
        sentence_done(&v);
    }
    assert_in_range(blocks, 3, ROWS);
    assert_int_equal(rows, blocks);
    kvz_close(k);
}

// With copies favoured beyond measure an answer has the words of what was read and no others;
// hardly favoured, it is as it was, and where no text is read, as well.
static void test_copies(void **state)
{
    (void)state;
    const char *in[] = {in_dir("a.txt")};
    encode_ok(small(in, 1, in_dir("copy.kvz")), NULL);
    struct kvz *k = open_ok(in_dir("copy.kvz"));
    struct ask_options o = {
        .select = "vote", .max_tokens = 12, .question = "Who carried the boat?", .budget = 16};
    for (int mode = READ_CACHED; mode < N_READ_MODES; mode++) {
        static const float copies[] = {0, -1, 1e-6f, 1e4f};
        struct answer a[4];
        o.read = (enum read_mode)mode;
        for (int c = 0; c < 4; c++) {
            o.copy = copies[c];
            OK(ask(F.m, &k, 1, &o, &a[c], e));
        }
        assert_string_equal(a[1].text, a[0].text);
        assert_string_equal(a[2].text, a[0].text);
        if (mode == READ_CACHED)
            assert_string_equal(a[3].text, a[0].text);
        else
            assert_string_not_equal(a[3].text, a[0].text);
        if (mode == READ_SENTENCES) {
            char *text;
            size_t n;
            OK(file_slurp(in_dir("a.txt"), 1u << 20, &text, &n, e));
            for (const char *p = a[3].text; *p; p++)
                assert_non_null(strchr(text, *p));
            free(text);
        }
        for (int c = 0; c < 4; c++)
            answer_done(&a[c]);
    }
    kvz_close(k);
}

// What an answer says as it is written; a random model may well say a NUL.
struct said {
    char text[2048];
    size_t n;
};

static void append(void *arg, const char *s, size_t n)
{
    struct said *said = arg;
    assert_true(said->n + n <= sizeof said->text);
    memcpy(said->text + said->n, s, n);
    said->n += n;
}

static void assert_said(const struct said *said, const char *text, size_t n)
{
    assert_int_equal(said->n, n);
    assert_memory_equal(said->text, text, n);
}

// An answer that costs more than hardly anything gives way to the best sentence read, an answer
// whose first words were given or that has no end does not; what is said is said once.
static void test_quotes(void **state)
{
    (void)state;
    const char *in[] = {in_dir("a.txt")};
    encode_ok(small(in, 1, in_dir("quote.kvz")), NULL);
    struct kvz *k = open_ok(in_dir("quote.kvz"));
    static const struct ask_options cases[] = {
        {.quote = 1e-6f, .sentences = 1},
        {.quote = 10, .sentences = 1},
        {.quote = -1, .sentences = 1},
        {.quote = 1e-6f},
        {.quote = 1e-6f, .sentences = 1, .answer_prefix = "By"},
        {.quote = 1e-6f, .sentences = 1, .temp = 1}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct ask_options o = cases[c];
        struct said said = {0};
        char *text;
        struct answer a;
        size_t n;
        o.select = "vote", o.read = READ_SENTENCES;
        o.max_tokens = c == 1 ? 4 : 64; // sooner or later a random model repeats itself
        o.question = "Who carried the boat?";
        o.text = append, o.arg = &said;
        OK(ask(F.m, &k, 1, &o, &a, e));
        assert_said(&said, a.text, a.text_bytes);
        assert_int_equal(!strcmp(a.finish, "quoted"), c == 0);
        if (c == 0) {
            assert_true(a.text_bytes > 2 && a.text[0] == '"' && a.text[a.text_bytes - 1] == '"');
            char *dots = strstr(a.text, "\u2026"); // it is cut
            assert_int_equal(dots != NULL, a.answer_tokens == 64);
            *(dots ? dots : a.text + a.text_bytes - 1) = 0;
            OK(file_slurp(in_dir("a.txt"), 1u << 20, &text, &n, e));
            for (char *p = text; (p = strchr(p, '\n'));)
                *p = ' '; // a line that goes on
            assert_non_null(strstr(text, a.text + 1));
            free(text);
            assert_in_range(a.answer_tokens, 1, 64);
        }
        answer_done(&a);
    }
    struct ask_options o = {
        .quote = 1e-6f, .sentences = 1, .select = "vote", .read = READ_SENTENCES, .max_tokens = 3};
    struct answer a;
    o.question = "Who carried the boat?";
    OK(ask(F.m, &k, 1, &o, &a, e));
    assert_int_equal(a.answer_tokens, 3); // no longer than an answer may be
    answer_done(&a);
    kvz_close(k);
}

// A question of two halves is answered as both are, one after the other, from the passages of both.
static void test_two_halves(void **state)
{
    (void)state;
    const char *in[] = {in_dir("a.txt")};
    encode_ok(small(in, 1, in_dir("halves.kvz")), NULL);
    struct kvz *k = open_ok(in_dir("halves.kvz"));
    static const char *const asked[] = {"Who carried the boat?", "Which river has seven bridges?",
                                        "Who carried the boat and which river has seven bridges?"};
    struct answer a[3];
    struct said said;
    char both[2048];
    for (int i = 0; i < 3; i++) {
        struct ask_options o = {.question = asked[i],
                                .select = "bm25",
                                .read = READ_SENTENCES,
                                .max_tokens = 200,
                                .quote = 1e-6f,
                                .sentences = 1,
                                .n_evidence = 6,
                                .text = append,
                                .arg = &said};
        said.n = 0;
        OK(ask(F.m, &k, 1, &o, &a[i], e));
    }
    assert_string_not_equal(a[0].text, a[1].text);
    assert_int_equal(a[2].answer_tokens, a[0].answer_tokens + a[1].answer_tokens);
    snprintf(both, sizeof both, "%s %s", a[0].text, a[1].text);
    assert_string_equal(a[2].text, both);
    assert_said(&said, both, strlen(both));
    assert_int_equal(a[2].n_evidence, 6);
    assert_true(a[2].evidence[0].block == a[0].evidence[0].block);
    for (int half = 0; half < 2; half++)
        for (int i = 0; i < a[half].n_choices; i++) {
            int there = 0;
            for (int j = 0; j < a[2].n_choices; j++)
                there += a[2].choices[j].block == a[half].choices[i].block;
            assert_int_equal(there, 1);
        }
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < i; j++)
            assert_true(a[2].evidence[i].block != a[2].evidence[j].block);
    assert_true(a[2].score <= a[0].score && a[2].score <= a[1].score);
    for (int i = 0; i < 3; i++)
        answer_done(&a[i]);
    struct ask_options o = {.question = asked[2],
                            .select = "bm25",
                            .max_tokens = 1,
                            .read = READ_SENTENCES,
                            .n_evidence = -1};
    OK(ask(F.m, &k, 1, &o, &a[0], e)); // nothing is left for the second half
    assert_int_equal(a[0].answer_tokens, 1);
    answer_done(&a[0]);
    o = (struct ask_options){.question = "Who carried the boat and who carried the boat?",
                             .select = "bm25",
                             .quote = 1e-6f,
                             .sentences = 1,
                             .read = READ_SENTENCES,
                             .text = append,
                             .arg = &said};
    said.n = 0;
    OK(ask(F.m, &k, 1, &o, &a[0], e));
    assert_said(&said, a[0].text, a[0].text_bytes); // once
    assert_memory_equal(both, a[0].text, a[0].text_bytes);
    o.max_tokens = a[0].answer_tokens - 3; // the second one is cut off
    answer_done(&a[0]);
    said.n = 0;
    OK(ask(F.m, &k, 1, &o, &a[1], e));
    assert_said(&said, a[1].text, a[1].text_bytes);
    assert_memory_equal(both, a[1].text, a[1].text_bytes);
    answer_done(&a[1]);
    kvz_close(k);
}

// Where nothing tells which sentence of a block answers, as with words alone, its whole words are
// quoted, with dots where it begins or ends within a sentence; and its passage comes first.
static void test_blocks_are_quoted(void **state)
{
    (void)state;
    static const char *const questions[] = {"Who carried the boat?", "What fell on every roof?",
                                            "How many bridges?"};
    const char *in[] = {in_dir("a.txt")};
    encode_ok(small(in, 1, in_dir("block.kvz")), NULL);
    struct kvz *k = open_ok(in_dir("block.kvz"));
    int dots = 0;
    for (int i = 0; i < 3; i++) {
        struct answer a;
        struct ask_options o = {.quote = 1e-6f,
                                .sentences = 1,
                                .select = "bm25",
                                .read = READ_SENTENCES,
                                .budget = 150,
                                .n_evidence = 1,
                                .max_tokens = 64,
                                .question = questions[i]};
        OK(ask(F.m, &k, 1, &o, &a, e));
        assert_string_equal(a.finish, "quoted");
        assert_false(is_space(a.text[1]) || is_space(a.text[a.text_bytes - 2]));
        assert_int_equal(a.evidence[0].block, a.choices[0].block);
        dots += strstr(a.text, "\u2026") != NULL;
        answer_done(&a);
    }
    assert_true(dots > 0);
    kvz_close(k);
}

// What goes on does not go on with the next clause, which begins with its number.
static void test_next_clause(void **state)
{
    (void)state;
    static const char *const next[] = {"G4  The hive is not.", "4.2 The hive is not.",
                                       "The hive is not.", "A 4 The hive is not."};
    static const int ends[] = {1, 1, 0, 0};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        char text[256];
        struct lines c;
        const size_t own = (size_t)sprintf(text, "G3  All of the bees are covered.");
        const size_t n = own + (size_t)sprintf(text + own, "\n\n%s It is old.\n", next[i]);
        lines_of_text(&c, text, n);
        assert_int_equal(extent_end_behind(&c, own, 1) == own, ends[i]);
    }
}

// Be it right below.
static void test_next_clause_below(void **state)
{
    (void)state;
    static const char text[] = "4.2 All of the bees are covered.\n4.3 The hive is not.\n";
    struct lines c;
    const size_t own = strcspn(text, "\n");
    lines_of_text(&c, text, sizeof text - 1);
    assert_int_equal(extent_end_behind(&c, own, 1), own);
    static const char on[] = "4.2 For May the bees are covered.\n4.3 After that they are not.\n";
    lines_of_text(&c, on, sizeof on - 1);
    assert_int_equal(extent_end_behind(&c, strcspn(on, "\n"), 1), sizeof on - 2);
}

// Nor with the next option of a manual.
static void test_next_term(void **state)
{
    (void)state;
    static const char *const next[] = {"  --wax\n     Melt it.",
                                       "     Melt it by hand,\n     with care."};
    static const int ends[] = {1, 0};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        char text[256];
        struct lines c;
        const size_t own = (size_t)sprintf(text, "  --bees\n     Count the bees.");
        const size_t n = own + (size_t)sprintf(text + own, "\n\n%s\n", next[i]);
        lines_of_text(&c, text, n);
        assert_int_equal(extent_end_behind(&c, own, 1) == own, ends[i]);
    }
}

// A NUL is no stop: a few words with one at their end are read with what is behind them.
static void test_nul_is_no_stop(void **state)
{
    (void)state;
    static const char text[] = "Yes.\n- one\0\n\n- two is longer than that\n";
    struct lines c;
    lines_of_text(&c, text, sizeof text - 1);
    assert_int_equal(extent_end_behind(&c, strlen("Yes."), 1), sizeof text - 2);
}

// The NULs of a document are read as blanks: what is behind them is not lost.
static void test_nuls_are_blanks(void **state)
{
    (void)state;
    static const char text[] =
        "The key is with the smith.\n\0The goat is called Ina.\nIt rained.\n";
    FILE *f = begin_file("nul.txt");
    fwrite(text, 1, sizeof text - 1, f);
    end_file(f);
    struct kvz *k = index_file("nul.txt", 0);
    uint64_t block;
    uint32_t token;
    find_sentence(k, "The goat is called Ina.", &block, &token);
    for (uint64_t b = 0; b < kvz_n_blocks(k); b++) {
        struct evidence v;
        OK(evidence_of(&v, k, 0, b, 0, e));
        assert_int_equal(strlen(v.text), v.text_bytes);
        free(v.text);
    }
    kvz_close(k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sentences_cross_blocks),
        cmocka_unit_test(test_tokens_say),
        cmocka_unit_test(test_sentences_are_read),
        cmocka_unit_test(test_rows_have_their_names),
        cmocka_unit_test(test_copies),
        cmocka_unit_test(test_quotes),
        cmocka_unit_test(test_blocks_are_quoted),
        cmocka_unit_test(test_next_clause),
        cmocka_unit_test(test_next_clause_below),
        cmocka_unit_test(test_next_term),
        cmocka_unit_test(test_nul_is_no_stop),
        cmocka_unit_test(test_nuls_are_blanks),
        cmocka_unit_test(test_two_halves),
    };
    return cmocka_run_group_tests(tests, engine_set_up, engine_tear_down);
}
