// Tables of reStructuredText whose rows are lists within a list:
//
//     .. list-table::
//        :header-rows: 1
//
//     * - Hook
//       - When it is run
//     * - nightly
//       - at 02:45
#ifndef LCTOOL_ENGINE_ROWS_LISTED_H
#define LCTOOL_ENGINE_ROWS_LISTED_H

#include "engine/lines/lines.h"
#include "engine/words/text_span.h"

// The row, of two cells or more, whose first line begins with byte AT of C: its lines, without the
// last line end. Its cells, V [MOST], have a line each; one of several lines is empty there.
// Returns their number; 0: no row begins there.
int listed_row(const struct lines *c, size_t at, struct span_of_text *row, struct span_of_text *v,
               int most);
// Whether the row that begins with byte AT names the columns of those below it.
int listed_head(const struct lines *c, size_t at);

#endif
