#define _GNU_SOURCE
#include "engine/sentences/sentences.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "engine/lines/lines.h"
#include "engine/lines/message.h"
#include "engine/sentences/cut.h"
#include "engine/words/dates.h"
#include "engine/words/day.h"
#include "engine/words/wordlist.h"
#include "engine/words/words.h"
#include "io/mem.h"

enum {
    LOOK = 4096, // bytes that are read at once, about: what makes prose broken into lines wide
    AHEAD = 1024 // bytes behind a sentence, and before it, that tell where it ends and begins
};

void sentences_begin_of(struct sentences *w, const struct sentences_source *of, uint64_t from)
{
    *w = (struct sentences){
        .of = of, .from = from, .to = of->n, .next = from, .block = from, .is_end = 1};
}

static uint64_t n_blocks(const struct sentences *w)
{
    return w->of ? w->of->n : kvz_n_blocks(w->k);
}

static int block(const struct sentences *w, uint64_t i, struct kvz_block *b, struct err *e)
{
    return w->of ? w->of->piece(w->of->arg, i, b, e) : kvz_block(w->k, i, b, e);
}

static const char *path(const struct sentences *w)
{
    return w->of ? w->of->path : kvz_path(w->k);
}

int sentences_begin(struct sentences *w, struct kvz *k, uint64_t from, uint64_t to, struct err *e)
{
    struct kvz_block b = {0};
    *w = (struct sentences){.k = k, .from = from, .to = to, .next = from, .is_end = 1};
    int rc = from < to ? kvz_block(k, from, &b, e) : 0;
    // A sentence that begins before the stretch is not of it.
    for (const uint64_t start = b.start; !rc && b.start && start - b.start < AHEAD && w->next > 0;)
        rc = kvz_block(k, --w->next, &b, e);
    w->block = w->next;
    rc = rc ? rc : kvz_text(k, &w->all, &w->all_n, e);
    for (uint64_t i = 0; !rc && w->all && i < w->next; i++)
        if (!(rc = kvz_block(k, i, &b, e)))
            w->all_at += b.end - b.start;
    return rc;
}

void sentences_done(struct sentences *w)
{
    free(w->text);
}

// Drops what has been looked at, but for the line before.
static void drop(struct sentences *w)
{
    size_t keep = line_start(&w->c, w->at);
    keep = keep ? line_start(&w->c, keep - 1) : 0;
    keep = w->at - keep > AHEAD ? w->at : keep;
    memmove(w->text, w->text + keep, w->n - keep);
    w->n -= keep;
    w->at -= keep;
    w->text_start += keep;
}

// The text of block NEXT.
static int read_text(struct sentences *w, size_t bytes, struct err *e)
{
    int rc = 0;
    if (w->of)
        rc = w->of->read(w->of->arg, w->next, w->text + w->n, e);
    else if (!w->all)
        rc = kvz_read_text(w->k, w->next, w->text + w->n, e);
    else if (w->all_at > w->all_n || bytes > w->all_n - w->all_at)
        rc = err_set(e, ERR_FORMAT, "%s: section TEXT is too short", path(w));
    else
        memcpy(w->text + w->n, w->all + w->all_at, bytes);
    if (rc)
        return rc;
    blank_nuls(w->text + w->n, bytes);
    w->all_at += bytes;
    return 0;
}

// How the lines begin between which an e-book of Project Gutenberg has the book itself, behind
// "THE" or "THIS".
static const char BOOK_STARTS[] = "*** START OF TH", BOOK_ENDS[] = "*** END OF TH";

// Whether byte AT of C begins such a line, which begins as BORDER does.
static int is_border(const struct lines *c, size_t at, const char *border)
{
    static const char of[] = "PROJECT GUTENBERG";
    const char *line = c->text + at;
    const size_t n = line_end(c, at) - at;
    return begins_with(line, n, border) && memmem(line, n, of, sizeof of - 1);
}

// The byte where the book begins in what is said before it, of what stands at the beginning of a
// document: behind the paragraph that says so.
static size_t past_licence(const struct sentences *w)
{
    const char *line =
        w->text_start ? NULL : memmem(w->text, w->n, BOOK_STARTS, sizeof BOOK_STARTS - 1);
    if (!line)
        return 0;
    size_t at = (size_t)(line - w->text);
    if (!is_border(&w->c, at, BOOK_STARTS))
        return 0;
    while (at < w->n && !line_is_empty(&w->c, at))
        at = line_end(&w->c, at) + 1;
    return at < w->n ? at : w->n;
}

// More blocks, of one document. At its end, of the next one.
static int look(struct sentences *w, struct err *e)
{
    struct kvz_block b;
    int rc = 0;
    const int begins = w->is_end;
    if (begins) {
        if (w->next >= w->to)
            return 0;
        if ((rc = block(w, w->next, &b, e)))
            return rc;
        w->n = w->at = 0;
        w->text_start = b.start;
        w->document = b.document;
        w->block = w->next;
        w->is_end = w->under = w->in_mail = w->in_licence = 0;
        w->of_document = b.start ? INT_MAX / 2 : 0;
        w->of_heading++;
        *w->heading = 0;
    } else
        drop(w);
    for (const size_t until = w->n + LOOK; w->n < until; w->next++) {
        w->is_end = w->next >= n_blocks(w);
        if (w->is_end || (rc = block(w, w->next, &b, e)) || (w->is_end = b.document != w->document))
            break;
        const size_t bytes = (size_t)(b.end - b.start);
        if ((rc = MEM_GROW(w->text, w->cap, w->n + bytes + 1, e)) || (rc = read_text(w, bytes, e)))
            break;
        w->n += bytes;
    }
    lines_of_text(&w->c, w->text, w->n);
    if (!rc && begins)
        w->at = past_licence(w);
    return rc ? rc : 1;
}

// Past the mark of a list, the marks of a comment: what a sentence is read without.
static size_t past_marks(const struct sentences *w, size_t from, size_t to)
{
    size_t i = line_words(&w->c, from, to);
    while (i + 1 < to && is_one_of(w->text[i], "*-+") && is_space(w->text[i + 1]))
        i = line_words(&w->c, i + 1, to);
    return i < to ? i : from;
}

// Whether the heading TEXT [n] says something as a sentence does, with a verb in small letters and
// such a word behind it, and does not ask: "19.1 This lease is governed by the law of Wales", but
// not "12 May", "The Ferry is Lost".
static int says(const char *text, size_t n)
{
    static const char verbs[] = " is are was were shall may must has have ";
    char stem[WORD_STEM];
    size_t bytes;
    int verb = 0; // right before the word
    if (words_listed(WORDLIST_ASKING, text, n) || line_asks(text, n))
        return 0;
    for (size_t at = 0; word_next(text, n, &at, stem, &bytes);) {
        const char *word = text + at - bytes;
        if (verb && !is_upper(*word))
            return 1;
        verb = is_lower(*word) && word_is_listed(verbs, word, bytes);
    }
    return 0;
}

// Whether the line that begins with byte LINE, a whole paragraph as all lines of its text are,
// heads the next one: FROM to TO.
static int heads_paragraph(const struct lines *c, size_t line, size_t *from, size_t *to)
{
    const size_t end = line_end(c, line), next = end + 1;
    *from = line + strspn(c->text + line, " \t");
    *to = line_trimmed(c, *from, end);
    return !c->width && *to > *from && *to - *from < HEADING_LONGEST && next < c->n &&
           line_end(c, next) - next > HEADING_LONGEST && !cut_has_stop(c, *from, *to) &&
           (is_upper(c->text[*from]) || is_digit(c->text[*from])) &&
           !is_one_of(c->text[*to - 1], ".!?;:,") && !line_has_fields(c->text + *from, *to - *from);
}

// Whether TEXT [n] only says which part of a book begins, whose title is the next heading.
static int is_of_part(const char *text, size_t n)
{
    static const char parts[] = " chapter part book section letter volume act canto schedule annex "
                                "appendix kapitel teil ";
    char word[WORD_LISTED];
    size_t at = 0, words = 1;
    const size_t first = word_small(text, n, &at, word, sizeof word);
    while (word_small(text, n, &at, word, sizeof word))
        words++;
    return first && word_is_listed(parts, text, first) && words == 2;
}

// Whether the line that begins with byte LINE stands alone: FROM to TO, without white space.
static int is_alone(const struct lines *c, size_t line, size_t *from, size_t *to)
{
    const size_t end = line_end(c, line);
    *to = line_trimmed(c, line, end);
    for (*from = line; *from < *to && is_space(c->text[*from]);)
        ++*from;
    return *to > *from && line_is_bare_above(c, line) && line_is_bare(c, end + 1);
}

// Whether it does so and begins a part, with a stop behind it or not.
static int begins_part(const struct lines *c, size_t line, size_t *from, size_t *to)
{
    return is_alone(c, line, from, to) && is_of_part(c->text + *from, *to - *from);
}

// Whether it does so and is a title in capitals, whatever it ends with ("THE LAST FERRY.").
static int is_in_capitals(const struct lines *c, size_t line, size_t *from, size_t *to)
{
    return is_alone(c, line, from, to) && *to - *from < HEADING_LONGEST &&
           is_upper(c->text[*from]) && !has_lower(c->text + *from, *to - *from) &&
           !word_has_digit(c->text + *from, *to - *from);
}

// Whether the line that begins with byte LINE is marked as a heading ("## rent"), whatever its
// first letter, and stands alone as one: FROM to TO.
static int is_marked(const struct lines *c, size_t line, size_t *from, size_t *to)
{
    const size_t end = line_end(c, line);
    *from = line;
    *to = line_trimmed(c, line, end);
    return c->text[line] == '#' && *to - line < HEADING_LONGEST && line_is_bare_above(c, line) &&
           line_is_bare(c, end + 1);
}

// Whether the line that begins with byte LINE is a numbered title, alone, with a stop behind it
// ("5. Conveying Modified Source Versions."): FROM to TO.
static int is_title(const struct lines *c, size_t line, size_t *from, size_t *to)
{
    const size_t end = line_end(c, line);
    size_t words = 0, capitals = 0, i;
    *from = i = line + strspn(c->text + line, " \t");
    *to = line_trimmed(c, *from, end);
    while (i < *to && (is_digit(c->text[i]) || c->text[i] == '.'))
        i++;
    if (i == *from || i == *to || c->text[i] != ' ' || *to - *from >= HEADING_LONGEST ||
        !line_is_bare_above(c, line) || !line_is_bare(c, end + 1) ||
        cut_has_stop(c, i, *to)) // a clause
        return 0;
    for (size_t at = i, n; at < *to; at += n + 1) {
        n = strcspn(c->text + at, " \n");
        words += n > 3;
        capitals += n > 3 && is_upper(c->text[at]);
    }
    return capitals > 0 && 2 * capitals > words;
}

// Whether the line that begins with byte LINE only rules: "=====".
static int rules(const struct lines *c, size_t line)
{
    return line < c->n && line_is_bare(c, line) && !line_is_empty(c, line);
}

// Whether the line that begins with byte LINE stands alone between two that rule, FROM to TO: it
// heads what is below, whatever gaps it has.
static int is_between_rules(const struct lines *c, size_t line, size_t *from, size_t *to)
{
    line = rules(c, line) ? line_end(c, line) + 1 : line; // the sentence may begin with it
    return line && line < c->n && is_alone(c, line, from, to) && *to - *from < HEADING_LONGEST &&
           rules(c, line_start(c, line - 1)) && rules(c, line_end(c, line) + 1);
}

// Whether the line that begins with byte LINE, FROM to TO, is the day and the place that head an
// entry right below it, and was broken behind them: "Friday 7 May. Ham."
static int is_dateline(const struct lines *c, size_t line, size_t *from, size_t *to)
{
    struct day day;
    const size_t end = line_end(c, line), next = end + 1;
    *from = line;
    *to = line_trimmed(c, line, end);
    const size_t n = day_begins(c->text + line, *to - line, &day);
    return n && line + n < *to && c->text[line + n] == '.' && c->text[*to - 1] == '.' &&
           2 * line_width(c->text + line, *to - line) < c->width && line_is_bare_above(c, line) &&
           next < c->n && !line_is_bare(c, next);
}

// Whether FROM to TO, a line that asks, says something else before that: it is prose.
static int asks_behind_another(const struct lines *c, size_t from, size_t to)
{
    return line_asks(c->text + from, to - from) && cut_has_stop(c, from, to);
}

// Whether TEXT [n], which stands as a heading does, is none: a setting, columns, what is said, an
// item of a list such as a table of contents.
static int is_none(const char *text, size_t n)
{
    static const char section[] = "\u00a7";
    size_t number = begins_with(text, n, section) ? sizeof section - 1 : 0;
    while (number < n && (is_digit(text[number]) || text[number] == '.' ||
                          (number && text[number] == ' '))) // "5.   Rent", "\u00a7 5  Rent"
        number++;
    for (size_t i = number; i + 1 < n; i++)
        if ((text[i] == ' ' && text[i + 1] == ' ') || text[i] == '\t' || text[i] == '/')
            return 1;
    return text[0] == '[' || line_label(text, n) ||
           (n > 1 && is_one_of(text[0], "*-+") && text[1] == ' ') ||
           (n > 1 && text[n - 1] == '"' && is_one_of(text[n - 2], ".!?,"));
}

// The next heading is that of what follows, behind the one right above it that it is the title of:
// "CHAPTER II. The canal".
static void begin_section(struct sentences *w, size_t from, size_t to)
{
    static const char joint[] = ". ";
    size_t part = !w->under && is_of_part(w->heading, strlen(w->heading)) ? strlen(w->heading) : 0;
    while (part && is_one_of(w->heading[part - 1], ".:"))
        part--;
    part += part ? sizeof joint - 1 : 0;
    if (part + to - from >= HEADING_LONGEST) // too long together, or alone
        part = 0;
    if (part)
        memcpy(w->heading + part - (sizeof joint - 1), joint, sizeof joint - 1);
    to = to - from < HEADING_LONGEST ? to : from;
    for (size_t i = from; i < to; i++) // runs of blanks become one
        if (i == from || w->text[i] != ' ' || w->text[i - 1] != ' ')
            w->heading[part++] = w->text[i];
    w->heading[part] = 0;
    w->under = 0;
    w->of_heading++;
}

// Begins what stands below the head of a mail or commit, FROM to TO; a commit's subject heads it.
static void begin_message(struct sentences *w, size_t from, size_t to)
{
    size_t end = to;
    if (message_is_commit(w->text + from, to - from))
        end = message_subject(&w->c, to);
    if (end > to) {
        const size_t line = line_start(&w->c, end - 1);
        from = line_words(&w->c, line, end);
        end = line_trimmed(&w->c, from, end);
    } else {
        end = from;
    }
    begin_section(w, from, end);
}

// Whether the line that begins with byte LINE is of the head of a mail, whose subject heads what
// follows, or of a signature.
static int is_of_mail(struct sentences *w, size_t line)
{
    enum { LINES = 8 }; // of a signature
    static const char gap[] = ": ";
    size_t from, to, end = line_trimmed(&w->c, line, line_end(&w->c, line));
    if (message_head(&w->c, line, &from, &to)) {
        w->in_mail = 1;
        const size_t own = line_words(&w->c, line, end);
        if (message_field_of(w->text + own, end - own) == MESSAGE_SUBJECT) {
            const char *value = memmem(w->text + own, end - own, gap, sizeof gap - 1);
            begin_section(w, (size_t)(value - w->text) + sizeof gap - 1, end);
        } else if (from == line) {
            begin_message(w, from, to);
        }
        return 1;
    }
    for (int i = 0; i < LINES; i++) {
        if (message_is_signed(&w->c, line))
            return 1;
        if (!line || line_is_bare(&w->c, line))
            return 0;
        line = line_start(&w->c, line - 1);
    }
    return 0;
}

// Whether the sentence is what heads it, as the subject of a commit is.
static int is_own_heading(const struct sentences *w)
{
    const size_t n = w->last - w->first;
    return n == strlen(w->heading) && !memcmp(w->text + w->first, w->heading, n);
}

// Whether the sentence is, at its end, of another mail, which the one that it stands in quotes: "On
// Monday Ada wrote:" and what she wrote, or only that.
static int is_of_other_mail(const struct sentences *w)
{
    return w->in_mail && line_quoted(&w->c, line_start(&w->c, w->last - 1)) > 0;
}

// Whether the sentence is a heading, which it is for all that follow, or of no use to a summary.
static int is_heading(struct sentences *w)
{
    const size_t line = line_start(&w->c, w->first);
    size_t from, to;
    if (is_of_mail(w, line) || is_own_heading(w))
        return 1;
    if (is_between_rules(&w->c, line, &from, &to) || is_dateline(&w->c, line, &from, &to)) {
        begin_section(w, from, to - (w->text[to - 1] == '.'));
        return 1;
    }
    if ((!heading_is(&w->c, line, &from, &to) && !is_marked(&w->c, line, &from, &to) &&
         !is_title(&w->c, line, &from, &to) && !begins_part(&w->c, line, &from, &to) &&
         !is_in_capitals(&w->c, line, &from, &to) && !heads_paragraph(&w->c, line, &from, &to)) ||
        (to < w->last && line_says_something(w->text + to, w->last - to)) ||
        is_none(w->text + from, to - from) || asks_behind_another(&w->c, from, to) ||
        says(w->text + from, to - from))
        return w->is_quoted && !w->with_quoted;
    while (from < to && (is_one_of(w->text[from], "#>") || is_space(w->text[from])))
        from++;
    to -= w->text[to - 1] == '.';
    begin_section(w, from, to);
    return 1;
}

// Whether the sentence begins an entry of another day than the one that heads what is above it:
// "17 September. Two were ill."
static int is_of_other_day(const struct sentences *w)
{
    const size_t line = line_start(&w->c, w->first);
    struct day day;
    const size_t n = day_begins(w->text + w->first, w->last - w->first, &day);
    return n && w->first + n < w->last && is_one_of(w->text[w->first + n], ".:") &&
           dates_alone(w->heading, strlen(w->heading)) && line_is_bare_above(&w->c, line);
}

// The block that byte AT of the document begins in.
static int find_block(struct sentences *w, uint64_t at, struct err *e)
{
    struct kvz_block b;
    int rc = block(w, w->block, &b, e);
    while (!rc && at >= b.end && w->block + 1 < n_blocks(w))
        rc = block(w, ++w->block, &b, e);
    return rc;
}

int sentences_next(struct sentences *w, struct err *e)
{
    for (;;) {
        size_t n;
        while (w->at < w->n && (n = white_space(w->text + w->at, w->n - w->at)) > 0)
            w->at += n;
        if (w->at >= w->n || (!w->is_end && w->n - w->at < AHEAD)) {
            const size_t had = w->n - w->at;
            int rc = look(w, e);
            if (rc <= 0)
                return rc;
            if (w->n - w->at == had && !w->is_end)
                return err_set(e, ERR_FORMAT, "%s: blocks without text", path(w));
            continue;
        }
        size_t from, to;
        cut_sentence(&w->c, w->at, &from, &to);
        w->first = past_marks(w, from > w->at ? from : w->at, to);
        w->last = w->at = to > w->at ? to : w->at + 1;
        w->start = w->text_start + w->first;
        w->end = w->text_start + w->last;
        int rc = find_block(w, w->start, e);
        if (rc || w->block >= w->to)
            return rc;
        const size_t line = line_start(&w->c, w->first);
        w->is_quoted = is_of_other_mail(w);
        w->in_licence |= is_border(&w->c, line, BOOK_ENDS);
        if (w->in_licence || is_heading(w))
            continue;
        if (is_of_other_day(w))
            begin_section(w, w->first, w->first);
        w->under++;
        w->of_document++;
        if (w->block >= w->from)
            return 1;
    }
}
