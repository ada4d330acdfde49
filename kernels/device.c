// Finds the backend that a name means, and does what is the same for all of them.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/mem.h"
#include "kernels/cpu/cpu.h"
#include "kernels/cuda/cuda.h"
#include "kernels/kernels.h"

enum { SOME = 32 }; // rows of x at once where whole rows of logits are downloaded

// The N of "cuda:N"; 0 for "cuda"; -1 for anything else.
static int cuda_index(const char *name)
{
    if (!strcmp(name, "cuda"))
        return 0;
    if (strncmp(name, "cuda:", 5) || name[5] < '0' || name[5] > '9')
        return -1;
    char *end;
    long n = strtol(name + 5, &end, 10);
    return *end || n > 1023 ? -1 : (int)n;
}

// Whether a person could expect a GPU here: some driver has left its mark (Linux, Tegra, WSL).
static int gpu_expected(void)
{
    return !access("/dev/nvidiactl", F_OK) || !access("/dev/nvhost-gpu", F_OK) ||
           !access("/dev/dxg", F_OK);
}

static int open_named(struct device *d, const struct device_options *o, char *note, size_t note_cap,
                      struct err *e)
{
    const char *name = o->name ? o->name : "auto";
    if (!strcmp(name, "cpu"))
        return cpu_open(d, o, e);
    if (!strcmp(name, "auto")) {
        struct err why;
        if (!cuda_open(d, 0, o, &why))
            return 0;
        // A program that was built without CUDA, or runs where there is no GPU, uses the processor
        // as expected: there is nothing to tell.
        if (note_cap && why.code != ERR_UNSUPPORTED && gpu_expected())
            snprintf(note, note_cap, "%s", why.msg);
        return cpu_open(d, o, e);
    }
    int index = cuda_index(name);
    if (index < 0)
        return err_set(e, ERR_USAGE, "device '%s' is not known; use auto, cpu, cuda or cuda:N",
                       name);
    return cuda_open(d, index, o, e);
}

int device_open(struct device **out, const struct device_options *o, char *note, size_t note_cap,
                struct err *e)
{
    if (note && note_cap)
        note[0] = 0;
    struct device *d = mem_new(1, sizeof *d, e);
    if (!d)
        return ERR_NOMEM;
    d->threads = o->threads > 0 ? o->threads : pool_default_threads();
    int rc = open_named(d, o, note, note ? note_cap : 0, e);
    if (rc) {
        free(d);
        return rc;
    }
    *out = d;
    return 0;
}

void device_close(struct device *d)
{
    if (!d)
        return;
    d->ops->close(d);
    free(d);
}

void device_put_heads(struct device *d, const struct heads_to *to, const float *rows, int n,
                      int width)
{
    int first = to->split < n ? to->split : n, dim = to->head_dim, heads = width / dim;
    if (first)
        d->ops->cache_put(d, to->cache[0], rows, first, heads, dim, to->stride[0], 0);
    if (first < n)
        d->ops->cache_put(d, to->cache[1], rows + (size_t)first * (size_t)width, n - first, heads,
                          dim, to->stride[1], 0);
}

static void project_apart(struct device *d, const struct project *p)
{
    const float *x = p->norm ? p->h : p->x;
    if (p->norm)
        d->ops->rmsnorm(d, p->h, p->x, p->norm, NULL, p->n, p->to[0].w->cols, p->eps);
    for (int i = 0; i < p->n_to; i++) {
        const struct projection *to = &p->to[i];
        d->ops->matmul(d, to->out, to->w, x, to->bias, to->add, p->n);
    }
}

void device_project(struct device *d, const struct project *p)
{
    int done = d->ops->project ? d->ops->project(d, p) : 0;
    if (!done)
        project_apart(d, p);
    for (int i = 0; i < p->n_to && done < 2; i++)
        if (p->to[i].heads)
            device_put_heads(d, p->to[i].heads, p->to[i].out, p->n, p->to[i].w->rows);
}

void device_ffn(struct device *d, const struct ffn *f)
{
    if (d->ops->ffn && d->ops->ffn(d, f))
        return;
    d->ops->rmsnorm(d, f->h, f->x, f->norm, NULL, f->n, f->gate->cols, f->eps);
    d->ops->matmul(d, f->g, f->gate, f->h, NULL, NULL, f->n);
    d->ops->matmul(d, f->u, f->up, f->h, NULL, NULL, f->n);
    d->ops->gate(d, f->g, f->u, (size_t)f->n * (size_t)f->gate->rows, f->act);
    d->ops->matmul(d, f->out, f->down, f->g, NULL, f->add, f->n);
}

void device_attend_all(struct device *d, const struct attend *a, int n)
{
    if (d->ops->attend_all)
        d->ops->attend_all(d, a, n);
    else
        for (int i = 0; i < n; i++)
            d->ops->attend(d, &a[i]);
}

static double log_prob(const float *logits, size_t n, uint32_t id)
{
    double max = -INFINITY, sum = 0;
    for (size_t t = 0; t < n; t++)
        max = (double)logits[t] > max ? (double)logits[t] : max;
    for (size_t t = 0; t < n; t++)
        sum += exp((double)logits[t] - max);
    return (double)logits[id] - max - log(sum);
}

int device_log_probs(struct device *d, double *out, const struct mat *w, const float *x,
                     const uint32_t *ids, int n, struct err *e)
{
    if (d->ops->log_probs)
        return d->ops->log_probs(d, out, w, x, ids, n, e);
    size_t rows = (size_t)w->rows, bytes = SOME * rows * sizeof(float);
    float *logits = d->ops->alloc(d, bytes, e), *host = mem_new_aligned(bytes, 1, e);
    int rc = logits && host ? 0 : ERR_NOMEM;
    for (int at = 0, some; !rc && at < n; at += some) {
        some = n - at < SOME ? n - at : SOME;
        d->ops->matmul(d, logits, w, x + (size_t)at * (size_t)w->cols, NULL, NULL, some);
        rc = d->ops->download(d, host, logits, (size_t)some * rows * sizeof *host, e);
        for (int i = 0; !rc && i < some; i++)
            out[at + i] = log_prob(host + (size_t)i * rows, rows, ids[at + i]);
    }
    d->ops->free(d, logits);
    free(host);
    return rc;
}
