// The state of one question while it is asked, and its steps, in their order:
//
//     ask_one.c           setup, the choice, the read pass, the answer
//     target.h            names that tell which document is asked, and nothing else
//     votes.h             the probe pass and the votes; focus.h: where in a block they fall
//     near.h              how near sentences are to the question by their vectors
//     likelihood.h        the best blocks are ranked again by how likely their sentences make the
//                         question (shortlist.h, judge.h); confidence.h: whether one answers it
//     hop.h bridge.h      second places that the best sentence leads to
//     follow.h            sentences behind the best one that are read with it
//     choose.h            which blocks are read
//     sentence.h          the text of a sentence, and its heading; excerpts.h: where it is stored
//     alternative.h       a second sentence behind the answer
//     amended.h           what the document says otherwise later, whoever answered
//     evidence.h          the passages that the answer rests on
//
// ask() is in ask.c; it asks a question of two halves as two (compound.h). One about all of the
// text is answered by searching it (ask_survey.c).
#ifndef LCTOOL_ENGINE_ASK_ASKING_H
#define LCTOOL_ENGINE_ASK_ASKING_H

#include "engine/answer/attention.h"
#include "engine/answer/reading.h"
#include "engine/ask/choose.h"
#include "engine/ask/confidence.h"
#include "engine/ask/focus.h"
#include "engine/ask/judge.h"
#include "engine/ask/near.h"
#include "engine/engine.h"
#include "engine/method/ballot.h"
#include "engine/method/method.h"

enum { SAID_PLACES = 4 }; // sentences that an answer may quote

// A question under way. Each part is set by the step that it is named for, which is the only one to
// change it unless it says otherwise; all is zero before.
struct asking {
    // What is asked of what, borrowed; the answer is filled in on the way.
    struct model *m;
    struct kvz *const *k; // [n_k]
    int n_k;
    const struct ask_options *o;
    struct answer *a;

    // How: the options, and what stands for them where they are not given (setup of ask_one.c).
    struct {
        const struct chat *chat;
        struct method parts; // the index's, changed as the question's options say
        enum positions positions;
        int window, budget, n_evidence;
        int max_tokens; // of the answer
        struct art art; // patience 0: none
        enum read_mode mode;
        float sharpen; // see stream_options; 0: 1
        float copy;    // see copy.h
        float doubt;   // nats a token: an answer that costs more on average gives way to the
                       // sentence that was read (quote.h); 0: never
    } how;

    // Names that tell which document is asked (target.c).
    struct {
        char *unnamed;    // the question without them (named.h), or as who tells the document
                          // would ask it (narrator.h); NULL: it has none
        int is_told;      // 1: the latter
        char *speaker;    // who would, where several speak; NULL: nobody
        int64_t first, n; // the one of several documents that they name, of all documents' blocks;
                          // n 0: none
    } target;

    // The question in tokens (setup): as blocks and sentences are ranked by it, for the probe pass,
    // and for the read pass.
    struct {
        struct prompt ranked, probe, read;
    } prompts;

    // What the heads say (votes.c; preselect of ask_one.c; focus.c).
    struct {
        struct ballot *ballot;      // those who rank blocks change its order and scores
        float **queries;            // [n_layers] -> [probe.n][n_heads][head_dim] raw, or NULL
        float **own;                // [n_layers] in these, the first of the question's own tokens
        unsigned char *preselected; // NULL, or [n_layers + 1][n_blocks]: 1 for blocks that each
                                    // layer, in the last row all layers, may choose
        struct foci foci;           // where they fall in each block that they were asked about
    } votes;

    struct near *near; // what the vectors of sentences say (likelihood.c); NULL: nothing is known

    // What the best blocks' sentences are worth (likelihood.c; follow.c judges by it, too).
    struct {
        int n;                // best blocks whose sentences were judged; 0: none
        struct signs signs;   // that the best sentence has the answer; where n > 0
        char *text;           // that sentence, as it was judged
        struct judge judge;   // while blocks and sentences are ranked
        struct prefix prefix; // a prompt that was run and may be the beginning of what is read
    } judged;

    // The blocks that are read (choose.c).
    struct {
        struct focus lead;    // the second place that the best sentence leads to, if found
                              // (bridge.c)
        int home;             // the index whose sinks and end are in sight
        uint64_t *tail_first; // [n_k] first block that the read window shows
        struct places far;    // by all layers
        struct by_layer by_layer;
        unsigned char *read; // [n_blocks] 1: read by some layer, 2: in sight
    } chosen;

    // With read_sentences_only (sentence.c): the text that is read, the blocks it is of, and with
    // READ_CACHED_SENTENCES where it is stored.
    struct {
        struct prompt sentences;
        struct attention shown;
        struct excerpts excerpts;
    } read;

    // What of that is said (sentence.c; alternative.c).
    struct {
        int unsaid;   // first tokens of the best sentence, what it replies to, that a quotation
                      // leaves out
        char *news;   // words that only the last sentence read has (quote.h); NULL: not asked for
        int in_order; // 1: the best sentence goes on from what it leads on to, and is read behind
                      // it
        int apart;    // 1: the best sentence and what it leads on to do not stand together
        int verbatim; // 1: the best sentence is the steps or the definition that are asked for
        // Where several sentences are said: their blocks, the first one first.
        int64_t places[SAID_PLACES];
        int n_places;
    } said;
};

// The question by which blocks and sentences are ranked.
static inline const char *asking_ranked(const struct asking *q)
{
    return q->target.unnamed ? q->target.unnamed : q->o->question;
}

// The question as who tells the document would ask it, or as it was asked.
static inline const char *asking_told(const struct asking *q)
{
    return q->target.is_told ? q->target.unnamed : q->o->question;
}

void asking_done(struct asking *q);

#endif
