// Fuzzing of every file format that lctool reads, and of what it makes of their text. One target is
// a way to make good files (seeds), a way to change a file so that it stays interesting, and a way
// to read it to the end.
//
// Two programs run the same targets: libfuzzer.c, one binary a target, built by clang and led by
// coverage ('make fuzz'); driver.c, a unit test that makes the same changes in every run, built
// like all tests ('make check').
#ifndef LCTOOL_TESTS_FUZZ_FUZZ_H
#define LCTOOL_TESTS_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>

#include "io/bytes.h"

struct fuzz_random {
    uint64_t state;
};

struct fuzz_target {
    const char *name;
    int runs;                              // of 'make check'
    int (*seed)(int i, struct bytes *out); // the I-th good file; 0 past the last
    // Changes DATA, N bytes in room for CAP, in one place or a few; returns its new length.
    size_t (*mutate)(struct fuzz_random *r, uint8_t *data, size_t n, size_t cap);
    // All that lctool does with such a file. 1: it was taken for a good one, as seeds must be.
    int (*read)(const uint8_t *data, size_t n);
};

extern const struct fuzz_target fuzz_gguf, fuzz_kvz, fuzz_part, fuzz_ask, fuzz_doc, fuzz_config,
    fuzz_profile, fuzz_text, fuzz_survey, fuzz_embedder;

enum { FUZZ_MAX = 1 << 18 }; // bytes of an input

uint64_t fuzz_next(struct fuzz_random *r);
uint64_t fuzz_below(struct fuzz_random *r, uint64_t n); // 0 .. n - 1; 0 for n = 0
// Numbers that break things: 0, 1, powers of two and their neighbours, WAS and its neighbours.
uint64_t fuzz_number(struct fuzz_random *r, uint64_t was);

// Appends to B; aborts when memory is out.
void fuzz_add(struct bytes *b, const void *p, size_t n);
// Changes, inserts, removes, repeats or cuts bytes, or puts in one of WORDS (ends with NULL).
size_t fuzz_mutate_bytes(struct fuzz_random *r, uint8_t *data, size_t n, size_t cap,
                         const char *const *words);

// Files of this process: a directory in memory, removed at the end. The path of NAME in it, valid
// until the next but seven; and the same with N bytes written there.
const char *fuzz_path(const char *name);
const char *fuzz_file(const char *name, const void *data, size_t n);
void fuzz_slurp(const char *path, struct bytes *out);

// Several files as one input, and back: PART[i] begins the i-th, of N[i] bytes. What was lost at
// the end is 0 bytes long.
void fuzz_pack(struct bytes *out, const struct bytes *parts, int n_parts);
void fuzz_unpack(const uint8_t *data, size_t n, const uint8_t **part, size_t *part_n, int n_parts);

#endif
