#include "tests/unit/engine/sentences/cut_fixture.h"

#include "engine/company/company.h"

void falls_into(const char *marked)
{
    char *text = malloc(strlen(marked) + 1), *got = malloc(2 * strlen(marked) + 2);
    size_t n = 0, at = 0;
    assert_true(text && got);
    for (const char *p = marked; *p; p++)
        if (*p != '|')
            text[n++] = *p;
    struct lines c;
    lines_of_text(&c, text, n);
    size_t last = SIZE_MAX;
    for (size_t i = 0; i < n; i++) {
        size_t from, to;
        cut_sentence(&c, i, &from, &to);
        assert_true(from < to && to <= n);
        if (!strchr(" \n\f", text[i])) {
            assert_in_range(i, from, to - 1);
            if (last != SIZE_MAX && from != last)
                got[at++] = '|';
            last = from;
        }
        got[at++] = text[i];
    }
    got[at] = 0;
    assert_string_equal(got, marked);
    free(text);
    free(got);
}

void mends_to(const char *text, const char *want)
{
    char out[500];
    struct lines c;
    lines_of_text(&c, text, strlen(text));
    size_t n = cut_mend(&c, 0, strlen(text), out);
    assert_in_range(n, 0, strlen(text));
    out[n] = 0;
    assert_string_equal(out, want);
}

void says(const char *text, const char *word, const char *want_lead, const char *all)
{
    struct lines c;
    size_t from, to, lead, lead_end;
    const char *at = strstr(text, word);
    assert_non_null(at);
    lines_of_text(&c, text, strlen(text));
    cut_sentence(&c, (size_t)(at - text), &from, &to);
    company_extend(&c, &from, &to, &lead, &lead_end);
    assert_int_equal(to - from, strlen(all));
    assert_memory_equal(text + from, all, to - from);
    assert_int_equal(lead_end - lead, want_lead ? strlen(want_lead) : 0);
    if (want_lead)
        assert_memory_equal(text + lead, want_lead, lead_end - lead);
}
