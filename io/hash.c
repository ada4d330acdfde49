#include "io/hash.h"

#include <stdlib.h>
#include <xxhash.h>

#include "io/mem.h"

struct hash {
    XXH3_state_t *state;
};

uint64_t hash64(const void *data, size_t bytes)
{
    return XXH3_64bits(data, bytes);
}

int hash_new(struct hash **out, struct err *e)
{
    struct hash *h = mem_new(1, sizeof *h, e);
    if (!h)
        return ERR_NOMEM;
    h->state = XXH3_createState();
    if (!h->state || XXH3_64bits_reset(h->state) == XXH_ERROR) {
        hash_free(h);
        return err_set(e, ERR_NOMEM, "out of memory (hash state)");
    }
    *out = h;
    return 0;
}

void hash_update(struct hash *h, const void *data, size_t bytes)
{
    XXH3_64bits_update(h->state, data, bytes);
}

uint64_t hash_value(const struct hash *h)
{
    return XXH3_64bits_digest(h->state);
}

void hash_free(struct hash *h)
{
    if (!h)
        return;
    XXH3_freeState(h->state);
    free(h);
}
