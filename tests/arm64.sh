#!/bin/bash
# Builds the unit tests of kernels/ for 64-bit ARM and runs them under qemu, on processors of three
# kinds: without dot product, with it, and with i8mm. Ends with "N passed, N failed".
#
# Debian's arm64 packages are unpacked into build/arm64-root: nothing is installed but the compiler
# and qemu. On a machine that is ARM itself 'make check' does as much.
set -eu
cd "$(dirname "$0")/.."
build=build/arm64 root=$PWD/build/arm64-root
tests/install.sh build-essential pkg-config gcc-aarch64-linux-gnu qemu-user-static

get_root() {
    local work=$root.tmp
    rm -rf "$work" "$root"
    mkdir -p "$work/lists/partial" "$work/archives/partial" "$work/root"
    : > "$work/status" # nothing is there yet: all that a package depends on comes, too
    local apt=(apt-get -qq -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o Debug::NoLocking=1
        -o APT::Sandbox::User=root -o Dir::State::Lists="$work/lists" -o Dir::State::status="$work/status"
        -o Dir::Cache::archives="$work/archives" -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache=)
    echo "getting Debian's arm64 libraries (35 MB)" >&2
    "${apt[@]}" update
    "${apt[@]}" -y --no-install-recommends --download-only install libarchive-dev zlib1g-dev libxml2-dev \
        libpcre2-dev libutf8proc-dev libxxhash-dev libinih-dev libcmocka-dev > /dev/null
    for deb in "$work"/archives/*.deb; do
        dpkg -x "$deb" "$work/root"
    done
    mv "$work/root" "$root"
    rm -rf "$work"
}
[ -d "$root" ] || get_root

export PKG_CONFIG_SYSROOT_DIR=$root
export PKG_CONFIG_LIBDIR=$root/usr/lib/aarch64-linux-gnu/pkgconfig:$root/usr/share/pkgconfig
programs=$build/tests/isas
for t in tests/unit/kernels/test_*.c tests/unit/kernels/codec/test_*.c; do
    case $t in *test_cuda*) ;; *) programs="$programs $build/tests/$(basename "$t" .c)" ;; esac
done
# shellcheck disable=SC2086
CI=1 ${MAKE:-make} --no-print-directory -j"$(nproc)" B=$build ARCH=aarch64 CUDA=0 \
    CC="aarch64-linux-gnu-gcc --sysroot=$root" $programs

passed=0 failed=0 log=$build/log
on() { # CPU INSTRUCTION_SETS [WORD]
    local qemu="qemu-aarch64-static -L $root -cpu $1" got
    echo "-- $1: $2"
    got=$($qemu $build/tests/isas)
    if [ "$got" = "$2" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "    has $got"
    fi
    tests/run.sh --with "$qemu" ${3:+--only "$3"} $build | tee "$log" || true
    passed=$((passed + $(sed -n '$s/ passed.*//p' "$log"))) failed=$((failed + $(sed -n '$s/.*, \([0-9]*\) failed$/\1/p' "$log")))
}
# Those that differ between instruction sets; the first run has them all.
some='@(fused|kernels|products|quant)'
on max "neoni8mm neondot neon ref"
on neoverse-n1 "neondot neon ref" "$some"
on cortex-a72 "neon ref" "$some"
echo "$passed passed, $failed failed"
[ $failed = 0 ]
