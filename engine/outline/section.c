// What a section says, asked for by its number: "4.3 Pets", "## 4. Rent", "§ 2", "Schedule B".
#include <stdlib.h>
#include <string.h>

#include "engine/lines/lines.h"
#include "engine/outline/numbering.h"
#include "engine/outline/outline.h"
#include "engine/sentences/cut.h"
#include "engine/sentences/heading.h"
#include "engine/tables/tables.h"
#include "engine/words/chars.h"
#include "engine/words/letter.h"
#include "engine/words/words.h"

enum {
    FOUND = 12,   // sections of one number that are looked at
    SAID = 6,     // that an answer prints
    TITLE = 60,   // bytes of a title, at most,
    SAME = 24,    // and of those that are compared
    NUMBERED = 3, // sections of a text that numbers them,
    CALLED = 2,   // or calls them what the question does
    HEADED = 3    // lines with one number, in the table of contents and above what they head
};

// Words before the number that only what is called so has: where a text has chapters, its "2." is
// no chapter 2.
static const char OWN[] =
    " chapter part article question kapitel artikel teil frage " NUMBERING_LETTERED;

// A section with the number that is asked for.
struct found {
    struct texts t;
    struct span_of_text at, title;
    int titled; // 1: its head is no item of a list: it is marked, or a title above what it says
    int quoted; // 1: it is of another text, which is quoted
};

struct search {
    const struct wanted *w;
    struct numbering of;
    int own;               // 1: what the question calls it only what is called so has
    int called;            // 1: only lines that call it what the question calls it,
    int runs;              // 1: none of these, which stand above every page
    struct found v[FOUND]; // [n]
    int n;
    int lines; // with its number, of the document that has most of them
    int heads; // lines with another number that might have been it,
    int alike; // both of them numbers, or letters
};

// What kind of line begins a section, of which numbering_at or numbering_in_brackets tells.
typedef int reads(struct numbering *v, const struct lines *c, size_t at);

static int is_called(const struct numbering *v, const char *word)
{
    const size_t n = strlen(word);
    return v->called && v->word && n == v->word_n && letters_same(v->word, word, n);
}

// Whether V, which the question S asks for by another word, has one that only what is called so
// has: no chapter 7 is a "Question 7", and no section is a schedule.
static int is_another(const struct search *s, const struct numbering *v)
{
    return v->word && word_is_listed(s->own ? OWN : NUMBERING_LETTERED, v->word, v->word_n);
}

// Whether V is the next item of a list, of *ITEMS so far, in the section OF.
static int is_next_item(const struct numbering *v, const struct numbering *of, long *items)
{
    const int is = of->n > 1 && v->n == 1 && !v->word && v->v[0] == *items + 1;
    *items += is;
    return is;
}

// Whether V, the number of the line at byte AT, begins another section than OF: neither one inside
// it nor an item of a list. If it is lower than OF, a table of contents ends here.
static int is_other(const struct lines *c, size_t at, const struct numbering *v,
                    const struct numbering *of)
{
    const int alone = line_is_bare(c, line_end(c, at) + 1);
    if (numbering_has_letter(v))
        return !numbering_is_under(v, of) &&
               (numbering_has_letter(of) || word_is_listed(NUMBERING_LETTERED, v->word, v->word_n));
    if (numbering_has_letter(of))
        return v->called;
    if (of->called && of->word) // "1. Fire" is an item of what "Section 2" says
        return !numbering_is_under(v, of) && (v->called || v->n > 1);
    return !numbering_is_under(v, of) &&
           ((v->called && of->called) || v->n > 1 || v->v[0] == of->v[0] + 1 ||
            (alone && !numbering_is_under(of, v)));
}

static int same_title(const struct texts *a, struct span_of_text x, const struct texts *b,
                      struct span_of_text y)
{
    const size_t n = span_bytes(x) < span_bytes(y) ? span_bytes(x) : span_bytes(y);
    return n > 0 && letters_same(a->text + x.from, b->text + y.from, n < SAME ? n : SAME);
}

// Whether the line at byte AT of C says something that is no head of a section.
static int is_said(const struct lines *c, size_t at)
{
    struct numbering v;
    return line_says_something(c->text + at, line_end(c, at) - at) && !numbering_at(&v, c, at);
}

// Whether section AT of C, whose head is V with the words TITLE, is no item of a list nor one of a
// table of contents: below its head something is said, and no other head is right above it.
static int is_titled(const struct lines *c, struct span_of_text at, const struct numbering *v,
                     struct span_of_text title)
{
    struct numbering other;
    const size_t n = span_bytes(title), line = line_start(c, at.from);
    size_t below = line_end(c, at.from) + 1;
    while (below < at.to && !line_says_something(c->text + below, line_end(c, below) - below))
        below = line_end(c, below) + 1;
    if (below >= at.to || !is_said(c, below) ||
        (line && numbering_at(&other, c, line_start(c, line - 1))))
        return 0;
    return v->called || (n && n <= TITLE && line == at.from && is_upper(c->text[title.from]) &&
                         !is_lower(c->text[line_words(c, below, line_end(c, below))]) &&
                         !is_one_of(c->text[title.to - 1], ".,;"));
}

// Keeps the section AT of T's document C, whose head is V; of several with one title, unless all of
// them say something, the longest.
static void keep(struct search *s, const struct texts *t, const struct lines *c,
                 struct span_of_text at, const struct numbering *v)
{
    const int quoted = numbering_is_quoted(c, at.from);
    numbering_cut_quoted(c, &at);
    const size_t end = line_trimmed(c, at.from, line_end(c, at.from));
    struct found own = {*t, at, {v->title < end ? v->title : end, end}, 0, quoted};
    own.titled = is_titled(c, at, v, own.title);
    for (int i = 0; i < s->n; i++)
        if (s->v[i].t.d.name == t->d.name && !(own.titled && s->v[i].titled) &&
            same_title(t, own.title, &s->v[i].t, s->v[i].title)) {
            if (span_bytes(at) > span_bytes(s->v[i].at))
                s->v[i] = own;
            return;
        }
    int shortest = 0;
    for (int i = 1; i < s->n; i++)
        if (span_bytes(s->v[i].at) < span_bytes(s->v[shortest].at))
            shortest = i;
    if (s->n < FOUND)
        s->v[s->n++] = own;
    else if (span_bytes(at) > span_bytes(s->v[shortest].at))
        s->v[shortest] = own;
}

// The first heading in capitals, without a number, below the head of text[AT); AT.to: none.
static size_t capitals_in(const struct lines *c, struct span_of_text at)
{
    struct numbering v;
    for (size_t line = line_end(c, at.from) + 1; line < at.to; line = line_end(c, line) + 1)
        if (heading_in_capitals(c, line) && !numbering_at(&v, c, line))
            return line;
    return at.to;
}

// Cuts the last section of its kind in C, AT, before what comes behind all of them below a heading
// in capitals, unless the one before it, from byte BEFORE on, has such a heading, too.
static void cut_last(const struct lines *c, size_t before, struct span_of_text *at)
{
    const struct span_of_text above = {before, at->from};
    if (before >= at->from || capitals_in(c, above) < above.to)
        return;
    at->to = capitals_in(c, *at);
    while (at->to > at->from && line_is_bare(c, line_start(c, at->to - 1)))
        at->to = line_start(c, at->to - 1); // a rule above the heading
}

// Where the paragraph begins that has the line at byte AT of C, below the line of byte FROM.
static size_t paragraph_of(const struct lines *c, size_t at, size_t from)
{
    while (at > 0 && !line_is_bare(c, line_start(c, at - 1)) && line_start(c, at - 1) > from)
        at = line_start(c, at - 1);
    return at;
}

// Finds the sections of T's document with the number that is asked for, whose lines READS tells.
static void find_in(struct search *s, const struct texts *t, reads *tells)
{
    struct lines c;
    struct numbering v, head = s->of;
    struct span_of_text own = {0, 0};
    int in = 0;
    long items = 0;
    int lines = 0;
    size_t other = t->n, before = t->n; // heads of the same kind, the last one above OWN
    lines_of_text(&c, t->text, t->n);
    for (size_t at = 0; at < t->n; at = line_end(&c, at) + 1) {
        if (!tells(&v, &c, at) || (s->runs && is_called(&v, s->w->section)))
            continue;
        const int spoken = numbering_is_spoken_of(&c, &v),
                  fits = is_called(&v, s->w->section) || !(s->called || is_another(s, &v)),
                  same = fits && !spoken && v.n == s->of.n && numbering_is_under(&v, &s->of);
        const int another = fits && !same && (s->called || v.n > 1);
        s->heads += another;
        s->alike += another && numbering_has_letter(&v) == numbering_has_letter(&s->of);
        lines += same;
        other = fits && v.n == s->of.n && !same ? at : other;
        if (in && is_next_item(&v, &s->of, &items))
            continue;
        if (in && (same || is_other(&c, at, &v, &head) ||
                   numbering_ends_quoted(&v, &head, &c, own.from, at))) {
            own.to = spoken ? paragraph_of(&c, at, own.from) : at;
            if (!fits || v.n != s->of.n)
                cut_last(&c, before, &own);
            keep(s, t, &c, own, &head);
            in = 0;
        }
        if (same) {
            own.from = line_words(&c, at, line_end(&c, at));
            before = other;
            head = v;
            in = 1;
            items = 0;
        }
    }
    own.to = t->n;
    if (in) {
        cut_last(&c, before, &own);
        keep(s, t, &c, own, &head);
    }
    s->lines = lines > s->lines ? lines : s->lines;
}

static int find(struct search *s, const struct lookup *v, reads *tells, struct err *e)
{
    struct texts t;
    int rc;
    texts_begin(&t, v->k, v->n_k);
    s->n = s->lines = s->heads = s->alike = 0;
    while ((rc = texts_next(&t, e)) > 0)
        find_in(s, &t, tells);
    return rc;
}

// The longest one of S, of clauses one that is quoted; NULL: there is none.
static const struct found *longest(const struct search *s)
{
    const struct found *best = s->n ? s->v : NULL;
    const int clause = word_is_listed(" clause ", s->w->section, strlen(s->w->section));
    for (int i = 1; i < s->n; i++)
        if (clause && s->v[i].quoted != best->quoted
                ? s->v[i].quoted
                : span_bytes(s->v[i].at) > span_bytes(best->at))
            best = &s->v[i];
    return best;
}

// Reads what the question calls the section by, without what is in brackets behind that: 5 of
// "5(2)"; 0: it is no number, nor a letter.
static int read_number(struct search *s, const struct wanted *w)
{
    enum { LONGEST = 8 }; // bytes of a number in letters
    char large[LONGEST];
    const size_t n = strcspn(w->what, "("), named = strlen(w->section);
    int letters = n > LONGEST || is_digit(w->what[0]) ? 0 : numbering_kind(w->section, named);
    if (letters && n == 1 && is_lower(w->what[0]))
        letters = NUMBERING_LETTERS; // "section x" is none
    *s = (struct search){.w = w, .own = word_is_listed(OWN, w->section, named)};
    for (size_t i = 0; letters && i < n; i++)
        large[i] = (char)(is_lower(w->what[i]) ? w->what[i] - ('a' - 'A') : w->what[i]);
    return n && numbering_of(&s->of, letters ? large : w->what, n, letters) == n;
}

// Finds the section that is asked for: first one whose line has the question's word for it, then
// one by its number alone, and where that is but a line, one in brackets with its title. 1, 0 or an
// error.
static int find_sections(struct search *s, const struct lookup *v, struct err *e)
{
    int rc;
    s->called = 1;
    if ((rc = find(s, v, numbering_at, e)) < 0)
        return rc;
    s->runs = s->lines > HEADED;
    if (s->n && !s->runs)
        return 1;
    if (numbering_has_letter(&s->of) || (!s->runs && s->heads > 1 && s->own && s->of.n == 1))
        return 0;
    s->called = 0;
    if ((rc = find(s, v, numbering_at, e)) < 0)
        return rc;
    const struct found *best = longest(s);
    struct search other = *s;
    if ((rc = find(&other, v, numbering_in_brackets, e)) < 0)
        return rc;
    if (other.n == 1 && (!best || same_title(&best->t, best->title, &other.v->t, other.v->title)))
        *s = other;
    return s->n > 0;
}

// Cuts S, the section of F, to what it says of the question's topic: a section within it with that
// in its title, or a sentence. 0: neither has it.
static int cut_to_topic(const struct found *f, const char *topic, struct span_of_text *s)
{
    struct lines c;
    struct numbering v;
    lines_of_text(&c, f->t.text, f->t.n);
    for (size_t at = f->at.from; at < f->at.to; at = line_end(&c, at) + 1) {
        const size_t end = line_end(&c, at);
        if (at == f->at.from || !numbering_at(&v, &c, at) || v.title >= end ||
            end - v.title > TITLE || !words_all(topic, c.text + v.title, end - v.title))
            continue;
        const struct numbering head = v;
        *s = (struct span_of_text){at, f->at.to};
        while ((at = line_end(&c, at) + 1) < f->at.to)
            if (numbering_at(&v, &c, at) && is_other(&c, at, &v, &head)) {
                s->to = at;
                break;
            }
        return 1;
    }
    for (size_t at = f->at.from, from, to; at<f->at.to; at = to> at ? to : at + 1) {
        cut_sentence(&c, at, &from, &to);
        from = from < f->at.from ? f->at.from : from;
        to = to > f->at.to ? f->at.to : to;
        if (to > from && words_all(topic, c.text + from, to - from)) {
            *s = (struct span_of_text){from, line_trimmed(&c, from, to)};
            return 1;
        }
    }
    return 0;
}

// ------------------------------------------------------------------------- parts without a heading

// The first byte of part MARK, "(2)" or "(a)", in S of C: of a line that begins with it or with
// "2." or "2)", or within a line, but not as what is mentioned there. S.to: there is none.
static size_t find_mark(const struct lines *c, struct span_of_text s, const char *mark)
{
    const size_t n = strlen(mark) - 2;
    for (size_t at = s.from; at < s.to; at = line_end(c, at) + 1) {
        const size_t from = at == s.from ? at : line_words(c, at, line_end(c, at)),
                     bare = from + (c->text[from] == '(');
        if (bare + n + 1 < s.to && letters_same(c->text + bare, mark + 1, n) &&
            is_one_of(c->text[bare + n], bare > from   ? ")"
                                         : at > s.from ? ".)"
                                                       : "") &&
            is_space(c->text[bare + n + 1]))
            return from;
    }
    for (size_t at = s.from + 2; at + n + 2 < s.to; at++)
        if (c->text[at] == '(' && is_space(c->text[at - 1]) && is_one_of(c->text[at - 2], ".,;:") &&
            c->text[at + n + 1] == ')' && letters_same(c->text + at + 1, mark + 1, n) &&
            is_space(c->text[at + n + 2]))
            return at;
    return s.to;
}

// Cuts S to its part that the mark at P, "(2)" or "(a)", calls; 0: there is none.
static int cut_to_mark(const struct lines *c, const char *p, struct span_of_text *s)
{
    enum { DIGITS = 3 };
    char next[DIGITS + 4];
    const size_t n = strcspn(p, ")");
    if (p[n] != ')' || n < 2 || n > DIGITS + 1)
        return 0;
    char mark[DIGITS + 4] = "";
    memcpy(mark, p, n + 1);
    if (is_digit(p[1]))
        snprintf(next, sizeof next, "(%d)", (atoi(p + 1) + 1) % 1000);
    else if (n == 2)
        snprintf(next, sizeof next, "(%c)", p[1] + 1);
    else
        return 0;
    const size_t from = find_mark(c, *s, mark);
    if (from == s->to)
        return 0;
    s->from = from;
    struct span_of_text behind = {from + n, s->to};
    s->to = line_trimmed(c, from, find_mark(c, behind, next));
    return 1;
}

// Cuts S, the section of F, to paragraph NTH below its heading, from 1 or from -1 for the last one;
// 0: there is none.
static int cut_to_paragraph(const struct lines *c, const struct found *f, int nth,
                            struct span_of_text *s)
{
    struct span_of_text last = {0};
    int n = 0;
    for (size_t at = f->at.from; at < f->at.to; at = line_end(c, at) + 1) {
        if (!line_says_something(c->text + at, line_end(c, at) - at))
            continue;
        struct span_of_text own = {at, line_end(c, at)};
        while (own.to + 1 < f->at.to && !line_is_bare(c, own.to + 1))
            own.to = line_end(c, own.to + 1);
        at = own.to;
        if (own.from == f->at.from && own.to == line_end(c, own.from) &&
            span_bytes(own) <= HEADING_LONGEST) {
            if (!f->titled)
                return 0; // an item of a list
            continue;
        }
        const size_t words = line_words(c, own.from, own.to);
        if (own.from != f->at.from && line_is_item(c->text + words, own.to - words))
            return 0; // of which it is not plain whether it is a paragraph
        last = own;
        if (++n == nth)
            break;
    }
    if (!n || (nth > 0 && n != nth))
        return 0;
    *s = (struct span_of_text){last.from, line_trimmed(c, last.from, last.to)};
    return 1;
}

// Cuts S, the section of F, to what W asks of it; 0: it has nothing of the kind.
static int cut_to_asked(const struct found *f, const struct wanted *w, struct span_of_text *s)
{
    struct lines c;
    lines_of_text(&c, f->t.text, f->t.n);
    for (const char *p = strchr(w->what, '('); p; p = strchr(p + 1, '('))
        if (!cut_to_mark(&c, p, s))
            return 0;
    if (*w->kind) {
        char mark[16];
        struct span_of_text first = *s;
        snprintf(mark, sizeof mark, "(%d)", w->n);
        return word_is_listed(" paragraph ", w->kind, strlen(w->kind)) &&
               (cut_to_mark(&c, "(1)", &first) ? w->n > 0 && cut_to_mark(&c, mark, s)
                                               : cut_to_paragraph(&c, f, w->n, s));
    }
    if (*w->about && span_bytes(*s) > LOOKUP_SAID)
        cut_to_topic(f, w->about, s);
    return 1;
}

// Whether S of C, a line or the end of one, may be a title: short, with a capital, without a stop.
static int is_title(const struct lines *c, struct span_of_text s)
{
    return s.from < s.to && span_bytes(s) <= TITLE && !is_lower(c->text[s.from]) &&
           !is_one_of(c->text[s.to - 1], ".,;:");
}

// Whether the line of C at byte AT stands alone above another paragraph, one that does not go on
// with it.
static int is_apart(const struct lines *c, size_t at)
{
    size_t next = line_end(c, at) + 1;
    if (next >= c->n || !line_is_empty(c, next) || (next = line_end(c, next) + 1) >= c->n)
        return 0;
    const size_t end = line_end(c, next), words = line_words(c, next, end);
    return words < end && !is_lower(c->text[words]);
}

// Where the title may begin of the heading in line HEAD, above byte LINE: there, or behind an empty
// line if what is below that is in capitals, or apart below "CHAPTER FIVE".
static size_t below_head(const struct lines *c, size_t head, size_t line)
{
    const size_t next = line_end(c, line) + 1;
    return line_is_empty(c, line) && next < c->n &&
                   (!has_lower(c->text + next, line_end(c, next) - next) ||
                    (is_upper(c->text[head]) && is_apart(c, next)))
               ? next
               : line;
}

// Prints the heading of section F with its title, which may be a line of its own: 1, 0 when it has
// none, or an error.
static int say_title(struct lookup *v, const struct found *f, struct err *e)
{
    struct span_of_text s = {f->at.from, f->title.to}, title = f->title;
    struct lines c;
    lines_of_text(&c, f->t.text, f->t.n);
    if (!span_bytes(title) && s.to + 1 < f->at.to) {
        title.from = below_head(&c, s.from, line_end(&c, s.to) + 1);
        title.to = line_trimmed(&c, title.from, line_end(&c, title.from));
        s.to = line_is_bare(&c, line_end(&c, title.from) + 1) ? title.to : s.to;
    }
    if (s.to != title.to || !is_title(&c, title))
        return 0;
    return lookup_say_quoted(v, &(struct lookup_found){f->t, s}, e);
}

// Prints what is asked of section F: 1, 0 when it lacks that, or an error.
static int say(struct lookup *v, const struct found *f, struct err *e)
{
    struct span_of_text s = f->at;
    if (v->w.want == WANT_TITLE)
        return say_title(v, f, e);
    if (!cut_to_asked(f, &v->w, &s))
        return 0;
    int rc = lookup_passage(v->out, &f->t, &s, e);
    return rc || (rc = lookup_add(v, &f->t, s, 0, e)) ? rc : 1;
}

// Prints all titled sections of S, which have the same number.
static int say_several(struct lookup *v, const struct search *s, int n, struct err *e)
{
    int said = 0, rc = 1;
    fprintf(v->out, "%d sections have this number:", n);
    for (int i = 0; rc > 0 && i < s->n && said < SAID; i++)
        if (s->v[i].titled) {
            fputc('\n', v->out);
            rc = say(v, &s->v[i], e);
            said++;
        }
    return rc;
}

// How many words TEXT [n] has, without numbers.
static int count_words(const char *text, size_t n)
{
    char stem[WORD_STEM];
    int words = 0;
    for (size_t at = 0; word_next(text, n, &at, stem, NULL);)
        words += !is_digit(*stem);
    return words;
}

// Finds the number of the only sections whose titles have the topic, and hardly any other words:
// S->of. 1, 0 or an error.
static int find_topic(struct search *s, const struct lookup *v, struct err *e)
{
    enum { MORE = 2 }; // words of a title
    const char *topic = v->w.about;
    const int words = count_words(topic, strlen(topic));
    struct texts t;
    struct numbering own;
    int rc;
    *s = (struct search){.w = &v->w};
    texts_begin(&t, v->k, v->n_k);
    while ((rc = texts_next(&t, e)) > 0) {
        struct lines c;
        lines_of_text(&c, t.text, t.n);
        for (size_t at = 0; at < t.n; at = line_end(&c, at) + 1) {
            const size_t end = line_trimmed(&c, at, line_end(&c, at));
            if (!numbering_at(&own, &c, at) || own.title >= end || end - own.title > TITLE ||
                is_one_of(t.text[end - 1], ".,;") || is_lower(t.text[own.title]) ||
                !words_all(topic, t.text + own.title, end - own.title) ||
                count_words(t.text + own.title, end - own.title) > words + MORE)
                continue;
            if (s->of.n && !(own.n == s->of.n && numbering_is_under(&own, &s->of)))
                return 0;
            s->of = own;
        }
    }
    return rc < 0 ? rc : s->of.n > 0;
}

// Prints the section about the topic that is asked for.
static int say_topic(struct lookup *v, struct err *e)
{
    struct search s;
    int rc = find_topic(&s, v, e);
    if (rc <= 0 || (rc = find(&s, v, numbering_at, e)) < 0)
        return rc;
    const struct found *best = NULL;
    for (int i = 0; i < s.n; i++)
        if (s.v[i].at.to > s.v[i].title.to + 1 &&
            words_all(v->w.about, s.v[i].t.text + s.v[i].title.from, span_bytes(s.v[i].title)))
            best = best && span_bytes(best->at) > span_bytes(s.v[i].at) ? best : &s.v[i];
    if (!best)
        return 0;
    struct span_of_text whole = best->at;
    rc = lookup_passage(v->out, &best->t, &whole, e);
    return rc || (rc = lookup_add(v, &best->t, whole, 0, e)) ? rc : 1;
}

int outline_section(struct lookup *v, struct err *e)
{
    struct search s;
    if (!*v->w.what && *v->w.about)
        return say_topic(v, e);
    if (!read_number(&s, &v->w))
        return 0;
    int titled = 0, rc = find_sections(&s, v, e);
    if (rc <= 0)
        return rc;
    const struct found *best = longest(&s);
    for (int i = 0; i < s.n; i++)
        titled += s.v[i].titled;
    const int part = *v->w.kind || strchr(v->w.what, '(');
    if (best->titled && titled > 1)
        return part ? 0 : say_several(v, &s, titled, e);
    return say(v, best, e);
}

int outline_no_section(struct lookup *v, struct err *e)
{
    struct search s;
    if (!read_number(&s, &v->w))
        return 0;
    int rc = find_sections(&s, v, e);
    if (rc || s.alike < (s.called ? CALLED : NUMBERED))
        return rc < 0 ? rc : 0;
    if ((rc = tables_section_row(v, e)))
        return rc;
    fprintf(v->out, "There is no %s %s in the text.", v->w.section, v->w.what);
    return 1;
}
