// Stores the keys and values of an index with another recipe, as if it had been encoded with it.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cache/kvz.h"
#include "engine/model/heads.h"
#include "io/mem.h"

static const char USAGE[] =
    "usage: kvz-recode IN.kvz OUT.kvz CODEC K_BITS V_BITS [alike|layers] [LAYER.KV_HEAD...]\n"
    "alike: all heads with equal steps, whatever the model's profile says; layers: those of a "
    "layer, the mean\n"
    "of what it says. Heads: those whose keys and values are stored of sinks only.\n"
    "Best from an index with 16 bits: what IN has lost stays lost.\n"
    "Prints bytes of the file, its ratio to 16 bits, the relative squared error of keys and of\n"
    "values, the GB/s of 16-bit keys and values that one core decodes, and the GB/s that memcpy "
    "copies.\n";

static int fail(const struct err *e)
{
    fprintf(stderr, "kvz-recode: %s\n", e->msg);
    return 1;
}

struct room { // of one block
    float **k, **v, **mass, **vectors;
    uint32_t *ids, *token_bytes, *n_vectors;
    uint8_t **vector_token;
    char *text;
    size_t text_cap;
};

static float **rows(size_t n, size_t each, struct err *e)
{
    float **p = mem_new(n + 1, sizeof *p, e);
    for (size_t i = 0; p && i < n; i++)
        if (!(p[i] = mem_new(each, sizeof **p, e)))
            return NULL;
    return p;
}

static int new_room(struct room *r, const struct kvz *k, struct err *e)
{
    const struct kvz_meta *m = kvz_meta(k);
    size_t kv = (size_t)m->n_kv_heads * m->block * m->head_dim;
    uint32_t dim = 1;
    struct kvz_run run;
    for (uint32_t c = 0; c < m->n_channels; c++) {
        int rc = kvz_run(k, c, &run, e);
        if (rc)
            return rc;
        dim = run.channel.dim > dim ? run.channel.dim : dim;
    }
    *r = (struct room){.k = rows(m->n_layers, kv, e),
                       .v = rows(m->n_layers, kv, e),
                       .mass = rows(m->n_layers, m->block, e),
                       .vectors = rows(m->n_channels, (size_t)255 * dim, e),
                       .ids = mem_new(m->block, sizeof *r->ids, e),
                       .token_bytes = mem_new(m->block, sizeof *r->token_bytes, e),
                       .n_vectors = mem_new(m->n_channels + 1, sizeof *r->n_vectors, e),
                       .vector_token = mem_new(m->n_channels + 1, sizeof *r->vector_token, e)};
    return r->k && r->v && r->mass && r->vectors && r->ids && r->token_bytes && r->n_vectors &&
                   r->vector_token
               ? 0
               : ERR_NOMEM;
}

static int copy_block(const struct kvz *k, uint64_t block, struct room *r, struct kvz_writer *w,
                      struct err *e)
{
    const struct kvz_meta *m = kvz_meta(k);
    struct kvz_block b;
    int rc = kvz_block(k, block, &b, e);
    if (rc || (rc = MEM_GROW(r->text, r->text_cap, b.end - b.start + 1, e)) ||
        (rc = kvz_read_tokens(k, block, r->ids, r->token_bytes, e)) ||
        (rc = kvz_read_text(k, block, r->text, e)))
        return rc;
    for (uint32_t l = 0; l < m->n_layers; l++)
        if ((rc = kvz_read_kv(k, block, l, r->k[l], r->v[l], m->block, e)) ||
            (rc = kvz_read_mass(k, block, r->mass[l], e)))
            return rc;
    for (uint32_t c = 0; c < m->n_channels; c++) {
        struct kvz_run run;
        if ((rc = kvz_run(k, c, &run, e)))
            return rc;
        uint64_t at = run.start[block];
        r->n_vectors[c] = (uint32_t)(run.start[block + 1] - at);
        r->vector_token[c] = (uint8_t *)(uintptr_t)(run.token + at);
        for (uint64_t i = 0; i < r->n_vectors[c]; i++)
            for (uint32_t d = 0; d < run.channel.dim; d++)
                r->vectors[c][i * run.channel.dim + d] =
                    (float)run.vectors[(at + i) * run.channel.dim + d] * run.scale[at + i];
    }
    return kvz_add_block(w,
                         &(struct kvz_block_in){
                             .n_tokens = b.n_tokens,
                             .flags = b.flags,
                             .tokens = r->ids,
                             .token_bytes = r->token_bytes,
                             .text = r->text,
                             .k = (const float *const *)r->k,
                             .v = (const float *const *)r->v,
                             .kv_stride = m->block,
                             .mass = (const float *const *)r->mass,
                             .vectors = (const float *const *)r->vectors,
                             .n_vectors = r->n_vectors,
                             .vector_token = (const uint8_t *const *)r->vector_token,
                         },
                         e);
}

// The built-in profile of a model of this shape.
static const struct heads *profile_of(const struct kvz_meta *m)
{
    const struct heads *h;
    for (size_t i = 0; (h = heads_at(i)); i++)
        if (!strcmp(h->arch, m->arch) && (uint32_t)h->n_layers == m->n_layers &&
            (uint32_t)h->n_heads == m->n_heads && (uint32_t)h->n_kv_heads == m->n_kv_heads)
            return h;
    return NULL;
}

enum sharing { SHARE_NONE, SHARE_LAYERS, SHARE_ALL }; // who has a step in common

static void steps_of(const struct kvz_meta *m, enum sharing sharing, float *steps)
{
    const size_t heads = m->n_kv_heads;
    heads_steps(sharing == SHARE_ALL ? NULL : profile_of(m), (int)m->n_layers, (int)heads, steps);
    for (size_t part = 0; sharing == SHARE_LAYERS && part < 2 * m->n_layers; part++) {
        double sum = 0;
        for (size_t h = 0; h < heads; h++)
            sum += log((double)steps[part * heads + h]);
        for (size_t h = 0; h < heads; h++)
            steps[part * heads + h] = (float)exp(sum / (double)heads);
    }
}

// As many tokens of the front as an encoder has in its window when the first block leaves it.
static int sample(const struct kvz *k, struct kvz_writer *w, enum sharing sharing,
                  const uint8_t *near, struct err *e)
{
    const struct kvz_meta *m = kvz_meta(k);
    const uint64_t want = m->window + m->sinks, all = kvz_n_tokens(k);
    const uint32_t n = (uint32_t)(all < want ? all : want), stride = n + m->block;
    const size_t row = m->head_dim;
    float *steps = mem_new(2 * (size_t)m->n_layers, m->n_kv_heads * sizeof *steps, e);
    float **kk = rows(m->n_layers, m->n_kv_heads * row * stride, e);
    float **vv = rows(m->n_layers, m->n_kv_heads * row * stride, e);
    uint32_t at = 0;
    int rc = kk && vv && steps ? 0 : ERR_NOMEM;
    if (!rc)
        steps_of(m, sharing, steps);
    for (uint64_t b = 0; at < n && !rc; b++) {
        struct kvz_block info;
        rc = kvz_block(k, b, &info, e);
        for (uint32_t l = 0; l < m->n_layers && !rc; l++)
            rc = kvz_read_kv(k, b, l, kk[l] + at * row, vv[l] + at * row, stride, e);
        at += rc ? 0 : info.n_tokens;
    }
    if (!rc)
        rc = kvz_sample(w, (const float *const *)kk, (const float *const *)vv, n, stride,
                        all <= m->window, &(struct kvz_fit){steps, near}, e);
    for (uint32_t l = 0; kk && vv && l < m->n_layers; l++) {
        free(kk[l]);
        free(vv[l]);
    }
    free(kk);
    free(vv);
    free(steps);
    return rc;
}

// The summary state, whose keys and values are the blocks'.
static int summary(const struct kvz *k, struct kvz_writer *w, struct err *e)
{
    const size_t lanes = (size_t)kvz_meta(k)->n_layers * kvz_meta(k)->n_kv_heads;
    struct kvz_summary s;
    int rc = kvz_summary(k, &s, e);
    if (rc || !s.n)
        return rc;
    s.own_kv = 0;
    uint32_t *token = mem_new(lanes * s.n, sizeof *token, e);
    float *score = mem_new(lanes * s.n, sizeof *score, e);
    rc = token && score ? kvz_read_summary(k, token, score, e) : ERR_NOMEM;
    if (!rc)
        rc = kvz_put_summary(w, &s, token, score, e);
    free(token);
    free(score);
    return rc;
}

// Marks the head that NAME, LAYER.KV_HEAD, stands for.
static int mark(const struct kvz_meta *m, const char *name, uint8_t *near, struct err *e)
{
    unsigned layer, head;
    if (sscanf(name, "%u.%u", &layer, &head) != 2 || layer >= m->n_layers || head >= m->n_kv_heads)
        return err_set(e, ERR_USAGE, "'%s' is not LAYER.KV_HEAD", name);
    near[layer * m->n_kv_heads + head] = 1;
    return 0;
}

static int recode(const struct kvz *k, const char *out, const struct kvz_recipe *recipe,
                  enum sharing sharing, char **heads, int n_heads, struct err *e)
{
    struct kvz_meta m = *kvz_meta(k);
    m.recipe = *recipe;
    struct kvz_channel *channels = mem_new(m.n_channels + 1, sizeof *channels, e);
    struct kvz_writer *w;
    struct room r;
    int rc = channels ? new_room(&r, k, e) : ERR_NOMEM;
    for (uint32_t c = 0; !rc && c < m.n_channels; c++) {
        struct kvz_run run;
        rc = kvz_run(k, c, &run, e);
        channels[c] = run.channel;
    }
    if (rc || (rc = kvz_create(&w, out, &m, channels, e)))
        return rc;
    uint8_t *near = mem_new((size_t)m.n_layers * m.n_kv_heads, 1, e);
    if (!near)
        rc = ERR_NOMEM;
    for (int i = 0; i < n_heads && !rc; i++)
        rc = mark(&m, heads[i], near, e);
    if (!rc && kvz_wants_sample(w))
        rc = sample(k, w, sharing, near, e);
    free(near);
    for (uint64_t i = 0; !rc && i < kvz_n_documents(k); i++) {
        struct kvz_document d;
        if ((rc = kvz_document(k, i, &d, e)) || (rc = kvz_begin_document(w, d.name, d.format, e)))
            break;
        for (uint64_t b = 0; b < d.n_blocks && !rc; b++)
            rc = copy_block(k, d.first_block + b, &r, w, e);
        if (!rc)
            rc = kvz_end_document(w, d.bytes, d.digest, e);
    }
    if (!rc)
        rc = summary(k, w, e);
    if (!rc)
        rc = kvz_finish(w, NULL, e);
    kvz_writer_close(w);
    return rc;
}

static double squares(const float *a, const float *b, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        double x = (double)a[i] - (b ? b[i] : 0);
        sum += x * x;
    }
    return sum;
}

// GB/s, the best of five.
static double copy_speed(struct err *e)
{
    enum { BYTES = 64 << 20 };
    uint8_t *from = mem_new(BYTES, 1, e), *to = mem_new(BYTES, 1, e);
    double best = 0;
    for (int i = 0; from && to && i < 5; i++) {
        memset(from, i + 1, BYTES);
        memset(to, 0, BYTES);
        clock_t start = clock();
        memcpy(to, from, BYTES);
        double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
        if (to[BYTES - 1] == i + 1 && BYTES / seconds / 1e9 > best)
            best = BYTES / seconds / 1e9;
    }
    free(from);
    free(to);
    return best;
}

// GB/s of 16-bit keys and values, of blocks decoded as a stream has them: four of a layer at a
// time.
static int decode_speed(const struct kvz *k, double *speed, struct err *e)
{
    enum { SIDE = 4 };
    const struct kvz_meta *m = kvz_meta(k);
    const size_t n = (size_t)m->n_kv_heads * m->block * m->head_dim;
    float *x = mem_new(2 * SIDE, n * sizeof *x, e);
    struct kvz_kv to[SIDE];
    int rc = x ? 0 : ERR_NOMEM;
    clock_t start = clock();
    for (uint32_t l = 0; l < m->n_layers && !rc; l++)
        for (uint64_t b = 0; b < kvz_n_blocks(k) && !rc; b += SIDE) {
            size_t some = 0;
            for (; some < SIDE && b + some < kvz_n_blocks(k); some++)
                to[some] =
                    (struct kvz_kv){b + some, x + 2 * some * n, x + (2 * some + 1) * n, m->block};
            rc = kvz_read_kvs(k, l, to, some, e);
        }
    const double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    *speed =
        (double)kvz_n_tokens(k) * m->n_layers * m->n_kv_heads * m->head_dim * 4 / seconds / 1e9;
    free(x);
    return rc;
}

static int compare(const struct kvz *a, const struct kvz *b, struct err *e)
{
    const struct kvz_meta *m = kvz_meta(a);
    size_t heads = m->n_kv_heads, row = m->head_dim, n = heads * m->block * row;
    float *x[4];
    double error[2] = {0}, power[2] = {0}, speed;
    for (int i = 0; i < 4; i++)
        if (!(x[i] = mem_new(n, sizeof *x[i], e)))
            return ERR_NOMEM;
    for (uint64_t i = 0; i < kvz_n_blocks(a); i++) {
        struct kvz_block info;
        int rc = kvz_block(a, i, &info, e);
        for (uint32_t l = 0; l < m->n_layers && !rc; l++) {
            if ((rc = kvz_read_kv(a, i, l, x[0], x[1], info.n_tokens, e)) ||
                (rc = kvz_read_kv(b, i, l, x[2], x[3], info.n_tokens, e)))
                break;
            size_t here = heads * info.n_tokens * row;
            for (int j = 0; j < 2 && !(info.flags & KVZ_SINK); j++) {
                error[j] += squares(x[j], x[j + 2], here);
                power[j] += squares(x[j], NULL, here);
            }
        }
        if (rc)
            return rc;
    }
    int rc = decode_speed(b, &speed, e);
    if (rc)
        return rc;
    double kv16 = (double)kvz_n_tokens(b) * m->n_layers * (double)(heads * row) * 4;
    printf("%llu,%.1f,%.3f,%.5f,%.5f,%.2f,%.2f\n", (unsigned long long)kvz_file_bytes(b),
           (double)kvz_file_bytes(b) / (double)kvz_n_tokens(b), kv16 / (double)kvz_file_bytes(b),
           error[0] / power[0], error[1] / power[1], speed, copy_speed(e));
    return 0;
}

int main(int argc, char **argv)
{
    struct err e;
    struct kvz *in, *out;
    const char *word = argc > 6 ? argv[6] : "";
    const enum sharing sharing = !strcmp(word, "alike")    ? SHARE_ALL
                                 : !strcmp(word, "layers") ? SHARE_LAYERS
                                                           : SHARE_NONE;
    const int first = 6 + (sharing != SHARE_NONE);
    if (argc < 6) {
        fputs(USAGE, stderr);
        return 2;
    }
    struct kvz_recipe r = {.codec = (uint32_t)atoi(argv[3]),
                           .k_bits = (uint32_t)atoi(argv[4]),
                           .v_bits = (uint32_t)atoi(argv[5]),
                           .level = 1};
    if (kvz_open(&in, argv[1], &e) ||
        recode(in, argv[2], &r, sharing, argv + first, argc - first, &e) ||
        kvz_open(&out, argv[2], &e) || compare(in, out, &e))
        return fail(&e);
    kvz_close(in);
    kvz_close(out);
    return 0;
}
