// The codecs keep their promises about errors, for numbers of any size, and refuse the rest.
#include "tests/unit/cache/kvz_make.h"

#include <float.h>

#include "cache/codec.h"
#include "io/mem.h"

enum { ROOM = 4 }; // tokens of room after those of the block

struct values {
    struct codec_shape shape;
    uint32_t stride;
    size_t n; // elements of k, and of v
    float *k, *v;
};

static struct values new_values(uint32_t n_tokens, uint32_t heads, uint32_t dim)
{
    struct values x = {.shape = {n_tokens, heads, dim}, .stride = n_tokens + ROOM};
    x.n = (size_t)heads * x.stride * dim;
    x.k = calloc(x.n, sizeof *x.k);
    x.v = calloc(x.n, sizeof *x.v);
    assert_true(x.k && x.v);
    return x;
}

static void free_values(struct values *x)
{
    free(x->k);
    free(x->v);
}

// Greatest error of a group of N elements STEP apart, against what kvz.5 allows.
static void check_group(const float *x, const float *y, size_t n, size_t step, uint32_t codec)
{
    double lo = x[0], hi = x[0], most;
    for (size_t i = 0; i < n; i++) {
        lo = fmin(lo, x[i * step]);
        hi = fmax(hi, x[i * step]);
    }
    most = fmax(fabs(lo), fabs(hi));
    double allowed =
        codec ? 0.51 / 255 * (hi - lo) + most / 4096 + 0x1p-118 : most / 2048 + 0x1p-25;
    for (size_t i = 0; i < n; i++)
        if (!(fabs((double)x[i * step] - y[i * step]) <= allowed))
            fail_msg("%g became %g in a group from %g to %g", (double)x[i * step],
                     (double)y[i * step], lo, hi);
}

static void round_trip(const struct values *x, uint32_t codec)
{
    const struct codec *c = codec_find(codec);
    struct values y = new_values(x->shape.n_tokens, x->shape.n_kv_heads, x->shape.head_dim);
    struct packer *p;
    OK(packer_new(&p, 6, e));
    uint8_t *out = malloc(c->bound(&x->shape));
    uint64_t bytes = 0;
    OK(c->encode(&x->shape, p, x->k, x->v, x->stride, out, &bytes, e));
    assert_true(bytes <= c->bound(&x->shape));
    // The decoder reads from a buffer of exactly this length, so that a sanitizer sees it stray.
    uint8_t *tight = malloc(bytes);
    memcpy(tight, out, bytes);
    OK(c->decode(&x->shape, tight, bytes, y.k, y.v, y.stride, e));
    size_t n = x->shape.n_tokens, dim = x->shape.head_dim;
    for (size_t h = 0; h < x->shape.n_kv_heads; h++) {
        size_t at = h * x->stride * dim;
        for (size_t d = 0; d < dim; d++)
            check_group(x->k + at + d, y.k + at + d, n, dim, codec);
        for (size_t t = 0; t < n; t++)
            check_group(x->v + at + t * dim, y.v + at + t * dim, dim, 1, codec);
        for (size_t i = n * dim; i < x->stride * dim; i++)
            assert_true(y.k[at + i] == 0 && y.v[at + i] == 0);
    }
    free(tight);
    free(out);
    packer_free(p);
    free_values(&y);
}

static void errors_stay_within_bounds(void **state)
{
    (void)state;
    const uint32_t shapes[][3] = {{1, 1, 1}, {64, 3, 64}, {7, 2, 5}, {1, 3, 128}, {129, 1, 33}};
    const struct {
        float scale, offset; // of keys and values
    } kinds[] = {
        {1, 0},     {1, 3},      {0.01f, 500}, {0, 0},          {0, 1.2345678f}, {0, -3e-30f},
        {1e-7f, 0}, {1e-20f, 0}, {1e-38f, 0},  {1e-42f, 0},     {1e-6f, 1},      {1000, -1e4f},
        {6e4f, 0},  {1e10f, 0},  {8e37f, 0},   {4e37f, -4e37f}, {1, 1e30f},      {1e-30f, 1e30f},
    };
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
        for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
            struct values x = new_values(shapes[s][0], shapes[s][1], shapes[s][2]);
            for (size_t j = 0; j < x.n; j++) {
                x.k[j] = kinds[i].offset + kinds[i].scale * make_noise(j * 2 + s);
                x.v[j] = kinds[i].offset + kinds[i].scale * make_noise(j * 2 + 1 + s);
            }
            round_trip(&x, 1);
            if (fabsf(kinds[i].offset) + kinds[i].scale <= 65000)
                round_trip(&x, 0);
            free_values(&x);
        }
}

static void one_odd_channel_spoils_no_other(void **state)
{
    (void)state;
    struct values x = new_values(64, 2, 16);
    for (size_t j = 0; j < x.n; j++) {
        x.k[j] = make_noise(j) * (j % 16 == 3 ? 1e6f : 1);
        x.v[j] = make_noise(j + x.n) * (j / 16 % 7 == 0 ? 1e-9f : 1);
    }
    round_trip(&x, 1);
    free_values(&x);
}

static void symbols_are_packed_when_that_helps(void **state)
{
    (void)state;
    const struct codec *c = codec_find(1);
    struct values x = new_values(64, 3, 64);
    struct packer *p;
    OK(packer_new(&p, 6, e));
    uint8_t *out = malloc(c->bound(&x.shape));
    uint64_t bytes, raw = 2 * 64 * 3 * 64;
    for (size_t j = 0; j < x.n; j++)
        x.k[j] = x.v[j] = make_noise(j); // no symbol is likelier than another
    OK(c->encode(&x.shape, p, x.k, x.v, x.stride, out, &bytes, e));
    assert_true(bytes > raw && bytes < raw * 1.1);
    for (size_t j = 0; j < x.n; j++)
        x.k[j] = x.v[j] = make_noise(j) > 0.9f;
    OK(c->encode(&x.shape, p, x.k, x.v, x.stride, out, &bytes, e));
    assert_true(bytes < raw / 3);
    free(out);
    packer_free(p);
    free_values(&x);
}

static void what_is_no_number_is_refused(void **state)
{
    (void)state;
    const float bad[] = {NAN, -NAN, INFINITY, -INFINITY, FLT_MAX, -FLT_MAX, 1e38f};
    const uint32_t shape[3] = {5, 2, 6};
    for (uint32_t codec = 0; codec < 2; codec++)
        for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
            for (int is_v = 0; is_v < 2; is_v++)
                for (size_t at = 0; at < 5 * 6; at += 29) {
                    const struct codec *c = codec_find(codec);
                    struct values x = new_values(shape[0], shape[1], shape[2]);
                    struct packer *p;
                    uint64_t bytes;
                    OK(packer_new(&p, 1, e));
                    uint8_t *out = malloc(c->bound(&x.shape));
                    (is_v ? x.v : x.k)[x.n / 2 + at] = bad[i];
                    REFUSED(ERR_FORMAT, is_v ? "a value" : "a key",
                            c->encode(&x.shape, p, x.k, x.v, x.stride, out, &bytes, e));
                    free(out);
                    packer_free(p);
                    free_values(&x);
                }
}

// Bytes that no encoder made: refused or decoded, but never read or written out of bounds, and
// never to something that is not a finite number.
static void hostile_chunks_do_no_harm(void **state)
{
    (void)state;
    for (uint32_t codec = 0; codec < 2; codec++) {
        const struct codec *c = codec_find(codec);
        struct values x = new_values(9, 2, 7), y = new_values(9, 2, 7);
        struct packer *p;
        uint64_t bytes;
        OK(packer_new(&p, 6, e));
        uint8_t *good = malloc(c->bound(&x.shape));
        for (size_t j = 0; j < x.n; j++)
            x.k[j] = floorf(3 * make_noise(j));
        OK(c->encode(&x.shape, p, x.k, x.v, x.stride, good, &bytes, e));
        for (uint64_t i = 0; i < 4000; i++) {
            uint64_t cut = i % 4 ? bytes : i / 4 % (bytes + 1);
            uint8_t *bad = malloc(cut + 1);
            memcpy(bad, good, cut);
            for (int j = 0; j < 3 && cut; j++)
                bad[(uint64_t)(fabsf(make_noise(i * 3 + (uint64_t)j)) * 0.999f * (float)cut)] ^=
                    (uint8_t)(1 << i % 8);
            if (!c->decode(&x.shape, bad, cut, y.k, y.v, y.stride, NULL))
                for (size_t j = 0; j < y.n; j++)
                    assert_true(isfinite(y.k[j]) && isfinite(y.v[j]));
            free(bad);
        }
        struct err e;
        assert_int_equal(c->decode(&x.shape, good, bytes - 1, y.k, y.v, y.stride, &e), ERR_FORMAT);
        assert_int_equal(c->decode(&x.shape, good, 0, y.k, y.v, y.stride, &e), ERR_FORMAT);
        free(good);
        packer_free(p);
        free_values(&x);
        free_values(&y);
    }
}

static void packing_keeps_its_bounds(void **state)
{
    (void)state;
    uint8_t data[1000], out[1000], back[1001];
    struct packer *p;
    OK(packer_new(&p, 9, e));
    for (size_t i = 0; i < sizeof data; i++)
        data[i] = (uint8_t)(fabsf(make_noise(i)) * 20);
    size_t n = pack(p, data, sizeof data, out);
    assert_true(n > 0 && n < sizeof data);
    OK(pack_unpack(out, n, back, sizeof data, e));
    assert_memory_equal(back, data, sizeof data);
    REFUSED(ERR_FORMAT, "unpack", pack_unpack(out, n, back, sizeof data - 1, e));
    REFUSED(ERR_FORMAT, "unpack", pack_unpack(out, n, back, sizeof data + 1, e));
    REFUSED(ERR_FORMAT, "unpack", pack_unpack(out, n - 1, back, sizeof data, e));
    assert_int_equal(pack(p, data, 1, out), 0);
    assert_true(pack_plausible(1, 1032));
    assert_false(pack_plausible(1, 3000));
    assert_false(pack_plausible(UINT64_MAX, 1));
    packer_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_stay_within_bounds),
        cmocka_unit_test(one_odd_channel_spoils_no_other),
        cmocka_unit_test(symbols_are_packed_when_that_helps),
        cmocka_unit_test(what_is_no_number_is_refused),
        cmocka_unit_test(hostile_chunks_do_no_harm),
        cmocka_unit_test(packing_keeps_its_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
