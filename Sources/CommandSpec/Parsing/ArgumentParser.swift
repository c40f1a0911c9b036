extension ProgramRecord {
    /// Reads a command line: the command, then its options and operands in any order.
    ///
    /// The rules are curl's: `--name value`, `--name=value`, `-n value`, `-nvalue`, joined letters (`-rq FILTER`), `--`
    /// ends the options, `-` is an operand, and an option that needs a value takes whatever comes next. No name may be
    /// abbreviated. The program's own options (`--help`) end the command line: words after them are not read.
    ///
    /// - Parameter words: The arguments without the program's name.
    package func parse(_ words: [String]) throws(UsageError) -> Arguments {
        var parser = ArgumentParser(program: self, words: words[...])
        return try parser.parse()
    }
}

/// One pass over the words of a command line.
struct ArgumentParser {
    let program: ProgramRecord
    var words: ArraySlice<String>
    var command: CommandRecord?
    var occurrences: [Arguments.Occurrence] = []
    var operands: [String] = []
    var trailing: [String] = []

    init(program: ProgramRecord, words: ArraySlice<String>) {
        (self.program, self.words) = (program, words)
        command = program.soleCommand
    }

    /// Reads everything up to the end, or up to one of the program's own options.
    mutating func parse() throws(UsageError) -> Arguments {
        var optionsEnded = false
        while let word = words.popFirst() {
            if optionsEnded || !word.utf8.starts(with: "-".utf8) || word.utf8.count == 1 {
                try take(word)
                optionsEnded = optionsEnded || command?.stopsAtFirstOperand == true && !operands.isEmpty
            } else if word.isIdentical(to: "--") {
                optionsEnded = true
                if command?.operands.last?.followsDashes == true { (trailing, words) = (Array(words), []) }
            } else if word.utf8.starts(with: "--".utf8) {
                try parseLong(word)
            } else {
                try parseLetters(word)
            }
            if let last = occurrences.last, program.options.contains(last.option) { return arguments }
        }
        try checkOperands()
        try command?.check(arguments)
        return arguments
    }

    private var arguments: Arguments { Arguments(command, occurrences, operands: operands, trailing: trailing) }

    /// Reads a word that is not an option: the command, or an operand.
    private mutating func take(_ word: String) throws(UsageError) {
        if command != nil {
            operands.append(word)
        } else if let found = program.command(named: word) {
            command = found
        } else {
            throw failure(
                .unknownCommand(word.printable), hint: hint(forCommand: word, before: words.first))
        }
    }

    private mutating func parseLong(_ word: String) throws(UsageError) {
        let name = word.longName
        let value = word.utf8.firstIndex(of: UInt8(ascii: "=")).map { String(word[word.utf8.index(after: $0)...]) }
        guard let option = options.first(where: { $0.long.isIdentical(to: name) }) else {
            throw unknown("--\(name)", long: name)
        }
        guard value == nil || option.argument != nil || option.attached != nil else {
            throw failure(.unexpectedValue(option: option.name))
        }
        try record(option, as: option.name, firstValue: value)
    }

    /// Reads `-abc`: flags, the last of which may be an option with its value.
    private mutating func parseLetters(_ word: String) throws(UsageError) {
        // By Unicode scalars: a combining character at the start of a value must not change the letter before it.
        var letters = word.unicodeScalars.dropFirst()
        var last: Option?
        while let letter = letters.popFirst() {
            if letter == "=", let last { throw failure(.unexpectedValue(option: "-\(last.short ?? "?")")) }
            guard let option = options.first(where: { $0.short?.unicodeScalars.first == letter }) else {
                throw unknown(letter, in: word)
            }
            if option.argument != nil {
                let value = letters.isEmpty ? nil : String(letters)
                return try record(option, as: "-\(letter)", firstValue: value)
            }
            try record(option, as: "-\(letter)", firstValue: nil)
            last = option
        }
    }

    /// Records an option, and takes missing values from the following words.
    private mutating func record(_ option: Option, as name: String, firstValue: String?) throws(UsageError) {
        var values = firstValue.map { [$0] } ?? []
        for placeholder in option.placeholders.dropFirst(values.count) {
            guard let word = words.popFirst() else {
                throw failure(
                    .missingValue(option: name, placeholder: placeholder), hint: hint(forValueOf: option))
            }
            values.append(word)
        }
        for value in values { try check(value, of: name, choices: option.choices) }
        if values == [""], case .files = option.completes {
            throw failure(.needs(name, anyOf: ["a path"]), hint: hint(forValueOf: option))
        }
        if let value = values.last, !option.form.accepts(value), let expectation = option.form.expectation {
            throw UsageError(
                command: command?.name, reason: .invalidValue(of: name, expectation: expectation),
                hint: option.form.hint(for: value))
        }
        occurrences.append(Arguments.Occurrence(option, as: name, values))
    }

    private func checkOperands() throws(UsageError) {
        guard let command else { throw failure(.missingCommand, hint: commands) }
        let own = arguments.expectedOperands
        let last = command.operands.last { $0.followsDashes }
        let words = [program.name, command.name] + own.map(\.name)
        let hint = last.map { "-- comes before \($0.name): \((words + ["--", $0.name]).joined(separator: " "))" }
        let takesMore = own.last?.isRepeatable == true
        for (operand, value) in zip(own, operands) where !operand.isRepeatable { try check(value, of: operand) }
        guard takesMore || operands.count <= own.count else {
            let replaced = command.operands.first { $0.replacement.map(arguments.has) ?? false }
            let excluded = replaced.flatMap { operand in
                operand.replacement.map { "with \($0.name), there is no operand \(operand.name)" }
            }
            throw failure(
                .tooManyOperands(after: own.map(\.name)),
                hint: excluded ?? hint ?? command.surplus(operands, occurrences.map(\.option)))
        }
        if let last, last.isRequired, trailing.isEmpty { throw failure(.missingOperand(last.name), hint: hint) }
        for (index, operand) in own.enumerated() {
            guard index < operands.count else {
                if operand.isRequired || operand.replacement != nil { throw failure(.missingOperand(operand.name)) }
                continue
            }
            if operand.isRepeatable { for value in operands[index...] { try check(value, of: operand) } }
        }
    }

    private func check(_ value: String, of operand: Operand) throws(UsageError) {
        let other = operand.otherChoices.first { $0.word.isIdentical(to: value) }
        try check(value, of: operand.name, choices: operand.choices, hint: other?.hint)
    }

    private func check(
        _ value: String, of name: String, choices: [String], hint: String? = nil
    ) throws(UsageError) {
        guard choices.isEmpty || choices.contains(where: { $0.isIdentical(to: value) }) else {
            throw UsageError(
                command: command?.name, reason: .invalidChoice(of: name, choices: choices),
                hint: hint ?? self.hint(forValue: value, of: name, choices: choices))
        }
    }
}

extension ArgumentParser {
    /// The options that are allowed here.
    var options: [Option] { (command?.options ?? []) + program.options }

    /// The options that are refused here; before the command, those of any command that no other one has.
    var refused: [RefusedOption] {
        if let command { return command.refused }
        let known = program.commands.flatMap(\.options)
        return program.commands.flatMap(\.refused).filter { refused in !known.contains { $0.long == refused.long } }
    }

    private func failure(_ reason: UsageError.Reason, hint: String? = nil) -> UsageError {
        UsageError(command: command?.name, reason: reason, hint: hint ?? help)
    }

    /// The error for an option that does not exist: refused, or unknown with a suggestion.
    private func unknown(_ shown: String, long name: String) -> UsageError {
        if let option = refused.first(where: { $0.long?.isIdentical(to: name.normalized) == true }) {
            return failure(.refusedOption(option), hint: option.hint)
        }
        return failure(.unknownOption(shown.printable), hint: hint(forLong: name))
    }

    private func unknown(_ letter: Unicode.Scalar, in word: String) -> UsageError {
        if let option = refused.first(where: { $0.short?.unicodeScalars.first == letter }) {
            return failure(.refusedOption(option), hint: option.hint)
        }
        // `-client-id` is a long name that lacks a dash, even if its letters are options.
        let name = word.longName
        if (options.map(\.long) + refused.compactMap(\.long)).contains(where: { $0.isIdentical(to: name.normalized) }) {
            return unknown("-\(name)", long: name)
        }
        return failure(.unknownOption("-\(letter)".printable), hint: hint(forLetter: Character(letter)))
    }
}

extension String {
    /// The name of an option word: without the dashes before it and the value after it.
    fileprivate var longName: String {
        let end = utf8.firstIndex(of: UInt8(ascii: "=")) ?? endIndex
        let start = utf8.prefix(2).prefix { $0 == UInt8(ascii: "-") }.endIndex
        return String(self[start..<Swift.max(start, end)])
    }
}
