// What something measures: "How heavy is the machine?", where a line of technical data has it by
// its name, "Weight    43.5 kg". Such a line is no sentence, and has no word of the question, so
// that neither votes nor a small model find it.
#include <stdio.h>
#include <string.h>

#include "engine/lines/lines.h"
#include "engine/lookup/form.h"
#include "engine/sentences/heading.h"
#include "engine/survey/surveys.h"
#include "engine/words/chars.h"
#include "engine/words/wordlist.h"
#include "engine/words/words.h"

enum {
    LABEL = 48,   // bytes of what a line of data calls its value
    VALUE = 80,   // bytes of the value that may have the unit
    FORM = 64,    // bytes of a form
    HEADINGS = 2, // above a line that may say what it is about,
    ABOVE = 4096  // and bytes in which these are looked for
};

#define IS      " is|are|was|were"
#define ASKED   "what|tell|give|show is|was|me|us the "
#define WEIGHT  " weight mass "
#define WEIGHTS " kg g lb lbs pounds t tonnes tons oz grams kilograms kilogrammes "
#define LENGTHS " mm cm m km in inch inches ft foot feet yd yards metres meters miles "
#define SIZES   " dimensions dimension size measurements "

// What stands before and behind the thing in a form of questions (form.h), what lines of data call
// what it asks for, and the units of that.
static const struct measure {
    const char *before, *behind, *names, *units;
} MEASURES[] = {
    {"how heavy" IS, "", WEIGHT, WEIGHTS},
    {ASKED "weight|mass of", "", WEIGHT, WEIGHTS},
    {ASKED "height of", "", " height ", LENGTHS},
    {ASKED "width of", "", " width breadth ", LENGTHS},
    {ASKED "depth of", "", " depth ", LENGTHS},
    {ASKED "length of", "", " length ", LENGTHS},
    {"what does|do", "weigh", WEIGHT, WEIGHTS},
    {"how much does|do", "weigh", WEIGHT, WEIGHTS},
    {"how tall|high" IS, "", " height ", LENGTHS},
    {"how wide|broad" IS, "", " width breadth ", LENGTHS},
    {"how deep" IS, "", " depth ", LENGTHS},
    {"how long" IS, "", " length ", LENGTHS},
    {"how thick" IS, "", " thickness ", LENGTHS},
    {"how big|large" IS, "", SIZES, LENGTHS},
    {"how loud|noisy|quiet" IS, "", " noise sound loudness ", " db dba "},
    {"how fast" IS, "", " speed ", " km kmh mph knots kn m rpm "},
};

// Words beside these names that call for nothing else. A weight that something bears is not its
// own.
static const char BESIDE[] = " net gross total own empty overall approx approximate h w d l level "
                             "power emission pressure in of the with without packaging ";
static const char MOST[] = " maximum max top "; // of a speed
// What whoever asks may call what all of a text is about.
static const char THINGS[] =
    WORDLIST_ARTICLES " it this that appliance device machine unit product system model "
                      "thing one whole itself ";

// A question after a measure, and the words of it for what has that.
struct measuring {
    const struct measure *m;
    const char *question, *what;
    size_t n;
};

// Reads QUESTION: 1, where it asks how heavy, how high something is.
static int read_question(struct measuring *a, const char *question)
{
    static const char *const things[] = {"WHAT", "it|this"};
    struct form_match m;
    char form[FORM];
    if (!form_split(&m, question))
        return 0;
    for (size_t i = 0; i < 2 * sizeof MEASURES / sizeof *MEASURES; i++) {
        const struct measure *own = &MEASURES[i / 2];
        snprintf(form, sizeof form, "%s %s %s END", own->before, things[i % 2], own->behind);
        if (form_match(&m, form)) {
            *a = (struct measuring){own, question, m.what.n ? m.what.p : "", m.what.n};
            return 1;
        }
    }
    return 0;
}

// The bytes of the label that LINE of TEXT begins with, behind marks, and *VALUE behind what parts
// it from that; {0}: it is no line of data.
static struct span_of_text label_of(const char *text, struct span_of_text line,
                                    struct span_of_text *value)
{
    size_t at = line.from, to, width = 0;
    while (at < line.to && is_one_of(text[at], " \t-*|"))
        at++;
    for (to = at; to < line.to && to - at < LABEL; to++)
        if (is_one_of(text[to], ":|=\t") || begins_with(text + to, line.to - to, "..") ||
            (line_gap(text, line.to, to, &width) && width > 1))
            break;
    if (to == at || to == line.to || to - at == LABEL)
        return (struct span_of_text){0, 0};
    *value = (struct span_of_text){to, line.to - to > VALUE ? to + VALUE : line.to};
    return (struct span_of_text){at, to};
}

// Whether TEXT [n] has a number with one of UNITS behind it, at once or by a blank.
static int has_measure(const char *text, size_t n, const char *units)
{
    for (size_t at = 0; at < n; at++) {
        size_t word = at + 1;
        if (!is_digit(text[at]) ||
            (word < n && (is_digit(text[word]) || is_one_of(text[word], ",."))))
            continue;
        while (word < n && text[word] == ' ')
            word++;
        size_t end = word;
        while (end < n && (is_lower(text[end]) || is_upper(text[end])))
            end++;
        // "5 in total" is of no inches.
        const int joins = word_is_listed(" in ", text + word, end - word) && end + 2 < n &&
                          text[end] == ' ' && is_lower(text[end + 1]) && is_lower(text[end + 2]);
        if (!joins && word_is_listed(units, text + word, end - word))
            return 1;
    }
    return 0;
}

// Whether LABEL of TEXT, up to a bracket, is one of NAMES, with nothing beside it that QUESTION has
// not.
static int is_called(const char *text, struct span_of_text label, const char *names,
                     const char *question)
{
    int named = 0;
    char word[WORD_LISTED];
    size_t n;
    const char *bracket = memchr(text + label.from, '(', span_bytes(label));
    label.to = bracket ? (size_t)(bracket - text) : label.to;
    for (size_t at = label.from; (n = word_small(text, label.to, &at, word, sizeof word)) > 0;) {
        if (word_is_listed(names, word, n))
            named = 1;
        else if (!word_is_listed(BESIDE, word, n) &&
                 !(word_is_listed(names, "speed", 5) && word_is_listed(MOST, word, n)) &&
                 !word_form_is_in(question, strlen(question), word, n))
            return 0;
    }
    return named;
}

// The lines with which C begins, up to an empty one.
static struct span_of_text title_of(const struct lines *c)
{
    struct span_of_text line = {0, 0};
    size_t end = 0;
    for (size_t at = 0; at < c->n && at < LOOKUP_TITLE; at = line.to + 1) {
        line = line_at(c, at);
        if (end && line_is_empty(c, at))
            break;
        end = line.to;
    }
    return (struct span_of_text){0, end < LOOKUP_TITLE ? end : LOOKUP_TITLE};
}

// Whether each word for what A asks about is in LINE of C, in the headings nearby above it, or
// where the text begins.
static int is_about(const struct measuring *a, const struct lines *c, struct span_of_text line)
{
    struct span_of_text above[HEADINGS + 2] = {line, title_of(c)};
    char word[WORD_LISTED];
    const size_t first = line.from > ABOVE ? line_start(c, line.from - ABOVE) : 0;
    const struct lines near = {.text = c->text + first, .n = c->n - first};
    size_t n, at = line.from - first, from, to;
    int spans = 2;
    while (spans < HEADINGS + 2 && heading_before(&near, at, &from, &to)) {
        above[spans++] = (struct span_of_text){first + from, first + to};
        at = from;
    }
    for (at = 0; (n = word_small(a->what, a->n, &at, word, sizeof word)) > 0;) {
        int had = word_is_listed(THINGS, word, n);
        for (int i = 0; !had && i < spans; i++)
            had = word_form_is_in(c->text + above[i].from, span_bytes(above[i]), word, n);
        if (!had)
            return 0;
    }
    return 1;
}

// The line of C from byte AT on, or what of it is before a stop and the next piece of data:
// "Weight: 7.2 kg" of "Weight: 7.2 kg. Cable: 1.1 m."
static struct span_of_text piece_at(const struct lines *c, size_t at)
{
    size_t to = at;
    while (to < c->n && c->text[to] != '\n' &&
           !(to > at && c->text[to - 1] == '.' && to + 1 < c->n && c->text[to] == ' ' &&
             is_upper(c->text[to + 1])))
        to++;
    return (struct span_of_text){at, to};
}

// Finds the line of data called NAMES that tells what A asks for: 1 with *OUT, 0 where there is
// none, more than 1 where there are several, or an error.
static int find_line(const struct lookup *s, const struct measuring *a, const char *names,
                     struct lookup_found *out, struct err *e)
{
    struct texts t;
    int rc = 0, n = 0;
    texts_begin(&t, s->k, s->n_k);
    while (n <= 1 && (rc = texts_next(&t, e)) > 0) {
        const struct lines c = {.text = t.text, .n = t.n};
        struct span_of_text line, value;
        for (size_t from = 0; n <= 1 && from < t.n; from = line.to + 1) {
            line = piece_at(&c, from);
            const struct span_of_text label = label_of(t.text, line, &value);
            if (!span_bytes(label) || !is_called(t.text, label, names, a->question) ||
                !has_measure(t.text + value.from, span_bytes(value), a->m->units) ||
                !is_about(a, &c, line))
                continue;
            *out = (struct lookup_found){t, {label.from, line_trimmed(&c, line.from, line.to)}};
            n++;
        }
    }
    return rc < 0 ? rc : n;
}

int survey_measure(struct lookup *v, const char *question, struct err *e)
{
    struct measuring a;
    struct lookup_found line;
    if (!read_question(&a, question))
        return 0;
    int n = find_line(v, &a, a.m->names, &line, e);
    if (!n && !strcmp(a.m->units, LENGTHS)) // "Dimensions (H x W x D)"
        n = find_line(v, &a, SIZES, &line, e);
    return n > 1 ? 0 : lookup_say_found(v, &line, n, 1, e);
}
