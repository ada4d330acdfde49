// Tables of two columns that a tab, a comma or a semicolon divides. So few tabs divide terms and
// what they mean as well, so that only measures below a head are taken for a table; a comma or a
// semicolon has no blank behind it, as it has in prose, and divides words as well where the text is
// nothing else.
#ifndef LCTOOL_ENGINE_LINES_TWO_COLUMNS_H
#define LCTOOL_ENGINE_LINES_TWO_COLUMNS_H

#include "engine/lines/lines.h"

// Whether the line at byte AT of C names the columns of such a table, with an empty line above it:
// "Camp" and "Height" above "North" and "412 m". *END: where the table's last line ends; *MARK:
// what divides its cells.
int two_columns_begin(const struct lines *c, size_t at, size_t *end, char *mark);

#endif
