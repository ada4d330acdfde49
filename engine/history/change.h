// What an item of a change log says was done.
#ifndef LCTOOL_ENGINE_HISTORY_CHANGE_H
#define LCTOOL_ENGINE_HISTORY_CHANGE_H

#include "engine/lines/lines.h"
#include "engine/words/text_span.h"

enum change {
    CHANGE_UNSAID,
    CHANGE_ADDED,
    CHANGE_FIXED,
    CHANGE_REMOVED,
    CHANGE_OTHER,
    CHANGE_DENIED // "No dark theme yet."
};

// What the headings above a line say, kept for the items below it: {0} at first.
struct change_above {
    size_t top, line; // of the entry, and the line
    enum change says;
};

// Whether the line S of C is a heading within an entry: marked as one, with a colon at its end, or
// of at most two words.
int change_is_heading(const struct lines *c, struct span_of_text s);
// That of the sentence ITEM in the entry of C that begins with byte TOP, by its own words and those
// of the heading that it is below ("Fixed:"): what stands below "Removed" is so whatever else is
// said of it, and no feature is denied below "New features". ABOVE is kept from one item of C to
// the next.
enum change change_of(const struct lines *c, size_t top, struct span_of_text item,
                      struct change_above *above);

#endif
