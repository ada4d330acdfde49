// How fast a device is with what a model of the shape of Llama-3-8B asks of it: one line of CSV a
// figure.
//
//     gpu [DEVICE [SECONDS [SHRINK]]]
//
// GB/s count what has to be read at least: weights, keys and values, index keys; a copy counts what
// is read and written. SHRINK divides every size, to try the program on a slow device.
#define _GNU_SOURCE // clock_gettime
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "kernels/kernels.h"

enum { EMBD = 4096, FF = 14336, HEADS = 32, KV_HEADS = 8, DIM = 128, WINDOW = 4096, SINKS = 128 };

static struct device *d;
static struct err e;
static double budget = 1;
static int shrink = 1;

static void check(int rc)
{
    if (!rc)
        return;
    fprintf(stderr, "%s\n", e.msg);
    exit(1);
}

static void *host(size_t bytes)
{
    uint8_t *p = malloc(bytes);
    uint32_t seed = 1;
    if (!p)
        exit(1);
    for (size_t i = 0; i < bytes; i++)
        p[i] = (uint8_t)((seed = seed * 1664525u + 1013904223u) >> 24);
    return p;
}

// N numbers from -1 to 1 on the device.
static float *floats(size_t n)
{
    float *p = malloc(n * sizeof *p), *there = d->ops->alloc(d, n * sizeof *p, &e);
    uint32_t seed = 1;
    if (!p)
        exit(1);
    check(there ? 0 : e.code);
    for (size_t i = 0; i < n; i++)
        p[i] = (float)((seed = seed * 1664525u + 1013904223u) >> 8) / (1 << 23) - 1;
    check(d->ops->upload(d, there, p, n * sizeof *p, &e));
    free(p);
    return there;
}

// Seconds of one call: the least over batches that fit the budget; the first one does not count.
static double seconds(void (*call)(void *), void *arg)
{
    struct timespec from, to;
    double least = 1e9, spent = 0;
    for (int i = 0, batch = 1; i < 4 || spent < budget; i++) {
        clock_gettime(CLOCK_MONOTONIC, &from);
        for (int k = 0; k < batch; k++)
            call(arg);
        check(d->ops->sync(d, &e));
        clock_gettime(CLOCK_MONOTONIC, &to);
        double t = (double)(to.tv_sec - from.tv_sec) + 1e-9 * (double)(to.tv_nsec - from.tv_nsec);
        spent += t;
        if (i && t / batch < least)
            least = t / batch;
        if (t < 2e-3) // of short ones many, so that waiting does not count
            batch *= 4;
    }
    return least;
}

static void print(const char *what, double figure, const char *unit)
{
    printf("%s,%.4g,%s\n", what, figure, unit);
    fflush(stdout);
}

struct transfer {
    void *to, *from;
    size_t bytes;
};

static void copy(void *arg)
{
    struct transfer *t = arg;
    d->ops->copy(d, t->to, t->from, t->bytes);
}

static void upload(void *arg)
{
    struct transfer *t = arg;
    check(d->ops->upload(d, t->to, t->from, t->bytes, &e));
}

static void download(void *arg)
{
    struct transfer *t = arg;
    check(d->ops->download(d, t->from, t->to, t->bytes, &e));
}

static void transfers(void)
{
    size_t bytes = ((size_t)1 << 30) / (size_t)shrink;
    struct transfer t = {d->ops->alloc(d, bytes, &e), d->ops->alloc(d, bytes, &e), bytes};
    check(t.to && t.from ? 0 : e.code);
    print("memory copied", 2 * (double)bytes / seconds(copy, &t) / 1e9, "GB/s");
    d->ops->free(d, t.from);
    t.from = host(bytes);
    print("upload of plain memory", (double)bytes / seconds(upload, &t) / 1e9, "GB/s");
    print("download to plain memory", (double)bytes / seconds(download, &t) / 1e9, "GB/s");
    free(t.from);
    d->ops->free(d, t.to);
}

struct product {
    struct mat w;
    float *x, *out;
    int n;
};

static void multiply(void *arg)
{
    struct product *p = arg;
    d->ops->matmul(d, p->out, &p->w, p->x, NULL, NULL, p->n);
}

static void products(uint32_t type, int rows, int cols)
{
    static const int many[] = {1, 4, 512, 2048};
    rows /= shrink;
    size_t bytes = (size_t)quant_bytes(type, (uint64_t)rows * (uint64_t)cols);
    uint8_t *data = host(bytes);
    struct product p = {.w = {.data = data, .type = type, .rows = rows, .cols = cols},
                        .x = floats(2048 * (size_t)cols),
                        .out = d->ops->alloc(d, 2048 * (size_t)rows * sizeof(float), &e)};
    check(p.out ? 0 : e.code);
    for (size_t i = 0; type == QUANT_Q4_K && i < bytes; i += 144)
        memcpy(data + i, "\0\x08\0\x08", 4); // scales of 2^-13
    for (size_t i = 0; type == QUANT_Q8_0 && i < bytes; i += 34)
        memcpy(data + i, "\0\x08", 2);
    check(d->ops->mat_init(d, &p.w, &e));
    for (size_t i = 0; i < sizeof many / sizeof *many; i++) {
        char what[96];
        p.n = many[i] < 512 ? many[i] : many[i] / shrink;
        double t = seconds(multiply, &p);
        snprintf(what, sizeof what, "product %s %d x %d n %d", quant_find(type)->name, rows, cols,
                 p.n);
        if (many[i] < 512)
            print(what, (double)bytes / t / 1e9, "GB/s");
        else
            print(what, 2. * rows * cols * p.n / t / 1e9, "GFLOP/s");
    }
    d->ops->mat_done(d, &p.w);
    d->ops->free(d, p.x);
    d->ops->free(d, p.out);
    free(data);
}

static void attend(void *arg)
{
    d->ops->attend(d, arg);
}

// N_Q queries at the end of N keys, behind the sinks, of N_HEADS heads of DIM.
static void attention_of(int n_heads, int n_kv_heads, int dim, int n_q, int n, int with_mass)
{
    size_t kv = (size_t)(n_kv_heads * dim), wide = (size_t)(n_heads * dim);
    float *k = floats((size_t)n * kv), *v = floats((size_t)n * kv),
          *rope = floats((size_t)n * (size_t)dim);
    float *sk = floats(SINKS * kv), *sv = floats(SINKS * kv), *q = floats((size_t)n_q * wide);
    float *out = floats((size_t)n_q * wide),
          *mass = with_mass ? floats((size_t)(n * n_heads)) : NULL;
    struct attend_piece p[] = {
        {.k = sk, .v = sv, .n = SINKS, .stride = SINKS, .q_rope = rope},
        {.k = k,
         .v = v,
         .n = n,
         .stride = n,
         .k_rope = rope,
         .q_rope = rope + (size_t)(n - n_q) * (size_t)dim,
         .q_rope_step = 1,
         .causal = 1,
         .mass = mass},
    };
    struct attend a = {.q = q,
                       .out = out,
                       .n_q = n_q,
                       .n_heads = n_heads,
                       .n_kv_heads = n_kv_heads,
                       .head_dim = dim,
                       .rope_dim = dim,
                       .rope_style = ROPE_NORM,
                       .scale = 0.088f,
                       .pieces = p,
                       .n_pieces = 2};
    double t = seconds(attend, &a), keys = SINKS + n - (n_q - 1) / 2.;
    char what[96];
    int at = snprintf(what, sizeof what, "attend %d queries %d keys%s", n_q, SINKS + n,
                      with_mass ? " with masses" : "");
    if (dim != DIM)
        snprintf(what + at, sizeof what - (size_t)at, " of heads of %d", dim);
    if (n_q == 1)
        print(what, 2 * (double)(SINKS + n) * (double)kv * sizeof(float) / t / 1e9, "GB/s");
    else
        print(what, 4. * n_q * keys * (double)wide / t / 1e9, "GFLOP/s");
    float *all[] = {k, v, rope, sk, sv, q, out, mass};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        d->ops->free(d, all[i]);
}

static void attention(int n_q, int n, int with_mass)
{
    attention_of(HEADS, KV_HEADS, DIM, n_q, n, with_mass);
}

static void scan(void *arg)
{
    d->ops->scan(d, arg);
}

static void elect(void *arg)
{
    d->ops->elect(d, arg);
}

// The best blocks by the votes of some heads, with as many queries each, on a device that counts
// them.
static void election(const struct scan *scan)
{
    enum { VOTES = 8, TOP = 256 };
    struct scan votes[VOTES];
    float weight[VOTES];
    int64_t top[TOP];
    double score[TOP];
    char what[96];
    for (int i = 0; i < VOTES; i++) {
        votes[i] = *scan;
        votes[i].lse = NULL;
        weight[i] = 1;
    }
    struct election x = {.votes = votes,
                         .weight = weight,
                         .n_votes = VOTES,
                         .n_parts = 1,
                         .n_top = scan->n_blocks < TOP ? (int)scan->n_blocks : TOP,
                         .top = top,
                         .score = score};
    if (!d->ops->elect)
        return;
    snprintf(what, sizeof what, "best %d of %lld blocks by %d votes of %d queries", x.n_top,
             (long long)scan->n_blocks, VOTES, scan->n_q);
    const double t = seconds(elect, &x), keys = (double)scan->start[scan->n_blocks];
    print(what, 1e3 * t, "ms");
    snprintf(what, sizeof what, "index keys scored and counted by %d votes of %d queries", VOTES,
             scan->n_q);
    print(what, VOTES * keys * (DIM + sizeof *scan->key_scale) / t / 1e9, "GB/s");
}

static void scans(void)
{
    enum { BLOCK = 64 };
    int64_t blocks = (1 << 20) / BLOCK / shrink, n = blocks * BLOCK;
    int8_t *keys = host((size_t)n * DIM);
    float *scale = malloc((size_t)n * sizeof *scale), q[16 * DIM];
    float *lse = malloc(16 * (size_t)blocks * sizeof *lse);
    uint64_t *start = malloc(((size_t)blocks + 1) * sizeof *start);
    if (!scale || !start || !lse)
        exit(1);
    for (int64_t i = 0; i < n; i++)
        scale[i] = 0.01f;
    for (int64_t i = 0; i <= blocks; i++)
        start[i] = (uint64_t)(i * BLOCK);
    for (int i = 0; i < 16 * DIM; i++)
        q[i] = (float)(i % 17 - 8) / 8;
    for (int n_q = 1; n_q <= 16; n_q *= 4) {
        struct scan s = {.q = q,
                         .n_q = n_q,
                         .head_dim = DIM,
                         .scale = 0.088f,
                         .keys = keys,
                         .key_scale = scale,
                         .start = start,
                         .n_blocks = blocks,
                         .name = 1,
                         .lse = lse};
        char what[96];
        snprintf(what, sizeof what, "index keys scored %lld for %d queries", (long long)n, n_q);
        print(what, (double)n * (DIM + sizeof *scale) / seconds(scan, &s) / 1e9, "GB/s");
        election(&s);
    }
    free(keys);
    free(scale);
    free(start);
    free(lse);
}

static void divide(void *arg)
{
    d->ops->divide(d, arg);
}

// The attention maps of a chunk's blocks, on a device that divides them.
static void division(void)
{
    enum { BLOCKS = 8, BLOCK = 64 };
    if (!d->ops->divide)
        return;
    struct divide x = {floats(BLOCKS * BLOCK * BLOCK),
                       BLOCKS,
                       BLOCK,
                       {0.9, 0.1, 4},
                       d->ops->alloc(d, BLOCKS * sizeof(struct spans), &e)};
    check(x.out ? 0 : e.code);
    print("spans of 8 blocks of 64 tokens", 1e3 * seconds(divide, &x), "ms");
    d->ops->free(d, (void *)(uintptr_t)x.a);
    d->ops->free(d, x.out);
}

int main(int argc, char **argv)
{
    budget = argc > 2 ? atof(argv[2]) : 1;
    shrink = argc > 3 ? atoi(argv[3]) : 1;
    if (shrink < 1)
        return 2;
    check(device_open(&d, &(struct device_options){.name = argc > 1 ? argv[1] : "cuda"}, NULL, 0,
                      &e));
    printf("what,figure,unit\n");
    transfers();
    products(QUANT_Q4_K, EMBD, EMBD);
    products(QUANT_Q4_K, FF, EMBD);
    products(QUANT_Q4_K, EMBD, FF);
    products(QUANT_Q8_0, FF, EMBD);
    attention(1, WINDOW / shrink, 0);
    attention(1, 16 * WINDOW / shrink, 0);
    attention(512 / shrink, (WINDOW + 512) / shrink, 0);
    attention(512 / shrink, (WINDOW + 512) / shrink, 1);
    for (int dim = 80; dim <= 256; dim += 176) { // heads of other models: 32 of 80, 16 of 256
        attention_of(dim == 80 ? 32 : 16, 8, dim, 1, WINDOW / shrink, 0);
        attention_of(dim == 80 ? 32 : 16, 8, dim, 512 / shrink, (WINDOW + 512) / shrink, 0);
    }
    scans();
    division();
    device_close(d);
    return 0;
}
