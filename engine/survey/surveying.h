// A survey under way, as the kinds of questions see it (kinds.h).
#ifndef LCTOOL_ENGINE_SURVEYING_H
#define LCTOOL_ENGINE_SURVEYING_H

#include <stdio.h>

#include "engine/survey/survey.h"
#include "engine/survey/texts.h"
#include "engine/survey/wanted.h"
#include "engine/text/cut.h"

// A question under way.
struct surveying {
    struct kvz *const *k; // [n_k]
    int n_k;
    struct wanted w;
    struct survey *s;
    FILE *out; // the answer's words
};

// Bytes FROM to TO of T's document are a place that the answer rests on; TOGETHER: it counts as one
// with the last place where that is of the same block.
int survey_add(struct surveying *v, const struct texts *t, struct span_of_text at, int together,
               struct err *e);
// Says text[FROM..TO) of C, its lines joined where they are only broken; the place S of T's
// document so, in quotation marks.
int survey_say(FILE *out, const struct cut *c, size_t from, size_t to, struct err *e);
int survey_quote(FILE *out, const struct texts *t, struct span_of_text s, struct err *e);
// The sentences of S so, as many as there is room for; it ends behind them then.
int survey_passage(FILE *out, const struct texts *t, struct span_of_text *s, struct err *e);

#endif
