#include "engine/rows/rows_values.h"

#include <string.h>
#include <strings.h>

#include "engine/lines/lines.h"
#include "engine/rows/rows_words.h"
#include "engine/words/chars.h"
#include "engine/words/names.h"
#include "engine/words/words.h"

enum { SHORTEST = 3 }; // bytes of a cell that may be named

// How a name ends in the singular and in the plural; as it is at first.
static const struct {
    const char *from, *to;
} FORMS[] = {{"", ""},       {"", "s"},    {"", "es"},   {"y", "ies"},
             {"man", "men"}, {"f", "ves"}, {"fe", "ves"}};

// Writes NAME [n] in that one of FORMS to OUT: its length, 0 where it has no such form.
static size_t form_of(const char *name, size_t n, size_t form, char out[ROWS_ASKED])
{
    const size_t from = strlen(FORMS[form].from), to = strlen(FORMS[form].to);
    if (n < from || n - from + to >= ROWS_ASKED ||
        strncasecmp(name + n - from, FORMS[form].from, from) != 0)
        return 0;
    memcpy(out, name, n - from);
    memcpy(out + n - from, FORMS[form].to, to + 1);
    return n - from + to;
}

// Whether NAME [n] is a short one in capitals: "IT", "HR".
static int is_short_name(const char *name, size_t n)
{
    return n == 2 && is_upper(name[0]) && is_upper(name[1]);
}

// Whether WORD [n] is one of other questions as well, so that a cell with it has to be named with
// its capitals: "IT", "Works".
static int is_other_word(const char *word, size_t n)
{
    return word_is_listed(" am as be go he if is it me my no of on or so to up us we ", word, n) ||
           word_is_listed(ROWS_SMALL, word, n) || word_is_listed(ROWS_WORKS, word, n) ||
           word_is_listed(ROWS_COMES, word, n) || word_is_listed(ROWS_GENERIC, word, n) ||
           word_is_listed(ROWS_PEOPLE, word, n);
}

// Whether the word [n] at P ends LEFT behind "in", where nothing is that it could mean: "Who works
// in it?"
static int ends_within(const char *left, const char *p, size_t n)
{
    return p - left >= 4 && !memcmp(p - 4, " in ", 4) && !p[n + strspn(p + n, " ?.!")];
}

// Where LEFT has NAME [n], a cell or its end, in the singular or the plural: 1, with the words that
// it has in V.
static int says_name(const char *left, const char *name, size_t n, struct rows_value *v)
{
    for (size_t form = 0; form < sizeof FORMS / sizeof *FORMS; form++) {
        const size_t bytes = form_of(name, n, form, v->said);
        const char *p = bytes ? name_stands(left, left, v->said, bytes) : NULL;
        if (!p || (n == 2 && form) ||
            (is_other_word(v->said, bytes) && memcmp(p, v->said, bytes) != 0 &&
             !(n == 2 && ends_within(left, p, n))))
            continue;
        v->several = form > 0;
        memcpy(v->name, name, n);
        v->name[n] = 0;
        return 1;
    }
    return 0;
}

// Whether a word of LEFT begins as TEXT [n] does; what is beyond ASCII may be another case.
static int may_stand(const char *left, const char *text, size_t n)
{
    enum { ALIKE = 2 };
    for (const char *p = left; n >= ALIKE && *p; p++)
        if (((unsigned char)*text | (unsigned char)*p) >= 0x80 ||
            ((p == left || !word_has(p[-1])) && !strncasecmp(p, text, ALIKE)))
            return 1;
    return 0;
}

void rows_values_add(struct rows_plan *p, const char *left, const char *text, size_t n, int column,
                     int ends)
{
    enum { WORDS = 4 };
    int digits;
    struct rows_value v = {.column = column, .ends = ends};
    for (int word = 0; n && word < WORDS; word++) {
        if (n < ROWS_ASKED && may_stand(left, text, n) &&
            (n >= SHORTEST || is_short_name(text, n) || name_is_code(text, n)) &&
            (name_is_code(text, n) ||
             name_letters(text, n, &digits) >= (n < SHORTEST ? (int)n : SHORTEST)) &&
            says_name(left, text, n, &v))
            break;
        const char *blank = ends ? memchr(text, ' ', n) : NULL;
        n = blank ? n - (size_t)(blank + 1 - text) : 0;
        text = blank ? blank + 1 : text;
    }
    if (!n || !*v.name)
        return;
    for (int i = 0; i < p->n_values && i < ROWS_VALUES; i++)
        if (p->values[i].column == column && !strcasecmp(p->values[i].name, v.name))
            return;
    if (p->n_values < ROWS_VALUES)
        p->values[p->n_values] = v;
    p->n_values++;
}

int rows_has_value(const struct rows_value *v, const char *text, const struct row *r)
{
    if (v->column >= r->n)
        return 0;
    const char *cell = text + r->cells[v->column].from;
    const size_t own = strlen(v->name), n = span_bytes(r->cells[v->column]);
    if (v->filled)
        return line_says_something(cell, n) == (v->filled > 0);
    return n >= own && !strncasecmp(cell + n - own, v->name, own) &&
           (n == own || (v->ends && cell[n - own - 1] == ' '));
}

// Drops value I of P.
static void drop_value(struct rows_plan *p, int i)
{
    p->values[i] = p->values[--p->n_values];
}

void rows_values_strike(struct rows_plan *p, char *left)
{
    for (int i = 0; i < p->n_values; i++)
        for (int j = 0; j < p->n_values; j++)
            if (strlen(p->values[i].said) < strlen(p->values[j].said) &&
                name_stands(p->values[j].said, p->values[j].said, p->values[i].said,
                            strlen(p->values[i].said))) {
                drop_value(p, i--);
                break;
            }
    for (int i = 0; i < p->n_values; i++)
        rows_asked_strike_words(left, p->values[i].said);
}

int rows_values_choose(struct rows_plan *p, const int *hits)
{
    for (int i = 0; i < p->n_values; i++)
        for (int j = i + 1; j < p->n_values; j++) {
            if (p->values[i].column == p->values[j].column ||
                strcasecmp(p->values[i].said, p->values[j].said) != 0)
                continue;
            const int a = hits[p->values[i].column], b = hits[p->values[j].column];
            if (!a == !b)
                return 0;
            drop_value(p, a ? j : i);
            i = -1;
            break;
        }
    return 1;
}
