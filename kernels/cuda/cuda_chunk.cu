// Attention of a chunk with tensor cores: what is rotated beforehand, and how it is laid out.
#include "kernels/cuda/cuda_state.cuh"

#include "kernels/cuda/cuda_chunk.cuh"

CUDA_KERNEL(cuda_turn, 256, struct cuda_none)
CUDA_KERNEL(cuda_chunk, CUDA_CHUNK_THREADS, struct cuda_chunk_own)
CUDA_KERNEL(cuda_chunk_wide, CUDA_CHUNK_THREADS, struct cuda_chunk_own)
CUDA_KERNEL(cuda_chunk_mass, CUDA_CHUNK_THREADS, struct cuda_chunk_mass_own)

// Rows are read 16 bytes at a time.
static int is_aligned(const struct cuda_attention *a)
{
    uintptr_t all = (uintptr_t)a->q;
    for (int i = 0; i < a->n_pieces; i++)
        all |= (uintptr_t)a->pieces[i].k | (uintptr_t)a->pieces[i].v;
    return all % 16 == 0;
}

int cuda_chunk_fits(const struct cuda *c, const struct cuda_attention *a)
{
    return !c->exact && is_aligned(a) && a->n_q * (a->n_heads / a->n_kv_heads) >= CUDA_MMA_M &&
           a->head_dim % CUDA_MMA_N == 0 && a->head_dim <= CUDA_CHUNK_PARTS * CUDA_CHUNK_PART;
}

// The earlier piece whose queries are rotated as those of piece I; I itself without one.
static int same_queries(const struct cuda_attention *a, int i)
{
    for (int j = 0; j < i; j++)
        if (a->pieces[j].q_rope == a->pieces[i].q_rope &&
            a->pieces[j].q_rope_step == a->pieces[i].q_rope_step)
            return j;
    return i;
}

static size_t q_bytes(const struct cuda_attention *a)
{
    return cuda_align((size_t)a->n_q * (size_t)a->n_heads * (size_t)a->head_dim * sizeof(float));
}

static size_t k_bytes(const struct cuda_attention *a, int i)
{
    return cuda_align((size_t)a->pieces[i].n * (size_t)a->n_kv_heads * (size_t)a->head_dim *
                      sizeof(float));
}

size_t cuda_chunk_scratch(const struct cuda_attention *a)
{
    size_t bytes = 0;
    for (int i = 0; i < a->n_pieces; i++) {
        bytes += a->pieces[i].q_rope && same_queries(a, i) == i ? q_bytes(a) : 0;
        bytes += a->pieces[i].k_rope ? k_bytes(a, i) : 0;
    }
    return bytes;
}

static void turn(struct cuda *c, const struct cuda_turn *t)
{
    int64_t all = (int64_t)t->outer * t->inner * t->a.head_dim;
    CUDA_LAUNCH(c, cuda_turn, cuda_blocks(all, cuda_turn_threads), 1, 0, *t);
}

// Rotates queries and keys of every piece into SCRATCH.
static void turn_all(struct cuda *c, const struct cuda_attention *a, uint8_t *scratch,
                     struct cuda_chunk *p)
{
    p->a = *a;
    p->a.tile_rows = CUDA_CHUNK_ROWS;
    p->a.tile_keys = CUDA_CHUNK_KEYS;
    for (int i = 0; i < a->n_pieces; i++) {
        const struct cuda_piece *x = &a->pieces[i];
        int same = same_queries(a, i);
        p->q[i] = same < i ? p->q[same] : a->q;
        if (same == i && x->q_rope) {
            struct cuda_turn t = {.a = *a,
                                  .out = (float *)(void *)scratch,
                                  .x = a->q,
                                  .rope = x->q_rope,
                                  .outer = a->n_q,
                                  .inner = a->n_heads,
                                  .stride = a->n_heads,
                                  .by_inner = 0,
                                  .by_outer = x->q_rope_step};
            turn(c, &t);
            p->q[i] = t.out;
            scratch += q_bytes(a);
        }
        p->k_stride[i] = x->stride;
        if (x->k_rope) {
            struct cuda_turn t = {.a = *a,
                                  .out = (float *)(void *)scratch,
                                  .x = x->k,
                                  .rope = x->k_rope,
                                  .outer = a->n_kv_heads,
                                  .inner = x->n,
                                  .stride = x->stride,
                                  .by_inner = 1,
                                  .by_outer = 0};
            turn(c, &t);
            p->a.pieces[i].k = t.out;
            p->k_stride[i] = x->n;
            scratch += k_bytes(a, i);
        }
    }
}

void cuda_chunk_attend(struct cuda *c, const struct cuda_split *s, uint8_t *scratch,
                       struct cuda_chunk *p)
{
    const struct cuda_attention *a = &s->a;
    turn_all(c, a, scratch, p);
    p->sum = s->sum;
    p->max = s->max;
    p->norm = s->norm;
    p->splits = s->splits;
    p->tiles = s->tiles;
    int64_t rows = (int64_t)a->n_q * (a->n_heads / a->n_kv_heads);
    int64_t tiles = (rows + CUDA_CHUNK_ROWS - 1) / CUDA_CHUNK_ROWS,
            splits = (int64_t)a->n_kv_heads * p->splits;
    const struct cuda_chunk_wide wide = {*p};
    if (a->head_dim > CUDA_CHUNK_PART)
        CUDA_LAUNCH(c, cuda_chunk_wide, tiles, splits, cuda_chunk_floats(a->head_dim), wide);
    else
        CUDA_LAUNCH(c, cuda_chunk, tiles, splits, cuda_chunk_floats(a->head_dim), *p);
}

void cuda_chunk_masses(struct cuda *c, const struct cuda_chunk *p, int piece, float *mass,
                       const float *row_max, const float *row_norm)
{
    struct cuda_chunk_mass m = {.a = p->a,
                                .q = p->q[piece],
                                .k_stride = p->k_stride[piece],
                                .row_max = row_max,
                                .row_norm = row_norm,
                                .mass = mass};
    m.a.pieces[0] = p->a.pieces[piece];
    CUDA_LAUNCH(c, cuda_chunk_mass, (m.a.pieces[0].n + CUDA_CHUNK_KEYS - 1) / CUDA_CHUNK_KEYS,
                m.a.n_heads, cuda_chunk_floats(m.a.head_dim), m);
}
