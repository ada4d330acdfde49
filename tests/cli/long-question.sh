# not under sanitizers
# A question that is too long to be asked fails without being printed whole, and the others are asked.
"$TOP/build/release/tests/tiny-model" tiny.gguf
echo 'The tenant pays the rent.' > a.txt
lctool encode -m tiny.gguf --device cpu --quiet --no-calibrate a.txt
{
    printf 'Obacht: ' # so that the cut falls into a letter
    yes 'Wer zahlt für Ökostrom?' | head -n 9000 | tr '\n' ' '
    echo
    echo 'Who pays?'
} > asked
lctool query a.kvz --questions asked -n 1 --device cpu 2>&1 > out | sed 's/has [0-9]* tokens/has N tokens/'
echo "exit ${PIPESTATUS[0]}"
grep '^>' out | head -n 1 | iconv -f utf-8 -t utf-8 | wc -c
grep '^>' out | sed 's/.*\(.\{12\}\)$/\1/'
lctool query a.kvz --questions asked -n 1 --device cpu --json 2> /dev/null | jq -c '[(.question | length), .error]' | sed 's/has [0-9]* tokens/has N tokens/'
