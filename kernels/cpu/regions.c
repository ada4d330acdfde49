#include "kernels/cpu/regions.h"

#include <stdlib.h>

#include "io/mem.h"

enum { SPARE_MOST = 64 << 20 }; // bytes that wait to be taken again

// Bytes that are mapped for a few and for more, so that what comes back serves what is a little
// larger: only what is touched is real memory.
enum { FEW = 8 << 20, MORE = 32 << 20 };

struct region {
    struct region *next;
    void *p;
    size_t bytes; // mapped
    size_t taken; // at most at once: no more can have been touched
};

static void region_free(struct region *x)
{
    mem_unmap(x->p, x->bytes);
    free(x);
}

static size_t mapped(size_t bytes)
{
    return bytes <= FEW ? FEW : bytes <= MORE ? MORE : bytes;
}

// The smallest spare region of BYTES at least, of such the one that came back last, out of the
// list; NULL: there is none.
static struct region *spare_of(struct regions *r, size_t bytes)
{
    struct region **best = NULL;
    for (struct region **at = &r->spare; *at; at = &(*at)->next)
        if ((*at)->bytes >= bytes && (!best || (*at)->bytes < (*best)->bytes))
            best = at;
    if (!best)
        return NULL;
    struct region *x = *best;
    *best = x->next;
    r->spare_bytes -= x->taken;
    return x;
}

static struct region *region_new(size_t bytes, struct err *e)
{
    struct region *x = mem_new(1, sizeof *x, e);
    if (!x || !(x->p = mem_map(mapped(bytes), e))) {
        free(x);
        return NULL;
    }
    x->bytes = mapped(bytes);
    return x;
}

void *regions_take(struct regions *r, size_t bytes, struct err *e)
{
    struct region *x = spare_of(r, bytes);
    if (!x && !(x = region_new(bytes, e)))
        return NULL;
    x->taken = bytes > x->taken ? bytes : x->taken;
    x->next = r->taken;
    r->taken = x;
    return x->p;
}

int regions_give(struct regions *r, void *p)
{
    for (struct region **at = &r->taken; *at; at = &(*at)->next) {
        struct region *x = *at;
        if (x->p != p)
            continue;
        *at = x->next;
        if (r->spare_bytes + x->taken > SPARE_MOST) {
            region_free(x);
            return 1;
        }
        x->next = r->spare;
        r->spare = x;
        r->spare_bytes += x->taken;
        return 1;
    }
    return 0;
}

void regions_done(struct regions *r)
{
    for (struct region *x; (x = r->spare);) {
        r->spare = x->next;
        region_free(x);
    }
    r->spare_bytes = 0;
}
