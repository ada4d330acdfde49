// What stands above a sentence and tells what it is about: the head of a table above its rows; the
// first line of the record that it is a part of; a heading, the title with which its paragraph
// begins, or a line that it is indented under, that has what the question asks for ("Let it rest
// for ninety minutes." is about pancakes in the recipe of that name, "It closed at noon." about the
// day that heads an entry).
#include <stdlib.h>
#include <string.h>

#include "engine/lines/columns.h"
#include "engine/lines/label.h"
#include "engine/lines/line_cells.h"
#include "engine/lines/lines.h"
#include "engine/lines/message.h"
#include "engine/passage/sentence.h"
#include "engine/passage/stretch.h"
#include "engine/question/asked.h"
#include "engine/question/message_asked.h"
#include "engine/question/question.h"
#include "engine/sentences/cut.h"
#include "engine/sentences/heading.h"
#include "engine/sentences/stands.h"
#include "engine/words/dates.h"
#include "engine/words/words.h"
#include "io/mem.h"

enum {
    BLOCKS = 24,   // how far above a sentence its heading is looked for,
    RECORD = 8,    // and the beginning of the record that it is in,
    FIRST_LINE = 8 // and blocks that the first line of a document is
};

// Cuts A to whole lines, unless it begins where its document does.
static void trim(struct stretch *a)
{
    const char *end = memchr(a->text, '\n', a->n);
    if (a->start)
        stretch_cut(a, end ? (size_t)(end - a->text) + 1 : a->n, a->n);
}

// A sentence, from byte AT on, and what is above it.
struct above {
    struct lines c;
    size_t at;
    uint64_t start; // of the text of C in its document
};

// Finds a heading in A that tells what TEXT does not: the next one above, unless TEXT begins with
// one that is no lower, one above that of a higher level, the title of the document, or the head of
// a mail or a commit, of which the *N bytes of TOLD tell it; of other headings *N is 0.
static int find(const struct above *a, const char *question, const char *text, size_t *from,
                size_t *to, char told[MESSAGE_TOLD], size_t *n)
{
    const struct lines *c = &a->c;
    int level = 0, first = 1;
    size_t head, end;
    if (message_commit(c, a->at, from, to))
        return (*n = message_told(c->text + *from, *to - *from, question, text, told)) > 0;
    const struct lines own_text = {.text = text, .n = strlen(text)};
    if (heading_is(&own_text, 0, from, to) && !columns_are_in(text + *from, *to - *from)) {
        level = heading_level(text + *from, *to - *from);
        first = 0;
    }
    *n = 0;
    for (size_t at = a->at; heading_before(c, at, from, to); at = *from) {
        const int own = heading_level(c->text + *from, *to - *from);
        const int title = a->start + line_start(c, *from) == 0;
        if (message_head(c, *from, &head, &end))
            return (*n = message_told(c->text + *from, *to - *from, question, text, told)) > 0;
        if (!first && !title && (!own || own >= level))
            continue;
        // The title says no more of when something was than the sentence does.
        if (title && asked_for_date(question) && dates_say(text, strlen(text)))
            return 0;
        // "Minutes of 2018 to 2022" do not say of which year a sentence is.
        if (asked_heads(c->text + *from, *to - *from, first || !title, question, text))
            return 1;
        level = own;
        first = 0;
    }
    return 0;
}

// Whether TEXT [n] ends as a heading does: without a stop, whatever closes behind that, and not as
// code does.
static int ends_open(const char *text, size_t n)
{
    const size_t end = stands_closed(text, n);
    return end > 0 && !stands_ended(text, n) && !is_one_of(text[end - 1], ";,{}(");
}

// Finds a line in A that the line of the sentence is indented under, or that this one is, and so
// on, which is short like a heading and tells what TEXT does not: "cgroup" of a manual page. The
// line below it is set in, and it is none of a message's head or of a comment.
static int find_outer(const struct above *a, const char *question, const char *text, size_t *from,
                      size_t *to)
{
    enum { SHORT = 60 };
    const struct lines *c = &a->c;
    size_t line = line_start(c, a->at), columns = line_indentation(c, line), below = columns;
    size_t head, head_end;
    for (*from = line; *from < c->n && is_space(c->text[*from]);)
        ++*from;
    if (*from < c->n && is_one_of(c->text[*from], "*/#>"))
        return 0;
    while (line > 0 && columns > 0) {
        line = line_start(c, line - 1);
        const size_t end = line_end(c, line), own = line_indentation(c, line);
        if (line_is_empty(c, line) || !line_says_something(c->text + line, end - line))
            continue;
        const int set_in = below > own;
        below = own;
        if (own >= columns)
            continue;
        columns = own;
        if (message_head(c, line, &head, &head_end))
            return 0;
        for (*from = line; is_space(c->text[*from]);)
            ++*from;
        *to = line_trimmed(c, *from, end);
        if (set_in && *to - *from < SHORT && ends_open(c->text + *from, *to - *from) &&
            !line_has_fields(c->text + *from, *to - *from) &&
            asked_heads(c->text + *from, *to - *from, 1, question, text))
            return 1;
    }
    return 0;
}

// The level of the heading with marks that TEXT [n] begins with, "## Rent"; 0: it begins with none.
static int marked_level(const char *text, size_t n)
{
    return *text == '#' ? heading_level(text, n) : 0;
}

// Whether HEADING [n], above other ones of which *LEVEL is that of the highest one with marks, 0
// where none has them, is of a section that ended before these.
static int is_over(const char *heading, size_t n, int *level)
{
    const int own = marked_level(heading, n);
    const int over = own && *level && own >= *level;
    *level = own && !over ? own : *level;
    return over;
}

// Whether the heading FROM to TO, before the first sentence of a document, tells when that came
// about: "Received 3 May 2020" of a paper.
static int tells_of_document(const struct above *a, size_t from, size_t to)
{
    static const char words[] = " received accepted submitted revised published printed updated "
                                "eingegangen eingereicht angenommen ";
    return !a->start && words_listed(words, a->c.text + from, to - from) &&
           !cut_has_stop(&a->c, 0, from);
}

// Finds the next heading in A above TEXT with a date, of a record too, unless it is the title of
// the document with others below it, or one of when that came about, which QUESTION does not ask
// for, or a mail begins there.
static int find_date(const struct above *a, const char *question, const char *text, size_t *from,
                     size_t *to)
{
    size_t at = a->at, head, end, record, record_end;
    int there = 1, level = marked_level(text, strlen(text));
    for (int first = 1; there; at = *from, first = 0) {
        there = heading_before(&a->c, at, from, to);
        if (heading_of_record(&a->c, there ? *to : 0, at, &record, &record_end)) {
            *from = record;
            *to = record_end;
            return 1;
        }
        if (!there || message_head(&a->c, *from, &head, &end) ||
            (!first && (a->start + *from == 0 ||
                        (tells_of_document(a, *from, *to) &&
                         !asked_heads(a->c.text + *from, *to - *from, 0, question, text)))))
            return 0;
        if (!is_over(a->c.text + *from, *to - *from, &level) &&
            dates_say(a->c.text + *from, *to - *from))
            return 1;
    }
    return 0;
}

// Whether TEXT [n] has a number of a version: "2.3", "versions 416 and 418".
static int has_version(const char *text, size_t n)
{
    int number = 0;
    for (size_t i = 0; i < n; i++) {
        number |= is_digit(text[i]);
        if (i + 2 < n && is_digit(text[i]) && text[i + 1] == '.' && is_digit(text[i + 2]))
            return 1;
    }
    return number && words_any("version versions release releases", text, n);
}

// Finds the next line in A above TEXT with a version that heads what is below it: a heading, or one
// of its own at the margin, underlined or not, that is no sentence ("less (590-2) unstable").
static int find_version(const struct above *a, const char *text, size_t *from, size_t *to)
{
    const struct lines *c = &a->c;
    int level = marked_level(text, strlen(text));
    for (size_t line = line_start(c, a->at); line > 0;) {
        line = line_start(c, line - 1);
        const size_t end = line_end(c, line), below = end + 1;
        const int apart = !is_space(c->text[line]) && below < c->n && line_is_bare(c, below) &&
                          (!line || line_is_empty(c, line_start(c, line - 1)));
        if (!heading_is(c, line, from, to)) {
            *from = line;
            *to = line_trimmed(c, line, end);
            if (!apart || *to - *from >= HEADING_LONGEST || is_one_of(c->text[*to - 1], ".,;") ||
                cut_has_stop(c, *from, *to))
                continue;
        }
        if (!is_over(c->text + *from, *to - *from, &level) &&
            has_version(c->text + *from, *to - *from))
            return 1;
    }
    return 0;
}

int sentence_text_above(struct stretch *a, const struct kvz *k, uint64_t block, uint64_t blocks,
                        struct err *e)
{
    struct kvz_block b;
    struct kvz_document d;
    int rc = kvz_block(k, block, &b, e);
    if (rc || (rc = kvz_document(k, b.document, &d, e)))
        return rc;
    const uint64_t first = block > d.first_block + blocks ? block - blocks : d.first_block;
    const uint64_t end = block + 1 < d.first_block + d.n_blocks ? block + 2 : block + 1;
    if (!(rc = stretch_new(a, k, b.document, first, end, NULL, e)))
        trim(a);
    return rc;
}

// Copies the first line of TEXT [n] to LINE if it is whole, not too long, and ROW can be a row
// below it.
static int take_head(char line[LONGEST_SENTENCE], const char *text, size_t n, const char *row,
                     size_t n_row)
{
    const char *end = memchr(text, '\n', n);
    const size_t bytes = end ? (size_t)(end - text) : n;
    line[0] = 0;
    if (!end || bytes >= LONGEST_SENTENCE || !line_is_headed(text, bytes, row, n_row))
        return 0;
    memcpy(line, text, bytes);
    line[bytes] = 0;
    return 1;
}

// Whether the line TEXT [n] is a rule with as many columns as ROW [n_row]: "-----|-----|---".
static int rules(const char *text, size_t n, const char *row, size_t n_row)
{
    const size_t marks = line_marks(row, n_row, '|');
    return marks && !line_says_something(text, n) &&
           (line_marks(text, n, '|') == marks || line_marks(text, n, '+') == marks);
}

// LINE: the head of the table in A whose last row is ROW, which begins with byte AT of A.
static int head_of_rows(char line[LONGEST_SENTENCE], const struct stretch *a, size_t at,
                        const char *row, size_t n)
{
    size_t top = at;
    for (size_t up = at, goes_on = 1; up > 0 && goes_on;) {
        const size_t end = up - 1;
        for (up = end; up > 0 && a->text[up - 1] != '\n';)
            up--;
        goes_on = lines_divide_alike(a->text + up, end - up, row, n);
        top = goes_on ? up : top;
        goes_on |= rules(a->text + up, end - up, row, n);
    }
    return top < at && take_head(line, a->text + top, at - top, row, n);
}

// LINE: the head of the table in A that is divided by blanks and has the row of byte AT, without
// the indentation that the row is said without.
static int head_of_columns(char line[LONGEST_SENTENCE], const struct stretch *a, size_t at)
{
    struct lines c;
    struct columns t;
    lines_of_text(&c, a->text, a->n);
    for (size_t from = 0; from <= at;) {
        if (!columns_begin(&t, &c, from)) {
            from = line_end(&c, from) + 1;
            continue;
        }
        while (columns_next(&t, &c))
            if (t.row.from <= at && at < t.row.to && span_bytes(t.head) < LONGEST_SENTENCE) {
                const size_t in = line_indentation(&c, t.row.from);
                struct span_of_text own = t.head;
                while (own.from < t.head.from + in && a->text[own.from] == ' ')
                    own.from++;
                memcpy(line, a->text + own.from, span_bytes(own));
                line[span_bytes(own)] = 0;
                return 1;
            }
        from = t.at;
    }
    return 0;
}

// LINE: the first line of the document, if that is the head of ROW's table.
static int head_of_document(char line[LONGEST_SENTENCE], const struct kvz *k, uint64_t block,
                            const char *row, size_t n, struct err *e)
{
    struct kvz_block b;
    struct kvz_document d;
    struct stretch a = {0};
    int rc = kvz_block(k, block, &b, e);
    if (!rc)
        rc = kvz_document(k, b.document, &d, e);
    if (!rc)
        rc = stretch_new(&a, k, b.document, d.first_block,
                         d.first_block + (d.n_blocks < FIRST_LINE ? d.n_blocks : FIRST_LINE), NULL,
                         e);
    if (!rc)
        take_head(line, a.text, a.n, row, n);
    stretch_done(&a);
    return rc;
}

// LINE: the line that names the columns of the table that ROW [n] is a row of: the one above its
// rows, or the first line of the document; "" when there is none. ROW begins with byte START of its
// document, in BLOCK or near it.
static int table_head(char line[LONGEST_SENTENCE], const struct kvz *k, uint64_t block,
                      uint64_t start, const char *row, size_t n, struct err *e)
{
    struct stretch a = {0};
    line[0] = 0;
    const char *more = memchr(row, '\n', n); // cells that go on
    const int record = !more && line_has_fields(row, n);
    if (!start || (!record && !columns_are_in(row, more ? (size_t)(more - row) : n)))
        return 0;
    int rc = sentence_text_above(&a, k, block, BLOCKS, e), found = 0;
    if (!rc && start > a.start && start - a.start <= a.n)
        found = (record && head_of_rows(line, &a, (size_t)(start - a.start), row, n)) ||
                head_of_columns(line, &a, (size_t)(start - a.start));
    stretch_done(&a);
    return rc || found || !record ? rc : head_of_document(line, k, block, row, n, e);
}

// Whether the lines of C from byte TOP on, its paragraph up to byte END, are a record: LEAST of
// them with labels of which none comes again, and not the items of a numbered list.
static int is_record(const struct lines *c, size_t top, size_t end)
{
    enum { LEAST = 3 };
    size_t line = top, next;
    if (line_is_numbered(c->text + top, end - top))
        return 0;
    for (int i = 0; i < LEAST; i++, line = next) {
        next = line_end(c, line) + 1;
        if (next >= end || !label_is_other(c, line, next, end))
            return 0;
    }
    return 1;
}

// LINE: the first line of the record that byte AT of A is in. Returns whether A has the beginning
// of its paragraph.
static int name_of_record(char line[LONGEST_SENTENCE], const struct stretch *a, size_t at)
{
    enum { LONG = 120 };
    struct lines c;
    lines_of_text(&c, a->text, a->n);
    const size_t own = line_start(&c, at);
    size_t top = own, end = own;
    for (size_t up; top > 0 && !line_is_bare(&c, up = line_start(&c, top - 1));)
        top = up;
    if (!top && a->start)
        return 0;
    while (end < a->n && a->text[end] != '\n')
        end = line_end(&c, end) + 1;
    const size_t n = line_end(&c, top) - top;
    if (top < own && n < LONG && is_record(&c, top, end)) {
        memcpy(line, a->text + top, n);
        line[n] = 0;
    }
    return 1;
}

// LINE: the first line of the record ("Name: ...") that byte FROM of NEAR is in: of a paragraph of
// lines with different labels; "" when there is none, or it is that line.
static int record_name(char line[LONGEST_SENTENCE], const struct kvz *k, uint64_t block,
                       const struct stretch *near, size_t from, struct err *e)
{
    struct stretch a = {0};
    const uint64_t start = near->start + from;
    line[0] = 0;
    if (name_of_record(line, near, from))
        return 0;
    int rc = sentence_text_above(&a, k, block, RECORD, e);
    if (!rc && start > a.start && start - a.start < a.n)
        name_of_record(line, &a, (size_t)(start - a.start));
    stretch_done(&a);
    return rc;
}

int sentence_above(char line[LONGEST_SENTENCE], const struct kvz *k, uint64_t block,
                   const struct stretch *near, size_t from, size_t to, struct err *e)
{
    int rc = table_head(line, k, block, near->start + from, near->text + from, to - from, e);
    return rc || *line ? rc : record_name(line, k, block, near, from, e);
}

// Puts TEXT [n] before byte AT of V's text.
static int put_before(struct sentence *v, const char *text, size_t n, size_t at, struct err *e)
{
    const size_t own = strlen(v->text) + 1;
    char *all = mem_new(n + own, 1, e);
    if (!all)
        return ERR_NOMEM;
    memcpy(all, v->text, at);
    memcpy(all + at, text, n);
    memcpy(all + at + n, v->text + at, own - at);
    free(v->text);
    v->text = all;
    v->own += v->own > at ? n : 0;
    v->said += v->said > at ? n : 0;
    return 0;
}

// Puts HEADING [n] and an empty line before byte AT of V's text.
static int put_under(struct sentence *v, const char *heading, size_t n, size_t at, struct err *e)
{
    int rc = put_before(v, "\n\n", 2, at, e);
    return rc ? rc : put_before(v, heading, n, at, e);
}

// Puts before V what stands in A between byte FROM and it, if that is not long: an answer that
// begins with "No, sorry." is not to be told without it.
static int put_answer(struct sentence *v, const struct above *a, size_t from, struct err *e)
{
    enum { MOST = 320 };
    const char *text = a->c.text;
    char said[MOST + 2];
    size_t to = a->at, lines = 0;
    while (from < a->at && is_space(text[from]))
        from++;
    while (to > from && is_space(text[to - 1]))
        lines += text[--to] == '\n';
    if (from >= to || to - from > MOST)
        return 0;
    const size_t n = cut_mend(&a->c, from, to, said), gap = lines > 1 ? 2 : 1;
    sentence_leave_out(v, said, n);
    memcpy(said + n, lines > 1 ? "\n\n" : " ", gap);
    return put_before(v, said, n + gap, 0, e);
}

// Whether FROM to TO is a question, and the next heading in A.
static int asks_right_above(const struct above *a, size_t from, size_t to)
{
    size_t next, end;
    return line_asks(a->c.text + from, to - from) && heading_before(&a->c, a->at, &next, &end) &&
           next == from;
}

// Of the head of a commit that V is, leaves what QUESTION asks for, where that is who made it,
// when, or which one it is.
static void leave_asked(struct sentence *v, const char *question)
{
    char told[MESSAGE_TOLD];
    const size_t n_text = strlen(v->text);
    if (!message_is_commit(v->text, n_text) || !message_asked_of_commit(question))
        return;
    const size_t n = message_told(v->text, n_text, question, "", told);
    if (n && n <= n_text) {
        memcpy(v->text, told, n);
        v->text[n] = 0;
        v->of_commit = 1;
    }
}

// What a heading may tell whatever its words are.
enum told { BY_WORDS, WHEN, WHICH_VERSION };

static enum told told_for(const char *question, const char *text)
{
    if (asked_for_version(question))
        return WHICH_VERSION;
    return asked_for_date(question) && !dates_fix(text, strlen(text)) ? WHEN : BY_WORDS;
}

// Whether QUESTION asks which one of the things that HEADING [n] names: "Which recipe ...?" below
// "Recipes".
static int asks_which(const char *question, const char *heading, size_t n)
{
    char stem[WORD_STEM];
    size_t bytes, at = 0;
    question = question_itself(question);
    const size_t n_question = strlen(question);
    return word_next(question, n_question, &at, stem, &bytes) &&
           word_is_listed(" which what ", question + at - bytes, bytes) &&
           word_next(question, n_question, &at, stem, &bytes) && word_is_in(heading, n, stem);
}

// Puts before V the heading that is next above it in A and tells which one it is of those that the
// heading FROM to TO names.
static int put_which(struct sentence *v, const struct above *a, const char *question, size_t from,
                     size_t to, struct err *e)
{
    const struct lines own = {.text = v->text, .n = strlen(v->text)};
    size_t next, end;
    if (heading_is(&own, 0, &next, &end) || !heading_before(&a->c, a->at, &next, &end) ||
        next <= from || !asks_which(question, a->c.text + from, to - from))
        return 0;
    return put_under(v, a->c.text + next, end - next, 0, e);
}

// Whether V ends with what the mail whose head begins with byte HEAD of A quotes, and replies
// nothing to: somebody else wrote that.
static int is_quoted_below(const struct sentence *v, const struct above *a, size_t head)
{
    const struct lines *c = &a->c;
    const size_t own = (size_t)(v->end - a->start), last = own < c->n ? own : c->n;
    return !v->said && last > a->at &&
           line_quoted(c, line_start(c, last - 1)) > line_quoted(c, head);
}

// Puts the heading in A that tells of V above it, or a line that V is indented under.
static int put_heading(struct sentence *v, const struct above *a, const char *question,
                       enum told tells, struct err *e)
{
    const char *text = a->c.text;
    char told[MESSAGE_TOLD];
    size_t from, to, n;
    const char *label = asked_for_counted(question, &n);
    if (label && !heading_counts(v->text, strlen(v->text), label, n) &&
        heading_counted(&a->c, a->at, label, n, &from, &to))
        return put_under(v, text + from, to - from, 0, e);
    if ((tells == WHEN && find_date(a, question, v->text, &from, &to)) ||
        (tells == WHICH_VERSION && find_version(a, v->text, &from, &to)))
        return put_under(v, text + from, to - from, 0, e);
    if (heading_runs_in(&a->c, a->at, &from, &to) &&
        asked_heads(text + from, to - from, 1, question, v->text))
        return put_under(v, text + from, to - from, 0, e);
    if (!find(a, question, v->text, &from, &to, told, &n))
        return find_outer(a, question, v->text, &from, &to)
                   ? put_under(v, text + from, to - from, 0, e)
                   : 0;
    v->of_commit =
        n && message_is_commit(text + from, to - from) && message_asked_of_commit(question);
    if (n && is_quoted_below(v, a, line_start(&a->c, from)))
        return 0;
    // Of a reply the head says who wrote it, not who wrote what is quoted above it.
    if (n)
        return put_under(v, told, n, v->said, e);
    int rc = asks_right_above(a, from, to) ? put_answer(v, a, to, e)
                                           : put_which(v, a, question, from, to, e);
    return rc ? rc : put_under(v, text + from, to - from, 0, e);
}

int sentence_headed(struct sentence *v, const struct kvz *k, uint64_t block, const char *question,
                    struct err *e)
{
    struct stretch near = {0};
    leave_asked(v, question);
    if (v->of_commit)
        return 0;
    const enum told tells = told_for(question, v->text);
    if (tells == BY_WORDS && !asked_heads(question, strlen(question), 1, question, v->text) &&
        !message_may_tell(question, v->text))
        return 0;
    int rc = sentence_text_above(&near, k, block, BLOCKS, e);
    if (!rc && v->start > near.start && v->start - near.start <= near.n) {
        struct above a = {.at = (size_t)(v->start - near.start), .start = near.start};
        lines_of_text(&a.c, near.text, near.n);
        rc = put_heading(v, &a, question, tells, e);
    }
    stretch_done(&near);
    return rc;
}
