"""What transformers thinks of 20,000 tokens of the Debian handbook, float32, dequantised weights.

    python3 perplexity.py MODEL.gguf HANDBOOK_HTML_DIRECTORY OUT.bin

Twenty windows of 1,000 tokens, each a plain run of its own. Layout: README.
"""
import hashlib
import pathlib
import struct
import sys

import numpy as np

import golden_file
import logits
import model as golden

N_TOKENS, WINDOW = 20000, 1000


def main(path, pages, out):
    model, kv = golden.load(path)
    tok = logits.tokenizer(kv)
    ids = []
    for page in sorted(pathlib.Path(pages).glob("sect.*.html")):
        ids += tok.encode(logits.page_text(page), add_special_tokens=False).ids
        if len(ids) >= N_TOKENS:
            break
    ids = ids[:N_TOKENS]
    assert len(ids) == N_TOKENS
    nll = []
    for at in range(0, N_TOKENS, WINDOW):
        part = ids[at:at + WINDOW]
        rows = golden.logits(model, part)
        lse = golden_file.log_sum_exp(rows)
        nll += [0.0] + [lse[i] - rows[i, part[i + 1]] for i in range(WINDOW - 1)]
        print(at, np.exp(np.sum(nll) / (len(nll) - len(nll) // WINDOW)), flush=True)
    sha = hashlib.sha256(pathlib.Path(path).read_bytes()).digest()
    pathlib.Path(out).write_bytes(b"LCTPERPL" + struct.pack("<3I", 1, N_TOKENS, WINDOW) + sha +
                                  golden_file.u32(ids) + golden_file.f32(nll))


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
