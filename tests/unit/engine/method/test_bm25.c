// What a question's words weigh in blocks, among records that differ in one number.
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/method/bm25.h"
#include "tests/unit/engine_fixture.h"
#include "tests/unit/ok.h"

enum { RECORDS = 60 };

static struct kvz *records(void)
{
    FILE *f = begin_file("records.txt");
    for (int i = 0; i < RECORDS; i++)
        fprintf(f, "the river met P%d by the boat\n", 100 + i);
    end_file(f);
    return index_file("records.txt", 0);
}

static void scores_of(struct kvz *k, const char *question, double *score, double *cover)
{
    struct bm25 *b;
    OK(bm25_new(&b, &k, 1, question, "", 1, e));
    bm25_scores(b, score, cover);
    bm25_free(b);
}

// The cover of the block that has MARK, and the largest of the others; 0: none has it.
static int covers_of(struct kvz *k, const char *mark, const char *question, double *own,
                     double *other)
{
    size_t n = (size_t)kvz_n_blocks(k);
    double *score = calloc(n, sizeof *score), *cover = calloc(n, sizeof *cover);
    assert_true(score && cover);
    scores_of(k, question, score, cover);
    *own = *other = -1;
    for (uint64_t b = 0; b < n; b++) {
        struct kvz_block info;
        char text[256] = "";
        OK(kvz_block(k, b, &info, e));
        assert_true(info.end - info.start < sizeof text);
        OK(kvz_read_text(k, b, text, e));
        double *to = strstr(text, mark) ? own : other;
        *to = cover[b] > *to ? cover[b] : *to;
    }
    free(score);
    free(cover);
    return *own >= 0 && *other >= 0;
}

static void covers(struct kvz *k, const char *question, double *own, double *other)
{
    assert_true(covers_of(k, " P117 ", question, own, other));
}

// The number decides, whatever other words the question has; words that only ask weigh nothing
// where the text does not have them; a word that it does not have weighs most.
static void a_number_is_what_is_asked_for(void **state)
{
    (void)state;
    struct kvz *k = records();
    double own, other;
    covers(k, "Who met P117?", &own, &other);
    assert_true(own > 0.8 && other < 0.2);
    covers(k, "Are P117 allowed?", &own, &other);
    assert_true(own > 0.8 && other < 0.2);
    covers(k, "Which treasurer encountered P117?", &own, &other);
    assert_true(own >= 0.5 && own < 0.6 && other < 0.2);
    covers(k, "Which treasurer encountered P999?", &own, &other); // that no block has
    assert_true(own < 0.2);
    covers(k, "Which treasurer met the boat by the river?", &own, &other);
    assert_true(own < 0.5 && other < 0.5);
    kvz_close(k);
}

// Of many people with the same names it is the one with both, in either order.
static void a_name_is_who_is_asked_for(void **state)
{
    (void)state;
    static const char *const first[] = {"Ida", "Bob", "Eva", "Max", "Ole", "Uwe", "Kai", "Zoe"},
                             *const last[] = {"Abt", "Ott", "Ley", "Huy",
                                              "Fry", "Ems", "Pim", "Rau"};
    FILE *f = begin_file("names.txt");
    for (int i = 0; i < 64; i++)
        fprintf(f, "%s %s.\n", first[i % 8], last[(i / 8 + i) % 8]);
    end_file(f);
    struct kvz *k = index_file("names.txt", 0);
    int whole = 0;
    for (int i = 0; i < 64; i += 3) {
        char name[16], ask[64], turned[64];
        double own, other;
        snprintf(name, sizeof name, "%s %s", first[i % 8], last[i / 8]);
        snprintf(ask, sizeof ask, "What telephone does %s use?", name);
        snprintf(turned, sizeof turned, "What telephone does %s, %s use?", last[i / 8],
                 first[i % 8]);
        if (!covers_of(k, name, ask, &own, &other)) // the end of a block divides it
            continue;
        whole++;
        assert_true(own >= 0.5);
        covers_of(k, name, turned, &own, &other);
        assert_true(own >= 0.5);
        snprintf(ask, sizeof ask, "What telephone do %s and %s use?", first[i % 8],
                 last[i / 8]); // two people
        covers_of(k, name, ask, &own, &other);
        assert_true(own < 0.5);
    }
    assert_true(whole > 8);
    kvz_close(k);
}

// Also where a block ends within the number.
static void no_word_is_lost_between_blocks(void **state)
{
    (void)state;
    struct kvz *k = records();
    size_t n = (size_t)kvz_n_blocks(k);
    double *score = calloc(n, sizeof *score), *cover = calloc(n, sizeof *cover);
    assert_true(score && cover);
    for (int i = 0; i < RECORDS; i++) {
        char question[64];
        int blocks = 0;
        snprintf(question, sizeof question, "Which treasurer encountered P%d?", 100 + i);
        scores_of(k, question, score, cover);
        for (size_t b = 0; b < n; b++)
            blocks += cover[b] >= 0.5;
        if (blocks != 1)
            fail_msg("%s: %d blocks", question, blocks);
    }
    free(score);
    free(cover);
    kvz_close(k);
}

// What has been counted need not be counted again.
static void test_known(void **state)
{
    (void)state;
    static const char *const texts[] = {"", "The river met P101.", "Which boat met Ada?"};
    struct kvz *k = records();
    struct bm25 *b, *known, *anew;
    OK(bm25_new(&b, &k, 1, "Which boat met Ada Nagel by the river, P101 or P999?", "", 1, e));
    OK(bm25_of(&known, b, "boat river met P999", "Ada Nagel P101", e));
    OK(bm25_new(&anew, &k, 1, "boat river met P999", "Ada Nagel P101", 1, e));
    assert_non_null(known);
    assert_true(bm25_nowhere(known) > 0 && bm25_nowhere(known) == bm25_nowhere(anew));
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        assert_true(bm25_said(known, texts[i]) == bm25_said(anew, texts[i]));
        assert_true(bm25_cover(known, texts[i]) == bm25_cover(anew, texts[i]));
        assert_true(bm25_rare(known, texts[i]) == bm25_rare(anew, texts[i]));
        assert_int_equal(bm25_lacks(known, texts[i]), bm25_lacks(anew, texts[i]));
    }
    bm25_free(known);
    bm25_free(anew);
    OK(bm25_of(&known, b, "boat river", "bridge", e)); // "bridge" has not been counted
    assert_null(known);
    OK(bm25_of(&known, NULL, "boat", "", e));
    assert_null(known);
    bm25_free(b);
    kvz_close(k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_known),
                                       cmocka_unit_test(a_number_is_what_is_asked_for),
                                       cmocka_unit_test(a_name_is_who_is_asked_for),
                                       cmocka_unit_test(no_word_is_lost_between_blocks)};
    return cmocka_run_group_tests(tests, engine_set_up, engine_tear_down);
}
