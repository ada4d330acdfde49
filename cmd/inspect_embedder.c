// What is shown of an embedder.
#include <inttypes.h>
#include <stdio.h>

#include "cmd/inspect.h"
#include "cmd/ui.h"
#include "engine/embed/embedder.h"
#include "io/json.h"
#include "kernels/kernels.h"

static void print_json(const struct embedder_info *i)
{
    char digest[24];
    struct json j;
    snprintf(digest, sizeof digest, "%016" PRIx64, i->digest);
    json_init(&j, stdout);
    json_object(&j);
    json_cstr(json_key(&j, "file"), i->path);
    json_cstr(json_key(&j, "name"), i->name);
    json_cstr(json_key(&j, "arch"), "bert");
    json_cstr(json_key(&j, "digest"), digest);
    json_uint(json_key(&j, "layers"), (uint64_t)i->n_layers);
    json_uint(json_key(&j, "heads"), (uint64_t)i->n_heads);
    json_uint(json_key(&j, "embedding"), (uint64_t)i->n_embd);
    json_uint(json_key(&j, "feed_forward"), (uint64_t)i->n_ff);
    json_uint(json_key(&j, "context_trained"), (uint64_t)i->n_ctx);
    json_end(&j);
    json_line(&j);
}

static void print_text(const struct embedder_info *i)
{
    printf("file        ");
    ui_line(stdout, i->path);
    printf("\nembedder    %s, bert\n", i->name);
    printf("layers      %d of width %d, feed-forward %d, %d heads\n", i->n_layers, i->n_embd,
           i->n_ff, i->n_heads);
    printf("vectors     of %d dimensions, of the first %d tokens of a text\n", i->n_embd,
           i->n_ctx < EMBED_TOKENS ? i->n_ctx : EMBED_TOKENS);
    printf("digest      %016" PRIx64 "\n", i->digest);
}

int inspect_is_embedder(const char *path)
{
    uint64_t digest;
    struct err e;
    return !embedder_digest(path, &digest, &e);
}

int inspect_embedder(const struct common *c, const char *path, const struct inspect_options *o)
{
    char note[512] = "";
    struct device *d = NULL;
    struct embedder *x = NULL;
    struct err e;
    int rc = device_open(&d, &(struct device_options){.name = "cpu", .threads = c->threads}, note,
                         sizeof note, &e);
    if (!rc)
        rc = embedder_open(&x, path, d, &e);
    if (rc)
        rc = ui_fail(&e);
    else if (o->json)
        print_json(embedder_info(x));
    else
        print_text(embedder_info(x));
    embedder_close(x);
    device_close(d);
    return rc;
}
