// How the writer of codecs 3 to 5 rounds a coefficient: not always to the level nearest by, since a
// level that is rarer takes more bits. What reads them is not concerned.
#ifndef LCTOOL_CACHE_ROUNDING_H
#define LCTOOL_CACHE_ROUNDING_H

// A coefficient of X steps, whose sign comes back afterwards: 0 where |x| is less than NOUGHT,
// otherwise |x| + OFFSET rounded down.
struct rounding {
    float nought, offset;
};

// P [2 most + 1]: how likely each level is, -MOST first, or what is in proportion to that. A level
// is 2^SHIFT steps.
struct rounding rounding_of(const double *p, unsigned most, unsigned shift);

// The same for coefficients about nought of which a logistic distribution of this deviation, in
// steps, tells how likely their levels are once they are so rounded.
struct rounding rounding_of_logistic(double deviation, unsigned most, unsigned shift);

// A logistic distribution between the two: between the bell and the exponential, as what is seen
// is.
double rounding_logistic(double from, double to, double deviation);

#endif
