// Texts that were seen, by their digests: a mail quotes what another one said.
//
//     struct seen s = {0};
//     if ((rc = seen_add(&s, text, n, &e)) > 0) ...   // it is not new
//     seen_done(&s);
#ifndef LCTOOL_ENGINE_ENCODE_SEEN_H
#define LCTOOL_ENGINE_ENCODE_SEEN_H

#include <stddef.h>
#include <stdint.h>

#include "io/err.h"

struct seen {
    uint64_t *digest; // [size] a table with open addresses; 0: nothing is there
    size_t n, size;   // SIZE is 0 or a power of 2
};

// 1: TEXT [n] was added before, 0: now, or ERR_NOMEM. Another text with the same digest of 64 bits
// counts as the same.
int seen_add(struct seen *s, const char *text, size_t n, struct err *e);
void seen_done(struct seen *s);

#endif
