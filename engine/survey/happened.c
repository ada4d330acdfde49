// What a log has of a time of day, or of a day: "What happened at 14:16?", "What happened between
// 10:00 and 11:00 on 14 March?", "What happened on 14 March?", but not all of a day's conversation.
#include "engine/survey/events.h"
#include "engine/survey/lookups.h"

int survey_happened(struct surveying *v, struct err *e)
{
    enum { SHOWN = 50 }; // lines that an answer prints
    struct span_of_text line, mark;
    struct texts t;
    struct events s;
    int rc, n = 0;
    texts_begin(&t, v->k, v->n_k);
    while ((rc = texts_next(&t, e)) > 0) {
        if (!v->w.timed && events_are_said(&t))
            continue;
        events_begin(&s, &t, "", &v->w);
        while (s.kind != LOG_NONE && events_next(&s, &line, &mark)) {
            if ((rc = survey_add(v, &t, line, 1, e)))
                return rc;
            if (n++ < SHOWN)
                survey_line(v->out, t.text, line);
        }
    }
    if (n > SHOWN)
        fprintf(v->out, "and %d more", n - SHOWN);
    return rc ? rc : n > 0;
}
