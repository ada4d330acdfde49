#!/bin/bash
# Runs every test of the given builds, adds up, and ends with "N passed, N failed".
#
#   tests/run.sh [--accept] [--skips] [--only WORD] [--with COMMAND] BUILD_DIR...
#
# A build directory holds unit tests, tests/test_*: cmocka programs, run from the top directory, as
# many at a time as there are processors. Then come the cases of tests/cli, for each build's program: CASE.sh runs in an empty directory
# with an empty home (tests/cli/lib has what it may call); its standard output must be CASE.out,
# its exit status CASE.rc (none: 0), and each line of CASE.err must be a line of its standard error,
# or match one when it begins with "~ ", and no other line may be there. A case with a line
# "# not under sanitizers" runs in the first build only; status 77 says that it lacks what it needs
# and is skipped. --accept writes what came as what is expected, but for a CASE.err with "~ "; --only
# runs what has WORD in its name; --skips adds ", N skipped" to the last line; --with runs unit
# tests alone, and each by COMMAND.
set -u
cd "$(dirname "$0")/.." || exit 1
top=$PWD
accept= only= skips= with= limit=600 # seconds of a unit test, which has others beside it
while :; do
    case ${1-} in
    --accept) accept=1; shift ;;
    --skips) skips=1; shift ;;
    --only) only=$2; shift 2 ;;
    --with) with=$2 limit=3000; shift 2 ;;
    *) break ;;
    esac
done
[ $# -gt 0 ] || { echo "usage: tests/run.sh [--accept] [--only WORD] [--with COMMAND] BUILD_DIR..." >&2; exit 2; }

passed=0 failed=0 skipped=0
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

wanted() { [ -z "$only" ] || [[ $1 == *$only* ]]; }

# The number before " test(s)" in cmocka's summary line of this kind in LOG, 0 without one.
count() { sed -n "s/^\[  $1 *\] \([0-9]*\) test(s).*/\1/p" "$2" | awk '{n += $1} END {print n + 0}'; }

# What it prints it prints at once, for others run beside it; its numbers go to the end of units.
unit() { # PROGRAM
    local began=$SECONDS rc ok bad left log
    log=$(mktemp "$tmp/log.XXXXXX")
    # shellcheck disable=SC2086
    timeout "$limit" $with "$1" > "$log" 2>&1 < /dev/null
    rc=$?
    ok=$(count PASSED "$log") bad=$(count FAILED "$log") left=$(count SKIPPED "$log")
    # A crash, a time-out or a program that tested nothing shows in the status or in no summary.
    if [ "$bad" = 0 ] && { [ $rc != 0 ] || [ $((ok + left)) = 0 ]; }; then
        bad=1
    fi
    echo "$ok $bad $left" >> "$tmp/units"
    {
        printf '%-46s %4d passed %3d failed%s  %3d s\n' "$1" "$ok" "$bad" \
            "$([ "$left" = 0 ] || echo ", $left skipped")" $((SECONDS - began))
        [ "$bad" = 0 ] || { tail -n 60 "$log" | sed 's/^/    /'; echo "    exit status $rc"; }
    } > "$log.said"
    cat "$log.said"
    rm -f "$log" "$log.said"
}

err_matches() { # WANTED GOT
    local line more
    if [ ! -e "$1" ]; then
        [ ! -s "$2" ]
        return
    fi
    while IFS= read -r line; do
        case $line in
        "~ "*) grep -qE -- "${line#??}" "$2" || { echo "no line of stderr matches: $line"; return 1; } ;;
        *) grep -qxF -- "$line" "$2" || { echo "no line of stderr is: $line"; return 1; } ;;
        esac
    done < "$1"
    # Nor may a warning, or what a sanitizer reports, stand beside them.
    more=$(grep -axvF -f <(grep -v '^~ ' "$1") -- "$2" |
        grep -avE -f <(sed -n 's/^~ //p' "$1")) || return 0
    echo "no line expected on stderr: $more"
    return 1
}

cli() { # CASE BUILD_DIR
    local case=$top/tests/cli/$1 began=$SECONDS rc want_rc=0
    rm -rf "$tmp/case"
    mkdir -p "$tmp/case/home" "$tmp/case/cwd"
    (
        export TOP=$top REAL_HOME=$HOME REAL_DATA=${XDG_DATA_HOME:-$HOME/.local/share}
        export HOME=$tmp/case/home PATH=$tmp/bin:$PATH LC_ALL=C.UTF-8 TMPDIR=$tmp/case
        unset XDG_DATA_HOME XDG_CONFIG_HOME XDG_CACHE_HOME MAKEFLAGS MAKELEVEL COLUMNS
        cd "$tmp/case/cwd" || exit 99
        timeout 900 bash -c '. "$TOP/tests/cli/lib"; . "$0"' "$case.sh"
    ) > "$tmp/out" 2> "$tmp/err" < /dev/null
    rc=$?
    if [ $rc = 77 ]; then
        skipped=$((skipped + 1))
        printf '%-46s skipped\n' "cli/$1 ($2)"
        return
    fi
    if [ -n "$accept" ]; then
        cp "$tmp/out" "$case.out"
        rm -f "$case.rc"
        [ $rc = 0 ] || echo $rc > "$case.rc"
        if ! grep -qs '^~ ' "$case.err"; then
            rm -f "$case.err"
            [ ! -s "$tmp/err" ] || cp "$tmp/err" "$case.err"
        fi
    fi
    [ ! -e "$case.rc" ] || want_rc=$(cat "$case.rc")
    if diff -u "$case.out" "$tmp/out" > "$tmp/diff" 2>&1 &&
        err_matches "$case.err" "$tmp/err" >> "$tmp/diff" && [ "$rc" = "$want_rc" ]; then
        passed=$((passed + 1))
        printf '%-46s passed  %17d s\n' "cli/$1 ($2)" $((SECONDS - began))
    else
        failed=$((failed + 1))
        printf '%-46s FAILED  %17d s\n' "cli/$1 ($2)" $((SECONDS - began))
        echo "    exit status $rc, expected $want_rc"
        head -n 60 "$tmp/diff" | sed 's/^/    /'
        tail -n 20 "$tmp/err" | sed 's/^/    stderr: /'
    fi
}

jobs=$(nproc) begun=0
: > "$tmp/units"
for build in "$@"; do
    for program in "$build"/tests/test_*; do
        [ -f "$program" ] && [ -x "$program" ] && wanted "$program" || continue
        [ $((begun++)) -lt "$jobs" ] || wait -n
        unit "$program" &
    done
done
wait
# A program of which no line came at all counts as failed.
read -r passed failed skipped <<< "$(awk -v begun="$begun" \
    '{ok += $1; bad += $2; left += $3} END {print ok + 0, bad + begun - NR, left + 0}' "$tmp/units")"
first=1
for build in "$@"; do
    [ -z "$with" ] || break
    mkdir -p "$tmp/bin"
    # The release build's program is the one that users run.
    program=$build/lctool
    [ "$build" != build/release ] || program=lctool
    case $program in /*) ;; *) program=$top/$program ;; esac
    ln -sf "$program" "$tmp/bin/lctool"
    for script in tests/cli/*.sh; do
        name=$(basename "$script" .sh)
        [ -e "$script" ] && wanted "cli/$name" || continue
        [ -n "$first" ] || ! grep -qx '# not under sanitizers' "$script" || continue
        cli "$name" "$build"
    done
    first=
done
if [ $((passed + failed + skipped)) = 0 ]; then
    echo "no test ran" >&2
    failed=1
fi
[ $skipped = 0 ] || [ -n "$skips" ] || echo "$skipped skipped, for this machine lacks what they need"
echo "$passed passed, $failed failed${skips:+, $skipped skipped}"
[ $failed = 0 ]
