// The sentences where the votes fall: what of a passage is shown as its focus, and what a small
// model reads.
#include <stdlib.h>
#include <string.h>

#include "engine/ask/asking.h"
#include "engine/ask/focus.h"
#include "engine/text/cut.h"
#include "io/mem.h"

// The byte of a block's text where TOKEN says something: past the space before a word.
static int byte_of(const struct kvz *k, uint64_t block, uint32_t token, size_t *byte, struct err *e)
{
    uint32_t *ids, *bytes, n_tokens;
    int rc = block_tokens(k, block, &ids, &bytes, &n_tokens, e);
    *byte = 1;
    for (uint32_t t = 0; !rc && t < token && t < n_tokens; t++)
        *byte += bytes[t];
    free(ids);
    return rc;
}

// ------------------------------------------------------------------------- what is read of a block

// A stretch of a document's text: a block with those before and after it, for sentences do not end
// where blocks do, in whole lines, where these are not longer than FAR blocks.
struct stretch {
    char *text;           // [n]
    size_t n, own, own_n; // the block itself: from byte OWN on, OWN_N bytes
    uint64_t start;       // byte of the document
    uint32_t document;
};

enum {
    FAR = 3, // blocks on either side that are looked at,
    NEAR = 1 // and that belong to the stretch in any case
};

// Leaves of S, which has FAR blocks on either side, bytes FROM to TO, and what is missing of their
// lines; where the line of its own block goes on beyond all that, no more of it than that. AT_END:
// the document ends with S.
static void stretch_trim(struct stretch *s, size_t from, size_t to, int at_end)
{
    const size_t behind = s->own + s->own_n;
    size_t first = from, end = to;
    while (first > 0 && s->text[first - 1] != '\n')
        first--;
    while (end < s->n && end > 0 && s->text[end - 1] != '\n')
        end++;
    if (s->start && !memchr(s->text, '\n', s->own))
        first = from;
    if (!at_end && !memchr(s->text + behind, '\n', s->n - behind))
        end = to;
    s->n = end - first;
    memmove(s->text, s->text + first, s->n);
    s->own -= first;
    s->start += first;
}

static int stretch_new(struct stretch *s, const struct kvz *k, uint64_t block, struct err *e)
{
    struct kvz_block b, all[2 * FAR + 1] = {{0}};
    int rc = kvz_block(k, block, &b, e);
    const uint64_t first = block > FAR ? block - FAR : 0, own = block - first;
    *s = (struct stretch){.start = b.start, .document = b.document};
    for (uint64_t i = 0; !rc && i <= own + FAR && first + i < kvz_n_blocks(k); i++) {
        if (!(rc = kvz_block(k, first + i, &all[i], e)) && all[i].document != b.document)
            all[i] = (struct kvz_block){0};
        s->n += all[i].end - all[i].start;
    }
    if (rc)
        return rc;
    if (!(s->text = mem_new(s->n + 1, 1, e)))
        return ERR_NOMEM;
    size_t at = 0, from = 0, to = 0;
    for (uint64_t i = 0; !rc && i <= own + FAR; i++) {
        const size_t bytes = (size_t)(all[i].end - all[i].start);
        if (bytes)
            rc = kvz_read_text(k, first + i, s->text + at, e);
        from = i + NEAR == own ? at : from;
        if (i == own) {
            s->own = at;
            s->own_n = bytes;
            s->start -= at;
        }
        at += bytes;
        to = i <= own + NEAR ? at : to;
    }
    if (!rc)
        stretch_trim(s, from, to, all[own + FAR].end == all[own + FAR].start);
    return rc;
}

// The sentence of S, a stretch around BLOCK, in which TOKEN says something.
static int cut_at(struct cut *c, const struct stretch *s, const struct kvz *k, uint64_t block,
                  uint32_t token, size_t *from, size_t *to, struct err *e)
{
    size_t at;
    int rc = byte_of(k, block, token, &at, e);
    if (!rc)
        cut_sentence(c, s->own + (at < s->own_n ? at : s->own_n - 1), from, to);
    return rc;
}

// The end of the sentence behind byte TO, with what that says little without, and of another one
// behind a few words; TO where there is none.
static size_t next_end(const struct cut *c, size_t to)
{
    enum { FEW = 24 };
    const size_t last = to;
    while (to < last + FEW) {
        size_t from = to + strspn(c->text + to, " \t\r\n\f"), end, lead, lead_end;
        if (from >= c->n)
            break;
        cut_sentence(c, from, &from, &end);
        cut_company(c, &from, &end, &lead, &lead_end);
        if (end <= to) // what is behind TO belongs to what is before it
            break;
        to = end;
    }
    return to;
}

// The end of the ON-th one behind byte TO; of the last one where there are fewer.
static size_t end_behind(const struct cut *c, size_t to, int on)
{
    while (on-- > 0)
        to = next_end(c, to);
    return to;
}

int evidence_focus(struct evidence *v, const struct kvz *k, uint32_t token, int on, struct err *e)
{
    struct stretch s = {0};
    struct cut c;
    size_t from, to;
    int rc = stretch_new(&s, k, v->block, e);
    if (!rc)
        cut_text(&c, s.text, s.n);
    if (!rc && s.own_n && !(rc = cut_at(&c, &s, k, v->block, token, &from, &to, e))) {
        size_t end = s.own + s.own_n;
        to = end_behind(&c, to, on);
        from = from < s.own ? s.own : from;
        from += strspn(s.text + from, " \t\r\n\f");
        to = to < end ? to : end;
        if (from < to) { // else it is the next block's: behind the last word of this one
            v->focus_start = s.start + from;
            v->focus_end = s.start + to;
        }
    }
    free(s.text);
    return rc;
}

void sentence_done(struct sentence *v)
{
    free(v->text);
    *v = (struct sentence){0};
}

// sentence_around, with the ON sentences behind it.
static int around(struct sentence *v, const struct kvz *k, uint64_t block, const uint32_t *token,
                  int on, struct err *e)
{
    struct stretch s = {0};
    int rc = stretch_new(&s, k, block, e);
    size_t from = s.own, to = s.own + s.own_n, lead = 0, lead_end = 0;
    struct cut c;
    if (!rc)
        cut_text(&c, s.text, s.n);
    if (!rc && token && s.own_n && !(rc = cut_at(&c, &s, k, block, *token, &from, &to, e)))
        cut_company(&c, &from, &to, &lead, &lead_end);
    if (!rc)
        to = end_behind(&c, to, on);
    *v = (struct sentence){.document = s.document, .start = s.start + from, .end = s.start + to};
    size_t before = lead_end - lead;
    char header[CUT_LONGEST] = "";
    if (!rc && !before && token && s.own_n &&
        !(rc = sentence_table_head(header, k, block, s.start + from, s.text + from, to - from, e)))
        before = strlen(header);
    if (!rc && !(v->text = mem_new(before + 1 + to - from + 1, 1, e)))
        rc = ERR_NOMEM;
    if (!rc && before) {
        memcpy(v->text, *header ? header : s.text + lead, before);
        v->text[before++] = '\n';
    }
    if (!rc)
        before += cut_mend(&c, from, to, v->text + before);
    if (!rc)
        v->text[before] = 0;
    free(s.text);
    return rc;
}

int sentence_around(struct sentence *v, const struct kvz *k, uint64_t block, const uint32_t *token,
                    struct err *e)
{
    return around(v, k, block, token, 0, e);
}

int sentence_and_next(struct sentence *v, const struct kvz *k, uint64_t block, uint32_t token,
                      int on, struct err *e)
{
    return around(v, k, block, &token, on, e);
}

int sentence_tokens(const struct kvz *k, uint64_t block, uint32_t *tokens, int most, int *n,
                    struct err *e)
{
    struct stretch s = {0};
    uint32_t *ids, *bytes, n_tokens;
    size_t at = 0, last = SIZE_MAX;
    *n = 0;
    int rc = block_tokens(k, block, &ids, &bytes, &n_tokens, e);
    if (!rc)
        rc = stretch_new(&s, k, block, e);
    struct cut c;
    if (!rc)
        cut_text(&c, s.text, s.n);
    for (uint32_t t = 0; !rc && t < n_tokens && *n < most; at += bytes[t++]) {
        size_t from, to;
        if (at + 1 >= s.own_n || !bytes[t])
            continue;
        cut_sentence(&c, s.own + at + 1, &from, &to); // as byte_of has it
        if (from != last)
            tokens[(*n)++] = t;
        last = from;
    }
    free(ids);
    free(s.text);
    return rc;
}

int sentence_new(struct sentence *v, struct asking *q, int64_t global, struct err *e)
{
    uint64_t block;
    uint32_t token;
    int found, index;
    ballot_locate(q->ballot, global, &index, &block);
    int rc = focus_of(q, global, &found, &token, e);
    if (!rc)
        rc = around(v, q->k[index], block, found ? &token : NULL, focus_goes_on(q, global), e);
    if (!rc && found)
        rc = sentence_headed(v, q->k[index], block, q->o->question, e);
    v->index = index;
    return rc;
}

int sentences_overlap(const struct sentence *a, const struct sentence *b)
{
    return a->index == b->index && a->document == b->document && a->start < b->end &&
           b->start < a->end;
}

// The one that the best sentence leads on to.
static int lead_sentence(struct sentence *v, struct asking *q, struct err *e)
{
    uint64_t block;
    int index;
    ballot_locate(q->ballot, q->lead.global, &index, &block);
    int rc = sentence_around(v, q->k[index], block, &q->lead.token, e);
    v->index = index;
    return rc;
}

// The sentences that are read, best first: V [n].
struct chosen {
    struct sentence *v;
    int64_t *of; // [n] the block of each
    int n;
};

static void chosen_done(struct chosen *c)
{
    for (int i = 0; c->v && i < c->n; i++)
        sentence_done(&c->v[i]);
    free(c->v);
    free(c->of);
}

// V, which is freed where it is nothing or overlaps with others.
static void chosen_add(struct chosen *c, struct sentence v, int64_t global)
{
    int twice = v.start == v.end;
    for (int i = 0; i < c->n; i++)
        twice |= sentences_overlap(&v, &c->v[i]);
    if (twice) {
        sentence_done(&v);
        return;
    }
    c->of[c->n] = global;
    c->v[c->n++] = v;
}

// What the best sentence leads on to comes before it, for the answer stands there.
static int chosen_new(struct chosen *c, struct asking *q, struct err *e)
{
    const struct answer *a = q->a;
    const size_t most = (size_t)a->n_choices + 1;
    struct sentence v = {0};
    int rc = 0;
    if (!(c->v = mem_new(most, sizeof *c->v, e)) || !(c->of = mem_new(most, sizeof *c->of, e)))
        return ERR_NOMEM;
    if (q->lead.found && a->n_choices && !(rc = lead_sentence(&v, q, e)))
        chosen_add(c, v, q->lead.global);
    for (int i = 0; !rc && i < a->n_choices; i++) {
        int64_t global = q->ballot->base[a->choices[i].index] + (int64_t)a->choices[i].block;
        if (!(rc = sentence_new(&v, q, global, e)))
            chosen_add(c, v, global);
    }
    return rc;
}

int sentences_new(struct prompt *p, struct asking *q, struct err *e)
{
    struct chosen c = {0};
    int n = 0, tokens = 0, rc = chosen_new(&c, q, e);
    struct prompt *text = rc ? NULL : mem_new((size_t)c.n, sizeof *text, e);
    if (!rc && !text)
        rc = ERR_NOMEM;
    for (; !rc && n < c.n; n++) {
        rc = prompt_text(&text[n], q->m, c.v[n].text, TOK_PLAIN, e);
        tokens += text[n].n;
        if (n && tokens > q->budget)
            break;
    }
    for (int i = n - 1; !rc && i >= 0; i--) // the best one last, next to the question
        if (!(rc = shown_add(&q->shown, c.of[i], p->n, text[i].n, e)) &&
            !(rc = prompt_ids(p, text[i].ids, text[i].n, e)) && i)
            rc = prompt_text(p, q->m, "\n\n", TOK_PLAIN, e);
    if (!rc && q->lead.found && n > 1)
        rc = news_new(&q->news, c.v[0].text, c.v[1].text, q->o->question, e);
    for (int i = 0; text && i < c.n; i++)
        prompt_done(&text[i]);
    free(text);
    chosen_done(&c);
    return rc;
}
