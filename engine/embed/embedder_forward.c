// The pass: texts into batches of rows, each row a token, and rows into vectors.
#include <math.h>
#include <string.h>

#include "engine/embed/embedder_impl.h"
#include "engine/embed/wordpiece.h"
#include "io/mem.h"
#include "kernels/vectors.h"

// Lays S out for a pass of N rows, or with s.all NULL only counts: returns how many floats it has.
static size_t lay(const struct embedder *x, struct embedder_scratch *s, int n)
{
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

// A pass that is run: its texts, and the device and the buffers of its thread.
struct run {
    const struct embedder *x;
    struct device *d;
    struct embedder_scratch *s;
    const struct embedder_pass *b;
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

static void norm_rows(const struct run *r, const struct embedder_norm *w, int n)
{
    const size_t wide = (size_t)r->x->info.n_embd;
    for (size_t i = 0; i < (size_t)n; i++)
        norm_row(r->s->x + i * wide, wide, w, r->x->eps);
}

// x = norm(word + place); rows of no text are 0.
static void embed_rows(const struct run *r)
{
    const struct embedder *x = r->x;
    const struct embedder_pass *b = r->b;
    const size_t wide = (size_t)x->info.n_embd;
    const int n = b->start[b->n];
    float *row = r->s->x;
    r->d->ops->embed(r->d, row, &x->embd, b->ids, n, 1);
    for (int t = 0; t < b->n; t++) {
        const size_t all = (size_t)(b->start[t + 1] - b->start[t]) * wide;
        for (size_t i = 0; i < all; i++)
            row[i] += x->places[i];
        row += all;
    }
    norm_rows(r, &x->norm, n);
    const size_t rest = (size_t)(b->rows - n) * wide;
    memset(row, 0, rest * sizeof *row);
    memset(r->s->att + (size_t)n * wide, 0, rest * sizeof *row);
}

// ---- Layers

static void attend_texts(const struct run *r)
{
    const struct embedder *x = r->x;
    const struct embedder_pass *b = r->b;
    struct embedder_scratch *s = r->s;
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
    device_attend_all(r->d, s->attend, b->n);
}

static void run_layer(const struct run *r, const struct embedder_layer *y)
{
    const struct embedder *x = r->x;
    struct device *d = r->d;
    struct embedder_scratch *s = r->s;
    const int n = r->b->rows;
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
    attend_texts(r);
    d->ops->matmul(d, s->x, &y->o.w, s->att, y->o.bias, s->x, n);
    norm_rows(r, &y->attn_norm, n);
    d->ops->matmul(d, s->h, &y->up.w, s->x, y->up.bias, NULL, n);
    d->ops->gate(d, s->h, x->ones, (size_t)n * (size_t)x->info.n_ff, ACT_GELU_TANH);
    d->ops->matmul(d, s->x, &y->down.w, s->h, y->down.bias, s->x, n);
    norm_rows(r, &y->out_norm, n);
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

// The vectors of the words of text T, whose tokens have ROWS, to OUT. Returns how many.
static int take_words(const struct embedder *x, const struct embedder_pass *b, int t,
                      const float *rows, float *out)
{
    const size_t wide = (size_t)x->info.n_embd;
    int n = 0;
    for (int i = b->start[t]; i < b->start[t + 1]; i++, rows += wide)
        if (!wordpiece_is_mark(x->words_of, b->ids[i]) &&
            pool_rows(x, rows, 1, out + (size_t)n * wide))
            n++;
    return n;
}

static void run_pass(void *ctx, struct device *d, int task, int thread)
{
    struct embedder *x = ctx;
    const size_t wide = (size_t)x->info.n_embd;
    struct embedder_pass *b = &x->pass[task];
    const struct run r = {x, d, &x->s[thread], b};
    lay(x, r.s, b->rows);
    embed_rows(&r);
    for (int i = 0; i < x->info.n_layers; i++)
        run_layer(&r, &x->layers[i]);
    int rc = d->ops->sync(d, &b->err), words = 0;
    for (int t = 0; !rc && t < b->n; t++) {
        const float *rows = r.s->x + (size_t)b->start[t] * wide;
        if (!pool_rows(x, rows, b->start[t + 1] - b->start[t], b->out + (size_t)t * wide))
            rc = err_set(&b->err, ERR_FORMAT, "%s: its weights make no vector of a text", x->path);
        if (b->words)
            words += b->n_words[t] = take_words(x, b, t, rows, b->words + (size_t)words * wide);
    }
}

// ---- Passes

static void need_ones(struct embedder *x, int n)
{
    const size_t wide = (size_t)x->info.n_ff;
    for (; x->n_ones < n; x->n_ones++)
        for (size_t j = 0; j < wide; j++)
            x->ones[(size_t)x->n_ones * wide + j] = 1;
}

// The first N passes, each by one thread: between operations of all threads these would wait for
// one another, and for what only one of them does.
static int run_passes(struct embedder *x, int n, struct err *e)
{
    const int threads = x->device->threads;
    int rc = embedder_need_scratch(x, n < threads ? 1 : threads, e);
    if (rc)
        return rc;
    for (int i = 0; i < n; i++) {
        struct embedder_pass *b = &x->pass[i];
        const int rows = b->start[b->n];
        b->rows = rows > x->device->many ? rows : x->device->many;
        b->err.code = 0;
        need_ones(x, b->rows);
    }
    x->device->ops->each(x->device, n, run_pass, x);
    for (int i = 0; i < n; i++)
        if (x->pass[i].err.code) {
            *e = x->pass[i].err;
            return e->code;
        }
    return 0;
}

int embedder_one(struct embedder *x, const char *text, size_t bytes, float *out, float *words,
                 int *n_words, struct err *e)
{
    struct embedder_pass *b = &x->pass[0];
    int rc = embedder_need_scratch(x, 1, e);
    if (rc)
        return rc;
    b->rows = b->start[1] = wordpiece_encode(x->words_of, text, bytes, b->ids, x->most);
    b->n = 1;
    b->out = out;
    b->words = words;
    b->err.code = 0;
    need_ones(x, b->rows);
    run_pass(x, x->device, 0, 0);
    if (words)
        *n_words = b->n_words[0];
    if (b->err.code)
        *e = b->err;
    return b->err.code;
}

// The first N passes, the texts of which begin with number *TEXT, and their words to TAKE.
static int run_some(struct embedder *x, int n, int *text, embedder_words_fn *take, void *arg,
                    struct err *e)
{
    const size_t wide = (size_t)x->info.n_embd;
    int rc = run_passes(x, n, e);
    for (int i = 0; !rc && take && i < n; i++) {
        const struct embedder_pass *b = &x->pass[i];
        const float *rows = b->words;
        for (int t = 0; !rc && t < b->n; t++) {
            rc = take(arg, (*text)++, rows, b->n_words[t], e);
            rows += (size_t)b->n_words[t] * wide;
        }
    }
    return rc;
}

int embedder_texts(struct embedder *x, const char *const *texts, const size_t *lengths, int n,
                   float *out, embedder_words_fn *take, void *arg, struct err *e)
{
    const size_t wide = (size_t)x->info.n_embd;
    const int most = x->device->threads * (take ? EMBED_WORDED : EMBED_PASSES);
    uint32_t ids[EMBED_TOKENS];
    int rc = 0, n_passes = 0, text = 0;
    if (take && !x->words &&
        !(x->words = mem_new((size_t)most * EMBED_ROWS, wide * sizeof *x->words, e)))
        return ERR_NOMEM;
    for (int i = 0; !rc && i < n; i++) {
        const int some = wordpiece_encode(x->words_of, texts[i], lengths[i], ids, x->most);
        struct embedder_pass *b = n_passes ? &x->pass[n_passes - 1] : NULL;
        if (!b || b->n == EMBED_TEXTS || b->start[b->n] + some > EMBED_ROWS) {
            if (n_passes == most) {
                rc = run_some(x, n_passes, &text, take, arg, e);
                n_passes = 0;
            }
            b = &x->pass[n_passes];
            b->n = 0;
            b->out = out + (size_t)i * wide;
            b->words = take ? x->words + (size_t)n_passes * EMBED_ROWS * wide : NULL;
            n_passes++;
        }
        memcpy(b->ids + b->start[b->n], ids, (size_t)some * sizeof *ids);
        b->start[b->n + 1] = b->start[b->n] + some;
        b->n++;
    }
    return rc ? rc : run_some(x, n_passes, &text, take, arg, e);
}

int embedder_need_scratch(struct embedder *x, int n, struct err *e)
{
    struct device *d = x->device;
    for (; x->n_s < n; x->n_s++) {
        struct embedder_scratch *s = &x->s[x->n_s];
        if (!(s->all = d->ops->alloc(d, lay(x, s, x->rows) * sizeof *s->all, e)))
            return ERR_NOMEM;
    }
    return 0;
}
