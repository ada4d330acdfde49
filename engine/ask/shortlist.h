// The sentences that may be judged (likelihood.c): each is there once, with what its words alone
// tell, before a model reads it.
#ifndef LCTOOL_ENGINE_ASK_SHORTLIST_H
#define LCTOOL_ENGINE_ASK_SHORTLIST_H

#include <stdint.h>

#include "engine/ask/edition.h"
#include "io/err.h"

struct asking;

struct listed {
    int index; // which of the indexes
    uint32_t document;
    uint64_t start, end; // bytes of the document
    char *text;          // as it is judged: under its heading where sentence_headed puts it there
    double fit;          // nats a token: whether it is the kind of answer asked for (asked_fit),
                         // and how near its vector is to the question's (near.h)
    double near;         // that nearness; 0: not known
    int lacks;           // number of the question's words that it lacks
    int of_another;      // 1: it is about another thing than is asked for (asked_of_another), or of
                         // another year (edition.h)
    int misses;          // 1: it has nothing of the kind that is asked for (asked_misses)
    int names_only;      // 1: it says nothing, only asks, is of contents, names columns of a
                         // table, signs a message, greets in it, or is of_head
    int of_head;         // 1: it heads a message of which the body is asked for
    int tells_nothing;   // 1: it only asks, says the question again, tells a number where that asks
                       // where, is a title, where the question asks why or how or has but a name of
                       // it (asked_only_named), or a signature, where it asks nothing that this
                       // tells (message_may_sign)
    int judged; // its index among the judge's texts, the first of which is "" (no text);
                // 0: not judged yet
};

struct shortlist {
    struct listed *v; // [n]
    int n, most;
    struct editions others; // documents of another year than is asked for
};

// Room for MOST different sentences.
int shortlist_new(struct shortlist *l, const struct asking *q, int most, struct err *e);
// Adds the sentence around *TOKEN of block GLOBAL, all of the block for TOKEN NULL. *AT: its index,
// also when it was added before, from this or another block. ERR_USAGE: there is no room.
int shortlist_add(struct shortlist *l, struct asking *q, int64_t global, const uint32_t *token,
                  int *at, struct err *e);
// Where the one AT, of block GLOBAL, is about another number or month than is asked for: the first
// sentence of that block that has all numbers asked for is added; of one that is of_head, the first
// one of a body; of one that misses what is asked for, the first one that does not and has a word
// of the question. *TOKEN, of it, and *AT are unchanged where there is none.
int shortlist_add_asked(struct shortlist *l, struct asking *q, int64_t global, uint32_t *token,
                        int *at, struct err *e);
// Nats a token: what it counts as that a sentence is as NEAR to the question as near.h says.
double shortlist_nearness(double near);
void shortlist_done(struct shortlist *l);

#endif
