// Inside of survey(): the kinds of questions, a file each. All return as survey() does.
#ifndef LCTOOL_ENGINE_SURVEY_IMPL_H
#define LCTOOL_ENGINE_SURVEY_IMPL_H

#include <stdio.h>

#include "engine/survey/survey.h"
#include "engine/survey/texts.h"
#include "engine/survey/wanted.h"

// A question under way.
struct surveying {
    struct kvz *const *k; // [n_k]
    int n_k;
    struct wanted w;
    struct survey *s;
    FILE *out; // the answer's words
};

// How often, and where (count.c).
int survey_count(struct surveying *v, struct err *e);
// The most common (common.c).
int survey_common(struct surveying *v, struct err *e);
// What has a value, what value, what rests on what (chain.c).
int survey_chain(struct surveying *v, struct err *e);
// From line to line (trail.c).
int survey_trail(struct surveying *v, struct err *e);

// Bytes FROM to TO of T's document are a place that the answer rests on; TOGETHER: it counts as one
// with the last place where that is of the same block.
int survey_add(struct surveying *v, const struct texts *t, struct span_of_text at, int together,
               struct err *e);

#endif
