// Brackets and quotation marks whose other half stands in a sentence that is not there.
#ifndef LCTOOL_ENGINE_WORDS_MARKS_H
#define LCTOOL_ENGINE_WORDS_MARKS_H

#include <stddef.h>

// TEXT [*N] without the empty lines that it begins with, and without a bracket or quotation mark
// that it begins or ends with and that has no other half in it; *N: its bytes.
const char *marks_whole(const char *text, size_t *n);
// Takes from TEXT [N] a mark of Markdown that ends what is bold and began in a sentence before it,
// "(May 2024.)** The rent"; returns the bytes left.
size_t marks_drop_bold_end(char *text, size_t n);
// Whether TEXT [N] closes a quotation, in plain quotation marks, that it does not open: 'So be it."
// He left.'
int marks_lack_opening(const char *text, size_t n);
// Whether it opens one that it does not close: 'He said: "So be it.'
int marks_lack_closing(const char *text, size_t n);

#endif
