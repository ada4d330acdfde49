"""Golden values of the WordPiece tokenizer: wordpiece.py EMBEDDER.gguf TEXT.gz > wordpiece.txt

README says what the file is.
"""
import gzip
import sys
import unicodedata
import zlib

import gguf
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

PER_SUM = 64  # lines of TEXT that share one checksum

TEXTS = [s.encode() if isinstance(s, str) else s for s in (
    "", " \t\r\n ", "The store shuts at six.", "UNAFFABLE unaffable Unaffable", "embeddings tokenization",
    "Crème brûlée, naïve café; Ångström, Łódź, Straße, Ærø", "e\u0301te\u0301 E\u0302TRE n\u0303",
    "İstanbul ISTANBUL ıstanbul", "ΑΘΗΝΑ Ἀθῆναι Σίσυφος", "Привет, МИР! ёлка Й", "שָׁלוֹם עולם", "مُحَمَّد السلام", "हिन्दी में", "ไม่เป็นไร",
    "東京都に住む", "中文字符abc中文", "豈更車", "\U00020000x\U0002a6d7", "カタカナ ガギグ ひらがな が", "한국어 각", "日本語。「はい」、と",
    "I'm sure they've gone; it's 5 o'clock, don't!", "“He left,” she said—‘why?’ – nobody knows…", "rock-n-roll co-op e-mail",
    "3.14 1,234.56 $5.00 €20 £3 50% №7 ½ ² ①", "a+b=c <tag> x|y ~z `q` ^2 #1 @home a_b \\n", "non\u00a0breaking\u2003em\u3000wide\u2028line\u2029par\u202fnarrow",
    "so\u00adft zero\u200bwidth jo\u200din \ufeffbom", "tab\there\x00nul\x07bell\x1besc\x7fdel\x85nel\x0bvt\x0cff", "bad\ufffdchar", "pri\ue000vate",
    "😀 smile👍🏽 👩‍👩‍👧‍👦 🇩🇪 ❤️ ☃", "a" * 100, "a" * 101, "the" + "é" * 97, "the" + "é" * 98, "x" * 300 + " end", "[CLS] [SEP][MASK] [unused1]",
    "##ing ## ing", "supercalifragilisticexpialidocious antidisestablishmentarianism", "https://example.org/a/b?c=d&e=f#g", "C:\\Users\\x.txt; rm -rf /",
    "ﬁne ﬀ Ⅷ ㎏ ﷺ", "q\u0323\u0307 \u0301alone", "≠ ≮ \u037e \u1fef", "ǅ Ǆ ẞ ς", "word\u2010hyphen\u2011non\u2212minus", "§ 5 ¶ © ® ™ ° · ¡hola! ¿qué?",
    b"in\xffva\xc3lid \xe2\x82 cut\xed\xa0\x80 off \xf0\x9f\x98", b"\xc0\x80over\xf4\x90\x80\x80long")]

# A vocabulary of its own, for where the real one has not been fetched.
SMALL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"] + [
    "the", "store", "##s", "shut", "at", "six", ".", "un", "##aff", "##able", "##ff", "##a", "a", "creme", "bru", "##lee", ",", "'", "don", "t", "!",
    "中", "文", "東", "京", "更", "##字", "ᄀ", "##ᅡ", "##ᆨ", "3", "14", "##4", "##1", "-", "non", "breaking", "##breaking", "soft", "zero", "##width",
    "привет", "ми", "##р", "елка", "и", "it", "##x", "x", "##é", "[", "]", "cls", "#", "##ing", "ing", "“", "”", "—", "he", "left", "=", ";", "`", "in",
    "##valid", "cut", "off", "over", "##long", "ﬁ", "##ne", "ss", "ß", "the", "💚"]


def make(pieces):
    vocab = {}
    for i, p in enumerate(pieces):
        vocab.setdefault(p, i)
    t = Tokenizer(models.WordPiece(vocab, unk_token="[UNK]", max_input_chars_per_word=100))
    t.normalizer = normalizers.BertNormalizer(clean_text=True, handle_chinese_chars=True, strip_accents=None, lowercase=True)
    t.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    t.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[(s, vocab[s]) for s in ("[CLS]", "[SEP]")])
    return t


def original(piece):
    """A piece of a GGUF file as vocab.txt has it."""
    if piece.startswith("\u2581"):
        return piece[1:]
    return piece if piece.startswith("[") and piece.endswith("]") else "##" + piece


def ids(t, data):
    return t.encode(data.decode(errors="ignore")).ids


def is_newer(c):
    """Whether tokenizers, whose Unicode is of 2015, may not know that it is left out or set apart."""
    return unicodedata.ucd_3_2_0.category(c) == "Cn" and unicodedata.category(c)[0] not in "LNSZ"


def main():
    model, text = sys.argv[1:]
    real = make([original(p) for p in gguf.GGUFReader(model).fields["tokenizer.ggml.tokens"].contents()])
    small = make(SMALL)
    for p in SMALL:
        print("piece", p)
    for name, t in (("small", small), ("real", real)):
        for s in TEXTS:
            print(name, s.hex() or "-", *ids(t, s))
    lines = gzip.open(text).read().split(b"\n")
    newer = [i for i, line in enumerate(lines) if any(map(is_newer, line.decode(errors="ignore")))]
    print("without", *newer)
    for at in range(0, len(lines), PER_SUM):
        got = [i for k, line in enumerate(lines[at:at + PER_SUM], at) if k not in newer for i in ids(real, line)]
        print("lines", at, len(got), f"{zlib.crc32(b''.join(i.to_bytes(4, 'little') for i in got)):08x}")


if __name__ == "__main__":
    main()
