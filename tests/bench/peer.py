"""llama.cpp beside lctool, by llama-cpp-python: what bench.py says of it.

Reading a long document takes llama.cpp the better part of an hour, so what it does far into one is measured on a state made
up for that: the cells of 512 tokens, again and again at positions that go on. Its attention takes as long whatever the
keys are.
"""
import ctypes
import struct
import subprocess
import sys
import time


def longer(state, times):
    """The state of one sequence, as llama_state_seq_get_data gives it, with its cells TIMES over; ValueError where it is laid
    out in another way. Little-endian: magic, flags; streams, cells; of each cell position, number of sequences, sequence;
    whether values are turned over, layers; of each layer's keys, then values, type, bytes a row and the rows. Values
    turned over: type, bytes an element, rows, and each row's elements of all cells."""
    at = 0

    def take(form):
        nonlocal at
        at += struct.calcsize(form)
        return struct.unpack_from(form, state, at - struct.calcsize(form))

    def again(n_bytes):
        nonlocal at
        at += n_bytes
        return state[at - n_bytes:at] * times

    head = take("<iI")
    streams, cells = take("<II")
    if streams != 1:
        raise ValueError("more than one stream")
    out = [struct.pack("<iIII", *head, 1, cells * times)]
    for i in range(cells):
        if take("<iIi") != (i, 1, 0):
            raise ValueError("cells are laid out otherwise")
    out += [struct.pack("<iIi", i, 1, 0) for i in range(cells * times)]
    turned, layers = take("<II")
    out.append(struct.pack("<II", turned, layers))
    for of_values in (False, True):
        for _ in range(layers):
            if of_values and turned:
                head = take("<iII")
                out += [struct.pack("<iII", *head), *(again(head[1] * cells) for _ in range(head[2]))]
            else:
                head = take("<iQ")
                out += [struct.pack("<iQ", *head), again(head[1] * cells)]
    if at != len(state):
        raise ValueError(f"{len(state) - at} bytes are left over")
    return b"".join(out)


class Peer:
    """A model in llama.cpp. add(what, figure, unit, command) takes what is measured."""

    def __init__(self, model, threads, longest, add, label=""):
        import llama_cpp
        self.api, self.label, note = llama_cpp, label, ""
        # Its AMX weights crash when gcc 12 has compiled them: a pass in another process tells.
        trial = (f"from llama_cpp import Llama; llm = Llama({model!r}, n_ctx=512, n_threads={threads}, "
                 "verbose=False); llm.eval(list(range(1, 65)))")
        if subprocess.run([sys.executable, "-c", trial], capture_output=True).returncode:
            note, defaults = ", use_extra_bufts off: crashes with it", llama_cpp.llama_model_default_params

            def plain():
                params = defaults()
                params.use_extra_bufts = False
                return params
            llama_cpp.llama_model_default_params = llama_cpp.llama_cpp.llama_model_default_params = plain
        self.llm = llama_cpp.Llama(model, n_ctx=longest + 1024, n_batch=512, n_ubatch=512, n_threads=threads,
                                   n_threads_batch=threads, verbose=False)
        self.tokens = [1 + i * 7919 % (self.llm.n_vocab() - 1) for i in range(max(longest, 512))]
        self.command = f"llama-cpp-python {llama_cpp.__version__}, n_batch 512, {threads} threads{note}"
        self.add = lambda what, figure, more="": add(f"llama.cpp: {label}{what}", figure, "tokens/s", self.command + more)

    def rate(self, tokens, together=True):
        """Tokens a second of reading them, together or one after the other; what is read is forgotten again."""
        before, began = self.llm.n_tokens, time.monotonic()
        for part in [tokens] if together else [[t] for t in tokens]:
            self.llm.eval(part)
        self.llm.n_tokens, seconds = before, time.monotonic() - began
        return len(tokens) / seconds

    def read(self, lengths):
        """512 tokens at once, then a document: how fast so far, and a token alone behind so many."""
        self.rate(self.tokens[:64])
        self.add("prefill 512 depth 0", max(self.rate(self.tokens[:512]) for _ in range(3 if self.label else 5)))
        seconds, at = 0, 0
        for length in sorted(lengths):
            began = time.monotonic()
            self.llm.eval(self.tokens[at:length])
            seconds, at = seconds + time.monotonic() - began, length
            self.add(f"average over {length} tokens", length / seconds)
            self.add(f"decode depth {length}", self.rate(self.tokens[:8], together=False))

    def deep(self, depth):
        """512 tokens at once and a token alone behind DEPTH others, a multiple of 512, whose keys and values are made up."""
        api, ctx = self.api, self.llm.ctx
        self.llm.reset()
        self.llm.eval(self.tokens[:512])
        room = api.llama_state_seq_get_size(ctx, 0)
        buffer = (ctypes.c_uint8 * room)()
        state = longer(ctypes.string_at(buffer, api.llama_state_seq_get_data(ctx, buffer, room, 0)), depth // 512)
        if not api.llama_state_seq_set_data(ctx, (ctypes.c_uint8 * len(state)).from_buffer_copy(state), len(state), 0):
            raise ValueError("the state was not taken")
        self.llm.n_tokens = depth
        more = f", cells of 512 tokens {depth // 512} times"
        self.add(f"prefill 512 depth {depth}", self.rate(self.tokens[:512]), more)
        self.add(f"decode depth {depth}", self.rate(self.tokens[:8], together=False), more)
