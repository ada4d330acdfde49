# not under sanitizers
# What an output replaces: with --force an index an index, a profile a profile; never what the command reads.
export PATH="$TOP/build/release/tests:$PATH"
tiny-model tiny.gguf
long() { for i in $(seq 200); do echo "In year $i the miller ground $((i % 7)) sacks of rye."; done; }
long > a.txt
cp a.txt b.txt
echo a.txt > list
printf '[encode]\nsinks = 32\n' > own.ini
cp own.ini calibrate.ini
: > empty.ini
: > empty.kvz
ln -s nowhere dangling
ln -s loop loop
ln -s tiny.gguf link
sha256sum tiny.gguf a.txt b.txt list own.ini calibrate.ini > sums
encode() { try shown lctool encode -m ./tiny.gguf --device cpu --no-calibrate --window 64 --block 16 --chunk 64 --quiet "$@"; }
calibrate() { try shown lctool calibrate tiny.gguf --device cpu --documents 1 --tokens 1024 --quiet "$@" | sed -n '/^lctool\|^exit/p'; }
echo '--- encode'
encode a.txt -f -o tiny.gguf
encode a.txt -f -o link
encode a.txt -f -o own.ini --config own.ini
encode a.txt -f -o empty.ini --config empty.ini
encode -f -o list --files-from list
encode a.txt -f -o a.txt
encode a.txt -f -o b.txt
encode a.txt -o b.txt
encode a.txt --append -o b.txt
encode a.txt -f -o dangling
encode a.txt -o loop
encode a.txt -f -o empty.kvz
encode a.txt -o empty.kvz
encode b.txt -f -o empty.kvz
printf 'damaged' | dd of=empty.kvz bs=1 seek=2000 conv=notrunc status=none
encode b.txt -f -o empty.kvz
lctool inspect empty.kvz --json | jq -c '[.documents[].name]'
echo '--- calibrate'
calibrate -o tiny.gguf
calibrate -f -o tiny.gguf
calibrate -f -o a.txt --text a.txt
calibrate -f -o b.txt
calibrate -f -o calibrate.ini
calibrate -f -o empty.ini --config empty.ini
calibrate -f -o empty.kvz
calibrate -o dangling
calibrate -f -o loop
calibrate -o new.ini
calibrate -o new.ini
ln -s new.ini linked.ini
sed -i '1i; my own words' new.ini
calibrate -f -o linked.ini
calibrate -f -o new.ini --text new.ini
grep -c 'my own words' new.ini
echo '--- what is left'
sha256sum -c --quiet sums && echo untouched
for l in dangling loop link linked.ini; do readlink $l; done
ls
