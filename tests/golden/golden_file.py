"""The layout of *-logits.bin, which README describes."""
import hashlib
import pathlib
import struct

import numpy as np

VERSION = 1


def u32(values):
    return np.asarray(values, "<u4").tobytes()


def f32(values):
    return np.asarray(values, "<f4").tobytes()


def log_sum_exp(logits):
    wide = logits.astype(np.float64)
    top = wide.max(axis=1, keepdims=True)
    return (top + np.log(np.exp(wide - top).sum(axis=1, keepdims=True)))[:, 0]


def perplexity(ids, logits):
    lse = log_sum_exp(logits)
    return np.exp(np.mean([lse[i] - logits[i, ids[i + 1]] for i in range(len(ids) - 1)]))


def chat(question, prompt, said, lead):
    text = question.encode()
    return u32([len(text)]) + text + u32([len(prompt)]) + u32(prompt) + u32([len(said)]) + u32(said) + f32(lead)


def write(path, model_path, ids, logits, n_fixed, n_full, stride, chats=()):
    """LOGITS float32 [len(ids), n_vocab]; CHATS as chat() makes them."""
    n, n_vocab = logits.shape
    fixed = np.sort(np.random.default_rng(20260101).choice(n_vocab, n_fixed, replace=False))
    full = np.linspace(0, n - 1, n_full).astype(int)
    w = bytearray(b"LCTLOGIT")
    w += u32([VERSION, n_vocab, n, n_fixed, n_full, stride, len(chats)])
    w += hashlib.sha256(pathlib.Path(model_path).read_bytes()).digest()
    w += u32(ids) + u32(fixed) + u32(full)
    for i, (row, lse) in enumerate(zip(logits, log_sum_exp(logits))):
        second, top = np.argsort(row, kind="stable")[-2:]
        w += struct.pack("<I4f", top, row[top], row[second], lse, row[ids[i + 1]] if i + 1 < n else 0)
        w += f32(row[fixed])
    for i in full:
        w += f32(logits[i, ::stride])
    w += b"".join(chats)
    pathlib.Path(path).write_bytes(w)
    print(f"{path}: {len(w)} bytes")
