// How many errors, warnings and the like a log has, and which lines tell of them.
#include <string.h>
#include <strings.h>

#include "engine/history/history.h"
#include "engine/lookup/events.h"

enum {
    SHOWN = 50,
    MARKS = 4,
    MARK = 12
}; // lines that an answer prints; marks of levels, their bytes

struct logged {
    uint64_t n;
    int n_logs, any_case;
    char marks[MARKS][MARK]; // [n_marks] of the lines found, as the texts have them
    int n_marks;
};

static void keep_mark(struct logged *g, const char *text, struct span_of_text mark)
{
    const size_t n = span_bytes(mark);
    if (!n || n >= MARK || g->n_marks == MARKS)
        return;
    for (int i = 0; i < g->n_marks; i++)
        if (strlen(g->marks[i]) == n && !strncasecmp(g->marks[i], text + mark.from, n))
            return;
    memcpy(g->marks[g->n_marks], text + mark.from, n);
    g->marks[g->n_marks++][n] = 0;
}

// Whether T has any line that is from WHOM.
static int has_from(const struct lookup *v, const struct texts *t)
{
    struct span_of_text line, mark;
    struct events s;
    struct wanted from = {0};
    memcpy(from.whom, v->w.whom, sizeof from.whom);
    events_begin(&s, t, "", &from);
    return events_next(&s, &line, &mark);
}

static int look_through(struct lookup *v, const struct texts *t, struct logged *g, struct err *e)
{
    struct span_of_text line, mark;
    struct events s;
    events_begin(&s, t, v->w.what, &v->w);
    if (s.kind == LOG_NONE || (*v->w.whom && (s.any_case || !has_from(v, t))))
        return 0;
    g->n_logs++;
    g->any_case |= s.any_case;
    while (events_next(&s, &line, &mark)) {
        const int rc = lookup_add(v, t, line, 1, e);
        if (rc)
            return rc;
        if (v->w.want == WANT_LINES && g->n < SHOWN)
            lookup_line(v->out, t->text, line);
        keep_mark(g, t->text, mark);
        g->n++;
    }
    return 0;
}

// By their level where that alone was looked for, else by the word.
static void say_count(FILE *out, const struct logged *g, const char *what, const char *whom)
{
    if (g->n)
        fprintf(out, "%llu line%s", (unsigned long long)g->n, g->n == 1 ? "" : "s");
    else
        fputs("No line", out);
    fprintf(out, "%s%s %s the ", *whom ? " of " : "", whom, g->n > 1 ? "have" : "has");
    if (g->any_case || !g->n_marks) {
        fprintf(out, *whom ? "level of \"%s\"." : "word \"%s\" or a form of it.", what);
        return;
    }
    fputs("level ", out);
    for (int i = 0; i < g->n_marks; i++)
        fprintf(out, "%s%s", i ? " or " : "", g->marks[i]);
    fputc('.', out);
}

int history_logged(struct lookup *v, struct err *e)
{
    struct logged g = {0};
    struct texts t;
    int rc;
    texts_begin(&t, v->k, v->n_k);
    while ((rc = texts_next(&t, e)) > 0)
        if ((rc = look_through(v, &t, &g, e)))
            break;
    if (rc || !g.n_logs || (!g.n && (v->w.timed || *v->w.day)))
        return rc;
    const int none = !g.n && wanted_is_literal(&v->w);
    if (v->w.want == WANT_COUNT || none)
        say_count(v->out, &g, v->w.what, v->w.whom);
    else if (g.n > SHOWN)
        fprintf(v->out, "and %llu more", (unsigned long long)(g.n - SHOWN));
    return v->w.want == WANT_COUNT || none || g.n > 0;
}
