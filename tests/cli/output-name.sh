# The name that encode makes up, seen in its refusal to replace a file of that name.
mkdir -p dir.d sub/v1.2 in
touch book.kvz tar.kvz dir.d.kvz v1.2.kvz .hidden.kvz noext.kvz in.kvz a.b.kvz cwd.kvz
for input in book.txt sub/book.txt book.txt.gz book.HTML.XZ tar.tar.zst dir.d dir.d/ ./sub/v1.2// .hidden noext \
    in in/ a.b.c . in/..; do
    try lctool encode "$input"
done
try lctool encode book.kvz
try lctool encode a.txt -o book.kvz
try lctool encode a.txt -o dir.d
try lctool encode a.txt -o /dev/null
try lctool encode a.txt -o new.kvz --append
