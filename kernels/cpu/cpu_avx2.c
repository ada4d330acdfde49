// The operations for AVX2, FMA and F16C: processors since 2013.
#include "kernels/cpu/vec_avx2.h"

#include "kernels/cpu/avx2_few.h"
#include "kernels/cpu/simd_attend_few.h"
#include "kernels/cpu/simd_matmul.h"
#include "kernels/cpu/simd_rows.h"

const struct cpu_isa cpu_avx2 = {
    .name = "avx2",
    .embed = simd_embed,
    .matmul = avx2_matmul,
    .rmsnorm = simd_rmsnorm,
    .gate = simd_gate,
    .log_sums = simd_log_sums,
    .attend = simd_attend_any,
    .scan = simd_scan,
};
