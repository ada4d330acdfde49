// The first, the last, the third of something: a line or an event of a log, a message, a part that
// is called so. Where all have dates, these say which one is the last.
#include <string.h>

#include "engine/lookup/events.h"
#include "engine/survey/parts.h"
#include "engine/survey/surveys.h"
#include "engine/text/chars.h"
#include "engine/text/day.h"
#include "engine/text/letter.h"
#include "engine/text/message.h"
#include "engine/text/words.h"

// ----------------------------------------------------------------------------------------- of logs

// The words of WHAT that say which lines are meant, to OUT: "error" of "error message", "fatal" of
// "fatal error", none of "line".
static void words_of_lines(const char *what, char out[WANTED_BYTES])
{
    static const char any[] = " line lines entry entries record records message messages event "
                              "events row rows log ";
    char stem[WORD_STEM];
    size_t bytes;
    int was_event = 0;
    *out = 0;
    for (size_t at = 0; word_next(what, strlen(what), &at, stem, &bytes);) {
        if (!word_is_listed(any, what + at - bytes, bytes) &&
            !(was_event && events_are(what + at - bytes, bytes)))
            wanted_keep_word(out, what + at - bytes, bytes);
        was_event = events_are(what + at - bytes, bytes);
    }
}

// Whether LINE of TEXT has WORD, and behind it what one such thing is called: "order A-7706".
static int names_one(const char *text, struct span_of_text line, const char *word)
{
    char stem[WORD_STEM];
    size_t bytes, n = strlen(word);
    while (n && word[n - 1] == ' ')
        n--;
    for (size_t at = line.from; word_next(text, line.to, &at, stem, &bytes);) {
        size_t end = at + 1;
        while (end < line.to && !is_space(text[end]))
            end++;
        if (n == bytes && letters_same(text + at - bytes, word, n) && at + 1 < line.to &&
            text[at] == ' ' && word_has_digit(text + at + 1, end - at - 1))
            return 1;
    }
    return 0;
}

// Whether S has lines that do so; they are those that "the last order" is one of. WORDS: of S,
// as words_of_lines has them.
static int has_names(struct events *s, const char *words)
{
    struct span_of_text line, mark;
    const char *space = strchr(words, ' ');
    int has = 0;
    if (!space || space[1] || events_are(words, (size_t)(space - words)))
        return 0;
    while (!has && events_next(s, &line, &mark))
        has = names_one(s->t->text, line, words);
    s->at = 0;
    return has;
}

// The next line of S: one that names such a thing, where NAMED.
static int next_line(struct events *s, int named, struct span_of_text *line)
{
    struct span_of_text mark;
    while (events_next(s, line, &mark))
        if (!named || names_one(s->t->text, *line, s->words))
            return 1;
    return 0;
}

// Line number NTH of S, from 1, or from -1 for the last one; 0: there is none, or they are not in
// the order of their times.
static int nth_line(struct events *s, int nth, struct span_of_text *line)
{
    enum { DATED = 40 }; // bytes of a line that may have its day and time
    struct span_of_text own;
    int64_t before = 0;
    int n = 0, named = has_names(s, s->words);
    while (next_line(s, named, &own)) {
        const size_t bytes = span_bytes(own) < DATED ? span_bytes(own) : DATED;
        const int64_t then = day_order(s->t->text + own.from, bytes);
        if (then && then < before)
            return 0;
        before = then;
        if (++n == nth)
            *line = own;
    }
    if (nth > 0)
        return n >= nth;
    s->at = 0;
    for (int i = n + nth; i >= 0; i--)
        if (!next_line(s, named, line))
            return 0;
    return n + nth >= 0;
}

// Whether WORDS tell which lines of a log of that KIND are meant: without levels it may be a
// conversation, where a word says little.
static int tell_lines(const char *words, enum log_kind kind)
{
    char stem[WORD_STEM];
    size_t bytes;
    int event = !*words || kind == LOG_LEVELS;
    for (size_t at = 0; word_next(words, strlen(words), &at, stem, &bytes);)
        event |= events_are(words + at - bytes, bytes);
    return event;
}

// Whether WORDS are for what is no event, which lines tell of somebody: "login".
static int are_told_of(const char *words)
{
    char stem[WORD_STEM];
    size_t bytes;
    int some = 0;
    for (size_t at = 0; word_next(words, strlen(words), &at, stem, &bytes); some = 1)
        if (events_are(words + at - bytes, bytes))
            return 0;
    return some;
}

// Begins with the lines of LOG that have WORDS and are from the program that W asks of. Where none
// is from such a one, whom W asks of may be somebody that the lines have, "the last login of
// maren", and is added to WORDS: OWN, the caller's to keep, is W without him.
static void begin_lines(struct events *s, const struct texts *log, char words[WANTED_BYTES],
                        const struct wanted *w, struct wanted *own)
{
    struct span_of_text line, mark;
    events_begin(s, log, words, w);
    const int found = events_next(s, &line, &mark);
    s->at = 0;
    if (found || !*w->whom || !are_told_of(words))
        return;
    wanted_keep_word(words, w->whom, strlen(w->whom));
    *own = *w;
    *own->whom = 0;
    events_begin(s, log, words, own);
}

static int of_log(struct lookup *v, struct err *e)
{
    char words[WANTED_BYTES];
    struct wanted own;
    struct texts t, log = {0};
    struct events s;
    struct span_of_text line;
    int rc, logs = 0;
    if (v->w.want == WANT_PART_WHO || v->w.want == WANT_PART_WHERE ||
        v->w.want == WANT_PART_SUBJECT)
        return 0;
    texts_begin(&t, v->k, v->n_k);
    while ((rc = texts_next(&t, e)) > 0)
        if (events_log(&t) != LOG_NONE) {
            log = t;
            logs++;
        }
    if (rc < 0 || logs != 1)
        return rc < 0 ? rc : 0;
    words_of_lines(v->w.what, words);
    if (*v->w.about)
        wanted_keep_word(words, v->w.about, strlen(v->w.about));
    begin_lines(&s, &log, words, &v->w, &own);
    if (s.kind == LOG_NONE || !tell_lines(words, s.kind) || !nth_line(&s, v->w.n, &line))
        return 0;
    lookup_words(v->out, log.text, line);
    rc = lookup_add(v, &log, line, 0, e);
    return rc ? rc : 1;
}

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

int survey_ends(struct lookup *v, struct err *e)
{
    int rc = of_log(v, e);
    rc = rc ? rc : of_parts(v, e);
    return rc ? rc : of_text(v, e);
}
