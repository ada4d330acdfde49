// Tokens on trial (forward.on_trial): the attention that they give is counted once it is known
// which stay.
#include <stdlib.h>

#include "engine/stream/stream_impl.h"
#include "io/mem.h"

int stream_try(struct stream *s, int n, struct err *e)
{
    const struct device_ops *ops = s->d->ops;
    const int heads = s->m->info.n_heads, most = ops->alike;
    if (n > most)
        return err_set(e, ERR_USAGE, "%d tokens on trial; the device can have %d", n, most);
    for (int i = 0; i < s->m->info.n_layers; i++) {
        struct stream_layer *y = &s->layers[i];
        const size_t size = (size_t)most * (size_t)heads * (size_t)s->cap;
        if (!y->mass)
            continue;
        if (!y->trial_mass && !(y->trial_mass = ops->alloc(s->d, size * sizeof *y->trial_mass, e)))
            return ERR_NOMEM;
        ops->clear_rows(s->d, y->trial_mass + s->off,
                        &(struct rows){n * heads, s->n_local + n, 1, s->cap, 0});
    }
    return 0;
}

// Adds the attention that the first N tokens on trial gave in LAYER. ROOM: host [1 +
// n][n_heads][n_local].
static int count_tried(struct stream *s, int layer, int n, float *room, struct err *e)
{
    const struct stream_layer *y = &s->layers[layer];
    const int heads = s->m->info.n_heads, wide = s->n_local;
    const size_t size = (size_t)heads * (size_t)wide;
    const struct row_copy c[] = {
        row_copy_of(y->mass, heads, s->cap, 1, s->off, wide, room),
        row_copy_of(y->trial_mass, n * heads, s->cap, 1, s->off, wide, room + size)};
    int rc = s->d->ops->get_rows(s->d, c, 2, e);
    for (size_t i = size; !rc && i < (size_t)(n + 1) * size; i++)
        room[i % size] += room[i];
    return rc ? rc : stream_put_mass(s, layer, 0, wide, room, e);
}

int stream_settle(struct stream *s, int n, struct err *e)
{
    float *room = NULL;
    int rc = 0;
    if (!s->on_trial)
        return 0;
    s->on_trial = 0;
    for (int i = 0; !rc && i < s->m->info.n_layers; i++) {
        if (!s->layers[i].mass)
            continue;
        if (!room && !(room = mem_new((size_t)((n + 1) * s->m->info.n_heads) * (size_t)s->n_local,
                                      sizeof *room, e)))
            return ERR_NOMEM;
        rc = count_tried(s, i, n, room, e);
    }
    free(room);
    if (!rc)
        stream_rewind(s, s->n_chunk - n);
    return rc;
}
