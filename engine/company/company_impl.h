// What the files of company share.
#ifndef LCTOOL_ENGINE_COMPANY_COMPANY_IMPL_H
#define LCTOOL_ENGINE_COMPANY_COMPANY_IMPL_H

#include "engine/company/company.h"

enum {
    COMPANY_SHORT = 80, // a heading is shorter than this
    COMPANY_BARE = 24   // a whole sentence shorter than this says little alone
};

// Whether text[FROM..TO) is a heading, a label or a few words, and no record or item of a list.
// Sets *STOPS if it ends with a stop.
int company_says_little(const struct lines *c, size_t from, size_t to, int *stops);
// The first byte of what follows byte TO, or n; *LINES: the number of line ends before it.
size_t company_next_after(const struct lines *c, size_t to, int *lines);
// Whether text[FROM..TO) is only a remark in brackets: "(contributed by Maren)".
int company_is_remark(const struct lines *c, size_t from, size_t to);

// Of company_next.c.

// The end of the letters from byte AT on.
size_t company_word_end(const struct lines *c, size_t at);
// Extends *TO over the list that text[FROM..TO) leads in, as far as there is room. Returns 1 if
// that is all of the list.
int company_list(const struct lines *c, size_t from, size_t *to);
// Whether text[FROM..TO) is nothing but the name of a record among others, "Day 12.", of which what
// stands behind it in its paragraph tells.
int company_counts(const struct lines *c, size_t from, size_t to);
// Extends *TO by what follows a heading or a few words, and by the list that a line leads in.
void company_next(const struct lines *c, size_t from, size_t *to);
// Extends *TO by the few words behind text[FROM..*TO) on the same line, which continue it, or by a
// remark: "The option has been removed. Use --retry instead."
void company_few(const struct lines *c, size_t from, size_t *to);
// Extends *TO, the end of lines that are set in, over the rest of the sentence of text[FROM..*TO),
// which goes on below them: "For example:", "    2 + 3", "yields 5."
void company_rest(const struct lines *c, size_t from, size_t *to);

// Of company_turns.c.

// Where the first words of the paragraph of byte AT begin; 0: it may have begun before the text.
size_t company_paragraph(const struct lines *c, size_t at);
// Whether the line that begins with byte LINE begins what somebody says: with a label or, at the
// beginning of a paragraph, with a time and a name.
int company_speaks(const struct lines *c, size_t line);
// The first byte of what is said on such a line.
size_t company_words(const struct lines *c, size_t line);
// Whether byte FROM begins what a speaker answers to another one's question.
int company_answers(const struct lines *c, size_t from);
// Whether text[FROM..TO) ends what a speaker asks, and another one speaks below it.
int company_asks(const struct lines *c, size_t from, size_t to);

// Of company_answer.c.

// Extends *TO over what the speaker says behind it, up to the next speaker, as far as there is
// room.
void company_turn(const struct lines *c, size_t from, size_t *to);
// Extends *TO, if the sentence from FROM on is asked aloud at the end of its paragraph ("What
// colour?" said Clara.), over the next one, if that is short and says something aloud, too.
int company_said(const struct lines *c, size_t from, size_t *to);
// Extends *TO over the answer to the question text[FROM..TO), unless another question follows on
// the same line. The answer is the first sentence, or the first two if they are short, and any
// remark before it; it is everything that another speaker says.
void company_answer(const struct lines *c, size_t from, size_t *to);

#endif
