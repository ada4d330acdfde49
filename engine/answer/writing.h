// The words of an answer or a summary: tokens chosen one after the other, and when they end.
#ifndef LCTOOL_ENGINE_ANSWER_WRITING_H
#define LCTOOL_ENGINE_ANSWER_WRITING_H

#include "engine/answer/copy.h"
#include "engine/answer/draft.h"
#include "engine/answer/quote.h"
#include "engine/engine.h"
#include "engine/model/sample.h"
#include "engine/stream/stream.h"

// Writing an answer: token after token is chosen and run, until the end of the model's turn, MAX
// tokens, SENTENCES sentences, STOP, or until the text goes in circles. With WORDS it ends with
// whole sentences: when there are nearly as many words, or before a sentence that says nothing new
// or strays from GROUNDS (guard.h). The text goes to the callback and to OUT, which the caller
// frees.
struct writing {
    struct stream *s;
    int room;               // local tokens for which S gets room when need be; 0: it has all
    float *logits;          // [1 + draft.most][n_vocab]; not used where the device chooses tokens
    struct copies copies;   // what is favoured because it was read
    struct bonuses bonuses; // for the next token, of copies and of no_repeat
    struct quote quote;     // the sentence that an unsure answer gives way to
    struct draft draft;     // tokens guessed ahead
    int max_tokens;
    int words;           // about so many; 0: no such limit
    int sentences;       // 0: no such limit
    int goes_on;         // with what was begun: white space may come first
    const char *grounds; // with words: the text that sentences must not stray from; NULL: they may
    int no_repeat;       // so many tokens in a row never come twice; 0: they may
    struct sampler sampler;
    const volatile sig_atomic_t *stop;
    void (*text)(void *arg, const char *s, size_t n);
    void *arg;
    int token_step; // at every n-th token RETRIEVE (as forward.retrieve) chooses what each layer
                    // reads; 0: never
    int (*retrieve)(void *arg, struct stream *s, int layer, const float *q, struct err *e);
    void *retrieve_arg;
    char *out;
    size_t out_bytes, out_cap;
    size_t told;   // bytes of OUT that the callback got, of what is held back
    uint32_t *ids; // [n_tokens] while it writes
    // Instead of logits, on devices with device_ops.best: the next token, and with a quote its
    // cost.
    struct best best;
    float cost;
    int n_tokens;
    const char *finish;
};
// Runs the N tokens of the prompt; to be called before write_answer.
int write_prompt(struct writing *w, const uint32_t *ids, int n, struct err *e);
// Writes the answer: W->out, n_tokens and finish (see answer.finish).
int write_answer(struct writing *w, struct err *e);
// Writes the quotation instead, for which no prompt need have been run, as write_answer does in the
// end where quote.always is set.
int write_quotation(struct writing *w, struct err *e);
// Says TEXT as if the model had written it; to be called before write_prompt, whose tokens end with
// it.
int write_begin(struct writing *w, const char *text, struct err *e);

// Whether a sentence ends between TEXT [n], which is written, and NEXT [n_next], which would come
// next: after a stop that is not an abbreviation's, before a word that does not begin with a small
// letter; or at an empty line after anything but a colon.
int write_sentence_ends(const char *text, size_t n, const char *next, size_t n_next);

// Runs N tokens in chunks; LOGITS: host [n_vocab], of the last token.
int write_tokens(struct stream *s, const uint32_t *ids, int n, float *logits, struct err *e);

#endif
