// Checks on a text that a model is writing: does it repeat itself, stray from what was read, mix up
// numbers, begin with words that say nothing, is it long enough?
#ifndef LCTOOL_ENGINE_ANSWER_GUARD_H
#define LCTOOL_ENGINE_ANSWER_GUARD_H

#include <stddef.h>

// Whether the sentence text[TOLD .. n) repeats what text[0 .. TOLD) said: six in ten of its words
// of four letters or more are there, compared by their first five bytes. A small model that has
// nothing new to say goes on in other words.
int guard_repeats(const char *text, size_t told, size_t n);
// Whether the last three lines of TEXT [n], the last of which ends there, are the same but for
// their numbers in a list: a small model would go on like that for ever.
int guard_circles(const char *text, size_t n);
// Whether the sentence TEXT [n] strays from what was READ: it has a number, or after its first word
// a name, that is not there; or two words at least, and a quarter of all, that are not. Words of
// four letters or more count, by their first five bytes, without those that any summary uses.
int guard_strays(const char *text, size_t n, const char *read);
// How many first bytes of TEXT are "The text states that" or the like, if it says more than that; a
// quotation mark that opens what it says is one of them.
size_t guard_lead(const char *text);
// Whether TEXT [n] has at least three quarters of WORDS words.
int guard_enough(const char *text, size_t n, int words);
// Whether two numbers of TEXT [n], each of which READ [n_read] has once, stand in the other order
// in READ. A number's second and later places in TEXT do not count.
int guard_disorder(const char *text, size_t n, const char *read, size_t n_read);
// Whether TEXT [n] ends with the dots with which READ [n_read] ends: it goes on no further than
// what can be quoted.
int guard_cut_off(const char *text, size_t n, const char *read, size_t n_read);
// Whether TEXT [n] is only the heading of READ [n_read]: its first line with an empty one below it,
// or the end of that, or what stands before its text on the line (cut_runs_in).
int guard_heading(const char *text, size_t n, const char *read, size_t n_read);
// Whether TEXT [n] says another thing than the string READ [n_read], of which it was made to answer
// QUESTION: with other numbers, days, names or words, less of it than it takes, or what READ says
// of something else. The rules stand in guard_impl.h, by the files that have them.
int guard_garbled(const char *text, size_t n, const char *read, size_t n_read,
                  const char *question);

#endif
