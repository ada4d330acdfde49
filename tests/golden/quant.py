#!/usr/bin/env python3
"""Golden values of tests/unit/kernels/test_quant.c: random blocks of every weight type and the float bits
that the package gguf (gguf.quants.dequantize, gguf 0.10 or later) makes of them.

    python3 tests/golden/quant.py > tests/golden/quant.txt

One line a type:  NAME  blocks in hex  floats in hex (little-endian)
"""
import numpy as np
from gguf import GGML_QUANT_SIZES, GGMLQuantizationType as T
from gguf.quants import dequantize

# Byte offsets of the half-precision numbers in a block: they are kept finite, because the sign of
# a NaN is the processor's own affair.
HALVES = {
    "F32": [], "F16": [0], "BF16": [], "Q8_0": [0], "Q4_0": [0], "Q4_1": [0, 2], "Q5_0": [0],
    "Q5_1": [0, 2], "Q2_K": [80, 82], "Q3_K": [108], "Q4_K": [0, 2], "Q5_K": [0, 2],
    "Q6_K": [208], "IQ4_NL": [0], "IQ4_XS": [0], "MXFP4": [],
}
rng = np.random.default_rng(20240607)
for name, halves in HALVES.items():
    block, size = GGML_QUANT_SIZES[T[name]]
    n = 64 if block == 1 else 6 if block == 32 else 2
    data = rng.integers(0, 256, (n, size), dtype=np.uint8)
    for at in halves:
        data[:, at + 1] = np.where(data[:, at + 1] & 0x7C == 0x7C, data[:, at + 1] ^ 0x40, data[:, at + 1])
        if block > 1:
            data[0, at + 1] &= 0x83  # one subnormal scale
    if name in ("F32", "BF16"):
        data[:, -1] &= 0xBF
    if name == "MXFP4":
        data[0, 0], data[1, 0], data[2, 0] = 0, 1, 2
    out = dequantize(data, T[name]).astype("<f4")
    assert out.size == n * block and np.isfinite(out).all()
    print(name, data.tobytes().hex(), out.tobytes().hex())
