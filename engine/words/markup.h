// The words of a text without the commands of its markup: of Texinfo (@samp{-d}, "@node ..."), POD
// (C<reverse>, "=head2 ..."), LaTeX (\emph{two}) and reStructuredText (".. note::").
#ifndef LCTOOL_ENGINE_WORDS_MARKUP_H
#define LCTOOL_ENGINE_WORDS_MARKUP_H

#include <stddef.h>

// Leaves of TEXT [n] its words, in place; returns their bytes.
size_t markup_strip(char *text, size_t n);
// Whether the line TEXT [n] begins an entry of BibTeX ("@book{key,"), and is no command.
int markup_is_entry(const char *text, size_t n);

#endif
