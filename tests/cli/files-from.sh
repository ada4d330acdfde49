# Inputs that a list names: one a line or with NULs between, after the operands; what is no text among them is passed over.
"$TOP/build/release/tests/tiny-model" tiny.gguf
encode() { lctool encode -m tiny.gguf --device cpu --no-calibrate --window 64 --block 16 --chunk 64 --quiet "$@"; }
names() { lctool inspect "$1" --json | jq -c '[.documents[].name]'; }
mkdir in && echo one > in/one && echo two > $'in/t\nwo' && echo three > three && echo minus > ./- && echo four > in/four
printf '\0\1\2\3' > picture
echo '--- lines, a directory among them; operands first'
printf 'three\n\n-\nin\n' > list
encode in/four --files-from list -o a.kvz && names a.kvz
printf '\357\273\277three\r\nin/one\r\n' | encode --files-from - -o crlf.kvz && names crlf.kvz
echo three > one-more
encode --files-from one-more --files-from list -o more.kvz && names more.kvz
echo '--- NULs'
find in -type f -print0 | sort -z | encode --files-from - --null -o b.kvz && names b.kvz
printf 'in/one\0in/four' | encode -0 --files-from=- -o c.kvz && names c.kvz
echo '--- the name of the index is that of the first input'
encode --files-from list && names three.kvz
echo '--- what is no text'
printf 'picture\nthree\n' | try encode --files-from - --no-quiet -o d.kvz | sed '/no retrieval heads/d; s/: 1 document.*/: 1 document/'
try encode picture -o e.kvz
echo '--- what cannot be'
printf 'three\nnone\n' | try encode --files-from - -o f.kvz
printf 'in/one\0in/four' | try encode --files-from - -o f.kvz
printf '\n\n' | try encode --files-from - -o f.kvz
try encode --files-from nolist -o f.kvz
try encode --files-from in -o f.kvz
try encode - --files-from - -o f.kvz
try encode three -0 -f
ls
