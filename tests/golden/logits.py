"""Golden logits of SmolLM2-135M-Instruct Q4_1: transformers, float32, dequantised weights.

    python3 logits.py MODEL.gguf HANDBOOK_HTML_DIRECTORY OUT.bin [--twice]

--twice also loads the model by transformers' own GGUF reader and compares. Layout: README.
"""
import html.parser
import pathlib
import sys

import numpy as np
import tokenizers
import torch

import golden_file
import model as golden

PAGES = ["sect.release-lifecycle.html", "sect.firewall-packet-filtering.html"]  # prose; commands
N_TOKENS, N_FIXED, N_FULL, STRIDE, N_ANSWER = 2000, 8, 8, 48, 32
QUESTIONS = ["What is the capital of France?", "Name three primary colours and one fruit of each colour."]
SYSTEM = "You are a helpful AI assistant named SmolLM, trained by Hugging Face"


class Text(html.parser.HTMLParser):
    """The text of a page, roughly; the tokens are in the golden file, so that roughly will do."""
    def __init__(self):
        super().__init__()
        self.out, self.skip = [], 0

    def handle_starttag(self, tag, attrs):
        self.skip += tag in ("script", "style", "head")
        if tag in ("p", "div", "li", "h1", "h2", "h3", "h4", "pre", "br"):
            self.out.append("\n")

    def handle_endtag(self, tag):
        self.skip -= tag in ("script", "style", "head")

    def handle_data(self, data):
        if not self.skip:
            self.out.append(data)

    def text(self):
        return "\n".join(filter(None, (" ".join(line.split()) for line in "".join(self.out).split("\n"))))


def page_text(path):
    parser = Text()
    parser.feed(path.read_text(encoding="utf-8"))
    return parser.text()


def tokenizer(kv):
    """Byte-level BPE with the smollm pre-tokenizer: every digit alone, then GPT-2's words."""
    vocab = {t: i for i, t in enumerate(kv["tokenizer.ggml.tokens"])}
    merges = [tuple(m.split(" ")) for m in kv["tokenizer.ggml.merges"]]
    tok = tokenizers.Tokenizer(tokenizers.models.BPE(vocab, merges))
    pre = tokenizers.pre_tokenizers
    tok.pre_tokenizer = pre.Sequence([pre.Digits(individual_digits=True), pre.ByteLevel(add_prefix_space=False)])
    tok.decoder = tokenizers.decoders.ByteLevel()
    special = [t for t, kind in zip(kv["tokenizer.ggml.tokens"], kv["tokenizer.ggml.token_type"]) if kind == 3]
    tok.add_special_tokens([tokenizers.AddedToken(t, normalized=False, special=True) for t in special])
    return tok


def answer(model, ids, end):
    """Greedy continuation: ids, and by how much each beat the second best."""
    out, lead, past = [], [], None
    feed = ids
    with torch.no_grad():
        for _ in range(N_ANSWER):
            r = model(torch.tensor([feed]), past_key_values=past, use_cache=True)
            past = r.past_key_values
            best = r.logits[0, -1].topk(2)
            out.append(int(best.indices[0]))
            lead.append(float(best.values[0] - best.values[1]))
            feed = out[-1:]
            if out[-1] == end:
                break
    return out, lead


def main(path, pages, out_path, twice):
    torch.set_num_threads(2)
    model, kv = golden.load(path)
    tok = tokenizer(kv)
    ids = []
    for p in PAGES:
        text = page_text(pathlib.Path(pages) / p)
        ids += tok.encode(text, add_special_tokens=False).ids[:N_TOKENS // len(PAGES)]
    assert len(ids) == N_TOKENS, f"only {len(ids)} tokens in {PAGES}"
    all_logits = golden.logits(model, ids)
    if twice:
        import transformers
        p = pathlib.Path(path)
        other = transformers.AutoModelForCausalLM.from_pretrained(
            p.parent, gguf_file=p.name, dtype=torch.float32, attn_implementation="eager").eval()
        print(f"largest difference to transformers' own reader: {np.abs(golden.logits(other, ids) - all_logits).max():g}")

    print(f"perplexity over {N_TOKENS} tokens: {golden_file.perplexity(ids, all_logits):.4f}")
    chats = []
    end = kv["tokenizer.ggml.eos_token_id"]
    for q in QUESTIONS:
        chat = f"<|im_start|>system\n{SYSTEM}<|im_end|>\n<|im_start|>user\n{q}<|im_end|>\n<|im_start|>assistant\n"
        prompt = tok.encode(chat, add_special_tokens=False).ids
        said, lead = answer(model, prompt, end)
        print(f"{q!r}: {tok.decode(said)!r}\n  ids {said}\n  smallest lead {min(lead):.4f}")
        chats.append(golden_file.chat(q, prompt, said, lead))
    golden_file.write(out_path, path, ids, all_logits, N_FIXED, N_FULL, STRIDE, chats)


if __name__ == "__main__":
    args = [a for a in sys.argv[1:] if a != "--twice"]
    if len(args) != 3:
        sys.exit(__doc__)
    main(*args, twice="--twice" in sys.argv)
