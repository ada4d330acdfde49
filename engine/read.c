// What of an index is brought into sight of a stream.
#include "engine/ask.h"

#include <stdlib.h>
#include <string.h>

#include "engine/summary.h"
#include "io/clock.h"
#include "io/mem.h"

enum { CHUNK = 1024 }; // tokens run together: the blocks' text and the question, as a rule

// The blocks at the start that are sinks: how many there are, and their tokens.
static int count_sinks(const struct kvz *k, uint64_t *n_blocks, uint64_t *n_tokens, struct err *e)
{
    *n_tokens = 0;
    for (*n_blocks = 0; *n_blocks < kvz_n_blocks(k); ++*n_blocks) {
        struct kvz_block b;
        int rc = kvz_block(k, *n_blocks, &b, e);
        if (rc)
            return rc;
        if (!(b.flags & KVZ_SINK))
            break;
        *n_tokens += b.n_tokens;
    }
    if (*n_tokens > kvz_meta(k)->sinks)
        return err_set(e, ERR_FORMAT, "%s: has %llu sinks instead of %u at most", kvz_path(k),
                       (unsigned long long)*n_tokens, kvz_meta(k)->sinks);
    return 0;
}

static int read_sinks(struct stream *s, const struct kvz *k, uint64_t n, struct err *e)
{
    struct kvz_block b;
    for (uint64_t i = 0; i < n; i++)
        kvz_will_need(k, &i, 1);
    for (uint64_t i = 0; i < n; i++) {
        int rc = kvz_block(k, i, &b, e);
        if (rc || (rc = stream_put_block(s, STREAM_SINKS, -1, s->n_sinks, k, i, b.n_tokens, e)))
            return rc;
        s->n_sinks += (int)b.n_tokens;
    }
    s->n_seen = s->n_sinks;
    return 0;
}

int read_tail_first(const struct kvz *k, int n, uint64_t *first, struct err *e)
{
    struct kvz_block b;
    for (*first = kvz_n_blocks(k); *first > 0; --*first) {
        int rc = kvz_block(k, *first - 1, &b, e);
        if (rc)
            return rc;
        if ((b.flags & KVZ_SINK) || (n -= (int)b.n_tokens) < 0)
            break;
    }
    return 0;
}

static int read_tail(struct stream *s, const struct kvz *k, int n, struct err *e)
{
    uint64_t i;
    int rc = read_tail_first(k, n, &i, e);
    for (uint64_t j = i; !rc && j < kvz_n_blocks(k); j++)
        kvz_will_need(k, &j, 1);
    for (; !rc && i < kvz_n_blocks(k); i++) {
        struct kvz_block b;
        if ((rc = kvz_block(k, i, &b, e)) ||
            (rc = stream_put_block(s, STREAM_LOCAL, -1, s->n_local, k, i, b.n_tokens, e)))
            break;
        s->n_local += (int)b.n_tokens;
    }
    s->n_seen = (int64_t)kvz_n_tokens(k);
    return rc;
}

int read_far(struct stream *s, int layer, const struct places *p, struct err *e)
{
    int64_t *pos = mem_new((size_t)s->o.far, sizeof *pos, e);
    if (!pos)
        return ERR_NOMEM;
    int rc = 0, at = 0;
    for (int i = 0; !rc && i < p->n; i++) {
        struct kvz_block b;
        const struct place *x = &p->v[i];
        if ((rc = kvz_block(x->k, x->block, &b, e)))
            break;
        if (at + (int)b.n_tokens > s->o.far) {
            rc = err_set(e, ERR_USAGE, "%d blocks do not fit a context of %d far tokens", p->n,
                         s->o.far);
            break;
        }
        for (uint32_t t = 0; t < b.n_tokens; t++)
            pos[at + (int)t] = (int64_t)(b.token + t);
        rc = stream_put_block(s, STREAM_FAR, layer, at, x->k, x->block, b.n_tokens, e);
        at += (int)b.n_tokens;
    }
    for (int l = 0; !rc && l < s->m->info.n_layers; l++)
        if (layer < 0 || l == layer)
            stream_set_far(s, l, at, pos);
    free(pos);
    return rc;
}

int read_open(struct stream **out, struct model *m, const struct kvz *home,
              enum positions positions, int window, int far, int room, struct err *e)
{
    const struct kvz_meta *t = kvz_meta(home);
    uint64_t n_tokens = kvz_n_tokens(home), sinks, sink_blocks;
    int64_t reach = (int64_t)t->window + t->chunk; // as it was read, so it is asked
    int rc = count_sinks(home, &sink_blocks, &sinks, e);
    if (rc)
        return rc;
    if (positions == POSITIONS_CONTIGUOUS)
        reach += (int64_t)sinks + far;
    if ((uint64_t)window > n_tokens)
        window = (int)n_tokens;
    rc = stream_new(out, m,
                    &(struct stream_options){
                        .sinks = (int)sinks,
                        .window = window,
                        .room = window + room,
                        .chunk = room < CHUNK ? room : CHUNK,
                        .far = far,
                        .distance = (int)t->window,
                        .reach = reach,
                        .positions = positions,
                    },
                    e);
    if (!rc)
        rc = read_sinks(*out, home, sink_blocks, e);
    return rc ? rc : read_tail(*out, home, window, e);
}

// The tokens of the chosen blocks, in document order, runs of neighbours apart by a blank line.
static int fresh_text(const struct reading *r, struct prompt *p, struct err *e)
{
    if (r->text)
        return prompt_text(p, r->m, r->text, TOK_PLAIN, e);
    for (int i = 0; i < r->far.n; i++) {
        const struct place *at = &r->far.v[i];
        uint32_t *ids, *bytes, n, skip = 0;
        int apart = i && (at[-1].k != at->k || at[-1].block + 1 != at->block);
        int rc = apart ? prompt_text(p, r->m, "\n\n", TOK_PLAIN, e) : 0;
        if (rc)
            return rc;
        rc = block_tokens(at->k, at->block, &ids, &bytes, &n, e);
        while (!rc && at->block == 0 && skip < n && !bytes[skip])
            skip++; // the template's head is not text
        if (!rc)
            rc = prompt_ids(p, ids + skip, (int)(n - skip), e);
        free(ids);
        if (rc)
            return rc;
    }
    return 0;
}

// Most far tokens of a layer.
static int most_far(const struct reading *r)
{
    int most = r->far.tokens;
    struct kvz_summary is;
    if (r->state)
        return kvz_summary(r->home, &is, NULL) ? 0 : (int)is.n;
    for (int l = 0; r->layers && l < r->m->info.n_layers; l++)
        most = r->layers[l].tokens > most ? r->layers[l].tokens : most;
    return most;
}

static int bring_far(const struct reading *r, struct err *e)
{
    int rc = 0;
    if (r->state)
        return summary_read(r->w.s, r->home, e);
    if (!r->layers)
        return read_far(r->w.s, -1, &r->far, e);
    for (int l = 0; !rc && l < r->m->info.n_layers; l++)
        rc = read_far(r->w.s, l, &r->layers[l], e);
    return rc;
}

int read_and_write(struct reading *r, struct err *e)
{
    struct prompt p = {0};
    int rc = 0, fresh = 0, only_fresh = read_text_only(r->mode);
    if (only_fresh)
        rc = prompt_head(&p, r->m, r->chat, e);
    if (!rc && (only_fresh || r->mode == READ_BOTH)) {
        int head = p.n;
        rc = r->mode == READ_SENTENCES ? prompt_ids(&p, r->sentences->ids, r->sentences->n, e)
                                       : fresh_text(r, &p, e);
        fresh = p.n - head;
    }
    if (!rc)
        rc = prompt_ids(&p, r->question->ids, r->question->n, e);
    int room = p.n + r->w.max_tokens, chunk = p.n < CHUNK ? p.n : CHUNK;
    if (!rc && only_fresh)
        rc = stream_new(
            &r->w.s, r->m,
            &(struct stream_options){.window = room - chunk, .chunk = chunk, .room = room}, e);
    else if (!rc && !(rc = read_open(&r->w.s, r->m, r->home, r->positions, r->window, most_far(r),
                                     room, e)))
        rc = bring_far(r, e);
    if (!rc && !(r->w.logits = mem_new((size_t)r->m->info.n_vocab, sizeof(float), e)))
        rc = ERR_NOMEM;
    if (!rc) {
        r->read_tokens = r->w.s->n_sinks + r->w.s->n_local + fresh;
        r->read_tokens += only_fresh ? 0 : most_far(r);
        rc = run_tokens(r->w.s, p.ids, p.n, r->w.logits, e);
    }
    r->first_token = clock_seconds();
    if (!rc)
        rc = write_answer(&r->w, e);
    if (!rc)
        rc = stream_worth(r->w.s, e);
    prompt_done(&p);
    free(r->w.logits);
    stream_free(r->w.s);
    r->w.logits = NULL;
    r->w.s = NULL;
    return rc;
}

int evidence_of(struct evidence *v, const struct kvz *k, int index, uint64_t block, double score,
                struct err *e)
{
    struct kvz_block b;
    struct kvz_document d;
    int rc;
    if ((rc = kvz_block(k, block, &b, e)) || (rc = kvz_document(k, b.document, &d, e)))
        return rc;
    *v = (struct evidence){.index = index,
                           .block = block,
                           .document = d.name,
                           .start = b.start,
                           .end = b.end,
                           .focus_start = b.start,
                           .focus_end = b.end,
                           .score = score,
                           .text_bytes = b.end - b.start};
    if (!(v->text = mem_new(v->text_bytes + 1, 1, e)))
        return ERR_NOMEM;
    return kvz_read_text(k, block, v->text, e);
}
