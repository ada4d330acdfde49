// Copying: the words of what a model has read are made likelier in its answer, most of all those
// that go on, word by word, with what it has copied so far. A small model that has read the answer
// still likes to say what it would say unread.
//
//     struct copies c;
//     copies_new(&c, bonus, read, n_read, asked, n_asked, n_vocab, e);
//     copies_favour(&c, written, n_written, &bonuses, e);   // before every token
//     copies_done(&c);
//
// Such an answer can be guessed: copies_end.
#ifndef LCTOOL_ENGINE_COPY_H
#define LCTOOL_ENGINE_COPY_H

#include <stdint.h>

#include "engine/model/sample.h"
#include "io/err.h"

struct copies {
    const uint32_t *read; // [n_read] borrowed
    int n_read;
    float bonus;
    int anchor; // behind the longest stretch of the text, if long, that the question says, too; 0:
                // there is none
    // [n_given] borrowed: the first words of the answer, before those that are written.
    const uint32_t *given;
    int n_given;
    int once; // what was copied is not favoured again: a list's next part is another one
    unsigned char *marks;   // [n_vocab]; NULL: nothing is favoured
    unsigned char *said;    // [n_read] which of the tokens were copied
    unsigned char *repeats; // [n_read] where the question says the same two tokens
};

// BONUS (logits) is for the token that goes on with what was copied, a third of it for the other
// tokens of READ. With a bonus or a text of nothing, nothing is favoured. ERR_NOMEM.
int copies_new(struct copies *c, float bonus, const uint32_t *read, int n_read,
               const uint32_t *asked, int n_asked, int n_vocab, struct err *e);
void copies_done(struct copies *c);
// What is added to the logits of the token that will follow the N in WRITTEN, to what OUT has of
// other tokens. Where the last of those stand in several places of the text, it goes on where most
// of them do, of equal ones in the first behind a key that the question names.
int copies_favour(const struct copies *c, const uint32_t *written, int n, struct bonuses *out,
                  struct err *e);

// How many tokens the longest end of WRITTEN [n] has that stands in TEXT [n_text] with more behind
// it, the first of equal ones before token *AT. 0, and *AT as it was: there is none.
int copies_end(const uint32_t *text, int n_text, const uint32_t *written, int n, int *at);

#endif
