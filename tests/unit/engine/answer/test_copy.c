// What copying favours, by hand: tokens are numbers here.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "engine/answer/copy.h"

enum { VOCAB = 40 };
#define N(a) ((int)(sizeof(a) / sizeof *(a)))

// The logits of what follows N tokens WRITTEN, all 0 before; 3 is for a token that goes on with
// them.
static void favoured(const uint32_t *read, int n_read, const uint32_t *asked, int n_asked,
                     const uint32_t *written, int n, float *logits)
{
    struct copies c;
    struct err e;
    for (int i = 0; i < VOCAB; i++)
        logits[i] = 0;
    struct bonuses b = {0};
    assert_int_equal(copies_new(&c, 3, read, n_read, asked, n_asked, VOCAB, &e), 0);
    assert_int_equal(copies_favour(&c, written, n, &b, &e), 0);
    bonuses_apply(&b, logits);
    for (size_t i = 0; i < b.n; i++) // each token once
        assert_true(logits[b.v[i].id] == b.v[i].by);
    float again[VOCAB] = {0};
    b.n = 0;
    assert_int_equal(copies_favour(&c, written, n, &b, &e), 0); // it remembers nothing
    bonuses_apply(&b, again);
    assert_memory_equal(again, logits, sizeof again);
    copies_done(&c);
    bonuses_done(&b);
    for (int t = 0; t < VOCAB; t++) {
        int there = 0;
        for (int i = 0; i < n_read; i++)
            there |= read[i] == (uint32_t)t;
        assert_true(there ? logits[t] == 1 || logits[t] == 3 : logits[t] == 0);
    }
}

static void test_words(void **state)
{
    (void)state;
    const uint32_t read[] = {7, 8, 7, 9, 7}, written[] = {30, 7};
    float logits[VOCAB];
    favoured(read, N(read), NULL, 0, NULL, 0, logits);
    assert_true(logits[7] == 1 && logits[8] == 1 && logits[9] == 1);
    favoured(read, N(read), NULL, 0, written, 1, logits); // 30 is not there
    assert_true(logits[7] == 1 && logits[8] == 1 && logits[9] == 1);
    favoured(read, N(read), NULL, 0, written, 2, logits);
    assert_true(logits[7] == 1 && logits[8] == 3 && logits[9] == 3);
}

// A number whose digits repeat goes on as it stands there, however often one of them has come.
static void test_longest(void **state)
{
    (void)state;
    const uint32_t read[] = {5, 8, 8, 8, 6, 4, 8, 2}, written[] = {5, 8, 8, 8};
    float logits[VOCAB];
    favoured(read, N(read), NULL, 0, written, 2, logits);
    assert_true(logits[8] == 3 && logits[6] == 1 && logits[2] == 1);
    favoured(read, N(read), NULL, 0, written, 4, logits);
    assert_true(logits[6] == 3 && logits[8] == 1 && logits[2] == 1);
}

// Of two places where 1 stands, the one behind the key that the question names, 20 to 27, is meant;
// in front of it all there is none nearer.
static void test_anchor(void **state)
{
    (void)state;
#define KEY 20, 21, 22, 23, 24, 25, 26, 27
    const uint32_t read[] = {1, 10, KEY, 1, 11, 28, 1, 12}, asked[] = {30, KEY, 31},
                   written[] = {1};
    float logits[VOCAB];
    favoured(read, N(read), asked, N(asked), written, 1, logits);
    assert_true(logits[11] == 3 && logits[10] == 1 && logits[12] == 1);
    favoured(read, N(read), asked, N(asked) - 2, written, 1,
             logits); // fewer words in a row say nothing
    assert_true(logits[11] == 3 && logits[10] == 3 && logits[12] == 3);
    const uint32_t last[] = {1, 10, 2, 1, 11, KEY};
    favoured(last, N(last), asked, N(asked), written, 1, logits);
    assert_true(logits[10] == 3 && logits[11] == 3);
}

// The bonus that token T would get; the answer is GIVEN [n_given] and then WRITTEN [n].
static float bonus_of(struct copies *c, const uint32_t *written, int n, uint32_t t)
{
    struct bonuses b = {0};
    struct err e;
    float by = 0;
    assert_int_equal(copies_favour(c, written, n, &b, &e), 0);
    for (size_t i = 0; i < b.n; i++)
        by = b.v[i].id == t ? b.v[i].by : by;
    bonuses_done(&b);
    return by;
}

// The first words of an answer that was given them count as if they had been written.
static void test_given(void **state)
{
    (void)state;
    const uint32_t read[] = {1, 2, 10, 3, 4, 11, 5, 4, 12}, given[] = {30, 3, 4}, written[] = {4};
    struct copies c;
    struct err e;
    assert_int_equal(copies_new(&c, 3, read, N(read), NULL, 0, VOCAB, &e), 0);
    assert_true(bonus_of(&c, NULL, 0, 11) == 1);
    c.given = given;
    c.n_given = N(given);
    assert_true(bonus_of(&c, NULL, 0, 11) == 3 && bonus_of(&c, NULL, 0, 12) == 1);
    c.n_given = 2;
    assert_true(bonus_of(&c, written, 1, 11) == 3 &&
                bonus_of(&c, written, 1, 12) == 1); // across the border
    copies_done(&c);
}

// A given word alone, 4, does not lead to 5 6, which the question says, but to what it does not.
static void test_given_alone(void **state)
{
    (void)state;
    const uint32_t read[] = {10, 4, 5, 6, 7}, asked[] = {30, 5, 6, 31}, given[] = {31, 4},
                   more[] = {10, 4};
    struct copies c;
    struct err e;
    assert_int_equal(copies_new(&c, 3, read, N(read), asked, N(asked), VOCAB, &e), 0);
    c.given = given;
    c.n_given = N(given);
    assert_true(bonus_of(&c, NULL, 0, 5) == 1 && bonus_of(&c, NULL, 0, 10) == 1);
    assert_true(bonus_of(&c, more, N(more), 5) == 3); // said by the model itself it does
    copies_done(&c);
    assert_int_equal(copies_new(&c, 3, read, N(read), asked, 2, VOCAB, &e), 0);
    c.given = given;
    c.n_given = N(given);
    assert_true(bonus_of(&c, NULL, 0, 5) == 3);
    copies_done(&c);
}

// Of a list each part is said once: 10 11 12 here, and 10 14 15 and 16 17 18 then.
static void test_once(void **state)
{
    (void)state;
    const uint32_t read[] = {1, 10, 11, 12, 2, 1, 10, 14, 15, 2, 1, 16, 17, 18},
                   written[] = {1, 10, 11, 12, 30, 1, 10, 14, 15, 30, 1};
    struct copies c;
    struct err e;
    assert_int_equal(copies_new(&c, 3, read, N(read), NULL, 0, VOCAB, &e), 0);
    assert_true(bonus_of(&c, written, 6, 10) == 3 && bonus_of(&c, written, 7, 11) == 3);
    c.once = 1;
    assert_true(bonus_of(&c, written, 2, 11) == 3 &&
                bonus_of(&c, written, 2, 14) == 3); // still being said
    assert_true(bonus_of(&c, written, 4, 11) == 1);
    assert_true(bonus_of(&c, written, 5, 11) == 0 && bonus_of(&c, written, 5, 14) == 1);
    assert_true(bonus_of(&c, written, 6, 10) == 3 && bonus_of(&c, written, 6, 16) == 3);
    assert_true(bonus_of(&c, written, 7, 14) == 3 && bonus_of(&c, written, 7, 11) == 0);
    assert_true(bonus_of(&c, written, 11, 16) == 3 && bonus_of(&c, written, 11, 10) == 0);
    copies_done(&c);
}

static void test_nothing(void **state)
{
    (void)state;
    const uint32_t read[] = {1};
    struct bonuses b = {0};
    struct copies c;
    struct err e;
    for (int i = 0; i < 2; i++) {
        assert_int_equal(copies_new(&c, (float)i, read, 1 - i, read, 1, VOCAB, &e), 0);
        assert_null(c.marks);
        assert_int_equal(copies_favour(&c, read, 1, &b, &e), 0);
        assert_true(b.n == 0);
        copies_done(&c);
    }
}

// Where the longest end goes on, the first of equal ones, and how long it is.
static void test_end(void **state)
{
    (void)state;
    const uint32_t text[] = {5, 6, 1, 4, 5, 6, 2, 9, 5, 6, 3}, none[] = {5, 8}, twice[] = {8, 5, 6},
                   thrice[] = {4, 5, 6}, last[] = {5, 6, 3};
    int at = -1;
    assert_int_equal(copies_end(text, N(text), none, N(none), &at), 0);
    assert_int_equal(copies_end(text, N(text), last, N(last), &at), 0);
    assert_int_equal(copies_end(NULL, 0, twice, N(twice), &at), 0);
    assert_int_equal(at, -1);
    assert_int_equal(copies_end(text, N(text), twice, N(twice), &at), 2);
    assert_int_equal(at, 2);
    assert_int_equal(copies_end(text, N(text), thrice, N(thrice), &at), 3);
    assert_int_equal(at, 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_words),       cmocka_unit_test(test_longest),
        cmocka_unit_test(test_anchor),      cmocka_unit_test(test_given),
        cmocka_unit_test(test_given_alone), cmocka_unit_test(test_once),
        cmocka_unit_test(test_nothing),     cmocka_unit_test(test_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
