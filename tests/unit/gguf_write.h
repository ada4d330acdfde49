// Makes small GGUF files for tests, good ones and broken ones.
//
//     struct gguf_write *w = gguf_write_new(3, 32);            // version, alignment of tensor data
//     gguf_write_str(w, "general.architecture", "llama");
//     gguf_write_u32(w, "llama.block_count", 2);
//     gguf_write_strs(w, "tokenizer.ggml.tokens", 2, (const char *const[]){"a", "b"});
//     gguf_write_tensor(w, "x.weight", 0, 2, (uint64_t[]){8, 2}, data, 64);
//     gguf_write_file(w, "/tmp/x.gguf");                       // or gguf_write_bytes(w, &n)
//     gguf_write_free(w);
//
// Nothing is checked but memory: duplicate names, unknown types and impossible shapes are what
// tests want to write. Tensor data is laid out in the order of the calls, each aligned; with
// gguf_write_tensor_at a tensor claims any offset and brings no data.
#ifndef LCTOOL_TESTS_UNIT_GGUF_WRITE_H
#define LCTOOL_TESTS_UNIT_GGUF_WRITE_H

#include <stddef.h>
#include <stdint.h>

#include "io/gguf.h"

struct gguf_write;

struct gguf_write *gguf_write_new(uint32_t version, uint32_t align);
void gguf_write_free(struct gguf_write *w);

void gguf_write_u32(struct gguf_write *w, const char *key, uint32_t v);
void gguf_write_f32(struct gguf_write *w, const char *key, float v);
void gguf_write_bool(struct gguf_write *w, const char *key, int v);
void gguf_write_str(struct gguf_write *w, const char *key, const char *v);
// A number of any kind: BYTES of it, as they lie in memory on a little-endian machine.
void gguf_write_number(struct gguf_write *w, const char *key, enum gguf_kind kind, const void *v,
                       size_t bytes);
void gguf_write_array(struct gguf_write *w, const char *key, enum gguf_kind kind, uint64_t n,
                      const void *data, size_t bytes);
void gguf_write_strs(struct gguf_write *w, const char *key, uint64_t n, const char *const *v);

void gguf_write_tensor(struct gguf_write *w, const char *name, uint32_t type, int n_dims,
                       const uint64_t *dim, const void *data, size_t bytes);
void gguf_write_tensor_at(struct gguf_write *w, const char *name, uint32_t type, int n_dims,
                          const uint64_t *dim, uint64_t off);

// The file so far; valid until the next call. Counts may be set to what is not true.
const uint8_t *gguf_write_bytes(struct gguf_write *w, size_t *n);
void gguf_write_counts(struct gguf_write *w, uint64_t n_keys, uint64_t n_tensors);
void gguf_write_file(struct gguf_write *w, const char *path);

#endif
