// Answers of a survey (survey.h) as answers to questions.
#include <string.h>

#include "engine/ask/ask.h"
#include "engine/survey/survey.h"
#include "engine/words/chars.h"
#include "io/clock.h"
#include "io/mem.h"

static int add_places(struct answer *a, const struct lookup_answer *s, struct err *e)
{
    if (!(a->evidence = mem_new((size_t)s->n, sizeof *a->evidence, e)))
        return ERR_NOMEM;
    for (int i = 0; i < s->n; i++) {
        const struct lookup_place *p = &s->places[i];
        struct evidence *v = &a->evidence[i];
        *v = (struct evidence){.index = p->index,
                               .block = p->block,
                               .document = p->document,
                               .start = p->from,
                               .end = p->to,
                               .focus_start = p->start,
                               .focus_end = p->end,
                               .score = p->n,
                               .was_read = 1,
                               .text_bytes = (size_t)(p->to - p->from)};
        if (!(v->text = mem_new(v->text_bytes + 1, 1, e)))
            return ERR_NOMEM;
        memcpy(v->text, p->text, v->text_bytes);
        a->n_evidence++;
    }
    return 0;
}

int ask_survey(struct kvz *const *indexes, int n_indexes, const struct ask_options *o,
               struct answer *a, struct err *e)
{
    struct lookup_answer s;
    double start = clock_seconds();
    int most = ask_passages(o);
    *a = (struct answer){0};
    if (o->survey < 0)
        return 0;
    int rc = survey(&s, indexes, n_indexes, o->question, most, e);
    if (rc > 0) {
        int failed = add_places(a, &s, e);
        rc = failed ? failed : rc;
    }
    if (rc > 0) {
        while (s.bytes && is_space(s.text[s.bytes - 1])) // lists end each line
            s.text[--s.bytes] = 0;
        a->text = s.text;
        a->text_bytes = s.bytes;
        s.text = NULL;
        a->score = 1; // all of the text was looked through
        a->select = a->finish = "survey";
        for (int i = 0; i < n_indexes; i++)
            a->document_tokens += kvz_n_tokens(indexes[i]);
        a->first_token_seconds = a->total_seconds = clock_seconds() - start;
        if (o->text)
            o->text(o->arg, a->text, a->text_bytes);
    } else if (rc < 0)
        answer_done(a);
    lookup_answer_done(&s);
    return rc;
}
