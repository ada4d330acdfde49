// A token's attention that ends early, on a device and on the judge: as many blocks read, the same
// output.
#include "tests/unit/kernels/device_tests.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include "tests/unit/kernels/kernel_cases.h"

enum { SINKS = 5, KEYS = 300, LOCAL = 9, ARRAYS = 10 };

struct art_shape {
    int n_heads, n_kv_heads, head_dim, rope_dim, block;
    float softcap;
    int is_turned; // its keys, as where blocks lie at their own positions
    int distance;  // of what may be seen; 0: any
};

// Queries; keys and values of sinks, blocks and local part; rotations of a query, of local keys, of
// block keys; output.
static size_t size_of(const struct art_shape *s, int i)
{
    size_t kv = (size_t)(s->n_kv_heads * s->head_dim), q = (size_t)(s->n_heads * s->head_dim);
    const size_t sizes[ARRAYS] = {q,
                                  kv * SINKS,
                                  kv * SINKS,
                                  kv * (KEYS + 3),
                                  kv * (KEYS + 3),
                                  kv * LOCAL,
                                  kv * LOCAL,
                                  (size_t)s->rope_dim * LOCAL,
                                  (size_t)s->rope_dim * KEYS,
                                  q};
    return sizes[i];
}

// X: in plain memory, or on the device.
static void attend(struct device *d, const struct art_shape *s, float *const *x,
                   const struct art *how)
{
    struct attend_piece pieces[] = {
        {.k = x[1], .v = x[2], .n = SINKS, .stride = SINKS, .q_rope = x[7]},
        {.k = x[3],
         .v = x[4],
         .n = KEYS,
         .stride = KEYS + 3,
         .q_rope = x[7],
         .art = 1,
         .k_rope = s->is_turned ? x[8] : NULL,
         .max_distance = s->distance,
         .gap = LOCAL - 1},
        {.k = x[5],
         .v = x[6],
         .n = LOCAL,
         .stride = LOCAL,
         .causal = 1,
         .k_rope = x[7],
         .q_rope = x[7] + (LOCAL - 1) * s->rope_dim,
         .q_rope_step = 1},
    };
    const struct attend a = {.q = x[0],
                             .out = x[9],
                             .n_q = 1,
                             .n_heads = s->n_heads,
                             .n_kv_heads = s->n_kv_heads,
                             .head_dim = s->head_dim,
                             .rope_dim = s->rope_dim,
                             .rope_style = ROPE_NEOX,
                             .scale = 0.125f,
                             .softcap = s->softcap,
                             .pieces = pieces,
                             .n_pieces = 3,
                             .art = how};
    d->ops->attend(d, &a);
}

// Blocks that both have read, of all that there are.
static uint64_t same_reading(struct device *judge, const struct art_shape *s, float *const *here,
                             float *const *there, struct art how)
{
    uint64_t want[2] = {0}, read[2] = {7, 70},
             all = (uint64_t)s->n_heads * (uint64_t)((KEYS + how.block - 1) / how.block);
    size_t n = size_of(s, 9);
    struct err e;
    float *got = new (n, sizeof *got);
    how.read = want;
    attend(judge, s, here, &how);
    how.read = read;
    attend(tested, s, there, &how);
    attend(tested, s, there, &how); // its counts add up
    if (tested->ops->download(tested, got, there[9], n * sizeof *got, &e))
        fail_msg("%s", e.msg);
    compare(tested, "attention that ends early", here[9], got, n, 6e-6);
    assert_int_equal(want[1], all);
    assert_int_equal(read[1], 70 + 2 * all);
    assert_int_equal(read[0], 7 + 2 * want[0]);
    free(got);
    return want[0];
}

static void check_art(struct device *judge, const struct art_shape *s)
{
    float *here[ARRAYS], *there[ARRAYS];
    struct err e;
    for (int i = 0; i < ARRAYS; i++) {
        size_t n = size_of(s, i);
        here[i] = new (n, sizeof *here[i]);
        for (size_t k = 0; k < n; k++)
            here[i][k] = uniform() + (i == 4); // the mean of such values settles
        if (i == 7 || i == 8)
            random_turns(here[i], i == 7 ? LOCAL : KEYS, s->rope_dim);
        if (!(there[i] = tested->ops->alloc(tested, n * sizeof(float), &e)) ||
            tested->ops->upload(tested, there[i], here[i], n * sizeof(float), &e))
            fail_msg("%s", e.msg);
    }
    // Nothing changes by less than nothing; everything by less than ten times: as many blocks as
    // patience asks for.
    uint64_t blocks = (uint64_t)((KEYS + s->block - 1) / s->block),
             all = (uint64_t)s->n_heads * blocks;
    assert_int_equal(same_reading(judge, s, here, there, (struct art){0, 1, 1, s->block, NULL}),
                     all);
    assert_int_equal(same_reading(judge, s, here, there, (struct art){10, 10, 2, s->block, NULL}),
                     (blocks > 1 ? 2 : 1) * s->n_heads);
    uint64_t soon =
        same_reading(judge, s, here, there, (struct art){0.05f, 0.01f, 1, s->block, NULL});
    uint64_t late =
        same_reading(judge, s, here, there, (struct art){0.05f, 0.01f, 3, s->block, NULL});
    assert_true((uint64_t)s->n_heads <= soon && soon <= late && late <= all);
    for (int i = 0; i < ARRAYS; i++) {
        tested->ops->free(tested, there[i]);
        free(here[i]);
    }
}

void device_attend_art(void **state)
{
    (void)state;
    static const struct art_shape shapes[] = {
        {2, 2, 8, 8, 16, 0, 0, 0},     {9, 3, 64, 64, 16, 0, 0, 0},   {8, 8, 40, 32, 7, 20, 1, 0},
        {6, 2, 128, 128, 64, 0, 1, 0}, {12, 1, 33, 16, 1, 0, 0, 0},   {4, 2, 64, 64, 300, 0, 0, 0},
        {4, 2, 64, 64, 1000, 0, 1, 0}, {3, 1, 64, 64, 32, 0, 1, 150}, {2, 1, 256, 256, 16, 0, 0, 0},
    };
    struct device *judge;
    struct err e;
    if (device_open(&judge,
                    &(struct device_options){.name = "cpu", .isa = "ref", .threads = 1, .exact = 1},
                    NULL, 0, &e))
        fail_msg("%s", e.msg);
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        check_art(judge, &shapes[i]);
    device_close(judge);
}

// A block that changes nothing for three blocks is followed by one that would change much: see
// test_attend.c.
void device_attend_art_alone(void **state)
{
    (void)state;
    float q[2] = {1, 1}, zero[8] = {0}, v[] = {0, 6, 0, 6, 0, 6, 0, 60}, out[2];
    float *there[4];
    const float *here[] = {q, zero, v, out};
    const size_t sizes[] = {sizeof q, sizeof zero, sizeof v, sizeof out};
    struct err e;
    for (int i = 0; i < 4; i++)
        if (!(there[i] = tested->ops->alloc(tested, sizes[i], &e)) ||
            (i < 3 && tested->ops->upload(tested, there[i], here[i], sizes[i], &e)))
            fail_msg("%s", e.msg);
    for (int patience = 1; patience <= 3;
         patience++) { // no piece before it: the first block changes everything
        uint64_t read[2] = {0};
        struct attend_piece p = {.k = there[1], .v = there[2], .n = 4, .stride = 4, .art = 1};
        const struct art how = {
            .scale = 0.2f, .direction = 0.1f, .patience = patience, .block = 1, .read = read};
        const struct attend a = {.q = there[0],
                                 .out = there[3],
                                 .n_q = 1,
                                 .n_heads = 1,
                                 .n_kv_heads = 1,
                                 .head_dim = 2,
                                 .rope_dim = 2,
                                 .scale = 1,
                                 .pieces = &p,
                                 .n_pieces = 1,
                                 .art = &how};
        tested->ops->attend(tested, &a);
        assert_int_equal(tested->ops->download(tested, out, there[3], sizeof out, &e), 0);
        assert_int_equal(read[0], patience == 3 ? 4 : patience + 1);
        assert_int_equal(read[1], 4);
        compare(tested, "by hand", (const float[]){0, patience == 3 ? 19.5f : 6}, out, 2, 1e-6);
    }
    for (int i = 0; i < 4; i++)
        tested->ops->free(tested, there[i]);
}
