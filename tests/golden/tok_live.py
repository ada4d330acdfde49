"""Random text through lctool's tokenizer and through those of others: no difference.

    python3 tok_live.py TOKENS MODEL.gguf [ROUNDS]

TOKENS is the program build/release/tests/tokens. Each round makes 100,000 characters, of the golden text cut up and
shuffled and of random Unicode, and compares Hugging Face tokenizers for MODEL's vocabulary (byte-level BPE with the
smollm pre-tokenizer), every pre-tokenizer of tok.py over tok/bpe.gguf.gz, and, where the package llama_cpp is
installed, llama.cpp for MODEL's vocabulary. From the text for llama.cpp those control characters are left out that
the vocabulary lacks: it lets them keep their neighbours apart, where tokenizers and lctool drop them first.
"""
import gzip
import pathlib
import random
import subprocess
import sys
import tempfile
import unicodedata

import gguf

import tok

HERE = pathlib.Path(__file__).parent
N_CHARS = 100000


def mixed(seed):
    r = random.Random(seed)
    golden = gzip.decompress((HERE / "tok/text.gz").read_bytes()).decode()
    out = []
    while sum(map(len, out)) < N_CHARS:
        if r.random() < 0.6:
            at = r.randrange(len(golden))
            out.append(golden[at:at + r.choice([3, 20, 400, 3000])])
        else:
            top = r.choice([0x80, 0x250, 0x800, 0x3000, 0xd800, 0x20000])
            chars = (chr(r.randrange(1, top)) for _ in range(r.choice([1, 5, 60])))
            out.append("".join(c for c in chars if unicodedata.category(c) not in ("Cn", "Cs")))
    return "".join(out)[:N_CHARS]


def lctool(program, path, text, *flags):
    out = subprocess.run([program, *flags, path], input=text.encode(), stdout=subprocess.PIPE, check=True).stdout
    return list(map(int, out.split()))


def llama_cpp(path):
    """A function from text and whether marks count to ids, or None where the package is not there."""
    try:
        import llama_cpp as package
    except ImportError:
        return None
    model = package.Llama(str(path), vocab_only=True, verbose=False)
    return lambda text, special: model.tokenize(text.encode(), add_bos=False, special=special)


def fields(path, *keys):
    reader = gguf.GGUFReader(path)
    return [reader.fields[k].contents() for k in keys]


def same(what, ours, theirs):
    if ours != theirs:
        at = next((i for i, (a, b) in enumerate(zip(ours, theirs)) if a != b), min(len(ours), len(theirs)))
        sys.exit(f"{what}: token {at}: {ours[at:at + 8]} is not {theirs[at:at + 8]}")


def with_pre(data, pre):
    """The bytes of tok/bpe.gguf with another pre-tokenizer, whose key is the last."""
    head = data[:data.rindex(b"tokenizer.ggml.pre") + len("tokenizer.ggml.pre") + 4]
    head += len(pre).to_bytes(8, "little") + pre.encode()
    return head + bytes(-len(head) % 32)


def main(program, model, rounds=3):
    pieces, types, merges = fields(model, "tokenizer.ggml.tokens", "tokenizer.ggml.token_type", "tokenizer.ggml.merges")
    control = [p for p, k in zip(pieces, types) if k == 3]
    pairs = [tuple(m.split(" ")) for m in merges]
    vocab = {p: i for i, p in enumerate(pieces)}
    # Control characters are spelled from U+0100 on.
    missing = {chr(b) for b in range(32) if chr(256 + b) not in vocab}
    bpe = gzip.decompress((HERE / "tok/bpe.gguf.gz").read_bytes())
    llama, counts = llama_cpp(model), {"tokenizers": 0, "llama.cpp": 0}
    with tempfile.TemporaryDirectory() as d:
        for seed in range(rounds):
            text = mixed(seed)
            for special, flags in (False, []), (True, ["-s"]):
                ours = lctool(program, model, text, *flags)
                theirs = tok.bpe(vocab, pairs, tok.PRES["smollm"], control if special else []).encode(text).ids
                same(f"smollm2, seed {seed}, tokenizers", ours, theirs)
                counts["tokenizers"] += len(ours)
                if llama:
                    known = "".join(c for c in text if c not in missing)
                    ours = lctool(program, model, known, *flags)
                    same(f"smollm2, seed {seed}, llama.cpp", ours, llama(known, special))
                    counts["llama.cpp"] += len(ours)
            for name, pre in tok.PRES.items():
                path = pathlib.Path(d, name)
                path.write_bytes(with_pre(bpe, name))
                small, m = fields(path, "tokenizer.ggml.tokens", "tokenizer.ggml.merges")
                small = {p: i for i, p in enumerate(small)}
                ours = lctool(program, path, text, "-s")
                theirs = tok.bpe(small, [tuple(x.split(" ")) for x in m], pre, tok.CONTROL + tok.USER, name in tok.WHOLE)
                same(f"{name}, seed {seed}, tokenizers", ours, theirs.encode(text).ids)
                counts["tokenizers"] += len(ours)
    print(", ".join(f"{n} tokens as {who}" for who, n in counts.items()))


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    main(*sys.argv[1:3], *map(int, sys.argv[3:]))
