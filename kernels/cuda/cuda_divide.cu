// Span division where the attention maps are, so that only spans have to come back.
#include "kernels/cuda/cuda_state.cuh"

#include "kernels/cuda/cuda_divide.cuh"

CUDA_KERNEL(cuda_divide, CUDA_DIVIDE_THREADS, struct cuda_divide_own)

void cuda_divide(struct device *d, const struct divide *x)
{
    struct cuda *c = (struct cuda *)d->self;
    int n = x->block, entries = n * (n + 1) / 2;
    if (c->err.code || x->n_blocks < 1)
        return;
    if (n < 1 || n > SPANS_TOKENS || x->cut.spans < 1 || x->cut.spans > SPANS_MOST ||
        !(x->cut.theta <= 1)) {
        err_set(&c->err, ERR_UNSUPPORTED, "cuda: divide: %d spans of a block of %d tokens",
                x->cut.spans, n);
        return;
    }
    size_t blocks = (size_t)x->n_blocks,
           key_bytes = cuda_align(blocks * (size_t)entries * sizeof(uint32_t));
    uint8_t *s = (uint8_t *)cuda_scratch(
        c, key_bytes + blocks * (size_t)n * (size_t)n * sizeof(double), "divide");
    if (!s)
        return;
    double at = x->cut.theta * (double)(entries - 1); // as engine/method/span.c does
    struct cuda_divide p = {.a = x->a,
                            .out = x->out,
                            .keys = (uint32_t *)(void *)s,
                            .sum = (double *)(void *)(s + key_bytes),
                            .n = n,
                            .low = (int)at,
                            .part = at - (double)(int)at,
                            .iou = x->cut.iou,
                            .most = x->cut.spans};
    CUDA_LAUNCH(c, cuda_divide, x->n_blocks, 1, cuda_divide_floats(), p);
}
