// What a recipe of keys and values costs a model that goes on reading: every token of a text is in
// sight from an index, at its own place, and the next text is read after it.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/answer/reading.h"
#include "engine/engine.h"
#include "engine/stream/stream.h"
#include "engine/tok/tok.h"
#include "io/file.h"
#include "io/mem.h"
#include "tests/unit/perplexity.h"

enum { CHUNK = 128, WINDOW = 128, TOKENS = 1024 };

static const char USAGE[] = "usage: kv-loss MODEL.gguf NEXT.txt EXACT.kvz INDEX.kvz...\n"
                            "Reads the first 1024 tokens of NEXT.txt after the document of "
                            "EXACT.kvz, and after the same document\n"
                            "in each INDEX.kvz, all of it in sight. Prints CSV: the index, its "
                            "bytes, tokens of the document, tokens\n"
                            "read, their perplexity after EXACT and after INDEX, how much more "
                            "that is, the mean divergence of what\n"
                            "is predicted from what EXACT predicts, in nats, the share of tokens "
                            "with the same first choice, and how\n"
                            "far the logits are from EXACT's: the length of the difference beside "
                            "that of the logits, of both their mean\n"
                            "over the vocabulary taken away.\n";

struct reader {
    struct kvz *k;
    struct stream *s;
};

static int reader_open(struct reader *r, struct model *m, const char *path, struct err *e)
{
    struct places far = {0};
    *r = (struct reader){0};
    int rc = kvz_open(&r->k, path, e);
    if (!rc && !(rc = far_all(r->k, WINDOW, &far, e)))
        rc = read_open(&r->s, m, r->k,
                       &(struct sight){.positions = POSITIONS_ORIGINAL,
                                       .window = WINDOW,
                                       .far = far.tokens,
                                       .room = TOKENS},
                       e);
    if (!rc)
        rc = read_far(r->s, -1, &far, TRAVERSE_DOCUMENT, e);
    free(far.v);
    return rc;
}

static void reader_close(struct reader *r)
{
    stream_free(r->s);
    kvz_close(r->k);
}

// Log probabilities in place of logits.
static void normalise(float *x, size_t n)
{
    double top = -INFINITY, sum = 0;
    for (size_t i = 0; i < n; i++)
        top = fmax(top, (double)x[i]);
    for (size_t i = 0; i < n; i++)
        sum += exp((double)x[i] - top);
    for (size_t i = 0; i < n; i++)
        x[i] = (float)((double)x[i] - top - log(sum));
}

struct loss {
    double exact, own, divergence, same;
    double apart, length; // sums of squares of the logits
    int n;
};

// A constant added to all logits says nothing.
static void count_logits(struct loss *l, const float *exact, const float *own, size_t n_vocab)
{
    double mean[2] = {0};
    for (size_t i = 0; i < n_vocab; i++) {
        mean[0] += (double)exact[i] / (double)n_vocab;
        mean[1] += (double)own[i] / (double)n_vocab;
    }
    for (size_t i = 0; i < n_vocab; i++) {
        double x = (double)exact[i] - mean[0], y = (double)own[i] - mean[1];
        l->apart += (x - y) * (x - y);
        l->length += x * x;
    }
}

static void count(struct loss *l, float *exact, float *own, size_t n_vocab, uint32_t next)
{
    size_t best[2] = {0};
    count_logits(l, exact, own, n_vocab);
    normalise(exact, n_vocab);
    normalise(own, n_vocab);
    for (size_t i = 0; i < n_vocab; i++) {
        l->divergence += exp((double)exact[i]) * ((double)exact[i] - (double)own[i]);
        best[0] = exact[i] > exact[best[0]] ? i : best[0];
        best[1] = own[i] > own[best[1]] ? i : best[1];
    }
    l->exact -= (double)exact[next];
    l->own -= (double)own[next];
    l->same += best[0] == best[1];
    l->n++;
}

// Logits of every token but the last, at OUT [n - 1][n_vocab].
static int read_on(struct model *m, struct reader *r, const uint32_t *ids, int n, float *out,
                   struct err *e)
{
    const size_t n_vocab = (size_t)model_info(m)->n_vocab;
    int rc = 0;
    for (int at = 0; at + 1 < n && !rc; at += CHUNK) {
        int take = n - 1 - at < CHUNK ? n - 1 - at : CHUNK;
        rc = forward(r->s,
                     &(struct forward){.tokens = ids + at,
                                       .n = take,
                                       .logits = out + (size_t)at * n_vocab,
                                       .n_logits = take},
                     e);
    }
    return rc;
}

// EXACT [n - 1][n_vocab] stays as it is.
static int compare(struct model *m, const float *exact, const char *path, const uint32_t *ids,
                   int n, float *own, float *scratch, struct err *e)
{
    const size_t n_vocab = (size_t)model_info(m)->n_vocab;
    struct reader r;
    struct loss l = {0};
    int rc = reader_open(&r, m, path, e);
    if (!rc)
        rc = read_on(m, &r, ids, n, own, e);
    for (int i = 0; i + 1 < n && !rc; i++) {
        memcpy(scratch, exact + (size_t)i * n_vocab, n_vocab * sizeof *scratch);
        count(&l, scratch, own + (size_t)i * n_vocab, n_vocab, ids[i + 1]);
    }
    if (!rc)
        printf("%s,%llu,%llu,%d,%.4f,%.4f,%.5f,%.6f,%.4f,%.5f\n", path,
               (unsigned long long)kvz_file_bytes(r.k), (unsigned long long)kvz_n_tokens(r.k), l.n,
               exp(l.exact / l.n), exp(l.own / l.n), exp((l.own - l.exact) / l.n) - 1,
               l.divergence / l.n, l.same / l.n, sqrt(l.apart / l.length));
    fflush(stdout);
    reader_close(&r);
    return rc;
}

static int compare_all(struct model *m, const char *exact, char **paths, int n_paths,
                       const uint32_t *ids, int n, struct err *e)
{
    const size_t n_vocab = (size_t)model_info(m)->n_vocab, all = (size_t)TOKENS * n_vocab;
    float *own = mem_new(2 * all + n_vocab, sizeof *own, e), *of_exact = own ? own + all : NULL;
    struct reader r = {0};
    int rc = own ? reader_open(&r, m, exact, e) : ERR_NOMEM;
    if (!rc)
        rc = read_on(m, &r, ids, n, of_exact, e);
    reader_close(&r);
    for (int i = 0; i < n_paths && !rc; i++)
        rc = compare(m, of_exact, paths[i], ids, n, own, own + 2 * all, e);
    free(own);
    return rc;
}

int main(int argc, char **argv)
{
    struct err e = {0};
    struct device *d = NULL;
    struct model *m = NULL;
    struct file_map text = {0};
    struct tok_list l = {0};
    if (argc < 5) {
        fputs(USAGE, stderr);
        return 2;
    }
    int rc = device_open(&d, &(struct device_options){.name = "cpu", .exact = 1}, NULL, 0, &e);
    if (!rc && !(rc = model_open(&m, argv[1], d, &e)) && !(rc = file_map(&text, argv[2], &e)))
        rc = tok_encode(m->tok, (const char *)text.data, text.bytes, TOK_PLAIN, &l, &e);
    int n = l.n < TOKENS ? (int)l.n : TOKENS;
    uint32_t *ids = mem_new(TOKENS, sizeof *ids, &e);
    for (int i = 0; i < n && ids; i++)
        ids[i] = l.v[i].id;
    if (!rc && ids)
        rc = compare_all(m, argv[3], argv + 4, argc - 4, ids, n, &e);
    if (rc || !ids)
        fprintf(stderr, "kv-loss: %s\n", e.msg);
    free(ids);
    tok_list_free(&l);
    file_unmap(&text);
    model_close(m);
    device_close(d);
    return rc || !ids;
}
