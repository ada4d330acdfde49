// Answers whose tokens are guessed ahead are the answers without guesses, on every instruction set
// of this machine.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/answer/reading.h"
#include "tests/unit/engine_fixture.h"
#include "tests/unit/ok.h"

static const struct head watched[] = {{0, 1, 0.75f}, {2, 0, 0.5f}};
static const struct heads heads = {.n = 2, .v = watched};

// Calls CHECK with the small model on each device.
static void on_all_devices(void (*check)(struct model *m))
{
    const char *isa;
    for (size_t i = 0; (isa = device_cpu_isa(i)); i++)
        for (int threads = 1; threads <= 3; threads += 2) {
            struct device *d;
            struct model *m;
            OK(device_open(&d,
                           &(struct device_options){.name = "cpu", .isa = isa, .threads = threads},
                           NULL, 0, e));
            OK(model_open(&m, in_dir("tiny.gguf"), d, e));
            m->heads = &heads;
            check(m);
            model_close(m);
            device_close(d);
        }
}

// ---- Tokens on trial

enum { READ = 24, WRITTEN = 8, ALL = READ + WRITTEN, VOCAB_MOST = 1024 };

static struct stream *read_stream(struct model *m, const uint32_t *ids)
{
    struct stream *s;
    OK(stream_new(&s, m, &(struct stream_options){.window = ALL + 4, .chunk = READ}, e));
    OK(write_tokens(s, ids, READ, NULL, e));
    OK(attention_watch(s, e));
    return s;
}

static void same_state(struct stream *a, struct stream *b)
{
    const struct model_info *f = &a->m->info;
    const size_t rows = (size_t)(f->n_kv_heads * f->head_dim) * ALL,
                 masses = (size_t)f->n_heads * ALL;
    float *x[2];
    assert_int_equal(a->n_local, ALL);
    assert_int_equal(b->n_local, ALL);
    assert_true(a->n_seen == b->n_seen);
    for (int i = 0; i < 2; i++) {
        x[i] = calloc(2 * rows + masses, sizeof *x[i]);
        assert_non_null(x[i]);
    }
    for (int l = 0; l < f->n_layers; l++) {
        for (int i = 0; i < 2; i++) {
            OK(stream_get(i ? b : a, l, 0, ALL, x[i], x[i] + rows, e));
            if (l != 1)
                OK(stream_get_mass(i ? b : a, l, 0, ALL, x[i] + 2 * rows, e));
        }
        assert_memory_equal(x[0], x[1], (2 * rows + masses) * sizeof **x);
    }
    free(x[0]);
    free(x[1]);
}

// Runs the tokens from AT on, N of them and WRONG others behind them, of which the N stay.
static void try_tokens(struct stream *s, const uint32_t *ids, int at, int n, int wrong,
                       float (*logits)[VOCAB_MOST])
{
    uint32_t run[1 + DRAFT_MOST];
    float *got = calloc((1 + DRAFT_MOST) * VOCAB_MOST, sizeof *got);
    const size_t n_vocab = (size_t)s->m->info.n_vocab;
    assert_non_null(got);
    assert_true(n_vocab <= VOCAB_MOST);
    for (int i = 0; i < n + wrong; i++)
        run[i] = i < n ? ids[at + i] : (uint32_t)(20 + i);
    OK(forward(
        s,
        &(struct forward){
            .tokens = run, .n = n + wrong, .on_trial = 1, .logits = got, .n_logits = n + wrong},
        e));
    OK(stream_settle(s, n, e));
    for (int i = 0; i < n; i++)
        assert_memory_equal(got + (size_t)i * n_vocab, logits[at + i - READ],
                            n_vocab * sizeof *got);
    free(got);
}

static void check_trials(struct model *m)
{
    uint32_t ids[ALL];
    float logits[WRITTEN][VOCAB_MOST];
    struct err why;
    for (int i = 0; i < ALL; i++)
        ids[i] = (uint32_t)(3 + i % 11);
    struct stream *alone = read_stream(m, ids), *s = read_stream(m, ids);
    for (int i = 0; i < WRITTEN; i++)
        OK(write_tokens(alone, ids + READ + i, 1, logits[i], e));
    try_tokens(s, ids, READ, 2, m->device->ops->alike - 2, logits);
    try_tokens(s, ids, READ + 2, 1, 3, logits);
    OK(write_tokens(s, ids + READ + 3, 1, NULL, e));
    OK(stream_settle(s, 0, e)); // which was not on trial
    try_tokens(s, ids, READ + 4, 4, 0, logits);
    same_state(alone, s);
    int more = m->device->ops->alike + 1;
    assert_int_equal(forward(s, &(struct forward){.tokens = ids, .n = more, .on_trial = 1}, &why),
                     ERR_USAGE);
    stream_free(alone);
    stream_free(s);
}

static void test_trials(void **state)
{
    (void)state;
    on_all_devices(check_trials);
}

// ---- Guesses

static void guessed(struct draft *d, struct stream *s, const uint32_t *written, int n, int from,
                    int n_ids, const uint32_t *ids)
{
    draft_guess(d, s, written, n, 100);
    assert_int_equal(d->n, n_ids);
    if (!n_ids)
        return;
    assert_true(d->of == &d->from[from]);
    assert_memory_equal(d->ids, ids, (size_t)n_ids * sizeof *ids);
}

// Ends with the first N that were guessed held.
static void held(struct draft *d, struct stream *s, int n)
{
    for (int i = 0; i < n; i++)
        assert_true(draft_holds(d, d->ids[i]));
    assert_false(draft_holds(d, 999));
    OK(draft_end(d, s, e));
}

// As much of a text is guessed as came true of it before.
static void test_guesses(void **state)
{
    (void)state;
    const uint32_t read[] = {11, 12, 13, 14, 15, 16, 17, 18, 19, 20},
                   asked[] = {31, 32, 33, 34, 35, 36, 37, 38, 39},
                   written[] = {40, 31, 32, 40, 31, 32, 11, 12}, again[] = {50, 51, 52, 53, 50, 51};
    struct draft d = {.most = DRAFT_MOST};
    struct stream *s;
    const uint32_t end = 2, ended[] = {61, 62, 63, end, 64};
    assert_true(tok_is_end(F.m->tok, end));
    OK(stream_new(&s, F.m, &(struct stream_options){.window = 32, .chunk = 16}, e));
    draft_from(&d, read, 10, asked, 9);
    guessed(&d, s, written, 8, DRAFT_READ, DRAFT_MOST, read + 2);
    held(&d, s, 3);
    guessed(&d, s, written, 8, DRAFT_READ, 3, read + 2);
    held(&d, s, 0);
    guessed(&d, s, written, 8, DRAFT_READ, 1, read + 2);
    held(&d, s, 1);
    guessed(&d, s, written, 8, DRAFT_READ, 4, read + 2);
    held(&d, s, 4);
    guessed(&d, s, written, 8, DRAFT_READ, DRAFT_MOST, read + 2);
    held(&d, s, 7);
    guessed(&d, s, written, 3, DRAFT_ASKED, 1, asked + 2); // each text for itself
    held(&d, s, 1);
    guessed(&d, s, written, 3, DRAFT_ASKED, 4, asked + 2);
    held(&d, s, 0);
    guessed(&d, s, written, 6, DRAFT_WRITTEN, 2, written + 3); // three there, two in the question
    held(&d, s, 0);
    guessed(&d, s, again, 6, DRAFT_WRITTEN, 1, again + 2);
    held(&d, s, 1);
    guessed(&d, s, again, 6, DRAFT_WRITTEN, 4, again + 2);
    held(&d, s, 4);
    guessed(&d, s, written, 1, 0, 0, NULL); // a token alone says nothing
    held(&d, s, 0);
    draft_from(&d, ended, 5, asked, 9);
    guessed(&d, s, ended, 2, DRAFT_READ, 1, ended + 2); // nothing is behind an end
    held(&d, s, 1);
    stream_free(s);
}

// ---- Answers

static const struct device_ops *ops_of;
static int n_passes, n_rows;

static void count_rows(struct device *d, float *out, const struct mat *table, const uint32_t *ids,
                       int n, float scale)
{
    n_passes++;
    n_rows += n;
    ops_of->embed(d, out, table, ids, n, scale);
}

static void same_answers(const struct answer *a, const struct answer *b)
{
    assert_string_equal(a->text, b->text);
    assert_string_equal(a->finish, b->finish);
    assert_int_equal(a->answer_tokens, b->answer_tokens);
    assert_int_equal(a->read_tokens, b->read_tokens);
    assert_int_equal(a->n_evidence, b->n_evidence);
    for (int i = 0; i < a->n_evidence; i++) {
        assert_int_equal(a->evidence[i].block, b->evidence[i].block);
        assert_true(a->evidence[i].score == b->evidence[i].score);
    }
}

// The answers to O with guesses and without; passes and rows of both are counted.
static void ask_twice(struct model *m, struct kvz *k, struct ask_options o, int passes[2],
                      int rows[2])
{
    struct answer a[2];
    struct device_ops counting = *m->device->ops;
    ops_of = m->device->ops;
    counting.embed = count_rows;
    m->device->ops = &counting;
    for (int i = 0; i < 2; i++) {
        o.draft = i * DRAFT_MOST;
        n_passes = n_rows = 0;
        OK(ask(m, &k, 1, &o, &a[i], e));
        passes[i] += n_passes;
        rows[i] += n_rows;
    }
    m->device->ops = ops_of;
    same_answers(&a[0], &a[1]);
    answer_done(&a[0]);
    answer_done(&a[1]);
}

// Favouring copies makes guesses come true, most of them; which differs with how products are
// rounded.
static void check_answers(struct model *m)
{
    static const char *const questions[] = {"Who carried the boat?", "What fell on every roof?"};
    static const struct ask_options ways[] = {
        {.read = READ_CACHED, .max_tokens = 20},
        {.read = READ_FRESH, .copy = 1e4f, .max_tokens = 3},
        {.read = READ_BOTH, .copy = 1e4f, .max_tokens = 24, .temp = 2, .top_p = 1, .seed = 7},
        {.read = READ_BOTH, .copy = 1e4f, .max_tokens = 24, .temp = 2, .top_p = 1, .seed = 9},
        {.read = READ_SENTENCES, .copy = 8, .max_tokens = 24, .temp = 1, .top_p = 1, .seed = 8},
        {.read = READ_SENTENCES, .copy = 1e4f, .max_tokens = 24},
    };
    struct kvz *k = open_ok(in_dir("draft.kvz"));
    int passes[2] = {0}, rows[2] = {0};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        for (size_t q = 0; q < 2; q++) {
            struct ask_options o = ways[i];
            o.question = questions[q];
            o.budget = 48;
            o.n_evidence = 3;
            ask_twice(m, k, o, passes, rows);
        }
    if (passes[1] >= passes[0] || rows[1] < rows[0])
        fail_msg("%s: %d passes of %d tokens, with guesses %d of %d", m->device->label, passes[0],
                 rows[0], passes[1], rows[1]);
    kvz_close(k);
}

static void test_answers(void **state)
{
    (void)state;
    const char *in[] = {in_dir("a.txt")};
    encode_ok(small(in, 1, in_dir("draft.kvz")), NULL);
    on_all_devices(check_answers);
}

// Where each token chooses what it reads, or how much of that, none is guessed.
static void test_no_guesses(void **state)
{
    (void)state;
    const char *in[] = {in_dir("a.txt")};
    encode_ok(small(in, 1, in_dir("draft.kvz")), NULL);
    struct kvz *k = open_ok(in_dir("draft.kvz"));
    static const struct ask_options ways[] = {
        {.method = "actqkv", .token_step = 3},
        {.traverse = "importance", .art_scale = 0.5},
    };
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        struct ask_options o = ways[i];
        int passes[2] = {0}, rows[2] = {0};
        o.question = "the river the river carried a small wooden boat";
        o.max_tokens = 24;
        ask_twice(F.m, k, o, passes, rows);
        assert_int_equal(rows[0], rows[1]);
    }
    kvz_close(k);
}

static void test_summaries(void **state)
{
    (void)state;
    const char *in[] = {in_dir("a.txt")};
    encode_ok(small(in, 1, in_dir("draft.kvz")), NULL);
    struct kvz *k = open_ok(in_dir("draft.kvz"));
    struct summary s[2];
    for (int i = 0; i < 2; i++)
        OK(summarize(
            F.m, k,
            &(struct summarize_options){.words = 30, .sections = 1, .draft = i * DRAFT_MOST}, &s[i],
            e));
    for (int i = 0; i < s[0].n_sections; i++)
        assert_string_equal(s[0].sections[i].said.text, s[1].sections[i].said.text);
    summary_done(&s[0]);
    summary_done(&s[1]);
    kvz_close(k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_trials),    cmocka_unit_test(test_guesses),
        cmocka_unit_test(test_answers),   cmocka_unit_test(test_no_guesses),
        cmocka_unit_test(test_summaries),
    };
    return cmocka_run_group_tests(tests, engine_set_up, engine_tear_down);
}
