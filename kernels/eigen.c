// Reflections make the matrix tridiagonal (Householder), rotations then diagonal (the implicit QL
// method; Bowdler, Martin, Reinsch and Wilkinson, 1968). The vectors are rows, so that both work
// on contiguous memory.
#include "kernels/eigen.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/mem.h"
#include "kernels/sums.h"

SUMS_OF(double)

// Reflects the rows and columns of A below K, and the rows of Z, so that column K is zero below
// its second entry. V and P [n] are scratch; a column that is not longer than NOTHING is one of zeros.
static double reflect(double *a, double *z, size_t n, size_t k, double *v, double *p, double nothing)
{
    size_t m = n - k - 1;
    for (size_t i = 0; i < m; i++)
        v[i] = a[(k + 1 + i) * n + k];
    double norm = sqrt(dot_double(v, v, m)), end = v[0] > 0 ? -norm : norm;
    v[0] -= end;
    double square = dot_double(v, v, m);
    if (!(square > nothing * nothing))
        return end;
    double beta = 2 / square;
    for (size_t i = 0; i < m; i++)
        p[i] = beta * dot_double(a + (k + 1 + i) * n + k + 1, v, m);
    add_double(p, -beta / 2 * dot_double(p, v, m), v, m);
    for (size_t i = 0; i < m; i++) {
        double *row = a + (k + 1 + i) * n + k + 1;
        add_double(row, -v[i], p, m);
        add_double(row, -p[i], v, m);
    }
    memset(p, 0, n * sizeof *p);
    for (size_t i = 0; i < m; i++)
        add_double(p, beta * v[i], z + (k + 1 + i) * n, n);
    for (size_t i = 0; i < m; i++)
        add_double(z + (k + 1 + i) * n, -v[i], p, n);
    return end;
}

// (x, y) = (c x - s y, s x + c y)
static void rotate(double *x, double *y, double c, double s, size_t n)
{
    size_t i = 0;
    for (; i + 4 <= n; i += 4) {
        four_double a, b, u, w;
        memcpy(&a, x + i, sizeof a);
        memcpy(&b, y + i, sizeof b);
        u = a * c - b * s;
        w = a * s + b * c;
        memcpy(x + i, &u, sizeof u);
        memcpy(y + i, &w, sizeof w);
    }
    for (; i < n; i++) {
        double a = x[i], b = y[i];
        x[i] = c * a - s * b;
        y[i] = s * a + c * b;
    }
}

// One QL step on rows L..M of the tridiagonal matrix with diagonal D and, below it, E.
static void step(double *d, double *e, double *z, size_t n, size_t l, size_t m)
{
    double g = (d[l + 1] - d[l]) / (2 * e[l]), r = hypot(g, 1);
    g = d[m] - d[l] + e[l] / (g + (g < 0 ? -r : r));
    double s = 1, c = 1, p = 0;
    for (size_t i = m; i-- > l;) {
        double f = s * e[i], b = c * e[i];
        r = hypot(f, g);
        e[i + 1] = r;
        if (r == 0) {
            d[i + 1] -= p;
            e[m] = 0;
            return;
        }
        s = f / r;
        c = g / r;
        g = d[i + 1] - p;
        r = (d[i] - g) * s + 2 * c * b;
        p = s * r;
        d[i + 1] = g + p;
        g = c * r - b;
        rotate(z + i * n, z + (i + 1) * n, c, s, n);
    }
    d[l] -= p;
    e[l] = g;
    e[m] = 0;
}

static int diagonalise(double *d, double *e, double *z, size_t n, double nothing)
{
    enum { STEPS_MAX = 60 };
    for (size_t l = 0; l < n; l++)
        for (int steps = 0;; steps++) {
            size_t m = l;
            while (m + 1 < n && fabs(e[m]) > DBL_EPSILON * (fabs(d[m]) + fabs(d[m + 1])) &&
                   fabs(e[m]) > nothing)
                m++;
            if (m == l)
                break;
            if (steps == STEPS_MAX)
                return -1;
            step(d, e, z, n, l, m);
        }
    return 0;
}

struct value {
    double value;
    size_t at;
};

static int falling(const void *a, const void *b)
{
    const struct value *x = a, *y = b;
    if (x->value != y->value)
        return x->value < y->value ? 1 : -1;
    return x->at < y->at ? -1 : x->at > y->at;
}

int eigen(double *a, size_t n, double *values, double *vectors, struct err *err)
{
    double *z = mem_new(n * n, sizeof *z, err), *room = mem_new(4 * n + 4, sizeof *room, err);
    struct value *order = mem_new(n, sizeof *order, err);
    int rc = z && room && order ? 0 : ERR_NOMEM;
    if (!rc) {
        double *d = room, *e = d + n, *v = e + n, *p = v + n;
        // What a matrix that is not of full rank has instead of zeros: rounding.
        const double nothing = fmax(DBL_EPSILON * sqrt(dot_double(a, a, n * n)), 0x1p-500);
        for (size_t i = 0; i < n; i++)
            z[i * n + i] = 1;
        for (size_t k = 0; k + 2 < n; k++)
            e[k] = reflect(a, z, n, k, v, p, nothing);
        if (n > 1)
            e[n - 2] = a[(n - 1) * n + n - 2];
        int ok = 1;
        for (size_t i = 0; i < n; i++) {
            d[i] = a[i * n + i];
            ok &= isfinite(d[i]) && isfinite(e[i]);
        }
        if (!ok || diagonalise(d, e, z, n, nothing))
            rc = err_set(err, ERR_FORMAT, "a matrix has no eigenvectors");
        for (size_t i = 0; i < n; i++)
            order[i] = (struct value){d[i], i};
        qsort(order, n, sizeof *order, falling);
        for (size_t i = 0; i < n; i++) {
            values[i] = order[i].value;
            memcpy(vectors + i * n, z + order[i].at * n, n * sizeof *z);
        }
    }
    free(z);
    free(room);
    free(order);
    return rc;
}
