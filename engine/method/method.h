// Named methods: each is a row of parts that says how blocks are represented in the index and how a
// question chooses among them (the table is in method.c). Adding one touches neither the forward
// pass nor a command.
//
//     struct method parts;
//     if (method_find(&parts, "ltri", m, &e)) ...                     // encode: what the index keeps
//     if (method_of_index(&parts, kvz_meta(k), m, &e) ||              // query: what it kept,
//         method_for_question(&parts, "quest", m, kvz_path(k), &e) || // another method over it,
//         method_set(&parts, PART_ALLOT, "fixed", &e)) ...            // and a part changed
//
// Papers named below: InfLLM (arXiv:2402.04617), Quest (arXiv:2406.10774), SnapKV
// (arXiv:2404.14469), Ltri-LLM, ActQKV.
#ifndef LCTOOL_ENGINE_METHOD_METHOD_H
#define LCTOOL_ENGINE_METHOD_METHOD_H

#include "engine/model/model.h"
#include "io/err.h"

// What stands for a block in the index: vectors of head_dim elements, 8 bits each. REPRESENT_TOP
// keeps them for every query head; the others for the kv heads behind the model's retrieval heads,
// or for every kv head when these are not known (see method.kept).
enum represent {
    REPRESENT_KEYS,  // the raw key of every token
    REPRESENT_TOP,   // the mean raw key of the 4 tokens that received most attention (InfLLM,
                     // section 3.2)
    REPRESENT_SPANS, // raw keys of tokens that stand for spans (Ltri-LLM, section 3.3; span.h)
    REPRESENT_MEAN,  // the mean of the raw keys
    REPRESENT_MAX,   // their element-wise maximum
    REPRESENT_QUEST, // their element-wise minimum and maximum (Quest)
    REPRESENT_FIXED, // raw keys of tokens at equal distances
};

// What stands for the question.
enum probe {
    PROBE_TOKENS, // the queries of all its tokens
    PROBE_MEAN,   // their mean (InfLLM)
    PROBE_BIAS,   // their mean, unusual queries weighing more (ActQKV)
};

// How the similarities of a block's vectors to the question's queries become one score. A
// similarity is the dot product of query and vector, except for REDUCE_COSINE.
enum reduce {
    REDUCE_LSE,    // for each query a softmax over all vectors of all blocks, summed over the
                   // block's vectors and over the queries
    REDUCE_MAX,    // each query's best vector, summed over the queries (late interaction)
    REDUCE_SUM,    // the sum over all queries and all vectors of a span (Ltri-LLM, Eq. 8), for the
                   // block's best span
    REDUCE_COSINE, // as REDUCE_MAX with the cosine (ActQKV, Eq. 5)
    REDUCE_POOL,   // for each query a softmax over all tokens, summed over the queries and averaged
                   // over neighbouring tokens, for the block's best token (SnapKV, section 4)
};

// Who scores the blocks.
enum select {
    SELECT_VOTE,       // the voters, by the vectors that the index keeps
    SELECT_SIMILARITY, // every layer as a whole: the mean query of each head, all heads alike
                       // (InfLLM)
    SELECT_EXACT,      // as SELECT_VOTE, by the keys of all tokens; where the index does not keep
                       // these apart they come from the stored blocks, i.e. from the whole file
    SELECT_BM25,       // the words of the question (bm25.h)
    SELECT_HYBRID,     // SELECT_VOTE, with BM25 scores added
    SELECT_NONE,       // nobody: no block is chosen
};

// Which heads vote.
enum voters {
    VOTERS_PROFILE, // the model's retrieval heads, each with its weight; all heads when these are
                    // not known
    VOTERS_ALL,     // every head of every layer
};

// For whom blocks are chosen.
enum scope {
    SCOPE_QUESTION, // one choice for all layers
    SCOPE_LAYER,    // each layer by its own voters; a layer without voters follows all of them
};

// With SCOPE_LAYER, for whom in a layer.
enum share {
    SHARE_LAYER, // all kv heads alike: KTransformers' head_select_mode "shared"
    SHARE_HEAD,  // each kv head by its own query heads: "separate"
};

// How much of the token budget is spent.
enum allot {
    ALLOT_SHARP,   // only on blocks with at least half of the best one's score, but on two blocks
                   // at least unless sentences are read
    ALLOT_FIXED,   // all of it, in each layer
    ALLOT_ENTROPY, // layers share it by how undecided they are (ActQKV, section 4.3)
    ALLOT_ALL,     // no limit: every block is read
};

// In which order the chosen blocks lie in sight, and are read.
enum traverse {
    TRAVERSE_DOCUMENT,
    TRAVERSE_IMPORTANCE, // best first, as ART needs it (struct art)
    TRAVERSE_RECENCY,    // last of the document first
};

// The window while encoding.
enum window_kind {
    WINDOW_PLAIN,
    WINDOW_CASCADE, // its last quarter is plain, the rest gets sparser with age (cascade.h)
};

enum { REPRESENTATIVES = 4, REPRESENTATIVES_MAX = 32 };

struct method {
    const char *name;
    enum represent represent;
    enum probe probe;
    enum reduce reduce;
    enum select select;
    enum voters voters;
    enum scope scope;
    enum allot allot;
    int echo;       // times the question is read before the reading whose queries vote
    int likelihood; // best blocks ranked again by how likely their sentences make the question
                    // (judge.h); 0 and 1: none
    int rerank;     // best blocks voted on again with the keys of all their tokens
    int dense;      // first layers, in which every block is read
    int layer_step; // SCOPE_LAYER: every n-th layer chooses, those behind it follow; 0: as 1
    int token_step; // SCOPE_LAYER: layers choose again at every n-th token of the answer; 0:
                    // never
    int preselect;  // blocks of each layer that are chosen from, those that receive most of
                    // the question's attention (SnapKV); 0: all
    enum share share;
    int representatives; // tokens that stand for a block (TOP, FIXED); 0: REPRESENTATIVES
    int any_index;       // 1: asks any index, however that represents its blocks
    enum traverse traverse;
    enum window_kind window;
    int state;        // 1: the summary state is read instead of blocks
    enum voters kept; // the heads whose kv heads the index keeps vectors of
};

// The row NAME for model M, of a new index; NAME NULL: "votes" where M has retrieval heads, else
// "infllm". ERR_USAGE lists the names; ERR_UNSUPPORTED: the method needs a profile and M has none.
int method_find(struct method *out, const char *name, const struct model *m, struct err *e);

// The fields of a method that method_set changes by name.
enum method_part {
    PART_REPRESENT,
    PART_PROBE,
    PART_REDUCE,
    PART_SELECT,
    PART_VOTERS,
    PART_SCOPE,
    PART_ALLOT,
    PART_SHARE,
    PART_TRAVERSE,
    PART_WINDOW,
    PART_KEPT,
};

// Sets PART of M to the choice called NAME; "" and NULL leave it. ERR_USAGE lists the choices.
int method_set(struct method *m, enum method_part part, const char *name, struct err *e);
// The name of M's choice for PART.
const char *method_part(const struct method *m, enum method_part part);
// The index of NAME among NAMES [ends with NULL], to *OUT. ERR_USAGE says that it is no WHAT and
// lists them.
int method_name_find(const char *what, const char *const *names, const char *name, int *out,
                     struct err *e);

// The parts that the index META was made with: its method's, changed as its parameters say.
int method_of_index(struct method *out, const struct kvz_meta *meta, const struct model *m,
                    struct err *e);

// Turns the PARTS of an index into those of method NAME asking it; NULL: the index's own method.
// ERR_MISMATCH when the index, called PATH in the message, lacks what NAME needs.
int method_for_question(struct method *parts, const char *name, const struct model *m,
                        const char *path, struct err *e);

#endif
