// The pass: texts into batches of rows, each row a token, and rows into vectors.
#include <math.h>
#include <string.h>

#include "engine/embed/embedder_impl.h"
#include "engine/embed/wordpiece.h"
#include "kernels/vectors.h"

size_t embedder_lay(struct embedder *x, int n)
{
    struct embedder_scratch *s = &x->s;
    enum { LINE = 64 / sizeof(float) };
    const int wide = x->info.n_embd;
    const struct {
        float **p;
        int width;
    } rows[] = {{&s->x, wide}, {&s->q, wide},      {&s->att, wide},    {&s->k, wide},
                {&s->v, wide}, {&s->k_rows, wide}, {&s->v_rows, wide}, {&s->h, x->info.n_ff}};
    size_t at = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        *rows[i].p = s->all ? s->all + at : NULL;
        at += ((size_t)n * (size_t)rows[i].width + LINE - 1) / LINE * LINE;
    }
    return at;
}

// The texts of a pass: text I has the rows start[i] .. start[i + 1] - 1.
struct batch {
    int n, start[EMBED_TEXTS + 1];
    int rows; // at least device.many: the rows past the last text's are of no text
};

// ---- Rows

static float sum_of(const floats4 s[4])
{
    const floats4 t = (s[0] + s[1]) + (s[2] + s[3]);
    return (t[0] + t[1]) + (t[2] + t[3]);
}

// X [n] = (X - mean) / sqrt(variance + EPS) * weight + bias
static void norm_row(float *x, size_t n, const struct embedder_norm *w, float eps)
{
    enum { STEP = 16 };
    const size_t whole = n / STEP * STEP;
    floats4 s[4] = {{0}}, q[4] = {{0}};
    float sum = 0, square = 0;
    for (size_t i = 0; i < whole; i += STEP)
        for (size_t j = 0; j < 4; j++)
            s[j] += load_floats4(x + i + 4 * j);
    for (size_t i = whole; i < n; i++)
        sum += x[i];
    const float mean = (sum_of(s) + sum) / (float)n;
    for (size_t i = 0; i < whole; i += STEP)
        for (size_t j = 0; j < 4; j++) {
            const floats4 d = load_floats4(x + i + 4 * j) - mean;
            q[j] += d * d;
        }
    for (size_t i = whole; i < n; i++)
        square += (x[i] - mean) * (x[i] - mean);
    const float scale = 1 / sqrtf((sum_of(q) + square) / (float)n + eps);
    for (size_t i = 0; i < whole; i += 4)
        store_floats4(x + i, (load_floats4(x + i) - mean) * scale * load_floats4(w->weight + i) +
                                 load_floats4(w->bias + i));
    for (size_t i = whole; i < n; i++)
        x[i] = (x[i] - mean) * scale * w->weight[i] + w->bias[i];
}

static void norm_rows(struct embedder *x, const struct embedder_norm *w, int n)
{
    const size_t wide = (size_t)x->info.n_embd;
    for (size_t i = 0; i < (size_t)n; i++)
        norm_row(x->s.x + i * wide, wide, w, x->eps);
}

// x = norm(word + place); rows of no text are 0.
static void embed_rows(struct embedder *x, const struct batch *b)
{
    const size_t wide = (size_t)x->info.n_embd;
    const int n = b->start[b->n];
    float *row = x->s.x;
    x->device->ops->embed(x->device, row, &x->embd, x->s.ids, n, 1);
    for (int t = 0; t < b->n; t++) {
        const size_t all = (size_t)(b->start[t + 1] - b->start[t]) * wide;
        for (size_t i = 0; i < all; i++)
            row[i] += x->places[i];
        row += all;
    }
    norm_rows(x, &x->norm, n);
    const size_t rest = (size_t)(b->rows - n) * wide;
    memset(row, 0, rest * sizeof *row);
    memset(x->s.att + (size_t)n * wide, 0, rest * sizeof *row);
}

// ---- Layers

static void attend_texts(struct embedder *x, const struct batch *b)
{
    struct embedder_scratch *s = &x->s;
    const size_t wide = (size_t)x->info.n_embd, dim = (size_t)x->head_dim;
    for (int t = 0; t < b->n; t++) {
        const size_t first = (size_t)b->start[t];
        const int n = b->start[t + 1] - b->start[t];
        s->piece[t] = (struct attend_piece){
            .k = s->k + first * dim, .v = s->v + first * dim, .n = n, .stride = b->rows};
        s->attend[t] = (struct attend){
            .q = s->q + first * wide,
            .out = s->att + first * wide,
            .n_q = n,
            .n_heads = x->info.n_heads,
            .n_kv_heads = x->info.n_heads,
            .head_dim = x->head_dim,
            .rope_dim = x->head_dim,
            .scale = 1 / sqrtf((float)x->head_dim),
            .pieces = &s->piece[t],
            .n_pieces = 1,
        };
    }
    device_attend_all(x->device, s->attend, b->n);
}

static void run_layer(struct embedder *x, const struct embedder_layer *y, const struct batch *b)
{
    struct device *d = x->device;
    struct embedder_scratch *s = &x->s;
    const int n = b->rows;
    struct heads_to k = {.cache = {s->k}, .stride = {n}, .split = n, .head_dim = x->head_dim},
                    v = k;
    v.cache[0] = s->v;
    device_project(d, &(struct project){
                          .x = s->x,
                          .n = n,
                          .n_to = 3,
                          .to = {{s->q, &y->q.w, y->q.bias, NULL, NULL},
                                 {s->k_rows, &y->k.w, y->k.bias, NULL, &k},
                                 {s->v_rows, &y->v.w, y->v.bias, NULL, &v}},
                      });
    attend_texts(x, b);
    d->ops->matmul(d, s->x, &y->o.w, s->att, y->o.bias, s->x, n);
    norm_rows(x, &y->attn_norm, n);
    d->ops->matmul(d, s->h, &y->up.w, s->x, y->up.bias, NULL, n);
    d->ops->gate(d, s->h, s->ones, (size_t)n * (size_t)x->info.n_ff, ACT_GELU_TANH);
    d->ops->matmul(d, s->x, &y->down.w, s->h, y->down.bias, s->x, n);
    norm_rows(x, &y->out_norm, n);
}

// ---- Vectors

// ROWS [n][wide] into a unit vector; 0 where they make none.
static int pool_rows(const struct embedder *x, const float *rows, int n, float *out)
{
    const size_t wide = (size_t)x->info.n_embd, take = x->pooling == POOL_CLS ? 1 : (size_t)n;
    double square = 0;
    memcpy(out, rows, wide * sizeof *out);
    for (size_t i = 1; i < take; i++)
        for (size_t j = 0; j < wide; j++)
            out[j] += rows[i * wide + j];
    for (size_t j = 0; j < wide; j++)
        square += (double)out[j] * (double)out[j];
    const float scale = (float)(1 / sqrt(square));
    for (size_t j = 0; j < wide; j++)
        out[j] *= scale;
    return square > 0 && isfinite(square) && isfinite(scale);
}

static void need_ones(struct embedder *x, int n)
{
    const size_t wide = (size_t)x->info.n_ff;
    for (; x->s.n_ones < n; x->s.n_ones++)
        for (size_t j = 0; j < wide; j++)
            x->s.ones[(size_t)x->s.n_ones * wide + j] = 1;
}

static int run_batch(struct embedder *x, struct batch *b, float *out, struct err *e)
{
    const size_t wide = (size_t)x->info.n_embd;
    const int n = b->start[b->n];
    b->rows = n > x->device->many ? n : x->device->many;
    embedder_lay(x, b->rows);
    need_ones(x, b->rows);
    embed_rows(x, b);
    for (int i = 0; i < x->info.n_layers; i++)
        run_layer(x, &x->layers[i], b);
    int rc = x->device->ops->sync(x->device, e);
    for (int t = 0; !rc && t < b->n; t++)
        if (!pool_rows(x, x->s.x + (size_t)b->start[t] * wide, b->start[t + 1] - b->start[t],
                       out + (size_t)t * wide))
            rc = err_set(e, ERR_FORMAT, "%s: its weights make no vector of a text", x->path);
    return rc;
}

int embedder_texts(struct embedder *x, const char *const *texts, const size_t *lengths, int n,
                   float *out, struct err *e)
{
    const size_t wide = (size_t)x->info.n_embd;
    struct batch b = {0};
    uint32_t ids[EMBED_TOKENS];
    int rc = 0;
    for (int i = 0; !rc && i < n; i++) {
        const int some = wordpiece_encode(x->words, texts[i], lengths[i], ids, x->most);
        if (b.n == EMBED_TEXTS || b.start[b.n] + some > EMBED_ROWS) {
            rc = run_batch(x, &b, out, e);
            out += (size_t)b.n * wide;
            b.n = 0;
        }
        memcpy(x->s.ids + b.start[b.n], ids, (size_t)some * sizeof *ids);
        b.start[b.n + 1] = b.start[b.n] + some;
        b.n++;
    }
    return rc || !b.n ? rc : run_batch(x, &b, out, e);
}
