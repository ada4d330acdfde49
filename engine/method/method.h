// Named methods: each is a row of parts, and says how blocks are represented in the index and how a
// question chooses among them. Adding one touches neither the forward pass nor a command.
#ifndef LCTOOL_ENGINE_METHOD_H
#define LCTOOL_ENGINE_METHOD_H

#include "engine/model/model.h"
#include "io/err.h"

// What stands for a block in the index. All but `top` are kept for the kv heads behind the model's
// retrieval heads, and for every kv head of a model whose retrieval heads are not known.
enum represent {
    REPRESENT_KEYS, // every raw key, 8 bits
    REPRESENT_TOP,  // per query head, the mean raw key of the 4 tokens that received most attention
                    // (InfLLM, arXiv:2402.04617, section 3.2)
    REPRESENT_SPANS, // raw keys of tokens that stand for spans (Ltri-LLM, section 3.3)
    REPRESENT_MEAN,  // the mean of the raw keys
    REPRESENT_MAX,   // their element-wise maximum
    REPRESENT_QUEST, // their element-wise minimum and maximum (Quest, arXiv:2406.10774)
    REPRESENT_FIXED, // raw keys at equal distances
};

// What stands for the question.
enum probe {
    PROBE_TOKENS, // the queries of all its tokens
    PROBE_MEAN,   // their mean (InfLLM)
    PROBE_BIAS,   // their mean weighted by how unusual each is (ActQKV)
};

// How the similarities of a block's vectors and the question's become one number.
enum reduce {
    REDUCE_LSE,    // softmax over all vectors of all blocks for each query, summed over both
    REDUCE_MAX,    // each query's best vector, summed over the queries (late interaction)
    REDUCE_SUM,    // all pairs of one span, summed (Ltri-LLM, Eq. 8); a block has that of its best
                   // span
    REDUCE_COSINE, // each query's best vector by the cosine, summed over the queries (ActQKV, Eq.
                   // 5)
    REDUCE_POOL, // softmax over all tokens for each query, summed over the queries, averaged over a
                 // few neighbours; a block has that of its best token (SnapKV, arXiv:2404.14469,
                 // section 4)
};

// Who is asked for an opinion of every block.
enum select {
    SELECT_VOTE,       // the heads that are in the index, each with its weight
    SELECT_SIMILARITY, // every layer: the mean query of each head, all heads alike (InfLLM)
    SELECT_EXACT,      // as vote, over the keys of every token, from the stored blocks where they
                       // are not in the index: reads the whole file
    SELECT_BM25,       // the words of the question
    SELECT_HYBRID,     // vote, and bm25 on top of it
    SELECT_NONE,       // nobody: no block is chosen
};

// Which heads vote.
enum voters {
    VOTERS_PROFILE, // the model's retrieval heads, each with its weight; all where they are not
                    // known
    VOTERS_ALL,     // every head of every layer
};

// For whom a choice is made.
enum scope {
    SCOPE_QUESTION, // one choice for all layers
    SCOPE_LAYER,    // each layer follows its own heads; one without voters follows all of them
};

// Who of a layer shares its choice.
enum share {
    SHARE_LAYER, // all of it: KTransformers' head_select_mode "shared"
    SHARE_HEAD,  // every kv head reads the blocks that its own query heads choose: "separate"
};

// How much of the budget is spent.
enum allot {
    ALLOT_SHARP,   // blocks that score at least half of what the best one does, two at least where
                   // it is not sentences that are read
    ALLOT_FIXED,   // all of it, in each layer
    ALLOT_ENTROPY, // layers share it by how undecided they are (ActQKV, section 4.3)
    ALLOT_ALL,     // no limit: every block
};

// In which order the chosen blocks lie, and are read.
enum traverse {
    TRAVERSE_DOCUMENT,
    TRAVERSE_IMPORTANCE, // the best first: what ART wants (see struct art)
    TRAVERSE_RECENCY,    // the last of the document first
};

// The encode's window.
enum window_kind {
    WINDOW_PLAIN,
    WINDOW_CASCADE, // a quarter of it is plain; what leaves that gets sparser with age (cascade.h)
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
    int echo;       // times that the question is said before the saying whose queries probe
    int likelihood; // the best blocks whose sentences are judged by how likely they make the
                    // question
    int rerank;     // the best blocks by vote are voted on again with the keys of all their tokens
    int dense;      // the first layers, in which every block is read
    int layer_step; // where each layer has its own choice: every n-th makes one, 0 and 1 each
    int token_step; // where each layer has its own choice: it is made anew for every n-th token of
                    // the answer, 0: never
    int preselect;  // so many blocks of each layer, where the attention of the question falls
                    // (SnapKV), are what is chosen from; 0: all
    enum share share;
    int representatives; // of an index: tokens that stand for a block (top, fixed); 0:
                         // REPRESENTATIVES
    int any_index;       // asks any index, in whatever way that represents its blocks
    const char *about;
    enum traverse traverse;
    enum window_kind window;
    int state;        // instead of blocks the summary state is read
    enum voters kept; // of an index: whose kv heads it keeps vectors of
};

// The row NAME for model M; NULL chooses by what is known of the model. ERR_USAGE lists the names;
// ERR_UNSUPPORTED when the method needs a profile and there is none.
int method_find(struct method *out, const char *name, const struct model *m, struct err *e);

// What has a name of its own among a method's fields.
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

// PART of M from now on what NAME says; "" and NULL leave it. ERR_USAGE lists the choices.
int method_set(struct method *m, enum method_part part, const char *name, struct err *e);
// The name of what PART of M is.
const char *method_part(const struct method *m, enum method_part part);
// The index of NAME among NAMES [ends with NULL]; ERR_USAGE, which says WHAT it is and lists them.
int method_name_find(const char *what, const char *const *names, const char *name, int *out,
                     struct err *e);

// The parts of the index META: its method's, and what its parameters say otherwise.
int method_of_index(struct method *out, const struct kvz_meta *meta, const struct model *m,
                    struct err *e);

// PARTS of an index, as a question with method NAME uses it. ERR_MISMATCH when the index, called
// PATH in the message, lacks what NAME needs.
int method_for_question(struct method *parts, const char *name, const struct model *m,
                        const char *path, struct err *e);

#endif
