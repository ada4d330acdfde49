echo 'some text' > book.txt
echo 'not an index' > bad.kvz
: > empty.kvz
mkdir dir.kvz
fake_model none.gguf
try lctool query missing.kvz 'Who?'
try lctool query bad.kvz 'Who?'
try lctool query empty.kvz 'Who?'
try lctool query dir.kvz 'Who?'
try lctool summarize bad.kvz
try lctool inspect missing.kvz
try lctool inspect bad.kvz
try lctool inspect empty.kvz
try lctool inspect bad.kvz --verify
try lctool inspect bad.kvz --spans
try lctool inspect bad.kvz --text
try lctool inspect dir.kvz
try lctool inspect ''
printf 'GGUF' > short.gguf
try shown lctool inspect short.gguf
try lctool inspect short.gguf --verify
try shown lctool encode book.txt -m short.gguf --device cpu
: > nothing.gguf
try shown lctool inspect nothing.gguf
