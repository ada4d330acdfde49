#define _GNU_SOURCE
#include "engine/rows/rows_groups.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "engine/lines/lines.h"
#include "engine/words/chars.h"
#include "io/mem.h"

enum {
    TIES = 3,  // groups that share the first place, at most
    NAMED = 30 // of those that are counted
};

// A cell, and how many rows have the same, where it is the first of these.
struct group {
    const char *p;
    size_t n;
    int rows;
    double number; // of rows, or what these have together in the column that is added up
};

static int by_letters(const void *a, const void *b)
{
    const struct group *x = a, *y = b;
    const int order = strncasecmp(x->p, y->p, x->n < y->n ? x->n : y->n);
    return order ? order : (x->n > y->n) - (x->n < y->n);
}

// The cell of P's column I that HIT has; n 0: none.
static struct group cell_of(const struct rows_plan *p, int i, const struct rows_hit *hit)
{
    const char *text = p->t.text;
    struct row r;
    table_cells(text, &hit->row, NULL, &r);
    if (i >= r.n)
        return (struct group){0};
    const struct span_of_text s = r.cells[i];
    const int says = line_says_something(text + s.from, span_bytes(s));
    return (struct group){text + s.from, says ? span_bytes(s) : 0, 1,
                          p->column < 0 ? 1 : hit->number};
}

// Whether G may name several: "Osei / Ray".
static int is_several(const struct group *g)
{
    for (size_t i = 0; i < g->n; i++)
        if (is_one_of(g->p[i], ",;/&+"))
            return 1;
    return g->n && memmem(g->p, g->n, " and ", 5);
}

// Collects the cells that V [n] have in P's column COLUMN in groups: G, of which there are as many
// as are returned.
static int collect(const struct rows_plan *p, int column, const struct rows_hit *v, int n,
                   struct group *g)
{
    int cells = 0, groups = 0;
    for (int i = 0; i < n; i++) {
        g[cells] = cell_of(p, column, &v[i]);
        cells += g[cells].n > 0;
    }
    qsort(g, (size_t)cells, sizeof *g, by_letters);
    for (int i = 0; i < cells; i++)
        if (groups && !by_letters(&g[groups - 1], &g[i])) {
            g[groups - 1].rows += g[i].rows;
            g[groups - 1].number += g[i].number;
        } else {
            g[groups++] = g[i];
        }
    return groups;
}

// Collects those of the column by which P counts rows; 0 where one of them may name several.
static int collect_by(const struct rows_plan *p, const struct rows_hit *v, int n, struct group *g)
{
    const int groups = collect(p, p->by, v, n, g);
    for (int i = 0; i < groups; i++)
        if (is_several(&g[i]))
            return 0;
    return groups;
}

// Leaves those of G [n] with the most, or with the least where P's UP is -1. Returns how many. One
// row each says nothing, unless it tells how many.
static int leave_best(const struct rows_plan *p, struct group *g, int n)
{
    int best = 0, ties = 0;
    for (int i = 1; i < n; i++)
        best = p->up * (g[i].number - g[best].number) > 0 ? i : best;
    const double most = n ? g[best].number : 0,
                 nearly = 1e-12 * fmax(fabs(most), 1); // sums of decimals differ by so little
    for (int i = 0; i < n; i++)
        if (g[i].number < most + nearly && g[i].number > most - nearly)
            g[ties++] = g[i];
    if (p->column >= 0)
        return ties <= TIES && most > 0 ? ties : 0;
    return n > 1 && ties <= TIES && (most > 1 || p->up < 0) ? ties : 0;
}

// Prints what G has, of ALL rows.
static void say_group(FILE *out, const struct rows_plan *p, const struct row *head,
                      const struct group *g, int all, int decimals)
{
    const size_t from = (size_t)(g->p - p->t.text);
    lookup_say_cell(out, p->t.text, head->cells[p->by], (struct span_of_text){from, from + g->n});
    if (p->column < 0) {
        fprintf(out, " (%d of %d rows)", g->rows, all);
        return;
    }
    fputs(" (", out);
    lookup_say(out, p->t.text, head->cells[p->column]);
    fprintf(out, ": %.*f in all, %d of %d rows)", decimals, g->number, g->rows, all);
}

int rows_groups_say(struct lookup *s, const struct rows_plan *p, const struct rows_hit *v, int n,
                    int all, int decimals, struct err *e)
{
    struct row head, r;
    struct group *g = mem_new((size_t)n, sizeof *g, e);
    if (!g)
        return ERR_NOMEM;
    const int best = leave_best(p, g, collect_by(p, v, n, g));
    int rc = 0, said = 0;
    for (int i = 0; i < best; i++) {
        table_cells(p->t.text, &v->row, &head, &r);
        fputs(i ? "\n" : "", s->out);
        say_group(s->out, p, &head, &g[i], all, decimals);
    }
    for (int i = 0; !rc && best && i < n; i++) {
        const struct group own = cell_of(p, p->by, &v[i]);
        int is = 0;
        for (int j = 0; j < best; j++)
            is |= own.n && !by_letters(&own, &g[j]);
        if (is)
            rc = lookup_add(s, &p->t, v[i].row.line, said++ > 0, e);
    }
    free(g);
    return rc ? rc : best > 0;
}

int rows_groups_number(const struct rows_plan *p, int i, const struct rows_hit *v, int n,
                       struct err *e)
{
    struct group *g = mem_new((size_t)n, sizeof *g, e);
    if (!g)
        return ERR_NOMEM;
    const int groups = collect(p, i, v, n, g);
    free(g);
    return groups;
}

// N where all of G [n] are names, not numbers, of which a column has as few different ones as many:
// 0 where one is not.
static int tell_names(const struct group *g, int n)
{
    for (int i = 0; i < n; i++)
        if (is_digit(*g[i].p))
            return 0;
    return n;
}

int rows_groups_list(struct lookup *s, const struct rows_plan *p, const struct rows_hit *v, int n,
                     struct err *e)
{
    struct group *g = mem_new((size_t)n, sizeof *g, e);
    if (!g)
        return ERR_NOMEM;
    const int groups = tell_names(g, collect_by(p, v, n, g));
    int rc = 0;
    if (groups)
        fprintf(s->out, "%d different%s", groups, groups <= NAMED ? ": " : ".");
    for (int i = 0; i < groups && groups <= NAMED; i++) {
        const size_t from = (size_t)(g[i].p - p->t.text);
        fputs(i ? "; " : "", s->out);
        lookup_say(s->out, p->t.text, (struct span_of_text){from, from + g[i].n});
    }
    for (int i = 0; !rc && groups && i < n; i++)
        rc = lookup_add(s, &p->t, v[i].row.line, i > 0, e);
    free(g);
    return rc ? rc : groups > 0;
}
