// WordPiece tokens against Hugging Face tokenizers (tests/golden/README), and damaged vocabularies.
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include <cmocka.h>

#include "engine/embed/wordpiece.h"
#include "kernels/quant.h"
#include "tests/unit/engine/tok/tok_fixture.h"
#include "tests/unit/gguf_write.h"
#include "tests/unit/ok.h"
#include "tests/unit/real_model.h"

enum { PIECES = 256, IDS = 4096, PER_SUM = 64 }; // the last one as tests/golden/wordpiece.py

static char *rows[1024]; // of the golden file
static int n_rows;
static const char *pieces[PIECES]; // the small vocabulary, as GGUF has it
static int n_pieces;

struct vocab {
    struct gguf *g;
    struct wordpiece *w;
};

static int read_golden(void **state)
{
    (void)state;
    FILE *f = fopen("tests/golden/wordpiece.txt", "r");
    size_t cap = 0;
    assert_non_null(f);
    for (; getline(&rows[n_rows], &cap, f) > 0; cap = 0) {
        char *row = rows[n_rows++], *p, *stored;
        row[strcspn(row, "\n")] = 0;
        assert_true(n_rows < (int)(sizeof rows / sizeof *rows) && n_pieces < PIECES);
        if (strncmp(row, "piece ", 6))
            continue;
        p = row + 6;
        const int special = *p == '[' && p[1], further = p[0] == '#' && p[1] == '#';
        assert_true(asprintf(&stored, "%s%s", special || further ? "" : "\xe2\x96\x81",
                             further ? p + 2 : p) > 0);
        pieces[n_pieces++] = stored;
    }
    fclose(f);
    return 0;
}

static int forget_golden(void **state)
{
    (void)state;
    for (int i = 0; i <= n_rows; i++)
        free(rows[i]);
    for (int i = 0; i < n_pieces; i++)
        free((char *)pieces[i]);
    return 0;
}

// The small vocabulary but for the ids of its special tokens.
static struct gguf_write *small(void)
{
    struct gguf_write *w = gguf_write_new(3, 32);
    gguf_write_str(w, "general.architecture", "bert");
    gguf_write_str(w, "tokenizer.ggml.model", "bert");
    gguf_write_strs(w, "tokenizer.ggml.tokens", (uint64_t)n_pieces, pieces);
    return w;
}

static void write_ids(struct gguf_write *w, const char *cls, const char *sep, uint32_t unk)
{
    char key[64];
    gguf_write_u32(w, "tokenizer.ggml.unknown_token_id", unk);
    snprintf(key, sizeof key, "tokenizer.ggml.%s_token_id", cls);
    gguf_write_u32(w, key, 2);
    snprintf(key, sizeof key, "tokenizer.ggml.%s_token_id", sep);
    gguf_write_u32(w, key, 3);
}

// What is written is freed; what cannot be read leaves nothing open.
static int open_written(struct vocab *v, struct gguf_write *w, struct err *e)
{
    size_t n;
    const uint8_t *p = gguf_write_bytes(w, &n);
    *v = (struct vocab){0};
    if (open_gguf_bytes(&v->g, (const char *)p, n, e))
        fail_msg("%s", e->msg);
    gguf_write_free(w);
    int rc = wordpiece_new(&v->w, v->g, e);
    if (rc)
        gguf_close(v->g);
    return rc;
}

static struct vocab open_small(void)
{
    struct vocab v;
    struct gguf_write *w = small();
    write_ids(w, "cls", "seperator", 1);
    OK(open_written(&v, w, e));
    return v;
}

static int open_real(struct vocab *v)
{
    char path[REAL_MODEL_PATH];
    if (!real_embedder_find(path))
        return 0;
    OK(gguf_open(&v->g, path, quant_bytes, e));
    OK(wordpiece_new(&v->w, v->g, e));
    return 1;
}

static void close_vocab(struct vocab *v)
{
    wordpiece_free(v->w);
    gguf_close(v->g);
}

static size_t from_hex(const char *hex, size_t n, char *out)
{
    unsigned byte;
    for (size_t i = 0; i + 1 < n; i += 2) {
        assert_int_equal(sscanf(hex + i, "%2x", &byte), 1);
        out[i / 2] = (char)byte;
    }
    return n / 2;
}

// A row of the golden file behind its first word; with no room to spare, and with too little.
static void check_row(const struct wordpiece *w, const char *row)
{
    uint32_t want[IDS], ids[IDS];
    const size_t n_hex = strcspn(row, " ");
    char *text = malloc(n_hex);
    const size_t n = from_hex(row, n_hex, text);
    int n_want = 0;
    for (const char *p = row + n_hex; *p; n_want++)
        want[n_want] = (uint32_t)strtoul(p, (char **)&p, 10);
    for (int most = n_want + 1; most >= 2; most--) {
        const int got = wordpiece_encode(w, text, n, ids, most), kept = got - 1;
        assert_int_equal(got, most < n_want ? most : n_want);
        for (int i = 0; i < got; i++)
            if (ids[i] != want[i < kept ? i : n_want - 1])
                fail_msg("%s: at most %d: token %d is %u", row, most, i, ids[i]);
    }
    free(text);
}

static int check_rows(const struct wordpiece *w, const char *name)
{
    int n = 0;
    for (int i = 0; i < n_rows; i++)
        if (!strncmp(rows[i], name, strlen(name))) {
            check_row(w, rows[i] + strlen(name));
            n++;
        }
    return n;
}

static void test_small(void **state)
{
    (void)state;
    struct vocab v = open_small();
    assert_int_equal(wordpiece_size(v.w), n_pieces);
    assert_true(check_rows(v.w, "small ") > 40);
    close_vocab(&v);
}

// Marks are no words, nor are the two tokens around a text; what is unknown may be one.
static void test_marks(void **state)
{
    (void)state;
    static const char text[] = "The store, [un shut] # 3. zzz";
    static const char want[] = "#  ##  ## # #";
    struct vocab v = open_small();
    uint32_t ids[IDS];
    char is[64] = "";
    const int n = wordpiece_encode(v.w, text, sizeof text - 1, ids, IDS);
    for (int i = 0; i < n; i++)
        strcat(is, wordpiece_is_mark(v.w, ids[i]) ? "#" : " ");
    assert_string_equal(is, want);
    close_vocab(&v);
}

static void test_real(void **state)
{
    (void)state;
    struct vocab v;
    if (!open_real(&v))
        skip();
    assert_int_equal(wordpiece_size(v.w), 30522);
    assert_true(check_rows(v.w, "real ") > 40);
    close_vocab(&v);
}

static int is_left_out(int line)
{
    for (int i = 0; i < n_rows; i++) {
        if (strncmp(rows[i], "without ", 8))
            continue;
        for (char *p = rows[i] + 8, *end; *p; p = end)
            if (strtol(p, &end, 10) == line)
                return 1;
    }
    return 0;
}

static const char *sum_row(int line)
{
    int n = 0, at;
    for (int i = 0; i < n_rows; i++)
        if (sscanf(rows[i], "lines %d %n", &at, &n) == 1 && at == line)
            return rows[i] + n;
    return NULL;
}

// Text of many languages, then of what ordinary text has little of.
static void test_lines(void **state)
{
    (void)state;
    struct vocab v;
    if (!open_real(&v))
        skip();
    size_t n, at = 0;
    char *text = gunzip(GOLDEN "text.gz", &n);
    uint32_t *ids = malloc((n + 2) * sizeof *ids);
    int line = 0;
    for (const char *row; (row = sum_row(line)) != NULL;) {
        unsigned count, want, got = 0;
        uLong crc = crc32(0, NULL, 0);
        assert_int_equal(sscanf(row, "%u %x", &count, &want), 2);
        for (int k = 0; k < PER_SUM && at <= n; k++, line++) {
            const char *end = memchr(text + at, '\n', n - at);
            const size_t length = end ? (size_t)(end - text) - at : n - at;
            const int some = wordpiece_encode(v.w, text + at, length, ids, (int)n + 2);
            at += length + 1;
            if (is_left_out(line))
                continue;
            crc = crc32(crc, (const Bytef *)ids, (uInt)some * 4); // little-endian machines
            got += (unsigned)some;
        }
        if (got != count || crc != want)
            fail_msg("lines before %d: %u tokens, not %u, or others", line, got, count);
    }
    assert_true(line > 2600 && at > n);
    free(ids);
    free(text);
    close_vocab(&v);
}

// Older files, and those whose writer spells better.
static void test_names_of_ids(void **state)
{
    (void)state;
    static const char *const names[][2] = {{"cls", "separator"}, {"bos", "eos"}};
    for (int i = 0; i < 2; i++) {
        struct vocab v;
        struct gguf_write *w = small();
        uint32_t ids[8];
        write_ids(w, names[i][0], names[i][1], 1);
        OK(open_written(&v, w, e));
        assert_int_equal(wordpiece_encode(v.w, "nowhere", 7, ids, 8), 3);
        assert_int_equal(ids[0], 2);
        assert_int_equal(ids[1], 1);
        assert_int_equal(ids[2], 3);
        close_vocab(&v);
    }
}

static void test_damaged(void **state)
{
    (void)state;
    struct vocab v;
    struct gguf_write *w = small();
    write_ids(w, "cls", "seperator", (uint32_t)n_pieces);
    REFUSED(ERR_FORMAT, "pieces", open_written(&v, w, e));

    w = small();
    write_ids(w, "cls", "mask", 1);
    REFUSED(ERR_FORMAT, "seperator_token_id", open_written(&v, w, e));

    w = gguf_write_new(3, 32);
    gguf_write_str(w, "tokenizer.ggml.model", "gpt2");
    REFUSED(ERR_UNSUPPORTED, "'gpt2'", open_written(&v, w, e));

    REFUSED(ERR_FORMAT, "tokenizer.ggml.model", open_written(&v, gguf_write_new(3, 32), e));

    w = gguf_write_new(3, 32);
    gguf_write_str(w, "tokenizer.ggml.model", "bert");
    gguf_write_strs(w, "tokenizer.ggml.tokens", 0, pieces);
    REFUSED(ERR_FORMAT, "has 0 pieces", open_written(&v, w, e));

    static const char *const bad[] = {"a\xc3", "\xff", "\xed\xa0\x80", "\xc0\x80"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        w = gguf_write_new(3, 32);
        gguf_write_str(w, "tokenizer.ggml.model", "bert");
        gguf_write_strs(w, "tokenizer.ggml.tokens", 2, (const char *const[]){"a", bad[i]});
        REFUSED(ERR_FORMAT, "piece 1 of", open_written(&v, w, e));
    }
}

// Pieces that no word can have are never found, and do no harm.
static void test_odd_pieces(void **state)
{
    (void)state;
    static char long_piece[500];
    memset(long_piece, 'x', sizeof long_piece - 1);
    const char *const odd[] = {"[UNK]",
                               "",
                               "[CLS]",
                               "[SEP]",
                               "\xe2\x96\x81",
                               long_piece,
                               "\xe2\x96\x81"
                               "a",
                               "\xe2\x96\x81"
                               "a"};
    struct gguf_write *w = gguf_write_new(3, 32);
    struct vocab v;
    uint32_t ids[8];
    gguf_write_str(w, "tokenizer.ggml.model", "bert");
    gguf_write_strs(w, "tokenizer.ggml.tokens", sizeof odd / sizeof *odd, odd);
    write_ids(w, "cls", "seperator", 0);
    OK(open_written(&v, w, e));
    assert_int_equal(wordpiece_encode(v.w, "a \xe2\x96\x81 a", 7, ids, 8), 5);
    assert_int_equal(ids[1], 6);
    assert_int_equal(ids[2], 0);
    assert_int_equal(ids[3], 6);
    assert_int_equal(wordpiece_encode(v.w, long_piece, sizeof long_piece - 1, ids, 8), 3);
    assert_int_equal(ids[1], 0);
    close_vocab(&v);
}

// Any bytes: no more ids than there is room for, each of the vocabulary.
static void test_any_bytes(void **state)
{
    (void)state;
    struct vocab v = open_small();
    uint64_t seed = 5;
    for (int round = 0; round < 3000; round++) {
        const size_t n = random_step(&seed) % 600;
        const int most = 2 + (int)(random_step(&seed) % 30), wide = round & 1;
        char *text = malloc(n + 1);
        uint32_t *ids = malloc((size_t)most * sizeof *ids);
        for (size_t i = 0; i < n; i++)
            text[i] = (char)(wide ? random_step(&seed) : random_step(&seed) % 3 ? 'a' : 0x81);
        const int got = wordpiece_encode(v.w, text, n, ids, most);
        assert_in_range(got, 2, most);
        for (int i = 0; i < got; i++)
            assert_true(ids[i] < (uint32_t)n_pieces);
        assert_int_equal(ids[0], 2);
        assert_int_equal(ids[got - 1], 3);
        free(ids);
        free(text);
    }
    wordpiece_free(NULL);
    close_vocab(&v);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small),        cmocka_unit_test(test_marks),
        cmocka_unit_test(test_real),         cmocka_unit_test(test_lines),
        cmocka_unit_test(test_names_of_ids), cmocka_unit_test(test_damaged),
        cmocka_unit_test(test_odd_pieces),   cmocka_unit_test(test_any_bytes),
    };
    return cmocka_run_group_tests(tests, read_golden, forget_golden);
}
