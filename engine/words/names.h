// Finding names in a text.
#ifndef LCTOOL_ENGINE_WORDS_NAMES_H
#define LCTOOL_ENGINE_WORDS_NAMES_H

#include <stddef.h>

#include "engine/words/text_span.h"

// Whether P [n] has a shape that no word of prose has: a digit, an underscore, capitals inside, or
// nothing but capitals.
int name_has_shape(const char *p, size_t n);
// How many letters P [n] has, bytes beyond ASCII among them; *DIGITS: how many digits.
int name_letters(const char *p, size_t n, int *digits);
// Whether P [n] is a short code: up to three capitals and digits behind them, "A4", "SEV2".
int name_is_code(const char *p, size_t n);
// The next place of WHAT in TEXT [n] from byte *AT on, as a whole word or phrase. A space in WHAT
// matches any white space; case counts only if WHAT has a capital. 1, with its first byte in *AT
// and its length in *BYTES; 0: there is none.
int name_next(const char *what, const char *text, size_t n, size_t *at, size_t *bytes);
// Whether the BYTES of TEXT [n] from byte AT on are all of a name: not "rate" in "_rate".
int name_is_whole(const char *text, size_t n, size_t at, size_t bytes);
// The next token of TEXT[*AT .. N) that may be a name: letters, digits and what joins them in ids,
// paths and addresses. Returns its length, with its first byte in *AT; 0 at the end.
size_t name_token(const char *text, size_t n, size_t *at);
// The same, extended by the tokens that continue it: words that begin with capitals, one space
// apart, without an article before them.
size_t name_phrase(const char *text, size_t n, size_t *at);
// Whether S of TEXT may be the name of one or several persons.
int name_of_person(const char *text, struct span_of_text s);
// The first place from FROM on, a byte of QUESTION, where QUESTION has VALUE [n] as whole words,
// whatever their case; NULL: there is none.
const char *name_stands(const char *question, const char *from, const char *value, size_t n);

#endif
