"""Small random models, one row each, and what transformers says of them.

    python3 tiny.py DIRECTORY [NAME...]

Writes NAME.gguf (F32 weights, a byte-level vocabulary) and NAME-logits.bin (README) for each row. The same
weights in float64 tell how much of a logit is rounding; that number is printed.
"""
import pathlib
import sys

import gguf
import numpy as np
import torch
import transformers as tf

import golden_file
import model as golden

T = gguf.GGMLQuantizationType

N_TOKENS, N_FIXED, N_FULL = 512, 16, 8
SPECIAL = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]


def llama3_factors(theta, head_dim, factor, low, high, old):
    """What the converter stores as rope_freqs.weight for Llama 3.1: divisors of the frequencies."""
    out = []
    for i in range(0, head_dim, 2):
        wave = 2 * np.pi * theta ** (i / head_dim)
        if wave < old / high:
            out.append(1.0)
        elif wave > old / low:
            out.append(factor)
        else:
            smooth = (old / wave - low) / (high - low)
            out.append(1 / ((1 - smooth) / factor + smooth))
    return np.array(out, np.float32)


LONG = [1.0, 1.25, 1.5, 2.0, 3.0, 5.0]
SHORT = [1.0, 1.02, 1.05, 1.1, 1.2, 1.3]
LLAMA3 = dict(factor=8.0, low_freq_factor=1.0, high_freq_factor=4.0, original_max_position_embeddings=64)


def rope(kind, theta, **more):
    return dict(rope_parameters=dict(rope_type=kind, rope_theta=theta, **more))


def longrope(original):
    """phi-3 with 512 tokens beyond ORIGINAL, or within it."""
    return dict(arch="phi3", shape=(2, 48, 56, 4, 2, 12), base=10000.0, fused=True, longrope=True,
                kv={"rope.scaling.original_context_length": original,
                    "rope.scaling.attn_factor": (1 + np.log(1024 / original) / np.log(original)) ** 0.5},
                config=dict(rope("longrope", 10000.0, long_factor=LONG, short_factor=SHORT,
                                 original_max_position_embeddings=original),
                            original_max_position_embeddings=original))


# layers, n_embd, n_ff, heads, kv heads, head_dim, rope base; then what is special about the family
GEMMA3 = dict(arch="gemma3", shape=(7, 24, 40, 4, 1, 8), base=1000000.0, qk_norm=True, post_norms=True,
                   kv={"attention.sliding_window": 100},
                   config=dict(sliding_window=100, query_pre_attn_scalar=8,
                               hidden_activation="gelu_pytorch_tanh",
                               layer_types=["sliding_attention"] * 5 + ["full_attention", "sliding_attention"],
                               rope_parameters={
                                   "sliding_attention": {"rope_type": "default", "rope_theta": 10000.0},
                                   "full_attention": {"rope_type": "default", "rope_theta": 1000000.0}}))
ROWS = {
    "llama": dict(arch="llama", shape=(3, 36, 52, 6, 2, 6), base=10000.0, untied=True),
    "llama3": dict(arch="llama", shape=(2, 64, 40, 4, 2, 16), base=500000.0, llama3=True,
                   config=rope("llama3", 500000.0, **LLAMA3)),
    "llama-linear": dict(arch="llama", shape=(2, 40, 56, 5, 1, 8), base=10000.0,
                         kv={"rope.scaling.type": "linear", "rope.scaling.factor": 4.0},
                         config=rope("linear", 10000.0, factor=4.0)),
    "mistral": dict(arch="llama", shape=(2, 40, 72, 4, 2, 12), base=1000000.0, untied=True),
    "internlm2": dict(arch="internlm2", shape=(2, 40, 56, 5, 1, 8), base=1000000.0),
    "qwen2": dict(arch="qwen2", shape=(2, 56, 40, 7, 1, 8), base=1000000.0, bias=True),
    "qwen2-yarn": dict(arch="qwen2", shape=(2, 48, 56, 3, 1, 16), base=10000.0, bias=True,
                       kv={"rope.scaling.type": "yarn", "rope.scaling.factor": 4.0,
                           "rope.scaling.original_context_length": 128},
                       config=rope("yarn", 10000.0, factor=4.0, original_max_position_embeddings=128)),
    "qwen3": dict(arch="qwen3", shape=(2, 40, 72, 4, 2, 16), base=1000000.0, qk_norm=True),
    "phi3": dict(arch="phi3", shape=(2, 40, 56, 4, 2, 12), base=10000.0, fused=True),
    "gemma3": GEMMA3,
    "mistral-sliding": dict(arch="llama", classes=(tf.MistralForCausalLM, tf.MistralConfig), shape=(2, 40, 56, 4, 2, 10),
                            base=10000.0, kv={"attention.sliding_window": 100}, config=dict(sliding_window=100)),
    "smollm3": dict(arch="smollm3", shape=(5, 40, 56, 4, 2, 10), base=2000000.0,
                    config=dict(no_rope_layer_interval=4, use_sliding_window=False)),
    "internlm2-dynamic": dict(arch="internlm2", shape=(2, 40, 56, 5, 1, 8), base=1000000.0, context=128,
                              kv={"rope.scaling.type": "dynamic", "rope.scaling.factor": 2.5},
                              config=rope("dynamic", 1000000.0, factor=2.5)),
    "phi3-long": longrope(128),
    "phi3-short": longrope(512),
    "weights": dict(arch="llama", shape=(3, 256, 64, 4, 2, 8), base=10000.0,
                    wide="Q6_K F32 F16 BF16 Q2_K Q3_K Q4_K Q5_K Q6_K IQ4_XS MXFP4 Q4_K Q2_K Q3_K IQ4_XS Q5_K".split(),
                    narrow="Q8_0 Q4_0 Q4_1 Q5_0 Q5_1 IQ4_NL".split()),
}


def byte_pieces():
    """The 256 bytes in GPT-2's spelling: printable ones as themselves, the rest from U+0100 on."""
    plain = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    rest = [b for b in range(256) if b not in plain]
    spelling = {b: chr(b) for b in plain} | {b: chr(256 + i) for i, b in enumerate(rest)}
    return [spelling[b] for b in range(256)]


def tensors(row, n_vocab, seed):
    """Names and float32 arrays in the file's conventions."""
    rng = np.random.default_rng(seed)
    n_layers, n_embd, n_ff, n_heads, n_kv, head_dim = row["shape"]
    q, kv = n_heads * head_dim, n_kv * head_dim

    def matrix(rows, cols, gain=1.0):
        return (rng.standard_normal((rows, cols)) * gain / cols ** 0.5).astype(np.float32)

    def norm(n):
        return (1 + 0.2 * rng.standard_normal(n)).astype(np.float32)

    yield "token_embd.weight", matrix(n_vocab, n_embd, n_embd ** 0.5)
    for i in range(n_layers):
        b = f"blk.{i}."
        yield b + "attn_norm.weight", norm(n_embd)
        if row.get("fused"):
            yield b + "attn_qkv.weight", matrix(q + 2 * kv, n_embd, 1.5)
        else:
            for name, rows, gain in ("q", q, 1.5), ("k", kv, 1.5), ("v", kv, 1.0):
                yield b + f"attn_{name}.weight", matrix(rows, n_embd, gain)
                if row.get("bias"):
                    yield b + f"attn_{name}.bias", rng.standard_normal(rows).astype(np.float32)
        if row.get("qk_norm"):
            yield b + "attn_q_norm.weight", norm(head_dim)
            yield b + "attn_k_norm.weight", norm(head_dim)
        yield b + "attn_output.weight", matrix(n_embd, q)
        if row.get("post_norms"):
            yield b + "post_attention_norm.weight", norm(n_embd)
        yield b + "ffn_norm.weight", norm(n_embd)
        if row.get("fused"):
            yield b + "ffn_up.weight", matrix(2 * n_ff, n_embd)
        else:
            yield b + "ffn_gate.weight", matrix(n_ff, n_embd)
            yield b + "ffn_up.weight", matrix(n_ff, n_embd)
        yield b + "ffn_down.weight", matrix(n_embd, n_ff)
        if row.get("post_norms"):
            yield b + "post_ffw_norm.weight", norm(n_embd)
    yield "output_norm.weight", norm(n_embd)
    if row.get("untied"):
        yield "output.weight", matrix(n_vocab, n_embd, 3.0)
    if row.get("longrope"):
        yield "rope_factors_long.weight", np.array(LONG, np.float32)
        yield "rope_factors_short.weight", np.array(SHORT, np.float32)
    if row.get("llama3"):
        yield "rope_freqs.weight", llama3_factors(row["base"], head_dim, *LLAMA3.values())


# Byte offsets of a block's half-precision numbers, where its other bytes may be anything.
SCALES = {T.Q2_K: [80, 82], T.Q3_K: [108], T.Q4_K: [0, 2], T.Q5_K: [0, 2], T.Q6_K: [208], T.IQ4_NL: [0], T.IQ4_XS: [0]}


def blocks(kind, data, seed):
    """A matrix of weight type KIND: DATA quantised, or random blocks as large as DATA where gguf cannot."""
    if kind not in SCALES:
        return gguf.quants.quantize(data, kind)
    rng = np.random.default_rng(2000 + seed)
    block, size = gguf.GGML_QUANT_SIZES[kind]
    raw = rng.integers(0, 256, (data.size // block, size), dtype=np.uint8)
    for gain in 1.0, None:
        scale = np.float16(gain or data.std() / gguf.quants.dequantize(raw, kind).std())
        for at in SCALES[kind]:
            raw[:, at:at + 2] = np.frombuffer(scale.tobytes(), np.uint8)
    return raw.reshape(data.shape[0], -1)


def write_model(path, name, row, seed):
    n_layers, n_embd, n_ff, n_heads, n_kv, head_dim = row["shape"]
    pieces = SPECIAL + byte_pieces() + ["Ġt"]
    w = gguf.GGUFWriter(path, row["arch"])
    w.add_name(f"tiny random {name}")
    w.add_context_length(row.get("context", 1024))
    w.add_block_count(n_layers)
    w.add_embedding_length(n_embd)
    w.add_feed_forward_length(n_ff)
    w.add_head_count(n_heads)
    w.add_head_count_kv(n_kv)
    if head_dim * n_heads != n_embd:
        w.add_key_length(head_dim)
        w.add_value_length(head_dim)
    w.add_rope_dimension_count(head_dim)
    w.add_rope_freq_base(row["base"])
    w.add_layer_norm_rms_eps(1e-5)
    w.add_vocab_size(len(pieces))
    for key, value in row.get("kv", {}).items():
        put = {int: w.add_uint32, float: w.add_float32, np.float64: w.add_float32, str: w.add_string}[type(value)]
        put(f"{row['arch']}.{key}", value)
    w.add_tokenizer_model("gpt2")
    w.add_tokenizer_pre("smollm")
    w.add_token_list(pieces)
    w.add_token_types([3] * len(SPECIAL) + [1] * 257)
    w.add_token_merges(["Ġ t"])
    w.add_bos_token_id(1)
    w.add_eos_token_id(2)
    w.add_add_bos_token(False)
    wide, narrow = iter(row.get("wide", [])), iter(row.get("narrow", []))
    for tensor, data in tensors(row, len(pieces), seed):
        kind = next(wide if data.shape[1] == 256 else narrow, None) if data.ndim == 2 else None
        if kind:
            w.add_tensor(tensor, blocks(T[kind], data, seed), raw_dtype=T[kind])
        else:
            w.add_tensor(tensor, data)
    w.write_header_to_file()
    w.write_kv_data_to_file()
    w.write_tensors_to_file()
    w.close()
    return len(pieces)


def main(directory, names):
    for seed, (name, row) in enumerate(ROWS.items()):
        if names and name not in names:
            continue
        path = pathlib.Path(directory) / f"{name}.gguf"
        n_vocab = write_model(path, name, row, seed)
        ids = np.random.default_rng(1000 + seed).integers(0, n_vocab, N_TOKENS).tolist()
        model, _ = golden.load(path, row.get("classes"), **row.get("config", {}))
        logits = golden.logits(model, ids)
        wide = golden.logits(model.to(torch.float64), ids)
        print(f"{name}: {path.stat().st_size} bytes, logits {logits.min():.2f} to {logits.max():.2f}, "
              f"rounding {np.abs(wide - logits).max():.1e}")
        golden_file.write(path.with_name(f"{name}-logits.bin"), path, ids, logits, N_FIXED, N_FULL, 1)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2:])
