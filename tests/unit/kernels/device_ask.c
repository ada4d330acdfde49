// Questions on a device: see device_tests.h.
#define _GNU_SOURCE
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cache/reader.h"
#include "cache/record.h"
#include "engine/engine.h"
#include "io/hash.h"
#include "tests/unit/kernels/device_place.h"
#include "tests/unit/kernels/device_tests.h"
#include "tests/unit/ok.h"
#include "tests/unit/own_dir.h"

static const struct device_ops *watched_of;
// Here and there, and there again with what it has kept. Codec 1: a learnt basis follows roundings.
static void ask_both(const char *represent, int rerank)
{
    struct place p;
    struct device *cpu;
    char here[4096], there[4096];
    place_new(&p);
    place_cpu(&cpu);
    for (int i = 0; i < 2; i++) {
        char index[64];
        snprintf(index, sizeof index, "%s/%d.kvz", own_dir(), i);
        place_encode(i ? tested : cpu, &p, index, represent, (struct kvz_recipe){1, 8, 8, 1});
        for (int again = 0; again <= i; again++) {
            assert_int_equal(place_ask(i ? tested : cpu, &p, index,
                                       (struct ask_options){.rerank = rerank}, i ? there : here,
                                       sizeof here),
                             0);
            assert_true(!i || !strcmp(there, here));
        }
        unlink(index);
    }
    device_close(cpu);
    place_done();
}

void device_ask(void **state)
{
    (void)state;
    ask_both(NULL, 0);
}

static int n_elections;

static void count_elect(struct device *d, const struct election *x)
{
    assert_true(x->n_top < 48); // not the scores of all blocks
    n_elections++;
    watched_of->elect(d, x);
}

static void no_scan(struct device *d, const struct scan *s)
{
    assert_true(s->n_blocks <= 16); // the tokens of one block, to find the sentence
    watched_of->scan(d, s);
}

// Votes and words together, over one index and two: only what is read is named, and it is what the
// processor reads, with the same votes.
void device_ask_words(void **state)
{
    (void)state;
    struct place p;
    struct device *cpu;
    const struct device_ops *own = tested->ops;
    struct device_ops watched = *own;
    char here[4096], there[4096], paths[2][64];
    const char *const indexes[] = {paths[0], paths[1]}, *const selects[] = {"vote", "hybrid"};
    place_new(&p);
    place_cpu(&cpu);
    for (int i = 0; i < 2; i++) {
        snprintf(paths[i], sizeof paths[i], "%s/%d.kvz", own_dir(), i);
        place_encode(cpu, &p, paths[i], i ? "top" : "keys", (struct kvz_recipe){1, 8, 8, 1});
    }
    watched_of = own;
    watched.elect = count_elect;
    watched.scan = no_scan;
    n_elections = 0;
    for (int i = 0; i < 8; i++) {
        const int first = i & 1, n = i < 4 ? 1 : 2;
        const char *const same[] = {indexes[first], indexes[first]};
        struct ask_options o = {.select = selects[i >> 1 & 1],
                                .reduce = "lse",
                                .probe = "tokens",
                                .scope = "question",
                                .allot = "sharp",
                                .budget = 64,
                                .question = "Which boats were carried under bridge 41?"};
        assert_int_equal(place_ask_all(cpu, &p, same, n, o, 1, here, sizeof here), 0);
        tested->ops = &watched;
        assert_int_equal(place_ask_all(tested, &p, same, n, o, 1, there, sizeof there), 0);
        tested->ops = own;
        assert_string_equal(there, here);
    }
    assert_int_equal(n_elections, 8);
    struct ask_options hops = {
        .select = "hybrid", .scope = "question", .hops = 2}; // which asks for all there is to know
    assert_int_equal(place_ask(cpu, &p, indexes[0], hops, here, sizeof here), 0);
    assert_int_equal(place_ask(tested, &p, indexes[0], hops, there, sizeof there), 0);
    assert_string_equal(there, here);
    unlink(indexes[0]);
    unlink(indexes[1]);
    device_close(cpu);
    place_done();
}

void device_ask_spans(void **state)
{
    (void)state;
    ask_both("spans", 6);
}

// Changes a word of each coded layer, and makes the checksums right again.
static int damage(const char *path)
{
    struct kvz *k;
    int n = 0;
    OK(kvz_open(&k, path, e));
    FILE *f = fopen(path, "r+");
    assert_non_null(f);
    for (uint64_t i = 0; i < kvz_n_blocks(k); i++) {
        struct record r;
        OK(reader_record(k, i, &r, e));
        size_t at = (size_t)(r.p - k->map.data),
               head = disk_head_bytes(r.head.form, r.head.n_layers);
        uint8_t *p = malloc(r.bytes);
        assert_non_null(p);
        memcpy(p, r.p, r.bytes);
        for (uint32_t l = 0; l < r.head.n_layers; l++) {
            struct disk_chunk c = record_chunk(&r, l);
            if (c.codec != CODEC_CODED_WIDE)
                continue;
            p[c.off + 70] ^= 64;
            uint64_t check = hash64(p + c.off, c.bytes);
            memcpy(p + disk_head_bytes(r.head.form, l), &check, sizeof check);
            n++;
        }
        uint64_t check = hash64(p + 8, head - 8);
        memcpy(p, &check, sizeof check);
        fseek(f, (long)at, SEEK_SET);
        assert_int_equal(fwrite(p, 1, r.bytes, f), r.bytes);
        free(p);
    }
    assert_int_equal(fclose(f), 0);
    kvz_close(k);
    return n;
}

static int most_coded, most_stored;

static int count_coded(struct device *d, const struct coded_put *x, int n, int *bad, struct err *e)
{
    most_coded = n > most_coded ? n : most_coded;
    return watched_of->put_coded(d, x, n, bad, e);
}

static void count_stored(struct device *d, const struct stored_put *x, int n)
{
    most_stored = n > most_stored ? n : most_stored;
    watched_of->put_stored(d, x, n);
}

static int recall_nothing(struct device *d, uint64_t name, float *dst, const struct rows *r)
{
    (void)d;
    (void)name;
    (void)dst;
    (void)r;
    return 0;
}

// All blocks that a question reads are decoded together, in both layers.
void device_ask_together(void **state)
{
    (void)state;
    static const struct kvz_recipe recipes[] = {{CODEC_CODED_WIDE, 300, 300, 1}, {1, 8, 8, 1}};
    struct place p;
    struct device *cpu;
    char here[4096], there[4096], index[64];
    struct device_ops watched = *tested->ops;
    const struct ask_options o = {
        .budget = 128, .scope = "question", .allot = "fixed", .read = READ_CACHED, .window = -1};
    place_new(&p);
    place_cpu(&cpu);
    watched_of = tested->ops;
    watched.put_coded = count_coded;
    watched.put_stored = count_stored;
    watched.recall = recall_nothing; // of what other tests have read
    most_coded = most_stored = 0;
    strcpy(index, in_dir("together.kvz"));
    for (int i = 0; i < 2; i++) {
        place_encode(cpu, &p, index, NULL, recipes[i]);
        assert_int_equal(place_ask(cpu, &p, index, o, here, sizeof here), 0);
        tested->ops = &watched;
        assert_int_equal(place_ask(tested, &p, index, o, there, sizeof there), 0);
        tested->ops = watched_of;
        assert_string_equal(there, here);
        unlink(index);
    }
    assert_true(most_coded > 2); // more than one block has, of those in that form
    assert_int_equal(most_stored, 2 * 2 * 128 / 16); // keys and values apart
    device_close(cpu);
    place_done();
}

// An index of codec 4, which the device decodes: what the processor answers, and where there is
// damage behind a checksum that is right, the processor's error.
void device_ask_coded(void **state)
{
    (void)state;
    struct place p;
    struct device *cpu;
    char here[4096], there[4096], index[64];
    place_new(&p);
    place_cpu(&cpu);
    strcpy(index, in_dir("coded.kvz"));
    place_encode(cpu, &p, index, NULL, (struct kvz_recipe){CODEC_CODED_WIDE, 300, 300, 1});
    assert_int_equal(place_ask(cpu, &p, index, (struct ask_options){0}, here, sizeof here), 0);
    assert_int_equal(place_ask(tested, &p, index, (struct ask_options){0}, there, sizeof there), 0);
    assert_string_equal(there, here);
    assert_true(damage(index) > 10);
    assert_int_equal(place_ask(cpu, &p, index, (struct ask_options){0}, here, sizeof here),
                     ERR_FORMAT);
    assert_int_equal(place_ask(tested, &p, index, (struct ask_options){0}, there, sizeof there),
                     ERR_FORMAT);
    assert_string_equal(there, here);
    assert_non_null(strstr(there, "its symbols are damaged"));
    unlink(index);
    device_close(cpu);
    place_done();
}

static int n_favours, n_bests;

static void count_favour(struct device *d, float *x, const struct bonus *b, int n)
{
    n_favours++;
    watched_of->favour(d, x, b, n);
}

static void count_best(struct device *d, struct best *out, const float *x, int n)
{
    n_bests++;
    watched_of->best(d, out, x, n);
}

// What changes the logits of an answer does so on a device that chooses the likeliest token by
// itself, too.
void device_ask_copies(void **state)
{
    (void)state;
    struct place p;
    struct device *cpu;
    char here[4096], there[4096], plain[4096], index[64];
    struct device_ops watched = *tested->ops;
    struct ask_options o = {.read = READ_FRESH, .copy = 10};
    place_new(&p);
    place_cpu(&cpu);
    strcpy(index, in_dir("copies.kvz"));
    place_encode(cpu, &p, index, NULL, (struct kvz_recipe){1, 8, 8, 1});
    assert_int_equal(place_ask(cpu, &p, index, o, here, sizeof here), 0);
    watched_of = tested->ops;
    watched.favour = count_favour;
    watched.best = count_best;
    n_favours = n_bests = 0;
    tested->ops = &watched;
    assert_int_equal(place_ask(tested, &p, index, o, there, sizeof there), 0);
    tested->ops = watched_of;
    assert_string_equal(there, here);
    assert_true(n_bests == 12 && n_favours == 12); // of each token, the first one, too
    o.copy = -1;
    assert_int_equal(place_ask(tested, &p, index, o, plain, sizeof plain), 0);
    assert_string_not_equal(plain, there);
    unlink(index);
    device_close(cpu);
    place_done();
}

void device_ask_failing(int waits, int (*make)(int waits, int n))
{
    struct place p;
    struct device *cpu;
    char here[4096], there[4096], index[64];
    const struct ask_options o = {
        .budget = 64, .scope = "question", .select = "hybrid", .read = READ_CACHED};
    int failed = 0, n = 0, came = 1;
    place_new(&p);
    place_text(&p, 25);
    place_cpu(&cpu);
    strcpy(index, in_dir("failing.kvz"));
    place_encode(cpu, &p, index, "keys", (struct kvz_recipe){CODEC_CODED_WIDE, 300, 300, 1});
    assert_int_equal(place_ask(cpu, &p, index, o, here, sizeof here), 0);
    make(waits, ++n);
    while (came) {
        int rc = place_ask(tested, &p, index, o, there, sizeof there);
        if (!rc)
            assert_string_equal(there, here);
        else if (!waits && !strstr(there, "MiB of GPU memory needed") &&
                 !strstr(there, "MiB of page-locked memory"))
            fail_msg("allocation %d: %s", n, there);
        else if (!strstr(there, "cuda: ") || strstr(there, "cuda: : "))
            fail_msg("%s %d: %s", waits ? "wait" : "allocation", n, there);
        failed += rc != 0;
        came = make(waits, ++n);
    }
    assert_true(failed > 3 && n > 10);
    unlink(index);
    device_close(cpu);
    place_done();
}

static int n_draws;

static void count_draw(struct device *d, struct best *out, const float *x, int n,
                       const struct draw *how)
{
    n_draws++;
    watched_of->draw(d, out, x, n, how);
}

// With a temperature: the same seed draws the same answer, and only tokens come back.
void device_ask_drawn(void **state)
{
    (void)state;
    struct place p;
    struct device *cpu;
    char here[4096], there[4096], other[4096], index[64];
    struct ask_options o = {.read = READ_CACHED, .temp = 0.9f, .top_p = 0.95f, .seed = 7};
    struct device_ops watched = *tested->ops;
    place_new(&p);
    place_cpu(&cpu);
    strcpy(index, in_dir("drawn.kvz"));
    place_encode(cpu, &p, index, NULL, (struct kvz_recipe){1, 8, 8, 1});
    watched_of = tested->ops;
    watched.draw = count_draw;
    n_draws = 0;
    for (int i = 0; i < 2; i++) {
        o.top_p = i ? 1 : 0.95f;
        assert_int_equal(place_ask(cpu, &p, index, o, here, sizeof here), 0);
        tested->ops = &watched;
        assert_int_equal(place_ask(tested, &p, index, o, there, sizeof there), 0);
        tested->ops = watched_of;
        assert_string_equal(there, here);
    }
    assert_int_equal(n_draws, 2 * 12);
    o.seed = 8;
    assert_int_equal(place_ask(tested, &p, index, o, other, sizeof other), 0);
    assert_string_not_equal(other, there);
    unlink(index);
    device_close(cpu);
    place_done();
}

void device_ask_art(void **state)
{
    (void)state;
    struct place p;
    struct device *cpu;
    char here[4096], there[4096], index[64], all[4096];
    struct ask_options o = {.budget = 128,
                            .scope = "question",
                            .allot = "fixed",
                            .read = READ_CACHED,
                            .window = -1,
                            .traverse = "importance",
                            .art_dir = 2.5,
                            .art_patience = 2};
    place_new(&p);
    place_cpu(&cpu);
    strcpy(index, in_dir("art.kvz"));
    place_encode(cpu, &p, index, NULL, (struct kvz_recipe){1, 8, 8, 1});
    static const double scales[] = {1e-30, 0.03, 100};
    for (size_t i = 0; i < 3; i++) {
        o.art_scale = scales[i];
        assert_int_equal(place_ask(cpu, &p, index, o, here, sizeof here), 0);
        assert_int_equal(place_ask(tested, &p, index, o, there, sizeof there), 0);
        assert_string_equal(there, here);
        if (i)
            assert_string_not_equal(there, all); // less was read
        else
            memcpy(all, there, sizeof all);
    }
    unlink(index);
    device_close(cpu);
    place_done();
}
