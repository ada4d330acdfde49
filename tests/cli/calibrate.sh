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
run calibrate tiny.gguf -o tiny.ini | sed -E 's/, [0-9,]+ tokens.*//'
sed -E 's/^(entropy = 0)[.][0-9]+/\1.N/' tiny.ini # which depends on how the processor rounds
run calibrate tiny.gguf -o again.ini --quiet --json | jq -c '[.profile, .questions, .chosen, (.heads | length), (.layers | map(keys))]'
cmp tiny.ini again.ini && echo same
try lctool calibrate a.gguf b.gguf
try lctool calibrate tiny.gguf --profile tiny.ini
try lctool calibrate tiny.gguf -o no/where.ini --quiet
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
