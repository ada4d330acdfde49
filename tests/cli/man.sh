# Every option of --help is in the manual with the same argument, and the other way round.
for c in encode query summarize inspect calibrate; do
    lctool $c --help | sed -nE 's/^ {2,6}(-[A-Za-z0-9], )?--([a-z-]+)( [^ ]+)?.*/\2\3/p' | sort > "$c.help"
    sed -nE 's/^\.It (Fl [A-Za-z0-9] , )?Fl -([a-z-]+)(.*)/\2\3/p' "$TOP/man/lctool-$c.1" |
        sed -E 's/ (Ar|Cm) / /; s/ \| /|/g' | sort > "$c.man"
    diff -u "$c.help" "$c.man" && echo "$c: $(wc -l < "$c.man") options"
done
# The options that lctool.ini(5) says are no keys are those that a configuration file may not have.
for c in encode query summarize inspect calibrate; do
    sed -E 's/ .*//' "$c.man" | while read -r option; do
        config <<< "[$c]"$'\n'"$option ="
        lctool $c 2>&1 | grep -q -e 'unknown key' -e 'command line only' && echo "$c $option"
    done
done | sed -E 's/^[a-z]+ (config|help)$/every \1/' | sort -u > no-keys
awk '/^\.It [a-z]/ {c = $2} /^\.Fl / && c {gsub(/[-,] /, " "); for (i = 2; i <= NF; i++) print c, substr($i, 2)} /^\.El/ {c = ""}' \
    "$TOP/man/lctool.ini.5" | sort > listed
diff -u no-keys listed && echo "$(wc -l < listed) options are no keys"
rm -f "$HOME/.config/lctool/lctool.ini"
for page in "$TOP"/man/*.[157]; do
    mandoc -T lint -W warning "$page" || echo "$page"
done | sed "s|$TOP/||"
# Quotation marks that a macro left open, and blanks before a comma.
for page in "$TOP"/man/*.[157]; do
    mandoc -T utf8 -O width=1000 "$page" | col -bx | grep -oE ".{0,40}(’’| ,( |$)).{0,20}"
done
true
