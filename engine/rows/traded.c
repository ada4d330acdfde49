#include "engine/rows/traded.h"

#include <string.h>
#include <strings.h>

#include "engine/rows/column.h"
#include "engine/rows/rows_words.h"
#include "engine/words/words.h"

// Names of the columns of those who buy and of those who sell.
#define BUYERS  "customer client buyer"
#define SELLERS "supplier seller vendor salesperson salesman saleswoman rep"
// Names of columns of what came in.
#define REVENUE "revenue turnover takings proceeds"
// Words of the names of columns that tell how many.
#define QUANTITIES " quantity quantities qty pieces pcs units "

int traded_is_quantity(const struct gathering *g, int i)
{
    const struct span_of_text name = g->head.cells[i];
    return words_listed(QUANTITIES, g->p.t.text + name.from, span_bytes(name)) &&
           !gathering_has(g, i, COLUMN_PRICE);
}

int traded_quantity(const struct gathering *g)
{
    int best = -1;
    for (int i = 0; i < g->head.n; i++) {
        if (!traded_is_quantity(g, i))
            continue;
        if (best >= 0)
            return -1;
        best = i;
    }
    return best;
}

// Whether what A asks the number of, the first word that it has or the one behind "most", is a
// column of G that is none of goods: "How many orders did Dorn place?", "How many customers ordered
// chairs?"
static int asks_for_others(const struct gathering *g, const struct rows_asked *a, int quantity)
{
    int hits[COLUMNS] = {0}, subject = 0;
    char stem[WORD_STEM];
    size_t at = a->many, bytes;
    if (!word_next(a->left, strlen(a->left), &at, stem, &bytes))
        return !a->many;
    const char *word = a->left + at - bytes;
    if (word_is_listed(ROWS_GOODS QUANTITIES, word, bytes))
        return 0;
    if (word_is_listed(ROWS_GENERIC ROWS_PEOPLE ROWS_STAFF, word, bytes))
        return 1;
    for (int i = 0; i < g->p.n_values; i++)
        if (word_form_is_in(g->p.values[i].said, strlen(g->p.values[i].said), word, bytes))
            return 0;
    return gathering_hit(g, stem, word, bytes, hits, &subject) && !hits[quantity];
}

// The only column of G that is called as what was traded is, so that numbers below it tell how
// many: "Sold", "Units sold"; -1: there is none, or several.
static int counts_trade(const struct gathering *g, const struct rows_asked *a)
{
    int best = -1;
    for (int i = 0; i < g->head.n; i++) {
        const struct span_of_text name = g->head.cells[i];
        char stem[WORD_STEM];
        size_t bytes;
        int has = 0, other = rows_name_has(&g->p.name, i);
        for (size_t at = name.from; word_next(g->p.t.text, name.to, &at, stem, &bytes);) {
            const char *word = g->p.t.text + at - bytes;
            const int is = bytes == strlen(a->traded) && !strncasecmp(word, a->traded, bytes);
            has |= is;
            other |= !is && !word_is_listed(QUANTITIES, word, bytes);
        }
        if (!has || other)
            continue;
        if (best >= 0)
            return -1;
        best = i;
    }
    return best;
}

// Whether a column of G other than COLUMN tells by itself what was traded as A says, "Delivered",
// or what has become of it, by no state that A names, or a cell that A names is of one of those who
// do the contrary: customers do not sell. What is shipped is a state of what was sold, as is "sold"
// itself of what may be, but each row of a sale tells of one, whether that is paid or not.
static int is_traded_otherwise(const struct gathering *g, const struct rows_asked *a, int column)
{
    for (int i = 0; i < g->head.n; i++) {
        const struct span_of_text name = g->head.cells[i];
        if (i != column && !rows_name_has(&g->p.name, i) &&
            !gathering_has(g, i, "no nr id number num " SELLERS " " BUYERS) &&
            word_form_is_in(g->p.t.text + name.from, span_bytes(name), a->trade, strlen(a->trade)))
            return 1;
        if (a->sells && gathering_has(g, i, "status state") && !gathering_values(g, i) &&
            (g->traded || strcmp(a->traded, "sold") != 0))
            return 1;
    }
    for (int i = 0; a->trader && i < g->p.n_values; i++)
        if (gathering_has(g, g->p.values[i].column, a->sells ? BUYERS : SELLERS))
            return 1;
    return 0;
}

void traded_read(struct gathering *g, const struct rows_asked *a, const struct row *r)
{
    for (int i = 0; a->trade && i < r->n; i++)
        g->traded |= span_bytes(r->cells[i]) == strlen(a->traded) &&
                     !strncasecmp(g->p.t.text + r->cells[i].from, a->traded, strlen(a->traded));
}

int traded_column(const struct gathering *g, const struct rows_asked *a, char *left)
{
    const int own = counts_trade(g, a), column = own >= 0 ? own : traded_quantity(g);
    if (column < 0 || asks_for_others(g, a, column) || is_traded_otherwise(g, a, column))
        return -1;
    rows_asked_strike_words(left, a->trade);
    rows_asked_strike_words(left, "units"); // of no "unit price"
    return column;
}

int traded_for(const struct gathering *g, const struct rows_asked *a, char *left, int *quantity)
{
    const int price = gathering_only(g, COLUMN_PRICE);
    char stem[WORD_STEM];
    size_t bytes;
    int asks = 0;
    *quantity = traded_quantity(g);
    if (a->figure != ROWS_SUM || a->trade || *quantity < 0 || price < 0 ||
        !gathering_has(g, price, "unit each per piece single"))
        return -1;
    for (int i = 0; i < g->head.n; i++)
        if (gathering_has(g, i, "total totals sum subtotal value discount rebate tax vat " REVENUE))
            return -1;
    for (size_t at = 0; word_next(left, strlen(left), &at, stem, &bytes);) {
        char *word = left + at - bytes;
        const int is_revenue = words_any(REVENUE, word, bytes);
        asks |= is_revenue || gathering_is_key(g, word, bytes);
        if (is_revenue)
            memset(word, ' ', bytes);
    }
    return asks ? price : -1;
}

int traded_by(const struct gathering *g, const struct rows_asked *a)
{
    if (!a->trade || !a->many)
        return -1;
    if (a->day)
        return gathering_only(g, GATHERING_DAYS);
    if (a->kind == ROWS_WHO) {
        const int who = gathering_only(g, a->sells ? SELLERS : BUYERS);
        return who < 0 && !g->p.name.full && counts_trade(g, a) >= 0 ? g->p.name.who : who;
    }
    const int best = gathering_asked(g, a->left);
    return best >= 0 && (traded_is_quantity(g, best) || gathering_values(g, best) ||
                         gathering_has(g, best, a->sells ? BUYERS : SELLERS))
               ? -1
               : best;
}
