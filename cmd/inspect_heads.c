#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "cmd/inspect.h"
#include "cmd/ui.h"
#include "io/json.h"
#include "io/mem.h"

// What keys and values of kv heads take, and the vectors of channels.
struct shares {
    const struct kvz *k;
    uint32_t together, n_groups; // heads of a group
    uint64_t *bytes;             // [n_layers][n_groups][2]
    struct vectors {
        struct kvz_channel channel;
        uint64_t bytes;
    } * vectors; // [n_channels]
};

static int find_vectors(struct shares *s, struct err *e)
{
    const uint32_t n_channels = kvz_meta(s->k)->n_channels;
    int rc = 0;
    if (!(s->vectors = mem_new(n_channels, sizeof *s->vectors, e)))
        return ERR_NOMEM;
    for (uint32_t i = 0; i < n_channels && !rc; i++) {
        struct kvz_run run;
        if (!(rc = kvz_run(s->k, i, &run, e)))
            s->vectors[i] = (struct vectors){run.channel, run.bytes};
    }
    return rc;
}

static const char *what(const struct kvz_channel *c)
{
    return c->kind == KVZ_KEYS ? "keys" : "representatives";
}

static void heads_text(const struct shares *s)
{
    const struct kvz_meta *m = kvz_meta(s->k);
    const double tokens = (double)kvz_n_tokens(s->k);
    char name[48];
    printf("keys and values of kv heads, bytes a token\nlayer");
    for (uint32_t g = 0; g < s->n_groups; g++) {
        uint32_t from = g * s->together;
        if (s->together > 1)
            snprintf(name, sizeof name, "%u-%u together", from, from + s->together - 1);
        else
            snprintf(name, sizeof name, "%u", from);
        printf("  %15s", name);
    }
    printf("\n");
    for (uint32_t l = 0; l < m->n_layers; l++) {
        printf("%5u", l);
        for (uint32_t g = 0; g < s->n_groups; g++) {
            const uint64_t *b = s->bytes + 2 * (l * s->n_groups + g);
            printf("  %7.1f %7.1f", (double)b[0] / tokens, (double)b[1] / tokens);
        }
        for (uint32_t h = 0, any = 0; h < m->n_kv_heads; h++)
            if (kvz_head_is_near(s->k, l, h))
                printf(any++ ? " %u" : "  but for sinks without %u", h);
        printf("\n");
    }
    printf("\nindex vectors, bytes a token\n");
    for (uint32_t i = 0; i < m->n_channels; i++) {
        const struct vectors *v = &s->vectors[i];
        snprintf(name, sizeof name, "%u.%u", v->channel.layer, v->channel.head);
        printf("%9s  %7.1f  %s\n", name, (double)v->bytes / tokens, what(&v->channel));
    }
}

static void number(struct json *j, const char *key, uint64_t v)
{
    json_uint(json_key(j, key), v);
}

static void json_layer(struct json *j, const struct shares *s, uint32_t l)
{
    json_array(j);
    for (uint32_t g = 0; g < s->n_groups; g++) {
        const uint64_t *b = s->bytes + 2 * (l * s->n_groups + g);
        json_object(j);
        json_array(json_key(j, "kv_heads"));
        for (uint32_t h = g * s->together; h < (g + 1) * s->together; h++)
            json_uint(j, h);
        json_end(j);
        number(j, "keys", b[0]);
        number(j, "values", b[1]);
        json_array(json_key(j, "near"));
        for (uint32_t h = g * s->together; h < (g + 1) * s->together; h++)
            if (kvz_head_is_near(s->k, l, h))
                json_uint(j, h);
        json_end(j);
        json_end(j);
    }
    json_end(j);
}

static void heads_json(const struct shares *s)
{
    const struct kvz_meta *m = kvz_meta(s->k);
    struct json j;
    json_init(&j, stdout);
    json_object(&j);
    json_cstr(json_key(&j, "file"), kvz_path(s->k));
    number(&j, "tokens", kvz_n_tokens(s->k));
    json_array(json_key(&j, "layers"));
    for (uint32_t l = 0; l < m->n_layers; l++)
        json_layer(&j, s, l);
    json_end(&j);
    json_array(json_key(&j, "vectors"));
    for (uint32_t i = 0; i < m->n_channels; i++) {
        const struct vectors *v = &s->vectors[i];
        json_object(&j);
        number(&j, "layer", v->channel.layer);
        number(&j, "head", v->channel.head);
        json_cstr(json_key(&j, "kind"), what(&v->channel));
        number(&j, "bytes", v->bytes);
        json_end(&j);
    }
    json_end(&j);
    json_end(&j);
    json_line(&j);
}

int inspect_heads(const char *path, const struct inspect_options *o)
{
    struct kvz *k = NULL;
    struct err e;
    struct shares s = {0};
    int rc = kvz_open(&k, path, &e);
    if (!rc) {
        s = (struct shares){.k = k, .together = kvz_heads_together(k)};
        s.n_groups = kvz_meta(k)->n_kv_heads / s.together;
        s.bytes = mem_new(2 * (size_t)kvz_meta(k)->n_layers * s.n_groups, sizeof *s.bytes, &e);
        rc = s.bytes ? kvz_head_bytes(k, s.bytes, &e) : ERR_NOMEM;
    }
    if (!rc && !kvz_n_tokens(k))
        rc = err_set(&e, ERR_USAGE, "%s: holds no tokens", path);
    if (!rc)
        rc = find_vectors(&s, &e);
    if (rc)
        rc = ui_fail(&e);
    else
        (o->json ? heads_json : heads_text)(&s);
    free(s.bytes);
    free(s.vectors);
    kvz_close(k);
    return rc;
}
