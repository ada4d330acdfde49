// Changes in a table of what was printed and what is right: "| 12 m at the pier | 14 m |" below
// "| Printed | Correct |".
#define _GNU_SOURCE
#include <string.h>

#include "engine/changed/changed_impl.h"
#include "engine/lines/line_cells.h"
#include "engine/lines/lines.h"
#include "engine/words/chars.h"
#include "engine/words/words.h"

enum { MOST_CELLS = 12 };

// The cells between the bars of the row LINE of TEXT to V [MOST_CELLS], without the white space
// around them; their number. 0: it is none.
static int cells_of(const char *text, struct span_of_text line, struct span_of_text *v)
{
    int n = 0;
    if (line.from >= line.to || text[line.from] != '|')
        return 0;
    for (size_t at = line.from + 1, to; n < MOST_CELLS; at = to + 1) {
        if ((to = line_cell_end(text, line.to, at, '|')) >= line.to)
            break;
        v[n++] = span_trimmed(text, (struct span_of_text){at, to});
    }
    return n;
}

// Whether LINE of TEXT is the rule below the names of columns.
static int is_rule(const char *text, struct span_of_text line)
{
    int dashes = 0;
    for (size_t at = line.from; at < line.to; at++) {
        if (!is_one_of(text[at], "|-: \t\r"))
            return 0;
        dashes += text[at] == '-';
    }
    return dashes > 0;
}

// Whether NAME, of a column, has a word of LIST and but words that say nothing beside it: "Text
// printed", "Correct value".
static int is_named(const char *text, struct span_of_text name, const char *list)
{
    static const char BESIDE[] = " text value wording reading figure number as the in is should be "
                                 "edition issue ";
    struct changed_tokens t;
    int has = 0;
    changed_tokens(&t, text, name.from, name.to);
    for (int i = 0; i < t.n; i++) {
        const int is = changed_is(&t, i, list);
        if (!is && !changed_is(&t, i, BESIDE))
            return 0;
        has |= is;
    }
    return has;
}

// Whether the columns HEAD [n] of TEXT have one of what was before one of what is right, *OLD and
// *NEW.
static int has_pair(const char *text, const struct span_of_text *head, int n, int *old, int *new)
{
    static const char WAS[] = " printed misprinted was old wrong incorrect previous previously "
                              "former formerly falsch alt bisher ",
                      RIGHT[] = " correct corrected correction right now new read revised "
                                "richtig neu ";
    for (*old = 0; *old + 1 < n; ++*old) {
        *new = *old + 1;
        if (is_named(text, head[*old], WAS) && is_named(text, head[*new], RIGHT))
            return 1;
    }
    return 0;
}

// Whether TEXT [n] has WORD [bytes] as it is written or, unless it is a number, in another form.
static int has_written_or_form(const char *text, size_t n, const char *word, size_t bytes,
                               int is_number)
{
    return words_stand_in(text, n, word, bytes) ||
           (!is_number && word_form_is_in(text, n, word, bytes));
}

// Whether the cell OLD is what sentence V says of what is asked for: all of its words are there,
// and one of its numbers in the answer, too.
static int is_said(const struct changed_said *s, struct span_of_text v, struct span_of_text old)
{
    const size_t asked = strlen(s->question), answered = strlen(s->answer);
    struct changed_tokens t;
    int in_answer = 0;
    changed_tokens(&t, s->text, old.from, old.to);
    for (int i = 0; i < t.n; i++) {
        const char *word = s->text + t.v[i].at.from;
        const size_t n = span_bytes(t.v[i].at);
        const int is_number = t.v[i].is_number || word_has_digit(word, n),
                  is_there = has_written_or_form(s->answer, answered, word, n, is_number);
        if (!is_there &&
            !has_written_or_form(s->text + v.from, span_bytes(v), word, n, is_number) &&
            (is_number || !has_written_or_form(s->question, asked, word, n, 0)))
            return 0;
        in_answer |= is_number && is_there;
    }
    return in_answer && t.n > 1;
}

// Whether the answer has all numbers of the cell NEW already.
static int has_all(const struct changed_said *s, struct span_of_text new)
{
    struct changed_tokens t;
    int numbers = 0;
    changed_tokens(&t, s->text, new.from, new.to);
    for (int i = 0; i < t.n; i++) {
        if (t.v[i].is_number && !changed_answer_has(s, changed_value_at(&t, i)))
            return 0;
        numbers += t.v[i].is_number;
    }
    return numbers > 0;
}

// Whether ROW puts the cell OLD, which was said, right by NEW.
static int puts_right(struct changed_looking *l, struct span_of_text row, struct span_of_text old,
                      struct span_of_text new)
{
    const struct changed_said *s = l->s;
    int both;
    if (!span_bytes(old) || !span_bytes(new) || has_all(s, new))
        return 0;
    l->left--;
    for (size_t at = s->said.from; at < s->said.to; at = l->near.to) {
        l->near = changed_sentence(s, at);
        if (l->near.to <= at)
            break;
        if (is_said(s, l->near, old) && changed_is_about(l, row, &both) && both &&
            changed_found(l, row))
            return 1;
    }
    return 0;
}

// The same of the rows of the table with the names HEAD, whose first begins with byte AT.
static int look_in(struct changed_looking *l, struct span_of_text head, size_t at)
{
    const struct changed_said *s = l->s;
    const struct lines c = {.text = s->text, .n = s->n};
    struct span_of_text names[MOST_CELLS], cells[MOST_CELLS], row;
    int old, new, n = cells_of(s->text, head, names);
    if (!has_pair(s->text, names, n, &old, &new))
        return 0;
    for (; l->left > 0 && at < s->n; at = row.to + 1) {
        row = line_at(&c, at);
        const int filled = cells_of(s->text, row, cells);
        if (!filled)
            return 0;
        const struct span_of_text inner = {cells[0].from, cells[filled - 1].to};
        if (filled == n && puts_right(l, inner, cells[old], cells[new]))
            return 1;
    }
    return 0;
}

int changed_table(struct changed_looking *l)
{
    static const char line[] = "\n|";
    const struct changed_said *s = l->s;
    const struct lines c = {.text = s->text, .n = s->n};
    struct span_of_text head = {0, 0};
    size_t at = s->said.to;
    for (const char *p; l->left > 0 && at < s->n &&
                        (p = memmem(s->text + at, s->n - at, line, sizeof line - 1));) {
        const struct span_of_text v = line_at(&c, (size_t)(p - s->text) + 1);
        if (head.to + 1 == v.from && is_rule(s->text, v) && look_in(l, head, v.to + 1))
            return 1;
        head = v;
        at = v.to;
    }
    return 0;
}
