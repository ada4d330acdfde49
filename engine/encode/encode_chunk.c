// From waiting tokens to chunks and the passes over them, from what leaves the window to blocks.
#include <string.h>

#include "engine/encode/encode.h"
#include "io/clock.h"
#include "io/mem.h"

// ---------------------------------------------------------------------------- written blocks

static int write_item(struct encoder *x, struct item *it, int from, struct err *e)
{
    int rc = it->kind == ITEM_BLOCK ? 0 : block_writer_wait(x->writer, e);
    if (rc)
        return rc;
    switch (it->kind) {
    case ITEM_BEGIN:
        return kvz_begin_document(x->w, it->name, it->format, e);
    case ITEM_END:
        return kvz_end_document(x->w, it->bytes, it->digest, e);
    case ITEM_BLOCK:
        return it->written ? 0 : block_writer_add(x->writer, it, from, e);
    }
    return 0;
}

int encoder_drain(struct encoder *x, int all, struct err *e)
{
    int rc, from = 0;
    while (x->queue.n) {
        struct item *it = &x->queue.v[0];
        int n = it->kind == ITEM_BLOCK ? (int)it->n_tokens : 0;
        if (!all && n && x->s->n_local - n < x->s->o.window)
            return 0;
        if (n && kvz_wants_sample(x->w) && (rc = encoder_sample(x, all, e)))
            return rc;
        if ((rc = write_item(x, it, from, e)))
            return rc;
        if (all)
            from += n;
        else if (n && (rc = stream_evict(x->s, n, it->flags & KVZ_SINK, e)))
            return rc;
        queue_pop(&x->queue);
    }
    return all ? block_writer_wait(x->writer, e) : 0;
}

// --------------------------------------------------------------------------- from text to chunks

struct item *waiting_mark(struct waiting *t, enum item_kind kind, struct err *e)
{
    struct item *it = queue_push(&t->marks, kind, e);
    if (it)
        it->before = t->tokens.n;
    return it;
}

void encoder_consume_name(struct encoder *x, const char *name)
{
    hash_update(x->consumed, name, strlen(name) + 1);
}

int encoder_pass_marks(struct encoder *x, struct err *e)
{
    struct waiting *t = &x->waiting;
    while (t->marks.n && t->marks.v[0].before == t->at) {
        struct item *mark = &t->marks.v[0], *it = queue_push(&x->queue, mark->kind, e);
        if (!it)
            return ERR_NOMEM;
        *it = *mark;
        it->before = 0;
        *mark = (struct item){.kind = mark->kind};
        queue_pop(&t->marks);
        if (it->kind == ITEM_BEGIN)
            encoder_consume_name(x, it->name);
        else
            x->doc_ordinal++;
        x->doc_tokens = 0;
    }
    return 0;
}

// Waiting tokens from token I on that are of the same document.
static size_t document_left(const struct waiting *t, size_t i)
{
    for (size_t j = 0; j < t->marks.n; j++)
        if (t->marks.v[j].before > i)
            return t->marks.v[j].before - i;
    return t->tokens.n - i;
}

// Tokens of the block that begins with waiting token I: it ends with its document at the latest.
static size_t block_left(const struct encoder *x, size_t i)
{
    size_t left = document_left(&x->waiting, i);
    return left < (size_t)x->block ? left : (size_t)x->block;
}

// Cuts the first N waiting tokens into blocks and queues them with their text.
static int queue_blocks(struct encoder *x, int n, struct err *e)
{
    struct waiting *t = &x->waiting;
    int64_t at = x->s->n_seen - n;
    for (int done = 0; done < n;) {
        int left = n - done, size = (int)block_left(x, t->at);
        size = left < size ? left : size;
        struct item *it = encoder_pass_marks(x, e) ? NULL : queue_push(&x->queue, ITEM_BLOCK, e);
        if (!it)
            return ERR_NOMEM;
        it->n_tokens = (uint32_t)size;
        it->flags = at + done + size <= x->s->o.sinks ? KVZ_SINK : 0;
        it->tokens = mem_new((size_t)size, sizeof *it->tokens, e);
        it->token_bytes = mem_new((size_t)size, sizeof *it->token_bytes, e);
        if (!it->tokens || !it->token_bytes)
            return ERR_NOMEM;
        for (int i = 0; i < size; i++) {
            it->tokens[i] = t->tokens.v[t->at + (size_t)i].id;
            it->token_bytes[i] = t->tokens.v[t->at + (size_t)i].bytes;
            it->text_bytes += it->token_bytes[i];
        }
        if (!(it->text = mem_new(it->text_bytes + 1u, 1, e)))
            return ERR_NOMEM;
        if (it->text_bytes)
            memcpy(it->text, t->text.p + t->text_at, it->text_bytes);
        int rc = represent_pick(x->represent, n, done / x->block, it->n_tokens, &it->picks,
                                &it->picks_bytes, e);
        if (rc)
            return rc;
        hash_update(x->consumed, it->text, it->text_bytes);
        t->at += (size_t)size;
        t->text_at += it->text_bytes;
        x->doc_tokens += (uint64_t)size;
        done += size;
    }
    return 0;
}

void waiting_compact(struct waiting *t)
{
    if (t->tokens.n > t->at)
        memmove(t->tokens.v, t->tokens.v + t->at, (t->tokens.n - t->at) * sizeof *t->tokens.v);
    t->tokens.n -= t->at;
    for (size_t i = 0; i < t->marks.n; i++)
        t->marks.v[i].before -= t->at;
    t->at = 0;
    if (t->text.n > t->text_at)
        memmove(t->text.p, t->text.p + t->text_at, t->text.n - t->text_at);
    t->text.n -= t->text_at;
    t->text_at = 0;
}

int encoder_stop_if_asked(struct encoder *x, struct err *e)
{
    if (!x->o->stop || !*x->o->stop)
        return 0;
    int rc = encoder_checkpoint(x, e);
    return rc ? rc
              : err_set(e, ERR_INTERRUPTED,
                        "stopped after %llu tokens; run the same command again to continue",
                        (unsigned long long)x->s->n_seen);
}

// GONE: how many tokens would have left the window before each chunk of a pass of N tokens, if the
// chunks came in passes of their own (encoder_drain).
static void find_gone(const struct encoder *x, int n, int *gone)
{
    int local = x->s->n_local, out = 0, of_item = 0;
    size_t item = 0;
    for (int part = 0; part * x->chunk < n; part++, local += x->chunk) {
        for (;; local -= of_item, out += of_item) {
            while (item < x->queue.n && x->queue.v[item].kind != ITEM_BLOCK)
                item++;
            of_item = item < x->queue.n ? (int)x->queue.v[item].n_tokens : x->block;
            if (!part || local - of_item < x->s->o.window)
                break;
            item++;
        }
        gone[part] = out;
    }
}

// Tokens of the blocks that fit a chunk, which may be of several documents.
static int whole_blocks(const struct encoder *x)
{
    const struct waiting *t = &x->waiting;
    size_t n = 0, next;
    while (t->at + n < t->tokens.n && n + (next = block_left(x, t->at + n)) <= (size_t)x->chunk)
        n += next;
    return (int)n;
}

// Tokens of the next pass: up to the sinks' end, a chunk, or several at once where each then sees
// what it would see alone, and the device is faster so.
static int pass_tokens(const struct encoder *x, size_t left, int64_t to_sinks)
{
    const struct stream *s = x->s;
    size_t chunks = document_left(&x->waiting, x->waiting.at) / (size_t)x->chunk,
           most = (size_t)(x->rows / x->chunk);
    if (to_sinks > 0 && to_sinks <= x->chunk)
        return left < (size_t)to_sinks ? (int)left : (int)to_sinks;
    if (chunks < 2 || most < 2 || s->n_sinks < s->o.sinks || kvz_wants_sample(x->w))
        return whole_blocks(x);
    return (int)(chunks < most ? chunks : most) * x->chunk;
}

// Runs the first N waiting tokens.
static int run_pass(struct encoder *x, int n, struct err *e)
{
    for (int i = 0; i < n; i++)
        x->ids[i] = x->waiting.tokens.v[x->waiting.at + (size_t)i].id;
    struct forward f = {.tokens = x->ids, .n = n};
    represent_ask(x->represent, &f);
    if (n > x->chunk) {
        find_gone(x, n, x->gone);
        f.part = x->chunk;
        f.gone = x->gone;
    }
    if (x->retriever) {
        f.retrieve = retriever_choose;
        f.mean = 1;
        f.arg = x->retriever;
    }
    int rc = x->cascade ? cascade_bring(x, e) : 0;
    rc = rc ? rc : forward(x->s, &f, e);
    if (!rc && x->cascade)
        rc = cascade_score_up(x, e);
    if (!rc && x->retriever)
        rc = stream_worth(x->s, e);
    return rc;
}

static void report(const struct encoder *x)
{
    struct encode_progress p = {.document = x->doc_name,
                                .tokens = (uint64_t)x->s->n_seen,
                                .seconds = clock_seconds() - x->start};
    if (!x->o->progress)
        return;
    doc_progress(x->docs, &p.source_done, &p.source_total);
    // What has been read of the sources is ahead of the model by the text that waits for it.
    uint64_t waits = x->waiting.text.n - x->waiting.text_at;
    if (waits)
        p.source_done =
            (uint64_t)((double)p.source_done * (1 - (double)waits / (double)x->text_bytes));
    p.tokens_per_second = p.seconds > 0 ? (double)x->run_tokens / p.seconds : 0;
    x->o->progress(x->o->arg, &p);
}

static int checkpoint_if_due(struct encoder *x, struct err *e)
{
    enum { SECONDS = 30 };
    double every = x->o->checkpoint_seconds > 0 ? x->o->checkpoint_seconds : SECONDS;
    if (clock_seconds() - x->last_checkpoint < every)
        return 0;
    int rc = encoder_checkpoint(x, e);
    x->last_checkpoint = clock_seconds();
    return rc;
}

// One pass, its blocks, and after it checkpoint and progress when they are due.
static int run_chunk(struct encoder *x, int n, struct err *e)
{
    int rc = run_pass(x, n, e);
    if (rc || (rc = queue_blocks(x, n, e)) || (rc = encoder_drain(x, 0, e)))
        return rc;
    x->run_tokens += (uint64_t)n;
    report(x);
    rc = encoder_stop_if_asked(x, e);
    return rc ? rc : checkpoint_if_due(x, e);
}

int encoder_run_chunks(struct encoder *x, int final, struct err *e)
{
    for (;;) {
        size_t left = x->waiting.tokens.n - x->waiting.at;
        int64_t to_sinks = x->s->o.sinks - x->s->n_seen;
        // Of tokens that fill a chunk exactly it is not known yet where their last block ends.
        if (left == 0 || (!final && left <= (size_t)x->chunk))
            break;
        int rc = run_chunk(x, pass_tokens(x, left, to_sinks), e);
        if (rc)
            return rc;
    }
    waiting_compact(&x->waiting);
    return 0;
}
