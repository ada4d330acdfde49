# not under sanitizers
# Where the best sentence lacks a word of the question that another one has, which is nearly as likely, both are said.
use_model 2> /dev/null
cat > lark.txt <<'TEXT'
The wire format of Lark, version 3

Every message has a header of twelve bytes. The first byte says how numbers are stored, the second one what kind of message it is, and the other ten hold its number and the length of its body. A message without a body ends with its header. What comes behind it belongs to the next message, and a reader that meets anything else closes the line.

Numbers are stored in two, four or eight bytes, strings as their length and their bytes, and containers as what they hold, one after the other. A container may hold containers. The depth of an array is thirty-two levels, for a deeper one would not be read. A reader that meets more of them closes the line, and says so in its log.

A client that has said nothing for a minute is asked whether it is still there, and one that does not answer within ten seconds is taken for gone. Its names are free then for others to take. Who asks for a name that is taken waits in a queue, unless the request says otherwise, and is told when the name becomes free.

A body has at most 128 MiB. Arrays have a length of 64 MiB at most. Longer ones are sent in parts, each of which has the number of the message that it is a part of. Parts may come in any order, but all of them within a minute.
TEXT
lctool encode lark.txt --device cpu --quiet
ask="lctool query lark.kvz --device cpu --quiet"
array="What is the maximum length of an array?"
echo '--- both, and where they stand'
$ask "$array" --evidence 0 | tail -n 1
$ask "$array" --json > both
jq -r '.alternative, (.answer | split("\nor: ")[1]), (.evidence[:2][] | .text | test("of an array|Arrays have"))' both
echo '--- the answer is what it is without'
$ask "$array" --no-alternative --json > one
jq -c --slurpfile both both '[.alternative, . as $one | $both[0] | (.answer | startswith($one.answer)), .score == $one.score, .finish == $one.finish, .tokens.answer > $one.tokens.answer]' one
echo '--- neither where nothing may be quoted, where it would be too long, in halves, nor of another question'
for options in "--quote 0" "--max-tokens 25" "--hops 2"; do
    $ask "$array" --json $options | jq .alternative
done
$ask "What is the maximum length of an array and how long is a header?" --json | jq .alternative
$ask "How long is a header?" --json | jq .alternative
echo '--- the same in any order'
printf '%s\n' "How long is a header?" "$array" "When are parts sent?" "$array" > asked
$ask --questions asked --json | jq -c --slurpfile both both 'select(.question == $both[0].question) | .answer == $both[0].answer'
