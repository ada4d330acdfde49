// Tokens against Hugging Face tokenizers and SentencePiece (tests/golden/tok/README), and back.
#include "tests/unit/engine/tok/tok_fixture.h"

#include "tests/unit/gguf_write.h"
#include "tests/unit/real_model.h"

enum { PER_SUM = 512 }; // as tests/golden/tok.py

static char *text;
static size_t n_text;

static int open_model(struct vocabulary *v)
{
    char path[REAL_MODEL_PATH];
    struct err e = {0};
    if (!real_model_find(path))
        return 0;
    if (gguf_open(&v->g, path, quant_bytes, &e) || tok_open(&v->t, v->g, &e))
        fail_msg("%s", e.msg);
    return 1;
}

static void check_sums(const char *name, const char *sums, size_t want, const struct tok_list *l)
{
    size_t at = 0;
    for (size_t i = 0; i < l->n; i += PER_SUM, sums += 8) {
        uLong crc = crc32(0, NULL, 0), expected = 0;
        char hex[9];
        size_t from = at;
        for (size_t k = i; k < l->n && k < i + PER_SUM; at += l->v[k++].bytes) {
            uint8_t le[4] = {(uint8_t)l->v[k].id, (uint8_t)(l->v[k].id >> 8),
                             (uint8_t)(l->v[k].id >> 16), (uint8_t)(l->v[k].id >> 24)};
            crc = crc32(crc, le, 4);
        }
        if (sscanf(sums, "%8[0-9a-f]", hex) == 1)
            expected = strtoul(hex, NULL, 16);
        if (crc != expected)
            fail_msg("%s: differs within tokens %zu to %zu, bytes %zu to %zu of the text", name, i,
                     i + PER_SUM, from, at);
    }
    if (l->n != want)
        fail_msg("%s: %zu tokens, not %zu", name, l->n, want);
}

// In pieces of up to 3000 bytes, so that the stream's own slices do not hide a mistake.
static void check_stream(const struct tok *t, int flags, const struct tok_list *whole)
{
    struct tok_stream *s = NULL;
    struct tok_list l = {0};
    struct err e;
    uint64_t seed = 7;
    assert_int_equal(tok_stream_new(&s, t, flags, &e), 0);
    for (size_t i = 0, n; i < n_text; i += n) {
        n = random_step(&seed) % 3000;
        n = n < n_text - i ? n : n_text - i;
        feed_tokens(s, text + i, n, 0, &l);
    }
    feed_tokens(s, "", 0, 1, &l);
    tok_stream_free(s);
    assert_same_tokens(whole, &l, 0);
    tok_list_free(&l);
}

// The text of the tokens is the text, and so is that of any token's bytes that end a character.
static void check_text(const struct tok *t, const struct tok_list *l, const char *want,
                       size_t n_want)
{
    struct tok_text *x = NULL;
    struct err e;
    size_t at = 0, n;
    assert_int_equal(tok_text_new(&x, t, 1, &e), 0);
    for (size_t i = 0; i < l->n; i++) {
        const char *p = tok_text_push(x, l->v[i].id, &n);
        assert_true(at + n <= n_want);
        if (memcmp(p, want + at, n))
            fail_msg("token %zu: not the text at byte %zu", i, at);
        at += n;
    }
    tok_text_end(x, &n);
    assert_int_equal(at + n, n_want);
    tok_text_free(x);
}

static void test_golden(void **state)
{
    (void)state;
    FILE *f = fopen(GOLDEN "ids.txt", "r");
    char *row = NULL, name[64];
    size_t cap = 0, want;
    int flags, at, rows = 0;
    assert_non_null(f);
    for (; getline(&row, &cap, f) > 0; rows++) {
        struct vocabulary v = {0};
        assert_int_equal(sscanf(row, "%63s %d %zu %n", name, &flags, &want, &at), 3);
        int spm = !strncmp(name, "spm", 3);
        if (!strcmp(name, "smollm2")) {
            if (!open_model(&v))
                continue;
        } else {
            v = open_vocabulary(!strcmp(name, "spm") ? "spm.gguf.gz"
                                : spm                ? "spm_free.gguf.gz"
                                                     : "bpe.gguf.gz",
                                spm ? NULL : name);
            assert_string_equal(tok_pre_name(v.t), spm ? "" : name);
        }
        struct tok_list l = encode_tokens(v.t, text, n_text, flags);
        check_sums(name, row + at, want, &l);
        assert_int_equal(sum_bytes(&l), n_text);
        check_stream(v.t, flags, &l);
        if (!spm && strcmp(name, "smollm2"))
            check_text(v.t, &l, text, n_text);
        tok_list_free(&l);
        close_vocabulary(&v);
    }
    assert_int_equal(rows, 34);
    free(row);
    fclose(f);
}

// Every pre-tokeniser cuts this text in its own way, or the golden values would prove little.
static void test_pres_differ(void **state)
{
    (void)state;
    static const char *const pres[] = {"gpt-2",       "smollm", "llama-bpe",      "qwen2",
                                       "tekken",      "gpt-4o", "deepseek-coder", "deepseek-llm",
                                       "deepseek-v3", "falcon", "default"};
    enum { N = sizeof pres / sizeof *pres };
    uLong crc[N];
    uint64_t digest[N];
    for (size_t i = 0; i < N; i++) {
        struct vocabulary v = open_vocabulary("bpe.gguf.gz", pres[i]);
        struct tok_list l = encode_tokens(v.t, text, n_text, TOK_PLAIN);
        crc[i] = crc32(0, (const Bytef *)l.v, (uInt)(l.n * sizeof *l.v));
        digest[i] = tok_digest(v.t);
        tok_list_free(&l);
        close_vocabulary(&v);
        for (size_t k = 0; k < i; k++) {
            assert_true(crc[i] != crc[k]);
            assert_true(digest[i] != digest[k]);
        }
    }
}

static void test_spm_text(void **state)
{
    (void)state;
    struct vocabulary v = open_vocabulary("spm.gguf.gz", NULL);
    static const char s[] = "Na\xc3\xafve \xe6\xbc\xa2\xf0\x9f\x98\x80 two  spaces\n";
    struct tok_list l = encode_tokens(v.t, s, sizeof s - 1, TOK_START);
    assert_int_equal(l.v[0].id, tok_find(v.t, "<s>"));
    assert_int_equal(l.v[0].bytes, 0);
    l.v[0].id = 0; // <unk>: shown as such; here only its place counts
    struct tok_list rest = {l.v + 1, l.n - 1, 0};
    char want[sizeof s + 1];
    snprintf(want, sizeof want, " %s", s);
    check_text(v.t, &rest, want, sizeof s);
    assert_int_equal(sum_bytes(&l), sizeof s - 1);
    tok_list_free(&l);

    // A literal U+2581 is a space to SentencePiece, but counts its own three bytes.
    l = encode_tokens(v.t,
                      "a\xe2\x96\x81"
                      "b",
                      5, TOK_PLAIN);
    struct tok_list m = encode_tokens(v.t, "a b", 3, TOK_PLAIN);
    assert_int_equal(l.n, m.n);
    for (size_t i = 0; i < l.n; i++)
        assert_int_equal(l.v[i].id, m.v[i].id);
    assert_int_equal(sum_bytes(&l), 5);
    tok_list_free(&l);
    tok_list_free(&m);
    close_vocabulary(&v);
}

static void test_specials(void **state)
{
    (void)state;
    struct vocabulary v = open_vocabulary("bpe.gguf.gz", "smollm");
    uint32_t a = (uint32_t)tok_find(v.t, "<|a|>"), ax = (uint32_t)tok_find(v.t, "<|a|>x");
    uint32_t tag = (uint32_t)tok_find(v.t, "<tag>");
    assert_int_equal(tok_find(v.t, "<|c|>"), -1);
    assert_int_equal(tok_find(v.t, "<|a|"), -1);
    assert_true(a < tok_n_vocab(v.t) && ax < tok_n_vocab(v.t) && tag < tok_n_vocab(v.t));
    assert_true(tok_is_end(v.t, (uint32_t)tok_find(v.t, "</s>")));
    assert_false(tok_is_end(v.t, a));
    assert_false(tok_is_end(v.t, UINT32_MAX));

    // The longest that begins here wins; the text between is cut on its own.
    struct tok_list l = encode_tokens(v.t, "1<|a|><|a|>x<tag><|a|", 21, TOK_SPECIAL);
    assert_int_equal(l.v[1].id, a);
    assert_int_equal(l.v[1].bytes, 5);
    assert_int_equal(l.v[2].id, ax);
    assert_int_equal(l.v[2].bytes, 6);
    assert_int_equal(l.v[3].id, tag);
    assert_int_equal(sum_bytes(&l), 21);
    tok_list_free(&l);

    l = encode_tokens(v.t, "1<|a|><|a|>x<tag><|a|", 21, TOK_PLAIN);
    size_t tags = 0;
    for (size_t i = 0; i < l.n; i++) {
        assert_true(l.v[i].id != a && l.v[i].id != ax);
        tags += l.v[i].id == tag;
    }
    assert_int_equal(tags, 1); // ordinary text that was added: always recognised
    tok_list_free(&l);

    // No BOS where the file says so, even at the start.
    l = encode_tokens(v.t, "1", 1, TOK_START);
    assert_int_equal(l.n, 1);
    tok_list_free(&l);
    l = encode_tokens(v.t, "", 0, TOK_PLAIN);
    assert_int_equal(l.n, 0);
    tok_list_free(&l);
    close_vocabulary(&v);
}

static void test_text_of_anything(void **state)
{
    (void)state;
    struct vocabulary v = open_vocabulary("bpe.gguf.gz", "gpt-2");
    struct tok_text *x = NULL, *hidden = NULL;
    struct err e;
    uint64_t seed = 11;
    size_t n;
    uint32_t control = (uint32_t)tok_find(v.t, "<|a|>");
    assert_int_equal(tok_text_new(&x, v.t, 1, &e), 0);
    assert_int_equal(tok_text_new(&hidden, v.t, 0, &e), 0);
    tok_text_push(hidden, control, &n);
    assert_int_equal(n, 0);
    assert_memory_equal(tok_text_push(x, control, &n), "<|a|>", 5);
    assert_int_equal(n, 5);
    tok_text_push(x, UINT32_MAX, &n);
    assert_int_equal(n, 0);

    struct tok_list face = encode_tokens(v.t, "\xf0\x9f\xa7\xbf", 4, TOK_PLAIN);
    assert_true(face.n > 1);
    for (size_t i = 0; i + 1 < face.n; i++) {
        tok_text_push(x, face.v[i].id, &n);
        assert_int_equal(n, 0);
    }
    tok_text_end(x, &n);
    assert_int_equal(n, 3); // the face that never came whole
    for (size_t i = 0; i < face.n; i++)
        tok_text_push(x, face.v[i].id, &n);
    assert_int_equal(n, 4);
    tok_list_free(&face);

    // Whatever a model says, what comes out is UTF-8: tokens of it add up to it.
    for (int i = 0; i < 20000; i++) {
        const char *p = tok_text_push(x, random_step(&seed) % tok_n_vocab(v.t), &n);
        if (memchr(p, 0, n))
            continue; // a NUL is text, but comes back as U+FFFD
        struct tok_list l = encode_tokens(v.t, p, n, TOK_PLAIN);
        check_text(v.t, &l, p, n);
        tok_list_free(&l);
    }
    tok_text_free(x);
    tok_text_free(hidden);
    close_vocabulary(&v);
}

// Phi-3's marks swallow the white space behind them, whatever it is and however it arrives.
static void test_strips(void **state)
{
    (void)state;
    enum { N = 265, PLAIN = 261 };
    static char names[256][8];
    const char *pieces[N] = {"<unk>", "<s>", "</s>", "<|user|>", "<|endoftext|>"};
    float scores[N] = {0};
    int32_t types[N] = {2, 3, 3, 3, 3};
    for (int i = 0; i < 256; i++) {
        snprintf(names[i], sizeof names[i], "<0x%02X>", i);
        pieces[5 + i] = names[i];
        types[5 + i] = 6;
    }
    static const char *const plain[N - PLAIN] = {"a", "\xe2\x96\x81", "\n",
                                                 "\xe2\x96\x81"
                                                 "a"};
    for (int i = PLAIN; i < N; i++) {
        pieces[i] = plain[i - PLAIN];
        types[i] = 1;
    }
    for (int k = 0; k < 2; k++) {
        struct gguf_write *w = gguf_write_new(3, 32);
        gguf_write_str(w, "general.architecture", k ? "llama" : "phi3");
        gguf_write_str(w, "tokenizer.ggml.model", "llama");
        gguf_write_strs(w, "tokenizer.ggml.tokens", N, pieces);
        gguf_write_array(w, "tokenizer.ggml.scores", GGUF_F32, N, scores, sizeof scores);
        gguf_write_array(w, "tokenizer.ggml.token_type", GGUF_I32, N, types, sizeof types);
        struct vocabulary v = {0};
        struct err e = {0};
        size_t n;
        const uint8_t *p = gguf_write_bytes(w, &n);
        if (open_gguf_bytes(&v.g, (const char *)p, n, &e) || tok_open(&v.t, v.g, &e))
            fail_msg("%s", e.msg);
        gguf_write_free(w);
        static const char s[] = "<|user|>\n \xc2\xa0\xe3\x80\x80"
                                "a\n<|endoftext|>\na";
        static const uint32_t phi[][2] = {{3, 15},  {264, 1}, {263, 1}, {4, 13},
                                          {262, 0}, {263, 1}, {261, 1}};
        struct tok_list whole = encode_tokens(v.t, s, sizeof s - 1, TOK_SPECIAL);
        assert_int_equal(sum_bytes(&whole), sizeof s - 1);
        assert_int_equal(whole.n == 7, !k);
        for (size_t i = 0; i < whole.n && !k; i++) {
            assert_int_equal(whole.v[i].id, phi[i][0]);
            assert_int_equal(whole.v[i].bytes, phi[i][1]);
        }
        for (size_t cut = 0; cut < sizeof s; cut++) {
            struct tok_stream *ts = NULL;
            struct tok_list l = {0};
            assert_int_equal(tok_stream_new(&ts, v.t, TOK_SPECIAL, &e), 0);
            feed_tokens(ts, s, cut, 0, &l);
            feed_tokens(ts, s + cut, sizeof s - 1 - cut, 1, &l);
            tok_stream_free(ts);
            assert_same_tokens(&whole, &l, cut);
            tok_list_free(&l);
        }
        tok_list_free(&whole);
        close_vocabulary(&v);
    }
}

// A damaged vocabulary is refused or works; it never crashes.
static void test_damage(void **state)
{
    (void)state;
    static const char *const files[] = {GOLDEN "bpe.gguf.gz", GOLDEN "spm.gguf.gz"};
    uint64_t seed = 5;
    for (size_t k = 0; k < 2; k++) {
        size_t n;
        char *p = gunzip(files[k], &n);
        for (int i = 0; i < 150; i++) {
            struct vocabulary v = {0};
            struct err e;
            size_t at = i < 75 ? random_step(&seed) % 200 : random_step(&seed) % n;
            char was = p[at];
            p[at] = (char)(was ^ (1 << random_step(&seed) % 8));
            if (!open_gguf_bytes(&v.g, p, n, &e) && !tok_open(&v.t, v.g, &e)) {
                struct tok_list l = encode_tokens(v.t, text, 3000, TOK_SPECIAL | TOK_START);
                assert_true(sum_bytes(&l) <= 3000);
                tok_list_free(&l);
            }
            close_vocabulary(&v);
            p[at] = was;
        }
        free(p);
    }
    size_t n, m;
    char *p = gunzip(files[0], &n), *q = with_pre(p, n, "no-such-thing", &m);
    struct vocabulary v = {0};
    struct err e;
    assert_int_equal(open_gguf_bytes(&v.g, q, m, &e), 0);
    assert_int_equal(tok_open(&v.t, v.g, &e), ERR_UNSUPPORTED);
    assert_non_null(strstr(e.msg, "no-such-thing"));
    assert_non_null(strstr(e.msg, "smollm"));
    close_vocabulary(&v);
    free(p);
    free(q);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_golden),           cmocka_unit_test(test_pres_differ),
        cmocka_unit_test(test_spm_text),         cmocka_unit_test(test_specials),
        cmocka_unit_test(test_text_of_anything), cmocka_unit_test(test_strips),
        cmocka_unit_test(test_damage),
    };
    text = gunzip(GOLDEN "text.gz", &n_text);
    int rc = cmocka_run_group_tests(tests, NULL, NULL);
    free(text);
    return rc;
}
