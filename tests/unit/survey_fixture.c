#include "tests/unit/survey_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "engine/survey/survey.h"

void asked(struct kvz *const *k, int n_k, const char *question, const char *answer)
{
    struct lookup_answer s;
    struct err e;
    int rc = survey(&s, k, n_k, question, 9, &e);
    if (rc != (answer != NULL) || (answer && strcmp(s.text, answer) != 0))
        fail_msg("%s: %d %s", question, rc, rc > 0 ? s.text : "");
    lookup_answer_done(&s);
}
