#!/bin/sh
# The long run of the fuzzer, one target after the other.
#
#   tests/fuzz/long.sh BUILD SECONDS TARGET...
#
# What is worth changing further is kept in BUILD/corpus/TARGET from run to run. An input that breaks
# the program, takes 20 seconds or 2 GB is left as BUILD/TARGET-*; see tests/fuzz/driver.c for how to
# read it again.
set -eu
build=$1 seconds=$2
shift 2
for target in "$@"; do
    corpus=$build/corpus/$target
    mkdir -p "$corpus"
    "$build/tests/test_fuzz" "$target" --seeds "$corpus"
    echo "fuzz: $target, $seconds s"
    # In the output of the targets nobody is interested.
    "$build/fuzz_$target" -max_total_time="$seconds" -close_fd_mask=3 -max_len=262144 -timeout=20 \
        -rss_limit_mb=2048 -artifact_prefix="$build/$target-" -print_final_stats=1 "$corpus" 2> "$build/$target.log" || {
        tail -n 60 "$build/$target.log"
        echo "fuzz: $target: FAILED; the input is $build/$target-*" >&2
        exit 1
    }
    tail -n 7 "$build/$target.log"
done
