// The tokens that a question adds to what has been read: join, question, end of the turn, and the
// first words of the answer.
#ifndef LCTOOL_ENGINE_PROMPT_H
#define LCTOOL_ENGINE_PROMPT_H

#include "engine/model/model.h"

struct prompt {
    uint32_t *ids;
    int n, cap;
    int question_from, question_to; // the question's own tokens, for the probe
    int answer_from;                // its given first words: from here on
};

// Text as tokens at the end of P. FLAGS: enum tok_flags.
int prompt_text(struct prompt *p, const struct model *m, const char *text, int flags,
                struct err *e);
int prompt_ids(struct prompt *p, const uint32_t *ids, int n, struct err *e);

// What stands before a document in the turn; nothing for CHAT NULL but a BOS where the model wants
// it.
int prompt_head(struct prompt *p, const struct model *m, const struct chat *chat, struct err *e);

// CHAT_JOIN + LEAD + QUESTION + tail + ANSWER_PREFIX; LEAD and ANSWER_PREFIX may be NULL.
int prompt_question(struct prompt *p, const struct model *m, const struct chat *chat,
                    const char *lead, const char *question, const char *answer_prefix,
                    struct err *e);
// CHAT_JOIN + QUESTION, said ECHO times before: a token of the last saying has seen the whole
// question. The last saying is the question's own tokens.
int prompt_probe(struct prompt *p, const struct model *m, const char *question, int echo,
                 struct err *e);
void prompt_done(struct prompt *p);

#endif
