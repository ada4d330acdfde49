// Words that turn what a question asks for into something else: "not", "before 2022", "half the
// price", "two tickets". Where something is looked up by the other words of a question, and does
// not have such a one itself, it is not what is asked for.
#ifndef LCTOOL_ENGINE_QUESTION_TURN_H
#define LCTOOL_ENGINE_QUESTION_TURN_H

#include <stddef.h>

// Whether TEXT [n] denies something: "does not", "never", "won't". "No" may be a number's name.
int turn_denies(const char *text, size_t n);
// Whether QUESTION has a word that turns it, or a number, that SAID [n] lacks: a denial is as good
// as another one, and "two" as "02".
int turn_left_over(const char *question, const char *said, size_t n);
// Whether QUESTION calls something new or another one of its kind, which SAID [n] does not.
int turn_calls_apart(const char *question, const char *said, size_t n);
// Whether it does, and TEXT [n_text] tells of such a one: "the new gas meter", where it has "Its
// new meter".
int turn_tells_apart(const char *question, const char *said, size_t n, const char *text,
                     size_t n_text);
// Whether QUESTION asks when, why, by whom or in which version something was changed, and SAID [n],
// which may be what it is now, or another date of it, has no word of that.
int turn_asks_of_change(const char *question, const char *said, size_t n);

#endif
