// How the writer of codecs 3 to 5 rounds a coefficient: not always to the nearest level, because a
// rarer level takes more bits. Readers need not know.
#ifndef LCTOOL_CACHE_ROUNDING_H
#define LCTOOL_CACHE_ROUNDING_H

// Rounds the magnitude X of a coefficient, in steps: to 0 if it is less than NOUGHT, else x +
// OFFSET rounded down. The sign is put back afterwards.
struct rounding {
    float nought, offset;
};

// P [2 most + 1]: probability of each level, -MOST first, or numbers in proportion. A level has
// 2^SHIFT steps.
struct rounding rounding_of(const double *p, unsigned most, unsigned shift);

// The same for coefficients around 0 with a logistic distribution of this deviation, in steps,
// which gives the probabilities of levels that are rounded so.
struct rounding rounding_of_logistic(double deviation, unsigned most, unsigned shift);

// The probability of FROM to TO in a logistic distribution, which lies between the normal and the
// exponential one, as coefficients do.
double rounding_logistic(double from, double to, double deviation);

#endif
