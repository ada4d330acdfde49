// madvise
#define _GNU_SOURCE
#include "kernels/cpu/arena.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "io/mem.h"

enum { PAGE = 2 << 20, SLAB = 64 << 20 }; // only what is used of a slab is ever real memory

struct arena {
    struct arena *next;
    uint8_t *data;
    size_t bytes, used;
    int taken;
};

static struct arena *slab_new(size_t bytes, struct err *e)
{
    struct arena *s = mem_new(1, sizeof *s, e);
    void *data;
    if (!s)
        return NULL;
    s->bytes = bytes > SLAB ? (bytes + PAGE - 1) / PAGE * PAGE : SLAB;
    if (s->bytes < bytes || posix_memalign(&data, PAGE, s->bytes)) {
        err_set(e, ERR_NOMEM, "out of memory (%zu bytes)", bytes);
        free(s);
        return NULL;
    }
    madvise(data, s->bytes, MADV_HUGEPAGE);
    s->data = data;
    return s;
}

void *arena_take(struct arena **a, size_t bytes, struct err *e)
{
    if (bytes > PTRDIFF_MAX - PAGE) {
        err_set(e, ERR_NOMEM, "an array of %zu bytes is too large", bytes);
        return NULL;
    }
    size_t need = (bytes + 63) & ~(size_t)63;
    if (!*a || (*a)->bytes - (*a)->used < need) {
        struct arena *s = slab_new(need, e);
        if (!s)
            return NULL;
        s->next = *a;
        *a = s;
    }
    void *p = (*a)->data + (*a)->used;
    (*a)->used += need;
    (*a)->taken++;
    return p;
}

void arena_give(struct arena **a, void *p)
{
    uintptr_t at = (uintptr_t)p;
    for (; p && *a; a = &(*a)->next) {
        struct arena *s = *a;
        if (at < (uintptr_t)s->data || at >= (uintptr_t)s->data + s->bytes)
            continue;
        if (--s->taken == 0) {
            *a = s->next;
            free(s->data);
            free(s);
        }
        return;
    }
}
