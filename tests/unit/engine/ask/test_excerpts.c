// Where the sentences that are read are stored.
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/ask/excerpts.h"
#include "engine/method/ballot.h"
#include "tests/unit/engine_fixture.h"
#include "tests/unit/ok.h"

// The bytes of V's document that the tokens of P have, which go from one block to the next without
// a gap.
static void bytes_of(const struct excerpts *p, uint32_t document, uint64_t *start, uint64_t *end)
{
    *start = *end = 0;
    for (size_t i = 0; i < p->n; i++) {
        struct kvz_block b;
        uint32_t *ids, *bytes, n, n_starts;
        uint64_t *starts;
        OK(kvz_block(p->v[i].k, p->v[i].block, &b, e));
        OK(block_tokens(p->v[i].k, p->v[i].block, &ids, &bytes, &n, e));
        OK(block_token_starts(p->v[i].k, p->v[i].block, &starts, &n_starts, e));
        assert_int_equal(n_starts, n);
        assert_int_equal(starts[n], b.end - b.start);
        assert_int_equal(b.document, document);
        assert_true(p->v[i].from < p->v[i].to && p->v[i].to <= n);
        uint64_t at = b.start;
        for (uint32_t t = 0; t < p->v[i].to; at += bytes[t++])
            if (t == p->v[i].from) {
                assert_int_equal(b.start + starts[t], at);
                assert_true(!i || at == *end);
                *start = i ? *start : at;
            }
        *end = at;
        free(ids);
        free(starts);
    }
}

// Every sentence of a document, also one that goes on in the next block: its tokens and hardly a
// byte of others.
static void test_all_of_a_sentence(void **state)
{
    (void)state;
    enum { WORD = 24 };
    const char *in[] = {in_dir("a.txt"), in_dir("b.txt")};
    encode_ok(small(in, 2, in_dir("excerpt.kvz")), NULL);
    struct kvz *k = open_ok(in_dir("excerpt.kvz"));
    int across = 0;
    for (struct sentence_walk x = {.k = k}; next_sentence(&x);) {
        struct excerpts p = {0};
        uint64_t start, end;
        OK(excerpts_add(&p, k, x.block, &x.v, e));
        assert_true(p.n > 0);
        bytes_of(&p, x.v.document, &start, &end);
        assert_in_range(start, x.v.start < WORD ? 0 : x.v.start - WORD, x.v.start);
        assert_in_range(end, x.v.end, x.v.end + WORD);
        across += p.n > 1;
        free(p.v);
    }
    assert_true(across > 0);
    kvz_close(k);
}

// No more of the index is in sight than that, beside sinks and window.
static void test_no_more_is_read(void **state)
{
    (void)state;
    const char *in[] = {in_dir("a.txt")};
    encode_ok(small(in, 1, in_dir("seen.kvz")), NULL);
    struct kvz *k = open_ok(in_dir("seen.kvz"));
    struct ask_options o = {.question = "Who carried the boat?",
                            .select = "vote",
                            .budget = 16,
                            .window = -1,
                            .max_tokens = 4};
    struct answer text, stored;
    o.read = READ_SENTENCES;
    OK(ask(F.m, &k, 1, &o, &text, e));
    o.read = READ_CACHED_SENTENCES;
    OK(ask(F.m, &k, 1, &o, &stored, e));
    int sinks = stored.read_tokens - text.read_tokens;
    assert_in_range(sinks, 1, kvz_meta(k)->sinks + 8); // a sentence is cut anew where text is read
    answer_done(&text);
    answer_done(&stored);
    kvz_close(k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_of_a_sentence),
        cmocka_unit_test(test_no_more_is_read),
    };
    return cmocka_run_group_tests(tests, engine_set_up, engine_tear_down);
}
