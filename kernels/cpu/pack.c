#include "kernels/cpu/pack.h"

#include <stdlib.h>

#include "io/mem.h"
#include "kernels/cpu/arena.h"
#include "kernels/cpu/cpu.h"

enum { PAGE = 2 << 20 }; // of the arena's memory

// Panels of a matrix that begin in one page. Those of a page make a task, and threads are at work
// on pages far from each other: a page's last panel ends in the next one, and were two threads to
// write to a new page at once, each would have the kernel clear one.
struct packing {
    struct mat w;
    int panel, end;
    int task;
};

static uintptr_t page_of(const struct cpu *c, const struct mat *w, int panel)
{
    return (uintptr_t)w->packed / PAGE +
           ((uintptr_t)w->packed % PAGE + c->isa->panel_bytes(w) * (size_t)panel) / PAGE;
}

static int n_panels(const struct cpu *c, const struct mat *w)
{
    return (w->rows + c->isa->panel_rows - 1) / c->isa->panel_rows;
}

// Another run of panels, from PANEL on; returns its end, or what is negative.
static int add(struct cpu *c, const struct mat *w, int panel, struct err *e)
{
    int rc = MEM_GROW(c->packing, c->packing_cap, c->n_packing + 1, e), end = panel + 1;
    if (rc)
        return rc;
    uintptr_t page = page_of(c, w, panel);
    while (end < n_panels(c, w) && page_of(c, w, end) == page)
        end++;
    const struct packing *last = c->n_packing ? &c->packing[c->n_packing - 1] : NULL;
    int task = !last ? 0 : last->task + (page_of(c, &last->w, last->panel) != page);
    c->packing[c->n_packing++] = (struct packing){*w, panel, end, task};
    return end;
}

int pack_later(struct cpu *c, struct mat *w, struct err *e)
{
    size_t bytes = c->isa->panel_bytes(w);
    if (!bytes)
        return 0;
    if (!(w->packed = arena_take(&c->arena, bytes * (size_t)n_panels(c, w), e)))
        return ERR_NOMEM;
    for (int panel = 0; panel < n_panels(c, w);)
        if ((panel = add(c, w, panel, e)) < 0) {
            pack_drop(c, w);
            return ERR_NOMEM;
        }
    return 0;
}

void pack_drop(struct cpu *c, struct mat *w)
{
    size_t left = 0;
    for (size_t i = 0; i < c->n_packing; i++)
        if (c->packing[i].w.packed != w->packed)
            c->packing[left++] = c->packing[i];
    c->n_packing = left;
    arena_give(&c->arena, w->packed);
    w->packed = NULL;
}

static int n_tasks(const struct cpu *c)
{
    return c->packing[c->n_packing - 1].task + 1;
}

// The task that is the I-th to be begun: each thread has a part of them, if all are equally fast.
static int task_at(const struct cpu *c, int i)
{
    const int n = n_tasks(c), parts = pool_threads(c->pool), longer = n % parts, part = i % parts;
    return part * (n / parts) + (part < longer ? part : longer) + i / parts;
}

static void pack_task(void *ctx, int at, int thread)
{
    (void)thread;
    struct cpu *c = ctx;
    const int task = task_at(c, at);
    size_t i = 0;
    for (size_t end = c->n_packing; i < end;) {
        size_t mid = i + (end - i) / 2;
        if (c->packing[mid].task < task)
            i = mid + 1;
        else
            end = mid;
    }
    for (; i < c->n_packing && c->packing[i].task == task; i++)
        c->isa->pack_panels(&c->packing[i].w, c->packing[i].panel, c->packing[i].end);
}

void pack_all(struct cpu *c)
{
    if (!c->n_packing)
        return;
    pool_run(c->pool, n_tasks(c), pack_task, c);
    pack_have(c);
}

size_t pack_waiting(const struct cpu *c, struct mat *w)
{
    size_t n = 0;
    for (size_t i = 0; i < c->n_packing; i++)
        if (!c->packing[i].panel) {
            if (w)
                w[n] = c->packing[i].w;
            n++;
        }
    return n;
}

void pack_have(struct cpu *c)
{
    free(c->packing);
    c->packing = NULL;
    c->n_packing = c->packing_cap = 0;
}
