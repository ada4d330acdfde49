"""Golden values of the tokenizers: tok.py MODEL.gguf HANDBOOK_HTML REPOSITORY OUTDIR

OUTDIR/README says what the files are.
"""
import gzip
import html
import pathlib
import random
import re
import sys
import tempfile
import unicodedata
import zlib

import gguf
import sentencepiece
from tokenizers import AddedToken, Regex, Tokenizer, models, pre_tokenizers, trainers

PER_SUM = 512  # ids that share one checksum

# ---------------------------------------------------------------------------------------------
# The text


def book(lang, chars, root):
    """Text of the handbook, every third paragraph with its markup."""
    out, paragraphs = [], []
    for page in sorted((root / lang).glob("sect.*.html")):
        paragraphs += re.findall(r"<(?:p|pre|div)[^<>]*>.*?</(?:p|pre)>", page.read_text(), re.S)
    for i, p in enumerate(paragraphs):
        out.append(p if i % 3 == 0 else html.unescape(re.sub(r"<[^>]*>", "", p)))
        if sum(map(len, out)) > chars:
            break
    return "\n\n".join(out)[:chars]


def odd():
    """What ordinary text has little of."""
    r = random.Random(20260101)
    faces = ["😀", "👩‍👩‍👧‍👦", "🏳️‍🌈", "👍🏽", "🇩🇪🇯🇵", "e\u0301", "नमस्ते", "ไม่", "ﷺ", "Ⅷ", "½", "٣٤٥", "१२३", "²³", "㊿", "𝟘𝟙"]
    spaces = [" ", "  ", "   ", "\t", "\n", "\r\n", "\n\n", " \n ", "\u00a0", "\u3000", "\u2028", "\u0085", "\u180e", "\u200b", "\u1680"]
    words = ["it's", "IT'S", "we'LL", "they've", "I'm", "he'D", "'tis", "don't", "it'ſ", "x'S", "\u2581", "a\u2581b", "\u2581\u2581", "_", "ſt", "ǅ",
             "HTTPServer", "snake_case", "camelCase", "<|a|>", "<|b|>", "<|a|>x", "<|im_end|>", "<|im_start|>", "<tag>", "<s>", "</s>", "<0x41>", "[INST]", "//", "/*", "...", "?!", "$1,234.56", "=>", "`q`"]
    out = []
    for _ in range(6000):
        k = r.random()
        if k < 0.15:
            out.append("".join(r.choice("0123456789") for _ in range(r.choice([1, 2, 3, 4, 7, 40]))))
        elif k < 0.3:
            out.append(r.choice(faces))
        elif k < 0.5:
            out.append(r.choice(spaces) * r.choice([1, 1, 1, 2, 3, 9]))
        elif k < 0.8:
            out.append(r.choice(words))
        elif k < 0.85:
            out.append(chr(r.randrange(1, 32)))
        else:
            out.append("".join(r.choice("abcXYZéß漢字あア한글мирابج") for _ in range(r.randrange(1, 9))))
    out += [str(3**400), " " * 300, "\n" * 100, "a" * 500, "=" * 200, "".join(map(chr, range(1, 256)))]
    return "".join(out)


def fuzz(n):
    """Characters at random. Those that Unicode 14 does not have are left out: the libraries know
    different later versions."""
    r = random.Random(20260102)
    out = []
    while len(out) < n:
        top = r.choice([0x80, 0x250, 0x800, 0x3000, 0xd800, 0x20000])
        c = chr(r.randrange(1, top))
        if unicodedata.category(c) not in ("Cn", "Cs"):
            out.append(c)
    return "".join(out)


def make_text(root, repository):
    parts = [book("en-US", 24000, root)]
    for lang, chars in [("zh-CN", 9000), ("ar-MA", 9000), ("ja-JP", 6000), ("ru-RU", 8000), ("ko-KR", 4000),
                        ("vi-VN", 4000), ("fa-IR", 4000), ("de-DE", 5000), ("el-GR", 4000)]:
        parts.append(book(lang, chars, root))
    parts.append((repository / "io/gguf.c").read_text()[:12000])
    parts.append((repository / "Makefile").read_text()[:4000])
    parts += [odd(), fuzz(5000)]
    return "\n".join(parts)


# ---------------------------------------------------------------------------------------------
# Byte-level BPE: one small vocabulary, whose merges know no words, under every pre-tokeniser

GPT2 = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
CL100K = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}%s| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
CASED = (r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+%s|"
         r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*%s|\p{N}%s| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+")
DEEPSEEK_LETTERS = (
    "A-Za-zµÀ-ÖØ-öø-ƺƼ-ƿǄ-ʓʕ-ʯͰ-ͳͶͷͻ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-ՖႠ-ჅᎠ-Ᏽᏸ-ᏽᲐ-ᲺᲽ-Ჿᴀ-ᴫᵫ-ᵷᵹ-ᶚḀ-ἕἘ-Ἕἠ-ὅὈ-Ὅὐ-ὗὙὛὝ\u1f5f-\u1f7d"
    "ᾀ-ᾴᾶ-ᾼ\u1fbeῂ-ῄῆ-ῌ\u1fd0-\u1fd3\u1fd6-\u1fdbῠ-Ῥῲ-ῴῶ-ῼℂℇℊ-ℓℕℙ-ℝℤ\u2126ℨ\u212a-ℭℯ-ℴℹℼ-ℿⅅ-ⅉⅎↃↄⰀ-ⱻⱾ-ⳤⳫ-ⳮⳲⳳꙀ-ꙭꚀ-ꚛꜢ-ꝯꝱ-ꞇꞋ-ꞎꭰ-ꮿﬀ-ﬆﬓ-ﬗ"
    "Ａ-Ｚａ-ｚ𐐀-𐑏𐒰-𐓓𐓘-𐓻𐲀-𐲲𐳀-𐳲𑢠-𑣟𞤀-𞥃")
DEEPSEEK_HAN = "[一-龥ࠀ-一가-퟿]+"
LAST = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)


def split(*regexes):
    return pre_tokenizers.Sequence([pre_tokenizers.Split(Regex(r), "isolated") for r in regexes] + [LAST])


GPT2_LEVEL = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)
DIGITS = pre_tokenizers.Digits(individual_digits=True)
PRES = {  # as the tokenizer.json files say it; falcon and default, which have none that byte-level text allows, as GGUF's users do
    "gpt-2": GPT2_LEVEL,
    "mpt": GPT2_LEVEL,
    "olmo": GPT2_LEVEL,
    "smollm": pre_tokenizers.Sequence([DIGITS, GPT2_LEVEL]),
    "starcoder": pre_tokenizers.Sequence([DIGITS, GPT2_LEVEL]),
    "llama-bpe": split(CL100K % "{1,3}"),
    "chatglm-bpe": split(CL100K % "{1,3}"),
    "qwen2": split(CL100K % ""),
    "tekken": split(CASED % ("", "", "")),
    "gpt-4o": split(CASED % ("(?i:'s|'t|'re|'ve|'m|'ll|'d)?", "(?i:'s|'t|'re|'ve|'m|'ll|'d)?", "{1,3}")),
    "deepseek-coder": pre_tokenizers.Sequence(
        [pre_tokenizers.Split(Regex(r), "isolated") for r in ("[\r\n]", r"\s?\p{L}+", r"\s?\p{P}+", DEEPSEEK_HAN)] + [DIGITS, LAST]),
    "deepseek-llm": pre_tokenizers.Sequence(
        [pre_tokenizers.Split(Regex(r), "isolated") for r in
         ("[\r\n]", r"\s?[" + DEEPSEEK_LETTERS + "]+", r"\s?[!-/:-~！-／：-～‘-‟　-。]+", r"\s+$", DEEPSEEK_HAN)] + [DIGITS, LAST]),
    "deepseek-v3": split(r"\p{N}{1,3}", "[一-龥぀-ゟ゠-ヿ]+",
                         r"[!\"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"),
    "falcon": split(r"[\p{P}\$\+<=>\^~\|`]+", GPT2, "[0-9][0-9][0-9]"),
    "default": split(r"[\p{P}\$\+<=>\^~\|]+", GPT2, r"\p{N}+", "[0-9][0-9][0-9]"),
}
WHOLE = {"llama-bpe", "tekken"}
CONTROL = ["<|a|>", "<|a|>x", "<|b|>", "</s>"]
USER = ["<tag>", "   ", "     "]


def train_bpe(text):
    t = Tokenizer(models.BPE())
    t.pre_tokenizer = LAST
    lines = [text[i:i + 97] for i in range(0, len(text), 97)]
    t.train_from_iterator(lines, trainers.BpeTrainer(
        vocab_size=2400, min_frequency=3, show_progress=False, max_token_length=12,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet()))
    import json
    model = json.loads(t.to_str())["model"]
    return model["vocab"], [tuple(m) for m in model["merges"]]


def write_bpe(path, vocab, merges):
    """`pre` comes last, so that the test can put another in its place."""
    pieces = sorted(vocab, key=vocab.get) + CONTROL + USER
    w = gguf.GGUFWriter(path, "llama")
    w.add_tokenizer_model("gpt2")
    w.add_token_list(pieces)
    w.add_token_types([1] * len(vocab) + [3] * len(CONTROL) + [4] * len(USER))
    w.add_token_merges([" ".join(m) for m in merges])
    w.add_bos_token_id(len(vocab))
    w.add_add_bos_token(False)
    w.add_tokenizer_pre("default")
    finish(w)


def finish(w):
    w.write_header_to_file()
    w.write_kv_data_to_file()
    w.close()


def bpe(vocab, merges, pre, added, whole=False):
    t = Tokenizer(models.BPE(vocab=vocab, merges=merges, ignore_merges=whole))
    t.pre_tokenizer = pre
    t.add_tokens([AddedToken(p, normalized=False) for p in added])
    return t


# ---------------------------------------------------------------------------------------------
# SentencePiece


def train_spm(text, out, words, prefix):
    with tempfile.TemporaryDirectory() as d:
        lines = [s for line in text.split("\n") for s in re.findall(".{1,400}", line)]
        pathlib.Path(d, "in").write_text("\n".join(lines))
        sentencepiece.SentencePieceTrainer.train(
            input=d + "/in", model_prefix=d + "/m", model_type="bpe", vocab_size=1900, byte_fallback=True, character_coverage=0.98,
            normalization_rule_name="identity", remove_extra_whitespaces=False, add_dummy_prefix=prefix,
            allow_whitespace_only_pieces=True, split_by_whitespace=words, split_digits=words, split_by_unicode_script=words,
            split_by_number=words, user_defined_symbols=USER[:1], minloglevel=2, num_threads=1, max_sentencepiece_length=12)
        sp = sentencepiece.SentencePieceProcessor(model_file=d + "/m.model")
    w = gguf.GGUFWriter(out, "llama")
    n = sp.vocab_size()
    kinds = [2 if sp.is_unknown(i) else 3 if sp.is_control(i) else 6 if sp.is_byte(i) else 4 if sp.id_to_piece(i) in USER else 1 for i in range(n)]
    w.add_tokenizer_model("llama")
    w.add_token_list([sp.id_to_piece(i) for i in range(n)])
    w.add_token_scores([sp.get_score(i) for i in range(n)])
    w.add_token_types(kinds)
    w.add_bos_token_id(sp.bos_id())
    w.add_eos_token_id(sp.eos_id())
    w.add_add_space_prefix(prefix)
    finish(w)
    return sp


# ---------------------------------------------------------------------------------------------


def line(name, flags, ids):
    """Name, tokenizer flags, number of ids, CRC-32 of every PER_SUM of them as little-endian u32."""
    sums = [zlib.crc32(b"".join(i.to_bytes(4, "little") for i in ids[k:k + PER_SUM])) for k in range(0, len(ids), PER_SUM)]
    return f"{name} {flags} {len(ids)} " + "".join(f"{s:08x}" for s in sums)


def pack(path):
    data = pathlib.Path(path).read_bytes()
    pathlib.Path(path + ".gz").write_bytes(gzip.compress(data, 9, mtime=0))
    pathlib.Path(path).unlink()


def main():
    model, root, repository, out = sys.argv[1:]
    text = make_text(pathlib.Path(root), pathlib.Path(repository))
    pathlib.Path(out, "text").write_text(text, newline="")
    pack(out + "/text")

    reader = gguf.GGUFReader(model)
    pieces = reader.fields["tokenizer.ggml.tokens"].contents()
    types = reader.fields["tokenizer.ggml.token_type"].contents()
    merges = [tuple(m.split(" ")) for m in reader.fields["tokenizer.ggml.merges"].contents()]
    vocab = {p: i for i, p in enumerate(pieces)}
    control = [p for p, k in zip(pieces, types) if k == 3]
    lines = [line("smollm2", 0, bpe(vocab, merges, PRES["smollm"], []).encode(text).ids),
             line("smollm2", 1, bpe(vocab, merges, PRES["smollm"], control).encode(text).ids)]

    vocab, merges = train_bpe(text)
    write_bpe(out + "/bpe.gguf", vocab, merges)
    pack(out + "/bpe.gguf")
    full = vocab | {p: len(vocab) + i for i, p in enumerate(CONTROL + USER)}
    for name, pre in PRES.items():
        lines.append(line(name, 0, bpe(full, merges, pre, USER, name in WHOLE).encode(text).ids))
        lines.append(line(name, 1, bpe(full, merges, pre, CONTROL + USER, name in WHOLE).encode(text).ids))

    for name, words, prefix in [("spm", True, True), ("spm_free", False, False)]:
        sp = train_spm(text, f"{out}/{name}.gguf", words, prefix)
        pack(f"{out}/{name}.gguf")
        ids = sp.encode(text)
        # Flag 2 is the start of a sequence: BOS and the space before the text.
        lines.append(line(name, 2 if prefix else 0, ([sp.bos_id()] if prefix else []) + ids))
    pathlib.Path(out, "ids.txt").write_text("\n".join(lines) + "\n")
    print(len(text), "characters,", len(lines), "lines")


if __name__ == "__main__":
    main()
