// Sentences that only name the part of the text that answers: "See When bugs are closed by new
// uploads.", "For its care refer to section 4.2."
#ifndef LCTOOL_ENGINE_SENTENCES_REFERS_H
#define LCTOOL_ENGINE_SENTENCES_REFERS_H

#include "engine/words/text_span.h"

// What a part is told by.
struct reference {
    struct span_of_text title;  // in the sentence: its title, without quotation marks; or empty
    struct span_of_text kind;   // "section", "Schedule"; or empty
    struct span_of_text number; // "4.2", "B"; or empty, as KIND is
};

// Whether the sentence TEXT [n] does nothing else: *R.
int refers_only(const char *text, size_t n, struct reference *r);
// Whether TEXT [n], a row of a table or the like, ends with a number behind "see": "Damp, see 4.2",
// "| Roof | see section 3 |". The part of that number tells more.
int refers_on(const char *text, size_t n);

#endif
