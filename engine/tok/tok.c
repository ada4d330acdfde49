#include "engine/tok/tok.h"

#include <stdlib.h>
#include <string.h>

#include "engine/tok/tok_impl.h"
#include "io/hash.h"
#include "io/mem.h"
#include "io/show.h"

// ----------------------------------------------------------------------------------------------
// The vocabulary

static int alloc_pieces(struct tok *t, const struct gguf_array *tokens, struct err *e)
{
    const uint8_t *p = tokens->data;
    uint64_t left = tokens->n, bytes = 0, slots = 16;
    if (!tokens->n || tokens->n >= 1u << 28)
        return err_set(e, ERR_FORMAT, "%s: tokenizer: a vocabulary of %llu pieces", t->path,
                       (unsigned long long)tokens->n);
    while (left)
        bytes += gguf_next_str(&p, &left).n;
    if (bytes >= UINT32_MAX)
        return err_set(e, ERR_FORMAT, "%s: tokenizer: the vocabulary is too large (%llu bytes)",
                       t->path, (unsigned long long)bytes);
    while (slots < 2 * tokens->n)
        slots *= 2;
    t->n = (uint32_t)tokens->n;
    t->slot_mask = (uint32_t)(slots - 1);
    t->text = mem_new(bytes, 1, e);
    t->off = mem_new((size_t)t->n + 1, sizeof *t->off, e);
    t->type = mem_new(t->n, 1, e);
    t->end = mem_new(t->n, 1, e);
    t->slot = mem_new(slots, sizeof *t->slot, e);
    if (!t->text || !t->off || !t->type || !t->end || !t->slot)
        return ERR_NOMEM;
    memset(t->slot, 0xff, slots * sizeof *t->slot);
    memset(t->byte_id, 0xff, sizeof t->byte_id);
    return 0;
}

// SentencePiece writes a space as U+2581.
static size_t spaces(const uint8_t *s, size_t n, uint8_t *out)
{
    size_t k = 0;
    for (size_t i = 0; i < n; k++) {
        int mark = n - i >= 3 && s[i] == 0xe2 && s[i + 1] == 0x96 && s[i + 2] == 0x81;
        out[k] = mark ? ' ' : s[i];
        i += mark ? 3 : 1;
    }
    return k;
}

static int hex_digit(uint8_t c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

// "<0x0A>" is the byte 10.
static size_t byte_piece(const struct gguf_str *s, uint8_t *out)
{
    int hi = s->n == 6 ? hex_digit((uint8_t)s->s[3]) : -1;
    int lo = s->n == 6 ? hex_digit((uint8_t)s->s[4]) : -1;
    if (hi < 0 || lo < 0 || memcmp(s->s, "<0x", 3) || s->s[5] != '>')
        return 0;
    *out = (uint8_t)(hi << 4 | lo);
    return 1;
}

static int read_pieces(struct tok *t, const struct gguf *g, struct err *e)
{
    struct gguf_array tokens, types = {0};
    int rc = gguf_array(g, "tokenizer.ggml.tokens", GGUF_STR, &tokens, e);
    if (!rc)
        rc = alloc_pieces(t, &tokens, e);
    if (!rc && gguf_has(g, "tokenizer.ggml.token_type"))
        rc = gguf_array(g, "tokenizer.ggml.token_type", GGUF_I32, &types, e);
    if (rc)
        return rc;
    if (types.n && types.n != t->n)
        return err_set(e, ERR_FORMAT, "%s: tokenizer: %u pieces but %llu types", t->path, t->n,
                       (unsigned long long)types.n);
    const uint8_t *p = tokens.data;
    uint64_t left = tokens.n;
    uint32_t at = 0;
    for (uint32_t id = 0; id < t->n; id++) {
        struct gguf_str s = gguf_next_str(&p, &left);
        int64_t type = types.n ? gguf_array_i64(&types, id) : PIECE_NORMAL;
        if (type < PIECE_NORMAL || type > PIECE_BYTE)
            return err_set(e, ERR_FORMAT, "%s: tokenizer: piece %u has the unknown type %lld",
                           t->path, id, (long long)type);
        uint8_t *out = t->text + at;
        t->type[id] = (uint8_t)type;
        t->off[id] = at;
        if (t->kind == TOK_SPM && type == PIECE_BYTE)
            at += (uint32_t)byte_piece(&s, out);
        else if (t->kind == TOK_SPM)
            at += (uint32_t)spaces((const uint8_t *)s.s, s.n, out);
        else if (type == PIECE_NORMAL)
            at += (uint32_t)tok_bpe_bytes(s.s, s.n, out);
        else
            at += (uint32_t)(memcpy(out, s.s, s.n), s.n);
    }
    t->off[t->n] = at;
    return 0;
}

// ----------------------------------------------------------------------------------------------
// Added tokens

static int compare(const struct tok *t, uint32_t a, uint32_t b)
{
    size_t na = t->off[a + 1] - t->off[a], nb = t->off[b + 1] - t->off[b];
    int c = memcmp(t->text + t->off[a], t->text + t->off[b], na < nb ? na : nb);
    return c ? c : na != nb ? (na > nb) - (na < nb) : (a > b) - (a < b);
}

// Heap sort: the order is that of bytes, and qsort() has no place for T.
static void sort_ids(const struct tok *t, uint32_t *v, size_t n)
{
    for (size_t built = n / 2, end = n; end > 1;) {
        uint32_t x;
        size_t i = 0;
        if (built) {
            x = v[i = --built];
        } else {
            x = v[--end];
            v[end] = v[0];
        }
        for (size_t k; (k = 2 * i + 1) < end; i = k) {
            if (k + 1 < end && compare(t, v[k + 1], v[k]) > 0)
                k++;
            if (compare(t, x, v[k]) >= 0)
                break;
            v[i] = v[k];
        }
        v[i] = x;
    }
}

static int collect_added(struct tok *t, struct added *a, int all, struct err *e)
{
    a->id = mem_new(t->n, sizeof *a->id, e);
    if (!a->id)
        return ERR_NOMEM;
    for (uint32_t id = 0; id < t->n; id++) {
        int type = t->type[id];
        if (t->off[id + 1] == t->off[id])
            continue;
        if (type == PIECE_USER || (all && (type == PIECE_CONTROL || type == PIECE_UNKNOWN))) {
            a->id[a->n++] = id;
            a->first[t->text[t->off[id]]] = 1;
        }
    }
    sort_ids(t, a->id, a->n);
    return 0;
}

// ----------------------------------------------------------------------------------------------
// Open and close

// The piece that KEY names, or -1: what is absent or all ones names none.
static int read_id(const struct tok *t, const struct gguf *g, const char *key, int64_t *id,
                   struct err *e)
{
    uint64_t v = UINT32_MAX;
    int rc = gguf_opt_uint(g, key, &v, e);
    if (rc)
        return rc;
    if (v >= t->n && v != UINT32_MAX)
        return err_set(e, ERR_FORMAT, "%s: key '%s' is %llu, but there are only %u pieces", t->path,
                       key, (unsigned long long)v, t->n);
    *id = v < t->n ? (int64_t)v : -1;
    return 0;
}

static int mark_ends(struct tok *t, const struct gguf *g, struct err *e)
{
    static const char *const keys[] = {"tokenizer.ggml.eos_token_id", "tokenizer.ggml.eot_token_id",
                                       "tokenizer.ggml.eom_token_id"};
    static const char *const names[] = {
        "<|endoftext|>",   "<|im_end|>", "<|eot_id|>",    "<|eom_id|>",
        "<|end_of_text|>", "<|end|>",    "<end_of_turn>", "</s>",
        "<eos>",           "[EOS]",      "<|EOT|>",       "<｜end▁of▁sentence｜>",
    };
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        int64_t id;
        int rc = read_id(t, g, keys[i], &id, e);
        if (rc)
            return rc;
        if (id >= 0)
            t->end[id] = 1;
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        int64_t id = tok_find(t, names[i]);
        if (id >= 0 && t->type[id] == PIECE_CONTROL)
            t->end[id] = 1;
    }
    return 0;
}

// Which tokens begin and end a text.
static int read_marks(struct tok *t, const struct gguf *g, struct err *e)
{
    int spm = t->kind == TOK_SPM, add_space = 1, rc;
    t->add_bos = spm || t->pre->bos;
    if ((rc = read_id(t, g, "tokenizer.ggml.bos_token_id", &t->bos, e)) ||
        (rc = gguf_opt_bool(g, "tokenizer.ggml.add_bos_token", &t->add_bos, e)) ||
        (rc = gguf_opt_bool(g, "tokenizer.ggml.add_space_prefix", &add_space, e)))
        return rc;
    t->add_space = spm && add_space;
    return mark_ends(t, g, e);
}

// Phi-3's own tokenizer has its marks swallow the white space behind them. GGUF has no field for
// that; the SentencePiece vocabulary of a phi3 model is the sign.
static int mark_strips(struct tok *t, const struct gguf *g, struct err *e)
{
    static const char *const keep[] = {"<unk>", "<s>", "<|endoftext|>"};
    struct gguf_str arch = {"", 0};
    gguf_text(g, "general.architecture", &arch, NULL);
    if (t->kind != TOK_SPM || arch.n != 4 || memcmp(arch.s, "phi3", 4))
        return 0;
    if (!(t->strips = mem_new(t->n, 1, e)))
        return ERR_NOMEM;
    for (size_t i = 0; i < t->all.n; i++)
        t->strips[t->all.id[i]] = 1;
    for (size_t i = 0; i < sizeof keep / sizeof *keep; i++) {
        int64_t id = tok_find(t, keep[i]);
        if (id >= 0)
            t->strips[id] = 0;
    }
    return 0;
}

static int digest(struct tok *t, const struct gguf *g, struct err *e)
{
    struct hash *h;
    struct gguf_array merges = {0};
    int rc = hash_new(&h, e);
    if (rc)
        return rc;
    uint64_t facts[] = {t->kind, t->n, (uint64_t)t->bos, (uint64_t)t->add_bos,
                        (uint64_t)t->add_space};
    hash_update(h, facts, sizeof facts);
    for (int i = 0; i < t->n_re; i++)
        hash_update(h, t->pre->re[i], strlen(t->pre->re[i]) + 1);
    hash_update(h, t->off, ((size_t)t->n + 1) * sizeof *t->off);
    hash_update(h, t->text, t->off[t->n]);
    hash_update(h, t->type, t->n);
    if (t->strips)
        hash_update(h, t->strips, t->n);
    if (t->kind == TOK_SPM)
        hash_update(h, t->rank, t->n * sizeof *t->rank);
    else if (!(rc = gguf_array(g, "tokenizer.ggml.merges", GGUF_STR, &merges, e)))
        for (const uint8_t *p = merges.data; merges.n;) {
            struct gguf_str s = gguf_next_str(&p, &merges.n);
            hash_update(h, s.s, s.n);
            hash_update(h, "", 1);
        }
    t->digest = hash_value(h);
    hash_free(h);
    return rc;
}

static int open_kind(struct tok *t, const struct gguf *g, struct err *e)
{
    struct gguf_str model;
    char name[64];
    int rc = gguf_text(g, "tokenizer.ggml.model", &model, e);
    if (rc)
        return rc;
    if (model.n == 4 && !memcmp(model.s, "gpt2", 4))
        t->kind = TOK_BPE;
    else if (model.n == 5 && !memcmp(model.s, "llama", 5))
        t->kind = TOK_SPM;
    else
        return err_set(e, ERR_UNSUPPORTED,
                       "%s: tokenizer model '%s' is not supported (gpt2, llama are)", t->path,
                       show_bytes(model.s, model.n, name, sizeof name));
    return 0;
}

int tok_open(struct tok **out, const struct gguf *g, struct err *e)
{
    struct tok *t = mem_new(1, sizeof *t, e);
    if (!t)
        return ERR_NOMEM;
    t->path = gguf_path(g);
    int rc = open_kind(t, g, e);
    if (!rc)
        rc = read_pieces(t, g, e);
    if (!rc)
        rc = t->kind == TOK_BPE ? tok_bpe_open(t, g, e) : tok_spm_open(t, g, e);
    if (!rc)
        rc = collect_added(t, &t->user, 0, e);
    if (!rc)
        rc = collect_added(t, &t->all, 1, e);
    if (!rc)
        rc = read_marks(t, g, e);
    if (!rc)
        rc = mark_strips(t, g, e);
    if (!rc)
        rc = digest(t, g, e);
    if (rc) {
        tok_close(t);
        return rc;
    }
    *out = t;
    return 0;
}

void tok_close(struct tok *t)
{
    if (!t)
        return;
    tok_bpe_close(t);
    tok_spm_close(t);
    free(t->user.id);
    free(t->all.id);
    free(t->text);
    free(t->off);
    free(t->type);
    free(t->end);
    free(t->strips);
    free(t->slot);
    free(t);
}

void tok_list_free(struct tok_list *l)
{
    free(l->v);
    *l = (struct tok_list){0};
}

uint32_t tok_n_vocab(const struct tok *t)
{
    return t->n;
}

const char *tok_model_name(const struct tok *t)
{
    return t->kind == TOK_BPE ? "gpt2" : "llama";
}

const char *tok_pre_name(const struct tok *t)
{
    return t->pre_name;
}

uint64_t tok_digest(const struct tok *t)
{
    return t->digest;
}

int tok_is_end(const struct tok *t, uint32_t id)
{
    return id < t->n && t->end[id];
}

int64_t tok_find(const struct tok *t, const char *piece)
{
    size_t n = strlen(piece);
    int more;
    uint32_t id = tok_added_at(t, &t->all, (const uint8_t *)piece, n, &more);
    return id != NO_PIECE && t->off[id + 1] - t->off[id] == n ? (int64_t)id : -1;
}
