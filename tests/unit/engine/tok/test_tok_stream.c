// Streams of tokens: the same however the text is cut, right about bytes that are not text, and
// linear in whatever comes.
#include "tests/unit/engine/tok/tok_fixture.h"

#include <time.h>

struct kind {
    const char *file, *pre;
    int flags;
};
static const struct kind kinds[] = {
    {"bpe.gguf.gz", "smollm", TOK_PLAIN},  {"bpe.gguf.gz", "llama-bpe", TOK_SPECIAL},
    {"bpe.gguf.gz", "tekken", TOK_PLAIN},  {"bpe.gguf.gz", "deepseek-llm", TOK_SPECIAL},
    {"bpe.gguf.gz", "default", TOK_PLAIN}, {"spm.gguf.gz", NULL, TOK_SPECIAL | TOK_START},
    {"spm_free.gguf.gz", NULL, TOK_PLAIN},
};
enum { N_KINDS = sizeof kinds / sizeof *kinds };

static struct tok_stream *start(const struct tok *t, int flags)
{
    struct tok_stream *s = NULL;
    struct err e;
    assert_int_equal(tok_stream_new(&s, t, flags, &e), 0);
    return s;
}

#define RUN_OF_SPACES "                                                "
static const char mixed[] =
    "It's 12345 o'clock, they'LL say:\r\n\r\n  \xe6\xbc\xa2\xe5\xad\x97 and "
    "\xd8\xb3\xd9\x84\xd8\xa7\xd9\x85 \xf0\x9f\x91\xa9\xe2\x80"
    "\x8d\xf0\x9f\x91\xa7!\n\tif (x == 0x41) { return \"<|a|>x<|a|> <tag>\"; }" RUN_OF_SPACES
    "\xc2\xa0\xe3\x80\x80\n \n"
    "\xff\xfe\xe2\x82 \xed\xa0\x80 \xf4\x90\x80\x80 \xc0\xaf HTTPServer_v2 \xe2\x96\x81x ''''s "
    "'s't 3.14159265358979 </s>   \x01\x02 end  ";

static void test_every_cut(void **state)
{
    (void)state;
    size_t n = sizeof mixed - 1;
    for (size_t k = 0; k < N_KINDS; k++) {
        struct vocabulary v = open_vocabulary(kinds[k].file, kinds[k].pre);
        struct tok_list whole = encode_tokens(v.t, mixed, n, kinds[k].flags);
        assert_int_equal(sum_bytes(&whole), n);
        for (size_t at = 0; at <= n; at++) {
            struct tok_list l = {0};
            struct tok_stream *s = start(v.t, kinds[k].flags);
            feed_tokens(s, mixed, at, 0, &l);
            feed_tokens(s, mixed + at, n - at, at & 1, &l);
            if (!(at & 1))
                feed_tokens(s, "", 0, 1, &l);
            assert_same_tokens(&whole, &l, at);
            tok_stream_free(s);
            tok_list_free(&l);
        }
        for (size_t step = 1; step < 6; step++) {
            struct tok_list l = {0};
            struct tok_stream *s = start(v.t, kinds[k].flags);
            for (size_t i = 0; i < n; i += step)
                feed_tokens(s, mixed + i, n - i < step ? n - i : step, 0, &l);
            feed_tokens(s, "", 0, 1, &l);
            assert_same_tokens(&whole, &l, step);
            tok_stream_free(s);
            tok_list_free(&l);
        }
        tok_list_free(&whole);
        close_vocabulary(&v);
    }
}

// Text as the tokenizer should see it: a plain reading of Unicode's table of well-formed bytes.
static size_t repair(const uint8_t *s, size_t n, uint8_t *out)
{
    static const uint8_t forms[][6] = {
        {0xc2, 0xdf, 0x80, 0xbf, 0}, {0xe0, 0xe0, 0xa0, 0xbf, 1}, {0xe1, 0xec, 0x80, 0xbf, 1},
        {0xed, 0xed, 0x80, 0x9f, 1}, {0xee, 0xef, 0x80, 0xbf, 1}, {0xf0, 0xf0, 0x90, 0xbf, 2},
        {0xf1, 0xf3, 0x80, 0xbf, 2}, {0xf4, 0xf4, 0x80, 0x8f, 2},
    };
    size_t k = 0;
    for (size_t i = 0; i < n;) {
        size_t len = 1, want = s[i] && s[i] < 0x80 ? 1 : 0;
        for (size_t f = 0; f < sizeof forms / sizeof *forms; f++)
            if (s[i] >= forms[f][0] && s[i] <= forms[f][1]) {
                want = 2u + forms[f][4];
                if (i + 1 < n && s[i + 1] >= forms[f][2] && s[i + 1] <= forms[f][3])
                    for (len = 2; len < want && i + len < n && (s[i + len] & 0xc0) == 0x80;)
                        len++;
            }
        memcpy(out + k, len == want ? s + i : (const uint8_t *)"\xef\xbf\xbd",
               len == want ? len : 3);
        k += len == want ? len : 3;
        i += len;
    }
    return k;
}

static void check_repaired(const struct tok *t, const uint8_t *s, size_t n)
{
    uint8_t good[96];
    size_t n_good = repair(s, n, good);
    struct tok_list a = encode_tokens(t, (const char *)good, n_good, TOK_PLAIN);
    struct tok_list b = encode_tokens(t, (const char *)s, n, TOK_PLAIN);
    assert_int_equal(a.n, b.n);
    for (size_t i = 0; i < a.n; i++)
        assert_int_equal(a.v[i].id, b.v[i].id);
    assert_int_equal(sum_bytes(&b), n);
    struct tok_stream *st = start(t, TOK_PLAIN);
    struct tok_list c = {0};
    for (size_t i = 0; i < n; i++)
        feed_tokens(st, (const char *)s + i, 1, i + 1 == n, &c);
    assert_same_tokens(&b, &c, 1);
    tok_stream_free(st);
    tok_list_free(&a);
    tok_list_free(&b);
    tok_list_free(&c);
}

static void test_not_text(void **state)
{
    (void)state;
    static const uint8_t edges[] = {0x00, 0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf,
                                    0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xec, 0xed, 0xee,
                                    0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xff};
    uint64_t seed = 3;
    for (size_t k = 0; k < N_KINDS; k += 5) {
        struct vocabulary v = open_vocabulary(kinds[k].file, kinds[k].pre);
        for (int i = 0; i < 4000; i++) {
            uint8_t s[24];
            size_t n = 1 + random_step(&seed) % sizeof s;
            for (size_t j = 0; j < n; j++)
                s[j] = edges[random_step(&seed) % sizeof edges];
            check_repaired(v.t, s, n);
        }
        close_vocabulary(&v);
    }
}

// A replacement character stands for what it replaces, also where its own bytes are apart.
static void test_bytes_of_repairs(void **state)
{
    (void)state;
    struct vocabulary v = open_vocabulary("spm.gguf.gz", NULL);
    struct tok_list l = encode_tokens(v.t, "\xf0\x9f\x98\xe2\x82\xff", 6, TOK_PLAIN);
    uint32_t want[] = {1, 1, 1, 1, 1, 0, 1, 0, 0}; // three bytes broken off, then two, then one
    assert_int_equal(l.n, 9);                      // no piece for U+FFFD: a byte each
    for (size_t i = 0; i < l.n; i++)
        assert_int_equal(l.v[i].bytes, want[i]);
    tok_list_free(&l);
    close_vocabulary(&v);
}

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void fill(char *p, size_t n, int kind)
{
    uint64_t seed = 9;
    for (size_t i = 0; i < n; i++) {
        uint32_t r = random_step(&seed);
        p[i] = kind == 0   ? (char)('a' + r % 26)
               : kind == 1 ? 'a'
               : kind == 2 ? '\t'
               : kind == 3 ? "\n \t\r"[r % 4]
               : kind == 4 ? (char)('0' + r % 10)
               : kind == 5 ? "\xf0\x9f\x98\x80"[i % 4]
               : kind == 6 ? 0
                           : "='"[r % 2];
    }
    if (kind == 2)
        p[n - 1] = '5'; // what follows decides about all of the tabs
}

// Texts of one kind of character: four times as much may take ten times as long, not sixteen, and
// whole or in pieces the tokens are the same. The first is longer than a piece may be.
static void test_linear(void **state)
{
    (void)state;
    enum { FULL = 1200000, LESS = 300000, KINDS = 8 };
    static const struct kind *const some[] = {&kinds[0], &kinds[3], &kinds[6]};
    char *p = malloc(FULL);
    for (size_t k = 0; k < 3; k++) {
        struct vocabulary v = open_vocabulary(some[k]->file, some[k]->pre);
        for (int kind = 0; kind < KINDS; kind++) {
            size_t n = kind ? LESS : FULL;
            fill(p, n, kind);
            double t0 = seconds();
            struct tok_list quarter = encode_tokens(v.t, p, n / 4, some[k]->flags);
            double t1 = seconds();
            struct tok_list whole = encode_tokens(v.t, p, n, some[k]->flags);
            double t2 = seconds();
            assert_int_equal(sum_bytes(&whole), n);
            if (t2 - t1 > 10 * (t1 - t0) && t2 - t1 > 1)
                fail_msg("text %d, %s: %.2f s for a quarter, %.2f s for the whole", kind,
                         some[k]->file, t1 - t0, t2 - t1);
            struct tok_stream *s = start(v.t, some[k]->flags);
            struct tok_list l = {0};
            for (size_t i = 0; i < n; i += 32749)
                feed_tokens(s, p + i, n - i < 32749 ? n - i : 32749, 0, &l);
            feed_tokens(s, "", 0, 1, &l);
            assert_same_tokens(&whole, &l, 32749);
            tok_stream_free(s);
            tok_list_free(&l);
            tok_list_free(&whole);
            tok_list_free(&quarter);
        }
        close_vocabulary(&v);
    }
    free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_cut),
        cmocka_unit_test(test_not_text),
        cmocka_unit_test(test_bytes_of_repairs),
        cmocka_unit_test(test_linear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
