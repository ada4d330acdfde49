"""A GGUF file as a float32 model of transformers: the dequantised weights, laid into the modules by hand.

load(path) reads everything it needs from the file: no network, no files beside it. The rows of
ARCH say what differs between architectures.
"""
import re

import gguf
import numpy as np
import torch
import transformers as tf


def unpermute(w, n_heads):
    """Rows of Q or K from rope pairs (2i, 2i+1), as GGUF stores them, to (i, i + head_dim/2)."""
    rows = w.shape[0]
    return w.reshape(n_heads, rows // n_heads // 2, 2, -1).swapaxes(1, 2).reshape(w.shape)


LAYER = {  # blk.N.X of the file: model.layers.N.Y of transformers
    "attn_norm.weight": "input_layernorm.weight",
    "attn_q.weight": "self_attn.q_proj.weight",
    "attn_k.weight": "self_attn.k_proj.weight",
    "attn_v.weight": "self_attn.v_proj.weight",
    "attn_q.bias": "self_attn.q_proj.bias",
    "attn_k.bias": "self_attn.k_proj.bias",
    "attn_v.bias": "self_attn.v_proj.bias",
    "attn_q_norm.weight": "self_attn.q_norm.weight",
    "attn_k_norm.weight": "self_attn.k_norm.weight",
    "attn_qkv.weight": "self_attn.qkv_proj.weight",
    "attn_output.weight": "self_attn.o_proj.weight",
    "ffn_norm.weight": "post_attention_layernorm.weight",
    "ffn_gate.weight": "mlp.gate_proj.weight",
    "ffn_up.weight": "mlp.up_proj.weight",
    "ffn_down.weight": "mlp.down_proj.weight",
}
WHOLE = {"token_embd.weight": "model.embed_tokens.weight", "output_norm.weight": "model.norm.weight",
         "output.weight": "lm_head.weight"}

GEMMA3 = dict(LAYER, **{"post_attention_norm.weight": "post_attention_layernorm.weight",
                        "ffn_norm.weight": "pre_feedforward_layernorm.weight",
                        "post_ffw_norm.weight": "post_feedforward_layernorm.weight"})
PHI3 = dict(LAYER, **{"ffn_up.weight": "mlp.gate_up_proj.weight"})

# general.architecture: model class, config class, layer names, rope pairs interleaved (Q and K permuted)
ARCH = {
    "llama": (tf.LlamaForCausalLM, tf.LlamaConfig, LAYER, True),
    "internlm2": (tf.LlamaForCausalLM, tf.LlamaConfig, LAYER, True),  # the same mathematics
    "qwen2": (tf.Qwen2ForCausalLM, tf.Qwen2Config, LAYER, False),
    "qwen3": (tf.Qwen3ForCausalLM, tf.Qwen3Config, LAYER, False),
    "smollm3": (tf.SmolLM3ForCausalLM, tf.SmolLM3Config, LAYER, True),
    "phi3": (tf.Phi3ForCausalLM, tf.Phi3Config, PHI3, False),
    "gemma3": (tf.Gemma3ForCausalLM, tf.Gemma3TextConfig, GEMMA3, False),
}


def fields(reader):
    return {k: f.contents() for k, f in reader.fields.items() if not k.startswith("GGUF.")}


def load(path, classes=None, **extra):
    """The model, in eval mode, and the file's metadata. CLASSES, of model and config, stand in for those of the
    file's architecture; EXTRA overrides entries of the config."""
    reader = gguf.GGUFReader(path)
    kv = fields(reader)
    arch = kv["general.architecture"]
    model_class, config_class, names, permuted = ARCH[arch]
    model_class, config_class = classes or (model_class, config_class)
    tensors = {t.name: gguf.dequantize(t.data, t.tensor_type).astype(np.float32) for t in reader.tensors}

    def get(key, default=None):
        return kv.get(f"{arch}.{key}", default)

    n_heads, n_kv_heads = get("attention.head_count"), get("attention.head_count_kv")
    config = dict(
        vocab_size=tensors["token_embd.weight"].shape[0], hidden_size=get("embedding_length"),
        intermediate_size=get("feed_forward_length"), num_hidden_layers=get("block_count"),
        num_attention_heads=n_heads, num_key_value_heads=n_kv_heads,
        head_dim=get("attention.key_length", get("embedding_length") // n_heads),
        max_position_embeddings=get("context_length"), rms_norm_eps=get("attention.layer_norm_rms_epsilon"),
        rope_parameters={"rope_type": "default", "rope_theta": get("rope.freq_base", 10000.0)},
        tie_word_embeddings="output.weight" not in tensors, bos_token_id=None, eos_token_id=None,
        pad_token_id=None, attn_implementation="eager")
    config.update(extra)
    model = model_class(config_class(**config)).to(torch.float32).eval()

    state = {}
    for name, w in tensors.items():
        m = re.fullmatch(r"blk\.(\d+)\.(.*)", name)
        if name.startswith("rope_"):
            continue  # the config carries the scaling
        if permuted and re.search(r"attn_[qk]\.", name):
            w = unpermute(w, n_heads if "attn_q" in name else n_kv_heads)
        if arch == "gemma3" and "norm" in name:
            w = w - 1  # the file holds 1 + w
        to = f"model.layers.{m[1]}.{names[m[2]]}" if m else WHOLE[name]
        state[to] = torch.from_numpy(np.ascontiguousarray(w))
    if config["tie_word_embeddings"]:
        state["lm_head.weight"] = state["model.embed_tokens.weight"]
    model.load_state_dict(state, strict=True)
    return model, kv


def logits(model, ids):
    """[len(ids), n_vocab]: one plain run over everything, nothing cached."""
    with torch.no_grad():
        return model(torch.tensor([ids]), use_cache=False).logits[0].numpy()
