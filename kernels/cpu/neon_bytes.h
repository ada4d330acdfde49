// Weights brought to bytes four rows at a time, for kernels/cpu/int_matmul.h on 64-bit ARM, whose
// instructions multiply bytes with signs: codes stay as they are. Included after the header with
// the register tile; the cpu_ISA.c defines put_rows.
#ifndef LCTOOL_KERNELS_CPU_NEON_BYTES_H
#define LCTOOL_KERNELS_CPU_NEON_BYTES_H

#include "kernels/cpu/neon_few.h"

#include "kernels/cpu/bytes_matmul.h"

static const uint8_t *weights_at(const struct mat *w, size_t row, size_t n, size_t *bytes)
{
    return rows_at(w, row, n, bytes);
}

static const struct int_form *form_of(uint32_t type)
{
    return cpu_scales_32(type) ? &bytes_form : NULL;
}

// Codes have signs.
static int is_flat(uint32_t type)
{
    return !has_minimum(type);
}

// Block B of VW weight rows to those of the panel from AT on: of each two vectors of 16 bytes.
INLINE void put_rows(const struct panel *panel, size_t b, size_t at, int8x16_t (*u)[2], vf d, vf m);

// fill_half from the weights as they lie in the file, TYPE a constant after inlining.
INLINE void bytes_half(uint32_t type, const struct panel *panel, const struct mat *w,
                       const uint8_t **src, size_t at)
{
    size_t bytes = (size_t)quant_bytes(type, BLOCK), blocks = (size_t)w->cols / BLOCK;
    for (size_t b = 0; b < blocks; b++) {
        int8x16_t u[VW][2];
        vf d, m;
        four_scales(type, src, &d, &m);
#pragma GCC unroll 4
        for (int i = 0; i < VW; i++) {
            block_codes(type, src[i], u[i]);
            for (int v = 0; v < 2 && type == QUANT_Q4_0; v++)
                u[i][v] = vsubq_s8(u[i][v], vdupq_n_s8(8));
            src[i] += bytes;
        }
        put_rows(panel, b, at, u, d, is_flat(type) ? v_set1(0) : m);
    }
}

// fill_half for any type.
static void any_half(const struct panel *panel, const struct mat *w, const uint8_t **src, size_t at)
{
    const struct quant *q = quant_find(w->type);
    struct codes c[VW];
    for (size_t k = 0; k < (size_t)w->cols; k += (size_t)q->block) {
        for (int i = 0; i < VW; i++) {
            codes_of(w->type, src[i], &c[i]);
            src[i] += q->bytes;
        }
        for (int j = 0; j < q->block; j += BLOCK) {
            int8x16_t u[VW][2];
            float d[VW], m[VW];
            for (int i = 0; i < VW; i++) {
                u[i][0] = vld1q_s8(c[i].q + j);
                u[i][1] = vld1q_s8(c[i].q + j + 16);
                d[i] = c[i].scale[j / 16];
                m[i] = -c[i].min[j / 16];
            }
            put_rows(panel, (k + (size_t)j) / BLOCK, at, u, v_load(d), v_load(m));
        }
    }
}

static void fill_half(const struct panel *panel, const struct mat *w, size_t row, size_t at)
{
    size_t bytes = (size_t)quant_bytes(w->type, (uint64_t)w->cols), rows = (size_t)w->rows;
    const uint8_t *src[VW];
    for (size_t i = 0; i < VW; i++)
        src[i] = (const uint8_t *)w->data + (row + i < rows ? row + i : rows - 1) * bytes;
    if (w->type == QUANT_Q4_1)
        bytes_half(QUANT_Q4_1, panel, w, src, at);
    else if (w->type == QUANT_Q4_0)
        bytes_half(QUANT_Q4_0, panel, w, src, at);
    else if (w->type == QUANT_Q8_0)
        bytes_half(QUANT_Q8_0, panel, w, src, at);
    else
        any_half(panel, w, src, at);
}

#endif
