#define _GNU_SOURCE
#include "engine/encode/meanings.h"
#include "engine/sentences/cut.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/embed/embedder.h"
#include "engine/encode/encode.h"
#include "engine/encode/seen.h"
#include "engine/encode/word_vectors.h"
#include "engine/lines/lines.h"
#include "engine/sentences/sentences.h"
#include "io/clock.h"
#include "io/mem.h"
#include "io/utf8.h"

enum {
    PIECE = 4096, // bytes of a document that are read at once
    BATCH = 1024  // texts that are embedded at once
};

// The documents as the writer has them, in pieces.
struct pieces {
    struct kvz_writer *w;
    uint64_t *first;   // [n_documents + 1] number of the first piece of each document
    uint64_t *bytes;   // [n_documents] of its text
    uint64_t document; // that the last piece was of
    uint64_t n_documents;
    uint64_t all; // bytes of all
};

// Vectors made so far, and sentences that wait for theirs.
struct meanings {
    struct embedder *by;
    int dim;
    struct kvz_sentence *v; // [n + n_wait]
    float *scale;           // [n]
    int8_t *vector;         // [n][dim]
    size_t n, cap, scale_cap, vector_cap;
    char *text; // [BATCH][LONGEST_SENTENCE] of those that wait, each text once: lines of logs and
                // tables say the same again and again
    const char *texts[BATCH]; // in TEXT
    size_t bytes[BATCH];
    int n_texts;
    int *which; // [n_wait] the text of each sentence that waits
    size_t n_wait, which_cap;
    float *made; // [BATCH][dim]
    struct word_vectors words;
    struct seen seen; // of mails
};

static int pieces_new(struct pieces *p, struct kvz_writer *w, struct err *e)
{
    const uint64_t n = kvz_writer_n_documents(w);
    int rc = 0;
    *p = (struct pieces){.w = w, .n_documents = n};
    if (!(p->first = mem_new(n + 1, sizeof *p->first, e)) ||
        !(p->bytes = mem_new(n + 1, sizeof *p->bytes, e)))
        return ERR_NOMEM;
    for (uint64_t d = 0; !rc && d < n; d++)
        if (!(rc = kvz_writer_text_bytes(w, d, &p->bytes[d], e))) {
            p->first[d + 1] = p->first[d] + (p->bytes[d] + PIECE - 1) / PIECE;
            p->all += p->bytes[d];
        }
    return rc;
}

static int piece(void *arg, uint64_t i, struct kvz_block *b, struct err *e)
{
    struct pieces *p = arg;
    (void)e;
    while (i < p->first[p->document])
        p->document--;
    while (i >= p->first[p->document + 1])
        p->document++;
    const uint64_t start = (i - p->first[p->document]) * PIECE,
                   left = p->bytes[p->document] - start;
    *b = (struct kvz_block){.document = (uint32_t)p->document,
                            .start = start,
                            .end = start + (left < PIECE ? left : PIECE)};
    return 0;
}

static int read_piece(void *arg, uint64_t i, char *to, struct err *e)
{
    struct pieces *p = arg;
    struct kvz_block b;
    int rc = piece(p, i, &b, e);
    return rc ? rc
              : kvz_writer_read_text(p->w, b.document, b.start, (size_t)(b.end - b.start), to, e);
}

// Adds vector X [dim], which is a unit vector, rounded to bytes.
static int add(struct meanings *m, const float *x, struct err *e)
{
    float most = 0;
    int rc = MEM_GROW(m->scale, m->scale_cap, m->n + 1, e);
    rc = rc ? rc : MEM_GROW(m->vector, m->vector_cap, (m->n + 1) * (size_t)m->dim, e);
    if (rc)
        return rc;
    for (int i = 0; i < m->dim; i++)
        most = fmaxf(most, fabsf(x[i]));
    const float scale = most / INT8_MAX, by = most > 0 ? 1 / scale : 0;
    for (int i = 0; i < m->dim; i++)
        m->vector[m->n * (size_t)m->dim + (size_t)i] = (int8_t)lrintf(x[i] * by);
    m->scale[m->n++] = scale;
    return 0;
}

// Embeds the sentences that wait.
static int embed(struct meanings *m, struct err *e)
{
    m->words.n_batch = 0;
    int rc = !m->n_texts ? 0
                         : embedder_texts(m->by, m->texts, m->bytes, m->n_texts, m->made,
                                          word_vectors_take, &m->words, e);
    if (!rc)
        rc = word_vectors_taken(&m->words, e);
    for (size_t i = 0; !rc && i < m->n_wait; i++)
        if (!(rc = add(m, m->made + (size_t)m->which[i] * (size_t)m->dim, e)))
            rc = word_vectors_add(&m->words, m->which[i], e);
    m->n_texts = 0;
    m->n_wait = 0;
    return rc;
}

// The first of the texts that wait which is the same as the one behind them; n_texts: it is new.
static int same_text(const struct meanings *m)
{
    const int last = m->n_texts;
    int i = 0;
    while (i < last && (m->bytes[i] != m->bytes[last] ||
                        memcmp(m->texts[i], m->texts[last], m->bytes[last]) != 0))
        i++;
    return i;
}

// The sentence that W is at, if it says something, and is none that a mail quotes of one that was
// read before: a thread in one mail has its first mails but there.
static int take(struct meanings *m, const struct sentences *w, struct err *e)
{
    char *text = m->text + (size_t)m->n_texts * LONGEST_SENTENCE;
    const size_t last =
        w->last - w->first < LONGEST_SENTENCE ? w->last : w->first + LONGEST_SENTENCE;
    if (last <= w->first || !line_says_something(w->text + w->first, last - w->first))
        return 0;
    int rc = MEM_GROW(m->v, m->cap, m->n + m->n_wait + 1, e);
    if (rc || (rc = MEM_GROW(m->which, m->which_cap, m->n_wait + 1, e)))
        return rc;
    m->texts[m->n_texts] = text;
    m->bytes[m->n_texts] = cut_mend_joined(&w->c, w->first, last, text);
    if (w->in_mail) {
        rc = seen_add(&m->seen, text, m->bytes[m->n_texts], e);
        if (rc < 0 || (rc && w->is_quoted))
            return rc < 0 ? rc : 0;
    }
    m->v[m->n + m->n_wait] = (struct kvz_sentence){.start = w->start,
                                                   .bytes = (uint32_t)(w->end - w->start),
                                                   .document = (uint32_t)w->document};
    const int same = same_text(m);
    m->n_texts += same == m->n_texts;
    m->which[m->n_wait++] = same;
    return m->n_texts == BATCH ? embed(m, e) : 0;
}

static void report(const struct encoder *x, const struct pieces *p, const struct sentences *w,
                   uint64_t before)
{
    const double seconds = clock_seconds() - x->start;
    if (x->o->progress)
        x->o->progress(x->o->arg,
                       &(struct encode_progress){
                           .document = "sentences",
                           .tokens = (uint64_t)x->s->n_seen,
                           .source_done = before + w->start,
                           .source_total = p->all,
                           .seconds = seconds,
                           .tokens_per_second = seconds > 0 ? (double)x->run_tokens / seconds : 0});
}

static int check_stop(const struct encoder *x, struct err *e)
{
    return x->o->stop && *x->o->stop
               ? err_set(e, ERR_INTERRUPTED,
                         "stopped while sentences were embedded; run the same command again")
               : 0;
}

// Embeds the sentences of the documents from number FROM on.
static int embed_from(struct meanings *m, const struct encoder *x, struct pieces *p, uint64_t from,
                      struct err *e)
{
    const struct sentences_source of = {.path = x->o->out,
                                        .n = p->first[p->n_documents],
                                        .piece = piece,
                                        .read = read_piece,
                                        .arg = p};
    struct sentences w;
    uint64_t document = from, before = 0;
    int rc = 0, more = 1;
    for (uint64_t d = 0; d < from; d++)
        before += p->bytes[d];
    sentences_begin_of(&w, &of, p->first[from]);
    w.with_quoted = 1;
    while (!rc && (more = sentences_next(&w, e)) > 0) {
        for (; document < w.document; document++)
            before += p->bytes[document];
        if (m->n_wait % BATCH == 0)
            report(x, p, &w, before);
        if (!(rc = check_stop(x, e)))
            rc = take(m, &w, e);
    }
    sentences_done(&w);
    rc = rc ? rc : more;
    if (!rc && !(rc = check_stop(x, e)))
        rc = embed(m, e);
    return rc;
}

// The vectors of an index that grows; n 0: there are none.
struct old {
    struct kvz_sentences sentences;
    struct kvz_words words;
};

// Takes over those of sentences OLD and their WORDS.
static int take_over(struct meanings *m, const struct kvz_sentences *old,
                     const struct kvz_words *words, struct err *e)
{
    const size_t n = (size_t)old->n;
    int rc = word_vectors_go_on(&m->words, words, e);
    rc = rc ? rc : MEM_GROW(m->v, m->cap, n, e);
    rc = rc ? rc : MEM_GROW(m->scale, m->scale_cap, n, e);
    rc = rc ? rc : MEM_GROW(m->vector, m->vector_cap, n * old->dim, e);
    if (rc)
        return rc;
    memcpy(m->v, old->v, n * sizeof *m->v);
    memcpy(m->scale, old->scale, n * sizeof *m->scale);
    memcpy(m->vector, old->vector, n * old->dim);
    m->n = n;
    return 0;
}

static int make(struct meanings *m, const struct encoder *x, const struct old *old, struct err *e)
{
    const struct embedder_info *by = embedder_info(m->by);
    const struct kvz_sentences *s = &old->sentences;
    const int same = s->n && s->digest == by->digest && (int)s->dim == by->n_embd && old->words.n;
    const uint64_t from = same ? (uint64_t)s->v[s->n - 1].document + 1 : 0;
    struct pieces p;
    int rc = pieces_new(&p, x->w, e);
    m->dim = by->n_embd;
    word_vectors_begin(&m->words, m->dim);
    if (!rc && (!(m->text = mem_new(BATCH, LONGEST_SENTENCE, e)) ||
                !(m->made = mem_new(BATCH * (size_t)m->dim, sizeof *m->made, e))))
        rc = ERR_NOMEM;
    if (!rc && same)
        rc = take_over(m, s, &old->words, e);
    if (!rc)
        rc = embed_from(m, x, &p, from, e);
    free(p.first);
    free(p.bytes);
    return rc;
}

// The vectors of the index that grows. That they are damaged is said, and keeps nothing else from
// being written.
static void find_old(const struct encoder *x, struct old *old)
{
    struct err why = {0};
    *old = (struct old){0};
    if (x->known &&
        (kvz_sentences(known_index(x->known), &old->sentences, &why) ||
         kvz_words(known_index(x->known), &old->words, &why)) &&
        x->o->note) {
        char msg[sizeof why.msg + 64];
        snprintf(msg, sizeof msg, "%s: vectors of %s are %s", why.msg,
                 old->sentences.n && !x->o->embedder ? "words" : "sentences",
                 x->o->embedder ? "made anew" : "left out");
        x->o->note(x->o->arg, msg);
    }
}

// As much of NAME as an index has room for, to TO [KVZ_NAME_MAX], in whole characters.
static const char *cut_name(const char *name, char *to)
{
    const size_t n = utf8_fit(name, strnlen(name, KVZ_NAME_MAX), KVZ_NAME_MAX - 1);
    memcpy(to, name, n);
    to[n] = 0;
    return to;
}

static int put(struct kvz_writer *w, const struct kvz_sentences *s, const struct kvz_words *words,
               struct err *e)
{
    int rc = s->n ? kvz_put_sentences(w, s, e) : 0;
    return rc || !words->n ? rc : kvz_put_words(w, words, e);
}

int meanings_put(struct encoder *x, int *changed, struct err *e)
{
    struct old old;
    struct meanings m = {.by = x->o->embedder};
    *changed = 0;
    find_old(x, &old);
    if (!m.by)
        return put(x->w, &old.sentences, &old.words, e);
    int rc = make(&m, x, &old, e);
    if (!rc) {
        const struct embedder_info *by = embedder_info(m.by);
        char name[KVZ_NAME_MAX];
        const struct kvz_words words = word_vectors_all(&m.words);
        *changed = m.n != old.sentences.n || (m.n && by->digest != old.sentences.digest) ||
                   words.n != old.words.n;
        rc = put(x->w,
                 &(struct kvz_sentences){.n = m.n,
                                         .dim = (uint32_t)m.dim,
                                         .digest = by->digest,
                                         .name = cut_name(by->name, name),
                                         .v = m.v,
                                         .scale = m.scale,
                                         .vector = m.vector},
                 &words, e);
    }
    free(m.v);
    free(m.scale);
    free(m.vector);
    free(m.text);
    free(m.which);
    free(m.made);
    word_vectors_done(&m.words);
    seen_done(&m.seen);
    return rc;
}
