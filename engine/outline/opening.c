// When something is open on a day of the week: "When does the pool close on Friday?", by the line
// of opening hours that has the day, alone or in a range: "Tue - Fri   6:30 - 21:00", or by one
// that has all days, whether the day is among them or not: "Open Mon-Fri 9-17, Sat 10-14".
#include <string.h>

#include "engine/lines/lines.h"
#include "engine/lookup/telling.h"
#include "engine/outline/list.h"
#include "engine/outline/outline.h"
#include "engine/words/chars.h"
#include "engine/words/day.h"
#include "engine/words/words.h"

enum { WORKING = 5 }; // days of the week on which people work

// What says nothing of what is open.
static const char IDLE[] = TELLING_NOTHING
    "open opens opened opening openings close closes closed closing shut shuts hours hour time "
    "times day days until till late early from business here place today usually week our when "
    "what which long ";

// A question after the hours of a day: of which one, and the words for what is open.
struct opening {
    int day; // from 1, a Monday
    struct telling of;
};

// Reads QUESTION: 1, where it asks when something is open on the only day that it names.
static int read_question(struct opening *o, const char *question)
{
    static const char asks[] = " when what is are until till how hours which opening ",
                      opens[] = " open opens opened opening openings close closes closed closing "
                                "shut shuts ";
    const size_t n = strlen(question);
    char stem[WORD_STEM];
    size_t bytes;
    int begins = 0, open = 0, first = 1, hours = 0;
    *o = (struct opening){.day = 0};
    for (size_t at = 0; word_next(question, n, &at, stem, &bytes); first = 0) {
        const char *word = question + at - bytes;
        const int day = day_of_week(word, bytes);
        if ((day && o->day) || word_is_listed(" before after not never ", word, bytes))
            return 0;
        begins |= first && (word_is_listed(asks, word, bytes) || day);
        open |= word_is_listed(opens, word, bytes);
        hours |= word_is_listed(" hours ", word, bytes);
        o->day = day ? day : o->day;
        if (!day && !word_is_listed(IDLE, word, bytes))
            telling_add(&o->of, word, bytes, TELLING_BYTES, "", 0);
    }
    return begins && (open || hours) && o->day;
}

// Whether a day of the week is within those from FROM to TO, which may begin again: "Sat - Mon".
static int is_within(int day, int from, int to)
{
    return from <= to ? day >= from && day <= to : day >= from || day <= to;
}

// Reads the days that LINE begins with from byte *AT on, "Tue - Fri", "Sat, Sun", "weekdays", and
// moves behind them: 1 where DAY is one of them, 0 where not, -1 where it begins with none.
static int days_at(const char *text, struct span_of_text line, size_t *at, int day)
{
    static const char joins[] = " to till until through thru ", ands[] = " and ";
    char stem[WORD_STEM];
    size_t bytes, next = *at;
    int has = -1, last = 0, ranges = 0;
    while (word_next(text, line.to, &next, stem, &bytes)) {
        const char *word = text + next - bytes;
        const int own = day_of_week(word, bytes);
        for (size_t i = *at; has < 0 && i < next - bytes; i++)
            if (!is_one_of(text[i], " \t-*|"))
                return -1;
        if (has >= 0 && word_is_listed(joins, word, bytes)) {
            ranges = 1;
        } else if (has >= 0 && word_is_listed(ands, word, bytes)) {
            ranges = 0;
        } else if (own) {
            for (size_t i = *at; last && i < next - bytes; i++)
                ranges |= text[i] == '-';
            has = (has > 0) | (ranges && last ? is_within(day, last, own) : day == own);
            last = own;
            ranges = 0;
            *at = next;
        } else if (has < 0 && word_is_listed(" weekday weekdays ", word, bytes)) {
            *at = next;
            return day <= WORKING;
        } else if (has < 0 && word_is_listed(" weekend weekends ", word, bytes)) {
            *at = next;
            return day > WORKING;
        } else if (has < 0 && word_is_listed(" daily ", word, bytes)) {
            *at = next;
            return 1;
        } else {
            break;
        }
    }
    return has;
}

// Whether TEXT [n] is hours from one to another and no more, "8:00 - 12:00, 2 to 6 pm", or that it
// is closed.
static int are_hours(const char *text, size_t n)
{
    static const char words[] = " to till until from and am pm noon midnight h hrs uhr ",
                      shut[] = " closed shut ";
    char stem[WORD_STEM];
    size_t bytes;
    int numbers = 0, closed = 0;
    for (size_t at = 0; word_next(text, n, &at, stem, &bytes);) {
        const char *word = text + at - bytes;
        if (memchr(text, '(', at - bytes))
            break; // "(last admission 18:00)"
        numbers += is_digit(*word) || word_is_listed(" noon midnight ", word, bytes);
        closed |= word_is_listed(shut, word, bytes);
        if (!is_digit(*word) && !word_is_listed(words, word, bytes) &&
            !word_is_listed(shut, word, bytes) && bytes > 1)
            return 0;
    }
    return closed || numbers > 1;
}

enum { LONG = 120 }; // bytes of a line

// Copies LINE of C to OWN, with hyphens for dashes. Returns its bytes; 0: it is too long.
static size_t copy_line(const struct lines *c, struct span_of_text line, char own[LONG])
{
    enum { DASH = 3 }; // bytes
    const size_t n = span_bytes(line);
    if (n > LONG)
        return 0;
    memcpy(own, c->text + line.from, n);
    for (size_t i = 0; i + DASH <= n; i++)
        if (!memcmp(own + i, "\u2013", DASH) || !memcmp(own + i, "\u2014", DASH))
            memcpy(own + i, " - ", DASH);
    return n;
}

// Whether LINE of C tells the hours of the day of O.
static int tells(const struct lines *c, struct span_of_text line, const struct opening *o)
{
    char own[LONG];
    const struct span_of_text all = {0, copy_line(c, line, own)};
    size_t at = list_said_at(c, line) - line.from;
    if (!all.to || days_at(own, all, &at, o->day) <= 0)
        return 0;
    while (at < all.to && is_one_of(own[at], " \t:.|,"))
        at++;
    return are_hours(own + at, all.to - at);
}

// The byte of TEXT from byte AT of LINE on where the next day of the week begins; line.to: there is
// none.
static size_t next_day(const char *text, struct span_of_text line, size_t at)
{
    char stem[WORD_STEM];
    size_t bytes;
    while (word_next(text, line.to, &at, stem, &bytes))
        if (day_of_week(text + at - bytes, bytes))
            return at - bytes;
    return line.to;
}

// Whether LINE of C says what is open, *LEAD, and when on all days: "Open: Mon-Fri 9-17, Sat
// 10-14".
static int tells_all(const struct lines *c, struct span_of_text line, const struct opening *o,
                     struct span_of_text *lead)
{
    char own[LONG];
    const struct span_of_text all = {0, copy_line(c, line, own)};
    size_t at = next_day(own, all, 0), n = 0;
    *lead = (struct span_of_text){line.from, line.from + at};
    if (at == 0 || at == all.to)
        return 0;
    for (; at < all.to; n++) {
        if (days_at(own, all, &at, o->day) < 0)
            return 0;
        while (at < all.to && is_one_of(own[at], " \t:"))
            at++;
        const size_t end = next_day(own, all, at);
        if (!are_hours(own + at, end - at))
            return 0;
        at = end;
    }
    return n > 1;
}

// The last line above LINE of C, and not far, that says something and begins with no day; {0}:
// there is none.
static struct span_of_text lead_of(const struct lines *c, struct span_of_text line)
{
    enum { FAR = 64 }; // lines
    for (int l = 0; l < FAR && line.from > 0; l++) {
        line = line_at(c, line.from - 1);
        size_t at = list_said_at(c, line);
        if (line_says_something(c->text + line.from, span_bytes(line)) &&
            days_at(c->text, line, &at, 1) < 0)
            return line;
    }
    return (struct span_of_text){0, 0};
}

// Whether LEAD, which leads in hours, has all words of O for what is open.
static int names(const struct lines *c, struct span_of_text lead, const struct opening *o)
{
    struct telling own = {.n = 0};
    telling_add(&own, c->text + lead.from, span_bytes(lead), TELLING_BYTES, IDLE, 0);
    return o->of.n && telling_has_all(&own, &o->of);
}

// Whether LEAD says that what is below it are the hours when something is open, and of nothing else
// than O asks for.
static int is_lead(const struct lines *c, struct span_of_text lead, const struct opening *o)
{
    static const char heads[] = " open opens opening hours times closed ";
    struct telling own = {.n = 0};
    if (names(c, lead, o))
        return 1;
    telling_add(&own, c->text + lead.from, span_bytes(lead), TELLING_BYTES, IDLE, 0);
    return words_listed(heads, c->text + lead.from, span_bytes(lead)) && (!o->of.n || !own.n);
}

// Whether C has all words of O for what is open.
static int is_about(const struct lines *c, const struct opening *o)
{
    for (int i = 0; i < o->of.n; i++)
        if (!word_is_in(c->text, c->n, o->of.stem[i]))
            return 0;
    return 1;
}

// The lines of C that tell what ARG asks; of several those alone whose lead names what is open.
static int find_hours(const struct lines *c, const void *arg, struct span_of_text *s)
{
    const struct opening *o = arg;
    struct span_of_text line;
    int n = 0, named = 0;
    if (!is_about(c, o))
        return 0;
    for (size_t at = 0; at < c->n; at = line.to + 1) {
        line = line_at(c, at);
        struct span_of_text lead;
        if (tells(c, line, o))
            lead = lead_of(c, line);
        else if (!tells_all(c, line, o, &lead))
            continue;
        const int by_name = names(c, lead, o);
        if (!is_lead(c, lead, o) || (named && !by_name))
            continue;
        n = by_name && !named ? 1 : n + 1;
        named |= by_name;
        *s = (struct span_of_text){list_said_at(c, line), line_trimmed(c, line.from, line.to)};
    }
    return n;
}

int outline_opening(struct lookup *v, const char *question, struct err *e)
{
    struct lookup_found f;
    struct opening o;
    if (!read_question(&o, question))
        return 0;
    const int n = lookup_find_only(v, find_hours, &o, &f, e);
    return n == 1 ? lookup_say_quoted(v, &f, e) : n < 0 ? n : 0;
}
