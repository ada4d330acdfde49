// Names in a text: words and phrases that stand for themselves.
#ifndef LCTOOL_ENGINE_NAMES_H
#define LCTOOL_ENGINE_NAMES_H

#include <stddef.h>

// Whether P [n] has a shape that no word of prose has: a digit, an underscore, capitals inside or
// nothing else.
int name_has_shape(const char *p, size_t n);
// The next place of WHAT in TEXT from byte *AT on: a whole word or phrase, any white space where
// WHAT has a space, a capital only where WHAT has one if it has any. *AT is its first byte, *BYTES
// its length; 0: there is none.
int name_next(const char *what, const char *text, size_t n, size_t *at, size_t *bytes);
// The next token of TEXT[*AT .. N) that may be a name: letters, digits and what joins them in ids,
// paths and addresses. *AT is its first byte; its length, 0 at the end.
size_t name_token(const char *text, size_t n, size_t *at);
// The same, with the tokens that go on with it: words that begin with capitals, one space apart, no
// article before them.
size_t name_phrase(const char *text, size_t n, size_t *at);

#endif
