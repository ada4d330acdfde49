// What a log tells in words of its own: "How many alarms were raised?", "Which vessels departed?"
// By the lines that have all words of the question, if they have them in one way: in one form each,
// of what there are several in the singular, without a number of them and without "not". Else a
// line may tell of several, of none, or of one that another line tells of, too.
#include <string.h>
#include <strings.h>

#include "engine/history/history.h"
#include "engine/lookup/events.h"
#include "engine/words/chars.h"
#include "engine/words/names.h"
#include "engine/words/words.h"

enum { WORDS = 6, SHOWN = 50, FORM = 32 }; // lines that an answer prints; bytes of a word's form

struct told {
    struct span_of_text word[WORDS]; // [n] of the question's
    char form[WORDS][FORM];          // as the log has them
    int n, several;                  // several: one of them is in the plural
    uint64_t lines;
};

// Divides what W asks for into words: 0 where they are too many or too few.
static int divide(const struct wanted *w, const char *what, struct told *a)
{
    char stem[WORD_STEM];
    size_t bytes;
    int plain = 1;
    for (size_t at = 0; word_next(what, strlen(what), &at, stem, &bytes); a->n++) {
        if (a->n == WORDS || bytes >= FORM)
            return 0;
        a->word[a->n] = (struct span_of_text){at - bytes, at};
        a->several |= word_is_plural(what + at - bytes, bytes);
        plain &= !word_has_digit(what + at - bytes, bytes);
    }
    return a->n > 1 && plain && (a->several || w->want == WANT_OFTEN_TOLD);
}

// Whether A and B are forms of one word: "raise", "raised", "raises".
static int is_form(const char *a, size_t n_a, const char *b, size_t n_b)
{
    static const char endings[] = " s es d ed ing ";
    const size_t same = word_same(a, n_a, b, n_b);
    return events_are_same(a, n_a, b, n_b) || (same == n_a && same == n_b) ||
           (same > 2 && (same == n_a || word_is_listed(endings, a + same, n_a - same)) &&
            (same == n_b || word_is_listed(endings, b + same, n_b - same)));
}

// Which of A's words, of WHAT, the word at TEXT [n] is a form of; -1: none.
static int which(const struct told *a, const char *what, const char *text, size_t n)
{
    for (int i = 0; i < a->n; i++)
        if (is_form(text, n, what + a->word[i].from, span_bytes(a->word[i])))
            return i;
    return -1;
}

// Whether S of TEXT is word I of WHAT in the plural, as the question has it.
static int is_asked_form(const struct told *a, int i, const char *what, const char *text,
                         struct span_of_text s)
{
    const char *word = what + a->word[i].from;
    const size_t n = span_bytes(a->word[i]);
    return word_is_plural(word, n) && n == span_bytes(s) && !strncasecmp(text + s.from, word, n);
}

// Looks for A's words of WHAT in LINE. Returns 1 where it has them all, 0 where it has not, -1
// where it does not tell of one such thing.
static int fits(struct told *a, const char *what, const char *text, struct span_of_text line)
{
    // Before "customer", what was done was done to something else, for one.
    static const char denies[] = " not no never without cannot for by to from of with ";
    struct span_of_text at[WORDS] = {{0}};
    char stem[WORD_STEM];
    size_t bytes, end = line.from;
    int found = 0, denied = 0, denies_next = 0, number = 0, before = -1,
        last = -1; // last: of A's words, right before NUMBER
    for (size_t p = line.from; word_next(text, line.to, &p, stem, &bytes);) {
        const char *own = text + p - bytes;
        const int next = p - bytes == end + 1 && text[end] == ' ';
        int i = which(a, what, own, bytes);
        if (i > 0 && before != i - 1 && word_is_listed(" in out on off up down ", own, bytes))
            i = -1; // not "logged in"
        before = i;
        denied |= i >= 0 && denies_next;
        denies_next = word_is_listed(denies, own, bytes);
        // "session 12 opened" has a name, "2 failed" a number of them.
        denied |= i >= 0 && number && next && last < 0;
        last = is_digit(*own) && next && last >= 0 ? last : i;
        number =
            is_digit(*own) && p - bytes > line.from && text[p - bytes - 1] == ' '; // not "A-12"
        end = p;
        // "jobs: job 17 done" has the name of a part of the program, and one job.
        if (i >= 0 && (!at[i].to || is_asked_form(a, i, what, text, at[i]))) {
            found += !at[i].to;
            at[i] = (struct span_of_text){p - bytes, p};
        }
    }
    if (found < a->n)
        return 0;
    for (int i = 0; i < a->n; i++) {
        const char *own = text + at[i].from;
        bytes = span_bytes(at[i]);
        if (denied || bytes >= FORM || is_asked_form(a, i, what, text, at[i]) ||
            (a->lines && (strlen(a->form[i]) != bytes || strncasecmp(a->form[i], own, bytes) != 0)))
            return -1;
        memcpy(a->form[i], own, bytes);
        a->form[i][bytes] = 0;
    }
    return 1;
}

// Prints the lines of T that fit. Returns 1; 0 where one of them does not tell of one thing; or an
// error.
static int look_through(struct lookup *v, const struct texts *t, const char *what, struct told *a,
                        struct err *e)
{
    struct span_of_text line, mark;
    struct events s;
    int rc = 0;
    events_begin(&s, t, "", &v->w);
    if (s.kind == LOG_NONE || events_are_said(t))
        return 1;
    while (!rc && events_next(&s, &line, &mark)) {
        const int own = fits(a, what, t->text, line);
        if (own < 0)
            return 0;
        if (!own)
            continue;
        a->lines++;
        rc = lookup_add(v, t, line, 1, e);
        if (v->w.want == WANT_TOLD && a->lines <= SHOWN)
            lookup_line(v->out, t->text, line);
    }
    return rc ? rc : 1;
}

static void say_count(FILE *out, const struct told *a, const char *what)
{
    fprintf(out, "%llu line%s the words ", (unsigned long long)a->lines,
            a->lines == 1 ? " has" : "s have");
    for (int i = 0; i < a->n; i++)
        fprintf(out, "%s\"%.*s\"",
                !i             ? ""
                : i + 1 < a->n ? ", "
                               : " and ",
                (int)span_bytes(a->word[i]), what + a->word[i].from);
    fputs(" or forms of them.", out);
}

int history_told(struct lookup *v, struct err *e)
{
    struct told a = {0};
    struct texts t;
    char what[2 * WANTED_BYTES];
    int rc;
    snprintf(what, sizeof what, "%s %s", v->w.what, v->w.kind);
    if (!divide(&v->w, what, &a))
        return 0;
    texts_begin(&t, v->k, v->n_k);
    while ((rc = texts_next(&t, e)) > 0)
        if ((rc = look_through(v, &t, what, &a, e)) <= 0)
            return rc;
    if (rc < 0 || !a.lines)
        return rc;
    if (v->w.want != WANT_TOLD)
        say_count(v->out, &a, what);
    else if (a.lines > SHOWN)
        fprintf(v->out, "and %llu more", (unsigned long long)(a.lines - SHOWN));
    return 1;
}
