// How likely texts make a question: the mean log probability of its tokens after each of them
// (Sachan et al., arXiv:2204.07496, with no words between). Several run at once, blind to one
// another.
//
//     struct judge j;
//     judge_new(&j, m, chat, question, n_question, before, 2, e); // BEFORE: read before each text, or NULL
//     judge_text(&j, "The rent is due ...", e);
//     judge_text(&j, "The landlord ...", e);
//     if (!judge_end(&j, e)) ...                                  // j.likelihood[0], j.likelihood[1]
//     judge_done(&j);
#ifndef LCTOOL_ENGINE_JUDGE_H
#define LCTOOL_ENGINE_JUDGE_H

#include "engine/model/prompt.h"
#include "engine/stream/stream.h"

struct judge {
    const struct model *m;
    struct stream *s;
    // The texts of the pass, one after the other; in the first one after what is read before.
    struct prompt p;
    struct prompt one;
    int most;                 // tokens that fit a pass
    int *groups, n_groups;    // [n_groups + 1]
    int *rows;                // [most] the token before each of the question's
    uint32_t *targets;        // [most] the question, over and over
    double *log_probs;        // [most]
    const uint32_t *question; // [n_q] borrowed
    int n_q;
    double *likelihood; // [n] of the texts; those of a pass that has not run are not there yet
    double *tokens;     // [n][n_q] log probabilities of the question's tokens after each, likewise
    int n;
};

// For the question QUESTION [n_question], borrowed, of whose tokens the first ones count, and TEXTS
// texts at most, each after the template's head and BEFORE.
int judge_new(struct judge *j, const struct model *m, const struct chat *chat,
              const uint32_t *question, int n_question, const char *before, int texts,
              struct err *e);
// The next text, of whose tokens the first ones count.
int judge_text(struct judge *j, const char *text, struct err *e);
// Now all of them are judged.
int judge_end(struct judge *j, struct err *e);
// J is as good as new then: zeros, which may be done again.
void judge_done(struct judge *j);

#endif
