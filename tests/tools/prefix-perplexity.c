// How surprised a model is by a text after a prefix that it knows from an index: token by token, as
// the papers do with PG19. What of the prefix is in sight is said by each way.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/encode/summary_state.h"
#include "engine/engine.h"
#include "engine/tok/tok.h"
#include "io/file.h"
#include "io/mem.h"
#include "tests/unit/perplexity.h"

enum { CHUNK = 128, TOKENS = 1024, WINDOW = 1024 };

static const char USAGE[] = "usage: prefix-perplexity INDEX.kvz NEXT.txt [FULL]\n"
                            "Prints CSV: what of the index is in sight, its tokens, the first 1024 "
                            "tokens of NEXT.txt (or as many as there are),\n"
                            "their perplexity. 'nothing' is NEXT.txt alone; 'window' the sinks and "
                            "the last 1024 tokens; 'state' the sinks and\n"
                            "the summary state, where there is one; 'full', where the index has at "
                            "most FULL tokens (8192), every token at its\n"
                            "own place. The model is the one that the index was made with.\n";

// What an open stream sees, and the text it has yet to read.
struct reader {
    struct model *m;
    struct kvz *k;
    const uint32_t *ids; // [n]
    int n;
};

static int nothing(const struct reader *r, struct stream **s, struct err *e)
{
    return stream_new(s, r->m, &(struct stream_options){.window = TOKENS, .chunk = CHUNK}, e);
}

static int window(const struct reader *r, struct stream **s, struct err *e)
{
    return read_open(s, r->m, r->k, &(struct sight){.window = WINDOW, .room = TOKENS}, e);
}

static int state(const struct reader *r, struct stream **s, struct err *e)
{
    struct kvz_summary is;
    int rc = kvz_summary(r->k, &is, e);
    if (!rc && is.n)
        rc = read_open(
            s, r->m, r->k,
            &(struct sight){.positions = POSITIONS_CONTIGUOUS, .far = (int)is.n, .room = TOKENS},
            e);
    return rc || !is.n ? rc : summary_state_read(*s, r->k, e);
}

static int full(const struct reader *r, struct stream **s, struct err *e)
{
    struct places far = {0};
    int rc = far_all(r->k, CHUNK, &far, e);
    if (!rc)
        rc = read_open(s, r->m, r->k,
                       &(struct sight){.positions = POSITIONS_ORIGINAL,
                                       .window = CHUNK,
                                       .far = far.tokens,
                                       .room = TOKENS},
                       e);
    if (!rc)
        rc = read_far(*s, -1, &far, TRAVERSE_DOCUMENT, e);
    free(far.v);
    return rc;
}

static const struct way {
    const char *name;
    int (*open)(const struct reader *r, struct stream **s, struct err *e);
} WAYS[] = {{"nothing", nothing}, {"window", window}, {"state", state}, {"full", full}};

static int measure(const struct reader *r, const struct way *w, struct err *e)
{
    size_t vocab = (size_t)model_info(r->m)->n_vocab;
    struct stream *s = NULL;
    float *logits = mem_new(CHUNK * vocab, sizeof *logits, e);
    double sum = 0;
    int rc = logits ? w->open(r, &s, e) : ERR_NOMEM;
    int sight = rc || !s ? 0 : s->n_sinks + s->n_local + s->layers[0].n_far;
    for (int at = 0; !rc && s && at + 1 < r->n; at += CHUNK) {
        int take = r->n - 1 - at < CHUNK ? r->n - 1 - at : CHUNK;
        rc = forward(
            s,
            &(struct forward){.tokens = r->ids + at, .n = take, .logits = logits, .n_logits = take},
            e);
        for (int i = 0; !rc && i < take; i++)
            sum += surprise(logits + (size_t)i * vocab, (uint32_t)vocab, r->ids[at + i + 1]);
    }
    if (!rc && s)
        printf("%s,%d,%d,%.4f\n", w->name, sight, r->n - 1, exp(sum / (r->n - 1)));
    fflush(stdout);
    stream_free(s);
    free(logits);
    return rc;
}

int main(int argc, char **argv)
{
    struct err e = {0};
    struct device *d = NULL;
    struct reader r = {0};
    struct file_map text = {0};
    struct tok_list l = {0};
    if (argc < 3 || argc > 4) {
        fputs(USAGE, stderr);
        return 2;
    }
    uint64_t most = argc > 3 ? strtoull(argv[3], NULL, 10) : 8192;
    uint32_t *ids = mem_new(TOKENS, sizeof *ids, &e);
    int rc =
        ids ? device_open(&d, &(struct device_options){.name = "cpu"}, NULL, 0, &e) : ERR_NOMEM;
    if (!rc && !(rc = kvz_open(&r.k, argv[1], &e)) &&
        !(rc = model_open(&r.m, kvz_meta(r.k)->model_path, d, &e)) &&
        !(rc = ask_check(r.m, r.k, &e)) && !(rc = file_map(&text, argv[2], &e)))
        rc = tok_encode(r.m->tok, (const char *)text.data, text.bytes, TOK_PLAIN, &l, &e);
    r.n = l.n < TOKENS ? (int)l.n : TOKENS;
    r.ids = ids;
    for (int i = 0; !rc && i < r.n; i++)
        ids[i] = l.v[i].id;
    if (!rc && r.n < 2)
        rc = err_set(&e, ERR_USAGE, "%s: too short", argv[2]);
    for (size_t i = 0; !rc && i < sizeof WAYS / sizeof *WAYS; i++)
        if (WAYS[i].open != full || kvz_n_tokens(r.k) <= most)
            rc = measure(&r, &WAYS[i], &e);
    if (rc)
        fprintf(stderr, "prefix-perplexity: %s\n", e.msg);
    free(ids);
    tok_list_free(&l);
    file_unmap(&text);
    kvz_close(r.k);
    model_close(r.m);
    device_close(d);
    return rc != 0;
}
