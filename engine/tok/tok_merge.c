// Joins the symbols of one piece: always the adjacent pair of best rank, the leftmost of equals,
// until none can be joined. A heap keeps it at O(n log n) for a piece of n bytes.
#include <stdlib.h>
#include <string.h>

#include "engine/tok/tok_impl.h"
#include "io/mem.h"

#define NO_SYMBOL UINT32_MAX

static uint64_t mix(uint64_t x)
{
    x *= 0x9e3779b97f4a7c15u;
    return x ^ x >> 32;
}

static const struct merge *find_merge(const struct tok *t, uint32_t left, uint32_t right)
{
    uint64_t pair = (uint64_t)left << 32 | right;
    for (uint64_t h = mix(pair);; h++) {
        const struct merge *m = &t->merge[h & t->merge_mask];
        if (m->id == NO_PIECE)
            return NULL;
        if (m->pair == pair)
            return m;
    }
}

// The pair of the symbols at L and its right neighbour, if the vocabulary joins them.
static int pair_at(const struct tok *t, const struct symbol *sym, const uint8_t *text, uint32_t l,
                   struct candidate *c)
{
    const struct symbol *a = &sym[l], *b = &sym[a->next];
    uint32_t rank;
    c->bytes = a->bytes + b->bytes;
    if (t->kind == TOK_BPE) {
        const struct merge *m = find_merge(t, a->id, b->id);
        if (!m)
            return 0;
        c->id = m->id;
        rank = m->rank;
    } else {
        c->id = tok_lookup(t, text + a->at, c->bytes);
        if (c->id == NO_PIECE)
            return 0;
        rank = t->rank[c->id];
    }
    c->key = (uint64_t)rank << 32 | l;
    return 1;
}

static void sift_down(struct candidate *heap, size_t n, size_t i)
{
    struct candidate c = heap[i];
    for (size_t k; (k = 2 * i + 1) < n; i = k) {
        if (k + 1 < n && heap[k + 1].key < heap[k].key)
            k++;
        if (c.key <= heap[k].key)
            break;
        heap[i] = heap[k];
    }
    heap[i] = c;
}

static void push(struct merger *m, struct candidate c)
{
    size_t i = m->n_heap++;
    for (; i && m->heap[(i - 1) / 2].key > c.key; i = (i - 1) / 2)
        m->heap[i] = m->heap[(i - 1) / 2];
    m->heap[i] = c;
}

static struct candidate pop(struct merger *m)
{
    struct candidate top = m->heap[0];
    m->heap[0] = m->heap[--m->n_heap];
    if (m->n_heap)
        sift_down(m->heap, m->n_heap, 0);
    return top;
}

// One symbol a byte (BPE) or a character (SentencePiece). Returns the bytes dropped at the start.
static size_t split(const struct tok *t, struct merger *m, const uint8_t *text, size_t n)
{
    size_t lead = 0;
    m->n_sym = 0;
    for (size_t at = 0, bytes; at < n; at += bytes) {
        uint32_t code, id;
        bytes = 1;
        if (t->kind == TOK_BPE) {
            id = t->byte_id[text[at]];
            if (id == NO_PIECE && m->n_sym)
                m->sym[m->n_sym - 1].bytes++;
            else if (id == NO_PIECE)
                lead++;
            if (id == NO_PIECE)
                continue;
        } else {
            bytes = (size_t)tok_utf8(text + at, n - at, &code);
            id = tok_lookup(t, text + at, bytes);
        }
        uint32_t i = (uint32_t)m->n_sym++;
        m->sym[i] = (struct symbol){id, (uint32_t)at, (uint32_t)bytes, i - 1, i + 1};
    }
    if (m->n_sym)
        m->sym[m->n_sym - 1].next = NO_SYMBOL;
    return lead;
}

static void join_all(const struct tok *t, struct merger *m, const uint8_t *text)
{
    struct symbol *sym = m->sym;
    struct candidate c;
    m->n_heap = 0;
    for (uint32_t i = 0; i + 1 < m->n_sym; i++)
        if (pair_at(t, sym, text, i, &c))
            m->heap[m->n_heap++] = c;
    for (size_t i = m->n_heap / 2; i--;)
        sift_down(m->heap, m->n_heap, i);
    while (m->n_heap) {
        c = pop(m);
        uint32_t l = (uint32_t)c.key;
        struct symbol *a = &sym[l];
        // Joined in the meantime, one way or another: then the pair is longer than it was.
        if (!a->bytes || a->next == NO_SYMBOL || a->bytes + sym[a->next].bytes != c.bytes)
            continue;
        sym[a->next].bytes = 0;
        a->next = sym[a->next].next;
        a->bytes = c.bytes;
        a->id = c.id;
        if (a->next != NO_SYMBOL) {
            sym[a->next].prev = l;
            if (pair_at(t, sym, text, l, &c))
                push(m, c);
        }
        if (l && pair_at(t, sym, text, a->prev, &c))
            push(m, c);
    }
}

int tok_merge(const struct tok *t, struct merger *m, const uint8_t *text, size_t n, size_t *lead,
              struct err *e)
{
    // Each symbol but the last can bring a candidate at the start, and each join takes one away and
    // brings two at most, so never more than two for each symbol. A part is a byte at least.
    int rc = MEM_GROW(m->sym, m->cap_sym, n, e);
    if (!rc)
        rc = MEM_GROW(m->heap, m->cap_heap, 2 * n, e);
    if (!rc)
        rc = MEM_GROW(m->part, m->cap_part, n, e);
    if (rc)
        return rc;
    m->n_part = 0;
    *lead = 0;
    if (t->kind == TOK_BPE && t->pre->whole) {
        uint32_t id = tok_lookup(t, text, n);
        if (id != NO_PIECE) {
            m->part[m->n_part++] = (struct part){id, (uint32_t)n};
            return 0;
        }
    }
    *lead = split(t, m, text, n);
    join_all(t, m, text);
    for (uint32_t i = 0; m->n_sym && i != NO_SYMBOL; i = m->sym[i].next) {
        const struct symbol *s = &m->sym[i];
        if (s->id != NO_PIECE)
            m->part[m->n_part++] = (struct part){s->id, s->bytes};
        else
            for (uint32_t k = 0; k < s->bytes; k++)
                m->part[m->n_part++] = (struct part){t->byte_id[text[s->at + k]], 1};
    }
    return 0;
}

void tok_merger_done(struct merger *m)
{
    free(m->sym);
    free(m->heap);
    free(m->part);
    *m = (struct merger){0};
}
