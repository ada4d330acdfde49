// What the targets over an index share.
#ifndef LCTOOL_TESTS_FUZZ_KVZ_H
#define LCTOOL_TESTS_FUZZ_KVZ_H

#include "tests/fuzz/fuzz.h"

// Makes every checksum right that can be found in what may not be an index any more.
void fuzz_kvz_seal(uint8_t *p, size_t n);
// Changes a few fields or bytes, then seals.
size_t fuzz_kvz_mutate(struct fuzz_random *r, uint8_t *data, size_t n, size_t cap);

#endif
