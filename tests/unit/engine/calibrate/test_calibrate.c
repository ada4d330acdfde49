// Calibration and profiles: what is measured, on examples small enough to check by hand; what is
// chosen; the file it is kept in.
#define _GNU_SOURCE
#include <dirent.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/calibrate/calibrate.h"
#include "engine/calibrate/measure.h"
#include "engine/calibrate/measure_store.h"
#include "engine/model/profile.h"
#include "io/file.h"
#include "tests/unit/own_dir.h"
#include "tests/unit/real_model.h"
#include "tests/unit/tiny_model.h"

static void put(const char *name, const char *text)
{
    struct err e;
    if (file_replace(NULL, in_dir(name), text, strlen(text), &e))
        fail_msg("%s", e.msg);
}

// ------------------------------------------------------------------------------- what is measured

// In sight are 7 tokens, the needle is 2..5 with the tokens 7 8 9; the answer so far is 7, at 6. At
// the first step 7 is written, at the second 8, at the third 9.
static void copies_are_counted_as_in_the_paper(void **state)
{
    const uint32_t ids[] = {1, 9, 7, 8, 9, 2, 7}, copied[] = {7, 8, 9};
    const int seen[] = {6, 7, 7};
    const float qk[3][7] = {
        {0, 1, 5, 2, 3, 4, 99}, // 7 itself, in the needle; what is not yet in sight does not count
        {0, 1, 2, 9, 3, 4, 5},  // 8
        {0, 9, 2, 3, 4, 5, 6},  // a 9, but not the needle's
    };
    (void)state;
    assert_int_equal(measure_copies(&qk[0][0], 7, 3, seen, ids, 2, 5, copied), 2);
    // The needle's last token, but 8 is written.
    const float wrong[1][7] = {{0, 1, 2, 3, 9, 4, 5}};
    assert_int_equal(measure_copies(&wrong[0][0], 7, 1, &seen[1], ids, 2, 5, &copied[1]), 0);
    assert_int_equal(measure_copies(&wrong[0][0], 7, 1, &seen[1], ids, 2, 5, &copied[2]), 1);
}

static void the_rank_is_that_of_the_needles_best_block(void **state)
{
    const float z[] = {3, 1, 4, 1, 5};
    (void)state;
    assert_int_equal(measure_rank(z, 5, 4, 5), 1);
    assert_int_equal(measure_rank(z, 5, 0, 1), 3);
    assert_int_equal(measure_rank(z, 5, 1, 3), 2); // 1 and 4: the 4
    assert_int_equal(measure_rank(z, 5, 1, 2), 4); // equal ones share the better rank
}

static void heads_half_as_good_as_the_best_are_chosen(void **state)
{
    // others - rank: 2.5, 2, 1.8, then 1.1, which is less than half, 0.5
    struct calibrate_head r[] = {
        {.layer = 3, .head = 1, .rank = 1.9, .others = 3},
        {.layer = 0, .head = 0, .rank = 3, .others = 3.5},
        {.layer = 1, .head = 2, .rank = 0.5, .others = 3},
        {.layer = 2, .head = 3, .rank = 1.2, .others = 3},
        {.layer = 4, .head = 0, .rank = 0.8, .others = 2.8},
    };
    (void)state;
    assert_int_equal(calibrate_choose(r, 5), 3);
    assert_int_equal(r[0].layer, 1);
    assert_int_equal(r[1].head, 0);
    assert_int_equal(r[2].head, 3);
    assert_true(r[0].weight == 1);
    assert_true(r[2].weight > 0.51 && r[2].weight < 0.53); // (1.8 / 2.5)^2
    assert_true(r[3].weight == 0 && r[4].weight == 0);
    // The second and third in one layer: the better of them stands for it.
    r[2].layer = r[1].layer = 2;
    assert_int_equal(calibrate_choose(r, 5), 2);
    assert_int_equal(r[1].head, 0);
    assert_true(r[1].weight > 0.63 && r[1].weight < 0.65); // (2 / 2.5)^2
    assert_true(r[2].weight == 0);
}

static void heads_that_prefer_needles_whatever_is_asked_are_not_chosen(void **state)
{
    struct calibrate_head r[] = {{.layer = 1, .rank = 0.2, .others = 0.3},
                                 {.layer = 2, .rank = 2, .others = 2.7}};
    (void)state;
    assert_int_equal(calibrate_choose(r, 2), 0);
    assert_true(r[0].weight == 0 && r[1].weight == 0);
}

static void stored_blocks_are_read_unless_another_way_is_clearly_better(void **state)
{
    (void)state;
    assert_int_equal(calibrate_read((int[]){0, 12, 13, 13, 13, 13}, 24), READ_CACHED);
    assert_int_equal(calibrate_read((int[]){0, 12, 13, 14, 13, 13}, 24), READ_BOTH);
    assert_int_equal(calibrate_read((int[]){0, 12, 15, 14, 14, 13}, 24), READ_FRESH);
    assert_int_equal(calibrate_read((int[]){0, 12, 15, 14, 15, 14}, 24), READ_SENTENCES);
    assert_int_equal(calibrate_read((int[]){0, 12, 15, 14, 15, 15}, 24), READ_CACHED_SENTENCES);
    assert_int_equal(calibrate_read((int[]){0, 0, 0, 0, 0, 0}, 0), READ_CACHED);
}

// By what is read of stored keys and values: what is read as text counts once, for nothing.
static void the_least_sharpening_that_answers_most(void **state)
{
    (void)state;
    assert_int_equal(calibrate_sharpen((const int[SHARPENS][N_READ_MODES]){{0}}), 0);
    assert_int_equal(
        calibrate_sharpen((const int[SHARPENS][N_READ_MODES]){
            {0, 3, 24, 3, 24, 3}, {0, 3, 0, 4, 0, 5}, {0, 4, 0, 4, 0, 4}, {0, 5, 0, 3, 0, 3}}),
        1);
}

static void the_usual_division_stays_unless_another_is_clearly_better(void **state)
{
    // 0.8, 0.85, 0.9, 0.95 by 0.05, 0.1, 0.3; the usual one is 0.9, 0.1
    double rank[SPAN_THETAS][SPAN_PHIS] = {{2, 2, 2}, {2, 2, 2}, {2, 1.5, 2}, {2, 2, 1.36}};
    int theta, phi;
    (void)state;
    calibrate_division(rank, &theta, &phi);
    assert_true(span_thetas[theta] == 0.9 && span_phis[phi] == 0.1);
    rank[3][2] = 1.34;
    calibrate_division(rank, &theta, &phi);
    assert_true(span_thetas[theta] == 0.95 && span_phis[phi] == 0.3);
    rank[0][0] = 0.7;
    calibrate_division(rank, &theta, &phi);
    assert_true(span_thetas[theta] == 0.8 && span_phis[phi] == 0.05);
}

static void lambda_is_the_smallest_that_is_short_enough(void **state)
{
    // 10 exp(-lambda / 2): 6.07 at 1 makes 7 vectors, 3.68 at 2 makes 4, 1.05 at 4.5 makes 2, 0.93
    // at 4.75 makes 1. The other span attends to itself alone: all of its 4 tokens stand for it,
    // whatever lambda.
    const double length[] = {10, 4}, ratio[] = {0.5, 1};
    (void)state;
    assert_true(calibrate_lambda(length, ratio, 2, 11) == 1);
    assert_true(calibrate_lambda(length, ratio, 2, 8) == 2);
    assert_true(calibrate_lambda(length, ratio, 2, 6) == 3.25); // 1.97
    assert_true(calibrate_lambda(length, ratio, 2, 5) == 4.75);
    assert_true(calibrate_lambda(length, ratio, 2, 4) == 0); // none is
}

// The half that loses less has the coarsest step; four times the usual loss and a power of a half
// are half the step.
static void steps_follow_what_is_lost(void **state)
{
    const double loss[] = {1, 4, 0.5, 0, 2, 1e6, -1e-9};
    float steps[7];
    struct err e;
    (void)state;
    assert_int_equal(calibrate_steps(loss, 7, 0.5, steps, &e), 0); // the middle one is 1
    assert_true(steps[0] == 1 && steps[2] == 1 && steps[3] == 1 && steps[6] == 1);
    assert_true(fabsf(steps[1] - 0.5f) < 1e-6f && fabsf(steps[4] - sqrtf(0.5f)) < 1e-6f &&
                steps[5] == 0.1f);
    const double nothing[] = {0, 0};
    assert_int_equal(calibrate_steps(nothing, 2, 0.5, steps, &e), 0);
    assert_true(steps[0] == 1 && steps[1] == 1);
}

static void haystacks_hold_their_needles(void **state)
{
    struct haystack h, again;
    struct err e;
    (void)state;
    struct haystack_options o = {.seed = 5, .bytes = 6000, .needles = 8};
    assert_int_equal(haystack_make(&h, &o, &e), 0);
    assert_int_equal(haystack_make(&again, &o, &e), 0);
    assert_string_equal(h.text, again.text);
    haystack_done(&again);
    assert_int_equal(h.n, 8);
    assert_null(strchr(h.text, '%'));
    for (int i = 0; i < h.n; i++) {
        const struct needle *v = &h.v[i];
        assert_true(v->from < v->value && v->value < v->to && v->to < h.bytes * 95 / 100);
        assert_true(!i || h.v[i - 1].to < v->from);
        assert_memory_equal(h.text + v->from, v->prefix, v->value - v->from);
        assert_int_equal(h.text[v->value], ' ');
        assert_int_equal(h.text[v->to], '.');
        assert_null(strchr(v->question, '%'));
        assert_string_not_equal(v->question, v->paraphrase);
        for (int j = 0; j < i; j++)
            assert_string_not_equal(v->paraphrase, h.v[j].paraphrase);
    }
    haystack_done(&h);
    o.seed = 6;
    assert_int_equal(haystack_make(&again, &o, &e), 0);
    assert_true(again.n == 8);
    haystack_done(&again);
    o.filler = "One sentence. Another one, without any end at all";
    o.bytes = strlen(o.filler);
    o.needles = 1;
    assert_int_equal(haystack_make(&h, &o, &e), 0);
    assert_memory_equal(h.text, "One sentence. ", 14);
    assert_true(h.bytes == o.bytes + h.v[0].to - h.v[0].from + 2);
    haystack_done(&h);
    o.needles = HAYSTACK_NEEDLES + 1;
    assert_int_equal(haystack_make(&h, &o, &e), ERR_USAGE);
}

// A random model has no retrieval heads, and the profile says so; the same bytes come every time.
static void calibration_is_deterministic(void **state)
{
    struct device *d;
    struct model *m;
    struct err e = {0};
    struct calibrate_result r;
    char *a, *b;
    size_t n, k;
    (void)state;
    assert_int_equal(tiny_model_write(in_dir("tiny.gguf"), &(struct tiny_options){0}, &e), 0);
    assert_int_equal(
        device_open(&d, &(struct device_options){.name = "cpu", .threads = 1}, NULL, 0, &e), 0);
    assert_int_equal(model_open(&m, in_dir("tiny.gguf"), d, &e), 0);
    assert_null(model_info(m)->profile);
    struct calibrate_options o = {.tokens = 1500, .seed = 3};
    assert_int_equal(calibrate(m, in_dir("a.ini"), &o, &r, &e), 0);
    assert_int_equal(r.n, 8);
    assert_int_equal(r.chosen, 0);
    assert_int_equal(r.questions, 16); // one text was enough
    assert_true(r.copyable > 50 && r.copied < r.copyable / 10);
    double rank = r.v[0].rank;
    assert_true(rank > 0);
    assert_int_equal(r.n_layers, 2);
    for (int l = 0; l < 2; l++) // of a random model: nobody decides anything
        assert_true(r.layers[l].entropy > 0.9 && r.layers[l].entropy <= 1 &&
                    r.layers[l].theta == 0);
    calibrate_result_done(&r);
    assert_int_equal(calibrate(m, in_dir("b.ini"), &o, &r, &e), 0);
    assert_true(r.v[0].rank == rank);
    calibrate_result_done(&r);
    assert_int_equal(file_slurp(in_dir("a.ini"), 1 << 16, &a, &n, &e), 0);
    assert_int_equal(file_slurp(in_dir("b.ini"), 1 << 16, &b, &k, &e), 0);
    assert_string_equal(a, b);
    free(a);
    free(b);
    assert_int_equal(model_use_profile(m, in_dir("a.ini"), &e), 0);
    assert_string_equal(model_info(m)->profile, "tiny random");
    assert_int_equal(model_info(m)->profile_heads, 0);
    // Too little text to hide anything in; and a stop.
    put("text", "Short.");
    o.text = in_dir("text");
    assert_int_equal(calibrate(m, in_dir("c.ini"), &o, &r, &e), ERR_FORMAT);
    assert_non_null(strstr(e.msg, "too few"));
    sig_atomic_t stop = 1;
    o = (struct calibrate_options){.stop = &stop};
    assert_int_equal(calibrate(m, in_dir("c.ini"), &o, &r, &e), ERR_INTERRUPTED);
    assert_int_not_equal(access(in_dir("c.ini"), F_OK), 0);
    // What others have put in its place since stays.
    struct file_seen was;
    file_see(&was, in_dir("c.ini"));
    put("c.ini", "not mine");
    o = (struct calibrate_options){.tokens = 1500, .documents = 1, .was = &was};
    assert_int_equal(calibrate(m, in_dir("c.ini"), &o, &r, &e), ERR_IO);
    assert_non_null(strstr(e.msg, "meanwhile"));
    assert_int_equal(file_slurp(in_dir("c.ini"), 1 << 16, &a, &n, &e), 0);
    assert_string_equal(a, "not mine");
    free(a);
    model_close(m);
    device_close(d);
}

// ------------------------------------------------------------------------------ profiles as files

#define SHAPE                                                                                      \
    "[profile]\nname = x\narch = llama\nlayers = 30\nheads = 9\nkv_heads = 3\nembedding = 576\n"

static int n_threads(void)
{
    int n = 0;
    DIR *dir = opendir("/proc/self/task");
    for (struct dirent *at; dir && (at = readdir(dir));)
        n += *at->d_name != '.';
    if (dir)
        closedir(dir);
    return n;
}

// Time is up once the steps of all of the tiny model's two layers are known.
static void stop_after_steps(void *arg, const struct calibrate_progress *p)
{
    struct calibrate_options *o = arg;
    assert_int_equal(p->total, 2 * (3 + 2));
    assert_int_equal(n_threads(), 1); // as many as the device was given
    if (p->done == 2 * 3 + 2)
        o->seconds = 1e-9;
}

static void steps_are_kept_when_time_is_up(void **state)
{
    struct device *d;
    struct model *m;
    struct err e = {0};
    struct calibrate_result all, some;
    struct calibrate_options o = {.tokens = 1500, .seed = 3};
    (void)state;
    assert_int_equal(tiny_model_write(in_dir("tiny.gguf"), &(struct tiny_options){0}, &e), 0);
    assert_int_equal(
        device_open(&d, &(struct device_options){.name = "cpu", .threads = 1}, NULL, 0, &e), 0);
    assert_int_equal(model_open(&m, in_dir("tiny.gguf"), d, &e), 0);
    assert_int_equal(calibrate(m, in_dir("a.ini"), &o, &all, &e), 0);
    o.progress = stop_after_steps;
    o.arg = &o;
    assert_int_equal(calibrate(m, in_dir("b.ini"), &o, &some, &e), 0);
    assert_true(all.storing.alike > 0 && some.storing.alike == all.storing.alike);
    assert_true(some.storing.best == all.storing.best && !some.storing.steps == !all.storing.steps);
    assert_true(all.storing.without > 0 && some.storing.without == 0); // no heads were tried
    for (int i = 0; i < 2 * model_info(m)->n_kv_heads; i++)
        assert_int_equal(some.storing.near[i], 0);
    calibrate_result_done(&all);
    calibrate_result_done(&some);
    model_close(m);
    device_close(d);
}

// Of one's own text, whose beginning the needles are hidden in. Its bytes may be enough and its
// tokens too few: runs of a character are one token. The tiny model has no such tokens.
static void text_of_ones_own_needs_tokens(void **state)
{
    struct device *d;
    struct model *m;
    struct measure *b;
    struct store *t;
    struct err e = {0};
    struct calibrate_result r;
    char path[REAL_MODEL_PATH], text[4801] = "";
    (void)state;
    memset(text, '=', sizeof text - 1);
    put("text", text);
    struct calibrate_options o = {.text = in_dir("text"), .documents = 1, .tokens = 1500};
    assert_int_equal(tiny_model_write(in_dir("tiny.gguf"), &(struct tiny_options){0}, &e), 0);
    assert_int_equal(
        device_open(&d, &(struct device_options){.name = "cpu", .threads = 1}, NULL, 0, &e), 0);
    assert_int_equal(model_open(&m, in_dir("tiny.gguf"), d, &e), 0);
    assert_int_equal(calibrate(m, in_dir("a.ini"), &o, &r, &e), 0);
    assert_true(r.storing.alike > 0);
    calibrate_result_done(&r);
    model_close(m);
    if (real_model_find(path)) {
        assert_int_equal(model_open(&m, path, d, &e), 0);
        assert_int_equal(measure_new(&b, m, &o, &e), 0);
        assert_int_equal(store_new(&t, b, 0, &e), ERR_FORMAT);
        assert_null(t);
        assert_non_null(strstr(e.msg, "/text: too little text: "));
        measure_free(b);
        model_close(m);
    }
    device_close(d);
}

static void a_profile_says_what_its_file_says(void **state)
{
    struct heads *h;
    struct err e;
    (void)state;
    put("p.ini", "; a remark\n" SHAPE "distance = 1024\nread = both\nanswer_sentences = 2\ncopy = "
                 "0.75\nquote = 0.5\nmin_score = 0.0625\nmodel = 00ff\nphi = 0.2\n"
                 "[heads]\n 18.6 = 1 ; the best\n15.6 = 0.5\n[layer 15]\ntheta = 0.92\nlambda = 5\n"
                 "[layer 3]\nvalues = 0.25\nkeys = 2\n[layer 4]\nkeys = 3 0.5  1\n[layer "
                 "29]\nentropy = 0.75\n");
    if (profile_read(&h, in_dir("p.ini"), &e))
        fail_msg("%s", e.msg);
    assert_string_equal(h->name, "x");
    assert_int_equal(h->read, READ_BOTH);
    assert_int_equal(h->answer_sentences, 2);
    assert_true(h->copy == 0.75f && h->quote == 0.5f && h->min_score == 0.0625f);
    assert_int_equal(h->model, 0xff);
    assert_int_equal(h->n, 2);
    assert_int_equal(h->v[0].layer, 18);
    assert_int_equal(h->v[1].head, 6);
    assert_true(h->v[1].weight == 0.5f);
    struct heads_spans s = heads_spans(h, 15);
    assert_true(s.theta == 0.92f && s.phi == 0.2f && s.lambda == 5);
    s = heads_spans(h, 18);
    assert_true(s.theta == 0 && s.phi == 0.2f && s.lambda == 0);
    assert_true(heads_spans(h, 0).lambda == 20); // an early layer
    float steps[60][3], same[60][3];
    static const float own[3][3] = {
        {2, 2, 2}, {0.25f, 0.25f, 0.25f}, {3, 0.5f, 1}}; // keys of 3, values of 3, keys of 4
    heads_steps(h, 30, 3, steps[0]);
    for (int i = 0; i < 180; i++)
        assert_true(steps[i / 3][i % 3] == (i / 3 >= 6 && i / 3 < 9 ? own[i / 3 - 6][i % 3] : 1));
    // What is written says the same.
    assert_int_equal(profile_write(in_dir("q.ini"), NULL, h, NULL, NULL, &e), 0);
    struct heads *again;
    if (profile_read(&again, in_dir("q.ini"), &e))
        fail_msg("%s", e.msg);
    heads_steps(again, 30, 3, same[0]);
    assert_memory_equal(steps, same, sizeof steps);
    for (int l = 0; l < 30; l++)
        assert_true(h->entropy[l] == (l == 29 ? 0.75f : 0) && again->entropy[l] == h->entropy[l]);
    uint64_t a, b;
    assert_int_equal(heads_digest(h, &a, &e), 0);
    assert_int_equal(heads_digest(again, &b, &e), 0);
    assert_true(a == b);
    assert_int_equal(again->n, 2);
    assert_true(again->model == h->model && again->read == h->read &&
                again->distance == h->distance && again->answer_sentences == 2 &&
                again->copy == h->copy && again->quote == h->quote &&
                again->min_score == h->min_score);
    profile_free(again);
    profile_free(h);
}

// A line has less room than they need, written with all their digits.
static void a_layer_of_many_kv_heads_is_read_as_written(void **state)
{
    enum { HEADS = 64, LAYERS = 2 };
    float steps[LAYERS * 2 * HEADS];
    uint8_t near[LAYERS * HEADS];
    struct heads *again, h = {.name = "x",
                              .arch = "llama",
                              .n_layers = LAYERS,
                              .n_heads = HEADS,
                              .n_kv_heads = HEADS,
                              .n_embd = 4096,
                              .distance = 1024,
                              .steps = steps,
                              .near = near};
    struct err e;
    (void)state;
    for (int i = 0; i < LAYERS * 2 * HEADS; i++)
        steps[i] = i < HEADS ? 0.5f : 1.23457e-05f * (float)(1 + i % HEADS);
    memset(near, 1, sizeof near);
    assert_int_equal(profile_write(in_dir("q.ini"), NULL, &h, NULL, NULL, &e), 0);
    if (profile_read(&again, in_dir("q.ini"), &e))
        fail_msg("%s", e.msg);
    for (int i = 0; i < LAYERS * 2 * HEADS; i++)
        assert_true(fabsf(again->steps[i] - steps[i]) <= 1e-5f * steps[i]);
    assert_memory_equal(again->near, near, sizeof near);
    profile_free(again);
}

static void mistakes_in_a_profile_are_told_with_their_line(void **state)
{
    static const struct {
        const char *text, *says;
    } bad[] = {
        {"name = x\n", ":1: a key before the first [section]"},
        {"[profil]\nname = x\n", ":2: unknown section [profil]"},
        {SHAPE "color = red\n", ":8: unknown key 'color' in [profile]"},
        {SHAPE "distance = far\n", ":8: distance 'far' is not a whole number above 0"},
        {SHAPE "distance = 0\n", ":8: distance '0' is not"},
        {SHAPE "copy = 11\n", ":8: copy '11' is not above 0 and at most 10"},
        {SHAPE "quote = 0\n", ":8: quote '0' is not above 0 and at most 10"},
        {SHAPE "min_score = 1.5\n", ":8: min_score '1.5' is not above 0 and at most 1"},
        {SHAPE "read = aloud\n", ":8: read 'aloud' is not one of cached, fresh, both"},
        {SHAPE "theta = 1.5\n", ":8: theta '1.5' is not above 0 and at most 1"},
        {SHAPE "theta = nan\n", ":8: theta 'nan' is not"},
        {SHAPE "model = xyz\n", ":8: model 'xyz' is not hexadecimal"},
        {"[heads]\n1.1 = 1\n", ":2: layers, heads and kv_heads of [profile] have to come before"},
        {SHAPE "[heads]\n30.0 = 1\n", ":9: head 30.0: the model has 30 layers of 9 heads"},
        {SHAPE "[heads]\n1.9 = 1\n", ":9: head 1.9: the model has 30 layers of 9 heads"},
        {SHAPE "[heads]\n1 = 1\n", ":9: '1' is not LAYER.HEAD"},
        {SHAPE "[heads]\n1.-2 = 1\n", ":9: '1.-2' is not LAYER.HEAD"},
        {SHAPE "[heads]\n1.2 = 0\n", ":9: the weight '0' is not above 0"},
        {SHAPE "[heads]\n1.2 = 1\n\n1.2 = 1\n", ":11: head 1.2 is there twice"},
        {SHAPE "[heads]\n1.2 = 1\n[profile]\nlayers = 2\n", ":11: layers comes after the heads"},
        {SHAPE "[layer 30]\ntheta = 0.9\n", ":9: [layer 30]: the model has 30 layers"},
        {SHAPE "[layer 1]\nread = both\n", ":9: unknown key 'read' in [layer 1]"},
        {SHAPE "[layer 1]\nkeys = 0\n",
         ":9: keys '0' is neither a number above 0 and at most 1000 nor 3 of them"},
        {SHAPE "[layer 1]\nkeys = 1 2\n", ":9: keys '1 2' is neither"},
        {SHAPE "[layer 1]\nkeys = 1 2 3 4\n", ":9: keys '1 2 3 4' is neither"},
        {SHAPE "[layer 1]\nkeys.1 = 1 2 3\n", ":9: keys.1 '1 2 3' is not 1 to 2 numbers above 0"},
        {SHAPE "[layer 1]\nkeys.3 = 1\n", ":9: 'keys.3' is not keys.HEAD of 3 kv heads, from 0"},
        {SHAPE "[layer 1]\nkeys. = 1\n", ":9: 'keys.' is not keys.HEAD"},
        {SHAPE "[layer 1]\nkeyset = 1\n", ":9: unknown key 'keyset' in [layer 1]"},
        {SHAPE "[layer 1]\nvalues = 1 2 x\n", ":9: values '1 2 x' is neither"},
        {SHAPE "[layer 1]\nentropy = 1.01\n", ":9: entropy '1.01' is not above 0 and at most 1"},
        {SHAPE "entropy = 0.5\n", ":8: unknown key 'entropy' in [profile]"},
        {SHAPE "[layer 1]\nvalues = 1\n[profile]\nheads = 2\n",
         ":11: heads comes after the heads or a layer"},
        {SHAPE "nonsense\n", ":8: neither a [section] nor"},
        {SHAPE, ": [profile] has no distance"},
        {"[profile]\nname = x\n", ": [profile] has no arch"},
        {"[profile]\nkv_heads = 4\nheads = 9\nlayers = 3\n[heads]\n1.1 = 1\n",
         ":6: 3 layers with 9 heads over 4"},
    };
    struct heads *h;
    struct err e;
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        put("p.ini", bad[i].text);
        assert_int_equal(profile_read(&h, in_dir("p.ini"), &e), ERR_USAGE);
        assert_null(h);
        if (!strstr(e.msg, bad[i].says))
            fail_msg("'%s' does not say '%s'", e.msg, bad[i].says);
        assert_memory_equal(e.msg, own_dir(), strlen(own_dir()));
    }
    assert_int_equal(profile_read(&h, in_dir("none.ini"), &e), ERR_IO);
}

static void built_in_profiles_fit_their_models_only(void **state)
{
    const struct heads *h;
    struct err e;
    uint64_t digest, other;
    (void)state;
    for (size_t i = 0; (h = heads_at(i)); i++) {
        struct model_info f = {.path = "m",
                               .arch = h->arch,
                               .n_layers = h->n_layers,
                               .n_heads = h->n_heads,
                               .n_kv_heads = h->n_kv_heads,
                               .n_embd = h->n_embd,
                               .n_vocab = h->n_vocab,
                               .n_ctx_train = h->n_ctx_train};
        assert_ptr_equal(heads_find(&f), h);
        for (int j = 0; j < h->n; j++) {
            assert_true(h->v[j].layer < h->n_layers && h->v[j].head < h->n_heads);
            assert_true(!j || h->v[j].weight <= h->v[j - 1].weight);
        }
        assert_int_equal(heads_check(h, &f, "p", &e), 0);
        f.n_layers++;
        assert_null(heads_find(&f));
        assert_int_equal(heads_check(h, &f, "p", &e), ERR_MISMATCH);
    }
    assert_true(heads_at(0) && heads_at(1));
    // The digest is of the kv heads: another head of the same group changes nothing, one of another
    // does.
    struct head v[] = {{18, 6, 1}, {15, 6, 1}}, same[] = {{15, 7, 1}, {18, 8, 0.5f}},
                more[] = {{18, 6, 1}, {15, 5, 1}};
    struct heads x = {.n_layers = 30, .n_heads = 9, .n_kv_heads = 3, .n = 2, .v = v};
    assert_int_equal(heads_digest(&x, &digest, &e), 0);
    x.v = same;
    assert_int_equal(heads_digest(&x, &other, &e), 0);
    assert_true(digest == other);
    x.v = more;
    assert_int_equal(heads_digest(&x, &other, &e), 0);
    assert_true(digest != other);
    x.v = v;
    x.spans.theta = 0.8f;
    assert_int_equal(heads_digest(&x, &other, &e), 0);
    assert_true(digest != other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copies_are_counted_as_in_the_paper),
        cmocka_unit_test(the_rank_is_that_of_the_needles_best_block),
        cmocka_unit_test(heads_half_as_good_as_the_best_are_chosen),
        cmocka_unit_test(heads_that_prefer_needles_whatever_is_asked_are_not_chosen),
        cmocka_unit_test(stored_blocks_are_read_unless_another_way_is_clearly_better),
        cmocka_unit_test(the_least_sharpening_that_answers_most),
        cmocka_unit_test(the_usual_division_stays_unless_another_is_clearly_better),
        cmocka_unit_test(lambda_is_the_smallest_that_is_short_enough),
        cmocka_unit_test(steps_follow_what_is_lost),
        cmocka_unit_test(haystacks_hold_their_needles),
        cmocka_unit_test(calibration_is_deterministic),
        cmocka_unit_test(steps_are_kept_when_time_is_up),
        cmocka_unit_test(text_of_ones_own_needs_tokens),
        cmocka_unit_test(a_profile_says_what_its_file_says),
        cmocka_unit_test(a_layer_of_many_kv_heads_is_read_as_written),
        cmocka_unit_test(mistakes_in_a_profile_are_told_with_their_line),
        cmocka_unit_test(built_in_profiles_fit_their_models_only),
    };
    return cmocka_run_group_tests(tests, own_dir_make, own_dir_remove);
}
