"""How surprised the model is by a book after an encoded prefix of it, as the papers do with PG19: for each length the
1,024 tokens behind it, by what of the index is in sight (build/release/tests/prefix-perplexity says how).

Part of suite.py; rows go to OUT/perplexity.jsonl, one for each length and way.
"""
import csv
import io
import json
import subprocess
import tempfile

import haystack

NEXT = 8000   # bytes behind the prefix, of which the tool reads 1,024 tokens
FULL = 9000   # a prefix meant to have 8K tokens may have some more


def texts(n_tokens):
    """The prefix, and what comes after it; None where the book is too short."""
    text, _ = haystack.pages("handbook")
    end = text.rfind(b"\n", 0, int(n_tokens * haystack.TOKEN_BYTES["essay"])) + 1
    return (text[:end], text[end:end + NEXT]) if end + NEXT <= len(text) else None


def measure(o, out, work, encode, made_by):
    """ENCODE is suite.encode; what a stopped run has measured stays."""
    path = out / "perplexity.jsonl"
    done = {json.loads(line)["length"] for line in path.read_text(encoding="utf-8").splitlines()} if path.exists() else set()
    for n_tokens in o.lengths:
        if n_tokens in done or not texts(n_tokens):
            continue
        prefix, following = texts(n_tokens)
        index, said = encode(o, haystack.Document({"book.txt": prefix}, []), (), work)
        if o.only_encode:
            continue
        with tempfile.NamedTemporaryFile(suffix=".txt") as f:
            f.write(following)
            f.flush()
            told = subprocess.run([o.perplexity, index, f.name, str(FULL)], stdout=subprocess.PIPE, check=True,
                                  encoding="utf-8").stdout
        rows = [dict(length=n_tokens, tokens=said["tokens"], way=way, sight=int(sight), read=int(read),
                     perplexity=float(value), encoded_by=said["by"], **made_by)
                for way, sight, read, value in csv.reader(io.StringIO(told))]
        with open(path, "a", encoding="utf-8") as f:
            f.write("".join(json.dumps(r) + "\n" for r in rows))
