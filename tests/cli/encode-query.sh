# not under sanitizers
# The whole way with the real model: encode, ask, look inside, and what each command says.
use_model
cat > lease.txt <<'TEXT'
The lease of the old mill was signed on the third of May. The tenant, Mrs Abernathy, pays the rent of
nine hundred crowns on the first day of every quarter. The landlord repairs the roof and the water
wheel. The key to the cellar hangs behind the blue door. Dogs are allowed, geese are not.
TEXT
no_numbers() { sed -E 's/-?[0-9][0-9,]*(\.[0-9]+)?/N/g'; }
ask="lctool query lease.kvz --device cpu"

lctool encode lease.txt --device cpu --quiet --json | jq -c '[.out, .documents, .text_bytes, .resumed_tokens, .tokens > 50]'
try lctool encode lease.txt --device cpu
echo '--- plain'
$ask "Where does the key to the cellar hang?" -n 12 | tee first | no_numbers
echo '--- JSON, and the same answer in company'
$ask -q "Who repairs the roof?" -q "Where does the key to the cellar hang?" -n 12 --json > two
jq -c '[keys, (.evidence[0] | keys), .index, (.tokens | keys), (.seconds | keys)]' two | uniq
jq -r .answer two | tail -n 1 | cmp - <(head -n 1 first) && echo same
echo '--- evidence is bytes of the document'
jq -j '.evidence[0] | "\(.start) \(.end)\n"' two | tail -n 1 | {
    read -r start end
    tail -c +$((start + 1)) lease.txt | head -c $((end - start)) > bytes
    jq -sj '.[1].evidence[0].text' two | cmp - bytes && echo same
}
echo '--- several questions, blank lines, no evidence'
printf 'Are dogs allowed?\n\n  \nAre geese allowed?' | $ask --questions - -n 5 --evidence 0 | tee asked | grep '^>'
printf 'Are dogs allowed?\nAre geese allowed?\n' | $ask - -n 5 --evidence 0 | cmp - asked && echo same
printf '\n' | $ask - 2>&1 || echo "exit $?"
echo '--- inspect'
lctool inspect lease.kvz --text | cmp - lease.txt && echo same
lctool inspect lease.kvz --verify
lctool inspect lease.kvz --json | jq -c '[.documents[0].name, .documents[0].bytes, .recipe.k_bits, .positions, .template]'
lctool inspect lease.kvz --spans --json | jq -c '[.document, .end > .start]' | sort -u
lctool inspect lease.kvz --blocks "Where is the key?" --json --device cpu | jq -c '[.select, (.choices | length > 0)]'
for i in {1..20}; do printf '水車小屋の家賃は四半期ごとに払う。鍵は青い扉の後ろにある。'; done > mill.txt
lctool encode mill.txt --device cpu --quiet
lctool inspect mill.kvz --spans | tail -n +2 > spans # blocks end within characters, lines do not
[ "$(wc -l < spans)" -gt 3 ] && ! grep $'\xef\xbf\xbd' spans && echo whole
echo '--- the sentence that was looked at'
$ask -q "Where does the key to the cellar hang?" -q "When was the lease signed?" -n 1 --json |
    jq -r '.evidence[0] | .text[.focus.start - .start:.focus.end - .start]'
echo '--- nothing that answers'
$ask -q "What rent is due?" -n 3 --min-score 1
$ask -q "What rent is due?" -n 3 --min-score 1 --json | jq -c '[.answer, .finish, .blocks, .score < 99, .tokens.read]'
echo '--- append, force'
echo 'Rent may be paid in geese.' | lctool encode - --stdin-name note -o lease.kvz --append --device cpu --quiet
lctool inspect lease.kvz --json | jq -c '[.documents[].name]'
lctool encode lease.txt -f --device cpu --quiet --kv exact
lctool inspect lease.kvz --json | jq -c '[[.documents[].name], .recipe.k_bits]'
for other in "--kv balanced" "--kv small" "--kv-bits 8" "--block 32" "--topk 2" "--raw"; do
    echo 'No geese.' | lctool encode - -o lease.kvz --append --device cpu --quiet $other
    echo "exit $?" >&2
done
lctool inspect lease.kvz --json | jq -c '[.documents[].name]'
echo '--- a damaged index'
size=$(stat -c %s lease.kvz)
printf '\377' | dd of=lease.kvz bs=1 seek=$((size / 2)) conv=notrunc status=none
lctool inspect lease.kvz --verify | no_numbers | head -n 1
echo "exit ${PIPESTATUS[0]}" >&2
echo '--- a failing question does not stop the others'
$ask -q "Are dogs allowed?" -q "Who pays?" -n 3 --method full --json 2> errors > answers
echo "exit $?, errors: $(wc -l < errors)"
jq -c '[.question, has("error")]' answers
