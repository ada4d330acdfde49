#define _GNU_SOURCE
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "io/json.h"

// The text written by the calls between begin() and done().
static char *text;
static size_t text_bytes;

static struct json begin(void)
{
    struct json j;
    json_init(&j, open_memstream(&text, &text_bytes));
    assert_non_null(j.f);
    return j;
}

static void done(struct json *j, const char *expected)
{
    fclose(j->f);
    assert_string_equal(text, expected);
    free(text);
}

static void structure(void **state)
{
    (void)state;
    struct json j = begin();
    json_object(&j);
    json_key(&j, "a");
    json_array(&j);
    json_int(&j, -7);
    json_uint(&j, UINT64_MAX);
    json_object(&j);
    json_end(&j);
    json_array(&j);
    json_end(&j);
    json_bool(&j, 1);
    json_end(&j);
    json_key(&j, "b\n");
    json_cstr(&j, NULL);
    json_key(&j, "c");
    json_object(&j);
    json_key(&j, "d");
    json_bool(&j, 0);
    json_end(&j);
    json_end(&j);
    json_line(&j);
    json_object(&j);
    json_end(&j);
    json_line(&j);
    done(&j, "{\"a\": [-7, 18446744073709551615, {}, [], true], \"b\\n\": null, "
             "\"c\": {\"d\": false}}\n{}\n");
}

static void strings(void **state)
{
    (void)state;
    static const struct {
        const char *in;
        size_t n;
        const char *out;
    } rows[] = {
        {"", 0, "\"\""},
        {"\"\\/\b\f\n\r\t", 8, "\"\\\"\\\\/\\b\\f\\n\\r\\t\""},
        {"a\0b\x01\x1f\x7f", 6, "\"a\\u0000b\\u0001\\u001f\\u007f\""},
        {"\xc2\x85", 2, "\"\\u0085\""},
        {"\u202ea\u2067b\u200f\u200d", 14, "\"\\u202ea\\u2067b\u200f\u200d\""},
        {"\xe4\xb8\xad\xf0\x9f\x98\x80", 7, "\"\xe4\xb8\xad\xf0\x9f\x98\x80\""},
        {"\xff"
         "a",
         2,
         "\"\xef\xbf\xbd"
         "a\""},
        {"\xe4\xb8", 2, "\"\xef\xbf\xbd\xef\xbf\xbd\""},                 // cut short
        {"\xed\xa0\x80", 3, "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\""}, // a surrogate
        {"\xc0\x80", 2, "\"\xef\xbf\xbd\xef\xbf\xbd\""},                 // overlong
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct json j = begin();
        json_str(&j, rows[i].in, rows[i].n);
        done(&j, rows[i].out);
    }
}

static void numbers(void **state)
{
    (void)state;
    static const struct {
        double v;
        const char *out;
    } rows[] = {
        {0, "0"},
        {1e6, "1000000"},
        {-1e15, "-1000000000000000"},
        {0.1f, "0.1"},
        {0.5, "0.5"},
        {1.0 / 3, "0.333333333"},
        {1e-7f, "1e-07"},
        {1e300, "1e+300"},
        {NAN, "null"},
        {INFINITY, "null"},
        {-INFINITY, "null"},
        {9007199254740991.0, "9007199254740991"},
        {12345.678f, "12345.678"},
        {-2.25, "-2.25"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct json j = begin();
        json_num(&j, rows[i].v);
        done(&j, rows[i].out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(structure),
        cmocka_unit_test(strings),
        cmocka_unit_test(numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
