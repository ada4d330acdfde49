// Drafting: answers repeat what they were read from. What stands there behind the tokens written last is guessed to come
// next and run in the pass of the last one; what the model then does not choose is taken back from the stream. A device
// that gives tokens together the bits that each gets alone (device_ops.alike) so writes the same answer, but sooner.
//
//     struct draft d = {.text = text, .n_text = n_text, .most = 3};
//     draft_guess(&d, s, written, n_written, left);
//     draft_run(&d, s, written[n_written - 1], logits, e);     // row d.held of them: what comes next
//     while (draft_holds(&d, id)) ...                          // id, chosen by row d.held, is no token to run any more
//     draft_end(&d, s, e);
#ifndef LCTOOL_ENGINE_DRAFT_H
#define LCTOOL_ENGINE_DRAFT_H

#include "engine/engine.h"
#include "engine/stream/stream.h"

struct draft {
    const uint32_t *text; // [n_text] borrowed: the end of the prompt
    int n_text;
    int most;             // tokens guessed at a time, DRAFT_MOST at most; 0: none
    uint32_t ids[DRAFT_MOST];
    int n, held;          // of them: guessed and run, and those of them that were written since
};

// Guesses what follows the N tokens WRITTEN: nothing where S cannot verify it, or where a token's own attention settles
// how much it reads; LEFT tokens at most.
void draft_guess(struct draft *d, const struct stream *s, const uint32_t *written, int n, int left);
// Runs the token ID and what is guessed to follow it; LOGITS host [1 + d->n][n_vocab].
int draft_run(const struct draft *d, struct stream *s, uint32_t id, float *logits, struct err *e);
// Whether the token ID, which was chosen, had been guessed; it is held then.
int draft_holds(struct draft *d, uint32_t id);
// Forgets what was guessed and not held.
int draft_end(struct draft *d, struct stream *s, struct err *e);

#endif
