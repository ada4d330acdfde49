// A model file taken apart into its keys and tensors, one of them changed, and put together again.
#include "tests/fuzz/gguf.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/cursor.h"
#include "io/gguf.h"

static const char *const words[] = {
    "llama",
    "qwen2",
    "qwen3",
    "internlm2",
    "gemma3",
    "phi3",
    "mistral",
    "gpt2",
    "bert",
    "smollm",
    "llama-bpe",
    "default",
    "deepseek-llm",
    "none",
    "linear",
    "yarn",
    "longrope",
    "general.architecture",
    "general.name",
    "general.alignment",
    "split.no",
    "split.count",
    "split.tensors.count",
    "llama.block_count",
    "llama.embedding_length",
    "llama.expert_count",
    "llama.attention.head_count",
    "llama.attention.head_count_kv",
    "llama.attention.key_length",
    "llama.attention.value_length",
    "llama.attention.sliding_window",
    "llama.vocab_size",
    "llama.rope.dimension_count",
    "llama.rope.freq_base",
    "llama.rope.scaling.type",
    "llama.rope.scaling.factor",
    "llama.rope.scaling.yarn_beta_fast",
    "llama.logit_scale",
    "tokenizer.ggml.model",
    "tokenizer.ggml.pre",
    "tokenizer.ggml.tokens",
    "tokenizer.ggml.merges",
    "tokenizer.ggml.scores",
    "tokenizer.ggml.token_type",
    "tokenizer.ggml.bos_token_id",
    "tokenizer.ggml.unknown_token_id",
    "tokenizer.ggml.cls_token_id",
    "tokenizer.ggml.seperator_token_id",
    "tokenizer.ggml.add_bos_token",
    "tokenizer.ggml.add_space_prefix",
    "tokenizer.chat_template",
    "output.weight",
    "rope_freqs.weight",
    "blk.0.attn_q.bias",
    "blk.0.attn_q_norm.weight",
    "blk.0.attn_qkv.weight",
    "blk.0.attn_k.weight",
    "token_embd.weight",
    "<0x41>",
    "\xe2\x96\x81",
    "a b",
    "a",
    "",
    "[INST] <<SYS>>",
    "<|im_start|>",
    "<start_of_turn>",
    "\x1b[2J",
    "\xff\xfe",
    NULL,
};

enum { MAX_RECORDS = 256 };

// A file taken apart: its keys and tensors as they lie, and the data after them.
struct parsed {
    uint8_t head[24];
    struct bytes record[MAX_RECORDS];
    size_t n_keys, n_records; // keys first, then tensors
    const uint8_t *data;
    size_t n_data;
};

static size_t kind_bytes(uint32_t kind)
{
    static const uint8_t bytes[] = {1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};
    return kind < sizeof bytes ? bytes[kind] : 0;
}

static void skip_str(struct cursor *c)
{
    cursor_bytes(c, cursor_u64(c));
}

static void skip_value(struct cursor *c, uint32_t kind)
{
    if (kind == GGUF_STR) {
        skip_str(c);
    } else if (kind == GGUF_ARRAY) {
        uint32_t of = cursor_u32(c);
        uint64_t n = cursor_u64(c);
        if (n > c->left)
            c->bad = 1;
        else if (of == GGUF_STR)
            while (n-- && !c->bad)
                skip_str(c);
        else if (kind_bytes(of))
            cursor_bytes(c, n * kind_bytes(of));
        else
            c->bad = 1;
    } else if (kind_bytes(kind)) {
        cursor_bytes(c, kind_bytes(kind));
    } else {
        c->bad = 1;
    }
}

static void skip_tensor(struct cursor *c)
{
    skip_str(c);
    uint32_t dims = cursor_u32(c);
    cursor_bytes(c, dims <= 4 ? 8 * dims + 12 : SIZE_MAX);
}

static int parse(struct parsed *f, const uint8_t *data, size_t n)
{
    struct cursor c = {data, n, 0};
    const uint8_t *head = cursor_bytes(&c, sizeof f->head);
    if (!head)
        return -1;
    memcpy(f->head, head, sizeof f->head);
    uint64_t n_tensors, n_keys;
    memcpy(&n_tensors, head + 8, 8);
    memcpy(&n_keys, head + 16, 8);
    if (n_tensors > MAX_RECORDS / 2 || n_keys > MAX_RECORDS / 2 - 1)
        return -1;
    for (uint64_t i = 0; i < n_keys + n_tensors; i++) {
        const uint8_t *from = c.p;
        if (i < n_keys) {
            skip_str(&c);
            skip_value(&c, cursor_u32(&c));
        } else {
            skip_tensor(&c);
        }
        if (c.bad)
            return -1;
        fuzz_add(&f->record[f->n_records++], from, (size_t)(c.p - from));
    }
    f->n_keys = n_keys;
    size_t at = (size_t)(c.p - data), pad = (32 - at % 32) % 32;
    cursor_bytes(&c, pad < c.left ? pad : c.left);
    f->data = c.p;
    f->n_data = c.left;
    return 0;
}

static void parsed_done(struct parsed *f)
{
    for (size_t i = 0; i < MAX_RECORDS; i++)
        free(f->record[i].p);
    memset(f, 0, sizeof *f);
}

static size_t unparse(const struct parsed *f, uint8_t *data, size_t n, size_t cap)
{
    struct bytes b = {0};
    fuzz_add(&b, f->head, sizeof f->head);
    for (size_t i = 0; i < f->n_records; i++)
        fuzz_add(&b, f->record[i].p, f->record[i].n);
    while (b.n % 32)
        fuzz_add(&b, "", 1);
    fuzz_add(&b, f->data, f->n_data);
    if (b.n <= cap) {
        memcpy(data, b.p, b.n);
        n = b.n;
    }
    free(b.p);
    return n;
}

// Replaces N_OLD bytes at AT of a record.
static void splice(struct bytes *b, size_t at, size_t n_old, const void *by, size_t n_new)
{
    struct bytes out = {0};
    fuzz_add(&out, b->p, at);
    fuzz_add(&out, by, n_new);
    fuzz_add(&out, b->p + at + n_old, b->n - at - n_old);
    free(b->p);
    *b = out;
}

static void change_number(struct fuzz_random *r, struct bytes *b, size_t at, size_t width)
{
    uint64_t v = 0;
    if (at + width > b->n)
        return;
    memcpy(&v, b->p + at, width);
    v = fuzz_number(r, v);
    memcpy(b->p + at, &v, width);
}

static const char *word(struct fuzz_random *r)
{
    return words[fuzz_below(r, sizeof words / sizeof *words - 1)];
}

// The string at AT becomes one of the words.
static void change_str(struct fuzz_random *r, struct bytes *b, size_t at)
{
    uint64_t n;
    struct bytes s = {0};
    const char *w = word(r);
    uint64_t len = strlen(w);
    memcpy(&n, b->p + at, 8);
    fuzz_add(&s, &len, 8);
    fuzz_add(&s, w, len);
    splice(b, at, 8 + (size_t)n, s.p, s.n);
    free(s.p);
}

// Position of the value of a key record, and its kind.
static size_t value_of(const struct bytes *b, uint32_t *kind)
{
    uint64_t n;
    memcpy(&n, b->p, 8);
    memcpy(kind, b->p + 8 + n, 4);
    return 12 + (size_t)n;
}

// An array: its count, its kind, an element more, less or changed, or the whole of it in another.
static void change_array(struct fuzz_random *r, struct bytes *b, size_t at)
{
    uint32_t of;
    uint64_t n;
    memcpy(&of, b->p + at, 4);
    memcpy(&n, b->p + at + 4, 8);
    size_t begin = at + 12, bytes = kind_bytes(of);
    switch (fuzz_below(r, 6)) {
    case 0:
        change_number(r, b, at + 4, 8);
        return;
    case 1:
        of = (uint32_t)fuzz_below(r, 14);
        memcpy(b->p + at, &of, 4);
        return;
    case 2: {
        static const uint8_t outer[12] = {GGUF_ARRAY, 0, 0, 0, 1};
        splice(b, at, 0, outer, sizeof outer);
        return;
    }
    case 3: // none left
        splice(b, begin, b->n - begin, "", 0);
        n = 0;
        memcpy(b->p + at + 4, &n, 8);
        return;
    default:
        break;
    }
    if (!n)
        return;
    uint64_t which = fuzz_below(r, n);
    if (of != GGUF_STR) {
        change_number(r, b, begin + which * bytes, bytes);
        return;
    }
    for (uint64_t i = 0, len; i < which; i++) {
        memcpy(&len, b->p + begin, 8);
        begin += 8 + (size_t)len;
    }
    if (fuzz_below(r, 2)) {
        change_str(r, b, begin);
    } else {
        uint64_t len;
        memcpy(&len, b->p + begin, 8);
        uint8_t *copy = malloc(8 + (size_t)len);
        if (!copy)
            abort();
        memcpy(copy, b->p + begin, 8 + (size_t)len);
        splice(b, begin, 0, copy, 8 + (size_t)len);
        free(copy);
        n++;
        memcpy(b->p + at + 4, &n, 8);
    }
}

static void change_key(struct fuzz_random *r, struct bytes *b)
{
    uint32_t kind;
    size_t at = value_of(b, &kind);
    uint64_t how = fuzz_below(r, 6);
    if (how == 0) {
        change_str(r, b, 0);
    } else if (how == 1) {
        kind = (uint32_t)fuzz_below(r, 14);
        memcpy(b->p + at - 4, &kind, 4);
    } else if (kind == GGUF_STR) {
        change_str(r, b, at);
    } else if (kind == GGUF_ARRAY) {
        change_array(r, b, at);
    } else if (kind == GGUF_F32 && fuzz_below(r, 2)) {
        static const float floats[] = {0, -1, 1e-30f, 1e30f, (float)INFINITY, (float)NAN, 1, 0.5f};
        memcpy(b->p + at, &floats[fuzz_below(r, 8)], 4);
    } else {
        change_number(r, b, at, kind_bytes(kind));
    }
}

static void change_tensor(struct fuzz_random *r, struct bytes *b)
{
    uint64_t n;
    uint32_t dims;
    memcpy(&n, b->p, 8);
    size_t at = 8 + (size_t)n;
    memcpy(&dims, b->p + at, 4);
    size_t type = at + 4 + 8 * (size_t)dims;
    switch (fuzz_below(r, 6)) {
    case 0:
        change_str(r, b, 0);
        return;
    case 1:
        change_number(r, b, at, 4);
        return;
    case 2: {
        uint32_t t = (uint32_t)fuzz_below(r, 42);
        memcpy(b->p + type, &t, 4);
        return;
    }
    case 3:
        change_number(r, b, type + 4, 8);
        return;
    case 4: {
        uint64_t off;
        memcpy(&off, b->p + type + 4, 8);
        off = fuzz_below(r, 64) * 32;
        memcpy(b->p + type + 4, &off, 8);
        return;
    }
    default:
        change_number(r, b, at + 4 + 8 * fuzz_below(r, dims), 8);
    }
}

// A record more or less, with the count made right, or not.
static void change_records(struct fuzz_random *r, struct parsed *f)
{
    size_t i = fuzz_below(r, f->n_records), to = fuzz_below(r, f->n_records);
    int is_key = i < f->n_keys;
    uint64_t count;
    struct bytes moved = {0};
    fuzz_add(&moved, f->record[i].p, f->record[i].n);
    uint64_t how = fuzz_below(r, 3);
    if (how == 0) { // gone
        free(f->record[i].p);
        memmove(f->record + i, f->record + i + 1, (f->n_records - i - 1) * sizeof moved);
        f->n_records--;
        f->record[f->n_records] = (struct bytes){0};
        f->n_keys -= (size_t)is_key;
        free(moved.p);
    } else if (how == 1 && f->n_records < MAX_RECORDS) { // twice
        memmove(f->record + i + 1, f->record + i, (f->n_records - i) * sizeof moved);
        f->record[i] = moved;
        f->n_records++;
        f->n_keys += (size_t)is_key;
        if (fuzz_below(r, 2))
            change_str(r, &f->record[i], 0);
    } else { // elsewhere
        free(f->record[i].p);
        f->record[i] = f->record[to];
        f->record[to] = moved;
    }
    if (!fuzz_below(r, 8))
        return;
    count = f->n_records - f->n_keys;
    memcpy(f->head + 8, &count, 8);
    count = f->n_keys;
    memcpy(f->head + 16, &count, 8);
}

static size_t mutate_one(struct fuzz_random *r, uint8_t *data, size_t n, size_t cap)
{
    struct parsed f = {0};
    uint64_t how = fuzz_below(r, 16);
    if (how == 0 || parse(&f, data, n) || !f.n_records) {
        parsed_done(&f);
        return fuzz_mutate_bytes(r, data, n, cap, words);
    }
    if (how == 1) {
        struct bytes head = {f.head, sizeof f.head, sizeof f.head};
        change_number(r, &head, 4 + 4 * fuzz_below(r, 5), 4);
    } else if (how < 5) {
        change_records(r, &f);
    } else if (f.n_keys && (how < 12 || f.n_keys == f.n_records)) {
        change_key(r, &f.record[fuzz_below(r, f.n_keys)]);
    } else {
        change_tensor(r, &f.record[f.n_keys + fuzz_below(r, f.n_records - f.n_keys)]);
    }
    n = unparse(&f, data, n, cap);
    parsed_done(&f);
    return n;
}

size_t gguf_change(struct fuzz_random *r, uint8_t *data, size_t n, size_t cap)
{
    const uint8_t *part[2];
    size_t part_n[2];
    if (n < 4 || cap < n + 64 || !fuzz_below(r, 64))
        return fuzz_mutate_bytes(r, data, n, cap, NULL);
    fuzz_unpack(data, n, part, part_n, 2);
    struct bytes parts[2] = {{0}}, out = {0};
    int which = part_n[1] && fuzz_below(r, 2);
    for (int i = 0; i < 2; i++) {
        fuzz_add(&parts[i], part[i], part_n[i]);
        fuzz_add(&parts[i], data, 0);
    }
    uint8_t *room = malloc(cap);
    if (!room)
        abort();
    memcpy(room, part[which], part_n[which]);
    parts[which].n = 0;
    size_t now = mutate_one(r, room, part_n[which], cap - 4 - part_n[!which]);
    fuzz_add(&parts[which], room, now);
    fuzz_pack(&out, parts, 2);
    memcpy(data, out.p, out.n);
    n = out.n;
    free(room);
    free(out.p);
    free(parts[0].p);
    free(parts[1].p);
    return n;
}
