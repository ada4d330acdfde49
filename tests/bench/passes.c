// How fast passes through a model are, without files: one line of CSV a figure.
//
//     passes MODEL.gguf [THREADS [SECONDS [DEVICE [ISA]]]]
//
// A chunk of 512 tokens on nothing, and single tokens after so many in sight. "wall" is what the
// clock says; "processor" what it would be if the processor's time alone counted: on a busy machine
// the two differ.
#define _GNU_SOURCE // clock_gettime
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "engine/engine.h"
#include "engine/stream/stream.h"

enum { CHUNK = 512, SINGLE = 8 };

static int threads = 1;
static double budget = 1;
static struct err e;

static double now(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void check(int rc)
{
    if (!rc)
        return;
    fprintf(stderr, "%s\n", e.msg);
    exit(1);
}

static void pass(struct stream *s, int n, float *logits)
{
    uint32_t tokens[CHUNK];
    for (int i = 0; i < n; i++)
        tokens[i] = (uint32_t)(1 + (s->n_seen + i) * 7919 % (model_info(s->m)->n_vocab - 1));
    check(forward(s, &(struct forward){.tokens = tokens, .n = n, .logits = logits, .n_logits = 1},
                  &e));
}

// DEPTH tokens in sight, then N at a time: the most tokens a second of as many tries as the budget
// allows.
static void speed(struct model *m, const char *what, int depth, int n)
{
    struct stream_options o = {.window = depth + CHUNK,
                               .chunk = CHUNK,
                               .room = depth + CHUNK + SINGLE}; // as a question has
    float *logits = calloc((size_t)model_info(m)->n_vocab, sizeof *logits);
    double wall = 0, processor = 0, end = now(CLOCK_MONOTONIC) + budget;
    int repeat = n == 1 ? SINGLE : 1;
    if (!logits)
        exit(1);
    for (int tries = 0; tries < 3 || now(CLOCK_MONOTONIC) < end; tries++) {
        struct stream *s;
        check(stream_new(&s, m, &o, &e));
        for (int at = 0; at < depth; at += CHUNK)
            pass(s, depth - at < CHUNK ? depth - at : CHUNK, logits);
        if (n == 1) // keeps what it reads
            pass(s, n, logits);
        double t = now(CLOCK_MONOTONIC), p = now(CLOCK_PROCESS_CPUTIME_ID);
        for (int i = 0; i < repeat; i++)
            pass(s, n, logits);
        t = n * repeat / (now(CLOCK_MONOTONIC) - t);
        p = n * repeat * threads / (now(CLOCK_PROCESS_CPUTIME_ID) - p);
        wall = t > wall ? t : wall;
        processor = p > processor ? p : processor;
        stream_free(s);
    }
    printf("%s,%d,%s depth %d wall,%.1f,tokens/s\n", m->device->label, threads, what, depth, wall);
    printf("%s,%d,%s depth %d processor,%.1f,tokens/s\n", m->device->label, threads, what, depth,
           processor);
    fflush(stdout);
    free(logits);
}

int main(int argc, char **argv)
{
    struct device *d;
    struct model *m;
    if (argc < 2)
        return 2;
    if (argc > 2)
        threads = atoi(argv[2]);
    if (argc > 3)
        budget = atof(argv[3]);
    const char *name = argc > 4 ? argv[4] : "cpu";
    const struct device_options o = {
        .name = name, .threads = threads, .isa = argc > 5 ? argv[5] : NULL};
    check(device_open(&d, &o, NULL, 0, &e));
    double began = now(CLOCK_MONOTONIC);
    check(model_open(&m, argv[1], d, &e));
    printf("isa,threads,what,figure,unit\n");
    char *comma; // a label is one field of CSV
    while ((comma = strchr(d->label, ',')))
        *comma = ';';
    printf("%s,%d,open model,%.1f,ms\n", d->label, threads, (now(CLOCK_MONOTONIC) - began) * 1e3);
    speed(m, "prefill 512", 0, CHUNK);
    speed(m, "prefill 512", 1024, CHUNK);
    speed(m, "decode", 128, 1);
    speed(m, "decode", 1024, 1);
    speed(m, "decode", 4096, 1);
    model_close(m);
    device_close(d);
    return 0;
}
