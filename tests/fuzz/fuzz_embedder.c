// Sentence embedders: opened, and asked for the vectors of some texts.
#include <stdlib.h>
#include <string.h>

#include "engine/embed/embedder.h"
#include "kernels/kernels.h"
#include "tests/fuzz/gguf.h"

static int seed(int i, struct bytes *out)
{
    static const char *const files[] = {"tests/golden/embed/mean.gguf",
                                        "tests/golden/embed/cls.gguf"};
    struct bytes parts[2] = {{0}};
    if (i >= (int)(sizeof files / sizeof *files))
        return 0;
    fuzz_slurp(files[i], &parts[0]);
    fuzz_pack(out, parts, 2);
    free(parts[0].p);
    return 1;
}

static int read_embedder(const uint8_t *data, size_t n)
{
    static const char *const texts[] = {"", "The tenant pays the rent.", "\xff\xe2 \xcc\x81 shops"};
    enum { N = sizeof texts / sizeof *texts };
    static struct device *d;
    const uint8_t *part[2];
    size_t part_n[2], length[N];
    struct embedder *x;
    struct err e;
    fuzz_unpack(data, n, part, part_n, 2);
    if (!d && device_open(&d, &(struct device_options){.name = "cpu", .threads = 1}, NULL, 0, &e))
        abort();
    if (embedder_open(&x, fuzz_file("embedder.gguf", part[0], part_n[0]), d, &e))
        return 0;
    for (int i = 0; i < N; i++)
        length[i] = strlen(texts[i]);
    float *out = malloc(N * (size_t)embedder_info(x)->n_embd * sizeof *out);
    if (!out)
        abort();
    const int rc = embedder_texts(x, texts, length, N, out, NULL, NULL, &e);
    free(out);
    embedder_close(x);
    return !rc;
}

const struct fuzz_target fuzz_embedder = {
    .name = "embedder", .runs = 1500, .seed = seed, .mutate = gguf_change, .read = read_embedder};
