// Cells that say themselves what they tell, whatever their column is called.
#ifndef LCTOOL_ENGINE_TABLES_CELL_OWN_H
#define LCTOOL_ENGINE_TABLES_CELL_OWN_H

#include "engine/rows/table.h"

// The only cell of ROW, in TEXT, that says what is default, where ASKED asks for that and no column
// of HEAD is called so: "`fast` (default) or `safe`"; else -1.
int cell_default(const char *text, const struct row *head, const struct row *row,
                 const char *asked);
// The only cell of ROW, in TEXT, that begins with a label that has all that is ASKED for, and
// nothing else: "Retry budget: at most 1 retry"; else -1.
int cell_labelled(const char *text, const struct row *row, const char *asked);

#endif
