// The processor's backend from inside: one table of operations per instruction set, all with the
// meaning of struct device_ops.
#ifndef LCTOOL_KERNELS_CPU_CPU_H
#define LCTOOL_KERNELS_CPU_CPU_H

#include <stddef.h>

#include "io/err.h"
#include "kernels/cpu/regions.h"
#include "kernels/kernels.h"
#include "kernels/pool.h"

struct cpu_isa;

// Rows of x up to which a product is bound by memory, not by arithmetic: device_ops.alike.
enum { CPU_FEW = 8 };
// Bytes of a large page of memory (io/mem.h).
enum { CPU_LARGE_PAGE = 2 << 20 };

struct cpu {
    int exact; // device_options.exact
    struct pool *pool;
    const struct cpu_isa *isa;
    void *scratch; // grows to what the largest operation so far needed
    size_t scratch_bytes;
    struct regions regions;  // large memory given out
    struct arena *arena;     // packed weights
    struct packing *packing; // [n_packing] those that are still to be packed
    size_t n_packing, packing_cap;
    struct packed_file *file; // where they are kept; NULL: nowhere
    struct err err;           // first error since the last sync
    // What a thread needs to do operations alone: NULL until they are asked for, else
    // [pool_threads(pool)].
    struct cpu *alone;
};

// Of the exponentials of numbers: log(sum) + max is the log of all of them. Empty: -INFINITY, 0.
struct log_sum {
    float max, sum; // sum of e^(x - max)
};

struct cpu_isa {
    const char *name;
    int many; // device.many; 0: all but CPU_FEW
    // NULL, or the form that products want weights in (kernels/cpu/pack.h), panels of so many rows,
    // of which 16 are a multiple, one behind the other: bytes of a panel, 0: W's type has no such
    // form; and the making of the panels PANEL .. END - 1.
    int panel_rows;
    size_t (*panel_bytes)(const struct mat *w);
    void (*pack_panels)(const struct mat *w, int panel, int end);
    // Where that form has the rows from ROW on, a multiple of 16.
    void *(*packed_at)(const struct mat *w, int row);
    void (*embed)(struct cpu *c, float *out, const struct mat *table, const uint32_t *ids, int n,
                  float scale);
    void (*matmul)(struct cpu *c, float *out, const struct mat *w, const float *x,
                   const float *bias, const float *add, int n);
    // These two may be NULL, and are not called where results are to be exact.
    int (*project)(struct cpu *c, const struct project *p);
    int (*ffn)(struct cpu *c, const struct ffn *f);
    void (*rmsnorm)(struct cpu *c, float *out, const float *x, const float *w, const float *add,
                    int n, int dim, float eps);
    void (*gate)(struct cpu *c, float *gate, const float *up, size_t n, enum act act);
    // Adds the numbers of each row of X [n][width] to what SUMS [n] hold.
    void (*log_sums)(struct cpu *c, struct log_sum *sums, const float *x, int n, int width);
    void (*attend)(struct cpu *c, const struct attend *a);
    void (*scan)(struct cpu *c, const struct scan *s);
};

extern const struct cpu_isa cpu_ref;
extern const struct cpu_isa cpu_avx2, cpu_avxvnni, cpu_avx512;   // x86-64 only
extern const struct cpu_isa cpu_avx512vnni, cpu_amx;             // likewise
extern const struct cpu_isa cpu_neon, cpu_neondot, cpu_neoni8mm; // arm64 only

// N bytes of working memory, 64-byte aligned, valid until the next call; its contents are not
// defined. NULL when memory is out: the operation returns without a result and sync reports it.
void *cpu_scratch(struct cpu *c, size_t n);
void cpu_scratch_free(struct cpu *c);

// Whether weights of TYPE have one scale for 32 neighbours, or for a multiple of 32.
int cpu_scales_32(uint32_t type);

// Whether a product of N rows of x with weights of TYPE may round x to 8 bits: each 32 neighbours
// to e * q, e = max|x| / 127, q the nearest whole number. Few rows: of the packed types only.
int cpu_rounds(const struct cpu *c, uint32_t type, int n);

// device_ops.log_probs: the products with a strip of W after the other, of which log_sums keeps the
// sums.
int cpu_log_probs(struct cpu *c, double *out, const struct mat *w, const float *x,
                  const uint32_t *ids, int n, struct err *e);

// device_ops.cost.
void cpu_cost(struct cpu *c, float *out, const struct best *b, const float *x, int n);

int cpu_open(struct device *d, const struct device_options *o, struct err *e);

#endif
