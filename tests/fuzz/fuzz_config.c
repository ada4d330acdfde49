// Configuration files.
#include <stdlib.h>

#include "cmd/config.h"
#include "tests/fuzz/fuzz.h"

static const struct command *const all[] = {&command_encode, &command_query, &command_summarize,
                                            &command_inspect, NULL};

static int seed(int i, struct bytes *out)
{
    static const char text[] = "; defaults\n[lctool]\ndevice = cpu\nthreads = 2\n\n[query]\n"
                               "evidence = 2 ; few\ntemp=0.5\nread = both\njson = yes\n[encode]\n"
                               "window=64\nkv = small\n  sinks : 4\n[inspect]\n";
    if (i)
        return 0;
    fuzz_add(out, text, sizeof text - 1);
    return 1;
}

static const char *const words[] = {
    "[",
    "]",
    "[query]",
    "[lctool]",
    "[summarize]",
    "=",
    ":",
    "\n",
    "\r\n",
    "\n ",
    ";",
    "#",
    "\"",
    "top-p = 1e-400\n",
    "seed = 18446744073709551616\n",
    "evidence = 99999999999999999999\n",
    "model = ",
    "temp = nan\n",
    "temp = inf\n",
    "threads = -1\n",
    "\xef\xbb\xbf",
    NULL,
};

static size_t mutate(struct fuzz_random *r, uint8_t *data, size_t n, size_t cap)
{
    return fuzz_mutate_bytes(r, data, n, cap, words);
}

static int read_config(const uint8_t *data, size_t n)
{
    const char *path = fuzz_file("x.ini", data, n);
    int good = 1;
    for (const struct command *const *c = all; *c; c++) {
        struct opts *o;
        struct common common = {0};
        struct err e;
        void *own = calloc(1, (*c)->own_bytes);
        if (!own || opt_new(&o, &e) || opt_add(o, "Options", (*c)->options, own, &e) ||
            opt_add(o, "Options of every command", common_options, &common, &e))
            abort();
        good &= !config_read(path, all, *c, o, &e);
        opt_free(o);
        free(own);
    }
    return good;
}

const struct fuzz_target fuzz_config = {
    .name = "config", .runs = 3000, .seed = seed, .mutate = mutate, .read = read_config};
