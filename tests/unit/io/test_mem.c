#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "io/mem.h"
#include "io/show.h"

static void allocates(void **state)
{
    (void)state;
    struct err e;
    unsigned char *p = mem_new(10, 100, &e);
    assert_non_null(p);
    for (int i = 0; i < 1000; i++)
        assert_int_equal(p[i], 0);
    free(p);
    p = mem_new_aligned(3, 7, &e);
    assert_non_null(p);
    assert_int_equal((uintptr_t)p % 64, 0);
    for (int i = 0; i < 21; i++)
        assert_int_equal(p[i], 0);
    free(p);
    p = mem_new(0, 8, &e);
    assert_non_null(p);
    free(p);
    p = mem_new_aligned(0, 8, &e);
    assert_non_null(p);
    free(p);
    char *s = mem_strdup("copy", &e);
    assert_string_equal(s, "copy");
    free(s);
}

static void refuses_sizes(void **state)
{
    (void)state;
    static const size_t rows[][2] = {
        {SIZE_MAX, 2},
        {2, SIZE_MAX},
        {SIZE_MAX / 2 + 1, 2},
        {(size_t)PTRDIFF_MAX + 1, 1},
        {(size_t)1 << 33, (size_t)1 << 33},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct err e = {0};
        assert_null(mem_new(rows[i][0], rows[i][1], &e));
        assert_true(e.code == ERR_NOMEM && e.msg[0]);
        e.code = 0;
        assert_null(mem_new_aligned(rows[i][0], rows[i][1], &e));
        assert_int_equal(e.code, ERR_NOMEM);
        void *p = NULL;
        size_t cap = 0;
        assert_int_equal(mem_grow(&p, &cap, rows[i][0], rows[i][1], &e), ERR_NOMEM);
        assert_true(!p && !cap);
    }
    assert_null(mem_new(SIZE_MAX, 2, NULL));
}

static void grows(void **state)
{
    (void)state;
    struct err e;
    void *p = NULL;
    size_t cap = 0, moves = 0;
    for (uint32_t i = 0; i < 10000; i++) {
        size_t was = cap;
        assert_int_equal(mem_grow(&p, &cap, i + 1, sizeof i, &e), 0);
        assert_true(cap > i);
        moves += cap != was;
        ((uint32_t *)p)[i] = i;
    }
    assert_true(moves < 20); // doubling
    for (uint32_t i = 0; i < 10000; i++)
        assert_int_equal(((uint32_t *)p)[i], i);
    void *same = p;
    assert_int_equal(mem_grow(&p, &cap, 5, sizeof(uint32_t), &e), 0);
    assert_ptr_equal(p, same);
    size_t was = cap;
    assert_int_equal(mem_grow(&p, &cap, SIZE_MAX, sizeof(uint32_t), &e), ERR_NOMEM);
    assert_true(p == same && cap == was);
    free(p);
}

static void maps(void **state)
{
    (void)state;
    struct err e;
    const size_t sizes[] = {1, 2 << 20, (2 << 20) + 1};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        for (int again = 0; again < 2; again++) { // zero also where memory comes back
            unsigned char *p = mem_map(sizes[i], &e);
            assert_non_null(p);
            assert_int_equal((uintptr_t)p % 64, 0);
            assert_int_equal(p[0] | p[sizes[i] / 2] | p[sizes[i] - 1], 0);
            memset(p, 1, sizes[i]);
            mem_unmap(p, sizes[i]);
        }
    }
    assert_null(mem_map(SIZE_MAX, &e));
    assert_int_equal(e.code, ERR_NOMEM);
    mem_unmap(NULL, 1);
}

static void shows_bytes(void **state)
{
    (void)state;
    static const struct {
        const char *in;
        size_t n, cap;
        const char *out;
    } rows[] = {
        {"", 0, 8, ""},
        {"plain", 5, 64, "plain"},
        {"a\0b\n\x1b[31m\x7f", 10, 64, "a?b??[31m?"},
        {"\xc3\xa9\xe4\xb8\xad", 5, 64, "\xc3\xa9\xe4\xb8\xad"},
        {"\xc2\x9b"
         "x",
         3, 64, "?x"}, // CSI as one character
        {"\xe2\x80\xae"
         "gpj",
         6, 64, "?gpj"}, // turns the text around
        {"\xff\xe4\xb8", 3, 64, "???"},
        {"1234567", 7, 8, "1234567"},
        {"12345678", 8, 8, "1234..."},
        {"123\xc3\xa9\xc3\xa9\xc3\xa9", 9, 8, "123..."},
        {"\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad", 9, 9, "\xe4\xb8\xad..."},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char *buf = malloc(rows[i].cap); // of this size, so that the sanitizer sees what is beyond
        assert_non_null(buf);
        assert_string_equal(show_bytes(rows[i].in, rows[i].n, buf, rows[i].cap), rows[i].out);
        free(buf);
    }
}

static void shows_names(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"", ""},
        {"notes/caf\xc3\xa9 100%?.txt", "notes/caf\xc3\xa9 100%?.txt"},
        {"a\nb", "a\\nb"},
        {"\x1b[1m\x7f", "\\x1b[1m\\x7f"},
        {"\xe2\x80\xaegpj", "\\u202egpj"},
        {"\xff.txt", "\\xff.txt"},
        // As archives made on Windows have them.
        {"docs\\new\\x1.txt", "docs\\new\\x1.txt"},
        {"\\", "\\"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char *name = show_name(rows[i][0], NULL);
        assert_non_null(name);
        assert_string_equal(name, rows[i][1]);
        free(name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(allocates), cmocka_unit_test(refuses_sizes), cmocka_unit_test(grows),
        cmocka_unit_test(maps),      cmocka_unit_test(shows_bytes),   cmocka_unit_test(shows_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
