// The line of a log with the highest or the lowest number behind a word: "What was the highest
// load?" Numbers are compared only if they stand right behind the word wherever it has one, and
// before the same unit. And the line of the longest or the shortest of what it tells the time that
// it took: "What was the slowest query?"
#include <string.h>
#include <strings.h>

#include "engine/history/history.h"
#include "engine/lookup/events.h"
#include "engine/words/chars.h"
#include "engine/words/words.h"

enum { TIES = 3, FEWEST = 3, UNIT = 16 }; // lines that share the first place; numbers; bytes

struct highest {
    const char *what; // all of its words are in the line, the last one is before the number
    struct span_of_text word;
    double most;
    char unit[UNIT];
    int lasts; // 1: a number before a unit of time counts, wherever in the line it is,
    struct span_of_text led; // in T, behind the word that stands before it in all lines
    struct span_of_text line[TIES];
    struct texts t;
    int n, lines; // of LINE, more than it has room for where that is not enough; with a number
};

// Reads the number that TEXT [n] begins with: "37.2", "-97", "1.285". Returns its bytes; 0: it is
// none, or a date, an address, one with thousands.
static size_t number_at(const char *text, size_t n, double *value)
{
    size_t at = n && text[0] == '-', first = at;
    double scale = 1;
    for (*value = 0; at < n && is_digit(text[at]); at++)
        *value = 10 * *value + (text[at] - '0');
    if (at == first || at - first > 15)
        return 0;
    if (at + 1 < n && text[at] == '.' && is_digit(text[at + 1]))
        for (at++; at < n && is_digit(text[at]); at++)
            *value += (text[at] - '0') * (scale /= 10);
    if (at + 1 < n && is_one_of(text[at], ".,:-/") && is_digit(text[at + 1]))
        return 0;
    *value = first ? -*value : *value;
    return at;
}

// Copies the unit at TEXT [n] to OUT: "kW", "%"; "" for none.
static void unit_at(const char *text, size_t n, char out[UNIT])
{
    size_t at = n && text[0] == ' ', bytes = 0;
    while (at < n && bytes + 1 < UNIT && !is_space(text[at]) && !is_one_of(text[at], ",;)]}\"'"))
        out[bytes++] = text[at++];
    bytes -= bytes && out[bytes - 1] == '.';
    out[bytes] = 0;
}

static int has_digit(const char *text, size_t n)
{
    size_t at = 0;
    while (at < n && !is_digit(text[at]))
        at++;
    return at < n;
}

// Whether TEXT, LINE of it, has a number behind the word of H, *VALUE, before UNIT: -1 where it may
// have it elsewhere, or has several.
static int value_in(const struct highest *h, const char *text, struct span_of_text line,
                    double *value, char unit[UNIT])
{
    char stem[WORD_STEM];
    size_t bytes;
    int found = 0, unsure = 0;
    for (size_t at = line.from; word_next(text, line.to, &at, stem, &bytes);) {
        if (bytes != span_bytes(h->word) ||
            strncasecmp(text + at - bytes, h->what + h->word.from, bytes) != 0)
            continue;
        size_t from = at;
        while (from < line.to && is_one_of(text[from], " =:\""))
            from++;
        const size_t own = from > at ? number_at(text + from, line.to - from, value) : 0;
        if (own && found)
            return -1;
        if (own)
            unit_at(text + from + own, line.to - from - own, unit);
        else
            unsure |= has_digit(text + at, line.to - at);
        found |= own > 0;
    }
    return found ? 1 : -unsure;
}

// Whether text[AT..TO) begins with a number before a unit of time, *VALUE, and before UNIT: no part
// of a word, of a date or of a version.
static int begins_duration(const char *text, size_t from, size_t at, size_t to, double *value,
                           char unit[UNIT])
{
    static const char units[] = " ns us \u00b5s ms msec s sec secs second seconds min mins minute "
                                "minutes h hour hours ";
    if (!is_digit(text[at]) ||
        (at > from && (word_has(text[at - 1]) || is_one_of(text[at - 1], ".,:-/_#"))))
        return 0;
    const size_t own = number_at(text + at, to - at, value);
    if (own)
        unit_at(text + at + own, to - at - own, unit);
    return own && word_is_listed(units, unit, strlen(unit));
}

// As value_in, for how long something took; *LED: the word before that, which may be missing.
static int duration_in(const char *text, struct span_of_text line, double *value, char unit[UNIT],
                       struct span_of_text *led)
{
    double own;
    char own_unit[UNIT];
    int found = 0;
    for (size_t at = events_behind_time(text, line); at < line.to; at++) {
        if (!begins_duration(text, line.from, at, line.to, &own, own_unit))
            continue;
        if (found++)
            return -1;
        *value = own;
        strcpy(unit, own_unit);
        led->to = at;
        while (led->to > line.from && is_one_of(text[led->to - 1], " =:\"("))
            led->to--;
        led->from = word_start_before(text, line.from, led->to);
    }
    return found;
}

static int has_words(const struct highest *h, const char *text, struct span_of_text line)
{
    char stem[WORD_STEM];
    size_t bytes;
    const size_t to = h->lasts ? h->word.to : h->word.from;
    for (size_t at = 0; word_next(h->what, to, &at, stem, &bytes);)
        if (!word_form_is_in(text + line.from, span_bytes(line), h->what + at - bytes, bytes))
            return 0;
    return 1;
}

// Whether a number of T before UNIT, behind the word LED, is to be compared with those of H.
static int is_comparable(const struct highest *h, const struct texts *t, const char *unit,
                         struct span_of_text led)
{
    return !h->lines || (!strcmp(unit, h->unit) && h->t.d.name == t->d.name &&
                         span_is_alike(t->text, led, h->t.text, h->led));
}

// Counts LINE of T, whose number is VALUE.
static void count(struct highest *h, const struct texts *t, struct span_of_text line, double value)
{
    h->n = !h->lines || value > h->most ? 0 : h->n;
    if (!h->n || value >= h->most) {
        if (h->n < TIES)
            h->line[h->n] = line;
        h->n++;
        h->most = value;
    }
    h->lines++;
    h->t = *t;
}

// Looks through the log T for the number: 0 where that is not sure to be the one that is asked for.
static int look_through(struct highest *h, const struct texts *t, const struct wanted *w)
{
    const int least = w->want == WANT_LOWEST || w->want == WANT_SHORTEST;
    struct span_of_text line, mark, led = {0};
    struct events s;
    char unit[UNIT];
    double value;
    events_begin(&s, t, "", w);
    if (s.kind == LOG_NONE || events_are_said(t))
        return 1;
    while (events_next(&s, &line, &mark)) {
        const int found = !has_words(h, t->text, line) ? 0
                          : h->lasts ? duration_in(t->text, line, &value, unit, &led)
                                     : value_in(h, t->text, line, &value, unit);
        if (found < 0 || (found && !is_comparable(h, t, unit, led)))
            return 0;
        if (!found)
            continue;
        count(h, t, line, least ? -value : value);
        h->led = led;
        strcpy(h->unit, unit);
    }
    return 1;
}

int history_highest(struct lookup *v, struct err *e)
{
    struct highest h = {.what = v->w.what,
                        .lasts = v->w.want == WANT_LONGEST || v->w.want == WANT_SHORTEST};
    struct texts t;
    char stem[WORD_STEM];
    size_t at = 0, bytes;
    int rc;
    while (word_next(v->w.what, strlen(v->w.what), &at, stem, &bytes))
        h.word = (struct span_of_text){at - bytes, at};
    texts_begin(&t, v->k, v->n_k);
    while ((rc = texts_next(&t, e)) > 0)
        if (!look_through(&h, &t, &v->w))
            return 0;
    if (rc || h.lines < FEWEST || h.n > TIES)
        return rc;
    for (int i = 0; !rc && i < h.n; i++) {
        lookup_line(v->out, h.t.text, h.line[i]);
        rc = lookup_add(v, &h.t, h.line[i], 1, e);
    }
    return rc ? rc : 1;
}
