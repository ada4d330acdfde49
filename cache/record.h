// The record of a block: made from what the encoder gives, and read part by part.
#ifndef LCTOOL_CACHE_RECORD_H
#define LCTOOL_CACHE_RECORD_H

#include <stddef.h>
#include <stdint.h>

#include "cache/basis.h"
#include "io/bytes.h"
#include "cache/codec.h"
#include "cache/format.h"
#include "cache/kvz.h"
#include "io/err.h"

enum { RECORD_VARINT_MAX = 5 }; // bytes

// Makes records of the shape of M with THREADS that encode layers in parallel. The bytes of a
// record do not depend on their number.
struct record_maker;
int record_maker_new(struct record_maker **out, const struct kvz_meta *m, int threads,
                     struct err *e);
struct pool *record_maker_pool(const struct record_maker *r);
void record_maker_free(struct record_maker *r); // accepts NULL

// Appends the record of block NUMBER to OUT (empty), without the padding behind it. ERR_USAGE or
// ERR_FORMAT names the block, and the layer, that cannot be stored. BASIS: of a fitted codec, else
// NULL.
int record_make(struct bytes *out, struct record_maker *r, const struct kvz_meta *m,
                const struct basis *basis, uint64_t number, const struct kvz_block_in *b,
                struct err *e);

// A record in memory that may be damaged, with its head checked.
struct record {
    const uint8_t *p;
    uint64_t bytes;
    struct disk_record head;
    uint64_t tokens_off, mass_off;
};

// Checks head and chunk table against the directory and the number of layers (R13, R14). Messages
// of this and the functions below continue after "block 7: ".
int record_open(struct record *r, const uint8_t *p, const struct disk_block *dir, uint64_t number,
                uint32_t n_layers, struct err *e);
struct disk_chunk record_chunk(const struct record *r, uint32_t layer);

// Checks the checksum of LAYER's chunk (R15); *DATA are its bytes.
int record_chunk_data(const struct record *r, uint32_t layer, const uint8_t **data, uint64_t *bytes,
                      struct err *e);
// Keys and values of one layer as they are stored, checked; decoding them is the codec's business.
struct record_layer {
    const struct codec *codec;
    struct codec_shape shape;
    const uint8_t *data;
    uint64_t bytes;
};
int record_find_layer(const struct record *r, const struct kvz_meta *m, const struct basis *basis,
                      uint32_t layer, struct record_layer *out, struct err *e);
// The same, and what the chunk says of itself is checked (R17). BASIS NULL: that of a fitted codec
// is not.
int record_check_layer(const struct record *r, const struct kvz_meta *m, const struct basis *basis,
                       uint32_t layer, struct record_layer *out, struct err *e);
// Decodes into [n_kv_heads][stride][head_dim].
int record_kv(const struct record *r, const struct kvz_meta *m, const struct basis *basis,
              uint32_t layer, float *k, float *v, uint32_t stride, struct err *e);
// Attention that each token received, mean over layers; MASS [n_tokens] may be NULL.
int record_mass(const struct record *r, float *mass, struct err *e);
// IDS and TOKEN_BYTES [n_tokens], TEXT [text_bytes]; each may be NULL.
int record_tokens(const struct record *r, uint32_t *ids, uint32_t *token_bytes, char *text,
                  struct err *e);
// 0 if every byte between and behind the parts is zero (R1); END: where the next record begins.
int record_padding(const struct record *r, uint64_t end, struct err *e);
int record_zeros(const uint8_t *p, uint64_t bytes);

#endif
