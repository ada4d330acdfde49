// What ART leaves unread, and what that does to the output: for each threshold and patience, over
// the questions of a table, the share of blocks that is read while an answer is written, and how
// far the logits are from those of an attention that reads all. Both write the same words: those of
// the latter.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/answer/reading.h"
#include "io/mem.h"

static const char USAGE[] =
    "usage: art-sweep MODEL.gguf INDEX.kvz QUESTIONS.txt TOKENS BUDGET\n"
    "One question a line; answers of TOKENS tokens; BUDGET tokens of document, 0: all.\n"
    "Prints scale,direction,patience,read,error,same: the share of the far blocks that is\n"
    "read, the relative error of the centred logits, the share of tokens that stay the "
    "likeliest.\n";

static const float SCALES[] = {0.001f, 0.01f, 0.03f, 0.1f, 0.3f};
static const float DIRECTIONS[] = {0.0001f, 0.001f, 0.01f};
static const int PATIENCES[] = {1, 2, 4, 8};
enum {
    N_SCALES = 5,
    N_DIRECTIONS = 3,
    N_PATIENCES = 4,
    N_ALL = N_SCALES * N_DIRECTIONS * N_PATIENCES
};

struct sum {
    double read, there, error, same, steps;
};

struct sweep {
    struct model *m;
    struct kvz *k;
    int tokens, budget;
    float *want;   // [tokens][n_vocab] logits without ART
    float *logits; // [n_vocab]
    uint32_t *ids; // [tokens] their likeliest tokens
    struct sum sums[N_ALL];
};

static int best_of(const float *x, int n)
{
    int best = 0;
    for (int i = 1; i < n; i++)
        best = x[i] > x[best] ? i : best;
    return best;
}

// The relative error of X against WANT, both less their mean, which changes no probability.
static double error_of(const float *x, const float *want, int n)
{
    double mx = 0, mw = 0, off = 0, all = 0;
    for (int i = 0; i < n; i++) {
        mx += (double)x[i] / n;
        mw += (double)want[i] / n;
    }
    for (int i = 0; i < n; i++) {
        double w = (double)want[i] - mw, d = (double)x[i] - mx - w;
        off += d * d;
        all += w * w;
    }
    return sqrt(off / all);
}

// The question has been read: the stream as it was then, and its logits.
struct start {
    struct stream *s;
    int n_local, off;
    int64_t n_seen;
    float *logits; // [n_vocab]
};

static int begin(struct sweep *w, const struct places *p, const struct prompt *q, struct start *at,
                 struct err *e)
{
    const struct sight o = {.window = 128, .far = p->tokens, .room = q->n + w->tokens};
    int rc = read_open(&at->s, w->m, w->k, &o, e);
    if (!rc)
        rc = read_far(at->s, -1, p, TRAVERSE_IMPORTANCE, e);
    if (!rc)
        rc = write_tokens(at->s, q->ids, q->n, at->logits, e);
    if (rc)
        return rc;
    at->n_local = at->s->n_local;
    at->off = at->s->off;
    at->n_seen = at->s->n_seen;
    return 0;
}

// Writes an answer; with ART it becomes part of SUM, else it is what others are compared with.
static int run(struct sweep *w, const struct start *at, const struct art *art, struct sum *sum,
               struct err *e)
{
    int vocab = w->m->info.n_vocab, rc = 0;
    struct stream *s = at->s;
    uint64_t read[2] = {0};
    s->n_local = at->n_local;
    s->off = at->off;
    s->n_seen = at->n_seen;
    for (int l = 0; l < w->m->info.n_layers; l++)
        s->layers[l].n_kept = 0;
    s->o.art = art ? *art : (struct art){0};
    s->o.art.read = read;
    memcpy(w->logits, at->logits, (size_t)vocab * sizeof *w->logits);
    for (int t = 0; !rc && t < w->tokens; t++) {
        float *want = w->want + (size_t)t * (size_t)vocab;
        if (!art) {
            memcpy(want, w->logits, (size_t)vocab * sizeof *want);
            w->ids[t] = (uint32_t)best_of(want, vocab);
        } else if (t) { // the first token was known before ART could end anything
            sum->error += error_of(w->logits, want, vocab);
            sum->same += best_of(w->logits, vocab) == (int)w->ids[t];
            sum->steps++;
        }
        rc = write_tokens(s, &w->ids[t], 1, w->logits, e);
    }
    if (art) {
        sum->read += (double)read[0];
        sum->there += (double)read[1];
    }
    return rc;
}

static int by_place(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    return x->block < y->block ? -1 : x->block > y->block;
}

static int choose(struct sweep *w, const char *question, struct places *p, struct err *e)
{
    struct answer a;
    struct kvz *k[] = {w->k};
    int rc = ask_choose(w->m, k, 1,
                        &(struct ask_options){.question = question,
                                              .read = READ_CACHED,
                                              .scope = "question",
                                              .budget = w->budget,
                                              .allot = w->budget ? "fixed" : "all"},
                        &a, e);
    if (rc)
        return rc;
    if (!(p->v = mem_new((size_t)a.n_choices, sizeof *p->v, e)))
        rc = ERR_NOMEM;
    for (int i = 0; !rc && i < a.n_choices; i++) { // best first
        struct kvz_block b;
        rc = kvz_block(w->k, a.choices[i].block, &b, e);
        if (b.flags & KVZ_SINK)
            continue;
        p->v[p->n] = (struct place){.k = w->k, .block = a.choices[i].block, .rank = p->n};
        p->n++;
        p->tokens += (int)b.n_tokens;
    }
    if (!rc)
        qsort(p->v, (size_t)p->n, sizeof *p->v, by_place);
    answer_done(&a);
    return rc;
}

static int sweep(struct sweep *w, const char *question, struct err *e)
{
    struct places p = {0};
    struct prompt q = {0};
    struct start at = {.logits = mem_new((size_t)w->m->info.n_vocab, sizeof *at.logits, e)};
    int rc = at.logits ? choose(w, question, &p, e) : ERR_NOMEM, n = 0;
    if (!rc)
        rc = prompt_question(&q, w->m, chat_find(kvz_meta(w->k)->template_name),
                             "According to the text above: ", question, NULL, e);
    if (!rc)
        rc = begin(w, &p, &q, &at, e);
    if (!rc)
        rc = run(w, &at, NULL, NULL, e);
    for (int i = 0; i < N_SCALES; i++)
        for (int j = 0; j < N_DIRECTIONS; j++)
            for (int l = 0; l < N_PATIENCES && !rc; l++, n++) {
                struct art art = {SCALES[i], DIRECTIONS[j], PATIENCES[l],
                                  (int)kvz_meta(w->k)->block, NULL};
                rc = run(w, &at, &art, &w->sums[n], e);
            }
    prompt_done(&q);
    stream_free(at.s);
    free(at.logits);
    free(p.v);
    return rc;
}

static void print(const struct sweep *w)
{
    int n = 0;
    puts("scale,direction,patience,read,error,same");
    for (int i = 0; i < N_SCALES; i++)
        for (int j = 0; j < N_DIRECTIONS; j++)
            for (int l = 0; l < N_PATIENCES; l++, n++) {
                const struct sum *s = &w->sums[n];
                printf("%g,%g,%d,%.4f,%.4f,%.4f\n", (double)SCALES[i], (double)DIRECTIONS[j],
                       PATIENCES[l], s->read / s->there, s->error / s->steps, s->same / s->steps);
            }
}

int main(int argc, char **argv)
{
    struct err e = {0};
    struct device *d = NULL;
    struct sweep w = {0};
    char line[1024];
    if (argc != 6) {
        fputs(USAGE, stderr);
        return 2;
    }
    w.tokens = atoi(argv[4]);
    w.budget = atoi(argv[5]);
    FILE *f = fopen(argv[3], "r");
    int rc = f ? 0 : err_io(&e, "%s", argv[3]);
    if (rc || (rc = device_open(&d, &(struct device_options){.name = "cpu"}, NULL, 0, &e)) ||
        (rc = model_open(&w.m, argv[1], d, &e)) || (rc = kvz_open(&w.k, argv[2], &e)))
        goto done;
    size_t vocab = (size_t)w.m->info.n_vocab;
    w.want = mem_new((size_t)w.tokens * vocab, sizeof *w.want, &e);
    w.logits = mem_new(vocab, sizeof *w.logits, &e);
    w.ids = mem_new((size_t)w.tokens, sizeof *w.ids, &e);
    rc = w.want && w.logits && w.ids ? 0 : ERR_NOMEM;
    while (!rc && fgets(line, sizeof line, f)) {
        line[strcspn(line, "\n")] = 0;
        if (*line)
            rc = sweep(&w, line, &e);
    }
    if (!rc)
        print(&w);
done:
    if (rc)
        fprintf(stderr, "art-sweep: %s\n", e.msg);
    free(w.want);
    free(w.logits);
    free(w.ids);
    kvz_close(w.k);
    model_close(w.m);
    device_close(d);
    if (f)
        fclose(f);
    return rc != 0;
}
