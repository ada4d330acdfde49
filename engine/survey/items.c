// The lists of a text: "List all recommendations of the inquiry", "What are the house rules?". A
// list is led in by a line that names what it lists, or each of its items begins with that:
// "Recommendation 2. ...".
#include <string.h>
#include <strings.h>

#include "engine/survey/lookups.h"
#include "engine/text/chars.h"
#include "engine/text/columns.h"
#include "engine/text/heading.h"
#include "engine/text/lines.h"
#include "engine/text/question.h"
#include "engine/text/wordlist.h"
#include "engine/text/words.h"

enum {
    LISTS = 6,      // that are printed if several fit equally well
    LEAD = 240,     // bytes of what leads a list in
    LONG = 3000,    // bytes of a list that are printed, up to the end of an item
    NAMED = 5,      // words of what is listed
    MORE_WORDS = 3, // that a heading may have beyond those
    NEAR = 6,       // lists that fit worse by so much are printed, too
};

// What is asked for.
struct sought_items {
    char what[WANTED_BYTES]; // a space behind each word
    char of[WANTED_BYTES];   // what else is asked, likewise
    int named;               // words of WHAT
    char last[WORD_STEM];    // of these the last one
    int is_list;             // 1: the question says that it wants a list
    int counts;              // 1: it wants to know how many there are
};

struct list {
    struct texts t;
    struct span_of_text at; // with what leads it in
    int items;              // 0: it has rows, or is cut
};

static const char PASSED[] = " me us a an all of the both each every list please its their your my "
                             "our different various possible main " WORDLIST_ONE_TO_TWELVE;
static const char BEHIND[] =
    " of for in on to that which who from with by at under before after "
    "is are was were should must can do does did may we i you if when has have "
    "there ";

static size_t word_bytes(const char *p)
{
    return strcspn(p, " \t\n,.;:?!\"");
}

static const char *next_word(const char *p)
{
    return p + strspn(p, " \t\n,.;:?!\"");
}

// Finds what QUESTION wants listed; 0: no list.
static int find_sought(struct sought_items *a, const char *question)
{
    // Wants a list; may be answered by one; if it is for several things; wants to know of how many;
    // 0: if it says so later.
    enum { LIST = 1, MAY_BE, SEVERAL, NUMBER };
    static const struct {
        const char *begins;
        int wants;
    } forms[] = {{"list ", LIST},       {"name ", SEVERAL},     {"enumerate ", LIST},
                 {"what are ", MAY_BE}, {"which are ", MAY_BE}, {"give ", 0},
                 {"tell ", 0},          {"show ", 0},           {"how many ", NUMBER}};
    const char *p = question_itself(question);
    const size_t n_forms = sizeof forms / sizeof *forms;
    size_t f = 0, n;
    *a = (struct sought_items){0};
    while (f < n_forms && strncasecmp(p, forms[f].begins, strlen(forms[f].begins)) != 0)
        f++;
    if (f == n_forms)
        return 0;
    a->is_list = forms[f].wants == LIST;
    a->counts = forms[f].wants == NUMBER;
    p = next_word(p + strlen(forms[f].begins));
    for (; (n = word_bytes(p)) && word_is_listed(PASSED, p, n); p = next_word(p + n))
        a->is_list |= word_is_listed(" list all each every ", p, n);
    if (!a->is_list && !forms[f].wants)
        return 0; // "Tell me what it costs."
    for (; (n = word_bytes(p)) && !word_is_listed(BEHIND, p, n); p = next_word(p + n)) {
        if (word_is_listed(" and or ", p, n))
            continue;
        wanted_keep_word(a->what, p, n);
        a->named++;
    }
    for (; (n = word_bytes(p)); p = next_word(p + n))
        if (!word_is_listed(WORDLIST_OF_QUESTIONS WORDLIST_OF_TEXTS "please ", p, n) &&
            !word_is_listed(BEHIND, p, n))
            wanted_keep_word(a->of, p, n);
    const size_t end = strlen(a->what);
    if (forms[f].wants == SEVERAL && !a->is_list && (end < 2 || a->what[end - 2] != 's'))
        return 0; // "Name the treasurer."
    for (size_t at = 0; word_next(a->what, end, &at, a->last, NULL);)
        ;
    return a->named > 0 && a->named <= NAMED;
}

// The byte of LINE behind its indentation.
static size_t said_at(const struct cut *c, struct span_of_text line)
{
    while (line.from < line.to && is_one_of(c->text[line.from], " \t"))
        line.from++;
    return line.from;
}

// Whether TEXT [n] begins with a number of two levels or more: "5.1 To keep the garden ...".
static int is_clause(const char *text, size_t n)
{
    size_t at = 0;
    while (at < n && (is_digit(text[at]) || text[at] == '.'))
        at++;
    return at && at < n && text[at] == ' ' && is_digit(text[at - 1]) && heading_level(text, n) > 1;
}

// Whether LINE is short and stands alone, without a stop: "4. Side effects". Unlike heading_is, one
// without a number may have what it heads right below it, and may begin with any letter.
static int is_heading(const struct cut *c, struct span_of_text line)
{
    const size_t from = said_at(c, line), end = line_trimmed(c, line.from, line.to);
    const int above = !line.from || line_is_empty(c, line_start(c, line.from - 1)),
              below = line.to + 1 >= c->n || line_is_empty(c, line.to + 1);
    return above && end > from && end - from <= HEADING_LONGEST &&
           !is_one_of(c->text[end - 1], ".,;:!?") &&
           line_says_something(c->text + from, end - from) &&
           (!line_is_item(c->text + from, end - from) || (below && is_digit(c->text[from])));
}

// Whether LINE is a row of a table.
static int is_row(const struct cut *c, struct span_of_text line)
{
    const size_t from = said_at(c, line);
    return from < line.to && (c->text[from] == '|' || memchr(c->text + from, '\t', line.to - from));
}

// Whether LINE is an item of a list or a row of a table.
static int is_item(const struct cut *c, struct span_of_text line)
{
    const size_t from = said_at(c, line), n = line.to - from;
    const char *p = c->text + from;
    return is_clause(p, n) || is_row(c, line) || begins_with(p, n, "\u2022 ") ||
           (line_is_item(p, n) && !is_heading(c, line));
}

// Whether LINE begins with the word STEM and a number: "Recommendation 2. ...".
static int is_labelled(const struct cut *c, struct span_of_text line, const char *stem)
{
    char own[WORD_STEM];
    size_t bytes, at = line.from;
    if (!word_next(c->text, line.to, &at, own, &bytes) || memcmp(stem, own, sizeof own) != 0 ||
        !is_upper(c->text[at - bytes]))
        return 0;
    while (at < line.to && c->text[at] == ' ')
        at++;
    const size_t number = at;
    while (at < line.to && is_digit(c->text[at]))
        at++;
    return at > number && at + 1 < line.to && is_one_of(c->text[at], ".:)");
}

// The next line with words, from byte AT on; {n, n}: there is none.
static struct span_of_text next_said(const struct cut *c, size_t at)
{
    while (at < c->n) {
        const struct span_of_text line = line_at(c, at);
        if (line_says_something(c->text + line.from, line.to - line.from))
            return line;
        at = line.to + 1;
    }
    return (struct span_of_text){c->n, c->n};
}

// The end of the list whose first item is the line FIRST, and how many items it has. STEM: its
// items begin with that word; NULL: with marks.
static size_t list_end(const struct cut *c, struct span_of_text first, const char *stem, int *items)
{
    const size_t own = line_indentation(c, first.from);
    size_t end = first.to;
    int apart = 0;
    *items = 1;
    for (size_t at = first.to + 1; at < c->n;) {
        const struct span_of_text line = line_at(c, at);
        const size_t in = line_indentation(c, line.from);
        at = line.to + 1;
        if (!line_says_something(c->text + line.from, line.to - line.from)) {
            apart = 1;
            continue;
        }
        const int another = in == own && (stem ? is_labelled(c, line, stem) : is_item(c, line));
        if (!another && apart && is_heading(c, line))
            break;
        if (!another && (apart ? in <= own : in < own))
            break;
        *items += another;
        if (another && end - first.from > LONG)
            break;
        end = line.to;
        apart = 0;
    }
    return line_trimmed(c, first.from, end);
}

// The headings above a line: of the parts of the text that it is in, and the last one that begins
// no part.
enum { LEVELS = 6 };
struct headings {
    struct span_of_text part[LEVELS], last;
};

// The level of the part that the heading H begins: heading_level, or the first one of a heading in
// capitals alone. 0: it begins none.
static int level_of(const struct cut *c, struct span_of_text h)
{
    const int level = heading_level(c->text + h.from, span_bytes(h));
    if (level)
        return level < LEVELS ? level : LEVELS;
    while (h.from < h.to && !is_lower(c->text[h.from]))
        h.from++;
    return h.from == h.to;
}

static void pass_heading(struct headings *all, const struct cut *c, struct span_of_text line)
{
    const struct span_of_text own = {said_at(c, line), line_trimmed(c, line.from, line.to)};
    const int level = level_of(c, own);
    if (!level) {
        all->last = own;
        return;
    }
    all->part[level - 1] = own;
    memset(all->part + level, 0, (size_t)(LEVELS - level) * sizeof *all->part);
}

// *PART: the heading of the smallest part, or the last one where there is no part; *ABOVE: that of
// the part which this one is in. {0}: none.
static void find_part(const struct headings *all, struct span_of_text *part,
                      struct span_of_text *above)
{
    *part = *above = (struct span_of_text){0};
    for (int i = LEVELS - 1; i >= 0; i--) {
        struct span_of_text *to = part->to ? above : part;
        if (!to->to)
            *to = all->part[i];
    }
    if (!part->to)
        *part = all->last;
}

// How many words the line S has that A's things do not have; -1: not their last word either.
static int more_words(const struct cut *c, struct span_of_text s, const struct sought_items *a)
{
    char stem[WORD_STEM];
    int more = 0;
    for (size_t at = s.from; word_next(c->text, s.to, &at, stem, NULL);)
        more += !word_is_in(a->what, strlen(a->what), stem);
    return word_is_in(c->text + s.from, span_bytes(s), a->last) ? more : -1;
}

// How well the list that LEAD leads in, whose first line is FIRST, fits A. LEAD and the heading of
// its part have to name the things, one of them by their last word, FIRST may name the columns of a
// table; what else is asked has to be there, too, in a heading above or at the beginning of the
// document. 0: it does not.
static int fit(const struct cut *c, struct span_of_text lead, struct span_of_text first,
               const struct headings *headings, const struct sought_items *a)
{
    struct span_of_text part, above, columns = {0};
    find_part(headings, &part, &above);
    if ((is_row(c, first) || columns_are_in(c->text + first.from, span_bytes(first))) &&
        span_bytes(first) <= LEAD)
        columns = first;
    const struct span_of_text title = {0, lead.from < SURVEY_TITLE ? lead.from : SURVEY_TITLE},
                              all[] = {lead, part, columns, above, title};
    char near[2 * LEAD + 2 * HEADING_LONGEST + SURVEY_TITLE + 5];
    size_t n = 0, own = 0;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        memcpy(near + n, c->text + all[i].from, span_bytes(all[i]));
        n += span_bytes(all[i]);
        near[n++] = '\n';
        own = i == 2 ? n : own;
    }
    int more = more_words(c, lead, a);
    const int leads = more >= 0;
    more = leads ? more : more_words(c, part, a);
    if (more < 0 || !words_all(a->what, near, own) || !words_all(a->of, near, n) ||
        more > (leads ? (a->is_list ? LEAD : 3 * MORE_WORDS) : MORE_WORDS))
        return 0;
    return 1 + (leads ? 2 * LEAD : LEAD) - more;
}

// What leads in the list whose first item is FIRST: the line above it, with the sentence that it is
// the end of, if that may do so.
static int find_lead(const struct cut *c, struct span_of_text first, struct span_of_text *lead)
{
    size_t at = first.from, to;
    while (at > 0 && line_is_empty(c, line_start(c, at - 1)))
        at = line_start(c, at - 1);
    if (!at)
        return 0;
    const struct span_of_text line = line_at(c, at - 1);
    const size_t end = line_trimmed(c, line.from, line.to);
    if (end == line.from || is_one_of(c->text[end - 1], ",;") || is_item(c, line))
        return 0;
    survey_sentence(c, end - 1, &lead->from, &to);
    if (lead->from > line.from || c->text[end - 1] != ':')
        lead->from = line.from;
    lead->to = end;
    return span_bytes(*lead) <= LEAD;
}

struct finding {
    struct list v[LISTS];
    int n, most; // lists found that fit best, and how well
};

static void keep_list(struct finding *f, const struct texts *t, struct span_of_text at, int items,
                      int fits)
{
    if (fits < f->most - NEAR)
        return;
    f->n = fits > f->most + NEAR ? 0 : f->n;
    f->most = fits > f->most ? fits : f->most;
    if (f->n < LISTS)
        f->v[f->n] = (struct list){*t, at, items};
    f->n++;
}

// The end of the lines from FIRST on whose second columns begin below one another, and how many
// rows they are below the first one; 0 if a line goes on otherwise, so that some may be missed.
static size_t rows_end(const struct cut *c, struct span_of_text first, int *rows)
{
    struct span_of_text row = first, line;
    size_t end = first.to;
    for (; end + 1 < c->n; end = line.to) {
        line = line_at(c, end + 1);
        const size_t n = span_bytes(row), own = span_bytes(line);
        const int is_row = lines_are_rows(c->text + row.from, n, c->text + line.from, own);
        if (!is_row && !(*rows && lines_hang(c->text + row.from, n, c->text + line.from, own)))
            break;
        *rows += is_row;
        row = is_row ? line : row;
    }
    if (end + 1 < c->n && !line_is_empty(c, end + 1))
        *rows = 0;
    return end;
}

// The end of the table divided by blanks whose first line is FIRST, and how many rows it has; 0
// rows: there is none, or one too long to be printed.
static size_t table_end(const struct cut *c, struct span_of_text first, int *rows)
{
    struct columns t;
    size_t end = first.to;
    *rows = 0;
    if (columns_begin(&t, c, first.from))
        for (; columns_next(&t, c); ++*rows)
            end = line_trimmed(c, t.row.from, t.row.to);
    else if (is_upper(c->text[said_at(c, first)]) && // the names of columns
             columns_are_in(c->text + first.from, span_bytes(first)))
        end = rows_end(c, first, rows);
    if (*rows > 1 && end - first.from <= LONG)
        return end;
    *rows = 0;
    return first.to;
}

static void look_through(struct finding *f, const struct texts *t, const struct sought_items *a)
{
    enum { LABELLED = 3 * LEAD }; // that items are called so says most
    struct headings headings = {0};
    struct cut c;
    cut_text(&c, t->text, t->n);
    for (struct span_of_text line = next_said(&c, 0); line.from < c.n;) {
        struct span_of_text lead = line;
        int items = 0, fits = 0, marked = 0;
        size_t end = table_end(&c, line, &items);
        if (items > 1 && find_lead(&c, line, &lead))
            fits = fit(&c, lead, line, &headings, a);
        if (!fits) {
            end = line.to;
            items = 0;
        }
        if (!fits && is_labelled(&c, line, a->last)) {
            end = list_end(&c, line, a->last, &items);
            fits = LABELLED;
        } else if (!fits && is_item(&c, line)) {
            end = list_end(&c, line, NULL, &items);
            marked = !is_row(&c, line) && end - line.from <= LONG;
            if (items > 1 && find_lead(&c, line, &lead))
                fits = fit(&c, lead, line, &headings, a);
        } else if (!fits && is_heading(&c, line))
            pass_heading(&headings, &c, line);
        if (items > 1 && fits)
            keep_list(f, t, (struct span_of_text){lead.from, end}, marked ? items : 0, fits);
        line = next_said(&c, (end > line.to ? end : line.to) + 1);
    }
}

int survey_items(struct surveying *v, const char *question, struct err *e)
{
    struct sought_items a;
    struct finding f = {0};
    struct texts t;
    int rc;
    if (!find_sought(&a, question))
        return 0;
    texts_begin(&t, v->k, v->n_k);
    while ((rc = texts_next(&t, e)) > 0)
        look_through(&f, &t, &a);
    if (rc < 0 || !f.n || f.n > LISTS || (a.counts && (f.n > 1 || !f.v[0].items)))
        return rc < 0 ? rc : 0;
    if (a.counts)
        fprintf(v->out, "%d: ", f.v[0].items);
    for (int i = 0; i < f.n; i++) {
        fputs(i ? "\n" : "", v->out);
        if ((rc = survey_quote(v->out, &f.v[i].t, f.v[i].at, e)) ||
            (rc = survey_add(v, &f.v[i].t, f.v[i].at, 0, e)))
            return rc;
    }
    return 1;
}
