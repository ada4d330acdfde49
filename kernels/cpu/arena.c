// madvise, MAP_ANONYMOUS
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
    size_t bytes, used; // of its mapping; of what has been taken
    size_t room;        // that may be taken
    int taken;
};

static struct arena *slab_new(size_t bytes, struct err *e)
{
    struct arena *s = mem_new(1, sizeof *s, e);
    if (!s)
        return NULL;
    s->room = s->bytes = bytes > SLAB ? (bytes + PAGE - 1) / PAGE * PAGE : SLAB;
    if (!(s->data = mem_map(s->bytes, e))) {
        free(s);
        return NULL;
    }
    return s;
}

void *arena_take(struct arena **a, size_t bytes, struct err *e)
{
    if (bytes > PTRDIFF_MAX - PAGE) {
        err_set(e, ERR_NOMEM, "an array of %zu bytes is too large", bytes);
        return NULL;
    }
    size_t need = (bytes + 63) & ~(size_t)63;
    if (!*a || (*a)->room - (*a)->used < need) {
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
            mem_unmap(s->data, s->bytes);
            free(s);
        }
        return;
    }
}

static struct arena *piece_at(const struct arena *a, size_t i)
{
    size_t n = 0;
    for (const struct arena *s = a; s; s = s->next)
        n++;
    if (i >= n)
        return NULL;
    for (n -= i + 1; n; n--) // the newest is the first of the list
        a = a->next;
    return (struct arena *)(uintptr_t)a;
}

const uint8_t *arena_piece(const struct arena *a, size_t i, size_t *bytes)
{
    const struct arena *s = piece_at(a, i);
    *bytes = s ? s->used : 0;
    return s ? s->data : NULL;
}

int arena_map(struct arena *a, size_t i, int fd, uint64_t at)
{
    struct arena *s = piece_at(a, i);
    int access = PROT_READ, flags = MAP_PRIVATE | MAP_FIXED;
    if (fd < 0) {
        access |= PROT_WRITE;
        flags |= MAP_ANONYMOUS;
    }
    s->room = s->used;
    if (mmap(s->data, s->used, access, flags, fd, (off_t)at) == MAP_FAILED)
        return -1;
    madvise(s->data, s->used, MADV_HUGEPAGE);
    return 0;
}
