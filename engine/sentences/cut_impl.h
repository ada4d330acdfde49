// What the files of cut.h share.
#ifndef LCTOOL_ENGINE_SENTENCES_CUT_IMPL_H
#define LCTOOL_ENGINE_SENTENCES_CUT_IMPL_H

#include "engine/sentences/cut.h"

// Whether a sentence continues past the line end at byte I.
int cut_line_goes_on(const struct lines *c, size_t i);
// Whether a sentence ends with byte I < n - 1, which is no line end: it is the last byte of a stop,
// or of what belongs to it.
int cut_stop_ends(const struct lines *c, size_t i);

#endif
