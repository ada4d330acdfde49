# not under sanitizers
# Vectors of sentences: made where an embedder is there, kept where an index grows, and used with theirs alone.
use_model 2> /dev/null
cat > lease.txt <<'TEXT'
The lease of the old mill was signed on the third of May. The tenant, Mrs Abernathy, pays the rent of
nine hundred crowns on the first day of every quarter. The landlord repairs the roof and the water
wheel. The key to the cellar hangs behind the blue door. Dogs are allowed, geese are not.
TEXT
echo 'Rent may be paid in geese. The miller lives upstairs.' > note.txt
echo 'The pond is drained in March.' > pond.txt
models=$HOME/.local/share/lctool/models embedders=$HOME/.local/share/lctool/embedders
tiny=$TOP/tests/golden/embed/mean.gguf
encode() { shown lctool encode --device cpu --quiet "$@"; }
ask() { shown lctool query --device cpu "$@" -n 20 --evidence 2 | sed "s|$TOP|TOP|"; }
vectors() { lctool inspect "$1" --json | jq -c '[.sentences.vectors, .sentences.embedder, .sentences.dimensions, (.documents | length)]'; }
key="Where does the key to the cellar hang?"

echo '--- none is there'
encode lease.txt -o none.kvz && vectors none.kvz
ask none.kvz "$key" > first
head -n 1 first
echo '--- one is there'
use_embedder 2> /dev/null
encode lease.txt && vectors lease.kvz
lctool inspect lease.kvz | grep '^sentences'
lctool inspect lease.kvz --verify
ask lease.kvz "$key" > with
head -n 1 with
pets="Which pets may the lodger keep?"
ask lease.kvz "$pets" --json | jq -c '[.score, .evidence]' > pets
ask lease.kvz "$pets" --json --embedder none | jq -c '[.score, .evidence]' | cmp -s - pets || echo "they count"
lctool inspect lease.kvz --blocks "$key" --device cpu --json | jq '.choices | length > 0'
lctool inspect "$embedders"/all*.gguf | sed 1d
lctool inspect --json "$embedders"/all*.gguf | jq -c '[.name, .arch, .embedding, .layers]'
lctool inspect --verify "$embedders"/all*.gguf 2>&1 | sed "s|$HOME|~|"
echo '--- and is not wanted'
encode lease.txt --embedder none -o not.kvz && cmp not.kvz none.kvz && echo same
ask lease.kvz "$key" --embedder none | cmp - first && echo same
config <<< $'[lctool]\nembedder = none'
encode lease.txt -f -o not.kvz && cmp not.kvz none.kvz && echo same
ask lease.kvz "$key" | cmp - first && echo same
rm "$HOME/.config/lctool/lctool.ini"
echo '--- the one of an index is not there, or another one is given'
mkdir -p elsewhere/lctool && ln -s "$models" elsewhere/lctool/models
(export XDG_DATA_HOME=$PWD/elsewhere; ask lease.kvz "$key") > out
head -n 1 out
tail -n +2 out | cmp - first && echo same
(export XDG_DATA_HOME=$PWD/elsewhere; ask lease.kvz "$key" --quiet) | cmp - first && echo same
(export XDG_DATA_HOME=$PWD/elsewhere; ask lease.kvz "$key" --embedder "$embedders"/all*.gguf) | head -n 1
ask lease.kvz "$key" --embedder "$tiny" > out
head -n 1 out
tail -n +2 out | cmp - first && echo same
ask none.kvz "$key" --embedder "$tiny" | cmp - first && echo same
echo '--- what is no embedder'
for file in ./missing.gguf missing "$models/SmolLM2-135M-Instruct.Q4_1.gguf" note.txt; do
    encode lease.txt -o no.kvz --embedder "$file"
    echo "exit $?"
    ask lease.kvz "$key" --embedder "$file"
done
ls no.kvz* 2> /dev/null
ln -s "$tiny" "$embedders/tiny.gguf"
try shown lctool encode lease.txt -o no.kvz
echo '--- one of several by its name'
encode lease.txt -o tiny.kvz --embedder tiny && vectors tiny.kvz
ask lease.kvz "$key" | cmp - with && echo same
echo '--- the one of several that an index is by, whatever its file is called'
mv "$embedders/tiny.gguf" "$embedders/all-MiniLM-L6-v2.tiny.gguf"
cp lease.kvz several.kvz
encode --append pond.txt -o several.kvz && vectors several.kvz
ask lease.kvz "$key" | cmp - with && echo same
cp tiny.kvz several.kvz
encode --append pond.txt -o several.kvz && vectors several.kvz
ask several.kvz "$key" | head -n 1
try shown lctool encode --append pond.txt -o none.kvz
rm "$embedders/all-MiniLM-L6-v2.tiny.gguf"
echo '--- an index that grows'
encode --append note.txt -o lease.kvz --embedder none && vectors lease.kvz
encode --append pond.txt -o lease.kvz && vectors lease.kvz
encode --append note.txt -o tiny.kvz && vectors tiny.kvz
encode --append lease.txt -o none.kvz && vectors none.kvz
encode --append pond.txt -o none.kvz && vectors none.kvz
lctool inspect none.kvz --verify
echo '--- stopped before, and while vectors are made'
"$TOP/build/release/tests/tiny-model" tiny.gguf
for i in {1..500}; do echo "Line $i: the miller of ward $((i * 7919 % 1009)) owes $((i * 31 % 997)) sacks before noon."; done > lines.txt
small="lctool encode -m tiny.gguf --device cpu --quiet --window 128 --no-calibrate lines.txt"
try lctool encode -m tiny.gguf --device cpu lines.txt --embedder missing.gguf | sed "s|, and none .*||" # nothing is calibrated
began=$(date +%s%N)
$small -o whole.kvz
whole=$((($(date +%s%N) - began) / 1000000)) # milliseconds
for percent in 40 60 80; do
    [ -e lines.kvz ] || timeout -s INT $((whole * percent / 100000)).$(printf %03d $((whole * percent / 100 % 1000))) $small
done 2> /dev/null
[ -e lines.kvz ] || $small
cmp whole.kvz lines.kvz && vectors lines.kvz
