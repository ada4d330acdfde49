// Words as they are compared: runs of letters and digits, with ASCII case folded. Two are the same
// when their stems are: the first WORD_STEM bytes, of short words without English endings ("dogs"
// is "dog", "parked" is "park", "lost" is "lose", irregular.h). The stem of a longer word with a
// digit stands for all of its bytes.
#ifndef LCTOOL_ENGINE_WORDS_WORDS_H
#define LCTOOL_ENGINE_WORDS_WORDS_H

#include <stddef.h>
#include <stdint.h>

enum { WORD_STEM = 5 }; // bytes

// A hash of bytes (FNV-1a): WORD_HASH, to which each of them is added.
#define WORD_HASH 2166136261u
static inline uint32_t word_hash_add(uint32_t hash, char c)
{
    return (hash ^ (unsigned char)c) * 16777619u;
}

// Whether C is a byte of words.
int word_has(char c);
// The first byte of the word of TEXT that ends before byte TO, not before byte LEAST; TO: none ends
// there.
size_t word_start_before(const char *text, size_t least, size_t to);
// The stem of the next word of TEXT[*AT .. N), padded with NUL; 0 at the end. *AT is behind the
// word then, which is *BYTES long, where BYTES is not NULL.
int word_next(const char *text, size_t n, size_t *at, char stem[WORD_STEM], size_t *bytes);

// The first two bytes of words that are looked for, by which most others are passed over.
struct word_starts {
    uint64_t second[256]; // by the first byte: bits for the second one
};
// Adds the word of STEM; NUMBERED: it has a digit, so that of a stem only the first byte is its
// own.
void word_starts_add(struct word_starts *s, const char stem[WORD_STEM], int numbered);
// As word_next, but passes over words that begin like none of S; *PASSED, how many.
int word_next_of(const struct word_starts *s, const char *text, size_t n, size_t *at,
                 char stem[WORD_STEM], uint32_t *passed);

// Writes the first MOST bytes of the next word of TEXT[*AT .. N), in small letters, to WORD [most]
// and returns their number, 0 at the end. *AT is behind the word then.
size_t word_small(const char *text, size_t n, size_t *at, char *word, size_t most);
// Whether WORD [n] has a digit.
int word_has_digit(const char *word, size_t n);
// Whether WORD [n] is a thing of which there are several, by its ending: "cups", not "pass", "axis"
// or "bus".
int word_is_plural(const char *word, size_t n);
// Whether WORD [n] is a year of the last or of this century.
int word_is_year(const char *word, size_t n);

// Whether TEXT [n] has a word of this stem.
int word_is_in(const char *text, size_t n, const char stem[WORD_STEM]);

// How many bytes of A [n] and B [m] are the same from the beginning, whatever their case.
size_t word_same(const char *a, size_t n, const char *b, size_t m);
// Whether TEXT [n] has WORD [bytes] or another form of it: "tickets" for "ticket", "kept" for
// "keep", but not "calcitonin" for "calcium", whose stems are the same.
int word_form_is_in(const char *text, size_t n, const char *word, size_t bytes);

// Whether STEM is that of a common English word of four letters or more, which says little.
int word_is_common(const char stem[WORD_STEM]);
// Whether WORD [bytes], of STEM, is such a word itself, or another form of one: not "underground",
// whose stem is that of "under".
int word_says_little(const char *word, size_t bytes, const char stem[WORD_STEM]);

// Each writes words with a space behind each of them.
//
// Words of TEXT that KNOWN does not have, each once, to OUT [strlen(text) + 2].
void words_new(const char *text, const char *known, char *out);
// Words of QUESTION that say what is asked for (four bytes or more, not common) and that TEXT
// lacks, to OUT [strlen(question) + 2].
void words_lacking(const char *question, const char *text, char *out);
// Words of TEXT that AMONG has too, whole or but for their last letter, to OUT [strlen(text) + 2]:
// "village" matches "villages", but "Hartmut" does not match "Hartman".
void words_shared(const char *text, const char *among, char *out);
// Whether all words of TEXT are among those of A and B.
int words_known(const char *text, const char *a, const char *b);
// Whether TEXT [n] has PART [bytes], whole words, as it is written.
int words_stand_in(const char *text, size_t n, const char *part, size_t bytes);
// Whether TEXT [n] has one of WORDS.
int words_any(const char *words, const char *text, size_t n);
// How many words TEXT [n] has that are not among WORDS.
int words_beyond(const char *text, size_t n, const char *words);
// Whether it has all of them.
int words_all(const char *words, const char *text, size_t n);

// A list of words is one string of words in small letters, of at most WORD_LISTED bytes, with a
// space before and behind each. Whether LIST has WORD [n], as a whole, whatever its case.
enum { WORD_LISTED = 16 };
int word_is_listed(const char *list, const char *word, size_t n);
// Whether TEXT [n] has a word of LIST.
int words_listed(const char *list, const char *text, size_t n);
// Whether WORD [n] is short for one with "not", by a curled apostrophe, whose bytes are of words.
int word_is_short_not(const char *word, size_t n);
// The number of WORD in LIST, from 1; 0: it is not there.
int word_place(const char *list, const char *word, size_t n);

#endif
