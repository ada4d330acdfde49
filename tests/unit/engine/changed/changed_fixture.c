#define _GNU_SOURCE
#include "tests/unit/engine/changed/changed_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "engine/sentences/cut.h"

void finds_that(const struct changed_said *s, const char *begins)
{
    struct span_of_text at = {0, 0};
    const int found = changed_find(s, &at);
    if (found != (begins != NULL))
        print_error("%s: %s\n", s->question, s->text);
    assert_int_equal(found, begins != NULL);
    if (begins)
        assert_memory_equal(s->text + at.from, begins, strlen(begins));
}

void finds_of(const char *text, const char *said, const char *question, const char *answer,
              const char *begins)
{
    struct changed_said s = {
        .text = text, .n = strlen(text), .question = question, .answer = answer};
    struct lines c;
    lines_of_text(&c, text, s.n);
    cut_sentence(&c, (size_t)(strstr(text, said) - text), &s.said.from, &s.said.to);
    char *own = strndup(text + s.said.from, s.said.to - s.said.from);
    s.answer = answer ? answer : own;
    finds_that(&s, begins);
    free(own);
}

void finds(const char *text, const char *said, const char *question, const char *begins)
{
    finds_of(text, said, question, NULL, begins);
}
