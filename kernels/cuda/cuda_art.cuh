// The piece of a token's attention that ART may leave (kernels.h, struct art): a block of threads
// for each query head, which reads one block of keys after the other until the output has settled.
// It goes on where the attention over the other pieces has ended: from its output, largest score
// and norm.
#ifndef LCTOOL_KERNELS_CUDA_CUDA_ART_CUH
#define LCTOOL_KERNELS_CUDA_CUDA_ART_CUH

#include "kernels/cuda/cuda_attend.cuh"

enum { CUDA_ART_PHASES = 4 };

struct cuda_art {
    struct cuda_attention a;         // pieces[0] is the one that may be left
    const float *row_max, *row_norm; // [n_heads] of the others
    float *out;                      // [n_heads][head_dim] theirs, then that of all
    uint32_t *read;                  // [n_heads] += blocks
    float scale, direction;
    int patience, block;
};

struct cuda_art_own { // the same in all threads
    float max, norm, fade;
    int is_over;
    uint32_t read;
};

// Shared memory: the query as it is turned and the sums [head_dim] each, scores and weights of a
// block, what the output was before it, and how many blocks changed nothing.
static inline size_t cuda_art_floats(int head_dim, int block)
{
    return 2 * (size_t)head_dim + 2 * (size_t)block + ART_PROBE + 1;
}

CUDA_FN int cuda_art_blocks(const struct cuda_art *p)
{
    return (p->a.pieces[0].n + p->block - 1) / p->block;
}

CUDA_FN int cuda_art_steps(const struct cuda_art *p, struct cuda_place at)
{
    (void)at;
    return 2 + CUDA_ART_PHASES * cuda_art_blocks(p);
}

CUDA_FN void cuda_art_begin(const struct cuda_art *p, struct cuda_place at, float *q, float *sum,
                            float *stable, struct cuda_art_own *own)
{
    const struct cuda_attention *a = &p->a;
    const float *x = a->q + (int64_t)at.bx * a->head_dim;
    own->max = p->row_max[at.bx];
    own->norm = p->row_norm[at.bx];
    own->is_over = 0;
    own->read = 0;
    for (int c = at.thread; c < a->head_dim; c += at.n_threads) {
        q[c] = cuda_turned(a, x, a->pieces[0].q_rope, c);
        sum[c] = p->out[(int64_t)at.bx * a->head_dim + c] * own->norm;
    }
    if (at.thread == 0)
        *stable = 0;
}

// Scores of the N keys from FROM on.
CUDA_FN void cuda_art_scores(const struct cuda_art *p, struct cuda_place at, int from, int n,
                             const float *q, float *score)
{
    const struct cuda_attention *a = &p->a;
    const struct cuda_piece *piece = &a->pieces[0];
    const float *head =
        piece->k + (int64_t)(at.bx / (a->n_heads / a->n_kv_heads)) * piece->stride * a->head_dim;
    int lo, hi;
    cuda_visible(piece, 1, 0, &lo, &hi);
    for (int i = at.thread; i < n; i += at.n_threads) {
        int64_t j = from + i;
        const float *rope = piece->k_rope ? piece->k_rope + j * a->rope_dim : NULL;
        float s = 0;
        for (int c = 0; c < a->head_dim; c++)
            s += q[c] * cuda_turned(a, head + j * a->head_dim, rope, c);
        s *= a->scale;
        if (a->softcap != 0)
            s = a->softcap * tanhf(s / a->softcap);
        score[i] = j >= lo && j < hi ? s : -INFINITY;
    }
}

// Weights of the block's keys by the largest score so far.
CUDA_FN void cuda_art_weights(struct cuda_place at, int n, const float *score, float *weight,
                              struct cuda_art_own *own)
{
    float max = own->max;
    for (int i = 0; i < n; i++)
        max = fmaxf(max, score[i]);
    own->fade = own->max == -INFINITY ? 0 : expf(own->max - max);
    own->max = max;
    for (int i = at.thread; i < n; i += at.n_threads)
        weight[i] = score[i] == -INFINITY ? 0 : expf(score[i] - max);
}

CUDA_FN void cuda_art_values(const struct cuda_art *p, struct cuda_place at, int from, int n,
                             const float *weight, float *sum, struct cuda_art_own *own)
{
    const struct cuda_attention *a = &p->a;
    const struct cuda_piece *piece = &a->pieces[0];
    const float *head =
        piece->v + (int64_t)(at.bx / (a->n_heads / a->n_kv_heads)) * piece->stride * a->head_dim;
    float norm = 0;
    for (int i = 0; i < n; i++)
        norm += weight[i];
    own->norm = own->norm * own->fade + norm;
    for (int c = at.thread; c < a->head_dim; c += at.n_threads) {
        float x = sum[c] * own->fade;
        for (int i = 0; i < n; i++)
            x += weight[i] * head[(int64_t)(from + i) * a->head_dim + c];
        sum[c] = x;
    }
}

CUDA_FN float cuda_art_output(const float *sum, int c, float norm)
{
    return norm == 0 ? 0 : sum[c] / norm;
}

// Whether the output has changed as little as is asked for (ART, Eq. 2).
CUDA_FN int cuda_art_is_stable(const struct cuda_art *p, const float *sum, float norm,
                               const float *before)
{
    double a = 0, b = 0, ab = 0;
    int step = (p->a.head_dim + ART_PROBE - 1) / ART_PROBE;
    for (int c = 0, i = 0; c < p->a.head_dim; c += step, i++) {
        double now = (double)cuda_art_output(sum, c, norm), was = (double)before[i];
        a += now * now;
        b += was * was;
        ab += now * was;
    }
    a = sqrt(a);
    b = sqrt(b);
    return fabs(a - b) < (double)p->scale * b && 1 - ab / (a * b) < (double)p->direction;
}

CUDA_FN void cuda_art_step(const struct cuda_art *p, int step, struct cuda_place at, float *shared,
                           struct cuda_art_own *own)
{
    int d = p->a.head_dim, probe = (d + ART_PROBE - 1) / ART_PROBE;
    int from = (step - 1) / CUDA_ART_PHASES * p->block,
        n = cuda_min(p->block, p->a.pieces[0].n - from);
    float *q = shared, *sum = q + d, *score = sum + d, *weight = score + p->block,
          *before = weight + p->block;
    float *stable = before + ART_PROBE;
    if (step == 0) {
        cuda_art_begin(p, at, q, sum, stable, own);
        return;
    }
    if (step == cuda_art_steps(p, at) - 1) {
        for (int c = at.thread; c < d; c += at.n_threads)
            p->out[(int64_t)at.bx * d + c] = cuda_art_output(sum, c, own->norm);
        if (at.thread == 0)
            p->read[at.bx] += own->read;
        return;
    }
    int phase = (step - 1) % CUDA_ART_PHASES;
    if (phase == 0)
        own->is_over |= *stable >= (float)p->patience;
    if (own->is_over)
        return;
    switch (phase) {
    case 0:
        for (int c = at.thread; c * probe < d && c < ART_PROBE; c += at.n_threads)
            before[c] = cuda_art_output(sum, c * probe, own->norm);
        cuda_art_scores(p, at, from, n, q, score);
        own->read++;
        break;
    case 1:
        cuda_art_weights(at, n, score, weight, own);
        break;
    case 2:
        cuda_art_values(p, at, from, n, weight, sum, own);
        break;
    default:
        if (at.thread == 0)
            *stable = cuda_art_is_stable(p, sum, own->norm, before) ? *stable + 1 : 0;
    }
}

#endif
