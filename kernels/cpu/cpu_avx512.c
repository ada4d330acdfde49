// The operations for AVX-512 F, BW, DQ and VL: servers since 2017.
#include "kernels/cpu/vec_avx512.h"

#include "kernels/cpu/simd_attend_few.h"
#include "kernels/cpu/simd_matmul.h"
#include "kernels/cpu/simd_rows.h"

const struct cpu_isa cpu_avx512 = {
    .name = "avx512",
    .embed = simd_embed,
    .matmul = simd_matmul,
    .rmsnorm = simd_rmsnorm,
    .gate = simd_gate,
    .log_sums = simd_log_sums,
    .attend = simd_attend_any,
    .scan = simd_scan,
};
