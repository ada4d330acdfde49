#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/inspect.h"
#include "cmd/passage.h"
#include "cmd/ui.h"
#include "io/json.h"
#include "io/mem.h"
#include "io/show.h"

// Bytes of the keys and values of the whole stream at 16 bits each: what one would keep without
// an index.
static double kv16_bytes(const struct kvz *k)
{
    const struct kvz_meta *m = kvz_meta(k);
    return 4.0 * m->n_layers * m->n_kv_heads * m->head_dim * (double)kvz_n_tokens(k);
}

static void json_text(struct json *j, const char *key, const char *v)
{
    json_cstr(json_key(j, key), v);
}

static void json_count(struct json *j, const char *key, uint64_t v)
{
    json_uint(json_key(j, key), v);
}

static void json_hex(struct json *j, const char *key, uint64_t v)
{
    char hex[24]; // a JSON number would lose the low bits
    snprintf(hex, sizeof hex, "%016" PRIx64, v);
    json_text(j, key, hex);
}

static void json_meta(struct json *j, const struct kvz_meta *m)
{
    json_text(j, "model", m->model);
    json_text(j, "model_path", m->model_path);
    json_text(j, "arch", m->arch);
    json_hex(j, "model_digest", m->model_digest);
    json_hex(j, "tokenizer_digest", m->tokenizer_digest);
    json_text(j, "method", m->method);
    json_text(j, "positions", m->positions);
    json_text(j, "template", m->template_name);
    json_text(j, "params", m->params);
    const struct {
        const char *key;
        uint32_t v;
    } counts[] = {{"layers", m->n_layers},    {"heads", m->n_heads}, {"kv_heads", m->n_kv_heads},
                  {"head_dim", m->head_dim},  {"sinks", m->sinks},   {"block", m->block},
                  {"window", m->window},      {"chunk", m->chunk},   {"topk", m->topk},
                  {"channels", m->n_channels}};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        json_count(j, counts[i].key, counts[i].v);
    json_object(json_key(j, "recipe"));
    json_count(j, "codec", m->recipe.codec);
    json_num(json_key(j, "k_bits"), kvz_bits(&m->recipe, m->recipe.k_bits));
    json_num(json_key(j, "v_bits"), kvz_bits(&m->recipe, m->recipe.v_bits));
    json_count(j, "level", m->recipe.level);
    json_end(j);
}

static void json_sentences(struct json *j, const struct kvz_sentences *s, const struct kvz_words *w)
{
    json_object(json_key(j, "sentences"));
    json_count(j, "vectors", s->n);
    json_text(j, "embedder", s->name);
    json_hex(j, "digest", s->digest);
    json_count(j, "dimensions", s->dim);
    if (w->n) {
        json_count(j, "words", w->n);
        json_count(j, "word_dimensions", w->dim);
    }
    json_end(j);
}

static int index_json(const struct kvz *k, const uint64_t *layers,
                      const struct kvz_sentences *sentences, const struct kvz_words *words,
                      struct err *e)
{
    struct json j;
    json_init(&j, stdout);
    json_object(&j);
    json_text(&j, "file", kvz_path(k));
    json_count(&j, "bytes", kvz_file_bytes(k));
    json_meta(&j, kvz_meta(k));
    json_count(&j, "tokens", kvz_n_tokens(k));
    json_count(&j, "blocks", kvz_n_blocks(k));
    json_array(json_key(&j, "documents"));
    for (uint64_t i = 0; i < kvz_n_documents(k); i++) {
        struct kvz_document d;
        int rc = kvz_document(k, i, &d, e);
        if (rc)
            return rc;
        json_object(&j);
        json_text(&j, "name", d.name);
        json_text(&j, "format", d.format);
        json_count(&j, "bytes", d.bytes);
        json_hex(&j, "digest", d.digest);
        json_count(&j, "tokens", d.n_tokens);
        json_count(&j, "blocks", d.n_blocks);
        json_end(&j);
    }
    json_end(&j);
    if (sentences->n)
        json_sentences(&j, sentences, words);
    json_array(json_key(&j, "sections"));
    for (size_t i = 0; i < kvz_n_sections(k); i++) {
        struct kvz_section s = kvz_section_at(k, i);
        json_object(&j);
        json_text(&j, "tag", s.tag);
        json_count(&j, "offset", s.off);
        json_count(&j, "bytes", s.bytes);
        json_end(&j);
    }
    json_end(&j);
    json_array(json_key(&j, "layer_bytes"));
    for (uint32_t l = 0; l < kvz_meta(k)->n_layers; l++)
        json_uint(&j, layers[l]);
    json_end(&j);
    json_num(json_key(&j, "bytes_per_token"), (double)kvz_file_bytes(k) / (double)kvz_n_tokens(k));
    json_num(json_key(&j, "kv16_bytes"), kv16_bytes(k));
    json_num(json_key(&j, "ratio"), kv16_bytes(k) / (double)kvz_file_bytes(k));
    json_end(&j);
    json_line(&j);
    return 0;
}

// A text of the file, fit for a terminal.
static const char *shown(const char *s, char buf[256])
{
    return show_bytes(s, strlen(s), buf, 256);
}

static void text_meta(const struct kvz_meta *m)
{
    char a[256], b[256], c[256];
    printf("model       %s, %s (", shown(m->model, a), shown(m->arch, b));
    passage_words(stdout, m->model_path, strlen(m->model_path), 1000);
    printf(")\n");
    printf("shape       %u layers, %u heads over %u key/value heads of %u\n", m->n_layers,
           m->n_heads, m->n_kv_heads, m->head_dim);
    printf("method      %s, positions %s, template %s\n", shown(m->method, a),
           shown(m->positions, b), *m->template_name ? shown(m->template_name, c) : "none");
    if (*m->params) { // a line each
        printf("parts       ");
        passage_words(stdout, m->params, strlen(m->params), 1000);
        printf("\n");
    }
    printf("frame       sinks %u, window %u, blocks of %u, chunks of %u, %u retrieved while "
           "encoding\n",
           m->sinks, m->window, m->block, m->chunk, m->topk);
    if (m->recipe.codec)
        printf("recipe      codec %u: keys %g bits, values %g bits, deflate %u\n", m->recipe.codec,
               kvz_bits(&m->recipe, m->recipe.k_bits), kvz_bits(&m->recipe, m->recipe.v_bits),
               m->recipe.level);
    else
        printf("recipe      codec 0: 16 bits\n");
}

// A row of the bytes a token that layers take, eight layers a line.
static void text_layers(const struct kvz *k, const uint64_t *layers)
{
    enum { A_LINE = 8 };
    printf("\nkeys and values of each layer, bytes a token\n");
    for (uint32_t l = 0; l < kvz_meta(k)->n_layers; l++) {
        if (l % A_LINE == 0)
            printf("%s  %4u:", l ? "\n" : "", l);
        printf("%8.1f", (double)layers[l] / (double)kvz_n_tokens(k));
    }
    printf("\n");
}

static void text_sentences(const struct kvz_sentences *s, const struct kvz_words *w)
{
    char a[UI_BUF], name[256];
    printf("sentences   %s by %s, %u dimension%s\n", ui_count(a, s->n), shown(s->name, name),
           s->dim, ui_s(s->dim));
    if (w->n)
        printf("            %s of their words, %u dimension%s\n", ui_count(a, w->n), w->dim,
               ui_s(w->dim));
}

static int index_text(const struct kvz *k, const uint64_t *layers,
                      const struct kvz_sentences *sentences, const struct kvz_words *words,
                      struct err *e)
{
    char bytes[UI_BUF], a[UI_BUF], b[UI_BUF], format[256];
    double file = (double)kvz_file_bytes(k);
    printf("file        ");
    ui_line(stdout, kvz_path(k));
    printf(" (%s)\n", ui_bytes(bytes, kvz_file_bytes(k)));
    text_meta(kvz_meta(k));
    printf("content     %s token%s in %s block%s\n", ui_count(a, kvz_n_tokens(k)),
           ui_s(kvz_n_tokens(k)), ui_count(b, kvz_n_blocks(k)), ui_s(kvz_n_blocks(k)));
    if (kvz_n_tokens(k))
        printf("size        %.0f bytes a token; keys and values at 16 bits would be %s, %.2f times "
               "as much\n",
               file / (double)kvz_n_tokens(k), ui_bytes(bytes, (uint64_t)kv16_bytes(k)),
               kv16_bytes(k) / file);
    if (sentences->n)
        text_sentences(sentences, words);
    printf("\ndocuments\n");
    for (uint64_t i = 0; i < kvz_n_documents(k); i++) {
        struct kvz_document d;
        int rc = kvz_document(k, i, &d, e);
        if (rc)
            return rc;
        printf("  ");
        passage_words(stdout, d.name, strlen(d.name), 1000);
        printf("  %s, %s byte%s, %s token%s\n", shown(d.format, format), ui_count(a, d.bytes),
               ui_s(d.bytes), ui_count(b, d.n_tokens), ui_s(d.n_tokens));
    }
    printf("\nsections\n");
    for (size_t i = 0; i < kvz_n_sections(k); i++) {
        struct kvz_section s = kvz_section_at(k, i);
        printf("  %-4s  %15s bytes  %5.1f%%\n", shown(s.tag, format), ui_count(a, s.bytes),
               100 * (double)s.bytes / file);
    }
    if (kvz_n_tokens(k))
        text_layers(k, layers);
    return 0;
}

int inspect_index(const char *path, const struct inspect_options *o)
{
    struct kvz *k = NULL;
    struct kvz_sentences sentences;
    struct kvz_words words = {0};
    struct err e;
    uint64_t *layers = NULL;
    int rc = kvz_open(&k, path, &e);
    if (!rc && !(layers = mem_new(kvz_meta(k)->n_layers, sizeof *layers, &e)))
        rc = ERR_NOMEM;
    if (!rc)
        rc = kvz_layer_bytes(k, layers, &e);
    if (!rc && kvz_sentences(k, &sentences, &e)) { // all else may still be shown
        ui_note("%s", e.msg);
        sentences = (struct kvz_sentences){0};
    }
    if (!rc && sentences.n && kvz_words(k, &words, &e))
        ui_note("%s", e.msg);
    if (!rc)
        rc = o->json ? index_json(k, layers, &sentences, &words, &e)
                     : index_text(k, layers, &sentences, &words, &e);
    if (rc)
        rc = ui_fail(&e);
    free(layers);
    kvz_close(k);
    return rc;
}

// Calls EACH for every block with its document and text; TEXT is NUL-terminated.
static int each_block(struct kvz *k,
                      void (*each)(void *arg, uint64_t id, const struct kvz_block *b,
                                   const struct kvz_document *d, const char *text),
                      void *arg, struct err *e)
{
    char *text = NULL;
    size_t cap = 0;
    int rc = 0;
    for (uint64_t i = 0; i < kvz_n_blocks(k) && !rc && ui_stdout_ok(); i++) {
        struct kvz_block b;
        struct kvz_document d;
        if ((rc = kvz_block(k, i, &b, e)) || (rc = kvz_document(k, b.document, &d, e)) ||
            (rc = MEM_GROW(text, cap, b.end - b.start + 1, e)) ||
            (rc = kvz_read_text(k, i, text, e)))
            break;
        text[b.end - b.start] = 0;
        each(arg, i, &b, &d, text);
    }
    free(text);
    return rc;
}

// TEXT [*N] from its first character on, *N bytes up to the end of its last one: a block may begin
// and end within a character.
static const char *whole_characters(const char *text, size_t *n)
{
    enum { REST = 3 }; // bytes of a character behind its first, at most
    size_t from = 0, last = *n;
    while (from < REST && from < *n && ((unsigned char)text[from] & 0xC0) == 0x80)
        from++;
    while (last > from && *n - last < REST && ((unsigned char)text[last - 1] & 0xC0) == 0x80)
        last--;
    const unsigned char first = last > from ? (unsigned char)text[last - 1] : 0;
    const size_t bytes = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 1;
    const size_t to = last > from && *n - last + 1 < bytes ? last - 1 : *n;
    *n = to - from;
    return text + from;
}

static void block_text(void *arg, uint64_t id, const struct kvz_block *b,
                       const struct kvz_document *d, const char *text)
{
    (void)arg;
    char range[64];
    printf("%6" PRIu64 "  %3u tokens%s  %.4f  ", id, b->n_tokens,
           b->flags & KVZ_SINK ? "  sink" : "      ", (double)b->mass);
    passage_words(stdout, d->name, strlen(d->name), 1000);
    int used = 34 + (int)strlen(d->name) +
               snprintf(range, sizeof range, ":%" PRIu64 "-%" PRIu64 "  ", b->start, b->end);
    int columns = ui_columns(stdout) - used;
    fputs(range, stdout);
    size_t n = b->end - b->start;
    text = whole_characters(text, &n);
    passage_words(stdout, text, n, columns > 40 ? columns : 40);
    putchar('\n');
}

static void block_json(void *arg, uint64_t id, const struct kvz_block *b,
                       const struct kvz_document *d, const char *text)
{
    struct json *j = arg;
    json_object(j);
    json_count(j, "block", id);
    json_text(j, "document", d->name);
    json_count(j, "start", b->start);
    json_count(j, "end", b->end);
    json_count(j, "token", b->token);
    json_count(j, "tokens", b->n_tokens);
    json_bool(json_key(j, "sink"), b->flags & KVZ_SINK);
    json_num(json_key(j, "mass"), (double)b->mass);
    json_str(json_key(j, "text"), text, b->end - b->start);
    json_end(j);
    json_line(j);
}

int inspect_spans(const char *path, const struct inspect_options *o)
{
    struct kvz *k = NULL;
    struct err e;
    struct json j;
    json_init(&j, stdout);
    int rc = kvz_open(&k, path, &e);
    if (!rc && !o->json)
        printf(" block      size        attention  document:bytes  text\n");
    if (!rc)
        rc = each_block(k, o->json ? block_json : block_text, &j, &e);
    if (rc)
        rc = ui_fail(&e);
    kvz_close(k);
    return rc;
}

static void plain_text(void *arg, uint64_t id, const struct kvz_block *b,
                       const struct kvz_document *d, const char *text)
{
    (void)arg, (void)id, (void)d;
    fwrite(text, 1, b->end - b->start, stdout);
}

int inspect_text(const char *path)
{
    struct kvz *k = NULL;
    struct err e;
    int rc = kvz_open(&k, path, &e);
    if (!rc)
        rc = each_block(k, plain_text, NULL, &e);
    if (rc)
        rc = ui_fail(&e);
    kvz_close(k);
    return rc;
}

static void damage_text(void *arg, const char *what)
{
    (void)arg;
    ui_line(stdout, what);
    printf("\n");
}

static void damage_json(void *arg, const char *what)
{
    json_cstr(arg, what);
}

int inspect_verify(const char *path, const struct inspect_options *o)
{
    struct err e;
    struct json j;
    json_init(&j, stdout);
    if (o->json) {
        json_object(&j);
        json_text(&j, "file", path);
        json_array(json_key(&j, "damage"));
    }
    int64_t n = kvz_verify(path, o->json ? damage_json : damage_text, &j, &e);
    if (o->json) {
        if (n < 0)
            json_cstr(&j, e.msg);
        json_end(&j);
        json_bool(json_key(&j, "intact"), n == 0);
        json_end(&j);
        json_line(&j);
    }
    if (n < 0)
        return ui_fail(&e);
    if (!o->json && !n) {
        ui_line(stdout, path);
        printf(": intact\n");
    }
    if (n)
        ui_error("%s: %" PRId64 " place%s damaged", path, n, n == 1 ? "" : "s");
    return n ? EXIT_FAILED : EXIT_OK;
}
