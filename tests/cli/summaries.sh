# not under sanitizers
# Summaries with the real model: from the state, from blocks, of parts and then of all of them.
use_model
cat > lease.txt <<'TEXT'
The lease of the old mill was signed on the third of May. The tenant, Mrs Abernathy, pays the rent of
nine hundred crowns on the first day of every quarter. The landlord repairs the roof and the water
wheel. The key to the cellar hangs behind the blue door. Dogs are allowed, geese are not.
TEXT
for i in 1 2 3; do cat lease.txt; done > lease && mv lease lease.txt
cat > garden.txt <<'TEXT'
The garden behind the mill has forty apple trees. They are pruned in February, and the apples are picked by
the school children in September. The cider press stands in the barn; it was bought in Bristol.
TEXT
write="lctool summarize book.kvz --device cpu --words 20"

lctool encode lease.txt garden.txt -o book.kvz --device cpu --quiet
echo '--- the state: no block is read'
$write --from state --json | jq -c '[keys, .from, (.sections | length), .sections[0].statements[0].quoted, (.sections[0].text | length > 20)]'
lctool inspect book.kvz --json | jq -c '[.sections[].tag] | index("SUMM") != null'
echo '--- blocks'
$write --json | jq -c '[.from, (.sections | length), (.sections[0].evidence | length > 0)]'
echo '--- parts, and all of them'
$write --sections --json > parts
jq -c '[keys, .from, (.summary | keys), [.sections[].document]]' parts
jq -j '.summary.text' parts | tr -d ' \n' > all
jq -j '[.summary.statements[].text] | join(" ")' parts | tr -d ' \n' | cmp - all && echo 'its statements are the text'
jq -c '.sections as $s | [.summary.statements[] | .evidence[0].document == $s[.section].document] | unique' parts
$write --sections > plain
grep -c '^lease.txt:0-\|^garden.txt:0-\|^all$' plain
grep -A 1 '^all$' plain | tail -n 1 | grep -o '\[1\]' | head -n 1
echo '--- in the words of the documents alone'
$write --quote always --json > quoted
jq -c '[.sections[].statements[].quoted] | unique' quoted
tr '\n' ' ' < lease.txt > flat; tr '\n' ' ' < garden.txt >> flat
jq -r '.sections[].statements[].text[1:-1]' quoted | while IFS= read -r line; do grep -cF -- "$line" flat; done | sort -u
$write --quote always | grep -c '^"[A-Z].*[.]" \[1\]$'
echo '--- a text that says next to nothing'
echo 'Hi. So it is.' > hi.txt
lctool encode hi.txt --device cpu --quiet
lctool summarize hi.kvz --device cpu --quote always | head -n 1
echo 'x' > x.txt
lctool encode x.txt --device cpu --quiet
try lctool summarize x.kvz --device cpu
try lctool summarize x.kvz --device cpu --sections
lctool summarize x.kvz --device cpu --quiet --json | jq -c '.sections[].statements'
echo '--- what cannot be'
try $write --from state --sections
try $write --from memory
try $write --from state --quote always
