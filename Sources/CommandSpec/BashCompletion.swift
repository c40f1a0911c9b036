extension ProgramRecord {
    /// The completion script for bash, for a program with commands; it does not need the bash-completion package.
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

        # Sets `count` to the number of values of option $2 of command $1, and `kind` to what completes the first.
        _\(identifier)_values() {
            count=0 kind=
            case "$1 $2" in
        \(bashValueCases.joined(separator: "\n"))
            esac
        }

        # Sets `kind` to what completes operand number $2 of command $1.
        _\(identifier)_operand() {
            kind=
            case "$1 $2" in
        \(bashOperandCases.joined(separator: "\n"))
            esac
        }

        \(bashFunction)

        complete -F _\(identifier) \(name)

        """
    }

    private func words(of options: [Option]) -> String { options.flatMap(\.names).joined(separator: " ") }

    /// One case for all options with the same number of values and the same completion.
    private var bashValueCases: [String] {
        var cases: [(body: String, patterns: [String])] = []
        for command in commands {
            for option in command.options where option.argument != nil {
                let first = option.placeholders.count > 1 ? "" : option.valueCompletion.bashKind
                let body = "count=\(option.placeholders.count) kind='\(first)'"
                let patterns = option.names.map { "'\(command.name) \($0)'" }
                if let index = cases.firstIndex(where: { $0.body == body }) {
                    cases[index].patterns += patterns
                } else {
                    cases.append((body, patterns))
                }
            }
        }
        return cases.map { "    \($0.patterns.joined(separator: " | ")))\n        \($0.body) ;;" }
    }

    private var bashOperandCases: [String] {
        commands.flatMap { command in
            command.operands.enumerated().map { index, operand in
                let number = operand.isRepeatable ? "'*" : "\(index + 1)'"
                return "    '\(command.name) \(number)) kind='\(operand.valueCompletion.bashKind)' ;;"
            }
        }
    }

    /// The function that bash calls, the same for every program.
    private var bashFunction: String {
        #"""
        _\#(identifier)() {
            local words=() word glue='' command='' options='' kind='' count=0 pending=0 ended='' operands=0 i
            COMPREPLY=()

            # Bash cuts words at = and : too; put them together again.
            for ((i = 0; i <= COMP_CWORD; i++)); do
                word=${COMP_WORDS[i]}
                if ((i == COMP_CWORD)) && [[ -z $word && ${COMP_LINE:0:COMP_POINT} == *[[:space:]] ]]; then glue=; fi
                if ((i > 1)) && [[ -n $glue || $word == [=:]* ]]; then
                    words[${#words[@]} - 1]+=$word
                else
                    words+=("$word")
                fi
                glue=
                if ((i > 1)) && [[ $word == [=:]* ]]; then glue=yes; fi
            done
            local current=${words[${#words[@]} - 1]}

            # What stands before the current word says what can follow.
            for ((i = 1; i < ${#words[@]} - 1; i++)); do
                word=${words[i]}
                if ((pending > 0)); then
                    ((pending--))
                    kind=
                elif [[ -n $ended || $word != -?* ]]; then
                    if [[ -z $command ]]; then command=$word; else ((operands++)); fi
                elif [[ $word == -- ]]; then
                    ended=yes
                elif [[ $word == --*=* ]]; then
                    _\#(identifier)_values "$command" "${word%%=*}"
                    ((pending = count > 1 ? count - 1 : 0))
                    kind=
                elif [[ $word == --* ]]; then
                    _\#(identifier)_values "$command" "$word"
                    pending=$count
                else
                    # Joined letters: the first that takes a value ends them.
                    while word=${word:1} && [[ -n $word ]]; do
                        _\#(identifier)_values "$command" "-${word:0:1}"
                        if ((count > 0)); then
                            if ((${#word} == 1)); then pending=$count; else pending=$((count - 1)) kind=; fi
                            break
                        fi
                    done
                fi
            done

            local prefix=
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
                _\#(identifier)_operand "$command" "$((operands + 1))"
            fi

            case $kind in
            files) compopt -o default ;;
            directories) compopt -o dirnames -o filenames ;;
            words*)
                mapfile -t COMPREPLY < <(compgen -P "$prefix" -W "${kind#words}" -- "$current")
                # Readline replaces only what stands behind the last = or : of the word.
                local whole=$prefix$current
                word=$whole
                [[ $COMP_WORDBREAKS == *:* ]] && word=${word##*:}
                [[ $COMP_WORDBREAKS == *=* ]] && word=${word##*=}
                COMPREPLY=("${COMPREPLY[@]#"${whole%"$word"}"}")
                ;;
            esac
        }
        """#
    }
}

extension Completion {
    /// Its name in the script: `files`, `directories`, `words …`, or nothing.
    fileprivate var bashKind: String {
        switch self {
        case .nothing: ""
        case .files: "files"
        case .directories: "directories"
        case .words(let words): "words \(words.joined(separator: " "))"
        }
    }
}
