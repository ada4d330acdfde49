// The tokens that a question adds to what has been read: join, question, end of the turn, and the
// first words of the answer.
#ifndef LCTOOL_ENGINE_MODEL_PROMPT_H
#define LCTOOL_ENGINE_MODEL_PROMPT_H

#include "engine/model/model.h"

struct prompt {
    uint32_t *ids;
    int n, cap;
    int question_from, question_to; // the question's own tokens, end exclusive
    int answer_from;                // first token of the answer's given first words
};

// Appends TEXT as tokens, or IDS. FLAGS: enum tok_flags.
int prompt_text(struct prompt *p, const struct model *m, const char *text, int flags,
                struct err *e);
int prompt_ids(struct prompt *p, const uint32_t *ids, int n, struct err *e);

// Appends what precedes a document in the turn: the template's head, and a BOS where the model
// wants one. CHAT NULL: no template.
int prompt_head(struct prompt *p, const struct model *m, const struct chat *chat, struct err *e);

// Appends CHAT_JOIN + LEAD + QUESTION + the template's tail + ANSWER_PREFIX; LEAD and ANSWER_PREFIX
// may be NULL.
int prompt_question(struct prompt *p, const struct model *m, const struct chat *chat,
                    const char *lead, const char *question, const char *answer_prefix,
                    struct err *e);
// Appends CHAT_JOIN + QUESTION ECHO + 1 times; question_from and _to name the last one, whose
// tokens have seen the whole question when ECHO > 0.
int prompt_probe(struct prompt *p, const struct model *m, const char *question, int echo,
                 struct err *e);
void prompt_done(struct prompt *p);

#endif
