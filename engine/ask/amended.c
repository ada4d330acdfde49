// A later sentence of the document, said behind the answer that it changes: "The rent is raised
// from 38 to 44 pence." An answer that was read from the clause alone would be taken for what
// holds.
#define _GNU_SOURCE // memmem, asprintf
#include "engine/ask/amended.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/answer/quote.h"
#include "engine/ask/ask.h"
#include "engine/ask/evidence.h"
#include "engine/changed/changed.h"
#include "engine/lookup/texts.h"
#include "engine/model/model.h"
#include "engine/sentences/cut.h"
#include "engine/tok/tok.h"
#include "engine/words/chars.h"
#include "engine/words/marks.h"
#include "io/mem.h"

enum { MOST = 2 }; // changes that are told: of what is said and of what stands behind "or:"

// A place in the documents.
struct place {
    struct kvz *k;
    struct kvz_document d;
    const char *text; // [n] of the document
    uint64_t n;
    struct span_of_text at;
};

// Whether something may be added: the answer is a whole one, and things may be quoted.
static int may_be(const struct ask_options *o, const struct answer *a)
{
    static const char *const WHOLE[] = {"end", "sentences", "quoted", "survey"};
    int whole = 0;
    for (size_t i = 0; i < sizeof WHOLE / sizeof *WHOLE; i++)
        whole |= a->finish && !strcmp(a->finish, WHOLE[i]);
    return whole && o->alternative >= 0 && o->quote >= 0 && o->temp <= 0 && !o->answer_prefix &&
           a->text_bytes;
}

// Whether the answer is from passage I: it is the best one, or the answer quotes it, behind "or:"
// without having been read for it.
static int is_said(const struct answer *a, int i)
{
    enum { ENOUGH = 40 }; // bytes
    const struct evidence *v = &a->evidence[i];
    char own[ENOUGH];
    const struct lines c = {.text = v->text, .n = v->text_bytes};
    size_t from = (size_t)(v->focus_start - v->start), to = (size_t)(v->focus_end - v->start);
    while (from < to && is_space(v->text[from]))
        from++;
    to = to - from < sizeof own ? to : from + sizeof own;
    const size_t n = marks_drop_bold_end(own, cut_mend(&c, from, to, own));
    return (v->was_read && (i == 0 || memmem(a->text, a->text_bytes, own, n))) ||
           (a->alternative && n && memmem(a->text, a->text_bytes, own, n));
}

// Where what ANSWER quotes of TEXT [n] ends, which begins with byte FROM and goes on to byte TO at
// least: some of it may be lines of a list further below.
static size_t said_to(const char *text, size_t n, size_t from, size_t to, const char *answer)
{
    enum { LEAST = 8, FAR = 1200 }; // bytes of a line, and of what is looked through
    const size_t end = n - from > FAR ? from + FAR : n;
    for (const char *line = answer, *next; *line; line = next) {
        size_t bytes = strcspn(line, "\n");
        next = line + bytes + (line[bytes] == '\n');
        while (bytes && is_one_of(line[bytes - 1], "\". \r"))
            bytes--;
        while (bytes && is_one_of(*line, "\" \t")) {
            line++;
            bytes--;
        }
        const char *p = bytes < LEAST ? NULL : memmem(text + from, end - from, line, bytes);
        const size_t behind = p ? (size_t)(p - text) + bytes : 0;
        to = behind > to ? behind : to;
    }
    return to;
}

// Looks behind passage V for what changes the answer: 1, 0 where nothing does, or an error.
static int look_behind(struct place *p, struct kvz *k, const struct evidence *v,
                       const struct ask_options *o, const struct answer *a, struct err *e)
{
    struct kvz_block b;
    int rc;
    *p = (struct place){.k = k};
    if ((rc = kvz_block(k, v->block, &b, e)) || (rc = kvz_document(k, b.document, &p->d, e)) ||
        (rc = kvz_document_text(k, b.document, &p->text, &p->n, e)) || !p->text)
        return rc;
    const size_t from = (size_t)v->focus_start;
    const struct changed_said s = {
        .text = p->text,
        .n = (size_t)p->n,
        .said = {from, said_to(p->text, (size_t)p->n, from, (size_t)v->focus_end, a->text)},
        .question = o->question,
        .answer = a->text,
        .unsure = a->unsure};
    return changed_find(&s, &p->at);
}

// Adds the sentence OWN to those that change the answer.
static int add_changed(struct answer *a, const char *own, struct err *e)
{
    char *all = NULL;
    if (asprintf(&all, "%s%s%s", a->changed ? a->changed : "", a->changed ? "\n" : "", own) < 0)
        return err_set(e, ERR_NOMEM, "out of memory (an answer)");
    free(a->changed);
    a->changed = all;
    return 0;
}

// Appends what stands at P to the answer unless that would become too long; *SAID: whether it did.
static int say(struct model *m, const struct place *p, const struct ask_options *o,
               struct answer *a, int *said, struct err *e)
{
    const struct lines c = {.text = p->text, .n = (size_t)p->n};
    struct tok_list l = {0};
    char *both = NULL, *own = mem_new(span_bytes(p->at) + 1, 1, e);
    int n = 0, rc = own ? 0 : ERR_NOMEM;
    if (!rc)
        own[cut_mend(&c, p->at.from, p->at.to, own)] = 0;
    const int surveyed = !strcmp(a->finish, "survey"); // to which no such limit applies
    if (!rc && !surveyed)
        rc = tok_encode(m->tok, own, strlen(own), TOK_PLAIN, &l, e);
    const int tokens = (int)l.n;
    if (!rc && (surveyed || a->answer_tokens + tokens <= ask_max_tokens(o)))
        n = quote_behind(&both, a->text, "but later: ", own, e);
    *said = n > 0;
    if (*said) {
        ask_goes_on(a, both, (size_t)n, tokens, o);
        rc = add_changed(a, own, e);
    }
    tok_list_free(&l);
    free(own);
    return n < 0 ? n : rc;
}

// Puts the passage of P, of index INDEX, behind the first FROM ones, and leaves at most MOST.
static int show(const struct place *p, int index, struct answer *a, int from, int most,
                struct err *e)
{
    struct evidence v = {0};
    struct kvz_block b;
    uint64_t block;
    int n = from, rc = texts_block(p->k, &p->d, p->at.from, &block, &b, e);
    struct evidence *all = rc ? NULL : mem_new((size_t)a->n_evidence + 1, sizeof *all, e);
    if (!all)
        return rc ? rc : ERR_NOMEM;
    if ((rc = evidence_at(&v, p->k, index, block, p->at.from, p->at.to, e)))
        goto done;
    v.was_read = 1;
    memcpy(all, a->evidence, (size_t)from * sizeof *all);
    if (n < most && evidence_apart(&v, all, n)) {
        all[n++] = v;
        v = (struct evidence){0};
    }
    for (int i = from; i < a->n_evidence; i++)
        if (n < most && evidence_apart(&a->evidence[i], all, n))
            all[n++] = a->evidence[i];
        else
            free(a->evidence[i].text);
    free(a->evidence);
    a->evidence = all;
    a->n_evidence = n;
    all = NULL;
done:
    free(v.text);
    free(all);
    return rc;
}

// Whether P is one of the N places V.
static int is_met(const struct place *v, int n, const struct place *p)
{
    for (int i = 0; i < n; i++)
        if (v[i].text == p->text && v[i].at.from == p->at.from)
            return 1;
    return 0;
}

int amended_say(struct model *m, struct kvz *const *indexes, const struct ask_options *o,
                struct answer *a, struct err *e)
{
    struct place v[MOST];
    int index[MOST], n = 0, said = 0, rc = 0;
    for (int i = 0; may_be(o, a) && n < MOST && i < a->n_evidence; i++) {
        index[n] = a->evidence[i].index;
        rc = is_said(a, i) ? look_behind(&v[n], indexes[index[n]], &a->evidence[i], o, a, e) : 0;
        if (rc < 0)
            return rc;
        n += rc > 0 && !is_met(v, n, &v[n]);
    }
    for (int i = rc = 0; i < n && !rc; i++)
        if (!(rc = say(m, &v[i], o, a, &said, e)) && said)
            rc = show(&v[i], index[i], a, 1 + i < a->n_evidence ? 1 + i : a->n_evidence,
                      ask_passages(o), e);
    return rc;
}
