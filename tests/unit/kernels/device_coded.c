// Blocks of codecs 3 to 5 decoded by a device and by the processor: the same bits, and of bytes
// that nobody vouches for the same verdict.
#include "tests/unit/kernels/device_tests.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "cache/codec.h"
#include "kernels/coded.h"
#include "tests/unit/kernels/kernel_cases.h"

enum { LAYERS = 2, SAMPLE = 300, APART = 3 };

struct coded_case {
    uint32_t id, bits; // hundredths of a bit
    int mix;
    uint32_t n, heads, dim;
    float size; // of a few elements: escapes
};

// What is measured and stored, and what the processor makes of it.
struct coded_blocks {
    struct kvz_meta m;
    struct bytes base;
    struct basis *basis;
    struct codec_shape shape[LAYERS];
    uint8_t *data[LAYERS];
    uint64_t bytes[LAYERS];
    size_t each;                         // floats of keys or values, with room behind each head
    float *want[LAYERS], *there[LAYERS]; // keys, then values
};

static const struct codec *codec_of(const struct coded_blocks *b)
{
    return codec_find(b->m.recipe.codec);
}

// Elements of which a few directions explain most: [heads][n][dim].
static float *correlated(uint32_t heads, uint32_t n, uint32_t dim)
{
    enum { DIRECTIONS = 3 };
    size_t wide = (size_t)heads * dim;
    float *x = new (wide * n, sizeof *x), *rows = new (DIRECTIONS * wide, sizeof *rows);
    for (size_t i = 0; i < DIRECTIONS * wide; i++)
        rows[i] = uniform();
    for (uint32_t t = 0; t < n; t++)
        for (int i = 0; i < DIRECTIONS; i++) {
            float much = uniform() * 4;
            for (size_t j = 0; j < wide; j++)
                x[(j / dim * n + t) * dim + j % dim] +=
                    much * rows[(size_t)i * wide + j] + 0.1f * uniform();
        }
    free(rows);
    return x;
}

static void measure(struct coded_blocks *b, const struct coded_case *c)
{
    const float *k[LAYERS], *v[LAYERS];
    float *all[2 * LAYERS];
    struct err e;
    struct pool *pool;
    for (int l = 0; l < LAYERS; l++) {
        k[l] = all[2 * l] = correlated(c->heads, SAMPLE, c->dim);
        v[l] = all[2 * l + 1] = correlated(c->heads, SAMPLE, c->dim);
    }
    b->m = (struct kvz_meta){.n_layers = LAYERS,
                             .n_kv_heads = c->heads,
                             .head_dim = c->dim,
                             .recipe = {c->id, c->bits, c->bits, 1}};
    const struct basis_sample sample = {
        .k = k, .v = v, .n = SAMPLE, .stride = SAMPLE, .skip = 4, .mix = c->mix};
    if (pool_new(&pool, 1, &e) || basis_make(&b->base, &b->m, &sample, NULL, pool, &e) ||
        basis_open(&b->basis, b->base.p, b->base.n, &b->m, pool, &e))
        fail_msg("%s", e.msg);
    pool_free(pool);
    for (int i = 0; i < 2 * LAYERS; i++)
        free(all[i]);
}

// Memory on both sides, all of it the same.
static void make_room(struct coded_blocks *b, uint32_t n)
{
    struct err e;
    b->each = (size_t)b->m.n_kv_heads * (n + APART) * b->m.head_dim;
    for (int l = 0; l < LAYERS; l++) {
        b->shape[l] = (struct codec_shape){
            n,           b->m.n_kv_heads, b->m.head_dim, b->m.recipe.k_bits, b->m.recipe.v_bits,
            (uint32_t)l, b->basis};
        b->want[l] = new (2 * b->each, sizeof *b->want[l]);
        for (size_t i = 0; i < 2 * b->each; i++)
            b->want[l][i] = uniform();
        if (!(b->there[l] = tested->ops->alloc(tested, 2 * b->each * sizeof(float), &e)) ||
            tested->ops->upload(tested, b->there[l], b->want[l], 2 * b->each * sizeof(float), &e))
            fail_msg("%s", e.msg);
    }
}

static void store(struct coded_blocks *b, const struct coded_case *c)
{
    struct err e;
    for (int l = 0; l < LAYERS; l++) {
        float *k = correlated(c->heads, c->n, c->dim), *v = correlated(c->heads, c->n, c->dim);
        for (size_t i = 0, all = (size_t)c->heads * c->n * c->dim; i < all; i += 7)
            v[i] *= c->size;
        b->data[l] = new (codec_of(b)->bound(&b->shape[l]), 1);
        if (codec_of(b)->encode(&b->shape[l], NULL, k, v, c->n, b->data[l], &b->bytes[l], &e))
            fail_msg("%s", e.msg);
        free(k);
        free(v);
    }
}

static void free_blocks(struct coded_blocks *b)
{
    for (int l = 0; l < LAYERS; l++) {
        tested->ops->free(tested, b->there[l]);
        free(b->want[l]);
        free(b->data[l]);
    }
    basis_close(b->basis);
    free(b->base.p);
}

// The device decodes BYTES of DATA as layer L, and so does the processor: the same verdict, which
// is returned, and where it is good the same bits.
static int same_verdict(struct coded_blocks *b, int l, const uint8_t *data, uint64_t bytes)
{
    struct err e;
    struct kvz_stored x = {.room = NULL};
    const uint32_t stride = b->shape[l].n_tokens + APART;
    int bad, rc = codec_of(b)->decode(&b->shape[l], data, bytes, b->want[l], b->want[l] + b->each,
                                      stride, NULL);
    int there = codec_of(b)->stored(&b->shape[l], data, bytes, &x, NULL);
    if (there) {
        assert_int_equal(there, rc);
        return rc;
    }
    struct coded_put p = {x.coded, b->there[l], b->there[l] + b->each, (int)stride};
    there = tested->ops->put_coded(tested, &p, 1, &bad, &e);
    assert_int_equal(there, rc);
    assert_int_equal(bad, rc ? 0 : -1);
    if (rc) {
        assert_non_null(strstr(e.msg, "symbols are damaged"));
        return rc;
    }
    float *got = new (2 * b->each, sizeof *got);
    assert_int_equal(tested->ops->download(tested, got, b->there[l], 2 * b->each * sizeof *got, &e),
                     0);
    compare(tested, "a coded block", b->want[l], got, 2 * b->each, 0);
    free(got);
    return rc;
}

// All layers at once, the last one damaged or none.
static void check_together(struct coded_blocks *b, int damaged)
{
    struct coded_put p[LAYERS];
    struct err e;
    const uint32_t stride = b->shape[0].n_tokens + APART;
    uint8_t *last = b->data[LAYERS - 1];
    size_t at = 4;
    int bad;
    while (damaged) { // which not every bit of a state is
        last[at] ^= 1;
        if (codec_of(b)->decode(&b->shape[LAYERS - 1], last, b->bytes[LAYERS - 1],
                                b->want[LAYERS - 1], b->want[LAYERS - 1] + b->each, stride, NULL))
            break;
        last[at++] ^= 1;
    }
    for (int l = 0; l < LAYERS; l++) {
        struct kvz_stored x = {.room = NULL};
        assert_int_equal(codec_of(b)->stored(&b->shape[l], b->data[l], b->bytes[l], &x, &e), 0);
        p[l] = (struct coded_put){x.coded, b->there[l], b->there[l] + b->each, (int)stride};
        codec_of(b)->decode(&b->shape[l], b->data[l], b->bytes[l], b->want[l], b->want[l] + b->each,
                            stride, NULL);
    }
    assert_int_equal(tested->ops->put_coded(tested, p, LAYERS, &bad, &e), damaged ? ERR_FORMAT : 0);
    assert_int_equal(bad, damaged ? LAYERS - 1 : -1);
    last[at] ^= damaged ? 1 : 0;
    float *got = new (2 * b->each, sizeof *got);
    for (int l = 0; l < LAYERS - damaged; l++) {
        assert_int_equal(
            tested->ops->download(tested, got, b->there[l], 2 * b->each * sizeof *got, &e), 0);
        compare(tested, "coded blocks", b->want[l], got, 2 * b->each, 0);
    }
    free(got);
}

static void check_coded(const struct coded_case *c)
{
    struct coded_blocks b = {.base = {0}};
    measure(&b, c);
    make_room(&b, c->n);
    store(&b, c);
    for (int l = 0; l < LAYERS; l++)
        assert_int_equal(same_verdict(&b, l, b.data[l], b.bytes[l]), 0);
    check_together(&b, 1);
    check_together(&b, 0);
    free_blocks(&b);
}

void device_coded(void **state)
{
    (void)state;
    static const struct coded_case cases[] = {
        {CODEC_CODED_WIDE, 200, 1, 64, 3, 16, 1},    {CODEC_CODED, 200, 1, 64, 3, 16, 1},
        {CODEC_CODED_WIDE, 200, 0, 64, 3, 16, 1},    {CODEC_CODED, 200, 0, 33, 3, 16, 1},
        {CODEC_CODED_WIDE, 125, 1, 1, 2, 32, 1},     {CODEC_CODED, 125, 1, 1, 1, 2, 1},
        {CODEC_CODED_WIDE, 700, 1, 7, 3, 20, 1},     {CODEC_CODED, 700, 1, 17, 3, 20, 1},
        {CODEC_CODED_WIDE, 400, 1, 64, 2, 64, 90},   {CODEC_CODED_WIDE, 400, 0, 16, 2, 64, 1e4f},
        {CODEC_CODED, 400, 1, 64, 2, 64, 90},        {CODEC_CODED_WIDE, 150, 1, 130, 5, 80, 1},
        {CODEC_CODED_WIDE, 300, 1, 64, 2, 256, 3},   {CODEC_CODED_WIDE, 200, 1, 9, 1, 8, 1000},
        {CODEC_CODED_PAIRED, 200, 1, 64, 3, 16, 1},  {CODEC_CODED_PAIRED, 200, 0, 64, 3, 16, 1},
        {CODEC_CODED_PAIRED, 125, 1, 1, 2, 32, 1},   {CODEC_CODED_PAIRED, 700, 1, 7, 3, 20, 1},
        {CODEC_CODED_PAIRED, 400, 1, 64, 2, 64, 90}, {CODEC_CODED_PAIRED, 150, 1, 130, 5, 80, 1},
        {CODEC_CODED_PAIRED, 300, 1, 64, 2, 128, 3}, {CODEC_CODED_PAIRED, 200, 1, 9, 1, 8, 1000},
    };
    random_from(4); // what a codec has learnt decides how large a number it can store
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check_coded(&cases[i]);
}

// One word more than is needed, one escape more, a bit behind the last rest.
static void check_more(struct coded_blocks *b)
{
    struct kvz_stored x = {.room = NULL};
    struct err e;
    assert_int_equal(codec_of(b)->stored(&b->shape[0], b->data[0], b->bytes[0], &x, &e), 0);
    size_t words_end = 4 + 4 * (size_t)b->basis->device.n_states + 2 * x.coded.n_words;
    size_t rests_end = words_end + x.coded.rest_bytes, bytes = b->bytes[0];
    uint8_t *more = new (bytes + 4, 1);
    memcpy(more, b->data[0], words_end);
    memcpy(more + words_end + 2, b->data[0] + words_end, bytes - words_end);
    memcpy(more, &(uint32_t){(uint32_t)x.coded.n_words + 1}, 4);
    assert_int_equal(same_verdict(b, 0, more, bytes + 2), ERR_FORMAT);
    memcpy(more, b->data[0], bytes);
    memset(more + bytes, 0, 4);
    assert_int_equal(same_verdict(b, 0, more, bytes + 4), ERR_FORMAT);
    if (x.coded.rest_bytes) {
        more[rests_end - 1] |= 128;
        assert_int_equal(same_verdict(b, 0, more, bytes), ERR_FORMAT);
    }
    free(more);
}

// Bits that are not as they were written, chunks that are cut short, words that are anything at
// all.
void device_coded_damage(void **state)
{
    (void)state;
    static const struct coded_case cases[] = {{CODEC_CODED_WIDE, 400, 1, 21, 3, 16, 40},
                                              {CODEC_CODED, 400, 1, 21, 3, 16, 40},
                                              {CODEC_CODED_PAIRED, 400, 1, 21, 3, 16, 40},
                                              {CODEC_CODED_WIDE, 250, 0, 13, 1, 16, 5000}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct coded_blocks b = {.base = {0}};
        measure(&b, &cases[i]);
        make_room(&b, cases[i].n);
        store(&b, &cases[i]);
        uint8_t *data = b.data[0];
        int seen = 0;
        for (int k = 0; k < 400; k++) {
            size_t at = next_random() % b.bytes[0];
            uint8_t was = data[at];
            data[at] = (uint8_t)(was ^ (1u << k % 8));
            seen += same_verdict(&b, 0, data, b.bytes[0]) != 0;
            data[at] = was;
        }
        assert_true(seen > 200);
        for (uint64_t bytes = 0; bytes < b.bytes[0]; bytes++)
            assert_int_not_equal(same_verdict(&b, 0, data, bytes), 0);
        for (uint64_t k = cases[i].id == CODEC_CODED ? 20 : 68; k < b.bytes[0]; k++)
            data[k] = (uint8_t)next_random();
        assert_int_equal(same_verdict(&b, 0, data, b.bytes[0]), ERR_FORMAT);
        free_blocks(&b);
        memset(&b, 0, sizeof b);
        measure(&b, &cases[i]);
        make_room(&b, cases[i].n);
        store(&b, &cases[i]);
        check_more(&b);
        memset(b.data[0], 0, 4); // no word at all, and all that follows are rests and escapes
        same_verdict(&b, 0, b.data[0], b.bytes[0]);
        free_blocks(&b);
    }
}

// A large chunk, and behind it, at the end of what is copied, one of whose words only the first is
// there.
void device_coded_ends(void **state)
{
    (void)state;
    const struct coded_case c = {CODEC_CODED_WIDE, 300, 0, 800, 4, 128, 1};
    struct coded_blocks b = {.base = {0}};
    struct coded_put p[2];
    struct kvz_stored x = {.room = NULL};
    struct err e;
    int bad;
    measure(&b, &c);
    make_room(&b, c.n);
    store(&b, &c);
    assert_true(b.bytes[0] > 1 << 18);
    assert_int_equal(codec_of(&b)->stored(&b.shape[1], b.data[1], b.bytes[1], &x, &e), 0);
    uint64_t bytes = 4 + 4 * RANS_STATES + 2 + x.coded.rest_bytes;
    uint8_t *cut = new (bytes, 1);
    memcpy(cut, b.data[1], bytes);
    memcpy(cut, &(uint32_t){1}, 4);
    for (int l = 0; l < LAYERS; l++) {
        assert_int_equal(
            codec_of(&b)->stored(&b.shape[l], l ? cut : b.data[l], l ? bytes : b.bytes[l], &x, &e),
            0);
        p[l] = (struct coded_put){x.coded, b.there[l], b.there[l] + b.each, (int)(c.n + APART)};
    }
    assert_int_equal(tested->ops->put_coded(tested, p, LAYERS, &bad, &e), ERR_FORMAT);
    assert_int_equal(bad, 1);
    free(cut);
    free_blocks(&b);
}

// What a device keeps of one index is not taken for another's, however many there are.
void device_coded_names(void **state)
{
    (void)state;
    enum { BASES = 6 };
    const struct coded_case c = {CODEC_CODED_WIDE, 300, 1, 5, 1, 16, 1};
    struct coded_blocks b[BASES] = {{.base = {0}}};
    struct err e;
    int bad;
    for (int i = 0; i < BASES; i++) {
        measure(&b[i], &c);
        make_room(&b[i], c.n);
        store(&b[i], &c);
    }
    for (int k = 0; k < 4 * BASES; k++) {
        int i = (int)(next_random() % BASES);
        assert_int_equal(
            same_verdict(&b[i], k % LAYERS, b[i].data[k % LAYERS], b[i].bytes[k % LAYERS]), 0);
    }
    assert_int_equal(tested->ops->put_coded(tested, NULL, 0, &bad, &e), 0);
    for (int i = 0; i < BASES; i++)
        free_blocks(&b[i]);
}
