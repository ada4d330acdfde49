# not under sanitizers
# A model of which nothing is known: calibrated by hand and by encode, and what a profile changes.
export PATH="$TOP/build/release/tests:$PATH"
tiny-model tiny.gguf
echo "The tenant pays the rent on the first day of May. The miller keeps geese." > lease.txt
run() ( # without the lines of progress, which depend on the time
    set -o pipefail
    shown lctool "$@" --device cpu | sed '/^calibration:/d'
)
method() { lctool inspect lease.kvz | grep '^method'; }
echo '--- by hand'
# What depends on how the processor rounds is left out.
run calibrate tiny.gguf -o tiny.ini | sed -E 's/, [0-9,]+ tokens.*//; /^[0-9]/d; s/^(all alike) .*/\1/'
sed -E 's/^(entropy = 0)[.][0-9]+/\1.N/; /^(keys|values|near) =/d' tiny.ini
run calibrate tiny.gguf -o again.ini --quiet --json | jq -c '[.profile, .questions, .chosen, (.heads | length), (.layers | map(keys)),
    (.storing | map(keys)), .loss <= .loss_alike, .loss_alike > 0]'
cmp tiny.ini again.ini && echo same
try lctool calibrate a.gguf b.gguf
try lctool calibrate tiny.gguf --profile tiny.ini
try lctool calibrate tiny.gguf -o no/where.ini --quiet
mkdir -p dir.d
try lctool calibrate tiny.gguf -o dir.d
try lctool calibrate tiny.gguf -o new.d/
try lctool calibrate tiny.gguf -o -
try lctool calibrate tiny.gguf --text lease.txt -o lease.ini
try lctool calibrate tiny.gguf --text lease.txt # nor is it said where other commands would find it
yes 'The miller keeps geese.' | head -c 5000 > geese.txt
run calibrate tiny.gguf --text geese.txt --documents 1 --tokens 1024 -o geese.ini --quiet --json | jq -c '[.questions, .loss > 0]'
echo '--- by encode, once'
run inspect tiny.gguf | grep '^profile'
run encode -m tiny.gguf lease.txt --no-calibrate | grep -v lease.kvz:
ls ~/.local/share/lctool 2> /dev/null
run encode -m tiny.gguf lease.txt -f | sed -E 's/, [0-9,]+ tokens.*//; s/[0-9a-f]{16}/DIGEST/' | grep -v lease.kvz:
run encode -m tiny.gguf lease.txt -f | grep -v lease.kvz:
run inspect tiny.gguf | grep '^profile' | sed -E 's/[0-9a-f]{16}/DIGEST/'
method
echo '--- a profile that was edited'
sed 's/^\[heads\]/&\n1.3 = 1\n0.0 = 0.5/' tiny.ini > own.ini
run inspect tiny.gguf --profile own.ini | grep '^profile'
run encode -m tiny.gguf lease.txt -f --quiet --profile own.ini
method
lctool inspect lease.kvz --json | jq -r .params
run query lease.kvz "Who pays the rent?" --profile own.ini -n 1 --json | jq -c '[.method, (.evidence | length)]'
run inspect lease.kvz --blocks "Who pays?" --profile own.ini --json | jq -c '.choices[0].votes | map([.layer, .head]) | sort'
echo 'More of it.' | run encode - -m tiny.gguf -o lease.kvz --append --quiet --profile own.ini && echo grown
sed 's/^0.0 = .*/0.3 = 0.5/' own.ini > other.ini
echo 'And more.' | run encode - -m tiny.gguf -o lease.kvz --append --quiet --profile other.ini
run query lease.kvz "Who pays the rent?" -n 1 --profile other.ini
run query lease.kvz "Who pays the rent?" -n 1
echo '--- profiles that do not fit'
sed 's/^layers = 2/layers = 3/' own.ini > three.ini
run query lease.kvz "Who?" -n 1 --profile three.ini | sed -E 's/weights [0-9a-f]{16}/weights DIGEST/'
sed 's/^1.3 = 1/1.3 = heavy/' own.ini > heavy.ini
run query lease.kvz "Who?" -n 1 --profile heavy.ini || echo "exit $?"
echo '--- heads that look no further than the window'
long() { for i in $(seq 60); do echo "In year $i the miller ground $((i % 7)) sacks of rye."; done; }
printf '[layer 0]\nkeys = 0.5\nnear = 1\n[layer 1]\nnear = 0 1\n' | cat three.ini - | sed 's/^layers = 3/layers = 2/; /^entropy/d' > near.ini
long | run encode - -m tiny.gguf -o all.kvz --window 64 --sinks 16 --block 16 --chunk 32 --kv-bits 3.0 --quiet --profile near.ini
long | run encode - -m tiny.gguf -o near.kvz --window 64 --sinks 16 --block 16 --chunk 32 --kv-bits 3.0 --quiet --profile near.ini --far-heads needed
for i in all near; do lctool inspect $i.kvz --json; done |
    jq -cs '[.[0].layer_bytes, .[1].layer_bytes] | [.[1][0] < .[0][0] * 0.7, .[1][1] < .[0][1] / 3]'
lctool inspect --verify near.kvz
lctool inspect --heads near.kvz | sed -E 's/[0-9]+[.][0-9]$/N/; s/ +[0-9]+[.][0-9]/ N/g' | head -n 6
lctool inspect --heads --json all.kvz | jq -c '[.layers[0][0].kv_heads, .layers[0][0].near, (.vectors | length > 0)]'
run query near.kvz "Who ground rye?" --profile near.ini -n 1 --json | jq -c '.evidence | length > 0'
long | run encode - -m tiny.gguf -o near.kvz --append --quiet --profile near.ini --far-heads needed || echo "exit $?"
long | run encode - -m tiny.gguf -o near.kvz --append --quiet --profile near.ini && echo grown
long | run encode - -m tiny.gguf -o no.kvz --quiet --profile near.ini --kv-bits 4 --far-heads needed || echo "exit $?"
long | run encode - -m tiny.gguf -o no.kvz --quiet --profile own.ini --far-heads needed || echo "exit $?"
sed 's/^near = 1/near = 2/' near.ini > two.ini
run query lease.kvz "Who?" -n 1 --profile two.ini || echo "exit $?"
echo '--- kept where other commands look'
rm -r ~/.local/share/lctool/profiles
run calibrate tiny.gguf --documents 1 --tokens 1024 | sed -E '/^lctool/!d; s/, [0-9,]+ tokens.*//; s/[0-9a-f]{16}/DIGEST/'
run inspect tiny.gguf | grep '^profile' | sed -E 's/[0-9a-f]{16}/DIGEST/'
