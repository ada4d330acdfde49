// Drafting: answers repeat what they were read from, what was asked and themselves. What stands
// there behind the tokens written last is guessed to come next and runs in the pass of the last
// one; what the model then does not choose is taken back from the stream. A device that gives
// tokens together the bits that each gets alone (device_ops.alike) so writes the same answer, but
// sooner.
//
// A guessed token costs a fifth of a pass, one that holds saves a whole one. How long a guess pays
// depends on where it is from: an answer that quotes goes on for sentences, one in other words has
// three of the question's in a row and no more.
//
//     struct draft d = {.most = 3};
//     draft_from(&d, read, n_read, asked, n_asked);
//     draft_guess(&d, s, written, n_written, left);
//     draft_run(&d, s, written[n_written - 1], logits, e);     // row d.held of them: what comes next
//     while (draft_holds(&d, id)) ...                          // id, chosen by row d.held, is no token to run any more
//     draft_end(&d, s, e);
#ifndef LCTOOL_ENGINE_DRAFT_H
#define LCTOOL_ENGINE_DRAFT_H

#include "engine/engine.h"
#include "engine/stream/stream.h"

enum { DRAFT_READ, DRAFT_ASKED, DRAFT_WRITTEN, DRAFT_SOURCES };

// A text that is guessed from.
struct draft_source {
    const uint32_t *ids; // [n] borrowed
    int n;
    int most; // tokens of it guessed at a time: more where all held, fewer where not
};

struct draft {
    int most; // tokens guessed at a time, DRAFT_MOST at most; 0: none
    struct draft_source from[DRAFT_SOURCES], *of; // of: the one that was guessed from last
    uint32_t ids[DRAFT_MOST];
    int n, held; // of them: guessed and run, and those of them that were written since
};

// Guesses from the text READ and the question ASKED from now on, and from what is written.
void draft_from(struct draft *d, const uint32_t *read, int n_read, const uint32_t *asked,
                int n_asked);
// Guesses what follows the N tokens WRITTEN: nothing where S cannot verify it, or where a token's
// own attention settles how much it reads; LEFT tokens at most.
void draft_guess(struct draft *d, const struct stream *s, const uint32_t *written, int n, int left);
// Runs the token ID and what is guessed to follow it; LOGITS host [1 + d->n][n_vocab].
int draft_run(const struct draft *d, struct stream *s, uint32_t id, float *logits, struct err *e);
// Whether the token ID, which was chosen, had been guessed; it is held then.
int draft_holds(struct draft *d, uint32_t id);
// Forgets what was guessed and not held, but for how much of it that was.
int draft_end(struct draft *d, struct stream *s, struct err *e);

#endif
