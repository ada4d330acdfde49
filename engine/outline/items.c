// The lists of a text: "List all recommendations of the inquiry", "What are the house rules?". A
// list is led in by a line that names what it lists, or each of its items begins with that:
// "Recommendation 2. ...".
#include <limits.h>
#include <string.h>

#include "engine/lines/columns.h"
#include "engine/lines/lines.h"
#include "engine/outline/amounts.h"
#include "engine/outline/enumerated.h"
#include "engine/outline/items_asked.h"
#include "engine/outline/list.h"
#include "engine/outline/numbering.h"
#include "engine/outline/outline.h"
#include "engine/sentences/heading.h"
#include "engine/words/chars.h"
#include "engine/words/wordlist.h"
#include "engine/words/words.h"
#include "io/utf8.h"

enum {
    LISTS = 6,      // that are printed if several fit equally well
    LEAD = 240,     // bytes of what leads a list in
    LONG = 3000,    // bytes of a list that are printed,
    NAMES = 30,     // and items that are named where they are counted, of each
    NAME = 120,     // bytes at most
    MORE_WORDS = 3, // that a heading may have beyond those of what is listed
    NEAR = 6        // lists that fit worse by so much are printed, too
};

// How well a list fits, less the words that it is led in with and the question has not: by the
// heading that it stands below, by what leads it in, and by what each of its items is called.
enum { FITS_HEADED = 240, FITS_LED = 480, FITS_CALLED = 720, FITS_NUMBERED = 2 * NEAR };

// A list that is found, with what leads it in.
struct found_list {
    struct texts t;
    struct span_of_text at, lead;
    struct list items;
    int is_table; // 1: its items are not told apart
};

// The headings above a line: of the parts of the text that it is in, and the last one that begins
// no part.
enum { LEVELS = 6 };
struct headings {
    struct span_of_text part[LEVELS], last;
};

// The level of the part that the heading H begins: heading_level, or the first one of a heading in
// capitals alone. 0: it begins none.
static int level_of(const struct lines *c, struct span_of_text h)
{
    const int level = heading_level(c->text + h.from, span_bytes(h));
    if (level)
        return level < LEVELS ? level : LEVELS;
    while (h.from < h.to && !is_lower(c->text[h.from]))
        h.from++;
    return h.from == h.to;
}

static void pass_heading(struct headings *all, const struct lines *c, struct span_of_text line)
{
    const struct span_of_text own = {list_said_at(c, line), line_trimmed(c, line.from, line.to)};
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

// Whether the line S names the things of A as what is not so, "What may not be mended", and A does
// not ask for that.
static int denies(const struct lines *c, struct span_of_text s, const struct items_asked *a)
{
    enum { BETWEEN = 2 }; // "not be mended"
    char stem[WORD_STEM];
    size_t bytes;
    int since = BETWEEN;
    for (size_t at = s.from; word_next(c->text, s.to, &at, stem, &bytes); since++) {
        if (since < BETWEEN && !memcmp(stem, a->last, sizeof stem))
            return 1;
        if (word_is_listed(WORDLIST_DENIALS, c->text + at - bytes, bytes) &&
            !word_is_in(a->what, strlen(a->what), stem) && !word_is_in(a->of, strlen(a->of), stem))
            since = -1;
    }
    return 0;
}

// How many words the line S has that A does not name; -1: not the last word of its things either.
static int more_words(const struct lines *c, struct span_of_text s, const struct items_asked *a)
{
    char stem[WORD_STEM];
    int more = 0;
    for (size_t at = s.from; word_next(c->text, s.to, &at, stem, NULL);)
        more +=
            !word_is_in(a->what, strlen(a->what), stem) && !word_is_in(a->of, strlen(a->of), stem);
    return word_is_in(c->text + s.from, span_bytes(s), a->last) && !denies(c, s, a) ? more : -1;
}

// Whether the line S points at the things of A: "divided into the following parishes, which ...:".
static int points_at(const struct lines *c, struct span_of_text s, const struct items_asked *a)
{
    char stem[WORD_STEM];
    size_t bytes;
    int following = 0;
    for (size_t at = s.from; word_next(c->text, s.to, &at, stem, &bytes);) {
        if (following && !memcmp(stem, a->last, sizeof stem))
            return c->text[s.to - 1] == ':';
        following = word_is_listed(" following ", c->text + at - bytes, bytes);
    }
    return 0;
}

// Whether the line S is what A's list stands below: it has its words, and hardly others.
static int names_only(const struct lines *c, struct span_of_text s, const struct items_asked *a)
{
    const char *line = c->text + s.from;
    return words_beyond(line, span_bytes(s), a->of) < MORE_WORDS &&
           words_all(a->of, line, span_bytes(s));
}

// Whether LEAD leads in the things that the heading above it, PART, names: it ends so, and says
// nothing but that these are they, or that in a word of PART: "The supported ones are:".
static int points_below(const struct lines *c, struct span_of_text lead, struct span_of_text part)
{
    static const char ends[] = " are is following follows these below ",
                      fills[] = " the they these those this following are is as follows below ones "
                                "here all valid supported available understood recognized "
                                "recognised in order listed defined ";
    char stem[WORD_STEM];
    size_t bytes = 0, at = lead.from;
    int only = 1, shared = 0;
    if (lead.to == lead.from || c->text[lead.to - 1] != ':')
        return 0;
    while (word_next(c->text, lead.to, &at, stem, &bytes)) {
        only &= word_is_listed(fills, c->text + at - bytes, bytes);
        shared |= word_is_in(c->text + part.from, span_bytes(part), stem);
        if (word_is_listed(" and or ", c->text + at - bytes, bytes))
            return 0;
        if (at + 1 == lead.to)
            return (only || shared) && word_is_listed(ends, c->text + at - bytes, bytes);
    }
    return 0;
}

// Whether LINE has a number of several parts, and its text below it, which no step has: "12.1
// Complaints".
static int heads_part(const struct lines *c, struct span_of_text line)
{
    struct numbering own, next;
    const size_t below = line_past_empty(c, line.to + 1);
    return numbering_at(&own, c, line.from) && own.n > 1 && below < c->n &&
           c->text[line_trimmed(c, line.from, line.to) - 1] != '.' &&
           is_upper(c->text[line_words(c, below, c->n)]) && !numbering_at(&next, c, below);
}

// How well the list that LEAD leads in, whose first line is FIRST, fits A. LEAD and the heading of
// its part have to name the things, one of them by their last word, FIRST may name the columns of a
// table; what else is asked has to be there, too, in a heading above or at the beginning of the
// document. ITEMS: the list, where it is no table. 0: it does not.
static int fit(const struct lines *c, struct span_of_text lead, struct span_of_text first,
               const struct headings *headings, const struct items_asked *a,
               const struct list *items)
{
    struct span_of_text part, above, columns = {0};
    find_part(headings, &part, &above);
    if ((list_is_row(c, first) ||
         (!items && columns_are_in(c->text + first.from, span_bytes(first)))) &&
        span_bytes(first) <= LEAD)
        columns = first;
    const struct span_of_text title = {0, lead.from < LOOKUP_TITLE ? lead.from : LOOKUP_TITLE},
                              all[] = {lead, part, columns, above, title};
    char near[2 * LEAD + 2 * HEADING_LONGEST + LOOKUP_TITLE + 5];
    size_t n = 0, named = 0, own = 0;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        memcpy(near + n, c->text + all[i].from, span_bytes(all[i]));
        n += span_bytes(all[i]);
        near[n++] = '\n';
        named = i == 1 ? n : named;
        own = i == 2 ? n : own;
    }
    if (a->steps) {
        const int leads = words_all(a->of, near, span_bytes(lead));
        if (!items || heads_part(c, first) ||
            !(list_is_numbered(items, c) || list_is_ticked(items, c) ||
              (leads && list_is_item(c, line_at(c, lead.to - 1)))) ||
            !words_all(a->of, near, named))
            return 0;
        return leads ? FITS_LED : FITS_HEADED;
    }
    if (a->below) {
        part = headings->last.from > part.from ? headings->last : part;
        return !items                   ? 0
               : names_only(c, lead, a) ? FITS_LED
               : names_only(c, part, a) ? FITS_HEADED
                                        : 0;
    }
    const int points = points_at(c, lead, a);
    int more = points ? 0 : more_words(c, lead, a);
    const int leads = more >= 0;
    more = leads ? more : more_words(c, part, a);
    if (more < 0 || !words_all(a->what, near, own) || !words_all(a->of, near, n) ||
        more > (leads ? (a->is_list ? INT_MAX : 3 * MORE_WORDS) : MORE_WORDS))
        return 0;
    const int n_items = items ? items->n : 0, is_manual = items && items->kind > LIST_LABELLED;
    if (is_manual && more && leads && c->text[lead.to - 1] != ':')
        return 0; // "Other options"
    if ((a->strict || is_manual) &&
        (c->text[lead.to - 1] == '.' ||
         !(leads ? items_asked_names(a, c->text, lead, n_items)
                 : items_asked_names(a, c->text, part, n_items) && points_below(c, lead, part))))
        return 0;
    return 1 + (leads ? FITS_LED : FITS_HEADED) - more + (points ? FITS_NUMBERED : 0);
}

// Whether LINE is a title in the middle of a page, below another one: "ANNEX B" and what is listed
// there.
static int is_title(const struct lines *c, struct span_of_text line)
{
    const size_t words = list_said_at(c, line), end = line_trimmed(c, line.from, line.to);
    const struct span_of_text above = line_at(c, line.from ? line.from - 1 : 0);
    return line.from && line.to + 1 < c->n && line_is_empty(c, line.to + 1) &&
           is_upper(c->text[words]) && !is_one_of(c->text[end - 1], ".,;!?") &&
           line_indentation(c, above.from) > 0 && list_is_heading(c, above);
}

// What leads in the list whose first item is FIRST: the line above it, with the sentence that it is
// the end of, if that may do so. An item may lead in those within it: "1. Update the index:".
static int find_lead(const struct lines *c, struct span_of_text first, struct span_of_text *lead)
{
    size_t at = first.from, to;
    while (at > 0 && line_is_empty(c, line_start(c, at - 1)))
        at = line_start(c, at - 1);
    if (!at)
        return 0;
    const struct span_of_text line = line_at(c, at - 1);
    const size_t end = line_trimmed(c, line.from, line.to);
    if (end == line.from || is_one_of(c->text[end - 1], ",;"))
        return 0;
    if (list_is_item(c, line) &&
        (c->text[end - 1] != ':' || list_is_row(c, line) ||
         line_indentation(c, line.from) >= line_indentation(c, first.from)))
        return 0;
    if (c->text[end - 1] != ':' &&
        line_indentation(c, line.from) > line_indentation(c, first.from) && !is_title(c, line))
        return 0; // it is of what was said before
    lookup_sentence(c, end - 1, &lead->from, &to);
    if (lead->from > line.from || c->text[end - 1] != ':')
        lead->from = line.from;
    lead->to = end;
    return span_bytes(*lead) <= LEAD;
}

// Where the sentence begins that the line LEAD begins within, which is said from there on; the
// beginning of LEAD: it begins one, or that is far above.
static size_t said_from(const struct lines *c, struct span_of_text lead)
{
    size_t from, to;
    lookup_sentence(c, lead.from, &from, &to);
    return from < lead.from && to > lead.from && lead.from - from <= LEAD ? from : lead.from;
}

// No *LEAD for the list whose first item is FIRST, if something is above it: steps need none where
// the heading above them says what they are of. Right above them may stand what is needed.
static int no_lead(struct span_of_text first, struct span_of_text *lead)
{
    *lead = (struct span_of_text){first.from, first.from};
    return first.from > 0;
}

struct finding {
    struct found_list v[LISTS];
    int n, most; // lists found that fit best, and how well
};

static void keep_list(struct finding *f, const struct found_list *l, int fits)
{
    if (fits < f->most - NEAR)
        return;
    f->n = fits > f->most + NEAR ? 0 : f->n;
    f->most = fits > f->most ? fits : f->most;
    if (f->n < LISTS)
        f->v[f->n] = *l;
    f->n++;
}

// The end of the lines from FIRST on whose second columns begin below one another, and how many
// rows they are below the first one; 0 if a line goes on otherwise, so that some may be missed, or
// they are too long to be printed.
static size_t rows_end(const struct lines *c, struct span_of_text first, int *rows)
{
    struct span_of_text row = first, line;
    size_t end = first.to;
    for (; end + 1 < c->n && end - first.from <= LONG; end = line.to) {
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
static size_t table_end(const struct lines *c, struct span_of_text first, int *rows)
{
    struct columns t;
    size_t end = first.to;
    *rows = 0;
    if (columns_begin(&t, c, first.from))
        for (; end - first.from <= LONG && columns_next(&t, c); ++*rows)
            end = line_trimmed(c, t.row.from, t.row.to);
    else if (is_upper(c->text[list_said_at(c, first)]) && // the names of columns
             columns_are_in(c->text + first.from, span_bytes(first)))
        end = rows_end(c, first, rows);
    if (*rows > 1 && end - first.from <= LONG)
        return end;
    *rows = 0;
    return first.to;
}

// The lists that a line is in, each within the one before it.
struct around {
    struct list v[LEVELS];
    int n;
};

// Leaves the lists of A that end before LINE. Whether a list may begin there: no line that is an
// item of one of them begins another.
static int may_begin(struct around *a, const struct lines *c, struct span_of_text line)
{
    const size_t in = line_indentation(c, line.from);
    while (a->n && line.from >= a->v[a->n - 1].at.to)
        a->n--;
    for (int i = 0; i < a->n; i++)
        if (a->v[i].in == in)
            return 0;
    return a->n < LEVELS;
}

// Looks at what begins with LINE for a list that fits A; the byte behind it, or behind LINE.
static size_t look_at(struct finding *f, const struct texts *t, const struct lines *c,
                      struct span_of_text line, const struct items_asked *a,
                      const struct headings *headings, struct around *around)
{
    struct found_list l = {.t = *t, .lead = line};
    int rows = 0, fits = 0;
    const size_t end = a->wants == ITEMS_ALL ? table_end(c, line, &rows) : line.to;
    if (rows > 1 && find_lead(c, line, &l.lead))
        fits = fit(c, l.lead, line, headings, a, NULL);
    if (fits) {
        l.is_table = 1;
        l.at = (struct span_of_text){l.lead.from, end};
        keep_list(f, &l, fits);
        return end + 1;
    }
    if (!may_begin(around, c, line) || !list_at(&l.items, c, line, a->last))
        return line.to + 1;
    around->v[around->n++] = l.items;
    if (l.items.kind == LIST_LABELLED)
        fits = FITS_CALLED;
    else if (find_lead(c, line, &l.lead) || (a->steps && no_lead(line, &l.lead)))
        fits = fit(c, l.lead, line, headings, a, &l.items);
    l.lead.from = fits == FITS_CALLED ? l.lead.from : said_from(c, l.lead);
    l.at = (struct span_of_text){fits == FITS_CALLED ? line.from : l.lead.from, l.items.at.to};
    if (fits)
        keep_list(f, &l, fits);
    return line.to + 1;
}

static void look_through(struct finding *f, const struct texts *t, const struct items_asked *a)
{
    struct headings headings = {0};
    struct around around = {.n = 0};
    struct lines c;
    lines_of_text(&c, t->text, t->n);
    for (struct span_of_text line = list_next_said(&c, 0); line.from < c.n;) {
        const size_t next = look_at(f, t, &c, line, a, &headings, &around);
        const int in_marked = around.n && around.v[0].kind <= LIST_LABELLED;
        int amount = 0;
        if (next == line.to + 1 && !in_marked && list_is_heading(&c, line) &&
            !(amounts_line(&c, line, &amount) && amount))
            pass_heading(&headings, &c, line);
        line = list_next_said(&c, next);
    }
}

// ------------------------------------------------------------------------- what is said of them

// The first sentence of item S, without its mark, cut where it is long; *CUT: it is.
static struct span_of_text name_of(const struct found_list *l, struct span_of_text item, int *cut)
{
    struct lines c;
    size_t from, to;
    lines_of_text(&c, l->t.text, l->t.n);
    struct span_of_text s = list_named(&l->items, &c, item);
    lookup_sentence(&c, s.from, &from, &to);
    s.to = to > s.from && to < s.to ? line_trimmed(&c, s.from, to) : s.to;
    for (const char *join = c.text + s.to; s.to - s.from > 5; s.to = (size_t)(join - c.text)) {
        join = c.text + s.to - (c.text[s.to - 1] == 'r' ? strlen("; or") : strlen("; and"));
        if (!is_one_of(*join, ";,") ||
            (strncmp(join + 1, " or", 3) && strncmp(join + 1, " and", 4)))
            break;
    }
    while (span_bytes(s) > 3 && is_one_of(c.text[s.to - 1], ";,.:")) // "~." is a name
        s.to--;
    if ((*cut = span_bytes(s) > NAME))
        s.to = utf8_border(c.text, s.from + NAME);
    return s;
}

// Says how many items L has, and which.
static int say_number(struct lookup *v, const struct found_list *l, const struct items_asked *a,
                      struct err *e)
{
    struct list items = l->items;
    struct span_of_text item;
    struct lines c;
    int rc, said = 0, cut;
    lines_of_text(&c, l->t.text, l->t.n);
    items.next = items.at.from;
    fprintf(v->out, "%d %s", items.n, a->called);
    while (items.n <= NAMES && list_next(&items, &c, &item)) {
        const struct span_of_text name = name_of(l, item, &cut);
        fputs(said++ ? "; " : ": ", v->out);
        if ((rc = lookup_mended(v->out, &l->t, name, e)) < 0)
            return rc;
        fputs(cut ? "\u2026" : "", v->out);
    }
    return lookup_add(v, &l->t, l->at, 0, e);
}

// Says item NTH of L; 0: it has none.
static int say_nth(struct lookup *v, const struct found_list *l, int nth, struct err *e)
{
    struct list items = l->items;
    struct span_of_text item = {0};
    struct lines c;
    lines_of_text(&c, l->t.text, l->t.n);
    items.next = items.at.from;
    if (nth > items.n)
        return 0;
    for (int i = 0; i != nth && list_next(&items, &c, &item); i++)
        ;
    item.from = list_said_at(&c, item);
    int rc = lookup_passage(v->out, &l->t, &item, e);
    return rc || (rc = lookup_add(v, &l->t, item, 0, e)) ? rc : 1;
}

// ITEM of L up to the end of its first sentence.
static struct span_of_text begin_of(const struct found_list *l, const struct lines *c,
                                    struct span_of_text item)
{
    size_t at = l->items.kind == LIST_MARKED ? list_said_at(c, item)
                                             : list_named(&l->items, c, item).to,
           from, to;
    while (at + 1 < item.to && is_space(c->text[at]))
        at++;
    lookup_sentence(c, at, &from, &to);
    item.to = to > at && to < item.to ? line_trimmed(c, item.from, to) : item.to;
    return item;
}

// How many bytes of L are said.
static size_t bytes_said(const struct found_list *l)
{
    const size_t bytes = span_bytes(l->at);
    struct list items = l->items;
    struct span_of_text s;
    struct lines c;
    if (l->is_table || bytes <= LONG)
        return bytes;
    size_t said = 0;
    lines_of_text(&c, l->t.text, l->t.n);
    items.next = items.at.from;
    while (list_next(&items, &c, &s))
        said += span_bytes(begin_of(l, &c, s));
    return said;
}

// Says L, the items of a long list each by its first sentence.
static int say_all(struct lookup *v, const struct found_list *l, struct err *e)
{
    struct list items = l->items;
    struct span_of_text s;
    struct lines c;
    int rc = 0;
    if (l->is_table || span_bytes(l->at) <= LONG) {
        rc = lookup_quote(v->out, &l->t, l->at, e);
        return rc ? rc : lookup_add(v, &l->t, l->at, 0, e);
    }
    lines_of_text(&c, l->t.text, l->t.n);
    items.next = items.at.from;
    if (l->lead.to < items.at.from)
        rc = lookup_quote(v->out, &l->t, l->lead, e);
    while (!rc && list_next(&items, &c, &s)) {
        fputc('\n', v->out);
        rc = lookup_quote(v->out, &l->t, begin_of(l, &c, s), e);
    }
    return rc ? rc : lookup_add(v, &l->t, l->at, 0, e);
}

// Whether F's lists are one, which may stand there several times, and it is sure that it is whole.
static int is_sure(const struct finding *f)
{
    for (int i = 0; i < f->n; i++) {
        const struct found_list *l = &f->v[i];
        struct lines c;
        lines_of_text(&c, l->t.text, l->t.n);
        if (l->is_table || l->items.n != f->v->items.n || !list_is_whole(&l->items, &c) ||
            span_bytes(l->lead) != span_bytes(f->v->lead) ||
            memcmp(l->t.text + l->lead.from, f->v->t.text + f->v->lead.from, span_bytes(l->lead)) !=
                0)
            return 0;
    }
    return 1;
}

// Looks for the list that A asks for and says it, or of it what A wants.
static int answer(struct lookup *v, const struct items_asked *a, struct err *e)
{
    struct finding f = {0};
    struct texts t;
    int rc;
    texts_begin(&t, v->k, v->n_k);
    while ((rc = texts_next(&t, e)) > 0)
        look_through(&f, &t, a);
    if (rc < 0 || !f.n || f.n > LISTS)
        return rc;
    if (a->wants != ITEMS_ALL) {
        if (!is_sure(&f) || (a->wants == ITEMS_NTH && f.n > 1))
            return 0;
        if (a->wants == ITEMS_NTH)
            return say_nth(v, f.v, a->nth, e);
        return (rc = say_number(v, f.v, a, e)) < 0 ? rc : 1;
    }
    for (int i = 0; i < f.n; i++)
        if (bytes_said(&f.v[i]) > LONG)
            return 0;
    for (int i = 0; i < f.n; i++) {
        fputs(i ? "\n" : "", v->out);
        if ((rc = say_all(v, &f.v[i], e)) < 0)
            return rc;
    }
    return 1;
}

int outline_items(struct lookup *v, const char *question, struct err *e)
{
    struct items_asked a, other;
    if (!items_asked_read(&a, question))
        return 0;
    int rc = answer(v, &a, e);
    for (int i = 0; !rc && items_asked_otherwise(&other, &a, i); i++)
        rc = answer(v, &other, e);
    return rc || a.wants != ITEMS_NUMBER ? rc : outline_enumerated(v, &a, e);
}
