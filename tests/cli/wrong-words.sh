# not under sanitizers
# Command lines as a hand writes them that is used to other tools: what cannot be meant is refused, and says what
# was meant; what can be is done.
"$TOP/build/release/tests/tiny-model" tiny.gguf
echo 'The key hangs behind the door.' > a.txt
lctool encode -m tiny.gguf a.txt --device cpu --quiet --no-calibrate && cp a.kvz b.kvz
ask="lctool query --device cpu -n 1"
echo '--- a question that was forgotten, not quoted, or first'
try $ask a.kvz b.kvz
try $ask a.kvz a.txt
try $ask a.kvz Where is the key?
try $ask "Where is the key?" a.kvz
try $ask b "Where is the key?"
try $ask c.kvz "Where is the key?"
$ask a.kvz -q a.txt > asked && echo "asked when it is meant"
echo '--- options that do not go together are told once, and no question is asked'
try $ask a.kvz -q one -q two --reduce pool
try $ask a.kvz -q one -q two --reduce pool --json
try $ask a.kvz "Where is the key?" --art-scale 0.1
try $ask a.kvz "Where is the key?" --art-dir 0.1
try $ask a.kvz "Where is the key?" --template none
echo '--- an index to standard output; a window smaller than the sinks would be'
try lctool encode -m tiny.gguf a.txt -o -
lctool encode -m tiny.gguf a.txt --device cpu --quiet --no-calibrate --window 64 -f && lctool inspect a.kvz --json | jq -c '[.sinks, .window]'
try lctool encode -m tiny.gguf a.txt --device cpu --quiet --no-calibrate --window 64 --sinks 65 -f
echo '--- help and version'
lctool help | cmp - <(lctool --help) && lctool help query | cmp - <(lctool query --help) && echo "help"
lctool -V | cmp - <(lctool --version) && echo "version"
try lctool help qery
echo '--- a slip of the keyboard in the question'
$ask a.kvz "What hangs behnid the dooor?" 2>&1 > /dev/null | head -n 1
$ask a.kvz "What hangs behnid the door?" --json --quiet | jq -c '[.question, .asked]'
$ask a.kvz 'What hangs "behnid" the door?' --json --quiet | jq -c .asked
$ask a.kvz "What hangs behnid the door?" --answer-prefix " The" --json --quiet | jq -c .asked
