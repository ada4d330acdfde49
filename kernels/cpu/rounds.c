// Which types of weights are multiplied by an x that is rounded to bytes.
#include "kernels/cpu/cpu.h"
#include "kernels/quant.h"

int cpu_scales_32(uint32_t type)
{
    switch (type) {
    case QUANT_F32:
    case QUANT_F16:
    case QUANT_BF16:
    case QUANT_Q2_K:
    case QUANT_Q3_K:
    case QUANT_Q6_K:
        return 0;
    default:
        return 1;
    }
}

int cpu_rounds(const struct cpu *c, uint32_t type, int n)
{
    if (c->exact)
        return 0;
    if (n <= CPU_FEW)
        return type == QUANT_Q4_0 || type == QUANT_Q4_1 || type == QUANT_Q8_0;
    return cpu_scales_32(type);
}
