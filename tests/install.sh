#!/bin/sh
# Installs the Debian packages that are named and missing. With nothing missing it does nothing.
set -eu
missing=
for p in "$@"; do
    dpkg-query -W -f '${Status}' "$p" 2>/dev/null | grep -q 'ok installed' || missing="$missing $p"
done
[ -n "$missing" ] || exit 0
as_root=
[ "$(id -u)" = 0 ] || as_root=sudo
for tool in $as_root apt-get; do
    command -v $tool > /dev/null || {
        echo "install: packages are missing, and without $tool they cannot be installed; as root: apt-get install$missing" >&2
        exit 1
    }
done
echo "installing:$missing" >&2
# shellcheck disable=SC2086
$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq $missing >/dev/null 2>&1 || {
    $as_root apt-get update -qq
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq $missing >/dev/null
}
