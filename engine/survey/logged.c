// How many errors, warnings and the like a log has, and which lines tell of them; and of anything
// else that its lines tell of in the words of the question: "How many alarms were raised?".
#include <string.h>
#include <strings.h>

#include "engine/survey/events.h"
#include "engine/survey/lookups.h"
#include "engine/text/chars.h"
#include "engine/text/wordlist.h"
#include "engine/text/words.h"

enum {
    SHOWN = 50,
    MARKS = 4,
    MARK = 12
}; // lines that an answer prints; marks of levels, their bytes

struct logged {
    uint64_t n;
    int n_logs, any_case;
    char marks[MARKS][MARK]; // [n_marks] of the lines found, as the texts have them
    int n_marks;
};

static void keep_mark(struct logged *g, const char *text, struct span_of_text mark)
{
    const size_t n = span_bytes(mark);
    if (!n || n >= MARK || g->n_marks == MARKS)
        return;
    for (int i = 0; i < g->n_marks; i++)
        if (strlen(g->marks[i]) == n && !strncasecmp(g->marks[i], text + mark.from, n))
            return;
    memcpy(g->marks[g->n_marks], text + mark.from, n);
    g->marks[g->n_marks++][n] = 0;
}

static int look_through(struct surveying *v, const struct texts *t, struct logged *g, struct err *e)
{
    struct span_of_text line, mark;
    struct events s;
    events_begin(&s, t, v->w.what);
    if (s.kind == LOG_NONE)
        return 0;
    g->n_logs++;
    g->any_case |= s.any_case;
    while (events_next(&s, &line, &mark)) {
        const int rc = survey_add(v, t, line, 1, e);
        if (rc)
            return rc;
        if (v->w.want == WANT_LINES && g->n < SHOWN)
            survey_line(v->out, t->text, line);
        keep_mark(g, t->text, mark);
        g->n++;
    }
    return 0;
}

// How many lines have WORDS, N_WORDS of them.
static void say_words(FILE *out, uint64_t n, const char *words, int n_words)
{
    if (n)
        fprintf(out, "%llu line%s", (unsigned long long)n, n == 1 ? " has" : "s have");
    else
        fputs("No line has", out);
    fprintf(out, " the word%s \"%s\" or %s.", n_words > 1 ? "s" : "", words,
            n_words > 1 ? "forms of them" : "a form of it");
}

// By their level where that alone was looked for, else by the word.
static void say_count(FILE *out, const struct logged *g, const char *what)
{
    if (g->any_case || !g->n_marks) {
        say_words(out, g->n, what, 1);
        return;
    }
    fprintf(out, "%llu line%s the level ", (unsigned long long)g->n, g->n == 1 ? " has" : "s have");
    for (int i = 0; i < g->n_marks; i++)
        fprintf(out, "%s%s", i ? " or " : "", g->marks[i]);
    fputc('.', out);
}

int survey_logged(struct surveying *v, struct err *e)
{
    struct logged g = {0};
    struct texts t;
    int rc;
    texts_begin(&t, v->k, v->n_k);
    while ((rc = texts_next(&t, e)) > 0)
        if ((rc = look_through(v, &t, &g, e)))
            break;
    if (rc || !g.n_logs)
        return rc;
    if (v->w.want == WANT_COUNT)
        say_count(v->out, &g, v->w.what);
    else if (g.n > SHOWN)
        fprintf(v->out, "and %llu more", (unsigned long long)(g.n - SHOWN));
    return v->w.want == WANT_COUNT || g.n > 0;
}

// ------------------------------------------------------------------------- in the question's words

// What is asked of the lines with all WORDS.
struct told {
    char words[WANTED_BYTES];
    int n_words, counts; // 1: how many there are, else which
};

// Whether QUESTION asks how many there are of something, or which.
static int parse(struct told *w, const char *question)
{
    enum { MOST = 4 }; // words
    static const char *const begins[] = {"how many times ", "how often ", "how many ", "which "};
    static const char LITTLE[] =
        WORDLIST_OF_QUESTIONS " there happen happened occur occurred logged today all ";
    char stem[WORD_STEM];
    size_t at = 0, i = 0, bytes;
    int the = 0;
    *w = (struct told){0};
    while (i < sizeof begins / sizeof *begins &&
           strncasecmp(question, begins[i], strlen(begins[i])) != 0)
        i++;
    if (i == sizeof begins / sizeof *begins)
        return 0;
    w->counts = i < 3;
    for (at = strlen(begins[i]); word_next(question, strlen(question), &at, stem, &bytes);) {
        const char *word = question + at - bytes;
        const int of_log = the && word_is_listed(" log logs ", word, bytes);
        the = word_is_listed(" the this these ", word, bytes);
        if (of_log || word_is_listed(LITTLE, word, bytes))
            continue;
        wanted_keep_word(w->words, word, bytes);
        w->n_words++;
    }
    if (w->n_words)
        w->words[strlen(w->words) - 1] = 0; // the space behind the last one
    return w->n_words >= 2 - w->counts && w->n_words <= MOST;
}

// Whether a number is beside the word at bytes FROM to TO of LINE: "12 clients", "clients: 12".
static int is_numbered(const char *text, struct span_of_text line, size_t from, size_t to)
{
    size_t before = from, behind = to;
    while (before > line.from && is_one_of(text[before - 1], " 0123456789.%"))
        before--;
    while (behind < line.to && is_one_of(text[behind], ":= "))
        behind++;
    const char ahead = before > line.from ? text[before - 1] : ' '; // not "A-114 raised"
    return (from > before + 1 && text[from - 1] == ' ' &&
            is_one_of(text[from - 2], "0123456789%") && !word_has(ahead) && ahead != '-') ||
           (behind > to && behind < line.to && is_digit(text[behind]));
}

// Whether LINE of TEXT has all words of W; *NUMBERED: it has a number of what is asked for.
static int tells(const struct told *w, const char *text, struct span_of_text line, int *numbered)
{
    char stem[WORD_STEM], own[WORD_STEM];
    size_t bytes, n;
    int beside = 0;
    for (size_t at = 0; word_next(w->words, strlen(w->words), &at, stem, &bytes);) {
        int found = 0;
        for (size_t in = line.from; !found && word_next(text, line.to, &in, own, &n);) {
            found = word_form_is_in(text + in - n, n, w->words + at - bytes, bytes);
            beside |= found && is_numbered(text, line, in - n, in);
        }
        if (!found)
            return 0;
    }
    *numbered |= beside;
    return 1;
}

int survey_told(struct surveying *v, const char *question, struct err *e)
{
    struct told w;
    struct texts t;
    uint64_t n = 0;
    int rc, numbered = 0;
    if (!parse(&w, question))
        return 0;
    texts_begin(&t, v->k, v->n_k);
    while ((rc = texts_next(&t, e)) > 0) {
        struct span_of_text line;
        if (events_log(&t) == LOG_NONE)
            return 0;
        for (size_t at = 0; at < t.n; at = line.to + 1) {
            line = texts_line(t.text, t.n, at);
            if (!tells(&w, t.text, line, &numbered))
                continue;
            if (numbered || (rc = survey_add(v, &t, line, 1, e)))
                return numbered ? 0 : rc;
            if (!w.counts && n < SHOWN)
                survey_line(v->out, t.text, line);
            n++;
        }
    }
    if (rc || !n)
        return rc;
    if (w.counts)
        say_words(v->out, n, w.words, w.n_words);
    else if (n > SHOWN)
        fprintf(v->out, "and %llu more", (unsigned long long)(n - SHOWN));
    return 1;
}
