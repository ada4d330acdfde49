// Memory of the GPU. What is given back is kept for the next request of about its size: making and
// releasing device memory waits for the device, and every question makes a context. All work is in
// one stream, so memory may be used again by the next operation.
#include "kernels/cuda/cuda_state.cuh"

#include <stdlib.h>

// A piece as it was made; at most an eighth larger than what its user asked for.
struct cuda_slice {
    void *p;
    size_t bytes;
    int used;
};

static void release(struct cuda *c, size_t i)
{
    cudaFree(c->slices[i].p); // waits for what still uses it
    c->held -= c->slices[i].bytes;
    c->slices[i] = c->slices[--c->n_slices];
}

// Returns whether there was any.
static int release_unused(struct cuda *c)
{
    size_t before = c->n_slices;
    for (size_t i = c->n_slices; i--;)
        if (!c->slices[i].used)
            release(c, i);
    return c->n_slices < before;
}

// The smallest unused slice that fits and is not much too large; NULL without one.
static struct cuda_slice *find_unused(struct cuda *c, size_t bytes)
{
    struct cuda_slice *best = NULL;
    for (size_t i = 0; i < c->n_slices; i++) {
        struct cuda_slice *k = &c->slices[i];
        if (!k->used && k->bytes >= bytes && k->bytes - bytes <= bytes / 8 &&
            (!best || k->bytes < best->bytes))
            best = k;
    }
    return best;
}

size_t cuda_room(const struct cuda *c)
{
    size_t free_bytes = 0, total = 0, left = c->limit > c->in_use ? c->limit - c->in_use : 0;
    if (cudaMemGetInfo(&free_bytes, &total) != cudaSuccess)
        return 0;
    free_bytes += c->held - c->in_use;
    return c->limit && left < free_bytes ? left : free_bytes;
}

size_t cuda_limit(const struct cuda *c)
{
    return c->limit && c->limit < c->total ? c->limit : c->total;
}

// The message of an allocation that failed: how much, of how much, and what helps.
static int out_of_memory(const struct cuda *c, struct err *e, size_t bytes, const char *what,
                         const char *help)
{
    cudaGetLastError(); // or the next operation would report this one's
    return err_set(e, ERR_NOMEM,
                   "cuda: %s: %.1f MiB of GPU memory needed, %.1f MiB in use, %.1f of %.1f MiB %s; "
                   "%s%s%s--device cpu needs none",
                   what, (double)bytes / 1048576, (double)c->in_use / 1048576,
                   (double)cuda_room(c) / 1048576, (double)cuda_limit(c) / 1048576,
                   c->limit ? "left of --vram" : "free",
                   c->limit ? "a larger --vram allows more, " : "", help, *help ? ", " : "");
}

// A new slice of BYTES, in the table. NULL where the device has no such memory, or may not give it.
static struct cuda_slice *new_slice(struct cuda *c, size_t bytes)
{
    void *p = NULL;
    if (c->limit && (bytes > c->limit || c->held > c->limit - bytes))
        return NULL;
    if (MEM_GROW(c->slices, c->cap_slices, c->n_slices + 1, NULL))
        return NULL;
    if (cudaMalloc(&p, bytes) != cudaSuccess) {
        cudaGetLastError();
        return NULL;
    }
    c->held += bytes;
    c->slices[c->n_slices] = (struct cuda_slice){p, bytes, 0};
    return &c->slices[c->n_slices++];
}

// Gives back what is kept only to be faster. Whether there was any.
static int drop_what_is_kept(struct cuda *c)
{
    size_t before = c->in_use;
    cuda_drop_kept(c);
    cuda_blocks_drop(c);
    cuda_learnt_drop(c);
    return c->in_use < before;
}

void *cuda_take(struct cuda *c, size_t bytes, const char *what, const char *help, struct err *e)
{
    if (bytes > SIZE_MAX / 2) {
        out_of_memory(c, e, bytes, what, help);
        return NULL;
    }
    size_t whole = cuda_align(bytes ? bytes : 1);
    struct cuda_slice *k = find_unused(c, whole);
    if (!k && !(k = new_slice(c, whole)) && release_unused(c))
        k = new_slice(c, whole);
    if (!k && drop_what_is_kept(c)) {
        release_unused(c);
        k = new_slice(c, whole);
    }
    if (!k) {
        out_of_memory(c, e, bytes, what, help);
        return NULL;
    }
    k->used = 1;
    c->in_use += k->bytes;
    return k->p;
}

void cuda_give(struct cuda *c, void *p)
{
    if (p)
        cuda_flush(c); // which may use it
    for (size_t i = 0; p && i < c->n_slices; i++)
        if (c->slices[i].p == p) {
            c->slices[i].used = 0;
            c->in_use -= c->slices[i].bytes;
            break;
        }
    if (c->held - c->in_use > cuda_limit(c) / 8) // others may want it
        release_unused(c);
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
    while (c->n_slices)
        release(c, c->n_slices - 1);
    free(c->slices);
}
