// The passages that an answer rests on: which, in what order, and where in them.
#include <stdlib.h>
#include <string.h>

#include "engine/ask/asking.h"
#include "engine/ask/evidence.h"
#include "engine/ask/focus.h"
#include "engine/company/company.h"
#include "engine/lines/lines.h"
#include "engine/passage/extent.h"
#include "engine/passage/stretch.h"
#include "engine/passage/vicinity.h"
#include "engine/words/chars.h"
#include "engine/words/words.h"
#include "io/mem.h"
#include "io/utf8.h"

enum { MOST = 32 }; // bytes of a word that a passage is widened by, on either side

int evidence_of(struct evidence *v, const struct kvz *k, int index, uint64_t block, double score,
                struct err *e)
{
    struct kvz_block b;
    struct kvz_document d;
    int rc;
    *v = (struct evidence){0};
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
    if ((rc = kvz_read_text(k, block, v->text, e))) {
        free(v->text);
        v->text = NULL;
    } else {
        blank_nuls(v->text, v->text_bytes);
    }
    return rc;
}

// Whether byte AT of TEXT is inside a word.
static int is_inside(const char *text, uint64_t at)
{
    return word_has(text[at - 1]) && word_has(text[at]);
}

// V, whose text is freed, becomes bytes FROM to TO of TEXT, which begins with byte START of its
// document; its focus stays.
static int widen(struct evidence *v, const char *text, uint64_t start, size_t from, size_t to,
                 struct err *e)
{
    char *own = mem_new(to - from + 1, 1, e);
    if (!own)
        return ERR_NOMEM;
    memcpy(own, text + from, to - from);
    blank_nuls(own, to - from);
    free(v->text);
    v->text = own;
    v->text_bytes = to - from;
    v->start = start + from;
    v->end = start + to;
    return 0;
}

// Where the word of TEXT begins that byte AT is inside, or at least the character.
static uint64_t word_start(const char *text, uint64_t at)
{
    uint64_t from = at;
    while (from > 0 && at - from < MOST && is_inside(text, from))
        from--;
    return from > 0 && is_inside(text, from) ? utf8_border(text, at) : from;
}

// Where the word of TEXT [n] ends that byte AT is inside, or at least the character.
static uint64_t word_end(const char *text, uint64_t n, uint64_t at)
{
    uint64_t to = at;
    while (to < n && to - at < MOST && is_inside(text, to))
        to++;
    if (to < n && is_inside(text, to))
        for (to = at; to < n && utf8_border(text, to) < to;)
            to++;
    return to;
}

int evidence_whole(struct evidence *v, struct kvz *k, struct err *e)
{
    struct kvz_block b;
    const char *text;
    uint64_t n, from = v->start, to = v->end;
    int rc = kvz_block(k, v->block, &b, e);
    if (rc || (rc = kvz_document_text(k, b.document, &text, &n, e)) || !text || from >= to ||
        to > n)
        return rc;
    from = word_start(text, from);
    to = word_end(text, n, to);
    if (from == v->start && to == v->end)
        return 0;
    // A focus that begins or ends with the passage grows with it.
    v->focus_start = v->focus_start == v->start ? from : v->focus_start;
    v->focus_end = v->focus_end == v->end ? to : v->focus_end;
    return widen(v, text, 0, (size_t)from, (size_t)to, e);
}

int evidence_at(struct evidence *v, struct kvz *k, int index, uint64_t block, uint64_t start,
                uint64_t end, struct err *e)
{
    int rc = evidence_of(v, k, index, block, 0, e);
    if (!rc)
        rc = evidence_show(v, k, start, end, e);
    return rc ? rc : evidence_whole(v, k, e);
}

static int was_chosen(const struct answer *a, int index, uint64_t block)
{
    for (int i = 0; i < a->n_choices; i++)
        if (a->choices[i].index == index && a->choices[i].block == block)
            return 1;
    return 0;
}

// Adds the passage of block GLOBAL, with the sentence on which the votes fall, unless the passages
// before it have all of it.
static int add_evidence(struct asking *q, int64_t global, struct err *e)
{
    const struct ballot *b = q->votes.ballot;
    struct answer *a = q->a;
    struct evidence *v = &a->evidence[a->n_evidence++];
    uint64_t block;
    uint32_t token;
    int index, found, rc;
    ballot_locate(b, global, &index, &block);
    if ((rc = evidence_of(v, q->k[index], index, block, b->score[global], e)))
        return rc;
    v->was_read = was_chosen(a, index, block);
    rc = focus_of(q, global, &found, &token, e);
    if (!rc && found)
        rc = evidence_focus(v, q->k[index], token, focus_goes_on(q, global), e);
    if (!rc)
        rc = evidence_whole(v, q->k[index], e);
    if (!rc && !evidence_apart(v, a->evidence, a->n_evidence - 1)) {
        free(v->text);
        a->n_evidence--;
    }
    return rc;
}

int evidence_apart(struct evidence *v, const struct evidence *better, int n)
{
    enum { LEAST = 5 }; // bytes without white space around them that are worth a passage
    uint64_t from = v->start, to = v->end;
    for (const struct evidence *o = better; o < better + n; o++) {
        if (o->index != v->index || o->document != v->document) // the names may be alike
            continue;
        if (o->block == v->block)
            return 0;
        if (o->block < v->block && o->start < to && o->end > from)
            from = o->end;
        if (o->block > v->block && o->end > from && o->start < to)
            to = o->start;
    }
    if (from == v->start && to == v->end)
        return 1;
    if (from >= to)
        return 0;
    const size_t skip = (size_t)(from - v->start), left = (size_t)(to - from);
    size_t said = left;
    while (said && is_space(v->text[skip + said - 1]))
        said--;
    if (strspn(v->text + skip, " \t\r\n\f") + LEAST > said)
        return 0;
    memmove(v->text, v->text + skip, left);
    v->text[left] = 0;
    v->text_bytes = left;
    v->start = from;
    v->end = to;
    v->focus_start = v->focus_start > from ? v->focus_start : from;
    v->focus_end = v->focus_end < to ? v->focus_end : to;
    if (v->focus_start >= v->focus_end) {
        v->focus_start = from;
        v->focus_end = to;
    }
    return 1;
}

static double mass_of(const struct attention *l, int64_t global)
{
    for (size_t i = 0; i < l->n; i++)
        if (l->v[i].global == global)
            return l->v[i].mass;
    return -1;
}

void evidence_by_mass(int64_t *order, int64_t n, const struct attention *l)
{
    for (int64_t i = 1; i < n; i++) {
        int64_t own = order[i], at = i;
        double mass = mass_of(l, own);
        for (int64_t j = i - 1; mass >= 0 && j >= 0; j--) {
            double other = mass_of(l, order[j]);
            if (other < 0)
                continue;
            if (other >= mass)
                break;
            order[at] = order[j];
            order[j] = own;
            at = j;
        }
    }
}

void evidence_by_turns(const int64_t *votes, const int64_t *words, int64_t n_words, int64_t n,
                       unsigned char *taken, int64_t *out)
{
    int64_t v = 0, w = 0;
    for (int64_t i = 0; i < n; i++) {
        while (w < n_words && taken[words[w]])
            w++;
        while (taken[votes[v]])
            v++;
        out[i] = i % 2 && w < n_words ? words[w] : votes[v];
        taken[out[i]] = 1;
    }
}

// ORDER: the blocks with something to say, best first. As the ballot ranks them, but those that
// were read by the attention that fell on them, and by turns with blocks that have the question's
// words.
static int rank(struct asking *q, int64_t *order, struct err *e)
{
    const struct ballot *b = q->votes.ballot;
    size_t n = (size_t)b->n_blocks;
    int64_t n_words = 0, *votes = mem_new(n, sizeof *votes, e),
            *words = mem_new(n, sizeof *words, e);
    unsigned char *taken = mem_new(n, 1, e);
    int rc = votes && words && taken ? 0 : ERR_NOMEM;
    for (int64_t i = 0; !rc && i < b->n_blocks; i++) {
        votes[i] = b->order[i];
        if (b->worded && b->parts.select == SELECT_HYBRID && b->words[i] > 0)
            words[n_words++] = i;
    }
    if (!rc && n_words)
        rc = ballot_sort(words, b->words, n_words, e);
    if (!rc) {
        evidence_by_mass(votes, b->n_blocks, &q->read.shown);
        evidence_by_turns(votes, words, n_words, b->n_blocks, taken, order);
    }
    free(votes);
    free(words);
    free(taken);
    return rc;
}

// Moves the N blocks of PLACES to the front of ORDER, in their order; that of the others stays.
static void to_front(int64_t *order, const int64_t *places, int n)
{
    for (int k = 0; k < n; k++) {
        int64_t at = k;
        while (order[at] != places[k])
            at++;
        memmove(order + k + 1, order + k, (size_t)(at - k) * sizeof *order);
        order[k] = places[k];
    }
}

// What is quoted is looked up first.
static void quoted_to_front(const struct asking *q, int64_t *order)
{
    const struct attention *read = &q->read.shown;
    const int is_quoted = q->a->finish && !strcmp(q->a->finish, "quoted");
    if (is_quoted && read->n && !q->chosen.lead.found) // the best one is read last
        to_front(order, &read->v[read->n - 1].global, 1);
    to_front(order, q->said.places, q->said.n_places);
}

int evidence_gather(struct asking *q, struct err *e)
{
    const struct ballot *b = q->votes.ballot;
    int64_t want = q->how.parts.select == SELECT_NONE ? 0 : q->how.n_evidence;
    want = want < b->n_blocks ? want : b->n_blocks;
    if (want <= 0)
        return 0;
    int64_t *order = mem_new((size_t)b->n_blocks, sizeof *order, e);
    q->a->evidence = mem_new((size_t)want, sizeof *q->a->evidence, e);
    int rc = order && q->a->evidence ? rank(q, order, e) : ERR_NOMEM;
    if (!rc)
        quoted_to_front(q, order);
    for (int64_t i = 0; !rc && i < b->n_blocks && q->a->n_evidence < want; i++) {
        struct kvz_block info;
        uint64_t block;
        int index;
        ballot_locate(b, order[i], &index, &block);
        rc = kvz_block(q->k[index], block, &info, e);
        // A block that holds nothing but the template's head is none.
        if (!rc && info.end > info.start)
            rc = add_evidence(q, order[i], e);
    }
    free(order);
    return rc;
}

// The focus of V becomes bytes FROM to TO of NEAR, and V is widened to them; nothing where they are
// a neighbour's alone.
static int focus_on(struct evidence *v, const struct vicinity *near, size_t from, size_t to,
                    struct err *e)
{
    const size_t own = near->own, end = own + near->own_n;
    int rc = 0;
    if (from >= to || from >= end || to <= own)
        return 0;
    if (from < own || to > end)
        rc = widen(v, near->s.text, near->s.start, from < own ? from : own, to > end ? to : end, e);
    v->focus_start = near->s.start + from;
    v->focus_end = near->s.start + to;
    return rc;
}

int evidence_focus(struct evidence *v, const struct kvz *k, uint32_t token, int on, struct err *e)
{
    struct vicinity near = {0};
    struct lines c;
    size_t at, from, to, lead, lead_end;
    int rc = vicinity_new(&near, k, v->block, e);
    if (!rc)
        lines_of_text(&c, near.s.text, near.s.n);
    if (!rc && near.own_n &&
        !(rc = extent_sentence(&c, &near, k, v->block, token, &at, &from, &to, e))) {
        company_extend(&c, &from, &to, &lead, &lead_end);
        to = extent_end_behind(&c, to, on);
        from += strspn(near.s.text + from, " \t\r\n\f");
        rc = focus_on(v, &near, from, to, e);
    }
    stretch_done(&near.s);
    return rc;
}

int evidence_show(struct evidence *v, const struct kvz *k, uint64_t start, uint64_t end,
                  struct err *e)
{
    struct vicinity near = {0};
    int rc = vicinity_new(&near, k, v->block, e);
    if (!rc) {
        const uint64_t first = near.s.start, last = first + near.s.n;
        rc = focus_on(v, &near, start > first ? (size_t)(start - first) : 0,
                      (size_t)((end < last ? end : last) - first), e);
    }
    stretch_done(&near.s);
    return rc;
}
