extension ProgramRecord {
    /// The completion script for fish.
    package var fishCompletion: String {
        let commandLines = commands.flatMap { command in
            (soleCommand == nil ? [commandLine(of: command)] : [])
                + command.options.map { fishLine(when: place(of: command), offer: $0.fish(of: self)) }
                + command.operands.enumerated().flatMap { operandLines(of: command, $0 + 1, $1) }
        }
        let lines = [fishHead, "complete -c \(name) -f"] + options.map { "complete -c \(name) \($0.fish(of: self))" }
        return (lines + commandLines).map { $0 + "\n" }.joined()
    }

    private func fishLine(when condition: String, offer: String) -> String {
        "complete -c \(name) -n '__\(identifier)_\(condition)' \(offer)"
    }

    /// The condition for the options of a command.
    private func place(of command: CommandRecord) -> String {
        command.stopsAtFirstOperand ? "operand \(command.name) 1" : "words \(command.name)"
    }

    private func commandLine(of command: CommandRecord) -> String {
        fishLine(when: "words", offer: "-a \(command.name) -d \(command.summary.singleQuoted)")
    }

    private func operandLines(of command: CommandRecord, _ number: Int, _ operand: Operand) -> [String] {
        let completes = operand.valueCompletion
        let place = "operand \(command.name) \(number)\(operand.isRepeatable ? "+" : "")"
        let variable = "$__\(identifier)_\(completes.decidingOption == nil ? "found[2]" : "chosen")"
        let cases = completes.alternatives.map { alternative in
            let values = alternative.values.joined(separator: " ")
            return (place + "; and contains -- \"\(variable)\" \(values)", alternative.completion)
        }
        return (cases.isEmpty ? [(place, completes)] : cases).compactMap { condition, completion in
            guard let offer = completion.fish(of: self, at: number) else { return nil }
            let isLate = operand.followsDashes ? "; and test \"$__\(identifier)_ended\" = yes" : ""
            return fishLine(when: condition + isLate, offer: offer)
        }
    }

    /// The functions of the script.
    private var fishHead: String {
        let branches = optionBranches
        let counts = Set(branches.map(\.values)).sorted().map { count in
            let spellings = branches.filter { $0.values == count }.flatMap(\.spellings)
            return "        case \(spellings.joined(separator: " "))\n            echo \(count)"
        }
        let deciding = commands.flatMap { command in
            (command.decidingOption?.names ?? []).map { " '\(command.name) \($0)'" }
        }
        let dashes = operandsBeforeDashes.map { rest in
            """
                        if test "$words[1]" = \(rest.command)
                            while test (count $words) -le \(rest.count)
                                set -a words ''
                            end
                        end

            """
        }
        return """
            # fish completion for \(name)

            # Prints the number of values of option $argv[2] of command $argv[1].
            function __\(identifier)_count
                switch "$argv[1] $argv[2]"
            \(counts.joined(separator: "\n"))
                    case '*'
                        echo 0
                end
            end

            # Whether the value of option $argv[2] of command $argv[1] decides what completes the operands.
            function __\(identifier)_decides
                contains -- "$argv"\(deciding.joined())
            end

            # Sets __\(identifier)_found to the command and the operands before the cursor, __\(identifier)_chosen to the
            # value of the option that decides, and __\(identifier)_ended to whether -- is before the cursor.
            function __\(identifier)_read
                set -l line (commandline -opc)
                test "$__\(identifier)_line" = "$line"; and return
                set -l words\(soleCommand.map { " \($0.name)" } ?? "")
                set -l pending 0
                set -l option
                set -l chosen
                set -l ended no
                for word in $line[2..-1]
                    if test $pending -gt 0
                        set pending (math $pending - 1)
                        __\(identifier)_decides "$words[1]" $option; and set chosen $word
                    else if test $ended = yes; or not string match -qr -- '^-.' $word
                        set -a words $word\(soleCommand?.stopsAtFirstOperand == true ? "; set ended yes" : "")
                    else if test $word = --
                        set ended yes
            \(dashes.joined())        else if string match -q -- '--*=*' $word
                        set -l pair (string split -m 1 = -- $word)
                        set option $pair[1]
                        set pending (math max 0, (__\(identifier)_count "$words[1]" $option) - 1)
                        __\(identifier)_decides "$words[1]" $option; and set chosen $pair[2]
                    else if string match -q -- '--*' $word
                        set option $word
                        set pending (__\(identifier)_count "$words[1]" $option)
                    else
                        # Joined letters: the first that takes a value ends them.
                        set -l letters (string split '' -- $word)[2..-1]
                        while set -q letters[1]
                            set option -$letters[1]
                            set -l count (__\(identifier)_count "$words[1]" $option)
                            set -e letters[1]
                            if test $count -gt 0
                                __\(identifier)_decides "$words[1]" $option; and set chosen (string join '' -- $letters)
                                set pending (math $count - (set -q letters[1]; and echo 1; or echo 0))
                                break
                            end
                        end
                    end
                end
                set -g __\(identifier)_line "$line"
                set -g __\(identifier)_found $words
                set -g __\(identifier)_chosen $chosen
                set -g __\(identifier)_ended $ended
            end

            # Whether the command is $argv[1]; without it, whether there is none yet.
            function __\(identifier)_words
                __\(identifier)_read
                test "$__\(identifier)_found[1]" = "$argv[1]"
            end

            # Whether the next word is operand number $argv[2] of command $argv[1], or one from that number on with a +
            # behind it.
            function __\(identifier)_operand
                __\(identifier)_words $argv[1]; or return
                set -l number (string trim -r -c + $argv[2])
                set -l next (count $__\(identifier)_found)
                test $next -eq $number; or begin
                    test $argv[2] != $number; and test $next -gt $number
                end
            end

            # Prints those of the words that no operand sets already.
            function __\(identifier)_unset
                __\(identifier)_read
                for word in $argv
                    string match -q -- "$word*" $__\(identifier)_found[2..-1]; or echo $word
                end
            end

            # Prints the files behind what matches $argv[1] in the value that is typed.
            function __\(identifier)_after
                set -l value (commandline -ct | string replace -r '^(--[^=]*=|-[^-@])' '' | string replace -r '^["\\']' '')
                set value (string unescape -- $value); or return
                set -l mark (string match -r -- $argv[1] $value); or return
                set -l start (string replace -r -- $argv[1] '' $value)
                for file in $start*
                    test -d $file; and set file $file/
                    printf '%s\\n' $mark$file
                end
            end

            # Completes the program that the words from number $argv[1] on are, and its arguments.
            function __\(identifier)_program
                __\(identifier)_read
                set -q __\(identifier)_found[$argv[1]]; or not string match -q -- '-*' (commandline -ct); or return
                complete -C (string join ' ' -- (string escape -- $__\(identifier)_found[$argv[1]..-1]) (commandline -ct))
            end

            """
    }
}

extension Option {
    /// The option as arguments of fish's `complete`.
    fileprivate func fish(of program: ProgramRecord) -> String {
        let names = (short.map { "-s \($0) " } ?? "") + "-l \(long)"
        let offer = valueCompletion.fish(of: program) ?? "-f"
        let value = argument == nil ? "" : placeholders.count > 1 ? " -x" : " -r \(offer)"
        return "\(names)\(value) -d \(summary.singleQuoted)"
    }
}

extension Completion {
    /// The completions, as arguments of fish's `complete`; nil for none.
    ///
    /// - Parameter number: that of the operand.
    fileprivate func fish(of program: ProgramRecord, at number: Int = 0) -> String? {
        switch self {
        case .nothing, .byFirst, .byOption: nil
        case .files: "-F"
        case .filesAfter(let mark): "-f -a '(__\(program.identifier)_after \"\(mark.patterns.regular)\")'"
        case .directories: "-f -a '(__fish_complete_directories (commandline -ct))'"
        case .words(let words) where number > 0 && words.contains { $0.hasSuffix("=") }:
            "-f -a '(__\(program.identifier)_unset \(words.joined(separator: " ")))'"
        case .words(let words): "-f -a '\(words.joined(separator: " "))'"
        case .printed(let arguments):
            """
            -f -a '(command -q \(program.name); and command \(program.name) \(arguments.joined(separator: " ")) \
            2> /dev/null < /dev/null)'
            """
        case .program: "-f -a '(__\(program.identifier)_program \(number + 1))'"
        }
    }
}

extension String {
    /// The string in single quotes, as fish reads them.
    fileprivate var singleQuoted: String {
        "'" + substituting(["\\": "\\\\", "'": "\\'"]) + "'"
    }
}
