extension ProgramRecord {
    /// The completion script for bash; it does not need the bash-completion package.
    package var bashCompletion: String {
        """
        # bash completion for \(name)

        # Sets `options` to what can be given to command $1.
        _\(identifier)_options() {
            case $1 in
        \(commands.map { "    \($0.name)) options='\(words(of: $0.options))' ;;" }.joined(separator: "\n"))
            *) options= ;;
            esac
            options+=' \(words(of: options))'
        }

        # Sets `count` to the number of values of option $2 of command $1, `kind` to what completes the first, and `decides`
        # if the value says what completes the operands.
        _\(identifier)_values() {
            count=0 kind= decides=
            case "$1 $2" in
        \(bashValueCases.joined(separator: "\n"))
            esac
        }

        # Sets `kind` to what completes operand number $2 of command $1, whose first operand is $3, and whose option that
        # decides has the value $4.
        _\(identifier)_operand() {
            kind=
            case "$1 $2 $3" in
        \(bashOperandCases { $0 == nil }.joined(separator: "\n"))
            esac
            [[ -z $kind ]] && case "$1 $2 $4" in
        \(bashOperandCases { $0 != nil }.joined(separator: "\n"))
            esac
        }

        # Cuts COMPREPLY for readline, which replaces only what is behind the last : or = of the word $1, or from its last @
        # on.
        _\(identifier)_cut() {
            local word=$1
            [[ $COMP_WORDBREAKS == *@* && $word == *@* ]] && word=@${word##*@}
            [[ $COMP_WORDBREAKS == *:* ]] && word=${word##*:}
            [[ $COMP_WORDBREAKS == *=* ]] && word=${word##*=}
            COMPREPLY=("${COMPREPLY[@]#"${1%"$word"}"}")
        }

        \(bashFunction)

        complete -F _\(identifier) \(name)

        """
    }

    private func words(of options: [Option]) -> String { options.flatMap(\.names).joined(separator: " ") }

    /// One case for all options with the same number of values and the same completion.
    private var bashValueCases: [String] {
        optionBranches.map { branch in
            let decides = branch.decidesOperands ? " decides=yes" : ""
            let kind = branch.completion.bashKind(at: 0)
            return """
                    \(branch.spellings.joined(separator: " | ")))
                        count=\(branch.values) kind='\(kind)'\(decides) ;;
                """
        }
    }

    /// The cases of the operands whose completion is decided by one of these options; nil stands for none.
    private func bashOperandCases(of isMeant: (String?) -> Bool) -> [String] {
        commands.flatMap { command in
            command.operands.enumerated().flatMap { index, operand -> [String] in
                let completes = operand.valueCompletion
                guard completes != .nothing, isMeant(completes.decidingOption) else { return [] }
                let place = "'\(command.name) \(operand.isRepeatable ? "'*'" : "\(index + 1)") "
                let condition = operand.followsDashes ? "[[ -n $ended ]] && " : ""
                let cases = completes.alternatives.map { alternative in
                    (alternative.values.map { "\(place)\($0)'" }, alternative.completion)
                }
                return (cases.isEmpty ? [(["\(place)'*"], completes)] : cases).map { patterns, completion in
                    let kind = completion.bashKind(at: index + 1)
                    return "    \(patterns.joined(separator: " | "))) \(condition)kind='\(kind)' ;;"
                }
            }
        }
    }

    /// Sets the number of operands where `--` was, for commands whose last operand follows it.
    private var bashDashCases: String {
        let cases = operandsBeforeDashes.map { "\($0.command)) operands=\($0.count) ;; " }.joined()
        return cases.isEmpty ? "" : "; case $command in \(cases)esac"
    }

    private var bashNamesCommand: String {
        soleCommand == nil
            ? "if [[ -z $command ]]; then command=$word; else ((operands++ == 0)) && first=$word; fi"
            : "((operands++ == 0)) && first=$word\(soleCommand?.stopsAtFirstOperand == true ? "; ended=yes" : "")"
    }

    /// The function that bash calls, the same for every program.
    private var bashFunction: String {
        #"""
        _\#(identifier)() {
            local words=() word space rest=${COMP_LINE:0:COMP_POINT} command='\#(soleCommand?.name ?? "")' first='' options='' kind='' count=0
            local pending=0 ended='' operands=0 decides='' chosen='' given=() i
            COMPREPLY=()

            # Bash cuts words at = : @ too; put those together again that no space parts in the line.
            for ((i = 0; i <= COMP_CWORD; i++)); do
                word=${COMP_WORDS[i]}
                space=${rest%%[![:space:]]*}
                rest=${rest#"$space"}
                rest=${rest#"$word"}
                if ((i > 0)) && [[ -z $space ]]; then words[${#words[@]} - 1]+=$word; else words+=("$word"); fi
            done
            local current=${words[${#words[@]} - 1]}

            # What stands before the current word says what can follow.
            for ((i = 1; i < ${#words[@]} - 1; i++)); do
                word=${words[i]}
                if ((pending > 0)); then
                    ((pending--))
                    kind=
                    [[ -n $decides ]] && chosen=$word
                elif [[ -n $ended || $word != -?* ]]; then
                    \#(bashNamesCommand)
                    [[ $word == ?*=* ]] && given+=("${word%%=*}=")
                elif [[ $word == -- ]]; then
                    ended=yes\#(bashDashCases)
                elif [[ $word == --*=* ]]; then
                    _\#(identifier)_values "$command" "${word%%=*}"
                    ((pending = count > 1 ? count - 1 : 0))
                    kind=
                    [[ -n $decides ]] && chosen=${word#*=}
                elif [[ $word == --* ]]; then
                    _\#(identifier)_values "$command" "$word"
                    pending=$count
                else
                    # Joined letters: the first that takes a value ends them.
                    while word=${word:1} && [[ -n $word ]]; do
                        _\#(identifier)_values "$command" "-${word:0:1}"
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
                    _\#(identifier)_values "$command" "-${current:i:1}"
                    pending=$count
                done
                ((pending > 0)) && prefix=${current:0:i} current=${current:i}
            fi
            if ((pending > 0)); then
                : # the value of an option, whose kind is known
            elif [[ -z $ended && $current == --*=* ]]; then
                _\#(identifier)_values "$command" "${current%%=*}"
                prefix=${current%%=*}=
                current=${current#*=}
            elif [[ -z $ended && $current == -* ]]; then
                _\#(identifier)_options "$command"
                kind="words $options"
            elif [[ -z $command ]]; then
                kind='words \#(commands.map(\.name).joined(separator: " "))'
            else
                _\#(identifier)_operand "$command" "$((operands + 1))" "$first" "$chosen"
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
                    kind="words $(command \#(name) ${kind#printed} 2> /dev/null < /dev/null)"
                    # compgen would carry out a command in them.
                    [[ $kind == *[\$\`\\\<\>]* ]] && return
                fi
                mapfile -t COMPREPLY < <(compgen -P "$prefix" -W "${kind#words}" -- "$current")
                [[ ${COMPREPLY[*]} == *= ]] && compopt -o nospace
                _\#(identifier)_cut "$prefix$current"
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
                [[ -z $quote ]] && _\#(identifier)_cut "$prefix$current"
                ;;
            esac
        }
        """#
    }
}

extension Completion {
    /// Its name in the script: `files`, `after PATTERN`, `directories`, `words …`, `printed …`, `program N`, or nothing.
    ///
    /// - Parameter number: that of the operand; 0 for an option.
    fileprivate func bashKind(at number: Int) -> String {
        switch self {
        case .nothing, .byFirst, .byOption: ""
        case .files: "files"
        case .filesAfter(let mark): "after \(mark.patterns.regular)"
        case .directories: "directories"
        case .words(let words): "words \(words.joined(separator: " "))"
        case .printed(let arguments): "printed \(arguments.joined(separator: " "))"
        case .program: "program \(number)"
        }
    }
}
