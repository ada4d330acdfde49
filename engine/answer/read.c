// The read pass: stored blocks or text into the model's sight, the question, the answer.
#include "engine/answer/reading.h"

#include <stdlib.h>
#include <string.h>

#include "engine/encode/summary_state.h"
#include "engine/method/ballot.h"
#include "io/clock.h"
#include "io/mem.h"

enum { CHUNK = 1024 }; // tokens run together: the blocks' text and the question, as a rule

// Tokens of an answer for which there is room at first: most are shorter, and memory that the
// system has to clear costs more than a longer one's move.
enum { SHORT = 64 };

// Puts blocks FROM .. TO - 1 at the beginning of PART; *N_TOKENS: of all of them.
static int read_run(struct stream *s, enum stream_part part, const struct kvz *k, uint64_t from,
                    uint64_t to, int *n_tokens, struct err *e)
{
    struct stream_block *v = mem_new((size_t)(to - from), sizeof *v, e);
    int rc = v ? 0 : ERR_NOMEM;
    *n_tokens = 0;
    for (uint64_t i = from; !rc && i < to; i++) {
        struct kvz_block b;
        kvz_will_need(k, &i, 1);
        if ((rc = kvz_block(k, i, &b, e)))
            break;
        v[i - from] = (struct stream_block){k, i, b.n_tokens, *n_tokens};
        *n_tokens += (int)b.n_tokens;
    }
    if (!rc)
        rc = stream_put_blocks(s, part, -1, v, (int)(to - from), e);
    free(v);
    return rc;
}

static int read_sinks(struct stream *s, const struct kvz *k, uint64_t n, struct err *e)
{
    int sinks = 0;
    const int rc = read_run(s, STREAM_SINKS, k, 0, n, &sinks, e);
    stream_set_seen(s, STREAM_SINKS, sinks, sinks);
    return rc;
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
    uint64_t first;
    int local = 0, rc = read_tail_first(k, n, &first, e);
    if (!rc)
        rc = read_run(s, STREAM_LOCAL, k, first, kvz_n_blocks(k), &local, e);
    stream_set_seen(s, STREAM_LOCAL, local, (int64_t)kvz_n_tokens(k));
    return rc;
}

struct far_block {
    struct place at;
    struct kvz_block info;
    int first; // place of its first token in document order
};

static int by_rank(const void *a, const void *b)
{
    const struct far_block *x = a, *y = b;
    return x->at.rank - y->at.rank;
}

// V: the blocks in the order in which they will lie. *N_TOKENS: of all of them.
static int far_order(const struct places *p, enum traverse traverse, struct far_block *v,
                     int *n_tokens, struct err *e)
{
    *n_tokens = 0;
    for (int i = 0; i < p->n; i++) {
        struct far_block *x = &v[traverse == TRAVERSE_RECENCY ? p->n - 1 - i : i];
        x->at = p->v[i];
        int rc = kvz_block(x->at.k, x->at.block, &x->info, e);
        if (rc)
            return rc;
        x->first = *n_tokens;
        *n_tokens += (int)x->info.n_tokens;
    }
    if (traverse == TRAVERSE_IMPORTANCE)
        qsort(v, (size_t)p->n, sizeof *v, by_rank);
    return 0;
}

int read_far(struct stream *s, int layer, const struct places *p, enum traverse traverse,
             struct err *e)
{
    int64_t *pos = mem_new((size_t)s->o.far, sizeof *pos, e);
    int *place = mem_new((size_t)s->o.far, sizeof *place, e), at = 0, n = 0;
    struct far_block *v = mem_new((size_t)p->n, sizeof *v, e);
    struct stream_block *blocks = mem_new((size_t)p->n, sizeof *blocks, e);
    int rc = pos && place && v && blocks ? far_order(p, traverse, v, &n, e) : ERR_NOMEM;
    if (!rc && n > s->o.far)
        rc = err_set(e, ERR_USAGE, "%d blocks do not fit a context of %d far tokens", p->n,
                     s->o.far);
    for (int i = 0; !rc && i < p->n; i++) {
        const struct far_block *x = &v[i];
        for (int t = 0; t < (int)x->info.n_tokens; t++) {
            pos[at + t] = (int64_t)x->info.token + t;
            place[at + t] = x->first + t;
        }
        blocks[i] = (struct stream_block){x->at.k, x->at.block, x->info.n_tokens, at};
        at += (int)x->info.n_tokens;
    }
    if (!rc)
        rc = stream_put_blocks(s, STREAM_FAR, layer, blocks, p->n, e);
    for (int l = 0; !rc && l < s->m->info.n_layers; l++) {
        if (layer >= 0 && l != layer)
            continue;
        stream_set_far(s, l, at, pos);
        if (traverse != TRAVERSE_DOCUMENT)
            rc = stream_set_places(s, l, place, e);
    }
    free(pos);
    free(place);
    free(v);
    free(blocks);
    return rc;
}

// Puts the excerpts into every layer, one behind the other.
static int read_excerpts(struct stream *s, const struct excerpts *p, struct err *e)
{
    struct stream_block *v = mem_new(p->n, sizeof *v, e);
    int64_t *pos = mem_new((size_t)p->tokens, sizeof *pos, e);
    unsigned char *keep = mem_new((size_t)p->tokens, 1, e);
    int rc = v && pos && keep ? 0 : ERR_NOMEM, at = 0;
    for (size_t i = 0; !rc && i < p->n; i++) {
        const struct excerpt *x = &p->v[i];
        struct kvz_block b;
        kvz_will_need(x->k, &x->block, 1);
        if ((rc = kvz_block(x->k, x->block, &b, e)))
            break;
        v[i] = (struct stream_block){x->k, x->block, b.n_tokens, at};
        for (uint32_t t = 0; t < b.n_tokens; t++, at++) {
            pos[at] = (int64_t)b.token + t;
            keep[at] = t >= x->from && t < x->to;
        }
    }
    if (!rc)
        rc = stream_put_blocks(s, STREAM_FAR, -1, v, (int)p->n, e);
    for (int l = 0; !rc && l < s->m->info.n_layers; l++)
        stream_set_far(s, l, at, pos);
    if (!rc)
        stream_narrow(s, keep);
    free(v);
    free(pos);
    free(keep);
    return rc;
}

int read_open(struct stream **out, struct model *m, const struct kvz *home, const struct sight *x,
              struct err *e)
{
    const struct kvz_meta *t = kvz_meta(home);
    uint64_t n_tokens = kvz_n_tokens(home), sinks, sink_blocks;
    int64_t reach = (int64_t)t->window + t->chunk; // as it was read, so it is asked
    int rc = kvz_sinks(home, &sink_blocks, &sinks, e);
    if (rc)
        return rc;
    int window = (uint64_t)x->window > n_tokens ? (int)n_tokens : x->window;
    if (x->positions == POSITIONS_CONTIGUOUS)
        reach += (int64_t)sinks + x->far;
    rc = stream_new(out, m,
                    &(struct stream_options){
                        .sinks = (int)sinks,
                        .window = window,
                        .room = window + x->room,
                        .chunk = x->room < CHUNK ? x->room : CHUNK,
                        .far = x->far,
                        .layers = x->layers,
                        .distance = (int)t->window,
                        .reach = reach,
                        .positions = x->positions,
                        .sharpen = x->sharpen,
                    },
                    e);
    if (!rc)
        rc = read_sinks(*out, home, sink_blocks, e);
    return rc ? rc : read_tail(*out, home, window, e);
}

// Appends the tokens of the chosen blocks, in document order, a blank line between those that do
// not follow one another.
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
    if (r->mode == READ_CACHED_SENTENCES)
        return r->excerpts->tokens;
    for (int i = 0; r->layers && i < r->m->info.n_layers * r->lanes; i++)
        most = r->layers[i].tokens > most ? r->layers[i].tokens : most;
    return most;
}

static int bring_far(const struct reading *r, struct err *e)
{
    int rc = 0;
    if (r->state)
        return summary_state_read(r->w.s, r->home, e);
    if (r->mode == READ_CACHED_SENTENCES)
        return read_excerpts(r->w.s, r->excerpts, e);
    if (!r->layers)
        return read_far(r->w.s, -1, &r->far, r->traverse, e);
    for (int l = 0; !rc && l < r->m->info.n_layers; l++)
        rc = r->lanes > 1 ? read_far_heads(r->w.s, l, r->layers + l * r->lanes, e)
                          : read_far(r->w.s, l, &r->layers[l], r->traverse, e);
    return rc;
}

// Far tokens that a layer has in sight, at most.
static int far_seen(const struct reading *r)
{
    int n = 0;
    if (r->mode != READ_CACHED_SENTENCES)
        return read_text_only(r->mode) ? 0 : most_far(r);
    for (size_t i = 0; i < r->excerpts->n; i++)
        n += (int)(r->excerpts->v[i].to - r->excerpts->v[i].from);
    return n;
}

// P: what the model is given, the text that is read, if any, of *FRESH tokens, and the question.
static int put_prompt(const struct reading *r, struct prompt *p, int *fresh, struct err *e)
{
    int only_fresh = read_text_only(r->mode),
        rc = only_fresh ? prompt_head(p, r->m, r->chat, e) : 0;
    const int head = p->n;
    if (!rc && (only_fresh || r->mode == READ_BOTH))
        rc = r->mode == READ_SENTENCES ? prompt_ids(p, r->sentences->ids, r->sentences->n, e)
                                       : fresh_text(r, p, e);
    *fresh = p->n - head;
    return rc ? rc : prompt_ids(p, r->question->ids, r->question->n, e);
}

// Opens an empty stream for P, which is all that is read, and the answer. WATCHED: attention will
// be counted.
static int open_empty(struct reading *r, const struct prompt *p, int watched, struct err *e)
{
    const int chunk = p->n < CHUNK ? p->n : CHUNK, most = p->n + r->w.max_tokens;
    struct stream_options o = {.window = most - chunk, .chunk = chunk, .room = most};
    if (!watched && r->m->device->ops->plain && r->w.max_tokens > SHORT) {
        r->w.room = most;
        o.room = p->n + SHORT;
    }
    return stream_new(&r->w.s, r->m, &o, e);
}

// Opens the stream, with room for P and the answer: empty when only text is read, else with what is
// stored in sight.
static int open_sight(struct reading *r, const struct prompt *p, int watched, struct err *e)
{
    const int room = p->n + r->w.max_tokens;
    int rc;
    if (read_text_only(r->mode))
        rc = open_empty(r, p, watched, e);
    else if (!(rc = read_open(&r->w.s, r->m, r->home,
                              &(struct sight){.positions = r->positions,
                                              .window = r->window,
                                              .far = most_far(r),
                                              .room = room,
                                              .sharpen = r->sharpen},
                              e)))
        rc = bring_far(r, e);
    if (rc)
        return rc;
    r->w.s->o.art = r->art;
    r->w.s->o.art.read = r->w.s->art_read;
    return 0;
}

// Sets up copying, guessing ahead and quoting. P ends with the question, which FRESH tokens of text
// precede.
static int prepare_writing(struct reading *r, const struct prompt *p, int fresh, struct err *e)
{
    struct writing *w = &r->w;
    const int n_asked = r->question->n, n_vocab = r->m->info.n_vocab;
    const uint32_t *asked = p->ids + p->n - n_asked, *read = asked - fresh;
    int n_read = fresh;
    if (r->mode == READ_CACHED_SENTENCES) {
        read = r->sentences->ids;
        n_read = r->sentences->n;
    }
    if (!(w->logits = mem_new((size_t)(1 + w->draft.most) * (size_t)n_vocab, sizeof(float), e)))
        return ERR_NOMEM;
    draft_from(&w->draft, read, n_read, asked, n_asked);
    const int last = r->copied && r->shown->n ? r->shown->v[r->shown->n - 1].n : n_read;
    int rc =
        copies_new(&w->copies, r->copy, read + n_read - last, last, asked, n_asked, n_vocab, e);
    w->copies.given = asked + r->question->answer_from;
    w->copies.n_given = n_asked - r->question->answer_from;
    w->copies.once = r->several;
    if (r->doubt > 0 && r->shown->n) {
        size_t quoted = r->shown->n < (size_t)r->quoted ? r->shown->n : (size_t)r->quoted;
        int from = r->shown->v[r->shown->n - quoted].from + r->unsaid;
        w->quote = (struct quote){
            .ids = r->sentences->ids + from,
            .n = r->sentences->n - from,
            .apart = r->apart && quoted > 1 ? r->shown->v[r->shown->n - 1].from - from : 0,
            .doubt = r->doubt,
            .always = r->in_its_words,
            .asked = r->asked,
            .news = r->news};
    }
    return rc;
}

// Runs P, as far as it has not been run before, be it when the document was read.
static int run_prompt(struct reading *r, const struct prompt *p, struct err *e)
{
    const int common =
        read_text_only(r->mode) ? prefix_share(r->prefix, r->home, r->w.s, p->ids, p->n - 1, e) : 0;
    return common < 0 ? common : write_prompt(&r->w, p->ids + common, p->n - common, e);
}

int read_and_write(struct reading *r, struct err *e)
{
    struct prompt p = {0};
    int fresh, decided = 0, watched = r->mode == READ_SENTENCES && r->shown->n > 1;
    int rc = put_prompt(r, &p, &fresh, e);
    if (!rc)
        rc = open_sight(r, &p, watched, e);
    if (!rc)
        rc = prepare_writing(r, &p, fresh, e);
    int before =
        rc ? 0 : r->w.s->n_local + p.n - r->question->n - fresh; // local tokens before what is read
    if (!rc) {
        r->read_tokens = r->w.s->n_sinks + r->w.s->n_local + fresh + far_seen(r);
        decided = r->w.quote.n && r->w.quote.always; // whatever the model would say
        watched &= !decided;
    }
    if (!rc && !decided)
        rc = run_prompt(r, &p, e);
    if (!rc && watched)
        rc = attention_watch(r->w.s, e);
    r->first_token = clock_seconds();
    if (!rc)
        rc = decided ? write_quotation(&r->w, e) : write_answer(&r->w, e);
    copies_done(&r->w.copies);
    bonuses_done(&r->w.bonuses);
    if (!rc)
        rc = stream_worth(r->w.s, e);
    if (!rc && watched)
        rc = attention_count(r->shown, r->w.s, before, e);
    else if (!rc && decided)
        attention_as_chosen(r->shown);
    if (!rc)
        memcpy(r->art_read, r->w.s->art_read, sizeof r->art_read);
    prompt_done(&p);
    free(r->w.logits);
    stream_free(r->w.s);
    r->w.logits = NULL;
    r->w.s = NULL;
    return rc;
}
