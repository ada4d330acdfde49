// Attention of one token, or few: rows of scores, (query, query head) pairs that share a kv head,
// are so few that keys and values are read once and used at once. A task takes one kv head and PART
// keys of one piece and leaves its maximum, sum and output; these are then put together in the
// order of the keys, so the bits do not depend on the threads. Nor do a token's on the others of
// its pass: keys that a row does not see add 0.
#ifndef LCTOOL_KERNELS_CPU_SIMD_ATTEND_FEW_H
#define LCTOOL_KERNELS_CPU_SIMD_ATTEND_FEW_H

#include "kernels/cpu/simd_attend.h"
#include "kernels/cpu/simd_attend_kept.h"

enum {
    FEW_ATTEND = CPU_FEW, // queries
    PART = 256,           // keys of one task
};

struct few_attention {
    const struct attend *a;
    size_t d, wide; // wide: d rounded up to whole vectors
    int group, rows, n_parts;
    int keeps;      // whether rows may be kept: simd_attend_kept.h
    float *q;       // [n_pieces][n_kv_heads][rows][wide], turned and scaled
    float *part;    // [n_kv_heads][n_parts][rows][2 + wide]: maximum, sum, output
    float *prob;    // NULL, or, where masses are asked for, [n_kv_heads][n_parts][rows][PART]:
                    // exponentials
    float *scratch; // per thread: [scratch_keys], [rows][PART + VW] scores, [rows][d]
    size_t scratch_n, scratch_keys; // the latter: [VW][d] keys, or a row that is to be kept
};

static int few_keeps(const struct few_attention *f, const struct attend_piece *p)
{
    return f->keeps && p->kept.k && !p->art;
}

static int part_count(const struct attend *a)
{
    int n = 0;
    for (int i = 0; i < a->n_pieces; i++)
        n += (a->pieces[i].n + PART - 1) / PART;
    return n;
}

static void few_queries(const struct few_attention *f)
{
    const struct attend *a = f->a;
    float *to = f->q;
    for (int piece = 0; piece < a->n_pieces; piece++)
        for (int kv = 0; kv < a->n_kv_heads; kv++)
            for (int r = 0; r < f->rows; r++, to += f->wide) {
                size_t i = (size_t)(r / f->group), head = (size_t)(kv * f->group + r % f->group);
                const float *rope = a->pieces[piece].q_rope;
                if (rope && a->pieces[piece].q_rope_step)
                    rope += i * (size_t)a->rope_dim;
                rotate(to, a->q + (i * (size_t)a->n_heads + head) * f->d, rope, a, a->scale);
            }
}

// Scores of VW keys [VW][d] against the query Q, not yet scaled.
INLINE vf few_dots(const float *keys, const float *q, int d)
{
    vf r[VW];
#pragma GCC unroll 16
    for (int i = 0; i < VW; i++)
        r[i] = v_set1(0);
    for (int t = 0; t + VW <= d; t += VW) {
        vf qt = v_load(q + t);
#pragma GCC unroll 16
        for (int i = 0; i < VW; i++)
            r[i] = v_fma(qt, v_load(keys + i * d + t), r[i]);
    }
    if (d % VW)
        for (int i = 0; i < VW; i++)
            r[i] = v_fma(load_upto(q + d / VW * VW, d % VW),
                         load_upto(keys + i * d + d / VW * VW, d % VW), r[i]);
    v_transpose(r);
    vf sum = r[0];
#pragma GCC unroll 16
    for (int i = 1; i < VW; i++)
        sum = sum + r[i];
    return sum;
}

// Scores of all rows with the keys FIRST .. FIRST + N - 1 of a piece, N <= PART: score[row][PART +
// VW].
static void few_scores(const struct few_attention *f, int piece, int kv, int first, int n,
                       float *keys, float *score)
{
    const struct attend *a = f->a;
    const struct attend_piece *p = &a->pieces[piece];
    const float *q = f->q + ((size_t)(piece * a->n_kv_heads + kv) * (size_t)f->rows) * f->wide;
    for (int j = 0; j < n; j += VW) {
        int m = n - j < VW ? n - j : VW;
        size_t at = (size_t)(first + j);
        const float *k = p->k + ((size_t)kv * (size_t)p->stride + at) * f->d;
        if (p->k_rope) {
            for (int i = 0; i < m; i++)
                rotate(keys + (size_t)i * f->d, k + (size_t)i * f->d,
                       p->k_rope + (at + (size_t)i) * (size_t)a->rope_dim, a, 1);
            k = keys;
        } else if (m < VW) {
            memcpy(keys, k, (size_t)m * f->d * sizeof *keys);
            k = keys;
        }
        for (int r = 0; r < f->rows; r++)
            v_store(score + r * (PART + VW) + j, few_dots(k, q + (size_t)r * f->wide, a->head_dim));
    }
}

INLINE void few_values_m(int m, const float *prob, const float *v, size_t d, int n, float *sum)
{
    for (size_t at = 0; at < d; at += TILE_N) {
        int width = d - at < TILE_N ? (int)(d - at) : TILE_N;
        if (width == TILE_N)
            value_fma(m, 1, prob, PART + VW, v + at, d, n, sum + at, width);
        else
            value_fma(m, 0, prob, PART + VW, v + at, d, n, sum + at, width);
    }
}

// sum[rows][d] += prob[rows][n] v[n][d]
static void few_values(int rows, const float *prob, const float *v, size_t d, int n, float *sum)
{
    for (; rows > 4; rows -= 4, prob += 4 * (PART + VW), sum += 4 * d)
        few_values_m(4, prob, v, d, n, sum);
    WITH_ROWS(rows, few_values_m(M, prob, v, d, n, sum));
}

// The keys of the part that row R sees, counted from its first.
static void few_visible(const struct few_attention *f, int piece, int first, int n, int r, int *lo,
                        int *hi)
{
    visible(&f->a->pieces[piece], f->a->n_q, r / f->group, lo, hi);
    *lo = *lo > first ? *lo - first : 0;
    *hi = *hi < first + n ? *hi - first : n;
    if (*hi < *lo)
        *hi = *lo = 0;
}

// The keys FIRST .. FIRST + N - 1 of a piece for one kv head, N <= PART: OUT [rows][2 + wide];
// PROB: NULL or [rows][PART].
static void few_part(const struct few_attention *f, int kv, int piece, int first, int n, int thread,
                     float *out, float *prob)
{
    const struct attend *a = f->a;
    const struct attend_piece *p = &a->pieces[piece];
    int rows = f->rows, lo, hi;
    size_t one = 2 + f->wide;
    const int kept = few_keeps(f, p);
    float *keys = f->scratch + (size_t)thread * f->scratch_n;
    float *score = keys + f->scratch_keys, *sum = score + rows * (PART + VW);
    const size_t q = (size_t)(piece * a->n_kv_heads + kv) * (size_t)rows * f->wide;
    const struct kept_part of = {a, p, kv, first, n, rows, f->q + q, f->wide, PART + VW};
    if (kept)
        kept_scores(&of, keys, score);
    else
        few_scores(f, piece, kv, first, n, keys, score);
    for (int r = 0; r < rows; r++) {
        float *s = score + r * (PART + VW), *to = out + (size_t)r * one;
        few_visible(f, piece, first, n, r, &lo, &hi);
        to[0] = lo < hi ? row_max(s + lo, hi - lo, a->softcap, -INFINITY) : -INFINITY;
        to[1] = lo < hi ? row_exp(s + lo, hi - lo, to[0]) : 0;
        memset(s, 0, (size_t)lo * sizeof *s);
        memset(s + hi, 0, (size_t)(n - hi) * sizeof *s);
        if (prob)
            memcpy(prob + (size_t)r * PART, s, (size_t)n * sizeof *s);
    }
    if (kept) {
        kept_values(&of, score, sum);
    } else {
        memset(sum, 0, (size_t)rows * f->d * sizeof *sum);
        few_values(rows, score, p->v + ((size_t)kv * (size_t)p->stride + (size_t)first) * f->d,
                   f->d, n, sum);
    }
    for (int r = 0; r < rows; r++)
        memcpy(out + (size_t)r * one + 2, sum + (size_t)r * f->d, f->d * sizeof *sum);
}

static void few_attend_task(void *ctx, int task, int thread)
{
    const struct few_attention *f = ctx;
    int kv = task / f->n_parts, part = task % f->n_parts, piece = 0;
    for (int n; part >= (n = (f->a->pieces[piece].n + PART - 1) / PART); piece++)
        part -= n;
    int first = part * PART, left = f->a->pieces[piece].n - first;
    few_part(f, kv, piece, first, left < PART ? left : PART, thread,
             f->part + (size_t)task * (size_t)f->rows * (2 + f->wide),
             f->prob ? f->prob + (size_t)task * (size_t)f->rows * PART : NULL);
}

// dst[n] += scale * src[n], rounded in between: it may be added later as well
// (attend_piece.mass_step).
static void few_add_mass(float *dst, const float *src, float scale, int n)
{
    for (int i = 0; i < n; i += VW)
        store_upto(dst + i, load_upto(dst + i, n - i) + load_upto(src + i, n - i) * v_set1(scale),
                   n - i);
}

// What row R, whose maximum and sum of all parts are MAX and SUM, gives the keys.
static void few_masses(const struct few_attention *f, int kv, int r, float max, float sum)
{
    const struct attend *a = f->a;
    size_t part = (size_t)kv * (size_t)f->n_parts, i = (size_t)(r / f->group),
           head = (size_t)(kv * f->group + r % f->group);
    for (const struct attend_piece *p = a->pieces; p < a->pieces + a->n_pieces; p++) {
        float *to = p->mass ? p->mass + i * p->mass_step + head * (size_t)p->stride : NULL;
        for (int first = 0; first < p->n; first += PART, part++) {
            size_t row = part * (size_t)f->rows + (size_t)r;
            const float *from = f->part + row * (2 + f->wide);
            if (to && from[1] != 0)
                few_add_mass(to + first, f->prob + row * PART, expf(from[0] - max) / sum,
                             p->n - first < PART ? p->n - first : PART);
        }
    }
}

// One softmax of all parts of a row.
static void few_join(const struct few_attention *f, int kv, int r)
{
    const struct attend *a = f->a;
    size_t one = 2 + f->wide, step = (size_t)f->rows * one;
    const float *parts = f->part + (size_t)kv * (size_t)f->n_parts * step + (size_t)r * one;
    size_t i = (size_t)(r / f->group), head = (size_t)(kv * f->group + r % f->group);
    float *out = a->out + (i * (size_t)a->n_heads + head) * f->d, max = -INFINITY, sum = 0;
    for (int p = 0; p < f->n_parts; p++) {
        float top = parts[(size_t)p * step];
        max = top > max || isnan(top) ? top : max;
    }
    memset(out, 0, f->d * sizeof *out);
    for (int p = 0; p < f->n_parts; p++) {
        const float *from = parts + (size_t)p * step;
        float scale = from[1] == 0 ? 0 : expf(from[0] - max);
        sum += from[1] * scale;
        if (scale != 0)
            add_scaled(out, from + 2, scale, (int)f->d);
    }
    for (size_t k = 0; k < f->d; k++)
        out[k] = sum == 0 ? 0 : out[k] / sum;
    if (f->prob)
        few_masses(f, kv, r, max, sum);
}

// ---- ART: block after block, until the output hardly changes (kernels.h)

// What a row has put together so far, and how it was the block before.
struct few_running {
    float max, sum;
    float probe[ART_PROBE];
    int stable;
};

// OUT [wide] and W take over the part PART [2 + wide].
static void few_take(struct few_running *w, float *out, const float *part, int d)
{
    if (part[1] == 0)
        return;
    float max = part[0] > w->max || isnan(part[0]) ? part[0] : w->max;
    float old = w->sum == 0 ? 0 : expf(w->max - max), scale = expf(part[0] - max);
    for (int i = 0; i < d; i++)
        out[i] *= old;
    add_scaled(out, part + 2, scale, d);
    w->sum = w->sum * old + part[1] * scale;
    w->max = max;
}

// Looks at the output; whether it is as it was before (ART, Eq. 2).
static int few_is_stable(const struct art *art, struct few_running *w, const float *out, size_t d)
{
    size_t step = (d + ART_PROBE - 1) / ART_PROBE;
    double a = 0, b = 0, ab = 0;
    for (size_t t = 0, i = 0; t < d; t += step, i++) {
        double before = (double)w->probe[i], now = w->sum == 0 ? 0 : (double)(out[t] / w->sum);
        a += now * now;
        b += before * before;
        ab += now * before;
        w->probe[i] = (float)now;
    }
    a = sqrt(a);
    b = sqrt(b);
    return fabs(a - b) < (double)art->scale * b && 1 - ab / (a * b) < (double)art->direction;
}

// What one kv head works with.
struct few_art_room {
    float *part;           // [rows][2 + wide]
    float *out;            // [rows][wide]
    struct few_running *w; // [rows]
    uint64_t *read;        // [2] as art.read, of this kv head
};

// Of kv head KV; with NULL its size in floats is the result.
static size_t few_art_room(const struct few_attention *f, int kv, struct few_art_room *room)
{
    size_t rows = (size_t)f->rows, out = round_up(rows * (2 + f->wide)),
           w = out + round_up(rows * f->wide);
    size_t read = w + round_up(rows * sizeof(struct few_running) / sizeof(float) + 1),
           n = read + round_up(4);
    if (!room)
        return n;
    room->part = f->part + (size_t)kv * n;
    room->out = room->part + out;
    room->w = (void *)(room->part + w);
    room->read = (void *)(room->part + read);
    return n;
}

// A piece without ART, or one with it as far as some row wants to read.
static void few_art_piece(const struct few_attention *f, const struct few_art_room *room, int kv,
                          int piece, int thread)
{
    const struct attend_piece *p = &f->a->pieces[piece];
    const struct art *art = f->a->art;
    int step = p->art ? art->block : PART, left = f->rows;
    for (int r = 0; r < f->rows; r++)
        room->w[r].stable = 0;
    for (int first = 0; first < p->n && left; first += step) {
        few_part(f, kv, piece, first, p->n - first < step ? p->n - first : step, thread, room->part,
                 NULL);
        for (int r = 0; r < f->rows; r++) {
            struct few_running *w = &room->w[r];
            float *out = room->out + (size_t)r * f->wide;
            if (p->art && w->stable >= art->patience)
                continue;
            few_take(w, out, room->part + (size_t)r * (2 + f->wide), (int)f->d);
            if (!p->art)
                continue;
            w->stable = few_is_stable(art, w, out, f->d) ? w->stable + 1 : 0;
            left -= w->stable >= art->patience;
            room->read[0]++;
        }
    }
    if (p->art)
        room->read[1] += (uint64_t)f->rows * (uint64_t)((p->n + step - 1) / step);
}

static void few_art_task(void *ctx, int kv, int thread)
{
    const struct few_attention *f = ctx;
    const struct attend *a = f->a;
    struct few_art_room room;
    few_art_room(f, kv, &room);
    memset(room.out, 0, (size_t)f->rows * f->wide * sizeof *room.out);
    room.read[0] = room.read[1] = 0;
    for (int r = 0; r < f->rows; r++)
        room.w[r] = (struct few_running){.max = -INFINITY};
    for (int last = 0; last < 2; last++) {
        for (int i = 0; i < a->n_pieces; i++)
            if (a->pieces[i].art == last)
                few_art_piece(f, &room, kv, i, thread);
        for (int r = 0; r < f->rows && !last; r++) // p_0
            few_is_stable(a->art, &room.w[r], room.out + (size_t)r * f->wide, f->d);
    }
    for (int r = 0; r < f->rows; r++) {
        const float *from = room.out + (size_t)r * f->wide;
        float *to = a->out + (size_t)(kv * f->group + r) * f->d;
        for (size_t k = 0; k < f->d; k++)
            to[k] = room.w[r].sum == 0 ? 0 : from[k] / room.w[r].sum;
    }
}

// One token, kv heads side by side: what a block brings is known before the next one is read.
static void few_art(struct cpu *c, struct few_attention *f)
{
    const struct attend *a = f->a;
    pool_run(c->pool, a->n_kv_heads, few_art_task, f);
    for (int kv = 0; kv < a->n_kv_heads; kv++) {
        struct few_art_room room;
        few_art_room(f, kv, &room);
        a->art->read[0] += room.read[0];
        a->art->read[1] += room.read[1];
    }
}

static int few_has_art(const struct attend *a)
{
    return a->art && a->n_q == 1 && !asks_for_masses(a);
}

// Whether this file does it.
static int few_attends(const struct attend *a)
{
    return a->n_q <= FEW_ATTEND && !a->self_mass;
}

static void few_attend(struct cpu *c, const struct attend *a)
{
    struct few_attention f = {
        .a = a, .d = (size_t)a->head_dim, .group = a->n_heads / a->n_kv_heads, .keeps = !c->exact};
    f.rows = a->n_q * f.group;
    f.n_parts = part_count(a);
    f.wide = (f.d + VW - 1) / VW * VW;
    size_t q_n = (size_t)(a->n_pieces * a->n_kv_heads * f.rows) * f.wide;
    size_t part_n = few_has_art(a)
                        ? (size_t)a->n_kv_heads * few_art_room(&f, 0, NULL)
                        : round_up((size_t)(a->n_kv_heads * f.n_parts * f.rows) * (2 + f.wide));
    size_t prob_n = asks_for_masses(a) ? (size_t)(a->n_kv_heads * f.n_parts * f.rows) * PART : 0;
    f.scratch_keys = round_up((size_t)VW * f.d + kept_width(a->head_dim));
    f.scratch_n = f.scratch_keys + round_up((size_t)f.rows * (PART + VW + f.d));
    f.q = cpu_scratch(
        c, (round_up(q_n) + part_n + prob_n + (size_t)pool_threads(c->pool) * f.scratch_n) *
               sizeof *f.q);
    if (!f.q)
        return;
    f.part = f.q + round_up(q_n);
    f.prob = prob_n ? f.part + part_n : NULL;
    f.scratch = f.part + part_n + prob_n;
    few_queries(&f);
    int ends_early = few_has_art(a);
    if (ends_early)
        few_art(c, &f);
    else
        pool_run(c->pool, a->n_kv_heads * f.n_parts, few_attend_task, &f);
    for (int i = 0; i < a->n_pieces; i++)
        if (few_keeps(&f, &a->pieces[i]))
            *a->pieces[i].kept.n = a->pieces[i].n;
    for (int kv = 0; kv < a->n_kv_heads && !ends_early; kv++)
        for (int r = 0; r < f.rows; r++)
            few_join(&f, kv, r);
}

// All of attention: the few here, the many as simd_attend.h does it.
static void simd_attend_any(struct cpu *c, const struct attend *a)
{
    if (a->n_q <= 0)
        return;
    if (few_attends(a))
        few_attend(c, a);
    else
        simd_attend(c, a, 0);
}

#endif
