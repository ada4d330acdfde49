// Keys and values of blocks that questions have read, or passes over a document (--topk), as floats
// on the device: a fixed number of slots, found by name. Where none is free, the block that is
// worth least leaves, and of equals the one that has been there longest. What a block is worth is
// the attention that it received; with each question or pass, what it had before counts a tenth
// (InfLLM, arXiv 2402.04617, section 3.3).
#include "kernels/cuda/cuda_state.cuh"

#include <float.h>
#include <stdlib.h>

enum { MOST_SLOTS = 1 << 14, LEAST_SLOTS = 16 };

#define DECAY 0.1f

struct cuda_slot {
    uint64_t name;
    int next;    // slot of the same chain, or -1
    float worth; // FLT_MAX until the question, or the pass, that brought it is over
    uint64_t since;
};

static int chain_of(uint64_t name)
{
    return (int)(name % MOST_SLOTS);
}

static int find(const struct cuda_blocks *b, uint64_t name)
{
    int i = b->slots ? b->chains[chain_of(name)] : -1;
    while (i >= 0 && b->slots[i].name != name)
        i = b->slots[i].next;
    return i;
}

void cuda_blocks_drop(struct cuda *c)
{
    cuda_give(c, c->blocks.memory);
    free(c->blocks.slots);
    free(c->blocks.chains);
    free(c->blocks.order);
    memset(&c->blocks, 0, sizeof c->blocks);
}

// Slots of BYTES each: of the memory that is free, what is not kept back for other things. Whether
// there are any.
static int make_slots(struct cuda *c, size_t bytes)
{
    struct cuda_blocks *b = &c->blocks;
    size_t room = cuda_room(c), back = cuda_limit(c) / 4,
           n = room > back ? (room - back) / bytes : 0;
    cuda_blocks_drop(c);
    if (n < LEAST_SLOTS)
        return 0;
    n = n < MOST_SLOTS ? n : MOST_SLOTS;
    b->slots = (struct cuda_slot *)mem_new(n, sizeof *b->slots, NULL);
    b->chains = (int *)mem_new(MOST_SLOTS, sizeof *b->chains, NULL);
    b->order = (struct cuda_slot **)mem_new(n, sizeof *b->order, NULL);
    b->memory = (uint8_t *)cuda_take(c, n * bytes, "keep", "", NULL);
    if (!b->slots || !b->chains || !b->order || !b->memory) {
        cuda_blocks_drop(c);
        return 0;
    }
    for (int i = 0; i < MOST_SLOTS; i++)
        b->chains[i] = -1;
    b->bytes = bytes;
    b->n = (int)n;
    return 1;
}

static int goes_before(const void *a, const void *b)
{
    const struct cuda_slot *x = *(struct cuda_slot *const *)a, *y = *(struct cuda_slot *const *)b;
    if (x->worth != y->worth)
        return x->worth < y->worth ? -1 : 1;
    return x->since < y->since ? -1 : 1;
}

// The slot that is needed least. Until worths change, a block that comes in is worth more than
// those that are there, so the order stays.
static int free_slot(struct cuda_blocks *b)
{
    if (b->used < b->n)
        return b->used++;
    if (b->next == b->n_order) {
        for (int i = 0; i < b->n; i++)
            b->order[i] = &b->slots[i];
        qsort(b->order, (size_t)b->n, sizeof(struct cuda_slot *), goes_before);
        b->next = 0;
        b->n_order = b->n;
    }
    int least = (int)(b->order[b->next++] - b->slots);
    int *at = &b->chains[chain_of(b->slots[least].name)];
    while (*at != least)
        at = &b->slots[*at].next;
    *at = b->slots[least].next;
    return least;
}

// Rows between a slot, where they lie together, and a slab.
static int copy(struct cuda *c, void *dst, int dst_stride, const void *src, int src_stride,
                const struct rows *r, const char *what)
{
    size_t row = (size_t)r->width * sizeof(float);
    return cuda_failed(c,
                       cudaMemcpy2DAsync(dst, (size_t)dst_stride * row, src,
                                         (size_t)src_stride * row, (size_t)r->n * row,
                                         (size_t)r->heads, cudaMemcpyDeviceToDevice,
                                         cuda_stream(c)),
                       what);
}

static int fits(const struct rows *r)
{
    return r->n > 0 && r->heads > 0 &&
           (size_t)r->stride * (size_t)r->width * sizeof(float) <= INT32_MAX;
}

void cuda_keep(struct device *d, uint64_t name, const float *src, const struct rows *r)
{
    struct cuda *c = (struct cuda *)d->self;
    struct cuda_blocks *b = &c->blocks;
    size_t bytes = (size_t)r->heads * (size_t)r->n * (size_t)r->width * sizeof(float);
    if (!fits(r) || cuda_here(c, "keep") || find(b, name) >= 0)
        return;
    if (bytes > b->bytes && !make_slots(c, bytes))
        return;
    int i = free_slot(b);
    b->slots[i] = (struct cuda_slot){name, b->chains[chain_of(name)], FLT_MAX, b->clock++};
    b->chains[chain_of(name)] = i;
    copy(c, b->memory + (size_t)i * b->bytes, r->n, src, r->stride, r, "keep");
}

int cuda_recall(struct device *d, uint64_t name, float *dst, const struct rows *r)
{
    struct cuda *c = (struct cuda *)d->self;
    int i = find(&c->blocks, name);
    if (i < 0 || !fits(r) || cuda_here(c, "recall"))
        return 0;
    return !copy(c, dst, r->stride, c->blocks.memory + (size_t)i * c->blocks.bytes, r->n, r,
                 "recall");
}

void cuda_worth(struct device *d, const uint64_t *names, const float *mass, int n)
{
    struct cuda_blocks *b = &((struct cuda *)d->self)->blocks;
    b->next = b->n_order = 0;
    for (int i = 0; i < b->used; i++)
        b->slots[i].worth = b->slots[i].worth == FLT_MAX ? 0 : b->slots[i].worth * DECAY;
    for (int k = 0; k < n; k++) {
        int i = find(b, names[k]);
        if (i >= 0)
            b->slots[i].worth += mass[k];
    }
}
