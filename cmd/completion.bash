# Completion of lctool in bash. Commands and options are read from --help, so that they are those of
# the program that is there.
#
#     source cmd/completion.bash      # 'make install' puts it where bash finds it by itself

_lctool_commands() {
    "$1" --help 2> /dev/null | sed -n 's/^  \([a-z]*\)  .*/\1/p'
}

# The options of a command, short and long. What is said of one begins further right, perhaps with
# the name of another.
_lctool_options() { # PROGRAM COMMAND
    "$1" "$2" --help 2> /dev/null | sed -n 's/^  \(-[a-zA-Z0-9]\), \(--[a-z-]*\).*/\1\n\2/p; s/^ \{6\}\(--[a-z-]*\) .*/\1/p'
}

# What turns off the options that take no value.
_lctool_off() { # PROGRAM COMMAND
    "$1" "$2" --help 2> /dev/null |
        sed -n -e 's/^  *-[a-zA-Z0-9], / /' -e '/^ *--help /d' -e 's/^ *--\([a-z-]*\)\(  .*\)\{0,1\}$/--no-\1/p'
}

# The names of chat templates, as --help lists them: raw|chatml|...
_lctool_templates() { # PROGRAM COMMAND
    "$1" "$2" --help 2> /dev/null | awk '
        /^ *--template / { on = 1 }
        on { text = text " " $0 }
        on && /\(default/ { exit }
        END {
            sub(/ *\(default.*/, "", text)
            sub(/.*: */, "", text)
            gsub(/,? +/, "|", text)
            print text
        }'
}

# What --help has behind an option, long or short: FILE, N, cached|fresh|both; nothing behind one that
# takes no value.
_lctool_takes() { # PROGRAM COMMAND OPTION
    "$1" "$2" --help 2> /dev/null | awk -v option="$3" '
        /^(  |      )-/ {
            sub(/^ +/, "")
            sub(/  .*/, "")
            n = split($0, words, /,? /)
            for (i = 1; i < n; i++)
                if (words[i] == option && words[n] !~ /^-/)
                    print words[n]
        }'
}

# Replies with those NAMEs that begin with WORD, whatever is in them: compgen -W would expand them.
_lctool_reply() { # WORD NAME...
    local word=$1 name
    for name in "${@:2}"; do
        [[ $name != "$word"* ]] || COMPREPLY+=("$name")
    done
}

# Replies with the models, or embedders, that can be named without their directory.
_lctool_models() { # models|embedders WORD
    local dir=${XDG_DATA_HOME-} path
    [[ $dir == /* ]] || dir=$HOME/.local/share # a relative path is to be ignored
    for path in "$dir/lctool/$1"/*.gguf; do
        [ ! -e "$path" ] || _lctool_reply "$2" "${path##*/}"
    done
}

# Replies with files; COMPREPLY has one a line of what compgen says.
_lctool_files() { # WORD ARGUMENT...: of compgen
    local found
    mapfile -t found < <(compgen "${@:2}" -- "$1")
    COMPREPLY+=("${found[@]}")
}

_lctool() {
    local program=$1 current=$2 previous=$3 command=${COMP_WORDS[1]}
    COMPREPLY=()
    if [ "$COMP_CWORD" = 1 ]; then
        mapfile -t COMPREPLY < <(compgen -W "$(_lctool_commands "$program") help --help --version" -- "$current")
        return
    fi
    if [ "$command" = help ]; then
        [ "$COMP_CWORD" != 2 ] || mapfile -t COMPREPLY < <(compgen -W "$(_lctool_commands "$program")" -- "$current")
        return
    fi
    # --read=f is three words to bash.
    if [ "${COMP_WORDS[COMP_CWORD]}" = = ]; then
        current=
    elif [ "$previous" = = ]; then
        previous=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    local takes=
    [[ $previous != -* ]] || takes=$(_lctool_takes "$program" "$command" "$previous")
    [ "$previous" != --embedder ] || takes=EMBEDDER
    case $takes in
    '') ;;
    MODEL)
        _lctool_models models "$current"
        _lctool_files "$current" -f -X '!*.gguf'
        return
        ;;
    EMBEDDER)
        _lctool_models embedders "$current"
        _lctool_reply "$current" none
        _lctool_files "$current" -f -X '!*.gguf'
        return
        ;;
    FILE | OUT*)
        _lctool_files "$current" -f
        return
        ;;
    *)
        [ "$previous" != --device ] || takes='auto|cpu|cuda'
        [ "$previous" != --template ] || takes=$(_lctool_templates "$program" "$command")
        local values
        IFS='|' read -ra values <<< "$takes"
        [[ $takes != *'|'* ]] || _lctool_reply "$current" "${values[@]}"
        return
        ;;
    esac
    if [[ $current == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$(_lctool_options "$program" "$command"
            [[ $current != --no* ]] || _lctool_off "$program" "$command")" -- "$current")
        return
    fi
    case $command in
    query | summarize)
        _lctool_files "$current" -f -X '!*.kvz'
        _lctool_files "$current" -d
        ;;
    *) _lctool_files "$current" -f ;;
    esac
}

complete -o filenames -F _lctool lctool
