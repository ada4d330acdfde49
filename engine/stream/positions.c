// Names of positions, and the rope rows of local tokens and of the fixed distance.
#include "engine/stream/stream_impl.h"

#include <stdlib.h>
#include <string.h>

#include "io/mem.h"

static const char *const POSITIONS[] = {"window", "original", "contiguous"};

int positions_parse(const char *name, enum positions *p, struct err *e)
{
    *p = POSITIONS_WINDOW;
    if (!name || !*name)
        return 0;
    for (int i = 0; i < 3; i++)
        if (!strcmp(name, POSITIONS[i])) {
            *p = (enum positions)i;
            return 0;
        }
    return err_set(e, ERR_USAGE, "positions '%s' is not one of window, original, contiguous", name);
}

void positions_sharpen(const struct stream *s, float *row)
{
    for (int i = 0; s->o.sharpen > 0 && i < s->m->rope[0].dim; i++)
        row[i] *= s->o.sharpen;
}

static int table_new(struct stream *s, const float *rows, size_t n, float **out, struct err *e)
{
    if (!(*out = s->d->ops->alloc(s->d, n * sizeof *rows, e)))
        return ERR_NOMEM;
    return s->d->ops->upload(s->d, *out, rows, n * sizeof *rows, e);
}

int positions_tables(struct stream *s, struct err *e)
{
    size_t dim = (size_t)s->m->rope[0].dim, n_far = (size_t)(s->o.sinks + s->o.far);
    const size_t most = s->n_rope > 2 ? (size_t)s->n_rope : 2;
    float *rows = mem_new(most * dim, sizeof *rows, e);
    if (!rows)
        return ERR_NOMEM;
    int rc = 0;
    s->rope_host = mem_new(n_far * dim, sizeof *s->rope_host, e);
    if (!s->rope_host)
        rc = ERR_NOMEM;
    for (int i = 0; !rc && i < s->m->n_ropes; i++) {
        const struct rope *r = &s->m->rope[i];
        rope_rows(r, s->o.reach, 0, s->n_rope, rows);
        rc = table_new(s, rows, (size_t)s->n_rope * dim, &s->rope_local[i], e);
        for (int far = 0; far < 2; far++)
            rope_rows(r, s->o.reach, s->o.distance, 1, rows + (size_t)far * dim);
        positions_sharpen(s, rows + dim);
        rc = rc ? rc : table_new(s, rows, 2 * dim, &s->rope_fixed[i], e);
    }
    free(rows);
    return rc;
}

int positions_check(const struct model *m, const struct stream_options *o, struct err *e)
{
    if (o->positions != POSITIONS_ORIGINAL || !(o->sinks + o->far))
        return 0;
    const char *why =
        m->rope[0].original != 0 ? "whose RoPE depends on the length of the text" : NULL;
    for (int i = 0; i < m->info.n_layers; i++)
        why = m->layers[i].sliding ? "that has a sliding window" : why;
    return why ? err_set(e, ERR_UNSUPPORTED,
                         "%s: positions 'original' are not supported for a model %s; use 'window'",
                         m->info.path, why)
               : 0;
}
