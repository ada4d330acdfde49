// Whether a cell that was found by the kind of its column alone is what is asked for.
#ifndef LCTOOL_ENGINE_TABLES_KIND_H
#define LCTOOL_ENGINE_TABLES_KIND_H

#include "engine/rows/table.h"

// Whether the column NAME of row R of TEXT is of something else than QUESTION, which asks for
// somebody, for a time or for a place, and is ASKED without what names the row: the owner of what
// somebody "approved", the day on which that is due, or where it stands that "you turn off".
int kind_is_other(const char *text, const struct table_row *r, struct span_of_text name,
                  const char *question, const char *asked);

#endif
