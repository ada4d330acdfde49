// Encode: documents -> text -> tokens -> chunks -> what leaves the window -> blocks in the file.
#include "engine/encode/encode.h"
#include "engine/encode/meanings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/clock.h"
#include "io/file.h"
#include "io/mem.h"

enum { READ_BYTES = 1 << 16 };

static void note(struct encoder *x, const char *msg)
{
    if (x->o->note)
        x->o->note(x->o->arg, msg);
}

// --------------------------------------------------------------------------------- the documents

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

// After the error RC of a run that was begun: says how to get rid of it. An index that is there
// grows or is replaced by that: it makes a difference which.
static int way_out(struct encoder *x, int rc, struct err *e)
{
    size_t n = e ? strlen(e->msg) : 0;
    const int replaces = !x->o->append && !access(x->o->out, F_OK);
    if (e && (rc == ERR_MISMATCH || rc == ERR_FORMAT))
        snprintf(e->msg + n, sizeof e->msg - n, "; %s",
                 x->o->append ? "--append --force drops what was begun and starts over"
                 : replaces   ? "--force starts over, and replaces the index that is there"
                              : "--force starts over");
    return rc;
}

// Drops the tokens of this document that an earlier run has consumed, and checks that they were the
// same.
static void skip_consumed(struct encoder *x)
{
    struct waiting *t = &x->waiting;
    while (x->skip_tokens && t->at < t->tokens.n) {
        uint32_t bytes = t->tokens.v[t->at].bytes;
        if (bytes)
            hash_update(x->consumed, t->text.p + t->text_at, bytes);
        t->text_at += bytes;
        t->at++;
        x->skip_tokens--;
    }
    waiting_compact(t);
}

static void say_continuing(struct encoder *x)
{
    char msg[256];
    snprintf(msg, sizeof msg, "continuing after %llu tokens",
             (unsigned long long)x->resumed_tokens);
    note(x, msg);
}

static int check_consumed(struct encoder *x, struct err *e)
{
    if (!x->resuming || x->skip_tokens)
        return 0;
    x->resuming = 0;
    if (hash_value(x->consumed) == x->consumed_digest) {
        say_continuing(x);
        return 0;
    }
    err_set(e, ERR_MISMATCH, "%s: the input, or its name, is not the one that was begun",
            x->o->out);
    return way_out(x, ERR_MISMATCH, e);
}

// Whether to stop while input that an earlier run has consumed is read again: there is nothing new
// to save.
static int stopped_again(const struct encoder *x, struct err *e)
{
    if (!x->o->stop || !*x->o->stop)
        return 0;
    return err_set(e, ERR_INTERRUPTED, "stopped; run the same command again to continue");
}

// After the error RC of the reader: if it was a stop, saves what has been read until then.
static int stopped_reading(struct encoder *x, int rc, struct err *e)
{
    return rc == ERR_INTERRUPTED && !x->resuming ? encoder_stop_if_asked(x, e) : rc;
}

// Reads, hashes, tokenises and runs all text of the current document.
static int read_document(struct encoder *x, struct tok_stream *ts, char *buf, struct err *e)
{
    ssize_t n;
    int rc;
    uint64_t bytes = 0;
    struct hash *h;
    if ((rc = hash_new(&h, e)))
        return rc;
    do {
        if ((n = known_read(&x->input, buf, READ_BYTES, e)) < 0) {
            rc = stopped_reading(x, (int)n, e);
            break;
        }
        // The signal that stops us may have ended the pipe, too: its end is not the document's.
        if ((rc = x->resuming ? stopped_again(x, e) : encoder_stop_if_asked(x, e)))
            break;
        hash_update(h, buf, (size_t)n);
        bytes += (uint64_t)n;
        x->text_bytes += (uint64_t)n;
        if ((rc = bytes_put(&x->waiting.text, buf, (size_t)n, e)) ||
            (rc = tok_stream_feed(ts, buf, (size_t)n, n == 0, &x->waiting.tokens, e)))
            break;
        skip_consumed(x);
        if ((rc = check_consumed(x, e)))
            break;
        if (!x->resuming)
            rc = encoder_run_chunks(x, n == 0 && !x->shares, e);
    } while (n > 0 && !rc);
    if (!rc && x->resuming && x->skip_tokens)
        rc = way_out(x,
                     err_set(e, ERR_MISMATCH,
                             "%s: the input is not the one that was begun, or less of it",
                             x->o->out),
                     e);
    if (!rc) {
        struct item *end = waiting_mark(&x->waiting, ITEM_END, e);
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
    if (kvz_writer_narrow(x->w, info->readers) && !x->resuming) {
        char msg[1024];
        snprintf(msg, sizeof msg,
                 "%s: others may read %s, which keeps its permissions and holds this text",
                 info->name, x->o->out);
        note(x, msg);
    }
    free(x->doc_name);
    if (!(x->doc_name = mem_strdup(info->name, e)))
        return ERR_NOMEM;
    if (x->resuming) { // the queue that was saved has its beginning, or the file has
        encoder_consume_name(x, info->name);
        return 0;
    }
    struct item *it = waiting_mark(&x->waiting, ITEM_BEGIN, e);
    if (!it || !(it->name = mem_strdup(info->name, e)) ||
        !(it->format = mem_strdup(info->format, e)))
        return ERR_NOMEM;
    return 0;
}

// Reads a document that an earlier run has finished, only for the digest.
static int skip_document(struct encoder *x, const struct doc_info *info, char *buf, struct err *e)
{
    ssize_t n;
    int rc;
    encoder_consume_name(x, info->name);
    do {
        if ((n = known_read(&x->input, buf, READ_BYTES, e)) < 0)
            return (int)n;
        if ((rc = stopped_again(x, e)))
            return rc;
        hash_update(x->consumed, buf, (size_t)n);
        x->text_bytes += (uint64_t)n;
    } while (n > 0);
    return 0;
}

// Whether the document is one that the index that grows has already: 1, 0, or an error.
static int is_known(struct encoder *x, const struct doc_info *info, struct err *e)
{
    char msg[1024];
    int other;
    known_source_done(&x->input);
    x->input = (struct known_source){.docs = x->docs};
    int rc = x->known ? known_look(x->known, &x->input, info->name, &other, e) : 0;
    if (!x->known || rc < 0 || !other)
        return rc;
    x->n_known += (uint64_t)rc;
    snprintf(msg, sizeof msg,
             rc ? "%s: is in %s already; passed over"
                : "%s: %s has another text of that name, which stays",
             info->name, x->o->out);
    note(x, msg);
    return rc;
}

static int read_documents(struct encoder *x, char *buf, struct err *e)
{
    struct doc_info info;
    int rc;
    uint64_t ordinal = 0, finished = x->doc_ordinal;
    while ((rc = doc_next(x->docs, &info, e)) == 1) {
        if ((rc = is_known(x, &info, e)) < 0)
            break;
        if (rc)
            continue;
        if (ordinal++ < finished) {
            if ((rc = skip_document(x, &info, buf, e)))
                return rc;
            continue;
        }
        if ((rc = begin_document(x, &info, e)))
            return rc;
        int first = x->s->n_seen == 0 && x->waiting.tokens.n == 0;
        int head = first || (x->resuming && x->head_tokens && !finished);
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
    }
    if (!rc && (x->resuming || ordinal < finished) && !(rc = stopped_again(x, e)))
        rc = way_out(
            x, err_set(e, ERR_MISMATCH, "%s: fewer inputs than when it was begun", x->o->out), e);
    if (rc)
        return stopped_reading(x, rc, e);
    rc = encoder_run_chunks(x, 1, e);
    return rc ? rc : encoder_pass_marks(x, e);
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
    queue_done(&x->waiting.marks);
    tok_list_free(&x->waiting.tokens);
    queue_done(&x->queue);
    hash_free(x->consumed);
    represent_free(x->represent);
    retriever_free(x->retriever);
    keep_free(x->cascade);
    keep_free(x->summary);
    kvz_writer_close(x->w);
    stream_free(x->s);
    known_source_done(&x->input);
    known_free(x->known);
    doc_close(x->docs);
}

static int open_docs(struct doc_reader **out, const struct encode_options *o,
                     void (*note_to)(void *arg, const char *msg), struct err *e)
{
    return doc_open(out, o->inputs, o->n_inputs,
                    &(struct doc_options){.format = o->format,
                                          .charset = o->charset,
                                          .name = o->stdin_name,
                                          .n_listed = o->n_listed,
                                          .out = o->out,
                                          .note = note_to,
                                          .stop = o->stop,
                                          .note_arg = o->arg},
                    e);
}

int encode_out_check(const char *out, int force, struct err *e)
{
    struct stat st;
    if (stat(out, &st))
        return 0;
    int rc = file_readable(out, e);
    if (rc)
        return rc;
    if (st.st_size && !kvz_begins(out))
        return err_set(e, ERR_IO, "%s exists and is no index; not even --force replaces that", out);
    return force ? 0
                 : err_set(e, ERR_IO, "%s exists; --force replaces it, --append adds to it", out);
}

static int check_out(const struct encode_options *o, struct err *e)
{
    int goes_on = o->append || (!o->force && kvz_part_exists(o->out));
    return goes_on ? 0 : encode_out_check(o->out, o->force, e);
}

int encode_check(const struct encode_options *o, struct err *e)
{
    struct doc_reader *docs = NULL;
    int rc = check_out(o, e);
    if (!rc && !(rc = open_docs(&docs, o, NULL, e)))
        doc_close(docs);
    return rc;
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
    int rc = check_out(x->o, e);
    if (rc)
        return rc;
    if (!x->o->force && kvz_part_exists(out)) {
        void *state;
        size_t bytes;
        if ((rc = kvz_resume(&x->w, out, meta, channels, &state, &bytes, e)))
            return way_out(x, rc, e);
        if (!(rc = open_retriever(x, meta, e)))
            rc = encoder_restore(x, state, bytes, e);
        free(state);
        if (!rc) {
            x->resumed_tokens = (uint64_t)x->s->n_seen;
            if (!x->resuming) // else once the input is known to be the same
                say_continuing(x);
        }
        return way_out(x, rc, e);
    }
    if (x->o->append) {
        x->grows = 1;
        if ((rc = kvz_append(&x->w, out, meta, channels, e)) || (rc = open_retriever(x, meta, e)))
            return rc;
        return encoder_rejoin(x, e);
    }
    rc = kvz_create(&x->w, out, meta, channels, e);
    return rc ? rc : open_retriever(x, meta, e);
}

static int no_text(const struct encode_options *o, struct err *e)
{
    if (o->n_inputs == 1 && strcmp(o->inputs[0], "-") != 0)
        return err_set(e, ERR_FORMAT, "%s: no text in it", o->inputs[0]);
    return err_set(e, ERR_FORMAT, "no text in the inputs");
}

static int run(struct encoder *x, struct encode_result *r, struct err *e)
{
    int rc;
    struct kvz_meta meta;
    struct method method;
    x->start = x->last_checkpoint = clock_seconds();
    if ((rc = encode_meta(x->m, x->o, &meta, &method, e)) ||
        (rc = open_docs(&x->docs, x->o, x->o->note, e)) ||
        (rc = open_stream(x, &meta, &method, e)) ||
        (rc = represent_new(&x->represent, x->m, &method, (int)meta.block, x->rows, e)) ||
        (rc = summary_state_new(&x->summary, x->m, e)))
        return rc;
    const struct model_info *f = &x->m->info;
    if (f->has_template_text && !f->template_name && !(x->o->template_name && *x->o->template_name))
        note(x, "the model's chat template is not one that is known: none is used; --template "
                "names one");
    meta.n_channels = x->represent->n_channels;
    x->shares = !meta.topk && !x->cascade && !represent_asks(x->represent);
    if ((rc = open_writer(x, &meta, e)) || // which keeps others from the index that is looked into
        (x->o->append && (rc = known_open(&x->known, x->o->out, e))) ||
        (rc = kvz_writer_threads(x->w, x->m->device->threads, e)) ||
        (rc = block_writer_new(&x->writer, x, e)))
        return rc;
    char *buf = mem_new(READ_BYTES, 1, e);
    if (!buf)
        return ERR_NOMEM;
    rc = read_documents(x, buf, e);
    free(buf);
    if (rc)
        return rc;
    if (!x->text_bytes && !x->n_known)
        return no_text(x->o, e);
    // Stopped while sentences are embedded, the same call goes on from here.
    if (x->o->embedder && x->text_bytes && !x->resuming && (rc = encoder_checkpoint(x, e)))
        return rc;
    int changed = 0;
    if ((rc = encoder_drain(x, 1, e)) ||
        (x->summary && (rc = summary_state_put(x->summary, x->w, e))) ||
        (rc = meanings_put(x, &changed, e)))
        return rc;
    x->changes = x->text_bytes || changed;
    r->documents = kvz_writer_n_documents(x->w);
    r->blocks = kvz_writer_n_blocks(x->w);
    r->tokens = kvz_writer_n_tokens(x->w);
    if (!x->changes)
        r->file_bytes = known_file_bytes(x->known); // it stays as it is
    else if ((rc = kvz_finish(x->w, &r->file_bytes, e)))
        return way_out(x, rc, e);
    // The index is whole: that its directory stays, for what others have put there, is only said.
    if (kvz_writer_stays(x->w))
        note(x, kvz_writer_stays(x->w));
    r->added_documents = x->doc_ordinal;
    r->text_bytes = x->text_bytes;
    r->resumed_tokens = x->resumed_tokens;
    r->seconds = clock_seconds() - x->start;
    r->tokens_per_second = r->seconds > 0 ? (double)x->run_tokens / r->seconds : 0;
    return 0;
}

int encode_documents(struct model *m, const struct encode_options *o, struct encode_result *r,
                     struct err *e)
{
    struct encoder x = {.m = m, .o = o};
    *r = (struct encode_result){0};
    int rc = run(&x, r, e);
    int begun = x.w != NULL, changes = x.changes;
    encoder_done(&x);
    r->kept = rc && begun && kvz_part_exists(o->out);
    if (begun && (rc ? !r->kept : !changes))
        kvz_part_remove(o->out, NULL); // nothing in it can be resumed, or is to be kept
    return rc;
}
