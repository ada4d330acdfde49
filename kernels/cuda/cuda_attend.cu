// Attention: how it is cut into tiles and splits, and the masses that come after it.
#include "kernels/cuda/cuda_state.cuh"

#include "kernels/cuda/cuda_chunk.cuh"

CUDA_KERNEL_STEP(cuda_split, 128, struct cuda_none)
CUDA_KERNEL_STEP(cuda_merge, 64, struct cuda_none)
CUDA_KERNEL_STEP(cuda_mass, 128, struct cuda_none)
CUDA_KERNEL(cuda_self_mass, 128, struct cuda_none)

enum { SOME_TILES = 16 };

static struct cuda_piece piece_of(const struct attend_piece *p)
{
    struct cuda_piece out = {.k = p->k,
                             .v = p->v,
                             .k_rope = p->k_rope,
                             .q_rope = p->q_rope,
                             .n = p->n,
                             .stride = p->stride,
                             .q_rope_step = p->q_rope_step,
                             .causal = p->causal,
                             .max_distance = p->max_distance,
                             .gap = p->gap};
    return out;
}

// Tiles as large as shared memory allows; of few rows when there are few: a decoded token's.
static int choose_tiles(struct cuda_attention *a, int rows)
{
    a->tile_rows = rows <= 8 ? 8 : 32;
    a->tile_keys = 64;
    while (cuda_tile_floats(a) > CUDA_SHARED_FLOATS && a->tile_keys > 16)
        a->tile_keys /= 2;
    while (cuda_tile_floats(a) > CUDA_SHARED_FLOATS && a->tile_rows > 4)
        a->tile_rows /= 2;
    return cuda_tile_floats(a) <= CUDA_SHARED_FLOATS;
}

int cuda_attention_of(struct cuda *c, const struct attend *a, struct cuda_attention *out)
{
    memset(out, 0, sizeof *out);
    out->q = a->q;
    out->n_q = a->n_q;
    out->n_heads = a->n_heads;
    out->n_kv_heads = a->n_kv_heads;
    out->head_dim = a->head_dim;
    out->rope_dim = a->rope_dim;
    out->neox = a->rope_style == ROPE_NEOX;
    out->scale = a->scale;
    out->softcap = a->softcap;
    for (int i = 0; i < a->n_pieces; i++) {
        if (!a->pieces[i].n)
            continue;
        if (out->n_pieces == CUDA_PIECES)
            return err_set(&c->err, ERR_UNSUPPORTED, "cuda: attend: more than %d pieces",
                           CUDA_PIECES);
        out->pieces[out->n_pieces++] = piece_of(&a->pieces[i]);
    }
    if (!choose_tiles(out, a->n_q * (a->n_heads / a->n_kv_heads)))
        return err_set(&c->err, ERR_UNSUPPORTED, "cuda: attend: heads of %d numbers are too large",
                       a->head_dim);
    return 0;
}

static int up(int64_t n, int by)
{
    return (int)((n + by - 1) / by);
}

// How many splits: enough to keep every multiprocessor busy, each of at least one tile. A single
// token's keys count as if they were a few tiles more, so that there are as many splits for the
// tokens after it: the last of them may be empty.
static void choose_splits(const struct cuda *c, int row_tiles, struct cuda_split *p)
{
    int64_t all = 0;
    for (int i = 0; i < p->a.n_pieces; i++)
        all += up(p->a.pieces[i].n, p->a.tile_keys);
    if (p->a.n_q == 1)
        all = (all + SOME_TILES - 1) / SOME_TILES * SOME_TILES;
    int64_t blocks = (int64_t)row_tiles * p->a.n_kv_heads,
            wanted = up(2 * (int64_t)c->n_sms, (int)blocks);
    int64_t most = CUDA_MAX_GRID_Y / p->a.n_kv_heads;
    int64_t splits = wanted < all ? wanted : all;
    splits = splits < most ? splits : most;
    splits = splits > 1 ? splits : 1;
    p->tiles = up(all, (int)splits);
    p->splits = p->tiles ? up(all, p->tiles) : 1;
}

// What each key received: the pieces one by one, with the norms of them all.
static void masses(struct cuda *c, const struct attend *a, const struct cuda_attention *base,
                   const float *row_max, const float *row_norm)
{
    struct cuda_mass m = {.a = *base, .row_max = row_max, .row_norm = row_norm};
    choose_tiles(&m.a, a->n_q);
    size_t floats = cuda_tile_floats(&m.a);
    for (const struct attend_piece *p = a->pieces; p < a->pieces + a->n_pieces; p++) {
        if (!p->mass)
            continue;
        m.a.pieces[0] = piece_of(p);
        m.mass = p->mass;
        CUDA_LAUNCH_STEP(c, cuda_mass, up(p->n, m.a.tile_keys), a->n_heads, floats, m);
    }
}

static void chunk_masses(struct cuda *c, const struct attend *a, const struct cuda_chunk *chunk,
                         const float *row_max, const float *row_norm)
{
    int piece = 0; // of those with keys
    for (const struct attend_piece *p = a->pieces; p < a->pieces + a->n_pieces; p++) {
        if (!p->n)
            continue;
        if (p->mass)
            cuda_chunk_masses(c, chunk, piece, p->mass, row_max, row_norm);
        piece++;
    }
}

static void self_masses(struct cuda *c, const struct attend *a, const struct cuda_attention *base,
                        const float *row_max, const float *row_norm)
{
    struct cuda_self_mass m = {.a = *base,
                               .row_max = row_max,
                               .row_norm = row_norm,
                               .mass = a->self_mass,
                               .block = a->self_block};
    choose_tiles(&m.a, a->self_block);
    size_t floats = cuda_tile_floats(&m.a);
    int tiles = up(a->self_block, m.a.tile_rows) * up(a->self_block, m.a.tile_keys);
    for (const struct attend_piece *p = a->pieces; p < a->pieces + a->n_pieces; p++) {
        if (!p->causal || !p->n)
            continue;
        m.a.pieces[0] = piece_of(p);
        CUDA_LAUNCH(c, cuda_self_mass, a->n_q / a->self_block, tiles, floats, m);
    }
}

int cuda_attend_rows(struct cuda *c, const struct attend *a, const float **row_max,
                     const float **row_norm)
{
    struct cuda_split p;
    memset(&p, 0, sizeof p);
    if (c->err.code || cuda_attention_of(c, a, &p.a))
        return -1;
    int with_tensors = cuda_chunk_fits(c, &p.a);
    if (with_tensors) {
        p.a.tile_rows = CUDA_CHUNK_ROWS;
        p.a.tile_keys = CUDA_CHUNK_KEYS;
    }
    int row_tiles = up((int64_t)a->n_q * (a->n_heads / a->n_kv_heads), p.a.tile_rows);
    choose_splits(c, row_tiles, &p);
    size_t rows = (size_t)a->n_q * (size_t)a->n_heads, all = rows * (size_t)p.splits;
    size_t sum_bytes = cuda_align(all * (size_t)a->head_dim * sizeof(float));
    size_t part_bytes = cuda_align(all * sizeof(float)),
           row_bytes = cuda_align(rows * sizeof(float));
    size_t bytes = sum_bytes + 2 * part_bytes + 2 * row_bytes;
    uint8_t *s =
        (uint8_t *)cuda_scratch(c, bytes + (with_tensors ? cuda_chunk_scratch(&p.a) : 0), "attend");
    if (!s)
        return -1;
    p.sum = (float *)(void *)s;
    p.max = (float *)(void *)(s + sum_bytes);
    p.norm = (float *)(void *)(s + sum_bytes + part_bytes);
    struct cuda_merge m = {.sum = p.sum,
                           .max = p.max,
                           .norm = p.norm,
                           .out = a->out,
                           .row_max = (float *)(void *)(s + sum_bytes + 2 * part_bytes),
                           .row_norm =
                               (float *)(void *)(s + sum_bytes + 2 * part_bytes + row_bytes),
                           .rows = (int64_t)rows,
                           .splits = p.splits,
                           .head_dim = a->head_dim};
    struct cuda_chunk chunk;
    if (with_tensors)
        cuda_chunk_attend(c, &p, s + bytes, &chunk);
    else
        CUDA_LAUNCH_STEP(c, cuda_split, row_tiles, (int64_t)a->n_kv_heads * p.splits,
                         cuda_tile_floats(&p.a), p);
    CUDA_LAUNCH_STEP(c, cuda_merge, (int64_t)rows, 1, 0, m);
    if (with_tensors)
        chunk_masses(c, a, &chunk, m.row_max, m.row_norm);
    else
        masses(c, a, &p.a, m.row_max, m.row_norm);
    if (a->self_mass)
        self_masses(c, a, &p.a, m.row_max, m.row_norm);
    *row_max = m.row_max;
    *row_norm = m.row_norm;
    return c->err.code ? -1 : 0;
}

void cuda_attend(struct device *d, const struct attend *a)
{
    struct cuda *c = (struct cuda *)d->self;
    const float *row_max, *row_norm;
    if (!c->err.code && !(a->art && a->n_q == 1 && cuda_art_attend(c, a)))
        cuda_attend_rows(c, a, &row_max, &row_norm);
}
