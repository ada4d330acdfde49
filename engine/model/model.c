#include "engine/model/model.h"

#include <float.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/model/profile.h"
#include "engine/model/tensors.h"
#include "io/hash.h"
#include "io/mem.h"
#include "io/show.h"
#include "kernels/quant.h"

// Identity of the model: its weights, which H has already, and how they are computed with.
static void digest(struct model *m, struct hash *h)
{
    size_t freq_bytes = (size_t)m->rope[0].dim / 2 * sizeof *m->rope[0].freq;
    for (int i = 0; i < m->n_ropes; i++)
        hash_update(h, m->rope[i].freq, freq_bytes);
    if (m->rope[0].long_freq)
        hash_update(h, m->rope[0].long_freq, freq_bytes);
    for (int i = 0; i < m->info.n_layers; i++)
        if (m->layers[i].sliding)
            hash_update(h, &m->layers[i].sliding, sizeof m->layers[i].sliding);
    float shape[] = {(float)m->rope[0].style, m->rope[0].magnitude,   m->norm_eps,
                     m->attn_scale,           (float)m->info.n_heads, (float)m->info.n_kv_heads,
                     (float)m->info.head_dim};
    hash_update(h, shape, sizeof shape);
    m->info.digest = hash_value(h);
}

// How many parameters there are, and how many tensors of each type.
static int type_summary(struct model *m, struct err *e)
{
    enum { TYPES = 64, BYTES = 256 }; // numbers of GGUF's types so far; of the text
    int count[TYPES] = {0};
    for (size_t i = 0; i < gguf_n_tensors(m->gguf); i++) {
        const struct gguf_tensor *t = gguf_tensor_at(m->gguf, i);
        uint64_t n = 1;
        for (int d = 0; d < t->n_dims; d++)
            n *= t->dim[d];
        m->info.n_params += n;
        if (t->type < TYPES)
            count[t->type]++;
    }
    char *text = m->own.weight_types = mem_new(BYTES, 1, e);
    if (!text)
        return ERR_NOMEM;
    size_t at = 0;
    const struct quant *q;
    for (size_t i = 0; (q = quant_at(i)) && at < BYTES; i++)
        if (count[q->type])
            at += (size_t)snprintf(text + at, BYTES - at, "%s%s %d", at ? ", " : "", q->name,
                                   count[q->type]);
    m->info.weight_types = text;
    return 0;
}

// A text of the file, fit for a terminal.
static char *text_of(struct gguf_str s, struct err *e)
{
    char *p = mem_new(s.n + 1, 1, e);
    if (p)
        show_bytes(s.s, s.n, p, s.n + 1);
    return p;
}

static int read_template(struct model *m, struct err *e)
{
    struct gguf_str t = {NULL, 0};
    int rc = gguf_opt_text(m->gguf, "tokenizer.chat_template", &t, e);
    m->info.has_template_text = t.s != NULL;
    if (rc || !t.s)
        return rc;
    m->chat = chat_detect(t.s, t.n);
    m->info.template_name = m->chat ? m->chat->name : NULL;
    chat_default_system(t.s, t.n, m->system, sizeof m->system);
    return 0;
}

// The tokenizer is made by a thread of its own while the weights are taken over.
struct making {
    struct model *m;
    pthread_t thread;
    int begun, rc;
    struct err e;
};

static void *make_tok(void *arg)
{
    struct making *t = arg;
    t->rc = tok_open(&t->m->tok, t->m->gguf, &t->e);
    return NULL;
}

static void begin_tok(struct making *t)
{
    t->begun = !pthread_create(&t->thread, NULL, make_tok, t);
    if (!t->begun)
        make_tok(t);
}

static int end_tok(struct making *t, struct err *e)
{
    if (t->begun)
        pthread_join(t->thread, NULL);
    if (t->rc && e)
        *e = t->e;
    return t->rc;
}

// The file, and which architecture it says it is.
static int open_file(struct model *m, const char *path, const struct arch **arch, struct err *e)
{
    struct gguf_str name, title = {"", 0};
    int rc = gguf_open(&m->gguf, path, quant_bytes, e);
    if (rc || (rc = gguf_text(m->gguf, "general.architecture", &name, e)))
        return rc;
    if (!(*arch = arch_find(name.s, name.n))) {
        char known[256], shown[64];
        arch_list(known, sizeof known);
        return err_set(e, ERR_UNSUPPORTED, "%s: architecture '%s' is not supported (known: %s)",
                       path, show_bytes(name.s, name.n, shown, sizeof shown), known);
    }
    if ((rc = gguf_opt_text(m->gguf, "general.name", &title, e)))
        return rc;
    if (!(m->own.path = mem_strdup(path, e)) || !(m->own.name = text_of(title, e)))
        return ERR_NOMEM;
    m->info.path = m->own.path;
    m->info.name = m->own.name;
    m->info.arch = (*arch)->name;
    return 0;
}

// Weights and tokenizer, side by side; H as for tensors_load.
static int load_parts(struct model *m, const struct arch *arch, struct hash *h, struct err *e)
{
    struct making tok = {.m = m};
    int rc = tensors_sizes(m, arch, e);
    if (rc)
        return rc;
    begin_tok(&tok);
    rc = tensors_load(m, arch, h, e);
    return end_tok(&tok, e) ? tok.rc : rc;
}

// A number of the file that must be from 0 to MOST.
static int load_number(struct model *m, const char *name, double def, double most, float *out,
                       struct err *e)
{
    char key[128];
    snprintf(key, sizeof key, "%s.%s", m->info.arch, name);
    int rc = gguf_opt_f64(m->gguf, key, &def, e);
    if (rc)
        return rc;
    *out = (float)def;
    return *out >= 0 && (double)*out <= most
               ? 0
               : err_set(e, ERR_FORMAT, "%s: %s is %g", m->info.path, key, (double)*out);
}

static int load_numbers(struct model *m, const struct arch *arch, struct err *e)
{
    const struct model_info *f = &m->info;
    int rc = load_number(m, "attention.layer_norm_rms_epsilon", 1e-5, 1, &m->norm_eps, e);
    if (rc || (rc = load_number(m, "attn_logit_softcapping", 0, (double)FLT_MAX, &m->softcap, e)))
        return rc;
    int wide = arch->wide_scale_layers == f->n_layers;
    m->attn_scale = 1 / sqrtf(wide ? (float)f->n_embd / (float)f->n_heads : (float)f->head_dim);
    m->embd_scale = arch->embd_scale_sqrt ? sqrtf((float)f->n_embd) : 1;
    m->act = arch->act;
    return 0;
}

// What is told of the model, of the parts that have been loaded.
static void describe(struct model *m)
{
    struct model_info *f = &m->info;
    f->tokenizer = tok_model_name(m->tok);
    f->pre_tokenizer = tok_pre_name(m->tok);
    f->tokenizer_digest = tok_digest(m->tok);
    f->file_bytes = gguf_file_bytes(m->gguf);
    f->rope_dim = m->rope[0].dim;
    f->rope_base = m->rope[0].base;
    f->rope_scaling = m->rope[0].scaling;
    m->heads = heads_find(f);
    f->profile = m->heads ? m->heads->name : NULL;
    f->profile_heads = m->heads ? m->heads->n : 0;
}

static int load(struct model *m, const char *path, struct err *e)
{
    const struct arch *arch;
    struct hash *h;
    int rc = open_file(m, path, &arch, e);
    if (rc || (rc = hash_new(&h, e)))
        return rc;
    gguf_advise(m->gguf, 1);
    if (!(rc = load_parts(m, arch, h, e)) && !(rc = load_numbers(m, arch, e)))
        digest(m, h);
    hash_free(h);
    if (rc || (rc = type_summary(m, e)) || (rc = read_template(m, e)))
        return rc;
    gguf_advise(m->gguf, 0);
    describe(m);
    m->is_loaded = 1;
    return 0;
}

int model_use_profile(struct model *m, const char *path, struct err *e)
{
    struct heads *h;
    char *copy = mem_strdup(path, e);
    int rc = copy ? profile_read(&h, path, e) : ERR_NOMEM;
    if (!rc && (rc = heads_check(h, &m->info, path, e)))
        profile_free(h);
    if (rc) {
        free(copy);
        return rc;
    }
    profile_free(m->own_heads);
    free(m->own.profile_path);
    m->own_heads = h;
    m->own.profile_path = copy;
    m->heads = h->n ? h : NULL;
    m->info.profile = h->name;
    m->info.profile_path = copy;
    m->info.profile_heads = h->n;
    return 0;
}

int model_open(struct model **out, const char *path, struct device *d, struct err *e)
{
    *out = NULL;
    struct model *m = mem_new(1, sizeof *m, e);
    if (!m)
        return ERR_NOMEM;
    m->device = d;
    int rc = load(m, path, e);
    if (rc) {
        model_close(m);
        return rc;
    }
    gguf_forget(m->gguf); // a device may keep the weights in a form of its own
    *out = m;
    return 0;
}

static void layer_done(struct device *d, struct layer *y)
{
    float *vecs[] = {y->attn_norm, y->ffn_norm, y->attn_post_norm, y->ffn_post_norm, y->q_norm,
                     y->k_norm,    y->q_bias,   y->k_bias,         y->v_bias,        y->o_bias};
    for (size_t i = 0; i < sizeof vecs / sizeof *vecs; i++)
        d->ops->free(d, vecs[i]);
    struct mat *mats[] = {&y->q, &y->k, &y->v, &y->o, &y->gate, &y->up, &y->down};
    for (size_t i = 0; i < sizeof mats / sizeof *mats; i++)
        if (mats[i]->data)
            d->ops->mat_done(d, mats[i]);
}

void model_close(struct model *m)
{
    if (!m)
        return;
    struct device *d = m->device;
    if (m->is_loaded && d->ops->weights_keep) // nobody asks again for those of a model refused
        d->ops->weights_keep(d);
    for (int i = 0; m->layers && i < m->info.n_layers; i++)
        layer_done(d, &m->layers[i]);
    if (m->output.data && m->output.data != m->embd.data)
        d->ops->mat_done(d, &m->output);
    if (m->embd.data)
        d->ops->mat_done(d, &m->embd);
    d->ops->free(d, m->output_norm);
    rope_done(&m->rope[0]);
    rope_done(&m->rope[1]);
    tok_close(m->tok);
    gguf_close(m->gguf);
    free(m->layers);
    profile_free(m->own_heads);
    free(m->own.path);
    free(m->own.name);
    free(m->own.profile_path);
    free(m->own.weight_types);
    free(m);
}

void model_rotate(const struct model *m, int layer, int64_t reach, int64_t position, float *x)
{
    if (m->layers[layer].rope >= 0)
        rope_apply(&m->rope[m->layers[layer].rope], reach, position, x);
}

const struct model_info *model_info(const struct model *m)
{
    return &m->info;
}
