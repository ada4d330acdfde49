// Labels at the beginning of lines: of the fields of a record, which are parts of one whole, or of
// those who speak, each of whom has another's word before his.
#ifndef LCTOOL_ENGINE_LABEL_H
#define LCTOOL_ENGINE_LABEL_H

#include "engine/text/cut.h"

// The label of the line that begins with byte AT, in its *N bytes; NULL: it has none.
const char *label_at(const struct cut *c, size_t at, size_t *n);
int label_is_there(const struct cut *c, size_t at);
// Whether no line of text[FROM..TO) has a label like that of the line that begins with byte AT,
// which has one and is by the same hand.
int label_is_other(const struct cut *c, size_t at, size_t from, size_t to);
// Whether the line that begins with byte AT is somebody's turn behind another's, which begins with
// byte ABOVE, right above it: one of the two speaks before or behind them as well.
int label_turns(const struct cut *c, size_t above, size_t at);

#endif
