// Calibration: needles are hidden in text, every head is asked for them, and the best heads make a
// profile.
#include "engine/calibrate/calibrate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/calibrate/measure.h"
#include "engine/method/span.h"
#include "engine/model/profile.h"
#include "io/clock.h"
#include "io/mem.h"

enum {
    HEADS_MAX = 16,
    KV_BITS = 210, // hundredths of a bit, the default
    NOTE = 64,
};
// A head finds needles if it ranks the right block better by this than the blocks that answer other
// questions, in the mean logarithm of the rank. For 24 random ranks this mean varies by 0.2.
static const double LIFT = 0.8;
// Indexes of the usual division of blocks, and by how much another one has to be better in the mean
// log rank.
enum { USUAL_THETA = 2, USUAL_PHI = 1 };
static const double CLEAR = 0.15;
// A chosen head also has to be half as good as the best one.
static const double HALF = 0.5;

// ----------------------------------------------------------------------------------- the choice

static double lift(const struct calibrate_head *h)
{
    return h->others - h->rank;
}

static int by_lift(const void *a, const void *b)
{
    const struct calibrate_head *x = a, *y = b;
    if (lift(x) != lift(y))
        return lift(x) < lift(y) ? 1 : -1;
    return x->layer != y->layer ? x->layer - y->layer : x->head - y->head;
}

static int by_weight(const void *a, const void *b)
{
    const struct calibrate_head *x = a, *y = b;
    if (x->weight != y->weight)
        return x->weight < y->weight ? 1 : -1;
    return by_lift(a, b);
}

int calibrate_choose(struct calibrate_head *r, int n)
{
    qsort(r, (size_t)n, sizeof *r, by_lift);
    double least = fmax(LIFT, HALF * lift(&r[0]));
    int count = 0;
    for (int i = 0; i < n; i++) {
        int good = lift(&r[i]) >= least && count < HEADS_MAX;
        for (int j = 0; j < i && good; j++)
            good = r[j].layer != r[i].layer;
        r[i].weight = good ? pow(lift(&r[i]) / lift(&r[0]), 2) : 0;
        count += good;
    }
    qsort(r, (size_t)n, sizeof *r, by_weight);
    return count;
}

int calibrate_sharpen(const int right[SHARPENS][N_READ_MODES])
{
    int best = 0, most = 0;
    for (int i = 0; i < SHARPENS; i++) {
        int sum = 0;
        for (int mode = READ_CACHED; mode < N_READ_MODES; mode++)
            sum += read_text_only((enum read_mode)mode) ? 0 : right[i][mode];
        best = sum > most ? i : best;
        most = sum > most ? sum : most;
    }
    return best;
}

// The stored keys and values cost no reading, so another mode has to answer two more of 24
// questions.
enum read_mode calibrate_read(const int right[], int asked)
{
    // Of equally good modes, the one that reads least comes first.
    static const enum read_mode others[] = {READ_CACHED_SENTENCES, READ_SENTENCES, READ_BOTH,
                                            READ_FRESH};
    enum read_mode best = others[0];
    for (size_t i = 1; i < sizeof others / sizeof *others; i++)
        best = right[others[i]] > right[best] ? others[i] : best;
    return (right[best] - right[READ_CACHED]) * 12 >= (asked ? asked : 1) ? best : READ_CACHED;
}

// ------------------------------------------------------------------------------ what was measured

// The mean log rank that a head, asked the question O, gives to the blocks that answer other
// questions about the same text; Z are its scores.
static double rank_of_others(const struct measure *b, const struct opinions *o, const float *z)
{
    double sum = 0;
    int n = 0;
    for (int i = 0; i < b->n_q; i++) {
        const struct opinions *x = &b->q[i];
        if (x->document != o->document || x->needle == o->needle)
            continue;
        sum += log(measure_rank(z, o->n_blocks, x->from, x->to));
        n++;
    }
    return n ? sum / n : 0;
}

static void rank_heads(const struct measure *b, struct calibrate_result *r)
{
    for (int i = 0; i < b->n_q; i++) {
        const struct opinions *o = &b->q[i];
        for (int h = 0; h < r->n; h++) {
            const float *z = o->z + (size_t)h * (size_t)o->n_blocks;
            double rank = log(measure_rank(z, o->n_blocks, o->from, o->to)) / (b->n_q / 2);
            if (o->paraphrased) {
                r->v[h].rank += rank;
                r->v[h].others += rank_of_others(b, o, z) / (b->n_q / 2);
            } else {
                r->v[h].words += rank;
            }
        }
    }
}

static int result_of(const struct measure *b, struct calibrate_result *r, struct err *e)
{
    free(r->v);
    r->n = b->n_heads;
    r->questions = b->n_q;
    r->copied = b->n_copied;
    r->copyable = b->n_steps;
    r->tokens = b->n_tokens;
    r->asked = b->n_read;
    int sharpen = calibrate_sharpen(b->right);
    for (int mode = READ_CACHED; mode < N_READ_MODES; mode++)
        r->right[mode] = b->right[read_text_only((enum read_mode)mode) ? 0 : sharpen][mode];
    r->sharpen = measure_sharpens[sharpen];
    r->read = calibrate_read(r->right, r->asked);
    if (!(r->v = mem_new((size_t)r->n, sizeof *r->v, e)))
        return ERR_NOMEM;
    for (int i = 0; i < r->n; i++) {
        struct calibrate_head *h = &r->v[i];
        h->layer = i / b->m->info.n_heads;
        h->head = i % b->m->info.n_heads;
        h->copy = b->n_copied ? (double)b->copies[i] / b->n_copied : 0;
    }
    rank_heads(b, r);
    r->chosen = calibrate_choose(r->v, r->n);
    return 0;
}

void calibrate_division(const double rank[SPAN_THETAS][SPAN_PHIS], int *theta, int *phi)
{
    int best_theta = USUAL_THETA, best_phi = USUAL_PHI;
    for (int t = 0; t < SPAN_THETAS; t++)
        for (int p = 0; p < SPAN_PHIS; p++)
            if (rank[t][p] < rank[best_theta][best_phi]) {
                best_theta = t;
                best_phi = p;
            }
    int clear = rank[USUAL_THETA][USUAL_PHI] - rank[best_theta][best_phi] >= CLEAR;
    *theta = clear ? best_theta : USUAL_THETA;
    *phi = clear ? best_phi : USUAL_PHI;
}

double calibrate_lambda(const double *length, const double *ratio, int n, double most)
{
    for (double lambda = 1; lambda <= 20; lambda += 0.25) {
        double vectors = 0;
        for (int i = 0; i < n; i++)
            vectors += fmin(length[i], fmax(1, ceil(length[i] * exp(-lambda * (1 - ratio[i])))));
        if (vectors <= most)
            return lambda;
    }
    return 0;
}

// Puts the measurements of spans into the layers of R.
static int layers_of(const struct measure *b, const struct measure_spans *s,
                     struct calibrate_result *r, struct err *e)
{
    r->n_layers = b->m->info.n_layers;
    if (!(r->layers = mem_new((size_t)r->n_layers, sizeof *r->layers, e)))
        return ERR_NOMEM;
    for (int l = 0; l < r->n_layers; l++)
        r->layers[l].entropy = s->entropy[l] / s->n_q;
    for (int i = 0; i < s->n; i++) {
        struct calibrate_layer *to = &r->layers[s->heads[i].layer];
        double mean[SPAN_THETAS][SPAN_PHIS];
        int t, p;
        for (t = 0; t < SPAN_THETAS; t++)
            for (p = 0; p < SPAN_PHIS; p++)
                mean[t][p] = s->v[i].rank[t][p] / s->n_q;
        calibrate_division(mean, &t, &p);
        const struct measured_lengths *x = &s->v[i].spans[t][p];
        to->theta = span_thetas[t];
        to->phi = span_phis[p];
        to->lambda =
            calibrate_lambda(x->length, x->ratio, x->n, (double)s->n_blocks * SPAN_VECTORS);
    }
    return 0;
}

static void report(const struct measure *b, struct calibrate_result *r, int done, double start)
{
    const struct calibrate_options *o = b->o;
    r->seconds = clock_seconds() - start;
    r->tokens = b->n_tokens;
    if (o->progress)
        o->progress(o->arg,
                    &(struct calibrate_progress){.tokens = b->n_tokens,
                                                 .done = done,
                                                 .total = 2 * (b->documents + b->m->info.n_layers),
                                                 .seconds = r->seconds});
}

static int measure_division(struct measure *b, struct calibrate_result *r, double start,
                            struct err *e)
{
    struct measure_spans *s;
    int rc = measure_spans_new(&s, b, r->v, r->chosen, e), n = b->n_documents;
    for (int i = 0; !rc && i < n; i++) {
        rc = measure_spans(b, s, i, e);
        report(b, r, b->documents + i + 1, start);
        if (b->o->seconds > 0 && r->seconds >= b->o->seconds)
            break;
    }
    if (!rc)
        rc = layers_of(b, s, r, e);
    measure_spans_free(s);
    return rc;
}

struct timed {
    const struct measure *b;
    struct calibrate_result *r;
    double start;
};

// Called when layer DONE is done; returns whether there is time for more.
static int more(void *arg, int done)
{
    const struct timed *t = arg;
    const double limit = t->b->o->seconds;
    report(t->b, t->r, 2 * t->b->documents + done, t->start);
    return !(limit > 0 && t->r->seconds >= limit);
}

static int measure_document(struct measure *b, int i, struct err *e)
{
    int rc = measure_asking(b, i, e);
    if (!rc)
        rc = measure_copying(b, i, e);
    b->n_documents++;
    return rc;
}

static int measure_all(struct measure *b, struct calibrate_result *r, struct err *e)
{
    const struct calibrate_options *o = b->o;
    double start = clock_seconds();
    for (int i = 0; i < b->documents; i++) {
        int rc = measure_document(b, i, e);
        if (!rc)
            rc = result_of(b, r, e);
        if (rc)
            return rc;
        report(b, r, i + 1, start);
        // If no head finds anything in a whole text, more texts will not help.
        if (!r->chosen || (o->seconds > 0 && r->seconds >= o->seconds))
            break;
    }
    int rc = measure_division(b, r, start, e);
    if (rc || (o->seconds > 0 && r->seconds >= o->seconds))
        return rc;
    const uint32_t bits = o->kv_bits > 0 ? (uint32_t)(o->kv_bits * 100 + 0.5) : KV_BITS;
    return calibrate_storing(b, &r->storing, bits, more, &(struct timed){b, r, start}, e);
}

// ------------------------------------------------------------------------------------ the profile

static int write_profile(const struct measure *b, const char *out, const struct calibrate_result *r,
                         struct err *e)
{
    const struct model_info *f = &b->m->info;
    size_t n = (size_t)r->chosen;
    char name[HEADS_NAME_MAX], about[192];
    struct head *v = mem_new(n, sizeof *v, e);
    const char **notes = mem_new(n, sizeof *notes, e);
    char(*texts)[NOTE] = mem_new(n, sizeof *texts, e);
    int rc = v && notes && texts ? 0 : ERR_NOMEM;
    for (size_t i = 0; !rc && i < n; i++) {
        const struct calibrate_head *h = &r->v[i];
        v[i] = (struct head){h->layer, h->head, (float)h->weight};
        notes[i] = texts[i];
        snprintf(texts[i], NOTE, "rank %.2f, others %.2f, words %.2f, copy %.2f", h->rank,
                 h->others, h->words, h->copy);
    }
    snprintf(
        about, sizeof about,
        "made by lctool calibrate: %d questions, %d of %d tokens copied; of %d answers right, %d "
        "cached, %d fresh, %d both, %d sentences, %d cached-sentences",
        r->questions, r->copied, r->copyable, r->asked, r->right[READ_CACHED], r->right[READ_FRESH],
        r->right[READ_BOTH], r->right[READ_SENTENCES], r->right[READ_CACHED_SENTENCES]);
    snprintf(name, sizeof name, "%s", *f->name ? f->name : "calibrated");
    struct heads_spans *spans = mem_new((size_t)r->n_layers, sizeof *spans, e);
    float *entropy = mem_new((size_t)r->n_layers, sizeof *entropy, e);
    if (!rc && (!spans || !entropy))
        rc = ERR_NOMEM;
    for (int l = 0; !rc && l < r->n_layers; l++) {
        const struct calibrate_layer *x = &r->layers[l];
        spans[l] = (struct heads_spans){(float)x->theta, (float)x->phi, (float)x->lambda};
        entropy[l] = (float)x->entropy;
    }
    if (!rc)
        rc = profile_write(out, b->o->was,
                           &(struct heads){.name = name,
                                           .arch = f->arch,
                                           .n_layers = f->n_layers,
                                           .n_heads = f->n_heads,
                                           .n_kv_heads = f->n_kv_heads,
                                           .n_embd = f->n_embd,
                                           .model = f->digest,
                                           .distance = MEASURE_DISTANCE,
                                           .read = r->asked ? r->read : READ_DEFAULT,
                                           .sharpen = r->asked ? r->sharpen : 0,
                                           .layers = spans,
                                           .steps = r->storing.steps,
                                           .near = r->storing.near,
                                           .entropy = entropy,
                                           .n = r->chosen,
                                           .v = v},
                           about, notes, e);
    free(v);
    free(notes);
    free(texts);
    free(spans);
    free(entropy);
    return rc;
}

int calibrate_check(const struct calibrate_options *o, struct err *e)
{
    char *text = NULL;
    size_t bytes;
    const int rc = o->text ? measure_text(o->text, &text, &bytes, e) : 0;
    free(text);
    return rc;
}

int calibrate(struct model *m, const char *out, const struct calibrate_options *o,
              struct calibrate_result *r, struct err *e)
{
    struct measure *b;
    *r = (struct calibrate_result){0};
    int rc = measure_new(&b, m, o, e);
    if (rc)
        return rc;
    rc = measure_all(b, r, e);
    if (!rc)
        rc = write_profile(b, out, r, e);
    measure_free(b);
    if (rc)
        calibrate_result_done(r);
    return rc;
}

void calibrate_result_done(struct calibrate_result *r)
{
    free(r->v);
    free(r->layers);
    calibrate_storing_done(&r->storing);
    *r = (struct calibrate_result){0};
}
