"""Random text through lctool's tokenizer and through those of others: no difference.

    python3 tok_live.py TOKENS MODEL.gguf [ROUNDS]

TOKENS is the program build/release/tests/tokens. Each round makes 100,000 characters, of the golden text cut up and
shuffled and of random Unicode, for MODEL's vocabulary (byte-level BPE with the smollm pre-tokenizer), for every
pre-tokenizer of tok.py over tok/bpe.gguf.gz, and for the two SentencePiece vocabularies of tok.py, trained again.
Beside lctool read them Hugging Face tokenizers or sentencepiece, and, where the package llama_cpp is installed,
llama.cpp, whose text lacks what known() says.
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


def known(vocabulary, text, lacking=()):
    """Text without what llama.cpp reads otherwise than the original tokenizer, which tokenizers or sentencepiece is."""
    # Control characters that the vocabulary lacks keep their neighbours apart, where tokenizers drops them first.
    text = "".join(c for c in text if c not in lacking)
    if vocabulary in ("tekken", "gpt-4o"):
        # A-Z and a-z are its capital and small letters, all others are both, and marks are no letters.
        apart = ("Lu", "Ll", "Lt", "Mn", "Mc", "Me")
        text = "".join(c for c in text if c.isascii() or unicodedata.category(c) not in apart)
    elif vocabulary == "deepseek-llm":
        # It keeps digits together, and its range from U+3000 on lacks U+3000.
        text = text.replace("\u3000", "")
        digit = [unicodedata.category(c)[0] == "N" for c in text]
        text = "".join(c for c, one, before in zip(text, digit, [False] + digit) if not (one and before))
    elif vocabulary == "spm":
        # It puts the space of the start of the text behind user-defined pieces too.
        text = text.replace("<tag>", " ")
    if vocabulary != "smollm2":
        # This it takes for a control token by its name, where the type says that it is none.
        text = text.replace("<|im_end|>", " ")
    return text


def lctool(program, path, text, *flags):
    out = subprocess.run([program, *flags, path], input=text.encode(), stdout=subprocess.PIPE, check=True).stdout
    return list(map(int, out.split()))


def llama_cpp(path):
    """A function from text, whether marks count and whether the text is a start to ids, or None without the package."""
    try:
        import llama_cpp as package
    except ImportError:
        return None
    model = package.Llama(str(path), vocab_only=True, verbose=False)
    return lambda text, special, start=False: model.tokenize(text.encode(), add_bos=start, special=special)


def fields(path, *keys):
    reader = gguf.GGUFReader(path)
    return [reader.fields[k].contents() for k in keys]


def compare(tally, vocabulary, who, ours, theirs):
    """Counts tokens and texts that differ into tally[vocabulary][who], and shows where a text does."""
    count = tally.setdefault(vocabulary, {}).setdefault(who, [0, 0])
    count[0] += len(ours)
    if ours != theirs:
        count[1] += 1
        at = next((i for i, (a, b) in enumerate(zip(ours, theirs)) if a != b), min(len(ours), len(theirs)))
        print(f"{vocabulary}, {who}: token {at}: {ours[at:at + 8]} is not {theirs[at:at + 8]}", file=sys.stderr)


def with_pre(data, pre):
    """The bytes of tok/bpe.gguf with another pre-tokenizer, whose key is the last."""
    head = data[:data.rindex(b"tokenizer.ggml.pre") + len("tokenizer.ggml.pre") + 4]
    head += len(pre).to_bytes(8, "little") + pre.encode()
    return head + bytes(-len(head) % 32)


def without_twins(path, out):
    """Writes the vocabulary again as llama.cpp accepts it: no two pieces have the same text.

    Of such the last counts; the others get a text that byte-level text never has."""
    w = gguf.GGUFWriter(out, "llama")
    for key, field in gguf.GGUFReader(path).fields.items():
        value = field.contents()
        if key == "tokenizer.ggml.tokens":
            last = {p: i for i, p in enumerate(value)}
            value = [p if last[p] == i else f" {i}" for i, p in enumerate(value)]
        if key.startswith("tokenizer."):
            w.add_key_value(key, value, *field.types[:2])
    tok.finish(w)


def smollm2(program, path, texts, tally):
    pieces, types, merges = fields(path, "tokenizer.ggml.tokens", "tokenizer.ggml.token_type", "tokenizer.ggml.merges")
    control = [p for p, k in zip(pieces, types) if k == 3]
    pairs = [tuple(m.split(" ")) for m in merges]
    vocab = {p: i for i, p in enumerate(pieces)}
    # Control characters are spelled from U+0100 on.
    lacking = {chr(b) for b in range(32) if chr(256 + b) not in vocab}
    llama = llama_cpp(path)
    for special, flags in (False, []), (True, ["-s"]):
        theirs = tok.bpe(vocab, pairs, tok.PRES["smollm"], control if special else [])
        for text in texts:
            compare(tally, "smollm2", "tokenizers", lctool(program, path, text, *flags), theirs.encode(text).ids)
            if llama:
                text = known("smollm2", text, lacking)
                compare(tally, "smollm2", "llama.cpp", lctool(program, path, text, *flags), llama(text, special))


def pre_tokenizer(program, name, path, texts, tally):
    path.write_bytes(with_pre(gzip.decompress((HERE / "tok/bpe.gguf.gz").read_bytes()), name))
    unique = path.with_suffix(".unique")
    without_twins(path, unique)
    pieces, merges = fields(path, "tokenizer.ggml.tokens", "tokenizer.ggml.merges")
    vocab = {p: i for i, p in enumerate(pieces)}
    pairs = [tuple(m.split(" ")) for m in merges]
    llama = llama_cpp(unique)
    for special, flags in (False, []), (True, ["-s"]):
        added = tok.CONTROL + tok.USER if special else tok.USER
        theirs = tok.bpe(vocab, pairs, tok.PRES[name], added, name in tok.WHOLE)
        for text in texts:
            compare(tally, name, "tokenizers", lctool(program, path, text, *flags), theirs.encode(text).ids)
            if llama:
                text = known(name, text)
                compare(tally, name, "llama.cpp", lctool(program, path, text, *flags), llama(text, special))


def sentence_piece(program, name, words, prefix, path, texts, tally):
    golden = gzip.decompress((HERE / "tok/text.gz").read_bytes()).decode()
    theirs = tok.train_spm(golden, path, words, prefix)
    llama = llama_cpp(path)
    for text in texts:
        ids = [theirs.bos_id()] + theirs.encode(text)
        compare(tally, name, "sentencepiece", lctool(program, path, text, "-b"), ids)
        if llama:
            text = known(name, text)
            for special, flags in (False, ["-b"]), (True, ["-b", "-s"]):
                compare(tally, name, "llama.cpp", lctool(program, path, text, *flags), llama(text, special, True))


def main(program, model, rounds=3):
    texts, tally = [mixed(seed) for seed in range(rounds)], {}
    with tempfile.TemporaryDirectory() as d:
        smollm2(program, model, texts, tally)
        for name in tok.PRES:
            pre_tokenizer(program, name, pathlib.Path(d, name), texts, tally)
        for name, words, prefix in (("spm", True, True), ("spm_free", False, False)):
            sentence_piece(program, name, words, prefix, pathlib.Path(d, name), texts, tally)
    for vocabulary, counts in tally.items():
        print(f"{vocabulary}:", *(f"{n} tokens, {bad} texts not as {who};" for who, (n, bad) in counts.items()))
    if any(bad for counts in tally.values() for _, bad in counts.values()):
        sys.exit("tok_live: there are differences")


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    main(*sys.argv[1:3], *map(int, sys.argv[3:]))
