// Reflections make the matrix tridiagonal (Householder), rotations then diagonal (the implicit QL
// method; Bowdler, Martin, Reinsch and Wilkinson, 1968). The vectors are rows, so that both work
// on contiguous memory.
#include "kernels/codec/eigen.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/mem.h"

// The functions that follow are compiled a second time for AVX2, with the same sums in the same
// order, so that all machines find the same vectors. Wider registers gain nothing, because the rows
// come from the second-level cache, and adding up their elements is slow.
#define INLINE static inline __attribute__((always_inline))

enum { LANES = 4, COLUMNS = 4 * LANES };
typedef double lanes __attribute__((vector_size(8 * LANES)));
typedef double lanes_at __attribute__((vector_size(8 * LANES), aligned(8), may_alias));

#define LOAD(p)     (*(const lanes_at *)(const void *)(p))
#define STORE(p, x) (*(lanes_at *)(void *)(p) = (x))

INLINE double dot(const double *x, const double *y, size_t n)
{
    lanes sums = {0};
    double sum = 0;
    size_t i = 0;
    for (; i + LANES <= n; i += LANES)
        sums += LOAD(x + i) * LOAD(y + i);
    for (; i < n; i++)
        sum += x[i] * y[i];
    for (i = 0; i < LANES; i++)
        sum += sums[i];
    return sum;
}

// OUT [n] = the sum of M rows, each multiplied by its factor in F; rows are N_ROW doubles apart.
INLINE void add_rows(double *out, const double *f, const double *rows, size_t n_row, size_t m,
                     size_t n)
{
    size_t j = 0;
    for (; j + COLUMNS <= n; j += COLUMNS) {
        lanes s0 = {0}, s1 = {0}, s2 = {0}, s3 = {0};
        for (size_t i = 0; i < m; i++) {
            const double *x = rows + i * n_row + j;
            s0 += f[i] * LOAD(x);
            s1 += f[i] * LOAD(x + LANES);
            s2 += f[i] * LOAD(x + 2 * LANES);
            s3 += f[i] * LOAD(x + 3 * LANES);
        }
        STORE(out + j, s0);
        STORE(out + j + LANES, s1);
        STORE(out + j + 2 * LANES, s2);
        STORE(out + j + 3 * LANES, s3);
    }
    for (; j + LANES <= n; j += LANES) {
        lanes sum = {0};
        for (size_t i = 0; i < m; i++)
            sum += f[i] * LOAD(rows + i * n_row + j);
        STORE(out + j, sum);
    }
    for (; j < n; j++) {
        out[j] = 0;
        for (size_t i = 0; i < m; i++)
            out[j] += f[i] * rows[i * n_row + j];
    }
}

// y -= f x
INLINE void take_away(double *y, double f, const double *x, size_t n)
{
    size_t i = 0;
    for (; i + LANES <= n; i += LANES)
        STORE(y + i, LOAD(y + i) - f * LOAD(x + i));
    for (; i < n; i++)
        y[i] -= f * x[i];
}

// z -= f x + g y
INLINE void take_both(double *z, double f, const double *x, double g, const double *y, size_t n)
{
    size_t i = 0;
    for (; i + LANES <= n; i += LANES)
        STORE(z + i, LOAD(z + i) - (f * LOAD(x + i) + g * LOAD(y + i)));
    for (; i < n; i++)
        z[i] -= f * x[i] + g * y[i];
}

// Reflects the rows and columns of A below K, and the rows of Z, so that column K is zero below
// its second entry. V and P [n] are scratch; a column that is not longer than NOTHING is one of
// zeros.
INLINE double reflect(double *a, double *z, size_t n, size_t k, double *v, double *p,
                      double nothing)
{
    const size_t m = n - k - 1;
    double *below = a + (k + 1) * n + k + 1;
    memcpy(v, a + k * n + k + 1, m * sizeof *v); // the row is the column: A is symmetric
    double norm = sqrt(dot(v, v, m)), end = v[0] > 0 ? -norm : norm;
    v[0] -= end;
    double square = dot(v, v, m);
    if (!(square > nothing * nothing))
        return end;
    const double beta = 2 / square;
    add_rows(p, v, below, n, m, m);
    const double half = beta / 2 * dot(p, v, m);
    for (size_t i = 0; i < m; i++)
        p[i] = beta * (p[i] - half * v[i]);
    for (size_t i = 0; i < m; i++)
        take_both(below + i * n, v[i], p, p[i], v, m);
    add_rows(p, v, z + (k + 1) * n, n, m, n);
    for (size_t i = 0; i < m; i++)
        take_away(z + (k + 1 + i) * n, beta * v[i], p, n);
    return end;
}

// (x, y) = (c x - s y, s x + c y)
INLINE void rotate(double *x, double *y, double c, double s, size_t n)
{
    size_t i = 0;
    for (; i + LANES <= n; i += LANES) {
        const lanes a = LOAD(x + i), b = LOAD(y + i);
        STORE(x + i, c * a - s * b);
        STORE(y + i, s * a + c * b);
    }
    for (; i < n; i++) {
        double a = x[i], b = y[i];
        x[i] = c * a - s * b;
        y[i] = s * a + c * b;
    }
}

// One QL step on rows L..M of the tridiagonal matrix with diagonal D and, below it, E.
INLINE void step(double *d, double *e, double *z, size_t n, size_t l, size_t m)
{
    double g = (d[l + 1] - d[l]) / (2 * e[l]), r = sqrt(g * g + 1);
    g = d[m] - d[l] + e[l] / (g + (g < 0 ? -r : r));
    double s = 1, c = 1, p = 0;
    for (size_t i = m; i-- > l;) {
        double f = s * e[i], b = c * e[i];
        r = sqrt(f * f + g * g);
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

INLINE int diagonalise(double *d, double *e, double *z, size_t n, double nothing)
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

// Z: the identity. A [n][n] becomes diagonal, and Z the vectors; D [n] the values. ROOM [3 n].
INLINE int solve(double *a, double *z, size_t n, double *d, double *room)
{
    double *e = room, *v = e + n, *p = v + n;
    // Below this an element counts as zero: a matrix that is not of full rank has rounding errors
    // where exact arithmetic would give zeros.
    const double nothing = fmax(DBL_EPSILON * sqrt(dot(a, a, n * n)), 0x1p-500);
    int ok = 1;
    for (size_t k = 0; k + 2 < n; k++)
        e[k] = reflect(a, z, n, k, v, p, nothing);
    if (n > 1)
        e[n - 2] = a[(n - 1) * n + n - 2];
    for (size_t i = 0; i < n; i++) {
        d[i] = a[i * n + i];
        ok &= isfinite(d[i]) && isfinite(e[i]);
    }
    return ok ? diagonalise(d, e, z, n, nothing) : -1;
}

static int solve_plain(double *a, double *z, size_t n, double *d, double *room)
{
    return solve(a, z, n, d, room);
}

#ifdef __x86_64__
__attribute__((target("avx2"))) static int solve_avx2(double *a, double *z, size_t n, double *d,
                                                      double *room)
{
    return solve(a, z, n, d, room);
}
#endif

static int solve_best(double *a, double *z, size_t n, double *d, double *room)
{
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx2"))
        return solve_avx2(a, z, n, d, room);
#endif
    return solve_plain(a, z, n, d, room);
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
        for (size_t i = 0; i < n; i++)
            z[i * n + i] = 1;
        if (solve_best(a, z, n, room, room + n))
            rc = err_set(err, ERR_FORMAT, "a matrix has no eigenvectors");
        for (size_t i = 0; i < n; i++)
            order[i] = (struct value){room[i], i};
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
