// The pass over one token as one thing to launch. Between the two calls of device_ops.step,
// launches are not put on the stream but listed, their parameters behind one another in a buffer.
// At the end the buffer goes to the device, and where the list is the last one over again (the same
// kernels over the same grids, whatever their parameters), a graph of it is launched: kernels read
// their parameters from device memory, so what changes from token to token (the token, the length
// of the window, the rotation of its query, where memory lies) needs no other graph.
//
// Whatever else is put on the stream, or waited for, or given back, first sends off what is listed
// (cuda_flush), and ends the list: then there is no graph, and nothing is different otherwise.
#include "kernels/cuda/cuda_state.cuh"

#include <stdlib.h>

enum { ALIGN = 16, LEAST_ROOM = 1 << 18 }; // of parameters, bytes

// Puts one launch on the stream, its parameters in device memory.
static int put(struct cuda *c, const struct cuda_launch *x)
{
    const void *p = c->step.there + x->at;
    void *args[] = {&p};
    dim3 grid = {(unsigned)x->grid_x, (unsigned)x->grid_y, 1}, block = {(unsigned)x->threads, 1, 1};
    return cuda_failed(
        c, cudaLaunchKernel(x->kernel, grid, block, args, x->floats * sizeof(float), c->main),
        x->name);
}

static void put_all(struct cuda *c)
{
    for (size_t i = 0; i < c->step.n && !c->err.code; i++)
        put(c, &c->step.list[i]);
}

static void drop_graph(struct cuda_step *s)
{
    if (s->graph)
        cudaGraphExecDestroy(s->graph);
    s->graph = NULL;
}

// Makes a graph of the list. A device that cannot make one is not asked again.
static void capture(struct cuda *c)
{
    struct cuda_step *s = &c->step;
    cudaGraph_t graph = NULL;
    cudaError_t rc = cudaStreamBeginCapture(c->main, cudaStreamCaptureModeThreadLocal);
    if (rc == cudaSuccess) {
        const struct err before = c->err;
        put_all(c);
        int failed = c->err.code;
        rc = cudaStreamEndCapture(c->main, &graph);
        c->err = before;
        if (rc == cudaSuccess && failed)
            rc = cudaErrorUnknown;
    }
    if (rc == cudaSuccess)
        rc = cudaGraphInstantiate(&s->graph, graph, 0);
    if (graph)
        cudaGraphDestroy(graph);
    if (rc == cudaSuccess)
        return;
    cudaGetLastError();
    s->graph = NULL;
    s->has_no_graphs = 1;
}

// Makes room for the parameters in page-locked memory and on the device.
static int make_room(struct cuda *c)
{
    struct cuda_step *s = &c->step;
    size_t bytes = s->bytes < LEAST_ROOM ? LEAST_ROOM : 2 * s->bytes;
    if (s->bytes <= s->room)
        return 0;
    drop_graph(s); // which reads the old one
    size_t locked;
    cuda_give(c, s->there);
    s->there = NULL;
    s->room = 0;
    if (!s->copied &&
        cuda_failed(c, cudaEventCreateWithFlags(&s->copied, cudaEventDisableTiming), "step"))
        return -1;
    if (cuda_lock_pages(c, &s->host, &locked, bytes, "step") ||
        !(s->there = (uint8_t *)cuda_take(c, bytes, "step", "", &c->err)))
        return -1;
    s->room = bytes;
    return 0;
}

static int send_parameters(struct cuda *c)
{
    struct cuda_step *s = &c->step;
    if (make_room(c) || cuda_failed(c, cudaEventSynchronize(s->copied), "step"))
        return -1;
    memcpy(s->host, s->parameters, s->bytes);
    return cuda_failed(
               c, cudaMemcpyAsync(s->there, s->host, s->bytes, cudaMemcpyHostToDevice, c->main),
               "step") ||
           cuda_failed(c, cudaEventRecord(s->copied, c->main), "step");
}

static int is_last(const struct cuda_step *s)
{
    if (s->n != s->n_last)
        return 0;
    for (size_t i = 0; i < s->n; i++) {
        const struct cuda_launch *x = &s->list[i], *y = &s->last[i];
        if (x->kernel != y->kernel || x->grid_x != y->grid_x || x->grid_y != y->grid_y ||
            x->floats != y->floats || x->at != y->at)
            return 0;
    }
    return 1;
}

static void remember(struct cuda_step *s)
{
    struct cuda_launch *list = s->last;
    size_t cap = s->cap_last;
    s->last = s->list;
    s->cap_last = s->cap;
    s->n_last = s->n;
    s->list = list;
    s->cap = cap;
}

// Sends off what is listed; IS_WHOLE: it is all of a step.
static void run(struct cuda *c, int is_whole)
{
    struct cuda_step *s = &c->step;
    s->is_open = 0;
    if (!s->n)
        return;
    s->is_running = 1;
    if (c->err.code || send_parameters(c)) {
        ; // sync reports it
    } else if (!is_whole) {
        put_all(c);
    } else if (!is_last(s)) {
        drop_graph(s);
        put_all(c);
        remember(s);
    } else {
        if (!s->graph && !s->has_no_graphs)
            capture(c);
        if (s->graph)
            cuda_failed(c, cudaGraphLaunch(s->graph, c->main), "step");
        else
            put_all(c);
    }
    s->is_running = 0;
    s->n = s->bytes = 0;
}

void cuda_flush(struct cuda *c)
{
    if (!c->step.is_running)
        run(c, 0);
}

cudaStream_t cuda_stream(struct cuda *c)
{
    cuda_flush(c);
    return c->main;
}

void cuda_step(struct device *d, int begins)
{
    struct cuda *c = (struct cuda *)d->self;
    if (begins)
        cuda_flush(c);
    else
        run(c, c->step.is_open);
    c->step.is_open = begins;
}

int cuda_list(struct cuda *c, const struct cuda_launch *x, const void *parameters, size_t bytes)
{
    struct cuda_step *s = &c->step;
    size_t at = (s->bytes + ALIGN - 1) / ALIGN * ALIGN;
    int rc = MEM_GROW(s->list, s->cap, s->n + 1, &c->err);
    if (rc || (rc = MEM_GROW(s->parameters, s->cap_parameters, at + bytes, &c->err)))
        return rc;
    memset(s->parameters + s->bytes, 0, at - s->bytes);
    memcpy(s->parameters + at, parameters, bytes);
    s->list[s->n] = *x;
    s->list[s->n++].at = at;
    s->bytes = at + bytes;
    return 0;
}

void cuda_step_done(struct cuda *c)
{
    struct cuda_step *s = &c->step;
    drop_graph(s);
    if (s->host)
        cudaFreeHost(s->host);
    if (s->copied)
        cudaEventDestroy(s->copied);
    cuda_give(c, s->there);
    free(s->list);
    free(s->last);
    free(s->parameters);
}
