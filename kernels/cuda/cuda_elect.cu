// The votes of heads counted where they were made, and rows compared with a query: only what is to
// be known of the blocks that are chosen comes back.
#include "kernels/cuda/cuda_state.cuh"

#include "kernels/cuda/cuda_elect.cuh"

CUDA_KERNEL(cuda_moments, 256, struct cuda_moments_own)
CUDA_KERNEL(cuda_vote, 256, struct cuda_none)
CUDA_KERNEL(cuda_largest, 256, struct cuda_none)
CUDA_KERNEL(cuda_gain, 256, struct cuda_none)
CUDA_KERNEL(cuda_top, 512, struct cuda_top_own)
CUDA_KERNEL(cuda_said, 128, struct cuda_none)
CUDA_KERNEL(cuda_similar, 128, struct cuda_none)

// An election's own memory, one after the other.
struct room {
    double *score, *gain, *largest, *moments, *top_score;
    float *mass, *z;
    int64_t *top;
    int *rank;
};

static int back(struct cuda *c, void *host, const void *there, size_t bytes, const char *what)
{
    return cuda_failed(
        c, cudaMemcpyAsync(host, there, bytes, cudaMemcpyDeviceToHost, cuda_stream(c)), what);
}

static int64_t count_blocks(const struct election *x)
{
    int64_t n = 0;
    for (int i = 0; x->n_votes > 0 && i < x->n_parts; i++)
        n += x->votes[i].n_blocks;
    return n;
}

// The next BYTES of those at P + *AT; P may be NULL.
static void *next(uint8_t *p, size_t *at, size_t bytes)
{
    void *r = p ? p + *at : NULL;
    *at += cuda_align(bytes);
    return r;
}

// Where the parts lie from P on; the bytes of all.
static size_t lay_out(struct room *r, uint8_t *p, const struct election *x, int64_t n_blocks)
{
    size_t at = 0, n = (size_t)n_blocks, top = (size_t)x->n_top, votes = (size_t)x->n_votes,
           kept = x->z ? votes : 1;
    r->score = (double *)next(p, &at, n * sizeof *r->score);
    r->gain = (double *)next(p, &at, x->gain ? n * sizeof *r->gain : 0);
    r->largest = (double *)next(p, &at, sizeof *r->largest);
    r->moments = (double *)next(p, &at, kept * CUDA_MOMENTS * sizeof *r->moments);
    r->mass = (float *)next(p, &at, kept * n * sizeof *r->mass);
    r->top = (int64_t *)next(p, &at, top * sizeof *r->top);
    r->top_score = (double *)next(p, &at, top * sizeof *r->top_score);
    r->z = (float *)next(p, &at, x->z ? votes * top * sizeof *r->z : 0);
    r->rank = (int *)next(p, &at, x->z ? votes * top * sizeof *r->rank : 0);
    return at;
}

// Every block's score.
static void count(struct cuda *c, const struct election *x, const struct room *r, int64_t n)
{
    double weights = 0;
    for (int i = 0; i < x->n_votes && !c->err.code; i++) {
        const int kept = x->z ? i : 0;
        float *mass = r->mass + kept * n;
        double *moments = r->moments + kept * CUDA_MOMENTS;
        weights += (double)x->weight[i];
        struct cuda_moments m = {.z = mass, .out = moments, .n = n};
        struct cuda_vote v = {.z = mass,
                              .moments = moments,
                              .score = r->score,
                              .n = n,
                              .weight = x->weight[i],
                              .weights = i == x->n_votes - 1 ? weights : 0,
                              .is_first = i == 0};
        cuda_scan_masses(c, x->votes + (size_t)i * (size_t)x->n_parts, x->n_parts, mass);
        CUDA_LAUNCH(c, cuda_moments, 1, 1, 8 * cuda_moments_threads, m);
        CUDA_LAUNCH(c, cuda_vote, cuda_blocks(n, cuda_vote_threads), 1, 0, v);
    }
    // From pageable memory, which is read before the call returns.
    if (!x->gain || c->err.code ||
        cuda_failed(c,
                    cudaMemcpyAsync(r->gain, x->gain, (size_t)n * sizeof *x->gain,
                                    cudaMemcpyHostToDevice, cuda_stream(c)),
                    "elect"))
        return;
    struct cuda_largest l = {.score = r->score, .out = r->largest, .n = n};
    struct cuda_gain g = {
        .gain = r->gain, .largest = r->largest, .score = r->score, .most = x->gain_most, .n = n};
    CUDA_LAUNCH(c, cuda_largest, 1, 1, 2 * cuda_largest_threads, l);
    CUDA_LAUNCH(c, cuda_gain, cuda_blocks(n, cuda_gain_threads), 1, 0, g);
}

void cuda_elect(struct device *d, const struct election *x)
{
    struct cuda *c = (struct cuda *)d->self;
    struct room r;
    const int64_t n = count_blocks(x);
    const size_t top = (size_t)(x->n_top > 0 ? x->n_top : 0), said = (size_t)x->n_votes * top;
    if (c->err.code || n < 1 || x->n_top < 1)
        return;
    if (n > INT32_MAX || x->n_top > n || x->n_top > ELECT_MOST) {
        err_set(&c->err, ERR_UNSUPPORTED, "cuda: elect: %d of %lld blocks", x->n_top, (long long)n);
        return;
    }
    uint8_t *p = (uint8_t *)cuda_take(c, lay_out(&r, NULL, x, n), "elect",
                                      "an index of a larger --block needs less", &c->err);
    if (!p)
        return;
    lay_out(&r, p, x, n);
    count(c, x, &r, n);
    struct cuda_top t = {
        .score = r.score, .top = r.top, .top_score = r.top_score, .n = n, .n_top = x->n_top};
    CUDA_LAUNCH(c, cuda_top, 1, 1, cuda_top_floats(cuda_top_threads), t);
    struct cuda_said s = {.mass = r.mass,
                          .moments = r.moments,
                          .top = r.top,
                          .z = r.z,
                          .rank = r.rank,
                          .n = n,
                          .n_top = x->n_top};
    if (x->z)
        CUDA_LAUNCH(c, cuda_said, x->n_top, x->n_votes, cuda_said_threads, s);
    if (!c->err.code && !back(c, x->top, r.top, top * sizeof *r.top, "elect") &&
        !back(c, x->score, r.top_score, top * sizeof *r.top_score, "elect") && x->z &&
        !back(c, x->z, r.z, said * sizeof *r.z, "elect"))
        back(c, x->rank, r.rank, said * sizeof *r.rank, "elect");
    cuda_give(c, p);
    cuda_wait(c);
}

void cuda_similar(struct device *d, const struct similar *x)
{
    struct cuda *c = (struct cuda *)d->self;
    const size_t q_bytes = cuda_align((size_t)x->width * sizeof *x->q),
                 score_bytes = cuda_align((size_t)x->n * sizeof(double));
    const size_t top = (size_t)(x->n_top > 0 ? x->n_top : 0),
                 top_bytes = cuda_align(top * sizeof *x->top);
    if (c->err.code || x->n < 1 || !top)
        return;
    if (x->n > INT32_MAX || x->n_top > x->n || x->n_top > ELECT_MOST) {
        err_set(&c->err, ERR_UNSUPPORTED, "cuda: similar: %d of %lld blocks", x->n_top,
                (long long)x->n);
        return;
    }
    uint8_t *p = (uint8_t *)cuda_scratch(
        c, q_bytes + score_bytes + top_bytes + top * sizeof(double), "similar");
    // From pageable memory, which is read before the call returns.
    if (!p || cuda_failed(c,
                          cudaMemcpyAsync(p, x->q, (size_t)x->width * sizeof *x->q,
                                          cudaMemcpyHostToDevice, cuda_stream(c)),
                          "similar"))
        return;
    struct cuda_similar s = {.q = (const float *)(const void *)p,
                             .rows = x->rows,
                             .score = (double *)(void *)(p + q_bytes),
                             .stride = x->stride,
                             .width = x->width};
    struct cuda_top t = {.score = s.score,
                         .top = (int64_t *)(void *)(p + q_bytes + score_bytes),
                         .top_score = (double *)(void *)(p + q_bytes + score_bytes + top_bytes),
                         .n = x->n,
                         .n_top = x->n_top};
    CUDA_LAUNCH(c, cuda_similar, x->n, 1, cuda_similar_threads, s);
    CUDA_LAUNCH(c, cuda_top, 1, 1, cuda_top_floats(cuda_top_threads), t);
    if (!c->err.code)
        back(c, x->top, t.top, top * sizeof *x->top, "similar");
    cuda_wait(c);
}
