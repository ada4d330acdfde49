// How many parts of a kind there are, and which: chapters, meetings, recipes, messages; those that
// have a word; who wrote messages, and about what.
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "engine/lines/message.h"
#include "engine/outline/outline.h"
#include "engine/outline/parts.h"
#include "engine/words/chars.h"
#include "io/mem.h"

enum { SHOWN = 50 }; // that an answer prints

static int is_asked(const struct wanted *w, const struct part *m)
{
    const struct span_of_text all = {m->head.from, m->end};
    return parts_have(m, all, w->what) && parts_have(m, parts_field(m, MESSAGE_FROM), w->whom) &&
           parts_have(m, parts_field(m, MESSAGE_SUBJECT), w->about);
}

// Prints the heading of M, or who wrote it, when and about what.
static void say_part(FILE *out, const struct parts *p, const struct part *m, const char *end)
{
    static const int fields[] = {MESSAGE_DATE, MESSAGE_FROM, MESSAGE_SUBJECT};
    if (m->who.to)
        lookup_words(out, m->t.text, (struct span_of_text){m->head.from, m->end});
    else if (p->are == PARTS_MESSAGES) {
        if (message_is_commit(m->t.text + m->head.from, span_bytes(m->head))) {
            lookup_words(out, m->t.text, texts_line(m->t.text, m->t.n, m->head.from));
            fputs(", ", out);
        }
        for (int i = 0; i < 3; i++) {
            fputs(i ? ", " : "", out);
            lookup_words(out, m->t.text, parts_field(m, fields[i]));
        }
    } else
        lookup_words(out, m->t.text, m->head);
    fputs(end, out);
}

// How many they are of how many, and of which.
static void say_number(FILE *out, const struct wanted *w, int n, int all)
{
    fprintf(out, "%d ", n);
    if (*w->what || *w->whom || *w->about)
        fprintf(out, "of the %d ", all);
    const size_t bytes = strlen(w->kind); // "1 message"
    fprintf(out, "%.*s", (int)(bytes - (all == 1 && w->kind[bytes - 1] == 's')), w->kind);
    if (*w->what)
        fprintf(out, " %s \"%s\"", n == 1 ? "has" : "have", w->what);
    else if (*w->whom || *w->about)
        fputs(n == 1 ? " is" : " are", out);
    if (*w->whom)
        fprintf(out, " from %s", w->whom);
    if (*w->about)
        fprintf(out, " about %s", w->about);
}

static int say_asked(struct lookup *v, const struct parts *p, int n, struct err *e)
{
    enum { FEW = 30 }; // that are named where they are counted
    const int counts = v->w.want == WANT_NUMBER,
              named = !counts || (p->are != PARTS_MESSAGES && n > 0 && n <= FEW);
    int said = 0;
    if (counts) {
        say_number(v->out, &v->w, n, p->n);
        fputs(named ? ": " : ".", v->out);
    }
    for (int i = 0; i < p->n; i++) {
        const struct part *m = &p->v[i];
        if (!is_asked(&v->w, m))
            continue;
        const int rc = lookup_add(v, &m->t, m->head, 1, e);
        if (rc)
            return rc;
        if (named && said < SHOWN)
            say_part(v->out, p, m, !counts ? "\n" : said + 1 < n ? "; " : "");
        said++;
    }
    if (!counts && n > SHOWN)
        fprintf(v->out, "and %d more", n - SHOWN);
    return 1;
}

// ------------------------------------------------------------------------------------- of messages

// The bytes of the mark of a reply that the subject S of TEXT begins with; 0: there is none, or
// nothing else.
static size_t reply_mark(const char *text, struct span_of_text s)
{
    static const char *const marks[] = {"Re:", "Fwd:", "Fw:", "AW:", "WG:", "SV:"};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        const size_t n = strlen(marks[i]);
        if (span_bytes(s) > n && !strncasecmp(text + s.from, marks[i], n))
            return n;
    }
    return 0;
}

// The subject S of TEXT without these marks: a reply to a reply has several.
static struct span_of_text without_reply(const char *text, struct span_of_text s)
{
    for (size_t n; (n = reply_mark(text, s));)
        for (s.from += n; s.from < s.to && is_space(text[s.from]);)
            s.from++;
    return s;
}

static int is_of_senders(enum want want)
{
    return want == WANT_SENDERS || want == WANT_N_SENDERS;
}

static struct span_of_text value_of(const struct part *m, enum want want)
{
    return is_of_senders(want) ? parts_field(m, MESSAGE_FROM)
                               : without_reply(m->t.text, parts_field(m, MESSAGE_SUBJECT));
}

// What tells two values S of TEXT apart: of a sender its address, which may have several names.
static struct span_of_text distinct(const char *text, struct span_of_text s)
{
    const char *open = memchr(text + s.from, '<', span_bytes(s));
    return open && text[s.to - 1] == '>'
               ? (struct span_of_text){(size_t)(open - text) + 1, s.to - 1}
               : s;
}

// Writes to OWN [p->n] what tells the values apart that are asked for: each once, {0} where another
// message has it before. Returns how many there are.
static int find_values(const struct parts *p, const struct wanted *w, struct span_of_text *own)
{
    int n = 0;
    for (int i = 0; i < p->n; i++) {
        const struct part *m = &p->v[i];
        own[i] = distinct(m->t.text, value_of(m, w->want));
        int found = span_bytes(own[i]) > 0 && is_asked(w, m);
        for (int j = 0; found && j < i; j++)
            found = !span_is_alike(m->t.text, own[i], p->v[j].t.text, own[j]);
        own[i] = found ? own[i] : (struct span_of_text){0};
        n += found;
    }
    return n;
}

// Each value once, in the order in which they come, and how many they are if that is asked for.
static int say_values(struct lookup *v, const struct parts *p, struct err *e)
{
    const int counts = v->w.want == WANT_N_SENDERS;
    struct span_of_text *own = mem_new((size_t)p->n, sizeof *own, e);
    if (!own)
        return ERR_NOMEM;
    const int n = find_values(p, &v->w, own);
    int rc = 0, said = 0;
    if (counts && n)
        fprintf(v->out, "%d wrote messages: ", n);
    for (int i = 0; !rc && i < p->n; i++) {
        const struct part *m = &p->v[i];
        if (!own[i].to)
            continue;
        rc = lookup_add(v, &m->t, m->head, 0, e);
        if (said++ >= SHOWN)
            continue;
        lookup_words(v->out, m->t.text, value_of(m, v->w.want));
        fputs(!counts ? "\n" : said < n ? "; " : "", v->out);
    }
    if (said > SHOWN)
        fprintf(v->out, "and %d more", said - SHOWN);
    free(own);
    return rc ? rc : said > 0;
}

// Whether P are all of the one thread that is asked of: their subjects are the same, or the
// question tells its subject.
static int are_thread(const struct parts *p, const struct wanted *w)
{
    const struct part *first = &p->v[0];
    int same = 1;
    for (int i = 1; i < p->n && !*w->about; i++)
        same &= span_is_alike(first->t.text, value_of(first, WANT_SUBJECTS), p->v[i].t.text,
                              value_of(&p->v[i], WANT_SUBJECTS));
    return same;
}

int outline_kinds(struct lookup *v, struct err *e)
{
    const int values = is_of_senders(v->w.want) || v->w.want == WANT_SUBJECTS;
    struct parts p;
    int n = 0, rc = parts_find(&p, v->k, v->n_k, values ? "messages" : v->w.kind, e);
    for (int i = 0; rc > 0 && i < p.n; i++)
        n += is_asked(&v->w, &p.v[i]);
    if (rc > 0 && p.are != PARTS_MESSAGES && (*v->w.whom || *v->w.about || v->w.thread))
        rc = 0;
    else if (rc > 0 && v->w.thread && !are_thread(&p, &v->w))
        rc = 0;
    else if (rc > 0 && values)
        rc = say_values(v, &p, e);
    else if (rc > 0)
        rc = n || (v->w.want == WANT_NUMBER && !*v->w.whom && !*v->w.about) ? say_asked(v, &p, n, e)
                                                                            : 0;
    parts_done(&p);
    return rc;
}
