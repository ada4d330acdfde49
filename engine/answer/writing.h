// The words of an answer or a summary: tokens chosen one after the other, and when they end.
#ifndef LCTOOL_ENGINE_WRITING_H
#define LCTOOL_ENGINE_WRITING_H

#include "engine/answer/copy.h"
#include "engine/answer/draft.h"
#include "engine/answer/quote.h"
#include "engine/engine.h"
#include "engine/model/sample.h"
#include "engine/stream/stream.h"

// Writes an answer: runs the prompt, then chooses token after token and runs the stream on, until
// the end of the turn, MAX tokens, the end of SENTENCES sentences or of one when there are nearly
// WORDS words, STOP, or until it goes in circles; with WORDS, up to a sentence that says nothing
// new or strays from GROUNDS, and in whole sentences. The text goes to the callback and to *OUT
// (owned by the caller).
struct writing {
    struct stream *s;
    float *logits;          // [1 + draft.most][n_vocab], where the device does not choose tokens
    struct copies copies;   // what is favoured
    struct bonuses bonuses; // what that adds to the next token's logits, and what no_repeat does
    struct quote quote;     // what an answer gives way to
    struct draft draft;     // what is guessed to come next
    int max_tokens;
    int words;           // about as many; 0: no such limit
    int sentences;       // as many; 0: no such limit
    const char *grounds; // with words: up to a sentence that strays from this (said_strays); NULL:
                         // none does
    int no_repeat;       // as many tokens in a row never come twice; 0: they may
    struct sampler sampler;
    const volatile sig_atomic_t *stop;
    void (*text)(void *arg, const char *s, size_t n);
    void *arg;
    int token_step; // for every n-th token each layer chooses by RETRIEVE what it reads (struct
                    // forward); 0: never
    int (*retrieve)(void *arg, struct stream *s, int layer, const float *q, struct err *e);
    void *retrieve_arg;
    char *out;
    size_t out_bytes, out_cap;
    size_t told;   // bytes of OUT that were said, where that goes by sentences
    uint32_t *ids; // [n_tokens] while it writes
    // Instead of logits, where the device finds it, and with a quote what it costs.
    struct best best;
    float cost;
    int n_tokens;
    const char *finish;
};
// Runs the N tokens of the prompt, which comes before write_answer.
int write_prompt(struct writing *w, const uint32_t *ids, int n, struct err *e);
int write_answer(struct writing *w, struct err *e);
// Says TEXT as if the model had; before write_prompt, whose tokens end with it.
int write_begin(struct writing *w, const char *text, struct err *e);

// Whether a sentence ends between TEXT [n], which is written, and NEXT [n_next], which would be:
// after a stop that is no abbreviation's, before a word that does not begin with a small letter; or
// with an empty line after anything but a colon.
int write_sentence_ends(const char *text, size_t n, const char *next, size_t n_next);

// Runs N tokens in chunks; LOGITS of the last one, host [n_vocab].
int run_tokens(struct stream *s, const uint32_t *ids, int n, float *logits, struct err *e);

#endif
