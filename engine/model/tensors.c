#include "engine/model/tensors.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/hash.h"
#include "io/mem.h"

// A loader carries what every step needs, so that the steps read as a list of tensors.
struct loader {
    struct model *m;
    const struct arch *arch;
    unsigned char *used; // [gguf_n_tensors] 1: the tensor has its place in the model
    struct hash *hash;   // of what tells the weights
    struct err *e;
};

static const struct gguf_tensor *find(struct loader *l, const char *name, int required)
{
    const struct gguf_tensor *t = gguf_tensor(l->m->gguf, name);
    if (t)
        l->used[t - gguf_tensor_at(l->m->gguf, 0)] = 1;
    else if (required)
        err_set(l->e, ERR_FORMAT, "%s: tensor '%s' is missing", gguf_path(l->m->gguf), name);
    return t;
}

// A vector of N floats on the device; *OUT stays NULL when it is optional and absent.
static int load_vec(struct loader *l, const char *name, uint64_t n, int required, float **out)
{
    const struct gguf_tensor *t = find(l, name, required);
    if (!t)
        return required ? ERR_FORMAT : 0;
    const struct quant *q = quant_find(t->type);
    if (t->n_dims != 1 || t->dim[0] != n || n % (uint64_t)q->block)
        return err_set(l->e, ERR_FORMAT, "%s: tensor '%s' does not hold %llu values",
                       gguf_path(l->m->gguf), name, (unsigned long long)n);
    float *host = mem_new(n, sizeof *host, l->e);
    if (!host)
        return ERR_NOMEM;
    q->dequantize(t->data, host, n);
    struct device *d = l->m->device;
    int rc = 0;
    if (!(*out = d->ops->alloc(d, n * sizeof *host, l->e)))
        rc = ERR_NOMEM;
    else
        rc = d->ops->upload(d, *out, host, n * sizeof *host, l->e);
    free(host);
    return rc;
}

// Rows FROM .. FROM + ROWS of a matrix of COLS columns; TOTAL rows in the tensor.
static int load_rows(struct loader *l, const char *name, int from, int rows, int total, int cols,
                     int required, struct mat *out)
{
    const struct gguf_tensor *t = find(l, name, required);
    if (!t)
        return required ? ERR_FORMAT : 0;
    if (t->n_dims != 2 || t->dim[0] != (uint64_t)cols || t->dim[1] != (uint64_t)total)
        return err_set(l->e, ERR_FORMAT, "%s: tensor '%s' is not %d rows of %d",
                       gguf_path(l->m->gguf), name, total, cols);
    uint64_t row_bytes = quant_bytes(t->type, (uint64_t)cols);
    *out = (struct mat){.data = t->data + (uint64_t)from * row_bytes,
                        .type = t->type,
                        .rows = rows,
                        .cols = cols,
                        .only_rows = out->only_rows};
    // Where the device takes the matrix over, it reads all of it, in order.
    const struct device_ops *ops = l->m->device->ops;
    if (!ops->plain)
        gguf_advise(l->m->gguf, 0);
    int rc = ops->mat_init(l->m->device, out, l->e);
    if (!ops->plain)
        gguf_advise(l->m->gguf, 1);
    return rc;
}

static int load_mat(struct loader *l, const char *name, int rows, int cols, struct mat *out)
{
    return load_rows(l, name, 0, rows, rows, cols, 1, out);
}

static const char *blk(char *buf, size_t cap, int layer, const char *name)
{
    snprintf(buf, cap, "blk.%d.%s", layer, name);
    return buf;
}

static int load_attention(struct loader *l, int i, struct layer *y)
{
    const struct model_info *f = &l->m->info;
    int q = f->n_heads * f->head_dim, kv = f->n_kv_heads * f->head_dim, all = q + 2 * kv, rc;
    char b[96];
    if (l->arch->fused_qkv) {
        const char *name = blk(b, sizeof b, i, "attn_qkv.weight");
        if ((rc = load_rows(l, name, 0, q, all, f->n_embd, 1, &y->q)) ||
            (rc = load_rows(l, name, q, kv, all, f->n_embd, 1, &y->k)) ||
            (rc = load_rows(l, name, q + kv, kv, all, f->n_embd, 1, &y->v)))
            return rc;
    } else if ((rc = load_mat(l, blk(b, sizeof b, i, "attn_q.weight"), q, f->n_embd, &y->q)) ||
               (rc = load_mat(l, blk(b, sizeof b, i, "attn_k.weight"), kv, f->n_embd, &y->k)) ||
               (rc = load_mat(l, blk(b, sizeof b, i, "attn_v.weight"), kv, f->n_embd, &y->v)))
        return rc;
    uint64_t d = (uint64_t)f->head_dim;
    if ((rc = load_mat(l, blk(b, sizeof b, i, "attn_output.weight"), f->n_embd, q, &y->o)) ||
        (rc = load_vec(l, blk(b, sizeof b, i, "attn_q.bias"), (uint64_t)q, 0, &y->q_bias)) ||
        (rc = load_vec(l, blk(b, sizeof b, i, "attn_k.bias"), (uint64_t)kv, 0, &y->k_bias)) ||
        (rc = load_vec(l, blk(b, sizeof b, i, "attn_v.bias"), (uint64_t)kv, 0, &y->v_bias)) ||
        (rc = load_vec(l, blk(b, sizeof b, i, "attn_output.bias"), (uint64_t)f->n_embd, 0,
                       &y->o_bias)) ||
        (rc = load_vec(l, blk(b, sizeof b, i, "attn_q_norm.weight"), d, 0, &y->q_norm)))
        return rc;
    return load_vec(l, blk(b, sizeof b, i, "attn_k_norm.weight"), d, 0, &y->k_norm);
}

static int load_layer(struct loader *l, int i, struct layer *y)
{
    const struct model_info *f = &l->m->info;
    uint64_t n_embd = (uint64_t)f->n_embd;
    char b[96];
    int rc;
    if ((rc = load_attention(l, i, y)) ||
        (rc = load_vec(l, blk(b, sizeof b, i, "attn_norm.weight"), n_embd, 1, &y->attn_norm)) ||
        (rc = load_vec(l, blk(b, sizeof b, i, "ffn_norm.weight"), n_embd, 1, &y->ffn_norm)) ||
        (rc = load_mat(l, blk(b, sizeof b, i, "ffn_down.weight"), f->n_embd, f->n_ff, &y->down)))
        return rc;
    if (l->arch->fused_gate_up) {
        const char *name = blk(b, sizeof b, i, "ffn_up.weight");
        if ((rc = load_rows(l, name, 0, f->n_ff, 2 * f->n_ff, f->n_embd, 1, &y->gate)) ||
            (rc = load_rows(l, name, f->n_ff, f->n_ff, 2 * f->n_ff, f->n_embd, 1, &y->up)))
            return rc;
    } else if ((rc = load_mat(l, blk(b, sizeof b, i, "ffn_gate.weight"), f->n_ff, f->n_embd,
                              &y->gate)) ||
               (rc = load_mat(l, blk(b, sizeof b, i, "ffn_up.weight"), f->n_ff, f->n_embd, &y->up)))
        return rc;
    int post = l->arch->post_norms;
    if (post && ((rc = load_vec(l, blk(b, sizeof b, i, "post_attention_norm.weight"), n_embd, 1,
                                &y->attn_post_norm)) ||
                 (rc = load_vec(l, blk(b, sizeof b, i, "post_ffw_norm.weight"), n_embd, 1,
                                &y->ffn_post_norm))))
        return rc;
    int every = l->arch->no_rope_every;
    y->rope = every && (i + 1) % every == 0 ? -1 : 0;
    return 0;
}

static int arch_int(struct loader *l, const char *key, int required, int64_t def, int *out)
{
    char k[128];
    uint64_t v = (uint64_t)def;
    snprintf(k, sizeof k, "%s.%s", l->arch->name, key);
    int rc = required ? gguf_uint(l->m->gguf, k, &v, l->e) : gguf_opt_uint(l->m->gguf, k, &v, l->e);
    if (rc)
        return rc;
    if (v > 1u << 28)
        return err_set(l->e, ERR_FORMAT, "%s: %s is %llu", gguf_path(l->m->gguf), k,
                       (unsigned long long)v);
    *out = (int)v;
    return 0;
}

static int load_sizes(struct loader *l)
{
    struct model_info *f = &l->m->info;
    const char *path = gguf_path(l->m->gguf);
    int rc, experts = 0, v_dim = 0;
    if ((rc = arch_int(l, "block_count", 1, 0, &f->n_layers)) ||
        (rc = arch_int(l, "embedding_length", 1, 0, &f->n_embd)) ||
        (rc = arch_int(l, "feed_forward_length", 1, 0, &f->n_ff)) ||
        (rc = arch_int(l, "attention.head_count", 1, 0, &f->n_heads)) ||
        (rc = arch_int(l, "attention.head_count_kv", 0, f->n_heads, &f->n_kv_heads)) ||
        (rc = arch_int(l, "context_length", 0, 0, &f->n_ctx_train)) ||
        (rc = arch_int(l, "expert_count", 0, 0, &experts)))
        return rc;
    if (experts)
        return err_set(l->e, ERR_UNSUPPORTED, "%s: mixture-of-experts models are not supported",
                       path);
    if (f->n_layers < 1 || f->n_layers > 1024 || f->n_heads < 1 || f->n_heads > 1024 ||
        f->n_kv_heads < 1 || f->n_heads % f->n_kv_heads || f->n_embd < 1 || f->n_ff < 1)
        return err_set(l->e, ERR_FORMAT,
                       "%s: %d layers, %d heads over %d kv heads, width %d make no transformer",
                       path, f->n_layers, f->n_heads, f->n_kv_heads, f->n_embd);
    if ((rc = arch_int(l, "attention.key_length", 0, f->n_embd / f->n_heads, &f->head_dim)) ||
        (rc = arch_int(l, "attention.value_length", 0, f->head_dim, &v_dim)))
        return rc;
    if (f->head_dim < 2 || f->head_dim > 512 || f->head_dim % 2 || v_dim != f->head_dim)
        return err_set(l->e, ERR_UNSUPPORTED, "%s: heads of %d (keys) and %d (values) dimensions",
                       path, f->head_dim, v_dim);
    return 0;
}

// All weights are with the device: it takes those over that it has not yet, reading all of them in
// order, or has a form of its own of them from earlier.
static int take_over(struct loader *l)
{
    struct device *d = l->m->device;
    gguf_hash_weights(l->m->gguf, l->hash);
    gguf_advise(l->m->gguf, 0);
    if (d->ops->weights_ready)
        d->ops->weights_ready(d, hash_value(l->hash));
    int rc = d->ops->sync(d, l->e);
    gguf_advise(l->m->gguf, 1);
    return rc;
}

static int load_weights(struct loader *l)
{
    struct model *m = l->m;
    struct model_info *f = &m->info;
    int rc;
    struct gguf_array pieces;
    if ((rc = gguf_array(m->gguf, "tokenizer.ggml.tokens", GGUF_STR, &pieces, l->e)))
        return rc;
    f->n_vocab = pieces.n < INT_MAX ? (int)pieces.n : 0; // of too many the tokenizer will complain
    if (!(m->layers = mem_new((size_t)f->n_layers, sizeof *m->layers, l->e)))
        return ERR_NOMEM;
    m->embd.only_rows = gguf_tensor(m->gguf, "output.weight") != NULL;
    if ((rc = load_mat(l, "token_embd.weight", f->n_vocab, f->n_embd, &m->embd)) ||
        (rc = load_vec(l, "output_norm.weight", (uint64_t)f->n_embd, 1, &m->output_norm)))
        return rc;
    if (gguf_tensor(m->gguf, "output.weight")) {
        if ((rc = load_mat(l, "output.weight", f->n_vocab, f->n_embd, &m->output)))
            return rc;
    } else {
        m->output = m->embd;
    }
    for (int i = 0; i < f->n_layers; i++)
        if ((rc = load_layer(l, i, &m->layers[i])))
            return rc;
    return take_over(l);
}

// Which layers see only so far back, and by which RoPE.
static int load_sliding(struct loader *l)
{
    struct model *m = l->m;
    const struct arch *a = l->arch;
    char key[128];
    int rc, window = 0, every = a->sliding_every;
    if ((rc = arch_int(l, "attention.sliding_window", 0, 0, &window)))
        return rc;
    if (!window)
        return 0;
    if (window < 2)
        return err_set(l->e, ERR_FORMAT, "%s: a sliding window of %d token", gguf_path(m->gguf),
                       window);
    if (a->sliding == SLIDING_UNKNOWN)
        return window >= m->info.n_ctx_train && m->info.n_ctx_train
                   ? 0
                   : err_set(l->e, ERR_UNSUPPORTED,
                             "%s: a sliding window of %d tokens is not supported for %s: the file "
                             "does not say in which layers",
                             gguf_path(m->gguf), window, a->name);
    if (a->sliding == SLIDING_SOME &&
        ((rc = arch_int(l, "attention.sliding_window_pattern", 0, every, &every)) || every < 1))
        return rc ? rc
                  : err_set(l->e, ERR_FORMAT, "%s: a sliding window pattern of 0",
                            gguf_path(m->gguf));
    if (a->sliding_rope_base != 0) {
        snprintf(key, sizeof key, "%s.rope.freq_base_swa", a->name);
        double base = a->sliding_rope_base;
        if ((rc = gguf_opt_f64(m->gguf, key, &base, l->e)))
            return rc;
        if (!(base > 1) || isinf(base))
            return err_set(l->e, ERR_FORMAT, "%s: rope base %g is not above 1", gguf_path(m->gguf),
                           base);
        if ((rc = rope_init_plain(&m->rope[1], m->rope[0].dim, base, m->rope[0].style, l->e)))
            return rc;
        m->n_ropes = 2;
    }
    m->sight = a->sliding == SLIDING_ALL ? window : 0;
    for (int i = 0; i < m->info.n_layers; i++)
        if (a->sliding == SLIDING_ALL || (i + 1) % every) {
            m->layers[i].sliding = m->info.sliding_window = window;
            m->info.n_sliding++;
            m->layers[i].rope = m->n_ropes - 1;
        }
    return 0;
}

// What the file says of its mathematics and this engine does not do must not be passed over.
static int check_nothing_left(struct loader *l)
{
    static const char *const keys[] = {
        "final_logit_softcapping", "logit_scale",
        "embedding_scale",         "residual_scale",
        "attention.scale",         "attention.clamp_kqv",
        "attention.causal",        "attention.temperature_length",
    };
    const struct gguf *g = l->m->gguf;
    char key[128];
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        snprintf(key, sizeof key, "%s.%s", l->arch->name, keys[i]);
        if (gguf_has(g, key))
            return err_set(l->e, ERR_UNSUPPORTED, "%s: key '%s' is not supported for %s",
                           gguf_path(g), key, l->arch->name);
    }
    for (size_t i = 0; i < gguf_n_tensors(g); i++) {
        const struct gguf_tensor *t = gguf_tensor_at(g, i);
        if (!l->used[i] && (t->name.n < 5 || memcmp(t->name.s, "rope_", 5))) // rope.c's
            return err_set(l->e, ERR_UNSUPPORTED, "%s: tensor '%.*s' has no place in a %s model",
                           gguf_path(g), (int)(t->name.n < 64 ? t->name.n : 64), t->name.s,
                           l->arch->name);
    }
    return 0;
}

int tensors_sizes(struct model *m, const struct arch *a, struct err *e)
{
    return load_sizes(&(struct loader){.m = m, .arch = a, .e = e});
}

int tensors_load(struct model *m, const struct arch *a, struct hash *h, struct err *e)
{
    struct loader l = {.m = m, .arch = a, .hash = h, .e = e};
    int rc = rope_init(&m->rope[0], m->gguf, a->name, m->info.head_dim, a->rope_style, e);
    if (rc)
        return rc;
    m->n_ropes = 1;
    if (!(l.used = mem_new(gguf_n_tensors(m->gguf), 1, e)))
        return ERR_NOMEM;
    if (!(rc = load_weights(&l)) && !(rc = load_sliding(&l)))
        rc = check_nothing_left(&l);
    free(l.used);
    return rc;
}
