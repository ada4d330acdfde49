// Sentences behind the best one that are read with it.
#ifndef LCTOOL_ENGINE_ASK_FOLLOW_H
#define LCTOOL_ENGINE_ASK_FOLLOW_H

#include "engine/passage/sentence.h"

struct asking;

// Reads the sentences behind the best one (follow_reach) with it when both together make the
// question clearly likelier. The judge must have room for FOLLOW_TEXTS more texts.
enum { FOLLOW_TEXTS = 2 };
int follow_on(struct asking *q, struct err *e);
// A sentence and those behind it: up to the first that is about what is asked for where it is about
// another thing (asked_of_another), or that has an amount or a time if that is asked for
// (asked_lacking), a reason or the contents of something if these are, or a word of the question,
// which the sentence lacks; when none of the next three has one, just the next.
struct reach {
    struct sentence both;
    int on;     // number of sentences behind the first
    int lacked; // 1: they end with one that has such a thing
};
// For FIRST, the sentence around TOKEN of BLOCK. R->both is the caller's to release in any case.
int follow_reach(struct reach *r, const char *question, const struct sentence *first,
                 const struct kvz *k, uint64_t block, uint32_t token, struct err *e);
// Whether the texts FIRST and BOTH make the question clearly likelier than FIRST alone: LIKELIHOOD
// [2] of QUESTION after FIRST and after BOTH, corrected by what kind of answer each can give
// (asked.h); LACKED as in struct reach.
int follow_better(const double *likelihood, const char *question, const char *first,
                  const char *both, int lacked);

#endif
