// Inside of ask(): one question's state, shared by ask.c (probe, evidence, answer), choose.c (which
// blocks are read) and read.c (what of an index is brought into sight).
#ifndef LCTOOL_ENGINE_ASK_H
#define LCTOOL_ENGINE_ASK_H

#include "engine/engine.h"
#include "engine/ask/copy.h"
#include "engine/ask/draft.h"
#include "engine/ask/quote.h"
#include "engine/model/prompt.h"
#include "engine/method/select.h"
#include "engine/stream/stream.h"

// The end of an index that a window of N tokens shows: the first of its last blocks that fit,
// whole, sinks left out; n_blocks when none does.
int read_tail_first(const struct kvz *k, int n, uint64_t *first, struct err *e);

// Far blocks in document order: stored keys and values.
struct place {
    const struct kvz *k;
    uint64_t block;
    int rank; // among what is read, 0 the most important
};
struct places {
    struct place *v; // [n]
    int n, tokens;   // blocks, and tokens of all of them
};
// Into one layer or, LAYER -1, into every one, in the order TRAVERSE.
int read_far(struct stream *s, int layer, const struct places *p, enum traverse traverse, struct err *e);
// P [n_kv_heads]: each kv head its own blocks into LAYER, in document order, as many tokens as the head with fewest.
int read_far_heads(struct stream *s, int layer, const struct places *p, struct err *e);

// Writes an answer: runs the prompt, then chooses token after token and runs the stream on, until the end of the turn,
// MAX tokens, the end of SENTENCES sentences or of one when there are nearly WORDS words, STOP, or until
// it goes in circles; with WORDS, up to a sentence that says nothing new, and in whole sentences. The text goes to the callback and to *OUT (owned by the caller).
struct writing {
    struct stream *s;
    float *logits; // [1 + draft.most][n_vocab], where the device does not choose tokens
    struct copies copies; // what is favoured
    struct bonuses bonuses; // what that adds to the next token's logits, and what no_repeat does
    struct quote quote;   // what an answer gives way to
    struct draft draft;   // what is guessed to come next
    int max_tokens;
    int words;     // about as many; 0: no such limit
    int sentences; // as many; 0: no such limit
    int no_repeat; // as many tokens in a row never come twice; 0: they may
    struct sampler sampler;
    const volatile sig_atomic_t *stop;
    void (*text)(void *arg, const char *s, size_t n);
    void *arg;
    int token_step; // for every n-th token each layer chooses by RETRIEVE what it reads (struct forward); 0: never
    int (*retrieve)(void *arg, struct stream *s, int layer, const float *q, struct err *e);
    void *retrieve_arg;
    char *out;
    size_t out_bytes, out_cap;
    size_t told;   // bytes of OUT that were said, where that goes by sentences
    uint32_t *ids; // [n_tokens] while it writes
    struct best best; // instead of logits, where the device finds it, and with a quote what it costs
    float cost;
    int n_tokens;
    const char *finish;
};
// Runs the N tokens of the prompt, which comes before write_answer.
int write_prompt(struct writing *w, const uint32_t *ids, int n, struct err *e);
int write_answer(struct writing *w, struct err *e);
// Says TEXT as if the model had; before write_prompt, whose tokens end with it.
int write_begin(struct writing *w, const char *text, struct err *e);

// Whether a sentence ends between TEXT [n], which is written, and NEXT [n_next], which would be: after a stop that is no
// abbreviation's, before a word that does not begin with a small letter; or with an empty line after anything but a colon.
int write_sentence_ends(const char *text, size_t n, const char *next, size_t n_next);

// Runs N tokens in chunks; LOGITS of the last one, host [n_vocab].
int run_tokens(struct stream *s, const uint32_t *ids, int n, float *logits, struct err *e);

// A stream with the sinks and the end of HOME (read_tail_first) in sight, and room for FAR tokens
// of blocks and ROOM tokens to come. LAYERS are run, 0: all.
int read_open(struct stream **out, struct model *m, const struct kvz *home,
              enum positions positions, int window, int far, int room, int layers, struct err *e);

// A part of the text that is read, and how much of the retrieval heads' attention falls on it while the answer is
// written.
struct shown {
    int64_t global; // its block, as the ballot numbers it
    int from, n;    // tokens of what is read
    double mass;
};
struct shown_list {
    struct shown *v; // [n]
    size_t n, cap;
};
int shown_add(struct shown_list *l, int64_t global, int from, int n, struct err *e);
// From now on the layers of the model's retrieval heads count the attention that tokens receive; then, what those of
// each part of L, the first one local token FROM, received, weighed as the heads' votes are.
int shown_watch(struct stream *s, struct err *e);
int shown_count(struct shown_list *l, struct stream *s, int from, struct err *e);

// The read pass: blocks into sight, the question after them, an answer out.
struct reading {
    struct model *m;
    const struct chat *chat;
    const struct kvz *home; // whose sinks and end are in sight
    enum positions positions;
    int window;
    struct places far;           // what every layer reads, and whose text is read again
    const struct places *layers; // [n_layers][lanes] what each layer reads instead, or NULL
    int lanes;                   // 1, or the number of kv heads, each of which reads its own
    int state;                   // the summary state of HOME stands for the far blocks
    const char *text;            // NULL, or what is read, with READ_FRESH, instead of blocks
    enum traverse traverse;
    struct art art;              // patience 0: none
    enum read_mode mode;
    float copy; // see copy.h
    float doubt; // what an answer may cost a token before it gives way to the sentence (quote.h); 0: anything
    const struct prompt *question;
    const struct prompt *sentences; // READ_SENTENCES: read instead of the blocks
    int quoted;                     // of them, the last ones, what an answer gives way to,
    const char *asked, *news;       // if it has no words but these, or none of these (quote.h)
    int copied;                     // whether the last one alone is copied from
    int several;                    // whether several things are asked for
    struct shown_list *shown;       // its parts
    struct writing w;   // its stream and logits are the reading's
    int read_tokens;    // out: document tokens in sight
    uint64_t art_read[2]; // out: far blocks that were read while writing, and that there were
    double first_token; // out: clock_seconds() when the first token was known
};
int read_and_write(struct reading *r, struct err *e);

// The passage of one block, for an answer; its focus is all of it.
int evidence_of(struct evidence *v, const struct kvz *k, int index, uint64_t block, double score,
                struct err *e);
// The N blocks of ORDER that are in L, by falling mass, in the places that they have together.
void evidence_by_mass(int64_t *order, int64_t n, const struct shown_list *l);
// OUT [n]: of VOTES [n] and WORDS [n_words] by turns the next one that is not TAKEN [all blocks] yet, first of VOTES.
void evidence_by_turns(const int64_t *votes, const int64_t *words, int64_t n_words, int64_t n, unsigned char *taken,
                       int64_t *out);

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
    struct art art;         // patience 0: none
    enum read_mode mode;
    float copy;             // see copy.h
    struct prompt prompt;   // what is read and answered
    struct prompt probe;    // what the votes are taken from
    struct prompt sentences; // READ_SENTENCES: what is read,
    struct shown_list shown; // and of which blocks
    char *news;              // what the last of them says beside what leads to it; NULL: nothing does
    struct ballot *ballot;
    struct focused {
        int64_t global;
        uint32_t token;
        int found;
    } *focused;             // [n_focused] where the answer is looked for in each block that was asked about
    size_t n_focused, cap_focused;
    struct focused lead;    // where the best sentence leads on to; not found: nowhere
    float **queries;        // [n_layers] NULL or [probe.n][n_heads][head_dim]: raw, of the probe pass
    float **own;            // [n_layers] of them, those of the question's own tokens
    struct stream *s;
    uint64_t *tail_first;  // [n_k] first block that the read window shows
    struct places far;     // blocks to be read
    struct places *layers; // [n_layers][lanes] each layer's own; NULL: FAR for all
    int lanes;             // choices of a layer: 1, or one for each kv head
    int64_t *budgets;      // [n_layers] tokens that each layer may read, -1: all
    int most_far;          // tokens that a layer, or a kv head, has chosen at most
    unsigned char *read;   // [n_blocks] 1: read by some layer, 2: in sight
    unsigned char *preselected; // NULL, or [n_layers + 1][n_blocks]: what each layer, and the last row all, choose from
    int home;              // the index whose sinks and end are in sight
};

// A sentence of a document.
struct sentence {
    int index;           // which of the indexes
    uint32_t document;   // of the index
    uint64_t start, end; // bytes of the document
    char *text;          // NUL-terminated; before it, on a line of its own, what leads in the list it is a part of
};
// The sentence around *TOKEN of BLOCK, whole where it goes on into the block before or after, in company where it
// says little alone (cut.h); all of the block for TOKEN NULL.
int sentence_around(struct sentence *v, const struct kvz *k, uint64_t block, const uint32_t *token,
                    struct err *e);
// The one of a block, by its number in the ballot, where the votes fall.
int sentence_new(struct sentence *v, struct asking *q, int64_t global, struct err *e);
void sentence_done(struct sentence *v);
int sentences_overlap(const struct sentence *a, const struct sentence *b);

// The sentences of the chosen blocks where the votes fall, as tokens at the end of P: each once, the best one
// last, an empty line between them, as many as fit the budget, one at least. A block whose keys are not kept is there with all its text.
int sentences_new(struct prompt *p, struct asking *q, struct err *e);
// The first token of each sentence of BLOCK, MOST of them at most.
int sentence_tokens(const struct kvz *k, uint64_t block, uint32_t *tokens, int most, int *n, struct err *e);
// Where in block GLOBAL the answer is looked for: where the model (focus_at), else the votes say, who are asked once.
int focus_of(struct asking *q, int64_t global, int *found, uint32_t *token, struct err *e);
// From now on at TOKEN.
int focus_at(struct asking *q, int64_t global, uint32_t token, struct err *e);

// Whether QUESTION asks, in English, for all or each of several things.
int asks_for_several(const char *question);

// Whether the votes for the I-th best block fall so far behind those for the best one that it is not worth reading.
int votes_sharp(const struct ballot *b, int64_t i);

// Puts the best blocks, as many as the method says, in the order in which their sentences make the question likely,
// and chooses the sentence of the best two in the same way. Nothing is done where the votes are sharp, or heads were
// not asked.
int likelihood_rank(struct asking *q, struct err *e);

// The passages that the answer rests on: after it is written, where one is.
int evidence_gather(struct asking *q, struct err *e);
// Narrows the focus of evidence V to the sentence around TOKEN of its block.
int evidence_focus(struct evidence *v, const struct kvz *k, uint32_t token, struct err *e);

// The votes of Q's ballot, from the queries of its probe: they stay in q->queries.
int cast_votes(struct asking *q, struct err *e);

// Behind the best block comes the one that is best when the question is asked after its sentence, and so on
// for as many hops as the question may take.
int hop_further(struct asking *q, struct err *e);
// A second place, where the best sentence answers the question by half: that of the sentence to which its words lead that
// are new to the question and rare, if the two make the question clearly likelier than the first alone; to q->lead.
int bridge_over(struct asking *q, struct err *e);
// The queries of the probe pass, which cast_votes made.
void asking_forget_queries(struct asking *q);
void asking_done(struct asking *q);

// One question, asked as it stands; WRITE 0: it is not answered (ask, ask_choose).
int ask_one(struct model *m, struct kvz *const *indexes, int n_indexes, const struct ask_options *o, struct answer *a,
            int write, struct err *e);

// Fills in the blocks that are read and the choices of the answer, from the votes.
int choose_blocks(struct asking *q, struct err *e);
// What LAYER reads from now on, by the queries of the token that is being run (struct forward); ARG is the asking.
int choose_anew(void *arg, struct stream *s, int layer, const float *queries, struct err *e);
// Adds the blocks chosen anew to the choices of the answer.
int choose_account(struct asking *q, struct err *e);

#endif
