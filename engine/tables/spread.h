// Elements of XML that are not set in below one another, on one line or on many, as fields.h reads
// them: an element that has others, and one that has text alone, on a line each, set in.
//
//     if ((rc = spread_init(&x, &c, e)) > 0)
//         look_at(x.text, x.bytes);
//     spread_done(&x);
#ifndef LCTOOL_ENGINE_TABLES_SPREAD_H
#define LCTOOL_ENGINE_TABLES_SPREAD_H

#include "engine/lines/lines.h"
#include "engine/words/text_span.h"
#include "io/err.h"

// A line: where it begins, and what it is of.
struct spread_line {
    size_t at;                  // byte of the text of struct spread
    struct span_of_text source; // of the text that was spread
};

struct spread {
    char *text; // [bytes]
    size_t bytes;
    struct spread_line *lines; // [n] in their order
    size_t cap;
    int n;
};

// Spreads C. 1, 0 where it is no XML, has text beside elements, as books have, or has lines that
// are set in, or an error. X is the caller's to release in any case.
int spread_init(struct spread *x, const struct lines *c, struct err *e);
void spread_done(struct spread *x);
// What the line that begins with byte AT of X's text is of.
struct span_of_text spread_source(const struct spread *x, size_t at);

#endif
