// How fast the operations of kernels.h are, one line of CSV a figure, for each instruction set this
// processor has: products and the feed-forward network of the shapes of a 135M model, attention of
// a chunk and of one token, index vectors scored by a question.
//
//     ops [THREADS [SECONDS [ISA]]]
//
// With one thread time is what the thread was given of a processor, so that a busy machine does not
// matter.
#define _GNU_SOURCE // clock_gettime
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "kernels/kernels.h"

enum { DIM = 576, FF = 1536, HEADS = 9, KV_HEADS = 3, HEAD_DIM = 64, CHUNK = 512, LAYERS = 30 };

static int threads = 1;
static double budget = 0.3;

static double now(void)
{
    struct timespec t;
    clock_gettime(threads == 1 ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void *filled(size_t bytes)
{
    uint8_t *p = aligned_alloc(64, (bytes + 63) & ~(size_t)63);
    if (!p)
        exit(1);
    uint32_t seed = 1;
    for (size_t i = 0; i < bytes; i++)
        p[i] = (uint8_t)((seed = seed * 1664525u + 1013904223u) >> 24);
    return p;
}

static float *floats(struct device *d, size_t n)
{
    struct err e;
    float *p = d->ops->alloc(d, n * sizeof *p, &e);
    uint32_t seed = 1;
    if (!p)
        exit(1);
    for (size_t i = 0; i < n; i++)
        p[i] = (float)((seed = seed * 1664525u + 1013904223u) >> 8) / (1 << 23) - 1;
    return p;
}

// Seconds of one call: the least of as many as fit the budget, at least three.
static double seconds(void (*call)(void *), void *arg)
{
    double least = 1e9, end = now() + budget;
    for (int i = 0; i < 4 || now() < end; i++) {
        double t = now();
        call(arg);
        t = now() - t;
        if (i && t < least)
            least = t;
    }
    return least;
}

// ---- Products: the weights of several layers in turn, as a pass through a model reads them.

struct product {
    struct device *d;
    struct mat w[LAYERS];
    float *x, *out;
    int n;
};

static void multiply(void *arg)
{
    struct product *p = arg;
    for (int i = 0; i < LAYERS; i++)
        p->d->ops->matmul(p->d, p->out, &p->w[i], p->x, NULL, NULL, p->n);
}

struct weights {
    struct device *d;
    struct mat *w; // [LAYERS]
    uint8_t *data;
    size_t bytes; // of a layer
};

static void weights_new(struct weights *to, struct device *d, uint32_t type, int rows, int cols,
                        struct mat *w)
{
    const struct quant *q = quant_find(type);
    size_t bytes = (size_t)rows * (size_t)quant_bytes(type, (uint64_t)cols);
    struct err e;
    *to = (struct weights){d, w, filled(bytes * LAYERS), bytes};
    for (size_t i = 0; i < bytes * LAYERS; i += (size_t)q->bytes)
        memset(to->data + i, 0x14, q->type == QUANT_Q4_1 ? 4 : 2); // scales
    for (int i = 0; i < LAYERS; i++) {
        w[i] = (struct mat){
            .data = to->data + (size_t)i * bytes, .type = type, .rows = rows, .cols = cols};
        if (d->ops->mat_init(d, &w[i], &e))
            exit(1);
    }
}

static void weights_done(struct weights *p)
{
    for (int i = 0; i < LAYERS; i++)
        p->d->ops->mat_done(p->d, &p->w[i]);
    free(p->data);
}

static void product(struct device *d, const char *isa, uint32_t type, int rows, int cols, int n)
{
    const char *name = quant_find(type)->name;
    struct product p = {.d = d, .n = n};
    struct weights w;
    weights_new(&w, d, type, rows, cols, p.w);
    p.x = floats(d, (size_t)n * (size_t)cols);
    p.out = floats(d, (size_t)n * (size_t)rows);
    double t = seconds(multiply, &p) / LAYERS;
    double ops = 2.0 * rows * cols * n;
    printf("%s,%d,product %s %dx%d n %d,%.1f,GFLOP/s\n", isa, threads, name, rows, cols, n,
           ops / t / 1e9);
    if (n <= 4)
        printf("%s,%d,product %s %dx%d n %d,%.2f,GB/s\n", isa, threads, name, rows, cols, n,
               (double)w.bytes / t / 1e9);
    fflush(stdout);
    weights_done(&w);
    d->ops->free(d, p.x);
    d->ops->free(d, p.out);
}

// ---- The feed-forward network, from one layer to the next

struct network {
    struct device *d;
    struct mat gate[LAYERS], up[LAYERS], down[LAYERS];
    float *x, *norm, *h, *g, *u;
    int n;
};

static void feed(void *arg)
{
    struct network *p = arg;
    for (int i = 0; i < LAYERS; i++)
        device_ffn(p->d, &(struct ffn){.x = p->x,
                                       .norm = p->norm,
                                       .eps = 1e-5f,
                                       .n = p->n,
                                       .gate = &p->gate[i],
                                       .up = &p->up[i],
                                       .down = &p->down[i],
                                       .out = p->x,
                                       .add = p->x,
                                       .h = p->h,
                                       .g = p->g,
                                       .u = p->u,
                                       .act = ACT_SILU});
}

static void network(struct device *d, const char *isa, uint32_t type, int n)
{
    struct network p = {.d = d, .n = n};
    struct weights w[3];
    weights_new(&w[0], d, type, FF, DIM, p.gate);
    weights_new(&w[1], d, type, FF, DIM, p.up);
    weights_new(&w[2], d, type, DIM, FF, p.down);
    p.x = floats(d, (size_t)n * DIM);
    p.norm = floats(d, DIM);
    p.h = floats(d, (size_t)n * DIM);
    p.g = floats(d, (size_t)n * FF);
    p.u = floats(d, (size_t)n * FF);
    double t = seconds(feed, &p) / LAYERS;
    printf("%s,%d,feed-forward %s %dx%d n %d,%.1f,GFLOP/s\n", isa, threads, quant_find(type)->name,
           FF, DIM, n, 6.0 * DIM * FF * n / t / 1e9);
    fflush(stdout);
    for (int i = 0; i < 3; i++)
        weights_done(&w[i]);
    float *all[] = {p.x, p.norm, p.h, p.g, p.u};
    for (int i = 0; i < 5; i++)
        d->ops->free(d, all[i]);
}

// ---- Attention

struct attention {
    struct device *d;
    struct attend a;
};

static void attend(void *arg)
{
    struct attention *t = arg;
    t->d->ops->attend(t->d, &t->a);
}

static void attention(struct device *d, const char *isa, int n_q, int window, int mass)
{
    int keys = window + n_q, sinks = 128;
    size_t kv = (size_t)KV_HEADS * HEAD_DIM;
    float *rope = floats(d, (size_t)keys * HEAD_DIM);
    struct attend_piece pieces[2] = {
        {.n = sinks, .stride = sinks, .q_rope = rope},
        {.n = keys, .stride = keys, .causal = 1, .q_rope_step = 1, .k_rope = rope, .q_rope = rope},
    };
    for (int i = 0; i < 2; i++) {
        pieces[i].k = floats(d, (size_t)pieces[i].n * kv);
        pieces[i].v = floats(d, (size_t)pieces[i].n * kv);
    }
    pieces[1].mass = mass ? floats(d, (size_t)keys * HEADS) : NULL;
    size_t n = (size_t)n_q * HEADS * HEAD_DIM;
    struct attention t = {d,
                          {.q = floats(d, n),
                           .out = floats(d, n),
                           .n_q = n_q,
                           .n_heads = HEADS,
                           .n_kv_heads = KV_HEADS,
                           .head_dim = HEAD_DIM,
                           .rope_dim = HEAD_DIM,
                           .scale = 0.125f,
                           .pieces = pieces,
                           .n_pieces = 2,
                           .self_block = 64}};
    t.a.self_mass = mass ? floats(d, (size_t)n_q * 64) : NULL;
    double s = seconds(attend, &t),
           pairs = (double)n_q * HEADS * (sinks + window + (n_q + 1) / 2.0);
    printf("%s,%d,attend %d queries window %d%s,%.2f,ms\n", isa, threads, n_q, window,
           mass ? " masses" : "", s * 1e3);
    printf("%s,%d,attend %d queries window %d%s,%.1f,GFLOP/s\n", isa, threads, n_q, window,
           mass ? " masses" : "", pairs * 4 * HEAD_DIM / s / 1e9);
    fflush(stdout);
    for (int i = 0; i < 2; i++) {
        d->ops->free(d, (void *)(uintptr_t)pieces[i].k);
        d->ops->free(d, (void *)(uintptr_t)pieces[i].v);
    }
    d->ops->free(d, pieces[1].mass);
    d->ops->free(d, rope);
    d->ops->free(d, (void *)(uintptr_t)t.a.q);
    d->ops->free(d, t.a.out);
    d->ops->free(d, t.a.self_mass);
}

// ---- Scan

struct scanning {
    struct device *d;
    struct scan s;
};

static void scan(void *arg)
{
    struct scanning *t = arg;
    t->d->ops->scan(t->d, &t->s);
}

static void scans(struct device *d, const char *isa, int n_q)
{
    enum { BLOCKS = 16384, VECTORS = 64 }; // more than a cache holds; of a block
    uint64_t *start = filled((BLOCKS + 1) * sizeof *start);
    for (uint64_t i = 0; i <= BLOCKS; i++)
        start[i] = i * VECTORS;
    struct scanning t = {d,
                         {.q = floats(d, (size_t)n_q * HEAD_DIM),
                          .n_q = n_q,
                          .head_dim = HEAD_DIM,
                          .scale = 0.125f / 128, // of keys in -1 .. 1
                          .keys = filled((size_t)BLOCKS * VECTORS * HEAD_DIM),
                          .key_scale = floats(d, (size_t)BLOCKS * VECTORS),
                          .start = start,
                          .n_blocks = BLOCKS,
                          .lse = floats(d, (size_t)n_q * BLOCKS)}};
    double bytes = (double)BLOCKS * VECTORS * (HEAD_DIM + sizeof *t.s.key_scale);
    printf("%s,%d,scan %d queries,%.2f,GB/s\n", isa, threads, n_q, bytes / seconds(scan, &t) / 1e9);
    fflush(stdout);
    free((void *)(uintptr_t)t.s.keys);
    free(start);
    d->ops->free(d, (void *)(uintptr_t)t.s.q);
    d->ops->free(d, (void *)(uintptr_t)t.s.key_scale);
    d->ops->free(d, t.s.lse);
}

int main(int argc, char **argv)
{
    const char *only = argc > 3 ? argv[3] : NULL, *isa;
    if (argc > 1)
        threads = atoi(argv[1]);
    if (argc > 2)
        budget = atof(argv[2]);
    printf("isa,threads,what,figure,unit\n");
    for (size_t i = 0; (isa = device_cpu_isa(i)) && strcmp(isa, "ref"); i++) {
        struct device *d;
        struct err e;
        if (only && strcmp(isa, only))
            continue;
        struct device_options o = {.name = "cpu", .isa = isa, .threads = threads};
        if (device_open(&d, &o, NULL, 0, &e)) {
            fprintf(stderr, "%s\n", e.msg);
            return 1;
        }
        product(d, isa, QUANT_Q4_1, FF, DIM, CHUNK);
        product(d, isa, QUANT_Q4_1, DIM, FF, CHUNK);
        product(d, isa, QUANT_Q8_0, FF, DIM, CHUNK);
        network(d, isa, QUANT_Q4_1, CHUNK);
        product(d, isa, QUANT_Q4_1, FF, DIM, 30);
        product(d, isa, QUANT_Q4_1, FF, DIM, 1);
        product(d, isa, QUANT_Q4_1, DIM, FF, 1);
        product(d, isa, QUANT_Q8_0, FF, DIM, 1);
        attention(d, isa, CHUNK, 1024, 1);
        attention(d, isa, 30, 1024, 0);
        attention(d, isa, 1, 1024, 0);
        scans(d, isa, 12);
        device_close(d);
    }
    return 0;
}
