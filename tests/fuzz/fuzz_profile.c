// Profiles of models.
#include <stdio.h>
#include <stdlib.h>

#include "engine/model/profile.h"
#include "tests/fuzz/fuzz.h"

static int seed(int i, struct bytes *out)
{
    const struct heads *h = heads_at((size_t)i);
    const char *path = fuzz_path("seed.ini");
    struct err e;
    if (!h)
        return 0;
    if (profile_write(path, NULL, h, "as built in", NULL, &e))
        abort();
    fuzz_slurp(path, out);
    return 1;
}

static const char *const words[] = {
    "[profile]\n",
    "[heads]\n",
    "[layer 3]\n",
    "[layer 99999999999]\n",
    "]",
    "=",
    "\n",
    ";",
    "name = ",
    "arch = llama\n",
    "layers = 2147483648\n",
    "heads = 0\n",
    "kv_heads = -1\n",
    "distance = 1e9\n",
    "model = 0123456789abcdef\n",
    "read = both\n",
    "theta = nan\n",
    "lambda = 1e999\n",
    "1.2 = 0.5\n",
    "18.6 = 1\n",
    "4294967296.1 = 1\n",
    "1.1e3 = inf\n",
    NULL,
};

static size_t mutate(struct fuzz_random *r, uint8_t *data, size_t n, size_t cap)
{
    return fuzz_mutate_bytes(r, data, n, cap, words);
}

static int read_profile(const uint8_t *data, size_t n)
{
    struct heads *h;
    struct err e;
    uint64_t digest;
    if (profile_read(&h, fuzz_file("x.ini", data, n), &e))
        return 0;
    for (int l = 0; l < h->n_layers && l < 64; l++)
        heads_spans(h, l);
    heads_digest(h, &digest, &e);
    profile_free(h);
    return 1;
}

const struct fuzz_target fuzz_profile = {
    .name = "profile", .runs = 3000, .seed = seed, .mutate = mutate, .read = read_profile};
