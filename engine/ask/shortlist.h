// The sentences that may be judged (likelihood.c): each is read once, and weighed by what it says
// in the question's words, before a model has read it.
#ifndef LCTOOL_ENGINE_SHORTLIST_H
#define LCTOOL_ENGINE_SHORTLIST_H

#include <stdint.h>

#include "io/err.h"

struct asking;

struct listed {
    int index; // of its index file
    uint32_t document;
    uint64_t start, end; // bytes of the document
    char *text;          // as it is judged: under its heading, where that has words it lacks
    double fit;          // as an answer of the kind that is asked for (asked.h), in nats a token
    int lacks;           // words of the question
    int judged;          // which of the judge's texts it is; 0: none yet
};

struct shortlist {
    struct listed *v; // [n]
    int n, most;
};

// Room for MOST different sentences.
int shortlist_new(struct shortlist *l, int most, struct err *e);
// The sentence around *TOKEN of block GLOBAL, all of the block for NULL, as number *AT: the one
// that it has if several blocks share it. ERR_USAGE where there is no room.
int shortlist_add(struct shortlist *l, struct asking *q, int64_t global, const uint32_t *token,
                  int *at, struct err *e);
void shortlist_done(struct shortlist *l);

#endif
