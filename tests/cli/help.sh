try lctool --help
try lctool -h
lctool --help > long
for words in 'help' 'help help' 'help --help' 'help -h'; do
    # shellcheck disable=SC2086
    lctool $words | cmp - long && echo "$words: the same"
done
for c in encode query summarize inspect calibrate; do
    lctool $c --help > long
    echo "$c: exit $?, $(head -n 1 long)"
    lctool $c -h | cmp - long
    awk 'length > 80 {print "too long: " $0}' long
done
