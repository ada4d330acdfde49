// How long a meeting took: "How long did the meeting last?", where its minutes only have when it
// was opened and when it was closed.
#include <stdio.h>
#include <string.h>

#include "engine/lookup/form.h"
#include "engine/outline/outline.h"
#include "engine/sentences/cut.h"
#include "engine/words/chars.h"
#include "engine/words/clock.h"
#include "engine/words/words.h"

enum { LONG = 240, MINUTE = 60, HOUR = 60 * MINUTE }; // bytes of a sentence; seconds

static const char OPENED[] = " opened opens began begins started start starts convened order ",
                  CLOSED[] = " closed closes ended end ends adjourned finished concluded ";

// When THING, in small letters, began and ended: N of each were found.
struct lasting {
    char thing[WORD_LISTED];
    struct lookup_found opened, closed;
    struct clock_span from, to;
    int n_opened, n_closed;
};

static int read_question(struct lasting *l, const char *question)
{
    static const char things[] =
        " meeting session hearing sitting conference council assembly agm ";
    static const char *const forms[] = {"how long did the|this WHAT last|take END",
                                        "how long did the|this WHAT go on END",
                                        "how long was the|this WHAT END"};
    struct form_match m;
    *l = (struct lasting){.n_opened = 0};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        size_t at = 0;
        if (form_split(&m, question) && form_match(&m, forms[i]) &&
            word_is_listed(things, m.what.p, m.what.n) &&
            word_small(m.what.p, m.what.n, &at, l->thing, sizeof l->thing))
            return 1;
    }
    return 0;
}

// The times of day that TEXT [n], a sentence, has, "7.30 pm" as well, to V [2]. Returns their
// number.
static int times_of(const char *text, size_t n, struct clock_span v[2])
{
    char own[LONG];
    int times = 0;
    memcpy(own, text, n);
    for (size_t i = 1; i + 2 < n; i++) {
        if (own[i] == '.' && is_digit(own[i - 1]) && is_digit(own[i + 1]) && is_digit(own[i + 2]) &&
            !(i + 3 < n && (is_digit(own[i + 3]) || own[i + 3] == '.')))
            own[i] = ':';
    }
    for (size_t at = 0; at < n; at++) {
        struct clock_span s;
        const int within = at && (word_has(own[at - 1]) || is_one_of(own[at - 1], ".:"));
        const size_t bytes = within ? 0 : clock_begins(own + at, n - at, &s);
        if (!bytes)
            continue;
        if (times < 2)
            v[times] = s;
        times++;
        at += bytes - 1;
    }
    return times;
}

// Takes sentence S of T's document, if it tells when L began or ended, or both.
static void take(struct lasting *l, const struct texts *t, struct span_of_text s)
{
    const char *text = t->text + s.from;
    const size_t n = span_bytes(s);
    struct clock_span v[2];
    if (n >= LONG || !words_any(l->thing, text, n) || words_any("next will", text, n))
        return;
    const int opened = words_listed(OPENED, text, n), closed = words_listed(CLOSED, text, n);
    if (!(opened || closed) || times_of(text, n, v) != opened + closed)
        return;
    if (opened && !l->n_opened++) {
        l->opened = (struct lookup_found){*t, s};
        l->from = v[0];
    }
    if (closed && !l->n_closed++) {
        l->closed = (struct lookup_found){*t, s};
        l->to = v[opened];
    }
}

static int find(const struct lookup *v, struct lasting *l, struct err *e)
{
    struct texts t;
    int rc;
    texts_begin(&t, v->k, v->n_k);
    while ((rc = texts_next(&t, e)) > 0) {
        struct lines c;
        size_t from, to;
        lines_of_text(&c, t.text, t.n);
        for (size_t at = 0; at<c.n; at = to> at ? to : at + 1) {
            cut_sentence(&c, at, &from, &to);
            from = from < at ? at : from;
            while (from < to && is_space(c.text[from]))
                from++;
            take(l, &t, (struct span_of_text){from, line_trimmed(&c, from, to)});
        }
    }
    return rc;
}

// Prints how long it took, where both times are of one half of a day or say which.
static void say_length(FILE *out, const struct lasting *l)
{
    enum { MOST = 12 }; // hours
    const int all = l->to.from - l->from.from, hours = all / HOUR, minutes = all % HOUR / MINUTE;
    if (all <= 0 || hours >= MOST)
        return;
    if (hours)
        fprintf(out, "%d hour%s%s", hours, hours > 1 ? "s" : "", minutes ? " " : "");
    if (minutes)
        fprintf(out, "%d minute%s", minutes, minutes > 1 ? "s" : "");
    fputs(": ", out);
}

int outline_lasted(struct lookup *v, const char *question, struct err *e)
{
    struct lasting l;
    if (!read_question(&l, question))
        return 0;
    int rc = find(v, &l, e);
    if (rc < 0 || l.n_opened != 1 || l.n_closed != 1)
        return rc;
    say_length(v->out, &l);
    const int one = l.opened.at.from == l.closed.at.from && l.opened.t.text == l.closed.t.text;
    rc = lookup_say_quoted(v, &l.opened, e);
    if (rc < 0 || one)
        return rc;
    fputc('\n', v->out);
    return lookup_say_quoted(v, &l.closed, e);
}
