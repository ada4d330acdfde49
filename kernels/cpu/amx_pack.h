// Rows of x become tiles A, once.
#ifndef LCTOOL_KERNELS_CPU_AMX_PACK_H
#define LCTOOL_KERNELS_CPU_AMX_PACK_H

#include <string.h>

#include "kernels/cpu/amx_job.h"
#include "kernels/cpu/simd_matmul.h"

static vf x_at(const float *row, size_t k, size_t cols)
{
    return k + VW <= cols ? v_load(row + k) : load_upto(row + k, k < cols ? (int)(cols - k) : 0);
}

static float amx_norm_scale(const struct amx_job *j, const float *row)
{
    vf sum = v_set1(0);
    for (size_t k = 0; k < j->cols; k += VW) {
        vf v = x_at(row, k, j->cols);
        sum = v_fma(v, v, sum);
    }
    return (float)(1 / sqrt((double)v_sum(sum) / (double)j->cols + (double)j->eps));
}

// The 16 rows from 16 TILE on.
static void amx_pack_rows(const struct amx_job *j, size_t tile)
{
    size_t first = tile * AMX_ROWS, n = j->n - first < AMX_ROWS ? j->n - first : AMX_ROWS;
    const float *rows = j->from + first * j->cols;
    uint16_t *to = j->x + tile * j->steps * AMX_TILE;
    vf scale[AMX_ROWS];
    for (size_t i = 0; i < n; i++)
        scale[i] = v_set1(j->norm ? amx_norm_scale(j, rows + i * j->cols) : 1);
    for (size_t s = 0, k = 0; s < j->steps; s++, k += AMX_K, to += AMX_TILE) {
        for (size_t i = 0; i < n; i++) {
            vf a = x_at(rows + i * j->cols, k, j->cols),
               b = x_at(rows + i * j->cols, k + VW, j->cols);
            if (j->norm) {
                a = a * scale[i] * x_at(j->norm, k, j->cols);
                b = b * scale[i] * x_at(j->norm, k + VW, j->cols);
            }
            _mm512_storeu_si512(to + i * AMX_K, amx_narrow(a, b));
        }
        memset(to + n * AMX_K, 0, (AMX_ROWS - n) * AMX_K * sizeof *to);
    }
}

static void amx_pack_step(const struct amx_job *j, int part, int run, int thread)
{
    (void)thread;
    size_t first, end, tiles = (j->n + AMX_ROWS - 1) / AMX_ROWS;
    amx_part(j, part, &first, &end);
    first *= 2;
    end = 2 * end < tiles ? 2 * end : tiles;
    size_t n = end - first, at = first + n * (size_t)run / (size_t)j->n_steps;
    for (end = first + n * ((size_t)run + 1) / (size_t)j->n_steps; at < end; at++)
        amx_pack_rows(j, at);
}

#endif
