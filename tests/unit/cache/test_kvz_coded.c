// Codecs 3 to 5: their promises about errors and bits, and bytes that nobody vouches for. What
// they are made of has test_mix.c.
#include "tests/unit/cache/kvz_make.h"

#include "cache/basis.h"
#include "cache/codec.h"
#include "io/mem.h"

enum { TOKENS = 64, MODEL_HEADS = 3, MODEL_DIM = 16, WIDE = MODEL_HEADS * MODEL_DIM, SAMPLE = 600 };

// Elements that a few directions explain, with a mean: [MODEL_HEADS][stride][MODEL_DIM].
static void fill(float *x, uint32_t n, uint32_t stride, uint64_t seed)
{
    for (uint32_t t = 0; t < n; t++) {
        float hidden[WIDE];
        for (uint32_t i = 0; i < WIDE; i++) {
            uint64_t s = (seed * 100000 + t) * 1000 + i * 3;
            hidden[i] = (make_noise(s) + make_noise(s + 1) + make_noise(s + 2)) / (1 + (float)i);
        }
        for (uint32_t i = 0; i < WIDE; i++) {
            float sum = i == 3 ? 5 : 0;
            for (uint32_t j = 0; j < WIDE; j++)
                sum += hidden[j] * make_noise(i * 777 + j * 13 + 5);
            x[((size_t)(i / MODEL_DIM) * stride + t) * MODEL_DIM + i % MODEL_DIM] = sum;
        }
    }
}

static struct basis_sample sample(const float *const *k, const float *const *v, int mix,
                                  const struct kvz_fit *fit)
{
    return (struct basis_sample){
        .k = k, .v = v, .n = SAMPLE, .stride = SAMPLE, .skip = 10, .mix = mix, .fit = fit};
}

struct measured {
    struct kvz_meta m;
    struct bytes base;
    struct basis *basis;
    struct codec_shape shape;
    float k[WIDE * TOKENS], v[WIDE * TOKENS]; // a block
    uint8_t *data;
    uint64_t bytes;
};

static const struct codec *codec_of(const struct measured *c)
{
    return codec_find(c->m.recipe.codec);
}

static void make_fitted(struct measured *c, uint32_t id, uint32_t bits, int mix, uint32_t n,
                        const struct kvz_fit *fit)
{
    static float k[WIDE * SAMPLE], v[WIDE * SAMPLE];
    const float *kk = k, *vv = v;
    struct packer *p;
    struct pool *pool;
    *c = (struct measured){.m = {.n_layers = 1,
                                 .n_kv_heads = MODEL_HEADS,
                                 .head_dim = MODEL_DIM,
                                 .recipe = {id, bits, bits, 1}}};
    fill(k, SAMPLE, SAMPLE, 1);
    fill(v, SAMPLE, SAMPLE, 2);
    OK(packer_new(&p, 1, e));
    OK(pool_new(&pool, 2, e));
    const struct basis_sample from = sample(&kk, &vv, mix, fit);
    OK(basis_make(&c->base, &c->m, &from, p, pool, e));
    OK(basis_open(&c->basis, c->base.p, c->base.n, &c->m, pool, e));
    packer_free(p);
    pool_free(pool);
    c->shape = (struct codec_shape){n, MODEL_HEADS, MODEL_DIM, bits, bits, 0, c->basis};
    fill(c->k, n, n, 3);
    fill(c->v, n, n, 4);
    // Far from all that was seen; where keys share directions with values they would feel it.
    c->v[5] = id == CODEC_CODED_PAIRED ? 9 : 900;
    const struct codec *codec = codec_of(c);
    c->data = calloc(1, codec->bound(&c->shape));
    OK(codec->encode(&c->shape, NULL, c->k, c->v, n, c->data, &c->bytes, e));
    assert_true(c->bytes <= codec->bound(&c->shape));
}

static void make_coded(struct measured *c, uint32_t id, uint32_t bits, int mix, uint32_t n)
{
    make_fitted(c, id, bits, mix, n, NULL);
}

static void free_coded(struct measured *c)
{
    basis_close(c->basis);
    free(c->base.p);
    free(c->data);
}

static double error_of(const struct measured *c, const float *x, const float *y)
{
    double error = 0, power = 0;
    for (uint32_t i = 0; i < c->shape.n_tokens * WIDE; i++) {
        error += ((double)x[i] - y[i]) * ((double)x[i] - y[i]);
        power += (double)x[i] * x[i];
    }
    return error / power;
}

static void check_bits(uint32_t codec)
{
    double before = 1;
    for (uint32_t bits = 100; bits <= 700; bits += 200) {
        double error[2], size[2];
        for (int mix = 0; mix < 2; mix++) {
            struct measured c;
            float k[WIDE * TOKENS], v[WIDE * TOKENS];
            make_coded(&c, codec, bits, mix, TOKENS);
            OK(codec_of(&c)->decode(&c.shape, c.data, c.bytes, k, v, TOKENS, e));
            error[mix] = error_of(&c, c.k, k);
            assert_true(bits < 700 || fabsf(v[5] - c.v[5]) < 1);
            size[mix] = ((double)c.bytes - 4 * (codec == CODEC_CODED ? 4 : RANS_STATES)) * 8 /
                        (2 * WIDE * TOKENS);
            assert_true(size[mix] < bits / 100. * 1.15 + 0.25 && size[mix] > bits / 100. * 0.75);
            free_coded(&c);
        }
        assert_true(error[1] < 0.75 * error[0]); // directions pay
        assert_true(error[1] < before / 3);
        before = error[1];
    }
    assert_true(before < 1e-5);
}

static void more_bits_are_less_error(void **state)
{
    (void)state;
    check_bits(CODEC_CODED);
    check_bits(CODEC_CODED_WIDE);
    check_bits(CODEC_CODED_PAIRED);
}

// Layers that were asked to be stored more coarsely are, and the others more finely.
static void layers_have_steps_of_their_own(void **state)
{
    (void)state;
    static float k[WIDE * SAMPLE], v[WIDE * SAMPLE];
    static const float steps[4][MODEL_HEADS] = {{1, 1, 1}, {1, 1, 1}, {4, 4, 4}, {1, 1, 1}};
    const float *kk[2] = {k, k}, *vv[2] = {v, v};
    const struct kvz_meta m = {.n_layers = 2,
                               .n_kv_heads = MODEL_HEADS,
                               .head_dim = MODEL_DIM,
                               .recipe = {CODEC_CODED_WIDE, 300, 300, 1}};
    fill(k, SAMPLE, SAMPLE, 1);
    fill(v, SAMPLE, SAMPLE, 2);
    struct basis *b[2];
    struct bytes base[2] = {{0}};
    struct pool *pool;
    OK(pool_new(&pool, 1, e));
    for (int i = 0; i < 2; i++) {
        const struct kvz_fit fit = {.steps = steps[0]};
        const struct basis_sample from = sample(kk, vv, 1, i ? &fit : NULL);
        OK(basis_make(&base[i], &m, &from, NULL, pool, e));
        OK(basis_open(&b[i], base[i].p, base[i].n, &m, NULL, e));
    }
    assert_true(b[0]->parts[0].step == b[0]->parts[2].step);
    assert_true(b[1]->parts[2].step == 4 * b[1]->parts[0].step);
    assert_true(b[1]->parts[0].step < 0.6f * b[0]->parts[0].step); // the bits stay the same
    assert_true(b[1]->parts[1].step == b[0]->parts[1].step);
    for (int i = 0; i < 2; i++) {
        basis_close(b[i]);
        free(base[i].p);
    }
    pool_free(pool);
}

// Of heads that share directions one may be stored four times as finely, at the same bits. Without
// directions all have one step.
static void check_heads(uint32_t id)
{
    static const float alike[2][MODEL_HEADS] = {{1, 1, 1}, {1, 1, 1}},
                       own[2][MODEL_HEADS] = {{1, 0.25f, 1}, {1, 1, 1}};
    double error[2][2][MODEL_HEADS] = {{{0}}};
    uint64_t bytes[2];
    for (int mix = 0; mix < 2; mix++) {
        for (int i = 0; i < 2; i++) {
            const struct kvz_fit fit = {.steps = i ? own[0] : alike[0]};
            float k[WIDE * TOKENS], v[WIDE * TOKENS];
            struct measured c;
            make_fitted(&c, id, 350, mix, TOKENS, &fit);
            OK(codec_of(&c)->decode(&c.shape, c.data, c.bytes, k, v, TOKENS, e));
            for (size_t j = 0; j < WIDE * TOKENS; j++)
                error[mix][i][j / (TOKENS * MODEL_DIM)] +=
                    (double)((k[j] - c.k[j]) * (k[j] - c.k[j]));
            bytes[i] = c.bytes;
            free_coded(&c);
        }
        assert_true(bytes[1] < 1.08 * bytes[0] && bytes[1] > 0.92 * bytes[0]);
    }
    const double *was = error[1][0], *is = error[1][1];
    const double others = (is[0] + is[2]) / (was[0] + was[2]);
    assert_true(others > 1 && others < 4);
    assert_true(is[1] / was[1] < 0.125 * others && is[1] / was[1] > 0.03 * others); // a sixteenth
    for (int h = 0; h < MODEL_HEADS; h++)
        assert_true(fabs(error[0][1][h] / error[0][0][h] - 1) < 0.1);
}

static void heads_have_steps_of_their_own(void **state)
{
    (void)state;
    check_heads(CODEC_CODED_WIDE);
    check_heads(CODEC_CODED_PAIRED);
}

// Where values follow from keys, directions that they have in common need fewer bytes at the same
// error; and both parts have the same channels.
static void what_keys_say_of_values_is_not_said_again(void **state)
{
    (void)state;
    static const uint32_t ids[] = {CODEC_CODED_WIDE, CODEC_CODED_PAIRED};
    static float k[WIDE * SAMPLE], v[WIDE * SAMPLE], own[WIDE * SAMPLE], out[2][WIDE * TOKENS];
    const float *kk = k, *vv = v;
    uint64_t bytes[2];
    double error[2][2] = {{0}};
    struct pool *pool;
    fill(k, SAMPLE, SAMPLE, 1);
    fill(own, SAMPLE, SAMPLE, 2);
    for (size_t i = 0; i < WIDE * SAMPLE; i++)
        v[i] = 0.02f * (k[(i + 2 * MODEL_DIM * SAMPLE) % (WIDE * SAMPLE)] + 0.1f * own[i]);
    OK(pool_new(&pool, 1, e));
    for (int i = 0; i < 2; i++) {
        struct kvz_meta m = {.n_layers = 1,
                             .n_kv_heads = MODEL_HEADS,
                             .head_dim = MODEL_DIM,
                             .recipe = {ids[i], 300, 300, 1}};
        const struct basis_sample from = sample(&kk, &vv, 1, NULL);
        struct bytes base = {0};
        struct basis *b;
        OK(basis_make(&base, &m, &from, NULL, pool, e));
        OK(basis_open(&b, base.p, base.n, &m, pool, e));
        assert_int_equal(b->paired, i);
        assert_true(!i || b->parts[1].groups[0].table == b->parts[0].groups[0].table);
        const struct codec_shape s = {
            .n_tokens = TOKENS, .n_kv_heads = MODEL_HEADS, .head_dim = MODEL_DIM, .basis = b};
        const struct codec *c = codec_find(ids[i]);
        uint8_t *data = calloc(c->bound(&s), 1);
        assert_non_null(data);
        OK(c->encode(&s, NULL, k + 99 * MODEL_DIM, v + 99 * MODEL_DIM, SAMPLE, data, &bytes[i], e));
        OK(c->decode(&s, data, bytes[i], out[0], out[1], TOKENS, e));
        for (size_t j = 0; j < 2 * WIDE * TOKENS; j++) {
            const size_t is_v = j / (WIDE * TOKENS), at = j % (WIDE * TOKENS),
                         h = at / (TOKENS * MODEL_DIM);
            const double was = (double)(is_v ? v : k)[h * SAMPLE * MODEL_DIM + 99 * MODEL_DIM +
                                                      at % (TOKENS * MODEL_DIM)];
            error[i][is_v] += (out[is_v][at] - was) * (out[is_v][at] - was);
        }
        free(data);
        basis_close(b);
        free(base.p);
    }
    // The bits are those that were asked for: what is saved makes the steps finer.
    assert_true(bytes[1] < 1.05 * (double)bytes[0]);
    assert_true(error[1][0] < 0.3 * error[0][0] && error[1][1] < 0.3 * error[0][1]);
    pool_free(pool);
}

// Keys and values of heads that are near are their mean, however they are coded; those of others
// stay as close.
static void check_near(uint32_t id)
{
    static float k[WIDE * SAMPLE], v[WIDE * SAMPLE], out[2][WIDE * TOKENS];
    static const uint8_t near[2][MODEL_HEADS] = {{0, 1, 0},
                                                 {1, 1, 1}}; // of some heads, and of a whole layer
    const float *kk[2] = {k, k}, *vv[2] = {v, v};
    const struct kvz_meta m = {.n_layers = 2,
                               .n_kv_heads = MODEL_HEADS,
                               .head_dim = MODEL_DIM,
                               .recipe = {id, 300, 300, 1}};
    const struct kvz_fit fit = {.near = &near[0][0]};
    struct pool *pool;
    uint64_t bytes[2];
    fill(k, SAMPLE, SAMPLE, 1);
    fill(v, SAMPLE, SAMPLE, 2);
    OK(pool_new(&pool, 1, e));
    for (int mix = 0; mix < 2; mix++) {
        struct bytes base = {0};
        struct basis *b;
        double error = 0, power = 0;
        const struct basis_sample from = sample(kk, vv, mix, &fit);
        OK(basis_make(&base, &m, &from, NULL, pool, e));
        OK(basis_open(&b, base.p, base.n, &m, pool, e));
        for (uint32_t l = 0; l < 2; l++) {
            const struct codec_shape s = {.n_tokens = TOKENS,
                                          .n_kv_heads = MODEL_HEADS,
                                          .head_dim = MODEL_DIM,
                                          .layer = l,
                                          .basis = b};
            const struct codec *c = codec_find(id);
            uint8_t *data = calloc(c->bound(&s), 1);
            assert_non_null(data);
            OK(c->encode(&s, NULL, k + 99 * MODEL_DIM, v + 99 * MODEL_DIM, SAMPLE, data, &bytes[l],
                         e));
            OK(c->decode(&s, data, bytes[l], out[0], out[1], TOKENS, e));
            free(data);
            for (size_t i = 0; i < 2 * WIDE * TOKENS; i++) {
                const size_t is_v = i / (WIDE * TOKENS), at = i % (WIDE * TOKENS),
                             h = at / (TOKENS * MODEL_DIM);
                const float is = out[is_v][at],
                            mean = b->parts[2 * l + is_v].mean[h * MODEL_DIM + at % MODEL_DIM];
                const float was =
                    (is_v ? v
                          : k)[h * SAMPLE * MODEL_DIM + 99 * MODEL_DIM + at % (TOKENS * MODEL_DIM)];
                if (near[l][h])
                    assert_true(is == mean);
                error += near[l][h] ? 0 : (double)((is - was) * (is - was));
                power += near[l][h] ? 0 : (double)((was - mean) * (was - mean));
                assert_int_equal(near[l][h] != 0, basis_is_near(b, l, (uint32_t)h));
            }
        }
        assert_true(error > 0 && error < 0.05 * power);
        assert_true(bytes[1] == 68 && bytes[1] < bytes[0]); // nothing but states
        basis_close(b);
        free(base.p);
    }
    pool_free(pool);
}

static void near_heads_are_their_mean(void **state)
{
    (void)state;
    check_near(CODEC_CODED_WIDE);
    check_near(CODEC_CODED_PAIRED);
}

static void any_number_of_tokens(void **state)
{
    (void)state;
    for (uint32_t n = 1; n < 20; n++) {
        struct measured c;
        float k[WIDE * TOKENS], v[WIDE * TOKENS];
        static const uint32_t ids[] = {CODEC_CODED, CODEC_CODED_WIDE, CODEC_CODED_PAIRED};
        make_coded(&c, ids[n / 2 % 3], 300, n % 2 != 0, n);
        OK(codec_of(&c)->decode(&c.shape, c.data, c.bytes, k, v, n, e));
        assert_true(error_of(&c, c.k, k) < 0.1);
        free_coded(&c);
    }
}

// No byte of a chunk can be changed without being seen, or without the values staying finite.
static void damage(uint32_t codec_id)
{
    struct measured c;
    float k[WIDE * TOKENS], v[WIDE * TOKENS];
    const struct codec *codec = codec_find(codec_id);
    make_coded(&c, codec_id, 400, 1, TOKENS);
    int seen = 0;
    for (uint64_t i = 0; i < 4000; i++) {
        size_t at = (size_t)(fabsf(make_noise(i)) * 0.999f * (float)c.bytes);
        uint8_t was = c.data[at];
        c.data[at] = (uint8_t)(was ^ (1u << i % 8));
        if (codec->decode(&c.shape, c.data, c.bytes, k, v, TOKENS, NULL))
            seen++;
        else
            for (uint32_t j = 0; j < WIDE * TOKENS; j++)
                assert_true(isfinite(k[j]) && isfinite(v[j]));
        c.data[at] = was;
    }
    assert_true(seen > 3000);
    for (uint64_t bytes = 0; bytes < c.bytes; bytes++)
        assert_int_not_equal(codec->decode(&c.shape, c.data, bytes, k, v, TOKENS, NULL), 0);
    // A section that is damaged is refused, or describes something finite.
    for (uint64_t i = 0; i < 2000; i++) {
        size_t at = (size_t)(fabsf(make_noise(i + 9999)) * 0.999f * (float)c.base.n);
        uint8_t was = c.base.p[at];
        struct basis *b;
        c.base.p[at] = (uint8_t)(was + 1 + i % 255);
        if (!basis_open(&b, c.base.p, c.base.n, &c.m, NULL, NULL)) {
            struct codec_shape shape = c.shape;
            shape.basis = b;
            if (!codec->decode(&shape, c.data, c.bytes, k, v, TOKENS, NULL))
                for (uint32_t j = 0; j < WIDE * TOKENS; j++)
                    assert_true(isfinite(k[j]) && isfinite(v[j]));
            basis_close(b);
        }
        c.base.p[at] = was;
    }
    free_coded(&c);
}

static void damage_does_no_harm(void **state)
{
    (void)state;
    damage(CODEC_CODED);
    damage(CODEC_CODED_WIDE);
    damage(CODEC_CODED_PAIRED);
}

static void what_cannot_be_stored_is_named(void **state)
{
    (void)state;
    struct measured c;
    uint64_t bytes;
    make_coded(&c, CODEC_CODED_WIDE, 300, 1, 4);
    const struct codec *codec = codec_of(&c);
    const float odd[] = {NAN, INFINITY, 1e30f};
    for (size_t i = 0; i < 3; i++) {
        c.v[7] = odd[i];
        REFUSED(ERR_FORMAT, "a value is infinite",
                codec->encode(&c.shape, NULL, c.k, c.v, 4, c.data, &bytes, e));
    }
    free_coded(&c);
}

// Section BASE of one layer of one head of two dimensions, without rows, of one table.
static size_t put_small_base(uint8_t *out, int joint, int most, int shift)
{
    const uint32_t head[] = {1, 1, 0, 0};
    const float part[] = {0.5f, 1, 0};
    const uint16_t n = (uint16_t)(2 * most + 2);
    uint8_t *p = out;
    memcpy(p, head, sizeof head);
    p += sizeof head;
    memcpy(p, (uint8_t[]){(uint8_t)joint, (uint8_t)most, (uint8_t)shift, 0}, 4);
    p += 4;
    for (uint16_t i = 0; i < n; i++, p += 2)
        memcpy(p, &(uint16_t){(uint16_t)(i ? 4096 / n : 4096 - (n - 1) * (4096 / n))}, 2);
    for (int i = 0; i < 2; i++, p += 2) {
        memcpy(p, part, sizeof part); // both means are nought
        p += sizeof part;
        memcpy(p, (uint8_t[]){1, 1}, 2);
    }
    return (size_t)(p - out);
}

// A table whose levels could leave the range of coefficients, or 8 bits, is refused.
static void tables_keep_to_their_range(void **state)
{
    (void)state;
    static const int shapes[][4] = {{1, 126, 10, 1}, {1, 127, 0, 0}, {1, 31, 12, 1}, {1, 32, 12, 0},
                                    {1, 64, 11, 0},  {1, 63, 11, 1}, {4, 1, 12, 1},  {4, 1, 13, 0}};
    const struct kvz_meta m = {
        .n_layers = 1, .n_kv_heads = 1, .head_dim = 2, .recipe = {CODEC_CODED_WIDE, 300, 300, 1}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        uint8_t base[1024];
        struct basis *b;
        size_t n = put_small_base(base, shapes[i][0], shapes[i][1], shapes[i][2]);
        if (shapes[i][3]) {
            OK(basis_open(&b, base, n, &m, NULL, e));
            basis_close(b);
        } else {
            REFUSED(ERR_FORMAT, "BASE is wrong", basis_open(&b, base, n, &m, NULL, e));
        }
    }
}

// What one channel is by far larger in than all others is measured and stored nevertheless.
static void one_channel_may_be_large(void **state)
{
    (void)state;
    static float k[WIDE * SAMPLE], v[WIDE * SAMPLE];
    const float *kk = k, *vv = v;
    struct measured c = {.m = {.n_layers = 1,
                               .n_kv_heads = MODEL_HEADS,
                               .head_dim = MODEL_DIM,
                               .recipe = {CODEC_CODED_WIDE, 700, 700, 1}}};
    struct pool *pool;
    float got[2][WIDE * TOKENS];
    fill(k, SAMPLE, SAMPLE, 1);
    fill(v, SAMPLE, SAMPLE, 2);
    for (uint32_t t = 0; t < SAMPLE; t++)
        k[t * MODEL_DIM] *= 1e3f;
    OK(pool_new(&pool, 1, e));
    const struct basis_sample from = sample(&kk, &vv, 0, NULL);
    OK(basis_make(&c.base, &c.m, &from, NULL, pool, e));
    OK(basis_open(&c.basis, c.base.p, c.base.n, &c.m, pool, e));
    c.shape = (struct codec_shape){TOKENS, MODEL_HEADS, MODEL_DIM, 700, 700, 0, c.basis};
    const struct codec *codec = codec_of(&c);
    c.data = calloc(1, codec->bound(&c.shape));
    fill(c.k, TOKENS, TOKENS, 3);
    fill(c.v, TOKENS, TOKENS, 4);
    for (uint32_t t = 0; t < TOKENS; t++)
        c.k[t * MODEL_DIM] *= 1e3f;
    OK(codec->encode(&c.shape, NULL, c.k, c.v, TOKENS, c.data, &c.bytes, e));
    OK(codec->decode(&c.shape, c.data, c.bytes, got[0], got[1], TOKENS, e));
    assert_true(error_of(&c, c.k, got[0]) < 1e-3 && error_of(&c, c.v, got[1]) < 1e-3);
    free_coded(&c);
    pool_free(pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(more_bits_are_less_error),
        cmocka_unit_test(layers_have_steps_of_their_own),
        cmocka_unit_test(heads_have_steps_of_their_own),
        cmocka_unit_test(what_keys_say_of_values_is_not_said_again),
        cmocka_unit_test(near_heads_are_their_mean),
        cmocka_unit_test(any_number_of_tokens),
        cmocka_unit_test(damage_does_no_harm),
        cmocka_unit_test(what_cannot_be_stored_is_named),
        cmocka_unit_test(tables_keep_to_their_range),
        cmocka_unit_test(one_channel_may_be_large),
    };
    return cmocka_run_group_tests(tests, own_dir_make_quick, own_dir_remove);
}
