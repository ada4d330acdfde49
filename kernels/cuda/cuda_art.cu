// A token's attention that may end early, and how many blocks it has read, which the device counts
// until it is waited for.
#include "kernels/cuda/cuda_state.cuh"

#include <stdlib.h>

#include "kernels/cuda/cuda_art.cuh"

CUDA_KERNEL_STEP(cuda_art, 128, struct cuda_art_own)

// The one piece that may be left; NULL where there is none, or another one, or masses are wanted.
static const struct attend_piece *find_piece(const struct attend *a)
{
    const struct attend_piece *found = NULL;
    for (const struct attend_piece *p = a->pieces; p < a->pieces + a->n_pieces; p++) {
        if (p->mass || (p->art && p->n && found))
            return NULL;
        found = p->art && p->n ? p : found;
    }
    return found;
}

// Sets up counters for N_HEADS heads, at 0; they are added to READ when the device is waited for.
// Returns whether there is memory for them.
static int count_for(struct cuda *c, int n_heads, uint64_t *read)
{
    struct cuda_reads *r = &c->reads;
    if (r->to && (r->to != read || n_heads > r->n) && cuda_wait(c))
        return 0;
    if (n_heads > r->n) {
        size_t bytes = (size_t)n_heads * sizeof *r->there;
        cuda_give(c, r->there);
        free(r->host);
        r->n = 0;
        r->host = (uint32_t *)mem_new((size_t)n_heads, sizeof *r->host, &c->err);
        r->there = r->host ? (uint32_t *)cuda_take(c, bytes, "attend",
                                                   "without --art-scale none is needed", &c->err)
                           : NULL;
        if (!r->there ||
            cuda_failed(c, cudaMemsetAsync(r->there, 0, bytes, cuda_stream(c)), "attend"))
            return 0;
        r->n = n_heads;
    }
    r->to = read;
    return 1;
}

void cuda_reads_fetch(struct cuda *c)
{
    struct cuda_reads *r = &c->reads;
    if (r->to)
        cuda_failed(c,
                    cudaMemcpyAsync(r->host, r->there, (size_t)r->n * sizeof *r->there,
                                    cudaMemcpyDeviceToHost, cuda_stream(c)),
                    "attend");
}

void cuda_reads_add(struct cuda *c)
{
    struct cuda_reads *r = &c->reads;
    for (int i = 0; r->to && !c->err.code && i < r->n; i++)
        r->to[0] += r->host[i];
    if (r->to && !c->err.code)
        r->to[1] += r->blocks;
    if (r->to)
        cuda_failed(c,
                    cudaMemsetAsync(r->there, 0, (size_t)r->n * sizeof *r->there, cuda_stream(c)),
                    "attend");
    r->to = NULL;
    r->blocks = 0;
}

void cuda_reads_done(struct cuda *c)
{
    cuda_give(c, c->reads.there);
    free(c->reads.host);
}

int cuda_art_attend(struct cuda *c, const struct attend *a)
{
    const struct attend_piece *left = find_piece(a);
    struct attend_piece others[CUDA_PIECES];
    struct attend rest = *a;
    if (!left || a->n_pieces > CUDA_PIECES ||
        cuda_art_floats(a->head_dim, a->art->block) > CUDA_SHARED_FLOATS ||
        !count_for(c, a->n_heads, a->art->read))
        return 0;
    rest.n_pieces = 0;
    for (const struct attend_piece *p = a->pieces; p < a->pieces + a->n_pieces; p++)
        if (p != left)
            others[rest.n_pieces++] = *p;
    rest.pieces = others;
    rest.art = NULL;
    struct cuda_art k;
    memset(&k, 0, sizeof k);
    if (cuda_attend_rows(c, &rest, &k.row_max, &k.row_norm))
        return 1; // sync reports it
    rest.pieces = left;
    rest.n_pieces = 1;
    if (cuda_attention_of(c, &rest, &k.a))
        return 1;
    k.out = a->out;
    k.read = c->reads.there;
    k.scale = a->art->scale;
    k.direction = a->art->direction;
    k.patience = a->art->patience;
    k.block = a->art->block;
    CUDA_LAUNCH_STEP(c, cuda_art, a->n_heads, 1, cuda_art_floats(a->head_dim, k.block), k);
    c->reads.blocks += (uint64_t)a->n_heads * (uint64_t)((left->n + k.block - 1) / k.block);
    return 1;
}
