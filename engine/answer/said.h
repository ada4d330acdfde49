// What a summary has said, sentence by sentence: whether the next one is news, and whether it is
// enough; what an answer begins with that says nothing.
#ifndef LCTOOL_ENGINE_SAID_H
#define LCTOOL_ENGINE_SAID_H

#include <stddef.h>

// Whether text[TOLD .. n), a sentence, says again what text[0 .. TOLD) said: six in ten of its
// words of four letters and more are there, by their first five bytes. A small model that has run
// out of news goes on in other words.
int said_before(const char *text, size_t told, size_t n);
// Whether the last three lines of TEXT [n], the last of which ends with it, say the same thing,
// whatever their numbers in a list are: so a small model goes on for ever.
int said_in_circles(const char *text, size_t n);
// Whether the sentence TEXT [n] strays from what was READ: it has a number or, behind its first
// word, a name that is not there, or two words and one in four that are not, by their first five
// bytes; of four letters and more, not those that any summary has. Thus a small model makes things
// up.
int said_strays(const char *text, size_t n, const char *read);
// Bytes of TEXT before what it says, where it begins with "The text states that" or the like and
// says more; a quotation mark that opens what it says is one of them.
size_t said_lead(const char *text);
// Whether TEXT [n] has three quarters of WORDS words.
int said_enough(const char *text, size_t n, int words);
// Whether two numbers of TEXT [n], each of which is once in READ [n_read], come in another order
// there; what TEXT says again does not count.
int said_in_disorder(const char *text, size_t n, const char *read, size_t n_read);

#endif
