# Completion of lctool in bash. Commands and options are read from --help, so that they are those of
# the program that is there.
#
#     source cmd/completion.bash      # 'make install' puts it where bash finds it by itself

_lctool_commands() {
    "$1" --help 2> /dev/null | sed -n 's/^  \([a-z]*\)  .*/\1/p'
}

# The options of a command, short and long.
_lctool_options() { # PROGRAM COMMAND
    "$1" "$2" --help 2> /dev/null | sed -n 's/^  *\(-[a-zA-Z0-9]\), *\(--[a-z-]*\).*/\1\n\2/p; s/^ *\(--[a-z-]*\) .*/\1/p'
}

# What turns off the options that take no value.
_lctool_off() { # PROGRAM COMMAND
    "$1" "$2" --help 2> /dev/null |
        sed -n -e 's/^  *-[a-zA-Z0-9], / /' -e '/^ *--help /d' -e 's/^ *--\([a-z-]*\)\(  .*\)\{0,1\}$/--no-\1/p'
}

# The values that an option takes, where --help lists them: --read cached|fresh|both.
_lctool_values() { # PROGRAM COMMAND OPTION
    "$1" "$2" --help 2> /dev/null |
        sed -n -e 's/^  *-[a-zA-Z0-9], / /' -e "s/^ *$3 \([a-z-]*|[a-z|-]*\).*/\1/p" | tr '|' '\n'
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
    case $previous in
    -m | --model)
        local dir=${XDG_DATA_HOME:-$HOME/.local/share}/lctool/models
        mapfile -t COMPREPLY < <(compgen -W "$(cd "$dir" 2> /dev/null && printf '%s\n' *.gguf)" -- "$current"
            compgen -f -X '!*.gguf' -- "$current")
        return
        ;;
    --*)
        local values
        values=$(_lctool_values "$program" "$command" "$previous")
        if [ -n "$values" ]; then
            mapfile -t COMPREPLY < <(compgen -W "$values" -- "$current")
            return
        fi
        ;;
    esac
    if [[ $current == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$(_lctool_options "$program" "$command"
            [[ $current != --no* ]] || _lctool_off "$program" "$command")" -- "$current")
        return
    fi
    case $command in
    query | summarize) mapfile -t COMPREPLY < <(compgen -f -X '!*.kvz' -- "$current"; compgen -d -- "$current") ;;
    *) mapfile -t COMPREPLY < <(compgen -f -- "$current") ;;
    esac
}

complete -o filenames -F _lctool lctool
