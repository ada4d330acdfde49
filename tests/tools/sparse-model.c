// Writes a model of the shape of Llama-3-8B in Q4_K whose weights are a hole in the file: 4.5 GB to
// whoever maps it, a few megabytes on the disk. For the test that opening a model reads no weights.
//
//     sparse-model OUT.gguf [LAYERS]
//
// With LAYERS, as many layers have random weights that are really there: for measuring speed.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kernels/quant.h"
#include "tests/unit/gguf_write.h"

enum { LAYERS = 32, EMBD = 4096, FF = 14336, HEADS = 32, KV_HEADS = 8, DIM = 128 };
enum { VOCAB = 128256, LETTERS = 26, ALIGN = 32 };

static char piece[VOCAB][8], merge[2 * VOCAB][12];
static const char *pieces[VOCAB], *merges[2 * VOCAB];
static int32_t types[VOCAB];

// The characters of the byte-level spelling, then every word of two letters, of three, and of four
// until the vocabulary is full; each word is joined from the left, and could be from the right.
static size_t make_vocabulary(void)
{
    size_t n = 0, n_merges = 0;
    for (unsigned c = 0x21; n < 256; c++)
        if ((c < 0x7f || c > 0xa0) && c != 0xad) {
            char utf8[3] = {(char)c, 0, 0};
            if (c >= 0x80) {
                utf8[0] = (char)(0xc0 | c >> 6);
                utf8[1] = (char)(0x80 | (c & 0x3f));
            }
            strcpy(piece[n++], utf8);
        }
    for (int len = 2; len <= 4; len++) {
        size_t words = 1;
        for (int i = 0; i < len; i++)
            words *= LETTERS;
        for (size_t w = 0; w < words && n < VOCAB - 1; w++, n++) {
            size_t rest = w;
            for (int i = len; i--; rest /= LETTERS)
                piece[n][i] = (char)('a' + rest % LETTERS);
            snprintf(merge[n_merges++], sizeof *merge, "%.*s %c", len - 1, piece[n],
                     piece[n][len - 1]);
            if (len > 2)
                snprintf(merge[n_merges++], sizeof *merge, "%c %s", piece[n][0], piece[n] + 1);
        }
    }
    strcpy(piece[n], "<|e|>");
    for (size_t i = 0; i < VOCAB; i++) {
        pieces[i] = piece[i];
        types[i] = i == VOCAB - 1 ? 3 : 1;
    }
    for (size_t i = 0; i < n_merges; i++)
        merges[i] = merge[i];
    return n_merges;
}

static uint64_t at; // where the next tensor lies
static int n_layers = LAYERS;
static FILE *filled;   // where weights are written as they are declared, or NULL
static uint64_t first; // of them in the file

static void fail(const char *what)
{
    perror(what);
    exit(1);
}

// Norms are 1. Weights are random, their mean is 0 and their deviation 0.02.
static void fill(uint32_t type, uint64_t bytes)
{
    static uint8_t part[144 << 12];
    static uint64_t seed = 1;
    const float one = 1;
    if (fseeko(filled, (off_t)(first + at), SEEK_SET))
        fail("seek");
    for (uint64_t n; bytes; bytes -= n) {
        n = bytes < sizeof part ? bytes : sizeof part;
        for (uint64_t i = 0; i < n; i += 4) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            uint32_t word = (uint32_t)(seed >> 32);
            memcpy(part + i, type == QUANT_F32 ? (const void *)&one : &word, 4);
        }
        for (uint64_t i = 0; type == QUANT_Q4_K && i < n; i += 144)
            memcpy(part + i, "\0\x04\x80\x0f", 4); // scales of 2^-14, minima 7.5 times as large
        if (fwrite(part, 1, n, filled) != n)
            fail("write");
    }
}

static void put(struct gguf_write *w, const char *name, uint32_t type, uint64_t cols, uint64_t rows)
{
    uint64_t dim[2] = {cols, rows};
    gguf_write_tensor_at(w, name, type, rows ? 2 : 1, dim, at);
    if (filled)
        fill(type, quant_bytes(type, cols) * (rows ? rows : 1));
    at += quant_bytes(type, cols) * (rows ? rows : 1);
    at += (ALIGN - at % ALIGN) % ALIGN;
}

static void put_layer(struct gguf_write *w, int i)
{
    static const struct {
        const char *name;
        uint32_t type;
        uint64_t cols, rows;
    } tensors[] = {{"attn_norm", QUANT_F32, EMBD, 0},
                   {"attn_q", QUANT_Q4_K, EMBD, HEADS * DIM},
                   {"attn_k", QUANT_Q4_K, EMBD, KV_HEADS * DIM},
                   {"attn_v", QUANT_Q4_K, EMBD, KV_HEADS * DIM},
                   {"attn_output", QUANT_Q4_K, HEADS * DIM, EMBD},
                   {"ffn_norm", QUANT_F32, EMBD, 0},
                   {"ffn_gate", QUANT_Q4_K, EMBD, FF},
                   {"ffn_up", QUANT_Q4_K, EMBD, FF},
                   {"ffn_down", QUANT_Q4_K, FF, EMBD}};
    char name[64];
    for (size_t k = 0; k < sizeof tensors / sizeof *tensors; k++) {
        snprintf(name, sizeof name, "blk.%d.%s.weight", i, tensors[k].name);
        put(w, name, tensors[k].type, tensors[k].cols, tensors[k].rows);
    }
}

// The file's head, or, when FILLED is open, its weights too.
static size_t put_model(const char *path, size_t n_merges)
{
    size_t n;
    struct gguf_write *w = gguf_write_new(3, ALIGN);
    gguf_write_str(w, "general.architecture", "llama");
    gguf_write_str(w, "general.name", "eight billion holes");
    gguf_write_u32(w, "llama.block_count", (uint32_t)n_layers);
    gguf_write_u32(w, "llama.context_length", 8192);
    gguf_write_u32(w, "llama.embedding_length", EMBD);
    gguf_write_u32(w, "llama.feed_forward_length", FF);
    gguf_write_u32(w, "llama.attention.head_count", HEADS);
    gguf_write_u32(w, "llama.attention.head_count_kv", KV_HEADS);
    gguf_write_f32(w, "llama.rope.freq_base", 500000);
    gguf_write_f32(w, "llama.attention.layer_norm_rms_epsilon", 1e-5f);
    gguf_write_str(w, "tokenizer.ggml.model", "gpt2");
    gguf_write_str(w, "tokenizer.ggml.pre", "llama-bpe");
    gguf_write_strs(w, "tokenizer.ggml.tokens", VOCAB, pieces);
    gguf_write_array(w, "tokenizer.ggml.token_type", GGUF_I32, VOCAB, types, sizeof types);
    gguf_write_strs(w, "tokenizer.ggml.merges", n_merges, merges);
    gguf_write_u32(w, "tokenizer.ggml.eos_token_id", VOCAB - 1);
    put(w, "token_embd.weight", QUANT_Q4_K, EMBD, VOCAB);
    put(w, "output.weight", QUANT_Q4_K, EMBD, VOCAB);
    put(w, "output_norm.weight", QUANT_F32, EMBD, 0);
    for (int i = 0; i < n_layers; i++)
        put_layer(w, i);
    gguf_write_bytes(w, &n);
    if (!filled)
        gguf_write_file(w, path);
    gguf_write_free(w);
    return n;
}

int main(int argc, char **argv)
{
    if (argc < 2 || argc > 3 ||
        (argc > 2 && ((n_layers = atoi(argv[2])) < 1 || n_layers > LAYERS))) {
        fputs("usage: sparse-model OUT.gguf [LAYERS]\n", stderr);
        return 2;
    }
    size_t n_merges = make_vocabulary(), n = put_model(argv[1], n_merges);
    if (truncate(argv[1], (off_t)(n + at)))
        fail(argv[1]);
    if (argc < 3)
        return 0;
    if (!(filled = fopen(argv[1], "r+be")))
        fail(argv[1]);
    first = n;
    at = 0;
    put_model(argv[1], n_merges);
    if (fclose(filled))
        fail(argv[1]);
    return 0;
}
