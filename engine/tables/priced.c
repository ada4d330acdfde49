// Looks through a list of prices without names of columns: "What is the most expensive spare
// part?", "Which dishes cost less than 5 pounds?", where lines below "Spare parts that can be
// ordered:" end with an amount each; and "How much is dinner?", by the only line that is about it.
#include <string.h>

#include "engine/lines/lines.h"
#include "engine/lookup/telling.h"
#include "engine/question/question.h"
#include "engine/rows/column.h"
#include "engine/rows/number.h"
#include "engine/rows/rows_asked.h"
#include "engine/tables/tables.h"
#include "engine/words/chars.h"
#include "engine/words/names.h"
#include "engine/words/wordlist.h"
#include "engine/words/words.h"

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
    int n;     // of all lines, even of more than V has room for
    int whole; // 1: nothing follows its lines directly, where it might go on
};

// ------------------------------------------------------------------------------------ its lines

static int is_currency(const char *text, size_t n)
{
    static const char words[] = WORDLIST_CURRENCIES "chf francs ";
    return n && (number_currency(text, n) == n || word_is_listed(words, text, n));
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
    while (from > line.from && !is_gap(text[from - 1]))
        from--;
    struct span_of_text sign = {from, from};
    while (sign.to < to && !is_digit(text[sign.to]))
        sign.to++;
    if (span_bytes(line) > LONGEST || sign.to == to ||
        !(n = number_of(text + sign.to, to - sign.to, &out->number, &decimals)))
        return 0;
    struct span_of_text unit = {sign.to + n, to};
    while (unit.from < to && is_gap(text[unit.from]))
        unit.from++;
    if (span_bytes(sign) ? !is_currency(text + sign.from, span_bytes(sign)) || span_bytes(unit)
                         : !is_currency(text + unit.from, span_bytes(unit)))
        return 0;
    if (number_has_currency(text + line.from, from - line.from)) // then that amount is another one
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
    if (l->n < FEWEST || l->n > MOST || !l->whole || !span_bytes(l->lead))
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
// lines since the last other one. Returns whether L has ended.
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
    l->whole = ends || *gap;
    *lead = span_bytes(line) <= LONGEST ? line : (struct span_of_text){0, 0};
    *gap = 0;
    return l->n > 0;
}

// What is done with every list of the texts.
typedef void takes_list(void *arg, const struct priced_list *l);

static int each_list(const struct lookup *s, takes_list *take, void *arg, struct err *e)
{
    struct priced_list l;
    struct texts t;
    int rc;
    texts_begin(&t, s->k, s->n_k);
    while ((rc = texts_next(&t, e)) > 0) {
        const struct lines c = {.text = t.text, .n = t.n};
        struct span_of_text line = {0, 0}, lead = {0, 0};
        int gap = 0;
        l.n = 0;
        // Behind the last line, which need not end with a line end, a list ends, too.
        for (size_t at = 0; line.from < t.n; at = line.to + 1) {
            line = line_at(&c, at);
            if (!take_line(&l, &t, line, &lead, &gap))
                continue;
            take(arg, &l);
            l.n = 0;
        }
    }
    return rc;
}

// The lists that A asks for: the first one of N.
struct found_list {
    const struct rows_asked *a;
    struct priced_list l;
    int n;
};

static void keep_asked(void *arg, const struct priced_list *l)
{
    struct found_list *f = arg;
    if (is_asked(l, f->a) && !f->n++)
        f->l = *l;
}

// ---------------------------------------------------------------------------------- its answer

static int is_within(const struct rows_asked *a, double number, double most)
{
    return rows_asked_within(a, number) && (a->limited || a->up * (most - number) <= 0);
}

// Prints the lines of L that A asks for. Returns 1, 0 where there are none, or an error.
static int say_lines(struct lookup *s, const struct priced_list *l, const struct rows_asked *a,
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
            lookup_words(s->out, l->t.text, l->v[i].line);
        else
            rc = lookup_quote(s->out, &l->t, l->v[i].line, e);
        rc = rc < 0 ? rc : lookup_add(s, &l->t, l->v[i].line, said > 1, e);
    }
    return rc ? rc : 1;
}

// ------------------------------------------------------------------------------- what one costs

// The first of N lines that have all words of WHAT, if it is about that.
struct found_line {
    const char *what;
    struct texts t;
    struct priced_line line;
    int n, is_about;
};

// Whether the name of line P of TEXT, which has all words of WHAT, is of that: "5. Grand piano,
// black" of a piano, but "Rent collection fee" not of the rent.
static int is_about(const char *text, const struct priced_line *p, const char *what)
{
    static const char goes_on[] = " in for of with per by at from on a each and to ";
    char stem[WORD_STEM], last[WORD_STEM] = "";
    size_t bytes, end = 0, at = p->line.from;
    for (size_t i = 0; word_next(what, strlen(what), &i, last, NULL);)
        ;
    while (!end && word_next(text, p->sign.from, &at, stem, &bytes))
        end = memcmp(stem, last, sizeof stem) ? 0 : at;
    for (at = end; at < p->sign.from && text[at] == ' '; at++)
        ;
    const char *next = text + at;
    return end && (at >= p->sign.from || !(word_has(*next) || *next == '-') ||
                   word_is_listed(goes_on, next, strcspn(next, " ")));
}

static void keep_about(void *arg, const struct priced_list *l)
{
    struct found_line *f = arg;
    f->n += l->n > MOST; // there may be another one
    for (int i = 0; l->n >= FEWEST && l->n <= MOST && i < l->n; i++) {
        const struct priced_line *p = &l->v[i];
        if (!words_all(f->what, l->t.text + p->line.from, p->sign.from - p->line.from) || f->n++)
            continue;
        f->t = l->t;
        f->line = *p;
        f->is_about = is_about(l->t.text, p, f->what);
    }
}

// Reads of what QUESTION asks for the price: "How much is dinner?", "What is the rate for dinner?".
static int asks_price(char what[WANTED_BYTES], const char *question)
{
    static const char
        *const is[] = {"how much is ",         "how much are ",          "what is the price of ",
                       "what's the price of ", "what is the price for ", "what is the rate for ",
                       "what is the rate of ", "what is the cost of ",   "what is the charge for ",
                       "what is the fee for ", "what is the value of ",  NULL},
               *const does[] = {"how much does ", "how much do ", "what does ", "what do ", NULL};
    // What may be another amount than a line's, in the singular.
    static const char others[] = " fee fees price cost rate charge amount total sum deposit rent "
                                 "salary wage wages pay balance tax interest it this that ";
    const char *p = question_behind(question, is);
    int costs = p != NULL;
    char word[WORD_LISTED];
    *what = 0;
    if (!p && !(p = question_behind(question, does)))
        return 0;
    for (size_t at = 0, n; (n = word_small(p, strlen(p), &at, word, sizeof word));) {
        if (!costs && word_is_listed(" cost costs ", word, n)) {
            costs = 1;
            continue;
        }
        if (word_is_listed(others, word, n))
            return 0;
        if (!word_is_listed(WORDLIST_ARTICLES, word, n))
            wanted_keep_word(what, p + at - n, n);
    }
    return costs && *what;
}

// Prints the only line of a list that has the price that QUESTION asks for: 1, 0 or an error.
static int say_price(struct lookup *s, const char *question, struct err *e)
{
    char what[WANTED_BYTES];
    struct found_line f = {.what = what};
    if (!asks_price(what, question))
        return 0;
    const int rc = each_list(s, keep_about, &f, e);
    if (rc < 0 || f.n != 1 || !f.is_about)
        return rc;
    return lookup_say_quoted(s, &(struct lookup_found){f.t, f.line.line}, e);
}

int tables_priced(struct lookup *s, const char *question, struct err *e)
{
    struct found_list f = {.n = 0};
    struct rows_asked a;
    int rc = say_price(s, question, e);
    if (rc)
        return rc;
    if (!rows_asked_parse(&a, question, ROWS_APART) || !a.up || a.year || a.either ||
        a.kind == ROWS_WHO || (a.pair ? !a.limited : a.kind == ROWS_COUNT || a.kind == ROWS_LIST) ||
        !(a.column ? !strcmp(a.column, COLUMN_PRICE)
                   : words_any("cost costs priced", a.left, strlen(a.left))))
        return 0;
    f.a = &a;
    rc = each_list(s, keep_asked, &f, e);
    return rc < 0 || f.n != 1 ? rc : say_lines(s, &f.l, &a, e);
}
