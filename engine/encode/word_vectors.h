// Vectors of the words of sentences, as an encode makes them batch by batch: the embedder's, in
// fewer dimensions, as bytes.
//
//     struct word_vectors v;
//     word_vectors_begin(&v, n_embd);
//     embedder_texts(x, texts, lengths, n, made, word_vectors_take, &v, e);  // a batch
//     if ((rc = word_vectors_taken(&v, e))) ...
//     rc = word_vectors_add(&v, text, e);    // for each sentence: which of the texts it is
//     ...                                    // the next batch
//     struct kvz_words w = word_vectors_all(&v);
//     word_vectors_done(&v);
#ifndef LCTOOL_ENGINE_ENCODE_WORD_VECTORS_H
#define LCTOOL_ENGINE_ENCODE_WORD_VECTORS_H

#include <stddef.h>
#include <stdint.h>

#include "cache/kvz.h"
#include "io/err.h"

struct word_vectors {
    int wide, dim;
    int16_t *basis; // [dim][wide], once there is one
    float *sample;  // [n_sample][wide], before there is one
    size_t n_sample, sample_cap;
    int8_t *batch; // [n_batch][dim] of the texts of a batch
    size_t n_batch, batch_cap;
    size_t *text; // the first word of each text of the batch, and where the last one's end
    size_t text_cap;
    uint64_t *first; // [n_sentences + 1]
    size_t n_sentences, first_cap;
    int8_t *vector; // [n][dim]
    size_t n, cap;
};

void word_vectors_begin(struct word_vectors *v, int n_embd);
// Goes on from OLD, which are of N_EMBD dimensions, too, before they were reduced.
int word_vectors_go_on(struct word_vectors *v, const struct kvz_words *old, struct err *e);
// An embedder_words_fn, ARG being V.
int word_vectors_take(void *arg, int text, const float *rows, int n, struct err *e);
// All texts of the batch have been taken.
int word_vectors_taken(struct word_vectors *v, struct err *e);
// The next sentence is text number TEXT of the batch; those of a batch are added before the next
// one is taken.
int word_vectors_add(struct word_vectors *v, int text, struct err *e);
// Those of all sentences, valid until V changes; n 0: there are none.
struct kvz_words word_vectors_all(const struct word_vectors *v);
void word_vectors_done(struct word_vectors *v);

#endif
