# bash completion for {{program}}

# Sets `options` to what can be given to command $1.
_{{identifier}}_options() {
    case $1 in
{{options}}
    *) options= ;;
    esac
    options+=' {{general}}'
}

# Sets `count` to the number of values of option $2 of command $1, `kind` to what completes the first, and `decides`
# if the value says what completes the operands.
_{{identifier}}_values() {
    count=0 kind= decides=
    case "$1 $2" in
{{value-cases}}
    esac
}

# Adds to `excluded` what cannot stand beside option $2 of command $1.
_{{identifier}}_excluded() {
    case "$1 $2" in
{{excluded-cases}}
    esac
}

# Sets `kind` to what completes operand number $2 of command $1, whose first operand is $3, and whose option that
# decides has the value $4.
_{{identifier}}_operand() {
    kind=
    case "$1 $2 $3" in
{{first-cases}}
    esac
    [[ -z $kind ]] && case "$1 $2 $4" in
{{chosen-cases}}
    esac
}

# Cuts COMPREPLY for readline, which replaces only what is behind the last : or = of the word $1, or from its last @
# on.
_{{identifier}}_cut() {
    local word=$1
    [[ $COMP_WORDBREAKS == *@* && $word == *@* ]] && word=@${word##*@}
    [[ $COMP_WORDBREAKS == *:* ]] && word=${word##*:}
    [[ $COMP_WORDBREAKS == *=* ]] && word=${word##*=}
    COMPREPLY=("${COMPREPLY[@]#"${1%"$word"}"}")
}

_{{identifier}}() {
    local words=() word space rest=${COMP_LINE:0:COMP_POINT} command='{{command}}' first='' options='' kind='' count=0
    local pending=0 ended='' operands=0 decides='' chosen='' given=() excluded='' i
    COMPREPLY=()

    # Bash cuts words at = : @ too; put those together again that no space parts in the line.
    for ((i = 0; i <= COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]}
        space=${rest%%[![:space:]]*}
        rest=${rest#"$space"}
        rest=${rest#"$word"}
        if ((i > 0)) && [[ -z $space ]]; then words[${#words[@]} - 1]+=$word; else words+=("$word"); fi
    done

    # What the shell redirects is no word of the command; its file is left to bash. <( and >( are no redirections.
    local redirection='^([0-9]*[<>]+[&|]?|&>+)([^(].*)?$' kept=() opened='' redirected=''
    for word in "${words[@]}"; do
        redirected=yes
        if [[ -n $opened ]]; then
            opened=
        elif [[ $word =~ $redirection ]]; then
            [[ -z ${BASH_REMATCH[2]} ]] && opened=yes
        else
            redirected=
            kept+=("$word")
        fi
    done
    if [[ -n $redirected ]]; then
        compopt -o default
        return
    fi
    words=("${kept[@]}")
    local current=${words[${#words[@]} - 1]}

    # Read the words before the current one.
    for ((i = 1; i < ${#words[@]} - 1; i++)); do
        word=${words[i]}
        if ((pending > 0)); then
            ((pending--))
            kind=
            [[ -n $decides ]] && chosen=$word
        elif [[ -n $ended || $word != -?* ]]; then
            {{names-command}}
            [[ $word == ?*=* ]] && given+=("${word%%=*}=")
        elif [[ $word == -- ]]; then
            ended=yes{{dashes}}
        elif [[ $word == --*=* ]]; then
            _{{identifier}}_values "$command" "${word%%=*}"
            _{{identifier}}_excluded "$command" "${word%%=*}"
            ((pending = count > 1 ? count - 1 : 0))
            kind=
            [[ -n $decides ]] && chosen=${word#*=}
        elif [[ $word == --* ]]; then
            _{{identifier}}_values "$command" "$word"
            _{{identifier}}_excluded "$command" "$word"
            pending=$count
        else
            # Joined letters: the first that takes a value ends them.
            while word=${word:1} && [[ -n $word ]]; do
                _{{identifier}}_values "$command" "-${word:0:1}"
                _{{identifier}}_excluded "$command" "-${word:0:1}"
                if ((count > 0)); then
                    if ((${#word} == 1)); then pending=$count; else pending=$((count - 1)) kind=; fi
                    [[ -n $decides ]] && chosen=${word:1}
                    break
                fi
            done
        fi
    done

    local prefix=
    # Joined letters: the first that takes a value has the rest of the word.
    if ((pending == 0)) && [[ -z $ended && $current == -[!-]?* ]]; then
        for ((i = 1; i < ${#current} - 1 && pending == 0; i++)); do
            _{{identifier}}_values "$command" "-${current:i:1}"
            pending=$count
        done
        ((pending > 0)) && prefix=${current:0:i} current=${current:i}
    fi
    if ((pending > 0)); then
        : # the value of an option, whose kind is known
    elif [[ -z $ended && $current == --*=* ]]; then
        _{{identifier}}_values "$command" "${current%%=*}"
        prefix=${current%%=*}=
        current=${current#*=}
    elif [[ -z $ended && $current == -* ]]; then
        _{{identifier}}_options "$command"
        for word in $excluded; do
            [[ " $options " == *" $word "* ]] && options=" $options " && options=${options/ "$word" / }
        done
        kind="words $options"
    elif [[ -z $command ]]; then
        kind='words {{commands}}'
    else
        _{{identifier}}_operand "$command" "$((operands + 1))" "$first" "$chosen"
        # A variable that an operand has set is not offered again.
        for word in "${given[@]}"; do
            [[ "$kind " == *" $word "* ]] && kind="$kind " && kind=${kind/ "$word" / }
        done
    fi

    case $kind in
    program*)
        if ((operands + 1 == ${kind#program })); then
            mapfile -t COMPREPLY < <(compgen -c -- "$current" | sort -u)
        else
            compopt -o default
        fi
        ;;
    files) compopt -o default ;;
    directories) compopt -o dirnames -o filenames ;;
    words* | printed*)
        # What is printed are words that need no quoting; one that cannot be printed is no error here.
        if [[ $kind == printed* ]]; then
            kind="words $(command {{program}} ${kind#printed} 2> /dev/null < /dev/null)"
            # compgen would carry out a command in them.
            [[ $kind == *[\$\`\\\<\>]* ]] && return
        fi
        mapfile -t COMPREPLY < <(compgen -P "$prefix" -W "${kind#words}" -- "$current")
        [[ ${COMPREPLY[*]} == *= ]] && compopt -o nospace
        _{{identifier}}_cut "$prefix$current"
        ;;
    after*)
        # Between quotes, what is typed begins behind the quote, and needs no backslashes.
        local quote=''
        [[ $current == [\"\']* ]] && quote=${current:0:1} current=${current:1} prefix=''
        [[ $current =~ ${kind#after } ]] || return
        prefix+=${BASH_REMATCH[0]}
        current=${current#"${BASH_REMATCH[0]}"}
        # What the shell expands, and a name with a quote within it, stay as they are typed.
        local special="[\"'\$\`]"
        case $quote in \') special=\' ;; \") special='["$`]' ;; esac
        word=$current
        [[ $quote != \' ]] && word=${word//\\?/}
        [[ $current == '~'* || $word == *$special* ]] && return
        [[ -z $quote ]] && current=${current//\\/}
        mapfile -t COMPREPLY < <(compgen -f -- "$current")
        # Readline does not see that these are files: it adds neither a slash nor a backslash.
        for i in "${!COMPREPLY[@]}"; do
            word=${COMPREPLY[i]}
            [[ -d $word ]] && word+=/ && ((${#COMPREPLY[@]} == 1)) && compopt -o nospace
            [[ -z $quote ]] && printf -v word %q "$word"
            COMPREPLY[i]=$prefix$word
        done
        [[ -z $quote && -n $current ]] && printf -v current %q "$current"
        [[ -z $quote ]] && _{{identifier}}_cut "$prefix$current"
        ;;
    esac
}

complete -F _{{identifier}} {{program}}
