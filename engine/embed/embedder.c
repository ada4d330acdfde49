// From a GGUF file to the sizes and weights of an embedder.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cache/kvz.h"
#include "engine/embed/embedder_impl.h"
#include "engine/embed/wordpiece.h"
#include "io/gguf.h"
#include "io/hash.h"
#include "io/mem.h"
#include "io/show.h"

// A loader carries what every step needs, so that the steps read as a list of tensors.
struct loader {
    struct embedder *x;
    unsigned char *used; // [gguf_n_tensors] 1: the tensor has its place
    struct err *e;
};

static const struct gguf_tensor *find(struct loader *l, const char *name)
{
    const struct gguf *g = l->x->gguf;
    const struct gguf_tensor *t = gguf_tensor(g, name);
    if (t)
        l->used[t - gguf_tensor_at(g, 0)] = 1;
    else
        err_set(l->e, ERR_FORMAT, "%s: tensor '%s' is missing", gguf_path(g), name);
    return t;
}

// The first N floats of T, on the device; the caller has checked that it has whole blocks for them.
static float *floats(struct loader *l, const struct gguf_tensor *t, size_t n)
{
    struct device *d = l->x->device;
    float *p = d->ops->alloc(d, n * sizeof *p, l->e);
    if (p)
        quant_find(t->type)->dequantize(t->data, p, n);
    return p;
}

static int load_vec(struct loader *l, const char *name, int n, float **out)
{
    const struct gguf_tensor *t = find(l, name);
    if (!t)
        return ERR_FORMAT;
    if (t->n_dims != 1 || t->dim[0] != (uint64_t)n || !quant_bytes(t->type, (uint64_t)n))
        return err_set(l->e, ERR_FORMAT, "%s: tensor '%s' does not hold %d values",
                       gguf_path(l->x->gguf), name, n);
    return (*out = floats(l, t, (size_t)n)) ? 0 : ERR_NOMEM;
}

// The tensor NAME, of ROWS rows of COLS whole blocks; ROWS 0: of one or more.
static const struct gguf_tensor *find_rows(struct loader *l, const char *name, int rows, int cols)
{
    const struct gguf_tensor *t = find(l, name);
    if (!t)
        return NULL;
    if (t->n_dims == 2 && t->dim[0] == (uint64_t)cols && quant_bytes(t->type, (uint64_t)cols) &&
        (rows ? t->dim[1] == (uint64_t)rows : t->dim[1] > 0))
        return t;
    if (rows)
        err_set(l->e, ERR_FORMAT, "%s: tensor '%s' is not %d rows of %d", gguf_path(l->x->gguf),
                name, rows, cols);
    else
        err_set(l->e, ERR_FORMAT, "%s: tensor '%s' is not of rows of %d", gguf_path(l->x->gguf),
                name, cols);
    return NULL;
}

static int load_mat(struct loader *l, const char *name, int rows, int cols, struct mat *out)
{
    struct device *d = l->x->device;
    const struct gguf_tensor *t = find_rows(l, name, rows, cols);
    if (!t)
        return ERR_FORMAT;
    *out = (struct mat){
        .data = t->data, .type = t->type, .rows = rows, .cols = cols, .only_rows = out->only_rows};
    return d->ops->mat_init(d, out, l->e);
}

// A position has the same part in every text, and so has the type of tokens, which is that of a
// first sentence.
static int load_places(struct loader *l)
{
    struct embedder *x = l->x;
    const size_t wide = (size_t)x->info.n_embd, all = (size_t)x->most * wide;
    const struct gguf_tensor *p = find_rows(l, "position_embd.weight", x->info.n_ctx, (int)wide),
                             *t = p ? find_rows(l, "token_types.weight", 0, (int)wide) : NULL;
    if (!t)
        return ERR_FORMAT;
    float *type = mem_new(wide, sizeof *type, l->e);
    if (!type || !(x->places = floats(l, p, all))) {
        free(type);
        return ERR_NOMEM;
    }
    quant_find(t->type)->dequantize(t->data, type, wide);
    for (size_t i = 0; i < all; i++)
        x->places[i] += type[i % wide];
    free(type);
    return 0;
}

enum { NAME = 64 };

static int load_linear(struct loader *l, int layer, const char *what, int rows, int cols,
                       struct embedder_linear *out)
{
    char name[NAME];
    snprintf(name, sizeof name, "blk.%d.%s.weight", layer, what);
    int rc = load_mat(l, name, rows, cols, &out->w);
    snprintf(name, sizeof name, "blk.%d.%s.bias", layer, what);
    return rc ? rc : load_vec(l, name, rows, &out->bias);
}

// PREFIX: of the names of its two tensors.
static int load_norm(struct loader *l, const char *prefix, struct embedder_norm *out)
{
    char name[NAME];
    snprintf(name, sizeof name, "%s.weight", prefix);
    int rc = load_vec(l, name, l->x->info.n_embd, &out->weight);
    snprintf(name, sizeof name, "%s.bias", prefix);
    return rc ? rc : load_vec(l, name, l->x->info.n_embd, &out->bias);
}

static int load_layer_norm(struct loader *l, int layer, const char *what, struct embedder_norm *out)
{
    char prefix[NAME - 16];
    snprintf(prefix, sizeof prefix, "blk.%d.%s", layer, what);
    return load_norm(l, prefix, out);
}

static int load_layer(struct loader *l, int i, struct embedder_layer *y)
{
    const int wide = l->x->info.n_embd, ff = l->x->info.n_ff;
    int rc;
    if ((rc = load_linear(l, i, "attn_q", wide, wide, &y->q)) ||
        (rc = load_linear(l, i, "attn_k", wide, wide, &y->k)) ||
        (rc = load_linear(l, i, "attn_v", wide, wide, &y->v)) ||
        (rc = load_linear(l, i, "attn_output", wide, wide, &y->o)) ||
        (rc = load_layer_norm(l, i, "attn_output_norm", &y->attn_norm)) ||
        (rc = load_linear(l, i, "ffn_up", ff, wide, &y->up)) ||
        (rc = load_linear(l, i, "ffn_down", wide, ff, &y->down)))
        return rc;
    return load_layer_norm(l, i, "layer_output_norm", &y->out_norm);
}

// What the file has of weights and this does not compute must not be passed over.
static int check_nothing_left(struct loader *l)
{
    const struct gguf *g = l->x->gguf;
    char name[NAME];
    for (size_t i = 0; i < gguf_n_tensors(g); i++)
        if (!l->used[i])
            return err_set(l->e, ERR_UNSUPPORTED, "%s: tensor '%s' has no place in an embedder",
                           gguf_path(g),
                           show_bytes(gguf_tensor_at(g, i)->name.s, gguf_tensor_at(g, i)->name.n,
                                      name, sizeof name));
    return 0;
}

static int load_weights(struct embedder *x, struct err *e)
{
    struct loader l = {.x = x, .e = e};
    int rc;
    if (!(l.used = mem_new(gguf_n_tensors(x->gguf), 1, e)) ||
        !(x->layers = mem_new((size_t)x->info.n_layers, sizeof *x->layers, e))) {
        free(l.used);
        return ERR_NOMEM;
    }
    x->embd.only_rows = 1;
    if (!(rc = load_mat(&l, "token_embd.weight", x->n_vocab, x->info.n_embd, &x->embd)) &&
        !(rc = load_places(&l)))
        rc = load_norm(&l, "token_embd_norm", &x->norm);
    for (int i = 0; !rc && i < x->info.n_layers; i++)
        rc = load_layer(&l, i, &x->layers[i]);
    if (!rc)
        rc = check_nothing_left(&l);
    free(l.used);
    return rc;
}

// ---- Sizes

static int size_of(struct embedder *x, const char *key, uint64_t most, int *out, struct err *e)
{
    char name[NAME];
    uint64_t v;
    snprintf(name, sizeof name, "bert.%s", key);
    int rc = gguf_uint(x->gguf, name, &v, e);
    if (rc)
        return rc;
    if (v < 1 || v > most)
        return err_set(e, ERR_FORMAT, "%s: %s is %llu, not 1 to %llu", x->path, name,
                       (unsigned long long)v, (unsigned long long)most);
    *out = (int)v;
    return 0;
}

// What of the mathematics is a choice.
static int load_choices(struct embedder *x, struct err *e)
{
    uint64_t pooling = POOL_MEAN;
    int causal = 0, rc;
    double eps = 1e-12;
    if ((rc = gguf_opt_uint(x->gguf, "bert.pooling_type", &pooling, e)) ||
        (rc = gguf_opt_bool(x->gguf, "bert.attention.causal", &causal, e)) ||
        (rc = gguf_opt_f64(x->gguf, "bert.attention.layer_norm_epsilon", &eps, e)))
        return rc;
    if (pooling != POOL_MEAN && pooling != POOL_CLS)
        return err_set(e, ERR_UNSUPPORTED,
                       "%s: bert.pooling_type %llu is not supported: 1 (mean) and 2 (CLS) are",
                       x->path, (unsigned long long)pooling);
    if (causal)
        return err_set(e, ERR_UNSUPPORTED, "%s: bert.attention.causal is not supported", x->path);
    if (!(eps >= 0 && eps <= 1))
        return err_set(e, ERR_FORMAT, "%s: bert.attention.layer_norm_epsilon is %g", x->path, eps);
    x->pooling = (enum pooling)pooling;
    x->eps = (float)eps;
    return 0;
}

static int load_sizes(struct embedder *x, struct err *e)
{
    enum { LAYERS = 1024, WIDE = 1 << 16, LONG = 1 << 20, HEAD = 512 };
    struct embedder_info *f = &x->info;
    int rc;
    if ((rc = size_of(x, "block_count", LAYERS, &f->n_layers, e)) ||
        (rc = size_of(x, "embedding_length", WIDE, &f->n_embd, e)) ||
        (rc = size_of(x, "feed_forward_length", LONG, &f->n_ff, e)) ||
        (rc = size_of(x, "attention.head_count", WIDE, &f->n_heads, e)) ||
        (rc = size_of(x, "context_length", LONG, &f->n_ctx, e)) || (rc = load_choices(x, e)))
        return rc;
    if (f->n_embd > KVZ_DIM_MAX) // not found out once all has been read
        return err_set(e, ERR_UNSUPPORTED,
                       "%s: makes vectors of %d dimensions, and an index holds %d at most", x->path,
                       f->n_embd, KVZ_DIM_MAX);
    if (f->n_embd % f->n_heads)
        return err_set(e, ERR_FORMAT, "%s: %d heads do not divide a width of %d", x->path,
                       f->n_heads, f->n_embd);
    x->head_dim = f->n_embd / f->n_heads;
    if (x->head_dim % 2 || x->head_dim > HEAD)
        return err_set(e, ERR_UNSUPPORTED, "%s: heads of %d dimensions", x->path, x->head_dim);
    if (f->n_ctx < 2) // [CLS] and [SEP]
        return err_set(e, ERR_FORMAT, "%s: bert.context_length is %d", x->path, f->n_ctx);
    x->most = f->n_ctx < EMBED_TOKENS ? f->n_ctx : EMBED_TOKENS;
    return 0;
}

// ---- The file

static int open_file(struct embedder *x, const char *path, struct err *e)
{
    struct gguf_str arch, title = {"", 0};
    char shown[NAME];
    int rc = gguf_open(&x->gguf, path, quant_bytes, e);
    if (rc || (rc = gguf_text(x->gguf, "general.architecture", &arch, e)) ||
        (rc = gguf_opt_text(x->gguf, "general.name", &title, e)))
        return rc;
    if (arch.n != 4 || memcmp(arch.s, "bert", 4))
        return err_set(e, ERR_UNSUPPORTED,
                       "%s: architecture '%s' is not that of a sentence embedder (bert)", path,
                       show_bytes(arch.s, arch.n, shown, sizeof shown));
    if (!(x->path = mem_strdup(path, e)) || !(x->name = mem_new(title.n + 8, 1, e)))
        return ERR_NOMEM;
    x->info.name = show_bytes(title.s, title.n, x->name, title.n + 8);
    x->info.path = x->path;
    return 0;
}

// The vocabulary, and the tokens that stand for what is no word.
static int hash_tokenizer(const struct embedder *x, struct hash *h, struct err *e)
{
    static const char *const ids[] = {"unknown", "cls", "bos", "seperator", "separator", "eos"};
    struct gguf_array pieces;
    int rc = gguf_array(x->gguf, "tokenizer.ggml.tokens", GGUF_STR, &pieces, e);
    if (rc)
        return rc;
    const uint8_t *end = pieces.data;
    for (uint64_t left = pieces.n; left;)
        gguf_next_str(&end, &left);
    hash_update(h, pieces.data, (size_t)(end - pieces.data));
    for (size_t i = 0; !rc && i < sizeof ids / sizeof *ids; i++) {
        char key[NAME];
        uint64_t id = UINT64_MAX;
        snprintf(key, sizeof key, "tokenizer.ggml.%s_token_id", ids[i]);
        rc = gguf_opt_uint(x->gguf, key, &id, e);
        hash_update(h, &id, sizeof id);
    }
    return rc;
}

static int make_digest(struct embedder *x, struct err *e)
{
    const struct embedder_info *f = &x->info;
    const int32_t shape[] = {f->n_embd, f->n_layers, f->n_heads, f->n_ff, x->most, x->pooling};
    struct hash *h;
    int rc = hash_new(&h, e);
    if (rc)
        return rc;
    hash_update(h, shape, sizeof shape);
    hash_update(h, &x->eps, sizeof x->eps);
    gguf_hash_weights(x->gguf, h);
    rc = hash_tokenizer(x, h, e);
    x->info.digest = hash_value(h);
    hash_free(h);
    return rc;
}

static int make_buffers(struct embedder *x, struct err *e)
{
    struct device *d = x->device;
    x->rows = d->many > EMBED_ROWS ? d->many : EMBED_ROWS;
    const size_t ones = (size_t)x->rows * (size_t)x->info.n_ff, threads = (size_t)d->threads;
    if (!(x->ones = d->ops->alloc(d, ones * sizeof *x->ones, e)) ||
        !(x->pass = mem_new(threads * EMBED_PASSES, sizeof *x->pass, e)) ||
        !(x->s = mem_new(threads, sizeof *x->s, e)))
        return ERR_NOMEM;
    return embedder_need_scratch(x, 1, e);
}

static int load(struct embedder *x, const char *path, struct err *e)
{
    int rc;
    if (!x->device->ops->plain || !x->device->many || !x->device->ops->each)
        return err_set(e, ERR_USAGE, "%s: an embedder needs the processor, not %s", path,
                       x->device->label);
    if ((rc = open_file(x, path, e)) || (rc = load_sizes(x, e)) ||
        (rc = wordpiece_new(&x->words_of, x->gguf, e)))
        return rc;
    x->n_vocab = wordpiece_size(x->words_of);
    if ((rc = load_weights(x, e)) || (rc = make_digest(x, e)) || (rc = make_buffers(x, e)))
        return rc;
    return x->device->ops->sync(x->device, e);
}

int embedder_open(struct embedder **out, const char *path, struct device *d, struct err *e)
{
    *out = NULL;
    struct embedder *x = mem_new(1, sizeof *x, e);
    if (!x)
        return ERR_NOMEM;
    x->device = d;
    int rc = load(x, path, e);
    if (rc)
        embedder_close(x);
    else
        *out = x;
    return rc;
}

int embedder_digest(const char *path, uint64_t *digest, struct err *e)
{
    struct embedder x = {0};
    int rc = open_file(&x, path, e);
    if (!rc && !(rc = load_sizes(&x, e)))
        rc = make_digest(&x, e);
    *digest = x.info.digest;
    gguf_close(x.gguf);
    free(x.name);
    free(x.path);
    return rc;
}

static void linear_done(struct device *d, struct embedder_linear *y)
{
    if (y->w.data)
        d->ops->mat_done(d, &y->w);
    d->ops->free(d, y->bias);
}

static void norm_done(struct device *d, struct embedder_norm *y)
{
    d->ops->free(d, y->weight);
    d->ops->free(d, y->bias);
}

void embedder_close(struct embedder *x)
{
    if (!x)
        return;
    struct device *d = x->device;
    for (int i = 0; x->layers && i < x->info.n_layers; i++) {
        struct embedder_layer *y = &x->layers[i];
        struct embedder_linear *all[] = {&y->q, &y->k, &y->v, &y->o, &y->up, &y->down};
        for (size_t k = 0; k < sizeof all / sizeof *all; k++)
            linear_done(d, all[k]);
        norm_done(d, &y->attn_norm);
        norm_done(d, &y->out_norm);
    }
    if (x->embd.data)
        d->ops->mat_done(d, &x->embd);
    norm_done(d, &x->norm);
    d->ops->free(d, x->places);
    for (int i = 0; i < x->n_s; i++)
        d->ops->free(d, x->s[i].all);
    d->ops->free(d, x->ones);
    free(x->words);
    free(x->pass);
    free(x->s);
    wordpiece_free(x->words_of);
    gguf_close(x->gguf);
    free(x->layers);
    free(x->name);
    free(x->path);
    free(x);
}

const struct embedder_info *embedder_info(const struct embedder *x)
{
    return &x->info;
}

struct device *embedder_device(const struct embedder *x)
{
    return x->device;
}
