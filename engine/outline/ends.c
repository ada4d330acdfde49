// The first, the last, the third of something: a line, a message, a part that is called so. Where
// all have dates, these say which one is the last.
#include <string.h>

#include "engine/history/history.h"
#include "engine/lines/message.h"
#include "engine/outline/outline.h"
#include "engine/outline/parts.h"

// A line of a text of any kind: "the first line".
static int of_text(struct lookup *v, struct err *e)
{
    struct texts t;
    struct span_of_text line = {0}, found = {0};
    int n = 0, rc;
    if (v->n_k != 1 || kvz_n_documents(v->k[0]) != 1 || strcmp(v->w.what, "line") != 0 ||
        *v->w.whom || *v->w.about || *v->w.day || v->w.timed || v->w.want != WANT_PART)
        return 0;
    texts_begin(&t, v->k, v->n_k);
    if ((rc = texts_next(&t, e)) <= 0)
        return rc;
    int total = 0;
    for (int pass = 0; pass < 2; pass++, total = n, n = 0)
        for (size_t at = 0; at < t.n; at = line.to + 1) {
            line = texts_line(t.text, t.n, at);
            if (line.to == line.from)
                continue;
            n++;
            if (pass && n == (v->w.n < 0 ? total + 1 + v->w.n : v->w.n))
                found = line;
        }
    if (!found.to)
        return 0;
    lookup_words(v->out, t.text, found);
    rc = lookup_add(v, &t, found, 0, e);
    return rc ? rc : 1;
}

// --------------------------------------------------------------------- of messages and other parts

// Leaves those of P that are from WHOM and about ABOUT.
static void leave_asked(struct parts *p, const struct wanted *w)
{
    int n = 0;
    for (int i = 0; i < p->n; i++) {
        const struct part *m = &p->v[i];
        if (parts_have(m, parts_field(m, MESSAGE_FROM), w->whom) &&
            parts_have(m, parts_field(m, MESSAGE_SUBJECT), w->about))
            p->v[n++] = *m;
    }
    p->n = n;
}

static int say_field(struct lookup *v, const struct part *m, enum message_field field)
{
    const struct span_of_text s = parts_field(m, field);
    lookup_words(v->out, m->t.text, s);
    return s.to > s.from;
}

static int say_passage(struct lookup *v, const struct part *m, struct err *e)
{
    struct span_of_text body = parts_body(m);
    fputc('\n', v->out);
    return body.to > body.from ? lookup_passage(v->out, &m->t, &body, e) : 0;
}

static int say_message(struct lookup *v, const struct part *m, struct err *e)
{
    switch (v->w.want) {
    case WANT_PART_WHO:
        return say_field(v, m, MESSAGE_FROM);
    case WANT_PART_WHEN:
        return say_field(v, m, MESSAGE_DATE);
    case WANT_PART_SUBJECT:
        return say_field(v, m, MESSAGE_SUBJECT);
    case WANT_PART_WHERE:
        return 0;
    default:
        break;
    }
    int rc = lookup_quote(v->out, &m->t, m->head, e);
    rc = rc ? rc : say_passage(v, m, e);
    return rc ? rc : 1;
}

static int say_part(struct lookup *v, const struct parts *p, const struct part *m, struct err *e)
{
    const int says =
        v->w.want == WANT_PART_SAYS || (p->are == PARTS_DATED && v->w.want == WANT_PART);
    if (v->w.want == WANT_PART_WHERE && m->place.from == m->place.to)
        return 0;
    if (v->w.want == WANT_PART_WHO || (v->w.want == WANT_PART_WHEN && !m->order))
        return 0;
    int rc = lookup_quote(v->out, &m->t, m->head, e);
    if (!rc && says)
        rc = say_passage(v, m, e);
    return rc ? rc : 1;
}

static int of_parts(struct lookup *v, struct err *e)
{
    struct parts p;
    int rc, i = -1;
    if (strchr(v->w.what, ' ') || *v->w.day || v->w.timed)
        return 0;
    rc = parts_find(&p, v->k, v->n_k, v->w.what, e);
    if (rc > 0 && p.are == PARTS_MESSAGES)
        leave_asked(&p, &v->w);
    else if (*v->w.whom || *v->w.about)
        rc = rc < 0 ? rc : 0;
    if (rc > 0 && (i = parts_nth(&p, v->w.n)) < 0)
        rc = 0;
    if (rc > 0)
        rc = p.are == PARTS_MESSAGES ? say_message(v, &p.v[i], e) : say_part(v, &p, &p.v[i], e);
    if (rc > 0) {
        const int added = lookup_add(v, &p.v[i].t, p.v[i].head, 0, e);
        rc = added ? added : rc;
    }
    parts_done(&p);
    return rc;
}

int outline_ends(struct lookup *v, struct err *e)
{
    int rc = history_ends_of_log(v, e);
    rc = rc ? rc : of_parts(v, e);
    return rc ? rc : of_text(v, e);
}
