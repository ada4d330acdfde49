// The cascading cache on streams short enough to follow by hand, and what must hold of any stream.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "engine/stream/cascade.h"

static struct err e;

static struct cascade *make(int n_caches, int slots, int n_lanes)
{
    struct cascade *c;
    if (cascade_new(&c, n_caches, slots, 0, n_lanes, &e))
        fail_msg("%s", e.msg);
    return c;
}

static void add(struct cascade *c, uint32_t token, float score)
{
    float scores[8];
    uint32_t rows[8];
    for (int l = 0; l < c->n_lanes; l++)
        scores[l] = score;
    cascade_add(c, token, scores, rows);
}

// The tokens that LANE holds, oldest first, are WANTED.
static void holds(const struct cascade *c, int lane, int n, const uint32_t *wanted)
{
    uint32_t rows[64];
    assert_int_equal(cascade_order(c, lane, rows), n);
    assert_int_equal(c->held, n);
    for (int i = 0; i < n; i++)
        assert_int_equal(c->token[lane * c->n_rows + (int)rows[i]], wanted[i]);
}

#define HOLDS(c, lane, ...)                                                                        \
    holds(c, lane, (int)(sizeof(uint32_t[]){__VA_ARGS__} / sizeof(uint32_t)),                      \
          (uint32_t[]){__VA_ARGS__})

// Two sub-caches of two slots, all scores alike, so that a later token always wins.
static void every_second_token_goes_on(void **state)
{
    (void)state;
    struct cascade *c = make(2, 2, 1);
    add(c, 0, 1);
    add(c, 1, 1);
    HOLDS(c, 0, 0, 1); // the first sub-cache is full
    add(c, 2, 1);      // 2 is even: the second accepts 0
    HOLDS(c, 0, 0, 1, 2);
    add(c, 3, 1); // it does not accept; 1 competes with 0, its newest, and wins by being later
    HOLDS(c, 0, 1, 2, 3);
    add(c, 4, 1); // it accepts 2, and is full
    HOLDS(c, 0, 1, 2, 3, 4);
    add(c, 5, 1); // 3 takes the place of 2
    HOLDS(c, 0, 1, 3, 4, 5);
    add(c, 6, 1); // it accepts 4 and loses 1, its oldest
    HOLDS(c, 0, 3, 4, 5, 6);
    cascade_free(c);
}

// The same stream where token 2 received most: what came before it competes in vain. The newest of
// the second sub-cache is 2 when 3 comes (at token 5), which loses; 4 is accepted unasked (at token
// 6).
static void the_better_token_stays(void **state)
{
    (void)state;
    struct cascade *c = make(2, 2, 1);
    for (uint32_t t = 0; t < 6; t++)
        add(c, t, t == 2 ? 9 : 1);
    HOLDS(c, 0, 1, 2, 4, 5);
    add(c, 6, 1); // 4 is accepted, 1 lost
    HOLDS(c, 0, 2, 4, 5, 6);
    cascade_free(c);
}

// Three sub-caches of one slot. The third accepts at every fourth token, what the second loses,
// which it does at every second: 0 appended at 2 when it is empty, though 2 is no multiple of 4.
static void an_empty_sub_cache_takes_what_comes(void **state)
{
    (void)state;
    struct cascade *c = make(3, 1, 1);
    add(c, 0, 1);
    HOLDS(c, 0, 0);
    add(c, 1, 1); // 0 goes on; the second does not accept at 1, but is empty
    HOLDS(c, 0, 0, 1);
    add(c, 2, 1); // the second accepts 1 and loses 0; the third does not accept, but is empty
    HOLDS(c, 0, 0, 1, 2);
    add(c, 3, 1); // 2 competes with 1 in the second
    HOLDS(c, 0, 0, 2, 3);
    add(c, 4, 1); // the second accepts 3 and loses 2, the third accepts that and loses 0
    HOLDS(c, 0, 2, 3, 4);
    add(c, 5, 1);
    HOLDS(c, 0, 2, 4, 5);
    add(c, 6, 1); // the second loses 4; the third does not accept at 6: 4 competes with 2
    HOLDS(c, 0, 4, 5, 6);
    cascade_free(c);
}

// Two sub-caches of one slot behind a window: the first accepts at every second token, the second
// at every fourth.
static void behind_a_window(void **state)
{
    (void)state;
    struct cascade *c;
    assert_int_equal(cascade_new(&c, 2, 1, 1, 1, &e), 0);
    add(c, 0, 9);
    HOLDS(c, 0, 0);
    add(c, 1, 1); // it does not accept, and 1 is worth less than 0: dropped as it comes
    HOLDS(c, 0, 0);
    add(c, 2, 1); // it accepts, 0 goes on; the second does not accept at 2, but is empty
    HOLDS(c, 0, 0, 2);
    add(c, 3, 1); // 3 competes with 2
    HOLDS(c, 0, 0, 3);
    add(c, 4, 1); // both accept: 0 is lost
    HOLDS(c, 0, 3, 4);
    cascade_free(c);
}

// One sub-cache is a sliding window.
static void one_sub_cache_slides(void **state)
{
    (void)state;
    struct cascade *c = make(1, 3, 1);
    for (uint32_t t = 0; t < 7; t++)
        add(c, t, 1);
    HOLDS(c, 0, 4, 5, 6);
    cascade_free(c);
}

static void each_lane_keeps_its_own(void **state)
{
    (void)state;
    struct cascade *c = make(2, 1, 2);
    uint32_t rows[2];
    cascade_add(c, 0, (float[]){5, 1}, rows);
    cascade_add(c, 1, (float[]){1, 1}, rows); // 0 goes on into the empty second
    cascade_add(c, 2, (float[]){1, 1}, rows); // 1 is accepted there
    cascade_add(c, 3, (float[]){1, 1}, rows); // 2 competes with 1
    HOLDS(c, 0, 2, 3);
    HOLDS(c, 1, 2, 3);
    cascade_add(c, 4, (float[]){1, 1}, rows); // 3 is accepted
    cascade_attend(c, 1, rows[1], -.5f);      // 4 becomes worse than 3 in lane 1 alone
    cascade_add(c, 5, (float[]){1, 1}, rows);
    HOLDS(c, 0, 4, 5);
    HOLDS(c, 1, 3, 5);
    cascade_free(c);
}

// A score of 1 is 1 / gamma times as much one token later.
static void scores_decay(void **state)
{
    (void)state;
    struct cascade *c = make(1, 2, 1);
    uint32_t a, b;
    cascade_add(c, 0, (float[]){1}, &a);
    assert_true(cascade_score(c, 0, a) == 1);
    cascade_add(c, 1, (float[]){3}, &b);
    assert_true(cascade_score(c, 0, b) == 3);
    assert_true(cascade_score(c, 0, a) == (float)CASCADE_DECAY);
    cascade_attend(c, 0, a, 2);
    assert_true(cascade_score(c, 0, a) == (float)(2 + CASCADE_DECAY));
    cascade_free(c);
}

// A long stream: tokens in order and each in a row of its own, the near ones all there, the span as
// it is said, and no score grows without bounds.
static void a_long_stream(void **state)
{
    (void)state;
    enum { N = 4, SLOTS = 8, TOKENS = 1000000 };
    struct cascade *c = make(N, SLOTS, 2);
    uint32_t random = 1, rows[N * SLOTS];
    for (uint32_t t = 0; t < TOKENS; t++) {
        random = random * 1664525 + 1013904223;
        uint32_t at[2];
        cascade_add(c, t, (float[]){(float)(random >> 8), (float)(random & 255)}, at);
    }
    assert_int_equal(c->held, N * SLOTS);
    for (int l = 0; l < 2; l++) {
        unsigned char used[N * SLOTS + 1] = {0};
        assert_int_equal(cascade_order(c, l, rows), N * SLOTS);
        uint32_t last = 0;
        for (int i = 0; i < N * SLOTS; i++) {
            uint32_t token = c->token[l * c->n_rows + (int)rows[i]];
            assert_true(i == 0 || token > last);
            last = token;
            assert_false(used[rows[i]]++);
            assert_true(cascade_score(c, l, rows[i]) <= 0x1p24f);
            if (i >= (N - 1) * SLOTS)
                assert_int_equal(token, TOKENS - N * SLOTS + i);
        }
        // The oldest is about SLOTS * (1 + 2 + 4 + 8) tokens back.
        uint32_t back = TOKENS - c->token[l * c->n_rows + (int)rows[0]];
        assert_in_range(back, SLOTS * 15 - 16, SLOTS * 15 + 16);
    }
    cascade_free(c);
}

static uint32_t play(struct cascade *c, uint32_t from, uint32_t to)
{
    uint32_t sum = 0;
    for (uint32_t t = from; t < to; t++) {
        uint32_t at[3];
        cascade_add(c, t, (float[]){(float)(t % 7), (float)(t * 5 % 11), (float)(t * t % 13)}, at);
        sum = sum * 31 + at[0] + 3 * at[1] + 9 * at[2];
    }
    return sum;
}

static void what_was_saved_goes_on_as_if_it_had_not_been(void **state)
{
    (void)state;
    struct cascade *c = make(3, 4, 3), *d = make(3, 4, 3);
    struct bytes b = {0};
    play(c, 0, 50);
    assert_int_equal(cascade_save(c, &b, &e), 0);
    struct cursor from = {b.p, b.n, 0};
    assert_int_equal(cascade_load(d, &from, &e), 0);
    assert_int_equal(from.left, 0);
    assert_int_equal(play(c, 50, 90), play(d, 50, 90));
    // A row that does not exist, and an end that comes too early.
    ((unsigned char *)b.p)[16 + 3 * 16] = 200;
    from = (struct cursor){b.p, b.n, 0};
    assert_int_equal(cascade_load(d, &from, &e), ERR_FORMAT);
    ((unsigned char *)b.p)[16 + 3 * 16] = 0;
    from = (struct cursor){b.p, b.n - 1, 0};
    assert_int_equal(cascade_load(d, &from, &e), ERR_FORMAT);
    free(b.p);
    cascade_free(c);
    cascade_free(d);
}

// What a file keeps, tokens and scores in order, is enough to go on.
static void a_filled_cascade_goes_on(void **state)
{
    (void)state;
    for (uint32_t n = 1; n < 60; n++) {
        struct cascade *c = make(3, 4, 3), *d = make(3, 4, 3);
        play(c, 0, n);
        for (int l = 0; l < 3; l++) {
            uint32_t rows[12], token[12];
            float score[12];
            int held = cascade_order(c, l, rows);
            for (int i = 0; i < held; i++) {
                token[i] = c->token[l * c->n_rows + (int)rows[i]];
                score[i] = cascade_score(c, l, rows[i]);
            }
            cascade_fill(d, l, c->seen, held, token, score);
        }
        play(c, n, n + 20);
        play(d, n, n + 20);
        for (int l = 0; l < 3; l++) {
            uint32_t rows[12], wanted[12];
            int held = cascade_order(c, l, rows);
            for (int i = 0; i < held; i++)
                wanted[i] = c->token[l * c->n_rows + (int)rows[i]];
            holds(d, l, held, wanted);
        }
        cascade_free(c);
        cascade_free(d);
    }
}

static void shapes_are_checked(void **state)
{
    (void)state;
    struct cascade *c;
    assert_int_equal(cascade_new(&c, 0, 4, 0, 1, &e), ERR_USAGE);
    assert_int_equal(cascade_new(&c, 64, 4, 1, 1, &e), ERR_USAGE);
    assert_int_equal(cascade_new(&c, 65, 4, 0, 1, &e), ERR_USAGE);
    assert_int_equal(cascade_new(&c, 4, 4097, 0, 1, &e), ERR_USAGE);
    assert_null(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_second_token_goes_on),
        cmocka_unit_test(the_better_token_stays),
        cmocka_unit_test(an_empty_sub_cache_takes_what_comes),
        cmocka_unit_test(behind_a_window),
        cmocka_unit_test(one_sub_cache_slides),
        cmocka_unit_test(each_lane_keeps_its_own),
        cmocka_unit_test(scores_decay),
        cmocka_unit_test(a_long_stream),
        cmocka_unit_test(what_was_saved_goes_on_as_if_it_had_not_been),
        cmocka_unit_test(a_filled_cascade_goes_on),
        cmocka_unit_test(shapes_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
