#include "engine/lookup/events.h"

#include <string.h>
#include <strings.h>

#include "engine/lines/chat_lines.h"
#include "engine/lines/lines.h"
#include "engine/words/chars.h"
#include "engine/words/clock.h"
#include "engine/words/day.h"
#include "engine/words/names.h"
#include "engine/words/words.h"

enum {
    BEFORE_LEVEL = 96, // bytes of a line that its level is in
    BEFORE_TIME = 32,  // bytes of a line that its time is in
    FEWEST = 3,        // lines with a time or a level that a log has at least, unless all have both
    BESIDE = 2         // lines that have a program of a column right behind their level, at least
};

// Words for events: those of a question, which are also looked for in lines that have no level, and
// the marks of their level.
static const struct {
    const char *words, *marks;
} EVENTS[] = {
    {" error errors err ", " error err severe "},
    {" warning warnings warn ", " warning warn "},
    {" fatal fatals ", " fatal "},
    {" critical criticals ", " critical crit "},
    {" notice notices ", " notice "},
    {" info infos ", " info "},
    {" debug ", " debug "},
    {" exception exceptions ", " "},
    {" failure failures fail fails failed failing ", " "},
    {" timeout timeouts ", " "},
};
enum { N_EVENTS = sizeof EVENTS / sizeof *EVENTS };

static int event_of(const char *word, size_t n)
{
    int i = 0;
    while (i < N_EVENTS && !word_is_listed(EVENTS[i].words, word, n))
        i++;
    return i;
}

int events_are(const char *word, size_t n)
{
    return event_of(word, n) < N_EVENTS;
}

int events_are_same(const char *a, size_t n_a, const char *b, size_t n_b)
{
    const int i = event_of(a, n_a);
    return i < N_EVENTS && i == event_of(b, n_b);
}

// ----------------------------------------------------------------------------------- lines of logs

// Whether text[FROM..TO) stands in brackets or quotation marks, or behind "level=".
static int is_set_off(const char *text, size_t n, size_t from, size_t to)
{
    static const char open[] = "[<(\"", close[] = "]>)\"";
    const char *mark = from > 0 && text[from - 1] ? strchr(open, text[from - 1]) : NULL;
    while (mark && to < n && text[to] == ' ') // "[info ]"
        to++;
    return (mark && to < n && text[to] == close[mark - open]) ||
           (from > 0 && text[from - 1] == '=');
}

// The mark of the level of the line TEXT[FROM..TO): a word for one in capitals or set off. Returns
// which of EVENTS it is of; N_EVENTS: the line has none.
static int level_of(const char *text, struct span_of_text line, struct span_of_text *mark)
{
    const size_t end = line.to - line.from < BEFORE_LEVEL ? line.to : line.from + BEFORE_LEVEL;
    char stem[WORD_STEM];
    size_t bytes;
    for (size_t at = line.from; word_next(text, end, &at, stem, &bytes);) {
        const size_t from = at - bytes;
        int capitals = 1, i = 0;
        for (size_t j = from; j < at; j++)
            capitals &= is_upper(text[j]);
        if (!capitals && !is_set_off(text, line.to, from, at))
            continue;
        while (i < N_EVENTS && !word_is_listed(EVENTS[i].marks, text + from, bytes))
            i++;
        *mark = (struct span_of_text){from, at};
        if (i < N_EVENTS)
            return i;
    }
    *mark = (struct span_of_text){0};
    return N_EVENTS;
}

// The byte of LINE where its time begins; line.to: it has none.
static size_t time_in(const char *text, struct span_of_text line)
{
    const size_t end = line.to - line.from < BEFORE_TIME ? line.to : line.from + BEFORE_TIME;
    for (size_t i = line.from; i + 5 <= end; i++)
        if (is_digit(text[i]) && is_digit(text[i + 1]) && text[i + 2] == ':' &&
            is_digit(text[i + 3]) && is_digit(text[i + 4])) {
            const int year = i > line.from && is_digit(text[i - 1]); // "[14/Mar/2024:05:58:02"
            return i + (year ? 3 : 0);
        }
    return line.to;
}

static int has_time(const char *text, struct span_of_text line)
{
    return time_in(text, line) < line.to;
}

size_t events_behind_time(const char *text, struct span_of_text line)
{
    size_t at = time_in(text, line);
    if (at == line.to)
        return line.from;
    while (at < line.to && !is_one_of(text[at], " \t\""))
        at++;
    return at;
}

// Whether LINE is of the time of day and of the day that W asks of: "the day" is that of all lines.
static int is_then(const char *text, struct span_of_text line, const struct wanted *w)
{
    struct day asked, own;
    struct clock_span time;
    const size_t at = time_in(text, line);
    if (w->timed && (!clock_begins(text + at, line.to - at, &time) || time.from < w->times.from ||
                     time.from > w->times.to))
        return 0;
    if (!day_of(w->day, strlen(w->day), &asked))
        return 1;
    return day_of(text + line.from, at - line.from, &own) && day_is_same(&own, &asked);
}

// Whether all lines of T's log with a time are of the same day: what stands before the time is the
// same, and no time is before that of the line above.
static int is_one_day(const struct texts *t)
{
    struct span_of_text line, first = {0};
    struct clock_span time = {0}, own;
    for (size_t at = 0; at < t->n; at = line.to + 1) {
        line = texts_line(t->text, t->n, at);
        const size_t from = time_in(t->text, line);
        if (from == line.to || !clock_begins(t->text + from, line.to - from, &own))
            continue;
        const struct span_of_text day = {line.from, from};
        first = first.to ? first : day;
        if (span_bytes(day) != span_bytes(first) || own.from < time.from ||
            memcmp(t->text + day.from, t->text + first.from, span_bytes(day)) != 0)
            return 0;
        time = own;
    }
    return 1;
}

// Whether LINE begins with its time: nothing else is before it than its day.
static int begins_with_time(const char *text, struct span_of_text line)
{
    const size_t at = time_in(text, line);
    char stem[WORD_STEM];
    size_t bytes;
    for (size_t i = line.from; i < at && word_next(text, at, &i, stem, &bytes);)
        if (!is_digit(text[i - bytes]) && !day_month(text + i - bytes, bytes) &&
            !day_of_week(text + i - bytes, bytes))
            return 0;
    return at < line.to;
}

enum log_kind events_log(const struct texts *t)
{
    struct span_of_text line, mark;
    size_t lines = 0, times = 0, levels = 0, both = 0; // both: a time first, and a level
    for (size_t at = 0; at < t->n; at = line.to + 1) {
        line = texts_line(t->text, t->n, at);
        lines += line_says_something(t->text + line.from, line.to - line.from);
        times += has_time(t->text, line);
        const int level = level_of(t->text, line, &mark) < N_EVENTS;
        levels += level;
        both += level && begins_with_time(t->text, line);
    }
    if (both && both == lines) // however few they are
        return LOG_LEVELS;
    return levels >= FEWEST && 3 * levels >= lines ? LOG_LEVELS
           : times >= FEWEST && 2 * times >= lines ? LOG_TIMED
                                                   : LOG_NONE;
}

int events_are_said(const struct texts *t)
{
    struct span_of_text line, when, who;
    size_t lines = 0, said = 0;
    for (size_t at = 0; at < t->n; at = line.to + 1) {
        line = texts_line(t->text, t->n, at);
        lines += has_time(t->text, line);
        said += chat_line(t->text + line.from, span_bytes(line), &when, &who);
    }
    return 2 * said > lines;
}

// --------------------------------------------------------------------------------------- searching

// Whether the word at FROM to AT of TEXT is one for event I, or the name of one: "ValueError".
static int names_event(const char *text, size_t from, size_t at, int i)
{
    size_t part = at;
    if (word_is_listed(EVENTS[i].words, text + from, at - from))
        return 1;
    while (part > from && is_lower(text[part - 1]))
        part--;
    return part > from + 1 && is_upper(text[part - 1]) && is_lower(text[part - 2]) &&
           word_is_listed(EVENTS[i].words, text + part - 1, at - part + 1);
}

static int has_event(const char *text, struct span_of_text line, int i)
{
    char stem[WORD_STEM];
    size_t bytes;
    for (size_t at = line.from; word_next(text, line.to, &at, stem, &bytes);)
        if (names_event(text, at - bytes, at, i))
            return 1;
    return 0;
}

// Whether LINE has WORD [n] or an English form of it that leaves all of it there: "restarted".
static int has_with_ending(const char *text, struct span_of_text line, const char *word, size_t n)
{
    static const char endings[] = " s es ed ing ";
    char stem[WORD_STEM];
    size_t bytes;
    for (size_t at = line.from; word_next(text, line.to, &at, stem, &bytes);) {
        const char *own = text + at - bytes, *more = bytes > n ? own : word;
        const size_t least = bytes > n ? n : bytes, most = bytes > n ? bytes : n;
        if (!strncasecmp(own, word, least) &&
            (least == most || word_is_listed(endings, more + least, most - least)))
            return 1;
    }
    return 0;
}

// Whether LINE is one of S's.
static int fits(const struct events *s, struct span_of_text line, struct span_of_text *mark)
{
    const char *text = s->t->text;
    const int level = level_of(text, line, mark);
    int marked = 0;
    char stem[WORD_STEM];
    size_t bytes;
    if (!*s->words)
        return level < N_EVENTS || has_time(text, line);
    for (size_t at = 0; word_next(s->words, strlen(s->words), &at, stem, &bytes);) {
        const char *word = s->words + at - bytes;
        const int i = event_of(word, bytes),
                  by_level = !s->any_case && i < N_EVENTS && EVENTS[i].marks[1];
        if (by_level       ? level != i
            : i < N_EVENTS ? !has_event(text, line, i)
                           : !has_with_ending(text, line, word, bytes))
            return 0;
        marked |= by_level;
    }
    if (!marked)
        *mark = (struct span_of_text){0};
    return 1;
}

int events_set_off(const char *text, size_t at, size_t end)
{
    const size_t n = end - at;
    return (n && text[at] == '\t') || begins_with(text + at, n, "  ") ||
           begins_with(text + at, n, " - ") || begins_with(text + at, n, " | ");
}

// Whether the BYTES of LINE in TEXT from byte AT on are set off from what follows as a column or a
// label is: "mailer:", "[mailer]", "mailer    sent".
static int is_label(const char *text, struct span_of_text line, size_t at, size_t bytes)
{
    const size_t behind = at + bytes;
    return line.to > behind + 1 &&
           (is_one_of(text[behind], ":])|[") || events_set_off(text, behind, line.to));
}

// Whether the BYTES of LINE in TEXT from byte AT on are the first word behind the MARK of its
// level, without a sign of its own, where no label is before that: "WARN mailer sent late", but not
// "queue: WARN mailer sent late".
static int is_beside_level(const char *text, struct span_of_text line, struct span_of_text mark,
                           size_t at, size_t bytes)
{
    size_t before = mark.from, behind = mark.to;
    while (before > line.from && is_one_of(text[before - 1], " \t[("))
        before--;
    while (behind < at && is_one_of(text[behind], " \t])"))
        behind++;
    return mark.to && behind == at && at > mark.to && at + bytes < line.to &&
           is_gap(text[at + bytes]) && !(before > line.from && text[before - 1] == ':');
}

// Whether the program that S asks of stands so on several lines: it is of a column of programs.
static int is_in_column(const struct events *s)
{
    const char *text = s->t->text;
    struct span_of_text line, mark;
    size_t bytes;
    int n = 0;
    for (size_t from = 0; *s->from && n < BESIDE && from < s->t->n; from = line.to + 1) {
        line = texts_line(text, s->t->n, from);
        level_of(text, line, &mark);
        size_t at = mark.to;
        n += mark.to && name_next(s->from, text, line.to, &at, &bytes) &&
             is_beside_level(text, line, mark, at, bytes);
    }
    return n == BESIDE;
}

// Whether LINE is from the program that S asks of: that is a label right behind its level, or
// before it with a number at most between them, or its service: "service=mailer"; or the first word
// behind its level, in a column of programs.
static int is_from(const struct events *s, struct span_of_text line)
{
    static const char keys[] = "service svc srv component logger module source app unit process "
                               "proc program prog subsystem facility ident";
    enum { KEY = 12 }; // bytes before a name that may be its key
    const char *text = s->t->text;
    struct span_of_text mark;
    size_t bytes;
    if (!*s->from)
        return 1;
    level_of(text, line, &mark);
    for (size_t at = line.from; name_next(s->from, text, line.to, &at, &bytes); at += bytes) {
        const size_t key = at - line.from > KEY ? at - KEY : line.from, behind = at + bytes;
        const int set = at > line.from + 1 && is_one_of(text[at - 1], "=:\"");
        if ((set && words_any(keys, text + key, at - key)) ||
            (s->in_column && is_beside_level(text, line, mark, at, bytes)) ||
            (mark.to &&
             (at < mark.from
                  ? behind > mark.from || words_beyond(text + behind, mark.from - behind, "") <= 1
                  : at - mark.to < BEFORE_LEVEL && is_label(text, line, at, bytes) &&
                        !words_beyond(text + mark.to, at - mark.to, ""))))
            return 1;
    }
    return 0;
}

// The name of the program that W asks of, to OUT: "mailer" of "the Mailer service".
static void program_of(const struct wanted *w, char out[WANTED_BYTES])
{
    static const char kinds[] = " service server program process component module job daemon ";
    char stem[WORD_STEM];
    size_t bytes, at = 0, from = 0, to = 0;
    for (int first = 1; word_next(w->whom, strlen(w->whom), &at, stem, &bytes); first = 0) {
        from = first ? at - bytes : from;
        to = first || !word_is_listed(kinds, w->whom + at - bytes, bytes) ? at : to;
    }
    for (size_t i = from; i < to; i++)
        *out++ = is_upper(w->whom[i]) ? (char)(w->whom[i] | 32) : w->whom[i];
    *out = 0;
}

// Whether a line of T, whose lines have a time, is from the program that W asks of and has a level,
// though few of the others have any: a system's log is of many programs.
static int has_levels_from(const struct texts *t, const struct wanted *w)
{
    struct events s = {.t = t, .words = "", .w = w};
    struct span_of_text line, mark;
    program_of(w, s.from);
    if (!*s.from || events_log(t) != LOG_TIMED)
        return 0;
    for (size_t at = 0; at < t->n; at = line.to + 1) {
        line = texts_line(t->text, t->n, at);
        if (level_of(t->text, line, &mark) < N_EVENTS && is_from(&s, line))
            return 1;
    }
    return 0;
}

void events_begin(struct events *s, const struct texts *t, const char *words,
                  const struct wanted *w)
{
    struct span_of_text line, mark;
    static const struct wanted any;
    struct day day;
    *s = (struct events){.t = t, .words = words, .kind = events_log(t)};
    if (*w->day && !day_of(w->day, strlen(w->day), &day) && !is_one_day(t))
        s->kind = LOG_NONE;
    s->w = &any;
    s->any_case =
        (s->kind != LOG_LEVELS && !has_levels_from(t, w)) || !events_next(s, &line, &mark);
    s->at = 0;
    s->w = w;
    program_of(w, s->from);
    s->in_column = is_in_column(s);
}

int events_next(struct events *s, struct span_of_text *line, struct span_of_text *mark)
{
    while (s->at < s->t->n) {
        *line = texts_line(s->t->text, s->t->n, s->at);
        s->at = line->to + 1;
        if (line->to > line->from && fits(s, *line, mark) && is_then(s->t->text, *line, s->w) &&
            is_from(s, *line))
            return 1;
    }
    return 0;
}
