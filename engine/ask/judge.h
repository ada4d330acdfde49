// How likely texts make a question: the mean log probability of its tokens after each of them
// (Sachan et al., arXiv:2204.07496, with no words between). Several run at once, blind to one
// another.
//
//     struct judge j;
//     judge_new(&j, &(struct judging){.m = m, .question = ids, .n_question = n, .texts = 2}, e);
//     judge_text(&j, "The rent is due ...", e);                   // 0
//     judge_text(&j, "The landlord ...", e);                      // 1
//     if (!judge_end(&j, e)) ...                                  // j.likelihood[0], j.likelihood[1]
//     judge_done(&j);
#ifndef LCTOOL_ENGINE_ASK_JUDGE_H
#define LCTOOL_ENGINE_ASK_JUDGE_H

#include "engine/answer/prefix.h"

// What is judged, all of it borrowed while the judge is there.
struct judging {
    const struct model *m;
    const struct chat *chat;  // its head is read before each text,
    const char *before;       // then this; NULL: nothing
    const uint32_t *question; // [n_question]; of a very long one only the first tokens count
    int n_question;
    int texts;               // that will be judged, at most
    struct prefix *prefix;   // NULL, or a prompt that was run and may begin alike; judge_keep
                             // changes it
    const struct kvz *index; // NULL, or what may begin alike if PREFIX does not
};

struct judge {
    const struct model *m;
    struct stream *s;
    struct prefix *prefix;
    // The tokens of the pass: in the first one what is read before the texts, as far as PREFIX does
    // not have it; then text after text, each with the question behind it and without what is lent
    // to it.
    struct prompt p;
    struct prompt one;        // scratch: one text and the question
    struct prompt before;     // what is read before the texts
    int most;                 // tokens that fit a pass
    int ran;                  // 1: the pass has run, the next text begins another
    int *groups, n_groups;    // [n_groups + 1] as forward.groups: a group for each text
    struct lent *lent;        // [n_groups] as forward.lent: what a text before begins with, too
    int *rows;                // [most] the token before each of the question's, as forward.rows
    uint32_t *targets;        // [most] the question, once for each text
    double *log_probs;        // [most] of the targets
    const uint32_t *question; // [n_q] borrowed
    int n_q;
    char **texts;       // [n] texts judged so far, or waiting for a pass
    double *likelihood; // [n] nats a token, mean over the question; after judge_end
    double *tokens;     // [n][n_q] log probability of each token of the question; after judge_end
    int n;
};

int judge_new(struct judge *j, const struct judging *of, struct err *e);
// Adds a text; of one that is too long for a pass only the first tokens count. Returns its index in
// `likelihood`, that of the same text if it was added before, or an error.
int judge_text(struct judge *j, const char *text, struct err *e);
// The index of TEXT, or -1: it has not been added.
int judge_known(const struct judge *j, const char *text);
// Runs what has not been run yet: then all texts are judged.
int judge_end(struct judge *j, struct err *e);
// Keeps the I-th text, with what was read before it, in `prefix`, so that the read pass need not
// run it again. Only if it was among the first texts of the last pass, and on devices with plain
// memory: others run it again in no time.
int judge_keep(struct judge *j, int i, struct err *e);
// Leaves J zeroed; may be called again.
void judge_done(struct judge *j);

#endif
