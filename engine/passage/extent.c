#define _GNU_SOURCE
// What is read of a sentence, and with it, where it is in the text around its block: a sentence
// that is long or goes on beyond the blocks beside its own, what leads it in, what it refers to.
#include "engine/passage/extent.h"
#include "engine/sentences/cut.h"

#include <stdlib.h>
#include <string.h>

#include "engine/company/company.h"
#include "engine/lines/columns.h"
#include "engine/lines/line_cells.h"
#include "engine/lines/lines.h"
#include "engine/lines/message.h"
#include "engine/lines/setting.h"
#include "engine/lines/speaker.h"
#include "engine/method/ballot.h"
#include "engine/passage/clause.h"
#include "engine/passage/extent_before.h"
#include "engine/question/asked.h"
#include "engine/sentences/courtesy.h"
#include "engine/sentences/heading.h"
#include "engine/words/text_span.h"
#include "engine/words/words.h"

size_t extent_says(const struct vicinity *v, size_t at)
{
    return at + 1 < v->own_n && is_space(v->s.text[v->own + at]) ? at + 1 : at;
}

// The byte of a block's text where TOKEN says something.
static int byte_of(const struct vicinity *v, const struct kvz *k, uint64_t block, uint32_t token,
                   size_t *byte, struct err *e)
{
    uint64_t *starts;
    uint32_t n;
    int rc = block_token_starts(k, block, &starts, &n, e);
    *byte = rc ? 0 : (size_t)starts[token < n ? token : n];
    *byte = extent_says(v, *byte < v->own_n ? *byte : v->own_n - 1);
    free(starts);
    return rc;
}

int extent_sentence(struct lines *c, const struct vicinity *v, const struct kvz *k, uint64_t block,
                    uint32_t token, size_t *at, size_t *from, size_t *to, struct err *e)
{
    int rc = byte_of(v, k, block, token, at, e);
    if (!rc)
        cut_sentence(c, v->own + *at, from, to);
    return rc;
}

// Whether a heading, or the name below a letter, begins with byte AT behind a sentence that ends
// with byte LAST: what is below is another matter.
static int heads_more(const struct lines *c, size_t last, size_t at)
{
    size_t from, to;
    return last && is_one_of(c->text[last - 1], ".!?") &&
           heading_is(c, line_start(c, at), &from, &to) && line_start(c, from) == line_start(c, at);
}

// Whether the words of C from byte AT on go back to what is before them: "After that, ...",
// "Otherwise ...", "This ...".
static int goes_back(const struct lines *c, size_t at)
{
    static const char alone[] = " thereafter otherwise however but then that such ",
                      before[] = " after in if for on by from until with before ",
                      behind[] = " that this those these such it ";
    char word[WORD_LISTED];
    size_t next = at, n = word_small(c->text, c->n, &next, word, sizeof word);
    if (company_refers(c, at) || word_is_listed(alone, word, n))
        return 1;
    const int leads = word_is_listed(before, word, n);
    n = word_small(c->text, c->n, &next, word, sizeof word);
    return leads && word_is_listed(behind, word, n);
}

// Whether the next clause begins at byte AT, below an empty line, with its letters and number or
// with those of its section: "G4  Bees are not covered.", "4.2 Bees ...". One with those of its
// section may be right below, unless its words go on: "10.2 After that, ..."
static int begins_clause(const struct lines *c, size_t last, size_t at)
{
    enum { LETTERS = 2 };
    size_t i = at, dots = 0;
    while (i < c->n && is_upper(c->text[i]))
        i++;
    const size_t letters = i - at, line = line_start(c, at);
    if (!last || !is_one_of(c->text[last - 1], ".!?") || letters > LETTERS ||
        line_words(c, line, c->n) != at)
        return 0;
    for (; i < c->n && (is_digit(c->text[i]) || c->text[i] == '.'); i++)
        dots += c->text[i] == '.' && i + 1 < c->n && is_digit(c->text[i + 1]);
    const int apart = line_is_bare_above(c, line);
    if (i == at + letters || !is_digit(c->text[at + letters]) || (!letters && !dots) ||
        (!dots && !apart))
        return 0;
    while (i < c->n && c->text[i] == ' ')
        i++;
    return i < c->n && c->text[i - 1] == ' ' && is_upper(c->text[i]) && (apart || !goes_back(c, i));
}

// Whether the next one of several terms begins at byte AT, below an empty line: its line is less
// indented than what ends before byte LAST, and has its own text set in below it.
static int begins_term(const struct lines *c, size_t last, size_t at)
{
    const size_t line = line_start(c, at), below = line_end(c, line) + 1,
                 in = line_indentation(c, line);
    return last && is_one_of(c->text[last - 1], ".!?") && line_is_bare_above(c, line) &&
           in < line_indentation(c, line_start(c, last - 1)) && below < c->n &&
           !line_is_empty(c, below) && line_indentation(c, below) > in;
}

// The end of the sentence behind byte TO, with what that says little without, and of another one
// behind a few words; TO where there is none.
static size_t next_end(const struct lines *c, size_t to)
{
    enum { FEW = 24 };
    const size_t last = to;
    size_t part, part_end;
    if (to)
        message_part_of(c, to - 1, &part, &part_end);
    else
        part_end = c->n;
    while (to < last + FEW && !cut_ends_paragraph(c, last, to)) {
        size_t from = to + strspn(c->text + to, " \t\r\n\f"), end, lead, lead_end;
        if (from >= part_end || heads_more(c, to, from) || begins_clause(c, to, from) ||
            begins_term(c, to, from))
            break;
        cut_sentence(c, from, &from, &end);
        if (company_signs(c, from, end) ||
            (courtesy_is(c, from, end) && !courtesy_greets(c, from, end)))
            break;
        company_extend(c, &from, &end, &lead, &lead_end);
        if (end <= to) // what is behind TO belongs to what is before it
            break;
        to = end;
    }
    return to;
}

size_t extent_end_behind(const struct lines *c, size_t to, int on)
{
    while (on-- > 0)
        to = next_end(c, to);
    return to;
}

int extent_head_ends(const struct lines *c, size_t from, size_t to)
{
    to = line_trimmed(c, from, to);
    if (to == from)
        return 0;
    const size_t last = line_start(c, to - 1), below = line_end(c, last) + 1;
    size_t head = last;
    if (!line_says_something(c->text + last, line_end(c, last) - last)) { // the rule
        if (last <= from)
            return 0;
        head = line_start(c, last - 1);
    }
    const char *text = c->text + head;
    const size_t n = line_end(c, head) - head;
    if (below >= c->n || !line_says_something(text, n))
        return 0;
    const char *row = c->text + below;
    const size_t n_row = line_end(c, below) - below;
    const int ruled = head < last || (is_one_of(*row, "|-+=") && !line_says_something(row, n_row));
    return ruled ? line_has_fields(text, n) : line_is_headed(text, n, row, n_row);
}

int extent_names_columns(const struct lines *c, size_t from, size_t to)
{
    struct columns t;
    to = line_trimmed(c, from, to);
    size_t line = to > from ? line_start(c, to - 1) : 0;
    if (line > from && columns_rule(c, line))
        line = line_start(c, line - 1);
    return to > from && columns_begin(&t, c, line);
}

// The end of the table whose head ends text[FROM..TO), where there is room for all of its rows; TO
// where there is none, or no such head. ENDS: the document ends with the text.
static size_t with_rows(const struct lines *c, int ends, size_t from, size_t to)
{
    size_t end = to;
    if (!extent_head_ends(c, from, to))
        return to;
    for (size_t line = line_end(c, line_trimmed(c, from, to)) + 1, next; line < c->n;
         line = next + 1) {
        next = line_end(c, line);
        if (next == line)
            break;
        if (next - from > LONGEST_SENTENCE || (next + 1 >= c->n && !ends))
            return to;
        if (line_has_fields(c->text + line, next - line))
            end = next;
        else if (line_says_something(c->text + line, next - line))
            break;
    }
    return end;
}

// Whether the sentence of F, around byte AT, may be a part of a longer one: it was cut, or the text
// around the block ends with it, which the document may go on beyond.
static int may_go_on(const struct extent *f, size_t at)
{
    size_t first, end;
    cut_whole(&f->c, at, &first, &end);
    return first < f->from || end > f->to || (!f->from && f->near.s.start) ||
           (!f->near.ends && line_trimmed(&f->c, f->to, f->c.n) == f->to);
}

// Where the sentence of F, around byte AT of its block, is a part of a longer one: F becomes the
// clauses of that which have what QUESTION asks for.
static int find_whole(struct extent *f, size_t at, const struct kvz *k, uint64_t block,
                      const char *question, struct err *e)
{
    struct extent w = {0};
    if (!may_go_on(f, f->near.own + at))
        return 0;
    int rc = vicinity_wide(&w.near, k, block, e);
    if (rc || !w.near.own_n) {
        stretch_done(&w.near.s);
        return rc;
    }
    lines_of_text(&w.c, w.near.s.text, w.near.s.n);
    at += w.near.own;
    cut_whole(&w.c, at, &w.from, &w.to);
    const size_t first = w.from, end = w.to;
    clause_choose(&w.c, question, at, &w.from, &w.to);
    // A line that is longer than any sentence has no whole one.
    const int is_in_line =
        (w.from > first || w.to < end) && !memchr(w.c.text + w.from, '\n', w.to - w.from);
    const int longer = (vicinity_is_whole(&w.near, first, end) || is_in_line) &&
                       end - first > f->to - f->from &&
                       w.near.s.start + first <= f->near.s.start + f->from &&
                       w.near.s.start + end >= f->near.s.start + f->to;
    w.cut_before = w.from > first;
    w.cut_behind = w.to < end;
    stretch_done(longer ? &f->near.s : &w.near.s);
    *f = longer ? w : *f;
    return 0;
}

// Adds to the sentence of F what it says little without.
static void find_company(struct extent *f)
{
    const size_t to = f->to;
    f->is_sentence = 1;
    f->own = f->from;
    f->refers = company_refers(&f->c, f->own);
    company_extend(&f->c, &f->from, &f->to, &f->lead, &f->lead_end);
    f->to = with_rows(&f->c, f->near.ends, f->from, f->to);
    f->cut_before &= f->from == f->own;
    f->cut_behind &= f->to == to;
}

// Where the sentence of F begins with "this" or the like, right below a command or the like that is
// set in or fenced off on lines of its own, or goes on below a fence: F begins with that, and with
// the line that leads it in.
static void find_shown(struct extent *f)
{
    const struct lines *c = &f->c;
    const size_t own = line_start(c, f->own), in = setting_words(c, own) - own;
    size_t top = own, above = 0, first, end;
    const int within = is_lower(c->text[f->own]);
    int fences = 0;
    if (!(f->refers || within) || f->from < f->own || f->lead < f->lead_end || f->own > own + in)
        return;
    for (size_t line = own; line > 0;) {
        line = line_start(c, line - 1);
        const size_t words = setting_words(c, line);
        const int fence = begins_with(c->text + words, c->n - words, "```");
        fences += fence;
        if (fence || fences % 2) { // within a fence
            top = line;
            above = 0;
        } else if (line_says_something(c->text + line, line_end(c, line) - line)) {
            above = line_trimmed(c, line, line_end(c, line));
            if (words - line <= in)
                break;
            top = line;
            above = 0;
        }
    }
    if (top == own || !above || (!f->refers && !fences))
        return;
    cut_sentence(c, above - 1, &first, &end);
    if ((within ? is_one_of(c->text[above - 1], ".!?") : c->text[above - 1] != ':') ||
        f->to - first > 2 * LONGEST_SENTENCE)
        return;
    f->from = first;
}

// Whether F is an item of a list of which it is not known what leads it in.
static int is_unled(const struct extent *f)
{
    const struct lines *c = &f->c;
    return f->lead >= f->lead_end && f->from >= f->own && f->near.s.start && !f->cut_before &&
           !f->cut_behind && line_words(c, line_start(c, f->own), f->own) >= f->own &&
           line_is_item(c->text + f->own, f->to - f->own);
}

// Whether F's own sentence, which ends before byte TO, leads in a list that may go on beyond the
// text around its block.
static int may_run_out(const struct extent *f, size_t to)
{
    const size_t end = line_trimmed(&f->c, f->own, to);
    return f->to > to && end > f->own && f->c.text[end - 1] == ':' && !f->near.ends &&
           line_trimmed(&f->c, f->to, f->c.n) == f->to;
}

// Where F, around byte AT of its block, is an item of a list that begins further above, or leads in
// one that ends further below; TO: the end of its own sentence. F becomes all of that.
static int find_list(struct extent *f, size_t at, size_t to, const struct kvz *k, uint64_t block,
                     struct err *e)
{
    struct extent w = {0};
    const int above = is_unled(f), below = may_run_out(f, to);
    if (!above && !below)
        return 0;
    int rc = vicinity_wide(&w.near, k, block, e);
    if (!rc && w.near.own_n) {
        lines_of_text(&w.c, w.near.s.text, w.near.s.n);
        cut_sentence(&w.c, w.near.own + at, &w.from, &w.to);
        find_company(&w);
        if (w.near.s.start + w.own == f->near.s.start + f->own &&
            ((above && w.lead < w.lead_end) ||
             (below && w.near.s.start + w.from == f->near.s.start + f->from &&
              (w.lead < w.lead_end) == (f->lead < f->lead_end) &&
              w.near.s.start + w.to > f->near.s.start + f->to))) {
            stretch_done(&f->near.s);
            *f = w;
            return 0;
        }
    }
    stretch_done(&w.near.s);
    return rc;
}

// Whether the line of byte AT is of prose, not a record or a setting.
static int is_of_prose(const struct lines *c, size_t at)
{
    const size_t line = line_start(c, at), end = line_end(c, at);
    return !line_has_fields(c->text + line, end - line) &&
           !columns_are_in(c->text + line, end - line) && setting_at(c, line).kind == SETTING_NONE;
}

// What leads in a list of prose is said from where its sentence begins, not only its last line.
static void find_beginning(struct extent *f)
{
    const struct lines *c = &f->c;
    size_t first, end, *from = f->lead < f->lead_end ? &f->lead : &f->from;
    if (*from >= f->own || c->text[line_trimmed(c, *from, line_end(c, *from)) - 1] != ':')
        return;
    cut_sentence(c, *from, &first, &end);
    if (first < *from && is_upper(c->text[first]) && is_of_prose(c, first))
        *from = first;
}

// Where nothing else leads in the sentence of F: the name of who says it.
static void find_speaker(struct extent *f)
{
    size_t from, to;
    if (f->lead == f->lead_end && speaker_of(&f->c, f->from, &from, &to)) {
        f->lead = from;
        f->lead_end = to;
        f->speaks = 1;
    }
}

int extent_within(const struct extent *f, size_t at)
{
    const struct lines *c = &f->c;
    size_t first, end;
    if (!is_of_prose(c, at))
        return 0;
    if (!at) // the text around the block may begin anywhere
        return f->near.within || (f->near.s.start && is_lower(*c->text));
    cut_whole(c, at, &first, &end);
    return first < at && is_of_prose(c, first) && line_says_something(c->text + first, at - first);
}

// Marks F where it begins or ends within a sentence; the last few words of one that goes with it
// are left out.
static void find_omitted(struct extent *f)
{
    enum { FEW = 24 }; // bytes
    const struct lines *c = &f->c;
    size_t first, end;
    if (f->from >= f->to)
        return;
    if (f->from < f->own && f->own < f->from + FEW && extent_within(f, f->from))
        f->from = f->own;
    f->cut_before |= extent_within(f, f->from);
    cut_whole(c, f->to - 1, &first, &end);
    f->cut_behind |= end > f->to ? line_says_something(c->text + f->to, end - f->to)
                                 : f->near.goes_on && line_trimmed(c, f->to, c->n) == f->to;
}

// F, all of its block, becomes the whole words of that.
static void find_words(struct extent *f)
{
    const char *text = f->c.text;
    while (f->from > 0 && f->from < f->to && !is_space(text[f->from - 1]) &&
           !is_space(text[f->from]))
        f->from++;
    while (f->to < f->c.n && f->to > f->from && !is_space(text[f->to - 1]) &&
           !is_space(text[f->to]))
        f->to--;
    while (f->from < f->to && is_space(text[f->from]))
        f->from++;
    f->to = line_trimmed(&f->c, f->from, f->to);
}

int extent_new(struct extent *f, const struct kvz *k, uint64_t block, const uint32_t *token, int on,
               const char *question, struct err *e)
{
    size_t at;
    *f = (struct extent){0};
    int rc = vicinity_new(&f->near, k, block, e);
    if (rc)
        return rc;
    lines_of_text(&f->c, f->near.s.text, f->near.s.n);
    f->own = f->from = f->near.own;
    f->to = f->near.own + f->near.own_n;
    if (token && f->near.own_n) {
        if ((rc = extent_sentence(&f->c, &f->near, k, block, *token, &at, &f->from, &f->to, e)) ||
            (question && !on && (rc = find_whole(f, at, k, block, question, e))))
            return rc;
        const size_t to = f->to;
        find_company(f);
        if (question && !on && (rc = find_list(f, at, to, k, block, e)))
            return rc;
    }
    f->to = extent_end_behind(&f->c, f->to, on);
    if (question && f->is_sentence) {
        find_shown(f);
        find_beginning(f);
        find_speaker(f);
        extent_before(f, question);
    } else if (question) {
        find_words(f);
    }
    if (question)
        find_omitted(f);
    return 0;
}
