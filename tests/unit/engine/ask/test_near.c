// How near the sentences of indexes are to a question, by the vectors that are stored: of the
// blocks and bytes that they fall in.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/ask/alternative.h"
#include "engine/ask/asking.h"
#include "engine/ask/focus.h"
#include "engine/ask/follow.h"
#include "engine/ask/likelihood.h"
#include "engine/ask/confidence.h"
#include "engine/ask/near.h"
#include "engine/ask/near_words.h"
#include "engine/embed/embedder.h"
#include "kernels/kernels.h"
#include "tests/unit/asking_fixture.h"
#include "tests/unit/engine_fixture.h"
#include "tests/unit/ok.h"

enum { INDEXES = 3, SENTENCES = 30 };
static const char QUESTION[] = "Which boat was under the bridge?";
static const double FAR = 2e-3; // as much as a device may round

static struct {
    struct device *d;
    struct embedder *mean, *cls;
    struct kvz *k[INDEXES];  // by mean; without vectors; by cls
    float *question, *words; // its vector by mean, and those of its n_words words
    int n_words;
} N;

static struct kvz *index_by(struct embedder *by, const char *const *in, int n, const char *out)
{
    struct encode_options o = small(in, n, out);
    o.embedder = by;
    encode_ok(o, NULL);
    return open_ok(out);
}

static int set_up(void **state)
{
    if (engine_set_up(state))
        return -1;
    OK(device_open(&N.d, &(struct device_options){.name = "cpu", .threads = 2}, NULL, 0, e));
    OK(embedder_open(&N.mean, "tests/golden/embed/mean.gguf", N.d, e));
    OK(embedder_open(&N.cls, "tests/golden/embed/cls.gguf", N.d, e));
    N.question = malloc((size_t)embedder_info(N.mean)->n_embd * sizeof *N.question);
    N.words = malloc(EMBED_TOKENS * (size_t)embedder_info(N.mean)->n_embd * sizeof *N.words);
    assert_true(N.question && N.words);
    OK(embedder_one(N.mean, QUESTION, sizeof QUESTION - 1, N.question, N.words, &N.n_words, e));
    for (int i = 0; i < 2; i++) {
        FILE *f = begin_file(i ? "carts.txt" : "boats.txt");
        for (int s = 0; s < SENTENCES; s++)
            fprintf(f,
                    i ? "Nobody brought cart %d over those %d green hills. "
                      : "The boat number %d went under %d stone bridges. ",
                    s, 7 * s);
        end_file(f);
    }
    const char *in[] = {in_dir("boats.txt"), in_dir("carts.txt")};
    N.k[0] = index_by(N.mean, in, 2, in_dir("mean.kvz"));
    N.k[1] = index_by(NULL, in, 2, in_dir("none.kvz"));
    N.k[2] = index_by(N.cls, in, 2, in_dir("cls.kvz"));
    return 0;
}

static int tear_down(void **state)
{
    for (int i = 0; i < INDEXES; i++)
        kvz_close(N.k[i]);
    embedder_close(N.mean);
    embedder_close(N.cls);
    device_close(N.d);
    free(N.question);
    free(N.words);
    return engine_tear_down(state);
}

// A question under way, of indexes K [N_K], with the embedder BY.
struct asked {
    struct asking q;
    struct ask_options o;
    struct answer a;
    struct near *near;
};

static void begin(struct asked *x, struct kvz *const *k, int n_k, struct embedder *by)
{
    *x = (struct asked){.o = {.question = QUESTION, .embedder = by}};
    x->q = (struct asking){.m = F.m, .k = k, .n_k = n_k, .o = &x->o, .a = &x->a};
    asking_begin(&x->q);
    asking_vote(&x->q);
    OK(near_new(&x->near, &x->q, e));
}

static void done(struct asked *x)
{
    near_free(x->near);
    asking_done(&x->q);
}

static double cosine(const struct kvz_sentences *s, uint64_t i)
{
    double sum = 0;
    for (uint32_t d = 0; d < s->dim; d++)
        sum += (double)s->scale[i] * s->vector[i * s->dim + d] * (double)N.question[d];
    return sum;
}

// The nearness of sentence I by its vector: its cosine, and three tenths of the better one's beside
// it.
static double as_a_whole(const struct kvz_sentences *s, uint64_t i)
{
    const uint32_t of = s->v[i].document;
    double beside = -INFINITY;
    if (i && s->v[i - 1].document == of)
        beside = cosine(s, i - 1);
    if (i + 1 < s->n && s->v[i + 1].document == of)
        beside = fmax(beside, cosine(s, i + 1));
    return (cosine(s, i) + 0.3 * beside) / 1.225;
}

// The cosine of the word of sentence I that is nearest to word Q of the question, along the basis.
static double word(const struct kvz_words *w, uint64_t i, int q)
{
    const float *x = N.words + (size_t)q * w->wide;
    double along[256], square = 0, best = 0;
    assert_in_range(w->dim, 1, 256);
    for (uint32_t d = 0; d < w->dim; d++) {
        along[d] = 0;
        for (uint32_t j = 0; j < w->wide; j++)
            along[d] += (double)w->basis[d * w->wide + j] * (double)x[j];
        square += along[d] * along[d];
    }
    for (uint64_t v = w->first[i]; v < w->first[i + 1]; v++) {
        double sum = 0;
        for (uint32_t d = 0; d < w->dim; d++)
            sum += along[d] * w->vector[v * w->dim + d] / 127;
        best = fmax(best, sum / sqrt(square));
    }
    return best;
}

// The nearness of sentence I of K: for seven tenths by its words, of which the sentences beside it
// may have some, too.
static double nearness(const struct kvz_sentences *s, const struct kvz_words *w, uint64_t i)
{
    const uint32_t of = s->v[i].document;
    double sum = 0;
    for (int q = 0; q < N.n_words; q++) {
        double beside = 0;
        if (i && s->v[i - 1].document == of)
            beside = word(w, i - 1, q);
        if (i + 1 < s->n && s->v[i + 1].document == of)
            beside = fmax(beside, word(w, i + 1, q));
        sum += fmax(word(w, i, q), 0.7 * beside);
    }
    return 0.3 * as_a_whole(s, i) + 0.7 * (0.9 * sum / N.n_words - 0.1);
}

// What near_block is to say of each block of N.k[0], whose first is GLOBAL.
static void check_blocks(const struct asked *x, int64_t global)
{
    struct kvz_sentences s;
    struct kvz_words w;
    int some = 0;
    OK(kvz_sentences(N.k[0], &s, e));
    OK(kvz_words(N.k[0], &w, e));
    for (uint64_t i = 0; i < kvz_n_blocks(N.k[0]); i++) {
        struct kvz_block b;
        double best = 0;
        uint64_t *starts;
        uint32_t token, n_tokens;
        int is_of_it = 0;
        OK(kvz_block(N.k[0], i, &b, e));
        for (uint64_t v = 0; v < s.n; v++) {
            const uint64_t middle = s.v[v].start + s.v[v].bytes / 2;
            if (s.v[v].document == b.document && middle >= b.start && middle < b.end)
                best = fmax(best, nearness(&s, &w, v));
        }
        const double near = near_block(x->near, global + (int64_t)i);
        assert_true(fabs(near - best) < FAR);
        OK(near_token(x->near, &x->q, global + (int64_t)i, &token, e));
        OK(block_token_starts(N.k[0], i, &starts, &n_tokens, e));
        const uint64_t from = b.start + starts[token],
                       to = token + 1 < n_tokens ? b.start + starts[token + 1] : b.end;
        for (uint64_t v = 0; v < s.n; v++)
            is_of_it |= s.v[v].document == b.document && s.v[v].start < to &&
                        (s.v[v].start >= from || !token) && fabs(nearness(&s, &w, v) - best) < FAR;
        free(starts);
        assert_true(best == 0 || is_of_it);
        some += best != 0;
    }
    assert_true(some > 5);
}

static void test_blocks(void **state)
{
    (void)state;
    struct asked x;
    begin(&x, N.k, 1, N.mean);
    assert_non_null(x.near);
    check_blocks(&x, 0);
    done(&x);
}

static void test_bytes(void **state)
{
    (void)state;
    struct asked x;
    struct kvz_sentences s;
    struct kvz_words w;
    begin(&x, N.k, 1, N.mean);
    OK(kvz_sentences(N.k[0], &s, e));
    OK(kvz_words(N.k[0], &w, e));
    assert_int_equal(s.n, 2 * SENTENCES);
    for (uint64_t i = 0; i < s.n; i++) {
        const struct kvz_sentence *v = &s.v[i];
        const uint64_t end = v->start + v->bytes;
        const uint32_t of = v->document;
        const double near = fmax(nearness(&s, &w, i), 0);
        // All of it; most of it; a part of it; none of it; nothing.
        assert_true(fabs(near_bytes(x.near, 0, of, v->start, end) - near) < FAR);
        assert_true(fabs(near_bytes(x.near, 0, of, v->start + 9, end) - near) < FAR);
        assert_true(fabs(near_bytes(x.near, 0, of, v->start + 9, v->start + 14) - near) < FAR);
        assert_true(near_bytes(x.near, 0, of, end, end) == 0);
        assert_true(near_bytes(x.near, 0, of + 2, v->start, end) == 0);
        // A few bytes of it in front of what is no sentence's: it shares too little.
        if (i + 1 == s.n)
            assert_true(near_bytes(x.near, 0, of, end - 4, end + 100) == 0);
        // Two sentences: the better one.
        if (i + 1 < s.n && v[1].document == of)
            assert_true(fabs(near_bytes(x.near, 0, of, v->start, v[1].start + v[1].bytes) -
                             fmax(near, nearness(&s, &w, i + 1))) < FAR);
    }
    done(&x);
}

// A sentence with none beside it is as near as its vector alone is.
static void test_only_sentence(void **state)
{
    (void)state;
    static const char text[] = "Which boat was under the bridge, and why?";
    struct asked x;
    struct kvz_sentences s;
    struct kvz_words w;
    FILE *f = begin_file("one.txt");
    fputs(text, f);
    end_file(f);
    struct kvz *k[] = {index_by(N.mean, (const char *[]){in_dir("one.txt")}, 1, in_dir("one.kvz"))};
    begin(&x, k, 1, N.mean);
    OK(kvz_sentences(k[0], &s, e));
    OK(kvz_words(k[0], &w, e));
    assert_int_equal(s.n, 1);
    assert_true(cosine(&s, 0) > 0.1);
    double words = 0;
    for (int i = 0; i < N.n_words; i++)
        words += word(&w, 0, i) / N.n_words;
    const double near = 0.3 * cosine(&s, 0) + 0.7 * (0.9 * words - 0.1);
    assert_true(fabs(near_bytes(x.near, 0, 0, 0, sizeof text - 1) - near) < FAR);
    done(&x);
    kvz_close(k[0]);
}

static void test_several_indexes(void **state)
{
    (void)state;
    struct kvz *const k[] = {N.k[1], N.k[2], N.k[0]};
    struct asked x;
    begin(&x, k, 3, N.mean);
    assert_non_null(x.near);
    const int64_t *base = x.q.votes.ballot->base;
    for (int64_t i = 0; i < base[2]; i++)
        assert_true(near_block(x.near, i) == 0);
    check_blocks(&x, base[2]);
    assert_true(near_bytes(x.near, 0, 0, 0, 100) == 0);
    assert_true(near_bytes(x.near, 1, 0, 0, 100) == 0);
    assert_true(near_bytes(x.near, 2, 0, 0, 100) != 0);
    done(&x);
}

// How many of twelve blocks with the same votes are judged for the question, by vectors or without.
static int judged(struct asked *x, struct embedder *by)
{
    begin(x, N.k, 1, by);
    x->q.how.parts.likelihood = 12;
    struct ballot *b = x->q.votes.ballot;
    for (int64_t i = 0; i < b->n_blocks; i++) {
        b->score[i] = 1;
        if (b->cover)
            b->cover[i] = 1;
    }
    OK(likelihood_rank(&x->q, e));
    return x->q.judged.n;
}

// By vectors fewer blocks are judged, and the one with the nearest sentence is among them.
static void test_judged(void **state)
{
    (void)state;
    struct asked x;
    const int without = judged(&x, NULL);
    done(&x);
    const int with = judged(&x, N.mean);
    const int64_t *order = x.q.votes.ballot->order;
    double nearest = 0, of_judged = 0;
    for (int64_t i = 0; i < x.q.votes.ballot->n_blocks; i++)
        nearest = fmax(nearest, near_block(x.near, i));
    for (int i = 0; i < with; i++)
        of_judged = fmax(of_judged, near_block(x.near, order[i]));
    assert_true(nearest > 0 && of_judged == nearest);
    done(&x);
    assert_in_range(with, 1, 5);
    assert_true(without > 5);
}

// How near the question's words are to TEXT's, the farthest above all, by what the embedder says.
static double least(const char *text)
{
    static float one[1024], words[EMBED_TOKENS * 256];
    const size_t dim = (size_t)embedder_info(N.mean)->n_embd;
    double sum = 0;
    int n;
    assert_in_range(dim, 1, 256);
    OK(embedder_one(N.mean, text, strlen(text), one, words, &n, e));
    for (size_t q = 0; q < (size_t)N.n_words; q++) {
        double best = 0;
        for (size_t t = 0; t < (size_t)n; t++) {
            double cosine = 0;
            for (size_t d = 0; d < dim; d++)
                cosine += (double)N.words[q * dim + d] * (double)words[t * dim + d];
            best = fmax(best, cosine);
        }
        sum += exp(-12 * best) / N.n_words;
    }
    return -log(sum) / 12;
}

// A text that has all words of the question is as near as can be, one that lacks a word of them is
// farther than the mean of the words tells, one without a word is not known.
static void test_least(void **state)
{
    (void)state;
    static const char *const texts[] = {QUESTION, "Which boat was under the tree?",
                                        "The boat number 3 went under 21 stone bridges.",
                                        "Nobody brought cart 4."};
    struct asked x;
    double is;
    begin(&x, N.k, 1, N.mean);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        OK(near_least(x.near, &x.q, texts[i], &is, e));
        assert_true(fabs(is - least(texts[i])) < FAR);
        assert_true(i ? is < 0.999 : fabs(is - 1) < FAR);
    }
    OK(near_least(x.near, &x.q, "...", &is, e));
    assert_true(is == NOT_KNOWN);
    done(&x);
}

// One of four words is far: the rest does not make up for it, and of all that are alike the sum is
// what each of them is.
static void test_words_least(void **state)
{
    (void)state;
    enum { N_Q = 4, DIM = 2 };
    static const float q[N_Q * DIM] = {1, 0, 1, 0, 1, 0, 0, 1},
                               same[N_Q * DIM] = {1, 0, 1, 0, 1, 0, 1, 0},
                               words[2 * DIM] = {1, 0, 0.8f, 0.6f}, against[DIM] = {-1, 0};
    const double one_far = near_words_least(q, N_Q, words, 2, DIM);
    assert_true(fabs(near_words_least(same, N_Q, words, 2, DIM) - 1) < 1e-6);
    assert_true(one_far > 0.6 && one_far < 0.75); // the mean is 0.9
    assert_true(fabs(near_words_least(q, 1, words + DIM, 1, DIM) - 0.8) < 1e-6);
    assert_true(fabs(near_words_least(q, 1, against, 1, DIM)) < 1e-6); // none is less than 0
}

// The blocks come one after the other, from the nearest on.
static void test_best(void **state)
{
    (void)state;
    struct asked x;
    begin(&x, N.k, 1, N.mean);
    double last = INFINITY, cosine;
    int n = 0;
    for (int64_t global = -1; (cosine = near_best(x.near, last, &global)) > 0; last = cosine, n++) {
        assert_true(cosine < last && near_block(x.near, global) == cosine);
        for (int64_t i = 0; i < x.q.votes.ballot->n_blocks; i++)
            assert_true(near_block(x.near, i) >= last || near_block(x.near, i) <= cosine);
    }
    assert_true(n > 1);
    done(&x);
}

// What is said behind an answer that has this share of the question's words, from a block that is
// not nearest, when so many blocks were judged, of which the nearest is none. Returns whether that
// is said, or the next one.
static int says_nearest(double said, int judged, int alternative, struct embedder *by)
{
    struct asked x;
    begin(&x, N.k, 1, by);
    x.q.near = x.near;
    x.near = NULL;
    struct ballot *b = x.q.votes.ballot;
    int64_t nearest = 0;
    if (x.q.near)
        assert_true(near_best(x.q.near, INFINITY, &nearest) > 0.3);
    for (int64_t i = 0, at = 0; i < b->n_blocks; i++)
        if (i != nearest) {
            b->order[at++] = i;
            b->score[i] = 1;
        }
    b->order[b->n_blocks - 1] = nearest;
    const int64_t far = b->order[b->n_blocks / 2]; // whose sentence is another one than the first's
    b->order[b->n_blocks / 2] = b->order[1];
    b->order[1] = far;
    OK(focus_at(&x.q, b->order[0], 0, e));
    OK(focus_at(&x.q, far, 0, e));
    x.q.judged.n = judged;
    x.q.how.doubt = 0.3f;
    x.q.how.max_tokens = 256;
    x.q.how.mode = READ_SENTENCES;
    x.o.alternative = alternative;
    x.q.judged.signs = (struct signs){.said = said, .explained = 0.2, .least = NOT_KNOWN};
    x.a.unsure = confidence_plain(&x.q.judged.signs) < 0.5;
    x.a.n_choices = 1;
    x.a.choices = calloc(1, sizeof *x.a.choices);
    x.a.text = calloc(8, 1);
    assert_true(x.a.choices && x.a.text);
    strcpy(x.a.text, "Maybe.");
    x.a.text_bytes = strlen(x.a.text);
    x.a.finish = "quoted";
    OK(alternative_say(&x.q, e));
    const int n = x.q.said.n_places, is = n > 1 + (judged > 1);
    int lines = 0;
    for (const char *p = x.a.text; (p = strstr(p, "\nor: \"")); p++)
        lines++;
    assert_int_equal(lines, n ? n - 1 : 0);
    assert_int_equal(x.a.alternative != NULL, n > 0);
    if (n) {
        assert_int_equal(x.q.said.places[0], b->order[0]);
        assert_true(!is || judged > 1 || x.q.said.places[1] == nearest);
        assert_non_null(strstr(x.a.text, x.a.alternative));
    }
    answer_done(&x.a);
    done(&x);
    return is;
}

static void test_nearest_is_said(void **state)
{
    (void)state;
    assert_true(says_nearest(0.7, 1, 0, N.mean));
    assert_false(says_nearest(0.95, 1, 0, N.mean));
    assert_false(says_nearest(0.7, 2, 0, N.mean)); // what was judged is said
    assert_true(says_nearest(0, 2, 0, N.mean));    // both are
    assert_false(says_nearest(0.7, 1, -1, N.mean));
    assert_false(says_nearest(0.7, 1, 0, NULL)); // nothing is known
}

// How many texts are judged of and behind a sentence after which the question has no chance, to
// tell whether the answer goes on in the next one, which is as near. *GOES_ON: whether.
static int judged_behind(struct kvz *k, int is_known, int *goes_on)
{
    struct asked x;
    uint64_t block;
    uint32_t token;
    find_sentence(k, "The boat under the bridge", &block, &token);
    begin(&x, &k, 1, N.mean);
    struct asking *q = &x.q;
    q->how.doubt = 1;
    q->how.mode = READ_SENTENCES;
    q->how.window = 32;
    q->how.max_tokens = 64;
    q->how.parts.likelihood = 4;
    q->how.chat = chat_find("raw");
    q->votes.ballot->score[block] = 1;
    asking_judge(q, block, token, -100);
    q->near = is_known ? x.near : NULL;
    OK(follow_on(q, e));
    const int n = q->judged.judge.n;
    *goes_on = focus_goes_on(q, (int64_t)block) > 0;
    q->near = NULL;
    done(&x);
    return n;
}

static void test_next_is_not_judged(void **state)
{
    (void)state;
    int goes_on;
    FILE *f = begin_file("dusk.txt");
    fputs("The boat under the bridge was seen at dusk. All of its crew slept below until noon.\n",
          f);
    end_file(f);
    struct kvz *k = index_by(N.mean, (const char *[]){in_dir("dusk.txt")}, 1, in_dir("dusk.kvz"));
    assert_int_equal(judged_behind(k, 1, &goes_on), 1);
    assert_true(goes_on);
    assert_int_equal(judged_behind(k, 0, &goes_on), 2);
    kvz_close(k);
}

// Of the vectors of two stretches the largest cosine of a sentence in the one and one in the other.
static void test_alike(void **state)
{
    (void)state;
    struct asked x;
    struct kvz_sentences s;
    begin(&x, N.k, 1, N.mean);
    OK(kvz_sentences(N.k[0], &s, e));
    for (uint64_t i = 0; i + 2 < s.n; i++) {
        const struct kvz_sentence *v = &s.v[i];
        const uint64_t end = v->start + v->bytes;
        double best = 0;
        if (v[2].document != v->document)
            continue;
        for (uint64_t b = i + 1; b < i + 3; b++) {
            double sum = 0;
            for (uint32_t d = 0; d < s.dim; d++)
                sum += (double)s.scale[i] * s.vector[i * s.dim + d] * (double)s.scale[b] *
                       s.vector[b * s.dim + d];
            best = fmax(best, sum);
            const uint64_t last = s.v[b].start + s.v[b].bytes;
            assert_true(fabs(near_alike(x.near, 0, v->document, v->start, end, last) - best) < FAR);
        }
        assert_true(near_alike(x.near, 0, v->document, v->start, end, end) == 0);
        assert_true(near_alike(x.near, 0, v->document + 2, v->start, end, end + 99) == 0);
    }
    done(&x);
}

static void test_nothing_known(void **state)
{
    (void)state;
    struct asked x;
    begin(&x, N.k, 3, NULL);
    assert_null(x.near);
    done(&x);
    begin(&x, N.k + 1, 2, N.mean); // none has vectors by it
    assert_null(x.near);
    done(&x);
    near_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_blocks),          cmocka_unit_test(test_bytes),
        cmocka_unit_test(test_only_sentence),   cmocka_unit_test(test_several_indexes),
        cmocka_unit_test(test_judged),          cmocka_unit_test(test_least),
        cmocka_unit_test(test_words_least),     cmocka_unit_test(test_best),
        cmocka_unit_test(test_nearest_is_said), cmocka_unit_test(test_nothing_known),
        cmocka_unit_test(test_alike),           cmocka_unit_test(test_next_is_not_judged),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
