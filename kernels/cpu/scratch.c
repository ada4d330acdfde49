// Working memory of operations.
#include <stdlib.h>

#include "io/mem.h"
#include "kernels/cpu/cpu.h"

// Bytes from which on it has pages of its own, large ones (io/mem.h), and the least that is mapped:
// only what is touched is real memory, and pages that have been touched serve the next, larger
// operation.
enum { MAPPED = 256 << 10, RESERVE = 32 << 20 };

void cpu_scratch_free(struct cpu *c)
{
    if (c->scratch_bytes >= MAPPED)
        mem_unmap(c->scratch, c->scratch_bytes);
    else
        free(c->scratch);
    c->scratch = NULL;
    c->scratch_bytes = 0;
}

void *cpu_scratch(struct cpu *c, size_t n)
{
    if (n <= c->scratch_bytes)
        return c->scratch;
    if (n >= MAPPED)
        n = n < RESERVE ? RESERVE : (n + CPU_LARGE_PAGE - 1) / CPU_LARGE_PAGE * CPU_LARGE_PAGE;
    cpu_scratch_free(c);
    struct err *e = c->err.code ? NULL : &c->err;
    if ((c->scratch = n >= MAPPED ? mem_map(n, e) : mem_new_aligned(n, 1, e)))
        c->scratch_bytes = n;
    return c->scratch;
}
