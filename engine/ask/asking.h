// Inside of ask(): one question's state, and the steps of its way: votes (asking.c), the order of
// the blocks that they name (likelihood.c, hop.c, bridge.c, follow.c), what is read of them
// (choose.c, sentence.c, headed.c; stretch.c has the text), what may be meant as well
// (alternative.c), evidence (evidence.c); or a look at all of the text (whole.c).
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
    int found;      // 0: the votes do not say
    int goes_on;    // in so many sentences behind it, which are read with it
};

struct foci {
    struct focus *v; // [n]
    size_t n, cap;
};

// What each layer chooses to read by itself.
struct by_layer {
    struct places *v; // [n_layers][lanes]; NULL: all layers read what is chosen for the question
    int lanes;        // choices of a layer: 1, or one for each kv head
    int64_t *budgets; // [n_layers] tokens that each layer may read, -1: all
    int most;         // tokens that a layer, or a kv head, has chosen at most
};

// A question under way.
struct asking {
    struct model *m;
    struct kvz *const *k;
    int n_k;
    const struct ask_options *o;
    struct answer *a;
    const struct chat *chat;
    struct method parts; // how the index was made, and what the question asks otherwise
    enum positions positions;
    int window, budget, n_evidence;
    int max_tokens; // of the answer
    struct art art; // patience 0: none
    enum read_mode mode;
    float sharpen; // see stream_options; 0: 1
    float copy;    // see copy.h
    float doubt;   // what a token of the answer may cost before what was read is said instead; 0:
                   // anything
    struct prompt prompt;     // what is read and answered
    struct prompt probe;      // what the votes are taken from
    struct prompt sentences;  // read_sentences_only: what is read,
    struct shown_list shown;  // of which blocks,
    struct excerpts excerpts; // READ_CACHED_SENTENCES: and where it is stored
    int unsaid; // tokens of the best sentence that a quotation of it leaves out: what it replies to
    char *news; // what the last of them says beside what leads to it; NULL: nothing does
    struct ballot *ballot;
    int verbatim;       // the best sentence is the steps or the definition that are asked for
    double chance;      // that the best sentence, once it is judged, has the answer: see answered.h
    int judged;         // so many of the best blocks are
    struct judge judge; // of the question, while blocks and sentences are put in order
    struct begun begun; // what has been run of what may be read with the question
    struct foci foci;   // of the blocks that were asked about
    struct focus lead;  // where the best sentence leads on to; not found: nowhere
    struct focus other; // what is said as another answer; not found: nothing is
    float **queries;    // [n_layers] NULL or [probe.n][n_heads][head_dim]: raw, of the probe pass
    float **own;        // [n_layers] of them, those of the question's own tokens
    struct stream *s;
    uint64_t *tail_first; // [n_k] first block that the read window shows
    struct places far;    // blocks to be read
    struct by_layer by_layer;
    unsigned char *read;        // [n_blocks] 1: read by some layer, 2: in sight
    unsigned char *preselected; // NULL, or [n_layers + 1][n_blocks]: what each layer, and the last
                                // row all, choose from
    int home;                   // the index whose sinks and end are in sight
};

// The sentences of the chosen blocks where the votes fall, as tokens at the end of P: each once,
// the best one last, an empty line between them, as many as fit the budget, one at least. A block
// whose keys are not kept is there with all its text.
int sentences_new(struct prompt *p, struct asking *q, struct err *e);
// Appends where the sentence V, which is about BLOCK of K, is stored: it may begin before that
// block and end behind it.
int excerpts_add(struct excerpts *p, const struct kvz *k, uint64_t block, const struct sentence *v,
                 struct err *e);
// Where in block GLOBAL the answer is looked for: where the model (focus_at), else the votes say,
// who are asked once.
int focus_of(struct asking *q, int64_t global, int *found, uint32_t *token, struct err *e);
// The most votes that any token has of each of N stretches of block GLOBAL, the I-th from TOKENS[I]
// up to the next one, to VOTES [n]: see ballot_votes.
int focus_votes(const struct asking *q, int64_t global, const uint32_t *tokens, int n,
                double *votes, struct err *e);
// From now on at TOKEN.
int focus_at(struct asking *q, int64_t global, uint32_t token, struct err *e);
// In how many sentences behind it goes on what it says there; from now on in ON, where focus_of has
// looked.
int focus_goes_on(const struct asking *q, int64_t global);
void focus_go_on(const struct asking *q, int64_t global, int on);

// Whether the votes for the I-th best block fall so far behind those for the best one that it is
// not worth reading.
int votes_sharp(const struct ballot *b, int64_t i);

// Puts the best blocks, as many as the method says, in the order in which their sentences make the
// question likely, more where none of them answers, and chooses the sentence of the best two in the
// same way; q->chance is how sure it is that the best sentence answers it. Where the votes are
// sharp the order stays; nothing is done where heads were not asked.
int likelihood_rank(struct asking *q, struct err *e);
// How many of N_BLOCKS blocks are judged, N at first, when the best sentence of these makes the
// question likelier by GAIN nats a token than no text does.
int likelihood_judged(int n, int64_t n_blocks, double gain);
// How far what a block is worth, nats a token, may fall behind the best one for its sentence to be
// judged after those that are nearest to it, of which the best one has this GAIN.
double likelihood_behind(double gain);

// The votes of Q's ballot, from the queries of its probe: they stay in q->queries.
int cast_votes(struct asking *q, struct err *e);

// Behind the best block comes the one that is best when the question is asked after its sentence,
// and so on for as many hops as the question may take.
int hop_further(struct asking *q, struct err *e);
// A second place, where the best sentence answers the question by half: that of the sentence to
// which its words lead that are new to the question and rare, if the two make the question clearly
// likelier than the first alone; to q->lead.
int bridge_over(struct asking *q, struct err *e);
// The sentences behind the best one (follow_reach) are read with it where they make the question
// clearly likelier than that one alone. Of these two texts the judge has to have room.
enum { FOLLOW_TEXTS = 2 };
int follow_on(struct asking *q, struct err *e);
// A sentence with those behind it up to the one that has a word of the question that it lacks; with
// the next one where none of three has.
struct reach {
    struct sentence both;
    int on;     // sentences behind the first
    int lacked; // whether it is for such a word
};
// For FIRST, the sentence around TOKEN of BLOCK; R->both is to be done in any case.
int follow_reach(struct reach *r, const char *question, const struct sentence *first,
                 const struct kvz *k, uint64_t block, uint32_t token, struct err *e);
// Whether they do: LIKELIHOOD [2] of QUESTION after the first sentence alone and after both, and
// what each tells of what is asked for (asked.h); LACKED: BOTH have a word of the question that
// FIRST lacks.
int follow_better(const double *likelihood, const char *question, const char *first,
                  const char *both, int lacked);
// Behind the answer, what may be meant as well: the sentence of the best block that makes the
// question nearly as likely as the best one and has a word of it that this lacks; to q->other.
int alternative_say(struct asking *q, struct err *e);
// The queries of the probe pass, which cast_votes made.
void asking_forget_queries(struct asking *q);
void asking_done(struct asking *q);

// How many passages O wants.
int asks_for_passages(const struct ask_options *o);
// The template ASKED for or, where that is NULL, the one that the index was made with.
int ask_chat(const struct chat **out, const struct kvz *k, const char *asked, struct err *e);
// The answer to a question that asks for something of all of the text: 1, or 0 where it does not.
int ask_whole(struct kvz *const *indexes, int n_indexes, const struct ask_options *o,
              struct answer *a, struct err *e);
// One question, asked as it stands; WRITE 0: it is not answered (ask, ask_choose).
int ask_one(struct model *m, struct kvz *const *indexes, int n_indexes, const struct ask_options *o,
            struct answer *a, int write, struct err *e);

// Fills in the blocks that are read and the choices of the answer, from the votes.
int choose_blocks(struct asking *q, struct err *e);
// What LAYER reads from now on, by the queries of the token that is being run (struct forward); ARG
// is the asking.
int choose_anew(void *arg, struct stream *s, int layer, const float *queries, struct err *e);
// Adds the blocks chosen anew to the choices of the answer.
int choose_account(struct asking *q, struct err *e);

#endif
