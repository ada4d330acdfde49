#include "tests/unit/engine/question/anew_fixture.h"

char *anew_of(anew_function *of, const char *question, const char *const *texts, int n, int *which)
{
    struct named_text d[4];
    char *out;
    for (int i = 0; i < n; i++)
        d[i] = (struct named_text){texts[i], strlen(texts[i])};
    assert_int_equal(of(&out, which, question, d, n, NULL), 0);
    return out;
}

void anew_check(anew_function *of, const char *question, const char *text, const char *want)
{
    int which;
    char *out = anew_of(of, question, &text, 1, &which);
    if (want) {
        assert_non_null(out);
        assert_string_equal(out, want);
        assert_int_equal(which, 0);
    } else if (out) {
        fail_msg("%s: is '%s'", question, out);
    }
    free(out);
}
