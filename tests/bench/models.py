"""Models for the benchmark, made from one that is there, with the Python package gguf.

    python3 models.py q8 MODEL.gguf OUT.gguf          # the same weights in Q8_0
    python3 models.py 1b MODEL.gguf OUT.gguf          # a llama of a billion random weights in Q4_1, the model's vocabulary
    python3 models.py layers=6 MODEL.gguf OUT.gguf    # the first layers alone
"""
import sys

import numpy
from gguf import GGMLQuantizationType as Type
from gguf import GGUFReader, GGUFValueType, GGUFWriter
from gguf.quants import dequantize, quantize

LLAMA_1B = {"block_count": 16, "embedding_length": 2048, "feed_forward_length": 8192, "attention.head_count": 32,
            "attention.head_count_kv": 8, "rope.dimension_count": 64}


def write(out, reader, arch, changed, tensors):
    """OUT with the keys of READER, those of CHANGED replaced, and TENSORS: name, rows of bytes or numbers, type."""
    w = GGUFWriter(out, arch)
    for f in reader.fields.values():
        if f.name.startswith("GGUF.") or f.name == "general.architecture":
            continue
        value, kind = f.contents(), f.types[0]
        name = f.name.removeprefix(arch + ".")
        if name in changed:
            value = changed[name]
        w.add_key_value(f.name, value, kind, f.types[-1] if kind == GGUFValueType.ARRAY else None)
    for name, data, kind in tensors:
        w.add_tensor(name, data, raw_dtype=kind)
    w.write_header_to_file()
    w.write_kv_data_to_file()
    w.write_tensors_to_file()
    w.close()


def in_q8(reader):
    for t in reader.tensors:
        if t.tensor_type in (Type.F32, Type.F16):
            yield t.name, t.data, t.tensor_type
        else:
            yield t.name, quantize(dequantize(t.data, t.tensor_type), Type.Q8_0), Type.Q8_0


def first_layers(reader, n):
    for t in reader.tensors:
        if not t.name.startswith("blk.") or int(t.name.split(".")[1]) < n:
            yield t.name, t.data, t.tensor_type


def random_weights(rng, rows, cols):
    """Q4_1 with mean 0 and deviation 0.02."""
    blocks = rng.integers(0, 256, (rows, cols // 32, 20), dtype=numpy.uint8)
    blocks[:, :, :4] = numpy.array([0.0043, -0.03225], dtype=numpy.float16).view(numpy.uint8)
    return blocks.reshape(rows, cols // 32 * 20)


def llama_1b(reader):
    p, rng = LLAMA_1B, numpy.random.default_rng(1)
    embd, ff, kv = p["embedding_length"], p["feed_forward_length"], p["attention.head_count_kv"] * p["rope.dimension_count"]
    vocab = len(reader.fields["tokenizer.ggml.tokens"].data)
    one = numpy.ones(embd, dtype=numpy.float32)
    yield "token_embd.weight", random_weights(rng, vocab, embd), Type.Q4_1
    yield "output_norm.weight", one, Type.F32
    for i in range(p["block_count"]):
        for name in ("attn_norm", "ffn_norm"):
            yield f"blk.{i}.{name}.weight", one, Type.F32
        for name, rows, cols in (("attn_q", embd, embd), ("attn_k", kv, embd), ("attn_v", kv, embd),
                                 ("attn_output", embd, embd), ("ffn_gate", ff, embd), ("ffn_up", ff, embd),
                                 ("ffn_down", embd, ff)):
            yield f"blk.{i}.{name}.weight", random_weights(rng, rows, cols), Type.Q4_1


def main():
    what, source, out = sys.argv[1:]
    reader = GGUFReader(source)
    arch = reader.fields["general.architecture"].contents()
    if what == "q8":
        write(out, reader, arch, {}, in_q8(reader))
    elif what == "1b":
        write(out, reader, arch, LLAMA_1B, llama_1b(reader))
    elif what.startswith("layers="):
        n = int(what.split("=")[1])
        write(out, reader, arch, {"block_count": n}, first_layers(reader, n))
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
