#include "io/doc/seen.h"

#include <stdlib.h>

#include "io/hash.h"
#include "io/mem.h"

struct file_id {
    uint64_t dev, ino;
};

// Open addressing; a free slot has inode 0, which no file has.
struct file_set {
    struct file_id *slot;
    size_t n, size; // size: a power of two, never more than half full
};

int file_set_new(struct file_set **out, struct err *e)
{
    enum { FIRST = 64 };
    struct file_set *s = mem_new(1, sizeof *s, e);
    if (!s || !(s->slot = mem_new(FIRST, sizeof *s->slot, e))) {
        free(s);
        return ERR_NOMEM;
    }
    s->size = FIRST;
    *out = s;
    return 0;
}

void file_set_free(struct file_set *s)
{
    if (!s)
        return;
    free(s->slot);
    free(s);
}

static struct file_id *find(const struct file_set *s, struct file_id id)
{
    for (size_t h = hash64(&id, sizeof id);; h++) {
        struct file_id *x = &s->slot[h & (s->size - 1)];
        if (!x->ino || (x->ino == id.ino && x->dev == id.dev))
            return x;
    }
}

static int grow(struct file_set *s, struct err *e)
{
    struct file_set wider = {.n = s->n, .size = 2 * s->size};
    if (!(wider.slot = mem_new(wider.size, sizeof *wider.slot, e)))
        return ERR_NOMEM;
    for (size_t i = 0; i < s->size; i++)
        if (s->slot[i].ino)
            *find(&wider, s->slot[i]) = s->slot[i];
    free(s->slot);
    *s = wider;
    return 0;
}

int file_set_add(struct file_set *s, uint64_t dev, uint64_t ino, struct err *e)
{
    struct file_id id = {dev, ino};
    if (!ino || find(s, id)->ino)
        return ino > 0;
    if (2 * (s->n + 1) > s->size) {
        int rc = grow(s, e);
        if (rc)
            return rc;
    }
    *find(s, id) = id;
    s->n++;
    return 0;
}
