// What a log has of a time of day, or of a day: "What happened at 14:16?", "What happened between
// 10:00 and 11:00 on 14 March?", "What happened on 14 March?", but not all of a day's conversation;
// or the entry of that day in a diary, or of that time in a table of what happened when.
#include <string.h>

#include "engine/history/history.h"
#include "engine/lines/lines.h"
#include "engine/lookup/events.h"
#include "engine/sentences/heading.h"
#include "engine/words/clock.h"
#include "engine/words/dates.h"
#include "engine/words/day.h"

enum {           // entries that an answer quotes, at most
    ENTRIES = 2, // of one day
    TIMES = 8    // of a table of what happened when
};

// Whether the line of C at byte AT begins another entry of a diary, or another section: *DAY is its
// day, {0} where a heading has none. "Monday 9 June", "## 9 June", "9 June. Rain.", "- 9 June:
// rain".
static int begins_entry(const struct lines *c, size_t at, struct day *day)
{
    const size_t end = line_end(c, at);
    size_t from, to;
    *day = (struct day){0};
    if (heading_is(c, at, &from, &to)) {
        while (from < to && is_one_of(c->text[from], "# "))
            from++;
        if (!dates_alone(c->text + from, to - from) || !day_of(c->text + from, to - from, day))
            *day = (struct day){0};
        return 1;
    }
    const int item = line_is_item(c->text + at, end - at);
    from = at + (item ? strlen("- ") : 0);
    const size_t n = day_begins(c->text + from, end - from, day);
    return n && from + n < end && is_one_of(c->text[from + n], ".:") &&
           (item || line_is_bare_above(c, at));
}

// Finds the entries of the DAY in T's document: FOUND [ENTRIES], of which there are N before.
// Returns how many there are then.
static int find_entries(const struct texts *t, const struct day *day, struct lookup_found *found,
                        int n)
{
    const struct lines c = {.text = t->text, .n = t->n};
    struct lookup_found *open = NULL; // the entry that the line may end
    struct day own;
    int said = 0; // 1: something is below its first line
    for (size_t at = 0; at < c.n; at = line_end(&c, at) + 1) {
        const int bare = line_is_bare(&c, at);
        const int apart = bare && said && line_is_bare(&c, line_end(&c, at) + 1);
        said |= !bare;
        if (!begins_entry(&c, at, &own) && !apart)
            continue;
        if (open)
            open->at.to = line_trimmed(&c, open->at.from, at);
        open = NULL;
        said = 0;
        if (!own.day || !day_is_same(&own, day) || n++ >= ENTRIES)
            continue;
        open = &found[n - 1];
        *open = (struct lookup_found){*t, {at, line_trimmed(&c, at, c.n)}};
    }
    return n;
}

// The byte behind the time of day, in hours and minutes, that the line of C at byte AT begins with,
// behind a date or not, and before what happened then: "06:44  The gate ...", "2024-05-02 06:44
// ..."; 0: it begins with none. *TIME: the time; *DAY: the date, {0} where there is none.
static size_t behind_time(const struct lines *c, size_t at, struct clock_span *time,
                          struct day *day)
{
    const size_t end = line_end(c, at);
    size_t from = line_words(c, at, end), n;
    if ((n = day_begins(c->text + from, end - from, day)))
        from = line_words(c, from + n, end);
    else
        *day = (struct day){0};
    n = clock_of_entry(c->text + from, end - from, time);
    from += n;
    return n && time->to > time->from && from + 1 < end && is_gap(c->text[from]) ? from : 0;
}

// Finds the entries of the times of W in T's document, which stand one below another: FOUND
// [TIMES], of which there are N before. Returns how many there are then.
static int find_times(const struct texts *t, const struct wanted *w, struct lookup_found *found,
                      int n)
{
    const struct lines c = {.text = t->text, .n = t->n};
    struct clock_span time;
    struct day asked, own = {0}, head = {0}; // HEAD: of the last heading
    const int of_day = day_of(w->day, strlen(w->day), &asked);
    int run = 0, fits = 0; // entries up to the one above; whether that is asked of
    for (size_t at = 0, last = 0;; at = line_end(&c, at) + 1) {
        const int ends = at >= c.n;
        const size_t begins = ends ? 0 : behind_time(&c, at, &time, &own);
        if (!ends && !begins && begins_entry(&c, at, &own))
            head = own;
        else if (!own.day)
            own = head;
        if (!ends && !begins && run && !line_is_bare(&c, at) &&
            line_indentation(&c, at) > line_indentation(&c, last)) // it goes on
            continue;
        if (fits && (run > 1 || begins) && n++ < TIMES)
            found[n - 1] =
                (struct lookup_found){*t, {last, line_trimmed(&c, last, ends ? c.n : at)}};
        if (ends)
            return n;
        run = begins ? run + 1 : 0;
        last = at;
        fits = begins && time.from >= w->times.from && time.from <= w->times.to &&
               (!of_day || day_is_same(&own, &asked));
    }
}

// Says what the entries of the day, or of the time, have.
static int say_entries(struct lookup *v, struct err *e)
{
    struct lookup_found found[TIMES];
    struct texts t;
    struct day day;
    int rc, n = 0;
    if (!v->w.timed && !day_of(v->w.day, strlen(v->w.day), &day))
        return 0;
    texts_begin(&t, v->k, v->n_k);
    while ((rc = texts_next(&t, e)) > 0)
        if (!events_are_said(&t))
            n = v->w.timed ? find_times(&t, &v->w, found, n) : find_entries(&t, &day, found, n);
    return rc < 0 ? rc : lookup_say_found(v, found, n, v->w.timed ? TIMES : ENTRIES, e);
}

int history_happened(struct lookup *v, struct err *e)
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
            if ((rc = lookup_add(v, &t, line, 1, e)))
                return rc;
            if (n++ < SHOWN)
                lookup_line(v->out, t.text, line);
        }
    }
    if (n > SHOWN)
        fprintf(v->out, "and %d more", n - SHOWN);
    return rc ? rc : n ? 1 : say_entries(v, e);
}
