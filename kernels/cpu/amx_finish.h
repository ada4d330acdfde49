// What becomes of a group's sums while the next group's are made.
#ifndef LCTOOL_KERNELS_AMX_FINISH_H
#define LCTOOL_KERNELS_AMX_FINISH_H

#include "kernels/cpu/amx_job.h"
#include "kernels/cpu/simd_rows.h"

// x / (1 + e^-x), e^-x as 2^t; the polynomial is 2^r to 1e-4. That and the division's 2^-14 are
// little beside the rounding to bfloat16 that follows.
INLINE vf amx_silu(vf x)
{
    vf t = x * v_set1(-1.44269504f);
    vf r = _mm512_reduce_ps(t, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC); // 0 <= r < 1
    vf y = v_set1(0.0780245215f);
    y = v_fma(y, r, v_set1(0.226067171f));
    y = v_fma(y, r, v_set1(0.695833504f));
    y = v_fma(y, r, v_set1(0.999925196f));
    return x * _mm512_rcp14_ps(v_set1(1) + _mm512_scalef_ps(y, t)); // y * 2^floor(t)
}

// Of a gated panel tiles A of the next product, of another one its output.
struct amx_finishing {
    const float *sums; // [PANEL][PANEL]; gated: gate, then up
    int done, n;       // rows
    uint16_t
        *y; // gated: the first row's place in tiles A; the second tile of rows is NEXT numbers on
    size_t next;
    float *out;        // else: the next row's place; the row after is ROW numbers on
    const float *add;  // likewise, or NULL
    const float *bias; // or NULL
    size_t row;
    __mmask16 mask[2]; // the columns that are there
};

static struct amx_finishing amx_finishing_of(const struct amx_job *j, const struct amx_panel *p,
                                             size_t g, const float *sums)
{
    size_t first = g * PANEL, row = (size_t)p->to->w->rows, col = p->row[0],
           one = j->y_steps * AMX_TILE, left = j->n - first, wide = row - col,
           at = first * row + col;
    struct amx_finishing f = {.sums = sums, .n = left < PANEL ? (int)left : PANEL};
    if (j->gated) { // past the last row of x the sums are of zeros
        f.n = left > AMX_ROWS ? PANEL : AMX_ROWS;
        f.y = j->y + g * 2 * one + col / AMX_K * AMX_TILE + col % AMX_K;
        f.next = one;
        return f;
    }
    f.out = p->to->out + at;
    f.add = p->to->add ? p->to->add + at : NULL;
    f.bias = p->to->bias ? p->to->bias + col : NULL;
    f.row = row;
    uint32_t there = wide < PANEL ? (1u << wide) - 1 : UINT32_MAX;
    f.mask[0] = (__mmask16)there;
    f.mask[1] = (__mmask16)(there >> VW);
    return f;
}

// The next two rows of a gated panel.
INLINE void amx_gate_rows(struct amx_finishing *f, enum act act)
{
    const float *at = f->sums + f->done * PANEL;
    uint16_t *to = f->y + (f->done >= AMX_ROWS ? f->next : 0) + f->done % AMX_ROWS * AMX_K;
    vf a = v_load(at), b = v_load(at + PANEL);
    a = act == ACT_SILU ? amx_silu(a) : gelu_tanh(a);
    b = act == ACT_SILU ? amx_silu(b) : gelu_tanh(b);
    __m512i y = amx_narrow(a * v_load(at + VW), b * v_load(at + PANEL + VW));
    _mm256_storeu_si256((__m256i *)(void *)to, _mm512_castsi512_si256(y));
    _mm256_storeu_si256((__m256i *)(void *)(to + AMX_K), _mm512_extracti64x4_epi64(y, 1));
    f->done += 2;
}

// The next row of another panel.
INLINE void amx_out_row(struct amx_finishing *f)
{
    const float *sums = f->sums + f->done++ * PANEL;
    vf a = v_load(sums), b = v_load(sums + VW);
    if (f->bias) {
        a = a + _mm512_maskz_loadu_ps(f->mask[0], f->bias);
        b = b + _mm512_maskz_loadu_ps(f->mask[1], f->bias + VW);
    }
    if (f->add) {
        a = a + _mm512_maskz_loadu_ps(f->mask[0], f->add);
        b = b + _mm512_maskz_loadu_ps(f->mask[1], f->add + VW);
        f->add += f->row;
    }
    _mm512_mask_storeu_ps(f->out, f->mask[0], a);
    _mm512_mask_storeu_ps(f->out + VW, f->mask[1], b);
    f->out += f->row;
}

INLINE void amx_finish_rows(int gated, struct amx_finishing *f, enum act act)
{
    if (gated) {
        amx_gate_rows(f, act);
        return;
    }
    amx_out_row(f);
    if (f->done < f->n)
        amx_out_row(f);
}

#endif
