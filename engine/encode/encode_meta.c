// From options, the model, and the index that grows to the parameters of the index to be made.
#define _GNU_SOURCE
#include "engine/encode/encode.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cache/codec.h"
#include "cache/format.h"
#include "io/file.h"
#include "io/show.h"

// A parameter: what the user asked for, else what the index that grows has, else the default.
static int pick(const char *path, const char *name, int asked, uint32_t old, uint32_t def,
                uint32_t *out, struct err *e)
{
    if (old && asked && (uint32_t)asked != old)
        return err_set(e, ERR_MISMATCH, "%s: has --%s %u; it cannot grow with %d", path, name, old,
                       asked);
    *out = asked ? (uint32_t)asked : old ? old : def;
    return 0;
}

static int pick_name(const char *path, const char *name, const char *asked, const char *old,
                     const char *def, char *out, size_t cap, struct err *e)
{
    if (*old && asked && *asked && strcmp(asked, old))
        return err_set(e, ERR_MISMATCH, "%s: has --%s %s; it cannot grow with %s", path, name, old,
                       asked);
    snprintf(out, cap, "%s", asked && *asked ? asked : *old ? old : def);
    return 0;
}

static int shape(const struct encode_options *o, const struct model *m, const struct kvz_meta *old,
                 struct kvz_meta *t, struct err *e)
{
    uint32_t window = m->info.n_embd < ENCODE_WIDE ? ENCODE_WINDOW : ENCODE_WINDOW_WIDE;
    uint32_t sight = (uint32_t)m->sight;
    int rc;
    if (sight && window >= sight) // stored blocks stand at that distance
        window = sight > 64 ? (sight - 1) / 64 * 64 : sight - 1;
    if ((rc = pick(o->out, "window", o->window, old->window, window, &t->window, e)) ||
        (rc = pick(o->out, "sinks", o->sinks, old->sinks,
                   t->window < ENCODE_SINKS ? t->window : ENCODE_SINKS, &t->sinks, e)) ||
        (rc = pick(o->out, "block", o->block, old->block, ENCODE_BLOCK, &t->block, e)) ||
        (rc = pick(o->out, "chunk", o->chunk, old->chunk, ENCODE_CHUNK - ENCODE_CHUNK % t->block,
                   &t->chunk, e)))
        return rc;
    t->topk = o->topk > 0 ? (uint32_t)o->topk : o->topk ? 0 : old->topk;
    if (old->block && t->topk != old->topk)
        return err_set(e, ERR_MISMATCH, "%s: has --topk %u; it cannot grow with %u", o->out,
                       old->topk, t->topk);
    if (t->block < 8 || t->block > ENCODE_BLOCK_MAX)
        return err_set(e, ERR_USAGE, "--block %u: a block has 8 to %d tokens", t->block,
                       ENCODE_BLOCK_MAX);
    if (t->window > DISK_FRAME_MAX || t->chunk > DISK_FRAME_MAX)
        return err_set(e, ERR_USAGE, "--window %u, --chunk %u: they have at most %d tokens",
                       t->window, t->chunk, DISK_FRAME_MAX);
    if (t->sinks > t->window)
        return err_set(e, ERR_USAGE, "--sinks %u are more than --window %u", t->sinks, t->window);
    if (t->topk > DISK_TOPK_MAX)
        return err_set(e, ERR_USAGE, "--topk %u: at most %d blocks are retrieved", t->topk,
                       DISK_TOPK_MAX);
    if (sight && t->window >= sight)
        return err_set(e, ERR_USAGE,
                       "--window %u: every layer of this model has a sliding window of %u tokens, "
                       "blocks beyond it could not be read; use at most %u",
                       t->window, sight, sight - 1);
    if (t->chunk % t->block)
        return err_set(e, ERR_USAGE, "--chunk %u is not a multiple of --block %u", t->chunk,
                       t->block);
    return 0;
}

// The recipe. The default loses no answers: fewer bits when the profile says which heads need them;
// when all heads are stored alike, more bits, at about half a per cent of perplexity.
static int recipe(const struct encode_options *o, const struct model *m, const struct kvz_meta *old,
                  struct kvz_recipe *r, struct err *e)
{
    const struct heads *profile = model_profile(m);
    int measured = profile && profile->steps;
    const struct kvz_recipe def = {.codec = CODEC_CODED_WIDE,
                                   .k_bits = measured ? 180 : 290,
                                   .v_bits = measured ? 225 : 270,
                                   .level = 1};
    int any = !o->recipe.k_bits && !o->recipe.level; // nothing was asked for
    if (o->needed_heads && !(profile && profile->near))
        return err_set(e, ERR_UNSUPPORTED,
                       "the profile of %s names no kv heads that look no further than the "
                       "window: --far-heads all "
                       "stores all; see lctool-calibrate(1)",
                       file_name(m->info.path));
    if (o->needed_heads && old->block)
        return err_set(e, ERR_USAGE,
                       "--far-heads is for a new index; one that grows goes on as it began");
    *r = o->recipe.k_bits ? o->recipe : any && old->block ? old->recipe : def;
    if (o->needed_heads && !codec_is_fitted(r->codec))
        return err_set(
            e, ERR_USAGE,
            "--far-heads needed: %g bits are stored of every head; it is for averages like 2.5",
            kvz_bits(r, r->k_bits));
    if (old->block && memcmp(r, &old->recipe, sizeof *r))
        return err_set(
            e, ERR_MISMATCH,
            "%s: keeps %g and %g bits of keys and values and cannot grow with %g and %g; leave "
            "out --kv and --kv-bits, or make another index",
            o->out, kvz_bits(&old->recipe, old->recipe.k_bits),
            kvz_bits(&old->recipe, old->recipe.v_bits), kvz_bits(r, r->k_bits),
            kvz_bits(r, r->v_bits));
    return 0;
}

// PARAMS on one line, for a message.
static const char *one_line(char buf[KVZ_PARAMS_MAX], const char *params)
{
    size_t n = strlen(params);
    snprintf(buf, KVZ_PARAMS_MAX, "%.*s", (int)(n ? n - 1 : 0), params);
    for (char *p = buf; (p = strchr(p, '\n'));)
        *p = ' ';
    return buf;
}

// meta.params: what the index is made with beside its method, that is the representation if it is
// not the method's, and the profile if it decides what is indexed.
static int parts(const struct encode_options *o, const struct model *m, const struct kvz_meta *old,
                 const struct method *row, struct kvz_meta *t, struct err *e)
{
    struct method own = *row;
    int rc = old->block ? method_of_index(&own, old, m, e) : 0, n = 0;
    if (rc || (rc = method_set(&own, PART_REPRESENT, o->represent, e)) ||
        (rc = method_set(&own, PART_KEPT, o->voters, e)) ||
        (rc = method_set(&own, PART_WINDOW, o->window_kind, e)))
        return rc;
    if (own.represent != row->represent)
        n = snprintf(t->params, sizeof t->params, "represent=%s\n",
                     method_part(&own, PART_REPRESENT));
    if (own.kept != row->kept)
        n += snprintf(t->params + n, sizeof t->params - (size_t)n, "voters=%s\n",
                      method_part(&own, PART_KEPT));
    if (o->representatives)
        own.representatives = o->representatives == REPRESENTATIVES ? 0 : o->representatives;
    if (own.representatives < 0 || own.representatives > REPRESENTATIVES_MAX)
        return err_set(e, ERR_USAGE, "%d representatives of a block; 1 to %d can stand for one",
                       own.representatives, REPRESENTATIVES_MAX);
    if (o->representatives && own.represent != REPRESENT_TOP && own.represent != REPRESENT_FIXED)
        return err_set(e, ERR_USAGE,
                       "--representative-num is for --represent top and fixed; here it is %s",
                       method_part(&own, PART_REPRESENT));
    if (own.representatives)
        n += snprintf(t->params + n, sizeof t->params - (size_t)n, "representatives=%d\n",
                      own.representatives);
    if (own.window != row->window)
        n += snprintf(t->params + n, sizeof t->params - (size_t)n, "window=%s\n",
                      method_part(&own, PART_WINDOW));
    if (own.represent != REPRESENT_TOP && own.kept == VOTERS_PROFILE && m->heads) {
        uint64_t digest;
        if ((rc = heads_digest(m->heads, &digest, e)))
            return rc;
        snprintf(t->params + n, sizeof t->params - (size_t)n, "profile=%016llx %s\n",
                 (unsigned long long)digest, m->heads->name);
    }
    char was[KVZ_PARAMS_MAX], is[KVZ_PARAMS_MAX];
    if (old->block && strcmp(t->params, old->params))
        return err_set(e, ERR_MISMATCH, "%s: was made with '%s'; it cannot grow with '%s'", o->out,
                       one_line(was, old->params), one_line(is, t->params));
    return 0;
}

// Refuses options that do not go with a cascading window.
static int check_cascade(const struct model *m, const struct kvz_meta *t, enum positions p,
                         struct err *e)
{
    if (p != POSITIONS_CONTIGUOUS)
        return err_set(e, ERR_USAGE, "a cascading window has positions 'contiguous'");
    if (t->topk)
        return err_set(e, ERR_USAGE,
                       "--topk: a cascading window leaves no room for retrieved blocks");
    if (t->window / CASCADE_PARTS < t->sinks || t->window / CASCADE_PARTS > CASCADE_SLOTS_MAX)
        return err_set(
            e, ERR_USAGE,
            "--window %u: a quarter of a cascading window is from %u tokens, the sinks, to "
            "%d",
            t->window, t->sinks, CASCADE_SLOTS_MAX);
    for (int i = 0; i < m->info.n_layers; i++)
        if (m->layers[i].sliding)
            return err_set(
                e, ERR_UNSUPPORTED,
                "%s: a cascading window is not supported for a model that has a sliding one",
                m->info.path);
    return 0;
}

// The parameters of the index that grows; zeros when there is none.
static int old_meta(const struct model *m, const struct encode_options *o, struct kvz_meta *old,
                    struct err *e)
{
    struct kvz *k;
    *old = (struct kvz_meta){0};
    int rc = o->append ? kvz_open(&k, o->out, e) : 0;
    if (rc || !o->append)
        return rc;
    *old = *kvz_meta(k);
    rc = ask_check(m, k, e);
    kvz_close(k);
    return rc;
}

// Fills in what identifies the model.
static void fingerprint(const struct model_info *f, struct kvz_meta *meta)
{
    *meta = (struct kvz_meta){
        .model_digest = f->digest,
        .tokenizer_digest = f->tokenizer_digest,
        .n_layers = (uint32_t)f->n_layers,
        .n_heads = (uint32_t)f->n_heads,
        .n_kv_heads = (uint32_t)f->n_kv_heads,
        .head_dim = (uint32_t)f->head_dim,
    };
    show_bytes(f->name, strlen(f->name), meta->model, sizeof meta->model); // whole characters
    snprintf(meta->arch, sizeof meta->arch, "%s", f->arch);
    char *path = realpath(f->path, NULL);
    snprintf(meta->model_path, sizeof meta->model_path, "%s", path ? path : f->path);
    free(path);
}

static int pick_positions(const struct model *m, const struct encode_options *o,
                          const struct kvz_meta *old, const struct method *method,
                          struct kvz_meta *meta, struct err *e)
{
    int cascades = method->window == WINDOW_CASCADE;
    enum positions p;
    int rc =
        pick_name(o->out, "positions", o->positions, old->positions,
                  cascades ? "contiguous" : "window", meta->positions, sizeof meta->positions, e);
    if (rc || (rc = positions_parse(meta->positions, &p, e)))
        return rc;
    return cascades ? check_cascade(m, meta, p, e) : 0;
}

int encode_meta(const struct model *m, const struct encode_options *o, struct kvz_meta *meta,
                struct method *method, struct err *e)
{
    const struct model_info *f = &m->info;
    struct kvz_meta old;
    struct method row;
    int rc = old_meta(m, o, &old, e);
    if (rc)
        return rc;
    fingerprint(f, meta);
    const char *name = o->method && *o->method ? o->method : old.method;
    const char *chat = f->template_name ? f->template_name : "raw";
    if ((rc = shape(o, m, &old, meta, e)) || (rc = recipe(o, m, &old, &meta->recipe, e)) ||
        (rc = method_find(&row, name, m, e)) ||
        (rc = pick_name(o->out, "method", o->method, old.method, row.name, meta->method,
                        sizeof meta->method, e)) ||
        (rc = pick_name(o->out, "template", o->template_name, old.template_name, chat,
                        meta->template_name, sizeof meta->template_name, e)) ||
        (rc = parts(o, m, &old, &row, meta, e)) || (rc = method_of_index(method, meta, m, e)) ||
        (rc = pick_positions(m, o, &old, method, meta, e)))
        return rc;
    if (!chat_find(meta->template_name))
        return err_set(e, ERR_USAGE, "template '%s' is not known", meta->template_name);
    if (meta->topk && method->represent != REPRESENT_TOP)
        return err_set(e, ERR_USAGE, "--topk: retrieval while encoding needs --method infllm");
    return 0;
}
