// What must always hold of summaries, on small random models.
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/answer/reading.h"
#include "engine/passage/sentence.h"
#include "engine/sentences/sentences.h"
#include "engine/words/words.h"
#include "tests/unit/engine_fixture.h"
#include "tests/unit/ok.h"

// A text in which every kind of sentence is that a summary must tell apart.
static const char LEASE[] =
    "# Lease of the mill\n"
    "\n"
    "This lease of the old mill is between the council and Mrs Abernathy. However, it may be\n"
    "renewed by either of them in writing. Read the conditions of the council first.\n"
    "\n"
    "1. Rent.\n"
    "\n"
    "The tenant pays nine hundred crowns of rent on the first day of every quarter. This is why\n"
    "the tenant keeps a book of the rent. Late rent costs the tenant five crowns a week.\n"
    "\n"
    "* see https://mill.example.org/rent/table for the table of the rent\n"
    "Read the conditions of the council first.\n"
    "\n"
    "2. Repairs\n"
    "\n"
    "The landlord repairs the roof, the water wheel and the sluice of the mill. They are old\n"
    "and the tenant must not climb the roof. What does the tenant repair in the mill?\n"
    "Read the conditions of the council first.\n";

// A table of contents, one of whose items stands alone before a sentence.
static const char CONTENTS[] =
    "* 1. Rent\n"
    "\n"
    "* 2. Repairs\n"
    "\n"
    "The tenant pays nine hundred crowns of rent on the first day of every quarter.\n"
    "\n"
    "2. Repairs\n"
    "\n"
    "The landlord repairs the roof, the water wheel and the sluice of the mill.\n";

static const char GARDEN[] =
    "The garden behind the mill has forty apple trees, which are pruned in February. The apples\n"
    "are picked by the school children in September. The cider press stands in the barn since\n"
    "it was bought in Bristol.\n";

static void write_prose(const char *name, const char *text)
{
    FILE *f = begin_file(name);
    fputs(text, f);
    end_file(f);
}

// Writing may be forbidden to say the same again, and be told to end where enough has been said.
static void test_summaries_do_not_repeat(void **state)
{
    (void)state;
    const char *in[] = {in_dir("b.txt")};
    encode_ok(small(in, 1, in_dir("again.kvz")), NULL);
    struct kvz *k = open_ok(in_dir("again.kvz"));
    static const char *const questions[] = {"boat", "What fell?", "Seven bridges", "noon"};
    int circles[2] = {0, 0}; // of answers that may repeat, and may not
    for (int i = 0; i < 8; i++) {
        int forbidden = i % 2;
        struct place places[8];
        struct prompt p = {0};
        for (uint64_t b = 0; b < 8; b++)
            places[b] = (struct place){.k = k, .block = 2 + b};
        OK(prompt_question(&p, F.m, chat_find("chatml"), NULL, questions[i / 2], NULL, e));
        struct reading r = {.m = F.m,
                            .chat = chat_find("chatml"),
                            .home = k,
                            .window = 128,
                            .far = {places, 8, 8 * 16},
                            .mode = READ_CACHED,
                            .question = &p,
                            .w = {.max_tokens = 500, .no_repeat = forbidden ? 4 : 0}};
        OK(read_and_write(&r, e));
        circles[forbidden] += !strcmp(r.w.finish, "repeat");
        free(r.w.out);
        prompt_done(&p);
    }
    assert_true(circles[0] > 0);
    assert_int_equal(circles[1], 0);
    kvz_close(k);
}

// The passage V of DOCUMENT has no part of a word.
static void in_whole_words(struct kvz *k, uint64_t document, const struct evidence *v)
{
    const char *text;
    uint64_t n;
    OK(kvz_document_text(k, document, &text, &n, e));
    assert_false(v->start && word_has(text[v->start - 1]) && word_has(text[v->start]));
    assert_false(v->end < n && word_has(text[v->end - 1]) && word_has(text[v->end]));
    assert_memory_equal(v->text, text + v->start, v->text_bytes);
}

static void test_summary_cites_every_section(void **state)
{
    (void)state;
    const char *in[] = {in_dir("a.txt"), in_dir("b.txt")};
    encode_ok(small(in, 2, in_dir("sum.kvz")), NULL);
    struct kvz *k = open_ok(in_dir("sum.kvz"));
    struct summary s;
    OK(summarize(F.m, k, &(struct summarize_options){.sections = 1, .words = 4}, &s, e));
    assert_in_range(s.n_sections, 2, 4);
    for (int i = 0; i < s.n_sections; i++) {
        const struct summary_text *said = &s.sections[i].said;
        int b = i == s.n_sections - 1; // the shorter document is one section
        assert_string_equal(s.sections[i].document, b ? in_dir("b.txt") : in_dir("a.txt"));
        assert_true(said->n_evidence > 0);
        for (int j = 0; j < said->n_evidence; j++) {
            assert_string_equal(said->evidence[j].document, s.sections[i].document);
            in_whole_words(k, (uint64_t)b, &said->evidence[j]);
        }
    }
    // The whole, each sentence of which cites a passage of the section that it names.
    assert_string_equal(s.from, "blocks");
    assert_non_null(s.whole.text);
    assert_true(s.whole.n_statements > 0);
    size_t end = 0;
    for (int i = 0; i < s.whole.n_statements; i++) {
        const struct summary_statement *t = &s.whole.statements[i];
        assert_true(t->start >= end && t->end > t->start && t->end <= strlen(s.whole.text));
        end = t->end;
        assert_false(t->quoted);
        assert_in_range(t->section, 0, s.n_sections - 1);
        assert_in_range(t->evidence, 0, s.whole.n_evidence - 1);
        const struct summary_text *of = &s.sections[t->section].said;
        int found = 0;
        for (int j = 0; j < of->n_evidence; j++)
            found |= of->evidence[j].block == s.whole.evidence[t->evidence].block;
        assert_true(found);
    }
    summary_done(&s);
    kvz_close(k);
}

// What is quoted stands in the document, where its passage says; the whole of two documents has
// sentences of both.
static void test_quotations(void **state)
{
    (void)state;
    const char *in[] = {in_dir("lease.txt"), in_dir("garden.txt")};
    write_prose("lease.txt", LEASE);
    write_prose("garden.txt", GARDEN);
    encode_ok(small(in, 2, in_dir("sum.kvz")), NULL);
    struct kvz *k = open_ok(in_dir("sum.kvz"));
    struct summary s;
    struct err why;
    OK(summarize(F.m, k, &(struct summarize_options){.sections = 1, .words = 60, .quote = "always"},
                 &s, e));
    assert_int_equal(s.read_tokens, 0);
    unsigned of_sections = 0;
    for (int i = 0; i < s.whole.n_statements; i++) {
        const struct summary_statement *t = &s.whole.statements[i];
        const struct evidence *v = &s.whole.evidence[t->evidence];
        const char *text = s.whole.text + t->start;
        size_t n = t->end - t->start, same = v->focus_end - v->focus_start;
        assert_true(t->quoted && n > 2 && text[0] == '"' && text[n - 1] == '"');
        assert_true(same >= n - 2 && v->focus_start >= v->start && v->focus_end <= v->end);
        same = n - 2;
        for (size_t at = 0; at < same; at++)
            if (strchr(" \n", v->text[v->focus_start - v->start + at]))
                same = at; // white space is folded
        assert_true(same > 0);
        assert_memory_equal(text + 1, v->text + (v->focus_start - v->start), same);
        assert_string_equal(v->document, s.sections[t->section].document);
        of_sections |= 1u << t->section;
    }
    assert_int_equal(of_sections & 1u, 1u);
    assert_true(of_sections >> (s.n_sections - 1));
    summary_done(&s);
    // Words of a random model are not the document's, so that all of it is quoted.
    OK(summarize(F.m, k, &(struct summarize_options){.words = 60, .quote = "strays"}, &s, e));
    assert_true(s.sections[0].said.n_statements > 1);
    assert_true(s.sections[0].said.statements[s.sections[0].said.n_statements - 1].quoted);
    assert_true(s.read_tokens > 0);
    summary_done(&s);
    assert_int_equal(summarize(F.m, k, &(struct summarize_options){.quote = "sometimes"}, &s, &why),
                     ERR_USAGE);
    assert_int_equal(summarize(F.m, k,
                               &(struct summarize_options){.from = "state", .quote = "strays"}, &s,
                               &why),
                     ERR_USAGE);
    kvz_close(k);
}

static void test_summary_of_the_state(void **state)
{
    (void)state;
    const char *in[] = {in_dir("a.txt"), in_dir("b.txt")};
    encode_ok(small(in, 2, in_dir("sum.kvz")), NULL);
    struct kvz *k = open_ok(in_dir("sum.kvz"));
    struct kvz_summary is;
    struct summary s;
    struct err why;
    OK(kvz_summary(k, &is, e));
    OK(summarize(F.m, k, &(struct summarize_options){.words = 4, .from = "state"}, &s, e));
    assert_int_equal(s.n_sections, 1);
    assert_string_equal(s.from, "state");
    assert_null(s.whole.text);
    assert_int_equal(s.read_tokens, 32 + is.n); // sinks and state: no block
    assert_in_range(s.sections[0].said.n_evidence, 1, 8);
    summary_done(&s);
    OK(summarize(F.m, k, &(struct summarize_options){.words = 4, .from = "blocks"}, &s, e));
    assert_int_equal(s.n_sections, 1);
    assert_string_equal(s.from, "blocks");
    summary_done(&s);
    assert_int_equal(summarize(F.m, k, &(struct summarize_options){.from = "words"}, &s, &why),
                     ERR_USAGE);
    // A question of method cascade reads the same, and no block.
    const struct ask_options all = {.question = "boat", .method = "cascade", .max_tokens = 2};
    struct kvz *both[] = {k, k};
    struct answer r;
    OK(ask(F.m, both, 1, &all, &r, e));
    assert_int_equal(r.read_tokens, 32 + is.n);
    assert_int_equal(r.n_choices + r.n_evidence, 0);
    answer_done(&r);
    assert_int_equal(ask(F.m, both, 2, &all, &r, &why), ERR_USAGE);
    assert_int_equal(
        summarize(F.m, k, &(struct summarize_options){.from = "state", .sections = 1}, &s, &why),
        ERR_USAGE);
    kvz_close(k);
    // A text that ends among the sinks leaves none, and is all in sight without.
    struct encode_options o = small(in + 1, 1, in_dir("short.kvz"));
    o.window = o.sinks = 4096;
    encode_ok(o, NULL);
    k = open_ok(in_dir("short.kvz"));
    OK(kvz_summary(k, &is, e));
    assert_int_equal(is.n, 0);
    OK(summarize(F.m, k, &(struct summarize_options){.words = 4}, &s, e)); // blocks
    assert_string_equal(s.from, "blocks");
    summary_done(&s);
    OK(summarize(F.m, k, &(struct summarize_options){.words = 4, .from = "state"}, &s, e));
    assert_string_equal(s.from, "state");
    assert_int_equal(s.read_tokens, kvz_n_tokens(k));
    assert_in_range(s.sections[0].said.n_evidence, 1, 8);
    summary_done(&s);
    OK(ask(F.m, &k, 1, &all, &r, e));
    assert_int_equal(r.read_tokens, kvz_n_tokens(k));
    answer_done(&r);
    kvz_close(k);
}

// Whole sentences that stand for themselves, the first ones under their headings, which are named;
// none twice, no foot of a page, and no more than half of the text.
static void test_sentences_that_stand(void **state)
{
    static const char *const wanted[][2] = {
        {"Lease of the mill",
         "\"This lease of the old mill is between the council and Mrs Abernathy.\""},
        {"1. Rent",
         "\"The tenant pays nine hundred crowns of rent on the first day of every quarter.\""},
        {"2. Repairs",
         "\"The landlord repairs the roof, the water wheel and the sluice of the mill.\""},
    };
    (void)state;
    write_prose("lease.txt", LEASE);
    const char *in[] = {in_dir("lease.txt")};
    encode_ok(small(in, 1, in_dir("lease.kvz")), NULL);
    struct kvz *k = open_ok(in_dir("lease.kvz"));
    for (int words = 42; words <= 45; words += 3) {
        struct summary s;
        OK(summarize(F.m, k, &(struct summarize_options){.words = words, .quote = "always"}, &s,
                     e));
        const struct summary_text *said = &s.sections[0].said;
        assert_int_equal(said->n_statements, 3);
        for (int i = 0; i < 3; i++) {
            const struct summary_statement *t = &said->statements[i];
            const struct evidence *v = &said->evidence[t->evidence];
            assert_string_equal(t->heading, wanted[i][0]);
            assert_int_equal(t->end - t->start, strlen(wanted[i][1]));
            assert_memory_equal(said->text + t->start, wanted[i][1], t->end - t->start);
            assert_memory_equal(LEASE + v->focus_start, wanted[i][1] + 1, 8);
        }
        summary_done(&s);
    }
    struct summary s;
    OK(summarize(F.m, k, &(struct summarize_options){.words = 5000, .quote = "always"}, &s, e));
    const char *text = s.sections[0].said.text;
    int words = 1;
    for (const char *c = text; *c; c++)
        words += *c == ' ' || *c == '\n';
    assert_in_range(words, 40, 72); // of 126
    assert_null(strstr(text, "https://"));
    assert_null(strstr(text, "This is why"));
    assert_null(strstr(text, "Read the conditions"));
    summary_done(&s);
    kvz_close(k);
}

// Two frequent words and nothing else are less than a whole sentence.
static void test_short_sentences(void **state)
{
    static const char TEXT[] =
        "The miller measured the river above the weir every morning of that winter. The council "
        "was on the meadows. On Sunday the miller walked to the village and told the council that "
        "the river would flood the meadows in April. The council sent two men to strengthen the "
        "wall along the meadows. The miller lent them a cart, and the river rose until Easter.\n";
    (void)state;
    write_prose("river.txt", TEXT);
    const char *in[] = {in_dir("river.txt")};
    encode_ok(small(in, 1, in_dir("river.kvz")), NULL);
    struct kvz *k = open_ok(in_dir("river.kvz"));
    struct summary s;
    OK(summarize(F.m, k, &(struct summarize_options){.words = 30, .quote = "always"}, &s, e));
    assert_true(s.sections[0].said.n_statements > 1);
    assert_null(strstr(s.sections[0].said.text, "The council was on the meadows."));
    summary_done(&s);
    kvz_close(k);
}

static void test_an_item_heads_nothing(void **state)
{
    (void)state;
    write_prose("contents.txt", CONTENTS);
    const char *in[] = {in_dir("contents.txt")};
    encode_ok(small(in, 1, in_dir("contents.kvz")), NULL);
    struct kvz *k = open_ok(in_dir("contents.kvz"));
    struct summary s;
    OK(summarize(F.m, k, &(struct summarize_options){.words = 5000, .quote = "always"}, &s, e));
    assert_true(s.sections[0].said.n_statements > 0);
    for (int i = 0; i < s.sections[0].said.n_statements; i++)
        assert_true(s.sections[0].said.statements[i].heading[0] != '*');
    summary_done(&s);
    kvz_close(k);
}

// Of a clause what it says is said, not its number and title alone.
static void test_titles_of_clauses(void **state)
{
    (void)state;
    write_prose(
        "clauses.txt",
        "RULES\n\nC1  The miller, the mill and the wheel. The miller of Ham turns the "
        "wheel\n    of the mill by hand in winter, when ice and snow cover both bridges.\n\n"
        "C2  The wheel and the flour of the mill. Forty sacks of flour are ground by\n    the "
        "wheel of the mill for the school in May, before any pupil leaves home.\n\n"
        "C3  The flour of the miller. The miller carries flour from the mill to the\n    "
        "harbour in a cart that somebody borrowed from a farm near Bristol.\n");
    const char *in[] = {in_dir("clauses.txt")};
    encode_ok(small(in, 1, in_dir("clauses.kvz")), NULL);
    struct kvz *k = open_ok(in_dir("clauses.kvz"));
    struct summary s;
    OK(summarize(F.m, k, &(struct summarize_options){.words = 30, .quote = "always"}, &s, e));
    const struct summary_text *said = &s.sections[0].said;
    assert_true(said->n_statements > 0);
    assert_null(strstr(said->text, "\"C"));
    summary_done(&s);
    kvz_close(k);
}

// NULs say nothing, and what is behind them is no less a sentence.
static void test_nuls_are_no_sentence(void **state)
{
    (void)state;
    static const char nuls[3000], said[] = "The goat is called Ina.";
    FILE *f = begin_file("nuls.txt");
    fwrite(nuls, 1, sizeof nuls, f);
    fprintf(f, "%s\n", said);
    end_file(f);
    struct kvz *k = index_file("nuls.txt", 0);
    struct sentences v;
    struct err why;
    OK(sentences_begin(&v, k, 0, kvz_n_blocks(k), e));
    assert_int_equal(sentences_next(&v, &why), 1);
    assert_int_equal(v.start, sizeof nuls);
    assert_int_equal(v.end, sizeof nuls + strlen(said));
    assert_int_equal(sentences_next(&v, &why), 0);
    sentences_done(&v);
    kvz_close(k);
}

// Each sentence is of one section and no other, whatever blocks it goes across.
static void test_sections_part_sentences(void **state)
{
    (void)state;
    write_prose("lease.txt", LEASE);
    write_prose("garden.txt", GARDEN);
    const char *in[] = {in_dir("lease.txt"), in_dir("garden.txt")};
    encode_ok(small(in, 2, in_dir("lease.kvz")), NULL);
    struct kvz *k = open_ok(in_dir("lease.kvz"));
    const uint64_t n = kvz_n_blocks(k);
    struct sentences all, part = {0};
    OK(sentences_begin(&all, k, 0, n, e));
    struct err why;
    uint64_t from = 0;
    int rc = 0, more, seen = 0;
    OK(sentences_begin(&part, k, from, from + 1, e));
    while ((rc = sentences_next(&all, &why)) > 0) {
        while (!(more = sentences_next(&part, &why)) && from + 1 < n) {
            sentences_done(&part);
            from++;
            OK(sentences_begin(&part, k, from, from + 1, e));
        }
        assert_int_equal(more, 1);
        assert_int_equal(part.start, all.start);
        assert_int_equal(part.block, all.block);
        assert_int_equal(part.block, from);
        seen++;
    }
    assert_int_equal(rc, 0);
    assert_true(seen > 10);
    assert_int_equal(sentences_next(&part, &why), 0);
    sentences_done(&all);
    sentences_done(&part);
    kvz_close(k);
}

// Of a log the kinds of lines are said, with how many there are, the rare ones as well.
static void test_log(void **state)
{
    (void)state;
    FILE *f = begin_file("mill.log");
    for (int i = 0; i < 60; i++)
        if (i == 41)
            fprintf(f, "06:%02d:17 ERROR sluice stuck under the bridge, wheel stopped\n", i);
        else if (i % 6 == 5)
            fprintf(f, "06:%02d:17 WARN wheel slow, %d turns\n", i, i % 9);
        else
            fprintf(f, "06:%02d:17 INFO sack %d of flour ground for %s\n", i, 100 + i,
                    i % 2 ? "Abernathy" : "Brandt");
    end_file(f);
    struct kvz *k = index_file("mill.log", 0);
    static const struct {
        int64_t times;
        const char *text;
    } wanted[] = {
        {50, "\"06:00:17 INFO sack 100 of flour ground for Brandt\""},
        {9, "\"06:05:17 WARN wheel slow, 5 turns\""},
        {1, "\"06:41:17 ERROR sluice stuck under the bridge, wheel stopped\""},
    };
    struct summary s;
    OK(summarize(F.m, k, &(struct summarize_options){.words = 60, .quote = "always"}, &s, e));
    const struct summary_text *said = &s.sections[0].said;
    assert_int_equal(said->n_statements, 3);
    for (int i = 0; i < 3; i++) {
        const struct summary_statement *t = &said->statements[i];
        assert_int_equal(t->times, wanted[i].times);
        assert_int_equal(t->end - t->start, strlen(wanted[i].text));
        assert_memory_equal(said->text + t->start, wanted[i].text, t->end - t->start);
    }
    summary_done(&s);
    kvz_close(k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_summaries_do_not_repeat),
        cmocka_unit_test(test_summary_cites_every_section),
        cmocka_unit_test(test_quotations),
        cmocka_unit_test(test_summary_of_the_state),
        cmocka_unit_test(test_sentences_that_stand),
        cmocka_unit_test(test_short_sentences),
        cmocka_unit_test(test_an_item_heads_nothing),
        cmocka_unit_test(test_nuls_are_no_sentence),
        cmocka_unit_test(test_sections_part_sentences),
        cmocka_unit_test(test_titles_of_clauses),
        cmocka_unit_test(test_log),
    };
    return cmocka_run_group_tests(tests, engine_set_up, engine_tear_down);
}
