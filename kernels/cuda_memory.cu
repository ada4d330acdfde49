// Memory of the GPU. What is given back is kept for the next request of about its size: making and
// releasing device memory waits for the device, and every question makes a context. All work is in
// one stream, so memory may be used again by the next operation.
#include "kernels/cuda_state.cuh"

#include <stdlib.h>

// A piece as it was made; at most an eighth larger than what its user asked for.
struct cuda_chunk {
    void *p;
    size_t bytes;
    int used;
};

static void release(struct cuda *c, size_t i)
{
    cudaFree(c->chunks[i].p); // waits for what still uses it
    c->held -= c->chunks[i].bytes;
    c->chunks[i] = c->chunks[--c->n_chunks];
}

// Whether there was any.
static int release_unused(struct cuda *c)
{
    size_t before = c->n_chunks;
    for (size_t i = c->n_chunks; i--;)
        if (!c->chunks[i].used)
            release(c, i);
    return c->n_chunks < before;
}

// The smallest unused chunk that fits and is not much too large; NULL without one.
static struct cuda_chunk *find_unused(struct cuda *c, size_t bytes)
{
    struct cuda_chunk *best = NULL;
    for (size_t i = 0; i < c->n_chunks; i++) {
        struct cuda_chunk *k = &c->chunks[i];
        if (!k->used && k->bytes >= bytes && k->bytes - bytes <= bytes / 8 &&
            (!best || k->bytes < best->bytes))
            best = k;
    }
    return best;
}

size_t cuda_room(const struct cuda *c)
{
    size_t free_bytes = 0, total = 0, left = c->limit > c->held ? c->limit - c->held : 0;
    if (cudaMemGetInfo(&free_bytes, &total) != cudaSuccess)
        return 0;
    return c->limit && left < free_bytes ? left : free_bytes;
}

size_t cuda_limit(const struct cuda *c)
{
    size_t free_bytes = 0, total = 0;
    if (cudaMemGetInfo(&free_bytes, &total) != cudaSuccess)
        return 0;
    return c->limit && c->limit < total ? c->limit : total;
}

// The message of an allocation that failed: how much, of how much, and what helps.
static int out_of_memory(const struct cuda *c, struct err *e, size_t bytes, const char *what,
                         const char *help)
{
    cudaGetLastError(); // or the next operation would report this one's
    return err_set(e, ERR_NOMEM,
                   "cuda: %s: %.1f MiB of GPU memory needed, %.1f MiB in use, %.1f of %.1f MiB %s; "
                   "%s%s, --device cpu needs none",
                   what, (double)bytes / 1048576, (double)c->held / 1048576,
                   (double)cuda_room(c) / 1048576, (double)cuda_limit(c) / 1048576,
                   c->limit ? "left of --vram" : "free", c->limit ? "a larger --vram allows more, " : "", help);
}

// A new chunk of BYTES, in the table. NULL where the device has no such memory, or may not give it.
static struct cuda_chunk *new_chunk(struct cuda *c, size_t bytes)
{
    void *table = c->chunks, *p = NULL;
    if (c->limit && (bytes > c->limit || c->held > c->limit - bytes))
        return NULL;
    if (mem_grow(&table, &c->cap_chunks, c->n_chunks + 1, sizeof *c->chunks, NULL))
        return NULL;
    c->chunks = (struct cuda_chunk *)table;
    if (cudaMalloc(&p, bytes) != cudaSuccess) {
        cudaGetLastError();
        return NULL;
    }
    c->held += bytes;
    c->chunks[c->n_chunks] = (struct cuda_chunk){p, bytes, 0};
    return &c->chunks[c->n_chunks++];
}

void *cuda_take(struct cuda *c, size_t bytes, const char *what, const char *help, struct err *e)
{
    if (bytes > SIZE_MAX / 2) {
        out_of_memory(c, e, bytes, what, help);
        return NULL;
    }
    size_t whole = cuda_align(bytes ? bytes : 1);
    struct cuda_chunk *k = find_unused(c, whole);
    if (!k && !(k = new_chunk(c, whole)) && release_unused(c))
        k = new_chunk(c, whole);
    if (!k && c->n_kept) {
        cuda_drop_kept(c);
        release_unused(c);
        k = new_chunk(c, whole);
    }
    if (!k) {
        out_of_memory(c, e, bytes, what, help);
        return NULL;
    }
    k->used = 1;
    return k->p;
}

void cuda_give(struct cuda *c, void *p)
{
    for (size_t i = 0; p && i < c->n_chunks; i++)
        if (c->chunks[i].p == p) {
            c->chunks[i].used = 0;
            return;
        }
}

void *cuda_scratch(struct cuda *c, size_t n, const char *what)
{
    if (c->err.code)
        return NULL;
    if (n <= c->scratch_bytes)
        return c->scratch;
    cuda_give(c, c->scratch);
    c->scratch_bytes = 0;
    c->scratch = (uint8_t *)cuda_take(c, n, what, "a smaller --chunk needs less", &c->err);
    c->scratch_bytes = c->scratch ? n : 0;
    return c->scratch;
}

void cuda_memory_done(struct cuda *c)
{
    while (c->n_chunks)
        release(c, c->n_chunks - 1);
    free(c->chunks);
}
