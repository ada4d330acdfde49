// What each layer, and each kv head of a layer, chooses for itself: counted by hand from the votes.
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
#include "io/file.h"
#include "tests/unit/engine_fixture.h"
#include "tests/unit/ok.h"

enum { LAYERS = 3, HEADS = 4, KV = 2, BLOCK = 16, BLOCKS_MAX = 256 };

static struct kvz *index_of_kt(void)
{
    static struct kvz *k;
    if (!k) {
        const char *in[] = {in_dir("b.txt")};
        struct encode_options o = small(in, 1, in_dir("kt.kvz"));
        o.method = "kt";
        encode_ok(o, NULL);
        k = open_ok(in_dir("kt.kvz"));
    }
    return k;
}

static const struct ask_options LAYER = {.question = "Who carried the boat?",
                                         .dense = -1,
                                         .window = -1,
                                         .n_evidence = -1,
                                         .max_tokens = 8};

static struct answer asked(struct ask_options o)
{
    struct kvz *k = index_of_kt();
    struct answer a;
    OK(ask(F.m, &k, 1, &o, &a, e));
    return a;
}

// The z-scores of every head for every block: Z [n_blocks][LAYERS][HEADS].
static int all_votes(struct ask_options o, double (*z)[LAYERS][HEADS])
{
    struct kvz *k = index_of_kt();
    struct answer a;
    o.allot = "all";
    OK(ask_choose(F.m, &k, 1, &o, &a, e));
    int n = a.n_choices;
    assert_int_equal(n, kvz_n_blocks(k));
    assert_in_range(n, 8, BLOCKS_MAX);
    for (int i = 0; i < n; i++)
        for (int v = 0; v < a.choices[i].n_votes; v++)
            z[a.choices[i].block][a.choices[i].votes[v].layer][a.choices[i].votes[v].head] =
                a.choices[i].votes[v].score;
    answer_done(&a);
    return n;
}

static int is_sink(int block)
{
    struct kvz_block b;
    OK(kvz_block(index_of_kt(), (uint64_t)block, &b, e));
    return (b.flags & KVZ_SINK) != 0;
}

// Sets WANT for the N_BEST blocks for which heads FROM .. TO - 1 of LAYER vote most, of those that
// AMONG has (NULL: all but the sinks).
static void best(double (*z)[LAYERS][HEADS], int n, int layer, int from, int to, int n_best,
                 const int *among, int *want)
{
    int done[BLOCKS_MAX] = {0};
    while (n_best--) {
        int top = -1;
        double most = 0;
        for (int b = 0; b < n; b++) {
            double sum = 0;
            for (int h = from; h < to; h++)
                sum += z[b][layer][h];
            if (!done[b] && (among ? among[b] : !is_sink(b)) && (top < 0 || sum > most)) {
                top = b;
                most = sum;
            }
        }
        assert_true(top >= 0);
        done[top] = want[top] = 1;
    }
}

static void chosen_are(const struct answer *a, const int *want, int n)
{
    int count = 0;
    for (int b = 0; b < n; b++)
        count += want[b];
    assert_int_equal(a->n_choices, count);
    for (int i = 0; i < a->n_choices; i++)
        assert_true(want[a->choices[i].block]);
}

static void test_shared_and_separate(void **state)
{
    (void)state;
    static double z[BLOCKS_MAX][LAYERS][HEADS];
    int n = all_votes(LAYER, z), shared[BLOCKS_MAX] = {0}, separate[BLOCKS_MAX] = {0};
    struct ask_options o = LAYER;
    o.budget = 2 * BLOCK;
    for (int l = 0; l < LAYERS; l++) {
        best(z, n, l, 0, HEADS, 2, NULL, shared);
        best(z, n, l, 0, HEADS / KV, 2, NULL, separate);
        best(z, n, l, HEADS / KV, HEADS, 2, NULL, separate);
    }
    struct answer a = asked(o);
    chosen_are(&a, shared, n);
    o.share = "separate";
    struct answer b = asked(o);
    chosen_are(&b, separate, n);
    assert_int_not_equal(a.n_choices, b.n_choices);
    assert_int_equal(a.read_tokens, b.read_tokens);
    answer_done(&a);
    answer_done(&b);
    // Where all is read there is nothing to be chosen.
    o.budget = 1 << 16;
    b = asked(o);
    o.share = "shared";
    a = asked(o);
    assert_string_equal(a.text, b.text);
    assert_int_equal(a.read_tokens, b.read_tokens);
    answer_done(&a);
    answer_done(&b);
}

static void test_separate_rows(void **state)
{
    (void)state;
    struct kvz *k = index_of_kt();
    struct place at[KV][2] = {{{k, 5, 0}, {k, 9, 1}}, {{k, 7, 0}, {k, 8, 1}}};
    struct places p[KV] = {{at[0], 2, 2 * BLOCK}, {at[1], 2, 2 * BLOCK}};
    struct stream *s;
    int dim = model_info(F.m)->head_dim;
    size_t rows = (size_t)(KV * BLOCK * dim);
    float *kv = calloc(2 * rows, sizeof *kv);
    OK(read_open(&s, F.m, k, &(struct sight){.far = 64, .room = 4}, e));
    OK(read_far_heads(s, 1, p, e));
    assert_int_equal(s->layers[1].n_far, 2 * BLOCK);
    for (int h = 0; h < KV; h++)
        for (int i = 0; i < 2; i++) {
            size_t from = (size_t)(h * BLOCK * dim),
                   to = (size_t)(h * 64 + i * BLOCK) * (size_t)dim;
            OK(kvz_read_kv(k, at[h][i].block, 1, kv, kv + rows, BLOCK, e));
            assert_memory_equal(s->layers[1].far_k + to, kv + from,
                                (size_t)(BLOCK * dim) * sizeof *kv);
            assert_memory_equal(s->layers[1].far_v + to, kv + rows + from,
                                (size_t)(BLOCK * dim) * sizeof *kv);
        }
    p[1].n = 1; // as many as the head with fewest
    p[1].tokens = BLOCK;
    OK(read_far_heads(s, 1, p, e));
    assert_int_equal(s->layers[1].n_far, BLOCK);
    stream_free(s);
    free(kv);
}

static void test_preselect(void **state)
{
    (void)state;
    static double snap[BLOCKS_MAX][LAYERS][HEADS], z[BLOCKS_MAX][LAYERS][HEADS];
    struct ask_options pool = LAYER, o = LAYER;
    pool.select = "exact";
    pool.reduce = "pool";
    pool.probe = "tokens";
    int all[BLOCKS_MAX], want[BLOCKS_MAX] = {0}, n = all_votes(LAYER, z);
    all_votes(pool, snap);
    for (int b = 0; b < n; b++)
        all[b] = 1;
    o.preselect = 9;
    o.blocks = 2;
    for (int l = 0; l < LAYERS; l++) {
        int among[BLOCKS_MAX] = {0};
        best(snap, n, l, 0, HEADS, 9, all, among);
        for (int b = 0; b < n; b++)
            among[b] = among[b] && !is_sink(b);
        best(z, n, l, 0, HEADS, 2, among, want);
    }
    struct answer a = asked(o);
    chosen_are(&a, want, n);
    answer_done(&a);
    // From all of them it is as without.
    o.preselect = n;
    a = asked(o);
    o.preselect = 0;
    o.blocks = 0;
    o.budget = 2 * BLOCK;
    struct answer b = asked(o);
    assert_string_equal(a.text, b.text);
    assert_int_equal(a.n_choices, b.n_choices);
    answer_done(&a);
    answer_done(&b);
}

static int n_chosen(struct ask_options o, char *text, size_t cap)
{
    struct answer a = asked(o);
    int n = a.n_choices, last = -1;
    snprintf(text, cap, "%s|%d", a.text, a.answer_tokens);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            assert_int_not_equal(a.choices[i].block, a.choices[j].block);
    for (int i = 0; i < a.n_evidence; i++) {
        int read = 0;
        for (int j = 0; j < n; j++)
            read |= a.choices[j].block == a.evidence[i].block;
        assert_int_equal(a.evidence[i].was_read, read);
        last = i;
    }
    assert_true(o.n_evidence < 0 || last >= 0);
    answer_done(&a);
    return n;
}

static void test_token_step(void **state)
{
    (void)state;
    static const char *const shares[] = {"shared", "separate"};
    for (int i = 0; i < 2; i++) {
        char once[512], other[512], again[512];
        struct ask_options o = LAYER;
        o.share = shares[i];
        o.budget = 2 * BLOCK;
        o.n_evidence = 64;
        int first = n_chosen(o, once, sizeof once);
        o.token_step = 64; // there are not so many tokens
        assert_int_equal(n_chosen(o, other, sizeof other), first);
        assert_string_equal(once, other);
        o.token_step = 1;
        int more = n_chosen(o, other, sizeof other);
        assert_true(more > first);
        o.token_step = 4; // seven tokens are run after the first: one of them chooses
        int some = n_chosen(o, again, sizeof again);
        assert_in_range(some, first, more);
        o.token_step = 1; // whatever was asked before
        assert_int_equal(n_chosen(o, again, sizeof again), more);
        assert_string_equal(other, again);
        o.budget = 1 << 16; // where all is read there is nothing to be chosen
        n_chosen(o, other, sizeof other);
        o.token_step = 0;
        n_chosen(o, again, sizeof again);
        assert_string_equal(other, again);
    }
}

// ActQKV: a layer's part of the budget is its entropy's of all that are left, those of the later
// layers as the profile says. Where these hardly count, the first layer reads nearly all.
static void test_usual_entropies(void **state)
{
    (void)state;
    static const char *const later[] = {
        "", "[layer 1]\nentropy = 0.0001\n[layer 2]\nentropy = 0.0001\n"};
    const char *in[] = {in_dir("b.txt")};
    const struct model_info *f = model_info(F.m);
    struct encode_options o = small(in, 1, in_dir("actqkv.kvz"));
    int far[2];
    o.method = "actqkv";
    encode_ok(o, NULL);
    struct kvz *k = open_ok(in_dir("actqkv.kvz"));
    for (int i = 0; i < 2; i++) {
        char text[512], *path = in_dir("entropy.ini");
        struct ask_options ask_it = {.question = "Who carried the boat?",
                                     .budget = 3 * BLOCK,
                                     .window = -1,
                                     .max_tokens = 2};
        struct answer a, none;
        snprintf(text, sizeof text,
                 "[profile]\nname = x\narch = %s\nlayers = %d\nheads = %d\nkv_heads = "
                 "%d\nembedding = %d\n"
                 "distance = 64\n[heads]\n1.0 = 1\n%s",
                 f->arch, f->n_layers, f->n_heads, f->n_kv_heads, f->n_embd, later[i]);
        OK(file_replace(NULL, path, text, strlen(text), e));
        OK(model_use_profile(F.m, path, e));
        OK(ask(F.m, &k, 1, &ask_it, &a, e));
        ask_it.method = "streaming";
        OK(ask(F.m, &k, 1, &ask_it, &none, e));
        far[i] = a.read_tokens - none.read_tokens;
        answer_done(&a);
        answer_done(&none);
    }
    kvz_close(k);
    assert_in_range(far[0], 2 * BLOCK, 6 * BLOCK);     // about a third of 9 blocks
    assert_in_range(far[1], 8 * BLOCK, 9 * BLOCK - 1); // all but a trace
}

// A profile says how chosen blocks are read; where none is chosen, or all are, it is the stored
// ones that are in sight.
static void test_profile_reads_what_is_chosen(void **state)
{
    (void)state;
    const char *in[] = {in_dir("b.txt")};
    const struct model_info *f = model_info(F.m);
    char text[512], *path = in_dir("read.ini");
    snprintf(
        text, sizeof text,
        "[profile]\nname = x\narch = %s\nlayers = %d\nheads = %d\nkv_heads = %d\nembedding = %d\n"
        "distance = 64\nread = sentences\n[heads]\n1.0 = 1\n",
        f->arch, f->n_layers, f->n_heads, f->n_kv_heads, f->n_embd);
    OK(file_replace(NULL, path, text, strlen(text), e));
    OK(model_use_profile(F.m, path, e));
    encode_ok(small(in, 1, in_dir("read.kvz")), NULL);
    struct kvz *k = open_ok(in_dir("read.kvz"));
    static const char *const methods[] = {"votes", "streaming", "full"};
    int tokens[3];
    for (int i = 0; i < 3; i++) {
        struct answer a;
        OK(ask(F.m, &k, 1,
               &(struct ask_options){
                   .question = "boat", .method = methods[i], .window = 32, .max_tokens = 1},
               &a, e));
        tokens[i] = a.read_tokens;
        answer_done(&a);
    }
    assert_in_range(tokens[0], 1, 512);
    uint64_t tail;
    int sight = 0;
    OK(read_tail_first(k, 32, &tail, e));
    for (uint64_t i = 0; i < kvz_n_blocks(k); i++) {
        struct kvz_block b;
        OK(kvz_block(k, i, &b, e));
        sight += (b.flags & KVZ_SINK) || i >= tail ? (int)b.n_tokens : 0;
    }
    assert_true(sight > 32);
    assert_int_equal(tokens[1], sight);
    assert_int_equal(tokens[2], kvz_n_tokens(k));
    kvz_close(k);
}

static void test_what_does_not_go_together(void **state)
{
    (void)state;
    static const struct {
        struct ask_options o;
        const char *says;
    } wrong[] = {{{.share = "separate", .scope = "question"}, "--scope layer"},
                 {{.token_step = 1, .scope = "question"}, "--scope layer"},
                 {{.share = "separate", .read = READ_FRESH}, "stored blocks"},
                 {{.token_step = 1, .read = READ_SENTENCES}, "stored blocks"},
                 {{.share = "separate", .positions = "original"}, "--positions"},
                 {{.share = "separate", .traverse = "importance"}, "--traverse"},
                 {{.share = "apart"}, "shared, separate"}};
    struct kvz *k = index_of_kt();
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct ask_options o = wrong[i].o;
        struct answer a;
        struct err err = {0};
        o.question = "boat";
        assert_int_equal(ask(F.m, &k, 1, &o, &a, &err), ERR_USAGE);
        assert_non_null(strstr(err.msg, wrong[i].says));
    }
}

static int tear_down(void **state)
{
    kvz_close(index_of_kt());
    return engine_tear_down(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shared_and_separate),
        cmocka_unit_test(test_separate_rows),
        cmocka_unit_test(test_preselect),
        cmocka_unit_test(test_token_step),
        cmocka_unit_test(test_what_does_not_go_together),
        cmocka_unit_test(test_usual_entropies),
        cmocka_unit_test(test_profile_reads_what_is_chosen),
    };
    return cmocka_run_group_tests(tests, engine_set_up, tear_down);
}
