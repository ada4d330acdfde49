#include "tests/unit/cut_says.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "engine/text/cut.h"

void says(const char *text, const char *word, const char *want_lead, const char *all)
{
    struct cut c;
    size_t from, to, lead, lead_end;
    const char *at = strstr(text, word);
    assert_non_null(at);
    cut_text(&c, text, strlen(text));
    cut_sentence(&c, (size_t)(at - text), &from, &to);
    cut_company(&c, &from, &to, &lead, &lead_end);
    assert_int_equal(to - from, strlen(all));
    assert_memory_equal(text + from, all, to - from);
    assert_int_equal(lead_end - lead, want_lead ? strlen(want_lead) : 0);
    if (want_lead)
        assert_memory_equal(text + lead, want_lead, lead_end - lead);
}
