// As NEON with dot product, and products of many rows by the instruction that multiplies two rows
// of eight bytes by two others (FEAT_I8MM): ARM's cores since 2020.
#include "kernels/cpu/vec_neon.h"

#include "kernels/cpu/neon_mmla.h"
#include "kernels/cpu/simd_attend_few.h"
#include "kernels/cpu/simd_matmul.h"
#include "kernels/cpu/vi_neon.h"

#include "kernels/cpu/bytes_scan.h"

const struct cpu_isa cpu_neoni8mm = {
    .name = "neoni8mm",
    .embed = simd_embed,
    .matmul = bytes_matmul,
    .project = bytes_project,
    .ffn = bytes_ffn,
    .rmsnorm = simd_rmsnorm,
    .gate = simd_gate,
    .log_sums = simd_log_sums,
    .attend = simd_attend_any,
    .scan = bytes_scan,
};
