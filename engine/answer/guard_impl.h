// What the files of the guard share.
#ifndef LCTOOL_ENGINE_ANSWER_GUARD_IMPL_H
#define LCTOOL_ENGINE_ANSWER_GUARD_IMPL_H

#include <stddef.h>
#include <string.h>

#include "engine/words/chars.h"
#include "engine/words/words.h"

enum {
    GUARD_SHORTEST = 4, // bytes of a word that counts
    GUARD_WORDS = 256,  // of a text that are looked at one by one
};

// Verbs that help others, by which a clause is told from a list of things.
#define GUARD_VERBS                                                                                \
    " is are was were be been has have had must may can will shall should would could might do "   \
    "does did "

// A text, and its first words: their stems, and where they stand in it.
struct guard_text {
    const char *text;
    size_t n; // bytes
    int words;
    char stem[GUARD_WORDS][WORD_STEM];
    size_t at[GUARD_WORDS], bytes[GUARD_WORDS];
};

// Finds the words of TEXT [n].
void guard_look_at(struct guard_text *t, const char *text, size_t n);

// An answer to QUESTION, and what was READ for it.
struct guarded {
    struct guard_text own, read;
    const char *question;
    size_t n_question;
};

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

// Whether word I of T is one of LIST.
static inline int guard_is_listed(const struct guard_text *t, int i, const char *list)
{
    return word_is_listed(list, t->text + t->at[i], t->bytes[i]);
}

// Whether a sentence or line may end between the words A and B of T.
static inline int guard_is_parted(const struct guard_text *t, int a, int b)
{
    for (size_t i = t->at[a] + t->bytes[a]; i < t->at[b]; i++)
        if (is_one_of(t->text[i], "!?;\n") || (t->text[i] == '.' && is_space(t->text[i + 1])))
            return 1;
    return 0;
}

// How often T has PART [2] one right behind the other.
static inline int guard_count_both(const struct guard_text *t, const char *part)
{
    int count = 0;
    for (int i = 0; i + 2 <= t->words; i++)
        count += guard_same(t->stem[i], part, 2);
    return count;
}

// The bytes of the sentence TEXT [n] without the stop and white space behind it.
static inline size_t guard_without_stop(const char *text, size_t n)
{
    while (n && (is_space(text[n - 1]) || text[n - 1] == '.'))
        n--;
    return n;
}

// The next place from byte AT on where T has TEXT [n]; t->n: there is none.
static inline size_t guard_next_place(const char *text, size_t n, const struct guard_text *t,
                                      size_t at)
{
    for (; at + n <= t->n; at++)
        if (!memcmp(t->text + at, text, n))
            return at;
    return t->n;
}

// The bytes of the next digits of TEXT [n] from byte *AT on, which is where they begin then, WITH
// points and commas between them or not; 0: there are none.
size_t guard_next_number(const char *text, size_t n, size_t *at, int with_points);
// Whether TEXT [n] has NUMBER [bytes] so, no more and no less of it.
int guard_has_number(const char *text, size_t n, const char *number, size_t bytes, int with_points);

// The rules of guard_garbled, by what a small model does. Each says whether G's answer

// - says otherwise what was read: twice what that says once, without what denies or limits it, to
//   who asks what is said of who wrote, of something that it is of itself, with another number or
//   another field's value, or in words that it has not (guard_says.c);
int guard_says_otherwise(const struct guarded *g);
// - is but a part of what it ends or begins within: a word, a row, a turn of a conversation, or a
//   sentence, so that what limits it or what it is said of is lost, a question without what
//   answers it, or the day of an entry without what was then (guard_cuts.c);
int guard_cuts_short(const struct guarded *g);
// - leaves out words from the midst of others, a verb or "who" of the question, or names nobody
//   where it was asked who and what was read has names, or one of two, or lacks the first part of a
//   list (guard_left_out.c);
int guard_leaves_out(const struct guarded *g);
// - joins what was not joined: a name with what is called otherwise, words with a whole line that
//   begins with a number, one amount or cell of a row with another, something with what stands
//   behind a comma or behind the clause that it is in, or with what is said of something else, the
//   object of a verb with what that does next, what is told with the day it ends or on which it is
//   due, or a day of the week with another date (guard_joins.c);
int guard_joins_wrongly(const struct guarded *g);
// - has a number that neither what was read nor the question has, what counts its lines aside;
//   numbers of one thing told there and words of others ("The big pan holds 4.5 litres." of "the
//   pot holds 4.5 litres; the jug 6; the big pan 18"): parts of a sentence between semicolons,
//   joined amounts, items of a list, sentences with a label or, but for words of the question,
//   other sentences; a day that is made of two ("2 October 2026" of "done on 2 October, due in
//   October 2026"), where a year of the question is as good as one that was read; a number that was
//   read but where another name is defined; one that stands behind a word behind which another one
//   was read, or without what bounds it ("at least 4"); or one that is but in the times of a
//   conversation's lines where no time is asked for, or in the date of a mail where it is not asked
//   when somebody wrote (guard_numbers.c).
int guard_mixes_numbers(const struct guarded *g);
// - has a number of another column than the one that is asked for by its name (guard_columns.c);
int guard_crosses_columns(const struct guarded *g);
// - was made of a line of a log, and is no part of that as it stands (guard_logged.c);
int guard_rewords_log(const struct guarded *g);
// - lets somebody say in a conversation what another one says, or less than that one does, or says
//   "I" without who that is (guard_turns.c);
int guard_mixes_turns(const struct guarded *g);
// - says what two sentences say of different things of one of them, or is of a sentence that has
//   less of the question than another one that was read (guard_sentences.c).
int guard_mixes_sentences(const struct guarded *g);

#endif
