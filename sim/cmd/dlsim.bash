# Bash completion of dlsim. Commands and options come from the program's own help.
_dlsim()
{
    local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
    local program=${COMP_WORDS[0]} command=${COMP_WORDS[1]} words
    COMPREPLY=()
    if ((COMP_CWORD == 1)); then
        words="$("$program" help 2>/dev/null |
            sed -n '/^commands/,/^$/s/^  \([a-z]*\) .*/\1/p') --help --version"
        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
        return
    fi
    case $previous in
    --color)
        mapfile -t COMPREPLY < <(compgen -W 'auto always never' -- "$word")
        return
        ;;
    --seed | --jobs | -j | --replications)
        return
        ;;
    esac
    if [[ $word == -* ]]; then
        words=$("$program" help "$command" 2>/dev/null |
            sed -n 's/^ .*\(--[a-z][a-z-]*\).*/\1/p')
        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
        return
    fi
    case $command in
    help)
        words=$("$program" help 2>/dev/null | sed -n '/^commands/,/^$/s/^  \([a-z]*\) .*/\1/p')
        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
        ;;
    models)
        words="$("$program" models 2>/dev/null |
            sed -n 's/^  \([a-z]*\.[a-z_]*\) .*/\1/p; s/^\([a-z]*\)$/\1/p') host run"
        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
        ;;
    import)
        if ((COMP_CWORD == 2)); then
            words=$("$program" help import 2>/dev/null |
                sed -n '/^formats/,/^$/s/^  \([a-z]*\) .*/\1/p')
            mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
        else
            mapfile -t COMPREPLY < <(compgen -f -- "$word")
        fi
        ;;
    *)
        mapfile -t COMPREPLY < <(compgen -f -- "$word")
        ;;
    esac
}
complete -o filenames -F _dlsim dlsim
