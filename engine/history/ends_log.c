// The first, the last, the third line or event of a log, or of all logs in the order of their
// times.
#include <stdlib.h>
#include <string.h>

#include "engine/history/history.h"
#include "engine/lookup/events.h"
#include "engine/words/chars.h"
#include "engine/words/day.h"
#include "engine/words/letter.h"
#include "engine/words/words.h"
#include "io/mem.h"

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

// -------------------------------------------------------------------------------- of all the logs

// A line of a log, and when that was (day.h); 0: it has no date.
struct dated_line {
    struct texts t;
    struct span_of_text at, zone;
    int64_t then;
};

// The lines that are asked for: which logs are looked through, and what is known of them.
struct asked_lines {
    struct lookup *v;
    char words[WANTED_BYTES]; // of the question
    int levels;               // 1: logs with levels alone, where one of these has such lines
    int n_texts, n_logs;      // that are logs; of these, those that have such lines
    int undated, late;        // 1: a line has no date; is before the one above it
    struct dated_line *kept;  // [n] of the lines so far the first ones, or the last ones
    int n, nth, most;         // NTH as asked for; MOST: the size of KEPT
};

// A search in one log; it is not to be moved.
struct log_search {
    struct events s;
    char words[WANTED_BYTES];
    struct wanted own;
    int named;
};

// Whether T is a log that A looks through: then S begins.
static int search_begins(const struct asked_lines *a, const struct texts *t, struct log_search *s)
{
    memcpy(s->words, a->words, sizeof s->words);
    begin_lines(&s->s, t, s->words, &a->v->w, &s->own);
    if (s->s.kind == LOG_NONE || !tell_lines(s->words, s->s.kind) ||
        (a->levels && (s->s.kind != LOG_LEVELS || s->s.any_case)))
        return 0;
    s->named = has_names(&s->s, s->words);
    return 1;
}

// What TEXT [n], a day and a time, says of its zone: "Z" or "+02:00" behind the seconds; no bytes:
// nothing.
static struct span_of_text zone_of(const char *text, size_t n)
{
    size_t at = 0;
    const char *colon = memchr(text, ':', n);
    while (colon && at < n &&
           (text + at <= colon || is_digit(text[at]) || is_one_of(text[at], ":.,")))
        at++;
    if (at < n && text[at] == ' ' && at + 1 < n && is_one_of(text[at + 1], "+-"))
        at++; // "10:00:01 +0200"
    size_t to = at;
    if (to < n && text[to] == 'Z')
        to++;
    else if (to + 1 < n && is_one_of(text[to], "+-") && is_digit(text[to + 1]))
        for (to++; to < n && (is_digit(text[to]) || text[to] == ':');)
            to++;
    return (struct span_of_text){at, to};
}

static int search_next(struct log_search *s, struct dated_line *line)
{
    enum { DATED = 40 }; // bytes of a line that may have its day and time
    if (!next_line(&s->s, s->named, &line->at))
        return 0;
    const size_t bytes = span_bytes(line->at);
    const char *text = s->s.t->text + line->at.from;
    line->then = day_order(text, bytes < DATED ? bytes : DATED);
    const struct span_of_text zone = zone_of(text, bytes < DATED ? bytes : DATED);
    line->zone = (struct span_of_text){line->at.from + zone.from, line->at.from + zone.to};
    return 1;
}

// Learns which logs have such lines, and whether all of these are dated and in order.
static int look_at_logs(struct asked_lines *a, struct err *e)
{
    struct dated_line line, first = {.then = 0};
    struct log_search s;
    int rc;
    a->n_texts = a->n_logs = a->undated = a->late = 0;
    texts_begin(&line.t, a->v->k, a->v->n_k);
    while ((rc = texts_next(&line.t, e)) > 0) {
        int64_t before = 0;
        int n = 0;
        if (events_log(&line.t) == LOG_NONE)
            continue;
        a->n_texts++;
        if (!search_begins(a, &line.t, &s))
            continue;
        for (; search_next(&s, &line); before = line.then, n++) {
            a->late |= line.then && line.then < before;
            if (!first.then)
                first = line;
            // Of another zone: which of both is the later one, their digits do not tell.
            a->undated |=
                !line.then || !span_is_alike(first.t.text, first.zone, line.t.text, line.zone);
        }
        a->n_logs += n > 0;
    }
    return rc;
}

// Keeps LINE where it is among the first ones, or the last ones, by its time if SORTED.
static void keep_line(struct asked_lines *a, const struct dated_line *line, int sorted)
{
    int at = a->n, last = a->n;
    while (sorted && at > 0 && line->then < a->kept[at - 1].then)
        at--;
    if (a->n < a->most) {
        a->n++;
    } else if (a->nth > 0) {
        last--;
    } else if (at > 0) { // the first one makes room
        last = --at;
        memmove(a->kept, a->kept + 1, (size_t)at * sizeof *a->kept);
    } else {
        return;
    }
    if (at > last)
        return;
    memmove(a->kept + at + 1, a->kept + at, (size_t)(last - at) * sizeof *a->kept);
    a->kept[at] = *line;
}

// Says the line that is asked for of those that were kept, with its log's NAME if it is to be told
// apart: 1, 0 where there are too few, or an error.
static int say_kept(const struct asked_lines *a, const char *name, struct err *e)
{
    if (a->n < a->most)
        return 0;
    const struct dated_line *line = &a->kept[a->nth > 0 ? a->n - 1 : 0];
    if (name)
        fprintf(a->v->out, "%s: ", name);
    lookup_words(a->v->out, line->t.text, line->at);
    const int rc = lookup_add(a->v, &line->t, line->at, 0, e);
    return rc ? rc : 1;
}

// Says the line of all logs by their times; where these are not known, of each log.
static int say_line(struct asked_lines *a, struct err *e)
{
    const int each = a->n_logs > 1 && a->undated, sorted = a->n_logs > 1 && !each;
    struct texts t;
    struct log_search s;
    int rc, said = 0;
    texts_begin(&t, a->v->k, a->v->n_k);
    while ((rc = texts_next(&t, e)) > 0) {
        struct dated_line line = {.t = t};
        if (events_log(&t) == LOG_NONE || !search_begins(a, &t, &s))
            continue;
        while (search_next(&s, &line))
            keep_line(a, &line, sorted);
        if (!each)
            continue;
        if (said && a->n == a->most)
            fputc('\n', a->v->out);
        if ((rc = say_kept(a, t.d.name, e)) < 0)
            return rc;
        said |= rc;
        a->n = 0;
    }
    return rc < 0 || each ? rc < 0 ? rc : said : say_kept(a, NULL, e);
}

// Whether A's logs tell which line is meant. Where the question says nothing of it, it may be of
// any text that is a log of whatever kind.
static int is_told(const struct asked_lines *a)
{
    return a->n_logs > 0 && !a->late &&
           (*a->words || (a->n_logs == a->n_texts && (a->n_logs == 1 || a->levels)));
}

int history_ends_of_log(struct lookup *v, struct err *e)
{
    struct asked_lines a = {.v = v, .levels = 1, .nth = v->w.n, .most = abs(v->w.n)};
    if (v->w.want == WANT_PART_WHO || v->w.want == WANT_PART_WHERE ||
        v->w.want == WANT_PART_SUBJECT)
        return 0;
    words_of_lines(v->w.what, a.words);
    if (*v->w.about)
        wanted_keep_word(a.words, v->w.about, strlen(v->w.about));
    int rc = look_at_logs(&a, e);
    if (!rc && !a.n_logs) {
        a.levels = 0;
        rc = look_at_logs(&a, e);
    }
    if (rc || !a.most || !is_told(&a))
        return rc;
    a.kept = mem_new((size_t)a.most, sizeof *a.kept, e);
    rc = a.kept ? say_line(&a, e) : ERR_NOMEM;
    free(a.kept);
    return rc;
}
