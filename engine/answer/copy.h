// Copying: a bonus on the logits of the tokens that the model has read, most of all of the token
// that continues what it has copied so far. A small model otherwise tends to say what it would have
// said without reading.
//
//     struct copies c;
//     copies_new(&c, bonus, read, n_read, asked, n_asked, n_vocab, e);
//     copies_favour(&c, written, n_written, &bonuses, e);   // before every token
//     copies_done(&c);
//
// Answers that copy can be guessed ahead (draft.h) with copies_end.
#ifndef LCTOOL_ENGINE_ANSWER_COPY_H
#define LCTOOL_ENGINE_ANSWER_COPY_H

#include <stdint.h>

#include "engine/model/sample.h"
#include "io/err.h"

struct copies {
    const uint32_t *read; // [n_read] borrowed
    int n_read;
    float bonus;
    int anchor; // token of READ behind the longest stretch that is in the question too, if that is
                // long; 0: none
    // [n_given] borrowed: the answer's given first tokens, which precede those that are written.
    const uint32_t *given;
    int n_given;
    int once; // 1: what was copied is not favoured again, because an answer of several parts goes
              // on with another one
    unsigned char *marks;   // [n_vocab] 1: a token of READ; NULL: nothing is favoured
    unsigned char *said;    // [n_read] 1: this token was copied
    unsigned char *repeats; // [n_read] 1: the question has this token and the next one, too
};

// BONUS is added to the logit of the token that continues what was copied, a third of it to those
// of all other tokens of READ [n_read]. ASKED [n_asked]: the question. Nothing is favoured when
// BONUS or N_READ is 0.
int copies_new(struct copies *c, float bonus, const uint32_t *read, int n_read,
               const uint32_t *asked, int n_asked, int n_vocab, struct err *e);
void copies_done(struct copies *c);
// Adds to OUT the bonuses for the token that will follow WRITTEN [n]. If the last tokens written
// stand in several places of the text, the token behind the longest match is favoured; of equally
// long ones the first behind a key that the question names.
int copies_favour(const struct copies *c, const uint32_t *written, int n, struct bonuses *out,
                  struct err *e);

// The longest end of WRITTEN [n] that stands in TEXT [n_text] with more text behind it: returns its
// length and sets *AT to the token of TEXT behind its first such place. 0: there is none, and *AT
// is unchanged.
int copies_end(const uint32_t *text, int n_text, const uint32_t *written, int n, int *at);

#endif
