// Lists whose items have no marks but begin with how much there is of something: "250 g flour".
#ifndef LCTOOL_ENGINE_OUTLINE_AMOUNTS_H
#define LCTOOL_ENGINE_OUTLINE_AMOUNTS_H

#include "engine/lines/lines.h"
#include "engine/words/text_span.h"

// Whether LINE of C may be an item of such a list: short, without a stop, it begins with an amount,
// "1 onion", "a pinch of salt", or is a few small words, "nutmeg". *AMOUNT: it is not the latter.
int amounts_line(const struct lines *c, struct span_of_text line, int *amount);
// The first lists of amounts between bytes S of C that no other line divides but what heads one of
// them, "For the filling"; no bytes: there is none.
struct span_of_text amounts_in(const struct lines *c, struct span_of_text s);

#endif
