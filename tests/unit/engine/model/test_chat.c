// Chat templates against what Jinja2 renders from the field's template texts
// (tests/golden/chat.py).
#define _GNU_SOURCE // getline
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "engine/engine.h"
#include "engine/model/chat.h"

enum { NAME, ROW, SYSTEM, DEFAULT, TEMPLATE, PROMPT, FIELDS };

static void unescape(char *s)
{
    char *out = s;
    for (; *s && *s != '\n'; s++)
        if (*s != '\\')
            *out++ = *s;
        else
            *out++ = *++s == 'n' ? '\n' : *s;
    *out = 0;
}

static void check(char *const f[FIELDS])
{
    char head[1024], tail[256], system[512], whole[2048];
    size_t n = strlen(f[TEMPLATE]);
    const struct chat *c = chat_detect(f[TEMPLATE], n);
    assert_string_equal(c ? c->name : "-", f[ROW]);
    if (!c)
        return;
    assert_ptr_equal(c, chat_find(f[ROW]));
    size_t k = chat_default_system(f[TEMPLATE], n, system, sizeof system);
    assert_string_equal(system, f[DEFAULT]);
    assert_int_equal(k, strlen(system));
    k = chat_head(c, *f[SYSTEM] ? f[SYSTEM] : system, head, sizeof head);
    assert_int_equal(k, strlen(head));
    k = chat_tail(c, tail, sizeof tail);
    assert_int_equal(k, strlen(tail));
    snprintf(whole, sizeof whole, "%sThe document." CHAT_JOIN "The question?%s", head, tail);
    assert_string_equal(whole, f[PROMPT]);
}

static void test_rendered(void **state)
{
    (void)state;
    FILE *in = fopen("tests/golden/chat.txt", "r");
    char *f[FIELDS] = {0};
    size_t cap[FIELDS] = {0};
    int cases = 0;
    assert_non_null(in);
    while (getline(&f[NAME], &cap[NAME], in) > 0) {
        for (int i = ROW; i < FIELDS; i++)
            assert_true(getline(&f[i], &cap[i], in) > 0);
        for (int i = 0; i < FIELDS; i++)
            unescape(f[i]);
        check(f);
        cases++;
    }
    assert_int_equal(cases, 39);
    for (int i = 0; i < FIELDS; i++)
        free(f[i]);
    fclose(in);
}

// Every row has a name of its own and texts; a short buffer gets what fits.
static void test_rows(void **state)
{
    (void)state;
    char buf[512], small[8], names[512] = "";
    size_t n = 0;
    for (const struct chat *c; (c = chat_at(n)); n++) {
        strcat(strcat(names, n ? "|" : ""), c->name);
        assert_ptr_equal(c, chat_find(c->name));
        size_t whole = chat_head(c, "system", buf, sizeof buf);
        size_t cut = chat_head(c, "system", small, sizeof small);
        assert_int_equal(cut, whole < sizeof small ? whole : sizeof small - 1);
        assert_memory_equal(buf, small, cut);
        assert_int_equal(small[cut], 0);
        chat_tail(c, small, 1);
        assert_int_equal(small[0], 0);
        assert_int_equal(chat_tail(c, NULL, 0), 0);
        assert_int_equal(chat_head(c, NULL, NULL, 0), 0);
    }
    assert_true(n > 12);
    assert_string_equal(names, TEMPLATE_NAMES);
    assert_null(chat_find("no such thing"));
    assert_non_null(chat_find("raw"));
}

// A template text is a file's word: cut anywhere, nothing is read past its end.
static void test_cut_templates(void **state)
{
    (void)state;
    static const char text[] =
        "{{ '<|im_start|>system\\nBe \\'kind\\' \\\\ now<|im_end|>\\n' }}<|im_start|>assistant\\n";
    char system[64];
    for (size_t n = 0; n < sizeof text; n++) {
        char *p = malloc(n ? n : 1);
        memcpy(p, text, n);
        chat_detect(p, n);
        chat_default_system(p, n, system, sizeof system);
        free(p);
    }
    assert_int_equal(chat_default_system(text, sizeof text - 1, system, sizeof system), 15);
    assert_string_equal(system, "Be 'kind' \\ now");
    assert_int_equal(chat_default_system(text, sizeof text - 1, system, 4), 0);
    assert_null(chat_detect("", 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rendered),
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_cut_templates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
