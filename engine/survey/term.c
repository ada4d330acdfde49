#define _GNU_SOURCE
// What a manual says about an option, a variable or a command: "What does set -u do?", "What is the
// default of HISTSIZE?". Such a term begins a line, and its meaning is indented below it or stands
// behind it, or it heads a section.
#include <string.h>
#include <strings.h>

#include "engine/lines/lines.h"
#include "engine/survey/surveys.h"
#include "engine/survey/term_impl.h"
#include "engine/words/chars.h"
#include "engine/words/names.h"
#include "engine/words/words.h"

enum {
    TERM = 64,    // bytes of a term
    LABEL = 100,  // bytes of the part of a line that names it and its argument
    LINES = 4000, // lines above an entry that are searched for what it belongs to
    ENTRIES = 3   // entries that are printed if several fit equally well
};

// What is asked for.
struct sought_term {
    char term[TERM];
    char words[WANTED_BYTES]; // what else is asked, a space behind each word
    int coded;                // 1: it has a shape that no word of prose has
    int wants_default;
};

// Words of such questions that do not say what the term belongs to.
static const char GENERIC[] =
    " a an and are by can could default defaults do does effect expand expanded expands explain "
    "flag for function has have how i in is it keyword mean meaning means my of on option options "
    "or parameter purpose setting stand switch tell the this to use used using utility variable "
    "what when which with value argument builtin command directive field environment section ";

// What kind of thing a term may be said to be behind it: "the push command".
static const char KINDS[] = " command option key variable setting subcommand ";

static int is_coded(const char *p, size_t n)
{
    if (n > 1 && is_one_of(*p, "-$") && !is_space(p[1]))
        return 1;
    if (n > 2 && (p[n - 1] == '=' || !memcmp(p + n - 2, "()", 2)))
        return 1;
    return n > 2 && name_has_shape(p, n) && !is_digit(*p);
}

// The next word of QUESTION from *AT on, without the marks around it, *N bytes; NULL at the end.
static const char *next_unmarked(const char *question, size_t *at, size_t *n)
{
    const char *p = question + *at + strspn(question + *at, " \t\n\"'`(,");
    *n = strcspn(p, " \t\n");
    *at = (size_t)(p - question) + *n;
    while (*n && is_one_of(p[*n - 1], "?!.,;:\"'`") && !(*n == 2 && *p == '$'))
        --*n;
    return *n || *p ? p : NULL;
}

// The word of QUESTION whose default is asked for, which need not have a shape of its own: "level"
// of "the default of the level", *N bytes; NULL: none is.
static const char *default_of(const char *question, size_t *n)
{
    static const char *const before[] = {"default of ", "default value of ", "default setting of "};
    static const char kinds[] = " the option parameter setting variable key field ";
    for (size_t i = 0; i < sizeof before / sizeof *before; i++) {
        const char *p = strcasestr(question, before[i]);
        size_t at = p ? (size_t)(p - question) + strlen(before[i]) : 0;
        while (p && (p = next_unmarked(question, &at, n)) && word_is_listed(kinds, p, *n))
            continue;
        if (p && *n)
            return p;
    }
    return NULL;
}

// Finds the term that QUESTION asks for; 0: there is none.
static int find_term(struct sought_term *a, const char *question)
{
    static const char *const before[] = {
        "what does ", "what do ",         "what is ",          "what's ",        "explain ",
        "describe ",  "what value does ", "which value does ", "what value do ", "what are "};
    static const char *const does[] = {"do",     "mean",   "means", "print",
                                       "expand", "return", "give",  "default"};
    const char *p, *last = NULL;
    size_t n, last_n = 0, b = 0;
    *a = (struct sought_term){0};
    while (b < sizeof before / sizeof *before &&
           strncasecmp(question, before[b], strlen(before[b])) != 0)
        b++;
    if (b == sizeof before / sizeof *before)
        return 0;
    const int verb = b < 2;
    for (size_t at = strlen(before[b]); (p = next_unmarked(question, &at, &n));
         last = word_is_listed(KINDS, p, n) ? last : p, last_n = last == p ? n : last_n) {
        int ends = 0;
        for (size_t i = 0; verb && i < sizeof does / sizeof *does; i++)
            ends |= n == strlen(does[i]) && !strncasecmp(p, does[i], n);
        if (ends && !a->coded && last && last_n < TERM) {
            memcpy(a->term, last, last_n);
            a->term[last_n] = 0;
        }
        if (!is_coded(p, n) || n >= TERM)
            continue;
        memcpy(a->term, p, n);
        a->term[n] = 0;
        a->coded = 1;
    }
    if (!a->coded && (p = default_of(question, &n)) && n < TERM) {
        memcpy(a->term, p, n);
        a->term[n] = 0;
    }
    return *a->term != 0 && !word_is_listed(GENERIC, a->term, strlen(a->term));
}

// Collects the words of QUESTION other than the term and those of any such question.
static void find_words(struct sought_term *a, const char *question)
{
    const char *p;
    size_t n;
    for (size_t at = 0; (p = next_unmarked(question, &at, &n));) {
        const int own = n == strlen(a->term) && !memcmp(p, a->term, n);
        a->wants_default |= !own && words_any("default", p, n);
        if (!own && n && !word_is_listed(GENERIC, p, n))
            wanted_keep_word(a->words, p, n);
    }
}

// Curly quotation marks, as Info documents have them.
enum { CURLED = 3 }; // bytes

static int opens(const char *text, size_t n)
{
    return begins_with(text, n, "\u2018") || begins_with(text, n, "\u201c");
}

static int closes(const char *text, size_t n)
{
    return begins_with(text, n, "\u2019") || begins_with(text, n, "\u201d");
}

// The byte behind a list mark or what defines a macro, and the marks around a term, from byte AT of
// TEXT[.. END).
static size_t past_marks(const char *text, size_t at, size_t end)
{
    static const char define[] = "#define ";
    while (at < end && is_space(text[at]))
        at++;
    if (end - at > strlen(define) && !memcmp(text + at, define, strlen(define)))
        at += strlen(define);
    else if (at + 1 < end && is_one_of(text[at], "-*+") && text[at + 1] == ' ')
        at += 2;
    else if (at + 4 < end && !memcmp(text + at, "\u2022 ", 4))
        at += 4;
    for (size_t n = 1; at < end && n; at += n)
        n = opens(text + at, end - at) ? CURLED : is_one_of(text[at], " \t`\"'*");
    return at;
}

// Whether text[AT .. END) is a dash between spaces.
static int is_dash(const char *text, size_t at, size_t end)
{
    static const char *const dashes[] = {" - ", " -- ", " \u2013 ", " \u2014 "};
    for (size_t i = 0; i < sizeof dashes / sizeof *dashes; i++)
        if (end - at > strlen(dashes[i]) && !memcmp(text + at, dashes[i], strlen(dashes[i])))
            return 1;
    return 0;
}

// Where the name of an entry ends, in line S of C from byte FROM on; *SAID: 1 if something is said
// about it behind that. A gap ends it if it is wider than those of justified prose, if the next
// line is aligned with what follows the gap, or if there is no next line. Signs such as a colon end
// it only with SIGNS, because in a conversation they follow the speaker.
static size_t label_end(const struct lines *c, struct span_of_text s, size_t from, int signs,
                        int *said)
{
    const char *text = c->text;
    const size_t below = s.to + 1 < c->n ? line_end(c, s.to + 1) : s.to + 1;
    const int last = below <= s.to + 1 || !line_says_something(text + s.to + 1, below - s.to - 1),
              hang = !last &&
                     lines_hang(text + s.from, s.to - s.from, text + s.to + 1, below - s.to - 1);
    *said = 1;
    for (size_t i = from, width, gap; i < s.to; i += gap ? gap : 1) {
        gap = line_gap(text + s.from, s.to - s.from, i - s.from, &width);
        if (i + gap < s.to && (width > LINE_SPREAD || ((hang || last) && width > 1)))
            return i;
        if (signs && (is_dash(text, i, s.to) ||
                      (i > from && i + 1 < s.to && text[i] == ':' && is_space(text[i + 1]))))
            return i;
    }
    *said = 0;
    return s.to;
}

static int is_or(const char *text, size_t at, size_t to)
{
    return to - at > 2 && !memcmp(text + at, "or", 2) && is_space(text[at + 2]);
}

// Whether text[FROM .. TO) has only other names of a term, each with a comma or "or" behind it.
static int only_names(const char *text, size_t from, size_t to)
{
    for (size_t i = from, end, next; i < to; i = next) {
        for (end = i; end < to && !is_space(text[end]);)
            end++;
        for (next = end; next < to && is_space(text[next]);)
            next++;
        size_t marks = i;
        while (marks < end && is_one_of(text[marks], "`\"'"))
            marks++;
        if (!(end == to && marks == end) && !is_or(text, i, to) && text[end - 1] != ',' &&
            !is_or(text, next, to))
            return 0;
    }
    return 1;
}

// Whether the term of N bytes at byte AT of C begins an entry in the line S.
static int begins_entry(const struct lines *c, size_t at, size_t n, int signs,
                        struct span_of_text s)
{
    const char *text = c->text;
    const size_t first = past_marks(text, s.from, s.to), behind = at + n;
    int said;
    if (at < first || at - first > LABEL) // first of all, for the line may be long
        return 0;
    const size_t end = label_end(c, s, first, signs, &said);
    if (behind > end || !only_names(text, first, at))
        return 0;
    if (behind < s.to && !is_one_of(text[behind], " \t,=[(`\"':*\r") &&
        !closes(text + behind, s.to - behind))
        return 0;
    if (said)
        return 1;
    if (s.to + 1 >= c->n)
        return 0;
    const struct span_of_text next = line_at(c, s.to + 1);
    const size_t below = line_indentation(c, next.from), own = line_indentation(c, s.from);
    return below > own &&
           (end - first <= LABEL / 2 || below == line_width(text + s.from, behind + 1 - s.from));
}

// The end of the line in which the last sentence of text[FROM..END) ends, where that is a line
// below that is no item of a list, and so on; END: it ends there.
static size_t broken_end(const struct lines *c, size_t from, size_t end, size_t most)
{
    for (size_t first, to; end > from && end - from < most; end = line_end(c, to - 1)) {
        lookup_sentence(c, line_trimmed(c, from, end) - 1, &first, &to);
        if (first < from || line_start(c, to - 1) <= end ||
            line_is_item(c->text + end + 1, c->n - end - 1))
            break;
    }
    return end;
}

// The end of the entry whose first line is S: before the next line that is neither indented under
// it nor goes on with a sentence of it.
static size_t entry_end(const struct lines *c, struct span_of_text s)
{
    enum { LONG = 4096 };
    const size_t own = line_indentation(c, s.from);
    size_t end = s.to;
    while (end + 1 < c->n && end - s.from < LONG) {
        const struct span_of_text next = line_at(c, end + 1);
        if (line_says_something(c->text + next.from, next.to - next.from) &&
            line_indentation(c, next.from) <= own)
            break;
        end = next.to;
    }
    return line_trimmed(c, s.from, broken_end(c, s.from, end, LONG));
}

// Strikes out those of WORDS that text[FROM .. TO) has; returns their number.
static int strike(char *words, const char *text, size_t from, size_t to)
{
    char stem[WORD_STEM];
    size_t bytes;
    int n = 0;
    for (size_t at = 0; word_next(words, strlen(words), &at, stem, &bytes);)
        if (word_is_in(text + from, to - from, stem)) {
            memset(words + at - bytes, ' ', bytes);
            n++;
        }
    return n;
}

static int has_words(const char *words)
{
    char stem[WORD_STEM];
    size_t at = 0;
    return word_next(words, strlen(words), &at, stem, NULL);
}

// What leads in the list that the entry S of C is in: the nearest line above it that ends in a
// colon, and some lines before that ("tar [options] file\n\nOptions of tar are:"). {0}: there is
// none.
static struct span_of_text find_lead(const struct lines *c, struct span_of_text s)
{
    enum { ENTRIES_ABOVE = 60, LEAD = 5 }; // lines
    size_t at = line_start(c, s.from);
    for (int i = 0; i < ENTRIES_ABOVE && at > 0; i++) {
        const struct span_of_text line = line_at(c, at - 1);
        const size_t end = line_trimmed(c, line.from, line.to);
        at = line.from;
        if (end == line.from || c->text[end - 1] != ':')
            continue;
        for (int k = 0; k < LEAD && at > 0; k++)
            at = line_start(c, at - 1);
        return (struct span_of_text){at, end};
    }
    return (struct span_of_text){0};
}

// The name in brackets of the section of settings that the line of C at byte AT is in: "[lamp]";
// {0}: it is in none.
static struct span_of_text find_section(const struct lines *c, size_t at)
{
    for (int i = 0; i < LINES && at > 0; i++) {
        const struct span_of_text line = line_at(c, at - 1);
        const size_t end = line_trimmed(c, line.from, line.to);
        if (end > line.from && c->text[line.from] == '[' && c->text[end - 1] == ']')
            return (struct span_of_text){line.from, end};
        at = line.from;
    }
    return (struct span_of_text){0};
}

// How well the entry S of C fits WORDS: each has to be in the lines that it is indented under,
// which count twice, as the name of its section does, in what leads its list in, at the beginning
// of the document, or in the entry itself: these are copied to ITS. 0: some are not.
static int fit(const struct lines *c, struct span_of_text s, const char *words,
               char its[WANTED_BYTES])
{
    char left[WANTED_BYTES];
    size_t up = line_start(c, s.from), cols = line_indentation(c, up);
    int fits = 1;
    memcpy(left, words, strlen(words) + 1);
    for (int i = 0, whole = 0; i < LINES && up > 0 && (whole || cols > 0); i++) {
        const struct span_of_text line = line_at(c, up - 1);
        const size_t own = line_indentation(c, line.from);
        const int says = line_says_something(c->text + line.from, line.to - line.from);
        up = line.from;
        whole = says && (own < cols || (whole && own == cols)); // a name may take several lines
        cols = whole ? own : cols;
        fits += whole ? 2 * strike(left, c->text, line.from, line.to) : 0;
    }
    const struct span_of_text lead = find_lead(c, s);
    const struct span_of_text section = find_section(c, line_start(c, s.from));
    fits += strike(left, c->text, lead.from, lead.to);
    fits += 2 * strike(left, c->text, section.from, section.to);
    fits += strike(left, c->text, 0, c->n < LOOKUP_TITLE ? c->n : LOOKUP_TITLE);
    memcpy(its, left, strlen(left) + 1);
    fits += strike(left, c->text, s.from, s.to);
    return has_words(left) ? 0 : fits;
}

// Reduces S, an entry of C, to its first sentence that has all of WORDS; 0: there is none.
static int reduce(const struct lines *c, struct span_of_text *s, const char *words)
{
    size_t from, to;
    for (size_t at = s->from; at < s->to; at = to) {
        lookup_sentence(c, at, &from, &to);
        if (to <= at)
            return 0;
        from = from < s->from ? s->from : from;
        if (to > from && words_all(words, c->text + from, to - from)) {
            *s = (struct span_of_text){from, to};
            return 1;
        }
    }
    return 0;
}

// Reduces S, an entry of C, to what is asked of it: a default, or what a long entry tells among
// other things, in ITS words (fit). 0: it does not tell that.
static int reduce_to_asked(const struct lines *c, struct span_of_text *s, int wants_default,
                           const char *its)
{
    if (wants_default)
        return reduce(c, s, "default");
    return !has_words(its) || span_bytes(*s) <= LOOKUP_SAID || reduce(c, s, its);
}

// Whether the term of N bytes at byte AT of C begins an entry, or heads a section, in the line S,
// which becomes that.
static int entry_at(const struct lines *c, size_t at, size_t n, int coded, struct span_of_text *s)
{
    if (!begins_entry(c, at, n, coded, *s)) {
        const size_t end = term_section(c, at, n, coded, *s);
        s->to = end ? end : s->to;
        return end > 0;
    }
    const size_t first = past_marks(c->text, s->from, s->to), end = entry_end(c, *s);
    const int marked = first >= s->from + CURLED && opens(c->text + first - CURLED, CURLED);
    *s = (struct span_of_text){marked ? first - CURLED : first, end};
    return 1;
}

// Finds the entries of A's term that fit its words best: V [ENTRIES]. Returns how many there are,
// or an error.
static int find_entries(const struct lookup *s, const struct sought_term *a, struct lookup_found *v,
                        struct err *e)
{
    const size_t n = strlen(a->term) - (a->term[strlen(a->term) - 1] == '=');
    char term[TERM], its[WANTED_BYTES];
    struct texts t;
    struct lines c = {0};
    struct span_of_text line = {0};
    int most = 0, rc, found = 0;
    memcpy(term, a->term, n);
    term[n] = 0;
    texts_begin(&t, s->k, s->n_k);
    for (size_t at = 0; (rc = texts_find(&t, term, &at, e)) > 0; at += n) {
        if (c.text != t.text) {
            lines_of_text(&c, t.text, t.n);
            line.to = 0;
        }
        line = at < line.to ? line : line_at(&c, at);
        struct span_of_text own = line;
        if (!entry_at(&c, at, n, a->coded, &own))
            continue;
        const int fits = fit(&c, own, a->words, its);
        if (!fits || fits < most || !reduce_to_asked(&c, &own, a->wants_default, its))
            continue;
        found = fits > most ? 0 : found;
        most = fits;
        if (found < ENTRIES)
            v[found] = (struct lookup_found){t, own};
        found++;
    }
    return rc < 0 ? rc : found;
}

// Leaves out the mark of a variable before the term of A, which its heading may not have. Returns
// 1, or 0 where there is none.
static int without_mark(struct sought_term *a)
{
    if (*a->term != '$' || !word_has(a->term[1]))
        return 0;
    memmove(a->term, a->term + 1, strlen(a->term));
    return 1;
}

// Puts the term of A in capitals, if it is a code in small letters: "e7". Returns 1, or 0.
static int in_capitals(struct sought_term *a)
{
    const size_t n = strlen(a->term);
    if (!is_lower(*a->term) || !word_has_digit(a->term, n))
        return 0;
    for (size_t i = 0; i < n; i++)
        a->term[i] = is_lower(a->term[i]) ? (char)(a->term[i] - ('a' - 'A')) : a->term[i];
    return 1;
}

int survey_term(struct lookup *v, const char *question, struct err *e)
{
    struct sought_term a;
    struct lookup_found entries[ENTRIES];
    if (!find_term(&a, question))
        return 0;
    find_words(&a, question);
    const int number = !a.term[strspn(a.term, "0123456789")];
    if (number && has_words(a.words)) // as in "error 3", for code.c
        return 0;
    int n = find_entries(v, &a, entries, e);
    if (!n && (without_mark(&a) || in_capitals(&a)))
        n = find_entries(v, &a, entries, e);
    if (!n)
        return term_row(v, a.term, a.coded, a.words, a.wants_default, e);
    const int rc = lookup_say_found(v, entries, n, ENTRIES, e);
    // "Default: 7." does not say of what.
    if (rc > 0 && n == 1 && a.wants_default &&
        !memmem(entries->t.text + entries->at.from, span_bytes(entries->at), a.term,
                strlen(a.term)))
        fprintf(v->out, " (%s)", a.term);
    return rc;
}
