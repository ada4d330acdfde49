// Looks through a list of prices without names of columns: "What is the most expensive spare
// part?", "Which dishes cost less than 5 pounds?", where lines below "Spare parts that can be
// ordered:" end with an amount each.
#include <string.h>

#include "engine/survey/column.h"
#include "engine/survey/lookups.h"
#include "engine/survey/names.h"
#include "engine/survey/number.h"
#include "engine/survey/rows_asked.h"
#include "engine/survey/telling.h"
#include "engine/text/chars.h"
#include "engine/text/lines.h"
#include "engine/text/wordlist.h"
#include "engine/text/words.h"

enum {
    FEWEST = 3,   // lines of a list
    MOST = 64,    // lines of a list, or nothing is sure
    TIES = 3,     // lines that share the first place, at most
    LONGEST = 200 // bytes of a line
};

// A line that ends with an amount.
struct priced_line {
    struct span_of_text line, sign, unit; // what stands before and behind the number
    double number;
};

// A list of such lines, below a line that leads it in.
struct priced_list {
    struct texts t;
    struct span_of_text lead;
    struct priced_line v[MOST];
    int n; // of all lines, even of more than V has room for
};

// ------------------------------------------------------------------------------------ its lines

static int is_currency(const char *text, size_t n)
{
    static const char words[] = WORDLIST_CURRENCIES "chf francs ";
    return n && (number_currency(text, n) == n || word_is_listed(words, text, n));
}

// Whether TEXT [n] has one, so that an amount behind it is another one.
static int has_amount(const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (number_currency(text + i, n - i))
            return 1;
    return words_any(WORDLIST_CURRENCIES, text, n);
}

// Reads LINE of TEXT: 1, where it has a name and ends with one amount of money.
static int read_line(const char *text, struct span_of_text line, struct priced_line *out)
{
    enum { LETTERS = 3 };
    size_t to = line.to, from, n;
    int digits, decimals;
    while (line.from < to && is_space(text[line.from]))
        line.from++;
    while (to > line.from && is_one_of(text[to - 1], " \t\r.;,"))
        to--;
    // The last word with a digit, or beginning with one, and what stands around it.
    for (from = to; from > line.from && !is_digit(text[from - 1]); from--)
        ;
    while (from > line.from && !is_one_of(text[from - 1], " \t"))
        from--;
    struct span_of_text sign = {from, from};
    while (sign.to < to && !is_digit(text[sign.to]))
        sign.to++;
    if (span_bytes(line) > LONGEST || sign.to == to ||
        !(n = number_of(text + sign.to, to - sign.to, &out->number, &decimals)))
        return 0;
    struct span_of_text unit = {sign.to + n, to};
    while (unit.from < to && is_one_of(text[unit.from], " \t"))
        unit.from++;
    if (span_bytes(sign) ? !is_currency(text + sign.from, span_bytes(sign)) || span_bytes(unit)
                         : !is_currency(text + unit.from, span_bytes(unit)))
        return 0;
    if (has_amount(text + line.from, from - line.from))
        return 0;
    out->line = line;
    out->sign = sign;
    out->unit = unit;
    return name_letters(text + line.from, from - line.from, &digits) >= LETTERS;
}

// Whether lines A and B of TEXT have the same currency, and B is no sum.
static int are_alike(const char *text, const struct priced_line *a, const struct priced_line *b)
{
    return span_is_same(text, a->sign, b->sign) && span_is_same(text, a->unit, b->unit) &&
           !words_any("total sum subtotal", text + b->line.from, span_bytes(b->line));
}

// --------------------------------------------------------------------------- which list is asked

// Whether the list L has all words of A that tell what is asked for, in the line that leads it in.
static int is_asked(const struct priced_list *l, const struct rows_asked *a)
{
    static const char idle[] =
        " cost costs priced price prices which what is are the there do does "
        "can have we you of in on a an from me all item items thing things "
        "one ones ";
    const char *lead = l->t.text + l->lead.from;
    char stem[WORD_STEM];
    size_t bytes;
    int had = 0;
    if (l->n < FEWEST || l->n > MOST || !span_bytes(l->lead))
        return 0;
    for (int i = 0; i < l->n; i++)
        if (!are_alike(l->t.text, &l->v[0], &l->v[i]))
            return 0;
    for (size_t at = 0; word_next(a->left, strlen(a->left), &at, stem, &bytes);) {
        const char *word = a->left + at - bytes;
        if (word_is_in(lead, span_bytes(l->lead), stem))
            had += telling_word(word, bytes, stem, TELLING_BYTES, idle);
        else if (!word_is_listed(idle, word, bytes))
            return 0;
    }
    return had > 0;
}

// Takes the next LINE of T's text, or its end, into the list L, that LEAD leads in. GAP: empty
// lines since the last other one. Returns whether L has ended; where something else follows its
// lines directly, it may go on there, and is left out.
static int take_line(struct priced_list *l, const struct texts *t, struct span_of_text line,
                     struct span_of_text *lead, int *gap)
{
    struct priced_line own;
    const int ends = line.from >= t->n;
    if (!ends && !line_says_something(t->text + line.from, span_bytes(line))) {
        ++*gap;
        return 0;
    }
    if (!ends && read_line(t->text, line, &own)) {
        if (!l->n) {
            l->t = *t;
            l->lead = *gap < 2 ? *lead : (struct span_of_text){0, 0};
        }
        if (l->n < MOST)
            l->v[l->n] = own;
        l->n += l->n <= MOST;
        *gap = 0;
        return 0;
    }
    const int ended = l->n && (ends || *gap);
    l->n = ended ? l->n : 0;
    *lead = span_bytes(line) <= LONGEST ? line : (struct span_of_text){0, 0};
    *gap = 0;
    return ended;
}

// Finds the only list that A asks for: OUT. Returns the number of such lists, or an error.
static int find_list(const struct surveying *s, const struct rows_asked *a, struct priced_list *out,
                     struct err *e)
{
    struct priced_list l;
    struct texts t;
    int rc, n = 0;
    texts_begin(&t, s->k, s->n_k);
    while ((rc = texts_next(&t, e)) > 0) {
        const struct cut c = {.text = t.text, .n = t.n};
        struct span_of_text line = {0, 0}, lead = {0, 0};
        int gap = 0;
        l.n = 0;
        // Behind the last line, which need not end with a line end, a list ends, too.
        for (size_t at = 0; line.from < t.n; at = line.to + 1) {
            line = line_at(&c, at);
            if (!take_line(&l, &t, line, &lead, &gap))
                continue;
            if (is_asked(&l, a) && !n++)
                *out = l;
            l.n = 0;
        }
    }
    return rc < 0 ? rc : n;
}

// ---------------------------------------------------------------------------------- its answer

static int is_within(const struct rows_asked *a, double number, double most)
{
    return rows_asked_within(a, number) && (a->limited || a->up * (most - number) <= 0);
}

// Prints the lines of L that A asks for. Returns 1, 0 where there are none, or an error.
static int say_lines(struct surveying *s, const struct priced_list *l, const struct rows_asked *a,
                     struct err *e)
{
    double most = l->v[0].number;
    int n = 0, rc = 0;
    for (int i = 1; i < l->n; i++)
        most = a->up * (l->v[i].number - most) > 0 ? l->v[i].number : most;
    for (int i = 0; i < l->n; i++)
        n += is_within(a, l->v[i].number, most);
    if (!n || (!a->limited && n > TIES))
        return 0;
    if (a->kind == ROWS_COUNT)
        fprintf(s->out, "%d of %d lines: ", n, l->n);
    for (int i = 0, said = 0; !rc && i < l->n; i++) {
        if (!is_within(a, l->v[i].number, most))
            continue;
        fputs(!said++ ? "" : a->kind == ROWS_COUNT ? "; " : "\n", s->out);
        if (a->kind == ROWS_COUNT)
            survey_words(s->out, l->t.text, l->v[i].line);
        else
            rc = survey_quote(s->out, &l->t, l->v[i].line, e);
        rc = rc < 0 ? rc : survey_add(s, &l->t, l->v[i].line, said > 1, e);
    }
    return rc ? rc : 1;
}

int survey_priced(struct surveying *s, const char *question, struct err *e)
{
    struct rows_asked a;
    if (!rows_asked_parse(&a, question, ROWS_APART) || !a.up || a.year || a.either ||
        a.kind == ROWS_WHO || (a.pair ? !a.limited : a.kind == ROWS_COUNT || a.kind == ROWS_LIST) ||
        !(a.column ? !strcmp(a.column, COLUMN_PRICE)
                   : words_any("cost costs priced", a.left, strlen(a.left))))
        return 0;
    struct priced_list l;
    const int n = find_list(s, &a, &l, e);
    return n == 1 ? say_lines(s, &l, &a, e) : n < 0 ? n : 0;
}
