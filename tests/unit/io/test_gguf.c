#define _GNU_SOURCE
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/gguf_write.h"
#include "tests/unit/own_dir.h"
#include "io/file.h"
#include "io/gguf.h"
#include "io/hash.h"

static const char *path;

// Type 0: four bytes each; type 8: blocks of 32 in 34 bytes; nothing else is known.
static uint64_t type_bytes(uint32_t type, uint64_t n)
{
    return type == 0 ? n * 4 : type == 8 && n % 32 == 0 ? n / 32 * 34 : 0;
}

static int set_up(void **state)
{
    static char at[64];
    if (own_dir_make(state))
        return -1;
    path = strcpy(at, in_dir("x.gguf"));
    return 0;
}

static const uint8_t numbers[4096];

static struct gguf_write *sample(uint32_t version, uint32_t align)
{
    struct gguf_write *w = gguf_write_new(version, align);
    gguf_write_str(w, "general.architecture", "llama");
    gguf_write_u32(w, "n", 30);
    gguf_write_f32(w, "eps", 1e-5f);
    gguf_write_bool(w, "yes", 1);
    gguf_write_number(w, "i8", GGUF_I8, &(int8_t){-5}, 1);
    gguf_write_number(w, "u8", GGUF_U8, &(uint8_t){250}, 1);
    gguf_write_number(w, "i16", GGUF_I16, &(int16_t){-300}, 2);
    gguf_write_number(w, "u16", GGUF_U16, &(uint16_t){65000}, 2);
    gguf_write_number(w, "i32", GGUF_I32, &(int32_t){-70000}, 4);
    gguf_write_number(w, "u64", GGUF_U64, &(uint64_t){UINT64_MAX}, 8);
    gguf_write_number(w, "i64", GGUF_I64, &(int64_t){INT64_MIN}, 8);
    gguf_write_number(w, "f64", GGUF_F64, &(double){0.1}, 8);
    gguf_write_number(w, "nan", GGUF_F32, &(float){NAN}, 4);
    gguf_write_strs(w, "tokens", 3, (const char *const[]){"a", "", "ccc"});
    gguf_write_array(w, "scores", GGUF_F32, 2, (float[]){0.5f, -1}, 8);
    gguf_write_array(w, "types", GGUF_I32, 3, (int32_t[]){1, -2, 3}, 12);
    gguf_write_array(w, "none", GGUF_U64, 0, NULL, 0);
    gguf_write_tensor(w, "a", 0, 2, (uint64_t[]){3, 2}, numbers, 24);
    gguf_write_tensor(w, "b", 8, 3, (uint64_t[]){32, 2, 2}, numbers, 136);
    gguf_write_tensor(w, "c", 0, 1, (uint64_t[]){1}, numbers, 4);
    return w;
}

static struct gguf *open_sample(uint32_t version, uint32_t align)
{
    struct err e = {0};
    struct gguf *g;
    struct gguf_write *w = sample(version, align);
    gguf_write_file(w, path);
    gguf_write_free(w);
    if (gguf_open(&g, path, type_bytes, &e))
        fail_msg("%s", e.msg);
    return g;
}

static void reads_values(void **state)
{
    (void)state;
    struct err e;
    uint64_t u = 0;
    struct gguf_str s;
    struct gguf_array a;
    for (uint32_t version = 2; version <= 3; version++) {
        struct gguf *g = open_sample(version, 32);
        assert_string_equal(gguf_path(g), path);
        assert_int_equal(gguf_uint(g, "n", &u, &e), 0);
        assert_int_equal(u, 30);
        assert_int_equal(gguf_uint(g, "u64", &u, &e), 0);
        assert_true(u == UINT64_MAX);
        assert_int_equal(gguf_text(g, "general.architecture", &s, &e), 0);
        assert_true(s.n == 5 && !memcmp(s.s, "llama", 5));
        assert_int_equal(gguf_array(g, "scores", GGUF_F32, &a, &e), 0);
        assert_true(a.n == 2 && gguf_array_f64(&a, 1) == -1 && gguf_array_i64(&a, 1) == -1);
        assert_int_equal(gguf_array(g, "types", GGUF_I32, &a, &e), 0);
        assert_true(gguf_array_i64(&a, 1) == -2 && gguf_array_f64(&a, 2) == 3);
        assert_int_equal(gguf_array(g, "tokens", GGUF_STR, &a, &e), 0);
        const uint8_t *p = a.data;
        uint64_t left = a.n;
        assert_int_equal(gguf_next_str(&p, &left).n, 1);
        assert_int_equal(gguf_next_str(&p, &left).n, 0);
        s = gguf_next_str(&p, &left);
        assert_true(s.n == 3 && !memcmp(s.s, "ccc", 3) && left == 0);
        assert_int_equal(gguf_next_str(&p, &left).n, 0);
        assert_true(gguf_has(g, "none") && !gguf_has(g, "") && !gguf_has(g, "non"));
        gguf_close(g);
    }
}

static void refuses_values(void **state)
{
    (void)state;
    struct err e;
    uint64_t u;
    struct gguf_str s;
    struct gguf_array a;
    struct gguf *g = open_sample(3, 32);
    assert_int_equal(gguf_uint(g, "absent", &u, &e), ERR_FORMAT);
    assert_non_null(strstr(e.msg, "key 'absent' is missing"));
    assert_int_equal(gguf_uint(g, "i8", &u, &e), ERR_FORMAT);
    assert_non_null(strstr(e.msg, "negative"));
    assert_int_equal(gguf_uint(g, "eps", &u, &e), ERR_FORMAT);
    assert_int_equal(gguf_text(g, "n", &s, &e), ERR_FORMAT);
    assert_int_equal(gguf_array(g, "tokens", GGUF_F32, &a, &e), ERR_FORMAT);
    assert_non_null(strstr(e.msg, "array of string, not an array of f32"));
    assert_int_equal(gguf_array(g, "n", GGUF_U32, &a, &e), ERR_FORMAT);
    gguf_close(g);
}

// What is absent leaves what was there; what is there in another kind is no default.
static void reads_what_may_be_absent(void **state)
{
    (void)state;
    struct err e;
    uint64_t u = 7;
    int yes = 0;
    double x = 2;
    struct gguf_str s = {"", 0};
    struct gguf *g = open_sample(3, 32);
    assert_int_equal(gguf_opt_uint(g, "absent", &u, &e), 0);
    assert_int_equal(gguf_opt_bool(g, "absent", &yes, &e), 0);
    assert_int_equal(gguf_opt_f64(g, "absent", &x, &e), 0);
    assert_int_equal(gguf_opt_text(g, "absent", &s, &e), 0);
    assert_true(u == 7 && !yes && x == 2 && !s.n);
    assert_int_equal(gguf_opt_uint(g, "u16", &u, &e), 0);
    assert_int_equal(gguf_opt_bool(g, "yes", &yes, &e), 0);
    assert_int_equal(gguf_opt_f64(g, "eps", &x, &e), 0);
    assert_int_equal(gguf_opt_text(g, "general.architecture", &s, &e), 0);
    assert_true(u == 65000 && yes == 1 && x == 1e-5f && s.n == 5);
    assert_int_equal(gguf_opt_uint(g, "i8", &u, &e), ERR_FORMAT);
    assert_non_null(strstr(e.msg, "key 'i8' is negative, not an integer from 0 on"));
    assert_int_equal(gguf_opt_uint(g, "general.architecture", &u, &e), ERR_FORMAT);
    assert_non_null(strstr(e.msg, "key 'general.architecture' is string, not an integer"));
    assert_int_equal(gguf_opt_bool(g, "n", &yes, &e), ERR_FORMAT);
    assert_non_null(strstr(e.msg, "key 'n' is u32, not a boolean"));
    assert_int_equal(gguf_opt_f64(g, "tokens", &x, &e), ERR_FORMAT);
    assert_non_null(strstr(e.msg, "key 'tokens' is array, not a number"));
    assert_int_equal(gguf_opt_text(g, "tokens", &s, &e), ERR_FORMAT);
    assert_non_null(strstr(e.msg, "key 'tokens' is array, not a string"));
    assert_true(u == 65000 && yes == 1 && x == 1e-5f && s.n == 5);
    gguf_close(g);
}

// Any number, as a double.
static double number(const struct gguf *g, const char *key)
{
    double v = 1;
    struct err e;
    assert_int_equal(gguf_opt_f64(g, key, &v, &e), 0);
    return v;
}

static void reads_numbers_of_every_kind(void **state)
{
    (void)state;
    static const struct {
        const char *key;
        double value;
    } rows[] = {
        {"n", 30},       {"i8", -5},      {"u8", 250},      {"i16", -300}, {"u16", 65000},
        {"i32", -70000}, {"u64", 0x1p64}, {"i64", -0x1p63}, {"f64", 0.1},
    };
    struct gguf *g = open_sample(3, 32);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_true(number(g, rows[i].key) == rows[i].value);
    assert_true(isnan(number(g, "nan")));
    gguf_close(g);
}

static void places_tensors(void **state)
{
    (void)state;
    static const uint32_t aligns[] = {8, 32, 64, 4096};
    for (size_t i = 0; i < 4; i++) {
        struct gguf *g = open_sample(3, aligns[i]);
        assert_int_equal(gguf_n_tensors(g), 3);
        const struct gguf_tensor *a = gguf_tensor(g, "a"), *b = gguf_tensor(g, "b");
        const struct gguf_tensor *c = gguf_tensor(g, "c");
        assert_ptr_equal(gguf_tensor_at(g, 1), b);
        assert_null(gguf_tensor(g, "d"));
        assert_true(a->bytes == 24 && b->bytes == 136 && c->bytes == 4);
        assert_true(b->n_dims == 3 && b->dim[0] == 32 && b->dim[2] == 2 && b->dim[3] == 1);
        assert_true((uintptr_t)a->data % aligns[i] == 0 && (uintptr_t)c->data % aligns[i] == 0);
        // One behind the other, each from the next multiple of the alignment on.
        assert_true(b->data - a->data == (24 + aligns[i] - 1) / aligns[i] * aligns[i]);
        assert_true(c->data - b->data == (136 + aligns[i] - 1) / aligns[i] * aligns[i]);
        gguf_close(g);
    }
}

static void finds_among_thousands(void **state)
{
    (void)state;
    char name[32];
    struct err e;
    uint64_t value;
    struct gguf *g;
    struct gguf_write *w = gguf_write_new(3, 32);
    for (uint32_t i = 0; i < 5000; i++) {
        snprintf(name, sizeof name, "key.%u", i);
        gguf_write_u32(w, name, i);
        snprintf(name, sizeof name, "blk.%u", i);
        gguf_write_tensor(w, name, 0, 1, (uint64_t[]){1 + i % 3}, numbers, 4 * (1 + i % 3));
    }
    gguf_write_file(w, path);
    gguf_write_free(w);
    assert_int_equal(gguf_open(&g, path, type_bytes, &e), 0);
    for (uint32_t i = 0; i < 5000; i++) {
        snprintf(name, sizeof name, "key.%u", i);
        assert_int_equal(gguf_uint(g, name, &value, &e), 0);
        assert_int_equal(value, i);
        snprintf(name, sizeof name, "blk.%u", i);
        assert_ptr_equal(gguf_tensor(g, name), gguf_tensor_at(g, i));
    }
    gguf_close(g);
}

// ---- what is refused

static void expect(struct gguf_write *w, int code, const char *why)
{
    struct err e = {0};
    struct gguf *g = NULL;
    gguf_write_file(w, path);
    gguf_write_free(w);
    int rc = gguf_open(&g, path, type_bytes, &e);
    if (rc != code || !strstr(e.msg, why) || g)
        fail_msg("expected %d '%s', got %d '%s'", code, why, rc, e.msg);
}

static void refuses_versions(void **state)
{
    (void)state;
    expect(sample(1, 32), ERR_UNSUPPORTED, "x.gguf: is GGUF version 1; versions 2 and 3");
    expect(sample(4, 32), ERR_UNSUPPORTED, "version 4");
    expect(sample(0, 32), ERR_UNSUPPORTED, "version 0");
    expect(sample(0x03000000, 32), ERR_UNSUPPORTED, "big-endian");
    struct err e;
    struct gguf *g;
    assert_int_equal(file_replace(NULL, path, "GGML", 4, &e), 0);
    assert_int_equal(gguf_open(&g, path, type_bytes, &e), ERR_FORMAT);
    assert_non_null(strstr(e.msg, "x.gguf: is not a GGUF model"));
    assert_int_equal(gguf_open(&g, "/nonexistent.gguf", type_bytes, &e), ERR_IO);
    assert_int_equal(gguf_open(&g, own_dir(), type_bytes, NULL), ERR_IO);
}

static void refuses_keys(void **state)
{
    (void)state;
    struct gguf_write *w = sample(3, 32);
    gguf_write_u32(w, "n", 31);
    expect(w, ERR_FORMAT, "key 'n' appears twice");
    w = sample(3, 32);
    gguf_write_number(w, "odd\n\x1b[1m", 13, numbers, 4);
    expect(w, ERR_FORMAT, "key 'odd??[1m' is of unknown kind 13");
    w = sample(3, 32);
    gguf_write_array(w, "odd", 13, 1, numbers, 4);
    expect(w, ERR_FORMAT, "array of unknown kind 13");
    w = sample(3, 32);
    gguf_write_array(w, "odd", GGUF_ARRAY, 1, numbers, 12);
    expect(w, ERR_UNSUPPORTED, "array of arrays");
    w = sample(3, 32);
    gguf_write_bool(w, "odd", 2);
    expect(w, ERR_FORMAT, "neither 0 nor 1");
    w = sample(3, 32);
    gguf_write_array(w, "odd", GGUF_BOOL, 2, "\1\2", 2);
    expect(w, ERR_FORMAT, "neither 0 nor 1");
    w = sample(3, 32);
    gguf_write_u32(w, "", 1);
    expect(w, ERR_FORMAT, "no name");
    static const uint32_t aligns[] = {0, 1, 4, 24, 48, UINT32_MAX};
    for (size_t i = 0; i < 6; i++) {
        w = sample(3, 32);
        gguf_write_u32(w, "general.alignment", aligns[i]);
        expect(w, ERR_FORMAT, "'general.alignment'");
    }
}

static void refuses_counts(void **state)
{
    (void)state;
    static const uint64_t huge[] = {1000, 1u << 24, 1u << 30, UINT64_MAX / 4, UINT64_MAX};
    for (size_t i = 0; i < 5; i++) {
        struct gguf_write *w = sample(3, 32);
        gguf_write_counts(w, 17, huge[i]);
        expect(w, ERR_FORMAT, "x.gguf: ");
        w = sample(3, 32);
        gguf_write_counts(w, huge[i], 3);
        expect(w, ERR_FORMAT, "x.gguf: ");
        w = sample(3, 32);
        gguf_write_array(w, "odd", GGUF_U64, huge[i], NULL, 0);
        expect(w, ERR_FORMAT, "ends within its metadata");
        w = sample(3, 32);
        gguf_write_array(w, "odd", GGUF_STR, huge[i], NULL, 0);
        expect(w, ERR_FORMAT, "ends within its metadata");
    }
}

static void refuses_tensors(void **state)
{
    (void)state;
    const uint64_t top = UINT64_MAX;
    static const struct {
        uint32_t type;
        int n_dims;
        uint64_t dim[5], off;
        int code;
        const char *why;
    } rows[] = {
        {0, 1, {9}, 256, ERR_FORMAT, "tensor 'bad' ends past the file"},
        {0, 1, {1}, 1 << 20, ERR_FORMAT, "tensor 'bad' ends past the file"},
        {0, 1, {1}, UINT64_MAX - 31, ERR_FORMAT, "tensor 'bad' ends past the file"},
        {0, 1, {1}, 8, ERR_FORMAT, "not aligned to 32"},
        {0, 1, {1}, 0, ERR_FORMAT, "overlap"},
        {0, 1, {9}, 160, ERR_FORMAT, "overlap"},
        {99, 1, {1}, 256, ERR_UNSUPPORTED, "tensor 'bad' is of type 99"},
        {8, 2, {31, 32}, 256, ERR_FORMAT, "whole number of blocks"},
        {0, 0, {0}, 256, ERR_FORMAT, "0 dimensions"},
        {0, 5, {1, 1, 1, 1, 1}, 256, ERR_FORMAT, "5 dimensions"},
        {0, 2, {1, 0}, 256, ERR_FORMAT, "dimension of 0"},
        {0, 1, {top}, 256, ERR_FORMAT, "larger than the file"},
        {0, 2, {2, top}, 256, ERR_FORMAT, "larger than the file"},
        {0, 3, {1, 1ull << 40, 1ull << 40}, 256, ERR_FORMAT, "larger than the file"},
        {0, 4, {1, 1ull << 31, 1ull << 31, 4}, 256, ERR_FORMAT, "larger than the file"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct gguf_write *w = sample(3, 32);
        gguf_write_tensor(w, "d", 0, 1, (uint64_t[]){8}, numbers, 32);
        gguf_write_tensor_at(w, "bad", rows[i].type, rows[i].n_dims, rows[i].dim, rows[i].off);
        expect(w, rows[i].code, rows[i].why);
    }
    struct gguf_write *w = sample(3, 32);
    gguf_write_tensor(w, "b", 0, 1, (uint64_t[]){8}, numbers, 32);
    expect(w, ERR_FORMAT, "tensor 'b' appears twice");
}

// ---- split files

static void write_part(unsigned no, unsigned count, unsigned says, const char *tensor)
{
    char part[96];
    snprintf(part, sizeof part, "%s/m-%05u-of-%05u.gguf", own_dir(), no + 1, count);
    struct gguf_write *w = gguf_write_new(3, 32);
    uint16_t n = (uint16_t)says, c = (uint16_t)count;
    gguf_write_number(w, "split.no", GGUF_U16, &n, 2);
    gguf_write_number(w, "split.count", GGUF_U16, &c, 2);
    gguf_write_number(w, "split.tensors.count", GGUF_I32, &(int32_t){3}, 4);
    if (!no)
        gguf_write_str(w, "general.architecture", "llama");
    gguf_write_tensor(w, tensor, 0, 1, (uint64_t[]){2 + no}, numbers, 8 + 4 * no);
    gguf_write_file(w, part);
    gguf_write_free(w);
}

static void expect_split(int no, int code, const char *why)
{
    char part[96];
    struct err e = {0};
    struct gguf *g;
    snprintf(part, sizeof part, "%s/m-%05d-of-00003.gguf", own_dir(), no);
    int rc = gguf_open(&g, part, type_bytes, &e);
    if (rc != code || (code && !strstr(e.msg, why)))
        fail_msg("expected %d '%s', got %d '%s'", code, why, rc, e.msg);
    if (!rc) {
        assert_int_equal(gguf_n_tensors(g), 3);
        assert_int_equal(gguf_tensor(g, "c")->bytes, 16);
        assert_true(gguf_has(g, "general.architecture"));
    }
    gguf_close(g);
}

static void reads_split_files(void **state)
{
    (void)state;
    static const char *const names[] = {"a", "b", "c"};
    for (unsigned no = 0; no < 3; no++)
        write_part(no, 3, no, names[no]);
    expect_split(1, 0, NULL);
    expect_split(2, ERR_USAGE, "name the first part");
    write_part(1, 3, 2, "b");
    expect_split(1, ERR_MISMATCH, "m-00002-of-00003.gguf: says that it is part 3 of 3");
    write_part(1, 3, 1, "a");
    expect_split(1, ERR_FORMAT, "tensor 'a' appears twice");
    unlink(in_dir("m-00002-of-00003.gguf"));
    expect_split(1, ERR_IO, "m-00002-of-00003.gguf: No such file");
    assert_int_equal(rename(in_dir("m-00001-of-00003.gguf"), path), 0);
    struct err e;
    struct gguf *g;
    assert_int_equal(gguf_open(&g, path, type_bytes, &e), ERR_FORMAT);
    assert_non_null(strstr(e.msg, "is not named *-00001-of-00003.gguf"));
    unlink(in_dir("m-00003-of-00003.gguf"));
}

// ---- damage

// Everything that can be asked of a file that opened stays within it.
static void use_all(const struct gguf *g)
{
    volatile uint8_t sum = 0;
    for (size_t i = 0; i < gguf_n_keys(g); i++) {
        char name[256];
        struct gguf_str k = gguf_key(g, i);
        if (k.n >= sizeof name)
            continue;
        memcpy(name, k.s, k.n);
        name[k.n] = 0;
        struct gguf_array a;
        struct err e;
        for (int kind = GGUF_U8; kind <= GGUF_F64; kind++) {
            if (gguf_array(g, name, (enum gguf_kind)kind, &a, &e))
                continue;
            const uint8_t *p = a.data;
            uint64_t left = a.n;
            if (kind == GGUF_STR)
                while (left) {
                    struct gguf_str s = gguf_next_str(&p, &left);
                    for (size_t j = 0; j < s.n; j++)
                        sum = (uint8_t)(sum + (uint8_t)s.s[j]);
                }
            else
                for (uint64_t j = 0; j < a.n; j++)
                    sum = (uint8_t)(sum + (gguf_array_i64(&a, j) & 1));
        }
    }
    for (size_t i = 0; i < gguf_n_tensors(g); i++) {
        const struct gguf_tensor *t = gguf_tensor_at(g, i);
        for (uint64_t j = 0; j < t->bytes; j++)
            sum = (uint8_t)(sum + t->data[j]);
    }
}

static int open_bytes(const uint8_t *p, size_t n)
{
    struct err e = {0};
    struct gguf *g;
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(p, 1, n, f), n);
    fclose(f);
    int rc = gguf_open(&g, path, type_bytes, &e);
    if (!rc)
        use_all(g);
    else
        assert_true(!g && e.code == rc && e.msg[0]);
    gguf_close(g);
    return rc;
}

static void survives_damage(void **state)
{
    (void)state;
    size_t n;
    struct gguf_write *w = sample(3, 32);
    const uint8_t *good = gguf_write_bytes(w, &n);
    uint8_t *p = malloc(n);
    assert_non_null(p);
    memcpy(p, good, n);
    // No file that was cut opens: its last tensor ends at its last byte.
    for (size_t len = 0; len < n; len++)
        assert_int_not_equal(open_bytes(p, len), 0);
    assert_int_equal(open_bytes(p, n), 0);
    size_t refused = 0;
    for (size_t i = 0; i < n; i++) {
        static const uint8_t flips[] = {0x01, 0x80, 0xff};
        for (size_t k = 0; k < 3; k++) {
            p[i] ^= flips[k];
            refused += open_bytes(p, n) != 0;
            p[i] ^= flips[k];
        }
    }
    // Header, lengths, kinds, shapes and places are noticed; values and names cannot be.
    assert_true(refused > n / 4);
    free(p);
    gguf_write_free(w);
}

// The digest of a model's weights, a tensor of 4096 bytes, after CHANGE was made to byte AT of it.
static uint64_t digest_with(size_t at, uint8_t change)
{
    static uint8_t data[sizeof numbers];
    struct err e;
    struct gguf *g;
    struct hash *h;
    struct gguf_write *w = gguf_write_new(3, 32);
    data[at] ^= change;
    gguf_write_tensor(w, "t", 0, 1, (uint64_t[]){sizeof data / 4}, data, sizeof data);
    gguf_write_file(w, path);
    gguf_write_free(w);
    data[at] ^= change;
    assert_int_equal(gguf_open(&g, path, type_bytes, &e), 0);
    assert_int_equal(hash_new(&h, &e), 0);
    gguf_hash_weights(g, h);
    const uint64_t digest = hash_value(h);
    hash_free(h);
    gguf_close(g);
    return digest;
}

// Where kvz(5) says that samples are, and nowhere else.
static void samples_weights(void **state)
{
    (void)state;
    const uint64_t was = digest_with(0, 0);
    for (size_t s = 0; s < 4; s++) {
        const size_t from = s * ((sizeof numbers - 256) / 3);
        assert_true(digest_with(from, 1) != was && digest_with(from + 255, 1) != was);
        assert_true(s == 0 || digest_with(from - 1, 1) == was);
        assert_true(s == 3 || digest_with(from + 256, 1) == was);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_values),
        cmocka_unit_test(refuses_values),
        cmocka_unit_test(reads_what_may_be_absent),
        cmocka_unit_test(reads_numbers_of_every_kind),
        cmocka_unit_test(places_tensors),
        cmocka_unit_test(finds_among_thousands),
        cmocka_unit_test(refuses_versions),
        cmocka_unit_test(refuses_keys),
        cmocka_unit_test(refuses_counts),
        cmocka_unit_test(refuses_tensors),
        cmocka_unit_test(samples_weights),
        cmocka_unit_test(reads_split_files),
        cmocka_unit_test(survives_damage),
    };
    return cmocka_run_group_tests(tests, set_up, own_dir_remove);
}
