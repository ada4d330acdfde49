# not under sanitizers
# Memory does not grow with the document: ten times the text, at most 5 % more. How much of the libraries the
# system keeps mapped differs by some percent from run to run, and only ever adds: so the least of three.
"$TOP/build/release/tests/tiny-model" -l 1 -e 32 -f 32 -q 2 -k 1 -d 16 tiny.gguf
text() { # KILOBYTES
    yes "The ferry left at dawn and nobody on the pier waved, for the fog had eaten the flags. " |
        tr -d '\n' | fold -w 700 | head -c "$1"000
}
peak() { # KILOBYTES -> peak resident kilobytes: the least of three runs
    text "$1" > text.txt
    for run in 1 2 3; do
        rm -rf text.kvz text.kvz.part
        /usr/bin/time -f %M lctool encode -m tiny.gguf --device cpu --threads 2 --quiet --window 64 --sinks 16 \
            --block 16 --checkpoint 1 -f text.txt -o text.kvz 2> "peak.$run" || { cat "peak.$run" >&2; exit 1; }
        tail -n 1 "peak.$run"
    done | sort -n | head -n 1
}
small=$(peak "${MEMORY_TEST_KB:-200}") || exit
large=$(peak "$((${MEMORY_TEST_KB:-200} * 10))") || exit
[ "$small" -gt 1000 ] && [ $((large * 100)) -le $((small * 105)) ] && echo "constant"
echo "peak $small kB, then $large kB" >&2

# A checkpoint, of 60 MB here, goes to its file piece by piece.
"$TOP/build/release/tests/tiny-model" -l 8 -e 32 -f 32 -q 2 -k 2 -d 64 wide.gguf
text 60 > text.txt
checkpointed() { # SECONDS -> peak resident kilobytes
    /usr/bin/time -f %M lctool encode -m wide.gguf --device cpu --threads 2 --quiet --window 8192 --sinks 16 --block 16 \
        --no-calibrate --checkpoint "$1" -f text.txt -o wide.kvz 2>&1 | tail -n 1
}
without=$(checkpointed 1000)
with=$(checkpointed 0.5)
[ "$without" -gt 1000 ] && [ $((with - without)) -lt 40000 ] && echo "in pieces"
echo "peak $without kB, with checkpoints $with kB" >&2
