#!/bin/sh
# Includes point one way: main -> cmd -> engine -> cache -> kernels -> io.
set -eu
cd "$(dirname "$0")/.."
bad=0
check() { # ROOM, rooms it must not include
    room=$1; shift
    for other in "$@"; do
        if grep -nE "^ *# *include \"$other/" "$room"/*.[ch] "$room"/*.cu "$room"/*.cuh 2>/dev/null; then
            echo "layers: $room/ must not include $other/" >&2
            bad=1
        fi
    done
}
check io kernels cache engine cmd
check kernels cache engine cmd
check cache engine cmd
check engine cmd
[ $bad = 0 ] && echo "layers: includes point one way"
exit $bad
