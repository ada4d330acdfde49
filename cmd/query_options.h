// The options of lctool query, and what they ask of the engine.
#ifndef LCTOOL_CMD_QUERY_OPTIONS_H
#define LCTOOL_CMD_QUERY_OPTIONS_H

#include "cmd/opt.h"
#include "engine/engine.h"

struct query_options {
    struct opt_list questions, questions_files;
    const char *positions, *method, *select, *probe, *reduce, *voters, *scope, *allot, *traverse,
        *share, *read, *lead, *answer_prefix, *template_name;
    int max_tokens, draft, sentences, evidence, budget, blocks, token_step, preselect, window, hops,
        likelihood, rerank, dense, layer_step, echo, art_patience, survey, alternative, raw, json;
    double art_scale, art_dir, sharpen, copy, quote, min_score, temp, top_p;
    uint64_t seed;
};

// A row for each; the last has no name.
extern const struct opt query_options[];

// The engine's options for O, without question, callbacks and stop. Strings are borrowed from O.
struct ask_options query_ask_options(const struct query_options *o);

#endif
