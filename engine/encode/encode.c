// Encode: documents -> text -> tokens -> chunks -> what leaves the window -> blocks in the file.
#include "engine/encode/encode.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "io/clock.h"
#include "io/mem.h"

enum { READ_BYTES = 1 << 16 };

static void note(struct encoder *x, const char *msg)
{
    if (x->o->note)
        x->o->note(x->o->arg, msg);
}

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

// The codec sees all that is in the window before the first block of it is stored.
static int sample(struct encoder *x, int is_all, struct err *e)
{
    const struct model_info *f = &x->m->info;
    const struct heads *profile = model_profile(x->m);
    const int n = x->s->n_local;
    const size_t each = (size_t)n * (size_t)(f->n_kv_heads * f->head_dim), layers = (size_t)f->n_layers;
    float **k = mem_new(2 * layers, sizeof *k, e), **v = k ? k + layers : NULL;
    float *steps = mem_new(2 * layers, sizeof *steps, e);
    int rc = k && steps ? heads_steps(profile, f->n_layers, steps), 0 : ERR_NOMEM;
    for (size_t l = 0; l < layers && !rc; l++) {
        k[l] = mem_new(each, sizeof *k[l], e);
        v[l] = mem_new(each, sizeof *v[l], e);
        rc = k[l] && v[l] ? 0 : ERR_NOMEM;
    }
    if (!rc)
        rc = stream_get_all(x->s, 0, n, k, v, NULL, e);
    if (!rc)
        rc = kvz_sample(x->w, (const float *const *)k, (const float *const *)v, (uint32_t)n,
                        (uint32_t)n, is_all, &(struct kvz_fit){steps, x->o->needed_heads ? profile->near : NULL}, e);
    for (size_t l = 0; k && l < 2 * layers; l++)
        free(k[l]);
    free(k);
    free(steps);
    return rc;
}

// Lets blocks go while a whole window stays behind them. With ALL, everything that is left is
// written, and stays in the window.
static int drain(struct encoder *x, int all, struct err *e)
{
    int rc, from = 0;
    while (x->queue.n) {
        struct item *it = &x->queue.v[0];
        int n = it->kind == ITEM_BLOCK ? (int)it->n_tokens : 0;
        if (!all && n && x->s->n_local - n < x->s->o.window)
            return 0;
        if (n && kvz_wants_sample(x->w) && (rc = sample(x, all, e)))
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

// Cuts the first N waiting tokens into blocks and queues them with their text.
static int queue_blocks(struct encoder *x, int n, struct err *e)
{
    struct waiting *t = &x->waiting;
    int64_t at = x->s->n_seen - n;
    for (int done = 0; done < n;) {
        int left = n - done, size = left < x->block ? left : x->block;
        struct item *it = queue_push(&x->queue, ITEM_BLOCK, e);
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
            memcpy(it->text, (char *)t->text.p + t->text_at, it->text_bytes);
        int rc = represent_pick(x->represent, n, done / x->block, it->n_tokens, &it->picks,
                                &it->picks_bytes, e);
        if (rc)
            return rc;
        hash_update(x->consumed, it->text, it->text_bytes);
        t->at += (size_t)size;
        t->text_at += it->text_bytes;
        done += size;
    }
    return 0;
}

// Moves what is left of the waiting tokens and text to the front.
static void compact(struct waiting *t)
{
    memmove(t->tokens.v, t->tokens.v + t->at, (t->tokens.n - t->at) * sizeof *t->tokens.v);
    t->tokens.n -= t->at;
    t->at = 0;
    if (t->text.n > t->text_at)
        memmove(t->text.p, (char *)t->text.p + t->text_at, t->text.n - t->text_at);
    t->text.n -= t->text_at;
    t->text_at = 0;
}

static int stop_if_asked(struct encoder *x, struct err *e)
{
    if (!x->o->stop || !*x->o->stop)
        return 0;
    int rc = encoder_checkpoint(x, e);
    return rc ? rc
              : err_set(e, ERR_INTERRUPTED,
                        "stopped after %llu tokens; run the same command again to continue",
                        (unsigned long long)x->s->n_seen);
}

// What will have left the window when each chunk of a pass of N tokens is run as if it came alone (drain).
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

// Tokens of the next pass, of LEFT that wait: a chunk, or several at once where each then sees what it would see
// alone, and the device is faster so.
static int pass_tokens(const struct encoder *x, size_t left, int want)
{
    const struct stream *s = x->s;
    size_t chunks = left / (size_t)x->chunk, most = (size_t)(x->rows / x->chunk);
    if (want < x->chunk || chunks < 2 || most < 2 || s->n_sinks < s->o.sinks || kvz_wants_sample(x->w))
        return left < (size_t)want ? (int)left : want;
    return (int)(chunks < most ? chunks : most) * x->chunk;
}

static int run_chunk(struct encoder *x, int n, struct err *e)
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
    if (rc || (rc = queue_blocks(x, n, e)) || (rc = drain(x, 0, e)))
        return rc;
    x->doc_tokens += (uint64_t)n;
    x->run_tokens += (uint64_t)n;
    double t = clock_seconds();
    if (x->o->progress) {
        struct encode_progress p = {.document = x->doc_name,
                                    .tokens = (uint64_t)x->s->n_seen,
                                    .seconds = t - x->start};
        doc_progress(x->docs, &p.source_done, &p.source_total);
        // What has been read of the sources is ahead of the model by the text that waits for it.
        uint64_t waits = x->waiting.text.n - x->waiting.text_at;
        if (waits)
            p.source_done = (uint64_t)((double)p.source_done * (1 - (double)waits / (double)x->text_bytes));
        p.tokens_per_second = p.seconds > 0 ? (double)x->run_tokens / p.seconds : 0;
        x->o->progress(x->o->arg, &p);
    }
    double every = x->o->checkpoint_seconds > 0 ? x->o->checkpoint_seconds : 30;
    if ((rc = stop_if_asked(x, e)))
        return rc;
    if (t - x->last_checkpoint >= every) {
        if ((rc = encoder_checkpoint(x, e)))
            return rc;
        x->last_checkpoint = clock_seconds();
    }
    return 0;
}

// Runs the chunks that are whole; with FINAL also the last, shorter one. A chunk ends with the
// sinks, so that blocks always begin where chunks do.
static int run_chunks(struct encoder *x, int final, struct err *e)
{
    for (;;) {
        size_t left = x->waiting.tokens.n - x->waiting.at;
        int64_t to_sinks = x->s->o.sinks - x->s->n_seen;
        int want = to_sinks > 0 && to_sinks < x->chunk ? (int)to_sinks : x->chunk;
        if (left == 0 || (!final && left < (size_t)want))
            break;
        int rc = run_chunk(x, pass_tokens(x, left, want), e);
        if (rc)
            return rc;
    }
    compact(&x->waiting);
    return 0;
}

// Tokens of the template that stand before the first document; they cover no byte of it.
static int push_head(struct encoder *x, struct err *e)
{
    char head[2048];
    size_t n = x->chat ? chat_head(x->chat, x->m->system, head, sizeof head) : 0;
    size_t first = x->waiting.tokens.n;
    int rc = tok_encode(x->m->tok, head, n, TOK_SPECIAL | TOK_START, &x->waiting.tokens, e);
    for (size_t i = first; !rc && i < x->waiting.tokens.n; i++)
        x->waiting.tokens.v[i].bytes = 0;
    return rc;
}

// Drops the tokens of this document that an earlier run has consumed, and checks that they were the same.
static void skip_consumed(struct encoder *x)
{
    struct waiting *t = &x->waiting;
    while (x->skip_tokens && t->at < t->tokens.n) {
        uint32_t bytes = t->tokens.v[t->at].bytes;
        if (bytes)
            hash_update(x->consumed, (char *)t->text.p + t->text_at, bytes);
        t->text_at += bytes;
        t->at++;
        x->skip_tokens--;
    }
    compact(t);
}

static int check_consumed(struct encoder *x, struct err *e)
{
    if (!x->resuming || x->skip_tokens)
        return 0;
    x->resuming = 0;
    if (hash_value(x->consumed) == x->consumed_digest)
        return 0;
    return err_set(e, ERR_MISMATCH,
                   "%s: the input is not the one that was begun; --force starts over", x->o->out);
}

// All text of the current document: read, hashed, tokenised, run.
static int read_document(struct encoder *x, struct tok_stream *ts, char *buf, struct err *e)
{
    ssize_t n;
    int rc;
    uint64_t bytes = 0;
    struct hash *h;
    if ((rc = hash_new(&h, e)))
        return rc;
    do {
        if ((n = doc_read(x->docs, buf, READ_BYTES, e)) < 0) {
            rc = (int)n;
            break;
        }
        // The signal that stops us may have ended the pipe, too: its end is not the document's.
        if (!x->resuming && (rc = stop_if_asked(x, e)))
            break;
        hash_update(h, buf, (size_t)n);
        bytes += (uint64_t)n;
        x->text_bytes += (uint64_t)n;
        if ((rc = blob_put(&x->waiting.text, buf, (size_t)n, e)) ||
            (rc = tok_stream_feed(ts, buf, (size_t)n, n == 0, &x->waiting.tokens, e)))
            break;
        skip_consumed(x);
        if ((rc = check_consumed(x, e)))
            break;
        if (!x->resuming)
            rc = run_chunks(x, n == 0, e);
    } while (n > 0 && !rc);
    if (!rc && x->resuming && x->skip_tokens)
        rc = err_set(e, ERR_MISMATCH,
                     "%s: the input is shorter than what was read of it; --force starts over",
                     x->o->out);
    if (!rc) {
        struct item *end = queue_push(&x->queue, ITEM_END, e);
        if (!end)
            rc = ERR_NOMEM;
        else {
            end->bytes = bytes;
            end->digest = hash_value(h);
        }
    }
    hash_free(h);
    return rc;
}

static int begin_document(struct encoder *x, const struct doc_info *info, struct err *e)
{
    free(x->doc_name);
    if (!(x->doc_name = mem_strdup(info->name, e)))
        return ERR_NOMEM;
    x->doc_tokens = x->resuming ? x->doc_tokens : 0;
    if (x->resuming) // the queue that was saved has its beginning, or the file has
        return 0;
    struct item *it = queue_push(&x->queue, ITEM_BEGIN, e);
    if (!it || !(it->name = mem_strdup(info->name, e)) ||
        !(it->format = mem_strdup(info->format, e)))
        return ERR_NOMEM;
    return 0;
}

// Documents that an earlier run has finished: their bytes are read again for the digest alone.
static int skip_document(struct encoder *x, char *buf, struct err *e)
{
    ssize_t n;
    while ((n = doc_read(x->docs, buf, READ_BYTES, e)) > 0) {
        hash_update(x->consumed, buf, (size_t)n);
        x->text_bytes += (uint64_t)n;
    }
    return (int)n;
}

static int read_documents(struct encoder *x, char *buf, struct err *e)
{
    struct doc_info info;
    int rc;
    uint64_t ordinal = 0;
    while ((rc = doc_next(x->docs, &info, e)) == 1) {
        if (ordinal++ < x->doc_ordinal) {
            if ((rc = skip_document(x, buf, e)))
                return rc;
            continue;
        }
        if ((rc = begin_document(x, &info, e)))
            return rc;
        int first = x->s->n_seen == 0 && x->waiting.tokens.n == 0;
        int head = first || (x->resuming && x->head_tokens && x->doc_ordinal == 0);
        if (head && (rc = push_head(x, e)))
            return rc;
        if (first)
            x->head_tokens = x->waiting.tokens.n;
        // A resumed first document begins with the head again; it is skipped with the rest.
        struct tok_stream *ts;
        if ((rc = tok_stream_new(&ts, x->m->tok, TOK_PLAIN, e)))
            return rc;
        rc = read_document(x, ts, buf, e);
        tok_stream_free(ts);
        if (rc)
            return rc;
        x->doc_ordinal = ordinal;
        x->documents++;
    }
    if (!rc && x->resuming)
        rc = err_set(e, ERR_MISMATCH, "%s: fewer inputs than when it was begun; --force starts over",
                     x->o->out);
    return rc;
}

// ------------------------------------------------------------------------------------ the whole

static int buffers_new(struct encoder *x, struct err *e)
{
    if (!(x->ids = mem_new((size_t)x->rows, sizeof *x->ids, e)) ||
        !(x->gone = mem_new((size_t)(x->rows / x->chunk), sizeof *x->gone, e)))
        return ERR_NOMEM;
    return hash_new(&x->consumed, e);
}

static void encoder_done(struct encoder *x)
{
    block_writer_free(x->writer);
    free(x->gone);
    free(x->ids);
    free(x->doc_name);
    free(x->waiting.text.p);
    tok_list_free(&x->waiting.tokens);
    queue_done(&x->queue);
    hash_free(x->consumed);
    represent_free(x->represent);
    retriever_free(x->retriever);
    keep_free(x->cascade);
    keep_free(x->summary);
    kvz_writer_close(x->w);
    stream_free(x->s);
    doc_close(x->docs);
}

static int open_docs(struct encoder *x, struct err *e)
{
    return doc_open(&x->docs, x->o->inputs, x->o->n_inputs,
                    &(struct doc_options){.format = x->o->format,
                                          .charset = x->o->charset,
                                          .name = x->o->stdin_name,
                                          .n_listed = x->o->n_listed,
                                          .note = x->o->note,
                                          .note_arg = x->o->arg},
                    e);
}

static int open_stream(struct encoder *x, const struct kvz_meta *meta, const struct method *method,
                       struct err *e)
{
    enum positions p;
    int rc = positions_parse(meta->positions, &p, e);
    int cascades = method->window == WINDOW_CASCADE, part = (int)meta->window / CASCADE_PARTS;
    int rows = x->m->device->rows / (int)meta->chunk * (int)meta->chunk;
    if (!rc && cascades)
        rc = keep_new(&x->cascade, x->m, CASCADE_PARTS - 1, part, 1, e);
    if (rc)
        return rc;
    x->block = (int)meta->block;
    x->chunk = x->rows = (int)meta->chunk;
    if (rows > x->chunk && !cascades && !meta->topk && p == POSITIONS_WINDOW)
        x->rows = rows;
    x->chat = chat_find(meta->template_name);
    struct stream_options o = {
        .sinks = (int)meta->sinks,
        .window = cascades ? part : (int)meta->window,
        .chunk = x->rows,
        .reach = x->rows > x->chunk ? (int64_t)meta->window + meta->chunk : 0,
        .far = cascades ? (CASCADE_PARTS - 1) * part : (int)(meta->topk * meta->block),
        .positions = p,
        .mass = 1,
        .far_mass = cascades,
    };
    rc = stream_new(&x->s, x->m, &o, e);
    if (rc == ERR_NOMEM && x->rows > x->chunk) { // less does as well, only slower
        x->rows = o.chunk = x->chunk;
        rc = stream_new(&x->s, x->m, &o, e);
    }
    if (!rc)
        rc = buffers_new(x, e);
    return rc;
}

static int open_retriever(struct encoder *x, const struct kvz_meta *meta, struct err *e)
{
    return meta->topk ? retriever_new(&x->retriever, x->m, x->w, meta, e) : 0;
}

static int open_writer(struct encoder *x, const struct kvz_meta *meta, struct err *e)
{
    const char *out = x->o->out;
    const struct kvz_channel *channels = x->represent->channels;
    struct stat st;
    int rc;
    if (x->o->force && (rc = kvz_part_remove(out, e)))
        return rc;
    if (kvz_part_exists(out)) {
        void *state;
        size_t bytes;
        if ((rc = kvz_resume(&x->w, out, meta, channels, &state, &bytes, e)))
            return rc;
        if (!(rc = open_retriever(x, meta, e)))
            rc = encoder_restore(x, state, bytes, e);
        free(state);
        if (!rc) {
            char msg[256];
            x->resumed_tokens = (uint64_t)x->s->n_seen;
            snprintf(msg, sizeof msg, "continuing after %llu tokens",
                     (unsigned long long)x->resumed_tokens);
            note(x, msg);
        }
        return rc;
    }
    if (x->o->append) {
        if ((rc = kvz_append(&x->w, out, meta, channels, e)) ||
            (rc = open_retriever(x, meta, e)))
            return rc;
        return encoder_rejoin(x, e);
    }
    if (!x->o->force && !stat(out, &st))
        return err_set(e, ERR_USAGE, "%s: exists; --force replaces it, --append adds to it", out);
    rc = kvz_create(&x->w, out, meta, channels, e);
    return rc ? rc : open_retriever(x, meta, e);
}

static int run(struct encoder *x, struct encode_result *r, struct err *e)
{
    int rc;
    struct kvz_meta meta;
    struct method method;
    x->start = x->last_checkpoint = clock_seconds();
    if ((rc = encode_meta(x->m, x->o, &meta, &method, e)) || (rc = open_docs(x, e)) ||
        (rc = open_stream(x, &meta, &method, e)) ||
        (rc = represent_new(&x->represent, x->m, &method, (int)meta.block, x->rows, e)) ||
        (rc = summary_new(&x->summary, x->m, e)))
        return rc;
    const struct model_info *f = &x->m->info;
    if (f->has_template_text && !f->template_name && !(x->o->template_name && *x->o->template_name))
        note(x, "the model's chat template is not one that is known: none is used; --template names one");
    meta.n_channels = x->represent->n_channels;
    if ((rc = open_writer(x, &meta, e)) ||
        (rc = kvz_writer_threads(x->w, x->m->device->threads, e)) || (rc = block_writer_new(&x->writer, x, e)))
        return rc;
    char *buf = mem_new(READ_BYTES, 1, e);
    if (!buf)
        return ERR_NOMEM;
    rc = read_documents(x, buf, e);
    free(buf);
    if (rc)
        return rc;
    if (!x->text_bytes)
        return err_set(e, ERR_FORMAT, "no text in the inputs");
    if ((rc = drain(x, 1, e)) || (x->summary && (rc = summary_put(x->summary, x->w, e))))
        return rc;
    r->blocks = kvz_writer_n_blocks(x->w);
    r->tokens = kvz_writer_n_tokens(x->w);
    if ((rc = kvz_finish(x->w, &r->file_bytes, e)))
        return rc;
    r->documents = x->doc_ordinal;
    r->text_bytes = x->text_bytes;
    r->resumed_tokens = x->resumed_tokens;
    r->seconds = clock_seconds() - x->start;
    r->tokens_per_second = r->seconds > 0 ? (double)x->run_tokens / r->seconds : 0;
    return 0;
}

int encode_documents(struct model *m, const struct encode_options *o, struct encode_result *r, struct err *e)
{
    struct encoder x = {.m = m, .o = o};
    *r = (struct encode_result){0};
    int rc = run(&x, r, e);
    int begun = x.w != NULL;
    encoder_done(&x);
    if (rc && begun && !kvz_part_exists(o->out))
        kvz_part_remove(o->out, NULL); // nothing in it can be resumed
    return rc;
}
