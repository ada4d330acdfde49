// Lists of objects of JSON as tables: an object is a row, and the labels of the first one name the
// columns.
//
//     {"users": [{"name": "anne", "active": true}, {"name": "bert", "active": false}]}
#ifndef LCTOOL_ENGINE_ROWS_OBJECT_ROWS_H
#define LCTOOL_ENGINE_ROWS_OBJECT_ROWS_H

#include "engine/lines/lines.h"
#include "engine/words/text_span.h"

// The first object of a list, or of JSON Lines, that begins in the line of C with byte AT, behind
// that; and the one that is next in its list, where the one before ends with byte AT. {0}: there is
// none.
struct span_of_text object_rows_first(const struct lines *c, size_t at);
struct span_of_text object_rows_next(const struct lines *c, size_t at);
// Whether the list goes on behind its object that ends with byte AT, with something else than the
// object that begins with byte TO.
int object_rows_go_on(const struct lines *c, size_t at, size_t to);
// The labels of the object HEAD of TEXT, NAMES [MOST], and what the object ROW has for each, CELLS
// [MOST]: empty where it has none, null, or a list or object. Returns their number.
int object_rows_cells(const char *text, struct span_of_text head, struct span_of_text row,
                      struct span_of_text *names, struct span_of_text *cells, int most);

#endif
