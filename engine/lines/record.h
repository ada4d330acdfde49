// Records of lines with labels, and what is read of a record that is too long to be read whole.
#ifndef LCTOOL_ENGINE_LINES_RECORD_H
#define LCTOOL_ENGINE_LINES_RECORD_H

#include "engine/lines/lines.h"

// Extends TOP to END by whole lines within bytes FROM to TO, to as much as is read together: from
// the first line on where there is room for that, else on both sides alike, with room for LEAD
// bytes.
void record_grow(const struct lines *c, size_t from, size_t to, size_t lead, size_t *top,
                 size_t *end);
// The record that the line of byte AT is of: TOP to END, lines that all have labels, between empty
// lines. No other one has the first one's label, with which the record above or below begins, too.
// Returns 0 where there is none.
int record_run(const struct lines *c, size_t at, size_t *top, size_t *end);
// Where the item ends that the line at byte LINE begins: with the lines below it, before byte TO
// and an empty one, that are set in further.
size_t record_item_end(const struct lines *c, size_t line, size_t to);
// Extends FROM to TO, within an item of a list that begins with its code and has fields in the
// lines set in below it, to all of it: "A-3  Paint the gate.", "     Owner: Ann. Due: 3 May.".
// Returns 0 and changes nothing where there is none, or no room.
int record_of_code(const struct lines *c, size_t *from, size_t *to);
// Extends FROM to TO, within a line of such a record, to all of it or to what fits of it; LEAD to
// LEAD_END becomes its first line, or nothing where that is among them. Returns 0 and changes
// nothing where there is none.
int record_of_fields(const struct lines *c, size_t *from, size_t *to, size_t *lead,
                     size_t *lead_end);

#endif
