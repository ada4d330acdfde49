// What must always hold of summaries, on small random models.
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "engine/ask/asking.h"
#include "tests/unit/engine_fixture.h"
#include "tests/unit/ok.h"

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
        for (int j = 0; j < said->n_evidence; j++)
            assert_string_equal(said->evidence[j].document, s.sections[i].document);
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
    const char *in[] = {in_dir("a.txt"), in_dir("b.txt")};
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
        same = same < n - 2 ? same : n - 2;
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
    // A text that ends among the sinks leaves none.
    struct encode_options o = small(in + 1, 1, in_dir("short.kvz"));
    o.window = o.sinks = 4096;
    encode_ok(o, NULL);
    k = open_ok(in_dir("short.kvz"));
    OK(kvz_summary(k, &is, e));
    assert_int_equal(is.n, 0);
    OK(summarize(F.m, k, &(struct summarize_options){.words = 4}, &s, e)); // blocks
    assert_string_equal(s.from, "blocks");
    summary_done(&s);
    assert_int_equal(summarize(F.m, k, &(struct summarize_options){.from = "state"}, &s, &why),
                     ERR_MISMATCH);
    assert_non_null(strstr(why.msg, "--from blocks"));
    assert_int_equal(ask(F.m, &k, 1, &all, &r, &why), ERR_MISMATCH);
    kvz_close(k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_summaries_do_not_repeat),
        cmocka_unit_test(test_summary_cites_every_section),
        cmocka_unit_test(test_quotations),
        cmocka_unit_test(test_summary_of_the_state),
    };
    return cmocka_run_group_tests(tests, engine_set_up, engine_tear_down);
}
