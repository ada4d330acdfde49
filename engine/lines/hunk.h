// Hunks of a unified diff: the lines below "@@ -1,5 +1,5 @@" that are gone, are new, or stand
// around these, each with its sign.
//
//     struct hunks h = {.c = &c};
//     while (hunk_next(&h, &line, &file))
//         look_at(c.text[line.from], line);   // '-', '+' or ' '
#ifndef LCTOOL_ENGINE_LINES_HUNK_H
#define LCTOOL_ENGINE_LINES_HUNK_H

#include "engine/lines/lines.h"
#include "engine/words/text_span.h"

// What the line above a hunk begins with.
#define HUNK_HEADER "@@ -"

struct hunks {
    const struct lines *c;
    size_t at; // the byte where the next line begins
    // Lines of the hunk that are still to come, of the old file and of the new one.
    long old_left, new_left;
    struct span_of_text file;
};

// The next line of a hunk, with its sign, and the line that names its FILE, "+++ b/config.h", {0}
// where none does: 1, or 0 at the end.
int hunk_next(struct hunks *h, struct span_of_text *line, struct span_of_text *file);
// Whether the line that begins with byte LINE is the header of a hunk, or one below it.
int hunk_holds(const struct lines *c, size_t line);
// Whether the line of C that begins with byte LINE and the next one are of one hunk and have
// different signs.
int hunk_divides(const struct lines *c, size_t line);

#endif
