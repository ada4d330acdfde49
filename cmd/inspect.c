#define _GNU_SOURCE
#include "cmd/inspect.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "cmd/session.h"
#include "cmd/ui.h"
#include "io/file.h"
#include "io/json.h"

#define AT(field) .at = offsetof(struct inspect_options, field)

static const struct opt options[] = {
    {.name = "json",
     .kind = OPT_FLAG,
     AT(json),
     .help = "print JSON; --text prints the text all the same"},
    {.name = "verify",
     .kind = OPT_FLAG,
     AT(verify),
     .not_config = 1,
     .help = "check every byte of an index; exit 1 when any is damaged"},
    {.name = "blocks",
     .kind = OPT_STR,
     AT(question),
     .metavar = "QUESTION",
     .not_config = 1,
     .help = "what QUESTION would read, and which heads voted for it"},
    {.name = "heads",
     .kind = OPT_FLAG,
     AT(heads),
     .not_config = 1,
     .help = "what keys and values of each kv head take of an index, and the vectors of each head"},
    {.name = "spans",
     .kind = OPT_FLAG,
     AT(spans),
     .not_config = 1,
     .help = "list the blocks with their documents and byte ranges"},
    {.name = "text",
     .kind = OPT_FLAG,
     AT(text),
     .not_config = 1,
     .help = "print the text of the documents as the index keeps it"},
    {0},
};

static void model_json(const struct model_info *i, double token_bytes, double file_bytes)
{
    char digest[24], tokenizer_digest[24];
    snprintf(digest, sizeof digest, "%016" PRIx64, i->digest);
    snprintf(tokenizer_digest, sizeof tokenizer_digest, "%016" PRIx64, i->tokenizer_digest);
    const struct {
        const char *key, *v;
    } texts[] = {{"file", i->path},
                 {"name", i->name},
                 {"arch", i->arch},
                 {"tokenizer", i->tokenizer},
                 {"pre_tokenizer", i->pre_tokenizer},
                 {"template", i->template_name},
                 {"weight_types", i->weight_types},
                 {"rope_scaling", i->rope_scaling},
                 {"profile", i->profile},
                 {"profile_path", i->profile_path},
                 {"digest", digest},
                 {"tokenizer_digest", tokenizer_digest}};
    const struct {
        const char *key;
        uint64_t v;
    } numbers[] = {{"bytes", i->file_bytes},
                   {"parameters", i->n_params},
                   {"layers", (uint64_t)i->n_layers},
                   {"heads", (uint64_t)i->n_heads},
                   {"kv_heads", (uint64_t)i->n_kv_heads},
                   {"head_dim", (uint64_t)i->head_dim},
                   {"embedding", (uint64_t)i->n_embd},
                   {"feed_forward", (uint64_t)i->n_ff},
                   {"vocabulary", (uint64_t)i->n_vocab},
                   {"context_trained", (uint64_t)i->n_ctx_train},
                   {"rope_dim", (uint64_t)i->rope_dim},
                   {"sliding_window", (uint64_t)i->sliding_window},
                   {"sliding_layers", (uint64_t)i->n_sliding}};
    struct json j;
    json_init(&j, stdout);
    json_object(&j);
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        json_cstr(json_key(&j, texts[k].key), texts[k].v);
    }
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
        json_uint(json_key(&j, numbers[k].key), numbers[k].v);
    }
    json_num(json_key(&j, "rope_base"), i->rope_base);
    json_num(json_key(&j, "index_bytes_per_token"), token_bytes);
    json_num(json_key(&j, "index_bytes_per_file"), file_bytes);
    json_end(&j);
    json_line(&j);
}

static void model_text(const struct model_info *i, double token_bytes, double file_bytes)
{
    char bytes[UI_BUF], params[UI_BUF];
    printf("file        ");
    ui_line(stdout, i->path);
    printf(" (%s)\n", ui_bytes(bytes, i->file_bytes));
    printf("model       %s, %s, %s parameters\n", i->name, i->arch, ui_count(params, i->n_params));
    printf("weights     %s\n", i->weight_types);
    printf("layers      %d of width %d, feed-forward %d\n", i->n_layers, i->n_embd, i->n_ff);
    printf("attention   %d heads over %d key/value heads of %d\n", i->n_heads, i->n_kv_heads,
           i->head_dim);
    if (i->n_sliding)
        printf("            %d of the layers see %d tokens back\n", i->n_sliding,
               i->sliding_window);
    printf("positions   RoPE base %g over %d dimensions, scaling %s, trained to %d tokens\n",
           i->rope_base, i->rope_dim, i->rope_scaling, i->n_ctx_train);
    printf("tokenizer   %s%s%s, %d tokens\n", i->tokenizer, i->pre_tokenizer ? "/" : "",
           i->pre_tokenizer ? i->pre_tokenizer : "", i->n_vocab);
    printf("template    %s\n", i->template_name       ? i->template_name
                               : i->has_template_text ? "not one that is known: used raw"
                                                      : "none");
    if (i->profile) {
        printf("profile     ");
        ui_line(stdout, i->profile);
        printf(", %d retrieval heads, %s", i->profile_heads,
               i->profile_path ? "from " : "built in");
        ui_line(stdout, i->profile_path ? i->profile_path : "");
        printf("\n");
    } else {
        printf("profile     none: its retrieval heads are not known\n");
    }
    printf("index       about %.0f bytes a token and %s for each file; keys and values at 16 bits "
           "are %" PRIu64 " a token\n",
           token_bytes, ui_bytes(bytes, (uint64_t)file_bytes),
           (uint64_t)4 * (uint64_t)i->n_layers * (uint64_t)i->n_kv_heads * (uint64_t)i->head_dim);
}

int inspect_model(const struct common *c, const char *path, const struct inspect_options *o)
{
    struct common own = *c;
    struct session s;
    struct err e;
    if (o->verify || o->heads || o->spans || o->text || o->question)
        return ui_usage(
            "%s is a model; --verify, --blocks, --heads, --spans and --text are for indexes", path);
    if (inspect_is_embedder(path))
        return inspect_embedder(c, path, o);
    own.model = path;
    own.device = "cpu";
    own.only_look = 1;
    double token_bytes, file_bytes;
    int rc = session_open(&s, &own, NULL, 0, &e);
    if (!rc)
        rc = encode_token_bytes(s.model, &token_bytes, &file_bytes, &e);
    if (rc)
        rc = ui_fail(&e);
    else if (o->json)
        model_json(model_info(s.model), token_bytes, file_bytes);
    else
        model_text(model_info(s.model), token_bytes, file_bytes);
    session_close(&s);
    return rc;
}

// Whether PATH is a model, or is named like one: 1, 0 or an error.
static int is_gguf(const char *path, struct err *e)
{
    static const char magic[] = "GGUF";
    const size_t n = sizeof magic - 1;
    struct file_map m;
    int rc = file_map(&m, path, e);
    if (rc)
        return rc;
    const char *dot = strrchr(path, '.');
    rc = (m.bytes >= n && !memcmp(m.data, magic, n)) || (dot && !strcasecmp(dot, ".gguf"));
    file_unmap(&m);
    return rc;
}

static int run(const struct common *c, const void *own, char **operands, int n_operands)
{
    const struct inspect_options *o = own;
    struct err e;
    if (n_operands != 1)
        return ui_usage("give one file, an index or a model");
    if (o->verify + o->heads + o->spans + o->text + !!o->question > 1)
        return ui_usage("--verify, --blocks, --heads, --spans and --text exclude each other");
    const char *path = operands[0];
    int gguf = is_gguf(path, &e);
    if (gguf < 0) {
        session_explain(path, &e);
        return ui_fail(&e);
    }
    if (gguf)
        return inspect_model(c, path, o);
    if (o->verify)
        return inspect_verify(path, o);
    if (o->question)
        return inspect_question(c, path, o);
    if (o->heads)
        return inspect_heads(path, o);
    if (o->spans)
        return inspect_spans(path, o);
    return o->text ? inspect_text(path) : inspect_index(path, o);
}

const struct command command_inspect = {
    .name = "inspect",
    .usage = "[options] INDEX.kvz|MODEL.gguf",
    .summary = "show what is in an index or a model, and whether it is intact",
    .options = options,
    .own_bytes = sizeof(struct inspect_options),
    .run = run,
};
