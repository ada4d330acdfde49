// How somebody is reached: "What is the vet's phone number?", by the only sentence or line that has
// both who is meant and a number, or an address, of that kind: "- Vet: Teme Vets, 01584 496 0159".
#include <string.h>

#include "engine/survey/lookups.h"
#include "engine/survey/names.h"
#include "engine/text/asked.h"

// Whether S of TEXT, of SURVEY_SAID bytes at most, has what QUESTION asks for.
static int tells(const char *question, const char *text, struct span_of_text s)
{
    char said[SURVEY_SAID + 1];
    if (span_bytes(s) > SURVEY_SAID)
        return 0;
    memcpy(said, text + s.from, span_bytes(s));
    said[span_bytes(s)] = 0;
    return asked_left_out(question, "", said);
}

int survey_reached(struct surveying *v, const char *question, struct err *e)
{
    struct survey_found found;
    struct texts t;
    int rc, n = 0;
    texts_begin(&t, v->k, v->n_k);
    while ((rc = texts_next(&t, e)) > 0) {
        size_t bytes, at = 0;
        while (n < 2 && name_next(v->w.whom, t.text, t.n, &at, &bytes)) {
            const struct span_of_text s = texts_sentence(t.text, t.n, at);
            at += bytes;
            if (!tells(question, t.text, s))
                continue;
            found = (struct survey_found){t, s};
            n++;
            at = s.to > at ? s.to : at;
        }
    }
    if (rc < 0 || n != 1)
        return rc;
    return survey_say_found(v, &found, 1, 1, e);
}
