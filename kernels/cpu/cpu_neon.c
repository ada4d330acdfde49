// The operations for 64-bit ARM.
#include "kernels/cpu/vec_neon.h"

#include "kernels/cpu/simd_attend_few.h"
#include "kernels/cpu/simd_matmul.h"
#include "kernels/cpu/simd_scan.h"

const struct cpu_isa cpu_neon = {
    .name = "neon",
    .embed = simd_embed,
    .matmul = simd_matmul,
    .rmsnorm = simd_rmsnorm,
    .gate = simd_gate,
    .log_sums = simd_log_sums,
    .attend = simd_attend_any,
    .scan = simd_scan,
};
