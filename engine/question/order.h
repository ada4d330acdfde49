// The order of words in a question: "what section 6.5 says", as it stands within a sentence,
// against "what does section 6.5 say".
#ifndef LCTOOL_ENGINE_QUESTION_ORDER_H
#define LCTOOL_ENGINE_QUESTION_ORDER_H

#include <stddef.h>
#include <stdio.h>

// Whether the word P [n] asks, or tells that "yes" or "no" is asked for: "what", "whether".
int order_asks(const char *p, size_t n);
// Writes the English question P [n], which begins with such a word, and in front of that with "in"
// or the like at most, to OUT in the order of a question that stands alone. Where it is not plain
// which of its words is the verb, or where it has that order, it is written as it stands; without
// "whether" in any case. Returns 1 where the order was changed, else 0.
int order_write(FILE *out, const char *p, size_t n);

#endif
