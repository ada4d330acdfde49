// Indexes that fit the model, asked: what 'lctool query' does with a file whose checksums are right
// and whose fields lie.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/engine.h"
#include "tests/fuzz/kvz.h"

#include "tests/unit/tiny_model.h"

static const char text[] =
    "The key to the cellar hangs behind the door of the old mill. Who pays the rent? The tenant "
    "pays it on the first day. Geese are not allowed in the mill after the first frost.\n";

static struct model *model(void)
{
    static struct device *d;
    static struct model *m;
    struct err e;
    const struct tiny_options o = {
        .n_layers = 2, .n_embd = 32, .n_ff = 32, .n_heads = 2, .n_kv_heads = 1, .head_dim = 8};
    if (m)
        return m;
    const char *path = fuzz_path("ask.gguf");
    if (tiny_model_write(path, &o, &e) ||
        device_open(&d, &(struct device_options){.name = "cpu", .threads = 1}, NULL, 0, &e) ||
        model_open(&m, path, d, &e))
        abort();
    return m;
}

static const struct {
    const char *represent, *positions;
    int k_bits, v_bits, codec;
} kinds[] = {
    {"keys", "window", 8, 8, 1}, {"spans", "original", 16, 16, 0}, {"max", "window", 3, 2, 2}};

static int seed(int i, struct bytes *out)
{
    struct err e;
    struct encode_result r;
    if (i >= (int)(sizeof kinds / sizeof *kinds))
        return 0;
    const char *const in[] = {fuzz_file("ask.txt", text, sizeof text - 1)};
    const char *path = fuzz_path("ask.kvz");
    const struct encode_options o = {.inputs = in,
                                     .n_inputs = 1,
                                     .out = path,
                                     .force = 1,
                                     .window = 16,
                                     .sinks = 8,
                                     .block = 8,
                                     .chunk = 8,
                                     .represent = kinds[i].represent,
                                     .positions = kinds[i].positions,
                                     .recipe = {(uint32_t)kinds[i].codec, (uint32_t)kinds[i].k_bits,
                                                (uint32_t)kinds[i].v_bits, 1}};
    if (encode_documents(model(), &o, &r, &e)) {
        fprintf(stderr, "%s\n", e.msg);
        abort();
    }
    fuzz_slurp(path, out);
    return 1;
}

static int read_index(const uint8_t *data, size_t n)
{
    static const char *const selects[] = {"vote", "similarity", "exact", "bm25", "hybrid", NULL};
    static unsigned turn;
    struct kvz *k;
    struct answer a = {0};
    struct err e;
    struct model *m = model();
    if (kvz_open(&k, fuzz_file("asked.kvz", data, n), &e))
        return 0;
    turn++;
    const struct ask_options o = {.question = "Who pays the rent?",
                                  .max_tokens = 2,
                                  .budget = 24,
                                  .window = turn % 3 ? 16 : -1,
                                  .select = selects[n % 6],
                                  .read = (enum read_mode)(1 + turn % 3),
                                  .allot = turn % 5 ? NULL : "all",
                                  .scope = turn % 7 ? NULL : "layer"};
    int good = 0;
    if (!ask_check(m, k, &e)) {
        if ((good = !ask(m, &k, 1, &o, &a, &e)))
            answer_done(&a);
        struct summary s = {0};
        if (turn % 8 == 0 &&
            !summarize(m, k, &(struct summarize_options){.words = 2, .budget = 16}, &s, &e))
            summary_done(&s);
    }
    kvz_close(k);
    return good;
}

const struct fuzz_target fuzz_ask = {
    .name = "ask", .runs = 3000, .seed = seed, .mutate = fuzz_kvz_mutate, .read = read_index};
