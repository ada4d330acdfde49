// The votes of heads counted where they were made: only the blocks that are chosen come back.
#include "kernels/cuda_state.cuh"

#include "kernels/cuda_elect.cuh"

CUDA_KERNEL(cuda_moments, 256, struct cuda_moments_own)
CUDA_KERNEL(cuda_vote, 256, struct cuda_none)
CUDA_KERNEL(cuda_top, 512, struct cuda_top_own)

static int back(struct cuda *c, void *host, const void *there, size_t bytes)
{
    return cuda_failed(c, cudaMemcpyAsync(host, there, bytes, cudaMemcpyDeviceToHost, cuda_stream(c)), "elect");
}

void cuda_elect(struct device *d, const struct election *x)
{
    struct cuda *c = (struct cuda *)d->self;
    int64_t n = x->n_votes > 0 ? x->votes[0].n_blocks : 0;
    if (c->err.code || n < 1 || x->n_top < 1)
        return;
    if (n > INT32_MAX || x->n_top > n || x->n_top > ELECT_MOST) {
        err_set(&c->err, ERR_UNSUPPORTED, "cuda: elect: %d of %lld blocks", x->n_top, (long long)n);
        return;
    }
    size_t score_bytes = cuda_align((size_t)n * sizeof(double)), mass_bytes = cuda_align((size_t)n * sizeof(float));
    size_t top_bytes = cuda_align((size_t)x->n_top * sizeof(int64_t)), moment_bytes = cuda_align(3 * sizeof(double));
    uint8_t *p = (uint8_t *)cuda_take(c, score_bytes + mass_bytes + 2 * top_bytes + moment_bytes, "elect", "", &c->err);
    if (!p)
        return;
    double *score = (double *)(void *)p, *moments = (double *)(void *)(p + score_bytes);
    float *mass = (float *)(void *)(p + score_bytes + moment_bytes);
    int64_t *top = (int64_t *)(void *)(p + score_bytes + moment_bytes + mass_bytes);
    double *top_score = (double *)(void *)((uint8_t *)top + top_bytes), weights = 0;
    for (int i = 0; i < x->n_votes && !c->err.code; i++) {
        weights += (double)x->weight[i];
        struct cuda_moments m = {.z = mass, .out = moments, .n = n};
        struct cuda_vote v = {.z = mass,
                              .moments = moments,
                              .score = score,
                              .n = n,
                              .weight = x->weight[i],
                              .weights = i == x->n_votes - 1 ? weights : 0,
                              .is_first = i == 0};
        cuda_scan_masses(c, &x->votes[i], mass);
        CUDA_LAUNCH(c, cuda_moments, 1, 1, 8 * cuda_moments_threads, m);
        CUDA_LAUNCH(c, cuda_vote, cuda_blocks(n, cuda_vote_threads), 1, 0, v);
    }
    struct cuda_top t = {.score = score, .top = top, .top_score = top_score, .n = n, .n_top = x->n_top};
    CUDA_LAUNCH(c, cuda_top, 1, 1, cuda_top_floats(cuda_top_threads), t);
    if (!c->err.code && !back(c, x->top, top, (size_t)x->n_top * sizeof *top))
        back(c, x->score, top_score, (size_t)x->n_top * sizeof *top_score);
    cuda_give(c, p);
    cuda_wait(c);
}
