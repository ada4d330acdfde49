// What the codec is fitted to: keys and values of the window before the first block is stored.
#include <stdlib.h>
#include <string.h>

#include "engine/encode/encode.h"
#include "io/mem.h"

enum {
    FEW = 14,  // a window that has no more than every 14th token as another one is alike throughout
    EVERY = 4, // of such a window every 4th token is sampled,
};
// and with it prose. Keys and values of a table of figures, a dump, lines of dots vary so much less
// than those of prose that steps of their size cost prose five times the room, in all documents
// that follow.
static const char PROSE[] =
    "The Harbour Office\n\nThe office at the end of the north pier was built in 1887 by two "
    "brothers "
    "who had made their money in rope. Its windows look over the basin, where about forty boats "
    "lie in "
    "winter, and over the road to the station. \"Nobody comes here before noon,\" said Margaret "
    "Holm, who has kept the books since March 2004, \"and after five they all come at once.\" "
    "Anyone may ask for a berth: the form has to be handed in, with a fee of 35 pounds, at least "
    "two weeks "
    "before the boat arrives. If the weather is bad, the master may close the outer gate; small "
    "boats are then towed by the pilot, whose number is 555-0142.\n\n"
    "- Water and light are paid by the day.\n- Dogs must be kept on a lead.\n- Nets are dried "
    "behind the shed, never on the quay.\n\n"
    "What happens when a ship is lost? An inquiry is held within thirty days. Its report names the "
    "cause, the owner and the insurance, and is sent to the ministry in Bergen, because the law of "
    "1921 says so. In most years there is none to write; in the worst, after the storm of January "
    "1953, there were eleven, and the clerk wrote them by hand, one after another, through the "
    "whole of February.\n";

// Keys and values of all layers, host memory.
struct sampled {
    float **k, **v; // [n_layers] -> [n_kv_heads][stride][head_dim]
    float *own;     // where they are copies
    int n, stride;  // tokens
};

static void sampled_done(struct sampled *r)
{
    free(r->k);
    free(r->own);
    *r = (struct sampled){0};
}

// Room for N tokens.
static int sampled_new(struct sampled *r, const struct model_info *f, int n, int own, struct err *e)
{
    const size_t layers = (size_t)f->n_layers,
                 each = (size_t)n * (size_t)(f->n_kv_heads * f->head_dim);
    *r = (struct sampled){.k = mem_new(2 * layers, sizeof *r->k, e), .n = n, .stride = n};
    r->v = r->k ? r->k + layers : NULL;
    r->own = own ? mem_new(2 * layers, each * sizeof *r->own, e) : NULL;
    if (!r->k || (own && !r->own)) {
        sampled_done(r);
        return ERR_NOMEM;
    }
    for (size_t l = 0; own && l < layers; l++) {
        r->k[l] = r->own + 2 * l * each;
        r->v[l] = r->k[l] + each;
    }
    return 0;
}

// Those of the local tokens of S: in place on devices with plain memory.
static int sampled_of(struct sampled *r, struct stream *s, struct err *e)
{
    const int plain = s->m->device->ops->plain;
    int rc = sampled_new(r, &s->m->info, s->n_local, !plain, e);
    if (rc)
        return rc;
    if (plain)
        r->stride = stream_rows(s, 0, r->k, r->v);
    else if ((rc = stream_get_all(s, 0, s->n_local, r->k, r->v, NULL, e)))
        sampled_done(r);
    return rc;
}

// Whether the blocks of the window repeat a few tokens.
static int is_uniform(const struct encoder *x)
{
    enum { SEEN = 1 << 12 }; // more than a uniform window has
    uint32_t seen[SEEN / FEW];
    size_t all = 0, n = 0;
    for (size_t i = 0; i < x->queue.n; i++)
        if (x->queue.v[i].kind == ITEM_BLOCK)
            all += x->queue.v[i].n_tokens;
    if (all > SEEN)
        all = SEEN;
    size_t left = all;
    for (size_t i = 0; i < x->queue.n && left; i++)
        for (size_t j = 0; x->queue.v[i].kind == ITEM_BLOCK && left && j < x->queue.v[i].n_tokens;
             j++, left--) {
            const uint32_t id = x->queue.v[i].tokens[j];
            size_t at = 0;
            while (at < n && seen[at] != id)
                at++;
            if (at < n)
                continue;
            if (FEW * (n + 1) > all)
                return 0;
            seen[n++] = id;
        }
    return 1;
}

// Runs the prose in *S, a stream of its own.
static int read_prose(struct stream **s, const struct model *m, struct err *e)
{
    struct tok_list l = {0};
    uint32_t *ids = NULL;
    *s = NULL;
    int rc = tok_encode(m->tok, PROSE, sizeof PROSE - 1, TOK_PLAIN | TOK_START, &l, e),
        n = (int)l.n;
    if (!rc && !(ids = mem_new(l.n, sizeof *ids, e)))
        rc = ERR_NOMEM;
    for (int i = 0; !rc && i < n; i++)
        ids[i] = l.v[i].id;
    if (!rc)
        rc = stream_new(s, m, &(struct stream_options){.window = n, .chunk = n, .room = n}, e);
    if (!rc && (rc = forward(*s, &(struct forward){.tokens = ids, .n = n}, e))) {
        stream_free(*s);
        *s = NULL;
    }
    free(ids);
    tok_list_free(&l);
    return rc;
}

// Tokens FIRST, FIRST + STEP .. of FROM behind the AT tokens of TO that are there; their number.
static int put(struct sampled *to, int at, const struct sampled *from, int first, int end, int step,
               const struct model_info *f)
{
    const size_t dim = (size_t)f->head_dim, bytes = dim * sizeof(float);
    int n = 0;
    for (int i = first; i < end; i += step, n++)
        for (int l = 0; l < f->n_layers; l++)
            for (int h = 0; h < f->n_kv_heads; h++) {
                const size_t to_at = ((size_t)(h * to->stride + at + n)) * dim,
                             from_at = ((size_t)(h * from->stride + i)) * dim;
                memcpy(to->k[l] + to_at, from->k[l] + from_at, bytes);
                memcpy(to->v[l] + to_at, from->v[l] + from_at, bytes);
            }
    return n;
}

// *OUT: some of WINDOW, its first SINKS tokens among them, and prose behind it.
static int mix(struct sampled *out, const struct sampled *window, int sinks, const struct model *m,
               struct err *e)
{
    const struct model_info *f = &m->info;
    struct stream *s;
    struct sampled prose;
    int rc = read_prose(&s, m, e);
    if (rc)
        return rc;
    if (!(rc = sampled_of(&prose, s, e))) {
        const int first = sinks < window->n ? sinks : window->n,
                  some = (window->n - first + EVERY - 1) / EVERY;
        if (!(rc = sampled_new(out, f, first + some + prose.n, 1, e))) {
            int n = put(out, 0, window, 0, first, 1, f);
            n += put(out, n, window, first, window->n, EVERY, f);
            put(out, n, &prose, 0, prose.n, 1, f);
        }
        sampled_done(&prose);
    }
    stream_free(s);
    return rc;
}

int encoder_sample(struct encoder *x, int is_all, struct err *e)
{
    const struct model_info *f = &x->m->info;
    const struct heads *profile = model_profile(x->m);
    struct sampled window, mixed = {0};
    float *steps = mem_new(2 * (size_t)f->n_layers, (size_t)f->n_kv_heads * sizeof *steps, e);
    if (!steps)
        return ERR_NOMEM;
    int rc = sampled_of(&window, x->s, e);
    if (!rc) {
        if (!is_all && is_uniform(x))
            rc = mix(&mixed, &window, x->s->o.sinks, x->m, e);
        const struct sampled *r = mixed.k ? &mixed : &window;
        heads_steps(profile, f->n_layers, f->n_kv_heads, steps);
        if (!rc)
            rc = kvz_sample(x->w, (const float *const *)r->k, (const float *const *)r->v,
                            (uint32_t)r->n, (uint32_t)r->stride, is_all,
                            &(struct kvz_fit){steps, x->o->needed_heads ? profile->near : NULL}, e);
        sampled_done(&mixed);
        sampled_done(&window);
    }
    free(steps);
    return rc;
}
