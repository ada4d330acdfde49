// What a survey of texts found: the answer, and the places that it rests on.
#ifndef LCTOOL_ENGINE_LOOKUP_FOUND_H
#define LCTOOL_ENGINE_LOOKUP_FOUND_H

#include <stddef.h>
#include <stdint.h>

// A place that an answer rests on, and the passage around it: a block of the index, extended where
// the place goes on behind the block.
struct survey_place {
    int index;
    uint64_t block;
    const char *document, *text; // valid while the index is open; the passage's text
    uint64_t from, to;           // the passage, bytes of the document, end exclusive
    uint64_t start, end;         // the place in it, likewise
    int n;                       // number of things in this passage that the answer counts
};

struct survey {
    char *text; // NUL-terminated
    size_t bytes;
    struct survey_place *places; // [n] in the order of the document, or as one leads to the next
    int n, most;                 // at most MOST, as survey() was told
};

void survey_done(struct survey *s);

#endif
