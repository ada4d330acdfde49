// The parsed table of contents of a GGUF file. gguf_open.c fills it, gguf.c answers from it;
// everybody else includes io/gguf.h.
#ifndef LCTOOL_IO_GGUF_IMPL_H
#define LCTOOL_IO_GGUF_IMPL_H

#include "io/file.h"
#include "io/gguf.h"

struct key {
    struct gguf_str name; // first, as in struct gguf_tensor: struct index relies on it
    enum gguf_kind kind;
    const uint8_t *value; // of a number
    struct gguf_str str;
    struct gguf_array array;
};

// Names to positions in an array whose elements begin with a struct gguf_str.
struct index {
    const void *items;
    size_t stride;
    uint32_t *slot; // position + 1, 0 = free
    size_t mask;
};

struct part {
    char *path;
    struct file_map map;
    struct key *keys;
    size_t n_keys, cap_keys;
    struct index by_name;
    uint64_t align;
};

struct gguf {
    struct part *parts; // the metadata is that of the first
    size_t n_parts;
    struct gguf_tensor *tensors; // of all parts
    size_t n_tensors, cap_tensors;
    struct index by_name;
    gguf_type_bytes_fn *type_bytes;
};

// The kinds of values by number; bytes 0: not of a fixed size.
struct gguf_kind_row {
    const char *name;
    int bytes;
};
enum { GGUF_N_KINDS = GGUF_F64 + 1 };
extern const struct gguf_kind_row gguf_kinds[GGUF_N_KINDS];

static inline const struct gguf_str *gguf_name_at(const struct index *ix, size_t i)
{
    return (const void *)((const char *)ix->items + i * ix->stride);
}

// The slot that holds NAME, or the free one where it belongs.
uint32_t *gguf_slot(const struct index *ix, struct gguf_str name);
const struct key *gguf_find_key(const struct part *p, const char *name);
// 0, or -1 when the value is no integer from 0 on.
int gguf_key_uint(const struct key *k, uint64_t *v);

#endif
