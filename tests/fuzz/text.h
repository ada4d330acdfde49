// What the targets over plain text share: an input is a question on its first line, and a document
// below that.
#ifndef LCTOOL_TESTS_FUZZ_TEXT_H
#define LCTOOL_TESTS_FUZZ_TEXT_H

#include <stdlib.h>

#include "tests/fuzz/fuzz.h"

// Documents of many kinds, each with a question that a survey answers.
int fuzz_text_seed(int i, struct bytes *out);
size_t fuzz_text_mutate(struct fuzz_random *r, uint8_t *data, size_t n, size_t cap);

static inline void must(int holds)
{
    if (!holds)
        abort();
}

// A copy of N bytes that ends where they do, so that one byte too far is seen; and one with a NUL
// behind them. To be freed.
char *fuzz_text_copy(const void *p, size_t n);
char *fuzz_text_string(const void *p, size_t n);
// The bytes of the first line of DATA; *TEXT [*n]: what is below it.
size_t fuzz_text_question(const uint8_t *data, size_t bytes, const uint8_t **text, size_t *n);

#endif
