#define _GNU_SOURCE
#include "engine/tables/rows_groups.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "engine/text/chars.h"
#include "engine/text/lines.h"
#include "io/mem.h"

enum { TIES = 3 }; // groups that share the first place, at most

// A cell, and how many rows have the same, where it is the first of these.
struct group {
    const char *p;
    size_t n;
    int rows;
};

static int by_letters(const void *a, const void *b)
{
    const struct group *x = a, *y = b;
    const int order = strncasecmp(x->p, y->p, x->n < y->n ? x->n : y->n);
    return order ? order : (x->n > y->n) - (x->n < y->n);
}

// The cell of P's column that HIT has; n 0: none.
static struct group cell_of(const struct rows_plan *p, const struct rows_hit *hit)
{
    const char *text = p->t.text;
    struct row r;
    table_cells(text, &hit->row, NULL, &r);
    if (p->by >= r.n)
        return (struct group){0};
    const struct span_of_text s = r.cells[p->by];
    const int says = line_says_something(text + s.from, span_bytes(s));
    return (struct group){text + s.from, says ? span_bytes(s) : 0, 1};
}

// Whether G may name several: "Osei / Ray".
static int is_several(const struct group *g)
{
    for (size_t i = 0; i < g->n; i++)
        if (is_one_of(g->p[i], ",;/&+"))
            return 1;
    return g->n && memmem(g->p, g->n, " and ", 5);
}

// Collects the cells of V [n] in groups: G, of which there are as many as are returned; 0 where one
// of them may name several.
static int collect(const struct rows_plan *p, const struct rows_hit *v, int n, struct group *g)
{
    int cells = 0, groups = 0;
    for (int i = 0; i < n; i++) {
        g[cells] = cell_of(p, &v[i]);
        if (is_several(&g[cells]))
            return 0;
        cells += g[cells].n > 0;
    }
    qsort(g, (size_t)cells, sizeof *g, by_letters);
    for (int i = 0; i < cells; i++)
        if (groups && !by_letters(&g[groups - 1], &g[i]))
            g[groups - 1].rows++;
        else
            g[groups++] = g[i];
    return groups;
}

// Leaves those of G [n] with the most rows, or with the fewest where UP is -1. Returns how many.
static int leave_best(struct group *g, int n, int up)
{
    int best = 0, ties = 0;
    for (int i = 1; i < n; i++)
        best = up * (g[i].rows - g[best].rows) > 0 ? i : best;
    const int rows = n ? g[best].rows : 0;
    for (int i = 0; i < n; i++)
        if (g[i].rows == rows)
            g[ties++] = g[i];
    return n > 1 && ties <= TIES && (rows > 1 || up < 0) ? ties : 0;
}

int rows_groups_say(struct lookup *s, const struct rows_plan *p, const struct rows_hit *v, int n,
                    int all, struct err *e)
{
    struct row head, r;
    struct group *g = mem_new((size_t)n, sizeof *g, e);
    if (!g)
        return ERR_NOMEM;
    const int best = leave_best(g, collect(p, v, n, g), p->up);
    int rc = 0, said = 0;
    for (int i = 0; i < best; i++) {
        const size_t from = (size_t)(g[i].p - p->t.text);
        table_cells(p->t.text, &v->row, &head, &r);
        fputs(i ? "\n" : "", s->out);
        lookup_say_cell(s->out, p->t.text, head.cells[p->by],
                        (struct span_of_text){from, from + g[i].n});
        fprintf(s->out, " (%d of %d rows)", g[i].rows, all);
    }
    for (int i = 0; !rc && best && i < n; i++) {
        const struct group own = cell_of(p, &v[i]);
        int is = 0;
        for (int j = 0; j < best; j++)
            is |= own.n && !by_letters(&own, &g[j]);
        if (is)
            rc = lookup_add(s, &p->t, v[i].row.line, said++ > 0, e);
    }
    free(g);
    return rc ? rc : best > 0;
}
