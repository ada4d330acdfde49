// Stored blocks on a device: see device_tests.h.
#include "tests/unit/kernels/device_tests.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "cache/codec.h"
#include "tests/unit/kernels/device_twins.h"
#include "tests/unit/kernels/kernel_cases.h"

// A block of codec ID, made floats by the codec and by the device: the same bits.
static void check_stored(uint32_t id, uint32_t bits, uint32_t n, uint32_t heads, uint32_t dim,
                         float size)
{
    const struct codec *c = codec_find(id);
    struct codec_shape shape = {
        .n_tokens = n, .n_kv_heads = heads, .head_dim = dim, .k_bits = bits, .v_bits = bits};
    const size_t each = (size_t)heads * n * dim, stride = n + 3, all = heads * stride * dim;
    struct packer *p;
    struct err e;
    uint64_t bytes = 0;
    float *kv = new (2 * each, sizeof *kv);
    uint8_t *data = new (c->bound(&shape), 1);
    for (size_t i = 0; i < 2 * each; i++)
        kv[i] = size * uniform();
    twins_begin();
    struct twin *k = twin_random(all), *v = twin_random(all); // with room behind each head
    struct kvz_stored x = {.room = NULL};
    if (packer_new(&p, 1, &e) || c->encode(&shape, p, kv, kv + each, n, data, &bytes, &e) ||
        c->decode(&shape, data, bytes, k->host, v->host, (uint32_t)stride, &e) ||
        c->stored(&shape, data, bytes, &x, &e))
        fail_msg("%s: %s", c->name, e.msg);
    tested->ops->put_stored(
        tested, (struct stored_put[]){{x.k, k->there, (int)stride}, {x.v, v->there, (int)stride}},
        2);
    free(x.room); // it may go away behind the call
    memset(data, 0, bytes);
    twin_same(c->name, k, 0);
    twin_same(c->name, v, 0);
    packer_free(p);
    twins_end();
    free(data);
    free(kv);
}

// Runs of all kinds at once, more than a transfer takes: as each one alone.
static void check_stored_together(void)
{
    enum {
        RUNS = 41,
        FEW = 2,
        MANY = 256,
        DIM = 128,
        HEADS = 16,
        GROUPS = HEADS * MANY,
        MOST = GROUPS * DIM
    };
    static const int dims[] = {64, 6, 16, DIM};
    struct stored_put x[RUNS];
    uint8_t *q = new (2 * MOST, 1);
    float *groups = new (2 * GROUPS, sizeof *groups), *got = new (MOST, sizeof *got),
          *want = new (MOST, sizeof *want);
    struct err e;
    twins_begin();
    for (int i = 0; i < 2 * MOST; i++)
        q[i] = (uint8_t)next_random();
    for (int i = 0; i < 2 * GROUPS; i++)
        groups[i] = uniform();
    for (int i = 0; i < RUNS; i++) {
        const int dim = dims[i % 4], is_half = i % 5 == 4, is_large = i % 4 == 3;
        x[i] =
            (struct stored_put){.x = {.q = is_half ? (const uint8_t *)"\0\x3c\0\x40\0\xc2" : q + i,
                                      .m = is_half ? NULL : groups,
                                      .s = is_half ? NULL : groups + GROUPS,
                                      .per_token = i % 3 == 1,
                                      .rotate = !is_half && dim != 6 && i % 2,
                                      .n_heads = is_half    ? 1
                                                 : is_large ? HEADS
                                                            : FEW,
                                      .n = is_half    ? 1
                                           : is_large ? MANY
                                                      : 1 + i % 7,
                                      .head_dim = is_half ? 3 : dim},
                                .stride = MANY};
        if (!(x[i].dst = tested->ops->alloc(tested, MOST * sizeof *x[i].dst, &e)))
            fail_msg("%s", e.msg);
    }
    tested->ops->put_stored(tested, x, 0);
    tested->ops->put_stored(tested, x, RUNS);
    for (int i = 0; i < RUNS; i++) {
        if (tested->ops->download(tested, got, x[i].dst, MOST * sizeof *got, &e))
            fail_msg("%s", e.msg);
        memset(want, 0, MOST * sizeof *want);
        if (tested->ops->upload(tested, x[i].dst, want, MOST * sizeof *want, &e))
            fail_msg("%s", e.msg);
        tested->ops->put_stored(tested, &x[i], 1);
        if (tested->ops->download(tested, want, x[i].dst, MOST * sizeof *want, &e))
            fail_msg("%s", e.msg);
        compare(tested, "runs put together", want, got, MOST, 0);
        assert_true(i % 5 != 4 || (got[0] == 1 && got[1] == 2 && got[2] == -3));
        assert_true(got[1] != 0); // something was put
        tested->ops->free(tested, x[i].dst);
    }
    twins_end();
    free(q);
    free(groups);
    free(got);
    free(want);
}

void device_stored(void **state)
{
    (void)state;
    static const uint32_t shapes[][3] = {{64, 3, 64}, {1, 1, 1},  {7, 2, 128},
                                         {33, 3, 80}, {64, 1, 2}, {5, 2, 256}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        const uint32_t n = shapes[i][0], heads = shapes[i][1], dim = shapes[i][2];
        check_stored(CODEC_FLOAT16, 16, n, heads, dim, 1);
        check_stored(CODEC_FLOAT16, 16, n, heads, dim, 1e-6f);
        check_stored(CODEC_INT8, 8, n, heads, dim, 3);
        check_stored(CODEC_INT8, 8, n, heads, dim, 1e-30f); // tables of 32 bits
        for (uint32_t bits = 2; bits <= 8; bits += bits == 4 ? 4 : 1)
            check_stored(CODEC_ROTATED, bits, n, heads, dim, 40);
    }
    check_stored_together();
}
