# not under sanitizers
# The examples of the manual can be pasted: each runs among files of the names that it uses, and succeeds.
command -v git pdftotext jq > /dev/null || exit 77
models="$HOME/.local/share/lctool/models"
mkdir -p "$models" files/tree files/handbook files/backup
"$TOP/build/release/tests/tiny-model" "$models/tiny.gguf"
config <<< $'[lctool]\ndevice = cpu\n[encode]\ncalibrate = no'
cd files || exit 1
ln -s "$models/tiny.gguf" big.gguf
text() { for i in $(seq 60); do echo "$1 $i: the tenant of house $i pays the rent of ${i}00 crowns on the first of May."; done; }
for name in book lease contracts tree/a tree/b; do
    text $name > $name.txt
done
text mail > today.log
text log | gzip > syslog.1.gz
text old | gzip > syslog.2.gz
tar -cJf sources.tar.xz tree
echo '<p>Who pays the rent? The tenant.' > handbook/index.html
printf 'Who pays the rent?\nWhen?\n' > questions.txt
git init -q . && git add tree
printf '%s\n' %PDF-1.4 '1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj' '2 0 obj <</Type/Pages/Count 1/Kids[3 0 R]>> endobj' \
    '3 0 obj <</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>> endobj' \
    '4 0 obj <</Length 54>>' stream 'BT /F 12 Tf 72 700 Td (The tenant pays the rent.) Tj ET' endstream endobj \
    '5 0 obj <</Type/Font/Subtype/Type1/BaseFont/Helvetica>> endobj' 'trailer <</Size 6/Root 1 0 R>>' %%EOF > contract.pdf
for index in 2024 2025 logs; do
    lctool encode --quiet book.txt -o $index.kvz
done
cd ..
cp -r files asked
(cd asked && lctool encode --quiet book.txt && lctool encode --quiet contract.pdf && cp book.kvz backup) 2> said || cat said

# The displays of a page, with what is elsewhere on a reader's machine here; their lines end in a form feed each.
examples() { # PAGE
    sed 's|\\e|\\|g; s|\\-|-|g; s|/backup/|backup/|; s|/usr/share/doc/debian-handbook/html/en-US|handbook|' "$TOP/man/$1" |
        awk '/^\.Sh/ {on = $2 == "EXAMPLES"} on && /^\.Ed/ {shows = 0; print ""} shows {printf "%s\f", $0} on && /^\.Bd/ {shows = 1}'
}
paste_all() { # FILES PAGE
    echo "--- $2"
    while IFS= read -r display; do
        script=${display//$'\f'/$'\n'}
        rm -rf here && cp -r "$1" here
        (cd here && bash -eo pipefail -c "$script") > out 2> err < asked/questions.txt
        printf '%sexit %d%s\n' "$script" $? "$([ -s out ] && echo ', output')"
        grep -v 'documents\?, \|no retrieval heads\|finds\? needles\|: other commands will read\|: [0-9]\+%  ' err || true
    done < <(examples "$2")
}
paste_all files lctool.1
paste_all files lctool-encode.1
paste_all asked lctool-query.1
paste_all asked lctool-summarize.1
paste_all asked lctool-inspect.1
paste_all files lctool-calibrate.1
