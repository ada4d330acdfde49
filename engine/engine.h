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

// What was read from a model file. Strings are valid until model_close.
struct model_info {
    const char *path, *name, *arch;
    const char *tokenizer, *pre_tokenizer;
    const char *template_name; // "chatml"...; NULL: the file has none, or an unknown one
    int has_template_text;     // 1: the file carries a chat template, known or not
    const char *weight_types;  // "Q4_1 211, F32 61"
    const char *profile;       // name of the retrieval-head profile, NULL: none known
    const char *profile_path;  // the file it was read from; NULL: built in
    int profile_heads; // retrieval heads in it; 0: calibration found none, or there is no profile
    int n_layers, n_heads, n_kv_heads, head_dim, n_embd, n_ff, n_vocab, n_ctx_train;
    int rope_dim;
    double rope_base;
    const char *rope_scaling;      // "none", "linear", "yarn", ...
    int sliding_window, n_sliding; // tokens; the number of layers limited to them. 0: no layer is
    uint64_t n_params, file_bytes;
    uint64_t digest, tokenizer_digest;
};

// Maps and checks the GGUF file at PATH; weights stay in the map. D must outlive the model.
// ERR_UNSUPPORTED names an unknown architecture, weight type or tokenizer and lists the known ones;
// ERR_FORMAT: the file is damaged.
int model_open(struct model **out, const char *path, struct device *d, struct err *e);
void model_close(struct model *m);
const struct model_info *model_info(const struct model *m);
// Takes the retrieval heads from the profile at PATH (lctool-profile(5)) instead of the built-in
// ones. ERR_USAGE names the line of a mistake; ERR_MISMATCH: the profile is another model's.
int model_use_profile(struct model *m, const char *path, struct err *e);

// A second, small model that makes vectors of sentences (engine/embed/embedder.h), by which what is
// said in other words is found. Everything works without it, less well.
struct embedder;

// --------------------------------------------------------------------------------- reading

// What the model sees of the blocks that were chosen for a question.
enum read_mode {
    READ_DEFAULT,         // as the options that hold it say
    READ_CACHED,          // the blocks' stored keys and values
    READ_FRESH,           // the blocks' text, run through the model again
    READ_BOTH,            // both of these
    READ_SENTENCES,       // only the text of the sentences that the votes fall on, run again
    READ_CACHED_SENTENCES // only the stored keys and values of these sentences
};
enum { N_READ_MODES = READ_CACHED_SENTENCES + 1 };

// "cached", "fresh", "both", "sentences", "cached-sentences"; NULL for READ_DEFAULT.
const char *read_mode_name(enum read_mode mode);
// The mode called NAME; NULL gives READ_DEFAULT. ERR_USAGE lists the names.
int read_mode_parse(const char *name, enum read_mode *mode, struct err *e);

// Whether only text is read, no stored keys and values.
static inline int read_text_only(enum read_mode mode)
{
    return mode == READ_FRESH || mode == READ_SENTENCES;
}

// Whether only sentences are read, not whole blocks.
static inline int read_sentences_only(enum read_mode mode)
{
    return mode == READ_SENTENCES || mode == READ_CACHED_SENTENCES;
}

// ------------------------------------------------------------------------------- calibrate

struct calibrate_progress {
    uint64_t tokens; // run through the model so far
    int done, total; // documents; each is read twice
    double seconds;
};

struct file_seen;
struct calibrate_options {
    const char *text; // a file to hide needles in; NULL: generated text (haystack.h)
    int documents;    // texts with needles; 0: 3
    int tokens;       // of each text; 0: 4,096
    uint64_t seed;    // of the generator of needles and text
    double kv_bits; // average bits of a stored element, among which the kv heads' shares are found;
                    // 0: 2.1
    // The same model opened on an exact device (device_options.exact), on which storage losses are
    // measured: for most heads they are smaller than the rounding of a fast device. NULL: they are
    // measured on the model itself.
    struct model *exact;
    double seconds; // no document is begun after this many; 0: no limit
    // What OUT was (io/file.h): other than that it is not replaced, which is ERR_IO. NULL: whatever
    // it is.
    const struct file_seen *was;
    const volatile sig_atomic_t *stop;
    void (*progress)(void *arg, const struct calibrate_progress *p);
    void *arg;
};

// One attention head, and how well it finds needles when it alone ranks the blocks. A rank counts
// from 1, the best, among all blocks; each of the three is the mean of the ranks' logarithms.
struct calibrate_head {
    int layer, head;
    double rank;   // of the block with the answer, asked in other words than the text's
    double others; // of the blocks that answer other questions, asked likewise
    double words;  // of the block with the answer, asked in the text's own words
    double copy;   // share of the copied tokens on which its attention fell (Wu et al.,
                   // arXiv:2404.15574, section 2)
    double weight; // of its vote; 0: not chosen
};

// How the blocks of a layer are divided into spans (span.h) and how undecided the layer is.
struct calibrate_layer {
    double theta, phi; // 0: no head of the layer was chosen
    double lambda;     // 0: the default
    double entropy;    // of its scores of the blocks, as a share of log(number of blocks)
};

// How coarsely keys and values may be stored. A loss is the mean divergence, in nats, between what
// the model predicts in answers with exact and with stored keys and values.
struct calibrate_storing {
    double *part;  // [n_layers][2][n_kv_heads] loss when only the keys, or only the values, of one
                   // kv head are stored, with 1.5 bits
    double *head;  // [n_layers][n_kv_heads] loss when keys and values of one kv head are replaced
                   // by their mean
    float *steps;  // [n_layers][2][n_kv_heads] the quantisation steps that lose least, relative to
                   // each other; NULL: all alike
    uint8_t *near; // [n_layers][n_kv_heads] 1: leaving the head's keys and values out loses next
                   // to nothing; all 0 when time ran out before this was measured
    // Loss with all stored at calibrate_options.kv_bits: all alike, with these steps, and with
    // these steps but without the near heads.
    double alike, best, without;
}; // all pointers are NULL when time ran out before there were steps

struct calibrate_result {
    struct calibrate_storing storing;
    struct calibrate_layer *layers; // [n_layers]
    int n_layers;
    struct calibrate_head *v; // [n] every head of the model; the chosen ones first, best first
    int n, chosen;
    int questions;           // asked; half of them in the text's own words
    int copied, copyable;    // tokens that the model copied, and those that it could have copied
    int asked;               // needles asked for in each read mode
    int right[N_READ_MODES]; // of these, answered in full
    enum read_mode read;     // the mode that the profile names
    float sharpen;           // what the profile multiplies scores of stored keys by
    uint64_t tokens;         // run through the model
    double seconds;
};

// Finds the retrieval heads of M with needles hidden in text and writes M's profile to OUT: one
// without heads when no head finds anything. The same model, options and machine give the same
// bytes, unless time runs out. ERR_INTERRUPTED when o->stop was set. R is the caller's to release.
int calibrate(struct model *m, const char *out, const struct calibrate_options *o,
              struct calibrate_result *r, struct err *e);
void calibrate_result_done(struct calibrate_result *r);
// Whether calibrate() can begin: ERR_IO or ERR_FORMAT of O's text, the only file that it reads.
int calibrate_check(const struct calibrate_options *o, struct err *e);

// Whether the method NAME (NULL: the default) makes use of a profile.
int method_needs_profile(const char *name);

// ---------------------------------------------------------------------------------- encode

struct encode_progress {
    const char *document;               // the one being read
    uint64_t tokens;                    // in this run and in the runs that it resumes
    uint64_t source_done, source_total; // bytes of the inputs; total 0: unknown
    double seconds;                     // of this run
    double tokens_per_second;           // of this run
};

// The defaults of encode_options, in tokens, and the largest block. The chunk is the largest
// multiple of the block that is no more.
#define ENCODE_WINDOW      1024
#define ENCODE_WINDOW_WIDE 4096 // of models whose embeddings have ENCODE_WIDE dimensions or more
#define ENCODE_SINKS       128  // at most the window
#define ENCODE_BLOCK       64
#define ENCODE_CHUNK       512
enum { ENCODE_WIDE = 2048, ENCODE_BLOCK_MAX = 255 };

// The rows of chat.c.
#define TEMPLATE_NAMES                                                                             \
    "raw|qwen-nothink|qwen-think|chatml|internlm2|"                                                \
    "llama-3.1|llama-3|llama-2|mistral-v7|mistral-v7-tekken|mistral-v1|mistral-v3|"                \
    "mistral-v3-tekken|phi-3|zephyr|gemma"
// Those of method.c.
#define METHOD_NAMES "votes|ltri|infllm|actqkv|quest|kt|snapkv|streaming|cascade|full"

struct encode_options {
    const char *const *inputs; // [n_inputs] paths; "-": standard input
    int n_inputs;
    int n_listed;                      // see struct doc_options
    const char *format, *charset;      // likewise
    const char *stdin_name;            // what evidence calls standard input; NULL: "stdin"
    const char *out;                   // the index's path
    int force;                         // replace a complete or interrupted OUT; with append only
                                       // what an interrupted run began
    int append;                        // add to the existing index OUT the documents that it lacks.
                                       // What shapes an index and is left 0 or NULL below is then
                                       // as OUT has it; what is given must agree with OUT
    int window, sinks, block, chunk;   // tokens; 0: ENCODE_* above, and a default window never
                                       // reaches past a sliding window that all layers have
    int topk;                          // blocks retrieved for each chunk while encoding; 0 and -1:
                                       // none, and with append 0 is as OUT has it
    const char *positions;             // "window" (default), "original", "contiguous"
    const char *method;                // one of METHOD_NAMES; NULL: "votes" where the model's
                                       // retrieval heads are known, else "infllm"
    const char *represent;             // what stands for a block (enum represent); NULL: the
                                       // method's
    int representatives;               // tokens that stand for a block ("top", "fixed"), at most
                                       // 32; 0: 4
    const char *window_kind;           // "plain", "cascade"; NULL: the method's
    const char *voters;                // whose keys the index keeps: "profile", "all"; NULL: the
                                       // method's
    struct kvz_recipe recipe;          // k_bits 0: the default, 1.8 bits of a key and 2.25 of a
                                       // value where the profile says which heads need most, else
                                       // 2.9 and 2.7; with append OUT's, unless a level is given
    int needed_heads;                  // 1: of kv heads that look no further than the window, by
                                       // the model's profile, only the sinks are stored
    const char *template_name;         // one of TEMPLATE_NAMES; NULL: the model's own
    struct embedder *embedder;         // makes the vectors of sentences; NULL: there are none, or
                                       // with append those that OUT has
    double checkpoint_seconds;         // 0: 30
    const volatile sig_atomic_t *stop; // when it becomes non-zero: checkpoint, ERR_INTERRUPTED
    void (*progress)(void *arg, const struct encode_progress *p);
    void (*note)(void *arg, const char *msg);
    void *arg;
};

struct encode_result {
    uint64_t documents, tokens, blocks, file_bytes; // of the whole index
    uint64_t added_documents, text_bytes;           // documents and bytes that the inputs added
    uint64_t resumed_tokens;                        // read by the interrupted run that was resumed
    double seconds, tokens_per_second;              // of this run
    int kept; // after an error, 1: the same call would resume from a checkpoint
};

// The errors in the inputs or an existing index that encode_documents would report before it
// reads; 0: none.
int encode_check(const struct encode_options *o, struct err *e);
// 0, or ERR_IO where OUT exists. With FORCE only where it is neither an index nor an empty file.
int encode_out_check(const char *out, int force, struct err *e);
// Reads the inputs with M and writes the index o->out: resumes an interrupted run with the same
// options, which then ends in the same bytes as an unbroken one. Where there is none, and append is
// not set, encode_out_check must hold. After an error R has only `kept`.
int encode_documents(struct model *m, const struct encode_options *o, struct encode_result *r,
                     struct err *e);

// About how many bytes of index a token takes with the default options, its keys and values and its
// share of the vectors that blocks are found by; *FILE: and each index, however short.
int encode_token_bytes(const struct model *m, double *bytes, double *file, struct err *e);

// ------------------------------------------------------------------------------------- ask

// The most that ask_options.draft may be: with the token before them these are the 8 tokens for
// which a pass reads each weight once.
enum { DRAFT_MOST = 7 };

// lctool-query(1) describes each of these at greater length, under the option of the same name.
struct ask_options {
    const char *question;
    struct embedder *embedder; // finds sentences by the vectors that an index has of them; NULL:
                               // they are not used
    int max_tokens;            // of the answer; 0: 256
    int sentences;  // of the answer at most; 0: as the model's profile says, else no limit; -1: no
                    // limit
    int n_evidence; // passages returned, best first; 0: 4, -1: none
    int budget;     // document tokens read at most, besides sinks and window; 0: 512
    int blocks;     // as budget, which it replaces, in blocks of the index; 0: budget counts
    int window;     // last tokens of the document that are in sight while reading; 0: 128, -1: none
    const char *positions; // "window", "original", "contiguous"; NULL: as the index was encoded
    const char *method;    // one of METHOD_NAMES; NULL: the index's

    // Parts of the method by name (method.h has the enums); NULL: the method's own.
    const char *select;   // who chooses: "vote", "similarity", "exact", "bm25", "hybrid", "none"
    const char *probe;    // "tokens", "mean", "bias"
    const char *reduce;   // "lse", "max", "sum", "cosine", "pool"
    const char *voters;   // "profile", "all"
    const char *scope;    // "question", "layer"
    const char *allot;    // "sharp", "fixed", "entropy", "all"
    const char *traverse; // "document", "importance", "recency"
    const char *share;    // "shared", "separate": one choice for a layer, or one for each kv head

    // ART (struct art): while the answer is written, blocks that hardly change the output are left
    // unread. For stored blocks in order of importance only.
    double art_scale; // relative change of the output's size; 0: everything is read
    double art_dir;   // change of its direction, 1 - cosine; 0: 0.001
    int art_patience; // so many such blocks in a row; 0: 8

    // Numbers of the method.
    int echo;       // times the probe pass reads the question before the reading whose queries
                    // vote; 0: the method's, -1: none
    int likelihood; // best blocks that are ranked again by how likely their sentences make the
                    // question (judge.h); 0: the method's, 1: none
    int hops;   // places that lead from one to the next; 1: only the question's own; 0: a second
                // one where the best sentence answers by half and leads on to it (bridge.h)
    int rerank; // best blocks that are voted on again with the keys of all their tokens; 0: the
                // method's
    int dense;  // first layers that read every block; 0: the method's, -1: none
    int layer_step; // with scope "layer": every n-th layer chooses, those behind it read the same;
                    // 0: the method's
    int token_step; // with scope "layer": layers choose again at every n-th token of the answer; 0:
                    // the method's, -1: never
    int preselect;  // blocks of each layer that are chosen from: those that receive most of the
                    // question's attention over all keys (SnapKV, arXiv:2404.14469, section 4); 0:
                    // the method's, -1: all

    // Reading and writing.
    enum read_mode read; // READ_DEFAULT: as the model's profile says, else READ_CACHED
    float sharpen; // factor on the attention scores of stored keys; 0: as the model's profile says,
                   // else 1, and 1 where the method reads all blocks or the summary state
    float copy;    // added to the logit of the token that continues, in the text that was read, the
                   // answer's last words; 0: as the model's profile says, else none; < 0: none
    float quote;   // nats a token: an answer that cost more on average is replaced by the sentence
                   // that was read; 0: as the model's profile says, else never; < 0: never
    int draft;     // tokens, at most DRAFT_MOST, guessed ahead of each written one and verified in
                   // its pass (draft.h). It changes the speed, never the answer; devices whose
                   // results would change, as GPUs' do, guess none. 0: none
    int survey;    // < 0: what is answered by searching all of the text (how often, the most common
                   // words, what names lead to; sections, change logs, tables, records, terms, who
                   // is called something) goes to the model like other questions
    int alternative;  // < 0: never add a second sentence to the answer that has a word of the
                      // question which the answer lacks, or that changes what the answer says
    double min_score; // below this answer.score nothing is answered; 0: as the model's profile says
                      // where sentences are read, else always answer; < 0: always answer
    float temp, top_p; // of sampling (struct sampler); temp 0: greedy
    uint64_t seed;     // of sampling
    const char *lead;  // words before the question in the read pass; NULL: "According to the
                       // text above: " in a chat template, nothing without one
    const char *answer_prefix; // first words of the answer, given to the model; NULL: none
    const char *template_name; // one of TEMPLATE_NAMES; NULL: the index's

    const volatile sig_atomic_t *stop; // when it becomes non-zero the answer ends, "interrupted"
    // Called with the answer as it is written, whole characters.
    void (*text)(void *arg, const char *s, size_t n);
    void *arg;
};

// A passage that an answer or a summary rests on: a block of an index, extended where the sentence
// found in it begins before the block or ends after it. Passages do not overlap: a better one keeps
// what two have in common.
struct evidence {
    int index; // which of the indexes
    uint64_t block;
    const char *document;            // its name, valid while the index is open
    uint64_t start, end;             // bytes of the document's text, end exclusive
    uint64_t focus_start, focus_end; // of these, the sentence that the votes fall on; the whole
                                     // passage where that is not known or is in a better passage
    double score;                    // what passages are ranked by
    int was_read;                    // 1: the answer was read from it; 0: it ranks next
    char *text;                      // the bytes from start to end, blanks for NULs, and a NUL
    size_t text_bytes;
};

// Why a block was chosen: what one retrieval head says of it.
struct vote {
    int layer, head;
    double score; // z-score among all blocks
    int rank;     // among all blocks; 1: this head's first choice
};

struct choice {
    int index;
    uint64_t block;
    double score;       // what the blocks were ranked by
    struct vote *votes; // [n_votes], best first; none where only words were compared
    int n_votes;
};

struct answer {
    char *text; // NUL-terminated; without the answer prefix
    size_t text_bytes;
    char *alternative; // the other sentence with which TEXT ends (see the option); NULL:
                       // there is none
    char *changed; // the later sentences of the document with which TEXT ends, each on a line of
                   // its own, where these change what TEXT says (amended.h); NULL: none was found
    char *asked; // the question that was asked instead, where words of it were those of the indexes
                 // but for a slip of the keyboard (spelling.h); NULL: it was asked as it stands
    struct evidence *evidence; // [n_evidence] likeliest first, which is not by score alone
    int n_evidence;
    struct choice *choices; // [n_choices] blocks read, best first
    int n_choices;
    // Why the answer ended: "end" (of the model's turn), "sentences", "length", "repeat" (it went
    // in circles), "interrupted"; or what it is: "unanswered" (its score is below min_score),
    // "quoted" (a sentence of the document, see quote), "survey" (found by searching all of the
    // text).
    const char *finish;
    double score;       // 0 to 1: the chance that the indexes answer the question (confidence.h)
    int doubtful;       // 1: the score is below 0.5 and the model's profile vouches for scores
    int unsure;         // 1: likewise of how plainly the best sentence answers: it has other words
                        // than the question, so that another place may be meant
    const char *select; // what chose the blocks; "survey": nothing did
    int question_tokens, answer_tokens;
    int read_tokens; // document tokens in sight: sinks, blocks, window, text read again
    // With art_scale, while the answer was written: blocks read and blocks in sight, each counted
    // for every token, layer and query head. Both 0: the device has no ART.
    uint64_t art_read, art_blocks;
    uint64_t document_tokens;                  // of all indexes
    double first_token_seconds, total_seconds; // since the call
};

// Whether index K was made with this model and tokenizer: 0, ERR_MISMATCH (which of them differs),
// or ERR_FORMAT (positions that are not known).
int ask_check(const struct model *m, const struct kvz *k, struct err *e);

// Whether QUESTION asks nothing: it has neither a letter nor a digit.
int ask_is_blank(const char *question);
// Answers o->question from all the indexes together, each of which must pass ask_check.
// ERR_USAGE: options that do not go together; ERR_MISMATCH: an index lacks what the method needs.
// A is the caller's to release with answer_done; after an error it is empty.
int ask(struct model *m, struct kvz *const *indexes, int n_indexes, const struct ask_options *o,
        struct answer *a, struct err *e);
// Only chooses blocks, without reading or answering: fills in choices and evidence.
int ask_choose(struct model *m, struct kvz *const *indexes, int n_indexes,
               const struct ask_options *o, struct answer *a, struct err *e);
void answer_done(struct answer *a);

// ------------------------------------------------------------------------------- summarize

// A sentence of a summary.
struct summary_statement {
    size_t start, end; // bytes of summary_text.text
    int quoted;        // 1: the document's words, in quotation marks; 0: the model's
    char *heading;     // of the document, above the quoted sentence; NULL: none
    int64_t times;     // of a log or a table: number of lines of this kind; 0: it is no such line
    int evidence;      // index of the passage that it is quoted from, or shares most words with;
                       // -1: none
    int section; // in summary.whole: index of the section that it is from, or shares most words
                 // with
};

struct summary_text {
    char *text;
    struct summary_statement *statements; // [n_statements] tile the text
    int n_statements;
    struct evidence *evidence; // [n_evidence] in the order in which statements first rest on them
    int n_evidence;
};

struct summary_section {
    const char *document;
    uint64_t start, end; // bytes of the document that the section covers
    struct summary_text said;
};

struct summary {
    struct summary_section *sections; // [n_sections] one, unless sections were asked for
    int n_sections;
    struct summary_text whole; // written from the texts of two or more sections; else text is NULL
    const char *from;          // "state", "blocks"
    uint64_t read_tokens;
    double seconds;
};

struct summarize_options {
    int words;        // about as many; 0: 200 in all, or 60 a section
    int sections;     // 1: one paragraph for each part of the document, then one of them all
    int budget;       // document tokens read for each section; 0: 512
    const char *from; // what is read without sections: "state" (the summary state), "blocks" (those
                      // that received most attention); NULL: "blocks"
    // When sentences of the document are quoted: "never"; "strays": from where the model uses words
    // that it has not read; "always": nothing else is said. NULL: "always" where the model's
    // profile has a limit to quote by (ask_options.quote), else "never".
    const char *quote;
    int draft; // see struct ask_options
    const volatile sig_atomic_t *stop;
    // STATEMENT is called for each one as it is said, where no sections were asked for; SECTION for
    // each section when it is complete.
    void (*statement)(void *arg, const struct summary_text *t, int i);
    void (*section)(void *arg, const struct summary_section *s);
    void *arg;
};

// Summarises the documents of index K, which must pass ask_check. S is the caller's to release with
// summary_done.
int summarize(struct model *m, struct kvz *k, const struct summarize_options *o, struct summary *s,
              struct err *e);
void summary_done(struct summary *s);

#endif
