#include "engine/survey/route.h"

#include <stdlib.h>
#include <string.h>

#include "io/mem.h"

int route_new(struct route *r, const char *name, struct err *e)
{
    const struct texts none = {0};
    *r = (struct route){.v = mem_new(ROUTE_MOST, sizeof *r->v, e)};
    if (!r->v)
        return ERR_NOMEM;
    route_add(r, name, strlen(name), -1, &none, (struct span_of_text){0, 0});
    return 0;
}

void route_done(struct route *r)
{
    free(r->v);
}

int route_has(const struct route *r, const char *name, size_t n)
{
    for (int i = 0; i < r->n; i++)
        if (strlen(r->v[i].name) == n && !memcmp(r->v[i].name, name, n))
            return 1;
    return 0;
}

int route_add(struct route *r, const char *name, size_t n, int from, const struct texts *t,
              struct span_of_text at)
{
    if (n >= ROUTE_NAME || r->n == ROUTE_MOST || route_has(r, name, n))
        return 0;
    struct stop *s = &r->v[r->n++];
    *s = (struct stop){.from = from, .in = *t, .at = at};
    memcpy(s->name, name, n);
    return 1;
}

int route_add_places(const struct route *r, int last, struct lookup *v, struct err *e)
{
    const struct stop *s = &r->v[last];
    if (s->from < 0)
        return 0;
    int rc = route_add_places(r, s->from, v, e);
    return rc ? rc : lookup_add(v, &s->in, s->at, 0, e);
}

static void say_from(const struct route *r, int stop, FILE *out)
{
    if (r->v[stop].from < 0)
        return;
    say_from(r, r->v[stop].from, out);
    fprintf(out, "%s%s", r->v[r->v[stop].from].from < 0 ? ", by way of " : ", ", r->v[stop].name);
}

void route_say_way(const struct route *r, int last, FILE *out)
{
    say_from(r, r->v[last].from, out);
}
