// A survey under way, as the kinds of questions see it (kinds.h).
#ifndef LCTOOL_ENGINE_SURVEYING_H
#define LCTOOL_ENGINE_SURVEYING_H

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

// Bytes FROM to TO of T's document are a place that the answer rests on; TOGETHER: it counts as one
// with the last place where that is of the same block.
int survey_add(struct surveying *v, const struct texts *t, struct span_of_text at, int together,
               struct err *e);

#endif
