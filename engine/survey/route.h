// A search along names that lead from one to the next: each name is there once, in the order in
// which they were reached.
#ifndef LCTOOL_ENGINE_SURVEY_ROUTE_H
#define LCTOOL_ENGINE_SURVEY_ROUTE_H

#include <stddef.h>
#include <stdint.h>

#include "engine/survey/surveys.h"

enum { ROUTE_NAME = 128, ROUTE_MOST = 200 };

struct stop {
    char name[ROUTE_NAME];
    int from;               // index of the stop that led to it; -1: it was asked about
    struct texts in;        // the document that says so,
    struct span_of_text at; // and where
    int left;               // 1: it does not hold any more
};

struct route {
    struct stop *v; // [n]
    int n;
};

// Begins with NAME.
int route_new(struct route *r, const char *name, struct err *e);
void route_done(struct route *r);
// Adds NAME [n], reached from stop FROM as bytes AT of T's document say. Returns 0 when it is too
// long, there already, or one too many.
int route_add(struct route *r, const char *name, size_t n, int from, const struct texts *t,
              struct span_of_text at);
int route_has(const struct route *r, const char *name, size_t n);
// Adds the places of the stops that lead to stop LAST to the answer's, the first one first.
int route_add_places(const struct route *r, int last, struct lookup *v, struct err *e);
// Prints the stops between the first one and LAST: ", by way of X1 and X2".
void route_say_way(const struct route *r, int last, FILE *out);

#endif
