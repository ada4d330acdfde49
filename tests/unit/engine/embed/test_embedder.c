// Sentence embedders: their vectors beside those of another implementation, the same bits in any
// company, and files that are damaged or of something else.
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/embed/embedder.h"
#include "io/cursor.h"
#include "io/file.h"
#include "kernels/kernels.h"
#include "tests/unit/ok.h"
#include "tests/unit/own_dir.h"
#include "tests/unit/real_model.h"

enum { TEXTS = 16 };

// tests/golden/embed/NAME.bin (tests/golden/README).
struct vectors {
    struct file_map map;
    int n, wide;
    const char *text[TEXTS];
    size_t length[TEXTS];
    float *v; // [n][wide]
};

static struct vectors vectors_open(const char *name)
{
    struct vectors g = {0};
    char path[128];
    snprintf(path, sizeof path, "tests/golden/embed/%s.bin", name);
    OK(file_map(&g.map, path, e));
    struct cursor c = {g.map.data, g.map.bytes, 0};
    const uint8_t *magic = cursor_bytes(&c, 8);
    assert_true(magic && !memcmp(magic, "LCTEMBED", 8) && cursor_u32(&c) == 1);
    g.wide = (int)cursor_u32(&c);
    g.n = (int)cursor_u32(&c);
    assert_in_range(g.n, 1, TEXTS);
    assert_non_null(g.v = malloc((size_t)(g.n * g.wide) * sizeof *g.v));
    for (int i = 0; i < g.n; i++) {
        g.length[i] = cursor_u32(&c);
        g.text[i] = (const char *)cursor_bytes(&c, g.length[i]);
        for (int j = 0; j < g.wide; j++)
            g.v[i * g.wide + j] = cursor_f32(&c);
    }
    assert_true(!c.bad && !c.left);
    return g;
}

static void vectors_close(struct vectors *g)
{
    file_unmap(&g->map);
    free(g->v);
}

static struct device *device_of(const char *isa, int threads, int exact)
{
    struct device *d;
    OK(device_open(
        &d, &(struct device_options){.name = "cpu", .isa = isa, .threads = threads, .exact = exact},
        NULL, 0, e));
    return d;
}

static double cosine(const float *a, const float *b, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += (double)a[i] * (double)b[i];
    return sum;
}

// The least cosine of a vector of the model PATH and the golden one; both have length 1.
static double least_cosine(const char *path, const struct vectors *g, struct device *d)
{
    struct embedder *x;
    float *out = malloc((size_t)(g->n * g->wide) * sizeof *out);
    double least = 1;
    assert_non_null(out);
    OK(embedder_open(&x, path, d, e));
    assert_int_equal(embedder_info(x)->n_embd, g->wide);
    OK(embedder_texts(x, g->text, g->length, g->n, out, NULL, NULL, e));
    for (int i = 0; i < g->n; i++) {
        const float *v = out + i * g->wide;
        assert_true(fabs(cosine(v, v, g->wide) - 1) < 1e-6);
        least = fmin(least, cosine(v, g->v + i * g->wide, g->wide));
    }
    embedder_close(x);
    free(out);
    return least;
}

static const char *golden_path(const char *name)
{
    static char path[128];
    snprintf(path, sizeof path, "tests/golden/embed/%s.gguf", name);
    return path;
}

// Random models, exact and rounding, by every instruction set.
static void golden(void **state)
{
    static const char *const names[] = {"mean", "cls"};
    (void)state;
    for (size_t k = 0; k < 2; k++) {
        struct vectors g = vectors_open(names[k]);
        const char *isa;
        for (size_t i = 0; (isa = device_cpu_isa(i)); i++)
            for (int exact = 0; exact < 2; exact++) {
                struct device *d = device_of(isa, 2, exact);
                const double far = 1 - least_cosine(golden_path(names[k]), &g, d);
                if (!(far < (exact ? 1e-6 : 1e-3)))
                    fail_msg("%s: %s: 1 - cosine %g", names[k], d->label, far);
                device_close(d);
            }
        vectors_close(&g);
    }
}

static void real(void **state)
{
    char path[REAL_MODEL_PATH];
    (void)state;
    if (!real_embedder_find(path))
        skip();
    struct vectors g = vectors_open("minilm");
    struct device *d = device_of(NULL, 2, 0);
    const double least = least_cosine(path, &g, d);
    print_message("all-MiniLM-L6-v2: least cosine %.5f\n", least);
    assert_true(least > 0.995);
    device_close(d);
    vectors_close(&g);
}

// ---- Company

enum { TIMES = 40 };

// Vectors of the texts of G, TIMES times one after the other, N at a time.
static float *in_runs(struct embedder *x, const struct vectors *g, int n)
{
    const char *text[TEXTS * TIMES];
    size_t length[TEXTS * TIMES];
    const int all = g->n * TIMES;
    float *out = malloc((size_t)(all * g->wide) * sizeof *out);
    assert_non_null(out);
    for (int i = 0; i < all; i++) {
        text[i] = g->text[i % g->n];
        length[i] = g->length[i % g->n];
    }
    for (int i = 0, some; i < all; i += some) {
        some = all - i < n ? all - i : n;
        OK(embedder_texts(x, text + i, length + i, some, out + i * g->wide, NULL, NULL, e));
    }
    return out;
}

static void check_company(const char *path, const struct vectors *g, const char *isa, int exact)
{
    static const int runs[] = {1, 3, 50, TEXTS * TIMES};
    float *first = NULL;
    const size_t bytes = (size_t)(g->n * g->wide) * sizeof *first;
    for (int threads = 1; threads <= 3; threads++) {
        struct device *d = device_of(isa, threads, exact);
        struct embedder *x;
        OK(embedder_open(&x, path, d, e));
        for (size_t r = threads == 1 ? 0 : 2; r < sizeof runs / sizeof *runs; r++) {
            float *out = in_runs(x, g, runs[r]);
            if (!first) {
                first = malloc(bytes);
                assert_non_null(first);
                memcpy(first, out, bytes);
            }
            for (size_t k = 0; k < TIMES; k++)
                if (memcmp((uint8_t *)out + k * bytes, first, bytes))
                    fail_msg("%s: %d at a time: not the same bits", d->label, runs[r]);
            free(out);
        }
        embedder_close(x);
        device_close(d);
    }
    free(first);
}

static void company(void **state)
{
    (void)state;
    struct vectors g = vectors_open("mean");
    const char *isa;
    for (size_t i = 0; (isa = device_cpu_isa(i)); i++)
        for (int exact = 0; exact < 2; exact++)
            check_company(golden_path("mean"), &g, isa, exact);
    vectors_close(&g);
}

// The words of texts, taken one after the other.
struct taken {
    int wide, n_texts, n[TEXTS * TIMES];
    float *rows; // of all words
    size_t n_rows;
    int stop; // the text at which ERR_INTERRUPTED is returned
};

static int take_words(void *arg, int text, const float *rows, int n, struct err *e)
{
    struct taken *t = arg;
    const size_t wide = (size_t)t->wide;
    assert_int_equal(text, t->n_texts);
    if (text == t->stop)
        return err_set(e, ERR_INTERRUPTED, "stopped");
    t->n[t->n_texts++] = n;
    t->rows = realloc(t->rows, (t->n_rows + (size_t)n + 1) * wide * sizeof *t->rows);
    assert_non_null(t->rows);
    memcpy(t->rows + t->n_rows * wide, rows, (size_t)n * wide * sizeof *rows);
    t->n_rows += (size_t)n;
    return 0;
}

// Words come in the order of their texts, are unit vectors, the same ones whatever is beside them,
// and without marks of punctuation; of one text by itself they are nearly the same.
static void words(void **state)
{
    (void)state;
    static const char *const texts[] = {"who pays the rent?", ".?", "the tenant pays, when at six",
                                        ""};
    enum { N = sizeof texts / sizeof *texts, MANY = 40 };
    static const int n_words[N] = {4, 0, 6, 0};
    const char *many[N * MANY];
    size_t length[N * MANY];
    for (int i = 0; i < N * MANY; i++)
        length[i] = strlen(many[i] = texts[i % N]);
    for (int threads = 1; threads <= 2; threads++) {
        struct device *d = device_of(NULL, threads, 1);
        struct embedder *x;
        OK(embedder_open(&x, golden_path("mean"), d, e));
        const int wide = embedder_info(x)->n_embd;
        const size_t row = (size_t)wide * sizeof(float);
        float *out = malloc(N * MANY * row), *own = malloc(EMBED_TOKENS * row);
        struct taken all = {.wide = wide, .stop = -1};
        assert_true(out && own);
        OK(embedder_texts(x, many, length, N * MANY, out, take_words, &all, e));
        assert_int_equal(all.n_texts, N * MANY);
        for (int i = 0, at = 0; i < N * MANY; at += all.n[i++]) {
            assert_int_equal(all.n[i], n_words[i % N]);
            if (i >= N)
                assert_memory_equal(all.rows + (size_t)(at % 10) * (size_t)wide,
                                    all.rows + (size_t)at * (size_t)wide, (size_t)all.n[i] * row);
        }
        int n_own;
        OK(embedder_one(x, texts[2], strlen(texts[2]), out, own, &n_own, e));
        assert_int_equal(n_own, n_words[2]);
        for (int i = 0; i < n_own; i++) {
            const float *a = own + i * wide, *b = all.rows + (n_words[0] + i) * wide;
            assert_true(fabs(cosine(a, a, wide) - 1) < 1e-6);
            assert_true(fabs(cosine(a, b, wide) - 1) < 1e-5);
        }
        // An error of whoever takes them.
        struct taken some = {.wide = wide, .stop = 9};
        REFUSED(ERR_INTERRUPTED, "stopped",
                embedder_texts(x, many, length, N * MANY, out, take_words, &some, e));
        assert_int_equal(some.n_texts, 9);
        free(all.rows);
        free(some.rows);
        free(out);
        free(own);
        embedder_close(x);
        device_close(d);
    }
}

// Each text of G by itself is as near to what it is among others as rounding allows, and the same
// bits by however many threads.
static void check_one(const char *path, const struct vectors *g, const char *isa, int exact)
{
    const size_t n = (size_t)(g->n * g->wide);
    float *all = malloc(n * sizeof *all), *first = malloc(n * sizeof *first),
          *one = malloc((size_t)g->wide * sizeof *one);
    assert_true(all && first && one);
    for (int threads = 1; threads <= 3; threads++) {
        struct device *d = device_of(isa, threads, exact);
        struct embedder *x;
        OK(embedder_open(&x, path, d, e));
        OK(embedder_texts(x, g->text, g->length, g->n, all, NULL, NULL, e));
        for (int i = 0; i < g->n; i++) {
            float *own = first + i * g->wide;
            OK(embedder_one(x, g->text[i], g->length[i], one, NULL, NULL, e));
            if (threads == 1)
                memcpy(own, one, (size_t)g->wide * sizeof *one);
            assert_memory_equal(own, one, (size_t)g->wide * sizeof *one);
            const double near = cosine(one, all + i * g->wide, g->wide);
            if (fabs(near - 1) > (exact ? 1e-5 : 2e-3))
                fail_msg("%s: text %d: cosine %.6f", d->label, i, near);
        }
        embedder_close(x);
        device_close(d);
    }
    free(all);
    free(first);
    free(one);
}

static void one(void **state)
{
    char path[REAL_MODEL_PATH];
    (void)state;
    struct vectors g = vectors_open("mean");
    const char *isa;
    for (size_t i = 0; (isa = device_cpu_isa(i)); i++)
        for (int exact = 0; exact < 2; exact++)
            check_one(golden_path("mean"), &g, isa, exact);
    vectors_close(&g);
    if (!real_embedder_find(path))
        return;
    g = vectors_open("minilm");
    check_one(path, &g, NULL, 0);
    vectors_close(&g);
}

// The real one's weights are packed, and its rows long.
static void real_company(void **state)
{
    char path[REAL_MODEL_PATH];
    (void)state;
    if (!real_embedder_find(path))
        skip();
    struct vectors g = vectors_open("minilm");
    g.n = 4; // short ones, for sanitizers
    check_company(path, &g, NULL, 0);
    vectors_close(&g);
}

// ---- Files

static char *bytes;
static size_t n_bytes;

// m.gguf is the golden model with the N bytes WITH at AT of it.
static const char *patched(size_t at, const void *with, size_t n)
{
    static char path[64];
    snprintf(path, sizeof path, "%s", in_dir("m.gguf"));
    char *copy = malloc(n_bytes);
    assert_non_null(copy);
    assert_true(n <= n_bytes && at <= n_bytes - n);
    memcpy(copy, bytes, n_bytes);
    memcpy(copy + at, with, n);
    OK(file_replace(NULL, path, copy, n_bytes, e));
    free(copy);
    return path;
}

// Where the file has what follows NAME, a key's or a tensor's, and SKIP bytes more.
static size_t behind(const char *name, size_t skip)
{
    const char *p = memmem(bytes, n_bytes, name, strlen(name));
    assert_non_null(p);
    return (size_t)(p - bytes) + strlen(name) + skip;
}

static const char *with_number(const char *key, uint32_t v)
{
    return patched(behind(key, 4), &v, sizeof v);
}

// NAME is called as it is but for its last letter.
static const char *without(const char *name)
{
    return patched(behind(name, 0) - 1, "!", 1);
}

static void refused(void **state)
{
    (void)state;
    struct device *d = device_of(NULL, 1, 0);
    struct embedder *x = NULL;
    static const uint64_t dim = 29;
    const float eps = 2;
#define REFUSE(code, says, what) REFUSED(code, says, embedder_open(&x, what, d, e))
    REFUSE(ERR_IO, "none.gguf", in_dir("none.gguf"));
    REFUSE(ERR_UNSUPPORTED, "architecture 'bort'",
           patched(behind("general.architecture", 4 + 8), "bort", 4));
    REFUSE(ERR_UNSUPPORTED, "bert.pooling_type 3", with_number("bert.pooling_type", 3));
    REFUSE(ERR_UNSUPPORTED, "causal", patched(behind("bert.attention.causal", 4), "\1", 1));
    REFUSE(ERR_FORMAT, "epsilon is 2",
           patched(behind("bert.attention.layer_norm_epsilon", 4), &eps, sizeof eps));
    REFUSE(ERR_FORMAT, "7 heads do not divide", with_number("bert.attention.head_count", 7));
    REFUSE(ERR_UNSUPPORTED, "heads of 3", with_number("bert.attention.head_count", 10));
    REFUSE(ERR_FORMAT, "block_count is 0", with_number("bert.block_count", 0));
    REFUSE(ERR_FORMAT, "embedding_length is 4294967295",
           with_number("bert.embedding_length", UINT32_MAX));
    REFUSE(ERR_UNSUPPORTED, "of 4100 dimensions", with_number("bert.embedding_length", 4100));
    REFUSE(ERR_FORMAT, "context_length is 1", with_number("bert.context_length", 1));
    REFUSE(ERR_FORMAT, "'position_embd.weight' is not 25 rows",
           with_number("bert.context_length", 25));
    REFUSE(ERR_FORMAT, "'blk.3.attn_q.weight' is missing", with_number("bert.block_count", 4));
    REFUSE(ERR_UNSUPPORTED, "'blk.2.attn_q.weight' has no place",
           with_number("bert.block_count", 2));
    REFUSE(ERR_FORMAT, "'blk.0.ffn_up.weight' is not 45 rows",
           with_number("bert.feed_forward_length", 45));
    REFUSE(ERR_FORMAT, "'blk.1.attn_k.bias' is missing", without("blk.1.attn_k.bias"));
    REFUSE(ERR_FORMAT, "'token_types.weight' is missing", without("token_types.weight"));
    REFUSE(ERR_FORMAT, "'token_types.weight' is not of rows of 30",
           patched(behind("token_types.weight", 4), &dim, sizeof dim));
    REFUSE(ERR_FORMAT, "'blk.1.attn_k.bias' does not hold 30",
           patched(behind("blk.1.attn_k.bias", 4), &dim, sizeof dim));
#undef REFUSE
    struct device_ops ops = *d->ops;
    struct device apart = *d;
    ops.plain = 0;
    apart.ops = &ops;
    REFUSED(ERR_USAGE, "needs the processor", embedder_open(&x, golden_path("cls"), &apart, e));
    assert_null(x);
    embedder_close(x);
    device_close(d);
}

// Weights that are no numbers are no vectors either, whichever thread finds out.
static void not_numbers(void **state)
{
    enum { N = 100 };
    (void)state;
    const char *texts[N];
    size_t lengths[N];
    uint8_t nan[64];
    float out[N * 30];
    memset(nan, 0xff, sizeof nan);
    for (int i = 0; i < N; i++)
        lengths[i] = strlen(texts[i] = "who pays the rent of the house, and of its garden?");
    for (int threads = 1; threads <= 2; threads++) {
        struct device *d = device_of(NULL, threads, 0);
        struct embedder *x;
        OK(embedder_open(&x, patched(n_bytes - sizeof nan, nan, sizeof nan), d, e));
        REFUSED(ERR_FORMAT, "make no vector",
                embedder_texts(x, texts, lengths, N, out, NULL, NULL, e));
        REFUSED(ERR_FORMAT, "make no vector",
                embedder_one(x, texts[0], lengths[0], out, NULL, NULL, e));
        embedder_close(x);
        device_close(d);
    }
}

// Any byte of what describes the weights, and a file that ends anywhere.
static void damaged(void **state)
{
    (void)state;
    struct device *d = device_of(NULL, 1, 0);
    const char *text = "who pays the rent";
    const size_t length = strlen(text), head = behind("blk.2.layer_output_norm.bias", 0);
    float out[1 << 10];
    for (size_t at = 0; at < head; at += 13) {
        const char flip = (char)(bytes[at] ^ (at % 2 ? 1 : 0x80));
        struct embedder *x;
        struct err why;
        if (embedder_open(&x, patched(at, &flip, 1), d, &why))
            continue;
        if (embedder_info(x)->n_embd <= 1 << 10)
            embedder_texts(x, &text, &length, 1, out, NULL, NULL, &why);
        embedder_close(x);
    }
    for (size_t n = 0; n < n_bytes; n += 3001) {
        struct embedder *x;
        struct err why;
        OK(file_replace(NULL, in_dir("cut.gguf"), bytes, n, e));
        assert_true(embedder_open(&x, in_dir("cut.gguf"), d, &why) < 0);
        assert_null(x);
    }
    device_close(d);
}

static uint64_t digest_of(const char *path, struct device *d)
{
    struct embedder *x;
    OK(embedder_open(&x, path, d, e));
    const uint64_t digest = embedder_info(x)->digest;
    uint64_t without_weights;
    embedder_close(x);
    OK(embedder_digest(path, &without_weights, e));
    assert_true(without_weights == digest);
    return digest;
}

// What vectors depend on is in the digest, and what is told of the file is true.
static void digest(void **state)
{
    (void)state;
    struct device *d = device_of(NULL, 1, 0), *ref = device_of("ref", 2, 1);
    const uint64_t own = digest_of(golden_path("cls"), d);
    struct embedder *x;
    assert_true(own == digest_of(patched(0, "", 0), ref));
    assert_true(own != digest_of(with_number("bert.pooling_type", 1), d));
    assert_true(own != digest_of(with_number("bert.attention.head_count", 3), d));
    assert_true(own != digest_of(patched(behind("tenant", 0) - 1, "T", 1), d));
    assert_true(own != digest_of(patched(n_bytes - 64, "\1", 1), d));
    OK(embedder_open(&x, golden_path("cls"), d, e));
    const struct embedder_info *f = embedder_info(x);
    assert_string_equal(f->name, "tiny cls");
    assert_string_equal(f->path, golden_path("cls"));
    assert_true(f->n_layers == 3 && f->n_embd == 30 && f->n_ff == 44 && f->n_heads == 5 &&
                f->n_ctx == 24);
    OK(embedder_texts(x, NULL, NULL, 0, NULL, NULL, NULL, e));
    embedder_close(x);
    device_close(ref);
    device_close(d);
}

static int set_up(void **state)
{
    OK(file_slurp(golden_path("cls"), 1 << 20, &bytes, &n_bytes, e));
    return own_dir_make_quick(state);
}

static int tear_down(void **state)
{
    free(bytes);
    return own_dir_remove(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(golden),  cmocka_unit_test(real),        cmocka_unit_test(company),
        cmocka_unit_test(words),   cmocka_unit_test(one),         cmocka_unit_test(real_company),
        cmocka_unit_test(refused), cmocka_unit_test(not_numbers), cmocka_unit_test(damaged),
        cmocka_unit_test(digest),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
