# What bash offers after some beginnings; commands, options and their values are the program's own.
. "$TOP/cmd/completion.bash"
touch book.kvz book.txt model.gguf
offer() { # WORD...: completes the last one
    COMP_WORDS=(lctool "$@")
    COMP_CWORD=$#
    _lctool lctool "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
    echo "$*: ${COMPREPLY[*]}"
}
offer ""
offer en
offer query --mi
offer query --read ""
offer query --read f
offer encode --kv ""
offer query bo
offer encode bo
offer encode -m mo
offer inspect --ve
offer help ""
offer help enc
offer help encode ""
offer encode --no-
offer query --no-s
offer encode --method = q
offer encode --method =
offer query --read = f
offer encode -m = mo
offer query --questions bo
offer summarize --profile = book
offer query --config ''
offer encode --device ""
offer encode --device c
offer query --template lla
offer encode -o book.t
offer encode --block ""
offer encode --append bo
# A name is a name, whatever is in it.
mkdir -p ~/.local/share/lctool/models
touch ~/.local/share/lctool/models/{'a b.gguf','$(touch ran).gguf','`touch ran`.gguf',plain.gguf}
offer encode -m ""
offer encode -m "a "
ls ran 2> /dev/null
mkdir ~/.local/share/lctool/embedders
touch ~/.local/share/lctool/embedders/small.gguf
offer encode --embedder ""
offer query --embedder n
offer query --embedder = s
# As the program does, it looks where XDG_DATA_HOME says, unless that is relative.
mkdir -p data/lctool/models
touch data/lctool/models/other.gguf
XDG_DATA_HOME=data offer encode -m p
XDG_DATA_HOME=$PWD/data offer encode -m o
rm -r ~/.local data
complete -p lctool
for c in encode query summarize inspect calibrate; do
    lctool $c --help | grep -oE '^(  | {6})(-[a-zA-Z0-9], )?--[a-z-]+' | grep -oE -- '--[a-z-]+' | sort > help
    offer $c -- | cut -d: -f2 | tr ' ' '\n' | grep . | sort | cmp - help && echo "$c: every option"
done
