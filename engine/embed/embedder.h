// A sentence embedder: a small BERT whose vectors are close where texts mean the same.
//
//     struct embedder *x;
//     if (embedder_open(&x, "all-MiniLM-L6-v2.Q8_0.gguf", d, &e)) ...
//     float *v = malloc(2 * embedder_info(x)->n_embd * sizeof *v);
//     if (embedder_texts(x, (const char *[]){"Who pays?", "The tenant."}, (size_t[]){9, 11}, 2, v,
//                        &e)) ...
//     embedder_close(x);
#ifndef LCTOOL_ENGINE_EMBED_EMBEDDER_H
#define LCTOOL_ENGINE_EMBED_EMBEDDER_H

#include <stddef.h>
#include <stdint.h>

#include "io/err.h"

struct device;
struct embedder;

enum { EMBED_TOKENS = 256 }; // of a text, [CLS] and [SEP] among them, that its vector is made of

struct embedder_info {
    const char *name, *path; // valid until embedder_close
    int n_embd, n_layers, n_heads, n_ff;
    int n_ctx;       // tokens that it has positions for
    uint64_t digest; // of all that its vectors depend on: sizes, vocabulary, samples of weights
};

// Maps and checks the GGUF file PATH, of architecture "bert", and prepares its weights. D must
// outlive it, have plain memory (device_ops.plain), and be its own: weights of another model on it
// would not be kept between runs (device_options.kept). ERR_UNSUPPORTED: another architecture or
// mathematics than it computes, or vectors of more than KVZ_DIM_MAX dimensions; ERR_FORMAT: what is
// missing or has the wrong shape; ERR_IO; ERR_USAGE: D's memory is not plain.
int embedder_open(struct embedder **out, const char *path, struct device *d, struct err *e);
void embedder_close(struct embedder *x); // accepts NULL
// *DIGEST of embedder_info, of the file PATH, without its weights being prepared or all of them
// looked at. Errors: of embedder_open.
int embedder_digest(const char *path, uint64_t *digest, struct err *e);

const struct embedder_info *embedder_info(const struct embedder *x);
// The device that it computes on, whose memory is plain; valid as long as that is open.
struct device *embedder_device(const struct embedder *x);

// Takes the words of text number TEXT: unit vectors ROWS [n][n_embd], N >= 0, one for each of its
// tokens that is of a word (not [CLS], [SEP], or a mark), as it is meant in this text. An error
// that it returns ends embedder_texts, which returns it.
typedef int embedder_words_fn(void *arg, int text, const float *rows, int n, struct err *e);

// OUT [n][n_embd]: unit vectors of N TEXTS, UTF-8 of so many bytes each, of which the first
// EMBED_TOKENS (or n_ctx, if fewer) tokens count. A text may be empty. A vector depends on its own
// text alone, bit for bit, whatever is beside it and however many threads the device has.
// WORDS, if not NULL, is called with ARG for each text, in their order.
// One thread at a time, as of all that D does. ERR_FORMAT: the weights make no vector that has a
// direction; ERR_NOMEM.
int embedder_texts(struct embedder *x, const char *const *texts, const size_t *lengths, int n,
                   float *out, embedder_words_fn *words, void *arg, struct err *e);
// OUT [n_embd]: that of a single text, by all threads at once and sooner than embedder_texts, whose
// vector it is but for what products of few rows round otherwise. WORDS, if not NULL, is
// [EMBED_TOKENS][n_embd]: the vectors of its *N_WORDS words. Errors: of embedder_texts.
int embedder_one(struct embedder *x, const char *text, size_t bytes, float *out, float *words,
                 int *n_words, struct err *e);

#endif
