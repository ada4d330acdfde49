// What the files of cut.h share.
#ifndef LCTOOL_ENGINE_TEXT_CUT_IMPL_H
#define LCTOOL_ENGINE_TEXT_CUT_IMPL_H

#include "engine/text/cut.h"

enum {
    CUT_NARROW = 48, // columns that lines of broken prose have room for, at least,
    CUT_WIDE = 120   // and at most
};

// Whether a sentence continues past the line end at byte I.
int cut_line_goes_on(const struct cut *c, size_t i);
// Whether a sentence ends with byte I < n - 1, which is no line end: it is the last byte of a stop,
// or of what belongs to it.
int cut_stop_ends(const struct cut *c, size_t i);

#endif
