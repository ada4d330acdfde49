// The engine: a model that reads documents into an index and answers questions from it.
//
//     struct device *d;  struct model *m;  struct err e;
//     if (device_open(&d, &(struct device_options){0}, NULL, 0, &e)) ...
//     if (model_open(&m, "model.gguf", d, &e)) ...
//
//     struct encode_result r;
//     if (encode_documents(m, &(struct encode_options){.inputs = in, .n_inputs = 1, .out = "book.kvz"}, &r, &e)) ...
//
//     struct kvz *k;
//     if (kvz_open(&k, "book.kvz", &e) || ask_check(m, k, &e)) ...
//     struct answer a;
//     if (ask(m, &k, 1, &(struct ask_options){.question = "Who pays the rent?"}, &a, &e)) ...
//     puts(a.text);
//     answer_done(&a);
//
//     kvz_close(k);  model_close(m);  device_close(d);
//
// In every options struct zero means the default. Nothing here prints or exits: notes and progress
// go to the callbacks. A model is used by one call at a time. Each question starts from the
// immutable index with fresh state: its answer does not depend on what was asked before.
#ifndef LCTOOL_ENGINE_ENGINE_H
#define LCTOOL_ENGINE_ENGINE_H

#include <signal.h>
#include <stddef.h>
#include <stdint.h>

#include "cache/kvz.h"
#include "io/err.h"
#include "kernels/kernels.h"

struct model;

// What the program understood of a model file. Strings are valid until model_close.
struct model_info {
    const char *path, *name, *arch;
    const char *tokenizer, *pre_tokenizer;
    const char *template_name; // "chatml"...; NULL: none, or none that is known
    int has_template_text;     // the file carries a template, known or not
    const char *weight_types;  // "Q4_1 211, F32 61"
    const char *profile;       // name of the retrieval-head profile, NULL: none known
    const char *profile_path;  // the file it was read from; NULL: built in
    int profile_heads;         // in it; 0: none was found, or no profile is known
    int n_layers, n_heads, n_kv_heads, head_dim, n_embd, n_ff, n_vocab, n_ctx_train;
    int rope_dim, rope_neox;
    double rope_base;
    const char *rope_scaling;      // "none", "linear", "yarn", ...
    int sliding_window, n_sliding; // tokens that n_sliding of the layers see; 0: all see everything
    uint64_t n_params, file_bytes;
    uint64_t digest, tokenizer_digest;
};

// Maps and checks the file; weights stay in place. ERR_UNSUPPORTED names an architecture, type or
// tokenizer that is not known and lists those that are.
int model_open(struct model **out, const char *path, struct device *d, struct err *e);
void model_close(struct model *m);
const struct model_info *model_info(const struct model *m);
// Takes the retrieval heads from the profile at PATH instead of the built-in ones. ERR_USAGE names
// the line of a mistake; ERR_MISMATCH when it is another model's.
int model_use_profile(struct model *m, const char *path, struct err *e);

// ------------------------------------------------------------------------------- calibrate

// What is read of the blocks that were chosen.
enum read_mode {
    READ_DEFAULT,
    READ_CACHED,          // their stored keys and values
    READ_FRESH,           // their text, read again
    READ_BOTH,            // the two of them
    READ_SENTENCES,       // of their text, the sentences that it is about
    READ_CACHED_SENTENCES // the stored keys and values of these
};
enum { N_READ_MODES = READ_CACHED_SENTENCES + 1 };

// "cached", ...; NULL of READ_DEFAULT.
const char *read_mode_name(enum read_mode mode);
// READ_DEFAULT where NAME is NULL; ERR_USAGE lists the names.
int read_mode_parse(const char *name, enum read_mode *mode, struct err *e);

// Whether text alone is read, no stored keys and values.
static inline int read_text_only(enum read_mode mode)
{
    return mode == READ_FRESH || mode == READ_SENTENCES;
}

// Whether sentences alone are read.
static inline int read_sentences_only(enum read_mode mode)
{
    return mode == READ_SENTENCES || mode == READ_CACHED_SENTENCES;
}

struct calibrate_progress {
    uint64_t tokens; // computed so far
    int done, total; // documents, each of which is read twice
    double seconds;
};

struct calibrate_options {
    const char *text; // a file to hide needles in; NULL: text made for it
    int documents;    // texts with needles; 0: 3
    int tokens;       // of each; 0: 4,096
    uint64_t seed;    // of needles and text
    double kv_bits; // of a key and of a value on average, for which heads are given theirs; 0: 2.1
    // The same model on a device that rounds nothing: what most heads lose is less than others
    // round to be faster; NULL: it is measured with the model itself.
    struct model *exact;
    double seconds; // no further document is begun after this; 0: no such limit
    const volatile sig_atomic_t *stop;
    void (*progress)(void *arg, const struct calibrate_progress *p);
    void *arg;
};

struct calibrate_head {
    int layer, head;
    // Means of the log of ranks from 1 among all blocks when this head chooses alone. Asked in
    // other words than the text's: of the block that holds the answer, and of those that hold the
    // answers to other questions. Asked in the text's own words: of the block that holds the
    // answer.
    double rank, others, words;
    double copy;   // share of the copied tokens that it looked at (Wu et al.)
    double weight; // of its vote; 0: not chosen
};

// How the blocks of a layer are divided into spans, where it has a chosen head, and how undecided
// the layer is.
struct calibrate_layer {
    double theta, phi; // 0: no head of it was chosen
    double lambda;     // 0: the usual one
    double entropy;    // of its opinions, a share of the logarithm of the number of blocks
};

// How keys and values are best stored. Losses are divergences of what is predicted in answers,
// nats.
struct calibrate_storing {
    double *part;  // [n_layers][2][n_kv_heads] loss where keys, or values, of a kv head alone are
                   // stored with a bit and a half
    double *head;  // [n_layers][n_kv_heads] where those of a kv head are their mean; NULL, all of
                   // this, where time was up before there were steps
    float *steps;  // [n_layers][2][n_kv_heads] how coarsely keys and values are best stored; NULL:
                   // all alike
    uint8_t *near; // [n_layers][n_kv_heads] whether nothing is lost where they are left out; of
                   // none where time was up
    double alike, best, without; // loss where all are stored with the bits asked for: all alike,
                                 // with these steps, and without these heads
};

struct calibrate_result {
    struct calibrate_storing storing;
    struct calibrate_layer *layers; // [n_layers]
    int n_layers;
    struct calibrate_head *v; // [n] every head of the model; the chosen ones first, best first
    int n, chosen;
    int questions;           // half of them in the text's own words
    int copied, steps;       // tokens that the model copied, and could have copied
    int asked;               // needles that the model was asked to read in each of the ways
    int right[N_READ_MODES]; // of them, answered in full
    enum read_mode read;     // the way that the profile names
    float sharpen;           // and what the scores of stored keys are multiplied by
    uint64_t tokens;
    double seconds;
};

// Finds the retrieval heads of M on sentences hidden in text, and writes its profile to OUT. A
// profile without heads is written where none of them finds anything. The same model, options and
// machine give the same bytes, unless the time was up.
int calibrate(struct model *m, const char *out, const struct calibrate_options *o,
              struct calibrate_result *r, struct err *e);
void calibrate_result_done(struct calibrate_result *r);

// Whether the method NAME (NULL: the default) is better for a profile.
int method_needs_profile(const char *name);

// ---------------------------------------------------------------------------------- encode

struct encode_progress {
    const char *document;
    uint64_t tokens; // in this run and before it
    uint64_t source_done,
        source_total;         // bytes of the inputs, as far as the model has come; total 0: unknown
    double seconds;           // of this run
    double tokens_per_second; // of this run
};

// Sizes, tokens: where options leave them 0, and the largest block.
#define ENCODE_WINDOW      1024
#define ENCODE_WINDOW_WIDE 4096 // of models with embeddings of ENCODE_WIDE dimensions and more
#define ENCODE_SINKS       128  // the window, where that is less
#define ENCODE_BLOCK       64
#define ENCODE_CHUNK       512
enum { ENCODE_WIDE = 2048, ENCODE_BLOCK_MAX = 255 };

struct encode_options {
    const char *const *inputs; // paths, "-"
    int n_inputs;
    int n_listed;        // see struct doc_options
    const char *format;  // see struct doc_options
    const char *charset; // likewise
    const char *stdin_name;
    const char *out;
    int force;  // replace a complete or interrupted OUT
    int append; // OUT exists and grows, by what it has not; shaping options left 0 follow the
                // index, others must agree
    int window, sinks, block, chunk; // tokens; 0: as the index that grows, else as above; a
                                     // window below a sliding one that all layers have
    int topk; // blocks retrieved per chunk while encoding; 0: as the index that grows, else
              // none, -1: none (plain streaming)
    const char *positions;    // "window" (default), "original", "contiguous"
    const char *method;       // NULL: by what is known of the model
    const char *represent;    // what stands for a block in the index; NULL: the method's
    int representatives;      // tokens that stand for a block (top, fixed), at most 32; 0: 4
    const char *window_kind;  // "plain", "cascade"; NULL: the method's
    const char *voters;       // whose keys the index keeps: "profile", "all"; NULL: the method's
    struct kvz_recipe recipe; // k_bits 0: that of the index that grows, else the default (1.8
                              // and 2.25 bits); with a level the default in any case
    int needed_heads; // stores nothing but sinks of kv heads that the profile says look no further
    const char *template_name;         // NULL: the model's own; "raw": none
    double checkpoint_seconds;         // 0: 30
    const volatile sig_atomic_t *stop; // becomes non-zero: checkpoint, then ERR_INTERRUPTED
    void (*progress)(void *arg, const struct encode_progress *p);
    void (*note)(void *arg, const char *msg);
    void *arg;
};

struct encode_result {
    uint64_t documents, tokens, blocks, file_bytes; // of the index
    uint64_t added_documents, text_bytes;           // those of the inputs
    uint64_t resumed_tokens;                        // read by an earlier, interrupted run
    double seconds, tokens_per_second;
    int kept; // it failed, and the same call goes on from a checkpoint
};

// What is wrong with the inputs or the index, as encode_documents would find before it reads.
int encode_check(const struct encode_options *o, struct err *e);
int encode_documents(struct model *m, const struct encode_options *o, struct encode_result *r,
                     struct err *e);

// Bytes of index that a token of a long document takes at most, with the default options: its keys
// and values before they are deflated, and its share of the vectors that blocks are found by.
int encode_token_bytes(const struct model *m, double *bytes, struct err *e);

// ------------------------------------------------------------------------------------- ask

// Of ask_options.draft: with the token before them as many as weights are read once for.
enum { DRAFT_MOST = 7 };

struct ask_options {
    const char *question;
    int max_tokens;        // of the answer; 0: 256
    int sentences;         // of the answer; 0: as the model's profile says, else -1: no limit
    int n_evidence;        // passages returned, as the votes rank them; 0: 4, -1: none
    int budget;            // tokens of document read at most, beside sinks and window; 0: 512
    int window;            // last tokens of the document in sight while reading; 0: 128, -1: none
    const char *positions; // NULL: as the index was encoded
    const char *method;    // NULL: the index's
    // Parts of the method, by name; NULL: the method's.
    const char *select;   // who chooses: "vote", "similarity", "exact", "bm25", "hybrid", "none"
    const char *probe;    // "tokens", "mean", "bias"
    const char *reduce;   // "lse", "max", "sum", "cosine", "pool"
    const char *voters;   // "profile", "all"
    const char *scope;    // "question", "layer"
    const char *allot;    // "sharp", "fixed", "entropy", "all"
    const char *traverse; // "document", "importance", "recency"
    // Blocks that hardly change the output any more are left unread while the answer is written
    // (ART; order of importance only, and stored blocks): thresholds of its size and direction, how
    // many in a row.
    double art_scale, art_dir; // art_scale 0: everything is read; art_dir 0: the default
    int art_patience;          // 0: the default
    int echo;       // times the probe says the question before; 0: the method's, -1: none
    int likelihood; // best blocks judged by how likely their sentences make the question; 0: the
                    // method's, 1: none
    int hops; // places that lead from one to the next, 1: the question's own; 0: that and where its
              // words lead on, if the question is clearly likelier then
    int rerank;     // best blocks voted on again with all their keys; 0: the method's
    int dense;      // first layers that read every block; 0: the method's, -1: none
    int layer_step; // every n-th layer chooses, for those that follow it, too; 0: the method's
    int token_step; // every n-th token of the answer chooses anew; 0: the method's, -1: none does
    int preselect;  // blocks that are chosen from: where the question's attention falls, over all
                    // keys; 0: the method's, -1: all
    int blocks; // blocks of the index's size that are read at most, instead of budget; 0: budget
    const char *share;   // "shared", "separate": for all kv heads of a layer, or each for itself
    enum read_mode read; // READ_DEFAULT: as the model's profile says, else READ_CACHED
    float sharpen; // what the scores of stored keys are multiplied by; 0: as the model's profile
                   // says, else 1; where the method reads all blocks or the summary state, 1
    float copy;  // added to the logit of what in the text that was read goes on with the last words
                 // of the answer; 0: as the model's profile says, else none; below 0: none
    float quote; // nats a token: an answer that cost more on average gives way to the sentence that
                 // was read; 0: as the model's profile says, else never; below 0: never
    int draft;   // tokens, at most DRAFT_MOST, that are guessed ahead of each written one from what
               // was read, asked and written, and verified in its pass: speed alone depends on it.
               // Where the device gives tokens together other bits than alone, as a GPU does, none
               // are
    int survey; // below 0: questions that ask for something of all of the text (how often, which
                // words are the most common) are asked as others, not answered by looking through
                // it
    int alternative; // below 0: no other sentence is said behind the answer where that lacks a word
                     // of the question and another one, nearly as likely, has it
    double min_score;  // an answer whose score would be below it: nothing is read or written; 0: as
                       // the model's profile says where sentences are read, else whatever it
                       // scores; below 0: whatever it scores
    float temp, top_p; // temp 0: greedy
    uint64_t seed;
    const char *lead;          // said before the question where it is read; NULL: "According to the
                               // text above: " in a chat template, nothing without one
    const char *answer_prefix; // first words of the answer, given
    const char *template_name; // NULL: as the index; "raw": none
    const volatile sig_atomic_t *stop;
    // Called with the answer as it is written, whole characters.
    void (*text)(void *arg, const char *s, size_t n);
    void (*note)(void *arg, const char *msg);
    void *arg;
};

struct evidence {
    int index; // which of the indexes
    uint64_t block;
    const char *document;            // valid while the index is open
    uint64_t start, end;             // bytes of the document: the block, and what its sentence has
                                     // beyond it, without what better passages have
    uint64_t focus_start, focus_end; // of them, the sentence where the votes fall; all where they
                                     // are not kept token by token, or a better passage has it
    double score;
    int was_read; // the answer was read from it; 0: it only ranks next
    char *text;   // the bytes themselves, NUL-terminated
    size_t text_bytes;
};

// Why a block was chosen: one retrieval head's opinion of it.
struct vote {
    int layer, head;
    double score; // z-score among all blocks
    int rank;     // 1 = this head's first choice
};

struct choice {
    int index;
    uint64_t block;
    double score;       // what the blocks were ranked by
    struct vote *votes; // [n_votes], best first; none where only words count
    int n_votes;
};

struct answer {
    char *text; // NUL-terminated; without the answer prefix
    size_t text_bytes;
    char *alternative;         // the sentence that TEXT ends with as another answer; NULL: none
    struct evidence *evidence; // best first
    int n_evidence;
    struct choice *choices; // blocks read, best first
    int n_choices;
    const char *finish; // "end", "sentences", "length", "repeat" (it went in circles),
                        // "interrupted", "unanswered" (below min_score), "quoted" (instead of an
                        // answer: see quote), "survey" (all of the text was looked through)
    double score; // from 0 to 1: how sure it is that the indexes answer the question (answered.h)
    int unsure;   // it is less likely than not, as far as the model's profile lets the score tell
    const char *select; // what chose the blocks; "survey": none were
    int question_tokens, answer_tokens;
    int read_tokens; // document tokens in sight: sinks, blocks, window, text read again
    uint64_t art_read,
        art_blocks; // with art_scale: blocks that were read while writing, by tokens, layers and
                    // heads, and those that there were; 0: the device reads all
    uint64_t document_tokens; // of all indexes
    double first_token_seconds, total_seconds;
};

// Whether the index was made for this model, tokenizer and a known recipe: ERR_MISMATCH says which
// is not.
int ask_check(const struct model *m, const struct kvz *k, struct err *e);

// One answer from all the indexes together. All must pass ask_check and share their shape.
int ask(struct model *m, struct kvz *const *indexes, int n_indexes, const struct ask_options *o,
        struct answer *a, struct err *e);
// The choice alone, without reading or answering: fills choices and evidence.
int ask_choose(struct model *m, struct kvz *const *indexes, int n_indexes,
               const struct ask_options *o, struct answer *a, struct err *e);
void answer_done(struct answer *a);

// ------------------------------------------------------------------------------- summarize

// A sentence of a summary.
struct summary_statement {
    size_t start, end; // bytes of the text
    int quoted;        // 1: the document's words, in quotation marks; 0: the model's
    char *heading;     // that what is quoted stands under; NULL: none
    int64_t times; // of a log or a table: how many lines are of this kind; 0: it is no such line
    int evidence; // of the text's passages the one that it stands in or shares most words with; -1:
                  // none
    int section; // of the whole: the one whose text it shares most words with, or that it stands in
};

struct summary_text {
    char *text;
    struct summary_statement *statements; // all of the text
    int n_statements;
    struct evidence *evidence; // passages, as the statements first rest on them
    int n_evidence;
};

struct summary_section {
    const char *document;
    uint64_t start, end; // bytes of the document that the section covers
    struct summary_text said;
};

struct summary {
    struct summary_section *sections; // one, unless sections were asked for
    int n_sections;
    // Of two sections and more, written from their texts; else its text is NULL.
    struct summary_text whole;
    const char *from; // "state", "blocks"
    uint64_t read_tokens;
    double seconds;
};

struct summarize_options {
    int words;         // 0: 200 in all, or 60 a section
    int sections;      // 1: one paragraph for each part of the document
    int budget;        // tokens read for each section; 0: 512
    const char *from;  // of the whole: "state", "blocks"; NULL: blocks
    const char *quote; // "never"; "strays": sentences of the document from where the model has
                       // words that it has not read; "always": these alone; NULL: "always" if the
                       // model's profile has a limit to quote by, else "never"
    int draft;         // see struct ask_options
    const volatile sig_atomic_t *stop;
    // Called as each statement is said, of the whole without sections; as each section is complete.
    void (*statement)(void *arg, const struct summary_text *t, int i);
    void (*section)(void *arg, const struct summary_section *s);
    void *arg;
};

int summarize(struct model *m, struct kvz *k, const struct summarize_options *o, struct summary *s,
              struct err *e);
void summary_done(struct summary *s);

#endif
