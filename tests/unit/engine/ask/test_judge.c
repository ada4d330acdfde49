// What must always hold of how likely texts make a question, and of what is kept of running them.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/ask/judge.h"
#include "engine/method/ballot.h"
#include "tests/unit/engine_fixture.h"
#include "tests/unit/ok.h"

static const char QUESTION[] = "Who carried the boat?";
static const char *const TEXTS[] = {"", "Noor carried it.", "The boat lay in the harbour.",
                                    "Noor carried it. She was alone that day."};
enum { N = sizeof TEXTS / sizeof *TEXTS, LONG = 900 };

static struct prompt asked;

static int ask_it(void **state)
{
    int rc = engine_set_up(state);
    return rc ? rc : prompt_text(&asked, F.m, QUESTION, TOK_PLAIN, NULL);
}

static int forget_it(void **state)
{
    prompt_done(&asked);
    return engine_tear_down(state);
}

static void begin(struct judge *j, const char *before, struct prefix *prefix)
{
    OK(judge_new(j,
                 &(struct judging){.m = F.m,
                                   .chat = chat_find("chatml"),
                                   .before = before,
                                   .question = asked.ids,
                                   .n_question = asked.n,
                                   .texts = 2 * N,
                                   .prefix = prefix},
                 e));
}

// Likewise, before each text TEXTS[3] as the index K has it, taken from INDEX unless that is NULL.
static void begin_stored(struct judge *j, struct prefix *prefix, const struct kvz *k,
                         const struct kvz *index)
{
    OK(judge_new(j,
                 &(struct judging){.m = F.m,
                                   .chat = chat_find(kvz_meta(k)->template_name),
                                   .before = TEXTS[3],
                                   .question = asked.ids,
                                   .n_question = asked.n,
                                   .texts = 2 * N,
                                   .prefix = prefix,
                                   .index = index},
                 e));
}

static int judged(struct judge *j, const char *text)
{
    struct err e;
    int at = judge_text(j, text, &e);
    if (at < 0)
        fail_msg("%s", e.msg);
    return at;
}

static double alone(const char *before, const char *text)
{
    struct judge j;
    begin(&j, before, NULL);
    assert_int_equal(judged(&j, text), 0);
    OK(judge_end(&j, e));
    double likelihood = j.likelihood[0];
    judge_done(&j);
    return likelihood;
}

static void near(double a, double b)
{
    if (fabs(a - b) > 0.02)
        fail_msg("%g and %g", a, b);
}

// By how much two rows of logits differ at the most.
static float apart(const float *a, const float *b)
{
    float most = 0;
    for (int i = 0; i < F.m->info.n_vocab; i++)
        most = fmaxf(most, fabsf(a[i] - b[i]));
    return most;
}

// The logits after IDS [n], as far as B has run them already.
static float *logits_after(const struct prefix *b, const uint32_t *ids, int n)
{
    struct stream *s;
    const int n_vocab = F.m->info.n_vocab;
    float *logits = malloc((size_t)n_vocab * sizeof *logits);
    assert_non_null(logits);
    OK(stream_new(&s, F.m, &(struct stream_options){.chunk = n, .room = n}, e));
    const int common = prefix_common(b, ids, n - 1);
    assert_int_equal(prefix_share(b, NULL, s, ids, n - 1, NULL), common);
    OK(forward(
        s,
        &(struct forward){.tokens = ids + common, .n = n - common, .logits = logits, .n_logits = 1},
        e));
    stream_free(s);
    return logits;
}

// In one pass or in several, in any company: it is the same, and no two texts are alike.
static void company_does_not_matter(void **state)
{
    (void)state;
    struct judge j;
    begin(&j, NULL, NULL);
    for (int i = 0; i < N; i++) {
        assert_int_equal(judged(&j, TEXTS[i]), i);
        if (i == 1)
            OK(judge_end(&j, e));
    }
    OK(judge_end(&j, e));
    for (int i = 0; i < N; i++) {
        near(j.likelihood[i], alone(NULL, TEXTS[i]));
        for (int k = 0; k < i; k++)
            assert_true(fabs(j.likelihood[i] - j.likelihood[k]) > 0.04);
    }
    judge_done(&j);
}

// What texts of a pass begin with alike is run once; it is the same, and can be kept.
static void what_begins_alike_is_run_once(void **state)
{
    (void)state;
    static const char *const alike[] = {"Noor carried it down to the water alone.",
                                        "The boat lay in the harbour.",
                                        "Noor carried it down to the water alone. It was heavy.",
                                        "Noor carried it down to the harbour and sat in it.",
                                        "The boat lay in the harbour. It was heavy."};
    enum { ALIKE = sizeof alike / sizeof *alike };
    struct prefix b = {0};
    struct judge j;
    int rows[ALIKE];
    begin(&j, NULL, &b);
    for (int i = 0; i < ALIKE; i++) {
        const int before = j.p.n;
        assert_int_equal(judged(&j, alike[i]), i);
        rows[i] = j.p.n - before;
        assert_int_equal(j.lent[i].n + rows[i], j.one.n - 1);
    }
    assert_int_equal(j.lent[0].n + j.lent[1].n, 0);
    for (int i = 2; i < ALIKE; i++) {
        assert_int_equal(j.lent[i].from, j.groups[i == 4]);
        assert_true(j.lent[i].n >= 14 && rows[i] > asked.n);
    }
    OK(judge_end(&j, e));
    for (int i = 0; i < ALIKE; i++)
        near(j.likelihood[i], alone(NULL, alike[i]));
    OK(judge_keep(&j, 4, e));
    struct prompt p = {0};
    OK(prompt_head(&p, F.m, chat_find("chatml"), e));
    OK(prompt_text(&p, F.m, alike[4], TOK_PLAIN, e));
    assert_int_equal(prefix_common(&b, p.ids, p.n), p.n);
    float *x = logits_after(&b, p.ids, p.n), *y = logits_after(NULL, p.ids, p.n);
    assert_true(apart(x, y) < 0.1f);
    free(x);
    free(y);
    judge_done(&j);
    prompt_done(&p);
    prefix_done(&b);
}

// A text is judged once: whether in this pass or in one before.
static void the_same_text_is_not_judged_again(void **state)
{
    (void)state;
    struct judge j;
    begin(&j, NULL, NULL);
    assert_int_equal(judged(&j, TEXTS[1]), 0);
    assert_int_equal(judged(&j, TEXTS[2]), 1);
    assert_int_equal(judged(&j, TEXTS[1]), 0);
    assert_int_equal(j.n_groups, 2);
    OK(judge_end(&j, e));
    j.likelihood[0] = 7; // would be written over
    assert_int_equal(judged(&j, TEXTS[1]), 0);
    assert_int_equal(judged(&j, TEXTS[3]), 2);
    OK(judge_end(&j, e));
    assert_true(j.likelihood[0] == 7);
    assert_int_equal(j.n, 3);
    judge_done(&j);
}

// What was kept need not be run again: neither by a judge nor with a prompt that begins alike.
static void what_is_kept_is_as_if_run(void **state)
{
    (void)state;
    struct prefix b = {0};
    struct judge j;
    begin(&j, NULL, &b);
    for (int i = 0; i < 3; i++)
        assert_int_equal(judged(&j, TEXTS[i]), i);
    OK(judge_keep(&j, 1, e));
    assert_null(b.s); // nothing has run
    OK(judge_end(&j, e));
    for (int i = 2; i > 0; i--) {
        OK(judge_keep(&j, i, e));
        assert_int_equal(b.p.n, b.s->n_local);
    }
    const int head = j.before.n;
    assert_true(prefix_common(&b, j.before.ids, head) == head && b.p.n > head);
    // The next text begins with the one that is kept.
    assert_int_equal(judged(&j, TEXTS[3]), 3);
    OK(judge_end(&j, e));
    near(j.likelihood[3], alone(NULL, TEXTS[3]));
    OK(judge_keep(&j, 1, e)); // another pass has run since
    assert_true(prefix_common(&b, j.before.ids, head) == head);
    OK(judge_keep(&j, 3, e));
    judge_done(&j);
    struct prompt p = {0};
    OK(prompt_head(&p, F.m, chat_find("chatml"), e));
    OK(prompt_text(&p, F.m, TEXTS[3], TOK_PLAIN, e));
    const int known = p.n;
    OK(prompt_text(&p, F.m, " Was she?", TOK_PLAIN, e));
    assert_int_equal(prefix_common(&b, p.ids, p.n), known);
    const int n[] = {p.n, known - 3}; // the latter: less than has been run
    float *x[2], *y[2];
    for (int i = 0; i < 2; i++) {
        x[i] = logits_after(&b, p.ids, n[i]);
        y[i] = logits_after(NULL, p.ids, n[i]);
        // the last tokens may be so few that their attention reads keys and values of 8 bits
        assert_true(apart(x[i], y[i]) < 0.1f);
    }
    assert_true(apart(x[0], x[1]) > 1);
    for (int i = 0; i < 2; i++) {
        free(x[i]);
        free(y[i]);
    }
    // And what is read before other texts.
    begin(&j, TEXTS[3], &b);
    assert_int_equal(j.s->n_local, known);
    assert_int_equal(judged(&j, " It rained."), 0);
    OK(judge_end(&j, e));
    near(j.likelihood[0], alone(TEXTS[3], " It rained."));
    judge_done(&j);
    prompt_done(&p);
    prefix_done(&b);
    assert_int_equal(prefix_common(&b, asked.ids, asked.n), 0);
}

// Of many texts in one pass the first ones can be kept; of long texts as much is judged as of any.
static void not_all_is_kept(void **state)
{
    (void)state;
    struct prefix b = {0};
    struct judge j;
    char text[LONG];
    begin(&j, NULL, &b);
    for (int i = 0; i < N; i++) {
        for (int c = 0; c < LONG - 1; c++)
            text[c] = "a bcd efg hi"[(c * (i + 3)) % 12];
        text[LONG - 1] = 0;
        assert_int_equal(judged(&j, text), i);
    }
    OK(judge_end(&j, e));
    OK(judge_keep(&j, N - 1, e));
    assert_null(b.s);
    OK(judge_keep(&j, 0, e));
    assert_true(b.s->n_local > j.before.n && b.s->n_local < LONG / 4 + j.before.n);
    judge_done(&j);
    prefix_done(&b);
}

// An index of 32 sinks, in blocks of 16 tokens, that begins with TEXTS[3].
static struct kvz *index_of_text(void)
{
    FILE *f = begin_file("begins.txt");
    for (int i = 0; i < 20; i++)
        fprintf(f, "%s %d\n", TEXTS[3], i);
    end_file(f);
    return index_file("begins.txt", 0);
}

// What a document begins with was run when it was read, its first block, which is a sink.
static void an_index_keeps_what_it_begins_with(void **state)
{
    (void)state;
    enum { BLOCK = 16 };
    struct kvz *k = index_of_text();
    struct prefix b = {0};
    struct judge stored, run;
    begin_stored(&stored, &b, k, k);
    begin_stored(&run, NULL, k, NULL);
    const int n = stored.before.n;
    assert_true(n > BLOCK);
    assert_int_equal(stored.s->n_local, BLOCK);
    assert_int_equal(run.s->n_local, 0);
    for (int i = 0; i < N; i++) {
        judged(&stored, TEXTS[i]);
        judged(&run, TEXTS[i]);
    }
    OK(judge_end(&stored, e));
    OK(judge_end(&run, e));
    for (int i = 0; i < N; i++)
        near(stored.likelihood[i], run.likelihood[i]);
    OK(judge_keep(&stored, 1, e));
    assert_true(b.p.n > n && prefix_common(&b, stored.before.ids, n) == n);
    judge_done(&run);
    judge_done(&stored);
    begin_stored(&stored, &b, k, k);
    assert_int_equal(stored.s->n_local, n); // what is kept is more
    judge_done(&stored);
    prefix_done(&b);
    kvz_close(k);
}

// How many of IDS [n] an index has for a stream with room for ROOM tokens.
static int stored(const struct kvz *k, const uint32_t *ids, int n, int room)
{
    struct stream *s;
    OK(stream_new(&s, F.m, &(struct stream_options){.chunk = room, .room = room}, e));
    const int common = prefix_share(NULL, k, s, ids, n, NULL);
    assert_int_equal(s->n_local, common);
    stream_free(s);
    return common;
}

// Only what an index begins with is taken from it.
static void another_beginning_is_not_stored(void **state)
{
    (void)state;
    enum { ROOM = 64 };
    struct kvz *k = index_of_text();
    uint32_t *ids, *bytes, n;
    OK(block_tokens(k, 0, &ids, &bytes, &n, e));
    assert_int_equal(stored(k, ids, (int)n, ROOM), n);
    assert_int_equal(stored(k, ids, (int)n, (int)n), n);
    assert_int_equal(stored(k, ids, (int)n, (int)n - 1), 0);
    ids[3]++;
    assert_int_equal(stored(k, ids, (int)n, ROOM), 3);
    ids[0]++;
    assert_int_equal(stored(k, ids, (int)n, ROOM), 0);
    free(ids);
    kvz_close(k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(company_does_not_matter),
                                       cmocka_unit_test(what_begins_alike_is_run_once),
                                       cmocka_unit_test(the_same_text_is_not_judged_again),
                                       cmocka_unit_test(what_is_kept_is_as_if_run),
                                       cmocka_unit_test(not_all_is_kept),
                                       cmocka_unit_test(an_index_keeps_what_it_begins_with),
                                       cmocka_unit_test(another_beginning_is_not_stored)};
    return cmocka_run_group_tests(tests, ask_it, forget_it);
}
