try lctool --help
try lctool -h
for c in encode query summarize inspect calibrate; do
    lctool $c --help > long
    echo "$c: exit $?, $(head -n 1 long)"
    lctool $c -h | cmp - long
    awk 'length > 80 {print "too long: " $0}' long
done
