try lctool
try lctool encod
try lctool xyzzy
try lctool --versio
try lctool --version more
try lctool --help query
try lctool help query more
try lctool help help more
try lctool query
try lctool query book.kvz
try lctool query book.kvz ' '
try lctool query book.kvz '?!'
try lctool query -q 'Who?'
try lctool query book.kvz -q ''
try lctool query book.kvz 'Who?' -q 'What?'
try lctool query --evidnce 3
try lctool query --qqqqqqqq
try lctool query -Z
try lctool query book.kvz 'Who?' --evidence
try lctool query book.kvz 'Who?' --evidence many
try lctool query book.kvz 'Who?' --evidence=-1
try lctool query book.kvz 'Who?' --evidence=1001
try lctool query book.kvz 'Who?' --budget 0
try lctool query book.kvz 'Who?' --temp hot
try lctool query book.kvz 'Who?' --temp 11
try lctool query book.kvz 'Who?' --seed -1
try lctool query book.kvz 'Who?' --min-score 1.5
try lctool query book.kvz 'Who?' --min-score -0.5
try lctool query book.kvz 'Who?' --read frish
try lctool query book.kvz 'Who?' --traverse backwards
try lctool query book.kvz 'Who?' --art-scale -1
try lctool query book.kvz 'Who?' --art-patience 0
try lctool query book.kvz 'Who?' --json=yes
try lctool query book.kvz 'Who?' --device
try lctool query book.kvz 'Who?' --threads 0
try lctool encode
try lctool encode -
try lctool encode /
try lctool encode a.txt --kv tiny
try lctool encode a.txt --kv-bits 9
try lctool encode a.txt --kv-bits 16,8
try lctool encode a.txt --kv-bits 0x2.8
try lctool encode a.txt --block 1
try lctool encode a.txt --block 256
try lctool encode a.txt --positions nowhere
try lctool encode a.txt -q x
try lctool summarize
try lctool summarize a.kvz b.kvz
try lctool summarize a.kvz --words 1
try lctool inspect
try lctool inspect a.kvz b.kvz
try lctool inspect a.kvz --verify --spans
