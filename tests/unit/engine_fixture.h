// What the tests of the engine stand on: a directory of their own with two texts in it, a device
// with two threads, and a small random model.
#ifndef LCTOOL_TESTS_UNIT_ENGINE_FIXTURE_H
#define LCTOOL_TESTS_UNIT_ENGINE_FIXTURE_H

#include <stdint.h>
#include <stdio.h>

#include "engine/engine.h"
#include "engine/passage/sentence.h"
#include "tests/unit/own_dir.h"

struct engine_fixture {
    struct device *d;
    struct model *m; // tiny.gguf
};

extern struct engine_fixture F;

// Of a group; writes a.txt and, a third as long, b.txt and more.txt.
int engine_set_up(void **state);
int engine_tear_down(void **state);

// Text without end, different in every sentence, the same in every run.
void write_text(const char *name, int sentences, uint32_t seed);

// NAME in the directory, to be written; end_file is to follow.
FILE *begin_file(const char *name);
void end_file(FILE *f);

// Options of an encode whose frame is much shorter than the texts.
struct encode_options small(const char *const *inputs, int n, const char *out);

// Replaces what is there, or appends to it; R may be NULL.
void encode_ok(struct encode_options o, struct encode_result *r);
struct kvz *open_ok(const char *path);

// An index of the file NAME, with those options, blocks of BLOCK tokens if it is not 0; and of
// TEXT, which becomes that file.
struct kvz *index_file(const char *name, int block);
struct kvz *index_text(const char *name, const char *text);

// The sentences of an index, one after the other:
//     for (struct sentence_walk x = {.k = k}; next_sentence(&x);) ... x.v ... // valid until the next
struct sentence_walk {
    const struct kvz *k; // borrowed
    struct sentence v;
    uint64_t block, next; // its block, and the one behind
    uint32_t token, tokens[32];
    int at, n; // of TOKENS
};
int next_sentence(struct sentence_walk *x);

// Where a sentence that begins with TEXT is first met: its block and first token.
void find_sentence(const struct kvz *k, const char *text, uint64_t *block, uint32_t *token);

void same_file(const char *a, const char *b);

#endif
