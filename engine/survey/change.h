// What an item of a change log says was done.
#ifndef LCTOOL_ENGINE_CHANGE_H
#define LCTOOL_ENGINE_CHANGE_H

#include "engine/text/cut.h"
#include "engine/text/span.h"

enum change {
    CHANGE_UNSAID,
    CHANGE_ADDED,
    CHANGE_FIXED,
    CHANGE_REMOVED,
    CHANGE_OTHER,
    CHANGE_DENIED // "No dark theme yet."
};

// That of the sentence ITEM in the entry of C that begins with byte TOP, by its own words and those
// of the heading that it is below ("Fixed:").
enum change change_of(const struct cut *c, size_t top, struct span_of_text item);

#endif
