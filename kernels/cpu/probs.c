// Log probabilities of tokens without their logits: what is kept of a row is its largest one and
// the sum of the exponentials.
#include <math.h>
#include <stdlib.h>

#include "io/mem.h"
#include "kernels/cpu/cpu.h"

enum {
    STRIP = 2048,     // rows of the table multiplied at once, with many rows of x
    MOST = 512 << 10, // logits at once
};

// The rows FIRST .. FIRST + ROWS - 1 of W; FIRST a multiple of 16.
static struct mat rows_of(const struct cpu *c, const struct mat *w, int first, int rows)
{
    struct mat part = *w;
    part.data = (const uint8_t *)w->data + (size_t)first * quant_bytes(w->type, (uint64_t)w->cols);
    part.rows = rows;
    if (w->packed)
        part.packed = c->isa->packed_at(w, first);
    return part;
}

int cpu_log_probs(struct cpu *c, double *out, const struct mat *w, const float *x,
                  const uint32_t *ids, int n, struct err *e)
{
    int strip = MOST / n / 16 * 16;
    strip = strip < 16 ? 16 : strip > STRIP ? STRIP : strip;
    float *logits = regions_take(&c->regions, (size_t)n * (size_t)strip * sizeof *logits, e);
    struct log_sum *sums = mem_new((size_t)n, sizeof *sums, e);
    int rc = logits && sums ? 0 : ERR_NOMEM;
    for (int i = 0; !rc && i < n; i++)
        sums[i].max = -INFINITY;
    for (int first = 0; !rc && first < w->rows; first += strip) {
        int rows = w->rows - first < strip ? w->rows - first : strip;
        struct mat part = rows_of(c, w, first, rows);
        c->isa->matmul(c, logits, &part, x, NULL, NULL, n);
        c->isa->log_sums(c, sums, logits, n, rows);
        for (int i = 0; i < n; i++)
            if (ids[i] >= (uint32_t)first && ids[i] - (uint32_t)first < (uint32_t)rows)
                out[i] = (double)logits[(size_t)i * (size_t)rows + (ids[i] - (uint32_t)first)];
    }
    for (int i = 0; !rc && i < n; i++)
        out[i] -= (double)sums[i].max + log((double)sums[i].sum);
    regions_give(&c->regions, logits);
    free(sums);
    return rc;
}

void cpu_cost(struct cpu *c, float *out, const struct best *b, const float *x, int n)
{
    struct log_sum sum = {-INFINITY, 0};
    c->isa->log_sums(c, &sum, x, 1, n);
    *out = (float)(log((double)sum.sum) - ((double)x[b->id] - (double)sum.max));
}
