// How much is read around a block: its neighbours, and more where a record goes on beyond these.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "engine/passage/vicinity.h"
#include "engine/lines/lines.h"
#include "tests/unit/engine_fixture.h"
#include "tests/unit/ok.h"

enum { RECORDS = 30, BLOCK = 32 };

// The bytes around each block of NAME that are read, without its own: the fewest, but for those at
// the ends of the document; the most.
static void around(const char *name, size_t *fewest, size_t *most)
{
    struct kvz *k = index_file(name, BLOCK);
    const uint64_t n = kvz_n_blocks(k), ends = 6;
    *fewest = SIZE_MAX;
    *most = 0;
    assert_true(n > 3 * ends);
    for (uint64_t b = ends; b < n - ends; b++) {
        struct vicinity v;
        OK(vicinity_new(&v, k, b, e));
        assert_in_range(v.own + v.own_n, v.own, v.s.n);
        assert_int_equal(strlen(v.s.text), v.s.n);
        const size_t read = v.s.n - v.own_n;
        *fewest = read < *fewest ? read : *fewest;
        *most = read > *most ? read : *most;
        stretch_done(&v.s);
    }
    kvz_close(k);
}

static void test_records(void **state)
{
    (void)state;
    size_t fewest, most;
    FILE *f = begin_file("objects.json");
    fputs("[\n", f);
    for (int i = 0; i < RECORDS; i++)
        fprintf(f,
                "  {\n    \"id\": %d,\n    \"at\": {\n      \"row\": 4,\n      \"no\": %d\n    }\n "
                " },\n",
                i, 7 * i);
    fputs("]\n", f);
    end_file(f);
    around("objects.json", &fewest, &most);
    assert_in_range(fewest, LONGEST_SENTENCE, most);
    f = begin_file("labels.txt");
    for (int i = 0; i < RECORDS; i++) {
        for (const char *c = "abcdefghijklmnop"; *c; c++)
            fprintf(f, "field %c: %d\n", *c, i);
        fputc('\n', f);
    }
    end_file(f);
    around("labels.txt", &fewest, &most);
    assert_in_range(fewest, LONGEST_SENTENCE, most);
}

// Neither prose nor what people say in turn.
static void test_prose(void **state)
{
    (void)state;
    size_t fewest, most;
    FILE *f = begin_file("prose.txt");
    for (int i = 0; i < RECORDS; i++)
        fprintf(f, "Note: it rains in %d.\nNobody is there, and\nthe hill is high.\n\n", i);
    end_file(f);
    around("prose.txt", &fewest, &most);
    assert_true(most < LONGEST_SENTENCE);
    f = begin_file("turns.txt");
    for (int i = 0; i < 2 * RECORDS; i++)
        fprintf(f, "Ada: It rains in %d.\nBob: So it does, %d.\n", i, i);
    end_file(f);
    around("turns.txt", &fewest, &most);
    assert_true(most < LONGEST_SENTENCE);
}

// A sentence that goes on on the lines below the last block is read to its end.
static void test_sentence_ends(void **state)
{
    (void)state;
    const uint64_t last = 3; // blocks behind one that are looked at
    FILE *f = begin_file("broken.txt");
    for (int i = 0; i < 2 * RECORDS; i++)
        fprintf(f,
                "In year %d the wide meadow behind the mill was cut by\n"
                "several men and women of the village, who waited for\n"
                "as long as the dew was on the grass.\n",
                i);
    end_file(f);
    struct kvz *k = index_file("broken.txt", 2 * BLOCK);
    for (uint64_t b = 0; b + 1 + last < kvz_n_blocks(k); b++) {
        struct vicinity v;
        OK(vicinity_new(&v, k, b, e));
        size_t n = v.s.n;
        while (n > 0 && v.s.text[n - 1] == '\n')
            n--;
        assert_true(n > 0 && v.s.text[n - 1] == '.');
        stretch_done(&v.s);
    }
    kvz_close(k);
}

// It begins where a sentence does, wherever its lines are broken.
static void test_whole_sentences(void **state)
{
    (void)state;
    FILE *f = begin_file("lines.txt");
    for (int i = 0; i < RECORDS; i++)
        fprintf(f, "It rained in %d on\nthe hill, and\nthe mill.\n", 1700 + i);
    end_file(f);
    struct kvz *k = index_file("lines.txt", BLOCK);
    for (uint64_t b = 0; b < kvz_n_blocks(k); b++) {
        struct vicinity v;
        OK(vicinity_new(&v, k, b, e));
        if (v.s.n)
            assert_memory_equal(v.s.text, "It rained", strlen("It rained"));
        stretch_done(&v.s);
    }
    kvz_close(k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_records),
        cmocka_unit_test(test_prose),
        cmocka_unit_test(test_whole_sentences),
        cmocka_unit_test(test_sentence_ends),
    };
    return cmocka_run_group_tests(tests, engine_set_up, engine_tear_down);
}
