// Indexes that fit the model, asked: what 'lctool query' does with a file whose checksums are right
// and whose fields lie.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/engine.h"
#include "engine/model/model.h"
#include "io/hash.h"
#include "tests/fuzz/kvz.h"

#include "tests/unit/tiny_model.h"

static const char *const texts[] = {
    "The key to the cellar hangs behind the door of the old mill. Who pays the rent? The tenant "
    "pays it on the first day. Geese are not allowed in the mill after the first frost.\n",
    "Rent\n\n# The mill\n\n## May\n\nIt is paid by the tenant.\n\n## June\n\nIt is paid by Ida "
    "Nagel, who "
    "built the bridge.\n\n- the key\n- the door\n\nThe bridge was built in June.\n",
    "name,town,rent\nIda,Aune,120\nOle,Mo,80\nUna,Vik,95\nPer,Aune,70\nEva,Mo,60\nKai,Vik,55\n",
    "MILL(1)\n\n       -q, --quiet or -s\n              Says  nothing  of  the  rent,\twhich is\n"
    "              120 by de\u2010\n              fault.\n       grind [-q]\n              -q     "
    "Grinds\n                     at night.\n",
};
static const char *const questions[] = {
    "Who pays the rent?",
    "What is the rent of Una, and in which town is Per?",
    "How often is the mill mentioned?",
    "In June, in which year was the bridge built by the one who pays the rent?",
    "List all the names.",
    "What does grind -q do?",
    "What is the default of --quiet?",
};

static struct model *model(void)
{
    // Heads that vote, and that say which sentence of a block is meant.
    static const struct head v[] = {{0, 1, 0.75f}, {1, 0, 0.5f}};
    static const struct heads heads = {
        .n_layers = 2, .n_heads = 2, .n_kv_heads = 1, .distance = 16, .n = 2, .v = v};
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
    m->heads = &heads;
    return m;
}

static const struct {
    const char *represent, *positions;
    int k_bits, v_bits, codec, text;
} kinds[] = {{"keys", "window", 8, 8, 1, 0},   {"spans", "original", 16, 16, 0, 0},
             {"max", "window", 3, 2, 2, 0},    {"keys", "window", 8, 8, 1, 1},
             {"keys", "window", 16, 16, 0, 2}, {"keys", "window", 300, 200, 4, 2},
             {"keys", "window", 8, 8, 1, 3}};

// A directory has another name in every run: it is taken out of the index, so that the same run
// reads the same bytes.
static void forget_directory(struct bytes *b, const char *path)
{
    const size_t n = (size_t)(strrchr(path, '/') - path);
    for (uint8_t *p = b->p; (p = memmem(p, b->n - (size_t)(p - b->p), path, n)); p += n)
        memset(p, '-', n);
    fuzz_kvz_seal(b->p, b->n);
}

static int seed(int i, struct bytes *out)
{
    struct err e;
    struct encode_result r;
    if (i >= (int)(sizeof kinds / sizeof *kinds))
        return 0;
    const char *text = texts[kinds[i].text];
    const char *const in[] = {fuzz_file("ask.txt", text, strlen(text))};
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
    forget_directory(out, path);
    return 1;
}

static int read_index(const uint8_t *data, size_t n)
{
    static const char *const selects[] = {"vote", "similarity", "exact", "bm25", "hybrid", NULL};
    // What is asked of the same bytes is the same in every run.
    const uint64_t turn = hash64(data, n);
    struct kvz *k;
    struct answer a = {0};
    struct err e;
    struct model *m = model();
    if (kvz_open(&k, fuzz_file("asked.kvz", data, n), &e))
        return 0;
    const struct ask_options o = {.question =
                                      questions[turn / 8 % (sizeof questions / sizeof *questions)],
                                  .max_tokens = 2,
                                  .budget = 24,
                                  .window = turn / 512 % 3 ? 16 : -1,
                                  .select = selects[turn / 64 % 6],
                                  .read = (enum read_mode)(1 + turn % 4),
                                  .allot = turn / 2048 % 5 ? NULL : "all",
                                  .scope = turn / 16384 % 7 ? NULL : "layer"};
    int good = 0;
    if (!ask_check(m, k, &e)) {
        const int rc = ask(m, &k, 1, &o, &a, &e);
        // Not every index has what --select similarity asks for.
        good = !rc || rc == ERR_USAGE ||
               (rc == ERR_MISMATCH && o.select && !strcmp(o.select, "similarity"));
        if (!rc)
            answer_done(&a);
        struct summary s = {0};
        if (turn / 131072 % 8 == 0 &&
            !summarize(m, k, &(struct summarize_options){.words = 2, .budget = 16}, &s, &e))
            summary_done(&s);
    }
    kvz_close(k);
    return good;
}

const struct fuzz_target fuzz_ask = {
    .name = "ask", .runs = 3000, .seed = seed, .mutate = fuzz_kvz_mutate, .read = read_index};
