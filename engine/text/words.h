// Words as they are compared: runs of letters and digits, case folded in ASCII, the same when their
// first bytes are; those with a digit when all of them are; short ones without the endings of
// English: "dogs" is "dog", and "parked" is "park".
#ifndef LCTOOL_ENGINE_WORDS_H
#define LCTOOL_ENGINE_WORDS_H

#include <stddef.h>

enum { WORD_STEM = 5 }; // bytes

// Whether words are made of bytes like C.
int word_has(char c);
// The stem of the next word of TEXT[*AT .. N), padded with NUL; 0 at the end. *AT is behind the
// word then, which is *BYTES long, where BYTES is not NULL.
int word_next(const char *text, size_t n, size_t *at, char stem[WORD_STEM], size_t *bytes);

// The next word of TEXT[*AT .. N) in small letters, its first MOST bytes, to WORD [most]; how many
// these are, 0 at the end. *AT is behind the word then.
size_t word_small(const char *text, size_t n, size_t *at, char *word, size_t most);
// Whether WORD [n] has a digit.
int word_has_digit(const char *word, size_t n);

// Whether TEXT [n] has a word of this stem.
int word_is_in(const char *text, size_t n, const char stem[WORD_STEM]);

// Whether it is that of a word that any English text is full of, of four letters and more.
int word_is_common(const char stem[WORD_STEM]);

// The words of TEXT that KNOWN does not have, each once, a space behind each, to OUT [strlen(text)
// + 2].
void words_new(const char *text, const char *known, char *out);
// Those of QUESTION that say what is asked for, of four bytes and not common, and that TEXT lacks,
// a space behind each, to OUT [strlen(question) + 2].
void words_lacking(const char *question, const char *text, char *out);
// The words of TEXT that AMONG has, too, whole or but for a last letter, a space behind each, to
// OUT [strlen(text) + 2]: "village" is there with "villages", but "Hartmut" not with "Hartman".
void words_shared(const char *text, const char *among, char *out);
// Whether all words of TEXT are among those of A and B.
int words_known(const char *text, const char *a, const char *b);
// Whether TEXT [n] has one of WORDS.
int words_any(const char *words, const char *text, size_t n);

// A list of words is one string: in small letters, of WORD_LISTED bytes at most, a space before and
// behind each. Whether WORD [n] is one of LIST, as a whole and whatever its case.
enum { WORD_LISTED = 16 };
int word_is_listed(const char *list, const char *word, size_t n);
// Which word of LIST it is, from 1 on; 0: none.
int word_place(const char *list, const char *word, size_t n);
// English months, in their order, and days of the week: such a list.
extern const char WORDS_DATES[];

#endif
