// Matrix products on AMX tiles: activations and weights are rounded to bfloat16, sums are float32
// in the order of k. Rows of x become tiles A once. A task takes a run of panels, each 32 weight
// rows, and a part of the rows of x by each; while the tiles are multiplied, the vector units bring
// the next panel's weights to tiles B and finish the sums of the group before. Where rows are many
// each thread has a part of its own, from one operation to the next the same, which stays in its
// second-level cache.
#ifndef LCTOOL_KERNELS_CPU_AMX_MATMUL_H
#define LCTOOL_KERNELS_CPU_AMX_MATMUL_H

#include "kernels/cpu/amx_bring.h"
#include "kernels/cpu/amx_few.h"
#include "kernels/cpu/amx_finish.h"
#include "kernels/cpu/amx_pack.h"

// The groups FIRST .. END - 1 by the tiles B of one panel, and what was left to finish of those
// before; the last one's sums stay in their tiles, and what is to become of them in LAST.
// NEXT_TYPE, that of the weights NEXT brings, GATED and ACT are constants after inlining; NEXT_TYPE
// QUANT_F32 stands for nothing to bring. Where the second half of a group or of the panel is not
// there, products are made of what lies in its place; no one looks at them.
INLINE void amx_multiply(uint32_t next_type, int gated, enum act act, const struct amx_job *j,
                         const struct amx_panel *p, const uint16_t *b, struct amx_bringing next,
                         size_t first, size_t end, float *sums, struct amx_finishing *last)
{
    enum {
        ONE = 1 << 16,
        LAG = 2
    }; // LAG: steps until the sums of the group before have come to memory
    const struct amx_silu silu = amx_silu_new();
    struct amx_finishing before = *last;
    size_t one = j->steps * AMX_TILE, b_one = j->k_n * AMX_TILE, steps = j->k_n * (end - first),
           pace = ((size_t)next.left * ONE + steps - 1) / steps, due = 0;
    for (size_t g = first; g < end; g++) {
        const uint16_t *x = j->x + g * 2 * one + j->k0 * AMX_TILE, *w = b;
        for (size_t s = 0; s < j->k_n; s++, x += AMX_TILE, w += AMX_TILE) {
            if (s == 0)
                amx_products_anew(x, one, w, b_one, sums, PANEL * sizeof *sums);
            else
                amx_products(x, one, w, b_one, 1);
            if (next_type != QUANT_F32)
                for (due += pace; due >= ONE && next.left; due -= ONE)
                    amx_bring(next_type, &next);
            if (s >= LAG && before.done < before.n)
                amx_finish_rows(gated, &before, act, &silu);
        }
        while (before.done < before.n)
            amx_finish_rows(gated, &before, act, &silu);
        before = amx_finishing_of(j, p, g, sums);
    }
    while (next_type != QUANT_F32 && next.left)
        amx_bring(next_type, &next);
    *last = before;
}

#define MULTIPLY(TYPE, GATED, ACT)                                                                 \
    amx_multiply(TYPE, GATED, ACT, j, p, b, next, first, end, sums, last)
#define MULTIPLY_ACT(TYPE)                                                                         \
    (!j->gated            ? MULTIPLY(TYPE, 0, ACT_SILU)                                            \
     : j->act == ACT_SILU ? MULTIPLY(TYPE, 1, ACT_SILU)                                            \
                          : MULTIPLY(TYPE, 1, ACT_GELU_TANH))

static void amx_by_type(uint32_t next_type, const struct amx_job *j, const struct amx_panel *p,
                        const uint16_t *b, struct amx_bringing next, size_t first, size_t end,
                        float *sums, struct amx_finishing *last)
{
    switch (next_type) {
    case QUANT_Q4_0:
        MULTIPLY_ACT(QUANT_Q4_0);
        break;
    case QUANT_Q4_1:
        MULTIPLY_ACT(QUANT_Q4_1);
        break;
    case QUANT_Q8_0:
        MULTIPLY_ACT(QUANT_Q8_0);
        break;
    default:
        MULTIPLY_ACT(QUANT_F32);
        break;
    }
}
#undef MULTIPLY_ACT
#undef MULTIPLY

static void amx_step(const struct amx_job *j, int part, int run, int thread)
{
    size_t tiles_n = 2 * j->k_n * AMX_TILE, first, end;
    uint16_t *tiles = (uint16_t *)(void *)(j->scratch + (size_t)thread * j->scratch_bytes);
    float *sums = (float *)(void *)(tiles + 2 * tiles_n);
    int i = (int)((int64_t)j->n_panels * run / j->n_runs),
        panels_end = (int)((int64_t)j->n_panels * (run + 1) / j->n_runs);
    struct amx_panel p = amx_panel_at(j, i);
    struct amx_finishing last = {0};
    const struct amx_silu silu = amx_silu_new();
    amx_part(j, part, &first, &end);
    amx_bring_all(j, &p, tiles);
    amx_begin();
    for (int flip = 0; i < panels_end; i++, flip = !flip) {
        uint16_t *b = tiles + (flip ? tiles_n : 0), *other = tiles + (flip ? 0 : tiles_n);
        struct amx_panel after = p;
        struct amx_bringing next = {0};
        uint32_t type = QUANT_F32;
        if (i + 1 < panels_end) {
            after = amx_panel_at(j, i + 1);
            type = amx_panel_type(&after);
            if (type == QUANT_F32)
                amx_bring_all(j, &after, other);
            else
                next = amx_bringing_of(j, &after, other);
        }
        amx_by_type(type, j, &p, b, next, first, end, sums, &last);
        p = after;
    }
    amx_store(sums, PANEL * sizeof *sums);
    while (last.done < last.n)
        amx_finish_rows(j->gated, &last, j->act, &silu);
    amx_end();
}

// ---- Products

static int amx_all_packed(const struct amx_job *j)
{
    for (int i = 0; i < j->n_to; i++)
        if (!j->to[i].w->packed)
            return 0;
    return 1;
}

// With few rows of x a run has nothing to begin with: many short ones are shared out more evenly.
static void amx_plan_few(struct amx_job *j, int threads)
{
    enum { PER_THREAD = 16 };
    j->multiply = amx_few_step;
    j->n_runs = PER_THREAD * threads < j->n_panels ? PER_THREAD * threads : j->n_panels;
    j->n_parts = 1;
    j->k_n = j->steps;
    j->scratch_bytes = amx_few_bytes();
}

// Panels, and how they are cut into tasks: runs long enough for the first panel's weights, which
// nothing hides, not to count; and parts of the groups, one for each thread, or where there are too
// few panels to go round.
static void amx_plan(struct amx_job *j, int threads)
{
    enum { RUN = 5, PER_THREAD = 4, OWN = 5 }; // OWN: groups that pay for weights of their own
    j->cols = (size_t)j->to->w->cols;
    j->steps = (j->cols + AMX_K - 1) / AMX_K;
    j->groups = (j->n + PANEL - 1) / PANEL;
    j->n_panels = 0;
    for (int i = 0; i < j->n_to; i++)
        j->n_panels += (j->to[i].w->rows + PANEL - 1) / PANEL;
    if (j->gated)
        j->n_panels = (j->to->w->rows + AMX_ROWS - 1) / AMX_ROWS;
    int own = threads <= AMX_PARTS && j->groups >= (size_t)(OWN * threads);
    int runs = j->n_panels / RUN, least = own ? 1 : threads,
        most = own ? PER_THREAD : PER_THREAD * threads;
    runs = runs < least ? least : runs > most ? most : runs;
    if (!own) // three for two threads would keep one of them waiting for half of the time
        runs = runs / threads * threads;
    j->n_runs = runs < j->n_panels ? runs : j->n_panels;
    j->n_parts = own ? threads : (threads + j->n_runs - 1) / j->n_runs;
    j->n_parts = j->n_parts > AMX_PARTS ? AMX_PARTS : j->n_parts;
    if ((size_t)j->n_parts > j->groups)
        j->n_parts = (int)j->groups;
    j->k_n = j->steps;
    if (!j->gated &&
        amx_all_packed(
            j)) // the tiles of a panel, twice, and the part of x stay in the second-level cache
        j->k_n = (j->steps + j->steps / (AMX_MOST_K + 1)) / (1 + j->steps / (AMX_MOST_K + 1));
    j->scratch_bytes = 4 * j->k_n * AMX_TILE * sizeof *j->x + SUMS * sizeof(float);
    j->multiply = amx_step;
    if (amx_few_tiles(j) <= AMX_FEW_TILES && amx_all_packed(j))
        amx_plan_few(j, threads);
}

static size_t amx_x_bytes(const struct amx_job *j)
{
    return j->groups * 2 * j->steps * AMX_TILE * sizeof *j->x;
}

// The runs of a thread's own part, then what is left of the others'.
static void amx_take_steps(void *ctx, int task, int thread)
{
    (void)task;
    struct amx_job *j = ctx;
    for (int k = 0, run; k < j->n_parts; k++) {
        int part = (thread + k) % j->n_parts;
        while ((run = atomic_fetch_add_explicit(&j->next[part], 1, memory_order_relaxed)) <
               j->n_steps)
            j->step(j, part, run, thread);
    }
}

static void amx_steps(struct cpu *c, struct amx_job *j, int n,
                      void (*step)(const struct amx_job *j, int part, int run, int thread))
{
    for (int i = 0; i < j->n_parts; i++)
        atomic_store_explicit(&j->next[i], 0, memory_order_relaxed);
    j->step = step;
    j->n_steps = n;
    pool_run(c->pool, pool_threads(c->pool), amx_take_steps, j);
}

static void amx_run(struct cpu *c, struct amx_job *j)
{
    int tiles = (int)((j->groups + (size_t)j->n_parts - 1) / (size_t)j->n_parts) * 2;
    if (j->from)
        amx_steps(c, j, tiles, amx_pack_step);
    size_t most = j->k_n;
    for (j->k0 = 0; j->k0 < j->steps; j->k0 += j->k_n) {
        j->k_n = j->steps - j->k0 < most ? j->steps - j->k0 : most;
        amx_steps(c, j, j->n_runs, j->multiply);
    }
}

// The group of rows that go to two caches is in out, as rows.
static void amx_put_parted(const struct projection *to, size_t n)
{
    const struct heads_to *h = to->heads;
    if (!h)
        return;
    size_t first = (size_t)h->split / PANEL * PANEL, d = (size_t)h->head_dim,
           wide = (size_t)to->w->rows, end = first + PANEL < n ? first + PANEL : n;
    for (size_t i = first; amx_parted(h, first, end - first) && i < end; i++)
        for (size_t col = 0; col < wide; col += d)
            memcpy(amx_head_at(h, i, col), to->out + i * wide + col, d * sizeof *to->out);
}

// Whether a thread's part of the output is more than its second-level cache keeps until it is
// written again, in the next layer.
static int amx_is_cold(const struct amx_job *j)
{
    enum { KEPT = 1 << 20 }; // bytes
    size_t cols = 0;
    for (int i = 0; i < j->n_to; i++)
        cols += (size_t)j->to[i].w->rows;
    return j->n / (size_t)j->n_parts * cols * sizeof *j->to->out > KEPT;
}

// Whether each panel is of one head.
static int amx_puts(const struct project *p)
{
    for (int i = 0; i < p->n_to; i++)
        if (p->to[i].heads && p->to[i].heads->head_dim % PANEL)
            return 0;
    return 1;
}

// As device_ops.project.
static int amx_project_many(struct cpu *c, const struct project *p)
{
    int threads = pool_threads(c->pool);
    struct amx_job j = {.n = (size_t)p->n,
                        .from = p->x,
                        .norm = p->norm,
                        .eps = p->eps,
                        .to = p->to,
                        .n_to = p->n_to,
                        .puts = amx_puts(p)};
    amx_plan(&j, threads);
    j.cold = amx_is_cold(&j);
    uint8_t *at = cpu_scratch(c, amx_x_bytes(&j) + (size_t)threads * j.scratch_bytes);
    if (!at)
        return 2;
    j.x = (uint16_t *)(void *)at;
    j.scratch = at + amx_x_bytes(&j);
    amx_run(c, &j);
    for (int i = 0; i < p->n_to && j.puts; i++)
        amx_put_parted(&p->to[i], j.n);
    return 1 + j.puts;
}

static int amx_project(struct cpu *c, const struct project *p)
{
    if (p->n <= AMX_FEW && few_project(c, p))
        return 1;
    if (p->n <= CPU_FEW)
        return 0;
    return amx_project_many(c, p);
}

// As many rows of x as leave what is between the two products in the threads' second-level caches.
static void amx_ffn_rows(struct cpu *c, const struct ffn *f, int first, int n)
{
    int threads = pool_threads(c->pool);
    size_t cols = (size_t)f->gate->cols, out_at = (size_t)first * (size_t)f->down->rows;
    const struct projection pair[2] = {{.w = f->gate}, {.w = f->up}};
    const struct projection down = {f->out + out_at, f->down, NULL, f->add ? f->add + out_at : NULL,
                                    NULL};
    struct amx_job a = {.n = (size_t)n,
                        .from = f->x + (size_t)first * cols,
                        .norm = f->norm,
                        .eps = f->eps,
                        .to = pair,
                        .n_to = 2,
                        .gated = 1,
                        .act = f->act};
    struct amx_job b = {.n = (size_t)n, .to = &down, .n_to = 1};
    amx_plan(&a, threads);
    amx_plan(&b, threads);
    size_t x_bytes = amx_x_bytes(&a), y_bytes = amx_x_bytes(&b);
    a.scratch_bytes = b.scratch_bytes =
        a.scratch_bytes > b.scratch_bytes ? a.scratch_bytes : b.scratch_bytes;
    uint8_t *at = cpu_scratch(c, x_bytes + y_bytes + (size_t)threads * a.scratch_bytes);
    if (!at)
        return;
    a.x = (uint16_t *)(void *)at;
    a.y = b.x = (uint16_t *)(void *)(at + x_bytes);
    a.y_steps = b.steps;
    a.scratch = b.scratch = at + x_bytes + y_bytes;
    size_t last = (size_t)f->gate->rows % AMX_K;
    for (size_t i = 0; last && last <= AMX_ROWS && i < 2 * b.groups;
         i++) // no panel writes this half of the last tile
        memset(b.x + ((i + 1) * b.steps - 1) * AMX_TILE, 0, AMX_TILE * sizeof *b.x);
    amx_run(c, &a);
    amx_run(c, &b);
}

static int amx_ffn(struct cpu *c, const struct ffn *f)
{
    enum { BETWEEN = 1 << 21, LEAST = 128 }; // of a thread: bytes; rows
    if (f->n <= AMX_FEW && few_ffn(c, f))
        return 1;
    if (f->n <= CPU_FEW)
        return 0;
    int most = BETWEEN / 2 / f->gate->rows / PANEL * PANEL;
    most = (most < LEAST ? LEAST : most) * pool_threads(c->pool);
    int parts = (f->n + most - 1) / most, groups = (f->n + PANEL - 1) / PANEL;
    for (int i = 0; i < parts; i++) {
        int first = groups * i / parts * PANEL, end = groups * (i + 1) / parts * PANEL;
        amx_ffn_rows(c, f, first, (end < f->n ? end : f->n) - first);
    }
    return 1;
}

static void amx_matmul(struct cpu *c, float *out, const struct mat *w, const float *x,
                       const float *bias, const float *add, int n)
{
    struct project p = {.x = x, .n = n, .n_to = 1, .to = {{out, w, bias, add, NULL}}};
    if (c->exact || !amx_project(c, &p))
        simd_matmul(c, out, w, x, bias, add, n);
}

#endif
