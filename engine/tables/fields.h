// The fields of a document's records, line by line: of objects in JSON written for people, of
// elements of XML, of items of YAML, of lines with labels between empty lines.
//
//     n = fields_of_line(&c, line, v);             // what one line has
//     for (ok = fields_scope_begin(&s, &c, line); ok; ok = fields_scope_widen(&s, &c))
//         look_at(s.top, s.end);                   // the record it is of, then the one around that
#ifndef LCTOOL_ENGINE_TABLES_FIELDS_H
#define LCTOOL_ENGINE_TABLES_FIELDS_H

#include "engine/lines/lines.h"
#include "engine/lookup/texts.h"

enum { FIELDS_MOST = 8 }; // of a line: an element has attributes

struct field {
    struct span_of_text label, value;
};

// The fields of the line at byte START of C, V [FIELDS_MOST]; one without a value where it opens a
// group. Returns their number.
int fields_of_line(const struct lines *c, size_t start, struct field *v);
// The column of the words of the line at byte START, behind the dash of an item.
size_t fields_column(const struct lines *c, size_t start);
// The line that opens the group that the line at byte START is of; c->n: there is none.
size_t fields_opener(const struct lines *c, size_t start);

// Lines of one thing: TOP to END, those at COLUMN and what is set in further, without SKIP to
// SKIP_END, which were looked at before.
struct fields_scope {
    size_t top, end, column, skip, skip_end;
};

// The smallest one around the line at byte START. Returns 0 where there is none.
int fields_scope_begin(struct fields_scope *s, const struct lines *c, size_t start);
// The one around S; 0: there is none, or it is all of a document.
int fields_scope_widen(struct fields_scope *s, const struct lines *c);

#endif
