#define _GNU_SOURCE
#include "engine/survey/kinds.h"

#include <stdlib.h>

#include "io/mem.h"

static int answer(struct surveying *v, struct err *e)
{
    switch (v->w.want) {
    case WANT_COUNT:
    case WANT_LINES:
        return survey_count(v, e);
    case WANT_COMMON:
        return survey_common(v, e);
    case WANT_LED_TO:
        return survey_trail(v, e);
    case WANT_SECTION:
        return survey_section(v, e);
    default:
        return survey_chain(v, e);
    }
}

int survey(struct survey *s, struct kvz *const *k, int n_k, const char *question, int most,
           struct err *e)
{
    struct surveying v = {.k = k, .n_k = n_k, .s = s};
    *s = (struct survey){.most = most};
    int rc = wanted_parse(&v.w, question) ? texts_are_there(k, n_k, e) : 0;
    if (rc <= 0)
        return rc;
    s->places = mem_new((size_t)most, sizeof *s->places, e);
    v.out = open_memstream(&s->text, &s->bytes);
    if (!s->places || !v.out)
        rc = err_set(e, ERR_NOMEM, "out of memory (survey)");
    else
        rc = answer(&v, e);
    if (v.out && fclose(v.out) && rc > 0)
        rc = err_set(e, ERR_NOMEM, "out of memory (survey)");
    return rc;
}

void survey_done(struct survey *s)
{
    free(s->text);
    free(s->places);
}
