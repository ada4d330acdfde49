# not under sanitizers
# An encode that is killed, at any moment, goes on where it was and ends in the bytes of an unbroken
# run; one that is interrupted, or finds no room, says so and how to go on.
"$TOP/build/release/tests/tiny-model" tiny.gguf
i=0
while [ $i -lt 2000 ]; do
    echo "Line $i: the miller of ward $((i * 7919 % 1009)) owes $((i * 31 % 997)) sacks before noon."
    i=$((i + 1))
done > book.txt
encode() { exec lctool encode -m tiny.gguf --device cpu --quiet --window 128 --checkpoint 0.05 "$@"; }
began=$(date +%s%N)
(encode book.txt -o whole.kvz)
whole=$((($(date +%s%N) - began) / 1000)) # microseconds: what is early and late differs by machine
after() { printf '%d.%06d' $(($1 * whole / 100 / 1000000)) $(($1 * whole / 100 % 1000000)); } # PERCENT
while :; do
    tries=0 killed=0
    until [ -e book.kvz ] || [ $tries = 200 ]; do
        encode book.txt &
        sleep "$(after $((10 + tries * 5)))"
        kill -KILL $! 2> /dev/null
        wait $! 2> /dev/null
        [ $? = 137 ] && killed=$((killed + 1))
        tries=$((tries + 1))
    done 2> /dev/null
    [ $killed -lt 2 ] && [ $whole -gt 10000 ] || break
    rm book.kvz # done before: the unbroken run was slower, as others ran beside it
    whole=$((whole / 2))
done
[ $killed -ge 2 ] && echo "killed more than once"
cmp whole.kvz book.kvz && echo "the same bytes"
# Killed behind its last step it leaves a directory without an index, which the next run takes away.
(encode book.txt) 2>&1
[ ! -e book.kvz.part ] && echo "nothing left behind"

rm book.kvz
# Encodes with the arguments behind the signal, which comes before the end: sooner where it came too late.
interrupted() {
    signal=$1 at=40 status=0
    shift
    while :; do
        encode "$@" &
        sleep "$(after $at)"
        kill "-$signal" $! 2> /dev/null
        wait $!
        status=$?
        [ $status = 0 ] && [ $at -gt 2 ] || break
        rm book.kvz
        at=$((at / 2))
    done
    echo "exit $status"
}
interrupted HUP book.txt
(encode --block 32 book.txt 2>&1)
cp book.txt other.txt && (encode other.txt -o book.kvz 2>&1)
interrupted XCPU --force book.txt
interrupted PIPE --force book.txt
[ -e book.kvz.part/state ] && echo "kept"
interrupted INT --force book.txt
ls -d book.kvz*
lctool query book.kvz "Who owes?" 2>&1
lctool inspect book.kvz 2>&1
lctool inspect book.kvz.part/ 2>&1
(encode book.txt) && cmp whole.kvz book.kvz && echo "the same bytes"

echo '--- an index that is replaced, and one that grows'
# Encodes with these arguments until it is interrupted: sooner where it came to its end.
begun() {
    local at=40
    cp whole.kvz grown.kvz
    while encode "$@" -o grown.kvz & sleep "$(after $at)"; kill -TERM $! 2> /dev/null; wait $!; [ $? = 0 ] && [ $at -gt 2 ]; do
        cp whole.kvz grown.kvz
        at=$((at / 2))
    done 2> /dev/null
    cmp whole.kvz grown.kvz && echo "as it was"
}
tac book.txt > turned.txt
(encode turned.txt -o turned.kvz)
begun --force turned.txt
(encode turned.txt -o grown.kvz) && cmp turned.kvz grown.kvz && echo "replaced"
begun --append turned.txt
(encode other.txt -o grown.kvz 2>&1)
(encode --append --block 32 turned.txt -o grown.kvz 2>&1)
cmp whole.kvz grown.kvz && (encode --append --force other.txt -o grown.kvz 2>&1) && ls -d grown.kvz*
lctool inspect grown.kvz --json | jq -c '[.documents[].name]'

echo '--- a disk that fills up'
(ulimit -f 2000; encode --no-quiet --no-calibrate --checkpoint 0.01 book.txt -o full.kvz) 2>&1 | sed -n '/kept/p; s|.*/[a-z.]*: cannot|cannot|p'
(encode book.txt -o full.kvz) && cmp whole.kvz full.kvz && echo "the same bytes"
(ulimit -f 100; encode --append other.txt -o full.kvz) 2>&1 | sed 's|.*/[a-z.]*: cannot|cannot|'
cmp whole.kvz full.kvz && ls -d full.kvz*

echo '--- a pipe that gives no more'
mkfifo pipe
exec 3<> pipe
head -c 40000 book.txt >&3
for from in '- --stdin-name book.txt' pipe; do
    # shellcheck disable=SC2086
    timeout --foreground --preserve-status -k 60 2 lctool encode -m tiny.gguf --device cpu --quiet --window 128 $from -o pipe.kvz < pipe 2>&1
    echo "exit $?"
done
exec 3>&-
(encode - --stdin-name book.txt -o pipe.kvz < book.txt) && cmp whole.kvz pipe.kvz && echo "the same bytes"

echo '--- a summary'
mkfifo sections
{ exec lctool summarize whole.kvz --device cpu --sections > sections 2> said; } &
exec 3< sections
read -r -u 3 first
kill -INT $!
cat <&3 > /dev/null
wait $!
echo "exit $?"
cat said
