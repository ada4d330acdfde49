// A token drawn with a temperature, and what one costs.
#include "kernels/cuda/cuda_state.cuh"

#include "kernels/cuda/cuda_draw.cuh"

CUDA_KERNEL_STEP(cuda_weigh, 256, struct cuda_none)
CUDA_KERNEL_STEP(cuda_cost, 32, struct cuda_none)
CUDA_KERNEL_STEP(cuda_draw, 1024, struct cuda_draw_own)

enum { WEIGH_MOST = 64, WEIGH_EACH = 8 * cuda_weigh_threads }; // blocks; numbers of one

static int weighing_blocks(int n)
{
    return (n + WEIGH_EACH - 1) / WEIGH_EACH < WEIGH_MOST ? (n + WEIGH_EACH - 1) / WEIGH_EACH
                                                          : WEIGH_MOST;
}

void cuda_cost(struct device *d, float *out, const struct best *b, const float *x, int n)
{
    struct cuda *c = (struct cuda *)d->self;
    const int blocks = weighing_blocks(n);
    double *parts = (double *)cuda_scratch(c, WEIGH_MOST * sizeof *parts, "cost");
    if (!parts)
        return;
    struct cuda_weigh w = {.x = x, .best = b, .p = NULL, .parts = parts, .temp = 1, .n = n};
    struct cuda_cost k = {.x = x, .best = b, .parts = parts, .out = out, .n_parts = blocks};
    CUDA_LAUNCH_STEP(c, cuda_weigh, blocks, 1, 2 * cuda_weigh_threads, w);
    CUDA_LAUNCH_STEP(c, cuda_cost, 1, 1, 0, k);
}

void cuda_draw(struct device *d, struct best *out, const float *x, int n, const struct draw *how)
{
    struct cuda *c = (struct cuda *)d->self;
    const int blocks = weighing_blocks(n);
    const size_t parts_bytes = cuda_align(WEIGH_MOST * sizeof(double));
    cuda_best(d, out, x, n);
    uint8_t *p =
        n > 0 ? (uint8_t *)cuda_scratch(c, parts_bytes + (size_t)n * sizeof(float), "draw") : NULL;
    if (!p)
        return;
    struct cuda_weigh w = {.x = x,
                           .best = out,
                           .p = (float *)(void *)(p + parts_bytes),
                           .parts = (double *)(void *)p,
                           .temp = how->temp,
                           .n = n};
    struct cuda_draw k = {.p = w.p,
                          .parts = w.parts,
                          .out = out,
                          .uniform = how->uniform,
                          .top_p = how->top_p,
                          .n_parts = blocks,
                          .n = n};
    CUDA_LAUNCH_STEP(c, cuda_weigh, blocks, 1, 2 * cuda_weigh_threads, w);
    CUDA_LAUNCH_STEP(c, cuda_draw, 1, 1, cuda_draw_floats(cuda_draw_threads), k);
}
