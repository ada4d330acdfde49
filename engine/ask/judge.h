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
#ifndef LCTOOL_ENGINE_JUDGE_H
#define LCTOOL_ENGINE_JUDGE_H

#include "engine/answer/begun.h"

// What is judged, all of it borrowed while the judge is there.
struct judging {
    const struct model *m;
    const struct chat *chat;  // each text stands after its head,
    const char *before;       // and after this; or NULL
    const uint32_t *question; // [n_question], of which the first ones count
    int n_question;
    int texts;           // at most
    struct begun *begun; // NULL, or what begins like that; judge_keep changes it
};

struct judge {
    const struct model *m;
    struct stream *s;
    struct begun *begun;
    // The texts of the pass, one after the other; in the first one after what is read before, but
    // for what had begun.
    struct prompt p;
    struct prompt one;
    struct prompt before;     // what is read before
    int most;                 // tokens that fit a pass
    int ran;                  // the pass has run: the next text is the first one of another
    int *groups, n_groups;    // [n_groups + 1]
    int *rows;                // [most] the token before each of the question's
    uint32_t *targets;        // [most] the question, over and over
    double *log_probs;        // [most]
    const uint32_t *question; // [n_q] borrowed
    int n_q;
    char **texts;       // [n] what was judged
    double *likelihood; // [n] of the texts; those of a pass that has not run are not there yet
    double *tokens;     // [n][n_q] log probabilities of the question's tokens after each, likewise
    int n;
};

int judge_new(struct judge *j, const struct judging *of, struct err *e);
// The next text, of whose tokens the first ones count. Returns its place in LIKELIHOOD, which is
// that of the same text where it has been judged before; or an error.
int judge_text(struct judge *j, const char *text, struct err *e);
// Now all of them are judged.
int judge_end(struct judge *j, struct err *e);
// From now on the I-th text and what was read before it are what has begun, if it was one of the
// first of the last pass and the device's memory is plain; another device runs it again in no time.
int judge_keep(struct judge *j, int i, struct err *e);
// J is as good as new then: zeros, which may be done again.
void judge_done(struct judge *j);

#endif
