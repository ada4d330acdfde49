// Inputs of the target over models: a pack (fuzz_pack) of the first part, or the only one, and the
// second.
#ifndef LCTOOL_TESTS_FUZZ_GGUF_H
#define LCTOOL_TESTS_FUZZ_GGUF_H

#include "tests/fuzz/fuzz.h"

// As fuzz_target.seed and fuzz_target.mutate.
int gguf_seed(int i, struct bytes *out);
size_t gguf_change(struct fuzz_random *r, uint8_t *data, size_t n, size_t cap);

#endif
