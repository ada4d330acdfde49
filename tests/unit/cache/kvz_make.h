// Small indexes for the tests of cache/: what goes in is a function of block, layer and element,
// so that what comes out can be compared without keeping it.
//
//     char at[128];
//     make_index(make_path(at, "a.kvz"), 4, 3, 2);       // codec 4, three documents
//     ... make_kv(block, layer, is_v, head, token, d) ... // what it holds
//     return cmocka_run_group_tests(tests, own_dir_make_quick, own_dir_remove);
#ifndef LCTOOL_TESTS_UNIT_CACHE_KVZ_MAKE_H
#define LCTOOL_TESTS_UNIT_CACHE_KVZ_MAKE_H

#define _GNU_SOURCE

#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "cache/kvz.h"
#include "io/file.h"
#include "tests/unit/ok.h"
#include "tests/unit/own_dir.h"

enum { LAYERS = 2, HEADS = 2, DIM = 8, BLOCK = 6, CHANNELS = 2 };

// In the place of a codec: codec 4 with so few bits that index vectors of keys are narrow.
enum { MAKE_NARROW = 0x104 };

// A summary state: three sub-caches of four tokens that hold ten.
enum { HELD = 10, SLOTS = 4 };

// Vectors of sentences: three of the first document, two of the last.
enum { SENTENCES = 5, SENTENCE_DIM = 7 };

// Vectors of their words; the second sentence has none.
enum { N_WORDS = 9, WORD_DIM = 3 };

// Which there is.
enum make_summary { NO_SUMMARY, SHORT_SUMMARY, OWN_SUMMARY };

// ------------------------------------------------------------------------- what an index holds

extern const struct kvz_channel make_channels[CHANNELS];
struct kvz_meta make_meta(uint32_t codec);

// A number in -1 .. 1 that depends on all of the seed.
float make_noise(uint64_t seed);
// A sum of noises looks like the bell of keys and values.
float make_kv(uint64_t block, uint32_t layer, int is_v, uint32_t head, uint32_t token, uint32_t d);
uint32_t make_n_tokens(uint64_t block);
uint32_t make_token_bytes(uint64_t block, uint32_t token);
char make_text(uint64_t block, uint32_t i);
float make_mass(uint64_t block, uint32_t layer, uint32_t token);
uint32_t make_n_vectors(uint64_t block, uint32_t channel);
float make_vector(uint64_t block, uint32_t channel, uint32_t i, uint32_t d);
uint32_t make_flags(uint64_t block);

// Of the summary state: the I-th token of a lane (layer * HEADS + head), its score, and its own
// keys and values, which are those of no block.
uint32_t make_held(uint32_t lane, uint32_t i);
float make_held_score(uint32_t lane, uint32_t i);
float make_held_kv(uint32_t layer, int is_v, uint32_t head, uint32_t i, uint32_t d);

// Of the vectors of sentences; what they point to is good until the next call.
struct kvz_sentences make_sentences(void);
struct kvz_words make_words(void); // likewise, of the words of these

// --------------------------------------------------------------------------------- writing one

// What codecs 3 to 5 want to see before the first block; FIT NULL: nothing is known of the model.
int make_sample_for(struct kvz_writer *w, const struct kvz_fit *fit, struct err *e);
int make_sample(struct kvz_writer *w, struct err *e);
// Adds block number kvz_writer_n_blocks(w), after a sample where one is wanted. BYTES: of the
// document, grows.
int make_block(struct kvz_writer *w, uint64_t *bytes, struct err *e);
void make_document(struct kvz_writer *w, const char *name, int n_blocks);
// OWN: with keys and values of its own.
void make_summary(struct kvz_writer *w, int own);
void make_checkpoint(struct kvz_writer *w, const void *state, size_t bytes);

// An index of three documents, with FIRST blocks in the first, none in the middle one and SECOND in
// the last. With a summary there are vectors of sentences and words, too. Returns its size in
// bytes.
uint64_t make_index_and(const char *path, uint32_t codec, int first, int second,
                        enum make_summary summary);
uint64_t make_index(const char *path, uint32_t codec, int first, int second); // without a summary

// A writer of three documents, of 3, 0 and 2 blocks, with nothing beside them; and its end.
struct kvz_writer *make_begun(const char *path);
void make_finished(struct kvz_writer *w);
// Resumes the index in the making at PATH and leaves it at that; returns as kvz_resume() does.
int make_resumed(const char *path, const struct kvz_meta *m, struct err *e);

// --------------------------------------------------------------------------------------- files

// The path of NAME in the group's own directory, to BUF.
const char *make_path(char buf[128], const char *name);
char *make_slurp(const char *path, size_t *bytes);  // to be freed
void make_same_files(const char *a, const char *b); // fails where they differ
void make_damaged_end(const char *path);            // another last byte of the last section
// A kvz_bad_fn: adds WHAT to ARG, which has room.
void make_hear(void *arg, const char *what);
// Fails unless kvz_verify finds one thing, SAYS, wrong.
void make_verified(const char *path, const char *says);

#endif
