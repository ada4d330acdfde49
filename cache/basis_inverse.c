#include "cache/basis_inverse.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/mem.h"
#include "kernels/codec/mix.h"

struct room {
    size_t width, wp; // elements of a group; padded
    size_t n, np;     // rows; padded
    float *rows;      // [n][wp] the section's rows, times their unit
    float *products;  // [width][wp] products of columns with columns
    float *columns;   // [width][np] columns of the weighted rows, then the result
    float *d, *dd;    // [n][np]
    double *heads;    // [heads][heads + 1]
    float *weight;    // [heads]
};

static int room_new(struct room *r, const struct basis_rows *b, struct err *e)
{
    const size_t heads = b->n_sides * b->heads, width = heads * b->dim, wp = basis_padded(width);
    const size_t n = b->n, np = basis_padded(n);
    *r = (struct room){.width = width,
                       .wp = wp,
                       .n = n,
                       .np = np,
                       .rows = mem_new(n, wp * sizeof *r->rows, e),
                       .products = mem_new(width, wp * sizeof *r->products, e),
                       .columns = mem_new(width, np * sizeof *r->columns, e),
                       .d = mem_new(n, np * sizeof *r->d, e),
                       .dd = mem_new(n, np * sizeof *r->dd, e),
                       .heads = mem_new(heads, (heads + 1) * sizeof *r->heads, e),
                       .weight = mem_new(heads, sizeof *r->weight, e)};
    return r->rows && r->products && r->columns && r->d && r->dd && r->heads && r->weight
               ? 0
               : ERR_NOMEM;
}

static void room_done(struct room *r)
{
    free(r->rows);
    free(r->products);
    free(r->columns);
    free(r->d);
    free(r->dd);
    free(r->heads);
    free(r->weight);
}

// Solves A x = its last column by elimination; x replaces that column. A [n][n + 1] is symmetric
// and positive definite; an unknown for which that is in doubt becomes 0.
static void solve(double *a, size_t n)
{
    const size_t w = n + 1;
    for (size_t i = 0; i < n; i++) {
        const double pivot = a[i * w + i];
        for (size_t j = 0; j < w; j++)
            a[i * w + j] = pivot > 1e-9 ? a[i * w + j] / pivot : 0;
        for (size_t k = 0; k < n; k++) {
            const double f = a[k * w + i];
            for (size_t j = i; j < w && k != i; j++)
                a[k * w + j] -= f * a[i * w + j];
        }
    }
}

// Finds the weights of heads that are stored more finely than others. When directions were found,
// elements were weighted, and the rows were then divided by the weights: so rows are orthogonal to
// each other once they are weighted again. The weights are therefore those with which rows are most
// nearly orthogonal: their squares u are those for which the sum over heads of u[h] R[h] R[h]' is
// nearest to I, where R[h] are the columns of head h.
static void find_weights(struct room *r, size_t heads)
{
    const size_t dim = r->width / heads, w = heads + 1;
    mix_floats(r->rows, r->width, r->wp, r->n, r->rows, r->wp, r->wp, r->products, r->wp);
    memset(r->heads, 0, heads * w * sizeof *r->heads);
    for (size_t i = 0; i < r->width; i++) {
        double *to = r->heads + i / dim * w;
        to[heads] += (double)r->products[i * r->wp + i];
        for (size_t j = 0; j < r->width; j++)
            to[j / dim] += (double)r->products[i * r->wp + j] * (double)r->products[i * r->wp + j];
    }
    solve(r->heads, heads);
    for (size_t h = 0; h < heads; h++) {
        const double u = r->heads[h * w + heads];
        r->weight[h] = u > 0 ? (float)sqrt(u) : 1;
    }
}

// With R the weighted rows: computes (R R')^-1 R, with weighted columns, which gives the
// coefficients c for which R' c is nearest to the weighted elements. The rows are nearly orthogonal
// (they were, before they were rounded to integers). So with D = I - R R' the inverse is I + D + D
// D + D D D, up to a negligible error.
static void invert(struct room *r, size_t heads)
{
    const size_t dim = r->width / heads, n = r->n, np = r->np;
    for (size_t c = 0; c < n; c++)
        for (size_t i = 0; i < r->width; i++)
            r->columns[i * np + c] = r->rows[c * r->wp + i] *= r->weight[i / dim];
    mix_floats(r->columns, n, np, r->width, r->columns, np, np, r->d, np);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            r->d[i * np + j] = (i == j ? 1 : 0) - r->d[i * np + j];
    mix_floats(r->d, n, np, n, r->d, np, np, r->dd, np);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            r->dd[i * np + j] += r->d[i * np + j] + (i == j ? 1 : 0);
    mix_floats(r->rows, r->width, r->wp, n, r->dd, np, np, r->columns, np);
    for (size_t i = 0; i < r->width; i++)
        for (size_t c = 0; c < n; c++)
            r->columns[i * np + c] *= r->weight[i / dim];
}

int basis_inverse(float **out, const struct basis_rows *b, struct err *e)
{
    struct room r;
    int rc = room_new(&r, b, e);
    const size_t panel = r.width * BASIS_PANEL, n_panels = (r.n + BASIS_PANEL - 1) / BASIS_PANEL;
    if (!rc && !(*out = mem_new(n_panels, panel * sizeof **out, e)))
        rc = ERR_NOMEM;
    const size_t side = b->heads * b->dim;
    for (size_t c = 0; c < r.n && !rc; c++)
        for (size_t i = 0; i < r.width; i++)
            r.rows[c * r.wp + i] =
                b->side[i / side].unit * b->side[i / side].rows[c * side + i % side];
    if (!rc) {
        find_weights(&r, b->n_sides * b->heads);
        invert(&r, b->n_sides * b->heads);
    }
    for (size_t i = 0; i < r.width && !rc; i++)
        for (size_t c = 0; c < r.n; c++)
            (*out)[c / BASIS_PANEL * panel + i * BASIS_PANEL + c % BASIS_PANEL] =
                r.columns[i * r.np + c] / b->side[i / side].step;
    room_done(&r);
    return rc;
}
