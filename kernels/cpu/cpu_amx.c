// As AVX-512, and products and attention on tiles of bfloat16 (kernels.h says when): Intel's
// servers since 2023.
#include "kernels/cpu/amx_attend.h"
#include "kernels/cpu/amx_matmul.h"
#include "kernels/cpu/bytes_scan.h"

const struct cpu_isa cpu_amx = {
    .name = "amx",
    .many = AMX_FEW_TILES * AMX_ROWS + 1,
    .panel_rows = PANEL_ROWS,
    .panel_bytes = panel_bytes,
    .pack_panels = pack_panels,
    .packed_at = panels_at,
    .embed = simd_embed,
    .matmul = amx_matmul,
    .project = amx_project,
    .ffn = amx_ffn,
    .rmsnorm = simd_rmsnorm,
    .gate = simd_gate,
    .log_sums = simd_log_sums,
    .attend = amx_attend,
    .scan = bytes_scan,
};
