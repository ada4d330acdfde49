// The processor as a device: memory, errors, and the choice of an instruction set.
#include "kernels/cpu/cpu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#if defined __x86_64__
#include <cpuid.h>
#elif defined __aarch64__
#include <sys/auxv.h>
#endif

#include "io/mem.h"
#include "kernels/cpu/pack.h"
#include "kernels/cpu/packed_file.h"
#include "kernels/tiles.h"

struct isa_row {
    const struct cpu_isa *isa;
    int (*usable)(void);
};

static int always(void)
{
    return 1;
}

// The compiler's own check covers the operating system's side (XGETBV) too.
#if defined __x86_64__
static int has_avx2(void)
{
    unsigned a, b, c, d; // clang's check does not know F16C
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
           __get_cpuid(1, &a, &b, &c, &d) && c & bit_F16C;
}

// Bit 4 of leaf 7.1's eax.
static int has_avxvnni(void)
{
    unsigned a = 0, b, c, d;
    return has_avx2() && __get_cpuid_count(7, 1, &a, &b, &c, &d) && (a >> 4 & 1);
}

static int has_avx512(void)
{
    return has_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
}

static int has_avx512vnni(void)
{
    return has_avx512() && __builtin_cpu_supports("avx512vnni");
}

// AVX512_BF16 is bit 5 of leaf 7.1's eax.
static int has_amx(void)
{
    unsigned bf16 = 0, b, c, d;
    return has_avx512vnni() && __builtin_cpu_supports("avx512vbmi") &&
           __get_cpuid_count(7, 1, &bf16, &b, &c, &d) && (bf16 >> 5 & 1) &&
           tiles_usable(TILES_BF16);
}
#elif defined __aarch64__
static int has_neondot(void)
{
    return (getauxval(AT_HWCAP) & HWCAP_ASIMDDP) != 0;
}

static int has_neoni8mm(void)
{
    return has_neondot() && (getauxval(AT_HWCAP2) & HWCAP2_I8MM) != 0;
}
#endif

static const struct isa_row isas[] = {
// best first
#if defined __x86_64__
    {&cpu_amx, has_amx},         {&cpu_avx512vnni, has_avx512vnni},
    {&cpu_avxvnni, has_avxvnni}, {&cpu_avx512, has_avx512},
    {&cpu_avx2, has_avx2},
#elif defined __aarch64__
    {&cpu_neoni8mm, has_neoni8mm},
    {&cpu_neondot, has_neondot},
    {&cpu_neon, always},
#endif
    {&cpu_ref, always},
};

static const struct cpu_isa *isa_at(size_t i)
{
    for (size_t row = 0; row < sizeof isas / sizeof *isas; row++)
        if (isas[row].usable() && i-- == 0)
            return isas[row].isa;
    return NULL;
}

const char *device_cpu_isa(size_t i)
{
    const struct cpu_isa *isa = isa_at(i);
    return isa ? isa->name : NULL;
}

static void alone_free(struct cpu *c)
{
    if (!c->alone)
        return;
    for (int i = 0; i < pool_threads(c->pool); i++)
        cpu_scratch_free(&c->alone[i]);
    pool_free(c->alone->pool);
    free(c->alone);
}

static void cpu_close(struct device *d)
{
    struct cpu *c = d->self;
    alone_free(c);
    pool_free(c->pool);
    cpu_scratch_free(c);
    regions_done(&c->regions);
    free(c->packing);
    packed_file_free(c->file);
    free(c);
}

static void *op_alloc(struct device *d, size_t bytes, struct err *e)
{
    struct cpu *c = d->self;
    if (bytes < CPU_LARGE_PAGE / 4 * 3)
        return mem_scratch(bytes, e);
    return regions_take(&c->regions, bytes, e);
}

static void op_free(struct device *d, void *p)
{
    struct cpu *c = d->self;
    if (!regions_give(&c->regions, p))
        free(p);
}

static int op_transfer(struct device *d, void *dst, const void *src, size_t bytes, struct err *e)
{
    (void)d;
    (void)e;
    memmove(dst, src, bytes);
    return 0;
}

static void copy_rows(float *dst, int dst_stride, const float *src, int src_stride,
                      const struct rows *r)
{
    size_t width = (size_t)r->width;
    for (size_t h = 0; h < (size_t)r->heads; h++)
        memcpy(dst + h * (size_t)dst_stride * width, src + h * (size_t)src_stride * width,
               (size_t)r->n * width * sizeof *dst);
}

static int op_put_rows(struct device *d, float *dst, const float *host, const struct rows *r,
                       struct err *e)
{
    (void)d;
    (void)e;
    copy_rows(dst, r->stride, host, r->host_stride, r);
    return 0;
}

static void op_clear_rows(struct device *d, float *dst, const struct rows *r)
{
    (void)d;
    for (size_t h = 0; h < (size_t)r->heads; h++)
        memset(dst + h * (size_t)r->stride * (size_t)r->width, 0,
               (size_t)r->n * (size_t)r->width * sizeof *dst);
}

static int op_get_rows(struct device *d, const struct row_copy *c, int n, struct err *e)
{
    (void)d;
    (void)e;
    for (; n--; c++)
        copy_rows(c->host, c->r.host_stride, c->src, c->r.stride, &c->r);
    return 0;
}

static void op_copy(struct device *d, void *dst, const void *src, size_t bytes)
{
    (void)d;
    memmove(dst, src, bytes);
}

static int op_sync(struct device *d, struct err *e)
{
    struct cpu *c = d->self;
    pack_all(c);
    int rc = c->err.code;
    if (rc && e)
        *e = c->err;
    c->err.code = 0;
    return rc;
}

static int op_mat_init(struct device *d, struct mat *m, struct err *e)
{
    struct cpu *c = d->self;
    int rc = mat_check(m, e);
    m->packed = NULL;
    if (rc)
        return rc;
    return c->isa->pack_panels && !c->exact && !m->only_rows ? pack_later(c, m, e) : 0;
}

static void op_mat_done(struct device *d, struct mat *m)
{
    pack_drop(d->self, m);
}

static void op_weights_ready(struct device *d, uint64_t key)
{
    if (!packed_file_take(d->self, key))
        pack_all(d->self);
}

static void op_weights_keep(struct device *d)
{
    packed_file_keep(d->self);
}

static void op_embed(struct device *d, float *out, const struct mat *table, const uint32_t *ids,
                     int n, float scale)
{
    struct cpu *c = d->self;
    c->isa->embed(c, out, table, ids, n, scale);
}

static void op_matmul(struct device *d, float *out, const struct mat *w, const float *x,
                      const float *bias, const float *add, int n)
{
    struct cpu *c = d->self;
    pack_all(c);
    c->isa->matmul(c, out, w, x, bias, add, n);
}

static int op_project(struct device *d, const struct project *p)
{
    struct cpu *c = d->self;
    pack_all(c);
    return !c->exact && c->isa->project ? c->isa->project(c, p) : 0;
}

static int op_ffn(struct device *d, const struct ffn *f)
{
    struct cpu *c = d->self;
    pack_all(c);
    return !c->exact && c->isa->ffn && c->isa->ffn(c, f);
}

static int op_log_probs(struct device *d, double *out, const struct mat *w, const float *x,
                        const uint32_t *ids, int n, struct err *e)
{
    pack_all(d->self);
    return cpu_log_probs(d->self, out, w, x, ids, n, e);
}

static void op_cost(struct device *d, float *out, const struct best *b, const float *x, int n)
{
    cpu_cost(d->self, out, b, x, n);
}

static void op_rmsnorm(struct device *d, float *out, const float *x, const float *w,
                       const float *add, int n, int dim, float eps)
{
    struct cpu *c = d->self;
    c->isa->rmsnorm(c, out, x, w, add, n, dim, eps);
}

static void op_gate(struct device *d, float *gate, const float *up, size_t n, enum act act)
{
    struct cpu *c = d->self;
    c->isa->gate(c, gate, up, n, act);
}

enum { PUT_ROWS = 64 }; // rows of a task

struct putting {
    float *cache;
    const float *rows;
    size_t n, n_heads, head_dim, stride, at;
};

static void put_task(void *ctx, int task, int thread)
{
    (void)thread;
    const struct putting *p = ctx;
    size_t first = (size_t)task * PUT_ROWS, end = first + PUT_ROWS < p->n ? first + PUT_ROWS : p->n;
    for (size_t h = 0; h < p->n_heads; h++)
        for (size_t i = first; i < end; i++)
            memcpy(p->cache + (h * p->stride + p->at + i) * p->head_dim,
                   p->rows + (i * p->n_heads + h) * p->head_dim, p->head_dim * sizeof *p->rows);
}

static void op_cache_put(struct device *d, float *cache, const float *rows, int n, int n_kv_heads,
                         int head_dim, int stride, int at)
{
    struct cpu *c = d->self;
    struct putting p = {cache,          rows,      (size_t)n, (size_t)n_kv_heads, (size_t)head_dim,
                        (size_t)stride, (size_t)at};
    pool_run(c->pool, (n + PUT_ROWS - 1) / PUT_ROWS, put_task, &p);
}

static void op_attend(struct device *d, const struct attend *a)
{
    struct cpu *c = d->self;
    c->isa->attend(c, a);
}

// Each thread as a processor of one thread; 0 when there is no memory for it.
static int alone_new(struct cpu *c)
{
    int n = pool_threads(c->pool);
    struct pool *one;
    struct cpu *all = c->alone ? NULL : mem_new((size_t)n, sizeof *all, NULL);
    if (!all)
        return c->alone != NULL;
    if (pool_new(&one, 1, NULL)) {
        free(all);
        return 0;
    }
    for (int i = 0; i < n; i++)
        all[i] = (struct cpu){.exact = c->exact, .isa = c->isa, .pool = one};
    c->alone = all;
    return 1;
}

struct attends {
    struct cpu *c;
    const struct attend *a;
};

static void attend_task(void *ctx, int task, int thread)
{
    struct attends *x = ctx;
    x->c->isa->attend(&x->c->alone[thread], &x->a[task]);
}

// Whether A adds to numbers that are others' too.
static int adds(const struct attend *a)
{
    int any = a->art != NULL;
    for (int i = 0; i < a->n_pieces; i++)
        any |= a->pieces[i].mass || a->pieces[i].kept.k;
    return any;
}

// Short ones, each by one thread: to have all threads do one after the other, they would wait for
// one another as often as there are steps.
static void op_attend_all(struct device *d, const struct attend *a, int n)
{
    struct cpu *c = d->self;
    int together = pool_threads(c->pool) > 1 && n >= pool_threads(c->pool) && alone_new(c);
    for (int i = 0; i < n; i++)
        together &= !adds(&a[i]);
    for (int i = 0; i < n && !together; i++)
        c->isa->attend(c, &a[i]);
    if (!together)
        return;
    pool_run(c->pool, n, attend_task, &(struct attends){c, a});
    for (int i = 0; i < pool_threads(c->pool); i++) {
        if (c->alone[i].err.code && !c->err.code)
            c->err = c->alone[i].err;
        c->alone[i].err.code = 0;
    }
}

struct each {
    struct device *d;
    void (*fn)(void *, struct device *, int, int);
    void *ctx;
};

static void each_task(void *ctx, int task, int thread)
{
    const struct each *x = ctx;
    const struct cpu *c = x->d->self;
    struct device one = *x->d;
    one.self = &c->alone[thread];
    one.threads = 1;
    x->fn(x->ctx, &one, task, thread);
}

static void op_each(struct device *d, int n_tasks, void (*fn)(void *, struct device *, int, int),
                    void *ctx)
{
    struct cpu *c = d->self;
    const int threads = pool_threads(c->pool);
    pack_all(c); // threads share what is packed
    if (threads > 1 && n_tasks >= threads && alone_new(c))
        pool_run(c->pool, n_tasks, each_task, &(struct each){d, fn, ctx});
    else
        for (int i = 0; i < n_tasks; i++)
            fn(ctx, d, i, 0);
}

static void op_scan(struct device *d, const struct scan *s)
{
    struct cpu *c = d->self;
    c->isa->scan(c, s);
}

static const struct device_ops cpu_ops = {
    .name = "cpu",
    .plain = 1,
    .keeps_rows = 1,
    .alike = CPU_FEW,
    .close = cpu_close,
    .alloc = op_alloc,
    .free = op_free,
    .upload = op_transfer,
    .download = op_transfer,
    .put_rows = op_put_rows,
    .get_rows = op_get_rows,
    .clear_rows = op_clear_rows,
    .copy = op_copy,
    .sync = op_sync,
    .mat_init = op_mat_init,
    .mat_done = op_mat_done,
    .weights_ready = op_weights_ready,
    .weights_keep = op_weights_keep,
    .embed = op_embed,
    .matmul = op_matmul,
    .project = op_project,
    .ffn = op_ffn,
    .log_probs = op_log_probs,
    .rmsnorm = op_rmsnorm,
    .gate = op_gate,
    .cache_put = op_cache_put,
    .attend = op_attend,
    .attend_all = op_attend_all,
    .each = op_each,
    .scan = op_scan,
    .cost = op_cost,
};

static const struct cpu_isa *find_isa(const char *name, struct err *e)
{
    if (!name)
        return isa_at(0);
    for (size_t i = 0; i < sizeof isas / sizeof *isas; i++) {
        if (strcmp(isas[i].isa->name, name))
            continue;
        if (isas[i].usable())
            return isas[i].isa;
        err_set(e, ERR_DEVICE, "this processor does not have %s", name);
        return NULL;
    }
    err_set(e, ERR_USAGE, "instruction set '%s' is not known", name);
    return NULL;
}

int cpu_open(struct device *d, const struct device_options *o, struct err *e)
{
    enum { MAX_THREADS = 1024 };
    struct err why = {0};
    const struct cpu_isa *isa = find_isa(o->isa, &why);
    if (!isa)
        return err_set(e, why.code, "%s", why.msg);
    if (o->threads < 0 || o->threads > MAX_THREADS)
        return err_set(e, ERR_USAGE, "%d threads: not between 1 and %d", o->threads, MAX_THREADS);
    int threads = o->threads ? o->threads : pool_default_threads();
    struct cpu *c = mem_new(1, sizeof *c, e);
    if (!c)
        return ERR_NOMEM;
    int rc = pool_new(&c->pool, threads, e);
    if (rc || (o->kept && (rc = packed_file_new(&c->file, o->kept, e)))) {
        pool_free(c->pool);
        free(c);
        return rc;
    }
    c->isa = isa;
    c->exact = o->exact;
    d->ops = &cpu_ops;
    d->self = c;
    d->many = isa->many ? isa->many : CPU_FEW + 1;
    snprintf(d->label, sizeof d->label, "cpu (%s, %d thread%s)", isa->name, threads,
             threads == 1 ? "" : "s");
    return 0;
}
