// What was looked up in the texts: the answer, and the places that it rests on.
#ifndef LCTOOL_ENGINE_LOOKUP_ANSWER_H
#define LCTOOL_ENGINE_LOOKUP_ANSWER_H

#include <stddef.h>
#include <stdint.h>

// A place that an answer rests on, and the passage around it: a block of the index, extended where
// the place goes on behind the block.
struct lookup_place {
    int index;
    uint64_t block;
    const char *document, *text; // valid while the index is open; the passage's text
    uint64_t from, to;           // the passage, bytes of the document, end exclusive
    uint64_t start, end;         // the place in it, likewise
    int n;                       // number of things in this passage that the answer counts
};

struct lookup_answer {
    char *text; // NUL-terminated
    size_t bytes;
    struct lookup_place *places; // [n] in the order of the document, or as one leads to the next
    int n, most;                 // at most MOST, as survey() was told
};

void lookup_answer_done(struct lookup_answer *s);

#endif
