// Small models, whole and in two parts, with a tokenizer of either kind, and a vocabulary of
// BERT's.
#include "tests/fuzz/gguf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/gguf_write.h"
#include "tests/unit/tiny_model.h"

// A tokenizer of SentencePiece's kind; it must have all bytes.
enum { SPM_PIECES = 3 + 256 + 6 };

static void write_spm(struct gguf_write *w)
{
    static const char *const own[] = {"<unk>", "<s>", "</s>"};
    static const char *const last[] = {"\xe2\x96\x81",
                                       "a",
                                       "b",
                                       "ab",
                                       ("\xe2\x96\x81"
                                        "a"),
                                       "<pad>"};
    static char bytes[256][8];
    const char *pieces[SPM_PIECES];
    float scores[SPM_PIECES];
    int32_t types[SPM_PIECES];
    for (int i = 0; i < SPM_PIECES; i++) {
        int byte = i - 3;
        scores[i] = (float)-i;
        types[i] = i == 0 ? 2 : i < 3 ? 3 : byte < 256 ? 6 : i == SPM_PIECES - 1 ? 4 : 1;
        pieces[i] = i < 3 ? own[i] : byte < 256 ? bytes[byte] : last[byte - 256];
        if (byte >= 0 && byte < 256)
            snprintf(bytes[byte], sizeof bytes[byte], "<0x%02X>", (unsigned)byte);
    }
    gguf_write_str(w, "tokenizer.ggml.model", "llama");
    gguf_write_strs(w, "tokenizer.ggml.tokens", SPM_PIECES, pieces);
    gguf_write_array(w, "tokenizer.ggml.scores", GGUF_F32, SPM_PIECES, scores, sizeof scores);
    gguf_write_array(w, "tokenizer.ggml.token_type", GGUF_I32, SPM_PIECES, types, sizeof types);
    gguf_write_u32(w, "tokenizer.ggml.bos_token_id", 1);
    gguf_write_u32(w, "tokenizer.ggml.eos_token_id", 2);
}

static void write_bpe(struct gguf_write *w)
{
    static const char *const pieces[] = {"<|end|>",
                                         "a",
                                         "b",
                                         "\xc4\xa0",
                                         "ab",
                                         ("\xc4\xa0"
                                          "a"),
                                         ("\xc4\xa0"
                                          "ab"),
                                         "\xc3\x83"};
    static const char *const merges[] = {"a b", "\xc4\xa0 a", "\xc4\xa0 ab",
                                         ("\xc4\xa0"
                                          "a b")};
    static const int32_t types[8] = {3, 1, 1, 1, 1, 1, 1, 1};
    gguf_write_str(w, "tokenizer.ggml.model", "gpt2");
    gguf_write_str(w, "tokenizer.ggml.pre", "llama-bpe");
    gguf_write_strs(w, "tokenizer.ggml.tokens", 8, pieces);
    gguf_write_array(w, "tokenizer.ggml.token_type", GGUF_I32, 8, types, sizeof types);
    gguf_write_strs(w, "tokenizer.ggml.merges", 4, merges);
    gguf_write_u32(w, "tokenizer.ggml.eos_token_id", 0);
    gguf_write_str(w, "tokenizer.chat_template",
                   "{{ '<|im_start|>system\nBe brief.<|im_end|>\n' }}<|im_start|>assistant");
}

enum { EMBD = 8 };

static void write_tensor(struct gguf_write *w, const char *name, uint64_t cols, uint64_t rows)
{
    static const float zeros[EMBD * SPM_PIECES];
    uint64_t dim[2] = {cols, rows};
    gguf_write_tensor(w, name, 0, rows ? 2 : 1, dim, zeros, 4 * cols * (rows ? rows : 1));
}

static void write_layer(struct gguf_write *w, int i)
{
    static const struct {
        const char *name;
        uint64_t cols, rows;
    } tensors[] = {{"attn_norm", EMBD, 0}, {"attn_q", EMBD, 8},      {"attn_k", EMBD, 4},
                   {"attn_v", EMBD, 4},    {"attn_output", 8, EMBD}, {"ffn_norm", EMBD, 0},
                   {"ffn_gate", EMBD, 12}, {"ffn_up", EMBD, 12},     {"ffn_down", 12, EMBD}};
    for (size_t k = 0; k < sizeof tensors / sizeof *tensors; k++) {
        char name[64];
        snprintf(name, sizeof name, "blk.%d.%s.weight", i, tensors[k].name);
        write_tensor(w, name, tensors[k].cols, tensors[k].rows);
    }
}

static void write_shape(struct gguf_write *w, const char *scaling)
{
    static const struct {
        const char *key;
        uint32_t v;
    } numbers[] = {
        {"llama.block_count", 1},          {"llama.context_length", 64},
        {"llama.embedding_length", EMBD},  {"llama.feed_forward_length", 12},
        {"llama.attention.head_count", 2}, {"llama.attention.head_count_kv", 1},
        {"llama.rope.dimension_count", 4}, {"llama.rope.scaling.original_context_length", 32}};
    gguf_write_str(w, "general.architecture", "llama");
    gguf_write_str(w, "general.name", "small");
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        gguf_write_u32(w, numbers[i].key, numbers[i].v);
    gguf_write_f32(w, "llama.rope.freq_base", 10000);
    gguf_write_f32(w, "llama.attention.layer_norm_rms_epsilon", 1e-5f);
    gguf_write_str(w, "llama.rope.scaling.type", scaling);
    gguf_write_f32(w, "llama.rope.scaling.factor", 2);
}

static void pack_two(struct bytes *out, struct gguf_write *a, struct gguf_write *b)
{
    struct bytes parts[2] = {{0}};
    size_t n;
    const uint8_t *p = gguf_write_bytes(a, &n);
    fuzz_add(&parts[0], p, n);
    if (b) {
        p = gguf_write_bytes(b, &n);
        fuzz_add(&parts[1], p, n);
    }
    fuzz_pack(out, parts, 2);
    free(parts[0].p);
    free(parts[1].p);
}

static void write_split(struct gguf_write *w, uint16_t no)
{
    uint16_t count = 2;
    gguf_write_number(w, "split.no", GGUF_U16, &no, 2);
    gguf_write_number(w, "split.count", GGUF_U16, &count, 2);
}

static void small(int spm, int split, struct bytes *out)
{
    struct gguf_write *a = gguf_write_new(3, split ? 64 : 32),
                      *b = split ? gguf_write_new(3, 32) : NULL;
    uint64_t vocab = spm ? SPM_PIECES : 8;
    write_shape(a, spm ? "yarn" : "linear");
    if (spm)
        write_spm(a);
    else
        write_bpe(a);
    write_tensor(a, "token_embd.weight", EMBD, vocab);
    if (split) {
        int32_t n = 11;
        write_split(a, 0);
        write_split(b, 1);
        gguf_write_number(a, "split.tensors.count", GGUF_I32, &n, 4);
    }
    write_layer(split ? b : a, 0);
    write_tensor(a, "output_norm.weight", EMBD, 0);
    pack_two(out, a, b);
    gguf_write_free(a);
    if (b)
        gguf_write_free(b);
}

static void words(struct bytes *out)
{
    static const char *const pieces[] = {"[UNK]",
                                         "[CLS]",
                                         "[SEP]",
                                         "\xe2\x96\x81"
                                         "a",
                                         "\xe2\x96\x81"
                                         "ba",
                                         "b",
                                         "ab",
                                         "\xe2\x96\x81\xe4\xb8\xad"};
    struct gguf_write *w = gguf_write_new(3, 32);
    gguf_write_str(w, "general.architecture", "bert");
    gguf_write_str(w, "tokenizer.ggml.model", "bert");
    gguf_write_strs(w, "tokenizer.ggml.tokens", 8, pieces);
    gguf_write_u32(w, "tokenizer.ggml.unknown_token_id", 0);
    gguf_write_u32(w, "tokenizer.ggml.cls_token_id", 1);
    gguf_write_u32(w, "tokenizer.ggml.seperator_token_id", 2);
    pack_two(out, w, NULL);
    gguf_write_free(w);
}

static void tiny(const struct tiny_options *o, struct bytes *out)
{
    struct bytes parts[2] = {{0}};
    struct err e;
    if (tiny_model_write(fuzz_path("tiny.gguf"), o, &e))
        abort();
    fuzz_slurp(fuzz_path("tiny.gguf"), &parts[0]);
    fuzz_pack(out, parts, 2);
    free(parts[0].p);
}

int gguf_seed(int i, struct bytes *out)
{
    switch (i) {
    case 0:
    case 1:
    case 2:
    case 3:
        small(i & 1, i >> 1, out);
        return 1;
    case 4:
        tiny(&(struct tiny_options){.arch = "qwen2",
                                    .n_layers = 1,
                                    .n_embd = 32,
                                    .n_ff = 32,
                                    .n_heads = 2,
                                    .n_kv_heads = 1,
                                    .type = "Q4_1"},
             out);
        return 1;
    case 5:
        tiny(&(struct tiny_options){.arch = "qwen3",
                                    .n_layers = 1,
                                    .n_embd = 32,
                                    .n_ff = 32,
                                    .n_heads = 2,
                                    .n_kv_heads = 1,
                                    .type = "Q8_0"},
             out);
        return 1;
    case 6:
        words(out);
        return 1;
    default:
        return 0;
    }
}
