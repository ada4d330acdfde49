// Drafting (speculative decoding by look-up): answers repeat the text that was read, the question
// and themselves. Where the tokens written last stand in one of these, the tokens behind them are
// guessed to come next and run in the same pass as the last one written; those that the model then
// does not choose are taken back from the stream. On a device whose results for tokens run together
// are bit for bit those of tokens run alone (device_ops.alike) the answer is the same, only sooner.
//
// A guessed token costs a fifth of a pass, one that holds saves a whole pass. How many to guess
// depends on the source: an answer that quotes goes on for sentences, one in other words repeats
// about three tokens of the question in a row.
//
//     struct draft d = {.most = 3};
//     draft_from(&d, read, n_read, asked, n_asked);
//     draft_guess(&d, s, written, n_written, left);
//     draft_run(&d, s, written[n_written - 1], logits, e);     // row d.held of them: what comes next
//     while (draft_holds(&d, id)) ...                          // id, chosen by row d.held, is no token to run any more
//     draft_end(&d, s, e);
#ifndef LCTOOL_ENGINE_ANSWER_DRAFT_H
#define LCTOOL_ENGINE_ANSWER_DRAFT_H

#include "engine/engine.h"
#include "engine/stream/stream.h"

enum { DRAFT_READ, DRAFT_ASKED, DRAFT_WRITTEN, DRAFT_SOURCES };

// A text that is guessed from.
struct draft_source {
    const uint32_t *ids; // [n] borrowed
    int n;
    int most; // tokens guessed from it at a time: grows when all held, shrinks when not
};

struct draft {
    int most; // tokens guessed at a time, DRAFT_MOST at most; 0: none
    struct draft_source from[DRAFT_SOURCES], *of; // of: the one that was guessed from last
    uint32_t ids[DRAFT_MOST];
    int n, held; // tokens guessed, and the first ones of these that the model chose, too
};

// The sources to guess from: the text READ, the question ASKED, and whatever is written.
void draft_from(struct draft *d, const uint32_t *read, int n_read, const uint32_t *asked,
                int n_asked);
// Guesses at most LEFT tokens that follow WRITTEN [n]: none when S cannot verify them, or with ART,
// where each token settles how much it reads.
void draft_guess(struct draft *d, const struct stream *s, const uint32_t *written, int n, int left);
// Runs the token ID and the guessed tokens behind it; LOGITS host [1 + d->n][n_vocab].
int draft_run(const struct draft *d, struct stream *s, uint32_t id, float *logits, struct err *e);
// Whether ID, which the model chose, is the next guessed token; it counts as held then.
int draft_holds(struct draft *d, uint32_t id);
// Takes the guessed tokens that were not held back from S, and adjusts how many will be guessed.
int draft_end(struct draft *d, struct stream *s, struct err *e);

#endif
