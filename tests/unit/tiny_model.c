#include "tests/unit/tiny_model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/half.h"
#include "kernels/quant.h"
#include "tests/unit/gguf_write.h"

enum {
    N_SPECIAL = 3,
    N_BYTES = 256,
    MAX_TOKENS = 2048,
    PIECE_CAP = 64,
    TYPE_NORMAL = 1,
    TYPE_CONTROL = 3
};

static const char *const SPECIAL[N_SPECIAL] = {"<|endoftext|>", "<|im_start|>", "<|im_end|>"};

// Words whose pieces become merges, from the left: " the" gives (" ", "t"), (" t", "h"), (" th",
// "e").
static const char WORDS[] = "the of and to in is that for it as was with be by on not he his but "
                            "at are this have from or had an they which one you "
                            "were her all she there would their we him been has when who will more "
                            "no if out so said what up its about into than them "
                            "can only other new some could time these two may then do first any my "
                            "now such like our over man me even most made after "
                            "also did many before must through years where much your way well down "
                            "should because each just those people how too "
                            "little state good very make world still own see men work long get "
                            "here between both life being under never day same "
                            "another know while last might us great old year off come since "
                            "against go came right used take three system file server "
                            "package network user question answer document";

static const char TEMPLATE[] =
    "{% for message in messages %}{% if loop.first and messages[0]['role'] != 'system' %}"
    "{{ '<|im_start|>system\nYou are a small random model<|im_end|>\n' }}{% endif %}"
    "{{'<|im_start|>' + message['role'] + '\n' + message['content'] + '<|im_end|>' + '\n'}}{% "
    "endfor %}"
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}";

struct family {
    const char *arch;
    int bias, qk_norm;
};
static const struct family FAMILIES[] = {{"llama", 0, 0}, {"qwen2", 1, 0}, {"qwen3", 0, 1}};

struct vocab {
    char piece[MAX_TOKENS][PIECE_CAP];
    char merge[MAX_TOKENS][2 * PIECE_CAP];
    size_t n_pieces, n_merges;
};

struct writer {
    struct gguf_write *w;
    struct tiny_options o;
    const struct family *family;
    const struct quant *type;
    uint64_t random;
};

// Byte B in the byte-level spelling: itself where it prints, else a character from U+0100 on.
static void spell(uint8_t b, char out[3])
{
    unsigned c = b;
    if (b <= 0x20)
        c = 0x100u + b;
    else if (b >= 0x7f && b <= 0xa0)
        c = 0x121u + (b - 0x7fu);
    else if (b == 0xad)
        c = 0x143;
    memset(out, 0, 3);
    if (c < 0x80) {
        out[0] = (char)c;
    } else {
        out[0] = (char)(0xc0 | c >> 6);
        out[1] = (char)(0x80 | (c & 0x3f));
    }
}

static int has_piece(const struct vocab *v, const char *s)
{
    for (size_t i = 0; i < v->n_pieces; i++)
        if (!strcmp(v->piece[i], s))
            return 1;
    return 0;
}

static void add_word(struct vocab *v, const char *word, size_t n)
{
    char left[PIECE_CAP] = "", right[3], joined[PIECE_CAP];
    spell(' ', left);
    for (size_t i = 0; i < n && v->n_pieces < MAX_TOKENS; i++) {
        spell((uint8_t)word[i], right);
        snprintf(joined, sizeof joined, "%.*s%s", PIECE_CAP - 3, left, right);
        if (!has_piece(v, joined)) {
            snprintf(v->merge[v->n_merges++], sizeof v->merge[0], "%s %s", left, right);
            memcpy(v->piece[v->n_pieces++], joined, PIECE_CAP);
        }
        memcpy(left, joined, PIECE_CAP);
    }
}

static void vocab_fill(struct vocab *v)
{
    for (size_t i = 0; i < N_SPECIAL; i++)
        snprintf(v->piece[v->n_pieces++], PIECE_CAP, "%s", SPECIAL[i]);
    for (unsigned b = 0; b < N_BYTES; b++)
        spell((uint8_t)b, v->piece[v->n_pieces++]);
    for (const char *p = WORDS; *p;) {
        size_t n = strcspn(p, " ");
        add_word(v, p, n);
        p += n + strspn(p + n, " ");
    }
}

static void put_tokenizer(struct gguf_write *w, const struct vocab *v)
{
    static const char *list[MAX_TOKENS];
    static int32_t types[MAX_TOKENS];
    gguf_write_str(w, "tokenizer.ggml.model", "gpt2");
    gguf_write_str(w, "tokenizer.ggml.pre", "smollm");
    for (size_t i = 0; i < v->n_pieces; i++) {
        list[i] = v->piece[i];
        types[i] = i < N_SPECIAL ? TYPE_CONTROL : TYPE_NORMAL;
    }
    gguf_write_strs(w, "tokenizer.ggml.tokens", v->n_pieces, list);
    gguf_write_array(w, "tokenizer.ggml.token_type", GGUF_I32, v->n_pieces, types,
                     v->n_pieces * sizeof *types);
    for (size_t i = 0; i < v->n_merges; i++)
        list[i] = v->merge[i];
    gguf_write_strs(w, "tokenizer.ggml.merges", v->n_merges, list);
    gguf_write_u32(w, "tokenizer.ggml.bos_token_id", 1);
    gguf_write_u32(w, "tokenizer.ggml.eos_token_id", 2);
    gguf_write_bool(w, "tokenizer.ggml.add_bos_token", 0);
    gguf_write_bool(w, "tokenizer.ggml.add_space_prefix", 0);
}

static void put_shape(struct writer *t)
{
    const struct tiny_options *o = &t->o;
    const struct {
        const char *key;
        int value;
    } ints[] = {
        {"block_count", o->n_layers},          {"context_length", o->n_ctx},
        {"embedding_length", o->n_embd},       {"feed_forward_length", o->n_ff},
        {"attention.head_count", o->n_heads},  {"attention.head_count_kv", o->n_kv_heads},
        {"attention.key_length", o->head_dim}, {"attention.value_length", o->head_dim},
        {"rope.dimension_count", o->head_dim},
    };
    char key[128];
    gguf_write_str(t->w, "general.architecture", o->arch);
    gguf_write_str(t->w, "general.name", o->name);
    for (size_t i = 0; i < sizeof ints / sizeof *ints; i++) {
        snprintf(key, sizeof key, "%s.%s", o->arch, ints[i].key);
        gguf_write_u32(t->w, key, (uint32_t)ints[i].value);
    }
    snprintf(key, sizeof key, "%s.rope.freq_base", o->arch);
    gguf_write_f32(t->w, key, (float)o->rope_base);
    snprintf(key, sizeof key, "%s.attention.layer_norm_rms_epsilon", o->arch);
    gguf_write_f32(t->w, key, 1e-5f);
}

// splitmix64
static uint64_t next(struct writer *t)
{
    uint64_t z = t->random += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

// -1 .. 1
static float uniform(struct writer *t)
{
    return (float)((double)(next(t) >> 11) / 4503599627370496.0 - 1.0);
}

static uint8_t *put_f16(uint8_t *p, float f)
{
    uint16_t h = half_of_float(f);
    p[0] = (uint8_t)h;
    p[1] = (uint8_t)(h >> 8);
    return p + 2;
}

// One block of weights between -A and A, drawn in the numbers of the type itself.
static void fill_block(struct writer *t, uint32_t type, float a, uint8_t *p)
{
    float f = a * (type <= QUANT_F16 ? uniform(t) : 1);
    switch (type) {
    case QUANT_F32:
        memcpy(p, &f, 4);
        break;
    case QUANT_F16:
        put_f16(p, f);
        break;
    case QUANT_Q8_0:
        p = put_f16(p, a / 127);
        for (int i = 0; i < 32; i++)
            p[i] = (uint8_t)(int8_t)((int)(next(t) % 255) - 127);
        break;
    default: // QUANT_Q4_1
        p = put_f16(p, 2 * a / 15);
        p = put_f16(p, -a);
        for (int i = 0; i < 16; i++)
            p[i] = (uint8_t)next(t);
    }
}

// [rows][cols] of the model's type, variance GAIN^2 / cols.
static void put_matrix(struct writer *t, const char *name, int rows, int cols, float gain)
{
    const struct quant *q = t->type;
    size_t n_blocks = (size_t)rows * (size_t)cols / (size_t)q->block;
    uint8_t *data = malloc(n_blocks * (size_t)q->bytes);
    if (!data)
        abort();
    for (size_t i = 0; i < n_blocks; i++)
        fill_block(t, q->type, gain * sqrtf(3.0f / (float)cols), data + i * (size_t)q->bytes);
    gguf_write_tensor(t->w, name, q->type, 2, (uint64_t[]){(uint64_t)cols, (uint64_t)rows}, data,
                      n_blocks * (size_t)q->bytes);
    free(data);
}

// F32 [n]: MIDDLE plus or minus SPREAD.
static void put_vector(struct writer *t, const char *name, int n, float middle, float spread)
{
    float *data = malloc((size_t)n * sizeof *data);
    if (!data)
        abort();
    for (int i = 0; i < n; i++)
        data[i] = middle + spread * uniform(t);
    gguf_write_tensor(t->w, name, QUANT_F32, 1, (uint64_t[]){(uint64_t)n}, data,
                      (size_t)n * sizeof *data);
    free(data);
}

static const char *layer_name(char *buf, size_t cap, int layer, const char *what)
{
    snprintf(buf, cap, "blk.%d.%s", layer, what);
    return buf;
}

static void put_layer(struct writer *t, int layer)
{
    const struct tiny_options *o = &t->o;
    int q = o->n_heads * o->head_dim, kv = o->n_kv_heads * o->head_dim;
    char b[64];
#define NAME(what) layer_name(b, sizeof b, layer, what)
    put_vector(t, NAME("attn_norm.weight"), o->n_embd, 1, 0.2f);
    put_matrix(t, NAME("attn_q.weight"), q, o->n_embd, 1.5f);
    put_matrix(t, NAME("attn_k.weight"), kv, o->n_embd, 1.5f);
    put_matrix(t, NAME("attn_v.weight"), kv, o->n_embd, 1);
    if (t->family->bias) {
        put_vector(t, NAME("attn_q.bias"), q, 0, 1);
        put_vector(t, NAME("attn_k.bias"), kv, 0, 1);
        put_vector(t, NAME("attn_v.bias"), kv, 0, 1);
    }
    if (t->family->qk_norm) {
        put_vector(t, NAME("attn_q_norm.weight"), o->head_dim, 1, 0.2f);
        put_vector(t, NAME("attn_k_norm.weight"), o->head_dim, 1, 0.2f);
    }
    put_matrix(t, NAME("attn_output.weight"), o->n_embd, q, 1);
    put_vector(t, NAME("ffn_norm.weight"), o->n_embd, 1, 0.2f);
    put_matrix(t, NAME("ffn_gate.weight"), o->n_ff, o->n_embd, 1);
    put_matrix(t, NAME("ffn_up.weight"), o->n_ff, o->n_embd, 1);
    put_matrix(t, NAME("ffn_down.weight"), o->n_embd, o->n_ff, 1);
#undef NAME
}

static int or_default(int v, int def)
{
    return v ? v : def;
}

// Fills in the defaults and checks what goes with what.
static int set_up(struct writer *t, const struct tiny_options *o, struct err *e)
{
    t->o = (struct tiny_options){
        .arch = o->arch ? o->arch : "llama",
        .n_layers = or_default(o->n_layers, 2),
        .n_embd = or_default(o->n_embd, 64),
        .n_ff = or_default(o->n_ff, 96),
        .n_heads = or_default(o->n_heads, 4),
        .n_kv_heads = or_default(o->n_kv_heads, 2),
        .head_dim = or_default(o->head_dim, 16),
        .n_ctx = or_default(o->n_ctx, 8192),
        .rope_base = o->rope_base > 0 ? o->rope_base : 10000,
        .type = o->type ? o->type : "F32",
        .seed = o->seed ? o->seed : 1,
        .no_template = o->no_template,
        .template_text = o->template_text,
        .name = o->name ? o->name : "tiny random",
    };
    t->random = t->o.seed;
    for (size_t i = 0; i < sizeof FAMILIES / sizeof *FAMILIES; i++)
        if (!strcmp(FAMILIES[i].arch, t->o.arch))
            t->family = &FAMILIES[i];
    for (size_t i = 0; quant_at(i); i++)
        if (!strcmp(quant_at(i)->name, t->o.type))
            t->type = quant_at(i);
    if (!t->family)
        return err_set(e, ERR_USAGE, "tiny model: architecture '%s' is not llama, qwen2 or qwen3",
                       t->o.arch);
    if (!t->type || (t->type->type != QUANT_F32 && t->type->type != QUANT_F16 &&
                     t->type->type != QUANT_Q8_0 && t->type->type != QUANT_Q4_1))
        return err_set(e, ERR_USAGE, "tiny model: type '%s' is not F32, F16, Q8_0 or Q4_1",
                       t->o.type);
    const int positive[] = {t->o.n_layers,   t->o.n_embd,   t->o.n_ff, t->o.n_heads,
                            t->o.n_kv_heads, t->o.head_dim, t->o.n_ctx};
    for (size_t i = 0; i < sizeof positive / sizeof *positive; i++)
        if (positive[i] < 1 || positive[i] > 1 << 16)
            return err_set(e, ERR_USAGE, "tiny model: a size is %d, not 1..65536", positive[i]);
    if (t->o.n_heads % t->o.n_kv_heads || t->o.head_dim % 2)
        return err_set(e, ERR_USAGE,
                       "tiny model: heads must be a multiple of kv heads, head_dim even");
    if (t->o.n_embd % t->type->block || t->o.n_ff % t->type->block ||
        t->o.n_heads * t->o.head_dim % t->type->block)
        return err_set(e, ERR_USAGE, "tiny model: %s needs widths that are multiples of %d",
                       t->o.type, t->type->block);
    return 0;
}

static int save(struct gguf_write *w, const char *path, struct err *e)
{
    size_t n;
    const uint8_t *p = gguf_write_bytes(w, &n);
    FILE *f = fopen(path, "wb");
    int bad = !f || fwrite(p, 1, n, f) != n;
    if (f && fclose(f))
        bad = 1;
    return bad ? err_io(e, "%s", path) : 0;
}

int tiny_model_write(const char *path, const struct tiny_options *o, struct err *e)
{
    struct writer t = {0};
    int rc = set_up(&t, o, e);
    if (rc)
        return rc;
    struct vocab *v = calloc(1, sizeof *v);
    if (!v)
        abort();
    vocab_fill(v);
    t.w = gguf_write_new(3, 32);
    put_shape(&t);
    put_tokenizer(t.w, v);
    if (!o->no_template)
        gguf_write_str(t.w, "tokenizer.chat_template",
                       t.o.template_text ? t.o.template_text : TEMPLATE);
    put_matrix(&t, "token_embd.weight", (int)v->n_pieces, t.o.n_embd, sqrtf((float)t.o.n_embd));
    for (int i = 0; i < t.o.n_layers; i++)
        put_layer(&t, i);
    put_vector(&t, "output_norm.weight", t.o.n_embd, 1, 0.2f);
    put_matrix(&t, "output.weight", (int)v->n_pieces, t.o.n_embd, 3);
    rc = save(t.w, path, e);
    gguf_write_free(t.w);
    free(v);
    return rc;
}
