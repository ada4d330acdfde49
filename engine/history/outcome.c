// How something in a log ended: "Did the rollback work?", "What was the status of report-daily?",
// "When did the backup finish?", "Why did the import fail?", "How long did the dump take?". The
// line that says that it began has the same words, so that they do not tell the two apart; what
// says how it ended does, where all such lines are of one thing.
#include <string.h>
#include <strings.h>

#include "engine/history/history.h"
#include "engine/history/outcome_line.h"
#include "engine/lookup/events.h"
#include "engine/words/chars.h"
#include "engine/words/names.h"
#include "engine/words/words.h"

enum {
    WORDS = 8,  // of the thing that is asked of
    KEY = 24,   // words that tell one thing from another in a line
    RECENT = 4, // grave lines that may say why something below them failed,
    NEAR = 8    // within so many lines
};

// Words that say what a thing is a kind of, with or without which it is called.
static const char KINDS[] = " job jobs task process run script service command step ";
// Words that join to a thing what tells it from others.
static const char JOINS[] = " of for to from in on at by with into ";
static const char LITTLE[] =
    " the a an and my our its user s of for to from in on at by with into "
    "has have had was is were been not never still job task process run script service ";

// What is asked of: "report-daily", "nightly backup".
struct thing {
    char word[WORDS][WORD_LISTED * 2]; // [n]
    int n;
};

// The words that a line calls a thing by.
struct key {
    uint32_t v[KEY]; // [n]
    int n;
};

// A line with an outcome; CAUSE: one above it that says why, {0} where none was looked for.
struct ending {
    struct outcome_line o;
    struct span_of_text cause;
    int by_label; // 1: the cause has nothing but the label of O
};

struct search {
    struct thing thing;
    int by_label;          // 1: the label may have words of the thing
    int by_level;          // 1: what a line with the level of an error is about has failed
    int why;               // 1: causes are looked for
    struct texts t;        // the log
    struct ending last[3]; // of each outcome, the last one
    int n[3];              // how many there are
    struct key key;        // of the thing, as the line with the most words calls it
    int several;           // 1: there are others
    struct outcome_line start;
    struct key start_key;
    struct outcome_line recent[RECENT]; // grave lines, the last N_RECENT % RECENT
    size_t recent_line[RECENT];         // their numbers
    size_t n_recent, line;
    size_t same_label; // lines with the label of the line above
    struct span_of_text label;
};

// ------------------------------------------------------------------------------ the thing

static int is_plain(const char *word, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!is_lower(to_small(word[i])) && (unsigned char)word[i] < 0x80)
            return 0;
    return 1;
}

// Takes the words of WHAT that name the thing: 1, or 0 where there are too many, or none.
static int thing_parse(struct thing *a, const char *what)
{
    static const char ends[] = ".,;:!\"'()";
    const char *end = what + strlen(what);
    *a = (struct thing){0};
    for (int kinds = 0; kinds < 2 && !a->n; kinds++) // those of kinds where there are no others
        for (const char *p = what; p < end;) {
            size_t n = strcspn(p, " \t");
            const char *next = p + n + strspn(p + n, " \t");
            while (n && is_one_of(p[n - 1], ends))
                n--;
            n -= n > 2 && begins_with(p + n - 2, 2, "'s") ? 2 : 0;
            if (n && !word_is_listed(JOINS, p, n) && !word_is_listed(" the a an my our ", p, n) &&
                (kinds || !word_is_listed(KINDS, p, n))) {
                if (a->n == WORDS || n >= sizeof a->word[0])
                    return 0;
                memcpy(a->word[a->n], p, n);
                a->word[a->n++][n] = 0;
            }
            p = next;
        }
    return a->n > 0;
}

// Whether TEXT[S] has WORD: a plain one in any form, another one, whose parts say little, whole.
static int has_form_or_name(const char *text, struct span_of_text s, const char *word)
{
    size_t bytes, n = strlen(word);
    if (is_plain(word, n))
        return word_form_is_in(text + s.from, span_bytes(s), word, n);
    for (size_t at = s.from; name_next(word, text, s.to, &at, &bytes); at += bytes) {
        const size_t behind = at + bytes;
        if (name_is_whole(text, s.to, at, bytes) &&
            !(at > s.from && is_one_of(text[at - 1], ".")) &&
            !(behind + 1 < s.to && is_one_of(text[behind], ".-") && word_has(text[behind + 1])))
            return 1;
    }
    return 0;
}

// Whether each word of A is in one of the two spans of TEXT, and one of them in the first.
static int has_thing(const struct thing *a, const char *text, struct span_of_text s,
                     struct span_of_text label)
{
    int own = 0;
    for (int i = 0; i < a->n; i++) {
        const int here = has_form_or_name(text, s, a->word[i]);
        if (!here && !has_form_or_name(text, label, a->word[i]))
            return 0;
        own |= here;
    }
    return own || s.from == s.to;
}

static int has_any(const struct thing *a, const char *text, struct span_of_text s)
{
    for (int i = 0; i < a->n; i++)
        if (has_form_or_name(text, s, a->word[i]))
            return 1;
    return 0;
}

// Whether what SUBJECT of TEXT is about is the thing A, and not something of it: before the first
// word that joins, its last token is one of A's: "acme renewal" of "renewal", not "rollout of
// checkout" or "checkout connection" of "checkout".
static int is_about(const struct thing *a, const char *text, struct span_of_text subject)
{
    char stem[WORD_STEM];
    size_t bytes, end = subject.to;
    for (size_t at = subject.from; word_next(text, subject.to, &at, stem, &bytes);)
        if (at - bytes > subject.from && word_is_listed(JOINS, text + at - bytes, bytes) &&
            text[at - bytes - 1] == ' ') {
            end = at - bytes;
            break;
        }
    int brackets = 0;
    for (size_t to = end; to > subject.from;) {
        while (to > subject.from && is_space(text[to - 1]))
            to--;
        size_t from = to;
        while (from > subject.from && !is_space(text[from - 1]))
            from--;
        brackets |= from < to && is_one_of(text[to - 1], ")]");
        if (has_any(a, text, (struct span_of_text){from, to}))
            return 1;
        size_t word = to;
        while (word > from && !word_has(text[word - 1]))
            word--;
        const int little = brackets || word == from || word_has_digit(text + from, to - from) ||
                           word_is_listed(LITTLE, text + from, word - from);
        if (!little)
            return 0;
        brackets &= from == to || !is_one_of(text[from], "([");
        to = from;
    }
    return subject.from == end;
}

// -------------------------------------------------------------------------------- the lines' keys

// Adds the words of TEXT[S] to K but for the LEVEL of its line, those that say little, and for what
// brackets have that is a number ("[2201]", "(run 8841)") or follows a word for it ("attempt 2").
static void key_add(struct key *k, const char *text, struct span_of_text s,
                    struct span_of_text level)
{
    static const char tries[] = " attempt try retry run ";
    char stem[WORD_STEM];
    size_t bytes, closed = s.from;
    int counted = 0;
    for (size_t at = s.from; k->n < KEY && word_next(text, s.to, &at, stem, &bytes);) {
        const size_t from = at - bytes;
        if (from < closed || (level.from <= from && from < level.to))
            continue;
        size_t open = from;
        while (open > s.from && !is_space(text[open - 1]) && !is_one_of(text[open], "[("))
            open--;
        if (is_one_of(text[open], "[(")) {
            size_t end = open;
            while (end < s.to && !is_one_of(text[end], "])"))
                end++;
            closed = word_has_digit(text + open, end - open) ? end : closed;
            if (from < closed)
                continue;
        }
        const int number = is_digit(text[from]);
        if (!(number && counted) && !word_is_listed(LITTLE, text + from, bytes)) {
            uint32_t hash = WORD_HASH;
            for (size_t i = from; i < at; i++)
                hash = word_hash_add(hash, to_small(text[i]));
            k->v[k->n++] = hash;
        }
        counted = word_is_listed(tries, text + from, bytes);
    }
}

static int key_has_all(const struct key *a, const struct key *b)
{
    for (int i = 0; i < b->n; i++) {
        int j = 0;
        while (j < a->n && a->v[j] != b->v[i])
            j++;
        if (j == a->n)
            return 0;
    }
    return 1;
}

// Keeps K as that of the thing: one of two things with other words is another.
static void keep_key(struct search *s, const struct key *k)
{
    const int longer = key_has_all(k, &s->key);
    s->several |= k->n == KEY ||
                  (s->n[OUTCOME_GOOD] + s->n[OUTCOME_BAD] && !longer && !key_has_all(&s->key, k));
    if (longer)
        s->key = *k;
}

// ------------------------------------------------------------------------------ looking through

// What O says it of, if that is the thing of S: what is before its first word for an outcome, or,
// in "Failed to start the backup", behind it. 1, and the key *K, or 0.
static int find_subject(const struct search *s, const struct outcome_line *o, struct key *k)
{
    const char *text = s->t.text;
    const struct span_of_text label = s->by_label ? o->label : (struct span_of_text){0};
    struct span_of_text subject = {o->message.from, o->word.from};
    while (subject.to > subject.from && !word_has(text[subject.to - 1]) &&
           !is_one_of(text[subject.to - 1], ")]\""))
        subject.to--;
    if (!has_thing(&s->thing, text, subject, label) || !is_about(&s->thing, text, subject)) {
        subject = (struct span_of_text){o->word.to, o->word.to};
        if (subject.to + 1 < o->line.to && text[subject.to] == ' ') {
            subject.from++;
            if (begins_with(text + subject.from, o->line.to - subject.from, "to "))
                subject.from += strlen("to ");
            for (subject.to = subject.from; subject.to < o->line.to; subject.to++)
                if (is_one_of(text[subject.to], ",;:(") &&
                    (text[subject.to] == '(' || subject.to + 1 == o->line.to ||
                     text[subject.to + 1] == ' '))
                    break;
        }
        if (subject.from == subject.to || !has_thing(&s->thing, text, subject, label) ||
            !is_about(&s->thing, text, subject))
            return 0;
    }
    *k = (struct key){0};
    key_add(k, text, o->label, o->level);
    key_add(k, text, subject, o->level);
    return 1;
}

// The nearest line above with a level of errors that says why O's thing failed: of its service, or
// with its words.
static void find_cause(const struct search *s, struct ending *a)
{
    const char *text = s->t.text;
    const struct outcome_line *o = &a->o;
    a->cause = (struct span_of_text){0};
    for (size_t i = 0; i < RECENT && i < s->n_recent; i++) {
        const size_t at = (s->n_recent - 1 - i) % RECENT;
        const struct outcome_line *r = &s->recent[at];
        if (s->line - s->recent_line[at] > NEAR)
            break;
        int all = 1;
        for (int w = 0; w < s->thing.n; w++) { // "report-daily": "daily report"
            char stem[WORD_STEM];
            const char *word = s->thing.word[w];
            size_t bytes;
            for (size_t p = 0; word_next(word, strlen(word), &p, stem, &bytes);)
                all &= word_form_is_in(text + r->label.from, r->line.to - r->label.from,
                                       word + p - bytes, bytes);
        }
        a->by_label = !all;
        if (all || (span_bytes(o->label) && span_is_same(text, r->label, o->label))) {
            a->cause = r->line;
            return;
        }
    }
}

static int has_start(const char *text, struct span_of_text s)
{
    static const char words[] = " started starting start begun began begin beginning ";
    return words_listed(words, text + s.from, span_bytes(s));
}

// Whether the brackets with numbers of A and B are the same, "(run 8841)", where both have some.
static int is_same_run(const char *text, const struct outcome_line *a, const struct outcome_line *b)
{
    struct span_of_text own[2] = {{0}};
    const struct outcome_line *o[] = {a, b};
    for (int i = 0; i < 2; i++)
        for (size_t at = o[i]->message.from; at < o[i]->line.to; at++)
            if (is_one_of(text[at], "[(")) {
                size_t end = at;
                while (end < o[i]->line.to && !is_one_of(text[end], "])"))
                    end++;
                if (word_has_digit(text + at, end - at) && !own[i].to)
                    own[i] = (struct span_of_text){at, end};
            }
    return !own[0].to || !own[1].to || span_is_same(text, own[0], own[1]);
}

// Takes what O, a line of an error, says before its first colon for what has failed.
static void take_for_failed(const char *text, struct outcome_line *o)
{
    for (size_t at = o->message.from; at + 1 < o->line.to; at++)
        if (text[at] == ':' && text[at + 1] == ' ') {
            o->word = (struct span_of_text){at, at + 1};
            o->how = OUTCOME_BAD;
            return;
        }
}

// Whether O, which has no mark of a level, says so in words: "tar: error: disk full".
static int says_error(const char *text, const struct outcome_line *o)
{
    static const char words[] = " error fatal panic ";
    char stem[WORD_STEM];
    size_t bytes;
    for (size_t at = o->message.from; word_next(text, o->line.to, &at, stem, &bytes);)
        if (at + 1 < o->line.to && text[at] == ':' && text[at + 1] == ' ' &&
            word_is_listed(words, text + at - bytes, bytes))
            return 1;
    return 0;
}

static void look_at(struct search *s, const struct outcome_line *o)
{
    struct key k = {0};
    const char *text = s->t.text;
    if (o->how && find_subject(s, o, &k)) {
        keep_key(s, &k);
        s->last[o->how].o = *o;
        if (s->why)
            find_cause(s, &s->last[o->how]);
        s->n[o->how]++;
    } else if (!o->how && has_start(text, o->message) &&
               has_thing(&s->thing, text, o->message,
                         s->by_label ? o->label : (struct span_of_text){0})) {
        s->start = *o;
        s->start_key = (struct key){0};
        key_add(&s->start_key, text, o->label, o->level);
        key_add(&s->start_key, text, o->message, o->level);
    }
}

// Looks through the lines of T that W asks of, if it has any with a time or a level.
static void look_through(struct search *s, const struct texts *t, const struct wanted *w)
{
    struct span_of_text line, mark;
    struct events e;
    struct wanted then = *w;
    *then.whom = 0;
    s->t = *t;
    events_begin(&e, t, "", &then);
    if (e.kind == LOG_NONE || events_are_said(t))
        return;
    while (events_next(&e, &line, &mark)) {
        struct outcome_line o;
        while (line.to > line.from && is_space(t->text[line.to - 1]))
            line.to--;
        if (!outcome_read(t->text, line, mark, &o) && s->by_level &&
            outcome_is_grave(t->text, &o, 0))
            take_for_failed(t->text, &o);
        look_at(s, &o);
        if (outcome_is_grave(t->text, &o, 1) || says_error(t->text, &o)) {
            s->recent[s->n_recent % RECENT] = o;
            s->recent_line[s->n_recent++ % RECENT] = s->line;
        }
        s->same_label += span_is_same(t->text, o.label, s->label);
        s->label = o.label;
        s->line++;
    }
}

// Whether most lines of T have a time or a level.
static int is_log(const struct texts *t)
{
    static const struct wanted any;
    struct span_of_text line, mark;
    struct events e;
    size_t lines = 0, own = 0;
    events_begin(&e, t, "", &any);
    if (e.kind == LOG_NONE)
        return 0;
    while (events_next(&e, &line, &mark))
        own++;
    for (size_t at = 0; at < t->n; at = line.to + 1) {
        line = texts_line(t->text, t->n, at);
        lines += line.to > line.from;
    }
    return 2 * own > lines;
}

// ------------------------------------------------------------------------------------- answering

static int say(struct lookup *v, const struct search *s, struct span_of_text a,
               struct span_of_text b, struct err *e)
{
    const struct span_of_text lines[] = {a.from < b.from ? a : b, a.from < b.from ? b : a};
    int n = 0;
    for (int i = 0; i < 2; i++) {
        if (lines[i].to == lines[i].from)
            continue;
        fputs(n++ ? "\n" : "", v->out);
        lookup_words(v->out, s->t.text, lines[i]);
        const int rc = lookup_add(v, &s->t, lines[i], 0, e);
        if (rc)
            return rc;
    }
    return n > 0;
}

static int say_took(struct lookup *v, const struct search *s, const struct outcome_line *last,
                    struct err *e)
{
    static const struct span_of_text none;
    const int n = s->n[OUTCOME_GOOD] + s->n[OUTCOME_BAD];
    if ((n == 1 || (last->how == OUTCOME_GOOD && s->n[OUTCOME_GOOD] == 1)) &&
        outcome_has_duration(s->t.text, last))
        return say(v, s, last->line, none, e);
    if (n > 1)
        return 0;
    if (!s->start.line.to || s->start.line.from > last->line.from ||
        !key_has_all(&s->start_key, &s->key) || !is_same_run(s->t.text, &s->start, last))
        return 0;
    return say(v, s, s->start.line, last->line, e);
}

// Whether O says a version right behind the last word of S's thing: "inventory 2.9.2".
static int has_version(const struct search *s, const struct outcome_line *o)
{
    const char *text = s->t.text;
    size_t from = o->message.from;
    for (size_t at = from, end = o->line.to; at + 1 < end; at++) {
        size_t number = at + 1 + (text[at + 1] == 'v'), dot = number;
        if (!is_space(text[at]))
            continue;
        while (dot < end && is_digit(text[dot]))
            dot++;
        if (dot > number && dot + 1 < end && text[dot] == '.' && is_digit(text[dot + 1]) &&
            has_any(&s->thing, text, (struct span_of_text){from, at}))
            return 1;
        from = at + 1;
    }
    return 0;
}

// Says of S what V's question asks for; of things that are done again and again, only how the last
// one ended is.
static int say_ending(struct lookup *v, const struct search *s, struct err *e)
{
    static const struct span_of_text none;
    const struct ending *good = &s->last[OUTCOME_GOOD], *bad = &s->last[OUTCOME_BAD];
    const int later = good->o.line.from > bad->o.line.from;
    const struct ending *last = later ? good : bad, *other = later ? bad : good;
    const int n = s->n[OUTCOME_GOOD] + s->n[OUTCOME_BAD];
    switch (v->w.want) {
    case WANT_ENDED:
        return say(v, s, last->o.line, other->o.line, e);
    case WANT_ENDED_WHEN:
        if (n == 1 || (later && s->n[OUTCOME_GOOD] == 1))
            return say(v, s, last->o.line, none, e);
        return n == 2 && other->o.line.to ? say(v, s, last->o.line, other->o.line, e) : 0;
    case WANT_SUCCEEDED_WHEN:
        return s->n[OUTCOME_GOOD] == 1 ? say(v, s, good->o.line, none, e) : 0;
    case WANT_FAILED_WHEN:
        return s->n[OUTCOME_BAD] == 1 ? say(v, s, bad->o.line, none, e) : 0;
    case WANT_FAILED_WHY:
        if (!s->n[OUTCOME_BAD])
            return 0;
        if (outcome_has_reason(s->t.text, &bad->o, s->by_level ? bad->o.word.from : bad->o.word.to))
            return say(v, s, bad->o.line, none, e);
        // Where most lines have one label, it is no service.
        return bad->cause.to && !(bad->by_label && 2 * s->same_label > s->line)
                   ? say(v, s, bad->cause, bad->o.line, e)
                   : 0;
    case WANT_VERSION_OUT:
        return n == s->n[OUTCOME_GOOD] && has_version(s, &good->o)
                   ? say(v, s, good->o.line, none, e)
                   : 0;
    default:
        return say_took(v, s, &last->o, e);
    }
}

// Looks for S's thing in all logs: how many of them have lines of it; of the last one S is then.
static int find_log(struct lookup *v, struct search *s, struct err *e)
{
    const struct search begun = *s;
    struct texts t;
    int rc, n = 0;
    texts_begin(&t, v->k, v->n_k);
    while ((rc = texts_next(&t, e)) > 0) {
        struct search own = begun;
        look_through(&own, &t, &v->w);
        if (!(own.n[OUTCOME_GOOD] + own.n[OUTCOME_BAD]) || !is_log(&t))
            continue;
        *s = own;
        n++;
    }
    return rc < 0 ? rc : n;
}

// The same for what was done to a thing, as a noun: the rollout of what was rolled out.
static int find_done(struct lookup *v, struct search *s, struct err *e)
{
    static const struct {
        const char *verb, *noun;
    } done[] = {{"rolled", "rollout"},    {"deployed", "deployment"},    {"deployed", "rollout"},
                {"rolled", "deployment"}, {"installed", "installation"}, {"upgraded", "upgrade"}};
    const struct search begun = *s;
    int n = 0;
    for (size_t i = 0; !n && i < sizeof done / sizeof *done && begun.thing.n < WORDS; i++)
        if (!strcasecmp(v->w.kind, done[i].verb)) {
            *s = begun;
            strcpy(s->thing.word[s->thing.n++], done[i].noun);
            n = find_log(v, s, e);
        }
    return n;
}

int history_outcome(struct lookup *v, struct err *e)
{
    struct search s = {.why = v->w.want == WANT_FAILED_WHY};
    int n;
    if (!thing_parse(&s.thing, v->w.what))
        return 0;
    if (v->w.want == WANT_VERSION_OUT)
        n = find_done(v, &s, e);
    else if (!(n = find_log(v, &s, e))) {
        s.by_label = 1;
        n = find_log(v, &s, e);
    }
    if (!n && s.why && !(s.thing.n == 1 && is_plain(s.thing.word[0], strlen(s.thing.word[0])))) {
        s.by_level = 1;
        n = find_log(v, &s, e);
    }
    if (n <= 0)
        return n;
    return n == 1 && !s.several ? say_ending(v, &s, e) : 0;
}
