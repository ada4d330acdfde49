// The vectors of sentences that an encode with an embedder stores: whose they are, the same ones
// however the index came about, on small random models.
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cache/format.h"
#include "engine/embed/embedder.h"
#include "engine/embed/reduce.h"
#include "engine/sentences/cut.h"
#include "engine/sentences/sentences.h"
#include "io/file.h"
#include "io/hash.h"
#include "kernels/kernels.h"
#include "tests/unit/engine_fixture.h"
#include "tests/unit/ok.h"

static struct device *device;         // of the embedders
static struct embedder *mean, *other; // with different weights

enum { FIRST = 90, MORE = 40, LONG = 1100 }; // sentences of the texts

// Several pieces of a document, as they are read.
static void write_prose(const char *name, int sentences, const char *who)
{
    FILE *f = begin_file(name);
    for (int i = 0; i < sentences; i++)
        fprintf(f, "%s number %d carried rain\nunder %d stone bridges of the town. ", who, i,
                7 * i);
    end_file(f);
}

static int set_up(void **state)
{
    if (engine_set_up(state))
        return -1;
    OK(device_open(&device, &(struct device_options){.name = "cpu", .threads = 2}, NULL, 0, e));
    OK(embedder_open(&mean, "tests/golden/embed/mean.gguf", device, e));
    OK(embedder_open(&other, "tests/golden/embed/cls.gguf", device, e));
    write_prose("first.txt", FIRST, "A boat");
    write_prose("second.txt", MORE, "The cart");
    return 0;
}

static int tear_down(void **state)
{
    embedder_close(mean);
    embedder_close(other);
    device_close(device);
    return engine_tear_down(state);
}

static struct encode_options with(struct embedder *by, const char *const *in, int n,
                                  const char *out)
{
    struct encode_options o = small(in, n, out);
    o.embedder = by;
    return o;
}

static void write_bytes(const char *name, const char *text, size_t n)
{
    FILE *f = begin_file(name);
    assert_int_equal(fwrite(text, 1, n, f), n);
    end_file(f);
}

// Words of a sentence, as they are to be.
struct wanted {
    const struct kvz_words *w;
    uint64_t sentence;
};

// An embedder_words_fn: the words of the sentence in the index are these.
static int check_words(void *arg, int text, const float *rows, int n, struct err *e)
{
    const struct wanted *x = arg;
    const struct kvz_words *w = x->w;
    const size_t dim = w->dim, wide = w->wide;
    float *unit = malloc(dim * sizeof *unit);
    (void)e;
    assert_non_null(unit);
    assert_int_equal(text, 0);
    assert_int_equal(w->first[x->sentence + 1] - w->first[x->sentence], n);
    for (int i = 0; i < n; i++, rows += wide) {
        const int8_t *v = w->vector + (w->first[x->sentence] + (uint64_t)i) * dim;
        reduce_unit(w->basis, (int)wide, (int)dim, rows, unit);
        for (size_t d = 0; d < dim; d++)
            assert_true(fabsf((float)v[d] / KVZ_WORD_MOST - unit[d]) <= 0.51f / KVZ_WORD_MOST);
    }
    free(unit);
    return 0;
}

// Each vector of K is of its own sentence, by BY, and so are those of its words. Returns how many
// sentences there are.
static uint64_t check_vectors(struct kvz *k, struct embedder *by)
{
    struct kvz_sentences s;
    struct kvz_words words;
    OK(kvz_sentences(k, &s, e));
    OK(kvz_words(k, &words, e));
    const struct embedder_info *info = embedder_info(by);
    float *v = malloc((size_t)info->n_embd * sizeof *v);
    struct sentences w;
    uint64_t at = 0;
    int more;
    assert_non_null(v);
    if (s.n) {
        assert_int_equal(s.dim, info->n_embd);
        assert_true(s.digest == info->digest);
        assert_string_equal(s.name, info->name);
    }
    OK(sentences_begin(&w, k, 0, kvz_n_blocks(k), e));
    w.with_quoted = 1;
    while ((more = sentences_next(&w, NULL)) > 0 && at < s.n) {
        const struct kvz_sentence *x = &s.v[at];
        if (x->document != w.document || x->start != w.start)
            continue; // says nothing
        char text[LONGEST_SENTENCE];
        assert_int_equal(x->bytes, w.end - w.start);
        assert_in_range(x->bytes, 1, LONGEST_SENTENCE);
        const size_t n = cut_mend_joined(&w.c, w.first, w.last, text);
        struct wanted is = {&words, at};
        OK(embedder_texts(by, (const char *[]){text}, &n, 1, v, check_words, &is, e));
        for (uint32_t i = 0; i < s.dim; i++) {
            const float own = s.scale[at] * (float)s.vector[at * s.dim + i];
            assert_true(fabsf(own - v[i]) <= 0.51f * s.scale[at]);
        }
        at++;
    }
    assert_true(more >= 0);
    assert_int_equal(at, s.n);
    assert_int_equal(words.n_sentences, s.n);
    sentences_done(&w);
    free(v);
    return s.n;
}

static uint64_t vectors_in(const char *path, struct embedder *by)
{
    struct kvz *k = open_ok(path);
    const uint64_t n = check_vectors(k, by);
    kvz_close(k);
    return n;
}

// Documents of several pieces, and of one.
static void test_of_their_sentences(void **state)
{
    (void)state;
    const char *in[] = {in_dir("first.txt"), in_dir("second.txt")};
    const struct encode_options o = with(mean, in, 2, in_dir("own.kvz"));
    encode_ok(o, NULL);
    assert_int_equal(vectors_in(o.out, mean), FIRST + MORE);
    encode_ok(with(NULL, in, 2, o.out), NULL);
    assert_int_equal(vectors_in(o.out, mean), 0);
}

static void test_by_any_number_of_threads(void **state)
{
    (void)state;
    const char *in[] = {in_dir("first.txt"), in_dir("second.txt")};
    struct device *d;
    struct embedder *alone;
    OK(device_open(&d, &(struct device_options){.name = "cpu", .threads = 1}, NULL, 0, e));
    OK(embedder_open(&alone, "tests/golden/embed/mean.gguf", d, e));
    encode_ok(with(mean, in, 2, in_dir("two.kvz")), NULL);
    encode_ok(with(alone, in, 2, in_dir("one.kvz")), NULL);
    same_file(in_dir("two.kvz"), in_dir("one.kvz"));
    embedder_close(alone);
    device_close(d);
}

// Lines that are there again and again, before and behind as many others as are embedded at once,
// and those that differ in their last byte.
static void test_repeated_lines(void **state)
{
    (void)state;
    static const char *const again[] = {"The ferry was late once more.",
                                        "The ferry was late once m.", "The ferry was late once n."};
    enum { AGAIN = sizeof again / sizeof *again };
    FILE *f = begin_file("again.txt");
    for (int i = 0; i < LONG; i++) {
        fprintf(f, "Boat number %d carried rain.\n\n", i);
        if (i % 8 == 0)
            fprintf(f, "%s\n\n", again[i / 8 % AGAIN]);
    }
    end_file(f);
    const char *in[] = {in_dir("again.txt")};
    encode_ok(with(mean, in, 1, in_dir("again.kvz")), NULL);
    assert_int_equal(vectors_in(in_dir("again.kvz"), mean), LONG + (LONG + 7) / 8);
}

#define HEAD(who, day)                                                                             \
    "From: " who " <" who "@mail.example>\nTo: Cy <cy@mail.example>\nSubject: The boat\n"          \
    "Date: " day " May 2021 10:00:00 +0000\n\n"

// What a mail quotes is embedded where it stands nowhere before: a thread in one mail.
static void test_thread(void **state)
{
    (void)state;
    static const char mail[] = HEAD("Ann", "4") "The boat leaks again.\n\nIt is an old one.\n\n"
                                                "On 3 May 2021, Ben wrote:\n"
                                                "> The pump runs all night in the shed.\n"
                                                "> \n"
                                                "> On 2 May 2021, Ann wrote:\n"
                                                ">> The oars are behind the door.\n",
                      reply[] =
                          HEAD("Ben", "5") "The tar is warm.\n\n"
                                           "On 4 May 2021, Ann wrote:\n"
                                           "> The boat leaks again.\n>\n> It is an old one.\n";
    write_bytes("a.eml", mail, sizeof mail - 1);
    write_bytes("b.eml", reply, sizeof reply - 1);
    const char *in[] = {in_dir("a.eml"), in_dir("b.eml")};
    encode_ok(with(mean, in, 1, in_dir("thread.kvz")), NULL);
    const uint64_t alone = vectors_in(in_dir("thread.kvz"), mean);
    assert_int_equal(alone, 4); // with who wrote what is quoted
    encode_ok(with(mean, in, 2, in_dir("thread.kvz")), NULL);
    assert_int_equal(vectors_in(in_dir("thread.kvz"), mean), alone + 2); // but what is old
}

struct stopper {
    volatile sig_atomic_t stop;
    uint64_t at;
    const char *while_in; // a document, or "sentences"
};

static void stop_at(void *arg, const struct encode_progress *p)
{
    struct stopper *s = arg;
    if (s->while_in ? p->document && !strcmp(p->document, s->while_in) : p->tokens >= s->at)
        s->stop = 1;
}

static void check_stopped(const char *const *in, int n, struct stopper s)
{
    struct encode_options o = with(mean, in, n, in_dir("stopped.kvz"));
    struct encode_result r;
    o.progress = stop_at;
    o.stop = &s.stop;
    o.arg = &s;
    REFUSED(ERR_INTERRUPTED, "run the same command again", encode_documents(F.m, &o, &r, e));
    assert_true(r.kept || !s.while_in); // what was read before is not read again
    o.progress = NULL;
    s.stop = 0;
    o.force = !r.kept;
    OK(encode_documents(F.m, &o, &r, e));
    same_file(in_dir("unbroken.kvz"), o.out);
    assert_int_equal(remove(o.out), 0);
}

static void test_interrupted(void **state)
{
    (void)state;
    write_prose("long.txt", LONG, "A boat"); // more than are embedded at once
    const char *in[] = {in_dir("long.txt"), in_dir("second.txt")};
    encode_ok(with(mean, in, 2, in_dir("unbroken.kvz")), NULL);
    check_stopped(in, 2, (struct stopper){.at = 900});
    check_stopped(in, 2, (struct stopper){.while_in = "sentences"});
}

static void same_vectors(const struct kvz_sentences *a, const struct kvz_sentences *b, uint64_t n)
{
    assert_true(n && a->n >= n && b->n >= n && a->dim == b->dim && a->digest == b->digest);
    assert_memory_equal(a->v, b->v, n * sizeof *a->v);
    assert_memory_equal(a->scale, b->scale, n * sizeof *a->scale);
    assert_memory_equal(a->vector, b->vector, n * a->dim);
}

// An index that grows, with BY or without, from one by the embedder MEAN.
static struct kvz *grown(struct embedder *by)
{
    const char *first[] = {in_dir("first.txt")}, *more[] = {in_dir("second.txt")};
    encode_ok(with(mean, first, 1, in_dir("grown.kvz")), NULL);
    struct encode_options o = {.inputs = more, .n_inputs = 1, .out = in_dir("grown.kvz")};
    o.append = 1;
    o.embedder = by;
    encode_ok(o, NULL);
    return open_ok(o.out);
}

// An index without vectors, encoded again with an embedder and --append, gets them, and is then as
// one that had them from the beginning; one that has them stays as it is.
static void test_added_later(void **state)
{
    (void)state;
    const char *in[] = {in_dir("first.txt")};
    encode_ok(with(mean, in, 1, in_dir("with.kvz")), NULL);
    encode_ok(with(NULL, in, 1, in_dir("later.kvz")), NULL);
    struct encode_options o = {
        .inputs = in, .n_inputs = 1, .out = in_dir("later.kvz"), .append = 1, .embedder = mean};
    encode_ok(o, NULL);
    same_file(in_dir("with.kvz"), o.out);
    encode_ok(o, NULL);
    same_file(in_dir("with.kvz"), o.out);
}

// The index PATH becomes one of an earlier version, which had no vectors of words.
static void forget_words(const char *path)
{
    char *p;
    size_t n;
    OK(file_slurp(path, 1u << 30, &p, &n, e));
    struct disk_header *h = (struct disk_header *)(void *)p;
    struct disk_section *table = (struct disk_section *)(void *)(p + h->table_off),
                        *last = &table[h->n_sections - 1];
    assert_int_equal(last->tag, TAG_WORDS);
    last->tag = DISK_TAG('O', 'L', 'D', 'S'); // a section that nobody knows is passed over
    h->table_check = hash64(table, h->n_sections * sizeof *table);
    h->check = hash64(h, offsetof(struct disk_header, check));
    OK(file_replace(NULL, path, p, n, e));
    free(p);
}

// One of an earlier version gets the vectors of words in the same way.
static void test_words_added_later(void **state)
{
    (void)state;
    const char *in[] = {in_dir("first.txt")};
    struct kvz_words w;
    encode_ok(with(mean, in, 1, in_dir("with.kvz")), NULL);
    encode_ok(with(mean, in, 1, in_dir("older.kvz")), NULL);
    forget_words(in_dir("older.kvz"));
    struct kvz *k = open_ok(in_dir("older.kvz"));
    OK(kvz_words(k, &w, e));
    assert_int_equal(w.n, 0);
    kvz_close(k);
    encode_ok(
        (struct encode_options){
            .inputs = in, .n_inputs = 1, .out = in_dir("older.kvz"), .append = 1, .embedder = mean},
        NULL);
    same_file(in_dir("with.kvz"), in_dir("older.kvz"));
}

static void test_grown(void **state)
{
    (void)state;
    const char *in[] = {in_dir("first.txt"), in_dir("second.txt")};
    struct kvz_sentences all, s;
    encode_ok(with(mean, in, 2, in_dir("all.kvz")), NULL);
    struct kvz *k = open_ok(in_dir("all.kvz")), *g = grown(mean);
    OK(kvz_sentences(k, &all, e));
    OK(kvz_sentences(g, &s, e));
    assert_int_equal(s.n, all.n);
    same_vectors(&s, &all, all.n);
    assert_int_equal(check_vectors(g, mean), all.n);
    kvz_close(g);
    g = grown(NULL); // keeps what it has
    OK(kvz_sentences(g, &s, e));
    assert_int_equal(s.n, FIRST);
    same_vectors(&s, &all, s.n);
    assert_int_equal(check_vectors(g, mean), FIRST);
    kvz_close(g);
    g = grown(other); // all anew
    assert_int_equal(check_vectors(g, other), all.n);
    kvz_close(g);
    kvz_close(k);
}

// One that had none gets those of all its documents.
static void test_grown_from_none(void **state)
{
    (void)state;
    const char *first[] = {in_dir("first.txt")}, *more[] = {in_dir("second.txt")};
    encode_ok(small(first, 1, in_dir("late.kvz")), NULL);
    encode_ok((struct encode_options){.inputs = more,
                                      .n_inputs = 1,
                                      .out = in_dir("late.kvz"),
                                      .append = 1,
                                      .embedder = mean},
              NULL);
    assert_int_equal(vectors_in(in_dir("late.kvz"), mean), FIRST + MORE);
}

static void test_odd_texts(void **state)
{
    (void)state;
    enum { BYTES = 100000 };
    static const char nuls[] =
        "One\0two three four.\nFive \0\0 six. \xff\xfe seven \xc3.\n---\n\0\0";
    char *line = malloc(BYTES);
    assert_non_null(line);
    for (int i = 0; i < BYTES; i++)
        line[i] = i % 7 == 6 ? ' ' : (char)('a' + i / 7 % 26);
    write_bytes("line.txt", line, BYTES);
    for (int i = 0; i < BYTES; i++)
        line[i] = (char)('a' + i % 26);
    write_bytes("word.txt", line, BYTES / 5);
    write_bytes("nuls.txt", nuls, sizeof nuls - 1);
    write_bytes("empty.txt", "", 0);
    write_bytes("rules.txt", "----\n====\n", 10);
    free(line);
    const char *in[] = {in_dir("empty.txt"), in_dir("line.txt"), in_dir("empty.txt"),
                        in_dir("nuls.txt"),  in_dir("word.txt"), in_dir("rules.txt"),
                        in_dir("empty.txt")};
    char out[128];
    snprintf(out, sizeof out, "%s/odd.kvz", own_dir());
    encode_ok(with(mean, in, 7, out), NULL);
    assert_in_range(vectors_in(out, mean), 200, 400);
    encode_ok(with(mean, in + 5, 1, out), NULL); // nothing that says something
    assert_int_equal(vectors_in(out, mean), 0);
}

static const char *noted;

static void note(void *arg, const char *msg)
{
    (void)arg;
    noted = strstr(msg, "SENT") ? "SENT" : noted;
}

// Damaged vectors do not keep an index from growing: they are made anew, or left out.
static void test_grown_from_damaged(void **state)
{
    (void)state;
    const char *first[] = {in_dir("first.txt")}, *more[] = {in_dir("second.txt")};
    for (int anew = 0; anew < 2; anew++) {
        char *p;
        size_t n;
        struct kvz_sentences s;
        const struct encode_options o = with(mean, first, 1, in_dir("damaged.kvz"));
        encode_ok(o, NULL);
        struct kvz *k = open_ok(o.out);
        OK(kvz_sentences(k, &s, e));
        OK(file_slurp(o.out, 1u << 30, &p, &n, e));
        char *vectors = memmem(p, n, s.vector, s.n * s.dim);
        assert_non_null(vectors);
        vectors[5] ^= 1;
        kvz_close(k);
        OK(file_replace(NULL, o.out, p, n, e));
        free(p);
        noted = NULL;
        encode_ok((struct encode_options){.inputs = more,
                                          .n_inputs = 1,
                                          .out = o.out,
                                          .append = 1,
                                          .note = note,
                                          .embedder = anew ? mean : NULL},
                  NULL);
        assert_non_null(noted);
        assert_int_equal(vectors_in(o.out, mean), anew ? FIRST + MORE : 0);
    }
}

// A name that is longer than an index has room for is cut, between two characters.
static void test_long_name(void **state)
{
    (void)state;
    enum { MORE_BYTES = 64, BYTES = 73, KEPT = 62 }; // a multiple of how tensors are aligned
    static const char old[] = "tiny mean";
    const uint64_t bytes = BYTES;
    const char *in[] = {in_dir("second.txt")};
    char name[BYTES], *p;
    size_t n;
    struct embedder *x;
    struct kvz_sentences s;
    OK(file_slurp("tests/golden/embed/mean.gguf", 1u << 30, &p, &n, e));
    char *at = memmem(p, n, old, sizeof old - 1);
    assert_non_null(at);
    memcpy(at - sizeof bytes, &bytes, sizeof bytes);
    for (int i = 0; i < BYTES; i++)
        name[i] = "\u00e9"[i % 2];
    name[BYTES - 1] = 'x';
    FILE *f = begin_file("named.gguf");
    const size_t before = (size_t)(at - p), behind = before + sizeof old - 1;
    assert_int_equal(fwrite(p, 1, before, f), before);
    assert_int_equal(fwrite(name, 1, BYTES, f), behind - before + MORE_BYTES);
    assert_int_equal(fwrite(p + behind, 1, n - behind, f), n - behind);
    end_file(f);
    free(p);
    OK(embedder_open(&x, in_dir("named.gguf"), device, e));
    encode_ok(with(x, in, 1, in_dir("named.kvz")), NULL);
    struct kvz *k = open_ok(in_dir("named.kvz"));
    OK(kvz_sentences(k, &s, e));
    assert_int_equal(s.n, MORE);
    assert_int_equal(strlen(s.name), KEPT);
    assert_memory_equal(s.name, name, KEPT);
    kvz_close(k);
    embedder_close(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_of_their_sentences), cmocka_unit_test(test_by_any_number_of_threads),
        cmocka_unit_test(test_repeated_lines),     cmocka_unit_test(test_thread),
        cmocka_unit_test(test_interrupted),        cmocka_unit_test(test_added_later),
        cmocka_unit_test(test_words_added_later),  cmocka_unit_test(test_grown),
        cmocka_unit_test(test_grown_from_none),    cmocka_unit_test(test_grown_from_damaged),
        cmocka_unit_test(test_odd_texts),          cmocka_unit_test(test_long_name),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
