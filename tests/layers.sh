#!/bin/sh
# Includes point one way, down this list. A room may include what stands below it; engine/engine.h is the engine's
# interface to those above it and known to all of its rooms, kernels/kernels.h and the tables beside it to both backends.
set -eu
cd "$(dirname "$0")/.."
rooms="cmd
engine/calibrate engine/summarize engine/ask engine/survey engine/outline engine/history engine/tables engine/rows engine/lookup engine/answer engine/encode engine/passage engine/method engine/embed engine/stream engine/model engine/tok
engine/company engine/changed engine/question engine/sentences engine/lines engine/words
cache kernels/cuda kernels/cpu kernels/codec kernels io/doc io/form io/archive io/source io"
# What several files of one room share and nobody else may include, but tests. (Summaries ask as engine/ask/ does, by
# its ask.h, and both read by engine/answer/reading.h: these are known to more rooms than their own.)
inside="engine/calibrate/calibrate.h engine/calibrate/measure.h engine/calibrate/measure_store.h
engine/summarize/summarizing.h engine/survey/surveys.h engine/ask/asking.h
engine/answer/writing.h engine/encode/encode.h cache/reader.h cache/writer.h
io/form/mail_head.h io/form/mail_file.h io/form/cards_value.h"

bad=0
above=
for room in $rooms; do
    for other in $above; do
        if grep -nE "^ *# *include \"$other/" "$room"/*.[ch] "$room"/*.cu "$room"/*.cuh 2>/dev/null |
            grep -v '^kernels/device\.c:'; then
            echo "layers: $room/ must not include $other/" >&2
            bad=1
        fi
    done
    # What is named *_impl.h is for the files beside it.
    if grep -nE '^ *# *include ".*_impl\.h"' "$room"/*.[ch] "$room"/*.cu "$room"/*.cuh 2>/dev/null |
        grep -v "\"$room/[a-z0-9_]*_impl\.h\""; then
        echo "layers: $room/ must not include the inside of another room" >&2
        bad=1
    fi
    above="$above $room"
done
for header in $inside; do
    [ -f "$header" ] || { echo "layers: $header is not there" >&2; bad=1; }
    if grep -rnE "^ *# *include \"$header\"" main.c cmd engine cache kernels io | grep -v "^${header%/*}/[a-z0-9_]*\.[ch]:"; then
        echo "layers: only ${header%/*}/ may include $header" >&2
        bad=1
    fi
done
# What the commands know of the engine is its interface, and that of the second model.
if grep -nE '^ *# *include "engine/' main.c cmd/*.[ch] | grep -vE '"engine/(engine|embed/embedder)\.h"'; then
    echo "layers: cmd/ must not look inside the engine" >&2
    bad=1
fi
# Only device.c, which opens one of the two backends, knows both; neither knows the other.
if grep -nE '^ *# *include "kernels/cpu/' kernels/cuda/*; then
    echo "layers: kernels/cuda/ must not include kernels/cpu/" >&2
    bad=1
fi
if grep -nE '^ *# *include "engine/' cache/*.[ch] kernels/*.[ch] kernels/*/*.[ch] io/*.[ch] io/*/*.[ch]; then
    echo "layers: nothing below the engine may include it" >&2
    bad=1
fi
# A header is guarded by its own path, so that no other one is left out for it.
find cmd engine cache kernels io tests -name '*.h' -o -name '*.cuh' | LC_ALL=C xargs awk '
    FNR == 1 { guard = FILENAME; gsub(/[^A-Za-z0-9]/, "_", guard); guard = "LCTOOL_" toupper(guard) }
    /^#ifndef/ && !(FILENAME in seen) { seen[FILENAME] = 1; if ($2 != guard) {
        print FILENAME ": is not guarded by " guard; bad = 1 } }
    END { exit bad }' >&2 || bad=1
# Lines have 100 columns ('make format'); what is set in within a comment is code and may be longer.
find main.c cmd engine cache kernels io tests -name '*.[ch]' -o -name '*.cu' -o -name '*.cuh' | LC_ALL=C xargs awk '
    { line = $0; gsub(/[\200-\277]/, "", line) }
    length(line) > 100 && line !~ /^ *\/\/      ?/ { print FILENAME ":" FNR ": longer than 100 columns"; bad = 1 }
    END { exit bad }' >&2 || bad=1
[ $bad = 0 ] && echo "layers: includes point one way, and lines fit"
exit $bad
