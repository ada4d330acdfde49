// What stands below the headings of a text.
//
//     struct below b;
//     if ((rc = below_find(&b, v, fits, &asked, e)) > 0)
//         rc = below_say(v, &b, 0, e);
#ifndef LCTOOL_ENGINE_OUTLINE_BELOW_H
#define LCTOOL_ENGINE_OUTLINE_BELOW_H

#include "engine/lines/lines.h"
#include "engine/outline/outline.h"

// A heading, and the text below it with the parts that have headings of their own.
struct below {
    struct texts t;
    struct span_of_text head, text;
    int more; // what below_fit returned
    int same; // how many others fit as well
};

// How many words the line S of C, which stands apart like a heading, has beyond what ASKED asks
// for; -1: it is no heading of that.
typedef int below_fit(const void *asked, const struct lines *c, struct span_of_text s);

// Finds the heading of V's documents that FITS best: 1, 0 if there is none, or another one as good,
// or an error.
int below_find(struct below *b, const struct lookup *v, below_fit *fits, const void *asked,
               struct err *e);
// The bytes of what marks the heading TEXT [n]: "## ", "(7) ", "3.13: ", "5.2 ", "K5. ",
// "Q: ".
size_t below_mark(const char *text, size_t n);
// Prints B's heading and its text, all of it where that has WHOLE bytes at most, else as much as of
// any passage. Returns 1 or an error.
int below_say(struct lookup *v, struct below *b, size_t whole, struct err *e);

#endif
