// What byte-level BPE (tokenizer.ggml.model "gpt2") reads from the file: the bytes behind its
// pieces, its merges, its pre-tokeniser.
#include <stdlib.h>
#include <string.h>

#include "engine/tok/tok_impl.h"
#include "io/mem.h"
#include "io/show.h"

// GPT-2 writes a byte as a visible character: printable Latin-1 as itself, the others, in order,
// from U+0100 on. -1: a character that stands for no byte.
static int byte_of(uint32_t code)
{
    if ((code >= 33 && code <= 126) || (code >= 161 && code <= 172) || (code >= 174 && code <= 255))
        return (int)code;
    if (code < 256 || code > 256 + 67)
        return -1;
    code -= 256;
    return code <= 32 ? (int)code : code <= 66 ? (int)code - 33 + 127 : 173;
}

size_t tok_bpe_bytes(const char *s, size_t n, uint8_t *out)
{
    size_t k = 0;
    for (size_t i = 0; i < n;) {
        uint32_t code;
        int bytes = tok_utf8((const uint8_t *)s + i, n - i, &code);
        int byte = bytes > 0 ? byte_of(code) : -1;
        size_t take = bytes > 0 ? (size_t)bytes : 1;
        if (byte >= 0) {
            out[k++] = (uint8_t)byte;
        } else {
            memcpy(out + k, s + i, take);
            k += take;
        }
        i += take;
    }
    return k;
}

static void add_merge(struct tok *t, uint64_t pair, uint32_t rank, uint32_t id)
{
    uint64_t h = pair * 0x9e3779b97f4a7c15u;
    for (h ^= h >> 32;; h++) {
        struct merge *m = &t->merge[h & t->merge_mask];
        if (m->id != NO_PIECE && m->pair != pair)
            continue;
        if (m->id == NO_PIECE)
            *m = (struct merge){pair, rank, id};
        return;
    }
}

static int read_merge(struct tok *t, struct gguf_str s, uint32_t rank, uint8_t *buf, struct err *e)
{
    const char *gap = s.n > 1 ? memchr(s.s + 1, ' ', s.n - 1) : NULL;
    size_t left = gap ? (size_t)(gap - s.s) : 0;
    char shown[80];
    if (!gap)
        return err_set(e, ERR_FORMAT, "%s: tokenizer: merge %u is not two pieces", t->path, rank);
    size_t nl = tok_bpe_bytes(s.s, left, buf);
    size_t nr = tok_bpe_bytes(gap + 1, s.n - left - 1, buf + nl);
    uint32_t a = tok_lookup(t, buf, nl), b = tok_lookup(t, buf + nl, nr);
    uint32_t id = tok_lookup(t, buf, nl + nr);
    if (a == NO_PIECE || b == NO_PIECE || id == NO_PIECE)
        return err_set(e, ERR_FORMAT,
                       "%s: tokenizer: merge %u is of pieces not in the vocabulary: '%s'", t->path,
                       rank, show_bytes(s.s, s.n, shown, sizeof shown));
    add_merge(t, (uint64_t)a << 32 | b, rank, id);
    return 0;
}

static int read_merges(struct tok *t, const struct gguf *g, struct err *e)
{
    struct gguf_array merges;
    int rc = gguf_array(g, "tokenizer.ggml.merges", GGUF_STR, &merges, e);
    if (rc)
        return rc;
    if (merges.n >= 1u << 28)
        return err_set(e, ERR_FORMAT, "%s: tokenizer: %llu merges", t->path,
                       (unsigned long long)merges.n);
    uint64_t slots = 16, left = merges.n, longest = 0;
    for (const uint8_t *p = merges.data; left;) {
        struct gguf_str s = gguf_next_str(&p, &left);
        longest = s.n > longest ? s.n : longest;
    }
    while (slots < 2 * merges.n)
        slots *= 2;
    uint8_t *buf = mem_new(longest, 1, e);
    t->merge_mask = (uint32_t)(slots - 1);
    t->merge = mem_new(slots, sizeof *t->merge, e);
    rc = buf && t->merge ? 0 : ERR_NOMEM;
    for (uint64_t i = 0; !rc && i < slots; i++)
        t->merge[i].id = NO_PIECE;
    left = merges.n;
    const uint8_t *p = merges.data;
    for (uint32_t rank = 0; !rc && left; rank++)
        rc = read_merge(t, gguf_next_str(&p, &left), rank, buf, e);
    free(buf);
    return rc;
}

static int compile(struct tok *t, struct err *e)
{
    for (; t->n_re < TOK_MAX_STAGES && t->pre->re[t->n_re]; t->n_re++) {
        int code;
        PCRE2_SIZE at;
        const char *re = t->pre->re[t->n_re];
        t->re[t->n_re] = pcre2_compile((PCRE2_SPTR)re, PCRE2_ZERO_TERMINATED, PCRE2_UTF | PCRE2_UCP,
                                       &code, &at, NULL);
        if (!t->re[t->n_re]) {
            char why[128] = "";
            pcre2_get_error_message(code, (PCRE2_UCHAR *)why, sizeof why);
            return err_set(e, ERR_UNSUPPORTED, "%s: tokenizer: pre-tokeniser '%s': %s", t->path,
                           t->pre_name, why);
        }
        // Without a JIT compiler for this machine pcre2_match() interprets, with the same matches.
        pcre2_jit_compile(t->re[t->n_re], PCRE2_JIT_COMPLETE | PCRE2_JIT_PARTIAL_HARD);
    }
    return 0;
}

int tok_bpe_open(struct tok *t, const struct gguf *g, struct err *e)
{
    struct gguf_str pre = {"default", 7};
    int rc = gguf_opt_text(g, "tokenizer.ggml.pre", &pre, e);
    if (rc)
        return rc;
    t->pre = tok_pre_find(pre.s, pre.n);
    if (!t->pre) {
        char known[256], shown[64];
        return err_set(e, ERR_UNSUPPORTED, "%s: pre-tokeniser '%s' is not supported (known: %s)",
                       t->path, show_bytes(pre.s, pre.n, shown, sizeof shown),
                       tok_pre_list(known, sizeof known));
    }
    memcpy(t->pre_name, pre.s, pre.n);
    for (uint32_t id = 0; id < t->n; id++)
        if (t->type[id] == PIECE_NORMAL)
            tok_add_slot(t, id);
    for (uint32_t id = 0; id < t->n; id++)
        if (t->type[id] == PIECE_USER || t->type[id] == PIECE_UNUSED)
            tok_add_slot(t, id);
    for (int b = 0; b < 256; b++)
        t->byte_id[b] = tok_lookup(t, &(uint8_t){(uint8_t)b}, 1);
    rc = read_merges(t, g, e);
    return rc ? rc : compile(t, e);
}

void tok_bpe_close(struct tok *t)
{
    for (int i = 0; i < t->n_re; i++)
        pcre2_code_free(t->re[i]);
    free(t->merge);
}
