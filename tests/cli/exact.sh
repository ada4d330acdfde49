# not under sanitizers
# What --kv exact promises: less than half of 16 bits, logits within 1 %, and the same answers.
export PYTHONDONTWRITEBYTECODE=1
use_model 2> /dev/null
python3 "$TOP/tests/eval/plant.py" doc.txt doc.tsv --bytes 12000 2> /dev/null
lctool encode --quiet --device cpu --kv-bits 16 -o 16.kvz doc.txt
lctool encode --quiet --device cpu --kv exact -o exact.kvz doc.txt
lctool inspect --json exact.kvz | jq -c '[.recipe.codec, .recipe.k_bits, .recipe.v_bits, .ratio >= 2]'
echo '--- the same answers'
for i in 16 exact; do
    awk -F '\t' '$2 == "lexical" && n++ % 2' doc.tsv | while IFS=$(printf '\t') read -r _ _ question prefix _; do
        lctool query $i.kvz -q "$question" --answer-prefix "$prefix" --json --max-tokens 12 --device cpu < /dev/null |
            jq -c '[.question, .answer]'
    done > $i.answers
done
cmp 16.answers exact.answers && wc -l < exact.answers
echo '--- the same logits'
head -c 1500 /usr/share/common-licenses/GPL-3 > next
"$TOP/build/release/tests/kv-loss" "$HOME/.local/share/lctool/models/SmolLM2-135M-Instruct.Q4_1.gguf" next 16.kvz exact.kvz |
    awk -F , '{print ($10 > 0 && $10 < 0.01 ? "within a per cent" : $10)}'
