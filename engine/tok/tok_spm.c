// What SentencePiece BPE (tokenizer.ggml.model "llama") reads from the file: scores, byte pieces,
// and where its text can be cut.
//
// Its merges run over a whole text, of any length. But a merge makes a piece of the vocabulary, so
// none ever reaches across two characters that no piece holds side by side: what stands on either
// side of such a border can be merged apart, with the same result. In practice that is nearly every
// start of a word, since few pieces hold a space behind a letter.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/tok/tok_impl.h"
#include "io/mem.h"

// Size of the table of pairs, as a power of two. That several share a bit only means fewer borders.
#define ADJACENT_BITS 22

static uint32_t pair_bit(uint32_t left, uint32_t right)
{
    uint64_t x = ((uint64_t)left << 21 | right) * 0x9e3779b97f4a7c15u;
    return (uint32_t)(x >> (64 - ADJACENT_BITS));
}

int tok_spm_border(const struct tok *t, uint32_t left, uint32_t right)
{
    uint32_t bit = pair_bit(left, right);
    return !(t->adjacent[bit >> 3] >> (bit & 7) & 1);
}

static void note_pairs(struct tok *t, uint32_t id)
{
    const uint8_t *s = t->text + t->off[id];
    size_t n = t->off[id + 1] - t->off[id];
    uint32_t left = UINT32_MAX, right;
    for (int bytes; n; n -= (size_t)bytes, s += bytes, left = right) {
        bytes = tok_utf8(s, n, &right);
        if (bytes <= 0)
            return; // not text, so text never becomes this piece
        if (left != UINT32_MAX) {
            uint32_t bit = pair_bit(left, right);
            t->adjacent[bit >> 3] |= (uint8_t)(1 << (bit & 7));
        }
    }
}

struct scored {
    float score;
    uint32_t id;
};

static int by_score(const void *a, const void *b)
{
    float x = ((const struct scored *)a)->score, y = ((const struct scored *)b)->score;
    return (x < y) - (x > y);
}

static int rank_pieces(struct tok *t, const struct gguf *g, struct err *e)
{
    struct gguf_array scores;
    int rc = gguf_array(g, "tokenizer.ggml.scores", GGUF_F32, &scores, e);
    if (rc)
        return rc;
    if (scores.n != t->n)
        return err_set(e, ERR_FORMAT, "%s: tokenizer: %u pieces but %llu scores", t->path, t->n,
                       (unsigned long long)scores.n);
    t->rank = mem_new(t->n, sizeof *t->rank, e);
    struct scored *v = mem_new(t->n, sizeof *v, e);
    if (!t->rank || !v) {
        free(v);
        return ERR_NOMEM;
    }
    for (uint32_t id = 0; !rc && id < t->n; id++) {
        v[id] = (struct scored){(float)gguf_array_f64(&scores, id), id};
        if (isnan(v[id].score))
            rc = err_set(e, ERR_FORMAT, "%s: tokenizer: the score of piece %u is not a number",
                         t->path, id);
    }
    if (!rc)
        qsort(v, t->n, sizeof *v, by_score);
    for (uint32_t i = 1; !rc && i < t->n; i++)
        t->rank[v[i].id] = t->rank[v[i - 1].id] + (v[i].score < v[i - 1].score);
    free(v);
    return rc;
}

int tok_spm_open(struct tok *t, const struct gguf *g, struct err *e)
{
    int removes = 0;
    int rc = gguf_opt_bool(g, "tokenizer.ggml.remove_extra_whitespaces", &removes, e);
    if (rc)
        return rc;
    if (removes)
        return err_set(e, ERR_UNSUPPORTED,
                       "%s: tokenizer: one that removes spaces is not supported", t->path);
    if ((rc = rank_pieces(t, g, e)))
        return rc;
    t->adjacent = mem_new(1u << (ADJACENT_BITS - 3), 1, e);
    if (!t->adjacent)
        return ERR_NOMEM;
    for (uint32_t id = 0; id < t->n; id++) {
        int type = t->type[id];
        if (type == PIECE_BYTE && t->off[id + 1] > t->off[id])
            t->byte_id[t->text[t->off[id]]] = id;
        if ((type == PIECE_NORMAL || type == PIECE_USER) && tok_add_slot(t, id))
            note_pairs(t, id);
    }
    for (int b = 0; b < 256; b++)
        if (t->byte_id[b] == NO_PIECE)
            return err_set(e, ERR_UNSUPPORTED,
                           "%s: tokenizer: a llama vocabulary without the piece <0x%02X>", t->path,
                           b);
    return 0;
}

void tok_spm_close(struct tok *t)
{
    free(t->rank);
    free(t->adjacent);
}
