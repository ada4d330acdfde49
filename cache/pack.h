// Deflate (RFC 1951, raw) over whole buffers.
#ifndef LCTOOL_CACHE_PACK_H
#define LCTOOL_CACHE_PACK_H

#include <stddef.h>
#include <stdint.h>

#include "io/err.h"

enum { PACK_MAX = 1 << 30 }; // bytes of one buffer

struct packer; // zlib's state, reused from buffer to buffer
int packer_new(struct packer **out, int level, struct err *e);
void packer_free(struct packer *p);

// Packs BYTES (at most PACK_MAX) into OUT. Returns the packed length, or 0 if it would not be less
// than BYTES: then the data is better kept as it is.
size_t pack(struct packer *p, const void *data, size_t bytes, uint8_t *out);

// The same for N parts that follow each other in DATA and are unlike each other: one stream, with
// code lengths of its own for each part. 0 if it would have more than MOST bytes.
size_t pack_parts(struct packer *p, const void *data, const size_t *part, size_t n, uint8_t *out,
                  size_t most);

// The length that packing BYTES must reach to be worth the time of unpacking.
size_t pack_worth(size_t bytes);

// Unpacks to exactly RAW bytes at OUT; ERR_FORMAT: they are more, fewer, or damaged. The caller has
// checked RAW (pack_plausible) before allocating OUT.
int pack_unpack(const uint8_t *data, size_t bytes, void *out, size_t raw, struct err *e);

// Whether BYTES of packed data can become RAW bytes.
int pack_plausible(uint64_t bytes, uint64_t raw);

#endif
