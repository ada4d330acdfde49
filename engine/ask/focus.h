// Where in a block the answer is looked for: in the sentence on which the votes fall, unless
// another one of it is likelier to have it (likelihood.h).
#ifndef LCTOOL_ENGINE_ASK_FOCUS_H
#define LCTOOL_ENGINE_ASK_FOCUS_H

#include <stddef.h>
#include <stdint.h>

#include "io/err.h"

struct asking;

// Where in a block the answer is looked for.
struct focus {
    int64_t global; // the block
    uint32_t token; // of it
    int found;      // 0: the votes do not tell
    int goes_on;    // sentences behind this one that are read with it
};

struct foci {
    struct focus *v; // [n]
    size_t n, cap;
};

// Where in block GLOBAL the answer is looked for: at the token that focus_at has set, else at the
// one with most votes (token_votes_best), which are counted once. *FOUND 0: there is none.
int focus_of(struct asking *q, int64_t global, int *found, uint32_t *token, struct err *e);
// For each of N stretches of block GLOBAL, from token TOKENS[i] up to TOKENS[i + 1] or the end, the
// most votes of any of its tokens: VOTES [n], as token_votes gives them.
int focus_votes(const struct asking *q, int64_t global, const uint32_t *tokens, int n,
                double *votes, struct err *e);
// Sets the token of block GLOBAL.
int focus_at(struct asking *q, int64_t global, uint32_t token, struct err *e);
// How many sentences behind that one are read with it; and sets that, for a block that focus_of has
// looked at.
int focus_goes_on(const struct asking *q, int64_t global);
void focus_go_on(const struct asking *q, int64_t global, int on);

#endif
