# not under sanitizers
# Questions that want all of a text are answered by looking through it, with the places: in text, as JSON, from several
# indexes and from a pipe; and not where they are not to be.
"$TOP/build/release/tests/tiny-model" tiny.gguf
{
    echo 'LET AB = 4711'
    for i in $(seq 60); do echo "The hill is high, line $i. The lake is deep."; done
    echo 'LET CD = AB'
    for i in $(seq 60); do echo "The path is long, line $i. Off we walk."; done
    echo 'LET EF = CD'
} > vars.txt
printf 'req=r-12 session=s-7\nsession=s-7 user=maren\nThe lake is cold.\n' > trace.log
for f in vars.txt trace.log; do lctool encode -m tiny.gguf $f --device cpu --quiet --no-calibrate; done
ask="lctool query --device cpu"
try $ask vars.kvz "Which variables have the value 4711, directly or by way of others?"
try $ask vars.kvz trace.kvz "How often is the lake mentioned?" --evidence 2
try $ask trace.kvz "Which user does request r-12 lead to?"
try $ask vars.kvz "What are the three most common words?" --evidence 0
printf 'How many lines mention the lake?\nWhich lines mention the cellar?\n' | $ask vars.kvz --questions - --json -n 1 |
    jq -c '[.question, if .finish == "survey" then .answer else "asked the model" end, .select == .finish]'
$ask vars.kvz "How often is the lake mentioned?" --json --evidence 1 --min-score 1 |
    jq -c '[.answer, .score, .finish, .blocks, .tokens, (.evidence[0] | .score, .read, (.focus.end - .focus.start))]'
$ask vars.kvz "How often is the lake mentioned?" --json --no-survey -n 1 | jq -c '.finish == "survey"'
echo '--- lists do not end with the end of a line'
$ask vars.kvz "Which lines mention 4711?" --json | jq -c '[.select, .answer]'
echo '--- two things that are looked up apart'
printf 'OPTIONS\n\n-X      Enables forwarding of windows.\n\n-Y      Enables trusted forwarding.\n\n-q      Quiet mode.\n' > options.txt
lctool encode -m tiny.gguf options.txt --device cpu --quiet --no-calibrate
try $ask options.kvz "What is the difference between -X and -Y?"
$ask options.kvz "What is the difference between -X and -Z?" -n 1 --json --quiet | jq .select
config <<< $'[query]\nsurvey = no'
$ask vars.kvz "How often is the lake mentioned?" --json -n 1 | jq -c '.finish == "survey"'
