# What goes wrong around a run: odd names, files that are no texts, full disks, files cut while they are
# read. The model is tiny: it answers nonsense, quickly.
"$TOP/build/release/tests/tiny-model" tiny.gguf
encode() { lctool encode -m tiny.gguf --device cpu --quiet --no-calibrate --window 64 --sinks 16 --block 16 --chunk 64 "$@"; }
ask="lctool query --device cpu -n 3"
documents() { lctool inspect "$1" | sed -n '/^documents/,/^$/p'; }
echo 'The key hangs behind the door.' > a.txt

echo '--- what is written where'
try encode a.txt -o no/such/x.kvz
try encode a.txt -o a.txt/x.kvz
try encode a.txt -o new/
encode a.txt
try encode a.kvz -o b.kvz
try encode tiny.gguf
(ulimit -f 8; try encode a.txt -o large.kvz)
try encode $'no\nsuch'
try encode ''
umask 022
cp a.txt private.txt && chmod 640 private.txt && cp a.txt own.txt && chmod 600 own.txt
encode private.txt a.txt -o group.kvz && gzip -c a.txt > own.gz && chmod 600 own.gz
encode a.txt own.txt -o own.kvz && encode own.gz -o packed.kvz && encode - -o piped.kvz < own.txt && cat own.txt | encode - -o all.kvz
stat -c "%a %n" group.kvz own.kvz packed.kvz piped.kvz all.kvz && rm group.kvz packed.kvz piped.kvz all.kvz own.* private.txt

echo '--- nothing, and more'
: > nothing.txt
try encode nothing.txt
try encode nothing.txt nothing.txt
printf ' \r\n\t\n' > white.txt
try encode white.txt
echo 'Rent may be paid in geese.' > b.txt
mkdir far && mv a.kvz far && ln -s far/a.kvz a.kvz # the link stays
encode b.txt -o a.kvz --append --json | jq -c '[.documents, .added_documents, .text_bytes, .tokens > .text_bytes]'

echo '--- what an index has already'
ls a.kvz* far && readlink a.kvz && rm a.kvz && mv far/a.kvz . && cp a.kvz grown.kvz
cp a.txt same.txt
try encode --append a.txt b.txt -o a.kvz --no-quiet --json | sed 's/, "tokens".*//; s/new,.*/new/'
cmp a.kvz grown.kvz && ls -d a.kvz*
{ cat b.txt; echo 'Not in swans.'; } > longer.txt
head -c 9 b.txt > shorter.txt
for as in longer shorter; do
    cp $as.txt b.txt
    try encode --append a.txt b.txt same.txt b.txt -o a.kvz --no-quiet 2>&1 | sed 's/new,.*/new/'
done
documents a.kvz
lctool inspect a.kvz --text | diff - <(cat a.txt; echo 'Rent may be paid in geese.'; cat longer.txt same.txt shorter.txt) && echo 'no byte is lost'
printf '[lctool]\njson = yes\n[inspect]\njson = yes\n' > json.ini
for json in '' '--json' '--config json.ini'; do # text it stays
    lctool inspect grown.kvz --text $json | tail -n 1
done

try lctool encode -m tiny.gguf --device cpu missing.txt # before the model is calibrated for long
try lctool encode -m tiny.gguf --device cpu a.txt

echo '--- names'
mkdir in
echo one > $'in/new\nline'
echo two > $'in/latin\xff'
printf 3 > in/three
ln -s three in/again
ln in/three in/hard
mkdir in/other.kvz.part && echo four > in/other.kvz.part/spool
try encode in in/three in/hard
try lctool encode -m tiny.gguf --device cpu --no-calibrate in -o noted.kvz | sed '/^lctool: encode: noted/d'
documents in.kvz
lctool inspect in.kvz --json | jq -c '[.documents[].name]'
odd=$'\e[31mred\r\n.kvz'
cp in.kvz "$odd" && cp tiny.gguf "$odd.gguf"
lctool inspect "$odd" | head -1
lctool inspect "$odd" --verify
lctool inspect "$odd.gguf" --device cpu | head -1 | sed "s|$PWD|.|"
$ask "$odd" --min-score 1 -q 'Who?' 2>&1

echo '--- archives'
mkdir sub && (cd sub && tar -cPf ../up.tar ../a.txt "$(realpath ../in/three)" && tar -cPf ../nested.tar ../up.tar)
encode up.tar && documents up.kvz | sed "s|${PWD#/}|ABSOLUTE|"
encode nested.tar && documents nested.kvz | sed "s|${PWD#/}|ABSOLUTE|"
zip -q -P secret locked.zip a.txt && try encode locked.zip
tar -cf around.tar locked.zip a.txt && try encode --no-quiet around.tar | grep -v 'heads\|tokens'
gzip -c a.txt | head -c 30 > cut.gz && try encode cut.gz

echo '--- questions'
try $ask a.kvz -q ' '
: > none && try $ask a.kvz --questions none
try $ask a.kvz --questions in
printf 'who?\n' > one && printf 'where?\n' > two && $ask a.kvz --questions one --questions two --json | jq -c .question
printf '\357\273\277who?\r\nwhere?\r\n' > dos && $ask a.kvz --questions dos --json | jq -c .question
printf 'who?\rwhere?\r\rwhen?' > mac && $ask a.kvz --questions mac --json | jq -c .question
printf '\302\240\n\001\002\n?\n\357\273\277\nwho?\n\357\273\277where?\n' > signs && $ask a.kvz --questions signs --json | jq -c .question
printf 'who?\nwhere?\n' | iconv -t utf-16 > wide && try $ask a.kvz --questions wide
yes who | head -n 100000 | tr '\n' ' ' > long && try $ask a.kvz --questions long | cut -c1-60

head -c 1100000 /dev/zero | tr '\0' x > endless
try $ask a.kvz --questions endless
try encode --files-from endless -o b.kvz
room='ulimit -v 4000000'
bash -c "$room; lctool --version; exit \$?" > /dev/null 2>&1 || room=: # a sanitizer takes more at once
{ timeout 20 bash -c "$room; lctool query a.kvz --device cpu --questions /dev/zero" 2>&1; echo "exit $?"; }

echo '--- no file to wait for'
mkfifo pipe.kvz
try timeout 20 lctool query pipe.kvz 'Who?'
try timeout 20 lctool inspect pipe.kvz

echo '--- half an object is none'
cp a.kvz damaged.kvz
vectors=$(lctool inspect a.kvz --json | jq '.sections[] | select(.tag == "VECT").offset')
printf '\377\377' | dd of=damaged.kvz bs=1 seek="$vectors" conv=notrunc status=none
try lctool inspect damaged.kvz --heads --json

echo '--- a file that is cut while it is read'
yes 'The key hangs behind the door.' | head -c 40000 > b.txt
encode b.txt
mkfifo questions
$ask b.kvz --questions questions > answers &
exec 3> questions
echo 'who?' >&3
until [ -s answers ] || ! kill -0 $! 2> /dev/null; do sleep 0.1; done
truncate -s 5000 b.kvz
trap '' PIPE # it may have ended by now
echo 'where?' 2> pipe >&3
exec 3>&-
wait $!
echo "exit $?"
