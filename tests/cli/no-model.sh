echo 'some text' > book.txt
try shown lctool encode book.txt
mkdir -p "$HOME/.local/share/lctool/models"
try shown lctool encode book.txt
try shown lctool encode book.txt -m missing.gguf
try shown lctool encode book.txt -m ./missing.gguf
mkdir ./dir.gguf && try shown lctool encode book.txt -m ./dir.gguf
fake_model one.gguf
fake_model two.gguf
try shown lctool encode book.txt
try shown lctool encode book.txt -m three
unset HOME
try lctool encode book.txt
ls
