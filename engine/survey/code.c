// What a short code means: "E7?", "What does exit code 2 mean?", where a line, a row or an item
// begins with it, or a part of a sentence about several. Codes hardly differ from one another, so
// neither votes nor a small model tell their lines apart.
#include <string.h>

#include "engine/lines/lines.h"
#include "engine/lookup/form.h"
#include "engine/sentences/cut.h"
#include "engine/survey/surveys.h"
#include "engine/words/chars.h"
#include "engine/words/letter.h"
#include "engine/words/names.h"
#include "engine/words/words.h"

enum {
    CODE = 12,       // bytes of a code, with a NUL
    FEW = 3,         // lines that an answer prints; of more, none
    LONGEST = 1200,  // bytes of what is said of a code
    LEAD = 400,      // bytes above a list of numbers that may say what these are
    LIST = 8 * 1024, // bytes of such a list
    GAP = 2          // columns between a code and what it means
};

// Words for what has a code, and words of questions that ask no more than what it means.
#define THINGS                                                                                     \
    " error errors exit status return fault failure alarm warning message signal http errno "      \
    "diagnostic "
static const char NOUNS[] = THINGS "code codes number no ";
static const char ASKING[] =
    " what does do is are the a an mean means meaning of stand stands for i me we you how can fix "
    "solve resolve repair clear reset remove get rid handle when if it my shows show shown says "
    "say "
    "display displays displayed appears appear flashes blinks see have explain define please about "
    "to happens should ";

struct code {
    char name[CODE]; // in small letters
    size_t n;
    int number;             // 1: it has no letter
    char noun[WORD_LISTED]; // the first word for what has it; empty: there is none
};

// -------------------------------------------------------------------------------- what is asked

// Takes T as the code, if it has the shape of one; 0: it has not.
static int take_code(struct code *a, const struct form_token *t)
{
    int digits = 0;
    const int letters = name_letters(t->p, t->n, &digits);
    if (t->n >= CODE || !digits || letters > 2 * digits + 2)
        return 0;
    for (size_t i = 0; i < t->n; i++) {
        const char c = t->p[i];
        if (!is_digit(c) && !is_lower(c) && !is_upper(c) && !(i && is_one_of(c, "-_")))
            return 0;
        a->name[i] = is_upper(c) ? (char)(c | 32) : c;
    }
    a->name[t->n] = 0;
    a->n = t->n;
    a->number = !letters;
    return 1;
}

// Finds the only code of QUESTION, which asks no more than what it means: 1, or 0.
static int find_code(struct code *a, const char *question)
{
    struct form_match m;
    *a = (struct code){0};
    if (!form_split(&m, question))
        return 0;
    for (int i = 0; i < m.n; i++) {
        const struct form_token *t = &m.v[i];
        if (form_is_among(t, NOUNS)) {
            if (!*a->noun && t->n < sizeof a->noun && form_is_among(t, THINGS " code codes "))
                memcpy(a->noun, t->p, t->n);
        } else if (!form_is_among(t, ASKING) && (a->n || !take_code(a, t))) {
            return 0;
        }
    }
    return a->n > 0 && (!a->number || *a->noun);
}

// ------------------------------------------------------------------------- lines with the code

// The byte behind an "o" and its blanks, by which pages of manuals mark items; AT: there is none.
static size_t past_bullet(const char *text, size_t at, size_t end)
{
    return at + 1 < end && text[at] == 'o' && is_gap(text[at + 1]) ? past_blanks(text, at + 1, end)
                                                                   : at;
}

// The byte behind the marks, and the words for what has a code, that line S of TEXT begins with;
// *NOUN: 1 if there are such words.
static size_t past_nouns(const char *text, struct span_of_text s, int *noun)
{
    size_t at = s.from;
    *noun = 0;
    for (;;) {
        while (at < s.to && is_one_of(text[at], " \t*|`\"'#-+"))
            at++;
        at = past_bullet(text, at, s.to);
        size_t word = at;
        while (word < s.to && word_has(text[word]))
            word++;
        if (word == s.to || text[word] != ' ' || !word_is_listed(NOUNS, text + at, word - at))
            return at;
        at = word;
        *noun = 1;
    }
}

// Whether what is behind a code, at byte AT of line S of TEXT, parts it from its meaning.
static int parts(const char *text, struct span_of_text s, size_t at)
{
    static const char *const joints[] = {"means ",  "indicates ", "- ", "\u2013 ",
                                         "\u2014 ", "= ",         "| ", "signals "};
    size_t width;
    while (at < s.to && is_one_of(text[at], "`\"'*"))
        at++;
    if (at < s.to && text[at] == ':')
        return at + 1 == s.to || is_space(text[at + 1]);
    const size_t gap = line_gap(text + s.from, span_bytes(s), at - s.from, &width);
    if (gap && at + gap < s.to && (width >= GAP || text[at] == '\t'))
        return 1;
    at += gap;
    if (at >= s.to || text[at] == '\r') // a heading of its own
        return 1;
    for (size_t i = 0; i < sizeof joints / sizeof *joints; i++)
        if (begins_with(text + at, s.to - at, joints[i]))
            return 1;
    return 0;
}

// Whether line S of C begins with another code of the kind of A.
static int is_sibling(const struct lines *c, struct span_of_text s, const struct code *a)
{
    int noun;
    const size_t kind = strcspn(a->name, "0123456789");
    size_t at = past_nouns(c->text, s, &noun);
    if (s.to - at <= kind || (kind && !letters_same(c->text + at, a->name, kind)) ||
        !is_digit(c->text[at + kind]))
        return 0;
    while (at < s.to && word_has(c->text[at]))
        at++;
    return at < s.to && c->text[at] == ' ';
}

// Whether the line above or below line S of C is one of those.
static int has_sibling(const struct lines *c, struct span_of_text s, const struct code *a)
{
    return (s.from > 0 && is_sibling(c, line_at(c, s.from - 1), a)) ||
           (s.to + 1 < c->n && is_sibling(c, line_at(c, s.to + 1), a));
}

// The number that line S of TEXT begins with, and *MARK, which is behind it: a stop or a bracket
// with a blank, or a blank; -1: it begins with none.
static long listed_number(const char *text, struct span_of_text s, char *mark)
{
    enum { MOST = 4 }; // digits
    const size_t from = past_blanks(text, s.from, s.to);
    size_t at = from;
    long number = 0;
    for (; at < s.to && is_digit(text[at]); at++)
        number = number * 10 + (text[at] - '0');
    if (at == from || at - from > MOST || at + 1 >= s.to)
        return -1;
    *mark = text[at];
    return *mark == ' ' || (is_one_of(*mark, ".)") && text[at + 1] == ' ') ? number : -1;
}

// Whether the line above or below line S of C, which begins with a number, counts on from that.
static int counts_on(const struct lines *c, struct span_of_text s)
{
    char mark, other;
    const long own = listed_number(c->text, s, &mark);
    if (own < 0)
        return 0;
    const long above = s.from > 0 ? listed_number(c->text, line_at(c, s.from - 1), &other) : -1;
    if (above >= 0 && other == mark && above + 1 == own)
        return 1;
    const long below = s.to + 1 < c->n ? listed_number(c->text, line_at(c, s.to + 1), &other) : -1;
    return below >= 0 && other == mark && own + 1 == below;
}

// Whether what stands above the list of numbers that line S of C is in has the word for what has
// A's code: "Tar exit code indicates ...".
static int is_led(const struct lines *c, struct span_of_text s, const struct code *a)
{
    const size_t own = line_indentation(c, s.from);
    size_t at = s.from;
    while (at > 0 && s.from - at < LIST) {
        const struct span_of_text line = line_at(c, at - 1);
        const size_t words =
            past_bullet(c->text, past_blanks(c->text, line.from, line.to), line.to);
        at = line.from;
        if (words == line.to || is_digit(c->text[words]) || line_indentation(c, at) > own)
            continue;
        const size_t from = line.to > LEAD ? line.to - LEAD : 0;
        return word_form_is_in(c->text + from, line.to - from, a->noun, strlen(a->noun));
    }
    return 0;
}

// Whether line S of C begins with A's code, which stands at byte AT of it.
static int begins_with_code(const struct lines *c, struct span_of_text s, size_t at,
                            const struct code *a)
{
    int noun;
    const size_t behind = at + a->n;
    if (past_nouns(c->text, s, &noun) != at)
        return 0;
    if (behind + 1 < s.to && is_one_of(c->text[behind], "-._/") && word_has(c->text[behind + 1]))
        return 0;
    if (!parts(c->text, s, behind) &&
        !(a->number ? counts_on(c, s)
                    : behind < s.to && c->text[behind] == ' ' && has_sibling(c, s, a)))
        return 0;
    return !a->number || noun || is_led(c, s, a);
}

// The end of what line S of C says of the code that ends before byte BEHIND: behind the lines that
// are indented under it, or go on with its sentence; of a heading, behind the paragraph below it.
static size_t said_end(const struct lines *c, struct span_of_text s, size_t behind)
{
    const size_t own = line_indentation(c, s.from);
    const int alone = !line_says_something(c->text + behind, s.to - behind);
    size_t end = s.to;
    for (int empty = 0; end + 1 < c->n && end - s.from < LONGEST;) {
        const struct span_of_text next = line_at(c, end + 1);
        const size_t words = past_blanks(c->text, next.from, next.to);
        if (line_is_empty(c, next.from)) {
            if (!alone || empty++ || end > s.to)
                break;
        } else if (!alone && line_indentation(c, next.from) <= own && !is_lower(c->text[words])) {
            break;
        }
        end = next.to;
    }
    return line_trimmed(c, s.from, end);
}

// Whether the number at byte AT of sentence S of TEXT begins a part of it that says what it stands
// for: ", 3 for a wrong thread".
static int begins_part(const char *text, struct span_of_text s, size_t at)
{
    static const char joints[] = " for if after when on where because unless means ";
    char word[WORD_LISTED];
    size_t before = at, behind = at;
    while (before > s.from && is_space(text[before - 1]))
        before--;
    while (behind < s.to && is_digit(text[behind]))
        behind++;
    const size_t n = word_small(text, s.to, &behind, word, sizeof word);
    return before < at && before > s.from && is_one_of(text[before - 1], ":,;") &&
           word_is_listed(joints, word, n);
}

// Whether byte AT of C, where A's number stands, begins one of several parts of a sentence, *S,
// that has the word for what has them before: "Exit status: 0 after a day's work, 3 for ..., 15 if
// ...".
static int is_told_among(const struct lines *c, const struct code *a, size_t at,
                         struct span_of_text *s)
{
    enum { PARTS = 3 };
    int parts = 0, led = 0;
    if (!a->number)
        return 0;
    cut_sentence(c, at, &s->from, &s->to);
    if (!begins_part(c->text, *s, at))
        return 0;
    for (size_t i = s->from; i < s->to; i++)
        if (is_digit(c->text[i]) && begins_part(c->text, *s, i)) {
            led |=
                !parts && word_form_is_in(c->text + s->from, i - s->from, a->noun, strlen(a->noun));
            parts++;
        }
    return led && parts >= PARTS;
}

// The line that begins with A's code at S, which is that line then, and what goes on below it.
static int tells_code(const struct texts *t, const struct lines *c, const void *arg,
                      struct span_of_text *s)
{
    const struct code *a = arg;
    const size_t at = s->from;
    *s = line_at(c, at);
    if (!begins_with_code(c, *s, at, a))
        return 0;
    s->to = said_end(c, *s, at + a->n);
    s->from = past_blanks(t->text, s->from, s->to);
    return 1;
}

// The sentence that tells A's code at S among others.
static int tells_among(const struct texts *t, const struct lines *c, const void *arg,
                       struct span_of_text *s)
{
    const size_t at = s->from;
    *s = line_at(c, at);
    if (!is_told_among(c, arg, at, s))
        return 0;
    s->from = past_blanks(t->text, s->from, s->to);
    return 1;
}

int survey_code(struct lookup *v, const char *question, struct err *e)
{
    struct code a;
    struct lookup_found lines[FEW];
    const int is_code = find_code(&a, question);
    int n = is_code ? lookup_find_named(v, a.name, tells_code, &a, lines, FEW, e) : 0;
    if (is_code && !n)
        n = lookup_find_named(v, a.name, tells_among, &a, lines, FEW, e);
    return lookup_say_found(v, lines, n, FEW, e);
}
