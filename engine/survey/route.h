// Names that lead from one to the next, each once, in the order in which they were reached.
#ifndef LCTOOL_ENGINE_ROUTE_H
#define LCTOOL_ENGINE_ROUTE_H

#include <stddef.h>
#include <stdint.h>

#include "engine/survey/kinds.h"

enum { ROUTE_NAME = 128, ROUTE_MOST = 200 };

struct stop {
    char name[ROUTE_NAME];
    int from;        // the name that led to it; -1: it was asked about
    struct texts in; // the document that says so, and where
    struct span_of_text at;
    int left; // it does not hold any more
};

struct route {
    struct stop *v; // [n]
    int n;
};

// The first of its names is NAME.
int route_new(struct route *r, const char *name, struct err *e);
void route_done(struct route *r);
// NAME [n] is reached from stop FROM, as bytes AT of T's document say. Returns 0 where
// it is too long, known, or one too many.
int route_add(struct route *r, const char *name, size_t n, int from, const struct texts *t,
              struct span_of_text at);
int route_has(const struct route *r, const char *name, size_t n);
// The places of the stops that lead to stop LAST, the first one first, are the answer's.
int route_add_places(const struct route *r, int last, struct surveying *v, struct err *e);
// ", by way of X1 and X2": what lies between the first stop and LAST.
void route_say_way(const struct route *r, int last, FILE *out);

#endif
