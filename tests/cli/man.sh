# Every option of --help is in the manual with the same argument, and the other way round.
for c in encode query summarize inspect calibrate; do
    lctool $c --help | sed -nE 's/^ {2,6}(-[A-Za-z0-9], )?--([a-z-]+)( [^ ]+)?.*/\2\3/p' | sort > "$c.help"
    sed -nE 's/^\.It (Fl [A-Za-z0-9] , )?Fl -([a-z-]+)(.*)/\2\3/p' "$TOP/man/lctool-$c.1" |
        sed -E 's/ (Ar|Cm) / /; s/ \| /|/g' | sort > "$c.man"
    diff -u "$c.help" "$c.man" && echo "$c: $(wc -l < "$c.man") options"
done
for page in "$TOP"/man/*.[157]; do
    mandoc -T lint -W warning "$page" || echo "$page"
done | sed "s|$TOP/||"
# Quotation marks that a macro left open, and blanks before a comma.
for page in "$TOP"/man/*.[157]; do
    mandoc -T utf8 -O width=1000 "$page" | col -bx | grep -oE ".{0,40}(’’| ,( |$)).{0,20}"
done
true
