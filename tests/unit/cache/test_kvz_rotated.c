// Codec 2 keeps its promises about errors for every number of bits, and refuses what no encoder
// made.
#include "tests/unit/cache/kvz_make.h"

#include <float.h>

#include "cache/codec.h"

enum { ROOM = 3 }; // tokens of room after those of the block

static const uint32_t all_bits[] = {2, 3, 4, 5, 6, 7, 8};
enum { ALL = sizeof all_bits / sizeof *all_bits };

struct values {
    struct codec_shape shape;
    uint32_t stride;
    size_t n;
    float *x[2]; // keys, values
};

static struct values new_values(const struct codec_shape *shape)
{
    struct values v = {.shape = *shape, .stride = shape->n_tokens + ROOM};
    v.n = (size_t)shape->n_kv_heads * v.stride * shape->head_dim;
    for (int i = 0; i < 2; i++)
        assert_non_null(v.x[i] = calloc(v.n, sizeof *v.x[i]));
    return v;
}

static void free_values(struct values *v)
{
    free(v->x[0]);
    free(v->x[1]);
}

static uint8_t *encode(const struct values *v, uint64_t *bytes)
{
    const struct codec *c = codec_find(CODEC_ROTATED);
    struct packer *p;
    OK(packer_new(&p, 1, e));
    uint8_t *out = malloc(c->bound(&v->shape));
    assert_non_null(out);
    OK(c->encode(&v->shape, p, v->x[0], v->x[1], v->stride, out, bytes, e));
    assert_true(*bytes <= c->bound(&v->shape));
    packer_free(p);
    // The decoder reads from a buffer of exactly this length, so that a sanitizer sees it stray.
    return realloc(out, *bytes);
}

static void rotate(double *x, size_t n)
{
    if (n & (n - 1))
        return;
    for (size_t len = 1; len < n; len *= 2)
        for (size_t i = 0; i < n; i++)
            if (!(i & len)) {
                double a = x[i], b = x[i + len];
                x[i] = a + b;
                x[i + len] = a - b;
            }
    for (size_t i = 0; i < n; i++)
        x[i] /= sqrt((double)n);
}

// All rows of a head set side by side, rotated: [n_kv_heads][n_tokens][head_dim].
static double *rotated(const struct values *v, int which)
{
    const struct codec_shape *s = &v->shape;
    size_t dim = s->head_dim;
    double *out = malloc(sizeof *out * s->n_kv_heads * s->n_tokens * dim), *to = out;
    assert_non_null(out);
    for (size_t h = 0; h < s->n_kv_heads; h++)
        for (size_t t = 0; t < s->n_tokens; t++, to += dim) {
            for (size_t d = 0; d < dim; d++)
                to[d] = v->x[which][(h * v->stride + t) * dim + d];
            rotate(to, dim);
        }
    return out;
}

struct spread {
    double lo, hi, rms, error, rms_error;
};

static struct spread group(const double *x, const double *y, size_t n, size_t step)
{
    struct spread g = {x[0], x[0], 0, 0, 0};
    double sum = 0;
    for (size_t i = 0; i < n * step; i += step) {
        g.lo = fmin(g.lo, x[i]);
        g.hi = fmax(g.hi, x[i]);
        g.error = fmax(g.error, fabs(x[i] - y[i]));
        g.rms_error += (x[i] - y[i]) * (x[i] - y[i]) / (double)n;
        sum += x[i] / (double)n;
    }
    for (size_t i = 0; i < n * step; i += step)
        g.rms += (x[i] - sum) * (x[i] - sum) / (double)n;
    g.rms = sqrt(g.rms);
    g.rms_error = sqrt(g.rms_error);
    return g;
}

static void check_groups(const struct values *v, const double *x, const double *y, int is_v)
{
    const struct codec_shape *s = &v->shape;
    size_t n = s->n_tokens, dim = s->head_dim, per = is_v ? n : dim, groups = s->n_kv_heads * per;
    unsigned bits = is_v ? s->v_bits : s->k_bits;
    struct spread *g = malloc(groups * sizeof *g);
    double lo = INFINITY, hi = -INFINITY;
    for (size_t i = 0; i < groups; i++) {
        size_t at = i / per * n * dim + i % per * (is_v ? dim : 1);
        g[i] = group(x + at, y + at, is_v ? dim : n, is_v ? 1 : dim);
        lo = fmin(lo, g[i].lo);
        hi = fmax(hi, g[i].hi);
    }
    // Minima are rounded to 1/255 of what they span, its ends to 1/128 of what they are; steps to
    // 1/16; and sums of floats lose a little more.
    double most = fmax(fabs(lo), fabs(hi));
    double lost = 1.02 * (hi - lo + most / 64) / 255, tiny = most * 0x1p-17 + 0x1p-118;
    for (size_t i = 0; i < groups; i++) {
        double step = 1.08 * (g[i].hi - g[i].lo + lost) / (double)((1 << bits) - 1);
        if (bits > 2 && g[i].error > step / 2 + tiny)
            fail_msg("%u bits, %zu x %zu: error %g in a group from %g to %g of %g to %g", bits, n,
                     dim, g[i].error, g[i].lo, g[i].hi, lo, hi);
        if (g[i].rms_error > g[i].rms + lost + tiny)
            fail_msg("%u bits, %zu x %zu: deviation %g in a group of deviation %g", bits, n, dim,
                     g[i].rms_error, g[i].rms);
    }
    free(g);
}

static void round_trip(const struct values *v)
{
    struct values y = new_values(&v->shape);
    uint64_t bytes;
    uint8_t *data = encode(v, &bytes);
    OK(codec_find(CODEC_ROTATED)->decode(&v->shape, data, bytes, y.x[0], y.x[1], y.stride, e));
    for (int i = 0; i < 2; i++) {
        double *a = rotated(v, i), *b = rotated(&y, i);
        check_groups(v, a, b, i);
        free(a);
        free(b);
        size_t used = (size_t)v->shape.n_tokens * v->shape.head_dim;
        for (size_t h = 0; h < v->shape.n_kv_heads; h++)
            for (size_t j = used; j < v->stride * (size_t)v->shape.head_dim; j++)
                assert_true(y.x[i][h * v->stride * v->shape.head_dim + j] == 0);
    }
    free(data);
    free_values(&y);
}

static void errors_stay_within_bounds(void **state)
{
    (void)state;
    const struct codec_shape shapes[] = {
        {1, 1, 1, 0, 0, 0, NULL},   {64, 3, 64, 0, 0, 0, NULL}, {7, 2, 5, 0, 0, 0, NULL},
        {3, 2, 2, 0, 0, 0, NULL},   {1, 3, 128, 0, 0, 0, NULL}, {129, 1, 33, 0, 0, 0, NULL},
        {10, 2, 80, 0, 0, 0, NULL}, {9, 1, 4, 0, 0, 0, NULL},   {33, 2, 8, 0, 0, 0, NULL}};
    const struct {
        float scale, offset; // of keys and values
    } kinds[] = {{1, 0},        {1, 3},     {0.01f, 500},    {0, 0},      {0, 1.2345678f},
                 {0, -3e-30f},  {1e-7f, 0}, {1e-38f, 0},     {1e-42f, 0}, {1e-6f, 1},
                 {1000, -1e4f}, {1e29f, 0}, {1e28f, -1e29f}, {1, 1e29f}};
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
        for (size_t b = 0; b < ALL * ALL; b++)
            for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
                struct values v = new_values(&shapes[s]);
                v.shape.k_bits = all_bits[b / ALL];
                v.shape.v_bits = all_bits[b % ALL];
                for (size_t j = 0; j < 2 * v.n; j++)
                    v.x[j / v.n][j % v.n] = kinds[i].offset + kinds[i].scale * make_noise(j + s);
                round_trip(&v);
                free_values(&v);
            }
}

static void fewer_bits_are_fewer_bytes(void **state)
{
    (void)state;
    const struct codec_shape shape = {64, 3, 64, 8, 8, 0, NULL};
    struct values v = new_values(&shape);
    uint64_t last = 2 * v.n * 2;
    for (size_t j = 0; j < 2 * v.n; j++) // the sum looks like the bell of keys and values
        for (uint64_t i = 0; i < 6; i++)
            v.x[j / v.n][j % v.n] += make_noise(6 * j + i);
    for (int i = ALL - 1; i >= 0; i--) {
        uint64_t bytes;
        v.shape.k_bits = v.shape.v_bits = all_bits[i];
        free(encode(&v, &bytes));
        assert_true(bytes < last);
        last = bytes;
    }
    // Two bits come down to 1.7 with deflate, and half a bit goes to the groups.
    assert_true(last < 64 * 3 * 64 * 2 * 2.2 / 8);
    free_values(&v);
}

static void what_cannot_be_stored_is_refused(void **state)
{
    (void)state;
    const float bad[] = {NAN, INFINITY, -INFINITY, FLT_MAX, -2e30f};
    const struct codec *c = codec_find(CODEC_ROTATED);
    const struct codec_shape shape = {5, 2, 8, 3, 2, 0, NULL};
    struct packer *p;
    OK(packer_new(&p, 1, e));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        for (int is_v = 0; is_v < 2; is_v++) {
            struct values v = new_values(&shape);
            uint8_t *out = malloc(c->bound(&shape));
            uint64_t bytes;
            v.x[is_v][9] = bad[i];
            REFUSED(ERR_FORMAT, is_v ? "a value" : "a key",
                    c->encode(&shape, p, v.x[0], v.x[1], v.stride, out, &bytes, e));
            free(out);
            free_values(&v);
        }
    packer_free(p);
    for (uint32_t bits = 0; bits <= 17; bits++) {
        struct kvz_recipe r = {CODEC_ROTATED, bits, 8, 1};
        int known = bits >= 2 && bits <= 8;
        assert_int_equal(codec_check(&r, NULL), known ? 0 : ERR_UNSUPPORTED);
    }
}

static void check_hostile(struct values *v, struct values *y, uint8_t *good, uint64_t bytes)
{
    const struct codec *c = codec_find(CODEC_ROTATED);
    for (uint64_t i = 0; i < 1500; i++) {
        uint64_t cut = i % 4 ? bytes : i / 4 % (bytes + 1);
        uint8_t *bad = malloc(cut + 1);
        memcpy(bad, good, cut);
        for (int j = 0; j < 3 && cut; j++) {
            double where = fabs((double)make_noise(i * 3 + (uint64_t)j)) * 0.999;
            // Every other time in the head, where damage does most.
            bad[(uint64_t)(where * (double)(i % 2 && cut > 16 ? 16 : cut))] ^=
                (uint8_t)(1 << i % 8);
        }
        if (!c->decode(&v->shape, bad, cut, y->x[0], y->x[1], y->stride, NULL))
            for (size_t j = 0; j < v->n; j++)
                assert_true(isfinite(y->x[0][j]) && isfinite(y->x[1][j]));
        free(bad);
    }
}

static void hostile_chunks_do_no_harm(void **state)
{
    (void)state;
    const struct codec_shape shapes[] = {{9, 2, 7, 0, 0, 0, NULL}, {9, 2, 16, 0, 0, 0, NULL}};
    for (int i = 0; i < 2; i++)
        for (size_t b = 0; b < ALL * ALL; b++) {
            struct values v = new_values(&shapes[i]), y = new_values(&shapes[i]);
            v.shape.k_bits = all_bits[b / ALL];
            v.shape.v_bits = all_bits[b % ALL];
            for (size_t j = 0; j < 2 * v.n; j++)
                v.x[j / v.n][j % v.n] = floorf(3 * make_noise(j));
            uint64_t bytes;
            uint8_t *good = encode(&v, &bytes);
            check_hostile(&v, &y, good, bytes);
            free(good);
            free_values(&v);
            free_values(&y);
        }
}

// Each rule of the layout, broken.
static void each_rule_is_kept(void **state)
{
    (void)state;
    const struct codec *c = codec_find(CODEC_ROTATED);
    const struct codec_shape shape = {3, 1, 3, 2, 3, 0, NULL};
    const struct {
        size_t at;
        uint8_t flip;
        const char *says;
    } rules[] = {{0, 2, "unknown flags"}, {1, 8, "unknown flags"}, {2, 8, "unknown flags"},
                 {3, 1, "unknown flags"}, {0, 1, "unpack"},        {1, 1, "wrong length"},
                 {5, 0x7f, "not finite"}, {7, 0x80, "not finite"}, {9, 0x80, "not finite"},
                 {11, 0x7f, "not finite"}};
    struct values v = new_values(&shape), y = new_values(&shape);
    for (size_t j = 0; j < 2 * v.n; j++)
        v.x[j / v.n][j % v.n] = 1 + make_noise(j);
    uint64_t bytes;
    uint8_t *data = encode(&v, &bytes);
    // 9 symbols: 3 bytes of keys, then 3 and 2 bytes of values; nothing to deflate.
    assert_int_equal(bytes, 16 + 2 * 3 + 2 * 3 + 3 + 3 + 2);
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        uint8_t was = data[rules[i].at];
        data[rules[i].at] = rules[i].says[0] == 'n' && rules[i].flip == 0x7f
                                ? 0x7f
                                : (uint8_t)(was ^ rules[i].flip);
        if (rules[i].flip == 0x80) // a minus, before something that is not zero
            data[rules[i].at] |= 0x3f;
        REFUSED(ERR_FORMAT, rules[i].says,
                c->decode(&shape, data, bytes, y.x[0], y.x[1], y.stride, e));
        data[rules[i].at] = was;
    }
    OK(c->decode(&shape, data, bytes, y.x[0], y.x[1], y.stride, e));
    // The last byte of a plane of 9 symbols holds some that stand for nothing.
    data[bytes - 1] |= 0x80;
    REFUSED(ERR_FORMAT, "padding", c->decode(&shape, data, bytes, y.x[0], y.x[1], y.stride, e));
    free(data);
    free_values(&v);
    free_values(&y);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_stay_within_bounds),
        cmocka_unit_test(fewer_bits_are_fewer_bytes),
        cmocka_unit_test(what_cannot_be_stored_is_refused),
        cmocka_unit_test(hostile_chunks_do_no_harm),
        cmocka_unit_test(each_rule_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
