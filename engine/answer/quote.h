// Quoting: an answer whose tokens the model was unsure of is replaced by the sentence that it was
// read from. A small model that is unsure is likely to be wrong; the sentence, which was found by
// other means, seldom is.
//
//     struct quote q = {.ids = ids, .n = n, .doubt = 0.3f};
//     q.cost += -log_probability;                      // of each token of the answer
//     if (quote_is_better(&q, text, n, n_tokens)) ...
#ifndef LCTOOL_ENGINE_ANSWER_QUOTE_H
#define LCTOOL_ENGINE_ANSWER_QUOTE_H

#include <stddef.h>
#include <stdint.h>

#include "io/err.h"

struct quote {
    const uint32_t *ids; // [n] borrowed: the sentence; n 0: there is nothing to quote
    int n;
    int apart;   // its first tokens that are of another place than the rest; 0: all are of one
    float doubt; // nats a token: the most that an answer may cost on average
    int always;  // 1: the sentence is said whatever the answer is
    double cost; // nats of the tokens written so far
    // Borrowed: the question; an answer that has only its words is none. NULL: not checked.
    const char *asked;
    // Borrowed: words (news_new) of which an answer must have one. NULL or "": not checked.
    const char *news;
};

// Whether the sentence is to be said instead of the answer TEXT [n] of N_TOKENS tokens: that cost
// too much, or it is no answer because it is empty, repeats the question, or only says what leads
// to the answer. TEXT may be NULL when n is 0.
int quote_is_better(const struct quote *q, const char *text, size_t n, int n_tokens);

// How many first bytes of TEXT are no part of the quotation: the heading, or the head of a message,
// and the empty line behind it, under which a sentence is read that stands further below; 0: there
// is none.
size_t quote_heading(const char *text);
// Takes from TEXT, behind the HEADING bytes of its heading, the marks of what a mail quotes where
// all of its lines have one, what marks_whole leaves out, and a mark of Markdown that ends what is
// bold without having begun there.
void quote_whole(char *text, size_t heading);
// The quotation marks around TEXT: others than those that it begins or ends with itself, and with
// the half of one that it has only the other half of.
const char *quote_opens(const char *text);
const char *quote_closes(const char *text);
// TEXT without the marks around it, of which it has any or none; *N: its bytes.
const char *quote_inside(const char *text, size_t *n);
// Takes from TEXT, a quotation that goes on from what SAID says, what it has of that, and its
// heading. Returns how many bytes these are; 0: it does not begin with that.
size_t quote_drop(char *text, const char *said);

// BOTH: the answer BEFORE and, on a line of its own behind MARK, TEXT in quotation marks below its
// heading; for the caller to free. Returns its bytes, or an error.
int quote_behind(char **both, const char *before, const char *mark, const char *text,
                 struct err *e);

// BOTH: TEXT, whose first N bytes are of another place than the rest, as two quotations, one below
// the other; for the caller to free. Returns its bytes, or an error.
int quote_apart(char **both, const char *text, size_t n, struct err *e);

// The words of SENTENCE that say something and that neither LED, the text that led to it, nor
// QUESTION has: *OUT, for the caller to free.
int news_new(char **out, const char *sentence, const char *led, const char *question,
             struct err *e);

#endif
