// Inside of ask(): the state of one question, and its steps:
//
//   unname.c                names that tell which document is asked, and nothing else
//   asking.c                the probe pass and the votes
//   likelihood.c judge.c    the best blocks are ranked again by how likely their sentences make
//                           the question
//   hop.c bridge.c          second places that the best sentence leads to
//   follow.c                sentences behind the best one that are read with it
//   foci.c focus.c          where in a block the votes fall
//   choose.c                which blocks are read; excerpts.c: where their sentences are stored
//   sentence.c headed.c     the text of a sentence, and its heading; stretch.c: of several blocks
//   ask.c                   setup, the read pass, the answer
//   alternative.c           a second sentence behind the answer
//   evidence.c              the passages that the answer rests on
//   both.c                  a question of two halves, asked as two
//   whole.c                 a question about all of the text, answered by searching it (survey)
#ifndef LCTOOL_ENGINE_ASKING_H
#define LCTOOL_ENGINE_ASKING_H

#include "engine/answer/reading.h"
#include "engine/ask/evidence.h"
#include "engine/ask/judge.h"
#include "engine/ask/sentence.h"
#include "engine/method/select.h"

// Where in a block the answer is looked for.
struct focus {
    int64_t global; // the block
    uint32_t token; // of it
    int found;      // 0: the votes do not tell
    int goes_on;    // sentences behind this one that are read with it
};

struct foci {
    struct focus *v; // [n]
    size_t n, cap;
};

// The blocks that each layer chose for itself (SCOPE_LAYER).
struct by_layer {
    struct places *v; // [n_layers][lanes]; NULL: all layers read what is chosen for the question
    int lanes;        // choices of a layer: 1, or one for each kv head
    int64_t *budgets; // [n_layers] tokens that each layer may read, -1: all
    int most;         // tokens that a layer, or a kv head, has chosen at most
};

// A question under way. Each part is set by the step that it is named for, which is the only one to
// change it unless it says otherwise; all is zero before.
struct asking {
    // What is asked of what, borrowed; the answer is filled in on the way.
    struct model *m;
    struct kvz *const *k; // [n_k]
    int n_k;
    const struct ask_options *o;
    struct answer *a;

    // How: the options, and what stands for them where they are not given (setup of ask.c).
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

    // Names that tell which document is asked (unname.c).
    struct {
        char *unnamed;    // the question without them (named.h); NULL: it has none
        int64_t first, n; // the one of several documents that they name, of all documents' blocks;
                          // n 0: none
    } about;

    // The question in tokens (setup): as blocks and sentences are ranked by it, for the probe pass,
    // and for the read pass.
    struct {
        struct prompt ranked, probe, read;
    } prompts;

    // What the heads say (cast_votes, preselect of ask.c; foci.c).
    struct {
        struct ballot *ballot;      // those who rank blocks change its order and scores
        float **queries;            // [n_layers] -> [probe.n][n_heads][head_dim] raw, or NULL
        float **own;                // [n_layers] in these, the first of the question's own tokens
        unsigned char *preselected; // NULL, or [n_layers + 1][n_blocks]: 1 for blocks that each
                                    // layer, in the last row all layers, may choose
        struct foci foci;           // where they fall in each block that they were asked about
    } votes;

    // What the best blocks' sentences are worth (likelihood.c; follow.c judges by it, too).
    struct {
        int n;              // best blocks whose sentences were judged; 0: none
        double chance;      // that the best sentence has the answer (answered.h); where n > 0
        struct judge judge; // while blocks and sentences are ranked
        struct begun begun; // a prompt that was run and may be the beginning of what is read
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
        struct shown_list shown;
        struct excerpts excerpts;
    } read;

    // What of that is said (sentence.c; alternative.c).
    struct {
        int unsaid;   // first tokens of the best sentence, what it replies to, that a quotation
                      // leaves out
        char *news;   // words that only the last sentence read has (quote.h); NULL: not asked for
        int verbatim; // 1: the best sentence is the steps or the definition that are asked for
        struct focus other; // the sentence said as another answer, if found
    } said;
};

// The question by which blocks and sentences are ranked.
static inline const char *asking_ranked(const struct asking *q)
{
    return q->about.unnamed ? q->about.unnamed : q->o->question;
}

// Sets q->about. Where there are very many documents none is looked for.
int unname_question(struct asking *q, struct err *e);
// Puts the blocks of q->about before all others, in their order.
int named_first(struct asking *q, struct err *e);

// Appends to P the sentences of the chosen blocks on which the votes fall: each once, the best one
// last, an empty line between them, as many as fit the budget, at least one. Of a block in which no
// token has votes, because the index does not keep its keys, all text is taken.
int sentences_new(struct prompt *p, struct asking *q, struct err *e);
// Appends the places where the sentence V, found in BLOCK of K, is stored; it may begin before that
// block and end behind it.
int excerpts_add(struct excerpts *p, const struct kvz *k, uint64_t block, const struct sentence *v,
                 struct err *e);
// Where in block GLOBAL the answer is looked for: at the token that focus_at has set, else at the
// one with most votes (ballot_focus), which are counted once. *FOUND 0: there is none.
int focus_of(struct asking *q, int64_t global, int *found, uint32_t *token, struct err *e);
// For each of N stretches of block GLOBAL, from token TOKENS[i] up to TOKENS[i + 1] or the end, the
// most votes of any of its tokens: VOTES [n], as ballot_votes gives them.
int focus_votes(const struct asking *q, int64_t global, const uint32_t *tokens, int n,
                double *votes, struct err *e);
// Sets the token of block GLOBAL.
int focus_at(struct asking *q, int64_t global, uint32_t token, struct err *e);
// How many sentences behind that one are read with it; and sets that, for a block that focus_of has
// looked at.
int focus_goes_on(const struct asking *q, int64_t global);
void focus_go_on(const struct asking *q, int64_t global, int on);

// Whether the votes are sharp at the I-th best block: it falls so far behind the best one that it
// is not worth reading.
int votes_sharp(const struct ballot *b, int64_t i);

// Ranks the best blocks, as many as the method says (more when none of them answers), by how likely
// their sentences make the question, and chooses the sentences of the best two in the same way.
// Sets q->judged. Where the votes are sharp the order of blocks stays; does nothing
// where no heads voted.
int likelihood_rank(struct asking *q, struct err *e);
// How many of N_BLOCKS blocks are judged when the best sentence of the first N makes the question
// likelier than no text does by GAIN nats a token.
int likelihood_judged(int n, int64_t n_blocks, double gain);
// Nats a token: how much less than the best one a block may be worth, by its votes and words, to be
// judged at all, once the blocks nearest to the best are judged with this GAIN.
double likelihood_behind(double gain);

// Runs the probe pass, whose queries stay in q->votes.queries, and casts the votes of
// q->votes.ballot.
int cast_votes(struct asking *q, struct err *e);

// With ask_options.hops > 1: asks again after the best block's sentence, puts the block that is
// best then behind it, and so on, for that many places.
int hop_further(struct asking *q, struct err *e);
// When the best sentence answers the question by half: finds a second sentence, to which rare words
// of the first lead that the question does not have, and keeps it in q->chosen.lead if both
// together make the question clearly likelier than the first alone (bridge.h).
int bridge_over(struct asking *q, struct err *e);
// Reads the sentences behind the best one (follow_reach) with it when both together make the
// question clearly likelier. The judge must have room for FOLLOW_TEXTS more texts.
enum { FOLLOW_TEXTS = 2 };
int follow_on(struct asking *q, struct err *e);
// A sentence and those behind it: up to the first that has a word of the question which the
// sentence lacks or, when none of the next three has one, just the next.
struct reach {
    struct sentence both;
    int on;     // number of sentences behind the first
    int lacked; // 1: they end with one that has such a word
};
// For FIRST, the sentence around TOKEN of BLOCK. R->both is the caller's to release in any case.
int follow_reach(struct reach *r, const char *question, const struct sentence *first,
                 const struct kvz *k, uint64_t block, uint32_t token, struct err *e);
// Whether the texts FIRST and BOTH make the question clearly likelier than FIRST alone: LIKELIHOOD
// [2] of QUESTION after FIRST and after BOTH, corrected by what kind of answer each can give
// (asked.h); LACKED as in struct reach.
int follow_better(const double *likelihood, const char *question, const char *first,
                  const char *both, int lacked);
// Adds to the answer, behind "or:", the sentence of the best block that makes the question nearly
// as likely as the best sentence and has a word of the question which that lacks; sets
// q->said.other.
int alternative_say(struct asking *q, struct err *e);
// Frees these queries, as must be done before cast_votes is called again.
void asking_forget_queries(struct asking *q);
void asking_done(struct asking *q);

// How many passages O wants.
int asks_for_passages(const struct ask_options *o);
// The template called ASKED or, when that is NULL, the one that the index was made with. ERR_USAGE,
// ERR_FORMAT: it is not known.
int ask_chat(const struct chat **out, const struct kvz *k, const char *asked, struct err *e);
// Answers a question about all of the text (survey.h): 1, 0 when it is none, or an error.
int ask_whole(struct kvz *const *indexes, int n_indexes, const struct ask_options *o,
              struct answer *a, struct err *e);
// Asks one question as a whole, without looking for halves; WRITE 0: as ask_choose.
int ask_one(struct model *m, struct kvz *const *indexes, int n_indexes, const struct ask_options *o,
            struct answer *a, int write, struct err *e);

// Chooses the blocks that are read, by the ranking: q->chosen.far or q->chosen.by_layer, and the
// answer's choices.
int choose_blocks(struct asking *q, struct err *e);
// The callback for forward.retrieve while the answer is written (--token-step): LAYER chooses again
// by the QUERIES of the token that is being run. ARG: the struct asking.
int choose_anew(void *arg, struct stream *s, int layer, const float *queries, struct err *e);
// Adds the blocks that choose_anew chose to the answer's choices.
int choose_account(struct asking *q, struct err *e);

#endif
