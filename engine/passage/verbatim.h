// Lines that are said as they stand: of code (code.h), and settings that are set in below one
// another. Whole lines, without the indentation that all of them have.
//
//     if (verbatim_find(&f))
//         n = verbatim_put(&f, out);
#ifndef LCTOOL_ENGINE_PASSAGE_VERBATIM_H
#define LCTOOL_ENGINE_PASSAGE_VERBATIM_H

#include "engine/passage/extent.h"

// Whether the sentence of F, with what leads it in, is of such lines, and no prose of a comment
// alone. If it is, a part of a line of code becomes all of it.
int verbatim_find(struct extent *f);
// The most bytes that verbatim_put writes of F.
size_t verbatim_most(const struct extent *f);
// Writes these lines of F to OUT and returns their bytes. Dots on a line of their own stand for
// what is left out between the line that leads in and the sentence.
size_t verbatim_put(const struct extent *f, char *out);

#endif
