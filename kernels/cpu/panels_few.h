// Products with few rows of x on packed weights: kernels/cpu/few.h. Included by the header with the
// panels (kernels/cpu/panels.h), behind
//
//     FEW_AT_ONCE                          // rows of x whose sums the registers hold
//     FEW_MOST                             // rows of x up to which that is sooner done
//     few_add(type, &s, u, q)              // s += u q, Q a four that all rows have
//     few_both(type, s, t)                 // the sum of two such sums
//     few_floats(type, s)                  // the VW sums
//     round_block                          // x as bytes
#ifndef LCTOOL_KERNELS_CPU_PANELS_FEW_H
#define LCTOOL_KERNELS_CPU_PANELS_FEW_H

#include "kernels/cpu/few.h"
#include "kernels/cpu/panels.h"

static int few_takes(const struct cpu *c, const struct mat *w, int n)
{
    (void)c;
    return w->packed && n <= FEW_MOST;
}

// To [n / FEW_AT_ONCE][blocks][FEW_WORDS][FEW_AT_ONCE], the last group narrower.
static void few_round_to(const struct few_job *f, size_t row, const float *from)
{
    size_t group = row / FEW_AT_ONCE * FEW_AT_ONCE;
    size_t m = f->n - group < FEW_AT_ONCE ? f->n - group : FEW_AT_ONCE;
    int32_t *to = f->x + group * f->blocks * FEW_WORDS + row % FEW_AT_ONCE;
    for (size_t b = 0; b < f->blocks; b++, to += FEW_WORDS * m) {
        int32_t q[FOURS];
        float *scale = (float *)(void *)(to + FOURS * m);
        round_block(from + b * BLOCK, (int8_t *)q, scale, scale + m);
        for (size_t g = 0; g < FOURS; g++)
            to[g * m] = q[g];
    }
}

// A panel of weights W by M rows of x, TYPE and M constants after inlining. Few rows have two sums
// each, whose additions need not wait for one another.
INLINE void few_panel(uint32_t type, int m, size_t blocks, const int32_t *x, const uint8_t *w,
                      vf *total)
{
    const int two = m <= FEW_AT_ONCE / 2;
    size_t bytes = panel_block_bytes(type);
    vf all[FEW_AT_ONCE];
#pragma GCC unroll 8
    for (int i = 0; i < m; i++)
        all[i] = v_set1(0);
    for (size_t b = 0; b < blocks; b++, w += bytes, x += FEW_WORDS * m) {
        struct panel_block k = panel_block(type, w);
        ask_later(w, bytes);
        const float *scale = (const float *)(const void *)(x + FOURS * m), *sum = scale + m;
        vi s[FEW_AT_ONCE][2];
#pragma GCC unroll 8
        for (int i = 0; i < m; i++)
            s[i][0] = s[i][1] = vi_zero();
#pragma GCC unroll 8
        for (int g = 0; g < FOURS; g++) {
            vi u = panel_codes(type, k.codes, g);
#pragma GCC unroll 8
            for (int i = 0; i < m; i++)
                few_add(type, &s[i][two ? g & 1 : 0], u, x + g * m + i);
        }
#pragma GCC unroll 8
        for (int i = 0; i < m; i++) {
            vf products = few_floats(type, two ? few_both(type, s[i][0], s[i][1]) : s[i][0]);
            all[i] = v_fma(products, k.d * v_set1(scale[i]), v_fma(k.m, v_set1(sum[i]), all[i]));
        }
    }
#pragma GCC unroll 8
    for (int i = 0; i < m; i++)
        total[i] = all[i];
}

INLINE void few_panel_m(uint32_t type, int m, size_t blocks, const int32_t *x, const uint8_t *w,
                        vf *total)
{
    switch (m) {
#define CASE(M)                                                                                    \
    case M:                                                                                        \
        few_panel(type, M, blocks, x, w, total);                                                   \
        break
        CASE(1);
        CASE(2);
        CASE(3);
        CASE(4);
#if VW > 8
        CASE(5);
        CASE(6);
        CASE(7);
        CASE(8);
#endif
#undef CASE
    }
}

static int few_part_of(const struct few_job *f, const struct mat *w, size_t part, size_t at, vf *y)
{
    const uint8_t *src = (const uint8_t *)w->packed + part * f->blocks * panel_block_bytes(w->type);
    const int32_t *x = f->x + at * f->blocks * FEW_WORDS;
    int m = f->n - at < FEW_AT_ONCE ? (int)(f->n - at) : FEW_AT_ONCE;
    if (w->type == QUANT_Q4_1)
        few_panel_m(QUANT_Q4_1, m, f->blocks, x, src, y);
    else if (w->type == QUANT_Q4_0)
        few_panel_m(QUANT_Q4_0, m, f->blocks, x, src, y);
    else
        few_panel_m(QUANT_Q8_0, m, f->blocks, x, src, y);
    return m;
}

#endif
