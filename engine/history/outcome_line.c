#include "engine/history/outcome_line.h"

#include <string.h>

#include "engine/lookup/events.h"
#include "engine/words/chars.h"
#include "engine/words/letter.h"
#include "engine/words/words.h"

enum { LONG = 1024 }; // bytes of a line that are read

static const char GOOD[] = " finished completed complete done succeeded success successful "
                           "successfully ok passed exited ended ";
static const char BAD[] = " failed failure refused rejected aborted crashed panic cancelled "
                          "canceled denied declined unsuccessful killed ";
static const char DENIED[] = " not never cannot no without t ";

// What is known of the words before the one that is read, in small pieces.
struct before {
    const char *word[2]; // the last one, and the one before it
    size_t n[2];
};

static int is(const struct before *b, int i, const char *list)
{
    return b->n[i] && word_is_listed(list, b->word[i], b->n[i]);
}

// ------------------------------------------------------------------------- the parts of a line

static size_t token_end(const char *text, size_t at, size_t end)
{
    while (at < end && !is_gap(text[at]))
        at++;
    return at;
}

static int is_outcome(const char *word, size_t n)
{
    return word_is_listed(GOOD, word, n) || word_is_listed(BAD, word, n);
}

static int has_outcome(const char *text, size_t from, size_t to)
{
    char stem[WORD_STEM];
    size_t bytes;
    while (word_next(text, to, &from, stem, &bytes))
        if (is_outcome(text + from - bytes, bytes))
            return 1;
    return 0;
}

// Whether the token FROM to TO is set off from what is behind it, before END, as a service is.
static int is_set_off(const char *text, size_t from, size_t to, size_t end)
{
    return (text[from] == '[' && text[to - 1] == ']') || text[to - 1] == ':' ||
           events_set_off(text, to, end);
}

// The end of the label that the token FROM to TO is: "cron" of "cron[7]:".
static size_t label_end(const char *text, size_t from, size_t to)
{
    const char *open = memchr(text + from, '[', to - from);
    return open && open > text + from ? (size_t)(open - text) : to;
}

// Finds the label of O and where its message begins: the first of two words behind the time and the
// level that is set off, so that one may be the host.
static void find_label(const char *text, struct outcome_line *o)
{
    enum { WORDS = 2, AROUND = 8 }; // bytes that a level may have about it: "level=info"
    size_t at = events_behind_time(text, o->line);
    const size_t end = o->line.to;
    int found = 0;
    o->label = (struct span_of_text){at, at};
    o->message = (struct span_of_text){at, end};
    for (int n = 0; n < WORDS || found;) {
        while (at < end && is_one_of(text[at], " \t-|"))
            at++;
        const size_t to = token_end(text, at, end);
        if (at == to)
            return;
        if (at <= o->level.from && o->level.to <= to && span_bytes(o->level) &&
            to - at <= span_bytes(o->level) + AROUND) {
            at = to;
            if (!n || found)
                o->message.from = past_blanks(text, at, end);
            continue;
        }
        if (found > 1 || to == end || has_outcome(text, at, to) ||
            (found && !(begins_with(text + to, end - to, " - ") && o->level.from > o->label.from)))
            return;
        if (is_set_off(text, at, to, end)) {
            found++;
            o->label = (struct span_of_text){at, label_end(text, at, to)};
            o->message.from = past_blanks(text, to, end);
        }
        at = to;
        n++;
    }
}

// --------------------------------------------------------------------------------- how it ended

// The first number among the few words of TEXT[AT .. END): 1 and *ZERO, or 0.
static int number_behind(const char *text, size_t at, size_t end, int *zero)
{
    enum { WORDS = 3 };
    char stem[WORD_STEM];
    size_t bytes;
    for (int i = 0; i < WORDS && word_next(text, end, &at, stem, &bytes); i++)
        if (is_digit(text[at - bytes])) {
            *zero = bytes == 1 && text[at - bytes] == '0';
            return 1;
        }
    return 0;
}

// Whether the number right before byte AT of O's message counts things, and is no one's name:
// "4 ok, 0 failed", not "job 7 failed".
static int is_counted(const char *text, const struct outcome_line *o, size_t at,
                      const struct before *b)
{
    if (text[at - 1] == '%' || (at > 1 && text[at - 2] == '%'))
        return 1;
    if (!b->n[0] || !is_digit(*b->word[0]) || is(b, 1, " of than "))
        return b->n[0] && is_digit(*b->word[0]);
    size_t from = (size_t)(b->word[0] - text);
    while (from > o->message.from && is_gap(text[from - 1]))
        from--;
    return from == o->message.from || (is_one_of(text[from - 1], ",;:=(") && text[at - 1] == ' ');
}

// Whether the word behind B, which begins at byte FROM of TEXT, is said to be so: no word before it
// in its clause says that it may be, or is to be.
static int is_possible(const char *text, size_t from, const struct before *b, int was)
{
    static const char clause[] = " will would if when until unless should may might whether once ",
                      near[] = " be before expected after ";
    const char *p = b->n[0] ? b->word[0] + b->n[0] : text + from;
    for (; was && p < text + from; p++)
        was = !is_one_of(*p, ",;:.");
    return was || is(b, 0, clause) || is(b, 0, near);
}

// What the word TEXT[FROM .. TO) of O says, behind the words of B.
static enum outcome outcome_of(const char *text, const struct outcome_line *o, size_t from,
                               size_t to, const struct before *b)
{
    const size_t n = to - from, end = o->line.to;
    int zero;
    enum outcome how = word_is_listed(GOOD, text + from, n)  ? OUTCOME_GOOD
                       : word_is_listed(BAD, text + from, n) ? OUTCOME_BAD
                                                             : OUTCOME_NONE;
    if (is(b, 0, " timed ") && word_is_listed(" out ", text + from, n))
        how = OUTCOME_BAD;
    if (is(b, 0, " status result ") && word_is_listed(" error failure timeout ", text + from, n))
        how = OUTCOME_BAD;
    if (is(b, 0, " exit ") && word_is_listed(" code status ", text + from, n) &&
        number_behind(text, to, end, &zero))
        return zero ? OUTCOME_GOOD : OUTCOME_BAD;
    if (word_is_listed(" exited ", text + from, n) && number_behind(text, to, end, &zero))
        return zero ? OUTCOME_GOOD : OUTCOME_BAD;
    if (!how || (from > o->message.from && is_counted(text, o, from, b)) ||
        begins_with(text + to, end - to, " over") || (to < end && text[to] == '='))
        return OUTCOME_NONE;
    if (is(b, 0, DENIED))
        return how == OUTCOME_GOOD ? OUTCOME_BAD : OUTCOME_NONE;
    return how;
}

// Whether the word behind B, TEXT[FROM .. TO), is "successfully" right behind a verb that says what
// was done: "Deactivated successfully"; not that it began.
static int is_verb_done(const char *text, size_t from, size_t to, const struct before *b)
{
    static const char begins[] =
        " started restarted resumed launched initialized initialised scheduled queued enqueued "
        "submitted triggered requested loaded connected registered enabled accepted ";
    const size_t n = b->n[0];
    return word_is_listed(" successfully ", text + from, to - from) && n > 2 &&
           b->word[0] + n + 1 == text + from && letters_same(b->word[0] + n - 2, "ed", 2) &&
           !word_is_listed(begins, b->word[0], n);
}

int outcome_read(const char *text, struct span_of_text line, struct span_of_text level,
                 struct outcome_line *o)
{
    struct before b = {{"", ""}, {0, 0}};
    char stem[WORD_STEM];
    size_t bytes;
    int possible = 0;
    if (line.to - line.from > LONG)
        line.to = line.from + LONG;
    *o = (struct outcome_line){.line = line, .level = level};
    find_label(text, o);
    for (size_t at = o->message.from; word_next(text, line.to, &at, stem, &bytes);) {
        possible = is_possible(text, at - bytes, &b, possible);
        enum outcome how = possible ? OUTCOME_NONE : outcome_of(text, o, at - bytes, at, &b);
        const int done = how == OUTCOME_GOOD && is_verb_done(text, at - bytes, at, &b);
        if (done && is(&b, 1, DENIED)) // "not copied successfully"
            how = OUTCOME_BAD;
        // What follows may say it more clearly: "finished (run 8) status=failed".
        if (how && !o->how) {
            o->word = (struct span_of_text){done ? (size_t)(b.word[0] - text) : at - bytes, at};
            o->how = how;
        } else if (how == OUTCOME_BAD &&
                   (is(&b, 0, " status result exit with outcome ") || is(&b, 1, " timed "))) {
            o->how = how;
        }
        b = (struct before){{text + at - bytes, b.word[0]}, {bytes, b.n[0]}};
    }
    return o->how != OUTCOME_NONE;
}

int outcome_is_grave(const char *text, const struct outcome_line *o, int warnings)
{
    static const char errors[] = " error err severe fatal critical crit panic ";
    const size_t n = span_bytes(o->level);
    return n && (word_is_listed(errors, text + o->level.from, n) ||
                 (warnings && word_is_listed(" warning warn ", text + o->level.from, n)));
}

// ------------------------------------------------------------------------------------- what else

// How many words of letters TEXT[FROM .. TO) has.
static int words_of_letters(const char *text, size_t from, size_t to)
{
    char stem[WORD_STEM];
    size_t bytes;
    int n = 0;
    while (word_next(text, to, &from, stem, &bytes))
        n += bytes > 1 && !word_has_digit(text + from - bytes, bytes);
    return n;
}

// Whether a mark at byte AT of O's line has a reason behind it, which ends before *END.
static int is_mark_of_reason(const char *text, const struct outcome_line *o, size_t at, size_t *end)
{
    const size_t n = o->line.to - at;
    *end = o->line.to;
    if (text[at] == '(') {
        const char *close = memchr(text + at, ')', n);
        *end = close ? (size_t)(close - text) : o->line.to;
        return !word_has_digit(text + at, *end - at);
    }
    return begins_with(text + at, n, ": ") || begins_with(text + at, n, " - ") ||
           begins_with(text + at, n, "error=");
}

int outcome_has_reason(const char *text, const struct outcome_line *o, size_t from)
{
    static const char words[] = " because due cause caused reason waiting ";
    enum { LEAST = 2 }; // words of a reason
    char stem[WORD_STEM];
    size_t bytes, end;
    for (size_t i = from; i < o->line.to; i++)
        if (is_mark_of_reason(text, o, i, &end) &&
            words_of_letters(text, i + 1, end) >= (text[i] == ':' ? 1 : LEAST))
            return 1;
    for (size_t at = from; word_next(text, o->line.to, &at, stem, &bytes);)
        if (word_is_listed(words, text + at - bytes, bytes) &&
            words_of_letters(text, at, o->line.to) >= LEAST)
            return 1;
    return 0;
}

// The byte behind the numbers with units of time that begin at byte AT of TEXT [end]: "17m43s";
// AT: there are none.
static size_t duration_end(const char *text, size_t at, size_t end)
{
    static const char *const units[] = {"milliseconds", "ms",      "seconds", "second", "secs",
                                        "sec",          "minutes", "minute",  "mins",   "min",
                                        "hours",        "hour",    "s",       "m",      "h"};
    for (size_t behind = at;;) {
        while (behind < end && (is_digit(text[behind]) || text[behind] == '.'))
            behind++;
        const size_t unit = behind < end && text[behind] == ' ' ? behind + 1 : behind;
        size_t u = 0, n = 0;
        for (; u < sizeof units / sizeof *units; u++) {
            n = strlen(units[u]);
            if (begins_with(text + unit, end - unit, units[u]) &&
                (unit + n == end || !word_has(text[unit + n]) || is_digit(text[unit + n])))
                break;
        }
        if (u == sizeof units / sizeof *units)
            return at;
        at = unit + n;
        behind = past_blanks(text, at, end);
        if (behind == end || !is_digit(text[behind]))
            return at;
    }
}

int outcome_has_duration(const char *text, const struct outcome_line *o)
{
    int n = 0;
    for (size_t at = o->message.from; at < o->line.to; at++) {
        if (!is_digit(text[at]) ||
            (at > o->message.from && (word_has(text[at - 1]) || is_one_of(text[at - 1], ".-/:"))))
            continue;
        const size_t end = duration_end(text, at, o->line.to);
        n += end > at;
        at = end > at ? end - 1 : at;
    }
    return n == 1;
}
