// The items of an entry of a change log.
#ifndef LCTOOL_ENGINE_HISTORY_ENTRY_ITEMS_H
#define LCTOOL_ENGINE_HISTORY_ENTRY_ITEMS_H

#include "engine/history/change.h"
#include "engine/lookup/lookup.h"

// What a question that wants WANT asks of that was done.
enum change entry_change_asked(enum want want);
// Prints the HEAD of ENTRY in T and those of its items that V's question asks for: which say that
// was done which is asked of, or are below a heading with the words asked for ("Known problems").
// Returns 1, 0 where there are none, or an error.
int entry_say_items(struct lookup *v, const struct texts *t, struct span_of_text head,
                    struct span_of_text entry, struct err *e);

#endif
