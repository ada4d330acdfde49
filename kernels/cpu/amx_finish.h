// What becomes of a group's sums while the next group's are made.
#ifndef LCTOOL_KERNELS_CPU_AMX_FINISH_H
#define LCTOOL_KERNELS_CPU_AMX_FINISH_H

#include "kernels/cpu/amx_job.h"
#include "kernels/cpu/simd_rows.h"

// What x / (1 + e^-x) is made of: e^-x as 2^t. The polynomial is 2^r to 1e-4; that and the
// division's 2^-14 are little beside the rounding to bfloat16 that follows.
struct amx_silu {
    vf log2, one, power[4]; // of r: from the constant on
};

// Not a constant to the compiler, which would load it from memory wherever it is used.
INLINE vf amx_kept(float x)
{
    vf v = v_set1(x);
    __asm__("" : "+v"(v));
    return v;
}

INLINE struct amx_silu amx_silu_new(void)
{
    return (struct amx_silu){amx_kept(-1.44269504f),
                             amx_kept(1),
                             {amx_kept(0.999925196f), amx_kept(0.695833504f),
                              amx_kept(0.226067171f), amx_kept(0.0780245215f)}};
}

INLINE vf amx_silu(const struct amx_silu *k, vf x)
{
    vf t = x * k->log2;
    vf r = _mm512_reduce_ps(t, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC); // 0 <= r < 1
    vf y = v_fma(k->power[3], r, k->power[2]);
    y = v_fma(y, r, k->power[1]);
    y = v_fma(y, r, k->power[0]);
    return x * _mm512_rcp14_ps(k->one + _mm512_scalef_ps(y, t)); // y * 2^floor(t)
}

// Of a gated panel tiles A of the next product, of another one its output.
struct amx_finishing {
    const float *sums; // of the next row: PANEL of them; gated: of gate, then of up
    int done, n;       // rows
    uint16_t *y;       // gated: the next row's place in tiles A
    size_t next; // and numbers from the end of the first tile of rows to the second's beginning
    float *out;  // else: the next row's place; the row after is ROW numbers on
    const float *add;  // as out, or NULL
    const float *bias; // or NULL
    size_t row;
    // Numbers to the row whose cache lines are asked for: this one or the next group's.
    size_t ahead;
    __mmask16 mask[2]; // the columns that are there
};

// Whether the N rows from FIRST on go to two caches.
static int amx_parted(const struct heads_to *h, size_t first, size_t n)
{
    size_t split = (size_t)h->split;
    return split > first && split < first + n;
}

// Where a token's column goes.
static float *amx_head_at(const struct heads_to *h, size_t token, size_t col)
{
    size_t d = (size_t)h->head_dim, split = (size_t)h->split;
    int i = token >= split;
    return h->cache[i] + (col / d * (size_t)h->stride[i] + token - (i ? split : 0)) * d + col % d;
}

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
        f.next = one - AMX_TILE;
        return f;
    }
    const struct heads_to *heads = j->puts ? p->to->heads : NULL;
    int straight = heads && !amx_parted(heads, first, (size_t)f.n);
    f.out = straight ? amx_head_at(heads, first, col) : p->to->out + at;
    f.row = straight ? (size_t)heads->head_dim : row;
    f.ahead = heads || j->cold ? PANEL * f.row : 0;
    if (j->k0) { // passes after the first add to what is there
        f.add = f.out;
    } else {
        f.add = p->to->add ? p->to->add + at : NULL;
        f.bias = p->to->bias ? p->to->bias + col : NULL;
    }
    uint32_t there = wide < PANEL ? (1u << wide) - 1 : UINT32_MAX;
    f.mask[0] = (__mmask16)there;
    f.mask[1] = (__mmask16)(there >> VW);
    return f;
}

// The next two rows of a gated panel.
INLINE void amx_gate_rows(struct amx_finishing *f, enum act act, const struct amx_silu *silu)
{
    const float *at = f->sums;
    uint16_t *to = f->y;
    vf a = v_load(at), b = v_load(at + PANEL);
    a = act == ACT_SILU ? amx_silu(silu, a) : gelu_tanh(a);
    b = act == ACT_SILU ? amx_silu(silu, b) : gelu_tanh(b);
    __m512i y = amx_narrow(a * v_load(at + VW), b * v_load(at + PANEL + VW));
    _mm256_storeu_si256((__m256i *)(void *)to, _mm512_castsi512_si256(y));
    _mm256_storeu_si256((__m256i *)(void *)(to + AMX_K), _mm512_extracti64x4_epi64(y, 1));
    f->done += 2;
    f->sums += 2 * PANEL;
    f->y += 2 * AMX_K;
    if (f->done == AMX_ROWS)
        f->y += f->next;
}

// The next row of another panel.
INLINE void amx_out_row(struct amx_finishing *f)
{
    vf a = v_load(f->sums), b = v_load(f->sums + VW);
    f->done++;
    f->sums += PANEL;
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
    _mm_prefetch((const char *)(f->out + f->ahead), _MM_HINT_T1);
    _mm_prefetch((const char *)(f->out + f->ahead + VW), _MM_HINT_T1);
    f->out += f->row;
}

INLINE void amx_finish_rows(int gated, struct amx_finishing *f, enum act act,
                            const struct amx_silu *silu)
{
    if (gated) {
        amx_gate_rows(f, act, silu);
        return;
    }
    amx_out_row(f);
    if (f->done < f->n)
        amx_out_row(f);
}

#endif
