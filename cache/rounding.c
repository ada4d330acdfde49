#include "cache/rounding.h"

#include <math.h>

enum { TRIES = 8, LEVELS_MAX = 126 };

// The squared error, in steps, that a bit is worth: for levels next to 0, and for the others. At a
// high rate both would be ln 2 / 6 = 0.1155; but rounding inwards makes everything smaller, which
// harms the model's predictions more than the squared error says.
static const double NOUGHT_BIT = 0.07, LEVEL_BIT = 0.04;

// Bits that a level costs more than the one before it.
static double dearer(double before, double level)
{
    return before > 0 && level > 0 ? log2(before / level) : 0;
}

struct rounding rounding_of(const double *p, unsigned most, unsigned shift)
{
    double bits = 0, weight = 0;
    for (unsigned i = 2; i <= most; i++) {
        const double level = p[most + i] + p[most - i];
        bits += level * dearer(p[most + i - 1] + p[most - i + 1], level);
        weight += level;
    }
    const double first = dearer(p[most], (p[most + 1] + p[most - 1]) / 2);
    const double each = weight > 0 ? bits / weight : first;
    // If a level has several steps, 0 is one of them, and no cheaper than the next.
    return (struct rounding){shift ? 0 : (float)(0.5 + NOUGHT_BIT / 2 * first),
                             (float)fmax(0.5 - LEVEL_BIT / 2 * each / (1u << shift), 0)};
}

double rounding_logistic(double from, double to, double deviation)
{
    double s = deviation * sqrt(3) / acos(-1);
    return 1 / (1 + exp(-to / s)) - 1 / (1 + exp(-from / s));
}

// Where LEVEL begins.
static double edge(struct rounding r, unsigned level)
{
    return fmax((double)level - (double)r.offset, (double)r.nought);
}

struct rounding rounding_of_logistic(double deviation, unsigned most, unsigned shift)
{
    struct rounding r = {0.5f, 0.5f};
    double p[2 * LEVELS_MAX + 1];
    // How likely levels are depends on the rounding, and the rounding on how likely they are.
    for (int i = 0; i < TRIES; i++) {
        for (unsigned level = 0; level <= most; level++) {
            const double from = shift   ? (double)level
                                : level ? edge(r, level)
                                        : -edge(r, 1),
                         to = shift ? level + 1.0 : edge(r, level + 1);
            p[most + level] = p[most - level] =
                rounding_logistic(from, to, deviation / (1u << shift));
        }
        r = rounding_of(p, most, shift);
    }
    return r;
}
