// A question of two halves is asked as two, whose answers are joined.
#ifndef LCTOOL_ENGINE_ASK_COMPOUND_H
#define LCTOOL_ENGINE_ASK_COMPOUND_H

#include "engine/engine.h"

// Asks a question that is not divided: about all of the text (ask_survey), or about passages
// (ask_one).
int compound_undivided(struct model *m, struct kvz *const *indexes, int n_indexes,
                       const struct ask_options *o, struct answer *a, int write, struct err *e);
// Asks O's question as its HALVES [2] (question_halves); WRITE 0: as ask_choose.
int compound_ask(struct model *m, struct kvz *const *indexes, int n_indexes,
                 const struct ask_options *o, const char *const *halves, struct answer *a,
                 int write, struct err *e);
// Asks about two things apart, where all of the text tells what each of them is: 1, 0 where it does
// not, or an error.
int compound_survey(struct kvz *const *indexes, int n_indexes, const struct ask_options *o,
                    struct answer *a, struct err *e);

#endif
