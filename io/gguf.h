// GGUF model files, mapped and checked; nothing is copied but the table of contents.
//
//     struct gguf *g;
//     if (gguf_open(&g, "model.gguf", quant_bytes, &e)) ...
//     uint64_t n;
//     if (gguf_uint(g, "llama.block_count", &n, &e)) ...        // required: an error names the key
//     const struct gguf_tensor *t = gguf_tensor(g, "blk.0.attn_q.weight");
//     gguf_close(g);
//
// Strings, arrays and tensor data point into the mapping and are valid until gguf_close(). Every
// offset, count and length has been checked against the file before gguf_open() returns. Tensor
// data is only bounds-checked here; its type is a plain number that kernels/quant.h understands.
#ifndef LCTOOL_IO_GGUF_H
#define LCTOOL_IO_GGUF_H

#include <stddef.h>
#include <stdint.h>

#include "io/err.h"

struct hash;
struct gguf;

enum gguf_kind { // the value types of the format
    GGUF_U8,
    GGUF_I8,
    GGUF_U16,
    GGUF_I16,
    GGUF_U32,
    GGUF_I32,
    GGUF_F32,
    GGUF_BOOL,
    GGUF_STR,
    GGUF_ARRAY,
    GGUF_U64,
    GGUF_I64,
    GGUF_F64,
};

struct gguf_str {
    const char *s; // not NUL-terminated
    size_t n;
};

struct gguf_array {
    enum gguf_kind kind; // of the elements; arrays of arrays are refused at open
    uint64_t n;
    const uint8_t *data; // packed little-endian elements; of strings: length (u64), then bytes
};

struct gguf_tensor {
    struct gguf_str name;
    uint32_t type;   // ggml type number (kernels/quant.h)
    int n_dims;      // 1..4
    uint64_t dim[4]; // dim[0] varies fastest: a matrix [rows][cols] has dim = {cols, rows}
    const uint8_t *data;
    uint64_t bytes;
};

// Bytes of N_ELEMENTS of a tensor type, given by the layer above, which knows the types; returns 0
// for a type it does not know or a count that is not a whole number of blocks.
typedef uint64_t gguf_type_bytes_fn(uint32_t type, uint64_t n_elements);

// ERR_IO, or ERR_FORMAT / ERR_UNSUPPORTED with the place and the reason. A split file
// (-00001-of-0000N.gguf) opens all of its parts.
int gguf_open(struct gguf **out, const char *path, gguf_type_bytes_fn *type_bytes, struct err *e);
void gguf_close(struct gguf *g);
// How tensor data will be read from now on; see file_map_advise.
void gguf_advise(const struct gguf *g, int scattered);
// The process lets go of what it has read so far; see file_map_forget.
void gguf_forget(const struct gguf *g);

const char *gguf_path(const struct gguf *g);
uint64_t gguf_file_bytes(const struct gguf *g);
int gguf_has(const struct gguf *g, const char *key);

// Required values: ERR_FORMAT when KEY is absent, of another kind, or out of the target's range.
int gguf_uint(const struct gguf *g, const char *key, uint64_t *v, struct err *e);
int gguf_text(const struct gguf *g, const char *key, struct gguf_str *v, struct err *e);
int gguf_array(const struct gguf *g, const char *key, enum gguf_kind kind, struct gguf_array *v,
               struct err *e);

// Optional values: *V stays as it is where KEY is absent; ERR_FORMAT as above where it is there.
int gguf_opt_uint(const struct gguf *g, const char *key, uint64_t *v, struct err *e);
int gguf_opt_f64(const struct gguf *g, const char *key, double *v, struct err *e);
int gguf_opt_bool(const struct gguf *g, const char *key, int *v, struct err *e);
int gguf_opt_text(const struct gguf *g, const char *key, struct gguf_str *v, struct err *e);

// Steps through a string array: call with *P = array.data and *LEFT = array.n.
struct gguf_str gguf_next_str(const uint8_t **p, uint64_t *left);
double gguf_array_f64(const struct gguf_array *a, uint64_t i); // element of a numeric array
int64_t gguf_array_i64(const struct gguf_array *a, uint64_t i);

// All keys, for tests.
size_t gguf_n_keys(const struct gguf *g);
struct gguf_str gguf_key(const struct gguf *g, size_t i);

size_t gguf_n_tensors(const struct gguf *g);
const struct gguf_tensor *gguf_tensor_at(const struct gguf *g, size_t i);
// Adds to H what tells the weights of G from others: name, type, shape and a few samples of every
// tensor, so that a large model's pages need not all be read.
void gguf_hash_weights(const struct gguf *g, struct hash *h);
const struct gguf_tensor *gguf_tensor(const struct gguf *g, const char *name); // NULL when absent

#endif
