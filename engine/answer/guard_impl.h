// What the files of the guard share.
#ifndef LCTOOL_ENGINE_GUARD_IMPL_H
#define LCTOOL_ENGINE_GUARD_IMPL_H

#include <stddef.h>
#include <string.h>

#include "engine/text/chars.h"
#include "engine/text/words.h"

enum { GUARD_SHORTEST = 4 }; // bytes of a word that counts

// Whether the word of STEM is neither short nor common.
static inline int guard_is_telling(const char stem[WORD_STEM])
{
    return stem[GUARD_SHORTEST - 1] && !word_is_common(stem);
}

// Whether WORDS stems of A and B are the same.
static inline int guard_same(const char *a, const char *b, int words)
{
    return !memcmp(a, b, (size_t)words * WORD_STEM);
}

// How often WORDS [n] have PART [2] one right behind the other.
static inline int guard_count_both(const char words[][WORD_STEM], int n, const char *part)
{
    int count = 0;
    for (int i = 0; i + 2 <= n; i++)
        count += guard_same(words[i], part, 2);
    return count;
}

// The bytes of the sentence TEXT [n] without the stop and white space behind it.
static inline size_t guard_without_stop(const char *text, size_t n)
{
    while (n && (is_space(text[n - 1]) || text[n - 1] == '.'))
        n--;
    return n;
}

// The next place from byte AT on where READ [n_read] has TEXT [n]; n_read: there is none.
static inline size_t guard_next_place(const char *text, size_t n, const char *read, size_t n_read,
                                      size_t at)
{
    for (; at + n <= n_read; at++)
        if (!memcmp(read + at, text, n))
            return at;
    return n_read;
}

// Whether TEXT [n] has a number that neither READ [n_read] nor QUESTION has; what counts its lines
// aside.
int guard_invents_number(const char *text, size_t n, const char *read, size_t n_read,
                         const char *question);
// Whether TEXT [n] has numbers that one of the things READ [n_read] tells one by one has, and words
// that others have: "The big pan holds 4.5 litres." of "the pot holds 4.5 litres; the jug 6; the
// big pan 18". These are parts of a sentence between semicolons, items of a list or, but for words
// of QUESTION, sentences.
int guard_crosses_parts(const char *text, size_t n, const char *read, size_t n_read,
                        const char *question);
// Whether TEXT [n] says a day that is made of two: "2 October 2026" of "done on 2 October, due in
// October 2026". A year of QUESTION is as good as one of READ [n_read].
int guard_makes_day(const char *text, size_t n, const char *read, size_t n_read,
                    const char *question);
// Whether TEXT [n] has a number that is but in the time of a line of READ [n_read], a conversation,
// where QUESTION asks for no time.
int guard_tells_stamp(const char *text, size_t n, const char *read, size_t n_read,
                      const char *question);

// Whether TEXT [n], an answer to QUESTION, leaves out words of READ [n_read] from the midst of
// others that it has, or names nobody where that has names and it was asked who, or lacks the first
// part of a list.
int guard_leaves_out(const char *text, size_t n, const char *read, size_t n_read,
                     const char *question);
// Whether TEXT [n], an answer to QUESTION, joins what READ [n_read] does not: a name with what is
// called otherwise, words with a whole line that begins with a number, one amount with another, or
// what is told with the day it ends; or begins in the midst of a sentence, so that what it is said
// of is lost.
int guard_joins_wrongly(const char *text, size_t n, const char *read, size_t n_read,
                        const char *question);

#endif
