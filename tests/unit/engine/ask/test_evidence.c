// What must always hold of the passages that an answer rests on.
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/answer/writing.h"
#include "engine/ask/evidence.h"
#include "engine/model/heads.h"
#include "engine/words/words.h"
#include "io/file.h"
#include "tests/unit/engine_fixture.h"
#include "tests/unit/ok.h"

static void test_evidence_is_the_document(void **state)
{
    (void)state;
    const char *in[] = {in_dir("a.txt"), in_dir("b.txt")};
    encode_ok(small(in, 2, in_dir("evidence.kvz")), NULL);
    struct kvz *k[] = {open_ok(in_dir("evidence.kvz"))};
    struct answer a;
    OK(ask(F.m, k, 1, &(struct ask_options){.question = "boat", .n_evidence = 8, .max_tokens = 1},
           &a, e));
    assert_int_equal(a.n_evidence, 8);
    for (int i = 0; i < a.n_evidence; i++) {
        char *text;
        size_t bytes;
        OK(file_slurp(a.evidence[i].document, 1u << 20, &text, &bytes, e));
        assert_in_range(a.evidence[i].end, a.evidence[i].start + 1, bytes);
        assert_int_equal(a.evidence[i].text_bytes, a.evidence[i].end - a.evidence[i].start);
        assert_memory_equal(a.evidence[i].text, text + a.evidence[i].start,
                            a.evidence[i].text_bytes);
        const uint64_t from = a.evidence[i].start, to = a.evidence[i].end;
        assert_false(from && word_has(text[from - 1]) && word_has(text[from]));
        assert_false(to < bytes && word_has(text[to - 1]) && word_has(text[to]));
        for (int j = 0; j < i; j++)
            assert_true(a.evidence[i].document != a.evidence[j].document ||
                        a.evidence[i].end <= a.evidence[j].start ||
                        a.evidence[j].end <= a.evidence[i].start);
        free(text);
    }
    answer_done(&a);
    kvz_close(k[0]);
}

// Whatever token the votes fall on: the focus holds it, and is one sentence of the passage, all of
// it, though blocks end anywhere.
static void test_focus_is_a_sentence(void **state)
{
    (void)state;
    const char *in[] = {in_dir("a.txt")};
    encode_ok(small(in, 1, in_dir("focus.kvz")), NULL);
    struct kvz *k = open_ok(in_dir("focus.kvz"));
    char *text;
    size_t n;
    int wider = 0;
    OK(file_slurp(in[0], 1u << 20, &text, &n, e));
    for (uint64_t b = 0; b < 8; b++) {
        struct kvz_block info;
        uint32_t ids[64], bytes[64];
        OK(kvz_block(k, b, &info, e));
        OK(kvz_read_tokens(k, b, ids, bytes, e));
        uint64_t at = info.start;
        for (uint32_t t = 0; t < info.n_tokens && info.end > info.start; at += bytes[t++]) {
            struct evidence v;
            OK(evidence_of(&v, k, 0, b, 0, e));
            OK(evidence_focus(&v, k, t, 0, e));
            assert_in_range(v.focus_start, v.start, v.end - 1);
            assert_in_range(v.focus_end, v.focus_start + 1, v.end);
            if (bytes[t] > 1)
                assert_true(v.focus_start < at + bytes[t] && v.focus_end > at);
            const char *s = v.text + (v.focus_start - v.start);
            const char *stop = strstr(s, ". ");
            assert_true(!stop || stop + 1 >= s + (v.focus_end - v.focus_start));
            assert_true(!v.focus_start || text[v.focus_start - 1] == '\n');
            assert_int_equal(text[v.focus_end - 1], '.');
            assert_true(v.start <= info.start && v.end >= info.end && v.end <= n);
            assert_int_equal(v.text_bytes, v.end - v.start);
            assert_memory_equal(v.text, text + v.start, v.text_bytes);
            wider |= v.start < info.start;
            wider |= (v.end > info.end) << 1;
            free(v.text);
        }
    }
    assert_int_equal(wider, 3); // some at either end
    free(text);
    kvz_close(k);
}

// Blocks that were read change places among themselves, by where they stood where nothing was run:
// the best one is read last.
static void test_evidence_of_a_quotation(void **state)
{
    (void)state;
    struct attention read = {0};
    int64_t order[] = {7, 1, 4, 3};
    OK(attention_add(&read, 4, 0, 12, e));
    OK(attention_add(&read, 7, 12, 9, e));
    OK(attention_add(&read, 3, 21, 30, e));
    attention_as_chosen(&read);
    evidence_by_mass(order, 4, &read);
    assert_int_equal(order[0], 3);
    assert_int_equal(order[1], 1); // was not read
    assert_int_equal(order[2], 7);
    assert_int_equal(order[3], 4);
    free(read.v);
}

// A passage that is shown as LEFT once those of BETTER are, all of one document unless their
// numbers say another; its block is 5 and its bytes are 100 to 130.
static void test_evidence_apart(void **state)
{
    (void)state;
    static const char name[] = "a.txt", same_name[] = "a.txt",
                      TEXT[] = "of a sentence. The boat.  \n \n ";
    const struct {
        struct evidence better[2];
        int n;
        const char *left; // NULL: nothing
        uint64_t start, focus_start, focus_end;
    } c[] = {
        {{{.start = 0}}, 0, TEXT, 100, 115, 124},
        {{{.block = 4, .start = 80, .end = 100}}, 1, TEXT, 100, 115, 124},
        {{{.block = 4, .start = 80, .end = 114}}, 1, TEXT + 14, 114, 115, 124},
        {{{.block = 4, .start = 80, .end = 119}}, 1, TEXT + 19, 119, 119, 124},
        {{{.block = 6, .start = 115, .end = 150}}, 1, "of a sentence. ", 100, 100, 115},
        {{{.block = 6, .start = 120, .end = 150}, {.block = 4, .start = 80, .end = 115}},
         2,
         "The b",
         115,
         115,
         120},
        {{{.block = 4, .start = 80, .end = 124}}, 1, NULL, 0, 0, 0}, // but white space
        {{{.block = 4, .start = 80, .end = 121}}, 1, NULL, 0, 0, 0}, // "at."
        {{{.block = 4, .start = 80, .end = 140}}, 1, NULL, 0, 0, 0},
        {{{.block = 5, .start = 90, .end = 110}}, 1, NULL, 0, 0, 0},
        {{{.block = 4, .start = 80, .end = 114, .index = 1}}, 1, TEXT, 100, 115, 124},
        {{{.block = 4, .start = 80, .end = 114, .document = same_name}}, 1, TEXT, 100, 115, 124},
    };
    for (size_t i = 0; i < sizeof c / sizeof *c; i++) {
        char text[] = "of a sentence. The boat.  \n \n ";
        struct evidence better[2];
        struct evidence v = {.block = 5,
                             .document = name,
                             .start = 100,
                             .end = 130,
                             .focus_start = 115,
                             .focus_end = 124,
                             .text = text,
                             .text_bytes = 30};
        for (int j = 0; j < c[i].n; j++) {
            better[j] = c[i].better[j];
            if (!better[j].document)
                better[j].document = name;
        }
        assert_int_equal(evidence_apart(&v, better, c[i].n), c[i].left != NULL);
        if (!c[i].left)
            continue;
        assert_string_equal(v.text, c[i].left);
        assert_int_equal(v.start, c[i].start);
        assert_int_equal(v.end - v.start, v.text_bytes);
        assert_int_equal(v.text_bytes, strlen(v.text));
        assert_int_equal(v.focus_start, c[i].focus_start);
        assert_int_equal(v.focus_end, c[i].focus_end);
    }
}

// A block may end in white space; the sentence where the votes fall is the next block's then, and
// the focus is no part of it.
static void test_focus_of_white_space(void **state)
{
    (void)state;
    FILE *f = begin_file("wide.txt");
    for (int i = 0; i < 120; i++)
        fprintf(f, "The boat of %d is old.%*s", i, 1 + i % 7, "\n");
    end_file(f);
    struct kvz *k = index_file("wide.txt", 0);
    int whole = 0;
    for (uint64_t b = 0; b < kvz_n_blocks(k); b++) {
        struct kvz_block info;
        struct evidence v;
        OK(kvz_block(k, b, &info, e));
        for (uint32_t t = 0; t < info.n_tokens && info.end > info.start; t++) {
            OK(evidence_of(&v, k, 0, b, 1, e));
            OK(evidence_focus(&v, k, t, 0, e));
            assert_in_range(v.focus_start, v.start, v.end - 1);
            assert_in_range(v.focus_end, v.focus_start + 1, v.end);
            whole += v.focus_end - v.focus_start == v.end - v.start;
            free(v.text);
        }
    }
    assert_true(whole > 0); // there was such a block
    kvz_close(k);
}

// Only what was read changes its place, and only with what was read.
static void test_evidence_by_mass(void **state)
{
    (void)state;
    struct attention l = {0};
    OK(attention_add(&l, 7, 0, 3, e));
    OK(attention_add(&l, 4, 5, 3, e));
    OK(attention_add(&l, 9, 9, 3, e));
    l.v[0].mass = 0.2;
    l.v[1].mass = 0.1;
    l.v[2].mass = 0.9;
    int64_t order[] = {4, 1, 7, 3, 9, 2};
    const int64_t want[] = {9, 1, 7, 3, 4, 2};
    evidence_by_mass(order, 6, &l);
    assert_memory_equal(order, want, sizeof want);
    free(l.v);
}

static void test_evidence_by_turns(void **state)
{
    (void)state;
    const int64_t votes[] = {3, 0, 4, 1, 2}, words[] = {3, 1, 2};
    const int64_t both[] = {3, 1, 0, 2, 4}, alone[] = {3, 0, 4, 1, 2};
    int64_t out[5];
    evidence_by_turns(votes, words, 3, 5, (unsigned char[5]){0}, out);
    assert_memory_equal(out, both, sizeof both);
    evidence_by_turns(votes, words, 0, 5, (unsigned char[5]){0}, out);
    assert_memory_equal(out, alone, sizeof alone);
}

// Every token that is run hands out one whole attention in each head; what was run before counts
// for nothing.
static void test_shown_is_what_heads_look_at(void **state)
{
    (void)state;
    enum { READ = 24, WRITTEN = 5 };
    const struct head v[] = {{0, 1, 0.75f}, {F.m->info.n_layers - 1, 0, 0.5f}};
    const struct heads heads = {.n = 2, .v = v}, *own = F.m->heads;
    struct attention l = {0};
    struct stream *s;
    uint32_t ids[READ + WRITTEN];
    for (int i = 0; i < READ + WRITTEN; i++)
        ids[i] = (uint32_t)(3 + i % 11);
    OK(stream_new(&s, F.m, &(struct stream_options){.window = READ + WRITTEN, .chunk = READ}, e));
    F.m->heads = &heads;
    OK(write_tokens(s, ids, READ, NULL, e));
    OK(attention_watch(s, e));
    OK(attention_add(&l, 1, 0, 8, e));
    OK(attention_add(&l, 0, 8, READ - 8 + WRITTEN, e));
    for (int i = 0; i < WRITTEN; i++)
        OK(write_tokens(s, ids + READ + i, 1, NULL, e));
    OK(attention_count(&l, s, 0, e));
    F.m->heads = own;
    assert_true(l.v[0].mass > 0 && l.v[1].mass > 0);
    assert_float_equal(l.v[0].mass + l.v[1].mass, WRITTEN * 1.25, 1e-4);
    stream_free(s);
    free(l.v);
}

// A passage that begins or ends within a word is widened to all of it; within one of a text without
// white space, to no half of a character.
static void test_passages_are_whole(void **state)
{
    (void)state;
    enum { BYTES = 3, LETTERS = 400 };
    const uint64_t n = LETTERS * BYTES;
    char text[LETTERS * BYTES + 1];
    for (int i = 0; i < LETTERS; i++)
        memcpy(text + i * BYTES, "\u6f22", BYTES + 1);
    struct kvz *k = index_text("han.txt", text);
    for (uint64_t b = 0; b < kvz_n_blocks(k); b++) {
        struct evidence v;
        OK(evidence_of(&v, k, 0, b, 0, e));
        const uint64_t start = v.start, end = v.end;
        OK(evidence_whole(&v, k, e));
        assert_in_range(v.start, start < 64 ? 0 : start - BYTES + 1, start);
        assert_in_range(v.end, end, n - end < 64 ? n : end + BYTES - 1);
        assert_true(v.start % BYTES == 0 && v.end % BYTES == 0);
        assert_true(v.focus_start == v.start && v.focus_end == v.end);
        assert_memory_equal(v.text, text + v.start, v.end - v.start);
        free(v.text);
    }
    kvz_close(k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_evidence_is_the_document),
        cmocka_unit_test(test_focus_is_a_sentence),
        cmocka_unit_test(test_evidence_of_a_quotation),
        cmocka_unit_test(test_evidence_apart),
        cmocka_unit_test(test_focus_of_white_space),
        cmocka_unit_test(test_evidence_by_mass),
        cmocka_unit_test(test_evidence_by_turns),
        cmocka_unit_test(test_shown_is_what_heads_look_at),
        cmocka_unit_test(test_passages_are_whole),
    };
    return cmocka_run_group_tests(tests, engine_set_up, engine_tear_down);
}
