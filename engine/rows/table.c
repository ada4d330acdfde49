#include "engine/rows/table.h"

#include <string.h>

#include "engine/lines/line_cells.h"
#include "engine/lines/lines.h"
#include "engine/lines/two_columns.h"
#include "engine/lookup/telling.h"
#include "engine/rows/listed.h"
#include "engine/rows/object_rows.h"
#include "engine/words/chars.h"
#include "engine/words/wordlist.h"
#include "engine/words/words.h"

void table_begin(struct table *b, const struct texts *t)
{
    *b = (struct table){.t = *t, .c = {.text = t->text, .n = t->n}};
}

void tables_begin(struct table *b, struct kvz *const *k, int n_k)
{
    struct texts t;
    texts_begin(&t, k, n_k);
    table_begin(b, &t);
}

static int is_blank(const struct table *b, struct span_of_text s)
{
    return !line_says_something(b->c.text + s.from, span_bytes(s));
}

// The character that divides row R of TEXT and its head; 0: none does.
static char mark_of(const char *text, const struct table_row *r)
{
    for (const char *mark = "\t|;,"; *mark; mark++) {
        const size_t n = line_marks(text + r->head.from, span_bytes(r->head), *mark);
        if (n > 1 && n == line_marks(text + r->line.from, span_bytes(r->line), *mark))
            return *mark;
    }
    return 0;
}

// The next row of a table that is divided by blanks, if one begins with the next line or goes on.
static int next_spaced(struct table *b)
{
    if (!b->is_spaced && !columns_begin(&b->spaced, &b->c, b->at))
        return 0;
    b->row = (struct table_row){{0, 0}, {0, 0}, 0};
    if ((b->is_spaced = columns_next(&b->spaced, &b->c)))
        b->row = (struct table_row){b->spaced.head, b->spaced.row, ' '};
    b->at = b->spaced.at;
    return b->is_spaced;
}

// The next row of a table that is a list, if one goes on with the next line; its first row names
// the columns.
static int next_listed(struct table *b)
{
    struct span_of_text v[COLUMNS], row, head = b->row.head;
    int goes_on = 0;
    while (!goes_on && listed_row(&b->c, b->at, &row, v, COLUMNS) &&
           (b->is_listed || listed_head(&b->c, b->at))) {
        if (!b->is_listed && span_bytes(row) > COLUMNS_HEAD)
            break;
        goes_on = b->is_listed;
        head = b->is_listed ? head : row;
        b->at = row.to + 1;
        b->is_listed = 1;
    }
    if (b->is_listed)
        b->row =
            goes_on ? (struct table_row){head, row, '*'} : (struct table_row){{0, 0}, {0, 0}, 0};
    return b->is_listed = goes_on;
}

// The next row of a table of two columns, if one begins with the next line or goes on.
static int next_pair(struct table *b)
{
    if (!b->pairs_end) {
        if (!two_columns_begin(&b->c, b->at, &b->pairs_end, &b->pairs_mark))
            return b->pairs_end = 0;
        b->row.head = (struct span_of_text){b->at, line_end(&b->c, b->at)};
        b->at = b->row.head.to + 1;
    }
    if (b->at >= b->pairs_end) {
        b->row = (struct table_row){0};
        return b->pairs_end = 0;
    }
    b->row.line = (struct span_of_text){b->at, line_end(&b->c, b->at)};
    b->row.mark = b->pairs_mark;
    b->at = b->row.line.to + 1;
    return 1;
}

// The next object of a list, if one goes on or begins with the next line.
static int next_object(struct table *b)
{
    const struct span_of_text own =
        b->row.mark == '{' ? object_rows_next(&b->c, b->at) : (struct span_of_text){0};
    const struct span_of_text first = own.to ? b->row.head : object_rows_first(&b->c, b->at);
    if (first.to || b->row.mark == '{')
        b->row = (struct table_row){first, own.to ? own : first, first.to ? '{' : 0};
    b->at = first.to ? b->row.line.to : b->at;
    return first.to > 0;
}

// The first byte of the quoted cell that text[FROM..TO) opens and does not close; TO: there is
// none. BEGINS: whether a cell begins with byte FROM.
static size_t open_cell(const char *text, size_t from, size_t to, int begins)
{
    for (size_t i = from; i < to; i++) {
        const size_t close = begins ? line_quotation(text, to, i) : i;
        if (begins && text[i] == '"' && close == i)
            return i;
        i = close;
        begins = is_one_of(text[i], "\t|,;") || (begins && text[i] == ' ');
    }
    return to;
}

// The line at byte AT of C with those below it that its quoted cells go on in, if this is a row of
// the same table as the row ABOVE.
static struct span_of_text row_at(const struct lines *c, size_t at, struct span_of_text above)
{
    enum { LONGEST = 2000 }; // bytes of a row
    const struct span_of_text line = {at, line_end(c, at)};
    const size_t most = c->n - at < LONGEST ? c->n : at + LONGEST;
    struct span_of_text all = line;
    if (above.from == above.to || !memchr(c->text + at, '"', span_bytes(line)))
        return line;
    for (size_t cell, from = at; (cell = open_cell(c->text, from, all.to, from == at)) < all.to;) {
        // With one byte more, of two marks the first one does not close the cell.
        const size_t close =
            cell < most ? line_quotation(c->text, most + (most < c->n), cell) : cell;
        if (close == cell || close >= most)
            return line;
        all.to = line_end(c, close);
        from = close + 1;
    }
    return all.to > line.to && lines_divide_alike(c->text + above.from, span_bytes(above),
                                                  c->text + at, span_bytes(all))
               ? all
               : line;
}

// The next row in the document of B: 1, or 0 where it has no more.
static int next_of_text(struct table *b)
{
    const char *text = b->c.text;
    while (b->at < b->c.n) {
        if ((b->objects && next_object(b)) || next_pair(b) || next_spaced(b) || next_listed(b))
            return 1;
        if (b->at >= b->c.n) // behind the names of columns that have no rows
            return 0;
        const struct span_of_text last = b->row.line, own = row_at(&b->c, b->at, last);
        b->at = own.to + 1;
        if (is_blank(b, own)) {
            // A rule between head and rows.
            size_t first = own.from;
            while (first < own.to && is_gap(text[first]))
                first++;
            const int rule = first < own.to && is_one_of(text[first], "|-+=");
            b->row.line = rule ? last : (struct span_of_text){0, 0};
            b->row.head = rule ? b->row.head : b->row.line;
            b->ruled = rule;
            continue;
        }
        const int goes_on =
            last.to > last.from && lines_divide_alike(text + last.from, span_bytes(last),
                                                      text + own.from, span_bytes(own));
        b->row.line = own;
        if (!goes_on) {
            b->row.head = (struct span_of_text){0, 0};
            b->headless = 0;
        } else if (!b->row.head.to && !b->headless &&
                   (b->ruled || line_is_headed(text + last.from, span_bytes(last), text + own.from,
                                               span_bytes(own)))) {
            b->headless = span_bytes(last) > COLUMNS_HEAD;
            b->row.head = b->headless ? b->row.head : last;
        }
        b->ruled = 0;
        if (goes_on && b->row.head.to) {
            b->row.mark = mark_of(text, &b->row);
            return 1;
        }
    }
    return 0;
}

int table_next(struct table *b, struct err *e)
{
    while (!next_of_text(b)) {
        struct texts t = b->t;
        const int rc = texts_next(&t, e);
        if (rc <= 0)
            return rc;
        const int objects = b->objects;
        table_begin(b, &t);
        b->objects = objects;
    }
    return 1;
}

// Whether two blanks are between words of the line TEXT [n].
static int has_gap(const char *text, size_t n)
{
    while (n && is_space(text[n - 1]))
        n--;
    for (size_t i = 0, words = 0; i + 1 < n; i++) {
        words |= !is_space(text[i]);
        if (words && text[i] == ' ' && text[i + 1] == ' ')
            return 1;
    }
    return 0;
}

int table_goes_on(const struct texts *t, const struct table_row *last, size_t to)
{
    const char mark = last->mark;
    const struct lines c = {.text = t->text, .n = t->n};
    if (mark == '{')
        return object_rows_go_on(&c, last->line.to, to);
    const size_t marks = line_marks(t->text + last->line.from, span_bytes(last->line), mark);
    int directly = 1, first = 1;
    for (size_t at = last->line.to + 1; mark != '*' && at < to && (first || mark == '|');) {
        const struct span_of_text line = line_at(&c, at);
        const char *own = t->text + line.from;
        const size_t n = span_bytes(line);
        at = line.to + 1;
        if (!line_says_something(own, n)) { // empty, or a rule
            directly &= n > 0 && is_one_of(own[0], "|-+=");
            continue;
        }
        const size_t had = mark == ' ' ? 0 : line_marks(own, n, mark);
        // A sentence has a comma, too.
        const int alike = had == marks && (had > 1 || mark == '\t' || line_has_fields(own, n));
        if (mark == ' ' ? directly || has_gap(own, n) : alike || (directly && had > 1))
            return 1;
        directly = first = 0;
    }
    return 0;
}

// How many bytes of TEXT [n] from its beginning on are MARK.
static size_t run_of(const char *text, size_t n, char mark)
{
    size_t i = 0;
    while (i < n && text[i] == mark)
        i++;
    return i;
}

// S without blanks and the quotation marks that are around all of it: those within it are its own,
// "TV 32"", "She said "yes"".
static struct span_of_text unquoted(const char *text, struct span_of_text s)
{
    s = span_trimmed(text, s);
    if (s.from == s.to || text[s.from] != '"')
        return s;
    const size_t close = line_quotation(text, s.to, s.from);
    if (close > s.from && close + 1 < s.to)
        return s;
    s.to -= close > s.from;
    s.from++; // or the cell is cut off
    return span_trimmed(text, s);
}

// S without blanks and quotation marks around it, and without the marks of Markdown before it,
// which go behind it as well where they are around all of it: "`--retries N`", "**bold**". Those
// around its first words alone stay: "`fast` (default) or `safe`".
static struct span_of_text without_marks(const char *text, struct span_of_text s)
{
    s = unquoted(text, s);
    while (s.from < s.to && (is_space(text[s.from]) || is_one_of(text[s.from], "*`"))) {
        const char mark = text[s.from];
        const size_t run = run_of(text + s.from, span_bytes(s), mark), inside = s.from + run;
        const char *close = is_one_of(mark, "*`") && s.to > inside + run && !is_space(text[inside])
                                ? memchr(text + inside, mark, s.to - inside)
                                : NULL;
        if (close && close != text + s.to - run)
            break;
        s.from = inside;
        s.to -= close ? run : 0;
    }
    return s;
}

// The line OWN in cells between MARKs, except where these are in quotation marks.
static void divide(struct row *r, const char *text, struct span_of_text own, char mark)
{
    r->n = 0;
    for (size_t at = own.from; at <= own.to && r->n < COLUMNS;) {
        while (at < own.to && text[at] == ' ')
            at++;
        const size_t to = line_cell_end(text, own.to, line_quotation(text, own.to, at), mark);
        r->cells[r->n++] = without_marks(text, (struct span_of_text){at, to});
        at = to + 1;
    }
}

static void divide_list(struct row *r, const char *text, struct span_of_text own)
{
    const struct lines c = {.text = text, .n = own.to};
    r->n = listed_row(&c, own.from, &own, r->cells, COLUMNS);
    for (int i = 0; i < r->n; i++)
        r->cells[i] = without_marks(text, r->cells[i]);
}

void table_cells(const char *text, const struct table_row *r, struct row *head, struct row *cells)
{
    if (r->mark == '*') {
        divide_list(cells, text, r->line);
        if (head)
            divide_list(head, text, r->head);
        return;
    }
    struct row names;
    head = head || (r->mark != ' ' && r->mark != '{') ? head : &names;
    if (r->mark == '{') {
        cells->n = head->n =
            object_rows_cells(text, r->head, r->line, head->cells, cells->cells, COLUMNS);
        return;
    }
    if (r->mark == ' ') {
        cells->n = head->n = columns_cells(text, r->head, r->line, head->cells, cells->cells);
        for (int i = 0; i < cells->n; i++) {
            head->cells[i] = without_marks(text, head->cells[i]);
            cells->cells[i] = without_marks(text, cells->cells[i]);
        }
        return;
    }
    if (head)
        divide(head, text, r->head, r->mark);
    divide(cells, text, r->line, r->mark);
}

struct span_of_text table_title(const char *text, size_t head)
{
    enum { LONGEST_TITLE = 120 };
    size_t to = head, from;
    while (to > 0 && head - to < LONGEST_TITLE && is_space(text[to - 1]))
        to--;
    for (from = to; from > 0 && text[from - 1] != '\n' && to - from <= LONGEST_TITLE;)
        from--;
    if (to - from > LONGEST_TITLE || to == from)
        return (struct span_of_text){0};
    while (from < to && is_one_of(text[from], " #*_"))
        from++;
    return (struct span_of_text){from, to};
}

int table_is_titled(const char *text, size_t head, const char stem[WORD_STEM])
{
    const struct span_of_text s = table_title(text, head);
    char own[WORD_STEM];
    size_t bytes;
    int is = 0;
    if (!span_bytes(s) || text[s.to - 1] == '.')
        return 0;
    for (size_t at = s.from; word_next(text, s.to, &at, own, &bytes);)
        if (!memcmp(own, stem, WORD_STEM))
            is = 1;
        else if (!word_has_digit(text + at - bytes, bytes) &&
                 !word_is_listed(" list table register all of the in ", text + at - bytes, bytes))
            return 0;
    return is;
}

// A number in a text, and the stems of the words before it and behind it; 0: they say little.
struct number {
    const char *word;
    size_t n;
    char beside[2][WORD_STEM];
};

// The next number of TEXT [n] from byte *AT on, which moves behind it: 0, there is none.
static int next_number(const char *text, size_t n, size_t *at, struct number *v)
{
    size_t bytes;
    char stem[WORD_STEM];
    const size_t from = *at;
    *v = (struct number){0};
    for (size_t i = 0; word_next(text, n, &i, stem, &bytes);) {
        const char *word = text + i - bytes;
        const int says = bytes > 2 && (word_is_listed(WORDLIST_MONTHS, word, bytes) ||
                                       !word_is_listed(WORDLIST_OF_QUESTIONS, word, bytes));
        if (v->word) {
            memcpy(v->beside[1], stem, says ? WORD_STEM : 0);
            return 1;
        }
        if (i > from && is_digit(*word)) {
            *at = i;
            v->word = word;
            v->n = bytes;
            continue;
        }
        memset(v->beside[0], 0, WORD_STEM);
        memcpy(v->beside[0], stem, says ? WORD_STEM : 0);
    }
    return v->word != NULL;
}

// Whether A and B are the same number beside the same word.
static int is_same_number(const struct number *a, const struct number *b)
{
    if (a->n != b->n || memcmp(a->word, b->word, a->n) != 0)
        return 0;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            if (*a->beside[i] && !memcmp(a->beside[i], b->beside[j], WORD_STEM))
                return 1;
    return 0;
}

// Whether one of SAID [n] has the number V.
static int is_said(const char *text, const struct span_of_text *said, int n, const struct number *v)
{
    for (int i = 0; i < n; i++)
        if (words_stand_in(text + said[i].from, span_bytes(said[i]), v->word, v->n))
            return 1;
    return 0;
}

// Whether S of TEXT has a number of ASKED that SAID [n_said] lack, and all of its months.
static int tells_number(const char *text, struct span_of_text s, const char *asked,
                        const struct span_of_text *said, int n_said)
{
    struct number own, other;
    const size_t n = strlen(asked);
    size_t bytes;
    char stem[WORD_STEM];
    int tells = 0;
    for (size_t at = 0; word_next(asked, n, &at, stem, &bytes);)
        if (word_is_listed(WORDLIST_MONTHS, asked + at - bytes, bytes) &&
            !word_is_in(text + s.from, span_bytes(s), stem))
            return 0;
    for (size_t at = 0; !tells && next_number(asked, n, &at, &own);)
        for (size_t i = 0; !tells && next_number(text + s.from, span_bytes(s), &i, &other);)
            tells = is_same_number(&own, &other) && !is_said(text, said, n_said, &own);
    return tells;
}

// The last heading of Markdown not far above byte HEAD of TEXT; {0}: there is none.
static struct span_of_text heading_above(const char *text, size_t head)
{
    const size_t least = head > TABLE_ABOVE ? head - TABLE_ABOVE : 0;
    for (size_t to = head; to > least;) {
        size_t from = --to;
        while (from > 0 && text[from - 1] != '\n')
            from--;
        if (text[from] == '#' && from >= least)
            return (struct span_of_text){from, to};
        to = from;
    }
    return (struct span_of_text){0};
}

struct span_of_text table_told_above(const char *text, size_t head, const char *asked,
                                     const struct span_of_text *said, int n)
{
    const struct span_of_text above[] = {table_title(text, head), heading_above(text, head)};
    for (size_t i = 0; i < sizeof above / sizeof *above; i++) {
        struct span_of_text s = above[i];
        while (s.from < s.to && is_one_of(text[s.from], " #*_"))
            s.from++;
        while (s.from < s.to && is_one_of(text[s.to - 1], " #*_:\r"))
            s.to--;
        if (span_bytes(s) && text[s.to - 1] != '.' && tells_number(text, s, asked, said, n))
            return s;
    }
    return (struct span_of_text){0};
}

// Whether the word at byte AT of QUESTION is the first one of a sentence, not behind a "Mr.".
static int begins_sentence(const char *question, size_t at)
{
    enum { SHORT = 3 };
    size_t word = 0;
    while (at > 0 && is_one_of(question[at - 1], " \"\n"))
        at--;
    if (!at || is_one_of(question[at - 1], ":!?"))
        return 1;
    while (word + 1 < at && word_has(question[at - 2 - word]))
        word++;
    return question[at - 1] == '.' && word > SHORT;
}

const char *table_next_name(const char *question, size_t *at, size_t *n)
{
    enum { SHORTEST = 3 };
    char stem[WORD_STEM];
    while (word_next(question, strlen(question), at, stem, n)) {
        const char *word = question + *at - *n;
        const int month =
            word_is_listed(WORDLIST_MONTHS, word, *n) && !word_is_listed(" may march ", word, *n);
        if (is_digit(*word) || month ||
            (*n >= SHORTEST && is_upper(*word) &&
             !begins_sentence(question, (size_t)(word - question))))
            return word;
    }
    return NULL;
}

// Whether what is right above the head of a table, at byte HEAD of TEXT, has NAME [n]: what is
// above a heading of Markdown is of another section, but for the headings that this one is below.
static int above_has(const char *text, size_t head, const char *name, size_t n)
{
    const size_t least = head > TABLE_ABOVE ? head - TABLE_ABOVE : 0;
    size_t level = 0; // marks of the last heading; 0: none yet
    for (size_t to = head, from; to > least; to = from - (from > least)) {
        for (from = to; from > least && text[from - 1] != '\n';)
            from--;
        const size_t marks = from > least || !from ? run_of(text + from, to - from, '#') : 0;
        if ((!level || (marks && marks < level)) &&
            word_form_is_in(text + from, to - from, name, n))
            return 1;
        level = marks && (!level || marks < level) ? marks : level;
    }
    return 0;
}

int table_has_name(const char *text, const struct table_row *r, const char *name, size_t n)
{
    return above_has(text, r->head.from, name, n) ||
           word_form_is_in(text + r->head.from, span_bytes(r->head), name, n) ||
           word_form_is_in(text + r->line.from, span_bytes(r->line), name, n);
}

int table_lacks_name(const char *text, const struct table_row *r, const char *question)
{
    const char *name;
    size_t bytes;
    for (size_t at = 0; (name = table_next_name(question, &at, &bytes));)
        if (!table_has_name(text, r, name, bytes))
            return 1;
    return 0;
}

int table_says_all(const struct table *b, const char *question, const char *idle, int numbers)
{
    const char *text = b->t.text;
    const size_t from = b->row.head.from > TABLE_ABOVE ? b->row.head.from - TABLE_ABOVE : 0;
    char stem[WORD_STEM];
    size_t bytes;
    for (size_t at = 0; word_next(question, strlen(question), &at, stem, &bytes);) {
        const char *word = question + at - bytes;
        if ((!numbers && word_has_digit(word, bytes)) ||
            !telling_word(word, bytes, stem, TELLING_BYTES, idle) ||
            word_is_in(text + b->row.line.from, span_bytes(b->row.line), stem) ||
            word_is_in(text + from, b->row.head.to - from, stem))
            continue;
        return 0;
    }
    return 1;
}

int table_words_said(const char *text, const struct table_row *r, const char *question)
{
    char stem[WORD_STEM];
    size_t bytes;
    int said = 0;
    for (size_t at = 0; word_next(question, strlen(question), &at, stem, &bytes);) {
        const char *word = question + at - bytes;
        said += telling_word(word, bytes, stem, TELLING_BYTES, "") &&
                !word_is_in(text + r->head.from, span_bytes(r->head), stem) &&
                word_form_is_in(text + r->line.from, span_bytes(r->line), word, bytes);
    }
    return said;
}

// The stem of the last word of NAME [n]; 0: it is not a word.
static int last_word(const char *name, size_t n, char stem[WORD_STEM])
{
    size_t at = 0, bytes;
    int is_word = 0;
    while (word_next(name, n, &at, stem, &bytes))
        is_word = bytes > 1 && !word_has_digit(name + at - bytes, bytes);
    return is_word;
}

int table_letter(const char *word, size_t n)
{
    return n == 1 && is_upper(*word) && *word != 'I';
}

const char *table_number(const char *question, const char *name, size_t n_name, size_t *n)
{
    static const char numbers[] = "number no nummer nr";
    char column[WORD_STEM], stem[WORD_STEM] = "", own[WORD_STEM];
    if (!last_word(name, n_name, column))
        return NULL;
    for (size_t at = 0; word_next(question, strlen(question), &at, own, n);) {
        const char *word = question + at - *n;
        if ((is_digit(*word) || table_letter(word, *n)) && !memcmp(stem, column, WORD_STEM))
            return word;
        if (!word_is_in(numbers, sizeof numbers - 1, own))
            memcpy(stem, own, WORD_STEM);
    }
    return NULL;
}
