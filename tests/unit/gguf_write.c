#include "gguf_write.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/bytes.h"

struct gguf_write {
    uint32_t version, align;
    uint64_t n_keys, n_tensors;
    struct bytes keys, tensors, data, file;
};

static void put(struct bytes *b, const void *p, size_t n)
{
    if (bytes_put(b, p, n, NULL))
        abort();
}

static void put_u32(struct bytes *b, uint32_t v)
{
    put(b, &v, 4);
}

static void put_u64(struct bytes *b, uint64_t v)
{
    put(b, &v, 8);
}

static void put_str(struct bytes *b, const char *s)
{
    put_u64(b, strlen(s));
    put(b, s, strlen(s));
}

static void pad(struct bytes *b, uint32_t align)
{
    while (b->n % align)
        put(b, "", 1);
}

struct gguf_write *gguf_write_new(uint32_t version, uint32_t align)
{
    struct gguf_write *w = calloc(1, sizeof *w);
    if (!w)
        abort();
    w->version = version;
    w->align = align;
    if (align != 32)
        gguf_write_u32(w, "general.alignment", align);
    return w;
}

void gguf_write_free(struct gguf_write *w)
{
    free(w->keys.p);
    free(w->tensors.p);
    free(w->data.p);
    free(w->file.p);
    free(w);
}

static void put_key(struct gguf_write *w, const char *key, enum gguf_kind kind)
{
    put_str(&w->keys, key);
    put_u32(&w->keys, kind);
    w->n_keys++;
}

void gguf_write_number(struct gguf_write *w, const char *key, enum gguf_kind kind, const void *v,
                       size_t bytes)
{
    put_key(w, key, kind);
    put(&w->keys, v, bytes);
}

void gguf_write_u32(struct gguf_write *w, const char *key, uint32_t v)
{
    gguf_write_number(w, key, GGUF_U32, &v, 4);
}

void gguf_write_f32(struct gguf_write *w, const char *key, float v)
{
    gguf_write_number(w, key, GGUF_F32, &v, 4);
}

void gguf_write_bool(struct gguf_write *w, const char *key, int v)
{
    uint8_t b = (uint8_t)v;
    gguf_write_number(w, key, GGUF_BOOL, &b, 1);
}

void gguf_write_str(struct gguf_write *w, const char *key, const char *v)
{
    put_key(w, key, GGUF_STR);
    put_str(&w->keys, v);
}

void gguf_write_array(struct gguf_write *w, const char *key, enum gguf_kind kind, uint64_t n,
                      const void *data, size_t bytes)
{
    put_key(w, key, GGUF_ARRAY);
    put_u32(&w->keys, kind);
    put_u64(&w->keys, n);
    put(&w->keys, data, bytes);
}

void gguf_write_strs(struct gguf_write *w, const char *key, uint64_t n, const char *const *v)
{
    gguf_write_array(w, key, GGUF_STR, n, NULL, 0);
    for (uint64_t i = 0; i < n; i++)
        put_str(&w->keys, v[i]);
}

void gguf_write_tensor_at(struct gguf_write *w, const char *name, uint32_t type, int n_dims,
                          const uint64_t *dim, uint64_t off)
{
    put_str(&w->tensors, name);
    put_u32(&w->tensors, (uint32_t)n_dims);
    for (int i = 0; i < n_dims; i++)
        put_u64(&w->tensors, dim[i]);
    put_u32(&w->tensors, type);
    put_u64(&w->tensors, off);
    w->n_tensors++;
}

void gguf_write_tensor(struct gguf_write *w, const char *name, uint32_t type, int n_dims,
                       const uint64_t *dim, const void *data, size_t bytes)
{
    pad(&w->data, w->align);
    gguf_write_tensor_at(w, name, type, n_dims, dim, w->data.n);
    put(&w->data, data, bytes);
}

void gguf_write_counts(struct gguf_write *w, uint64_t n_keys, uint64_t n_tensors)
{
    w->n_keys = n_keys;
    w->n_tensors = n_tensors;
}

const uint8_t *gguf_write_bytes(struct gguf_write *w, size_t *n)
{
    struct bytes *f = &w->file;
    f->n = 0;
    put(f, "GGUF", 4);
    put_u32(f, w->version);
    put_u64(f, w->n_tensors);
    put_u64(f, w->n_keys);
    put(f, w->keys.p, w->keys.n);
    put(f, w->tensors.p, w->tensors.n);
    pad(f, w->align);
    put(f, w->data.p, w->data.n);
    *n = f->n;
    return f->p;
}

void gguf_write_file(struct gguf_write *w, const char *path)
{
    size_t n;
    const uint8_t *p = gguf_write_bytes(w, &n);
    FILE *f = fopen(path, "wb");
    if (!f || fwrite(p, 1, n, f) != n || fclose(f)) {
        perror(path);
        abort();
    }
}
