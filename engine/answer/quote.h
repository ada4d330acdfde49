// Quoting: an answer that its model was unsure of, word by word, gives way to the sentence that it
// has read. A small model that finds no words of its own likely says what is wrong; the sentence,
// found by other means, seldom is.
//
//     struct quote q = {.ids = ids, .n = n, .doubt = 0.3f};
//     q.cost += minus the log probability of each token of the answer
//     if (quote_is_better(&q, text, n, n_tokens)) ...
#ifndef LCTOOL_ENGINE_QUOTE_H
#define LCTOOL_ENGINE_QUOTE_H

#include <stddef.h>
#include <stdint.h>

#include "io/err.h"

struct quote {
    const uint32_t *ids; // [n] borrowed; n 0: there is nothing to quote
    int n;
    float doubt; // nats a token that an answer may cost on average
    int always;  // whether no answer is as good
    double cost; // nats of the tokens written
    // Borrowed: the question, whose words alone are no answer; NULL: they may be one.
    const char *asked;
    const char *news; // borrowed: words one of which an answer has to have (news_new); NULL, or
                      // none: it need not
};

// Whether the answer, TEXT [n] of N_TOKENS tokens, cost too much, or is none: nothing, what was
// asked said again, or what leads to the answer. TEXT may be NULL for n 0.
int quote_is_better(const struct quote *q, const char *text, size_t n, int n_tokens);

// The words of SENTENCE, for the caller to free, that neither what led to it nor the question has,
// and that say something.
int news_new(char **out, const char *sentence, const char *led, const char *question,
             struct err *e);

#endif
