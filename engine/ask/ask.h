// Inside of ask() (engine.h): a question as a whole, and what other rooms share with it.
#ifndef LCTOOL_ENGINE_ASK_ASK_H
#define LCTOOL_ENGINE_ASK_ASK_H

#include "engine/engine.h"
#include "engine/model/chat.h"

// How many passages O wants.
int ask_passages(const struct ask_options *o);
// How many tokens its answer may have.
int ask_max_tokens(const struct ask_options *o);
// A says BOTH [n], which it takes over: what it said, and TOKENS more, which O is told.
void ask_goes_on(struct answer *a, char *both, size_t n, int tokens, const struct ask_options *o);
// The template called ASKED or, when that is NULL, the one that the index was made with. ERR_USAGE,
// ERR_FORMAT: it is not known.
int ask_chat(const struct chat **out, const struct kvz *k, const char *asked, struct err *e);
// Answers a question about all of the text (survey.h): 1, 0 when it is none, or an error.
int ask_survey(struct kvz *const *indexes, int n_indexes, const struct ask_options *o,
               struct answer *a, struct err *e);
// Asks one question as a whole, without looking for halves; WRITE 0: as ask_choose.
int ask_one(struct model *m, struct kvz *const *indexes, int n_indexes, const struct ask_options *o,
            struct answer *a, int write, struct err *e);

#endif
