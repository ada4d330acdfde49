// Attention of many queries by products of whole numbers of 16 bits: as kernels/cpu/simd_attend.h
// and cut like it, but queries and keys are rounded to 12 bits, each with a scale of its own,
// probabilities to 15 and values to 11, with a scale for each column of 128 keys. Two such products
// are one of float32 to the processor, where it adds them as well; and three are two where adding
// is an instruction of its own.
//
//   1. keys (turned) and values become blocks of 128 keys: once for each kv head;
//   2. a task takes a run of query tiles (kernels/cpu/simd_attend_fix_tile.h).
//
// Keys or values that are infinite or no numbers are left to float32.
//
// It wants the vectors of kernels/cpu/fix_*.h, and of each kernels/cpu/cpu_ISA.c
//     fix_add(&sums, a, b)   adds the products of 16-bit numbers, two neighbours to one sum
#ifndef LCTOOL_KERNELS_CPU_SIMD_ATTEND_FIX_H
#define LCTOOL_KERNELS_CPU_SIMD_ATTEND_FIX_H

#include "kernels/cpu/simd_attend_few.h"
#include "kernels/cpu/simd_attend_fix_tile.h"

// ---- 1. Keys and values

// Where key I of a panel lies in its two vectors: fix_pack brings it back to place I.
static size_t fix_place(size_t i)
{
    return i % 8 / 4 * VW + i / 8 * 4 + i % 4;
}

// The M keys from P on, turned by ROPE. Whether all of them are finite.
static int fix_key_panel(const struct fix_attention *x, const float *p, const float *rope, size_t m,
                         float *row, int32_t *to, float *scale)
{
    const struct attention *t = &x->t;
    int16_t whole[TILE_N][FIX_WIDEST];
    int sound = 1;
    memset(row, 0, TILE_N * x->wide * sizeof *row);
    for (size_t i = 0; i < TILE_N; i++) {
        if (i < m)
            rotate(row + i * x->wide, p + i * t->d, rope ? rope + i * (size_t)t->a->rope_dim : NULL,
                   t->a, 1);
        float *own = &scale[fix_place(i)];
        fix_round(whole[i], row + i * x->wide, x->wide, own);
        sound &= isfinite(*own) != 0;
    }
    for (size_t half = 0; half < 2; half++)
        for (size_t s = 0; s < x->wide / 2; s += VW) {
            vf r[VW];
            for (size_t i = 0; i < VW; i++)
                r[i] = v_load(
                    (const float *)(const void *)&whole[i / 4 * 8 + half * 4 + i % 4][2 * s]);
            v_transpose(r);
            for (size_t i = 0; i < VW; i++)
                v_store((float *)(void *)(to + (s + i) * TILE_N + half * VW), r[i]);
        }
    return sound;
}

// VW columns of M keys, at most FIX_KEYS, of which W count: rows V, DIM apart. Whether all of them
// are finite.
static int fix_value_columns(const float *v, size_t dim, size_t m, int w, int32_t *to, size_t wide,
                             float *scale)
{
    vi bits = vi_zero();
    for (size_t i = 0; i < m; i++)
        bits = fix_most(bits, load_upto(v + i * dim, w));
    vf most = fix_as_floats(bits), back = fix_over(FIX_VALUE, most);
    v_store(scale, most / v_set1(FIX_VALUE));
    for (size_t i = 0; i < FIX_KEYS; i += 2, to += wide) {
        vf a = i < m ? load_upto(v + i * dim, w) : v_set1(0);
        vf b = i + 1 < m ? load_upto(v + (i + 1) * dim, w) : v_set1(0);
        vi_store(to, fix_pairs(fix_whole(a * back), fix_whole(b * back)));
    }
    return fix_most_of(bits) < 0x7f800000; // infinity
}

static void fix_keys_task(void *ctx, int task, int thread)
{
    const struct fix_attention *x = ctx;
    const struct attention *t = &x->t;
    struct fix_strip s = fix_strip_of(x, thread);
    size_t kv = (size_t)task / x->n_blocks, block = (size_t)task % x->n_blocks;
    int piece = piece_of(t, block * FIX_PANELS), sound = 1;
    const struct attend_piece *p = &t->a->pieces[piece];
    size_t first = (block * FIX_PANELS - t->first_panel[piece]) * TILE_N;
    size_t n = (size_t)p->n - first < FIX_KEYS ? (size_t)p->n - first : FIX_KEYS;
    size_t from = ((size_t)t->kv0 + kv) * (size_t)p->stride + first;
    size_t at = kv * t->n_panels + block * FIX_PANELS;
    for (size_t j = 0; j < n; j += TILE_N, at++)
        sound &= fix_key_panel(x, p->k + (from + j) * t->d,
                               p->k_rope ? p->k_rope + (first + j) * (size_t)t->a->rope_dim : NULL,
                               n - j < TILE_N ? n - j : TILE_N, s.row,
                               x->keys + at * x->wide / 2 * TILE_N, x->key_scale + at * TILE_N);
    block += kv * x->n_blocks;
    for (size_t k = 0; k < x->wide; k += VW) {
        int32_t *to = x->values + block * (FIX_KEYS / 2) * x->wide + k;
        sound &= fix_value_columns(p->v + from * t->d + (k < t->d ? k : 0), t->d, n,
                                   k < t->d ? (int)(t->d - k) : 0, to, x->wide,
                                   x->value_scale + block * x->wide + k);
    }
    x->odd[block] = !sound;
}

// ---- 2. Tiles of queries

static void fix_run_task(void *ctx, int task, int thread)
{
    const struct fix_attention *x = ctx;
    run_tiles(&x->t, x, fix_attend_tile, task, thread);
}

static int fix_all_sound(const void *ctx)
{
    const struct fix_attention *x = ctx;
    int odd = 0;
    for (size_t i = 0; i < (size_t)x->t.n_kv * x->n_blocks; i++)
        odd |= x->odd[i];
    return !odd;
}

// The cut into tiles of queries, tasks and memory, by the sizes alone.
static void fix_plan_tiles(struct fix_attention *x)
{
    struct attention *t = &x->t;
    x->masses = asks_for_masses(t->a) || t->a->self_mass;
    x->wide = (t->d + TILE_N - 1) / TILE_N * TILE_N;
    x->n_blocks = t->n_panels / FIX_PANELS;
    x->kept = x->masses ? t->n_panels : FIX_PANELS;
    size_t most = FIX_STRIP / (x->kept * TILE_N * sizeof(int16_t) + 1);
    cut_queries(t, most < FIX_TILE_ROWS ? most : FIX_TILE_ROWS);
    x->rows = ((size_t)(t->tile_q * t->group) + TILE_M - 1) / TILE_M * TILE_M;
}

// Lays the working memory out; 0 when there is none.
static int fix_plan_memory(struct cpu *c, struct fix_attention *x)
{
    struct attention *t = &x->t;
    size_t key_n = t->n_panels * x->wide / 2 * TILE_N;
    cut_heads(t, 2 * key_n);
    size_t n = (size_t)t->n_kv, columns = t->n_panels * TILE_N;
    size_t scales_n = n * (columns + x->n_blocks * x->wide);
    size_t odd_n = round_up(n * x->n_blocks / sizeof(float) + 1);
    x->scratch_bytes = fix_strip_floats(x) * sizeof(float) +
                       round_up(x->rows * fix_ld(x)) * sizeof *((struct fix_strip *)0)->prob;
    float *at = cpu_scratch(c, (shared_floats(t) + scales_n + odd_n + 2 * key_n * n) * sizeof *at +
                                   x->scratch_bytes * (size_t)pool_threads(c->pool));
    if (!at)
        return 0;
    x->key_scale = lay_shared(t, at);
    x->value_scale = x->key_scale + n * columns;
    x->odd = (unsigned char *)(x->value_scale + n * x->n_blocks * x->wide);
    x->keys = (int32_t *)(void *)(x->key_scale + scales_n + odd_n);
    x->values = x->keys + n * key_n;
    x->scratch = (uint8_t *)(x->values + n * key_n);
    return 1;
}

static void fix_attend(struct cpu *c, const struct attend *a)
{
    struct fix_attention x = {.t = attention_of(a, FIX_PANELS)};
    if (c->exact || few_attends(a) || a->head_dim > FIX_WIDEST) {
        simd_attend_any(c, a);
        return;
    }
    fix_plan_tiles(&x);
    if (!fix_plan_memory(c, &x))
        return;
    attend_heads(c, &x.t,
                 &(struct steps){fix_keys_task, fix_run_task, (int)x.n_blocks, fix_all_sound}, &x);
    if (x.t.kv0 < a->n_kv_heads)
        simd_attend(c, a, x.t.kv0);
}

#endif
