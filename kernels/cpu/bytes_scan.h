// Index vectors scored by queries, in bytes: a query is rounded to 16 bits, which are two rows of
// bytes, the high and the low one, and sums are of whole numbers. Included after a
// kernels/cpu/vi_*.h and
//
//     add_products(&s, u, q)               // s += u q in fours; u as vi_key makes it
#ifndef LCTOOL_KERNELS_CPU_BYTES_SCAN_H
#define LCTOOL_KERNELS_CPU_BYTES_SCAN_H

#include "kernels/cpu/simd_scan.h"

enum {
    HALF_BASE = 256,                   // a query's number is scale * (HALF_BASE high + low),
    HALF_MOST = 127 * HALF_BASE + 127, // both of which are bytes with a sign
    SCAN_ROWS = 6,                     // halves of queries multiplied at once
    SCAN_COLS = 2 * VW,                // by as many keys
};

struct scan_bytes {
    int fours;            // of a key
    const int32_t *x;     // [n_q / 3][fours][SCAN_ROWS], the last group narrower
    const int32_t *begin; // [n_q][2], what their sums begin with: less KEY_OFFSET of each number
    const float *scale;   // [n_q]
};

// ---- Queries

// The largest magnitude of N numbers; what is no number does not count.
static float scan_most(const float *x, int n)
{
    float most = 0;
    for (int i = 0; i < n; i++)
        most = fabsf(x[i]) > most ? fabsf(x[i]) : most;
    return most;
}

// Q [4 * fours] to both rows, fours STRIDE apart.
static void scan_split(const float *q, int fours, int32_t *to, size_t stride, int32_t begin[2],
                       float *scale)
{
    float most = scan_most(q, 4 * fours), by = most > 0 ? HALF_MOST / most : 0;
    *scale = most / HALF_MOST;
    begin[0] = begin[1] = 0;
    for (int g = 0; g < fours; g++, to += stride) {
        int8_t half[2][4];
        for (int t = 0; t < 4; t++) {
            int x = (int)lrintf(q[4 * g + t] * by), high = (x + HALF_BASE / 2) >> 8;
            half[0][t] = (int8_t)high;
            half[1][t] = (int8_t)(x - high * HALF_BASE);
            begin[0] -= KEY_OFFSET * half[0][t];
            begin[1] -= KEY_OFFSET * half[1][t];
        }
        memcpy(to, half, sizeof half);
    }
}

// ---- Keys

// M <= VW keys to TO [fours][SCAN_COLS], as vi_key makes them; the last one also stands for those
// that are missing.
static void scan_fours(int32_t *to, const int8_t *keys, int m, int fours)
{
    const int8_t *key[VW];
    int g = 0;
    for (int i = 0; i < VW; i++)
        key[i] = keys + (size_t)(i < m ? i : m - 1) * (size_t)fours * 4;
    for (; g + VW <= fours; g += VW) {
        vf r[VW];
#pragma GCC unroll 16
        for (int i = 0; i < VW; i++)
            r[i] = vi_key(key[i] + 4 * g);
        v_transpose(r);
#pragma GCC unroll 16
        for (int i = 0; i < VW; i++)
            v_store((float *)(void *)(to + (g + i) * SCAN_COLS), r[i]);
    }
    for (; g < fours; g++)
        for (int i = 0; i < VW; i++) {
            uint8_t four[4];
            for (int t = 0; t < 4; t++)
                four[t] = (uint8_t)(key[i][4 * g + t] + KEY_OFFSET);
            memcpy(to + g * SCAN_COLS + i, four, sizeof four);
        }
}

// N <= SCAN_ROWS / 2 queries from the one at X on by SCAN_COLS keys; N a constant after inlining.
INLINE void scan_halves(int n, const struct scan_bytes *b, int query, const int32_t *keys,
                        const vf key_scale[2], float *to)
{
    const int32_t *x = b->x + (size_t)query * 2 * (size_t)b->fours;
    vi s[SCAN_ROWS][2];
#pragma GCC unroll 6
    for (int i = 0; i < 2 * n; i++)
        s[i][0] = s[i][1] = vi_set1(b->begin[2 * query + i]);
    for (int g = 0; g < b->fours; g++, x += 2 * n, keys += SCAN_COLS) {
        vi u0 = vi_load(keys), u1 = vi_load(keys + VW);
#pragma GCC unroll 6
        for (int i = 0; i < 2 * n; i++) {
            vq q = vq_at(x, i);
            add_products(&s[i][0], u0, q);
            add_products(&s[i][1], u1, q);
        }
    }
#pragma GCC unroll 3
    for (int i = 0; i < n; i++, to += SCAN_STRIP) {
        const vf base = v_set1(HALF_BASE), scale = v_set1(b->scale[query + i]);
#pragma GCC unroll 2
        for (int v = 0; v < 2; v++)
            v_store(to + v * VW, v_fma(vi_whole(s[2 * i][v]), base, vi_whole(s[2 * i + 1][v])) *
                                     (key_scale[v] * scale));
    }
}

static void bytes_score(const struct scan_job *j, uint64_t at, int n, float *work, float *strips)
{
    const struct scan *s = j->s;
    const struct scan_bytes *b = j->queries;
    const uint64_t d = (uint64_t)s->head_dim;
    int32_t *keys = (int32_t *)(void *)work;
    for (int i = 0; i < n; i += SCAN_COLS) {
        vf scale[2];
        ask_later(s->keys + (at + (uint64_t)i) * d, SCAN_COLS * d);
        for (int v = 0; v < 2; v++) {
            int first = i + v * VW, m = n - first < VW ? n - first : VW;
            scale[v] = load_upto(s->key_scale + at + first, m) * v_set1(s->scale);
            if (m > 0)
                scan_fours(keys + v * VW, s->keys + (at + (uint64_t)first) * d, m, b->fours);
        }
        int q = 0;
        for (; q + 3 <= s->n_q; q += 3)
            scan_halves(3, b, q, keys, scale, strips + q * SCAN_STRIP + i);
        if (s->n_q - q == 2)
            scan_halves(2, b, q, keys, scale, strips + q * SCAN_STRIP + i);
        else if (s->n_q > q)
            scan_halves(1, b, q, keys, scale, strips + q * SCAN_STRIP + i);
    }
}

// As device_ops.scan, but queries are rounded to 16 bits where head_dim is a multiple of 4.
static void bytes_scan(struct cpu *c, const struct scan *s)
{
    enum { BEHIND = 4 }; // what vq_at may read behind the last one
    int d = s->head_dim, fours = d / 4;
    float *head;
    if (s->n_blocks <= 0 || s->n_q <= 0)
        return;
    if (c->exact || d % 4 || !isfinite(scan_most(s->q, s->n_q * d))) {
        simd_scan(c, s);
        return;
    }
    size_t n = (size_t)s->n_q, n_x = n * 2 * (size_t)fours + BEHIND;
    struct scan_bytes b = {.fours = fours};
    struct scan_job j = {
        .s = s, .score = bytes_score, .work_n = (size_t)fours * SCAN_COLS, .queries = &b};
    if (!scan_begin(c, &j, n_x + 3 * n, &head))
        return;
    int32_t *x = (int32_t *)(void *)head, *begin = x + n_x;
    float *scale = head + n_x + 2 * n;
    for (int i = 0; i < s->n_q; i++) {
        int group = i / 3 * 3, of = s->n_q - group < 3 ? s->n_q - group : 3;
        scan_split(s->q + i * d, fours, x + group * 2 * fours + 2 * (i - group), 2 * (size_t)of,
                   begin + 2 * i, scale + i);
    }
    memset(x + n_x - BEHIND, 0, BEHIND * sizeof *x);
    b.x = x;
    b.begin = begin;
    b.scale = scale;
    scan_run(c, &j);
}

#endif
