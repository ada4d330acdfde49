// Checksums and digests: XXH3-64 (libxxhash), one-shot and streaming.
#ifndef LCTOOL_IO_HASH_H
#define LCTOOL_IO_HASH_H

#include <stddef.h>
#include <stdint.h>

#include "io/err.h"

uint64_t hash64(const void *data, size_t bytes);

struct hash;
int hash_new(struct hash **out, struct err *e);
void hash_update(struct hash *h, const void *data, size_t bytes);
uint64_t hash_value(const struct hash *h); // of all bytes so far; updates may go on
void hash_free(struct hash *h);

#endif
