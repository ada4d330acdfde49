#include "tests/unit/cache/kvz_make.h"

const struct kvz_channel make_channels[CHANNELS] = {
    {.layer = 0, .head = 1, .kind = KVZ_KEYS, .dim = DIM},
    {.layer = 1, .head = 0, .kind = KVZ_REPRESENTATIVES, .dim = 3},
};

struct kvz_meta make_meta(uint32_t codec)
{
    struct kvz_meta m = {.model = "Tiny",
                         .model_path = "/models/tiny.gguf",
                         .arch = "llama",
                         .model_digest = 0x1234567890abcdef,
                         .tokenizer_digest = 77,
                         .n_layers = LAYERS,
                         .n_heads = 4,
                         .n_kv_heads = HEADS,
                         .head_dim = DIM,
                         .sinks = 4,
                         .block = BLOCK,
                         .window = 16,
                         .chunk = 8,
                         .positions = "window",
                         .method = "ltri",
                         .template_name = "raw",
                         .params = "span=3\n",
                         .n_channels = CHANNELS};
    const uint32_t bits = codec == 0 ? 16 : codec >= 3 ? 600 : 8;
    m.recipe = (struct kvz_recipe){codec & 0xff, codec == MAKE_NARROW ? 149 : bits, bits, 6};
    return m;
}

float make_noise(uint64_t seed)
{
    seed = (seed + 0x9e3779b97f4a7c15) * 0xbf58476d1ce4e5b9;
    seed = (seed ^ seed >> 27) * 0x94d049bb133111eb;
    return (float)((double)((seed ^ seed >> 31) >> 11) / (double)(UINT64_C(1) << 52) - 1);
}

float make_kv(uint64_t block, uint32_t layer, int is_v, uint32_t head, uint32_t token, uint32_t d)
{
    uint64_t s = ((((block * 64 + layer) * 2 + (uint64_t)is_v) * 64 + head) * 64 + token) * 64 + d;
    return make_noise(4 * s) + make_noise(4 * s + 1) + make_noise(4 * s + 2) + (float)(d % 3);
}

uint32_t make_n_tokens(uint64_t block)
{
    return block % 3 == 2 ? 1 + (uint32_t)(block % BLOCK) : BLOCK;
}

uint32_t make_token_bytes(uint64_t block, uint32_t token)
{
    return (uint32_t)((block + token * 3) % 5);
}

char make_text(uint64_t block, uint32_t i)
{
    return "the rent is paid \n\xc3\xa9\xff"[(block * 7 + i) % 20];
}

float make_mass(uint64_t block, uint32_t layer, uint32_t token)
{
    return 4 * fabsf(make_noise(block * 1000 + layer * 100 + token));
}

uint32_t make_n_vectors(uint64_t block, uint32_t channel)
{
    return channel == 0 ? make_n_tokens(block) : (uint32_t)(block % 3);
}

float make_vector(uint64_t block, uint32_t channel, uint32_t i, uint32_t d)
{
    return 3 * make_noise(((block * 8 + channel) * 16 + i) * 16 + d + 12345);
}

uint32_t make_flags(uint64_t block)
{
    return block == 0 ? KVZ_SINK : 0;
}

int make_sample_for(struct kvz_writer *w, const struct kvz_fit *fit, struct err *e)
{
    enum { N = 40, STRIDE = N + 3 };
    static float kv[LAYERS][2][HEADS][STRIDE][DIM];
    const float *k[LAYERS], *v[LAYERS];
    for (uint32_t l = 0; l < LAYERS; l++) {
        for (uint32_t h = 0; h < HEADS; h++)
            for (uint32_t t = 0; t < STRIDE; t++)
                for (uint32_t d = 0; d < DIM; d++)
                    for (int i = 0; i < 2; i++)
                        kv[l][i][h][t][d] = t < N ? make_kv(t / BLOCK, l, i, h, t % BLOCK, d) : NAN;
        k[l] = &kv[l][0][0][0][0];
        v[l] = &kv[l][1][0][0][0];
    }
    return kvz_sample(w, k, v, N, STRIDE, 0, fit, e);
}

int make_sample(struct kvz_writer *w, struct err *e)
{
    return make_sample_for(w, NULL, e);
}

int make_block(struct kvz_writer *w, uint64_t *bytes, struct err *e)
{
    int rc = kvz_wants_sample(w) ? make_sample(w, e) : 0;
    if (rc)
        return rc;
    uint64_t b = kvz_writer_n_blocks(w);
    enum { STRIDE = BLOCK + 2 };
    static float kv[LAYERS][2][HEADS][STRIDE][DIM], mass[LAYERS][BLOCK], vec[CHANNELS][255][DIM];
    static uint8_t from[255];
    const float *k[LAYERS], *v[LAYERS], *m[LAYERS];
    uint32_t ids[BLOCK], token_bytes[BLOCK], n = make_n_tokens(b), sum = 0;
    char text[BLOCK * 5];
    for (uint32_t l = 0; l < LAYERS; l++) {
        for (uint32_t h = 0; h < HEADS; h++)
            for (uint32_t t = 0; t < STRIDE; t++)
                for (uint32_t d = 0; d < DIM; d++)
                    for (int i = 0; i < 2; i++)
                        kv[l][i][h][t][d] = t < n ? make_kv(b, l, i, h, t, d) : NAN;
        for (uint32_t t = 0; t < n; t++)
            mass[l][t] = make_mass(b, l, t);
        k[l] = &kv[l][0][0][0][0];
        v[l] = &kv[l][1][0][0][0];
        m[l] = mass[l];
    }
    for (uint32_t t = 0; t < n; t++) {
        ids[t] = (uint32_t)(b * 1000000 + t * 300);
        token_bytes[t] = make_token_bytes(b, t);
        sum += token_bytes[t];
    }
    for (uint32_t i = 0; i < sum; i++)
        text[i] = make_text(b, i);
    const float *vectors[CHANNELS];
    const uint8_t *tokens[CHANNELS] = {NULL, from};
    uint32_t n_vectors[CHANNELS];
    for (uint32_t c = 0; c < CHANNELS; c++) {
        n_vectors[c] = make_n_vectors(b, c);
        float *p = &vec[c][0][0];
        vectors[c] = p;
        for (uint32_t i = 0; i < n_vectors[c]; i++)
            for (uint32_t d = 0; d < make_channels[c].dim; d++)
                *p++ = make_vector(b, c, i, d);
    }
    struct kvz_block_in in = {.n_tokens = n,
                              .flags = make_flags(b),
                              .tokens = ids,
                              .token_bytes = token_bytes,
                              .text = text,
                              .k = k,
                              .v = v,
                              .kv_stride = STRIDE,
                              .mass = m,
                              .vectors = vectors,
                              .n_vectors = n_vectors,
                              .vector_token = tokens};
    rc = kvz_add_block(w, &in, e);
    if (!rc)
        *bytes += sum;
    return rc;
}

void make_document(struct kvz_writer *w, const char *name, int n_blocks)
{
    uint64_t bytes = 0;
    OK(kvz_begin_document(w, name, "text", e));
    for (int i = 0; i < n_blocks; i++)
        OK(make_block(w, &bytes, e));
    OK(kvz_end_document(w, bytes + 2, 99 + bytes, e));
}

uint32_t make_held(uint32_t lane, uint32_t i)
{
    return i * 2 + (lane + i) % 2;
}

float make_held_score(uint32_t lane, uint32_t i)
{
    return fabsf(make_noise(lane * 100 + i));
}

float make_held_kv(uint32_t layer, int is_v, uint32_t head, uint32_t i, uint32_t d)
{
    return make_kv(1000 + i, layer, is_v, head, i, d);
}

void make_summary(struct kvz_writer *w, int own)
{
    uint32_t token[LAYERS * HEADS * HELD];
    float score[LAYERS * HEADS * HELD], kv[2][HEADS][HELD][DIM];
    for (uint32_t lane = 0; lane < LAYERS * HEADS; lane++)
        for (uint32_t i = 0; i < HELD; i++) {
            token[lane * HELD + i] = make_held(lane, i);
            score[lane * HELD + i] = make_held_score(lane, i);
        }
    struct kvz_summary s = {.n_caches = 3, .slots = SLOTS, .n = HELD, .seen = 20, .own_kv = own};
    OK(kvz_put_summary(w, &s, token, score, e));
    for (uint32_t l = 0; own && l < LAYERS; l++) {
        for (int is_v = 0; is_v < 2; is_v++)
            for (uint32_t h = 0; h < HEADS; h++)
                for (uint32_t i = 0; i < HELD; i++)
                    for (uint32_t d = 0; d < DIM; d++)
                        kv[is_v][h][i][d] = make_held_kv(l, is_v, h, i, d);
        OK(kvz_put_summary_kv(w, &kv[0][0][0][0], &kv[1][0][0][0], e));
    }
}

struct kvz_sentences make_sentences(void)
{
    static const struct kvz_sentence v[SENTENCES] = {
        {0, 9, 0}, {9, 1, 0}, {9, 8, 0}, {0, 4, 2}, {6, 3, 2}};
    static float scale[SENTENCES];
    static int8_t vector[SENTENCES * SENTENCE_DIM];
    for (int i = 0; i < SENTENCES; i++)
        scale[i] = i == 2 ? 0 : 0.01f * (float)(i + 1);
    for (int i = 0; i < SENTENCES * SENTENCE_DIM; i++)
        vector[i] = (int8_t)(i * 37 - 128);
    return (struct kvz_sentences){.n = SENTENCES,
                                  .dim = SENTENCE_DIM,
                                  .digest = 0xfedcba9876543210,
                                  .name = "tiny-embedder",
                                  .v = v,
                                  .scale = scale,
                                  .vector = vector};
}

struct kvz_words make_words(void)
{
    static const uint64_t first[SENTENCES + 1] = {0, 2, 2, 5, 6, N_WORDS};
    static int16_t basis[WORD_DIM * SENTENCE_DIM];
    static int8_t vector[N_WORDS * WORD_DIM];
    for (int i = 0; i < WORD_DIM * SENTENCE_DIM; i++)
        basis[i] = (int16_t)(i * 3001 - 32768);
    for (int i = 0; i < N_WORDS * WORD_DIM; i++)
        vector[i] = (int8_t)(127 - i * 11);
    return (struct kvz_words){.n = N_WORDS,
                              .n_sentences = SENTENCES,
                              .dim = WORD_DIM,
                              .wide = SENTENCE_DIM,
                              .basis = basis,
                              .first = first,
                              .vector = vector};
}

uint64_t make_index_and(const char *path, uint32_t codec, int first, int second,
                        enum make_summary summary)
{
    struct kvz_writer *w;
    struct kvz_meta m = make_meta(codec);
    const struct kvz_sentences sentences = make_sentences();
    const struct kvz_words words = make_words();
    uint64_t bytes = 0;
    OK(kvz_create(&w, path, &m, make_channels, e));
    make_document(w, "book.txt", first);
    make_document(w, "empty", 0);
    make_document(w, "letters/b.txt", second);
    if (summary)
        make_summary(w, summary == OWN_SUMMARY);
    if (summary) {
        OK(kvz_put_sentences(w, &sentences, e));
        OK(kvz_put_words(w, &words, e));
    }
    OK(kvz_finish(w, &bytes, e));
    kvz_writer_close(w);
    return bytes;
}

uint64_t make_index(const char *path, uint32_t codec, int first, int second)
{
    return make_index_and(path, codec, first, second, NO_SUMMARY);
}

int make_resumed(const char *path, const struct kvz_meta *m, struct err *e)
{
    struct kvz_writer *w;
    void *state;
    size_t bytes;
    int rc = kvz_resume(&w, path, m, make_channels, &state, &bytes, e);
    if (!rc) {
        free(state);
        kvz_writer_close(w);
    }
    return rc;
}

struct kvz_writer *make_begun(const char *path)
{
    struct kvz_writer *w;
    struct kvz_meta m = make_meta(1);
    OK(kvz_create(&w, path, &m, make_channels, e));
    make_document(w, "book.txt", 3);
    make_document(w, "empty", 0);
    make_document(w, "letters/b.txt", 2);
    return w;
}

void make_finished(struct kvz_writer *w)
{
    OK(kvz_finish(w, NULL, e));
    kvz_writer_close(w);
}

const char *make_path(char buf[128], const char *name)
{
    return strcpy(buf, in_dir(name));
}

char *make_slurp(const char *path, size_t *bytes)
{
    char *p = NULL;
    OK(file_slurp(path, 1 << 30, &p, bytes, e));
    return p;
}

void make_same_files(const char *a, const char *b)
{
    size_t n, m;
    char *p = make_slurp(a, &n), *q = make_slurp(b, &m);
    assert_int_equal(n, m);
    assert_memory_equal(p, q, n);
    free(p);
    free(q);
}

void make_checkpoint(struct kvz_writer *w, const void *state, size_t bytes)
{
    struct kvz_checkpoint *c;
    struct err e;
    if (kvz_checkpoint_begin(&c, w, &e) || kvz_checkpoint_put(c, state, bytes / 2, &e) ||
        kvz_checkpoint_put(c, (const char *)state + bytes / 2, bytes - bytes / 2, &e) ||
        kvz_checkpoint_end(c, &e))
        fail_msg("%s", e.msg);
}

void make_damaged_end(const char *path)
{
    struct kvz *k;
    size_t n;
    char *p = make_slurp(path, &n);
    OK(kvz_open(&k, path, e));
    const struct kvz_section at = kvz_section_at(k, kvz_n_sections(k) - 1);
    kvz_close(k);
    p[at.off + at.bytes - 1] ^= 4;
    OK(file_replace(NULL, path, p, n, e));
    free(p);
}

void make_hear(void *arg, const char *what)
{
    strncat(arg, what, 500);
}

void make_verified(const char *path, const char *says)
{
    char said[1024] = "";
    assert_int_equal(kvz_verify(path, make_hear, said, NULL), 1);
    assert_string_equal(said, says);
}
